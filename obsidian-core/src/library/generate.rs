//! Arrays from nothing but a length.

use crate::array::{Length, Pull};
use crate::scalar::Exp;

/// The array 0, 1, 2, .. of a length.
pub fn iota<S: Length>(len: S) -> Pull<Exp<u32>, S> {
    Pull::new(len, |i| i)
}

/// The array of a length whose element `i` is `f(i)`.
pub fn generate<T: 'static, S: Length>(len: S, f: impl Fn(Exp<u32>) -> T + 'static) -> Pull<T, S> {
    Pull::new(len, f)
}

/// The array of a length whose elements are all one value.
pub fn replicate<T: Clone + 'static, S: Length>(len: S, value: T) -> Pull<T, S> {
    Pull::new(len, move |_| value.clone())
}

/// The array of one value.
pub fn singleton<T: Clone + 'static>(value: T) -> Pull<T> {
    replicate(1, value)
}
