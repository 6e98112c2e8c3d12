//! The rows of the table, by program.

pub mod elements;
pub mod linear;
pub mod pictures;
pub mod sorts;

use std::time::{Duration, Instant};

use obsidian_rt::Device;
use obsidian_rt::Result;
use obsidian_rt::arrays::Schedule;

/// The head of the table.
pub fn head() {
    println!(
        "program              elements  operators  launches  temporaries    run ms  plain ms  error"
    );
}

/// By how much the inputs are smaller: the simulator goes through every thread.
pub fn scale(device: &Device) -> usize {
    if device.name() == "simulator" { 64 } else { 1 }
}

/// What a function gives, and how long it takes.
pub fn timed<R>(f: impl FnOnce() -> Result<R>) -> Result<(Duration, R)> {
    let start = Instant::now();
    let result = f()?;
    Ok((start.elapsed(), result))
}

/// The largest of some errors.
pub fn largest(errors: impl Iterator<Item = f64>) -> f64 {
    errors.fold(0.0, f64::max)
}

/// What is printed of a program.
pub struct Row<'a> {
    /// How many elements there are.
    pub elements: usize,
    /// The numbers of its parameters that extents are made of.
    pub numbers: &'a [u64],
    /// To run it and to copy the result, and of plain Rust.
    pub times: [Duration; 2],
    /// The largest difference from plain Rust, or how many elements differ.
    pub error: f64,
}

impl Row<'_> {
    /// Prints the row, and ends the program if the error is too large.
    pub fn print(&self, schedule: &Schedule) {
        let numbers: Vec<Option<u64>> = self.numbers.iter().copied().map(Some).collect();
        let bytes = schedule.temporary_bytes(&numbers).unwrap_or(0);
        let [run, plain] = self.times.map(|time| time.as_secs_f64() * 1e3);
        println!(
            "{:19} {:9}  {:9}  {:8}  {bytes:11}  {run:8.2}  {plain:8.2}  {:.1e}",
            schedule.name,
            self.elements,
            schedule.operators(),
            schedule.launches(),
            self.error
        );
        assert!(
            self.error < 0.05,
            "{}: an error of {}",
            schedule.name,
            self.error
        );
    }
}
