//! Numbers of the checks in the words of a message: what could not be proved of them.

use super::facts::Kind;
use super::forms::Forms;
use super::poly::{Atom, Poly};
use super::sites::Sites;
use crate::scalar::{BinaryOp, Node, NodeId, Tables};

/// A longer number is not shown: nobody would read it.
const MOST_CHARACTERS: usize = 90;

/// `index < length`, where that could not be proved; nothing if it is too long to help.
pub(super) fn below(
    forms: &Forms<'_>,
    sites: &Sites,
    index: &Poly,
    length: &Poly,
) -> Option<String> {
    let words = Words { forms, sites };
    let text = format!("{} < {}", words.sum(index)?, words.sum(length)?);
    (text.len() <= MOST_CHARACTERS).then_some(text)
}

struct Words<'w, 'k> {
    forms: &'w Forms<'k>,
    sites: &'w Sites,
}

impl Words<'_, '_> {
    /// A sum, what is added first.
    fn sum(&self, poly: &Poly) -> Option<String> {
        let mut terms: Vec<(&[Atom], i128)> = poly.terms().collect();
        terms.sort_by_key(|(product, factor)| (*factor < 0, product.is_empty()));
        let mut text = String::new();
        for (product, factor) in terms {
            let sign = match (factor < 0, text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            text += sign;
            let factors = product.iter().map(|atom| self.atom(*atom));
            let number =
                (factor.abs() != 1 || product.is_empty()).then(|| factor.abs().to_string());
            let parts: Option<Vec<String>> = factors.chain(number.map(Some)).collect();
            text += &parts?.join(" * ");
        }
        Some(if text.is_empty() {
            "0".to_owned()
        } else {
            text
        })
    }

    /// A sum in parentheses, if it needs them.
    fn operand(&self, poly: &Poly) -> Option<String> {
        let text = self.sum(poly)?;
        Some(match text.contains(' ') {
            true => format!("({text})"),
            false => text,
        })
    }

    fn atom(&self, atom: Atom) -> Option<String> {
        let two = |x: &Poly, op: &str, y: &Poly| {
            Some(format!("({} {op} {})", self.operand(x)?, self.operand(y)?))
        };
        let call = |name: &str, x: &Poly, y: &Poly| {
            Some(format!("{name}({}, {})", self.sum(x)?, self.sum(y)?))
        };
        match self.forms.facts.kind(atom) {
            Kind::Leaf(leaf) => self.leaf(*leaf),
            Kind::Counter(number) => self.counter(*number),
            // Its divisor was required to divide it.
            Kind::Part(whole, 0) => {
                let own = Poly::atom(atom);
                let mut quotients = self.forms.quotients.iter();
                let (divisor, _) = quotients.find(|(_, quotient)| *quotient == own)?;
                let divisor = self.operand(divisor)?;
                Some(format!("({} / {divisor})", self.atom(*whole)?))
            }
            Kind::Part(whole, n) => Some(format!("({} / {n})", self.atom(*whole)?)),
            Kind::Opaque(id) => self.node(*id),
            Kind::Product(x, y) => two(x, "*", y),
            Kind::Div(x, y) => two(x, "/", y),
            Kind::Rem(x, y) => two(x, "%", y),
            Kind::Min(x, y) => call("min", x, y),
            Kind::Max(x, y) => call("max", x, y),
            Kind::Bits(BinaryOp::And, x, y) => two(x, "&", y),
            Kind::Bits(BinaryOp::Or, x, y) => two(x, "|", y),
            Kind::Bits(_, x, y) => two(x, "^", y),
            Kind::Select(..) => Some("select(..)".to_owned()),
            Kind::Place(_) | Kind::Piece(..) | Kind::Other(..) | Kind::Upper(..) => None,
        }
    }

    fn leaf(&self, leaf: Node) -> Option<String> {
        let tables = self.forms.tables;
        match leaf {
            Node::Length(array) => Some(format!("{}.len()", name_of(tables, array.0)?)),
            Node::Variable(v) => tables.variables.get(v.0 as usize)?.name.clone(),
            _ => None,
        }
    }

    /// What a message calls the rounds of a loop.
    fn counter(&self, number: u32) -> Option<String> {
        let around = self.sites.loops.get(number as usize)?;
        Some(around.rounds.word().to_owned())
    }

    fn node(&self, id: NodeId) -> Option<String> {
        let tables = self.forms.tables;
        match tables.nodes.node(id) {
            Node::Load { array, .. } => Some(format!("{}[..]", name_of(tables, array.0)?)),
            Node::Variable(v) => {
                let name = tables.variables.get(v.0 as usize)?.name.clone();
                Some(name.unwrap_or_else(|| "a value that was read".to_owned()))
            }
            _ => Some("an unknown number".to_owned()),
        }
    }
}

fn name_of(tables: &Tables, array: u32) -> Option<&str> {
    Some(tables.arrays.get(array as usize)?.name.as_str())
}
