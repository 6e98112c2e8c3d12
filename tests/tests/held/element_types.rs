//! Collectives, held arrays and lanes give the same results for each type of elements: on the CPU, by columns, on
//! the simulator and by the CUDA text, at numbers of threads around warps and at both ends.

#![allow(missing_docs, clippy::unwrap_used)]

use std::fmt::Debug;

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;
use obsidian_rt::{Element, Kernel};
use obsidian_tests::scan_order::scanned;
use obsidian_tests::sweep::full;

/// Elements of a run, which a block has: more than 256, so that they are combined in rows.
const RUN: usize = 300;
const THREADS: [u32; 8] = [1, 31, 32, 33, 64, 1000, 1023, 1024];

#[kernels]
mod words {
    /// In the layout of neighbours and back, with a scan in between.
    fn by_neighbours<T: Data>(
        mix: impl Combine<T>,
        start: T,
        run: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let loaded = hold(run)?;
        let own = exchange(Striped, Blocked(4), loaded)?;
        let folds = own.split_up(4).map(|own| fold1(mix, own)[0]);
        let starts = hold(exclusive_scan(mix, start, folds))?;
        let scanned = zip(own.split_up(4), starts)
            .map(|(own, start)| exec_thread(pure(seq_scan_cin(mix, start, own))));
        pure(scanned.as_block())
    }

    /// A state that goes through tiles of 64 elements, and what is left.
    fn in_tiles<T: Data>(mix: impl Combine<T>, run: Pull<T>) -> Program<Block, Push<Block, T>> {
        let state = tiles_fold(
            run,
            64,
            run.take(33),
            |state, tile| pure(zip_with(mix, state, tile.take(33))),
            |state, rest| pure(state.map(|own| mix(own, rest[0]))),
        )?;
        pure(state.push())
    }

    fn of_warp<T: Data>(
        sum: impl Combine<T>,
        mix: impl Combine<T>,
        start: T,
        run: Pull<T>,
    ) -> Program<Warp, Push<Warp, T>> {
        let a = hold(run)?;
        let b = hold(generate(40, |i| mix(a[i ^ 1], a[(i + 7) % 40])))?;
        let all = hold(reduce(sum, b))?;
        let scans = append(inclusive_scan(sum, a), exclusive_scan(mix, start, b));
        pure(append(
            scans,
            generate(40, |i| mix(b[39 - i], all[0])).push(),
        ))
    }

    fn of_thread<T: Data>(
        mix: impl Combine<T>,
        less: impl Fn(T, T) -> EBool + Clone + 'static,
        run: Pull<T>,
    ) -> Program<Thread, Push<Thread, T>> {
        let own = hold(run.reverse())?;
        pure(append(
            append(reduce(mix, own), inclusive_scan(mix, own)),
            sort(less, own),
        ))
    }

    fn of_block<T: Data>(
        sum: impl Combine<T>,
        mix: impl Combine<T>,
        less: impl Fn(T, T) -> EBool + Clone + 'static,
        start: T,
        run: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let totals = append(reduce(sum, run), reduce(mix, run));
        let scans = append(inclusive_scan(sum, run), exclusive_scan(mix, start, run));
        let neighbours = exec_block(by_neighbours(mix, start, run));
        let tiles = exec_block(in_tiles(mix, run));
        let warps = run
            .take(280)
            .split_up(40)
            .as_block_map(|run| exec_warp(of_warp(sum, mix, start, run)));
        let threads = run
            .split_up(5)
            .as_block_map(|run| exec_thread(of_thread(mix, less, run)));
        let words = append(append(totals, scans), append(neighbours, tiles));
        pure(append(
            append(words, append(warps, threads)),
            sort(less, run),
        ))
    }

    fn values<T: Data>(
        sum: impl Combine<T>,
        mix: impl Combine<T>,
        less: impl Fn(T, T) -> EBool + Clone + 'static,
        start: T,
        input: DPull<T>,
    ) -> DPush<Grid, T> {
        input
            .split_up(300)
            .as_grid_map(|run| exec_block(of_block(sum, mix, less, start, run)))
    }

    /// What all lanes know, and what all threads know.
    fn known<T: Scalar>(
        is_set: impl Fn(Exp<T>) -> EBool + Clone + 'static,
        run: Pull<Exp<T>>,
    ) -> Program<Block, Push<Block, EU32>> {
        let of_lanes = |run: Pull<Exp<T>>| {
            let set = ballot(run.take(27).map(is_set))?;
            let equal = match_any(run.take(27))?;
            let (some, every) = (any(run.map(is_set))?, all(run.map(is_set))?);
            let flags = select(some, lit(1u32), 0) + select(every, lit(2u32), 0);
            pure(append(generate(27, |i| set + equal[i] * 3), singleton(flags)).push())
        };
        let warps = run
            .split_up(50)
            .as_block_map(|run| exec_warp(of_lanes(run)));
        let set = ballot(run.take(32).map(is_set))?;
        let equal = match_any(run.take(9))?;
        let some = any(run.map(is_set))?;
        let every = all(run.map(is_set))?;
        let flags = select(some, lit(1u32), 0) + select(every, lit(2u32), 0);
        pure(append(
            warps,
            generate(9, |i| set * 4 + equal[i] * 3 + flags).push(),
        ))
    }

    fn masks<T: Scalar>(
        is_set: impl Fn(Exp<T>) -> EBool + Clone + 'static,
        input: DPull<Exp<T>>,
    ) -> DPush<Grid, EU32> {
        input
            .split_up(300)
            .as_grid_map(|run| exec_block(known(is_set, run)))
    }

    #[kernel(threads = 64)]
    pub fn of_u8(input: DPull<EU8>) -> (DPush<Grid, EU8>, DPush<Grid, EU32>) {
        let values = values(|a, b| a + b, |a, b| a * 31 + b, |a, b| a < b, lit(7), input);
        (values, masks(|x| x < 9, input))
    }

    #[kernel(threads = 64)]
    pub fn of_u16(input: DPull<EU16>) -> (DPush<Grid, EU16>, DPush<Grid, EU32>) {
        let values = values(|a, b| a + b, |a, b| a * 31 + b, |a, b| a < b, lit(7), input);
        (values, masks(|x| x < 9, input))
    }

    #[kernel(threads = 64)]
    pub fn of_u32(input: DPull<EU32>) -> (DPush<Grid, EU32>, DPush<Grid, EU32>) {
        let values = values(|a, b| a + b, |a, b| a * 31 + b, |a, b| a < b, lit(7), input);
        (values, masks(|x| x < 9, input))
    }

    #[kernel(threads = 64)]
    pub fn of_u64(input: DPull<EU64>) -> (DPush<Grid, EU64>, DPush<Grid, EU32>) {
        let values = values(|a, b| a + b, |a, b| a * 31 + b, |a, b| a < b, lit(7), input);
        (values, masks(|x| x < 9, input))
    }

    #[kernel(threads = 64)]
    pub fn of_i8(input: DPull<EI8>) -> (DPush<Grid, EI8>, DPush<Grid, EU32>) {
        let values = values(|a, b| a + b, |a, b| a * 31 + b, |a, b| a < b, lit(7), input);
        (values, masks(|x| x < 9, input))
    }

    #[kernel(threads = 64)]
    pub fn of_i16(input: DPull<EI16>) -> (DPush<Grid, EI16>, DPush<Grid, EU32>) {
        let values = values(|a, b| a + b, |a, b| a * 31 + b, |a, b| a < b, lit(7), input);
        (values, masks(|x| x < 9, input))
    }

    #[kernel(threads = 64)]
    pub fn of_i32(input: DPull<EI32>) -> (DPush<Grid, EI32>, DPush<Grid, EU32>) {
        let values = values(|a, b| a + b, |a, b| a * 31 + b, |a, b| a < b, lit(7), input);
        (values, masks(|x| x < 9, input))
    }

    #[kernel(threads = 64)]
    pub fn of_i64(input: DPull<EI64>) -> (DPush<Grid, EI64>, DPush<Grid, EU32>) {
        let values = values(|a, b| a + b, |a, b| a * 31 + b, |a, b| a < b, lit(7), input);
        (values, masks(|x| x < 9, input))
    }

    #[kernel(threads = 64)]
    pub fn of_f32(input: DPull<EF32>) -> (DPush<Grid, EF32>, DPush<Grid, EU32>) {
        let values = values(
            |a, b| a + b,
            |a, b| a * 0.5 + b,
            |a, b| a < b,
            lit(7.0),
            input,
        );
        (values, masks(|x| x < 9.0, input))
    }

    #[kernel(threads = 64)]
    pub fn of_f64(input: DPull<EF64>) -> (DPush<Grid, EF64>, DPush<Grid, EU32>) {
        let values = values(
            |a, b| a + b,
            |a, b| a * 0.5 + b,
            |a, b| a < b,
            lit(7.0),
            input,
        );
        (values, masks(|x| x < 9.0, input))
    }

    #[kernel(threads = 64)]
    pub fn of_bool(input: DPull<EBool>) -> (DPush<Grid, EBool>, DPush<Grid, EU32>) {
        let values = values(|a, b| a ^ b, |a, b| !a & b, |a, b| !a & b, lit(true), input);
        (values, masks(|x| x, input))
    }
}

/// A type of elements, and what the operators of the kernels are for it.
trait Word: Element + PartialEq + Debug {
    const START: Self;
    /// Element `i` of an input; with `special` values that are not ordered among them.
    fn sample(i: usize, special: bool) -> Self;
    fn sum(self, other: Self) -> Self;
    fn mix(self, other: Self) -> Self;
    fn less(self, other: Self) -> bool;
    fn is_set(self) -> bool;
    /// The same bits; a NaN is the same as another.
    fn is(self, other: Self) -> bool;
    /// Are there values that are not ordered?
    fn has_special() -> bool {
        false
    }
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Word for $ty {
            const START: Self = 7;
            fn sample(i: usize, _: bool) -> Self {
                match i % 64 {
                    40 => $ty::MAX,
                    50 => $ty::MIN,
                    // Few values, so that lanes have equal ones.
                    n if n < 30 => (i * 7919 % 13) as $ty,
                    _ => (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(21) as $ty,
                }
            }
            fn sum(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn mix(self, other: Self) -> Self {
                self.wrapping_mul(31).wrapping_add(other)
            }
            fn less(self, other: Self) -> bool {
                self < other
            }
            fn is_set(self) -> bool {
                self < 9
            }
            fn is(self, other: Self) -> bool {
                self == other
            }
        }
    )*};
}

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl Word for $ty {
            const START: Self = 7.0;
            fn sample(i: usize, special: bool) -> Self {
                match i % 64 {
                    40 => -0.0,
                    50 => 1e20,
                    // No zero: it is equal to the negative one, and either may come first.
                    n if n < 20 => (i * 7919 % 13 + 1) as $ty,
                    _ if special && i % 150 == 26 => $ty::NAN,
                    _ if special && i == 297 => $ty::NEG_INFINITY,
                    _ => (i * 2_654_435_761 % 100_003) as $ty / 7.0 - 5000.0,
                }
            }
            fn sum(self, other: Self) -> Self {
                self + other
            }
            fn mix(self, other: Self) -> Self {
                self * 0.5 + other
            }
            fn less(self, other: Self) -> bool {
                self < other
            }
            fn is_set(self) -> bool {
                self < 9.0
            }
            fn is(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
            fn has_special() -> bool {
                true
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 i8 i16 i32 i64);
floats!(f32 f64);

impl Word for bool {
    const START: Self = true;
    fn sample(i: usize, _: bool) -> Self {
        i % 64 > 40 || i * 7919 % 13 < 3
    }
    fn sum(self, other: Self) -> Self {
        self ^ other
    }
    fn mix(self, other: Self) -> Self {
        !self & other
    }
    fn less(self, other: Self) -> bool {
        !self & other
    }
    fn is_set(self) -> bool {
        self
    }
    fn is(self, other: Self) -> bool {
        self == other
    }
}

type Combine<T> = fn(T, T) -> T;

fn folded<T: Word>(f: Combine<T>, row: &[T]) -> T {
    row.iter().copied().reduce(f).unwrap()
}

/// A balanced tree over neighbours.
fn tree<T: Word>(f: Combine<T>, rows: &[T]) -> Option<T> {
    let mut rows = rows.to_vec();
    while rows.len() > 1 {
        rows = rows.chunks(2).map(|pair| folded(f, pair)).collect();
    }
    rows.first().copied()
}

/// The folds of rows of `row` elements.
fn folds<T: Word>(f: Combine<T>, row: usize, x: &[T]) -> Vec<T> {
    x.chunks(row).map(|row| folded(f, row)).collect()
}

fn inclusive<T: Word>(f: Combine<T>, x: &[T]) -> Vec<T> {
    scanned(x, None, f)
}

fn exclusive<T: Word>(f: Combine<T>, start: T, x: &[T]) -> Vec<T> {
    scanned(x, Some(&start), f)
}

fn reduced<T: Word>(f: Combine<T>, x: &[T]) -> T {
    tree(f, &folds(f, x.len().div_ceil(256), x)).unwrap()
}

/// In order; none of them where some are not ordered.
fn sorted<T: Word>(x: &[T]) -> Vec<Option<T>> {
    if x.iter()
        .any(|x| !(x.less(T::START) || T::START.less(*x) || T::START.is(*x)))
    {
        return vec![None; x.len()];
    }
    let mut x = x.to_vec();
    x.sort_by(|a, b| b.less(*a).cmp(&a.less(*b)));
    x.into_iter().map(Some).collect()
}

fn of_warp<T: Word>(a: &[T]) -> Vec<T> {
    let b: Vec<T> = (0..40).map(|i| a[i ^ 1].mix(a[(i + 7) % 40])).collect();
    let all = reduced(T::sum, &b);
    let mixed = b.iter().rev().map(|x| x.mix(all)).collect();
    [inclusive(T::sum, a), exclusive(T::mix, T::START, &b), mixed].concat()
}

fn by_neighbours<T: Word>(x: &[T]) -> Vec<T> {
    let starts = exclusive(T::mix, T::START, &folds(T::mix, 4, x));
    let scan = |(own, start): (&[T], T)| {
        let step = |sum: &mut T, x: &T| {
            *sum = sum.mix(*x);
            Some(*sum)
        };
        own.iter().scan(start, step).collect::<Vec<T>>()
    };
    x.chunks(4).zip(starts).flat_map(scan).collect()
}

fn in_tiles<T: Word>(x: &[T]) -> Vec<T> {
    let tiles = x.chunks_exact(64);
    let rest = tiles.remainder()[0];
    let step = |state: Vec<T>, tile: &[T]| state.iter().zip(tile).map(|(a, b)| a.mix(*b)).collect();
    let state: Vec<T> = tiles.fold(x[..33].to_vec(), step);
    state.into_iter().map(|own| own.mix(rest)).collect()
}

/// What a block gives of its run: `None` where the order of values means nothing.
fn values<T: Word>(x: &[T]) -> Vec<Option<T>> {
    let known = [
        vec![reduced(T::sum, x), reduced(T::mix, x)],
        inclusive(T::sum, x),
        exclusive(T::mix, T::START, x),
        by_neighbours(x),
        in_tiles(x),
        x[..280].chunks(40).flat_map(of_warp).collect(),
    ];
    let of_thread = |own: &[T]| {
        let own: Vec<T> = own.iter().rev().copied().collect();
        let known = [vec![reduced(T::mix, &own)], inclusive(T::mix, &own)].concat();
        [known.into_iter().map(Some).collect(), sorted(&own)].concat()
    };
    let known = known.concat().into_iter().map(Some);
    let threads = x.chunks(5).flat_map(of_thread);
    known.chain(threads).chain(sorted(x)).collect()
}

/// Bit `i` for a true element `i`.
fn bits(x: impl Iterator<Item = bool>) -> u32 {
    x.zip(0..).map(|(x, i)| u32::from(x) << i).sum()
}

fn masks<T: Word>(x: &[T]) -> Vec<u32> {
    let flags = |x: &[T]| {
        let mut set = x.iter().map(|x| x.is_set());
        u32::from(set.clone().any(|x| x)) + 2 * u32::from(set.all(|x| x))
    };
    let ballot = |x: &[T]| bits(x.iter().map(|x| x.is_set()));
    // A NaN is equal to none, itself among them.
    let equal = |x: &[T]| -> Vec<u32> {
        x.iter()
            .map(|own| bits(x.iter().map(|x| x == own)))
            .collect()
    };
    let of_warp = |run: &[T]| {
        let x = &run[..27];
        let mask = |equal: u32| ballot(x).wrapping_add(equal.wrapping_mul(3));
        let masks: Vec<u32> = equal(x).into_iter().map(mask).collect();
        [masks, vec![flags(run)]].concat()
    };
    let warps = x.chunks(50).flat_map(of_warp);
    let of_block = |equal: u32| {
        let masks = ballot(&x[..32])
            .wrapping_mul(4)
            .wrapping_add(equal.wrapping_mul(3));
        masks.wrapping_add(flags(x))
    };
    warps
        .chain(equal(&x[..9]).into_iter().map(of_block))
        .collect()
}

type Launch<T> = fn(&Kernel, &Device, &Buffer<T>) -> obsidian_rt::Result<(Buffer<T>, Buffer<u32>)>;

/// Holds a kernel to the reference on a device, and to what another device has given.
fn agrees<T: Word>(what: &str, found: &(Vec<T>, Vec<u32>), x: &[T], other: &(Vec<T>, Vec<u32>)) {
    let expected: Vec<Option<T>> = x.chunks(RUN).flat_map(values).collect();
    assert_eq!(found.0.len(), expected.len(), "{what}");
    for (i, (found, expected)) in found.0.iter().zip(&expected).enumerate() {
        let is = expected.is_none_or(|expected| found.is(expected));
        assert!(
            is && found.is(other.0[i]),
            "{what}: {i} is {found:?}, and not {expected:?}, {:?}",
            other.0[i]
        );
    }
    assert_eq!(
        found.1,
        x.chunks(RUN).flat_map(masks).collect::<Vec<_>>(),
        "{what}"
    );
}

/// Which numbers of threads the text is executed for: one of each type, as it has to be compiled. All types together
/// have them all, and the whole sweep has all of each.
fn is_executed(number: usize, threads: usize) -> bool {
    full() || threads == number % THREADS.len()
}

fn holds<T: Word>(number: usize, kernel: &Kernel, cuda: &str, launch: Launch<T>) {
    // As in `hold`: of a mutant results decide.
    if std::env::var_os("OBSIDIAN_MUTANT").is_none() {
        assert_eq!(kernel.native().unwrap().cuda(), cuda);
    }
    // The texts are not kept for nvcc's tables: what these words cost is counted apart, word by word.
    let kernels = THREADS.map(|threads| kernel.with_threads(threads).unwrap());
    let executor = Executor::find();
    let texts = kernels
        .iter()
        .enumerate()
        .filter(|(t, _)| is_executed(number, *t));
    let texts: Vec<Kernel> = texts.map(|(_, kernel)| kernel.clone()).collect();
    if let Some(executor) = &executor {
        executor.prepare(&texts).unwrap();
    }
    for special in [false, true]
        .into_iter()
        .take(if T::has_special() { 2 } else { 1 })
    {
        let x: Vec<T> = (0..2 * RUN).map(|i| T::sample(i, special)).collect();
        let on = |kernel: &Kernel, device: &Device| {
            let (values, masks) = launch(kernel, device, &device.upload(&x).unwrap())
                .unwrap_or_else(|error| panic!("{}: {error}", device.name()));
            (values.to_vec().unwrap(), masks.to_vec().unwrap())
        };
        let first = on(kernel, &Device::cpu());
        agrees("cpu", &first, &x, &first);
        for (t, kernel) in kernels.iter().enumerate() {
            let executed = executor.as_ref().filter(|_| is_executed(number, t));
            // On the CPU a block has no threads: what has been built for one number of them is enough.
            let cpus = [Device::cpu(), Device::cpu_by_columns()];
            let cpus = cpus.into_iter().filter(|_| t == number % THREADS.len());
            let devices = cpus.chain([Device::simulator()]);
            for device in devices.chain(executed.map(Executor::device)) {
                let what = format!(
                    "{}, {} threads, {}",
                    kernel.name(),
                    kernel.threads(),
                    device.name()
                );
                agrees(&what, &on(kernel, &device), &x, &first);
            }
        }
    }
}

macro_rules! same_everywhere {
    ($($number:literal $test:ident $kernel:ident;)*) => {$(
        #[test]
        fn $test() {
            use words::$kernel as kernel;
            holds($number, &kernel::kernel(), kernel::CUDA, kernel::launch_kernel);
        }
    )*};
}

same_everywhere! {
    0 elements_of_u8 of_u8;
    1 elements_of_u16 of_u16;
    2 elements_of_u32 of_u32;
    3 elements_of_u64 of_u64;
    4 elements_of_i8 of_i8;
    5 elements_of_i16 of_i16;
    6 elements_of_i32 of_i32;
    7 elements_of_i64 of_i64;
    8 elements_of_f32 of_f32;
    9 elements_of_f64 of_f64;
    10 elements_of_bool of_bool;
}

/// Each number of threads by the simulator: all 1,024 of them with `OBSIDIAN_FULL=1`, else some.
#[test]
fn every_number_of_threads_gives_the_same() {
    fn same<T: Word>(kernel: &Kernel, launch: Launch<T>) {
        let device = Device::simulator();
        let x: Vec<T> = (0..2 * RUN).map(|i| T::sample(i, true)).collect();
        let input = device.upload(&x).unwrap();
        let on = |kernel: &Kernel| {
            let (values, masks) = launch(kernel, &device, &input)
                .unwrap_or_else(|error| panic!("{}: {error}", kernel.threads()));
            (values.to_vec().unwrap(), masks.to_vec().unwrap())
        };
        let first = on(kernel);
        for threads in (1..=1024).step_by(if full() { 1 } else { 93 }) {
            let kernel = kernel.with_threads(threads).unwrap();
            let what = format!("{}, {threads} threads", kernel.name());
            agrees(&what, &on(&kernel), &x, &first);
        }
    }
    same(&words::of_u32::kernel(), words::of_u32::launch_kernel);
    same(&words::of_f32::kernel(), words::of_f32::launch_kernel);
}

/// The simulator counts a shuffle of a value of 8 bytes twice, as hardware has shuffles of 4.
#[test]
fn values_of_eight_bytes_are_two_shuffles() {
    fn shuffles<T: Word>(kernel: &Kernel, launch: Launch<T>) -> u64 {
        let device = Device::simulator();
        let x: Vec<T> = (0..RUN).map(|i| T::sample(i, false)).collect();
        let x = device.upload(&x).unwrap();
        let (_, counts) = device.counted(|device| launch(kernel, device, &x)).unwrap();
        counts.shuffles
    }
    let single = shuffles(&words::of_f32::kernel(), words::of_f32::launch_kernel);
    let double = shuffles(&words::of_f64::kernel(), words::of_f64::launch_kernel);
    // Masks are of 4 bytes in both.
    assert!(double > single && double < 2 * single, "{single}, {double}");
}
