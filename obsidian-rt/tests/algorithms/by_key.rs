//! Runs of equal keys.

use obsidian_rt::algorithms;
use obsidian_rt::language::EU32;

use crate::common::{LENGTHS, Random, each};

/// Affine maps: they do not commute.
type Map = (u32, u32);

fn then((a, b): Map, (c, d): Map) -> Map {
    (a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d))
}

fn on_device((a, b): (EU32, EU32), (c, d): (EU32, EU32)) -> (EU32, EU32) {
    (a * c, b * c + d)
}

/// Keys of several kinds: random runs, all equal, all different, alternating.
fn keys(kind: u64, n: usize) -> Vec<(u32, bool)> {
    let mut random = Random::new(kind + n as u64);
    let mut key = 0;
    (0..n as u32)
        .map(|i| match kind {
            0 => {
                key += u32::from(random.below(5) == 0);
                (key % 7, key.is_multiple_of(2))
            }
            1 => (4, true),
            2 => (i, false),
            _ => (1, i.is_multiple_of(2)),
        })
        .collect()
}

#[test]
fn runs_of_equal_keys() {
    each(&LENGTHS, |device, n| {
        for kind in 0..4 {
            let keys = keys(kind, n);
            let mut random = Random::new(n as u64);
            let values: Vec<Map> = (0..n)
                .map(|_| (random.bits() as u32, random.bits() as u32))
                .collect();
            let initial = (5, 6);
            let (mut runs, mut inclusive, mut exclusive): (
                Vec<((u32, bool), Map)>,
                Vec<Map>,
                Vec<Map>,
            ) = Default::default();
            let mut behind = initial;
            for (i, (key, value)) in keys.iter().zip(&values).enumerate() {
                match runs.last_mut() {
                    Some((last, sum)) if last == key => *sum = then(*sum, *value),
                    _ => {
                        runs.push((*key, *value));
                        behind = initial;
                    }
                }
                exclusive.push(behind);
                behind = then(behind, *value);
                inclusive.extend(runs.last().map(|run| run.1));
                assert_eq!(inclusive.len(), i + 1);
            }
            let (given, along) = (
                device.array([n], &keys).unwrap(),
                device.array([n], &values).unwrap(),
            );
            let (some, sums) =
                algorithms::reduce_by_key(device, &given, &along, on_device).unwrap();
            let got: Vec<_> = some
                .to_vec()
                .unwrap()
                .into_iter()
                .zip(sums.to_vec().unwrap())
                .collect();
            assert_eq!(
                (some.len(), sums.len(), got),
                (runs.len(), runs.len(), runs),
                "{n} {kind}"
            );
            let got = algorithms::inclusive_scan_by_key(device, &given, &along, on_device).unwrap();
            assert_eq!(got.to_vec().unwrap(), inclusive, "{n} {kind}");
            let got = algorithms::exclusive_scan_by_key(device, &given, &along, on_device, initial)
                .unwrap();
            assert_eq!(got.to_vec().unwrap(), exclusive, "{n} {kind}");
            let mut result = device.array([n], &vec![(9, 9); n]).unwrap();
            algorithms::inclusive_scan_by_key_into(device, &given, &along, on_device, &mut result)
                .unwrap();
            assert_eq!(result.to_vec().unwrap(), inclusive, "{n} {kind}");
            algorithms::exclusive_scan_by_key_into(
                device,
                &given,
                &along,
                on_device,
                initial,
                &mut result,
            )
            .unwrap();
            assert_eq!(result.to_vec().unwrap(), exclusive, "{n} {kind}");
        }
    });
}

#[test]
fn nan_is_a_run_of_its_own_and_the_first_of_equal_zeros_is_the_key() {
    each(&[6], |device, _| {
        let keys = [f32::NAN, f32::NAN, 0.0, -0.0, 1.0, 1.0];
        let values = [1u32, 2, 4, 8, 16, 32];
        let (keys, sums) = algorithms::reduce_by_key(device, &keys, &values, |x, y| x + y).unwrap();
        assert_eq!(sums.to_vec().unwrap(), [1, 2, 12, 48]);
        let keys: Vec<u32> = keys
            .to_vec()
            .unwrap()
            .into_iter()
            .map(f32::to_bits)
            .collect();
        assert!(keys.iter().take(2).all(|key| f32::from_bits(*key).is_nan()));
        assert_eq!(
            keys.get(2..),
            Some([0.0f32.to_bits(), 1.0f32.to_bits()].as_slice())
        );
    });
}
