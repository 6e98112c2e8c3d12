//! Functions that a Rust programmer may write, and that are easily got wrong: each gives what rustc makes of it, on
//! every device.

#![allow(missing_docs, clippy::unwrap_used, clippy::all, unused)]

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;

#[kernels]
mod odd {
    const GRID: [[u32; 3]; 2] = [[1, 2, 3], [4, 5, 6]];

    /// Operands that do not come back.
    #[device(range)]
    pub fn leaves(i: usize, x: &[u32]) -> u32 {
        let n = x[i];
        let m = n + if n % 3 == 0 { return 1000 + n } else { 2 };
        let k = match n % 5 {
            0 => return m,
            1 => {
                let inner = loop {
                    if n > 40 {
                        return 7;
                    }
                    break n * 2;
                };
                inner
            }
            other => other,
        };
        if n % 7 == 1 && (n > 20 || return 3000) {
            return m * k;
        }
        m + k
    }

    /// Loops in loops, left by name.
    #[device(range)]
    pub fn named(i: usize, x: &[u32]) -> u32 {
        let mut sum = 0;
        'outer: for a in (0..x[i] % 9).rev() {
            let mut b = 0;
            'inner: loop {
                b += 1;
                if b > a {
                    continue 'outer;
                }
                for c in 0..=b {
                    if (a * b + c) % 11 == 10 {
                        break 'inner;
                    }
                    if sum > 60 {
                        break 'outer;
                    }
                    sum += c;
                }
            }
            sum += 100;
        }
        sum
    }

    /// Arrays in tuples and arrays, changed at indices that are computed, and changed while they are.
    #[device(range)]
    pub fn parts(i: usize, x: &[u32]) -> (u32, u32) {
        let n = x[i] as usize;
        let mut grid = GRID;
        grid[n % 2][n % 3] += 10;
        grid[1 - n % 2] = [n as u32; 3];
        let mut pair = ([0u32; 4], (1u32, [false; 2]));
        let mut k = 0;
        pair.0[{
            k += 1;
            k
        }] = 5;
        pair.0[k + n % 2] ^= 6;
        (pair.1).1[n % 2] = true;
        (pair.1).0 <<= n as u32 % 40 % 32;
        let old = pair.0;
        for (at, value) in old.iter().enumerate() {
            pair.0[3 - at] = value + at as u32;
        }
        let mut sum = 0;
        for row in grid {
            for value in row {
                sum = sum * 7 + value;
            }
        }
        let flag = if (pair.1).1[0] { 1000 } else { 0 };
        (
            sum,
            pair.0[0] + pair.0[1] * 10 + pair.0[2] * 100 + (pair.1).0 + flag,
        )
    }

    /// Ranges of all kinds of integers.
    #[device(range)]
    pub fn rounds(i: usize, x: &[u32]) -> (u64, i32, u32) {
        let n = x[i];
        let (mut a, mut b, mut c) = (0u64, 0i32, 0u32);
        for k in (0..n as u64 % 20).rev().step_by(3) {
            a = a * 3 + k;
        }
        for k in -3..=(n as i32 % 7 - 2) {
            b = b * 5 + k;
        }
        for k in 250..=255u8 {
            c = c * 3 + k as u32;
        }
        for k in (n as i8 % 3..4).rev() {
            c = c.wrapping_mul(31).wrapping_add(k as u32);
        }
        for k in (5..n as usize % 9).step_by(n as usize % 3 + 1) {
            c = c.wrapping_add(k as u32 * 1000);
        }
        (a, b, c)
    }

    /// Casts, shifts and methods at their edges.
    #[device(range)]
    pub fn edges(i: usize, x: &[u32]) -> (u32, u64, i32, f32) {
        let n = x[i];
        let f = (n as f32 - 20.0) * 7.3e8;
        let a = (f as i8 as usize).wrapping_shr(3) as u32 ^ (f as u8 as u32) << 8;
        let b = (-(n as i64)) as usize as u64
            ^ (f as u64).rotate_right(n)
            ^ u64::from(n).leading_zeros() as u64;
        let c = (n as i32 - 20).abs_diff(7) as i32
            - (n as i32).saturating_mul(1 << 29).saturating_sub(5)
            + (n as i32 - 20).rem_euclid(7) * (20 - n as i32).div_euclid(-3)
            + (n as usize).rem_euclid(5) as i32;
        let d = (f % 3.5e3)
            .clamp(-1.0e3, 1.0e3)
            .powi(3)
            .mul_add(0.5, f.min(f32::NAN).max(-0.0));
        (a, b, c, d)
    }

    /// Patterns.
    #[device(range)]
    pub fn patterns(i: usize, x: &[u32], pairs: &[(i32, bool)]) -> i32 {
        let (n, (p, q)) = (x[i], pairs[i % pairs.len()]);
        let closure = |k: i32, (a, b): (i32, i32)| if k > a { k - b } else { a * b };
        match (n % 8, q) {
            (0 | 1, true) => closure(p, (1, 2)),
            (k @ 2..=4, false) => k as i32 - closure(2, (p, 3)),
            (5.., _) if p > 3 => -p,
            (_, flag) => {
                let p = p + flag as i32;
                let p = p * 2;
                p
            }
        }
    }

    /// A slice that is chosen, and tuples of a slice.
    #[device(range)]
    pub fn chosen((z, y, x): (u32, u32, u32), a: &[u32], pairs: &[(i32, bool)]) -> (u32, i32) {
        let mut sum = 0;
        for (n, (p, q)) in pairs.iter().enumerate() {
            if *q {
                sum += *p * n as i32;
            }
        }
        let at = (z * 100 + y * 10 + x) as usize;
        if at >= a.len() {
            return (0, sum);
        }
        (a[at] * 3 + z, sum - pairs[at % pairs.len()].0)
    }
}

fn devices() -> Vec<Device> {
    let own = [
        Device::cpu(),
        Device::cpu().with_blocks(1),
        Device::cpu_by_columns(),
        Device::simulator(),
    ];
    let executor = Executor::find().map(|executor| executor.device());
    own.into_iter().chain(executor).collect()
}

fn numbers() -> (Vec<u32>, Vec<(i32, bool)>) {
    let x = (0..300).map(|n| n * n % 61).collect();
    let pairs = (0..13).map(|n| (n * 5 % 11 - 3, n % 3 == 1)).collect();
    (x, pairs)
}

#[test]
fn one_number() {
    let (x, pairs) = numbers();
    for device in devices() {
        let found = odd::leaves::compute(&device, [300], (&x,)).unwrap();
        let wanted = odd::leaves::compute_host([300], (&x,)).unwrap();
        assert_eq!(found.to_vec().unwrap(), wanted);
        let found = odd::named::compute(&device, [300], (&x,)).unwrap();
        let wanted = odd::named::compute_host([300], (&x,)).unwrap();
        assert_eq!(found.to_vec().unwrap(), wanted);
        let found = odd::patterns::compute(&device, [300], (&x, &pairs)).unwrap();
        let wanted = odd::patterns::compute_host([300], (&x, &pairs)).unwrap();
        assert_eq!(found.to_vec().unwrap(), wanted);
    }
}

#[test]
fn several_numbers() {
    let (x, pairs) = numbers();
    for device in devices() {
        let (a, b) = odd::parts::compute(&device, [300], (&x,)).unwrap();
        let found: Vec<_> = a
            .to_vec()
            .unwrap()
            .into_iter()
            .zip(b.to_vec().unwrap())
            .collect();
        assert_eq!(found, odd::parts::compute_host([300], (&x,)).unwrap());
        let (a, b, c) = odd::rounds::compute(&device, [300], (&x,)).unwrap();
        let (a, b, c) = (
            a.to_vec().unwrap(),
            b.to_vec().unwrap(),
            c.to_vec().unwrap(),
        );
        let found: Vec<_> = (0..300).map(|k| (a[k], b[k], c[k])).collect();
        assert_eq!(found, odd::rounds::compute_host([300], (&x,)).unwrap());
        let (a, b, c, d) = odd::edges::compute(&device, [300], (&x,)).unwrap();
        let (a, b) = (a.to_vec().unwrap(), b.to_vec().unwrap());
        let (c, d) = (c.to_vec().unwrap(), d.to_vec().unwrap());
        let found: Vec<_> = (0..300)
            .map(|k| (a[k], b[k], c[k], d[k].to_bits()))
            .collect();
        let wanted = odd::edges::compute_host([300], (&x,)).unwrap();
        let wanted: Vec<_> = wanted
            .into_iter()
            .map(|(a, b, c, d)| (a, b, c, d.to_bits()))
            .collect();
        assert_eq!(found, wanted);
        for extents in [[3, 10, 10], [2, 1, 300], [1, 300, 1], [7, 0, 5], [5, 33, 2]] {
            let (a, b) = odd::chosen::compute(&device, extents, (&x, &pairs)).unwrap();
            let found: Vec<_> = a
                .to_vec()
                .unwrap()
                .into_iter()
                .zip(b.to_vec().unwrap())
                .collect();
            assert_eq!(
                found,
                odd::chosen::compute_host(extents, (&x, &pairs)).unwrap()
            );
        }
    }
}
