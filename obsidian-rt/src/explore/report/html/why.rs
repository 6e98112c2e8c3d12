//! Why the best is ahead: its score in parts, and its counts, beside the second and the worst.

use super::super::csv::counts;
use super::super::{Unit, comparable, number, time};
use super::{escaped, table};
use crate::explore::result::{Evaluated, Outcome};
use crate::resources::Resources;

/// The section, for candidates from the best to the worst; nothing if there is only one.
pub fn section(ranked: &[&Evaluated]) -> String {
    let (Some(best), Some(worst)) = (ranked.first(), ranked.last()) else {
        return String::new();
    };
    let mut compared = vec![("best", *best)];
    compared.extend(
        ranked
            .get(1)
            .filter(|_| ranked.len() > 2)
            .map(|second| ("second", *second)),
    );
    compared.extend((ranked.len() > 1).then_some(("worst", *worst)));
    if compared.len() < 2 {
        return String::new();
    }
    let mut text = "<h2>Why it is ahead</h2>\n".to_owned();
    text += &compared[1..]
        .iter()
        .filter_map(|(name, other)| sentence(best, name, other))
        .collect::<String>();
    let mut head = vec![String::new()];
    head.extend(
        compared
            .iter()
            .map(|(name, evaluated)| format!("{name}: {}", evaluated.point)),
    );
    let compared: Vec<&Evaluated> = compared
        .into_iter()
        .map(|(_, evaluated)| evaluated)
        .collect();
    text += &table(&head, &rows(&compared));
    if compared
        .iter()
        .all(|evaluated| counted(evaluated).is_some())
    {
        text += "<p class=\"note\">Counts are those of the whole job, all launches together, worked out from the blocks that the simulator ran. The parts \
                 are what each would take if there were nothing else; they overlap.</p>\n";
    }
    text
}

fn detail(evaluated: &Evaluated) -> &[(String, f64)] {
    match &evaluated.outcome {
        Outcome::Good { detail, .. } => detail,
        _ => &[],
    }
}

/// The counts of the whole job.
fn counted(evaluated: &Evaluated) -> Option<&crate::Counts> {
    match &evaluated.outcome {
        Outcome::Good { counts, .. } => counts.as_deref(),
        _ => None,
    }
}

fn part(evaluated: &Evaluated, name: &str) -> Option<f64> {
    detail(evaluated)
        .iter()
        .find(|(known, _)| known == name)
        .map(|(_, seconds)| *seconds)
}

/// How much longer the other one takes, and in which part most of it lies.
fn sentence(best: &Evaluated, name: &str, other: &Evaluated) -> Option<String> {
    let (score, of_other) = comparable(best, other)?;
    let ratio = of_other / score;
    let is_predicted = best.outcome.is_measured() != other.outcome.is_measured();
    if ratio < 1.005 {
        return Some(format!(
            "<p>The {name} is as fast, within half a per cent.</p>\n"
        ));
    }
    let takes = match is_predicted {
        true => "was only predicted, to take",
        false => "takes",
    };
    let mut text = format!("<p>The {name} {takes} {} times as long", number(ratio));
    let more = |(name, seconds): &(String, f64)| {
        (part(other, name).unwrap_or(0.0) - seconds, name.clone())
    };
    if let Some((gap, part_name)) = detail(best)
        .iter()
        .map(more)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(gap, _)| *gap > 0.0 && (is_predicted || !best.outcome.is_measured()))
    {
        let here = part(best, &part_name).unwrap_or(0.0);
        text += &format!(
            "; most of that in <b>{}</b>, {} instead of {}",
            escaped(&part_name),
            time(here + gap),
            time(here)
        );
    }
    Some(text + ".</p>\n")
}

fn rows(compared: &[&Evaluated]) -> Vec<Vec<String>> {
    let unit = Unit::of(
        compared
            .iter()
            .filter_map(|evaluated| evaluated.outcome.score())
            .fold(f64::INFINITY, f64::min),
    );
    let row = |name: &str, cell: &dyn Fn(&Evaluated) -> Option<String>| {
        let cells = compared
            .iter()
            .map(|evaluated| cell(evaluated).unwrap_or_else(|| "–".to_owned()));
        std::iter::once(name.to_owned())
            .chain(cells)
            .collect::<Vec<String>>()
    };
    let mut rows = vec![row(&format!("score, {}", unit.name), &|evaluated| {
        Some(unit.show(evaluated.outcome.score()?))
    })];
    let names = compared
        .first()
        .map_or(&[][..], |best| detail(best))
        .iter()
        .map(|(name, _)| name);
    rows.extend(names.map(|name| {
        row(&format!("{name}, {}", unit.name), &|evaluated| {
            Some(unit.show(part(evaluated, name)?))
        })
    }));
    rows.push(row("threads of a block, first launch", &|evaluated| {
        Some(evaluated.needs?.threads.to_string())
    }));
    rows.push(row("blocks, first launch", &|evaluated| {
        Some(evaluated.needs?.blocks.to_string())
    }));
    rows.push(row("shared bytes of a block, first launch", &|evaluated| {
        Some(evaluated.needs?.shared_bytes.to_string())
    }));
    let needed: [(&str, fn(&Resources) -> u32); 3] = [
        ("registers of a thread, as compiled", |of| of.registers),
        ("local bytes of a thread, as compiled", |of| of.local_bytes),
        ("instructions of the machine code", |of| of.instructions),
    ];
    for (name, of) in needed {
        if compared
            .iter()
            .any(|evaluated| !evaluated.outcome.compiled().is_empty())
        {
            rows.push(row(name, &|evaluated| {
                let of = |(_, resources): &(String, Resources)| of(resources).to_string();
                let all: Vec<String> = evaluated.outcome.compiled().iter().map(of).collect();
                (!all.is_empty()).then(|| all.join(", "))
            }));
        }
    }
    for (place, (name, _)) in counts(&crate::Counts::default()).into_iter().enumerate() {
        let count = |evaluated: &Evaluated| Some(counts(counted(evaluated)?)[place].1 as f64);
        if compared
            .iter()
            .any(|evaluated| count(evaluated).is_some_and(|count| count > 0.0))
        {
            rows.push(row(&name.replace('_', " "), &|evaluated| {
                count(evaluated).map(grouped)
            }));
        }
    }
    rows.push(row(
        "blocks that the simulator ran",
        &|evaluated| match &evaluated.outcome {
            Outcome::Good { counted_blocks, .. } => Some(counted_blocks.to_string()),
            _ => None,
        },
    ));
    rows
}

/// A whole number in groups of three digits.
fn grouped(count: f64) -> String {
    let digits = format!("{count:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::super::samples::results;
    use super::*;

    #[test]
    fn counts_are_of_the_whole_launch() {
        let results = results();
        let text = section(&results.ranked());
        assert!(
            text.contains("<tr><td>block waits</td><td class=\"number\">14</td>"),
            "{text}"
        );
        assert!(
            text.contains("<td>blocks that the simulator ran</td><td class=\"number\">2</td>"),
            "{text}"
        );
        assert!(text.contains("The worst takes 4.00 times as long; most of that in <b>memory</b>, 3.58 ms instead of 896 µs"), "{text}");
        assert_eq!(section(&results.ranked()[..1]), "");
        assert!(
            !section(&results.ranked()[..2]).contains("second"),
            "of two, the other is the worst"
        );
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(
            [0.0, 999.0, 1000.0, 1234567.0].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
