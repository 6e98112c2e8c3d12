//! The programs of `programs/`: their types hold, the benchmarks give the values that the paper's definitions have, and all others what plain
//! Rust gives.

mod comparing;
mod naive;
mod plain;

use std::path::{Path, PathBuf};

use comparing::{compared, read, replaced, resized, run_on};
use naive::{Settings, evaluate};
use obsidian_rt::Device;
use tail::parse::parse;
use tail::syntax::Expr;
use tail::types::check;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

fn text(name: &str) -> String {
    read(&folder().join(format!("{name}.tail")))
}

/// A program with another size.
fn sized(name: &str, size: u32) -> String {
    resized(&text(name), size)
}

fn program(text: &str) -> Expr {
    let program = parse(text).and_then(|program| check(&program).map(|()| program));
    program.unwrap_or_else(|mistake| panic!("{}", mistake.shown("", text)))
}

/// What a program prints.
fn printed(text: &str) -> String {
    let ran = run_on(&Device::cpu(), &program(text), text, &folder());
    ran.unwrap_or_else(|error| panic!("{error}"))
}

/// The number in the last line.
fn result(printed: &str) -> f64 {
    let last = printed.lines().last().expect("a result");
    let number = last.trim_start_matches("[](").trim_end_matches(')');
    number.replace('~', "-").parse().expect(last)
}

fn is_near(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() <= 1e-11 * wanted.abs()
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
        ("sieve", 100, 1060.0),
    ];
    for (name, size, wanted) in known {
        let text = sized(name, size);
        let ran = printed(&text);
        let found = result(&ran);
        assert!(
            is_near(found, wanted),
            "{name} {size}: {found}, and not {wanted}"
        );
        let steps = 1_000_000_000;
        let settings = Settings {
            steps,
            ..Settings::default()
        };
        let outcome = evaluate(&program(&text), &settings).expect(name);
        compared(&ran, &outcome.text()).expect(name);
    }
}

#[test]
fn values_at_the_sizes_of_the_paper() {
    let known = [
        ("integral", 10_000_000, 0.358351852179),
        ("life", 200, 120.0),
        ("life", 2000, 31.0),
        ("blackscholes", 1000, 21.1917962201),
        ("blackscholes", 10_000, 21.1901384671),
        ("sobolpi", 100_000, 3.14184),
        ("primes", 10_000, 5_736_396.0),
    ];
    for (name, size, wanted) in known {
        let found = result(&printed(&sized(name, size)));
        assert!(
            is_near(found, wanted),
            "{name} {size}: {found}, and not {wanted}"
        );
    }
}

#[test]
#[ignore = "takes minutes where nothing is optimised"]
fn values_at_the_largest_sizes() {
    let known = [
        ("signal", 10_000_000, 158.765386876),
        ("signal", 50_000_000, 192.053893136),
        ("sobolpi", 1_000_000, 3.141696),
        ("sobolpi", 10_000_000, 3.1415952),
    ];
    for (name, size, wanted) in known {
        let found = result(&printed(&sized(name, size)));
        assert!(
            is_near(found, wanted),
            "{name} {size}: {found}, and not {wanted}"
        );
    }
    for size in [512, 1024] {
        let found = result(&printed(&sized("hotspot", size)));
        let wanted = plain::hotspot(size as usize, 360);
        assert!(
            is_near(found, wanted),
            "hotspot {size}: {found}, and not {wanted}"
        );
    }
}

#[test]
fn the_integral_is_the_sum_that_it_stands_for() {
    for size in [1, 10, 1000] {
        let wanted = plain::integral(size);
        let found = result(&printed(&sized("integral", size)));
        assert!((found - wanted).abs() <= 1e-10 * wanted, "{size}: {found}");
    }
}

#[test]
fn hot_spots_are_those_of_a_loop_over_cells() {
    for (size, steps) in [(1, 3), (2, 5), (33, 1), (64, 20)] {
        let text = replaced(
            &sized("hotspot", size),
            "let v1:[int]0 = ",
            &format!("let v1:[int]0 = {steps} in"),
        );
        let (found, wanted) = (
            result(&printed(&text)),
            plain::hotspot(size as usize, steps),
        );
        assert!(
            is_near(found, wanted),
            "{size} {steps}: {found}, and not {wanted}"
        );
    }
}

/// The temperatures and powers of Rodinia, `temp_64` and `power_64` and so on in the folder that `OBSIDIAN_TAIL_HOTSPOT` names, a number a line.
#[test]
fn hot_spots_of_rodinia() {
    let Some(folder) = std::env::var_os("OBSIDIAN_TAIL_HOTSPOT").map(PathBuf::from) else {
        println!(
            "skipped: Rodinia's inputs, because OBSIDIAN_TAIL_HOTSPOT does not name their folder"
        );
        return;
    };
    let known = [
        (64, 1, 343.744795431),
        (64, 360, 337.549140097),
        (512, 1, 343.944300043),
        (512, 360, 337.775811212),
    ];
    let mut compared = 0;
    for (size, steps, wanted) in known {
        if !folder.join(format!("temp_{size}")).exists() {
            println!("skipped: temp_{size}, which is not there");
            continue;
        }
        let mut text = sized("hotspot", size);
        let letters = |name: &str| {
            let name = format!("{name}_{size}");
            let letters: Vec<String> = name.chars().map(|c| format!("'{c}'")).collect();
            letters.join(",")
        };
        for (variable, name) in [("v3", "temp"), ("v5", "power")] {
            let begin = format!("let {variable}:[double]1 = ");
            let line = format!("{begin}readDoubleVecFile([{}]) in", letters(name));
            text = replaced(&text, &begin, &line);
        }
        text = replaced(
            &text,
            "let v1:[int]0 = ",
            &format!("let v1:[int]0 = {steps} in"),
        );
        let ran = run_on(&Device::cpu(), &program(&text), &text, &folder);
        let found = result(&ran.unwrap_or_else(|error| panic!("{error}")));
        assert!(
            is_near(found, wanted),
            "{size} {steps}: {found}, and not {wanted}"
        );
        compared += 1;
    }
    assert!(compared > 0);
}

/// A program prints what plain Rust says, on the CPU and in the simulator.
fn prints(name: &str, text: &str, wanted: &str) {
    let known = program(text);
    for device in [Device::cpu(), Device::simulator()] {
        let ran = run_on(&device, &known, text, &folder());
        let ran = ran.unwrap_or_else(|error| panic!("{name}: {error}"));
        compared(&ran, wanted).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

fn vector<T: std::fmt::Display>(values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(T::to_string).collect();
    format!("[{}]({})", values.len(), values.join(","))
}

#[test]
fn the_sieve_leaves_primes() {
    for size in [1, 2, 30, 1000] {
        let is_prime = |n: &i32| *n > 1 && (2..*n).all(|d| n % d != 0);
        let primes: Vec<i32> = (1..=size).filter(is_prime).collect();
        let sum: i32 = primes.iter().sum();
        let wanted = format!("{}\n[]({sum}.0)\n", vector(&primes));
        prints("sieve", &sized("sieve", size.unsigned_abs()), &wanted);
    }
}

#[test]
fn the_statistics_of_a_text() {
    let text = read(&folder().join("text.txt"));
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    let words: Vec<&str> = text
        .split(|c: char| !c.is_ascii_alphabetic())
        .filter(|word| !word.is_empty())
        .collect();
    let of = |letter: char| {
        text.chars()
            .filter(move |c| c.to_ascii_lowercase() == letter)
    };
    let counts: Vec<usize> = ('a'..='z').map(|letter| of(letter).count()).collect();
    let longest = words.iter().map(|word| word.len()).max().unwrap_or(0);
    let numbers = [text.chars().count(), letters, words.len()];
    let wanted = format!(
        "{}\n{}\n[]({longest}.0)\n",
        vector(&numbers),
        vector(&counts)
    );
    prints("text", &self::text("text"), &wanted);
}

#[test]
fn the_glider_moves() {
    // After four generations the same five cells, one further down and one to the right.
    let picture = |shift: usize| {
        let cells = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)];
        let is_there = |y, x| {
            cells
                .iter()
                .any(|(r, c)| ((r + shift) % 12, (c + shift) % 12) == (y, x))
        };
        let row = |y: usize| (0..12).map(move |x| if is_there(y, x) { '#' } else { '.' });
        let rows = (0..12).map(|y| format!(" {}\n", row(y).collect::<String>()));
        format!("\n{}\n", rows.collect::<String>())
    };
    let wanted = [0, 1, 5].map(picture).concat();
    prints("glider", &text("glider"), &format!("{wanted}[](5.0)\n"));
}

#[test]
fn the_mandelbrot_set_is_a_picture() {
    let mut wanted = "\n".to_owned();
    let mut inside = 0;
    for row in 0..21 {
        wanted.push(' ');
        for column in 0..61 {
            let (cx, cy) = (f64::from(column) / 20.0 - 2.0, 1.0 - f64::from(row) / 10.0);
            let (mut x, mut y) = (0.0f64, 0.0f64);
            for _ in 0..50 {
                (x, y) = (x * x - y * y + cx, x * y + y * x + cy);
            }
            let is_inside = x.hypot(y) < 2.0;
            inside += i32::from(is_inside);
            wanted.push(if is_inside { '*' } else { ' ' });
        }
        wanted.push('\n');
    }
    prints(
        "mandelbrot",
        &text("mandelbrot"),
        &format!("{wanted}\n[]({inside}.0)\n"),
    );
}

#[test]
fn the_product_of_matrices_is_that_of_three_loops() {
    for n in [3i32, 64] {
        let a: Vec<i32> = (1..=n * n).map(|i| 7 * i % 23 - 11).collect();
        let b: Vec<i32> = (1..=n * n).map(|i| 5 * i % 19 - 9).collect();
        let element = |y: i32, x: i32| -> i32 {
            let one = |k: i32| a[(y * n + k) as usize] * b[(k * n + x) as usize];
            (0..n).map(one).sum()
        };
        let sum: i32 = (0..n)
            .map(|y| (0..n).map(|x| element(y, x)).sum::<i32>())
            .sum();
        let row = |y| {
            (0..3)
                .map(move |x| element(y, x).to_string())
                .collect::<Vec<_>>()
        };
        let rows = [0, 1].map(row);
        let width = rows.iter().flatten().map(String::len).max().unwrap_or(0);
        let line = |row: &Vec<String>| {
            let padded = row.iter().map(|x| format!(" {x:>width$}"));
            padded.collect::<String>() + "\n"
        };
        let wanted = format!("\n{}{}\n[]({sum}.0)\n", line(&rows[0]), line(&rows[1]));
        prints("matmul", &sized("matmul", n.unsigned_abs()), &wanted);
    }
}

#[test]
fn averages_move() {
    let x: Vec<f64> = (1..=20).map(|i: i32| f64::from(i * i % 17)).collect();
    let averages: Vec<f64> = x.windows(5).map(|w| w.iter().sum::<f64>() / 5.0).collect();
    // Sums of whole numbers are exact.
    let wanted = format!("{}\n[](0.0)\n", vector(&averages));
    prints("average", &text("average"), &wanted);
}

#[test]
fn runs_are_found_and_written_out_again() {
    let wanted = "aaabccaaaadd\nabcad\n[5](3,1,2,4,2)\naaabccaaaadd\n[](1.0)\n";
    prints("runs", &text("runs"), wanted);
}

#[test]
fn bisections_end_at_cube_roots() {
    let roots: Vec<f64> = (1..=27).map(|n| f64::from(n).cbrt()).collect();
    let wanted = format!("{}\n[]({})\n", vector(&roots), roots.iter().sum::<f64>());
    prints("bisection", &text("bisection"), &wanted);
}

#[test]
fn a_histogram_counts() {
    let mut counts = [0; 10];
    (1..=1000).for_each(|n: usize| counts[n * n % 10] += 1);
    let wanted = format!("{}\n[](1000.0)\n", vector(&counts));
    prints("histogram", &text("histogram"), &wanted);
}

#[test]
fn the_triangle_of_pascal_has_binomial_coefficients() {
    let choose = |n: u64, k: u64| (1..=k).fold(1, |c, i| c * (n + 1 - i) / i);
    let row = |n: u64| vector(&(0..=n).map(|k| choose(n, k)).collect::<Vec<u64>>());
    let rows: Vec<String> = (0..=10).map(row).collect();
    prints(
        "pascal",
        &text("pascal"),
        &format!("{}\n[](1024.0)\n", rows.join("\n")),
    );
}

#[test]
fn every_program_of_the_folder_is_tested_here() {
    let here = include_str!("programs.rs");
    for name in comparing::names(&folder()) {
        assert!(here.contains(&format!("\"{name}\"")), "{name}");
        program(&text(&name));
        assert!(text(&name).starts_with("(*"), "{name}: what does it show?");
    }
}
