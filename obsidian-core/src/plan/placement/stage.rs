//! May a phase store one array over another one that it reads?
//!
//! Before: a phase, the array `from` that it is the last to read, and the array `to` that it is the
//! first to store. After: the copies in it, if element `i` of `to` may lie where element `i` of `from`
//! lies; else the reason why not.
//!
//! *Claim.* If the answer is yes, every read of `from` gives what it gives with the arrays apart, and
//! behind the phase each element that it stores in `to` has the value that it has then, also if the
//! copies are left out.
//!
//! *Argument.* The phase is followed statement by statement, all threads in step, each round of each
//! loop by itself. So what one thread does is followed in its order. For each element it is noted who
//! has read it and who has stored it. A store where another thread reads is refused, whichever of the
//! two is followed first; so is a read behind a store by the same thread. What is left are elements
//! that one thread reads and then stores, or that are only read, or only stored: no order of the threads
//! changes what is read.
//!
//! A *copy* is a store of `from[i]` in `to[i]`, or an arm of a choice that does that, each time that the
//! phase comes to it. It stores what lies there. A store of that element by another thread is refused, as
//! the copy reads it; one by the same thread before the copy is refused as well, and one behind it stays.
//!
//! What is not known never makes fewer accesses: under a condition that is not known both ways are
//! followed by all threads, a loop whose bounds are not known is followed twice with a counter that is
//! not known, and a read with an index that is not known may be of any element. A store with an index
//! that is not known is refused.

use super::reads::{Part, Reads};
use crate::ir::{How, Kernel, Level, Physical, Statement, WARP};
use crate::ordered::{Map, Set};
use crate::plan::analysis::lanes::Lanes;
use crate::scalar::{ArrayId, Node, NodeId, VariableId};

/// Choices inside of each other whose arms are followed one by one.
pub(super) const MOST_CHOICES: u32 = 4;

/// Stores of an element onto itself: the index, and the value or the arm of it.
pub(super) type Copies = Set<(NodeId, NodeId)>;

/// Why a stage does not overwrite its input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refused {
    /// A thread reads an element that another one stores.
    ReadByAnother,
    /// A thread reads an element that has been stored.
    ReadLater,
    /// Two threads store an element.
    StoredTwice,
    /// It is not known which element is stored, or read where some are stored.
    Unknown,
    /// The new array is read, or one of the two is changed by an atomic operation.
    Changed,
}

type Found<T = ()> = Result<T, Refused>;

/// The copies of a phase that may store `to` over `from`, in a list of the scope.
pub(super) fn overwritten(
    kernel: &Kernel<Physical>,
    lanes: &Lanes<'_>,
    phase: &[Statement<Physical>],
    [from, to]: [ArrayId; 2],
    scope: Level,
) -> Found<Copies> {
    let length = kernel.tables.stored_length(kernel.tables.array(to));
    let mut walk = Walk {
        kernel,
        from,
        to,
        length,
        of_warps: scope == Level::Warp,
        names: Map::new(),
        copies: Copies::new(),
        changes: Copies::new(),
        touched: None,
        loads: Reads::default(),
    };
    if has_loads(kernel, phase, from, to) {
        // What is a copy is known only when all rounds have been seen.
        walk.list(phase, &mut lanes.inside())?;
        walk.names.clear();
        walk.copies.clear();
    }
    let copies = if scope == Level::Warp {
        kernel.threads.div_ceil(WARP)
    } else {
        1
    };
    let nobody = || vec![Who::Nobody; copies as usize * length as usize];
    walk.touched = Some(Touched {
        readers: nobody(),
        stores: nobody(),
        any_read: false,
        any_store: false,
    });
    walk.list(phase, &mut lanes.inside())?;
    // Where the second walk knew less than the first, what it left out as a copy may be a store.
    if walk.copies.intersection(&walk.changes).next().is_some() {
        return Err(Refused::Unknown);
    }
    Ok(walk.copies)
}

/// May a store of `to` in a phase be one of an element of `from` as it is: is its value, or an arm of it, a load or a name? Without that nothing is
/// a copy.
fn has_loads(
    kernel: &Kernel<Physical>,
    phase: &[Statement<Physical>],
    from: ArrayId,
    to: ArrayId,
) -> bool {
    let nodes = &kernel.tables.nodes;
    let mut values = Vec::new();
    for statement in phase {
        statement.visit(&mut |s| {
            if let Some(accessed) = s.accessed()
                && let How::Write(value) = accessed.how
                && accessed.array == to
            {
                values.push(value);
            }
        });
    }
    while let Some(value) = values.pop() {
        match nodes.node(value) {
            Node::Load { array, .. } if array == from => return true,
            Node::Variable(_) => return true,
            Node::Select {
                then, otherwise, ..
            } => values.extend([then, otherwise]),
            _ => {}
        }
    }
    false
}

/// Who has accessed an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Nobody,
    Thread(u32),
    Several,
}

impl Who {
    fn and(self, thread: u32) -> Who {
        match self {
            Who::Nobody => Who::Thread(thread),
            Who::Thread(other) if other == thread => self,
            _ => Who::Several,
        }
    }

    /// Is it nobody but this thread?
    fn is_only(self, thread: u32) -> bool {
        self == Who::Nobody || self == Who::Thread(thread)
    }
}

/// The accesses so far, by element of `to`, copies of warps included.
struct Touched {
    readers: Vec<Who>,
    stores: Vec<Who>,
    /// Has something been read of which it is not known which element it was?
    any_read: bool,
    any_store: bool,
}

struct Walk<'k> {
    kernel: &'k Kernel<Physical>,
    from: ArrayId,
    to: ArrayId,
    /// Elements of `to`.
    length: u32,
    /// Has each warp arrays of its own?
    of_warps: bool,
    /// What the names of the phase stand for.
    names: Map<VariableId, NodeId>,
    /// What has been a copy each time so far.
    copies: Copies,
    /// What looks like one, and has not been one each time.
    changes: Copies,
    /// The accesses; none while it is found out what is a copy.
    touched: Option<Touched>,
    /// What expressions load of the two arrays.
    loads: Reads,
}

impl Walk<'_> {
    fn list(&mut self, list: &[Statement<Physical>], lanes: &mut Lanes<'_>) -> Found {
        list.iter()
            .try_for_each(|statement| self.statement(statement, lanes))
    }

    fn statement(&mut self, statement: &Statement<Physical>, lanes: &mut Lanes<'_>) -> Found {
        match statement {
            Statement::While {
                head,
                condition,
                body,
            } => {
                // Twice, so that each round has one before it.
                for _ in 0..2 {
                    let mut inside = lanes.inside();
                    self.list(head, &mut inside)?;
                    self.reads(&inside, &[*condition], 0)?;
                    self.list(body, &mut inside.inside())?;
                }
                return Ok(());
            }
            Statement::Loop {
                counter,
                bounds,
                body,
                ..
            } => return self.rounds(lanes, *counter, *bounds, body),
            Statement::Store {
                array,
                index,
                value,
                ..
            } if *array == self.to => {
                self.reads(lanes, &[*index, *value], 0)?;
                return self.store(lanes, *index, *value, 0);
            }
            _ => self.reads(lanes, &statement.nodes(), 0)?,
        }
        match statement {
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.list(then, &mut lanes.when(*condition, true))?;
                self.list(otherwise, &mut lanes.when(*condition, false))?;
            }
            Statement::Store { array, .. } | Statement::Atomic { array, .. }
                if [self.from, self.to].contains(array) =>
            {
                return Err(Refused::Changed);
            }
            Statement::Read { array, .. } if *array == self.to => return Err(Refused::Changed),
            Statement::Read { array, index, .. } if *array == self.from => {
                self.read(lanes, *index)?;
            }
            _ => {}
        }
        self.bind(statement, lanes);
        Ok(())
    }

    /// What the statement names.
    fn bind(&mut self, statement: &Statement<Physical>, lanes: &mut Lanes<'_>) {
        let Some(variable) = statement.binds() else {
            return;
        };
        let mut known = None;
        self.names.remove(&variable);
        if let Statement::Let { value, .. } = statement {
            self.names.insert(variable, *value);
            let ty = self.kernel.tables.nodes.ty(*value);
            if crate::plan::analysis::columns::is_followed(ty) {
                known = lanes.value(*value);
            }
        }
        lanes.bind(variable, known);
    }

    /// The rounds of a loop, one after the other. What its bounds load counts as read in each of them.
    fn rounds(
        &mut self,
        lanes: &Lanes<'_>,
        counter: VariableId,
        bounds: [NodeId; 3],
        body: &[Statement<Physical>],
    ) -> Found {
        self.reads(lanes, &bounds, 0)?;
        let mut n = 0;
        while let Some(mut inside) = lanes.round(counter, bounds, n) {
            if inside.len() == 0 {
                return Ok(());
            }
            self.list(body, &mut inside)?;
            self.reads(lanes, &bounds, 0)?;
            n += 1;
        }
        for _ in 0..2 {
            let mut inside = lanes.inside();
            inside.bind(counter, None);
            self.list(body, &mut inside)?;
            self.reads(lanes, &bounds, 0)?;
        }
        Ok(())
    }

    /// The elements of `from` that expressions load.
    fn reads(&mut self, lanes: &Lanes<'_>, roots: &[NodeId], choices: u32) -> Found {
        if lanes.len() == 0 {
            return Ok(());
        }
        let nodes = &self.kernel.tables.nodes;
        let both = [self.from, self.to];
        for root in roots {
            let touches = |array| both.contains(&array);
            let parts = self
                .loads
                .of(nodes, *root, choices < MOST_CHOICES, &touches);
            for part in parts.iter() {
                match *part {
                    Part::Load(array, _) if array == self.to => return Err(Refused::Changed),
                    Part::Load(_, index) => self.read(lanes, index)?,
                    Part::Choice {
                        condition,
                        then,
                        otherwise,
                    } => {
                        self.reads(&lanes.when(condition, true), &[then], choices + 1)?;
                        self.reads(&lanes.when(condition, false), &[otherwise], choices + 1)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Each lane reads the element of an index.
    fn read(&mut self, lanes: &Lanes<'_>, index: NodeId) -> Found {
        let Some(touched) = &mut self.touched else {
            return Ok(());
        };
        let Some(index) = lanes.value(index) else {
            touched.any_read = true;
            return if touched.any_store {
                Err(Refused::Unknown)
            } else {
                Ok(())
            };
        };
        for lane in 0..lanes.len() {
            let (thread, element) = (lanes.thread(lane), index.at(lane));
            let Some(cell) = cell(self.of_warps, self.length, thread, element) else {
                continue;
            };
            if touched.stores[cell] != Who::Nobody {
                return Err(Refused::ReadLater);
            }
            touched.readers[cell] = touched.readers[cell].and(thread);
        }
        Ok(())
    }

    /// Each lane stores a value, nested in `choices` selects; the reads of the value have been noted.
    fn store(&mut self, lanes: &Lanes<'_>, index: NodeId, value: NodeId, choices: u32) -> Found {
        if lanes.len() == 0 {
            return Ok(());
        }
        let nodes = &self.kernel.tables.nodes;
        if let Some(at) = self.loaded(value) {
            let key = (index, value);
            if !self.changes.contains(&key) && self.is_same(lanes, index, at) {
                self.copies.insert(key);
                return self.copy(lanes, index);
            }
            self.changes.insert(key);
        } else if let Node::Select {
            condition,
            then,
            otherwise,
        } = nodes.node(value)
            && choices < MOST_CHOICES
        {
            self.store(&lanes.when(condition, true), index, then, choices + 1)?;
            return self.store(&lanes.when(condition, false), index, otherwise, choices + 1);
        }
        self.write(lanes, index)
    }

    /// The index of the element of `from` that a value is.
    fn loaded(&self, value: NodeId) -> Option<NodeId> {
        let nodes = &self.kernel.tables.nodes;
        let mut value = value;
        // A name stands for what was bound before it, so this ends.
        while let Node::Variable(variable) = nodes.node(value) {
            value = *self.names.get(&variable)?;
        }
        match nodes.node(value) {
            Node::Load { array, index } if array == self.from => Some(index),
            _ => None,
        }
    }

    /// Are two indices one number in each lane?
    fn is_same(&self, lanes: &Lanes<'_>, one: NodeId, other: NodeId) -> bool {
        if one == other {
            return true;
        }
        match (lanes.value(one), lanes.value(other)) {
            (Some(one), Some(other)) => (0..lanes.len()).all(|lane| one.at(lane) == other.at(lane)),
            _ => false,
        }
    }

    /// Each lane leaves an element as it is, which nothing may have stored before.
    fn copy(&mut self, lanes: &Lanes<'_>, index: NodeId) -> Found {
        let Some(touched) = &self.touched else {
            return Ok(());
        };
        let Some(index) = lanes.value(index) else {
            return if touched.any_store {
                Err(Refused::Unknown)
            } else {
                Ok(())
            };
        };
        let stored = |lane| {
            let cell = cell(
                self.of_warps,
                self.length,
                lanes.thread(lane),
                index.at(lane),
            );
            cell.is_some_and(|cell| touched.stores[cell] != Who::Nobody)
        };
        if (0..lanes.len()).any(stored) {
            return Err(Refused::ReadLater);
        }
        Ok(())
    }

    /// Each lane stores something else in an element.
    fn write(&mut self, lanes: &Lanes<'_>, index: NodeId) -> Found {
        let Some(touched) = &mut self.touched else {
            return Ok(());
        };
        let index = lanes.value(index).ok_or(Refused::Unknown)?;
        if touched.any_read {
            return Err(Refused::Unknown);
        }
        touched.any_store = true;
        for lane in 0..lanes.len() {
            let thread = lanes.thread(lane);
            let Some(cell) = cell(self.of_warps, self.length, thread, index.at(lane)) else {
                continue;
            };
            if !touched.readers[cell].is_only(thread) {
                return Err(Refused::ReadByAnother);
            }
            if !touched.stores[cell].is_only(thread) {
                return Err(Refused::StoredTwice);
            }
            touched.stores[cell] = Who::Thread(thread);
        }
        Ok(())
    }
}

/// Where an element of a thread's copy is noted; none beyond the end of `to`, where nothing is stored.
fn cell(of_warps: bool, length: u32, thread: u32, element: u64) -> Option<usize> {
    let copy = if of_warps { thread / WARP } else { 0 };
    let inside = element < u64::from(length);
    inside.then(|| copy as usize * length as usize + element as usize)
}
