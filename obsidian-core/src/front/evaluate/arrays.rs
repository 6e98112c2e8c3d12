//! Methods of device values.

use super::call::Call;
use super::{Eval, Machine, Value};
use crate::array::Len;
use crate::front::syntax::HostType;
use crate::scalar::{AnyExp, BinaryOp, Exp, ScalarType, UnaryOp};

/// A call of a method.
pub(super) type Method<'a> = Call<'a>;

impl Machine {
    pub(super) fn exp_method(&self, e: AnyExp, call: &Method<'_>) -> Eval {
        let site = call.site;
        let argument = |n: usize| self.device_value(&call.arguments[n], e.ty(), site);
        match (call.name, call.arguments.len()) {
            (
                "min" | "max" | "powf" | "atan2" | "hypot" | "copysign" | "eq" | "ne" | "lt" | "le"
                | "gt" | "ge",
                1,
            ) => {
                let op = binary_of(call.name);
                let other = self.device(
                    &call.arguments[0],
                    Some(e.ty()),
                    (op, &Value::Exp(e), false),
                    site,
                )?;
                self.at(site, || Value::Exp(AnyExp::binary(op, e, other)))
            }
            ("div_ceil", 1) if e.ty() == ScalarType::U32 => {
                let divisor = argument(0)?;
                self.at(site, || Value::Exp(e.div_ceil(divisor)))
            }
            ("equals" | "multiple_of" | "at_least", 1) => match e.typed::<u32>() {
                Some(length) => self.precondition(length, call),
                None => self.no_exp_method(e, call),
            },
            ("clamp", 2) => {
                let (low, high) = (argument(0)?, argument(1)?);
                self.at(site, || {
                    Value::Exp(AnyExp::binary(
                        BinaryOp::Min,
                        AnyExp::binary(BinaryOp::Max, e, low),
                        high,
                    ))
                })
            }
            ("mul_add", 2) => {
                let (factor, addend) = (argument(0)?, argument(1)?);
                self.at(site, || Value::Exp(AnyExp::mul_add(e, factor, addend)))
            }
            (name, 0) => {
                let mut methods = UnaryOp::ALL.iter().filter(|op| op.is_method());
                match methods.find(|op| op.name() == name) {
                    Some(op) => self.at(site, || Value::Exp(AnyExp::unary(*op, e))),
                    None => self.composed(e, call),
                }
            }
            _ => self.composed(e, call),
        }
    }

    /// A condition on a length or an argument, for `require`.
    fn precondition(&self, length: Exp<u32>, call: &Method<'_>) -> Eval {
        let (site, argument) = (call.site, &call.arguments[0]);
        if call.name == "at_least" {
            let n = self.count(argument, "a least length", site)?;
            return self.at(site, || Value::Precondition(length.at_least(n)));
        }
        let other = self.device_value(argument, ScalarType::U32, site)?;
        let other = other.typed::<u32>().unwrap_or_else(Exp::poison);
        self.at(site, || {
            Value::Precondition(match call.name {
                "equals" => length.equals(other),
                _ => length.multiple_of(other),
            })
        })
    }

    pub(super) fn no_exp_method(&self, e: AnyExp, call: &Method<'_>) -> Eval {
        let mut known: Vec<&str> = vec!["min", "max", "clamp", "eq", "ne", "lt", "le", "gt", "ge"];
        if e.ty() == ScalarType::U32 {
            known.extend(["div_ceil", "equals", "at_least", "multiple_of"]);
        }
        if e.ty().is_float() {
            known.extend(["mul_add", "powf", "powi", "atan2", "hypot", "copysign"]);
            known.extend(["recip", "fract", "is_nan"]);
        }
        if e.ty().is_integer() {
            known.extend(["rotate_left", "rotate_right", "abs_diff"]);
            known.extend(["saturating_add", "saturating_sub", "saturating_mul"]);
        }
        known.extend(
            UnaryOp::ALL
                .iter()
                .filter(|op| op.accepts(e.ty()) && op.is_method())
                .map(|op| op.name()),
        );
        self.no_method(
            call,
            &format!("a device value of type {}", e.ty().exp_name()),
            &known,
        )
    }
}

/// A length as the user sees it: an integer if it is static, else a device value.
pub(super) fn len_value(len: Len) -> Value {
    match len {
        Len::Static(n) => Value::Int(n.into(), Some(HostType::Scalar(ScalarType::U32))),
        Len::Dynamic(n) => Value::Exp(n.any()),
    }
}

fn binary_of(name: &str) -> BinaryOp {
    match name {
        "min" => BinaryOp::Min,
        "max" => BinaryOp::Max,
        "powf" => BinaryOp::Pow,
        "atan2" => BinaryOp::Atan2,
        "hypot" => BinaryOp::Hypot,
        "copysign" => BinaryOp::CopySign,
        "eq" => BinaryOp::Eq,
        "ne" => BinaryOp::Ne,
        "lt" => BinaryOp::Lt,
        "le" => BinaryOp::Le,
        "gt" => BinaryOp::Gt,
        _ => BinaryOp::Ge,
    }
}
