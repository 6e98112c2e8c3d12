//! Every program of every case at a small size, against plain Rust.

#![allow(missing_docs, clippy::unwrap_used)]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use beside::bench::Bench;
use beside::line::{Line, Outcome};
use beside::run;
use obsidian_rt::prelude::*;

/// The case and the layer of each line.
fn programs<'a>(lines: impl Iterator<Item = &'a Line>) -> BTreeSet<(String, String)> {
    lines
        .map(|line| (line.case.clone(), line.by.clone()))
        .collect()
}

#[test]
fn every_program_is_right_on_the_cpu() {
    let lines = RefCell::new(Vec::new());
    run(&Bench {
        device: Device::cpu(),
        large: false,
        only: None,
        report: Box::new(|line| lines.borrow_mut().push(line)),
    });
    let lines = lines.into_inner();
    for line in &lines {
        assert_eq!(
            line.outcome,
            Outcome::Checked,
            "{} by {}",
            line.case,
            line.by
        );
    }
    // None of the measured ones is gone.
    let measured = include_str!("../data/ours.jsonl");
    let measured: Vec<Line> = measured.lines().filter_map(Line::of_json).collect();
    let (found, measured) = (programs(lines.iter()), programs(measured.iter()));
    assert!(
        measured.is_subset(&found),
        "{:?}",
        measured.difference(&found)
    );
}

#[test]
fn words_choose_programs() {
    let lines = RefCell::new(Vec::new());
    run(&Bench {
        device: Device::cpu(),
        large: false,
        only: Some("saxpy kernel".into()),
        report: Box::new(|line| lines.borrow_mut().push(line.by)),
    });
    assert_eq!(lines.into_inner(), ["ours/kernel"]);
}

/// What a machine with a GPU does: calls are queued until a series is long enough to be timed.
#[test]
fn a_series_of_calls_takes_twenty_milliseconds() {
    let bench = Bench {
        device: Device::cpu(),
        large: true,
        only: None,
        report: Box::new(|_| ()),
    };
    let time = bench.time(|| {
        std::thread::sleep(Duration::from_millis(1));
        Ok(())
    });
    let time = time.unwrap();
    assert!(
        time.ms >= 1.0 && time.wall_ms >= 1.0 && time.first_ms >= 1.0,
        "{time:?}"
    );
    assert!((2..=30).contains(&time.calls), "{time:?}");
    let failed = bench.time(|| Err(Device::cuda(u32::MAX).unwrap_err()));
    assert!(failed.is_err());
}
