//! What a compiler's words say about why it failed.

use crate::ErrorKind;

/// The kind of failure of a compiler that ended itself with an error.
pub(super) fn kind(words: &str) -> ErrorKind {
    if says_no_space(words) {
        ErrorKind::NoSpace
    } else if says_no_host_compiler(words) {
        ErrorKind::NoHostCompiler
    } else if words.contains("died due to signal") {
        // nvcc's own words for one of its programs that crashed, or was killed.
        ErrorKind::Crashed
    } else {
        ErrorKind::Refused
    }
}

/// Is the disk full?
pub(super) fn says_no_space(words: &str) -> bool {
    ["No space left on device", "Disk quota exceeded"]
        .iter()
        .any(|said| words.contains(said))
}

/// Is there no C++ compiler, or one that nvcc does not take?
fn says_no_host_compiler(words: &str) -> bool {
    let about_host = ["host compiler", "host configuration", "host properties"]
        .iter()
        .any(|said| words.contains(said));
    // The shell's words for the compiler that nvcc calls if it is told no other.
    let not_found = [
        "gcc: not found",
        "g++: not found",
        "gcc: command not found",
        "g++: command not found",
    ];
    about_host || not_found.iter().any(|said| words.contains(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tell_the_kind() {
        let kinds = [
            (
                "kernel.cu(3): error: identifier \"x\" is undefined",
                ErrorKind::Refused,
            ),
            (
                "nvcc fatal   : Failed to preprocess host compiler properties.",
                ErrorKind::NoHostCompiler,
            ),
            ("sh: 1: gcc: not found", ErrorKind::NoHostCompiler),
            (
                "fatal error: error writing to kernel.ii: No space left on device",
                ErrorKind::NoSpace,
            ),
            (
                "nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)",
                ErrorKind::Crashed,
            ),
            ("", ErrorKind::Refused),
        ];
        for (words, expected) in kinds {
            assert_eq!(kind(words), expected, "{words}");
        }
    }
}
