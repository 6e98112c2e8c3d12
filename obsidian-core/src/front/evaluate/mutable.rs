//! Mutable arrays.

use std::rc::Rc;

use super::arrays::{Method, len_value};
use super::value::ValueHandle;
use super::{Eval, Machine, Value};
use crate::array::{Len, Push};
use crate::error::catalogue as errors;
use crate::front::catalogue;
use crate::front::syntax::Site;
use crate::ir::{AtomicOp, Level};
use crate::library::{self, Mutable};
use crate::program::{AnyLevel, Program, Thread};

/// The methods of mutable arrays.
pub(super) const MUTABLE: &[&str] = &[
    "atomic_add",
    "atomic_and",
    "atomic_cas",
    "atomic_dec",
    "atomic_exch",
    "atomic_inc",
    "atomic_max",
    "atomic_min",
    "atomic_or",
    "atomic_sub",
    "atomic_xor",
    "len",
    "push",
    "read",
    "write",
    "write_all",
];

fn of_thread(program: &Program<Thread, Value>) -> Value {
    Value::Program(program.at_level())
}

impl Machine {
    /// `new_shared_mutable` and `to_mutable`.
    pub(super) fn new_mutable(
        self: &Rc<Self>,
        name: &str,
        level: Option<Level>,
        arguments: &[Value],
        site: Site,
    ) -> Eval {
        let (program, level): (Program<AnyLevel, Mutable<Value, u32>>, _) = match (name, arguments)
        {
            ("new_shared_mutable", [n, value]) => {
                let n = self.count(n, "the length of a mutable array", site)?;
                (
                    self.at(site, || library::new_shared_mutable(n, value.clone()))?,
                    level,
                )
            }
            ("to_mutable", [array]) => {
                let push = self.push_array(array, "a mutable array", site)?;
                let level = level.or(push.level());
                (self.at(site, || library::to_mutable(push))?, level)
            }
            _ => {
                return self.fail(
                    site,
                    catalogue::wrong_count(
                        &format!("`{name}`"),
                        super::library::arity(name),
                        arguments.len(),
                    ),
                );
            }
        };
        let program = program.map(|array| {
            Value::Mutable(Mutable::of_handle(
                Len::Static(array.len()),
                array.handle().clone(),
            ))
        });
        Ok(Value::Program(program.stamped(level)))
    }

    /// Calls a method of a mutable array.
    pub(super) fn mutable_method(
        self: &Rc<Self>,
        array: &Mutable<Value, Len>,
        call: &Method<'_>,
    ) -> Eval {
        let site = call.site;
        match (call.name, call.arguments) {
            ("len", []) => Ok(len_value(array.len())),
            ("read", [i]) => {
                let i = self.number(i, site)?;
                self.at(site, || of_thread(&array.read(i)))
            }
            ("write", [i, value]) => {
                let i = self.number(i, site)?;
                let value = self.element(array, value, site)?;
                self.at(site, || {
                    of_thread(&array.write(i, value).map(|()| Value::Unit))
                })
            }
            ("push", []) => {
                let push: Push<AnyLevel, Value, Len> = array.push();
                Ok(Value::Push(
                    push.stamped(call.levels.first().copied().flatten()),
                ))
            }
            ("write_all", [values]) => {
                let push: Push<AnyLevel, Value, Len> = match values {
                    Value::Push(push) => push.clone(),
                    other => self.pull(other, site)?.push(),
                };
                let level = push.level();
                let program: Program<AnyLevel, ()> = self.at(site, || array.write_all(push))?;
                Ok(Value::Program(program.map(|()| Value::Unit).stamped(level)))
            }
            (name, [i, operands @ ..]) => {
                match AtomicOp::ALL.into_iter().find(|op| op.method() == name) {
                    Some(op)
                        if operands.len()
                            == if op == AtomicOp::CompareExchange {
                                2
                            } else {
                                1
                            } =>
                    {
                        self.atomic(array, op, i, operands, site)
                    }
                    _ => self.no_method(call, "a mutable array", MUTABLE),
                }
            }
            _ => self.no_method(call, "a mutable array", MUTABLE),
        }
    }

    /// A value as an element; a number of the host takes the type of the array.
    fn element(&self, array: &Mutable<Value, Len>, value: &Value, site: Site) -> Eval {
        match array.handle() {
            ValueHandle::Scalar(_, ty) if matches!(value, Value::Exp(e) if e.ty() != *ty) => self
                .fail(
                    site,
                    errors::mixed_elements(&ty.exp_name(), &value.type_name()),
                ),
            ValueHandle::Scalar(_, ty) => Ok(Value::Exp(self.device_value(value, *ty, site)?)),
            ValueHandle::Tuple(_) | ValueHandle::Untyped(_) => Ok(value.clone()),
        }
    }

    fn atomic(
        &self,
        array: &Mutable<Value, Len>,
        op: AtomicOp,
        i: &Value,
        operands: &[Value],
        site: Site,
    ) -> Eval {
        if let ValueHandle::Untyped(untyped) = array.handle() {
            for operand in operands {
                if let Value::Exp(e) = operand {
                    untyped.typed(e.ty());
                }
            }
            let i = self.number(i, site)?;
            return self.at(site, || of_thread(&array.read(i)));
        }
        let ValueHandle::Scalar(id, ty) = array.handle() else {
            return self.fail(
                site,
                catalogue::wrong_kind("a mutable array of device values", "one of tuples"),
            );
        };
        let i = self.number(i, site)?;
        let operands = operands
            .iter()
            .map(|value| self.device_value(value, *ty, site))
            .collect::<Eval<Vec<_>>>()?;
        let program = self.at(site, || {
            array.check(i);
            library::atomic(*id, *ty, op, i, operands)
        })?;
        Ok(of_thread(&program.map(Value::Exp)))
    }
}
