//! Loops whose iterations give arrays of other extents than they take, against the same in plain Rust.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EBool, EU32, lit};
use obsidian_rt::prelude::*;
use obsidian_rt::{Device, ErrorKind};

use super::random::{Numbers, first_seed};

#[kernels]
mod m {
    /// Twice as long with each iteration.
    #[arrays]
    pub fn doubled(n: EU32, x: Arr1<EF32>) -> Arr1<EF32> {
        power(n, x, |x| append(x.clone(), x.map(|a| a + 1.0)))
    }

    /// Half as long with each iteration, until one element is left.
    #[arrays]
    pub fn halved(x: Arr1<EU32>) -> Arr1<EU32> {
        awhile(
            x,
            |x| unit(x.len()).map(|n| n.gt(1)),
            |x| {
                let n = x.len() / 2;
                zip_with(|a, b| a + b, x.take(n), x.drop(n).take(n))
            },
        )
    }

    /// Other numbers from the first iteration on.
    #[arrays]
    pub fn shorter(n: EU32) -> Arr1<EU32> {
        power(n, iota(5), |xs| xs.map(|x| x + 1).take(3))
    }
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

fn vector(device: &Device, elements: &[u32]) -> Array<Ix1, u32> {
    device.array([elements.len()], elements).unwrap()
}

#[test]
fn of_modules() {
    for device in devices() {
        let x = device.array([2], &[0.5f32, 10.0]).unwrap();
        let doubled = |n| m::doubled::run(&device, n, &x).unwrap().to_vec().unwrap();
        assert_eq!(doubled(0), [0.5, 10.0]);
        assert_eq!(doubled(2), [0.5, 10.0, 1.5, 11.0, 1.5, 11.0, 2.5, 12.0]);
        let none = device.array([0], &[] as &[f32]).unwrap();
        let none = m::doubled::run(&device, 9, &none).unwrap();
        assert_eq!(none.len(), 0);
        for count in [0, 1, 2, 13, 64] {
            let mut wanted: Vec<u32> = (1..=count).collect();
            let found = m::halved::run(&device, &vector(&device, &wanted)).unwrap();
            while wanted.len() > 1 {
                let n = wanted.len() / 2;
                wanted = (0..n).map(|i| wanted[i] + wanted[i + n]).collect();
            }
            assert_eq!(found.to_vec().unwrap(), wanted, "{count}");
        }
        let shorter = |n| m::shorter::run(&device, n).unwrap().to_vec().unwrap();
        assert_eq!(shorter(0), [0, 1, 2, 3, 4]);
        assert_eq!(shorter(1), [1, 2, 3]);
        assert_eq!(shorter(4), [4, 5, 6]);
    }
}

#[test]
fn what_comes_behind_knows_the_extents() {
    let program = ArrayProgram::build("pascal", |n: EU32, one: Arr1<EU32>| {
        let row = power(n, one, |row| {
            let zero = generate(1u32, |_| lit(0u32));
            let left = append(zero.clone(), row.clone());
            zip_with(|x, y| x + y, left, append(row, zero))
        });
        (
            row.clone(),
            row.sum(),
            row.map(|x| x * 2).reverse(),
            iota(row.len()),
        )
    })
    .unwrap();
    assert_eq!(program.schedule().operators(), 2);
    for device in devices() {
        for n in [0, 1, 5, 31] {
            let one = vector(&device, &[1]);
            let (row, sum, twice, places) = program.run(&device, (n, &one)).unwrap();
            let mut wanted = vec![1u64];
            for _ in 0..n {
                let at = |i: usize| wanted.get(i).copied().unwrap_or(0);
                wanted = (0..=wanted.len())
                    .map(|i| at(i) + at(i.wrapping_sub(1)))
                    .collect();
            }
            let wanted: Vec<u32> = wanted.into_iter().map(|x| x as u32).collect();
            assert_eq!(row.to_vec().unwrap(), wanted);
            assert_eq!(sum.value().unwrap(), 1 << n);
            let mut twice = twice.to_vec().unwrap();
            twice.reverse();
            assert!(
                twice
                    .iter()
                    .zip(&wanted)
                    .all(|(x, y)| *x == y.wrapping_mul(2))
            );
            assert_eq!(places.to_vec().unwrap(), (0..=n).collect::<Vec<u32>>());
        }
    }
    // One array is written an iteration, the longest in the last one: 1 + 5 elements.
    let schedule = program.schedule();
    let [peak, other] = [5, 0].map(|n| schedule.temporary_bytes(&[Some(n), Some(1)]));
    assert_eq!((peak, other), (Some(24), Some(0)));
    assert_eq!(schedule.launches_for(&[Some(5), Some(1)]), Some(6));
    assert_eq!(schedule.temporary_bytes(&[Some(1 << 20), Some(1)]), None);
}

#[test]
fn loops_in_loops_and_states_that_change_places() {
    let nested = ArrayProgram::build("nested", |x: Arr1<EU32>| {
        power(3, x, |x| {
            let y = power(2, x, |x| append(x.clone(), x.map(|a| a + 100)));
            let n = y.len();
            y.take(n - 1)
        })
    })
    .unwrap();
    let swapped = ArrayProgram::build("swapped", |n: EU32, x: Arr1<EU32>, y: Arr1<EU32>| {
        let longer = append(y, iota(1));
        power(n, (x, longer), |(x, y)| (y, x.map(|a| a + 1)))
    })
    .unwrap();
    let turned = ArrayProgram::build("turned", |n: EU32, x: Arr2<EU32>| {
        power(n, x, |x| append(x.transpose(), x.transpose()))
    })
    .unwrap();
    for device in devices() {
        let mut wanted = vec![1u32, 2];
        for _ in 0..3 {
            for _ in 0..2 {
                let more: Vec<u32> = wanted.iter().map(|x| x + 100).collect();
                wanted.extend(more);
            }
            wanted.pop();
        }
        let found = nested.run(&device, &vector(&device, &[1, 2])).unwrap();
        assert_eq!(found.to_vec().unwrap(), wanted);
        let (x, y) = (vector(&device, &[1, 2]), vector(&device, &[7, 8]));
        let (first, second) = swapped.run(&device, (3, &x, &y)).unwrap();
        assert_eq!(first.to_vec().unwrap(), [8, 9, 1]);
        assert_eq!(second.to_vec().unwrap(), [3, 4]);
        let matrix = device.array([2, 3], &[1u32, 2, 3, 4, 5, 6]).unwrap();
        let found = turned.run(&device, (2, &matrix)).unwrap();
        assert_eq!(found.extents(), [4, 6]);
        let row = [1, 2, 3, 1, 2, 3];
        let next = row.map(|x| x + 3);
        assert_eq!(found.to_vec().unwrap(), [row, next, row, next].concat());
    }
}

/// A claim of the outer loop names a number of the inner one, which is another one in each iteration.
#[test]
fn claims_about_inner_loops_are_held_when_these_have_run() {
    let program = ArrayProgram::build("inner", |x: Arr1<EU32>| {
        power(3, x, |x| {
            let n = x.len();
            let y = power(2, x, |y| append(y.clone(), y));
            append(y.take(n), y)
        })
    })
    .unwrap();
    for device in devices() {
        let found = program.run(&device, &vector(&device, &[1, 2])).unwrap();
        assert_eq!(found.to_vec().unwrap(), [1, 2].repeat(125));
    }
}

#[test]
fn loops_inside_of_each() {
    let rows = ArrayProgram::build("rows", |n: EU32, rows: Arr2<EU32>| {
        let longer = |row: Arr1<EU32>| power(n, row, |r| append(r.clone(), r.map(|x| x + 1)));
        each(rows.clone(), longer)
    })
    .unwrap();
    let made = ArrayProgram::build("made", |n: EU32, rows: Arr2<EU32>| {
        each(rows, |row| {
            let y = row.map(|x| x * 2);
            let z = power(n, y.clone(), |y| append(y.clone(), y));
            (y, z)
        })
    })
    .unwrap();
    for device in devices() {
        let given = device.array([2, 3], &[1u32, 2, 3, 4, 5, 6]).unwrap();
        for n in 0..3 {
            let found = rows.run(&device, (n, &given)).unwrap();
            let row = |first: u32| {
                let mut row = vec![first, first + 1, first + 2];
                for _ in 0..n {
                    let more: Vec<u32> = row.iter().map(|x| x + 1).collect();
                    row.extend(more);
                }
                row
            };
            assert_eq!(found.extents(), [2, 3 << n]);
            assert_eq!(found.to_vec().unwrap(), [row(1), row(4)].concat());
            let (y, z) = made.run(&device, (n, &given)).unwrap();
            assert_eq!(y.to_vec().unwrap(), [2, 4, 6, 8, 10, 12]);
            let row = |own: [u32; 3]| own.repeat(1 << n);
            assert_eq!(
                z.to_vec().unwrap(),
                [row([2, 4, 6]), row([8, 10, 12])].concat()
            );
        }
    }
}

/// Numbers of the program text are no reason to refuse what comes behind a loop.
#[test]
fn states_whose_extents_are_literals() {
    let long = ArrayProgram::build("long", || {
        power(3, iota(1), |x| append(x.clone(), x.map(|x| x + 1))).take(5)
    })
    .unwrap();
    let short = ArrayProgram::build("short", |n: EU32| {
        let short = power(n, iota(5), |x| x.take(3));
        zip_with(|a, b| a + b, short, iota(3))
    })
    .unwrap();
    let either = ArrayProgram::build("either", |first: Arr0<EBool>| {
        let long = || power(2, iota(1), |x| append(x.clone(), x));
        if_then(first, long, || iota(4))
    })
    .unwrap();
    for device in devices() {
        let found = long.run(&device, ()).unwrap();
        assert_eq!(found.to_vec().unwrap(), [0, 1, 1, 2, 1]);
        let found = short.run(&device, 2).unwrap();
        assert_eq!(found.to_vec().unwrap(), [0, 2, 4]);
        assert_eq!(
            short.run(&device, 0).map(drop).unwrap_err().kind(),
            ErrorKind::Requirement
        );
        for (first, wanted) in [(true, [0; 4]), (false, [0, 1, 2, 3])] {
            let first = device.array([], &[first]).unwrap();
            assert_eq!(
                either.run(&device, &first).unwrap().to_vec().unwrap(),
                wanted
            );
        }
    }
}

/// The lengths of a round come from memory, and from the round before.
#[test]
fn numbers_of_data_in_such_loops() {
    let sieve = ArrayProgram::build("sieve", |x: Arr1<EU32>| {
        let none = x.take(0);
        let is_left = |(left, _): (Arr1<EU32>, Arr1<EU32>)| unit(left.len()).map(|n| n.gt(0));
        awhile((x, none), is_left, |(left, primes)| {
            let first = left.take(left.len().min(1u32));
            let prime = first.sum().known();
            let left = left.filter(move |a| (a % prime).ne(0));
            (left, append(primes, first))
        })
        .1
    })
    .unwrap();
    for device in devices() {
        let numbers: Vec<u32> = (2..80).collect();
        let found = sieve.run(&device, &vector(&device, &numbers)).unwrap();
        let is_prime = |n: &u32| (2..*n).all(|m| !n.is_multiple_of(m));
        let wanted: Vec<u32> = numbers.into_iter().filter(is_prime).collect();
        assert_eq!(found.to_vec().unwrap(), wanted);
    }
}

/// What an iteration asks of the extents that it takes is asked then, and of no others.
#[test]
fn claims_are_held_in_each_iteration() {
    let program = ArrayProgram::build("claims", |n: EU32, x: Arr1<EU32>, y: Arr1<EU32>| {
        power(n, x, |x| {
            let own = y.take(x.len());
            append(
                zip_with(|a, b| a + b, x, own),
                generate(1u32, |_| lit(0u32)),
            )
        })
    })
    .unwrap();
    for device in devices() {
        let (x, y) = (vector(&device, &[10, 20]), vector(&device, &[1, 2, 3, 4]));
        let found = program.run(&device, (3, &x, &y)).unwrap();
        assert_eq!(found.to_vec().unwrap(), [13, 26, 6, 4, 0]);
        let error = program.run(&device, (4, &x, &y)).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Requirement, "{error}");
        let words = "`take` needs an extent of at least 5, and the array has 4";
        assert!(error.to_string().contains(words), "{error}");
        // A result of an unknown length has no memory before the run.
        let mut room = vector(&device, &[0; 5]);
        let error = program
            .run_into(&device, (3, &x, &y), &mut room)
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoLength, "{error}");
    }
}

/// Extents that are equal for any numbers stay as they are: no number is carried.
#[test]
fn equal_extents_are_seen() {
    let turned = ArrayProgram::build("turned", |n: EU32, x: Arr1<EU32>| {
        power(n, x, |x| append(x.drop(1), x.take(1)))
    })
    .unwrap();
    let longer = ArrayProgram::build("longer", |n: EU32, x: Arr1<EU32>| {
        power(n, x, |x| append(x.clone(), x.take(1)))
    })
    .unwrap();
    let sets = [&turned, &longer].map(|program| sets(&program.schedule().steps));
    assert_eq!(sets, [false, true]);
}

/// Do steps set numbers?
fn sets(steps: &[Step]) -> bool {
    let one = |step: &Step| matches!(step, Step::Set { .. });
    let inside = |step: &Step| step.parts().into_iter().any(|part| sets(part));
    steps.iter().any(|step| one(step) || inside(step))
}

/// What a round does with a vector.
#[derive(Clone, Copy, Debug)]
enum Round {
    Doubled,
    Shorter(u32),
    Begins(u32),
    Turned,
    Longer(u32),
    Kept,
    Summed,
}

impl Round {
    fn random(numbers: &mut Numbers) -> Round {
        let n = 1 + numbers.below(4) as u32;
        match numbers.below(7) {
            0 => Round::Doubled,
            1 => Round::Shorter(n),
            2 => Round::Begins(n),
            3 => Round::Turned,
            4 => Round::Longer(n),
            5 => Round::Kept,
            _ => Round::Summed,
        }
    }

    fn of_arrays(self, x: Arr1<EU32>) -> Arr1<EU32> {
        let len = x.len();
        match self {
            Round::Doubled => append(x.clone(), x.map(|a| a * 3)),
            Round::Shorter(n) => x.take(len - len / (n + 1)),
            Round::Begins(n) => x.drop(len / (n + 2)),
            Round::Turned => zip_with(|a, b| a * 2 + b, x.clone(), x.reverse()),
            Round::Longer(n) => append(iota(n), x),
            Round::Kept => x.filter(|a| (a & 3).ne(1)),
            Round::Summed => x.inclusive_scan(|a, b| a + b),
        }
    }

    fn of_host(self, x: Vec<u32>) -> Vec<u32> {
        let len = x.len();
        match self {
            Round::Doubled => {
                let more = x.iter().map(|a| a.wrapping_mul(3));
                x.iter().copied().chain(more).collect()
            }
            Round::Shorter(n) => x[..len - len / (n as usize + 1)].to_vec(),
            Round::Begins(n) => x[len / (n as usize + 2)..].to_vec(),
            Round::Turned => {
                let both = x.iter().zip(x.iter().rev());
                both.map(|(a, b)| a.wrapping_mul(2).wrapping_add(*b))
                    .collect()
            }
            Round::Longer(n) => (0..n).chain(x).collect(),
            Round::Kept => x.into_iter().filter(|a| a & 3 != 1).collect(),
            Round::Summed => {
                let mut sum = 0u32;
                let sums = x.into_iter().map(|a| {
                    sum = sum.wrapping_add(a);
                    sum
                });
                sums.collect()
            }
        }
    }
}

#[test]
fn random_loops_give_what_vectors_give() {
    let first = first_seed();
    let seeds = match super::is_long() {
        true => 300,
        false => 12,
    };
    for seed in first..first + seeds {
        println!("seed {seed}");
        let mut numbers = Numbers(seed);
        let count = 1 + numbers.below(3);
        let rounds: Vec<Round> = (0..count).map(|_| Round::random(&mut numbers)).collect();
        let own = rounds.clone();
        let program = ArrayProgram::build("random", move |n: EU32, x: Arr1<EU32>| {
            let body = |x| own.iter().fold(x, |x, round| round.of_arrays(x));
            let last = power(n, x, body);
            (last.clone(), last.sum())
        });
        let program = program.unwrap_or_else(|error| panic!("{rounds:?}: {error}"));
        for device in devices() {
            for length in [0, 1, 7, 40] {
                for times in [0, 1, 4] {
                    let given: Vec<u32> = (0..length).map(|i| i * 7 + 2).collect();
                    let mut wanted = given.clone();
                    for _ in 0..times {
                        wanted = rounds.iter().fold(wanted, |x, round| round.of_host(x));
                    }
                    let x = vector(&device, &given);
                    let (found, sum) = program.run(&device, (times, &x)).unwrap();
                    assert_eq!(
                        found.to_vec().unwrap(),
                        wanted,
                        "{rounds:?} {length} {times}"
                    );
                    let total = wanted.iter().fold(0u32, |sum, x| sum.wrapping_add(*x));
                    assert_eq!(sum.value().unwrap(), total);
                }
            }
        }
    }
}
