//! Orders, and numbers of elements that data decide: `gradeUp`, `gradeDown`, `compress`, `replicate`.

use super::code::{Code, Number};
use super::value::{Array, Value};
use super::{Call, Printed, Printer};
use crate::syntax::Base;

impl Printer {
    pub(super) fn orders(&mut self, call: &Call) -> Option<Printed<Value>> {
        Some(match call.name {
            "compress" => self.compress(call),
            "replicate" => self.replicate(call),
            "gradeUp" => self.grade(call, false),
            "gradeDown" => self.grade(call, true),
            _ => return None,
        })
    }

    /// These operators are ones of whole vectors.
    fn of_vectors(&self, call: &Call, arrays: &[&Array]) -> Printed<()> {
        let name = &call.operator.name;
        match (
            self.is_outside(),
            arrays.iter().all(|array| array.rank() == 1),
        ) {
            (true, true) => Ok(()),
            (false, _) => call.wrong(format!("`{name}` inside of a function of elements")),
            (_, false) => call.wrong(format!("`{name}` is printed for vectors alone")),
        }
    }

    /// A vector whose length data decide.
    fn counted(&mut self, base: Base, code: Code) -> Value {
        let name = self.output.array("kept", (base, 1), code, None);
        let length = Number::of(Code::call("#0.len()", &[&name]));
        Array::node(base, vec![length], name).into()
    }

    fn compress(&mut self, call: &Call) -> Printed<Value> {
        let (flags, array) = (call.array(0)?, call.array(1)?);
        self.of_vectors(call, &[&flags, &array])?;
        let (flags, code) = (self.node(&flags)?, self.node(&array)?);
        let code = Code::call("$0.compact(#1)", &[&code, &flags]);
        Ok(self.counted(array.base, code))
    }

    /// A negative count stands for that many defaults, which are the first argument.
    fn replicate(&mut self, call: &Call) -> Printed<Value> {
        let (default, counts, array) = (call.array(0)?, call.array(1)?, call.array(2)?);
        self.of_vectors(call, &[&counts, &array])?;
        let (counts, code) = (self.node(&counts)?, self.node(&array)?);
        let default = self.one(&default, call.span)?.on_device();
        let template =
            "zip(#0, #1).expand(|(n, _)| n.abs() as u32, |(n, x), _| select(n < 0, #2, x))";
        let code = Code::call(template, &[&counts, &code, &default]);
        Ok(self.counted(array.base, code))
    }

    /// Of doubles, both zeros are one; the others are turned by their bits.
    fn grade(&mut self, call: &Call, is_down: bool) -> Printed<Value> {
        let array = call.array(0)?;
        self.of_vectors(call, &[&array])?;
        let key = match (array.base, is_down) {
            (Base::Complex, _) => return call.wrong("complex numbers have no order"),
            (Base::Double, false) => "select(x == 0.0, lit(0.0f64), x)",
            (Base::Double, true) => "select(x == 0.0, lit(0.0f64), -x)",
            (_, false) => "x",
            (_, true) => "!x",
        };
        let code = self.node(&array)?;
        let template =
            format!("$0.indexed().sort_by_key(|(_, x)| {key}).map(|(i, _)| i as i32 + 1)");
        let code = Code::call(&template, &[&code]);
        Ok(Array::node(Base::Int, array.extents, code).into())
    }
}
