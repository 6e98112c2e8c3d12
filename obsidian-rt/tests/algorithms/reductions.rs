//! Reductions.

use obsidian_rt::language::EU32;
use obsidian_rt::{Device, ErrorKind, algorithms};

use crate::common::{LENGTHS, Random, each};

macro_rules! wrapping_sums {
    ($($name:ident $ty:ident;)*) => {$(
        #[test]
        fn $name() {
            each(&LENGTHS, |device, n| {
                let mut random = Random::new(n as u64);
                let xs: Vec<$ty> = (0..n).map(|_| random.bits() as $ty).collect();
                let want = xs.iter().fold(0, |sum: $ty, x| sum.wrapping_add(*x));
                let buffer = device.upload(&xs).unwrap();
                assert_eq!(algorithms::sum(device, &buffer).unwrap(), want, "{n}");
                let mut result = device.upload(&[99 as $ty]).unwrap();
                algorithms::sum_into(device, &buffer, &mut result).unwrap();
                assert_eq!(result.to_vec().unwrap(), [want], "{n}");
            });
        }
    )*};
}

wrapping_sums! {
    sums_of_u8 u8; sums_of_u16 u16; sums_of_u32 u32; sums_of_u64 u64;
    sums_of_i8 i8; sums_of_i16 i16; sums_of_i32 i32; sums_of_i64 i64;
}

#[test]
fn sums_of_floats_have_the_bound_that_is_stated() {
    each(&[0, 1, 31, 1000, 65_537, (1 << 20) + 1], |device, n| {
        let mut random = Random::new(n as u64);
        let xs: Vec<f32> = (0..n).map(|_| random.float() as f32).collect();
        let exact: f64 = xs.iter().map(|x| f64::from(*x)).sum();
        let size: f64 = xs.iter().map(|x| f64::from(x.abs())).sum();
        let sum = algorithms::sum(device, &xs).unwrap();
        let error = (f64::from(sum) - exact).abs();
        assert!(
            error <= 64.0 * f64::from(f32::EPSILON) * size,
            "{n}: {error}"
        );
        // The simulator has the same bits, and so has the same program of a closure.
        let closure = algorithms::reduce(device, &xs, |x, y| x + y, 0.0).unwrap();
        assert_eq!(closure.to_bits(), sum.to_bits(), "{n}");
        if n == 1000 {
            let other = algorithms::sum(&Device::simulator(), &xs).unwrap();
            assert_eq!(other.to_bits(), sum.to_bits());
        }
    });
}

/// Affine maps `x -> a * x + b`: their composition does not commute.
#[test]
fn reductions_keep_the_order() {
    each(&LENGTHS, |device, n| {
        let mut random = Random::new(n as u64);
        let xs: Vec<(u32, u32)> = (0..n)
            .map(|_| (random.bits() as u32, random.bits() as u32))
            .collect();
        let then = |(a, b): (u32, u32), (c, d): (u32, u32)| {
            (a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d))
        };
        let want = xs.iter().fold((3, 5), |x, y| then(x, *y));
        let given = device.array([n], &xs).unwrap();
        let composed = |x: (algorithms::DeviceItem<u32>, algorithms::DeviceItem<u32>),
                        y: (_, _)| (x.0 * y.0, x.1 * y.0 + y.1);
        assert_eq!(
            algorithms::reduce(device, &given, composed, (3, 5)).unwrap(),
            want,
            "{n}"
        );
        // By columns that are buffers of their own, into memory that is there.
        let (a, b): (Vec<u32>, Vec<u32>) = xs.into_iter().unzip();
        let (a, b) = (device.upload(&a).unwrap(), device.upload(&b).unwrap());
        let mut result = device.array([1], &[(7u32, 7u32)]).unwrap();
        algorithms::reduce_into(device, (&a, &b), composed, (3, 5), &mut result).unwrap();
        assert_eq!(result.to_vec().unwrap(), [want], "{n}");
    });
}

#[test]
fn mistakes_are_errors() {
    let device = Device::cpu();
    let xs = device.upload(&[1u32, 2]).unwrap();
    let mut two = device.upload(&[0u32, 0]).unwrap();
    let error = algorithms::sum_into(&device, &xs, &mut two).unwrap_err();
    assert_eq!(
        (error.kind(), two.to_vec().unwrap()),
        (ErrorKind::UnequalLengths, vec![0, 0])
    );
}

#[test]
fn segments_by_offsets() {
    let composed = |x: (EU32, EU32), y: (EU32, EU32)| (x.0 * y.0, x.1 * y.0 + y.1);
    let then = |(a, b): (u32, u32), (c, d): (u32, u32)| {
        (a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d))
    };
    each(&LENGTHS, |device, n| {
        for segments in [0, 1, 2, 40, n / 3] {
            let mut random = Random::new((n + segments) as u64);
            let xs: Vec<(u32, u32)> = (0..n)
                .map(|_| (random.bits() as u32, random.bits() as u32))
                .collect();
            let mut offsets: Vec<u32> = (0..=segments)
                .map(|_| random.below(n as u64 + 1) as u32)
                .collect();
            offsets.sort_unstable();
            let segment = |ends: &[u32]| {
                let own = &xs[ends[0] as usize..ends[1] as usize];
                own.iter().fold((3, 5), |x, y| then(x, *y))
            };
            let want: Vec<_> = offsets.windows(2).map(segment).collect();
            let given = device.array([n], &xs).unwrap();
            let got = algorithms::segmented_reduce(device, &given, &offsets, composed, (3, 5));
            assert_eq!(got.unwrap().to_vec().unwrap(), want, "{n} {segments}");
            let mut result = device.array([segments], &vec![(9, 9); segments]).unwrap();
            let initial = (3, 5);
            algorithms::segmented_reduce_into(
                device,
                &given,
                &offsets,
                composed,
                initial,
                &mut result,
            )
            .unwrap();
            assert_eq!(result.to_vec().unwrap(), want, "{n} {segments}");
        }
    });
}

#[test]
fn offsets_that_are_none() {
    each(&[4], |device, _| {
        let xs = [1u32, 2, 3, 4];
        let reduced = |offsets: &[u32]| {
            let sums = algorithms::segmented_reduce(device, &xs, offsets, |x, y| x + y, 0);
            sums.and_then(|sums| sums.to_vec())
        };
        assert_eq!(reduced(&[1, 3]).unwrap(), [5]);
        assert_eq!(reduced(&[]).unwrap_err().kind(), ErrorKind::Requirement);
        for wrong in [&[0, 3, 2][..], &[4, 0], &[0, 5], &[0, u32::MAX]] {
            let error = reduced(wrong).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Fault, "{wrong:?}");
        }
    });
}
