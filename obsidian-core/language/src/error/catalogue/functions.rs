//! Device functions.

use super::{Error, Message, Page, listed, near};
use crate::error::{Diagnostic, Kind};

errors! {
    /// # Device functions
    ///
    /// What `#[device]` functions cannot be. The rest of Rust that they have is in the [tutorial](crate::tutorial::functions).
    page "functions";

    /// Rust that device functions do not have: allocation, references other than `&[T]`, generics, `?`, most iterators. The note says what to write instead.
    ///
    /// ```rust,ignore
    /// #[device]
    /// pub fn first(t: Vec<f32>) -> f32 { t[0] }
    /// ```
    ///
    /// ```rust,ignore
    /// #[device]
    /// pub fn first(t: &[f32]) -> f32 { t[0] }
    /// ```
    mistake "not-for-device" {
        /// Rust that is not part of device functions, and what to write instead.
        not_for_device(what: &str, instead: &str)
            => "{what} not possible in a device function",
               (instead);
    }

    /// A struct with `#[derive(Element)]` that cannot be taken apart into numbers: it is generic, has no fields or too many, or a field is no number, no
    /// tuple or short array of them, and no other such struct. `usize` has another size on another machine; write `u32` or `u64`.
    ///
    /// ```rust,ignore
    /// #[derive(Clone, Copy, Element)]
    /// pub struct Edge { pub to: usize, pub weight: f32 }
    ///
    /// #[device(range)]
    /// pub fn weight(i: usize, edges: &[Edge]) -> f32 { edges[i].weight }
    /// ```
    ///
    /// ```rust,ignore
    /// #[derive(Clone, Copy, Element)]
    /// pub struct Edge { pub to: u32, pub weight: f32 }
    ///
    /// #[device(range)]
    /// pub fn weight(i: usize, edges: &[Edge]) -> f32 { edges[i].weight }
    /// ```
    mistake "bad-element" {
        /// A struct that cannot be taken apart into numbers.
        bad_element(message: &str, instead: &str)
            => (message),
               (instead);
    }

    /// The attribute or the signature is not one of a device function, or a variable is used as it was not declared.
    ///
    /// ```rust,ignore
    /// #[device(range)]
    /// pub fn element(t: &[f32]) -> f32 { t[0] }
    /// ```
    ///
    /// ```rust,ignore
    /// #[device(range)]
    /// pub fn element(i: usize, t: &[f32]) -> f32 { t[i] }
    /// ```
    mistake "bad-device" {
        /// A device function that is wrong in another way.
        bad_device(what: &str)
            => (what);
    }

    /// A value has another type than its place. Numbers are converted by `as`, and indices are `usize`.
    ///
    /// ```rust,ignore
    /// #[device]
    /// pub fn scaled(x: f32, n: u32) -> f32 { x * n }
    /// ```
    ///
    /// ```rust,ignore
    /// #[device]
    /// pub fn scaled(x: f32, n: u32) -> f32 { x * n as f32 }
    /// ```
    mistake "device-types" {
        /// A value of another type than the place wants.
        device_types(wanted: &str, found: &str)
            => "this is {found}, and {wanted} is wanted here",
               (match (wanted, found) {
                (_, "()") => "an expression that is a result has no `;`",
                ("f32" | "f64", "an integer") | ("an integer", "f32" | "f64") => "a float is written with a point: `2.0`",
                _ => "Rust converts nothing by itself: write `as` for another number",
            });
    }

    /// The name is neither a variable, nor a device function in scope, nor a method of the number.
    ///
    /// ```rust,ignore
    /// #[device]
    /// pub fn length(x: f32, y: f32) -> f32 { (x * x + y * y).squrt() }
    /// ```
    ///
    /// ```rust,ignore
    /// #[device]
    /// pub fn length(x: f32, y: f32) -> f32 { (x * x + y * y).sqrt() }
    /// ```
    mistake "device-unknown" {
        /// A name that means nothing in a device function.
        device_unknown(what: &str, name: &str, known: &[&str])
            => "there is no {what} `{name}` here"
            then |found| near(found, name, known, || match known {
                    [] => Some("there are operators, methods of numbers such as `x.sqrt()`, and `#[device]` functions".to_owned()),
                    known => Some(format!("in scope are {}", listed(known))),
            });
        /// A field that a struct does not have.
        device_field(of: &str, name: &str, known: &[&str])
            => "`{of}` has no field `{name}`"
            then |found| near(found, name, known, || Some(format!("it has {}", listed(known))));
        /// A name of a struct that no struct in scope has.
        device_struct(name: &str, known: &[&str])
            => "there is no struct `{name}` here"
            then |found| near(found, name, known, || match known {
                    [] => Some("write it in a `#[kernels]` module, with `#[derive(Clone, Copy, Element)]`, and name it here by `use` if it is another module".to_owned()),
                    known => Some(format!("in scope are {}", listed(known))),
            });
        /// A method that a number of the device does not have.
        device_method(name: &str, of: &str, known: &[&str])
            => "{of} has no method `{name}` on the device"
            then |found| near(found, name, known, || match known {
                    [] => Some("tell its type by a suffix or a declaration, or use operators".to_owned()),
                    known => Some(format!("it has {}", listed(known))),
            });
    }

    /// A device function calls a function of kernels. One of plain Rust needs the attribute too.
    ///
    /// ```rust,ignore
    /// pub fn half(x: EF32) -> EF32 { x / 2.0 }
    ///
    /// #[device]
    /// pub fn quarter(x: f32) -> f32 { half(half(x)) }
    /// ```
    ///
    /// ```rust,ignore
    /// #[device]
    /// pub fn half(x: f32) -> f32 { x / 2.0 }
    ///
    /// #[device]
    /// pub fn quarter(x: f32) -> f32 { half(half(x)) }
    /// ```
    mistake "device-unmarked" {
        /// A call of a function of the module that is not marked.
        device_unmarked(name: &str)
            => "`{name}` is a function of kernels, and this is a device function",
               "write `#[device]` before `fn {name}`, if it is plain Rust";
    }

    /// A device function calls itself, directly or by others.
    ///
    /// ```rust,ignore
    /// #[device]
    /// pub fn sum(n: u32) -> u32 { if n == 0 { 0 } else { n + sum(n - 1) } }
    /// ```
    ///
    /// ```rust,ignore
    /// #[device]
    /// pub fn sum(n: u32) -> u32 {
    ///     let mut sum = 0;
    ///     for i in 1..=n {
    ///         sum += i;
    ///     }
    ///     sum
    /// }
    /// ```
    mistake "device-recursion" {
        /// Device functions that call each other in a circle.
        device_recursion(cycle: &[&str])
            => (match cycle {
                [one] => format!("`{one}` calls itself"),
                _ => {
                    let names: Vec<String> = cycle.iter().map(|name| format!("`{name}`")).collect();
                    format!(
                        "device functions call each other in a circle: {}",
                        names.join(", ")
                    )
                }
            }),
               "a thread has no stack of calls: write a loop";
    }
}
