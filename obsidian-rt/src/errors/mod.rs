//! Every error of the compiler, by its id.
//!
//! A message ends its first line with an id in brackets, such as `[device-condition]`. Each id has
//! a paragraph here: what it means, a snippet with the mistake, and the same without. Macro, build
//! script and native builds give the same ids and words.
//!
//! Where a snippet is not whole functions, it stands in a kernel: one with `input` is the body of
//! `fn k(input: DPull<EI32>) -> DPush<Grid, EI32>`, any other is what becomes of a piece of 64
//! elements, as in `input.split_up(64).as_grid_map(|chunk| ..)`. A test compiles every snippet, and
//! finds the mistake in the first and none in the second.
#![doc = include_str!("device.md")]
#![doc = include_str!("arrays.md")]
#![doc = include_str!("levels.md")]
#![doc = include_str!("checks.md")]
#![doc = include_str!("language.md")]
#![doc = include_str!("functions.md")]
#![doc = include_str!("modules.md")]
#![doc = include_str!("variants.md")]
#![doc = include_str!("limits.md")]
#![doc = include_str!("whole.md")]
