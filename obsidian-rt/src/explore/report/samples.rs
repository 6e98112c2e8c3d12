//! Results for the tests of reports.

use crate::explore::{
    Checked, Compilation, Evaluated, Measurement, Needs, Outcome, Point, Results, Stages, Value,
};

/// A candidate with words that every format has to escape.
pub const AWKWARD: &str = "a \"b\", <c> & d\n=e";

/// Two kernels, four numbers of threads: one not built, one wrong.
pub fn results() -> Results {
    let mut evaluated = Vec::new();
    for (kernel, factor) in [("red1", 2.0), (AWKWARD, 1.0)] {
        for threads in [32u32, 64, 128, 256] {
            let outcome = match (kernel, threads) {
                ("red1", 32) => Outcome::CannotBuild("too much <shared> memory".to_owned()),
                ("red1", 64) => Outcome::Bad("it panicked: \"no\"".to_owned()),
                _ => good(factor * 1e-3 * (1.0 + (f64::from(threads) / 100.0 - 1.0).abs())),
            };
            let needs = Some(Needs {
                threads,
                shared_bytes: 4 * threads,
                registers: None,
                local_bytes: 0,
                blocks: 10,
            });
            let values = vec![
                ("kernel".to_owned(), Value::from(kernel)),
                ("threads".to_owned(), Value::from(threads)),
            ];
            let cuda = Some("if (a < b && c > d) { }".to_owned());
            evaluated.push(Evaluated {
                point: Point { values },
                outcome,
                cuda,
                needs,
            });
        }
    }
    Results {
        objective: "predicted seconds on <a GPU>".to_owned(),
        parameters: vec!["kernel".to_owned(), "threads".to_owned()],
        given: Vec::new(),
        evaluated,
        untried: Vec::new(),
        compilation: Compilation::NotAsked,
        measurement: Measurement::NotAsked,
    }
}

fn good(score: f64) -> Outcome {
    let mut counts = crate::Counts::default();
    (counts.blocks, counts.launches, counts.block_waits) = (2, 1, 14);
    let detail = vec![
        ("memory".to_owned(), 0.7 * score),
        ("latency".to_owned(), 0.2 * score),
    ];
    Outcome::Good {
        score,
        noise: 0.0,
        interval: None,
        checked: Checked::Whole,
        counted_blocks: 2,
        counts: Some(Box::new(counts)),
        detail,
        compiled: Vec::new(),
        stages: Stages {
            predicted: Some(score),
            ..Stages::default()
        },
    }
}

/// Nothing was tried.
pub fn nothing() -> Results {
    Results {
        evaluated: Vec::new(),
        ..results()
    }
}
