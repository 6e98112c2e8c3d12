//! The rules of expressions: types of operands, names in scope, arrays that may be loaded.

use super::{Bound, Checker, Result, Violation, rule};
use crate::ir::Stage;
use crate::scalar::{ArrayPlace, Node, NodeId, Role, ScalarType, VariableKind};

impl<S: Stage> Checker<'_, S> {
    /// Checks an expression and that it has this type; `what` names it.
    pub(super) fn typed(&mut self, node: NodeId, ty: ScalarType, what: &str) -> Result {
        self.expression(node)?;
        let found = self.kernel.tables.nodes.ty(node);
        rule(found == ty, || {
            format!("{what} has type {}, not {}", found.name(), ty.name())
        })
    }

    /// Checks everything below a node that was not checked in this scope.
    pub(super) fn expression(&mut self, root: NodeId) -> Result {
        let nodes = &self.kernel.tables.nodes;
        for id in nodes.post_order(&[root], |n| self.scope.nodes.contains(&n)) {
            self.node(nodes.node(id), nodes.ty(id))?;
            self.scope.nodes.insert(id);
            self.scope.log.push(Bound::Node(id));
        }
        Ok(())
    }

    fn node(&self, node: Node, ty: ScalarType) -> Result {
        let of = |n| self.kernel.tables.nodes.ty(n);
        let same = |left: ScalarType, right: ScalarType| {
            rule(left == right, || {
                format!(
                    "in {node:?} types {} and {} should be one",
                    left.name(),
                    right.name()
                )
            })
        };
        match node {
            Node::Literal(literal) => same(literal.ty(), ty),
            Node::Variable(id) => {
                let variable = self.variable(id)?;
                let name = || {
                    variable
                        .name
                        .clone()
                        .unwrap_or_else(|| format!("v{}", id.0))
                };
                rule(variable.kind != VariableKind::Cell, || {
                    format!("cell `{}` occurs in an expression", name())
                })?;
                rule(self.scope.variables.contains(&id), || {
                    format!("`{}` is not bound here", name())
                })?;
                same(variable.ty, ty)
            }
            Node::Length(id) => {
                let array = self.array(id)?;
                rule(matches!(array.place, ArrayPlace::Global(_)), || {
                    format!("the length of `{}`, no parameter, is asked for", array.name)
                })?;
                same(ty, ScalarType::U32)
            }
            Node::Special(special) => {
                rule(S::IS_PHYSICAL, || {
                    format!("{special:?} occurs in a levelled kernel")
                })?;
                same(ty, special.ty())
            }
            Node::Load { array: id, index } => {
                let array = self.array(id)?;
                rule(self.scope.arrays.contains(&id), || {
                    format!("array `{}` is not in scope", array.name)
                })?;
                let fixed = !matches!(array.place, ArrayPlace::Global(Role::Output | Role::InOut));
                rule(fixed, || {
                    format!(
                        "array `{}` is loaded, but it may still be written",
                        array.name
                    )
                })?;
                same(of(index), ScalarType::U32)?;
                same(array.ty, ty)
            }
            Node::Unary { op, value } => {
                let operand = of(value);
                rule(op.accepts(operand), || {
                    format!("{op:?} of {}", operand.name())
                })?;
                same(op.result(operand), ty)
            }
            Node::Binary {
                op, left, right, ..
            } => {
                rule(op.accepts(of(left)), || {
                    format!("{op:?} of {}", of(left).name())
                })?;
                same(
                    of(right),
                    if op.is_shift() {
                        ScalarType::U32
                    } else {
                        of(left)
                    },
                )?;
                same(op.result(of(left)), ty)
            }
            Node::MulAdd {
                left,
                right,
                addend,
            } => [left, right, addend]
                .into_iter()
                .try_for_each(|n| same(of(n), ty)),
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                same(of(condition), ScalarType::Bool)?;
                [then, otherwise]
                    .into_iter()
                    .try_for_each(|n| same(of(n), ty))
            }
            Node::Cast { .. } => Ok(()),
            Node::Poison => Err(Violation {
                message: "a mistake got past its report".to_owned(),
            }),
        }
    }
}
