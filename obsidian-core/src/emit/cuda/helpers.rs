//! The helper functions that generated code may call: fixed text, one function a file. Only those
//! that are called are printed.

use crate::ordered::Set;

macro_rules! helpers {
    ($($name:literal)*) => {
        /// Name and text of each, in the order in which they are printed.
        const HELPERS: &[(&str, &str)] = &[$(($name, include_str!(concat!("helpers/", $name, ".cuh"))),)*];
        /// The names.
        pub(super) const NAMES: &[&str] = &[$($name,)*];
    };
}

helpers! {
    "add_wrap" "sub_wrap" "mul_wrap" "neg_wrap" "abs_wrap" "sign" "signum" "signumf" "shl_wrap"
    "quotient" "quotient_wrap" "remnant" "remnant_wrap" "saturate" "is_inside" "load_inside" "load_wide" "load_wide_ldg" "note_fault"
    "store_wide" "add_of_lanes" "min_of_lanes" "max_of_lanes" "and_of_lanes" "or_of_lanes"
    "xor_of_lanes" "lanes_with" "lanes_alike" "take_block" "told_word" "tell_word" "wait_briefly"
}

/// The words of a text: identifiers, keywords, and numbers with their suffixes.
pub(super) fn words(text: &str) -> Set<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .collect()
}

/// The text of the helpers among the words. No user's name is the name of a helper, so a word is a
/// call.
pub(super) fn text(words: &Set<&str>) -> String {
    let used = HELPERS.iter().filter(|(name, _)| words.contains(name));
    used.map(|(_, text)| format!("{text}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_helper_calls_no_other_helper() {
        for (name, text) in HELPERS {
            let calls = |other: &&&str| text.contains(&format!(" {other}("));
            assert_eq!(NAMES.iter().filter(calls).collect::<Vec<_>>(), [name]);
        }
    }
}
