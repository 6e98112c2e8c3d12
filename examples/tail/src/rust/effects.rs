//! Effects: printing, texts of numbers, files, the clock, random numbers, and `idxassign`.

use super::blocks::{Parameters, index_names};
use super::code::{Binding, Code, Number};
use super::output::Kind;
use super::value::{Array, Environment, Scalar, Source, Value, find};
use super::{Call, Printed, Printer, Stop, wrong};
use crate::syntax::{Base, Constant, Expr, ExprKind, Span};

impl Printer {
    pub(super) fn effects(&mut self, call: &Call) -> Option<Printed<Value>> {
        Some(match call.name {
            "prArrI" | "prArrD" | "prArrB" | "prArrC" | "prArrX" => self.printing(call),
            "prSclI" | "prSclD" | "prSclB" | "prSclC" | "prSclX" => self.printing(call),
            "formatI" | "formatD" | "formatX" => self.formatted(call),
            "readFile" => self.read(call, "read_text", Base::Char),
            "readIntVecFile" => self.read(call, "read_ints", Base::Int),
            "readDoubleVecFile" => self.read(call, "read_doubles", Base::Double),
            "nowi" => self.now(call),
            "roll" => self.roll(call),
            _ => return None,
        })
    }

    fn printing(&mut self, call: &Call) -> Printed<Value> {
        let mut array = call.array(0)?;
        array.base = match call.name.chars().last() {
            Some('D') => Base::Double,
            Some('B') => Base::Bool,
            Some('C') => Base::Char,
            Some('X') => Base::Complex,
            _ => Base::Int,
        };
        self.print(&array, call.span).map(Value::from)
    }

    /// Prints an array, and gives it.
    pub(super) fn print(&mut self, array: &Array, span: Span) -> Printed<Array> {
        if !self.output.blocks.is_empty() {
            return Err(Stop::Demand(span));
        }
        if let Some(host) = array.only().and_then(Scalar::on_host) {
            let code = Code::call("print(&support::scalar(#0));", &[&host]);
            self.output.effect(code);
            return Ok(array.clone());
        }
        if let (Some(text), None) = (text_of(array), &array.source) {
            let code = Code::atom(format!("print(&support::text({text:?}));"));
            self.output.effect(code);
            return Ok(array.clone());
        }
        let code = self.node(array)?;
        let name = match code.is_name() {
            true => code,
            false => self
                .output
                .array("printed", (array.base, array.rank()), code, None),
        };
        self.output
            .effect(Code::call("print(&support::array(&#0)?);", &[&name]));
        Ok(Array {
            source: Some(Source::Node(name)),
            ..array.clone()
        })
    }

    /// An array that the host uploads.
    fn given_by_host(&mut self, wished: &str, base: Base, code: Code) -> Value {
        let name = self.output.host(wished, Kind::Array(base, 1), code, None);
        let extents = super::control::extents_of(&name, 1);
        Array::node(base, extents, name).into()
    }

    fn formatted(&mut self, call: &Call) -> Printed<Value> {
        let array = call.array(0)?;
        let scalar = self.one(&array, call.span)?;
        let code = self.host_scalar(&scalar, call.span)?;
        let code = Code::call("support::formatted(device, #0)?", &[&code]);
        Ok(self.given_by_host("text", Base::Char, code))
    }

    fn read(&mut self, call: &Call, method: &str, base: Base) -> Printed<Value> {
        if !self.output.blocks.is_empty() {
            return Err(Stop::Demand(call.span));
        }
        let name = call.array(0)?;
        let name = match text_of(&name) {
            Some(text) => Code::atom(format!("{text:?}")),
            None => {
                let name = self.in_place(name)?;
                let code = self.node(&name)?;
                let code = Code::call("support::name(&#0)?", &[&code]);
                let name = self
                    .output
                    .host("name", Kind::Scalar(Base::Open), code, None);
                Code::call("&#0", &[&name])
            }
        };
        let code = Code::call(&format!("host.{method}(device, #0)?"), &[&name]);
        Ok(self.given_by_host("content", base, code))
    }

    fn now(&mut self, call: &Call) -> Printed<Value> {
        if !self.output.blocks.is_empty() {
            return Err(Stop::Demand(call.span));
        }
        self.output.close();
        let kind = Kind::Scalar(Base::Int);
        let name = self
            .output
            .host("now", kind, Code::atom("host.now()"), None);
        Ok(Scalar::of_host(Base::Int, name).into())
    }

    /// Random numbers depend on the seed, the call and the number of the element. They are not those of `tail run`, which counts a call again each time
    /// that it lowers the function around it.
    fn roll(&mut self, call: &Call) -> Printed<Value> {
        let n = call.array(0)?;
        self.rolls = self.rolls.wrapping_add(1);
        let argument = Code::atom(format!("host.stream({})", self.rolls));
        let stream = self.output.parameter("stream", Kind::Stream, argument);
        self.helper("random");
        let span = call.span;
        self.made(Base::Double, Vec::new(), move |printer, _| {
            let n = printer.one(&n, span)?;
            let number = printer.element.clone();
            let number = number.unwrap_or_else(|| Code::atom("lit(0u32)"));
            let code = Code::call("random(#0, #1, #2)", &[&stream, &number, &n.on_device()]);
            Ok(Scalar::element(Base::Double, code))
        })
    }

    /// `idxassign(index, mv, x)`: the variable is another array from here on.
    pub(super) fn assign(
        &mut self,
        arguments: &[Expr],
        environment: &Environment,
        span: Span,
    ) -> Printed<Value> {
        let [index, variable, element] = arguments else {
            return wrong(span, "`idxassign` takes 3 arguments");
        };
        let frame = match &variable.kind {
            ExprKind::Variable(name) => find(name, environment),
            _ => None,
        };
        let Some(frame) = frame else {
            return wrong(variable.span, "`idxassign` changes a variable");
        };
        if !self.output.blocks.is_empty() || frame.depth != self.output.steps.len() {
            return wrong(
                span,
                "`idxassign` of a variable outside of this loop or function",
            );
        }
        let place = self.expression(index, environment)?;
        let place = self.an_array(&place, index.span)?;
        let new = self.expression(element, environment)?;
        let new = self.an_array(&new, element.span)?;
        let old = frame.value.borrow().clone();
        let old = self.an_array(&old, variable.span)?;
        let code = self.changed(&old, &place, &new, element.span)?;
        let name = self
            .output
            .array(&frame.name, (old.base, old.rank()), code, None);
        *frame.value.borrow_mut() = Array::node(old.base, old.extents, name).into();
        Ok(Scalar::constant(Constant::Bool(true)).into())
    }

    fn changed(&mut self, old: &Array, place: &Array, new: &Array, span: Span) -> Printed<Code> {
        let mut wanted = Vec::new();
        for axis in (0u32..).zip(&old.extents).map(|(axis, _)| axis) {
            let one = self.at(place, &[Number::literal(axis)])?;
            wanted.push(match one.value.filter(|_| one.is_literal) {
                Some(Constant::Int(n @ 1..)) => Code::atom((n - 1).to_string()),
                _ => Code::of("($0 - 1) as u32", Binding::Cast, &[&one.on_device()]),
            });
        }
        let new = self.one(new, span)?.on_device();
        let node = self.node(old)?;
        let wished = index_names(old.rank());
        let mut own = Vec::new();
        // The closure is `|(y, x), old|`, and not one of an index alone.
        let (closure, _) = self.closure(Parameters::Several, wished, |_, index| {
            own = index.to_vec();
            let mut is_there: Option<Code> = None;
            for (at, wanted) in index.iter().zip(&wanted) {
                let is = Code::infix("==", Binding::Compare, at, wanted);
                is_there = Some(match is_there {
                    None => is,
                    Some(others) => Code::infix("&", Binding::And, &others, &is),
                });
            }
            let is_there = is_there.unwrap_or_else(|| Code::atom("lit(true)"));
            Ok(Code::call("select(#0, #1, old)", &[&is_there, &new]))
        })?;
        let body = closure
            .text
            .splitn(3, '|')
            .nth(2)
            .unwrap_or_default()
            .trim();
        let pattern = super::code::tuple(&own).text;
        let text = format!("$0.imap(|{pattern}, old| {body})");
        let mut code = Code::call(&text, &[&node]);
        code.refs.extend(closure.refs);
        Ok(code)
    }
}

/// The text of characters that are written out.
fn text_of(array: &Array) -> Option<String> {
    let list = array
        .list
        .as_deref()
        .filter(|_| array.rank() == 1 && array.base == Base::Char)?;
    let char_of = |scalar: &Scalar| match scalar.value.filter(|_| scalar.is_literal) {
        Some(Constant::Char(c)) => Some(c),
        _ => None,
    };
    list.iter().map(char_of).collect()
}
