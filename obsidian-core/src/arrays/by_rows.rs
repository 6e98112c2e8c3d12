//! Results that can be computed chunk by chunk: of the rows of a chunk what they are of all rows.
//!
//! ```text
//! |rows, v| zip_with(|x, y| x * y, rows, v.replicate(height)).sum()
//!    4 sum (height)             row i of it is made of row i of 3
//!    3 zip_with (height, width)    of row i of 0, which is given chunk by chunk, and of 2
//!    2 replicate (height, width)   of elements of 1, which does not depend on 0
//! ```
//!
//! A node is *by rows* if its outermost extent is that of the chunk, and the elements with an outermost coordinate `i` are made of elements of
//! nodes by rows with the same `i`, and of nodes that do not depend on what is given chunk by chunk; but neither of `i` itself nor of the number of rows.
//! Then the rows of a chunk are those of the whole array at the same place. It is looked at as it is planned: each node alone, at an index of new
//! variables. The root may also be a fold of a vector that is by rows.

use std::rc::Rc;

use super::AnyShape;
use super::any::{AnyArr, AnyElement};
use super::arr::Arr;
use super::claims::Claim;
use super::graph::{
    Control, Fold, Kind, Made, Node, NodeNumber, Operator, Planned, Round, Use, fresh, graph,
    in_an_element, nodes_of, note_below,
};
use super::index::Index;
use super::item::leaves;
use crate::error::catalogue;
use crate::ordered::{Map, Set};
use crate::program::{ahead, counter, open_scopes};
use crate::scalar::{AnyExp, Exp, Literal, Node as Expression, NodeId, Nodes, session};

/// A result that can be computed chunk by chunk.
#[doc(hidden)]
pub enum ByRows {
    /// Its rows are those of the chunks, one behind another.
    Rows(AnyArr),
    /// A fold of such an array.
    Folded(AnyArr, FoldedBy),
}

/// What the elements of a vector are combined by, and what stands in front of them.
#[doc(hidden)]
#[derive(Clone)]
pub struct FoldedBy {
    operator: Operator,
    initial: Option<Vec<Literal>>,
    /// What the fold is called.
    pub name: &'static str,
}

impl FoldedBy {
    /// Two elements combined.
    pub fn combined(&self, x: &AnyElement, y: &AnyElement) -> AnyElement {
        (self.operator)(x, y)
    }

    /// Does anything stand in front of all elements?
    pub fn has_initial(&self) -> bool {
        self.initial.is_some()
    }

    /// What stands in front of all elements, if anything does.
    pub fn initial(&self) -> Option<AnyElement> {
        let all = self.initial.as_ref()?.iter();
        Some(AnyElement(
            all.map(|literal| AnyExp::literal(*literal)).collect(),
        ))
    }
}

impl std::fmt::Debug for FoldedBy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FoldedBy")
            .field("initial", &self.initial)
            .finish_non_exhaustive()
    }
}

/// How `result` can be computed chunk by chunk. `given` are the arrays that are given, in chunks if they are not [beside](Arr::beside) them. Reports what
/// keeps it from that.
#[doc(hidden)]
#[must_use]
pub fn by_rows(given: &[AnyArr], result: &AnyArr) -> Option<ByRows> {
    let node = node_of(result.number)?;
    let beside = graph(|graph| graph.beside.clone()).unwrap_or_default();
    let chunk: Vec<&AnyArr> = given
        .iter()
        .filter(|array| !beside.contains(&array.number))
        .collect();
    let mut walk = Walk {
        given: chunk.iter().map(|array| array.number).collect(),
        rows: Map::new(),
        told: Set::new(),
        seen: Set::new(),
        open: Vec::new(),
        depends: None,
    };
    let folded = match (&node.kind, node.extents.is_empty()) {
        (Kind::Fold(fold), true) => Some(fold.clone()),
        (_, false) => None,
        (_, true) => {
            report(&node, "is neither an array of rows nor a fold");
            return None;
        }
    };
    let root = match &folded {
        Some(fold) => {
            let by = walk.folded_by(&node, fold)?;
            let source = node_of(fold.source)?;
            let (number, element) = (fold.source, source.element.clone());
            let source = Arr::<AnyShape, AnyElement>::of(Made {
                number,
                element,
                hidden: 0,
            });
            ByRows::Folded(source, by)
        }
        None => ByRows::Rows(result.clone()),
    };
    let first = folded.map_or(result.number, |fold| fold.source);
    // In a kernel, of which all this has been found out, elements come from memory.
    if graph(|graph| graph.arrays.is_empty()) == Some(true) {
        if graph(|graph| graph.changing.is_empty()) == Some(false) {
            report(&node, CHANGES);
            return None;
        }
        for array in &chunk {
            walk.has_rows_of(&node_of(array.number)?)?;
        }
        walk.open.push((first, true, node));
        while let Some((number, along, asks)) = walk.open.pop() {
            if walk.seen.insert((number, along)) {
                walk.look_at(number, along, &asks)?;
            }
        }
        if let Some((node, why)) = walk.depends {
            report(&node, why);
            return None;
        }
    }
    Some(root)
}

/// A chunk may have no elements where all of them have some: takes back that a fold needs an element, and gives its name there.
fn without_claim(node: &Node, fold: &Fold) -> Option<&'static str> {
    let outer = node_of(fold.source)?.extents.first()?.node();
    let is_own = |claim: &Claim| {
        let one = claim.right.as_literal() == Some(1);
        claim.origin == node.origin && claim.at_least && claim.left.node() == outer && one
    };
    graph(|graph| {
        let place = graph.claims.iter().rposition(is_own)?;
        Some(graph.claims.remove(place).what)
    })
    .flatten()
}

fn node_of(number: NodeNumber) -> Option<Rc<Node>> {
    graph(|graph| graph.node(number)).flatten()
}

fn report(node: &Node, why: &str) {
    if !crate::scalar::failed() {
        let wrong = catalogue::not_by_rows(node.operator, why);
        crate::scalar::report(wrong.at(node.origin));
    }
}

const READS_OTHERS: &str = "reads other rows than its own of what is given chunk by chunk";
const COUNTS: &str =
    "uses the number of a row or how many rows there are, which are others in a chunk";

const CHANGES: &str = "is of a function with a loop whose iterations change the extents of arrays";
const ALL_ROWS: &str = "is not done row by row";
const BESIDE: &str = "reads, row by row, an array that is not given chunk by chunk";

struct Walk {
    /// The arrays that are given chunk by chunk.
    given: Set<NodeNumber>,
    /// The numbers of rows of arrays that are given chunk by chunk, and which are always equal: those with the same number here.
    rows: Map<NodeId, usize>,
    /// What tells a number of rows, or stands in what does.
    told: Set<NodeId>,
    /// The nodes that have been looked at, and whether by rows.
    seen: Set<(NodeNumber, bool)>,
    /// Those that have not been, and the last one on the way to them that is by rows.
    open: Vec<(NodeNumber, bool, Rc<Node>)>,
    /// A node whose elements depend on the number of a row or of all, and how: it is told if nothing else is wrong.
    depends: Option<(Rc<Node>, &'static str)>,
}

/// What an element is made of.
struct Parts {
    uses: Vec<Use>,
    /// The expressions of its value.
    roots: Vec<NodeId>,
}

impl Walk {
    /// Looks at what a node is made of, by rows or as a whole. None if that keeps the result from being computed chunk by chunk, which is reported.
    fn look_at(&mut self, number: NodeNumber, by_rows: bool, asks: &Rc<Node>) -> Option<()> {
        let node = node_of(number)?;
        if self.given.contains(&number) {
            if !by_rows {
                report(asks, READS_OTHERS);
                return None;
            }
            return Some(());
        }
        // What is wrong with an array that others read as a whole, is wrong with them.
        let at = if by_rows { &node } else { asks };
        let rows = self.rows_of(&node);
        if by_rows && rows.is_none() {
            report(&node, "has other rows than what is given chunk by chunk");
            return None;
        }
        let is_whole = matches!(node.kind, Kind::Input | Kind::Literal(_));
        if by_rows && is_whole {
            report(asks, BESIDE);
            return None;
        }
        let rest = node.extents.iter().skip(usize::from(by_rows));
        let extents: Vec<NodeId> = rest.map(|extent| extent.node()).collect();
        self.without_rows(at, &extents, None);
        match (&node.kind, by_rows) {
            (Kind::Input | Kind::Literal(_), _) => {}
            (Kind::Delayed { .. } | Kind::Stored, _) => {
                let index = Index::fresh(node.extents.len());
                note_below(&index.coordinates, &node.extents);
                let parts = parts(Some(number), || (node.element)(&index));
                let row = index.coordinates.first().filter(|_| by_rows);
                let row = row.map(|row| (*row, rows));
                self.take(at, number, parts, row);
            }
            (Kind::Fold(fold) | Kind::Scan(fold, _), _) => {
                let source = node_of(fold.source)?;
                if by_rows && source.extents.len() < 2 {
                    report(&node, ALL_ROWS);
                    return None;
                }
                self.operator(at, fold)?;
                self.open.push((fold.source, by_rows, at.clone()));
            }
            (Kind::State(control) | Kind::Outcome(control), _) => {
                self.round(at, number, *control, by_rows)?;
            }
            (Kind::Total(scan), true) if node_of(*scan)?.extents.len() > 1 => {
                self.open.push((*scan, true, at.clone()));
            }
            (
                Kind::Total(_) | Kind::Place { .. } | Kind::Permute(_) | Kind::Scatter { .. },
                true,
            ) => {
                report(&node, ALL_ROWS);
                return None;
            }
            (Kind::Total(source) | Kind::Scatter { source, .. }, false) => {
                self.open.push((*source, false, at.clone()));
            }
            (Kind::Place { digits, counts, .. }, false) => {
                self.whole(&[*digits, *counts], at);
            }
            (Kind::Permute(permuted), false) => {
                self.whole(&[permuted.source, permuted.changed], at);
            }
        }
        Some(())
    }

    /// What the operator of a fold reads besides its two elements, as a whole.
    fn operator(&mut self, node: &Rc<Node>, fold: &Fold) -> Option<()> {
        let types = node_of(fold.source)?.types.clone();
        let (x, y) = (fresh(&types), fresh(&types));
        let mut parts = parts(None, || in_an_element(|| (fold.operator)(&x, &y)));
        let initial = fold.initial.iter().flat_map(leaves);
        parts.roots.extend(initial.map(|leaf| leaf.node()));
        self.take(node, usize::MAX, parts, None);
        Some(())
    }

    /// Notes nodes that are read as a whole.
    fn whole(&mut self, numbers: &[NodeNumber], asks: &Rc<Node>) {
        let all = numbers.iter().map(|number| (*number, false, asks.clone()));
        self.open.extend(all);
    }

    /// The operator of a fold of all rows, which must be made of nothing but its two elements.
    fn folded_by(&mut self, node: &Node, fold: &Fold) -> Option<FoldedBy> {
        let types = node_of(fold.source)?.types.clone();
        // Variables that have been there before; those of loops in the function come later.
        let (first, _) = counter();
        let (x, y) = (fresh(&types), fresh(&types));
        let parts = parts(None, || in_an_element(|| (fold.operator)(&x, &y)));
        let others = session(|s| {
            let nodes = &s.tables.nodes;
            let mut all = nodes.post_order(&parts.roots, |_| false).into_iter();
            all.any(|n| matches!(nodes.node(n), Expression::Variable(own) if own < first))
        });
        if !parts.uses.is_empty() || others == Some(true) {
            report(
                node,
                "combines the elements of all rows by a function that reads something else",
            );
            return None;
        }
        let literals = |initial: &AnyElement| {
            let all = leaves(initial).into_iter().map(|leaf| leaf.as_literal());
            all.collect::<Option<Vec<Literal>>>()
        };
        let initial = fold.initial.as_ref().map(literals);
        if matches!(initial, Some(None)) {
            report(
                node,
                "has a value in front of all elements that is no number of the program's text",
            );
            return None;
        }
        Some(FoldedBy {
            operator: fold.operator.clone(),
            initial: initial.flatten(),
            name: without_claim(node, fold).unwrap_or(node.operator),
        })
    }

    /// The state of a loop, before and behind an iteration.
    fn round(
        &mut self,
        node: &Rc<Node>,
        number: NodeNumber,
        control: usize,
        by_rows: bool,
    ) -> Option<()> {
        let own = graph(|graph| {
            let own = graph.controls.get(control).cloned().flatten();
            let is_outcome =
                |other: &&Rc<Node>| matches!(other.kind, Kind::Outcome(of) if of == control);
            let before = graph.nodes.iter().take(number).filter(is_outcome).count();
            own.map(|own| (own, before))
        });
        let (control, outcome) = own.flatten()?;
        // The state is the same one of the loop's in each round.
        let round_of = |round: &Round| {
            let place = round.states.iter().position(|state| *state == number);
            let place = place.unwrap_or(outcome);
            let all = [&round.initial, &round.next].map(|all| all.get(place).copied());
            all.into_iter().flatten().collect::<Vec<_>>()
        };
        let own = match &control {
            Control::Repeat { times, round } => {
                self.without_rows(node, &[times.node()], None);
                round_of(round)
            }
            Control::While { condition, round } => {
                self.whole(&[*condition], node);
                round_of(round)
            }
            Control::If { condition, parts } => {
                self.whole(&[*condition], node);
                let results = parts.iter().filter_map(|(_, all)| all.get(outcome));
                results.copied().collect()
            }
        };
        self.open
            .extend(own.into_iter().map(|own| (own, by_rows, node.clone())));
        Some(())
    }

    /// What an element of a node is made of; `row` is its outermost coordinate, if the node is by rows.
    fn take(
        &mut self,
        node: &Rc<Node>,
        number: NodeNumber,
        parts: Parts,
        row: Option<(Exp<u32>, Option<usize>)>,
    ) {
        let rows = row.and_then(|(_, rows)| rows);
        let row = row.map(|(row, _)| row.node());
        let mut roots = parts.roots;
        for one in parts.uses.into_iter().filter(|one| one.node != number) {
            let same_row = row.is_some() && one.index.first().copied() == row;
            let other = node_of(one.node).and_then(|other| self.rows_of(&other));
            let is_by_rows = same_row && rows.is_some() && other == rows;
            if same_row && !is_by_rows {
                self.depends.get_or_insert_with(|| (node.clone(), BESIDE));
            }
            roots.extend(one.index.iter().skip(usize::from(is_by_rows)));
            self.open.push((one.node, is_by_rows, node.clone()));
        }
        self.without_rows(node, &roots, row);
    }

    /// Which of the numbers of rows a node has, if any.
    fn rows_of(&self, node: &Node) -> Option<usize> {
        self.rows.get(&node.extents.first()?.node()).copied()
    }

    /// Notes the number of rows of an array that is given chunk by chunk. It must not be one that expressions have for other reasons.
    fn has_rows_of(&mut self, node: &Rc<Node>) -> Option<()> {
        let Some(outer) = node.extents.first().map(|outer| outer.node()) else {
            report(node, "has no rows, and is another one in each chunk");
            return None;
        };
        let counted = graph(|graph| graph.counted.clone()).unwrap_or_default();
        // Sequences that are zipped have as many elements in a chunk.
        let class = match counted.contains(&outer) {
            true => 0,
            false => self
                .rows
                .get(&outer)
                .copied()
                .unwrap_or(self.rows.len() + 1),
        };
        let leaves = session(|s| {
            let nodes = &s.tables.nodes;
            let all = nodes.post_order(&[outer], |_| false).into_iter();
            let is_number = |n: &NodeId| nodes.node(*n).is_leaf() && nodes.literal(*n).is_none();
            all.filter(is_number).collect::<Vec<_>>()
        });
        let leaves = leaves.unwrap_or_default();
        if leaves.is_empty() {
            report(node, "has the same number of rows in each chunk");
            return None;
        }
        self.rows.insert(outer, class);
        self.told.extend(leaves);
        self.told.insert(outer);
        Some(())
    }

    /// Notes that expressions depend on the number of rows, or on that of a row; and what they depend on that is read from memory as a number.
    fn without_rows(&mut self, node: &Rc<Node>, roots: &[NodeId], row: Option<NodeId>) {
        // That the number of a row is below that of all holds in each chunk.
        let rows_of_node = self.rows_of(node);
        let is_told = |nodes: &Nodes, n: NodeId| {
            let below = nodes.as_below(n);
            let is_own = |rows: &NodeId| self.rows.get(rows).copied() == rows_of_node;
            below.is_some_and(|((i, rows), _)| {
                Some(i) == row && rows_of_node.is_some() && is_own(&rows)
            })
        };
        let all = session(|s| {
            let nodes = &s.tables.nodes;
            nodes.post_order(roots, |n| is_told(nodes, n))
        });
        let all: Set<NodeId> = all.unwrap_or_default().into_iter().collect();
        let depends = row.is_some_and(|row| all.contains(&row));
        if depends || self.told.iter().any(|told| all.contains(told)) {
            self.depends.get_or_insert_with(|| (node.clone(), COUNTS));
        }
        let reads = graph(|graph| graph.reads.clone()).unwrap_or_default();
        for (total, number) in reads {
            if all.contains(&number.node()) {
                self.whole(&[total], node);
            }
        }
    }
}

/// What an element is made of, where a node is looked at alone: all elements of others are there.
fn parts(alone: Option<NodeNumber>, element: impl FnOnce() -> AnyElement) -> Parts {
    let mut planned = Planned::default();
    planned.look_at_alone(alone.unwrap_or(usize::MAX), open_scopes() + 1);
    let before = graph(|graph| graph.planned.replace(planned)).flatten();
    let (fields, actions) = ahead(|| in_an_element(element));
    let uses = graph(|graph| {
        let uses = graph.take_uses();
        graph.planned = before;
        uses
    });
    let mut roots: Vec<NodeId> = leaves(&fields).iter().map(|leaf| leaf.node()).collect();
    nodes_of(&actions, &mut roots);
    Parts {
        uses: uses.unwrap_or_default(),
        roots,
    }
}
