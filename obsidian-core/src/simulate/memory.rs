//! The memory of a run: buffers, a block's shared bytes, and what each thread holds. Every access
//! is checked: its index, its order with other accesses ([`race`](super::race)), and for reads that
//! something has been stored there.
//!
//! An array has a new *lifetime* each time its `Allocate` is executed. What is stored carries the
//! lifetime that it was stored in, so that memory which has passed from one array to another, or to
//! the next round's, counts as not stored.

use super::access::Access;
use super::lanes::Lanes;
use super::program::{Program, Site};
use super::race::{Mark, Shadow};
use super::{Argument, Fault, FaultKind, Source};
use crate::error::Origin;
use crate::ir::{Kernel, ParameterKind, Physical, WARP};
use crate::ordered::Map;
use crate::plan::{Plan, Slot};
use crate::scalar::{Array, ArrayId, ArrayPlace, Literal, Role, ScalarType, VariableId};
use obsidian_base::counts::AccessKind;
use obsidian_base::counts::Space;

/// What fills memory that nothing has been stored in.
const POISON: u8 = 0xa5;

/// The elements of a buffer.
pub(super) enum Global<'a> {
    /// To be changed.
    Own(&'a mut [u64]),
    /// Wherever they lie; the kernel only reads them.
    Read(&'a dyn Source),
}

impl Global<'_> {
    fn len(&self) -> usize {
        match self {
            Global::Own(elements) => elements.len(),
            Global::Read(source) => source.len(),
        }
    }
}

/// Where the elements of one array are.
pub(super) enum Storage<'a> {
    /// A buffer; what is only read has no shadow.
    Buffer {
        elements: Global<'a>,
        shadow: Option<Shadow>,
        begins_empty: bool,
        /// Is each element to be written once, which the user promises in part?
        once: bool,
    },
    /// Bytes of the block's memory.
    Shared { slot: Slot },
    /// One run of elements for each thread, with the lifetimes in which they were stored.
    Held {
        elements: Vec<u64>,
        stored: Vec<u32>,
    },
    /// Never given.
    Nowhere,
}

/// One array.
pub(super) struct Entry<'a> {
    pub(super) storage: Storage<'a>,
    pub(super) ty: ScalarType,
    pub(super) width: u32,
    pub(super) length: u32,
    /// The present lifetime: one for the block, or one for each warp or thread that has a copy.
    pub(super) lifetimes: Vec<u32>,
}

/// A block's shared memory.
pub(super) struct Shared {
    pub(super) bytes: Vec<u8>,
    /// A cell is as wide as the narrowest element.
    width: u32,
    shadow: Shadow,
    /// The lifetime in which each cell was stored.
    stored: Vec<u32>,
}

/// All arrays of a kernel, by id.
pub(super) struct Memory<'a> {
    kernel: &'a Kernel<Physical>,
    program: &'a Program,
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) shared: Shared,
    lifetimes: u32,
    warps: u32,
    /// The real block.
    pub(super) block: u32,
    /// The elements of buffers that were written, in order, where that is wanted.
    pub(super) written: Option<Map<ArrayId, Vec<u32>>>,
}

type Bound<'a> = (Map<ArrayId, Global<'a>>, Map<VariableId, Literal>);

/// The arguments by parameter.
pub(super) fn bind<'a>(plan: &Plan, arguments: &'a mut [Argument<'_>]) -> Result<Bound<'a>, Fault> {
    let kernel = plan.kernel();
    let (wanted, given) = (kernel.parameters.len(), arguments.len());
    if wanted != given {
        return Err(Fault::new(
            FaultKind::Arguments,
            format!("the kernel has {wanted} parameters, and {given} arguments were given"),
        ));
    }
    let (mut globals, mut scalars) = (Map::new(), Map::new());
    for (n, (parameter, argument)) in kernel.parameters.iter().zip(arguments).enumerate() {
        let fits = match (parameter.kind, argument) {
            (ParameterKind::Array(array), Argument::Array(elements)) => {
                let fits = u32::try_from(elements.len()).is_ok();
                globals.insert(array, Global::Own(elements));
                fits
            }
            (ParameterKind::Array(array), Argument::Read(elements)) => {
                let fits = u32::try_from(elements.len()).is_ok();
                globals.insert(array, Global::Read(*elements));
                fits
            }
            (ParameterKind::Scalar(variable), Argument::Scalar(value)) => {
                scalars.insert(variable, *value);
                kernel.tables.variable(variable).ty == value.ty()
            }
            _ => false,
        };
        if !fits {
            return Err(Fault::new(
                FaultKind::Arguments,
                format!("argument {n} is not what the kernel's parameter {n} takes"),
            ));
        }
    }
    Ok((globals, scalars))
}

impl<'a> Memory<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        program: &'a Program,
        mut globals: Map<ArrayId, Global<'a>>,
    ) -> Self {
        let kernel = plan.kernel();
        let entry = |(n, array): (usize, &Array)| {
            let id = ArrayId(n as u32);
            let literal = kernel
                .tables
                .nodes
                .literal(array.length)
                .map_or(0, Literal::u32);
            let has = |kind| program.has(id, kind);
            let (storage, length, copies) = match (array.place, globals.remove(&id)) {
                (ArrayPlace::Global(role), Some(elements)) => {
                    let changes = has(AccessKind::Write) || has(AccessKind::Atomic);
                    let shadow = changes.then(|| {
                        Shadow::new(
                            elements.len(),
                            has(AccessKind::Read),
                            has(AccessKind::Atomic),
                            true,
                        )
                    });
                    let length = elements.len() as u32;
                    (
                        Storage::Buffer {
                            elements,
                            shadow,
                            begins_empty: role == Role::Output,
                            once: role == Role::Output && program.is_promised(id),
                        },
                        length,
                        0,
                    )
                }
                (ArrayPlace::Shared, _) => match plan.shared().slots.get(&id) {
                    Some(slot) => (
                        Storage::Shared { slot: *slot },
                        literal,
                        if slot.stride == 0 { 1 } else { kernel.warps() },
                    ),
                    None => (Storage::Nowhere, literal, 0),
                },
                (ArrayPlace::Held, _) => {
                    let cells = plan.threads() as usize * literal as usize;
                    (
                        Storage::Held {
                            elements: vec![0; cells],
                            stored: vec![0; cells],
                        },
                        literal,
                        plan.threads(),
                    )
                }
                _ => (Storage::Nowhere, 0, 0),
            };
            Entry {
                storage,
                ty: array.ty,
                width: array.ty.bytes(),
                length,
                lifetimes: vec![0; copies as usize],
            }
        };
        let entries = kernel.tables.arrays.iter().enumerate().map(entry).collect();
        let shared = Shared::new(plan, program);
        Memory {
            kernel,
            program,
            entries,
            shared,
            lifetimes: 0,
            warps: kernel.warps(),
            block: 0,
            written: None,
        }
    }

    /// A new block begins: what blocks and threads own has no meaning yet.
    pub(super) fn begin(&mut self, block: u32) {
        self.block = block;
        self.shared.bytes.fill(POISON);
        let bits = u64::from_le_bytes([POISON; 8]);
        for entry in &mut self.entries {
            self.lifetimes += 1;
            entry.lifetimes.fill(self.lifetimes);
            if let Storage::Held { elements, .. } = &mut entry.storage {
                elements.fill(Literal::from_bits(entry.ty, bits).bits());
            }
        }
    }

    /// The array begins again, for these threads.
    pub(super) fn allocate(&mut self, array: ArrayId, lanes: &Lanes) {
        self.lifetimes += 1;
        let Some(entry) = self.entries.get_mut(array.0 as usize) else {
            return;
        };
        for thread in &lanes.threads {
            let copy = entry.copy(*thread);
            if let Some(lifetime) = entry.lifetimes.get_mut(copy) {
                *lifetime = self.lifetimes;
            }
        }
    }

    pub(super) fn space(&self, array: ArrayId) -> Space {
        match self.entries[array.0 as usize].storage {
            Storage::Shared { .. } => Space::Shared,
            Storage::Held { .. } => Space::Held,
            _ => Space::Buffer,
        }
    }

    pub(super) fn ty(&self, array: ArrayId) -> ScalarType {
        self.entries[array.0 as usize].ty
    }

    pub(super) fn length(&self, array: ArrayId) -> u32 {
        self.entries[array.0 as usize].length
    }

    /// Where a thread's element begins: bytes of a buffer or of shared memory, or the number of a
    /// held cell.
    pub(super) fn address(&self, site: &Site, index: u32, thread: u32) -> Result<u64, Fault> {
        let entry = &self.entries[site.array.0 as usize];
        if matches!(entry.storage, Storage::Nowhere) {
            return Err(self.fault(
                FaultKind::Layout,
                format!("`{}` has no memory", self.name(site.array)),
                site,
                thread,
            ));
        }
        if index >= entry.length {
            return Err(self.outside(site, index, entry.length, thread));
        }
        let (index, width) = (u64::from(index), u64::from(entry.width));
        match entry.storage {
            Storage::Held { .. } => Ok(u64::from(thread) * u64::from(entry.length) + index),
            Storage::Shared { slot } => {
                let warp = if slot.stride == 0 { 0 } else { thread / WARP };
                let start = u64::from(slot.offset)
                    + u64::from(warp) * u64::from(slot.stride)
                    + index * width;
                if warp < self.warps
                    && start + width <= self.shared.bytes.len() as u64
                    && start.is_multiple_of(width)
                {
                    return Ok(start);
                }
                let message = format!(
                    "element {index} of `{}` has no place in shared memory",
                    self.name(site.array)
                );
                Err(self.fault(FaultKind::Layout, message, site, thread))
            }
            _ => Ok(index * width),
        }
    }

    /// Notes an access, and reports what is wrong with it.
    pub(super) fn check(&mut self, site: &Site, address: u64, now: Mark) -> Result<(), Fault> {
        let entry = &mut self.entries[site.array.0 as usize];
        let copy = entry.copy(now.thread);
        let lifetime = entry.lifetimes.get(copy).copied().unwrap_or(0);
        let is_read = site.kind != AccessKind::Write;
        let mut twice = None;
        let (race, stored) = match &mut entry.storage {
            Storage::Buffer { shadow: None, .. } | Storage::Nowhere => (None, true),
            Storage::Buffer {
                shadow: Some(shadow),
                begins_empty,
                once,
                ..
            } => {
                let cell = (address >> entry.width.trailing_zeros()) as usize;
                let stored = !is_read || !*begins_empty || shadow.is_stored(cell);
                let again =
                    |before: &Mark| *once || site.distinct && before.is_of_another_round(now);
                twice = shadow.last_store(cell).filter(|b| !is_read && again(b));
                (shadow.access(cell, site.kind, now), stored)
            }
            Storage::Shared { .. } => {
                let again = |before: &Mark| before.is_of_another_round(now);
                twice = (self.shared.stored_in(address, lifetime))
                    .filter(|before| site.distinct && !is_read && again(before));
                self.shared
                    .access(site.kind, address, entry.width, now, lifetime)
            }
            Storage::Held { stored, .. } => {
                let cell = &mut stored[address as usize];
                let before = *cell;
                *cell = if is_read { before } else { lifetime };
                (None, !is_read || before == lifetime)
            }
        };
        match (race, twice) {
            (Some(other), _) => Err(self.race(other, site, address, now)),
            (None, Some(other)) => Err(self.twice(other, site, address, now)),
            (None, None) if !stored => Err(self.uninitialised(site, address, now)),
            (None, None) => Ok(()),
        }
    }

    /// The bits of an element at an address that has been checked.
    pub(super) fn read(&self, array: ArrayId, address: u64) -> u64 {
        let entry = &self.entries[array.0 as usize];
        let bits = match &entry.storage {
            Storage::Buffer { elements, .. } => {
                let element = (address >> entry.width.trailing_zeros()) as usize;
                match elements {
                    Global::Own(elements) => elements[element],
                    Global::Read(source) => source.bits(element),
                }
            }
            Storage::Held { elements, .. } => elements[address as usize],
            Storage::Shared { .. } => {
                let (start, width) = (address as usize, entry.width as usize);
                let mut bytes = [0; 8];
                bytes[..width].copy_from_slice(&self.shared.bytes[start..start + width]);
                u64::from_le_bytes(bytes)
            }
            Storage::Nowhere => 0,
        };
        Literal::from_bits(entry.ty, bits).bits()
    }

    /// Stores an element at an address that has been checked.
    pub(super) fn write(&mut self, array: ArrayId, address: u64, bits: u64) {
        let entry = &mut self.entries[array.0 as usize];
        match &mut entry.storage {
            Storage::Buffer { elements, .. } => {
                let element = address >> entry.width.trailing_zeros();
                if let Global::Own(elements) = elements {
                    elements[element as usize] = bits;
                }
                if let Some(written) = &mut self.written {
                    written.entry(array).or_default().push(element as u32);
                }
            }
            Storage::Held { elements, .. } => elements[address as usize] = bits,
            Storage::Shared { .. } => {
                let (start, width) = (address as usize, entry.width as usize);
                self.shared.bytes[start..start + width]
                    .copy_from_slice(&bits.to_le_bytes()[..width]);
            }
            Storage::Nowhere => {}
        }
    }

    pub(super) fn name(&self, array: ArrayId) -> &'a str {
        &self.kernel.tables.array(array).name
    }

    /// The index of the element of a site's array that contains an address, as a thread sees it.
    fn index(&self, array: ArrayId, address: u64, thread: u32) -> u64 {
        let entry = &self.entries[array.0 as usize];
        let start = match entry.storage {
            Storage::Held { .. } => return address % u64::from(entry.length.max(1)),
            Storage::Shared { slot } => {
                u64::from(slot.offset) + u64::from(slot.stride) * u64::from(thread / WARP)
            }
            _ => 0,
        };
        address.saturating_sub(start) / u64::from(entry.width)
    }

    fn access(&self, address: u64, mark: Mark) -> Access {
        let array = self.program.sites[mark.site as usize].array;
        // Numbers from the top are real blocks outside of loops over blocks.
        let block = mark.block.min(u32::MAX - mark.block);
        self.program.access(
            self.kernel,
            mark.site,
            self.index(array, address, mark.thread),
            mark.thread,
            block,
        )
    }

    /// Faults if nothing has written an element of an output whose indices are promised to be
    /// distinct.
    pub(super) fn all_written(&self) -> Result<(), Fault> {
        for ((entry, array), id) in self.entries.iter().zip(&self.kernel.tables.arrays).zip(0..) {
            let Storage::Buffer {
                shadow: Some(shadow),
                once: true,
                ..
            } = &entry.storage
            else {
                continue;
            };
            let in_part = &self.kernel.tables.written_in_part;
            let empty = shadow.first_empty();
            let Some(element) = empty.filter(|_| !in_part.contains(&ArrayId(id))) else {
                continue;
            };
            let message = format!(
                "nothing has written `{}`[{element}], which has length {}",
                array.name, entry.length
            );
            return Err(Fault::new(FaultKind::NeverWritten, message).with(|inner| {
                inner.array = Some(array.name.clone());
                inner.index = Some(element as u64);
                inner.length = Some(entry.length.into());
                inner.origin = self.place_of_writes(ArrayId(id)).unwrap_or(array.origin);
            }));
        }
        Ok(())
    }

    /// Where the kernel writes an array, preferably at an index that is promised to be distinct.
    fn place_of_writes(&self, array: ArrayId) -> Option<Origin> {
        let writes = self.program.sites.iter().filter(|site| {
            site.kind == AccessKind::Write && site.origin != Origin::UNKNOWN && site.array == array
        });
        let best = writes.max_by_key(|site| site.distinct)?;
        Some(best.origin)
    }

    fn twice(&self, other: Mark, site: &Site, address: u64, now: Mark) -> Fault {
        let accesses = [self.access(address, other), self.access(address, now)];
        let message = twice(&accesses, site.distinct);
        self.fault(FaultKind::WrittenTwice, message, site, now.thread)
            .with(|inner| {
                inner.index = Some(accesses[1].index);
                inner.thread = None;
                inner.race = Some(accesses);
            })
    }

    pub(super) fn race(&self, other: Mark, site: &Site, address: u64, now: Mark) -> Fault {
        let before = self.program.sites[other.site as usize];
        let writes = [before, *site].map(|site| (site.array, site.kind, site.distinct));
        if writes == [(site.array, AccessKind::Write, true); 2] {
            return self.twice(other, site, address, now);
        }
        let [first, second] = [self.access(address, other), self.access(address, now)];
        let what = |access: &Access| {
            format!(
                "thread {} {} `{}`[{}]",
                access.thread,
                access.kind.verb(),
                access.array,
                access.index
            )
        };
        let (one, two) = (what(&first), what(&second));
        let same = if first.array == second.array {
            ""
        } else {
            ", which lies in the same memory"
        };
        let message = if other.block == now.block {
            format!("a race: {one} and {two}{same}, and no wait orders them")
        } else {
            let (a, b) = (first.block, second.block);
            format!(
                "a race: {one} in block {a} and {two} in block {b}, and blocks do not wait for each other"
            )
        };
        self.fault(FaultKind::Race, message, site, now.thread)
            .with(|inner| {
                inner.index = Some(second.index);
                inner.thread = None;
                inner.race = Some([first, second]);
            })
    }

    pub(super) fn uninitialised(&self, site: &Site, address: u64, now: Mark) -> Fault {
        let (index, name) = (
            self.index(site.array, address, now.thread),
            self.name(site.array),
        );
        let owner = match self.entries[site.array.0 as usize].storage {
            Storage::Shared { .. } => self.owner(address).filter(|owner| *owner != site.array),
            _ => None,
        };
        let message = match owner {
            Some(owner) => format!(
                "`{name}`[{index}] is read, and its memory is now that of `{}`",
                self.name(owner)
            ),
            None => format!("`{name}`[{index}] is read, and nothing has been stored there"),
        };
        self.fault(FaultKind::Uninitialised, message, site, now.thread)
            .with(|inner| inner.index = Some(index))
    }

    /// The array whose present lifetime a byte of shared memory was stored in.
    fn owner(&self, address: u64) -> Option<ArrayId> {
        let stored = self.shared.stored[(address / u64::from(self.shared.width)) as usize];
        let owns = |entry: &Entry<'_>| {
            matches!(entry.storage, Storage::Shared { .. }) && entry.lifetimes.contains(&stored)
        };
        let of_block = self.entries.iter().filter(|entry| owns(entry)).count() == 1;
        self.entries
            .iter()
            .position(owns)
            .filter(|_| of_block)
            .map(|n| ArrayId(n as u32))
    }

    fn fault(&self, kind: FaultKind, message: String, site: &Site, thread: u32) -> Fault {
        Fault::new(kind, message).with(|inner| {
            inner.array = Some(self.name(site.array).to_owned());
            (inner.block, inner.thread, inner.origin) = (self.block, Some(thread), site.origin);
        })
    }

    fn outside(&self, site: &Site, index: u32, length: u32, thread: u32) -> Fault {
        let message = format!(
            "index {index} is outside of `{}`, which has length {length}",
            self.name(site.array)
        );
        let fault = self.fault(FaultKind::Bounds, message, site, thread);
        fault.with(|inner| (inner.index, inner.length) = (Some(index.into()), Some(length.into())))
    }
}

/// Two writes of one element, in words.
fn twice([first, second]: &[Access; 2], distinct: bool) -> String {
    let who = match (first.block == second.block, first.thread == second.thread) {
        (true, true) => format!("thread {} of block {}", first.thread, first.block),
        (true, false) => format!(
            "threads {} and {} of block {}",
            first.thread, second.thread, first.block
        ),
        (false, _) => format!(
            "thread {} of block {} and thread {} of block {}",
            first.thread, first.block, second.thread, second.block
        ),
    };
    let promise = match distinct {
        true => ", which `distinct()` promises does not happen",
        false => "",
    };
    format!(
        "`{}`[{}] is written twice, by {who}{promise}",
        second.array, second.index
    )
}

impl Entry<'_> {
    /// Which copy of the array is a thread's.
    fn copy(&self, thread: u32) -> usize {
        match self.storage {
            Storage::Shared { slot } if slot.stride != 0 => (thread / WARP) as usize,
            Storage::Held { .. } => thread as usize,
            _ => 0,
        }
    }
}

impl Shared {
    fn new(plan: &Plan, program: &Program) -> Self {
        let arrays = || plan.shared().slots.keys();
        let width = |id: &ArrayId| plan.kernel().tables.array(*id).ty.bytes();
        let width = arrays().map(width).min().unwrap_or(8);
        let bytes = plan.shared().bytes;
        let cells = bytes.div_ceil(width) as usize;
        let atomics = arrays().any(|id| program.has(*id, AccessKind::Atomic));
        Shared {
            bytes: vec![0; bytes as usize],
            width,
            shadow: Shadow::new(cells, true, atomics, false),
            stored: vec![0; cells],
        }
    }

    /// The last store in an element, if it was in this lifetime of its array.
    fn stored_in(&self, address: u64, lifetime: u32) -> Option<Mark> {
        let cell = (address / u64::from(self.width)) as usize;
        let store = self.shadow.last_store(cell);
        store.filter(|_| self.stored[cell] == lifetime)
    }

    /// The first race of one access, and whether what it reads has been stored.
    #[inline]
    pub(super) fn access(
        &mut self,
        kind: AccessKind,
        address: u64,
        width: u32,
        now: Mark,
        lifetime: u32,
    ) -> (Option<Mark>, bool) {
        // Widths are powers of two.
        let shift = self.width.trailing_zeros();
        let first = (address >> shift) as usize;
        let mut stored = true;
        for cell in first..first + (width >> shift) as usize {
            if let Some(other) = self.shadow.access(cell, kind, now) {
                return (Some(other), true);
            }
            match kind {
                AccessKind::Write => self.stored[cell] = lifetime,
                _ => stored &= self.stored[cell] == lifetime,
            }
        }
        (None, stored)
    }
}
