//! What a launch has to know of a kernel (stand-in until the branch `emit` is merged).

use std::borrow::Cow;

use super::{Formula, Plan};
use crate::error::Diagnostic;
use crate::scalar::ScalarType;

/// What a kernel does with a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterRole {
    /// A buffer that is read.
    Input,
    /// A buffer that is written.
    Output,
    /// A buffer that is read and written.
    InOut,
    /// A number.
    Scalar,
}

/// One parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterInfo {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The parameter of the user's function that it belongs to.
    pub group: u32,
    /// Its element type.
    pub ty: ScalarType,
    /// What the kernel does with it.
    pub role: ParameterRole,
    /// The length of an output.
    pub length: Option<Formula>,
    /// Elements that each block writes, if that is proved.
    pub chunk: Option<u32>,
    /// Does the kernel use its length?
    pub uses_length: bool,
}

/// What must hold at launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequirementInfo {
    /// A length.
    pub length: Formula,
    /// What divides it.
    pub multiple_of: u32,
    /// The length in words.
    pub subject: Cow<'static, str>,
}

/// What a launch has to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    /// The kernel's name.
    pub name: Cow<'static, str>,
    /// Real threads of a block.
    pub threads: u32,
    /// Shared memory of a block.
    pub shared_bytes: u32,
    /// Waits.
    pub barriers: u32,
    /// The parameters, in order.
    pub parameters: Cow<'static, [ParameterInfo]>,
    /// The virtual blocks of each loop over blocks.
    pub blocks: Cow<'static, [Formula]>,
    /// What must hold.
    pub requirements: Cow<'static, [RequirementInfo]>,
}

impl Interface {
    /// The interface of a plan.
    ///
    /// # Errors
    /// A length that is not a formula.
    pub fn of(_: &Plan) -> Result<Interface, Diagnostic> {
        Err(Diagnostic::new("stand_in", crate::error::Kind::Bug, "not merged"))
    }
}
