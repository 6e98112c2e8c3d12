//! What is the same in all rounds of a block's loops, in front of them.
//!
//! ```text
//! distribute Block b < n { for k in 0..m { allocate tile forall i < 256 { store tile[i] = x[(b / w) * 16 + ..] } .. } }
//!
//! distribute Block b < n { let row = b / w allocate tile for k in 0..m { forall i < 256 { store tile[i] = x[row * 16 + ..] } .. } }
//! ```
//!
//! Quotients and remainders of what the block knows are computed once for it: the compiler leaves them where they are,
//! because a division by zero, which has a value here, is a jump around the instruction. Arrays are cleared once a
//! block, not once a round: Rust has no array without values.
//!
//! *Argument.* No quotient fails, so it may be computed where it was not asked for. No element of an array is read
//! before it is written, which `check` proves, so it does not matter what an earlier round has left there.
//!
//! *Limits.* [`MOST`] quotients of `u32` by what is no number, which read no memory; arrays of at least [`FEWEST`]
//! elements that stand under no condition, of [`MOST_BYTES`] together.

use crate::hashed::{HashMap, HashSet};

use super::lanes::{List, rewrite};
use crate::ir::{Kernel, Level, LevelledLoop, Lowered, Statement};
use crate::ordered::Set;
use crate::scalar::{
    ArrayId, BinaryOp, Node, NodeId, Nodes, ScalarType, Tables, VariableId, VariableKind,
};

/// Smaller arrays may be kept in registers.
const FEWEST: u32 = 64;
/// The most quotients of a block.
const MOST: usize = 64;
/// The most bytes of arrays that are in front of a block's loops: they are on the stack all at once.
const MOST_BYTES: u32 = 128 << 10;

/// Moves quotients and arrays to the front of the blocks.
pub(super) fn front(mut kernel: Kernel<Lowered>) -> Kernel<Lowered> {
    let mut body = std::mem::take(&mut kernel.body);
    list(&mut kernel.tables, &mut body);
    kernel.body = body;
    kernel
}

fn list(tables: &mut Tables, statements: &mut List) {
    for statement in statements {
        match statement {
            Statement::Loop {
                kind: LevelledLoop::Distribute(Level::Block),
                body,
                ..
            } => {
                let mut first = quotients(tables, body);
                first.extend(arrays(tables, body));
                body.splice(0..0, first);
            }
            statement => {
                for inner in statement.lists_mut() {
                    list(tables, inner);
                }
            }
        }
    }
}

/// Names for the quotients in a block's loops.
fn quotients(tables: &mut Tables, body: &mut List) -> List {
    let mut inside = Set::new();
    for statement in &*body {
        statement.visit(&mut |inner| inside.extend(inner.binds()));
    }
    let (mut names, mut named) = (List::new(), HashMap::default());
    for quotient in same_quotients(&tables.nodes, &inside, body) {
        // With the names of those in it.
        let nodes = &mut tables.nodes;
        let value = nodes.replaced(quotient, |_, id| named.get(&id).copied());
        let variable = tables.add_variable(ScalarType::U32, VariableKind::Let);
        let name = tables.nodes.add(Node::Variable(variable), ScalarType::U32);
        named.insert(quotient, name);
        names.push(Statement::Let { variable, value });
    }
    if !named.is_empty() {
        for statement in body {
            rewrite(&mut tables.nodes, statement, &|_, id| {
                named.get(&id).copied()
            });
        }
    }
    names
}

/// Quotients and remainders in loops that are the same in all rounds, those inside of others first.
fn same_quotients(nodes: &Nodes, inside: &Set<VariableId>, body: &List) -> Vec<NodeId> {
    let mut roots = Vec::new();
    for statement in body
        .iter()
        .filter(|statement| Statement::is_loop(statement))
    {
        statement.visit(&mut |inner| roots.extend(inner.nodes()));
    }
    let is_division = |id: NodeId| match nodes.node(id) {
        Node::Binary {
            op: BinaryOp::Div | BinaryOp::Rem,
            right,
            ..
        } => nodes.ty(id) == ScalarType::U32 && nodes.literal(right).is_none(),
        _ => false,
    };
    // Operands come before what they are operands of.
    let (mut differs, mut found) = (HashSet::default(), Vec::new());
    for id in nodes.post_order(&roots, |_| false) {
        let node = nodes.node(id);
        let differs_here = match node {
            Node::Variable(variable) => inside.contains(&variable),
            Node::Load { .. } => true,
            _ => node.operands().into_iter().any(|id| differs.contains(&id)),
        };
        if differs_here {
            differs.insert(id);
        } else if is_division(id) {
            found.push(id);
        }
    }
    found.truncate(MOST);
    found
}

/// Takes the arrays out of a block's loops.
fn arrays(tables: &Tables, body: &mut List) -> List {
    let (mut found, mut room) = (Set::new(), MOST_BYTES);
    for statement in body
        .iter_mut()
        .filter(|statement| Statement::is_loop(statement))
    {
        take_out(tables, statement, (&mut found, &mut room));
    }
    let arrays = found.into_iter();
    arrays
        .map(|array| Statement::Allocate { array, layout: () })
        .collect()
}

/// Takes arrays out of a loop and the loops directly in it; what stands under a condition stays there.
fn take_out(
    tables: &Tables,
    statement: &mut Statement<Lowered>,
    (found, room): (&mut Set<ArrayId>, &mut u32),
) {
    for inner in statement.lists_mut() {
        inner.retain(|statement| match statement {
            Statement::Allocate { array, .. } => {
                let info = tables.array(*array);
                let length = tables.stored_length(info);
                let left = room.checked_sub(length.saturating_mul(info.ty.bytes()));
                let moves = length >= FEWEST && left.is_some();
                if let (true, Some(left)) = (moves, left) {
                    *room = left;
                    found.insert(*array);
                }
                !moves
            }
            _ => true,
        });
        for statement in inner
            .iter_mut()
            .filter(|statement| Statement::is_loop(statement))
        {
            take_out(tables, statement, (&mut *found, &mut *room));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::front;
    use crate::ir::{Lowered, read, validate};

    /// The text of a block with this body, and its loops.
    fn fronted(body: &str) -> String {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[n] inout \
             distribute Block b < 4_u32 {{ {body} }} }}"
        );
        let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let kernel = front(kernel);
        validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
        kernel.to_string()
    }

    /// Does this text stand before the first loop of the block?
    fn is_in_front(body: &str, wanted: &str) -> bool {
        let text = fronted(body);
        let (block, loops) = text.split_once("for ").unwrap();
        assert!(block.contains(wanted) || loops.contains(wanted), "{text}");
        block.contains(wanted) && !loops.contains(wanted)
    }

    fn rounds(value: &str) -> String {
        format!(
            "for sequential Block k in 0_u32 .. n step 1_u32 {{ forall Block i < 4_u32 {{ store out[i] = {value} }} }}"
        )
    }

    #[test]
    fn quotients_of_what_the_block_knows_are_in_front() {
        assert!(is_in_front(&rounds("((b / n) + k)"), "(b / n)"));
        assert!(is_in_front(&rounds("((b % n) * k)"), "(b % n)"));
        let nested = fronted(&rounds("(((b / n) % n) + k)"));
        assert_eq!(
            nested.matches(" / ").count() + nested.matches(" % ").count(),
            2,
            "{nested}"
        );
        // By a number, of the round, and of what is read.
        for value in ["(b / 3_u32)", "(k / n)", "(b / k)", "(x[0_u32] / n)"] {
            assert!(
                !is_in_front(&rounds(&format!("({value} + k)")), value),
                "{value}"
            );
        }
    }

    #[test]
    fn arrays_are_in_front_if_they_are_large() {
        let array = |length: u32| {
            format!(
                "for sequential Block k in 0_u32 .. n step 1_u32 {{ allocate s: u32[{length}_u32] shared \
                 forall Block i < {length}_u32 {{ store s[i] = k }} }}"
            )
        };
        assert!(is_in_front(&array(64), "allocate"));
        assert!(!is_in_front(&array(63), "allocate"));
        // Under a condition, and more than fits together.
        let conditional = format!(
            "for sequential Block r in 0_u32 .. n step 1_u32 {{ if (r < 2_u32) {{ {} }} }}",
            array(64)
        );
        assert!(!is_in_front(&conditional, "allocate"));
        assert!(is_in_front(&array(32768), "allocate"));
        assert!(!is_in_front(&array(32769), "allocate"));
    }
}
