//! The seven benchmarks of the paper, as `tail run` runs them, on one thread, beside the same of plain Rust; and how long the programs of the
//! reference implementation take to be built.
//!
//! `cargo bench -p tail`, or `cargo bench -p tail -- life` for some of them. With `OBSIDIAN_LONG` set, the programs that `tail rust` prints are built and
//! run too, which compiles the library once more. `OBSIDIAN_TAIL_PROGRAMS` names the folder of the reference programs. Times are CPU time, medians.

#![allow(missing_docs)]

mod cpu_time;
#[path = "../tests/crate_of/mod.rs"]
mod crate_of;
#[path = "../tests/plain/mod.rs"]
mod plain;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use cpu_time::seconds;

use obsidian_rt::Device;
use tail::parse::parse;
use tail::run::{MEMORY, Options, Part, segments};
use tail::syntax::Expr;
use tail::types::check;
use tail::value::Array;

/// How often each is timed.
const RUNS: usize = 3;

/// A benchmark.
struct Row {
    name: &'static str,
    size: u32,
    /// How often it is run for one time.
    times: u32,
    /// The aims for the ratios to plain Rust: built while the program runs, and compiled with it.
    aims: [f64; 2],
    plain: fn(u32) -> f64,
}

const ROWS: [Row; 8] = [
    row("integral", 10_000_000, 10, [1.2, 0.6], plain::integral),
    row("signal", 50_000_000, 1, [2.0, 1.2], plain::signal),
    row("life", 2_000, 20, [3.0, 1.2], plain::life),
    row("easter", 3_000, 3_000, [1.5, 0.6], |n| {
        plain::easter(n.cast_signed())
    }),
    row("sobolpi", 10_000_000, 1, [1.5, 1.5], plain::sobol_pi),
    row("hotspot", 512, 1, [2.0, 1.0], |n| {
        plain::hotspot(n as usize, 360)
    }),
    row("hotspot", 1_024, 1, [2.0, 1.0], |n| {
        plain::hotspot(n as usize, 360)
    }),
    row("blackscholes", 10_000, 20, [1.5, 0.6], plain::black_scholes),
];

const fn row(
    name: &'static str,
    size: u32,
    times: u32,
    aims: [f64; 2],
    plain: fn(u32) -> f64,
) -> Row {
    Row {
        name,
        size,
        times,
        aims,
        plain,
    }
}

fn main() {
    // One thread for both: the CPU times of two threads that share a core add up to more.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    one.expect("a thread").install(all);
}

fn all() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let asked: Vec<&String> = asked.iter().filter(|name| !name.starts_with('-')).collect();
    let is_asked = |row: &&Row| asked.is_empty() || asked.iter().any(|name| *name == row.name);
    let rows: Vec<&Row> = ROWS.iter().filter(is_asked).collect();
    let program = match std::env::var_os("OBSIDIAN_LONG") {
        Some(_) => Some(compiled(&rows)),
        None => {
            println!("not measured: what `tail rust` prints, because OBSIDIAN_LONG is not set\n");
            None
        }
    };
    println!(
        "| benchmark | operators | launches | to the first result, ms | runs, ms | plain Rust, ms | runs / plain | aim | compiled, ms | compiled / plain | aim |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (number, row) in rows.iter().enumerate() {
        compared(row, program.as_deref().map(|program| (program, number)));
    }
    if !asked.is_empty() {
        return;
    }
    match std::env::var_os("OBSIDIAN_TAIL_PROGRAMS").map(PathBuf::from) {
        Some(folder) => builds(&folder),
        None => println!("not measured: builds, because OBSIDIAN_TAIL_PROGRAMS names no folder"),
    }
}

fn file_of(row: &Row) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{}.tail", row.name))
}

fn text_of(row: &Row) -> String {
    sized(&fs::read_to_string(file_of(row)).expect(row.name), row.size)
}

/// Prints the line of a benchmark: the time from its text to its first result, that of runs once it is built, that of plain Rust, and that of
/// the program that was compiled.
fn compared(row: &Row, compiled: Option<(&Path, usize)>) {
    let (file, text) = (file_of(row), text_of(row));
    let device = Device::cpu();
    let (mut operators, mut launches, mut value, mut run) = (0, 0, f64::NAN, f64::NAN);
    let first = median(|| value = ran(&text, &file, &mut |_| {}));
    ran(&text, &file, &mut |part: &Part| {
        assert_eq!(part.number, 1, "{}", row.name);
        let schedule = part.program.schedule();
        operators = schedule.operators();
        launches = schedule.launches_for(part.numbers).unwrap_or(0);
        let again = || part.program.run(&device, &[]).map(drop).expect(row.name);
        again();
        run = median(|| (0..row.times).for_each(|_| again()));
    });
    let mut wanted = f64::NAN;
    let own = median(|| {
        for _ in 0..row.times {
            wanted = std::hint::black_box(row.plain)(std::hint::black_box(row.size));
        }
    });
    let is_same = |value: f64| (value - wanted).abs() <= 1e-10 * wanted.abs();
    assert!(is_same(value), "{}: {value}, and not {wanted}", row.name);
    let compiled = compiled.map(|(program, number)| {
        let (value, seconds) = timed(program, number, row);
        assert!(is_same(value), "{}: {value}, and not {wanted}", row.name);
        seconds
    });
    let ms = |seconds: f64| format!("{:.0}", seconds * 1e3);
    let ratio = |seconds: f64| format!("{:.1}", seconds / own);
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    println!(
        "| {} {} x {} | {operators} | {launches} | {} | {} | {} | {} | {:.1} | {} | {} | {:.1} |",
        row.name,
        row.size,
        row.times,
        ms(first),
        ms(run),
        ms(own),
        ratio(run),
        row.aims[0],
        or_none(compiled.map(ms)),
        or_none(compiled.map(ratio)),
        row.aims[1],
    );
}

/// The program of all benchmarks, each as `tail rust` prints it.
fn compiled(rows: &[&Row]) -> PathBuf {
    let module = |(number, row): (usize, &&Row)| {
        let (name, text) = (format!("{}_{number}.tail", row.name), text_of(row));
        let module = tail::rust::printed(&name, &text, &parsed(&text));
        module.unwrap_or_else(|mistake| panic!("{}", mistake.shown(&name, &text)))
    };
    let modules: Vec<String> = rows.iter().enumerate().map(module).collect();
    let modules: Vec<&str> = modules.iter().map(String::as_str).collect();
    let numbers = 0..rows.len();
    let declared = numbers.clone().map(|n| format!("mod program_{n};\n"));
    let called = numbers
        .map(|n| format!("            {n} => program_{n}::run(&device, &host, &mut keep),\n"));
    let main = COMPILED
        .replace("// programs\n", &declared.collect::<String>())
        .replace("            // calls\n", &called.collect::<String>())
        .replace("FOLDER", env!("CARGO_MANIFEST_DIR"));
    crate_of::built("tail-rust-seven", &modules, &main, true)
}

/// It runs a program once, and then so often as it is asked for, and prints the result and the CPU time.
const COMPILED: &str = r#"//! The seven benchmarks.
#[path = "FOLDER/benches/cpu_time.rs"]
mod cpu_time;
// programs
fn main() {
    let words: Vec<String> = std::env::args().collect();
    let (number, times): (usize, u32) = (words[1].parse().unwrap(), words[2].parse().unwrap());
    let host = tail::rust::support::Host::new("FOLDER/programs".to_owned(), 1);
    let device = obsidian_rt::Device::cpu();
    let mut value = f64::NAN;
    let mut run = || {
        let mut keep = |array: &tail::value::Array| {
            if let Some(tail::syntax::Constant::Double(last)) = array.value() {
                value = last;
            }
        };
        let ran = match number {
            // calls
            _ => panic!("no program has the number {number}"),
        };
        ran.unwrap();
    };
    run();
    let begin = cpu_time::seconds();
    (0..times).for_each(|_| run());
    println!("{value:e} {}", cpu_time::seconds() - begin);
}
"#;

/// The value of a compiled program, and how long its runs take.
fn timed(program: &Path, number: usize, row: &Row) -> (f64, f64) {
    let run = || {
        let output = Command::new(program)
            .args([number.to_string(), row.times.to_string()])
            .env("RAYON_NUM_THREADS", "1")
            .output()
            .expect(row.name);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let numbers: Vec<f64> = text.split_whitespace().flat_map(str::parse).collect();
        match numbers.as_slice() {
            [value, seconds] => (*value, *seconds),
            _ => panic!("{}: {}", row.name, String::from_utf8_lossy(&output.stderr)),
        }
    };
    let mut runs: Vec<(f64, f64)> = (0..RUNS).map(|_| run()).collect();
    runs.sort_by(|a, b| a.1.total_cmp(&b.1));
    runs[RUNS / 2]
}

/// How long the programs of a folder take to be read, checked and built.
fn builds(folder: &Path) {
    let files = fs::read_dir(folder).expect("the folder").flatten();
    let files = files.map(|file| file.path());
    let mut files: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|name| name == "tail"))
        .collect();
    files.sort();
    let mut all: Vec<(f64, String)> = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).expect("a program");
        let mut times: Vec<f64> = (0..RUNS).map(|_| built(&text, file)).collect();
        times.sort_by(f64::total_cmp);
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        all.push((times[RUNS / 2], name.into_owned()));
    }
    let sum: f64 = all.iter().map(|(time, _)| time).sum();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!(
        "\n{} programs are built in {:.0} ms; the longest:",
        all.len(),
        sum
    );
    for (time, name) in all.iter().take(5) {
        println!("{name}: {:.1} ms", time);
    }
}

/// The milliseconds in which all parts of a program are built, by the clock.
fn built(text: &str, file: &Path) -> f64 {
    let begin = Instant::now();
    let program = parsed(text);
    let mut building = begin.elapsed();
    let mut show = |part: &Part| building += part.built;
    let ran = segments("", text, &program, &options(file), &mut show, &mut |_| {});
    ran.unwrap_or_else(|problem| panic!("{}", problem.line("", text)));
    building.as_secs_f64() * 1e3
}

fn ran(text: &str, file: &Path, show: &mut dyn FnMut(&Part)) -> f64 {
    let program = parsed(text);
    let mut last = None;
    let mut keep = |array: &Array| last = array.value();
    let ended = segments("", text, &program, &options(file), show, &mut keep);
    ended.unwrap_or_else(|problem| panic!("{}", problem.line("", text)));
    match last {
        Some(tail::syntax::Constant::Double(value)) => value,
        _ => f64::NAN,
    }
}

fn options(file: &Path) -> Options {
    Options {
        device: Device::cpu(),
        seed: 1,
        fuse: true,
        folder: file.parent().map(Path::to_path_buf).unwrap_or_default(),
        memory: MEMORY,
    }
}

fn parsed(text: &str) -> Expr {
    let program = parse(text).and_then(|program| check(&program).map(|()| program));
    program.unwrap_or_else(|mistake| panic!("{}", mistake.shown("", text)))
}

/// A program with another size.
fn sized(text: &str, size: u32) -> String {
    let begin = "let v0:[int]0 = ";
    let lines = text.lines().map(|line| match line.starts_with(begin) {
        true => format!("{begin}{size} in"),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn median(mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let begin = seconds();
            run();
            seconds() - begin
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}
