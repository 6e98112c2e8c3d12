//! Folds in a function of elements, by a loop of one thread.

use std::rc::Rc;

use obsidian_rt::arrays::{AnyElement, Computed};
use obsidian_rt::language::{EU32, lit, seq_iterate};

use super::Call;
use crate::lower::element::choose;
use crate::lower::value::Function;
use crate::lower::{Lowered, Lowering};
use crate::syntax::{Base, Constant, Expr, ExprKind, Span};

/// The most elements whose fold is written out. Where an operator folds them, they are often those of short lists, whose elements are
/// constants where their numbers are.
const MOST_WRITTEN_OUT: u32 = 8;
const MOST_OF_OPERATORS: u32 = 32;

/// A function that folds elements.
#[derive(Clone)]
pub struct Folding {
    pub lowering: Rc<Lowering>,
    pub function: Function,
    pub base: Base,
    pub span: Span,
}

/// A row of elements.
pub struct Row {
    /// How many there are.
    pub length: EU32,
    /// The element with a number.
    pub at: Rc<dyn Fn(EU32) -> AnyElement>,
    /// What a row without elements gives.
    pub initial: AnyElement,
}

impl Folding {
    /// The function that `reduce` and `scan` are given, for elements of a base type.
    pub fn given(call: &Call, base: Base) -> Lowered<Self> {
        let (lowering, function) = (call.lowering.clone(), call.function(0)?);
        if lowering.mentions(&function, "roll") {
            return Err(call.wrong("`roll` in a function that folds would draw one number for all"));
        }
        Ok(Folding {
            lowering,
            function,
            base,
            span: call.span,
        })
    }

    /// The function of two elements, inside of a function of elements.
    pub fn of(&self, x: AnyElement, y: AnyElement) -> AnyElement {
        self.lowering.inside(self.base, || {
            let arguments = [(self.base, x), (self.base, y)];
            self.lowering
                .call_element(&self.function, &arguments, self.span)
        })
    }

    /// What is neutral for the function, if it is one of those that are associative.
    pub fn neutral(&self) -> Option<Constant> {
        operator_of(&self.function).and_then(neutral)
    }

    /// The fold of a row: from the right, as in APL, unless the function is associative.
    pub fn row(&self, row: Row) -> AnyElement {
        match row.length.as_literal() {
            Some(0) => row.initial,
            Some(n) if n <= self.most_written_out() => {
                let last = (row.at)(lit(n - 1));
                (0..n - 1)
                    .rev()
                    .fold(last, |folded, k| self.of((row.at)(lit(k)), folded))
            }
            _ if self.lowering.is_folding() => self.lowering.needs_loop(self.base, self.span),
            _ if self.neutral().is_some() => self.forwards(row),
            _ => self.backwards(row),
        }
    }

    fn most_written_out(&self) -> u32 {
        match self.lowering.is_folding() {
            true => u32::try_from(crate::lower::array::LONGEST_LIST).unwrap_or(u32::MAX),
            false if self.neutral().is_some() => MOST_OF_OPERATORS,
            false => MOST_WRITTEN_OUT,
        }
    }

    /// From the first element on: for functions that are associative.
    fn forwards(&self, row: Row) -> AnyElement {
        let (own, length, at) = (self.clone(), row.length, row.at);
        match length.as_literal() {
            Some(n) => {
                let first = at(lit(0));
                seq_iterate(n - 1, move |k, folded| own.of(folded, at(k + 1)), first).value()
            }
            None => {
                let step = move |k: EU32, folded| {
                    let x = at(k);
                    choose(k.eq(0u32), &x, &own.of(folded, x.clone()))
                };
                seq_iterate(length, step, row.initial).value()
            }
        }
    }

    /// From the last element on.
    fn backwards(&self, row: Row) -> AnyElement {
        let (own, length, at) = (self.clone(), row.length, row.at);
        match length.as_literal() {
            Some(n) => {
                let last = at(lit(n - 1));
                let step = move |k, folded| own.of(at(lit(n - 2) - k), folded);
                seq_iterate(n - 1, step, last).value()
            }
            None => {
                let step = move |k: EU32, folded| {
                    let x = at(length - 1 - k);
                    choose(k.eq(0u32), &x, &own.of(x.clone(), folded))
                };
                seq_iterate(length, step, row.initial).value()
            }
        }
    }
}

/// The operator that a function of two arguments is: passed on, or written out as `fn x => fn y => op(x, y)`.
fn operator_of(function: &Function) -> Option<&str> {
    let (outer, body) = match function {
        Function::Operator(operator) => return Some(&operator.name),
        Function::Closure(lambda, _) => (lambda, &lambda.body),
    };
    let ExprKind::Function(inner) = &body.kind else {
        return None;
    };
    let ExprKind::Call(operator, arguments) = &inner.body.kind else {
        return None;
    };
    let is = |expr: &Expr, name: &str| matches!(&expr.kind, ExprKind::Variable(own) if own == name);
    let [first, second] = arguments.as_slice() else {
        return None;
    };
    let (x, y) = (&outer.name, &inner.name);
    let in_order = is(first, x) && is(second, y);
    // All that are associative here are commutative, too.
    (x != y && (in_order || is(first, y) && is(second, x))).then_some(operator.name.as_str())
}

/// What is neutral for an operator that is associative, for doubles up to rounding.
pub fn neutral(name: &str) -> Option<Constant> {
    Some(match name {
        "addi" | "ori" | "xori" => Constant::Int(0),
        "muli" => Constant::Int(1),
        "andi" => Constant::Int(-1),
        "maxi" => Constant::Int(i32::MIN),
        "mini" => Constant::Int(i32::MAX),
        "addd" => Constant::Double(0.0),
        "muld" => Constant::Double(1.0),
        "maxd" => Constant::Double(f64::NEG_INFINITY),
        "mind" => Constant::Double(f64::INFINITY),
        "andb" | "eqb" => Constant::Bool(true),
        "orb" | "xorb" => Constant::Bool(false),
        "addx" => Constant::Complex(0.0, 0.0),
        "mulx" => Constant::Complex(1.0, 0.0),
        _ => return None,
    })
}
