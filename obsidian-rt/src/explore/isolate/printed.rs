//! What a worker has printed: the last of it, for errors.

use std::io::{PipeReader, Read as _};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The most bytes that are kept.
const KEPT: usize = 8 << 10;

/// The most lines, and characters of a line, that are shown.
const LINES: usize = 5;
const LONGEST: usize = 200;

/// The last of what a worker has printed.
pub(super) struct Printed {
    bytes: Arc<Mutex<Vec<u8>>>,
    /// Ends with the output.
    end: Receiver<()>,
}

impl Printed {
    pub(super) fn of(mut output: PipeReader) -> Printed {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (until, end) = channel::<()>();
        let kept = Arc::clone(&bytes);
        thread::spawn(move || {
            let _until = until;
            let mut some = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut some) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&some[..count]);
                let superfluous = kept.len().saturating_sub(KEPT);
                kept.drain(..superfluous);
            }
        });
        Printed { bytes, end }
    }

    /// The end of a sentence, with the lines that say why it ended: those of a panic, or the last ones.
    pub(super) fn in_words(&self) -> String {
        // What it has started may keep the output open.
        let _ = self.end.recv_timeout(Duration::from_millis(200));
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let panic = lines.iter().position(|line| line.contains("panicked at"));
        let first = panic.unwrap_or(lines.len().saturating_sub(LINES));
        let shown = lines.iter().skip(first).take(LINES);
        // A terminal does what control characters say.
        let clean = |line: &&str| {
            let line: String = line.chars().take(LONGEST).collect();
            line.replace(char::is_control, "\u{fffd}")
        };
        let shown: Vec<String> = shown.map(clean).collect();
        if shown.is_empty() {
            String::new()
        } else {
            format!("; it printed last: {}", shown.join(" / "))
        }
    }
}
