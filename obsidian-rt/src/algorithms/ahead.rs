//! The programs that are compiled with this crate: the usual operators, for each type of numbers.

use std::any::{Any, TypeId};

use obsidian_language::arrays::{Arr0, Arr1};
use obsidian_language::library::select;
use obsidian_language::scalar::Exp;

use crate::arrays::ArrayProgram;
use crate::element::Element;

type Vector<T> = Arr1<Exp<T>>;
type One<T> = Arr0<Exp<T>>;
/// A program, made when it is first asked for.
type Program<P, R> = fn() -> &'static ArrayProgram<P, R>;

/// Numbers with algorithms that are compiled ahead: `u8` to `u64`, `i8` to `i64`, `f32` and `f64`.
///
/// Nothing else can have it.
///
/// ```
/// use obsidian_rt::{Device, Result, algorithms::{self, Number}};
///
/// fn sum_of_squares<T: Number>(device: &Device, xs: &[T]) -> Result<T> {
///     algorithms::dot(device, xs, xs)
/// }
///
/// assert_eq!(sum_of_squares(&Device::cpu(), &[1u32, 2, 3])?, 14);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Number: Element + obsidian_language::scalar::Number {
    #[doc(hidden)]
    const AHEAD: Ahead<Self>;
    /// Keys that ascend where numbers descend.
    #[doc(hidden)]
    type Descending: Element;
    #[doc(hidden)]
    fn descending(x: Exp<Self>) -> Exp<Self::Descending>;
}

/// The programs of one type.
#[doc(hidden)]
#[derive(Debug)]
pub struct Ahead<T: Element> {
    pub(super) sum: Program<(Vector<T>,), One<T>>,
    pub(super) min: Program<(Vector<T>,), One<T>>,
    pub(super) max: Program<(Vector<T>,), One<T>>,
    pub(super) arg_min: Program<(Vector<T>,), One<u32>>,
    pub(super) arg_max: Program<(Vector<T>,), One<u32>>,
    pub(super) dot: Program<(Vector<T>, Vector<T>), One<T>>,
    pub(super) inclusive_sum: Program<(Vector<T>,), Vector<T>>,
    pub(super) exclusive_sum: Program<(Vector<T>,), Vector<T>>,
}

macro_rules! numbers {
    ($($module:ident $ty:ident $device:ident, $keys:ident by $descending:expr;)*) => {$(
        #[crate::kernels]
        pub(crate) mod $module {
            #[arrays]
            pub fn sum(xs: Arr1<$device>) -> Arr0<$device> {
                xs.sum()
            }

            #[arrays]
            pub fn min(xs: Arr1<$device>) -> Arr0<$device> {
                xs.min()
            }

            #[arrays]
            pub fn max(xs: Arr1<$device>) -> Arr0<$device> {
                xs.max()
            }

            #[arrays]
            pub fn arg_min(xs: Arr1<$device>) -> Arr0<EU32> {
                xs.arg_min()
            }

            #[arrays]
            pub fn arg_max(xs: Arr1<$device>) -> Arr0<EU32> {
                xs.arg_max()
            }

            #[arrays]
            pub fn dot(xs: Arr1<$device>, ys: Arr1<$device>) -> Arr0<$device> {
                zip_with(|x, y| x * y, xs, ys).sum()
            }

            #[arrays]
            pub fn inclusive_sum(xs: Arr1<$device>) -> Arr1<$device> {
                xs.inclusive_scan(|x, y| x + y)
            }

            #[arrays]
            pub fn copy_flagged(xs: Arr1<$device>, flags: Arr1<EBool>) -> Arr1<$device> {
                xs.compact(flags)
            }

            #[arrays]
            pub fn taken(numbers: Arr1<EU32>, xs: Arr1<$device>) -> Arr1<$device> {
                gather(numbers, xs)
            }

            #[arrays]
            pub fn transpose(m: Arr2<$device>) -> Arr2<$device> {
                m.transpose()
            }

            #[arrays]
            pub fn sort(xs: Arr1<$device>) -> Arr1<$device> {
                xs.sort()
            }

            #[arrays]
            pub fn exclusive_sum(xs: Arr1<$device>) -> Arr1<$device> {
                xs.exclusive_scan(|x, y| x + y, lit(0 as $ty))
            }
        }

        impl Number for $ty {
            const AHEAD: Ahead<Self> = Ahead {
                sum: $module::sum::program,
                min: $module::min::program,
                max: $module::max::program,
                arg_min: $module::arg_min::program,
                arg_max: $module::arg_max::program,
                dot: $module::dot::program,
                inclusive_sum: $module::inclusive_sum::program,
                exclusive_sum: $module::exclusive_sum::program,
            };
            type Descending = $keys;
            fn descending(x: Exp<$ty>) -> Exp<$keys> {
                $descending(x)
            }
        }
    )*
        /// The program with a name and types, if it is compiled ahead.
        pub(super) fn known<P: 'static, R: 'static>(
            name: &str,
        ) -> Option<&'static ArrayProgram<P, R>> {
            match name {
                "copy_flagged" => None$(.or_else(|| same($module::copy_flagged::program)))*,
                "gather" => None$(.or_else(|| same($module::taken::program)))*,
                "sort" => None$(.or_else(|| same($module::sort::program)))*,
                "transpose" => None$(.or_else(|| same($module::transpose::program)))*,
                _ => None,
            }
        }
    };
}

/// The program that a function gives, if it has the types that are wanted.
fn same<Own: 'static, Wanted: 'static>(program: fn() -> &'static Own) -> Option<&'static Wanted> {
    match TypeId::of::<Own>() == TypeId::of::<Wanted>() {
        true => (program() as &dyn Any).downcast_ref(),
        false => None,
    }
}

numbers! {
    of_u8 u8 EU8, u8 by |x: Exp<u8>| !x;
    of_u16 u16 EU16, u16 by |x: Exp<u16>| !x;
    of_u32 u32 EU32, u32 by |x: Exp<u32>| !x;
    of_u64 u64 EU64, u64 by |x: Exp<u64>| !x;
    of_i8 i8 EI8, i8 by |x: Exp<i8>| !x;
    of_i16 i16 EI16, i16 by |x: Exp<i16>| !x;
    of_i32 i32 EI32, i32 by |x: Exp<i32>| !x;
    of_i64 i64 EI64, i64 by |x: Exp<i64>| !x;
    of_f32 f32 EF32, u32 by |x: Exp<f32>| {
        let bits = x.to_bits();
        select(bits.ge(1u32 << 31), bits, !bits ^ (1u32 << 31))
    };
    of_f64 f64 EF64, u64 by |x: Exp<f64>| {
        let bits = x.to_bits();
        select(bits.ge(1u64 << 63), bits, !bits ^ (1u64 << 63))
    };
}
