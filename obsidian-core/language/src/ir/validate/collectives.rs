//! The rules of collectives: levels, literal lengths, types of what the lists give, and operators
//! that access no array.

use super::{Checker, Place, Result, rule};
use crate::ir::{
    CellUse, Collective, CollectiveOp, Earlier, Level, MOST_BITS, Stage, Statement, WARP, given,
};
use crate::ordered::Set;
use crate::scalar::{Literal, NodeId, ScalarType, VariableId, VariableKind};

impl<S: Stage> Checker<'_, S> {
    pub(super) fn collective(&mut self, of: &Collective<S>, place: Place) -> Result {
        let types = self.elements(of)?;
        let inside = Place {
            level: Level::Thread,
            breakable: false,
            order: place.order.inside(),
            ..place
        };
        let mark = self.scope.log.len();
        self.bind(of.counter, VariableKind::Counter, Some(ScalarType::U32))?;
        self.gives(&of.source, inside, &types)?;
        self.scope.leave(mark);

        match of.op {
            CollectiveOp::Sort => self.operator(of, inside, (&types, &[ScalarType::Bool]))?,
            CollectiveOp::Reduce
            | CollectiveOp::InclusiveScan
            | CollectiveOp::ExclusiveScan
            | CollectiveOp::Earlier => self.operator(of, inside, (&types, &types))?,
            CollectiveOp::Count { bits } | CollectiveOp::Rank { bits } => {
                let is_digit = types == [ScalarType::U32] && (1..=MOST_BITS).contains(&bits);
                let has_none = of.left.is_empty() && of.right.is_empty() && of.combine.is_empty();
                rule(is_digit && has_none, || {
                    format!("`{}` is of digits, and has no operator", of.op.name())
                })?;
            }
        }
        self.scope.leave(mark);

        self.bind(of.element, VariableKind::Counter, Some(ScalarType::U32))?;
        self.components(&of.result, &types, of)?;
        self.list(&of.body, inside)?;
        self.scope.leave(mark);
        Ok(())
    }

    /// The operator, which combines elements of these types, and gives something of those.
    fn operator(
        &mut self,
        of: &Collective<S>,
        inside: Place,
        (types, combined): (&[ScalarType], &[ScalarType]),
    ) -> Result {
        self.accesses_nothing(of)?;
        self.components(&of.left, types, of)?;
        self.components(&of.right, types, of)?;
        self.gives(&of.combine, inside, combined)
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
            CollectiveOp::ExclusiveScan | CollectiveOp::Earlier => types.len(),
            CollectiveOp::Reduce
            | CollectiveOp::InclusiveScan
            | CollectiveOp::Sort
            | CollectiveOp::Count { .. }
            | CollectiveOp::Rank { .. } => 0,
        };
        rule(of.initial.len() == initials, || {
            let what = if initials == 0 { "has no" } else { "needs an" };
            format!("`{name}` {what} initial value")
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

    /// Types, and an operator that accesses nothing else.
    pub(super) fn earlier(&mut self, of: &Earlier<S>, place: Place) -> Result {
        let lists = [&of.cells, &of.right];
        rule(
            !of.own.is_empty() && lists.iter().all(|list| list.len() == of.own.len()),
            || "`follow` has not as many cells as components".to_owned(),
        )?;
        self.typed(of.element, ScalarType::U32, "the number of an element")?;
        let count = self.kernel.tables.nodes.literal(of.count);
        rule(count.is_some_and(|n| n.ty() == ScalarType::U32), || {
            "`follow` has no literal number of elements".to_owned()
        })?;
        let threads = S::known_threads(self.kernel.threads);
        let whole = threads.is_none_or(|threads| threads.is_multiple_of(WARP));
        rule(whole || !of.by_lanes, || {
            "`follow` by lanes needs whole warps".to_owned()
        })?;
        for (own, cell) in of.own.iter().zip(&of.cells) {
            let ty = self.cell(*cell)?;
            self.typed(*own, ty, "what a block has")?;
        }
        let cells: Set<_> = of.cells.iter().copied().collect();
        self.touches_nothing("follow", &of.combine, cells)?;
        let inside = Place {
            level: Level::Thread,
            breakable: false,
            order: place.order.inside(),
            ..place
        };
        let mark = self.scope.log.len();
        for (right, own) in of.right.iter().zip(&of.own) {
            let ty = self.kernel.tables.nodes.ty(*own);
            self.bind(*right, VariableKind::Let, Some(ty))?;
        }
        self.list(&of.combine, inside)?;
        self.scope.leave(mark);
        Ok(())
    }

    /// The lowering chooses which threads execute an operator, and how often. So the operator
    /// accesses no array, and no cell but its own.
    fn accesses_nothing(&self, of: &Collective<S>) -> Result {
        self.touches_nothing(of.op.name(), &of.combine, Set::new())
    }

    fn touches_nothing(
        &self,
        name: &str,
        combine: &[Statement<S>],
        mut own: Set<VariableId>,
    ) -> Result {
        let (mut accesses, mut cells) = (false, Set::new());
        let mut look = |s: &Statement<S>| {
            accesses |=
                !s.mentions(&self.kernel.tables.nodes).is_empty() || !s.bound_inside().is_empty();
            match s.cell() {
                Some((cell, CellUse::Begins(_))) => own.extend([cell]),
                Some((cell, CellUse::Changes(_) | CellUse::Names(_))) => cells.extend([cell]),
                None => {}
            }
        };
        combine.iter().for_each(|s| s.visit(&mut look));
        rule(!accesses, || {
            format!("the operator of `{name}` accesses an array")
        })?;
        rule(cells.is_subset(&own), || {
            format!("the operator of `{name}` has a cell that is not its own")
        })
    }
}
