//! The kernel language as a tree: what is left of Rust once everything else has been refused.
//!
//! The tree is plain data that can go to another thread. Positions are numbers ([`Site`]) and types
//! that have to be printed again are numbers too; the [`Sources`](super::read::Sources) that they
//! index stay with the tokens.

use std::sync::Arc;

use super::infer::{Bounded, Placed, Scheme};
pub use super::read::DeviceFunction;
use crate::arrays::Settings;
use crate::ir::Level;
use crate::scalar::ScalarType;
use crate::variants::{Value, combinations};
use obsidian_base::launch::Limits;

/// The number of a span in the front end's input.
pub type Site = u32;
/// The number of a piece of the input that is printed as it is: a type, bounds, attributes.
pub type Snippet = u32;
/// The number of a local variable in its function or closure.
pub type Slot = u32;
/// A name.
pub type Name = Arc<str>;

/// A `#[kernels]` module, and the functions and constants of those that it uses.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The functions, in order; those of the module itself come first.
    pub functions: Vec<Function>,
    /// The constants, in order; those of the module itself come first.
    pub constants: Vec<Constant>,
    /// How much of it is the module's own.
    pub own: Own,
    /// What its literals and constants are, and the calls of `lit`.
    pub literals: crate::ordered::Map<Site, Placed>,
}

/// How many functions, constants and sites are a module's own: what follows belongs to modules that
/// it uses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own {
    /// Functions.
    pub functions: u32,
    /// Constants.
    pub constants: u32,
    /// Sites.
    pub sites: Site,
}

impl Module {
    /// The functions of the module itself.
    pub fn own_functions(&self) -> &[Function] {
        &self.functions[..self.own.functions as usize]
    }

    /// The constants of the module itself.
    pub fn own_constants(&self) -> &[Constant] {
        &self.constants[..self.own.constants as usize]
    }

    /// The n-th function with all that it calls, if it is a device function.
    pub fn device(&self, n: u32) -> Option<crate::library::device::Device> {
        let (mut numbers, mut functions) = (vec![n], Vec::new());
        let mut at = 0;
        while let Some(number) = numbers.get(at).copied() {
            let function = self.functions.get(number as usize)?.device.as_ref()?;
            functions.push(crate::library::device::Code {
                number,
                ..function.code.clone()
            });
            for (callee, _) in &function.calls {
                if !numbers.contains(callee) {
                    numbers.push(*callee);
                }
            }
            at += 1;
        }
        Some(crate::library::device::Device { functions })
    }

    /// The function of another module that a site is in.
    pub fn foreign(&self, site: Site) -> Option<(u32, &Function)> {
        if site < self.own.sites {
            return None;
        }
        let found = self
            .functions
            .iter()
            .position(|f| (f.sites.0..f.sites.1).contains(&site))?;
        Some((found as u32, &self.functions[found]))
    }
}

/// A constant of the host.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Name,
    /// Where the name stands.
    pub site: Site,
    /// Its type.
    pub ty: TypeUse,
    /// Its value.
    pub value: Expr,
    /// Attributes and visibility.
    pub head: Snippet,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its name, parameters and result, as written.
    pub form: Name,
    /// Where the name stands.
    pub site: Site,
    /// Attributes and visibility, without `#[kernel]`.
    pub head: Snippet,
    /// Visibility.
    pub vis: Snippet,
    /// The type parameters.
    pub generics: Vec<Generic>,
    /// Its `where` clause.
    pub bounds: Option<Snippet>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The type of its result.
    pub result: TypeUse,
    /// What it does.
    pub body: Block,
    /// Does `?` occur in it, so that it becomes a program?
    pub delayed: bool,
    /// The number of its local variables.
    pub slots: u32,
    /// What `#[kernel(..)]` says, if it is there.
    pub kernel: Option<KernelAttribute>,
    /// What `#[arrays(..)]` says, if it is there.
    pub arrays: Option<ArraysAttribute>,
    /// Does its signature name arrays of array programs, so that it calls their functions?
    pub is_whole: bool,
    /// Its sites: the first, and the one after the last.
    pub sites: (Site, Site),
    /// The path of its module, as the `use` item that leads there has it; empty for the module
    /// itself.
    pub module: Name,
    /// Does the way there lead to another crate?
    pub is_foreign: bool,
    /// What the device does, if it is a device function.
    pub device: Option<Arc<DeviceFunction>>,
    /// The number of the device function that it calls for each element, if it is the kernel of a range.
    pub range_of: Option<u32>,
}

impl Function {
    /// The parameters of a kernel that have their values before it is launched.
    pub fn specialised(&self) -> &[Parameter] {
        let count = self.kernel.as_ref().map_or(0, |k| k.specialised.len());
        self.parameters.get(..count).unwrap_or_default()
    }

    /// The parameters of a kernel that a launch is given.
    pub fn launched(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().skip(self.specialised().len())
    }
}

/// A type parameter.
#[derive(Clone, Debug)]
pub struct Generic {
    /// Its name.
    pub name: Name,
    /// Where it stands.
    pub site: Site,
    /// The bounds as written.
    pub bounds: Option<Snippet>,
    /// What they say to the inference of literals, those behind `where` among them.
    pub bound: Bounded,
}

/// A parameter of a function or closure.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// What it binds.
    pub pattern: Pattern,
    /// Its type, as far as it is written.
    pub ty: Option<TypeUse>,
}

/// `#[kernel(..)]`.
#[derive(Clone, Debug)]
pub struct KernelAttribute {
    /// Real threads per block; the first is the default.
    pub threads: Vec<u32>,
    /// How many blocks a multiprocessor has to be able to hold at once; empty if that is not said.
    pub min_blocks: Vec<u32>,
    /// The most bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Does a launch start only as many real blocks as the device holds at once?
    pub resident: bool,
    /// Does the CUDA text check each index that is vouched for?
    pub faults: bool,
    /// Has a sum with a product one rounding?
    pub contract: bool,
    /// The specialisation parameters: the first of the function's parameters, in order, each with
    /// its values.
    pub specialised: Vec<(Name, Vec<Value>)>,
    /// The tuned file, and where it is named.
    pub tuned: Option<(Name, Site)>,
    /// Where the attribute stands.
    pub site: Site,
}

impl KernelAttribute {
    /// The values of each variant, threads first; those of the default come first.
    pub fn variants(&self) -> Vec<Vec<(Name, Value)>> {
        let numbers = |list: &[u32]| list.iter().map(|n| Value::from(*n)).collect();
        let options = [
            ("threads".into(), numbers(&self.threads)),
            ("min_blocks".into(), numbers(&self.min_blocks)),
        ];
        let parameters: Vec<_> = options
            .into_iter()
            .take(self.options())
            .chain(self.specialised.iter().cloned())
            .collect();
        combinations(&parameters)
    }

    /// How many of a variant's values are not those of specialisation parameters; they come first.
    pub fn options(&self) -> usize {
        1 + usize::from(!self.min_blocks.is_empty())
    }

    /// What a block of a variant may use.
    pub fn limits(&self, values: &[(Name, Value)]) -> Limits {
        let number = |name: &str| {
            let mut options = values.iter().take(self.options());
            let (_, value) = options.find(|(option, _)| **option == *name)?;
            value.integer()?.try_into().ok()
        };
        Limits {
            shared_bytes: self.shared_bytes,
            min_blocks: number("min_blocks"),
            resident: self.resident,
            faults: self.faults,
            apart: false,
            ..Limits::from(number("threads").unwrap_or(256))
        }
    }
}

/// `#[arrays(..)]`.
#[derive(Clone, Copy, Debug)]
pub struct ArraysAttribute {
    /// How the program becomes kernels.
    pub settings: Settings,
    /// Where the attribute stands.
    pub site: Site,
}

/// A type, read and as written.
#[derive(Clone, Debug)]
pub struct TypeUse {
    /// What the evaluator knows of it.
    pub ty: Type,
    /// What the inference of literals knows of it.
    pub scheme: Box<Scheme>,
    /// The type as written.
    pub snippet: Snippet,
    /// Where it stands.
    pub site: Site,
}

/// What a type says of the size of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The number of its axes.
    pub rank: usize,
    /// Is it known while the kernel is built?
    pub is_static: bool,
}

impl Size {
    /// That of a list whose length is known at launch.
    pub const DYNAMIC: Size = Size {
        rank: 1,
        is_static: false,
    };
}

/// What the evaluator knows of a type.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// `()`.
    Unit,
    /// `bool`, an integer or a float of the host.
    Host(HostType),
    /// A device value.
    Exp(ScalarType),
    /// A pull array.
    Pull(Box<Type>, Size),
    /// A push array.
    Push(LevelUse, Box<Type>, Size),
    /// An array of an array program, and the number of its axes.
    Arr(u32, Box<Type>),
    /// A program.
    Program(LevelUse, Box<Type>),
    /// A mutable array; is its length static?
    Mutable(Box<Type>, bool),
    /// A tuple.
    Tuple(Vec<Type>),
    /// `Vec<T>` or an array of the host.
    Vec(Box<Type>),
    /// `Option<T>`.
    Option(Box<Type>),
    /// Anything that is called.
    Function,
    /// A level, or a type parameter, which may be one.
    Level(LevelUse),
    /// Anything else.
    Other,
}

/// Types of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostType {
    /// A type that the device has too.
    Scalar(ScalarType),
    /// `usize`.
    Usize,
    /// `isize`.
    Isize,
}

impl HostType {
    /// The name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            HostType::Scalar(ty) => ty.name(),
            HostType::Usize => "usize",
            HostType::Isize => "isize",
        }
    }

    /// The type with a Rust name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "usize" => Some(HostType::Usize),
            "isize" => Some(HostType::Isize),
            _ => ScalarType::from_name(name).map(HostType::Scalar),
        }
    }

    /// The type with the same values that the device has.
    pub fn scalar(self) -> ScalarType {
        match self {
            HostType::Scalar(ty) => ty,
            HostType::Usize => ScalarType::U64,
            HostType::Isize => ScalarType::I64,
        }
    }
}

/// A level in a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LevelUse {
    /// Written out.
    Known(Level),
    /// The n-th type parameter of the function.
    Generic(u32),
    /// Not known.
    Unknown,
}

/// Statements and a value.
#[derive(Clone, Debug)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Stmt>,
    /// The value, if there is one.
    pub value: Option<Box<Expr>>,
    /// Where it stands.
    pub site: Site,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `let pattern: ty = value;`
    Let {
        /// What is bound.
        pattern: Pattern,
        /// The type, if it is written.
        ty: Option<TypeUse>,
        /// The value, if there is one.
        value: Option<Expr>,
        /// `else { .. }` after it.
        otherwise: Option<Block>,
    },
    /// An expression whose value is not used; with or without a semicolon.
    Expr(Expr, bool),
    /// `const` inside of a function: the number of the constant.
    Constant(u32),
    /// `type` inside of a function, as written.
    Type(Snippet),
}

/// An expression and its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Where it stands.
    pub site: Site,
    /// What it is.
    pub kind: ExprKind,
}

/// A literal as written.
#[derive(Clone, PartialEq, Debug)]
pub enum Lit {
    /// `true` or `false`.
    Bool(bool),
    /// An integer, and its suffix.
    Int(i128, Option<HostType>),
    /// A float, and its suffix.
    Float(f64, Option<HostType>),
    /// A text, for messages only.
    Str(Name),
}

/// Operators that stay what they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinOp {
    /// Arithmetic, bits and shifts, and comparisons.
    Device(crate::scalar::BinaryOp),
    /// `&&`
    AndAlso,
    /// `||`
    OrElse,
}

/// The callee of a call by name.
#[derive(Clone, Debug)]
pub enum Callee {
    /// The n-th function of the module.
    Function(u32),
    /// A function of the library.
    Library(Name),
    /// A function of array programs.
    Arrays(Name),
    /// A function of a host type: `Vec::new`, `u32::from`, `Some`.
    Host(Name),
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal; the text is as written.
    Lit(Lit, Name),
    /// A local variable.
    Local(Slot, Name),
    /// A constant of the module.
    Constant(u32, Name),
    /// `u32::MAX` and its like; the text is as written.
    HostConstant(HostType, Name),
    /// A function by name, with the types of its turbofish.
    Path(Callee, Name, Vec<TypeUse>),
    /// `None`
    None,
    /// `-x`, `!x`
    Unary(crate::scalar::UnaryOp, Box<Expr>),
    /// `*x`
    Deref(Box<Expr>),
    /// `&x`
    Ref(Box<Expr>),
    /// `x + y`; the site is the operator's.
    Binary(BinOp, Box<Expr>, Box<Expr>, Site),
    /// `x = y`
    Assign(Box<Expr>, Box<Expr>),
    /// `x += y`
    AssignOp(crate::scalar::BinaryOp, Box<Expr>, Box<Expr>, Site),
    /// `f(x, y)`
    Call(Box<Expr>, Vec<Expr>),
    /// `x.f::<T>(y)`
    Method {
        /// What it is called on.
        receiver: Box<Expr>,
        /// Its name.
        name: Name,
        /// Where the name stands.
        site: Site,
        /// The types of its turbofish.
        turbofish: Vec<TypeUse>,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// `x[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `x.0`
    Field(Box<Expr>, u32),
    /// `a..b`, `a..=b`
    Range(Option<Box<Expr>>, Option<Box<Expr>>, bool),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `[a, b]`, or `vec![a, b]`
    Array(Vec<Expr>, bool),
    /// `[a; n]`, or `vec![a; n]`
    Repeat(Box<Expr>, Box<Expr>, bool),
    /// `x as T`
    Cast(Box<Expr>, TypeUse),
    /// `|x| ..`
    Closure(Arc<Closure>),
    /// `{ .. }`
    Block(Block),
    /// `if c { .. } else { .. }`
    If(Box<Expr>, Block, Option<Box<Expr>>),
    /// `if let p = x { .. } else { .. }`
    IfLet(Pattern, Box<Expr>, Block, Option<Box<Expr>>),
    /// `match x { .. }`
    Match(Box<Expr>, Vec<Arm>),
    /// `for p in x { .. }`
    For(Pattern, Box<Expr>, Block, Option<Label>),
    /// `while c { .. }`
    While(Box<Expr>, Block, Option<Label>),
    /// `loop { .. }`
    Loop(Block, Option<Label>),
    /// `break`, and the label of the loop.
    Break(Option<Label>),
    /// `continue`, and the label of the loop.
    Continue(Option<Label>),
    /// `_` in an assignment to several variables.
    Discard,
    /// `return x`
    Return(Option<Box<Expr>>),
    /// `x?`, and the name of the `let` that it stands in
    Try(Box<Expr>, Option<Name>),
    /// `assert!(c, "..")` and its like: the name, the arguments before the text, and the text; of `show!(x)`, the text is that of `x`
    Assert(Name, Vec<Expr>, Option<Name>),
    /// `(x)`
    Paren(Box<Expr>),
}

/// What an assertion without a text says.
pub const UNTOLD: &str = "this assertion does not hold";

/// A closure.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The variables of the function around it that it takes: there, here, and their name.
    pub captures: Vec<(Slot, Slot, Name)>,
    /// What it does.
    pub body: Expr,
    /// Does `?` occur in it?
    pub delayed: bool,
    /// The number of its local variables.
    pub slots: u32,
}

/// The label of a loop, without its `'`, and where it stands.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Name,
    /// Where it stands.
    pub site: Site,
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// What it takes.
    pub pattern: Pattern,
    /// `if ..`
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// A pattern and its place.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Where it stands.
    pub site: Site,
    /// What it is.
    pub kind: PatternKind,
}

/// An end of a range pattern.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// An integer.
    Int(i128),
    /// A constant of the module.
    Constant(u32),
}

/// The kinds of patterns.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`
    Wild,
    /// A name; is it `mut`?
    Bind(Slot, Name, bool),
    /// `(a, b)`
    Tuple(Vec<Pattern>),
    /// A literal; the text is as written.
    Lit(Lit, Name),
    /// A constant of the module.
    Constant(u32, Name),
    /// `a..b`, `a..=b`; the text is as written.
    Range(Option<Bound>, Option<Bound>, bool, Name),
    /// `a | b`
    Or(Vec<Pattern>),
    /// `Some(p)`
    Some(Box<Pattern>),
    /// `None`
    None,
    /// `&p`
    Ref(Box<Pattern>),
}
