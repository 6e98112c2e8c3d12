//! How long the simulator takes: many small launches, as the tests make them, and a few large ones.
//!
//! `cargo bench -p obsidian-core --bench simulation`

use std::time::Instant;

use obsidian_core::ir::{Kernel, Levelled, read};
use obsidian_core::pipeline::{Options, compile};
use obsidian_core::plan::Plan;
use obsidian_core::simulate::{Argument, run};

/// Sums of runs of 512 elements: a tree in shared memory.
fn reduction() -> Kernel<Levelled> {
    let mut body = "allocate s0: u32[256_u32] shared forall Block i0 < 256_u32 {
        store s0[i0] = (input[((b *' 512_u32) +' i0)] + input[((b *' 512_u32) +' (i0 +' 256_u32))]) } wait Block "
        .to_owned();
    let (mut n, mut k) = (128, 0);
    while n > 0 {
        let next = k + 1;
        body += &format!(
            "allocate s{next}: u32[{n}_u32] shared forall Block i{next} < {n}_u32 {{
                store s{next}[i{next}] = (s{k}[i{next}] + s{k}[(i{next} +' {n}_u32)]) }} wait Block "
        );
        (n, k) = (n / 2, next);
    }
    body += &format!("forall Block o < 1_u32 {{ store out[b] = s{k}[0_u32] }}");
    kernel("(length(input) /' 512_u32)", &body)
}

/// Arithmetic on each element, in a loop of each thread.
fn arithmetic() -> Kernel<Levelled> {
    let body = "forall Block i < 256_u32 {
        cell x = input[((b *' 256_u32) +' i)]
        for sequential Thread k in 0_u32 .. 16_u32 step 1_u32 {
            get y = x
            assign x = (((y * 1664525_u32) + 1013904223_u32) ^ ((y + k) * (y + i)))
        }
        get z = x
        store out[((b *' 256_u32) +' i)] = z }";
    kernel("length(input)", body)
}

fn kernel(length: &str, body: &str) -> Kernel<Levelled> {
    let blocks = if length == "length(input)" {
        "(length(input) /' 256_u32)"
    } else {
        length
    };
    let text = format!(
        "kernel k {{ parameter 0 input: u32[length(input)] input parameter 1 out: u32[{length}] output
            distribute Block b < {blocks} {{ {body} }} }}"
    );
    read(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn planned(kernel: &Kernel<Levelled>, threads: u32) -> Plan {
    compile(
        kernel.clone(),
        &Options {
            threads,
            ..Options::default()
        },
    )
    .unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The median time of one launch, in microseconds.
fn time(plan: &Plan, input: usize, output: usize, launches: usize) -> f64 {
    let (mut input, mut output) = ((0..input as u64).collect::<Vec<_>>(), vec![0; output]);
    let mut times: Vec<f64> = (0..launches)
        .map(|_| {
            let start = Instant::now();
            run(
                plan,
                &mut [Argument::Array(&mut input), Argument::Array(&mut output)],
                4,
            )
            .unwrap_or_else(|fault| panic!("{fault}"));
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    for threads in [1, 33, 64, 256, 1000] {
        let sums = time(&planned(&reduction(), threads), 4 * 512, 4, 50);
        let arithmetic = time(&planned(&arithmetic(), threads), 4 * 256, 4 * 256, 50);
        println!(
            "{threads:>4} threads, 4 blocks: sums of 2,048 elements {sums:>7.0} us, arithmetic on 1,024 {arithmetic:>7.0} us"
        );
    }
    let large = time(&planned(&reduction(), 256), 1 << 18, 1 << 9, 3);
    println!(
        " 256 threads: sums of 262,144 elements {:.0} ms",
        large / 1e3
    );
}
