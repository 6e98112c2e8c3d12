//! What goes wrong inside of an algorithm names its argument and the line of its call.

use obsidian_rt::{Device, Error, ErrorKind, Result, algorithms};

fn devices() -> [Device; 3] {
    [Device::cpu(), Device::cpu_by_columns(), Device::simulator()]
}

/// A call on the line of this one, or the next, fails so.
#[track_caller]
fn fails<T: std::fmt::Debug>(result: Result<T>, algorithm: &str, words: &str) {
    let line = std::panic::Location::caller().line();
    let error: Error = result.unwrap_err();
    let text = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Fault, "{text}");
    let found = text
        .split("faults.rs:")
        .nth(1)
        .and_then(|at| at.split(':').next());
    let found: Option<u32> = found.and_then(|at| at.parse().ok());
    // The call is the first argument of this one.
    let is_there = found.is_some_and(|found| (line..line + 3).contains(&found));
    let begins = format!("algorithm `{algorithm}`: ");
    assert!(
        text.starts_with(&begins) && text.contains(words) && is_there,
        "{text}"
    );
    for own in ["array_", "4294967295", "src/algorithms", "kernel"] {
        assert!(!text.contains(own), "{text}");
    }
}

#[test]
fn offsets_of_segments() {
    let xs = [1u32; 10];
    for d in devices() {
        for offsets in [
            &[11u32, 11][..],
            &[u32::MAX; 2],
            &[0, 5, 3],
            &[5, 4],
            &[0, 11],
            &[3, 11, 11],
        ] {
            let offsets = offsets.to_vec();
            fails(
                algorithms::segmented_reduce(&d, &xs, &offsets, |x, y| x + y, 100),
                "segmented_reduce",
                "`offsets`",
            );
        }
        let sums = algorithms::segmented_reduce(&d, &xs, &[0u32, 0, 10, 10], |x, y| x + y, 100);
        assert_eq!(sums.unwrap().to_vec().unwrap(), [100, 110, 100]);
        let none = algorithms::segmented_reduce(&d, &[0u32; 0], &[0u32, 0], |x, y| x + y, 7);
        assert_eq!(none.unwrap().to_vec().unwrap(), [7]);
    }
}

#[test]
fn numbers_of_elements() {
    let xs = [1u32, 2, 3];
    for d in devices() {
        fails(
            algorithms::gather(&d, &[0u32, 3], &xs),
            "gather",
            "index 3 is outside of `xs`",
        );
        fails(
            algorithms::gather(&d, &[7u32], (&xs, &xs)),
            "gather",
            "index 7 is outside of `xs",
        );
        fails(
            algorithms::scatter(&d, &xs, &[0u32, 9, 1], &xs),
            "scatter",
            "index 9 is outside of `defaults`",
        );
        for bins in [3usize, 300, 5000] {
            let numbers = [0u32, 1, bins as u32];
            fails(
                algorithms::histogram(&d, &numbers, bins),
                "histogram",
                "`numbers`",
            );
        }
    }
}

/// An algorithm inside of a closure of another one runs on every device.
#[test]
fn algorithms_inside_of_closures() {
    for d in devices() {
        let inner = d.clone();
        let found = algorithms::map(&d, &[1u32, 2, 3], move |x| {
            let sum = algorithms::sum(&inner, &[10u32, 20, 30]).unwrap_or(0);
            let most = algorithms::reduce(&inner, &[1u32, 5, 2], |x, y| x.max(y), 0).unwrap_or(0);
            x + sum + most
        });
        assert_eq!(found.unwrap().to_vec().unwrap(), [66, 67, 68]);
    }
}
