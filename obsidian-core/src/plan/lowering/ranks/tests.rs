//! Counts and places against a stable sort of the standard library.

use crate::ir::{Kernel, Levelled, Lowered, read};
use crate::pipeline::{Options, compile};
use crate::plan::lowering::{Executed, lowering};
use crate::simulate::{Argument, run};

/// Three units that each count and rank `n` numbers; what stands between the two comes from `between`.
fn text(level: &str, n: u32, bits: u32, between: &str) -> String {
    let (open, close) = match level {
        "Block" => ("distribute Block u < 3_u32 {", "}"),
        "Warp" => (
            "distribute Block b < 1_u32 { distribute Warp u < 3_u32 {",
            "} }",
        ),
        _ => (
            "distribute Block b < 1_u32 { forall Block u < 3_u32 {",
            "} }",
        ),
    };
    let bins = 1 << bits;
    format!(
        "kernel k {{
          parameter 0 x: u32[{}_u32] input
          parameter 1 sorted: u32[{}_u32] output
          parameter 2 counts: u32[{}_u32] output
          {open}
          count {level} i < {n}_u32 bits {bits}_u32 {{ give x[((u *' {n}_u32) +' i)] }}
          into d < {bins}_u32 c {{ store counts[((u *' {bins}_u32) +' d)] = c }}
          {between}
          rank {level} k < {n}_u32 bits {bits}_u32 {{ give x[((u *' {n}_u32) +' k)] }}
          into j < {n}_u32 p {{ store sorted[((u *' {n}_u32) +' p)] = x[((u *' {n}_u32) +' j)] }}
          {close} }}",
        3 * n,
        3 * n,
        3 * bins,
    )
}

fn numbers(n: u32) -> Vec<u32> {
    (0..n)
        .map(|i| i.wrapping_mul(0x9e37_79b9) ^ (i >> 3))
        .collect()
}

fn expected(n: u32, bits: u32) -> [Vec<u64>; 2] {
    let digit = |x: &u32| x & ((1 << bits) - 1);
    let (mut sorted, mut counts) = (Vec::new(), Vec::new());
    for unit in numbers(3 * n).chunks(n as usize) {
        let mut own = unit.to_vec();
        own.sort_by_key(digit);
        sorted.extend(own.into_iter().map(u64::from));
        for d in 0..1 << bits {
            counts.push(unit.iter().filter(|x| digit(x) == d).count() as u64);
        }
    }
    [sorted, counts]
}

/// What the simulator makes of a kernel.
fn simulated(text: &str, threads: u32, n: u32, bits: u32) -> [Vec<u64>; 2] {
    // The places in a parameter are apart by the piece that each unit has, which no proof sees.
    let options = Options {
        threads,
        check: false,
        ..Options::default()
    };
    let kernel = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let plan = compile(kernel, &options).unwrap_or_else(|e| panic!("{threads}: {e}\n{text}"));
    let mut input: Vec<u64> = numbers(3 * n).into_iter().map(u64::from).collect();
    let (mut sorted, mut counts) = (vec![9; 3 * n as usize], vec![9; 3 << bits]);
    let arguments = [&mut input, &mut sorted, &mut counts].map(|list| Argument::Array(list));
    let mut arguments = arguments;
    run(&plan, &mut arguments, 2).unwrap_or_else(|e| panic!("{threads}: {e}\n{text}"));
    [sorted, counts]
}

#[test]
fn places_are_those_of_a_stable_sort() {
    for (n, bits) in [
        (1, 1),
        (2, 3),
        (31, 2),
        (32, 8),
        (33, 1),
        (100, 4),
        (1000, 8),
        (1024, 5),
    ] {
        for level in ["Thread", "Warp", "Block"] {
            for threads in [1, 31, 32, 33, 64, 256, 1024] {
                for between in ["", "let name = (u +' 1_u32)", "wait Block"] {
                    if between == "wait Block" && level != "Block" {
                        continue;
                    }
                    let text = text(level, n, bits, between);
                    assert_eq!(
                        simulated(&text, threads, n, bits),
                        expected(n, bits),
                        "{n} by {bits} bits at {level} on {threads} threads"
                    );
                }
            }
        }
    }
}

fn lowered(text: &str, by: Executed) -> Kernel<Lowered> {
    let kernel: Kernel<Levelled> = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    lowering(kernel, by)
}

/// A count and a rank of the same numbers count once.
#[test]
fn what_is_counted_for_a_count_is_not_counted_for_a_rank() {
    let digits = |text: &str| text.matches("& 255_u32").count();
    for (by, together, apart) in [
        (Executed::ByThreads(64), 2, 3),
        (Executed::ByOne, 2, 3),
        (Executed::Together, 2, 3),
    ] {
        let text = text("Block", 1000, 8, "wait Block");
        assert_eq!(digits(&lowered(&text, by).to_string()), together, "{by:?}");
        // Of other elements, and of elements that the results of the count change.
        let of_others = text.replace(
            "give x[((u *' 1000_u32) +' k)]",
            "give x[((u *' 1000_u32) +' (999_u32 -' k))]",
        );
        assert_eq!(
            digits(&lowered(&of_others, by).to_string()),
            apart,
            "{by:?}"
        );
    }
}

/// A vote for each bit, and one exchange of what a counter has been.
#[test]
fn votes_are_for_each_bit() {
    let text = lowered(&text("Block", 1024, 8, ""), Executed::ByThreads(256)).to_string();
    let count = |word: &str| text.matches(word).count();
    assert_eq!(count("equal"), 8, "{text}");
    assert_eq!(count("lane trailing_zeros("), 1, "{text}");
}
