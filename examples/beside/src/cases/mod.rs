//! The cases. A function prepares the input of a few of them, and has their programs run and their results checked.

mod flat;
mod grids;
mod points;
mod products;
mod rows;
mod sorts;
mod steps;

use crate::bench::{Bench, Checked};

/// A few cases and their name.
type Group = (&'static str, fn(&Bench) -> Checked<()>);

const GROUPS: [Group; 14] = [
    ("flat", flat::flat),
    ("sums", flat::sums),
    ("sorts", sorts::sorts),
    ("histogram", sorts::histogram),
    ("selections", sorts::selections),
    ("softmax", rows::softmax),
    ("layernorm", rows::norms),
    ("row sums", rows::sums),
    ("grids", grids::grids),
    ("volumes", grids::volumes),
    ("points", points::points),
    ("products", products::products),
    ("lookups", products::lookups),
    ("steps", steps::steps),
];

/// Runs all cases. What fails is reported as a line, and the others go on.
pub fn run(bench: &Bench) {
    for (name, group) in GROUPS {
        if let Err(error) = group(bench) {
            bench.failed(name, error.as_ref());
        }
    }
}
