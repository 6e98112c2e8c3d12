//! Memory is not used again, and not given back to its owner, before the work that uses it is done.

use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use obsidian_rt::prelude::*;

use crate::driver::{self, count};
use crate::kernels::{numbers, sums, sums_of_64};

/// Launches that meet other threads, and memory with an owner.
pub fn everything() -> obsidian_rt::Result<()> {
    launches_that_meet()?;
    owners_come_last()
}

/// One thread launches on a stream; before the driver gets the launch, another thread uses the same buffer on another stream, which
/// becomes the buffer's last. That stream waits for both launches, as the memory is used again behind it.
fn launches_that_meet() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let (first, second) = (device.stream()?, device.stream()?);
    let elements = numbers(64 * 3);
    let input = device.upload(&elements)?;
    let mut outputs = (first.device().zeros(3)?, second.device().zeros(3)?);
    // The kernel is loaded, and each output was used on its own stream.
    sums::sums_of_64::launch_into(second.device(), &input, &mut outputs.1)?;
    let waits = count("cuStreamWaitEvent");
    assert_eq!(driver::say("hold cuLaunchKernel"), Ok(String::new()));
    thread::scope(|scope| {
        let (first, input, output) = (first.device(), &input, &mut outputs.0);
        let launched = scope.spawn(move || sums::sums_of_64::launch_into(first, input, output));
        while driver::say("held") != Ok("true".to_owned()) {
            assert!(!launched.is_finished(), "no launch was held");
            thread::sleep(Duration::from_millis(1));
        }
        // The first stream waits for the second one, then the other way round.
        let met = sums::sums_of_64::launch_into(second.device(), input, &mut outputs.1);
        let before = count("cuStreamWaitEvent") - waits;
        assert_eq!(driver::say("go"), Ok(String::new()));
        let launched = launched
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        assert_eq!(before, 2);
        met.and(launched)
    })?;
    // The launch that was held came after both, and the second stream waits for it as well.
    assert_eq!(count("cuStreamWaitEvent") - waits, 3);
    for output in [outputs.0, outputs.1] {
        assert_eq!(output.to_vec()?, sums_of_64(&elements));
    }
    Ok(())
}

/// An owner of memory of the device, which frees it and says what it finds.
struct Theirs {
    pointer: u64,
    found: Sender<(u64, Result<i32, String>)>,
}

impl Drop for Theirs {
    fn drop(&mut self) {
        let waits = count("cuStreamSynchronize");
        // A context is current: the driver frees the memory.
        let freed = driver::free(self.pointer);
        let _ = self.found.send((waits, freed));
    }
}

/// An owner is dropped when the work that uses its memory is done, and finds the context current, on any thread.
fn owners_come_last() -> obsidian_rt::Result<()> {
    let device = Device::cuda(0)?;
    let (found, given) = channel();
    let pointer = device.upload(&numbers(64))?.into_raw()?;
    let owner = Theirs { pointer, found };
    // SAFETY: there are 64 elements, which the owner frees.
    let input = unsafe { device.buffer_from_raw::<u32>(pointer, 64, owner) }?;
    let sums = sums::sums_of_64::launch(&device, &input)?;
    let waits = count("cuStreamSynchronize");
    let dropped = thread::spawn(move || drop(input)).join();
    assert!(dropped.is_ok());
    assert_eq!(given.try_recv(), Ok((waits + 1, Ok(0))));
    assert_eq!(sums.to_vec()?, sums_of_64(&numbers(64)));
    Ok(())
}
