//! A stand-in for nvcc where there is none: it takes the calls that Obsidian makes, and writes PTX with the right entry and no code. The CUDA
//! text is in its comments, from where the driver for tests takes it; or, with `OBSIDIAN_STAND_IN_TEXTS`, in a file of that folder, as for
//! PTX of the real compiler.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--version") {
        println!("A stand-in for nvcc\nCuda compilation tools, release 13.0, V13.0.0");
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
    let after = |option: &str| arguments.iter().skip_while(|argument| *argument != option).nth(1);
    if !arguments.iter().any(|argument| argument == "-ptx") || !arguments.iter().any(|argument| argument == "-fmad=false") {
        return Err("only `-ptx -fmad=false` is known here".to_owned());
    }
    let out = after("-o").ok_or("no `-o`")?;
    let arch = arguments.iter().find_map(|argument| argument.strip_prefix("-arch=")).ok_or("no `-arch=`")?;
    let file = arguments.iter().find(|argument| argument.ends_with(".cu")).ok_or("no file to compile")?;
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let folder = std::env::var_os("OBSIDIAN_STAND_IN_TEXTS").map(PathBuf::from);
    let (name, ptx) = ptx(&text, arch, folder.is_none()).ok_or_else(|| format!("{file} has no kernel"))?;
    if let Some(folder) = folder {
        // Others that compile the same text never see half of it.
        let half = folder.join(format!("{}.half", std::process::id()));
        let written = std::fs::write(&half, text).and_then(|()| std::fs::rename(&half, folder.join(name)));
        written.map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::write(out, ptx).map_err(|error| format!("{out}: {error}"))
}

/// PTX as far as the driver for tests reads it, and a name for the text's file.
fn ptx(text: &str, arch: &str, with_text: bool) -> Option<(String, String)> {
    let signature = text.split_once("extern \"C\" __global__ void __launch_bounds__(")?.1;
    let (threads, rest) = signature.split_once(')')?;
    let symbol = rest.split_once('(')?.0.trim();
    let lines = text.lines().filter(|_| with_text);
    let comments: String = lines.map(|line| format!("//cuda {line}\n")).collect();
    let ptx = format!(
        ".version 8.0\n.target {arch}\n.address_size 64\n{comments}.visible .entry {symbol}()\n.maxntid {threads}, 1, 1\n{{\n    ret;\n}}\n"
    );
    Some((format!("{symbol}.{threads}.cu"), ptx))
}
