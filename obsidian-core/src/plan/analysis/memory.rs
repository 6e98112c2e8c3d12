//! Which bytes statements access, and when two accesses conflict.
//!
//! Before: a physical kernel and the places of its arrays. After: for any two accesses, whether
//! waits may have to order them. Two accesses conflict if one of them writes and their bytes may
//! overlap, be it as one array or as two that use the same memory one after the other. Buffers that
//! a kernel both reads and writes (`InOut`) are looked at as arrays of the block. Outputs are only
//! written, each element once, and inputs only read, so they are never in conflict.

use super::uses::used;
use crate::ir::{AtomicOp, How, Kernel, Level, Physical, PhysicalLoop, Stage, Statement};
use crate::ordered::{Map, Set};
use crate::plan::layout::SharedMap;
use crate::scalar::{ArrayId, ArrayPlace, Literal, NodeId, Nodes, Role, VariableId};

/// The arrays that are read while they change: those of which something is read in order, or changed
/// by an atomic operation.
pub fn changing<S: Stage>(kernel: &Kernel<S>) -> Set<ArrayId> {
    let mut found = Set::new();
    for statement in &kernel.body {
        statement.visit(&mut |s| {
            if let Statement::Read { array, .. } | Statement::Atomic { array, .. } = s {
                found.insert(*array);
            }
        });
    }
    found
}

/// Accesses, each once.
pub(in crate::plan) type Accesses = Set<(ArrayId, Access)>;

/// What is done to an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::plan) enum Access {
    Read,
    Write,
    Atomic(Update),
}

/// What an atomic operation does, as far as it matters in which order several of them are done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::plan) enum Update {
    /// Adds or subtracts.
    Sum,
    /// `min`, `max`, `and`, `or` or `xor`.
    Of(AtomicOp),
    /// Counts up or down, to a known limit.
    Count(AtomicOp, u64),
    /// Does not go with any other one, or with itself.
    Other,
}

impl Update {
    /// `is_used`: whether anything depends on what the element was before, and so on which
    /// operations came first.
    pub(in crate::plan) fn new(
        nodes: &Nodes,
        op: AtomicOp,
        operands: &[NodeId],
        is_used: bool,
    ) -> Update {
        if is_used {
            return Update::Other;
        }
        let limit = operands.first().and_then(|id| nodes.literal(*id));
        match (op, limit) {
            (AtomicOp::Add | AtomicOp::Sub, _) => Update::Sum,
            (AtomicOp::Min | AtomicOp::Max | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor, _) => {
                Update::Of(op)
            }
            (AtomicOp::Inc | AtomicOp::Dec, Some(limit)) => Update::Count(op, limit.bits()),
            _ => Update::Other,
        }
    }

    /// Is the outcome the same in any order?
    pub(in crate::plan) fn commutes(self, other: Update) -> bool {
        self == other && self != Update::Other
    }
}

/// When two accesses happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::plan) enum When {
    /// In one life of every array.
    OneLife,
    /// Perhaps in two rounds of a loop, so that an array may have begun anew in between.
    TwoRounds,
}

/// Where an array lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::plan) enum Place {
    /// A buffer that the kernel reads and writes.
    Buffer(ArrayId),
    Shared {
        /// Bytes of the first copy.
        start: u32,
        end: u32,
        /// The end of the last copy.
        end_of_all: u32,
        /// The loop over warps that it belongs to.
        warp_loop: Option<usize>,
    },
}

/// Where the arrays of a kernel lie.
pub(in crate::plan) struct Memory {
    places: Map<ArrayId, Place>,
    /// Variables that something is made of.
    used: Set<VariableId>,
}

impl Memory {
    /// The places of the arrays that can be in conflict.
    pub(in crate::plan) fn new(kernel: &Kernel<Physical>, shared: &SharedMap) -> Self {
        let mut memory = Memory {
            places: Map::new(),
            used: used(kernel),
        };
        let mut owners: Map<ArrayId, (usize, u32)> = Map::new();
        let mut loops = 0;
        let mut visit = |s: &Statement<Physical>| {
            if let Statement::Loop {
                kind: PhysicalLoop::Warps,
                bounds: [_, end, _],
                body,
                ..
            } = s
            {
                let count = kernel
                    .tables
                    .nodes
                    .literal(*end)
                    .map_or(u32::MAX, Literal::u32);
                let copies = count.min(kernel.warps());
                body.iter().for_each(|inner| {
                    inner.visit(&mut |s| {
                        if let Statement::Allocate { array, .. } = s {
                            owners.insert(*array, (loops, copies));
                        }
                    })
                });
                loops += 1;
            }
        };
        kernel.body.iter().for_each(|s| s.visit(&mut visit));
        for (n, array) in kernel.tables.arrays.iter().enumerate() {
            let id = ArrayId(n as u32);
            match (array.place, shared.slots.get(&id)) {
                (ArrayPlace::Global(Role::InOut), _) => {
                    memory.places.insert(id, Place::Buffer(id));
                }
                (ArrayPlace::Shared, Some(slot)) => {
                    let bytes = kernel
                        .tables
                        .stored_length(array)
                        .saturating_mul(array.ty.bytes());
                    let end = slot.offset.saturating_add(bytes);
                    let (warp_loop, copies) = owners
                        .get(&id)
                        .map_or((None, 1), |(number, copies)| (Some(*number), *copies));
                    let end_of_all =
                        end.saturating_add(slot.stride.saturating_mul(copies.saturating_sub(1)));
                    memory.places.insert(
                        id,
                        Place::Shared {
                            start: slot.offset,
                            end,
                            end_of_all,
                            warp_loop,
                        },
                    );
                }
                _ => {}
            }
        }
        memory
    }

    /// May the order of two accesses by different threads of a scope matter? `changing` are the
    /// arrays whose elements may be written more than once.
    ///
    /// Two stores to an array that is written once are to different elements, and atomics of one
    /// kind give the same in any order, unless what they find before that is used: in one phase it
    /// may be anything, but what comes in a later phase finds all of the earlier one.
    pub(in crate::plan) fn conflict(
        &self,
        changing: &Set<ArrayId>,
        scope: Level,
        when: When,
        a: (ArrayId, Access),
        b: (ArrayId, Access),
    ) -> bool {
        let once = when == When::OneLife && !self.is_buffer(a.0) && !changing.contains(&a.0);
        match (a.1, b.1) {
            (Access::Read, Access::Read) => false,
            (Access::Write, Access::Write) if a.0 == b.0 && once => false,
            (Access::Atomic(one), Access::Atomic(other)) if a.0 == b.0 && one.commutes(other) => {
                false
            }
            _ => self.overlap(scope, a.0, b.0),
        }
    }

    /// Where an array lies: two arrays at one place are as one for everything here.
    pub(in crate::plan) fn place(&self, array: ArrayId) -> Option<Place> {
        self.places.get(&array).copied()
    }

    /// May two threads of a scope access one byte, as an element of two arrays or of one?
    ///
    /// Within a loop over warps a byte of a frame belongs to one warp.
    pub(in crate::plan) fn overlap(&self, scope: Level, a: ArrayId, b: ArrayId) -> bool {
        match (self.places.get(&a), self.places.get(&b)) {
            (
                Some(Place::Shared {
                    start,
                    end,
                    end_of_all,
                    warp_loop,
                }),
                Some(Place::Shared {
                    start: s,
                    end: e,
                    end_of_all: ea,
                    warp_loop: w,
                }),
            ) => {
                if warp_loop.is_some() && warp_loop == w {
                    return scope == Level::Warp && start < e && s < end;
                }
                start < ea && s < end_of_all
            }
            (Some(Place::Buffer(a)), Some(Place::Buffer(b))) => a == b,
            _ => false,
        }
    }

    /// Does anything depend on the result of an atomic operation?
    pub(in crate::plan) fn is_used(&self, result: Option<VariableId>) -> bool {
        result.is_some_and(|variable| self.used.contains(&variable))
    }

    /// Is it a buffer that the kernel reads and writes?
    pub(in crate::plan) fn is_buffer(&self, array: ArrayId) -> bool {
        matches!(self.places.get(&array), Some(Place::Buffer(_)))
    }

    /// The bytes of a shared array, all copies: the first one, and the one after the last.
    pub(in crate::plan) fn bytes(&self, array: ArrayId) -> Option<(u32, u32)> {
        match self.places.get(&array) {
            Some(Place::Shared {
                start, end_of_all, ..
            }) => Some((*start, *end_of_all)),
            _ => None,
        }
    }

    /// The accesses of statements and all that is inside them, as far as they can conflict.
    pub(in crate::plan) fn accesses(
        &self,
        nodes: &Nodes,
        list: &[Statement<Physical>],
    ) -> Accesses {
        let mut found = Accesses::new();
        list.iter()
            .for_each(|s| s.visit(&mut |s| found.extend(self.own(nodes, s))));
        found
    }

    /// The accesses of a statement without those inside it.
    pub(in crate::plan) fn own(&self, nodes: &Nodes, statement: &Statement<Physical>) -> Accesses {
        let mut found: Accesses = statement
            .loads(nodes)
            .into_iter()
            .map(|array| (array, Access::Read))
            .collect();
        if let Some(accessed) = statement.accessed() {
            let access = match accessed.how {
                How::Write(_) => Access::Write,
                How::Change(op, operands, result) => {
                    Access::Atomic(Update::new(nodes, op, operands, self.is_used(result)))
                }
                How::Read(_) => Access::Read,
            };
            found.insert((accessed.array, access));
        }
        found.retain(|(array, _)| self.places.contains_key(array));
        found
    }
}
