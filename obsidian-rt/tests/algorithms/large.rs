//! 2^20 + 1 elements: more than one launch folds, and more than one block of carries.

use obsidian_rt::{Device, algorithms};

use crate::common::Random;

const N: usize = (1 << 20) + 1;

#[test]
fn a_million_elements() {
    let device = Device::cpu();
    let mut random = Random::new(20);
    let xs: Vec<u32> = (0..N).map(|_| random.below(1 << 12) as u32).collect();
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
}
