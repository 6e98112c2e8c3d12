//! Sorts of many elements: the CPU does those of integers by their digits, all others and all other devices by the
//! network, and results are the same bits.

#![allow(missing_docs)]

use obsidian_rt::{Device, kernels};
use obsidian_tests::{fact, samples};

#[kernels]
mod sorts {
    #[kernel(threads = 96)]
    pub fn of_u8(input: DPull<EU32>) -> DPush<Grid, EU8> {
        input
            .split_up(700)
            .as_grid_map(|run| sort(|a, b| a < b, run.map(|x| (((x * 2654435761) >> 24) as u8))))
    }

    #[kernel(threads = 31)]
    pub fn of_i8(input: DPull<EU32>) -> DPush<Grid, EI8> {
        input
            .split_up(256)
            .as_grid_map(|run| sort(|a, b| b < a, run.map(|x| (((x * 2654435761) >> 24) as i8))))
    }

    #[kernel(threads = 128)]
    pub fn of_u16(input: DPull<EU32>) -> DPush<Grid, EU16> {
        input
            .split_up(257)
            .as_grid_map(|run| sort(|a, b| a > b, run.map(|x| (((x * 2654435761) >> 16) as u16))))
    }

    #[kernel(threads = 33)]
    pub fn of_i16(input: DPull<EU32>) -> DPush<Grid, EI16> {
        input.split_up(300).as_grid_map(|run| {
            sort(
                |a, b| b <= a,
                run.map(|x| (((x * 2654435761) >> 16) as i16)),
            )
        })
    }

    #[kernel(threads = 1)]
    pub fn of_i32(input: DPull<EU32>) -> DPush<Grid, EI32> {
        input
            .split_up(600)
            .as_grid_map(|run| sort(|a, b| a < b, run.map(|x| (x * 2654435761) as i32)))
    }

    #[kernel(threads = 256)]
    pub fn of_u64(input: DPull<EU32>) -> DPush<Grid, EU64> {
        input
            .split_up(260)
            .as_grid_map(|run| sort(|a, b| b > a, run.map(|x| (x as u64) * 11400714819323198485)))
    }

    #[kernel(threads = 1000)]
    pub fn of_i64(input: DPull<EU32>) -> DPush<Grid, EI64> {
        input.split_up(1000).as_grid_map(|run| {
            sort(
                |a, b| a >= b,
                run.map(|x| ((x as u64) * 11400714819323198485) as i64),
            )
        })
    }

    #[kernel(threads = 512)]
    pub fn of_u32(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(1025)
            .as_grid_map(|run| sort(|a, b| a <= b, run.map(|x| x * 2654435761)))
    }

    /// Each of two warps sorts 256 elements.
    #[kernel(threads = 64)]
    pub fn of_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(512).as_grid_map(|run| {
            run.split_up(256)
                .as_block_map(|half| sort::<Warp, _>(|a, b| a < b, half))
        })
    }

    /// Each of two threads sorts 256 elements.
    #[kernel(threads = 32)]
    pub fn of_threads(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(512).as_grid_map(|run| {
            run.split_up(256)
                .as_block_map(|half| sort::<Thread, _>(|a, b| a < b, half))
        })
    }

    /// In a loop: counts begin at zero each time.
    #[kernel(threads = 64)]
    pub fn again(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(300)
            .as_grid_map(|run| exec_block(turned(run)))
    }

    fn turned(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let values = to_mutable(run)?;
        seq_for(3, |k| {
            let now = compute(values.push())?;
            let sorted = compute(sort(|a, b| a < b, now))?;
            for_all(300, |i| values.write(i, sorted[i] * 2654435761 + k))
        })?;
        pure(values.push())
    }

    /// Equal ones are not the same: they keep the order of the network.
    #[kernel(threads = 64)]
    pub fn by_a_part(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(400)
            .as_grid_map(|run| sort(|a, b| (a & 15) < (b & 15), run))
    }

    /// So do zeros of both signs and NaNs.
    #[kernel(threads = 64)]
    pub fn of_floats(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input
            .split_up(400)
            .as_grid_map(|run| sort(|a, b| a < b, run))
    }
}

fn each<T, U>(x: &[T], n: usize, f: impl Fn(T) -> U, sort: impl Fn(&mut [U])) -> Vec<U>
where
    T: Copy,
    U: Clone,
{
    let sorted = |run: &[T]| {
        let mut run: Vec<U> = run.iter().map(|x| f(*x)).collect();
        sort(&mut run);
        run
    };
    x.chunks(n).flat_map(sorted).collect()
}

fn up<T: Ord>(run: &mut [T]) {
    run.sort_unstable();
}

fn down<T: Ord>(run: &mut [T]) {
    run.sort_unstable_by(|a, b| b.cmp(a));
}

/// What `again` leaves.
fn again(run: &mut [u32]) {
    for k in 0..3u32 {
        run.sort_unstable();
        let each = run.iter_mut();
        each.for_each(|x| *x = x.wrapping_mul(2654435761).wrapping_add(k));
    }
}

fact!(of_u8: sorts::of_u8[700](x: u32) == each(&x, 700, |x| (x.wrapping_mul(2654435761) >> 24) as u8, up));
fact!(of_i8: sorts::of_i8[256](x: u32) == each(&x, 256, |x| (x.wrapping_mul(2654435761) >> 24) as i8, down));
fact!(of_u16: sorts::of_u16[257](x: u32) == each(&x, 257, |x| (x.wrapping_mul(2654435761) >> 16) as u16, down));
fact!(of_i16: sorts::of_i16[300](x: u32) == each(&x, 300, |x| (x.wrapping_mul(2654435761) >> 16) as i16, down));
fact!(of_i32: sorts::of_i32[600](x: u32) == each(&x, 600, |x| (x.wrapping_mul(2654435761)) as i32, up));
fact!(of_i64: sorts::of_i64[1000](x: u32) == each(&x, 1000, |x| (u64::from(x).wrapping_mul(11400714819323198485)) as i64, down));
fact!(of_u32: sorts::of_u32[1025](x: u32) == each(&x, 1025, |x| x.wrapping_mul(2654435761), up));
fact!(of_warps: sorts::of_warps[512](x: u32) == each(&x, 256, |x| x, up));
fact!(in_a_loop: sorts::again[300](x: u32) == each(&x, 300, |x| x, again));

/// Without the CUDA text: 256 elements of a thread, or 260 words of 64 bits, need more registers than a thread has.
#[test]
fn of_threads_and_of_u64() -> obsidian_rt::Result<()> {
    let x = samples::<u32>(1560);
    let wide = |x| u64::from(x).wrapping_mul(11400714819323198485);
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        let found = sorts::of_threads::launch(&device, &device.upload(&x[..1536])?)?.to_vec()?;
        assert_eq!(found, each(&x[..1536], 256, |x| x, up), "{}", device.name());
        let found = sorts::of_u64::launch(&device, &device.upload(&x)?)?.to_vec()?;
        assert_eq!(found, each(&x, 260, wide, up), "{}", device.name());
    }
    Ok(())
}

#[test]
fn equal_ones_that_differ_have_the_order_of_the_network() -> obsidian_rt::Result<()> {
    let [cpu, simulator] = [Device::cpu(), Device::simulator()];
    let x = samples::<u32>(1200);
    let [one, other] = [&cpu, &simulator].map(|device| -> obsidian_rt::Result<_> {
        sorts::by_a_part::launch(device, &device.upload(&x)?)?.to_vec()
    });
    let (one, other) = (one?, other?);
    assert!(one.chunks(400).all(|run| run.is_sorted_by_key(|x| x & 15)));
    assert_eq!(one, other);

    let special = [0.0, -0.0, f32::NAN, f32::INFINITY, -1.5, f32::MIN_POSITIVE];
    let x: Vec<f32> = (0..400).map(|i| special[i * i % 31 % 6]).collect();
    let [one, other] = [&cpu, &simulator].map(|device| -> obsidian_rt::Result<_> {
        let sorted = sorts::of_floats::launch(device, &device.upload(&x)?)?.to_vec()?;
        Ok(sorted.into_iter().map(f32::to_bits).collect::<Vec<_>>())
    });
    assert_eq!(one?, other?);
    Ok(())
}
