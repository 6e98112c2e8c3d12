//! Literals that are device values, and whose type the place where they are used tells.

use std::cell::Cell;
use std::rc::Rc;

use super::{Eval, Flow, Machine, Value};
use crate::error::{Diagnostic, catalogue};
use crate::infer::is_literal;
use crate::scalar::{AnyExp, BinaryOp, Exp, Literal, ScalarType, report, with_site};
use crate::syntax::{Expr, HostType, Lit, Site};

/// A literal that is no value of the type that is wanted.
fn wrong_literal(literal: &str, ty: ScalarType) -> Diagnostic {
    let is_bool = ty == ScalarType::Bool;
    catalogue::wrong_literal(literal, &ty.exp_name(), ty.range(), is_bool)
}

/// What is known of the type of a literal, over all of its uses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Known {
    /// Nothing: it was not used.
    #[default]
    Nothing,
    /// Its type.
    One(ScalarType),
    /// It has several: its function was called with several types.
    Several,
}

impl Known {
    /// What two uses tell.
    pub fn and(self, other: Known) -> Known {
        match (self, other) {
            (Known::Nothing, known) | (known, Known::Nothing) => known,
            (known, other) if known == other => known,
            _ => Known::Several,
        }
    }
}

/// A literal without a suffix that stands where a device value is wanted.
#[derive(Clone, Debug)]
pub struct Spot {
    site: Site,
    known: Rc<Cell<Known>>,
}

/// A device value whose type is not known yet.
#[derive(Clone, Debug)]
pub enum Untyped {
    /// An integer.
    Int(i128, Spot),
    /// A float.
    Float(f64, Spot),
    /// One of two.
    Choice(Exp<bool>, Value, Value, Memo),
    /// Arithmetic with one, and another or a number of the host without a type.
    Operation(BinaryOp, Value, Value, Memo),
}

/// Operations on literals may build on one another no deeper.
const DEEPEST: u32 = 200;
/// Tuples with more parts are not looked through: none of their parts is a literal.
const LARGEST: usize = 4096;

/// What is known of a value that is made of two others: those may be the same, and a loop doubles
/// them again and again.
#[derive(Clone, Debug)]
pub struct Memo {
    typed: Cell<Option<AnyExp>>,
    is_float: bool,
    depth: u32,
}

impl Memo {
    fn of(x: &Value, y: &Value) -> Memo {
        let part = |value: &Value| match value {
            Value::Untyped(untyped) => (untyped.is_float(), untyped.depth()),
            value => (matches!(value, Value::Float(..)), 0),
        };
        let (x, y) = (part(x), part(y));
        Memo {
            typed: Cell::default(),
            is_float: x.0 || y.0,
            depth: x.1.max(y.1) + 1,
        }
    }

    /// The value at a type, made once.
    fn typed(&self, ty: ScalarType, make: impl FnOnce() -> AnyExp) -> AnyExp {
        if let Some(made) = self.typed.get().filter(|made| made.ty() == ty) {
            return made;
        }
        let made = make();
        self.typed.set(Some(made));
        made
    }
}

impl Untyped {
    /// The value as one of a type; poison, with a report at the literal, if it is none.
    pub(super) fn typed(&self, ty: ScalarType) -> AnyExp {
        let (spot, literal) = match self {
            Untyped::Int(n, spot) if !ty.is_float() && ty != ScalarType::Bool => {
                (spot, Literal::integer(ty, *n))
            }
            Untyped::Float(x, spot) if ty.is_float() => (spot, Literal::float(ty, *x)),
            Untyped::Int(_, spot) | Untyped::Float(_, spot) => (spot, None),
            Untyped::Choice(condition, then, otherwise, memo) => {
                return memo.typed(ty, || {
                    AnyExp::select(*condition, part(then, ty), part(otherwise, ty))
                });
            }
            Untyped::Operation(op, x, y, memo) => {
                return memo.typed(ty, || AnyExp::binary(*op, part(x, ty), part(y, ty)));
            }
        };
        spot.known.set(spot.known.get().and(Known::One(ty)));
        match literal {
            Some(literal) => AnyExp::literal(literal),
            None => {
                let wrong = wrong_literal(&self.text(), ty);
                with_site(spot.site, || report(wrong));
                AnyExp::poison(ty)
            }
        }
    }

    /// The value with the type that Rust gives a literal of which nothing else is known.
    pub(super) fn by_default(&self) -> AnyExp {
        let float = self.is_float();
        self.typed(if float {
            ScalarType::F64
        } else {
            ScalarType::I32
        })
    }

    fn is_float(&self) -> bool {
        match self {
            Untyped::Int(..) => false,
            Untyped::Float(..) => true,
            Untyped::Choice(.., memo) | Untyped::Operation(.., memo) => memo.is_float,
        }
    }

    fn depth(&self) -> u32 {
        match self {
            Untyped::Int(..) | Untyped::Float(..) => 0,
            Untyped::Choice(.., memo) | Untyped::Operation(.., memo) => memo.depth,
        }
    }

    /// One of two, both of which have no type.
    pub(super) fn choice(condition: Exp<bool>, then: Value, otherwise: Value) -> Value {
        let memo = Memo::of(&then, &otherwise);
        if memo.depth > DEEPEST {
            then.report_unknown();
            return Value::Poison;
        }
        Value::Untyped(Rc::new(Untyped::Choice(condition, then, otherwise, memo)))
    }

    /// Reports that nothing tells its type.
    pub(super) fn report_unknown(&self) {
        match self {
            Untyped::Int(_, spot) | Untyped::Float(_, spot) => with_site(spot.site, || {
                report(catalogue::untyped_literal(&self.text()));
            }),
            Untyped::Choice(_, x, y, _) | Untyped::Operation(_, x, y, _) => {
                if let Value::Untyped(one) = if x.is_untyped() { x } else { y } {
                    one.report_unknown();
                }
            }
        }
    }

    /// The literal as one writes it.
    fn text(&self) -> String {
        match self {
            Untyped::Int(n, _) => n.to_string(),
            Untyped::Float(x, _) => format!("{x:?}"),
            Untyped::Choice(..) | Untyped::Operation(..) => "..".to_owned(),
        }
    }
}

/// A part of a value without a type, as one of a type.
fn part(value: &Value, ty: ScalarType) -> AnyExp {
    let (literal, text) = match value {
        Value::Untyped(untyped) => return untyped.typed(ty),
        Value::Exp(e) => return *e,
        Value::Int(n, _) if !ty.is_float() && ty != ScalarType::Bool => {
            (Literal::integer(ty, *n), n.to_string())
        }
        Value::Float(x, _) if ty.is_float() => (Literal::float(ty, *x), String::new()),
        Value::Int(n, _) => (None, n.to_string()),
        Value::Float(x, _) => (None, format!("{x:?}")),
        _ => (None, value.kind()),
    };
    literal.map_or_else(
        || {
            report(wrong_literal(&text, ty));
            AnyExp::poison(ty)
        },
        AnyExp::literal,
    )
}

impl Value {
    /// Has it a part whose type is not known?
    pub(super) fn is_untyped(&self) -> bool {
        self.untyped_part().is_some()
    }

    /// The first part whose type is not known. Tuples of tuples may be shared, and huge.
    fn untyped_part(&self) -> Option<&Untyped> {
        let (mut stack, mut seen, mut found) = (vec![self], 0, None);
        while let Some(value) = stack.pop() {
            seen += 1;
            match value {
                _ if seen > LARGEST => return None,
                Value::Untyped(untyped) => found = found.or(Some(&**untyped)),
                Value::Tuple(list) => stack.extend(list.iter().rev()),
                _ => {}
            }
        }
        found
    }

    /// The same with the types of another value.
    pub(super) fn like(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Untyped(untyped), Value::Exp(e)) => Value::Exp(untyped.typed(e.ty())),
            (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
                let fields = x.iter().zip(y.iter());
                Value::tuple(fields.map(|(x, y)| x.like(y)).collect())
            }
            _ => self.clone(),
        }
    }

    /// Are both tuples of the same fields, or is neither one?
    pub(super) fn has_fields_of(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Tuple(x), Value::Tuple(y)) => {
                let mut fields = x.iter().zip(y.iter());
                x.len() == y.len() && fields.all(|(x, y)| x.has_fields_of(y))
            }
            (Value::Tuple(_), _) | (_, Value::Tuple(_)) => false,
            _ => true,
        }
    }

    /// Reports the first part whose type is not known.
    fn report_unknown(&self) {
        if let Some(untyped) = self.untyped_part() {
            untyped.report_unknown();
        }
    }
}

impl Machine {
    /// Arithmetic with a device value whose type is not known yet.
    pub(super) fn untyped_binary(&self, op: BinaryOp, x: Value, y: Value, site: Site) -> Eval {
        let scalar = |value: &Value| match value {
            Value::Int(_, Some(HostType::Scalar(ty)))
            | Value::Float(_, Some(HostType::Scalar(ty))) => Some(*ty),
            _ => None,
        };
        let is_open = |value: &Value| {
            matches!(
                value,
                Value::Untyped(_) | Value::Int(_, None) | Value::Float(_, None)
            )
        };
        match scalar(&x).or(scalar(&y)) {
            Some(ty) if !op.is_shift() => self.at(site, || {
                Value::Exp(AnyExp::binary(op, part(&x, ty), part(&y, ty)))
            }),
            None if is_open(&x) && is_open(&y) && !op.is_shift() && !op.is_comparison() => {
                let memo = Memo::of(&x, &y);
                if memo.depth > DEEPEST {
                    return self.known(if x.is_untyped() { x } else { y });
                }
                Ok(Value::Untyped(Rc::new(Untyped::Operation(op, x, y, memo))))
            }
            _ => self.known(if x.is_untyped() { x } else { y }),
        }
    }

    /// Is the literal at a site a device value?
    pub(super) fn is_device_literal(&self, site: Site) -> bool {
        let placed = self.module.literals.get(&site);
        placed.is_some_and(|placed| placed.is_device)
    }

    /// What `lit(..)` at a site makes of a number without a type.
    pub(super) fn untyped_call(&self, value: &Value, site: Site) -> Eval {
        let known = Rc::default();
        let spot = Spot { site, known };
        match value {
            Value::Int(n, _) => Ok(self.settled(Untyped::Int(*n, spot), site)),
            Value::Float(x, _) => Ok(self.settled(Untyped::Float(*x, spot), site)),
            other => Ok(other.clone()),
        }
    }

    /// A literal at a site, with its type if that is known.
    fn settled(&self, literal: Untyped, site: Site) -> Value {
        match self.module.literals.get(&site).and_then(|placed| placed.ty) {
            Some(HostType::Scalar(ty)) => Value::Exp(literal.typed(ty)),
            _ => Value::Untyped(Rc::new(literal)),
        }
    }

    /// A literal as a device value.
    pub(super) fn device_literal(&self, lit: &Lit, site: Site) -> Eval {
        let known = self.literals.borrow_mut().entry(site).or_default().clone();
        let spot = Spot { site, known };
        let untyped = match self.literal(lit, site)? {
            Value::Int(n, None) => Untyped::Int(n, spot),
            Value::Float(x, None) => Untyped::Float(x, spot),
            value => return self.device_constant(value, site),
        };
        Ok(self.settled(untyped, site))
    }

    /// A constant: a device value, where one is wanted.
    pub(super) fn where_it_stands(&self, value: Value, site: Site) -> Eval {
        if self.is_device_literal(site) {
            return self.device_constant(value, site);
        }
        Ok(value)
    }

    /// A value of the host whose type is known, as a device value.
    fn device_constant(&self, value: Value, site: Site) -> Eval {
        match value {
            Value::Int(_, Some(HostType::Scalar(ty)))
            | Value::Float(_, Some(HostType::Scalar(ty))) => {
                self.at(site, || Value::Exp(part(&value, ty)))
            }
            Value::Bool(b) => self.at(site, || Value::Exp(AnyExp::literal(Literal::from(b)))),
            other => Ok(other),
        }
    }

    /// Reports a literal that is an operand of an operator with a device value of another kind.
    pub(super) fn literal_operand(
        &self,
        op: BinaryOp,
        other: &Value,
        (expr, value): (&Expr, &Value),
    ) -> Eval<()> {
        let Value::Exp(other) = other else {
            return Ok(());
        };
        if !is_literal(expr) {
            return Ok(());
        }
        let ty = if op.is_shift() {
            ScalarType::U32
        } else {
            other.ty()
        };
        let text = match value {
            Value::Int(n, None) if ty.is_float() || ty == ScalarType::Bool => n.to_string(),
            Value::Int(n, None) if Literal::integer(ty, *n).is_none() => n.to_string(),
            Value::Float(x, None) if !ty.is_float() => format!("{x:?}"),
            _ => return Ok(()),
        };
        self.fail(expr.site, wrong_literal(&text, ty))
    }

    /// A value whose type is known, or a report.
    pub(super) fn known(&self, value: Value) -> Eval {
        if !value.is_untyped() {
            return Ok(value);
        }
        value.report_unknown();
        Err(Flow::Stop)
    }

    /// The first state of a loop, with the types of the state after a round.
    pub(super) fn first_state(&self, init: &Value, next: impl FnOnce(Value) -> Value) -> Eval {
        if !init.is_untyped() {
            return Ok(init.clone());
        }
        let after = next(init.clone());
        if crate::scalar::failed() {
            return Err(Flow::Stop);
        }
        let init = init.like(&after);
        if crate::scalar::failed() {
            return Err(Flow::Stop);
        }
        self.known(init)
    }
}
