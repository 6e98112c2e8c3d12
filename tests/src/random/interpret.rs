//! What a random program means: an interpreter over vectors, which knows nothing of threads,
//! memory, or how the library does it.
//!
//! All arrays are vectors, pull and push alike, and evaluation is eager. A program is run where it
//! is evaluated; the few functions that run an argument more than once, or perhaps not at all, are
//! in `programs`.

mod arrays;
mod programs;
mod together;
mod two;

use std::rc::Rc;
use std::sync::Arc;

use obsidian_core::scalar::{Literal, Scalar as _};

use super::scalars;
use super::syntax::{Expr, Kind, Program, Step, Type, Variable};

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// Of the device.
    Scalar(Literal),
    /// Of the host.
    Number(u32),
    /// Several.
    Tuple(Vec<Value>),
    /// An array, or a list of the host.
    Array(Rc<Vec<Value>>),
    /// A two-dimensional array, row by row: its width, and its elements.
    Matrix(usize, Rc<Vec<Value>>),
    /// A place in the interpreter's memory.
    Mutable(usize),
    /// A function.
    Closure(Rc<Closure>),
    /// What a push array writes with: a place in the interpreter's memory.
    Writer(usize),
    /// What an element outside of its array is, or one that nobody wrote. It may be computed with;
    /// it may not be seen: as an index, a condition, or in a result.
    Undefined,
}

/// What a run ends with that takes too long.
struct TooLong;

/// What a run ends with where the user says a length, and it is another one: `set_len`.
struct WronglyVouched;

/// Expressions of a run, at most: of a program that is made to end, and of a changed one.
const LONGEST: u64 = 300_000_000;
const LONGEST_OF_CHANGED: u64 = 3_000_000;

/// A function with the names that were known where it stood.
#[derive(Debug)]
pub struct Closure {
    parameters: Vec<Variable>,
    body: Arc<Expr>,
    scope: Scope,
}

/// Names and their values, the innermost last.
type Scope = Vec<(Variable, Value)>;

/// An array of values.
fn array(list: Vec<Value>) -> Value {
    Value::Array(Rc::new(list))
}

/// An index as a device value.
fn index(i: usize) -> Value {
    Value::Scalar((i as u32).literal())
}

impl Value {
    fn list(&self) -> &[Value] {
        match self {
            Value::Array(list) | Value::Matrix(_, list) => list,
            other => panic!("{other:?} is no array"),
        }
    }

    /// The element at an index, if it is inside.
    fn element(&self, i: &Value) -> Value {
        if matches!(i, Value::Undefined) {
            return Value::Undefined;
        }
        let found = self.list().get(i.number());
        found.cloned().unwrap_or(Value::Undefined)
    }

    /// Element `i` of a piece, which may mean nothing.
    fn part(&self, i: usize) -> Value {
        match self {
            Value::Undefined => Value::Undefined,
            piece => piece.list().get(i).cloned().unwrap_or(Value::Undefined),
        }
    }

    fn fields(&self) -> &[Value] {
        if let Value::Tuple(fields) = self {
            fields
        } else {
            panic!("{self:?} is no tuple")
        }
    }

    /// The number of a host or device value.
    fn number(&self) -> usize {
        match self {
            Value::Number(n) => *n as usize,
            Value::Scalar(n) => n.u32() as usize,
            other => panic!("{other:?} is no number"),
        }
    }

    /// A device value, as a length of the host is one beside another.
    fn scalar(&self) -> Literal {
        match self {
            Value::Scalar(x) => *x,
            Value::Number(n) => Literal::from(*n),
            other => panic!("{other:?} is no device value"),
        }
    }

    /// A device value with an operator that does not look at it if it is undefined.
    fn known(&self) -> Option<Literal> {
        match self {
            Value::Undefined => None,
            other => Some(other.scalar()),
        }
    }

    fn truth(&self) -> bool {
        self.scalar().bool()
    }

    /// The scalars of an element, in order.
    pub fn scalars(&self) -> Vec<Literal> {
        match self {
            Value::Scalar(x) => vec![*x],
            Value::Tuple(fields) => fields.iter().flat_map(Value::scalars).collect(),
            other => panic!("{other:?} is no element"),
        }
    }
}

/// The memory of a run.
#[derive(Default)]
struct Machine {
    steps: u64,
    longest: u64,
    memory: Vec<Vec<Value>>,
    /// Has `break_loop` been run?
    breaking: bool,
    /// What the blocks so far have, where they have an order.
    order: Option<Vec<Vec<Value>>>,
}

impl Machine {
    /// An element of a pull array: a function of it is run where the element is used, so that one
    /// that means nothing is only seen there.
    fn element(&mut self, f: &Value, arguments: &[Value]) -> Value {
        let call = std::panic::AssertUnwindSafe(|| self.call(f, arguments));
        std::panic::catch_unwind(call).unwrap_or_else(|payload| {
            if payload.is::<TooLong>() || payload.is::<WronglyVouched>() {
                std::panic::resume_unwind(payload);
            }
            Value::Undefined
        })
    }

    fn call(&mut self, f: &Value, arguments: &[Value]) -> Value {
        let Value::Closure(closure) = f else {
            panic!("{f:?} is no function")
        };
        let mut scope = closure.scope.clone();
        scope.extend(
            closure
                .parameters
                .iter()
                .copied()
                .zip(arguments.iter().cloned()),
        );
        self.eval(&closure.body, &mut scope)
    }

    fn eval(&mut self, expr: &Expr, scope: &mut Scope) -> Value {
        self.steps += 1;
        if self.steps > self.longest {
            std::panic::panic_any(TooLong);
        }
        match &expr.kind {
            Kind::Variable(v) => scope
                .iter()
                .rev()
                .find(|(name, _)| name == v)
                .map(|(_, value)| value.clone())
                .expect("a known name"),
            Kind::Literal(value) => Value::Scalar(*value),
            Kind::Number(n) => Value::Number(*n),
            Kind::LengthOf(v) => {
                let (_, value) = scope
                    .iter()
                    .rev()
                    .find(|(name, _)| name == v)
                    .expect("a known name");
                index(if let Value::Mutable(n) = value {
                    self.memory[*n].len()
                } else {
                    value.list().len()
                })
            }
            Kind::Call {
                name, arguments, ..
            } => match self.delayed(name, arguments, scope) {
                Some(value) => value,
                None => {
                    let arguments: Vec<Value> =
                        arguments.iter().map(|x| self.eval(x, scope)).collect();
                    self.library(name, &arguments, &expr.ty)
                }
            },
            Kind::Operator(name, operands) => {
                let operands: Option<Vec<Literal>> = operands
                    .iter()
                    .map(|x| self.eval(x, scope).known())
                    .collect();
                match operands.as_deref() {
                    None => Value::Undefined,
                    Some([x]) => Value::Scalar(scalars::unary(name, *x)),
                    Some([x, y]) => Value::Scalar(scalars::binary(name, *x, *y)),
                    Some(_) => panic!("operators have one or two operands"),
                }
            }
            Kind::Cast(x) => {
                let Type::Scalar(ty) = expr.ty else {
                    panic!("a cast to a scalar")
                };
                let x = self.eval(x, scope).known();
                x.map_or(Value::Undefined, |x| Value::Scalar(scalars::cast(x, ty)))
            }
            Kind::Tuple(list) => Value::Tuple(list.iter().map(|x| self.eval(x, scope)).collect()),
            Kind::List(list) => array(list.iter().map(|x| self.eval(x, scope)).collect()),
            Kind::Field(x, n) => match self.eval(x, scope) {
                Value::Undefined => Value::Undefined,
                x => x.fields()[*n].clone(),
            },
            Kind::Index(x, i) => {
                let (x, i) = (self.eval(x, scope), self.eval(i, scope));
                x.element(&i)
            }
            Kind::Closure(parameters, body) => {
                let parameters = parameters.iter().map(|(v, _)| *v).collect();
                Value::Closure(Rc::new(Closure {
                    parameters,
                    body: body.clone(),
                    scope: scope.clone(),
                }))
            }
            Kind::Steps(steps, result) => {
                let depth = scope.len();
                for step in steps {
                    let value = self.eval(step.value(), scope);
                    if let Step::Let(v, _) | Step::Bind(v, _) = step {
                        scope.push((*v, value));
                    }
                }
                let result = self.eval(result, scope);
                scope.truncate(depth);
                result
            }
        }
    }

    /// A function of the library whose arguments are known.
    fn library(&mut self, name: &str, arguments: &[Value], ty: &Type) -> Value {
        let found = self
            .matrices(name, arguments)
            .or_else(|| self.arrays(name, arguments))
            .or_else(|| self.programs(name, arguments));
        found.unwrap_or_else(|| {
            operator(name, arguments).unwrap_or_else(|| {
                panic!("the interpreter does not know `{name}`, which gives {ty:?}")
            })
        })
    }
}

/// Methods of device values.
fn operator(name: &str, arguments: &[Value]) -> Option<Value> {
    if arguments.iter().any(|x| matches!(x, Value::Undefined)) {
        return Some(Value::Undefined);
    }
    if let ("powi", [Value::Scalar(x), Value::Number(n)]) = (name, arguments) {
        return Some(Value::Scalar(scalars::powi(*x, *n)));
    }
    let arguments: Option<Vec<Literal>> = arguments
        .iter()
        .map(|x| {
            if let Value::Scalar(x) = x {
                Some(*x)
            } else {
                None
            }
        })
        .collect();
    let result = match (name, &arguments?[..]) {
        ("clamp", [x, low, high]) => {
            scalars::binary("min", scalars::binary("max", *x, *low), *high)
        }
        ("div_ceil", [x, y]) => {
            let rest = scalars::binary("%", *x, *y);
            let more = scalars::binary("min", rest, 1u32.literal());
            scalars::binary("+", scalars::binary("/", *x, *y), more)
        }
        ("mul_add", [x, y, z]) => scalars::mul_add(*x, *y, *z),
        (_, [x]) => scalars::unary(name, *x),
        (_, [x, y]) => scalars::binary(named(name), *x, *y),
        _ => return None,
    };
    Some(Value::Scalar(result))
}

/// The operator that a comparison's name stands for.
fn named(name: &str) -> &str {
    match name {
        "eq" => "==",
        "ne" => "!=",
        "lt" => "<",
        "le" => "<=",
        "gt" => ">",
        "ge" => ">=",
        other => other,
    }
}

/// What a launch leaves: the outputs, each as its scalars, and the global arrays afterwards.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// One list for each output.
    pub outputs: Vec<Vec<Literal>>,
    /// One list for each parameter that is read and written.
    pub globals: Vec<Vec<Literal>>,
}

/// Why a program means nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaningless {
    /// What is undefined in it.
    Undefined(String),
    /// It does not end, or not soon.
    TooLong,
    /// The user says a length that is another one: `set_len`, `set_size`, `from_dyn`.
    WronglyVouched,
}

/// Runs a program that may mean nothing: an index is outside of its array, an element is never
/// written, lengths do not fit.
///
/// # Errors
/// Why it means nothing.
pub fn interpret_changed(
    program: &Program,
    inputs: &[Vec<Literal>],
) -> Result<Results, Meaningless> {
    let run = std::panic::AssertUnwindSafe(|| run(program, inputs, LONGEST_OF_CHANGED));
    crate::quietly(|| std::panic::catch_unwind(run)).map_err(|payload| {
        if payload.is::<TooLong>() {
            return Meaningless::TooLong;
        }
        if payload.is::<WronglyVouched>() {
            return Meaningless::WronglyVouched;
        }
        let words = payload.downcast_ref::<String>().cloned();
        let words = words.or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Meaningless::Undefined(words.unwrap_or_default())
    })
}

/// Runs a program on inputs: for each scalar of each parameter, its elements; one for a number.
pub fn interpret(program: &Program, inputs: &[Vec<Literal>]) -> Results {
    run(program, inputs, LONGEST)
}

fn run(program: &Program, inputs: &[Vec<Literal>], longest: u64) -> Results {
    let mut machine = Machine {
        longest,
        ..Machine::default()
    };
    let (mut scope, mut inputs, mut globals) = (Scope::new(), inputs.iter(), Vec::new());
    for parameter in &program.parameters {
        let value = match &parameter.ty {
            Type::Pull(element, _) => {
                let columns: Vec<&Vec<Literal>> = element
                    .scalars()
                    .iter()
                    .filter_map(|_| inputs.next())
                    .collect();
                array(
                    (0..program.length as usize)
                        .map(|i| built(element, &mut columns.iter().map(|column| column[i])))
                        .collect(),
                )
            }
            Type::Global(_) => {
                machine.memory.push(
                    inputs
                        .next()
                        .into_iter()
                        .flatten()
                        .map(|x| Value::Scalar(*x))
                        .collect(),
                );
                globals.push(machine.memory.len() - 1);
                Value::Mutable(machine.memory.len() - 1)
            }
            _ => Value::Scalar(inputs.next().expect("an argument")[0]),
        };
        scope.push((parameter.variable, value));
    }
    let result = machine.eval(&program.body, &mut scope);
    let arrays = if let Value::Tuple(arrays) = result {
        arrays
    } else {
        vec![result]
    };
    // An array without elements has as many columns as its type says.
    let columns = |(value, width): (&Value, usize)| {
        let rows: Vec<Vec<Literal>> = value.list().iter().map(Value::scalars).collect();
        (0..width)
            .map(|n| rows.iter().map(|row| row[n]).collect())
            .collect::<Vec<Vec<Literal>>>()
    };
    let widths = widths(&program.body.ty);
    let outputs = arrays.iter().zip(widths).flat_map(columns).collect();
    let globals = globals
        .iter()
        .map(|n| machine.memory[*n].iter().map(Value::scalar).collect())
        .collect();
    Results { outputs, globals }
}

/// The number of scalars of an element of each output.
fn widths(ty: &Type) -> Vec<usize> {
    match ty {
        Type::Tuple(arrays) => arrays.iter().flat_map(widths).collect(),
        Type::Push(_, element, _) => vec![element.scalars().len()],
        Type::Program(_, result) => widths(result),
        _ => Vec::new(),
    }
}

/// An element of a type from its scalars.
fn built(ty: &Type, scalars: &mut impl Iterator<Item = Literal>) -> Value {
    match ty {
        Type::Tuple(fields) => Value::Tuple(fields.iter().map(|ty| built(ty, scalars)).collect()),
        _ => Value::Scalar(scalars.next().expect("a scalar for each")),
    }
}
