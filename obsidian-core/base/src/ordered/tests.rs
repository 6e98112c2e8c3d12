//! Maps and sets beside those of the standard library, by random operations.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;

/// Random numbers below a bound.
fn numbers(seed: u64) -> impl FnMut(u32) -> u32 {
    println!("seed: {seed}");
    let mut random = StdRng::seed_from_u64(seed);
    move |below| random.random_range(0..below)
}

#[test]
fn maps_are_those_of_the_standard_library() {
    let mut number = numbers(26);
    for keys in [1, 2, 7, 40, 1000] {
        let (mut own, mut standard) = (Map::new(), BTreeMap::new());
        for value in 0..2000 {
            let key = number(keys);
            match number(9) {
                0..=2 => assert_eq!(own.insert(key, value), standard.insert(key, value)),
                3 => assert_eq!(own.remove(&key), standard.remove(&key)),
                4 => {
                    *own.entry(key).or_insert(3) += 1;
                    *standard.entry(key).or_insert(3) += 1;
                }
                5 => assert_eq!(own.get(&key), standard.get(&key)),
                6 => assert_eq!(own.get_mut(&key), standard.get_mut(&key)),
                7 => assert_eq!(own.contains_key(&key), standard.contains_key(&key)),
                _ if number(20) == 0 => {
                    own.retain(|one, value| (*one + *value) % 3 > 0);
                    standard.retain(|one, value| (*one + *value) % 3 > 0);
                }
                _ => assert_eq!(own.pop_last(), standard.pop_last()),
            }
            assert!(own.iter().eq(&standard), "{own:?}, {standard:?}");
        }
        let (first, second): (Map<_, _>, BTreeMap<_, _>) = (0..keys).fold(
            (Map::new(), BTreeMap::new()),
            |(mut own, mut standard), value| {
                let key = number(keys);
                own.extend([(key, value)]);
                standard.extend([(key, value)]);
                (own, standard)
            },
        );
        assert_eq!(own.cmp(&first), standard.cmp(&second));
        assert_eq!(own == first, standard == second);
        assert_eq!(format!("{own:?}"), format!("{standard:?}"));
        assert!(own.into_iter().eq(standard));
    }
}

#[test]
fn sets_are_those_of_the_standard_library() {
    let mut number = numbers(27);
    for below in [1, 2, 7, 40, 1000] {
        let (mut own, mut standard) = (Set::new(), BTreeSet::new());
        for _ in 0..2000 {
            let item = number(below);
            match number(6) {
                0..=2 => assert_eq!(own.insert(item), standard.insert(item)),
                3 => assert_eq!(own.remove(&item), standard.remove(&item)),
                4 => assert_eq!(own.contains(&item), standard.contains(&item)),
                _ => assert_eq!(own.pop_last(), standard.pop_last()),
            }
            assert!(own.iter().eq(&standard), "{own:?}, {standard:?}");
            assert_eq!(own.first(), standard.first());
            assert_eq!(own.last(), standard.last());
        }
        let items: Vec<u32> = (0..below.min(60)).map(|_| number(below)).collect();
        let first: Set<u32> = items.iter().copied().collect();
        let second: BTreeSet<u32> = items.iter().copied().collect();
        assert!(first.iter().eq(&second));
        assert_eq!(first, Set::sorted(items));
        assert!(own.intersection(&first).eq(standard.intersection(&second)));
        assert!(own.difference(&first).eq(standard.difference(&second)));
        assert_eq!(own.is_subset(&first), standard.is_subset(&second));
        assert_eq!(own.is_disjoint(&first), standard.is_disjoint(&second));
        assert_eq!(own.cmp(&first), standard.cmp(&second));
        let part: Set<u32> = own.intersection(&first).copied().collect();
        assert!(part.is_subset(&own) && part.is_subset(&first));
    }
}
