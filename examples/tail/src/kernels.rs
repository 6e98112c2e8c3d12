//! What a program becomes: its operators, kernels and launches, and what is stored.

use std::fmt::Write;

use crate::run::{Options, Problem, segments};
use crate::syntax::Expr;

/// The kernels of each part of a program that runs at once. The program is run for it, because the host may decide in its middle.
///
/// # Errors
/// As [`run`](crate::run::run).
pub fn report(
    file: &str,
    text: &str,
    program: &Expr,
    options: &Options,
) -> Result<String, Problem> {
    let mut report = String::new();
    let mut show = |number: usize, built: &obsidian_rt::arrays::AnyProgram| {
        let schedule = built.schedule();
        let launches = match schedule.launches_for(&[]) {
            Some(launches) => launches.to_string(),
            None => format!("{} or more", schedule.launches()),
        };
        // A text in memory takes all that is written to it.
        let _ = writeln!(
            report,
            "part {}: {} operators, {} kernels, {launches} launches",
            number + 1,
            schedule.operators(),
            built.kernels().len()
        );
        let _ = writeln!(report, "{schedule}");
    };
    segments(file, text, program, options, &mut show, &mut |_| {})?;
    Ok(report)
}
