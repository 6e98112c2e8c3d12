//! Predicted cost: the time of a launch on a GPU that is not there, from what the simulator counts
//! in a few blocks.
//!
//! The model is analytic. Its figures are those of the [GPU's description](Gpu) and the constants
//! below; none of them was fitted to measured times of kernels. It is made to tell good shapes of a
//! kernel from bad ones, not to give the time of one.
//!
//! # The model
//!
//! A multiprocessor is a closed network of queues (in the sense of operations research) through
//! which its resident work goes round. What goes round as one customer is a *block* if its threads
//! wait for each other, and a *warp* if they do not. Each asks four servers for some clocks of
//! service, and spends further clocks where nobody is in its way:
//!
//! | part | clocks of a customer |
//! |---|---|
//! | issue | its instructions over those issued in a clock; or, if that is more, the lanes of one kind of instruction (integer, `f32`, `f64`, special, conversion) over the lanes that a clock has |
//! | shared memory | passes of the access unit: requests to shared memory and their bank conflicts, one for each line of 128 bytes of a request to a buffer, one for each collision of atomics, and those of lanes that take values from each other |
//! | L2 | bytes that come from or go to L2, over this multiprocessor's share of the bytes a clock |
//! | memory | bytes that come from or go to memory, over its share of the bandwidth that streaming reads reach |
//! | latency | no server: reads of buffers, reads of shared memory, waits and dependent instructions on the way from its start to its end |
//!
//! How many customers are resident is the [`Occupancy`]. How many of them a multiprocessor finishes
//! in a clock follows by mean value analysis (Reiser and Lavenberg 1980): with few customers it is
//! their number over the sum of all clocks, so that latency counts (this is Little's law); with
//! many it is one over the clocks of the slowest server, so that only the bottleneck counts; and
//! between them the parts overlap in part. There is no factor to adjust. The blocks of the fullest
//! multiprocessor run in full house as long as there are enough, and the rest of them among
//! themselves: the tail. A launch costs its overhead on top.
//!
//! # Assumptions
//!
//! - All blocks cost what the counted ones cost on average, and all warps of a block the same. A
//!   block of which one warp works longer than the others holds its place for longer than this
//!   model thinks.
//! - **Caches.** A request to a buffer asks for whole sectors of 32 bytes, or lines of 128 where
//!   the description says that L1 is filled by lines. What it asks for beyond the bytes of its
//!   elements is used by a later request of the same warp, if the cache still has it: with
//!   probability size of the cache over what all resident warps ask for in one request each, at
//!   most 1. L1 holds reads only, and is what shared memory leaves of it where both are one memory.
//!   An element that is read twice counts as two elements from memory.
//! - **Latency.** A warp has four reads under way at once (compilers unroll loops about that far,
//!   and fetch the operands of an operator together); every instruction needs the result of the one
//!   before; a wait of the block is followed by a read of shared memory. Clocks in which the
//!   instructions of the same block are issued are not counted again as latency of instructions.
//! - **Instructions** are operators of the program. Addresses are not counted, neither is what a
//!   compiler saves; the second instruction that Kepler may issue in a clock is left out. Both
//!   sides of a divergent branch are in the counts; each such branch costs its warp one arithmetic
//!   latency more.
//! - **Lanes.** A shuffle takes the unit for accesses as a pass of 32 lanes does, and its result comes as late as
//!   one of shared memory; four are under way at once. A reduction of all lanes is one instruction of half
//!   the rate from compute capability 8.0 on, and five shuffles with an operator each before. A vote is an
//!   instruction like others. A comparison with all lanes (`match_any`) counts as a reduction, which predicts too much time for
//!   compute capability 7.x, where it is an instruction.
//! - **Registers** bound the occupancy where a compiler has said how many there are, and where threads hold
//!   more than 8 words in arrays: then there are 32 beside those words.
//! - **Local memory**, where a compiler has said how much there is: each word of a thread is stored once and loaded once, by an instruction
//!   of its warp that passes the unit for accesses as one line, and L2. A spill inside of a loop costs more than that.
//! - Starting a block takes no time. Nothing of one launch overlaps with the next.

use crate::{AccessKind, Counts, Space, Traffic};

use super::gpu::Gpu;
use super::occupancy::Occupancy;
use super::result::Needs;

/// Threads of a warp, as lanes are counted.
const WARP: f64 = 32.0;
/// Reads that a warp has under way at once.
const READS_UNDER_WAY: f64 = 4.0;
/// Lanes that take a value from another one in a clock, and of a reduction of all lanes by one instruction: the
/// table of arithmetic throughput in NVIDIA's programming guide, the same for all that have them.
const SHUFFLE_LANES: f64 = 32.0;
const REDUCTION_LANES: f64 = 16.0;
/// Shuffles of a reduction of 32 lanes without that instruction.
const SHUFFLES_OF_REDUCTION: f64 = 5.0;
/// Bytes of a sector.
const SECTOR: f64 = 32.0;

/// The predicted time of one launch.
///
/// ```
/// use obsidian_rt::explore::{Gpu, Needs, cost};
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// let copied = TypedKernel::build("copied", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.push()))?;
/// let device = Device::simulator();
/// let x = device.upload(&[7; 64])?;
/// let (_, counts) = device.counted(|device| copied.launch(device, &x))?;
/// // One block was counted; a launch of a million is predicted.
/// let needs = Needs { threads: 64, shared_bytes: 0, registers: None, local_bytes: 0, blocks: 1_000_000 };
/// let prediction = cost::predict(&Gpu::named("H100")?, &needs, &counts, 1);
/// println!("{} s, mostly {}", prediction.seconds, prediction.bottleneck());
/// assert!(prediction.seconds > 0.0 && prediction.occupancy.fits());
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Prediction {
    /// Seconds; infinite if not even one block fits.
    pub seconds: f64,
    /// The seconds that each part would take if there were nothing else: `issue`, `shared memory`,
    /// `L2`, `memory`, `latency`, and `launch`. The largest is the bottleneck. The whole takes at
    /// least as long as the largest; and at most as long as all of them together, but for the tail.
    pub parts: Vec<(String, f64)>,
    /// What a multiprocessor has at once.
    pub occupancy: Occupancy,
}

impl Prediction {
    /// The part that takes longest.
    ///
    /// ```
    /// use obsidian_rt::explore::{Gpu, Needs, cost};
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let copied = TypedKernel::build("copied", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.push()))?;
    /// let device = Device::simulator();
    /// let x = device.upload(&[7; 64])?;
    /// let (_, counts) = device.counted(|device| copied.launch(device, &x))?;
    /// // One block was counted; a launch of a million is predicted.
    /// let needs = Needs { threads: 64, shared_bytes: 0, registers: None, local_bytes: 0, blocks: 1_000_000 };
    /// let prediction = cost::predict(&Gpu::named("H100")?, &needs, &counts, 1);
    /// assert_eq!(prediction.bottleneck(), "memory"); // it copies
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn bottleneck(&self) -> &str {
        self.parts
            .iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map_or("", |(name, _)| name)
    }
}

/// The time of a launch of `needs.blocks` blocks that do, each, what `counted_blocks` blocks did on
/// average when they were counted.
///
/// No blocks, or none counted, take the overhead of a launch alone.
///
/// ```
/// use obsidian_rt::explore::{Gpu, Needs, cost};
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// let copied = TypedKernel::build("copied", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.push()))?;
/// let device = Device::simulator();
/// let x = device.upload(&[7; 64])?;
/// let (_, counts) = device.counted(|device| copied.launch(device, &x))?;
/// // One block was counted; a launch of a million is predicted.
/// let needs = Needs { threads: 64, shared_bytes: 0, registers: None, local_bytes: 0, blocks: 1_000_000 };
/// let prediction = cost::predict(&Gpu::named("H100")?, &needs, &counts, 1);
/// let less = cost::predict(&Gpu::named("H100")?, &Needs { blocks: 1000, ..needs }, &counts, 1);
/// assert!(less.seconds < prediction.seconds);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn predict(gpu: &Gpu, needs: &Needs, counts: &Counts, counted_blocks: u64) -> Prediction {
    let occupancy = Occupancy::of(gpu, needs);
    let launch = gpu.launch_us * 1e-6;
    if needs.blocks == 0 || counted_blocks == 0 {
        return Prediction {
            seconds: launch,
            parts: vec![("launch".to_owned(), launch)],
            occupancy,
        };
    }
    if !occupancy.fits() {
        return Prediction {
            seconds: f64::INFINITY,
            parts: Vec::new(),
            occupancy,
        };
    }
    let multiprocessors = needs.blocks.min(gpu.multiprocessors.into());
    let blocks = needs.blocks.div_ceil(multiprocessors);
    let house = House {
        gpu,
        multiprocessors: multiprocessors as f64,
        resident: blocks.min(occupancy.blocks.into()) as f64,
        warps: f64::from(needs.threads.max(1).div_ceil(32)),
        shared_bytes: needs.shared_bytes.into(),
        spilled: 2.0 * (f64::from(needs.local_bytes) / 4.0).ceil(),
    };
    let demand = house.demand(&Each {
        counts,
        blocks: counted_blocks as f64,
    });
    let clocks = demand.clocks(blocks, occupancy.blocks.into());
    let clock = 1.0 / (gpu.clock_mhz * 1e6);
    let alone = blocks as f64 * demand.customers as f64 * clock;
    let mut parts: Vec<(String, f64)> = SERVERS
        .iter()
        .zip(demand.service)
        .map(|(name, each)| ((*name).to_owned(), each * alone))
        .collect();
    parts.push((
        "latency".to_owned(),
        demand.latency * blocks as f64 / house.resident * clock,
    ));
    parts.push(("launch".to_owned(), launch));
    Prediction {
        seconds: clocks * clock + launch,
        parts,
        occupancy,
    }
}

/// The servers, in the order of [`Demand::service`].
const SERVERS: [&str; 4] = ["issue", "shared memory", "L2", "memory"];

/// What one customer asks for, in clocks of a multiprocessor.
struct Demand {
    service: [f64; 4],
    latency: f64,
    /// Customers that a block is.
    customers: u64,
}

impl Demand {
    /// Clocks for `blocks` blocks, of which `resident` can be resident.
    fn clocks(&self, blocks: u64, resident: u64) -> f64 {
        let of = |blocks: u64| (blocks * self.customers) as f64;
        let full = resident.min(blocks);
        let rest = blocks % full;
        let in_full_house =
            of(blocks - rest) / throughput(full * self.customers, &self.service, self.latency);
        let tail = if rest == 0 {
            0.0
        } else {
            of(rest) / throughput(rest * self.customers, &self.service, self.latency)
        };
        in_full_house + tail
    }
}

/// Customers finished in a clock, of `customers` that circulate: exact mean value analysis of a network
/// of queues with one delay.
fn throughput(customers: u64, service: &[f64], delay: f64) -> f64 {
    let mut queues = vec![0.0; service.len()];
    let mut done = 0.0;
    for n in 1..=customers {
        // Who comes finds the queues as they would be without it.
        let stays: Vec<f64> = service
            .iter()
            .zip(&queues)
            .map(|(service, queue)| service * (1.0 + queue))
            .collect();
        // Work that asks for nothing at all still takes some time: one clock.
        done = n as f64 / (delay + stays.iter().sum::<f64>()).max(1.0);
        queues = stays.iter().map(|stay| done * stay).collect();
    }
    done
}

/// Counts of a block on average.
struct Each<'a> {
    counts: &'a Counts,
    blocks: f64,
}

impl Each<'_> {
    fn of(&self, count: u64) -> f64 {
        count as f64 / self.blocks
    }

    /// Accesses of buffers that are, or are not, reads. An atomic operation gives a value, but it
    /// is L2 that changes the element.
    fn buffers(&self, is_read: bool) -> Traffic {
        let mut sum = Traffic::default();
        let rows =
            self.counts.arrays.iter().filter(|row| {
                row.space == Space::Buffer && (row.kind == AccessKind::Read) == is_read
            });
        rows.for_each(|row| sum += row.traffic);
        sum
    }

    /// Requests for values that lie in a space.
    fn reads(&self, space: Space) -> f64 {
        let rows = self
            .counts
            .arrays
            .iter()
            .filter(|row| row.space == space && row.kind != AccessKind::Write);
        self.of(rows.map(|row| row.traffic.requests).sum())
    }

    /// Does the block work as one?
    fn waits(&self) -> bool {
        self.counts.block_waits > 0
    }
}

/// A multiprocessor with its resident blocks.
struct House<'a> {
    gpu: &'a Gpu,
    multiprocessors: f64,
    resident: f64,
    /// Of a block.
    warps: f64,
    /// Of a block.
    shared_bytes: f64,
    /// Stores and loads of local memory by a warp.
    spilled: f64,
}

/// Bytes of a block that pass L2 and memory, and clocks until a read is answered.
struct Passing {
    l2: f64,
    memory: f64,
    latency: f64,
}

impl House<'_> {
    fn demand(&self, each: &Each<'_>) -> Demand {
        let passing = self.passing(each);
        let issue = self.issue(each);
        let share = |bytes_per_clock: f64| self.multiprocessors / bytes_per_clock;
        let service = [
            issue,
            self.access(each),
            (passing.l2 + self.spills() * 4.0 * WARP) * share(self.gpu.l2_bytes_per_clock),
            passing.memory * share(self.gpu.memory_bytes_per_clock()),
        ];
        let latency = self.latency(each, passing.latency, issue);
        if each.waits() {
            return Demand {
                service,
                latency,
                customers: 1,
            };
        }
        Demand {
            service: service.map(|clocks| clocks / self.warps),
            latency,
            customers: self.warps as u64,
        }
    }

    /// Clocks of the schedulers, or of the lanes that are busy longest.
    fn issue(&self, each: &Each<'_>) -> f64 {
        let (of, gpu) = (each.counts.instructions, self.gpu);
        let kinds = [
            (of.integer, gpu.integer_lanes),
            (of.float, gpu.float_lanes),
            (of.double, gpu.double_lanes),
            (of.special, gpu.special_lanes),
            (of.conversion, gpu.conversion_lanes),
        ];
        let lanes = kinds
            .into_iter()
            .map(|(count, lanes)| each.of(count) * WARP / lanes);
        lanes.fold(self.instructions(each) / gpu.issue, f64::max)
    }

    /// Clocks of the unit for accesses.
    fn access(&self, each: &Each<'_>) -> f64 {
        let (shared, buffers) = (&each.counts.shared, &each.counts.buffers);
        let passes = shared.requests
            + shared.bank_conflicts
            + buffers.lines
            + shared.collisions
            + buffers.collisions;
        let lanes = self.shuffles(each) / SHUFFLE_LANES + self.reductions(each) / REDUCTION_LANES;
        ((each.of(passes) + self.spills()) / self.gpu.access_lanes + lanes) * WARP
    }

    /// Instructions of a block. One of a reduction of lanes is counted; where it is none, there are an operator
    /// and a shuffle in each step.
    fn instructions(&self, each: &Each<'_>) -> f64 {
        let beside = (2.0 * self.shuffles_of_reduction() - 1.0).max(0.0);
        each.of(each.counts.instructions.total())
            + beside * each.of(each.counts.lane_reductions)
            + self.spills()
    }

    /// Stores and loads of local memory by a block.
    fn spills(&self) -> f64 {
        self.spilled * self.warps
    }

    /// Shuffles of a reduction of all lanes; none where it is one instruction.
    fn shuffles_of_reduction(&self) -> f64 {
        let major = self.gpu.compute_capability.split('.').next();
        let is_one = major
            .and_then(|major| major.parse().ok())
            .is_some_and(|major: u32| major >= 8);
        if is_one { 0.0 } else { SHUFFLES_OF_REDUCTION }
    }

    /// Shuffles of a block, those of reductions among them.
    fn shuffles(&self, each: &Each<'_>) -> f64 {
        let counts = each.counts;
        each.of(counts.shuffles) + self.shuffles_of_reduction() * each.of(counts.lane_reductions)
    }

    /// Reductions of a block that are one instruction.
    fn reductions(&self, each: &Each<'_>) -> f64 {
        if self.shuffles_of_reduction() > 0.0 {
            0.0
        } else {
            each.of(each.counts.lane_reductions)
        }
    }

    fn passing(&self, each: &Each<'_>) -> Passing {
        let (reads, writes) = (each.buffers(true), each.buffers(false));
        let of_line = if self.gpu.line_bytes == 128 {
            reads.lines as f64 * 128.0
        } else {
            reads.sectors as f64 * SECTOR
        };
        let read = Asked::new(each, reads, of_line);
        let written = Asked::new(each, writes, writes.sectors as f64 * SECTOR);
        let warps = self.resident * self.warps;
        let shared = if self.gpu.l1_has_shared {
            self.resident * self.shared_bytes
        } else {
            0.0
        };
        let l1 = (self.gpu.l1_kib * 1024.0 - shared).max(0.0);
        let l2 = self.gpu.l2_kib * 1024.0;
        let everywhere = warps * self.multiprocessors;
        let (found_in_l1, found_in_l2) = (read.found(l1, warps), read.found(l2, everywhere));
        let read_l2 = read.needed + read.beyond * (1.0 - found_in_l1);
        let read_memory = read.needed + read.beyond * (1.0 - found_in_l1) * (1.0 - found_in_l2);
        let written_memory =
            written.needed + written.beyond * (1.0 - written.found(l2, everywhere));
        let from_memory = if read_l2 > 0.0 {
            read_memory / read_l2
        } else {
            1.0
        };
        Passing {
            l2: read_l2 + written.needed + written.beyond,
            memory: read_memory + written_memory,
            latency: self.gpu.l2_latency
                + (self.gpu.memory_latency - self.gpu.l2_latency) * from_memory,
        }
    }

    /// Clocks from the start of a block, or of a warp, to its end, in which it waits for nobody
    /// else's work.
    fn latency(&self, each: &Each<'_>, of_read: f64, issue: f64) -> f64 {
        let (gpu, counts) = (self.gpu, each.counts);
        let of_warp = |count: f64| count / self.warps;
        let waits = each.of(counts.block_waits);
        let reads = (of_warp(each.reads(Space::Buffer)) / READS_UNDER_WAY).ceil();
        let shared_reads = each.reads(Space::Shared);
        let shared = if shared_reads > 0.0 {
            // No read begins before the barrier in front of it, be it one of the warp alone.
            let barriers = waits + of_warp(each.of(counts.warp_waits));
            (of_warp(shared_reads) / READS_UNDER_WAY)
                .ceil()
                .max(barriers)
        } else {
            0.0
        };
        let spilled = (self.spilled / 2.0 / READS_UNDER_WAY).ceil();
        let exchanged = of_warp(self.shuffles(each) + self.reductions(each)) / READS_UNDER_WAY;
        let shared = shared + exchanged.ceil();
        let others = counts.divergent_branches + counts.warp_waits;
        let steps = of_warp(self.instructions(each) + each.of(others));
        let issued_meanwhile = if each.waits() {
            issue
        } else {
            issue / self.warps
        };
        let dependent = (steps * gpu.arithmetic_latency - issued_meanwhile).max(0.0);
        reads * of_read
            + spilled * gpu.l2_latency
            + shared * gpu.shared_latency
            + waits * gpu.wait_latency
            + dependent
    }
}

/// Bytes of a block's requests.
struct Asked {
    /// Of the elements.
    needed: f64,
    /// Of the sectors or lines around them.
    beyond: f64,
    /// Of a request.
    of_request: f64,
}

impl Asked {
    fn new(each: &Each<'_>, traffic: Traffic, asked: f64) -> Asked {
        let needed = (traffic.bytes as f64).min(asked);
        let of_request = if traffic.requests == 0 {
            0.0
        } else {
            asked / traffic.requests as f64
        };
        Asked {
            needed: needed / each.blocks,
            beyond: (asked - needed) / each.blocks,
            of_request,
        }
    }

    /// The probability that a cache still has what some request of the same warp has asked for.
    fn found(&self, cache: f64, warps: f64) -> f64 {
        let wanted = self.of_request * warps;
        if wanted == 0.0 {
            1.0
        } else {
            (cache / wanted).min(1.0)
        }
    }
}

#[cfg(test)]
mod tests;
