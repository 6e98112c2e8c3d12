//! A launch as the driver takes it: checked once more against the device, its arguments as pointers
//! and numbers.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use super::context::Context;
use super::driver;
use super::faults::Watched;
use super::memory::DeviceArray;
use super::module::Loaded;
use super::order::Orders;
use super::stream::Stream;
use crate::backend::{Launch, Memory, Parameter};
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// Does a block of this kernel fit the device? No call of the driver is made.
pub(super) fn fits(kernel: &Kernel, context: &Context) -> Result<()> {
    let (properties, name) = (context.properties(), context.name());
    let check = |what: &str, needed: u32, limit: u32, advice: &str| {
        if needed <= limit {
            return Ok(());
        }
        let message = format!("a block needs {needed} {what}, and `{name}` has {limit}; {advice}");
        Err(Error::new(ErrorKind::OutOfResources, message).exceeded(needed.into(), limit.into()))
    };
    check(
        "threads",
        kernel.threads(),
        properties.threads_per_block,
        "use fewer threads",
    )?;
    let dynamic = kernel.interface().dynamic_shared_bytes() > 0;
    let shared = if dynamic {
        properties.shared_bytes_by_opt_in
    } else {
        properties.shared_bytes_per_block
    };
    check(
        "bytes of shared memory",
        kernel.shared_bytes(),
        shared,
        "store smaller arrays",
    )
}

/// Does a launch fit the device, and lies what it writes alone? Then whether there is something to do.
pub(super) fn checked(context: &Context, launch: &Launch<'_>) -> Result<bool> {
    fits(launch.kernel(), context)?;
    if launch.blocks() == 0 {
        return Ok(false);
    }
    apart(launch).map(|()| true)
}

/// A launch as the driver takes it: how many blocks of which function, and its arguments.
pub(super) struct Prepared {
    pub(super) loaded: Arc<Loaded>,
    pub(super) grid: u32,
    pub(super) threads: u32,
    pub(super) shared: u32,
    /// Those of the function's signature, parameters, then lengths, each in the first bytes of a number; then the address of the words of its
    /// blocks, if they have an order, and last that of the word of faults.
    values: Vec<u64>,
    /// The word of faults, if the kernel has one.
    pub(super) faults: Option<Arc<Watched>>,
}

impl Prepared {
    /// None if there is nothing to do. The words of its blocks are among `orders`.
    pub(super) fn of(
        stream: &Arc<Stream>,
        launch: &Launch<'_>,
        orders: &mut Orders,
    ) -> Result<Option<Prepared>> {
        let (context, kernel) = (stream.context(), launch.kernel());
        if !checked(context, launch)? {
            return Ok(None);
        }
        let loaded = Loaded::of(context, kernel)?;
        let wanted = if launch.resident() {
            let of_one = loaded.resident(stream, kernel)?;
            let resident = of_one.saturating_mul(context.properties().multiprocessors);
            launch.grid().min(resident)
        } else {
            launch.grid()
        };
        let most = context.properties().blocks_per_grid;
        let mut values = values(launch)?;
        values.extend(orders.of(stream, launch)?);
        let faults = match launch.interface().faults {
            true => Some(stream.watch(kernel, &launch.lengths())?),
            false => None,
        };
        values.extend(faults.iter().map(|watched| watched.address()));
        Ok(Some(Prepared {
            loaded,
            grid: real_blocks(wanted, launch.blocks(), most),
            threads: kernel.threads(),
            shared: kernel.interface().dynamic_shared_bytes(),
            values,
            faults,
        }))
    }

    /// Where each argument is.
    pub(super) fn pointers(&mut self) -> Vec<*mut c_void> {
        let values = self.values.iter_mut();
        values.map(|value| ptr::from_mut(value).cast()).collect()
    }
}

/// Asks the driver to run a launch.
pub(super) fn launch(stream: &Arc<Stream>, launch: &Launch<'_>) -> Result<()> {
    let _words = match launch.interface().faults {
        true => Some(stream.launching()?),
        false => None,
    };
    // (Held until the launch is queued.)
    let mut held = match launch.interface().orders.is_empty() {
        true => None,
        false => Some(stream.orders()),
    };
    let mut none = Orders::default();
    let orders = held.as_deref_mut().unwrap_or(&mut none);
    let Some(mut prepared) = Prepared::of(stream, launch, orders)? else {
        return Ok(());
    };
    for memory in launch.parameters().iter().filter_map(Parameter::memory) {
        array(memory)?.use_on(stream)?;
    }
    let mut pointers = prepared.pointers();
    let queued = stream.with(|| {
        // SAFETY: the arguments are those of the function's signature.
        // Buffers have the lengths that the kernel was checked for, and are lent until `used_on` below: from
        // then on, the last stream of each is this one or waits for it, and memory that is dropped is used
        // again behind its last stream. The driver copies the values before it comes back.
        unsafe {
            driver::cuLaunchKernel(
                prepared.loaded.raw(),
                prepared.grid,
                1,
                1,
                prepared.threads,
                1,
                1,
                prepared.shared,
                stream.raw(),
                pointers.as_mut_ptr(),
                ptr::null_mut(),
            )
        }
    });
    if queued.is_ok() {
        stream.launched(launch.kernel().name());
    }
    queued.and(used(stream, launch))
}

/// Notes that a launch was queued, for all of its arrays, also where that fails for one.
fn used(stream: &Arc<Stream>, launch: &Launch<'_>) -> Result<()> {
    let memories = launch.parameters().iter().filter_map(Parameter::memory);
    let mut all = Ok(());
    for memory in memories {
        let noted = array(memory).and_then(|array| array.used_on(stream));
        all = all.and(noted);
    }
    all
}

/// How many real blocks work through the virtual ones, of which there are some. Any number can;
/// each goes on by as many as there are, and the sum of that and the last block has to be a `u32`.
fn real_blocks(wanted: u32, blocks: u32, most: u32) -> u32 {
    let room = u32::MAX - blocks.max(1) + 1;
    wanted.min(most).min(room).max(1)
}

/// What the device made of an array.
pub(super) fn array(memory: &Memory) -> Result<&DeviceArray> {
    memory.place().ok_or_else(elsewhere)
}

/// The error for an array of another kind of device.
pub(super) fn elsewhere() -> Error {
    let message = "an array does not lie in the memory of a CUDA device";
    Error::new(ErrorKind::Internal, message)
}

/// The arguments of the CUDA function, each in the first bytes of a number: the parameters, then
/// the lengths that it uses.
fn values(launch: &Launch<'_>) -> Result<Vec<u64>> {
    let value = |parameter: &Parameter<'_>| match (parameter, parameter.memory()) {
        (Parameter::Scalar(value), _) => Ok(value.bits()),
        (_, Some(memory)) => array(memory).map(DeviceArray::address),
        (_, None) => Err(Error::new(ErrorKind::Internal, "an array has no memory")),
    };
    let mut values = launch
        .parameters()
        .iter()
        .map(value)
        .collect::<Result<Vec<u64>>>()?;
    let all = launch
        .interface()
        .parameters
        .iter()
        .zip(launch.parameters());
    values.extend(
        all.filter(|(info, _)| info.uses_length)
            .map(|(_, parameter)| u64::from(parameter.length())),
    );
    // A `u32` is the first four bytes of a `u64` where the low byte comes first, as on all machines
    // that CUDA runs on.
    Ok(values.into_iter().map(u64::to_le).collect())
}

/// Memory that a launch uses: from where to where, and is it written?
struct Span {
    start: u64,
    end: u64,
    written: bool,
}

/// Does nothing that is written overlap anything else? The CUDA text says so of its pointers
/// (`__restrict__`).
fn apart(launch: &Launch<'_>) -> Result<()> {
    let mut spans = Vec::new();
    for (info, parameter) in launch
        .interface()
        .parameters
        .iter()
        .zip(launch.parameters())
    {
        if let Some(memory) = parameter.memory() {
            let array = array(memory)?;
            let (start, written) = (array.address(), !matches!(parameter, Parameter::Input(_)));
            spans.push((
                info.name.as_ref(),
                Span {
                    start,
                    end: start + array.len() as u64,
                    written,
                },
            ));
        }
    }
    match overlapping(&spans) {
        None => Ok(()),
        Some((first, second)) => {
            let message = format!(
                "`{first}` and `{second}` lie in the same memory, and one of them is written; give it a buffer of its own"
            );
            Err(Error::new(ErrorKind::Aliased, message))
        }
    }
}

fn overlapping<'n>(spans: &[(&'n str, Span)]) -> Option<(&'n str, &'n str)> {
    spans.iter().enumerate().find_map(|(n, (name, span))| {
        let others = spans.get(n + 1..)?.iter();
        let meets = |other: &&(&str, Span)| {
            let other = &other.1;
            (span.written || other.written) && span.start < other.end && other.start < span.end
        };
        others.clone().find(meets).map(|(other, _)| (*name, *other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(spans: &[(u64, u64, bool)]) -> bool {
        let names = ["a", "b", "c"];
        let spans: Vec<_> = spans
            .iter()
            .zip(names)
            .map(|(&(start, end, written), name)| {
                (
                    name,
                    Span {
                        start,
                        end,
                        written,
                    },
                )
            })
            .collect();
        overlapping(&spans).is_some()
    }

    #[test]
    fn the_counter_of_blocks_does_not_wrap() {
        assert_eq!(real_blocks(1000, 1000, 2_147_483_647), 1000);
        assert_eq!(real_blocks(1000, 1000, 300), 300);
        for blocks in [1, 2, 1 << 31, (1 << 31) + 4, u32::MAX - 1, u32::MAX] {
            let grid = real_blocks(blocks, blocks, 2_147_483_647);
            assert!(
                grid > 0 && (blocks - 1).checked_add(grid).is_some(),
                "{blocks}: {grid}"
            );
        }
    }

    #[test]
    fn only_what_is_written_has_to_lie_alone() {
        assert!(!meet(&[(0, 8, false), (0, 8, false)]));
        assert!(meet(&[(0, 8, false), (0, 8, true)]));
        assert!(meet(&[(0, 8, true), (16, 24, false), (7, 9, false)]));
        assert!(!meet(&[(0, 8, true), (8, 16, true), (16, 16, false)]));
        assert!(!meet(&[(0, 0, true), (0, 0, true)]));
    }
}
