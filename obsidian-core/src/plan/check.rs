//! What can be proved about how a kernel writes its outputs.
//!
//! Before: a levelled kernel. After: a table with the [`WritePattern`] of each output, and diagnostics (none yet). An output is
//! written in chunks if each of its stores stands, under no condition, in the one loop over blocks, at an index
//! `b * n + local` whose local part is a sum of loop counters that takes each value of a range once: its strides,
//! sorted, are 1, n1, n1 * n2, .. for the loops' lengths n1, n2, ..; several stores must cover 0 to n one after the other.
//! Only exact index arithmetic is followed, through names. What is not proved is [`WritePattern::Scattered`]: never wrong,
//! only slower.

use std::collections::BTreeMap;

use super::WritePattern;
use super::affine::Affine;
use crate::error::Diagnostic;
use crate::ir::{Kernel, Level, Statement};
use crate::scalar::{ArrayId, ArrayPlace, Literal, NodeId, Role, VariableId};

/// What is known about a kernel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Checked {
    /// How each output is written.
    pub patterns: BTreeMap<ArrayId, WritePattern>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Looks at how a kernel writes its outputs.
pub fn check(kernel: &Kernel) -> Checked {
    let mut walk = Walk { kernel, values: BTreeMap::new(), loops: Vec::new(), conditions: 0, stores: BTreeMap::new() };
    walk.list(&kernel.body);
    let mut checked = Checked::default();
    for (n, array) in kernel.tables.arrays.iter().enumerate() {
        if array.place == ArrayPlace::Global(Role::Output) {
            let id = ArrayId(n as u32);
            let stores = walk.stores.remove(&id).unwrap_or_default();
            checked.patterns.insert(id, chunks(&stores).map_or(WritePattern::Scattered, WritePattern::Chunks));
        }
    }
    checked
}

/// The elements that one store writes: `size` of them from `start` in the chunk of the block, whose size is `chunk`.
#[derive(Clone, Copy)]
struct Span {
    start: i128,
    size: i128,
    chunk: i128,
}

/// The size of the chunks, if the spans fill them.
fn chunks(stores: &[Option<Span>]) -> Option<u32> {
    let mut spans = stores.iter().copied().collect::<Option<Vec<Span>>>()?;
    spans.sort_by_key(|span| span.start);
    let chunk = spans.first()?.chunk;
    let end = spans.iter().try_fold(0, |end, span| (span.start == end && span.chunk == chunk).then_some(end + span.size))?;
    if end == chunk { chunk.try_into().ok() } else { None }
}

/// A loop around a statement.
#[derive(Clone, Copy)]
struct Around {
    counter: VariableId,
    count: Option<u32>,
    blocks: bool,
}

struct Walk<'k> {
    kernel: &'k Kernel,
    /// The values of names.
    values: BTreeMap<VariableId, NodeId>,
    loops: Vec<Around>,
    /// How many conditions are around.
    conditions: u32,
    stores: BTreeMap<ArrayId, Vec<Option<Span>>>,
}

impl Walk<'_> {
    fn list(&mut self, list: &[Statement]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let { variable, value } => {
                self.values.insert(*variable, *value);
            }
            Statement::Store { array, index, .. } => {
                let span = self.span(*index);
                self.stores.entry(*array).or_default().push(span);
            }
            // What follows a `break` in a loop is executed under a condition; the loop counts as one.
            Statement::If { .. } | Statement::While { .. } => {
                self.conditions += 1;
                statement.lists().into_iter().for_each(|list| self.list(list));
                self.conditions -= 1;
            }
            Statement::For { counter, end: count, body, .. }
            | Statement::ForAll { counter, count, body, .. }
            | Statement::Distribute { counter, count, body, .. } => {
                let count = self.kernel.tables.nodes.literal(*count).map(Literal::u32);
                let blocks = matches!(statement, Statement::Distribute { unit: Level::Block, .. });
                let mut breaks = false;
                statement.visit(&mut |s| breaks |= matches!(s, Statement::Break));
                self.conditions += u32::from(breaks);
                self.loops.push(Around { counter: *counter, count, blocks });
                self.list(body);
                self.loops.pop();
                self.conditions -= u32::from(breaks);
            }
            _ => {}
        }
    }

    /// The elements that a store at this index writes in all rounds of the loops around it.
    fn span(&self, index: NodeId) -> Option<Span> {
        let (first, inner) = self.loops.split_first()?;
        if self.conditions > 0 || !first.blocks {
            return None;
        }
        let mut affine = Affine::of(&self.kernel.tables.nodes, &self.values, index)?;
        let chunk = affine.terms.remove(&first.counter)?;
        let mut strides = Vec::new();
        for around in inner {
            let count = i128::from(around.count?);
            let stride = affine.terms.remove(&around.counter).unwrap_or(0);
            if count == 0 {
                return None;
            }
            // Counted backwards, a loop takes the same values.
            affine.constant += if stride < 0 { stride * (count - 1) } else { 0 };
            strides.push((stride.abs(), count));
        }
        strides.retain(|(_, count)| *count > 1);
        strides.sort_unstable();
        let size = strides.into_iter().try_fold(1, |size, (stride, count)| (stride == size).then_some(size * count))?;
        let known = affine.terms.values().all(|factor| *factor == 0);
        known.then_some(Span { start: affine.constant, size, chunk })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::read;

    fn pattern(body: &str) -> WritePattern {
        let text = format!("kernel k {{ parameter 0 n: u32 parameter 1 out: u32[64_u32] output distribute Block b < 4_u32 {{ {body} }} }}");
        let checked = check(&read(&text).unwrap());
        checked.patterns[&ArrayId(0)]
    }

    #[test]
    fn a_block_that_writes_each_element_of_its_chunk_writes_chunks() {
        assert_eq!(pattern("let base = (b *' 8_u32) forall Block i < 8_u32 { store out[(base +' i)] = 1_u32 }"), WritePattern::Chunks(8));
        let tile = "forall Block i < 8_u32 { for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 { store out[(((b *' 32_u32) +' (k *' 8_u32)) +' i)] = 1_u32 } }";
        assert_eq!(pattern(tile), WritePattern::Chunks(32));
        assert_eq!(pattern("forall Block i < 8_u32 { store out[((b *' 8_u32) +' (7_u32 -' i))] = 1_u32 }"), WritePattern::Chunks(8));
        assert_eq!(pattern("forall Block i < 1_u32 { store out[b] = 1_u32 }"), WritePattern::Chunks(1));
    }

    #[test]
    fn two_halves_are_a_chunk() {
        let half = |at: u32| format!("forall Block i{at} < 4_u32 {{ store out[((b *' 8_u32) +' (i{at} +' {at}_u32))] = 1_u32 }}");
        assert_eq!(pattern(&format!("{} {}", half(4), half(0))), WritePattern::Chunks(8));
        assert_eq!(pattern(&format!("{} {}", half(4), half(3))), WritePattern::Scattered);
    }

    #[test]
    fn what_is_not_proved_is_scattered() {
        assert_eq!(pattern("forall Block i < 8_u32 { store out[((b *' 9_u32) +' i)] = 1_u32 }"), WritePattern::Scattered, "a gap");
        assert_eq!(pattern("forall Block i < 8_u32 { store out[((b *' 4_u32) +' i)] = 1_u32 }"), WritePattern::Scattered, "an overlap");
        assert_eq!(pattern("forall Block i < n { store out[((b *' 8_u32) +' i)] = 1_u32 }"), WritePattern::Scattered, "an unknown count");
        assert_eq!(pattern("forall Block i < 8_u32 { store out[((b * 8_u32) + i)] = 1_u32 }"), WritePattern::Scattered, "wrapping");
        assert_eq!(
            pattern("forall Block i < 8_u32 { if (i < n) { store out[((b *' 8_u32) +' i)] = 1_u32 } }"),
            WritePattern::Scattered,
            "a condition"
        );
        assert_eq!(pattern(""), WritePattern::Scattered, "nothing");
        let twice =
            "forall Block i < 8_u32 { for sequential Thread k in 0_u32 .. 2_u32 step 1_u32 { store out[((b *' 8_u32) +' i)] = k } }";
        assert_eq!(pattern(twice), WritePattern::Scattered, "twice");
    }
}
