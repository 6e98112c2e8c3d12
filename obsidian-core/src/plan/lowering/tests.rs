//! Collectives and held arrays, simulated, against a fold written down from the stated order.

use super::{Executed, lowering};
use crate::ir::{CollectiveOp, Kernel, Levelled, read, row, validate};
use crate::pipeline::{Options, compile};
use crate::plan::Plan;
use crate::scalar::{BinaryOp, Literal, ScalarType, meaning};
use crate::simulate::{Argument, run};

/// A balanced tree over neighbours, as recursion over whole lists.
fn tree<T: Copy>(mut list: Vec<T>, f: &impl Fn(T, T) -> T) -> Option<T> {
    while list.len() > 1 {
        let pairs = list.chunks(2);
        list = pairs
            .map(|pair| match *pair {
                [a, b] => f(a, b),
                _ => pair[0],
            })
            .collect();
    }
    list.first().copied()
}

fn fold<T: Copy>(row: &[T], f: &impl Fn(T, T) -> T) -> Option<T> {
    row.iter().copied().reduce(f)
}

fn reduced<T: Copy>(list: &[T], f: &impl Fn(T, T) -> T) -> Option<T> {
    let rows = list.chunks(row(list.len() as u32) as usize);
    tree(rows.filter_map(|row| fold(row, f)).collect(), f)
}

/// What a scan has before and at element `j`: a run is 32 rows, and runs are series of which there are at most 32.
fn prefix<T: Copy>(list: &[T], j: usize, start: Option<T>, f: &impl Fn(T, T) -> T) -> Option<T> {
    let row = if list.len() <= 256 { 1 } else { 4 };
    let run = 32 * row;
    let series = list.len().div_ceil(run).div_ceil(32).max(1);
    let of_run = |run: &[T]| tree(run.chunks(row).filter_map(|row| fold(row, f)).collect(), f);
    let (before, own) = list.split_at(j / run * run);
    let runs: Vec<T> = before.chunks(run).filter_map(of_run).collect();
    let (whole, rest) = runs.split_at(runs.len() / series * series);
    let whole = whole
        .chunks(series)
        .filter_map(|runs| fold(runs, f))
        .collect();
    let in_run = j % run;
    let (rows, in_row) = match (row, start) {
        // A row of one element is one of the rows of the tree.
        (1, None) => own[..=in_run].split_at(in_run + 1),
        (_, None) => own[..=in_run].split_at(in_run / row * row),
        (_, Some(_)) => own[..in_run].split_at(in_run / row * row),
    };
    let parts = [start, tree(whole, f)]
        .into_iter()
        .chain(rest.iter().copied().map(Some));
    let parts = parts.chain([of_run(rows), fold(in_row, f)]);
    parts.flatten().reduce(f)
}

fn inclusive<T: Copy>(list: &[T], f: &impl Fn(T, T) -> T) -> Vec<T> {
    let all = (0..list.len()).filter_map(|j| prefix(list, j, None, f));
    all.collect()
}

fn exclusive<T: Copy>(list: &[T], initial: T, f: &impl Fn(T, T) -> T) -> Vec<T> {
    let all = (0..list.len()).filter_map(|j| prefix(list, j, Some(initial), f));
    all.collect()
}

/// What a collective makes of a list of numbers by `a * 31 + b`; sorted by the lower bits.
fn expected(op: CollectiveOp, list: &[u32]) -> Vec<u32> {
    let f = |a: u32, b: u32| a.wrapping_mul(31).wrapping_add(b);
    match op {
        CollectiveOp::Reduce => reduced(list, &f).into_iter().collect(),
        CollectiveOp::InclusiveScan => inclusive(list, &f),
        CollectiveOp::ExclusiveScan => exclusive(list, 7, &f),
        CollectiveOp::Earlier | CollectiveOp::Count { .. } | CollectiveOp::Rank { .. } => {
            unreachable!("they have tests of their own")
        }
        CollectiveOp::Sort => {
            let mut list = list.to_vec();
            list.sort_unstable();
            list
        }
    }
}

/// A collective of `n` elements of each of some units, from a part of the input to a part of the
/// output.
fn text(op: CollectiveOp, level: &str, n: u32, ty: &str, operator: &str, initial: &str) -> String {
    let m = op.results(n);
    let (open, unit, close, units) = match level {
        "Block" => ("distribute Block u < 3_u32 {", "u", "}", 3),
        "Warp" => (
            "distribute Block b < 1_u32 { distribute Warp u < 3_u32 {",
            "u",
            "} }",
            3,
        ),
        _ => (
            "distribute Block b < 1_u32 { forall Block u < 3_u32 {",
            "u",
            "} }",
            3,
        ),
    };
    let from = match op {
        CollectiveOp::ExclusiveScan => format!(" from {initial}"),
        _ => String::new(),
    };
    let name = op.name();
    format!(
        "kernel k {{ parameter 0 x: {ty}[{}_u32] input parameter 1 out: {ty}[{}_u32] output {open}
          {name} {level} i < {n}_u32{from} {{ give x[(({unit} *' {n}_u32) +' i)] }}
          by l r {{ {operator} }}
          into j < {m}_u32 v {{ store out[(({unit} *' {m}_u32) +' j)] = v }} {close} }}",
        units * n,
        units * m,
    )
}

fn simulated(text: &str, threads: u32, input: &[u64], outputs: usize) -> Vec<u64> {
    let options = Options {
        threads,
        ..Options::default()
    };
    let kernel = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let plan = compile(kernel, &options).unwrap_or_else(|e| panic!("{threads}: {e}\n{text}"));
    let (mut input, mut output) = (input.to_vec(), vec![0; outputs]);
    let arguments = &mut [Argument::Array(&mut input), Argument::Array(&mut output)];
    run(&plan, arguments, 2).unwrap_or_else(|e| panic!("{threads}: {e}\n{text}"));
    output
}

fn numbers(n: u32) -> Vec<u32> {
    // Few values, so that a sort has equal ones.
    let mixed = |i: u32| i.wrapping_mul(0x9e37_79b9) >> 24;
    (0..n).map(mixed).collect()
}

fn holds(op: CollectiveOp, level: &str, n: u32, threads: u32) {
    let operator = match op {
        CollectiveOp::Sort => "give (l < r)",
        _ => "let product = (l * 31_u32) give (product + r)",
    };
    let text = text(op, level, n, "u32", operator, "7_u32");
    let input = numbers(3 * n);
    let units = input.chunks(n.max(1) as usize);
    let expected: Vec<u64> = units
        .flat_map(|unit| expected(op, unit))
        .map(u64::from)
        .collect();
    let bits: Vec<u64> = input.iter().copied().map(u64::from).collect();
    assert_eq!(
        simulated(&text, threads, &bits, expected.len()),
        expected,
        "{op:?} of {n} at {level} on {threads} threads"
    );
}

const LENGTHS: [u32; 10] = [0, 1, 2, 3, 31, 32, 33, 64, 100, 1000];
const LEVELS: [&str; 3] = ["Thread", "Warp", "Block"];

#[test]
fn collectives_are_folds_in_the_stated_order() {
    for op in CollectiveOp::WITHIN {
        for level in LEVELS {
            for n in LENGTHS {
                holds(op, level, n, 33);
            }
        }
    }
}

#[test]
fn the_order_does_not_depend_on_the_threads() {
    for op in CollectiveOp::WITHIN {
        for level in LEVELS {
            for threads in [1, 31, 32, 1023, 1024] {
                for n in [2, 33, 100] {
                    holds(op, level, n, threads);
                }
            }
        }
        holds(op, "Block", 1000, 1024);
    }
}

#[test]
fn rows_of_more_than_one_element_are_folded_from_the_left() {
    for n in [1025, 2048, 2500] {
        for op in [
            CollectiveOp::Reduce,
            CollectiveOp::InclusiveScan,
            CollectiveOp::ExclusiveScan,
        ] {
            holds(op, "Block", n, 256);
            holds(op, "Thread", n, 32);
        }
    }
}

/// Up to 32 runs, and more of them, in series of two or three; with lanes and without, by a block, a warp and a thread.
#[test]
fn more_runs_than_lanes_are_scanned_in_series() {
    for n in [257, 1028, 4097, 8195] {
        for op in [CollectiveOp::InclusiveScan, CollectiveOp::ExclusiveScan] {
            for threads in [32, 256, 33] {
                holds(op, "Block", n, threads);
            }
        }
    }
    holds(CollectiveOp::ExclusiveScan, "Warp", 4500, 64);
    holds(CollectiveOp::InclusiveScan, "Thread", 4500, 2);
}

#[test]
fn every_type_is_reduced() {
    use ScalarType::*;
    for ty in [Bool, U8, U16, U32, U64, I8, I16, I32, I64, F32, F64] {
        // A difference is neither commutative nor associative.
        let (op, sign) = match ty {
            Bool => (BinaryOp::Xor, "^"),
            _ => (BinaryOp::Sub, "-"),
        };
        let f = |a, b| meaning::binary(op, a, b);
        let list: Vec<Literal> = (0..99u32)
            .map(|i| meaning::cast(ty, Literal::from(i * i % 23)))
            .collect();
        let operator = format!("give (l {sign} r)");
        for level in LEVELS {
            let text = text(CollectiveOp::Reduce, level, 33, ty.name(), &operator, "");
            let units = list.chunks(33);
            let expected: Vec<u64> = units
                .filter_map(|unit| reduced(unit, &f))
                .map(Literal::bits)
                .collect();
            let bits: Vec<u64> = list.iter().map(|x| x.bits()).collect();
            assert_eq!(
                simulated(&text, 64, &bits, 3),
                expected,
                "{ty:?} at {level}"
            );
        }
    }
}

/// What a sort compares by may be a part of the element, and the network alone decides about equal
/// ones: the same everywhere.
#[test]
fn equal_elements_are_in_one_order_everywhere() {
    let n = 100;
    let input: Vec<u64> = (0..3 * n).map(|i: u64| (i * 7919) % 5 * 1000 + i).collect();
    let results = |level: &str, threads| {
        let operator = "give ((l /' 1000_u32) < (r /' 1000_u32))";
        let text = text(CollectiveOp::Sort, level, 100, "u32", operator, "");
        simulated(&text, threads, &input, 300)
    };
    let one = results("Thread", 1);
    for unit in one.chunks(100) {
        assert!(unit.is_sorted_by_key(|x| x / 1000));
    }
    for level in LEVELS {
        for threads in [1, 33, 256] {
            assert_eq!(results(level, threads), one, "{level}, {threads}");
        }
    }
}

/// Two collectives one behind the other, held elements between them, and a loop around.
const CHAIN: &str =
    "kernel k { parameter 0 x: u32[192_u32] input parameter 1 out: u32[192_u32] output
  distribute Block b < 3_u32 {
    allocate h: u32[64_u32] held
    allocate state: u32[64_u32] held
    forall Block i < 64_u32 { store h[i] = x[((b *' 64_u32) +' i)] store state[i] = 0_u32 }
    for sequential Block k in 0_u32 .. 3_u32 step 1_u32 {
      exclusive_scan Block e < 64_u32 from (b + k) { read s = state[e] give (h[e] + s) }
      by l r { give (l + r) }
      into j < 64_u32 v { read s2 = state[j] store state[j] = ((s2 * 3_u32) + v) }
    }
    forall Block o < 64_u32 { read last = state[o] store out[((b *' 64_u32) +' o)] = last }
  } }";

#[test]
fn held_elements_live_across_barriers_and_loops() {
    let input = numbers(192);
    let mut expected = Vec::new();
    for (b, unit) in (0..).zip(input.chunks(64)) {
        let mut state = [0u32; 64];
        for k in 0..3u32 {
            let mut sum = b + k;
            for (s, x) in state.iter_mut().zip(unit) {
                let next = sum.wrapping_add(*x).wrapping_add(*s);
                *s = s.wrapping_mul(3).wrapping_add(sum);
                sum = next;
            }
        }
        expected.extend(state.map(u64::from));
    }
    let bits: Vec<u64> = input.into_iter().map(u64::from).collect();
    for threads in [1, 31, 32, 33, 64, 1024] {
        assert_eq!(simulated(CHAIN, threads, &bits, 192), expected, "{threads}");
    }
}

/// A collective of a thread in the elements of one of the block, under a condition that all
/// threads agree on, behind an initial value that the block has stored.
const NESTED: &str =
    "kernel k { parameter 0 x: u32[96_u32] input parameter 1 out: u32[24_u32] output
  distribute Block b < 3_u32 {
    allocate first: u32[2_u32] shared
    forall Block f < 2_u32 { store first[f] = (x[f] + b) }
    allocate result: u32[8_u32] held
    forall Block z < 8_u32 { store result[z] = 0_u32 }
    wait Block
    if (first[1_u32] < 1000_u32) {
      exclusive_scan Block i < 8_u32 from (first[0_u32] * 3_u32) {
        allocate sum: u32[1_u32] held
        reduce Thread k < 4_u32 { give x[(((b *' 32_u32) +' (i *' 4_u32)) +' k)] }
        by l r { give (l - r) }
        into q < 1_u32 y { store sum[q] = y }
        give sum[0_u32]
      } by l2 r2 {
        cell c = l2
        if (l2 < r2) { assign c = (l2 * 2_u32) }
        get greater = c
        give (greater + r2)
      } into j < 8_u32 v { read old = result[j] store result[j] = (old + v) }
    }
    forall Block o < 8_u32 { read all = result[o] store out[((b *' 8_u32) +' o)] = all }
  } }";

#[test]
fn collectives_are_nested() {
    let input = numbers(96);
    let mut expected = Vec::new();
    for (b, block) in (0..).zip(input.chunks(32)) {
        let rows = block.chunks(4);
        let sums: Vec<u32> = rows
            .filter_map(|row| reduced(row, &u32::wrapping_sub))
            .collect();
        let f = |l: u32, r: u32| {
            let greater = if l < r { l.wrapping_mul(2) } else { l };
            greater.wrapping_add(r)
        };
        expected.extend(exclusive(&sums, (input[0] + b) * 3, &f));
    }
    let expected: Vec<u64> = expected.into_iter().map(u64::from).collect();
    let bits: Vec<u64> = input.into_iter().map(u64::from).collect();
    for threads in [1, 5, 32, 64] {
        assert_eq!(simulated(NESTED, threads, &bits, 24), expected, "{threads}");
    }
}

/// Lanes read each other's elements, in each layout.
#[test]
fn lanes_of_a_warp_read_each_other() {
    for layout in ["", " blocked 1"] {
        let text = format!(
            "kernel k {{ parameter 0 x: u32[96_u32] input parameter 1 out: u32[96_u32] output
              distribute Block b < 1_u32 {{ distribute Warp w < 3_u32 {{
                allocate h: u32[32_u32] held{layout}
                forall Warp i < 32_u32 {{ store h[i] = x[((w *' 32_u32) +' i)] }}
                forall Warp o < 32_u32 {{ store out[((w *' 32_u32) +' o)] = (h[(o ^ 5_u32)] + h[o]) }}
              }} }} }}"
        );
        let input: Vec<u64> = (0..96).collect();
        let expected: Vec<u64> = (0..96u64).map(|i| (i ^ 5) + i).collect();
        for threads in [1, 20, 32, 33, 64, 128] {
            assert_eq!(simulated(&text, threads, &input, 96), expected, "{threads}");
        }
    }
}

/// Each thread has a run of neighbours.
#[test]
fn a_blocked_array_is_the_threads_own_runs() {
    let text = "kernel k { parameter 0 x: u32[96_u32] input parameter 1 out: u32[96_u32] output
      distribute Block b < 1_u32 {
        allocate h: u32[96_u32] held blocked 4
        forall Block i < 24_u32 { for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 {
          store h[((i *' 4_u32) +' k)] = x[((i *' 4_u32) +' k)] } }
        forall Block o < 24_u32 { for sequential Thread m in 0_u32 .. 4_u32 step 1_u32 {
          store out[((o *' 4_u32) +' m)] = h[((o *' 4_u32) +' (3_u32 -' m))] } }
      } }";
    let input: Vec<u64> = (0..96).collect();
    let expected: Vec<u64> = (0..96u64).map(|i| i / 4 * 4 + 3 - i % 4).collect();
    for threads in [1, 7, 32, 96] {
        assert_eq!(simulated(text, threads, &input, 96), expected, "{threads}");
    }
}

#[test]
fn nothing_of_them_is_left() {
    let kernel: Kernel<Levelled> = read(CHAIN).unwrap();
    validate(&kernel).unwrap_or_else(|violation| panic!("{violation}"));
    let lowered = lowering(kernel, Executed::ByThreads(33));
    validate(&lowered).unwrap_or_else(|violation| panic!("{violation}\n{lowered}"));
    let text = lowered.to_string();
    assert!(!text.contains("held") && !text.contains("give"), "{text}");
    // It is the levelled dialect still, and no other statement is changed.
    assert!(text.contains("for sequential Block k in 0_u32 .. 3_u32 step 1_u32"));
    assert_eq!(
        lowering(read(&text).unwrap(), Executed::ByThreads(33)).to_string(),
        text,
        "lowered twice"
    );
}

#[test]
fn a_collective_of_nothing_is_nothing() {
    for op in CollectiveOp::WITHIN {
        let operator = if op == CollectiveOp::Sort {
            "give (l < r)"
        } else {
            "give (l + r)"
        };
        let kernel: Kernel<Levelled> =
            read(&text(op, "Block", 0, "u32", operator, "0_u32")).unwrap();
        let text = lowering(kernel, Executed::ByThreads(33)).to_string();
        assert!(
            !text.contains("forall") && !text.contains("allocate"),
            "{text}"
        );
    }
}

#[test]
fn a_barrier_stands_behind_each_step() {
    for (level, steps) in [("Block", 7), ("Warp", 7)] {
        let text = text(
            CollectiveOp::Reduce,
            level,
            32,
            "u32",
            "give (l + r)",
            "7_u32",
        );
        let lowered = lowering(read(&text).unwrap(), Executed::ByThreads(31)).to_string();
        let lines: Vec<&str> = lowered.lines().map(str::trim).collect();
        let between = ["}", &format!("wait {level}"), &format!("forall {level}")];
        let waits = lines.windows(3).filter(|three| {
            let mut pairs = three.iter().zip(between);
            pairs.all(|(line, start)| line.starts_with(start))
        });
        assert_eq!(waits.count(), steps - 1, "{lowered}");
        assert_eq!(lowered.matches("forall").count(), steps, "{lowered}");
    }
}

/// The shuffles, waits and loops of a collective of `n` elements by a block of 256 threads.
fn by_lanes(op: CollectiveOp, level: &str, n: u32, operator: &str) -> [usize; 3] {
    let text = text(op, level, n, "u32", operator, "7_u32");
    let lowered = lowering(read(&text).unwrap(), Executed::ByThreads(256));
    validate(&lowered).unwrap_or_else(|violation| panic!("{violation}\n{lowered}"));
    let text = lowered.to_string();
    ["shuffle", "wait", "forall"].map(|word| text.matches(word).count())
}

#[test]
fn lanes_combine_without_waits() {
    let sum = "give (l + r)";
    let other = "give ((l * 31_u32) + r)";
    // Five steps in a run of 32, and three over eight runs; one each where hardware combines all lanes.
    for (n, operator, expected) in [
        (32, sum, [1, 0, 1]),
        (20, sum, [1, 0, 1]),
        (32, other, [5, 0, 1]),
        (20, other, [5, 0, 1]),
        (256, sum, [2, 1, 2]),
        (256, other, [8, 1, 2]),
        (4096, sum, [2, 1, 2]),
        (4096, other, [8, 1, 2]),
    ] {
        let found = by_lanes(CollectiveOp::Reduce, "Block", n, operator);
        assert_eq!(found, expected, "{n} {operator}");
    }
    let scan = |n, operator| by_lanes(CollectiveOp::InclusiveScan, "Block", n, operator);
    assert_eq!(scan(32, other), [5, 0, 1]);
    // One more shuffle, which takes what stands before the lane, at each of two levels: in runs, and over 32 runs.
    assert_eq!(scan(4096, sum), [6 + 6, 2, 3]);
    assert_eq!(scan(4096, other), [6 + 6, 2, 3]);
    // A row of one element goes into what it is told; of eight runs the last one comes before nothing.
    assert_eq!(scan(256, other), [5 + 4, 2, 3]);
    assert_eq!(by_lanes(CollectiveOp::Reduce, "Warp", 32, other), [5, 0, 1]);
    assert_eq!(by_lanes(CollectiveOp::Reduce, "Warp", 64, other), [6, 1, 2]);
}

/// The shuffles that a plan executes, and those without which the results are the same.
pub(super) fn unnoticed(plan: &Plan, input: &[u64], outputs: usize) -> (usize, Vec<usize>) {
    let results = |plan: &Plan| {
        let (mut input, mut output) = (input.to_vec(), vec![u64::from(u32::MAX); outputs]);
        let arguments = &mut [Argument::Array(&mut input), Argument::Array(&mut output)];
        let counts = run(plan, arguments, 1).ok()?;
        Some((output, counts.shuffles + counts.lane_reductions))
    };
    let (right, mut executed, mut same) = (results(plan), 0, Vec::new());
    for n in 0.. {
        let Some(without) = plan.without_shuffle(n) else {
            break;
        };
        let found = results(&without);
        // What no warp comes to is not missed.
        if found != right {
            executed += 1;
            let outputs =
                |of: &Option<(Vec<u64>, u64)>| of.as_ref().map(|(outputs, _)| outputs.clone());
            same.extend((outputs(&found) == outputs(&right)).then_some(n));
        }
    }
    (executed, same)
}

#[test]
fn each_shuffle_of_a_collective_is_noticed_when_it_is_gone() {
    let (sum, other) = ("give (l + r)", "give ((l * 31_u32) + r)");
    let ops = [
        CollectiveOp::Reduce,
        CollectiveOp::InclusiveScan,
        CollectiveOp::ExclusiveScan,
    ];
    let mut all = 0;
    for op in ops {
        for (level, n) in [
            ("Warp", 32),
            ("Warp", 64),
            ("Block", 32),
            ("Block", 256),
            ("Block", 4096),
            ("Block", 5000),
        ] {
            for operator in [sum, other] {
                let text = text(op, level, n, "u32", operator, "7_u32");
                let options = Options {
                    threads: 256,
                    ..Options::default()
                };
                let plan =
                    compile(read(&text).unwrap(), &options).unwrap_or_else(|e| panic!("{e}"));
                let input: Vec<u64> = numbers(3 * n).into_iter().map(u64::from).collect();
                let outputs = if op == CollectiveOp::Reduce {
                    3
                } else {
                    3 * n as usize
                };
                let (shuffles, same) = unnoticed(&plan, &input, outputs);
                assert!(
                    same.is_empty(),
                    "{same:?} of {shuffles}: {op:?} of {n} at {level} by {operator}"
                );
                all += shuffles;
            }
        }
    }
    assert!(all > 100, "{all}");
}

/// Each thread owns the totals of its own rows, where that takes no more than twice the memory.
#[test]
fn totals_are_filled_up_to_at_most_twice_as_many() {
    for (n, length) in [(128, 256), (127, 127), (86, 86), (256, 256)] {
        let operator = "give ((l * 31_u32) + r)";
        let text = text(CollectiveOp::InclusiveScan, "Block", n, "u32", operator, "");
        let lowered = lowering(read(&text).unwrap(), Executed::ByThreads(256)).to_string();
        let line = format!("u32[{length}_u32] shared");
        assert!(lowered.contains(&line), "{n}: {lowered}");
    }
}

/// The first element of a row, and the others, in a loop behind it.
#[test]
fn each_element_of_a_row_has_names_of_its_own() {
    let text = "kernel k { parameter 0 x: u32[512_u32] input parameter 1 out: u32[1_u32] output
      distribute Block u < 1_u32 { reduce Block i < 512_u32 { let y = x[i] let z = (y + 1_u32) give (y * z) }
      by l r { give (l - r) } into j < 1_u32 v { store out[j] = v } } }";
    let lowered = lowering(read(text).unwrap(), Executed::ByThreads(256));
    validate(&lowered).unwrap_or_else(|violation| panic!("{violation}\n{lowered}"));
    let list: Vec<Literal> = (0..512u32).map(|i| Literal::from(i * (i + 1))).collect();
    let expected = reduced(&list, &|a, b| meaning::binary(BinaryOp::Sub, a, b)).map(Literal::bits);
    let input: Vec<u64> = (0..512).collect();
    for threads in [33, 256] {
        assert_eq!(
            simulated(text, threads, &input, 1).first().copied(),
            expected
        );
    }
}

#[test]
fn neighbours_are_loaded_together_wherever_they_begin() {
    for (element, is_wide) in [
        ("give x[(((u ^ 1_u32) *' 1024_u32) +' i)]", true),
        ("give x[((u *' 1024_u32) +' i)]", true),
        ("give x[((u *' 1024_u32) +' (i ^ 1_u32))]", false),
        ("let y = ((u *' 1024_u32) +' i) give x[y]", true),
        ("let y = (i *' 2_u32) give x[y]", false),
    ] {
        let text = format!(
            "kernel k {{ parameter 0 x: u32[2048_u32] input parameter 1 out: u32[2_u32] output
              distribute Block u < 2_u32 {{ reduce Block i < 1024_u32 {{ {element} }}
              by l r {{ give (l + r) }} into j < 1_u32 v {{ store out[(u +' j)] = v }} }} }}"
        );
        let lowered = lowering(read(&text).unwrap(), Executed::ByThreads(256)).to_string();
        // A loop over the four of a load, inside of the one over the rounds.
        let loops = 1 + usize::from(is_wide);
        let found = lowered.matches("for sequential").count();
        assert_eq!(found, loops, "{element}: {lowered}");
    }
}

/// Results that go where other lanes take their elements from: a barrier stands between.
#[test]
fn elements_are_read_before_results_are_stored() {
    let text = "kernel k { parameter 0 m: u32[32_u32] inout distribute Block b < 1_u32 {
        inclusive_scan Block i < 32_u32 { read s = m[(31_u32 -' i)] give s }
        by l r { give (l + r) } into j < 32_u32 v { store m[j] = v } } }";
    let expected: Vec<u64> = (0..32)
        .rev()
        .scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        })
        .collect();
    for threads in [1, 31, 32, 64] {
        let options = Options {
            threads,
            ..Options::default()
        };
        let plan = compile(read(text).unwrap(), &options).unwrap();
        let mut m: Vec<u64> = (0..32).collect();
        run(&plan, &mut [Argument::Array(&mut m)], 1).unwrap_or_else(|e| panic!("{threads}: {e}"));
        assert_eq!(m, expected, "{threads}");
    }
}

/// What one thread executes for a collective of 64 elements.
fn by_one(op: CollectiveOp, ty: &str, operator: &str) -> String {
    let text = text(op, "Block", 64, ty, operator, &format!("1_{ty}"));
    let lowered = lowering(read(&text).unwrap(), Executed::ByOne);
    validate(&lowered).unwrap_or_else(|violation| panic!("{violation}\n{lowered}"));
    lowered.to_string()
}

#[test]
fn one_thread_goes_straight_through_where_the_order_is_of_no_meaning() {
    use CollectiveOp::*;
    let loops = |text: &str| {
        (
            text.matches("forall").count(),
            text.matches("for seq").count(),
        )
    };
    for (op, ty, operator) in [
        (Reduce, "u32", "give (l + r)"),
        (Reduce, "i64", "give max(r, l)"),
        (InclusiveScan, "u8", "give (l * r)"),
        (InclusiveScan, "f32", "give min(l, r)"),
        (ExclusiveScan, "u32", "give (l ^ r)"),
    ] {
        let text = by_one(op, ty, operator);
        assert_eq!(loops(&text), (1, 1), "{text}");
        assert!(!text.contains("allocate"), "{text}");
    }
    // Chains of comparisons that each wait for the one before, side by side, and a network of 64.
    let text = text(Reduce, "Block", 1000, "f32", "give max(l, r)", "");
    let lowered = lowering(read(&text).unwrap(), Executed::ByOne);
    assert_eq!(loops(&lowered.to_string()), (1 + 6 + 1, 1), "{lowered}");
    for (op, ty, operator) in [
        (Reduce, "f32", "give max(l, r)"),
        (Reduce, "f32", "give (l + r)"),
        (InclusiveScan, "f64", "give (l + r)"),
        (InclusiveScan, "u32", "give (l - r)"),
        (InclusiveScan, "u32", "give (l + l)"),
        (ExclusiveScan, "u32", "give (l + (r * 1_u32))"),
        (ExclusiveScan, "u32", "let sum = (l + r) give (sum + sum)"),
        (Sort, "u32", "give (l < r)"),
    ] {
        let text = by_one(op, ty, operator);
        assert!(loops(&text).0 > 6, "{op:?} {operator}: {text}");
    }
}

#[test]
fn one_thread_sorts_integers_by_digits_where_equal_ones_are_the_same() {
    let sorted = |n, ty, operator: &str| {
        let text = text(CollectiveOp::Sort, "Block", n, ty, operator, "");
        let lowered = lowering(read(&text).unwrap(), Executed::ByOne);
        validate(&lowered).unwrap_or_else(|violation| panic!("{violation}\n{lowered}"));
        // A network has a loop for each of its steps.
        lowered.to_string().matches("forall").count() <= 3
    };
    for ty in ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"] {
        for operator in ["<", ">", "<=", ">="] {
            assert!(sorted(256, ty, &format!("give (l {operator} r)")), "{ty}");
            assert!(sorted(300, ty, &format!("give (r {operator} l)")), "{ty}");
        }
    }
    assert!(!sorted(255, "u32", "give (l < r)"));
    for (ty, operator) in [
        ("f32", "give (l < r)"),
        ("u32", "give ((l & 15_u32) < (r & 15_u32))"),
        ("u32", "give (l < l)"),
        ("u32", "give (l < 5_u32)"),
        ("u32", "let least = (l * 2_u32) give (least < r)"),
        ("u32", "give (l == r)"),
    ] {
        assert!(!sorted(256, ty, operator), "{ty}: {operator}");
    }
}
