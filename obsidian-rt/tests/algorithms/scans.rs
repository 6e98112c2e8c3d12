//! Scans.

use obsidian_rt::algorithms;
use obsidian_rt::language::EU32;

use crate::common::{LENGTHS, Random, each};

macro_rules! sums {
    ($($name:ident $ty:ident;)*) => {$(
        #[test]
        fn $name() {
            each(&LENGTHS, |device, n| {
                let mut random = Random::new(n as u64);
                let xs: Vec<$ty> = (0..n).map(|_| random.bits() as $ty).collect();
                let (mut sum, mut inclusive, mut exclusive) = (0 as $ty, Vec::new(), Vec::new());
                for x in &xs {
                    exclusive.push(sum);
                    sum = sum.wrapping_add(*x);
                    inclusive.push(sum);
                }
                let given = device.upload(&xs).unwrap();
                assert_eq!(algorithms::inclusive_sum(device, &given).unwrap().to_vec().unwrap(), inclusive);
                assert_eq!(algorithms::exclusive_sum(device, &given).unwrap().to_vec().unwrap(), exclusive);
                let mut result = device.upload(&vec![99 as $ty; n]).unwrap();
                algorithms::inclusive_sum_into(device, &given, &mut result).unwrap();
                assert_eq!(result.to_vec().unwrap(), inclusive);
                algorithms::exclusive_sum_into(device, &given, &mut result).unwrap();
                assert_eq!(result.to_vec().unwrap(), exclusive);
            });
        }
    )*};
}

sums! {
    sums_of_u8 u8; sums_of_u16 u16; sums_of_u32 u32; sums_of_u64 u64;
    sums_of_i8 i8; sums_of_i16 i16; sums_of_i32 i32; sums_of_i64 i64;
}

#[test]
fn sums_of_floats_have_the_bound_that_is_stated() {
    each(&[0, 1, 1000, 65_537], |device, n| {
        let mut random = Random::new(n as u64);
        let xs: Vec<f32> = (0..n).map(|_| random.float() as f32).collect();
        let sums = algorithms::inclusive_sum(device, &xs)
            .unwrap()
            .to_vec()
            .unwrap();
        let starts = algorithms::exclusive_sum(device, &xs)
            .unwrap()
            .to_vec()
            .unwrap();
        let (mut exact, mut size) = (0.0f64, 0.0f64);
        assert_eq!((sums.len(), starts.len()), (n, n));
        for ((x, sum), start) in xs.iter().zip(&sums).zip(&starts) {
            let bound = |size: f64| 64.0 * f64::from(f32::EPSILON) * size;
            assert!((f64::from(*start) - exact).abs() <= bound(size));
            exact += f64::from(*x);
            size += f64::from(x.abs());
            assert!((f64::from(*sum) - exact).abs() <= bound(size));
        }
        let closure = algorithms::inclusive_scan(device, &xs, |x, y| x + y).unwrap();
        let bits = |xs: &[f32]| xs.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&closure.to_vec().unwrap()), bits(&sums));
    });
}

type Matrix = (u32, u32, u32, u32);

fn product((a, b, c, d): Matrix, (e, f, g, h): Matrix) -> Matrix {
    let dot = |x: u32, y: u32, z: u32, w: u32| x.wrapping_mul(y).wrapping_add(z.wrapping_mul(w));
    (
        dot(a, e, b, g),
        dot(a, f, b, h),
        dot(c, e, d, g),
        dot(c, f, d, h),
    )
}

type EMatrix = (EU32, EU32, EU32, EU32);

fn on_device((a, b, c, d): EMatrix, (e, f, g, h): EMatrix) -> EMatrix {
    (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
}

/// 2 x 2 matrices do not commute, and the first one is not neutral.
#[test]
fn scans_keep_the_order() {
    each(&LENGTHS, |device, n| {
        let mut random = Random::new(n as u64);
        let mut number = || random.bits() as u32;
        let xs: Vec<Matrix> = (0..n)
            .map(|_| (number(), number(), number(), number()))
            .collect();
        let flags: Vec<bool> = (0..n).map(|i| i % 7 == 3 || i % 1000 == 900).collect();
        let initial = (3, 1, 4, 1);
        let (mut inclusive, mut exclusive, mut in_segments, mut behind) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut all, mut all_behind, mut own, mut own_behind) = (None, initial, None, initial);
        for (x, begins) in xs.iter().zip(&flags) {
            if *begins {
                (own, own_behind) = (None, initial);
            }
            exclusive.push(all_behind);
            behind.push(own_behind);
            (all_behind, own_behind) = (product(all_behind, *x), product(own_behind, *x));
            let next = |before: Option<Matrix>| before.map_or(*x, |before| product(before, *x));
            (all, own) = (Some(next(all)), Some(next(own)));
            inclusive.extend(all);
            in_segments.extend(own);
        }
        let given = device.array([n], &xs).unwrap();
        let got = algorithms::inclusive_scan(device, &given, on_device).unwrap();
        assert_eq!(got.to_vec().unwrap(), inclusive, "{n}");
        let got = algorithms::exclusive_scan(device, &given, on_device, initial).unwrap();
        assert_eq!(got.to_vec().unwrap(), exclusive, "{n}");
        let got = algorithms::segmented_inclusive_scan(device, &given, &flags, on_device).unwrap();
        assert_eq!(got.to_vec().unwrap(), in_segments, "{n}");
        let got = algorithms::segmented_exclusive_scan(device, &given, &flags, on_device, initial)
            .unwrap();
        assert_eq!(got.to_vec().unwrap(), behind, "{n}");

        let mut result = device.array([n], &vec![(9, 9, 9, 9); n]).unwrap();
        algorithms::inclusive_scan_into(device, &given, on_device, &mut result).unwrap();
        assert_eq!(result.to_vec().unwrap(), inclusive, "{n}");
        algorithms::exclusive_scan_into(device, &given, on_device, initial, &mut result).unwrap();
        assert_eq!(result.to_vec().unwrap(), exclusive, "{n}");
        algorithms::segmented_inclusive_scan_into(device, &given, &flags, on_device, &mut result)
            .unwrap();
        assert_eq!(result.to_vec().unwrap(), in_segments, "{n}");
        algorithms::segmented_exclusive_scan_into(
            device,
            &given,
            &flags,
            on_device,
            initial,
            &mut result,
        )
        .unwrap();
        assert_eq!(result.to_vec().unwrap(), behind, "{n}");
    });
}
