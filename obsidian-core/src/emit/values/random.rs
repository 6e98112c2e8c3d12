//! Random expressions: what surrounds an operator must not change what it does.

use super::{Case, cases};
use crate::emit::testing::Builder;
use crate::scalar::{BinaryOp, Literal, Node, NodeId, ScalarType, UnaryOp, meaning};

/// A small generator of numbers, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn choose<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// The n-th random kernel: an expression over three inputs. What it gives is what the simulator
/// gives.
pub(super) fn case(seed: u64) -> Case {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995);
    let types = [0; 4].map(|_| numbers.choose(&ScalarType::ALL));
    let column = |n: usize| {
        let values = cases::edges(types[n]);
        (
            types[n],
            (0..48)
                .map(|i| values[(i * [1, 5, 7][n] + n) % values.len()])
                .collect(),
        )
    };
    let inputs = vec![column(0), column(1), column(2)];
    let make = |b: &mut Builder, x: &[NodeId]| expression(b, &mut numbers, x, types[3], 5);
    let zero = Literal::zero(types[3]);
    let mut case = cases::map(format!("random_{seed}"), inputs, types[3], make, |_| zero);
    case.expected.1 = case.simulated();
    case
}

fn expression(
    b: &mut Builder,
    numbers: &mut Numbers,
    inputs: &[NodeId],
    ty: ScalarType,
    depth: u32,
) -> NodeId {
    let choice = if depth == 0 {
        numbers.below(2)
    } else {
        numbers.below(10)
    };
    match choice {
        0 => {
            let literal = numbers.choose(&cases::edges(ty));
            b.literal(literal)
        }
        1 => {
            let input = numbers.choose(inputs);
            b.tables.nodes.cast(ty, input)
        }
        2 => {
            let from = numbers.choose(&ScalarType::ALL);
            let value = expression(b, numbers, inputs, from, depth - 1);
            b.tables.nodes.cast(ty, value)
        }
        3 => {
            let ops: Vec<_> = UnaryOp::ALL
                .iter()
                .copied()
                .filter(|op| op.accepts(ty) && op.result(ty) == ty && meaning::is_exact(*op))
                .collect();
            let (op, value) = (
                numbers.choose(&ops),
                expression(b, numbers, inputs, ty, depth - 1),
            );
            b.tables.nodes.add(Node::Unary { op, value }, ty)
        }
        4 => {
            let condition = expression(b, numbers, inputs, ScalarType::Bool, depth - 1);
            let (then, otherwise) = (
                expression(b, numbers, inputs, ty, depth - 1),
                expression(b, numbers, inputs, ty, depth - 1),
            );
            b.tables.nodes.add(
                Node::Select {
                    condition,
                    then,
                    otherwise,
                },
                ty,
            )
        }
        5 if ty != ScalarType::Bool => {
            let [left, right, addend] =
                [0; 3].map(|_| expression(b, numbers, inputs, ty, depth - 1));
            b.tables.nodes.add(
                Node::MulAdd {
                    left,
                    right,
                    addend,
                },
                ty,
            )
        }
        _ => {
            let operands = if ty == ScalarType::Bool && numbers.below(2) == 0 {
                numbers.choose(&ScalarType::ALL)
            } else {
                ty
            };
            let fits = |op: &BinaryOp| {
                op.accepts(operands)
                    && op.result(operands) == ty
                    && !matches!(op, BinaryOp::Pow | BinaryOp::Atan2)
            };
            let ops: Vec<_> = BinaryOp::ALL.iter().copied().filter(fits).collect();
            let op = numbers.choose(&ops);
            let left = expression(b, numbers, inputs, operands, depth - 1);
            let right = expression(
                b,
                numbers,
                inputs,
                if op.is_shift() {
                    ScalarType::U32
                } else {
                    operands
                },
                depth - 1,
            );
            b.raw(op, left, right)
        }
    }
}
