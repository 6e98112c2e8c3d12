//! Results as lines of a terminal.

use super::{Unit, bottleneck, comparable, compiled, measured, reasons, stages};
use crate::explore::result::{Evaluated, Outcome, Point, Results, Value};
use crate::resources::Resources;

/// The `rows` best candidates, one a line, whether they were compiled and measured, how far the best is ahead of the second, and then why others have no score, in at most `width`
/// columns of a terminal.
///
/// Columns that do not fit are left out from the right, though never the score; words that are too
/// long end in `…`.
///
/// Where there is more than one stage, each has a column of seconds: `predicted`, `compiled` and `measured`. A measured time and a predicted one are not
/// compared, so `of best` is by prediction for candidates that were not measured.
///
/// `registers` and `local` bytes are those of a thread of the kernel that needs most, of candidates that were
/// [compiled](crate::explore::Explore::compiled).
///
/// Where there are [several jobs](Results::has_several_jobs), each has a table.
///
/// ```
/// # use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
/// # use obsidian_rt::{TypedKernel, language::*};
/// #
/// # let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
/// # let space = Space::new().list("threads", [32, 64]);
/// # let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
/// #     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
/// #         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
/// #     })?;
/// #     Ok(Candidate::of(kernel))
/// # });
/// use obsidian_rt::explore::report;
/// let results = exploration.run()?.results;
/// println!("{}", report::table(&results, 10, 100)); // the best 10, in 100 columns
/// assert!(report::table(&results, 10, 100).contains("2 of 2 candidates are good"));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn table(results: &Results, rows: usize, width: usize) -> String {
    if results.has_several_jobs() {
        let of = |(key, results): (Point, Results)| {
            cut(&format!("{key}:"), width) + "\n" + &table(&results, rows, width)
        };
        return results.by_key().into_iter().map(of).collect();
    }
    let ranked = results.ranked();
    let mut text = format!(
        "{}: {} of {} candidates are good\n",
        results.objective,
        ranked.len(),
        results.evaluated.len()
    );
    if !ranked.is_empty() {
        text += &best(results, &ranked, rows, width);
    }
    for line in [compiled(results), measured(results), results.lead()]
        .into_iter()
        .flatten()
    {
        text += &(line.replace('\n', " ") + "\n");
    }
    for (kind, reason, of) in reasons(results) {
        let first = of
            .first()
            .map_or(String::new(), |first| first.point.to_string());
        text += &format!("{} {kind}, such as {first}: {reason}\n", of.len()).replace('\n', " ");
        text = text.trim_end().to_owned() + "\n";
    }
    text.lines().map(|line| cut(line, width) + "\n").collect()
}

fn best(results: &Results, ranked: &[&Evaluated], rows: usize, width: usize) -> String {
    let unit = Unit::of_results(results);
    let mut columns = vec![Column::new(
        "",
        true,
        (1..=ranked.len().min(rows)).map(|rank| rank.to_string()),
    )];
    let scores = || {
        ranked
            .iter()
            .take(rows)
            .map(|row| row.outcome.score().unwrap_or(f64::NAN))
    };
    columns.push(Column::new(
        unit.name,
        true,
        scores().map(|score| unit.show(score)),
    ));
    for parameter in &results.parameters {
        let number = ranked
            .iter()
            .all(|row| matches!(row.point.get(parameter), Some(Value::Number(_))));
        let value = |row: &&Evaluated| {
            row.point
                .get(parameter)
                .map_or(String::new(), Value::to_string)
        };
        columns.push(Column::new(
            parameter,
            number,
            ranked.iter().take(rows).map(value),
        ));
    }
    columns.push(Column::new(
        "of best",
        true,
        ranked.iter().take(rows).map(|row| {
            let pair = ranked.first().and_then(|best| comparable(row, best));
            pair.map_or(String::new(), |(own, best)| format!("{:.2}", own / best))
        }),
    ));
    for (name, of) in stages(results) {
        let shown = ranked.iter().take(rows);
        let seconds = shown.map(|row| of(row).map_or(String::new(), |of| unit.show(of)));
        columns.push(Column::new(name, true, seconds));
    }
    if ranked.iter().any(|row| noise(row) > 0.0) {
        columns.push(Column::new(
            "noise",
            true,
            ranked.iter().take(rows).map(|row| unit.show(noise(row))),
        ));
    }
    if ranked.iter().any(|row| !row.outcome.compiled().is_empty()) {
        let most = |of: fn(&Resources) -> u32| {
            let shown = ranked.iter().take(rows);
            shown.map(move |row| {
                let all = row
                    .outcome
                    .compiled()
                    .iter()
                    .map(|(_, resources)| of(resources));
                all.max().map_or(String::new(), |most| most.to_string())
            })
        };
        columns.push(Column::new("registers", true, most(|of| of.registers)));
        columns.push(Column::new("local", true, most(|of| of.local_bytes)));
    }
    columns.push(Column::new(
        "bottleneck",
        false,
        ranked
            .iter()
            .take(rows)
            .map(|row| bottleneck(row).to_owned()),
    ));
    while columns.len() > 3
        && columns.iter().map(|column| column.width + 2).sum::<usize>() > width + 2
    {
        columns.pop();
    }
    (0..=ranked.len().min(rows))
        .map(|row| line(&columns, row))
        .collect()
}

fn noise(row: &Evaluated) -> f64 {
    match row.outcome {
        Outcome::Good { noise, .. } => noise,
        _ => 0.0,
    }
}

/// A column with its title as the first cell.
struct Column {
    cells: Vec<String>,
    width: usize,
    right: bool,
}

impl Column {
    fn new(title: &str, right: bool, cells: impl Iterator<Item = String>) -> Column {
        let cells: Vec<String> = std::iter::once(title.to_owned())
            .chain(cells.map(|cell| cell.replace('\n', " ")))
            .collect();
        let width = cells
            .iter()
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0);
        Column {
            cells,
            width,
            right,
        }
    }
}

fn line(columns: &[Column], row: usize) -> String {
    let cell = |Column {
                    cells,
                    width,
                    right,
                }: &Column| match (cells.get(row), right) {
        (Some(cell), true) => format!("{cell:>width$}"),
        (Some(cell), false) => format!("{cell:width$}"),
        (None, _) => " ".repeat(*width),
    };
    columns
        .iter()
        .map(cell)
        .collect::<Vec<_>>()
        .join("  ")
        .trim_end()
        .to_owned()
        + "\n"
}

fn cut(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    line.chars()
        .take(width.saturating_sub(1))
        .chain(['…'])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{nothing, results};
    use super::*;

    #[test]
    fn the_best_come_first() {
        let text = table(&results(), 2, 100);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "predicted seconds on <a GPU>: 6 of 8 candidates are good"
        );
        assert_eq!(
            lines[1],
            "     ms  kernel             threads  of best  bottleneck"
        );
        assert_eq!(
            lines[2],
            "1  1.28  a \"b\", <c> & d =e      128     1.00  memory"
        );
        assert_eq!(
            lines[3],
            "2  1.36  a \"b\", <c> & d =e       64     1.06  memory"
        );
        assert_eq!(
            lines[6],
            "1 cannot be built, such as kernel=red1 threads=32: too much <shared> memory"
        );
        assert_eq!(
            lines[4],
            "the best is 6.2 % ahead of the second, kernel=a \"b\", <c> & d =e threads=64"
        );
        assert_eq!(
            lines[5],
            "1 bad, such as kernel=red1 threads=64: it panicked: \"no\""
        );
        assert_eq!(lines.len(), 7);
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in [1, 20, 31, 40, 57, 58, 1000] {
            let text = table(&results(), 100, width);
            assert!(
                text.lines().all(|line| line.chars().count() <= width),
                "{width}: {text}"
            );
            assert!(width < 8 || text.contains("1.28"), "{width}: {text}");
        }
        assert!(!table(&results(), 100, 40).contains("bottleneck"));
    }

    #[test]
    fn nothing_is_a_line() {
        assert_eq!(
            table(&nothing(), 10, 80),
            "predicted seconds on <a GPU>: 0 of 0 candidates are good\n"
        );
    }
}
