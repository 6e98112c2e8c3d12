//! How long it takes to compile, in this process.
//!
//! - `quickstart`: the expansion of the quickstart's module, tokens in, tokens out.
//! - `steps`: that of kernels of up to 256 steps, which must grow as they do, and not with their powers.
//! - `passes`: each pass and printer for kernels of 100 to 100,000 statements, per statement.
//! - `front`: the same for kernels of up to 100,000 statements as a user writes them.
//! - `modules`: modules of 1 to 200 kernels, and kernels of 1 to 300 variants.
//!
//! `cargo bench -p obsidian-expand --bench expansion`; words after `--` choose of
//! these, a number is the largest size, and other words choose shapes of kernels by a part of their names.

#[path = "../tests/front/steps/chains.rs"]
mod chains;
#[path = "../tests/front/large/programs.rs"]
mod programs;

use std::sync::Arc;
use std::time::Instant;

use chains::CHAINS;
use programs::{KERNELS, SOURCES, Shape};

use obsidian_core::emit::{cpu, cuda};
use obsidian_core::error::Diagnostics;
use obsidian_core::ir::read;
use obsidian_core::lower::strip;
use obsidian_core::pipeline::{Options, compile_watched};
use obsidian_expand as expand;
use obsidian_front::evaluate::evaluate;
use obsidian_front::read_module;
use proc_macro2::TokenStream;
use quote::ToTokens;

const SOURCE: &str = include_str!("../../../examples/quickstart/src/lib.rs");

/// Bytes of stack, as the front end has them.
const STACK: usize = 512 << 20;

/// The seconds that this thread has had of a processor, which other programs do not change much; where the
/// system does not tell, seconds.
fn seconds(start: Instant) -> f64 {
    let read = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = read.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |n| n / 1e9)
}

/// The milliseconds of one expansion.
fn expanded(name: &str, tokens: &TokenStream) -> f64 {
    let input = tokens.clone();
    let start = Instant::now();
    let output = expand::kernels(TokenStream::new(), input);
    let time = start.elapsed().as_secs_f64() * 1e3;
    let output = output.to_string();
    assert!(!output.contains("compile_error"), "{name} compiles");
    time
}

/// Each of the kernels at some sizes, best of three.
fn steps() {
    println!("expansion of kernels of 16, 64 and 256 steps, ms:");
    for (name, text) in CHAINS {
        let times = [16, 64, 256].map(|steps| {
            let tokens: TokenStream = text(steps).parse().expect("the module is Rust");
            let times = (0..3).map(|_| expanded(name, &tokens));
            times.fold(f64::INFINITY, f64::min)
        });
        println!(
            "{name:32} {:8.1} {:8.1} {:8.1}",
            times[0], times[1], times[2]
        );
    }
}

fn quickstart() {
    let file = syn::parse_file(SOURCE).expect("the quickstart is Rust");
    let mut module = file
        .items
        .into_iter()
        .find_map(|item| match item {
            syn::Item::Mod(module) => Some(module),
            _ => None,
        })
        .expect("the quickstart has a module");
    module
        .attrs
        .retain(|attribute| !attribute.path().is_ident("kernels"));
    let tokens = module.to_token_stream();
    let mut times: Vec<f64> = (0..300)
        .map(|_| expanded("the quickstart", &tokens))
        .collect();
    times.sort_by(f64::total_cmp);
    let (best, median, worst) = (times[0], times[times.len() / 2], times[times.len() - 1]);
    println!(
        "expansion of the quickstart's module, 2 kernels: median {median:.2} ms, best {best:.2} ms, worst {worst:.2} ms"
    );
}

/// The passes and printers of one kernel, in order, with the seconds of each.
type Times = Vec<(&'static str, f64)>;

/// Adds the times of one build; and what came of it.
fn timed(text: &str, times: &mut Times) -> String {
    let start = Instant::now();
    let mut last = seconds(start);
    let mut watch = |pass: &'static str| {
        let now = seconds(start);
        let time = now - std::mem::replace(&mut last, now);
        match times.iter_mut().find(|(name, _)| *name == pass) {
            Some((_, known)) => *known += time,
            None => times.push((pass, time)),
        }
    };
    let kernel = read(text).unwrap_or_else(|error| panic!("{error}"));
    watch("read");
    let options = Options {
        threads: 64,
        ..Options::default()
    };
    match compile_watched(kernel, &options, &mut watch) {
        Err(wrong) => {
            watch("check");
            wrong
                .to_string()
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned()
        }
        Ok(plan) => {
            watch("rest");
            let length = cuda(&plan).len();
            watch("cuda");
            let rust = cpu::cpu(&plan).len();
            watch("cpu");
            let steps = plan.steps_of_checks();
            drop(plan);
            watch("drop");
            format!("{length} bytes of CUDA, {rust} of Rust, {steps} steps of checks")
        }
    }
}

/// Builds a kernel, and adds the seconds of each pass; what came of it.
type Build = fn(&str, &mut Times) -> String;

/// Microseconds a statement of each pass, at sizes that grow by ten.
fn table(name: &str, shape: fn(usize) -> String, most: usize, build: Build) {
    println!("{name}: microseconds a statement");
    let mut size = 100;
    while size <= most {
        let text = shape(size);
        let (mut times, mut came) = (Times::new(), String::new());
        // The system counts in thousandths of a second.
        let builds = (50_000 / size).max(1);
        (0..builds).for_each(|_| came = build(&text, &mut times));
        let (all, each) = (
            times.iter().map(|(_, time)| time).sum::<f64>(),
            (builds * size) as f64,
        );
        print!("{size:>8} {:>8.2}", all * 1e6 / each);
        for (pass, time) in times {
            if time >= 0.03 * all {
                print!("  {pass} {:.2}", time * 1e6 / each);
            }
        }
        println!("\n{:8} {came}", "");
        size *= 10;
    }
}

/// The front end for one module, in order, with the seconds of each: reading, evaluating, and the passes.
fn built(text: &str, times: &mut Times) -> String {
    let start = Instant::now();
    let mut last = seconds(start);
    let mut watch = |pass: &'static str| {
        let now = seconds(start);
        let time = now - std::mem::replace(&mut last, now);
        match times.iter_mut().find(|(name, _)| *name == pass) {
            Some((_, known)) => *known += time,
            None => times.push((pass, time)),
        }
    };
    let file: syn::File = syn::parse_str(text).unwrap_or_else(|error| panic!("{error}"));
    let items = match file.items.into_iter().next() {
        Some(syn::Item::Mod(module)) => module.content.map(|content| content.1),
        _ => None,
    };
    watch("parse");
    let reading = read_module(&items.unwrap_or_default());
    watch("read");
    if let Some(mistakes) = reading.mistakes {
        return mistakes.to_string();
    }
    let module = Arc::new(reading.module);
    let last = module.functions.len() as u32 - 1;
    let evaluation = evaluate(&module, last);
    watch("evaluate");
    let wrong = |wrong: Diagnostics| {
        wrong
            .to_string()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let kernel = match evaluation.result.and_then(strip) {
        Ok(kernel) => kernel,
        Err(mistakes) => return wrong(mistakes),
    };
    watch("strip");
    let options = Options {
        threads: 64,
        ..Options::default()
    };
    let plan = match compile_watched(kernel, &options, &mut watch) {
        Ok(plan) => plan,
        Err(mistakes) => return wrong(mistakes),
    };
    watch("rest");
    let length = cuda(&plan).len();
    watch("cuda");
    format!(
        "{length} bytes of CUDA, {} steps of checks",
        plan.steps_of_checks()
    )
}

/// Modules with many kernels, and kernels with many variants, as the macro expands them.
fn modules() {
    type Module = fn(usize) -> String;
    for (what, text, sizes) in [
        ("kernels", programs::kernels as Module, [1, 10, 50, 200]),
        ("variants", programs::variants as Module, [1, 10, 100, 300]),
    ] {
        for n in sizes {
            let tokens: TokenStream = text(n).parse().expect("the module is Rust");
            let time = (0..3)
                .map(|_| expanded(what, &tokens))
                .fold(f64::INFINITY, f64::min);
            println!(
                "{n:>4} {what}: {time:8.1} ms, {:.2} ms each",
                time / n as f64
            );
        }
    }
}

fn chosen<'s>(list: &'s [Shape], words: &'s [String]) -> impl Iterator<Item = &'s Shape> {
    let is_one = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    list.iter().filter(move |(name, _)| is_one(name))
}

/// The shapes of a list that are chosen, each on a thread of its own.
fn tables(list: &[Shape], words: &[String], most: usize, build: Build) {
    for (name, shape) in chosen(list, words).copied() {
        let stack = std::thread::Builder::new().stack_size(STACK);
        let thread = stack.spawn(move || table(name, shape, most, build));
        let _ = thread.expect("a thread starts").join();
    }
}

const SECTIONS: [&str; 5] = ["quickstart", "steps", "passes", "front", "modules"];

fn main() {
    let mut words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let most = words
        .iter()
        .find_map(|word| word.parse().ok())
        .unwrap_or(100_000);
    words.retain(|word| word.parse::<usize>().is_err());
    let (sections, words): (Vec<String>, Vec<String>) = words
        .into_iter()
        .partition(|word| SECTIONS.contains(&word.as_str()));
    let is_wanted = |section: &str| sections.is_empty() || sections.iter().any(|s| s == section);
    if is_wanted("quickstart") {
        quickstart();
    }
    if is_wanted("steps") {
        steps();
    }
    if is_wanted("passes") {
        tables(KERNELS, &words, most, timed);
    }
    if is_wanted("front") {
        tables(SOURCES, &words, most, built);
    }
    if is_wanted("modules") {
        modules();
    }
}
