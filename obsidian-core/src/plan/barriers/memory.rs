//! Which bytes statements access, and when two accesses conflict.

use std::collections::{BTreeMap, BTreeSet};

use super::Accesses;
use crate::ir::{Kernel, Level, LoopKind, Statement};
use crate::plan::SharedMap;
use crate::scalar::{ArrayId, ArrayPlace, Literal, Nodes, Role};

/// What is done to an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Access {
    Read,
    Write,
    Atomic,
}

/// Where an array lies.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// A buffer that the kernel reads and writes.
    Buffer,
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

pub(super) struct Memory {
    places: BTreeMap<ArrayId, Place>,
    /// Arrays whose elements may be written more than once.
    mutable: BTreeSet<ArrayId>,
}

impl Memory {
    pub(super) fn new(kernel: &Kernel, body: &[Statement], shared: &SharedMap) -> Self {
        let mut memory = Memory { places: BTreeMap::new(), mutable: BTreeSet::new() };
        let mut owners: BTreeMap<ArrayId, (usize, u32)> = BTreeMap::new();
        let mut loops = 0;
        let mut visit = |s: &Statement| match s {
            Statement::For { kind: LoopKind::Warps, end, body, .. } => {
                let count = kernel.tables.nodes.literal(*end).map_or(u32::MAX, Literal::u32);
                let copies = count.min(kernel.warps());
                body.iter().for_each(|inner| {
                    inner.visit(&mut |s| {
                        if let Statement::Allocate { array } = s {
                            owners.insert(*array, (loops, copies));
                        }
                    })
                });
                loops += 1;
            }
            Statement::Read { array, .. } | Statement::Atomic { array, .. } => {
                memory.mutable.insert(*array);
            }
            _ => {}
        };
        body.iter().for_each(|s| s.visit(&mut visit));
        for (n, array) in kernel.tables.arrays.iter().enumerate() {
            let id = ArrayId(n as u32);
            match (array.place, shared.slots.get(&id)) {
                (ArrayPlace::Global(Role::InOut), _) => {
                    memory.mutable.insert(id);
                    memory.places.insert(id, Place::Buffer);
                }
                (ArrayPlace::Shared, Some(slot)) => {
                    let bytes = kernel.tables.nodes.literal(array.length).map_or(0, Literal::u32).saturating_mul(array.ty.bytes());
                    let end = slot.offset.saturating_add(bytes);
                    let (warp_loop, copies) = owners.get(&id).map_or((None, 1), |(number, copies)| (Some(*number), *copies));
                    let end_of_all = end.saturating_add(slot.stride.saturating_mul(copies.saturating_sub(1)));
                    memory.places.insert(id, Place::Shared { start: slot.offset, end, end_of_all, warp_loop });
                }
                _ => {}
            }
        }
        memory
    }

    /// May the order of two accesses by different threads of a scope matter?
    pub(super) fn conflict(&self, scope: Level, a: (ArrayId, Access), b: (ArrayId, Access)) -> bool {
        let once = a.0 == b.0 && !self.mutable.contains(&a.0);
        match (a.1, b.1) {
            (Access::Read, Access::Read) => return false,
            (Access::Write, Access::Write) if once => return false,
            (Access::Atomic, Access::Atomic) if a.0 == b.0 => return false,
            _ => {}
        }
        match (self.places.get(&a.0), self.places.get(&b.0)) {
            (Some(Place::Shared { start, end, end_of_all, warp_loop }), Some(Place::Shared { start: s, end: e, end_of_all: ea, warp_loop: w })) => {
                if warp_loop.is_some() && warp_loop == w {
                    return scope == Level::Warp && start < e && s < end;
                }
                start < ea && s < end_of_all
            }
            (Some(Place::Buffer), Some(Place::Buffer)) => a.0 == b.0,
            _ => false,
        }
    }

    /// The accesses of statements and all that is inside them, as far as they can conflict.
    pub(super) fn accesses(&self, nodes: &Nodes, list: &[Statement]) -> Accesses {
        let mut found = Accesses::new();
        list.iter().for_each(|s| s.visit(&mut |s| found.extend(self.own(nodes, s))));
        found
    }

    /// The accesses of a statement without those inside it.
    pub(super) fn own(&self, nodes: &Nodes, statement: &Statement) -> Accesses {
        let mut found: Accesses = statement.loads(nodes).into_iter().map(|array| (array, Access::Read)).collect();
        match statement {
            Statement::Store { array, .. } => found.extend([(*array, Access::Write)]),
            Statement::Atomic { array, .. } => found.extend([(*array, Access::Atomic)]),
            Statement::Read { array, .. } => found.extend([(*array, Access::Read)]),
            _ => {}
        }
        found.retain(|(array, _)| self.places.contains_key(array));
        found
    }
}
