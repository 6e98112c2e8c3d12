//! A function of each element.

use obsidian_rt::algorithms;
use obsidian_rt::language::{EU32, lit, select, seq_until};

use crate::common::{LENGTHS, Random, each};

#[test]
fn map_has_a_result_for_each_element() {
    each(&LENGTHS, |device, n| {
        let mut random = Random::new(n as u64);
        let xs: Vec<u64> = (0..n).map(|_| random.bits()).collect();
        let want: Vec<(u64, bool)> = xs.iter().map(|x| (x.wrapping_mul(3), x % 2 == 0)).collect();
        let f = |x: obsidian_rt::language::EU64| (x * 3, (x % 2).eq(0));
        let given = device.upload(&xs).unwrap();
        let made = algorithms::map(device, &given, f).unwrap();
        assert_eq!((made.len(), made.to_vec().unwrap()), (n, want.clone()));
        let mut result = device.array([n], &vec![(77u64, true); n]).unwrap();
        algorithms::map_into(device, &given, f, &mut result).unwrap();
        assert_eq!(result.to_vec().unwrap(), want);
        // Into two buffers.
        let (mut a, mut b) = (
            device.upload(&vec![5u64; n]).unwrap(),
            device.upload(&vec![true; n]).unwrap(),
        );
        algorithms::map_into(device, &given, f, (&mut a, &mut b)).unwrap();
        let both: Vec<_> = a
            .to_vec()
            .unwrap()
            .into_iter()
            .zip(b.to_vec().unwrap())
            .collect();
        assert_eq!(both, want);
    });
}

#[test]
fn an_element_may_be_a_loop() {
    let steps = |x: EU32| {
        let next = |(n, x): (EU32, EU32)| (n + 1, select((x % 2).eq(0), x / 2, x * 3 + 1));
        seq_until(next, |(_, x): (EU32, EU32)| x.gt(1), (lit(0u32), x)).map(|(n, _)| n)
    };
    each(&[0, 1, 33, 1000], |device, n| {
        let xs: Vec<u32> = (1..=n as u32).collect();
        let collatz = |mut x: u32| {
            let mut n = 0;
            while x > 1 {
                x = if x.is_multiple_of(2) {
                    x / 2
                } else {
                    x * 3 + 1
                };
                n += 1;
            }
            n
        };
        let want: Vec<u32> = xs.iter().map(|x| collatz(*x)).collect();
        assert_eq!(
            algorithms::map(device, &xs, steps)
                .unwrap()
                .to_vec()
                .unwrap(),
            want
        );
    });
}

#[test]
fn zip_map_takes_two_types() {
    each(&LENGTHS, |device, n| {
        let mut random = Random::new(n as u64);
        let xs: Vec<i32> = (0..n).map(|_| random.bits() as i32).collect();
        let ys: Vec<bool> = (0..n).map(|_| random.below(2) == 1).collect();
        let want: Vec<i32> = xs
            .iter()
            .zip(&ys)
            .map(|(x, y)| if *y { !x } else { *x })
            .collect();
        let f = |x: obsidian_rt::language::EI32, y| select(y, !x, x);
        assert_eq!(
            algorithms::zip_map(device, &xs, &ys, f)
                .unwrap()
                .to_vec()
                .unwrap(),
            want
        );
        let mut result = device.upload(&vec![99i32; n]).unwrap();
        algorithms::zip_map_into(device, &xs, &ys, f, &mut result).unwrap();
        assert_eq!(result.to_vec().unwrap(), want);
    });
}
