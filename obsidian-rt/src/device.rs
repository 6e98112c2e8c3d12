//! Devices: where buffers lie and kernels run.

#[cfg(not(feature = "run-time"))]
mod absent;
#[cfg(feature = "run-time")]
mod made;

use std::sync::{Arc, Mutex, PoisonError};

use obsidian_base::counts::Counts;

use crate::backend::{Backend, Cpu, HostArray, Pages, Recorder};
use crate::buffer::Buffer;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::event::Event;
use crate::pinned::Pinned;
use crate::properties::Properties;
use crate::stream::Stream;

/// The environment variable that [`Device::best`] reads.
const VARIABLE: &str = "OBSIDIAN_DEVICE";

/// A device. It is cheap to clone; clones are the same device.
///
/// # When errors come
///
/// One rule holds on every device: the error of a launch comes from the launch itself or from the next call that waits for it. So a
/// program that calls [`synchronize`](Device::synchronize) after a launch, or reads a result, misses no error on any of them.
///
/// | what is wrong | on the CPU and the simulator | on a GPU |
/// |---|---|---|
/// | the launch: lengths, types, a buffer of another device, too many threads, no code for the device | the launch | the launch |
/// | memory: none for an output or a copy | the launch or copy | the launch or copy |
/// | the work: an assertion of the kernel does not hold | the launch, [`ErrorKind::Fault`] | the next call that waits, [`ErrorKind::Fault`] |
/// | the work: an index that `unchecked()` vouches for is outside of its array | the launch, [`ErrorKind::Fault`] | a later call, at the latest the next one that waits; [`ErrorKind::LostContext`], or with `#[kernel(faults)]` [`ErrorKind::Fault`] |
///
/// [`Recording::replay`](crate::Recording::replay) is as a launch of each kernel in it; what is wrong with the launches is found while they are
/// recorded, but for memory, and buffers that overlap.
///
/// Calls that wait are [`synchronize`](Device::synchronize), [`Buffer::to_vec`], [`Buffer::into_vec`], [`Buffer::copy_to`], and
/// waiting for an [`Event`] that was recorded later or for a [`Copying`](crate::Copying), awaiting them included. Uploads wait for their own copy, and
/// report what came before it; [`upload_pinned`](Device::upload_pinned) does not wait, and its `Copying` reports.
///
/// After an error of the first two kinds nothing has run, and the device can be used as before. After one of the third kind, the buffers that the
/// launch writes hold arbitrary values. The CPU and the simulator go on; with a lost context, what the process has on that GPU is lost, and every call
/// says so. (A kernel of [`Device::best`] that runs on the CPU, as this machine cannot compile it, fails as on the CPU.)
///
/// A kernel with `#[kernel(faults)]` checks such indices on a GPU too. The error has array, index, length and line, nothing is lost, and the
/// launch has done everything else: an access outside is skipped, and a thread goes on behind its `assert!`. Of several faults of a launch, the first in the kernel's
/// text is reported, once, by a call that waits for the stream of the launch, for an event
/// recorded there later, or for a stream that has waited for it, such as one that used the launch's buffers. Launches of one kernel share their report
/// with later ones, so a stream that has waited for one may be told of a later one's fault; and of 4,096 kernels and lengths on, a launch may wait, and be told of
/// another's.
///
/// Of any other kernel, a GPU notices an access outside of an array only if no memory of the program lies there. Otherwise it reads or changes another buffer
/// without an error: the simulator and the CPU find every such access.
///
/// ```
/// use obsidian_rt::Device;
///
/// let device = Device::best()?; // a GPU if there is one
/// let x = device.upload(&[1, 2, 3])?;
/// assert_eq!(x.to_vec()?, [1, 2, 3]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "cudaSetDevice")]
#[doc(alias = "CUdevice")]
#[doc(alias = "ComputeClient")]
#[doc(alias = "CudaContext")]
#[derive(Clone, Debug)]
pub struct Device {
    backend: Arc<dyn Backend>,
    blocks: Option<u32>,
    #[cfg(feature = "run-time")]
    threads: Option<u32>,
}

impl Device {
    /// The device that the environment variable `OBSIDIAN_DEVICE` names (`cpu`, `simulator`, or
    /// `cuda:0`, `cuda:1` and so on); without it, or if it is empty, the first GPU if this build
    /// has CUDA support and there are a driver and a GPU, else the CPU.
    ///
    /// A machine may have a driver and neither NVRTC nor nvcc. On such a GPU, kernels with PTX of a
    /// build script run as anywhere. A kernel without PTX for it, which includes those that are built
    /// while the program runs, runs on the CPU, with copies of its arrays;
    /// [`warnings`](Device::warnings) says so once for each kernel, and what to install or to write.
    /// A GPU that is named, by the variable or for [`Device::cuda`], reports an error instead,
    /// [`ErrorKind::NoCompiler`].
    ///
    /// # Errors
    /// [`ErrorKind::UnknownDevice`] for another word, and what [`Device::cuda`] reports of a device
    /// that is named. Without the variable, a driver that is there and does not work is an error
    /// too, as the CPU may take a hundred times as long.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::best()?;
    /// println!("running on {}", device.name());
    /// assert_eq!(device.upload(&[1.5])?.to_vec()?, [1.5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn best() -> Result<Device> {
        match std::env::var_os(VARIABLE) {
            Some(word) if !word.is_empty() => Device::from_word(&word.to_string_lossy()),
            _ => match first_gpu() {
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::NoDriver | ErrorKind::DeviceUnavailable
                    ) =>
                {
                    Ok(Device::cpu())
                }
                device => device,
            },
        }
    }

    /// A GPU, counted from 0. Its work is queued in a stream of this device's own, so what goes wrong in
    /// it is the error of a later call: see [when errors come](Device#when-errors-come). Devices of one
    /// number are one GPU: they can use each other's buffers, and share loaded kernels and the memory
    /// that dropped buffers leave.
    ///
    /// # Errors
    /// [`ErrorKind::NoDriver`] on a machine without a driver; [`ErrorKind::DeviceUnavailable`] if
    /// there is no such GPU, or this build has no CUDA support (the feature `cuda`); and what the
    /// driver reports.
    ///
    /// ```
    /// use obsidian_rt::{Device, ErrorKind};
    ///
    /// match Device::cuda(0) {
    ///     Ok(device) => assert_eq!(device.name(), "cuda:0"),
    ///     // On a machine without a GPU, or in a build without the feature `cuda`.
    ///     Err(error) => assert!(matches!(error.kind(), ErrorKind::NoDriver | ErrorKind::DeviceUnavailable)),
    /// }
    /// ```
    pub fn cuda(number: u32) -> Result<Device> {
        #[cfg(feature = "cuda")]
        return crate::backend::cuda::Cuda::new(number).map(Device::from_backend);
        #[cfg(not(feature = "cuda"))]
        {
            let message = format!(
                "this build has no CUDA support, so there is no device `cuda:{number}`; build it with the feature `cuda` of `obsidian-rt`, \
                 or use `cpu` or `simulator`"
            );
            Err(Error::new(ErrorKind::DeviceUnavailable, message))
        }
    }

    /// The number of GPUs.
    ///
    /// # Errors
    /// [`ErrorKind::NoDriver`] on a machine without a driver, [`ErrorKind::DeviceUnavailable`] if
    /// this build has no CUDA support or there is no GPU, and what the driver reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let devices: Vec<Device> = (0..Device::cuda_count().unwrap_or(0)).filter_map(|number| Device::cuda(number).ok()).collect();
    /// println!("{} GPUs", devices.len());
    /// assert_eq!(devices.is_empty(), Device::cuda(0).is_err());
    /// ```
    #[doc(alias = "cudaGetDeviceCount")]
    pub fn cuda_count() -> Result<u32> {
        #[cfg(feature = "cuda")]
        return crate::backend::cuda::count();
        #[cfg(not(feature = "cuda"))]
        Err(Error::new(
            ErrorKind::DeviceUnavailable,
            "this build has no CUDA support; build it with the feature `cuda` of `obsidian-rt`",
        ))
    }

    /// All cores of this machine. It runs every kernel: those that `#[kernel]` has made as Rust that
    /// the macro has printed, and those that are built while the program runs by columns, each
    /// operation for some hundred threads at once, which takes longer.
    ///
    /// Launches that take less than about 10 µs stay on the caller's thread. Large outputs come from
    /// a pool, which [`trim_memory`](Device::trim_memory) empties.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::cpu();
    /// assert_eq!(device.name(), "cpu");
    /// assert_eq!(device.upload(&[1, 2])?.to_vec()?, [1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn cpu() -> Device {
        Device::from_backend(Cpu::default())
    }

    /// A device of one's own. For crates that bring one.
    #[doc(hidden)]
    pub fn from_backend(backend: impl Backend + 'static) -> Device {
        Device {
            backend: Arc::new(backend),
            blocks: None,
            #[cfg(feature = "run-time")]
            threads: None,
        }
    }

    /// The device that a word names.
    fn from_word(word: &str) -> Result<Device> {
        match word {
            "cpu" => Ok(Device::cpu()),
            #[cfg(feature = "run-time")]
            "simulator" => Ok(Device::simulator()),
            #[cfg(not(feature = "run-time"))]
            "simulator" => Err(crate::run_time::missing("the device `simulator`")),
            _ if let Some(number) = number(word) => Device::cuda(number),
            _ => {
                let message = format!(
                    "{VARIABLE} is `{word}`; it can be `cpu`, `simulator` or `cuda:0`, `cuda:1` and so on"
                );
                Err(Error::new(ErrorKind::UnknownDevice, message))
            }
        }
    }

    /// The name: `cpu`, `simulator`, or `cuda:` and a number.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert_eq!(Device::simulator().name(), "simulator");
    /// ```
    pub fn name(&self) -> &str {
        self.backend.name()
    }

    /// The model of the device, as [tuned files](crate::Tuned) name it. Several devices may share
    /// it. That of the CPU and of the simulator is their name.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// assert_eq!(Device::cpu().model(), "cpu"); // of a GPU: its model, for example `NVIDIA H200`
    /// ```
    pub fn model(&self) -> &str {
        self.backend.model()
    }

    /// The same device, whose launches use at most `blocks` real blocks; 0 makes every launch an
    /// error.
    ///
    /// Without it a launch uses as many as the device likes. With 1, the blocks of a kernel are
    /// done one after the other.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(2).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// // One real block does the work of three.
    /// let result = example::doubled::launch(&device.with_blocks(1), &x)?;
    /// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn with_blocks(&self, blocks: u32) -> Device {
        Device {
            blocks: Some(blocks),
            ..self.clone()
        }
    }

    /// Counts what the launches of a function do: for the
    /// [simulator](Device::simulator).
    ///
    /// Replays of a [`Recording`](crate::Recording) are not among them: count what it records. The counts are those that the hardware would be asked for: instructions, waits and divergent
    /// branches by warps, sectors of buffers, bank conflicts of shared memory, and which array
    /// causes them. Buffers of any simulator will do.
    ///
    /// ```
    /// use obsidian_rt::{Device, TypedKernel, language::*};
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// // Each block reads 256 elements in an order that is `stride` apart.
    /// let strided = |stride: u32| {
    ///     TypedKernel::build("strided", 64, move |input: DPull<EU32>| {
    ///         input.split_up(256).as_grid_map(move |a| a.ix_map(move |i| (i * stride) % 256 + (i * stride) / 256).push())
    ///     })
    /// };
    /// let device = Device::simulator();
    /// let input = device.upload(&[7u32; 1024])?;
    /// // Where they are neighbours, a thread reads four of them at once.
    /// for (stride, requests, sectors_a_request) in [(1, 8, 16), (8, 32, 32)] {
    ///     let kernel = strided(stride)?;
    ///     let (output, counts) = device.counted(|device| kernel.launch(device, &input))?;
    ///     assert_eq!(output.len(), 1024);
    ///     let reads = &counts.arrays[0];
    ///     assert_eq!((&*reads.array, reads.traffic.requests), ("input", requests));
    ///     assert_eq!(reads.traffic.sectors, reads.traffic.requests * sectors_a_request);
    ///     println!("{counts}");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::CannotRun`] on a device that does not count, and what the function gives.
    #[doc(alias = "ncu")]
    pub fn counted<R>(&self, launches: impl FnOnce(&Device) -> Result<R>) -> Result<(R, Counts)> {
        let counts = Arc::new(Mutex::new(Counts::default()));
        let Some(backend) = self.backend.counting(Arc::clone(&counts)) else {
            if self.is_recording() && crate::recording::is_observing() {
                let message = "a candidate counts what its launches do: nothing runs when its function is called; the exploration counts";
                return Err(Error::new(ErrorKind::WrongAnswer, message));
            }
            if self.is_recording() {
                let message =
                    "nothing runs while a recording is made, so that there is nothing to count";
                return Err(Error::new(ErrorKind::CannotRun, message));
            }
            let message = format!(
                "`{}` does not count what its launches do; `Device::simulator()` does",
                self.name()
            );
            return Err(Error::new(ErrorKind::CannotRun, message));
        };
        let result = launches(&Device {
            backend,
            ..self.clone()
        })?;
        let counts = std::mem::take(&mut *counts.lock().unwrap_or_else(PoisonError::into_inner));
        Ok((result, counts))
    }

    /// Copies elements to the device.
    ///
    /// # Errors
    /// [`ErrorKind::TooLong`] above `u32::MAX` elements, [`ErrorKind::OutOfMemory`].
    ///
    /// No elements are a buffer of length 0.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1.0, 2.0])?;
    /// assert_eq!((x.len(), x.to_vec()?), (2, vec![1.0, 2.0]));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaMemcpy")]
    #[doc(alias = "cudaMemcpyHostToDevice")]
    #[doc(alias = "memcpy_htod")]
    pub fn upload<T: Element>(&self, elements: &[T]) -> Result<Buffer<T>> {
        check_length(elements.len())?;
        Ok(Buffer::new(self.clone(), self.backend.upload(&elements)?))
    }

    /// Moves elements to the device. On the CPU and the simulator the buffer takes the vector over,
    /// and nothing is copied; a GPU copies the elements. [`Buffer::into_vec`] is the way back.
    ///
    /// # Errors
    /// As [`upload`](Device::upload).
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::cpu().upload_vec(vec![1, 2, 3])?; // not copied
    /// assert_eq!(x.into_vec()?, [1, 2, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn upload_vec<T: Element>(&self, elements: Vec<T>) -> Result<Buffer<T>> {
        check_length(elements.len())?;
        let memory = self.backend.upload_owned(HostArray::of(elements))?;
        Ok(Buffer::new(self.clone(), memory))
    }

    /// A buffer of `len` zeros (`false` for `bool`).
    ///
    /// # Errors
    /// [`ErrorKind::TooLong`] above `u32::MAX` elements, [`ErrorKind::OutOfMemory`].
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let x = Device::cpu().zeros::<f32>(3)?;
    /// assert_eq!(x.to_vec()?, [0.0; 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaMalloc")]
    #[doc(alias = "cudaMemset")]
    #[doc(alias = "alloc_zeros")]
    pub fn zeros<T: Element>(&self, len: usize) -> Result<Buffer<T>> {
        check_length(len)?;
        Ok(Buffer::new(self.clone(), self.backend.zeros(T::TYPE, len)?))
    }

    /// An array of the host, all zeros, between which and this device elements are copied at full
    /// speed.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let device = Device::best()?;
    /// let mut array = device.pinned::<f32>(1000)?;
    /// array.fill(0.5);
    /// let buffer = device.upload(&array)?;
    /// array.fill(0.0);
    /// buffer.copy_to(&mut array)?;
    /// assert_eq!(array[..], [0.5; 1000]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`], and what the device reports.
    #[doc(alias = "cudaMallocHost")]
    #[doc(alias = "cudaHostAlloc")]
    pub fn pinned<T: Element>(&self, len: usize) -> Result<Pinned<T>> {
        let pages = self.backend.pages(T::TYPE, len)?.downcast::<Pages<T>>();
        pages.map(|pages| Pinned::new(*pages)).map_err(|_| {
            Error::new(
                ErrorKind::Internal,
                "the device has given an array of another type",
            )
        })
    }

    /// The memory that is free for arrays, in bytes, what dropped buffers have left for later ones included: of a GPU as its driver tells it, of the
    /// CPU and the simulator that of the machine or of its control group. `None` on systems that do not tell it.
    ///
    /// # Errors
    /// What the driver reports.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// if let Some(bytes) = Device::cpu().free_memory()? {
    ///     println!("{} MiB", bytes >> 20);
    /// }
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaMemGetInfo")]
    #[doc(alias = "cuMemGetInfo")]
    pub fn free_memory(&self) -> Result<Option<u64>> {
        self.backend.free_memory()
    }

    /// Frees memory that dropped buffers have left for later ones, until no more than `keep` bytes of
    /// it are left.
    ///
    /// The memory of the CPU and of the simulator is one pool for all devices and threads of the
    /// process. It keeps arrays of 64 KiB and more, at most 1 GiB, because memory that is new from
    /// the system is slow at first touch. Together with existing buffers, it has at most 16 MiB
    /// more than the buffers have had at one time.
    ///
    /// On a GPU each stream has a pool of its own, from which launches and uploads take memory without a
    /// call of the driver. A pool keeps at most a quarter of the GPU's memory. If the GPU has none left, all
    /// pools of this process for it are emptied before that is an error; freeing waits for the work on the GPU.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let device = Device::cpu();
    /// drop(device.zeros::<f32>(1 << 20)?); // 4 MiB, which wait for the next buffer
    /// device.trim_memory(0)?; // and now are the system's
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// What the device reports.
    pub fn trim_memory(&self, keep: usize) -> Result<()> {
        self.backend.trim_memory(keep)
    }

    /// A new queue of work on this device.
    ///
    /// # Errors
    /// The failure that the device reports.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(2).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let stream = device.stream()?;
    /// let x = device.upload(&[1, 2])?;
    /// let result = example::doubled::launch(stream.device(), &x)?;
    /// stream.synchronize()?;
    /// assert_eq!(result.to_vec()?, [2, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaStreamCreate")]
    pub fn stream(&self) -> Result<Stream> {
        let backend = self
            .backend
            .stream()?
            .unwrap_or_else(|| Arc::clone(&self.backend));
        Ok(Stream::new(Device {
            backend,
            ..self.clone()
        }))
    }

    /// Marks the end of the work that was asked of this device so far: see [`Stream::record_event`]. An [`Event`] can be awaited.
    ///
    /// # Errors
    /// The failure that the device reports.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(2).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2])?;
    /// let start = device.record_event()?;
    /// let result = example::doubled::launch(&device, &x)?;
    /// let end = device.record_event()?;
    /// println!("{:?}", end.since(&start)?);
    /// assert_eq!(result.to_vec()?, [2, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaEventRecord")]
    pub fn record_event(&self) -> Result<Event> {
        self.backend.record().map(Event::new)
    }

    /// Waits until all work is done that was asked of this device; streams of it are waited for by
    /// [themselves](Stream::synchronize).
    ///
    /// # Errors
    /// What went wrong in a launch since the last call.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2])?;
    /// device.synchronize()?; // faults of launches would be errors here
    /// assert_eq!(x.len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaDeviceSynchronize")]
    pub fn synchronize(&self) -> Result<()> {
        self.backend.synchronize()
    }

    /// The properties of the GPU; none for the CPU and the simulator.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// if let Ok(gpu) = Device::cuda(0) {
    ///     let properties = gpu.properties().unwrap();
    ///     println!("{}: {} multiprocessors", properties.name, properties.multiprocessors);
    /// }
    /// assert!(Device::cpu().properties().is_none());
    /// ```
    pub fn properties(&self) -> Option<&Properties> {
        self.backend.properties()
    }

    /// Warnings so far, each once: on a GPU, compilers and folders that
    /// were passed over, and kernels that run on the CPU because they cannot be compiled here.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// for warning in Device::best()?.warnings() {
    ///     eprintln!("{warning}");
    /// }
    /// assert!(Device::simulator().warnings().is_empty());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn warnings(&self) -> Vec<String> {
        self.backend.warnings()
    }

    /// Is it the device that a recording is made on?
    pub(crate) fn is_recording(&self) -> bool {
        let backend = self.backend.as_any();
        backend.is_some_and(|backend| backend.is::<Recorder>())
    }

    pub(crate) fn shared_backend(&self) -> Arc<dyn Backend> {
        Arc::clone(&self.backend)
    }

    /// The same device with another queue.
    pub(crate) fn with_backend(&self, backend: Arc<dyn Backend>) -> Device {
        Device {
            backend,
            ..self.clone()
        }
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.backend
    }

    pub(crate) fn blocks(&self) -> Option<u32> {
        self.blocks
    }
}

/// The first GPU. Kernels run on the CPU where there is no code for it and none can be made here.
fn first_gpu() -> Result<Device> {
    #[cfg(feature = "cuda")]
    return crate::backend::cuda::Cuda::new(0).map(|cuda| Device::from_backend(cuda.or_cpu()));
    #[cfg(not(feature = "cuda"))]
    Device::cuda(0)
}

/// The number of the GPU that a word such as `cuda:0` names.
fn number(word: &str) -> Option<u32> {
    // No signs, which `parse` would take.
    word.strip_prefix("cuda:")
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?
        .parse()
        .ok()
}

/// Checks that `len` elements can be indexed.
pub(crate) fn check_length(len: usize) -> Result<()> {
    let limit = u64::from(u32::MAX);
    if len as u64 <= limit {
        return Ok(());
    }
    let message = format!("a buffer of {len} elements is too long: at most {limit} can be indexed");
    Err(Error::new(ErrorKind::TooLong, message).exceeded(len as u64, limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(word: &str) -> std::result::Result<String, ErrorKind> {
        Device::from_word(word)
            .map(|device| device.name().to_owned())
            .map_err(|error| error.kind())
    }

    #[test]
    fn the_environment_names_devices() {
        assert_eq!(name("cpu"), Ok("cpu".to_owned()));
        assert_eq!(name("simulator"), Ok("simulator".to_owned()));
        for (word, known) in [
            ("cuda:0", Some(0)),
            ("cuda:17", Some(17)),
            ("cuda:4294967295", Some(u32::MAX)),
            ("cuda:4294967296", None),
        ] {
            assert_eq!(number(word), known, "{word:?}");
        }
        for word in [
            "", "CPU", "cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:+1", " cpu", "gpu",
        ] {
            assert_eq!(name(word), Err(ErrorKind::UnknownDevice), "{word:?}");
        }
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn a_build_without_cuda_says_which_feature_it_needs() {
        let message = Device::from_word("cuda:3")
            .err()
            .map(|error| (error.kind(), error.to_string()))
            .unwrap_or((ErrorKind::Internal, String::new()));
        assert_eq!(message.0, ErrorKind::DeviceUnavailable);
        assert!(
            message.1.contains("`cuda:3`") && message.1.contains("feature `cuda`"),
            "{}",
            message.1
        );
    }

    #[test]
    fn an_unknown_word_is_told_the_known_ones() {
        let message = Device::from_word("gpu")
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        for word in ["`gpu`", "`cpu`", "`simulator`", "`cuda:0`"] {
            assert!(message.contains(word), "{message}");
        }
    }
}
