//! Random programs over arrays of three axes, whose extents are numbers or those of the arrays, beside plain Rust.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EU32, lit, select};
use obsidian_rt::{Device, Kernel, ScalarType};

use super::is_long;
use super::random::{Numbers, first_seed};

/// One operation on an array that was made before.
#[derive(Clone, Debug)]
enum Operation {
    Map(u32),
    Zip(usize),
    Turn,
    Reshape,
    Take,
    Drop,
    Append,
    Reverse,
    Rotate(u32),
    Stencil(usize),
    Scan(bool),
    FoldRows,
    Widen(usize),
    Cut,
    Slice,
    Power(u32),
    Compute,
    Permute,
    Around,
}

fn operation(numbers: &mut Numbers) -> Operation {
    use Operation::*;
    let k = numbers.below(5);
    match numbers.below(19) {
        0 => Map(k as u32 + 3),
        1 => Zip(numbers.below(64)),
        2 => Turn,
        3 => Reshape,
        4 => Take,
        5 => Drop,
        6 => Append,
        7 => Reverse,
        8 => Rotate(k as u32),
        9 => Stencil(k % 4),
        10 => Scan(k.is_multiple_of(2)),
        11 => FoldRows,
        12 => Widen(k + 1),
        13 => Cut,
        14 => Slice,
        15 => Power(k as u32 % 3 + 1),
        16 => Compute,
        17 => Permute,
        _ => Around,
    }
}

/// An array of the host.
#[derive(Clone, Debug)]
struct Host {
    shape: [usize; 3],
    list: Vec<u32>,
}

impl Host {
    fn of(shape: [usize; 3], at: impl Fn([usize; 3]) -> u32) -> Host {
        let [a, b, c] = shape;
        let all = (0..a * b * c).map(|n| at([n / (b * c), n / c % b, n % c]));
        Host {
            shape,
            list: all.collect(),
        }
    }

    fn at(&self, [x, y, z]: [usize; 3]) -> u32 {
        let [_, b, c] = self.shape;
        self.list[(x * b + y) * c + z]
    }
}

/// Where a neighbour is, if it is anywhere.
fn neighbour(which: usize, i: usize, n: usize, by: i64) -> Option<usize> {
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

fn interpret(operation: &Operation, all: &[Host]) -> Option<Host> {
    use Operation::*;
    let own = all.last()?;
    let [a, b, c] = own.shape;
    Some(match operation {
        Map(k) => Host::of(own.shape, |i| own.at(i).wrapping_mul(*k).wrapping_add(1)),
        Zip(n) => {
            let same: Vec<&Host> = all.iter().filter(|x| x.shape == own.shape).collect();
            let other = same[n % same.len()];
            Host::of(own.shape, |i| own.at(i).wrapping_mul(3) ^ other.at(i))
        }
        Turn => Host::of([c, b, a], |[x, y, z]| own.at([z, y, x])),
        Reshape => Host {
            shape: [b, c, a],
            list: own.list.clone(),
        },
        Take => Host::of([a, b, c.div_ceil(2)], |i| own.at(i)),
        Drop => Host::of([a, b, c - c / 2], |[x, y, z]| own.at([x, y, z + c / 2])),
        Append if a * b * c > 4000 => return None,
        Append => Host::of([a, b, 2 * c], |[x, y, z]| own.at([x, y, z % c])),
        Reverse => Host::of(own.shape, |[x, y, z]| own.at([x, y, c - 1 - z])),
        Rotate(k) => Host::of(own.shape, |[x, y, z]| own.at([x, y, (z + *k as usize) % c])),
        Stencil(which) => {
            let at = |[x, y, z]: [usize; 3], by: [i64; 3]| {
                let place = [
                    neighbour(*which, x, a, by[0])?,
                    neighbour(*which, y, b, by[1])?,
                    neighbour(*which, z, c, by[2])?,
                ];
                Some(own.at(place))
            };
            Host::of(own.shape, |i| {
                let [left, right] = [[0, 0, -1], [1, -1, 1]].map(|by| at(i, by).unwrap_or(17));
                left.wrapping_add(right ^ own.at(i))
            })
        }
        Scan(inclusive) => {
            let mut list = Vec::new();
            for row in own.list.chunks(c.max(1)) {
                let mut sum = 5u32;
                for x in row {
                    let next = sum.wrapping_add(*x);
                    list.push(if *inclusive {
                        next.wrapping_sub(5)
                    } else {
                        sum
                    });
                    sum = next;
                }
            }
            Host {
                shape: own.shape,
                list,
            }
        }
        FoldRows => Host::of(own.shape, |[x, y, z]| {
            let row = (0..c).map(|z| own.at([x, y, z]));
            own.at([x, y, z]) ^ row.fold(11, u32::wrapping_add)
        }),
        Widen(_) if a * b * c > 4000 => return None,
        Widen(n) => Host::of([a, b + n, c + n], |[x, y, z]| match y < b && z < c {
            true => own.at([x, y, z]),
            false => 99,
        }),
        Cut => Host::of([a.div_ceil(2), b, c.div_ceil(2)], |i| own.at(i)),
        Slice => Host::of([2, b, c], |[_, y, z]| own.at([a / 2, y, z])),
        Power(n) => {
            let mut state = own.clone();
            for _ in 0..*n {
                state = Host::of(own.shape, |[x, y, z]| {
                    state
                        .at([x, y, (z + 1) % c])
                        .wrapping_add(own.at([x, y, z]))
                });
            }
            state
        }
        Compute => own.clone(),
        Permute => {
            let mut list: Vec<u32> = own.list.iter().map(|x| x & 7).collect();
            for x in &own.list {
                let place = *x as usize % own.list.len();
                list[place] = list[place].wrapping_add(*x);
            }
            Host {
                shape: own.shape,
                list,
            }
        }
        Around => Host::of(own.shape, |[x, y, z]| {
            own.at([(x + 1) % a, (y + 3) % b, (z * 5 + 1) % c])
        }),
    })
}

fn boundary(which: usize) -> Boundary<EU32, Ix3> {
    match which {
        0 => Clamp,
        1 => Wrap,
        2 => Mirror,
        _ => Constant(lit(17)),
    }
}

type Shape = (EU32, EU32, EU32);

/// An operation on an array, whose extents are numbers or its own.
fn apply(
    operation: &Operation,
    own: &Arr3<EU32>,
    same: &[Arr3<EU32>],
    (a, b, c): Shape,
) -> Arr3<EU32> {
    use Operation::*;
    match operation.clone() {
        Map(k) => own.map(move |x| x * k + 1),
        Zip(n) => zip_with(
            |x, y| (x * 3) ^ y,
            own.clone(),
            same[n % same.len()].clone(),
        ),
        Turn => backpermute((c, b, a), |(x, y, z)| (z, y, x), own.clone()),
        Reshape => own.reshape((b, c, a)),
        Take => own.take(c - c / 2),
        Drop => own.drop(c / 2),
        Append => append(own.clone(), own.clone()),
        Reverse => own.reverse(),
        Rotate(k) => own.rotate(k),
        Stencil(which) => own.stencil(boundary(which), |w| {
            w.at((0, 0, -1)) + (w.at((1, -1, 1)) ^ w.at((0, 0, 0)))
        }),
        Scan(true) => own.inclusive_scan(|x, y| x + y),
        Scan(false) => own.exclusive_scan(|x, y| x + y, lit(5)),
        FoldRows => {
            let sums = own.fold(|x, y| x + y, lit(11));
            zip_with(|x, y| x ^ y, own.clone(), sums.replicate_inner(c))
        }
        Widen(n) => {
            let (own, n) = (own.clone(), n as u32);
            generate((a, b + n, c + n), move |(x, y, z)| {
                select(y.lt(b) & z.lt(c), own.at((x, y, z)), lit(99))
            })
        }
        Cut => {
            let own = own.clone();
            generate((a - a / 2, b, c - c / 2), move |i| own.at(i))
        }
        Slice => own.slice_outer(a / 2).replicate(2u32),
        Power(n) => {
            let other = own.clone();
            power(n, own.clone(), |state| {
                zip_with(|x, y| x + y, state.rotate(1), other)
            })
        }
        Compute => own.compute(),
        Permute => {
            let (all, few) = (own.flatten(), own.flatten().map(|x| x & 7));
            let n = a * b * c;
            let changed = all.permute(|x, y| x + y, few, move |_, x: EU32| (lit(true), x % n));
            changed.reshape((a, b, c))
        }
        Around => {
            let own = own.clone();
            generate((a, b, c), move |(x, y, z)| {
                own.at(((x + 1) % a, (y + 3) % b, (z * 5 + 1) % c))
            })
        }
    }
}

/// A program of operations: with literal extents those of the host's arrays are numbers.
fn program(
    operations: &[Operation],
    hosts: &[Host],
    literal: bool,
    (xs, shape): (Arr1<EU32>, Shape),
) -> Arr3<EU32> {
    let extents = |host: &Host| host.shape.map(|n| lit(n as u32));
    let shape = match literal {
        true => {
            let [a, b, c] = extents(&hosts[0]);
            (a, b, c)
        }
        false => shape,
    };
    let mut all = vec![xs.reshape(shape)];
    for (n, operation) in operations.iter().enumerate() {
        let own = all[n].clone();
        let shape = match literal {
            true => {
                let [a, b, c] = extents(&hosts[n]);
                (a, b, c)
            }
            false => own.shape(),
        };
        let same = all.iter().zip(hosts);
        let same = same.filter(|(_, host)| host.shape == hosts[n].shape);
        let same: Vec<_> = same.map(|(arr, _)| arr.clone()).collect();
        all.push(apply(operation, &own, &same, shape));
    }
    all.pop().unwrap()
}

const EXTENTS: [usize; 12] = [1, 2, 3, 4, 5, 8, 16, 17, 33, 40, 100, 257];

/// Runs a random program both ways, with at least and at most these numbers of operations. Gives in how many of the two ways it ran.
fn check(seed: u64, [least, most]: [usize; 2]) -> usize {
    let mut numbers = Numbers(seed);
    let mut shape = [1; 3];
    while shape == [1; 3] || shape.iter().product::<usize>() > 6000 {
        shape = [0; 3].map(|_| EXTENTS[numbers.below(EXTENTS.len())]);
    }
    let mut host = vec![elements(&mut numbers, shape)];
    let first = host.clone();
    let count = least + numbers.below(most - least + 1);
    let mut operations = Vec::new();
    while operations.len() < count {
        let next = operation(&mut numbers);
        if let Some(next_host) = interpret(&next, &host) {
            operations.push(next);
            host.push(next_host);
        }
    }
    let devices = match seed % 8 {
        0 => vec![Device::cpu(), Device::simulator()],
        _ => vec![Device::cpu()],
    };
    let [first] = first.try_into().unwrap();
    check_operations(&format!("seed {seed}"), first, operations, &devices)
}

/// An array of random elements.
fn elements(numbers: &mut Numbers, shape: [usize; 3]) -> Host {
    let n = shape.iter().product();
    Host {
        shape,
        list: (0..n).map(|_| numbers.below(1 << 20) as u32).collect(),
    }
}

/// Runs these operations both ways, with extents that are numbers and without. Gives in how many of the two ways they ran: if they are many, lengths may
/// be formulas too long.
fn check_operations(
    name: &str,
    first: Host,
    operations: Vec<Operation>,
    devices: &[Device],
) -> usize {
    let (shape, xs) = (first.shape, first.list.clone());
    let mut hosts = vec![first];
    for next in &operations {
        let host = interpret(next, &hosts).expect("an operation that is possible");
        hosts.push(host);
    }
    let n = xs.len();
    let want = hosts.last().unwrap();
    let mut ran = 0;
    for literal in [true, false] {
        let (given, known) = (operations.clone(), hosts.clone());
        let built = ArrayProgram::build(
            "random",
            move |xs: Arr1<EU32>, a: EU32, b: EU32, c: EU32| {
                program(&given, &known, literal, (xs, (a, b, c)))
            },
        );
        let says = || format!("{name}, literal {literal}, {shape:?}, {operations:?}");
        let (given, known) = (operations.clone(), hosts.clone());
        let untyped = AnyProgram::build("random", |inputs| {
            let xs = inputs.array(1, &[ScalarType::U32]).ranked().to();
            let [a, b, c] = [0; 3].map(|_| inputs.number());
            vec![program(&given, &known, literal, (xs, (a, b, c))).untyped()]
        });
        let built = match built {
            // Lengths that are formulas of the lengths before them grow with their number.
            Err(e)
                if operations.len() > 6
                    && !literal
                    && e.to_string().contains("thousands of steps") =>
            {
                println!("{}: an extent is a formula too long", says());
                continue;
            }
            built => built.unwrap_or_else(|e| panic!("{}: {e}", says())),
        };
        ran += 1;
        // Without types it is the same program.
        let untyped = untyped.unwrap_or_else(|e| panic!("{}: {e}", says()));
        let texts = |kernels: &[Kernel]| -> Vec<String> {
            kernels
                .iter()
                .map(|kernel| kernel.cuda().to_owned())
                .collect()
        };
        assert_eq!(built.schedule(), untyped.schedule(), "{}", says());
        assert_eq!(
            texts(built.kernels()),
            texts(untyped.kernels()),
            "{}",
            says()
        );
        for d in devices {
            let array = d.array([n], &xs).unwrap();
            let [a, b, c] = shape.map(|n| n as u32);
            let found = built.run(d, (&array, a, b, c));
            let found = found.unwrap_or_else(|e| panic!("{}: {e}", says()));
            assert_eq!(found.extents(), want.shape, "{}", says());
            assert_eq!(found.to_vec().unwrap(), want.list, "{}", says());
        }
    }
    ran
}

#[test]
fn random_programs_run_with_extents_of_both_kinds() {
    let first = first_seed();
    let count = if is_long() { 1000 } else { 60 };
    let ran: usize = (first..first + count).map(|seed| check(seed, [1, 6])).sum();
    assert_eq!(ran as u64, 2 * count);
}

/// Lengths of three halvings of two axes are products of many terms.
#[test]
fn halved_three_times() {
    for seed in [179, 891] {
        assert_eq!(check(seed, [1, 6]), 2);
    }
}

/// The number of elements is a product of 18 terms, and a scan writes row by row.
#[test]
fn a_scan_of_extents_of_many_terms() {
    use Operation::*;
    let devices = [Device::cpu(), Device::simulator()];
    for last in [Scan(false), Scan(true), FoldRows, Reverse] {
        for shape in [[17, 40, 1], [1, 1, 1], [4, 3, 9]] {
            let first = elements(&mut Numbers(1), shape);
            let operations = vec![Cut, Widen(5), Turn, Widen(1), last.clone()];
            assert_eq!(check_operations("18 terms", first, operations, &devices), 2);
        }
    }
}

/// What is stored between them is the planner's choice.
#[test]
fn random_programs_of_many_operators_run() {
    let first = first_seed();
    let count = if is_long() { 100 } else { 5 };
    let ran: usize = (first..first + count)
        .map(|seed| check(seed, [20, 60]))
        .sum();
    println!("{ran} of {} programs ran", 2 * count);
    // With extents that are numbers all of them run.
    assert!(ran as u64 >= count + count / 2, "{ran} of {}", 2 * count);
}
