//! Some of the elements.

use obsidian_rt::algorithms;
use obsidian_rt::language::{EI32, EU32};

use crate::common::{LENGTHS, Random, each};

#[test]
fn what_is_kept_is_in_order() {
    each(&LENGTHS, |device, n| {
        for kind in 0..3 {
            let mut random = Random::new(n as u64 + kind);
            let xs: Vec<(i32, u32)> = (0..n as u32)
                .map(|i| match kind {
                    0 => (random.bits() as i32, i),
                    1 => (1, i),
                    _ => (-1, i),
                })
                .collect();
            let flags: Vec<bool> = xs.iter().map(|x| x.0 > 0).collect();
            let (kept, left): (Vec<_>, Vec<_>) = xs.iter().partition(|x| x.0 > 0);
            let given = device.array([n], &xs).unwrap();
            let p = |x: (EI32, EU32)| x.0.gt(0);
            let got = algorithms::copy_if(device, &given, p).unwrap();
            assert_eq!(
                (got.len(), got.to_vec().unwrap()),
                (kept.len(), kept.clone())
            );
            let got = algorithms::copy_flagged(device, &given, &flags).unwrap();
            assert_eq!(got.to_vec().unwrap(), kept);
            let (first, second) = algorithms::partition(device, &given, p).unwrap();
            assert_eq!(
                (first.to_vec().unwrap(), second.to_vec().unwrap()),
                (kept.clone(), left)
            );
            assert_eq!(algorithms::count_if(device, &given, p).unwrap(), kept.len());
        }
    });
}

macro_rules! unique {
    ($($name:ident $ty:ident;)*) => {$(
        #[test]
        fn $name() {
            each(&LENGTHS, |device, n| {
                for values in [1, 3, 100] {
                    let mut random = Random::new(n as u64 + values);
                    let xs: Vec<$ty> = (0..n).map(|_| random.below(values) as $ty).collect();
                    let mut want = xs.clone();
                    want.dedup();
                    assert_eq!(algorithms::unique(device, &xs).unwrap().to_vec().unwrap(), want);
                    // Of single numbers, all but the condition is compiled ahead.
                    let mut want = xs.clone();
                    want.retain(|x| *x != (1 as $ty));
                    let got = algorithms::copy_if(device, &xs, |x| x.ne(1 as $ty)).unwrap();
                    assert_eq!(got.to_vec().unwrap(), want);
                    let few = algorithms::copy_if(device, &xs, |x| x.eq(1 as $ty)).unwrap();
                    assert_eq!(few.len(), n - want.len());
                }
            });
        }
    )*};
}

unique! {
    unique_u8 u8; unique_u32 u32; unique_u64 u64; unique_i16 i16; unique_f64 f64;
}

#[test]
fn unique_keeps_every_nan_and_the_first_zero() {
    each(&[5], |device, _| {
        let xs = [f32::NAN, f32::NAN, -0.0, 0.0, 1.0];
        let got = algorithms::unique(device, &xs).unwrap().to_vec().unwrap();
        assert_eq!(got.len(), 4);
        assert!(got.iter().take(2).all(|x| x.is_nan()));
        assert_eq!(got.get(2).map(|x| x.to_bits()), Some((-0.0f32).to_bits()));
    });
}
