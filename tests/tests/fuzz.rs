//! The front end's answers to inputs that nobody would write: mutated modules of the repository, kernels and device
//! functions, modules made from a grammar, and deep, long and hungry ones. No panic, no fault of ours, no
//! endless work, and every error inside of the input.
//!
//! An ordinary run tries 200, with `OBSIDIAN_LONG=1` 1,000; `OBSIDIAN_FULL=1` tries 200,000, in which case it should be
//! optimised and watch itself:
//!
//! ```sh
//! CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true OBSIDIAN_FULL=1 \
//!     cargo test --release -p obsidian-tests --test fuzz -- --nocapture
//! ```
//!
//! What fails is made smaller and kept in `tests/tests/fuzz/`, where the next run finds it. An
//! input that ends the whole process, by an overflow of the stack, is still in the folder of
//! temporary files, from where the next run takes it first. The text of one seed: `OBSIDIAN_SEED=17
//! cargo test -p obsidian-tests --test fuzz one_seed -- --ignored --nocapture`; with `OBSIDIAN_DEVICE=1` that of a
//! device function.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use obsidian_build::Kernels;
use obsidian_tests::fuzz::mutate::Pool;
use obsidian_tests::fuzz::shapes::{HUNGRY, SHAPES};
use obsidian_tests::fuzz::trees::{Tree, count, find, text, trees};
use obsidian_tests::fuzz::verdict::{Answer, judge};
use obsidian_tests::fuzz::{grammar, seeds};
use obsidian_tests::sweep::long;

/// The stack on which rustc expands macros, in bytes.
const STACK: usize = 8 << 20;

fn is_full() -> bool {
    std::env::var_os("OBSIDIAN_FULL").is_some()
}

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz")
}

fn running() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz")
}

/// Runs `work` on a thread with the compiler's stack.
fn on_the_compilers_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work);
        thread
            .expect("a thread can be started")
            .join()
            .expect("the thread does not panic")
    })
}

/// Where inputs come from, and what they are called.
struct Inputs {
    name: &'static str,
    pool: Pool,
    /// Is one of four made from the grammar of kernels, and no mutant?
    has_grammar: bool,
}

impl Inputs {
    fn kernels() -> Inputs {
        Inputs {
            name: "seed",
            pool: Pool::of(&seeds::pieces()),
            has_grammar: true,
        }
    }

    fn devices() -> Inputs {
        Inputs {
            name: "device",
            pool: Pool::of(&seeds::devices()),
            has_grammar: false,
        }
    }

    /// The n-th input.
    fn input(&self, seed: u64) -> String {
        if self.has_grammar && seed % 4 == 3 {
            grammar::module(seed)
        } else {
            self.pool.mutant(seed)
        }
    }
}

/// A smaller input with the same failure.
fn smaller(input: &str) -> String {
    let Ok(tokens) = input.parse() else {
        return input.to_owned();
    };
    let mut best: Vec<Tree> = trees(tokens);
    let (mut n, mut tries) = (0, 0);
    while n < count(&best) && tries < 2_000 {
        let mut less = best.clone();
        if let Some((list, at)) = find(&mut less, n) {
            drop(list.remove(at));
        }
        tries += 1;
        if judge(&text(&less)).is_err() {
            best = less
        } else {
            n += 1
        }
    }
    text(&best)
}

/// Judges an input, which lies in a file meanwhile.
fn judged(name: &str, input: &str, running: &Path) -> Result<Answer, String> {
    fs::write(running, input).expect("temporary files can be written");
    judge(input).map_err(|wrong| {
        let (less, file) = (smaller(input), kept().join(format!("{name}.rs")));
        fs::write(&file, &less).expect("the repository can be written");
        format!("{name}: {wrong}\n{less}\nkept as {}", file.display())
    })
}

/// What a worker has seen.
#[derive(Default)]
struct Seen {
    code: usize,
    errors: usize,
    no_tokens: usize,
    wrong: Vec<String>,
    /// Milliseconds and seed.
    slowest: Vec<(u128, u64)>,
}

/// Works through the seeds that no other worker has taken.
fn work(inputs: &Inputs, next: &AtomicU64, last: u64, worker: usize) -> Seen {
    let (running, mut seen) = (
        running().join(format!("running-{}-{worker}.rs", inputs.name)),
        Seen::default(),
    );
    while seen.wrong.len() < 10 {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= last {
            break;
        }
        let (input, start) = (inputs.input(seed), Instant::now());
        match judged(&format!("{}-{seed}", inputs.name), &input, &running) {
            Ok(Answer::Code) => seen.code += 1,
            Ok(Answer::Errors(_)) => seen.errors += 1,
            Ok(Answer::NoTokens) => seen.no_tokens += 1,
            Err(wrong) => seen.wrong.push(wrong),
        }
        seen.slowest.push((start.elapsed().as_millis(), seed));
        seen.slowest.sort_unstable_by(|a, b| b.cmp(a));
        seen.slowest.truncate(8);
    }
    drop(fs::remove_file(running));
    seen
}

#[test]
fn inputs_at_random_are_answered() {
    let last = match (is_full(), long()) {
        (true, _) => 200_000,
        (_, true) => 1_000,
        _ => 200,
    };
    fs::create_dir_all(running()).expect("temporary folders can be made");
    for file in replayed(&running()) {
        drop(fs::remove_file(file));
    }
    // One after the other: the first test that fails names its input, and both use all cores.
    all_are_answered(&Inputs::kernels(), last);
    all_are_answered(&Inputs::devices(), last);
}

/// Judges the inputs of some seeds, on all cores.
fn all_are_answered(inputs: &Inputs, last: u64) {
    println!("{} 0 to {}", inputs.name, last - 1);
    let (next, workers) = (
        AtomicU64::new(0),
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    let seen: Vec<Seen> = std::thread::scope(|scope| {
        let start = |n| {
            let next = &next;
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || work(inputs, next, last, n))
        };
        let threads: Vec<_> = (0..workers)
            .map(|n| start(n).expect("a thread can be started"))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("the worker does not panic"))
            .collect()
    });
    let total = |f: fn(&Seen) -> usize| seen.iter().map(f).sum::<usize>();
    let (code, errors) = (total(|s| s.code), total(|s| s.errors));
    println!(
        "{code} compiled, {errors} had errors, {} were no tokens",
        total(|s| s.no_tokens)
    );
    let mut slowest: Vec<_> = seen.iter().flat_map(|s| s.slowest.clone()).collect();
    slowest.sort_unstable_by(|a, b| b.cmp(a));
    println!("slowest (ms, seed): {slowest:?}");
    let wrong: Vec<&String> = seen.iter().flat_map(|s| &s.wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Mutants that all failed at their first token would try nothing.
    assert!(
        code * 50 > last as usize && errors * 4 > last as usize,
        "{code} compiled and {errors} had errors"
    );
}

/// Judges the inputs of a folder; its files.
fn replayed(folder: &Path) -> Vec<PathBuf> {
    let list = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = list
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    files.sort();
    for file in &files {
        println!("{}", file.display());
        let input =
            fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        on_the_compilers_stack(|| judge(&input))
            .unwrap_or_else(|wrong| panic!("{}: {wrong}", file.display()));
    }
    files
}

#[test]
fn what_once_failed_is_answered() {
    assert!(!replayed(&kept()).is_empty());
}

#[test]
#[ignore = "shows the input of OBSIDIAN_SEED"]
fn one_seed() {
    let seed = std::env::var("OBSIDIAN_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .expect("OBSIDIAN_SEED is a number");
    let inputs = match std::env::var_os("OBSIDIAN_DEVICE") {
        Some(_) => Inputs::devices(),
        None => Inputs::kernels(),
    };
    let input = inputs.input(seed);
    println!("{input}\n{:#?}", on_the_compilers_stack(|| judge(&input)));
}

#[test]
fn deep_and_long_inputs_are_answered() {
    let full = is_full();
    let sizes: &[usize] = if full {
        &[0, 1, 73, 85, 128, 129, 256, 512]
    } else {
        &[1, 85, 256]
    };
    for (name, shape) in SHAPES {
        for &size in sizes {
            answered(name, shape, size);
        }
        // A megabyte or two of what is refused; so much of what compiles would be a long test.
        if answered(name, shape, 2_000) && full {
            answered(name, shape, 100_000);
        }
    }
}

/// Depths at which rustc's own parser overflows its stack never come to the macro: the build
/// script, which reads the file itself, has to refuse them with a place in it.
#[test]
fn the_build_script_refuses_what_rustc_dies_of() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("deep");
    fs::create_dir_all(&folder).expect("temporary folders can be made");
    let file = folder.join("lib.rs");
    let sizes: &[usize] = if is_full() {
        &[2_000, 20_000, 200_000]
    } else {
        &[2_000, 20_000]
    };
    let mut refused = 0;
    for (name, shape) in SHAPES {
        // What is long and not deep compiles, in time.
        if !matches!(
            on_the_compilers_stack(|| judge(&shape(2_000))),
            Ok(Answer::Errors(_))
        ) {
            continue;
        }
        for &size in sizes {
            fs::write(&file, format!("#[kernels]\n{}", shape(size)))
                .expect("temporary files can be written");
            let built =
                on_the_compilers_stack(|| Kernels::new().source(&file).out_dir(&folder).compile());
            let words = built.expect_err(name).to_string();
            let place = words
                .split_once(&format!("{}:", file.display()))
                .and_then(|(_, rest)| rest.split(':').next()?.parse::<u32>().ok());
            assert_eq!(
                place,
                Some(2),
                "{name}, {size}: {}",
                &words[..words.len().min(500)]
            );
            assert!(
                !words.contains("a bug in Obsidian"),
                "{name}, {size}: {words}"
            );
            refused += 1;
        }
    }
    assert!(refused > 60, "only {refused} are refused");
}

#[test]
fn hungry_inputs_are_answered() {
    for (n, (name, shape)) in HUNGRY.iter().enumerate() {
        let sizes: &[usize] = match n % 2 {
            _ if long() => &[0, 1, 40, 300, 20_000],
            0 => &[0, 40, 20_000],
            _ => &[1, 300],
        };
        for &size in sizes {
            answered(name, shape, size);
        }
    }
}

/// Judges a shape at a size; true if it is refused.
fn answered(name: &str, shape: &fn(usize) -> String, size: usize) -> bool {
    println!("{name}, {size}");
    let (input, start) = (shape(size), Instant::now());
    let answer = on_the_compilers_stack(|| judge(&input));
    println!("    {} ms, {}", start.elapsed().as_millis(), words(&answer));
    assert!(answer.is_ok(), "{name}, {size}: {answer:?}");
    !matches!(answer, Ok(Answer::Code))
}

/// The first line of an answer.
fn words(answer: &Result<Answer, String>) -> &str {
    match answer {
        Ok(Answer::Errors(list)) => list
            .first()
            .and_then(|text| text.lines().next())
            .unwrap_or_default(),
        Ok(Answer::Code) => "compiles",
        Ok(Answer::NoTokens) => "no tokens",
        Err(wrong) => wrong,
    }
}
