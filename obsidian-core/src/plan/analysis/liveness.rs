//! From where to where in the text each array is needed.
//!
//! Before: a lowered kernel. After: a table with a range of positions for each array that is not a
//! parameter, and the ranges of the loops that hand out warps. Nothing is changed. A position is a
//! statement; a statement that contains others has a position at its start and one at its end.
//!
//! An array begins at the first statement beside its `Allocate` that mentions it or contains a
//! mention: until then nothing is in it, and the stages that make what it stores may stand between
//! the two. Every mention counts: loads in values, indices, conditions and loop bounds, elements
//! that are stored, read or changed. A mention inside a loop of an array that was begun outside of
//! it keeps the array until the loop ends, as the next round, or another thread, mentions it again.
//! An array that is begun inside a loop is each round's own.
//!
//! It runs on the lowered kernel, where one loop over threads is one statement and not several
//! pieces.

use crate::ir::{Kernel, Level, LevelledLoop, Lowered, Statement};
use crate::ordered::Map;
use crate::scalar::{ArrayId, Literal, NodeId};

/// Positions in the text, both included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Range {
    /// The first position.
    pub first: usize,
    /// The last position.
    pub last: usize,
}

impl Range {
    /// Have the two ranges a position in common?
    pub fn meets(self, other: Range) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// A loop that hands out warps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WarpLoop {
    /// From the loop's start to its end.
    pub range: Range,
    /// How many virtual warps there are, if that is known.
    pub count: Option<u32>,
}

/// How long an array is needed, and by whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Life {
    /// From the first statement that mentions it to the last that may need it; its `Allocate` if
    /// none does.
    pub range: Range,
    /// The loop over warps that it is begun in, as an index into [`Liveness::warp_loops`]; none if
    /// it is the block's.
    pub warp_loop: Option<usize>,
}

/// How long each array is needed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Liveness {
    /// The life of each array that is not a parameter.
    pub lives: Map<ArrayId, Life>,
    /// The loops over warps, in the order of the text.
    pub warp_loops: Vec<WarpLoop>,
}

/// Finds out how long each array is needed.
pub fn liveness(kernel: &Kernel<Lowered>) -> Liveness {
    let mut walk = Walk {
        kernel,
        found: Liveness::default(),
        position: 0,
        warp_loop: None,
        depth: 0,
        fresh: Map::new(),
        mentioned: Vec::new(),
    };
    walk.list(&kernel.body);
    walk.found
}

struct Walk<'k> {
    kernel: &'k Kernel<Lowered>,
    found: Liveness,
    position: usize,
    warp_loop: Option<usize>,
    /// How many statements contain the present one.
    depth: usize,
    /// Arrays that nothing has mentioned yet, with the depth of their `Allocate`.
    fresh: Map<ArrayId, usize>,
    /// The arrays that were mentioned in the statements around the present one so far, each about
    /// once a statement: what a statement leaves here is what it may have changed.
    mentioned: Vec<ArrayId>,
}

impl Walk<'_> {
    fn list(&mut self, list: &[Statement<Lowered>]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement<Lowered>) {
        let first = self.position;
        self.position += 1;
        if let Statement::Allocate { array, .. } = statement {
            self.found.lives.insert(
                *array,
                Life {
                    range: Range { first, last: first },
                    warp_loop: self.warp_loop,
                },
            );
            self.fresh.insert(*array, self.depth);
        }
        let outside = self.warp_loop;
        if let Statement::Loop {
            kind: LevelledLoop::Distribute(Level::Warp),
            bounds: [count],
            ..
        } = statement
        {
            self.warp_loop = Some(self.found.warp_loops.len());
            self.found.warp_loops.push(WarpLoop {
                range: Range { first, last: first },
                count: self.literal(*count),
            });
        }
        let before = self.mentioned.len();
        self.depth += 1;
        statement
            .lists()
            .into_iter()
            .for_each(|list| self.list(list));
        self.depth -= 1;
        // The condition of a `while` is evaluated after its head, so what a statement evaluates
        // counts at both of its ends.
        let mentioned = statement.mentions(&self.kernel.tables.nodes);
        let last = if statement.lists().is_empty() {
            first
        } else {
            self.position
        };
        self.position = last + 1;
        let is_loop = !matches!(statement, Statement::If { .. });
        let mut inside = self.mentioned.split_off(before);
        inside.extend(&mentioned);
        inside.sort_unstable();
        inside.dedup();
        for array in &inside {
            let Some(life) = self.found.lives.get_mut(array) else {
                continue;
            };
            let here = mentioned.contains(array);
            let carried = is_loop && life.range.first < first && life.range.last > first;
            if here || carried {
                life.range.last = life.range.last.max(last);
            }
            if life.range.last >= first
                && life.range.first < first
                && self.fresh.get(array) == Some(&self.depth)
            {
                life.range.first = first;
                self.fresh.remove(array);
            }
        }
        self.mentioned.append(&mut inside);
        if let (
            Statement::Loop {
                kind: LevelledLoop::Distribute(Level::Warp),
                ..
            },
            Some(warp_loop),
        ) = (
            statement,
            self.warp_loop
                .and_then(|n| self.found.warp_loops.get_mut(n)),
        ) {
            warp_loop.range.last = last;
        }
        self.warp_loop = outside;
    }

    fn literal(&self, node: NodeId) -> Option<u32> {
        self.kernel.tables.nodes.literal(node).map(Literal::u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::read;

    /// Each array's range, by name, in a block.
    fn lives(body: &str) -> Vec<(String, usize, usize)> {
        let kernel = read(&format!("kernel k {{ parameter 0 out: u32[8_u32] inout distribute Block b < 4_u32 {{ {body} }} }}")).unwrap();
        let found = liveness(&kernel);
        found
            .lives
            .iter()
            .map(|(id, life)| {
                (
                    kernel.tables.arrays[id.0 as usize].name.clone(),
                    life.range.first,
                    life.range.last,
                )
            })
            .collect()
    }

    fn life(body: &str) -> (usize, usize) {
        let all = lives(&format!("allocate s: u32[8_u32] shared {body}"));
        (all[0].1, all[0].2)
    }

    #[test]
    fn an_array_begins_where_it_is_first_mentioned() {
        assert_eq!(
            life("wait Block forall Block i < 8_u32 { store s[i] = 1_u32 } wait Block"),
            (3, 5)
        );
        let body = "wait Block if (out[0_u32] == 0_u32) { wait Block forall Block i < 8_u32 { store s[i] = 1_u32 } }";
        assert_eq!(
            life(body).0,
            3,
            "not in the middle of what contains the mention"
        );
    }

    // Position 0 is the loop over blocks, 1 the allocation, 2 the statement after it.
    #[test]
    fn an_array_that_is_not_used_lives_at_its_allocation() {
        assert_eq!(life("wait Block"), (1, 1));
    }

    #[test]
    fn a_use_in_a_loop_lasts_until_the_loop_ends() {
        assert_eq!(
            life("forall Block i < 8_u32 { store s[i] = 1_u32 store out[i] = 1_u32 } wait Block"),
            (2, 5)
        );
        assert_eq!(
            life(
                "for sequential Block k in 0_u32 .. 4_u32 step 1_u32 { forall Block i < 8_u32 { store s[i] = 1_u32 } wait Block }"
            ),
            (2, 7)
        );
    }

    #[test]
    fn every_mention_counts() {
        assert_eq!(
            life("forall Block i < 1_u32 { store out[s[i]] = 1_u32 }"),
            (2, 4),
            "target index"
        );
        assert_eq!(life("forall Block i < s[0_u32] { }"), (2, 3), "loop bound");
        assert_eq!(life("if (s[0_u32] == 0_u32) { }"), (2, 3), "condition");
        assert_eq!(
            life("forall Block i < 1_u32 { while { } holds (s[i] == 0_u32) { } }"),
            (2, 5),
            "condition of a while"
        );
        assert_eq!(
            life("forall Block i < 1_u32 { atomic add out[s[i]] (1_u32) }"),
            (2, 4),
            "index of an atomic"
        );
        assert_eq!(
            life("forall Block i < 1_u32 { atomic add s[i] (1_u32) }"),
            (2, 4),
            "atomic"
        );
        assert_eq!(
            life("forall Block i < 1_u32 { read x = s[i] }"),
            (2, 4),
            "read"
        );
    }

    #[test]
    fn an_array_begun_in_a_loop_ends_with_its_last_use() {
        let body = "for sequential Block k in 0_u32 .. 4_u32 step 1_u32 {
            allocate s: u32[8_u32] shared forall Block i < 8_u32 { store s[i] = 1_u32 } wait Block wait Block }";
        assert_eq!(lives(body), [("s".to_owned(), 3, 5)]);
    }

    #[test]
    fn arrays_of_warps_know_their_loop() {
        let kernel = read("kernel k { distribute Block b < 4_u32 { allocate a: u32[8_u32] shared distribute Warp w < 8_u32 { allocate s: u32[8_u32] shared } } }").unwrap();
        let found = liveness(&kernel);
        assert_eq!(
            found.warp_loops,
            [WarpLoop {
                range: Range { first: 2, last: 4 },
                count: Some(8)
            }]
        );
        assert_eq!(
            found
                .lives
                .values()
                .map(|life| life.warp_loop)
                .collect::<Vec<_>>(),
            [None, Some(0)]
        );
    }
}
