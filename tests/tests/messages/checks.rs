//! Assertions and vouched indices as programs have them: tuples of several types, atomics with results, loops that threads leave, warps, and held
//! arrays. Values that nothing but a report uses give no warning.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]
#![deny(warnings, unused)]
use obsidian_executor::Executor;
use obsidian_rt::prelude::*;

#[kernels]
mod kernels {
    /// Tuples, several types, an atomic with a result.
    #[kernel(threads = 64, faults)]
    pub fn tuples(table: DPull<(EU8, EF64)>, names: DPull<EU32>) -> DPush<Grid, (EU8, EF64)> {
        names
            .split_up(32)
            .as_grid_map(|piece| piece.map(|name| table[name.unchecked()]).push::<Block>())
    }

    #[kernel(threads = 64, faults)]
    pub fn ranks(
        keys: DPull<EU32>,
        bins: MGlobal<EU32>,
        ranks: MGlobal<EU32>,
    ) -> Program<Grid, ()> {
        distr_par(keys.len() / 64, |b| {
            for_all(64, |t| {
                let i = b * 64 + t;
                let rank = bins.atomic_add(keys[i.unchecked()].unchecked(), 1)?;
                ranks.write(i.unchecked().distinct(), rank.min(0))
            })
        })
    }

    /// What is read is used by `show!` and `assert!` alone, under loops that threads leave, and in a warp.
    #[kernel(threads = 64)]
    pub fn looks(limit: EU32, numbers: DPull<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
        require(numbers.len().equals(out.len()));
        distr_par(out.len() / 64, |b| {
            for_all(64, |t| {
                let i = b * 64 + t;
                let only_shown = out.read(i)?;
                cond(only_shown == 1000, show!(only_shown), pure(()))?;
                let sum = seq_until(
                    |(k, sum)| (k + 1, sum + numbers[i]),
                    |(k, _)| k < limit,
                    (t % 5, lit(0u32)),
                )?;
                let only_asserted = numbers[i];
                assert!(only_asserted < 50, "small")?;
                seq_for(9, |k| {
                    assert!(k + only_asserted != 57, "never 57")?;
                    cond(k > t, break_loop(), pure(()))
                })?;
                out.write(i, sum.1)
            })
        })
    }

    fn turned(piece: Pull<EU32>) -> Program<Warp, Push<Warp, EU32>> {
        let held = hold(piece)?;
        pure(generate(32, |i| held[(i + held[0]).unchecked()]).push())
    }

    /// An array held by a warp, at an index that comes from it.
    #[kernel(threads = 64, faults)]
    pub fn held(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|piece| {
            exec_block(pure(
                piece
                    .split_up(32)
                    .as_block_map(|part| exec_warp(turned(part))),
            ))
        })
    }

    fn halves(piece: Pull<EF32>) -> Program<Warp, Push<Warp, EF32>> {
        let stored = compute(piece)?;
        for_all(32, |t| assert!(stored[t] >= 0.0, "no negative ones"))?;
        pure(stored.push())
    }

    #[kernel(threads = 64)]
    pub fn warps(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(64).as_grid_map(|piece| {
            exec_block(pure(
                piece
                    .split_up(32)
                    .as_block_map(|part| exec_warp(halves(part))),
            ))
        })
    }
}

fn devices() -> Vec<Device> {
    let own = [Device::cpu(), Device::cpu_by_columns(), Device::simulator()];
    let executor = Executor::find().map(|executor| executor.device());
    own.into_iter().chain(executor).collect()
}

#[test]
fn tuples_of_types() {
    for d in devices() {
        let table = (
            d.upload(&[7u8; 40]).unwrap(),
            d.upload(&[0.5f64; 40]).unwrap(),
        );
        let mut names: Vec<u32> = (0..32).collect();
        let given = d.upload(&names).unwrap();
        let out = kernels::tuples::launch(&d, (&table.0, &table.1), &given).unwrap();
        let (a, b) = out
            .to_vec()
            .unwrap()
            .into_iter()
            .unzip::<u8, f64, Vec<_>, Vec<_>>();
        assert_eq!((a, b), (vec![7; 32], vec![0.5; 32]));
        names[31] = 40;
        let given = d.upload(&names).unwrap();
        let error = kernels::tuples::launch(&d, (&table.0, &table.1), &given).unwrap_err();
        assert!(error.to_string().contains("index 40"), "{error}");
    }
}

#[test]
fn ranks_and_atomics() {
    for d in devices() {
        let mut keys = vec![3u32; 64];
        let go = |keys: &[u32]| {
            let keys = d.upload(keys).unwrap();
            let (mut bins, mut ranks) = (d.zeros::<u32>(4).unwrap(), d.zeros::<u32>(64).unwrap());
            kernels::ranks::launch(&d, &keys, &mut bins, &mut ranks)
                .map(|()| bins.to_vec().unwrap())
        };
        assert_eq!(go(&keys).unwrap(), [0, 0, 0, 64]);
        keys[9] = 4;
        let error = go(&keys).unwrap_err();
        assert!(error.to_string().contains("index 4"), "{error}");
    }
}

#[test]
fn looks_alone() {
    for d in devices() {
        for threads in [64, 31, 1000] {
            let d = d.with_threads(threads);
            let go = |at: usize, x: u32| {
                let mut numbers: Vec<u32> = (0..128).map(|i| i % 40).collect();
                numbers[at] = x;
                let input = d.upload(&numbers).unwrap();
                let mut out = d.upload(&[0u32; 128]).unwrap();
                kernels::looks::launch(&d, 7, &input, &mut out).map(|()| out.to_vec().unwrap())
            };
            let right = go(0, 0).unwrap();
            assert_eq!(right[6], 6 * (7 - 1));
            let error = go(100, 50).unwrap_err().to_string();
            assert!(error.contains("small"), "{error}");
            // 57 = 8 + 49 is reached where the loop goes on so long: by thread 9, but not by thread 2.
            assert!(go(2, 49).is_ok());
            let error = go(73, 49).unwrap_err().to_string();
            assert!(error.contains("never 57"), "{error}");
        }
    }
}

#[test]
fn warps_too() {
    for d in devices() {
        for threads in [64, 33, 1] {
            let d = d.with_threads(threads);
            let mut numbers = vec![1.0f32; 128];
            let input = d.upload(&numbers).unwrap();
            assert_eq!(
                kernels::warps::launch(&d, &input)
                    .unwrap()
                    .to_vec()
                    .unwrap(),
                numbers
            );
            numbers[77] = f32::NAN;
            let input = d.upload(&numbers).unwrap();
            let error = kernels::warps::launch(&d, &input).unwrap_err().to_string();
            assert!(error.contains("no negative ones"), "{error}");
        }
    }
}

#[test]
fn an_array_that_a_warp_holds() {
    for d in devices() {
        for threads in [64, 33, 1] {
            let d = d.with_threads(threads);
            let go = |by: u32| {
                let input = d.upload(&[by; 64]).unwrap();
                kernels::held::launch(&d, &input).map(|out| out.to_vec().unwrap())
            };
            assert_eq!(go(0).unwrap(), [0; 64]);
            let error = go(1).unwrap_err().to_string();
            assert!(error.contains("index 32"), "{d:?}: {error}");
        }
    }
}
