//! Sorts, places, loops and choices in modules: what the macro makes of them is what the library makes while the program runs.

use obsidian_rt::arrays::ArrayProgram;
use obsidian_rt::prelude::*;

use super::module::{agree, holds};

#[kernels]
mod order {
    #[arrays]
    pub fn sorted(
        xs: Arr1<(EF32, EU32)>,
        bytes: Arr1<EI8>,
    ) -> (Arr1<(EF32, EU32)>, Arr1<EI8>, Arr1<EU32>) {
        let by_key = xs.sort_by_key(|(key, _)| key);
        (
            by_key,
            bytes.sort(),
            xs.map(|(_, x)| x).sort_by_bits(9, |x| x + 1),
        )
    }

    /// How often each of some keys is there, and the last one of each.
    #[arrays]
    pub fn counted(keys: Arr1<EU32>, xs: Arr1<EF32>) -> (Arr1<EU32>, Arr1<EF32>, Arr1<EF32>) {
        let ones = keys.map(|_| 1);
        let counts = ones.permute(|x, y| x + y, fill(10, 0), |i, _| (true, keys[i] % 10));
        let sums = xs.permute(|x, y| x + y, fill(10, 0.5), |i, x| (x > 0.0, keys[i] % 10));
        let last = xs.scatter(keys.map(|key| key % 10), fill(10, -1.0));
        (counts, sums, last)
    }

    #[arrays]
    pub fn several(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.expand(|x| x % 4, |x, j| x * 10 + j)
    }

    /// What is outside depends on the place.
    #[arrays]
    pub fn around(m: Arr2<EF32>, xs: Arr1<EI32>) -> (Arr2<EF32>, Arr1<EI32>) {
        (
            m.stencil(Function(|(y, x)| (y * 100 + x) as f32), |w| {
                w.at((-2, 1)) + w.at((0, -3))
            }),
            xs.stencil(Function(|i| i), |w| w.at(-1) * 3 + w.at(2)),
        )
    }

    #[arrays]
    pub fn heat(n: EU32, xs: Arr1<EF32>) -> Arr1<EF32> {
        power(n, xs, |xs| {
            xs.stencil(Clamp, |w| {
                w.at(0) + 0.25 * (w.at(-1) - 2.0 * w.at(0) + w.at(1))
            })
        })
    }

    /// The rounds of Newton's method that all elements need, and the roots.
    #[arrays]
    pub fn roots(xs: Arr1<EF32>) -> (Arr1<EF32>, Arr0<EU32>) {
        let far = |ys: Arr1<EF32>| zip_with(|x, y| (y * y - x).abs() > 0.001 * x, xs, ys).any();
        awhile(
            (xs, unit(0u32)),
            |(ys, _)| far(ys),
            |(ys, n)| {
                let next = zip_with(|x, y| (y + x / y) * 0.5, xs, ys);
                (next, n.map(|n| n + 1))
            },
        )
    }

    #[arrays]
    pub fn chosen(xs: Arr1<EU32>, limit: EU32) -> Arr1<EU32> {
        if_then(
            xs.sum().map(|sum| sum > limit),
            || xs.sort(),
            || power(3, xs, |ys| ys.map(|y| y + 1)),
        )
    }

    /// Literals of which only the other arm, and the array before a loop, tell the types.
    #[arrays]
    pub fn told(xs: Arr1<EI64>, up: EBool) -> Arr1<EI64> {
        let n = xs.len();
        let chosen = if_then(unit(up), || fill(n, 7), || xs);
        power(2, chosen, |ys| zip_with(|y, x| y + x, ys, fill(n, 1)))
    }
}

#[test]
fn the_macro_makes_what_the_library_makes() {
    macro_rules! all {
        ($($name:ident)*) => {$(
            holds(order::$name::program(), ArrayProgram::build(stringify!($name), order::$name));
        )*};
    }
    all! { sorted counted several around heat roots chosen told }
}

#[test]
fn results_are_those_of_plain_rust() {
    for n in [0usize, 1, 2, 33, 1000, 9001] {
        let keys: Vec<u32> = (0..n as u32)
            .map(|i| i.wrapping_mul(2_654_435_769) >> 9)
            .collect();
        let xs: Vec<f32> = keys.iter().map(|key| (key % 17) as f32 - 5.0).collect();
        let pairs: Vec<(f32, u32)> = xs.iter().copied().zip(keys.iter().copied()).collect();
        let bytes: Vec<i8> = keys.iter().map(|key| *key as i8).collect();
        let found = agree(|d| {
            let (pairs, bytes) = (d.array([n], &pairs)?, d.array([n], &bytes)?);
            let (by_key, bytes, bits) = order::sorted::run(d, &pairs, &bytes)?;
            Ok((by_key.to_vec()?, bytes.to_vec()?, bits.to_vec()?))
        });
        let (mut by_key, mut in_order, mut by_bits) = (pairs.clone(), bytes.clone(), keys.clone());
        by_key.sort_by(|x, y| x.0.total_cmp(&y.0));
        in_order.sort();
        by_bits.sort_by_key(|x| (x + 1) % 512);
        assert_eq!(found, (by_key, in_order, by_bits), "{n}");

        let (mut counts, mut sums, mut last) = ([0u32; 10], [0.5f64; 10], [-1f32; 10]);
        for (key, x) in keys.iter().zip(&xs) {
            let at = (key % 10) as usize;
            counts[at] += 1;
            sums[at] += f64::from(x.max(0.0));
            last[at] = *x;
        }
        let found = agree(|d| {
            let (keys, xs) = (d.array([n], &keys)?, d.array([n], &xs)?);
            let (counts, sums, last) = order::counted::run(d, &keys, &xs)?;
            Ok((counts.to_vec()?, sums.to_vec()?, last.to_vec()?))
        });
        assert_eq!(
            (&found.0[..], &found.2[..]),
            (&counts[..], &last[..]),
            "{n}"
        );
        // Small whole numbers and a half: exact.
        assert_eq!(found.1, sums.map(|sum| sum as f32), "{n}");

        let found = agree(|d| order::several::run(d, &d.array([n], &keys)?)?.to_vec());
        let want = keys
            .iter()
            .flat_map(|x| (0..x % 4).map(move |j| x.wrapping_mul(10).wrapping_add(j)));
        assert_eq!(found, want.collect::<Vec<u32>>(), "{n}");

        let found = agree(|d| {
            let (roots, rounds) = order::roots::run(d, &d.array([n], &vec![4.0f32; n])?)?;
            Ok((roots.to_vec()?, rounds.value()?))
        });
        assert_eq!(found.1, if n == 0 { 0 } else { 3 }, "{n}");
        assert!(found.0.iter().all(|root| (root - 2.0).abs() < 1e-3), "{n}");

        let few: Vec<u32> = keys.iter().map(|key| key % 100).collect();
        for limit in [0, u32::MAX] {
            let found = agree(|d| order::chosen::run(d, &d.array([n], &few)?, limit)?.to_vec());
            let mut want = few.clone();
            match want.iter().sum::<u32>() > limit {
                true => want.sort(),
                false => want.iter_mut().for_each(|x| *x += 3),
            }
            assert_eq!(found, want, "{n} {limit}");
        }

        let wide: Vec<i64> = keys.iter().map(|key| i64::from(*key) << 20).collect();
        for up in [false, true] {
            let found = agree(|d| order::told::run(d, &d.array([n], &wide)?, up)?.to_vec());
            let own = |x: &i64| if up { 9 } else { x + 2 };
            assert_eq!(
                found,
                wide.iter().map(own).collect::<Vec<i64>>(),
                "{n} {up}"
            );
        }

        let found = agree(|d| order::heat::run(d, 5, &d.array([n], &xs)?)?.to_vec());
        let mut want = xs.clone();
        for _ in 0..5 {
            let at = |i: usize, by: isize| want[i.saturating_add_signed(by).min(n - 1)];
            want = (0..n)
                .map(|i| at(i, 0) + 0.25 * (at(i, -1) - 2.0 * at(i, 0) + at(i, 1)))
                .collect();
        }
        assert_eq!(found, want, "{n}");
    }
    for (h, w) in [(0, 3), (1, 1), (3, 5), (33, 31)] {
        let m: Vec<f32> = (0..h * w).map(|i| (i % 13) as f32).collect();
        let xs: Vec<i32> = (0..h as i32).map(|i| i * 7 % 5).collect();
        let found = agree(|d| {
            let (m, xs) = (d.array([h, w], &m)?, d.array([h], &xs)?);
            let (m, xs) = order::around::run(d, &m, &xs)?;
            Ok((m.to_vec()?, xs.to_vec()?))
        });
        let (height, width) = (h as i32, w as i32);
        let at = |y: i32, x: i32| match (0..height).contains(&y) && (0..width).contains(&x) {
            true => m[(y * width + x) as usize],
            false => (y * 100 + x) as f32,
        };
        let one = |i: i32| xs.get(i as usize).copied().unwrap_or(i);
        let each = (0..height).flat_map(|y| (0..width).map(move |x| (y, x)));
        let want: Vec<f32> = each.map(|(y, x)| at(y - 2, x + 1) + at(y, x - 3)).collect();
        let line: Vec<i32> = (0..height).map(|i| one(i - 1) * 3 + one(i + 2)).collect();
        assert_eq!(found, (want, line), "{h} {w}");
    }
}
