//! What a run has done, counted as the hardware would be asked for it: by warps.

use std::fmt;
use std::ops::AddAssign;

/// What is done to an element.
///
/// ```
/// use obsidian_rt::{AccessKind, Device, TypedKernel, language::*};
///
/// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| {
///     x.split_up(2).as_grid_map(|x| x.map(|x| x * 2).push())
/// })?;
/// let device = Device::simulator();
/// let x = device.upload(&[1, 2])?;
/// let (_, counts) = device.counted(|device| doubled.launch(device, &x))?;
/// let kinds: Vec<_> = counts.arrays.iter().map(|row| row.kind).collect();
/// assert_eq!(kinds, [AccessKind::Read, AccessKind::Write]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// It is read.
    Read,
    /// It is stored.
    Write,
    /// It is changed by an atomic operation.
    Atomic,
}

impl AccessKind {
    /// The verb, as messages say it: `reads`, `writes`, `changes`.
    ///
    /// ```
    /// assert_eq!(obsidian_rt::AccessKind::Read.verb(), "reads");
    /// ```
    pub const fn verb(self) -> &'static str {
        match self {
            AccessKind::Read => "reads",
            AccessKind::Write => "writes",
            AccessKind::Atomic => "changes (atomically)",
        }
    }

    /// The noun, as tables say it: `read`, `write`, `atomic`.
    ///
    /// ```
    /// assert_eq!(obsidian_rt::AccessKind::Read.name(), "read");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic",
        }
    }
}

/// Instructions, once for each warp that executed one with any of its lanes.
///
/// One operator of the program counts as one instruction. What a compiler makes of it may be more
/// (an integer division is some twenty) or fewer (a multiplication and an addition of indices are
/// one), and addresses are not counted.
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EF32>| {
///     x.split_up(64).as_grid_map(|x| x.map(|x| x * 2.0).push())
/// })?;
/// let device = Device::simulator();
/// let x = device.upload(&[1.0; 64])?;
/// let (_, counts) = device.counted(|device| doubled.launch(device, &x))?;
/// // Two warps, with one multiplication, one load and one store each.
/// assert_eq!((counts.instructions.float, counts.instructions.memory), (2, 4));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Instructions {
    /// Arithmetic, comparisons and choices on integers and truth values.
    pub integer: u64,
    /// Arithmetic and comparisons on `f32`.
    pub float: u64,
    /// Arithmetic and comparisons on `f64`.
    pub double: u64,
    /// Roots, powers, logarithms and trigonometric functions, and divisions of floats.
    pub special: u64,
    /// From one element type to another.
    pub conversion: u64,
    /// Loads, stores and atomic operations, of buffers and shared memory.
    pub memory: u64,
    /// Branches, rounds of loops, waits, and what lanes take from each other.
    pub control: u64,
}

impl Instructions {
    /// All of them.
    ///
    /// ```
    /// use obsidian_rt::Instructions;
    ///
    /// assert_eq!(Instructions::default().total(), 0);
    /// ```
    pub fn total(&self) -> u64 {
        self.integer
            + self.float
            + self.double
            + self.special
            + self.conversion
            + self.memory
            + self.control
    }
}

impl AddAssign for Instructions {
    fn add_assign(&mut self, other: Self) {
        self.integer += other.integer;
        self.float += other.float;
        self.double += other.double;
        self.special += other.special;
        self.conversion += other.conversion;
        self.memory += other.memory;
        self.control += other.control;
    }
}

/// Where an array lies.
///
/// ```
/// use obsidian_rt::{Device, Space, TypedKernel, language::*};
///
/// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| {
///     x.split_up(2).as_grid_map(|x| x.map(|x| x * 2).push())
/// })?;
/// let device = Device::simulator();
/// let x = device.upload(&[1, 2])?;
/// let (_, counts) = device.counted(|device| doubled.launch(device, &x))?;
/// assert!(counts.arrays.iter().all(|row| row.space == Space::Buffer));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Space {
    /// A parameter of the kernel, in the device's memory.
    Buffer,
    /// The block's shared memory.
    Shared,
    /// A thread's own, in registers or local memory. Its accesses cost no request.
    Held,
}

impl Space {
    /// The name, as tables say it.
    ///
    /// ```
    /// assert_eq!(obsidian_rt::Space::Shared.name(), "shared");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Space::Buffer => "buffer",
            Space::Shared => "shared",
            Space::Held => "held",
        }
    }
}

/// Accesses of memory. A *request* is one access by the active lanes of one warp.
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// let copied = TypedKernel::build("copied", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.push()))?;
/// let device = Device::simulator();
/// let x = device.upload(&[7; 64])?;
/// let (_, counts) = device.counted(|device| copied.launch(device, &x))?;
/// // 256 bytes are read and written: 8 sectors of 32 bytes, by two warps, each time.
/// let traffic = counts.buffers;
/// assert_eq!((traffic.elements, traffic.bytes, traffic.sectors, traffic.requests), (128, 512, 16, 4));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Traffic {
    /// Elements read, written or changed.
    pub elements: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Requests of warps; none for held arrays.
    pub requests: u64,
    /// Sectors of 32 bytes that the requests move, for buffers: different ones within a request, no
    /// cache assumed.
    pub sectors: u64,
    /// Lines of 128 bytes that the requests touch, for buffers, counted as the sectors are.
    pub lines: u64,
    /// Passes after the first that requests to shared memory take, because lanes want different
    /// words of one bank.
    pub bank_conflicts: u64,
    /// Lanes of atomic requests that wait for another lane which changes the same element.
    pub collisions: u64,
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        self.elements += other.elements;
        self.bytes += other.bytes;
        self.requests += other.requests;
        self.sectors += other.sectors;
        self.lines += other.lines;
        self.bank_conflicts += other.bank_conflicts;
        self.collisions += other.collisions;
    }
}

/// The accesses of one kind that one array has seen, or all arrays of one name.
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// let copied = TypedKernel::build("copied", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.push()))?;
/// let device = Device::simulator();
/// let x = device.upload(&[7; 64])?;
/// let (_, counts) = device.counted(|device| copied.launch(device, &x))?;
/// let of_input = &counts.arrays[0];
/// assert_eq!((of_input.kernel.as_str(), of_input.array.as_str(), of_input.traffic.sectors), ("copied", "input", 8));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ArrayTraffic {
    /// The kernel's name.
    pub kernel: String,
    /// The array's name, as the user gave it.
    pub array: String,
    /// Where it lies.
    pub space: Space,
    /// What was done to its elements.
    pub kind: AccessKind,
    /// How often, and at which cost.
    pub traffic: Traffic,
}

impl ArrayTraffic {
    /// A row of counts that were kept elsewhere.
    ///
    /// ```
    /// use obsidian_rt::{AccessKind, ArrayTraffic, Space, Traffic};
    ///
    /// let row = ArrayTraffic::new("sums", "x", Space::Buffer, AccessKind::Read, Traffic::default());
    /// assert_eq!((row.array.as_str(), row.traffic.elements), ("x", 0));
    /// ```
    pub fn new(
        kernel: &str,
        array: &str,
        space: Space,
        kind: AccessKind,
        traffic: Traffic,
    ) -> Self {
        ArrayTraffic {
            kernel: kernel.to_owned(),
            array: array.to_owned(),
            space,
            kind,
            traffic,
        }
    }
}

/// What a run has done, over all blocks.
///
/// A model of time can be made of these: bytes over the bandwidth from
/// [`sectors`](Traffic::sectors), issue slots from [`instructions`](Counts::instructions), passes
/// of shared memory from [`Traffic::requests`] and [`bank_conflicts`](Traffic::bank_conflicts),
/// latencies that are not hidden from [`block_waits`](Counts::block_waits).
///
/// ```
/// use obsidian_rt::{Device, TypedKernel, language::*};
///
/// let copied = TypedKernel::build("copied", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.push()))?;
/// let device = Device::simulator();
/// let x = device.upload(&[7; 128])?;
/// let (_, counts) = device.counted(|device| copied.launch(device, &x))?;
/// assert_eq!((counts.launches, counts.block_waits, counts.divergent_branches), (1, 0, 0));
/// println!("{counts}");
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Counts {
    /// Launches that were counted; only those that had a block to run.
    pub launches: u64,
    /// Real blocks that ran.
    pub blocks: u64,
    /// Statements, once for each thread that executed them.
    pub statements: u64,
    /// Instructions, by warps.
    pub instructions: Instructions,
    /// Accesses of buffers.
    pub buffers: Traffic,
    /// Accesses of shared memory.
    pub shared: Traffic,
    /// Accesses of arrays that threads hold.
    pub held: Traffic,
    /// Waits of a block, once for each block.
    pub block_waits: u64,
    /// Waits of a warp, once for each warp.
    pub warp_waits: u64,
    /// Shuffles, by which the lanes of a warp take values from each other, once for each warp; one of 8 bytes
    /// is two. Each is an instruction for [`control`](Instructions::control) too.
    pub shuffles: u64,
    /// Reductions of what all lanes of a warp have, and comparisons with all of them, once for each warp; votes are not among them. Each is an
    /// instruction for [`control`](Instructions::control) too.
    pub lane_reductions: u64,
    /// Branches and ends of loops at which the active lanes of a warp went both ways, once for each
    /// such warp.
    pub divergent_branches: u64,
    /// Integer divisions and remainders by 0, once for each thread.
    pub zero_divisions: u64,
    /// The accesses by array and kind, in the order of the kernel's arrays.
    pub arrays: Vec<ArrayTraffic>,
}

impl Counts {
    /// The counts of `blocks` blocks, worked out from these, which are of `of` blocks: each is multiplied and rounded. Launches stay.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let copied = TypedKernel::build("copied", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.push()))?;
    /// let device = Device::simulator();
    /// let x = device.upload(&[7; 128])?;
    /// let (_, counts) = device.counted(|device| copied.launch(device, &x))?;
    /// // Of two blocks; a thousand would do five hundred times as much.
    /// assert_eq!(counts.scaled(1000, 2).buffers.sectors, 500 * counts.buffers.sectors);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn scaled(&self, blocks: u64, of: u64) -> Counts {
        let scale = |count: u64| {
            let (product, of) = (
                u128::from(count) * u128::from(blocks),
                u128::from(of.max(1)),
            );
            u64::try_from((product + of / 2) / of).unwrap_or(u64::MAX)
        };
        let traffic = |traffic: &Traffic| Traffic {
            elements: scale(traffic.elements),
            bytes: scale(traffic.bytes),
            requests: scale(traffic.requests),
            sectors: scale(traffic.sectors),
            lines: scale(traffic.lines),
            bank_conflicts: scale(traffic.bank_conflicts),
            collisions: scale(traffic.collisions),
        };
        let Instructions {
            integer,
            float,
            double,
            special,
            conversion,
            memory,
            control,
        } = self.instructions;
        Counts {
            launches: self.launches,
            blocks: scale(self.blocks),
            statements: scale(self.statements),
            instructions: Instructions {
                integer: scale(integer),
                float: scale(float),
                double: scale(double),
                special: scale(special),
                conversion: scale(conversion),
                memory: scale(memory),
                control: scale(control),
            },
            buffers: traffic(&self.buffers),
            shared: traffic(&self.shared),
            held: traffic(&self.held),
            block_waits: scale(self.block_waits),
            warp_waits: scale(self.warp_waits),
            shuffles: scale(self.shuffles),
            lane_reductions: scale(self.lane_reductions),
            divergent_branches: scale(self.divergent_branches),
            zero_divisions: scale(self.zero_divisions),
            arrays: self
                .arrays
                .iter()
                .map(|row| ArrayTraffic {
                    traffic: traffic(&row.traffic),
                    ..row.clone()
                })
                .collect(),
        }
    }

    /// Elements read, of any array.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let copied = TypedKernel::build("copied", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.push()))?;
    /// let device = Device::simulator();
    /// let x = device.upload(&[7; 64])?;
    /// let (_, counts) = device.counted(|device| copied.launch(device, &x))?;
    /// assert_eq!(counts.loads(), 64);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn loads(&self) -> u64 {
        self.of_kind(AccessKind::Read)
    }

    /// Elements written, of any array.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let copied = TypedKernel::build("copied", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.push()))?;
    /// let device = Device::simulator();
    /// let x = device.upload(&[7; 64])?;
    /// let (_, counts) = device.counted(|device| copied.launch(device, &x))?;
    /// assert_eq!(counts.stores(), 64);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn stores(&self) -> u64 {
        self.of_kind(AccessKind::Write)
    }

    /// Elements changed by atomic operations, of any array.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let counted = TypedKernel::build("counted", 64, |x: MGlobal<EU32>| {
    ///     distr_par(x.len(), move |b| single_thread(x.atomic_add(b, 1).void()))
    /// })?;
    /// let device = Device::simulator();
    /// let mut x = device.upload(&[7; 5])?;
    /// let ((), counts) = device.counted(|device| counted.launch(device, &mut x))?;
    /// assert_eq!(counts.atomics(), 5);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn atomics(&self) -> u64 {
        self.of_kind(AccessKind::Atomic)
    }

    /// Adds a row; rows of arrays of one kernel and name are one.
    #[doc(hidden)]
    pub fn add(&mut self, row: &ArrayTraffic) {
        let same = |known: &&mut ArrayTraffic| {
            (&known.kernel, &known.array, known.space, known.kind)
                == (&row.kernel, &row.array, row.space, row.kind)
        };
        match self.arrays.iter_mut().find(same) {
            Some(known) => known.traffic += row.traffic,
            None => self.arrays.push(row.clone()),
        }
    }

    fn of_kind(&self, kind: AccessKind) -> u64 {
        self.arrays
            .iter()
            .filter(|row| row.kind == kind)
            .map(|row| row.traffic.elements)
            .sum()
    }

    /// All accesses of the arrays with this name.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// let copied = TypedKernel::build("copied", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.push()))?;
    /// let device = Device::simulator();
    /// let x = device.upload(&[7; 64])?;
    /// let (_, counts) = device.counted(|device| copied.launch(device, &x))?;
    /// assert_eq!(counts.of_array("output").sectors, 8);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn of_array(&self, name: &str) -> Traffic {
        let mut sum = Traffic::default();
        self.arrays
            .iter()
            .filter(|row| row.array == name)
            .for_each(|row| sum += row.traffic);
        sum
    }
}

impl AddAssign<&Counts> for Counts {
    /// Counts of two runs together; arrays of one kernel and name are one.
    fn add_assign(&mut self, other: &Counts) {
        self.launches += other.launches;
        self.blocks += other.blocks;
        self.statements += other.statements;
        self.instructions += other.instructions;
        self.buffers += other.buffers;
        self.shared += other.shared;
        self.held += other.held;
        self.block_waits += other.block_waits;
        self.warp_waits += other.warp_waits;
        self.shuffles += other.shuffles;
        self.lane_reductions += other.lane_reductions;
        self.divergent_branches += other.divergent_branches;
        self.zero_divisions += other.zero_divisions;
        other.arrays.iter().for_each(|row| self.add(row));
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Instructions {
            integer,
            float,
            double,
            special,
            conversion,
            memory,
            control,
        } = self.instructions;
        writeln!(
            f,
            "launches {}, blocks {}, statements {}",
            self.launches, self.blocks, self.statements
        )?;
        writeln!(
            f,
            "waits: {} of blocks, {} of warps; divergent branches {}",
            self.block_waits, self.warp_waits, self.divergent_branches
        )?;
        write!(
            f,
            "instructions: integer {integer}, float {float}, double {double}, special {special}, "
        )?;
        writeln!(
            f,
            "conversion {conversion}, memory {memory}, control {control}"
        )?;
        let width = self
            .arrays
            .iter()
            .map(|row| row.array.chars().count())
            .max()
            .unwrap_or(0)
            .max(5);
        let titles = ["elements", "requests", "sectors", "conflicts", "collisions"];
        write!(f, "{:width$} {:6} {:6}", "array", "space", "kind")?;
        titles
            .iter()
            .try_for_each(|title| write!(f, " {title:>10}"))?;
        for ArrayTraffic {
            array,
            space,
            kind,
            traffic,
            ..
        } in &self.arrays
        {
            let Traffic {
                elements,
                requests,
                sectors,
                bank_conflicts,
                collisions,
                ..
            } = traffic;
            write!(
                f,
                "\n{array:width$} {:6} {:6} {elements:>10} {requests:>10}",
                space.name(),
                kind.name()
            )?;
            write!(f, " {sectors:>10} {bank_conflicts:>10} {collisions:>10}")?;
        }
        Ok(())
    }
}
