//! Sorted arrays.

use obsidian_rt::algorithms;

use crate::common::{LENGTHS, Random, each};

macro_rules! sorted {
    ($($name:ident $ty:ident;)*) => {$(
        #[test]
        fn $name() {
            each(&LENGTHS, |device, n| {
                for (values, m) in [(1, 40), (9, 0), (200, n / 2 + 1)] {
                    let mut random = Random::new(n as u64 + values);
                    let mut of = |n: usize| {
                        let mut xs: Vec<$ty> = (0..n).map(|_| random.below(values) as $ty).collect();
                        xs.sort_by(|x, y| x.partial_cmp(y).unwrap());
                        xs
                    };
                    let (xs, ys) = (of(n), of(m));
                    let below: Vec<u32> = ys.iter().map(|y| xs.partition_point(|x| x < y) as u32).collect();
                    let up_to: Vec<u32> = ys.iter().map(|y| xs.partition_point(|x| x <= y) as u32).collect();
                    assert_eq!(algorithms::lower_bound(device, &xs, &ys).unwrap().to_vec().unwrap(), below);
                    assert_eq!(algorithms::upper_bound(device, &xs, &ys).unwrap().to_vec().unwrap(), up_to);
                    let mut result = device.upload(&vec![99u32; m]).unwrap();
                    algorithms::lower_bound_into(device, &xs, &ys, &mut result).unwrap();
                    assert_eq!(result.to_vec().unwrap(), below);
                    algorithms::upper_bound_into(device, &xs, &ys, &mut result).unwrap();
                    assert_eq!(result.to_vec().unwrap(), up_to);

                    let mut want: Vec<($ty, u32)> = xs.iter().copied().zip(0..).chain(ys.iter().copied().zip(1_000_000..)).collect();
                    want.sort_by(|x, y| x.0.partial_cmp(&y.0).unwrap());
                    let (keys, along): (Vec<$ty>, Vec<u32>) = want.into_iter().unzip();
                    assert_eq!(algorithms::merge(device, &xs, &ys).unwrap().to_vec().unwrap(), keys, "{n} {m}");
                    let mut result = device.upload(&vec![99 as $ty; n + m]).unwrap();
                    algorithms::merge_into(device, &xs, &ys, &mut result).unwrap();
                    assert_eq!(result.to_vec().unwrap(), keys);
                    let numbers = |first: u32, n: usize| (first..).take(n).collect::<Vec<u32>>();
                    let (first, second) = (numbers(0, n), numbers(1_000_000, m));
                    let (own, others) = ((&xs, &first), (&ys, &second));
                    let (got, values) = algorithms::merge_by_key(device, own, others).unwrap();
                    assert_eq!((got.to_vec().unwrap(), values.to_vec().unwrap()), (keys, along), "{n} {m}");
                }
            });
        }
    )*};
}

sorted! {
    of_u32 u32; of_i8 i8; of_u64 u64; of_f32 f32; of_f64 f64;
}

#[test]
fn zeros_and_nan_are_where_sort_has_them() {
    each(&[3], |device, _| {
        let sorted = [-0.0f32, 0.0, 1.0];
        let values = [0.0, -0.0, f32::NAN, f32::INFINITY];
        let got = algorithms::lower_bound(device, &sorted, &values).unwrap();
        assert_eq!(got.to_vec().unwrap(), [1, 0, 3, 3]);
        let got = algorithms::upper_bound(device, &sorted, &values).unwrap();
        assert_eq!(got.to_vec().unwrap(), [2, 1, 3, 3]);
    });
}

/// What is not sorted gives elements of both arrays, and no fault.
#[test]
fn arrays_that_are_not_sorted_do_no_harm() {
    each(&[1000], |device, n| {
        let mut random = Random::new(5);
        let xs: Vec<u32> = (0..n).map(|_| random.below(1000) as u32).collect();
        let merged = algorithms::merge(device, &xs, &xs)
            .unwrap()
            .to_vec()
            .unwrap();
        assert_eq!(merged.len(), 2 * n);
        assert!(merged.iter().all(|x| xs.contains(x)));
        let places = algorithms::lower_bound(device, &xs, &xs)
            .unwrap()
            .to_vec()
            .unwrap();
        assert!(places.iter().all(|place| *place as usize <= n));
    });
}
