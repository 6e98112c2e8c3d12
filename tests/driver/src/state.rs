//! What the driver has made and not been given back.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Instant;

use crate::calls::graph::Node;
use crate::fault::{Fault, Faults};
use crate::ptx::Entry;
use crate::runner::Runner;
use crate::settings::setting;

/// What a call gives: nothing, or a code.
pub(crate) type Given = Result<(), i32>;

pub(crate) const INVALID_VALUE: i32 = 1;
pub(crate) const OUT_OF_MEMORY: i32 = 2;
pub(crate) const NOT_INITIALIZED: i32 = 3;
pub(crate) const INVALID_DEVICE: i32 = 101;
pub(crate) const INVALID_CONTEXT: i32 = 201;
pub(crate) const INVALID_PTX: i32 = 218;
pub(crate) const INVALID_HANDLE: i32 = 400;
pub(crate) const NOT_FOUND: i32 = 500;
pub(crate) const NOT_READY: i32 = 600;
pub(crate) const OUT_OF_RESOURCES: i32 = 701;
pub(crate) const LAUNCH_FAILED: i32 = 719;
const UNKNOWN: i32 = 999;

/// Things that have a handle.
pub(crate) enum Object {
    Stream,
    Event {
        recorded: Option<Instant>,
    },
    Module(Entry),
    /// `shared`: the most bytes of shared memory that a launch may ask for.
    Function {
        module: u64,
        shared: u32,
    },
    Graph(Vec<Node>),
    /// A graph that can be launched.
    Executable(Vec<Node>),
}

/// A copy between memory of the device and page-locked memory of the host that was asked for, and is not done yet.
pub(crate) struct Late {
    /// Where it lies on the device.
    pub(crate) address: u64,
    /// Where it lies on the host.
    pub(crate) host: u64,
    pub(crate) count: usize,
    /// Does it go to the device?
    pub(crate) to_device: bool,
}

/// Calls before which copies that are not done yet may stay so. All others do them first.
const LATE: [&str; 8] = [
    "cuCtxSetCurrent",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventQuery",
    "cuEventRecord",
    "cuMemFreeHost",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
];

/// All that there is.
pub(crate) struct World {
    pub(crate) faults: Faults,
    pub(crate) started: bool,
    /// Memory of the device by its address.
    pub(crate) memory: BTreeMap<u64, Vec<u8>>,
    /// Memory of the host by its address.
    pub(crate) pinned: BTreeMap<u64, Box<[u64]>>,
    /// Copies that are not done yet, in the order in which they were asked for.
    pub(crate) late: Vec<Late>,
    pub(crate) objects: BTreeMap<u64, Object>,
    /// The device on which memory, and whatever has a handle, was made.
    pub(crate) devices: BTreeMap<u64, i32>,
    /// How often the context of a device was retained and not released.
    pub(crate) retained: BTreeMap<i32, u64>,
    /// Things that were to be given back by a call that failed.
    pub(crate) failed_releases: u64,
    pub(crate) runner: Option<Runner>,
    /// The real blocks of the last launch.
    pub(crate) grid: u32,
    /// The next address, and the next handle: none is used twice, so that what was given back is
    /// never taken for something new.
    address: u64,
    handle: u64,
    log: Option<File>,
    /// The calls and their arguments, if they are kept.
    pub(crate) trace: Option<Vec<String>>,
}

thread_local! {
    /// The device whose context is the thread's current one.
    pub(crate) static CURRENT: Cell<Option<i32>> = const { Cell::new(None) };
}

static WORLD: LazyLock<Mutex<World>> = LazyLock::new(|| Mutex::new(World::new()));

/// Does something with the world.
pub(crate) fn with<R>(f: impl FnOnce(&mut World) -> R) -> R {
    f(&mut WORLD.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A call: counted, logged, failed on command. One that gives something back counts as done for
/// what is looked for when it fails.
pub(crate) fn called(
    call: &'static str,
    arguments: &dyn Fn() -> Vec<String>,
    f: impl FnOnce(&mut World) -> Given,
) -> i32 {
    crate::hold::pass(call);
    with(|world| {
        let given = match world.faults.called(call) {
            Some(code) => {
                world.failed_releases += u64::from(gives_back(call));
                Err(code)
            }
            None => std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                if !LATE.contains(&call) {
                    world.settle()?;
                }
                f(world)
            }))
            .unwrap_or(Err(UNKNOWN)),
        };
        let code = given.err().unwrap_or(0);
        if let Some(trace) = &mut world.trace {
            trace.push(format!("{call} {}", arguments().join(" ")));
        }
        world.write(&format!("{call} {code}"));
        code
    })
}

fn gives_back(call: &str) -> bool {
    matches!(
        call,
        "cuMemFree_v2"
            | "cuMemFreeHost"
            | "cuStreamDestroy_v2"
            | "cuEventDestroy_v2"
            | "cuModuleUnload"
            | "cuGraphDestroy"
            | "cuGraphExecDestroy"
            | "cuDevicePrimaryCtxRelease_v2"
    )
}

/// A number that a variable of the environment gives.
pub(crate) fn variable(name: &str, otherwise: i32) -> i32 {
    setting(name)
        .and_then(|value| value.parse().ok())
        .unwrap_or(otherwise)
}

impl World {
    fn new() -> Self {
        let log = setting("OBSIDIAN_DRIVER_LOG");
        let once = setting("OBSIDIAN_DRIVER_ONCE").map(PathBuf::from);
        let fault = setting("OBSIDIAN_DRIVER_FAIL").and_then(|words| Fault::read(&words));
        World {
            faults: Faults {
                fault,
                once,
                ..Faults::default()
            },
            started: false,
            memory: BTreeMap::new(),
            pinned: BTreeMap::new(),
            late: Vec::new(),
            objects: BTreeMap::new(),
            devices: BTreeMap::new(),
            retained: BTreeMap::new(),
            failed_releases: 0,
            runner: None,
            grid: 0,
            address: 0x7_0000_0000,
            handle: 0x10,
            trace: None,
            log: log.and_then(|path| OpenOptions::new().append(true).create(true).open(path).ok()),
        }
    }

    /// Appends a line to the log.
    pub(crate) fn write(&mut self, line: &str) {
        if let Some(log) = &mut self.log {
            // A log that cannot be written lacks lines, which the tests that read it find.
            let _ = writeln!(log, "{line}");
        }
    }

    /// What was made and not given back, a line each; what failed to be given back is among it.
    pub(crate) fn live(&self) -> Vec<String> {
        let memory = self
            .memory
            .iter()
            .map(|(address, bytes)| format!("{} bytes of the device at {address:#x}", bytes.len()));
        let pinned = self.pinned.iter().map(|(address, words)| {
            format!("{} bytes of the host at {address:#x}", words.len() * 8)
        });
        let objects = self
            .objects
            .iter()
            .filter_map(|(handle, object)| match object {
                Object::Stream => Some(format!("stream {handle:#x}")),
                Object::Event { .. } => Some(format!("event {handle:#x}")),
                Object::Module(entry) => Some(format!("module {handle:#x} of `{}`", entry.symbol)),
                Object::Graph(_) => Some(format!("graph {handle:#x}")),
                Object::Executable(_) => Some(format!("executable graph {handle:#x}")),
                Object::Function { .. } => None,
            });
        let contexts = self.retained.iter().flat_map(|(device, count)| {
            (0..*count).map(move |_| format!("context of device {device}"))
        });
        memory
            .chain(pinned)
            .chain(objects)
            .chain(contexts)
            .collect()
    }

    /// Forgets calls, failures and everything that was made.
    pub(crate) fn reset(&mut self) {
        (self.faults, self.failed_releases) = (Faults::default(), 0);
        self.memory.clear();
        self.pinned.clear();
        self.late.clear();
        self.objects.clear();
        self.devices.clear();
        self.retained.clear();
    }

    /// A new handle.
    pub(crate) fn add(&mut self, object: Object) -> u64 {
        self.handle += 0x10;
        self.objects.insert(self.handle, object);
        self.devices
            .extend(CURRENT.get().map(|device| (self.handle, device)));
        self.handle
    }

    /// Memory of the device, which nobody has written.
    pub(crate) fn allocate(&mut self, bytes: usize) -> u64 {
        let address = self.address;
        self.address += (bytes as u64).next_multiple_of(0x1000) + 0x1000;
        self.memory.insert(address, vec![0xa5; bytes]);
        self.devices
            .extend(CURRENT.get().map(|device| (address, device)));
        address
    }

    /// Page-locked memory of the host from an address on, if it is there.
    fn page(&mut self, address: u64, count: usize) -> Option<&mut [u64]> {
        let (start, words) = self.pinned.range_mut(..=address).next_back()?;
        let end = *start + words.len() as u64 * 8;
        (address + count as u64 <= end).then_some(words)
    }

    /// Notes a copy between the device and page-locked memory, which is done when something waits for it. Returns `false` if the
    /// memory is none of those.
    pub(crate) fn postpone(&mut self, late: Late) -> bool {
        let is_page = self.page(late.host, late.count).is_some();
        if is_page {
            self.late.push(late);
        }
        is_page
    }

    /// Does the copies that are not done yet. Their memory is there: it cannot be freed before.
    pub(crate) fn settle(&mut self) -> Given {
        for late in std::mem::take(&mut self.late) {
            let host = late.host as *mut u8;
            self.page(late.host, late.count).ok_or(INVALID_VALUE)?;
            let bytes = self.bytes(late.address, late.count)?;
            // SAFETY: the host's memory is in a piece that was not freed, as was looked at, and apart from that of the device. Nobody
            // else changes it before the copy is done: that is what the driver asks of its callers.
            unsafe {
                let (from, to) = match late.to_device {
                    true => (host.cast_const(), bytes.as_mut_ptr()),
                    false => (bytes.as_ptr(), host),
                };
                std::ptr::copy_nonoverlapping(from, to, late.count);
            }
        }
        Ok(())
    }

    /// The bytes of the device from an address to the end of its piece of memory.
    pub(crate) fn from(&mut self, address: u64) -> Option<&mut [u8]> {
        let (start, memory) = self.memory.range_mut(..=address).next_back()?;
        let from = usize::try_from(address - start).ok()?;
        memory.get_mut(from..).filter(|rest| !rest.is_empty())
    }

    /// The bytes from an address on that a kernel reaches: of the device, or page-locked ones of the host.
    pub(crate) fn reached(&mut self, address: u64) -> Option<&mut [u8]> {
        if let Some((start, words)) = self.pinned.range_mut(..=address).next_back()
            && address < *start + words.len() as u64 * 8
        {
            let from = (address - *start) as usize;
            // SAFETY: the words are borrowed alone, and every byte is one.
            let bytes = unsafe {
                std::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), words.len() * 8)
            };
            return bytes.get_mut(from..);
        }
        self.from(address)
    }

    /// Bytes of the device, which have to be in one piece of memory.
    pub(crate) fn bytes(&mut self, address: u64, count: usize) -> Result<&mut [u8], i32> {
        let rest = self.from(address).ok_or(INVALID_VALUE)?;
        rest.get_mut(..count).ok_or(INVALID_VALUE)
    }
}

/// Is a context current that was not released?
pub(crate) fn in_context(world: &World) -> Given {
    let current = CURRENT
        .get()
        .filter(|device| world.retained.get(device).is_some_and(|count| *count > 0));
    current.map(|_| ()).ok_or(INVALID_CONTEXT)
}
