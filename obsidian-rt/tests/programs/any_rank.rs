//! Random programs over arrays of 0 to 5 axes, whose shapes and elements only the program knows, beside plain Rust.

use obsidian_executor::Executor;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EBool, EF64, EI32, lit, select};
use obsidian_rt::{Device, ScalarType};

use super::is_long;
use super::random::{Numbers, first_seed};

/// One operation on the array that was made last.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Map(i32),
    Zip(usize),
    /// Along an axis.
    Take(usize),
    Drop(usize),
    Reverse(usize),
    Rotate(usize, u32),
    Append(usize),
    Scan(usize),
    Fold(usize),
    Transpose(Vec<usize>),
    Flatten,
    /// One more axis of extent 1, at a place.
    Lift(usize),
    Replicate(u32),
    ReplicateInner(u32),
    Slice(bool),
    /// Read at other indices, with a border.
    Around,
    Compute,
    Power(u32),
    /// As pairs and as doubles, and back.
    Pairs,
    Doubles,
}

pub(super) fn operation(numbers: &mut Numbers, rank: usize) -> Operation {
    use Operation::*;
    let n = numbers.below(64) as u32;
    let axis = numbers.below(rank.max(1));
    match numbers.below(20) {
        0 => Map(n as i32 - 30),
        1 => Zip(n as usize),
        2 => Take(axis),
        3 => Drop(axis),
        4 => Reverse(axis),
        5 => Rotate(axis, n % 5),
        6 => Append(axis),
        7 => Scan(axis),
        8 => Fold(axis),
        9 => {
            let mut order: Vec<usize> = (0..rank).collect();
            for k in (1..rank).rev() {
                order.swap(k, numbers.below(k + 1));
            }
            Transpose(order)
        }
        10 => Flatten,
        11 => Lift(numbers.below(rank + 1)),
        12 => Replicate(n % 4),
        13 => ReplicateInner(n % 3 + 1),
        14 => Slice(n.is_multiple_of(2)),
        15 => Around,
        16 => Compute,
        17 => Power(n % 3),
        18 => Pairs,
        _ => Doubles,
    }
}

/// An array of the host.
#[derive(Clone, Debug)]
pub(super) struct Host {
    pub(super) shape: Vec<usize>,
    pub(super) list: Vec<i32>,
}

/// The index of the element with a number.
fn unfold(mut number: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (own, extent) in index.iter_mut().zip(shape).rev() {
        *own = number % extent;
        number /= extent;
    }
    index
}

impl Host {
    fn of(shape: &[usize], at: impl Fn(&[usize]) -> i32) -> Host {
        let all = (0..shape.iter().product()).map(|n| at(&unfold(n, shape)));
        Host {
            shape: shape.to_vec(),
            list: all.collect(),
        }
    }

    fn at(&self, index: &[usize]) -> i32 {
        assert_eq!(index.len(), self.shape.len());
        let number = index.iter().zip(&self.shape).fold(0, |n, (i, e)| n * e + i);
        self.list[number]
    }

    /// Other elements of an axis.
    fn moved(&self, axis: usize, extent: usize, place: impl Fn(usize) -> usize) -> Host {
        let mut shape = self.shape.clone();
        shape[axis] = extent;
        Host::of(&shape, |index| {
            let mut index = index.to_vec();
            index[axis] = place(index[axis]);
            self.at(&index)
        })
    }
}

/// The result on the host, unless the operation does not fit.
pub(super) fn interpret(operation: &Operation, all: &[Host]) -> Option<Host> {
    use Operation::*;
    let own = all.last()?;
    let (rank, shape) = (own.shape.len(), &own.shape);
    let needs_axis = !matches!(
        operation,
        Map(_)
            | Zip(_)
            | Transpose(_)
            | Flatten
            | Lift(_)
            | Replicate(_)
            | ReplicateInner(_)
            | Around
            | Compute
            | Power(_)
            | Pairs
            | Doubles
    );
    let grows = matches!(operation, Append(_) | Replicate(_) | ReplicateInner(_));
    let more_axes = matches!(operation, Lift(_) | Replicate(_) | ReplicateInner(_));
    if needs_axis && rank == 0 || grows && own.list.len() > 3000 || more_axes && rank == 5 {
        return None;
    }
    Some(match operation {
        Map(k) => Host::of(shape, |i| own.at(i).wrapping_mul(*k).wrapping_sub(7)),
        Zip(n) => {
            let same: Vec<&Host> = all.iter().filter(|x| x.shape == *shape).collect();
            let other = same[n % same.len()];
            Host::of(shape, |i| {
                own.at(i).wrapping_sub(other.at(i).wrapping_mul(5))
            })
        }
        Take(k) => own.moved(*k, shape[*k] / 2, |i| i),
        Drop(k) => own.moved(*k, shape[*k] - shape[*k] / 2, |i| i + shape[*k] / 2),
        Reverse(k) => own.moved(*k, shape[*k], |i| shape[*k] - 1 - i),
        Rotate(k, by) => own.moved(*k, shape[*k], |i| (i + *by as usize) % shape[*k]),
        Append(k) => own.moved(*k, 2 * shape[*k], |i| i % shape[*k]),
        Scan(k) => Host::of(shape, |index| {
            let mut index = index.to_vec();
            let last = index[*k];
            let mut sum = 0i32;
            for i in 0..=last {
                index[*k] = i;
                sum = sum.wrapping_add(own.at(&index));
            }
            sum
        }),
        Fold(k) => {
            let mut outer = shape.clone();
            outer.remove(*k);
            Host::of(&outer, |index| {
                let mut index = index.to_vec();
                index.insert(*k, 0);
                let mut sum = 3i32;
                for i in 0..shape[*k] {
                    index[*k] = i;
                    sum = sum.wrapping_add(own.at(&index));
                }
                sum
            })
        }
        Transpose(order) => {
            let turned: Vec<usize> = order.iter().map(|k| shape[*k]).collect();
            Host::of(&turned, |index| {
                let mut own_index = vec![0; rank];
                for (k, i) in order.iter().zip(index) {
                    own_index[*k] = *i;
                }
                own.at(&own_index)
            })
        }
        Flatten => Host {
            shape: vec![own.list.len()],
            list: own.list.clone(),
        },
        Lift(k) => {
            let mut shape = shape.clone();
            shape.insert(*k, 1);
            Host {
                shape,
                list: own.list.clone(),
            }
        }
        Replicate(n) => {
            let mut wide = vec![*n as usize];
            wide.extend(shape);
            Host::of(&wide, |i| own.at(&i[1..]))
        }
        ReplicateInner(n) => {
            let mut wide = shape.clone();
            wide.push(*n as usize);
            Host::of(&wide, |i| own.at(&i[..rank]))
        }
        Slice(outer) => {
            let axis = if *outer { 0 } else { rank - 1 };
            if shape[axis] == 0 {
                return None;
            }
            let mut rest = shape.clone();
            rest.remove(axis);
            Host::of(&rest, |index| {
                let mut index = index.to_vec();
                index.insert(axis, shape[axis] / 2);
                own.at(&index)
            })
        }
        Around => {
            let wide: Vec<usize> = shape.iter().map(|n| n + 1).collect();
            if wide.iter().product::<usize>() > 6000 {
                return None;
            }
            Host::of(&wide, |index| {
                match index.iter().zip(shape).all(|(i, n)| i < n) {
                    true => own.at(index),
                    false => -1,
                }
            })
        }
        Compute | Pairs | Doubles => own.clone(),
        Power(n) => {
            let mut state = own.clone();
            for _ in 0..*n {
                state = match rank {
                    0 => state,
                    _ => state.moved(rank - 1, shape[rank - 1], |i| (i + 1) % shape[rank - 1]),
                };
                state = Host::of(shape, |i| state.at(i).wrapping_add(own.at(i)));
            }
            state
        }
    })
}

fn int(x: &AnyElement) -> EI32 {
    x.to()
}

fn plus(x: AnyElement, y: AnyElement) -> AnyElement {
    AnyElement::of(int(&x) + int(&y))
}

pub(super) fn apply(operation: &Operation, own: &AnyArr, same: &[AnyArr]) -> AnyArr {
    use Operation::*;
    match operation.clone() {
        Map(k) => own.map(move |x| AnyElement::of(int(&x) * k - 7)),
        Zip(n) => zip_with(
            |x, y| AnyElement::of(int(&x) - int(&y) * 5),
            own.clone(),
            same[n % same.len()].clone(),
        ),
        Take(k) => own.along(k, |x| x.take(own.shape()[k] / 2)),
        Drop(k) => own.along(k, |x| x.drop(own.shape()[k] / 2)),
        Reverse(k) => own.along(k, |x| x.reverse()),
        Rotate(k, by) => own.along(k, |x| x.rotate(by)),
        Append(k) => own.along(k, |x| append(x.clone(), x)),
        Scan(k) => own.along(k, |x| x.inclusive_scan(plus)),
        Fold(k) => own.axis(k).fold(plus, AnyElement::of(lit(3i32))),
        Transpose(order) => own.transpose_axes(&order),
        Flatten => own.reshape(vec![own.len()]),
        Lift(k) => {
            let mut shape = own.shape();
            shape.insert(k, lit(1));
            own.reshape(shape)
        }
        Replicate(n) => own.replicate(n),
        ReplicateInner(n) => own.replicate_inner(n),
        Slice(true) => own.slice_outer(own.shape()[0] / 2),
        Slice(false) => own.slice_inner(own.shape()[own.rank() - 1] / 2),
        Around => {
            let (own, shape) = (own.clone(), own.shape());
            let wide: Vec<_> = shape.iter().map(|n| *n + 1).collect();
            generate(wide, move |index: Vec<_>| {
                let inside = index.iter().zip(&shape).map(|(i, n)| i.lt(*n));
                let inside: EBool = inside.reduce(|a, b| a & b).unwrap_or_else(|| lit(true));
                AnyElement::of(select(inside, int(&own.at(index)), lit(-1)))
            })
        }
        Compute => own.compute(),
        Power(n) => {
            let other = own.clone();
            power(n, own.clone(), move |state| {
                let turned = match state.rank() {
                    0 => state,
                    _ => state.rotate(1),
                };
                zip_with(plus, turned, other)
            })
        }
        Pairs => {
            let pairs = own.map(|x| AnyElement::of((int(&x), int(&x).lt(0))));
            let pairs = pairs.compute().to::<(EI32, EBool)>();
            pairs.map(|(x, below)| select(below, x, x)).untyped()
        }
        Doubles => {
            let doubles = own.map(|x| AnyElement::of(int(&x).cast::<f64>()));
            doubles.to::<EF64>().map(|x| x.cast::<i32>()).untyped()
        }
    }
}

const EXTENTS: [usize; 10] = [0, 1, 2, 3, 5, 7, 13, 31, 64, 257];

pub(super) fn draw(numbers: &mut Numbers, rank: usize) -> Vec<usize> {
    (0..rank)
        .map(|_| EXTENTS[numbers.below(EXTENTS.len())])
        .collect()
}

fn check(seed: u64, executor: Option<&Executor>) {
    let mut numbers = Numbers(seed);
    let rank = numbers.below(6);
    let mut shape = match rank {
        1 => vec![65_537],
        _ => draw(&mut numbers, rank),
    };
    // A vector may be as long as that; of other shapes 3,000 elements are enough.
    let is_long = rank == 1 && seed.is_multiple_of(16);
    while !is_long && shape.iter().product::<usize>() > 3000 {
        shape = draw(&mut numbers, rank);
    }
    let n: usize = shape.iter().product();
    let xs: Vec<i32> = (0..n)
        .map(|_| numbers.below(1 << 20) as i32 - 500_000)
        .collect();
    let mut hosts = vec![Host {
        shape: shape.clone(),
        list: xs.clone(),
    }];
    let count = 1 + numbers.below(7);
    let mut operations = Vec::new();
    while operations.len() < count {
        let rank = hosts.last().map_or(0, |host| host.shape.len());
        let next = operation(&mut numbers, rank);
        if let Some(host) = interpret(&next, &hosts) {
            operations.push(next);
            hosts.push(host);
        }
    }
    let says = || format!("seed {seed}, {shape:?}, {operations:?}");
    let program = AnyProgram::build("random", |inputs| {
        let mut all = vec![inputs.array(rank, &[ScalarType::I32])];
        for (n, operation) in operations.iter().enumerate() {
            let same = all.iter().zip(&hosts);
            let same = same.filter(|(_, host)| host.shape == hosts[n].shape);
            let same: Vec<_> = same.map(|(arr, _)| arr.clone()).collect();
            all.push(apply(operation, &all[n], &same));
        }
        // All of them are results: more than a typed program has.
        all
    });
    let program = program.unwrap_or_else(|e| panic!("{}: {e}", says()));
    let mut devices = vec![Device::cpu()];
    if seed.is_multiple_of(4) {
        devices.push(Device::simulator());
    }
    if let Some(executor) = executor.filter(|_| seed.is_multiple_of(30)) {
        devices.push(executor.device());
    }
    for device in devices {
        let x = AnyArray::new(&device, &shape, &xs).unwrap();
        let results = program.run(&device, &[&x]);
        let results = results.unwrap_or_else(|e| panic!("{}: {e}", says()));
        assert_eq!(results.len(), hosts.len());
        for (n, (found, want)) in results.iter().zip(&hosts).enumerate() {
            assert_eq!(found.extents(), want.shape, "result {n} of {}", says());
            let found = found.to_vec::<i32>().unwrap();
            assert_eq!(found, want.list, "result {n} of {}", says());
        }
    }
}

#[test]
fn random_programs_of_any_rank_are_right() {
    let first = first_seed();
    let executor = Executor::find();
    if executor.is_none() {
        println!("skipped: programs of any rank as executed text, because there is no g++");
    }
    for seed in first..first + if is_long() { 5000 } else { 120 } {
        check(seed, executor.as_ref());
    }
}

#[test]
fn arrays_have_up_to_eight_axes() {
    let build = |rank: usize| {
        AnyProgram::build("f", |inputs| {
            let x = inputs.array(rank, &[ScalarType::I32]);
            vec![
                x.map(|x| AnyElement::of(int(&x) + 1)),
                x.axis(0).fold(plus, AnyElement::of(lit(0))),
            ]
        })
    };
    for rank in 1..=MOST_AXES {
        let shape = vec![2; rank];
        let xs: Vec<i32> = (0..1 << rank).collect();
        let half = 1 << (rank - 1);
        for device in [Device::cpu(), Device::simulator()] {
            let x = AnyArray::new(&device, &shape, &xs).unwrap();
            let found = build(rank).unwrap().run(&device, &[&x]).unwrap();
            let [next, sums] = [0, 1].map(|n| found[n].to_vec::<i32>().unwrap());
            assert!(next.into_iter().eq(1..=1 << rank), "{rank} axes");
            assert!(
                sums.into_iter().eq((0..half).map(|i| 2 * i + half)),
                "{rank} axes"
            );
        }
    }
    let wrong = build(9).unwrap_err().to_string();
    assert!(
        wrong.contains("has 9 axes, and an array has at most 8"),
        "{wrong}"
    );
}
