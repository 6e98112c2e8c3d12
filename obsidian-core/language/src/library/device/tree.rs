//! A device function as a tree: what is left of a Rust function once names, types and patterns are
//! resolved.
//!
//! Each number has one type, so that nothing has to be inferred here. `usize` and `isize` have 64 bits,
//! as on the host. References are gone: a `&[T]` is a slice, and an element of one is its value.

use super::words::{Words, coded};
use crate::scalar::{BinaryOp, ScalarType, UnaryOp};

coded! {
    /// A number or boolean.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Num {
        /// `bool`
        Bool,
        /// `u8`
        U8,
        /// `u16`
        U16,
        /// `u32`
        U32,
        /// `u64`
        U64,
        /// `i8`
        I8,
        /// `i16`
        I16,
        /// `i32`
        I32,
        /// `i64`
        I64,
        /// `f32`
        F32,
        /// `f64`
        F64,
        /// `usize`
        Usize,
        /// `isize`
        Isize,
    }
}

impl Num {
    /// All of them.
    pub const ALL: [Num; 13] = [
        Num::Bool,
        Num::U8,
        Num::U16,
        Num::U32,
        Num::U64,
        Num::I8,
        Num::I16,
        Num::I32,
        Num::I64,
        Num::F32,
        Num::F64,
        Num::Usize,
        Num::Isize,
    ];

    /// The type of the device.
    pub const fn scalar(self) -> ScalarType {
        match self {
            Num::Bool => ScalarType::Bool,
            Num::U8 => ScalarType::U8,
            Num::U16 => ScalarType::U16,
            Num::U32 => ScalarType::U32,
            Num::U64 | Num::Usize => ScalarType::U64,
            Num::I8 => ScalarType::I8,
            Num::I16 => ScalarType::I16,
            Num::I32 => ScalarType::I32,
            Num::I64 | Num::Isize => ScalarType::I64,
            Num::F32 => ScalarType::F32,
            Num::F64 => ScalarType::F64,
        }
    }

    /// The name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Num::Usize => "usize",
            Num::Isize => "isize",
            other => other.scalar().name(),
        }
    }

    /// The type with a Rust name.
    pub fn from_name(name: &str) -> Option<Num> {
        Num::ALL.into_iter().find(|num| num.name() == name)
    }

    /// Returns `true` for integers, of which `bool` is none.
    pub const fn is_integer(self) -> bool {
        !matches!(self, Num::Bool | Num::F32 | Num::F64)
    }

    /// Returns `true` for `f32` and `f64`.
    pub const fn is_float(self) -> bool {
        matches!(self, Num::F32 | Num::F64)
    }
}

coded! {
    /// A type.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub enum Ty {
        /// A number or boolean.
        Num(num: Num),
        /// A tuple; without fields, `()`.
        Tuple(fields: Vec<Ty>),
        /// `[T; N]`
        Array(element: Box<Ty>, length: u32),
        /// `&[T]`
        Slice(element: Box<Ty>),
    }
}

/// The number of a local variable.
pub type Slot = u32;
/// The number of a place in the user's text.
pub type Place = u32;
/// The place of what cannot go wrong: a division of floats.
pub const NOWHERE: Place = Place::MAX;

coded! {
    /// A function of several values that is made of operators.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Made {
        /// `1 / x`
        Recip,
        /// `x - trunc(x)`
        Fract,
        /// `x != x`
        IsNan,
        /// `a * b + c`, with one rounding.
        MulAdd,
        /// `min(max(x, low), high)`
        Clamp,
        /// Rotation by a number of bits.
        RotateLeft,
        /// Rotation the other way.
        RotateRight,
        /// The distance, as an unsigned number.
        AbsDiff,
        /// The quotient that leaves a remainder that is not negative.
        DivEuclid,
        /// The remainder that is not negative.
        RemEuclid,
        /// Saturating.
        SaturatingAdd,
        /// Saturating.
        SaturatingSub,
        /// Saturating.
        SaturatingMul,
        /// The number of bits, as `u32`: `count_ones`, `leading_zeros`, `trailing_zeros`.
        CountOnes,
        /// See above.
        LeadingZeros,
        /// See above.
        TrailingZeros,
    }
}

coded! {
    /// Where a value is assigned: a variable, or a part of one.
    #[derive(Clone, PartialEq, Debug)]
    pub enum Step {
        /// A field of a tuple.
        Field(field: u32),
        /// An element of an array.
        Element(index: Box<Expr>, place: Place),
    }
}

coded! {
    /// What a `for` loop counts.
    #[derive(Clone, PartialEq, Debug)]
    pub enum Range {
        /// `from..to` or `from..=to`, maybe `.rev()`, maybe `.step_by(n)`.
        Numbers(from: Box<Expr>, to: Box<Expr>, inclusive: bool, reversed: bool, step: Option<Box<Expr>>, place: Place),
        /// The elements of a slice or array.
        Elements(of: Box<Expr>),
        /// The elements with their numbers: `.iter().enumerate()`.
        Numbered(of: Box<Expr>),
    }
}

coded! {
    /// An expression.
    #[derive(Clone, PartialEq, Debug)]
    pub enum Expr {
        /// A number, as its bits.
        Literal(num: Num, bits: u64),
        /// A variable.
        Local(slot: Slot),
        /// `x.0`
        Field(of: Box<Expr>, field: u32),
        /// `(a, b)`
        Tuple(fields: Vec<Expr>),
        /// `[a, b]`
        Array(elements: Vec<Expr>),
        /// `[a; n]`
        Repeat(element: Box<Expr>, count: u32),
        /// `a[i]`
        Index(of: Box<Expr>, index: Box<Expr>, place: Place),
        /// `a.len()`
        Len(of: Box<Expr>),
        /// `-x`, `x.sqrt()`
        Unary(op: UnaryOp, value: Box<Expr>),
        /// `x + y`, `x.max(y)`
        Binary(op: BinaryOp, left: Box<Expr>, right: Box<Expr>, place: Place),
        /// `x && y`
        Both(left: Box<Expr>, right: Box<Expr>),
        /// `x || y`
        Either(left: Box<Expr>, right: Box<Expr>),
        /// `x as T`
        Cast(value: Box<Expr>, to: Num),
        /// A function that is made of operators.
        Made(function: Made, arguments: Vec<Expr>, place: Place),
        /// `x.powi(n)`
        Powi(value: Box<Expr>, exponent: u32),
        /// The bits of a float, or the float with some bits.
        OfBits(op: UnaryOp, value: Box<Expr>, to: Num),
        /// A call of another device function, by its number.
        Call(function: u32, arguments: Vec<Expr>),
        /// `if c { .. } else { .. }`
        If(condition: Box<Expr>, then: Box<Expr>, otherwise: Option<Box<Expr>>),
        /// `{ .. }`
        Block(statements: Vec<Stmt>, value: Option<Box<Expr>>),
        /// `while c { .. }`
        While(id: u32, condition: Box<Expr>, body: Box<Expr>),
        /// `loop { .. }`, and what `break` gives.
        Loop(id: u32, gives: Option<Ty>, body: Box<Expr>),
        /// `for x in ..`: the variables get the number or element, of `Numbered` the number and the element.
        For(id: u32, slots: Vec<Slot>, range: Range, body: Box<Expr>),
        /// `break`
        Break(id: u32, value: Option<Box<Expr>>),
        /// `continue`
        Continue(id: u32),
        /// `return x`
        Return(value: Option<Box<Expr>>),
        /// `x = y`
        Assign(slot: Slot, steps: Vec<Step>, value: Box<Expr>),
        /// A panic.
        Fail(text: String, place: Place),
    }
}

coded! {
    /// A statement.
    #[derive(Clone, PartialEq, Debug)]
    pub enum Stmt {
        /// `let x: T = y;`; is it changed later?
        Let(slot: Slot, changes: bool, ty: Ty, value: Option<Expr>),
        /// An expression whose value is not used.
        Expr(value: Expr),
    }
}

coded! {
    /// One function. Its parameters are its first variables.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Code {
        /// Its number, by which calls name it.
        pub number: u32,
        /// Its name.
        pub name: String,
        /// The types of the parameters.
        pub parameters: Vec<Ty>,
        /// The type of the result.
        pub result: Ty,
        /// The number of variables.
        pub slots: u32,
        /// What it does.
        pub body: Expr,
    }
}

coded! {
    /// A function, the first, with all that it calls.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Device {
        /// The functions.
        pub functions: Vec<Code>,
    }
}

impl Ty {
    /// How many numbers a value is made of.
    pub fn leaves(&self) -> u64 {
        match self {
            Ty::Num(_) => 1,
            Ty::Tuple(list) => list.iter().map(Ty::leaves).fold(0, u64::saturating_add),
            Ty::Array(element, n) => element.leaves().saturating_mul(u64::from(*n)),
            Ty::Slice(_) => 0,
        }
    }
}

impl Device {
    /// The tree as numbers.
    pub fn words(&self) -> Vec<u64> {
        let mut words = Vec::new();
        self.write_words(&mut words);
        words
    }

    /// The tree of numbers that [`words`](Device::words) gave; `None` for others.
    pub fn of_words(mut words: &[u64]) -> Option<Device> {
        Device::read_words(&mut words).filter(|device| !device.functions.is_empty())
    }

    /// Does it only compute, without a statement and without a fault? Then it can be called where an
    /// expression stands.
    pub fn is_plain(&self) -> bool {
        self.functions.iter().all(|f| !f.body.any(&does_more))
    }

    /// The places that it names.
    pub fn places(&self) -> crate::ordered::Set<Place> {
        let mut found = crate::ordered::Set::new();
        for function in &self.functions {
            function.body.places(&mut found);
        }
        found
    }

    /// The function itself.
    pub fn code(&self) -> Option<&Code> {
        self.functions.first()
    }
}

impl Expr {
    /// The expressions directly inside, statements' ones among them.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Literal(..) | Expr::Local(_) | Expr::Continue(_) | Expr::Fail(..) => Vec::new(),
            Expr::Field(x, _)
            | Expr::Repeat(x, _)
            | Expr::Len(x)
            | Expr::Unary(_, x)
            | Expr::Cast(x, _)
            | Expr::Powi(x, _)
            | Expr::OfBits(_, x, _)
            | Expr::Loop(_, _, x) => vec![x],
            Expr::Tuple(list)
            | Expr::Array(list)
            | Expr::Made(_, list, _)
            | Expr::Call(_, list) => list.iter().collect(),
            Expr::Index(x, y, _)
            | Expr::Binary(_, x, y, _)
            | Expr::Both(x, y)
            | Expr::Either(x, y)
            | Expr::While(_, x, y) => vec![x, y],
            Expr::If(x, y, z) => [Some(x), Some(y), z.as_ref()]
                .into_iter()
                .flatten()
                .map(|e| &**e)
                .collect(),
            Expr::Block(statements, value) => {
                let inside = statements.iter().filter_map(|s| match s {
                    Stmt::Let(_, _, _, value) => value.as_ref(),
                    Stmt::Expr(value) => Some(value),
                });
                inside.chain(value.as_deref()).collect()
            }
            Expr::For(_, _, range, body) => {
                let mut list: Vec<&Expr> = match range {
                    Range::Numbers(from, to, _, _, step, _) => {
                        [Some(from), Some(to), step.as_ref()]
                            .into_iter()
                            .flatten()
                            .map(|e| &**e)
                            .collect()
                    }
                    Range::Elements(of) | Range::Numbered(of) => vec![of],
                };
                list.push(body);
                list
            }
            Expr::Break(_, value) | Expr::Return(value) => value.as_deref().into_iter().collect(),
            Expr::Assign(_, steps, value) => {
                let indices = steps.iter().filter_map(|step| match step {
                    Step::Element(index, _) => Some(&**index),
                    Step::Field(_) => None,
                });
                indices.chain([&**value]).collect()
            }
        }
    }

    /// The variables that are read.
    pub(super) fn read(&self) -> crate::ordered::Set<Slot> {
        fn add(expr: &Expr, found: &mut crate::ordered::Set<Slot>) {
            if let Expr::Local(slot) = expr {
                found.insert(*slot);
            }
            expr.children()
                .into_iter()
                .for_each(|inner| add(inner, found));
        }
        let mut found = crate::ordered::Set::new();
        add(self, &mut found);
        found
    }

    fn places(&self, found: &mut crate::ordered::Set<Place>) {
        match self {
            Expr::Index(_, _, place)
            | Expr::Binary(_, _, _, place)
            | Expr::Fail(_, place)
            | Expr::Made(_, _, place)
            | Expr::For(_, _, Range::Numbers(_, _, _, _, _, place), _)
                if *place != NOWHERE =>
            {
                found.insert(*place);
            }
            Expr::Assign(_, steps, _) => {
                found.extend(steps.iter().filter_map(|step| match step {
                    Step::Element(_, place) => Some(*place),
                    Step::Field(_) => None,
                }));
            }
            _ => {}
        }
        for inner in self.children() {
            inner.places(found);
        }
    }

    /// Does something hold of this expression or one inside?
    pub fn any(&self, holds: &dyn Fn(&Expr) -> bool) -> bool {
        holds(self) || self.children().into_iter().any(|inner| inner.any(holds))
    }
}

/// Is it more than a part of an expression?
fn does_more(expr: &Expr) -> bool {
    let changes = |statement: &Stmt| matches!(statement, Stmt::Let(_, true, ..));
    match expr {
        Expr::While(..)
        | Expr::Loop(..)
        | Expr::For(..)
        | Expr::Break(..)
        | Expr::Continue(_)
        | Expr::Return(_)
        | Expr::Assign(..) => true,
        Expr::Block(statements, _) => statements.iter().any(changes),
        other => super::faults::can_fail(other),
    }
}
