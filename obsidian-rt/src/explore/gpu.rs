//! Descriptions of GPUs.

use crate::error::{Error, ErrorKind, Result};

/// A GPU.
#[derive(Clone, PartialEq, Debug)]
pub struct Gpu {
    /// Its name.
    pub name: String,
}

impl Gpu {
    /// A GPU by its name.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownDevice`].
    pub fn named(name: &str) -> Result<Gpu> {
        if name.is_empty() {
            return Err(Error::new(ErrorKind::UnknownDevice, "a GPU needs a name"));
        }
        Ok(Gpu { name: name.to_owned() })
    }
}
