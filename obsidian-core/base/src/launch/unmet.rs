//! Holds a launch to what its kernel asks: lengths that can be computed, and what must hold of them.
//!
//! [`Interface::compute`] evaluates a formula, and [`Interface::require`] a requirement. What does
//! not hold is an [`Unmet`]: the words of the message, and the numbers that an error gives.

use super::constraint::Constraint;
use super::formula::{Formula, NoValue, Step};
use super::interface::Interface;
use super::requirement::RequirementInfo;

/// How a launch does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnmetKind {
    /// The length cannot be computed: a step of it leaves 32 bits, or a number is not known.
    NoValue,
    /// The length itself is above `u32::MAX`.
    TooLong,
    /// The length is known, and something else is required.
    Constraint,
}

/// Why a launch is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmet {
    /// What is wrong.
    pub kind: UnmetKind,
    /// The message.
    pub message: String,
    /// The number that does not fit, and what it was held against.
    ///
    /// For [`Constraint::Reaches`] these are the elements that the kernel needs and those that
    /// there are; for the others the length and its bound, its divisor, or the length that it must
    /// be. Of a step below 0 these are what is subtracted and what from.
    pub numbers: Option<(u64, u64)>,
}

/// The numbers of a launch, by parameter.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<'n> {
    /// The numbers of elements, as far as they are known.
    pub lengths: &'n [Option<u64>],
    /// The values of arguments.
    pub arguments: &'n [Option<u64>],
}

impl Interface {
    /// The value of a formula; `what` is it in words, such as "the number of blocks".
    ///
    /// # Errors
    ///
    /// If a step of it leaves 32 bits, which the message names.
    pub fn compute(
        &self,
        formula: &Formula,
        what: &str,
        numbers: Numbers<'_>,
    ) -> Result<u32, Unmet> {
        let found = formula.evaluate(numbers.lengths, numbers.arguments);
        found.map_err(|wrong| self.no_value(formula, what, wrong))
    }

    fn no_value(&self, formula: &Formula, what: &str, wrong: NoValue) -> Unmet {
        let whole = self.named(what, formula);
        let last = formula.steps.len().checked_sub(1);
        let message = match wrong.step() {
            Some(step) if Some(step) != last => {
                let step = self.text(&formula.part(step));
                format!("{whole} cannot be computed: `{step}` {wrong}")
            }
            Some(_) => format!("{whole} {wrong}"),
            None => format!("{whole} cannot be computed: a number in it {wrong}"),
        };
        let (kind, numbers) = match wrong {
            NoValue::Unknown => (UnmetKind::NoValue, None),
            NoValue::Below { x, y, .. } => (UnmetKind::NoValue, Some((y, x))),
            NoValue::Above { step, value } if Some(step) == last => {
                (UnmetKind::TooLong, Some((value, u32::MAX.into())))
            }
            NoValue::Above { value, .. } => (UnmetKind::NoValue, Some((value, u32::MAX.into()))),
        };
        Unmet {
            kind,
            message,
            numbers,
        }
    }

    /// Holds a requirement to the numbers of a launch.
    ///
    /// # Errors
    ///
    /// If it does not hold, or a length in it cannot be computed.
    pub fn require(&self, required: &RequirementInfo, numbers: Numbers<'_>) -> Result<(), Unmet> {
        let compute = |formula: &Formula| self.compute(formula, "the length", numbers);
        let length = compute(&required.length)?;
        let constraint = required.constraint.try_map(compute)?;
        let (holds, numbers) = match constraint {
            Constraint::Fits => return Ok(()),
            Constraint::Reaches(n) => (length >= n, (n, length)),
            Constraint::AtLeast(n) => (length >= n, (length, n)),
            Constraint::MultipleOf(n) | Constraint::DividedBy(n) => {
                (length.checked_rem(n).unwrap_or(length) == 0, (length, n))
            }
            Constraint::Equal(n) => (length == n, (length, n)),
        };
        if holds {
            return Ok(());
        }
        Err(Unmet {
            kind: UnmetKind::Constraint,
            message: self.broken(required, length, constraint),
            numbers: Some((numbers.0.into(), numbers.1.into())),
        })
    }

    /// The message for a length that breaks a requirement.
    fn broken(&self, required: &RequirementInfo, length: u32, found: Constraint<u32>) -> String {
        let subject = self.named("the length", &required.length);
        match (&required.constraint, found) {
            (_, Constraint::AtLeast(n)) => {
                format!("{subject} is {length}, and must be at least {n}")
            }
            (_, Constraint::Reaches(n)) => {
                let last = n.saturating_sub(1);
                let has = match required.length.steps.as_ref() {
                    [Step::Length(_)] => {
                        format!("`{}` has {}", self.text(&required.length), elements(length))
                    }
                    _ => format!("{subject} is {length}"),
                };
                format!("{has}, and the kernel accesses element {last}")
            }
            (_, Constraint::MultipleOf(n)) => {
                let instead = match required.length.steps.as_ref() {
                    [Step::Length(_)] => format!("use `chunks({n})` for a short last chunk"),
                    _ => "`cover` takes arrays of any height and width".to_owned(),
                };
                format!("{subject} is {length}, not a multiple of {n}; {instead}")
            }
            (Constraint::DividedBy(divisor), Constraint::DividedBy(n)) => format!(
                "{subject} is {length}, not a multiple of {}",
                self.with_value(divisor, n)
            ),
            (Constraint::Equal(other), Constraint::Equal(n)) => {
                format!(
                    "{subject} is {length}, and must be {}",
                    self.with_value(other, n)
                )
            }
            _ => format!("{subject} is {length}, which does not fit the kernel"),
        }
    }

    /// "`width`, which is 7", or a number alone.
    fn with_value(&self, formula: &Formula, value: u32) -> String {
        match formula.steps.as_ref() {
            [Step::Literal(_)] => value.to_string(),
            [Step::Length(_)] => {
                format!("the length of `{}`, which is {value}", self.text(formula))
            }
            _ => format!("`{}`, which is {value}", self.text(formula)),
        }
    }

    /// A formula in words: "the length of `x`", "the number of blocks `x / 64`".
    fn named(&self, what: &str, formula: &Formula) -> String {
        match formula.steps.as_ref() {
            [Step::Length(_)] if what == "the length" => {
                format!("the length of `{}`", self.text(formula))
            }
            _ => format!("{what} `{}`", self.text(formula)),
        }
    }
}

fn elements(n: u32) -> String {
    if n == 1 {
        "1 element".to_owned()
    } else {
        format!("{n} elements")
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[test]
    fn a_length_beyond_32_bits_is_too_long_and_a_step_beyond_them_has_no_value() {
        let interface = Interface {
            name: "k".into(),
            threads: 32,
            shared_bytes: 0,
            barriers: 0,
            warp_waits: 0,
            orders: Vec::new().into(),
            parameters: Cow::Borrowed(&[]),
            blocks: Cow::Borrowed(&[]),
            resident: false,
            faults: false,
            requirements: Cow::Borrowed(&[]),
        };
        let of = |steps: &'static [Step], n: u64| {
            let numbers = Numbers {
                lengths: &[Some(n)],
                arguments: &[],
            };
            let found = interface.compute(&Formula::of(steps), "the length", numbers);
            found.map_err(|unmet| (unmet.kind, unmet.numbers))
        };
        const TOP: u64 = u32::MAX as u64;
        const TWICE: &[Step] = &[Step::Length(0), Step::Literal(2), Step::Mul];
        const HALF: &[Step] = &[
            Step::Length(0),
            Step::Literal(2),
            Step::Mul,
            Step::Literal(4),
            Step::Div,
        ];
        let above = Some((TOP + 1, TOP));
        assert_eq!(of(TWICE, TOP / 2), Ok(u32::MAX - 1));
        assert_eq!(of(TWICE, TOP / 2 + 1), Err((UnmetKind::TooLong, above)));
        assert_eq!(of(HALF, TOP / 2 + 1), Err((UnmetKind::NoValue, above)));
        let leaf = of(&[Step::Length(0)], TOP + 1);
        assert_eq!(leaf, Err((UnmetKind::TooLong, above)));
    }
}
