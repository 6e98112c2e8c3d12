//! Making nodes: operators on literals are computed, and identities of integers and `bool` are
//! applied.
//!
//! Only what cannot change a result is folded: `x + 0` and `x * 0` for integers, never for floats.

use super::{BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, UnaryOp, meaning};
use crate::hashed::HashMap;

fn is_promise(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::Trust | UnaryOp::Distinct)
}

impl Nodes {
    /// An operator of one operand.
    pub fn unary(&mut self, op: UnaryOp, value: NodeId) -> NodeId {
        match self.node(value) {
            // A promise about a number is not lost with it.
            Node::Literal(x) if meaning::is_exact(op) && !is_promise(op) => {
                self.add_literal(meaning::unary(op, x))
            }
            Node::Unary {
                op: UnaryOp::Not,
                value: inner,
            } if op == UnaryOp::Not => inner,
            Node::Poison => self.add(Node::Poison, op.result(self.ty(value))),
            _ => self.add(Node::Unary { op, value }, op.result(self.ty(value))),
        }
    }

    /// An operator of two operands.
    pub fn binary(&mut self, op: BinaryOp, left: NodeId, right: NodeId) -> NodeId {
        self.make_binary(op, false, left, right)
    }

    /// Index arithmetic: `u32`, and the result, as a number, is known to fit.
    pub fn exact(&mut self, op: BinaryOp, left: NodeId, right: NodeId) -> NodeId {
        self.make_binary(op, true, left, right)
    }

    fn make_binary(&mut self, op: BinaryOp, exact: bool, left: NodeId, right: NodeId) -> NodeId {
        if let (Node::Poison, _) | (_, Node::Poison) = (self.node(left), self.node(right)) {
            return self.add(Node::Poison, op.result(self.ty(left)));
        }
        if let (Some(x), Some(y)) = (self.literal(left), self.literal(right))
            && meaning::is_exact_of_two(op)
        {
            return self.add_literal(meaning::binary(op, x, y));
        }
        let is_float = self.ty(left).is_float();
        if !is_float && let Some(simple) = self.identity(op, left, right) {
            return simple;
        }
        if self.contracts
            && is_float
            && let Some(one) = self.contracted(op, left, right)
        {
            return one;
        }
        if exact
            && let Some(sum) = self
                .index_of_place(op, left, right)
                .or_else(|| self.reassociate(op, left, right))
        {
            return sum;
        }
        let ty = op.result(self.ty(left));
        self.add(
            Node::Binary {
                op,
                exact,
                left,
                right,
            },
            ty,
        )
    }

    /// A sum or difference with a product as one operation: `a * b + c`, `a * b - c`, `c - a * b`. Of
    /// two products the left one is taken in.
    fn contracted(&mut self, op: BinaryOp, left: NodeId, right: NodeId) -> Option<NodeId> {
        let product = |nodes: &Nodes, id: NodeId| match nodes.node(id) {
            Node::Binary {
                op: BinaryOp::Mul,
                left,
                right,
                ..
            } => Some((left, right)),
            _ => None,
        };
        match (op, product(self, left), product(self, right)) {
            (BinaryOp::Add, Some((x, y)), _) => Some(self.mul_add(x, y, right)),
            (BinaryOp::Add, None, Some((x, y))) => Some(self.mul_add(x, y, left)),
            (BinaryOp::Sub, Some((x, y)), _) => {
                let subtracted = self.unary(UnaryOp::Neg, right);
                Some(self.mul_add(x, y, subtracted))
            }
            (BinaryOp::Sub, None, Some((x, y))) => {
                let x = self.unary(UnaryOp::Neg, x);
                Some(self.mul_add(x, y, left))
            }
            _ => None,
        }
    }

    /// `x + 0`, `x * 1`, `x & false` and their like; not for floats.
    fn identity(&mut self, op: BinaryOp, left: NodeId, right: NodeId) -> Option<NodeId> {
        use BinaryOp::*;
        let ty = self.ty(left);
        let (zero, one) = (Literal::zero(ty), Literal::one(ty));
        let (x, y) = (self.literal(left), self.literal(right));
        let right_is_zero = y.is_some_and(|y| y.bits() == 0);
        match op {
            Add | Or | Xor if x == Some(zero) => Some(right),
            Add | Sub | Or | Xor | Shl | Shr if right_is_zero => Some(left),
            Mul if x == Some(one) => Some(right),
            Mul | Div if y == Some(one) => Some(left),
            Mul | And if x == Some(zero) || right_is_zero => Some(self.add_literal(zero)),
            Rem if y == Some(one) => Some(self.add_literal(zero)),
            And if ty == ScalarType::Bool && x == Some(one) => Some(right),
            And if ty == ScalarType::Bool && y == Some(one) => Some(left),
            And | Or | Min | Max if left == right => Some(left),
            Sub | Xor if left == right => Some(self.add_literal(zero)),
            Eq | Le | Ge if left == right => Some(self.add_literal(Literal::from(true))),
            Ne | Lt | Gt if left == right => Some(self.add_literal(Literal::from(false))),
            _ => None,
        }
    }

    /// `x / n * n + x % n` is `x`: a place that was found from an index, and is made an index
    /// again.
    fn index_of_place(&self, op: BinaryOp, left: NodeId, right: NodeId) -> Option<NodeId> {
        let exact = |id, op| match self.node(id) {
            Node::Binary {
                op: found,
                exact: true,
                left,
                right,
            } if found == op => Some((left, right)),
            _ => None,
        };
        let (row, width) = exact(left, BinaryOp::Mul).filter(|_| op == BinaryOp::Add)?;
        let whole = exact(row, BinaryOp::Div)?;
        (whole.1 == width && exact(right, BinaryOp::Rem)? == whole).then_some(whole.0)
    }

    /// `(x + 3) + 4` is `x + 7`, and `(x * 3) * 4` is `x * 12`, where the arithmetic is exact.
    fn reassociate(&mut self, op: BinaryOp, left: NodeId, right: NodeId) -> Option<NodeId> {
        if !matches!(op, BinaryOp::Add | BinaryOp::Mul) {
            return None;
        }
        if self.literal(left).is_some() {
            return Some(self.exact(op, right, left));
        }
        let outer = self.literal(right)?;
        let Node::Binary {
            op: inner_op,
            exact: true,
            left: base,
            right: inner,
        } = self.node(left)
        else {
            return None;
        };
        let inner = self.literal(inner).filter(|_| inner_op == op)?;
        // What leaves 32 bits stays in two steps, so that a launch refuses it.
        let folded = match op {
            BinaryOp::Add => inner.u32().checked_add(outer.u32()),
            _ => inner.u32().checked_mul(outer.u32()),
        };
        let folded = self.add_literal(Literal::from(folded?));
        Some(self.exact(op, base, folded))
    }

    /// `left * right + addend` with one rounding.
    pub fn mul_add(&mut self, left: NodeId, right: NodeId, addend: NodeId) -> NodeId {
        match (
            self.literal(left),
            self.literal(right),
            self.literal(addend),
        ) {
            (Some(x), Some(y), Some(z)) => self.add_literal(meaning::mul_add(x, y, z)),
            _ => self.add(
                Node::MulAdd {
                    left,
                    right,
                    addend,
                },
                self.ty(left),
            ),
        }
    }

    /// One of two values of one type.
    pub fn select(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        match self.literal(condition) {
            Some(c) if c.bool() => then,
            Some(_) => otherwise,
            None if then == otherwise => then,
            None => self.add(
                Node::Select {
                    condition,
                    then,
                    otherwise,
                },
                self.ty(then),
            ),
        }
    }

    /// A value as another type.
    pub fn cast(&mut self, to: ScalarType, value: NodeId) -> NodeId {
        match self.node(value) {
            _ if self.ty(value) == to => value,
            Node::Literal(x) => self.add_literal(meaning::cast(to, x)),
            Node::Poison => self.add(Node::Poison, to),
            _ => self.add(Node::Cast { value }, to),
        }
    }

    /// An expression with other nodes in the place of those for which `f` gives one, folded again.
    #[doc(hidden)]
    pub fn replaced(
        &mut self,
        root: NodeId,
        f: impl Fn(&Self, NodeId) -> Option<NodeId>,
    ) -> NodeId {
        let mut new: HashMap<NodeId, NodeId> = HashMap::default();
        for id in self.post_order(&[root], |_| false) {
            let made = match f(self, id) {
                Some(made) => made,
                None => self.rebuild(id, |_, operand| new[&operand]),
            };
            new.insert(id, made);
        }
        new[&root]
    }

    /// A node with new operands, folded again; `f` is called once for each operand.
    pub fn rebuild(
        &mut self,
        id: NodeId,
        mut f: impl FnMut(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        let ty = self.ty(id);
        match self.node(id) {
            Node::Literal(_)
            | Node::Variable(_)
            | Node::Length(_)
            | Node::Special(_)
            | Node::Poison => id,
            Node::Load { array, index } => {
                let index = f(self, index);
                let (load, origin) = (self.add(Node::Load { array, index }, ty), self.origin(id));
                self.place(load, origin);
                load
            }
            Node::Unary { op, value } => {
                let value = f(self, value);
                if op.is_promise() && self.keeps_promises {
                    return self.add(Node::Unary { op, value }, ty);
                }
                self.unary(op, value)
            }
            Node::Cast { value } => {
                let value = f(self, value);
                self.cast(ty, value)
            }
            Node::Binary {
                op,
                exact,
                left,
                right,
            } => {
                let (left, right) = (f(self, left), f(self, right));
                self.make_binary(op, exact, left, right)
            }
            Node::MulAdd {
                left,
                right,
                addend,
            } => {
                let (left, right, addend) = (f(self, left), f(self, right), f(self, addend));
                self.mul_add(left, right, addend)
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                let (condition, then, otherwise) =
                    (f(self, condition), f(self, then), f(self, otherwise));
                self.select(condition, then, otherwise)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::VariableId;

    fn setup() -> (Nodes, NodeId) {
        let mut nodes = Nodes::default();
        let x = nodes.add(Node::Variable(VariableId(0)), ScalarType::U32);
        (nodes, x)
    }

    #[test]
    fn equal_nodes_are_one_node() {
        let (mut nodes, x) = setup();
        let one = nodes.binary(BinaryOp::Mul, x, x);
        let two = nodes.binary(BinaryOp::Mul, x, x);
        assert_eq!(one, two);
    }

    #[test]
    fn integers_fold_and_floats_do_not() {
        let (mut nodes, x) = setup();
        let zero = nodes.add_literal(Literal::from(0u32));
        assert_eq!(nodes.binary(BinaryOp::Add, x, zero), x);
        assert_eq!(nodes.binary(BinaryOp::Mul, zero, x), zero);
        let y = nodes.add(Node::Variable(VariableId(1)), ScalarType::F32);
        let zero = nodes.add_literal(Literal::from(0f32));
        assert_ne!(nodes.binary(BinaryOp::Add, y, zero), y);
        assert_ne!(nodes.binary(BinaryOp::Mul, y, zero), zero);
        let eq = nodes.binary(BinaryOp::Eq, y, y);
        assert_eq!(nodes.literal(eq), None, "a NaN is not equal to itself");
    }

    #[test]
    fn an_index_in_rows_is_the_index() {
        let (mut nodes, x) = setup();
        let width = nodes.add(Node::Variable(VariableId(1)), ScalarType::U32);
        let (row, column) = (
            nodes.exact(BinaryOp::Div, x, width),
            nodes.exact(BinaryOp::Rem, x, width),
        );
        let start = nodes.exact(BinaryOp::Mul, row, width);
        assert_eq!(nodes.exact(BinaryOp::Add, start, column), x);
        assert_ne!(nodes.exact(BinaryOp::Add, start, row), x);
        let eight = nodes.add_literal(Literal::from(8u32));
        let start = nodes.exact(BinaryOp::Mul, row, eight);
        assert_ne!(nodes.exact(BinaryOp::Add, start, column), x);
    }

    #[test]
    fn exact_sums_of_literals_are_one_sum() {
        let (mut nodes, x) = setup();
        let [three, four, seven] = [3u32, 4, 7].map(|n| nodes.add_literal(Literal::from(n)));
        let inner = nodes.exact(BinaryOp::Add, three, x);
        let nested = nodes.exact(BinaryOp::Add, inner, four);
        assert_eq!(nested, nodes.exact(BinaryOp::Add, x, seven));
        let wrapping = nodes.binary(BinaryOp::Add, x, three);
        assert_ne!(
            nodes.binary(BinaryOp::Add, wrapping, four),
            nodes.binary(BinaryOp::Add, x, seven)
        );
    }
}
