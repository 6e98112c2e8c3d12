//! Folds in a function of elements, by a loop of one thread.

use std::rc::Rc;

use obsidian_rt::arrays::AnyElement;
use obsidian_rt::language::{EU32, lit};

use super::Call;
use crate::lower::array::Kept;
use crate::lower::element::choose;
use crate::lower::steps::{MOST_WRITTEN_OUT, Numbered, Steps, few};
use crate::lower::value::Function;
use crate::lower::{Lowered, Lowering};
use crate::syntax::{Base, Constant, Expr, ExprKind, Span};

/// The most elements whose fold by an operator is written out: they are often those of short lists, which are constants where their numbers
/// are.
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
    pub at: Numbered,
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

    /// The fold of the elements that are kept, by a function that is associative.
    pub fn kept(&self, kept: &Kept, neutral: AnyElement) -> AnyElement {
        let (own, at, is_kept) = (self.clone(), kept.at.clone(), kept.is_kept.clone());
        let what = "a fold of what `compress` keeps, which goes over all elements";
        let steps = few(kept.length, neutral, self.span, what);
        self.lowering.steps(steps, move |k, folded| {
            let next = || own.of(folded.clone(), at(k));
            own.lowering.one_of(is_kept(k), next, || folded.clone())
        })
    }

    /// The fold of a row: from the right, as in APL, unless the function is associative.
    pub fn row(&self, row: Row) -> AnyElement {
        let (own, length, at) = (self.clone(), row.length, row.at);
        let is_associative = self.neutral().is_some();
        let (most_written_out, what) = match is_associative {
            true => (MOST_OF_OPERATORS, "a fold in a function of elements"),
            false => (
                MOST_WRITTEN_OUT,
                "a fold from the right, because its function is not associative",
            ),
        };
        let at = move |k: EU32| at(if is_associative { k } else { length - 1 - k });
        let of = move |folded, x| match is_associative {
            true => own.of(folded, x),
            false => own.of(x, folded),
        };
        let steps = |count, first| Steps {
            count,
            most_written_out,
            first,
            span: self.span,
            what,
        };
        match length.as_literal() {
            Some(0) => row.initial,
            Some(n) => self
                .lowering
                .steps(steps(lit(n - 1), at(lit(0))), move |k, folded| {
                    of(folded, at(k + 1))
                }),
            None => self
                .lowering
                .steps(steps(length, row.initial), move |k, folded| {
                    let x = at(k);
                    choose(k.eq(0u32), &x, &of(folded, x.clone()))
                }),
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
