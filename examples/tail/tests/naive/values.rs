//! Values and the variables that have them.

use std::cell::RefCell;
use std::rc::Rc;

use tail::syntax::{Constant, Function, Operator};
use tail::value::{Array, Elements};

/// A value. A scalar is never an `Array`.
#[derive(Clone)]
pub enum Value<'p> {
    Scalar(Constant),
    Array(Rc<Array>),
    Tuple(Rc<Vec<Value<'p>>>),
    Closure(&'p Function, Environment<'p>),
    Operator(&'p Operator),
}

/// Variables and their values, the innermost first.
pub type Environment<'p> = Option<Rc<Frame<'p>>>;

pub struct Frame<'p> {
    /// The variable.
    pub name: &'p str,
    /// Its value, which `idxassign` changes.
    pub value: RefCell<Value<'p>>,
    /// Those bound before.
    pub outer: Environment<'p>,
}

/// With another variable.
pub fn bind<'p>(name: &'p str, value: Value<'p>, outer: &Environment<'p>) -> Environment<'p> {
    let (value, outer) = (RefCell::new(value), outer.clone());
    Some(Rc::new(Frame { name, value, outer }))
}

/// The innermost variable of a name.
pub fn find<'e, 'p>(name: &str, environment: &'e Environment<'p>) -> Result<&'e Frame<'p>, String> {
    let mut here = environment;
    while let Some(frame) = here {
        if frame.name == name {
            return Ok(frame);
        }
        here = &frame.outer;
    }
    Err(format!("the variable {name} has no value"))
}

/// What an operator says that got a value of another type.
pub fn unfit(name: &str) -> String {
    format!("{name}: a value has another type")
}

impl From<Array> for Value<'_> {
    fn from(array: Array) -> Self {
        match array.value() {
            Some(value) => Value::Scalar(value),
            None => Value::Array(Rc::new(array)),
        }
    }
}

impl Value<'_> {
    pub fn array(&self, name: &str) -> Result<Rc<Array>, String> {
        match self {
            Value::Scalar(value) => Ok(Rc::new(Array::scalar(*value))),
            Value::Array(array) => Ok(array.clone()),
            Value::Tuple(_) | Value::Closure(..) | Value::Operator(_) => {
                Err(format!("{name}: a value is no array"))
            }
        }
    }

    pub fn scalar(&self, name: &str) -> Result<Constant, String> {
        match self {
            Value::Scalar(value) => Ok(*value),
            Value::Array(array) => Err(format!("{name}: the shape {:?} is no scalar", array.shape)),
            Value::Tuple(_) | Value::Closure(..) | Value::Operator(_) => Err(unfit(name)),
        }
    }

    pub fn int(&self, name: &str) -> Result<i32, String> {
        match self {
            Value::Scalar(Constant::Int(n)) => Ok(*n),
            _ => Err(unfit(name)),
        }
    }

    pub fn bool(&self, name: &str) -> Result<bool, String> {
        match self {
            Value::Scalar(Constant::Bool(b)) => Ok(*b),
            _ => Err(unfit(name)),
        }
    }

    /// The elements of a vector of ints; an empty one may have any type.
    pub fn ints(&self, name: &str) -> Result<Vec<i32>, String> {
        match &self.vector(name)?.elements {
            Elements::Int(v) => Ok(v.clone()),
            v if v.is_empty() => Ok(Vec::new()),
            _ => Err(unfit(name)),
        }
    }

    pub fn bools(&self, name: &str) -> Result<Vec<bool>, String> {
        match &self.vector(name)?.elements {
            Elements::Bool(v) => Ok(v.clone()),
            v if v.is_empty() => Ok(Vec::new()),
            _ => Err(unfit(name)),
        }
    }

    pub fn text(&self, name: &str) -> Result<String, String> {
        match &self.vector(name)?.elements {
            Elements::Char(v) => Ok(v.iter().collect()),
            _ => Err(unfit(name)),
        }
    }

    fn vector(&self, name: &str) -> Result<Rc<Array>, String> {
        let array = self.array(name)?;
        match array.rank() {
            1 => Ok(array),
            _ => Err(format!("{name}: the shape {:?} is no vector", array.shape)),
        }
    }
}
