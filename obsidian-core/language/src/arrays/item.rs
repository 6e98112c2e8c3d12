//! Elements of array programs: device values and tuples of them.

use crate::array::{Data, Storable};
use crate::program::{Program, Thread, Trace, write_ahead};
use crate::scalar::{AnyExp, Exp, Scalar, ScalarType};

/// An element of an array of an array program.
///
/// Tuples are elements, too.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| (x, x * x)).map(|(x, square)| square - x))?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 2, 6, 12]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array",
    note = "device values (EU32, EF32, ..) and tuples of them can"
)]
pub trait Item: Data {
    /// A value of the same shape as the elements: `one` gives such a value, where the type does not tell it.
    fn like(one: &dyn Fn() -> Self) -> Self {
        let _ = one;
        Self::poison()
    }
}

impl<T: Scalar> Item for Exp<T> {}

/// What a function of elements may give: an element, or a program of one thread that computes it.
///
/// A loop of one thread is one.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::{EU32, lit};
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
///     x.map(|n| obsidian_rt::language::seq_iterate(n, |_, power| power * lit(2), lit(1)))
/// })?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 8, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array",
    note = "device values (EU32, EF32, ..), tuples of them, and programs of one thread that give such values can"
)]
pub trait Computed: 'static {
    /// The element.
    type Value: Item;
    /// The element; the program is run in front of what uses it.
    fn value(self) -> Self::Value;
}

impl<T: Scalar> Computed for Exp<T> {
    type Value = Self;
    fn value(self) -> Self {
        self
    }
}

impl<T: Item> Computed for Program<Thread, T> {
    type Value = T;
    fn value(self) -> T {
        run_ahead(&self)
    }
}

/// The value of a program, which is run in front of what uses the value.
pub fn run_ahead<T: 'static>(program: &Program<Thread, T>) -> T {
    let level = Some(crate::ir::Level::Thread);
    let (value, actions) = Trace::apart(level, |trace| program.run(trace));
    write_ahead(actions);
    value
}

macro_rules! tuples {
    ($(($($field:ident $n:tt)+);)*) => {$(
        impl<$($field: Item),+> Item for ($($field,)+) {
            fn like(one: &dyn Fn() -> Self) -> Self {
                ($($field::like(&|| one().$n),)+)
            }
        }
        impl<$($field: Item),+> Computed for ($($field,)+) {
            type Value = Self;
            fn value(self) -> Self {
                self
            }
        }
    )*};
}

tuples! {
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
    (A 0 B 1 C 2 D 3 E 4 F 5);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6);
}

/// The device values that an element is made of.
pub fn leaves<T: Storable>(value: &T) -> Vec<AnyExp> {
    let mut list = Vec::new();
    value.leaves(&mut list);
    list
}

/// The types of device values.
pub fn types(values: &[AnyExp]) -> Vec<ScalarType> {
    values.iter().map(|value| value.ty()).collect()
}
