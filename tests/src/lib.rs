//! What the tests share. The documentation of this crate is the README, so that its example runs.
#![doc = include_str!("../../README.md")]
