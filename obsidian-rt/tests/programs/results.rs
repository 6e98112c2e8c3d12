//! What programs give, beside plain Rust.

use obsidian_rt::Device;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EBool, EF32, EI32, EU32, lit, select};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

const LENGTHS: [usize; 10] = [0, 1, 2, 255, 256, 257, 1000, 1023, 4099, 65537];

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
    println!("{error}");
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
    println!("{}", whole.schedule());
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
    println!("{}", program.schedule());
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
    println!("{}\n{}", program.schedule(), program.kernels()[0].cuda());
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
        println!("{error}");
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
    println!("{}", program.schedule());
    for d in devices() {
        let xs: Vec<u32> = (1..1000).collect();
        let (n, most) = program.run(&d, &d.array([999], &xs).unwrap()).unwrap();
        let collatz = |mut x: u32| {
            let mut n = 0;
            while x > 1 {
                x = if x % 2 == 0 { x / 2 } else { x * 3 + 1 };
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
