//! How many blocks run at once: `min_blocks` and `grid = resident` change the launch, and no result.

#![allow(missing_docs)]

use obsidian_core::ir::MAX_RESIDENT_BLOCKS;
use obsidian_core::ir::min_blocks_fit;
use obsidian_rt::language::DPull;
use obsidian_rt::{Device, ErrorKind, Kernel, Limits, TypedKernel, kernels};
use obsidian_tests::fuzz::verdict::{Answer, judge};
use obsidian_tests::{fact, hold, samples};

#[kernels]
mod m {
    pub fn reduce<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a, b) = arr.halve();
        let arr = compute(zip_with(f, a, b))?;
        reduce(f, arr)
    }

    // With all numbers of threads of the sweep, which ends at 1,024, a bound of 2 fits.
    #[kernel(threads = 64, min_blocks = 2)]
    pub fn bounded(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(128)
            .as_grid_map(|run| exec_block(reduce(|x, y| x + y, run)))
    }

    #[kernel(threads = [64, 33], min_blocks = [2, 1], wide = [true, false])]
    pub fn tried(wide: bool, input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = if wide { 64 } else { 32 };
        input
            .split_up(n)
            .as_grid_map(|run| exec_block(reduce(|x, y| x + y, run)))
    }

    #[kernel(threads = 64, min_blocks = 16)]
    pub fn tight(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|run| run.push())
    }

    #[kernel(threads = 48, grid = resident)]
    pub fn resident(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(128)
            .as_grid_map(|run| exec_block(reduce(|x, y| x + y, run)))
    }

    /// What `resident` is without the option.
    #[kernel(threads = 48)]
    pub fn each(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(128)
            .as_grid_map(|run| exec_block(reduce(|x, y| x + y, run)))
    }

    /// Any length, and a mutable array: two loops over blocks.
    #[kernel(threads = 33, min_blocks = 2, grid = resident)]
    pub fn counted(bins: MGlobal<EU32>, keys: DPull<EU32>) -> Program<Grid, ()> {
        let pieces = keys.chunks(50, 0);
        distr_par(pieces.len(), |b| {
            for_all(50, |i| {
                let inside = b * 50 + i;
                let adds = bins.atomic_add(pieces[b][i] % 16, 1).void();
                cond(inside.lt(keys.len()), adds, pure(()))
            })
        })
    }

    /// Any length.
    #[kernel(threads = 100, grid = resident)]
    pub fn doubled(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input
            .chunks(70, 0.0)
            .as_grid_map(|piece| piece.map(|x| x * 2.0).push())
            .take(input.len())
    }
}

fn sums(x: &[u32], n: usize) -> Vec<u32> {
    x.chunks(n).map(|run| run.iter().sum()).collect()
}

fact!(with_blocks_that_fit: m::bounded[128](x: u32) == sums(&x, 128));
fact!(on_resident_blocks: m::resident[128](x: u32) == sums(&x, 128));
fact!(of_any_length_on_resident_blocks: m::doubled[1](x: f32) == x.iter().map(|x| x * 2.0).collect::<Vec<f32>>());

#[test]
fn the_bound_is_in_the_text_alone() {
    let text = m::bounded::CUDA;
    assert!(text.contains("__launch_bounds__(64, 2) bounded("), "{text}");
    let first = "// Kernel bounded: 64 threads a block, 256 bytes of shared memory, 2 blocks or more a multiprocessor. ";
    assert!(text.starts_with(first), "{text}");
    assert!(!m::bounded::kernel().manifest().contains("min_blocks"));
    // Without it, the text has one number, as before.
    assert!(m::each::CUDA.contains("__launch_bounds__(48) each("));
    // With other threads the bound stays, and it is refused where no multiprocessor holds so many.
    let tight = m::tight::kernel();
    let other = tight.with_threads(100).unwrap();
    assert!(other.cuda().contains("__launch_bounds__(100, 16)"));
    let error = tight.with_threads(1000).unwrap_err();
    let words = "16 blocks of 1000 threads, 1024 in whole warps, are 16384 threads";
    assert_eq!(error.kind(), ErrorKind::Build);
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn several_bounds_are_variants() {
    let variants = m::tried::variants();
    let names: Vec<&str> = variants.iter().map(|v| v.name()).collect();
    assert_eq!(names.len(), 8);
    assert_eq!(names[0], "tried_threads64_min_blocks2_wide_true");
    assert_eq!(names[3], "tried_threads64_min_blocks1_wide_false");
    for variant in variants {
        let (threads, bound) = (variant.threads(), variant.value("min_blocks"));
        let bound = bound.and_then(|value| value.integer()).expect("a number");
        let text = format!("__launch_bounds__({threads}, {bound}) {}(", variant.name());
        assert!(variant.cuda().contains(&text), "{}", variant.cuda());
        let n = if variant.name().ends_with("true") {
            64
        } else {
            32
        };
        let launch = |built: &Kernel, device: &Device, length| {
            let input = device.upload(&samples::<u32>(length))?;
            m::tried::launch_kernel(built, device, &input)
        };
        hold(&variant.kernel(), variant.cuda(), n, launch, |length| {
            sums(&samples(length), n)
        });
    }
}

#[test]
fn a_resident_grid_changes_the_launch_and_not_the_text() {
    let renamed = m::resident::CUDA.replace("resident", "each");
    assert_eq!(renamed, m::each::CUDA);
    let (resident, each) = (m::resident::kernel(), m::each::kernel());
    assert!(resident.interface().resident && !each.interface().resident);
    let word = "\"real_blocks\": \"resident\"";
    assert!(
        resident.manifest().contains(word),
        "{}",
        resident.manifest()
    );
    assert!(!each.manifest().contains("real_blocks"));
    assert!(resident.with_threads(7).unwrap().interface().resident);
}

#[test]
fn bins_are_counted_on_resident_blocks() {
    let keys = samples::<u32>(1234);
    let mut expected = vec![0u32; 16];
    keys.iter()
        .for_each(|key| expected[*key as usize % 16] += 1);
    for (words, device) in obsidian_tests::devices() {
        let mut bins = device.zeros::<u32>(16).unwrap();
        m::counted::launch(&device, &mut bins, &device.upload(&keys).unwrap()).unwrap();
        assert_eq!(bins.to_vec().unwrap(), expected, "{words}");
    }
}

/// Real blocks of a launch on the simulator, which has a round of its loop more for each virtual
/// block that a real one goes on to.
#[test]
fn the_simulator_gives_each_resident_block_several_virtual_ones() {
    let device = Device::simulator();
    let input = device.upload(&samples::<u32>(128 * 10)).unwrap();
    let barriers = |kernel: &Kernel, device: &Device| {
        let launch = |device: &Device| m::each::launch_kernel(kernel, device, &input);
        let (output, counts) = device.counted(launch).unwrap();
        assert_eq!(output.to_vec().unwrap(), sums(&samples(128 * 10), 128));
        counts.instructions.total()
    };
    let on = |blocks| barriers(&m::each::kernel(), &device.with_blocks(blocks));
    let resident = barriers(&m::resident::kernel(), &device);
    assert_eq!(resident, on(3));
    assert_ne!(resident, on(10));
    // A limit of the user's goes before.
    let one = barriers(&m::resident::kernel(), &device.with_blocks(1));
    assert_eq!(one, on(1));
}

#[test]
fn a_program_that_builds_a_kernel_says_the_same_beside_the_threads() {
    let limits = Limits {
        min_blocks: Some(3),
        resident: true,
        ..Limits::from(96)
    };
    let build = |limits: Limits| {
        TypedKernel::build(
            "copied",
            limits,
            |input: DPull<obsidian_rt::language::EU32>| {
                input.split_up(10).as_grid_map(|run| run.push())
            },
        )
    };
    let kernel = build(limits).unwrap();
    assert!(kernel.kernel().cuda().contains("__launch_bounds__(96, 3)"));
    assert!(kernel.kernel().interface().resident);
    let device = Device::simulator();
    let input = device.upload(&samples::<u32>(70)).unwrap();
    assert_eq!(
        kernel.launch(&device, &input).unwrap().to_vec().unwrap(),
        samples::<u32>(70)
    );
    for (blocks, words) in [(0, "from 1 to 32, not `0`"), (22, "at most 21")] {
        let wrong = Limits {
            min_blocks: Some(blocks),
            ..limits
        };
        let error = build(wrong).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn as_many_blocks_fit_as_their_whole_warps_do() {
    for threads in 1..=1024u32 {
        let most = (2048 / threads.next_multiple_of(32)).min(MAX_RESIDENT_BLOCKS);
        for blocks in [-1, 0, 1, most.into(), i128::from(most) + 1, 33] {
            let fits = (1..=i128::from(most)).contains(&blocks);
            assert_eq!(
                min_blocks_fit(blocks, threads).is_ok(),
                fits,
                "{threads} {blocks}"
            );
        }
    }
}

/// Options that are refused, what the message says, and the place of the error.
const WRONG: &[(&str, &str, &str)] = &[
    ("min_blocks = 0", "from 1 to 32, not `0`", "0"),
    ("min_blocks = 33", "from 1 to 32, not `33`", "33"),
    ("min_blocks = -1", "from 1 to 32, not `-1`", "-1"),
    ("min_blocks = four", "from 1 to 32, not `four`", "four"),
    ("min_blocks = []", "is empty", "[]"),
    ("min_blocks = [2, 2]", "the value 2 twice", "2]"),
    (
        "threads = 512, min_blocks = [4, 5]",
        "5 blocks of 512 threads are 2560 threads",
        "5]",
    ),
    (
        "min_blocks = 7, threads = [64, 300]",
        "7 blocks of 300 threads, 320 in whole warps, are 2240 threads",
        "7",
    ),
    (
        "min_blocks = 2, min_blocks = 3",
        "said twice",
        "min_blocks = 3",
    ),
    ("grid = all", "can be `resident`, and not `all`", "all"),
    (
        "grid = \"resident\"",
        "can be `resident`, and not `\"resident\"`",
        "\"resident\"",
    ),
    ("grid", "expected `=`", ""),
    (
        "grid = resident, grid = resident",
        "said twice",
        "grid = resident)",
    ),
];

#[test]
fn what_no_multiprocessor_holds_is_an_error_at_the_number() {
    for (options, words, place) in WRONG {
        let text = format!(
            "pub mod m {{ #[kernel({options})] pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {{ \
             x.split_up(64).as_grid_map(|c| c.push()) }} }}"
        );
        match judge(&text) {
            Ok(Answer::Errors(list)) => {
                assert!(
                    list.len() == 1 && list[0].contains(words),
                    "{options}: {list:?}"
                );
                println!("{place}: {}", list[0]);
            }
            other => panic!("{options}: {other:?}"),
        }
    }
}
