//! Windows: the part of an array that a loop goes through, cut out once before it.
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
//! What a block goes through window by window is fetched in advance (`rt::ahead`): the processor does not see that the next
//! window follows.
//!
//! A block's piece of an array that is written has one window or none: there is one if all accesses of
//! the loop to the piece are in it.
//!
//! *Limits.* Parameters, and not what a block stores; indices that the user does not vouch for; no
//! atomic operations; windows of at most [`LONGEST`] elements, and of [`FEWEST`] at least.

use std::ops::RangeInclusive;

use crate::hashed::{HashMap, HashSet};

use super::expression::Index;
use super::lanes::used_in;
use super::linear::{self, Lets};
use super::printer::{Access, Printer};
use crate::ir::{Lowered, Statement};
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, Literal, Node, NodeId, Nodes, Sum, VariableId};

/// The most elements of a window.
const LONGEST: i64 = 1 << 24;
/// The fewest elements of a window.
const FEWEST: i64 = 2;

/// The bytes of a window that is worth to be fetched in advance.
const STREAMED: RangeInclusive<i64> = 1 << 7..=8 << 10;

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

/// What a loop does with the block's piece of one array.
#[derive(Default)]
struct InPiece {
    /// The accesses of the loop.
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
    inside: Set<VariableId>,
    found: Map<(ArrayId, Vec<(NodeId, i64)>), Extent>,
    pieces: Map<ArrayId, InPiece>,
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
        let mut inside = Set::from([counter]);
        for statement in body {
            statement.visit(&mut |inner| inside.extend(inner.binds()));
        }
        let mut reads = Reads {
            printer: self,
            lets: self.lets.clone(),
            rounds: HashMap::default(),
            inside,
            found: Map::new(),
            pieces: Map::new(),
        };
        for statement in body {
            statement.visit(&mut |inner| {
                for array in accesses(&self.kernel.tables.nodes, inner) {
                    reads.pieces.entry(array).or_default().number += 1;
                }
            });
        }
        reads.rounds(counter, rounds, body);
        let Reads { found, pieces, .. } = reads;
        for ((array, base), extent) in found {
            self.cut(array, base, extent);
        }
        for (array, piece) in pieces {
            if let (Some(base), Some(extent)) = (piece.base, piece.extent)
                && piece.sure == piece.number
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
        let part = format!("{of}[{start}..][..{length}usize]");
        let (ty, part) = match self.access(array) {
            Access::Slice => (format!("&[{ty}]"), format!("&{part}")),
            Access::Cells => (
                format!("rt::Cells<'_, {ty}>"),
                format!("{of}.window({start}, {length}usize)"),
            ),
            _ => (format!("&mut [{ty}]"), format!("&mut {part}")),
        };
        self.line(&format!("let {name}: {ty} = {part};"));
        if self.is_of_a_stream(array, &base, length) {
            self.line(&format!("rt::ahead({name});"));
        }
        self.windows.push(Window {
            array,
            base,
            low,
            length,
            name,
        });
    }

    /// Is a window the next part of what a block alone reads, one part after the other?
    fn is_of_a_stream(&self, array: ArrayId, base: &[(NodeId, i64)], length: i64) -> bool {
        let nodes = &self.kernel.tables.nodes;
        let bytes = length * i64::from(self.kernel.tables.array(array).ty.bytes());
        let of_block = |(term, _): &(NodeId, i64)| {
            let used = used_in(nodes, *term);
            self.block.is_some_and(|block| used.contains(&block))
        };
        let is_slice = matches!(self.access(array), Access::Slice);
        is_slice
            && STREAMED.contains(&bytes)
            && base.iter().any(of_block)
            && !base.iter().all(of_block)
    }

    /// Where an element that is read is: the window that its index is sure to be in, or the array; and
    /// the index there.
    pub(super) fn place(&self, array: ArrayId, index: NodeId) -> (Option<&str>, Index) {
        let index = self.index_here(array, index);
        if !index.is_counted_here() {
            return (None, index);
        }
        let found = self.in_window(array, &index.sum, |variable| self.rounds.get(&variable));
        match found {
            Some((window, sum)) => (Some(&window.name), sum.into()),
            None => (None, index),
        }
    }

    /// The window that an element is stored in, and the index there.
    pub(super) fn written_window(&self, array: ArrayId, index: NodeId) -> Option<(&str, Sum)> {
        let index = match self.access(array) {
            Access::Cells => linear::of(&self.kernel.tables.nodes, &self.lets, index),
            _ => self.index_in_piece(&self.lets, array, index)?,
        };
        let found = self.in_window(array, &index, |variable| self.rounds.get(&variable))?;
        Some((&found.0.name, found.1))
    }

    /// An index as one of the block's own piece.
    fn index_in_piece(&self, lets: &Lets, array: ArrayId, index: NodeId) -> Option<Sum> {
        let n = self.access(array).piece()?;
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

/// The arrays that a statement itself accesses, each once for each access.
fn accesses(nodes: &Nodes, statement: &Statement<Lowered>) -> Vec<ArrayId> {
    let loaded = nodes.post_order(&statement.nodes(), |_| false).into_iter();
    let loaded = loaded.filter_map(|id| nodes.node(id).loaded());
    let own = match statement {
        Statement::Store { array, .. }
        | Statement::Atomic { array, .. }
        | Statement::Read { array, .. }
        | Statement::Allocate { array, .. } => Some(*array),
        _ => None,
    };
    loaded.chain(own).collect()
}

impl Reads<'_, '_> {
    /// The accesses of a loop.
    fn rounds(&mut self, counter: VariableId, rounds: u32, body: &[Statement<Lowered>]) {
        if rounds == 0 || body.iter().any(Statement::may_leave) {
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
        if let Some(variable) = statement.binds() {
            self.lets.remove(&variable);
        }
        match statement {
            Statement::Let { variable, value } => {
                let sum = linear::of_let(nodes, &self.lets, *value);
                self.lets.extend(sum.map(|sum| (*variable, sum)));
            }
            Statement::Read { array, index, .. } => self.access(*array, *index),
            Statement::Store { array, index, .. } => self.access(*array, *index),
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
        let (mut stack, mut seen) = (roots.to_vec(), HashSet::default());
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
        if !matches!(self.printer.access(array), Access::Slice | Access::Cells) {
            return self.in_piece(array, index);
        }
        if self.printer.is_vouched(index) {
            return;
        }
        let sum = linear::of(&self.printer.kernel.tables.nodes, &self.lets, index);
        if let Some((base, (low, end))) = self.elements(array, sum) {
            let all = self.found.entry((array, base)).or_insert((low, end));
            *all = (all.0.min(low), all.1.max(end));
        }
    }

    fn in_piece(&mut self, array: ArrayId, index: NodeId) {
        let Some(sum) = self.printer.index_in_piece(&self.lets, array, index) else {
            return;
        };
        let found = self.elements(array, sum);
        let piece = self.pieces.entry(array).or_default();
        if let Some((base, (low, end))) = found
            && piece.base.as_ref().is_none_or(|known| *known == base)
        {
            let (first, last) = piece.extent.unwrap_or((low, end));
            piece.extent = Some((first.min(low), last.max(end)));
            piece.base = Some(base);
            piece.sure += 1;
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
        let changes = |id: NodeId| {
            let node = nodes.node(id);
            node.is_load()
                || node
                    .variable()
                    .is_some_and(|variable| self.inside.contains(&variable))
        };
        let mut parts = nodes.post_order(&roots, |_| false).into_iter();
        (!parts.any(changes)).then_some((base, found))
    }
}

#[cfg(test)]
mod tests {
    use crate::emit::cpu::{RUNTIME, function};
    use crate::ir::{Lowered, read};
    use crate::plan::WritePattern;
    use crate::scalar::ArrayId;

    /// The lines of a block's text, for an input `x`, an output `out` in chunks of 8, and an array `a` in
    /// pieces of 8 that is changed in place.
    fn block(body: &str) -> Vec<String> {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[64_u32] input parameter 2 out: u32[64_u32] output \
             parameter 3 a: u32[n] inout distribute Block b < 8_u32 {{ forall Block i < 8_u32 {{ {body} }} }} }}"
        );
        let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let pattern = |id| match id {
            ArrayId(1) => WritePattern::Chunks(8),
            _ => WritePattern::Own(8),
        };
        let text = function(&kernel, &pattern, RUNTIME);
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines
            .skip_while(|line| !line.starts_with("call.blocks"))
            .collect()
    }

    /// The windows that are cut: what they are parts of.
    fn windows(body: &str) -> Vec<String> {
        let lines = block(body);
        let cut = lines.iter().filter_map(|line| line.strip_prefix("let w"));
        cut.map(|line| line.split_once(" = ").unwrap().1.to_owned())
            .collect()
    }

    /// Element `i` of the block, and its neighbour.
    const OWN: &str = "((b *' 8_u32) +' i)";

    #[test]
    fn a_window_is_cut_for_what_a_loop_is_sure_to_access() {
        let of_x = "&a0_x[(v1_b as usize).wrapping_mul(8usize)..][..8usize];";
        assert_eq!(windows(&format!("let s = x[{OWN}]")), [of_x]);
        assert_eq!(
            windows(&format!("if (n < 3_u32) {{ let s = x[{OWN}] }}")),
            [""; 0]
        );
        assert_eq!(
            windows(&format!("let s = select((n < 3_u32), x[{OWN}], 0_u32)")),
            [""; 0]
        );
        // Two neighbours are one window of 9, and both sides of a choice none.
        let two = format!("let s = (x[{OWN}] + x[({OWN} +' 1_u32)])");
        let of_x = "&a0_x[(v1_b as usize).wrapping_mul(8usize)..][..9usize];";
        assert_eq!(windows(&two), [of_x]);
        // Backwards, it begins where the last round is.
        let back = "let s = x[(((b *' 8_u32) +' 7_u32) -' i)]";
        assert_eq!(
            windows(back),
            ["&a0_x[(v1_b as usize).wrapping_mul(8usize)..][..8usize];"]
        );
    }

    #[test]
    fn a_piece_has_one_window_for_all_that_a_loop_does_with_it() {
        let of_a = "&mut a2_a[0usize..][..8usize];";
        let both = format!("store a[{OWN}] = (a[{OWN}] + 1_u32)");
        assert_eq!(windows(&both), [of_a]);
        // What is not sure is done, or goes elsewhere, needs the piece itself.
        let maybe = format!("{both} if (n < 3_u32) {{ store a[{OWN}] = 1_u32 }}");
        assert_eq!(windows(&maybe), [""; 0]);
        let arm = format!("store a[{OWN}] = select((n < 3_u32), a[{OWN}], 1_u32)");
        assert_eq!(windows(&arm), [""; 0]);
        let atomic = format!("{both} atomic old = add a[{OWN}] (1_u32)");
        assert_eq!(windows(&atomic), [""; 0]);
        let other = format!("store a[((b *' 8_u32) +' (i ^ 1_u32))] = a[{OWN}]");
        assert_eq!(windows(&other), [""; 0]);
    }

    #[test]
    fn an_element_of_a_piece_is_counted_from_where_the_piece_begins() {
        let lines =
            block("let y = (b * 8_u32) store a[((y + i) & 63_u32)] = a[((y + i) & 63_u32)]");
        let text = lines.join("\n");
        let start = ".wrapping_sub((v1_b as usize).wrapping_mul(8usize))";
        assert_eq!(text.matches(start).count(), 2, "{text}");
        let text = block(&format!("if (n < 3_u32) {{ store a[{OWN}] = a[{OWN}] }}")).join("\n");
        assert!(
            text.contains("a2_a[v2_i as usize] = a2_a[v2_i as usize];"),
            "{text}"
        );
    }
}
