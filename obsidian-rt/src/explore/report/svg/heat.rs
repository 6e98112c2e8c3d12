//! The best score for each pair of values of two parameters.

use super::super::{Unit, best_of_pairs, time, values, was_tried};
use super::{Anchor, LINE, Picture, alone, escaped, fitted, length};
use crate::explore::result::{Results, Value};

/// Colours from the best to the worst: light to dark, so that the order is seen without colours
/// too.
const COLOURS: [(f64, f64, f64); 6] = [
    (253.0, 231.0, 37.0),
    (122.0, 209.0, 81.0),
    (34.0, 168.0, 132.0),
    (42.0, 120.0, 142.0),
    (65.0, 68.0, 135.0),
    (68.0, 1.0, 84.0),
];

/// Columns of a legend.
const LEGEND: usize = 40;

/// A heat map as an SVG file: `x` to the right, `y` upwards, in each cell the best score over all
/// other parameters; none if nothing is good, or if there are several jobs that neither parameter tells apart.
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
/// assert!(report::heat_map(&results, "threads", "threads").unwrap().starts_with("<svg"));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn heat_map(results: &Results, x: &str, y: &str) -> Option<String> {
    draw(results, x, y).map(|element| alone(&element))
}

/// The same as an element.
pub fn draw(results: &Results, x: &str, y: &str) -> Option<String> {
    let (columns, rows) = (values(results, x), values(results, y));
    let best = best_of_pairs(results, x, y);
    let worst = best
        .values()
        .map(|(score, _)| *score)
        .fold(f64::NEG_INFINITY, f64::max);
    let least = best
        .values()
        .map(|(score, _)| *score)
        .min_by(f64::total_cmp)?;
    let map = Map::new(Unit::of(least), (least, worst), &columns, &rows);
    let mut picture = Picture::new(
        map.left + columns.len() as f64 * map.cell + 24.0,
        map.top + rows.len() as f64 * HEIGHT + 124.0,
    );
    picture.width = picture.width.max(420.0);
    map.frame(&mut picture, (x, &columns), (y, &rows));
    for (column, of_x) in columns.iter().enumerate() {
        for (row, of_y) in rows.iter().enumerate() {
            let at = (
                map.left + column as f64 * map.cell,
                map.top + (rows.len() - 1 - row) as f64 * HEIGHT,
            );
            match best.get(&(of_x, of_y)) {
                Some((score, evaluated)) => {
                    map.score(&mut picture, at, *score, &evaluated.point.to_string())
                }
                None if was_tried(results, (x, of_x), (y, of_y)) => {
                    let note = format!("{x}={of_x} {y}={of_y}: no candidate is good");
                    map.nothing(&mut picture, at, "–", &note);
                }
                None => {
                    let note = format!("{x}={of_x} {y}={of_y}: not tried");
                    map.nothing(&mut picture, at, "·", &note);
                }
            }
        }
    }
    map.legend(&mut picture, map.top + rows.len() as f64 * HEIGHT + 62.0);
    Some(picture.element(&format!(
        "{}: the best for each {x} and {y}",
        results.objective
    )))
}

/// The height of a cell.
const HEIGHT: f64 = 30.0;

struct Map {
    unit: Unit,
    /// The best and the worst score.
    range: (f64, f64),
    left: f64,
    top: f64,
    /// The width of a cell.
    cell: f64,
}

impl Map {
    fn new(unit: Unit, range: (f64, f64), columns: &[Value], rows: &[Value]) -> Map {
        let widest = rows
            .iter()
            .map(|row| length(&row.to_string()))
            .fold(0.0, f64::max)
            .min(180.0);
        let title = columns
            .iter()
            .map(|column| length(&column.to_string()))
            .fold(0.0, f64::max)
            + 12.0;
        Map {
            unit,
            range,
            left: widest + 52.0,
            top: 40.0,
            cell: title.clamp(66.0, 130.0),
        }
    }

    /// From 0 for the best to 1 for the worst, by logarithms.
    fn badness(&self, score: f64) -> f64 {
        let (best, worst) = self.range;
        if worst > best && best > 0.0 {
            ((score / best).ln() / (worst / best).ln()).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    fn frame(
        &self,
        picture: &mut Picture,
        (x, columns): (&str, &[Value]),
        (y, rows): (&str, &[Value]),
    ) {
        let (width, height) = (columns.len() as f64 * self.cell, rows.len() as f64 * HEIGHT);
        let title = format!("Best time ({}) by {x} and {y}", self.unit.name);
        picture.classed_text(
            (self.left, 22.0),
            Anchor::Start,
            "title",
            &fitted(&title, picture.width - self.left),
        );
        for (n, value) in columns.iter().enumerate() {
            let place = (
                self.left + (n as f64 + 0.5) * self.cell,
                self.top + height + LINE,
            );
            picture.text(
                place,
                Anchor::Middle,
                &fitted(&value.to_string(), self.cell),
            );
        }
        for (n, value) in rows.iter().rev().enumerate() {
            let place = (self.left - 8.0, self.top + (n as f64 + 0.5) * HEIGHT + 4.5);
            picture.text(place, Anchor::End, &fitted(&value.to_string(), 180.0));
        }
        picture.classed_text(
            (self.left + width / 2.0, self.top + height + 2.0 * LINE),
            Anchor::Middle,
            "soft",
            x,
        );
        picture.upright((18.0, self.top + height / 2.0), y);
    }

    fn score(&self, picture: &mut Picture, (x, y): (f64, f64), score: f64, point: &str) {
        let (fill, class) = colour(self.badness(score));
        let (width, text) = (self.cell - 2.0, self.unit.show(score));
        let note = format!("{point}: {text} {}", self.unit.name);
        let rect = format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" rx=\"3\"",
            x + 1.0,
            y + 1.0,
            HEIGHT - 2.0
        );
        picture.body += &format!(
            "<g><title>{}</title>{rect} fill=\"{fill}\"/>",
            escaped(&note)
        );
        if score == self.range.0 {
            picture.body += &format!("{rect} class=\"winner\"/>");
        }
        picture.classed_text(
            (x + self.cell / 2.0, y + HEIGHT / 2.0 + 4.5),
            Anchor::Middle,
            class,
            &text,
        );
        picture.body += "</g>\n";
    }

    fn nothing(&self, picture: &mut Picture, (x, y): (f64, f64), sign: &str, note: &str) {
        let size = format!(
            "width=\"{:.1}\" height=\"{:.1}\"",
            self.cell - 2.0,
            HEIGHT - 2.0
        );
        let rect = format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" {size} rx=\"3\" class=\"none\"/>",
            x + 1.0,
            y + 1.0
        );
        picture.body += &format!("<g><title>{}</title>{rect}", escaped(note));
        picture.classed_text(
            (x + self.cell / 2.0, y + HEIGHT / 2.0 + 4.5),
            Anchor::Middle,
            "soft",
            sign,
        );
        picture.body += "</g>\n";
    }

    /// The colours with three scores beside them, and what the signs mean.
    fn legend(&self, picture: &mut Picture, y: f64) {
        let width = (picture.width - self.left - 24.0).min(360.0);
        let step = width / LEGEND as f64;
        for n in 0..LEGEND {
            let (fill, _) = colour((n as f64 + 0.5) / LEGEND as f64);
            let x = self.left + n as f64 * step;
            picture.body += &format!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"12\" fill=\"{fill}\"/>\n",
                step + 0.5
            );
        }
        let (best, worst) = self.range;
        for (place, anchor, score) in [
            (0.0, Anchor::Start, best),
            (0.5, Anchor::Middle, (best * worst).sqrt()),
            (1.0, Anchor::End, worst),
        ] {
            picture.classed_text(
                (self.left + place * width, y + 12.0 + LINE),
                anchor,
                "soft",
                &time(score),
            );
        }
        let signs = "framed: the best of all; –: no candidate is good; ·: not tried";
        picture.classed_text(
            (self.left, y + 12.0 + 2.1 * LINE),
            Anchor::Start,
            "soft",
            signs,
        );
    }
}

/// A colour between the best and the worst, and the class of a text that can be read on it.
fn colour(badness: f64) -> (String, &'static str) {
    let place = badness * (COLOURS.len() - 1) as f64;
    let low = (place as usize).min(COLOURS.len() - 2);
    let (a, b, part) = (COLOURS[low], COLOURS[low + 1], place - low as f64);
    let mix = |a: f64, b: f64| a + (b - a) * part;
    let (red, green, blue) = (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2));
    let light = 0.299 * red + 0.587 * green + 0.114 * blue > 125.0;
    (
        format!("#{:02x}{:02x}{:02x}", red as u8, green as u8, blue as u8),
        if light { "on-light" } else { "on-dark" },
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::samples::{nothing, results};
    use super::*;

    #[test]
    fn every_pair_has_a_cell() {
        let svg = heat_map(&results(), "threads", "kernel").unwrap();
        assert_eq!(svg.matches("<g><title>").count(), 2 * 4);
        assert_eq!(
            svg.matches("class=\"none\"").count(),
            2,
            "one not built, one wrong"
        );
        assert_eq!(svg.matches("class=\"winner\"").count(), 1);
        assert!(
            svg.contains("a &quot;b&quot;, &lt;c&gt; &amp; d\n=e threads=128: 1.28 ms"),
            "{svg}"
        );
        assert!(
            svg.contains("1.28 ms") && svg.contains("5.12 ms"),
            "the best and the worst stand at the legend"
        );
    }

    #[test]
    fn what_was_not_tried_is_not_bad() {
        let mut results = results();
        results.evaluated.remove(7);
        let svg = heat_map(&results, "threads", "kernel").unwrap();
        assert_eq!(
            (svg.matches(">–<").count(), svg.matches(">·<").count()),
            (2, 1)
        );
        assert!(svg.contains(": not tried"), "{svg}");
    }

    #[test]
    fn jobs_are_not_mixed() {
        let mut results = results();
        results.given.push("kernel".to_owned());
        assert!(heat_map(&results, "threads", "threads").is_none());
        assert!(heat_map(&results, "threads", "kernel").is_some());
    }

    #[test]
    fn nothing_good_is_no_picture() {
        assert!(heat_map(&nothing(), "threads", "kernel").is_none());
        assert!(
            heat_map(&results(), "threads", "colour").is_none(),
            "no such parameter"
        );
    }

    #[test]
    fn colours_go_from_light_to_dark() {
        assert_eq!(colour(0.0), ("#fde725".to_owned(), "on-light"));
        assert_eq!(colour(1.0), ("#440154".to_owned(), "on-dark"));
        assert_eq!(colour(0.2).0, "#7ad151");
    }
}
