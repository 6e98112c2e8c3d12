//! Internal errors: a pass finds what the passes before should have ruled out.
//!
//! A kernel that the validator has accepted names nothing that its tables do not have. Where a
//! lookup fails all the same, an answer that is made up would become a wrong kernel without a
//! message. So `raise` unwinds to [`caught`], which stands where a build begins and makes a
//! diagnostic that asks for a report, and no panic of the user's program or compiler.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::{Diagnostic, catalogue};

/// What a raised fault carries to the place where it is reported.
struct Fault {
    message: String,
}

/// Leaves the build: something is not as the passes have made sure that it is.
#[cold]
#[doc(hidden)]
pub fn raise(message: impl Into<String>) -> ! {
    // Unlike a panic it prints nothing: the message is for the diagnostic.
    resume_unwind(Box::new(Fault {
        message: message.into(),
    }))
}

/// Runs `f`; the error is the fault that was raised in it. Other panics go on.
pub fn caught<R>(f: impl FnOnce() -> R) -> Result<R, Diagnostic> {
    // Nothing that `f` was changing is looked at after a fault: it is dropped with the closure.
    catch_unwind(AssertUnwindSafe(f)).map_err(|reason| match reason.downcast::<Fault>() {
        Ok(fault) => catalogue::bug(fault.message),
        Err(other) => resume_unwind(other),
    })
}

#[cfg(test)]
mod tests {
    use super::{caught, raise};
    use crate::error::Kind;

    #[test]
    fn a_fault_is_a_diagnostic() {
        let bug = caught(|| -> u32 { raise("no such array") }).unwrap_err();
        assert_eq!((bug.kind, bug.id), (Kind::Bug, "bug"));
        assert!(bug.message.contains("no such array"), "{bug}");
        assert_eq!(caught(|| 1), Ok(1));
    }

    #[test]
    fn another_panic_is_not_ours() {
        let panic = || caught(|| -> u32 { std::panic::resume_unwind(Box::new("theirs")) });
        let reason = std::panic::catch_unwind(panic).unwrap_err();
        assert_eq!(reason.downcast_ref::<&str>(), Some(&"theirs"));
    }
}
