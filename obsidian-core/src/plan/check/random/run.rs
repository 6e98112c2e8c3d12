//! Goes through a program round by round, with nothing of what the proofs are made of.

use super::programs::{Cell, Kind, Leaves, Part, Program};
use super::term::{Term, Values};
use super::text::ROUNDS;
use crate::ir::{Kernel, Levelled};
use crate::ordered::{Map, Set};
use crate::plan::WritePattern;
use crate::scalar::{BinaryOp, Node, NodeId};

/// More than this is not gone through of an output, and of other arrays.
const MOST_STEPS: [u32; 2] = [20_000, 4_000];

/// What a launch gives: the two arguments; and what it asks for beside what the program requires.
pub(super) struct Launch<'k> {
    pub(super) arguments: [u32; 2],
    /// Elements of parameters.
    pub(super) least: u32,
    pub(super) kernel: &'k Kernel<Levelled>,
    /// Numbers that it has to be able to compute.
    pub(super) rounds: &'k [NodeId],
    /// How the output is said to be written.
    pub(super) pattern: WritePattern,
}

impl Launch<'_> {
    fn values(&self) -> Values {
        let [n, w] = self.arguments;
        [n, w, 0, 0, 0, 0, 0, 0]
    }

    /// Does it compute all numbers of rounds?
    fn computes(&self) -> bool {
        self.rounds.iter().all(|id| self.number(*id).is_some())
    }

    /// A number as a launch works it out.
    fn number(&self, id: NodeId) -> Option<u32> {
        let tables = &self.kernel.tables;
        match tables.nodes.node(id) {
            Node::Literal(literal) => Some(literal.u32()),
            Node::Variable(variable) => {
                let name = tables.variables[variable.0 as usize].name.as_deref();
                let at = ["n", "w"].iter().position(|own| Some(*own) == name);
                Some(self.arguments[at.expect("an argument")])
            }
            Node::Binary {
                op, left, right, ..
            } => {
                let (x, y) = (self.number(left)?, self.number(right)?);
                match op {
                    BinaryOp::Add => x.checked_add(y),
                    BinaryOp::Sub => x.checked_sub(y),
                    BinaryOp::Mul => x.checked_mul(y),
                    BinaryOp::Div => Some(x.checked_div(y).unwrap_or(0)),
                    BinaryOp::Rem => Some(x.checked_rem(y).unwrap_or(x)),
                    BinaryOp::Min => Some(x.min(y)),
                    BinaryOp::Max => Some(x.max(y)),
                    other => panic!("a launch computes {other:?}"),
                }
            }
            other => panic!("a launch computes {other:?}"),
        }
    }
}

impl Program {
    /// Does a launch accept what the program requires?
    fn accepts(&self, of: &Values) -> Option<bool> {
        let mut all = true;
        for (length, word, other) in &self.requires {
            let (length, other) = (length.exact(of)?, other.exact(of)?);
            all &= match *word {
                "at_least" => length >= other,
                "equal" => length == other,
                // 0 divides only 0.
                _ => length.checked_rem(other).unwrap_or(length) == 0,
            };
        }
        Some(all)
    }

    /// What is wrong at a launch; nothing also if it would be refused, or if there is too much to
    /// do.
    pub(super) fn wrong_at(&self, launch: &Launch<'_>) -> Option<String> {
        let mut values = launch.values();
        let length = self.length.exact(&values)?;
        let blocks = match self.kind {
            // A launch does not compute what stands in a loop or under a condition.
            Kind::Again | Kind::Apart => self.blocks.value(&values),
            _ => self.blocks.exact(&values)?,
        };
        let given = if self.kind == Kind::Output {
            values[0]
        } else {
            length
        };
        let many = self.kind == Kind::Output && length > 100_000;
        let refused = !self.accepts(&values)? || given < launch.least || !launch.computes();
        if refused || many || blocks > 2_000 {
            return None;
        }
        let mut done = Done {
            kind: self.kind,
            length,
            given: values[0],
            steps: 0,
            elements: Map::new(),
        };
        for (r, b) in self.order(blocks) {
            if self.kind == Kind::Shared || (self.kind == Kind::Looped && r == 0) {
                done.elements.clear();
            }
            (values[2], values[5]) = (b, r);
            for (number, part) in self.parts.iter().enumerate() {
                if part.when.value(&values) == 0 {
                    continue;
                }
                for i in 0..part.threads.value(&values) {
                    values[3] = i;
                    let ended = part.follow(&mut done, (b, [r as usize, number], i), values);
                    if let Err(wrong) = ended {
                        let [n, w] = launch.arguments;
                        return wrong.map(|wrong| format!("n = {n}, w = {w}: {wrong}"));
                    }
                }
            }
        }
        let [n, w] = launch.arguments;
        let wrong = done
            .hole()
            .or_else(|| done.out_of_chunk(launch.pattern, blocks));
        wrong.map(|wrong| format!("n = {n}, w = {w}: {wrong}"))
    }

    /// Rounds of the loop around all, and blocks.
    fn order(&self, blocks: u32) -> Vec<(u32, u32)> {
        let rounds = match self.kind {
            Kind::Again | Kind::Looped => ROUNDS,
            _ => 1,
        };
        match self.kind {
            Kind::Looped => (0..blocks)
                .flat_map(|b| (0..rounds).map(move |r| (r, b)))
                .collect(),
            _ => (0..rounds)
                .flat_map(|r| (0..blocks).map(move |b| (r, b)))
                .collect(),
        }
    }
}

impl Part {
    /// Follows one thread. The error is what is wrong, or nothing if there is too much to do.
    fn follow(&self, done: &mut Done, who: Who, mut values: Values) -> Result<(), Option<String>> {
        done.step()?;
        if self.guard.value(&values) == 0 {
            return Ok(());
        }
        if let Some(cell) = &self.cell {
            values[7] = cell.follow(done, who, values)?;
        }
        let leaves = |leaves, values: &Values| match &self.leave {
            Some((own, leave)) => *own == leaves && leave.value(values) != 0,
            None => false,
        };
        if leaves(Leaves::Around, &values) {
            return Ok(());
        }
        for k in 0..self.rounds.value(&values) {
            values[4] = k;
            done.step()?;
            if leaves(Leaves::Rounds, &values) {
                break;
            }
            if self.condition.value(&values) != 0 {
                if let Some(read) = &self.read {
                    done.access(read.value(&values), who, false)?;
                }
                done.access(self.index.value(&values), who, true)?;
            }
        }
        Ok(())
    }
}

impl Cell {
    /// What it holds in the end.
    fn follow(&self, done: &mut Done, who: Who, mut values: Values) -> Result<u32, Option<String>> {
        let mut held = self.start.value(&values);
        for _ in 0..self.rounds.value(&values) {
            done.step()?;
            values[6] = held;
            let probe = self.probe.as_ref().map(|probe: &Term| probe.value(&values));
            probe.map_or(Ok(()), |at| done.access(at, who, false))?;
            held = self.next.value(&values);
        }
        Ok(held)
    }
}

/// A block, the round of the grid and the number of a loop over threads, and a thread.
type Who = (u32, [usize; 2], u32);

/// What was done to the elements of an array.
struct Done {
    kind: Kind,
    length: u32,
    /// The length of what an output's program reads.
    given: u32,
    steps: u32,
    /// Who accesses an element, and does he write it?
    elements: Map<u32, Set<(Who, bool)>>,
}

impl Done {
    fn step(&mut self) -> Result<(), Option<String>> {
        self.steps += 1;
        let most = MOST_STEPS[usize::from(self.kind != Kind::Output)];
        if self.steps > most { Err(None) } else { Ok(()) }
    }

    fn access(&mut self, at: u32, who: Who, writes: bool) -> Result<(), Option<String>> {
        if self.kind == Kind::Output && !writes {
            let outside = || Err(Some(format!("element {at} of {} is read", self.given)));
            return if at >= self.given { outside() } else { Ok(()) };
        }
        if at >= self.length {
            return Err(Some(format!("element {at} of {}", self.length)));
        }
        let known = self.elements.entry(at).or_default();
        let meets = known.iter().find(|((block, part, thread), wrote)| {
            // Between two loops over threads of one block there is a barrier; between blocks
            // there is none, nor between two loops over blocks. A thread is in order with
            // itself.
            let again = part[0] == who.1[0] || self.kind == Kind::Looped;
            let barrier = *part != who.1 && again && self.kind != Kind::Apart;
            self.kind == Kind::Output
                || ((writes || *wrote) && (*block != who.0 || (*thread != who.2 && !barrier)))
        });
        if let Some(other) = meets {
            return Err(Some(format!("{who:?} and {other:?} meet at element {at}")));
        }
        known.insert((who, writes));
        Ok(())
    }

    /// A chunk that is not there, or an element that a block writes and that is not between `b * n` and the next block's.
    fn out_of_chunk(&self, pattern: WritePattern, blocks: u32) -> Option<String> {
        let (n, is_ragged) = match pattern {
            WritePattern::Chunks(n) => (n, false),
            WritePattern::Ragged(n) => (n, true),
            WritePattern::Own(n) => return self.not_own(n),
            WritePattern::Scattered => return None,
        };
        let all = n.saturating_mul(blocks);
        if self.length != all && !(is_ragged && self.length < all) {
            return Some(format!("{blocks} chunks of {n} are not {}", self.length));
        }
        self.not_own(n)
    }

    /// An element that a block accesses and that is not between `b * n` and the next block's.
    fn not_own(&self, n: u32) -> Option<String> {
        let other = |(at, who): (&u32, &Set<(Who, bool)>)| {
            let out = who.iter().find(|((block, ..), _)| *block != at / n);
            out.map(|((block, ..), _)| format!("block {block} accesses element {at}"))
        };
        self.elements.iter().find_map(other)
    }

    fn hole(&self) -> Option<String> {
        let end = if self.kind == Kind::Output {
            self.length
        } else {
            0
        };
        let hole = (0..end).find(|at| !self.elements.contains_key(at))?;
        Some(format!(
            "element {hole} of {} is never written",
            self.length
        ))
    }
}
