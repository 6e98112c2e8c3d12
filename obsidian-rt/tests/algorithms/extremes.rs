//! Smallest and largest elements, their numbers, and dot products.

use obsidian_rt::{ErrorKind, algorithms};

use crate::common::{LENGTHS, Random, each};

macro_rules! extremes {
    ($($name:ident $ty:ident;)*) => {$(
        #[test]
        fn $name() {
            each(&LENGTHS, |device, n| {
                let mut random = Random::new(n as u64);
                // Of few values, so that there are equal ones.
                let xs: Vec<$ty> = (0..n).map(|_| (random.below(50) as $ty).wrapping_sub(20)).collect();
                let given = device.upload(&xs).unwrap();
                let min = xs.iter().copied().min();
                let max = xs.iter().copied().max();
                assert_eq!(algorithms::min(device, &given).unwrap(), min, "{n}");
                assert_eq!(algorithms::max(device, &given).unwrap(), max, "{n}");
                let place = |value: Option<$ty>| value.and_then(|value| xs.iter().position(|x| *x == value));
                assert_eq!(algorithms::arg_min(device, &given).unwrap(), place(min), "{n}");
                assert_eq!(algorithms::arg_max(device, &given).unwrap(), place(max), "{n}");
                let dot = xs.iter().fold(0, |sum: $ty, x| sum.wrapping_add(x.wrapping_mul(*x)));
                assert_eq!(algorithms::dot(device, &given, &xs).unwrap(), dot, "{n}");

                let mut one = device.upload(&[7 as $ty]).unwrap();
                algorithms::dot_into(device, &given, &xs, &mut one).unwrap();
                assert_eq!(one.to_vec().unwrap(), [dot]);
                let mut number = device.upload(&[77u32]).unwrap();
                if n == 0 {
                    let error = algorithms::min_into(device, &given, &mut one).unwrap_err();
                    assert_eq!((error.kind(), one.to_vec().unwrap()), (ErrorKind::Requirement, vec![dot]));
                    let error = algorithms::arg_max_into(device, &given, &mut number).unwrap_err();
                    assert_eq!((error.kind(), number.to_vec().unwrap()), (ErrorKind::Requirement, vec![77]));
                    return;
                }
                algorithms::min_into(device, &given, &mut one).unwrap();
                assert_eq!(one.to_vec().unwrap().first().copied(), min);
                algorithms::max_into(device, &given, &mut one).unwrap();
                assert_eq!(one.to_vec().unwrap().first().copied(), max);
                algorithms::arg_min_into(device, &given, &mut number).unwrap();
                assert_eq!(number.to_vec().unwrap().first().map(|n| *n as usize), place(min));
                algorithms::arg_max_into(device, &given, &mut number).unwrap();
                assert_eq!(number.to_vec().unwrap().first().map(|n| *n as usize), place(max));
            });
        }
    )*};
}

extremes! {
    of_u8 u8; of_u16 u16; of_u32 u32; of_u64 u64;
    of_i8 i8; of_i16 i16; of_i32 i32; of_i64 i64;
}

macro_rules! floats {
    ($($name:ident $ty:ident;)*) => {$(
        #[test]
        fn $name() {
            each(&[1, 2, 31, 33, 1000, 65_537], |device, n| {
                for kind in 0..4 {
                    let mut random = Random::new(n as u64 + kind);
                    let xs: Vec<$ty> = (0..n).map(|i| match kind {
                        0 => random.float() as $ty,
                        // NaNs between numbers.
                        1 if i % 3 == 0 => $ty::NAN,
                        2 => $ty::NAN,
                        // Zeros of both signs.
                        3 => if random.below(2) == 0 { 0.0 } else { -0.0 },
                        _ => random.float() as $ty,
                    }).collect();
                    let numbers = || xs.iter().copied().filter(|x| !x.is_nan());
                    let min = numbers().min_by($ty::total_cmp);
                    let max = numbers().max_by($ty::total_cmp);
                    let got = [algorithms::min(device, &xs), algorithms::max(device, &xs)].map(|x| x.unwrap().unwrap());
                    match (min, max) {
                        (Some(min), Some(max)) => assert_eq!(got.map($ty::to_bits), [min, max].map($ty::to_bits), "{n} {kind}"),
                        _ => assert!(got.iter().all(|x| x.is_nan()), "{n} {kind}"),
                    }
                    let place = |value: Option<$ty>| match value {
                        Some(value) => xs.iter().position(|x| *x == value),
                        None => Some(0),
                    };
                    assert_eq!(algorithms::arg_min(device, &xs).unwrap(), place(min), "{n} {kind}");
                    assert_eq!(algorithms::arg_max(device, &xs).unwrap(), place(max), "{n} {kind}");
                }
            });
        }
    )*};
}

floats! {
    of_f32 f32; of_f64 f64;
}

#[test]
fn dot_products_of_floats_have_the_bound_that_is_stated() {
    each(&[0, 1, 1000, 65_537], |device, n| {
        let mut random = Random::new(n as u64);
        let xs: Vec<f64> = (0..n).map(|_| f64::from(random.float() as f32)).collect();
        let ys: Vec<f64> = (0..n).map(|_| f64::from(random.float() as f32)).collect();
        let narrow = |xs: &[f64]| xs.iter().map(|x| *x as f32).collect::<Vec<f32>>();
        let exact: f64 = xs.iter().zip(&ys).map(|(x, y)| x * y).sum();
        let size: f64 = xs.iter().zip(&ys).map(|(x, y)| (x * y).abs()).sum();
        let dot = algorithms::dot(device, &narrow(&xs), &narrow(&ys)).unwrap();
        let bound = 65.0 * f64::from(f32::EPSILON) * size;
        assert!((f64::from(dot) - exact).abs() <= bound, "{n}");
    });
}
