//! The checks hold on the devices that every machine has, and a device that computes something else
//! is found.

use gpu_check::{Case, Extent, Report, run};
use obsidian_rt::prelude::*;

#[test]
fn the_cpu_is_right() {
    let report = run(&Device::cpu(), Extent::Quick, |_| ());
    assert!(report.cases.len() > 200, "{report}");
    assert_eq!(report.wrong(), 0, "{report}");
}

#[test]
fn every_check_runs_a_kernel_and_can_fail() {
    // Launches with no blocks to run on are errors, so that what launches nothing is seen.
    let report = run(&Device::cpu().with_blocks(0), Extent::Quick, |_| ());
    let names: std::collections::BTreeSet<_> = gpu_check::checks::all()
        .iter()
        .map(|check| check.name)
        .collect();
    let failed: std::collections::BTreeSet<_> = report
        .cases
        .iter()
        .filter(|case| case.wrong.is_some())
        .map(|case| case.check)
        .collect();
    assert_eq!(failed, names);
}

#[test]
fn a_report_is_a_table_and_json() {
    let case = |length, threads, wrong: Option<&str>| Case {
        check: "a: b",
        length,
        threads,
        wrong: wrong.map(str::to_owned),
    };
    let cases = vec![
        case(1, None, None),
        case(7, Some(33), Some("element 3 is 1, and it should be 2")),
    ];
    let report = Report {
        device: "cpu".to_owned(),
        cases,
    };
    let table = report.to_string();
    assert!(
        table.contains("wrong: a: b of 7 with 33 threads: element 3"),
        "{table}"
    );
    assert!(table.ends_with("2 cases on cpu, 1 wrong"), "{table}");
    let json = report.json();
    assert_eq!(
        (
            &json["cases"],
            &json["wrong"],
            &json["results"][1]["threads"]
        ),
        (&2.into(), &1.into(), &33.into())
    );
    assert!(json["results"][0]["wrong"].is_null());
}
