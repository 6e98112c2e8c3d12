//! The arrays that warps and blocks hold because the user asks for it.
//!
//! Before: a levelled kernel. After: the array, its level and its layout. The lowering puts such arrays into shared
//! memory, and drops their layouts; those who put them back into registers look here.

use crate::ir::{Kernel, Layout, Level, Levelled, Stage, Statement};
use crate::ordered::Map;
use crate::scalar::{ArrayId, ArrayPlace};

/// The arrays that the user has warps and blocks hold, with the level and the layout of each.
pub type Asked = Map<ArrayId, (Level, Layout)>;

/// Finds the arrays that a levelled kernel holds at Warp and Block.
pub fn asked(kernel: &Kernel<Levelled>) -> Asked {
    fn list(
        kernel: &Kernel<Levelled>,
        body: &[Statement<Levelled>],
        level: Level,
        found: &mut Asked,
    ) {
        for statement in body {
            let inside = match statement {
                Statement::Loop { kind, .. } => Levelled::inside(*kind),
                Statement::Collective(..) => Level::Thread,
                _ => level,
            };
            if let Statement::Allocate { array, layout } = statement
                && level > Level::Thread
                && kernel.tables.array(*array).place == ArrayPlace::Held
            {
                found.insert(*array, (level, *layout));
            }
            for inner in statement.lists() {
                list(kernel, inner, inside, found);
            }
        }
    }
    let mut found = Asked::new();
    list(kernel, &kernel.body, Level::Grid, &mut found);
    found
}
