//! nvcc: where it is, which one it is, and one text compiled by it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::process::{Ended, run};
use crate::workplace::Workplace;
use crate::{Error, ErrorKind, words};

/// The variables that say where nvcc is: its path, or the folder of the toolkit.
pub const VARIABLES: &[&str] = &["OBSIDIAN_NVCC", "NVCC", "CUDA_PATH", "CUDA_HOME", "PATH"];

/// Flags of every compilation. Multiply and add are not contracted, so that all devices compute the
/// same.
const FLAGS: &[&str] = &["-fmad=false"];

/// The longest that a compilation may take, unless it is [told](Nvcc::with_limit) otherwise. It is
/// there for a compiler that hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// What an object file or an executable begins with.
const ELF: &[u8] = b"\x7fELF";

/// What nvcc makes of a text.
///
/// ```
/// use obsidian_toolchain::Form; // also `obsidian_rt::compile::Form`
///
/// assert_ne!(Form::Ptx, Form::Cubin);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// PTX, which a driver compiles for its GPU.
    Ptx,
    /// Code of one architecture.
    Cubin,
}

impl Form {
    fn option(self) -> &'static str {
        match self {
            Form::Ptx => "-ptx",
            Form::Cubin => "-cubin",
        }
    }

    /// Do bytes look like a whole output? A compiler that ran out of space can leave the first part
    /// of one.
    ///
    /// ```
    /// use obsidian_toolchain::Form;
    ///
    /// assert!(!Form::Ptx.is_whole(b""));
    /// assert!(!Form::Cubin.is_whole(b"no object file"));
    /// ```
    pub fn is_whole(self, bytes: &[u8]) -> bool {
        let count = |byte: u8| bytes.iter().filter(|b| **b == byte).count();
        match self {
            Form::Ptx => bytes.windows(8).any(|w| w == b".version") && count(b'{') == count(b'}'),
            Form::Cubin => bytes.starts_with(ELF),
        }
    }
}

/// An nvcc that exists. It is cheap to clone.
///
/// ```
/// use obsidian_toolchain::Nvcc; // also `obsidian_rt::compile::Nvcc`
///
/// if let Ok(Some(nvcc)) = Nvcc::find() {
///     println!("{} {:?}", nvcc.path().display(), nvcc.release()?);
/// }
/// # Ok::<(), obsidian_toolchain::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nvcc {
    path: PathBuf,
    limit: Duration,
    line_info: bool,
    version: Arc<OnceLock<Result<String, Error>>>,
}

impl Nvcc {
    /// Looks at the [variables](VARIABLES) in order; the first that leads to a file wins. An empty
    /// `OBSIDIAN_NVCC` means none.
    ///
    /// # Errors
    /// [`ErrorKind::Missing`] if `OBSIDIAN_NVCC` names no file: who sets it means it.
    ///
    /// ```
    /// use obsidian_toolchain::Nvcc; // also `obsidian_rt::compile::Nvcc`
    ///
    /// if let Ok(Some(nvcc)) = Nvcc::find() {
    ///     assert!(nvcc.path().exists());
    /// }
    /// ```
    pub fn find() -> Result<Option<Nvcc>, Error> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        match std::env::var_os("OBSIDIAN_NVCC").map(PathBuf::from) {
            Some(path) if path.as_os_str().is_empty() => return Ok(None),
            Some(path) if path.is_file() => return Ok(Some(Nvcc::at(path))),
            Some(path) => {
                let message = format!(
                    "OBSIDIAN_NVCC is `{}`, and there is no such file; set it to nvcc's path, or to nothing",
                    path.display()
                );
                return Err(Error::new(ErrorKind::Missing, message));
            }
            None => {}
        }
        let named = variable("NVCC").map(PathBuf::from);
        let toolkits = ["CUDA_PATH", "CUDA_HOME"]
            .into_iter()
            .filter_map(variable)
            .map(|home| Path::new(&home).join("bin").join("nvcc"));
        let paths = variable("PATH").unwrap_or_default();
        // An empty entry would be the current folder, whose files are not those of the system.
        let on_path = std::env::split_paths(&paths)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join("nvcc"))
            .collect::<Vec<_>>();
        Ok(named
            .into_iter()
            .chain(toolkits)
            .chain(on_path)
            .find(|path| path.is_file())
            .map(Nvcc::at))
    }

    /// The nvcc with this path, which is not looked at before it is used.
    ///
    /// ```
    /// use obsidian_toolchain::Nvcc; // also `obsidian_rt::compile::Nvcc`
    ///
    /// assert_eq!(Nvcc::at("/opt/nvcc").path(), std::path::Path::new("/opt/nvcc"));
    /// ```
    pub fn at(path: impl Into<PathBuf>) -> Nvcc {
        Nvcc {
            path: path.into(),
            limit: LIMIT,
            line_info: false,
            version: Arc::default(),
        }
    }

    /// The same, with another limit on the time of one compilation; two minutes by default.
    ///
    /// ```
    /// use obsidian_toolchain::Nvcc; // also `obsidian_rt::compile::Nvcc`
    ///
    /// let nvcc = Nvcc::at("nvcc").with_limit(std::time::Duration::from_secs(600));
    /// assert_eq!(nvcc.path(), std::path::Path::new("nvcc"));
    /// ```
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Nvcc {
        self.limit = limit;
        self
    }

    /// The same, whose code says from which line of the text each instruction comes (`-lineinfo`), for profilers and debuggers.
    ///
    /// ```
    /// use obsidian_toolchain::Nvcc; // also `obsidian_rt::compile::Nvcc`
    ///
    /// let nvcc = Nvcc::at("nvcc").with_line_info();
    /// assert_eq!(nvcc.path(), std::path::Path::new("nvcc"));
    /// ```
    #[must_use]
    pub fn with_line_info(mut self) -> Nvcc {
        self.line_info = true;
        self
    }

    /// Where it is.
    ///
    /// ```
    /// use obsidian_toolchain::Nvcc; // also `obsidian_rt::compile::Nvcc`
    ///
    /// assert_eq!(Nvcc::at("nvcc").path(), std::path::Path::new("nvcc"));
    /// ```
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The flags of every compilation, beside the architecture.
    ///
    /// ```
    /// use obsidian_toolchain::Nvcc; // also `obsidian_rt::compile::Nvcc`
    ///
    /// assert!(Nvcc::flags().contains(&"-fmad=false"));
    /// ```
    pub fn flags() -> &'static [&'static str] {
        FLAGS
    }

    /// What it says of its version, all lines; asked once.
    ///
    /// # Errors
    /// As [`compile`](Nvcc::compile), and [`ErrorKind::Version`] if there is no version in what it
    /// says.
    ///
    /// ```
    /// use obsidian_toolchain::Nvcc; // also `obsidian_rt::compile::Nvcc`
    ///
    /// if let Ok(Some(nvcc)) = Nvcc::find() {
    ///     assert!(nvcc.version()?.contains("release"));
    /// }
    /// # Ok::<(), obsidian_toolchain::Error>(())
    /// ```
    pub fn version(&self) -> Result<&str, Error> {
        let ask = || {
            let Ended {
                status,
                stdout,
                stderr,
            } = self.run(Command::new(&self.path).arg("--version"))?;
            self.judge(status, "its version", &[stdout.as_str(), &stderr].concat())?;
            if release(&stdout).is_some() {
                return Ok(stdout);
            }
            let message = format!(
                "{} does not say which release it is: is it nvcc?",
                self.path.display()
            );
            Err(Error::new(ErrorKind::Version, message).with_words(stdout))
        };
        self.version
            .get_or_init(ask)
            .as_deref()
            .map_err(Clone::clone)
    }

    /// The release, major and minor, such as (13, 0).
    ///
    /// # Errors
    /// As [`version`](Nvcc::version).
    ///
    /// ```
    /// use obsidian_toolchain::Nvcc; // also `obsidian_rt::compile::Nvcc`
    ///
    /// if let Ok(Some(nvcc)) = Nvcc::find() {
    ///     assert!(nvcc.release()? >= (11, 0));
    /// }
    /// # Ok::<(), obsidian_toolchain::Error>(())
    /// ```
    pub fn release(&self) -> Result<(u32, u32), Error> {
        let version = self.version()?;
        release(version).ok_or_else(|| {
            Error::new(ErrorKind::Version, "nvcc does not say which release it is")
                .with_words(version)
        })
    }

    /// The architectures that it makes code for, as `(9, 0)` for 9.0, in ascending order.
    ///
    /// # Errors
    /// As [`version`](Nvcc::version).
    ///
    /// ```
    /// use obsidian_toolchain::Nvcc; // also `obsidian_rt::compile::Nvcc`
    ///
    /// if let Ok(Some(nvcc)) = Nvcc::find() {
    ///     let all = nvcc.architectures()?;
    ///     assert!(all.is_sorted());
    /// }
    /// # Ok::<(), obsidian_toolchain::Error>(())
    /// ```
    pub fn architectures(&self) -> Result<Vec<(u32, u32)>, Error> {
        let Ended {
            status,
            stdout,
            stderr,
        } = self.run(Command::new(&self.path).arg("--list-gpu-arch"))?;
        self.judge(
            status,
            "its architectures",
            &[stdout.as_str(), &stderr].concat(),
        )?;
        let numbers = stdout
            .lines()
            .filter_map(|line| line.trim().strip_prefix("compute_")?.parse::<u32>().ok());
        let mut list: Vec<_> = numbers.map(|n| (n / 10, n % 10)).collect();
        list.sort_unstable();
        list.dedup();
        Ok(list)
    }

    /// Compiles a CUDA text for an architecture, such as `sm_90`. The compiler's files, the passing
    /// ones too, are in a private folder inside of `folder`, and gone when this returns. `name`
    /// stands for the text in the compiler's words.
    ///
    /// `NVCC_APPEND_FLAGS` and `NVCC_PREPEND_FLAGS` do not count: they would change the build
    /// without a trace.
    ///
    /// # Errors
    /// Every [`ErrorKind`] but [`Version`](ErrorKind::Version).
    ///
    /// ```
    /// use obsidian_toolchain::{Form, Nvcc};
    ///
    /// if let Ok(Some(nvcc)) = Nvcc::find() {
    ///     let text = "extern \"C\" __global__ void nothing() {}";
    ///     let ptx = nvcc.compile("nothing.cu", text, "sm_90", Form::Ptx, &std::env::temp_dir())?;
    ///     assert!(Form::Ptx.is_whole(&ptx));
    /// }
    /// # Ok::<(), obsidian_toolchain::Error>(())
    /// ```
    pub fn compile(
        &self,
        name: &str,
        text: &str,
        architecture: &str,
        form: Form,
        folder: &Path,
    ) -> Result<Vec<u8>, Error> {
        let lines: &[&str] = if self.line_info { &["-lineinfo"] } else { &[] };
        let options = [&[form.option()], FLAGS, lines].concat();
        self.make(name, text, architecture, &options, folder, |bytes| {
            form.is_whole(bytes)
        })
    }

    /// Compiles a CUDA program, whose text has a `main`, for an architecture, and links it with the
    /// toolkit's libraries: the bytes of an executable. It is compiled with exactly these
    /// options; all else is as for [`compile`](Nvcc::compile).
    ///
    /// # Errors
    /// As [`compile`](Nvcc::compile).
    pub fn program(
        &self,
        name: &str,
        text: &str,
        architecture: &str,
        options: &[&str],
        folder: &Path,
    ) -> Result<Vec<u8>, Error> {
        // Where the libraries lie beside the compiler in a folder `lib`, nvcc itself does not look
        // for them.
        let libraries = absolute(&self.path)
            .parent()
            .and_then(Path::parent)
            .map(|toolkit| toolkit.join("lib"))
            .filter(|lib| lib.is_dir());
        let libraries = libraries.map(|folder| format!("-L{}", folder.display()));
        let options: Vec<&str> = options
            .iter()
            .copied()
            .chain(libraries.as_deref())
            .collect();
        self.make(name, text, architecture, &options, folder, |bytes| {
            bytes.starts_with(ELF)
        })
    }

    fn make(
        &self,
        name: &str,
        text: &str,
        architecture: &str,
        options: &[&str],
        folder: &Path,
        is_whole: impl Fn(&[u8]) -> bool,
    ) -> Result<Vec<u8>, Error> {
        let place = Workplace::inside(folder)?;
        // Names without spaces: the shells between nvcc and its tools do not accept every name.
        place.write("kernel.cu", text)?;
        let mut command = Command::new(absolute(&self.path));
        command.current_dir(place.path()).env("TMPDIR", ".");
        command
            .args(options)
            .arg(format!("-arch={architecture}"))
            .args(["-o", "output", "kernel.cu"]);
        let Ended {
            status,
            stdout,
            stderr,
        } = self.run(&mut command)?;
        let said = [stdout, stderr].concat().replace("kernel.cu", name);
        self.judge(status, name, &said)?;
        match place.read("output")? {
            Some(bytes) if is_whole(&bytes) => Ok(bytes),
            other => {
                let what = if other.is_none_or(|bytes| bytes.is_empty()) {
                    "nothing"
                } else {
                    "only a part of its output"
                };
                let message = format!(
                    "{} says that all is well, and has written {what} for {name}",
                    self.path.display()
                );
                let kind = if words::says_no_space(&said) {
                    ErrorKind::NoSpace
                } else {
                    ErrorKind::NoOutput
                };
                Err(
                    Error::new(kind, format!("{message}; is there space left on the disk?"))
                        .with_words(said),
                )
            }
        }
    }

    fn run(&self, command: &mut Command) -> Result<Ended, Error> {
        command
            .env_remove("NVCC_APPEND_FLAGS")
            .env_remove("NVCC_PREPEND_FLAGS");
        run(command, self.limit).map_err(|e| {
            if e.kind() == io::ErrorKind::NotFound && !self.path.exists() {
                return Error::new(
                    ErrorKind::Missing,
                    format!("there is no {}", self.path.display()),
                );
            }
            let advice = match e.kind() {
                io::ErrorKind::PermissionDenied => "; is it executable?",
                io::ErrorKind::NotFound => {
                    "; is the interpreter or the loader that it names there?"
                }
                _ => "",
            };
            Error::new(
                ErrorKind::CannotStart,
                format!("{} cannot be started: {e}{advice}", self.path.display()),
            )
        })
    }

    /// What an end means. `what` was to be compiled or asked for.
    fn judge(&self, status: Option<ExitStatus>, what: &str, said: &str) -> Result<(), Error> {
        let path = self.path.display();
        let error = match status {
            Some(status) if status.success() => return Ok(()),
            None => {
                let message = format!(
                    "{path} was killed: it took more than {:?} for {what}",
                    self.limit
                );
                Error::new(ErrorKind::TimedOut, message)
            }
            Some(status) if status.code().is_none() => Error::new(
                ErrorKind::Crashed,
                format!("{path} broke down on {what} ({status})"),
            ),
            Some(status) => {
                let kind = words::kind(said);
                let advice = match kind {
                    ErrorKind::NoHostCompiler => {
                        ": it needs a C++ compiler of this machine, such as g++, in PATH or by NVCC_CCBIN"
                    }
                    ErrorKind::NoSpace => ": there is no space left on the disk",
                    _ => "",
                };
                Error::new(kind, format!("{path} fails on {what} ({status}){advice}"))
            }
        };
        Err(error.with_words(said))
    }
}

/// A path that means the same in another folder.
fn absolute(path: &Path) -> PathBuf {
    // It fails only where the current folder is gone; then starting the program says so.
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Major and minor from "release 13.0,".
fn release(version: &str) -> Option<(u32, u32)> {
    let (_, rest) = version.split_once("release ")?;
    let (major, rest) = rest.split_once('.')?;
    let minor: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, minor.parse().ok()?))
}
