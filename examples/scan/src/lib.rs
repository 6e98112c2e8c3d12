//! Five scans of a block (section 6.3 of the paper), chains of them that carry a value on (section
//! 6.4), and scans of any length in several launches (section 7.2).
//!
//! The last of those launches has two other forms: by `inclusive_scan` ([`together`]), and with neighbours in registers
//! ([`held`]). Instructions and barriers are counted in the machine code for sm_90, requests of warps to
//! buffers and their sectors of 32 bytes by the simulator, for 16,384 elements:
//!
//! | launch | instructions an element | barriers | requests | sectors |
//! |---|---|---|---|---|
//! | [`scans::scan_after()`] | 43.38 | 8 | 1,055 | 4,127 |
//! | [`together::scans_after()`] | 12.69 | 2 | 640 | 4,480 |
//! | [`held::scans_held()`] | 6.88 | 2 | 280 | 8,216 |
//! | [`held::scans_exchanged()`] | 16.12 | 6 | 1,048 | 4,120 |
//!
//! A thread that holds 16 neighbours asks for half a sector at a time, and the other half comes from the cache. `inclusive_scan` gives threads 4 neighbours
//! at a time, which the lanes of a warp load side by side.

use obsidian_rt::Limits;
use obsidian_rt::language::{DPull, DPush, EU32, Grid};
use obsidian_rt::prelude::*;

mod large;

pub use large::{
    RUN, RUN_TOGETHER, held, large_scan, large_scan_exchanged, large_scan_held,
    large_scan_together, together,
};

/// Scans: the reductions of all beginnings of an array. `op` must be associative.
#[kernels(built)]
pub mod scans {
    /// The last element of the first half goes into each of the second.
    pub fn fan<T: Data>(op: impl Combine<T>, arr: Pull<T>) -> Pull<T> {
        let (a1, a2) = arr.halve();
        let last = a1.last();
        append(a1, a2.map(|x| op(last, x)))
    }

    /// Sklansky's network, of 2^n elements: `n` stages of fans.
    pub fn sklansky<T: Data>(
        n: u32,
        op: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        if n == 0 {
            return pure(arr.push());
        }
        let arr1 = unsafe_bin_split(n - 1, |a| fan(op, a), arr);
        let arr2 = compute(arr1)?;
        sklansky(n - 1, op, arr2)
    }

    /// `a` without its `i` lowest bits.
    pub fn zero_bits(i: u32, a: EU32) -> EU32 {
        a & !((1u32 << i) - 1)
    }

    /// `a` with its bit `i` turned over.
    pub fn flip_bit(i: u32, a: EU32) -> EU32 {
        a ^ (1u32 << i)
    }

    /// `a` with a 0 in front of its `i` lowest bits.
    pub fn insert_zero(i: u32, a: EU32) -> EU32 {
        a + zero_bits(i, a)
    }

    /// One stage of Sklansky's network with one operation and one copy a thread.
    pub fn phase<T: Data>(i: u32, f: impl Combine<T>, arr: Pull<T>) -> Push<Block, T> {
        let l = arr.len();
        mk_push(l, |wf| {
            for_all::<Block, _>(l / 2, |tid| {
                let ix1 = insert_zero(i, tid);
                let ix2 = flip_bit(i, ix1);
                let ix3 = zero_bits(i, ix2) - 1;
                wf(arr[ix1], ix1)?;
                wf(f(arr[ix3], arr[ix2]), ix2)
            })
        })
    }

    /// Sklansky's network with half as many threads as elements.
    pub fn sklansky2<T: Data>(
        n: u32,
        op: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let phases = (0..n).map(|i| move |a: Pull<T>| phase(i, op, a));
        compose(phases.collect(), arr)
    }

    /// Loads `n` elements a thread, far apart.
    pub fn load<T: Data>(n: u32, arr: Pull<T>) -> Push<Block, T> {
        let m = arr.len();
        let threads = m / n;
        mk_push(m, |wf| {
            for_all::<Block, _>(threads, |tid| {
                seq_for::<Thread>(n, |ix| wf(arr[tid + ix * threads], tid + ix * threads))
            })
        })
    }

    /// The same, after a stage that only loads.
    pub fn sklansky3<T: Data>(
        n: u32,
        op: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let arr = compute(load(2, arr))?;
        sklansky2(n, op, arr)
    }

    /// Kogge and Stone's network, its halves put together as pull arrays. Any length up to 2^n.
    pub fn ks_local<T: Data>(
        n: u32,
        op: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        if n == 0 {
            return pure(arr.push());
        }
        let before = ks_local(n - 1, op, arr)?;
        let arr2 = compute(before)?;
        let m = 1u32 << (n - 1);
        let oped = zip_with_shortest(op, arr2, arr2.drop(m));
        pure(append(arr2.take(m), oped).push())
    }

    /// Kogge and Stone's network, its halves put together as push arrays. Any length up to 2^n.
    pub fn ks_local_p<T: Data>(
        n: u32,
        op: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        if n == 0 {
            return pure(arr.push());
        }
        let before = ks_local_p(n - 1, op, arr)?;
        let arr2 = compute(before)?;
        let m = 1u32 << (n - 1);
        let oped = zip_with_shortest(op, arr2, arr2.drop(m)).push::<Block>();
        let copy = arr2.take(m).push::<Block>();
        pure(append(copy, oped))
    }

    /// The five scans by number.
    pub fn scan<T: Data>(
        which: u32,
        n: u32,
        op: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        match which {
            1 => sklansky(n, op, arr),
            2 => sklansky2(n, op, arr),
            3 => sklansky3(n, op, arr),
            4 => ks_local(n, op, arr),
            _ => ks_local_p(n, op, arr),
        }
    }

    /// Scans of consecutive pieces of `size` elements, at most 2^n.
    pub fn map_scan<T: Data>(
        which: u32,
        n: u32,
        size: u32,
        op: impl Combine<T>,
        arr: DPull<T>,
    ) -> DPush<Grid, T> {
        arr.split_up(size)
            .as_grid_map(|a| exec_block(scan(which, n, op, a)))
    }

    /// The array with a value put into its first element.
    pub fn apply_to_head<T: Data>(op: impl Combine<T>, cin: T, arr: Pull<T>) -> Pull<T> {
        let h = arr.take(1).map(|x| op(cin, x));
        append(h, arr.drop(1))
    }

    /// A scan that takes a carry into its first element, and gives its last element as the next
    /// carry.
    pub fn wrap_kern_cin<T: Data>(
        kern: impl Fn(Pull<T>) -> Program<Block, Push<Block, T>>,
        op: impl Combine<T>,
        cin: T,
        arr: Pull<T>,
    ) -> Program<Block, (T, Push<Block, T>)> {
        let arr = compute(apply_to_head(op, cin, arr))?;
        let arr = compute(exec_block(kern(arr)))?;
        pure((arr.last(), arr.push()))
    }

    /// The same, but the carry goes into all elements at the end.
    pub fn wrap_kern_late<T: Data>(
        kern: impl Fn(Pull<T>) -> Program<Block, Push<Block, T>>,
        op: impl Combine<T>,
        cin: T,
        arr: Pull<T>,
    ) -> Program<Block, (T, Push<Block, T>)> {
        let scanned = exec_block(kern(arr));
        let arr = compute(scanned.map(|x| op(cin, x)))?;
        pure((arr.last(), arr.push()))
    }

    /// Each block scans `elements` in rounds of `size`.
    pub fn seq_chain<T: Data>(
        which: u32,
        n: u32,
        size: u32,
        elements: u32,
        op: impl Combine<T>,
        zero: T,
        arr: DPull<T>,
    ) -> DPush<Grid, T> {
        arr.split_up(elements).as_grid_map(|b| {
            let rounds = b.split_up(size);
            s_map_accum(
                |cin: T, a: Pull<T>| wrap_kern_cin(|a| scan(which, n, op, a), op, cin, a),
                zero,
                rounds,
            )
        })
    }

    /// The same with the carry at the end.
    pub fn seq_chain_late<T: Data>(
        which: u32,
        n: u32,
        size: u32,
        elements: u32,
        op: impl Combine<T>,
        zero: T,
        arr: DPull<T>,
    ) -> DPush<Grid, T> {
        arr.split_up(elements).as_grid_map(|b| {
            let rounds = b.split_up(size);
            s_map_accum(
                |cin: T, a: Pull<T>| wrap_kern_late(|a| scan(which, n, op, a), op, cin, a),
                zero,
                rounds,
            )
        })
    }

    /// Scans with a carry for each piece.
    pub fn map_scan_cin<T: Data>(
        which: u32,
        n: u32,
        size: u32,
        op: impl Combine<T>,
        cins: DPull<T>,
        arr: DPull<T>,
    ) -> DPush<Grid, T> {
        zip_with(
            |cin, a| exec_block(scan_cin(which, n, op, cin, a)),
            cins,
            arr.split_up(size),
        )
        .as_grid()
    }

    /// A scan with a carry for its first element.
    pub fn scan_cin<T: Data>(
        which: u32,
        n: u32,
        op: impl Combine<T>,
        cin: T,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let arr = compute(apply_to_head(op, cin, arr))?;
        scan(which, n, op, arr)
    }

    /// What comes before each element, from `zero` on: the carries of the pieces.
    pub fn map_carries<T: Data>(
        which: u32,
        n: u32,
        size: u32,
        op: impl Combine<T>,
        zero: T,
        arr: DPull<T>,
    ) -> DPush<Grid, T> {
        arr.split_up(size)
            .as_grid_map(|a| exec_block(carries(which, n, op, zero, a)))
    }

    /// The carries of the elements of one piece: its scan, one element later.
    pub fn carries<T: Data>(
        which: u32,
        n: u32,
        op: impl Combine<T>,
        zero: T,
        arr: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let sums = compute(exec_block(scan(which, n, op, arr)))?;
        pure(append(
            singleton(zero).push::<Block>(),
            sums.take(arr.len() - 1).push(),
        ))
    }

    /// Affine maps x -> a x + b: what they do one after another is associative and not commutative.
    pub fn then(f: (EU32, EU32), g: (EU32, EU32)) -> (EU32, EU32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }

    /// Sklansky of affine maps, in runs of 256.
    #[kernel(threads = 64)]
    pub fn sklansky1_256(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(1, 8, 256, then, input)
    }

    /// The second Sklansky, in runs of 256.
    #[kernel(threads = 64)]
    pub fn sklansky2_256(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(2, 8, 256, then, input)
    }

    /// The third Sklansky, in runs of 256.
    #[kernel(threads = 64)]
    pub fn sklansky3_256(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(3, 8, 256, then, input)
    }

    /// Kogge and Stone with pull arrays, in runs of 256.
    #[kernel(threads = 64)]
    pub fn kogge_stone_256(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(4, 8, 256, then, input)
    }

    /// Kogge and Stone with push arrays, in runs of 256.
    #[kernel(threads = 64)]
    pub fn kogge_stone_push_256(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(5, 8, 256, then, input)
    }

    /// Kogge and Stone with pull arrays, in runs of 100.
    #[kernel(threads = 64)]
    pub fn kogge_stone_100(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(4, 7, 100, then, input)
    }

    /// Kogge and Stone with push arrays, in runs of 100.
    #[kernel(threads = 64)]
    pub fn kogge_stone_push_100(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(5, 7, 100, then, input)
    }

    /// Sums of 256 in four rounds.
    #[kernel(threads = 64)]
    pub fn chain_of_sklansky(input: DPull<EU32>) -> DPush<Grid, EU32> {
        seq_chain(1, 6, 64, 256, |a, b| a + b, lit(0u32), input)
    }

    /// Affine maps of 96 in three rounds.
    #[kernel(threads = 64)]
    pub fn chain_of_sklansky2(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        seq_chain(2, 5, 32, 96, then, (lit(1u32), lit(0u32)), input)
    }

    /// Affine maps of 150 in three rounds.
    #[kernel(threads = 64)]
    pub fn chain_of_kogge_stone(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        seq_chain(5, 6, 50, 150, then, (lit(1u32), lit(0u32)), input)
    }

    /// The same with the carry at the end.
    #[kernel(threads = 64)]
    pub fn late_chain_of_kogge_stone(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        seq_chain_late(4, 6, 50, 150, then, (lit(1u32), lit(0u32)), input)
    }

    /// The carries of 20 pieces.
    #[kernel(threads = 64)]
    pub fn carries_20(sums: DPull<EU32>) -> DPush<Grid, EU32> {
        map_carries(5, 5, 20, |a, b| a + b, lit(0u32), sums)
    }

    /// Runs of 64 with a carry each.
    #[kernel(threads = 64)]
    pub fn scan_cin_64(cins: DPull<EU32>, input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_scan_cin(1, 6, 64, |a, b| a + b, cins, input)
    }

    /// A tree reduction of a power of two.
    pub fn reduce<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a1, a2) = arr.halve();
        let arr = compute(zip_with(f, a1, a2))?;
        reduce(f, arr)
    }

    /// The sums of runs of 1,024 elements, the last one maybe shorter: the first launch of a large
    /// scan.
    #[kernel(threads = 128)]
    pub fn totals(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(1024, lit(0u32))
            .as_grid_map(|run| exec_block(reduce(|a, b| a + b, run)))
    }

    /// Scans of runs of 1,024 elements, each begun with the total of all runs before it: the last
    /// launch of a large scan.
    #[kernel(threads = 128)]
    pub fn scan_after(totals: DPull<EU32>, input: DPull<EU32>) -> DPush<Grid, EU32> {
        let runs = input.chunks(1024, lit(0u32));
        let scanned = mk_pull(runs.len(), |b| {
            let carry = select((b > 0) & (b <= totals.len()), totals[b - 1], lit(0u32));
            exec_block(scan_cin(5, 10, |x, y| x + y, carry, runs[b]))
        });
        scanned.as_grid().take(input.len())
    }
}

/// The five scans of the paper, as its Figure 12 calls them.
pub const NAMES: [&str; 5] = [
    "Sklansky",
    "Sklansky2",
    "Sklansky3",
    "Kogge-Stone",
    "Kogge-Stone Push",
];

/// Thread counts of the paper's Table 3.
pub const THREADS: [u32; 6] = [32, 64, 128, 256, 512, 1024];

/// Elements per block of the paper's Table 3.
pub const ELEMENTS: [u32; 5] = [256, 512, 1024, 2048, 4096];

/// Scan `which` (1 to 5) of runs of `elements`, a power of two, built for a number of threads, or for other limits.
///
/// # Errors
/// Where the arrays need more shared memory than a block has.
pub fn scan(
    which: u32,
    elements: u32,
    limits: impl Into<Limits>,
) -> obsidian_rt::Result<TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>> {
    let name = format!("scan{which}_{elements}");
    TypedKernel::build(&name, limits, |input: DPull<EU32>| {
        scans::map_scan(
            which,
            elements.ilog2(),
            elements,
            |a: EU32, b: EU32| a + b,
            input,
        )
    })
}
