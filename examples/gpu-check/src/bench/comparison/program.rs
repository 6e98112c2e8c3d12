//! A program of which only the bytes are there, run to its end or to a limit.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// How it ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// What it printed.
    pub(super) printed: String,
    /// Why it did not end well.
    pub(super) why: Option<String>,
    /// Was its time over?
    pub(super) was_killed: bool,
}

/// A folder of its own, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn make() -> io::Result<Folder> {
        let now = SystemTime::UNIX_EPOCH
            .elapsed()
            .map_or(0, |time| time.as_nanos());
        let path = std::env::temp_dir().join(format!("gpu-check-{}-{now}", std::process::id()));
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is of no consequence.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a program, and kills it if it takes longer than it may.
pub(super) fn run(
    bytes: &[u8],
    words: impl Iterator<Item = String>,
    limit: Duration,
) -> io::Result<Ended> {
    let folder = Folder::make()?;
    let path = folder.0.join("compare");
    write(&path, bytes)?;
    // Files, not pipes: nobody has to read them meanwhile.
    let (printed, said) = (folder.0.join("printed"), folder.0.join("said"));
    let mut command = Command::new(&path);
    command
        .args(words)
        .stdin(Stdio::null())
        .stdout(File::create(&printed)?)
        .stderr(File::create(&said)?);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if start.elapsed() >= limit => break None,
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let why = match status {
        Some(status) if status.success() => None,
        Some(status) => Some(format!(
            "the program has ended with {status}: {}",
            text(&said)?.trim_end()
        )),
        None => {
            child.kill()?;
            child.wait()?;
            Some(format!(
                "the program was killed: its {:.0} seconds were over",
                limit.as_secs_f64()
            ))
        }
    };
    let mut printed = text(&printed)?;
    // A line that was not finished is none.
    printed.truncate(printed.rfind('\n').map_or(0, |end| end + 1));
    Ok(Ended {
        printed,
        why,
        was_killed: status.is_none(),
    })
}

fn text(path: &Path) -> io::Result<String> {
    std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o700)
        .open(path)?
        .write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str, limit: Duration) -> Ended {
        let words = ["a".to_owned(), "b".to_owned()].into_iter();
        run(format!("#!/bin/sh\n{text}\n").as_bytes(), words, limit)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_is_printed_counts_however_a_program_ends() {
        let minute = Duration::from_secs(60);
        let ended = script("echo $*; printf half", minute);
        assert_eq!((ended.printed.as_str(), ended.why), ("a b\n", None));
        let ended = script("echo one; echo why >&2; exit 3", minute);
        assert_eq!(
            (ended.printed.as_str(), ended.why.as_deref()),
            (
                "one\n",
                Some("the program has ended with exit status: 3: why")
            )
        );
        let ended = script("echo one; exec sleep 60", Duration::from_secs(1));
        assert_eq!(
            (ended.printed.as_str(), ended.why.as_deref()),
            (
                "one\n",
                Some("the program was killed: its 1 seconds were over")
            )
        );
        assert!(ended.was_killed);
        let mine = format!("gpu-check-{}-", std::process::id());
        let left =
            std::fs::read_dir(std::env::temp_dir()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            left.flatten()
                .filter(|entry| entry.file_name().to_string_lossy().starts_with(&mine))
                .count(),
            0
        );
    }
}
