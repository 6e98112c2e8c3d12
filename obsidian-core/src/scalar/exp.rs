//! Device values: small handles to nodes of the current build.

use std::marker::PhantomData;

use super::arena::Session;
use super::{
    BinaryOp, Float, Integer, Literal, Node, NodeId, Number, Scalar, ScalarType, UnaryOp, session,
};
use crate::error::catalogue;

/// A handle to a node, with the build that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle {
    node: NodeId,
    generation: u32,
}

impl Handle {
    /// The node, or a poison of the type when the handle is of another build.
    fn resolve(self, s: &mut Session, ty: ScalarType) -> NodeId {
        if self.generation == s.generation {
            return self.node;
        }
        s.report(catalogue::stale_expression());
        s.tables.nodes.add(Node::Poison, ty)
    }

    fn make(f: impl FnOnce(&mut Session) -> NodeId) -> Self {
        session(|s| Handle {
            node: f(s),
            generation: s.generation,
        })
        .unwrap_or(Handle {
            node: NodeId(0),
            generation: 0,
        })
    }
}

/// A device value of element type `T`: a value that a kernel computes when it runs.
///
/// It is `Copy`, belongs to one kernel build, and cannot leave its thread. The usual operators work
/// on two device values and on a device value and a Rust value of its type; they wrap (see
/// [`meaning`](super::meaning)).
pub struct Exp<T> {
    handle: Handle,
    of: PhantomData<*const T>,
}

impl<T> Clone for Exp<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Exp<T> {}

impl<T: Scalar> std::fmt::Debug for Exp<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Exp<{}>#{:?}", T::TYPE.name(), self.handle)
    }
}

/// A device value whose type is known only when the front end runs.
#[derive(Clone, Copy, Debug)]
pub struct AnyExp {
    handle: Handle,
    ty: ScalarType,
}

impl AnyExp {
    /// The type.
    pub fn ty(self) -> ScalarType {
        self.ty
    }

    /// The value as one of a known type, if that is its type.
    pub fn typed<T: Scalar>(self) -> Option<Exp<T>> {
        (self.ty == T::TYPE).then_some(Exp {
            handle: self.handle,
            of: PhantomData,
        })
    }

    /// A literal.
    pub fn literal(literal: Literal) -> Self {
        Self::make(literal.ty(), |s| s.tables.nodes.add_literal(literal))
    }

    /// The value of a node of the current build.
    pub fn from_node(node: NodeId, ty: ScalarType) -> Self {
        Self::make(ty, |_| node)
    }

    /// The node of the current build.
    pub fn node(self) -> NodeId {
        session(|s| self.handle.resolve(s, self.ty)).unwrap_or(self.handle.node)
    }

    /// The value, if it is known.
    pub fn as_literal(self) -> Option<Literal> {
        let node = self.node();
        session(|s| s.tables.nodes.literal(node)).flatten()
    }

    /// Stands for a value that a mistake has made impossible.
    pub fn poison(ty: ScalarType) -> Self {
        Self::make(ty, |s| s.tables.nodes.add(Node::Poison, ty))
    }

    /// An operator of one operand; poison, with a report, where the type does not have it.
    #[track_caller]
    pub fn unary(op: UnaryOp, value: AnyExp) -> AnyExp {
        if !op.accepts(value.ty) {
            super::report(catalogue::no_operator_of_the_device(
                op.name(),
                &value.ty.exp_name(),
                &types_where(|ty| op.accepts(ty)),
            ));
            return Self::poison(op.result(value.ty));
        }
        Self::make(op.result(value.ty), |s| {
            let value = value.handle.resolve(s, value.ty);
            s.tables.nodes.unary(op, value)
        })
    }

    /// An operator of two operands; poison, with a report, where the types do not have it.
    #[track_caller]
    pub fn binary(op: BinaryOp, left: AnyExp, right: AnyExp) -> AnyExp {
        let wanted = if op.is_shift() {
            ScalarType::U32
        } else {
            left.ty
        };
        if right.ty != wanted {
            super::report(catalogue::mismatched_types(
                op.name(),
                &left.ty.exp_name(),
                &right.ty.exp_name(),
            ));
            return Self::poison(op.result(left.ty));
        }
        if !op.accepts(left.ty) {
            super::report(catalogue::no_operator_of_the_device(
                op.name(),
                &left.ty.exp_name(),
                &types_where(|ty| op.accepts(ty)),
            ));
            return Self::poison(op.result(left.ty));
        }
        Self::make(op.result(left.ty), |s| {
            let (left, right) = (
                left.handle.resolve(s, left.ty),
                right.handle.resolve(s, right.ty),
            );
            s.tables.nodes.binary(op, left, right)
        })
    }

    /// `left * right + addend` with one rounding; the types must be one.
    #[track_caller]
    pub fn mul_add(left: AnyExp, right: AnyExp, addend: AnyExp) -> AnyExp {
        if left.ty != right.ty || left.ty != addend.ty {
            super::report(catalogue::mismatched_types(
                "mul_add",
                &left.ty.exp_name(),
                &right.ty.exp_name(),
            ));
            return Self::poison(left.ty);
        }
        Self::make(left.ty, |s| {
            let [x, y, z] = [left, right, addend].map(|e| e.handle.resolve(s, e.ty));
            s.tables.nodes.mul_add(x, y, z)
        })
    }

    /// One of two values of one type.
    #[track_caller]
    pub fn select(condition: Exp<bool>, then: AnyExp, otherwise: AnyExp) -> AnyExp {
        if then.ty != otherwise.ty {
            super::report(catalogue::mismatched_types(
                "select",
                &then.ty.exp_name(),
                &otherwise.ty.exp_name(),
            ));
            return Self::poison(then.ty);
        }
        Self::make(then.ty, |s| {
            let condition = condition.handle.resolve(s, ScalarType::Bool);
            let (x, y) = (
                then.handle.resolve(s, then.ty),
                otherwise.handle.resolve(s, otherwise.ty),
            );
            s.tables.nodes.select(condition, x, y)
        })
    }

    /// The quotient, rounded up, of numbers of type `u32`: no step of it wraps.
    #[track_caller]
    pub fn div_ceil(self, divisor: AnyExp) -> AnyExp {
        let (whole, rest) = (
            AnyExp::binary(BinaryOp::Div, self, divisor),
            AnyExp::binary(BinaryOp::Rem, self, divisor),
        );
        let one = AnyExp::literal(1u32.literal());
        let more = AnyExp::binary(BinaryOp::Min, rest, one);
        AnyExp::binary(BinaryOp::Add, whole, more)
    }

    /// The value as another type, as Rust's `as` does it.
    pub fn cast(self, to: ScalarType) -> AnyExp {
        Self::make(to, |s| {
            let value = self.handle.resolve(s, self.ty);
            s.tables.nodes.cast(to, value)
        })
    }

    fn make(ty: ScalarType, f: impl FnOnce(&mut Session) -> NodeId) -> Self {
        AnyExp {
            handle: Handle::make(f),
            ty,
        }
    }
}

/// The types for which something holds, as users write them.
pub fn types_where(holds: impl Fn(ScalarType) -> bool) -> String {
    let types: Vec<String> = ScalarType::ALL
        .into_iter()
        .filter(|ty| holds(*ty))
        .map(ScalarType::exp_name)
        .collect();
    types.join(", ")
}

/// A Rust value as a device value.
///
/// In a `#[kernels]` module a literal needs no `lit` where a device value is wanted: beside one
/// (`x * 2.0`), as what `select` chooses, as an element (`chunks(64, 0.0)`, `generate(n, |i| 1.0)`,
/// `m.write(i, 5)`), as the start of a loop, and where a parameter, a result or a `let` has a device
/// type. `lit` is for variables and constants of Rust, and for literals whose type nothing tells.
pub fn lit<T: Scalar>(value: T) -> Exp<T> {
    let any = AnyExp::literal(value.literal());
    Exp {
        handle: any.handle,
        of: PhantomData,
    }
}

impl<T: Scalar> From<T> for Exp<T> {
    fn from(value: T) -> Self {
        lit(value)
    }
}

impl<T: Scalar> Exp<T> {
    /// The same value, with its type as a value.
    pub fn any(self) -> AnyExp {
        AnyExp {
            handle: self.handle,
            ty: T::TYPE,
        }
    }

    pub(super) fn from_any(any: AnyExp) -> Self {
        any.typed().unwrap_or_else(|| Exp {
            handle: AnyExp::poison(T::TYPE).handle,
            of: PhantomData,
        })
    }

    /// The value of a node of the current build, which has type `T`.
    pub fn from_node(node: NodeId) -> Self {
        Self::from_any(AnyExp::from_node(node, T::TYPE))
    }

    /// The node of the current build.
    pub fn node(self) -> NodeId {
        self.any().node()
    }

    /// The value, if it is known.
    pub fn as_literal(self) -> Option<T> {
        self.any().as_literal().map(T::from_literal)
    }

    /// Stands for a value that a mistake has made impossible.
    pub fn poison() -> Self {
        Self::from_any(AnyExp::poison(T::TYPE))
    }

    #[track_caller]
    pub(super) fn unary(self, op: UnaryOp) -> Self {
        Self::from_any(AnyExp::unary(op, self.any()))
    }

    #[track_caller]
    pub(super) fn binary<U: Scalar, R: Scalar>(self, op: BinaryOp, right: Exp<U>) -> Exp<R> {
        Exp::from_any(AnyExp::binary(op, self.any(), right.any()))
    }

    /// The value as another type, as Rust's `as` does it: floats saturate, NaN becomes 0.
    pub fn cast<U: Scalar>(self) -> Exp<U> {
        Exp::from_any(self.any().cast(U::TYPE))
    }
}

macro_rules! methods {
    ($bound:ident; $($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        impl<T: $bound> Exp<T> {
            $($(#[$doc])* #[must_use] pub fn $name(self) -> Self { self.unary(UnaryOp::$op) })*
        }
    };
}

methods! { Number;
    /// The wrapping absolute value; for signed integers and floats.
    abs Abs;
    /// The sign: -1, 0 or 1 for signed integers; 1 with the sign for floats.
    signum Signum;
}

methods! { Integer;
    /// The number of set bits, in the value's own type.
    count_ones CountOnes;
    /// The number of zero bits from the top, in the value's own type.
    leading_zeros LeadingZeros;
    /// The number of zero bits from the bottom, in the value's own type.
    trailing_zeros TrailingZeros;
    /// The bits in opposite order.
    reverse_bits ReverseBits;
}

methods! { Float;
    /// The square root.
    sqrt Sqrt;
    /// `1 / sqrt(x)`; on a GPU at most 2 units in the last place off.
    rsqrt Rsqrt;
    /// The cube root.
    cbrt Cbrt;
    /// `e` to the power of `x`; at most 0.8 units in the last place off on the CPU.
    exp Exp;
    /// 2 to the power of `x`.
    exp2 Exp2;
    /// `e` to the power of `x`, less 1, which is exact also where `x` is near 0.
    exp_m1 ExpM1;
    /// The natural logarithm; at most 0.9 units in the last place off on the CPU.
    ln Ln;
    /// The natural logarithm of `1 + x`, which is exact also where `x` is near 0.
    ln_1p Ln1p;
    /// The logarithm to base 2.
    log2 Log2;
    /// The logarithm to base 10.
    log10 Log10;
    /// The sine of radians; at most 0.9 units in the last place off on the CPU, however large `x` is.
    sin Sin;
    /// The cosine of radians; at most 0.9 units in the last place off on the CPU, however large `x` is.
    cos Cos;
    /// The tangent of radians.
    tan Tan;
    /// The arc sine, in radians.
    asin Asin;
    /// The arc cosine, in radians.
    acos Acos;
    /// The arc tangent, in radians.
    atan Atan;
    /// The hyperbolic sine.
    sinh Sinh;
    /// The hyperbolic cosine.
    cosh Cosh;
    /// The hyperbolic tangent; at most 1.5 units in the last place off on the CPU.
    tanh Tanh;
    /// The inverse hyperbolic sine.
    asinh Asinh;
    /// The inverse hyperbolic cosine.
    acosh Acosh;
    /// The inverse hyperbolic tangent.
    atanh Atanh;
    /// The error function.
    erf Erf;
    /// Rounds down.
    floor Floor;
    /// Rounds up.
    ceil Ceil;
    /// Rounds to the nearest, halves away from zero.
    round Round;
    /// Rounds towards zero.
    trunc Trunc;
}

impl<T: Number> Exp<T> {
    /// The smaller of two; a number rather than a NaN, `-0` rather than `0`.
    #[must_use]
    pub fn min(self, other: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::Min, other.into())
    }

    /// The larger of two; a number rather than a NaN, `0` rather than `-0`.
    #[must_use]
    pub fn max(self, other: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::Max, other.into())
    }

    /// At least `low`, and then at most `high`.
    #[must_use]
    pub fn clamp(self, low: impl Into<Exp<T>>, high: impl Into<Exp<T>>) -> Self {
        self.max(low).min(high)
    }

    /// `self * factor + addend`, rounded once for floats.
    #[must_use]
    pub fn mul_add(self, factor: impl Into<Exp<T>>, addend: impl Into<Exp<T>>) -> Self {
        Self::from_any(AnyExp::mul_add(
            self.any(),
            factor.into().any(),
            addend.into().any(),
        ))
    }
}

impl Exp<u32> {
    /// The quotient, rounded up: the number of pieces of `divisor` elements that `self` elements
    /// need. Unlike `(n + 255) / 256`, `n.div_ceil(256)` never wraps.
    ///
    /// As `x / 0` is 0 and `x % 0` is `x` on every device, `x.div_ceil(0)` is 1, and 0 for 0.
    #[must_use]
    #[track_caller]
    pub fn div_ceil(self, divisor: impl Into<Exp<u32>>) -> Self {
        Self::from_any(self.any().div_ceil(divisor.into().any()))
    }

    /// The same number, as an index for which you vouch: you promise that it is below the length of
    /// the array, and the compiler does not check that it is.
    ///
    /// It promises nothing else: that an element is written once, and that no two threads write it,
    /// is still proved. If the indices come from data, [`distinct`](Self::distinct) promises that.
    ///
    /// On the CPU and on the simulator an index that is outside is a fault, which names the line; on
    /// a GPU it is undefined behaviour.
    #[must_use]
    pub fn unchecked(self) -> Self {
        self.unary(UnaryOp::Trust)
    }

    /// The same number, as an index that no other access has: the targets of a scatter, the ranks of
    /// a compaction, a permutation. What JAX calls `unique_indices`.
    ///
    /// An access is *distinct* if its index, or a part of it, is marked so. What a condition in the
    /// index compares is no part of it. You promise of the distinct accesses of an array:
    ///
    /// - If one of them writes an element, no other thread and no other iteration writes or reads that
    ///   element by a distinct access between the same two barriers.
    /// - If the array is a push array, no element is written twice.
    ///
    /// The compiler then takes that for granted.
    ///
    /// It promises nothing else. The bound is still proved: `i.unchecked().distinct()` vouches for
    /// both. Each element of a push array has to be written, so the compiler proves that there are as
    /// many writes as elements. Other accesses of the array, whose indices are not marked, are
    /// checked against these as always.
    ///
    /// The simulator checks the promise when the kernel runs: two writes of one element are a fault
    /// that names the line, and so is an output element that nothing writes. On a GPU a broken
    /// promise is a data race, or leaves an element unwritten.
    ///
    /// ```ignore
    /// /// `x[i]` goes to place `to[i]`, which a launch gives: a permutation.
    /// fn scatter(to: DPull<EU32>, x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///     let n = x.len();
    ///     require(to.len().equals(n));
    ///     mk_push(n, |write| {
    ///         distr_par(n.div_ceil(256), |b| {
    ///             for_all(256, |t| {
    ///                 let i = b * 256 + t;
    ///                 cond(i < n, write(x[i], to[i].unchecked().distinct()), pure(()))
    ///             })
    ///         })
    ///     })
    /// }
    /// ```
    #[must_use]
    pub fn distinct(self) -> Self {
        self.unary(UnaryOp::Distinct)
    }
}

impl<T: Float> Exp<T> {
    /// To the power of `exponent`; at most 0.86 units in the last place off on the CPU (0.502 for `f32`).
    ///
    /// Special cases are those of Rust's `powf`: `x` to the power of 0 is 1, 1 to the power of anything is 1,
    /// and a negative number has powers for integers alone.
    #[must_use]
    pub fn powf(self, exponent: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::Pow, exponent.into())
    }

    /// The angle of the point `(x, self)`, in radians.
    #[must_use]
    pub fn atan2(self, x: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::Atan2, x.into())
    }

    /// The length of the vector `(self, other)`, also where the squares would leave the type.
    #[must_use]
    pub fn hypot(self, other: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::Hypot, other.into())
    }

    /// With the sign of another value.
    #[must_use]
    pub fn copysign(self, sign: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::CopySign, sign.into())
    }
}

/// One of two device values; `condition` is known only when the kernel runs.
#[track_caller]
pub fn select_exp<T: Scalar>(condition: Exp<bool>, then: Exp<T>, otherwise: Exp<T>) -> Exp<T> {
    Exp::from_any(AnyExp::select(condition, then.any(), otherwise.any()))
}
