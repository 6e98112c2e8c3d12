//! Switches for tests: a plan without one of its waits, or without one of its shuffles. Does anything notice that it is gone?

use super::planned::Plan;
use crate::ir::{Lane, Level, Physical, Statement};
use crate::scalar::{Literal, Nodes};

impl Plan {
    /// The plan without its n-th wait, in the order of the text, and that wait's scope; none if it
    /// has no such wait.
    ///
    /// It is wrong on purpose, unless the wait was not needed.
    #[doc(hidden)]
    pub fn without_wait(&self, n: usize) -> Option<(Plan, Level)> {
        let (mut plan, mut before) = (self.clone(), n);
        let scope = remove(&mut plan.kernel.body, &mut before)?;
        Some((plan, scope))
    }

    /// The plan without its n-th shuffle, in the order of the text: each lane has its own value instead, and of lanes with an equal value none. None
    /// if it has no such shuffle.
    ///
    /// It is wrong on purpose, unless all lanes have the same anyway.
    #[doc(hidden)]
    pub fn without_shuffle(&self, n: usize) -> Option<Plan> {
        let (mut plan, mut before) = (self.clone(), n);
        let kernel = &mut plan.kernel;
        own_values(&mut kernel.tables.nodes, &mut kernel.body, &mut before).then_some(plan)
    }
}

/// Puts a lane's own value in place of the shuffle that follows `before` others. Returns `true` if there is one; else subtracts the number of
/// those found.
fn own_values(nodes: &mut Nodes, list: &mut [Statement<Physical>], before: &mut usize) -> bool {
    for statement in list {
        if let Statement::Shuffle(_, shuffle) = statement {
            if *before == 0 {
                let value = match shuffle.from {
                    Lane::Equal => nodes.add_literal(Literal::from(0u32)),
                    Lane::Ahead(_) | Lane::Number(_) | Lane::All(_) => shuffle.value,
                };
                let variable = shuffle.variable;
                *statement = Statement::Let { variable, value };
                return true;
            }
            *before -= 1;
        }
        let mut inside = statement.lists_mut().into_iter();
        if inside.any(|inner| own_values(nodes, inner, before)) {
            return true;
        }
    }
    false
}

/// Removes the barrier that follows `before` others; else subtracts the number of those found.
fn remove(list: &mut Vec<Statement<Physical>>, before: &mut usize) -> Option<Level> {
    for position in 0..list.len() {
        if let Statement::Wait { scope } = list[position] {
            if *before == 0 {
                list.remove(position);
                return Some(scope);
            }
            *before -= 1;
        }
        if let Some(scope) = list[position]
            .lists_mut()
            .into_iter()
            .find_map(|inner| remove(inner, before))
        {
            return Some(scope);
        }
    }
    None
}
