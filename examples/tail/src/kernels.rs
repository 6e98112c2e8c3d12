//! What a program becomes: its operators, kernels and launches, what is stored, and what one thread does in order.

use std::fmt::Write;

use crate::run::{Options, Part, Problem, segments};
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
    let mut show = |part: &Part| {
        // A text in memory takes all that is written to it.
        let _ = writeln!(report, "{part}");
        let _ = write!(report, "{}", part.program.schedule());
        for one in part.in_order {
            let _ = writeln!(report, "  in order on one thread: {one}");
        }
        let _ = writeln!(report);
    };
    segments(file, text, program, options, &mut show, &mut |_| {})?;
    Ok(report)
}
