//! What programs give, beside plain Rust.

use obsidian_rt::Device;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EBool, EF32, EI32, EU32, lit, select};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

const LENGTHS: [usize; 10] = [0, 1, 2, 255, 256, 257, 1000, 1023, 4099, 65537];

/// Rows that are folded in pieces, and shorter ones by the same programs: with what each is combined with, in order, with elements
/// written on the way, and of a length that is known.
#[test]
fn rows_of_all_lengths() {
    let times = ArrayProgram::build("mvm", |m: Arr2<EF32>, v: Arr1<EF32>| {
        let (height, _) = m.shape();
        zip_with(|a, b| a * b, m, v.replicate(height)).fold(|a, b| a + b, lit(0.5f32))
    });
    let last = ArrayProgram::build("last", |a: Arr3<(EU32, EI32)>| {
        let last = a.fold(|(_, x), (b, y)| (b, x + y), (lit(7u32), lit(3i32)));
        (a.map(|(a, _)| a + 1), last)
    });
    let known = ArrayProgram::build("known", |m: Arr2<EU32>| {
        let (height, _) = m.shape();
        generate((height, 10_000), move |(y, x)| m.at((y, x % 3u32))).sum()
    });
    let (times, last, known) = (times.unwrap(), last.unwrap(), known.unwrap());
    let shapes = [
        (0, 9000),
        (9000, 0),
        (5, 31),
        (4, 33),
        (3, 8192),
        (1, 8193),
        (3, 65_536),
        (2, 65_537),
        (2, 131_073),
    ];
    for d in devices() {
        for (h, w) in shapes {
            let m: Vec<f32> = (0..h * w).map(|i| (i % 11) as f32).collect();
            let v: Vec<f32> = (0..w).map(|i| (i % 3) as f32).collect();
            let row = |y: usize| (0..w).map(move |x| y * w + x);
            let want = (0..h).map(|y| 0.5 + row(y).map(|i| m[i] * v[i % w]).sum::<f32>());
            let (array, vector) = (d.array([h, w], &m).unwrap(), d.array([w], &v).unwrap());
            let found = times.run(&d, (&array, &vector)).unwrap().to_vec().unwrap();
            assert_eq!(found, want.collect::<Vec<_>>(), "{h} {w}");
            let a: Vec<(u32, i32)> = (0..h * w).map(|i| (i as u32, i as i32 % 5)).collect();
            let (each, folded) = last.run(&d, &d.array([h, 1, w], &a).unwrap()).unwrap();
            let each = each.to_vec().unwrap();
            assert!(
                each.iter().zip(&a).all(|(each, (a, _))| *each == a + 1),
                "{h} {w}"
            );
            // No order but that of the row gives the last element.
            let want = (0..h).map(|y| row(y).fold((7, 3), |(_, x), i| (a[i].0, x + a[i].1)));
            assert_eq!(
                folded.to_vec().unwrap(),
                want.collect::<Vec<_>>(),
                "{h} {w}"
            );
        }
        let m = d.array([2, 3], &[1, 2, 3, 4, 5, 6]).unwrap();
        let found = known.run(&d, &m).unwrap().to_vec().unwrap();
        assert_eq!(found, [19_999, 3333 * 15 + 4]);
    }
}

#[test]
fn a_dot_product() {
    let program = ArrayProgram::build("dotp", |xs: Arr1<EF32>, ys: Arr1<EF32>| {
        zip_with(|x, y| x * y, xs, ys).fold(|a, b| a + b, lit(0.5f32))
    });
    let program = program.unwrap();
    for n in LENGTHS {
        for d in devices() {
            let xs: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
            let ys: Vec<f32> = (0..n).map(|i| (i % 5) as f32 - 2.0).collect();
            let want: f32 = 0.5 + xs.iter().zip(&ys).map(|(x, y)| x * y).sum::<f32>();
            let (x, y) = (d.array([n], &xs).unwrap(), d.array([n], &ys).unwrap());
            assert_eq!(
                program.run(&d, (&x, &y)).unwrap().value().unwrap(),
                want,
                "{n}"
            );
        }
    }
    let d = Device::cpu();
    let (x, y) = (
        d.array([3], &[1.0f32; 3]).unwrap(),
        d.array([4], &[1.0f32; 4]).unwrap(),
    );
    let error = program.run(&d, (&x, &y)).unwrap_err().to_string();
    assert!(
        error.contains("the extents 3 and 4") && error.contains("results.rs"),
        "{error}"
    );
}

/// 2 x 2 matrices: associative, and they do not commute. `init` is not neutral.
#[test]
fn folds_keep_the_order() {
    type M = (EU32, EU32, EU32, EU32);
    let product = |(a, b, c, d): M, (e, f, g, h): M| {
        (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
    };
    let first = || (lit(3u32), lit(1u32), lit(2u32), lit(5u32));
    let whole =
        ArrayProgram::build("product", move |xs: Arr1<M>| xs.fold(product, first())).unwrap();
    let rows = ArrayProgram::build("rows", move |xs: Arr2<M>| xs.fold(product, first())).unwrap();
    let times = |(a, b, c, d): (u32, u32, u32, u32), (e, f, g, h): (u32, u32, u32, u32)| {
        let dot =
            |x: u32, y: u32, z: u32, w: u32| x.wrapping_mul(y).wrapping_add(z.wrapping_mul(w));
        (
            dot(a, e, b, g),
            dot(a, f, b, h),
            dot(c, e, d, g),
            dot(c, f, d, h),
        )
    };
    let element = |i: usize| {
        let i = i as u32;
        (i % 3, i % 5 + 1, i.wrapping_mul(7) % 11, i % 2)
    };
    for n in LENGTHS {
        for d in devices() {
            let xs: Vec<_> = (0..n).map(element).collect();
            let want = xs.iter().fold((3, 1, 2, 5), |x, y| times(x, *y));
            let xs = d.array([n], &xs).unwrap();
            assert_eq!(whole.run(&d, &xs).unwrap().value().unwrap(), want, "{n}");
        }
    }
    for (h, w) in [(0, 0), (0, 3), (3, 0), (1, 1), (3, 5), (7, 33), (2, 1000)] {
        for d in devices() {
            let xs: Vec<_> = (0..h * w).map(element).collect();
            let row = |y: usize| {
                xs[y * w..][..w]
                    .iter()
                    .fold((3, 1, 2, 5), |x, y| times(x, *y))
            };
            let want: Vec<_> = (0..h).map(row).collect();
            let xs = d.array([h, w], &xs).unwrap();
            assert_eq!(
                rows.run(&d, &xs).unwrap().to_vec().unwrap(),
                want,
                "{h} {w}"
            );
        }
    }
}

#[test]
fn places() {
    let program = ArrayProgram::build("places", |m: Arr2<EI32>, k: EU32| {
        let t = m.transpose();
        let (h, w) = m.shape();
        let rows = append(m.reverse(), m.rotate(k));
        let around = generate((h, w), {
            let m = m.clone();
            move |(y, x)| {
                let left = select(x.gt(lit(0u32)), m.at((y, x - 1)), lit(-1));
                left + m.at((y, x))
            }
        });
        (t, rows, around, m.flatten().map(|x| x * 2))
    });
    let program = program.unwrap();
    for (h, w) in [
        (0usize, 0usize),
        (0, 3),
        (3, 0),
        (1, 1),
        (3, 5),
        (17, 33),
        (64, 40),
    ] {
        for d in devices() {
            let m: Vec<i32> = (0..h * w).map(|i| i as i32 * 3 - 7).collect();
            let given = d.array([h, w], &m).unwrap();
            let (t, rows, around, flat) = program.run(&d, (&given, 7u32)).unwrap();
            assert_eq!(t.extents(), [w, h]);
            let want: Vec<i32> = (0..h * w).map(|i| m[(i % h) * w + i / h]).collect();
            assert_eq!(t.to_vec().unwrap(), want);
            let mut want = Vec::new();
            for y in 0..h {
                want.extend((0..w).map(|x| m[y * w + w - 1 - x]));
                want.extend((0..w).map(|x| m[y * w + (x + 7) % w]));
            }
            assert_eq!(rows.to_vec().unwrap(), want);
            let want: Vec<i32> = (0..h * w)
                .map(|i| if i % w > 0 { m[i - 1] } else { -1 } + m[i])
                .collect();
            assert_eq!(around.to_vec().unwrap(), want);
            let want: Vec<i32> = m.iter().map(|x| x * 2).collect();
            assert_eq!(flat.to_vec().unwrap(), want);
        }
    }
}

#[test]
fn an_index_outside_is_an_error() {
    let program = ArrayProgram::build("gather", |numbers: Arr1<EU32>, xs: Arr1<EF32>| {
        gather(numbers, xs.map(|x| x + 1.0))
    });
    let program = program.unwrap();
    for d in devices() {
        let xs = d.array([3], &[1.0f32, 2.0, 3.0]).unwrap();
        let good = d.array([4], &[2u32, 0, 1, 2]).unwrap();
        assert_eq!(
            program.run(&d, (&good, &xs)).unwrap().to_vec().unwrap(),
            [4.0, 2.0, 3.0, 4.0]
        );
        let bad = d.array([4], &[2u32, 0, 3, 2]).unwrap();
        let error = program
            .run(&d, (&bad, &xs))
            .and_then(|r| r.to_vec())
            .unwrap_err();
        assert_eq!(error.kind(), obsidian_rt::ErrorKind::Fault);
    }
}

#[test]
fn elements_that_are_loops() {
    let program = ArrayProgram::build("loops", |xs: Arr1<EU32>| {
        let steps = xs.map(|x| {
            obsidian_rt::language::seq_until(
                |(n, x): (EU32, EU32)| {
                    let even = (x % 2).eq(lit(0u32));
                    (n + 1, select(even, x / 2, x * 3 + 1))
                },
                |(_, x): (EU32, EU32)| x.gt(lit(1u32)),
                (lit(0u32), x),
            )
        });
        let (n, _) = unzip(steps);
        let most = n.max();
        (n, most)
    });
    let program = program.unwrap();
    for d in devices() {
        let xs: Vec<u32> = (1..1000).collect();
        let (n, most) = program.run(&d, &d.array([999], &xs).unwrap()).unwrap();
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
        let want: Vec<u32> = xs.into_iter().map(collatz).collect();
        assert_eq!(most.value().unwrap(), *want.iter().max().unwrap());
        assert_eq!(n.to_vec().unwrap(), want);
    }
}

#[test]
fn booleans() {
    let program = ArrayProgram::build("bools", |xs: Arr2<EBool>| (xs.all(), xs.any())).unwrap();
    for d in devices() {
        let xs = [true, false, true, true, false, false];
        let (all, any) = program.run(&d, &d.array([3, 2], &xs).unwrap()).unwrap();
        assert_eq!(all.to_vec().unwrap(), [false, true, false]);
        assert_eq!(any.to_vec().unwrap(), [true, true, false]);
    }
}

#[test]
fn doubling_is_linear() {
    let program = ArrayProgram::build("doubling", |xs: Arr1<EU32>| {
        let doubled = |xs: Arr1<EU32>| zip_with(|a, b| a + b, xs.clone(), xs);
        (0..30).fold(xs, |xs, _| doubled(xs))
    });
    let program = program.unwrap();
    let d = Device::cpu();
    let xs = d.array([2], &[1u32, 3]).unwrap();
    assert_eq!(
        program.run(&d, &xs).unwrap().to_vec().unwrap(),
        [1 << 30, 3 << 30]
    );
    assert!(program.kernels()[0].cuda().len() < 20_000);
}

#[test]
fn an_array_of_another_run_is_refused() {
    let kept = std::cell::RefCell::new(None::<Arr1<EU32>>);
    let program = ArrayProgram::build("kept", |xs: Arr1<EU32>, ys: Arr1<EU32>| {
        let first = kept.borrow_mut().get_or_insert(ys).clone();
        xs.map(move |x| x + first.at(lit(0)))
    });
    let error = program.unwrap_err().to_string();
    assert!(error.contains("another run of its function"), "{error}");
}

#[test]
fn results_in_given_memory() {
    let program = ArrayProgram::build("into", |xs: Arr1<EF32>| {
        let ys = xs.map(|x| x * 2.0);
        (ys.clone(), ys.sum(), xs)
    });
    let program = program.unwrap();
    for d in devices() {
        let n = 70_000;
        let xs: Vec<f32> = (0..n).map(|i| (i % 5) as f32).collect();
        let given = d.array([n], &xs).unwrap();
        let mut ys = d.array([n], &vec![f32::NAN; n]).unwrap();
        let mut sum = d.array([], &[f32::NAN]).unwrap();
        let mut copy = d.array([n], &vec![f32::NAN; n]).unwrap();
        program
            .run_into(&d, &given, (&mut ys, &mut sum, &mut copy))
            .unwrap();
        let want: Vec<f32> = xs.iter().map(|x| x * 2.0).collect();
        assert_eq!(sum.value().unwrap(), want.iter().sum::<f32>());
        assert_eq!(ys.to_vec().unwrap(), want);
        assert_eq!(copy.to_vec().unwrap(), xs);
        let error = program.run_into(
            &d,
            &given,
            (&mut ys, &mut sum, &mut d.array([3], &[0.0f32; 3]).unwrap()),
        );
        assert_eq!(
            error.unwrap_err().kind(),
            obsidian_rt::ErrorKind::UnequalLengths
        );
    }
}

/// Floats: -0, NaN, and all types.
#[test]
fn elements_of_all_types() {
    macro_rules! check {
        ($($ty:ident)*) => {$({
            type E = obsidian_rt::language::Exp<$ty>;
            let program = ArrayProgram::build(stringify!($ty), |xs: Arr1<E>| {
                ((xs.sum(), xs.product()), (xs.min(), xs.max()), (xs.arg_min(), xs.arg_max()))
            });
            let program = program.unwrap();
            for n in [1usize, 2, 31, 257, 5003] {
                for d in devices() {
                    let xs: Vec<$ty> = (0..n).map(|i| (i * 7919 % 101) as $ty).collect();
                    let given = d.array([n], &xs).unwrap();
                    let ((sum, product), (min, max), (arg_min, arg_max)) = program.run(&d, &given).unwrap();
                    #[allow(clippy::redundant_closure_call)]
                    let wrapping = |f: fn(i128, i128) -> i128, first: i128| -> i128 {
                        xs.iter().fold(first, |x, y| f(x, *y as i128))
                    };
                    if stringify!($ty).starts_with('f') {
                        assert_eq!(sum.value().unwrap() as f64, xs.iter().map(|x| *x as f64).sum::<f64>());
                    } else {
                        assert_eq!(sum.value().unwrap(), wrapping(i128::wrapping_add, 0) as $ty);
                        assert_eq!(product.value().unwrap(), wrapping(i128::wrapping_mul, 1) as $ty);
                    }
                    let best = |better: fn($ty, $ty) -> bool| {
                        (0..n).fold(0, |best, i| if better(xs[i], xs[best]) { i } else { best })
                    };
                    let (least, most) = (best(|x, y| x < y), best(|x, y| x > y));
                    assert_eq!((arg_min.value().unwrap(), arg_max.value().unwrap()), (least as u32, most as u32));
                    assert_eq!((min.value().unwrap(), max.value().unwrap()), (xs[least], xs[most]));
                }
            }
        })*};
    }
    check!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);
    let program = ArrayProgram::build("floats", |xs: Arr1<EF32>| {
        (xs.fold1(|x, y| x + y), xs.max(), xs.min(), xs.arg_max())
    });
    let program = program.unwrap();
    for d in devices() {
        let run = |xs: &[f32]| {
            let given = d.array([xs.len()], xs).unwrap();
            let (sum, max, min, place) = program.run(&d, &given).unwrap();
            let bits = [sum, max, min].map(|x| x.value().unwrap());
            (bits, place.value().unwrap())
        };
        let ([sum, max, min], _) = run(&[-0.0]);
        assert!(
            [sum, max, min]
                .iter()
                .all(|x| x.to_bits() == (-0.0f32).to_bits())
        );
        let ([sum, max, min], place) = run(&[f32::NAN]);
        assert!(sum.is_nan() && max.is_nan() && min.is_nan() && place == 0);
        let ([_, max, min], place) = run(&[f32::NAN, -3.0, f32::NEG_INFINITY, f32::NAN]);
        assert_eq!((max, min, place), (-3.0, f32::NEG_INFINITY, 1));
    }
}

#[test]
fn three_axes() {
    let program = ArrayProgram::build("three", |a: Arr3<EI32>, k: EU32| {
        let (d, h, w) = a.shape();
        let sums = a.sum();
        let part = a.slice_outer(k);
        let inner = a.slice_inner(0);
        let turned = backpermute((w, h, d), |(x, y, z)| (z, y, x), a.clone());
        let all = a.reshape((d * h, w)).max();
        (sums, part, inner, (turned, all))
    });
    // `d * h` may wrap where the run multiplies; it says so, and does not.
    let program = program.unwrap();
    let (dn, h, w) = (3usize, 5, 7);
    let a: Vec<i32> = (0..(dn * h * w) as i32)
        .map(|x| x * 37 % 101 - 50)
        .collect();
    let at = |z: usize, y: usize, x: usize| a[(z * h + y) * w + x];
    for d in devices() {
        let given = d.array([dn, h, w], &a).unwrap();
        let (sums, part, inner, (turned, all)) = program.run(&d, (&given, 1u32)).unwrap();
        let rows = || (0..dn).flat_map(|z| (0..h).map(move |y| (z, y)));
        let want: Vec<i32> = rows()
            .map(|(z, y)| (0..w).map(|x| at(z, y, x)).sum())
            .collect();
        assert_eq!((sums.extents(), sums.to_vec().unwrap()), ([dn, h], want));
        assert_eq!(part.to_vec().unwrap(), a[h * w..][..h * w]);
        let want: Vec<i32> = rows().map(|(z, y)| at(z, y, 0)).collect();
        assert_eq!(inner.to_vec().unwrap(), want);
        let mut want = Vec::new();
        for x in 0..w {
            for y in 0..h {
                want.extend((0..dn).map(|z| at(z, y, x)));
            }
        }
        assert_eq!(turned.to_vec().unwrap(), want);
        let want: Vec<i32> = rows()
            .map(|(z, y)| (0..w).map(|x| at(z, y, x)).max().unwrap())
            .collect();
        assert_eq!(all.to_vec().unwrap(), want);
        let error = program.run(&d, (&given, 3u32)).unwrap_err();
        assert!(error.to_string().contains("slice_outer"), "{error}");
    }
}

#[test]
fn folds_of_rows_without_elements_name_themselves() {
    let program = ArrayProgram::build("largest", |m: Arr2<EI32>| (m.max(), m.flatten().min()));
    let program = program.unwrap();
    for d in devices() {
        let none = d.array([0, 0], &[0i32; 0]).unwrap();
        let error = program.run(&d, &none).unwrap_err();
        let words = "`max` of an array whose rows have no elements";
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn other_axes_than_the_innermost() {
    let program = ArrayProgram::build("axes", |m: Arr2<EI32>, a: Arr3<EI32>| {
        let last = a.axis(1).fold1(|_, y| y);
        (
            m.axis(0).sum(),
            a.axis(0).max(),
            last,
            (a.axis(1).axis(0), m.axis(1).sum()),
        )
    });
    let program = program.unwrap();
    assert_eq!(program.schedule().operators(), 5, "{}", program.schedule());
    let (z, y, x) = (3usize, 50, 7);
    let a: Vec<i32> = (0..(z * y * x) as i32).map(|n| n * 37 % 101 - 50).collect();
    let at = |k: usize, j: usize, i: usize| a[(k * y + j) * x + i];
    for d in devices() {
        let (m, cube) = (
            d.array([y, x], &a[..y * x]).unwrap(),
            d.array([z, y, x], &a).unwrap(),
        );
        let (columns, most, last, (turned, rows)) = program.run(&d, (&m, &cube)).unwrap();
        let want: Vec<i32> = (0..x).map(|i| (0..y).map(|j| at(0, j, i)).sum()).collect();
        assert_eq!((columns.extents(), columns.to_vec().unwrap()), ([x], want));
        let want: Vec<i32> = (0..y * x)
            .map(|n| (0..z).map(|k| a[k * y * x + n]).max().unwrap())
            .collect();
        assert_eq!((most.extents(), most.to_vec().unwrap()), ([y, x], want));
        let want: Vec<i32> = (0..z * x).map(|n| at(n / x, y - 1, n % x)).collect();
        assert_eq!((last.extents(), last.to_vec().unwrap()), ([z, x], want));
        // (z, y, x), then (z, x, y), then (x, y, z).
        let want: Vec<i32> = (0..x * y * z)
            .map(|n| at(n % z, n / z % y, n / z / y))
            .collect();
        assert_eq!(
            (turned.extents(), turned.to_vec().unwrap()),
            ([x, y, z], want)
        );
        let want: Vec<i32> = a[..y * x].chunks(x).map(|row| row.iter().sum()).collect();
        assert_eq!(rows.to_vec().unwrap(), want);
    }
}

#[test]
fn an_axis_that_is_not_there() {
    let program = ArrayProgram::build("none", |m: Arr2<EI32>| m.axis(2).sum());
    let error = program.err().unwrap().to_string();
    assert!(
        error.contains("no axis 2") && error.contains("results.rs"),
        "{error}"
    );
}

#[test]
fn extents_that_are_known() {
    let program = ArrayProgram::build("known", || {
        let sums = (
            iota(5u32).sum(),
            iota(0u32).sum(),
            iota(1500u32).map(|x| x * 2),
        );
        let none = (
            fill(0u32, lit(1u32)),
            fill((0u32, 3u32), lit(1u32)).sum(),
            fill((2u32, 0u32), lit(7u32)),
        );
        let one = (
            unit(lit(5u32)).map(|x| x + 1),
            generate((2u32, 3u32), |(y, x)| y * 10 + x).sum(),
        );
        (sums, none, one)
    });
    let program = program.unwrap();
    for d in devices() {
        let ((five, zero, twice), (a, b, c), (one, rows)) = program.run(&d, ()).unwrap();
        assert_eq!((five.value().unwrap(), zero.value().unwrap()), (10, 0));
        assert_eq!(
            twice.to_vec().unwrap(),
            (0..1500).map(|x| x * 2).collect::<Vec<u32>>()
        );
        assert!(a.to_vec().unwrap().is_empty() && b.to_vec().unwrap().is_empty());
        assert_eq!((c.extents(), c.to_vec().unwrap()), ([2, 0], vec![]));
        assert_eq!(
            (one.value().unwrap(), rows.to_vec().unwrap()),
            (6, vec![3, 33])
        );
    }
}

#[test]
fn a_long_chain_of_operations() {
    let program = ArrayProgram::build("chain", |xs: Arr1<EU32>| {
        (0..1000).fold(xs, |xs, k| xs.map(move |x| (x ^ k) + 1))
    });
    let program = program.unwrap();
    assert!(program.schedule().launches() < 20, "{}", program.schedule());
    let d = Device::cpu();
    let found = program.run(&d, &d.array([2], &[7u32, 8]).unwrap()).unwrap();
    let want = [7u32, 8].map(|x| (0..1000).fold(x, |x, k| (x ^ k) + 1));
    assert_eq!(found.to_vec().unwrap(), want);
}

/// A row becomes numbers that add up to 1; each needs the largest of its row, and the sum.
#[test]
fn softmax() {
    let program = ArrayProgram::build("softmax", |m: Arr2<EF32>| {
        let most = m.max();
        let powers = m.imap(move |(y, _), x| (x - most.at(y)).exp());
        let sums = powers.sum();
        powers.imap(move |(y, _), x| x / sums.at(y))
    });
    let program = program.unwrap();
    assert_eq!(program.schedule().operators(), 3, "{}", program.schedule());
    for d in devices() {
        let (h, w) = (3, 37);
        let m: Vec<f32> = (0..h * w).map(|i| (i * 31 % 17) as f32 * 0.3).collect();
        let found = program.run(&d, &d.array([h, w], &m).unwrap()).unwrap();
        for (found, row) in found.to_vec().unwrap().chunks(w).zip(m.chunks(w)) {
            let sum: f64 = row.iter().map(|x| f64::from(*x).exp()).sum();
            for (found, x) in found.iter().zip(row) {
                assert!((f64::from(*found) - f64::from(*x).exp() / sum).abs() < 1e-6);
            }
        }
    }
}

/// Every second element of a given array, by an index that may be outside.
#[test]
fn an_index_of_numbers_from_a_run() {
    let program = ArrayProgram::build("strided", |xs: Arr1<EU32>, n: EU32, step: EU32| {
        generate(n, move |i| xs.at(i * step))
    });
    let program = program.unwrap();
    for d in devices() {
        let xs = d.array([5], &[1u32, 2, 3, 4, 5]).unwrap();
        assert_eq!(
            program.run(&d, (&xs, 3, 2)).unwrap().to_vec().unwrap(),
            [1, 3, 5]
        );
        let error = program
            .run(&d, (&xs, 4, 2))
            .and_then(|found| found.to_vec())
            .unwrap_err();
        assert!(error.to_string().contains("index 6"), "{error}");
    }
}

/// The first of the best numbers, whichever blocks and threads compare them: a NaN is no better than a number, and zeros are equal.
#[test]
fn places_of_extremes_among_nans_and_zeros() {
    let program = ArrayProgram::build("extremes", |xs: Arr1<EF32>| (xs.arg_max(), xs.arg_min()));
    let program = program.unwrap();
    let best = |xs: &[f32], is_better: fn(f32, f32) -> bool| {
        let take = |best: usize, i: usize| {
            let (x, y) = (xs[best], xs[i]);
            let is_number = x.is_nan() && !y.is_nan();
            if is_better(y, x) || is_number {
                i
            } else {
                best
            }
        };
        (1..xs.len()).fold(0, take) as u32
    };
    let values = [f32::NAN, 0.0, -0.0, f32::NEG_INFINITY, f32::INFINITY];
    for n in [1usize, 2, 8, 9, 255, 257, 1000, 8192, 8193, 30_000] {
        for (few, from) in [(1, 0), (2, 0), (2, 1), (4, 0), (5, 0)] {
            let of = |i: usize| values[from + i.wrapping_mul(0x9e37_79b9) / 65_536 % few];
            let xs: Vec<f32> = (0..n).map(of).collect();
            for d in devices() {
                let (most, least) = program.run(&d, &d.array([n], &xs).unwrap()).unwrap();
                let found = (most.value().unwrap(), least.value().unwrap());
                let want = (best(&xs, |x, y| x > y), best(&xs, |x, y| x < y));
                assert_eq!(found, want, "{n} {few} {from}");
            }
        }
    }
}
