//! Array programs by executed text, beside the CPU and the simulator: the same bits.

use obsidian_executor::Executor;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF32, EU8, EU32, lit};
use obsidian_rt::{Device, ErrorKind};

fn devices() -> Vec<Device> {
    let own = [Device::cpu(), Device::simulator()];
    let executor = Executor::find().map(|executor| executor.device());
    own.into_iter().chain(executor).collect()
}

/// What each device gives, as bits; all have to be equal.
fn agree<T: PartialEq + std::fmt::Debug>(run: impl Fn(&Device) -> T) {
    let devices = devices();
    let first = run(&devices[0]);
    for device in &devices[1..] {
        assert_eq!(run(device), first, "{}", device.name());
    }
}

fn floats(n: usize) -> Vec<f32> {
    (0..n)
        .map(|i| ((i * 7919 % 1009) as f32 - 500.0) / 37.0)
        .collect()
}

#[test]
fn folds_of_floats() {
    let program = ArrayProgram::build("folds", |xs: Arr1<EF32>, ys: Arr1<EF32>| {
        let products = zip_with(|x, y| x * y, xs.clone(), ys);
        (products.sum(), products.map(|x| x + 1.0), xs.max())
    });
    let program = program.unwrap();
    for n in [1, 31, 257, 4097, 70_001] {
        agree(|d| {
            let (x, y) = (floats(n), floats(n + 3));
            let (x, y) = (d.array([n], &x).unwrap(), d.array([n], &y[3..]).unwrap());
            let (sum, each, max) = program.run(d, (&x, &y)).unwrap();
            let each: Vec<u32> = each
                .to_vec()
                .unwrap()
                .into_iter()
                .map(f32::to_bits)
                .collect();
            (
                sum.value().unwrap().to_bits(),
                each,
                max.value().unwrap().to_bits(),
            )
        });
    }
}

#[test]
fn rows_in_order() {
    type Pair = (EU8, EU32);
    let program = ArrayProgram::build("rows", |m: Arr2<Pair>| {
        let f = |(a, b): Pair, (c, d): Pair| (a * c, (a.cast::<u32>() * d) + b);
        let folded = m.fold(f, (lit(3u8), lit(2u32)));
        (folded.map(|(a, b)| (b, a)), m.transpose())
    });
    let program = program.unwrap();
    for (h, w) in [(0, 3), (3, 0), (1, 1), (5, 33), (3, 1000)] {
        agree(|d| {
            let m: Vec<(u8, u32)> = (0..h * w).map(|i| (i as u8 | 1, i as u32)).collect();
            let (folded, turned) = program.run(d, &d.array([h, w], &m).unwrap()).unwrap();
            (folded.to_vec().unwrap(), turned.to_vec().unwrap())
        });
    }
}

#[test]
fn an_index_outside() {
    let program = ArrayProgram::build("gathered", |numbers: Arr1<EU32>, m: Arr2<EF32>| {
        let (_, width) = m.shape();
        numbers.map(move |i| m.at((i / width, i % width)) + m.at((i, 0u32)))
    });
    let program = program.unwrap();
    for d in devices() {
        let m = d.array([2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let good = d.array([2], &[1u32, 0]).unwrap();
        assert_eq!(
            program.run(&d, (&good, &m)).unwrap().to_vec().unwrap(),
            [6.0, 2.0]
        );
        // The element 2 is there, the row 2 is not.
        let bad = d.array([2], &[1u32, 2]).unwrap();
        let found = program.run(&d, (&bad, &m)).and_then(|found| found.to_vec());
        let error = found.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Fault, "{}: {error}", d.name());
    }
}
