//! Operators as loops over columns.
//!
//! The meaning is that of `obsidian_core::scalar::meaning`, bit for bit; a test holds every operator
//! and type to it on edge values. Operators that take long anyway are computed through `meaning`
//! itself; the others are written out, a loop for each type, which the compiler makes vectors of.

use std::ops::Range;

use obsidian_core::scalar::{BinaryOp, Scalar, ScalarType, UnaryOp, meaning};

use super::code::{Apply, Args, CopyLanes, Plain, Reg};
use super::files::{Files, Lane, Operand, with_column};
use super::masks::Mask;
use crate::element::by_type;
use crate::generated::ops;

/// A function of one operand, for all lanes.
#[inline(always)]
fn one<T: Lane, R: Lane>(files: &mut Files, args: &Args, lanes: Range<usize>, f: impl Fn(T) -> R) {
    let x = args.from[0];
    if args.to.is_scalar() {
        let value = f(T::file(files).scalars[x.index()]);
        R::file_mut(files).scalars[args.to.index()] = value;
        return;
    }
    with_column::<R, ()>(files, args.to, |files, to| {
        let to = &mut to[lanes.clone()];
        match T::file(files).operand(x, &lanes) {
            Operand::One(x) => to.fill(f(x)),
            Operand::Many(x) => to.iter_mut().zip(x).for_each(|(to, x)| *to = f(*x)),
        }
    });
}

/// A function of two operands, for all lanes.
#[inline(always)]
fn two<T: Lane, U: Lane, R: Lane>(
    files: &mut Files,
    args: &Args,
    lanes: Range<usize>,
    f: impl Fn(T, U) -> R,
) {
    let [x, y, _] = args.from;
    if args.to.is_scalar() {
        let value = f(
            T::file(files).scalars[x.index()],
            U::file(files).scalars[y.index()],
        );
        R::file_mut(files).scalars[args.to.index()] = value;
        return;
    }
    with_column::<R, ()>(files, args.to, |files, to| {
        let to = &mut to[lanes.clone()];
        let (x, y) = (
            T::file(files).operand(x, &lanes),
            U::file(files).operand(y, &lanes),
        );
        match (x, y) {
            (Operand::Many(x), Operand::Many(y)) => {
                let both = x.iter().zip(y);
                to.iter_mut()
                    .zip(both)
                    .for_each(|(to, (x, y))| *to = f(*x, *y));
            }
            (Operand::Many(x), Operand::One(y)) => {
                to.iter_mut().zip(x).for_each(|(to, x)| *to = f(*x, y));
            }
            (Operand::One(x), Operand::Many(y)) => {
                to.iter_mut().zip(y).for_each(|(to, y)| *to = f(x, *y));
            }
            (Operand::One(x), Operand::One(y)) => to.fill(f(x, y)),
        }
    });
}

/// A function of three columns or of three single values.
#[inline(always)]
fn three<T: Lane>(files: &mut Files, args: &Args, lanes: Range<usize>, f: impl Fn(T, T, T) -> T) {
    let from = args.from;
    if args.to.is_scalar() {
        let scalars = &T::file(files).scalars;
        let [x, y, z] = from.map(|reg| scalars[reg.index()]);
        T::file_mut(files).scalars[args.to.index()] = f(x, y, z);
        return;
    }
    with_column::<T, ()>(files, args.to, |files, to| {
        let columns = &T::file(files).columns;
        let [x, y, z] = from.map(|reg| &columns[reg.index()][lanes.clone()]);
        let all = x.iter().zip(y).zip(z);
        let to = to[lanes.clone()].iter_mut();
        to.zip(all)
            .for_each(|(to, ((x, y), z))| *to = f(*x, *y, *z));
    });
}

/// One of two values by a condition, for all lanes.
fn choose<T: Lane>(files: &mut Files, args: &Args, lanes: Range<usize>) {
    let [condition, x, y] = args.from;
    if condition.is_scalar() {
        let chosen = if bool::file(files).scalars[condition.index()] {
            x
        } else {
            y
        };
        let args = Args {
            from: [chosen; 3],
            ..*args
        };
        return one::<T, T>(files, &args, lanes, |x| x);
    }
    with_column::<T, ()>(files, args.to, |files, to| {
        let to = to[lanes.clone()].iter_mut();
        let conditions = bool::file(files).columns[condition.index()][lanes.clone()].iter();
        let file = T::file(files);
        match (file.operand(x, &lanes), file.operand(y, &lanes)) {
            (Operand::Many(x), Operand::Many(y)) => {
                let all = conditions.zip(x.iter().zip(y));
                to.zip(all)
                    .for_each(|(to, (c, (x, y)))| *to = if *c { *x } else { *y });
            }
            (Operand::Many(x), Operand::One(y)) => {
                let all = conditions.zip(x);
                to.zip(all)
                    .for_each(|(to, (c, x))| *to = if *c { *x } else { y });
            }
            (Operand::One(x), Operand::Many(y)) => {
                let all = conditions.zip(y);
                to.zip(all)
                    .for_each(|(to, (c, y))| *to = if *c { x } else { *y });
            }
            (Operand::One(x), Operand::One(y)) => {
                to.zip(conditions)
                    .for_each(|(to, c)| *to = if *c { x } else { y });
            }
        }
    });
}

/// The choice between two values of a type.
pub(super) fn select(ty: ScalarType) -> Apply {
    by_type!(ty, T => choose::<T>)
}

/// The operand itself; a single one for each lane, where a column is written.
pub(super) fn copy(ty: ScalarType) -> Apply {
    by_type!(ty, T => |files, args, lanes| one::<T, T>(files, args, lanes, |x| x))
}

/// `base + lane * stride`, wrapped, in a column.
pub(super) fn ramp(files: &mut Files, args: &Args, lanes: Range<usize>) {
    let scalars = &u32::file(files).scalars;
    let [base, stride, _] = args.from;
    let (base, stride) = (scalars[base.index()], scalars[stride.index()]);
    let first = base.wrapping_add((lanes.start as u32).wrapping_mul(stride));
    with_column::<u32, ()>(files, args.to, |_, to| {
        for (n, to) in to[lanes].iter_mut().enumerate() {
            *to = first.wrapping_add((n as u32).wrapping_mul(stride));
        }
    });
}

/// Copies the lanes of a mask.
pub(super) fn assign(ty: ScalarType) -> CopyLanes {
    fn masked<T: Lane>(files: &mut Files, to: Reg, from: Reg, mask: &Mask) {
        let lanes = mask.range.clone();
        if to.is_scalar() {
            let value = T::file(files).scalars[from.index()];
            T::file_mut(files).scalars[to.index()] = value;
            return;
        }
        with_column::<T, ()>(files, to, |files, to| {
            let to = &mut to[lanes.clone()];
            match (T::file(files).operand(from, &lanes), mask.full) {
                (Operand::One(x), true) => to.fill(x),
                (Operand::Many(x), true) => to.copy_from_slice(x),
                (Operand::One(x), false) => {
                    let on = to.iter_mut().zip(&mask.lanes[lanes]);
                    on.for_each(|(to, on)| *to = if *on { x } else { *to });
                }
                (Operand::Many(x), false) => {
                    let on = to.iter_mut().zip(x).zip(&mask.lanes[lanes]);
                    on.for_each(|((to, x), on)| *to = if *on { *x } else { *to });
                }
            }
        });
    }
    by_type!(ty, T => masked::<T>)
}

/// Two columns change places.
pub(super) fn swap(ty: ScalarType) -> fn(&mut Files, Reg, Reg) {
    by_type!(ty, T => |files, x, y| {
        T::file_mut(files).columns.swap(x.index(), y.index());
    })
}

/// `x * y + z`: rounded once for floats, wrapping for integers.
pub(super) fn mul_add(ty: ScalarType) -> Apply {
    macro_rules! integers {
        ($ty:ident) => {
            |files, args, lanes| {
                three::<$ty>(files, args, lanes, |x, y, z| {
                    x.wrapping_mul(y).wrapping_add(z)
                })
            }
        };
    }
    match ty {
        ScalarType::F32 => {
            |files, args, lanes| three::<f32>(files, args, lanes, |x, y, z| x.mul_add(y, z))
        }
        ScalarType::F64 => {
            |files, args, lanes| three::<f64>(files, args, lanes, |x, y, z| x.mul_add(y, z))
        }
        ScalarType::U8 => integers!(u8),
        ScalarType::U16 => integers!(u16),
        ScalarType::U32 => integers!(u32),
        ScalarType::U64 => integers!(u64),
        ScalarType::I8 => integers!(i8),
        ScalarType::I16 => integers!(i16),
        ScalarType::I32 => integers!(i32),
        ScalarType::I64 => integers!(i64),
        ScalarType::Bool => |files, args, lanes| one::<bool, bool>(files, args, lanes, |x| x),
    }
}

/// An operator of one operand.
pub(super) fn unary(op: UnaryOp, ty: ScalarType) -> Apply {
    macro_rules! of {
        ($ty:ident, $x:ident => $value:expr) => {
            |files, args, lanes| one::<$ty, _>(files, args, lanes, |$x: $ty| $value)
        };
    }
    macro_rules! signed {
        ($ty:ident) => {
            match op {
                UnaryOp::Neg => of!($ty, x => x.wrapping_neg()),
                UnaryOp::Not => of!($ty, x => !x),
                UnaryOp::Abs => of!($ty, x => x.wrapping_abs()),
                _ => plain_unary::<$ty, $ty>,
            }
        };
    }
    macro_rules! unsigned {
        ($ty:ident) => {
            match op {
                UnaryOp::Not => of!($ty, x => !x),
                _ => plain_unary::<$ty, $ty>,
            }
        };
    }
    macro_rules! float {
        ($ty:ident, $bits:ident) => {
            match op {
                UnaryOp::Neg => of!($ty, x => -x),
                UnaryOp::Abs => of!($ty, x => x.abs()),
                UnaryOp::Sqrt => of!($ty, x => x.sqrt()),
                UnaryOp::Rsqrt => of!($ty, x => x.sqrt().recip()),
                UnaryOp::Exp => of!($ty, x => ops::exp(x)),
                UnaryOp::Ln => of!($ty, x => ops::ln(x)),
                UnaryOp::Sin => of!($ty, x => ops::sin(x)),
                UnaryOp::Cos => of!($ty, x => ops::cos(x)),
                UnaryOp::Tanh => of!($ty, x => ops::tanh(x)),
                UnaryOp::ToBits => of!($ty, x => x.to_bits()),
                _ => plain_unary::<$ty, $ty>,
            }
        };
    }
    match (op, ty) {
        (UnaryOp::FromBits, ScalarType::U32) => of!(u32, x => f32::from_bits(x)),
        (UnaryOp::FromBits, ScalarType::U64) => of!(u64, x => f64::from_bits(x)),
        (_, ScalarType::Bool) => match op {
            UnaryOp::Not => of!(bool, x => !x),
            _ => plain_unary::<bool, bool>,
        },
        (_, ScalarType::U8) => unsigned!(u8),
        (_, ScalarType::U16) => unsigned!(u16),
        (_, ScalarType::U32) => unsigned!(u32),
        (_, ScalarType::U64) => unsigned!(u64),
        (_, ScalarType::I8) => signed!(i8),
        (_, ScalarType::I16) => signed!(i16),
        (_, ScalarType::I32) => signed!(i32),
        (_, ScalarType::I64) => signed!(i64),
        (_, ScalarType::F32) => float!(f32, u32),
        (_, ScalarType::F64) => float!(f64, u64),
    }
}

/// An operator lane by lane, through its meaning.
fn plain_unary<T: Lane, R: Lane>(files: &mut Files, args: &Args, lanes: Range<usize>) {
    let Plain::Unary(op) = args.plain else { return };
    one::<T, R>(files, args, lanes, |x| {
        R::from_literal(meaning::unary(op, x.literal()))
    });
}

/// The same for two operands.
fn plain_binary<T: Lane>(files: &mut Files, args: &Args, lanes: Range<usize>) {
    let Plain::Binary(op) = args.plain else {
        return;
    };
    two::<T, T, T>(files, args, lanes, |x, y| {
        T::from_literal(meaning::binary(op, x.literal(), y.literal()))
    });
}

/// An operator of two operands, the left one of type `ty`.
pub(super) fn binary(op: BinaryOp, ty: ScalarType) -> Apply {
    if op.is_comparison() {
        return compare(op, ty);
    }
    macro_rules! of {
        ($ty:ident, $x:ident $y:ident => $value:expr) => {
            |files, args, lanes| two::<$ty, $ty, $ty>(files, args, lanes, |$x, $y| $value)
        };
    }
    macro_rules! shift {
        ($ty:ident, $x:ident $y:ident => $value:expr) => {
            |files, args, lanes| two::<$ty, u32, $ty>(files, args, lanes, |$x, $y| $value)
        };
    }
    macro_rules! integers {
        ($ty:ident) => {
            match op {
                BinaryOp::Add => of!($ty, x y => x.wrapping_add(y)),
                BinaryOp::Sub => of!($ty, x y => x.wrapping_sub(y)),
                BinaryOp::Mul => of!($ty, x y => x.wrapping_mul(y)),
                BinaryOp::Div => of!($ty, x y => ops::div(x, y)),
                BinaryOp::Rem => of!($ty, x y => ops::rem(x, y)),
                BinaryOp::And => of!($ty, x y => x & y),
                BinaryOp::Or => of!($ty, x y => x | y),
                BinaryOp::Xor => of!($ty, x y => x ^ y),
                BinaryOp::Shl => shift!($ty, x y => x.wrapping_shl(y)),
                BinaryOp::Shr => shift!($ty, x y => x.wrapping_shr(y)),
                BinaryOp::Min => of!($ty, x y => ops::min(x, y)),
                BinaryOp::Max => of!($ty, x y => ops::max(x, y)),
                _ => plain_binary::<$ty>,
            }
        };
    }
    macro_rules! floats {
        ($ty:ident) => {
            match op {
                BinaryOp::Add => of!($ty, x y => x + y),
                BinaryOp::Sub => of!($ty, x y => x - y),
                BinaryOp::Mul => of!($ty, x y => x * y),
                BinaryOp::Div | BinaryOp::FastDiv => of!($ty, x y => x / y),
                BinaryOp::Min => of!($ty, x y => ops::min(x, y)),
                BinaryOp::Max => of!($ty, x y => ops::max(x, y)),
                _ => plain_binary::<$ty>,
            }
        };
    }
    match ty {
        ScalarType::Bool => match op {
            BinaryOp::And => of!(bool, x y => x & y),
            BinaryOp::Or => of!(bool, x y => x | y),
            BinaryOp::Xor => of!(bool, x y => x ^ y),
            _ => plain_binary::<bool>,
        },
        ScalarType::U8 => integers!(u8),
        ScalarType::U16 => integers!(u16),
        ScalarType::U32 => integers!(u32),
        ScalarType::U64 => integers!(u64),
        ScalarType::I8 => integers!(i8),
        ScalarType::I16 => integers!(i16),
        ScalarType::I32 => integers!(i32),
        ScalarType::I64 => integers!(i64),
        ScalarType::F32 => floats!(f32),
        ScalarType::F64 => floats!(f64),
    }
}

/// A comparison of two values of a type.
#[allow(clippy::bool_comparison)]
fn compare(op: BinaryOp, ty: ScalarType) -> Apply {
    macro_rules! of {
        ($x:ident $y:ident => $value:expr) => {
            by_type!(ty, T => |files, args, lanes| two::<T, T, bool>(files, args, lanes, |$x, $y| $value))
        };
    }
    match op {
        BinaryOp::Eq => of!(x y => x == y),
        BinaryOp::Ne => of!(x y => x != y),
        BinaryOp::Lt => of!(x y => x < y),
        BinaryOp::Le => of!(x y => x <= y),
        BinaryOp::Gt => of!(x y => x > y),
        _ => of!(x y => x >= y),
    }
}

/// A value of one type as one of another.
pub(super) fn cast(from: ScalarType, to: ScalarType) -> Apply {
    /// Rust's `as`, but for `bool`.
    macro_rules! to_number {
        ($from:ident) => {
            match to {
                ScalarType::Bool => {
                    |files, args, lanes| one::<$from, bool>(files, args, lanes, |x| x != 0 as $from)
                }
                ScalarType::U8 => to_number!($from, u8),
                ScalarType::U16 => to_number!($from, u16),
                ScalarType::U32 => to_number!($from, u32),
                ScalarType::U64 => to_number!($from, u64),
                ScalarType::I8 => to_number!($from, i8),
                ScalarType::I16 => to_number!($from, i16),
                ScalarType::I32 => to_number!($from, i32),
                ScalarType::I64 => to_number!($from, i64),
                ScalarType::F32 => to_number!($from, f32),
                ScalarType::F64 => to_number!($from, f64),
            }
        };
        ($from:ident, $to:ident) => {
            |files, args, lanes| one::<$from, $to>(files, args, lanes, |x| x as $to)
        };
    }
    match from {
        ScalarType::Bool => by_type!(to, T => |files, args, lanes| {
            one::<bool, T>(files, args, lanes, |x| {
                T::from_literal(meaning::cast(T::TYPE, x.literal()))
            })
        }),
        ScalarType::U8 => to_number!(u8),
        ScalarType::U16 => to_number!(u16),
        ScalarType::U32 => to_number!(u32),
        ScalarType::U64 => to_number!(u64),
        ScalarType::I8 => to_number!(i8),
        ScalarType::I16 => to_number!(i16),
        ScalarType::I32 => to_number!(i32),
        ScalarType::I64 => to_number!(i64),
        ScalarType::F32 => to_number!(f32),
        ScalarType::F64 => to_number!(f64),
    }
}
