//! The order that `sort` has is that of searches and merges; keys are equal by `==`, and the first of equal ones is given.

use obsidian_rt::{Device, algorithms};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

fn floats() -> Vec<f32> {
    let special = [
        f32::NAN,
        -f32::NAN,
        0.0,
        -0.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
    ];
    let others = (0..60).map(|i: i32| (i * 37 % 23 - 11) as f32 * 0.5);
    others.chain(special).chain(special).collect()
}

fn bits(list: Vec<f32>) -> Vec<u32> {
    list.into_iter().map(f32::to_bits).collect()
}

#[test]
fn what_is_sorted_is_searched_and_merged() {
    let xs = floats();
    let mut want = xs.clone();
    want.sort_by(f32::total_cmp);
    let below = |x: &f32| want.partition_point(|y| y.total_cmp(x).is_lt()) as u32;
    let up_to = |x: &f32| want.partition_point(|y| y.total_cmp(x).is_le()) as u32;
    for d in devices() {
        let sorted = algorithms::sort(&d, &xs).unwrap();
        assert_eq!(bits(sorted.to_vec().unwrap()), bits(want.clone()));
        let lower = algorithms::lower_bound(&d, &sorted, &xs).unwrap();
        assert_eq!(
            lower.to_vec().unwrap(),
            xs.iter().map(below).collect::<Vec<_>>()
        );
        let upper = algorithms::upper_bound(&d, &sorted, &xs).unwrap();
        assert_eq!(
            upper.to_vec().unwrap(),
            xs.iter().map(up_to).collect::<Vec<_>>()
        );
        let merged = algorithms::merge(&d, &sorted, &sorted).unwrap();
        let twice: Vec<f32> = want.iter().flat_map(|x| [*x, *x]).collect();
        assert_eq!(bits(merged.to_vec().unwrap()), bits(twice));
        let numbers: Vec<u32> = (0..xs.len() as u32).collect();
        let (keys, values) =
            algorithms::merge_by_key(&d, (&sorted, &numbers), (&sorted, &numbers)).unwrap();
        let stable: Vec<u32> = {
            let both = want.iter().zip(0u32..).chain(want.iter().zip(0u32..));
            let mut both: Vec<_> = both.collect();
            both.sort_by(|x, y| x.0.total_cmp(y.0));
            both.into_iter().map(|(_, n)| n).collect()
        };
        let twice: Vec<f32> = want.iter().flat_map(|x| [*x, *x]).collect();
        assert_eq!(bits(keys.to_vec().unwrap()), bits(twice));
        assert_eq!(values.to_vec().unwrap(), stable);
        let doubles: Vec<f64> = xs.iter().map(|x| f64::from(*x)).collect();
        let sorted = algorithms::sort(&d, &doubles).unwrap();
        let places = algorithms::lower_bound(&d, &sorted, &[0.0f64, f64::NAN]).unwrap();
        assert_eq!(places.to_vec().unwrap(), [below(&0.0), below(&f32::NAN)]);
    }
}

#[test]
fn the_first_of_equal_keys_is_given() {
    let keys = [-0.0f32, 0.0, 1.0, 0.0, -0.0, f32::NAN, f32::NAN];
    for d in devices() {
        let (found, sums) = algorithms::reduce_by_key(&d, &keys, &[1u32; 7], |x, y| x + y).unwrap();
        let want = [-0.0, 1.0, 0.0, f32::NAN, f32::NAN];
        assert_eq!(bits(found.to_vec().unwrap()), bits(want.to_vec()));
        assert_eq!(sums.to_vec().unwrap(), [2, 1, 2, 1, 1]);
        let unique = algorithms::unique(&d, &keys).unwrap().to_vec().unwrap();
        assert_eq!(bits(unique), bits(want.to_vec()));
        assert!(algorithms::reduce_by_key(&d, &[0u32; 0], &[0u32; 0], |x, y| x + y).is_ok());
        assert_eq!(
            algorithms::arg_min(&d, &[f32::NAN, 0.0, -0.0]).unwrap(),
            Some(1)
        );
        assert_eq!(
            algorithms::min(&d, &[f32::NAN, 0.0, -0.0])
                .unwrap()
                .map(f32::to_bits),
            Some((-0.0f32).to_bits())
        );
    }
}
