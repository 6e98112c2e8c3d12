//! What people look at: the results of an exploration as a table, CSV, JSON, SVG, and one page of
//! HTML.
//!
//! | function | what it gives |
//! |---|---|
//! | [`table`] | the best candidates as lines of a terminal of some width, and why others have no score |
//! | [`csv`] | a line for each candidate, for other programs |
//! | [`json`] | everything that is known of each candidate |
//! | [`heat_map`] | the best score for each pair of values of two parameters, as SVG |
//! | [`curves`] | the best score over one parameter, a line for each value of another, as SVG |
//! | [`page`] | all of this on one page that needs no other file: also why the best is best, and its CUDA |
//!
//! Where only the best are [measured](super::Explore::measured), pictures show predicted seconds.
//!
//! All of them are functions from [`Results`] to text, and give the same bytes for the same
//! results.

mod csv;
mod html;
mod json;
#[cfg(test)]
mod samples;
mod svg;
mod table;

pub use csv::csv;
pub use html::{Page, page};
pub use json::json;
pub use svg::{curves, heat_map};
pub use table::table;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::result::{Compilation, Evaluated, Measurement, Outcome, Point, Results, Value};

/// A unit of time that makes numbers readable.
#[derive(Clone, Copy)]
struct Unit {
    name: &'static str,
    /// In seconds.
    size: f64,
}

impl Unit {
    /// The largest unit that is not above a time.
    fn of(seconds: f64) -> Unit {
        let units = [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)]
            .map(|(name, size)| Unit { name, size });
        units
            .into_iter()
            .find(|unit| seconds >= unit.size)
            .unwrap_or(units[3])
    }

    /// One unit for all scores of some results: that of the best.
    fn of_results(results: &Results) -> Unit {
        Unit::of(
            results
                .best()
                .and_then(|best| best.outcome.score())
                .unwrap_or(1.0),
        )
    }

    /// A time in this unit, without its name.
    fn show(&self, seconds: f64) -> String {
        number(seconds / self.size)
    }
}

/// A time in the unit that fits it best, with its name.
fn time(seconds: f64) -> String {
    let unit = Unit::of(seconds);
    format!("{} {}", unit.show(seconds), unit.name)
}

/// A number with three digits that say something, and no more than three after the point.
fn number(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || size >= 99.95 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        size if size >= 0.9995 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// The part of the detail that is largest.
fn bottleneck(evaluated: &Evaluated) -> &str {
    match &evaluated.outcome {
        Outcome::Good { detail, .. } => detail
            .iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map_or("", |(name, _)| name),
        _ => "",
    }
}

/// Whether the best were compiled, in words; none if nobody asked for it.
fn compiled(results: &Results) -> Option<String> {
    match &results.compilation {
        Compilation::NotAsked => None,
        Compilation::Skipped(reason) => Some(format!("not compiled: {reason}")),
        Compilation::By(by) => {
            let all = results.evaluated.iter();
            let compiled = all.filter(|evaluated| !evaluated.outcome.compiled().is_empty());
            Some(format!(
                "{} candidates were compiled by {by}, and predicted with the registers of their machine code",
                compiled.count()
            ))
        }
    }
}

/// Whether the best were measured, in words; none if nobody asked for it.
fn measured(results: &Results) -> Option<String> {
    match &results.measurement {
        Measurement::NotAsked => None,
        Measurement::Skipped(reason) => Some(format!("not measured: {reason}")),
        Measurement::All { on, reason } => Some(format!(
            "every candidate was measured on {on}, and none predicted or compiled: {reason}"
        )),
        Measurement::Best(on) => {
            let all = results.evaluated.iter();
            let measured = all.filter(|evaluated| evaluated.outcome.is_measured());
            Some(format!(
                "{} candidates, the best that were predicted and are right, were measured on {on}; the others are ranked behind them, by prediction",
                measured.count()
            ))
        }
    }
}

/// The seconds by which two candidates can be compared: both measured, or both predicted.
fn comparable(one: &Evaluated, other: &Evaluated) -> Option<(f64, f64)> {
    let (a, b) = (&one.outcome, &other.outcome);
    if a.is_measured() == b.is_measured() {
        return a.score().zip(b.score());
    }
    a.stages().modelled().zip(b.stages().modelled())
}

/// The stages of which good candidates have seconds, with what gives these; none if there is only one.
fn stages(results: &Results) -> Vec<(&'static str, fn(&Evaluated) -> Option<f64>)> {
    let all: [(&str, fn(&Evaluated) -> Option<f64>); 3] = [
        ("predicted", |of| of.outcome.stages().predicted),
        ("compiled", |of| of.outcome.stages().compiled),
        ("measured", |of| of.outcome.stages().measured),
    ];
    let has = |stage: &(&'static str, fn(&Evaluated) -> Option<f64>)| {
        results.evaluated.iter().any(|of| stage.1(of).is_some())
    };
    let known: Vec<_> = all.into_iter().filter(has).collect();
    if known.len() > 1 { known } else { Vec::new() }
}

/// Why candidates have no score, with those of which it is said: by kind.
fn reasons(results: &Results) -> Vec<(&'static str, &str, Vec<&Evaluated>)> {
    let mut reasons: BTreeMap<(&'static str, &str), Vec<&Evaluated>> = BTreeMap::new();
    for evaluated in &results.evaluated {
        if let Some(reason) = evaluated.outcome.reason() {
            let kind = evaluated.outcome.name();
            reasons.entry((kind, reason)).or_default().push(evaluated);
        }
    }
    reasons
        .into_iter()
        .map(|((kind, reason), of)| (kind, reason, of))
        .collect()
}

/// The values that a parameter has, in order; one of the parameter without a name.
fn values(results: &Results, parameter: &str) -> Vec<Value> {
    if parameter.is_empty() {
        return vec![ANY.clone()];
    }
    let mut values: Vec<Value> = results
        .evaluated
        .iter()
        .filter_map(|evaluated| evaluated.point.get(parameter).cloned())
        .collect();
    values.sort();
    values.dedup();
    values
}

/// The best candidate for each pair of values of two parameters. An empty name is that of a parameter that is
/// the same for all. None if there are several jobs, which neither parameter tells apart.
fn best_of_pairs<'a>(
    results: &'a Results,
    a: &str,
    b: &str,
) -> BTreeMap<(&'a Value, &'a Value), (f64, &'a Evaluated)> {
    let mut best: BTreeMap<_, (f64, &Evaluated)> = BTreeMap::new();
    let mixes = |name: &String| name != a && name != b && values(results, name).len() > 1;
    if results.given.iter().any(mixes) {
        return best;
    }
    let value = |evaluated: &'a Evaluated, name: &str| {
        if name.is_empty() {
            Some(&*ANY)
        } else {
            evaluated.point.get(name)
        }
    };
    // Where only the best are measured, those times are not compared with predicted ones.
    let is_mixed = results.is_mixed();
    let score = |evaluated: &Evaluated| match is_mixed {
        true => evaluated.outcome.stages().modelled(),
        false => evaluated.outcome.score(),
    };
    for evaluated in &results.evaluated {
        let (Some(score), Some(a), Some(b)) =
            (score(evaluated), value(evaluated, a), value(evaluated, b))
        else {
            continue;
        };
        let known = best.entry((a, b)).or_insert((score, evaluated));
        if score < known.0 {
            *known = (score, evaluated);
        }
    }
    best
}

/// The value of no parameter.
static ANY: LazyLock<Value> = LazyLock::new(|| Value::Word("best".to_owned()));

/// Was a candidate tried that has both values?
fn was_tried(results: &Results, (a, of_a): (&str, &Value), (b, of_b): (&str, &Value)) -> bool {
    let has = |point: &Point| point.get(a) == Some(of_a) && point.get(b) == Some(of_b);
    results
        .evaluated
        .iter()
        .any(|evaluated| has(&evaluated.point))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_in_a_unit_that_fits() {
        for (seconds, text) in [
            (2.0, "2.00 s"),
            (0.0123, "12.3 ms"),
            (4.56e-4, "456 µs"),
            (5e-6, "5.00 µs"),
            (7e-9, "7.00 ns"),
            (0.0, "0 ns"),
            (0.9996, "1000 ms"),
        ] {
            assert_eq!(time(seconds), text);
        }
        assert_eq!(
            [12_345.6, 99.96, 9.996, 0.0456].map(number),
            ["12346", "100", "10.0", "0.046"]
        );
    }
}
