//! Random programs of 5 to 30 operations, beside an interpreter over vectors; and each with every setting, to the bit.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EU32, lit, select};
use obsidian_rt::{Device, ErrorKind};
use obsidian_tests::sweep::long;

/// Numbers from a seed: SplitMix64.
#[derive(Clone)]
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// One operation; numbers are those of vectors and matrices made before, modulo how many there are.
#[derive(Clone, Debug)]
pub enum Operation {
    Map(usize, usize, u32),
    Zip(usize, usize, usize),
    Reverse(usize),
    Rotate(usize, u32),
    TakeAndAppend(usize, usize),
    Gather(usize, usize),
    Stencil(usize),
    Fold(usize, usize),
    Loop(usize),
    Replicate(usize),
    MapRows(usize, usize),
    ZipRows(usize, usize),
    Transpose(usize),
    FoldRows(usize, usize),
    Flatten(usize),
    Row(usize, u32),
    Compute(usize),
    Inline(usize),
    Scan(usize, usize),
    ScanRight(usize, usize),
    ScanRows(usize, usize),
    Filter(usize, u32),
    Window(usize, usize),
    WindowRows(usize, usize),
    Combine(usize, usize, usize, u32),
    Segments(usize, usize, usize),
    Unique(usize),
    Sort(usize),
    SortBits(usize, u32),
    Power(usize, usize, usize, u32),
    While(usize),
    Either(usize, usize, u32),
}

pub fn operation(numbers: &mut Numbers) -> Operation {
    use Operation::*;
    let (a, b, k) = (
        numbers.below(64),
        numbers.below(64),
        numbers.below(5) as u32,
    );
    match numbers.below(37) {
        0 => Map(a, numbers.below(4), k),
        1 => Zip(a, b, numbers.below(3)),
        2 => Reverse(a),
        3 => Rotate(a, k * 3),
        4 => TakeAndAppend(a, b),
        5 => Gather(a, b),
        6 => Stencil(a),
        7 => Fold(a, numbers.below(4)),
        8 => Loop(a),
        9 => Replicate(a),
        10 => MapRows(a, numbers.below(4)),
        11 => ZipRows(a, b),
        12 => Transpose(a),
        13 => FoldRows(a, numbers.below(4)),
        14 => Flatten(a),
        15 => Row(a, k),
        16 => Compute(a),
        17 => Inline(a),
        18 => Scan(a, numbers.below(4)),
        19 => ScanRight(a, numbers.below(4)),
        20 => ScanRows(a, numbers.below(4)),
        21 => Filter(a, k),
        22 => Window(a, numbers.below(4)),
        23 => WindowRows(a, numbers.below(4)),
        // What is not associative exactly by atomic operations is sorted, as below.
        24 | 25 => Combine(a, b, numbers.below(3), k),
        26..=28 => Segments(a, b, numbers.below(4)),
        // Few, as 32 bits are four passes of three kernels or more.
        29 if numbers.below(8) == 0 => Sort(a),
        29 if numbers.below(2) == 0 => SortBits(a, k + 3),
        29 | 30 => Unique(a),
        31 | 32 => Power(a, b, numbers.below(4), k),
        33 | 34 => While(a),
        _ => Either(a, b, k),
    }
}

fn apply(which: usize, x: u32, k: u32) -> u32 {
    match which {
        0 => x.wrapping_mul(k + 3).wrapping_add(1),
        1 => x ^ (x >> 3),
        2 => x.max(k * 1000),
        _ => x.wrapping_sub(k),
    }
}

fn apply_exp(which: usize, x: EU32, k: u32) -> EU32 {
    match which {
        0 => x * (k + 3) + 1,
        1 => x ^ (x >> 3),
        2 => x.max(lit(k * 1000)),
        _ => x - k,
    }
}

fn combine(which: usize, x: u32, y: u32) -> u32 {
    match which {
        0 => x.wrapping_add(y),
        1 => x.max(y),
        2 => x ^ y,
        // Associative, and it does not commute.
        _ => y,
    }
}

fn combine_exp(which: usize, x: EU32, y: EU32) -> EU32 {
    match which {
        0 => x + y,
        1 => x.max(y),
        2 => x ^ y,
        _ => y,
    }
}

/// Where a neighbour is on an axis, if it is anywhere.
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

fn boundary<Sh: Neighbours>(which: usize) -> Boundary<EU32, Sh> {
    match which {
        0 => Clamp,
        1 => Wrap,
        2 => Mirror,
        _ => Constant(lit(17)),
    }
}

/// The extents of all vectors are `n`, and of all matrices `n` and `n`, so that operations fit.
fn interpret(operations: &[Operation], xs: &[u32], ys: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let n = xs.len();
    let mut vectors = vec![xs.to_vec(), ys.to_vec()];
    let mut matrices = vec![
        (0..n * n)
            .map(|i| xs[i / n].wrapping_add(ys[i % n]))
            .collect::<Vec<u32>>(),
    ];
    for operation in operations {
        let v = |k: &usize| vectors[k % vectors.len()].clone();
        let m = |k: &usize| matrices[k % matrices.len()].clone();
        use Operation::*;
        let mut vector = None;
        let mut matrix = None;
        match operation {
            Map(a, f, k) => vector = Some(v(a).into_iter().map(|x| apply(*f, x, *k)).collect()),
            Zip(a, b, f) => {
                vector = Some(
                    v(a).into_iter()
                        .zip(v(b))
                        .map(|(x, y)| combine(*f, x, y))
                        .collect(),
                )
            }
            Reverse(a) => vector = Some(v(a).into_iter().rev().collect()),
            Rotate(a, k) => {
                let a = v(a);
                vector = Some((0..n).map(|i| a[(i + *k as usize) % n]).collect());
            }
            TakeAndAppend(a, b) => {
                let (a, b) = (v(a), v(b));
                vector = Some(a[..n / 2].iter().chain(&b[n / 2..]).copied().collect());
            }
            Gather(a, b) => {
                let (a, b) = (v(a), v(b));
                vector = Some(a.iter().map(|i| b[*i as usize % n]).collect());
            }
            Stencil(a) => {
                let a = v(a);
                let at = |i: usize| a[i];
                vector = Some(
                    (0..n)
                        .map(|i| {
                            let left = if i > 0 { at(i - 1) } else { 5 };
                            let right = if i + 1 < n { at(i + 1) } else { 9 };
                            left.wrapping_add(at(i).wrapping_mul(2)).wrapping_sub(right)
                        })
                        .collect(),
                );
            }
            Fold(a, f) => {
                let sum = v(a).into_iter().fold(7, |x, y| combine(*f, x, y));
                vector = Some(v(a).into_iter().map(|x| x.wrapping_add(sum)).collect());
            }
            Loop(a) => {
                vector = Some(
                    v(a).into_iter()
                        .map(|x| {
                            let (mut x, mut count) = (x % 100, 0u32);
                            while x > 3 {
                                (x, count) = (x / 2, count + x);
                            }
                            count
                        })
                        .collect(),
                )
            }
            Replicate(a) => {
                let a = v(a);
                matrix = Some((0..n * n).map(|i| a[i % n]).collect());
            }
            MapRows(a, f) => matrix = Some(m(a).into_iter().map(|x| apply(*f, x, 2)).collect()),
            ZipRows(a, b) => {
                matrix = Some(
                    m(a).into_iter()
                        .zip(m(b))
                        .map(|(x, y)| x.wrapping_mul(3) ^ y)
                        .collect(),
                )
            }
            Transpose(a) => {
                let a = m(a);
                matrix = Some((0..n * n).map(|i| a[(i % n) * n + i / n]).collect());
            }
            FoldRows(a, f) => {
                let a = m(a);
                vector = Some(
                    (0..n)
                        .map(|y| a[y * n..][..n].iter().fold(11, |x, y| combine(*f, x, *y)))
                        .collect(),
                );
            }
            Flatten(a) => vector = Some(m(a)[..n].to_vec()),
            Row(a, k) => {
                let (a, y) = (m(a), *k as usize % n);
                vector = Some(a[y * n..][..n].to_vec());
            }
            Compute(a) | Inline(a) => vector = Some(v(a)),
            Scan(a, f) => {
                let (mut sum, a) = (None, v(a));
                let each = a.into_iter().map(|x| {
                    let own = sum.map_or(x, |sum| combine(*f, sum, x));
                    sum = Some(own);
                    own
                });
                vector = Some(each.collect());
            }
            ScanRight(a, f) => {
                let (mut behind, mut all) = (13, Vec::new());
                for x in v(a).into_iter().rev() {
                    all.push(behind);
                    behind = combine(*f, x, behind);
                }
                all.reverse();
                vector = Some(all);
            }
            ScanRows(a, f) => {
                let mut all = Vec::new();
                for row in m(a).chunks(n) {
                    let mut before = 19;
                    for x in row {
                        all.push(before);
                        before = combine(*f, before, *x);
                    }
                }
                matrix = Some(all);
            }
            Filter(a, k) => {
                let a = v(a);
                let few = a.iter().filter(|x| **x % 4 >= *k);
                vector = Some(few.chain(&a).take(n).copied().collect());
            }
            Window(a, which) => {
                let a = v(a);
                let at = |i, by| place(*which, i, n, by).map_or(17, |at| a[at]);
                let one = |i| at(i, -1).wrapping_add(at(i, 0) ^ at(i, 3));
                vector = Some((0..n).map(one).collect());
            }
            WindowRows(a, which) => {
                let a = m(a);
                let at = |i: usize, (dy, dx)| match (
                    place(*which, i / n, n, dy),
                    place(*which, i % n, n, dx),
                ) {
                    (Some(y), Some(x)) => a[y * n + x],
                    _ => 17,
                };
                let one = |i| at(i, (-1, 2)).wrapping_add(at(i, (0, 1)));
                matrix = Some((0..n * n).map(one).collect());
            }
            Combine(a, b, f, k) => {
                let mut found = v(b);
                for x in v(a).into_iter().filter(|x| x % 4 >= *k) {
                    let old = &mut found[x as usize % n];
                    *old = combine(*f, *old, x);
                }
                vector = Some(found);
            }
            Segments(a, b, f) => {
                let (mut sum, mut all) = (0, Vec::new());
                for (i, (x, begins)) in v(a).into_iter().zip(v(b)).enumerate() {
                    sum = match i == 0 || begins % 3 == 0 {
                        true => x,
                        false => combine(*f, sum, x),
                    };
                    all.push(sum);
                }
                vector = Some(all);
            }
            Unique(a) => {
                let all = v(a);
                let mut few = all.clone();
                few.dedup_by_key(|x| *x % 2);
                vector = Some(few.iter().chain(&all).take(n).copied().collect());
            }
            Sort(a) => {
                let mut all = v(a);
                all.sort();
                vector = Some(all);
            }
            SortBits(a, bits) => {
                let mut all = v(a);
                all.sort_by_key(|x| x & ((1 << bits) - 1));
                vector = Some(all);
            }
            Power(a, b, f, times) => {
                let (mut state, other) = (v(a), v(b));
                for _ in 0..*times {
                    let next = (0..n).map(|i| combine(*f, state[(i + 1) % n], other[i]));
                    state = next.map(|x| x ^ (x >> 1)).collect();
                }
                vector = Some(state);
            }
            While(a) => {
                let mut state = v(a);
                while state.iter().any(|x| *x > 1000) {
                    state.iter_mut().for_each(|x| *x /= 3);
                }
                vector = Some(state);
            }
            Either(a, b, k) => {
                let (a, b) = (v(a), v(b));
                let sum = a.iter().fold(*k, |x, y| x.wrapping_add(*y));
                vector = Some(match sum % 2 {
                    0 => a.into_iter().rev().collect(),
                    _ => a.iter().zip(b).map(|(x, y)| x ^ y).collect(),
                });
            }
        }
        vectors.extend(vector);
        matrices.extend(matrix);
    }
    (vectors.pop().unwrap(), matrices.pop().unwrap())
}

pub fn program(
    operations: &[Operation],
    xs: Arr1<EU32>,
    ys: Arr1<EU32>,
) -> (Arr1<EU32>, Arr2<EU32>) {
    let n = xs.len();
    let mut vectors = vec![xs.clone(), ys.clone()];
    let mut matrices = vec![zip_with(
        |x, y| x + y,
        xs.replicate_inner(n),
        ys.replicate(n),
    )];
    for operation in operations {
        let v = |k: &usize| vectors[k % vectors.len()].clone();
        let m = |k: &usize| matrices[k % matrices.len()].clone();
        use Operation::*;
        let mut vector = None;
        let mut matrix = None;
        match operation.clone() {
            Map(a, f, k) => vector = Some(v(&a).map(move |x| apply_exp(f, x, k))),
            Zip(a, b, f) => vector = Some(zip_with(move |x, y| combine_exp(f, x, y), v(&a), v(&b))),
            Reverse(a) => vector = Some(v(&a).reverse()),
            Rotate(a, k) => vector = Some(v(&a).rotate(k)),
            TakeAndAppend(a, b) => vector = Some(append(v(&a).take(n / 2), v(&b).drop(n / 2))),
            Gather(a, b) => vector = Some(gather(v(&a).map(move |i| i % n), v(&b))),
            Stencil(a) => {
                let a = v(&a);
                vector = Some(generate(n, move |i| {
                    let left = select(i.gt(lit(0)), a.at(i - 1), lit(5u32));
                    let right = select((i + 1).lt(n), a.at(i + 1), lit(9u32));
                    left + a.at(i) * 2 - right
                }));
            }
            Fold(a, f) => {
                let sum = v(&a).fold(move |x, y| combine_exp(f, x, y), lit(7));
                vector = Some(v(&a).map(move |x| x + sum.the()));
            }
            Loop(a) => {
                let looped = v(&a).map(|x| {
                    obsidian_rt::language::seq_until(
                        |(x, count): (EU32, EU32)| (x / 2, count + x),
                        |(x, _): (EU32, EU32)| x.gt(lit(3)),
                        (x % 100, lit(0u32)),
                    )
                });
                vector = Some(unzip(looped).1);
            }
            Replicate(a) => matrix = Some(v(&a).replicate(n)),
            MapRows(a, f) => matrix = Some(m(&a).map(move |x| apply_exp(f, x, 2))),
            ZipRows(a, b) => matrix = Some(zip_with(|x, y| (x * 3) ^ y, m(&a), m(&b))),
            Transpose(a) => matrix = Some(m(&a).transpose()),
            FoldRows(a, f) => vector = Some(m(&a).fold(move |x, y| combine_exp(f, x, y), lit(11))),
            Flatten(a) => vector = Some(m(&a).flatten().take(n)),
            Row(a, k) => vector = Some(m(&a).row(lit(k) % n)),
            Compute(a) => vector = Some(v(&a).compute()),
            Inline(a) => vector = Some(v(&a).inline()),
            Scan(a, f) => {
                vector = Some(v(&a).inclusive_scan(move |x, y| combine_exp(f, x, y)));
            }
            ScanRight(a, f) => {
                let f = move |x, y| combine_exp(f, x, y);
                vector = Some(v(&a).exclusive_scan_right(f, lit(13)));
            }
            ScanRows(a, f) => {
                let f = move |x, y| combine_exp(f, x, y);
                matrix = Some(m(&a).exclusive_scan(f, lit(19)));
            }
            Filter(a, k) => {
                let few = v(&a).filter(move |x| (x % 4).ge(lit(k)));
                vector = Some(append(few, v(&a)).take(n));
            }
            Window(a, which) => {
                let a = v(&a);
                vector = Some(a.stencil(boundary(which), |w| w.at(-1) + (w.at(0) ^ w.at(3))));
            }
            WindowRows(a, which) => {
                matrix = Some(m(&a).stencil(boundary(which), |w| w.at((-1, 2)) + w.at((0, 1))));
            }
            Combine(a, b, f, k) => {
                let f = move |x, y| combine_exp(f, x, y);
                let place = move |_, x: EU32| ((x % 4).ge(lit(k)), x % n);
                vector = Some(v(&a).permute(f, v(&b), place));
            }
            Segments(a, b, f) => {
                let begins = v(&b).map(|x| (x % 3).eq(lit(0)));
                let f = move |x, y| combine_exp(f, x, y);
                vector = Some(v(&a).segmented_inclusive_scan(begins, f));
            }
            Unique(a) => {
                let few = v(&a).unique(|x, y| (x % 2).eq(y % 2));
                vector = Some(append(few, v(&a)).take(n));
            }
            Sort(a) => vector = Some(v(&a).sort()),
            SortBits(a, bits) => vector = Some(v(&a).sort_by_bits(bits, |x| x)),
            Power(a, b, f, times) => {
                let other = v(&b);
                vector = Some(power(times, v(&a), |state| {
                    let next = zip_with(move |x, y| combine_exp(f, x, y), state.rotate(1), other);
                    next.map(|x| x ^ (x >> 1))
                }));
            }
            While(a) => {
                let any = |state: Arr1<EU32>| state.map(|x| x.gt(lit(1000))).any();
                vector = Some(awhile(v(&a), any, |state| state.map(|x| x / 3)));
            }
            Either(a, b, k) => {
                let (a, b) = (v(&a), v(&b));
                let sum = a.fold(|x, y| x + y, lit(k)).map(|sum| (sum % 2).eq(lit(0)));
                let reversed = a.reverse();
                vector = Some(if_then(sum, || reversed, || zip_with(|x, y| x ^ y, a, b)));
            }
        }
        vectors.extend(vector);
        matrices.extend(matrix);
    }
    (vectors.pop().unwrap(), matrices.pop().unwrap())
}

pub fn settings() -> [Settings; 4] {
    let all = Settings::default();
    [
        all,
        Settings { fuse: false, ..all },
        Settings {
            share: false,
            ..all
        },
        Settings {
            horizontal: false,
            ..all
        },
    ]
}

/// Checks a program; was it tried without sharing, too?
fn check(seed: u64) -> bool {
    let mut numbers = Numbers(seed);
    let count = 5 + numbers.below(26);
    let operations: Vec<Operation> = (0..count).map(|_| operation(&mut numbers)).collect();
    let n = [1, 2, 3, 7, 33, 64][numbers.below(6)];
    let mut vector = || {
        (0..n)
            .map(|_| numbers.below(1 << 20) as u32)
            .collect::<Vec<u32>>()
    };
    let (xs, ys) = (vector(), vector());
    let want = interpret(&operations, &xs, &ys);
    for (which, settings) in settings().into_iter().enumerate() {
        // Without sharing, what is needed at three places is computed three times, and so on: not for long programs.
        if !settings.share && count > 12 {
            continue;
        }
        // With every setting by the extents of the arrays, and with one by numbers, too.
        for literal in [false, true]
            .into_iter()
            .take(if which == 0 { 2 } else { 1 })
        {
            let given = operations.clone();
            let built = ArrayProgram::build_with(
                "random",
                settings,
                move |xs: Arr1<EU32>, ys: Arr1<EU32>| match literal {
                    true => program(&given, xs.reshape(n as u32), ys.reshape(n as u32)),
                    false => program(&given, xs, ys),
                },
            );
            let says =
                || format!("seed {seed}, n {n}, literal {literal}, {settings:?}, {operations:?}");
            let built = built.unwrap_or_else(|e| panic!("{}: {e}", says()));
            let devices = match which {
                0 => vec![Device::cpu(), Device::simulator()],
                _ => vec![Device::cpu()],
            };
            for d in devices {
                let given = (d.array([n], &xs).unwrap(), d.array([n], &ys).unwrap());
                let found = built.run(&d, (&given.0, &given.1));
                let found =
                    found.unwrap_or_else(|e| panic!("{}: {e}\n{}", says(), built.schedule()));
                let found = (found.0.to_vec().unwrap(), found.1.to_vec().unwrap());
                assert_eq!(found, want, "{}\n{}", says(), built.schedule());
            }
        }
    }
    count <= 12
}

#[test]
fn random_programs_give_what_an_interpreter_gives() {
    let first: u64 = match std::env::var("OBSIDIAN_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => 1,
    };
    println!("seeds from {first}");
    let count = if long() { 300 } else { 30 };
    let without_sharing = (first..first + count).filter(|seed| check(*seed)).count();
    println!("{without_sharing} of {count} without sharing, too");
    assert!(without_sharing as u64 > count / 8);
}

#[test]
fn extents_of_nothing() {
    let built = ArrayProgram::build("nothing", |xs: Arr1<EU32>| {
        (
            xs.map(|x| x + 1),
            xs.fold(|a, b| a + b, lit(5)),
            xs.replicate(xs.len()).sum(),
        )
    });
    let built = built.unwrap();
    let d = Device::cpu();
    let (a, b, c) = built.run(&d, &d.array([0], &[0u32; 0]).unwrap()).unwrap();
    assert_eq!(
        (a.to_vec().unwrap(), b.value().unwrap(), c.to_vec().unwrap()),
        (vec![], 5, vec![])
    );
    let most = ArrayProgram::build("most", |xs: Arr1<EU32>| xs.max()).unwrap();
    let error = most
        .run(&d, &d.array([0], &[0u32; 0]).unwrap())
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Requirement);
}
