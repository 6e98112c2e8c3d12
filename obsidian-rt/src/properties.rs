//! What a CUDA device has.

/// The properties of a CUDA device: see [`Device::properties`](crate::Device::properties).
///
/// ```
/// use obsidian_rt::{Device, Properties};
///
/// let is_new = |properties: &Properties| properties.compute_capability >= (9, 0);
/// let device = Device::best()?;
/// println!("at least sm_90: {}", device.properties().is_some_and(is_new));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "cudaDeviceProp")]
#[doc(alias = "cudaGetDeviceProperties")]
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Properties {
    /// The name of the model.
    pub name: String,
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// The compute capability: `(9, 0)` is `sm_90`.
    pub compute_capability: (u32, u32),
    /// The newest release of CUDA that the driver is for: 13000 for 13.0.
    pub driver_version: u32,
    /// How many multiprocessors there are.
    pub multiprocessors: u32,
    /// The most threads of a block.
    pub threads_per_block: u32,
    /// The most real blocks of a launch.
    pub blocks_per_grid: u32,
    /// The most bytes of shared memory of a block.
    pub shared_bytes_per_block: u32,
    /// The most bytes of shared memory of a block whose kernel has asked for more than that.
    pub shared_bytes_by_opt_in: u32,
}
