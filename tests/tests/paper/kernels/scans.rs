//! Sections 6.3, 6.4 and 7.2: scans of a block, chains of them, and what a large scan is made of.

use obsidian_rt::prelude::*;

#[kernels]
pub mod scans {
    /// Section 6.3.1: the last element of the first half goes into each of the second.
    pub fn fan<T: Data>(op: impl Combine<T>, arr: Pull<T>) -> Pull<T> {
        let (a1, a2) = arr.halve();
        let last = a1.last();
        append(a1, a2.map(|x| op(last, x)))
    }

    /// Section 6.3.1, of 2^n elements.
    pub fn sklansky<T: Data>(n: u32, op: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if n == 0 {
            return pure(arr.push());
        }
        let arr1 = unsafe_bin_split(n - 1, |a| fan(op, a), arr);
        let arr2 = compute(arr1)?;
        sklansky(n - 1, op, arr2)
    }

    pub fn zero_bits(i: u32, a: EU32) -> EU32 {
        a & !((1u32 << i) - 1)
    }

    pub fn flip_bit(i: u32, a: EU32) -> EU32 {
        a ^ (1u32 << i)
    }

    pub fn insert_zero(i: u32, a: EU32) -> EU32 {
        a + zero_bits(i, a)
    }

    /// Section 6.3.1: one operation and one copy a thread.
    pub fn phase<T: Data>(i: u32, f: impl Combine<T>, arr: Pull<T>) -> Push<Block, T> {
        let l = arr.len();
        mk_push(l, |wf| {
            for_all::<Block>(l / 2, |tid| {
                let ix1 = insert_zero(i, tid);
                let ix2 = flip_bit(i, ix1);
                let ix3 = zero_bits(i, ix2) - 1;
                wf(arr[ix1], ix1)?;
                wf(f(arr[ix3], arr[ix2]), ix2)
            })
        })
    }

    pub fn sklansky2<T: Data>(n: u32, op: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        let phases = (0..n).map(|i| move |a: Pull<T>| phase(i, op, a));
        compose(phases.collect(), arr)
    }

    /// Section 6.3.1: `load`, two elements a thread, far apart.
    pub fn load<T: Data>(n: u32, arr: Pull<T>) -> Push<Block, T> {
        let m = arr.len();
        let threads = m / n;
        mk_push(m, |wf| for_all::<Block>(threads, |tid| seq_for::<Thread>(n, |ix| wf(arr[tid + ix * threads], tid + ix * threads))))
    }

    pub fn sklansky3<T: Data>(n: u32, op: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        let arr = compute(load(2, arr))?;
        sklansky2(n, op, arr)
    }

    /// Section 6.3.2: pull arrays put together. Any length up to 2^n.
    pub fn ks_local<T: Data>(n: u32, op: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if n == 0 {
            return pure(arr.push());
        }
        let before = ks_local(n - 1, op, arr)?;
        let arr2 = compute(before)?;
        let m = 1u32 << (n - 1);
        let oped = zip_with(op, arr2, arr2.drop(m));
        pure(append(arr2.take(m), oped).push())
    }

    /// Section 6.3.2: push arrays put together. Any length up to 2^n.
    pub fn ks_local_p<T: Data>(n: u32, op: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        if n == 0 {
            return pure(arr.push());
        }
        let before = ks_local_p(n - 1, op, arr)?;
        let arr2 = compute(before)?;
        let m = 1u32 << (n - 1);
        let oped = zip_with(op, arr2, arr2.drop(m)).push::<Block>();
        let copy = arr2.take(m).push::<Block>();
        pure(append(copy, oped))
    }

    /// The five scans by number.
    pub fn scan<T: Data>(which: u32, n: u32, op: impl Combine<T>, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        match which {
            1 => sklansky(n, op, arr),
            2 => sklansky2(n, op, arr),
            3 => sklansky3(n, op, arr),
            4 => ks_local(n, op, arr),
            _ => ks_local_p(n, op, arr),
        }
    }

    /// Scans of consecutive pieces of `size` elements, at most 2^n.
    pub fn map_scan<T: Data>(which: u32, n: u32, size: u32, op: impl Combine<T>, arr: DPull<T>) -> DPush<Grid, T> {
        arr.split_up(size).as_grid_map(|a| exec_block(scan(which, n, op, a)))
    }

    pub fn apply_to_head<T: Data>(op: impl Combine<T>, cin: T, arr: Pull<T>) -> Pull<T> {
        let h = arr.take(1).map(|x| op(cin, x));
        append(h, arr.drop(1))
    }

    /// Section 6.4.
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

    /// The repository's wrapper, which adds the carry at the end.
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

    /// Section 6.4: each block scans `elements` in rounds of `size`.
    pub fn seq_chain<T: Data>(which: u32, n: u32, size: u32, elements: u32, op: impl Combine<T>, zero: T, arr: DPull<T>) -> DPush<Grid, T> {
        arr.split_up(elements).as_grid_map(|b| {
            let rounds = b.split_up(size);
            s_map_accum(|cin: T, a: Pull<T>| wrap_kern_cin(|a| scan(which, n, op, a), op, cin, a), zero, rounds)
        })
    }

    /// The same with the repository's wrapper.
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
            s_map_accum(|cin: T, a: Pull<T>| wrap_kern_late(|a| scan(which, n, op, a), op, cin, a), zero, rounds)
        })
    }

    /// Section 7.2: scans with a carry for each piece.
    pub fn map_scan_cin<T: Data>(which: u32, n: u32, size: u32, op: impl Combine<T>, cins: DPull<T>, arr: DPull<T>) -> DPush<Grid, T> {
        zip_with(|cin, a| exec_block(scan_cin(which, n, op, cin, a)), cins, arr.split_up(size)).as_grid()
    }

    pub fn scan_cin<T: Data>(which: u32, n: u32, op: impl Combine<T>, cin: T, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        let arr = compute(apply_to_head(op, cin, arr))?;
        scan(which, n, op, arr)
    }

    /// Section 7.2: what comes before each element, from `zero` on: the carries of the pieces.
    pub fn map_carries<T: Data>(which: u32, n: u32, size: u32, op: impl Combine<T>, zero: T, arr: DPull<T>) -> DPush<Grid, T> {
        arr.split_up(size).as_grid_map(|a| exec_block(carries(which, n, op, zero, a)))
    }

    pub fn carries<T: Data>(which: u32, n: u32, op: impl Combine<T>, zero: T, arr: Pull<T>) -> Program<Block, Push<Block, T>> {
        let sums = compute(exec_block(scan(which, n, op, arr)))?;
        pure(append(singleton(zero).push::<Block>(), sums.take(arr.len() - 1).push()))
    }

    /// Affine maps x -> a x + b: what they do one after another is associative and not commutative.
    pub fn then(f: (EU32, EU32), g: (EU32, EU32)) -> (EU32, EU32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }

    #[kernel(threads = 64)]
    pub fn sklansky1_256(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(1, 8, 256, then, input)
    }

    #[kernel(threads = 64)]
    pub fn sklansky2_256(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(2, 8, 256, then, input)
    }

    #[kernel(threads = 64)]
    pub fn sklansky3_256(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(3, 8, 256, then, input)
    }

    #[kernel(threads = 64)]
    pub fn kogge_stone_256(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(4, 8, 256, then, input)
    }

    #[kernel(threads = 64)]
    pub fn kogge_stone_push_256(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(5, 8, 256, then, input)
    }

    #[kernel(threads = 64)]
    pub fn kogge_stone_100(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(4, 7, 100, then, input)
    }

    #[kernel(threads = 64)]
    pub fn kogge_stone_push_100(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        map_scan(5, 7, 100, then, input)
    }

    #[kernel(threads = 64)]
    pub fn chain_of_sklansky(input: DPull<EU32>) -> DPush<Grid, EU32> {
        seq_chain(1, 6, 64, 256, |a, b| a + b, lit(0u32), input)
    }

    #[kernel(threads = 64)]
    pub fn chain_of_sklansky2(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        seq_chain(2, 5, 32, 96, then, (lit(1u32), lit(0u32)), input)
    }

    #[kernel(threads = 64)]
    pub fn chain_of_kogge_stone(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        seq_chain(5, 6, 50, 150, then, (lit(1u32), lit(0u32)), input)
    }

    #[kernel(threads = 64)]
    pub fn late_chain_of_kogge_stone(input: DPull<(EU32, EU32)>) -> DPush<Grid, (EU32, EU32)> {
        seq_chain_late(4, 6, 50, 150, then, (lit(1u32), lit(0u32)), input)
    }

    #[kernel(threads = 64)]
    pub fn carries_20(sums: DPull<EU32>) -> DPush<Grid, EU32> {
        map_carries(5, 5, 20, |a, b| a + b, lit(0u32), sums)
    }

    #[kernel(threads = 64)]
    pub fn scan_cin_64(cins: DPull<EU32>, input: DPull<EU32>) -> DPush<Grid, EU32> {
        map_scan_cin(1, 6, 64, |a, b| a + b, cins, input)
    }
}
