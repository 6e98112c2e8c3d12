//! Random programs as trees: typed expressions, which the generator makes, and the interpreter, printer and shrinker read.
//!
//! A tree names functions of the library by the words that a user writes, so that a new one needs no new kind of node: it is generated
//! by `generate`, printed as any call is, and given its meaning by one line of `interpret`.

use std::sync::Arc;

use obsidian_core::ir::Level;
use obsidian_core::scalar::{Literal, ScalarType};

/// What an expression is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// A device value.
    Scalar(ScalarType),
    /// Several values; none of them is `()`.
    Tuple(Vec<Type>),
    /// A pull array of a static length, or of one that the launch knows.
    Pull(Box<Type>, Option<u32>),
    /// A push array.
    Push(Level, Box<Type>, Option<u32>),
    /// A two-dimensional pull array: height and width.
    Pull2(Box<Type>, u32, u32),
    /// A two-dimensional push array.
    Push2(Level, Box<Type>, u32, u32),
    /// A mutable array in shared memory, or of the thread.
    Mutable(Box<Type>, u32),
    /// A parameter that the kernel reads and writes.
    Global(ScalarType),
    /// A program and what it gives.
    Program(Level, Box<Type>),
    /// A number of the host, or a closure: what only arguments are.
    Host,
}

impl Type {
    /// A static pull array.
    pub fn pull(element: &Type, len: u32) -> Type {
        Type::Pull(Box::new(element.clone()), Some(len))
    }

    /// A static push array.
    pub fn push(level: Level, element: &Type, len: u32) -> Type {
        Type::Push(level, Box::new(element.clone()), Some(len))
    }

    /// A program.
    pub fn program(level: Level, result: &Type) -> Type {
        Type::Program(level, Box::new(result.clone()))
    }

    /// `()`
    pub fn unit() -> Type {
        Type::Tuple(Vec::new())
    }

    /// The scalars of an element, in order.
    pub fn scalars(&self) -> Vec<ScalarType> {
        match self {
            Type::Scalar(ty) => vec![*ty],
            Type::Tuple(fields) => fields.iter().flat_map(Type::scalars).collect(),
            _ => Vec::new(),
        }
    }
}

/// A name that a closure or a `let` binds.
pub type Variable = u32;

/// An expression with its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// What it is.
    pub ty: Type,
    /// What it is made of.
    pub kind: Kind,
}

/// What an expression is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name.
    Variable(Variable),
    /// A device literal.
    Literal(Literal),
    /// A number of the host.
    Number(u32),
    /// The length of a dynamic array, of the array's own kind.
    LengthOf(Variable),
    /// A function, or a method of its first argument; with the level that a turbofish names.
    Call {
        /// The name in the library.
        name: &'static str,
        /// Is it a method?
        method: bool,
        /// The turbofish.
        level: Option<Level>,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// An operator before or between its operands.
    Operator(&'static str, Vec<Expr>),
    /// `x as ty`
    Cast(Box<Expr>),
    /// `(x, y)`
    Tuple(Vec<Expr>),
    /// `vec![x, y]`
    List(Vec<Expr>),
    /// `x.0`
    Field(Box<Expr>, usize),
    /// `array[i]`
    Index(Box<Expr>, Box<Expr>),
    /// A closure.
    Closure(Vec<(Variable, Type)>, Arc<Expr>),
    /// A program of steps.
    Steps(Vec<Step>, Box<Expr>),
}

/// One line of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `let x = value;`
    Let(Variable, Expr),
    /// `let x = program?;`
    Bind(Variable, Expr),
    /// `program?;`
    Do(Expr),
}

impl Step {
    /// What stands on its right.
    pub fn value(&self) -> &Expr {
        match self {
            Step::Let(_, value) | Step::Bind(_, value) | Step::Do(value) => value,
        }
    }

    /// What stands on its right, to change it.
    pub fn value_mut(&mut self) -> &mut Expr {
        match self {
            Step::Let(_, value) | Step::Bind(_, value) | Step::Do(value) => value,
        }
    }
}

impl Expr {
    /// The parts, in the order of the text.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Variable(_) | Kind::Literal(_) | Kind::Number(_) | Kind::LengthOf(_) => Vec::new(),
            Kind::Call { arguments, .. } => arguments.iter().collect(),
            Kind::Operator(_, list) | Kind::Tuple(list) | Kind::List(list) => list.iter().collect(),
            Kind::Cast(x) | Kind::Field(x, _) => vec![x],
            Kind::Closure(_, x) => vec![x],
            Kind::Index(x, i) => vec![x, i],
            Kind::Steps(steps, result) => steps.iter().map(Step::value).chain([&**result]).collect(),
        }
    }

    /// The parts, to change them.
    pub fn parts_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            Kind::Variable(_) | Kind::Literal(_) | Kind::Number(_) | Kind::LengthOf(_) => Vec::new(),
            Kind::Call { arguments, .. } => arguments.iter_mut().collect(),
            Kind::Operator(_, list) | Kind::Tuple(list) | Kind::List(list) => list.iter_mut().collect(),
            Kind::Cast(x) | Kind::Field(x, _) => vec![x],
            // Interpreted closures share their bodies.
            Kind::Closure(_, x) => vec![Arc::make_mut(x)],
            Kind::Index(x, i) => vec![x, i],
            Kind::Steps(steps, result) => steps.iter_mut().map(Step::value_mut).chain([&mut **result]).collect(),
        }
    }

    /// All expressions in it, itself first.
    pub fn visit<'a>(&'a self, f: &mut impl FnMut(&'a Expr)) {
        f(self);
        self.parts().into_iter().for_each(|part| part.visit(f));
    }

    /// How many expressions it is made of.
    pub fn size(&self) -> usize {
        let mut size = 0;
        self.visit(&mut |_| size += 1);
        size
    }
}

/// A parameter of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub variable: Variable,
    /// A dynamic pull array of scalars or tuples, a scalar, or a global array.
    pub ty: Type,
}

/// A kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// What the random numbers began with.
    pub seed: u64,
    /// Real threads.
    pub threads: u32,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The length of its input arrays, in elements.
    pub length: u32,
    /// The scalar types of the outputs.
    pub outputs: Vec<ScalarType>,
    /// The kernel's value: a push array of the grid, a tuple of them, or a program that gives one.
    pub body: Expr,
    /// Has it functions that are rounded differently by different libraries? Then two units in the last place are one value.
    pub approximate: bool,
}
