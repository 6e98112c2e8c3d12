//! Array programs whose elements say where they go, and how often: beside plain Rust.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF32, EI64, EU8, EU32, lit};
use obsidian_rt::{Device, ErrorKind};

const LENGTHS: [usize; 10] = [0, 1, 2, 31, 33, 1000, 1023, 1025, 8193, 65_537];

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

/// Is a length too long for the simulator in a test?
fn is_long(n: usize, d: &Device) -> bool {
    n > 1100 && d.name() == "simulator"
}

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32)
        .map(|i| (i + 1).wrapping_mul(2_654_435_769) >> 7)
        .collect()
}

#[test]
fn counts_of_keys() {
    let program = ArrayProgram::build("histogram", |keys: Arr1<EU32>, bins: EU32| {
        let ones = keys.map(|_| lit(1u32));
        ones.permute(|x, y| x + y, fill(bins, lit(0u32)), {
            let keys = keys.clone();
            move |i, _| (lit(true), keys.at(i) % bins)
        })
    });
    let program = program.unwrap();
    assert_eq!(program.schedule().operators(), 2, "{}", program.schedule());
    for n in LENGTHS {
        for bins in [1u32, 2, 255, 1000] {
            for d in devices() {
                if is_long(n, &d) {
                    continue;
                }
                let keys = numbers(n);
                let mut want = vec![0u32; bins as usize];
                keys.iter().for_each(|key| want[(key % bins) as usize] += 1);
                let found = program
                    .run(&d, (&d.array([n], &keys).unwrap(), bins))
                    .unwrap();
                assert_eq!(found.to_vec().unwrap(), want, "{n} {bins}");
                let mut into = d
                    .array([bins as usize], &vec![7u32; bins as usize])
                    .unwrap();
                let keys = d.array([n], &keys).unwrap();
                program.run_into(&d, (&keys, bins), &mut into).unwrap();
                assert_eq!(into.to_vec().unwrap(), want, "{n} {bins}");
            }
        }
    }
}

/// Several operators at once, a matrix to go into, conditions, and defaults that are not neutral.
#[test]
fn whole_numbers_are_combined_in_a_matrix() {
    let program = ArrayProgram::build(
        "matrix",
        |xs: Arr2<(EU32, EI64)>, defaults: Arr2<(EU32, EI64)>| {
            xs.permute(
                |x, y| (x.0 ^ y.0, x.1.min(y.1)),
                defaults,
                |(y, x), (key, _)| ((key & 3u32).ne(0u32), (y % 3, (x + key) % 5)),
            )
        },
    );
    let program = program.unwrap();
    for (h, w) in [(0, 3), (1, 1), (3, 5), (33, 31), (7, 300)] {
        for d in devices() {
            let keys = numbers(h * w);
            let xs: Vec<(u32, i64)> = keys
                .iter()
                .map(|k| (*k, i64::from(*k) * -3_000_000_007))
                .collect();
            let defaults: Vec<(u32, i64)> =
                (0..15).map(|i| (i * 1000, -5 * i64::from(i))).collect();
            let mut want = defaults.clone();
            for (at, (key, value)) in xs.iter().enumerate() {
                if key % 4 != 0 {
                    let place = (at / w % 3) * 5 + (at % w + *key as usize) % 5;
                    let own = &mut want[place];
                    *own = (own.0 ^ key, own.1.min(*value));
                }
            }
            let (xs, defaults) = (
                d.array([h, w], &xs).unwrap(),
                d.array([3, 5], &defaults).unwrap(),
            );
            let found = program.run(&d, (&xs, &defaults)).unwrap();
            assert_eq!(found.to_vec().unwrap(), want, "{h} {w}");
        }
    }
}

/// Arrays around the length up to which blocks have elements of their own, known to the program or to the run alone; each operator.
#[test]
fn short_and_long_arrays_are_combined_alike() {
    let of_length = |bins: u32, known: bool| {
        let program = ArrayProgram::build("kinds", move |xs: Arr1<EU32>, length: EU32| {
            let length = if known { lit(bins) } else { length };
            let place = move |_: EU32, x: EU32| ((x & 7u32).ne(0u32), x % length);
            let three = |x: (EU32, EU32, EU32), y: (EU32, EU32, EU32)| {
                (x.0.min(y.0), x.1.max(y.1), x.2 & y.2)
            };
            let least = (lit(u32::MAX - 5), lit(77u32), lit(0xffff_fff0u32));
            (
                xs.permute(|x, y| x + y, fill(length, lit(3u32)), place),
                xs.map(|x| (x, x, x))
                    .permute(three, fill(length, least), move |i, (x, _, _)| place(i, x)),
                xs.map(|x| (x, x)).permute(
                    |x, y| (x.0 | y.0, x.1 ^ y.1),
                    fill(length, (lit(8u32), lit(0x5555u32))),
                    move |i, (x, _)| place(i, x),
                ),
            )
        });
        program.unwrap()
    };
    let known = [1, 682, 683, 1024, 1025].map(|bins| (bins, true));
    let late = [1, 3, 682, 683, 1023, 1024, 1025, 4000].map(|bins| (bins, false));
    for (bins, known) in known.into_iter().chain(late) {
        let program = of_length(bins, known);
        for (n, d) in [0, 1, 33, 1023, 8191, 8193, 65_537]
            .into_iter()
            .flat_map(|n| devices().map(|d| (n, d)))
            .filter(|(n, d)| !is_long(*n, d))
        {
            let xs = numbers(n);
            let want = |start: u32, f: fn(u32, u32) -> u32| {
                let mut all = vec![start; bins as usize];
                for x in xs.iter().filter(|x| *x & 7 != 0) {
                    let own = &mut all[(x % bins) as usize];
                    *own = f(*own, *x);
                }
                all
            };
            let found = program.run(&d, (&d.array([n], &xs).unwrap(), bins));
            let found = found.unwrap();
            let words = format!("{bins} {known} {n} {}", d.name());
            let sums = want(3, u32::wrapping_add);
            assert_eq!(found.0.to_vec().unwrap(), sums, "{words}");
            let (least, most) = (want(u32::MAX - 5, u32::min), want(77, u32::max));
            let common = want(0xffff_fff0, |x, y| x & y);
            let three: Vec<(u32, u32, u32)> = (0..bins as usize)
                .map(|k| (least[k], most[k], common[k]))
                .collect();
            assert_eq!(found.1.to_vec().unwrap(), three, "{words}");
            let (any, odd) = (want(8, |x, y| x | y), want(0x5555, |x, y| x ^ y));
            let two: Vec<(u32, u32)> = any.into_iter().zip(odd).collect();
            assert_eq!(found.2.to_vec().unwrap(), two, "{words}");
        }
    }
}

/// Places outside of arrays for which blocks have elements of their own, and of longer ones.
#[test]
fn places_outside_are_errors_whether_blocks_have_elements_of_their_own() {
    let program = ArrayProgram::build("counts", |places: Arr1<EU32>, length: EU32| {
        let ones = places.map(|_| lit(1u32));
        let places = places.clone();
        ones.permute(
            |x, y| x + y,
            fill(length, lit(0u32)),
            move |i, _| (lit(true), places.at(i)),
        )
    });
    let program = program.unwrap();
    for (length, outside) in [
        (1u32, 1u32),
        (1000, 1000),
        (1000, 1023),
        (1024, 1024),
        (1024, u32::MAX),
        (1025, 1025),
        (5000, 70_000),
    ] {
        for d in devices() {
            let mut places: Vec<u32> = (0..1000).map(|i| i % length).collect();
            places[500] = outside;
            let places = d.array([1000], &places).unwrap();
            let error = program
                .run(&d, (&places, length))
                .and_then(|found| found.to_vec());
            let error = error.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
            let words = error.to_string();
            // Where a place is moved, the largest number stands for any that is outside.
            let index = match outside {
                u32::MAX => "is outside".to_owned(),
                outside => format!("index {outside} is outside"),
            };
            assert!(
                words.contains(&index) && words.contains(&format!("has length {length}")),
                "{words}"
            );
        }
    }
}

type M = (u32, u32, u32, u32);
type EM = (EU32, EU32, EU32, EU32);

fn times((a, b, c, d): M, (e, f, g, h): M) -> M {
    let dot = |x: u32, y: u32, z: u32, w: u32| x.wrapping_mul(y).wrapping_add(z.wrapping_mul(w));
    (
        dot(a, e, b, g),
        dot(a, f, b, h),
        dot(c, e, d, g),
        dot(c, f, d, h),
    )
}

fn etimes((a, b, c, d): EM, (e, f, g, h): EM) -> EM {
    (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
}

/// Functions that no atomic operation does: elements of one place in their order, behind the default.
#[test]
fn functions_that_do_not_commute_keep_the_order() {
    let known = ArrayProgram::build("known", |xs: Arr1<(EU32, EM)>| {
        xs.map(|(_, m)| m).permute(
            etimes,
            fill(7, (lit(3u32), lit(1u32), lit(2u32), lit(5u32))),
            {
                let xs = xs.clone();
                move |i, _| {
                    let key = xs.at(i).0;
                    ((key % 5).ne(0u32), key % 7)
                }
            },
        )
    });
    let any = ArrayProgram::build("any", |xs: Arr1<(EU32, EM)>, n: EU32| {
        xs.map(|(_, m)| m).permute(
            etimes,
            fill(n, (lit(3u32), lit(1u32), lit(2u32), lit(5u32))),
            {
                let xs = xs.clone();
                move |i, _| {
                    let key = xs.at(i).0;
                    ((key % 5).ne(0u32), key % n)
                }
            },
        )
    });
    let (known, any) = (known.unwrap(), any.unwrap());
    assert!(known.schedule().operators() <= 17, "{}", known.schedule());
    assert!(any.schedule().operators() <= 17, "{}", any.schedule());
    for n in LENGTHS {
        for d in devices() {
            if is_long(n, &d) {
                continue;
            }
            let of = |(i, key): (usize, u32)| (key, (i as u32 % 3, i as u32 % 5 + 1, key % 11, 1));
            let xs: Vec<(u32, M)> = numbers(n).into_iter().enumerate().map(of).collect();
            let want = |places: u32| {
                let mut want = vec![(3, 1, 2, 5); places as usize];
                for (key, m) in xs.iter().filter(|(key, _)| key % 5 != 0) {
                    let own = &mut want[(key % places) as usize];
                    *own = times(*own, *m);
                }
                want
            };
            let given = d.array([n], &xs).unwrap();
            assert_eq!(
                known.run(&d, &given).unwrap().to_vec().unwrap(),
                want(7),
                "{n}"
            );
            for places in [1, 2, 300] {
                let found = any.run(&d, (&given, places)).unwrap().to_vec().unwrap();
                assert_eq!(found, want(places), "{n} {places}");
            }
        }
    }
}

/// Sums of floats have the same bits on all devices, and are near sums in double precision. Bytes have no atomic operations.
#[test]
fn floats_and_bytes() {
    let program = ArrayProgram::build("sums", |xs: Arr1<EF32>, keys: Arr1<EU32>| {
        let place = |i: EU32, _: EF32| (lit(true), i % 10);
        let floats = xs.permute(|x, y| x + y, fill(10, lit(0.5f32)), place);
        let bytes = keys.map(|key| key.cast::<u8>());
        let bytes: Arr1<EU8> =
            bytes.permute(|x, y| x + y, fill(10, lit(1u8)), |i, _| (lit(true), i % 10));
        (floats, bytes)
    });
    let program = program.unwrap();
    for n in LENGTHS {
        let mut bits: Vec<Vec<u32>> = Vec::new();
        for d in devices() {
            if is_long(n, &d) {
                continue;
            }
            let keys = numbers(n);
            let xs: Vec<f32> = keys.iter().map(|key| *key as f32 * 1e-3).collect();
            let given = (d.array([n], &xs).unwrap(), d.array([n], &keys).unwrap());
            let (floats, bytes) = program.run(&d, (&given.0, &given.1)).unwrap();
            let (floats, bytes) = (floats.to_vec().unwrap(), bytes.to_vec().unwrap());
            for place in 0..10 {
                let of_place = || (place..n).step_by(10);
                let want: f64 = 0.5 + of_place().map(|i| f64::from(xs[i])).sum::<f64>();
                assert!(
                    (f64::from(floats[place]) - want).abs() <= 1e-5 * want,
                    "{n} {place}"
                );
                let want = of_place().fold(1u8, |sum, i| sum.wrapping_add(keys[i] as u8));
                assert_eq!(bytes[place], want, "{n} {place}");
            }
            bits.push(floats.iter().map(|x| x.to_bits()).collect());
        }
        assert!(bits.iter().all(|own| *own == bits[0]), "{n}");
    }
}

#[test]
fn the_last_element_of_a_place_stays() {
    let program = ArrayProgram::build(
        "scatter",
        |xs: Arr1<(EU32, EF32)>, places: Arr1<EU32>, defaults: Arr1<(EU32, EF32)>| {
            xs.map(|(i, x)| (i + 1, x)).scatter(places, defaults)
        },
    );
    let program = program.unwrap();
    for n in LENGTHS {
        for d in devices() {
            if is_long(n, &d) {
                continue;
            }
            let m = n / 2 + 3;
            let places: Vec<u32> = numbers(n).iter().map(|key| key % m as u32).collect();
            let xs: Vec<(u32, f32)> = (0..n).map(|i| (i as u32, -(i as f32))).collect();
            let defaults: Vec<(u32, f32)> = (0..m).map(|i| (77, i as f32)).collect();
            let mut want = defaults.clone();
            for (x, place) in xs.iter().zip(&places) {
                want[*place as usize] = (x.0 + 1, x.1);
            }
            let [xs, defaults] =
                [(n, &xs), (m, &defaults)].map(|(n, all)| d.array([n], all).unwrap());
            let places = d.array([n], &places).unwrap();
            let found = program.run(&d, (&xs, &places, &defaults)).unwrap();
            assert_eq!(found.to_vec().unwrap(), want, "{n}");
            // What is given stays as it is.
            assert_eq!(defaults.to_vec().unwrap()[m - 1], (77, (m - 1) as f32));
        }
    }
    let d = Device::cpu();
    let (xs, places) = (
        d.array([2], &[(1u32, 1f32); 2]).unwrap(),
        d.array([3], &[0u32; 3]).unwrap(),
    );
    let error = program
        .run(&d, (&xs, &places, &xs))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`scatter`") && error.contains("extents 3 and 2"),
        "{error}"
    );
}

/// A place that is outside is an error on every device, however elements are combined.
#[test]
fn places_outside_are_errors() {
    let scatter = ArrayProgram::build("scatter", |xs: Arr1<EU32>, places: Arr1<EU32>| {
        xs.scatter(places, fill(4, lit(0u32)))
    });
    let sums = ArrayProgram::build("sums", |xs: Arr1<EU32>, places: Arr1<EU32>| {
        let xs = zip(xs, places);
        let sums = xs.permute(
            |x, y| (x.0 + y.0, x.1),
            fill(4, (lit(0u32), lit(0u32))),
            |_, (_, place)| (lit(true), place),
        );
        sums.map(|(sum, _)| sum)
    });
    let matrix = ArrayProgram::build("matrix", |xs: Arr1<EU32>, places: Arr1<EU32>| {
        let xs = zip(xs, places);
        let both = |x: (EU32, EU32), y: (EU32, EU32)| (x.0 + y.0, x.1 | y.1);
        let filled = fill((2, 2), (lit(0u32), lit(0u32)));
        xs.permute(both, filled, |_, (_, place)| {
            (lit(true), (place / 2, place % 2))
        })
        .map(|(sum, _)| sum)
        .flatten()
    });
    for d in devices() {
        for (name, program) in [("scatter", &scatter), ("sums", &sums), ("matrix", &matrix)] {
            let program = program.as_ref().unwrap();
            let xs = d.array([3], &[1u32, 2, 3]).unwrap();
            let places = d.array([3], &[1u32, 3, 0]).unwrap();
            let right = program.run(&d, (&xs, &places)).unwrap().to_vec().unwrap();
            assert_eq!(right, [3, 1, 0, 2], "{name}");
            for outside in [4, 5, u32::MAX] {
                let places = d.array([3], &[1u32, outside, 0]).unwrap();
                let found = program
                    .run(&d, (&xs, &places))
                    .and_then(|found| found.to_vec());
                let error = found.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Fault, "{name} {outside}: {error}");
                assert!(error.to_string().contains("places.rs"), "{name}: {error}");
            }
        }
    }
}

#[test]
fn elements_several_times() {
    let program = ArrayProgram::build("expand", |xs: Arr1<EU32>| {
        let all = xs.expand(|x| x % 5, |x, j| (x, j));
        (
            all.map(|(x, j)| x * 10 + j),
            all.fold(|x, y| (x.0 + y.0, x.1 + y.1), (lit(0u32), lit(0u32))),
        )
    });
    let program = program.unwrap();
    for n in LENGTHS {
        for d in devices() {
            if is_long(n, &d) {
                continue;
            }
            for xs in [numbers(n), vec![5; n], vec![4; n], (0..n as u32).collect()] {
                let each = |x: &u32| (0..*x % 5).map(move |j| (*x, j)).collect::<Vec<_>>();
                let all: Vec<(u32, u32)> = xs.iter().flat_map(each).collect();
                let want: Vec<u32> = all
                    .iter()
                    .map(|(x, j)| x.wrapping_mul(10).wrapping_add(*j))
                    .collect();
                let sum = all.iter().fold((0u32, 0u32), |sum, x| {
                    (sum.0.wrapping_add(x.0), sum.1 + x.1)
                });
                let found = program.run(&d, &d.array([n], &xs).unwrap()).unwrap();
                assert_eq!(found.0.to_vec().unwrap(), want, "{n}");
                assert_eq!(found.1.value().unwrap(), sum, "{n}");
            }
        }
    }
    // More than fit are an error, and not the sum without its carry.
    let program = ArrayProgram::build("expand", |xs: Arr1<EU32>| xs.expand(|x| x, |x, j| x + j));
    let d = Device::cpu();
    let xs = d.array([3], &[1u32 << 31, 1 << 31, 2]).unwrap();
    let error = program.unwrap().run(&d, &xs).unwrap_err().to_string();
    assert!(error.contains("`expand`"), "{error}");
}

/// An element outside is an error, too, where elements that go nowhere are sorted behind it.
#[test]
fn a_place_outside_beside_elements_that_go_nowhere() {
    let program = ArrayProgram::build("outside", |xs: Arr1<EF32>, n: EU32| {
        xs.permute(|x, y| x + y, fill(n, lit(0f32)), |i, x| (x.gt(0.0), i - 1))
    });
    let known = ArrayProgram::build("known", |xs: Arr1<EF32>| {
        xs.permute(|x, y| x + y, fill(7, lit(0f32)), |i, x| (x.gt(0.0), i + 7))
    });
    let (program, known) = (program.unwrap(), known.unwrap());
    for d in devices() {
        let xs = d.array([2], &[1.0f32, -1.0]).unwrap();
        for found in [program.run(&d, (&xs, 5)), known.run(&d, &xs)] {
            let error = found.and_then(|found| found.to_vec()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
        }
        let xs = d.array([2], &[-1.0f32, 1.0]).unwrap();
        let found = program.run(&d, (&xs, 2)).unwrap().to_vec().unwrap();
        assert_eq!(found, [1.0, 0.0]);
    }
}
