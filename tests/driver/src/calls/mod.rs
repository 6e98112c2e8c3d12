//! The functions of the driver, by what they are about.

mod device;
pub(crate) mod graph;
mod memory;
mod module;
mod stream;

/// Defines functions of the driver: each is counted, logged and failed on command before its body
/// runs.
macro_rules! calls {
    ($(fn $name:ident($world:ident $(, $argument:ident: $ty:ty)*) $body:block)*) => {$(
        /// The driver's function of this name.
        ///
        /// # Safety
        /// As the driver says: pointers lead to places of their type, handles are those that were
        /// given.
        #[allow(clippy::too_many_arguments)]
        // SAFETY: nothing else in this library has the name, which is what the library is for.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $ty),*) -> i32 {
            let arguments = || -> Vec<String> { vec![$(format!("{:?}", $argument)),*] };
            $crate::state::called(stringify!($name), &arguments, |$world| $body)
        }
    )*};
}
use calls;

use crate::state::{Given, INVALID_VALUE};

/// Writes what a call gives to the place that it was given for it.
///
/// # Safety
/// The place is null, or one for a value of its type.
unsafe fn give<T>(place: *mut T, value: T) -> Given {
    if place.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe { place.write(value) };
    Ok(())
}
