//! The graph of an array program while its function runs, and how elements are found in it.
//!
//! The function of the user runs several times: once to learn which extents must be equal, once to plan, and once in
//! the build of each kernel, as device values live only there. It makes the same nodes each time, in the same order; so the
//! number of a node means the same in all of them.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use crate::hashed::{HashMap, HashSet};

use super::any::{AnyElement, MOST_AXES};
use super::claims::Claim;
use super::index::Index;
use super::item::{Item, leaves, types};
use super::lifted::{self, Axis, Lifting};
use super::local::{self, Locals, is_local};
use crate::array::Storable;
use crate::error::Origin;
use crate::ir::AtomicOp;
use crate::ordered::{Map, Set};
use crate::program::{Action, ahead, bound_any, is_open, scope};
use crate::scalar::{AnyExp, ArrayId, Exp, Literal, NodeId, Scalar, ScalarType, VariableKind};

/// The number of a node, by the order in which the user's function makes them.
pub type NodeNumber = usize;

/// What one array of the program is.
#[derive(Clone)]
pub struct Node {
    /// The operation, as the user calls it.
    pub operator: &'static str,
    pub extents: Vec<Exp<u32>>,
    pub types: Vec<ScalarType>,
    pub kind: Kind,
    /// The axes of functions of elements that its first extents are of: see [`Lifting`].
    pub lifted: Vec<Axis>,
    /// The node that it has the elements of, at the same indices, if it is one seen along a lifted axis.
    pub same_as: Option<NodeNumber>,
    /// Where the user made it.
    pub origin: Origin,
    /// An element, wherever it comes from.
    pub element: Rc<dyn Fn(&Index) -> AnyElement>,
}

/// How a node's elements come about.
#[derive(Clone)]
pub enum Kind {
    /// An array that is given.
    Input,
    /// An array that stands in the program.
    Literal(Rc<[Literal]>),
    /// By a function of the index.
    Delayed {
        /// Is it never stored?
        inline: bool,
    },
    /// As those of a delayed one, but stored: `compute`.
    Stored,
    /// By folding rows.
    Fold(Rc<Fold>),
    /// By combining, for each element, those before it in its row.
    Scan(Rc<Fold>, Order),
    /// What a scan makes of a whole row.
    Total(NodeNumber),
    /// The place of each element of `digits` when they are put in order, equal ones as they are.
    Place {
        /// The digits.
        digits: NodeNumber,
        /// How often there is each digit, for some passes one behind the other.
        counts: NodeNumber,
        /// Which of the passes it is.
        pass: u32,
        /// The digit of an element that is put in order, in one of the passes.
        digit: DigitOf,
    },
    /// An array in which elements of a source have been combined with what was there.
    Permute(Rc<Permuted>),
    /// An array at the beginning of each iteration of a loop, in memory: by the number of the control.
    State(usize),
    /// An array that a control gives: by its number.
    Outcome(usize),
    /// Elements of a source, each at a place of its own.
    Scatter {
        /// Its elements are whether one is there, its place, and the element.
        source: NodeNumber,
        /// The node of the places, if they are those of an order: then all are there.
        order: Option<NodeNumber>,
    },
}

impl Kind {
    /// The fold of a fold or a scan.
    #[doc(hidden)]
    pub fn fold(&self) -> Option<&Rc<Fold>> {
        match self {
            Kind::Fold(fold) | Kind::Scan(fold, _) => Some(fold),
            _ => None,
        }
    }

    /// Are its elements never computed one by one?
    #[doc(hidden)]
    pub fn is_ready(&self) -> bool {
        !matches!(self, Kind::Delayed { .. } | Kind::Stored)
    }
}

/// What runs a part of a program several times, or one of two parts.
#[derive(Clone)]
pub enum Control {
    /// A loop whose number of iterations is known when it begins.
    Repeat {
        /// How often.
        times: Exp<u32>,
        /// The loop state.
        round: Round,
    },
    /// A loop that goes on while a condition, its first part, holds.
    While {
        /// The condition.
        condition: NodeNumber,
        /// The loop state.
        round: Round,
    },
    /// The first part where a condition holds, and otherwise the second.
    If {
        /// The condition.
        condition: NodeNumber,
        /// The nodes that each part makes, by their numbers, and what it gives.
        parts: [(Range<NodeNumber>, Vec<NodeNumber>); 2],
    },
}

/// An extent of the state of a loop: the number of the control, of the array in its state, and of the axis that the loop sees.
pub type StateExtent = (usize, usize, usize);

/// The arrays of a loop, in order.
#[derive(Clone)]
pub struct Round {
    /// Those before the first iteration.
    pub initial: Vec<NodeNumber>,
    /// Those at the beginning of an iteration: [`Kind::State`].
    pub states: Vec<NodeNumber>,
    /// Those at the end of an iteration.
    pub next: Vec<NodeNumber>,
}

impl Control {
    /// The arrays that have to be in memory for it.
    #[doc(hidden)]
    pub fn needs(&self) -> Vec<NodeNumber> {
        match self {
            Control::Repeat { round, .. } => [&round.initial[..], &round.next].concat(),
            Control::While { condition, round } => {
                [&[*condition], &round.initial[..], &round.next].concat()
            }
            Control::If { condition, parts } => {
                [&[*condition], &parts[0].1[..], &parts[1].1].concat()
            }
        }
    }
}

/// What makes the digit of a pass of an element.
pub type DigitOf = Rc<dyn Fn(&AnyElement, Exp<u32>) -> Exp<u32>>;

/// A sort, as one block does it of few elements. The nodes of its passes are for more of them.
pub struct Sorted {
    /// The nodes of the passes, and of what is counted before.
    pub nodes: Range<NodeNumber>,
    /// The elements.
    pub source: NodeNumber,
    /// What makes digits of the parts of their keys, the least significant part first, and how many digits it has.
    pub parts: Vec<(DigitOf, u32)>,
    /// How many elements are few.
    pub few: u32,
    /// The node of the result.
    pub result: NodeNumber,
}

/// Elements that are combined with those of another array, at places that they tell themselves.
pub struct Permuted {
    /// Whether an element is there, its place, and the element; or digits that are counted.
    pub source: NodeNumber,
    /// Are digits counted? Then the components of an element are digits, each of a pass of a sort, and `changed` has the counts of the passes, one
    /// behind the other.
    pub counts: bool,
    /// The array that changes, which is stored for that and nothing else.
    pub changed: NodeNumber,
    /// How each component is combined.
    pub operations: Vec<AtomicOp>,
    /// Where the user asks for it.
    pub origin: Origin,
}

/// How a scan goes over a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// Does an element stand in its own result?
    pub inclusive: bool,
    /// From the last element to the first?
    pub backwards: bool,
    /// Elements of a thread in each round: fewer of long ones, as a block stores all of them.
    pub items: u32,
    /// Are elements combined one after the other, by a thread a row?
    pub in_order: bool,
}

impl Order {
    /// The order of a scan of elements of some types.
    pub(super) fn of(types: &[ScalarType], inclusive: bool, backwards: bool) -> Self {
        Order {
            inclusive,
            backwards,
            items: (32 / stored_bytes(types)).max(1),
            in_order: false,
        }
    }

    /// The order of a scan of any function, itself included.
    pub(super) fn in_order() -> Self {
        Order {
            in_order: true,
            inclusive: true,
            backwards: false,
            items: 1,
        }
    }
}

/// The bytes of an element in the memory of a block.
pub fn stored_bytes(types: &[ScalarType]) -> u32 {
    types.iter().map(|ty| ty.bytes().max(4)).sum::<u32>().max(1)
}

/// A fold of the rows of another node, or of the beginnings of its rows.
pub struct Fold {
    pub source: NodeNumber,
    pub operator: Operator,
    /// What stands in front of the first element, if there is anything.
    pub initial: Option<AnyElement>,
    /// A neutral element of an operator that gives the same in any order, if who makes the fold knows that.
    pub neutral: Option<AnyElement>,
}

/// Combines two elements.
pub type Operator = Rc<dyn Fn(&AnyElement, &AnyElement) -> AnyElement>;

/// One evaluation of an element, as planning sees it.
#[derive(Clone)]
pub struct Use {
    pub node: NodeNumber,
    pub index: Vec<NodeId>,
    /// The same index, to ask for other elements at it.
    pub at: Index,
    /// Is the element there already, in memory or as the result of a fold?
    pub ready: bool,
    /// In how many loops inside of an element.
    pub depth: usize,
}

/// Which of the indices that an array program makes are vouched for, and not proved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Vouched {
    /// None.
    #[default]
    Nothing,
    /// Those that it reads at.
    Reads,
    /// Those that it writes at, too.
    All,
}

/// The graph, and what is known about it where it is used.
#[derive(Default)]
pub struct Graph {
    /// Tells the runs of functions apart: an array of one run means nothing in another one.
    pub run: u64,
    pub nodes: Vec<Rc<Node>>,
    pub claims: Vec<Claim>,
    /// The nodes whose elements are in memory, as arrays of the kernel.
    pub arrays: Map<NodeNumber, Vec<ArrayId>>,
    /// While it is planned: the nodes whose elements are ready, and all uses.
    pub planned: Option<Planned>,
    /// Elements that are known, by node and index, with the scope that they are bound in.
    pub values: HashMap<(NodeNumber, Vec<NodeId>), (u64, Rc<dyn Any>)>,
    /// Coordinates that are below an extent.
    pub below: HashSet<(NodeId, NodeId)>,
    /// Which indices of memory are vouched for?
    pub vouched: Vouched,
    /// Has an index of the user's been guarded?
    pub guarded: bool,
    /// Nodes that have to be stored, and why.
    pub must_store: Map<NodeNumber, &'static str>,
    /// How many elements are being computed, each for the one before.
    pub nested: usize,
    /// Does the user's function run, outside of functions of elements? Only then are arrays made.
    pub describing: bool,
    /// The vectors of constants in memory that functions of elements make.
    pub constants: HashMap<Rc<[Literal]>, NodeNumber>,
    /// Those that are not there yet.
    pub wanted: Vec<Rc<[Literal]>>,
    /// May there be such?
    pub may_want: bool,
    /// How many elements have been asked for.
    pub asked: u64,
    /// Is only the shape of an element asked for? Then those of other nodes are not computed.
    pub shape_only: bool,
    /// Has a function of the index been asked for an index that may be outside?
    pub unchecked_leaf: bool,
    /// The sorts.
    pub sorts: Vec<Rc<Sorted>>,
    /// The controls, by the order in which they begin: none while it is described.
    pub controls: Vec<Option<Control>>,
    /// The numbers that only a run knows, and the nodes that have to be there before: the totals that they are read from, and the arrays of loops of
    /// which they are the changing extents.
    pub reads: Vec<(NodeNumber, Exp<u32>)>,
    /// The numbers of the next ones, as far as they are made ready.
    pub ready_numbers: VecDeque<AnyExp>,
    /// The extents of loop states that iterations change.
    pub changing: Set<StateExtent>,
    /// Those that have been seen to change, and are not known yet.
    pub seen_to_change: Set<StateExtent>,
    /// The numbers that they are, by their places in `reads`: at the beginning of an iteration, and behind the loop; with how many axes the loop sees.
    pub changing_numbers: Map<StateExtent, ([Option<usize>; 2], usize)>,
    /// While it is planned: the expressions of what has been evaluated.
    pub named: Vec<NodeId>,
    /// The arrays that functions of elements make.
    pub locals: Locals,
    /// The axes along which functions of elements run.
    pub lifting: Lifting,
    /// The arrays that are beside chunks: see `by_rows` of the compiler.
    pub beside: Set<NodeNumber>,
    /// The extents that are the number of elements of a chunk.
    pub counted: Set<NodeId>,
}

/// How many operations are composed before one is stored: each takes some of the stack while a kernel is built.
pub const DEEPEST: usize = 100;

/// What planning knows and learns.
#[derive(Default)]
pub struct Planned {
    /// Nodes whose elements are ready.
    pub ready: Rc<Set<NodeNumber>>,
    /// The node that is evaluated, which is not.
    pub evaluated: Option<NodeNumber>,
    /// A node that is looked at alone: all others are ready.
    pub alone: Option<NodeNumber>,
    /// The elements that others have been taken for, while nodes are looked at alone: one at one index is one value.
    pub taken: HashMap<(NodeNumber, Vec<NodeId>), Rc<dyn Any>>,
    /// What bounds an evaluation, if something does.
    pub most: Option<Most>,
    pub uses: Vec<Use>,
    /// The number of open scopes of the skeleton.
    pub base: usize,
}

/// The bounds of an evaluation. Once it is over, all elements are ready.
pub struct Most {
    /// Elements that may still be computed.
    pub left: u32,
    /// Nodes whose elements end it.
    pub heavy: Rc<Set<NodeNumber>>,
    /// Is it over?
    pub is_over: bool,
}

impl Most {
    /// Notes that an element of a node is to be computed. Gives whether that is too much.
    fn ends_at(&mut self, number: NodeNumber) -> bool {
        self.is_over |= self.left == 0 || self.heavy.contains(&number);
        self.left = self.left.saturating_sub(1);
        self.is_over
    }
}

impl Planned {
    /// From now on a node is looked at alone, in a scope that follows `base` others.
    #[doc(hidden)]
    pub fn look_at_alone(&mut self, number: NodeNumber, base: usize) {
        self.alone = Some(number);
        self.base = base;
    }

    /// From now on a node is evaluated where others are ready, in a scope that follows `base` others.
    #[doc(hidden)]
    pub fn evaluate(&mut self, number: NodeNumber, ready: Rc<Set<NodeNumber>>, base: usize) {
        self.alone = None;
        self.most = None;
        self.evaluated = Some(number);
        self.ready = ready;
        self.base = base;
    }

    /// Is an element of a node ready?
    fn is_ready(&mut self, number: NodeNumber) -> bool {
        match self.alone {
            Some(alone) => alone != number,
            None => {
                let most = &mut self.most;
                let is_given = self.evaluated != Some(number) && self.ready.contains(&number);
                is_given || most.as_mut().is_some_and(|most| most.ends_at(number))
            }
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Graph>> = const { RefCell::new(None) };
    static RUNS: Cell<u64> = const { Cell::new(0) };
    static ELEMENTS: Cell<u64> = const { Cell::new(0) };
}

/// Works on the graph of the program that is being built, if one is. `f` must not come back here.
pub fn graph<R>(f: impl FnOnce(&mut Graph) -> R) -> Option<R> {
    CURRENT.with_borrow_mut(|current| current.as_mut().map(f))
}

/// Runs `f` as if no program was being built.
pub fn aside<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(Option<Graph>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _restore = Restore(CURRENT.take());
    f()
}

/// Runs `f` over a graph, and gives the graph back.
pub fn within<R>(mut own: Graph, f: impl FnOnce() -> R) -> (R, Graph) {
    own.run = RUNS.get() + 1;
    RUNS.set(own.run);
    /// Puts the graph around back on every way out.
    struct Restore(Option<Graph>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let restore = Restore(CURRENT.replace(Some(own)));
    let result = f();
    let own = CURRENT.take().unwrap_or_default();
    drop(restore);
    (result, own)
}

/// A node, and the typed function of its elements.
pub struct Made<T> {
    pub number: NodeNumber,
    pub element: Rc<dyn Fn(&Index) -> T>,
    /// How many axes of the node are not seen.
    pub hidden: usize,
}

/// Adds a node; `compute` gives its elements where they are not ready.
#[track_caller]
pub fn add<T: Item>(
    operator: &'static str,
    extents: Vec<Exp<u32>>,
    kind: Kind,
    compute: impl Fn(&Index) -> T + 'static,
) -> Made<T> {
    add_any(operator, extents, kind, Rc::new(compute))
}

/// The same for any function: rustc makes it once for a type, and not for each operator.
#[track_caller]
fn add_any<T: Item>(
    operator: &'static str,
    extents: Vec<Exp<u32>>,
    kind: Kind,
    compute: Rc<dyn Fn(&Index) -> T>,
) -> Made<T> {
    let (number, run) = announced(operator, &extents, &kind);
    let compute = where_asserted(compute);
    let like = {
        let (compute, rank) = (compute.clone(), extents.len());
        move || {
            let index = Index::fresh(rank);
            shape_of(|| compute(&index))
        }
    };
    let lifted = lifted_axes(operator, &kind, &|| drop(like()));
    let like = T::like(&like);
    let types = types(&leaves(&like));
    let compute = seeing(lifted.clone(), compute);
    let element = element_of((number, run), like, types.clone(), compute);
    let erased = element.clone();
    let node = Node {
        operator,
        extents: lifted::with_axes(&lifted, extents),
        types,
        kind,
        lifted: lifted.clone(),
        same_as: None,
        origin: crate::scalar::here(),
        element: Rc::new(move |index| AnyElement(leaves(&erased(index)))),
    };
    graph(|graph| match is_local(number) {
        true => graph.locals.add(number, node),
        false => graph.nodes.push(Rc::new(node)),
    });
    Made {
        number,
        hidden: lifted.len(),
        element: seen(lifted, element),
    }
}

/// A function of elements that sees what is behind its first axes, as one that sees all.
fn seeing<T: 'static>(
    lifted: Vec<Axis>,
    compute: Rc<dyn Fn(&Index) -> T>,
) -> Rc<dyn Fn(&Index) -> T> {
    match lifted.is_empty() {
        true => compute,
        false => Rc::new(move |whole| lifted::split(&lifted, whole, |index| compute(index))),
    }
}

/// The elements of a node at an index that is seen.
fn seen<T: 'static>(
    lifted: Vec<Axis>,
    element: Rc<dyn Fn(&Index) -> T>,
) -> Rc<dyn Fn(&Index) -> T> {
    match lifted.is_empty() {
        true => element,
        false => Rc::new(move |index| lifted::joined(&lifted, index, |whole| element(whole))),
    }
}

/// The axes that a node has besides those that its maker sees. `compute` asks for one of its elements.
#[track_caller]
fn lifted_axes(operator: &'static str, kind: &Kind, compute: &dyn Fn()) -> Vec<Axis> {
    if !is_describing() {
        // What asks for its elements depends on what they depend on.
        if lifted::is_asking() {
            compute();
        }
        return Vec::new();
    }
    if lifted::open_axes().is_empty() {
        return Vec::new();
    }
    if let Some(fold) = kind.fold() {
        let source = graph(|graph| graph.node(fold.source)).flatten();
        let types = source.map(|source| source.types.clone());
        let of_any = || fresh(types.as_deref().unwrap_or_default());
        let asked = lifted::asks(|| shape_of(|| (fold.operator)(&of_any(), &of_any())));
        lifted::cannot_lift_operator(operator, &asked);
    }
    let asked = match kind.is_ready() {
        true => Vec::new(),
        false => lifted::asks(compute),
    };
    lifted::axes_for(operator, kind, asked)
}

/// The function of the elements of a node of a run.
fn element_of<T: Item>(
    (number, run): (NodeNumber, u64),
    like: T,
    types: Vec<ScalarType>,
    compute: Rc<dyn Fn(&Index) -> T>,
) -> Rc<dyn Fn(&Index) -> T> {
    Rc::new(move |index: &Index| {
        if !is_of_this_run(run) {
            return like.clone();
        }
        element(number, index, &like, &types, &*compute)
    })
}

/// A vector of constants in memory. One that a function of elements makes is an array of the program, which stands in front of all others: where it is
/// met for the first time, it is wanted, and the program is described anew.
#[track_caller]
pub fn constants<T: Scalar>(
    operator: &'static str,
    extents: Vec<Exp<u32>>,
    elements: Rc<[Literal]>,
) -> Made<Exp<T>> {
    if is_describing() {
        return add(operator, extents, Kind::Literal(elements), |_| {
            Exp::poison()
        });
    }
    let known = |graph: &mut Graph| Some((*graph.constants.get(&elements)?, graph.run));
    if let Some(known) = graph(known).flatten() {
        let poison: Rc<dyn Fn(&Index) -> Exp<T>> = Rc::new(|_| Exp::poison());
        let element = element_of(known, Exp::poison(), vec![T::TYPE], poison);
        let number = known.0;
        return Made {
            number,
            element,
            hidden: 0,
        };
    }
    if graph(|graph| graph.may_want) == Some(false) {
        has_to_be_stored(operator);
    }
    graph(|graph| graph.wanted.push(elements));
    // Any values stand for its elements until then.
    let kind = Kind::Delayed { inline: true };
    add(operator, extents, kind, |_| {
        AnyExp::typed(bound_any(None, T::TYPE, VariableKind::Let).1).unwrap_or_else(Exp::poison)
    })
}

/// Adds a vector of constants that functions of elements make.
pub fn add_constants(elements: &Rc<[Literal]>) {
    let length = crate::scalar::lit(u32::try_from(elements.len()).unwrap_or(u32::MAX));
    let ty = elements
        .first()
        .map_or(ScalarType::U32, |element| element.ty());
    let kind = Kind::Literal(elements.clone());
    let made = add("literal", vec![length], kind, move |_| {
        AnyElement(vec![AnyExp::poison(ty)])
    });
    graph(|graph| graph.constants.insert(elements.clone(), made.number));
}

/// The function of the elements of the array that is made now, which are read where what has been asserted of it holds.
fn where_asserted<T: Item>(compute: Rc<dyn Fn(&Index) -> T>) -> Rc<dyn Fn(&Index) -> T> {
    match local::asserted() {
        None => compute,
        Some(condition) => Rc::new(move |index: &Index| compute(&index.clone().guarded(condition))),
    }
}

// What functions of any type do besides is done by functions of no types: rustc makes them once, and not for each type.

/// The number that the next node will have, and the run of its program. Reports the operator where its arrays are not made.
#[track_caller]
fn announced(operator: &'static str, extents: &[Exp<u32>], kind: &Kind) -> (NodeNumber, u64) {
    let axes = extents.len() + lifted::open_axes().len();
    if axes > MOST_AXES {
        let wrong = crate::error::catalogue::too_many_axes(operator, axes);
        crate::scalar::report(wrong);
    }
    // A launch refuses what it computes beyond 32 bits, but not products of numbers, which are numbers.
    let known: Vec<u32> = extents.iter().filter_map(|e| e.as_literal()).collect();
    let product = known
        .iter()
        .try_fold(1u32, |n, extent| n.checked_mul(*extent));
    if product.is_none() && !known.contains(&0) {
        crate::scalar::report(crate::error::catalogue::too_many_elements());
    }
    let is_here = !is_describing();
    if kind.is_ready() {
        has_to_be_stored(operator);
    }
    let number = |graph: &mut Graph| match is_here {
        true => graph.locals.number(),
        false => graph.nodes.len(),
    };
    graph(|graph| (number(graph), graph.run)).unwrap_or((0, 0))
}

/// Reports an operator whose array would have to be stored, where a function of elements makes it.
#[track_caller]
pub fn has_to_be_stored(operator: &'static str) {
    if !is_describing() && !crate::scalar::failed() {
        crate::scalar::report(crate::error::catalogue::array_of_an_element(operator));
    }
}

/// Is an array of this run asked, as it should be? If not, that is reported.
fn is_of_this_run(run: u64) -> bool {
    let so = graph(|graph| graph.run) == Some(run);
    if !so {
        crate::scalar::report(crate::error::catalogue::stale_array());
    }
    so
}

fn replace_shape_only(to: bool) -> bool {
    graph(|graph| std::mem::replace(&mut graph.shape_only, to)).unwrap_or(false)
}

fn replace_describing(to: bool) -> bool {
    graph(|graph| std::mem::replace(&mut graph.describing, to)).unwrap_or(false)
}

/// How many uses planning has seen so far.
fn uses_so_far() -> Option<usize> {
    graph(|graph| graph.planned.as_ref().map(|planned| planned.uses.len())).flatten()
}

/// Forgets the uses that planning has seen since.
fn forget_uses(before: usize) {
    graph(|graph| {
        let planned = graph.planned.iter_mut();
        planned.for_each(|planned| planned.uses.truncate(before));
    });
}

/// Asks for an element, and learns where it comes from.
fn asked_for(number: NodeNumber, index: &Index, key: &[NodeId]) -> Option<Source> {
    ELEMENTS.set(ELEMENTS.get() + 1);
    graph(|graph| {
        graph.asked += 1;
        graph.source(number, index, key)
    })
}

/// Notes the value that an element is taken for, if a node is looked at alone.
fn take_for(number: NodeNumber, key: &[NodeId], value: Rc<dyn Any>) {
    graph(|graph| {
        let planned = graph.planned.as_mut();
        if let Some(planned) = planned.filter(|planned| planned.alone.is_some()) {
            planned.taken.insert((number, key.to_vec()), value);
        }
    });
}

fn nest() {
    graph(|graph| graph.nested += 1);
}

fn leave() {
    graph(|graph| graph.nested -= 1);
}

/// The number that a total is, which is read from memory while the program runs.
#[track_caller]
pub fn read_number(operator: &'static str, total: NodeNumber) -> Exp<u32> {
    lifted::cannot_lift(operator, &lifted::axes_of(total));
    let number = next_number();
    graph(|graph| graph.reads.push((total, number)));
    number
}

/// The next of the numbers that only a run knows.
fn next_number() -> Exp<u32> {
    let ready = graph(|graph| graph.ready_numbers.pop_front()).flatten();
    ready.and_then(AnyExp::typed).unwrap_or_else(|| {
        let kind = VariableKind::Argument;
        let (_, value) = bound_any(Some("length"), ScalarType::U32, kind);
        value.typed().unwrap_or_else(Exp::poison)
    })
}

/// The extents of an array of the state of a loop, of which iterations change some, with these.
pub fn changing_extents(
    (control, array): (usize, usize),
    extents: &mut [Exp<u32>],
) -> Vec<(StateExtent, Exp<u32>)> {
    let changing = graph(|graph| graph.changing.clone()).unwrap_or_default();
    let mut all = Vec::new();
    for (axis, extent) in extents.iter_mut().enumerate() {
        let own = (control, array, axis);
        if changing.contains(&own) {
            *extent = next_number();
            all.push((own, *extent));
        }
    }
    all
}

/// Notes which array has extents that iterations change: that of a state, or what the loop gives.
pub fn has_changing(
    array: NodeNumber,
    extents: Vec<(StateExtent, Exp<u32>)>,
    (rank, is_outcome): (usize, bool),
) {
    graph(|graph| {
        for (own, number) in extents {
            let place = graph.reads.len();
            graph.reads.push((array, number));
            let (known, of) = graph.changing_numbers.entry(own).or_default();
            known[usize::from(is_outcome)] = Some(place);
            *of = rank;
        }
    });
}

/// Runs `f` only for the shape of its result: nothing of what it does is kept.
pub fn silently<R>(f: impl FnOnce() -> R) -> R {
    let before = uses_so_far();
    let (result, _) = ahead(f);
    before.into_iter().for_each(forget_uses);
    result
}

/// Runs `f` for the shape of its result alone: elements of other nodes are not computed, but any values of their types.
pub fn shape_of<R>(f: impl FnOnce() -> R) -> R {
    let before = replace_shape_only(true);
    let (result, _) = ahead(|| in_an_element(f));
    replace_shape_only(before);
    result
}

/// Runs a function of elements, whose arrays are its own.
pub fn in_an_element<R>(f: impl FnOnce() -> R) -> R {
    let before = replace_describing(false);
    local::enter();
    let result = f();
    local::leave();
    replace_describing(before);
    result
}

/// Does the user's function run, outside of functions of elements?
pub fn is_describing() -> bool {
    graph(|graph| graph.describing).unwrap_or(false)
}

/// Where an element comes from.
enum Source {
    Memory(Vec<ArrayId>),
    /// It is there, and planning does not look at where.
    Ready,
    Known(Rc<dyn Any>),
    /// Only its shape is asked for.
    Unknown,
    /// An array of an element that is computed from too many others.
    TooMuch,
    Computed,
}

fn element<T: Item>(
    number: NodeNumber,
    index: &Index,
    like: &T,
    types: &[ScalarType],
    compute: &dyn Fn(&Index) -> T,
) -> T {
    let key = index.key();
    let rebuilt = |fields: AnyElement| like.rebuild(&mut fields.0.into_iter());
    match asked_for(number, index, &key) {
        Some(Source::Memory(arrays)) => {
            let handle: Vec<_> = arrays.into_iter().zip(types.iter().copied()).collect();
            rebuilt(AnyElement::load(&handle, index.in_memory(number)))
        }
        Some(Source::Known(value)) => match value.downcast::<T>() {
            Ok(value) => (*value).clone(),
            Err(value) => match value.downcast::<AnyElement>() {
                Ok(fields) => rebuilt((*fields).clone()),
                Err(_) => T::poison(),
            },
        },
        Some(Source::Ready) => {
            let value = rebuilt(fresh(types));
            take_for(number, &key, Rc::new(value.clone()));
            keep(number, key, 0, value.clone());
            value
        }
        Some(Source::Unknown) => rebuilt(fresh(types)),
        Some(Source::TooMuch) => {
            if !crate::scalar::failed() {
                crate::scalar::report(crate::error::catalogue::element_too_large());
            }
            T::poison()
        }
        Some(Source::Computed) | None => {
            nest();
            let value = local::at(index, || in_an_element(|| compute(index)));
            leave();
            // What a loop has computed is bound in its scope.
            keep(number, key, scope(), value.clone());
            value
        }
    }
}

/// Values of some types of which nothing else is known.
pub fn fresh(types: &[ScalarType]) -> AnyElement {
    let one = |ty: &ScalarType| bound_any(None, *ty, VariableKind::Let).1;
    AnyElement(types.iter().map(one).collect())
}

/// How many elements all programs that this thread has built have asked for: a measure of the work of planning and building.
#[doc(hidden)]
pub fn elements_asked_for() -> u64 {
    ELEMENTS.get()
}

/// How many elements have been asked for in this run.
pub fn asked() -> u64 {
    graph(|graph| graph.asked).unwrap_or(0)
}

/// Notes the value of an element at an index.
pub fn keep<T: 'static>(number: NodeNumber, key: Vec<NodeId>, scope: u64, value: T) {
    keep_any(number, key, scope, Rc::new(value));
}

fn keep_any(number: NodeNumber, key: Vec<NodeId>, scope: u64, value: Rc<dyn Any>) {
    graph(|graph| graph.values.insert((number, key), (scope, value)));
}

impl Graph {
    fn source(&mut self, number: NodeNumber, index: &Index, key: &[NodeId]) -> Source {
        if self.shape_only {
            return Source::Unknown;
        }
        let known = self.values.get(&(number, key.to_vec()));
        let known = known.filter(|(scope, _)| is_open(*scope));
        if let Some((_, value)) = known {
            return Source::Known(value.clone());
        }
        if is_local(number) {
            return match self.locals.is_too_much(self.nested) {
                true => Source::TooMuch,
                false => Source::Computed,
            };
        }
        if let Some(planned) = &mut self.planned {
            let mut ready = planned.is_ready(number);
            let node = self.nodes.get(number);
            let may_store =
                node.is_some_and(|node| matches!(node.kind, Kind::Delayed { inline: false }));
            if !ready && may_store && self.nested >= DEEPEST {
                self.must_store
                    .insert(number, "the operations behind it are many");
                ready = true;
            }
            planned.uses.push(Use {
                node: number,
                index: key.to_vec(),
                at: index.clone(),
                ready,
                depth: crate::program::open_scopes().saturating_sub(planned.base),
            });
            if ready {
                let taken = planned
                    .alone
                    .and(planned.taken.get(&(number, key.to_vec())));
                return taken.cloned().map_or(Source::Ready, Source::Known);
            }
        }
        match self.arrays.get(&number) {
            Some(arrays) => Source::Memory(arrays.clone()),
            None => Source::Computed,
        }
    }

    /// The uses that planning has seen, and no more of them; what is known of elements is forgotten.
    #[doc(hidden)]
    pub fn take_uses(&mut self) -> Vec<Use> {
        self.values.clear();
        let planned = self.planned.as_mut();
        planned.map_or_else(Vec::new, |planned| std::mem::take(&mut planned.uses))
    }

    /// A node by its number.
    #[doc(hidden)]
    pub fn node(&self, number: NodeNumber) -> Option<Rc<Node>> {
        match is_local(number) {
            true => self.locals.node(number),
            false => self.nodes.get(number).cloned(),
        }
    }
}

/// Keeps an array whose elements are computed one by one from being stored.
pub fn never_store(number: NodeNumber) {
    graph(|graph| {
        let node = graph.nodes.get_mut(number);
        if let Some(node) = node.filter(|node| matches!(node.kind, Kind::Delayed { .. })) {
            let kind = Kind::Delayed { inline: true };
            *node = Rc::new(Node {
                kind,
                ..Node::clone(node)
            });
        }
    });
}

/// Notes that coordinates are below extents, because the loops around have them so.
pub fn note_below(coordinates: &[Exp<u32>], extents: &[Exp<u32>]) {
    let pairs: Vec<_> = coordinates
        .iter()
        .zip(extents)
        .map(|(coordinate, extent)| (coordinate.node(), extent.node()))
        .collect();
    graph(|graph| graph.below.extend(pairs));
}

/// Runs `f` where a coordinate is below an extent.
pub fn where_below<R>(coordinate: Exp<u32>, extent: Exp<u32>, f: impl FnOnce() -> R) -> R {
    let pair = (coordinate.node(), extent.node());
    let is_new = graph(|graph| graph.below.insert(pair)).unwrap_or(false);
    let result = f();
    if is_new {
        graph(|graph| graph.below.remove(&pair));
    }
    result
}

/// Is a coordinate known to be below an extent?
pub fn is_below(coordinate: Exp<u32>, extent: Exp<u32>) -> bool {
    match (coordinate.as_literal(), extent.as_literal()) {
        (Some(coordinate), Some(extent)) => coordinate < extent,
        _ => {
            let pair = (coordinate.node(), extent.node());
            graph(|graph| graph.below.contains(&pair)).unwrap_or(false)
        }
    }
}

/// The extents of a node.
pub fn extents_of(number: NodeNumber) -> Vec<Exp<u32>> {
    let extents = graph(|graph| graph.node(number).map(|node| node.extents.clone()));
    extents.flatten().unwrap_or_default()
}

/// The node whose extents say for how many elements of a node there is room.
pub fn room_for(number: NodeNumber) -> NodeNumber {
    match graph(|graph| graph.node(number)).flatten() {
        Some(node) => match node.kind {
            Kind::Scatter { source, .. } => source,
            _ => number,
        },
        None => number,
    }
}

/// The expressions of actions, those inside of loops and conditions too.
pub fn nodes_of(actions: &[Action], nodes: &mut Vec<NodeId>) {
    for action in actions {
        nodes.extend(action.nodes());
        action
            .lists()
            .into_iter()
            .for_each(|list| nodes_of(list, nodes));
    }
}
