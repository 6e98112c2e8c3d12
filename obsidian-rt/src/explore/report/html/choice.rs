//! Pictures of which the reader chooses the parameters: all are in the page, and one of each kind is shown.

use super::super::svg::{draw_curves, draw_heat_map, escaped};
use super::super::values;
use super::Page;
use crate::explore::result::Results;

/// Changes which pictures are shown. Without it the first ones are.
pub(super) const SCRIPT: &str = include_str!("choice.js");

/// A picture for two parameters.
type Draw = fn(&Results, &str, &str) -> Option<String>;

/// What a line for each value of no parameter is called.
const BEST_OF_ALL: &str = "the best of all";

/// Curves and heat maps for any two parameters that have more than one value; `page` says which are shown first.
pub(super) fn pictures(results: &Results, page: &Page) -> String {
    let varied: Vec<&str> = results
        .parameters
        .iter()
        .map(String::as_str)
        .filter(|name| values(results, name).len() > 1)
        .collect();
    let Some(first) = varied.first() else {
        return String::new();
    };
    let mut lines = vec![""];
    lines.extend(&varied);
    let curve = page
        .curves
        .first()
        .map_or((*first, ""), |(x, line)| (x, line));
    let mut text = chosen(
        results,
        ("Curves over", "with a line for each"),
        (&varied, &lines),
        curve,
        draw_curves,
    );
    if let Some((x, y)) = &page.heat_map {
        let words = ("Heat map of", "and");
        text += &chosen(results, words, (&varied, &varied), (x, y), draw_heat_map);
    }
    text
}

/// One kind of picture, with what is chosen.
fn chosen(
    results: &Results,
    (words, between): (&str, &str),
    (columns, rows): (&[&str], &[&str]),
    shown: (&str, &str),
    draw: Draw,
) -> String {
    let mut figures = String::new();
    for x in columns {
        for y in rows.iter().filter(|y| *y != x) {
            let Some(svg) = draw(results, x, y) else {
                continue;
            };
            let hidden = if (*x, *y) == shown { "" } else { " hidden" };
            let (x, y) = (escaped(x), escaped(y));
            figures += &format!("<figure data-x=\"{x}\" data-y=\"{y}\"{hidden}>\n{svg}</figure>\n");
        }
    }
    if figures.is_empty() {
        return String::new();
    }
    let choice = |names: &[&str], shown: &str| {
        let option = |name: &&str| {
            let selected = if *name == shown { " selected" } else { "" };
            let words = if name.is_empty() { BEST_OF_ALL } else { name };
            format!(
                "<option value=\"{}\"{selected}>{}</option>",
                escaped(name),
                escaped(words)
            )
        };
        format!(
            "<select>{}</select>",
            names.iter().map(option).collect::<String>()
        )
    };
    format!(
        "<div class=\"pictures\">\n<p>{words} {} {between} {}</p>\n{figures}<p class=\"note\" hidden>There is no picture of these two.</p>\n</div>\n",
        choice(columns, shown.0),
        choice(rows, shown.1)
    )
}
