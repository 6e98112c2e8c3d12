//! The rules of collectives: levels, literal lengths, types of what the lists give, and operators
//! that access no array.

use super::{Checker, Place, Result, rule};
use crate::ir::{CellUse, Collective, CollectiveOp, Level, Stage, Statement, given};
use crate::ordered::Set;
use crate::scalar::{Literal, NodeId, ScalarType, VariableId, VariableKind};

impl<S: Stage> Checker<'_, S> {
    pub(super) fn collective(&mut self, of: &Collective<S>, place: Place) -> Result {
        let types = self.elements(of)?;
        let inside = Place {
            level: Level::Thread,
            breakable: false,
            ..place
        };
        let mark = self.scope.log.len();
        self.bind(of.counter, VariableKind::Counter, Some(ScalarType::U32))?;
        self.gives(&of.source, inside, &types)?;
        self.scope.leave(mark);

        self.accesses_nothing(of)?;
        self.components(&of.left, &types, of)?;
        self.components(&of.right, &types, of)?;
        let combined = match of.op {
            CollectiveOp::Sort => &[ScalarType::Bool][..],
            CollectiveOp::Reduce | CollectiveOp::InclusiveScan | CollectiveOp::ExclusiveScan => {
                &types
            }
        };
        self.gives(&of.combine, inside, combined)?;
        self.scope.leave(mark);

        self.bind(of.element, VariableKind::Counter, Some(ScalarType::U32))?;
        self.components(&of.result, &types, of)?;
        self.list(&of.body, inside)?;
        self.scope.leave(mark);
        Ok(())
    }

    /// Binds one variable for each component.
    fn components(
        &mut self,
        variables: &[VariableId],
        types: &[ScalarType],
        of: &Collective<S>,
    ) -> Result {
        rule(variables.len() == types.len(), || {
            let (name, components) = (of.op.name(), types.len());
            format!("`{name}` of {components} components binds another number of variables")
        })?;
        let mut each = variables.iter().zip(types);
        each.try_for_each(|(variable, ty)| self.bind(*variable, VariableKind::Let, Some(*ty)))
    }

    /// Lengths and the initial value; the types of the components of an element.
    fn elements(
        &mut self,
        of: &Collective<S>,
    ) -> std::result::Result<Vec<ScalarType>, super::Violation> {
        let name = of.op.name();
        let literal = |node: NodeId| {
            let literal = self.kernel.tables.nodes.literal(node);
            literal.filter(|n| n.ty() == ScalarType::U32)
        };
        let (count, results) = (literal(of.count), literal(of.results));
        rule(count.is_some(), || {
            format!("`{name}` has no literal number of elements")
        })?;
        let count = count.map_or(0, Literal::u32);
        let expected = of.op.results(count);
        rule(results.map(Literal::u32) == Some(expected), || {
            let counted =
                |n: u32, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
            let (elements, results) = (counted(count, "element"), counted(expected, "result"));
            format!("`{name}` of {elements} has {results}")
        })?;
        let values = given(&of.source).unwrap_or_default();
        rule(!values.is_empty(), || {
            format!("the elements of `{name}` are not given")
        })?;
        let types: Vec<_> = values
            .iter()
            .map(|value| self.kernel.tables.nodes.ty(*value))
            .collect();
        let initials = match of.op {
            CollectiveOp::ExclusiveScan => types.len(),
            _ => 0,
        };
        rule(of.initial.len() == initials, || {
            format!("an initial value belongs to `exclusive_scan`, not `{name}`, and it needs one")
        })?;
        let mut initial = of.initial.iter().zip(&types);
        initial.try_for_each(|(node, ty)| self.typed(*node, *ty, "an initial value"))?;
        Ok(types)
    }

    /// A list at Thread that ends with the `Give` of components of these types. What it binds stays
    /// bound.
    fn gives(&mut self, list: &[Statement<S>], inside: Place, types: &[ScalarType]) -> Result {
        let Some((Statement::Give(_, values), before)) = list.split_last() else {
            return rule(false, || {
                "a list that should give a value does not".to_owned()
            });
        };
        before
            .iter()
            .try_for_each(|statement| self.statement(statement, inside))?;
        rule(values.len() == types.len(), || {
            let (found, wanted) = (values.len(), types.len());
            format!("{found} values are given, not {wanted}")
        })?;
        let mut given = values.iter().zip(types);
        given.try_for_each(|(value, ty)| self.typed(*value, *ty, "a given value"))
    }

    /// The lowering chooses which threads execute an operator, and how often. So the operator
    /// accesses no array, and no cell but its own.
    fn accesses_nothing(&self, of: &Collective<S>) -> Result {
        let (mut accesses, mut own, mut cells) = (false, Set::new(), Set::new());
        let mut look = |s: &Statement<S>| {
            accesses |=
                !s.mentions(&self.kernel.tables.nodes).is_empty() || s.collective().is_some();
            match s.cell() {
                Some((cell, CellUse::Begins(_))) => own.extend([cell]),
                Some((cell, CellUse::Changes(_) | CellUse::Names(_))) => cells.extend([cell]),
                None => {}
            }
        };
        of.combine.iter().for_each(|s| s.visit(&mut look));
        let name = of.op.name();
        rule(!accesses, || {
            format!("the operator of `{name}` accesses an array")
        })?;
        rule(cells.is_subset(&own), || {
            format!("the operator of `{name}` has a cell that is not its own")
        })
    }
}
