//! What a call of the driver gave, as an error: its kind, its words, and what to do.

use super::driver::Failure;
use crate::error::{Error, ErrorKind};

/// The error of a call that gave a code, for a device.
#[cfg(feature = "cust")]
pub(crate) fn of(call: &'static str, code: i32, device: &str) -> Error {
    Failure { call, code }.error(device)
}

impl Failure {
    /// Is nothing to be had of the context any more? So the driver's documentation says of these
    /// codes.
    pub(super) fn loses_the_context(self) -> bool {
        matches!(self.code, 214 | 220 | 700 | 702 | 709 | 710 | 714..=719)
    }

    pub(super) fn kind(self) -> ErrorKind {
        match self.code {
            2 => ErrorKind::OutOfMemory,
            34 => ErrorKind::NoDriver,
            100 | 101 => ErrorKind::DeviceUnavailable,
            200 | 209 | 218 | 221..=223 | 300 => ErrorKind::KernelRejected,
            701 => ErrorKind::OutOfResources,
            _ if self.loses_the_context() => ErrorKind::LostContext,
            _ => ErrorKind::DriverCall,
        }
    }

    /// The code in words: ours, as asking the driver for its own is one more call that can fail.
    fn words(self) -> &'static str {
        match self.code {
            1 => "a value is not valid",
            2 => "out of memory",
            3 => "the driver is not initialised",
            4 => "the driver is shutting down",
            34 => "the library is a stub, not a driver",
            46 => "the device is busy",
            100 => "there is no device",
            101 => "there is no device of that number",
            200 => "the image of the kernel is not valid",
            201 => "the context is not valid",
            209 => "no code for this device",
            214 => "uncorrectable memory error",
            218 => "the PTX is not valid",
            221 => "the compiler for PTX was not found",
            222 => "the PTX is of a newer version than the driver",
            223 => "compiling PTX is switched off",
            304 => "the operating system failed",
            400 => "a handle is not valid",
            500 => "not found",
            700 => "illegal address",
            701 => "not enough resources for the launch",
            702 => "the launch took too long",
            709 => "the context was destroyed",
            710 => "an assertion in a kernel failed",
            715 => "illegal instruction",
            716 => "misaligned address",
            719 => "the launch failed",
            801 => "not supported",
            803 => "driver and kernel module are of different versions",
            999 => "unknown",
            _ => "see CUresult in the CUDA documentation",
        }
    }

    /// What the user can do about it.
    fn advice(self) -> &'static str {
        match (self.code, self.kind()) {
            (222, _) => "; use a newer driver, or an nvcc that is no newer than the driver",
            (803, _) => "; start the machine anew after an update of the driver",
            (_, ErrorKind::OutOfMemory) => {
                "; drop buffers that are not needed, or work on smaller pieces"
            }
            (_, ErrorKind::DeviceUnavailable) => "; `OBSIDIAN_DEVICE=cpu` uses the CPU",
            (_, ErrorKind::KernelRejected) => {
                "; compile for the architecture of this device: `.arch(..)` in the build script"
            }
            (_, ErrorKind::OutOfResources) => "; use fewer threads or smaller arrays in the kernel",
            (_, ErrorKind::LostContext) => {
                "; the process has to be started anew to use the device again"
            }
            _ => "",
        }
    }

    /// The error, for a device.
    pub(super) fn error(self, device: &str) -> Error {
        let Failure { call, code } = self;
        let message = format!(
            "`{call}` on `{device}` failed with {code}: {}{}",
            self.words(),
            self.advice()
        );
        Error::new(self.kind(), message).call(call, code)
    }

    /// The error of whatever is asked of a device after this failure, which lost its context.
    pub(super) fn lost(self, device: &str) -> Error {
        let Failure { call, code } = self;
        let message = format!(
            "the context of `{device}` is lost since `{call}` failed with {code} ({}); the process has to be started anew to use it again",
            self.words()
        );
        Error::new(ErrorKind::LostContext, message).call(call, code)
    }
}
