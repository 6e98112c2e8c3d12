//! Index arithmetic as a sum: `(b * 512 + i + 64) * 2` as `1024 * b + 2 * i + 128`.
//!
//! The caller says which nodes may be taken apart, because that depends on the facts it has:
//! the sum is the value itself, and not a remainder of it, only where no step wraps around.

use super::{BinaryOp, Node, NodeId, Nodes};

/// How a node of a sum is taken.
#[doc(hidden)]
pub enum Taken<'s> {
    /// As one term.
    Whole,
    /// As the sum, difference or multiple that it is; as one term if it is none of these.
    Apart,
    /// As the value of the name that it is.
    Named(NodeId),
    /// As a sum that is known.
    Known(&'s Sum),
}

/// A sum of multiples of nodes and a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[doc(hidden)]
pub struct Sum {
    /// Nodes with their factors, each node once, none of the factors 0, in the order in which they
    /// occur.
    #[doc(hidden)]
    pub terms: Vec<(NodeId, i64)>,
    /// The number.
    #[doc(hidden)]
    pub constant: i64,
}

impl Sum {
    /// A node alone.
    #[doc(hidden)]
    pub fn of_node(node: NodeId) -> Self {
        Sum {
            terms: vec![(node, 1)],
            constant: 0,
        }
    }

    /// A node as a sum, and the number of terms and numbers that were added for it; `None` if more
    /// than `most` nodes would have to be looked at, or a factor leaves 64 bits.
    #[doc(hidden)]
    pub fn of<'s>(
        nodes: &Nodes,
        node: NodeId,
        most: usize,
        mut taken: impl FnMut(NodeId) -> Taken<'s>,
    ) -> Option<(Self, usize)> {
        let (mut sum, mut parts) = (Sum::default(), 0);
        let mut rest = vec![(node, 1)];
        for _ in 0..most {
            let Some((id, factor)) = rest.pop() else {
                sum.terms.retain(|(_, factor)| *factor != 0);
                return Some((sum, parts));
            };
            match taken(id) {
                Taken::Named(value) => rest.push((value, factor)),
                Taken::Known(known) => {
                    parts += known.terms.len() + 1;
                    sum.add(known, factor)?;
                }
                Taken::Apart if let Some(operands) = operands(nodes, id) => {
                    for (operand, n) in operands.into_iter().flatten() {
                        rest.push((operand, factor.checked_mul(n)?));
                    }
                }
                Taken::Whole | Taken::Apart => {
                    parts += 1;
                    sum.add_multiple(nodes, id, factor)?;
                }
            }
        }
        None
    }

    /// Adds a multiple of a sum; `None` if a number leaves 64 bits.
    fn add(&mut self, other: &Sum, factor: i64) -> Option<()> {
        let product = other.constant.checked_mul(factor)?;
        self.constant = self.constant.checked_add(product)?;
        let mut terms = other.terms.iter();
        terms.try_for_each(|(id, n)| self.add_term(*id, n.checked_mul(factor)?))
    }

    /// Adds a multiple of a node, which may be a number.
    fn add_multiple(&mut self, nodes: &Nodes, id: NodeId, factor: i64) -> Option<()> {
        match nodes.literal(id) {
            Some(_) => {
                let product = number(nodes, id)?.checked_mul(factor)?;
                self.constant = self.constant.checked_add(product)?;
                Some(())
            }
            None => self.add_term(id, factor),
        }
    }

    fn add_term(&mut self, id: NodeId, factor: i64) -> Option<()> {
        match self.terms.iter_mut().find(|(known, _)| *known == id) {
            Some((_, known)) => *known = known.checked_add(factor)?,
            None => self.terms.push((id, factor)),
        }
        Some(())
    }

    /// Is anything subtracted in it?
    #[doc(hidden)]
    pub fn subtracts(&self) -> bool {
        self.constant < 0 || self.terms.iter().any(|(_, factor)| *factor < 0)
    }
}

/// What a sum, a difference or a multiple consists of: operands with their factors, the first one
/// last.
fn operands(nodes: &Nodes, id: NodeId) -> Option<[Option<(NodeId, i64)>; 2]> {
    let Node::Binary {
        op, left, right, ..
    } = nodes.node(id)
    else {
        return None;
    };
    match op {
        BinaryOp::Add => Some([Some((right, 1)), Some((left, 1))]),
        BinaryOp::Sub => Some([Some((right, -1)), Some((left, 1))]),
        BinaryOp::Mul => match (number(nodes, left), number(nodes, right)) {
            (_, Some(n)) => Some([None, Some((left, n))]),
            (Some(n), _) => Some([None, Some((right, n))]),
            _ => None,
        },
        _ => None,
    }
}

fn number(nodes: &Nodes, id: NodeId) -> Option<i64> {
    let number = nodes.literal(id)?.as_integer()?;
    i64::try_from(number).ok()
}
