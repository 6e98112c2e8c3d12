//! Lifting: a function of one element runs for all elements of an outermost axis at once.
//!
//! ```text
//! each(rows, |row| row.map(f).sum())     the function sees:  row (n)      map (n)      sum ()
//!                                        the nodes are:      each (k, n)  map (k, n)   sum (k)
//! ```
//!
//! While the function runs, an axis is *open*. A node whose elements depend on the element has it as its outermost axis, in front of those
//! that the function sees; one that does not has it not, and is computed once for all. Which of them it is, is learnt when the node is made:
//! its function of elements is asked once for their shape, and what that asks for is noted.
//!
//! Planning and skeletons see all axes. What functions see lacks the coordinates of open axes: these go along in the graph
//! (`Lifting::at`), set where a node computes an element, and put in front of the index again where one asks for an element of another node.

use std::borrow::Cow;
use std::rc::Rc;

use super::graph::{Graph, Kind, Node, NodeNumber, graph};
use super::index::{Index, Whole};
use crate::error::{Origin, catalogue};
use crate::program::counter;
use crate::scalar::{Exp, index, lit, select_exp};

/// Tells the open axes of a run apart, by the order in which they were opened.
pub type Axis = usize;

/// What is known of open axes.
#[derive(Default)]
pub struct Lifting {
    /// Where those are opened that have been, by their numbers.
    places: Vec<Origin>,
    /// Those of the functions that run, the outermost first, and their extents.
    open: Vec<(Axis, Exp<u32>)>,
    /// The coordinates of the element that is computed.
    at: Vec<(Axis, Exp<u32>)>,
    /// While it is learnt what a node depends on: the axes that have been asked for.
    asked: Option<Vec<Axis>>,
}

/// Opens an axis of some extent: a function of an element along it runs now.
#[track_caller]
pub fn opened(extent: Exp<u32>) -> Axis {
    let place = crate::scalar::here();
    let axis = graph(|graph| {
        let lifting = &mut graph.lifting;
        let axis = lifting.places.len();
        lifting.places.push(place);
        lifting.open.push((axis, extent));
        axis
    });
    axis.unwrap_or(0)
}

/// The function runs no more.
pub fn closed(axis: Axis) {
    graph(|graph| graph.lifting.open.retain(|(own, _)| *own != axis));
}

/// The axes that are open, and their extents.
pub fn open() -> Vec<(Axis, Exp<u32>)> {
    graph(|graph| graph.lifting.open.clone()).unwrap_or_default()
}

/// The axes that are open.
pub fn open_axes() -> Vec<Axis> {
    open().into_iter().map(|(axis, _)| axis).collect()
}

/// The axes that a node has besides those that are seen.
pub fn axes_of(number: NodeNumber) -> Vec<Axis> {
    let axes = graph(|graph| graph.node(number).map(|node| node.lifted.clone()));
    axes.flatten().unwrap_or_default()
}

/// The extents of a node that are seen.
pub fn seen_extents_of(number: NodeNumber) -> Vec<Exp<u32>> {
    let seen = |node: Rc<Node>| node.extents.get(node.lifted.len()..).map(<[_]>::to_vec);
    graph(|graph| graph.node(number).and_then(seen))
        .flatten()
        .unwrap_or_default()
}

/// Notes that `seen` is another node along one more axis.
pub fn is_same(seen: NodeNumber, other: NodeNumber) {
    change(seen, |node| node.same_as = Some(other));
}

/// The node that a node has the elements of, at the same indices: itself, or one that it is seen as.
pub fn same_as(number: NodeNumber) -> NodeNumber {
    let same = graph(|graph| graph.node(number).and_then(|node| node.same_as)).flatten();
    same.map_or(number, same_as)
}

/// Closes the axis of a node, whose function runs no more. Gives whether the node has that axis.
pub fn close(number: NodeNumber, axis: Axis) -> bool {
    let has_axis = axes_of(number).last() == Some(&axis);
    if has_axis {
        change(number, |node| node.lifted.truncate(node.lifted.len() - 1));
    }
    has_axis
}

fn change(number: NodeNumber, f: impl FnOnce(&mut Node)) {
    graph(|graph| {
        if let Some(node) = graph.nodes.get_mut(number) {
            f(Rc::make_mut(node));
        }
    });
}

/// The extents of axes in front of those that are seen. Reports axes whose function runs no more.
pub fn with_axes(axes: &[Axis], seen: Vec<Exp<u32>>) -> Vec<Exp<u32>> {
    if axes.is_empty() {
        return seen;
    }
    let extents = graph(|graph| {
        let open = &graph.lifting.open;
        let extent = |axis: &Axis| open.iter().find(|(own, _)| own == axis);
        let extents = axes.iter().map(|axis| extent(axis).map(|(_, e)| *e));
        extents.collect::<Option<Vec<_>>>()
    });
    match extents.flatten() {
        Some(extents) => extents.into_iter().chain(seen).collect(),
        None => {
            report_escaped(axes);
            seen
        }
    }
}

/// Reports an array with some axes, of which one is not open any more.
fn report_escaped(axes: &[Axis]) {
    if crate::scalar::failed() {
        return;
    }
    let place = |graph: &mut Graph| {
        let lifting = &graph.lifting;
        let is_open = |axis: &Axis| lifting.open.iter().any(|(own, _)| own == axis);
        let closed = axes.iter().find(|axis| !is_open(axis));
        closed.and_then(|axis| lifting.places.get(*axis).copied())
    };
    let place = graph(place).flatten().unwrap_or_default();
    crate::scalar::report(catalogue::element_of_each_outside().at(place));
}

/// Reports an array that hides an axis of its node which is closed, so that only its number would be used.
pub fn is_whole(number: NodeNumber, hidden: usize) {
    let axes = axes_of(number).len();
    if hidden > axes && !crate::scalar::failed() {
        let place = graph(|graph| graph.node(number).map(|node| node.origin));
        let wrong = catalogue::element_of_each_outside();
        crate::scalar::report(wrong.at(place.flatten().unwrap_or_default()));
    }
}

/// Reports an array of an element that is to be a result of the program.
pub fn is_result(number: NodeNumber) {
    let axes = axes_of(number);
    if !axes.is_empty() {
        report_escaped(&axes);
    }
}

/// Reports an operator that cannot be done for all elements at once, if it would have to be.
#[track_caller]
pub fn cannot_lift(operator: &str, axes: &[Axis]) {
    if !axes.is_empty() && !crate::scalar::failed() {
        let wrong = catalogue::cannot_be_lifted(operator);
        crate::scalar::report(wrong.at(crate::scalar::here()));
    }
}

/// Reports a function that combines elements, if it depends on the element of an open axis.
#[track_caller]
pub fn cannot_lift_operator(operator: &str, asked: &[Axis]) {
    if !asked.is_empty() && !crate::scalar::failed() {
        let wrong = catalogue::operator_of_each(operator);
        crate::scalar::report(wrong.at(crate::scalar::here()));
    }
}

/// The axes of a node of a kind, whose function of elements asks for those of `asked`.
#[track_caller]
pub fn axes_for(operator: &str, kind: &Kind, asked: Vec<Axis>) -> Vec<Axis> {
    match kind {
        Kind::Input | Kind::Literal(_) => Vec::new(),
        Kind::Delayed { .. } | Kind::Stored => asked,
        Kind::Fold(fold) | Kind::Scan(fold, _) => axes_of(fold.source),
        Kind::Total(scan) => axes_of(*scan),
        Kind::State(_) | Kind::Outcome(_) => open_axes(),
        Kind::Permute(permuted) => axes_of(permuted.changed),
        Kind::Scatter { source, .. } => {
            cannot_lift(operator, &axes_of(*source));
            Vec::new()
        }
        Kind::Place { digits, .. } => {
            cannot_lift(operator, &axes_of(*digits));
            Vec::new()
        }
    }
}

/// Runs `f`, and gives the open axes that it asks for.
pub fn asks<R>(f: impl FnOnce() -> R) -> Vec<Axis> {
    let replace = |to| graph(|graph| std::mem::replace(&mut graph.lifting.asked, to)).flatten();
    let before = replace(Some(Vec::new()));
    f();
    let mut asked = replace(before).unwrap_or_default();
    asked.sort_unstable();
    asked.dedup();
    asked
}

/// Is it learnt which axes are asked for?
pub fn is_asking() -> bool {
    graph(|graph| graph.lifting.asked.is_some()).unwrap_or(false)
}

/// Asks for an element at an index that is seen: `f` gets the whole index.
pub fn joined<R>(axes: &[Axis], index: &Index, f: impl FnOnce(&Index) -> R) -> R {
    match axes.is_empty() {
        true => f(index),
        false => f(&whole(axes, index)),
    }
}

/// The whole index of an element that is asked for at an index that is seen.
fn whole<'i>(axes: &[Axis], index: &'i Index) -> Cow<'i, Index> {
    let is_shape = graph(|graph| {
        let asked = &mut graph.lifting.asked;
        asked.iter_mut().for_each(|all| all.extend(axes));
        graph.shape_only
    });
    if let Some(whole) = index.whole.as_ref().filter(|whole| whole.axes == axes) {
        return Cow::Borrowed(&whole.index);
    }
    let found = graph(|graph| {
        let at = &graph.lifting.at;
        let of = |axis: &Axis| at.iter().rev().find(|(own, _)| own == axis);
        let found = axes.iter().map(|axis| of(axis).map(|(_, at)| *at));
        found.collect::<Vec<_>>()
    });
    let found = found.unwrap_or_default();
    if is_shape != Some(true) && found.iter().any(Option::is_none) {
        report_escaped(axes);
    }
    let front = found
        .into_iter()
        .map(|at| at.unwrap_or_else(|| counter().1));
    let whole = front.chain(index.coordinates.iter().copied()).collect();
    Cow::Owned(index.moved(whole))
}

/// Computes an element at a whole index: `f` sees what is behind its first axes.
pub fn split<R>(axes: &[Axis], whole: &Index, f: impl FnOnce(&Index) -> R) -> R {
    match axes.is_empty() {
        true => f(whole),
        false => within(axes, axes.to_vec(), whole, whole, f),
    }
}

/// Computes an element of `axis` at an index whose first coordinate is that of the axis.
pub fn along<R>(axis: Axis, index: &Index, f: impl FnOnce(&Index) -> R) -> R {
    let (before, whole) = match &index.whole {
        Some(whole) => (whole.axes.clone(), &whole.index),
        None => (Vec::new(), index),
    };
    let result = within(&[axis], [before, vec![axis]].concat(), whole, index, f);
    no_longer_asked(axis);
    result
}

fn no_longer_asked(axis: Axis) {
    let own = |asked: &mut Vec<Axis>| asked.retain(|asked| *asked != axis);
    graph(|graph| graph.lifting.asked.as_mut().map(own));
}

/// The first coordinates of `index` are those of `axes`. Those of `all` are the first of `whole`.
fn within<R>(
    axes: &[Axis],
    all: Vec<Axis>,
    whole: &Index,
    index: &Index,
    f: impl FnOnce(&Index) -> R,
) -> R {
    let (own, before) = entered(axes, all, whole, index);
    let result = f(&own);
    left(before);
    result
}

/// The index behind the axes, whose places are known until they are [`left`]; with how many were known before.
fn entered(axes: &[Axis], all: Vec<Axis>, whole: &Index, index: &Index) -> (Index, Option<usize>) {
    let (front, rest) = index
        .coordinates
        .split_at(axes.len().min(index.coordinates.len()));
    let mut own = index.moved(rest.to_vec());
    own.whole = Some(Rc::new(Whole {
        axes: all,
        index: whole.clone(),
    }));
    let before = graph(|graph| {
        let at = &mut graph.lifting.at;
        let length = at.len();
        at.extend(axes.iter().copied().zip(front.iter().copied()));
        length
    });
    (own, before)
}

fn left(before: Option<usize>) {
    if let Some(length) = before {
        graph(|graph| graph.lifting.at.truncate(length));
    }
}

/// What is computed now depends on all open axes.
pub fn depend_on_all() {
    graph(|graph| {
        let lifting = &mut graph.lifting;
        let open = lifting.open.iter().map(|(axis, _)| *axis);
        lifting
            .asked
            .iter_mut()
            .for_each(|asked| asked.extend(open.clone()));
    });
}

/// The number of an element of a node with all open axes, whose number among those that are seen is `place`; one that no array has, if that is not below
/// `length`.
pub fn whole_place(axes: &[(Axis, Exp<u32>)], place: Exp<u32>, length: Exp<u32>) -> Exp<u32> {
    depend_on_all();
    let number = joined_front(axes);
    let whole = index::add(index::mul(number, length), place);
    select_exp(place.lt(length), whole, lit(u32::MAX))
}

/// The number of the element that is computed, along open axes.
fn joined_front(axes: &[(Axis, Exp<u32>)]) -> Exp<u32> {
    let at = graph(|graph| graph.lifting.at.clone()).unwrap_or_default();
    axes.iter().fold(lit(0u32), |number, (axis, extent)| {
        let own = at.iter().rev().find(|(own, _)| own == axis);
        let own = own.map_or_else(|| counter().1, |(_, at)| *at);
        index::add(index::mul(number, *extent), own)
    })
}
