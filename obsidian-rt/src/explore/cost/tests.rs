//! The model: closed forms of queues, and what takes longer than what.

use super::*;
use crate::ArrayTraffic;

fn near(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-9
}

/// Equal queues and no delay: n customers in k queues of service s finish n / (n + k - 1) / s
/// in a clock.
#[test]
fn equal_queues_have_a_closed_form() {
    for n in [1, 2, 3, 7, 64] {
        for k in [1usize, 2, 4] {
            let expected = n as f64 / (n as f64 + k as f64 - 1.0) / 3.0;
            assert!(
                near(throughput(n, &vec![3.0; k], 0.0), expected),
                "{n} customers, {k} queues"
            );
        }
    }
}

/// One queue and a delay is the machine repair problem, which Erlang's formula solves.
#[test]
fn one_queue_and_a_delay_are_the_repair_of_machines() {
    let (service, delay) = (2.0, 30.0);
    for n in [1u64, 2, 5, 16, 40] {
        // The probability of k customers in the queue goes with n! / (n - k)! * (service /
        // delay)^k.
        let (mut term, mut sum) = (1.0f64, 1.0f64);
        for k in 1..=n {
            term *= (n - k + 1) as f64 * service / delay;
            sum += term;
        }
        assert!(
            near(
                throughput(n, &[service], delay),
                (1.0 - 1.0 / sum) / service
            ),
            "{n} customers"
        );
    }
}

#[test]
fn throughput_keeps_within_its_bounds() {
    let (service, delay) = ([4.0, 1.0, 2.5, 0.0], 100.0);
    let mut last = 0.0;
    for n in 1..=64 {
        let done = throughput(n, &service, delay);
        assert!(
            done > last && done <= f64::min(1.0 / 4.0, n as f64 / 107.5) + 1e-12,
            "{n}"
        );
        last = done;
    }
    assert!(last > 0.24, "the slowest server is busy");
}

/// Counts of a kernel in which each warp reads and writes a line of a buffer, neighbours by
/// neighbours.
fn copies(warps: u64, sectors: u64, lines: u64) -> Counts {
    let mut counts = Counts::default();
    counts.instructions.memory = 2 * warps;
    let mut traffic = Traffic::default();
    (traffic.elements, traffic.bytes, traffic.requests) = (32 * warps, 128 * warps, warps);
    (traffic.sectors, traffic.lines) = (sectors * warps, lines * warps);
    counts.buffers = traffic;
    counts.buffers += traffic;
    counts.arrays = vec![
        row(AccessKind::Read, traffic),
        row(AccessKind::Write, traffic),
    ];
    counts
}

fn row(kind: AccessKind, traffic: Traffic) -> ArrayTraffic {
    ArrayTraffic::new("copy", "a", Space::Buffer, kind, traffic)
}

fn needs(threads: u32, blocks: u64) -> Needs {
    Needs {
        threads,
        shared_bytes: 0,
        registers: None,
        local_bytes: 0,
        blocks,
    }
}

#[test]
fn a_large_copy_takes_the_time_of_its_bytes() {
    for name in Gpu::names() {
        let gpu = Gpu::named(name).unwrap();
        let blocks = 1 << 20;
        let predicted = predict(&gpu, &needs(256, blocks), &copies(8, 4, 1), 1);
        let bytes = (blocks * 256 * 8) as f64;
        let seconds = bytes / (gpu.memory_gb_per_s * 1e9 * gpu.memory_efficiency);
        assert_eq!(predicted.bottleneck(), "memory", "{name}");
        assert!(
            predicted.seconds > seconds && predicted.seconds < 1.35 * seconds,
            "{name}: {} of {seconds}",
            predicted.seconds
        );
    }
}

#[test]
fn scattered_reads_take_longer_and_more_so_where_lines_are_fetched() {
    let factor = |name: &str| {
        let gpu = Gpu::named(name).unwrap();
        let seconds = |sectors, lines| {
            predict(&gpu, &needs(256, 1 << 16), &copies(8, sectors, lines), 1).seconds
        };
        seconds(32, 32) / seconds(4, 1)
    };
    assert!(factor("gtx680") > 2.0, "{}", factor("gtx680"));
    assert!(
        factor("c2070") > factor("gtx680"),
        "{} {}",
        factor("c2070"),
        factor("gtx680")
    );
}

#[test]
fn few_resident_warps_do_not_hide_latency() {
    let gpu = Gpu::named("gtx680").unwrap();
    let of = |threads: u32| {
        predict(
            &gpu,
            &needs(threads, (1 << 22) / u64::from(threads)),
            &copies((threads / 32).into(), 4, 1),
            1,
        )
    };
    assert!(of(32).seconds > 1.5 * of(256).seconds);
    assert_eq!(of(32).bottleneck(), "latency");
}

#[test]
fn lanes_that_take_values_from_each_other_take_time() {
    for name in Gpu::names() {
        let gpu = Gpu::named(name).unwrap();
        let of = |shuffles, reductions| {
            let mut counts = copies(8, 4, 1);
            (counts.shuffles, counts.lane_reductions) = (shuffles, reductions);
            counts.instructions.control = shuffles + reductions;
            predict(&gpu, &needs(256, 1 << 16), &counts, 1).seconds
        };
        assert!(of(0, 0) < of(80, 0) && of(80, 0) < of(8000, 0), "{name}");
        assert!(of(0, 80) < of(0, 8000), "{name}");
        // One instruction, or a shuffle and an operator in each of five steps.
        let has_instruction = ["a100", "h100", "h200", "rtx4090"].contains(&name);
        let (reductions, shuffles) = (of(0, 8000), of(5 * 8000, 0));
        assert_eq!(reductions < shuffles, has_instruction, "{name}");
    }
}

#[test]
fn what_threads_hold_bounds_how_many_there_are() {
    let gpu = Gpu::named("h100").unwrap();
    let of = |registers| {
        let needs = Needs {
            registers,
            ..needs(256, 1 << 12)
        };
        predict(&gpu, &needs.on(&gpu), &copies(8, 4, 1), 1)
    };
    let (few, many, spilled) = (of(None), of(Some(96)), of(Some(1000)));
    assert!(many.occupancy.blocks < few.occupancy.blocks);
    assert!(many.seconds > few.seconds && spilled.seconds > many.seconds);
    assert!(spilled.seconds.is_finite());
    for name in Gpu::names() {
        let gpu = Gpu::named(name).unwrap();
        let needs = Needs {
            registers: Some(1000),
            ..needs(1024, 1 << 12)
        };
        let prediction = predict(&gpu, &needs.on(&gpu), &copies(8, 4, 1), 1);
        assert!(prediction.seconds.is_finite(), "{name}");
    }
}

#[test]
fn local_memory_takes_time() {
    for name in Gpu::names() {
        let gpu = Gpu::named(name).unwrap();
        let of = |local_bytes, threads| {
            let needs = Needs {
                local_bytes,
                ..needs(threads, 1 << 16)
            };
            predict(&gpu, &needs, &copies(u64::from(threads) / 32, 4, 1), 1)
        };
        for threads in [64, 256] {
            let [none, few, many] = [0, 400, 4000].map(|bytes| of(bytes, threads));
            assert!(
                none.seconds < few.seconds && few.seconds < many.seconds,
                "{name}"
            );
            assert!(many.seconds.is_finite(), "{name}");
        }
    }
}

#[test]
fn more_blocks_take_longer_and_a_tail_counts() {
    let gpu = Gpu::named("gtx680").unwrap();
    let of = |blocks| predict(&gpu, &needs(256, blocks), &copies(8, 4, 1), 1).seconds;
    let all: Vec<f64> = [1, 7, 8, 9, 64, 65, 1000, 4096]
        .into_iter()
        .map(of)
        .collect();
    assert!(all.windows(2).all(|pair| pair[0] <= pair[1]), "{all:?}");
    assert!(of(65) > of(64), "one block on a second round");
}

#[test]
fn the_whole_lies_between_its_largest_part_and_their_sum() {
    for name in Gpu::names() {
        let gpu = Gpu::named(name).unwrap();
        for (threads, sectors, lines) in [(32u32, 4, 1), (64, 32, 8), (256, 32, 32), (1024, 4, 1)] {
            let mut counts = copies((threads / 32).into(), sectors, lines);
            counts.block_waits = 5;
            let resident = Occupancy::of(&gpu, &needs(threads, 1)).blocks;
            // No tail.
            let predicted = predict(
                &gpu,
                &needs(threads, u64::from(resident * gpu.multiprocessors) * 10),
                &counts,
                1,
            );
            let (sum, largest) = predicted
                .parts
                .iter()
                .fold((0.0, 0.0), |(sum, largest), (_, part)| {
                    (sum + part, f64::max(largest, *part))
                });
            let (low, high) = (largest * (1.0 - 1e-9), sum * (1.0 + 1e-9));
            assert!(
                (low..=high).contains(&predicted.seconds),
                "{name}, {threads} threads: {predicted:?}"
            );
        }
    }
}

#[test]
fn what_is_not_there_costs_a_launch_and_what_does_not_fit_never_ends() {
    let gpu = Gpu::named("t4").unwrap();
    assert_eq!(
        predict(&gpu, &needs(64, 0), &Counts::default(), 0).seconds,
        3e-6
    );
    let too_large = Needs {
        shared_bytes: 70_000,
        ..needs(64, 1)
    };
    assert_eq!(
        predict(&gpu, &too_large, &copies(2, 4, 1), 1).seconds,
        f64::INFINITY
    );
    let nothing = predict(&gpu, &needs(1, 1), &Counts::default(), 1);
    assert!(nothing.seconds.is_finite() && nothing.seconds > 0.0);
}
