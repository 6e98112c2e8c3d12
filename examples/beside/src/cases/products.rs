//! Products of matrices, nearest neighbours, and reads at indices that come from memory.

use matmul::products as tiles;

use crate::bench::{Bench, Checked, close, floats, near, words};
use crate::kernels::{plain, tuned, whole};

/// Products of large matrices and of many small ones, and the nearest of many points.
pub fn products(bench: &Bench) -> Checked<()> {
    if bench.large {
        product(bench, 1024, "1024")?;
    }
    product(bench, bench.pick(128, 4096), "4096")?;
    batched(bench)?;
    nearest(bench)
}

fn product(bench: &Bench, n: usize, size: &str) -> Checked<()> {
    let d = &bench.device;
    let (host_a, host_b) = (floats(n * n, 24), floats(n * n, 25));
    let wanted = |i: usize| -> f64 {
        let term = |k: usize| f64::from(host_a[i / n * n + k]) * f64::from(host_b[k * n + i % n]);
        (0..n).map(term).sum()
    };
    let bound = n as f64 * 1e-6;
    let side = n as u32;
    let case = bench.case("matmul f32", size);
    case.by("kernel", || {
        let (a, b, mut out) = (
            d.upload(&host_a)?,
            d.upload(&host_b)?,
            d.zeros::<f32>(n * n)?,
        );
        let time =
            bench.time(|| tiles::in_registers::launch_into(d, side, side, &a, &b, &mut out))?;
        near(&out.to_vec()?, bound, wanted)?;
        Ok(time)
    });
    if n > 1024 {
        return Ok(());
    }
    case.by("kernel tiles", || {
        let (a, b, mut out) = (
            d.upload(&host_a)?,
            d.upload(&host_b)?,
            d.zeros::<f32>(n * n)?,
        );
        let time = bench.time(|| tiles::matmul::launch_into(d, side, side, &a, &b, &mut out))?;
        near(&out.to_vec()?, bound, wanted)?;
        Ok(time)
    });
    case.by("arrays", || {
        let (a, b) = (d.array([n, n], &host_a)?, d.array([n, n], &host_b)?);
        let mut out = d.array([n, n], &vec![0f32; n * n])?;
        let time = bench.time(|| whole::product::run_into(d, &a, &b, &mut out))?;
        near(&out.to_vec()?, bound, wanted)?;
        Ok(time)
    });
    Ok(())
}

fn batched(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let count = bench.pick(3, 4096) * 4096;
    let (host_a, host_b) = (floats(count, 26), floats(count, 27));
    let wanted = |i: usize| -> f64 {
        let (first, row, column) = (i / 4096 * 4096, i / 64 % 64, i % 64);
        let a = |k: usize| f64::from(host_a[first + row * 64 + k]);
        let b = |k: usize| f64::from(host_b[first + k * 64 + column]);
        (0..64).map(|k| a(k) * b(k)).sum()
    };
    bench.case("batched 64x64", "4096").by("kernel", || {
        let (a, b, mut out) = (
            d.upload(&host_a)?,
            d.upload(&host_b)?,
            d.zeros::<f32>(count)?,
        );
        let time = bench.time(|| tuned::batched::launch_into(d, &a, &b, &mut out))?;
        near(&out.to_vec()?, 1e-5, wanted)?;
        Ok(time)
    });
    Ok(())
}

fn nearest(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let n = bench.pick(128, 4096);
    let (host_x, host_y) = (floats(n * 16, 28), floats(n * 16, 29));
    let square = |i: usize, j: usize| -> f64 {
        let pairs = host_x[i * 16..][..16].iter().zip(&host_y[j * 16..][..16]);
        pairs.map(|(x, y)| f64::from(x - y).powi(2)).sum()
    };
    // Two points may be as near as roundings tell.
    let check = |found: &[u32]| -> Checked<()> {
        for i in (0..n).step_by((n / 67).max(1)) {
            let least = (0..n).map(|j| square(i, j)).fold(f64::MAX, f64::min);
            close(square(i, found[i] as usize), least, 1e-5)?;
        }
        Ok(())
    };
    let case = bench.case("nearest dim16", "4096x4096");
    case.by("kernel", || {
        let (x, y, mut out) = (d.upload(&host_x)?, d.upload(&host_y)?, d.zeros::<u32>(n)?);
        let time = bench.time(|| tuned::nearest::launch_into(d, &x, &y, &mut out))?;
        check(&out.to_vec()?)?;
        Ok(time)
    });
    case.by("device", || {
        let (x, y, mut out) = (d.upload(&host_x)?, d.upload(&host_y)?, d.zeros::<u32>(n)?);
        let time = bench.time(|| plain::nearest::compute_into(d, [n], (&x, &y), &mut out))?;
        check(&out.to_vec()?)?;
        Ok(time)
    });
    case.by("arrays", || {
        let (x, y) = (d.array([n, 16], &host_x)?, d.array([n, 16], &host_y)?);
        let mut out = d.array([n], &vec![0u32; n])?;
        let time = bench.time(|| whole::nearest::run_into(d, &x, &y, &mut out))?;
        check(&out.to_vec()?)?;
        Ok(time)
    });
    Ok(())
}

/// A sparse matrix times a vector, and rows of a table.
pub fn lookups(bench: &Bench) -> Checked<()> {
    sparse(bench)?;
    embedding(bench)
}

fn sparse(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let n = bench.pick(1000, 1_000_000);
    let offsets: Vec<u32> = (0..=n as u32).map(|row| row * 16).collect();
    let columns: Vec<u32> = words(n * 16, 30)
        .iter()
        .map(|word| word % n as u32)
        .collect();
    let (values, v) = (floats(n * 16, 31), floats(n, 32));
    let wanted = |row: usize| -> f64 {
        let term = |k: usize| f64::from(values[k]) * f64::from(v[columns[k] as usize]);
        (row * 16..row * 16 + 16).map(term).sum()
    };
    let case = bench.case("spmv csr", "1e6x16");
    case.by("device", || {
        let (offsets, columns) = (d.upload(&offsets)?, d.upload(&columns)?);
        let (values, v, mut out) = (d.upload(&values)?, d.upload(&v)?, d.zeros::<f32>(n)?);
        let arguments = (&offsets, &columns, &values, &v);
        let time = bench.time(|| plain::sparse::compute_into(d, [n], arguments, &mut out))?;
        near(&out.to_vec()?, 1e-5, wanted)?;
        Ok(time)
    });
    case.by("arrays", || {
        let (offsets, columns) = (d.array([n + 1], &offsets)?, d.array([n * 16], &columns)?);
        let (values, v) = (d.array([n * 16], &values)?, d.array([n], &v)?);
        let mut out = d.array([n], &vec![0f32; n])?;
        let time =
            bench.time(|| whole::sparse::run_into(d, &offsets, &columns, &values, &v, &mut out))?;
        near(&out.to_vec()?, 1e-5, wanted)?;
        Ok(time)
    });
    Ok(())
}

fn embedding(bench: &Bench) -> Checked<()> {
    let (d, width) = (&bench.device, 128);
    let count = bench.pick(1000, 1 << 20);
    let rows = count / 4;
    let host_ids: Vec<u32> = words(count, 33)
        .iter()
        .map(|word| word % rows as u32)
        .collect();
    let host_table = floats(rows * width, 34);
    let wanted = |i: usize| f64::from(host_table[host_ids[i / width] as usize * width + i % width]);
    let case = bench.case("embedding 128", "2^20");
    case.by("kernel", || {
        let (ids, table) = (d.upload(&host_ids)?, d.upload(&host_table)?);
        let mut out = d.zeros::<f32>(count * width)?;
        let time = bench.time(|| tuned::embedded::launch_into(d, &ids, &table, &mut out))?;
        near(&out.to_vec()?, 0.0, wanted)?;
        Ok(time)
    });
    case.by("device", || {
        let (ids, table) = (d.upload(&host_ids)?, d.upload(&host_table)?);
        let mut out = d.zeros::<f32>(count * width)?;
        let arguments = (width, &ids, &table);
        let time =
            bench.time(|| plain::embedded::compute_into(d, [count, width], arguments, &mut out))?;
        near(&out.to_vec()?, 0.0, wanted)?;
        Ok(time)
    });
    case.by("arrays", || {
        let (ids, table) = (
            d.array([count], &host_ids)?,
            d.array([rows, width], &host_table)?,
        );
        let mut out = d.array([count, width], &vec![0f32; count * width])?;
        let time = bench.time(|| whole::embedded::run_into(d, &ids, &table, &mut out))?;
        near(&out.to_vec()?, 0.0, wanted)?;
        Ok(time)
    });
    Ok(())
}
