//! Tuned files: which variant of a kernel was found best, by device and size.
//!
//! ```text
//! obsidian-tuned 1
//!
//! kernel sums 5f0e3c1a9b7d2e44
//! any from 0: threads = 64, seq = 8
//! "NVIDIA H200" from 0: threads = 64, seq = 16
//! "NVIDIA H200" from 1048576: threads = 128, seq = 16
//!
//! end
//! ```
//!
//! The first line has the version of the format, and the last one shows that nothing was cut off.
//! `kernel` is followed by the name of a function and by the hash of its module's tokens; then each
//! line has a device, the least size in elements, and a value for every parameter. Empty lines, and
//! lines that begin with `#`, choose nothing. Those with `#` right above a choice are [notes](Choice::notes) on it, and stay when the file is written again.

mod read;

use std::fmt::{self, Write};
use std::path::Path;

use super::{Choice, TunedError, Value, text};
use crate::ordered::Map;

/// The first line of a file.
const HEADER: &str = "obsidian-tuned 1";
/// The last line of a file.
const END: &str = "end";

/// What is in a tuned file.
///
/// ```
/// use obsidian_rt::{Tuned, Value};
///
/// let mut tuned = Tuned::new();
/// tuned.choose("sums", "5f0e3c1a9b7d2e44", None, 0, &[("threads", Value::Integer(64))])?;
/// let text = tuned.to_string();
/// assert!(text.contains("any from 0: threads = 64"));
/// assert_eq!(Tuned::parse(&text)?.choices("sums")?.len(), 1);
/// # Ok::<(), obsidian_rt::TunedError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tuned {
    kernels: Map<String, Entry>,
}

/// The lines of one kernel.
#[derive(Clone, Debug)]
struct Entry {
    source: String,
    choices: Vec<Choice>,
    line: usize,
}

impl Tuned {
    /// Nothing chosen yet.
    ///
    /// ```
    /// assert!(obsidian_rt::Tuned::new().choices("sums").is_err());
    /// ```
    pub fn new() -> Self {
        Tuned::default()
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// The first line that is not as it has to be.
    ///
    /// ```
    /// use obsidian_rt::Tuned;
    ///
    /// let text = "obsidian-tuned 1\n\nkernel sums 5f0e3c1a9b7d2e44\nany from 0: threads = 64, seq = 8\n\nend\n";
    /// assert_eq!(Tuned::parse(text)?.choices("sums")?[0].values.len(), 2);
    /// # Ok::<(), obsidian_rt::TunedError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Tuned, TunedError> {
        read::parse(text)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read, or its first line that is not as it has to be.
    ///
    /// ```
    /// use obsidian_rt::Tuned;
    ///
    /// assert!(Tuned::read("no such file").is_err());
    /// ```
    pub fn read(path: impl AsRef<Path>) -> Result<Tuned, TunedError> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| TunedError::new(format!("it cannot be read: {e}")))?;
        Tuned::parse(&text)
    }

    /// Replaces a file atomically: a concurrent reader sees the whole old one or the whole new one.
    ///
    /// # Errors
    /// What the file system says.
    ///
    /// ```
    /// use obsidian_rt::Tuned;
    ///
    /// let path = std::env::temp_dir().join(format!("tuned-{}", std::process::id()));
    /// Tuned::new().write(&path)?;
    /// assert_eq!(Tuned::read(&path)?.to_string(), Tuned::new().to_string());
    /// std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, path: impl AsRef<Path>) -> std::io::Result<()> {
        let path = path.as_ref();
        let mut half = path.as_os_str().to_owned();
        half.push(format!(".{}", std::process::id()));
        let written =
            std::fs::write(&half, self.to_string()).and_then(|()| std::fs::rename(&half, path));
        if written.is_err() {
            // What is left of it is of no use, and the first error says more than a second one.
            let _ = std::fs::remove_file(&half);
        }
        written
    }

    /// The choices for a kernel, by the name of its function: those for any device first, then by
    /// device and size.
    ///
    /// # Errors
    /// A kernel that the file does not name.
    ///
    /// ```
    /// use obsidian_rt::{Tuned, Value};
    ///
    /// let mut tuned = Tuned::new();
    /// tuned.choose("sums", "5f0e3c1a9b7d2e44", None, 0, &[("threads", Value::Integer(64))])?;
    /// assert_eq!(tuned.choices("sums")?.len(), 1);
    /// assert!(tuned.choices("scan").is_err());
    /// # Ok::<(), obsidian_rt::TunedError>(())
    /// ```
    pub fn choices(&self, kernel: &str) -> Result<&[Choice], TunedError> {
        self.kernels.get(kernel).map(|entry| entry.choices.as_slice()).ok_or_else(|| {
            let known: Vec<String> = self.kernels.keys().map(|name| format!("`{name}`")).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            TunedError::new(format!("it says nothing about the kernel `{kernel}`; the kernels that it names: {known}"))
        })
    }

    /// The hash of the module's tokens for which a kernel was tuned; none for a kernel that the
    /// file does not name.
    ///
    /// ```
    /// use obsidian_rt::{Tuned, Value};
    ///
    /// let mut tuned = Tuned::new();
    /// tuned.choose("sums", "5f0e3c1a9b7d2e44", None, 0, &[("threads", Value::Integer(64))])?;
    /// assert_eq!((tuned.source("sums"), tuned.source("scan")), (Some("5f0e3c1a9b7d2e44"), None));
    /// # Ok::<(), obsidian_rt::TunedError>(())
    /// ```
    pub fn source(&self, kernel: &str) -> Option<&str> {
        self.kernels.get(kernel).map(|entry| entry.source.as_str())
    }

    /// Notes the values for a kernel on a device (none: any device that has no choices of its own),
    /// from a size on. An older choice for the same device and size is replaced; what was chosen
    /// for other tokens, by the hash `source`, is forgotten.
    ///
    /// # Errors
    /// A name that the file cannot hold: a kernel or parameter that is no identifier, a device with
    /// control characters, a `source` that is not 16 hexadecimal digits.
    ///
    /// ```
    /// use obsidian_rt::{Tuned, Value};
    ///
    /// let mut tuned = Tuned::new();
    /// tuned.choose("sums", "5f0e3c1a9b7d2e44", Some("cpu"), 0, &[("threads", Value::Integer(64))])?;
    /// tuned.choose("sums", "5f0e3c1a9b7d2e44", Some("cpu"), 0, &[("threads", Value::Integer(128))])?;
    /// assert_eq!(tuned.choices("sums")?[0].values[0].1, Value::Integer(128)); // it is replaced
    /// assert!(tuned.choose("no name", "5f0e3c1a9b7d2e44", None, 0, &[("threads", Value::Integer(64))]).is_err());
    /// # Ok::<(), obsidian_rt::TunedError>(())
    /// ```
    pub fn choose<S: AsRef<str>>(
        &mut self,
        kernel: &str,
        source: &str,
        device: Option<&str>,
        from: u64,
        values: &[(S, Value)],
    ) -> Result<(), TunedError> {
        let name = |name: &str| {
            if read::is_name(name) {
                Ok(name.to_owned())
            } else {
                Err(TunedError::new(format!(
                    "`{name}` is no name of a kernel or parameter"
                )))
            }
        };
        if !read::is_hash(source) {
            return Err(TunedError::new(format!(
                "`{source}` is no hash of tokens: it has 16 hexadecimal digits"
            )));
        }
        if device.is_some_and(|device| device.chars().any(char::is_control)) {
            return Err(TunedError::new(format!(
                "the name {device:?} of the device has control characters"
            )));
        }
        let values = values
            .iter()
            .map(|(n, value)| Ok((name(n.as_ref())?, *value)))
            .collect::<Result<_, TunedError>>()?;
        let choice = Choice {
            device: device.map(str::to_owned),
            from,
            values,
            notes: Vec::new(),
            line: 0,
        };
        let new = || Entry {
            source: source.to_owned(),
            choices: Vec::new(),
            line: 0,
        };
        let entry = self.kernels.entry(name(kernel)?).or_insert_with(new);
        if entry.source != source {
            *entry = new();
        }
        entry
            .choices
            .retain(|old| (&old.device, old.from) != (&choice.device, choice.from));
        entry.choices.push(choice);
        entry.sort();
        Ok(())
    }

    /// Notes something on a choice, for people: how far it was ahead of the next best, say. Replaces what was noted before. Says whether there is such a
    /// choice. Control characters become spaces.
    ///
    /// ```
    /// use obsidian_rt::{Tuned, Value};
    ///
    /// let mut tuned = Tuned::new();
    /// tuned.choose("sums", "5f0e3c1a9b7d2e44", None, 0, &[("threads", Value::Integer(64))])?;
    /// assert!(tuned.note("sums", None, 0, "3 % ahead of the next"));
    /// assert!(!tuned.note("sums", Some("cpu"), 0, "there is no such choice"));
    /// assert!(tuned.to_string().contains("# 3 % ahead of the next"));
    /// # Ok::<(), obsidian_rt::TunedError>(())
    /// ```
    pub fn note(&mut self, kernel: &str, device: Option<&str>, from: u64, words: &str) -> bool {
        let choices = self.kernels.get_mut(kernel).map(|entry| &mut entry.choices);
        let is_it =
            |choice: &&mut Choice| (choice.device.as_deref(), choice.from) == (device, from);
        let Some(choice) = choices.and_then(|choices| choices.iter_mut().find(is_it)) else {
            return false;
        };
        choice.notes = vec![words.replace(char::is_control, " ").trim().to_owned()];
        true
    }
}

impl Entry {
    fn sort(&mut self) {
        self.choices
            .sort_by(|a, b| (&a.device, a.from).cmp(&(&b.device, b.from)));
    }
}

/// The text of the file; reading it gives the same choices.
impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        for (kernel, entry) in &self.kernels {
            writeln!(f, "\nkernel {kernel} {}", entry.source)?;
            for choice in &entry.choices {
                for note in &choice.notes {
                    writeln!(f, "# {note}")?;
                }
                match &choice.device {
                    Some(device) => quoted(f, device)?,
                    None => f.write_str("any")?,
                }
                writeln!(f, " from {}: {}", choice.from, text(&choice.values))?;
            }
        }
        writeln!(f, "\n{END}")
    }
}

/// A name in quotes, with a backslash before each quote and backslash in it.
fn quoted(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in name.chars() {
        if c == '"' || c == '\\' {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests;
