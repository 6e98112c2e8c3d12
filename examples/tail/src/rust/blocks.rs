//! Closures: functions of elements, functions from an index, and the bindings in them.

use std::rc::Rc;

use super::code::{Code, Number, list};
use super::literals::shape;
use super::output::Block;
use super::value::{Array, Function, Scalar, Source, Value};
use super::{Printed, Printer};
use crate::syntax::{Base, ExprKind, Span};

/// How a closure names what it is given.
#[derive(Clone, Copy)]
pub enum Parameters {
    /// `|x, y|`
    Several,
    /// `|(y, x)|`: an index.
    Index,
    /// `|y: EU32, x: EU32|`
    Numbers,
}

/// The element at an index.
pub type ElementAt<'f> = &'f dyn Fn(&mut Printer, &[Number]) -> Printed<Scalar>;

impl Printer {
    /// A name for what a closure is given. Those of the program occur once in the printed file, others once in each closure.
    pub(super) fn local(&mut self, wished: &str) -> String {
        if wished.ends_with(|c: char| c.is_ascii_digit()) {
            return self.output.fresh(wished);
        }
        let numbered = (2..).map(|n| format!("{wished}{n}"));
        let mut all = std::iter::once(wished.to_owned()).chain(numbered);
        let name = all.find(|name| !self.locals.contains(name));
        let name = name.unwrap_or_default();
        self.locals.push(name.clone());
        name
    }

    /// A block of bindings with a value, `{ let x = ..; value }`, and whether it runs a program of one thread.
    pub(super) fn block(
        &mut self,
        of_arrays: bool,
        body: impl FnOnce(&mut Self) -> Printed<Code>,
    ) -> Printed<(Vec<(String, Code)>, Code, bool)> {
        self.output.blocks.push(Block {
            of_arrays,
            lets: Vec::new(),
            runs: false,
        });
        let made = body(self);
        let block = self.output.blocks.pop();
        let code = made?;
        let (lets, runs) = block.map_or((Vec::new(), false), |block| (block.lets, block.runs));
        Ok((lets, code, runs))
    }

    /// A closure, and whether it gives a program.
    pub(super) fn closure(
        &mut self,
        style: Parameters,
        wished: &[&str],
        body: impl FnOnce(&mut Self, &[Code]) -> Printed<Code>,
    ) -> Printed<(Code, bool)> {
        let mark = self.locals.len();
        let names: Vec<String> = wished.iter().map(|name| self.local(name)).collect();
        let codes: Vec<Code> = names.iter().map(Code::atom).collect();
        let made = self.block(false, |printer| body(printer, &codes));
        self.locals.truncate(mark);
        let (lets, code, runs) = made?;
        let code = match runs {
            true => Code::call("pure(#0)", &[&code]),
            false => code,
        };
        let body = braced(&lets, &code);
        let names: Vec<String> = names
            .into_iter()
            .map(|name| match mentions(&body.text, &name) {
                true => name,
                false => format!("_{name}"),
            })
            .collect();
        let pattern = match style {
            Parameters::Index if names.len() > 1 => format!("({})", names.join(", ")),
            Parameters::Index if names.is_empty() => "_".to_owned(),
            Parameters::Numbers => {
                let typed: Vec<String> = names.iter().map(|name| format!("{name}: EU32")).collect();
                typed.join(", ")
            }
            _ => names.join(", "),
        };
        Ok((Code::call(&format!("|{pattern}| #0"), &[&body]), runs))
    }

    /// The array whose element at an index is given.
    pub(super) fn generated(&mut self, extents: &[Number], at: ElementAt<'_>) -> Printed<Code> {
        let wished = index_names(extents.len());
        let (closure, _) = self.closure(Parameters::Index, wished, |printer, index| {
            let index: Vec<Number> = index.iter().cloned().map(Number::of).collect();
            Ok(at(printer, &index)?.on_device())
        })?;
        Ok(Code::call("generate(#0, #1)", &[&shape(extents), &closure]))
    }

    /// A function of elements as a closure of the array layer.
    pub(super) fn of_elements(
        &mut self,
        function: &Function,
        bases: &[Base],
        span: Span,
    ) -> Printed<Code> {
        let names = names_of(function, bases.len());
        let wished: Vec<&str> = names.iter().map(String::as_str).collect();
        let (closure, _) = self.closure(Parameters::Several, &wished, |printer, codes| {
            let pairs = bases.iter().zip(codes);
            let elements = pairs.map(|(base, code)| Scalar::element(*base, code.clone()));
            let result = printer.of_scalar(function, elements.collect(), span)?;
            Ok(result.on_device())
        })?;
        Ok(closure)
    }

    /// What a function gives for scalars: a scalar.
    pub(super) fn of_scalar(
        &mut self,
        function: &Function,
        arguments: Vec<Scalar>,
        span: Span,
    ) -> Printed<Scalar> {
        let arguments = arguments.into_iter().map(Value::from).collect();
        let result = self.call(function, arguments, span)?;
        let result = self.an_array(&result, span)?;
        self.one(&result, span)
    }

    /// Binds a value of a function of elements.
    pub(super) fn element(&mut self, wished: &str, code: Code) -> Code {
        let name = match wished.ends_with(|c: char| c.is_ascii_digit()) {
            true => self.output.fresh(wished),
            false => self.local(wished),
        };
        self.statement(&name, code);
        Code::atom(name)
    }

    /// A binding, or a statement without a name.
    pub(super) fn statement(&mut self, name: &str, code: Code) {
        if let Some(block) = self.output.blocks.last_mut() {
            block.lets.push((name.to_owned(), code));
        }
    }

    /// Notes that the function of elements runs a program of one thread.
    pub(super) fn runs(&mut self) {
        if let Some(block) = self.output.blocks.last_mut() {
            block.runs = true;
        }
    }

    /// A variable of a function of elements. An array is a closure from its index.
    pub(super) fn named_in_element(&mut self, name: &str, array: Array) -> Printed<Array> {
        if let Some(scalar) = array.only() {
            if scalar.is_literal || scalar.device.is_name() {
                return Ok(array);
            }
            let (scalar, code) = (scalar.clone(), scalar.on_device());
            let device = self.element(name, code);
            return Ok(Array::scalar(Scalar {
                device,
                host: None,
                is_literal: false,
                ..scalar
            }));
        }
        let Some(Source::Delayed(at)) = array.source.clone() else {
            return Ok(array);
        };
        let wished = index_names(array.rank());
        let (closure, runs) = self.closure(Parameters::Numbers, wished, |printer, index| {
            let index: Vec<Number> = index.iter().cloned().map(Number::of).collect();
            Ok(at(printer, &index)?.on_device())
        })?;
        let (name, base) = (self.element(name, closure), array.base);
        let at = move |printer: &mut Printer, index: &[Number]| {
            let index: Vec<Code> = index.iter().map(Number::device).collect();
            if runs {
                printer.runs();
            }
            let template = if runs { "#0(#1)?" } else { "#0(#1)" };
            Ok(Scalar::element(
                base,
                Code::call(template, &[&name, &list(&index)]),
            ))
        };
        Ok(Array {
            source: Some(Source::Delayed(Rc::new(at))),
            ..array
        })
    }
}

/// Does a text mention a name?
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c: char| !is_part(c)).any(|word| word == name)
}

/// Bindings and a value.
pub fn braced(lets: &[(String, Code)], value: &Code) -> Code {
    if lets.is_empty() {
        return value.clone();
    }
    let mut text = String::from("{\n");
    let mut refs = value.refs.clone();
    for (n, (name, code)) in lets.iter().enumerate() {
        refs.extend(code.refs.iter().cloned());
        let mut behind = lets[n + 1..].iter().map(|(_, code)| code).chain([value]);
        text += &match name.as_str() {
            "" => format!("{}\n", code.text),
            name if name.starts_with("mut ") || behind.any(|code| mentions(&code.text, name)) => {
                format!("let {name} = {};\n", code.text)
            }
            // `roll` draws a number for each element, whatever that is.
            name => format!("let _{name} = {};\n", code.text),
        };
    }
    text += &format!("{}\n}}", value.text);
    Code {
        text,
        refs,
        binding: super::code::Binding::Atom,
    }
}

/// Names of the coordinates of an index.
pub fn index_names(rank: usize) -> &'static [&'static str] {
    match rank {
        0 => &[],
        1 => &["i"],
        2 => &["y", "x"],
        _ => &["z", "y", "x"],
    }
}

/// The names of what a function is given.
fn names_of(function: &Function, count: usize) -> Vec<String> {
    let mut names = Vec::new();
    if let Function::Closure(lambda, _) = function {
        names.push(lambda.name.clone());
        let mut body = &lambda.body.kind;
        while let ExprKind::Function(inner) = body {
            names.push(inner.name.clone());
            body = &inner.body.kind;
        }
    }
    let others = ["x", "y"].into_iter().skip(names.len());
    names.extend(others.map(str::to_owned));
    names.truncate(count);
    names
}
