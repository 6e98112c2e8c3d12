//! The ways through a kernel: phases and waits, and what may follow what.
//!
//! A vertex is a phase with the elements that its threads access, a wait, or a place where ways
//! meet. There is an edge wherever a thread may go on; a loop that may have a second round has an
//! edge back. From the end of each loop over blocks a way leads to the start of each of them,
//! through the vertex `turn`: a real block goes on with its next virtual block, or with the next
//! loop.

use std::cell::{Cell, RefCell};
// What hashes is only looked up in, never walked.

use crate::hashed::HashMap;

use super::lanes::Lanes;
use super::memory::{Access, Memory, Place, Update};
use super::owners::Owners;
use super::phases::{Part, Phases};
use super::relevant::{Interest, relevant};
use crate::ir::uniform::Uniformity;
use crate::ir::{Kernel, Level, Physical, PhysicalLoop, Statement};
use crate::ordered::{Map, Set};
use crate::plan::layout::SharedMap;
use crate::scalar::{ArrayId, Literal, Node, NodeId, VariableId};

/// An array, what is done to it, and by whom.
type Touch = ((ArrayId, Access), Owners);

/// The same as far as it matters who else touches it, by a number: phases that do the same to the same
/// bytes have the same numbers.
#[derive(Debug)]
struct Kind {
    array: ArrayId,
    reads: bool,
    owners: Owners,
}

/// What is known of touches, which the phases of a large kernel have over and over again.
#[derive(Default)]
struct Kinds {
    list: Vec<Kind>,
    known: Map<(Place, bool, Owners), usize>,
    /// For two kinds and a scope: do threads access one byte, one of them writing?
    meet: RefCell<HashMap<(usize, usize, Level), bool>>,
}

impl Kinds {
    /// The number of a touch; none if no other one can be in conflict with it.
    fn number(&mut self, memory: &Memory, ((array, access), owners): Touch) -> Option<usize> {
        let reads = access == Access::Read;
        let place = memory.place(array)?;
        let next = self.list.len();
        let number = *self
            .known
            .entry((place, reads, owners.clone()))
            .or_insert(next);
        if number == next {
            self.list.push(Kind {
                array,
                reads,
                owners,
            });
        }
        Some(number)
    }
}

/// A place in a kernel.
#[derive(Debug, Default)]
struct Vertex {
    touches: Vec<usize>,
    /// The loop over blocks that it is in, if that is entered once.
    blocks: Option<usize>,
    /// Who waits here, if it is a wait that has not been taken away.
    wait: Option<Level>,
    next: Vec<usize>,
    previous: Vec<usize>,
}

/// The ways through a kernel.
///
/// Barriers that are left out, or are of warps, make the ways between others longer; so what is
/// looked at is bounded, and a barrier about which there is no more to be found out stays.
pub(in crate::plan) struct Graph {
    memory: Memory,
    kinds: Kinds,
    vertices: Vec<Vertex>,
    /// Vertices and pairs of touches that may still be looked at.
    left: Cell<u64>,
    /// The last walk that has come to each vertex, not through `turn` and through it.
    seen: RefCell<Seen>,
    /// The vertices of waits, in the order of the text.
    waits: Vec<usize>,
    turn: usize,
}

/// So much is looked at in every kernel, and for each of its vertices.
const LOOKS: u64 = 1 << 25;
const LOOKS_EACH: u64 = 200;
/// Elements that are compared in the time of one look.
const ELEMENTS: usize = 16;

/// What happens before a barrier, or after it: the kind of a touch, and of a buffer also the loop over
/// blocks in which that is, and whether the way leads through `turn`.
type Touches = Set<(usize, Option<usize>, bool)>;

/// Where walks have been: a set that is emptied by a new number.
#[derive(Default)]
struct Seen {
    by_vertex: Vec<[u64; 2]>,
    walk: u64,
}

impl Seen {
    /// Does the present walk come here for the first time?
    fn is_new(&mut self, vertex: usize, turned: bool) -> bool {
        let last = &mut self.by_vertex[vertex][usize::from(turned)];
        std::mem::replace(last, self.walk) != self.walk
    }
}

/// Which way to follow.
#[derive(Clone, Copy)]
enum Way {
    Back,
    On,
}

impl Graph {
    /// The ways through a physical kernel, with what its threads agree on and where its arrays lie.
    pub(in crate::plan) fn new(
        kernel: &Kernel<Physical>,
        shared: &SharedMap,
        uniformity: Uniformity,
        memory: Memory,
    ) -> Graph {
        let phases = Phases::new(kernel, uniformity);
        let graph = Graph {
            memory,
            kinds: Kinds::default(),
            vertices: Vec::new(),
            left: Cell::new(0),
            seen: RefCell::default(),
            waits: Vec::new(),
            turn: 0,
        };
        // Of a buffer, all of which is looked at as one element, the index says nothing.
        let interest = |array| match graph.memory.bytes(array) {
            Some(_) => Interest::Element,
            None if graph.memory.is_buffer(array) => Interest::Access,
            None => Interest::None,
        };
        let relevant = relevant(kernel, &interest, false);
        let mut builder = Builder {
            kernel,
            shared,
            phases,
            relevant,
            graph,
            blocks: None,
            entered: 0,
            repeated: false,
        };
        builder.graph.turn = builder.vertex(None);
        let start = builder.vertex(None);
        builder.list(
            &kernel.body,
            Level::Block,
            &mut Lanes::of_block(kernel),
            start,
        );
        let mut graph = builder.graph;
        graph.seen.get_mut().by_vertex = vec![[0; 2]; graph.vertices.len()];
        graph
            .left
            .set(LOOKS + graph.vertices.len() as u64 * LOOKS_EACH);
        graph
    }

    /// The numbers of the barriers, in the order of the text.
    pub(in crate::plan) fn barriers(&self) -> std::ops::Range<usize> {
        0..self.waits.len()
    }

    /// The scope of a barrier; `None` if it has been left out.
    pub(in crate::plan) fn scope(&self, barrier: usize) -> Option<Level> {
        self.vertices[self.waits[barrier]].wait
    }

    /// Gives a barrier another scope, or leaves it out.
    pub(in crate::plan) fn set(&mut self, barrier: usize, scope: Option<Level>) {
        self.vertices[self.waits[barrier]].wait = scope;
    }

    /// The narrowest scope at which a barrier orders what no other one orders; `None` if there is
    /// nothing.
    pub(in crate::plan) fn need(&self, barrier: usize) -> Option<Level> {
        let vertex = self.waits[barrier];
        let own = self.vertices[vertex].wait?;
        // A barrier of the block also orders the lanes of each warp.
        let needed = [Level::Block, Level::Warp]
            .into_iter()
            .find(|&scope| scope <= own && self.is_alone(vertex, scope));
        match self.left.get() {
            0 => Some(own),
            _ => needed,
        }
    }

    /// Pays for looking; is there anything left?
    fn pay(&self, looks: u64) -> bool {
        self.left.set(self.left.get().saturating_sub(looks));
        self.left.get() > 0
    }

    /// Is the barrier the only one between two accesses that have to be kept in order, of two warps
    /// (scope Block) or of one (scope Warp)?
    fn is_alone(&self, vertex: usize, scope: Level) -> bool {
        let (before, after) = (
            self.reach(vertex, scope, Way::Back),
            self.reach(vertex, scope, Way::On),
        );
        before
            .iter()
            .any(|a| after.iter().any(|b| self.meet(scope, *a, *b)))
    }

    /// What happens on the ways that lead to a wait, or from it, without meeting another one.
    fn reach(&self, wait: usize, scope: Level, way: Way) -> Touches {
        let ways = |vertex: usize| match way {
            Way::Back => &self.vertices[vertex].previous,
            Way::On => &self.vertices[vertex].next,
        };
        let mut stack: Vec<(usize, bool)> =
            ways(wait).iter().map(|&vertex| (vertex, false)).collect();
        let (mut seen, mut found) = (self.seen.borrow_mut(), Touches::new());
        seen.walk += 1;
        while let Some((vertex, turned)) = stack.pop() {
            let turned = turned || vertex == self.turn;
            let here = &self.vertices[vertex];
            let stops = match here.wait {
                Some(Level::Warp) => scope == Level::Warp,
                other => other.is_some(),
            };
            if stops || !seen.is_new(vertex, turned) {
                continue;
            }
            if !self.pay(1 + here.touches.len() as u64) {
                break;
            }
            found.extend(here.touches.iter().map(|&kind| {
                let is_buffer = self.memory.is_buffer(self.kinds.list[kind].array);
                let blocks = here.blocks.filter(|_| is_buffer);
                (kind, blocks, turned && is_buffer)
            }));
            stack.extend(ways(vertex).iter().map(|&vertex| (vertex, turned)));
        }
        found
    }

    /// Do two threads access one byte, one of them writing, the first one in `a` and the second one
    /// in `b`? At the scope of a warp, two threads of one warp; at that of the block, threads of
    /// two warps.
    ///
    /// Two virtual blocks of one loop over blocks do not access one element of a buffer, which
    /// `check` proves. Two such loops, or two rounds of a loop around one, may do so in two threads
    /// of one real block if the user vouches for the index.
    fn meet(
        &self,
        scope: Level,
        (a, of, turned): (usize, Option<usize>, bool),
        (b, and, also): (usize, Option<usize>, bool),
    ) -> bool {
        let of_blocks = (turned || also) && of.is_some() && of == and;
        if of_blocks || !self.pay(1) {
            return false;
        }
        let key = (a.min(b), a.max(b), scope);
        if let Some(known) = self.kinds.meet.borrow().get(&key) {
            return *known;
        }
        let (one, other) = (&self.kinds.list[a], &self.kinds.list[b]);
        let overlap =
            !(one.reads && other.reads) && self.memory.overlap(scope, one.array, other.array);
        if overlap {
            self.pay((one.owners.len() / ELEMENTS) as u64);
        }
        let meet = overlap && one.owners.meet(&other.owners, scope);
        self.kinds.meet.borrow_mut().insert(key, meet);
        meet
    }
}

struct Builder<'k> {
    kernel: &'k Kernel<Physical>,
    shared: &'k SharedMap,
    phases: Phases<'k>,
    /// The variables whose values are of interest.
    relevant: Set<VariableId>,
    graph: Graph,
    /// The present loop over blocks, if it is entered once.
    blocks: Option<usize>,
    /// Loops over blocks so far.
    entered: usize,
    /// Is the walk inside of a loop of the grid?
    repeated: bool,
}

impl Builder<'_> {
    /// A place where ways meet.
    fn vertex(&mut self, from: impl IntoIterator<Item = usize>) -> usize {
        self.graph.vertices.push(Vertex::default());
        let vertex = self.graph.vertices.len() - 1;
        from.into_iter()
            .for_each(|previous| self.edge(previous, vertex));
        vertex
    }

    fn edge(&mut self, from: usize, to: usize) {
        self.graph.vertices[from].next.push(to);
        self.graph.vertices[to].previous.push(from);
    }

    /// A phase, if anything in it counts; gives the vertex to go on from.
    fn phase(&mut self, touches: Vec<Touch>, at: usize) -> usize {
        if touches.is_empty() {
            return at;
        }
        let vertex = self.vertex([at]);
        let Graph { memory, kinds, .. } = &mut self.graph;
        let touches = touches.into_iter();
        let touches = touches
            .filter_map(|touch| kinds.number(memory, touch))
            .collect();
        self.graph.vertices[vertex].touches = touches;
        self.graph.vertices[vertex].blocks = self.blocks;
        vertex
    }

    /// A list whose waits stand at a scope; gives the vertex at its end.
    fn list(
        &mut self,
        list: &[Statement<Physical>],
        scope: Level,
        lanes: &mut Lanes<'_>,
        mut at: usize,
    ) -> usize {
        let mut rest = list;
        for (part, length) in self.phases.split(list, scope) {
            let (statements, others) = rest.split_at(length);
            rest = others;
            at = match part {
                Part::Phase => {
                    let mut touches = Vec::new();
                    statements
                        .iter()
                        .for_each(|s| self.statement(s, lanes, &mut touches));
                    self.phase(touches, at)
                }
                Part::Structure => statements
                    .iter()
                    .fold(at, |at, s| self.structure(s, scope, lanes, at)),
                Part::Boundary => statements.iter().fold(at, |at, s| self.boundary(s, at)),
            };
        }
        at
    }

    fn boundary(&mut self, statement: &Statement<Physical>, at: usize) -> usize {
        let Statement::Wait { scope } = statement else {
            return at;
        };
        let vertex = self.vertex([at]);
        self.graph.vertices[vertex].wait = Some(*scope);
        self.graph.waits.push(vertex);
        vertex
    }

    /// A branch or a loop with lists of the scope's level inside.
    fn structure(
        &mut self,
        statement: &Statement<Physical>,
        scope: Level,
        lanes: &mut Lanes<'_>,
        at: usize,
    ) -> usize {
        match statement {
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let at = self.bounds(statement, lanes, at);
                let then = self.list(then, scope, &mut lanes.when(*condition, true), at);
                let otherwise = self.list(otherwise, scope, &mut lanes.when(*condition, false), at);
                self.vertex([then, otherwise])
            }
            Statement::While { head, body, .. } => {
                let start = self.vertex([at]);
                let mut inside = lanes.inside();
                let at = self.list(head, scope, &mut inside, start);
                let leaving = self.bounds(statement, &inside, at);
                let end = self.list(body, scope, &mut inside.inside(), leaving);
                self.edge(end, start);
                self.vertex([leaving])
            }
            Statement::Loop {
                kind,
                counter,
                bounds,
                body,
                ..
            } => {
                let at = self.bounds(statement, lanes, at);
                let first = self.vertex([at]);
                let inner = if *kind == PhysicalLoop::Warps {
                    Level::Warp
                } else {
                    scope
                };
                let around = (self.blocks, self.repeated);
                match kind {
                    PhysicalLoop::Blocks | PhysicalLoop::Ordered | PhysicalLoop::Last => {
                        self.blocks = (!self.repeated).then_some(self.entered);
                        self.entered += 1;
                    }
                    PhysicalLoop::Sequential(Level::Grid) => self.repeated = true,
                    _ => {}
                }
                let last = self.list(
                    body,
                    inner,
                    &mut self.rounds(lanes, *counter, *bounds),
                    first,
                );
                (self.blocks, self.repeated) = around;
                let turn = self.graph.turn;
                if kind.is_of_blocks() {
                    self.edge(last, turn);
                    self.edge(turn, first);
                    return at;
                }
                if self.may_have_two_rounds(*kind, *bounds) {
                    self.edge(last, first);
                }
                let around = (!statement.has_a_round(&self.kernel.tables.nodes)).then_some(at);
                self.vertex([last].into_iter().chain(around))
            }
            _ => at,
        }
    }

    /// The lanes inside of a loop.
    fn rounds<'l>(
        &self,
        lanes: &'l Lanes<'_>,
        counter: VariableId,
        bounds: [NodeId; 3],
    ) -> Lanes<'l> {
        if self.relevant.contains(&counter) {
            lanes.rounds(counter, bounds)
        } else {
            lanes.with_a_round(bounds)
        }
    }

    /// What a statement reads itself, as a phase of its own.
    fn bounds(&mut self, statement: &Statement<Physical>, lanes: &Lanes<'_>, at: usize) -> usize {
        let mut touches = Vec::new();
        self.loads(statement, lanes, &mut touches);
        self.phase(touches, at)
    }

    fn may_have_two_rounds(&self, kind: PhysicalLoop, [start, end, step]: [NodeId; 3]) -> bool {
        let literal = |node| self.kernel.tables.nodes.literal(node).map(Literal::u32);
        // Each warp begins with its own number, which is below the step.
        let start = if kind == PhysicalLoop::Warps {
            Some(0)
        } else {
            literal(start)
        };
        !matches!((start, literal(end), literal(step)), (Some(start), Some(end), Some(step)) if end.saturating_sub(start) <= step)
    }

    /// A statement of threads, with all that is inside it.
    fn statement(
        &self,
        statement: &Statement<Physical>,
        lanes: &mut Lanes<'_>,
        touches: &mut Vec<Touch>,
    ) {
        let all = |list: &[Statement<Physical>], mut lanes: Lanes<'_>, touches: &mut Vec<Touch>| {
            list.iter()
                .for_each(|s| self.statement(s, &mut lanes, touches));
        };
        if !statement.evaluates_behind_its_head() {
            self.loads(statement, lanes, touches);
        }
        match statement {
            Statement::Store { array, index, .. } => {
                self.touch(*array, Access::Write, *index, lanes, touches)
            }
            Statement::Atomic {
                array,
                index,
                op,
                operands,
                result,
                ..
            } => {
                let is_used = self.graph.memory.is_used(*result);
                let update = Update::new(&self.kernel.tables.nodes, *op, operands, is_used);
                self.touch(*array, Access::Atomic(update), *index, lanes, touches);
            }
            Statement::Read { array, index, .. } => {
                self.touch(*array, Access::Read, *index, lanes, touches)
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                all(then, lanes.when(*condition, true), touches);
                all(otherwise, lanes.when(*condition, false), touches);
            }
            Statement::While { head, body, .. } => {
                let mut inside = lanes.inside();
                head.iter()
                    .for_each(|s| self.statement(s, &mut inside, touches));
                self.loads(statement, &inside, touches);
                all(body, inside.inside(), touches);
            }
            Statement::Loop {
                counter,
                bounds,
                body,
                ..
            } => all(body, self.rounds(lanes, *counter, *bounds), touches),
            _ => {}
        }
        if let Some(variable) = statement
            .binds()
            .filter(|variable| statement.lists().is_empty() && self.relevant.contains(variable))
        {
            lanes.bind(variable, self.named(statement, lanes));
        }
    }

    /// The value that a `Let` names, where it may be part of an index.
    fn named(
        &self,
        statement: &Statement<Physical>,
        lanes: &Lanes<'_>,
    ) -> Option<super::columns::Column> {
        match statement {
            Statement::Let { value, .. }
                if super::columns::is_followed(self.kernel.tables.nodes.ty(*value)) =>
            {
                lanes.value(*value)
            }
            _ => None,
        }
    }

    /// The elements that a statement's own nodes load.
    fn loads(&self, statement: &Statement<Physical>, lanes: &Lanes<'_>, touches: &mut Vec<Touch>) {
        let nodes = &self.kernel.tables.nodes;
        for id in nodes.post_order(&statement.nodes(), |_| false) {
            if let Node::Load { array, index } = nodes.node(id) {
                self.touch(array, Access::Read, index, lanes, touches);
            }
        }
    }

    fn touch(
        &self,
        array: ArrayId,
        access: Access,
        index: NodeId,
        lanes: &Lanes<'_>,
        touches: &mut Vec<Touch>,
    ) {
        let key = (array, access);
        let at = touches.iter().position(|(known, _)| *known == key);
        let owners = match at {
            Some(at) => touches.get_mut(at).map(|(_, owners)| owners),
            None => self.owners(array).map(|owners| {
                touches.push((key, owners));
                let last = touches.len() - 1;
                &mut touches[last].1
            }),
        };
        let Some(owners) = owners else { return };
        match lanes
            .value(index)
            .filter(|_| !self.graph.memory.is_buffer(array))
        {
            Some(index) => owners.access(lanes, &index),
            None => owners.access_any(lanes),
        }
    }

    /// An empty table for an array that can be in conflict with another one.
    fn owners(&self, id: ArrayId) -> Option<Owners> {
        if self.graph.memory.is_buffer(id) {
            return Some(Owners::of_buffer());
        }
        let (start, end) = self.graph.memory.bytes(id)?;
        let (array, slot) = (self.kernel.tables.array(id), self.shared.slots.get(&id)?);
        let length = self.kernel.tables.stored_length(array);
        Some(Owners::nobody(
            [start, end],
            array.ty.bytes(),
            slot.stride,
            length,
        ))
    }
}
