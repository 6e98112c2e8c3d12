//! 2^20 + 1 elements: more than one launch folds, and more than one block of carries. And 2^24 + 3, which `OBSIDIAN_LONG=1` adds.

use obsidian_rt::{Device, algorithms};

use crate::common::Random;

#[test]
fn a_million_elements() {
    elements((1 << 20) + 1);
}

#[test]
#[ignore = "long: .ci/run runs it with OBSIDIAN_LONG=1"]
fn sixteen_million_elements() {
    elements((1 << 24) + 3);
}

fn elements(n: usize) {
    let device = Device::cpu();
    let mut random = Random::new(20);
    let xs: Vec<u32> = (0..n).map(|_| random.below(1 << 12) as u32).collect();
    let given = device.upload(&xs).unwrap();
    let sum = xs.iter().fold(0u32, |sum, x| sum.wrapping_add(*x));
    assert_eq!(algorithms::sum(&device, &given).unwrap(), sum);
    let reduced = algorithms::reduce(&device, &given, |x, y| x + y, 7).unwrap();
    assert_eq!(reduced, sum.wrapping_add(7));
    let place = |value: Option<u32>| value.and_then(|value| xs.iter().position(|x| *x == value));
    let largest = xs.iter().copied().max();
    assert_eq!(algorithms::max(&device, &given).unwrap(), largest);
    assert_eq!(
        algorithms::arg_max(&device, &given).unwrap(),
        place(largest)
    );
    let mut before = 0u32;
    let starts: Vec<u32> = xs
        .iter()
        .map(|x| {
            let own = before;
            before = before.wrapping_add(*x);
            own
        })
        .collect();
    let got = algorithms::exclusive_sum(&device, &given).unwrap();
    assert_eq!(got.to_vec().unwrap(), starts);
    let kept: Vec<u32> = xs.iter().copied().filter(|x| x % 3 == 0).collect();
    let got = algorithms::copy_if(&device, &given, |x| (x % 3).eq(0)).unwrap();
    assert_eq!(got.to_vec().unwrap(), kept);
    for bins in [1 << 12, 1 << 13] {
        let mut counts = vec![0u32; bins];
        xs.iter().for_each(|x| counts[*x as usize] += 1);
        let got = algorithms::histogram(&device, &given, bins).unwrap();
        assert_eq!(got.to_vec().unwrap(), counts);
    }
    let squares: Vec<u32> = xs.iter().map(|x| x.wrapping_mul(*x)).collect();
    let got = algorithms::gather(&device, &given, squares.get(..1 << 12).unwrap()).unwrap();
    let want: Vec<u32> = xs.iter().map(|x| squares[*x as usize]).collect();
    assert_eq!(got.to_vec().unwrap(), want);

    // Keys with their places: sorts are stable, runs of equal keys have their sums, the first of the largest is found.
    let keys: Vec<u32> = xs.iter().map(|x| x % 61).collect();
    let places: Vec<u32> = (0..n as u32).collect();
    let mut pairs: Vec<(u32, u32)> = keys.iter().copied().zip(places.iter().copied()).collect();
    pairs.sort();
    let (sorted, at) = algorithms::sort_by_key(&device, &keys, &places).unwrap();
    let found = sorted
        .to_vec()
        .unwrap()
        .into_iter()
        .zip(at.to_vec().unwrap());
    assert!(found.eq(pairs.iter().copied()));
    let mut sums: Vec<(u32, u32)> = Vec::new();
    for (key, place) in &pairs {
        match sums.last_mut().filter(|last| last.0 == *key) {
            Some((_, sum)) => *sum = sum.wrapping_add(*place),
            None => sums.push((*key, *place)),
        }
    }
    let (found, totals) = algorithms::reduce_by_key(&device, &sorted, &at, |x, y| x + y).unwrap();
    assert!(
        found
            .to_vec()
            .unwrap()
            .into_iter()
            .zip(totals.to_vec().unwrap())
            .eq(sums)
    );
    let mut all = xs.clone();
    all.sort_unstable();
    assert_eq!(
        algorithms::sort(&device, &given).unwrap().to_vec().unwrap(),
        all
    );
    // An operator that does not commute: the functions x -> a x + b, one after the other.
    let maps: Vec<(u32, u32)> = xs.iter().map(|x| (x | 1, *x)).collect();
    let after = |f: (u32, u32), g: (u32, u32)| {
        let b = f.1.wrapping_mul(g.0).wrapping_add(g.1);
        (f.0.wrapping_mul(g.0), b)
    };
    let want = maps.iter().copied().fold((1, 0), after);
    let found = algorithms::reduce(&device, &maps, |f, g| (f.0 * g.0, f.1 * g.0 + g.1), (1, 0));
    assert_eq!(found.unwrap(), want);
}
