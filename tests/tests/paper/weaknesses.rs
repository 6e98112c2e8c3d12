//! The weaknesses of the Haskell Obsidian, found by running its own generator: one test for each,
//! which shows that it is absent.
//!
//! Tests about waits ask the simulator, which knows nothing of the passes that place them: it finds
//! no race with all waits, and one without any of them.

#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;

use crate::kernels::intro::intro;
use obsidian_core::emit::cuda;
use obsidian_core::plan::Plan;
use obsidian_rt::generated::{Builder, Outputs, build, launch};
use obsidian_rt::language::{DPull, EU32};
use obsidian_rt::prelude::*;
use obsidian_tests::{fact, samples};
use reduction::reductions;
use scan::scans;

#[kernels]
pub mod weak {
    pub fn small_and_wide_block(a: Pull<EU32>) -> Program<Block, Pull<EU32>> {
        let small = compute(a.take(32))?;
        compute(a.map(|x| x + small[31]))
    }

    #[kernel(threads = 256)]
    pub fn small_and_wide(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(256)
            .as_grid_map(|a| exec_block(small_and_wide_block(a)))
    }

    pub fn turned_twice(a: Pull<EU32>) -> Program<Block, Pull<EU32>> {
        let turned = compute(a.reverse())?;
        compute(turned.reverse().map(|x| x + 1))
    }

    #[kernel(threads = 128)]
    pub fn pieces_in_order(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(512).as_grid_map(|a| {
            a.split_up(128)
                .as_block_map(|a| exec_block(turned_twice(a)))
        })
    }

    /// Stages that want memory.
    pub fn stages(a: Pull<EU32>) -> Program<Block, Pull<EU32>> {
        let b = compute(a.reverse().map(|x| x * 3))?;
        let c = compute(b.reverse().map(|x| x + 7))?;
        compute(c.reverse().map(|x| x ^ 5))
    }

    /// Where an element goes is read from an array that was stored before other stages.
    pub fn by_target_index(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let n = a.len();
        let place = compute(generate(n, |i| (i * 5 + 3) % n))?;
        let b = stages(a)?;
        pure(mk_push(n, |write| {
            for_all::<Block, _>(n, |i| write(b[i], place[i].unchecked().distinct()))
        }))
    }

    #[kernel(threads = 64)]
    pub fn target_indices(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|a| exec_block(by_target_index(a)))
    }

    /// How often a loop runs, whether a loop goes on, and which way a condition goes.
    pub fn by_bounds(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let bounds = compute(a.map(|x| x % 5))?;
        let flags = compute(a.map(|x| x % 3))?;
        let b = stages(a)?;
        pure(
            generate(a.len(), |i| i)
                .as_block_map(|i| exec_thread_value(counted(bounds, flags, b, i))),
        )
    }

    pub fn counted(
        bounds: Pull<EU32>,
        flags: Pull<EU32>,
        b: Pull<EU32>,
        i: EU32,
    ) -> Program<Thread, EU32> {
        let sum = seq_iterate(bounds[i], |_, x| x * 2 + 1, b[i])?;
        let more = seq_until(|x| x + 1, |x| (x + flags[i]) % 4 != 0, sum)?;
        let cell = to_mutable(singleton(more))?;
        cond(flags[i] == 1, cell.write(0, more + 100), pure(()))?;
        cell.read(0)
    }

    #[kernel(threads = 64)]
    pub fn bounds_and_conditions(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|a| exec_block(by_bounds(a)))
    }

    /// Which element an atomic operation changes.
    pub fn by_atomics(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let n = a.len();
        let bin = compute(a.map(|x| x % 8))?;
        let b = stages(a)?;
        let bins = new_shared_mutable(8, lit(0u32))?;
        for_all(n, |i| bins.atomic_add(bin[i].unchecked(), b[i]).void())?;
        pure(bins.push())
    }

    #[kernel(threads = 64)]
    pub fn atomic_indices(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|a| exec_block(by_atomics(a)))
    }

    /// Threads' own arrays in a program of warps.
    #[kernel(threads = 64)]
    pub fn threads_in_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(512).as_grid_map(|a| {
            a.split_up(256).as_block_map(|a| {
                a.split_up(8)
                    .as_warp_map(|a| exec_thread_value(sum_of_thread(a)))
            })
        })
    }

    pub fn sum_of_thread(a: Pull<EU32>) -> Program<Thread, EU32> {
        if a.len() == 1 {
            return pure(a[0]);
        }
        let (low, high) = a.halve();
        let a = compute(zip_with(|x, y| x + y, low, high))?;
        sum_of_thread(a)
    }

    /// Ten stages in each warp: in the Haskell system, which frees nothing in warps, 40 KB for four
    /// warps.
    pub fn ten_stages(n: u32, a: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let mut a = a;
        for k in 0..n {
            a = compute(a.reverse().map(|x| x + k))?;
        }
        pure(a.push())
    }

    #[kernel(threads = 128)]
    pub fn stages_of_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(1024).as_grid_map(|a| {
            a.split_up(256)
                .as_block_map(|a| exec_warp(ten_stages(10, a)))
        })
    }

    /// A loop over threads of dynamic length below the grid.
    #[kernel(threads = 32)]
    pub fn dynamic_lengths(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.chunks_len(50).as_grid_map(|c| {
            replicate(1, 0).as_block_map(|_| exec_thread_value(seq_reduce(|x, y| x + y, c)))
        })
    }

    /// Arrays of every kind of element, stored.
    pub fn of_all_types(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let flags: Pull<EBool> = compute(a.map(|x| x % 3 == 0))?;
        let bytes = compute(a.map(|x| x as i8))?;
        let shorts = compute(a.map(|x| x as u16))?;
        let longs = compute(a.map(|x| (x as i64) * 3))?;
        let doubles = compute(a.map(|x| (x as f64) * 0.5))?;
        let sum = |i: EU32| {
            (bytes[i] as u32) + (shorts[i] as u32) + (longs[i] as u32) + (doubles[i] as u32)
        };
        pure(generate(a.len(), |i| select(flags[i], sum(i), sum(a.len() - 1 - i))).push())
    }

    #[kernel(threads = 32)]
    pub fn all_types(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(40)
            .as_grid_map(|a| exec_block(of_all_types(a)))
    }

    #[kernel(threads = 32)]
    pub fn operators(input: DPull<EF32>) -> DPush<Grid, (EF32, EU32)> {
        input.split_up(8).as_grid_map(|a| {
            let small = a.map(|x| x * 0.0078125f32);
            let hyperbolic = small.map(|x| x.sinh() + x.cosh() * 2.0f32 + x.tanh() * 4.0f32);
            let others = small.map(|x| x.sin() + (x.abs() + 1.0f32).log10());
            zip(
                zip_with(|x, y| x + y, hyperbolic, others),
                generate(a.len(), |i| (lit(0x8000_0100u32) >> 4) >> i),
            )
            .push()
        })
    }

    /// 2^40 additions, if nothing is shared.
    #[kernel(threads = 32)]
    pub fn shared_values(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(8)
            .as_grid_map(|a| a.map(|x| (0..40).fold(x, |x, k| x * x + k)).push())
    }

    #[kernel(threads = 32)]
    pub fn any_length(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(64, lit(0u32))
            .as_grid_map(|a| a.reverse().reverse().push())
            .take(input.len())
    }

    /// Each piece's scan with what comes before it: one element more.
    #[kernel(threads = 32)]
    pub fn one_more(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(4)
            .as_grid_map(|a| append(singleton(lit(9u32)).push(), a.push()))
    }

    /// A reduction in place.
    pub fn in_place(a: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let (low, high) = a.halve();
        let m = to_mutable(zip_with(|x, y| x + y, low, high))?;
        let mut n = a.len() / 4;
        while n > 0 {
            let half = n;
            for_all(half, |i| {
                let x = m.read(i)?;
                let y = m.read(i + half)?;
                m.write(i, x + y)
            })?;
            n = n / 2;
        }
        pure(mk_push(1, |write| {
            single_thread::<Block>(first_to(m, write))
        }))
    }

    pub fn first_to(m: MShared<EU32>, write: Writer<EU32>) -> Program<Thread, ()> {
        let x = m.read(0)?;
        write(x, lit(0u32))
    }

    #[kernel(threads = 64)]
    pub fn reduced_in_place(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(512).as_grid_map(|a| exec_block(in_place(a)))
    }
}

fn plan(threads: u32, f: impl FnOnce(&mut Builder, DPull<EU32>)) -> Plan {
    let built = build("weakness", threads, |b| {
        let input = b.parameter("input");
        f(b, input);
    });
    built.unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// What a plan gives on the simulator, and by the judge.
fn run(plan: Plan, input: &[u32]) -> Vec<u32> {
    let kernel = Kernel::from_plan(plan).unwrap();
    let judge = obsidian_judge::Judge::default().device();
    let [simulated, judged] = [Device::simulator(), judge].map(|device| {
        let input = device.upload(input).unwrap();
        let mut outputs: Outputs = launch(&kernel, &device, &mut [input.argument()]).unwrap();
        outputs.take::<u32>(0).unwrap().to_vec().unwrap()
    });
    assert_eq!(simulated, judged);
    simulated
}

/// The race that the simulator finds, if any; one real block works through all.
fn race(plan: &Plan, elements: usize) -> Option<String> {
    let device = Device::simulator().with_blocks(1);
    let input = device.upload(&samples::<u32>(elements)).unwrap();
    match launch(
        &Kernel::from_plan(plan.clone()).unwrap(),
        &device,
        &mut [input.argument()],
    ) {
        Ok(_) => None,
        Err(fault) if fault.to_string().contains("a race: ") => Some(fault.to_string()),
        Err(fault) => panic!("{fault}"),
    }
}

/// With all its waits a plan has no race, and without any one of them it has; gives their number.
fn each_wait_prevents_a_race(plan: &Plan, elements: usize) -> usize {
    assert_eq!(race(plan, elements), None);
    for n in 0.. {
        let Some((without, scope)) = plan.without_wait(n) else {
            return n;
        };
        assert!(
            race(&without, elements).is_some(),
            "nobody misses wait {n} ({scope}) of {}",
            plan.kernel()
        );
    }
    0
}

fn sums(x: &[u32], n: usize) -> Vec<u32> {
    x.chunks(n)
        .map(|c| c.iter().copied().fold(0, u32::wrapping_add))
        .collect()
}

fn add(x: EU32, y: EU32) -> EU32 {
    x + y
}

fn reduction(which: u32, n: u32, threads: u32) -> Plan {
    plan(threads, |b, input| {
        b.result(reductions::map_red(which, n, add, input))
    })
}

/// 1. Stages of at most 32 elements wait as well, and nothing relies on lanes in step or on
///    `volatile`.
#[test]
fn warp_synchronous_code_without_waits() {
    for which in 1..=7 {
        for threads in [32, 64, 256] {
            let plan = reduction(which, 512, threads);
            assert!(!cuda(&plan).contains("volatile"));
            each_wait_prevents_a_race(&plan, 1024);
            assert_eq!(run(plan, &samples(1024)), sums(&samples(1024), 512));
        }
    }
    let plan = reduction(2, 32, 32);
    assert!(
        each_wait_prevents_a_race(&plan, 64) >= 4,
        "5 stages, all within 32 elements: lanes of one warp race as well"
    );
}

/// 2. A small array is complete before other warps read it.
#[test]
fn no_wait_between_a_small_array_and_a_wide_reader() {
    let kernel = weak::small_and_wide::kernel();
    let plan = plan(256, |b, input| b.result(weak::small_and_wide(input)));
    assert!(each_wait_prevents_a_race(&plan, 512) >= 1);
    let text = cuda(&plan);
    let (stored, read) = (
        text.find("small[").unwrap(),
        text.find("small[31]").unwrap(),
    );
    assert!(text[stored..read].contains("__syncthreads()"), "{text}");
    assert_eq!(kernel.native().unwrap().cuda(), kernel.cuda());
}

fact!(a_small_array_and_a_wide_reader: weak::small_and_wide[256](x: u32) == x.chunks(256).flat_map(|c| c.iter().map(|x| x + c[31]).collect::<Vec<_>>()).collect::<Vec<u32>>());

/// 3. The pieces that a block works on in order use memory again only after a wait.
#[test]
fn no_wait_at_the_end_of_a_sequential_body() {
    let plan = plan(128, |b, input| b.result(weak::pieces_in_order(input)));
    assert!(each_wait_prevents_a_race(&plan, 1024) >= 2);
    assert_eq!(plan.shared().bytes, 512, "the memory is used again");
}

fact!(pieces_one_after_another: weak::pieces_in_order[512](x: u32) == x.iter().map(|x| x + 1).collect::<Vec<u32>>());

/// What `stages` does.
fn staged(c: &[u32]) -> Vec<u32> {
    c.iter()
        .rev()
        .map(|x| (x.wrapping_mul(3).wrapping_add(7)) ^ 5)
        .collect()
}

fn placed(c: &[u32]) -> Vec<u32> {
    let mut result = vec![0; c.len()];
    staged(c)
        .into_iter()
        .enumerate()
        .for_each(|(i, x)| result[(i * 5 + 3) % c.len()] = x);
    result
}

fn counted(c: &[u32]) -> Vec<u32> {
    let count = |(x, b): (&u32, u32)| {
        let mut sum = (0..x % 5).fold(b, |s, _| s.wrapping_mul(2).wrapping_add(1));
        while !sum.wrapping_add(x % 3).is_multiple_of(4) {
            sum = sum.wrapping_add(1);
        }
        if x % 3 == 1 {
            sum.wrapping_add(100)
        } else {
            sum
        }
    };
    c.iter().zip(staged(c)).map(count).collect()
}

fn binned(c: &[u32]) -> Vec<u32> {
    let mut bins = vec![0u32; 8];
    c.iter()
        .zip(staged(c))
        .for_each(|(x, b)| bins[(x % 8) as usize] = bins[(x % 8) as usize].wrapping_add(b));
    bins
}

fn per_piece(x: &[u32], n: usize, f: impl Fn(&[u32]) -> Vec<u32>) -> Vec<u32> {
    x.chunks(n).flat_map(f).collect()
}

// 4. Liveness sees names in target indices, loop bounds, conditions and atomic indices: the
//    simulator's shared memory is bytes, so an array that was overwritten gives wrong answers.
fact!(liveness_ignores_target_indices: weak::target_indices[64](x: u32) == per_piece(&x, 64, placed));
fact!(liveness_ignores_loop_bounds_and_conditions: weak::bounds_and_conditions[64](x: u32) == per_piece(&x, 64, counted));
fact!(liveness_ignores_atomic_indices: weak::atomic_indices[64](x: u32) == per_piece(&x, 64, binned));

/// 5. Arrays of a thread are its own, in no shared memory, also in a program of warps.
#[test]
fn arrays_of_threads_share_memory() {
    for kernel in [
        weak::threads_in_warps::kernel(),
        intro::sums_up_thread_8::kernel(),
    ] {
        assert_eq!(kernel.shared_bytes(), 0, "{}", kernel.name());
        assert!(!kernel.cuda().contains("__shared__"), "{}", kernel.cuda());
    }
    let plan = plan(64, |b, input| b.result(weak::threads_in_warps(input)));
    assert_eq!(
        each_wait_prevents_a_race(&plan, 1024),
        0,
        "no waits, and no race"
    );
}

fact!(arrays_of_threads_in_warps: weak::threads_in_warps[512](x: u32) == sums(&x, 8));

/// 6. A warp's memory is its own, and is used again within the warp: the paper's `reduce2stage`,
///    and stages that do not fit there.
#[test]
fn memory_of_warps_overlaps_or_is_never_freed() {
    for threads in [128, 64, 96, 33] {
        let plan = plan(threads, |b, input| b.result(intro::two_stages(512, input)));
        assert!(plan.shared().bytes <= 1664, "{threads} threads");
        assert!(
            each_wait_prevents_a_race(&plan, 1024) >= 3,
            "{threads} threads"
        );
        assert_eq!(
            run(plan, &samples(1024)),
            sums(&samples(1024), 512),
            "{threads} threads"
        );
    }
    let kernel = weak::stages_of_warps::kernel();
    assert!(
        kernel.shared_bytes() <= 2 * 4 * 1024,
        "{}",
        kernel.shared_bytes()
    );
    let plan = plan(128, |b, input| b.result(weak::stages_of_warps(input)));
    assert!(each_wait_prevents_a_race(&plan, 2048) >= 10);
}

fact!(many_stages_of_warps: weak::stages_of_warps[1024](x: u32) == x.iter().map(|x| x + 45).collect::<Vec<u32>>());

/// 7. Any number of threads: fewer than a warp, and a partial warp at the end.
#[test]
fn partial_warps_divide_by_zero_or_run_too_far() {
    for threads in [1, 2, 31, 33, 48, 63, 65, 100, 127] {
        let plan = plan(threads, |b, input| {
            b.result(intro::two_stages_block(256, input))
        });
        let waits = each_wait_prevents_a_race(&plan, 512);
        assert_eq!(waits == 0, threads == 1, "{threads} threads");
        assert_eq!(
            run(plan, &samples(512)),
            sums(&samples(512), 256),
            "{threads} threads"
        );
    }
}

/// 8. Whether a length is static is in its type: storing an array of dynamic length does not
///    compile, and a static one does.
#[test]
fn static_lengths_are_a_convention() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("static_lengths");
    std::fs::create_dir_all(&folder).unwrap();
    let compile = |stored: &str| {
        let kernel = format!("input.split_up(64).as_grid_map(|c| exec_block(compute({stored})))");
        let module = format!(
            "#[kernels] mod m {{ #[kernel] pub fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {{ {kernel} }} }}"
        );
        std::fs::write(folder.join("lib.rs"), module).unwrap();
        obsidian_build::Kernels::new()
            .source(folder.join("lib.rs"))
            .out_dir(&folder)
            .compile()
    };
    compile("c").unwrap();
    let said = compile("input").unwrap_err().to_string();
    assert!(
        said.contains("needs a length that is known at compile time"),
        "{said}"
    );
}

fn mixed(c: &[u32]) -> Vec<u32> {
    let sum = |x: u32| {
        (x as i8 as u32)
            .wrapping_add(u32::from(x as u16))
            .wrapping_add(x * 3)
            .wrapping_add(x / 2)
    };
    (0..c.len())
        .map(|i| {
            if c[i].is_multiple_of(3) {
                sum(c[i])
            } else {
                sum(c[c.len() - 1 - i])
            }
        })
        .collect()
}

fact!(dynamic_lengths_below_the_grid_fail: weak::dynamic_lengths[50](x: u32) == sums(&x, 50));
fact!(arrays_of_some_types_cannot_be_printed: weak::all_types[40](x: u32) == per_piece(&x, 40, mixed));

fn operators(x: &[f32]) -> (Vec<f32>, Vec<u32>) {
    let f = |x: &f32| {
        let x = x * 0.007_812_5;
        x.sinh() + x.cosh() * 2.0 + x.tanh() * 4.0 + (x.sin() + (x.abs() + 1.0).log10())
    };
    (
        x.iter().map(f).collect(),
        (0..x.len())
            .map(|i| (0x8000_0100u32 >> 4) >> (i % 8))
            .collect(),
    )
}

// 9. Shifts of literals go the right way, and functions are those that they are called.
// The CPU's elementary functions and those of other devices differ in the last places.
#[test]
fn expressions_that_are_others() -> obsidian_rt::Result<()> {
    let x = obsidian_tests::samples::<f32>(64);
    let (expected, shifted) = operators(&x);
    obsidian_tests::keep(&weak::operators::kernel());
    for (words, device) in obsidian_tests::devices() {
        let (found, shifts) = weak::operators::launch(&device, &device.upload(&x)?)?;
        for (found, expected) in found.to_vec()?.iter().zip(&expected) {
            let near = (found - expected).abs() <= 1e-6 * expected.abs().max(1.0);
            assert!(near, "{words}: {found} and not {expected}");
        }
        assert_eq!(shifts.to_vec()?, shifted, "{words}");
    }
    Ok(())
}

/// 9, in the text: float functions have their float names.
#[test]
fn functions_with_the_names_of_others() {
    let text = weak::operators::CUDA;
    for name in ["sinhf(", "coshf(", "tanhf(", "sinf(", "log10f("] {
        assert!(text.contains(name), "{name} in {text}");
    }
}

/// 10. A value that is used more than once is computed once.
#[test]
fn no_common_subexpressions() {
    assert!(
        weak::shared_values::CUDA.len() < 10_000,
        "{}",
        weak::shared_values::CUDA.len()
    );
}

fact!(values_are_shared: weak::shared_values[8](x: u32) == x.iter().map(|x| (0..40).fold(*x, |x, k| x.wrapping_mul(x).wrapping_add(k))).collect::<Vec<u32>>());

/// 11. A length that does not divide is an error or has a way to be said; nothing is written past
///     the end.
#[test]
fn no_bounds_and_no_remainders() {
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        for n in [0, 1, 63, 64, 65, 200] {
            let x = samples::<u32>(n);
            let input = device.upload(&x).unwrap();
            assert_eq!(
                weak::any_length::launch(&device, &input)
                    .unwrap()
                    .to_vec()
                    .unwrap(),
                x,
                "{n}"
            );
        }
        let error = weak::one_more::launch(&device, &device.upload(&samples::<u32>(7)).unwrap())
            .unwrap_err();
        assert!(error.to_string().contains("chunks"), "{error}");
        let more = weak::one_more::launch(
            &device,
            &device.upload(&[1u32, 2, 3, 4, 5, 6, 7, 8]).unwrap(),
        )
        .unwrap();
        assert_eq!(more.to_vec().unwrap(), [9, 1, 2, 3, 4, 9, 5, 6, 7, 8]);
    }
    let too_many = build("weakness", 32, |b| {
        let input: DPull<EU32> = b.parameter("input");
        b.result(input.split_up(8).as_grid_map(|a| a.take(9).push()));
    });
    assert!(too_many.is_err());
}

/// 12. Shared memory is aligned, and is one buffer that is counted whole, carries of chained scans
///     included.
#[test]
fn unaligned_and_uncounted_shared_memory() {
    for kernel in [
        scans::chain_of_sklansky::kernel(),
        reductions::map_red1::kernel(),
        intro::two_stages_512::kernel(),
    ] {
        let text = kernel.cuda();
        assert_eq!(text.matches("__shared__").count(), 1, "{text}");
        let declared = format!(
            "__shared__ __align__(128) unsigned char shared[{}]",
            kernel.shared_bytes()
        );
        assert!(text.contains(&declared), "{text}");
    }
}

/// 13. Where no other warp or thread reads what is stored, the block does not wait; every wait of a
///     reduction or scan is needed.
///
/// Waits between independent stages, where one would do for both, are not merged yet.
#[test]
fn waits_where_none_are_needed() {
    assert!(
        !weak::threads_in_warps::CUDA.contains("__sync"),
        "threads wait for nobody"
    );
    assert!(weak::stages_of_warps::CUDA.contains("__syncwarp"));
    assert!(
        !weak::stages_of_warps::CUDA.contains("__syncthreads"),
        "warps wait for themselves"
    );
    for which in 1..=7 {
        assert!(
            each_wait_prevents_a_race(&reduction(which, 4096, 256), 8192) >= 1,
            "red{which}"
        );
    }
    for which in 1..=5 {
        let plan = plan(64, |b, input| {
            b.result(scans::map_scan(which, 8, 256, add, input))
        });
        assert!(each_wait_prevents_a_race(&plan, 512) >= 1, "scan {which}");
    }
}

/// 14. Small arrays are not rounded to 128 bytes, and an algorithm in place can be said.
#[test]
fn rounded_and_never_in_place() {
    assert!(intro::sums_up_par_8::kernel().shared_bytes() <= 28);
    assert_eq!(
        weak::reduced_in_place::kernel().shared_bytes(),
        1024,
        "half of 512 elements"
    );
}

fact!(reductions_in_place: weak::reduced_in_place[512](x: u32) == sums(&x, 512));

/// 15. Grid programs have more blocks than there are real ones (every other test runs some).
#[test]
fn grids_that_cannot_be_generated() {
    let text = weak::small_and_wide::CUDA;
    assert!(
        text.contains("blockIdx.x") && text.contains("gridDim.x"),
        "{text}"
    );
}
