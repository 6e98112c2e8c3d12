//! Elements of arrays in waiting: device values of a base type.

use obsidian_rt::ScalarType;
use obsidian_rt::arrays::AnyElement;
use obsidian_rt::language::{EBool, EF64, EI32, EU32, lit, select};

use crate::syntax::{Base, Constant};
use crate::value::default_value;

/// The types in which elements of a base type lie in memory. A character is its code; a complex number is its two parts.
pub fn types(base: Base) -> &'static [ScalarType] {
    match base {
        Base::Int | Base::Open => &[ScalarType::I32],
        Base::Double => &[ScalarType::F64],
        Base::Bool => &[ScalarType::Bool],
        Base::Char => &[ScalarType::U32],
        Base::Complex => &[ScalarType::F64, ScalarType::F64],
    }
}

/// A constant as an element.
pub fn constant(value: Constant) -> AnyElement {
    match value {
        Constant::Int(n) => AnyElement::of(lit(n)),
        Constant::Double(x) => AnyElement::of(lit(x)),
        Constant::Bool(b) => AnyElement::of(lit(b)),
        Constant::Char(c) => AnyElement::of(lit(u32::from(c))),
        Constant::Complex(x, y) => AnyElement::of((lit(x), lit(y))),
    }
}

/// The default of a base type.
pub fn default(base: Base) -> AnyElement {
    constant(default_value(base))
}

/// Any value of the types of an element.
pub fn zero(like: &AnyElement) -> AnyElement {
    let zero = |ty: &ScalarType| match ty {
        ScalarType::F64 => AnyElement::of(lit(0.0)),
        ScalarType::Bool => AnyElement::of(lit(false)),
        ScalarType::U32 => AnyElement::of(lit(0u32)),
        _ => AnyElement::of(lit(0i32)),
    };
    AnyElement::joined(like.types().iter().map(zero))
}

/// The value of an element that is a constant.
pub fn known(base: Base, element: &AnyElement) -> Option<Constant> {
    Some(match base {
        Base::Int | Base::Open => Constant::Int(int(element).as_literal()?),
        Base::Double => Constant::Double(double(element).as_literal()?),
        Base::Bool => Constant::Bool(boolean(element).as_literal()?),
        Base::Char => Constant::Char(char::from_u32(code(element).as_literal()?)?),
        Base::Complex => {
            let (x, y) = complex(element);
            Constant::Complex(x.as_literal()?, y.as_literal()?)
        }
    })
}

/// One of two elements.
pub fn choose(condition: EBool, then: &AnyElement, otherwise: &AnyElement) -> AnyElement {
    match condition.as_literal() {
        Some(true) => then.clone(),
        Some(false) => otherwise.clone(),
        None => select(condition, then.clone(), otherwise.clone()),
    }
}

/// An element that is a whole number.
pub fn int(element: &AnyElement) -> EI32 {
    element.to()
}

/// An element that is a real number.
pub fn double(element: &AnyElement) -> EF64 {
    element.to()
}

/// An element that is a truth value.
pub fn boolean(element: &AnyElement) -> EBool {
    element.to()
}

/// An element that is a character, as its code.
pub fn code(element: &AnyElement) -> EU32 {
    element.to()
}

/// An element that is a complex number, as its parts.
pub fn complex(element: &AnyElement) -> (EF64, EF64) {
    element.to()
}
