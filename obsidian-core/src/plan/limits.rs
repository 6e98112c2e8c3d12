//! Why a kernel is refused.

use crate::error::Diagnostic;

/// Why no plan could be made: every reason that was found.
pub type Refusal = Vec<Diagnostic>;
