//! Lengths as formulas over the lengths of the parameters, evaluated at launch.

use std::borrow::Cow;

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

/// A length that is worked out at launch, in postfix order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    /// The steps; they leave one number.
    pub steps: Cow<'static, [Step]>,
}

impl Formula {
    /// A formula whose steps are known at compile time; generated code uses it.
    pub const fn of(steps: &'static [Step]) -> Self {
        Formula {
            steps: Cow::Borrowed(steps),
        }
    }

    /// The value for given lengths and scalar arguments, by parameter; `None` if it leaves 64 bits
    /// or a number is missing.
    pub fn evaluate(&self, lengths: &[Option<u64>], arguments: &[Option<u64>]) -> Option<u64> {
        let mut stack: Vec<u64> = Vec::new();
        for step in self.steps.iter() {
            let value = match *step {
                Step::Length(n) => (*lengths.get(n)?)?,
                Step::Argument(n) => (*arguments.get(n)?)?,
                Step::Literal(n) => n,
                _ => {
                    let (y, x) = (stack.pop()?, stack.pop()?);
                    match step {
                        Step::Add => x.checked_add(y)?,
                        Step::Sub => x.checked_sub(y)?,
                        Step::Mul => x.checked_mul(y)?,
                        Step::Div => x.checked_div(y).unwrap_or(0),
                        Step::Rem => x.checked_rem(y).unwrap_or(x),
                        Step::Min => x.min(y),
                        _ => x.max(y),
                    }
                }
            };
            stack.push(value);
        }
        stack.pop().filter(|_| stack.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_worked_out_in_64_bits() {
        let f = Formula::of(&[
            Step::Length(0),
            Step::Literal(512),
            Step::Div,
            Step::Literal(3),
            Step::Mul,
        ]);
        assert_eq!(f.evaluate(&[Some(1 << 40)], &[]), Some((1 << 31) * 3));
    }

    #[test]
    fn a_formula_that_overflows_has_no_value() {
        let f = Formula::of(&[Step::Length(0), Step::Literal(u64::MAX), Step::Mul]);
        assert_eq!(f.evaluate(&[Some(2)], &[]), None);
        assert_eq!(
            Formula::of(&[Step::Length(1)]).evaluate(&[Some(2)], &[]),
            None
        );
    }
}
