//! Index arithmetic as sums: what cancels, and what a quotient takes out of one.
//!
//! A sum is taken apart only through operations that do not wrap where their value is used, so it is
//! the number itself and not a remainder of it. It is put together again so that no step of it wraps
//! either: its terms are added, and only then is anything subtracted.

use super::{Pass, is_exact};
use crate::scalar::{BinaryOp, Literal, Node, NodeId};

/// Nodes of a sum that is taken apart.
const MOST_NODES: usize = 48;

/// A sum of multiples and a number.
#[derive(Default)]
struct Sum {
    /// Nodes with their factors, in the order in which they occur.
    terms: Vec<(NodeId, i128)>,
    constant: i128,
    /// How many terms and numbers were added to make it.
    parts: usize,
    /// Nodes that were looked at.
    nodes: usize,
    /// Is it taken apart through names?
    through_names: bool,
}

impl Sum {
    fn of(pass: &mut Pass<'_>, id: NodeId) -> Option<Sum> {
        let mut sum = Sum::default();
        sum.add(pass, id, 1)?;
        sum.terms.retain(|(_, factor)| *factor != 0);
        Some(sum)
    }

    fn add(&mut self, pass: &mut Pass<'_>, id: NodeId, factor: i128) -> Option<()> {
        self.nodes += 1;
        if self.nodes > MOST_NODES || factor.abs() > 1 << 40 {
            return None;
        }
        if let Some(literal) = pass.nodes.literal(id) {
            self.parts += 1;
            self.constant += factor * i128::from(literal.u32());
            return Some(());
        }
        let (op, left, right) = match pass.nodes.node(id) {
            Node::Variable(variable) if self.through_names => match pass.sums.get(&variable) {
                Some(value) => return self.add(pass, *value, factor),
                None => return self.term(id, factor),
            },
            Node::Binary {
                op, left, right, ..
            } => (op, left, right),
            _ => return self.term(id, factor),
        };
        if !is_exact(&mut pass.known, pass.nodes, id) {
            return self.term(id, factor);
        }
        let number = |id: NodeId| pass.nodes.literal(id).map(|n| i128::from(n.u32()));
        match (op, number(left), number(right)) {
            (BinaryOp::Add, ..) => {
                self.add(pass, left, factor)?;
                self.add(pass, right, factor)
            }
            (BinaryOp::Sub, ..) => {
                self.add(pass, left, factor)?;
                self.add(pass, right, -factor)
            }
            (BinaryOp::Mul, Some(n), _) => self.add(pass, right, factor * n),
            (BinaryOp::Mul, _, Some(n)) => self.add(pass, left, factor * n),
            _ => self.term(id, factor),
        }
    }

    fn term(&mut self, id: NodeId, factor: i128) -> Option<()> {
        self.parts += 1;
        match self.terms.iter_mut().find(|(known, _)| *known == id) {
            Some((_, known)) => *known += factor,
            None => self.terms.push((id, factor)),
        }
        Some(())
    }

    /// Does no step of adding it up wrap? Where nothing is subtracted, no part is more than the whole.
    fn is_safe(&self, pass: &Pass<'_>) -> bool {
        let subtracts = self.constant < 0 || self.terms.iter().any(|(_, factor)| *factor < 0);
        !subtracts || self.most(pass) <= i128::from(u32::MAX)
    }

    /// The greatest value of what is added.
    fn most(&self, pass: &Pass<'_>) -> i128 {
        let added = self.terms.iter().filter(|(_, factor)| *factor > 0);
        let greatest = |(id, factor): &(NodeId, i128)| {
            factor * i128::from(pass.known.range(pass.nodes, *id).high)
        };
        added.map(greatest).sum::<i128>() + self.constant.max(0)
    }

    /// The sum as a node: first all that is added, then what is subtracted, so that no step of it is
    /// less than 0.
    fn node(&self, pass: &mut Pass<'_>) -> Option<NodeId> {
        let mut sum = None;
        for (id, factor) in self.terms.iter().filter(|(_, factor)| *factor > 0) {
            let multiple = multiple(pass, *id, *factor)?;
            sum = Some(match sum {
                Some(sum) => pass.nodes.exact(BinaryOp::Add, sum, multiple),
                None => multiple,
            });
        }
        let number = u32::try_from(self.constant.abs()).ok()?;
        let number = pass.nodes.add_literal(Literal::from(number));
        let mut sum = match (sum, self.constant) {
            (Some(sum), ..=0) => sum,
            (Some(sum), _) => pass.nodes.exact(BinaryOp::Add, sum, number),
            (None, 0..) => number,
            (None, _) => return None,
        };
        for (id, factor) in self.terms.iter().filter(|(_, factor)| *factor < 0) {
            let multiple = multiple(pass, *id, -factor)?;
            sum = pass.nodes.exact(BinaryOp::Sub, sum, multiple);
        }
        Some(match self.constant {
            ..0 => pass.nodes.exact(BinaryOp::Sub, sum, number),
            _ => sum,
        })
    }
}

fn multiple(pass: &mut Pass<'_>, id: NodeId, factor: i128) -> Option<NodeId> {
    let factor = Literal::from(u32::try_from(factor).ok()?);
    let factor = pass.nodes.add_literal(factor);
    Some(pass.nodes.exact(BinaryOp::Mul, id, factor))
}

/// Is a value a sum of leaves, which costs nothing to add up again?
pub(super) fn is_of_leaves(pass: &mut Pass<'_>, id: NodeId) -> bool {
    let is_sum = matches!(pass.nodes.node(id), Node::Binary { .. });
    let exact = is_sum && is_exact(&mut pass.known, pass.nodes, id);
    let sum = exact.then(|| Sum::of(pass, id)).flatten();
    let leaf = |(id, _): &(NodeId, i128)| pass.nodes.node(*id).is_leaf();
    sum.is_some_and(|sum| sum.is_safe(pass) && sum.terms.iter().all(leaf))
}

/// A sum with what names stand for in their place.
pub(super) fn spelt_out(pass: &mut Pass<'_>, id: NodeId) -> NodeId {
    let mut sum = Sum {
        through_names: true,
        ..Sum::default()
    };
    if sum.add(pass, id, 1).is_none() {
        return id;
    }
    sum.terms.retain(|(_, factor)| *factor != 0);
    match sum.is_safe(pass) {
        true => sum.node(pass).unwrap_or(id),
        false => id,
    }
}

/// The same sum, if terms of it cancel or numbers in it can be added.
pub(super) fn without_terms_that_cancel(pass: &mut Pass<'_>, id: NodeId) -> NodeId {
    let Some(sum) = Sum::of(pass, id) else {
        return id;
    };
    let parts = sum.terms.len() + usize::from(sum.constant != 0);
    if parts >= sum.parts || !sum.is_safe(pass) {
        return id;
    }
    sum.node(pass).unwrap_or(id)
}

/// A quotient or remainder by a number of what is a multiple of the number and a rest that is less.
pub(super) fn divided(pass: &mut Pass<'_>, id: NodeId) -> Option<NodeId> {
    let Node::Binary {
        op, left, right, ..
    } = pass.nodes.node(id)
    else {
        return None;
    };
    let by = i128::from(pass.nodes.literal(right)?.u32());
    let sum = Sum::of(pass, left)?;
    if by == 0 || sum.constant < 0 || sum.terms.iter().any(|(_, factor)| *factor < 0) {
        return None;
    }
    let (mut whole, mut rest) = (Sum::default(), Sum::default());
    for (id, factor) in sum.terms {
        match factor % by {
            0 => whole.terms.push((id, factor / by)),
            _ => rest.terms.push((id, factor)),
        }
    }
    (whole.constant, rest.constant) = (sum.constant / by, sum.constant % by);
    let fits = rest.most(pass) < by;
    match op {
        BinaryOp::Div if fits => whole.node(pass),
        BinaryOp::Rem if fits => rest.node(pass),
        _ => None,
    }
}
