//! Sections 6.3, 6.4 and 7.2: the example `scan`.

use obsidian_core::lower::Builder;
use obsidian_rt::language::{DPull, EU32, exec_block, lit, select};
use obsidian_rt::{Buffer, Device, Result};
use obsidian_tests::{fact, samples};
use scan::{held, large_scan, large_scan_exchanged, large_scan_held, large_scan_together, scans};

use crate::{native, on_devices, per_piece};

/// The sums of all beginnings of each piece.
fn prefixes(x: &[u32], n: usize) -> Vec<u32> {
    per_piece(x, n, |c| {
        c.iter()
            .scan(0u32, |sum, x| {
                *sum = sum.wrapping_add(*x);
                Some(*sum)
            })
            .collect()
    })
}

/// What the affine maps of each piece do one after another.
fn maps(x: &[u32], y: &[u32], n: usize) -> (Vec<u32>, Vec<u32>) {
    let pairs: Vec<(u32, u32)> = x.iter().copied().zip(y.iter().copied()).collect();
    let scan = |c: &[(u32, u32)]| {
        let step = |f: &mut (u32, u32), g: &(u32, u32)| {
            *f = (
                f.0.wrapping_mul(g.0),
                f.1.wrapping_mul(g.0).wrapping_add(g.1),
            );
            Some(*f)
        };
        c.iter().scan((1, 0), step).collect::<Vec<_>>()
    };
    per_piece(&pairs, n, scan).into_iter().unzip()
}

fact!(sklansky_scans: scans::sklansky1_256[256]((x: u32, y: u32)) == maps(&x, &y, 256));
fact!(sklansky_in_phases_scans: scans::sklansky2_256[256]((x: u32, y: u32)) == maps(&x, &y, 256));
fact!(sklansky_with_a_load_scans: scans::sklansky3_256[256]((x: u32, y: u32)) == maps(&x, &y, 256));
fact!(kogge_stone_scans: scans::kogge_stone_256[256]((x: u32, y: u32)) == maps(&x, &y, 256));
fact!(kogge_stone_of_push_arrays_scans: scans::kogge_stone_push_256[256]((x: u32, y: u32)) == maps(&x, &y, 256));
fact!(kogge_stone_takes_any_length: scans::kogge_stone_100[100]((x: u32, y: u32)) == maps(&x, &y, 100));
fact!(kogge_stone_of_push_arrays_takes_any_length: scans::kogge_stone_push_100[100]((x: u32, y: u32)) == maps(&x, &y, 100));
fact!(a_chain_of_scans: scans::chain_of_sklansky[256](x: u32) == prefixes(&x, 256));
fact!(a_chain_of_three_scans_in_phases: scans::chain_of_sklansky2[96]((x: u32, y: u32)) == maps(&x, &y, 96));
fact!(a_chain_of_any_length: scans::chain_of_kogge_stone[150]((x: u32, y: u32)) == maps(&x, &y, 150));
fact!(a_chain_with_a_late_carry: scans::late_chain_of_kogge_stone[150]((x: u32, y: u32)) == maps(&x, &y, 150));

fn built(threads: u32, x: &[u32], f: impl FnOnce(&mut Builder, DPull<EU32>)) -> Vec<u32> {
    native(threads, x, |b| {
        let input = b.parameter("input");
        f(b, input);
    })
}

#[test]
fn five_scans_at_many_sizes() {
    for (log, threads) in (1..=10).zip([32, 64, 7, 128, 96, 256, 33, 64, 31, 128]) {
        let n = 1u32 << log;
        let x = samples::<u32>(2 * n as usize);
        for which in 1..=5 {
            let scanned = built(threads, &x, |b, input| {
                b.result(scans::map_scan(which, log, n, |x: EU32, y| x + y, input))
            });
            assert_eq!(
                scanned,
                prefixes(&x, n as usize),
                "scan {which} of {n} with {threads} threads"
            );
        }
    }
}

#[test]
fn kogge_stone_at_odd_sizes() {
    for size in [1u32, 3, 5, 17, 33, 63, 65, 127, 200] {
        let x = samples::<u32>(2 * size as usize);
        let log = size.next_power_of_two().ilog2();
        for which in 4..=5 {
            let scanned = built(33, &x, |b, input| {
                b.result(scans::map_scan(which, log, size, |x: EU32, y| x + y, input))
            });
            assert_eq!(
                scanned,
                prefixes(&x, size as usize),
                "scan {which} of {size}"
            );
        }
    }
}

#[test]
fn chains_of_all_scans() {
    for which in 1..=5 {
        for (rounds, threads) in [(1, 32), (2, 100), (5, 64)] {
            let elements = 32 * rounds;
            let x = samples::<u32>(2 * elements as usize);
            let chain = |b: &mut Builder, input| {
                b.result(scans::seq_chain(
                    which,
                    5,
                    32,
                    elements,
                    |x: EU32, y| x + y,
                    0u32.into(),
                    input,
                ))
            };
            assert_eq!(
                built(threads, &x, chain),
                prefixes(&x, elements as usize),
                "scan {which}, {rounds} rounds"
            );
        }
    }
}

/// Each element is what came before it in its piece.
fn carries(x: &[u32], n: usize) -> Vec<u32> {
    per_piece(x, n, |c| {
        std::iter::once(0)
            .chain(prefixes(c, n))
            .take(c.len())
            .collect()
    })
}

/// The sums of all beginnings of each piece and its carry.
fn carried(x: &[u32], y: &[u32], n: usize) -> Vec<u32> {
    y.chunks(n)
        .zip(x)
        .flat_map(|(c, carry)| {
            prefixes(c, n)
                .into_iter()
                .map(move |sum| sum.wrapping_add(*carry))
        })
        .collect()
}

fact!(carries_come_before: scans::carries_20[20](x: u32) == carries(&x, 20));

#[test]
fn scans_take_carries() {
    on_devices(|device| {
        let (x, y) = (samples::<u32>(20), samples::<u32>(20 * 64));
        let scanned = scans::scan_cin_64::launch(device, &device.upload(&x)?, &device.upload(&y)?)?;
        assert_eq!(scanned.to_vec()?, carried(&x, &y, 64));
        Ok(())
    });
}

/// The last element that is not 0: an operator that does not commute.
#[test]
fn scans_in_registers_keep_the_order() {
    let x: Vec<u32> = samples::<u32>(3 * 4096)
        .into_iter()
        .map(|x| if x % 5 == 0 { x } else { 0 })
        .collect();
    let last = |a: EU32, b: EU32| select(b.eq(0), a, b);
    let step = |last: &mut u32, x: &u32| {
        *last = if *x == 0 { *last } else { *x };
        Some(*last)
    };
    let expected = per_piece(&x, 4096, |run| run.iter().scan(77, step).collect());
    for threads in [1, 31, 256, 1000] {
        let scanned: Vec<u32> =
            native(threads, &x, |b| {
                let input: DPull<EU32> = b.parameter("input");
                b.result(input.split_up(4096).as_grid_map(move |run| {
                    exec_block(held::run_after(16, last, lit(77u32), run))
                }));
            });
        assert_eq!(scanned, expected, "{threads} threads");
        let scanned: Vec<u32> = native(threads, &x, |b| {
            let input: DPull<EU32> = b.parameter("input");
            b.result(input.split_up(4096).as_grid_map(move |run| {
                exec_block(held::exchanged_run_after(16, last, lit(77u32), run))
            }));
        });
        assert_eq!(scanned, expected, "exchanged, {threads} threads");
    }
}

type Large = fn(&Device, &Buffer<u32>) -> Result<Buffer<u32>>;

/// Section 7.2: reduce the pieces, scan their sums, scan the pieces with what came before.
#[test]
fn a_large_scan_is_three_launches_and_more() {
    on_devices(|device| {
        for n in [0, 1, 2, 1023, 1024, 1025, 65_537] {
            let x = samples::<u32>(n);
            assert_eq!(
                large_scan(device, &device.upload(&x)?)?.to_vec()?,
                prefixes(&x, n.max(1)),
                "{n}"
            );
            assert_eq!(
                large_scan_together(device, &device.upload(&x)?)?.to_vec()?,
                prefixes(&x, n.max(1)),
                "together {n}"
            );
            for (name, scan) in [
                ("held", large_scan_held as Large),
                ("exchanged", large_scan_exchanged),
            ] {
                let found = scan(device, &device.upload(&x)?)?.to_vec()?;
                assert_eq!(found, prefixes(&x, n.max(1)), "{name} {n}");
            }
        }
        Ok(())
    });
}
