//! Cases that move elements: sorts, histograms and selections.

use obsidian_rt::algorithms;

use crate::bench::{Bench, Checked, floats, same, words};

/// Sorts of two lengths, of keys and of keys with values.
pub fn sorts(bench: &Bench) -> Checked<()> {
    keys(bench, bench.pick(1003, 1 << 20), "2^20")?;
    let count = bench.pick(10_007, 1 << 24);
    keys(bench, count, "2^24")?;

    let d = &bench.device;
    let (host_keys, host_values) = (words(count, 4), floats(count, 5));
    let (keys, values) = (d.upload(&host_keys)?, d.upload(&host_values)?);
    bench.case("sort_by_key", "2^24").by("algorithms", || {
        let mut last = None;
        let time = bench.time(|| {
            last = Some(algorithms::sort_by_key(d, &keys, &values)?);
            Ok(())
        })?;
        let mut pairs: Vec<(u32, f32)> = host_keys
            .iter()
            .copied()
            .zip(host_values.iter().copied())
            .collect();
        pairs.sort_by_key(|(key, _)| *key);
        let (keys, values) = last.ok_or("no call")?;
        same(
            keys.to_vec()?.into_iter().zip(values.to_vec()?).eq(pairs),
            true,
        )?;
        Ok(time)
    });
    Ok(())
}

fn keys(bench: &Bench, count: usize, size: &str) -> Checked<()> {
    let d = &bench.device;
    bench.case("sort u32", size).by("algorithms", || {
        let mut host = words(count, 4);
        let (x, mut out) = (d.upload(&host)?, d.zeros::<u32>(count)?);
        let time = bench.time(|| algorithms::sort_into(d, &x, &mut out))?;
        host.sort_unstable();
        same(out.to_vec()? == host, true)?;
        Ok(time)
    });
    bench.case("sort f32", size).by("algorithms", || {
        let mut host = floats(count, 6);
        let (x, mut out) = (d.upload(&host)?, d.zeros::<f32>(count)?);
        let time = bench.time(|| algorithms::sort_into(d, &x, &mut out))?;
        host.sort_unstable_by(f32::total_cmp);
        same(out.to_vec()? == host, true)?;
        Ok(time)
    });
    Ok(())
}

/// How often each of 256 keys occurs.
pub fn histogram(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let host: Vec<u32> = words(bench.pick(10_007, 1 << 26), 7)
        .iter()
        .map(|x| x % 256)
        .collect();
    let x = d.upload(&host)?;
    bench.case("histogram 256", "2^26").by("algorithms", || {
        let mut bins = d.zeros::<u32>(256)?;
        let time = bench.time(|| algorithms::histogram_into(d, &x, &mut bins))?;
        let mut wanted = vec![0u32; 256];
        host.iter().for_each(|key| wanted[*key as usize] += 1);
        same(bins.to_vec()?, wanted)?;
        Ok(time)
    });
    Ok(())
}

/// The positive elements, and the first of each run of equal ones. The host reads how many there are.
pub fn selections(bench: &Bench) -> Checked<()> {
    let d = &bench.device;
    let count = bench.pick(10_007, 1 << 24);
    let host = floats(count, 8);
    let x = d.upload(&host)?;
    bench.case("select x>0", "2^24").by("algorithms", || {
        let mut last = None;
        let time = bench.time(|| {
            last = Some(algorithms::copy_if(d, &x, |x| x.gt(0.0))?);
            Ok(())
        })?;
        let kept: Vec<f32> = host.iter().copied().filter(|x| *x > 0.0).collect();
        same(last.ok_or("no call")?.to_vec()? == kept, true)?;
        Ok(time)
    });
    let mut run = 0;
    let steps = words(count, 9);
    let steps = steps.iter().map(|word| {
        run += u32::from(word % 4 == 0);
        run
    });
    let mut host: Vec<u32> = steps.collect();
    let x = d.upload(&host)?;
    bench.case("unique runs", "2^24").by("algorithms", || {
        let mut last = None;
        let time = bench.time(|| {
            last = Some(algorithms::unique(d, &x)?);
            Ok(())
        })?;
        host.dedup();
        same(last.ok_or("no call")?.to_vec()? == host, true)?;
        Ok(time)
    });
    Ok(())
}
