//! Summarises runs of samples, checks the result, and prints a table.

use obsidian_rt::prelude::*;
use statistics::runs::{self, RUN};

fn main() -> obsidian_rt::Result<()> {
    let device = Device::best()?;
    let samples: Vec<u32> = (0..4 * RUN)
        .map(|i| i.wrapping_mul(0x9E37_79B1) >> 20)
        .collect();
    let input = device.upload(&samples)?;
    let (sums, least, largest) = runs::summary::launch(&device, &input)?;
    let (sums, least, largest) = (sums.to_vec()?, least.to_vec()?, largest.to_vec()?);
    let totals = runs::totals::launch(&device, &input)?.to_vec()?;

    println!("run        sum  least  largest   ({})", device.name());
    for (n, run) in samples.chunks(RUN as usize).enumerate() {
        let expected = (
            run.iter().sum::<u32>(),
            run.iter().min().copied(),
            run.iter().max().copied(),
        );
        assert_eq!(
            (sums[n], Some(least[n]), Some(largest[n])),
            expected,
            "run {n}"
        );
        let running = run.iter().scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        });
        assert!(
            running.eq(totals[n * RUN as usize..][..RUN as usize].iter().copied()),
            "the totals of run {n}"
        );
        println!("{n:>3} {:>10} {:>6} {:>8}", sums[n], least[n], largest[n]);
    }
    println!(
        "sums, extremes and {} running totals, all as counted one by one",
        totals.len()
    );
    Ok(())
}
