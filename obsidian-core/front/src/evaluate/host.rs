//! Methods of the host's integers, floats, booleans and options.

use std::rc::Rc;

use super::call::Call;
use super::expressions::host_value;
use super::{Eval, Machine, Value};
use crate::error::catalogue;
use crate::scalar::{BinaryOp, Literal, ScalarType, UnaryOp, meaning};
use crate::syntax::HostType;

const INT: &[&str] = &[
    "abs",
    "abs_diff",
    "clamp",
    "count_ones",
    "div_ceil",
    "ilog2",
    "is_power_of_two",
    "isqrt",
    "leading_zeros",
    "max",
    "min",
    "next_multiple_of",
    "next_power_of_two",
    "pow",
    "rem_euclid",
    "saturating_sub",
    "signum",
    "trailing_zeros",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_sub",
];
const FLOAT: &[&str] = &[
    "abs", "ceil", "cos", "exp", "floor", "ln", "log10", "log2", "max", "min", "powf", "powi",
    "recip", "round", "sin", "sqrt", "tan", "tanh", "trunc",
];
const OPTION: &[&str] = &["expect", "is_none", "is_some", "map", "unwrap", "unwrap_or"];

impl Machine {
    /// Calls a method of a host value that is not a sequence.
    pub(super) fn host_method(self: &Rc<Self>, receiver: &Value, call: &Call<'_>) -> Eval {
        if call.arguments.is_empty()
            && matches!(call.name, "clone" | "to_owned" | "copied" | "cloned")
        {
            return Ok(receiver.clone());
        }
        match receiver {
            Value::Int(n, ty) => self.int_method(*n, *ty, call),
            Value::Float(x, ty) => self.float_method(*x, *ty, call),
            Value::Bool(b) => match (call.name, call.arguments) {
                ("then", [f]) => {
                    let f = self.callback(f, call.site)?;
                    Ok(Value::Option(b.then(|| Rc::new(f.call(Vec::new())))))
                }
                ("then_some", [value]) => Ok(Value::Option(b.then(|| Rc::new(value.clone())))),
                _ => self.no_method(call, "a boolean of the host", &["then", "then_some"]),
            },
            Value::Option(option) => self.option_method(option.as_deref(), call),
            other => self.no_method(call, &other.kind(), &[]),
        }
    }

    fn option_method(self: &Rc<Self>, option: Option<&Value>, call: &Call<'_>) -> Eval {
        match (call.name, call.arguments, option) {
            ("is_some", [], option) => Ok(Value::Bool(option.is_some())),
            ("is_none", [], option) => Ok(Value::Bool(option.is_none())),
            ("unwrap", [], Some(value)) | ("unwrap_or", [_], Some(value)) => Ok(value.clone()),
            ("unwrap", [], None) => self.fail(
                call.site,
                catalogue::host_arithmetic("`unwrap` of `None`, while the kernel is built"),
            ),
            ("unwrap_or", [value], None) => Ok(value.clone()),
            ("map", [_], None) => Ok(Value::Option(None)),
            ("map", [f], Some(value)) => {
                let f = self.callback(f, call.site)?;
                Ok(Value::Option(Some(Rc::new(f.call(vec![value.clone()])))))
            }
            _ => self.no_method(call, "an Option", OPTION),
        }
    }

    fn int_method(&self, n: i128, ty: Option<HostType>, call: &Call<'_>) -> Eval {
        let site = call.site;
        let mut others = Vec::new();
        for argument in call.arguments {
            match argument {
                Value::Int(m, _) => others.push(*m),
                other => {
                    return self.wrong_kind("an integer of the host", other, site);
                }
            }
        }
        let u32_type = Some(HostType::Scalar(ScalarType::U32));
        let result = match (call.name, others.as_slice()) {
            ("min", [m]) => Some(n.min(*m)),
            ("max", [m]) => Some(n.max(*m)),
            ("clamp", [low, high]) if low <= high => Some(n.clamp(*low, *high)),
            ("abs", []) => Some(n.abs()),
            ("signum", []) => Some(n.signum()),
            ("abs_diff", [m]) => return Ok(Value::Int((n - m).abs(), ty.map(unsigned))),
            ("isqrt", []) if n >= 0 => Some(n.isqrt()),
            ("pow", [m]) => u32::try_from(*m).ok().and_then(|m| n.checked_pow(m)),
            ("div_ceil", [m]) if *m > 0 => Some((n + m - 1).div_euclid(*m)),
            ("rem_euclid", [m]) if *m != 0 => Some(n.rem_euclid(*m)),
            ("next_multiple_of", [m]) if *m > 0 => Some((n + m - 1).div_euclid(*m) * m),
            ("next_power_of_two", []) if (0..1 << 64).contains(&n) => {
                Some((n as u128).next_power_of_two() as i128)
            }
            ("saturating_sub", [m]) => Some(self.saturate(n - m, ty)),
            ("is_power_of_two", []) => return Ok(Value::Bool(n > 0 && n & (n - 1) == 0)),
            ("ilog2", []) if n > 0 => return Ok(Value::Int(n.ilog2().into(), u32_type)),
            ("trailing_zeros", []) if n != 0 => {
                return Ok(Value::Int(n.trailing_zeros().into(), u32_type));
            }
            ("count_ones", []) if n >= 0 => return Ok(Value::Int(n.count_ones().into(), u32_type)),
            ("leading_zeros", []) => return self.leading_zeros(n, ty, call),
            ("wrapping_add" | "wrapping_sub" | "wrapping_mul", [m]) => {
                return self.wrapping(n, *m, ty, call);
            }
            (name, _) if INT.contains(&name) => None,
            _ => return self.no_method(call, "a host integer", INT),
        };
        self.in_range(result, ty, &format!("{n}.{}(..)", call.name), site)
    }

    fn saturate(&self, n: i128, ty: Option<HostType>) -> i128 {
        ty.and_then(|ty| ty.scalar().range())
            .map_or(n, |(low, high)| n.clamp(low, high))
    }

    fn leading_zeros(&self, n: i128, ty: Option<HostType>, call: &Call<'_>) -> Eval {
        let Some(literal) = ty.and_then(|ty| Literal::integer(ty.scalar(), n)) else {
            return self.fail(call.site, catalogue::untyped_literal(&n.to_string()));
        };
        let zeros = meaning::unary(UnaryOp::LeadingZeros, literal)
            .as_integer()
            .unwrap_or_default();
        Ok(Value::Int(zeros, Some(HostType::Scalar(ScalarType::U32))))
    }

    fn wrapping(&self, n: i128, m: i128, ty: Option<HostType>, call: &Call<'_>) -> Eval {
        let op = match call.name {
            "wrapping_add" => BinaryOp::Add,
            "wrapping_sub" => BinaryOp::Sub,
            _ => BinaryOp::Mul,
        };
        let Some(ty) = ty else {
            return self.fail(call.site, catalogue::untyped_literal(&n.to_string()));
        };
        let operands = (
            Literal::from_bits(ty.scalar(), n as u64),
            Literal::from_bits(ty.scalar(), m as u64),
        );
        Ok(host_value(meaning::binary(op, operands.0, operands.1), ty))
    }

    fn float_method(&self, x: f64, ty: Option<HostType>, call: &Call<'_>) -> Eval {
        let scalar = ty.map_or(ScalarType::F64, HostType::scalar);
        let literal = |x: f64| Literal::float(scalar, x).unwrap_or(Literal::zero(scalar));
        let others: Vec<f64> = call
            .arguments
            .iter()
            .filter_map(|a| {
                if let Value::Float(y, _) = a {
                    Some(*y)
                } else {
                    None
                }
            })
            .collect();
        let result = match (call.name, others.as_slice(), call.arguments) {
            ("min", [y], _) => meaning::binary(BinaryOp::Min, literal(x), literal(*y)),
            ("max", [y], _) => meaning::binary(BinaryOp::Max, literal(x), literal(*y)),
            ("powf", [y], _) => meaning::binary(BinaryOp::Pow, literal(x), literal(*y)),
            ("powi", _, [Value::Int(n, _)]) => literal(if scalar == ScalarType::F32 {
                (x as f32).powi(*n as i32).into()
            } else {
                x.powi(*n as i32)
            }),
            ("recip", [], []) => meaning::binary(BinaryOp::Div, literal(1.0), literal(x)),
            (name, [], []) if FLOAT.contains(&name) => {
                match UnaryOp::ALL.iter().find(|op| op.name() == name) {
                    Some(op) => meaning::unary(*op, literal(x)),
                    None => return self.no_method(call, "a float of the host", FLOAT),
                }
            }
            _ => return self.no_method(call, "a float of the host", FLOAT),
        };
        let wide = if scalar == ScalarType::F32 {
            result.f32().into()
        } else {
            result.f64()
        };
        Ok(Value::Float(wide, ty))
    }
}

/// The unsigned type of the same width.
fn unsigned(ty: HostType) -> HostType {
    HostType::from_name(&ty.name().replacen('i', "u", 1))
        .filter(|_| ty.name().starts_with('i'))
        .unwrap_or(ty)
}
