//! From a levelled kernel to a [`Plan`]: everything that is decided before text is written.
//!
//! One pass, one file, one function of the same name. A pass that looks takes `&Kernel` and gives a
//! table; a pass that changes takes a `Kernel` and gives a `Kernel`. Their order is `pipeline`'s.
//! Each part of the house uses only parts that stand above it here (`tests/tests/messages/rooms.rs` holds
//! that):
//!
//! | part | what it is |
//! |---|---|
//! | `limits`, `layout`, `pattern` | words: what a block may use, where shared arrays lie, how an output is written |
//! | `analysis` | tables about a kernel that several passes read |
//! | `check` | the proofs, and the user's mistakes |
//! | `launch_requirements` | pass: what `check` took for granted becomes a requirement of the launch |
//! | `cut` | pass: ordered loops over blocks in two, for the CPU |
//! | `lowering` | pass: held arrays of warps and blocks, and collectives, through shared memory |
//! | `whole_tiles` | pass: loops without comparisons for whole tiles, apart from the rest |
//! | `virtualise` | pass: real threads |
//! | `shared_layout` | pass: an offset for each shared array |
//! | `dead_loads` | pass: reads that nothing uses are left out |
//! | `barriers` | pass: barriers where threads conflict, at the narrowest scope |
//! | `placement` | pass: stored arrays in registers, and in the places of others |
//! | `simplify` | pass: what is known where a statement stands is folded |
//! | `wide` | pass: neighbouring elements by one access |
//! | `planned` | the [`Plan`] |
//! | `interface` | what a launch has to know of a plan: [`Interface`] |
//! | `testing` | plans that are wrong on purpose |

mod analysis;
mod barriers;
mod check;
mod cut;
mod dead_loads;
mod interface;
mod launch_requirements;
mod layout;
mod limits;
mod lowering;
mod pattern;
mod placement;
mod planned;
mod shared_layout;
mod simplify;
mod testing;
mod virtualise;
mod whole_tiles;
mod wide;

pub use analysis::memory::changing;
pub use analysis::{Asked, Life, Liveness, Range, WarpLoop, asked, liveness};
pub use barriers::barriers;
pub use check::{Checked, Need, check};
pub(crate) use check::{Unproved, check_as};
pub use cut::cut;
pub use dead_loads::dead_loads;
pub use launch_requirements::launch_requirements;
pub(crate) use layout::TICKETS;
pub use layout::{Home, Placement, SharedMap, Slot};
pub use limits::Refusal;
pub use lowering::{Executed, lowering};
pub use obsidian_base::launch::{
    Check, CheckedLength, Checks, Formula, Interface, Limits, NO_FAULT, NoValue, Numbers,
    OrderInfo, ParameterInfo, ParameterRole, RequirementInfo, Step, Unmet, UnmetKind,
};
pub use pattern::WritePattern;
pub use placement::{Placed, placement};
pub use planned::Plan;
pub(crate) use planned::{OrderedLoop, held_words};
pub use shared_layout::{OutOfShared, shared_layout};
pub use simplify::simplify;
pub use virtualise::virtualise;
pub use whole_tiles::whole_tiles;
pub use wide::{wide, wide_of_proved};

pub(crate) use interface::lengths_used;

pub use crate::ir::{MAX_SHARED_BYTES, SHARED_BYTES};

#[cfg(test)]
mod tests;
