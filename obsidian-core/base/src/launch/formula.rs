//! Lengths as formulas over the lengths of the parameters, evaluated at launch.
//!
//! A kernel computes in `u32`, and so does the launch: a formula any step of which is below 0 or
//! above `u32::MAX` has no value, and the launch is refused. So what a kernel computes of the same
//! formula never wraps, and is the number that the launch found.

use std::borrow::Cow;
use std::fmt;

/// One step of a [`Formula`]: operands are taken from a stack, the result goes there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The number of elements of the n-th parameter.
    Length(usize),
    /// The value of the n-th parameter, a `u32` scalar.
    Argument(usize),
    /// A number.
    Literal(u64),
    /// The sum of two.
    Add,
    /// The difference of two; an error below 0.
    Sub,
    /// The product of two.
    Mul,
    /// The quotient of two, rounded down; `x / 0` is 0.
    Div,
    /// The remainder of two; `x % 0` is `x`.
    Rem,
    /// The smaller one of two.
    Min,
    /// The larger one of two.
    Max,
}

impl Step {
    /// The number of operands that it takes from the stack.
    const fn operands(self) -> usize {
        match self {
            Step::Length(_) | Step::Argument(_) | Step::Literal(_) => 0,
            _ => 2,
        }
    }
}

/// A length that is worked out at launch, in postfix order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// The steps; they leave one number.
    pub steps: Cow<'static, [Step]>,
}

/// Why a formula has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoValue {
    /// A length or an argument is not known, or the steps do not leave one number.
    Unknown,
    /// A step is below 0: the `step`-th computes `x - y` with `y` above `x`.
    Below {
        /// The number of the step.
        step: usize,
        /// What is subtracted from.
        x: u64,
        /// What is subtracted.
        y: u64,
    },
    /// A step is above `u32::MAX`.
    Above {
        /// The number of the step.
        step: usize,
        /// What it gives.
        value: u64,
    },
}

impl NoValue {
    /// The step that leaves 32 bits, if one does.
    pub const fn step(self) -> Option<usize> {
        match self {
            NoValue::Unknown => None,
            NoValue::Below { step, .. } | NoValue::Above { step, .. } => Some(step),
        }
    }
}

/// The fact, without the step's text: "is 4294967300, which is above 4294967295".
impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoValue::Unknown => f.write_str("is not known"),
            NoValue::Below { x, y, .. } => write!(f, "is -{}, which is below 0", y - x),
            NoValue::Above { value, .. } => {
                write!(f, "is {value}, which is above {}", u32::MAX)
            }
        }
    }
}

impl Formula {
    /// A formula whose steps are known at compile time; generated code uses it.
    pub const fn of(steps: &'static [Step]) -> Self {
        Formula {
            steps: Cow::Borrowed(steps),
        }
    }

    /// The value for given lengths and scalar arguments, by parameter.
    ///
    /// # Errors
    ///
    /// If a step is below 0 or above `u32::MAX`, where the kernel would wrap, or a number is
    /// missing.
    pub fn evaluate(
        &self,
        lengths: &[Option<u64>],
        arguments: &[Option<u64>],
    ) -> Result<u32, NoValue> {
        let mut stack: Vec<u64> = Vec::new();
        for (n, step) in self.steps.iter().enumerate() {
            let known = |numbers: &[Option<u64>], n: usize| {
                numbers.get(n).copied().flatten().ok_or(NoValue::Unknown)
            };
            let value = match *step {
                Step::Length(n) => known(lengths, n)?,
                Step::Argument(n) => known(arguments, n)?,
                Step::Literal(n) => n,
                _ => {
                    let (Some(y), Some(x)) = (stack.pop(), stack.pop()) else {
                        return Err(NoValue::Unknown);
                    };
                    // Both fit a `u32`, so that no sum or product leaves 64 bits.
                    match step {
                        Step::Add => x + y,
                        Step::Sub if x < y => return Err(NoValue::Below { step: n, x, y }),
                        Step::Sub => x - y,
                        Step::Mul => x * y,
                        Step::Div => x.checked_div(y).unwrap_or(0),
                        Step::Rem => x.checked_rem(y).unwrap_or(x),
                        Step::Min => x.min(y),
                        _ => x.max(y),
                    }
                }
            };
            if value > u32::MAX.into() {
                return Err(NoValue::Above { step: n, value });
            }
            stack.push(value);
        }
        match stack.as_slice() {
            [value] => u32::try_from(*value).map_err(|_| NoValue::Unknown),
            _ => Err(NoValue::Unknown),
        }
    }

    /// The part that a step computes, itself and its operands.
    #[must_use]
    pub fn part(&self, step: usize) -> Formula {
        let (mut first, mut open) = (step + 1, 1);
        while open > 0 && first > 0 {
            first -= 1;
            open = open - 1 + self.steps.get(first).map_or(0, |step| step.operands());
        }
        let steps = self.steps.get(first..=step).unwrap_or_default();
        Formula {
            steps: Cow::Owned(steps.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: u64 = u32::MAX as u64;

    #[test]
    fn a_formula_is_worked_out_in_32_bits() {
        let f = Formula::of(&[
            Step::Length(0),
            Step::Literal(512),
            Step::Div,
            Step::Literal(3),
            Step::Mul,
        ]);
        assert_eq!(f.evaluate(&[Some(TOP)], &[]), Ok(8_388_607 * 3));
    }

    #[test]
    fn every_step_has_a_last_value_that_fits() {
        let of = |steps: &'static [Step], x: u64, y: u64| {
            Formula::of(steps).evaluate(&[Some(x)], &[Some(y)])
        };
        const ADD: &[Step] = &[Step::Length(0), Step::Argument(0), Step::Add];
        const SUB: &[Step] = &[Step::Length(0), Step::Argument(0), Step::Sub];
        const MUL: &[Step] = &[Step::Length(0), Step::Argument(0), Step::Mul];
        let above = |value| Err(NoValue::Above { step: 2, value });
        assert_eq!(of(ADD, TOP - 255, 255), Ok(u32::MAX));
        assert_eq!(of(ADD, TOP - 254, 255), above(TOP + 1));
        assert_eq!(of(SUB, 5, 5), Ok(0));
        let below = NoValue::Below {
            step: 2,
            x: 5,
            y: 6,
        };
        assert_eq!(of(SUB, 5, 6), Err(below));
        assert_eq!(of(MUL, TOP / 3, 3), Ok(u32::MAX));
        assert_eq!(of(MUL, TOP / 3 + 1, 3), above(TOP + 3));
        assert_eq!(of(MUL, TOP, TOP), above(TOP * TOP));
        let leaf = Formula::of(&[Step::Length(0)]);
        assert_eq!(leaf.evaluate(&[Some(TOP)], &[]), Ok(u32::MAX));
        let above = Err(NoValue::Above {
            step: 0,
            value: TOP + 1,
        });
        assert_eq!(leaf.evaluate(&[Some(TOP + 1)], &[]), above);
    }

    #[test]
    fn a_step_that_wraps_is_found_where_the_result_fits() {
        let f = Formula::of(&[
            Step::Length(0),
            Step::Literal(255),
            Step::Add,
            Step::Literal(256),
            Step::Div,
        ]);
        let wrong = f.evaluate(&[Some(TOP)], &[]).unwrap_err();
        assert_eq!(wrong.step(), Some(2));
        assert_eq!(f.part(2).steps.as_ref(), &f.steps[..3]);
        assert_eq!(f.part(3).steps.as_ref(), &f.steps[3..4]);
        assert_eq!(f.part(4), f);
        assert_eq!(
            wrong.to_string(),
            "is 4294967550, which is above 4294967295"
        );
    }

    #[test]
    fn what_is_not_known_has_no_value() {
        let of = |steps: &'static [Step]| Formula::of(steps).evaluate(&[Some(2)], &[]);
        assert_eq!(of(&[Step::Length(1)]), Err(NoValue::Unknown));
        assert_eq!(of(&[Step::Argument(0)]), Err(NoValue::Unknown));
        assert_eq!(of(&[Step::Add]), Err(NoValue::Unknown));
        assert_eq!(of(&[]), Err(NoValue::Unknown));
        assert_eq!(
            of(&[Step::Length(0), Step::Length(0)]),
            Err(NoValue::Unknown)
        );
    }
}
