//! A call that waits before it begins, so that another thread can do something between two calls of its caller.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What becomes of the calls of one name.
enum Hold {
    /// They go on.
    No,
    /// The next one of this name waits.
    Next(String),
    /// One waits.
    Held,
}

static HOLD: Mutex<Hold> = Mutex::new(Hold::No);
static GONE: Condvar = Condvar::new();

fn hold() -> MutexGuard<'static, Hold> {
    HOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the next call of a name wait.
pub(crate) fn next(call: &str) {
    *hold() = Hold::Next(call.to_owned());
}

/// Does a call wait?
pub(crate) fn is_held() -> bool {
    matches!(*hold(), Hold::Held)
}

/// Lets the call that waits go on.
pub(crate) fn go() {
    *hold() = Hold::No;
    GONE.notify_all();
}

/// Waits, if this call is the one that has to.
pub(crate) fn pass(call: &str) {
    let mut hold = hold();
    if matches!(&*hold, Hold::Next(name) if name == call) {
        *hold = Hold::Held;
        drop(GONE.wait_while(hold, |hold| matches!(hold, Hold::Held)));
    }
}
