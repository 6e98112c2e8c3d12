//! The arena of the current kernel build: nodes, variables, arrays, origins and diagnostics.
//!
//! A build happens on one thread, inside [`build`], which starts with an empty arena and gives
//! everything back as plain tables. Outside of a build there is no arena: a device value made there
//! is refused when a build meets it.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::hashed::HashSet;

use super::{Constraint, Literal, Node, NodeId, Nodes, ScalarType};
use crate::error::{Diagnostic, Origin, Origins, Site, internal};
use crate::ordered::{Map, Set};

/// A name bound by a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub u32);

/// An array of the kernel: a parameter, or what a `compute` stores.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayId(pub u32);

/// What a variable is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableKind {
    /// Counts a loop, from 0.
    Counter,
    /// Names a value.
    Let,
    /// A thread's own, which statements can change.
    Cell,
    /// A scalar argument of the kernel.
    Argument,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name that the user gave it, if any.
    pub name: Option<String>,
    /// Its type.
    pub ty: ScalarType,
    /// What it is for.
    pub kind: VariableKind,
}

/// Where an array lives. It belongs to the allocation, not to the level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayPlace {
    /// A parameter of the kernel, in the device's memory.
    Global(Role),
    /// The block's shared memory.
    Shared,
    /// One copy a thread, in registers or local memory.
    Held,
}

/// What the kernel does with a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Read only.
    Input,
    /// Written, each element once.
    Output,
    /// Read and written.
    InOut,
}

/// An array.
#[derive(Clone, Debug)]
pub struct Array {
    /// The name that the user gave it.
    pub name: String,
    /// The type of its elements.
    pub ty: ScalarType,
    /// Elements: a literal, or an expression over the lengths of the parameters.
    pub length: NodeId,
    /// Where it lives.
    pub place: ArrayPlace,
    /// Where the user made it.
    pub origin: Origin,
}

/// A length, and what must hold of it when the kernel is launched.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// A length, an expression over the lengths of the parameters.
    pub length: NodeId,
    /// What must hold of it.
    pub constraint: Constraint<NodeId>,
    /// Where the user asked for it.
    pub origin: Origin,
}

/// Two lengths that have to be equal wherever they are used: `plan::check` proves it, as one of them
/// depends on more than a launch knows, such as the number of a block.
#[derive(Clone, Debug)]
pub struct Claim {
    /// One length.
    pub left: NodeId,
    /// The other one.
    pub right: NodeId,
    /// The function that wants them to be equal, such as `zip_with`.
    pub what: String,
    /// Where the user called it.
    pub origin: Origin,
    /// Where the user made the arrays.
    pub places: [Origin; 2],
}

/// Elements beyond an array that is cut into pieces or tiles of one size, which the last ones have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(hidden)]
pub struct Fill {
    /// Where they are, as if the array went on.
    #[doc(hidden)]
    pub place: FillPlace,
    /// Where `chunks` or `cover` is called.
    #[doc(hidden)]
    pub origin: Origin,
}

/// An index along which an array goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(hidden)]
pub enum FillPlace {
    /// In an array of pieces.
    Pieces { index: NodeId, length: u32 },
    /// In a matrix of tiles.
    Tiles {
        row: NodeId,
        column: NodeId,
        /// The rows and columns of a tile.
        size: (u32, u32),
        /// The rows and columns of all tiles, as far as they are known.
        all: (Option<u32>, Option<u32>),
    },
}

/// Everything that a build has made, apart from its statements.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// The expression nodes.
    pub nodes: Nodes,
    /// The variables, by id.
    pub variables: Vec<Variable>,
    /// The arrays, by id.
    pub arrays: Vec<Array>,
    /// What must hold at launch.
    pub requirements: Vec<Requirement>,
    /// What must hold wherever a length is used. It is no part of the printed IR: once it is proved,
    /// nothing needs it.
    pub claims: Vec<Claim>,
    /// Outputs of which a skeleton of array programs vouches that as many elements are written as there are; it promises that the
    /// indices are distinct. It is no part of the printed IR either.
    #[doc(hidden)]
    pub written_whole: Set<ArrayId>,
    /// Those of them of which only the first elements are written: who launches the kernel cuts the others off.
    #[doc(hidden)]
    pub written_in_part: Set<ArrayId>,
    /// What the last piece of an array of any length has too much, by the condition of a choice, or by an index that stays within the
    /// array. It is no part of the printed IR: `lower::fills` uses it.
    #[doc(hidden)]
    pub fills: Map<NodeId, Vec<Fill>>,
    /// Indices at which an output may have such a fill.
    #[doc(hidden)]
    pub padded: Set<NodeId>,
    /// The places that origins name.
    pub origins: Origins,
}

impl Tables {
    /// An array of the table; an id of another table is an internal error.
    pub fn array(&self, id: ArrayId) -> &Array {
        let found = self.arrays.get(id.0 as usize);
        found.unwrap_or_else(|| internal::raise(format!("array {} is not in its table", id.0)))
    }

    /// The same, to be changed.
    pub fn array_mut(&mut self, id: ArrayId) -> &mut Array {
        let found = self.arrays.get_mut(id.0 as usize);
        found.unwrap_or_else(|| internal::raise(format!("array {} is not in its table", id.0)))
    }

    /// A variable of the table; an id of another table is an internal error.
    pub fn variable(&self, id: VariableId) -> &Variable {
        let found = self.variables.get(id.0 as usize);
        found.unwrap_or_else(|| internal::raise(format!("variable {} is not in its table", id.0)))
    }

    /// Adds a variable that the user has given no name.
    #[doc(hidden)]
    pub fn add_variable(&mut self, ty: ScalarType, kind: VariableKind) -> VariableId {
        let id = VariableId(self.variables.len() as u32);
        let name = None;
        self.variables.push(Variable { name, ty, kind });
        id
    }

    /// Adds an array.
    #[doc(hidden)]
    pub fn add_array(&mut self, array: Array) -> ArrayId {
        let id = ArrayId(self.arrays.len() as u32);
        self.arrays.push(array);
        id
    }

    /// The number of elements of a stored array.
    pub fn stored_length(&self, array: &Array) -> u32 {
        let length = self.nodes.literal(array.length).map(Literal::u32);
        length.unwrap_or_else(|| {
            internal::raise(format!("the length of `{}` is no number", array.name))
        })
    }

    /// Can a launch compute a length, of lengths, arguments and numbers?
    pub fn known_at_launch(&self, length: NodeId) -> bool {
        let (mut stack, mut seen) = (vec![length], HashSet::default());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let known = match self.nodes.node(id) {
                Node::Literal(_) | Node::Length(_) => true,
                Node::Variable(variable) => self.variable(variable).kind == VariableKind::Argument,
                Node::Binary { op, .. } => op.is_of_lengths(),
                _ => false,
            };
            if !known || self.nodes.ty(id) != ScalarType::U32 {
                return false;
            }
            stack.extend(self.nodes.node(id).operands());
        }
        true
    }
}

/// What [`build`] gives back.
#[derive(Debug)]
pub struct Build<R> {
    /// The result of the closure.
    pub result: R,
    /// What it made.
    pub tables: Tables,
    /// What it found wrong.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Default)]
#[doc(hidden)]
pub struct Session {
    pub(crate) generation: u32,
    #[doc(hidden)]
    pub tables: Tables,
    diagnostics: Vec<Diagnostic>,
    site: Option<Site>,
    /// The place of the index that is being made, for accesses that have none of their own.
    indexed: Option<Origin>,
}

thread_local! {
    static CURRENT: RefCell<Option<Session>> = const { RefCell::new(None) };
    static GENERATIONS: Cell<u32> = const { Cell::new(0) };
    /// What may still be done to the build, if that is bounded.
    static WORK: Cell<Option<Bounds>> = const { Cell::new(None) };
}

/// How much a build may do.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Bounds {
    /// How often it may be worked on.
    #[doc(hidden)]
    pub work: u64,
    /// How much more often for each expression and variable that it makes.
    #[doc(hidden)]
    pub each: u64,
    /// How many expressions and variables it may make.
    #[doc(hidden)]
    pub most: u64,
}

/// What a build has done too much of.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum Exhausted {
    /// It was worked on too often for what has come of it.
    Work,
    /// It has too many expressions.
    Expressions,
}

/// Runs `f`, which may work on the current build so much. Once it has, `f` is left, and a
/// report is made at the place that the work was for, unless there is one already.
///
/// Arrays are functions of functions, and can ask for an exponential number of elements without a
/// loop or a call that anybody could count. Nothing but unwinding leads out of them; no panic is
/// printed, and nothing of what `f` has begun is used.
#[doc(hidden)]
pub fn bounded(bounds: Bounds, too_much: impl FnOnce(Exhausted) -> Diagnostic, f: impl FnOnce()) {
    WORK.set(Some(bounds));
    let result = catch_unwind(AssertUnwindSafe(f));
    WORK.set(None);
    let Err(reason) = result else { return };
    match reason.downcast::<Exhausted>() {
        Err(reason) => resume_unwind(reason),
        Ok(_) if failed() => {}
        Ok(exhausted) => report(too_much(*exhausted)),
    }
}

/// Counts one piece of work on the build.
fn spend() {
    let Some(left) = WORK.get() else { return };
    if left.work == 0 || left.most == 0 {
        WORK.set(None);
        let exhausted = match left.most {
            0 => Exhausted::Expressions,
            _ => Exhausted::Work,
        };
        resume_unwind(Box::new(exhausted));
    }
    let work = left.work - 1;
    WORK.set(Some(Bounds { work, ..left }));
}

/// Counts what a piece of work has made.
fn made(new: u64) {
    let Some(left) = WORK.get().filter(|_| new > 0) else {
        return;
    };
    WORK.set(Some(Bounds {
        work: left.work.saturating_add(new * left.each),
        most: left.most.saturating_sub(new),
        ..left
    }));
}

/// How many expressions and variables the current build has made.
#[doc(hidden)]
pub fn size() -> u64 {
    CURRENT.with_borrow(|current| current.as_ref().map_or(0, Session::size))
}

/// Runs `f` with an empty arena and gives back what it made.
///
/// A build inside a build has an arena of its own; the outer one goes on afterwards.
pub fn build<R>(f: impl FnOnce() -> R) -> Build<R> {
    struct Restore(Option<Session>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let generation = GENERATIONS.get().wrapping_add(1).max(1);
    GENERATIONS.set(generation);
    let restore = Restore(CURRENT.replace(Some(Session {
        generation,
        ..Session::default()
    })));
    let result = f();
    let session = CURRENT.take().unwrap_or_default();
    drop(restore);
    Build {
        result,
        tables: session.tables,
        diagnostics: session.diagnostics,
    }
}

/// Runs `f` as if no build was current: values of builds that have ended there are no values of the one around it.
#[doc(hidden)]
pub fn alone<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(Option<Session>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _restore = Restore(CURRENT.take());
    f()
}

/// Works on the current build, if there is one. `f` must not come back here.
#[doc(hidden)]
pub fn session<R>(f: impl FnOnce(&mut Session) -> R) -> Option<R> {
    spend();
    CURRENT.with_borrow_mut(|current| {
        let session = current.as_mut()?;
        let before = session.size();
        let result = f(session);
        made(session.size().saturating_sub(before));
        Some(result)
    })
}

impl Session {
    fn size(&self) -> u64 {
        (self.tables.nodes.len() + self.tables.variables.len()) as u64
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn origin(&mut self, native: &'static std::panic::Location<'static>) -> Origin {
        let site = self.site.unwrap_or(Site::Native(native));
        self.tables.origins.add(site)
    }

    /// A fresh variable.
    pub(crate) fn variable(
        &mut self,
        name: Option<&str>,
        ty: ScalarType,
        kind: VariableKind,
    ) -> VariableId {
        self.tables.variables.push(Variable {
            name: name.map(str::to_owned),
            ty,
            kind,
        });
        VariableId(self.tables.variables.len() as u32 - 1)
    }

    /// A fresh array.
    #[doc(hidden)]
    pub fn array(&mut self, array: Array) -> ArrayId {
        self.tables.add_array(array)
    }
}

/// Reports a diagnostic to the current build; it places itself at [`here`] unless it has a place.
#[track_caller]
pub fn report(diagnostic: Diagnostic) {
    let origin = here();
    session(|s| {
        s.report(if diagnostic.origin == Origin::UNKNOWN {
            diagnostic.at(origin)
        } else {
            diagnostic
        })
    });
}

/// Has the current build found a mistake?
pub fn failed() -> bool {
    session(|s| !s.diagnostics.is_empty()).unwrap_or(false)
}

/// The arrays that the current build has made so far.
pub fn arrays() -> Vec<Array> {
    session(|s| s.tables.arrays.clone()).unwrap_or_default()
}

/// The place of the running call: the span that the evaluator works on, else the caller's line.
#[track_caller]
pub fn here() -> Origin {
    let native = std::panic::Location::caller();
    session(|s| s.origin(native)).unwrap_or_default()
}

/// The span that the evaluator works on; natively none.
#[doc(hidden)]
pub fn spanned_here() -> Origin {
    session(|s| s.site.map(|site| s.tables.origins.add(site)))
        .flatten()
        .unwrap_or_default()
}

/// Runs `f`, in which the loads and stores of arrays are asked for at this place.
#[doc(hidden)]
pub fn indexed_at<R>(origin: Origin, f: impl FnOnce() -> R) -> R {
    let before = replace_indexed(Some(origin));
    let result = f();
    replace_indexed(before);
    result
}

// What a function of any type does besides calling its argument is a function of no types: rustc makes it once, and not
// for each of some hundred arguments.
fn replace_indexed(origin: Option<Origin>) -> Option<Origin> {
    session(|s| std::mem::replace(&mut s.indexed, origin)).flatten()
}

fn replace_site(site: Option<Site>) -> Option<Site> {
    session(|s| std::mem::replace(&mut s.site, site)).flatten()
}

/// The place at which an array is being indexed, if the user does it.
#[doc(hidden)]
pub fn index_place() -> Option<Origin> {
    session(|s| s.indexed).flatten()
}

/// Runs `f`, whose calls are then placed at a place of native code, unless the front end has a place for them.
#[doc(hidden)]
pub fn with_native<R>(place: &'static std::panic::Location<'static>, f: impl FnOnce() -> R) -> R {
    let before = replace_site(None);
    replace_site(before.or(Some(Site::Native(place))));
    let result = f();
    replace_site(before);
    result
}

/// Runs `f`, whose calls are then placed at a place that the program names itself, unless the front end has a place for them.
#[doc(hidden)]
pub fn with_place<R>(place: &str, f: impl FnOnce() -> R) -> R {
    let before = replace_site(None);
    let own = session(|s| s.tables.origins.add_text(place));
    replace_site(match before {
        Some(Site::Span(_)) => before,
        _ => own,
    });
    let result = f();
    replace_site(before);
    result
}

/// Runs `f`, whose calls are then placed at the n-th span of the front end's input.
pub fn with_site<R>(span: u32, f: impl FnOnce() -> R) -> R {
    let before = replace_site(Some(Site::Span(span)));
    let result = f();
    replace_site(before);
    result
}
