//! Ten programs that a newcomer writes first, each in at most 15 lines and without a promise, beside plain Rust.

use obsidian_rt::Device;
use obsidian_rt::prelude::*;

#[kernels]
mod ten {
    /// 1. The dot product of two vectors.
    #[arrays]
    pub fn dot(x: Arr1<EF32>, y: Arr1<EF32>) -> Arr0<EF32> {
        zip_with(|x, y| x * y, x, y).sum()
    }

    /// 2. The mean of the four neighbours, 0 beyond the edge.
    #[arrays]
    pub fn neighbours(x: Arr2<EF32>) -> Arr2<EF32> {
        x.stencil(Constant(0.0), |w| {
            (w.at((-1, 0)) + w.at((1, 0)) + w.at((0, -1)) + w.at((0, 1))) * 0.25
        })
    }

    /// 3. Where the largest element is, the first of several.
    #[arrays]
    pub fn argmax(x: Arr1<EF32>) -> Arr0<EU32> {
        x.arg_max()
    }

    /// 4. The sum of each segment; a segment starts where a flag is true, as the first one is.
    #[arrays]
    pub fn segment_sums(x: Arr1<EF32>, starts: Arr1<EBool>) -> Arr1<EF32> {
        let sums = x.segmented_inclusive_scan(starts, |a, b| a + b);
        sums.compact(starts.rotate(1))
    }

    /// 5. An image of rows of pixels of three bytes, blurred by a 3 by 3 Gaussian.
    #[arrays]
    pub fn blur(image: Arr3<EU8>) -> Arr3<EU8> {
        image.stencil(Clamp, |w| {
            let mut sum = lit(8u32);
            for k in 0..9 {
                let (dy, dx) = (k / 3 - 1, k % 3 - 1);
                let weight = (2 - dy * dy) * (2 - dx * dx);
                sum = sum + w.at((dy, dx, 0)) as u32 * weight as u32;
            }
            (sum / 16) as u8
        })
    }

    /// 6. The softmax of each row, of a width that is known at launch.
    #[arrays]
    pub fn softmax(x: Arr2<EF32>) -> Arr2<EF32> {
        let (_, width) = x.shape();
        let powers = zip_with(
            |x, most| (x - most).exp(),
            x,
            x.max().replicate_inner(width),
        );
        zip_with(
            |power, sum| power / sum,
            powers,
            powers.sum().replicate_inner(width),
        )
    }

    /// 7. How often each of 1,000 numbers is there.
    #[arrays]
    pub fn histogram(x: Arr1<EU32>) -> Arr1<EU32> {
        let ones = x.map(|_| lit(1u32));
        ones.permute(
            |a, b| a + b,
            fill(1000, lit(0u32)),
            |i, _| (lit(true), x.at(i)),
        )
    }

    /// 8. Pi by chance: each element has a generator of its own.
    #[arrays]
    pub fn hits(threads: EU32, throws: EU32) -> Arr0<EU32> {
        let each = generate(threads, |t| {
            let throw = |_, (seed, hits)| {
                let x = seed * 1_664_525 + 1_013_904_223;
                let y = x * 1_664_525 + 1_013_904_223;
                let (a, b) = (
                    (x >> 8) as f32 / 16_777_216.0,
                    (y >> 8) as f32 / 16_777_216.0,
                );
                (y, hits + (a * a + b * b < 1.0) as u32)
            };
            seq_iterate(throws, throw, (t * 747_796_405 + 1, lit(0u32))).map(|(_, hits)| hits)
        });
        each.sum()
    }

    /// 9. The elements above 0.
    #[arrays]
    pub fn above(x: Arr1<EF32>) -> Arr1<EF32> {
        x.filter(|x| x > 0.0)
    }

    /// A body, in seven numbers.
    #[derive(Clone, Copy, Debug, PartialEq, Element)]
    pub struct Body {
        pub at: [f32; 3],
        pub speed: [f32; 3],
        pub mass: f32,
    }

    /// 10. A body after some time among others.
    #[device(range)]
    pub fn step(i: usize, time: f32, bodies: &[Body]) -> Body {
        let mut me = bodies[i];
        for other in bodies {
            let (p, q) = (other.at, me.at);
            let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
            let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01;
            for k in 0..3 {
                me.speed[k] += time * other.mass * d[k] / (square * square.sqrt());
            }
        }
        for k in 0..3 {
            me.at[k] += time * me.speed[k];
        }
        me
    }
}

use ten::Body;

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

/// Numbers between -1 and 1.
fn floats(n: usize) -> Vec<f32> {
    let number = |i: usize| (i as u32).wrapping_mul(2_654_435_761) >> 8;
    (0..n)
        .map(|i| number(i + 1) as f32 / 8_388_608.0 - 1.0)
        .collect()
}

const LENGTHS: [usize; 8] = [0, 1, 2, 31, 33, 1000, 4099, 9001];
const SIZES: [(usize, usize); 6] = [(1, 1), (1, 40), (17, 2), (16, 16), (33, 31), (5, 1001)];

fn near(found: f64, want: f64, scale: f64) {
    assert!(
        (found - want).abs() <= 1e-5 * scale.max(1.0),
        "{found} is not {want}"
    );
}

/// The lines of each program, from its signature to its last bracket.
#[test]
fn at_most_15_lines_and_no_promise() {
    let text = include_str!("ten.rs");
    let (module, _) = text.split_once("\n}\n").unwrap();
    assert!(!module.contains("unchecked") && !module.contains("distinct"));
    let programs: Vec<usize> = module
        .split("    pub fn ")
        .skip(1)
        .map(|program| 1 + program.lines().take_while(|line| *line != "    }").count())
        .collect();
    assert_eq!(programs.len(), 10);
    assert!(programs.iter().all(|lines| *lines <= 15), "{programs:?}");
}

#[test]
fn dot() {
    for n in LENGTHS {
        let (x, y) = (floats(n), floats(n + 5)[5..].to_vec());
        let want: f64 = x
            .iter()
            .zip(&y)
            .map(|(x, y)| f64::from(*x) * f64::from(*y))
            .sum();
        for d in devices() {
            let (x, y) = (d.array([n], &x).unwrap(), d.array([n], &y).unwrap());
            let found = ten::dot::run(&d, &x, &y).unwrap().value().unwrap();
            near(found.into(), want, n as f64);
        }
    }
}

#[test]
fn neighbours() {
    for (h, w) in SIZES {
        let x = floats(h * w);
        let at = |y: i64, c: i64| {
            let inside = (0..h as i64).contains(&y) && (0..w as i64).contains(&c);
            if inside {
                x[y as usize * w + c as usize]
            } else {
                0.0
            }
        };
        let places = (0..h as i64).flat_map(|y| (0..w as i64).map(move |c| (y, c)));
        let mean = |(y, c)| (at(y - 1, c) + at(y + 1, c) + at(y, c - 1) + at(y, c + 1)) * 0.25;
        let want: Vec<f32> = places.map(mean).collect();
        for d in devices() {
            let found = ten::neighbours::run(&d, &d.array([h, w], &x).unwrap());
            assert_eq!(found.unwrap().to_vec().unwrap(), want);
        }
    }
}

#[test]
fn argmax() {
    for n in &LENGTHS[1..] {
        // Some are there twice.
        let x: Vec<f32> = floats(*n).iter().map(|x| (x * 100.0).round()).collect();
        let most = x.iter().copied().fold(f32::MIN, f32::max);
        let want = x.iter().position(|x| *x == most).unwrap();
        for d in devices() {
            let found = ten::argmax::run(&d, &d.array([*n], &x).unwrap());
            assert_eq!(found.unwrap().value().unwrap(), want as u32);
        }
    }
}

#[test]
fn segment_sums() {
    for n in LENGTHS {
        let x: Vec<f32> = floats(n).iter().map(|x| (x * 100.0).round()).collect();
        let starts: Vec<bool> = (0..n).map(|i| i == 0 || i * 7 % 5 < 2).collect();
        let mut want = Vec::new();
        for (x, start) in x.iter().zip(&starts) {
            match want.last_mut() {
                Some(sum) if !start => *sum += x,
                _ => want.push(*x),
            }
        }
        for d in devices() {
            let (x, starts) = (d.array([n], &x).unwrap(), d.array([n], &starts).unwrap());
            let found = ten::segment_sums::run(&d, &x, &starts).unwrap();
            assert_eq!(found.to_vec().unwrap(), want);
        }
    }
}

#[test]
fn blur() {
    for (h, w) in SIZES {
        let image: Vec<u8> = (0..h * w * 3).map(|i| (i * 89 % 251) as u8).collect();
        let one = |i: usize| {
            let (y, x, channel) = ((i / 3 / w) as i64, (i / 3 % w) as i64, i % 3);
            let mut sum = 8;
            for (dy, row) in [[1, 2, 1], [2, 4, 2], [1, 2, 1]].iter().enumerate() {
                for (dx, weight) in row.iter().enumerate() {
                    let y = (y + dy as i64 - 1).clamp(0, h as i64 - 1) as usize;
                    let x = (x + dx as i64 - 1).clamp(0, w as i64 - 1) as usize;
                    sum += u32::from(image[(y * w + x) * 3 + channel]) * weight;
                }
            }
            (sum / 16) as u8
        };
        let want: Vec<u8> = (0..h * w * 3).map(one).collect();
        for d in devices() {
            let found = ten::blur::run(&d, &d.array([h, w, 3], &image).unwrap());
            assert_eq!(found.unwrap().to_vec().unwrap(), want);
        }
    }
}

#[test]
fn softmax() {
    for (h, w) in SIZES {
        // Powers of these alone would be infinite.
        let x: Vec<f32> = floats(h * w).iter().map(|x| x * 3.0 + 100.0).collect();
        let row = |row: &[f32]| {
            let powers: Vec<f64> = row.iter().map(|x| f64::from(*x).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.iter().map(|power| power / sum).collect::<Vec<_>>()
        };
        let want: Vec<f64> = x.chunks(w).flat_map(row).collect();
        for d in devices() {
            let found = ten::softmax::run(&d, &d.array([h, w], &x).unwrap()).unwrap();
            let found = found.to_vec().unwrap();
            assert_eq!(found.len(), want.len());
            for (found, want) in found.iter().zip(&want) {
                assert!(
                    (f64::from(*found) / want - 1.0).abs() < 1e-4,
                    "{found} is not {want}"
                );
            }
        }
    }
}

#[test]
fn histogram() {
    for n in LENGTHS {
        let x: Vec<u32> = (0..n as u32).map(|i| i * i % 1000).collect();
        let mut want = vec![0u32; 1000];
        x.iter().for_each(|x| want[*x as usize] += 1);
        for d in devices() {
            let found = ten::histogram::run(&d, &d.array([n], &x).unwrap());
            assert_eq!(found.unwrap().to_vec().unwrap(), want);
        }
    }
}

#[test]
fn pi() {
    let (threads, throws) = (1000, 50);
    let mut want = 0;
    for t in 0..threads {
        let mut seed = 747_796_405u32.wrapping_mul(t).wrapping_add(1);
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / 16_777_216.0
        };
        want += (0..throws)
            .filter(|_| {
                let (a, b) = (next(), next());
                a * a + b * b < 1.0
            })
            .count() as u32;
    }
    for d in devices() {
        let found = ten::hits::run(&d, threads, throws)
            .unwrap()
            .value()
            .unwrap();
        assert_eq!(found, want);
        near(
            f64::from(found) * 4.0 / 50_000.0 / 10_000.0,
            std::f64::consts::PI / 10_000.0,
            1.0,
        );
    }
}

#[test]
fn above() {
    for n in LENGTHS {
        let x = floats(n);
        let want: Vec<f32> = x.iter().copied().filter(|x| *x > 0.0).collect();
        for d in devices() {
            let found = ten::above::run(&d, &d.array([n], &x).unwrap()).unwrap();
            assert_eq!(found.to_vec().unwrap(), want);
        }
    }
}

#[test]
fn bodies() {
    for n in [0, 1, 2, 33, 200] {
        let x = floats(n * 7);
        let body = |x: &[f32]| Body {
            at: [x[0], x[1], x[2]],
            speed: [x[3], x[4], x[5]],
            mass: x[6] + 1.5,
        };
        let all: Vec<Body> = x.chunks(7).map(body).collect();
        for d in devices() {
            let found = ten::step::compute(&d, [n], (0.1, all.as_slice())).unwrap();
            let found = found.to_vec().unwrap();
            assert_eq!(found.len(), n);
            for (me, found) in all.iter().zip(found) {
                for k in 0..3 {
                    let (mut speed, mut scale) = (f64::from(me.speed[k]), 0.0);
                    for other in &all {
                        let d = |k: usize| f64::from(other.at[k]) - f64::from(me.at[k]);
                        let square = d(0) * d(0) + d(1) * d(1) + d(2) * d(2) + 0.01;
                        let more = 0.1 * f64::from(other.mass) * d(k) / (square * square.sqrt());
                        (speed, scale) = (speed + more, scale + more.abs());
                    }
                    near(found.speed[k].into(), speed, scale);
                    near(found.at[k].into(), f64::from(me.at[k]) + 0.1 * speed, scale);
                }
                assert_eq!(found.mass, me.mass);
            }
        }
    }
}
