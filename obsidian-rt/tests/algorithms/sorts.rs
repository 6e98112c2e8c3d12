//! Sorts.

use obsidian_rt::algorithms;

use crate::common::{Random, each};

/// A pass of a sort is three launches, so that the simulator has less time for each.
const LENGTHS: [usize; 7] = [0, 1, 2, 31, 33, 1000, 8193];

/// Random elements of few and of many values, equal ones, ascending and descending ones.
fn inputs(n: usize, kind: u64) -> Vec<u64> {
    let mut random = Random::new(n as u64 + kind);
    (0..n as u64)
        .map(|i| match kind {
            0 => random.bits(),
            1 => random.below(5),
            2 => 7,
            3 => i,
            _ => u64::MAX - i,
        })
        .collect()
}

macro_rules! integers {
    ($($name:ident $ty:ident;)*) => {$(
        #[test]
        fn $name() {
            each(&LENGTHS, |device, n| {
                for kind in 0..5 {
                    let xs: Vec<$ty> = inputs(n, kind).into_iter().map(|x| x as $ty).collect();
                    let given = device.upload(&xs).unwrap();
                    let mut want = xs.clone();
                    want.sort_unstable();
                    assert_eq!(algorithms::sort(device, &given).unwrap().to_vec().unwrap(), want, "{n} {kind}");
                    if kind > 1 {
                        continue;
                    }
                    let mut result = device.upload(&vec![99 as $ty; n]).unwrap();
                    algorithms::sort_into(device, &given, &mut result).unwrap();
                    assert_eq!(result.to_vec().unwrap(), want, "{n} {kind}");
                    // Stable: the values are the numbers.
                    let mut pairs: Vec<($ty, u32)> = xs.iter().copied().zip(0..).collect();
                    let numbers: Vec<u32> = (0..n as u32).collect();
                    pairs.sort_by_key(|pair| pair.0);
                    let (keys, values) = algorithms::sort_by_key(device, &given, &numbers).unwrap();
                    let got: Vec<_> = keys.to_vec().unwrap().into_iter().zip(values.to_vec().unwrap()).collect();
                    assert_eq!(got, pairs, "{n} {kind}");
                    let mut pairs: Vec<($ty, u32)> = xs.iter().copied().zip(0..).collect();
                    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.0));
                    for k in [0, 3, n + 1] {
                        let (largest, numbers) = algorithms::top_k(device, &given, k).unwrap();
                        let got: Vec<_> = largest.to_vec().unwrap().into_iter().zip(numbers.to_vec().unwrap()).collect();
                        let want: Vec<_> = pairs.iter().copied().take(k).collect();
                        assert_eq!(got, want, "{n} {kind} {k}");
                    }
                }
            });
        }
    )*};
}

integers! {
    of_u8 u8; of_u16 u16; of_u32 u32; of_i8 i8; of_i16 i16; of_i32 i32;
}

#[test]
fn of_64_bits() {
    each(&[0, 1, 33, 1000], |device, n| {
        let xs = inputs(n, 0);
        let signed: Vec<i64> = xs.iter().map(|x| *x as i64).collect();
        let mut want = (xs.clone(), signed.clone());
        want.0.sort_unstable();
        want.1.sort_unstable();
        assert_eq!(
            algorithms::sort(device, &xs).unwrap().to_vec().unwrap(),
            want.0
        );
        assert_eq!(
            algorithms::sort(device, &signed).unwrap().to_vec().unwrap(),
            want.1
        );
        want.0.reverse();
        let (largest, _) = algorithms::top_k(device, &xs, 10).unwrap();
        assert_eq!(largest.to_vec().unwrap(), want.0.get(..n.min(10)).unwrap());
    });
}

macro_rules! floats {
    ($($name:ident $ty:ident;)*) => {$(
        #[test]
        fn $name() {
            each(&[0, 1, 2, 33, 1000], |device, n| {
                let mut random = Random::new(n as u64);
                let special = [0.0, -0.0, $ty::NAN, -$ty::NAN, $ty::INFINITY, -$ty::INFINITY, $ty::MIN_POSITIVE / 2.0];
                let xs: Vec<$ty> = (0..n)
                    .map(|i| match special.get(i % 20) {
                        Some(special) => *special,
                        None => random.float() as $ty,
                    })
                    .collect();
                let bits = |xs: Vec<$ty>| xs.into_iter().map($ty::to_bits).collect::<Vec<_>>();
                let mut want = xs.clone();
                want.sort_by($ty::total_cmp);
                let got = algorithms::sort(device, &xs).unwrap().to_vec().unwrap();
                assert_eq!(bits(got), bits(want), "{n}");
                let mut pairs: Vec<($ty, u32)> = xs.iter().copied().zip(0..).collect();
                pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
                let (largest, numbers) = algorithms::top_k(device, &xs, 50).unwrap();
                let (want, places): (Vec<$ty>, Vec<u32>) = pairs.into_iter().take(50).unzip();
                assert_eq!((bits(largest.to_vec().unwrap()), numbers.to_vec().unwrap()), (bits(want), places), "{n}");
            });
        }
    )*};
}

floats! {
    of_f32 f32; of_f64 f64;
}

#[test]
fn tuples_by_their_first_parts() {
    each(&[0, 1, 33, 1000], |device, n| {
        let mut random = Random::new(n as u64);
        let xs: Vec<(bool, i16)> = (0..n)
            .map(|_| (random.below(2) == 1, random.bits() as i16))
            .collect();
        let mut want = xs.clone();
        want.sort_unstable();
        let given = device.array([n], &xs).unwrap();
        assert_eq!(
            algorithms::sort(device, &given).unwrap().to_vec().unwrap(),
            want
        );
    });
}
