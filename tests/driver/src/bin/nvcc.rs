//! A stand-in for nvcc where there is none: it takes the calls that Obsidian makes, and writes PTX
//! with the right entry and no code. The CUDA text is in its comments, from where the driver for
//! tests takes it; or, with `OBSIDIAN_STAND_IN_TEXTS`, in a file of that folder, as for PTX of the
//! real compiler.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--version") {
        println!("A stand-in for nvcc\nCuda compilation tools, release 13.0, V13.0.0");
        return ExitCode::SUCCESS;
    }
    if arguments
        .iter()
        .any(|argument| argument == "--list-gpu-arch")
    {
        println!("compute_75\ncompute_80\ncompute_90");
        return ExitCode::SUCCESS;
    }
    match compile(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(words) => {
            eprintln!("stand-in for nvcc: {words}");
            ExitCode::FAILURE
        }
    }
}

fn compile(arguments: &[String]) -> Result<(), String> {
    let after = |option: &str| {
        arguments
            .iter()
            .skip_while(|argument| *argument != option)
            .nth(1)
    };
    if !arguments.iter().any(|argument| argument == "-ptx")
        || !arguments.iter().any(|argument| argument == "-fmad=false")
    {
        return Err("only `-ptx -fmad=false` is known here".to_owned());
    }
    let out = after("-o").ok_or("no `-o`")?;
    let arch = arguments
        .iter()
        .find_map(|argument| argument.strip_prefix("-arch="))
        .ok_or("no `-arch=`")?;
    let file = arguments
        .iter()
        .find(|argument| argument.ends_with(".cu"))
        .ok_or("no file to compile")?;
    let program = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let folder = std::env::var_os("OBSIDIAN_STAND_IN_TEXTS").map(PathBuf::from);
    let mut ptx = head(arch);
    for part in parts(&program) {
        let kernel = Kernel::of(part).ok_or_else(|| format!("{file} has no kernel"))?;
        ptx.push_str(&kernel.ptx(folder.is_none()));
        if let Some(folder) = &folder {
            // Others that compile the same text never see half of it.
            let half = folder.join(format!("{}.half", std::process::id()));
            let name = format!("{}.{}.cu", kernel.symbol, kernel.threads);
            let written = std::fs::write(&half, &kernel.text)
                .and_then(|()| std::fs::rename(&half, folder.join(name)));
            written.map_err(|error| format!("{}: {error}", folder.display()))?;
        }
    }
    std::fs::write(out, ptx).map_err(|error| format!("{out}: {error}"))
}

/// What PTX begins with.
fn head(arch: &str) -> String {
    let arch = arch.replace("compute_", "sm_");
    format!(".version 8.0\n.target {arch}\n.address_size 64\n")
}

/// The texts of a program: one, or several in namespaces.
fn parts(program: &str) -> Vec<&str> {
    let starts = program.match_indices("namespace in_").map(|(at, _)| at);
    let starts: Vec<usize> = starts
        .filter(|at| *at == 0 || program[..*at].ends_with('\n'))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([program.len()]);
    match starts.len() {
        0 => vec![program],
        _ => starts
            .iter()
            .zip(ends)
            .map(|(start, end)| &program[*start..end])
            .collect(),
    }
}

/// The kernel of a program.
struct Kernel {
    /// Its name in its own text.
    symbol: String,
    /// Its name in the program.
    entry: String,
    threads: String,
    text: String,
}

impl Kernel {
    /// A program is the text of a kernel; or that text in a namespace, under another name, as it
    /// stands among others.
    fn of(program: &str) -> Option<Kernel> {
        let (_, signature) =
            program.split_once("extern \"C\" __global__ void __launch_bounds__(")?;
        // Behind the threads may stand how many blocks a multiprocessor has to hold at once.
        let (bounds, rest) = signature.split_once(')')?;
        let threads = bounds.split(',').next()?;
        let entry = rest.split_once('(')?.0.trim();
        let in_space = || {
            let (_, rest) = program
                .strip_prefix("namespace in_")?
                .split_once(" {\n#line 1 \"")?;
            let (symbol, text) = rest.split_once(".cu\"\n")?;
            Some((
                symbol,
                text.trim_end().strip_suffix('}')?.replace(entry, symbol),
            ))
        };
        let (symbol, text) = in_space().unwrap_or_else(|| (entry, program.to_owned()));
        Some(Kernel {
            symbol: symbol.to_owned(),
            entry: entry.to_owned(),
            threads: threads.to_owned(),
            text,
        })
    }

    /// PTX as far as the driver for tests reads it. The text lies inside of the function, as what is beside functions belongs to all.
    fn ptx(&self, with_text: bool) -> String {
        let lines = self.text.lines().filter(|_| with_text);
        let comments: String = lines.map(|line| format!("//cuda {line}\n")).collect();
        let Kernel { entry, threads, .. } = self;
        format!(".visible .entry {entry}()\n.maxntid {threads}, 1, 1\n{{\n{comments}    ret;\n}}\n")
    }
}
