//! The seven benchmarks of the paper, as `tail run` runs them, on one thread, beside the same of plain Rust; and how long the programs of the
//! reference implementation take to be built.
//!
//! `cargo bench -p tail`, or `cargo bench -p tail -- life` for some of them; `OBSIDIAN_TAIL_PROGRAMS` names the folder of the programs. Times are CPU time of the process, medians.

#![allow(missing_docs)]

#[path = "../tests/plain/mod.rs"]
mod plain;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;

use obsidian_rt::Device;
use tail::parse::parse;
use tail::run::{MEMORY, Options, Part, segments};
use tail::syntax::Expr;
use tail::types::check;
use tail::value::Array;

/// How often each is timed.
const RUNS: usize = 3;

/// A benchmark: its program, its size, the aim for its ratio, how often plain Rust repeats it, and plain Rust.
type Row = (&'static str, u32, f64, u32, fn(u32) -> f64);

const ROWS: [Row; 8] = [
    ("integral", 10_000_000, 1.2, 10, plain::integral),
    ("signal", 50_000_000, 2.0, 1, plain::signal),
    ("life", 2_000, 3.0, 20, plain::life),
    ("easter", 3_000, 1.5, 3_000, |n| {
        plain::easter(n.cast_signed())
    }),
    ("sobolpi", 10_000_000, 1.5, 1, plain::sobol_pi),
    ("hotspot", 512, 2.0, 1, |n| plain::hotspot(n as usize, 360)),
    ("hotspot", 1_024, 2.0, 1, |n| {
        plain::hotspot(n as usize, 360)
    }),
    ("blackscholes", 10_000, 1.5, 20, plain::black_scholes),
];

fn main() {
    // One thread for both: the CPU times of two threads that share a core add up to more.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    one.expect("a thread").install(all);
}

fn all() {
    println!(
        "| benchmark | operators | launches | to the first result, ms | runs, ms | plain Rust, ms | runs / plain | aim |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let asked: Vec<&String> = asked.iter().filter(|name| !name.starts_with('-')).collect();
    for row in ROWS {
        if asked.is_empty() || asked.iter().any(|name| *name == row.0) {
            compared(row);
        }
    }
    if !asked.is_empty() {
        return;
    }
    match std::env::var_os("OBSIDIAN_TAIL_PROGRAMS").map(PathBuf::from) {
        Some(folder) => builds(&folder),
        None => println!("not measured: builds, because OBSIDIAN_TAIL_PROGRAMS names no folder"),
    }
}

/// Prints the line of a benchmark: the time from its text to its first result, that of runs once it is built, and that of plain Rust.
fn compared((name, size, aim, times, plain): Row) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{name}.tail"));
    let text = sized(&fs::read_to_string(&file).expect(name), size);
    let device = Device::cpu();
    let (mut operators, mut launches, mut value, mut run) = (0, 0, f64::NAN, f64::NAN);
    let first = median(|| value = ran(&text, &file, &mut |_| {}));
    ran(&text, &file, &mut |part: &Part| {
        assert_eq!(part.number, 1, "{name}");
        let schedule = part.program.schedule();
        operators = schedule.operators();
        launches = schedule.launches_for(part.numbers).unwrap_or(0);
        let again = || part.program.run(&device, &[]).map(drop).expect(name);
        again();
        run = median(|| (0..times).for_each(|_| again()));
    });
    let mut wanted = f64::NAN;
    let own = median(|| {
        for _ in 0..times {
            wanted = std::hint::black_box(plain)(std::hint::black_box(size));
        }
    });
    let is_same = (value - wanted).abs() <= 1e-10 * wanted.abs();
    assert!(is_same, "{name}: {value}, and not {wanted}");
    let ratio = run / own;
    let (first, run, own) = (first * 1e3, run * 1e3, own * 1e3);
    println!(
        "| {name} {size} x {times} | {operators} | {launches} | {first:.0} | {run:.0} | {own:.0} | {ratio:.1} | {aim:.1} |",
    );
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

/// The CPU time of this process in seconds, in steps of 10 ms; the time of the clock where the system does not say.
fn seconds() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = text.rsplit(')').next().unwrap_or_default();
    let fields = behind_name.split_whitespace().skip(11).take(2);
    let ticks: Vec<u32> = fields.filter_map(|field| field.parse().ok()).collect();
    match ticks.as_slice() {
        [user, system] => f64::from(user + system) / 100.0,
        _ => BEGIN.elapsed().as_secs_f64(),
    }
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
