//! SHA-256 as a name.

use std::fmt;

use hmac_sha256::Hash as Sha256;

/// A SHA-256, shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key([u8; 32]);

impl Key {
    /// Of a list of fields. Each is hashed with its length, so that nothing can move from one field
    /// to the next.
    pub(super) fn of(fields: &[&[u8]]) -> Key {
        let mut hash = Sha256::new();
        for field in fields {
            hash.update((field.len() as u64).to_le_bytes());
            hash.update(field);
        }
        Key(hash.finalize())
    }

    /// From its digits.
    pub(super) fn from_digits(digits: &[u8]) -> Option<Key> {
        let mut bytes = [0; 32];
        if digits.len() != 2 * bytes.len() || !digits.is_ascii() {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Key(bytes))
    }

    /// Of bytes as they are.
    pub(super) fn of_bytes(bytes: &[u8]) -> Key {
        Key(Sha256::hash(bytes))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_run_into_each_other() {
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
        assert_ne!(Key::of(&[b"", b"a"]), Key::of(&[b"a"]));
        assert_ne!(Key::of(&[]), Key::of(&[b""]));
    }

    #[test]
    fn digits_are_read_again() {
        let key = Key::of(&[b"a"]);
        assert_eq!(Key::from_digits(key.to_string().as_bytes()), Some(key));
        for wrong in [&b""[..], b"00", &[b'g'; 64], &[b'0'; 65], &[0xff; 64]] {
            assert_eq!(Key::from_digits(wrong), None);
        }
    }

    #[test]
    fn it_is_sha_256() {
        // The digest of no bytes, from the standard.
        let empty = Key::of_bytes(b"").to_string();
        assert_eq!(
            empty,
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }
}
