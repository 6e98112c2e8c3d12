//! Operators as loops over columns.
//!
//! The meaning is that of `obsidian_core::scalar::meaning`, bit for bit; a test holds every operator
//! and type to it on edge values. Operators that take long anyway are computed through `meaning`
//! itself; the others are written out, a loop for each type, which the compiler makes vectors of.

use std::ops::Range;

use obsidian_language::scalar::{BinaryOp, Scalar, ScalarType, UnaryOp, meaning};

use super::code::{Apply, Args, CopyLanes, Plain, Reg};
use super::files::{Files, Lane, Operand, given_back, lent, with_column};
use super::masks::Mask;
use crate::element::by_type;
#[cfg(target_arch = "x86_64")]
use crate::generated::has_vectors;
use crate::generated::ops;

/// Has this processor the instructions that loops are compiled with once more?
#[cfg(target_arch = "x86_64")]
fn is_wide() -> bool {
    #[cfg(test)]
    if super::tests::NARROW.get() {
        return false;
    }
    has_vectors()
}

/// A function whose loops are compiled twice: for any processor of the target, and with the vectors that most have. Casts, small integers and what calls a
/// function for each lane are not worth the time that it takes to compile them.
macro_rules! widened {
    ($(#[$doc:meta])* fn $name:ident[$($generics:tt)*]($($arg:ident: $ty:ty),*) as $inside:ident::<$($own:ident),+>) => {
        $(#[$doc])*
        #[inline(always)]
        fn $name<$($generics)*>($($arg: $ty),*) {
            #[cfg(target_arch = "x86_64")]
            if is_wide() {
                #[target_feature(enable = "avx,avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
                fn wide<$($generics)*>($($arg: $ty),*) {
                    $inside::<$($own),+>($($arg),*);
                }
                // SAFETY: it is safe code but for the instructions that it is compiled with, and this processor has all of them.
                return unsafe { wide::<$($own),+>($($arg),*) };
            }
            $inside::<$($own),+>($($arg),*);
        }
    };
}

widened! {
    /// A function of one operand, for all lanes.
    fn one[T: Lane, R: Lane, F: Fn(T) -> R](files: &mut Files, args: &Args, lanes: Range<usize>, f: F) as one_inside::<T, R, F>
}

widened! {
    /// A function of two operands, for all lanes.
    fn two[T: Lane, U: Lane, R: Lane, F: Fn(T, U) -> R](files: &mut Files, args: &Args, lanes: Range<usize>, f: F) as two_inside::<T, U, R, F>
}

widened! {
    /// A function of three columns or of three single values.
    fn three[T: Lane, F: Fn(T, T, T) -> T](files: &mut Files, args: &Args, lanes: Range<usize>, f: F) as three_inside::<T, F>
}

widened! {
    /// One of two values by a condition, for all lanes.
    fn choose[T: Lane](files: &mut Files, args: &Args, lanes: Range<usize>) as choose_inside::<T>
}

#[inline(always)]
fn one_inside<T: Lane, R: Lane, F: Fn(T) -> R>(
    files: &mut Files,
    args: &Args,
    lanes: Range<usize>,
    f: F,
) {
    let x = args.from[0];
    if args.to.is_scalar() {
        let value = f(T::file(files).scalars[x.index()]);
        R::file_mut(files).scalars[args.to.index()] = value;
        return;
    }
    let mut column = lent::<R>(files, args.to);
    let to = &mut column[lanes.clone()];
    match T::file(files).operand(x, &lanes) {
        Operand::One(x) => to.fill(f(x)),
        Operand::Many(x) => {
            for (to, x) in to.iter_mut().zip(x) {
                *to = f(*x);
            }
        }
    }
    given_back(files, args.to, column);
}

#[inline(always)]
fn two_inside<T: Lane, U: Lane, R: Lane, F: Fn(T, U) -> R>(
    files: &mut Files,
    args: &Args,
    lanes: Range<usize>,
    f: F,
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
    let mut column = lent::<R>(files, args.to);
    let to = &mut column[lanes.clone()];
    let (x, y) = (
        T::file(files).operand(x, &lanes),
        U::file(files).operand(y, &lanes),
    );
    match (x, y) {
        (Operand::Many(x), Operand::Many(y)) => {
            for (to, (x, y)) in to.iter_mut().zip(x.iter().zip(y)) {
                *to = f(*x, *y);
            }
        }
        (Operand::Many(x), Operand::One(y)) => {
            for (to, x) in to.iter_mut().zip(x) {
                *to = f(*x, y);
            }
        }
        (Operand::One(x), Operand::Many(y)) => {
            for (to, y) in to.iter_mut().zip(y) {
                *to = f(x, *y);
            }
        }
        (Operand::One(x), Operand::One(y)) => to.fill(f(x, y)),
    }
    given_back(files, args.to, column);
}

#[inline(always)]
fn three_inside<T: Lane, F: Fn(T, T, T) -> T>(
    files: &mut Files,
    args: &Args,
    lanes: Range<usize>,
    f: F,
) {
    let from = args.from;
    if args.to.is_scalar() {
        let scalars = &T::file(files).scalars;
        let [x, y, z] = from.map(|reg| scalars[reg.index()]);
        T::file_mut(files).scalars[args.to.index()] = f(x, y, z);
        return;
    }
    let mut column = lent::<T>(files, args.to);
    let columns = &T::file(files).columns;
    let [x, y, z] = from.map(|reg| &columns[reg.index()][lanes.clone()]);
    let all = x.iter().zip(y).zip(z);
    for (to, ((x, y), z)) in column[lanes].iter_mut().zip(all) {
        *to = f(*x, *y, *z);
    }
    given_back(files, args.to, column);
}

#[inline(always)]
fn choose_inside<T: Lane>(files: &mut Files, args: &Args, lanes: Range<usize>) {
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
        return one_inside::<T, T, _>(files, &args, lanes, |x| x);
    }
    let mut column = lent::<T>(files, args.to);
    let conditions = bool::file(files).columns[condition.index()][lanes.clone()].iter();
    let file = T::file(files);
    let (x, y) = (file.operand(x, &lanes), file.operand(y, &lanes));
    let to = column[lanes].iter_mut().zip(conditions);
    match (x, y) {
        (Operand::Many(x), Operand::Many(y)) => {
            for ((to, c), (x, y)) in to.zip(x.iter().zip(y)) {
                *to = T::either(*c, *x, *y);
            }
        }
        (Operand::Many(x), Operand::One(y)) => {
            for ((to, c), x) in to.zip(x) {
                *to = T::either(*c, *x, y);
            }
        }
        (Operand::One(x), Operand::Many(y)) => {
            for ((to, c), y) in to.zip(y) {
                *to = T::either(*c, x, *y);
            }
        }
        (Operand::One(x), Operand::One(y)) => {
            for (to, c) in to {
                *to = T::either(*c, x, y);
            }
        }
    }
    given_back(files, args.to, column);
}

/// The choice between two values of a type.
pub(super) fn select(ty: ScalarType) -> Apply {
    by_type!(ty, T => choose::<T>)
}

/// The operand itself; a single one for each lane, where a column is written.
pub(super) fn copy(ty: ScalarType) -> Apply {
    by_type!(ty, T => |files, args, lanes| one::<T, T, _>(files, args, lanes, |x| x))
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

/// The lanes for which `first + lane`, wrapped, is below a limit or at most it: they are neighbours, or the others are, as there are fewer
/// lanes than numbers. Neighbours, and whether it holds of them.
pub(super) fn lanes_below(first: u32, limit: u32, inclusive: bool) -> (Range<usize>, bool) {
    // The first lane whose number is 0.
    let zero = (u32::MAX - first) as usize + 1;
    let (first, limit) = (first as usize, limit as usize + usize::from(inclusive));
    match first < limit {
        true => (limit - first..zero, false),
        false => (zero..zero + limit, true),
    }
}

/// A condition of neighbours, by lane.
pub(super) fn below<const INCLUSIVE: bool, const NEGATED: bool>(
    files: &mut Files,
    args: &Args,
    lanes: Range<usize>,
) {
    let scalars = &u32::file(files).scalars;
    let [first, limit] = [args.from[0], args.from[1]].map(|reg| scalars[reg.index()]);
    let (inside, holds) = lanes_below(first, limit, INCLUSIVE);
    let at = |lane: usize| lane.clamp(lanes.start, lanes.end);
    with_column::<bool, ()>(files, args.to, |_, to| {
        to[lanes.clone()].fill(holds == NEGATED);
        to[at(inside.start)..at(inside.end)].fill(holds != NEGATED);
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
                three::<$ty, _>(files, args, lanes, |x, y, z| {
                    x.wrapping_mul(y).wrapping_add(z)
                })
            }
        };
    }
    match ty {
        ScalarType::F32 => {
            |files, args, lanes| three::<f32, _>(files, args, lanes, |x, y, z| x.mul_add(y, z))
        }
        ScalarType::F64 => {
            |files, args, lanes| three::<f64, _>(files, args, lanes, |x, y, z| x.mul_add(y, z))
        }
        ScalarType::U8 => integers!(u8),
        ScalarType::U16 => integers!(u16),
        ScalarType::U32 => integers!(u32),
        ScalarType::U64 => integers!(u64),
        ScalarType::I8 => integers!(i8),
        ScalarType::I16 => integers!(i16),
        ScalarType::I32 => integers!(i32),
        ScalarType::I64 => integers!(i64),
        ScalarType::Bool => |files, args, lanes| one::<bool, bool, _>(files, args, lanes, |x| x),
    }
}

/// A whole number beside a float. Where floats have fractions, `r` is the nearest whole number, halves to the even one, by adding the
/// first number from which on they have none: processors without an instruction for it would call a function for each lane.
macro_rules! rounded {
    ($ty:ident, $x:ident, $r:ident => $value:expr) => {{
        const WHOLE: $ty = (1u64 << ($ty::MANTISSA_DIGITS - 1)) as $ty;
        if $x.abs() < WHOLE {
            let $r = (($x.abs() + WHOLE) - WHOLE).copysign($x);
            let value: $ty = $value;
            value.copysign($x)
        } else {
            $x
        }
    }};
}

/// An operator of one operand.
pub(super) fn unary(op: UnaryOp, ty: ScalarType) -> Apply {
    macro_rules! of {
        ($ty:ident, $x:ident => $value:expr) => {
            |files, args, lanes| one::<$ty, _, _>(files, args, lanes, |$x: $ty| $value)
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
                UnaryOp::Exp | UnaryOp::FastExp => of!($ty, x => ops::exp(x)),
                UnaryOp::Ln | UnaryOp::FastLn => of!($ty, x => ops::ln(x)),
                UnaryOp::Sin | UnaryOp::FastSin => of!($ty, x => ops::sin(x)),
                UnaryOp::Cos | UnaryOp::FastCos => of!($ty, x => ops::cos(x)),
                UnaryOp::Floor => of!($ty, x => rounded!($ty, x, r => if r > x { r - 1.0 } else { r })),
                UnaryOp::Ceil => of!($ty, x => rounded!($ty, x, r => if r < x { r + 1.0 } else { r })),
                UnaryOp::Trunc => of!($ty, x => rounded!($ty, x, r => if r.abs() > x.abs() { r - x.signum() } else { r })),
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
    one_inside::<T, R, _>(files, args, lanes, |x| {
        R::from_literal(meaning::unary(op, x.literal()))
    });
}

/// The same for two operands.
fn plain_binary<T: Lane>(files: &mut Files, args: &Args, lanes: Range<usize>) {
    let Plain::Binary(op) = args.plain else {
        return;
    };
    two_inside::<T, T, T, _>(files, args, lanes, |x, y| {
        T::from_literal(meaning::binary(op, x.literal(), y.literal()))
    });
}

/// An operator of two operands, the left one of type `ty`.
pub(super) fn binary(op: BinaryOp, ty: ScalarType) -> Apply {
    if op.is_comparison() {
        return compare(op, ty);
    }
    macro_rules! of {
        ($ty:ident $two:ident, $x:ident $y:ident => $value:expr) => {
            |files, args, lanes| $two::<$ty, $ty, $ty, _>(files, args, lanes, |$x, $y| $value)
        };
    }
    macro_rules! shift {
        ($ty:ident $two:ident, $x:ident $y:ident => $value:expr) => {
            |files, args, lanes| $two::<$ty, u32, $ty, _>(files, args, lanes, |$x, $y| $value)
        };
    }
    match (op, ty) {
        (BinaryOp::Div, ScalarType::U32) => return divided::<u32>,
        (BinaryOp::Rem, ScalarType::U32) => return left_over::<u32>,
        (BinaryOp::Div, ScalarType::I32) => return divided::<i32>,
        (BinaryOp::Rem, ScalarType::I32) => return left_over::<i32>,
        _ => {}
    }
    macro_rules! integers {
        ($ty:ident $two:ident) => {
            match op {
                BinaryOp::Add => of!($ty $two, x y => x.wrapping_add(y)),
                BinaryOp::Sub => of!($ty $two, x y => x.wrapping_sub(y)),
                BinaryOp::Mul => of!($ty $two, x y => x.wrapping_mul(y)),
                BinaryOp::Div => of!($ty $two, x y => ops::div(x, y)),
                BinaryOp::Rem => of!($ty $two, x y => ops::rem(x, y)),
                BinaryOp::And => of!($ty $two, x y => x & y),
                BinaryOp::Or => of!($ty $two, x y => x | y),
                BinaryOp::Xor => of!($ty $two, x y => x ^ y),
                BinaryOp::Shl => shift!($ty $two, x y => x.wrapping_shl(y)),
                BinaryOp::Shr => shift!($ty $two, x y => x.wrapping_shr(y)),
                BinaryOp::Min => of!($ty $two, x y => ops::min(x, y)),
                BinaryOp::Max => of!($ty $two, x y => ops::max(x, y)),
                _ => plain_binary::<$ty>,
            }
        };
    }
    macro_rules! floats {
        ($ty:ident) => {
            match op {
                BinaryOp::Add => of!($ty two, x y => x + y),
                BinaryOp::Sub => of!($ty two, x y => x - y),
                BinaryOp::Mul => of!($ty two, x y => x * y),
                BinaryOp::Div | BinaryOp::FastDiv => of!($ty two, x y => x / y),
                BinaryOp::Min => of!($ty two, x y => ops::min(x, y)),
                BinaryOp::Max => of!($ty two, x y => ops::max(x, y)),
                BinaryOp::Pow => of!($ty two, x y => ops::pow(x, y)),
                _ => plain_binary::<$ty>,
            }
        };
    }
    match ty {
        ScalarType::Bool => match op {
            BinaryOp::And => of!(bool two, x y => x & y),
            BinaryOp::Or => of!(bool two, x y => x | y),
            BinaryOp::Xor => of!(bool two, x y => x ^ y),
            _ => plain_binary::<bool>,
        },
        ScalarType::U8 => integers!(u8 two_inside),
        ScalarType::U16 => integers!(u16 two_inside),
        ScalarType::U32 => integers!(u32 two),
        ScalarType::U64 => integers!(u64 two),
        ScalarType::I8 => integers!(i8 two_inside),
        ScalarType::I16 => integers!(i16 two_inside),
        ScalarType::I32 => integers!(i32 two),
        ScalarType::I64 => integers!(i64 two),
        ScalarType::F32 => floats!(f32),
        ScalarType::F64 => floats!(f64),
    }
}

/// Integers of 32 bits, which a product of floats divides by a number that all lanes share: processors have no vectors of quotients.
trait Divided: Lane + ops::Integer {
    /// The quotient by `by`, which is not 0, of which `inverse` is the inverse of the absolute value.
    fn by(self, by: Self, inverse: f64) -> Self;
    /// The rest that a quotient by it leaves.
    fn rest(self, quotient: Self, by: Self) -> Self;
    /// The inverse of the absolute value.
    fn inverse(self) -> f64;
}

/// `x` divided by the number of which `inverse` is the inverse.
///
/// `(x + 1/2) / d` is at least `1 / 2d` away from a whole number. The product with the inverse is nearer than that to it, as it is off by at
/// most 2^-51 of itself and `x` is below 2^32. So half less is rounded to the quotient; adding 3/2 of 2^52 does that, and leaves it in the low bits.
#[inline(always)]
fn quotient(x: u32, inverse: f64) -> u32 {
    const WHOLE: f64 = (1u64 << 52) as f64;
    let x = f64::from_bits(WHOLE.to_bits() | u64::from(x)) - WHOLE;
    ((x + 0.5) * inverse - 0.5 + 1.5 * WHOLE).to_bits() as u32
}

impl Divided for u32 {
    #[inline(always)]
    fn by(self, _: u32, inverse: f64) -> u32 {
        quotient(self, inverse)
    }
    #[inline(always)]
    fn rest(self, quotient: u32, by: u32) -> u32 {
        self.wrapping_sub(quotient.wrapping_mul(by))
    }
    fn inverse(self) -> f64 {
        f64::from(self).recip()
    }
}

impl Divided for i32 {
    #[inline(always)]
    fn by(self, by: i32, inverse: f64) -> i32 {
        let sign = (self ^ by) >> 31;
        let size = quotient(self.unsigned_abs(), inverse).cast_signed();
        (size ^ sign).wrapping_sub(sign)
    }
    #[inline(always)]
    fn rest(self, quotient: i32, by: i32) -> i32 {
        self.wrapping_sub(quotient.wrapping_mul(by))
    }
    fn inverse(self) -> f64 {
        f64::from(self.unsigned_abs()).recip()
    }
}

/// The number that a column is divided by, and its inverse, if all lanes share it and it is not 0.
fn shared_divisor<T: Divided>(files: &Files, args: &Args) -> Option<(T, f64)> {
    let by = args.from[1];
    let by =
        (by.is_scalar() && !args.to.is_scalar()).then(|| T::file(files).scalars[by.index()])?;
    let inverse = by.inverse();
    inverse.is_finite().then_some((by, inverse))
}

/// Quotients.
fn divided<T: Divided>(files: &mut Files, args: &Args, lanes: Range<usize>) {
    match shared_divisor::<T>(files, args) {
        Some((by, inverse)) => one::<T, T, _>(files, args, lanes, |x| x.by(by, inverse)),
        None => two::<T, T, T, _>(files, args, lanes, ops::div),
    }
}

/// Rests.
fn left_over<T: Divided>(files: &mut Files, args: &Args, lanes: Range<usize>) {
    match shared_divisor::<T>(files, args) {
        Some((by, inverse)) => {
            one::<T, T, _>(files, args, lanes, |x| x.rest(x.by(by, inverse), by))
        }
        None => two::<T, T, T, _>(files, args, lanes, ops::rem),
    }
}

/// A comparison of two values of a type.
#[allow(clippy::bool_comparison)]
fn compare(op: BinaryOp, ty: ScalarType) -> Apply {
    macro_rules! of {
        ($x:ident $y:ident => $value:expr) => {
            by_type!(ty, T => |files, args, lanes| two::<T, T, bool, _>(files, args, lanes, |$x, $y| $value))
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
                ScalarType::Bool => |files, args, lanes| {
                    one_inside::<$from, bool, _>(files, args, lanes, |x| x != 0 as $from)
                },
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
            |files, args, lanes| one_inside::<$from, $to, _>(files, args, lanes, |x| x as $to)
        };
    }
    match from {
        ScalarType::Bool => by_type!(to, T => |files, args, lanes| {
            one_inside::<bool, T, _>(files, args, lanes, |x| {
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
