//! Cases of two and three dimensions: stencils, filters, transpositions.

use obsidian_rt::algorithms;

use crate::bench::{Bench, Checked, floats, near, places, same, words};
use crate::kernels::{plain, tuned, whole};

/// A picture, and what the filters give at one place of it.
struct Picture {
    n: usize,
    host: Vec<f32>,
}

impl Picture {
    fn at(&self, row: usize, column: usize) -> f64 {
        f64::from(self.host[row * self.n + column])
    }

    fn mean_of_neighbours(&self, i: usize) -> f64 {
        let (r, c) = (i / self.n, i % self.n);
        if r == 0 || c == 0 || r + 1 == self.n || c + 1 == self.n {
            return self.at(r, c);
        }
        let sum = self.at(r - 1, c) + self.at(r + 1, c) + self.at(r, c - 1) + self.at(r, c + 1);
        sum * 0.25
    }

    fn blurred(&self, i: usize) -> f64 {
        let weights = [
            0.204_163_69,
            0.180_173_82,
            0.123_831_54,
            0.066_282_24,
            0.027_630_55,
        ];
        let weight = |k: isize| weights[k.unsigned_abs()];
        let clamped = |i: usize, k: isize| i.saturating_add_signed(k).min(self.n - 1);
        let (row, column) = (i / self.n, i % self.n);
        let along = |r: usize| -> f64 {
            (-4..5)
                .map(|k| weight(k) * self.at(r, clamped(column, k)))
                .sum()
        };
        (-4..5).map(|k| weight(k) * along(clamped(row, k))).sum()
    }
}

/// Jacobi's method, a Gaussian filter and Conway's Life, on a square.
pub fn grids(bench: &Bench) -> Checked<()> {
    let n = bench.pick(64, 4096);
    let picture = Picture {
        n,
        host: floats(n * n, 15),
    };
    jacobi(bench, &picture)?;
    gauss(bench, &picture)?;
    life(bench, n)?;
    transpose(bench)
}

fn jacobi(bench: &Bench, picture: &Picture) -> Checked<()> {
    let (d, n) = (&bench.device, picture.n);
    let x = d.upload(&picture.host)?;
    let mut out = d.zeros::<f32>(n * n)?;
    let wanted = |i: usize| picture.mean_of_neighbours(i);
    let case = bench.case("jacobi 5pt", "4096^2");
    case.by("kernel", || {
        let time = bench.time(|| tuned::jacobi::launch_into(d, n as u32, &x, &mut out))?;
        near(&out.to_vec()?, 1e-6, wanted)?;
        Ok(time)
    });
    case.by("kernel 2d", || {
        let time = bench.time(|| tuned::jacobi_2d::launch_into(d, n as u32, &x, &mut out))?;
        near(&out.to_vec()?, 1e-6, wanted)?;
        Ok(time)
    });
    case.by("device", || {
        let time = bench.time(|| plain::jacobi::compute_into(d, [n, n], (n, n, &x), &mut out))?;
        near(&out.to_vec()?, 1e-6, wanted)?;
        Ok(time)
    });
    case.by("arrays", || {
        let x = d.array([n, n], &picture.host)?;
        let mut out = d.array([n, n], &vec![0f32; n * n])?;
        let time = bench.time(|| whole::jacobi::run_into(d, &x, &mut out))?;
        near(&out.to_vec()?, 1e-6, wanted)?;
        Ok(time)
    });
    Ok(())
}

fn gauss(bench: &Bench, picture: &Picture) -> Checked<()> {
    let (d, n) = (&bench.device, picture.n);
    let wanted = |i: usize| picture.blurred(i);
    let case = bench.case("gauss 9+9", "4096^2");
    case.by("kernel", || {
        let (x, mut out) = (d.upload(&picture.host)?, d.zeros::<f32>(n * n)?);
        let time = bench.time(|| tuned::gauss::launch_into(d, n as u32, &x, &mut out))?;
        near(&out.to_vec()?, 1e-5, wanted)?;
        Ok(time)
    });
    case.by("arrays", || {
        let x = d.array([n, n], &picture.host)?;
        let mut out = d.array([n, n], &vec![0f32; n * n])?;
        let time = bench.time(|| whole::gauss::run_into(d, &x, &mut out))?;
        near(&out.to_vec()?, 1e-5, wanted)?;
        Ok(time)
    });
    Ok(())
}

fn life(bench: &Bench, n: usize) -> Checked<()> {
    let d = &bench.device;
    let host: Vec<u8> = words(n * n, 16)
        .iter()
        .map(|word| (word & 1) as u8)
        .collect();
    let check = |found: Vec<u8>| -> Checked<()> {
        for i in places(n * n) {
            let (r, c) = (i / n, i % n);
            let around = (0..9)
                .filter(|k| *k != 4)
                .map(|k| (r + n + k / 3 - 1, c + n + k % 3 - 1));
            let neighbours: u8 = around.map(|(r, c)| host[r % n * n + c % n]).sum();
            same(
                found[i],
                u8::from(neighbours == 3 || (neighbours == 2 && host[i] == 1)),
            )?;
        }
        Ok(())
    };
    let case = bench.case("life u8", "4096^2");
    case.by("device", || {
        let (x, mut out) = (d.upload(&host)?, d.zeros::<u8>(n * n)?);
        let time = bench.time(|| plain::life::compute_into(d, [n, n], (n, n, &x), &mut out))?;
        check(out.to_vec()?)?;
        Ok(time)
    });
    case.by("arrays", || {
        let x = d.array([n, n], &host)?;
        let mut out = d.array([n, n], &vec![0u8; n * n])?;
        let time = bench.time(|| whole::life::run_into(d, &x, &mut out))?;
        check(out.to_vec()?)?;
        Ok(time)
    });
    Ok(())
}

fn transpose(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let n = bench.pick(64, 8192);
    let host = floats(n * n, 17);
    let wanted = |i: usize| f64::from(host[i % n * n + i / n]);
    let case = bench.case("transpose", "8192^2");
    case.by("kernel", || {
        let (x, mut out) = (d.upload(&host)?, d.zeros::<f32>(n * n)?);
        let tiles = n as u32 / 32;
        let time = bench.time(|| tuned::transpose::launch_into(d, tiles, tiles, &x, &mut out))?;
        near(&out.to_vec()?, 0.0, wanted)?;
        Ok(time)
    });
    case.by("algorithms", || {
        let x = d.array([n, n], &host)?;
        let mut out = d.array([n, n], &vec![0f32; n * n])?;
        let time = bench.time(|| algorithms::transpose_into(d, &x, &mut out))?;
        near(&out.to_vec()?, 0.0, wanted)?;
        Ok(time)
    });
    Ok(())
}

/// The Laplace operator on a cube.
pub fn volumes(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let n = bench.pick(17, 256);
    let host = floats(n * n * n, 18);
    let wanted = |i: usize| {
        let (z, y, x) = (i / n / n, i / n % n, i % n);
        let at = |z: usize, y: usize, x: usize| {
            let inside = z < n && y < n && x < n;
            if inside {
                f64::from(host[(z * n + y) * n + x])
            } else {
                0.0
            }
        };
        let before = |i: usize| i.wrapping_sub(1);
        let planes = at(before(z), y, x) + at(z + 1, y, x);
        let rows = at(z, before(y), x) + at(z, y + 1, x);
        let columns = at(z, y, before(x)) + at(z, y, x + 1);
        planes + rows + columns - 6.0 * at(z, y, x)
    };
    let case = bench.case("stencil 7pt", "256^3");
    case.by("device", || {
        let (x, mut out) = (d.upload(&host)?, d.zeros::<f32>(n * n * n)?);
        let time = bench.time(|| plain::laplace::compute_into(d, [n, n, n], (n, &x), &mut out))?;
        near(&out.to_vec()?, 1e-5, wanted)?;
        Ok(time)
    });
    case.by("arrays", || {
        let x = d.array([n, n, n], &host)?;
        let mut out = d.array([n, n, n], &vec![0f32; n * n * n])?;
        let time = bench.time(|| whole::laplace::run_into(d, &x, &mut out))?;
        near(&out.to_vec()?, 1e-5, wanted)?;
        Ok(time)
    });
    Ok(())
}
