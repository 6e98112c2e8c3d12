//! The checks hold on the devices that every machine has, and a device that computes something else
//! is found.

use gpu_check::{Case, Extent, Judged, Report, run};
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
        .filter(|case| case.is_wrong())
        .map(|case| case.check)
        .collect();
    assert_eq!(failed, names);
}

#[test]
fn a_report_is_a_table_and_json() {
    let case = |length, threads, judged| Case {
        check: "a: b",
        length: Some(length),
        threads,
        judged,
    };
    let wrong = Judged::Wrong("element 3 is 1, and it should be 2".to_owned());
    let cases = vec![
        case(1, None, Judged::Right),
        case(7, Some(33), wrong),
        case(
            9,
            Some(31),
            Judged::NotRun("there is no compiler".to_owned()),
        ),
    ];
    let report = Report {
        cases,
        ..Report::of("cpu")
    };
    let table = report.to_string();
    for line in [
        "wrong: a: b of 7 with 33 threads: element 3",
        "not run: a: b of 9 with 31 threads: there is",
    ] {
        assert!(table.contains(line), "{table}");
    }
    assert!(
        table.ends_with("3 cases on cpu, 1 wrong, 1 not run"),
        "{table}"
    );
    let json = report.json();
    assert_eq!(
        (
            &json["cases"],
            &json["wrong"],
            &json["not_run"],
            &json["finished"],
            &json["results"][1]["threads"]
        ),
        (&3.into(), &1.into(), &1.into(), &true.into(), &33.into())
    );
    assert!(json["results"][0]["wrong"].is_null());
    assert!(json["results"][2]["not_run"].is_string());
}
