//! What the places of a kernel's arrays cost: bytes of shared memory, and barriers.

use super::Placed;
use crate::ir::{Level, Physical, Statement};
use crate::plan::Limits;
use crate::plan::barriers::barriers;
use crate::plan::layout::Home;
use crate::plan::shared_layout::shared_layout;

/// What a kernel costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cost {
    pub(super) bytes: u32,
    /// By depth, the barriers nested in at least that many loops: those of the block, and all. None
    /// if the arrays do not fit.
    pub(super) barriers: Option<Vec<[u32; 2]>>,
    /// Stages that store less in shared memory than they did.
    pub(super) shorter: usize,
}

/// The bytes of shared memory that are worth a barrier outside of the loops of a block: more blocks run at once.
const WORTH_A_BARRIER: u32 = 20 * 1024;

impl Cost {
    /// What it costs. Its layout and its kernel with barriers are kept with it.
    pub(super) fn of(placed: &mut Placed, limits: Limits) -> Cost {
        let shorter = placed.placements.iter().filter(|one| match one.home {
            Home::Over {
                leaves_copies_out, ..
            } => leaves_copies_out,
            Home::Registers { .. } => true,
            Home::Shared => false,
        });
        let shorter = shorter.count();
        match shared_layout(&placed.kernel, &placed.lives, limits) {
            Ok(shared) => {
                let kernel = barriers(placed.kernel.clone(), &shared, &placed.changing);
                let mut by_depth = Vec::new();
                kernel.body.iter().for_each(|s| count(s, 0, &mut by_depth));
                let bytes = shared.bytes;
                placed.laid_out = Some((shared, kernel));
                Cost {
                    bytes,
                    barriers: Some(by_depth),
                    shorter,
                }
            }
            Err(out) => Cost {
                bytes: out.needed,
                barriers: None,
                shorter,
            },
        }
    }

    /// Is it less of something, and more of nothing, but for a barrier where it is much less memory?
    pub(super) fn is_better(&self, other: &Cost) -> bool {
        let saves = other.bytes.saturating_sub(self.bytes) >= WORTH_A_BARRIER;
        let barriers = match (&self.barriers, &other.barriers) {
            (Some(own), Some(other)) => own.iter().enumerate().all(|(depth, own)| {
                let other = other.get(depth).copied().unwrap_or_default();
                // The loop over blocks is around all that a block does.
                let more = u32::from(saves && depth <= 1);
                own[0] <= other[0] + more && own[1] <= other[1] + more
            }),
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => self.bytes < other.bytes,
        };
        let less = self.bytes < other.bytes || self.shorter > other.shorter;
        barriers && less && self.bytes <= other.bytes
    }
}

/// Counts the barriers of a statement that is nested in `depth` loops.
fn count(statement: &Statement<Physical>, depth: usize, by_depth: &mut Vec<[u32; 2]>) {
    if let Statement::Wait { scope } = statement {
        if by_depth.len() <= depth {
            by_depth.resize(depth + 1, [0; 2]);
        }
        for at in &mut by_depth[..=depth] {
            at[0] += u32::from(*scope == Level::Block);
            at[1] += 1;
        }
    }
    let inside = depth + usize::from(statement.is_loop());
    let lists = statement.lists().into_iter().flatten();
    lists.for_each(|s| count(s, inside, by_depth));
}
