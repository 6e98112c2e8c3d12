//! Streams: queues of work on one device.

use crate::device::Device;
use crate::error::Result;
use crate::event::Event;

/// A queue of work on a device. What is in one stream is done in order; what is in different
/// streams may be done at the same time.
///
/// A stream [is a device](Stream::device) for launches and copies. Without more, all work on a
/// device is in one stream of its own. Buffers may be used on any stream: one that uses a buffer
/// waits for the stream that has used it before. So does one that takes, for a new buffer, memory that
/// another stream's dropped buffer has left: streams that have no buffer in common may wait for each
/// other. On the CPU and the simulator everything is done at once.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// # #[kernels]
/// # mod maps {
/// #     #[kernel(threads = 32)]
/// #     pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
/// #         input.split_up(32).as_grid_map(|piece| piece.map(|x| x * 2).push::<Block>())
/// #     }
/// # }
/// # fn main() -> obsidian_rt::Result<()> {
/// let device = Device::best()?;
/// let (first, second) = (device.stream()?, device.stream()?);
/// let input = first.device().upload(&[1u32; 64])?;
/// let start = first.record_event()?;
/// let twice = maps::doubled::launch(first.device(), &input)?;
/// let end = first.record_event()?;
/// let four_times = maps::doubled::launch(second.device(), &twice)?; // waits for `first`
/// second.synchronize()?;
/// assert_eq!(four_times.to_vec()?, [4; 64]);
/// println!("{:?}", end.since(&start)?);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "cudaStream_t")]
#[doc(alias = "CUstream")]
#[derive(Debug)]
pub struct Stream {
    device: Device,
}

impl Stream {
    pub(crate) fn new(device: Device) -> Self {
        Stream { device }
    }

    /// The device, whose launches and copies are queued in this stream.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::cpu();
    /// assert_eq!(device.stream()?.device().name(), "cpu");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Waits until all work in this stream is done.
    ///
    /// # Errors
    /// The failure of an operation in the stream.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let stream = Device::best()?.stream()?;
    /// let x = stream.device().upload(&[1, 2])?;
    /// stream.synchronize()?;
    /// assert_eq!(x.to_vec()?, [1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<()> {
        self.device.synchronize()
    }

    /// Marks the end of the work in this stream so far: an [`Event`], which can be waited for and awaited.
    ///
    /// # Errors
    /// The failure that the device reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let stream = Device::best()?.stream()?;
    /// let _x = stream.device().upload(&[1, 2])?;
    /// let copied = stream.record_event()?;
    /// copied.synchronize()?;
    /// assert!(copied.is_done()?);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn record_event(&self) -> Result<Event> {
        self.device.record_event()
    }

    /// Makes later work in this stream wait for an event, which may be of another
    /// stream.
    ///
    /// # Errors
    /// The failure that the device reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::best()?;
    /// let (first, second) = (device.stream()?, device.stream()?);
    /// let x = first.device().upload(&[1, 2])?;
    /// second.wait(&first.record_event()?)?; // what `second` does now comes after the copy
    /// second.synchronize()?;
    /// assert_eq!(x.to_vec()?, [1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaStreamWaitEvent")]
    pub fn wait(&self, event: &Event) -> Result<()> {
        self.device.backend().wait(event.mark())
    }
}
