//! The programs of `programs/`: their types hold, and small sizes give the values that the paper's definitions have.

mod comparing;
mod naive;

use std::path::Path;

use obsidian_rt::Device;

use naive::{Settings, evaluate};
use tail::parse::parse;
use tail::types::check;

/// A program with another size, the value of its first line.
fn value(name: &str, size: u32) -> f64 {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{name}.tail"));
    let text = std::fs::read_to_string(&file).expect("the program is there");
    let (first, rest) = text.split_once('\n').expect("it has a line for its size");
    assert!(first.starts_with("let v0:[int]0 = ") && first.ends_with(" in"));
    let text = format!("let v0:[int]0 = {size} in\n{rest}");
    let program = parse(&text).expect(name);
    check(&program).unwrap_or_else(|mistake| panic!("{}", mistake.shown(name, &text)));
    let steps = 1_000_000_000;
    let settings = Settings {
        steps,
        ..Settings::default()
    };
    let outcome = evaluate(&program, &settings).expect(name);
    let printed = outcome.text();
    let ran = comparing::run_on(&Device::cpu(), &program, &text, Path::new("."));
    let ran = ran.unwrap_or_else(|error| panic!("{name}: {error}"));
    comparing::compared(&ran, &printed).expect(name);
    let last = printed.lines().last().expect("a result");
    let number = last.trim_start_matches("[](").trim_end_matches(')');
    number.replace('~', "-").parse().expect(last)
}

#[test]
fn values_at_small_sizes() {
    let known = [
        ("signal", 1000, 128.612259757),
        ("life", 1, 70.0),
        ("life", 10, 112.0),
        ("easter", 3000, 30_000_413.0),
        ("blackscholes", 10, 21.3744145065),
        ("sobolpi", 1000, 3.144),
        // The primes up to 100.
        ("primes", 100, 1060.0),
    ];
    for (name, size, wanted) in known {
        let found = value(name, size);
        assert!(
            (found - wanted).abs() <= 1e-11 * wanted,
            "{name} {size}: {found}, and not {wanted}"
        );
    }
}

#[test]
fn the_integral_is_the_sum_that_it_stands_for() {
    for size in [1, 10, 1000] {
        let n = f64::from(size);
        let terms = (1..=size).map(|i| 2.0 / (10.0 * f64::from(i) / n + 2.0) / n);
        let wanted: f64 = terms.sum();
        let found = value("integral", size);
        assert!((found - wanted).abs() <= 1e-10 * wanted, "{size}: {found}");
    }
}
