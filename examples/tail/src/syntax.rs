//! Programs as trees, in which each part knows where it stands in the text.

use std::fmt::{self, Display, Formatter, Write};
use std::sync::Arc;

/// A part of a text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Where it begins.
    pub start: usize,
    /// Where it has ended.
    pub end: usize,
}

impl Span {
    /// The part from the beginning of one to the end of another.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start,
            end: other.end,
        }
    }
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A value that is written out.
    Constant(Constant),
    /// A variable.
    Variable(String),
    /// An operator that is passed as a function.
    Operator(Operator),
    /// An operator that is called.
    Call(Operator, Vec<Expr>),
    /// `[a, b]`
    Vector(Vec<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `let v1:[int]0 = a in let v2:[int]0 = b in c`: bindings one after another, each in scope of those behind it.
    Let(Vec<Binding>, Box<Expr>),
    /// `fn v1:[int]0 => a`
    Function(Arc<Function>),
    /// `if a then b else c`
    If(Box<[Expr; 3]>),
}

/// A value that is written out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    /// A whole number.
    Int(i32),
    /// A real number.
    Double(f64),
    /// A real and an imaginary part.
    Complex(f64, f64),
    /// A character.
    Char(char),
    /// `tt` or `ff`
    Bool(bool),
}

impl Constant {
    /// The base type of the value.
    pub fn base(self) -> Base {
        match self {
            Constant::Int(_) => Base::Int,
            Constant::Double(_) => Base::Double,
            Constant::Complex(..) => Base::Complex,
            Constant::Char(_) => Base::Char,
            Constant::Bool(_) => Base::Bool,
        }
    }
}

/// An operator with its instance list.
#[derive(Clone, PartialEq, Debug)]
pub struct Operator {
    /// Its name.
    pub name: String,
    /// `{[int],[1]}`
    pub instance: Option<Instance>,
    /// Where the name stands.
    pub span: Span,
}

/// The base types and the numbers of which an operator with several types is one.
#[derive(Clone, PartialEq, Debug)]
pub struct Instance {
    /// The base types.
    pub bases: Vec<Base>,
    /// Ranks or lengths.
    pub numbers: Vec<u32>,
    /// Where the list stands.
    pub span: Span,
}

/// A binding of a `let`.
#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    /// The variable.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What it is bound to.
    pub value: Expr,
}

/// A function of one argument.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// The variable.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What it gives.
    pub body: Expr,
}

/// The type of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// 32 bits, with a sign.
    Int,
    /// 64 bits.
    Double,
    /// A truth value.
    Bool,
    /// A character.
    Char,
    /// Two doubles.
    Complex,
    /// A type that nothing decides, `'b0`: that of an empty array at which nothing looks.
    Open,
}

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// `[int]2`: an array of a rank.
    Array(Base, u32),
    /// `<int>5`: a vector of a length.
    Vector(Base, u32),
    /// `S(int,5)`: a scalar whose value is known.
    Scalar(Constant),
    /// `SV(int,5)`: the vector of that one element.
    Single(Constant),
    /// `([int]0) -> [int]0`
    Function(Box<Type>, Box<Type>),
    /// `([int]0 * [int]1)`
    Tuple(Vec<Type>),
}

impl Type {
    /// The base type and the rank of an array.
    pub fn array(&self) -> Option<(Base, u32)> {
        match self {
            Type::Array(base, rank) => Some((*base, *rank)),
            Type::Vector(base, _) => Some((*base, 1)),
            Type::Scalar(value) => Some((value.base(), 0)),
            Type::Single(value) => Some((value.base(), 1)),
            Type::Function(..) | Type::Tuple(_) => None,
        }
    }

    /// The length of a vector, if the type has it.
    pub fn length(&self) -> Option<u32> {
        match self {
            Type::Vector(_, length) => Some(*length),
            Type::Single(_) => Some(1),
            _ => None,
        }
    }

    /// The value of a scalar or of the only element of a vector, if the type has it.
    pub fn value(&self) -> Option<Constant> {
        match self {
            Type::Scalar(value) | Type::Single(value) => Some(*value),
            _ => None,
        }
    }
}

impl Display for Base {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Base::Int => "int",
            Base::Double => "double",
            Base::Bool => "bool",
            Base::Char => "char",
            Base::Complex => "complex",
            Base::Open => "'b0",
        })
    }
}

/// As a program has it.
impl Display for Constant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Int(n) => write!(f, "{n}"),
            Constant::Double(x) => write!(f, "{x:?}"),
            Constant::Complex(x, y) => write!(f, "{x:?}j{y:?}"),
            Constant::Bool(true) => f.write_str("tt"),
            Constant::Bool(false) => f.write_str("ff"),
            Constant::Char(c) if u32::from(*c) > 126 => write!(f, "'{:X}'", u32::from(*c)),
            Constant::Char('\n') => f.write_str("'\\n'"),
            Constant::Char(c) if c.is_control() => write!(f, "'\\{:03}'", u32::from(*c)),
            Constant::Char(c) => write!(f, "{c:?}"),
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Array(base, rank) => write!(f, "[{base}]{rank}"),
            Type::Vector(base, length) => write!(f, "<{base}>{length}"),
            Type::Scalar(value) => write!(f, "S({},{value})", value.base()),
            Type::Single(value) => write!(f, "SV({},{value})", value.base()),
            Type::Function(from, to) => write!(f, "({from}) -> {to}"),
            Type::Tuple(types) => {
                f.write_char('(')?;
                for (i, ty) in types.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { " * " })?;
                    write!(f, "{ty}")?;
                }
                f.write_char(')')
            }
        }
    }
}
