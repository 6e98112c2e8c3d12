//! (placeholder)
use super::Kernel;
/// d
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect { /// l
 Levelled, /// p
 Physical }
/// v
#[derive(Debug)]
pub struct Violation;
/// v
pub fn validate(_: &Kernel, _: Dialect) -> Result<(), Violation> { Ok(()) }
