//! What rows of the [table](super::table) need for device values.

use super::call::Call;
use super::table::{FLOAT, INTEGER, LENGTH, VALUE};
use super::{Eval, Machine, Value};
use crate::array::Len;
use crate::error::catalogue;
use crate::scalar::{AnyExp, BinaryOp, ScalarType, UnaryOp};
use crate::syntax::HostType;

impl Machine {
    /// Calls a method of a device value: a row of the table, or an operator with one operand.
    pub(super) fn exp_method(&self, e: AnyExp, call: &Call<'_>) -> Eval {
        let ty = e.ty();
        let tables = [
            (VALUE, true),
            (FLOAT, ty.is_float()),
            (INTEGER, ty.is_integer()),
            (LENGTH, ty == ScalarType::U32),
        ];
        let tables = tables.iter().filter(|(_, has)| *has);
        if let Some(answer) = tables.clone().find_map(|(table, _)| call.of(*table, &e)) {
            return answer;
        }
        let mut operators = UnaryOp::ALL.iter().filter(|op| op.is_method());
        if let (Some(op), []) = (
            operators.clone().find(|op| op.name() == call.name),
            call.arguments,
        ) {
            return call.answered(|| Ok(AnyExp::unary(*op, e)));
        }
        let rows = tables.flat_map(|(table, _)| table.iter().map(|row| row.name));
        let operators = operators.by_ref().filter(|op| op.accepts(ty));
        let mut known: Vec<&str> = rows.chain(operators.map(|op| op.name())).collect();
        known.sort_unstable();
        let kind = format!("a device value of type {}", ty.exp_name());
        self.no_method(call, &kind, &known)
    }
}

/// The kinds of arguments that depend on the receiver.
impl Call<'_> {
    /// A value of the receiver's type.
    pub(super) fn same(&self, value: &Value, this: &AnyExp) -> Eval<AnyExp> {
        self.machine.device_value(value, this.ty(), self.site)
    }

    /// The other operand of an operator.
    pub(super) fn operand(&self, value: &Value, this: &AnyExp, op: BinaryOp) -> Eval<AnyExp> {
        let (machine, receiver) = (self.machine, Value::Exp(*this));
        machine.device(value, Some(this.ty()), (op, &receiver, false), self.site)
    }

    /// The other side of a comparison.
    pub(super) fn compared(&self, value: &Value, this: &AnyExp, op: BinaryOp) -> Eval<AnyExp> {
        self.operand(value, this, op)
    }

    /// The exponent of `powi`, an `i32` of the host.
    pub(super) fn exponent(&self, value: &Value) -> Eval<i32> {
        match value {
            Value::Int(n, ty) if ty.is_none_or(|ty| ty == HostType::Scalar(ScalarType::I32)) => {
                i32::try_from(*n).or_else(|_| {
                    let words = format!("the exponent of `powi` is {n}, which is not an i32");
                    self.fail(catalogue::host_arithmetic(words))
                })
            }
            other => {
                let wanted = "an exponent that is an i32 of the host (`powf` takes device values)";
                self.wrong(wanted, other)
            }
        }
    }
}

/// A length as the user sees it: an integer if it is static, else a device value.
pub(super) fn len_value(len: Len) -> Value {
    match len {
        Len::Static(n) => Value::Int(n.into(), Some(HostType::Scalar(ScalarType::U32))),
        Len::Dynamic(n) => Value::Exp(n.any()),
    }
}
