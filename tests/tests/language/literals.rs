//! Literals where a device value is wanted: a literal of the right kind is one, in the evaluator and
//! in the native build; one of the wrong kind is an error at the literal.

#![allow(missing_docs)]

use obsidian_rt::prelude::*;
use obsidian_tests::fact;
use obsidian_tests::fuzz::verdict::{Answer, judge};

/// Functions that another module's kernels call: nothing evaluates them here.
#[kernels]
pub mod shared {
    pub fn positive(x: EF32) -> EF32 {
        select(x > 0.0, x, 0.0)
    }

    pub fn half() -> EF32 {
        0.5
    }

    pub fn scaled(x: EF32, by: EF32) -> EF32 {
        x * by
    }

    pub fn twice(x: EF32) -> EF32 {
        scaled(x, 2.0)
    }

    pub fn sign(x: EF32) -> EF32 {
        if ONE == 1 {
            return select(x < 0.0, -1.0, 1.0);
        }
        0.0
    }

    pub fn count(n: EU32) -> Program<Thread, EU32> {
        seq_iterate(n, |i, s| s + i, 0)
    }

    const ONE: u32 = 1;
}

#[kernels]
mod m {
    use super::shared::{count, half, positive, sign, twice};

    #[kernel]
    pub fn of_another_module(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(8)
            .as_grid_map(|c| c.map(|x| positive(x) * half() + twice(x) * sign(x)).push())
    }

    #[kernel]
    pub fn counts(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(8)
            .as_grid_map(|c| c.as_block_map(|x| exec_thread_value(count(x % 10))))
    }

    #[kernel]
    pub fn arms(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(8).as_grid_map(|c| {
            c.map(|x| select(x > 0.0, 1.0, select(x < -50.0, -1.0, 0.25)) + select(x > 9.0, x, 3.0))
                .push()
        })
    }

    #[kernel]
    pub fn tuples(x: DPull<EF32>) -> DPush<Grid, (EF32, EU32)> {
        x.split_up(8)
            .as_grid_map(|c| c.map(|x| select(x > 0.0, (x, 1), (-0.5, 7))).push())
    }

    #[kernel]
    pub fn padded(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.chunks(8, 1.5).as_grid_map(|c| c.push()).padded()
    }

    #[kernel]
    pub fn made(n: EU32) -> DPush<Grid, EI32> {
        let both = append(generate(n, |_| -3), replicate(n, 4));
        both.chunks(8, 0).as_grid_map(|c| c.push()).padded()
    }

    #[kernel]
    pub fn pairs(x: DPull<EF32>) -> DPush<Grid, (EF32, EU8)> {
        x.split_up(8).as_grid_map(|c| c.map(|x| (x, 200)).push())
    }

    #[kernel]
    pub fn folded(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(4).as_grid_map(|c| {
            let v: Vec<EF32> = (0..4).map(|i| c[i]).collect();
            let (low, _) = v
                .iter()
                .fold((lit(1000f32), 0), |(low, n), x| (x.min(low), n + 1));
            singleton(v.iter().fold(0.0, |s, x| s + x) + low).push()
        })
    }

    #[kernel]
    pub fn loops(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(8).as_grid_map(|c| {
            let largest = |p: Pull<EF32>| {
                let (_, at) = seq_iterate(
                    4,
                    |i, (d, at)| select(p[i] > d, (p[i], i), (d, at)),
                    (-1000.0, 0),
                )?;
                let sum = seq_iterate(4, |i, s| s + p[i], 0.0)?;
                pure(sum + at as f32)
            };
            c.split_up(4)
                .as_block_map(|p| exec_thread_value(largest(p)))
        })
    }

    #[kernel]
    pub fn carried(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(8).as_grid_map(|c| {
            let parts = c.split_up(4);
            append(
                parts.as_block_map(|p| seq_scan_cin(|x, y| x + y, 1, p)),
                parts.as_block_map(|p| map_accum_l(|s, x| (s + x, s), 0, p)),
            )
        })
    }

    #[kernel]
    pub fn until(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(8).as_grid_map(|c| {
            c.as_block_map(|x| exec_thread_value(seq_until(|s| s * 2 + x % 3, |s| s < 100, 1)))
        })
    }

    fn marked(c: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let marks = new_shared_mutable(16, 0u32)?;
        for_all(8, |i| marks.write(i, 5))?;
        for_all(8, |i| marks.atomic_add(c[i] % 16, 1).void())?;
        pure(marks.push())
    }

    #[kernel(threads = 32)]
    pub fn changed(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(8).as_grid_map(|c| exec_block(marked(c)))
    }

    #[kernel]
    pub fn written(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(8).as_grid_map(|c| {
            mk_push(16, |write| {
                for_all(8, |i| {
                    write(c[i], i)?;
                    write(7, i + 8)
                })
            })
        })
    }

    #[kernel]
    pub fn variables(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let half: EF32 = 0.5;
        let more = |x: EF32, y: EF32| x.max(y);
        let list: Vec<EF32> = vec![1.0, -2.0];
        x.split_up(8).as_grid_map(|c| {
            c.map(|x| {
                let mut s = x * half;
                for i in 0..3u32 {
                    if i == 1 {
                        s = 0.0;
                    }
                    s += more(x, -4.0) + list[1];
                }
                s
            })
            .push()
        })
    }

    #[kernel]
    pub fn booleans(x: DPull<EU32>) -> DPush<Grid, EBool> {
        x.split_up(8)
            .as_grid_map(|c| c.map(|x| select(x > 500, x % 2 == 0, true)).push())
    }

    const LOW: f32 = -64.0;

    #[kernel]
    pub fn constants(x: DPull<EF32>) -> DPush<Grid, (EF32, EU8)> {
        x.split_up(8).as_grid_map(|c| {
            c.map(|x| select(x > 9.0, (f32::MAX, u8::MAX), (select(x > 0.0, LOW, x), 3)))
                .push()
        })
    }

    fn power(x: EF32, n: u32) -> EF32 {
        if n == 0 { 1.0 } else { x * power(x, n - 1) }
    }

    #[kernel]
    pub fn powers(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(8)
            .as_grid_map(|c| c.map(|x| power(x / 64.0, 3)).push())
    }

    fn beside_ones(c: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let ones = compute(generate(8, |_| 1))?;
        let twos = compute(generate(8, |_| lit(2)))?;
        pure(zip_with3(|x, y, z| (x + y) * z, c, ones, twos).push())
    }

    /// What is stored takes its type from where it is read.
    #[kernel]
    pub fn stored(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(8).as_grid_map(|c| exec_block(beside_ones(c)))
    }

    fn marks_of(c: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let marks = new_shared_mutable(16, 0)?;
        for_all(8, |i| marks.atomic_add(c[i] % 16, 1).void())?;
        pure(marks.push())
    }

    /// What a mutable array begins with takes its type from the result.
    #[kernel(threads = 32)]
    pub fn counted(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(8).as_grid_map(|c| exec_block(marks_of(c)))
    }

    /// The second part of the start takes its type from the result.
    #[kernel]
    pub fn starts(x: DPull<EF32>) -> DPush<Grid, (EF32, EU8)> {
        let last = |x: EF32| {
            seq_iterate(
                3,
                |i, (y, at)| select(x > i as f32 * 30.0, (y + x, 7), (y, at)),
                (1.0, 200),
            )
        };
        x.split_up(8)
            .as_grid_map(|c| c.as_block_map(|x| exec_thread_value(last(x))))
    }

    /// A literal of a function that is called with two types.
    fn or_one<T: Data>(f: impl Fn(T) -> T, x: T) -> T {
        f(x)
    }

    #[kernel]
    pub fn suffixes(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.chunks(8, 9u32)
            .as_grid_map(|c| {
                c.map(|x| or_one(|x| select(x > 500, x, 1u32), x) + lit(2))
                    .push()
            })
            .take(x.len())
    }
}

fn sign(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

fn arms(x: &f32) -> f32 {
    let first = match *x {
        x if x > 0.0 => 1.0,
        x if x < -50.0 => -1.0,
        _ => 0.25,
    };
    first + if *x > 9.0 { *x } else { 3.0 }
}

fn constants(x: &f32) -> (f32, u8) {
    match *x {
        x if x > 9.0 => (f32::MAX, u8::MAX),
        x if x > 0.0 => (-64.0, 3),
        x => (x, 3),
    }
}

fn padded(mut x: Vec<f32>) -> Vec<f32> {
    x.resize(x.len().div_ceil(8) * 8, 1.5);
    x
}

fn folded(c: &[f32]) -> f32 {
    c.iter().fold(0.0, |s, x| s + x) + c.iter().fold(1000.0, |low: f32, x| x.min(low))
}

fn loops(c: &[f32]) -> f32 {
    let largest = (0..4).fold(
        (-1000.0, 0),
        |(d, at), i| {
            if c[i] > d { (c[i], i) } else { (d, at) }
        },
    );
    c.iter().fold(0.0, |s, x| s + x) + largest.1 as f32
}

fn carried(c: &[u32]) -> Vec<u32> {
    let sums = |first: u32, of_all: bool| {
        c.chunks(4)
            .flat_map(move |p| {
                (0..4).map(move |i| first + p[..i + usize::from(of_all)].iter().sum::<u32>())
            })
            .collect::<Vec<u32>>()
    };
    [sums(1, true), sums(0, false)].concat()
}

fn until(x: &u32) -> u32 {
    let mut s = 1;
    while s < 100 {
        s = s * 2 + x % 3;
    }
    s
}

fn changed(c: &[u32]) -> Vec<u32> {
    let mut marks = [[5u32; 8], [0; 8]].concat();
    c.iter().for_each(|x| marks[(x % 16) as usize] += 1);
    marks
}

fn counted(c: &[u32]) -> Vec<u32> {
    let mut marks = vec![0; 16];
    c.iter().for_each(|x| marks[(x % 16) as usize] += 1);
    marks
}

fn starts(x: &f32) -> (f32, u8) {
    (0..3).fold((1.0, 200), |(y, at), i| {
        if *x > i as f32 * 30.0 {
            (y + x, 7)
        } else {
            (y, at)
        }
    })
}

fn per_piece<T, U>(x: &[T], n: usize, f: impl Fn(&[T]) -> Vec<U>) -> Vec<U> {
    x.chunks(n).flat_map(f).collect()
}

fact!(a_module_without_kernels_has_them: m::of_another_module[8](x: f32) == x.iter().map(|x| x.max(0.0) * 0.5 + x * 2.0 * sign(*x)).collect::<Vec<f32>>());
fact!(programs_of_another_module_start_with_them: m::counts[8](x: u32) == x.iter().map(|x| (0..x % 10).sum()).collect::<Vec<u32>>());
fact!(arms_may_be_literals: m::arms[8](x: f32) == x.iter().map(arms).collect::<Vec<f32>>());
fact!(parts_of_tuples_may_be_literals: m::tuples[8](x: f32) == x.iter().map(|x| if *x > 0.0 { (*x, 1) } else { (-0.5, 7) }).unzip::<f32, u32, Vec<f32>, Vec<u32>>());
fact!(pads_may_be_literals: m::padded[8](x: f32) == padded(x));
fact!(elements_of_pairs_may_be_literals: m::pairs[8](x: f32) == (x.clone(), vec![200u8; x.len()]));
fact!(folds_start_with_literals: m::folded[4](x: f32) == x.chunks(4).map(folded).collect::<Vec<f32>>());
fact!(loops_start_with_literals: m::loops[8](x: f32) == x.chunks(4).map(loops).collect::<Vec<f32>>());
fact!(scans_start_with_literals: m::carried[8](x: u32) == per_piece(&x, 8, carried));
fact!(what_is_stored_is_a_literal: m::stored[8](x: u32) == x.iter().map(|x| x.wrapping_add(1).wrapping_mul(2)).collect::<Vec<u32>>());
fact!(mutable_arrays_begin_with_literals: m::counted[8](x: u32) == per_piece(&x, 8, counted));
fact!(parts_of_a_start_are_literals: m::starts[8](x: f32) == x.iter().map(starts).unzip::<f32, u8, Vec<f32>, Vec<u8>>());
fact!(whiles_start_with_literals: m::until[8](x: u32) == x.iter().map(until).collect::<Vec<u32>>());
fact!(literals_are_written: m::changed[8](x: u32) == per_piece(&x, 8, changed));
fact!(writers_take_literals: m::written[8](x: u32) == per_piece(&x, 8, |c| [c.to_vec(), vec![7; 8]].concat()));
fact!(variables_are_literals: m::variables[8](x: f32) == x.iter().map(|x| { let more = x.max(-4.0) - 2.0; more + more }).collect::<Vec<f32>>());
fact!(booleans_are_literals: m::booleans[8](x: u32) == x.iter().map(|x| *x <= 500 || x % 2 == 0).collect::<Vec<bool>>());
fact!(constants_are_literals: m::constants[8](x: f32) == x.iter().map(constants).unzip::<f32, u8, Vec<f32>, Vec<u8>>());
fact!(results_are_literals: m::powers[8](x: f32) == x.iter().map(|x| x / 64.0 * (x / 64.0 * (x / 64.0 * 1.0))).collect::<Vec<f32>>());
fact!(literals_have_suffixes: m::suffixes[8](x: u32) == x.iter().map(|x| if *x > 500 { x + 2 } else { 3 }).collect::<Vec<u32>>());

#[test]
fn arrays_are_made_of_literals() -> obsidian_rt::Result<()> {
    for (words, device) in obsidian_tests::devices() {
        let made = m::made::launch(&device, 5)?.to_vec()?;
        let expected = [vec![-3; 5], vec![4; 5], vec![0; 6]].concat();
        assert_eq!(made, expected, "{words}");
    }
    Ok(())
}

/// Elements, an expression with a literal of the wrong kind, and the literal.
const WRONG: &[(&str, &str, &str)] = &[
    (
        "EF32",
        "c.map(|x| select(x > 0.0, x, 0)).push()",
        "`0` is an integer",
    ),
    (
        "EF32",
        "c.map(|x| select(x > 0, x, 0.0)).push()",
        "`0` is an integer",
    ),
    ("EF32", "c.map(|x| x * 2).push()", "`2` is an integer"),
    ("EF32", "c.map(|x| 2 - x).push()", "`2` is an integer"),
    ("EF32", "c.map(|x| x.max(0)).push()", "`0` is an integer"),
    ("EF32", "c.map(|x| f(x, 1)).push()", "`1` is an integer"),
    (
        "EF32",
        "c.map(|x| { let mut s = x; s += 1; s }).push()",
        "`1` is an integer",
    ),
    (
        "EF32",
        "c.map(|x| { let s: EF32 = 1; s + x }).push()",
        "`1` is an integer",
    ),
    (
        "EF32",
        "append(c, replicate(4, -3)).push()",
        "`-3` is an integer",
    ),
    (
        "EU32",
        "c.map(|x| select(x > 0, x, -1)).push()",
        "`-1` is no value of type EU32",
    ),
    ("EU32", "c.map(|x| x.min(1.5)).push()", "`1.5` is a float"),
    (
        "EU32",
        "append(c, generate(4, |_| 0.5)).push()",
        "`0.5` is a float",
    ),
    (
        "EU8",
        "c.map(|x| select(x > 0, x, 300)).push()",
        "`300` is no value of type EU8",
    ),
    (
        "EU8",
        "c.map(|x| x + 256).push()",
        "`256` is no value of type EU8",
    ),
    (
        "EI8",
        "c.map(|x| x + -129).push()",
        "`-129` is no value of type EI8",
    ),
    (
        "EBool",
        "c.map(|x| select(x, x, 0)).push()",
        "`0` is a number",
    ),
    (
        "EU32",
        "mk_push(64, |write| for_all(64, |i| write(0.5, i)))",
        "`0.5` is a float",
    ),
    (
        "EU32",
        "c.split_up(4).as_block_map(|p| exec_thread_value(seq_iterate(4, |i, s| s + p[i], 0.0)))",
        "`0.0` is a float",
    ),
];

#[test]
fn a_literal_of_the_wrong_kind_is_an_error_at_the_literal() {
    for (ty, code, words) in WRONG {
        let text = format!(
            "pub mod m {{ fn f(x: {ty}, y: {ty}) -> {ty} {{ x + y }} \
             #[kernel] pub fn k(x: DPull<{ty}>) -> DPush<Grid, {ty}> {{ x.split_up(64).as_grid_map(|c| {code}) }} }}"
        );
        match judge(&text) {
            Ok(Answer::Errors(list)) => {
                let right = list.len() == 1 && list[0].contains("[wrong-literal]");
                assert!(right && list[0].starts_with(words), "{code}: {list:?}");
            }
            other => panic!("{code}: {other:?}"),
        }
    }
}

/// A value of the host that is no literal is none of the device, in both ways.
#[test]
fn a_variable_of_the_host_is_no_device_value() {
    for code in [
        "c.map(|x| select(x > 0.0, x, z)).push()",
        "c.map(|x| f(x, z)).push()",
        "append(c, replicate(4, z)).push()",
    ] {
        let text = format!(
            "pub mod m {{ fn f(x: EF32, y: EF32) -> EF32 {{ x + y }} \
             #[kernel] pub fn k(x: DPull<EF32>) -> DPush<Grid, EF32> {{ let z: f32 = 0.0; x.split_up(64).as_grid_map(|c| {code}) }} }}"
        );
        let answer = judge(&text);
        assert!(
            matches!(answer, Ok(Answer::Errors(_))),
            "{code}: {answer:?}"
        );
    }
}

/// Literals whose place only the types of the whole function tell; no kernel calls the functions of `uncalled`.
#[kernels]
pub mod uncalled {
    pub fn one() -> DPush<Grid, EF32> {
        mk_push(1, |write| distr_par(1, |_| single_thread(write(7.0, 0))))
    }

    pub fn padded<T: Data>(pad: T, x: DPull<T>) -> DPush<Grid, T> {
        x.chunks(8, pad).as_grid_map(|p| p.push()).take(x.len())
    }

    pub fn shifted(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let zero = 0.0;
        padded(zero, x.map(|x| x + zero))
    }

    pub fn prefix(x: DPull<EF32>) -> DPush<Grid, EF32> {
        padded(0.0, append(x.take(3), x.split_at(2).1.drop(4)))
    }

    pub fn nested(x: DPull<EF32>) -> DPush<Grid, EF32> {
        let start = ((0.0, 1), 2);
        let program = |x: EF32| {
            let ((sum, k), l) = seq_iterate(3, |i, ((y, k), l)| ((y + x, k + i), l * 2), start)?;
            pure(sum + (k + l) as f32)
        };
        x.split_up(8)
            .as_grid_map(|c| c.as_block_map(|x| exec_thread_value(program(x))))
    }
}

#[kernels]
mod placed {
    use super::uncalled::{nested, one, prefix, shifted};

    #[kernel]
    pub fn ones(x: DPull<EF32>) -> DPush<Grid, EF32> {
        require(x.len().at_least(1));
        one()
    }

    #[kernel]
    pub fn shift(x: DPull<EF32>) -> DPush<Grid, EF32> {
        shifted(x)
    }

    #[kernel]
    pub fn prefixes(x: DPull<EF32>) -> DPush<Grid, EF32> {
        prefix(x)
    }

    #[kernel]
    pub fn nests(x: DPull<EF32>) -> DPush<Grid, EF32> {
        nested(x)
    }

    #[kernel]
    pub fn sums(t: DPull<EF64>) -> DPush<Grid, EF64> {
        t.split_up(8).as_grid_map(|c| {
            c.map(|t| {
                let mut sum = 0.0;
                for _ in 0..3 {
                    sum += (0.1 + 0.02) * t;
                }
                sum
            })
            .push()
        })
    }

    #[kernel]
    pub fn extents(n: EU32) -> DPush<Grid, EU32> {
        generate((n, 128), |(y, x)| y * 1000 + x)
            .rows()
            .as_grid_map(|row| row.from_dyn(128).push())
    }

    #[arrays]
    pub fn program(x: Arr1<EF32>, t: EF64) -> (Arr1<EF32>, Arr0<EF64>, Arr1<EF64>) {
        let zero = 0.0;
        let outside = Constant(zero);
        let sums = x.stencil(outside, |w| w.at(-1) + w.at(1));
        let total = x
            .map(|x| (0.1 + 0.02) * (x as f64))
            .fold(|x, y| x + y, zero64());
        let places = x.map(|x| (x, 1.5)).permute(
            |(a, b), (c, d)| (a + c, b + d),
            fill(4, (0.0, 0.0)),
            |_, (x, _)| (x.ge(2.0), 3),
        );
        (sums, total, places.map(|(x, y)| (x + y) as f64 * t))
    }

    fn zero64() -> EF64 {
        0.0
    }
}

/// Does the native build of a kernel give the text of the expansion?
fn is_the_same(kernel: &obsidian_rt::Kernel, cuda: &str) {
    let native = kernel.native().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(native.cuda(), cuda, "{}", kernel.name());
}

#[test]
fn the_types_of_a_function_place_its_literals() -> obsidian_rt::Result<()> {
    is_the_same(&placed::ones::kernel(), placed::ones::CUDA);
    is_the_same(&placed::prefixes::kernel(), placed::prefixes::CUDA);
    is_the_same(&placed::sums::kernel(), placed::sums::CUDA);
    is_the_same(&placed::extents::kernel(), placed::extents::CUDA);
    for (words, device) in obsidian_tests::devices() {
        let x: Vec<f32> = (0..10).map(|n| n as f32).collect();
        let input = device.upload(&x)?;
        assert_eq!(placed::ones::launch(&device, &input)?.to_vec()?, [7.0]);
        let prefix = placed::prefixes::launch(&device, &input)?.to_vec()?;
        assert_eq!(prefix, [0.0, 1.0, 2.0, 6.0, 7.0, 8.0, 9.0], "{words}");
        let t: Vec<f64> = (0..8).map(f64::from).collect();
        let sums = placed::sums::launch(&device, &device.upload(&t)?)?.to_vec()?;
        let each = |t: &f64| (0..3).fold(0.0, |sum, _| sum + (0.1 + 0.02) * t);
        let expected: Vec<f64> = t.iter().map(each).collect();
        assert_eq!(sums, expected, "{words}");
        let extents = placed::extents::launch(&device, 3)?.to_vec()?;
        let expected: Vec<u32> = (0..3 * 128).map(|i| i / 128 * 1000 + i % 128).collect();
        assert_eq!(extents, expected, "{words}");
    }
    Ok(())
}

fact!(variables_pad: placed::shift[8](x: f32) == x);
fact!(tuples_nest: placed::nests[8](x: f32) == x.iter().map(|x| x + x + x + (1 + 3 + 16) as f32).collect::<Vec<f32>>());
