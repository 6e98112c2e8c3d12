//! A switch for tests: a plan without one of its waits. Does anything notice that it is gone?

use super::planned::Plan;
use crate::ir::{Level, Physical, Statement};

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
