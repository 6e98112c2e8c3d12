//! Device values.

use obsidian_core::scalar::{BinaryOp, Literal, ScalarType, UnaryOp};
use rand::RngExt;

use super::super::syntax::{Expr, Kind, Type};
use super::{Generator, call, field, literal, method, number};

/// Functions of floats that libraries round differently.
const ROUNDED: &[&str] = &[
    "exp", "exp2", "ln", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
    "cosh", "tanh", "asinh", "acosh", "atanh", "powf", "atan2", "rsqrt", "cbrt", "exp_m1", "ln_1p",
    "erf", "hypot",
];
/// The same of `f32`, in a module of their own.
const FAST: &[&str] = &[
    "fast::exp",
    "fast::ln",
    "fast::sin",
    "fast::cos",
    "fast::div",
];
/// Operators that give another type, or are not written as methods.
const SPECIAL: &[&str] = &[
    "to_bits",
    "from_bits",
    "fast_exp",
    "fast_ln",
    "fast_sin",
    "fast_cos",
    "fast_div",
];

/// Methods of integers that give their type.
const METHODS: &[&str] = &[
    "saturating_add",
    "saturating_sub",
    "saturating_mul",
    "div_euclid",
    "rem_euclid",
];

/// Operators that stand before or between their operands.
fn is_symbol(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// A call of an operator.
pub(super) fn operator(name: &'static str, ty: ScalarType, operands: Vec<Expr>) -> Expr {
    let ty = Type::Scalar(ty);
    if is_symbol(name) {
        Expr {
            ty,
            kind: Kind::Operator(name, operands),
        }
    } else {
        method(name, ty, operands)
    }
}

/// The result of a comparison.
fn compares(name: &str) -> bool {
    matches!(name, "==" | "!=" | "<" | "<=" | ">" | ">=")
}

/// Is the operator's name one of a unary operator that a type has?
fn unary_rules(ty: ScalarType) -> Vec<&'static str> {
    let accepted = UnaryOp::ALL
        .iter()
        .filter(|op| op.accepts(ty) && !op.is_promise());
    accepted
        .map(|op| op.name())
        .filter(|name| !ROUNDED.contains(name) && !SPECIAL.contains(name))
        .chain(["recip", "fract"].into_iter().filter(|_| ty.is_float()))
        .collect()
}

/// The binary operators of a type that give that type, but for shifts.
fn binary_rules(ty: ScalarType) -> Vec<&'static str> {
    let accepted = BinaryOp::ALL
        .iter()
        .filter(|op| op.accepts(ty) && !op.is_comparison() && !op.is_shift());
    accepted
        .map(|op| op.name())
        .filter(|name| !ROUNDED.contains(name) && !SPECIAL.contains(name) && *name != "copysign")
        .chain(METHODS.iter().copied().filter(|_| ty.is_integer()))
        .collect()
}

impl Generator {
    /// An element: a scalar or a tuple of them.
    pub(super) fn element(&mut self, ty: &Type, depth: u32) -> Expr {
        if self.chance(0.3)
            && let Some(known) = self.known(|t| t == ty).last().cloned()
        {
            return known;
        }
        match ty {
            Type::Scalar(ty) => self.scalar(*ty, depth),
            Type::Tuple(_) if depth > 0 && self.chance(0.2) => {
                let condition = self.scalar(ScalarType::Bool, depth - 1);
                let (then, otherwise) = (self.element(ty, depth - 1), self.element(ty, depth - 1));
                call("select", ty.clone(), vec![condition, then, otherwise])
            }
            Type::Tuple(fields) => {
                let list = fields.iter().map(|ty| self.element(ty, depth)).collect();
                Expr {
                    ty: ty.clone(),
                    kind: Kind::Tuple(list),
                }
            }
            other => panic!("{other:?} is no element"),
        }
    }

    /// A device value of a type.
    pub(super) fn scalar(&mut self, ty: ScalarType, depth: u32) -> Expr {
        if depth == 0 || self.fuel < -60 {
            return self.leaf(ty);
        }
        match self.below(12) {
            0..=2 => self.leaf(ty),
            3 => self.read(ty, depth).unwrap_or_else(|| self.leaf(ty)),
            4..=6 => self.by_binary(ty, depth - 1),
            7 => self.by_unary(ty, depth - 1),
            8 => self.by_bits(ty, depth - 1),
            9 => self.by_cast(ty, depth - 1),
            10 => {
                let condition = self.scalar(ScalarType::Bool, depth - 1);
                let (then, otherwise) = (self.scalar(ty, depth - 1), self.scalar(ty, depth - 1));
                call("select", Type::Scalar(ty), vec![condition, then, otherwise])
            }
            _ => self.by_three(ty, depth - 1),
        }
    }

    fn by_unary(&mut self, ty: ScalarType, depth: u32) -> Expr {
        let rules = unary_rules(ty);
        if rules.is_empty() {
            return self.leaf(ty);
        }
        let name = self.rule(&rules);
        operator(name, ty, vec![self.scalar(ty, depth)])
    }

    /// Functions between types: of bits, distances, and powers with an exponent that is known.
    fn by_bits(&mut self, ty: ScalarType, depth: u32) -> Expr {
        let signed = |ty| match ty {
            ScalarType::U8 => ScalarType::I8,
            ScalarType::U16 => ScalarType::I16,
            ScalarType::U32 => ScalarType::I32,
            _ => ScalarType::I64,
        };
        match ty {
            ScalarType::Bool => {
                let of = self.pick(&[ScalarType::F32, ScalarType::F64]);
                operator("is_nan", ty, vec![self.scalar(of, depth)])
            }
            ScalarType::F32 | ScalarType::F64 if self.chance(0.5) => {
                let exponent = number(self.below(12));
                method(
                    "powi",
                    Type::Scalar(ty),
                    vec![self.scalar(ty, depth), exponent],
                )
            }
            ScalarType::F32 => {
                let bits = self.scalar(ScalarType::U32, depth);
                call("EF32::from_bits", Type::Scalar(ty), vec![bits])
            }
            ScalarType::F64 => {
                let bits = self.scalar(ScalarType::U64, depth);
                call("EF64::from_bits", Type::Scalar(ty), vec![bits])
            }
            ScalarType::U32 | ScalarType::U64 if self.chance(0.3) => {
                let of = match ty {
                    ScalarType::U32 => ScalarType::F32,
                    _ => ScalarType::F64,
                };
                // The bits of a NaN are not defined, and the larger of two is none.
                let least = literal(self.literal(of));
                let x = operator("max", of, vec![self.scalar(of, depth), least]);
                operator("to_bits", ty, vec![x])
            }
            ty if !ty.is_signed() && self.chance(0.4) => {
                let of = self.pick(&[ty, signed(ty)]);
                let operands = vec![self.scalar(of, depth), self.scalar(of, depth)];
                operator("abs_diff", ty, operands)
            }
            ty => {
                let name = self.rule(&["rotate_left", "rotate_right"]);
                let distance = self.scalar(ScalarType::U32, depth);
                operator(name, ty, vec![self.scalar(ty, depth), distance])
            }
        }
    }

    fn by_binary(&mut self, ty: ScalarType, depth: u32) -> Expr {
        if ty == ScalarType::Bool && self.chance(0.7) {
            let (name, of) = (
                self.rule(&[
                    "==", "!=", "<", "<=", ">", ">=", "eq", "ne", "lt", "le", "gt", "ge",
                ]),
                self.scalar_type(),
            );
            debug_assert!(compares(name) || name.len() == 2);
            return operator(
                name,
                ty,
                vec![self.scalar(of, depth), self.scalar(of, depth)],
            );
        }
        if ty.is_integer() && self.chance(0.2) {
            let name = self.rule(&["<<", ">>"]);
            return operator(
                name,
                ty,
                vec![self.scalar(ty, depth), self.scalar(ScalarType::U32, depth)],
            );
        }
        if ty.is_float() && self.chance(0.1) {
            // The sign of a NaN is not defined, so the second one is never one.
            let sign = literal(self.literal(ty));
            return operator("copysign", ty, vec![self.scalar(ty, depth), sign]);
        }
        let mut rules = binary_rules(ty);
        rules.extend((ty == ScalarType::U32).then_some("div_ceil"));
        let name = self.rule(&rules);
        operator(
            name,
            ty,
            vec![self.scalar(ty, depth), self.scalar(ty, depth)],
        )
    }

    fn by_cast(&mut self, ty: ScalarType, depth: u32) -> Expr {
        let from = self.scalar_type();
        if ty == ScalarType::Bool || (from == ScalarType::Bool && ty.is_float()) || from == ty {
            return self.leaf(ty);
        }
        Expr {
            ty: Type::Scalar(ty),
            kind: Kind::Cast(Box::new(self.scalar(from, depth))),
        }
    }

    fn by_three(&mut self, ty: ScalarType, depth: u32) -> Expr {
        if ty == ScalarType::Bool {
            return self.leaf(ty);
        }
        let name = self.rule(&["clamp", "mul_add"]);
        let arguments = (0..3).map(|_| self.scalar(ty, depth)).collect();
        method(name, Type::Scalar(ty), arguments)
    }

    /// A function that libraries round differently, of a value.
    pub(super) fn rounded(&mut self, x: Expr) -> Expr {
        let Type::Scalar(ty) = x.ty else { return x };
        if !ty.is_float() {
            return x;
        }
        self.approximate = true;
        if ty == ScalarType::F32 && self.chance(0.2) {
            let ty = Type::Scalar(ty);
            return match self.rule(FAST) {
                name @ "fast::div" => {
                    call(name, ty, vec![x, literal(self.literal(ScalarType::F32))])
                }
                name => call(name, ty, vec![x]),
            };
        }
        match self.rule(ROUNDED) {
            name @ ("powf" | "atan2" | "hypot") => {
                operator(name, ty, vec![x, literal(self.literal(ty))])
            }
            name => operator(name, ty, vec![x]),
        }
    }

    /// A name, a field of one, or a literal.
    fn leaf(&mut self, ty: ScalarType) -> Expr {
        let mut found = self.known(|t| *t == Type::Scalar(ty));
        for tuple in self.known(|t| matches!(t, Type::Tuple(_))) {
            let Type::Tuple(fields) = &tuple.ty else {
                continue;
            };
            let fields = fields
                .iter()
                .enumerate()
                .filter(|(_, t)| **t == Type::Scalar(ty));
            found.extend(fields.map(|(n, _)| field(tuple.clone(), n)));
        }
        if !found.is_empty() && self.chance(0.8) {
            return self.pick(&found);
        }
        if self.chance(0.7) {
            return self.cast_leaf(ty);
        }
        literal(self.literal(ty))
    }

    /// A known value of another type, or an element of a known array, as this type; a literal if
    /// there is none.
    fn cast_leaf(&mut self, ty: ScalarType) -> Expr {
        let castable = |t: &Type| matches!(t, Type::Scalar(from) if *from != ScalarType::Bool);
        let readable = |t: &Type| matches!(t, Type::Pull(e, Some(n)) if *n > 0 && castable(e));
        let mut found = self.known(castable);
        for array in self.known(readable) {
            let Type::Pull(element, Some(len)) = array.ty.clone() else {
                continue;
            };
            let i = literal(Literal::from(self.below(len)));
            found.push(Expr {
                ty: *element,
                kind: Kind::Index(Box::new(array), Box::new(i)),
            });
        }
        if ty == ScalarType::Bool || found.is_empty() {
            return literal(self.literal(ty));
        }
        let x = self.pick(&found);
        if x.ty == Type::Scalar(ty) {
            x
        } else {
            Expr {
                ty: Type::Scalar(ty),
                kind: Kind::Cast(Box::new(x)),
            }
        }
    }

    /// A value of a type, often a small one or one at an end.
    pub(super) fn literal(&mut self, ty: ScalarType) -> Literal {
        if let Some((low, high)) = ty.range() {
            let value = match self.below(6) {
                // A negated literal is negated after it has been read: the smallest number cannot
                // be written so.
                0 => low + i128::from(ty.is_signed()),
                1 => high,
                2 => self
                    .random
                    .random_range(low..=high)
                    .max(low + i128::from(ty.is_signed())),
                _ => i128::from(self.below(9)).min(high),
            };
            return Literal::integer(ty, value).unwrap_or(Literal::zero(ty));
        }
        let value = self.pick(&[
            0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-3, 1e9, -7.75, 1e20, 2.5e-20,
        ]);
        Literal::float(ty, value).unwrap_or(Literal::zero(ty))
    }

    /// An index below a length.
    pub(super) fn index(&mut self, len: u32) -> Expr {
        if self.chance(0.3) {
            return literal(Literal::from(self.below(len)));
        }
        let of = self.scalar(ScalarType::U32, 1);
        let i = operator("%", ScalarType::U32, vec![of, literal(Literal::from(len))]);
        if self.wishes.contains(&"unchecked") {
            method("unchecked", Type::Scalar(ScalarType::U32), vec![i])
        } else {
            i
        }
    }

    /// An index below a length, of an element that is read: a promise that it is distinct says
    /// nothing then.
    fn index_of_read(&mut self, len: u32) -> Expr {
        let i = self.index(len);
        match self.wishes.contains(&"distinct") {
            true => method("distinct", Type::Scalar(ScalarType::U32), vec![i]),
            false => i,
        }
    }

    /// An element of a known array.
    fn read(&mut self, ty: ScalarType, depth: u32) -> Option<Expr> {
        let fits = |t: &Type| matches!(t, Type::Pull(element, Some(n)) if *n > 0 && **element == Type::Scalar(ty));
        let arrays = self.known(fits);
        if arrays.is_empty() {
            return None;
        }
        let (array, ty) = (self.pick(&arrays), Type::Scalar(ty));
        let Type::Pull(_, Some(len)) = array.ty else {
            return None;
        };
        Some(
            match self.rule(&["first", "last", "at", "index", "index", "fold1"]) {
                name @ ("first" | "last") => method(name, ty, vec![array]),
                "at" => {
                    let i = if self.chance(0.5) {
                        number(self.below(len))
                    } else {
                        self.index_of_read(len)
                    };
                    method("at", ty, vec![array, i])
                }
                "fold1" if len <= 6 && depth > 0 => {
                    let sum = self.combine(&ty, depth - 1);
                    method(
                        "first",
                        ty.clone(),
                        vec![call("fold1", Type::pull(&ty, 1), vec![sum, array])],
                    )
                }
                _ => Expr {
                    ty,
                    kind: Kind::Index(Box::new(array), Box::new(self.index_of_read(len))),
                },
            },
        )
    }

    /// A function of two elements.
    pub(super) fn combine(&mut self, ty: &Type, depth: u32) -> Expr {
        self.closure(&[ty.clone(), ty.clone()], |g, xy| match &xy[0].ty {
            Type::Scalar(ty) if g.chance(0.6) => {
                let name = g.rule(&binary_rules(*ty));
                operator(name, *ty, xy.to_vec())
            }
            ty => g.element(&ty.clone(), depth + 1),
        })
    }

    /// A permutation of the numbers below a length.
    pub(super) fn permutation(&mut self, len: u32, i: Expr) -> Expr {
        let u32 = |n: u32| literal(Literal::from(n));
        match self.below(8) {
            0 | 1 => operator("-", ScalarType::U32, vec![u32(len.saturating_sub(1)), i]),
            2 | 3 if len.is_power_of_two() && len > 1 => {
                operator("^", ScalarType::U32, vec![i, u32(self.below(len))])
            }
            2..=6 => i,
            _ => {
                let sum = operator("+", ScalarType::U32, vec![i, u32(self.below(len))]);
                operator("%", ScalarType::U32, vec![sum, u32(len.max(1))])
            }
        }
    }
}
