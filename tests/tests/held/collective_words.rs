//! `reduce`, `inclusive_scan`, `exclusive_scan` and `sort` as kernels write them: every level, type and
//! shape of elements, against folds in the order that they state.

#![allow(missing_docs)]

use obsidian_rt::{Device, Kernel, Variant, kernels};
use obsidian_tests::fuzz::verdict::refusals;
use obsidian_tests::scan_order::scanned;
use obsidian_tests::{fact, hold, samples};

#[kernels]
mod words {
    /// Neither commutative nor associative.
    fn f(a: EU32, b: EU32) -> EU32 {
        a * 31 + b
    }

    #[kernel(threads = 64, n = [1, 2, 31, 33, 100, 1000, 1025, 2500])]
    pub fn reductions(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(n).as_grid_map(|run| reduce(f, run))
    }

    #[kernel(threads = 64, n = [1, 2, 33, 100, 1025, 2500])]
    pub fn prefixes(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(n).as_grid_map(|run| inclusive_scan(f, run))
    }

    #[kernel(threads = 64, n = [1, 2, 33, 100, 1025])]
    pub fn prefixes_before(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(n)
            .as_grid_map(|run| exclusive_scan(f, 7, run))
    }

    #[kernel(threads = 64, n = [1, 2, 33, 100, 1025])]
    pub fn sorted(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(n).as_grid_map(|run| sort(|a, b| a < b, run))
    }

    /// What the CPU does in one loop.
    #[kernel(threads = 96)]
    pub fn sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(1000, 0)
            .as_grid_map(|run| reduce(|a, b| a + b, run))
    }

    #[kernel(threads = 96)]
    pub fn running_sums(input: DPull<EU64>) -> DPush<Grid, EU64> {
        input
            .split_up(500)
            .as_grid_map(|run| inclusive_scan(|a, b| a + b, run))
    }

    #[kernel(threads = 96)]
    pub fn offsets(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input
            .split_up(500)
            .as_grid_map(|run| exclusive_scan(|a, b| a + b, lit(0), run))
    }

    /// A block's warps each take 40 elements, and its threads 5.
    #[kernel(threads = 64)]
    pub fn levels(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(240)
            .as_grid_map(|run| exec_block(of_warps(run)))
    }

    fn of_warps(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let scanned = run
            .split_up(40)
            .as_block_map(|forty| inclusive_scan::<Warp, _>(|a, b| a + b, forty));
        let scanned = compute(scanned)?;
        let sorted = scanned
            .split_up(40)
            .as_block_map(|forty| sort::<Warp, _>(|a, b| a > b, forty));
        let sorted = compute(sorted)?;
        pure(
            sorted
                .split_up(5)
                .as_block_map(|five| reduce::<Thread, _>(f, five)),
        )
    }

    /// A program at any level, as in a library.
    fn normalised<L: Compute>(run: Pull<EU32>) -> Program<L, Push<L, EU32>> {
        let largest = compute(reduce(|a, b| a.max(b), run))?;
        pure(run.map(|x| largest[0] - x).push())
    }

    #[kernel(threads = 100)]
    pub fn from_the_largest(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(77)
            .as_grid_map(|run| exec_block(normalised(run)))
    }

    /// The largest element and its place; of equal ones the first.
    fn larger(a: (EF32, EU32), b: (EF32, EU32)) -> (EF32, EU32) {
        let (x, i) = a;
        let (y, j) = b;
        select(y > x, (y, j), (x, i))
    }

    #[kernel(threads = 64)]
    pub fn places(input: DPull<EF32>) -> DPush<Grid, (EF32, EU32)> {
        input
            .split_up(300)
            .as_grid_map(|run| reduce(larger, zip(run, iota(run.len()))))
    }

    /// Segments of a scan: a flag begins one.
    fn segment(a: (EBool, EU32), b: (EBool, EU32)) -> (EBool, EU32) {
        let (f, x) = a;
        let (g, y) = b;
        (f | g, select(g, y, x + y))
    }

    #[kernel(threads = 32)]
    pub fn segments(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(130).as_grid_map(|run| {
            inclusive_scan(segment, run.map(|x| ((x & 7).eq(0), x))).map(|(_, sum)| sum)
        })
    }

    /// By the lower digit, and among equal ones by their place: stable.
    #[kernel(threads = 128)]
    pub fn by_digit(input: DPull<EU32>) -> DPush<Grid, (EU32, EU16)> {
        input.split_up(200).as_grid_map(|run| {
            let keys = zip(run, iota(run.len()).map(|i| i as u16));
            sort(
                |(a, i), (b, j)| ((a & 15) < (b & 15)) | (((a & 15) == (b & 15)) & (i < j)),
                keys,
            )
        })
    }

    /// A tree for floats, in a loop of the block.
    #[kernel(threads = 48)]
    pub fn means(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input
            .split_up(120)
            .as_grid_map(|run| exec_block(smoothed(run)))
    }

    fn smoothed(run: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let values = to_mutable(run)?;
        seq_for(3, |_| {
            let now = compute(values.push())?;
            let sum = compute(reduce(|a, b| a + b, now))?;
            for_all(120, |i| {
                let x = values.read(i)?;
                values.write(i, x * 0.5 + sum[0] / 240.0)
            })
        })?;
        pure(values.push())
    }
}
/// Scans of which one result is used, and loops over rows in which rounds need earlier ones.
#[kernels]
mod rows {
    fn one_of(at: EU32, tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let one = new_shared_mutable(1, (lit(0_u32), lit(0_f32)))?;
        let pairs = tile.map(|x| (x, (x % 1000) as EF32));
        let scan = exclusive_scan(
            |(a, m), (b, n)| (a + b, m.max(n)),
            (lit(5_u32), lit(2_f32)),
            pairs,
        );
        scan.push_to(|v, j| cond(j.eq(at), one.write(0, v), pure(())))?;
        sync()?;
        let read = generate(1, |i| exec_thread_value(one.read(i))).as_block();
        pure(read.map(|(sum, most)| sum + most as EU32))
    }

    /// One prefix of each 300, behind 5 and 2: the sum, and the largest remainder.
    #[kernel(threads = 64)]
    pub fn one_of_a_scan(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let at = x.len() / 300 * 70 % 300;
        x.split_up(300)
            .as_grid_map(|tile| exec_block(one_of(at, tile)))
    }

    fn folded_rows(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let folded = new_shared_mutable(64, 0_u32)?;
        for_all(64, |i| {
            seq_for(16, |k| {
                let j = i * 16 + k;
                let old = folded.read(j / 16)?;
                folded.write(j / 16, old * 31 + tile[j])
            })
        })?;
        sync()?;
        let sum = compute(reduce(|a, b| a + b, tile))?;
        pure(folded.push().map(|x| x ^ sum[0]))
    }

    /// Each 16 neighbours folded by a thread, in an element that it changes; with the sum of all 1,024.
    #[kernel(threads = 64)]
    pub fn rows_that_change(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(1024)
            .as_grid_map(|tile| exec_block(folded_rows(tile)))
    }
}

fn one_prefix(x: &[u32]) -> Vec<u32> {
    let at = x.len() / 300 * 70 % 300;
    let prefix = |tile: &[u32]| {
        let sum = tile[..at].iter().fold(5u32, |sum, x| sum.wrapping_add(*x));
        let most = tile[..at].iter().map(|x| x % 1000).fold(2, u32::max);
        sum.wrapping_add(most)
    };
    x.chunks(300).map(prefix).collect()
}

fn folded_rows(tile: &[u32]) -> Vec<u32> {
    let sum = tile.iter().fold(0u32, |sum, x| sum.wrapping_add(*x));
    tile.chunks(16)
        .map(|row| row.iter().fold(0u32, |old, x| f(old, *x)) ^ sum)
        .collect()
}

fact!(one_result_of_a_scan: rows::one_of_a_scan[300](x: u32) == one_prefix(&x));
fact!(rows_that_change_an_element: rows::rows_that_change[1024](x: u32) == x.chunks(1024).flat_map(folded_rows).collect::<Vec<u32>>());

fn f(a: u32, b: u32) -> u32 {
    a.wrapping_mul(31).wrapping_add(b)
}

/// A balanced tree over neighbours.
fn tree<T: Clone>(list: &[T], f: &impl Fn(T, T) -> T) -> T {
    let mut list = list.to_vec();
    while list.len() > 1 {
        let combined = |pair: &[T]| match pair {
            [a, b] => f(a.clone(), b.clone()),
            other => other[0].clone(),
        };
        list = list.chunks(2).map(combined).collect();
    }
    list[0].clone()
}

fn reduction<T: Clone>(list: &[T], f: &impl Fn(T, T) -> T) -> T {
    let row = list.len().div_ceil(256);
    let rows: Vec<T> = list
        .chunks(row)
        .map(|row| row.iter().cloned().reduce(f).unwrap())
        .collect();
    tree(&rows, f)
}

fn exclusive(run: &[u32]) -> Vec<u32> {
    scanned(run, Some(&7), f)
}

fn in_order(run: &[u32]) -> Vec<u32> {
    let mut run = run.to_vec();
    run.sort_unstable();
    run
}

fn number(variant: &Variant, name: &str) -> usize {
    let mut values = variant.values().iter();
    let value = values.find_map(|(known, value)| (*known == name).then_some(value));
    value
        .and_then(|value| usize::try_from(value.integer()?).ok())
        .expect("a value")
}

macro_rules! of_any_length {
    ($($test:ident: $($kernel:ident)::+ == $reference:expr;)*) => {$(
        #[test]
        fn $test() {
            use $($kernel)::+ as kernel;
            for variant in kernel::variants() {
                let n = number(variant, "n");
                let launch = |built: &Kernel, device: &Device, length| {
                    kernel::launch_kernel(built, device, &device.upload(&samples::<u32>(length))?)
                };
                let expected = |length| -> Vec<u32> {
                    samples(length).chunks(n).flat_map($reference).collect()
                };
                hold(&variant.kernel(), variant.kernel().cuda(), n, launch, expected);
            }
        }
    )*};
}

of_any_length! {
    reductions_of_any_length: words::reductions == |run: &[u32]| vec![reduction(run, &f)];
    prefixes_of_any_length: words::prefixes == |run: &[u32]| scanned(run, None, f);
    prefixes_before_of_any_length: words::prefixes_before == exclusive;
    sorts_of_any_length: words::sorted == in_order;
}

fn running<T: Copy>(run: &[T], add: impl Fn(T, T) -> T) -> Vec<T> {
    let mut sum = run[0];
    let rest = run[1..].iter().map(|x| {
        sum = add(sum, *x);
        sum
    });
    [run[0]].into_iter().chain(rest).collect()
}

fn offsets(run: &[i32]) -> Vec<i32> {
    let sums = running(run, i32::wrapping_add);
    [0].into_iter().chain(sums).take(run.len()).collect()
}

fn levels(run: &[u32]) -> Vec<u32> {
    let warp = |forty: &[u32]| {
        let mut sums = running(forty, u32::wrapping_add);
        sums.sort_unstable_by(|a, b| b.cmp(a));
        sums.chunks(5)
            .map(|five| reduction(five, &f))
            .collect::<Vec<_>>()
    };
    run.chunks(40).flat_map(warp).collect()
}

fn from_the_largest(run: &[u32]) -> Vec<u32> {
    let largest = run.iter().max().unwrap();
    run.iter().map(|x| largest - x).collect()
}

fn places(x: &[f32]) -> (Vec<f32>, Vec<u32>) {
    let first = |run: &[f32]| {
        let best = run.iter().copied().fold(f32::MIN, f32::max);
        (best, run.iter().position(|x| *x == best).unwrap() as u32)
    };
    x.chunks(300).map(first).unzip()
}

fn segments(run: &[u32]) -> Vec<u32> {
    let mut sum = 0u32;
    let each = run.iter().map(|x| {
        sum = if x % 8 == 0 { *x } else { sum.wrapping_add(*x) };
        sum
    });
    each.collect()
}

fn by_digit(x: &[u32]) -> (Vec<u32>, Vec<u16>) {
    let sorted = |run: &[u32]| {
        let mut keys: Vec<(u32, u16)> = run.iter().copied().zip(0..).collect();
        keys.sort_by_key(|(x, _)| x & 15);
        keys
    };
    x.chunks(200).flat_map(sorted).unzip()
}

fn smoothed(run: &[f32]) -> Vec<f32> {
    let mut values = run.to_vec();
    for _ in 0..3 {
        let sum = tree(&values, &|a, b| a + b);
        values.iter_mut().for_each(|x| *x = *x * 0.5 + sum / 240.0);
    }
    values
}

fn each<T, U>(x: &[T], n: usize, f: impl Fn(&[T]) -> Vec<U>) -> Vec<U> {
    x.chunks(n).flat_map(f).collect()
}

fact!(sums: words::sums[1000](x: u32) == x.chunks(1000).map(|run| run.iter().fold(0u32, |a, b| a.wrapping_add(*b))).collect::<Vec<_>>());
fact!(running_sums: words::running_sums[500](x: u64) == each(&x, 500, |run| running(run, u64::wrapping_add)));
fact!(sums_before: words::offsets[500](x: i32) == each(&x, 500, offsets));
fact!(of_each_level: words::levels[240](x: u32) == each(&x, 240, levels));
fact!(of_any_level: words::from_the_largest[77](x: u32) == each(&x, 77, from_the_largest));
fact!(the_first_of_the_largest: words::places[300](x: f32) == places(&x));
fact!(of_segments: words::segments[130](x: u32) == each(&x, 130, segments));
fact!(of_pairs: words::by_digit[200](x: u32) == by_digit(&x));
fact!(in_a_loop: words::means[120](x: f32) == each(&x, 120, smoothed));

/// Programs of a block over a run of 64 elements that are refused, and the id of what they are
/// refused for.
const WRONG: &[(&str, &str)] = &[
    ("pure(reduce(|a, b| a + run[0], run))", "operator-reads"),
    (
        "let s = compute(run)?; pure(sort(|a, b| (a + s[1]) < b, run))",
        "operator-reads",
    ),
    ("pure(reduce(|a, b| a < b, run))", "other-elements"),
    ("pure(inclusive_scan(|a, b| (a, b), run))", "other-elements"),
    (
        "pure(exclusive_scan(|a, b| a + b, lit(0.0_f32), run))",
        "other-elements",
    ),
    ("pure(sort(|a, b| a + b, run))", "wrong-kind"),
    ("pure(sort(|a, b| 1, run))", "wrong-kind"),
    ("pure(reduce(|a, b| a + b, run, run))", "wrong-count"),
    ("pure(reduce(|a| a, run))", "wrong-count"),
    ("pure(reduce(|a, b| a + b, run.push()))", "wrong-kind"),
    (
        "pure(reduce(|a, b| a + b, run.take(0)).map(|x| x))",
        "empty-array",
    ),
    ("pure(reduce(run, |a, b| a + b))", "wrong-kind"),
];

#[test]
fn what_cannot_be_combined_is_refused() {
    for (code, id) in WRONG {
        let text = format!(
            "pub mod m {{ fn f(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {{ {code} }} \
             #[kernel(threads = 32)] pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {{ \
             x.split_up(64).as_grid_map(|run| exec_block(f(run))) }} }}"
        );
        let list = refusals(&text);
        assert!(list.len() == 1 && list[0].contains(id), "{code}: {list:?}");
    }
}

/// At Grid there are no threads that could do it together, and a length that is known at launch is no
/// length of a collective.
#[test]
fn a_grid_has_no_collectives() {
    for (code, id) in [
        ("reduce(|a, b| a + b, x)", "length-not-static"),
        (
            "reduce::<Grid, _>(|a, b| a + b, generate(4, |i| i)).to_dyn()",
            "wrong-level",
        ),
    ] {
        let text = format!(
            "pub mod m {{ #[kernel(threads = 32)] pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {{ {code} }} }}"
        );
        let list = refusals(&text);
        assert!(list.iter().any(|e| e.contains(id)), "{code}: {list:?}");
    }
}
