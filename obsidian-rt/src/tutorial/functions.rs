//! Your own Rust function on the device: the shortest way from plain Rust to a GPU.
//!
//! A function marked `#[device]` in a `#[kernels]` module stays what it is: rustc compiles your very text, and the host calls it. From the
//! same text the macro makes what one thread of the device does. With `#[device(range)]` it gives one element of a range, and has a launch of
//! its own:
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod physics {
//!     #[device]
//!     pub fn smooth(w: f32, left: f32, mid: f32, right: f32) -> f32 {
//!         mid + w * (left - 2.0 * mid + right)
//!     }
//!
//!     #[device(range)]
//!     pub fn heat((y, x): (usize, usize), w: f32, width: usize, t: &[f32]) -> f32 {
//!         let at = |y: usize, x: usize| t[y * width + x];
//!         if x == 0 || x + 1 == width {
//!             return at(y, x);
//!         }
//!         smooth(w, at(y, x - 1), at(y, x), at(y, x + 1))
//!     }
//!
//!     // A kernel calls the same function by its name.
//!     #[kernel]
//!     pub fn smoothed(x: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let y = x.map(|x| smooth(0.25, 0.0, x, 1.0));
//!         y.chunks(256, 0.0).as_grid_map(|piece| piece.push()).take(x.len())
//!     }
//! }
//!
//! fn main() -> obsidian_rt::Result<()> {
//!     let device = Device::cpu();
//!     let (h, w) = (3, 5);
//!     let t: Vec<f32> = (0..15).map(|n| (n * n) as f32).collect();
//!     let out = physics::heat::compute(&device, [h, w], (0.25, w, &t))?;
//!     // The function itself, on all cores of the host, and called by hand.
//!     let same = physics::heat::compute_host([h, w], (0.25, w, &t))?;
//!     assert_eq!(out.to_vec()?, same);
//!     assert_eq!(same[7], physics::heat((1, 2), 0.25, w, &t));
//!     // Into a buffer that there is, from one that is on the device already.
//!     let (t, mut next) = (device.upload(&t)?, device.upload(&[0.0f32; 15])?);
//!     physics::heat::compute_into(&device, [h, w], (0.25, w, &t), &mut next)?;
//!     assert_eq!(next.to_vec()?, same);
//!     Ok(())
//! }
//! ```
//!
//! # What a device function has
//!
//! | | |
//! |---|---|
//! | types | `bool`, integers of 8 to 64 bits, `usize`, `isize`, `f32`, `f64`; tuples; arrays `[T; N]` of up to 64 elements; structs with `#[derive(Element)]`; `&[T]` as a parameter, of numbers, tuples, short arrays or structs |
//! | statements | `let`, `let mut`, shadowing, patterns of tuples, arrays and structs, assignments also to fields and elements, `const`s of the module |
//! | control | `if`, `match` on integers, booleans, and tuples and structs of them, `while`, `loop`, `for`, labels, `break` with a value, `continue`, early `return` |
//! | `for` | ranges, also with `.rev()` and `.step_by(n)`; slices and arrays, also with `.iter()` and `.enumerate()` |
//! | calls | other device functions of the module, of another module and of another crate; closures that a `let` binds |
//! | numbers | operators, `as`, and the methods that kernels have, such as `x.sqrt()`, `x.mul_add(y, z)` and `n.wrapping_add(1)` |
//! | failures | `assert!`, `assert_eq!`, `assert_ne!`, `panic!` and `unreachable!` with a text |
//!
//! Anything else is an error at its token that says [what to write instead](crate::errors#device-functions).
//!
//! # Structs
//!
//! A plain struct of numbers becomes a type of device functions by [`#[derive(Element)]`](macro@crate::Element) in the `#[kernels]` module. For the
//! host it stays the struct that it is. On a device a `&[Body]` is one buffer for each number, and so is the result of a range,
//! [`Rows`](crate::Rows): what one range gives, the next one takes, without a copy.
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! pub mod physics {
//!     #[derive(Clone, Copy, Debug, PartialEq, Element)]
//!     pub struct Vector {
//!         pub x: f32,
//!         pub y: f32,
//!     }
//!
//!     #[derive(Clone, Copy, Debug, PartialEq, Element)]
//!     pub struct Body {
//!         pub at: Vector,
//!         pub speed: Vector,
//!         pub mass: f32,
//!     }
//!
//!     #[device]
//!     pub fn moved(at: Vector, by: Vector, time: f32) -> Vector {
//!         Vector { x: at.x + time * by.x, y: at.y + time * by.y }
//!     }
//!
//!     /// A body after some time, in a force that acts on all of them.
//!     #[device(range)]
//!     pub fn step(i: usize, time: f32, force: Vector, bodies: &[Body]) -> Body {
//!         let mut b = bodies[i];
//!         let Body { mass, speed, .. } = b;
//!         b.speed = moved(speed, force, time / mass);
//!         if b.at.y < 0.0 {
//!             b.speed.y = -b.speed.y;
//!         }
//!         Body { at: moved(b.at, b.speed, time), ..b }
//!     }
//! }
//! use physics::{Body, Vector, step};
//!
//! fn main() -> obsidian_rt::Result<()> {
//!     let device = Device::cpu();
//!     let at = |x: f32| Vector { x, y: 1.0 };
//!     let start: Vec<Body> = (0..100).map(|n| Body { at: at(n as f32), speed: at(0.0), mass: 2.0 }).collect();
//!     let force = Vector { x: 0.0, y: -9.81 };
//!     let once = step::compute(&device, [100], (0.1, force, &start))?;
//!     let twice = step::compute(&device, [100], (0.1, force, &once))?;
//!     let same = step::compute_host([100], (0.1, force, &start))?;
//!     assert_eq!(once.to_vec()?, same);
//!     assert_eq!(twice.to_vec()?, step::compute_host([100], (0.1, force, &same))?);
//!     Ok(())
//! }
//! ```
//!
//! There are literals, with `..other` too, fields, assignments to them, and patterns; a struct may have others, tuples and short arrays as fields, and
//! another `#[kernels]` module takes it by `use`. Methods, operators and type parameters are not part of it: write a `#[device]` function. Kernels and
//! array programs have tuples in place of structs, and [`Rows::columns`](crate::Rows::columns) is what a `DPull` of such tuples is given.
//!
//! # What it means
//!
//! The host and every device agree bit for bit, but for functions such as `sin` and `exp`, which libraries round differently (2 units in the
//! last place), and for `min` and `max` of 0.0 and -0.0: on a device -0.0 is below 0.0, and on the host it is not said which one `f32::min` gives, so that
//! `(-0.0f32).min(0.0)` may be 0.0 there. Integers wrap on a device, as they do on the host in a release build; `usize` has 64 bits there too. A division by 0, an index
//! outside of a slice or array, and an assertion that does not hold are an error of the launch,
//! [`ErrorKind::Fault`](crate::ErrorKind::Fault), with the text and the place. A range has fewer than 2^32 elements, and so has a slice.
//!
//! [`compute_host`] runs the function as rustc has compiled it: with overflow checks, as in a debug build, an overflow is its error, and on a
//! device the number wraps. On the CPU, `compute` takes about as long or less: it runs the same function with wrapping integers, compiled for wide
//! vectors too, without a result that has to be put together.
//!
//! In a kernel a function that only computes is called like any other; one with loops, indices or divisions by what may be 0 is a program of
//! one thread, which `?` runs. A `usize` parameter takes an `EU32` there, and a `&[T]` takes a `DPull`.
//!
//! [`compute_host`]: self
//!
//! # What becomes of it
//!
//! A variable that changes is a variable of the kernel. A choice whose arms only compute is a `select`, with neither arm evaluated unless
//! it is chosen; any other is a branch. A call is the body of the function, in its place. An element of an array `[T; N]` is a register, and an
//! index that only the thread knows chooses among them. Behind a failure a thread of a GPU goes on with zeros, and its loops end.
