//! What device functions mean: the edges of numbers, control flow, faults, and calls of other modules and
//! crates. The host's own function is what every device is held to.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;
use obsidian_rt::{ErrorKind, Result};

#[kernels]
#[allow(clippy::all)]
mod edges {
    const TABLE: [u32; 4] = [3, 1, 4, 1];
    const LIMIT: usize = 7;

    #[device(range)]
    pub fn wraps(i: usize, x: &[i32], y: &[i32]) -> (i32, i32, i32, i32) {
        let (a, b) = (x[i], y[i]);
        (a + b, a - b, a * b, -a)
    }

    #[device(range)]
    pub fn bytes(i: usize, x: &[u8], y: &[i8]) -> (u8, i8, i32, u32) {
        let (a, b) = (x[i], y[i]);
        (
            a * 3 + 200,
            b - 100,
            (a as i8 as i32) << 3,
            (b as u8 >> 1) as u32,
        )
    }

    /// Numbers of type `usize` beyond 32 bits are what they are on the host.
    #[device(range)]
    pub fn beyond(i: usize, n: usize, x: &[u32]) -> (u64, u32, bool) {
        let big = n * n + i;
        let back = big - n * n;
        (
            big as u64 / 3,
            x[back % x.len()],
            big > u32::MAX as usize && 0 - i > n,
        )
    }

    #[device(range)]
    pub fn floats(i: usize, x: &[f32]) -> (f32, f32, u32, i32, f32, bool) {
        let a = x[i];
        let clamped = a.clamp(-1.0, 2.5);
        let least = if a < 0.0 || a.is_nan() {
            -0.0
        } else {
            a.signum()
        };
        (
            a.abs().sqrt(),
            clamped,
            a as u32,
            a as i32,
            least,
            a == a.trunc(),
        )
    }

    #[device(range)]
    pub fn doubles(i: usize, x: &[f32]) -> (f64, i64, u64) {
        let a = x[i] as f64 * 0.1;
        (a + 1.0 / 3.0, (a * 1e18) as i64, (a * 1e18) as u64)
    }

    #[device(range)]
    pub fn flows(i: u32, n: u32) -> u32 {
        let mut found = 0;
        'outer: for a in 1..n {
            let mut b = a;
            let last = loop {
                b += 1;
                if b > n {
                    continue 'outer;
                }
                match (a * a + b * b) % 5 {
                    0 if b % 2 == 0 => break b,
                    1..=2 => continue,
                    n @ (3 | 4) => {
                        if n == i {
                            break 'outer;
                        }
                    }
                    _ => {}
                }
                if a + b == i * 3 {
                    return a * 1000 + b;
                }
            };
            found += last + TABLE[(last % 4) as usize];
        }
        let later;
        if found > 10 {
            later = found;
        } else {
            later = 10 - found;
        }
        later
    }

    #[device(range)]
    pub fn counts(i: usize, n: u32) -> (u32, i64, u32) {
        let (mut up, mut down, mut both) = (0u32, 0i64, 0u32);
        for k in (0..=n).rev() {
            up = up * 3 + k;
        }
        for k in (-5i64..i as i64).rev().step_by(2) {
            down = down * 5 + k;
        }
        for k in (250u8..=255).step_by(2) {
            both += k as u32;
        }
        for _ in 7..3 {
            both += 1000;
        }
        let mut left = [0u32; LIMIT];
        for k in 0..LIMIT {
            left[(k * 3 + i) % LIMIT] += k as u32;
        }
        for (k, x) in left.iter().enumerate() {
            both += x * k as u32;
        }
        (up, down, both)
    }

    #[device]
    pub fn swap((a, b): (u32, f32)) -> (f32, u32) {
        (b, a)
    }

    #[device]
    pub fn turned(p: [f32; 2], quarter: bool) -> [f32; 2] {
        let [x, y] = p;
        if quarter { [-y, x] } else { [x, y] }
    }

    #[device(range)]
    pub fn shapes((y, x): (u32, u32), pairs: &[(u32, f32)]) -> (f32, u32) {
        let mut point = turned([x as f32, y as f32], x > y);
        point[(x % 2) as usize] += 0.5;
        let (b, a) = swap(pairs[(x + y) as usize % pairs.len()]);
        let mut nested = ((a, b), [a, a + 1]);
        nested.0.1 *= 2.0;
        nested.1[1] ^= 3;
        let a = nested.1[1] + nested.0.0;
        (nested.0.1 + point[0] * 8.0 + point[1], a)
    }

    /// The right sides are evaluated only where they are needed.
    #[device(range)]
    pub fn guarded(i: usize, x: &[u32]) -> u32 {
        let mut n = i;
        while n < x.len() && x[n] > 2 {
            n += 1;
        }
        if n == x.len() || x[n] == 0 { 77 } else { x[n] }
    }
}

#[kernels]
mod user {
    use super::edges::swap;
    use offload::numbers::compute::normal;

    #[device(range)]
    pub fn prices(i: usize, x: &[f32]) -> (f32, u32) {
        swap((i as u32, normal(x[i])))
    }

    /// A program of one thread in a kernel, with an array and an index of the kernel.
    #[device]
    pub fn taken(i: usize, n: u32, x: &[u32]) -> u32 {
        let mut sum = 0;
        for k in 0..n as usize {
            sum += x[(i + k) % x.len()];
        }
        sum / (n + 1)
    }

    #[kernel(threads = 64)]
    pub fn all(x: DPull<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 64, |b| {
            for_all(64, |t| {
                let i = b * 64 + t;
                let sum = taken(i, 3, x.map(|x| x + 1))?;
                out.write(i, sum)
            })
        })
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

const LENGTHS: [usize; 7] = [0, 1, 31, 33, 256, 257, 1000];

const EDGES: [i32; 12] = [
    0,
    1,
    -1,
    2,
    -7,
    46341,
    i32::MAX,
    i32::MIN,
    i32::MIN + 1,
    65536,
    -65537,
    1 << 30,
];

#[test]
fn integers_wrap() -> Result<()> {
    for n in LENGTHS {
        let x: Vec<i32> = (0..n).map(|k| EDGES[k % 12]).collect();
        let y: Vec<i32> = (0..n).map(|k| EDGES[k / 12 % 12]).collect();
        let wanted = edges::wraps::compute_host([n], (&x, &y))?;
        let (a, b): (Vec<u8>, Vec<i8>) = x.iter().map(|x| (*x as u8, (*x >> 3) as i8)).unzip();
        let wanted_bytes = edges::bytes::compute_host([n], (&a, &b))?;
        for device in devices() {
            let (p, q, r, s) = edges::wraps::compute(&device, [n], (&x, &y))?;
            let (p, q, r, s) = (p.to_vec()?, q.to_vec()?, r.to_vec()?, s.to_vec()?);
            let found: Vec<_> = (0..n).map(|k| (p[k], q[k], r[k], s[k])).collect();
            assert_eq!(found, wanted);
            let (p, q, r, s) = edges::bytes::compute(&device, [n], (&a, &b))?;
            let (p, q, r, s) = (p.to_vec()?, q.to_vec()?, r.to_vec()?, s.to_vec()?);
            let found: Vec<_> = (0..n).map(|k| (p[k], q[k], r[k], s[k])).collect();
            assert_eq!(found, wanted_bytes);
        }
    }
    Ok(())
}

#[test]
fn numbers_of_type_usize_have_64_bits() -> Result<()> {
    let x: Vec<u32> = (0..37).collect();
    for n in [0, 3, 70_000, 4_294_967_295, 1 << 33] {
        let wanted = edges::beyond::compute_host([100], (n, &x))?;
        for device in devices() {
            let (p, q, r) = edges::beyond::compute(&device, [100], (n, &x))?;
            let (p, q, r) = (p.to_vec()?, q.to_vec()?, r.to_vec()?);
            let found: Vec<_> = (0..100).map(|k| (p[k], q[k], r[k])).collect();
            assert_eq!(found, wanted, "{n}");
        }
    }
    Ok(())
}

fn bits(x: f32) -> u32 {
    if x.is_nan() { 1 } else { x.to_bits() }
}

#[test]
fn floats_at_the_edges() -> Result<()> {
    let edges = [
        0.0,
        -0.0,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1e-45,
        f32::MAX,
        f32::MIN,
        0.5,
        -1.5,
        2.5,
        4.295e9,
        -2.1475e9,
        1e20,
        16_777_217.0,
    ];
    let x: Vec<f32> = (0..33)
        .map(|n| edges[n % 15] * if n > 14 { 0.75 } else { 1.0 })
        .collect();
    let wanted = edges::floats::compute_host([33], (&x,))?;
    let doubles = edges::doubles::compute_host([33], (&x,))?;
    for device in devices() {
        let (a, b, c, d, e, f) = edges::floats::compute(&device, [33], (&x,))?;
        let (a, b, c) = (a.to_vec()?, b.to_vec()?, c.to_vec()?);
        let (d, e, f) = (d.to_vec()?, e.to_vec()?, f.to_vec()?);
        for (k, (p, q, r, s, t, u)) in wanted.iter().enumerate() {
            assert_eq!(
                (bits(a[k]), bits(b[k]), c[k]),
                (bits(*p), bits(*q), *r),
                "{}",
                x[k]
            );
            assert_eq!((d[k], bits(e[k]), f[k]), (*s, bits(*t), *u), "{}", x[k]);
        }
        let (p, q, r) = edges::doubles::compute(&device, [33], (&x,))?;
        let (p, q, r) = (p.to_vec()?, q.to_vec()?, r.to_vec()?);
        for (k, (a, b, c)) in doubles.iter().enumerate() {
            let same = p[k] == *a || (p[k].is_nan() && a.is_nan());
            assert!(same && (q[k], r[k]) == (*b, *c), "{}", x[k]);
        }
    }
    Ok(())
}

#[test]
fn control_flow() -> Result<()> {
    for n in [0, 1, 2, 5, 13] {
        let wanted = edges::flows::compute_host([40], (n,))?;
        let counts = edges::counts::compute_host([40], (n,))?;
        for device in devices() {
            assert_eq!(
                edges::flows::compute(&device, [40], (n,))?.to_vec()?,
                wanted,
                "{n}"
            );
            let (p, q, r) = edges::counts::compute(&device, [40], (n,))?;
            let (p, q, r) = (p.to_vec()?, q.to_vec()?, r.to_vec()?);
            let found: Vec<_> = (0..40).map(|k| (p[k], q[k], r[k])).collect();
            assert_eq!(found, counts, "{n}");
        }
    }
    let x: Vec<u32> = (0..33).map(|n| (n * 7) % 11).collect();
    let wanted = edges::guarded::compute_host([33], (&x,))?;
    for device in devices() {
        assert_eq!(
            edges::guarded::compute(&device, [33], (&x,))?.to_vec()?,
            wanted
        );
    }
    Ok(())
}

#[test]
fn tuples_arrays_and_other_modules() -> Result<()> {
    let pairs: Vec<(u32, f32)> = (0..5).map(|n| (n * 9, n as f32 * 0.5 - 1.0)).collect();
    let wanted = edges::shapes::compute_host([7, 9], (&pairs,))?;
    let x: Vec<f32> = (0..31).map(|n| n as f32 * 0.2 - 3.0).collect();
    let prices = user::prices::compute_host([31], (&x,))?;
    for device in devices() {
        let (a, b) = edges::shapes::compute(&device, [7, 9], (&pairs,))?;
        let found: Vec<_> = a.to_vec()?.into_iter().zip(b.to_vec()?).collect();
        assert_eq!(found, wanted);
        let (a, b) = user::prices::compute(&device, [31], (&x,))?;
        let (a, b) = (a.to_vec()?, b.to_vec()?);
        for (k, (p, q)) in prices.iter().enumerate() {
            assert!(
                (a[k] - p).abs() < 1e-6 && b[k] == *q,
                "{k}: {} and {p}",
                a[k]
            );
        }
        let x: Vec<u32> = (0..128).map(|n| n * n).collect();
        let (given, mut out) = (device.upload(&x)?, device.upload(&[0; 128])?);
        user::all::launch(&device, &given, &mut out)?;
        let more: Vec<u32> = x.iter().map(|x| x + 1).collect();
        let wanted: Vec<u32> = (0..128).map(|i| user::taken(i, 3, &more)).collect();
        assert_eq!(out.to_vec()?, wanted);
    }
    Ok(())
}

#[test]
fn ranges_that_are_too_large_are_refused() {
    let device = Device::cpu();
    let x = [1u32];
    let error = edges::guarded::compute(&device, [1 << 33], (&x,)).expect_err("2^33 elements");
    assert_eq!(error.kind(), ErrorKind::TooLong, "{error}");
    let pairs = [(1u32, 1.0f32)];
    let error = edges::shapes::compute(&device, [1 << 17, 1 << 16], (&pairs,));
    assert_eq!(error.err().map(|e| e.kind()), Some(ErrorKind::TooLong));
    let host = edges::shapes::compute_host([1 << 17, 1 << 16], (&pairs,));
    assert_eq!(host.err().map(|e| e.kind()), Some(ErrorKind::TooLong));
    assert_eq!(
        edges::shapes::compute_host([0, 1 << 20], (&pairs,))
            .map(|v| v.len())
            .ok(),
        Some(0)
    );
}

/// For `.ci/cubin`, which compiles them by nvcc.
#[test]
fn cuda_texts_are_kept() {
    for kernel in [
        edges::wraps::kernel(),
        edges::bytes::kernel(),
        edges::beyond::kernel(),
        edges::floats::kernel(),
        edges::doubles::kernel(),
        edges::flows::kernel(),
        edges::counts::kernel(),
        edges::shapes::kernel(),
        edges::guarded::kernel(),
        user::prices::kernel(),
        user::all::kernel(),
    ] {
        obsidian_tests::keep(&kernel);
    }
}
