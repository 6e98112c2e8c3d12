//! Results as one page of HTML that needs no other file.

mod choice;
mod why;

use super::svg::{STYLE, escaped};
use super::{
    Unit, bottleneck, comparable, compiled, measured, number, reasons, stages, time, values,
};
use crate::explore::result::{Evaluated, Outcome, Results, Value};

/// What a page shows.
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
/// let mut page = report::Page::of("Doubled", &results);
/// page.rows = 5;
/// assert!(report::page(&results, &page).contains("<title>Doubled"));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Page {
    /// The heading.
    pub title: String,
    /// The parameters to the right and upwards in the heat map that is shown first; none for no heat map.
    pub heat_map: Option<(String, String)>,
    /// Of the curves that are shown first the parameter to the right, and the one with a line for each
    /// value; no name for one line, of the best over all others.
    pub curves: Vec<(String, String)>,
    /// How many of the best candidates are listed.
    pub rows: usize,
}

impl Page {
    /// A page that shows the two parameters with most values in the heat map, numbers before words.
    /// Each parameter of numbers has curves, with a line for each word of the parameter of most
    /// words; where there are no words, or nothing else, the two parameters with most values have
    /// them.
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
    /// assert_eq!(report::Page::of("Doubled", &results).title, "Doubled");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn of(title: &str, results: &Results) -> Page {
        let mut varied: Vec<(bool, usize, &String)> = results
            .parameters
            .iter()
            .map(|name| kind(results, name))
            .collect();
        varied.retain(|(_, count, _)| *count > 1);
        // Numbers first, those with most values first; the sort keeps the order of the space.
        varied.sort_by_key(|(is_word, count, _)| (*is_word, usize::MAX - count));
        let name = |place: usize| varied.get(place).map(|(_, _, name)| (*name).clone());
        let numbers = varied.iter().filter(|(is_word, _, _)| !is_word).count();
        let has_words = varied.len() > numbers;
        let (count, line) = if has_words && numbers > 0 {
            (numbers, numbers)
        } else {
            (1, 1)
        };
        let curves = (0..count).filter_map(|place| name(place).zip(name(line)));
        Page {
            title: title.to_owned(),
            heat_map: name(0).zip(name(1)),
            curves: curves.collect(),
            rows: 25,
        }
    }
}

/// Is a parameter one of words, and how many values has it?
fn kind<'a>(results: &Results, name: &'a String) -> (bool, usize, &'a String) {
    let values = values(results, name);
    (
        values.iter().any(|value| matches!(value, Value::Word(_))),
        values.len(),
        name,
    )
}

/// The page: the best candidate and its CUDA, why it is ahead of the second and the worst,
/// pictures, the best candidates as a table, and those that have no score with the reasons. Of which parameters there are
/// pictures is chosen in the page; [`Page`] says which are shown first. It is light or dark as the reader's system is.
///
/// Where there are [several jobs](Results::has_several_jobs), each has a section, and pictures over the given parameter come first.
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
/// let page = report::page(&results, &report::Page::of("Doubled", &results));
/// // `std::fs::write("doubled.html", page)` keeps it.
/// assert!(page.starts_with("<!DOCTYPE html>") || page.starts_with("<!doctype html>"));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn page(results: &Results, page: &Page) -> String {
    let mut body = format!("<h1>{}</h1>\n", escaped(&page.title));
    if results.has_several_jobs() {
        let objective = escaped(&results.objective);
        body +=
            &format!("<p>Objective: {objective}. Each job has a best candidate of its own.</p>\n");
        body += &choice::pictures(results, &over_given(results, page));
        for (key, results) in results.by_key() {
            body += &format!("<h2>{}</h2>\n", escaped(&key.to_string()));
            body += &section(&results, &Page::of("", &results), page.rows);
        }
    } else {
        body += &section(results, page, page.rows);
    }
    let title = escaped(&page.title);
    let head = "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">";
    let style = format!("<style>\n{STYLE}{}</style>", include_str!("page.css"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n{head}\n<title>{title}</title>\n{style}\n</head>\n<body>\n{body}<script>\n{}</script>\n</body>\n</html>\n",
        choice::SCRIPT
    )
}

/// The same page, whose first pictures are over a given parameter.
fn over_given(results: &Results, page: &Page) -> Page {
    let mut given = results
        .given
        .iter()
        .filter(|name| values(results, name).len() > 1);
    let over = given.next().cloned().unwrap_or_default();
    let mut others = results
        .parameters
        .iter()
        .filter(|name| !results.given.contains(name));
    let line = others.find(|name| values(results, name).len() > 1).cloned();
    let line = line.unwrap_or_default();
    Page {
        curves: vec![(over.clone(), line.clone())],
        heat_map: Some((over, line)),
        ..page.clone()
    }
}

/// Everything about one job.
fn section(results: &Results, page: &Page, rows: usize) -> String {
    let ranked = results.ranked();
    let mut body = summary(results, &ranked);
    let pictures = results
        .is_mixed()
        .then(|| "Pictures show predicted seconds, which all candidates have".to_owned());
    let lines = [
        compiled(results),
        measured(results),
        results.lead(),
        pictures,
    ];
    for line in lines.into_iter().flatten() {
        body += &format!("<p>{}.</p>\n", escaped(&line));
    }
    body += &choice::pictures(results, page);
    body += &why::section(&ranked);
    body += &best(results, &ranked, rows);
    body += &cuda(&ranked);
    body += &without_score(results);
    body
}

fn summary(results: &Results, ranked: &[&Evaluated]) -> String {
    let counted = format!(
        "{} of {} candidates are good",
        ranked.len(),
        results.evaluated.len()
    );
    let objective = escaped(&results.objective);
    let Some((best, score)) = ranked
        .first()
        .and_then(|best| Some((best, best.outcome.score()?)))
    else {
        return format!("<p>Objective: {objective}. {counted}.</p>\n");
    };
    let (worst, least) = ranked
        .last()
        .and_then(|worst| comparable(worst, best))
        .unwrap_or((score, score));
    let takes = match results.is_mixed() {
        true => "is predicted to take",
        false => "takes",
    };
    format!(
        "<p>Objective: {objective}. {counted}; the worst of them {takes} {} times as long as the best.</p>\n\
         <p class=\"best\"><b>{}</b> <code>{}</code></p>\n",
        number(worst / least),
        time(score),
        escaped(&best.point.to_string())
    )
}

fn best(results: &Results, ranked: &[&Evaluated], rows: usize) -> String {
    let Some(least) = ranked.first().and_then(|best| best.outcome.score()) else {
        return String::new();
    };
    let unit = Unit::of(least);
    let mut head = vec!["".to_owned(), unit.name.to_owned(), "of best".to_owned()];
    let stages = stages(results);
    head.extend(stages.iter().map(|(name, _)| (*name).to_owned()));
    head.extend(results.parameters.iter().cloned());
    head.push("bottleneck".to_owned());
    let lines = ranked
        .iter()
        .take(rows)
        .enumerate()
        .map(|(rank, evaluated)| {
            let score = evaluated.outcome.score().unwrap_or(f64::NAN);
            let mut cells = vec![
                (rank + 1).to_string(),
                with_noise(evaluated, score, unit),
                ranked
                    .first()
                    .and_then(|best| comparable(evaluated, best))
                    .map_or(String::new(), |(own, best)| format!("{:.2}", own / best)),
            ];
            let seconds = |of: Option<f64>| of.map_or("–".to_owned(), |of| unit.show(of));
            cells.extend(stages.iter().map(|(_, of)| seconds(of(evaluated))));
            let value = |name: &String| {
                evaluated
                    .point
                    .get(name)
                    .map_or(String::new(), Value::to_string)
            };
            cells.extend(results.parameters.iter().map(value));
            cells.push(bottleneck(evaluated).to_owned());
            cells
        });
    let title = if ranked.len() > rows {
        format!("The best {rows} of {}", ranked.len())
    } else {
        "All good candidates".to_owned()
    };
    format!(
        "<h2>{title}</h2>\n{}",
        table(&head, &lines.collect::<Vec<_>>())
    )
}

fn with_noise(evaluated: &Evaluated, score: f64, unit: Unit) -> String {
    match evaluated.outcome {
        Outcome::Good { noise, .. } if noise > 0.0 => {
            format!("{} ± {}", unit.show(score), unit.show(noise))
        }
        _ => unit.show(score),
    }
}

/// A table; columns of numbers are set to the right.
fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let is_number =
        |cell: &String| cell.starts_with(|letter: char| letter.is_ascii_digit() || letter == '–');
    let right = |column: usize| {
        rows.iter()
            .all(|row| row.get(column).is_some_and(is_number))
    };
    let line = |tag: &str, row: &[String]| {
        let cell = |(column, cell): (usize, &String)| {
            let class = if right(column) {
                " class=\"number\""
            } else {
                ""
            };
            format!("<{tag}{class}>{}</{tag}>", escaped(cell))
        };
        format!(
            "<tr>{}</tr>\n",
            row.iter().enumerate().map(cell).collect::<String>()
        )
    };
    let body: String = rows.iter().map(|row| line("td", row)).collect();
    format!(
        "<div class=\"scroll\"><table>\n<thead>{}</thead>\n<tbody>\n{body}</tbody>\n</table></div>\n",
        line("th", head).trim_end()
    )
}

fn cuda(ranked: &[&Evaluated]) -> String {
    let Some(text) = ranked.first().and_then(|best| best.cuda.as_ref()) else {
        return String::new();
    };
    format!(
        "<h2>CUDA of the best</h2>\n<pre><code>{}</code></pre>\n",
        escaped(text)
    )
}

/// Those without a score: the reason, how many, and which.
fn without_score(results: &Results) -> String {
    let reasons = reasons(results);
    if reasons.is_empty() {
        return String::new();
    }
    let mut text = "<h2>Without a score</h2>\n".to_owned();
    for (kind, reason, of) in reasons {
        let points: String = of
            .iter()
            .map(|evaluated| {
                format!(
                    "<li><code>{}</code></li>",
                    escaped(&evaluated.point.to_string())
                )
            })
            .collect();
        let summary = format!("<b>{} {kind}</b>: {}", of.len(), escaped(reason));
        text += &format!("<details><summary>{summary}</summary><ul>{points}</ul></details>\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::samples::{nothing, results};
    use super::*;

    /// Every tag that is opened is closed, in order; and no text is a tag.
    fn check_tags(html: &str) -> usize {
        let (mut open, mut count) = (Vec::new(), 0);
        for tag in html
            .split('<')
            .skip(1)
            .map(|rest| rest.split('>').next().unwrap())
        {
            count += 1;
            let name = tag.split([' ', '\n', '/']).next().unwrap();
            if let Some(closed) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(closed), "after {count} tags");
            } else if !(tag.ends_with('/') || tag.starts_with('!') || name == "meta") {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?}");
        count
    }

    #[test]
    fn a_page_has_everything_on_it() {
        let results = results();
        let html = page(&results, &Page::of("Reductions <of> 512", &results));
        assert!(check_tags(&html) > 100);
        for text in [
            "<h1>Reductions &lt;of&gt; 512</h1>",
            "6 of 8 candidates are good",
            "<b>1.28 ms</b> <code>kernel=a &quot;b&quot;, &lt;c&gt; &amp; d\n=e threads=128</code>",
            "if (a &lt; b &amp;&amp; c &gt; d) { }",
            "<b>1 cannot be built</b>: too much &lt;shared&gt; memory",
            "<b>1 bad</b>: it panicked: &quot;no&quot;",
            "<h2>All good candidates</h2>",
            "<h2>Why it is ahead</h2>",
        ] {
            assert!(html.contains(text), "{text}");
        }
        // Two parameters: one heat map each way, and for each curves with lines for the other one and for none.
        assert_eq!(html.matches("<svg").count(), 2 + 4);
        assert_eq!(
            html.matches("<figure data-x=\"threads\" data-y=\"kernel\">")
                .count(),
            2
        );
        assert_eq!(
            html.matches(" hidden>\n<svg").count(),
            4,
            "one of each kind is shown"
        );
        assert_eq!(html.matches("<script>").count(), 1, "none but its own");
        assert!(
            !html.contains("http")
                || html.matches("http").count()
                    == html.matches("http://www.w3.org/2000/svg").count(),
            "no other file"
        );
    }

    #[test]
    fn each_job_has_a_section() {
        let mut results = results();
        results.given.push("threads".to_owned());
        let html = page(&results, &Page::of("Jobs", &results));
        check_tags(&html);
        for text in [
            "<h2>threads=32</h2>",
            "<h2>threads=256</h2>",
            "<p>Objective: predicted seconds on &lt;a GPU&gt;. Each job has",
        ] {
            assert!(html.contains(text), "{text}");
        }
        assert_eq!(html.matches("<h2>All good candidates</h2>").count(), 4);
        // Over the jobs there are no curves without them; in a section one parameter is left.
        assert!(html.contains("<figure data-x=\"threads\" data-y=\"kernel\">"));
        assert!(html.contains("<figure data-x=\"kernel\" data-y=\"\">"));
    }

    #[test]
    fn numbers_go_to_the_right_and_words_become_lines() {
        let page = Page::of("", &results());
        assert_eq!(
            page.heat_map,
            Some(("threads".to_owned(), "kernel".to_owned()))
        );
        assert_eq!(page.curves, [("threads".to_owned(), "kernel".to_owned())]);
    }

    #[test]
    fn a_page_of_nothing_says_so() {
        let results = nothing();
        let html = page(&results, &Page::of("Nothing", &results));
        check_tags(&html);
        assert!(html.contains("0 of 0 candidates are good"));
        assert_eq!(html.matches("<svg").count(), 0);
    }
}
