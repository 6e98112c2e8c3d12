//! Printed files in the format of rustfmt.

use std::io::Write;
use std::process::{Command, Stdio};

/// The text as rustfmt writes it; as it is where there is no rustfmt.
pub fn formatted(text: String) -> String {
    let made = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut rustfmt) = made else {
        return text;
    };
    let written = match rustfmt.stdin.take() {
        // It reads all before it writes.
        Some(mut stdin) => stdin.write_all(text.as_bytes()).is_ok(),
        None => false,
    };
    match rustfmt.wait_with_output() {
        Ok(output) if written && output.status.success() => {
            String::from_utf8(output.stdout).unwrap_or(text)
        }
        _ => text,
    }
}
