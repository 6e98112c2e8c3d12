//! Which kernel a PTX is of: its CUDA text is what is run.
//!
//! PTX of the stand-in compiler has the text in comments. For that of the real one, folders are
//! looked through for a text whose kernel has the name and the number of threads of the PTX; one
//! that lies beside this very PTX counts before others, as kernels of two crates may have one name,
//! and then the newest.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::settings::setting;

/// What a line of the CUDA text begins with in the PTX of the stand-in.
pub(crate) const TEXT_MARK: &str = "//cuda ";

/// The kernel of a module.
#[derive(Clone)]
pub(crate) struct Entry {
    /// The name of the CUDA function.
    pub(crate) symbol: String,
    /// Its text.
    pub(crate) text: String,
    /// Its arguments, in order.
    pub(crate) arguments: Vec<Argument>,
    /// The most threads of a block.
    pub(crate) threads: u32,
    /// The shared memory that a launch has to ask for, in bytes.
    pub(crate) dynamic_shared_bytes: u32,
}

/// An argument of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    /// A pointer to what is read, or to what is written.
    Pointer { written: bool },
    /// A number of so many bytes.
    Value(usize),
}

impl Entry {
    /// The kernel of a PTX, with its text.
    pub(crate) fn of(ptx: &str) -> Option<Entry> {
        let symbol = between(ptx, ".entry ", "(")?.trim();
        let threads: Option<u32> = ptx
            .split_once(".maxntid")
            .and_then(|(_, rest)| leading(rest));
        let text: Vec<&str> = ptx
            .lines()
            .filter_map(|line| line.strip_prefix(TEXT_MARK))
            .collect();
        let text = if text.is_empty() {
            look_for(ptx, symbol, threads)?
        } else {
            text.join("\n")
        };
        Entry::of_text(symbol, text)
    }

    /// The kernel of a CUDA text.
    fn of_text(symbol: &str, text: String) -> Option<Entry> {
        let signature = between(&text, "extern \"C\" __global__", "{")?;
        let (head, list) = signature.split_once(&format!("{symbol}("))?;
        let threads = leading(between(head, "__launch_bounds__(", ")")?)?;
        let list = list.trim_end().strip_suffix(')')?;
        let arguments = list
            .split(',')
            .filter(|one| !one.trim().is_empty())
            .map(argument)
            .collect::<Option<_>>()?;
        let dynamic_shared_bytes = match between(
            &text,
            "threads a block, ",
            " bytes of dynamic shared memory",
        ) {
            Some(bytes) if text.contains("extern __shared__") => leading(bytes)?,
            _ => 0,
        };
        Some(Entry {
            symbol: symbol.to_owned(),
            arguments,
            threads,
            dynamic_shared_bytes,
            text,
        })
    }
}

/// What is between two words.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    text.split_once(start)?
        .1
        .split_once(end)
        .map(|parts| parts.0)
}

/// The number at the beginning.
fn leading(text: &str) -> Option<u32> {
    let text = text.trim_start();
    text.split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// An argument as the signature has it: `const int* __restrict__ input`.
fn argument(declared: &str) -> Option<Argument> {
    let declared = declared.trim();
    if declared.contains('*') {
        return Some(Argument::Pointer {
            written: !declared.starts_with("const "),
        });
    }
    let ty = declared
        .rsplit_once(' ')?
        .0
        .trim()
        .trim_start_matches("const ");
    Some(Argument::Value(match ty {
        "bool" | "char" | "signed char" | "unsigned char" => 1,
        "short" | "unsigned short" => 2,
        "int" | "unsigned int" | "float" => 4,
        "long long" | "unsigned long long" | "double" => 8,
        _ => return None,
    }))
}

/// A text of this kernel in the folders that the environment names.
fn look_for(ptx: &str, symbol: &str, threads: Option<u32>) -> Option<String> {
    let folders = setting("OBSIDIAN_DRIVER_TEXTS")?;
    let mut found: Vec<(bool, SystemTime, String)> = std::env::split_paths(&folders)
        .flat_map(|folder| texts(&folder))
        .filter_map(|file| {
            let text = std::fs::read_to_string(&file).ok()?;
            let entry = Entry::of_text(symbol, text.clone())?;
            let fits = threads.is_none_or(|threads| threads == entry.threads);
            let beside = std::fs::read_to_string(file.with_extension("ptx"))
                .is_ok_and(|beside| beside == ptx);
            fits.then(|| {
                (
                    beside,
                    file.metadata()
                        .and_then(|data| data.modified())
                        .unwrap_or(SystemTime::UNIX_EPOCH),
                    text,
                )
            })
        })
        .collect();
    found.sort();
    found.pop().map(|(.., text)| text)
}

fn texts(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "cu"))
        .collect()
}
