//! Cases of rows: softmax, layer normalisation, sums.

use crate::bench::{Bench, Checked, floats, near};
use crate::kernels::{rows, whole};

/// Softmax of rows of 4,096 and of 512.
pub fn softmax(bench: &Bench) -> Checked<()> {
    softmax_of(bench, bench.pick(3, 4096), 4096, "4096x4096")?;
    softmax_of(bench, bench.pick(16, 65_536), 512, "65536x512")
}

fn softmax_of(bench: &Bench, height: usize, width: usize, size: &str) -> Checked<()> {
    let d = &bench.device;
    let host: Vec<f32> = floats(height * width, 10).iter().map(|x| x * 8.0).collect();
    let x = d.upload(&host)?;
    let wanted = |i: usize| {
        let row = &host[i / width * width..][..width];
        let top = row.iter().copied().fold(f32::MIN, f32::max);
        let power = |x: f32| f64::from(x - top).exp();
        power(host[i]) / row.iter().map(|x| power(*x)).sum::<f64>()
    };
    let case = bench.case("softmax", size);
    case.by("kernel", || {
        let mut out = d.zeros::<f32>(height * width)?;
        let time = bench.time(|| match width {
            512 => rows::softmax_512::launch_into(d, &x, &mut out),
            _ => rows::softmax_4096::launch_into(d, &x, &mut out),
        })?;
        near(&out.to_vec()?, 1e-6, wanted)?;
        Ok(time)
    });
    case.by("kernel own", || {
        let mut out = d.zeros::<f32>(height * width)?;
        let time = bench.time(|| match width {
            512 => rows::softmax_512_own::launch_into(d, &x, &mut out),
            _ => rows::softmax_4096_own::launch_into(d, &x, &mut out),
        })?;
        near(&out.to_vec()?, 1e-6, wanted)?;
        Ok(time)
    });
    case.by("arrays", || {
        let x = d.array([height, width], &host)?;
        let mut out = d.array([height, width], &vec![0f32; height * width])?;
        let time = bench.time(|| whole::softmax::run_into(d, &x, &mut out))?;
        near(&out.to_vec()?, 1e-6, wanted)?;
        Ok(time)
    });
    Ok(())
}

/// Layer normalisation of rows of 4,096.
pub fn norms(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let (height, width) = (bench.pick(3, 8192), 4096);
    let host = (
        floats(height * width, 11),
        floats(width, 12),
        floats(width, 13),
    );
    let (x, gain, bias) = (d.upload(&host.0)?, d.upload(&host.1)?, d.upload(&host.2)?);
    let wanted = |i: usize| {
        let row = &host.0[i / width * width..][..width];
        let mean = row.iter().map(|x| f64::from(*x)).sum::<f64>() / width as f64;
        let square = |x: &f32| (f64::from(*x) - mean).powi(2);
        let variance = row.iter().map(square).sum::<f64>() / width as f64;
        let normal = (f64::from(host.0[i]) - mean) / (variance + 1e-5).sqrt();
        normal * f64::from(host.1[i % width]) + f64::from(host.2[i % width])
    };
    let case = bench.case("layernorm", "8192x4096");
    case.by("kernel", || {
        let mut out = d.zeros::<f32>(height * width)?;
        let time = bench.time(|| rows::norm_4096::launch_into(d, &x, &gain, &bias, &mut out))?;
        near(&out.to_vec()?, 1e-5, wanted)?;
        Ok(time)
    });
    case.by("kernel own", || {
        let mut out = d.zeros::<f32>(height * width)?;
        let time =
            bench.time(|| rows::norm_4096_own::launch_into(d, &x, &gain, &bias, &mut out))?;
        near(&out.to_vec()?, 1e-5, wanted)?;
        Ok(time)
    });
    case.by("arrays", || {
        let x = d.array([height, width], &host.0)?;
        let (gain, bias) = (d.array([width], &host.1)?, d.array([width], &host.2)?);
        let mut out = d.array([height, width], &vec![0f32; height * width])?;
        let time = bench.time(|| whole::layer_norm::run_into(d, &x, &gain, &bias, &mut out))?;
        near(&out.to_vec()?, 1e-5, wanted)?;
        Ok(time)
    });
    Ok(())
}

/// Sums of many short rows, and of few long ones.
pub fn sums(bench: &Bench) -> Checked<()> {
    sums_of(bench, bench.pick(96, 1 << 20), 64, "2^20x64")?;
    sums_of(
        bench,
        bench.pick(3, 64),
        bench.pick(20_000, 1 << 20),
        "64x2^20",
    )
}

fn sums_of(bench: &Bench, height: usize, width: usize, size: &str) -> Checked<()> {
    let d = &bench.device;
    let host = floats(height * width, 14);
    let wanted = |i: usize| {
        host[i * width..][..width]
            .iter()
            .map(|x| f64::from(*x))
            .sum::<f64>()
    };
    let bound = width as f64 * 1e-6;
    let case = bench.case("row sums", size);
    if width == 64 {
        case.by("kernel", || {
            let (x, mut out) = (d.upload(&host)?, d.zeros::<f32>(height)?);
            let time = bench.time(|| rows::sums_64::launch_into(d, &x, &mut out))?;
            near(&out.to_vec()?, bound, wanted)?;
            Ok(time)
        });
    }
    case.by("arrays", || {
        let x = d.array([height, width], &host)?;
        let mut out = d.array([height], &vec![0f32; height])?;
        let time = bench.time(|| whole::row_sums::run_into(d, &x, &mut out))?;
        near(&out.to_vec()?, bound, wanted)?;
        Ok(time)
    });
    Ok(())
}
