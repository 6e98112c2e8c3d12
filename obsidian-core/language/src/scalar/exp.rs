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
///
/// ```
/// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
///
/// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| (x * 2.0 + 1.0).sqrt()))?;
/// let device = Device::cpu();
/// let x = device.array([2], &[0.0, 4.0])?;
/// assert_eq!(f.run(&device, &x)?.to_vec()?, [1.0, 3.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn scaled(x: DPull<EF32>) -> DPush<Grid, EF32> {
///         let factor = 1.0 / 4.0; // a number of the host
///         x.split_up(2).as_grid_map(|x| x.map(|x| x * lit(factor as f32)).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[4.0, 8.0])?;
/// let result = example::scaled::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1.0, 2.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
    #[doc(hidden)]
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
    #[doc(hidden)]
    pub fn from_node(node: NodeId) -> Self {
        Self::from_any(AnyExp::from_node(node, T::TYPE))
    }

    /// The node of the current build.
    #[doc(hidden)]
    pub fn node(self) -> NodeId {
        self.any().node()
    }

    /// The value, if it is known.
    #[doc(hidden)]
    pub fn as_literal(self) -> Option<T> {
        self.any().as_literal().map(T::from_literal)
    }

    /// A bound that the expression has whatever its variables are: the largest value of its type, if there is no smaller one.
    #[doc(hidden)]
    pub fn most(self) -> u64 {
        let node = self.node();
        session(|s| s.tables.nodes.most(node)).unwrap_or(u64::MAX)
    }

    /// Stands for a value that a mistake has made impossible.
    #[doc(hidden)]
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
    ///
    /// In a `#[kernels]` module it is written `x as EI32`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.cast::<i32>()))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1.9, -1.9, 1e20, f32::NAN])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [1, -1, i32::MAX, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
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
    ///
    /// The smallest integer stays as it is: its absolute value does not fit.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EI32>| x.map(|x| x.abs()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[-3, 4])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    abs Abs;
    /// The sign: -1, 0 or 1 for signed integers; 1 with the sign for floats.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.signum()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[-3.0, 0.5])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [-1.0, 1.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    signum Signum;
}

methods! { Integer;
    /// The number of set bits, in the value's own type.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x.count_ones()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[0b1011, 0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [3, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "__popc")]
    count_ones CountOnes;
    /// The number of zero bits from the top, in the value's own type.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x.leading_zeros()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[1, 0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [31, 32]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "__clz")]
    leading_zeros LeadingZeros;
    /// The number of zero bits from the bottom, in the value's own type.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x.trailing_zeros()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[8, 0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [3, 32]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "__ffs")]
    trailing_zeros TrailingZeros;
    /// The bits in opposite order.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x.reverse_bits()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[1])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [0x8000_0000]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "__brev")]
    reverse_bits ReverseBits;
}

methods! { Float;
    /// The square root.
    ///
    /// Of a negative number it is NaN.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.sqrt()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[4.0, 9.0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [2.0, 3.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    sqrt Sqrt;
    /// `1 / sqrt(x)`; on a GPU at most 2 units in the last place off.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.rsqrt()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[4.0, 0.25])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [0.5, 2.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "rsqrtf")]
    rsqrt Rsqrt;
    /// The cube root.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.cbrt()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[27.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 3.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    cbrt Cbrt;
    /// `e` to the power of `x`; at most 0.8 units in the last place off on the CPU.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.exp()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[1.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - std::f32::consts::E).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    exp Exp;
    /// 2 to the power of `x`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.exp2()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[3.0, -1.0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [8.0, 0.5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    exp2 Exp2;
    /// `e` to the power of `x`, less 1, which is exact also where `x` is near 0.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.exp_m1()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[0.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 0.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    exp_m1 ExpM1;
    /// The natural logarithm; at most 0.9 units in the last place off on the CPU.
    ///
    /// Of 0 it is minus infinity, of a negative number NaN.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.ln()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[std::f32::consts::E])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 1.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    ln Ln;
    /// The natural logarithm of `1 + x`, which is exact also where `x` is near 0.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.ln_1p()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[0.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 0.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    ln_1p Ln1p;
    /// The logarithm to base 2.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.log2()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[8.0, 0.5])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [3.0, -1.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    log2 Log2;
    /// The logarithm to base 10.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.log10()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[1000.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 3.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    log10 Log10;
    /// The sine of radians; at most 0.9 units in the last place off on the CPU, however large `x` is.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.sin()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[std::f32::consts::FRAC_PI_2])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 1.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    sin Sin;
    /// The cosine of radians; at most 0.9 units in the last place off on the CPU, however large `x` is.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.cos()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[std::f32::consts::PI])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - -1.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    cos Cos;
    /// The tangent of radians.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.tan()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[std::f32::consts::FRAC_PI_4])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 1.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    tan Tan;
    /// The arc sine, in radians.
    ///
    /// Beyond 1 and -1 it is NaN.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.asin()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[1.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    asin Asin;
    /// The arc cosine, in radians.
    ///
    /// Beyond 1 and -1 it is NaN.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.acos()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[-1.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - std::f32::consts::PI).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    acos Acos;
    /// The arc tangent, in radians.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.atan()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[1.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    atan Atan;
    /// The hyperbolic sine.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.sinh()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[0.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 0.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    sinh Sinh;
    /// The hyperbolic cosine.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.cosh()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[0.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 1.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    cosh Cosh;
    /// The hyperbolic tangent; at most 1.5 units in the last place off on the CPU.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.tanh()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[100.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 1.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    tanh Tanh;
    /// The inverse hyperbolic sine.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.asinh()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[0.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 0.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    asinh Asinh;
    /// The inverse hyperbolic cosine.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.acosh()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[1.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 0.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    acosh Acosh;
    /// The inverse hyperbolic tangent.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.atanh()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[0.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 0.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    atanh Atanh;
    /// The error function.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.erf()))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[10.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - 1.0).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    erf Erf;
    /// Rounds down.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.floor()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[1.5, -1.5])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [1.0, -2.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    floor Floor;
    /// Rounds up.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.ceil()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[1.5, -1.5])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [2.0, -1.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    ceil Ceil;
    /// Rounds to the nearest, halves away from zero.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.round()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[2.5, -1.5])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [3.0, -2.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    round Round;
    /// Rounds towards zero.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.trunc()))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[1.5, -1.5])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [1.0, -1.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    trunc Trunc;
}

impl<T: Number> Exp<T> {
    /// The smaller of two; a number rather than a NaN, `-0` rather than `0`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.min(2.0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([3], &[1.0, 3.0, f32::NAN])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [1.0, 2.0, 2.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn min(self, other: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::Min, other.into())
    }

    /// The larger of two; a number rather than a NaN, `0` rather than `-0`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.max(2.0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([3], &[1.0, 3.0, f32::NAN])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [2.0, 3.0, 2.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn max(self, other: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::Max, other.into())
    }

    /// At least `low`, and then at most `high`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EI32>| x.map(|x| x.clamp(0, 255)))?;
    /// let device = Device::cpu();
    /// let x = device.array([3], &[-5, 100, 300])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [0, 100, 255]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn clamp(self, low: impl Into<Exp<T>>, high: impl Into<Exp<T>>) -> Self {
        self.max(low).min(high)
    }

    /// `self * factor + addend`, rounded once for floats.
    ///
    /// On a GPU it is one instruction for floats.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.mul_add(2.0, 1.0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[3.0, 0.5])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [7.0, 2.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "__fmaf_rn")]
    #[doc(alias = "fma")]
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
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.map(|x| x.div_ceil(256)))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[0, 1, 256, 257])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [0, 1, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
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
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn looked_up(places: DPull<EU32>, table: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // The places come from data, and the caller knows that they are inside.
    ///         places.split_up(4).as_grid_map(|places| places.map(|i| table[i.unchecked()]).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let (places, table) = (device.upload(&[1, 0, 1, 1])?, device.upload(&[10, 20])?);
    /// assert_eq!(example::looked_up::launch(&device, &places, &table)?.to_vec()?, [20, 10, 20, 20]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
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
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     /// `x[i]` goes to place `to[i]`, which a launch gives: a permutation.
    ///     #[kernel(threads = 64)]
    ///     pub fn scatter(to: DPull<EU32>, x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         let n = x.len();
    ///         require(to.len().equals(n));
    ///         mk_push(n, |write| {
    ///             distr_par(n.div_ceil(256), |b| {
    ///                 for_all(256, |t| {
    ///                     let i = b * 256 + t;
    ///                     cond(i < n, write(x[i], to[i].unchecked().distinct()), pure(()))
    ///                 })
    ///             })
    ///         })
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let (to, x) = (device.upload(&[2, 0, 1])?, device.upload(&[10, 20, 30])?);
    /// assert_eq!(example::scatter::launch(&device, &to, &x)?.to_vec()?, [20, 30, 10]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "unique_indices")]
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
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.powf(0.5)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[4.0, 9.0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [2.0, 3.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "pow")]
    #[must_use]
    pub fn powf(self, exponent: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::Pow, exponent.into())
    }

    /// The angle of the point `(x, self)`, in radians.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.atan2(1.0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[1.0])?;
    /// let result = f.run(&device, &x)?.to_vec()?;
    /// assert!((result[0] - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn atan2(self, x: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::Atan2, x.into())
    }

    /// The length of the vector `(self, other)`, also where the squares would leave the type.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.hypot(4.0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([1], &[3.0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [5.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn hypot(self, other: impl Into<Exp<T>>) -> Self {
        self.binary(BinaryOp::Hypot, other.into())
    }

    /// With the sign of another value.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::ArrayProgram, language::*};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF32>| x.map(|x| x.copysign(-1.0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[3.0, -2.0])?;
    /// assert_eq!(f.run(&device, &x)?.to_vec()?, [-3.0, -2.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
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
