//! Where the values of a block lie: for each element type one file of single values, of columns and
//! of arrays.
//!
//! A *column* has one value for each lane of a strip. Columns are vectors of the element type, so a
//! loop over them is one that the compiler turns into vector instructions. What all lanes share is a
//! single value. Nothing here is allocated while a block runs.

use std::ops::Range;

use obsidian_language::scalar::{Literal, Scalar, ScalarType};

use super::code::{Reg, Room};
use crate::element::Element;

/// The values of one element type.
#[derive(Clone, Debug, Default)]
pub(super) struct File<T> {
    pub(super) scalars: Vec<T>,
    pub(super) columns: Vec<Vec<T>>,
    /// Stored arrays of the block, and arrays that each lane has for itself: of these, the lanes of
    /// element 0 come first, then those of element 1.
    pub(super) arrays: Vec<Vec<T>>,
}

/// Operands of one operation: one value for all lanes, or one for each.
pub(super) enum Operand<'a, T> {
    One(T),
    Many(&'a [T]),
}

impl<T: Copy> File<T> {
    /// The values of a register for these lanes.
    pub(super) fn operand(&self, reg: Reg, lanes: &Range<usize>) -> Operand<'_, T> {
        if reg.is_scalar() {
            Operand::One(self.scalars[reg.index()])
        } else {
            Operand::Many(&self.columns[reg.index()][lanes.clone()])
        }
    }
}

/// Parameters of one element type.
#[derive(Debug)]
pub(super) struct Global<'a, T: Element> {
    pub(super) inputs: Vec<&'a [T]>,
    pub(super) cells: Vec<&'a [T::Cell]>,
}

impl<T: Element> Default for Global<'_, T> {
    fn default() -> Self {
        Global {
            inputs: Vec::new(),
            cells: Vec::new(),
        }
    }
}

/// An element type, as a key to its file.
pub(super) trait Lane: Element {
    /// One of two values, both of which are there: without a jump, so that a loop of it becomes vectors.
    fn either(is_first: bool, first: Self, second: Self) -> Self;
    fn file(files: &Files) -> &File<Self>;
    fn file_mut(files: &mut Files) -> &mut File<Self>;
    fn global<'g, 'a>(globals: &'g Globals<'a>) -> &'g Global<'a, Self>;
    fn global_mut<'g, 'a>(globals: &'g mut Globals<'a>) -> &'g mut Global<'a, Self>;
}

/// By the bits of the values.
macro_rules! either {
    (bool $is_first:ident $x:ident $y:ident) => {
        $is_first & $x | !$is_first & $y
    };
    (f32 $is_first:ident $x:ident $y:ident) => {
        f32::from_bits(u32::either($is_first, $x.to_bits(), $y.to_bits()))
    };
    (f64 $is_first:ident $x:ident $y:ident) => {
        f64::from_bits(u64::either($is_first, $x.to_bits(), $y.to_bits()))
    };
    ($ty:ident $is_first:ident $x:ident $y:ident) => {
        $y ^ (($x ^ $y) & $ty::from($is_first).wrapping_neg())
    };
}

macro_rules! files {
    ($($field:ident $ty:ident $variant:ident;)*) => {
        /// The values of a block.
        #[derive(Clone, Debug, Default)]
        pub(super) struct Files {
            $($field: File<$ty>,)*
        }

        /// The parameters of a launch.
        #[derive(Debug, Default)]
        pub(super) struct Globals<'a> {
            $($field: Global<'a, $ty>,)*
        }

        $(impl Lane for $ty {
            #[inline(always)]
            fn either(is_first: bool, first: Self, second: Self) -> Self {
                either!($ty is_first first second)
            }
            fn file(files: &Files) -> &File<Self> {
                &files.$field
            }
            fn file_mut(files: &mut Files) -> &mut File<Self> {
                &mut files.$field
            }
            fn global<'g, 'a>(globals: &'g Globals<'a>) -> &'g Global<'a, Self> {
                &globals.$field
            }
            fn global_mut<'g, 'a>(globals: &'g mut Globals<'a>) -> &'g mut Global<'a, Self> {
                &mut globals.$field
            }
        })*

        impl Files {
            /// As many single values as a program needs, and nothing else.
            pub(super) fn scalars(room: &Room) -> Self {
                let mut files = Files::default();
                $(
                    let count = room.scalars[ScalarType::$variant as usize];
                    files.$field.scalars = vec![$ty::default(); count as usize];
                )*
                files
            }

            /// As many registers as a program needs, columns of `strip` lanes.
            pub(super) fn new(room: &Room, strip: usize) -> Self {
                let mut files = Files::scalars(room);
                $({
                    let (of, file) = (ScalarType::$variant as usize, &mut files.$field);
                    file.columns = vec![vec![$ty::default(); strip]; room.columns[of] as usize];
                    let arrays = room.arrays.iter().filter(|array| array.ty == ScalarType::$variant);
                    file.arrays = arrays.map(|array| vec![$ty::default(); array.cells(strip)]).collect();
                })*
                files
            }

            /// Takes over the single values of other files of the same program.
            pub(super) fn take_scalars(&mut self, from: &Files) {
                $(self.$field.scalars.clone_from(&from.$field.scalars);)*
            }

            /// Sets a single value.
            pub(super) fn set(&mut self, reg: Reg, value: Literal) {
                match value.ty() {
                    $(ScalarType::$variant => {
                        self.$field.scalars[reg.index()] = $ty::from_literal(value);
                    })*
                }
            }
        }
    };
}

files! {
    bools bool Bool;
    u8s u8 U8; u16s u16 U16; u32s u32 U32; u64s u64 U64;
    i8s i8 I8; i16s i16 I16; i32s i32 I32; i64s i64 I64;
    f32s f32 F32; f64s f64 F64;
}

/// Lends a column to be written, while the other values can be read: see [`with_column`].
#[inline(always)]
pub(super) fn lent<T: Lane>(files: &mut Files, column: Reg) -> Vec<T> {
    std::mem::take(&mut T::file_mut(files).columns[column.index()])
}

/// Takes a column back that was lent.
#[inline(always)]
pub(super) fn given_back<T: Lane>(files: &mut Files, column: Reg, lent: Vec<T>) {
    T::file_mut(files).columns[column.index()] = lent;
}

/// Lends a column to be written, while the other values can be read.
///
/// The column is moved out of its file meanwhile: an operation never reads the column that it
/// writes.
#[inline(always)]
pub(super) fn with_column<T: Lane, R>(
    files: &mut Files,
    column: Reg,
    f: impl FnOnce(&mut Files, &mut [T]) -> R,
) -> R {
    let mut values = lent::<T>(files, column);
    let result = f(files, &mut values);
    given_back(files, column, values);
    result
}
