//! Windows: the part of an array that a loop goes through, cut out once in front of it.
//!
//! ```text
//! let w1: &[u32] = &a0_input[(v0 as usize).wrapping_mul(4096usize)..][..4096usize];
//! for v1 in 0u32..256u32 {
//!     for v3 in 0u32..16u32 { .. w1[(v1 as usize).wrapping_add((v3 as usize).wrapping_mul(256usize))] .. }
//! }
//! ```
//!
//! A window has a length that is a number, so the compiler sees that no index leaves it, and works on
//! several elements at once. An index of a window is a sum: terms that do not change in the loop, where
//! the window begins, and multiples of the counters of loops whose numbers of rounds are known.
//!
//! *Argument.* To cut a window is to access its first and its last element. One is cut only for accesses
//! that the loop is sure to do: under no condition, in loops of at least one round that nothing leaves. So
//! it fails only where an access would.
//!
//! Elements are stored in a window only if the loop stores to the array nowhere else.
//!
//! *Limits.* Arrays that are only read, and pieces of outputs; indices that the user does not vouch for; windows of at most
//! [`LONGEST`] elements, and of [`FEWEST`] at least.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::linear::{self, Lets};
use super::printer::{Access, Printer};
use crate::ir::{Lowered, Statement};
use crate::scalar::{ArrayId, Literal, Node, NodeId, Sum, VariableId};

/// The most elements of a window.
const LONGEST: i64 = 1 << 24;
/// The fewest elements of a window.
const FEWEST: i64 = 2;

/// A part of an array.
#[derive(Clone, Debug)]
pub(super) struct Window {
    array: ArrayId,
    /// The terms of where it begins, sorted.
    base: Vec<(NodeId, i64)>,
    /// The number of where it begins.
    low: i64,
    length: i64,
    name: String,
}

/// The stores of a loop to one array.
#[derive(Default)]
struct Stores {
    /// The statements that have to do with the array.
    number: usize,
    /// Those that the loop is sure to do, with one base.
    sure: usize,
    base: Option<Vec<(NodeId, i64)>>,
    extent: Option<Extent>,
}

/// The elements that accesses with one base need, as numbers behind it: the first, and that behind the
/// last.
type Extent = (i64, i64);

/// What a loop is sure to read.
struct Reads<'p, 'k> {
    printer: &'p Printer<'k>,
    /// What `Let`s stand for, with those of the loop.
    lets: Lets,
    /// The rounds of the loops around, from the one that is looked at inwards.
    rounds: HashMap<VariableId, u32>,
    /// What the loop binds.
    inside: BTreeSet<VariableId>,
    found: BTreeMap<(ArrayId, Vec<(NodeId, i64)>), Extent>,
    stores: BTreeMap<ArrayId, Stores>,
}

impl Printer<'_> {
    /// Cuts the windows of a loop; gives how many there were before.
    pub(super) fn cut_windows(
        &mut self,
        counter: VariableId,
        count: NodeId,
        body: &[Statement<Lowered>],
    ) -> usize {
        let before = self.windows.len();
        let Some(rounds) = self.kernel.tables.nodes.literal(count).map(Literal::u32) else {
            return before;
        };
        let mut inside = BTreeSet::from([counter]);
        for statement in body {
            statement.visit(&mut |inner| inside.extend(inner.binds()));
        }
        let mut reads = Reads {
            printer: self,
            lets: self.lets.clone(),
            rounds: HashMap::new(),
            inside,
            found: BTreeMap::new(),
            stores: BTreeMap::new(),
        };
        for statement in body {
            statement.visit(&mut |inner| {
                let nodes = &self.kernel.tables.nodes;
                for array in inner.mentions(nodes) {
                    reads.stores.entry(array).or_default().number += 1;
                }
            });
        }
        reads.rounds(counter, rounds, body);
        let Reads { found, stores, .. } = reads;
        for ((array, base), extent) in found {
            self.cut(array, base, extent);
        }
        for (array, stores) in stores {
            if let (Some(base), Some(extent)) = (stores.base, stores.extent)
                && stores.sure == stores.number
            {
                self.cut(array, base, extent);
            }
        }
        before
    }

    fn cut(&mut self, array: ArrayId, base: Vec<(NodeId, i64)>, (low, end): Extent) {
        if !(FEWEST..=LONGEST).contains(&(end - low)) {
            return;
        }
        let terms: Vec<NodeId> = base.iter().map(|(node, _)| *node).collect();
        self.begin(&terms);
        for node in terms {
            self.value(node);
        }
        let start = Sum {
            terms: base.clone(),
            constant: low,
        };
        let start = linear::text(&start, |node| self.text(node));
        let (name, length) = (self.fresh("w"), end - low);
        let (of, ty) = (self.array(array), self.array_type(array));
        let reference = match self.access(array) {
            Access::Slice => "&",
            _ => "&mut ",
        };
        self.line(&format!(
            "let {name}: {reference}[{ty}] = {reference}{of}[{start}..][..{length}usize];"
        ));
        self.windows.push(Window {
            array,
            base,
            low,
            length,
            name,
        });
    }

    /// Where an element that is read is: the window that its index is sure to be in, or the array; and
    /// the index there.
    pub(super) fn place(&self, array: ArrayId, index: NodeId) -> (Option<&str>, Sum) {
        let index = linear::of(&self.kernel.tables.nodes, &self.lets, index);
        let found = self.in_window(array, &index, |variable| self.rounds.get(&variable));
        found.map_or((None, index), |(window, index)| (Some(&window.name), index))
    }

    /// The window that an element is stored in, and the index there.
    pub(super) fn written_window(&self, array: ArrayId, index: NodeId) -> Option<(&str, Sum)> {
        let index = self.index_in_piece(&self.lets, array, index)?;
        let found = self.in_window(array, &index, |variable| self.rounds.get(&variable))?;
        Some((&found.0.name, found.1))
    }

    /// An index as one of the block's own piece.
    fn index_in_piece(&self, lets: &Lets, array: ArrayId, index: NodeId) -> Option<Sum> {
        let (Access::Chunk(n) | Access::Ragged(n)) = self.access(array) else {
            return None;
        };
        let nodes = &self.kernel.tables.nodes;
        linear::without(linear::of(nodes, lets, index), nodes, self.block?, n.into())
    }

    fn in_window<'s>(
        &'s self,
        array: ArrayId,
        index: &Sum,
        rounds: impl Fn(VariableId) -> Option<&'s u32>,
    ) -> Option<(&'s Window, Sum)> {
        let windows = self.windows.iter().rev().filter(|w| w.array == array);
        windows.into_iter().find_map(|window| {
            let mut terms = index.terms.clone();
            terms.retain(|term| !window.base.contains(term));
            let is_all = terms.len() + window.base.len() == index.terms.len();
            let (low, end) = extent(&terms, index.constant, |id| self.counted(id, &rounds))?;
            let fits = low >= window.low && end <= window.low + window.length;
            (is_all && fits).then(|| {
                let constant = index.constant - window.low;
                (window, Sum { terms, constant })
            })
        })
    }

    /// The rounds of the loop that a node is the counter of.
    fn counted<'s>(
        &'s self,
        id: NodeId,
        rounds: impl Fn(VariableId) -> Option<&'s u32>,
    ) -> Option<u32> {
        match self.kernel.tables.nodes.node(id) {
            Node::Variable(variable) => rounds(variable).copied(),
            _ => None,
        }
    }
}

/// The least value of a sum of counters, and one more than the greatest.
fn extent(
    terms: &[(NodeId, i64)],
    constant: i64,
    rounds: impl Fn(NodeId) -> Option<u32>,
) -> Option<Extent> {
    let (mut low, mut high) = (constant, constant);
    for (id, factor) in terms {
        let last = i64::from(rounds(*id)?.checked_sub(1)?).checked_mul(*factor)?;
        let end = if last < 0 { &mut low } else { &mut high };
        *end = end.checked_add(last)?;
    }
    Some((low, high.checked_add(1)?))
}

impl Reads<'_, '_> {
    /// The accesses of a loop.
    fn rounds(&mut self, counter: VariableId, rounds: u32, body: &[Statement<Lowered>]) {
        if rounds == 0 || body.iter().any(may_leave) {
            return;
        }
        self.rounds.insert(counter, rounds);
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement<Lowered>) {
        match statement {
            Statement::While { .. } => return,
            Statement::If { condition, .. } => return self.expressions(&[*condition]),
            _ => self.expressions(&statement.nodes()),
        }
        let nodes = &self.printer.kernel.tables.nodes;
        match statement {
            Statement::Let { variable, value } => {
                let sum = linear::of_let(nodes, &self.lets, *value);
                self.lets.extend(sum.map(|sum| (*variable, sum)));
            }
            Statement::Read { array, index, .. } => self.access(*array, *index),
            Statement::Store { array, index, .. } => self.store(*array, *index),
            Statement::Loop {
                counter,
                bounds: [count],
                body,
                ..
            } => {
                if let Some(rounds) = nodes.literal(*count).map(Literal::u32) {
                    self.rounds(*counter, rounds, body);
                }
            }
            _ => {}
        }
    }

    /// The elements that are read where these are evaluated.
    fn expressions(&mut self, roots: &[NodeId]) {
        let nodes = &self.printer.kernel.tables.nodes;
        let (mut stack, mut seen) = (roots.to_vec(), BTreeSet::new());
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match nodes.node(id) {
                Node::Select { condition, .. } => stack.push(condition),
                node => {
                    if let Node::Load { array, index } = node {
                        self.access(array, index);
                    }
                    stack.extend(node.operands());
                }
            }
        }
    }

    fn access(&mut self, array: ArrayId, index: NodeId) {
        if self.printer.access(array) != Access::Slice || self.printer.is_vouched(index) {
            return;
        }
        let sum = linear::of(&self.printer.kernel.tables.nodes, &self.lets, index);
        if let Some((base, (low, end))) = self.elements(array, sum) {
            let all = self.found.entry((array, base)).or_insert((low, end));
            *all = (all.0.min(low), all.1.max(end));
        }
    }

    fn store(&mut self, array: ArrayId, index: NodeId) {
        let Some(sum) = self.printer.index_in_piece(&self.lets, array, index) else {
            return;
        };
        let found = self.elements(array, sum);
        let stores = self.stores.entry(array).or_default();
        if let Some((base, (low, end))) = found
            && stores.base.as_ref().is_none_or(|known| *known == base)
        {
            let (first, last) = stores.extent.unwrap_or((low, end));
            stores.extent = Some((first.min(low), last.max(end)));
            stores.base = Some(base);
            stores.sure += 1;
        }
    }

    /// The elements that an index goes through: where they begin, and the first and the last. Nothing if
    /// there is a window of them, or they do not begin at one place.
    fn elements(&self, array: ArrayId, sum: Sum) -> Option<(Vec<(NodeId, i64)>, Extent)> {
        let nodes = &self.printer.kernel.tables.nodes;
        let rounds = |variable| {
            let own = self.rounds.get(&variable);
            own.or_else(|| self.printer.rounds.get(&variable))
        };
        if self.printer.in_window(array, &sum, rounds).is_some() {
            return None;
        }
        let own = |id| {
            self.printer
                .counted(id, |variable| self.rounds.get(&variable))
        };
        let (rest, mut base): (Vec<_>, Vec<_>) = sum
            .terms
            .into_iter()
            .partition(|(id, _)| own(*id).is_some());
        base.sort_unstable();
        let found = extent(&rest, sum.constant, own)?;
        let roots: Vec<NodeId> = base.iter().map(|(id, _)| *id).collect();
        let changes = |id: NodeId| match nodes.node(id) {
            Node::Variable(variable) => self.inside.contains(&variable),
            node => matches!(node, Node::Load { .. }),
        };
        let mut parts = nodes.post_order(&roots, |_| false).into_iter();
        (!parts.any(changes)).then_some((base, found))
    }
}

/// Returns `true` if a statement may end the loop that it is in the body of.
pub(super) fn may_leave(statement: &Statement<Lowered>) -> bool {
    match statement {
        Statement::Break => true,
        Statement::If {
            then, otherwise, ..
        } => then.iter().chain(otherwise).any(may_leave),
        _ => false,
    }
}
