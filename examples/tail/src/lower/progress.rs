//! How far a program has run, where the host decides in its middle.
//!
//! A program is a chain of bindings. Where the host needs a value that bindings compute (`format` does, and a length that data decide), it is
//! lowered up to there, and run: with what has been printed since, the value, and the variables that the rest mentions. The rest is then
//! lowered with these variables as inputs, from the binding in which the value was needed.

use crate::mistake::Mistake;
use crate::syntax::{Base, Span};
use crate::value::Array as HostArray;

use super::array::Array;
use super::value::Value;

/// How far a program has run.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The file, as messages name it.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Where the random numbers of `roll` begin.
    pub seed: u64,
    /// The most bytes that an array may take.
    pub memory: u64,
    /// The number of the binding that is lowered next.
    pub binding: usize,
    /// The values of the bindings in front of it.
    pub saved: Vec<Saved>,
    /// The types and extents of the inputs, which are arrays of a device.
    pub inputs: Vec<Input>,
    /// The values that the host has asked for in the next binding, in order.
    pub answers: Vec<HostArray>,
    /// How much of what the next binding prints is printed already.
    pub printed: usize,
}

/// An array of a device, of which the host knows the extents.
#[derive(Clone, Debug)]
pub struct Input {
    /// The base type of its elements.
    pub base: Base,
    /// Its extents.
    pub extents: Vec<u32>,
}

/// What is kept of the value of a variable.
#[derive(Clone, Debug)]
pub enum Saved {
    /// A constant.
    Host(HostArray),
    /// The input with a number; while a program is lowered, the result with a number.
    Device(usize, Base),
    /// The parts of a tuple.
    Tuple(Vec<Saved>),
    /// Nothing: it is a function, which is lowered again, or nothing mentions it.
    Nothing,
}

/// Where a program gets the contents of files and the time.
pub trait Reader {
    /// The content of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read(&self, name: &str) -> Result<String, String>;

    /// Milliseconds since the program began.
    fn now(&self) -> i32;
}

/// Something that a program prints.
pub enum Output {
    /// A constant.
    Host(HostArray),
    /// An array of the program.
    Device(Array),
}

impl Output {
    /// An array that is printed.
    pub fn of(array: &Array) -> Self {
        match array.to_host() {
            Some(host) => Output::Host(host),
            None => Output::Device(array.clone()),
        }
    }
}

impl Progress {
    /// The place of a span, as `file:line:column`.
    pub fn place(&self, span: Span) -> String {
        let (line, column) = Mistake::new(span, "").place(&self.text);
        format!("{}:{line}:{column}", self.file)
    }

    /// The value with a number of those that the host asks for in the next binding.
    pub fn answer(&self, number: usize) -> Option<HostArray> {
        self.answers.get(number).cloned()
    }
}

/// Keeps a value: the arrays of it that a run has to give are added to `results`.
pub fn save(value: &Value, results: &mut Vec<Array>) -> Saved {
    match value {
        Value::Array(array) => match array.to_host() {
            Some(host) => Saved::Host(host),
            None => {
                results.push(array.clone());
                Saved::Device(results.len() - 1, array.base)
            }
        },
        Value::Tuple(parts) => Saved::Tuple(parts.iter().map(|part| save(part, results)).collect()),
        Value::Function(_) => Saved::Nothing,
    }
}

/// A value that was kept, with the inputs of the program; `None` if it has to be lowered again.
pub fn restore(saved: &Saved, inputs: &[Array]) -> Option<Value> {
    match saved {
        Saved::Host(host) => Some(Array::of_host(host).into()),
        Saved::Device(number, _) => inputs.get(*number).cloned().map(Value::Array),
        Saved::Tuple(parts) => {
            let parts = parts.iter().map(|part| restore(part, inputs));
            parts.collect::<Option<_>>().map(Value::Tuple)
        }
        Saved::Nothing => None,
    }
}
