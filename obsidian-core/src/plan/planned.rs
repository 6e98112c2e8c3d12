//! The plan: what all passes together have made of a kernel.

use std::sync::Arc;

use super::Limits;
use super::analysis::{Liveness, Range};
use super::layout::{Home, Placement, SharedMap};
use super::pattern::WritePattern;
use crate::ir::{Kernel, Level, Levelled, Lowered, Physical, PhysicalLoop, ReportKind, Statement};
use crate::ordered::{Map, Set};
use crate::scalar::formula::{LONGEST, LONGEST_EXTENT};
use crate::scalar::{ArrayId, ArrayPlace, Literal, NodeId, ScalarType, Tables};

/// An ordered loop over blocks, which finds what earlier blocks have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OrderedLoop {
    /// How many blocks there are.
    pub(crate) blocks: NodeId,
    /// How many elements a block has for later ones, and of what types.
    pub(crate) elements: u32,
    pub(crate) types: Vec<ScalarType>,
}

/// Words of one array that a thread has in registers, at most.
const MOST_WORDS: u32 = 64;

/// A kernel ready to be run and printed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it was made of.
    levelled: Arc<Kernel<Levelled>>,
    lowered: Kernel<Lowered>,
    /// `None` if it is `lowered`.
    by_one: Option<Kernel<Lowered>>,
    pub(super) kernel: Kernel<Physical>,
    shared: SharedMap,
    placements: Vec<Placement>,
    held_words: u32,
    patterns: Map<ArrayId, WritePattern>,
    steps: u64,
    limits: Limits,
    /// Has the kernel assertions?
    asserts: bool,
    /// The most steps of a length or a number of blocks.
    pub(super) longest_formula: usize,
}

/// Words of 4 bytes of arrays that a thread has in registers at once, at most: of the lives of all stored arrays, and
/// what became of them.
pub(crate) fn held_words(lives: &Liveness, placements: &[Placement], tables: &Tables) -> u32 {
    let placed = placements.iter();
    let placed: Map<ArrayId, Home> = placed.map(|it| (it.array, it.home)).collect();
    let elements = |id| match (placed.get(&id), tables.array(id)) {
        (Some(Home::Registers { elements }), _) => *elements,
        (None, array) if array.place == ArrayPlace::Held => tables.stored_length(array),
        _ => 0,
    };
    let words = |id| elements(id).saturating_mul(tables.array(id).ty.bytes().div_ceil(4));
    let lives = lives.lives.iter();
    let held: Vec<(Range, u32)> = lives
        .map(|(id, life)| (life.range, words(*id)))
        .filter(|(_, words)| (1..=MOST_WORDS).contains(words))
        .collect();
    // The most are needed where one of them begins.
    let at = |place: usize| -> u32 {
        let there = held
            .iter()
            .filter(|(range, _)| (range.first..=range.last).contains(&place));
        there.map(|(_, words)| words).sum()
    };
    let most = held.iter().map(|(range, _)| at(range.first));
    most.max().unwrap_or(0)
}

impl Plan {
    /// A plan out of what the passes have made; `pipeline` alone makes one.
    pub(crate) fn new(
        levelled: Arc<Kernel<Levelled>>,
        (lowered, by_one): (Kernel<Lowered>, Option<Kernel<Lowered>>),
        kernel: Kernel<Physical>,
        (shared, placements, held_words): (SharedMap, Vec<Placement>, u32),
        patterns: Map<ArrayId, WritePattern>,
        steps: u64,
        limits: Limits,
    ) -> Plan {
        // What no thread comes to is gone by now, with the arrays that it began.
        let (mut begun, mut asserts) = (Set::new(), false);
        for statement in &kernel.body {
            statement.visit(&mut |s| {
                begun.extend(s.begins());
                let told = s.told();
                asserts |= told.is_some_and(|report| report.kind == ReportKind::Failed);
            });
        }
        let mut placements = placements;
        placements.retain(|placement| match placement.home {
            Home::Registers { .. } | Home::Shared => begun.contains(&placement.array),
            Home::Over { array, .. } => begun.contains(&array),
        });
        Plan {
            levelled,
            lowered,
            by_one,
            kernel,
            shared,
            placements,
            held_words,
            patterns,
            steps,
            limits,
            asserts,
            longest_formula: LONGEST_EXTENT,
        }
    }

    /// The plan of a kernel of an array program: its lengths are products of extents, which may be long by themselves.
    pub(crate) fn of_arrays(mut self) -> Plan {
        self.longest_formula = LONGEST;
        self
    }

    /// A plan of a physical kernel alone, for tests of what follows it.
    #[cfg(test)]
    pub(crate) fn assemble(
        kernel: Kernel<Physical>,
        shared: SharedMap,
        patterns: Map<ArrayId, WritePattern>,
    ) -> Plan {
        let lowered = Kernel {
            name: kernel.name.clone(),
            tables: kernel.tables.clone(),
            parameters: kernel.parameters.clone(),
            threads: (),
            body: Vec::new(),
        };
        let levelled = Kernel {
            name: kernel.name.clone(),
            tables: kernel.tables.clone(),
            parameters: kernel.parameters.clone(),
            threads: (),
            body: Vec::new(),
        };
        let limits = Limits::from(kernel.threads);
        Plan::new(
            Arc::new(levelled),
            (lowered, None),
            kernel,
            (shared, Vec::new(), 0),
            patterns,
            0,
            limits,
        )
    }

    /// The kernel before all passes.
    pub(crate) fn levelled(&self) -> &Kernel<Levelled> {
        &self.levelled
    }

    /// What a block may use.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// The kernel before threads were made concrete, out of `lowering`, with whole tiles apart from the
    /// rest, and collectives as networks: what the CPU runs by columns.
    pub fn lowered(&self) -> &Kernel<Lowered> {
        &self.lowered
    }

    /// The same with the collectives as one thread computes them that does the work of a whole block: what
    /// the text for the CPU is printed from.
    pub fn by_one(&self) -> &Kernel<Lowered> {
        self.by_one.as_ref().unwrap_or(&self.lowered)
    }

    /// The kernel as every thread executes it, waits included: what CUDA text and the simulator
    /// follow.
    pub fn kernel(&self) -> &Kernel<Physical> {
        &self.kernel
    }

    /// Where shared arrays lie.
    pub fn shared(&self) -> &SharedMap {
        &self.shared
    }

    /// The stored arrays that have no shared memory of their own: they are in registers, or in the place
    /// of another array, with which they are one array in [`kernel`](Plan::kernel).
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Words of 4 bytes of stored arrays that a thread has in registers at once, at most: those of
    /// [`placements`](Plan::placements), and its own arrays of at most 64 words each, as larger ones are in local
    /// memory. What expressions need beside them is not counted.
    pub fn held_words(&self) -> u32 {
        self.held_words
    }

    /// How an array that is written is: an output, or one that is changed in place.
    pub fn pattern(&self, array: ArrayId) -> WritePattern {
        self.patterns
            .get(&array)
            .copied()
            .unwrap_or(WritePattern::Scattered)
    }

    /// Are only the first elements of an output written? Who launches the kernel cuts the others off.
    pub fn is_written_in_part(&self, array: ArrayId) -> bool {
        self.kernel.tables.written_in_part.contains(&array)
    }

    /// The steps that the checks of the kernel took: how much work it was, in no unit of time.
    pub fn steps_of_checks(&self) -> u64 {
        self.steps
    }

    /// The ordered loops over blocks, in the order of the text, and what the last block does, which leaves no elements.
    pub(crate) fn orders(&self) -> Vec<OrderedLoop> {
        let nodes = &self.kernel.tables.nodes;
        let mut found = Vec::new();
        for statement in &self.kernel.body {
            let Statement::Loop {
                kind: PhysicalLoop::Ordered | PhysicalLoop::Last,
                bounds: [_, blocks, _],
                ..
            } = statement
            else {
                continue;
            };
            let (mut elements, mut types) = (0, Vec::new());
            statement.visit(&mut |inner| {
                if let Some(of) = inner.follows() {
                    elements = nodes.literal(of.count).map_or(0, Literal::u32);
                    types = of.own.iter().map(|own| nodes.ty(*own)).collect();
                }
            });
            found.push(OrderedLoop {
                blocks: *blocks,
                elements,
                types,
            });
        }
        found
    }

    /// Real threads of a block.
    pub fn threads(&self) -> u32 {
        self.kernel.threads
    }

    /// How many blocks a multiprocessor has to be able to hold at once, if that was asked for.
    pub fn min_blocks(&self) -> Option<u32> {
        self.limits.min_blocks
    }

    /// Does a launch start only as many real blocks as the device holds at once?
    pub fn resident(&self) -> bool {
        self.limits.resident
    }

    /// Does the CUDA text check each index that `unchecked()` vouches for?
    pub fn checks_accesses(&self) -> bool {
        self.limits.faults
    }

    /// Does the CUDA text check anything, accesses or assertions? Its function has a last parameter then, the address of a word of 64
    /// bits: see [`Checks`](obsidian_base::launch::Checks).
    pub fn faults(&self) -> bool {
        self.limits.faults || self.asserts
    }

    /// The number of places in the text where the threads of a block, or those of a warp, wait for
    /// each other.
    pub fn waits(&self, scope: Level) -> u32 {
        let mut waits = 0;
        let mut count = |s: &Statement<Physical>| {
            waits += u32::from(s.waits() == Some(scope));
        };
        self.kernel.body.iter().for_each(|s| s.visit(&mut count));
        waits
    }
}
