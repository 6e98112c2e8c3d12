//! Occupancy: how many blocks of a kernel a multiprocessor has at once, and what keeps it from
//! having more.
//!
//! The rules are those of NVIDIA's occupancy calculator: a block takes whole units of warps, of
//! registers for each warp, and of shared memory. Registers count where a compiler has said
//! how many a thread has, and where threads hold arrays. Kernels of this language that hold none mostly have 32
//! or fewer, with which all threads of a new multiprocessor fit.

use std::fmt;

use super::gpu::Gpu;
use super::result::Needs;

/// Threads of a warp.
const WARP: u32 = 32;

/// The resource that bounds the number of resident blocks.
///
/// ```
/// use obsidian_rt::explore::{Gpu, Limit, Needs, Occupancy};
///
/// let needs = Needs { threads: 256, shared_bytes: 100 << 10, registers: Some(32), local_bytes: 0, blocks: 1000 };
/// assert_eq!(Occupancy::of(&Gpu::named("H100")?, &needs).limit, Limit::Shared);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// The threads, or warps, that a multiprocessor can have.
    Warps,
    /// The blocks that a multiprocessor can have.
    Blocks,
    /// Its registers.
    Registers,
    /// Its shared memory.
    Shared,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Warps => "warps",
            Limit::Blocks => "blocks",
            Limit::Registers => "registers",
            Limit::Shared => "shared memory",
        })
    }
}

/// The blocks and warps of a kernel that a multiprocessor holds at once.
///
/// ```
/// use obsidian_rt::explore::{Gpu, Needs, Occupancy};
///
/// let needs = Needs { threads: 256, shared_bytes: 48 << 10, registers: Some(32), local_bytes: 0, blocks: 1000 };
/// let occupancy = Occupancy::of(&Gpu::named("H100")?, &needs);
/// println!("{} blocks: {:.0} % of the warps, limited by {}", occupancy.blocks, 100.0 * occupancy.fraction, occupancy.limit);
/// assert_eq!(occupancy.warps, 8 * occupancy.blocks);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "cudaOccupancyMaxActiveBlocksPerMultiprocessor")]
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Occupancy {
    /// Resident blocks; 0 if not even one block fits.
    pub blocks: u32,
    /// Their warps.
    pub warps: u32,
    /// The warps as a part of those that could be resident, up to 1.
    pub fraction: f64,
    /// What there would have to be more of for one block more.
    pub limit: Limit,
}

impl Occupancy {
    /// The occupancy of a kernel with enough blocks.
    ///
    /// ```
    /// use obsidian_rt::explore::{Gpu, Needs, Occupancy};
    ///
    /// let needs = Needs { threads: 256, shared_bytes: 48 << 10, registers: Some(32), local_bytes: 0, blocks: 1000 };
    /// let occupancy = Occupancy::of(&Gpu::named("H100")?, &needs);
    /// assert!(occupancy.fraction <= 1.0);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn of(gpu: &Gpu, needs: &Needs) -> Occupancy {
        let warps = needs.threads.max(1).div_ceil(WARP);
        let taken = warps.next_multiple_of(gpu.warp_unit);
        let by_warps = (gpu.warps / warps).min(gpu.threads / needs.threads.max(1));
        let limits = [
            (by_warps, Limit::Warps),
            (gpu.blocks, Limit::Blocks),
            (by_registers(gpu, needs.registers, taken), Limit::Registers),
            (by_shared(gpu, needs.shared_bytes), Limit::Shared),
        ];
        let (blocks, limit) = limits.into_iter().min().unwrap_or((0, Limit::Blocks));
        let resident = blocks * warps;
        Occupancy {
            blocks,
            warps: resident,
            fraction: f64::from(resident) / f64::from(gpu.warps),
            limit,
        }
    }

    /// Returns `true` if at least one block fits.
    ///
    /// ```
    /// use obsidian_rt::explore::{Gpu, Needs, Occupancy};
    ///
    /// let needs = Needs { threads: 256, shared_bytes: 48 << 10, registers: Some(32), local_bytes: 0, blocks: 1000 };
    /// assert!(Occupancy::of(&Gpu::named("H100")?, &needs).fits());
    /// let more = Needs { shared_bytes: 1 << 20, ..needs };
    /// assert!(!Occupancy::of(&Gpu::named("H100")?, &more).fits());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn fits(&self) -> bool {
        self.blocks > 0
    }
}

impl fmt::Display for Occupancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Occupancy {
            blocks,
            warps,
            fraction,
            limit,
        } = self;
        write!(
            f,
            "{blocks} blocks, {warps} warps, {:.0} %, limited by {limit}",
            fraction * 100.0
        )
    }
}

/// Blocks whose registers fit. A warp takes whole units of them.
fn by_registers(gpu: &Gpu, registers: Option<u32>, warps: u32) -> u32 {
    match registers {
        None | Some(0) => u32::MAX,
        Some(registers) if registers > gpu.registers_per_thread => 0,
        Some(registers) => {
            let of_warp = (registers * WARP).next_multiple_of(gpu.register_unit);
            // The warps live in parts of the multiprocessor that have a share of the registers
            // each.
            let resident = gpu.registers / of_warp / gpu.warp_unit * gpu.warp_unit;
            resident / warps
        }
    }
}

/// The most registers a thread can have so that one block of `threads` threads still fits.
pub(super) fn most_registers(gpu: &Gpu, threads: u32) -> u32 {
    let warps = threads
        .max(1)
        .div_ceil(WARP)
        .next_multiple_of(gpu.warp_unit);
    let of_warp = gpu.registers / warps / gpu.register_unit * gpu.register_unit;
    (of_warp / WARP).min(gpu.registers_per_thread)
}

/// Blocks whose shared memory fits.
fn by_shared(gpu: &Gpu, bytes: u32) -> u32 {
    if bytes > gpu.shared_bytes_per_block {
        return 0;
    }
    match (bytes + gpu.shared_bytes_reserved).next_multiple_of(gpu.shared_unit) {
        0 => u32::MAX,
        each => gpu.shared_bytes / each,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(gpu: &str, threads: u32, registers: Option<u32>, shared_bytes: u32) -> (u32, u32, Limit) {
        let needs = Needs {
            threads,
            shared_bytes,
            registers,
            local_bytes: 0,
            blocks: 1000,
        };
        let occupancy = Occupancy::of(&Gpu::named(gpu).unwrap(), &needs);
        (occupancy.blocks, occupancy.warps, occupancy.limit)
    }

    /// Worked out by hand from the tables of the occupancy calculator.
    #[test]
    fn blocks_are_limited_by_what_runs_out_first() {
        assert_eq!(of("gtx680", 32, None, 0), (16, 16, Limit::Blocks));
        assert_eq!(of("gtx680", 256, None, 0), (8, 64, Limit::Warps));
        assert_eq!(
            of("gtx680", 256, Some(40), 0),
            (6, 48, Limit::Registers),
            "1,280 registers a warp, 51 warps, of which 48 in whole units"
        );
        assert_eq!(of("gtx680", 128, None, 8192), (6, 24, Limit::Shared));
        assert_eq!(
            of("gtx680", 128, None, 8193),
            (5, 20, Limit::Shared),
            "a unit of 256 bytes more"
        );
        assert_eq!(
            of("c2070", 1024, None, 0),
            (1, 32, Limit::Warps),
            "1,536 threads"
        );
        assert_eq!(
            of("c2070", 192, Some(21), 0),
            (7, 42, Limit::Registers),
            "704 registers a warp, 46 warps"
        );
        assert_eq!(
            of("a100", 256, None, 40_000),
            (4, 32, Limit::Shared),
            "1 KiB more for each block"
        );
        assert_eq!(of("rtx4090", 1024, None, 0), (1, 32, Limit::Warps));
    }

    #[test]
    fn uneven_numbers_of_threads_take_whole_warps() {
        for (threads, warps, blocks) in [
            (1, 1, 16),
            (31, 1, 16),
            (33, 2, 16),
            (1000, 32, 2),
            (1023, 32, 2),
        ] {
            assert_eq!(
                of("gtx680", threads, None, 0),
                (
                    blocks,
                    blocks * warps,
                    if threads < 100 {
                        Limit::Blocks
                    } else {
                        Limit::Warps
                    }
                )
            );
        }
    }

    /// A compiler gives no thread more registers than a block of its size can have.
    #[test]
    fn as_many_registers_as_a_thread_can_have_fit() {
        for name in Gpu::names() {
            let gpu = Gpu::named(name).unwrap();
            for threads in [1, 32, 33, 256, 512, 1000, 1024] {
                let most = most_registers(&gpu, threads);
                let warps = threads.div_ceil(WARP).next_multiple_of(gpu.warp_unit);
                let fits = |registers| by_registers(&gpu, Some(registers), warps);
                assert!(most > 0 && fits(most) > 0, "{name}, {threads}: {most}");
                let more = most + gpu.register_unit.div_ceil(WARP);
                assert!(fits(more) == 0, "{name}, {threads}: {more}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_has_no_blocks() {
        assert_eq!(of("gtx680", 64, None, 49_153), (0, 0, Limit::Shared));
        assert_eq!(of("c2070", 64, Some(64), 0), (0, 0, Limit::Registers));
        assert_eq!(of("gtx680", 1024, Some(63), 0), (1, 32, Limit::Registers));
    }
}
