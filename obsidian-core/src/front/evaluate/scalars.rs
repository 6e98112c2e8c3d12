//! Functions of device values that are made of other operators, and those of a type or a module.

use super::arrays::Method;
use super::{Eval, Machine, Value};
use crate::error::catalogue;
use crate::front::syntax::{HostType, Site};
use crate::scalar::{AnyExp, Exp, ScalarType, lit};

impl Machine {
    /// A method that is made of other operators.
    pub(super) fn composed(&self, e: AnyExp, call: &Method<'_>) -> Eval {
        let (ty, site) = (e.ty(), call.site);
        let argument = |ty: ScalarType| self.device_value(&call.arguments[0], ty, site);
        let (is_float, is_integer) = (ty.is_float(), ty.is_integer());
        match (call.name, call.arguments.len()) {
            ("recip", 0) if is_float => self.at(site, || Value::Exp(e.recip())),
            ("fract", 0) if is_float => self.at(site, || Value::Exp(e.fract())),
            ("is_nan", 0) if is_float => self.at(site, || Value::Exp(e.is_nan())),
            ("powi", 1) if is_float => {
                let exponent = self.exponent(&call.arguments[0], site)?;
                self.at(site, || Value::Exp(e.powi(exponent)))
            }
            (name @ ("rotate_left" | "rotate_right"), 1) if is_integer => {
                let distance = argument(ScalarType::U32)?;
                let distance = distance.typed::<u32>().unwrap_or_else(Exp::poison);
                self.at(site, || {
                    Value::Exp(e.rotate_left(match name {
                        "rotate_left" => distance,
                        _ => lit(0u32) - distance,
                    }))
                })
            }
            (name @ ("abs_diff" | "saturating_add" | "saturating_sub" | "saturating_mul"), 1)
                if is_integer =>
            {
                let other = argument(ty)?;
                self.at(site, || {
                    Value::Exp(match name {
                        "abs_diff" => e.abs_diff(other),
                        "saturating_add" => e.saturating_add(other),
                        "saturating_sub" => e.saturating_sub(other),
                        _ => e.saturating_mul(other),
                    })
                })
            }
            _ => self.no_exp_method(e, call),
        }
    }

    /// The exponent of `powi`, an `i32` of the host.
    fn exponent(&self, value: &Value, site: Site) -> Eval<i32> {
        match value {
            Value::Int(n, None | Some(HostType::Scalar(ScalarType::I32))) => i32::try_from(*n)
                .or_else(|_| {
                    let words = format!("the exponent of `powi` is {n}, which is not an i32");
                    self.fail(site, catalogue::host_arithmetic(words))
                }),
            other => self.fail(
                site,
                catalogue::wrong_kind(
                    "an exponent that is an i32 of the host (`powf` takes device values)",
                    &other.kind(),
                ),
            ),
        }
    }
}
