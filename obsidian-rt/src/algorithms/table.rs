//! The array programs of closures that capture nothing, built once.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

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
