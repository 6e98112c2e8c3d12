//! Waits: no more places than the Haskell Obsidian has for the same kernel, but for what it leaves
//! out wrongly.
//!
//! Its numbers come from running its own code generator (the public repository, with its examples
//! and benchmarks of 2017) on each kernel: the `__syncthreads()` in its intermediate code, and the
//! arrays that it stores without one, as they are of 32 elements or fewer and it relies on the
//! lanes of a warp running in step. On today's devices each of those may need a wait. Beyond that,
//! a kernel here may have one for each sequential loop that stores (the loop over blocks is one),
//! which its code lacks. Nothing has more; it would be listed here with its reason.
//!
//! Places in the text are counted, those of the block and those of warps; at the number of threads
//! that its authors used, and at most at any of [`THREADS`]. `cargo test --test paper wait_counts --
//! --nocapture` prints the table.

#![allow(missing_docs)]

use crate::kernels::intro::intro;
use crate::kernels::mandelbrot::mandelbrot;
use crate::kernels::others::examples;
use obsidian_core::ir::Level;
use obsidian_rt::generated::{Builder, build};
use obsidian_rt::language::{DPull, EF32, EU32, MGlobal, exec_block, zip};
use reduction::reductions;
use scan::scans;

/// Numbers of threads at which every kernel is counted as well.
const THREADS: [u32; 8] = [1, 31, 32, 33, 64, 256, 1000, 1024];

/// A kernel, for any number of threads.
type Make = Box<dyn Fn(&mut Builder, DPull<EU32>)>;

/// A kernel of both systems.
struct Row {
    name: String,
    /// Those that its authors used.
    threads: u32,
    /// Waits of the block in the Haskell system.
    theirs: u32,
    /// Arrays that it stores without a wait.
    in_step: u32,
    /// Sequential loops that store in shared memory, the loop over blocks included.
    loops: u32,
    make: Make,
}

fn row(
    name: impl Into<String>,
    threads: u32,
    [theirs, in_step, loops]: [u32; 3],
    make: impl Fn(&mut Builder, DPull<EU32>) + 'static,
) -> Row {
    Row {
        name: name.into(),
        threads,
        theirs,
        in_step,
        loops,
        make: Box::new(make),
    }
}

impl Row {
    /// Waits of the block, and of warps.
    fn ours(&self, threads: u32) -> [u32; 2] {
        let plan = build("row", threads, |b| {
            let input = b.parameter("input");
            (self.make)(b, input);
        });
        let plan = plan
            .unwrap_or_else(|mistakes| panic!("{} for {threads} threads: {mistakes}", self.name));
        [plan.waits(Level::Block), plan.waits(Level::Warp)]
    }

    fn allowed(&self) -> u32 {
        self.theirs + self.in_step + self.loops
    }
}

fn add(x: EU32, y: EU32) -> EU32 {
    x + y
}

fn of_red(which: u32, n: u32, threads: u32, theirs: u32, in_step: u32) -> Row {
    row(
        format!("red{which} of {n}"),
        threads,
        [theirs, in_step, 1],
        move |b, input| b.result(reductions::map_red(which, n, add, input)),
    )
}

const SCANS: [&str; 5] = [
    "sklansky1",
    "sklansky2",
    "sklansky3",
    "kogge-stone pull",
    "kogge-stone push",
];

fn of_scan(which: u32, log: u32, threads: u32, theirs: u32) -> Row {
    let name = format!("{} of {}", SCANS[which as usize - 1], 1 << log);
    row(name, threads, [theirs, 0, 1], move |b, input| {
        b.result(scans::map_scan(which, log, 1 << log, add, input))
    })
}

fn of_reductions() -> Vec<Row> {
    let of_512 = [(3, 6), (3, 6), (3, 5), (1, 5), (1, 5), (1, 4), (1, 3)];
    let of_4096 = [
        (256, 6, 6),
        (256, 6, 6),
        (256, 6, 5),
        (64, 4, 5),
        (128, 4, 5),
        (128, 3, 5),
        (128, 2, 5),
    ];
    let small = (1..)
        .zip(of_512)
        .map(|(which, (theirs, in_step))| of_red(which, 512, 256, theirs, in_step));
    let large = (1..)
        .zip(of_4096)
        .map(|(which, (threads, theirs, in_step))| of_red(which, 4096, threads, theirs, in_step));
    let mut rows: Vec<Row> = small.chain(large).collect();
    rows.push(of_red(5, 4096, 32, 4, 5));
    for n in [65536, 256] {
        let red8 = move |b: &mut Builder, input| b.result(reductions::map_red8(128, n, add, input));
        rows.push(row(format!("red8 of {n}"), 128, [3, 5, 1], red8));
    }
    rows.push(row("red2 of 256 pairs", 64, [2, 6, 1], |b, input| {
        let floats: DPull<EF32> = b.parameter("floats");
        let f = |(a, x): (EU32, EF32), (b, y): (EU32, EF32)| (a + b, x + y);
        let red2 = move |a| exec_block(reductions::red(2, f, a));
        b.result(zip(input, floats).split_up(256).as_grid_map(red2));
    }));
    rows
}

fn of_scans() -> Vec<Row> {
    let mut rows = Vec::new();
    for (which, best, theirs) in [
        (1, 128, 8),
        (2, 128, 7),
        (3, 128, 8),
        (4, 64, 8),
        (5, 64, 8),
    ] {
        rows.extend([
            of_scan(which, 8, 64, theirs),
            of_scan(which, 8, best, theirs),
            of_scan(which, 10, 256, theirs + 2),
        ]);
        let name = format!("inclusive {} of 256", SCANS[which as usize - 1]);
        rows.push(row(name, 128, [theirs, 0, 1], move |b, input| {
            let scan = move |a| {
                examples::inclusive(exec_block(scans::scan(which, 8, add, a)), 3u32.into())
            };
            b.result(input.split_up(256).as_grid_map(scan));
        }));
    }
    rows.push(row(
        "sklansky1 of 256 with a carry",
        128,
        [9, 0, 1],
        |b, input| {
            let cins = b.parameter("cins");
            b.result(scans::map_scan_cin(1, 8, 256, add, cins, input));
        },
    ));
    rows
}

fn of_chains() -> Vec<Row> {
    let mut rows = vec![
        row(
            "chain of sklansky1 of 128, carry first",
            128,
            [11, 0, 2],
            |b, input| {
                b.result(scans::seq_chain(1, 7, 128, 65536, add, 0u32.into(), input));
            },
        ),
        row(
            "chain of sklansky2 of 128, carry first",
            128,
            [10, 0, 2],
            |b, input| {
                b.result(scans::seq_chain(2, 7, 128, 65536, add, 0u32.into(), input));
            },
        ),
        row(
            "chain of stored sklansky1 of 512",
            512,
            [12, 0, 2],
            |b, input| b.result(examples::sklanskies(9, 512, 1024, input)),
        ),
    ];
    for which in [1, 4, 5] {
        for (log, elements, threads, theirs) in [(7, 65536, 128, 10), (9, 4096, 512, 12)] {
            let name = format!(
                "chain of {} of {}, carry last",
                SCANS[which as usize - 1],
                1 << log
            );
            rows.push(row(name, threads, [theirs, 0, 2], move |b, input| {
                b.result(scans::seq_chain_late(
                    which,
                    log,
                    1 << log,
                    elements,
                    add,
                    0u32.into(),
                    input,
                ));
            }));
        }
    }
    rows
}

fn of_the_rest() -> Vec<Row> {
    vec![
        row("reductions of 512", 64, [9, 0, 1], |b, input| {
            b.result(intro::reductions(add, 512, input))
        }),
        row("sumUp of 8", 32, [0, 0, 0], |b, input| {
            b.result(intro::sums_up(8, input))
        }),
        row("sumUp' of 8", 32, [0, 3, 1], |b, input| {
            b.result(intro::sums_up_par(8, input))
        }),
        row("sumUpT of 8 times 8", 32, [0, 3, 1], |b, input| {
            b.result(intro::sums_up_thread(8, 8, input))
        }),
        row("reduce2stage of 512", 128, [5, 5, 1], |b, input| {
            b.result(intro::two_stages(512, input))
        }),
        row(
            "reduce2stage of Warp and Block of 512",
            128,
            [5, 5, 1],
            |b, input| b.result(intro::two_stages_block(512, input)),
        ),
        row(
            "reduce2stage of Warp and Block of 4096",
            128,
            [8, 5, 1],
            |b, input| b.result(intro::two_stages_block(4096, input)),
        ),
        row("mandelbrot of 512", 256, [0, 0, 0], |b, _| {
            b.result(mandelbrot::image(512, 512))
        }),
        row("mandelbrot of 1024", 128, [0, 0, 0], |b, _| {
            b.result(mandelbrot::image(1024, 1024))
        }),
        row("increment in blocks of 2048", 512, [1, 0, 1], |b, input| {
            b.result(examples::increment_of_blocks(2048, input))
        }),
        row("increment in warps of 512", 512, [0, 1, 1], |b, input| {
            b.result(examples::increment_of_warps(2048, 512, input))
        }),
        row("increment of 512", 512, [0, 0, 0], |b, input| {
            b.result(examples::increment(512, input))
        }),
        row("matmul of 32", 32, [0, 0, 0], |b, _| {
            let (left, right) = (b.parameter("left"), b.parameter("right"));
            b.result(examples::matmul(32, left, right));
        }),
        row("reconstruct", 256, [0, 0, 0], |b, starts| {
            let out: MGlobal<EU32> = b.parameter("out");
            b.result(examples::reconstruct(starts, out));
        }),
        row("histogram", 256, [0, 0, 0], |b, input| {
            let bins: MGlobal<EU32> = b.parameter("bins");
            b.result(examples::histogram(bins, input));
        }),
        row("asBlockMap", 128, [8, 3, 4], |b, input| {
            b.result(examples::as_block_map(input))
        }),
    ]
}

/// Prints the rows, and holds that none has more than it may.
fn hold(rows: &[Row]) {
    let mut table = format!(
        "{:<44} {:>7} {:>5} {:>5} {:>7} {:>9} {:>7} {:>5}\n",
        "kernel", "threads", "block", "warps", "at most", "Haskell's", "in step", "loops"
    );
    let mut worse = Vec::new();
    for row in rows {
        let [block, warps] = row.ours(row.threads);
        let most = THREADS
            .iter()
            .map(|&threads| row.ours(threads).iter().sum())
            .fold(block + warps, u32::max);
        let Row {
            name,
            threads,
            theirs,
            in_step,
            loops,
            ..
        } = row;
        table += &format!(
            "{name:<44} {threads:>7} {block:>5} {warps:>5} {most:>7} {theirs:>9} {in_step:>7} {loops:>5}\n"
        );
        if most > row.allowed() {
            worse.push(name);
        }
    }
    println!("{table}");
    assert!(worse.is_empty(), "these have more than they may: {worse:?}");
}

#[test]
fn reductions_have_no_more() {
    hold(&of_reductions());
}

#[test]
fn scans_have_no_more() {
    hold(&of_scans());
}

#[test]
fn chains_have_no_more() {
    hold(&of_chains());
}

#[test]
fn the_rest_has_no_more() {
    hold(&of_the_rest());
}
