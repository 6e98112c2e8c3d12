//! What an exploration gives: every candidate that was tried, with its cost or with the reason why
//! it has none.

use std::fmt;

use obsidian_core::simulate::Counts;

use super::gpu::Gpu;
use super::occupancy::most_registers;
use crate::error::{Error, ErrorKind, Result};

/// One value of a parameter. Numbers come before words, each in their own order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A number: threads, elements, a depth.
    Number(u64),
    /// A choice: the name of a kernel, say.
    Word(String),
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Value::Number(number.into())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Number(number)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Value::Word(word.to_owned())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Word(word) => word.fmt(f),
        }
    }
}

/// The values of a candidate, by parameter, in the order of the space. As text: `threads=64
/// kernel=red4`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    /// Each parameter with its value.
    pub values: Vec<(String, Value)>,
}

impl Point {
    /// The value of a parameter.
    pub fn get(&self, parameter: &str) -> Option<&Value> {
        self.values
            .iter()
            .find(|(name, _)| name == parameter)
            .map(|(_, value)| value)
    }

    /// The value of a parameter that has to be there.
    ///
    /// # Errors
    /// [`ErrorKind::Space`] if the space has no such parameter.
    pub fn value(&self, parameter: &str) -> Result<&Value> {
        self.get(parameter).ok_or_else(|| self.unknown(parameter))
    }

    /// The number that a parameter is.
    ///
    /// # Errors
    /// [`ErrorKind::Space`] if the space has no such parameter, or if it is a word.
    pub fn u64(&self, parameter: &str) -> Result<u64> {
        match self.value(parameter)? {
            Value::Number(number) => Ok(*number),
            Value::Word(word) => Err(self.wrong(format!(
                "`{parameter}` is the word `{word}`, not a number; read it with `word`"
            ))),
        }
    }

    /// The number that a parameter is, as lengths and threads want it.
    ///
    /// # Errors
    /// As [`u64`](Point::u64), and for a number above `u32::MAX`.
    pub fn u32(&self, parameter: &str) -> Result<u32> {
        let number = self.u64(parameter)?;
        let too_large = |_| {
            self.wrong(format!(
                "`{parameter}` is too large for 32 bits; read it with `u64`"
            ))
        };
        u32::try_from(number)
            .map_err(too_large)
            .map_err(|error| error.exceeded(number, u32::MAX.into()))
    }

    /// The word that a parameter is.
    ///
    /// # Errors
    /// [`ErrorKind::Space`] if the space has no such parameter, or if it is a number.
    pub fn word(&self, parameter: &str) -> Result<&str> {
        match self.value(parameter)? {
            Value::Word(word) => Ok(word),
            Value::Number(number) => Err(self.wrong(format!(
                "`{parameter}` is the number {number}, not a word; read it with `u32`"
            ))),
        }
    }

    fn unknown(&self, parameter: &str) -> Error {
        let names: Vec<String> = self
            .values
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        self.wrong(format!(
            "the space has no parameter `{parameter}`; it has {}",
            names.join(", ")
        ))
    }

    fn wrong(&self, message: String) -> Error {
        Error::new(ErrorKind::Space, message)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, value)) in self.values.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}{name}={value}")?;
        }
        Ok(())
    }
}

/// What came of a candidate.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Its answer is right, and this is what it costs.
    Good {
        /// The objective in its unit: seconds, measured or predicted. Less is better.
        score: f64,
        /// Half the interquartile range of the measurements; 0 for a prediction.
        noise: f64,
        /// What the simulator counted, where it ran.
        counts: Option<Box<Counts>>,
        /// Named parts of the score, and other numbers about it.
        detail: Vec<(String, f64)>,
    },
    /// It could not be built: the reason (shared memory, threads, and so on).
    NotBuilt(String),
    /// A wrong answer, a panic, a fault or a time-out: the reason.
    Failed(String),
}

impl Outcome {
    /// The score of a good candidate.
    pub fn score(&self) -> Option<f64> {
        match self {
            Outcome::Good { score, .. } => Some(*score),
            Outcome::NotBuilt(_) | Outcome::Failed(_) => None,
        }
    }
}

/// A candidate that was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluated {
    /// Its parameters.
    pub point: Point,
    /// What came of it.
    pub outcome: Outcome,
    /// The CUDA text, of all its kernels one after the other; kept for the best, the second and the
    /// worst.
    pub cuda: Option<String>,
    /// What its first kernel needs; none if it was not built.
    pub needs: Option<Needs>,
}

/// What a kernel needs of a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// Real threads of a block.
    pub threads: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Registers of a thread, as a compiler has said, or as estimated where it holds more than 8 words in
    /// arrays; none where neither is known.
    pub registers: Option<u32>,
    /// Blocks of the whole launch.
    pub blocks: u64,
}

impl Needs {
    /// The same with no more registers than a thread of a block of this size can have on a GPU: a compiler knows the size, and
    /// puts the others into memory.
    pub fn on(self, gpu: &Gpu) -> Needs {
        let most = most_registers(gpu, self.threads);
        let registers = self.registers.map(|n| n.min(most));
        Needs { registers, ..self }
    }
}

/// Every candidate that was tried to the end, in the order in which the search asked for them.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// What was minimised, with its unit and where: `predicted seconds on GTX 680`.
    pub objective: String,
    /// The names of the parameters, in the order of the space.
    pub parameters: Vec<String>,
    /// The candidates.
    pub evaluated: Vec<Evaluated>,
}

impl Results {
    /// The good candidates from the best to the worst; equal ones in the order of the search.
    pub fn ranked(&self) -> Vec<&Evaluated> {
        let mut good: Vec<(f64, &Evaluated)> = self
            .evaluated
            .iter()
            .filter_map(|e| e.outcome.score().map(|score| (score, e)))
            .collect();
        good.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        good.into_iter().map(|(_, evaluated)| evaluated).collect()
    }

    /// The best candidate; none if no candidate is good.
    pub fn best(&self) -> Option<&Evaluated> {
        self.ranked().first().copied()
    }
}
