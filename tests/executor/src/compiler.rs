//! The C++ compiler, and what is compiled with every program.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::failure::Failure;

/// Plain C++ with wrapping and without contraction, as `nvcc -fmad=false` computes; what is not
/// initialised holds a pattern. No fast math.
const KERNEL_FLAGS: &[&str] = &[
    "-std=c++14",
    "-O1",
    "-g1",
    "-w",
    "-fwrapv",
    "-ffp-contract=off",
    // GCC 12 makes `-(float)n` of `0.0f - (float)n`, which is -0 for an `n` of 0; not so where rounding may change.
    "-frounding-math",
    "-fno-strict-aliasing",
];
const CHECK_FLAGS: &[&str] = &[
    "-fsanitize=address",
    // An access of several elements at once at an address that is no multiple of its width.
    "-fsanitize=alignment",
    "-fsanitize-undefined-trap-on-error",
    "-fsanitize-sections=obsidian_*",
    "-ftrivial-auto-var-init=pattern",
];
const MACHINE_FLAGS: &[&str] = &["-std=c++17", "-O2", "-g1", "-Wall", "-Wextra", "-Werror"];
/// There are many programs, and where this linker is, it takes less than half the time.
const GOLD: &str = "-fuse-ld=gold";
/// The first version that has all the flags.
const OLDEST: u32 = 12;

/// The texts that every program is made with, by the names of their files.
const HEADERS: [(&str, &str); 2] = [
    ("cuda.h", include_str!("../cuda/cuda.h")),
    ("machine.h", include_str!("../cuda/machine.h")),
];
const MACHINE: &str = include_str!("../cuda/machine.cpp");

/// A `g++` that can compile programs, and the folder where they are kept.
///
/// What was compiled stays under `target/executor`, named by the hash of all that it depends on.
#[derive(Clone, Debug)]
pub struct Compiler {
    version: String,
    folder: PathBuf,
    machine_flags: Vec<&'static str>,
    link_flag: Option<&'static str>,
}

impl Compiler {
    /// The `g++` of this machine; none if there is none, or it is older than version 12, which is
    /// said once on the standard error.
    pub fn find() -> Option<Compiler> {
        static FOUND: OnceLock<Option<Compiler>> = OnceLock::new();
        let look = || {
            Compiler::look().map_err(|why| {
                // Not through `eprintln!`, which the test runner keeps to itself.
                let words = format!("skipped: CUDA texts were not executed, because {why}\n");
                let _ = io::Write::write_all(&mut io::stderr(), words.as_bytes());
            })
        };
        FOUND.get_or_init(|| look().ok()).clone()
    }

    fn look() -> Result<Compiler, String> {
        let said = |options: &[&str]| {
            let output = Command::new("g++")
                .args(options)
                .output()
                .map_err(|_| "there is no g++ here".to_owned())?;
            Ok::<_, String>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let version = said(&["-dumpfullversion"])?;
        let number: Option<u32> = version
            .split('.')
            .next()
            .and_then(|number| number.parse().ok());
        if number.is_none_or(|number| number < OLDEST) {
            return Err(format!(
                "the g++ here is `{version}`, and version {OLDEST} is the first that can"
            ));
        }
        let target = said(&["-dumpmachine"])?;
        let folder = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(
                || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"),
                PathBuf::from,
            )
            .join("executor");
        Ok(Compiler {
            version: format!("{version} {target}"),
            folder,
            machine_flags: Vec::new(),
            link_flag: said(&[GOLD, "-Wl,--version"])
                .is_ok_and(|words| words.starts_with("GNU gold"))
                .then_some(GOLD),
        })
    }

    /// The same, whose fibres are those of the C library instead of a few lines of assembly.
    #[must_use]
    pub fn with_ucontext(mut self) -> Compiler {
        self.machine_flags.push("-DOBSIDIAN_UCONTEXT");
        self
    }

    /// The executable of a text over the headers, compiled unless it is there already.
    pub(crate) fn program(&self, name: &str, text: &str) -> Result<PathBuf, Failure> {
        let headers = self.headers()?;
        let machine = self.machine(&headers)?;
        let key = self.key(&[
            text,
            &machine.to_string_lossy(),
            &format!("{KERNEL_FLAGS:?} {CHECK_FLAGS:?} {:?}", self.link_flag),
        ]);
        self.kept(&format!("{name}-{key}"), |half| {
            let source = half.with_extension("cpp");
            fs::write(&source, text).map_err(Failure::executor)?;
            let mut command = Command::new("g++");
            command
                .args(KERNEL_FLAGS)
                .args(CHECK_FLAGS)
                .arg("-pipe")
                .args(self.link_flag)
                .arg("-I")
                .arg(&headers)
                .arg(&source)
                .arg(&machine)
                .arg("-o")
                .arg(half);
            let compiled = run(command);
            let _ = fs::remove_file(source);
            compiled
        })
    }

    /// What runs the threads, as an object file.
    fn machine(&self, headers: &Path) -> Result<PathBuf, Failure> {
        let key = self.key(&[
            MACHINE,
            &headers.to_string_lossy(),
            &format!("{MACHINE_FLAGS:?} {:?}", self.machine_flags),
        ]);
        self.kept(&format!("machine-{key}.o"), |half| {
            let source = half.with_extension("cpp");
            fs::write(&source, MACHINE).map_err(Failure::executor)?;
            let mut command = Command::new("g++");
            command
                .args(MACHINE_FLAGS)
                .args(&self.machine_flags)
                .arg("-I")
                .arg(headers)
                .arg("-c")
                .arg(&source)
                .arg("-o")
                .arg(half);
            let compiled = run(command);
            let _ = fs::remove_file(source);
            // A mistake in the machine is ours, not the kernel's.
            compiled.map_err(Failure::executor)
        })
    }

    /// The folder of the headers. What the programs include is compiled in it already, which takes a third off the time of each; a
    /// compiler that cannot use it there reads the text.
    fn headers(&self) -> Result<PathBuf, Failure> {
        let [(_, cuda), (_, machine)] = HEADERS;
        let flags = format!("{KERNEL_FLAGS:?} {CHECK_FLAGS:?}");
        let name = format!("headers-{}", self.key(&[cuda, machine, &flags]));
        for (header, text) in HEADERS {
            self.kept(&format!("{name}/{header}"), |half| {
                fs::write(half, text).map_err(Failure::executor)
            })?;
        }
        let folder = self.folder.join(&name);
        self.kept(&format!("{name}/cuda.h.gch"), |half| {
            let mut command = Command::new("g++");
            command
                .args(KERNEL_FLAGS)
                .args(CHECK_FLAGS)
                .args(["-x", "c++-header"])
                .arg(folder.join("cuda.h"))
                .arg("-o")
                .arg(half);
            run(command).map_err(Failure::executor)
        })?;
        Ok(folder)
    }

    /// A file that `make` writes, unless it is there. Others never see half of it.
    fn kept(
        &self,
        name: &str,
        make: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<PathBuf, Failure> {
        let file = self.folder.join(name);
        if file.exists() {
            return Ok(file);
        }
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(Failure::executor)?;
        }
        let half = file.with_extension(
            format!(
                "{}-{:?}.half",
                std::process::id(),
                std::thread::current().id()
            )
            .replace(['(', ')'], ""),
        );
        make(&half)?;
        fs::rename(&half, &file).map_err(Failure::executor)?;
        Ok(file)
    }

    /// A name for the compiler together with some texts: 128 bits of them.
    fn key(&self, texts: &[&str]) -> String {
        let hash = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            (seed, &self.version, texts).hash(&mut hasher);
            hasher.finish()
        };
        format!("{:016x}{:016x}", hash(1), hash(2))
    }
}

/// Runs the compiler.
fn run(mut command: Command) -> Result<(), Failure> {
    let output = command.output().map_err(Failure::executor)?;
    if output.status.success() {
        return Ok(());
    }
    Err(Failure::Text(
        String::from_utf8_lossy(&output.stderr).into_owned(),
    ))
}
