//! Loops that only copy elements that lie behind each other, as copies of slices.
//!
//! ```text
//! for v1 in 0u32..16u32 { a3_tile[(v0 as usize).wrapping_mul(16usize).wrapping_add(v1 as usize)] = w2[v1 as usize]; }
//!
//! a3_tile[(v0 as usize).wrapping_mul(16usize)..][..16usize].copy_from_slice(&w2[0usize..][..16usize]);
//! ```
//!
//! The compiler writes out short loops before it makes vectors of them, and does not always find the copy again: then
//! each element is loaded and stored by itself.
//!
//! *Argument.* The loop accesses exactly the elements of both slices, and the two are of different arrays.
//!
//! *Limits.* One store of an element that is read, under no condition; arrays that are slices in the text; indices
//! that the user does not vouch for.

use super::linear;
use super::printer::{Access, Printer};
use crate::ir::{Lowered, Statement};
use crate::scalar::{ArrayId, Literal, Node, NodeId, Sum, VariableId};

/// Fewer elements are copied one by one.
const FEWEST: u32 = 4;

/// An element that is accessed.
type Element = (ArrayId, NodeId);

impl Printer<'_> {
    /// Prints a loop over threads as a copy; returns `false` if it is none.
    pub(super) fn copy(
        &mut self,
        counter: VariableId,
        count: NodeId,
        body: &[Statement<Lowered>],
    ) -> bool {
        let rounds = self.kernel.tables.nodes.literal(count).map(Literal::u32);
        let Some(rounds) = rounds.filter(|rounds| *rounds >= FEWEST) else {
            return false;
        };
        let is_name =
            |s: &Statement<Lowered>| matches!(s, Statement::Let { .. } | Statement::Read { .. });
        if !matches!(body, [names @ .., Statement::Store { .. }] if names.iter().all(is_name)) {
            return false;
        }
        let before = self.lets.clone();
        self.rounds.insert(counter, rounds);
        let slices = self
            .copied(body)
            .and_then(|elements| self.slices(counter, body, elements));
        self.rounds.remove(&counter);
        self.lets = before;
        let Some([(to, to_start), (from, from_start)]) = slices else {
            return false;
        };
        let terms = to_start.terms.iter().chain(&from_start.terms);
        let terms: Vec<NodeId> = terms.map(|(node, _)| *node).collect();
        self.begin(&terms);
        for node in terms {
            self.value(node);
        }
        let [to_start, from_start] =
            [to_start, from_start].map(|start| linear::text(&start, |node| self.text(node)));
        self.line(&format!(
            "{to}[{to_start}..][..{rounds}usize].copy_from_slice(&{from}[{from_start}..][..{rounds}usize]);"
        ));
        true
    }

    /// The element that a body stores, and the one that it reads for it. The names of the body are known then.
    fn copied(&mut self, body: &[Statement<Lowered>]) -> Option<[Element; 2]> {
        let nodes = &self.kernel.tables.nodes;
        let (last, names) = body.split_last()?;
        let mut read = None;
        for statement in names {
            match statement {
                Statement::Let { variable, value } => {
                    let sum = linear::of_let(nodes, &self.lets, *value)?;
                    self.lets.insert(*variable, sum);
                }
                Statement::Read {
                    variable,
                    array,
                    index,
                    ..
                } if read.is_none() => read = Some((*variable, (*array, *index))),
                _ => return None,
            }
        }
        let Statement::Store {
            array,
            index,
            value,
            ..
        } = last
        else {
            return None;
        };
        let from = match (nodes.node(*value), read) {
            (Node::Load { array, index }, None) => (array, index),
            (Node::Variable(variable), Some((name, from))) if variable == name => from,
            _ => return None,
        };
        let is_slice = |(array, index): Element| {
            !matches!(self.access(array), Access::Cells | Access::Gathered(_))
                && !self.is_vouched(index)
        };
        let to = (*array, *index);
        (from.0 != to.0 && is_slice(from) && is_slice(to)).then_some([to, from])
    }

    /// The names of the slices that a loop goes through, and where in them it begins.
    fn slices(
        &self,
        counter: VariableId,
        body: &[Statement<Lowered>],
        [to, from]: [Element; 2],
    ) -> Option<[(String, Sum); 2]> {
        let (window, index) = match self.written_window(to.0, to.1) {
            Some((window, index)) => (Some(window), index),
            None => {
                let index = self.index_here(to.0, to.1);
                (None, index.is_counted_here().then_some(index.sum)?)
            }
        };
        let to = (self.named(window, to.0), self.start(counter, body, index)?);
        let (window, index) = self.place(from.0, from.1);
        let index = index.is_counted_here().then_some(index.sum)?;
        let from = (
            self.named(window, from.0),
            self.start(counter, body, index)?,
        );
        Some([to, from])
    }

    fn named(&self, window: Option<&str>, array: ArrayId) -> String {
        window.map_or_else(|| self.array(array), str::to_owned)
    }

    /// An index without the counter that it goes through, if nothing else in it changes.
    fn start(&self, counter: VariableId, body: &[Statement<Lowered>], index: Sum) -> Option<Sum> {
        let nodes = &self.kernel.tables.nodes;
        let start = linear::without(index, nodes, counter, 1)?;
        let roots: Vec<NodeId> = start.terms.iter().map(|(node, _)| *node).collect();
        let is_inside = |variable: VariableId| {
            variable == counter || body.iter().any(|s| s.binds() == Some(variable))
        };
        let changes = |id: NodeId| {
            let node = nodes.node(id);
            node.is_load() || node.variable().is_some_and(&is_inside)
        };
        let mut parts = nodes.post_order(&roots, |_| false).into_iter();
        (!parts.any(changes)).then_some(start)
    }
}

#[cfg(test)]
mod tests {
    use crate::emit::cpu::{RUNTIME, function};
    use crate::ir::{Lowered, read};
    use crate::plan::WritePattern;

    /// The copies of slices in the text of a loop over 16 threads, and the loops that are left.
    fn copies(body: &str) -> (Vec<String>, usize) {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[64_u32] output \
             parameter 3 a: u32[n] inout distribute Block b < 4_u32 {{ \
             allocate s: u32[64_u32] shared forall Block i < 16_u32 {{ {body} }} }} }}"
        );
        let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let pattern = |array| match kernel.tables.array(array).name.as_str() {
            "out" => WritePattern::Chunks(16),
            _ => WritePattern::Scattered,
        };
        let text = function(&kernel, &pattern, RUNTIME);
        let lines = text.lines().map(str::trim);
        let copies = lines.filter(|line| line.contains("copy_from_slice"));
        (
            copies.map(str::to_owned).collect(),
            text.matches("for v").count(),
        )
    }

    #[test]
    fn a_loop_that_copies_neighbours_is_one_copy() {
        let of_x = "s[(i +' 32_u32)] = x[((b *' 16_u32) +' i)]";
        let (found, loops) = copies(&format!("store {of_x}"));
        assert_eq!(loops, 0);
        assert!(
            found[0].contains("[32usize..][..16usize].copy_from_slice(&w1[0usize..][..16usize]);"),
            "{found:?}"
        );
        // By a name, from an array of the block, and into the block's piece.
        assert_eq!(copies("read v = x[(n +' i)] store s[i] = v").0.len(), 1);
        assert_eq!(copies("store out[((b *' 16_u32) +' i)] = s[i]").0.len(), 1);
    }

    #[test]
    fn other_loops_stay() {
        for body in [
            "store s[i] = (x[i] + 1_u32)",
            "store s[i] = x[0_u32]",
            "store s[(i *' 2_u32)] = x[i]",
            "store s[i] = x[(i *' 3_u32)]",
            "store s[(15_u32 -' i)] = x[i]",
            "store s[i] = x[(i + n)]",
            "store s[i] = s[(i +' 16_u32)]",
            "store a[i] = x[i]",
            "read v = a[i] store s[i] = v",
            "if (n < 3_u32) { store s[i] = x[i] }",
            "store s[i] = x[i] store s[(i +' 16_u32)] = x[i]",
        ] {
            let (found, loops) = copies(body);
            assert_eq!((found.len(), loops), (0, 1), "{body}");
        }
    }
}
