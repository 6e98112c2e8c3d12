//! The rules of statements: what may stand at which level, what it binds, what it may write.

use super::{Bound, Checker, Order, Place, Result, rule};
use crate::ir::{
    AtomicOp, CollectiveOp, Direction, Lane, Layout, Level, Shuffle, Stage, Statement, WARP,
    WIDEST, Wide, is_voted, taken_type,
};
use crate::scalar::{
    ArrayId, ArrayPlace, Literal, NodeId, Role, ScalarType, VariableId, VariableKind,
};

/// What a statement does with an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Store,
    Atomic,
    Read,
}

fn name<S: Stage>(statement: &Statement<S>) -> &'static str {
    match statement {
        Statement::Let { .. } => "let",
        Statement::Store { .. } => "store",
        Statement::Atomic { .. } => "atomic",
        Statement::Read { .. } => "read",
        Statement::Declare { .. } => "cell",
        Statement::Assign { .. } => "assign",
        Statement::Get { .. } => "get",
        Statement::If { .. } => "if",
        Statement::While { .. } => "while",
        Statement::Break => "break",
        Statement::Report(_) => "report",
        Statement::Loop { kind, .. } => S::words(*kind).0,
        Statement::Allocate { .. } => "allocate",
        Statement::Wait { .. } => "wait",
        Statement::Collective(_, of) => of.op.name(),
        Statement::Shuffle(..) => "shuffle",
        Statement::Wide(_, wide) => wide.direction.word(),
        Statement::Earlier(..) => "follow",
        Statement::Give(..) => "give",
    }
}

impl<S: Stage> Checker<'_, S> {
    pub(super) fn list(&mut self, list: &[Statement<S>], place: Place) -> Result {
        let mark = self.scope.log.len();
        list.iter()
            .try_for_each(|statement| self.statement(statement, place))?;
        self.scope.leave(mark);
        Ok(())
    }

    pub(super) fn statement(&mut self, statement: &Statement<S>, place: Place) -> Result {
        self.may_stand(statement, place)?;
        match statement {
            Statement::Let { variable, value } => {
                self.expression(*value)?;
                self.bind(
                    *variable,
                    VariableKind::Let,
                    Some(self.kernel.tables.nodes.ty(*value)),
                )
            }
            Statement::Store {
                array,
                index,
                value,
                ..
            } => {
                self.element(*array, *index, Use::Store)?;
                self.typed(*value, self.array(*array)?.ty, "a stored value")
            }
            Statement::Atomic {
                array,
                index,
                op,
                operands,
                result,
                ..
            } => {
                self.element(*array, *index, Use::Atomic)?;
                self.atomic(*array, *op, operands, *result)
            }
            Statement::Read {
                variable,
                array,
                index,
                ..
            } => {
                self.element(*array, *index, Use::Read)?;
                self.bind(*variable, VariableKind::Let, Some(self.array(*array)?.ty))
            }
            Statement::Declare { cell, value } => {
                self.expression(*value)?;
                self.bind(
                    *cell,
                    VariableKind::Cell,
                    Some(self.kernel.tables.nodes.ty(*value)),
                )
            }
            Statement::Assign { cell, value } => self
                .cell(*cell)
                .and_then(|ty| self.typed(*value, ty, "an assigned value")),
            Statement::Get { variable, cell } => {
                let ty = self.cell(*cell)?;
                self.bind(*variable, VariableKind::Let, Some(ty))
            }
            Statement::Allocate { array, layout } => self.allocate(*array, (*layout).into()),
            Statement::Shuffle(_, shuffle) => self.shuffle(shuffle),
            Statement::Wide(_, wide) => self.wide(wide),
            Statement::Break | Statement::Wait { .. } => Ok(()),
            Statement::Report(report) => report
                .values
                .iter()
                .try_for_each(|value| self.expression(*value)),
            Statement::Collective(_, of) => self.collective(of, place),
            Statement::Earlier(_, of) => self.earlier(of, place),
            // The last one of a list that gives is checked with its collective.
            Statement::Give(..) => {
                rule(false, || "`give` stands where nothing is given".to_owned())
            }
            Statement::If { .. } | Statement::While { .. } | Statement::Loop { .. } => {
                self.control(statement, place)
            }
        }
    }

    /// May such a statement stand in such a place?
    fn may_stand(&self, statement: &Statement<S>, place: Place) -> Result {
        let level = place.level;
        let allowed = match statement {
            Statement::Loop { kind, .. } => {
                S::may_stand(*kind, level)
                    && (!S::is_ordered(*kind) && !S::is_last(*kind)
                        || place.order == Order::Outermost)
            }
            Statement::If { .. } | Statement::Let { .. } => true,
            Statement::While { .. } => level <= Level::Block,
            Statement::Wait { scope } => {
                // Real threads may wait for their warps in a list of the block as well.
                let stands = if S::IS_PHYSICAL {
                    level >= *scope && level <= Level::Block && place.agree >= level
                } else {
                    level == *scope
                };
                matches!(scope, Level::Warp | Level::Block) && stands
            }
            Statement::Break => place.breakable,
            Statement::Allocate { array, .. } => match self.array(*array)?.place {
                ArrayPlace::Shared => matches!(level, Level::Warp | Level::Block),
                // The gate behind `lowering`: warps and blocks hold nothing any more.
                ArrayPlace::Held if S::COLLECTIVES.is_none() && !S::IS_PHYSICAL => {
                    level == Level::Thread
                }
                ArrayPlace::Held | ArrayPlace::Global(_) => level <= Level::Block,
            },
            Statement::Collective(_, of) if of.op == CollectiveOp::Earlier => {
                of.level == level && level == Level::Block && place.order == Order::Directly
            }
            Statement::Collective(_, of) => of.level == level && level <= Level::Block,
            Statement::Earlier(..) if !place.order.is_around() => false,
            Statement::Store { .. }
            | Statement::Atomic { .. }
            | Statement::Read { .. }
            | Statement::Earlier(..)
            | Statement::Declare { .. }
            | Statement::Assign { .. }
            | Statement::Get { .. }
            | Statement::Report(_)
            | Statement::Shuffle(..)
            | Statement::Wide(..)
            | Statement::Give(..) => {
                level == Level::Thread || (S::IS_PHYSICAL && level != Level::Grid)
            }
        };
        rule(allowed, || {
            format!("`{}` cannot stand at level {level} here", name(statement))
        })
    }

    /// Checks access to an element.
    fn element(&mut self, id: ArrayId, index: NodeId, access: Use) -> Result {
        let array = self.array(id)?;
        rule(self.scope.arrays.contains(&id), || {
            format!("array `{}` is not in scope", array.name)
        })?;
        let allowed = match array.place {
            ArrayPlace::Shared | ArrayPlace::Global(Role::InOut) => true,
            ArrayPlace::Held => access != Use::Atomic,
            ArrayPlace::Global(Role::Output) => access == Use::Store,
            ArrayPlace::Global(Role::Input) => false,
        };
        rule(allowed, || {
            format!(
                "array `{}` cannot be used in this way at its place, {:?}",
                array.name, array.place
            )
        })?;
        self.typed(index, ScalarType::U32, "an index")
    }

    /// Whole warps, and a lane that there is.
    fn shuffle(&mut self, shuffle: &Shuffle) -> Result {
        let nodes = &self.kernel.tables.nodes;
        let lane = match shuffle.from {
            Lane::Ahead(lanes) => Some(lanes),
            Lane::Number(node) => nodes.literal(node).map(Literal::u32),
            Lane::All(_) | Lane::Equal => None,
        };
        rule(lane.is_none_or(|lane| lane < WARP), || {
            format!("a warp has no lane {}", lane.unwrap_or_default())
        })?;
        let threads = S::known_threads(self.kernel.threads);
        rule(threads.is_none_or(|threads| threads >= WARP), || {
            "`shuffle` needs whole warps".to_owned()
        })?;
        let ty = nodes.ty(shuffle.value);
        if let Lane::All(op) = shuffle.from {
            rule(is_voted(op, ty), || {
                format!("lanes do not combine {} by `{}`", ty.name(), op.name())
            })?;
        }
        if shuffle.from == Lane::Equal {
            rule(!ty.is_float(), || {
                format!("lanes are not compared by {}", ty.name())
            })?;
        }
        self.expression(shuffle.value)?;
        if let Lane::Number(node) = shuffle.from {
            self.typed(node, ScalarType::U32, "a lane")?;
        }
        self.bind(
            shuffle.variable,
            VariableKind::Let,
            Some(taken_type(shuffle.from, ty)),
        )
    }

    /// As many elements as the held array has, of 4, 8 or 16 bytes together.
    fn wide(&mut self, wide: &Wide) -> Result {
        let (array, held) = (self.array(wide.array)?, self.array(wide.held)?);
        for id in [wide.array, wide.held] {
            rule(self.scope.arrays.contains(&id), || {
                format!("an array of a {} is not in scope", wide.direction.word())
            })?;
        }
        let allowed = match (array.place, wide.direction) {
            (ArrayPlace::Shared | ArrayPlace::Global(Role::InOut), _)
            | (ArrayPlace::Global(Role::Input), Direction::Load)
            | (ArrayPlace::Global(Role::Output), Direction::Store) => true,
            (ArrayPlace::Held | ArrayPlace::Global(_), _) => false,
        };
        rule(allowed && held.place == ArrayPlace::Held, || {
            format!(
                "a {} cannot go between `{}` and `{}`",
                wide.direction.word(),
                array.name,
                held.name
            )
        })?;
        let elements = self.kernel.tables.stored_length(held);
        let bytes = elements.saturating_mul(array.ty.bytes());
        let fits = array.ty == held.ty && elements > 1 && matches!(bytes, 4 | 8 | WIDEST);
        rule(fits && array.ty != ScalarType::Bool, || {
            format!("a wide access of {elements} {}", array.ty.name())
        })?;
        self.typed(wide.index, ScalarType::U32, "an index")
    }

    fn atomic(
        &mut self,
        array: ArrayId,
        op: AtomicOp,
        operands: &[NodeId],
        result: Option<VariableId>,
    ) -> Result {
        let ty = self.array(array)?.ty;
        let wanted = if op == AtomicOp::CompareExchange {
            2
        } else {
            1
        };
        rule(operands.len() == wanted, || {
            format!("atomic {} has {} operands", op.name(), operands.len())
        })?;
        let integers = !matches!(
            op,
            AtomicOp::Add | AtomicOp::Sub | AtomicOp::Min | AtomicOp::Max | AtomicOp::Exchange
        );
        rule(!integers || ty.is_integer(), || {
            format!("atomic {} of {}", op.name(), ty.name())
        })?;
        for &operand in operands {
            self.typed(operand, ty, "an operand of an atomic")?;
        }
        result.map_or(Ok(()), |variable| {
            self.bind(variable, VariableKind::Let, Some(ty))
        })
    }

    /// The type of a cell in scope.
    pub(super) fn cell(&self, id: VariableId) -> std::result::Result<ScalarType, super::Violation> {
        let variable = self.variable(id)?;
        rule(variable.kind == VariableKind::Cell, || {
            format!("variable {} is no cell", id.0)
        })?;
        rule(self.scope.variables.contains(&id), || {
            format!("cell {} is not in scope", id.0)
        })?;
        Ok(variable.ty)
    }

    fn allocate(&mut self, id: ArrayId, layout: Layout) -> Result {
        let array = self.array(id)?;
        rule(layout != Layout::Blocked(0), || {
            format!("`{}` is held in runs of 0 elements", array.name)
        })?;
        rule(
            layout == Layout::Striped || array.place == ArrayPlace::Held,
            || format!("array `{}` has a layout and is not held", array.name),
        )?;
        rule(
            matches!(array.place, ArrayPlace::Shared | ArrayPlace::Held),
            || format!("parameter `{}` is allocated", array.name),
        )?;
        let length = self
            .kernel
            .tables
            .nodes
            .literal(array.length)
            .map(Literal::ty);
        rule(length == Some(ScalarType::U32), || {
            format!("array `{}` has no literal length", array.name)
        })?;
        let first = self.allocated.insert(id);
        // A body that is emitted twice begins its arrays twice, each in a list of its own.
        let again = S::IS_PHYSICAL && array.place == ArrayPlace::Held;
        rule(first || again, || {
            format!("array `{}` is allocated twice", array.name)
        })?;
        rule(self.scope.arrays.insert(id), || {
            format!("array `{}` is allocated in its own scope", array.name)
        })?;
        self.scope.log.push(Bound::Array(id));
        Ok(())
    }

    fn control(&mut self, statement: &Statement<S>, place: Place) -> Result {
        let uniform = statement
            .nodes()
            .into_iter()
            .filter_map(|n| Some(self.uniformity.as_ref()?.of(n)))
            .fold(place.agree, Level::min);
        let place = Place {
            agree: uniform,
            ..place
        };
        match statement {
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.typed(*condition, ScalarType::Bool, "a condition")?;
                let place = Place {
                    order: place.order.inside(),
                    ..place
                };
                self.list(then, place)?;
                self.list(otherwise, place)
            }
            Statement::While {
                head,
                condition,
                body,
            } => {
                let mark = self.scope.log.len();
                // A physical kernel does not say the level of a `While`; a break in one was checked
                // when it was levelled.
                let inside = Place {
                    breakable: place.level == Level::Thread || S::IS_PHYSICAL,
                    order: place.order.inside(),
                    ..place
                };
                head.iter()
                    .try_for_each(|statement| self.statement(statement, inside))?;
                self.typed(*condition, ScalarType::Bool, "a condition")?;
                self.list(body, inside)?;
                self.scope.leave(mark);
                Ok(())
            }
            Statement::Loop {
                kind,
                counter,
                bounds,
                body,
                ..
            } => self.counted(*kind, *counter, *bounds, body, place),
            _ => Ok(()),
        }
    }

    fn counted(
        &mut self,
        kind: S::Loop,
        counter: VariableId,
        bounds: S::Bounds,
        body: &[Statement<S>],
        place: Place,
    ) -> Result {
        for &bound in bounds.as_ref() {
            self.typed(bound, ScalarType::U32, "a bound")?;
        }
        if let [_, _, step] = bounds.as_ref() {
            let step = self.kernel.tables.nodes.literal(*step);
            rule(step.map(Literal::u32) != Some(0), || {
                "a loop has step 0".to_owned()
            })?;
        }
        let (start, end) = S::range(bounds);
        let is_one = |of: NodeId| self.kernel.tables.nodes.literal(of).map(Literal::u32) == Some(1);
        rule(
            !S::is_last(kind) || is_one(end) && start.is_none_or(|start| !is_one(start)),
            || "what the last block does has not one round".to_owned(),
        )?;
        let inside = Place {
            level: S::inside(kind),
            breakable: S::in_order(kind) == Some(Level::Thread),
            order: match S::is_ordered(kind) {
                true => Order::Directly,
                false => place.order.inside(),
            },
            ..place
        };
        let follows = |s: &&Statement<S>| {
            s.collective()
                .is_some_and(|of| of.op == CollectiveOp::Earlier)
        };
        rule(body.iter().filter(follows).count() <= 1, || {
            "`earlier` stands twice in a loop over blocks".to_owned()
        })?;
        let mark = self.scope.log.len();
        self.bind(counter, VariableKind::Counter, Some(ScalarType::U32))?;
        self.list(body, inside)?;
        self.scope.leave(mark);
        Ok(())
    }
}
