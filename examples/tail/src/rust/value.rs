//! Values while a program is printed: which piece of Rust stands for each, and what of it is known.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::code::{Binding, Code, Number};
use super::{Printed, Printer};
use crate::syntax::{Base, Constant, Function as Lambda, Operator};

/// A value.
#[derive(Clone)]
pub enum Value {
    Array(Array),
    Function(Function),
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
    pub name: String,
    /// Its value, which `idxassign` changes.
    pub value: RefCell<Value>,
    /// In how many blocks of the host it was bound.
    pub depth: usize,
    /// In how many closures it was bound.
    pub blocks: usize,
    pub outer: Environment,
}

/// The element at an index.
pub type At = Rc<dyn Fn(&mut Printer, &[Number]) -> Printed<Scalar>>;

/// An array, or a scalar, which has no axis.
#[derive(Clone)]
pub struct Array {
    pub base: Base,
    /// The extents of its axes.
    pub extents: Vec<Number>,
    /// Its elements one by one, where these are few: literals, shapes and scalars.
    pub list: Option<Rc<[Scalar]>>,
    /// How the printed program makes it; nothing if it is made from its list.
    pub source: Option<Source>,
}

/// How the printed program makes an array.
#[derive(Clone)]
pub enum Source {
    /// An expression of an `#[arrays]` function.
    Node(Code),
    /// In a function of elements: an expression for each element.
    Delayed(At),
}

/// A scalar: an expression in a function of elements, and in the function of the host if it needs no array.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub base: Base,
    /// Its value, where the program states it.
    pub value: Option<Constant>,
    /// Does its value stand where it is used?
    pub is_literal: bool,
    /// In a function of elements.
    pub device: Code,
    /// In the function of the host.
    pub host: Option<Code>,
    /// The same as an extent, if it is one.
    pub extent: Option<Number>,
}

impl Scalar {
    /// A value that is written out.
    pub fn constant(value: Constant) -> Self {
        let host = (value.base() != Base::Complex).then(|| literal(value));
        Scalar {
            base: value.base(),
            value: Some(value),
            is_literal: true,
            device: literal(value),
            host,
            extent: match value {
                Constant::Int(n) => u32::try_from(n).ok().map(Number::literal),
                _ => None,
            },
        }
    }

    /// A value of a function of elements.
    pub fn element(base: Base, device: Code) -> Self {
        Scalar {
            base,
            value: None,
            is_literal: false,
            device,
            host: None,
            extent: None,
        }
    }

    /// A variable of the host.
    pub fn of_host(base: Base, variable: Code) -> Self {
        Scalar {
            host: Some(variable.clone()),
            ..Scalar::element(base, variable)
        }
    }

    /// An extent as a whole number.
    pub fn extent(extent: Number) -> Self {
        match extent.code.literal().map(i32::try_from) {
            Some(Ok(n)) => Scalar::constant(Constant::Int(n)),
            _ => Scalar {
                extent: Some(extent.clone()),
                ..Scalar::element(
                    Base::Int,
                    Code::of("$0 as i32", Binding::Cast, &[&extent.code]),
                )
            },
        }
    }

    /// The expression where a device value has to stand.
    pub fn on_device(&self) -> Code {
        match self.value.filter(|_| self.is_literal) {
            Some(Constant::Complex(..)) | None => self.device.clone(),
            Some(value) => Code::atom(format!("lit({})", suffixed(value))),
        }
    }

    /// The expression of the host where its type has to be seen.
    pub fn on_host(&self) -> Option<Code> {
        match self.value.filter(|_| self.is_literal) {
            Some(Constant::Complex(..)) => None,
            Some(value) => {
                let text = suffixed(value);
                let code = Code::atom(text.clone());
                let binding = match text.starts_with('-') {
                    true => Binding::Prefix,
                    false => Binding::Atom,
                };
                Some(Code { binding, ..code })
            }
            None => self.host.clone(),
        }
    }
}

/// A constant as Rust writes it.
fn literal(value: Constant) -> Code {
    let text = match value {
        Constant::Int(i32::MIN) => "i32::MIN".to_owned(),
        Constant::Int(n) => n.to_string(),
        Constant::Double(x) if x == f64::INFINITY => "f64::INFINITY".to_owned(),
        Constant::Double(x) if x == f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
        Constant::Double(std::f64::consts::PI) => "std::f64::consts::PI".to_owned(),
        Constant::Double(x) => format!("{x:?}"),
        Constant::Bool(b) => b.to_string(),
        Constant::Char(c) => u32::from(c).to_string(),
        Constant::Complex(x, y) => {
            let part = |x| Scalar::constant(Constant::Double(x)).on_device().text;
            format!("({}, {})", part(x), part(y))
        }
    };
    let binding = match text.starts_with('-') {
        true => Binding::Prefix,
        false => Binding::Atom,
    };
    Code {
        binding,
        ..Code::atom(text)
    }
}

/// The same with its type.
fn suffixed(value: Constant) -> String {
    let text = literal(value).text;
    let has_digits = text.ends_with(|c: char| c.is_ascii_digit());
    match value {
        Constant::Int(_) if has_digits => format!("{text}i32"),
        Constant::Double(_) if has_digits => format!("{text}f64"),
        Constant::Char(_) => format!("{text}u32"),
        _ => text,
    }
}

impl Array {
    pub fn scalar(scalar: Scalar) -> Self {
        Array {
            base: scalar.base,
            extents: Vec::new(),
            list: Some([scalar].into()),
            source: None,
        }
    }

    /// A vector of scalars.
    pub fn vector(base: Base, list: Vec<Scalar>) -> Self {
        let length = u32::try_from(list.len()).unwrap_or(u32::MAX);
        Array {
            base,
            extents: vec![Number::literal(length)],
            list: Some(list.into()),
            source: None,
        }
    }

    /// An array of an `#[arrays]` function.
    pub fn node(base: Base, extents: Vec<Number>, code: Code) -> Self {
        Array {
            base,
            extents,
            list: None,
            source: Some(Source::Node(code)),
        }
    }

    pub fn rank(&self) -> usize {
        self.extents.len()
    }

    /// The number of elements, if it is known.
    pub fn size(&self) -> Option<u32> {
        self.extents
            .iter()
            .try_fold(1u32, |size, extent| size.checked_mul(extent.known?))
    }

    /// The scalar that it is.
    pub fn only(&self) -> Option<&Scalar> {
        match (&self.source, self.rank(), self.list.as_deref()) {
            (None, 0, Some([scalar])) => Some(scalar),
            _ => None,
        }
    }
}

/// With another variable.
pub fn bind(
    name: &str,
    value: Value,
    [depth, blocks]: [usize; 2],
    outer: &Environment,
) -> Environment {
    Some(Rc::new(Frame {
        name: name.to_owned(),
        value: RefCell::new(value),
        depth,
        blocks,
        outer: outer.clone(),
    }))
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

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Value::Array(array)
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Self {
        Value::Array(Array::scalar(scalar))
    }
}
