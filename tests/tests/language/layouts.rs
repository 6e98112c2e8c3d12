//! `compute_as`: the same elements as `compute`, at other places of shared memory.

#![allow(missing_docs)]

use obsidian_rt::{Device, Kernel, Variant, kernels};
use obsidian_tests::fuzz::verdict::refusals;
use obsidian_tests::{fact, hold, samples};

#[kernels]
mod runs {
    /// Each thread adds up 8 neighbours; loads and stores of the buffers are coalesced.
    pub fn scanned(run: Pull<EU32>, pitch: u32) -> Program<Block, Push<Block, EU32>> {
        let stored = compute_as(Pitch(pitch), run)?;
        let sums = stored
            .split_up(8)
            .as_block_map(|eight| seq_scan(|x, y| x + y, eight));
        let sums = compute_as(Pitch(pitch), sums)?;
        pure(sums.push())
    }

    #[kernel(threads = 256, pitch = [32, 33])]
    pub fn scans_of_8(pitch: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(2048)
            .as_grid_map(|run| exec_block(scanned(run, pitch)))
    }

    /// What `scans_of_8` would be without a layout.
    pub fn plainly(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(run)?;
        let sums = stored
            .split_up(8)
            .as_block_map(|eight| seq_scan(|x, y| x + y, eight));
        let sums = compute(sums)?;
        pure(sums.push())
    }

    #[kernel(threads = 256)]
    pub fn plain_scans_of_8(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(2048)
            .as_grid_map(|run| exec_block(plainly(run)))
    }

    fn reversed(run: Pull<EU32>, pitch: u32) -> Program<Block, Push<Block, EU32>> {
        let stored = compute_as(Pitch(pitch), run.map(|x| x * 3))?;
        pure(zip_with(|x, y| x - y, stored.reverse(), stored).push())
    }

    #[kernel(threads = [64, 33], n = [1, 31, 32, 33, 64, 100, 1000], pitch = [33, 32, 40])]
    pub fn lengths(n: u32, pitch: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(n)
            .as_grid_map(|run| exec_block(reversed(run, pitch)))
    }

    fn pairs(run: Pull<(EF32, EU8)>) -> Program<Warp, Push<Warp, (EF32, EU8)>> {
        let stored = compute_as(Pitch(35), run.map(|(x, y)| (x + 1.0, y ^ 1)))?;
        pure(generate(96, |i| stored[(i * 5) % 96]).push())
    }

    /// Pairs, which are two arrays, and programs of warps.
    #[kernel(threads = 100)]
    pub fn of_warps(x: DPull<EF32>, y: DPull<EU8>) -> DPush<Grid, (EF32, EU8)> {
        zip(x, y)
            .split_up(192)
            .as_grid_map(|run| run.split_up(96).as_block_map(|part| exec_warp(pairs(part))))
    }

    fn interleaved(run: Pull<EF64>) -> Program<Block, Push<Block, EF64>> {
        let (a, b) = run.halve();
        let stored = compute_as(Pitch(34), interleave(a, b))?;
        pure(stored.map(|x| x * 2.0).push())
    }

    /// Push arrays are stored too, and elements of 8 bytes.
    #[kernel(threads = 32)]
    pub fn of_push_arrays(x: DPull<EF64>) -> DPush<Grid, EF64> {
        x.split_up(150)
            .as_grid_map(|run| exec_block(interleaved(run)))
    }

    fn found(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute_as(Pitch(33), run.map(|x| x + 7).push())?;
        pure(run.map(|x| stored[x % 1500] + stored[x.min(1499)]).push())
    }

    /// Elements at indices that the data tell.
    #[kernel(threads = 128)]
    pub fn by_data(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(1500).as_grid_map(|run| exec_block(found(run)))
    }

    fn ranked(keys: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let n = keys.len();
        let keys = compute(keys)?;
        let ranks = generate(n, |i| {
            let before = |j: EU32| (keys[j] < keys[i]) | ((keys[j] == keys[i]) & (j < i));
            fold1(
                |x, y| x + y,
                generate(40, |j| select(before(j), lit(1u32), 0)),
            )[0]
        });
        let sorted = mk_push(n, |write| {
            for_all(n, |i| write(keys[i], ranks[i].unchecked().distinct()))
        });
        let sorted = compute_as(Pitch(33), sorted)?;
        pure(sorted.push())
    }

    /// A scatter to ranks, which the user promises to be distinct.
    #[kernel(threads = 32)]
    pub fn by_rank(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(40).as_grid_map(|run| exec_block(ranked(run)))
    }

    fn vouched(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute_as(Pitch(36), run)?;
        let next = run.map(|x| stored[(x % 99) + 1] + stored[(x / 11).unchecked()]);
        pure(next.push())
    }

    /// An index with a sum in it, and one that the user vouches for.
    #[kernel(threads = 64)]
    pub fn by_promise(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(100).as_grid_map(|run| exec_block(vouched(run)))
    }

    fn shuffled(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let turned = run.split_up(64).map(|row| row.push::<Thread>());
        let rows = compute_as(Pitch(33), turned.as_block())?;
        // Down the columns of a matrix with 64 rows of 64.
        pure(generate(4096, |i| rows[i % 64 * 64 + i / 64]).push())
    }

    /// A matrix by its columns: threads that read at a stride of 64.
    #[kernel(threads = 256)]
    pub fn columns(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(4096)
            .as_grid_map(|run| exec_block(shuffled(run)))
    }

    fn two_rounds(run: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let layout = Pitch(33);
        let a = compute_as(layout, run)?;
        let b = compute_as(layout, generate(256, |i| a[i ^ 1] + a[(i + 32) % 256]))?;
        pure(b.push())
    }

    /// A layout is a value, and stored arrays follow one another in the same memory.
    #[kernel(threads = 48)]
    pub fn twice(x: DPull<EI32>) -> DPush<Grid, EI32> {
        x.split_up(256)
            .as_grid_map(|run| exec_block(two_rounds(run)))
    }
}

fn scans(x: &[u32]) -> Vec<u32> {
    let sums = |run: &[u32]| {
        let sums = run.iter().scan(0u32, |sum, x| {
            *sum += x;
            Some(*sum)
        });
        sums.collect::<Vec<u32>>()
    };
    x.chunks(8).flat_map(sums).collect()
}

fn reversed(x: &[u32], n: usize) -> Vec<u32> {
    let difference = |run: &[u32]| -> Vec<u32> {
        let both = run.iter().rev().zip(run);
        both.map(|(x, y)| (x * 3).wrapping_sub(y * 3)).collect()
    };
    x.chunks(n).flat_map(difference).collect()
}

fn every_fifth(x: &[f32], y: &[u8]) -> (Vec<f32>, Vec<u8>) {
    let at = |i: usize| i / 96 * 96 + i % 96 * 5 % 96;
    (0..x.len()).map(|i| (x[at(i)] + 1.0, y[at(i)] ^ 1)).unzip()
}

fn interleaved(run: &[f64]) -> Vec<f64> {
    let (a, b) = run.split_at(run.len() / 2);
    let both = a.iter().zip(b);
    both.flat_map(|(a, b)| [a * 2.0, b * 2.0]).collect()
}

fn found(run: &[u32]) -> Vec<u32> {
    let at = |i: usize| run[i] + 7;
    let sum = |x: &u32| at(*x as usize % 1500) + at((*x as usize).min(1499));
    run.iter().map(sum).collect()
}

fn sorted(run: &[u32]) -> Vec<u32> {
    let mut run = run.to_vec();
    run.sort_unstable();
    run
}

fn vouched(run: &[u32]) -> Vec<u32> {
    let sum = |x: &u32| run[*x as usize % 99 + 1] + run[*x as usize / 11];
    run.iter().map(sum).collect()
}

fn columns(run: &[u32]) -> Vec<u32> {
    (0..4096).map(|i| run[i % 64 * 64 + i / 64]).collect()
}

fn two_rounds(run: &[i32]) -> Vec<i32> {
    let sum = |i: usize| run[i ^ 1] + run[(i + 32) % 256];
    (0..256).map(sum).collect()
}

fact!(of_8_neighbours: runs::scans_of_8[2048](x: u32) == scans(&x));
fact!(of_pairs_in_warps: runs::of_warps[192](x: f32, y: u8) == every_fifth(&x, &y));
fact!(of_push_arrays: runs::of_push_arrays[150](x: f64) == x.chunks(150).flat_map(interleaved).collect::<Vec<f64>>());
fact!(of_one_array_after_another: runs::twice[256](x: i32) == x.chunks(256).flat_map(two_rounds).collect::<Vec<i32>>());

fact!(at_indices_of_data: runs::by_data[1500](x: u32) == x.chunks(1500).flat_map(found).collect::<Vec<u32>>());
fact!(at_ranks: runs::by_rank[40](x: u32) == x.chunks(40).flat_map(sorted).collect::<Vec<u32>>());
fact!(at_indices_that_are_vouched_for: runs::by_promise[100](x: u32) == x.chunks(100).flat_map(vouched).collect::<Vec<u32>>());
fact!(of_a_matrix_by_columns: runs::columns[4096](x: u32) == x.chunks(4096).flat_map(columns).collect::<Vec<u32>>());

#[test]
fn of_any_length() {
    for variant in runs::lengths::variants() {
        let n = number(variant, "n");
        let launch = |built: &Kernel, device: &Device, length| {
            let input = device.upload(&samples::<u32>(length))?;
            runs::lengths::launch_kernel(built, device, &input)
        };
        hold(
            &variant.kernel(),
            variant.kernel().cuda(),
            n,
            launch,
            |length| reversed(&samples(length), n),
        );
    }
}

fn number(variant: &Variant, name: &str) -> usize {
    let mut values = variant.values().iter();
    let value = values.find_map(|(known, value)| (*known == name).then_some(value));
    value
        .and_then(|value| usize::try_from(value.integer()?).ok())
        .expect("a value")
}

/// Bank conflicts and passes of shared memory in blocks of 2,048 elements.
fn conflicts(kernel: &Kernel) -> (u64, u64) {
    let device = Device::simulator();
    let input = device.upload(&samples::<u32>(3 * 2048)).unwrap();
    let launch = |device: &Device| runs::plain_scans_of_8::launch_kernel(kernel, device, &input);
    let (sums, counts) = device.counted(launch).unwrap();
    assert_eq!(sums.to_vec().unwrap(), scans(&samples(3 * 2048)));
    (counts.shared.bank_conflicts, counts.shared.requests)
}

#[test]
fn a_pitch_avoids_the_bank_conflicts_of_threads_that_are_8_elements_apart() {
    let with = |pitch: usize| {
        let mut variants = runs::scans_of_8::variants().iter();
        let variant = variants.find(|v| number(v, "pitch") == pitch);
        conflicts(&variant.expect("such a pitch").kernel())
    };
    let plain = conflicts(&runs::plain_scans_of_8::kernel());
    // Per block, warp and neighbour a read and a write of 32 threads in 8 passes, 7 too many.
    let requests = 2 * 3 * 8 * 8;
    // The first sum of 8 is the element that is there already.
    let copies = 3 * 8;
    assert_eq!(plain, (7 * (requests - copies), 2 * requests - copies));
    assert_eq!(with(32), plain);
    // Elements one after another, which cross from one row into the next, have none either.
    assert_eq!(with(33), (0, 2 * requests - copies));
}

#[test]
fn a_layout_without_gaps_is_none() {
    let text = |pitch: usize| {
        let mut variants = runs::scans_of_8::variants().iter();
        let variant = variants.find(|v| number(v, "pitch") == pitch);
        variant.expect("such a pitch").kernel().cuda().to_owned()
    };
    let plain = runs::plain_scans_of_8::kernel().cuda().to_owned();
    let renamed = text(32).replace("scans_of_8_threads256_pitch32", "plain_scans_of_8");
    assert_eq!(renamed, plain);
    println!("{}", text(33));
}

/// Programs of a block over a run of 64 elements that are refused, and the id of what they are
/// refused for.
const WRONG: &[(&str, &str)] = &[
    // Indices and writes are those of the array, without the gaps.
    (
        "let a = compute_as(Pitch(33), run)?; pure(run.map(|x| a[x % 65]).push())",
        "outside",
    ),
    (
        "let a = compute_as(Pitch(33), run)?; pure(generate(65, |i| a[i]).push())",
        "outside",
    ),
    (
        "let a = compute_as(Pitch(40), run)?; pure(run.map(|x| a[x]).push())",
        "outside",
    ),
    (
        "let some = mk_push(64, |write| for_all(63, |i| write(run[i], i))); \
         let a = compute_as(Pitch(33), some)?; pure(run.map(|x| a[x % 64]).push())",
        "never-written",
    ),
    (
        "let some = mk_push(64, |write| for_all(64, |i| write(run[i], i / 2 * 2))); \
         let a = compute_as(Pitch(33), some)?; pure(a.push())",
        "written-twice",
    ),
    (
        "let some = mk_push(64, |write| for_all(63, |i| write(run[i], (run[i] % 64).distinct()))); \
         let a = compute_as(Pitch(33), some)?; pure(a.push())",
        "maybe-not-once",
    ),
    (
        "let some = mk_push(64, |write| for_all(64, |i| write(run[i], run[i] % 64))); \
         let a = compute_as(Pitch(33), some)?; pure(a.push())",
        "maybe-not-once",
    ),
    (
        "let none = mk_push(64, |write| for_all(64, |i| pure(()))); \
         let a = compute_as(Pitch(33), none)?; pure(run.map(|x| x + a[0]).push())",
        "nothing-written",
    ),
    (
        "let a = compute_as(Pitch(0), run)?; pure(a.push())",
        "narrow-pitch",
    ),
    (
        "let a = compute_as(Pitch(100000), run)?; pure(a.push())",
        "out-of-shared",
    ),
    (
        "let a = compute_as(Pitch(4294967295), generate(96, |i| i))?; pure(a.push())",
        "too-many-elements",
    ),
    (
        "let a = compute_as(run, Pitch(33))?; pure(a.push())",
        "wrong-kind",
    ),
    ("let a = compute_as(run)?; pure(a.push())", "wrong-count"),
    (
        "let a = compute_as(Pitch(run[0]), run)?; pure(a.push())",
        "not-static",
    ),
    (
        "let a = compute_as(Pitch, run)?; pure(a.push())",
        "wrong-kind",
    ),
];

#[test]
fn a_layout_hides_no_mistake() {
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
