//! What each operator of [`SIGNATURES`](crate::types::signatures::SIGNATURES) becomes.

mod control;
mod each;
mod fold;
mod index;
mod io;
mod kept;
mod looped;
mod moves;
mod mutable;
mod order;
mod power;
mod reduce;
mod roll;
mod scalar;
mod scan;
mod shape;

use std::rc::Rc;

use crate::lower::array::Array;
use crate::lower::stop::Stop;
use crate::lower::value::{Function, Value};
use crate::lower::{Lowered, Lowering};
use crate::syntax::{Base, Operator, Span};

pub use fold::neutral;
pub use io::{has_effect, numbers};
pub use roll::mixed_on_the_host;

/// A call of an operator.
pub(crate) struct Call<'c> {
    lowering: &'c Rc<Lowering>,
    operator: &'c Operator,
    arguments: &'c [Value],
    span: Span,
}

/// What an operator does.
type Primitive = fn(&Call) -> Lowered<Value>;

/// An operator of some arguments.
pub(crate) fn apply(
    lowering: &Rc<Lowering>,
    operator: &Operator,
    arguments: &[Value],
    span: Span,
) -> Lowered<Value> {
    let name = operator.name.strip_suffix('V').unwrap_or(&operator.name);
    let call = Call {
        lowering,
        operator,
        arguments,
        span,
    };
    if let Some(f) = scalar::find(name) {
        return call.scalars(f);
    }
    match find(name) {
        Some(primitive) => primitive(&call),
        None => Err(call.wrong(format!("there is no operator `{}`", operator.name))),
    }
}

/// The operators that do not work on scalars alone.
fn find(name: &str) -> Option<Primitive> {
    let tables: [fn(&str) -> Option<Primitive>; 9] = [
        each::find,
        reduce::find,
        shape::find,
        moves::find,
        index::find,
        order::find,
        io::find,
        scan::find,
        control::find,
    ];
    tables.iter().find_map(|find| find(name))
}

impl Call<'_> {
    fn wrong(&self, message: impl Into<String>) -> Stop {
        Stop::wrong(self.span, message)
    }

    fn argument(&self, n: usize) -> Lowered<&Value> {
        let missing = || self.wrong(format!("`{}` has too few arguments", self.operator.name));
        self.arguments.get(n).ok_or_else(missing)
    }

    fn array(&self, n: usize) -> Lowered<Array> {
        self.lowering.array(self.argument(n)?, self.span)
    }

    fn function(&self, n: usize) -> Lowered<Function> {
        self.lowering.function(self.argument(n)?, self.span)
    }

    /// A base type of the instance list, the last one for a number that is too large.
    fn base(&self, n: usize) -> Base {
        let instance = self.operator.instance.as_ref();
        let bases = instance.map_or(&[][..], |instance| &instance.bases);
        let base = bases.get(n).or_else(|| bases.last());
        base.copied().unwrap_or(Base::Open)
    }

    /// An operator on scalars.
    fn scalars(&self, f: scalar::Scalar) -> Lowered<Value> {
        let mut arguments = Vec::new();
        for n in 0..self.arguments.len() {
            let argument = self.array(n)?;
            if argument.rank() > 0 {
                let name = &self.operator.name;
                return Err(self.wrong(format!("`{name}` takes scalars, and this is an array")));
            }
            arguments.push(argument);
        }
        let base = scalar::result(&self.operator.name);
        let elements: Vec<_> = arguments.iter().map(Array::at).collect();
        let sources: Vec<&Array> = arguments.iter().collect();
        let made = self.lowering.delayed(base, Vec::new(), &sources, move |_| {
            let elements: Vec<_> = elements.iter().map(|at| at(&[])).collect();
            f(&elements)
        });
        made.map(Value::Array)
    }
}

#[cfg(test)]
mod tests {
    use crate::types::signatures::{OTHERS, SIGNATURES};

    #[test]
    fn every_operator_of_the_table_is_there() {
        for name in SIGNATURES.keys().chain(&OTHERS) {
            let short = name.strip_suffix('V').unwrap_or(name);
            let is_there = super::scalar::find(short).is_some() || super::find(short).is_some();
            // It is an expression of its own, as it changes a variable.
            assert!(is_there || *name == "idxassign", "{name}");
        }
    }
}
