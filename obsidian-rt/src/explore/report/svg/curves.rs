//! The best score over one parameter, a line for each value of another: the paper's Figures 9 and
//! 12.

use super::super::{Unit, best_of_pairs, values};
use super::scale::{Times, places};
use super::{Anchor, LINE, Picture, alone, escaped, fitted, length};
use crate::explore::result::{Results, Value};

const LEFT: f64 = 84.0;
const TOP: f64 = 40.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
/// Kinds of lines that can be told from each other; further values use them again.
const KINDS: usize = 8;

/// Curves as an SVG file: each point is the best score over all other parameters. Without a name for `line` there is one line, for the best of all. None if nothing
/// is good, or if there are several jobs that neither parameter tells apart.
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
/// assert!(report::curves(&results, "threads", "").unwrap().starts_with("<svg"));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn curves(results: &Results, x: &str, line: &str) -> Option<String> {
    draw(results, x, line).map(|element| alone(&element))
}

/// The same as an element.
pub fn draw(results: &Results, x: &str, line: &str) -> Option<String> {
    let (columns, lines) = (values(results, x), values(results, line));
    let best = best_of_pairs(results, x, line);
    let scores = || best.values().map(|(score, _)| *score);
    let unit = Unit::of(scores().min_by(f64::total_cmp)?);
    let (times, at) = (
        Times::of(scores().map(|score| score / unit.size)),
        places(&columns),
    );
    let names = lines
        .iter()
        .map(|value| length(&value.to_string()))
        .fold(length(line), f64::max)
        .min(220.0);
    let mut picture = Picture::new(LEFT + WIDTH + 56.0 + names + 16.0, TOP + HEIGHT + 64.0);
    axes(
        &mut picture,
        &if line.is_empty() {
            format!("Best time ({}) over {x}", unit.name)
        } else {
            format!("Best time ({}) over {x}, by {line}", unit.name)
        },
        unit,
        &times,
    );
    abscissa(&mut picture, x, &columns, &at);
    picture.classed_text(
        (LEFT + WIDTH + 24.0, TOP + 4.0),
        Anchor::Start,
        "soft",
        line,
    );
    for (number, value) in lines.iter().enumerate() {
        let points = columns.iter().zip(&at).map(|(column, at)| {
            let (score, evaluated) = best.get(&(column, value))?;
            let place = (
                LEFT + at * WIDTH,
                TOP + HEIGHT * (1.0 - times.place(score / unit.size)),
            );
            Some((
                place,
                format!("{}: {} {}", evaluated.point, unit.show(*score), unit.name),
            ))
        });
        curve(&mut picture, number % KINDS, &points.collect::<Vec<_>>());
        let y = TOP + 4.0 + LINE * 1.25 * (number + 1) as f64;
        picture.height = picture.height.max(y + 16.0);
        legend(
            &mut picture,
            number % KINDS,
            y,
            &fitted(&value.to_string(), names + 1.0),
        );
    }
    Some(picture.element(&format!(
        "{}: the best over {x} for each {line}",
        results.objective
    )))
}

fn axes(picture: &mut Picture, title: &str, unit: Unit, times: &Times) {
    picture.classed_text(
        (LEFT, 22.0),
        Anchor::Start,
        "title",
        &fitted(title, picture.width - LEFT),
    );
    for tick in times.ticks() {
        let y = TOP + HEIGHT * (1.0 - times.place(tick));
        picture.line((LEFT, y), (LEFT + WIDTH, y), "rule");
        picture.text((LEFT - 8.0, y + 4.5), Anchor::End, &tick_text(tick));
    }
    let kind = if times.is_logarithmic() {
        ", logarithmic"
    } else {
        ""
    };
    picture.upright((20.0, TOP + HEIGHT / 2.0), &format!("{}{kind}", unit.name));
    picture.line((LEFT, TOP + HEIGHT), (LEFT + WIDTH, TOP + HEIGHT), "axis");
}

/// A round number without zeros at its end.
fn tick_text(tick: f64) -> String {
    let text = format!("{tick:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The values of the parameter below the axis; those that would touch the one before are left out.
fn abscissa(picture: &mut Picture, x: &str, columns: &[Value], at: &[f64]) {
    let mut free = f64::NEG_INFINITY;
    for (value, at) in columns.iter().zip(at) {
        let (place, text) = (LEFT + at * WIDTH, fitted(&value.to_string(), 120.0));
        picture.line((place, TOP + HEIGHT), (place, TOP + HEIGHT + 5.0), "axis");
        if place - length(&text) / 2.0 > free {
            picture.text((place, TOP + HEIGHT + 5.0 + LINE), Anchor::Middle, &text);
            free = place + length(&text) / 2.0 + 6.0;
        }
    }
    picture.classed_text(
        (LEFT + WIDTH / 2.0, TOP + HEIGHT + 10.0 + 2.2 * LINE),
        Anchor::Middle,
        "soft",
        x,
    );
}

type Point = ((f64, f64), String);

/// Points with lines between those that follow each other; where one is missing, the line ends.
fn curve(picture: &mut Picture, kind: usize, points: &[Option<Point>]) {
    let mut path = String::new();
    let mut pen_is_down = false;
    for point in points {
        if let Some(((x, y), _)) = point {
            path += &format!("{}{x:.1} {y:.1} ", if pen_is_down { 'L' } else { 'M' });
        }
        pen_is_down = point.is_some();
    }
    picture.body += &format!(
        "<path class=\"curve s{kind}\" d=\"{}\"/>\n",
        path.trim_end()
    );
    for ((x, y), note) in points.iter().flatten() {
        let shape = marker(kind, *x, *y);
        picture.body += &format!(
            "<g class=\"m{kind}\"><title>{}</title>{shape}</g>\n",
            escaped(note)
        );
    }
}

/// A sign for each kind of line, so that they are told from each other without colours.
fn marker(kind: usize, x: f64, y: f64) -> String {
    let outline = |corners: &[(f64, f64)]| {
        let corners: Vec<String> = corners
            .iter()
            .map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy))
            .collect();
        format!("<polygon points=\"{}\"/>", corners.join(" "))
    };
    match kind {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>"),
        1 => outline(&[(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)]),
        2 => outline(&[(0.0, -5.5), (5.0, 4.0), (-5.0, 4.0)]),
        3 => outline(&[(0.0, -6.0), (5.0, 0.0), (0.0, 6.0), (-5.0, 0.0)]),
        4 => outline(&[(0.0, 5.5), (5.0, -4.0), (-5.0, -4.0)]),
        5 => outline(&[(-2.0, -5.0), (2.0, -5.0), (2.0, 5.0), (-2.0, 5.0)]),
        6 => outline(&[(-5.5, -2.0), (5.5, -2.0), (5.5, 2.0), (-5.5, 2.0)]),
        _ => outline(&[
            (0.0, -5.5),
            (5.2, -1.7),
            (3.2, 4.5),
            (-3.2, 4.5),
            (-5.2, -1.7),
        ]),
    }
}

fn legend(picture: &mut Picture, kind: usize, y: f64, name: &str) {
    let x = LEFT + WIDTH + 24.0;
    picture.body += &format!(
        "<path class=\"curve s{kind}\" d=\"M{x:.1} {:.1} L{:.1} {:.1}\"/>",
        y - 4.0,
        x + 24.0,
        y - 4.0
    );
    picture.body += &format!(
        "<g class=\"m{kind}\">{}</g>\n",
        marker(kind, x + 12.0, y - 4.0)
    );
    picture.text((x + 32.0, y), Anchor::Start, name);
}

#[cfg(test)]
mod tests {
    use super::super::super::samples::{nothing, results};
    use super::*;

    #[test]
    fn every_good_pair_is_a_point_on_the_line_of_its_value() {
        let svg = curves(&results(), "threads", "kernel").unwrap();
        assert_eq!(
            svg.matches("<title>").count(),
            1 + 6,
            "the picture's and one for each point"
        );
        let path = |kind: &str| {
            svg.lines()
                .find(|line| line.starts_with(&format!("<path class=\"curve {kind}\"")))
                .unwrap()
                .to_owned()
        };
        assert_eq!(
            (
                path("s0").matches('M').count(),
                path("s0").matches('L').count()
            ),
            (1, 3)
        );
        assert_eq!(
            (
                path("s1").matches('M').count(),
                path("s1").matches('L').count()
            ),
            (1, 1),
            "two are missing at its start"
        );
        for text in [">threads<", ">kernel<", ">ms<", ">32<", ">256<", ">0<"] {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn lines_end_where_a_point_is_missing() {
        let mut picture = Picture::new(1.0, 1.0);
        let point = |x: f64| Some(((x, 0.0), String::new()));
        curve(&mut picture, 0, &[point(1.0), None, point(2.0), point(3.0)]);
        assert!(
            picture.body.contains("d=\"M1.0 0.0 M2.0 0.0 L3.0 0.0\""),
            "{}",
            picture.body
        );
    }

    #[test]
    fn nothing_good_is_no_picture() {
        assert!(curves(&nothing(), "threads", "kernel").is_none());
    }

    #[test]
    fn tick_texts_are_short() {
        assert_eq!(
            [0.5, 20.0, 0.0, 100.0].map(tick_text),
            ["0.5", "20", "0", "100"]
        );
    }
}
