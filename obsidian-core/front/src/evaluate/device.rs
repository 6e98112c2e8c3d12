//! Device functions in kernels: calls, and the kernel of a range.

use std::rc::Rc;
use std::sync::Arc;

use super::call::Answer;
use super::{Eval, Flow, Machine, Value};
use crate::array::{Len, Length, Push, Writer};
use crate::library::device::{self, Device, Slice, Ty, Val};
use crate::program::{AnyLevel, Program, Thread, Trace};
use crate::scalar::{Exp, with_site};
use crate::syntax::Site;

/// A value of a kernel as one of a device function.
fn of_value(value: &Value, ty: &Ty) -> Option<Val> {
    Some(match (value, ty) {
        (Value::Exp(e), Ty::Num(num)) => Val::given(*num, *e)?,
        (Value::Tuple(list), Ty::Tuple(types)) if list.len() == types.len() => {
            let list = list.iter().zip(types).map(|(v, ty)| of_value(v, ty));
            Val::Tuple(list.collect::<Option<_>>()?)
        }
        (Value::Vec(list), Ty::Array(ty, n)) if list.len() == *n as usize => {
            let list = list.iter().map(|v| of_value(v, ty));
            Val::Array(list.collect::<Option<_>>()?)
        }
        (Value::Pull(_), Ty::Slice(ty)) => {
            let (pull, ty) = (value.list()?, ty.clone());
            let length = pull.len().exp();
            Val::Slice(Rc::new(Slice {
                length,
                at: Box::new(move |i| {
                    of_value(&pull.at(i), &ty).unwrap_or_else(|| Val::impossible(&ty))
                }),
                is_checked: false,
            }))
        }
        _ => return None,
    })
}

/// An argument of a range, of those of its kernel: a number or slice, or the numbers of a tuple or array.
fn of_numbers(values: &mut impl Iterator<Item = Value>, ty: &Ty) -> Option<Val> {
    Some(match ty {
        Ty::Num(_) | Ty::Slice(_) => of_value(&values.next()?, ty)?.checked(),
        Ty::Tuple(list) => {
            let list = list.iter().map(|ty| of_numbers(values, ty));
            Val::Tuple(list.collect::<Option<_>>()?)
        }
        Ty::Array(ty, n) => {
            let list = (0..*n).map(|_| of_numbers(values, ty));
            Val::Array(list.collect::<Option<_>>()?)
        }
    })
}

/// A value of a device function as one of a kernel.
fn to_value(value: &Val) -> Value {
    match value {
        Val::Num(_, value, _) => Value::Exp(*value),
        Val::Tuple(list) => Value::tuple(list.iter().map(to_value).collect()),
        Val::Array(list) => Value::Vec(Rc::new(list.iter().map(to_value).collect())),
        Val::Slice(_) => Value::Poison,
    }
}

fn run(device: &Device, arguments: Vec<Val>, trace: &mut Trace<Thread>) -> Val {
    device::run(device, arguments, &|place, f| with_site(place, f), trace)
}

impl Machine {
    fn device_of(&self, index: u32, site: Site) -> Eval<Arc<Device>> {
        match self.module.device(index) {
            Some(device) => Ok(Arc::new(device)),
            None => self.fail(
                site,
                crate::error::catalogue::bug("no such device function"),
            ),
        }
    }

    fn given_to(&self, device: &Device, arguments: &[Value], site: Site) -> Eval<Vec<Val>> {
        let Some(code) = device.code() else {
            return Err(Flow::Stop);
        };
        let mut values = Vec::new();
        for (value, ty) in arguments.iter().zip(&code.parameters) {
            match of_value(value, ty) {
                Some(value) => values.push(value),
                None => {
                    let words = format!("an argument of `{}`", code.name);
                    return self.wrong_kind(&words, value, site);
                }
            }
        }
        Ok(values)
    }

    /// A call in a kernel: a value, or a program of one thread if the function does more than compute.
    pub(super) fn call_device(&self, index: u32, arguments: Vec<Value>, site: Site) -> Eval {
        let device = self.device_of(index, site)?;
        let arguments = self.given_to(&device, &arguments, site)?;
        if device.is_plain() {
            return self.at(site, || {
                let mut trace = Trace::new(None);
                to_value(&run(&device, arguments, &mut trace))
            });
        }
        let program = Program::<Thread, Value>::new(move |trace| {
            to_value(&run(&device, arguments.clone(), trace))
        });
        Ok(Value::Program(program.at_level::<AnyLevel>()))
    }

    /// The elements of a range: the arguments are its extents, and those of the function behind the
    /// coordinates.
    pub(super) fn device_range(&self, index: u32, arguments: Vec<Value>, site: Site) -> Eval {
        let device = self.device_of(index, site)?;
        let function = self.module.functions.get(index as usize);
        let about = function
            .and_then(|f| f.device.as_ref())
            .and_then(|d| d.range);
        let Some((dimensions, num)) = about else {
            return Err(Flow::Stop);
        };
        let (extents, given) = arguments.split_at((dimensions as usize).min(arguments.len()));
        let extents = extents.iter().filter_map(|value| match value {
            Value::Exp(e) => e.typed::<u32>(),
            _ => None,
        });
        let extents: Vec<Exp<u32>> = extents.collect();
        let types: Vec<Ty> = device
            .code()
            .map(|code| code.parameters.iter().skip(1).cloned().collect())
            .unwrap_or_default();
        let mut given = given.iter().cloned();
        let given: Option<Vec<Val>> = types.iter().map(|ty| of_numbers(&mut given, ty)).collect();
        let Some(given) = given else {
            return Err(Flow::Stop);
        };
        let push = self.at(site, || {
            device::range(&extents, num, move |at, trace| {
                let all = std::iter::once(at).chain(given.iter().cloned());
                to_value(&run(&device, all.collect(), trace))
            })
        })?;
        let length = Len::Dynamic(push.len());
        let push = Push::<AnyLevel, Value, Len>::new(length, move |write: Writer<Value>| {
            push.write_to(write).at_level()
        });
        Ok(push.value())
    }
}
