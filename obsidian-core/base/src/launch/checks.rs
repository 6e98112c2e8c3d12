//! What the texts of a kernel check while it runs, by the numbers that they note: accesses whose index the user vouches for, and assertions.

use std::borrow::Cow;
use std::panic::Location;

/// The word of a launch in which nothing went wrong.
pub const NO_FAULT: u64 = u64::MAX;
/// The bits of a word of faults that are the index, as a number with a sign; those above are the number of the check.
pub const FAULT_INDEX_BITS: u32 = 48;
/// The largest number of a check in such a word: those above it have this one.
pub const LAST_FAULT: usize = (1 << (64 - FAULT_INDEX_BITS)) - 2;

/// The checks of a kernel's texts, by their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// Those of the CPU text.
    pub cpu: Cow<'static, [Check]>,
    /// Those of the CUDA text.
    pub cuda: Cow<'static, [Check]>,
}

/// Something that a text checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// The index of an access, which the user vouches for.
    Inside {
        /// The name of the array.
        array: Cow<'static, str>,
        /// How many elements it has.
        length: CheckedLength,
        /// Is the index, in 32 bits, one with a sign? Exact arithmetic that comes to less than 0 is a large number there.
        is_signed: bool,
        /// Where the access was asked for.
        place: Place,
    },
    /// An assertion.
    Assertion {
        /// The user's text.
        text: Cow<'static, str>,
        /// Where it stands.
        place: Place,
    },
}

/// The number of elements of an array whose accesses are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckedLength {
    /// That of a parameter, by its number.
    Parameter(usize),
    /// This number.
    Number(u32),
}

/// A place in the user's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// It is not known.
    Unknown,
    /// A place in Rust code.
    Rust(&'static Location<'static>),
    /// A place that a program names itself.
    Text(Cow<'static, str>),
}

impl Place {
    /// The place in words; none if it is not known.
    pub fn words(&self) -> String {
        match self {
            Place::Unknown => String::new(),
            Place::Rust(place) => place.to_string(),
            Place::Text(text) => text.clone().into_owned(),
        }
    }
}

impl Checks {
    /// The texts check nothing.
    pub const NONE: Checks = Checks {
        cpu: Cow::Borrowed(&[]),
        cuda: Cow::Borrowed(&[]),
    };

    /// The check that a word of faults tells of, and its index. None if the text of the kernel has no such check, or too many to tell it from
    /// others.
    pub fn noted(&self, word: u64) -> Option<(&Check, i64)> {
        let number = usize::try_from(word >> FAULT_INDEX_BITS).ok()?;
        if number >= self.cuda.len().min(LAST_FAULT) {
            return None;
        }
        let check = self.cuda.get(number)?;
        let index = (word << (64 - FAULT_INDEX_BITS)) as i64 >> (64 - FAULT_INDEX_BITS);
        let index = match (u32::try_from(index), check) {
            (
                Ok(low),
                Check::Inside {
                    is_signed: true, ..
                },
            ) => i64::from(low as i32),
            _ => index,
        };
        Some((check, index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_a_number_and_an_index_with_a_sign() {
        let check = |is_signed| Check::Inside {
            array: "x".into(),
            length: CheckedLength::Number(4),
            is_signed,
            place: Place::Unknown,
        };
        let checks = Checks {
            cuda: vec![check(false), check(true)].into(),
            ..Checks::default()
        };
        let index = |word: u64| checks.noted(word).map(|(_, index)| index);
        let word = |number: u64, index: i64| {
            number << FAULT_INDEX_BITS | (index as u64) & ((1 << FAULT_INDEX_BITS) - 1)
        };
        assert_eq!(index(word(0, 7)), Some(7));
        assert_eq!(index(word(0, -3)), Some(-3));
        assert_eq!(index(word(0, 0xffff_fffe)), Some(0xffff_fffe));
        assert_eq!(index(word(1, 0xffff_fffe)), Some(-2));
        assert_eq!(index(word(2, 7)), None);
        assert_eq!(index(NO_FAULT), None);
    }
}
