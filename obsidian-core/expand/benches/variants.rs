//! What variants cost while a crate compiles: reading, evaluating, checking and printing each, in
//! this process; and how many bytes of code the macro gives to the compiler for each.
//!
//! `cargo bench -p obsidian-expand --bench variants`; with `-- --print N` it prints
//! a crate's source with N variants instead, as the macro expands it, to see what rustc takes for
//! it.

use std::time::Instant;

use obsidian_expand as expand;
use proc_macro2::TokenStream;

/// A kernel with so many variants: sums of runs, each thread beginning with `seq` elements in
/// sequence.
fn module(variants: u32) -> TokenStream {
    let lengths: Vec<String> = (0..variants)
        .map(|n| (1024 * (n + 1)).to_string())
        .collect();
    let text = format!(
        "pub mod sums {{
            fn sum(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {{
                if arr.len() % 2 == 1 {{ return pure(arr.push()); }}
                let (a, b) = arr.halve();
                let arr = compute(zip_with(|x, y| x + y, a, b))?;
                sum(arr)
            }}
            fn started(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {{
                let sums = compute(run.coalesce(run.len() / 64).as_block_map(|own| exec_thread_value(seq_reduce(|x, y| x + y, own))))?;
                sum(sums)
            }}
            #[kernel(threads = 64, run = [{}])]
            pub fn sums(run: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {{
                input.split_up(run).as_grid_map(|run| exec_block(started(run)))
            }}
        }}",
        lengths.join(", ")
    );
    text.parse().expect("the module is Rust")
}

fn expanded(variants: u32) -> (f64, String) {
    let input = module(variants);
    let start = Instant::now();
    let output = expand::kernels(TokenStream::new(), input);
    let seconds = start.elapsed().as_secs_f64();
    let text = output.to_string();
    assert!(!text.contains("compile_error"), "the module compiles");
    (seconds, text)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--print") {
        let variants = arguments
            .get(at + 1)
            .and_then(|n| n.parse().ok())
            .unwrap_or(1);
        println!(
            "{}\nfn main() {{ println!(\"{{}}\", sums::sums::variants().len()); }}",
            expanded(variants).1
        );
        return;
    }
    println!("variants   expansion   each       code");
    for variants in [1, 2, 16, 64, 256, 1024] {
        let (seconds, text) = (0..3)
            .map(|_| expanded(variants))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .expect("there are three");
        let each = seconds * 1e3 / f64::from(variants);
        println!(
            "{variants:>8} {:>8.1} ms {each:>7.3} ms {:>8.1} KiB",
            seconds * 1e3,
            text.len() as f64 / 1024.0
        );
    }
}
