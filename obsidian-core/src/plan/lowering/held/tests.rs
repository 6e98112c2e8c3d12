//! How many shuffles each kind of read takes, and that results are those of shared memory.

use crate::ir::{read, validate};
use crate::pipeline::{Options, compile};
use crate::plan::lowering::tests::unnoticed;
use crate::plan::lowering::{Executed, lowering};
use crate::simulate::{Argument, run};

/// A warp that holds `length` elements of an input, by runs of `k`, and does something in `count` iterations.
fn text(length: u32, k: u32, count: u32, body: &str) -> String {
    let (layout, runs) = match k {
        1 => (String::new(), length),
        _ => (format!(" blocked {k}"), length / k),
    };
    format!(
        "kernel k {{ parameter 0 x: u32[{length}_u32] input parameter 1 out: u32[{count}_u32] output
         distribute Block b < 1_u32 {{ distribute Warp w < 1_u32 {{
           allocate h: u32[{length}_u32] held{layout}
           forall Warp i < {runs}_u32 {{ for sequential Thread m in 0_u32 .. {k}_u32 step 1_u32 {{
             store h[((i *' {k}_u32) +' m)] = x[((i *' {k}_u32) +' m)] }} }}
           forall Warp o < {count}_u32 {{ {body} }} }} }} }}"
    )
}

fn shuffles(text: &str) -> usize {
    let lowered = lowering(read(text).unwrap(), Executed::ByThreads(64));
    validate(&lowered).unwrap_or_else(|violation| panic!("{violation}\n{lowered}"));
    lowered.to_string().matches("shuffle ").count()
}

/// The results, and whether the array is in registers, on a number of threads.
fn simulated(text: &str, threads: u32, input: &[u64], count: u32) -> (Vec<u64>, bool) {
    let options = Options {
        threads,
        ..Options::default()
    };
    let plan = compile(read(text).unwrap(), &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (mut input, mut output) = (input.to_vec(), vec![u64::from(u32::MAX); count as usize]);
    let arguments = &mut [Argument::Array(&mut input), Argument::Array(&mut output)];
    run(&plan, arguments, 1).unwrap_or_else(|e| panic!("{threads}: {e}\n{text}"));
    (output, plan.shared().bytes == 0)
}

/// An array of `length` elements in runs of `k`, `count` iterations in which element `o` becomes a value, the value
/// as a function of the elements, and the shuffles.
type Case = (u32, u32, u32, &'static str, fn(&[u64], usize) -> u64, usize);

const CASES: &[Case] = &[
    // One's own elements.
    (32, 1, 32, "h[o]", |x, o| x[o], 0),
    (
        64,
        1,
        32,
        "(h[o] + h[(o +' 32_u32)])",
        |x, o| x[o] + x[o + 32],
        0,
    ),
    (
        64,
        2,
        32,
        "h[((o *' 2_u32) +' 1_u32)]",
        |x, o| x[2 * o + 1],
        0,
    ),
    (
        96,
        3,
        32,
        "h[(2_u32 +' (o *' 3_u32))]",
        |x, o| x[3 * o + 2],
        0,
    ),
    (
        128,
        4,
        32,
        "h[((o *' 4_u32) ^ 3_u32)]",
        |x, o| x[4 * o + 3],
        0,
    ),
    // One element of all lanes, at any slot.
    (32, 1, 32, "h[7_u32]", |x, _| x[7], 1),
    (96, 1, 32, "h[70_u32]", |x, _| x[70], 1),
    (128, 4, 32, "h[70_u32]", |x, _| x[70], 1),
    // Other lanes' by a distance: two slots come into question, if there is more than one.
    (
        32,
        1,
        32,
        "h[((o + 1_u32) & 31_u32)]",
        |x, o| x[(o + 1) % 32],
        1,
    ),
    (64, 1, 32, "h[(o +' 1_u32)]", |x, o| x[o + 1], 2),
    (96, 1, 32, "h[(o +' 40_u32)]", |x, o| x[o + 40], 2),
    (64, 1, 64, "h[max(o, 1_u32)]", |x, o| x[o.max(1)], 2),
    // By flipped bits, of the lane and of the slot.
    (32, 1, 32, "h[(o ^ 5_u32)]", |x, o| x[o ^ 5], 1),
    (64, 1, 64, "h[(o ^ 9_u32)]", |x, o| x[o ^ 9], 1),
    (
        128,
        4,
        32,
        "h[((o *' 4_u32) ^ 13_u32)]",
        |x, o| x[(4 * o) ^ 13],
        1,
    ),
    (
        128,
        4,
        32,
        "h[(((o *' 4_u32) +' 1_u32) ^ 13_u32)]",
        |x, o| x[(4 * o + 1) ^ 13],
        1,
    ),
    // By an index that says nothing: a shuffle a slot, up to eight.
    (
        32,
        1,
        32,
        "h[((o * 7_u32) & 31_u32)]",
        |x, o| x[o * 7 % 32],
        1,
    ),
    (
        256,
        1,
        32,
        "h[((o * 37_u32) & 255_u32)]",
        |x, o| x[o * 37 % 256],
        8,
    ),
    (
        64,
        2,
        32,
        "h[((o * 37_u32) & 63_u32)]",
        |x, o| x[o * 37 % 64],
        2,
    ),
    (
        288,
        1,
        32,
        "h[((o * 37_u32) & 255_u32)]",
        |x, o| x[o * 37 % 256],
        0,
    ),
    // The same element twice, and two of them.
    (
        32,
        1,
        32,
        "(h[(o ^ 5_u32)] * h[(o ^ 5_u32)])",
        |x, o| x[o ^ 5] * x[o ^ 5],
        1,
    ),
    (
        32,
        1,
        32,
        "(h[(o ^ 5_u32)] + h[(o ^ 6_u32)])",
        |x, o| x[o ^ 5] + x[o ^ 6],
        2,
    ),
    // Under a condition, and in fewer iterations than there are lanes.
    (
        32,
        1,
        32,
        "select((o < 9_u32), h[(o +' 20_u32)], 3_u32)",
        |x, o| if o < 9 { x[o + 20] } else { 3 },
        1,
    ),
    (20, 1, 10, "h[(o +' 9_u32)]", |x, o| x[o + 9], 1),
    (40, 1, 7, "h[(39_u32 -' o)]", |x, o| x[39 - o], 2),
];

#[test]
fn each_kind_of_read_takes_its_shuffles() {
    for &(length, k, count, value, expected, taken) in CASES {
        let text = text(length, k, count, &format!("store out[o] = {value}"));
        assert_eq!(shuffles(&text), taken, "{value} of {length} by {k}");
        let input: Vec<u64> = (0..u64::from(length)).map(|i| i * i % 97 + 2 * i).collect();
        let each = (0..count as usize).map(|o| expected(&input, o));
        let expected: Vec<u64> = each.map(|x| x & u64::from(u32::MAX)).collect();
        let (found, in_registers) = simulated(&text, 64, &input, count);
        assert_eq!(found, expected, "{value} of {length} by {k}");
        // More than eight slots, or lanes with different numbers of slots.
        let stays = length == 288 || length == 40;
        assert_eq!(in_registers, !stays, "{value} of {length} by {k}");
        // Without a whole warp it goes through shared memory, where lanes read each other.
        let (found, in_registers) = simulated(&text, 31, &input, count);
        assert_eq!(found, expected, "{value}");
        assert!(taken == 0 || !in_registers, "{value}");
    }
}

/// Statements around reads, and the shuffles.
#[test]
fn all_lanes_take_part() {
    for (count, body, taken) in [
        // In front of a condition, whose arms are the lanes' own.
        (
            32,
            "if (o < 9_u32) { store out[o] = h[(o ^ 1_u32)] } else { store out[o] = 1_u32 }",
            1,
        ),
        // Not where the index is loaded by some lanes alone.
        (
            32,
            "if (o < 9_u32) { store out[o] = h[(x[o] & 31_u32)] } else { store out[o] = 1_u32 }",
            0,
        ),
        // Nor where they alone take it out of a cell.
        (
            32,
            "cell c = o if (o < 9_u32) { get d = c store out[o] = h[(d & 31_u32)] } else { store out[o] = 1_u32 }",
            0,
        ),
        (
            32,
            "if (o < 9_u32) { let y = (o ^ 3_u32) store out[o] = h[y] } else { store out[o] = 1_u32 }",
            1,
        ),
        // In a loop that all lanes go through, each time.
        (
            32,
            "cell c = 0_u32 for sequential Thread k in 0_u32 .. 5_u32 step 1_u32 { get d = c assign c = (d + h[((o + k) & 31_u32)]) } get e = c store out[o] = e",
            1,
        ),
        // But not in one that lanes leave at different times.
        (
            32,
            "cell c = 0_u32 for sequential Thread k in 0_u32 .. (o & 3_u32) step 1_u32 { get d = c assign c = (d + h[((o + k) & 31_u32)]) } get e = c store out[o] = e",
            0,
        ),
        (
            32,
            "let n = (o & 3_u32) cell c = 0_u32 for sequential Thread k in 0_u32 .. n step 1_u32 { get d = c assign c = (d + h[((o + k) & 31_u32)]) } get e = c store out[o] = e",
            0,
        ),
        // Lanes without an iteration take part, and store nothing.
        (11, "let y = h[(o +' 3_u32)] store out[o] = (y + 1_u32)", 1),
        (1, "store out[o] = h[(o +' 3_u32)]", 1),
        // In a loop, too, with a shuffle inside of it and without one.
        (
            11,
            "cell c = 0_u32 for sequential Thread k in 0_u32 .. 5_u32 step 1_u32 { get d = c assign c = (d + h[((o + k) & 31_u32)]) } get e = c store out[o] = e",
            1,
        ),
        (
            11,
            "let y = h[(o +' 3_u32)] for sequential Thread k in 0_u32 .. 1_u32 step 1_u32 { store out[o] = (y + k) }",
            1,
        ),
        // An index that every lane loads, and one that some do.
        (32, "store out[o] = (h[(x[o] & 31_u32)] + 1_u32)", 1),
        (
            32,
            "store out[o] = select((o < 9_u32), h[(x[o] & 31_u32)], 1_u32)",
            0,
        ),
        // What is taken once is there for the statements behind.
        (
            32,
            "let y = h[(o ^ 5_u32)] store out[o] = (y * h[(o ^ 5_u32)])",
            1,
        ),
    ] {
        let text = text(32, 1, count, body);
        assert_eq!(shuffles(&text), taken, "{body}");
        let input: Vec<u64> = (0..32).map(|i| i * 7 % 32).collect();
        let by_lanes = simulated(&text, 32, &input, count).0;
        assert_eq!(by_lanes, simulated(&text, 31, &input, count).0, "{body}");
    }
}

#[test]
fn a_loop_over_the_own_run_takes_no_shuffle() {
    // A fifth round is the next lane's element: one of each of four slots is taken.
    for (rounds, taken) in [(3, 0), (4, 0), (5, 4)] {
        let body = format!(
            "cell c = 0_u32 for sequential Thread k in 0_u32 .. {rounds}_u32 step 1_u32 {{
               get d = c assign c = (d + h[((o *' 4_u32) +' k)]) }} get e = c store out[o] = e"
        );
        let text = text(128, 4, 31, &body);
        assert_eq!(shuffles(&text), taken, "{rounds}");
        let input: Vec<u64> = (0..128).map(|i| i * 7 % 32).collect();
        let sum = |o: usize| input[4 * o..4 * o + rounds].iter().sum();
        let expected: Vec<u64> = (0..31).map(sum).collect();
        for threads in [31, 32] {
            assert_eq!(
                simulated(&text, threads, &input, 31).0,
                expected,
                "{rounds}"
            );
        }
    }
}

#[test]
fn each_shuffle_is_noticed_when_it_is_gone() {
    let mut all = 0;
    for (length, k, count, value, ..) in CASES {
        let text = text(*length, *k, *count, &format!("store out[o] = {value}"));
        let options = Options {
            threads: 64,
            ..Options::default()
        };
        let plan = compile(read(&text).unwrap(), &options).unwrap_or_else(|e| panic!("{e}"));
        let input: Vec<u64> = (0..u64::from(*length)).map(|i| 1000 + i * i).collect();
        let (shuffles, same) = unnoticed(&plan, &input, *count as usize);
        // Two slots come into question, and the one lane that takes the first one of another has it itself; or no lane takes the second.
        let not_needed: &[usize] = match *value {
            "h[max(o, 1_u32)]" => &[0],
            "h[(39_u32 -' o)]" => &[1],
            _ => &[],
        };
        assert_eq!(same, not_needed, "of {shuffles}: {value}");
        all += shuffles;
    }
    assert!(all > 20, "{all}");
}

/// The bits of a comparison with each of `n` elements.
fn bits(n: u32) -> String {
    let bit = |j: u32| format!("select((h[{j}_u32] == h[o]), {}_u32, 0_u32)", 1u32 << j);
    let each = (1..n).map(bit);
    each.fold(bit(0), |all, bit| format!("({all} | {bit})"))
}

#[test]
fn equal_elements_take_one_comparison() {
    let input: Vec<u64> = (0..32).map(|i| i * i % 5).collect();
    for (count, n) in [(32, 32), (32, 31), (9, 9), (9, 20), (32, 2)] {
        let text = text(32, 1, count, &format!("store out[o] = {}", bits(n)));
        assert_eq!(shuffles(&text), 1, "{n}");
        let mask = |o: usize| -> u64 {
            let same = (0..n).filter(|j| input[*j as usize] == input[o]);
            same.map(|j| 1 << j).sum()
        };
        let masks = (0..count as usize).map(mask);
        let expected: Vec<u64> = masks.collect();
        for threads in [31, 32] {
            // No lane reads what the others hold.
            let expected = (expected.clone(), threads == 32);
            let found = simulated(&text, threads, &input, count);
            assert_eq!(found, expected, "{n} of {count}");
        }
    }
    // Other bits, another element, another operator: a comparison each.
    type Bit = fn(&[u64], usize) -> u64;
    let cases: [(&str, &str, Bit); 5] = [
        ("4_u32, 0_u32", "5_u32, 0_u32", |x, o| {
            5 * u64::from(x[2] == x[o])
        }),
        ("4_u32, 0_u32", "4_u32, 1_u32", |x, o| {
            if x[2] == x[o] { 4 } else { 1 }
        }),
        ("h[2_u32] == h[o]", "h[2_u32] == h[(o ^ 1_u32)]", |x, o| {
            4 * u64::from(x[2] == x[o ^ 1])
        }),
        ("h[2_u32] == h[o]", "h[3_u32] == h[o]", |x, o| {
            4 * u64::from(x[3] == x[o])
        }),
        ("h[2_u32] == h[o]", "h[2_u32] <= h[o]", |x, o| {
            4 * u64::from(x[2] <= x[o])
        }),
    ];
    for (from, to, third) in cases {
        let changed = bits(4).replace(from, to);
        assert_ne!(changed, bits(4));
        let text = text(32, 1, 32, &format!("store out[o] = {changed}"));
        assert!(shuffles(&text) > 1, "{changed}");
        let bit = |j: usize, o: usize| u64::from(input[j] == input[o]) << j;
        let mask = |o| bit(0, o) | bit(1, o) | third(&input, o) | bit(3, o);
        let expected: Vec<u64> = (0..32).map(mask).collect();
        for threads in [31, 32] {
            let found = simulated(&text, threads, &input, 32).0;
            assert_eq!(found, expected, "{changed}");
        }
    }
}

#[test]
fn a_comparison_that_two_statements_use_is_made_once() {
    let input: Vec<u64> = (0..32).map(|i| i * i % 5).collect();
    let mask = bits(32);
    let body = format!(
        "if (({mask} & 2_u32) == 0_u32) {{ store out[o] = {mask} }} else {{ store out[o] = 1_u32 }}"
    );
    let text = text(32, 1, 32, &body);
    assert_eq!(shuffles(&text), 1);
    let expected = input.iter().map(|x| {
        let same = (0..32).filter(|j| input[*j] == *x);
        let mask: u64 = same.map(|j| 1 << j).sum();
        if mask & 2 == 0 { mask } else { 1 }
    });
    let expected: Vec<u64> = expected.collect();
    for threads in [31, 32] {
        assert_eq!(simulated(&text, threads, &input, 32).0, expected);
    }
}
