//! Scans of any length in several launches: by the paper's network, by `inclusive_scan`, and in registers.

use obsidian_rt::prelude::*;

use crate::scans;

/// A large scan by the words for what threads do together: how they share the work is not said. On a
/// GPU a thread scans 16 neighbours in registers, and the lanes of a warp take from each other what
/// stands before their own; on the CPU a run is one loop.
#[kernels(built)]
pub mod together {
    /// The sums of runs of 4,096 elements, the last one maybe shorter.
    #[kernel(threads = 256)]
    pub fn totals_of_runs(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(4096, 0)
            .as_grid_map(|run| reduce(|a, b| a + b, run))
    }

    /// Scans of runs of 4,096 elements by `scan`, which is given the total of all runs before its own.
    pub fn scans_of_runs(
        totals: DPull<EU32>,
        input: DPull<EU32>,
        scan: impl Fn(EU32, Pull<EU32>) -> Push<Block, EU32> + Clone + 'static,
    ) -> DPush<Grid, EU32> {
        let runs = input.chunks(4096, 0);
        let scanned = mk_pull(runs.len(), |b| {
            let before = select((b > 0) & (b <= totals.len()), totals[b - 1], 0);
            scan(before, runs[b])
        });
        scanned.as_grid().take(input.len())
    }

    /// Scans of runs of 4,096 elements, each begun with the total of all runs before it.
    #[kernel(threads = 256)]
    pub fn scans_after(totals: DPull<EU32>, input: DPull<EU32>) -> DPush<Grid, EU32> {
        scans_of_runs(totals, input, |before, run| {
            inclusive_scan(|x, y| x + y, run).map(|sum| before + sum)
        })
    }
}

/// A large scan with the words for registers: a thread holds 16 neighbours, and adds them up without a
/// barrier and without shared memory. Between threads there is one scan, of their 256 sums.
#[kernels(built)]
pub mod held {
    use super::together::scans_of_runs;

    /// The scans of what threads hold, `items` each, behind `before`.
    fn scanned<T: Data>(
        items: u32,
        f: impl Combine<T>,
        before: T,
        own: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let sums = own.split_up(items).map(|own| fold1(f, own)[0]);
        let starts = hold(exclusive_scan(f, before, sums))?;
        let scan = |(own, start): (Pull<T>, T)| exec_thread(pure(seq_scan_cin(f, start, own)));
        pure(zip(own.split_up(items), starts).map(scan).as_block())
    }

    /// A run behind `before`: a thread loads its `items` neighbours, and stores them.
    pub fn run_after<T: Data>(
        items: u32,
        f: impl Combine<T>,
        before: T,
        run: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let own = hold_as(Blocked(items), run)?;
        scanned(items, f, before, own)
    }

    /// The same, but neighbouring threads load and store neighbouring elements, so that accesses are coalesced. Shared memory
    /// rearranges the elements before and after the scan.
    pub fn exchanged_run_after<T: Data>(
        items: u32,
        f: impl Combine<T>,
        before: T,
        run: Pull<T>,
    ) -> Program<Block, Push<Block, T>> {
        let loaded = hold(run)?;
        let own = exchange(Striped, Blocked(items), loaded)?;
        let scanned = compute_as(Pitch(33), exec_block(scanned(items, f, before, own)))?;
        pure(scanned.push())
    }

    /// Scans of runs of 4,096 elements, each begun with the total of all runs before it.
    #[kernel(threads = 256)]
    pub fn scans_held(totals: DPull<EU32>, input: DPull<EU32>) -> DPush<Grid, EU32> {
        scans_of_runs(totals, input, |before, run| {
            exec_block(run_after(16, |x, y| x + y, before, run))
        })
    }

    /// The same by [`exchanged_run_after()`].
    #[kernel(threads = 256)]
    pub fn scans_exchanged(totals: DPull<EU32>, input: DPull<EU32>) -> DPush<Grid, EU32> {
        scans_of_runs(totals, input, |before, run| {
            exec_block(exchanged_run_after(16, |x, y| x + y, before, run))
        })
    }
}

/// Elements of a run of the kernels of [`together`] and [`held`].
pub const RUN_TOGETHER: usize = 4096;

/// Scans runs of [`RUN_TOGETHER`] elements, each behind its total.
type ScansAfter = fn(&Device, &Buffer<u32>, &Buffer<u32>) -> obsidian_rt::Result<Buffer<u32>>;

/// [`large_scan`] with [`together::totals_of_runs()`] and a launch for the runs.
fn in_runs(
    device: &Device,
    input: &Buffer<u32>,
    scans_after: ScansAfter,
) -> obsidian_rt::Result<Buffer<u32>> {
    if input.len() <= RUN_TOGETHER {
        return scans_after(device, &device.upload(&[])?, input);
    }
    let totals = together::totals_of_runs::launch(device, input)?;
    let scanned = in_runs(device, &totals, scans_after)?;
    scans_after(device, &scanned, input)
}

/// [`large_scan`] by the kernels of [`together`].
///
/// # Errors
/// What a launch reports.
pub fn large_scan_together(
    device: &Device,
    input: &Buffer<u32>,
) -> obsidian_rt::Result<Buffer<u32>> {
    in_runs(device, input, together::scans_after::launch)
}

/// [`large_scan`] by [`held::scans_held()`].
///
/// # Errors
/// What a launch reports.
pub fn large_scan_held(device: &Device, input: &Buffer<u32>) -> obsidian_rt::Result<Buffer<u32>> {
    in_runs(device, input, held::scans_held::launch)
}

/// [`large_scan`] by [`held::scans_exchanged()`].
///
/// # Errors
/// What a launch reports.
pub fn large_scan_exchanged(
    device: &Device,
    input: &Buffer<u32>,
) -> obsidian_rt::Result<Buffer<u32>> {
    in_runs(device, input, held::scans_exchanged::launch)
}

/// Elements of a run of [`scans::totals()`] and [`scans::scan_after()`].
pub const RUN: usize = 1024;

/// The sums of all beginnings of an array of any length, wrapping: the runs are summed, their sums
/// are scanned by the same function, and the runs are scanned with what comes before them. Nothing
/// leaves the device.
///
/// # Errors
/// What a launch reports.
pub fn large_scan(device: &Device, input: &Buffer<u32>) -> obsidian_rt::Result<Buffer<u32>> {
    if input.len() <= RUN {
        return scans::scan_after::launch(device, &device.upload(&[])?, input);
    }
    let totals = scans::totals::launch(device, input)?;
    let scanned = large_scan(device, &totals)?;
    scans::scan_after::launch(device, &scanned, input)
}
