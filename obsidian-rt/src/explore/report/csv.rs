//! Results as comma-separated values.

use std::collections::BTreeSet;

use crate::explore::result::{Checked, Evaluated, Outcome, Results, Value};
use crate::{Counts, Traffic};

/// A line of titles and a line for each candidate, in the order of the search; RFC 4180, with `\n`
/// between the lines.
///
/// The columns are the parameters, `outcome` (`good`, `bad`, `cannot be built`, `cannot run here` or `try again`), `seconds`, `noise`, the bounds of the
/// 95 % confidence interval of the median (`at_least`, `at_most`), the seconds by stage (`predicted_seconds`, `compiled_seconds`, `measured_seconds`), how much of the answer was `checked` (`whole` or `sample`), how many
/// blocks the simulator ran (`counted_blocks`), the `reason`, what the first kernel needs (`local_bytes` of a thread and the registers as a compiler has said, if it
/// was compiled), the `machine_instructions` of all its kernels, the counts of the whole job, worked out from these blocks,
/// and the parts of the score that any candidate has, in the order of the alphabet. A parameter with the name of another column is called
/// `parameter NAME`. What is not
/// known is empty.
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
/// assert_eq!(report::csv(&results).lines().count(), 3); // a head, and a line for each
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn csv(results: &Results) -> String {
    let mut parts = BTreeSet::new();
    for evaluated in &results.evaluated {
        if let Outcome::Good { detail, .. } = &evaluated.outcome {
            parts.extend(detail.iter().map(|(name, _)| name.as_str()));
        }
    }
    let fixed = [
        "outcome",
        "seconds",
        "noise",
        "at_least",
        "at_most",
        "predicted_seconds",
        "compiled_seconds",
        "measured_seconds",
        "checked",
        "counted_blocks",
        "reason",
        "block_threads",
        "shared_bytes",
        "registers",
        "local_bytes",
        "blocks",
        "machine_instructions",
    ];
    let counted = counts(&Counts::default()).map(|(name, _)| name);
    let columns = fixed
        .into_iter()
        .chain(counted)
        .chain(parts.iter().copied());
    let titles = results
        .parameters
        .iter()
        .map(|name| {
            let name = name.as_str();
            let is_other = fixed.contains(&name) || counted.contains(&name) || parts.contains(name);
            format!("{}{name}", if is_other { "parameter " } else { "" })
        })
        .chain(columns.map(str::to_owned));
    let mut text = line(titles);
    for evaluated in &results.evaluated {
        text += &line(cells(results, evaluated, &parts));
    }
    text
}

fn cells(
    results: &Results,
    evaluated: &Evaluated,
    parts: &BTreeSet<&str>,
) -> impl Iterator<Item = String> {
    let value = |parameter: &String| {
        evaluated
            .point
            .get(parameter)
            .map_or(String::new(), Value::to_string)
    };
    let mut cells: Vec<String> = results.parameters.iter().map(value).collect();
    let none: &[(String, f64)] = &[];
    let (numbers, detail, known) = match &evaluated.outcome {
        Outcome::Good {
            score,
            noise,
            interval,
            checked,
            counts,
            counted_blocks,
            detail,
            stages,
            ..
        } => {
            let bound = |bound: Option<f64>| bound.map_or(String::new(), |bound| bound.to_string());
            let checked = match checked {
                Checked::Whole => "whole",
                Checked::Sample => "sample",
            };
            let counted = counts
                .as_ref()
                .map_or(String::new(), |_| counted_blocks.to_string());
            let numbers = [
                score.to_string(),
                noise.to_string(),
                bound(interval.map(|(low, _)| low)),
                bound(interval.map(|(_, high)| high)),
                bound(stages.predicted),
                bound(stages.compiled),
                bound(stages.measured),
                checked.to_owned(),
                counted,
            ];
            (numbers, &**detail, counts.as_deref())
        }
        _ => ([const { String::new() }; 9], none, None),
    };
    cells.push(evaluated.outcome.name().to_owned());
    cells.extend(numbers);
    cells.push(evaluated.outcome.reason().unwrap_or_default().to_owned());
    let compiled = evaluated.outcome.compiled();
    cells.extend(
        evaluated
            .needs
            .map_or([const { String::new() }; 5], |needs| {
                let registers = needs
                    .registers
                    .map_or(String::new(), |registers| registers.to_string());
                [
                    needs.threads.to_string(),
                    needs.shared_bytes.to_string(),
                    registers,
                    if compiled.is_empty() {
                        String::new()
                    } else {
                        needs.local_bytes.to_string()
                    },
                    needs.blocks.to_string(),
                ]
            }),
    );
    cells.push(if compiled.is_empty() {
        String::new()
    } else {
        let instructions = compiled.iter().map(|(_, of)| u64::from(of.instructions));
        instructions.sum::<u64>().to_string()
    });
    cells.extend(
        counts(known.unwrap_or(&Counts::default()))
            .map(|(_, count)| known.map_or(String::new(), |_| count.to_string())),
    );
    cells.extend(parts.iter().map(|part| {
        let known = detail.iter().find(|(name, _)| name == part);
        known.map_or(String::new(), |(_, seconds)| seconds.to_string())
    }));
    cells.into_iter()
}

/// The counts that tables show, by name.
pub(super) fn counts(counts: &Counts) -> [(&'static str, u64); 13] {
    let Traffic {
        sectors,
        lines,
        requests,
        ..
    } = counts.buffers;
    [
        ("all_blocks", counts.blocks),
        ("instructions", counts.instructions.total()),
        ("buffer_requests", requests),
        ("sectors", sectors),
        ("lines", lines),
        ("shared_requests", counts.shared.requests),
        ("bank_conflicts", counts.shared.bank_conflicts),
        (
            "collisions",
            counts.shared.collisions + counts.buffers.collisions,
        ),
        ("block_waits", counts.block_waits),
        ("warp_waits", counts.warp_waits),
        ("divergent_branches", counts.divergent_branches),
        ("zero_divisions", counts.zero_divisions),
        ("statements", counts.statements),
    ]
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells
        .map(|cell| quoted(&cell))
        .collect::<Vec<_>>()
        .join(",")
        + "\n"
}

fn quoted(cell: &str) -> String {
    let plain = !cell.contains(['"', ',', '\n', '\r']);
    if plain {
        cell.to_owned()
    } else {
        format!("\"{}\"", cell.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{AWKWARD, nothing, results};
    use super::*;

    /// Reads what was written, by the rules and not by the writer's code.
    fn read(text: &str) -> Vec<Vec<String>> {
        let (mut rows, mut row, mut cell, mut inside) = (vec![], vec![], String::new(), false);
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match (letter, inside) {
                ('"', true) if letters.peek() == Some(&'"') => cell.extend(letters.next()),
                ('"', _) => inside = !inside,
                (',', false) => row.push(std::mem::take(&mut cell)),
                ('\n', false) => {
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                _ => cell.push(letter),
            }
        }
        assert!(!inside && cell.is_empty());
        rows
    }

    #[test]
    fn a_parameter_may_have_the_name_of_a_column() {
        let mut results = results();
        results.parameters = vec!["kernel".to_owned(), "seconds".to_owned()];
        for evaluated in &mut results.evaluated {
            evaluated.point.values[1].0 = "seconds".to_owned();
        }
        let rows = read(&csv(&results));
        assert_eq!(
            rows[0][..4],
            ["kernel", "parameter seconds", "outcome", "seconds"]
        );
        assert_eq!(rows[1][1], "32");
    }

    #[test]
    fn every_candidate_is_a_row_that_can_be_read_back() {
        let (results, rows) = (results(), read(&csv(&results())));
        assert_eq!(rows.len(), 1 + results.evaluated.len());
        assert!(rows.iter().all(|row| row.len() == rows[0].len()));
        let column = |title: &str| rows[0].iter().position(|name| name == title).unwrap();
        for (row, evaluated) in rows[1..].iter().zip(&results.evaluated) {
            assert_eq!(row[0], evaluated.point.word("kernel").unwrap());
            assert_eq!(
                row[column("seconds")].parse().ok(),
                evaluated.outcome.score(),
                "as it was, bit for bit"
            );
        }
        assert_eq!(rows[5][0], AWKWARD);
        assert_eq!(rows[1][column("reason")], "too much <shared> memory");
        assert_eq!(
            (
                &*rows[1][column("block_waits")],
                &*rows[3][column("block_waits")]
            ),
            ("", "14")
        );
        assert_eq!(rows[1][column("memory")], "");
    }

    #[test]
    fn no_candidates_are_a_line_of_titles() {
        assert_eq!(csv(&nothing()).lines().count(), 1);
    }
}
