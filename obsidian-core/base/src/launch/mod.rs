//! What a launch has to know of a kernel: parameters, lengths as formulas, requirements, limits.

mod checks;
mod constraint;
mod formula;
mod interface;
mod limits;
mod requirement;
mod unmet;

pub use checks::{Check, CheckedLength, Checks, FAULT_INDEX_BITS, LAST_FAULT, NO_FAULT, Place};
pub use constraint::Constraint;
pub use formula::{Formula, NoValue, Step};
pub use interface::{GROUP, Interface, OrderInfo, ParameterInfo, ParameterRole};
pub use limits::{
    Limits, MAX_RESIDENT_BLOCKS, MAX_RESIDENT_THREADS, MAX_SHARED_BYTES, MAX_THREADS, SHARED_BYTES,
    WARP,
};
pub use requirement::RequirementInfo;
pub use unmet::{Numbers, Unmet, UnmetKind};
