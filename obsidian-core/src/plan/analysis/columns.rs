//! Values of a node at many points at once.
//!
//! Before: a node and the [`Column`]s of its operands. After: its own column, worked out operator
//! by operator with the functions of [`meaning`], so that what is found out here is what a device
//! computes. What leaves are at a point, and which points there are, is for those who ask to know:
//! [`points`](super::points) has the combinations of counters, and [`lanes`](super::lanes) the
//! threads that reach a statement.

use std::rc::Rc;

use crate::scalar::{BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, meaning};

/// The values of a node, by point.
#[derive(Clone, Debug)]
pub(crate) enum Column {
    /// One value at all points.
    Same(u64),
    /// A value for each point.
    Each(Rc<[u64]>),
}

/// Are values of this type followed through names? Indices are, and conditions.
pub(crate) fn is_followed(ty: ScalarType) -> bool {
    ty == ScalarType::U32 || ty == ScalarType::Bool
}

impl Column {
    /// The bits of the value at a point.
    pub(crate) fn at(&self, point: usize) -> u64 {
        match self {
            Column::Same(value) => *value,
            Column::Each(values) => values.get(point).copied().unwrap_or(0),
        }
    }
}

/// The column of a node at `size` points; none if it is a leaf other than a literal, or has an
/// operand without a column.
pub(crate) fn column(
    nodes: &Nodes,
    id: NodeId,
    size: usize,
    known: impl Fn(NodeId) -> Option<Column>,
) -> Option<Column> {
    match nodes.node(id) {
        Node::Literal(literal) => Some(Column::Same(literal.bits())),
        Node::Variable(_)
        | Node::Length(_)
        | Node::Special(_)
        | Node::Load { .. }
        | Node::Poison => None,
        Node::Unary { op, value } => {
            let ty = nodes.ty(value);
            Some(map(size, [known(value)?], |[x]| {
                meaning::unary(op, Literal::from_bits(ty, x)).bits()
            }))
        }
        Node::Cast { value } => {
            let (from, to) = (nodes.ty(value), nodes.ty(id));
            Some(map(size, [known(value)?], |[x]| {
                meaning::cast(to, Literal::from_bits(from, x)).bits()
            }))
        }
        Node::Binary {
            op, left, right, ..
        } => Some(binary(
            size,
            op,
            [nodes.ty(left), nodes.ty(right)],
            [known(left)?, known(right)?],
        )),
        Node::MulAdd {
            left,
            right,
            addend,
        } => {
            let ty = nodes.ty(id);
            let of = |x| Literal::from_bits(ty, x);
            let operands = [known(left)?, known(right)?, known(addend)?];
            Some(map(size, operands, |[x, y, z]| {
                meaning::mul_add(of(x), of(y), of(z)).bits()
            }))
        }
        Node::Select {
            condition,
            then,
            otherwise,
        } => match known(condition)? {
            Column::Same(0) => known(otherwise),
            Column::Same(_) => known(then),
            each => {
                let operands = [each, known(then)?, known(otherwise)?];
                Some(map(size, operands, |[c, x, y]| if c == 0 { y } else { x }))
            }
        },
    }
}

/// Operators of `u32` have a way of their own: most indices are made of them.
fn binary(
    size: usize,
    op: BinaryOp,
    [left, right]: [ScalarType; 2],
    operands: [Column; 2],
) -> Column {
    use BinaryOp::*;
    let meaning = |[x, y]: [u64; 2]| {
        meaning::binary(
            op,
            Literal::from_bits(left, x),
            Literal::from_bits(right, y),
        )
        .bits()
    };
    if left != ScalarType::U32 || right != ScalarType::U32 {
        return map(size, operands, meaning);
    }
    match op {
        Add => pairs(size, operands, |[x, y]| {
            (x as u32).wrapping_add(y as u32).into()
        }),
        Sub => pairs(size, operands, |[x, y]| {
            (x as u32).wrapping_sub(y as u32).into()
        }),
        Mul => pairs(size, operands, |[x, y]| {
            (x as u32).wrapping_mul(y as u32).into()
        }),
        Div => pairs(size, operands, |[x, y]| x.checked_div(y).unwrap_or(0)),
        Rem => pairs(size, operands, |[x, y]| x.checked_rem(y).unwrap_or(x)),
        And => pairs(size, operands, |[x, y]| x & y),
        Or => pairs(size, operands, |[x, y]| x | y),
        Xor => pairs(size, operands, |[x, y]| x ^ y),
        Lt => pairs(size, operands, |[x, y]| (x < y).into()),
        Eq => pairs(size, operands, |[x, y]| (x == y).into()),
        _ => map(size, operands, meaning),
    }
}

/// The same as [`map`] of two columns, in loops without a choice for each point.
fn pairs(size: usize, columns: [Column; 2], f: impl Fn([u64; 2]) -> u64) -> Column {
    let is_whole = |column: &Column| match column {
        Column::Same(_) => true,
        Column::Each(values) => values.len() == size,
    };
    if !columns.iter().all(is_whole) {
        return map(size, columns, f);
    }
    Column::Each(match columns {
        [Column::Same(x), Column::Same(y)] => return Column::Same(f([x, y])),
        [Column::Each(x), Column::Same(y)] => x.iter().map(|x| f([*x, y])).collect(),
        [Column::Same(x), Column::Each(y)] => y.iter().map(|y| f([x, *y])).collect(),
        [Column::Each(x), Column::Each(y)] => x.iter().zip(&*y).map(|(x, y)| f([*x, *y])).collect(),
    })
}

fn map<const N: usize>(size: usize, columns: [Column; N], f: impl Fn([u64; N]) -> u64) -> Column {
    if columns
        .iter()
        .all(|column| matches!(column, Column::Same(_)))
    {
        return Column::Same(f(columns.each_ref().map(|column| column.at(0))));
    }
    Column::Each(
        (0..size)
            .map(|point| f(columns.each_ref().map(|column| column.at(point))))
            .collect(),
    )
}
