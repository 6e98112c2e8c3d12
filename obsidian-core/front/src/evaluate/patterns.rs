//! Matching values against patterns.

use super::operators::compare;
use super::{Eval, Frame, Machine, Value};
use crate::error::catalogue;
use crate::syntax::{Bound, Lit, Pattern, PatternKind};

impl Machine {
    /// Binds the names of a pattern; false if the value does not match.
    pub(super) fn matches(
        self: &std::rc::Rc<Self>,
        pattern: &Pattern,
        value: &Value,
        frame: &mut Frame<'_>,
    ) -> Eval<bool> {
        Ok(match (&pattern.kind, value) {
            (PatternKind::Wild, _) => true,
            (PatternKind::Bind(slot, ..), value) => {
                frame.slots[*slot as usize] = value.clone();
                true
            }
            (PatternKind::Ref(inner), value) => self.matches(inner, value, frame)?,
            (PatternKind::Tuple(patterns), Value::Tuple(values))
                if patterns.len() == values.len() =>
            {
                for (pattern, value) in patterns.iter().zip(values.iter()) {
                    if !self.matches(pattern, value, frame)? {
                        return Ok(false);
                    }
                }
                true
            }
            (PatternKind::Tuple(patterns), Value::Unit) => patterns.is_empty(),
            (PatternKind::Or(patterns), value) => {
                for pattern in patterns {
                    if self.matches(pattern, value, frame)? {
                        return Ok(true);
                    }
                }
                false
            }
            (PatternKind::Some(inner), Value::Option(Some(value))) => {
                self.matches(inner, value, frame)?
            }
            (PatternKind::Some(_), Value::Option(None))
            | (PatternKind::None, Value::Option(Some(_))) => false,
            (PatternKind::None, Value::Option(None)) => true,
            (PatternKind::Lit(Lit::Bool(x), _), Value::Bool(y)) => x == y,
            (PatternKind::Lit(Lit::Int(x, _), _), Value::Int(y, _)) => x == y,
            (PatternKind::Range(low, high, closed, _), Value::Int(n, _)) => {
                let (low, high) = (self.bound(*low)?, self.bound(*high)?);
                low.is_none_or(|low| low <= *n)
                    && high.is_none_or(|high| *n < high || (*closed && *n == high))
            }
            (_, Value::Poison) => return Err(super::Flow::Stop),
            (
                PatternKind::Lit(..) | PatternKind::Range(..) | PatternKind::Constant(..),
                Value::Exp(_),
            ) => {
                return self.fail(pattern.site, catalogue::device_match());
            }
            (PatternKind::Constant(index, _), value) => {
                match compare(&self.constant(*index)?, value) {
                    Some(order) => order.is_eq(),
                    None => {
                        return self.wrong_kind(
                            "a value of the constant's type",
                            value,
                            pattern.site,
                        );
                    }
                }
            }
            (kind, value) => {
                return self.wrong_kind(wanted(kind), value, pattern.site);
            }
        })
    }

    /// The value of an end of a range.
    fn bound(self: &std::rc::Rc<Self>, bound: Option<Bound>) -> Eval<Option<i128>> {
        Ok(match bound {
            None => None,
            Some(Bound::Int(n)) => Some(n),
            Some(Bound::Constant(index)) => match self.constant(index)? {
                Value::Int(n, _) => Some(n),
                _ => return Err(super::Flow::Stop),
            },
        })
    }
}

fn wanted(kind: &PatternKind) -> &'static str {
    match kind {
        PatternKind::Tuple(_) => "a tuple of this length",
        PatternKind::Some(_) | PatternKind::None => "an Option",
        PatternKind::Lit(Lit::Bool(_), _) => "a boolean",
        _ => "an integer of the host",
    }
}
