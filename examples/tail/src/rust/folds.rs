//! `reduce` and `scan`, along the last axis.
//!
//! A function that is associative is folded by the array layer; another one goes from the right, as in APL, by one thread for each row.

use std::rc::Rc;

use super::blocks::{Parameters, braced};
use super::code::{Binding, Code, Number};
use super::elements::mentions;
use super::value::{Array, Function, Scalar, Source, Value};
use super::{Call, Printed, Printer, wrong};
use crate::primitives::neutral;
use crate::syntax::{Base, Constant, Expr, ExprKind, Span};
use crate::value::default_value;

/// The most elements whose fold is one expression.
const MOST_IN_ONE: u32 = 4;
/// The most elements whose fold is written out by the front end.
const MOST_WRITTEN_OUT: u32 = 32;

/// A function that folds elements.
#[derive(Clone)]
struct Folding {
    function: Function,
    base: Base,
    span: Span,
}

/// A row of elements: how many there are, each by its number, and what a row without elements gives.
struct Row {
    length: Number,
    at: Rc<dyn Fn(&mut Printer, &Number) -> Printed<Scalar>>,
    initial: Scalar,
}

impl Printer {
    pub(super) fn folds(&mut self, call: &Call) -> Option<Printed<Value>> {
        Some(match call.name {
            "reduce" => self.reduce(call),
            "scan" => self.scan(call),
            _ => return None,
        })
    }

    fn reduce(&mut self, call: &Call) -> Printed<Value> {
        let (initial, array) = (call.array(1)?, call.array(2)?);
        let Some((length, outer)) = array.extents.split_last() else {
            return Ok(array.into());
        };
        let (length, outer) = (length.clone(), outer.to_vec());
        let folding = Folding::given(call, initial.base)?;
        let start = self.one(&initial, call.span)?;
        let is_delayed = matches!(array.source, Some(Source::Delayed(_)));
        if let (Some(neutral), true, false) = (folding.neutral(), self.is_outside(), is_delayed) {
            let node = self.node(&array)?;
            let closure = self.of_elements(&folding.function, &[folding.base; 2], call.span)?;
            let first = Scalar::constant(neutral).device;
            let code = Code::call("$0.fold(#1, #2)", &[&node, &closure, &first]);
            let folded = Array::node(folding.base, outer, code);
            if start.value == Some(neutral) || length.is_positive() {
                return Ok(folded.into());
            }
            return self.with_initial(folded, start, &length);
        }
        let row = array.clone();
        self.made(folding.base, outer, move |printer, index| {
            let (array, index) = (row.clone(), index.to_vec());
            let at = move |printer: &mut Printer, k: &Number| {
                let mut index = index.clone();
                index.push(k.clone());
                printer.at(&array, &index)
            };
            let initial = start.clone();
            let row = Row {
                length: length.clone(),
                at: Rc::new(at),
                initial,
            };
            folding.row(printer, &row)
        })
    }

    /// The initial value counts where there are no elements, and only there.
    fn with_initial(&mut self, folded: Array, start: Scalar, length: &Number) -> Printed<Value> {
        let of = (folded.base, folded.rank());
        let code = self.node(&folded)?;
        let name = self.output.array("folded", of, code, None);
        let named = Array::node(folded.base, folded.extents, name);
        let length = length.clone();
        self.made(named.base, named.extents.clone(), move |printer, index| {
            let element = printer.at(&named, index)?;
            let is_empty = Code::infix("==", Binding::Compare, &length.device(), &Code::atom("0"));
            let is_empty = Scalar::element(Base::Bool, is_empty);
            Ok(super::scalars::select(&is_empty, &start, &element))
        })
    }

    fn scan(&mut self, call: &Call) -> Printed<Value> {
        let (initial, array) = (call.array(1)?, call.array(2)?);
        if array.rank() == 0 {
            return Ok(array.into());
        }
        let folding = Folding::given(call, initial.base)?;
        if let (Some(_), true) = (folding.neutral(), self.is_outside()) {
            let node = self.node(&array)?;
            let closure = self.of_elements(&folding.function, &[folding.base; 2], call.span)?;
            let code = Code::call("$0.inclusive_scan(#1)", &[&node, &closure]);
            return Ok(Array::node(folding.base, array.extents, code).into());
        }
        let whole = array.clone();
        self.made(folding.base, array.extents, move |printer, index| {
            let Some((last, outer)) = index.split_last() else {
                return printer.at(&whole, index);
            };
            let (array, outer) = (whole.clone(), outer.to_vec());
            let at = move |printer: &mut Printer, k: &Number| {
                let mut index = outer.clone();
                index.push(k.clone());
                printer.at(&array, &index)
            };
            let initial = Scalar::constant(default_value(folding.base));
            let length = last.add(&Number::literal(1));
            folding.row(
                printer,
                &Row {
                    length,
                    at: Rc::new(at),
                    initial,
                },
            )
        })
    }

    /// A loop of one thread: `step` gives the next value for the number of an iteration and the value.
    pub(super) fn iterated(
        &mut self,
        (times, start): (&Number, &Scalar),
        names: [&str; 2],
        span: Span,
        step: impl FnOnce(&mut Printer, &Number, Scalar) -> Printed<Scalar>,
    ) -> Printed<Scalar> {
        let base = start.base;
        let (closure, runs) = self.closure(Parameters::Several, &names, |printer, codes| {
            let [k, value] = codes else {
                return Ok(Code::atom("()"));
            };
            let value = Scalar::element(base, value.clone());
            Ok(step(printer, &Number::of(k.clone()), value)?.on_device())
        })?;
        if runs {
            return wrong(
                span,
                "a loop or an assertion in the step of a loop: `seq_iterate` of `#[arrays]` takes no step that is a program",
            );
        }
        let code = Code::call(
            "seq_iterate(#0, #1, #2)?",
            &[&times.code, &closure, &start.on_device()],
        );
        let code = self.element(
            names[1].trim_end_matches(|c: char| c.is_ascii_digit()),
            code,
        );
        self.runs();
        Ok(Scalar::element(base, code))
    }
}

impl Folding {
    /// The function that `reduce` and `scan` are given.
    fn given(call: &Call, base: Base) -> Printed<Self> {
        let function = call.function(0)?;
        if mentions(&function, "roll") {
            return call.wrong("`roll` in a function that folds would draw one number for all");
        }
        let span = call.span;
        Ok(Folding {
            function,
            base,
            span,
        })
    }

    fn of(&self, printer: &mut Printer, x: Scalar, y: Scalar) -> Printed<Scalar> {
        printer.of_scalar(&self.function, vec![x, y], self.span)
    }

    /// What is neutral for the function, if it is one of those that are associative.
    fn neutral(&self) -> Option<Constant> {
        operator_of(&self.function).and_then(neutral)
    }

    fn row(&self, printer: &mut Printer, row: &Row) -> Printed<Scalar> {
        match row.length.code.literal() {
            Some(0) => Ok(row.initial.clone()),
            Some(n) if n <= MOST_IN_ONE => {
                let mut folded = (row.at)(printer, &Number::literal(n - 1))?;
                for k in (0..n - 1).rev() {
                    let x = (row.at)(printer, &Number::literal(k))?;
                    folded = self.of(printer, x, folded)?;
                }
                Ok(folded)
            }
            Some(n) if n <= MOST_WRITTEN_OUT => self.written_out(printer, row, n),
            Some(n) => self.looped(printer, row, n),
            None => self.counted(printer, row),
        }
    }

    /// A loop of the front end, which writes each iteration out.
    fn written_out(&self, printer: &mut Printer, row: &Row, n: u32) -> Printed<Scalar> {
        let last = (row.at)(printer, &Number::literal(n - 1))?;
        let mark = printer.locals.len();
        let (name, k) = (printer.local("folded"), printer.local("k"));
        printer.statement(&format!("mut {name}"), last.on_device());
        let folded = Scalar::element(self.base, Code::atom(&name));
        let (lets, next, runs) = printer.block(false, |printer| {
            let x = (row.at)(printer, &Number::of(Code::atom(format!("lit({k})"))))?;
            Ok(self.of(printer, x, folded.clone())?.on_device())
        })?;
        printer.locals.truncate(mark + 1);
        let assignment = Code::of(&format!("{name} = #0;"), Binding::Atom, &[&next]);
        let body = braced(&lets, &assignment);
        let body = match lets.is_empty() {
            true => Code::call("{ #0 }", &[&body]),
            false => body,
        };
        let count = n - 1;
        let text = format!("for {k} in (0..{count}u32).rev() #0");
        printer.statement("", Code::call(&text, &[&body]));
        if runs {
            printer.runs();
        }
        Ok(folded)
    }

    /// A loop over a number of elements that is known: from the front if the function is associative, and from the back otherwise.
    fn looped(&self, printer: &mut Printer, row: &Row, n: u32) -> Printed<Scalar> {
        let is_forwards = self.neutral().is_some();
        let start = (row.at)(
            printer,
            &Number::literal(if is_forwards { 0 } else { n - 1 }),
        )?;
        let times = Number::literal(n - 1);
        printer.iterated(
            (&times, &start),
            ["k", "folded"],
            self.span,
            |printer, k, folded| {
                let place = match is_forwards {
                    true => k.add(&Number::literal(1)),
                    false => Number::literal(n - 2).sub(k),
                };
                let x = (row.at)(printer, &place)?;
                match is_forwards {
                    true => self.of(printer, folded, x),
                    false => self.of(printer, x, folded),
                }
            },
        )
    }

    /// The same for any number of elements.
    fn counted(&self, printer: &mut Printer, row: &Row) -> Printed<Scalar> {
        let is_forwards = self.neutral().is_some();
        let start = (&row.length, &row.initial);
        printer.iterated(start, ["k", "folded"], self.span, |printer, k, folded| {
            let place = match is_forwards {
                true => k.clone(),
                false => row.length.sub(&Number::literal(1)).sub(k),
            };
            let x = (row.at)(printer, &place)?;
            let x = match x.device.is_name() || x.is_literal {
                true => x,
                false => {
                    let code = printer.element("x", x.on_device());
                    Scalar::element(self.base, code)
                }
            };
            let next = match is_forwards {
                true => self.of(printer, folded, x.clone())?,
                false => self.of(printer, x.clone(), folded)?,
            };
            let is_first = Code::infix("==", Binding::Compare, &k.code, &Code::atom("0"));
            let is_first = Scalar::element(Base::Bool, is_first);
            Ok(super::scalars::select(&is_first, &x, &next))
        })
    }
}

/// The operator that a function of two arguments is: passed on, or written out as `fn x => fn y => op(x, y)`.
fn operator_of(function: &Function) -> Option<&str> {
    let lambda = match function {
        Function::Operator(operator) => return Some(&operator.name),
        Function::Closure(lambda, _) => lambda,
    };
    let ExprKind::Function(inner) = &lambda.body.kind else {
        return None;
    };
    let ExprKind::Call(operator, arguments) = &inner.body.kind else {
        return None;
    };
    let is = |expr: &Expr, name: &str| matches!(&expr.kind, ExprKind::Variable(own) if own == name);
    let [first, second] = arguments.as_slice() else {
        return None;
    };
    let (x, y) = (&lambda.name, &inner.name);
    let in_order = is(first, x) && is(second, y);
    // All that are associative here are commutative, too.
    (x != y && (in_order || is(first, y) && is(second, x))).then_some(operator.name.as_str())
}
