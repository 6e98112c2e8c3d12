//! What a launch has to know of a kernel: parameters, lengths as formulas, requirements.

mod formula;
mod interface;
mod requirement;
mod unmet;

pub use formula::{Formula, NoValue, Step};
pub use interface::{Interface, ParameterInfo, ParameterRole};
pub use requirement::RequirementInfo;
pub use unmet::{Numbers, Unmet, UnmetKind};

pub(crate) use interface::{FormulaLeaf, Leaf, TOO_LONG, formula_over, lengths_used};
