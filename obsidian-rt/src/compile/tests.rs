//! The compiler as a whole.
