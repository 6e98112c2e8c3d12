//! Cases that compute much for each element: options, the Mandelbrot set, bodies, random numbers.

use crate::bench::{Bench, Checked, close, floats, places, same};
use crate::kernels::{plain, tuned, whole};

/// The cases.
pub fn points(bench: &Bench) -> Checked<()> {
    options(bench)?;
    mandelbrot(bench)?;
    bodies(bench)?;
    circle(bench)
}

/// The prices of a call and a put option, in 64 bits.
fn prices((price, strike, years): (f32, f32, f32)) -> (f64, f64) {
    let (s, k, t) = (f64::from(price), f64::from(strike), f64::from(years));
    let normal = |d: f64| {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let factors = [
            1.330274429,
            -1.821255978,
            1.781477937,
            -0.356563782,
            0.31938153,
        ];
        let polynomial = factors.iter().fold(0.0, |sum, factor| (sum + factor) * k);
        // The sum has one factor `k` for each power: 0.319 has one, 1.33 has five.
        let tail = 0.39894228 * (-0.5 * d * d).exp() * polynomial;
        if d > 0.0 { 1.0 - tail } else { tail }
    };
    let d1 = ((s / k).ln() + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * t.sqrt());
    let d2 = d1 - 0.3 * t.sqrt();
    let discounted = k * (-0.02 * t).exp();
    let call = s * normal(d1) - discounted * normal(d2);
    (
        call,
        discounted * (1.0 - normal(d2)) - s * (1.0 - normal(d1)),
    )
}

fn options(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let count = bench.pick(1003, 1 << 24);
    let (a, b, c) = (floats(count, 20), floats(count, 21), floats(count, 22));
    let host = (0..count).map(|i| (17.5 + 12.5 * a[i], 50.0 + 49.0 * b[i], 5.0 + 4.75 * c[i]));
    let host: Vec<(f32, f32, f32)> = host.collect();
    bench.case("black-scholes", "2^24").by("arrays", || {
        let x = d.array([count], &host)?;
        let mut out = d.array([count], &vec![(0f32, 0f32); count])?;
        let time = bench.time(|| whole::options::run_into(d, &x, &mut out))?;
        let found = out.to_vec()?;
        for i in places(count) {
            let (call, put) = prices(host[i]);
            close(found[i].0, call, 1e-3)?;
            close(found[i].1, put, 1e-3)?;
        }
        Ok(time)
    });
    Ok(())
}

fn mandelbrot(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let n = bench.pick(50, 4096);
    // The function as rustc compiles it.
    let wanted = |i: usize| plain::mandelbrot((i / n, i % n), n, n);
    let differ = |found: &[u32]| places(n * n).filter(|i| found[*i] != wanted(*i)).count();
    let case = bench.case("mandelbrot", "4096^2x256");
    case.by("kernel contract", || {
        let mut out = d.zeros::<u32>(n * n)?;
        let (height, width) = (n as u32, n as u32);
        let time = bench.time(|| tuned::mandelbrot::launch_into(d, height, width, &mut out))?;
        // One rounding instead of two: a point near the border may take another number of steps.
        let found = differ(&out.to_vec()?);
        same(found <= places(n * n).count() / 25, true)?;
        Ok(time)
    });
    case.by("device", || {
        let mut out = d.zeros::<u32>(n * n)?;
        let time = bench.time(|| plain::mandelbrot::compute_into(d, [n, n], (n, n), &mut out))?;
        same(differ(&out.to_vec()?), 0)?;
        Ok(time)
    });
    case.by("arrays", || {
        let mut out = d.array([n, n], &vec![0u32; n * n])?;
        let time = bench.time(|| whole::mandelbrot::run_into(d, n as u32, n as u32, &mut out))?;
        same(differ(&out.to_vec()?), 0)?;
        Ok(time)
    });
    Ok(())
}

fn bodies(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let count = bench.pick(512, 65_536);
    let numbers = floats(4 * count, 23);
    let column = |k: usize| (0..count).map(move |i| i * 4 + k);
    let axis = |k: usize| column(k).map(|i| numbers[i]).collect::<Vec<f32>>();
    let (x, y, z) = (axis(0), axis(1), axis(2));
    let mass: Vec<f32> = axis(3).iter().map(|mass| mass.abs()).collect();
    let host = (0..count).map(|i| (x[i], y[i], z[i], mass[i]));
    let host: Vec<(f32, f32, f32, f32)> = host.collect();
    // Along the first axis.
    let wanted = |i: usize| -> f64 {
        let pull = |j: usize| {
            let between = |axis: &[f32]| f64::from(axis[j]) - f64::from(axis[i]);
            let (dx, dy, dz) = (between(&x), between(&y), between(&z));
            let square = dx * dx + dy * dy + dz * dz + 1e-3;
            dx * f64::from(mass[j]) / (square * square.sqrt())
        };
        (0..count).map(pull).sum()
    };
    // At few places, as each takes a sum over all bodies.
    let check = |found: &[f32]| -> Checked<()> {
        for i in (0..count).step_by((count / 67).max(1)) {
            let wanted = wanted(i);
            close(found[i], wanted, 2e-3 * (1.0 + wanted.abs()))?;
        }
        Ok(())
    };
    let case = bench.case("n-body", "65536");
    case.by("kernel", || {
        let (x, y, z, mass) = (
            d.upload(&x)?,
            d.upload(&y)?,
            d.upload(&z)?,
            d.upload(&mass)?,
        );
        let (mut fx, mut fy, mut fz) = (d.zeros(count)?, d.zeros(count)?, d.zeros(count)?);
        let time = bench.time(|| {
            tuned::forces::launch_into(d, (&x, &y, &z, &mass), (&mut fx, &mut fy, &mut fz))
        })?;
        check(&fx.to_vec()?)?;
        Ok(time)
    });
    case.by("device", || {
        let bodies = (
            d.upload(&x)?,
            d.upload(&y)?,
            d.upload(&z)?,
            d.upload(&mass)?,
        );
        let mut last = None;
        let time = bench.time(|| {
            last = Some(plain::force::compute(d, [count], (&bodies,))?);
            Ok(())
        })?;
        let forces = last.ok_or("no call")?.to_vec()?;
        check(&forces.iter().map(|force| force.x).collect::<Vec<f32>>())?;
        Ok(time)
    });
    case.by("arrays", || {
        let bodies = d.array([count], &host)?;
        let mut out = d.array([count], &vec![(0f32, 0f32, 0f32); count])?;
        let time = bench.time(|| whole::forces::run_into(d, &bodies, &mut out))?;
        let forces = out.to_vec()?;
        check(&forces.iter().map(|force| force.0).collect::<Vec<f32>>())?;
        Ok(time)
    });
    Ok(())
}

/// Whether point `i` is in the circle: ten rounds of Philox 2x32 with key 7.
fn is_inside(i: u32) -> bool {
    let (mut a, mut b, mut key) = (i, 0u32, 7u32);
    for _ in 0..10 {
        let wide = u64::from(a) * 0xD256_D193;
        (a, b) = ((wide >> 32) as u32 ^ b ^ key, wide as u32);
        key = key.wrapping_add(0x9E37_79B9);
    }
    let unit = |word: u32| (word >> 8) as f32 * 5.960_464_5e-8;
    unit(a) * unit(a) + unit(b) * unit(b) <= 1.0
}

fn circle(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let count = bench.pick(100_000, 1 << 26);
    bench.case("pi philox", "2^26").by("arrays", || {
        let mut out = d.array([], &[0u32])?;
        let time = bench.time(|| whole::inside::run_into(d, count as u32, &mut out))?;
        let found = out.value()?;
        let pi = 4.0 * f64::from(found) / count as f64;
        close(pi, std::f64::consts::PI, 8.0 / (count as f64).sqrt())?;
        if !bench.large {
            let wanted = (0..count as u32).filter(|i| is_inside(*i)).count();
            same(found as usize, wanted)?;
        }
        Ok(time)
    });
    Ok(())
}
