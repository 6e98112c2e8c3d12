//! Stencils of array programs, beside plain Rust.

use obsidian_rt::Device;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF32, EI32, lit};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

/// Where a neighbour is, if it is anywhere.
fn place(which: usize, i: usize, n: usize, by: i64) -> Option<usize> {
    let (n, at) = (n as i64, i as i64 + by);
    let found = match which {
        0 => at.clamp(0, n - 1),
        1 => at.rem_euclid(n),
        2 if at < 0 => (-at).min(n - 1),
        2 if at >= n => (2 * (n - 1) - at).max(0),
        3 if at < 0 || at >= n => return None,
        _ => at,
    };
    Some(found as usize)
}

fn boundary<Sh: Neighbours>(which: usize) -> Boundary<EI32, Sh> {
    match which {
        0 => Clamp,
        1 => Wrap,
        2 => Mirror,
        _ => Constant(lit(-100)),
    }
}

const OFFSETS: [i32; 6] = [0, -1, 1, -3, 4, -70];

#[test]
fn neighbours_of_a_vector() {
    for which in 0..4 {
        let program = ArrayProgram::build("neighbours", |xs: Arr1<EI32>| {
            xs.stencil(boundary(which), |w| {
                let all = OFFSETS.iter().enumerate();
                all.fold(lit(0), |sum, (n, by)| sum + w.at(*by) * (n as i32 + 1))
            })
        });
        let program = program.unwrap();
        assert_eq!(program.schedule().operators(), 1);
        for n in [0usize, 1, 2, 3, 31, 64, 65, 1000, 4099] {
            for d in devices() {
                let xs: Vec<i32> = (0..n).map(|i| i as i32 * 31 % 57 - 20).collect();
                let one = |i: usize| -> i32 {
                    let all = OFFSETS.iter().zip(1..);
                    let at = |by: i32| place(which, i, n, by.into()).map_or(-100, |at| xs[at]);
                    all.map(|(by, factor)| at(*by) * factor).sum()
                };
                let want: Vec<i32> = (0..n).map(one).collect();
                let given = d.array([n], &xs).unwrap();
                let found = program.run(&d, &given).unwrap().to_vec().unwrap();
                assert_eq!(found, want, "{which} {n}");
            }
        }
    }
}

#[test]
fn neighbours_in_three_axes() {
    for which in 0..4 {
        let program = ArrayProgram::build("around", |xs: Arr3<EI32>| {
            xs.stencil(boundary(which), |w| {
                w.at((-1, 2, 0)) * 3 + w.at((1, 0, -1)) * 5 - w.at((0, 0, 3)) + w.at((0, 0, 0))
            })
        });
        let program = program.unwrap();
        for (a, b, c) in [(1, 1, 1), (2, 3, 5), (0, 3, 2), (4, 1, 33), (3, 17, 9)] {
            for d in devices() {
                let xs: Vec<i32> = (0..a * b * c).map(|i| i as i32 * 7 % 23).collect();
                let mut want = Vec::new();
                for (z, y, x) in (0..a * b * c).map(|i| (i / c / b, i / c % b, i % c)) {
                    let at = |dz, dy, dx| {
                        let places = (
                            place(which, z, a, dz),
                            place(which, y, b, dy),
                            place(which, x, c, dx),
                        );
                        match places {
                            (Some(z), Some(y), Some(x)) => xs[(z * b + y) * c + x],
                            _ => -100,
                        }
                    };
                    want.push(at(-1, 2, 0) * 3 + at(1, 0, -1) * 5 - at(0, 0, 3) + at(0, 0, 0));
                }
                let given = d.array([a, b, c], &xs).unwrap();
                let found = program.run(&d, &given).unwrap().to_vec().unwrap();
                assert_eq!(found, want, "{which} {a} {b} {c}");
            }
        }
    }
}

/// `map . stencil . stencil . map`: at most three operators, as in Accelerate.
#[test]
fn stencils_fuse() {
    let program = ArrayProgram::build("twice", |xs: Arr2<EF32>| {
        let blur = |xs: Arr2<EF32>| {
            xs.stencil(Clamp, |w| {
                let rows = [-1, 0, 1].map(|y| w.at((y, -1)) + w.at((y, 0)) + w.at((y, 1)));
                (rows[0] + rows[1] + rows[2]) / 9.0
            })
        };
        blur(blur(xs.map(|x| x * 0.5))).map(|x| x + 1.0)
    });
    let program = program.unwrap();
    assert!(
        program.schedule().operators() <= 3,
        "{}",
        program.schedule()
    );
}
