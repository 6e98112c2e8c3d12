//! What can go wrong in a build script.

use std::fmt;
use std::path::Path;

use obsidian_expand::Located;

/// The kinds of [`Error`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The build script itself: no `OUT_DIR`, two kernels of one name.
    Setup,
    /// A source file cannot be read, or is not Rust.
    Source,
    /// A mistake in a kernel.
    Kernel,
    /// A tuned file cannot be read, is damaged, or does not fit its kernel.
    Tuned,
    /// A file cannot be written.
    Write,
    /// The compiler is there, and fails: [`Error::compiler`] says how.
    Compiler,
}

/// What went wrong.
pub struct Error {
    kind: ErrorKind,
    message: String,
    toolchain: Option<obsidian_toolchain::Error>,
    /// Will rustc report it too, with the macro?
    in_source: bool,
}

impl Error {
    pub(super) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            toolchain: None,
            in_source: false,
        }
    }

    /// The same, of a mistake in a source file, which rustc and the macro report where it is.
    pub(super) fn in_source(self) -> Self {
        Error {
            in_source: true,
            ..self
        }
    }

    /// Is it a mistake in a source file?
    pub(super) fn is_in_source(&self) -> bool {
        self.in_source
    }

    /// A compiler that fails.
    pub(super) fn toolchain(error: obsidian_toolchain::Error) -> Self {
        Error {
            toolchain: Some(error.clone()),
            ..Error::new(ErrorKind::Compiler, error.to_string())
        }
    }

    /// Mistakes in kernels, one a paragraph, as `file:line:column: message` and the line of the
    /// file.
    pub(super) fn mistakes(file: &Path, mistakes: &[Located]) -> Self {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let paragraphs = mistakes.iter().map(|m| {
            let start = format!("{}:{}:{}: {}", file.display(), m.line, m.column, m.message);
            let line = text.lines().nth(m.line.saturating_sub(1));
            match line.map(str::trim_end).filter(|line| !line.is_empty()) {
                Some(line) => format!("{start}\n{} | {line}", m.line),
                None => start,
            }
        });
        let paragraphs: Vec<String> = paragraphs.collect();
        Error::new(ErrorKind::Kernel, paragraphs.join("\n\n")).in_source()
    }

    /// What kind it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// How the compiler failed, for [`ErrorKind::Compiler`].
    pub fn compiler(&self) -> Option<&obsidian_toolchain::Error> {
        self.toolchain.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

// A build script that returns the error from `main` shows this one.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}\n\n{}", self.kind, self.message)
    }
}

impl std::error::Error for Error {}
