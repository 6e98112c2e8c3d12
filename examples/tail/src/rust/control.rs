//! Loops and choices: those of scalars are expressions, those of arrays are `power` of the array layer or Rust of the host.

use super::code::{Code, Number, tuple};
use super::elements::{has_effect, mentions};
use super::output::{Arm, Kind, Let, Step};
use super::scalars::select;
use super::value::{Array, Environment, Function, Scalar, Value};
use super::{Call, Printed, Printer, Stop, wrong};
use crate::syntax::{Base, Constant, Expr, Span};

/// The most iterations that are written out in a function of elements.
const MOST_WRITTEN_OUT: u32 = 16;
/// The most arrays of the state of a loop of the array layer.
const MOST_PARTS: usize = 8;

impl Printer {
    pub(super) fn control(&mut self, call: &Call) -> Option<Printed<Value>> {
        Some(match call.name {
            "power" => self.power(call),
            "powerScl" => self.repeated(call),
            "condScl" => self.conditional(call),
            _ => return None,
        })
    }

    /// A scalar as an expression of the host; the part ends where it computes it.
    pub(super) fn host_scalar(&mut self, scalar: &Scalar, span: Span) -> Printed<Code> {
        if let Some(code) = scalar.on_host() {
            return Ok(code);
        }
        if !self.output.blocks.is_empty() {
            return Err(Stop::Demand(span));
        }
        let array = Array::scalar(scalar.clone());
        let code = match scalar.device.text.strip_suffix(".the()") {
            Some(name) if Code::atom(name).is_name() => Code::variable(name),
            _ => self.node(&array)?,
        };
        let name = match code.is_name() {
            true => code,
            false => self.output.array("value", (scalar.base, 0), code, None),
        };
        let wished = format!("{}_value", name.text);
        let code = Code::call("#0.value()?", &[&name]);
        Ok(self
            .output
            .host(&wished, Kind::Scalar(scalar.base), code, None))
    }

    /// `powerScl(f, n, x)`
    fn repeated(&mut self, call: &Call) -> Printed<Value> {
        let (function, n, x) = (call.function(0)?, call.array(1)?, call.array(2)?);
        if self.is_outside() && has_effect(&function) {
            return self.host_loop(call, &function);
        }
        let (base, span) = (x.base, call.span);
        self.made(base, Vec::new(), move |printer, _| {
            let (n, start) = (printer.one(&n, span)?, printer.one(&x, span)?);
            let times = match n.value.filter(|_| n.is_literal) {
                Some(Constant::Int(n)) => Number::literal(u32::try_from(n).unwrap_or(0)),
                _ => Number::of(Code::call("$0.max(0) as u32", &[&n.on_device()])),
            };
            let name = match &function {
                Function::Closure(lambda, _) => lambda.name.clone(),
                Function::Operator(_) => "x".to_owned(),
            };
            printer.iterated((&times, &start), ["k", &name], span, |printer, k, value| {
                let around = printer.numbered(k);
                let next = printer.of_scalar(&function, vec![value], span);
                printer.element = around;
                next
            })
        })
    }

    /// `condScl(f, condition, x)`
    fn conditional(&mut self, call: &Call) -> Printed<Value> {
        let (function, condition, x) = (call.function(0)?, call.array(1)?, call.array(2)?);
        let condition = self.one(&condition, call.span)?;
        let x = self.one(&x, call.span)?;
        if !has_effect(&function) {
            let then = self.of_scalar(&function, vec![x.clone()], call.span)?;
            return Ok(select(&condition, &then, &x).into());
        }
        if x.base == Base::Complex {
            return call.wrong("a complex number that a function with effects changes");
        }
        let x = self.host_scalar(&x, call.span)?;
        let x = Scalar::of_host(condition_base(call), x);
        let span = call.span;
        let own = x.clone();
        let then =
            move |printer: &mut Printer| printer.call(&function, vec![own.clone().into()], span);
        self.host_choice(&condition, (&then, &|_| Ok(x.clone().into())), span)
    }

    /// `if a then b else c`
    pub(super) fn choice(
        &mut self,
        [condition, then, otherwise]: &[Expr; 3],
        environment: &Environment,
    ) -> Printed<Value> {
        let (span, value) = (condition.span, self.expression(condition, environment)?);
        let condition = self.an_array(&value, span)?;
        let condition = self.one(&condition, span)?;
        let is_pure = !effects_in(then, environment) && !effects_in(otherwise, environment);
        let before = (self.output.clone(), self.rolls);
        if is_pure {
            let arms = [then, otherwise].map(|arm| self.expression(arm, environment));
            if let [Ok(Value::Array(a)), Ok(Value::Array(b))] = &arms {
                if a.rank() == 0 && b.rank() == 0 {
                    let (a, b) = (self.one(a, span)?, self.one(b, span)?);
                    return Ok(select(&condition, &a, &b).into());
                }
                if !self.is_outside() {
                    return self.chosen(condition, a.clone(), b.clone(), span);
                }
            }
            let [first, second] = arms;
            if !self.output.blocks.is_empty() {
                return first.and(second);
            }
        }
        (self.output, self.rolls) = before;
        let arm = |printer: &mut Printer, arm: &Expr| printer.expression(arm, environment);
        let arms = (
            &(move |printer: &mut Printer| arm(printer, then)) as ArmOf<'_>,
            &(move |printer: &mut Printer| arm(printer, otherwise)) as ArmOf<'_>,
        );
        self.host_choice(&condition, arms, span)
    }

    /// One of two arrays of a function of elements.
    fn chosen(&mut self, condition: Scalar, a: Array, b: Array, span: Span) -> Printed<Value> {
        if a.rank() != b.rank() {
            return wrong(span, "one arm has another number of axes than the other");
        }
        let pairs = a.extents.iter().zip(&b.extents);
        let extents = pairs.map(|(x, y)| match x.is(y) {
            true => x.clone(),
            false => Number::of(Code::call(
                "select(#0, #1, #2)",
                &[&condition.on_device(), &x.device(), &y.device()],
            )),
        });
        let extents = extents.collect();
        self.made(a.base, extents, move |printer, index| {
            let (x, y) = (printer.at(&a, index)?, printer.at(&b, index)?);
            Ok(select(&condition, &x, &y))
        })
    }

    /// The host runs one of two arms.
    fn host_choice(
        &mut self,
        condition: &Scalar,
        (then, otherwise): (ArmOf<'_>, ArmOf<'_>),
        span: Span,
    ) -> Printed<Value> {
        if !self.output.blocks.is_empty() {
            return Err(Stop::Demand(span));
        }
        let condition = self.host_scalar(condition, span)?;
        let mut arms = Vec::new();
        let mut like = None;
        for arm in [then, otherwise] {
            self.output.begin();
            let value = arm(self);
            let kept = value.and_then(|value| {
                let mut results = Vec::new();
                self.kept(&value, span, &mut results)?;
                Ok((value, results))
            });
            let steps = self.output.end();
            let (value, results) = kept?;
            like = Some(value);
            arms.push(Arm { steps, results });
        }
        let (Some(like), Ok(arms)) = (like, <[Arm; 2]>::try_from(arms)) else {
            return wrong(span, "a choice has two arms");
        };
        let mut names = Vec::new();
        let value = self.declared_like("chosen", &like, &mut names);
        let step = Step::If(names, condition, Box::new(arms));
        self.output.step(step);
        Ok(value)
    }

    /// A value that leaves a block of the host: scalars, and arrays of their own, which may be moved.
    fn kept(&mut self, value: &Value, span: Span, results: &mut Vec<Code>) -> Printed<()> {
        match value {
            Value::Tuple(parts) => parts
                .iter()
                .try_for_each(|part| self.kept(part, span, results)),
            Value::Function(_) => wrong(span, "a function leaves a loop or a choice of the host"),
            Value::Array(array) if is_scalar(array) => {
                let scalar = self.one(array, span)?;
                let code = self.host_scalar(&scalar, span)?;
                results.push(
                    self.output
                        .host("next", Kind::Scalar(array.base), code, None),
                );
                Ok(())
            }
            Value::Array(array) => {
                let code = self.node(array)?;
                let code = match code.is_name() {
                    true => Code::call("#0.map(|x| x)", &[&code]),
                    false => code,
                };
                results.push(
                    self.output
                        .array("next", (array.base, array.rank()), code, None),
                );
                Ok(())
            }
        }
    }

    /// Variables of the host for a value like another one.
    fn declared_like(&mut self, name: &str, like: &Value, names: &mut Vec<String>) -> Value {
        match like {
            Value::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                let parts =
                    parts.map(|(n, part)| self.declared_like(&format!("{name}_{n}"), part, names));
                Value::Tuple(parts.collect())
            }
            Value::Function(function) => Value::Function(function.clone()),
            Value::Array(array) => {
                let (base, rank) = (array.base, array.rank());
                let kind = match is_scalar(array) {
                    true => Kind::Scalar(base),
                    false => Kind::Array(base, rank),
                };
                let own = self.output.declared(name, kind, None);
                names.push(own.clone());
                let code = Code::variable(&own);
                match is_scalar(array) {
                    true => Scalar::of_host(base, code).into(),
                    false => {
                        let extents = extents_of(&code, rank);
                        Array::node(base, extents, code).into()
                    }
                }
            }
        }
    }

    /// `power(f, n, state)`
    fn power(&mut self, call: &Call) -> Printed<Value> {
        let (function, n) = (call.function(0)?, call.array(1)?);
        let Some(state) = call.arguments.get(2).cloned() else {
            return call.wrong("`power` has no state");
        };
        let n = self.one(&n, call.span)?;
        let fixed = match n.value.filter(|_| n.is_literal) {
            Some(Constant::Int(n)) => u32::try_from(n).ok(),
            _ => None,
        };
        match fixed {
            Some(0) => return Ok(state),
            Some(1) => return self.call(&function, vec![state], call.span),
            Some(n) if !self.is_outside() && n <= MOST_WRITTEN_OUT => {
                let step = |state, _| self.call(&function, vec![state], call.span);
                return (0..n).try_fold(state, step);
            }
            _ if !self.is_outside() => {
                return call.wrong("`power` inside of a function of elements, of many iterations");
            }
            _ => {}
        }
        if !has_effect(&function) && !mentions(&function, "roll") {
            let before = (self.output.clone(), self.rolls, self.locals.len());
            match self.looped(&function, &n, &state, call) {
                Ok(Some(value)) => return Ok(value),
                Ok(None) | Err(Stop::Demand(_)) => {}
                Err(stop) => return Err(stop),
            }
            (self.output, self.rolls) = (before.0, before.1);
            self.locals.truncate(before.2);
        }
        self.host_loop(call, &function)
    }

    /// A loop of the array layer; nothing if an iteration changes extents.
    fn looped(
        &mut self,
        function: &Function,
        n: &Scalar,
        state: &Value,
        call: &Call,
    ) -> Printed<Option<Value>> {
        let parts = parts_of(state, call)?;
        if parts.len() > MOST_PARTS {
            return Ok(None);
        }
        let times = self.length(n, call.span)?;
        let initial = parts.iter().map(|part| self.node(part));
        let initial: Vec<Code> = initial.collect::<Printed<_>>()?;
        let is_tuple = matches!(state, Value::Tuple(_));
        let (given, names) = self.state(&state_name(function), &parts, is_tuple);
        let mut next = Vec::new();
        let (lets, code, _) = self.block(true, |printer| {
            let made = printer.call(function, vec![given], call.span)?;
            next = parts_of(&made, call)?;
            let codes = next.iter().map(|part| printer.node(part));
            Ok(tuple(&codes.collect::<Printed<Vec<_>>>()?))
        })?;
        if !are_alike(&parts, &next) {
            return Ok(None);
        }
        let body = super::blocks::braced(&lets, &code);
        let code = Code::call(
            "power(#0, #1, |#2| #3)",
            &[&times.code, &tuple(&initial), &tuple(&names), &body],
        );
        Ok(Some(self.unpacked(code, &parts, is_tuple)))
    }

    /// The state that an iteration is given, and its names.
    fn state(&mut self, wished: &str, parts: &[Array], is_tuple: bool) -> (Value, Vec<Code>) {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (number, part) in parts.iter().enumerate() {
            let wished = match is_tuple {
                true => format!("{wished}_{number}"),
                false => wished.to_owned(),
            };
            let name = Code::atom(self.output.fresh(&wished));
            let array = Array::node(part.base, part.extents.clone(), name.clone());
            values.push(Value::from(array));
            names.push(name);
        }
        match (is_tuple, values.pop()) {
            (false, Some(one)) => (one, names),
            (_, last) => {
                values.extend(last);
                (Value::Tuple(values), names)
            }
        }
    }

    /// The arrays of a state that a loop gives.
    fn unpacked(&mut self, code: Code, parts: &[Array], is_tuple: bool) -> Value {
        if let (false, [one]) = (is_tuple, parts) {
            return Array::node(one.base, one.extents.clone(), code).into();
        }
        let of = parts
            .first()
            .map_or((Base::Int, 0), |part| (part.base, part.rank()));
        let name = self.output.array("state", of, code, None);
        let parts = parts.iter().enumerate().map(|(n, part)| {
            let code = Code::call(&format!("#0.{n}"), &[&name]);
            let own = self
                .output
                .array("part", (part.base, part.rank()), code, None);
            Array::node(part.base, part.extents.clone(), own).into()
        });
        Value::Tuple(parts.collect())
    }

    /// A loop of the host, in which parts run.
    fn host_loop(&mut self, call: &Call, function: &Function) -> Printed<Value> {
        if !self.output.blocks.is_empty() {
            return Err(Stop::Demand(call.span));
        }
        let n = call.array(1)?;
        let n = self.one(&n, call.span)?;
        let count = self.host_scalar(&n, call.span)?;
        let Some(state) = call.arguments.get(2).cloned() else {
            return call.wrong("a loop has no state");
        };
        let mut starts = Vec::new();
        self.kept(&state, call.span, &mut starts)?;
        let mut names = Vec::new();
        let value = self.declared_like(&state_name(function), &state, &mut names);
        for (name, code) in names.iter().zip(starts) {
            self.output.step(Step::Start(Let {
                name: name.clone(),
                code,
                comment: None,
            }));
        }
        self.output.begin();
        let made = self.iteration(function, &value, &names, call.span);
        let body = self.output.end();
        made?;
        self.output.step(Step::Loop(count, body));
        Ok(value)
    }

    /// An iteration of a loop of the host, which changes the variables of its state.
    fn iteration(
        &mut self,
        function: &Function,
        state: &Value,
        names: &[String],
        span: Span,
    ) -> Printed<()> {
        let next = self.call(function, vec![state.clone()], span)?;
        let mut results = Vec::new();
        self.kept(&next, span, &mut results)?;
        for (name, code) in names.iter().zip(results) {
            self.output.step(Step::Assign(name.clone(), code));
        }
        Ok(())
    }
}

/// What an arm of a choice gives.
type ArmOf<'a> = &'a dyn Fn(&mut Printer) -> Printed<Value>;

/// The base type of the argument of `condScl`.
fn condition_base(call: &Call) -> Base {
    match call.arguments.get(2) {
        Some(Value::Array(array)) => array.base,
        _ => Base::Open,
    }
}

/// What the state of a loop is called.
fn state_name(function: &Function) -> String {
    match function {
        Function::Closure(lambda, _) => lambda.name.clone(),
        Function::Operator(_) => "state".to_owned(),
    }
}

/// Have arrays the same types and extents, as far as that is known?
fn are_alike(before: &[Array], after: &[Array]) -> bool {
    let is_same = |(a, b): (&Array, &Array)| {
        let mut extents = a.extents.iter().zip(&b.extents);
        a.base == b.base && a.rank() == b.rank() && extents.all(|(a, b)| a.is(b))
    };
    before.len() == after.len() && before.iter().zip(after).all(is_same)
}

/// Is it a variable of the host outside of parts?
fn is_scalar(array: &Array) -> bool {
    array.rank() == 0 && array.base != Base::Complex
}

fn effects_in(expr: &Expr, environment: &Environment) -> bool {
    let function = std::sync::Arc::new(crate::syntax::Function {
        name: String::new(),
        ty: crate::syntax::Type::Array(Base::Open, 0),
        body: expr.clone(),
    });
    has_effect(&Function::Closure(function, environment.clone()))
}

/// The arrays of a state.
fn parts_of(state: &Value, call: &Call) -> Printed<Vec<Array>> {
    let array = |value: &Value| match value {
        Value::Array(array) => Ok(array.clone()),
        _ => call.wrong("the state of `power` is an array, or a tuple of arrays"),
    };
    match state {
        Value::Tuple(parts) => parts.iter().map(array).collect(),
        one => Ok(vec![array(one)?]),
    }
}

/// The extents of a variable.
pub fn extents_of(name: &Code, rank: usize) -> Vec<Number> {
    let template = |axis: usize| match rank {
        1 => "#0.len()".to_owned(),
        _ => format!("#0.shape().{axis}"),
    };
    let extent = |axis| Number::of(Code::call(&template(axis), &[name]));
    (0..rank).map(extent).collect()
}
