//! Expressions of a kernel's text, as nodes; nothing is folded, so that what is read is what was
//! written.

use super::{Name, Reader, Result};
use crate::scalar::{BinaryOp, Literal, Node, NodeId, ScalarType, Special, UnaryOp};

/// The depth of brackets beyond which a text is refused, for the sake of the thread's stack.
const DEEPEST: u32 = 200;

const SPECIALS: [Special; 6] = [
    Special::ThreadIndex,
    Special::WarpIndex,
    Special::LaneIndex,
    Special::BlockIndex,
    Special::GridSize,
    Special::Aligned,
];

/// A literal as its `Debug` prints it.
fn literal(word: &str) -> Option<Literal> {
    if let Ok(value) = word.parse::<bool>() {
        return Some(Literal::from(value));
    }
    let (number, ty) = word.rsplit_once('_')?;
    let ty = ScalarType::from_name(ty)?;
    if let Some(bits) = number.strip_prefix("nan:0x") {
        return Some(Literal::from_bits(ty, u64::from_str_radix(bits, 16).ok()?));
    }
    obsidian_base::by_type!(floats ty, T => Some(Literal::from(number.parse::<T>().ok()?)); Literal::integer(ty, number.parse().ok()?))
}

impl Reader<'_> {
    pub(super) fn expression(&mut self) -> Result<NodeId> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.tokens.error("fewer brackets");
        }
        let node = match self.tokens.next()? {
            "(" => self.bracket(),
            word => self.word(word),
        };
        self.depth -= 1;
        node
    }

    /// After `(`: `op value )` or `left op right )`.
    fn bracket(&mut self) -> Result<NodeId> {
        if let Some(op) = [UnaryOp::Neg, UnaryOp::Not]
            .into_iter()
            .find(|op| op.name() == self.tokens.peek())
        {
            self.tokens.next()?;
            let value = self.expression()?;
            self.tokens.expect(")")?;
            return Ok(self.unary(op, value));
        }
        let left = self.expression()?;
        let sign = self.tokens.next()?;
        let (sign, exact) = sign
            .strip_suffix('\'')
            .map_or((sign, false), |sign| (sign, true));
        let Some(op) = BinaryOp::ALL.iter().find(|op| op.name() == sign) else {
            return self.tokens.error("an operator");
        };
        let right = self.expression()?;
        self.tokens.expect(")")?;
        Ok(self.binary(*op, exact, left, right))
    }

    fn unary(&mut self, op: UnaryOp, value: NodeId) -> NodeId {
        let nodes = &mut self.tables.nodes;
        nodes.add(Node::Unary { op, value }, op.result(nodes.ty(value)))
    }

    fn binary(&mut self, op: BinaryOp, exact: bool, left: NodeId, right: NodeId) -> NodeId {
        let nodes = &mut self.tables.nodes;
        nodes.add(
            Node::Binary {
                op,
                exact,
                left,
                right,
            },
            op.result(nodes.ty(left)),
        )
    }

    fn word(&mut self, word: &str) -> Result<NodeId> {
        if let Some(&node) = self.labels.get(word) {
            return Ok(node);
        }
        let exact = self.tokens.peek() == "'";
        if exact || self.tokens.peek() == "(" {
            self.tokens.skip("'");
            self.tokens.expect("(")?;
            return self.call(word, exact);
        }
        let nodes = &mut self.tables.nodes;
        if let Some(literal) = literal(word) {
            return Ok(nodes.add_literal(literal));
        }
        if let Some(special) = SPECIALS.into_iter().find(|s| format!("{s:?}") == word) {
            return Ok(nodes.add(Node::Special(special), special.ty()));
        }
        if let Some(ty) = word.strip_prefix("poison_").and_then(ScalarType::from_name) {
            return Ok(nodes.add(Node::Poison, ty));
        }
        match self.names.get(word) {
            Some(&Name::Variable(variable)) => {
                let ty = self.tables.variable(variable).ty;
                Ok(self.tables.nodes.add(Node::Variable(variable), ty))
            }
            Some(&Name::Array(array)) => {
                self.tokens.expect("[")?;
                let index = self.expression()?;
                self.tokens.expect("]")?;
                let ty = self.element_type(array);
                Ok(self.tables.nodes.add(Node::Load { array, index }, ty))
            }
            None => self.tokens.error("a name that is bound before"),
        }
    }

    /// Expressions up to `)`.
    pub(super) fn arguments(&mut self) -> Result<Vec<NodeId>> {
        let mut list = Vec::new();
        while self.tokens.peek() != ")" {
            list.push(self.expression()?);
            if !self.tokens.skip(",") {
                break;
            }
        }
        self.tokens.expect(")")?;
        Ok(list)
    }

    fn call(&mut self, word: &str, exact: bool) -> Result<NodeId> {
        if word == "length" {
            let array = self.array()?;
            self.tokens.expect(")")?;
            return Ok(self.tables.nodes.add(Node::Length(array), ScalarType::U32));
        }
        let arguments = self.arguments()?;
        let nodes = &mut self.tables.nodes;
        match (word, arguments.as_slice()) {
            ("select", &[condition, then, otherwise]) => {
                let ty = nodes.ty(then);
                Ok(nodes.add(
                    Node::Select {
                        condition,
                        then,
                        otherwise,
                    },
                    ty,
                ))
            }
            ("mul_add", &[left, right, addend]) => {
                let ty = nodes.ty(left);
                Ok(nodes.add(
                    Node::MulAdd {
                        left,
                        right,
                        addend,
                    },
                    ty,
                ))
            }
            (_, &[value]) => {
                if let Some(ty) = ScalarType::from_name(word) {
                    return Ok(nodes.add(Node::Cast { value }, ty));
                }
                let op = UnaryOp::ALL.iter().find(|op| op.name() == word);
                let Some(op) = op else {
                    return self.tokens.error("an operator of one operand");
                };
                Ok(self.unary(*op, value))
            }
            (_, &[left, right]) => {
                let op = BinaryOp::ALL.iter().find(|op| op.name() == word);
                let Some(op) = op else {
                    return self.tokens.error("an operator of two operands");
                };
                Ok(self.binary(*op, exact, left, right))
            }
            _ => self
                .tokens
                .error("an operator with the right number of operands"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_comes_back_from_its_debug_text() {
        let values = [
            Literal::from(-3i32),
            Literal::from(u64::MAX),
            Literal::from(true),
            Literal::from(1e-30f32),
            Literal::from(1e300f64),
            Literal::from(-0f32),
            Literal::from(f32::NEG_INFINITY),
            Literal::from_bits(ScalarType::F32, 0xffc0_1234),
        ];
        for value in values {
            assert_eq!(literal(&format!("{value:?}")), Some(value));
        }
    }
}
