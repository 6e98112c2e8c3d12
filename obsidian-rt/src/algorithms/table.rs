//! The array programs of closures that capture nothing, built once.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use super::ahead;
use crate::arrays::ArrayProgram;
use crate::error::Result;

/// An algorithm by its name, and the types of its closure and its program.
type Key = (&'static str, TypeId);

static PROGRAMS: LazyLock<RwLock<HashMap<Key, Arc<dyn Any + Send + Sync>>>> =
    LazyLock::new(RwLock::default);

fn known(key: &Key) -> Option<Arc<dyn Any + Send + Sync>> {
    let table = PROGRAMS.read().unwrap_or_else(PoisonError::into_inner);
    table.get(key).cloned()
}

/// The program of a closure of type `F`. One that captures nothing is known by its type, so that its program is kept for the next call.
pub(super) fn program<F: 'static, P: 'static, R: 'static>(
    name: &'static str,
    build: impl FnOnce() -> Result<ArrayProgram<P, R>>,
) -> Result<Arc<ArrayProgram<P, R>>> {
    if size_of::<F>() != 0 {
        return build().map(Arc::new);
    }
    let key = (name, TypeId::of::<(F, ArrayProgram<P, R>)>());
    if let Some(known) = known(&key).and_then(|known| known.downcast().ok()) {
        return Ok(known);
    }
    // Built without the lock: of two threads that build it at once, the later one's is kept.
    let built = Arc::new(build()?);
    let mut table = PROGRAMS.write().unwrap_or_else(PoisonError::into_inner);
    table.insert(key, built.clone());
    Ok(built)
}

/// A program that has no closure of the user's.
pub(super) enum Fixed<P: 'static, R: 'static> {
    Ahead(&'static ArrayProgram<P, R>),
    Built(Arc<ArrayProgram<P, R>>),
}

impl<P: 'static, R: 'static> Deref for Fixed<P, R> {
    type Target = ArrayProgram<P, R>;
    fn deref(&self) -> &ArrayProgram<P, R> {
        match self {
            Fixed::Ahead(program) => program,
            Fixed::Built(program) => program,
        }
    }
}

/// A program that its name and types tell: compiled ahead, or built once.
pub(super) fn fixed<P: 'static, R: 'static>(
    name: &'static str,
    build: impl FnOnce() -> Result<ArrayProgram<P, R>>,
) -> Result<Fixed<P, R>> {
    match ahead::known(name) {
        Some(program) => Ok(Fixed::Ahead(program)),
        None => program::<(), P, R>(name, build).map(Fixed::Built),
    }
}
