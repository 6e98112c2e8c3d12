//! The file of an exploration under way: one line for each try, written as it is done, so that a
//! run that was killed goes on.
//!
//! Lines are JSON. The first says which exploration it is: a hash of the points of the space and of the words of the objective. Each other one has the
//! key of what was tried, and is taken only for something with this key. Each ends with a hash of its own. A line is on the disk before the
//! next try is reported, and it is complete when its line break is there: what a killed run leaves
//! behind the last line break is cut off. Any other damage is an error that names the line; nothing
//! is guessed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::evaluate::{Stage, Tried};
use super::record;
use crate::error::{Error, ErrorKind, Result};

/// The version of the format.
const VERSION: u64 = 5;

/// What a line of the file says.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entry {
    /// The number of the point in the space.
    pub(super) point: usize,
    pub(super) effort: u32,
    pub(super) stage: Stage,
    /// Seconds since the exploration began, over all runs.
    pub(super) elapsed: f64,
    pub(super) tried: Tried,
}

/// The file, open for more lines.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the file of an exploration, or makes it; gives what it says already. `identity` is the
    /// hash, `words` are for people, and `points` is how many there are. A file that is refused
    /// stays as it is.
    pub(super) fn open(
        path: &Path,
        identity: u64,
        words: &str,
        points: usize,
    ) -> Result<(Journal, Vec<Entry>)> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let mut journal = Journal {
            path: path.to_owned(),
            file: file.map_err(|error| unusable(path, &error))?,
        };
        journal.lock()?;
        journal.is_a_file()?;
        let mut text = Vec::new();
        journal
            .file
            .read_to_end(&mut text)
            .map_err(|error| unusable(path, &error))?;
        let header =
            json!({ "exploration": VERSION, "identity": format!("{identity:016x}"), "of": words });
        let end = text.iter().rposition(|byte| *byte == b'\n');
        let Some(end) = end else {
            // Nothing, or what a killed run has left of the first line.
            if !sealed(&header).as_bytes().starts_with(&text) {
                return Err(damaged(
                    path,
                    1,
                    "it is not the beginning of an exploration",
                ));
            }
            journal.cut(0)?;
            journal.append(&header)?;
            return Ok((journal, Vec::new()));
        };
        let (mut entries, mut of) = (Vec::new(), Json::Null);
        for (number, text) in text[..end].split(|byte| *byte == b'\n').enumerate() {
            let read = line(text).and_then(|json| match number {
                0 => check_header(&json).map(|()| of = json),
                _ => entry(&json, points).map(|entry| entries.push(entry)),
            });
            read.map_err(|words| damaged(path, number + 1, &words))?;
            if number == 0 {
                check_identity(path, &of, identity, words)?;
            }
        }
        journal.cut(end + 1)?;
        Ok((journal, entries))
    }

    /// Is it a file with an end, and not so large that it is none of ours? A device such as `/dev/full` has no end.
    fn is_a_file(&self) -> Result<()> {
        let about = self.file.metadata();
        let about = about.map_err(|error| unusable(&self.path, &error))?;
        let words = match about.len() {
            _ if !about.is_file() => "is not a file",
            bytes if bytes > LARGEST => "has more than 256 MiB, which no exploration writes",
            _ => return Ok(()),
        };
        let message = format!("{} {words}; name another file", self.path.display());
        Err(Error::new(ErrorKind::File, message))
    }

    /// Keeps other runs out, until this one ends in whatever way.
    fn lock(&self) -> Result<()> {
        let held = |_| {
            Error::new(
                ErrorKind::File,
                format!(
                    "{} belongs to a run that is under way; wait for its end",
                    self.path.display()
                ),
            )
        };
        match self.file.try_lock() {
            Err(TryLockError::Error(error)) => Err(unusable(&self.path, &error)),
            locked => locked.map_err(held),
        }
    }

    /// Writes what came of a try.
    pub(super) fn write(&mut self, entry: &Entry) -> Result<()> {
        let Entry {
            point,
            effort,
            stage,
            elapsed,
            tried,
        } = entry;
        let mut line = record::to_json(tried);
        (line["number"], line["effort"], line["elapsed"]) =
            (json!(point), json!(effort), json!(elapsed));
        line["stage"] = json!(stage.name());
        line["key"] = json!(tried.key.map(|key| format!("{key:016x}")));
        self.append(&line)
    }

    /// A line, with its hash; returns when it is on the disk.
    fn append(&mut self, line: &Json) -> Result<()> {
        let text = sealed(line);
        let written = self
            .file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data());
        written.map_err(|error| unusable(&self.path, &error))
    }

    /// Cuts off what follows the last complete line.
    fn cut(&mut self, complete: usize) -> Result<()> {
        let cut = self
            .file
            .set_len(complete as u64)
            .and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map(|_| ())
            .map_err(|error| unusable(&self.path, &error))
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // A process that is being started holds the file open too, until it becomes another program; so closing it is not enough. There is
        // nothing to do about a failure.
        let _ = self.file.unlock();
    }
}

/// The most seconds that a run may have taken: a hundred years.
pub(super) const LONGEST: f64 = 3.2e9;

/// The most bytes of a file that is read.
const LARGEST: u64 = 1 << 28;

/// The [`hash`] of no bytes.
pub(super) const HASH_OF_NOTHING: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of some bytes with that of those before them. FNV-1a, 64 bits: against damage and
/// mix-ups, not against malice.
pub(super) fn hash(before: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(before, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

const SEAL: &str = ",\"hash\":\"";

/// A JSON object as a line whose last member is the hash of the rest.
fn sealed(line: &Json) -> String {
    let text = line.to_string();
    let open = text.strip_suffix('}').unwrap_or(&text);
    format!(
        "{open}{SEAL}{:016x}\"}}\n",
        hash(HASH_OF_NOTHING, open.as_bytes())
    )
}

/// The object of a line whose hash is right.
fn line(text: &[u8]) -> std::result::Result<Json, String> {
    let text = std::str::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())?;
    let Some((open, seal)) = text.rsplit_once(SEAL) else {
        return Err("it does not end with its hash".to_owned());
    };
    let expected = format!("{:016x}\"}}", hash(HASH_OF_NOTHING, open.as_bytes()));
    if seal != expected {
        return Err("it is not what was written: its hash is another".to_owned());
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn check_header(header: &Json) -> std::result::Result<(), String> {
    if header["exploration"] != json!(VERSION) {
        return Err(format!(
            "it is not the beginning of an exploration in version {VERSION} of the format"
        ));
    }
    Ok(())
}

/// The file of another exploration is as good as any, and stays.
fn check_identity(path: &Path, header: &Json, identity: u64, words: &str) -> Result<()> {
    if header["identity"] == json!(format!("{identity:016x}")) {
        return Ok(());
    }
    let of = header["of"].as_str().unwrap_or("another");
    let message = format!(
        "{} is the file of another exploration ({}); this one is {words}, or has other points; name another file",
        path.display(),
        of.replace(char::is_control, "\u{fffd}")
    );
    Err(Error::new(ErrorKind::File, message))
}

fn entry(json: &Json, points: usize) -> std::result::Result<Entry, String> {
    let number = |name: &str| {
        json[name]
            .as_u64()
            .ok_or_else(|| format!("`{name}` is not a number"))
    };
    let point = usize::try_from(number("number")?)
        .ok()
        .filter(|point| *point < points);
    Ok(Entry {
        point: point
            .ok_or_else(|| format!("the space has {points} points, and none with this number"))?,
        effort: u32::try_from(number("effort")?).map_err(|error| error.to_string())?,
        stage: json["stage"]
            .as_str()
            .and_then(Stage::named)
            .ok_or("`stage` is none that there is")?,
        elapsed: json["elapsed"]
            .as_f64()
            .filter(|seconds| (0.0..=LONGEST).contains(seconds))
            .ok_or("`elapsed` is not a number of seconds")?,
        tried: Tried {
            key: Some(key(json)?),
            ..record::from_json(json)?
        },
    })
}

/// What was tried.
fn key(json: &Json) -> std::result::Result<u64, String> {
    let digits = json["key"].as_str().filter(|digits| digits.len() == 16);
    digits
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .ok_or_else(|| "`key` is not a hash".to_owned())
}

fn damaged(path: &Path, line: usize, words: &str) -> Error {
    let message = format!(
        "{}:{line}: {}; name another file, or remove this one to begin again",
        path.display(),
        // The file may have anything in it, and a terminal does what control characters say.
        words.replace(char::is_control, "\u{fffd}")
    );
    Error::new(ErrorKind::DamagedFile, message).at_line(line)
}

fn unusable(path: &Path, error: &std::io::Error) -> Error {
    Error::new(
        ErrorKind::File,
        format!("{} cannot be read and written: {error}", path.display()),
    )
}
