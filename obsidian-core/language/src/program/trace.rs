//! The reified program: a tree of actions, and the trace that a running program writes.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::rc::Rc;

use super::Hierarchy;
use crate::error::Origin;
use crate::ir::Report;
use crate::ir::{AtomicOp, CollectiveOp, Layout, Level, Unroll};
use crate::scalar::{
    AnyExp, ArrayId, Exp, Node, NodeId, ScalarType, VariableId, VariableKind, session,
};

/// When the units of a loop run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// At any time.
    Any,
    /// In an order, so that one may ask for what those before it have. Then they are blocks.
    InOrder,
    /// When all blocks are done with what comes before it: it is one.
    Last,
}

/// One step of a program: the paper's `Program` constructors, with `Bind` said by the order of the
/// list.
#[derive(Clone, Debug)]
pub enum Action {
    /// Writes an element.
    Assign {
        /// The array.
        array: ArrayId,
        /// The element, `u32`.
        index: NodeId,
        /// Its value.
        value: NodeId,
        /// Where the user asked for it.
        origin: Origin,
    },
    /// Reads, changes and writes an element in one step.
    AtomicOp {
        /// The array.
        array: ArrayId,
        /// The element, `u32`.
        index: NodeId,
        /// What is done.
        op: AtomicOp,
        /// What it is done with.
        operands: Vec<NodeId>,
        /// Bound to the old value.
        result: Option<VariableId>,
        /// Where the user asked for it.
        origin: Origin,
    },
    /// Reads an element of a mutable array, now.
    Read {
        /// Bound to the element.
        variable: VariableId,
        /// The array.
        array: ArrayId,
        /// The element, `u32`.
        index: NodeId,
        /// Where the user asked for it.
        origin: Origin,
    },
    /// Begins a cell.
    Declare {
        /// The cell.
        cell: VariableId,
        /// Its first value.
        value: NodeId,
    },
    /// Changes a cell.
    AssignCell {
        /// The cell.
        cell: VariableId,
        /// Its new value.
        value: NodeId,
    },
    /// Names the present value of a cell.
    GetCell {
        /// Bound to the value.
        variable: VariableId,
        /// The cell.
        cell: VariableId,
    },
    /// One of two.
    Cond {
        /// A `bool`.
        condition: NodeId,
        /// If it is true.
        then: Vec<Action>,
        /// If it is false.
        otherwise: Vec<Action>,
    },
    /// Repeats `body` while `condition`, which `head` prepares, holds.
    SeqWhile {
        /// Executed before each test.
        head: Vec<Action>,
        /// A `bool`.
        condition: NodeId,
        /// Repeated.
        body: Vec<Action>,
    },
    /// Tells the user something.
    Report(Report),
    /// Leaves the innermost sequential loop.
    Break {
        /// Where the user asked for it.
        origin: Origin,
    },
    /// Iterations shared out over the threads of the level that the list is at.
    ForAll {
        /// Bound to 0, 1, ..
        counter: VariableId,
        /// The number of iterations, `u32`.
        count: NodeId,
        /// One iteration, by one thread.
        body: Vec<Action>,
    },
    /// Iterations handed out to the level below the one that the list is at.
    DistrPar {
        /// Bound to 0, 1, ..
        counter: VariableId,
        /// The number of iterations, `u32`.
        count: NodeId,
        /// When the units run.
        turn: Turn,
        /// One iteration, by one unit of the level below.
        body: Vec<Action>,
        /// Where the user asked for it.
        origin: Origin,
    },
    /// Iterations in order, at the level that the list is at.
    SeqFor {
        /// Bound to 0, 1, ..
        counter: VariableId,
        /// The number of iterations, `u32`.
        count: NodeId,
        /// One iteration.
        body: Vec<Action>,
    },
    /// What a program does, whose loops a compiler is to unroll.
    Unroll {
        /// How many rounds are written behind each other.
        unroll: Unroll,
        /// The program.
        body: Vec<Action>,
    },
    /// Begins an array.
    Allocate {
        /// The array.
        array: ArrayId,
        /// Where its elements are if the threads of a warp or a block hold them; `None` for shared memory.
        held: Option<Layout>,
        /// Where the user asked for it.
        origin: Origin,
    },
    /// The threads of the level that the list is at compute something together.
    Collective(Box<Combined>),
    /// The threads of the level wait for each other.
    Sync,
}

impl Action {
    /// The expressions of the action, without those of lists inside of it.
    #[doc(hidden)]
    pub fn nodes(&self) -> Vec<NodeId> {
        self.clone()
            .nodes_mut()
            .into_iter()
            .map(|node| *node)
            .collect()
    }

    /// The expressions of the action, to be replaced.
    pub(crate) fn nodes_mut(&mut self) -> Vec<&mut NodeId> {
        match self {
            Action::Assign { index, value, .. } => vec![index, value],
            Action::AtomicOp {
                index, operands, ..
            } => std::iter::once(index).chain(operands).collect(),
            Action::Read { index, .. } => vec![index],
            Action::Declare { value, .. } | Action::AssignCell { value, .. } => vec![value],
            Action::Cond { condition, .. } | Action::SeqWhile { condition, .. } => vec![condition],
            Action::ForAll { count, .. }
            | Action::DistrPar { count, .. }
            | Action::SeqFor { count, .. } => vec![count],
            Action::Collective(of) => {
                let lists = [&mut of.initial, &mut of.given, &mut of.combined];
                lists.into_iter().flatten().collect()
            }
            Action::Report(report) => report.values.iter_mut().collect(),
            Action::GetCell { .. }
            | Action::Break { .. }
            | Action::Unroll { .. }
            | Action::Allocate { .. }
            | Action::Sync => Vec::new(),
        }
    }

    /// The lists inside of the action.
    #[doc(hidden)]
    pub fn lists(&self) -> Vec<&Vec<Action>> {
        match self {
            Action::Cond {
                then, otherwise, ..
            } => vec![then, otherwise],
            Action::SeqWhile { head, body, .. } => vec![head, body],
            Action::ForAll { body, .. }
            | Action::DistrPar { body, .. }
            | Action::SeqFor { body, .. }
            | Action::Unroll { body, .. } => vec![body],
            Action::Collective(of) => vec![&of.body],
            _ => Vec::new(),
        }
    }

    /// The lists inside of the action, to be changed.
    pub(crate) fn lists_mut(&mut self) -> Vec<&mut Vec<Action>> {
        match self {
            Action::Cond {
                then, otherwise, ..
            } => vec![then, otherwise],
            Action::SeqWhile { head, body, .. } => vec![head, body],
            Action::ForAll { body, .. }
            | Action::DistrPar { body, .. }
            | Action::SeqFor { body, .. }
            | Action::Unroll { body, .. } => vec![body],
            Action::Collective(of) => vec![&mut of.body],
            _ => Vec::new(),
        }
    }
}

/// A reduction, scan, sort, count or rank: [`Collective`](crate::ir::Collective), whose elements and operator are expressions.
#[derive(Clone, Debug)]
pub struct Combined {
    /// What is computed.
    pub op: CollectiveOp,
    /// The initial value of an exclusive scan, by components; else empty.
    pub initial: Vec<NodeId>,
    /// The number of the element in `given`.
    pub counter: VariableId,
    /// The number of elements, a literal.
    pub count: NodeId,
    /// The components of an element.
    pub given: Vec<NodeId>,
    /// The left operand in `combined`, by components.
    pub left: Vec<VariableId>,
    /// The right operand in `combined`, by components.
    pub right: Vec<VariableId>,
    /// The two operands combined, by components; for a sort, whether the left one comes first.
    pub combined: Vec<NodeId>,
    /// The number of the result in `body`.
    pub element: VariableId,
    /// The number of results, a literal.
    pub results: NodeId,
    /// The result in `body`, by components.
    pub result: Vec<VariableId>,
    /// What one thread does with a result.
    pub body: Vec<Action>,
    /// Where the user asked for it.
    pub origin: Origin,
}

/// What a running program has written so far, at level `L`.
pub struct Trace<L> {
    actions: Vec<Action>,
    name: Option<Rc<str>>,
    level: Option<Level>,
    of: PhantomData<L>,
}

impl<L: Hierarchy> Default for Trace<L> {
    fn default() -> Self {
        Trace::new(None)
    }
}

impl<L: Hierarchy> Trace<L> {
    /// An empty trace; the level is needed where the type does not say it.
    pub fn new(level: Option<Level>) -> Self {
        Trace {
            actions: Vec::new(),
            name: None,
            level: L::LEVEL.or(level),
            of: PhantomData,
        }
    }

    /// The level, where it is known.
    pub fn level(&self) -> Option<Level> {
        self.level
    }

    /// Appends an action.
    pub fn push(&mut self, action: Action) {
        self.actions.extend(take_ahead());
        self.actions.push(action);
    }

    /// Appends the actions of another trace.
    pub fn splice(&mut self, actions: Vec<Action>) {
        self.actions.extend(take_ahead());
        self.actions.extend(actions);
    }

    /// What `f` writes into a trace of its own, which is no part of another one yet.
    #[doc(hidden)]
    pub fn apart<A>(level: Option<Level>, f: impl FnOnce(&mut Trace<L>) -> A) -> (A, Vec<Action>) {
        Trace::new(level).scoped(f)
    }

    /// What `f` adds to a trace that begins with this one.
    fn scoped<A>(mut self, f: impl FnOnce(&mut Self) -> A) -> (A, Vec<Action>) {
        let scope = Scope::open();
        let result = f(&mut self);
        self.actions.extend(scope.rest());
        (result, self.actions)
    }

    /// What `f` writes at its level, apart from this trace; names go on.
    pub fn nested<M: Hierarchy, A>(
        &self,
        level: Option<Level>,
        f: impl FnOnce(&mut Trace<M>) -> A,
    ) -> (A, Vec<Action>) {
        let inner = Trace {
            name: self.name.clone(),
            ..Trace::new(level)
        };
        inner.scoped(f)
    }

    /// The name for arrays that are stored now, as the user's `let` gives it.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Runs `f`, in which arrays are called `name`.
    pub(crate) fn named<A>(&mut self, name: &str, f: impl FnOnce(&mut Self) -> A) -> A {
        let before = self.name.replace(name.into());
        let result = f(self);
        self.name = before;
        result
    }

    /// Runs `f`, in which the level is known to be this one, if it has not been known before.
    pub(crate) fn stamped<A>(&mut self, level: Option<Level>, f: impl FnOnce(&mut Self) -> A) -> A {
        let before = self.level;
        self.level = before.or(level);
        let result = f(self);
        self.level = before;
        result
    }

    /// Goes on writing this trace under another type.
    pub(crate) fn at_level<M: Hierarchy, A>(&mut self, f: impl FnOnce(&mut Trace<M>) -> A) -> A {
        let mut same = Trace {
            actions: std::mem::take(&mut self.actions),
            name: self.name.take(),
            ..Trace::new(self.level)
        };
        let result = f(&mut same);
        (self.actions, self.name) = (same.actions, same.name);
        result
    }
}

thread_local! {
    /// Actions that a value needs, and that go in front of what is written next.
    static AHEAD: RefCell<Vec<Action>> = const { RefCell::new(Vec::new()) };
    /// The scopes that are open, the innermost last, by number.
    static SCOPES: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<u64> = const { Cell::new(1) };
}

/// Writes actions in front of what the innermost open trace writes next: for functions that give a value, and have no
/// trace at hand.
#[doc(hidden)]
pub fn write_ahead(actions: Vec<Action>) {
    AHEAD.with_borrow_mut(|ahead| ahead.extend(actions));
}

fn take_ahead() -> Vec<Action> {
    AHEAD.take()
}

/// Runs `f` in a scope of its own, and gives what it has written ahead and no trace has taken.
#[doc(hidden)]
pub fn ahead<A>(f: impl FnOnce() -> A) -> (A, Vec<Action>) {
    let scope = Scope::open();
    let result = f();
    (result, scope.rest())
}

/// An open scope, with what waited to be written when it was opened. It closes on every way out: a build that does too
/// much is left by unwinding.
struct Scope(Vec<Action>);

impl Scope {
    fn open() -> Scope {
        let number = NEXT.get();
        NEXT.set(number + 1);
        SCOPES.with_borrow_mut(|scopes| scopes.push(number));
        Scope(take_ahead())
    }

    /// Closes it, and gives what has been written ahead in it and no trace has taken.
    fn rest(self) -> Vec<Action> {
        take_ahead()
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        AHEAD.set(std::mem::take(&mut self.0));
        SCOPES.with_borrow_mut(Vec::pop);
    }
}

/// How many actions wait to be written.
#[doc(hidden)]
pub fn waiting() -> usize {
    AHEAD.with_borrow(Vec::len)
}

/// Runs a build that is no part of one around it: a closure may launch other kernels while its own is built. Nothing that waits to be written there is
/// written here, and no scope of it is open.
#[doc(hidden)]
pub fn on_its_own<A>(f: impl FnOnce() -> A) -> A {
    struct Restore(Vec<Action>, Vec<u64>);
    impl Drop for Restore {
        fn drop(&mut self) {
            AHEAD.set(std::mem::take(&mut self.0));
            SCOPES.set(std::mem::take(&mut self.1));
        }
    }
    let _restore = Restore(AHEAD.take(), SCOPES.take());
    crate::scalar::alone(f)
}

/// How many scopes are open.
#[doc(hidden)]
pub fn open_scopes() -> usize {
    SCOPES.with_borrow(Vec::len)
}

/// The number of the innermost open scope, or 0 outside of all.
#[doc(hidden)]
pub fn scope() -> u64 {
    SCOPES.with_borrow(|scopes| scopes.last().copied().unwrap_or(0))
}

/// Is a scope open, so that what was bound in it can be used?
#[doc(hidden)]
pub fn is_open(scope: u64) -> bool {
    scope == 0 || SCOPES.with_borrow(|scopes| scopes.contains(&scope))
}

/// A fresh loop counter, and its value.
#[doc(hidden)]
pub fn counter() -> (VariableId, Exp<u32>) {
    let (id, any) = bound_any(None, ScalarType::U32, VariableKind::Counter);
    (id, any.typed().unwrap_or_else(Exp::poison))
}

/// A fresh variable of a kind and type, and its value.
#[doc(hidden)]
pub fn bound_any(name: Option<&str>, ty: ScalarType, kind: VariableKind) -> (VariableId, AnyExp) {
    let made = session(|s| {
        let id = s.variable(name, ty, kind);
        (id, s.tables.nodes.add(Node::Variable(id), ty))
    });
    match made {
        Some((id, node)) => (id, AnyExp::from_node(node, ty)),
        None => (VariableId(0), AnyExp::poison(ty)),
    }
}
