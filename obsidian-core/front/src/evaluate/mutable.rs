//! What rows of the [table](super::table) need for mutable arrays.

use super::call::Call;
use super::value::ValueHandle;
use super::{Eval, Value};
use crate::array::Len;
use crate::error::catalogue;
use crate::ir::AtomicOp;
use crate::library::{self, Mutable};
use crate::program::{AnyLevel, Program, Thread};
use crate::scalar::Exp;

impl Call<'_> {
    /// A value as an element of an array; a number of the host takes the type of the array.
    pub(super) fn of_array(&self, array: &Mutable<Value, Len>, value: &Value) -> Eval {
        match array.handle() {
            ValueHandle::Scalar(_, ty) if matches!(value, Value::Exp(e) if e.ty() != *ty) => self
                .fail(catalogue::mixed_elements(
                    &ty.exp_name(),
                    &value.type_name(),
                )),
            ValueHandle::Scalar(_, ty) => {
                let value = self.machine.device_value(value, *ty, self.site)?;
                Ok(Value::Exp(value))
            }
            ValueHandle::Tuple(_) => Ok(value.clone()),
        }
    }

    /// An atomic operation, and the element as it was.
    pub(super) fn atomic(
        &self,
        array: &Mutable<Value, Len>,
        op: AtomicOp,
        i: Exp<u32>,
        operands: &[Value],
    ) -> Eval<Program<Thread, Value>> {
        let ValueHandle::Scalar(id, ty) = array.handle() else {
            let wanted = "a mutable array of device values";
            return self.fail(catalogue::wrong_kind(wanted, "one of tuples"));
        };
        let operands = operands
            .iter()
            .map(|value| self.machine.device_value(value, *ty, self.site))
            .collect::<Eval<Vec<_>>>()?;
        array.check(i);
        Ok(library::parts::atomic(*id, *ty, op, i, operands).map(Value::Exp))
    }

    /// Writes the elements of an array.
    pub(super) fn write_all(
        &self,
        array: &Mutable<Value, Len>,
        values: &Value,
    ) -> Eval<Program<AnyLevel, ()>> {
        let push = match values {
            Value::Push(_) => self.machine.pushed_list(values, self.site)?,
            other => self.pull(other)?.push(),
        };
        let level = push.level();
        Ok(array.write_all::<AnyLevel, _, _>(push).stamped(level))
    }
}
