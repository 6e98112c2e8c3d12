//! Arrays that functions of elements make, in `#[arrays]` functions and in programs of any type, beside plain Rust: there an array's elements are evaluated for
//! their type while it is made, and may make arrays themselves.

use obsidian_rt::arrays::{AnyArray, AnyElement, AnyProgram, generate};
use obsidian_rt::language::{EI32, EU32, lit};
use obsidian_rt::prelude::*;
use obsidian_rt::{ErrorKind, ScalarType};

use super::in_order::devices;

#[kernels]
mod whole {
    #[arrays]
    pub fn nearest(xs: Arr1<EF32>, ys: Arr1<EF32>) -> (Arr1<EF32>, Arr1<EU32>) {
        let square = xs.map(|x| ys.map(|y| (x - y) * (x - y)).min().the());
        (
            square,
            xs.map(|x| ys.map(|y| (x - y).abs()).arg_min().the()),
        )
    }

    /// What a filter keeps is counted, and folded.
    #[arrays]
    pub fn positive(m: Arr2<EI32>) -> (Arr1<EU32>, Arr1<EI32>) {
        let (h, _) = m.shape();
        (
            generate(h, |y| m.row(y).filter(|v| v > 0).len()),
            generate(h, |y| {
                m.row(y).filter(|v| v > 0).fold(|a, b| a + b, 0).the()
            }),
        )
    }

    #[arrays]
    pub fn found(text: Arr1<EU8>, pattern: Arr1<EU8>) -> Arr1<EBool> {
        let m = pattern.len();
        generate(text.len() - m + 1, |i| {
            zip_with(|a, b| a == b, text.drop(i).take(m), pattern)
                .all()
                .the()
        })
    }

    #[arrays]
    pub fn horner(xs: Arr1<EF64>, c: Arr1<EF64>) -> Arr1<EF64> {
        xs.map(|x| c.fold_right(|c, a| a * x + c, 0.0).the())
    }

    #[arrays]
    pub fn scans(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.map(|x| {
            let mixed = iota(x % 7).map(|i| (i * 5 + x) % 11);
            mixed.inclusive_scan(|a, b| a.max(b)).sum().the()
        })
    }

    /// In an iteration.
    #[arrays]
    pub fn sums(xs: Arr1<EU32>, times: EU32) -> Arr1<EU32> {
        power(times, xs, |v| {
            let n = v.len();
            v.imap(|i, x| append(v.take(i), iota(n - i)).sum().the() + x)
        })
    }

    #[arrays]
    pub fn medians(xs: Arr1<EI32>) -> Arr1<EI32> {
        generate(xs.len() - 2, |i| {
            let w = xs.drop(i).take(3);
            let (most, least) = (w.max().the(), w.min().the());
            w.sum().the() - most - least
        })
    }

    /// The elements of an array of an element are loops.
    #[arrays]
    pub fn longest(xs: Arr1<EU32>) -> Arr1<EU32> {
        xs.map(|x| {
            let steps = generate(x, |i| {
                seq_until(
                    |(n, k)| (select(n % 2 == 0, n / 2, n * 3 + 1), k + 1),
                    |(n, _)| n > 1,
                    (i + 1, lit(0u32)),
                )
            });
            steps.map(|(_, k)| k).max().the()
        })
    }
}

#[test]
fn the_nearest_of_others() {
    let xs: Vec<f32> = (0..37).map(|i| (i * 7 % 23) as f32 * 0.5).collect();
    let ys: Vec<f32> = (0..11).map(|i| (i * 5 % 13) as f32).collect();
    for d in devices() {
        let (x, y) = (d.array([37], &xs).unwrap(), d.array([11], &ys).unwrap());
        let (square, place) = whole::nearest::run(&d, &x, &y).unwrap();
        let (square, place) = (square.to_vec().unwrap(), place.to_vec().unwrap());
        for ((x, square), place) in xs.iter().zip(square).zip(place) {
            let best = ys.iter().map(|y| (x - y).abs());
            let best = best.fold(f32::INFINITY, f32::min);
            let first = ys.iter().position(|y| (x - y).abs() == best);
            assert_eq!((square, Some(place as usize)), (best * best, first));
        }
    }
}

#[test]
fn what_a_filter_keeps() {
    let any = AnyProgram::build("any", |inputs| {
        let m = inputs.array(2, &[ScalarType::I32]);
        let h = m.shape()[0];
        vec![generate(vec![h], move |index: Vec<EU32>| {
            let kept = m.slice_outer(index[0]).filter(|v| v.to::<EI32>().gt(0));
            let sum =
                |a: AnyElement, b: AnyElement| AnyElement::of(a.to::<EI32>() + b.to::<EI32>());
            kept.fold(sum, AnyElement::of(lit(0i32))).the()
        })]
    });
    let any = any.unwrap();
    for d in devices() {
        for (h, w) in [(3usize, 5usize), (2, 0), (0, 4), (33, 40)] {
            let m: Vec<i32> = (0..h * w).map(|i| (i * 31 % 17) as i32 - 8).collect();
            let rows = (0..h).map(|y| m[y * w..][..w].iter().filter(|v| **v > 0));
            let sums: Vec<i32> = rows.clone().map(Iterator::sum).collect();
            let counts: Vec<u32> = rows.map(|row| row.count() as u32).collect();
            let (count, sum) = whole::positive::run(&d, &d.array([h, w], &m).unwrap()).unwrap();
            assert_eq!(count.to_vec().unwrap(), counts);
            assert_eq!(sum.to_vec().unwrap(), sums);
            let m = AnyArray::new(&d, &[h, w], &m).unwrap();
            let found = any.run(&d, &[&m]).unwrap();
            assert_eq!(found[0].to_vec::<i32>().unwrap(), sums);
        }
    }
}

#[test]
fn windows_scans_and_loops() {
    let text = b"abracadabra";
    let (xs, c) = ([0.0f64, 1.0, 2.0, -1.5], [1.0f64, -2.0, 0.5]);
    let numbers: Vec<u32> = (0..50).collect();
    let scan = |x: u32| {
        let most = (0..x % 7).scan(0, |most, i| {
            *most = (i * 5 + x).rem_euclid(11).max(*most);
            Some(*most)
        });
        most.sum()
    };
    let scans: Vec<u32> = numbers.iter().map(|x| scan(*x)).collect();
    for d in devices() {
        let given = (d.array([11], text).unwrap(), d.array([4], b"abra").unwrap());
        let found = whole::found::run(&d, &given.0, &given.1).unwrap();
        let wanted: Vec<bool> = text.windows(4).map(|w| w == b"abra").collect();
        assert_eq!(found.to_vec().unwrap(), wanted);

        let given = (d.array([4], &xs).unwrap(), d.array([3], &c).unwrap());
        let found = whole::horner::run(&d, &given.0, &given.1).unwrap();
        let wanted = xs.map(|x| c.iter().rfold(0.0, |a, c| a * x + c));
        assert_eq!(found.to_vec().unwrap(), wanted);

        let found = whole::scans::run(&d, &d.array([50], &numbers).unwrap());
        assert_eq!(found.unwrap().to_vec().unwrap(), scans);

        let mut v = vec![3u32, 1, 4, 1, 5];
        let found = whole::sums::run(&d, &d.array([5], &v).unwrap(), 3).unwrap();
        for _ in 0..3 {
            let next = |i: usize| v[..=i].iter().sum::<u32>() + (0..5 - i as u32).sum::<u32>();
            v = (0..5).map(next).collect();
        }
        assert_eq!(found.to_vec().unwrap(), v);

        let xs = d.array([6], &[5, -3, 9, 2, 2, 7]).unwrap();
        let found = whole::medians::run(&d, &xs).unwrap();
        assert_eq!(found.to_vec().unwrap(), [5, 2, 2, 2]);

        let found = whole::longest::run(&d, &d.array([3], &[1u32, 3, 7]).unwrap());
        assert_eq!(found.unwrap().to_vec().unwrap(), [0, 7, 16]);
        // A row without elements has no largest one.
        let none = whole::longest::run(&d, &d.array([2], &[0u32, 1]).unwrap());
        let none = none.and_then(|found| found.to_vec()).unwrap_err();
        assert_eq!(none.kind(), ErrorKind::Fault);
    }
}
