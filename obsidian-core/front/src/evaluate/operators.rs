//! Operators: on two host values as Rust computes them, and on the device as soon as one side is a
//! device value.

use std::cmp::Ordering;

use super::{Eval, Flow, Machine, Value};
use crate::error::catalogue;
use crate::scalar::{AnyExp, BinaryOp, Literal, ScalarType, UnaryOp};
use crate::syntax::{HostType, Site};

impl Machine {
    /// `-x`, `!x`
    pub(super) fn unary(&self, op: UnaryOp, value: Value, site: Site) -> Eval {
        match (op, value) {
            (_, Value::Poison) => Err(Flow::Stop),
            (_, Value::Exp(e)) => self.at(site, || Value::Exp(AnyExp::unary(op, e))),
            (_, value @ Value::Untyped(_)) => self.known(value),
            (UnaryOp::Not, Value::Bool(b)) => Ok(Value::Bool(!b)),
            (UnaryOp::Not, Value::Int(n, ty)) => {
                match ty.and_then(|ty| Literal::integer(ty.scalar(), n)) {
                    Some(literal) => {
                        let not = crate::scalar::meaning::unary(UnaryOp::Not, literal);
                        Ok(Value::Int(not.as_integer().unwrap_or_default(), ty))
                    }
                    None => Ok(Value::Int(COMPLEMENT - 1 - n, None)),
                }
            }
            (UnaryOp::Neg, Value::Int(n, None)) if !is_complement(n) => Ok(Value::Int(-n, None)),
            (UnaryOp::Neg, Value::Int(n, Some(ty))) => self.typed_integer(-n, ty, site),
            (UnaryOp::Neg, Value::Float(x, ty)) => Ok(Value::Float(-x, ty)),
            (op, other) => self.fail(site, catalogue::no_such_operator(op.name(), &other.kind())),
        }
    }

    /// `x + y` and its like, comparisons among them.
    pub(super) fn binary(&self, op: BinaryOp, x: Value, y: Value, site: Site) -> Eval {
        match (x, y) {
            (Value::Poison, _) | (_, Value::Poison) => Err(Flow::Stop),
            (Value::Exp(x), Value::Exp(y)) => {
                self.at(site, || Value::Exp(AnyExp::binary(op, x, y)))
            }
            (program @ Value::Program(_), _) | (_, program @ Value::Program(_)) => {
                let what = format!("an operand of `{}`", op.name());
                self.wrong_kind(&what, &program, site)
            }
            (Value::Exp(x), Value::Untyped(y)) => {
                let ty = if op.is_shift() {
                    ScalarType::U32
                } else {
                    x.ty()
                };
                self.at(site, || Value::Exp(AnyExp::binary(op, x, y.typed(ty))))
            }
            (Value::Untyped(x), Value::Exp(y)) if !op.is_shift() => {
                let ty = y.ty();
                self.at(site, || Value::Exp(AnyExp::binary(op, x.typed(ty), y)))
            }
            (x @ Value::Untyped(_), y) | (x, y @ Value::Untyped(_)) => {
                self.untyped_binary(op, x, y, site)
            }
            (Value::Exp(x), y) => {
                let ty = if op.is_shift() {
                    ScalarType::U32
                } else {
                    x.ty()
                };
                let y = self.device(&y, Some(ty), (op, &Value::Exp(x), false), site)?;
                self.at(site, || Value::Exp(AnyExp::binary(op, x, y)))
            }
            (x, Value::Exp(y)) => {
                let ty = if op.is_shift() { None } else { Some(y.ty()) };
                let x = self.device(&x, ty, (op, &Value::Exp(y), true), site)?;
                self.at(site, || Value::Exp(AnyExp::binary(op, x, y)))
            }
            (Value::Int(x, s), Value::Int(y, t)) => self.integers(op, (x, s), (y, t), site),
            (Value::Float(x, s), Value::Float(y, t)) => self.floats(op, (x, s), (y, t), site),
            (Value::Bool(x), Value::Bool(y)) => match op {
                BinaryOp::And => Ok(Value::Bool(x & y)),
                BinaryOp::Or => Ok(Value::Bool(x | y)),
                BinaryOp::Xor => Ok(Value::Bool(x ^ y)),
                op => self.ordered(op, x.cmp(&y).into(), "a boolean", site),
            },
            (x, y) if op.is_comparison() => match compare(&x, &y) {
                Some(order) => self.ordered(op, order.into(), "these values", site),
                None => self.by_fields(op, x, y, site),
            },
            (x, y) => self.fail(
                site,
                catalogue::mismatched_types(op.name(), &x.type_name(), &y.type_name()),
            ),
        }
    }

    /// Are tuples equal, whose fields have no type yet, such as `(1, 2)` of two literals?
    fn by_fields(&self, op: BinaryOp, x: Value, y: Value, site: Site) -> Eval {
        match (&x, &y) {
            (Value::Tuple(left), Value::Tuple(right))
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) && left.len() == right.len() =>
            {
                let mut equal = Value::Bool(true);
                for (a, b) in left.iter().zip(right.iter()) {
                    let same = self.binary(BinaryOp::Eq, a.clone(), b.clone(), site)?;
                    equal = self.binary(BinaryOp::And, equal, same, site)?;
                }
                match op {
                    BinaryOp::Eq => Ok(equal),
                    _ => self.unary(UnaryOp::Not, equal, site),
                }
            }
            _ => {
                let (x, y) = (x.type_name(), y.type_name());
                self.fail(site, catalogue::mismatched_types(op.name(), &x, &y))
            }
        }
    }

    /// A host value as a device value of the other operand's type; is it the left one?
    pub(super) fn device(
        &self,
        value: &Value,
        ty: Option<ScalarType>,
        (op, other, is_left): (BinaryOp, &Value, bool),
        site: Site,
    ) -> Eval<AnyExp> {
        let literal = match (value, ty) {
            (Value::Exp(e), _) => return Ok(*e),
            (Value::Untyped(untyped), Some(ty)) => return self.at(site, || untyped.typed(ty)),
            (Value::Poison, _) => return Err(Flow::Stop),
            (Value::Int(n, None), Some(ty)) if is_complement(*n) && ty.range().is_some() => {
                Some(Literal::from_bits(ty, *n as u64))
            }
            (Value::Int(n, None), Some(ty)) if !ty.is_float() && ty != ScalarType::Bool => {
                match Literal::integer(ty, *n) {
                    Some(literal) => Some(literal),
                    None => {
                        return self.fail(
                            site,
                            catalogue::host_arithmetic(format!(
                                "{n} is out of range for {}",
                                ty.name()
                            )),
                        );
                    }
                }
            }
            (Value::Int(n, Some(from)), ty)
                if ty.is_none_or(|ty| from == &HostType::Scalar(ty)) =>
            {
                Literal::integer(from.scalar(), *n)
            }
            (Value::Float(x, from), Some(ty))
                if ty.is_float() && from.is_none_or(|from| from == HostType::Scalar(ty)) =>
            {
                Literal::float(ty, *x)
            }
            (Value::Bool(b), Some(ty)) => (ty == ScalarType::Bool).then(|| Literal::from(*b)),
            (Value::Int(n, None), None) => {
                return self.fail(site, catalogue::untyped_literal(&n.to_string()));
            }
            _ => None,
        };
        match literal {
            Some(literal) => self.at(site, || AnyExp::literal(literal)),
            None => {
                let (left, right) = if is_left {
                    (value, other)
                } else {
                    (other, value)
                };
                self.fail(
                    site,
                    catalogue::mismatched_types(op.name(), &left.type_name(), &right.type_name()),
                )
            }
        }
    }

    /// The type that two host operands share.
    fn shared(
        &self,
        op: BinaryOp,
        s: Option<HostType>,
        t: Option<HostType>,
        site: Site,
    ) -> Eval<Option<HostType>> {
        match (s, t) {
            (Some(s), Some(t)) if s != t => self.fail(
                site,
                catalogue::mismatched_types(op.name(), s.name(), t.name()),
            ),
            (s, t) => Ok(s.or(t)),
        }
    }

    fn integers(
        &self,
        op: BinaryOp,
        (x, s): (i128, Option<HostType>),
        (y, t): (i128, Option<HostType>),
        site: Site,
    ) -> Eval {
        use BinaryOp::*;
        if op.is_shift() {
            return self.shift(op, x, s, y, site);
        }
        let ty = self.shared(op, s, t, site)?;
        let (x, y) = (of_type(x, ty), of_type(y, ty));
        if (is_complement(x) || is_complement(y)) && !matches!(op, And | Or | Xor) {
            return self.fail(site, catalogue::untyped_complement());
        }
        if op.is_comparison() {
            return self.ordered(op, Some(x.cmp(&y)), "an integer", site);
        }
        let result = match op {
            Add => x.checked_add(y),
            Sub => x.checked_sub(y),
            Mul => x.checked_mul(y),
            Div | Rem if y == 0 => {
                return self.fail(
                    site,
                    catalogue::host_arithmetic("a division by zero, while the kernel is built"),
                );
            }
            Div => x.checked_div(y),
            Rem => x.checked_rem(y),
            And => Some(x & y),
            Or => Some(x | y),
            Xor => Some(x ^ y),
            Min => Some(x.min(y)),
            Max => Some(x.max(y)),
            _ => {
                return self.fail(
                    site,
                    catalogue::no_such_operator(op.name(), "host integers"),
                );
            }
        };
        self.in_range(result, ty, &format!("{x} {} {y}", op.name()), site)
    }

    /// An integer that has been computed, if its type holds it.
    pub(super) fn in_range(
        &self,
        result: Option<i128>,
        ty: Option<HostType>,
        what: &str,
        site: Site,
    ) -> Eval {
        let range = ty.and_then(|ty| ty.scalar().range());
        match result {
            Some(n) if range.is_none_or(|(low, high)| (low..=high).contains(&n)) => {
                Ok(Value::Int(n, ty))
            }
            _ => {
                let ty = ty.map_or("every integer type", HostType::name);
                self.fail(
                    site,
                    catalogue::host_arithmetic(format!(
                        "`{what}` overflows {ty}, while the kernel is built"
                    )),
                )
            }
        }
    }

    fn shift(&self, op: BinaryOp, x: i128, ty: Option<HostType>, y: i128, site: Site) -> Eval {
        if is_complement(x) {
            return self.fail(site, catalogue::untyped_complement());
        }
        let bits = ty.map_or(64, |ty| i128::from(ty.scalar().bits()));
        if !(0..bits).contains(&y) {
            return self.fail(
                site,
                catalogue::host_arithmetic(format!(
                    "a shift by {y} overflows, while the kernel is built"
                )),
            );
        }
        let Some(ty) = ty else {
            let shifted = if op == BinaryOp::Shl {
                x.checked_mul(1 << y)
            } else {
                Some(x >> y)
            };
            return self.in_range(shifted, None, "<<", site);
        };
        let literal = Literal::integer(ty.scalar(), x).unwrap_or(Literal::zero(ty.scalar()));
        let shifted = crate::scalar::meaning::binary(op, literal, Literal::from(y as u32));
        Ok(Value::Int(
            shifted.as_integer().unwrap_or_default(),
            Some(ty),
        ))
    }

    fn floats(
        &self,
        op: BinaryOp,
        (x, s): (f64, Option<HostType>),
        (y, t): (f64, Option<HostType>),
        site: Site,
    ) -> Eval {
        let ty = self.shared(op, s, t, site)?;
        if op.is_comparison() {
            let holds = match (op, x.partial_cmp(&y)) {
                (op, Some(order)) => return self.ordered(op, Some(order), "a float", site),
                (op, None) => op == BinaryOp::Ne,
            };
            return Ok(Value::Bool(holds));
        }
        let scalar = ty.map_or(ScalarType::F64, HostType::scalar);
        if ty.is_none() && !op.is_comparison() && !agrees(op, x, y) {
            return self.fail(site, catalogue::untyped_float(op.name()));
        }
        match (Literal::float(scalar, x), Literal::float(scalar, y)) {
            (Some(x), Some(y)) if op.accepts(scalar) => {
                let result = crate::scalar::meaning::binary(op, x, y);
                let wide = if scalar == ScalarType::F32 {
                    result.f32().into()
                } else {
                    result.f64()
                };
                Ok(Value::Float(wide, ty))
            }
            _ => self.fail(
                site,
                catalogue::no_such_operator(op.name(), "floats of the host"),
            ),
        }
    }

    fn ordered(&self, op: BinaryOp, order: Option<Ordering>, what: &str, site: Site) -> Eval {
        let Some(order) = order else {
            return Ok(Value::Bool(false));
        };
        Ok(Value::Bool(match op {
            BinaryOp::Eq => order.is_eq(),
            BinaryOp::Ne => order.is_ne(),
            BinaryOp::Lt => order.is_lt(),
            BinaryOp::Le => order.is_le(),
            BinaryOp::Gt => order.is_gt(),
            BinaryOp::Ge => order.is_ge(),
            op => return self.fail(site, catalogue::no_such_operator(op.name(), what)),
        }))
    }
}

/// Stands for `!n` of an integer whose type is not known yet: `COMPLEMENT - 1 - n`, whose lower
/// bits are those of `!n` in every type.
const COMPLEMENT: i128 = 1 << 100;

/// Is this `!n` of an integer without a type?
pub(super) fn is_complement(n: i128) -> bool {
    n > COMPLEMENT / 2
}

/// An integer in the type that it turns out to have.
pub(super) fn of_type(n: i128, ty: Option<HostType>) -> i128 {
    match ty {
        Some(ty) if is_complement(n) => Literal::from_bits(ty.scalar(), n as u64)
            .as_integer()
            .unwrap_or(n),
        _ => n,
    }
}

/// Is the result for two floats without a type one number, whether they turn out to be `f32` or
/// `f64`?
fn agrees(op: BinaryOp, x: f64, y: f64) -> bool {
    let wide = crate::scalar::meaning::binary(op, x.into(), y.into()).f64();
    let single = crate::scalar::meaning::binary(op, (x as f32).into(), (y as f32).into()).f32();
    (wide as f32).to_bits() == single.to_bits()
}

/// The order of two host values of one kind.
pub(super) fn compare(x: &Value, y: &Value) -> Option<Ordering> {
    match (x, y) {
        (Value::Unit, Value::Unit) => Some(Ordering::Equal),
        (Value::Bool(x), Value::Bool(y)) => Some(x.cmp(y)),
        (Value::Int(x, _), Value::Int(y, _)) => Some(x.cmp(y)),
        (Value::Float(x, _), Value::Float(y, _)) => x.partial_cmp(y),
        (Value::Tuple(x), Value::Tuple(y)) | (Value::Vec(x), Value::Vec(y)) => {
            for (x, y) in x.iter().zip(y.iter()) {
                match compare(x, y)? {
                    Ordering::Equal => {}
                    order => return Some(order),
                }
            }
            Some(x.len().cmp(&y.len()))
        }
        (Value::Option(x), Value::Option(y)) => match (x, y) {
            (Some(x), Some(y)) => compare(x, y),
            (x, y) => Some(x.is_some().cmp(&y.is_some())),
        },
        _ => None,
    }
}
