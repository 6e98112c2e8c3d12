//! The numbers of a program, its scalar parameters and the extents of its arrays, and formulas over them.

use super::Given;
use super::claims::Claim;
use crate::error::{Diagnostic, catalogue};
use crate::ordered::Map;
use crate::plan::{Formula, Step as FormulaStep};
use crate::scalar::formula::{FormulaLeaf, LONGEST_EXTENT, Leaf, formula_over};
use crate::scalar::{AnyExp, Exp, Node, NodeId, ScalarType, Tables, VariableKind, lit};

/// Which numbers of a program are equal: each stands for another one, or for a literal.
pub(super) struct Classes {
    pub(super) given: Vec<Given>,
    /// For each number the first that is equal to it, or a literal.
    pub(super) of: Vec<Representative>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Representative {
    Number(usize),
    Literal(u32),
}

/// The node of a value of a build that has ended.
pub(super) fn node_of(value: Exp<u32>) -> NodeId {
    value.node()
}

pub(super) fn stale_node(value: AnyExp) -> NodeId {
    value.node()
}

/// Formulas over the numbers of a program.
pub(super) struct Formulas<'t> {
    pub(super) tables: &'t Tables,
    pub(super) numbers: Vec<NodeId>,
    pub(super) classes: &'t Classes,
}

impl Formulas<'_> {
    pub(super) fn of(&self, id: NodeId) -> Result<Formula, Diagnostic> {
        formula_over(&self.tables.nodes, id, LONGEST_EXTENT, &|leaf| match leaf {
            FormulaLeaf::Variable(variable) => {
                let is_own = |node: &NodeId| matches!(self.tables.nodes.node(*node), Node::Variable(own) if own == variable);
                let number = self.numbers.iter().position(is_own);
                let of = number.and_then(|number| self.classes.of.get(number));
                match of {
                    Some(Representative::Number(number)) => {
                        Ok(Leaf::Step(FormulaStep::Argument(*number)))
                    }
                    Some(Representative::Literal(literal)) => {
                        Ok(Leaf::Step(FormulaStep::Literal((*literal).into())))
                    }
                    None => Err(catalogue::extent_of_data("array")),
                }
            }
            FormulaLeaf::Length(_) => Err(catalogue::extent_of_data("array")),
        })
    }
}

impl Classes {
    /// Puts numbers together that claims have equal, where `numbers` are those that a run is given. A number that a run reads stays apart: what
    /// is computed before the read must not depend on it under another name. Gives whether there was something to put together.
    pub(super) fn merge(&mut self, claims: &[Claim], numbers: &[NodeId], tables: &Tables) -> bool {
        let before = self.of.clone();
        for claim in claims.iter().filter(|claim| !claim.at_least) {
            let side = |of: &[Representative], value: Exp<u32>| {
                let literal = tables.nodes.literal(node_of(value));
                let literal = literal.and_then(|literal| literal.as_integer());
                match literal.and_then(|literal| u32::try_from(literal).ok()) {
                    Some(literal) => Some(Representative::Literal(literal)),
                    None => {
                        let position = numbers.iter().position(|own| *own == node_of(value));
                        position.and_then(|position| of.get(position).copied())
                    }
                }
            };
            let (Some(left), Some(right)) =
                (side(&self.of, claim.left), side(&self.of, claim.right))
            else {
                continue;
            };
            let (keep, give) = match (left, right) {
                (Representative::Literal(_), other) => (left, other),
                (other, Representative::Literal(_)) => (right, other),
                (Representative::Number(x), Representative::Number(y)) if x <= y => (left, right),
                _ => (right, left),
            };
            // Two literals that differ: the run says so.
            if matches!(give, Representative::Number(_)) {
                let own = self.of.iter_mut().filter(|one| **one == give);
                own.for_each(|one| *one = keep);
            }
        }
        self.of != before
    }

    fn names(&self) -> Vec<(String, ScalarType)> {
        self.given.iter().flat_map(Given::numbers).collect()
    }

    /// How many numbers a run is given; behind them come those that only the run finds out.
    pub(super) fn given_numbers(&self) -> usize {
        self.names().len()
    }

    /// Arguments that stand for the numbers, equal ones for one.
    pub(super) fn arguments(&self) -> Vec<AnyExp> {
        self.numbers(&mut |_, name, ty| {
            crate::program::bound_any(Some(name), ty, VariableKind::Argument).1
        })
    }

    /// The numbers, each made by `make` of its number, name and type, or like the one that it is equal to.
    pub(super) fn numbers(
        &self,
        make: &mut dyn FnMut(usize, &str, ScalarType) -> AnyExp,
    ) -> Vec<AnyExp> {
        let mut made: Map<usize, AnyExp> = Map::new();
        let names = self.names();
        let one = |of: &Representative| match of {
            Representative::Literal(literal) => lit(*literal).any(),
            Representative::Number(number) => *made.entry(*number).or_insert_with(|| {
                // Behind those that a run is given come those that it finds out.
                let read = || (format!("length_{number}"), ScalarType::U32);
                let (name, ty) = names.get(*number).cloned().unwrap_or_else(read);
                make(*number, &name, ty)
            }),
        };
        self.of.iter().map(one).collect()
    }
}

/// The product of extents.
pub(super) fn of_product(extents: &[Formula]) -> Formula {
    let mut steps = Vec::new();
    for (position, extent) in extents.iter().enumerate() {
        steps.extend(extent.steps.iter().copied());
        if position > 0 {
            steps.push(FormulaStep::Mul);
        }
    }
    if steps.is_empty() {
        steps.push(FormulaStep::Literal(1));
    }
    Formula {
        steps: steps.into(),
    }
}

/// How many pieces a row has.
pub(super) fn of_pieces(row: &Formula, piece: u32) -> Formula {
    let mut steps = row.steps.to_vec();
    steps.extend([FormulaStep::Literal(piece.into()), FormulaStep::Div]);
    steps.extend(row.steps.iter().copied());
    steps.extend([
        FormulaStep::Literal(piece.into()),
        FormulaStep::Rem,
        FormulaStep::Literal(1),
        FormulaStep::Min,
        FormulaStep::Add,
    ]);
    Formula {
        steps: steps.into(),
    }
}
