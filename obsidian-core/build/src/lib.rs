//! The build-script side: compiles the kernels of a crate to files, with the same front end as the
//! macro.
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), obsidian_build::Error> {
//!     obsidian_build::Kernels::new().source("src/lib.rs").arch("sm_90").compile()
//! }
//! ```
//!
//! Under `$OUT_DIR/obsidian/` it writes, for each kernel, the CUDA text and the manifest, with a compiler
//! also the PTX for each [architecture](Kernels::arch), and one `index.rs`, which `#[kernels(built)]` takes in. The compiler is nvcc, if `OBSIDIAN_NVCC` names it, else
//! NVRTC, if it is found, else nvcc ([`Compiler`] chooses). Without one it writes the
//! texts alone, and says so once. Each file is written under another name first: nobody ever sees a
//! part of one. The compiler runs on as many cores as cargo gives a build script, for those kernels whose text has changed since the last build.
//!
//! A kernel of several variants has files for each, under its name with the values behind it. What
//! `#[kernel(tuned = "..")]` names is read here, and stands in the index: see
//! [`Tuned`](obsidian_core::variants::Tuned). A file that says nothing about its kernel, or names values
//! that are those of no variant, is an error; one that was made for other tokens of the module is a
//! warning, and goes on being used.

#![warn(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]
mod compiler;
mod error;
mod find;
mod images;

mod reuse;
mod tuned;
mod write;

pub use compiler::Compiler;
pub use error::{Error, ErrorKind};

use std::path::{Path, PathBuf};
use std::time::Duration;

use compiler::Found;
use find::KernelModule;
use images::{Job, Recipe};
use obsidian_core::emit;
use obsidian_core::pipeline::{Options, dump_folder};
use obsidian_core::source::Library;
use obsidian_core::variants::Chosen;
use obsidian_expand::{Compiled, compile_linked_with};
use obsidian_front::link::Linked;
use obsidian_toolchain::{Form, VARIABLES};
use reuse::Shelf;

/// The variable of the environment that names the architecture for all crates of a build.
const ARCH: &str = "OBSIDIAN_ARCH";

/// What is compiled for where nothing is said: PTX for it runs on every later architecture too.
const OLDEST: &str = "sm_75";

/// How long the compiler may take for one kernel.
const LIMIT: Duration = Duration::from_secs(120);

/// The index where a source file has a mistake: one entry without a name, which stands for every kernel.
const MISTAKEN: &str = "&[(\"\", \"\", \"\", &[], &[])]\n";

/// The kernels of a crate, to be compiled by its build script.
#[derive(Clone, Debug)]
pub struct Kernels {
    sources: Vec<PathBuf>,
    libraries: Vec<Library>,
    /// None: the default one.
    architectures: Vec<String>,
    compiler: Compiler,
    form: Form,
    line_info: bool,
    limit: Duration,
    out: Option<PathBuf>,
    share: bool,
}

impl Default for Kernels {
    fn default() -> Self {
        Kernels::new()
    }
}

/// One variant of a kernel, compiled.
struct Built {
    stem: String,
    kernel: String,
    hash: String,
    /// Each image: its architecture, and its file.
    images: Vec<(String, String)>,
    /// At the first variant of a kernel: what a tuned file has chosen among all.
    chosen: Vec<Chosen<String>>,
}

impl Kernels {
    /// No sources yet, for `sm_75`: PTX for it runs on every later architecture too.
    pub fn new() -> Self {
        Kernels {
            sources: Vec::new(),
            libraries: Vec::new(),
            architectures: Vec::new(),
            compiler: Compiler::Found,
            form: Form::Ptx,
            line_info: false,
            limit: LIMIT,
            out: None,
            share: true,
        }
    }

    /// Adds a source file, relative to the package. Its `#[kernels]` modules are compiled, and
    /// those of the files that it declares by `mod name;`.
    #[must_use]
    pub fn source(mut self, file: impl Into<PathBuf>) -> Self {
        self.sources.push(file.into());
        self
    }

    /// Adds a kernels module of another crate, `dep::module::SOURCE`, from which modules of this
    /// one take functions; those that it uses itself come with it. The crate has to be among the
    /// build-dependencies too.
    #[must_use]
    pub fn library(mut self, library: Library) -> Self {
        self.libraries.push(library);
        self
    }

    /// Adds an architecture that is compiled for, such as `sm_90`; `sm_75` alone by default. Of several, a program takes the newest that its GPU
    /// can run. The variable `OBSIDIAN_ARCH` of the environment, where it is set, takes precedence: it compiles
    /// the kernels of all crates of a build for one architecture, or for several with commas between them.
    #[must_use]
    pub fn arch(mut self, arch: impl Into<String>) -> Self {
        self.architectures.push(arch.into());
        self
    }

    /// Chooses the compiler; [`Compiler::Found`] by default.
    #[must_use]
    pub fn compiler(mut self, compiler: Compiler) -> Self {
        self.compiler = compiler;
        self
    }

    /// Compiles machine code of the architectures in place of PTX: the driver has nothing left to compile when a program starts. It runs on GPUs
    /// of the same major version, and of at least the minor one, alone: `sm_80` runs on `sm_86`, and not on `sm_90`.
    #[must_use]
    pub fn cubin(mut self) -> Self {
        self.form = Form::Cubin;
        self
    }

    /// Has the code say from which line of the CUDA text, which lies beside it, each instruction comes (`-lineinfo`), for profilers and debuggers. For the
    /// lines of your Rust source, see [`Kernel::cuda_with_lines`](https://docs.rs/obsidian-rt).
    #[must_use]
    pub fn line_info(mut self) -> Self {
        self.line_info = true;
        self
    }

    /// Sets how long the compiler may take for one kernel; two minutes by default. Then it is taken for one that hangs, which is an error.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Chooses whether what is used twice is computed once; yes by default. Saying no shows what
    /// sharing does to the texts. It is for looking: the macro always shares, so that the files
    /// then differ from its text, and nothing is compiled.
    #[must_use]
    pub fn share(mut self, share: bool) -> Self {
        self.share = share;
        self
    }

    /// Sets the folder where `obsidian/` is written; `$OUT_DIR` by default.
    #[must_use]
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out = Some(folder.into());
        self
    }

    /// Compiles everything and writes the files.
    ///
    /// A mistake in a source file does not fail a build script: rustc and the macro report it at its
    /// place, as they do without `built`, and an editor goes on working. The script warns, and
    /// writes an index that says that nothing is compiled. With [`out_dir`](Kernels::out_dir), which
    /// is for other programs, a mistake is an error.
    ///
    /// # Errors
    /// A source that cannot be read, a file that cannot be written, or a compiler that is there and
    /// fails; with a folder of one's own, a mistake in a kernel (with file, line and column).
    pub fn compile(&self) -> Result<(), Error> {
        let out = match (&self.out, std::env::var_os("OUT_DIR")) {
            (Some(folder), _) => folder.clone(),
            (None, Some(folder)) => folder.into(),
            (None, None) => {
                return Err(Error::new(
                    ErrorKind::Setup,
                    "OUT_DIR is not set: call this from a build script, or say `.out_dir(..)`",
                ));
            }
        };
        let folder = out.join("obsidian");
        match self.compile_into(&folder) {
            Err(mistake) if self.out.is_none() && mistake.is_in_source() => {
                write::file(&folder, "index.rs", MISTAKEN)?;
                let words = mistake.to_string();
                let first = words.lines().next().unwrap_or_default();
                println!("cargo::warning=no kernels are compiled, because of a mistake: {first}");
                Ok(())
            }
            done => done,
        }
    }

    fn compile_into(&self, folder: &Path) -> Result<(), Error> {
        for variable in
            VARIABLES
                .iter()
                .chain(&["OBSIDIAN_NVRTC", "LD_LIBRARY_PATH", "OBSIDIAN_DUMP", ARCH])
        {
            println!("cargo::rerun-if-env-changed={variable}");
        }
        let architectures = self.architectures()?;
        // Texts without sharing are for looking: the macro knows nothing of their numbers.
        let compiler = match self.share {
            true => Found::of(self, &architectures)?,
            false => None,
        };
        let name = compiler.as_ref().map(Found::name);
        let compiled = name.as_deref().map(|name| (name, &*architectures));
        let (mut built, mut jobs) = (Vec::new(), Vec::new());
        let mut modules = Vec::new();
        for (n, source) in self.sources.iter().enumerate() {
            modules.extend(find::kernel_modules(source, n)?);
        }
        let shelf = Shelf {
            modules: &modules,
            libraries: &self.libraries,
        };
        for (n, module) in modules.iter().enumerate() {
            let linked = shelf.linked(n)?;
            let place = (folder, compiled);
            self.module(module, &linked, place, (&mut built, &mut jobs))?;
        }
        let mut files: Vec<String> = Vec::new();
        if let Some(compiler) = &compiler {
            let recipe = Recipe {
                compiler,
                architectures: &architectures,
                form: self.form,
                line_info: self.line_info,
                folder,
            };
            images::compile(&jobs, &recipe)?;
            for built in &mut built {
                for arch in &architectures {
                    let stem = recipe.stem(&built.stem, arch);
                    let file = format!("{stem}.{}", recipe.ending());
                    files.extend([file.clone(), format!("{stem}.made")]);
                    built.images.push((arch.clone(), file));
                }
            }
        }
        write::file(folder, "index.rs", &index(&built, self.form))?;
        files.extend(
            built
                .iter()
                .flat_map(|built| ["cu", "json"].map(|ending| format!("{}.{ending}", built.stem))),
        );
        write::remove_others(folder, &files);
        if let Some(file) = compiler.as_ref().and_then(Found::file) {
            // Another compiler in the same place compiles anew.
            println!("cargo::rerun-if-changed={}", file.display());
        }
        if compiler.is_none() && self.share && !built.is_empty() {
            println!("cargo::warning={}", self.missing());
        }
        Ok(())
    }

    /// The architectures that are compiled for.
    fn architectures(&self) -> Result<Vec<String>, Error> {
        let of_environment = std::env::var(ARCH).unwrap_or_default();
        let words = of_environment.split(',').map(str::trim);
        let named: Vec<String> = words
            .filter(|arch| !arch.is_empty())
            .map(str::to_owned)
            .collect();
        let mut list = match (named.is_empty(), self.architectures.is_empty()) {
            (false, _) => named,
            (true, false) => self.architectures.clone(),
            (true, true) => vec![OLDEST.to_owned()],
        };
        let mut seen = Vec::new();
        list.retain(|arch| {
            let is_new = !seen.contains(arch);
            seen.push(arch.clone());
            is_new
        });
        match list.iter().find(|arch| !is_architecture(arch)) {
            Some(arch) => {
                let message = format!(
                    "`{arch}` is no architecture: write `sm_` and a number, such as `.arch(\"sm_90\")`"
                );
                Err(Error::new(ErrorKind::Setup, message))
            }
            None => Ok(list),
        }
    }

    /// What is said where no compiler is.
    fn missing(&self) -> &'static str {
        match self.compiler {
            Compiler::Found => {
                "neither NVRTC nor nvcc was found: the CUDA text is written, but not compiled (set OBSIDIAN_NVCC or OBSIDIAN_NVRTC to its path)"
            }
            Compiler::Nvcc => {
                "nvcc was not found: the CUDA text is written, but not compiled (set OBSIDIAN_NVCC to its path)"
            }
            Compiler::Nvrtc => {
                "NVRTC was not found: the CUDA text is written, but not compiled (set OBSIDIAN_NVRTC to a libnvrtc.so)"
            }
        }
    }

    fn module(
        &self,
        module: &KernelModule,
        linked: &Linked,
        (folder, by): (&Path, Option<(&str, &[String])>),
        (built, jobs): (&mut Vec<Built>, &mut Vec<Job>),
    ) -> Result<(), Error> {
        let (dump, name) = (
            std::env::var_os("OBSIDIAN_DUMP").map(PathBuf::from),
            &module.name,
        );
        let compiled = compile_linked_with(linked, &|kernel, limits| Options {
            dump: dump
                .as_ref()
                .map(|folder| dump_folder(folder, &format!("{name}.{kernel}"))),
            share: self.share,
            ..limits.into()
        });
        let compiled: Compiled =
            compiled.map_err(|mistakes| Error::mistakes(&module.file, &mistakes))?;
        let mistakes = compiled.located_mistakes();
        if !mistakes.is_empty() {
            return Err(Error::mistakes(&module.file, &mistakes));
        }
        let hash = linked.hash();
        // Files are read before any is written.
        let mut chosen = tuned::chosen(&compiled, &module.file, &hash)?;
        for (name, plan, interface) in compiled.plans() {
            let stem = format!("{}.{name}", module.name);
            if built.iter().any(|other| other.stem == stem) {
                let message = format!(
                    "two kernels are called `{stem}`: rename one of the modules or kernels"
                );
                return Err(Error::new(ErrorKind::Setup, message));
            }
            let cuda = emit::cuda(plan);
            write::file(folder, &format!("{stem}.cu"), &cuda)?;
            write::file(
                folder,
                &format!("{stem}.json"),
                &emit::manifest_of_build(plan, interface, &hash, by),
            )?;
            jobs.push(Job {
                stem: stem.clone(),
                cuda,
            });
            let (kernel, hash, chosen) = (
                name.to_owned(),
                hash.clone(),
                chosen.remove(name).unwrap_or_default(),
            );
            built.push(Built {
                stem,
                kernel,
                hash,
                images: Vec::new(),
                chosen,
            });
        }
        Ok(())
    }
}

/// `sm_90`, and `sm_90a` for code that runs on nothing else.
fn is_architecture(arch: &str) -> bool {
    let number = arch.strip_prefix("sm_").unwrap_or_default();
    let digits = number.strip_suffix('a').unwrap_or(number);
    (2..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The list that `#[kernels(built)]` takes in, the variants of a kernel one after another: name,
/// hash of its module's tokens, where the CUDA text lies, the compiled code for each architecture, and what tuning has chosen among the
/// variants.
fn index(built: &[Built], form: Form) -> String {
    let option = |text: Option<String>| match text {
        Some(text) => format!("::core::option::Option::Some({text})"),
        None => "::core::option::Option::None".to_owned(),
    };
    let mut text = String::from("&[\n");
    for Built {
        stem,
        kernel,
        hash,
        images,
        chosen,
    } in built
    {
        let images = images.iter().map(|(arch, file)| match form {
            Form::Ptx => format!("({arch:?}, ::core::include_str!({file:?}), &[])"),
            Form::Cubin => format!("({arch:?}, \"\", ::core::include_bytes!({file:?}))"),
        });
        let images = images.collect::<Vec<_>>().join(", ");
        let chosen = chosen.iter().map(|(device, from, n)| {
            format!(
                "({}, {from}, {n})",
                option(device.as_ref().map(|d| format!("{d:?}")))
            )
        });
        let chosen = chosen.collect::<Vec<_>>().join(", ");
        text.push_str(&format!(
            "    ({kernel:?}, {hash:?}, ::core::concat!(::core::env!(\"OUT_DIR\"), \"/obsidian/{stem}.cu\"), &[{images}], &[{chosen}]),\n"
        ));
    }
    text.push_str("]\n");
    text
}
