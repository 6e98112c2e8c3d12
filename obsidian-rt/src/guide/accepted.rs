//! Which Rust is accepted, and what to write instead of the rest.
//!
//! | inside of | a function is | its values are |
//! |---|---|---|
//! | `#[kernels]` | a program that runs while the crate compiles, and makes a kernel | of the host (`u32`, `bool`, `Vec`), and of the device (`EU32`, arrays, programs) |
//! | `#[arrays]`, in a `#[kernels]` module | the same, of whole arrays ([`Arr1`](crate::language::Arr1) and its like) | the same |
//! | `#[device]`, in a `#[kernels]` module | plain Rust, which the host calls too; [its table](crate::tutorial::functions#what-a-device-function-has) | numbers, tuples, short arrays, structs, slices |
//!
//! # Functions of `#[kernels]`
//!
//! All of this is accepted; the loops and conditions of the host are gone when the kernel runs:
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! mod example {
//!     const ROWS: u32 = 2 * 2;
//!
//!     fn scaled(n: u32, x: EU32) -> EU32 {
//!         let mut factor = 1;
//!         for k in 0..n {
//!             if k % 2 == 0 {
//!                 factor += k;
//!             } else {
//!                 factor *= 2;
//!             }
//!         }
//!         while factor < 3 {
//!             factor += 1;
//!         }
//!         match n {
//!             0 => x,
//!             1 | 2 => x * factor,
//!             _ => scaled(n - 1, x), // recursion, as long as it ends
//!         }
//!     }
//!
//!     fn parts<T: Data>(pair: (Pull<T>, Pull<T>)) -> Vec<Pull<T>> {
//!         let (a, b) = pair;
//!         vec![a, b]
//!     }
//!
//!     fn stored(x: Pull<EU32>, f: impl Fn(EU32) -> EU32) -> Program<Block, Push<Block, EU32>> {
//!         let x = compute(x.map(f))?; // `?` runs a program
//!         pure(x.reverse().push())
//!     }
//!
//!     #[kernel(threads = 64)]
//!     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
//!         x.split_up(ROWS).as_grid_map(|x| {
//!             let length = parts(x.halve()).iter().map(|part| part.len()).sum::<u32>();
//!             let ways = [x, x.reverse()];
//!             let way = if length == 4 { 0 } else { 1 };
//!             exec_block(stored(ways[way], |x| scaled(3, x)))
//!         })
//!     }
//! }
//!
//! let device = Device::cpu();
//! let x = device.upload(&[1, 2, 3, 4])?;
//! assert_eq!(example::all::launch(&device, &x)?.to_vec()?, [12, 9, 6, 3]);
//! # Ok::<(), obsidian_rt::Error>(())
//! ```
//!
//! | refused | write instead |
//! |---|---|
//! | `if x > 0 { a } else { b }` of a device value, `match` on one | [`select(x > 0, a, b)`](crate::language::select()), and [`cond`](crate::language::cond) of programs |
//! | `a && b`, <code>a \|\| b</code> of device booleans | `a & b`, <code>a \| b</code>, with each comparison in parentheses |
//! | `==` of tuples of device values | `(a.0 == b.0) & (a.1 == b.1)`; tuples of the host are compared |
//! | `while` on a device boolean | [`seq_until`](crate::language::seq_until), [`seq_while`](crate::language::seq_while) |
//! | `for x in array`, `array.iter()` | [`Pull::map`](crate::language::Pull::map), [`seq_reduce`](crate::language::seq_reduce), `for i in 0..array.len()` to write every step out |
//! | assignment to a captured variable in a closure | give the new value back as the closure's result |
//! | structs of your own | tuples; structs of numbers with `#[derive(Clone, Copy, Element)]` for `#[device]` functions |
//! | enums | integers, booleans, `Option` |
//! | traits, `impl` | functions as parameters: `f: impl Combine<T>` |
//! | `static` | `const` |
//! | a `fn` inside of a function | the same in the module, or a closure |
//! | `type` in the module | the same inside of a function, or the type itself |
//! | a label of a block | a function that is left by `return`; loops have labels |
//! | a module in a module | its functions in the kernels module |
//! | `use std::..`, but for `std::f32::consts` and `std::f64::consts` | values from outside as arguments |
//! | `println!` and other macros | `show!(x)?`; there are `vec!`, `assert!`, `assert_eq!` and `assert_ne!` |
//! | `unsafe`, `async`, `extern`, lifetimes, const parameters, `self` | nothing needs them |
//! | `DPull<f32>`, `&[f32]` as parameters of a kernel | `DPull<EF32>` |
//! | an index or a length of type `usize` (`v.len()`) | a cast, `x[i as u32]`, `x.take(v.len() as u32)`; a `Vec` is indexed by `usize`, `v[i as usize]` |
//! | a parameter of the host behind those of a launch | the host's first, with a value: `#[kernel(n = 8)]` |
//!
//! Literals are device values where one is wanted: `x.chunks(64, 0.0)`, `write(1.0, 0)`, `let zero = 0.0;` where `zero` is used as one. A value of
//! the host that is computed or declared, `let n: u32 = 4;`, becomes one by [`lit(n)`](crate::language::lit).
//! [`rejected`](crate::tutorial::rejected) shows what the compiler says, and [`errors`](crate::errors) explains each id.
