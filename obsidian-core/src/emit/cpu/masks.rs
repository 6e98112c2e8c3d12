//! Loops that lanes leave at different times, for several lanes at once.
//!
//! ```text
//! forall i < 256 { declare x = f(i) while { } holds near(x) { assign x = step(x) } store out[i] = x }
//!
//! for strip in 0..16 {
//!     forall l < 16 { let i = strip * 16 + l; xs[l] = f(i); going[l] = 1 }
//!     while any of going { forall l < 16 { if going[l] & near(xs[l]) { xs[l] = step(xs[l]) } else { going[l] = 0 } } }
//!     forall l < 16 { let i = strip * 16 + l; out[i] = xs[l] }
//! }
//! ```
//!
//! The `if` above is one of two values by a mask of bits, so the compiler works on several lanes at once.
//!
//! *Argument.* Iterations of a loop over threads do not depend on each other, so each may be done in
//! parts, and the parts of several iterations side by side. In a lane that has left its loop the body is
//! computed from the values that it left with, and what comes out is dropped: a body that is treated so
//! loads and stores nothing, leaves nothing, and has no operator that can fail.
//!
//! *Limits.* The loop stands in the list of the loop over threads itself; the number of iterations is a
//! literal and a multiple of [`LANES`]. Of what the body computes a compiler has to have an instruction
//! for several lanes ([`parts`]). All lanes of a strip take as many rounds as the slowest one: where one
//! of 16 goes on alone for long, that is more work than one lane after the other.

mod constants;
pub(super) mod parts;

use super::lanes::{ForAll, Lanes, List, changed, store, used, used_in};
use crate::ir::{Kernel, Level, LevelledLoop, Lowered, Statement, Unroll, substitute};
use crate::scalar::{
    BinaryOp, Literal, Node, NodeId, ScalarType, Tables, UnaryOp, VariableId, VariableKind,
};

/// Lanes that go on together.
const LANES: u32 = 16;

/// Lets lanes leave loops under a mask.
pub(super) fn masks(mut kernel: Kernel<Lowered>) -> Kernel<Lowered> {
    let mut body = std::mem::take(&mut kernel.body);
    list(&mut kernel.tables, &mut body);
    kernel.body = body;
    kernel
}

fn list(tables: &mut Tables, statements: &mut List) {
    for statement in statements {
        if let Some(strips) = strips(tables, statement) {
            *statement = strips;
            continue;
        }
        for inner in statement.lists_mut() {
            list(tables, inner);
        }
    }
}

/// The loop over strips that a loop over threads becomes; nothing if it stays.
fn strips(tables: &mut Tables, statement: &Statement<Lowered>) -> Option<Statement<Lowered>> {
    let ForAll {
        level,
        lane: counter,
        count,
        body,
    } = ForAll::of(&tables.nodes, statement)?;
    let is_loop = |statement: &Statement<Lowered>| matches!(statement, Statement::While { .. });
    let fits = count > 0 && count.is_multiple_of(LANES) && level != Level::Thread;
    if !fits || !body.iter().any(is_loop) {
        return None;
    }
    let mut body = constants::in_front(tables, body);
    let mut parts = body.iter().map(|part| parts::is_part(&tables.nodes, part));
    if !parts.all(|is_part| is_part) {
        return None;
    }
    let kinds = [
        VariableKind::Let,
        VariableKind::Counter,
        VariableKind::Counter,
    ];
    let [whole, strip, lane] = kinds.map(|kind| tables.add_variable(ScalarType::U32, kind));
    let name = tables.nodes.add(Node::Variable(whole), ScalarType::U32);
    substitute(&mut tables.nodes, &mut body, counter, name);
    let mut strips = Strips(Lanes::new(
        tables,
        level,
        (lane, LANES),
        Some((strip, whole)),
    ));
    let (counter, body) = (strip, strips.body(&body));
    let bounds = [strips.0.number(count / LANES)];
    Some(Statement::Loop {
        kind: LevelledLoop::Sequential(level),
        counter,
        bounds,
        unroll: Unroll::Never,
        body,
    })
}

/// A loop over strips in the making.
struct Strips<'t>(Lanes<'t>);

impl Strips<'_> {
    /// The parts, one after the other.
    fn body(&mut self, all: &List) -> List {
        let (mut result, mut rest) = (List::new(), &all[..]);
        while !rest.is_empty() {
            let is_loop = |s: &Statement<Lowered>| matches!(s, Statement::While { .. });
            let straight = rest.iter().take_while(|s| !is_loop(s)).count();
            let (part, after) = rest.split_at(straight);
            self.0.straight(part, after, &mut result);
            rest = after;
            if let Some(Statement::While {
                head,
                condition,
                body,
            }) = rest.first()
            {
                self.repeat((head, *condition, body), &mut result);
                rest = &rest[1..];
            }
        }
        result
    }

    /// A loop that lanes leave: rounds for all of them, as long as one goes on.
    fn repeat(&mut self, (head, condition, body): (&List, NodeId, &List), result: &mut List) {
        let going = self.0.array(ScalarType::U32, LANES, result);
        let any = self.0.array(ScalarType::U32, 1, result);
        let [zero, one] = [0, 1].map(|n| self.0.number(n));
        let lane = self.0.name(self.0.lane);
        let start = vec![store(going, lane, one)];
        self.0.for_lanes(start, result);

        let inside: List = head.iter().chain(body).cloned().collect();
        let mut names = used(&self.0.tables.nodes, &inside);
        names.extend(used_in(&self.0.tables.nodes, condition));
        let mut lanes = self.0.restored(&names);
        let was = self.0.read(going, lane, &mut lanes);
        lanes.extend(head.iter().cloned());
        let nodes = &mut self.0.tables.nodes;
        let goes = nodes.binary(BinaryOp::Ne, was, zero);
        let goes = nodes.binary(BinaryOp::And, goes, condition);
        let goes = self.0.bind(goes, &mut lanes);
        let number = self.0.tables.nodes.cast(ScalarType::U32, goes);
        let cells: Vec<VariableId> = changed(body)
            .into_iter()
            .filter(|cell| self.0.kept.contains_key(cell))
            .collect();
        let before: Vec<NodeId> = cells
            .iter()
            .map(|cell| self.0.get(*cell, &mut lanes))
            .collect();
        lanes.extend(body.iter().cloned());
        for (cell, before) in cells.iter().zip(before) {
            let after = self.0.get(*cell, &mut lanes);
            let value = self.blend(goes, after, before);
            lanes.push(store(self.0.kept[cell], lane, value));
        }
        lanes.push(store(going, lane, number));

        let mut round = List::new();
        self.once(vec![store(any, zero, zero)], &mut round);
        self.0.for_lanes(lanes, &mut round);
        let mut together = List::new();
        let so_far = self.0.read(any, zero, &mut together);
        let own = self.0.read(going, lane, &mut together);
        let both = self.0.tables.nodes.binary(BinaryOp::Or, so_far, own);
        together.push(store(any, zero, both));
        self.0.for_lanes(together, &mut round);
        let nodes = &mut self.0.tables.nodes;
        let one_goes = nodes.add(
            Node::Load {
                array: any,
                index: zero,
            },
            ScalarType::U32,
        );
        let condition = nodes.binary(BinaryOp::Ne, one_goes, zero);
        result.push(Statement::While {
            head: round,
            condition,
            body: List::new(),
        });
    }

    /// What one lane does for all of them.
    fn once(&mut self, body: List, result: &mut List) {
        self.0.for_all(1, body, result);
    }

    /// One of two values by their bits, without a choice: that might be compiled to a jump.
    fn blend(&mut self, goes: NodeId, after: NodeId, before: NodeId) -> NodeId {
        use BinaryOp::{And, Or, Sub};
        let nodes = &mut self.0.tables.nodes;
        let ty = nodes.ty(after);
        let [after, before] = [after, before].map(|value| match ty.is_float() {
            true => nodes.unary(UnaryOp::ToBits, value),
            false => value,
        });
        let mask = match ty == ScalarType::Bool {
            true => goes,
            false => {
                let bits = nodes.ty(after);
                let zero = nodes.add_literal(Literal::zero(bits));
                let one = nodes.cast(bits, goes);
                nodes.binary(Sub, zero, one)
            }
        };
        let other = nodes.unary(UnaryOp::Not, mask);
        let [after, before] =
            [(after, mask), (before, other)].map(|(x, y)| nodes.binary(And, x, y));
        let value = nodes.binary(Or, after, before);
        match ty.is_float() {
            true => nodes.unary(UnaryOp::FromBits, value),
            false => value,
        }
    }
}

#[cfg(test)]
mod tests;
