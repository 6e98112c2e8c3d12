//! The job of an exploration: what goes in, and what has to come out.

mod answer;
mod input;
mod typed;

pub use answer::Answer;
pub use input::{Input, InputPart, StandingIn};
pub use typed::{Gives, Takes, TakesPart};

use std::fmt;
use std::sync::{Arc, OnceLock};

use obsidian_language::scalar::{Literal, ScalarType};

use super::hash::Hash;
use super::tolerance::Tolerance;
use crate::backend::{Elements as _, HostArray, Memory};
use crate::element::by_type;

/// The job of every candidate of an exploration: the input, and the answer that a reference in plain Rust gives.
///
/// The input is a `Vec` of elements, a number, or a tuple of these; a candidate is given a buffer for each `Vec`, and the numbers. The answer
/// is a `Vec`, or a tuple of some. Both are made when the exploration begins, and the reference is called once.
///
/// ```
/// use obsidian_rt::explore::{Job, Tolerance};
///
/// let (a, x): (f32, Vec<f32>) = (2.0, (0..1000).map(|i| i as f32).collect());
/// let scaled = Job::new((a, x), |(a, x)| x.iter().map(|x| a * x).collect::<Vec<f32>>()).tolerance(Tolerance::ulps(1));
/// # let _ = scaled;
/// ```
pub struct Job<I, A> {
    input: I,
    reference: Box<dyn Fn(&I) -> A + Send + Sync>,
    tolerance: Tolerance,
}

impl<I: Input, A: Answer> Job<I, A> {
    /// The job with this input, whose answer the reference gives. Answers are compared bit for bit.
    ///
    /// ```
    /// use obsidian_rt::explore::{Job, Tolerance};
    ///
    /// let halves = Job::new(vec![1.0f32, 2.0], |x| x.iter().map(|x| x / 2.0).collect::<Vec<f32>>());
    /// let _halves = halves.tolerance(Tolerance::ulps(1));
    /// ```
    pub fn new(input: I, reference: impl Fn(&I) -> A + Send + Sync + 'static) -> Self {
        Job {
            input,
            reference: Box::new(reference),
            tolerance: Tolerance::exact(),
        }
    }

    /// The same with another tolerance: for floats whose sums are in another order than the reference's.
    ///
    /// ```
    /// use obsidian_rt::explore::{Job, Tolerance};
    ///
    /// let roots = Job::new(vec![1.0f32, 2.0], |x| x.iter().map(|x| x.sqrt()).collect::<Vec<f32>>());
    /// let _roots = roots.tolerance(Tolerance::relative(1e-6)); // not bit for bit
    /// ```
    #[must_use]
    pub fn tolerance(self, tolerance: Tolerance) -> Self {
        Job { tolerance, ..self }
    }

    /// Makes the answer, and everything that does not depend on a candidate.
    pub(super) fn prepare(self) -> Prepared<I> {
        let answer = (self.reference)(&self.input).arrays();
        let mut hash = Hash::new("job");
        for word in self.tolerance.bits() {
            hash.word(word);
        }
        let shape = self.input.shape();
        let given = self.input.arrays();
        for array in given.iter().chain(&answer) {
            hash.array(array);
        }
        hash.words(&shape.scalars);
        Prepared {
            shape: Arc::new(shape.input),
            data: Arc::new(JobData {
                poison: OnceLock::new(),
                id: hash.end(),
                given: given.into_iter().map(Memory::host).collect(),
                answer,
                tolerance: self.tolerance,
            }),
        }
    }
}

impl<I, A> fmt::Debug for Job<I, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("tolerance", &self.tolerance)
            .finish_non_exhaustive()
    }
}

/// A job that is ready.
pub(super) struct Prepared<I: Input> {
    /// How the input looks.
    pub(super) shape: Arc<I::Shape>,
    pub(super) data: Arc<JobData>,
}

/// What a job has, whatever its types.
pub(super) struct JobData {
    /// A hash of input, answer and tolerance.
    pub(super) id: u64,
    /// The arrays of the input, in order, in the memory of the host.
    pub(super) given: Vec<Memory>,
    /// The arrays of the answer, in order.
    pub(super) answer: Vec<HostArray>,
    /// As long as these; each element is a wrong one. Made when it is first needed.
    poison: OnceLock<Vec<HostArray>>,
    pub(super) tolerance: Tolerance,
}

/// An element of the answer that is wrong.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Wrong {
    /// Which array of the answer.
    array: usize,
    element: usize,
    found: Literal,
    expected: Literal,
    /// How many are wrong, of those that were looked at.
    count: usize,
    of: usize,
}

/// `element 5 is 3 instead of 4; 1 of 16 elements are wrong`.
impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wrong {
            array,
            element,
            found,
            expected,
            count,
            of,
        } = self;
        let which = if *array > 0 {
            format!(" of array {array} of the answer")
        } else {
            String::new()
        };
        write!(
            f,
            "gives a wrong answer: element {element}{which} is {} instead of {}; {count} of {of} elements that were compared are wrong",
            found.plain(),
            expected.plain()
        )
    }
}

impl Wrong {
    /// The same with the wrong elements of other blocks.
    pub(super) fn and(self, other: &Wrong) -> Wrong {
        let count = self.count + other.count;
        Wrong { count, ..self }
    }

    /// The same, with the number of elements that were compared.
    pub(super) fn of(self, of: usize) -> Wrong {
        Wrong { of, ..self }
    }
}

impl JobData {
    /// An array as long as one of the answer, of which each element is wrong.
    pub(super) fn poison(&self, number: usize) -> &HostArray {
        let all = || {
            self.answer
                .iter()
                .map(|array| poison(array, self.tolerance))
                .collect()
        };
        &self.poison.get_or_init(all)[number]
    }

    /// The first wrong element of a whole array of the answer.
    pub(super) fn compare(&self, array: usize, found: &HostArray) -> Option<Wrong> {
        let (expected, length) = (&self.answer[array], self.answer[array].len());
        // Equal bytes are the common case, and fast to compare.
        if found.bytes() == expected.bytes() {
            return None;
        }
        self.first_wrong(array, (0..length).map(|n| (n, found.bits_of(n))))
    }

    /// The first wrong one of some elements, given with their bits.
    pub(super) fn first_wrong(
        &self,
        array: usize,
        found: impl Iterator<Item = (usize, u64)>,
    ) -> Option<Wrong> {
        let (expected, mut first, mut of) = (&self.answer[array], None::<Wrong>, 0);
        let ty = expected.ty();
        for (element, bits) in found {
            of += 1;
            let reference = expected.bits_of(element);
            if self.tolerance.accepts_bits(ty, bits, reference) {
                continue;
            }
            let wrong = first.get_or_insert_with(|| Wrong {
                array,
                element,
                found: Literal::from_bits(ty, bits),
                expected: Literal::from_bits(ty, reference),
                count: 0,
                of: 0,
            });
            wrong.count += 1;
        }
        first.map(|wrong| Wrong { of, ..wrong })
    }

    /// The elements of input and answer.
    pub(super) fn elements(&self) -> usize {
        let given: usize = self.given.iter().map(Memory::len).sum();
        given + self.answer.iter().map(HostArray::len).sum::<usize>()
    }
}

/// An array of which each element is wrong: what a candidate does not write stays wrong.
fn poison(answer: &HostArray, tolerance: Tolerance) -> HostArray {
    let ty = answer.ty();
    // A bound may be so wide that any number meets it, but no NaN does.
    let loose = tolerance != Tolerance::exact();
    by_type!(ty, T => {
        let wrong = |right: &T| {
            let literal = obsidian_language::scalar::Scalar::literal(*right);
            let bits = match Literal::float(ty, f64::NAN).filter(|_| loose) {
                Some(_) if literal.is_nan() => 0,
                Some(nan) => nan.bits(),
                None => !literal.bits(),
            };
            <T as obsidian_language::scalar::Scalar>::from_literal(Literal::from_bits(ty, bits))
        };
        HostArray::of(answer.elements::<T>().unwrap_or_default().iter().map(wrong).collect())
    })
}

/// What an element that was never written looks like, where no answer says better.
pub(super) fn unwritten(ty: ScalarType) -> Literal {
    by_type!(ty, T => obsidian_language::scalar::Scalar::literal(<T as crate::element::Element>::POISON))
}
