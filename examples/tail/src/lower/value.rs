//! Values while a program is lowered, and the variables that have them.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::array::Array;
use crate::syntax::{Function as Lambda, Operator};

/// A value.
#[derive(Clone)]
pub enum Value {
    /// An array or a scalar.
    Array(Array),
    /// A function.
    Function(Function),
    /// A tuple.
    Tuple(Vec<Value>),
}

/// A function.
#[derive(Clone)]
pub enum Function {
    /// An operator that is passed on.
    Operator(Rc<Operator>),
    /// A function that is written out, and the variables around it.
    Closure(Arc<Lambda>, Environment),
}

/// Variables and their values, the innermost first.
pub type Environment = Option<Rc<Frame>>;

/// A variable.
pub struct Frame {
    /// Its name.
    pub name: String,
    /// Its value, which `idxassign` changes.
    pub value: RefCell<Value>,
    /// In how many functions of elements it is bound.
    pub depth: u32,
    /// Those bound before.
    pub outer: Environment,
}

/// Adds a variable, which is bound inside of `depth` functions of elements.
pub fn bind(name: &str, value: Value, depth: u32, outer: &Environment) -> Environment {
    let frame = Frame {
        name: name.to_owned(),
        value: RefCell::new(value),
        depth,
        outer: outer.clone(),
    };
    Some(Rc::new(frame))
}

/// The innermost variable of a name.
pub fn find<'e>(name: &str, environment: &'e Environment) -> Option<&'e Frame> {
    let mut here = environment;
    while let Some(frame) = here {
        if frame.name == name {
            return Some(frame);
        }
        here = &frame.outer;
    }
    None
}

/// A function over its variables as they are now: `idxassign` changes these no more.
pub fn as_now(function: &Function) -> Function {
    match function {
        Function::Operator(_) => function.clone(),
        Function::Closure(lambda, environment) => {
            Function::Closure(lambda.clone(), snapshot(environment))
        }
    }
}

fn snapshot(environment: &Environment) -> Environment {
    let mut frames = Vec::new();
    let mut here = environment;
    while let Some(frame) = here {
        frames.push(frame);
        here = &frame.outer;
    }
    if !frames.iter().any(|frame| frame.name.starts_with('m')) {
        return environment.clone();
    }
    let all = frames.iter().rev();
    all.fold(None, |outer, frame| {
        let value = match &*frame.value.borrow() {
            Value::Function(function) => Value::Function(as_now(function)),
            value => value.clone(),
        };
        bind(&frame.name, value, frame.depth, &outer)
    })
}

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Value::Array(array)
    }
}
