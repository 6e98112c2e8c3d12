//! Sorts of array programs, beside those of the standard library.

use std::cmp::Ordering;

use obsidian_rt::Device;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EBool, EF32, EI32, EU32, EU64, lit, pure};

const LENGTHS: [usize; 11] = [0, 1, 2, 31, 33, 256, 1000, 8191, 8192, 8193, 65_537];

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

/// Numbers that say nothing to each other, from a seed.
fn random(seed: u64) -> impl Iterator<Item = u64> {
    println!("seed {seed}");
    let mut state = seed;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    })
}

/// Keys in several orders: random, equal, sorted, reversed, few.
fn orders<T: Copy>(
    n: usize,
    compare: impl Fn(&T, &T) -> Ordering,
    of: impl Fn(u64) -> T,
) -> Vec<Vec<T>> {
    let any: Vec<T> = random(n as u64 + 1).take(n).map(&of).collect();
    let mut sorted = any.clone();
    sorted.sort_by(&compare);
    let reversed = sorted.iter().rev().copied().collect();
    let equal = vec![of(77); n];
    let few = random(n as u64 + 2).take(n).map(|x| of(x % 3)).collect();
    vec![any, sorted, reversed, equal, few]
}

/// Sorts elements of a type, on both devices, in several orders.
macro_rules! sorts {
    ($test:ident, $ty:ty, $compare:expr, $of:expr) => {
        #[test]
        fn $test() {
            let program =
                ArrayProgram::build("sorted", |xs: Arr1<obsidian_rt::language::Exp<$ty>>| {
                    xs.sort()
                });
            let program = program.unwrap();
            let bytes = std::mem::size_of::<$ty>();
            assert_eq!(
                program.schedule().operators(),
                2 + bytes,
                "{}",
                program.schedule()
            );
            for n in LENGTHS {
                for d in devices() {
                    if n > 1000 && d.name() == "simulator" && n != 8193 {
                        continue;
                    }
                    for (which, xs) in orders(n, $compare, $of).into_iter().enumerate() {
                        // The simulator has time for some of the orders, and each length for others.
                        let is_left_out = n > 300 && (which + n) % 3 > 0;
                        if d.name() == "simulator" && is_left_out && !crate::is_long() {
                            continue;
                        }
                        let mut want = xs.clone();
                        want.sort_by($compare);
                        let found = program.run(&d, &d.array([n], &xs).unwrap()).unwrap();
                        let found = found.to_vec().unwrap();
                        let mut pairs = found.iter().zip(&want);
                        let same = pairs.all(|(x, y)| x.to_ne_bytes() == y.to_ne_bytes());
                        assert!(found.len() == n && same, "{n} {found:?}");
                    }
                }
            }
        }
    };
}

sorts!(bytes, u8, u8::cmp, |x| x as u8);
sorts!(signed_bytes, i8, i8::cmp, |x| x as i8);
sorts!(short_numbers, u16, u16::cmp, |x| x as u16);
sorts!(short_signed_numbers, i16, i16::cmp, |x| x as i16);
sorts!(numbers, u32, u32::cmp, |x| x as u32);
sorts!(signed_numbers, i32, i32::cmp, |x| x as i32);
sorts!(long_numbers, u64, u64::cmp, |x| x);
sorts!(long_signed_numbers, i64, i64::cmp, |x| x as i64);
// Any bits: NaNs, infinities and zeros of both signs among them.
sorts!(floats, f32, f32::total_cmp, |x| match x % 8 {
    0 => -0.0,
    1 => 0.0,
    2 => f32::NAN,
    3 => -f32::NAN,
    4 => f32::NEG_INFINITY,
    5 => 1.5,
    _ => f32::from_bits((x >> 32) as u32),
});
sorts!(long_floats, f64, f64::total_cmp, |x| match x % 8 {
    0 => -0.0,
    1 => f64::from_bits(x),
    2 => f64::NAN,
    3 => -f64::NAN,
    _ => x as i64 as f64 / 1e12,
});

/// Equal keys keep their order, and pairs are sorted by their first parts first.
#[test]
fn sorts_are_stable() {
    let program = ArrayProgram::build("stable", |xs: Arr1<(EI32, EU32)>, flags: Arr1<EBool>| {
        let by_key = xs.sort_by_key(|(key, _)| key);
        let whole = xs.sort();
        let by_flag = zip(flags, xs.clone()).sort_by_key(|(flag, _)| flag);
        let by_both = xs.sort_by_key(|(key, value)| (key.cast::<u8>(), value));
        (by_key, whole, by_flag.map(|(_, x)| x), by_both)
    });
    let program = program.unwrap();
    for n in LENGTHS {
        for d in devices() {
            if n > 1000 && d.name() == "simulator" {
                continue;
            }
            let keys = random(n as u64 + 3).take(n).map(|x| (x % 5) as i32 - 2);
            let xs: Vec<(i32, u32)> = keys.zip((0..n as u32).rev()).collect();
            let flags: Vec<bool> = random(n as u64 + 4).take(n).map(|x| x % 2 == 0).collect();
            let given = (d.array([n], &xs).unwrap(), d.array([n], &flags).unwrap());
            let found = program.run(&d, (&given.0, &given.1)).unwrap();
            let mut want = xs.clone();
            want.sort_by_key(|x| x.0);
            assert_eq!(found.0.to_vec().unwrap(), want, "{n}");
            want.sort();
            assert_eq!(found.1.to_vec().unwrap(), want, "{n}");
            let mut pairs: Vec<_> = flags.iter().zip(&xs).collect();
            pairs.sort_by_key(|x| x.0);
            let want: Vec<_> = pairs.into_iter().map(|x| *x.1).collect();
            assert_eq!(found.2.to_vec().unwrap(), want, "{n}");
            let mut want = xs.clone();
            want.sort_by_key(|x| (x.0 as u8, x.1));
            assert_eq!(found.3.to_vec().unwrap(), want, "{n}");
        }
    }
}

/// What is in front of a sort, what is behind it, and a sort of few bits.
#[test]
fn sorts_fuse() {
    let program = ArrayProgram::build("fused", |xs: Arr1<EF32>| {
        let sorted = xs.map(|x| x * x).sort_by_bits(10, |x| x.cast::<u32>());
        zip_with(|x, y| x - y, sorted.clone(), sorted.reverse())
    });
    let program = program.unwrap();
    assert_eq!(program.schedule().operators(), 5, "{}", program.schedule());
    let apart = Settings {
        fuse: false,
        ..Settings::default()
    };
    let unfused = ArrayProgram::build_with("unfused", apart, |xs: Arr1<EF32>| {
        let sorted = xs.map(|x| x * x).sort_by_bits(10, |x| x.cast::<u32>());
        zip_with(|x, y| x - y, sorted.clone(), sorted.reverse())
    });
    let unfused = unfused.unwrap();
    for n in [0, 1, 2, 33, 1000, 8193] {
        for d in devices() {
            let xs: Vec<f32> = random(n as u64 + 5)
                .take(n)
                .map(|x| (x % 90) as f32)
                .collect();
            let mut sorted: Vec<f32> = xs.iter().map(|x| x * x).collect();
            sorted.sort_by_key(|x| *x as u32 % 1024);
            let want: Vec<f32> = sorted
                .iter()
                .zip(sorted.iter().rev())
                .map(|(x, y)| x - y)
                .collect();
            let given = d.array([n], &xs).unwrap();
            for program in [&program, &unfused] {
                assert_eq!(
                    program.run(&d, &given).unwrap().to_vec().unwrap(),
                    want,
                    "{n}"
                );
            }
            let mut into = d.array([n], &vec![f32::NAN; n]).unwrap();
            program.run_into(&d, &given, &mut into).unwrap();
            assert_eq!(into.to_vec().unwrap(), want, "{n}");
        }
    }
}

/// How long a sorted array is, may be known only when the program has run.
#[test]
fn what_is_kept_is_sorted() {
    let program = ArrayProgram::build("kept", |xs: Arr1<EU32>| {
        let kept = xs.filter(|x| x.gt(100u32)).sort_by_bits(8, |x| x);
        let once = kept.unique(|x, y| x.eq(y));
        (once, kept.map(|x| x + 1))
    });
    let program = program.unwrap();
    for n in [0usize, 1, 33, 1000, 9000] {
        for d in devices() {
            let xs: Vec<u32> = random(n as u64 + 6)
                .take(n)
                .map(|x| x as u32 % 256)
                .collect();
            let mut want: Vec<u32> = xs.iter().copied().filter(|x| *x > 100).collect();
            want.sort();
            let found = program.run(&d, &d.array([n], &xs).unwrap()).unwrap();
            let next: Vec<u32> = want.iter().map(|x| x + 1).collect();
            assert_eq!(found.1.to_vec().unwrap(), next, "{n}");
            want.dedup();
            assert_eq!(found.0.to_vec().unwrap(), want, "{n}");
        }
    }
}

/// The places of sorted elements, how long their runs are, and a sort in each iteration of a loop.
#[test]
fn sorts_in_larger_programs() {
    let program = ArrayProgram::build("runs", |xs: Arr1<EU32>, n: EU32| {
        let order = xs.indexed().sort_by_key(|(_, x)| x % 10).map(|(i, _)| i);
        let sorted = xs.map(|x| x % 10).sort();
        let begins = sorted.unique(|x, y| x.eq(y));
        let counts = begins.map({
            let all = sorted.clone();
            move |x| (x, all.len())
        });
        let mixed = power(n, xs.clone(), |xs| {
            xs.map(|x| x * 7 % 1009).sort().reverse()
        });
        let again = begins.expand(|x| x, |x, j| x * 100 + j);
        (order, counts, mixed, again)
    });
    let program = program.unwrap();
    for n in [0usize, 1, 33, 1000, 8193] {
        for d in devices() {
            if n > 1000 && d.name() == "simulator" {
                continue;
            }
            let xs: Vec<u32> = random(n as u64 + 9)
                .take(n)
                .map(|x| x as u32 % 1009)
                .collect();
            let found = program.run(&d, (&d.array([n], &xs).unwrap(), 3)).unwrap();
            let mut order: Vec<u32> = (0..n as u32).collect();
            order.sort_by_key(|i| xs[*i as usize] % 10);
            assert_eq!(found.0.to_vec().unwrap(), order, "{n}");
            let mut begins: Vec<u32> = xs.iter().map(|x| x % 10).collect();
            begins.sort();
            begins.dedup();
            let counts: Vec<(u32, u32)> = begins.iter().map(|x| (*x, n as u32)).collect();
            assert_eq!(found.1.to_vec().unwrap(), counts, "{n}");
            let mut mixed = xs.clone();
            for _ in 0..3 {
                mixed.iter_mut().for_each(|x| *x = *x * 7 % 1009);
                mixed.sort();
                mixed.reverse();
            }
            assert_eq!(found.2.to_vec().unwrap(), mixed, "{n}");
            let again = begins
                .iter()
                .flat_map(|x| (0..*x).map(move |j| x * 100 + j));
            assert_eq!(
                found.3.to_vec().unwrap(),
                again.collect::<Vec<u32>>(),
                "{n}"
            );
        }
    }
}

/// How many launches a program makes of a vector of `n` elements.
fn launches(schedule: &Schedule, n: u64) -> usize {
    let is_made = |step: &&Step| match step {
        Step::Launch { only, .. } => only.as_ref().is_none_or(|only| only.holds(&[Some(n)])),
        _ => false,
    };
    schedule.steps.iter().filter(is_made).count()
}

/// What one block has room for is sorted in one launch, whatever the elements are, and all else in passes.
#[test]
fn few_elements_are_one_launch() {
    type Long = (EU32, (EU32, (EU32, (EU32, (EU32, (EU32, (EU32, EU32)))))));
    let threes = ArrayProgram::build("threes", |xs: Arr1<(EU32, EU32, EI32)>| xs.sort());
    let eights = ArrayProgram::build("eights", |xs: Arr1<EU32>| {
        let more = |x: EU32| x ^ 0x55;
        let of = move |x: EU32| -> Long {
            let y = more(x);
            (x % 7, (y, (x, (y, (x, (y, (x, y)))))))
        };
        xs.map(of).sort_by_key(|(key, _)| key).map(|(_, (y, _))| y)
    });
    let (threes, eights) = (threes.unwrap(), eights.unwrap());
    for (few, program) in [(2560, threes.schedule()), (1024, eights.schedule())] {
        let behind = usize::from(few == 1024);
        assert_eq!(launches(program, few), 1 + behind, "{program}");
        assert_eq!(launches(program, few + 1), program.operators(), "{program}");
    }
    for n in [1, 97, 1023, 1024, 1025, 2559, 2560, 2561, 5000] {
        for d in devices() {
            let xs: Vec<(u32, u32, i32)> = random(n as u64 + 21)
                .take(n)
                .map(|x| {
                    (
                        x as u32 % 3,
                        (x >> 20) as u32 % 1000,
                        (x >> 40) as i32 - (1 << 22),
                    )
                })
                .collect();
            let mut want = xs.clone();
            want.sort();
            let found = threes.run(&d, &d.array([n], &xs).unwrap()).unwrap();
            assert_eq!(found.to_vec().unwrap(), want, "{n}");
            let xs: Vec<u32> = random(n as u64 + 22).take(n).map(|x| x as u32).collect();
            let mut want = xs.clone();
            want.sort_by_key(|x| x % 7);
            let want: Vec<u32> = want.into_iter().map(|x| x ^ 0x55).collect();
            let found = eights.run(&d, &d.array([n], &xs).unwrap()).unwrap();
            assert_eq!(found.to_vec().unwrap(), want, "{n}");
        }
    }
}

/// How many there are may be known when the program is built; and what else a program does with the elements of a sort leaves the sort right.
#[test]
fn few_elements_beside_others() {
    let first = |n: u32| {
        let program = ArrayProgram::build("first", move |xs: Arr1<EU32>| {
            let some = obsidian_rt::arrays::generate(n, {
                let xs = xs.clone();
                move |i| xs.at(i)
            });
            (some.sort(), xs.map(|x| x / 3), xs.sort_by_bits(4, |x| x))
        });
        program.unwrap()
    };
    let (short, long) = (first(100), first(9000));
    assert_eq!(
        launches(short.schedule(), 9000),
        1 + 1 + 3,
        "{}",
        short.schedule()
    );
    assert_eq!(
        launches(long.schedule(), 9000),
        6 + 1 + 3,
        "{}",
        long.schedule()
    );
    for d in devices() {
        let xs: Vec<u32> = random(31).take(9001).map(|x| x as u32).collect();
        let given = d.array([xs.len()], &xs).unwrap();
        for (n, program) in [(100, &short), (9000, &long)] {
            let (some, thirds, by_bits) = program.run(&d, &given).unwrap();
            let mut want = xs[..n].to_vec();
            want.sort();
            assert_eq!(some.to_vec().unwrap(), want);
            let want: Vec<u32> = xs.iter().map(|x| x / 3).collect();
            assert_eq!(thirds.to_vec().unwrap(), want);
            let mut want = xs.clone();
            want.sort_by_key(|x| x % 16);
            assert_eq!(by_bits.to_vec().unwrap(), want);
        }
    }
}

/// Keys that run loops, read other arrays and assert are asked of elements that are there, and of no others.
#[test]
fn keys_of_few_elements_that_act() {
    use obsidian_rt::language::{assert_that, seq_iterate};
    let powers = ArrayProgram::build("powers", |xs: Arr1<EU32>| {
        xs.sort_by_key(|x| seq_iterate(x % 9, |_, p| p * 3, lit(1u32)))
    });
    let places = ArrayProgram::build("places", |xs: Arr1<EU32>, n: EU32| {
        let by = xs.clone();
        obsidian_rt::arrays::generate(n, |i| i).sort_by_key(move |i| by.at(i))
    });
    let before = ArrayProgram::build("before", |xs: Arr1<EU32>, ys: Arr1<EF32>| {
        xs.sort_by_key(move |x| ys.at(x - 1))
    });
    let asserted = ArrayProgram::build("asserted", |xs: Arr1<EU32>| {
        xs.sort_by_key(|x| assert_that(x.gt(0u32), "above 0").and_then(move |()| pure(x % 50)))
    });
    let (powers, places) = (powers.unwrap(), places.unwrap());
    let (before, asserted) = (before.unwrap(), asserted.unwrap());
    for n in [0usize, 1, 31, 600, 9000] {
        for d in devices() {
            let xs: Vec<u32> = random(n as u64 + 41)
                .take(n)
                .map(|x| 1 + x as u32 % 1000)
                .collect();
            let ys: Vec<f32> = (0..1000u32).map(|i| (i * 37 % 100) as f32 - 50.0).collect();
            let (given, by) = (d.array([n], &xs).unwrap(), d.array([1000], &ys).unwrap());
            let mut want = xs.clone();
            want.sort_by_key(|x| 3u32.pow(x % 9));
            assert_eq!(
                powers.run(&d, &given).unwrap().to_vec().unwrap(),
                want,
                "{n}"
            );
            let mut want: Vec<u32> = (0..n as u32).collect();
            want.sort_by_key(|i| xs[*i as usize]);
            let found = places.run(&d, (&given, n as u32)).unwrap();
            assert_eq!(found.to_vec().unwrap(), want, "{n}");
            let mut want = xs.clone();
            want.sort_by(|x, y| ys[*x as usize - 1].total_cmp(&ys[*y as usize - 1]));
            let found = before.run(&d, (&given, &by)).unwrap();
            assert_eq!(found.to_vec().unwrap(), want, "{n}");
            let mut want = xs.clone();
            want.sort_by_key(|x| x % 50);
            assert_eq!(
                asserted.run(&d, &given).unwrap().to_vec().unwrap(),
                want,
                "{n}"
            );
        }
    }
}

/// Keys of more bytes than are counted at once.
#[test]
fn few_elements_of_long_keys_are_one_launch() {
    let program = ArrayProgram::build("long", |xs: Arr1<(EU64, EU64, EU64)>| xs.sort());
    let program = program.unwrap();
    let schedule = program.schedule();
    assert_eq!(launches(schedule, 1024), 1, "{schedule}");
    assert_eq!(launches(schedule, 1025), 24 + 4, "{schedule}");
    assert_eq!(schedule.temporary_bytes(&[Some(1000)]), Some(0));
    for n in [1, 1000, 1024, 1025] {
        for d in devices() {
            let xs: Vec<(u64, u64, u64)> = random(n as u64 + 51)
                .take(n)
                .map(|x| ((x % 2) << 60, (x >> 8) & 3, x << 3))
                .collect();
            let mut want = xs.clone();
            want.sort();
            let found = program.run(&d, &d.array([n], &xs).unwrap()).unwrap();
            assert_eq!(found.to_vec().unwrap(), want, "{n}");
        }
    }
}

/// What is sorted goes through its passes, whatever else a program makes of the same array.
#[test]
fn sorts_beside_folds_of_the_same_array() {
    let program = ArrayProgram::build("beside", |xs: Arr1<EU32>, ys: Arr1<EU32>| {
        let product = zip_with(|x, y| x * y, xs.clone(), ys.clone()).sum();
        (xs.sum(), xs.sort(), product, ys.sort(), xs.max())
    });
    let program = program.unwrap();
    assert_eq!(
        program.schedule().operators(),
        2 * 6 + 1,
        "{}",
        program.schedule()
    );
    for n in [1usize, 1000, 8193, 30_000] {
        for d in devices() {
            let xs: Vec<u32> = random(n as u64 + 61).take(n).map(|x| x as u32).collect();
            let ys: Vec<u32> = random(n as u64 + 62).take(n).map(|x| x as u32).collect();
            let given = [&xs, &ys].map(|of| d.array([n], of).unwrap());
            let found = program.run(&d, (&given[0], &given[1])).unwrap();
            let sum = xs.iter().fold(0u32, |sum, x| sum.wrapping_add(*x));
            assert_eq!(found.0.value().unwrap(), sum);
            let products = xs.iter().zip(&ys).map(|(x, y)| x.wrapping_mul(*y));
            assert_eq!(
                found.2.value().unwrap(),
                products.fold(0, u32::wrapping_add)
            );
            assert_eq!(Some(&found.4.value().unwrap()), xs.iter().max());
            for (found, of) in [(&found.1, &xs), (&found.3, &ys)] {
                let mut want = of.clone();
                want.sort();
                assert_eq!(found.to_vec().unwrap(), want, "{n}");
            }
        }
    }
}
