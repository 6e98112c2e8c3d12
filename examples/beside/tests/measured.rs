//! The lines that were measured, the table of the README that is computed from them, and the lines as text.

#![allow(missing_docs, clippy::unwrap_used)]

use beside::line::{Line, Outcome, Time};
use beside::table::{self, Row, Summary};

const README: &str = include_str!("../../../README.md");

/// The cases of the README's table: the best and the worst ones, and those of most programs.
const SHOWN: [(&str, &str); 16] = [
    ("histogram 256", "2^26"),
    ("tiny launches", "10000x1024"),
    ("batched 64x64", "4096"),
    ("life u8", "4096^2"),
    ("saxpy", "2^26"),
    ("black-scholes", "2^24"),
    ("softmax", "4096x4096"),
    ("sum", "2^26"),
    ("jacobi 5pt", "4096^2"),
    ("layernorm", "8192x4096"),
    ("cumsum", "2^26"),
    ("select x>0", "2^24"),
    ("matmul f32", "4096"),
    ("argmax", "2^26"),
    ("spmv csr", "1e6x16"),
    ("sort u32", "2^24"),
];

fn lines() -> Vec<Line> {
    let files = [
        include_str!("../data/ours.jsonl"),
        include_str!("../data/peers.jsonl"),
        include_str!("../data/cuda.jsonl"),
    ];
    files
        .iter()
        .flat_map(|file| file.lines())
        .map(|line| Line::of_json(line).unwrap_or_else(|| panic!("{line}")))
        .collect()
}

fn row(case: &str, size: &str) -> Row {
    let rows = table::rows(&lines());
    rows.into_iter()
        .find(|row| row.case == case && row.size == size)
        .unwrap()
}

#[test]
fn the_table_of_the_readme_is_that_of_the_lines() {
    let table = table::markdown(&table::rows(&lines()), &SHOWN);
    assert_eq!(
        table.lines().count(),
        SHOWN.len() + 2,
        "a case has no ratio"
    );
    assert!(README.contains(&table), "{table}");
}

#[test]
fn the_readme_says_what_all_cases_say() {
    let Summary {
        cases,
        faster,
        mean,
    } = table::summary(&table::rows(&lines())).unwrap();
    let words = format!("{cases} cases, it is faster in {faster}; the geometric mean is {mean:.2}");
    let readme = README.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(readme.contains(&words), "{words}");
}

/// Saxpy, sums, dot products, softmax and options are within 10 % of the memory's limit, as the README says.
#[test]
fn programs_that_move_memory_are_near_its_limit() {
    for (case, size) in [
        ("saxpy", "2^26"),
        ("sum", "2^26"),
        ("row sums", "2^20x64"),
        ("row sums", "64x2^20"),
        ("dot", "2^26"),
        ("softmax", "4096x4096"),
        ("softmax", "65536x512"),
        ("black-scholes", "2^24"),
    ] {
        let row = row(case, size);
        assert!(row.floor_ms().unwrap() / row.ours[0].ms >= 0.9, "{row:?}");
    }
}

/// No kind of loss is left out: of the five cases that are lost most, but the second sort, the README shows what stands for them.
#[test]
fn the_readme_shows_the_worst_case_or_its_like() {
    let mut rows = table::rows(&lines());
    rows.retain(|row| row.ratio().is_some());
    rows.sort_by(|a, b| a.ratio().unwrap().total_cmp(&b.ratio().unwrap()));
    for row in rows.iter().filter(|row| row.ratio().unwrap() < 0.5) {
        let kind = row.case.split([' ', '_']).next().unwrap();
        let is_shown = SHOWN
            .iter()
            .any(|(case, _)| case.split([' ', '_']).next() == Some(kind));
        assert!(is_shown, "{} {}", row.case, row.size);
    }
}

#[test]
fn the_readme_names_the_card_the_day_and_the_commit() {
    let about: serde_json::Value =
        serde_json::from_str(include_str!("../data/about.json")).unwrap();
    let card = about["gpu"].as_str().unwrap().split(' ').nth(1).unwrap();
    for word in [
        card,
        about["date"].as_str().unwrap(),
        about["driver"].as_str().unwrap(),
    ] {
        assert!(README.contains(word), "{word}");
    }
}

/// By hand, from the files.
#[test]
fn the_fastest_of_each_side_are_compared() {
    let softmax = row("softmax", "65536x512");
    assert_eq!(
        (softmax.ours[0].by.as_str(), softmax.ours[0].ms),
        ("kernel own", 0.093101)
    );
    assert_eq!(
        (softmax.peers[0].by.as_str(), softmax.peers[0].ms),
        ("torch.compile", 0.089484)
    );
    assert_eq!(format!("{:.3}", softmax.ratio().unwrap()), "0.961");
    // 2^26 elements of 4 bytes at 3 TB/s.
    assert_eq!(
        format!("{:.4}", row("sum", "2^26").floor_ms().unwrap()),
        "0.0895"
    );
}

#[test]
fn a_line_comes_back_as_it_was_written() {
    let time = Time {
        ms: 0.25,
        wall_ms: 0.5,
        first_ms: 7.0,
        calls: 80,
    };
    for outcome in [
        Outcome::Timed(time),
        Outcome::Checked,
        Outcome::Failed("late \"x\"".into()),
    ] {
        let line = Line {
            case: "sum".into(),
            size: "2^20".into(),
            by: "ours/kernel".into(),
            outcome,
        };
        assert_eq!(Line::of_json(&line.to_json()), Some(line));
    }
    assert_eq!(Line::of_json("{\"case\":\"sum\",\"si"), None);
}

#[test]
fn what_failed_is_in_no_row() {
    let failed =
        Line::of_json("{\"case\":\"sum\",\"size\":\"2^20\",\"by\":\"torch\",\"error\":\"late\"}");
    assert_eq!(table::rows(&[failed.unwrap()]), []);
    assert_eq!(table::summary(&[]), None);
}
