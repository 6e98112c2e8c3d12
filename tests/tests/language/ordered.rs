//! `as_grid_ordered` and `earlier`: kernels as users write them, against sequential references, on every device.

use std::fmt::Debug;

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;
use obsidian_rt::{Device, Kernel, Result};
use obsidian_tests::keep;

mod kernels;

use kernels::example;

/// Runs a check on each device for some numbers of blocks; it is given the device and a number of elements.
struct Runner {
    /// With the numbers of blocks.
    devices: Vec<(Device, Vec<usize>)>,
    executor: Option<Executor>,
}

impl Runner {
    fn new() -> Runner {
        let all = vec![0, 1, 2, 31, 32, 33, 64, 100];
        let devices = vec![
            (Device::cpu(), all.clone()),
            (Device::cpu().with_blocks(1), vec![3, 33]),
            (Device::cpu_by_columns(), vec![0, 1, 34, 70]),
            (Device::simulator(), vec![0, 1, 33]),
            (Device::simulator().with_blocks(3), vec![2, 67]),
        ];
        Runner {
            devices,
            executor: Executor::find(),
        }
    }

    fn run(&self, name: &str, tile: usize, check: impl Fn(&Device, usize) -> Result<()>) {
        for (device, numbers) in &self.devices {
            for blocks in numbers {
                let done = check(device, blocks * tile);
                done.unwrap_or_else(|e| {
                    panic!("{name} of {blocks} blocks, {}: {e}", device.name())
                });
            }
        }
    }

    /// The same, and the CUDA text as it is executed; it is kept for nvcc.
    fn text(&self, kernel: &Kernel, tile: usize, check: impl Fn(&Device, usize) -> Result<()>) {
        keep(kernel);
        self.run(kernel.name(), tile, &check);
        for device in self.executor.iter().map(Executor::device) {
            for blocks in [1, 66] {
                let done = check(&device, blocks * tile);
                done.unwrap_or_else(|e| panic!("{} of {blocks} blocks: {e}", kernel.name()));
            }
        }
    }
}

/// Bit for bit, but for a NaN, of which there is none, and -0.0.
fn same<T: PartialEq + Debug>(found: Vec<T>, expected: Vec<T>) {
    assert_eq!(found.len(), expected.len(), "lengths");
    for (i, (x, y)) in found.iter().zip(&expected).enumerate() {
        assert!(
            x == y,
            "element {i} of {} is {x:?}, and {y:?} is expected",
            found.len()
        );
    }
}

fn noise(n: usize) -> Vec<u32> {
    (0..n as u32)
        .map(|i| (i ^ 0x5bd1).wrapping_mul(0x9E37_79B1) ^ (i >> 3))
        .collect()
}

/// The sequential scan: each prefix behind `start`.
fn scanned<T: Copy>(xs: &[T], start: T, f: impl Fn(T, T) -> T) -> Vec<T> {
    let mut sum = start;
    xs.iter()
        .map(|x| {
            sum = f(sum, *x);
            sum
        })
        .collect()
}

/// What stands in front of each tile, for `k` elements of each.
fn in_front(owns: &[Vec<u32>], start: u32, f: impl Fn(u32, u32) -> u32) -> Vec<Vec<u32>> {
    let mut sums = vec![start; owns.first().map_or(0, Vec::len)];
    owns.iter()
        .map(|own| {
            let before = sums.clone();
            sums.iter_mut()
                .zip(own)
                .for_each(|(sum, x)| *sum = f(*sum, *x));
            before
        })
        .collect()
}

fn counted(tile: &[u32], bins: usize) -> Vec<u32> {
    let mut counts = vec![0; bins];
    tile.iter().for_each(|x| counts[*x as usize % bins] += 1);
    counts
}

#[test]
fn scans_of_any_length() {
    let all = Runner::new();
    let add = |a: u32, b: u32| a.wrapping_add(b);
    all.text(&example::running::kernel(), 256, |d, n| {
        let x = noise(n);
        same(
            example::running::launch(d, &d.upload(&x)?)?.to_vec()?,
            scanned(&x, 0, add),
        );
        Ok(())
    });
    all.run("long", 1100, |d, n| {
        let x: Vec<i64> = noise(n)
            .iter()
            .map(|x| (i64::from(*x) - (1 << 31)) * 1_000_003)
            .collect();
        same(
            example::long::launch(d, &d.upload(&x)?)?.to_vec()?,
            scanned(&x, 0, i64::wrapping_add),
        );
        Ok(())
    });
    all.text(&example::held::kernel(), 512, |d, n| {
        let x = noise(n);
        same(
            example::held::launch(d, &d.upload(&x)?)?.to_vec()?,
            scanned(&x, 0, add),
        );
        Ok(())
    });
    all.run("warps", 256, |d, n| {
        let x = noise(n);
        same(
            example::warps::launch(d, &d.upload(&x)?)?.to_vec()?,
            scanned(&x, 0, add),
        );
        Ok(())
    });
    all.text(&example::exclusive::kernel(), 100, |d, n| {
        let x = noise(n);
        let expected = [vec![1000], scanned(&x, 1000, add)].concat()[..n].to_vec();
        same(
            example::exclusive::launch(d, 1000, &d.upload(&x)?)?.to_vec()?,
            expected,
        );
        Ok(())
    });
    all.run("quarters", 70, |d, n| {
        let x: Vec<f32> = noise(n)
            .iter()
            .map(|x| (x % 33) as f32 * 0.25 - 3.0)
            .collect();
        same(
            example::quarters::launch(d, &d.upload(&x)?)?.to_vec()?,
            scanned(&x, 0.25, |a, b| a + b),
        );
        Ok(())
    });
    all.run("doubles", 128, |d, n| {
        let x: Vec<f64> = noise(n).iter().map(|x| f64::from(*x) / 1024.0).collect();
        same(
            example::doubles::launch(d, &d.upload(&x)?)?.to_vec()?,
            scanned(&x, 0.5, |a, b| a + b),
        );
        Ok(())
    });
    all.text(&example::bytes::kernel(), 20, |d, n| {
        let x: Vec<u8> = noise(n).iter().map(|x| (x >> 8) as u8).collect();
        same(
            example::bytes::launch(d, &d.upload(&x)?)?.to_vec()?,
            scanned(&x, 3, u8::wrapping_add),
        );
        Ok(())
    });
    all.text(&example::products::kernel(), 96, |d, n| {
        let x: Vec<u64> = noise(n).iter().map(|x| u64::from(*x) << 8 | 1).collect();
        same(
            example::products::launch(d, &d.upload(&x)?)?.to_vec()?,
            scanned(&x, 1, u64::wrapping_mul),
        );
        Ok(())
    });
    all.run("lows", 600, |d, n| {
        let x: Vec<f64> = noise(n)
            .iter()
            .zip(0u32..)
            .map(|(x, i)| f64::from(x % 4096) - f64::from(i) * 0.1)
            .collect();
        same(
            example::lows::launch(d, &d.upload(&x)?)?.to_vec()?,
            scanned(&x, 1e9, f64::min),
        );
        Ok(())
    });
}

#[test]
fn operators_that_are_no_sums() {
    let all = Runner::new();
    all.text(&example::ever::kernel(), 50, |d, n| {
        let x: Vec<u32> = (0..n).map(|i| u32::from(i != n * 2 / 3)).collect();
        let zeros: Vec<bool> = x.iter().map(|x| *x == 0).collect();
        same(
            example::ever::launch(d, &d.upload(&x)?)?.to_vec()?,
            scanned(&zeros, false, |a, b| a | b),
        );
        Ok(())
    });
    all.text(&example::affine::kernel(), 64, |d, n| {
        let (a, b): (Vec<u32>, Vec<u32>) = noise(n).iter().map(|x| (x | 1, x >> 5)).unzip();
        let maps: Vec<(u32, u32)> = a.iter().copied().zip(b.iter().copied()).collect();
        let then = |f: (u32, u32), g: (u32, u32)| {
            (
                f.0.wrapping_mul(g.0),
                f.1.wrapping_mul(g.0).wrapping_add(g.1),
            )
        };
        let result = example::affine::launch(d, (&d.upload(&a)?, &d.upload(&b)?))?;
        same(result.to_vec()?, scanned(&maps, (1, 0), then));
        Ok(())
    });
    all.run("arg_max", 128, |d, n| {
        // Slowly rising, with many equal ones.
        let x: Vec<i32> = noise(n)
            .iter()
            .zip(0..)
            .map(|(x, i)| (x % 1000) as i32 + i / 300 - 900)
            .collect();
        let placed: Vec<(i32, u32)> = x.iter().copied().zip(0..).collect();
        let expected = scanned(
            &placed,
            (-1_000_000, 0),
            |a, b| if b.0 > a.0 { b } else { a },
        );
        same(
            example::arg_max::launch(d, &d.upload(&x)?)?.to_vec()?,
            expected,
        );
        Ok(())
    });
    all.run("segments", 700, |d, n| {
        let n = n.saturating_sub(77); // the last piece is not full
        let x = noise(n);
        // Some segments are short, and some longer than many tiles.
        let begins: Vec<bool> = (0..n).map(|i| i % 13 == 5 && i / 5000 % 2 == 0).collect();
        let mut sum = 0u32;
        let sums = x.iter().zip(&begins).map(|(x, begins)| {
            sum = if *begins { *x } else { sum.wrapping_add(*x) };
            sum
        });
        let expected = sums.collect();
        same(
            example::segments::launch(d, &d.upload(&begins)?, &d.upload(&x)?)?.to_vec()?,
            expected,
        );
        Ok(())
    });
    all.text(&example::summary::kernel(), 40, |d, n| {
        let a = noise(n);
        let b: Vec<i32> = a
            .iter()
            .zip(0..)
            .map(|(x, i)| (x >> 20) as i32 - i)
            .collect();
        let c: Vec<f32> = a
            .iter()
            .zip(0u32..)
            .map(|(x, i)| (x % 512) as f32 + i as f32 * 0.5)
            .collect();
        let rows: Vec<_> = (0..n).map(|i| (a[i], b[i], c[i])).collect();
        let both = |a: (u32, i32, f32), b: (u32, i32, f32)| {
            (a.0.wrapping_add(b.0), a.1.min(b.1), a.2.max(b.2))
        };
        let expected = scanned(&rows, (5, 1000, -1.0), both)
            .into_iter()
            .skip(39)
            .step_by(40)
            .collect();
        let result = example::summary::launch(d, (&d.upload(&a)?, &d.upload(&b)?, &d.upload(&c)?))?;
        same(result.to_vec()?, expected);
        Ok(())
    });
}

#[test]
fn counters_and_rows_of_a_block() {
    let all = Runner::new();
    let add = |a: u32, b: u32| a.wrapping_add(b);
    all.run("digits", 200, |d, n| {
        let x = noise(n);
        let owns: Vec<_> = x.chunks(200).map(|tile| counted(tile, 16)).collect();
        same(
            example::digits::launch(d, &d.upload(&x)?)?.to_vec()?,
            in_front(&owns, 0, add).concat(),
        );
        Ok(())
    });
    all.text(&example::wide_digits::kernel(), 300, |d, n| {
        let x: Vec<u32> = noise(n).iter().map(|x| x >> (x % 7)).collect();
        let owns: Vec<_> = x.chunks(300).map(|tile| counted(tile, 64)).collect();
        let (before, own) = example::wide_digits::launch(d, &d.upload(&x)?)?;
        same(before.to_vec()?, in_front(&owns, 0, add).concat());
        same(own.to_vec()?, owns.concat());
        Ok(())
    });
    all.text(&example::column_sums::kernel(), 200, |d, n| {
        let x = noise(n);
        let mut sums = vec![0u32; 100];
        let rows = x.chunks(200).flat_map(|tile| {
            sums.iter_mut()
                .enumerate()
                .for_each(|(j, sum)| *sum = add(*sum, add(tile[j].wrapping_mul(3), tile[j + 100])));
            sums.clone()
        });
        let expected = rows.collect();
        same(
            example::column_sums::launch(d, &d.upload(&x)?)?.to_vec()?,
            expected,
        );
        Ok(())
    });
    all.run("largest_above", 32, |d, n| {
        let x = noise(n);
        let rows: Vec<_> = x.chunks(32).map(<[u32]>::to_vec).collect();
        same(
            example::largest_above::launch(d, &d.upload(&x)?)?.to_vec()?,
            in_front(&rows, 0, u32::max).concat(),
        );
        Ok(())
    });
    all.text(&example::numbered::kernel(), 5, |d, n| {
        let x = noise(n);
        let of = |i: usize| 10 + (i / 5) as u32 * if i % 5 == 2 { 100 } else { 1 };
        let expected = x.iter().enumerate().map(|(i, x)| add(*x, of(i))).collect();
        same(
            example::numbered::launch(d, &d.upload(&x)?)?.to_vec()?,
            expected,
        );
        Ok(())
    });
    all.run("row_ends", 90, |d, n| {
        let x = noise(n);
        let expected = scanned(&x, 0, add)
            .into_iter()
            .skip(89)
            .step_by(90)
            .collect();
        same(
            example::row_ends::launch(d, 90, &d.upload(&x)?)?.to_vec()?,
            expected,
        );
        Ok(())
    });
}

#[test]
fn places_that_a_block_learns() {
    let all = Runner::new();
    let add = |a: u32, b: u32| a.wrapping_add(b);
    all.text(&example::pass::kernel(), 256, |d, n| {
        let x = noise(n);
        let starts = [vec![0], scanned(&counted(&x, 16), 0, add)].concat()[..16].to_vec();
        let mut out = d.zeros(n)?;
        let counts = example::pass::launch(d, &d.upload(&starts)?, &mut out, &d.upload(&x)?)?;
        let mut expected = x.clone();
        expected.sort_by_key(|x| x % 16);
        same(out.to_vec()?, expected);
        same(
            counts.to_vec()?,
            x.chunks(256).flat_map(|tile| counted(tile, 16)).collect(),
        );
        Ok(())
    });
    all.run("kept", 128, |d, n| {
        let x = noise(n);
        let mut out = d.upload(&vec![7u32; n])?;
        example::kept::launch(d, &d.upload(&x)?, &mut out)?;
        let mut expected: Vec<u32> = x.iter().copied().filter(|x| x % 3 == 0).collect();
        expected.resize(n, 7);
        same(out.to_vec()?, expected);
        Ok(())
    });
    all.run("parted", 64, |d, n| {
        let x = noise(n);
        let (even, odd): (Vec<u32>, Vec<u32>) = x.iter().partition(|x| **x % 2 == 0);
        let expected = even.into_iter().chain(odd.into_iter().rev()).collect();
        same(
            example::parted::launch(d, &d.upload(&x)?)?.to_vec()?,
            expected,
        );
        Ok(())
    });
}

#[test]
fn what_is_found_is_used_anywhere_or_not_asked_for() {
    let all = Runner::new();
    let add = |a: u32, b: u32| a.wrapping_add(b);
    all.run("reused", 96, |d, n| {
        let x = noise(n);
        let (mut before, mut expected) = (7u32, Vec::new());
        for tile in x.chunks(96) {
            let mixed: Vec<u32> = tile.iter().map(|x| x ^ before).collect();
            let sums = scanned(&mixed, 0, add);
            expected.extend(
                mixed
                    .iter()
                    .rev()
                    .zip(sums)
                    .map(|(a, b)| a.wrapping_mul(before).wrapping_add(b)),
            );
            before = tile.iter().copied().fold(before, add);
        }
        same(
            example::reused::launch(d, &d.upload(&x)?)?.to_vec()?,
            expected,
        );
        Ok(())
    });
    all.run("unasked", 48, |d, n| {
        let x = noise(n);
        let expected = x.iter().map(|x| add(*x, 1)).collect();
        same(
            example::unasked::launch(d, &d.upload(&x)?)?.to_vec()?,
            expected,
        );
        Ok(())
    });
}

#[test]
fn results_do_not_depend_on_threads() -> Result<()> {
    let add = |a: u32, b: u32| a.wrapping_add(b);
    let simulator = Device::simulator();
    // Other numbers of threads than the kernels say.
    for threads in [1, 33, 64, 256, 1000, 1024] {
        let (x, d) = (noise(33 * 512), &simulator);
        let input = d.upload(&x)?;
        let kernel = example::running::kernel().with_threads(threads)?;
        same(
            example::running::launch_kernel(&kernel, d, &input)?.to_vec()?,
            scanned(&x, 0, add),
        );
        let kernel = example::held::kernel().with_threads(threads)?;
        same(
            example::held::launch_kernel(&kernel, d, &input)?.to_vec()?,
            scanned(&x, 0, add),
        );
        let kernel = example::parted::kernel().with_threads(threads)?;
        let (even, odd): (Vec<u32>, Vec<u32>) = x.iter().partition(|x| **x % 2 == 0);
        let expected = even.into_iter().chain(odd.into_iter().rev()).collect();
        same(
            example::parted::launch_kernel(&kernel, d, &input)?.to_vec()?,
            expected,
        );
    }
    Ok(())
}
