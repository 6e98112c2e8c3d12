//! Shared memory: never more than the Haskell Obsidian needs for the same kernel.
//!
//! The numbers of the Haskell system come from running its own code generator (the public
//! repository, with its examples and benchmarks of 2017) on each kernel and reading the size of
//! `sbase` in the text. In the table of sizes they are those of 32-bit words, and do not depend on
//! the number of threads. Chained scans keep their carry in a `__shared__` variable beside `sbase`,
//! 4 bytes that its memory manager does not count; here they are counted ([`CARRY`]). `cargo test
//! --test paper shared_bytes -- --nocapture` prints the table.

#![allow(missing_docs)]

use crate::kernels::intro::intro;
use crate::kernels::mandelbrot::mandelbrot;
use crate::kernels::others::examples;
use obsidian_rt::generated::{Builder, build};
use obsidian_rt::language::{DPull, EF32, EU32, MGlobal, exec_block, zip};
use obsidian_rt::{ErrorKind, Limits, TypedKernel, kernels};
use obsidian_tests::fact;
use reduction::reductions;
use scan::scans;

/// Kernels that need more than every GPU has.
#[kernels]
mod large {
    pub fn backwards(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let kept = compute(run.map(|x| x + 1))?;
        pure(kept.reverse().push())
    }

    /// 56,000 bytes.
    #[kernel(threads = 256, shared_bytes = 65536)]
    pub fn backwards_14000(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(14000)
            .as_grid_map(|run| exec_block(backwards(run)))
    }

    /// All that any GPU gives to a block.
    #[kernel(threads = 512, shared_bytes = 232448)]
    pub fn backwards_58112(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(58112)
            .as_grid_map(|run| exec_block(backwards(run)))
    }
}

fn backwards(input: &[u32], n: usize) -> Vec<u32> {
    input
        .chunks(n)
        .flat_map(|run| run.iter().rev().map(|x| x + 1))
        .collect()
}

fact!(more_than_every_gpu_has: large::backwards_14000[14000](x: u32) == backwards(&x, 14000));
fact!(all_that_any_gpu_has: large::backwards_58112[58112](x: u32) == backwards(&x, 58112));

#[test]
fn what_a_launch_asks_for_is_in_the_text_and_in_the_manifest() {
    let kernel = large::backwards_14000::kernel();
    assert_eq!(kernel.shared_bytes(), 56_000);
    assert!(
        kernel
            .cuda()
            .contains("256 threads a block, 56000 bytes of dynamic shared memory"),
        "{}",
        kernel.cuda()
    );
    assert!(
        kernel
            .cuda()
            .contains("    extern __shared__ __align__(128) unsigned char shared[];\n"),
        "{}",
        kernel.cuda()
    );
    assert!(
        kernel.manifest().contains("\"dynamic\": 56000")
            && kernel.manifest().contains("\"static\": 0"),
        "{}",
        kernel.manifest()
    );
    assert_eq!(large::backwards_58112::kernel().shared_bytes(), 232_448);

    // The same when the program builds it, where the limit stands beside the threads.
    let build = |shared_bytes| {
        TypedKernel::build(
            "backwards",
            Limits {
                shared_bytes,
                ..Limits::from(64)
            },
            |input: DPull<EU32>| {
                input
                    .split_up(14000)
                    .as_grid_map(|run| exec_block(large::backwards(run)))
            },
        )
    };
    let kernel = build(56_000).unwrap();
    assert_eq!(kernel.kernel().shared_bytes(), 56_000);
    for (limit, words) in [
        (
            55_999,
            "needs 56000 bytes of shared memory, and a block has 55999",
        ),
        (232_449, "up to 232448, not `232449`"),
    ] {
        let error = build(limit).unwrap_err();
        assert!(
            error.kind() == ErrorKind::Build && error.to_string().contains(words),
            "{error}"
        );
    }
}

/// One kernel: what it is called, threads of a block, bytes of ours, bytes of theirs (none where
/// theirs cannot be built).
struct Row {
    name: String,
    threads: u32,
    ours: Option<u32>,
    theirs: Option<u32>,
}

fn row(
    name: impl Into<String>,
    threads: u32,
    theirs: impl Into<Option<u32>>,
    f: impl FnOnce(&mut Builder, DPull<EU32>),
) -> Row {
    let name = name.into();
    let built = build("row", threads, |b| {
        let input = b.parameter("input");
        f(b, input);
    });
    let ours = match built {
        Ok(plan) => Some(plan.shared().bytes),
        Err(mistakes) => {
            assert!(
                mistakes.to_string().contains("shared memory"),
                "{name}: {mistakes}"
            );
            None
        }
    };
    Row {
        name,
        threads,
        ours,
        theirs: theirs.into(),
    }
}

fn add(x: EU32, y: EU32) -> EU32 {
    x + y
}

fn of_red(which: u32, n: u32, threads: u32, theirs: impl Into<Option<u32>>) -> Row {
    row(format!("red{which} of {n}"), threads, theirs, |b, input| {
        b.result(reductions::map_red(which, n, add, input))
    })
}

const SCANS: [&str; 5] = [
    "sklansky1",
    "sklansky2",
    "sklansky3",
    "kogge-stone pull",
    "kogge-stone push",
];

fn of_scan(which: u32, log: u32, threads: u32, theirs: impl Into<Option<u32>>) -> Row {
    let name = format!("{} of {}", SCANS[which as usize - 1], 1 << log);
    row(name, threads, theirs, |b, input| {
        b.result(scans::map_scan(which, log, 1 << log, add, input))
    })
}

/// Red1 to red7 by size, 256 to 32,768 elements; red1 to red3 of the largest size are too large for
/// the Haskell system.
const REDUCTIONS: [(&[u32], [Option<u32>; 8]); 4] = [
    (
        &[1, 2, 3],
        [
            Some(768),
            Some(1536),
            Some(3072),
            Some(6144),
            Some(12288),
            Some(24576),
            Some(49152),
            None,
        ],
    ),
    (
        &[4, 5],
        [
            Some(192),
            Some(384),
            Some(768),
            Some(1536),
            Some(3072),
            Some(6144),
            Some(12288),
            Some(24576),
        ],
    ),
    (
        &[6],
        [
            Some(160),
            Some(192),
            Some(384),
            Some(768),
            Some(1536),
            Some(3072),
            Some(6144),
            Some(12288),
        ],
    ),
    (
        &[7],
        [
            Some(144),
            Some(160),
            Some(192),
            Some(384),
            Some(768),
            Some(1536),
            Some(3072),
            Some(6144),
        ],
    ),
];

/// Each scan by size, 256 to 16,384 elements.
const SCAN_BYTES: [Option<u32>; 7] = [
    Some(2048),
    Some(4096),
    Some(8192),
    Some(16384),
    Some(32768),
    None,
    None,
];

fn by_size() -> Vec<Row> {
    let mut rows = Vec::new();
    for (kernels, bytes) in REDUCTIONS {
        for which in kernels {
            rows.extend(
                (8u32..)
                    .zip(bytes)
                    .map(|(log, theirs)| of_red(*which, 1 << log, 256, theirs)),
            );
        }
    }
    for which in 1..=5 {
        rows.extend(
            (8u32..)
                .zip(SCAN_BYTES)
                .map(|(log, theirs)| of_scan(which, log, 256, theirs)),
        );
    }
    rows
}

/// The numbers of threads that the paper found best (Tables 2 and 3), and those of its examples.
fn by_threads() -> Vec<Row> {
    let reductions = [
        (1, 256),
        (2, 256),
        (3, 256),
        (4, 64),
        (5, 128),
        (6, 128),
        (7, 128),
    ];
    let bytes = [12288, 12288, 12288, 3072, 3072, 1536, 768];
    let mut rows: Vec<Row> = reductions
        .into_iter()
        .zip(bytes)
        .map(|((which, t), bytes)| of_red(which, 4096, t, bytes))
        .collect();
    for (which, best) in (1..=5).zip([128, 128, 128, 64, 64]) {
        rows.push(of_scan(which, 8, best, 2048));
        rows.push(of_scan(which, 10, 256, 8192));
    }
    rows
}

fn of_sections_3_and_4() -> Vec<Row> {
    vec![
        row("reductions of 512", 64, 1536, |b, input| {
            b.result(intro::reductions(add, 512, input))
        }),
        row("sumUp of 8", 32, 0, |b, input| {
            b.result(intro::sums_up(8, input))
        }),
        row("sumUp' of 8", 32, 136, |b, input| {
            b.result(intro::sums_up_par(8, input))
        }),
        row("sumUpT of 8 times 8", 32, 192, |b, input| {
            b.result(intro::sums_up_thread(8, 8, input))
        }),
        row("reduce2stage of 512", 128, 2208, |b, input| {
            b.result(intro::two_stages(512, input))
        }),
        row(
            "reduce2stage of Warp and Block of 512",
            128,
            2208,
            |b, input| b.result(intro::two_stages_block(512, input)),
        ),
        row(
            "reduce2stage of Warp and Block of 4096",
            128,
            16640,
            |b, input| b.result(intro::two_stages_block(4096, input)),
        ),
        row("mandelbrot of 512", 256, 0, |b, _| {
            b.result(mandelbrot::image(512, 512))
        }),
        row("mandelbrot of 512", 512, 0, |b, _| {
            b.result(mandelbrot::image(512, 512))
        }),
        row("mandelbrot of 1024", 128, 0, |b, _| {
            b.result(mandelbrot::image(1024, 1024))
        }),
    ]
}

/// Bytes of the Haskell system's carry.
const CARRY: u32 = 4;

fn of_large_problems() -> Vec<Row> {
    let mut rows = vec![
        of_red(5, 4096, 32, 3072),
        row("red8 of 65536", 128, 1536, |b, input| {
            b.result(reductions::map_red8(128, 65536, add, input))
        }),
        row("red8 of 256", 128, 1536, |b, input| {
            b.result(reductions::map_red8(128, 256, add, input))
        }),
        row("sklansky1 of 256 with a carry", 128, 2048, |b, input| {
            let cins = b.parameter("cins");
            b.result(scans::map_scan_cin(1, 8, 256, add, cins, input));
        }),
        row(
            "chain of sklansky1 of 128, carry first",
            128,
            1536 + CARRY,
            |b, input| {
                b.result(scans::seq_chain(1, 7, 128, 65536, add, 0u32.into(), input));
            },
        ),
        row(
            "chain of sklansky2 of 128, carry first",
            128,
            1536 + CARRY,
            |b, input| {
                b.result(scans::seq_chain(2, 7, 128, 65536, add, 0u32.into(), input));
            },
        ),
        row(
            "chain of stored sklansky1 of 512",
            512,
            4096 + CARRY,
            |b, input| b.result(examples::sklanskies(9, 512, 1024, input)),
        ),
    ];
    for which in [1, 4, 5] {
        for (log, elements, threads, bytes) in [(7, 65536, 128, 1536), (9, 4096, 512, 6144)] {
            let name = format!(
                "chain of {} of {}, carry last",
                SCANS[which as usize - 1],
                1 << log
            );
            rows.push(row(name, threads, bytes + CARRY, |b, input| {
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
    for which in 1..=5 {
        let name = format!("inclusive {} of 256", SCANS[which as usize - 1]);
        rows.push(row(name, 128, 2048, |b, input| {
            let scan = move |a| {
                examples::inclusive(exec_block(scans::scan(which, 8, add, a)), 3u32.into())
            };
            b.result(input.split_up(256).as_grid_map(scan));
        }));
    }
    rows
}

fn of_examples() -> Vec<Row> {
    vec![
        row("increment in blocks of 2048", 512, 8192, |b, input| {
            b.result(examples::increment_of_blocks(2048, input))
        }),
        row("increment in warps of 512", 512, 8192, |b, input| {
            b.result(examples::increment_of_warps(2048, 512, input))
        }),
        row("increment of 512", 512, 0, |b, input| {
            b.result(examples::increment(512, input))
        }),
        row("matmul of 32", 32, 0, |b, _| {
            let (left, right) = (b.parameter("left"), b.parameter("right"));
            b.result(examples::matmul(32, left, right));
        }),
        row("reconstruct", 256, 0, |b, starts| {
            let out: MGlobal<EU32> = b.parameter("out");
            b.result(examples::reconstruct(starts, out));
        }),
        row("asBlockMap", 128, 1664, |b, input| {
            b.result(examples::as_block_map(input))
        }),
        row("red2 of 256 pairs", 64, 1536, |b, input| {
            let floats: DPull<EF32> = b.parameter("floats");
            let f = |(a, x): (EU32, EF32), (b, y): (EU32, EF32)| (a + b, x + y);
            let red2 = move |a| exec_block(reductions::red(2, f, a));
            b.result(zip(input, floats).split_up(256).as_grid_map(red2));
        }),
        row("histogram", 256, 0, |b, input| {
            let bins: MGlobal<EU32> = b.parameter("bins");
            b.result(examples::histogram(bins, input));
        }),
    ]
}

fn number(bytes: Option<u32>) -> String {
    bytes.map_or("too much".to_owned(), |bytes| bytes.to_string())
}

/// Prints the rows, and holds that none needs more than the Haskell system.
fn hold(rows: &[Row]) {
    println!(
        "{:<44} {:>7} {:>9} {:>9}",
        "kernel", "threads", "ours", "Haskell's"
    );
    for row in rows {
        println!(
            "{:<44} {:>7} {:>9} {:>9}",
            row.name,
            row.threads,
            number(row.ours),
            number(row.theirs)
        );
    }
    let limit = u32::MAX;
    let worse: Vec<_> = rows
        .iter()
        .filter(|row| row.ours.unwrap_or(limit) > row.theirs.unwrap_or(limit))
        .map(|row| &row.name)
        .collect();
    assert!(
        worse.is_empty(),
        "these need more than they do in Haskell: {worse:?}"
    );
}

#[test]
fn reductions_and_scans_of_every_size_need_no_more() {
    hold(&by_size());
}

#[test]
fn the_best_numbers_of_threads_need_no_more() {
    hold(&by_threads());
}

#[test]
fn sums_and_pictures_need_no_more() {
    hold(&of_sections_3_and_4());
}

#[test]
fn large_problems_need_no_more() {
    hold(&of_large_problems());
}

#[test]
fn examples_need_no_more() {
    hold(&of_examples());
}
