//! Kernels and launches that several candidates have in common.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use obsidian_rt::Result;

/// Kernels, or launches, by what they depend on; each is kept once it is built. Those that cannot
/// be built are tried again, for the reason.
pub struct Shared<K, T> {
    known: Mutex<BTreeMap<K, T>>,
}

impl<K, T> Default for Shared<K, T> {
    fn default() -> Self {
        Shared {
            known: Mutex::default(),
        }
    }
}

impl<K: Ord, T: Clone> Shared<K, T> {
    /// That of a key, which is built if it is not known. Two threads that want it at once may both
    /// build it.
    ///
    /// # Errors
    /// Where it cannot be built.
    pub fn get(&self, key: K, build: impl FnOnce(&K) -> Result<T>) -> Result<T> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = known().get(&key) {
            return Ok(kernel.clone());
        }
        let kernel = build(&key)?;
        known().insert(key, kernel.clone());
        Ok(kernel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_built_once() {
        let (shared, mut built) = (Shared::default(), Vec::new());
        for key in [3, 4, 3, 3, 4] {
            let doubled = shared.get(key, |key| {
                built.push(*key);
                Ok(key * 2)
            });
            assert_eq!(doubled.ok(), Some(key * 2));
        }
        assert_eq!(built, [3, 4]);
    }
}
