//! `tail rust`: a program as a Rust source file, whose arrays are computed by kernels that are compiled with the crate.
//!
//! What is printed:
//!
//! - a module `parts` of `#[arrays]` functions, for a build script (`#[kernels(built)]`);
//! - `pub fn run(device, host, print)`, which runs them in order, and gives `print` what `tail run` prints.
//!
//! | in TAIL | in the printed file |
//! |---|---|
//! | a scalar that depends on no array | Rust of `run`, on the host; a parameter of the parts that mention it |
//! | an array, a scalar that an array decides | a variable of a part |
//! | a function of elements, and arrays in it | a closure; an array in it is a closure from its index |
//! | a vector of constants | `literal(&[1, 2, 3])` |
//! | `power` over arrays that keep their extents | `power(n, state, body)` in a part |
//! | other `power`, `if` over arrays, functions that print | loops and choices of `run`, with parts in them |
//!
//! The host needs a value where it decides an extent, a number of iterations or a choice between arrays, and where `format` makes a text
//! of it. There the part ends (`output`), `run` reads the value, and the next part has it as a parameter. Extents are formulas over
//! parameters and the extents of arrays. They are numbers only where the program writes them out, so that nothing is computed while
//! printing but indices of what is written out.
//!
//! The printer walks the tree as `lower` does, and has a piece of Rust for each value (`value`). An operator is one
//! function from indices to elements, and beside it the operation of the array layer that it is outside of functions of elements
//! (`moves`, `folds`).
//!
//! `roll` draws other numbers than `tail run` does, from the same generator. All else is printed as `tail run` prints it.
//!
//! What `#[arrays]` does not have is refused with its place (`Stop::Mistake`): ranks above 3, loops in the step of a loop, effects in
//! functions of elements.

mod blocks;
mod code;
mod control;
mod effects;
mod elements;
mod folds;
mod format;
mod helpers;
mod literals;
mod moves;
mod order;
mod output;
mod render;
mod scalars;
mod shapes;
pub mod support;
mod value;

use std::rc::Rc;

use crate::mistake::Mistake;
use crate::syntax::{Base, Binding as Bound, Expr, ExprKind, Operator, Span};
use code::{Code, Number};
pub use format::formatted;
use output::{Kind, Output};
use value::{Array, Environment, Function, Scalar, Source, Value, bind, find};

/// Why printing stops.
#[derive(Debug)]
pub enum Stop {
    /// Something cannot be printed, at a place.
    Mistake(Mistake),
    /// The host needs a value in the middle of a closure.
    Demand(Span),
}

/// What printing gives: a value, or why it stops.
pub type Printed<T> = Result<T, Stop>;

/// Prints a program.
pub struct Printer {
    output: Output,
    /// The text of the program, for comments.
    text: String,
    /// The names of what closures are given.
    locals: Vec<String>,
    /// How many calls of `roll` have been printed.
    rolls: u32,
    /// The number of the element that is computed, for random numbers.
    element: Option<Code>,
}

/// A program as a Rust source file; `file` and `text` are what it was read from.
///
/// # Errors
/// What cannot be printed, with its place.
pub fn printed(file: &str, text: &str, program: &Expr) -> Result<String, Mistake> {
    let mut printer = Printer {
        output: Output::new(),
        text: text.to_owned(),
        locals: Vec::new(),
        rolls: 0,
        element: None,
    };
    let stop = printer.program(program).err();
    match stop {
        Some(Stop::Mistake(mistake)) => Err(mistake),
        Some(Stop::Demand(span)) => Err(Mistake::new(
            span,
            "this value is needed before the function of elements that computes it runs",
        )),
        None if printer.output.crowded() => Err(Mistake::new(
            program.span,
            "an operation needs more than 8 arrays and numbers, which is what a function of `#[arrays]` takes",
        )),
        None => Ok(render::file(
            file.rsplit(['/', '\\']).next().unwrap_or(file),
            printer.output,
        )),
    }
}

impl Printer {
    fn program(&mut self, program: &Expr) -> Printed<()> {
        let (bindings, body) = match &program.kind {
            ExprKind::Let(bindings, body) => (bindings.as_slice(), &**body),
            _ => (&[][..], program),
        };
        let mut environment: Environment = None;
        for (number, binding) in (0u32..).zip(bindings) {
            // Random numbers do not depend on what other bindings draw.
            self.rolls = number << 12;
            environment = self.binding(binding, &environment)?;
        }
        self.rolls = u32::try_from(bindings.len()).unwrap_or(0) << 12;
        let value = self.expression(body, &environment)?;
        let result = self.an_array(&value, body.span)?;
        self.print(&result, body.span)?;
        self.output.close();
        Ok(())
    }

    fn expression(&mut self, expr: &Expr, environment: &Environment) -> Printed<Value> {
        match &expr.kind {
            ExprKind::Constant(value) => Ok(Scalar::constant(*value).into()),
            ExprKind::Variable(name) => match find(name, environment) {
                Some(frame) => Ok(frame.value.borrow().clone()),
                None => wrong(expr.span, format!("nothing is bound to `{name}` here")),
            },
            ExprKind::Operator(operator) => {
                let operator = Rc::new(operator.clone());
                Ok(Value::Function(Function::Operator(operator)))
            }
            ExprKind::Function(function) => {
                let closure = Function::Closure(function.clone(), environment.clone());
                Ok(Value::Function(closure))
            }
            ExprKind::Call(operator, arguments) if operator.name == "idxassign" => {
                self.assign(arguments, environment, expr.span)
            }
            ExprKind::Call(operator, arguments) => {
                if let Some(value) = self.invariant(operator, expr, environment) {
                    return Ok(value);
                }
                let values = self.all(arguments, environment)?;
                self.operator(operator, &values, expr.span)
            }
            ExprKind::Vector(items) => self.vector(items, environment, expr.span),
            ExprKind::Tuple(items) => self.all(items, environment).map(Value::Tuple),
            ExprKind::Let(bindings, body) => {
                let mut environment = environment.clone();
                for binding in bindings {
                    environment = self.binding(binding, &environment)?;
                }
                self.expression(body, &environment)
            }
            ExprKind::If(parts) => self.choice(parts, environment),
        }
    }

    /// A fold in a function of elements that is the same for all of them is computed in front of it; nothing if it is another one.
    fn invariant(
        &mut self,
        operator: &Operator,
        expr: &Expr,
        environment: &Environment,
    ) -> Option<Value> {
        if operator.name != "reduce" || self.is_outside() {
            return None;
        }
        let blocks = &self.output.blocks;
        let outside = blocks.iter().take_while(|block| block.of_arrays).count();
        let mut is_same = true;
        crate::lower::visit(expr, &mut |part| {
            is_same = is_same
                && match &part.kind {
                    ExprKind::Variable(name) => {
                        find(name, environment).is_none_or(|frame| frame.blocks <= outside)
                    }
                    ExprKind::Operator(own) | ExprKind::Call(own, _) => {
                        own.name != "roll" && !crate::primitives::has_effect(&own.name)
                    }
                    _ => true,
                };
        });
        if !is_same {
            return None;
        }
        let inner = self.output.blocks.split_off(outside);
        let before = (self.output.clone(), self.locals.len());
        let made = self.hoisted(expr, environment);
        if made.is_none() {
            self.output = before.0;
            self.locals.truncate(before.1);
        }
        self.output.blocks.extend(inner);
        made
    }

    fn hoisted(&mut self, expr: &Expr, environment: &Environment) -> Option<Value> {
        let ExprKind::Call(operator, arguments) = &expr.kind else {
            return None;
        };
        let values = self.all(arguments, environment).ok()?;
        let value = self.operator(operator, &values, expr.span).ok()?;
        match value {
            Value::Array(array) => self.named_array("array", array, None).ok().map(Value::from),
            Value::Function(_) | Value::Tuple(_) => None,
        }
    }

    fn all(&mut self, items: &[Expr], environment: &Environment) -> Printed<Vec<Value>> {
        let values = items.iter().map(|item| self.expression(item, environment));
        values.collect()
    }

    /// `[a, b, ..]`
    fn vector(&mut self, items: &[Expr], environment: &Environment, span: Span) -> Printed<Value> {
        let mut list = Vec::new();
        for item in items {
            let value = self.expression(item, environment)?;
            let array = self.an_array(&value, item.span)?;
            list.push(self.one(&array, item.span)?);
        }
        let base = list.first().map_or(Base::Open, |scalar| scalar.base);
        match list.len() > literals::LONGEST {
            true => self.long_vector(base, &list, span),
            false => Ok(Array::vector(base, list).into()),
        }
    }

    /// The variables with that of a binding.
    fn binding(&mut self, binding: &Bound, environment: &Environment) -> Printed<Environment> {
        let value = self.expression(&binding.value, environment)?;
        let comment = self.line(binding);
        let value = self.named(&binding.name, value, Some(comment))?;
        Ok(bind(&binding.name, value, self.depths(), environment))
    }

    /// The beginning of a binding, as a comment shows it.
    fn line(&self, binding: &Bound) -> String {
        let span = binding.value.span;
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = format!("let {}:{} = {text}", binding.name, binding.ty);
        match line.char_indices().nth(100) {
            Some((end, _)) => format!("{}..", line.get(..end).unwrap_or_default()),
            None => line,
        }
    }

    /// A value as a variable of the printed program.
    fn named(&mut self, name: &str, value: Value, comment: Option<String>) -> Printed<Value> {
        Ok(match value {
            Value::Array(array) => self.named_array(name, array, comment)?.into(),
            Value::Tuple(parts) => {
                let mut named = Vec::new();
                for (n, part) in parts.into_iter().enumerate() {
                    named.push(self.named(&format!("{name}_{n}"), part, comment.clone())?);
                }
                Value::Tuple(named)
            }
            function @ Value::Function(_) => function,
        })
    }

    fn named_array(&mut self, name: &str, array: Array, comment: Option<String>) -> Printed<Array> {
        if !self.is_outside() {
            return self.named_in_element(name, array);
        }
        if let Some(scalar) = array.only() {
            let is_free = self.output.blocks.is_empty();
            match scalar.host.clone() {
                Some(_) if !is_free => return Ok(array),
                Some(code) => {
                    let kind = Kind::Scalar(scalar.base);
                    let variable = self.output.host(name, kind, code, comment);
                    let named = Scalar {
                        value: scalar.value,
                        ..Scalar::of_host(scalar.base, variable)
                    };
                    return Ok(Array::scalar(named));
                }
                None if scalar.extent.is_some() => return Ok(array),
                None => {}
            }
        }
        let code = self.node(&array)?;
        // What is a name has one.
        let code = match code.is_name() {
            true => code,
            false => {
                let of = (array.base, array.rank());
                self.output.array(name, of, code, comment)
            }
        };
        let extents = simple(&array.extents, &code);
        Ok(Array {
            extents,
            source: Some(Source::Node(code)),
            ..array
        })
    }

    fn an_array(&self, value: &Value, span: Span) -> Printed<Array> {
        match value {
            Value::Array(array) => Ok(array.clone()),
            Value::Function(_) | Value::Tuple(_) => wrong(span, "an array is expected here"),
        }
    }

    /// The scalar that an array without axes is, as a function of elements has it.
    fn one(&mut self, array: &Array, span: Span) -> Printed<Scalar> {
        match array.rank() {
            0 => self.at(array, &[]),
            _ => wrong(span, "a scalar is expected here"),
        }
    }

    /// Is this outside of all functions of elements?
    fn is_outside(&self) -> bool {
        self.output.blocks.iter().all(|block| block.of_arrays)
    }

    /// In how many blocks of the host and of closures this is.
    fn depths(&self) -> [usize; 2] {
        [self.output.steps.len(), self.output.blocks.len()]
    }

    /// An operator of some arguments.
    fn operator(&mut self, operator: &Operator, arguments: &[Value], span: Span) -> Printed<Value> {
        let name = operator.name.strip_suffix('V').unwrap_or(&operator.name);
        let call = Call {
            operator,
            name,
            arguments,
            span,
        };
        if let Some(value) = self.of_scalars(&call)? {
            return Ok(value);
        }
        let tables: [Table; 6] = [
            Printer::shapes,
            Printer::moves,
            Printer::folds,
            Printer::orders,
            Printer::control,
            Printer::effects,
        ];
        for table in tables {
            if let Some(made) = table(self, &call) {
                return made;
            }
        }
        wrong(
            span,
            format!("`tail rust` does not print `{}`", operator.name),
        )
    }

    fn of_scalars(&mut self, call: &Call) -> Printed<Option<Value>> {
        let mut list = Vec::new();
        for argument in call.arguments {
            let Value::Array(array) = argument else {
                return Ok(None);
            };
            if array.rank() > 0 {
                return Ok(None);
            }
            let array = array.clone();
            list.push(self.at(&array, &[])?);
        }
        let list: Vec<&Scalar> = list.iter().collect();
        Ok(self.scalar(call.name, &list).map(Value::from))
    }

    /// Calls a function. One of two arguments gives a function of the second.
    fn call(&mut self, function: &Function, arguments: Vec<Value>, span: Span) -> Printed<Value> {
        let (lambda, environment) = match function {
            Function::Operator(operator) => return self.operator(operator, &arguments, span),
            Function::Closure(lambda, environment) => (lambda, environment),
        };
        let mut arguments = arguments.into_iter();
        let Some(first) = arguments.next() else {
            return wrong(span, "a function is called without arguments");
        };
        let first = self.named(&lambda.name, first, None)?;
        let environment = bind(&lambda.name, first, self.depths(), environment);
        let result = self.expression(&lambda.body, &environment)?;
        let others: Vec<Value> = arguments.collect();
        match (others.is_empty(), result) {
            (true, result) => Ok(result),
            (false, Value::Function(function)) => self.call(&function, others, span),
            (false, _) => wrong(span, "a function is expected here"),
        }
    }

    fn helper(&mut self, name: &str) {
        self.output.helpers.extend(helpers::named(name));
    }
}

/// What a group of operators prints; nothing for an operator of another group.
type Table = fn(&mut Printer, &Call) -> Option<Printed<Value>>;

/// A call of an operator.
struct Call<'c> {
    operator: &'c Operator,
    /// Its name without the `V` of vectors.
    name: &'c str,
    arguments: &'c [Value],
    span: Span,
}

impl Call<'_> {
    fn wrong<T>(&self, message: impl Into<String>) -> Printed<T> {
        wrong(self.span, message)
    }

    fn array(&self, n: usize) -> Printed<Array> {
        match self.arguments.get(n) {
            Some(Value::Array(array)) => Ok(array.clone()),
            _ => self.wrong(format!("`{}` needs an array here", self.operator.name)),
        }
    }

    fn function(&self, n: usize) -> Printed<Function> {
        match self.arguments.get(n) {
            Some(Value::Function(function)) => Ok(function.clone()),
            _ => self.wrong(format!("`{}` needs a function here", self.operator.name)),
        }
    }

    /// A base type of the instance list, the last one for a number that is too large.
    fn base(&self, n: usize) -> Base {
        let instance = self.operator.instance.as_ref();
        let bases = instance.map_or(&[][..], |instance| &instance.bases);
        let base = bases.get(n).or_else(|| bases.last());
        base.copied().unwrap_or(Base::Open)
    }
}

/// Extents of a variable: those that are no names and no numbers are asked of it.
fn simple(extents: &[Number], name: &Code) -> Vec<Number> {
    let own = control::extents_of(name, extents.len());
    let pairs = extents.iter().zip(own);
    pairs
        .map(|(extent, own)| match extent.code.is_simple() {
            true => extent.clone(),
            false => Number {
                known: extent.known,
                ..own
            },
        })
        .collect()
}

fn wrong<T>(span: Span, message: impl Into<String>) -> Printed<T> {
    Err(Stop::Mistake(Mistake::new(span, message)))
}

/// Refuses ranks that `#[arrays]` does not have.
fn is_short(rank: usize, span: Span) -> Printed<()> {
    match rank {
        0..=3 => Ok(()),
        _ => wrong(
            span,
            format!("an array of rank {rank}: `#[arrays]` has ranks up to 3"),
        ),
    }
}

/// A variable of the printed program, or an expression of its element.
fn element_of(name: &Code, index: &[Code]) -> Code {
    match index {
        [] => Code::call("#0.the()", &[name]),
        index => Code::call("#0[#1]", &[name, &code::tuple(index)]),
    }
}
