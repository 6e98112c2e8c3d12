//! What a program prints, of which the beginning and the end are kept: it may print without end.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

/// Bytes that are kept of the beginning, and as many of the end.
const KEPT: usize = 16 * 1024;

/// The beginning and the end of what was printed.
#[derive(Default)]
struct Kept {
    begin: Vec<u8>,
    end: VecDeque<u8>,
    left_out: usize,
}

impl Kept {
    fn push(&mut self, bytes: &[u8]) {
        let first = bytes.len().min(KEPT - self.begin.len());
        self.begin.extend(&bytes[..first]);
        self.end.extend(&bytes[first..]);
        let over = self.end.len().saturating_sub(KEPT);
        self.end.drain(..over);
        self.left_out += over;
    }

    fn text(&self) -> String {
        let end: Vec<u8> = self.end.iter().copied().collect();
        if self.left_out == 0 {
            return String::from_utf8_lossy(&[&self.begin[..], &end].concat()).into_owned();
        }
        let (begin, end) = (
            String::from_utf8_lossy(&self.begin),
            String::from_utf8_lossy(&end),
        );
        format!("{begin}\n[{} bytes left out]\n{end}", self.left_out)
    }
}

/// A pipe that a thread of its own reads to its end, so that the program never waits for us.
pub(super) struct Printed {
    kept: Arc<Mutex<Kept>>,
    at_end: mpsc::Receiver<()>,
}

impl Printed {
    /// Begins to read.
    pub(super) fn of(pipe: Option<impl Read + Send + 'static>) -> Self {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let (end, at_end) = mpsc::channel();
        if let Some(mut pipe) = pipe {
            let kept = Arc::clone(&kept);
            std::thread::spawn(move || {
                let mut bytes = [0; 8192];
                while let Ok(n @ 1..) = pipe.read(&mut bytes) {
                    kept.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(&bytes[..n]);
                }
                // Nobody may be waiting any more.
                let _ = end.send(());
            });
        }
        Printed { kept, at_end }
    }

    /// What was printed, once the pipe is at its end. A process that has left the program's group
    /// can keep the pipe open after it: then what has come within a second.
    pub(super) fn text(self) -> String {
        let _ = self.at_end.recv_timeout(Duration::from_secs(1));
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_long_output_is_left_out() {
        for n in [0, 1, KEPT, KEPT + 1, 2 * KEPT, 2 * KEPT + 1, 1_000_003] {
            let bytes: Vec<u8> = (0..n).map(|i| b'a' + (i % 23) as u8).collect();
            let text = Printed::of(Some(std::io::Cursor::new(bytes.clone()))).text();
            if n <= 2 * KEPT {
                assert_eq!(text.as_bytes(), bytes, "{n}");
            } else {
                assert_eq!(text.as_bytes()[..KEPT], bytes[..KEPT], "{n}");
                assert_eq!(
                    text.as_bytes()[text.len() - KEPT..],
                    bytes[n - KEPT..],
                    "{n}"
                );
                assert!(
                    text.contains(&format!("[{} bytes left out]", n - 2 * KEPT)),
                    "{n}"
                );
            }
        }
    }
}
