//! Cases of one dimension whose elements are read once.

use obsidian_rt::algorithms;

use crate::bench::{Bench, Checked, close, floats, near, same};
use crate::kernels::{tuned, whole};

/// Sums of vectors, a dot product, and the place of the largest element.
pub fn flat(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let count = bench.pick(10_007, 1 << 26);
    let (host_x, host_y) = (floats(count, 1), floats(count, 2));
    let (x, y) = (d.upload(&host_x)?, d.upload(&host_y)?);
    let wanted = |i: usize| 2.5 * f64::from(host_x[i]) + f64::from(host_y[i]);
    let mut out = d.zeros::<f32>(count)?;

    let saxpy = bench.case("saxpy", "2^26");
    saxpy.by("kernel", || {
        let time = bench.time(|| tuned::saxpy::launch_into(d, 2.5, &x, &y, &mut out))?;
        near(&out.to_vec()?, 1e-6, wanted)?;
        Ok(time)
    });
    saxpy.by("algorithms", || {
        let time =
            bench.time(|| algorithms::zip_map_into(d, &x, &y, |x, y| x * 2.5 + y, &mut out))?;
        near(&out.to_vec()?, 1e-6, wanted)?;
        Ok(time)
    });
    saxpy.by("arrays", || {
        let (x, y) = (d.array([count], &host_x)?, d.array([count], &host_y)?);
        let mut out = d.array([count], &vec![0f32; count])?;
        let time = bench.time(|| whole::saxpy::run_into(d, 2.5, &x, &y, &mut out))?;
        near(&out.to_vec()?, 1e-6, wanted)?;
        Ok(time)
    });

    bench.case("dot", "2^26").by("algorithms", || {
        let mut one = d.zeros::<f32>(1)?;
        let time = bench.time(|| algorithms::dot_into(d, &x, &y, &mut one))?;
        let products = host_x
            .iter()
            .zip(&host_y)
            .map(|(x, y)| f64::from(*x) * f64::from(*y));
        close(one.to_vec()?[0], products.sum(), count as f64 * 1e-6)?;
        Ok(time)
    });
    bench.case("argmax", "2^26").by("algorithms", || {
        let mut place = d.zeros::<u32>(1)?;
        let time = bench.time(|| algorithms::arg_max_into(d, &x, &mut place))?;
        let first = (0..count).fold(0, |most, i| if host_x[i] > host_x[most] { i } else { most });
        same(place.to_vec()?[0] as usize, first)?;
        Ok(time)
    });
    Ok(())
}

/// Sums and prefix sums of two lengths.
pub fn sums(bench: &Bench) -> Checked<()> {
    sums_of(bench, bench.pick(1003, 1 << 20), "2^20")?;
    sums_of(bench, bench.pick(100_003, 1 << 26), "2^26")
}

fn sums_of(bench: &Bench, count: usize, size: &str) -> Checked<()> {
    let d = &bench.device;
    let host = floats(count, 3);
    let x = d.upload(&host)?;
    bench.case("sum", size).by("algorithms", || {
        let mut one = d.zeros::<f32>(1)?;
        let time = bench.time(|| algorithms::sum_into(d, &x, &mut one))?;
        let sum = host.iter().map(|x| f64::from(*x)).sum();
        close(one.to_vec()?[0], sum, count as f64 * 1e-6)?;
        Ok(time)
    });
    bench.case("cumsum", size).by("algorithms", || {
        let mut out = d.zeros::<f32>(count)?;
        let time = bench.time(|| algorithms::inclusive_sum_into(d, &x, &mut out))?;
        let mut sum = 0.0;
        let prefixes = host.iter().map(|x| {
            sum += f64::from(*x);
            sum
        });
        let prefixes: Vec<f64> = prefixes.collect();
        near(&out.to_vec()?, 1e-3 + count as f64 * 1e-9, |i| prefixes[i])?;
        Ok(time)
    });
    Ok(())
}
