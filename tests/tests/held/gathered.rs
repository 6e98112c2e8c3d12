//! Arrays that all blocks combine values with, by atomic operations: on the CPU each core has elements of
//! its own.

#![allow(missing_docs)]

use obsidian_rt::{Buffer, Device, Result, kernels};

#[kernels]
mod m {
    /// Sums, differences and bits of elements at places that several blocks share.
    #[kernel(threads = 33)]
    pub fn combined(
        sums: MGlobal<EU32>,
        bits: MGlobal<EU64>,
        least: MGlobal<EI32>,
        greatest: MGlobal<EI64>,
        x: DPull<EI32>,
    ) -> Program<Grid, ()> {
        require(x.len().multiple_of(100));
        distr_par(x.len() / 100, |b| {
            for_all(100, |i| {
                let value = x[b * 100 + i];
                let at = value as u32 % 13;
                sum(sums, at, value)?;
                bit(bits, at, value)?;
                cond(
                    at < least.len(),
                    least.atomic_min(at, value).void(),
                    pure(()),
                )?;
                let large = value as i64 * 5;
                cond(
                    at < greatest.len(),
                    greatest.atomic_max(at, large).void(),
                    pure(()),
                )
            })
        })
    }

    fn sum(sums: MGlobal<EU32>, at: EU32, value: EI32) -> Program<Thread, ()> {
        cond(at < sums.len(), select_changes(sums, at, value), pure(()))
    }

    fn select_changes(sums: MGlobal<EU32>, at: EU32, value: EI32) -> Program<Thread, ()> {
        cond(
            value < 0,
            sums.atomic_sub(at, 3).void(),
            sums.atomic_add(at, value as u32).void(),
        )
    }

    fn bit(bits: MGlobal<EU64>, at: EU32, value: EI32) -> Program<Thread, ()> {
        cond(
            at < bits.len(),
            bits.atomic_xor(at, (value as u64) << 3).void(),
            pure(()),
        )
    }

    /// What is added has an old value that is used.
    #[kernel(threads = 32)]
    pub fn tickets(next: MGlobal<EU32>, out: MGlobal<EU32>, n: EU32) -> Program<Grid, ()> {
        require(next.len().at_least(1));
        require(out.len().equals(n));
        distr_par(n, |_b| {
            for_all(1, |_i| {
                let ticket = next.atomic_add(0, 1)?;
                out.write(ticket.unchecked().distinct(), ticket * 2)
            })
        })
    }
}

/// The four arrays, changed on the device from `start` on.
fn run(
    device: &Device,
    x: &[i32],
    length: usize,
) -> Result<(Vec<u32>, Vec<u64>, Vec<i32>, Vec<i64>)> {
    let start = || (0..length as i32).map(|i| i - 4);
    let mut sums = device.upload(&start().map(|i| i as u32).collect::<Vec<_>>())?;
    let mut bits = device.upload(&start().map(|i| i as u64).collect::<Vec<_>>())?;
    let mut least = device.upload(&start().collect::<Vec<_>>())?;
    let mut greatest = device.upload(&start().map(i64::from).collect::<Vec<_>>())?;
    let x: Buffer<i32> = device.upload(x)?;
    m::combined::launch(device, &mut sums, &mut bits, &mut least, &mut greatest, &x)?;
    Ok((
        sums.to_vec()?,
        bits.to_vec()?,
        least.to_vec()?,
        greatest.to_vec()?,
    ))
}

#[test]
fn what_blocks_combine_is_there_once() -> Result<()> {
    for blocks in [0, 1, 3, 4, 5, 64] {
        // The last length is too long for as many blocks to have elements of their own.
        for length in [0, 1, 13, 20_000] {
            let x: Vec<i32> = (0..blocks * 100)
                .map(|i: i32| i.wrapping_mul(0x9e37_79b9_u32 as i32))
                .collect();
            let start: Vec<i32> = (0..length as i32).map(|i| i - 4).collect();
            let mut sums: Vec<u32> = start.iter().map(|i| *i as u32).collect();
            let mut bits: Vec<u64> = start.iter().map(|i| *i as u64).collect();
            let mut least = start.clone();
            let mut greatest: Vec<i64> = start.iter().copied().map(i64::from).collect();
            for value in &x {
                let at = (*value as u32 % 13) as usize;
                if at < length {
                    let more = if *value < 0 {
                        3u32.wrapping_neg()
                    } else {
                        *value as u32
                    };
                    sums[at] = sums[at].wrapping_add(more);
                    bits[at] ^= (*value as u64) << 3;
                    least[at] = least[at].min(*value);
                    greatest[at] = greatest[at].max(i64::from(*value) * 5);
                }
            }
            for (name, device) in obsidian_tests::devices() {
                let found = run(&device, &x, length)?;
                let expected = (sums.clone(), bits.clone(), least.clone(), greatest.clone());
                assert_eq!(
                    found, expected,
                    "{name}: {blocks} blocks, {length} elements"
                );
            }
        }
    }
    Ok(())
}

#[test]
fn tickets_are_given_out_once() -> Result<()> {
    for (name, device) in obsidian_tests::devices() {
        for n in [1u32, 4, 100] {
            let mut next = device.upload(&[0u32, 9])?;
            let mut out = device.upload(&vec![u32::MAX; n as usize])?;
            m::tickets::launch(&device, &mut next, &mut out, n)?;
            assert_eq!(next.to_vec()?, [n, 9], "{name}");
            assert_eq!(
                out.to_vec()?,
                (0..n).map(|i| i * 2).collect::<Vec<_>>(),
                "{name}"
            );
        }
    }
    Ok(())
}
