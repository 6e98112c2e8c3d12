//! Calls that are counted, and made to fail.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

/// Codes after which a context is of no use: all further calls give the same.
const STICKY: &[i32] = &[700, 719];
/// Calls that work all the same: they need no context.
const ALWAYS: &[&str] = &[
    "cuInit",
    "cuDriverGetVersion",
    "cuDeviceGet",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDeviceGetAttribute",
    "cuDeviceTotalMem_v2",
    "cuCtxSetCurrent",
];

/// A call that is to fail.
pub(crate) struct Fault {
    call: String,
    occurrence: u64,
    /// None: it never comes back.
    code: Option<i32>,
}

impl Fault {
    /// A call by its name, which one of that name (1 is the first), and the code that it gives, or
    /// `hang`: `cuMemAlloc_v2 2 700`.
    pub(crate) fn read(words: &str) -> Option<Fault> {
        let mut words = words.split_whitespace();
        let (call, occurrence, code) = (
            words.next()?.to_owned(),
            words.next()?.parse().ok()?,
            words.next()?,
        );
        let code = match code {
            "hang" => None,
            code => Some(code.parse().ok()?),
        };
        Some(Fault {
            call,
            occurrence,
            code,
        })
    }
}

/// What was called, and what is to fail.
#[derive(Default)]
pub(crate) struct Faults {
    /// How often each was called.
    pub(crate) counts: BTreeMap<&'static str, u64>,
    /// The next failure.
    pub(crate) fault: Option<Fault>,
    /// The code that lost the context.
    pub(crate) sticky: Option<i32>,
    /// A file that says that a call was failed before, by this process or another one.
    pub(crate) once: Option<PathBuf>,
}

impl Faults {
    /// Counts a call; the code with which it fails, if it does.
    pub(crate) fn called(&mut self, call: &'static str) -> Option<i32> {
        let count = self.counts.entry(call).or_default();
        *count += 1;
        if let Some(fault) = self
            .fault
            .take_if(|fault| fault.call == call && fault.occurrence == *count)
            && self.is_first()
        {
            let Some(code) = fault.code else {
                loop {
                    std::thread::park();
                }
            };
            if STICKY.contains(&code) {
                self.sticky = Some(code);
            }
            return Some(code);
        }
        self.sticky.filter(|_| !ALWAYS.contains(&call))
    }

    /// Is there no file that says that a call was failed before? Then it is made.
    fn is_first(&self) -> bool {
        self.once
            .as_ref()
            .is_none_or(|file| File::create_new(file).is_ok())
    }
}
