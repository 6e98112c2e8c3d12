//! Recordings: sequences of launches, copies and fills that are asked for by one call.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::backend::{Kept, Memory, Recorder, StandInKind, Step};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

/// Launches, copies and fills that were recorded by [`Device::record`], to be done as often as is wanted: by a CUDA graph on GPUs, one
/// after the other elsewhere.
///
/// A loop that launches the same kernels again and again asks the driver once for all of them, instead of once for each.
///
/// `S` is what stands for the buffers in the function that is recorded: `(Buffer<f32>, Buffer<f32>)` for two of `f32`.
///
/// ```
/// use obsidian_rt::{Device, Recording};
///
/// let device = Device::best()?;
/// let mut x = device.upload(&[1u32, 2])?;
/// let mut cleared: Recording<_> = device.record(&x, |_, x| x.fill(7))?;
/// assert_eq!(x.to_vec()?, [1, 2]); // nothing has run yet
/// cleared.replay(&mut x)?;
/// assert_eq!(x.to_vec()?, [7, 7]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "cudaGraph_t")]
#[doc(alias = "CUDA_graph")]
#[must_use = "nothing has run yet: `replay` does the recorded work"]
pub struct Recording<S> {
    device: Device,
    steps: Vec<Step>,
    /// The type and length of each buffer.
    shapes: Vec<Shape>,
    /// Arrays behind those of the caller: results of launches that were recorded.
    own: Vec<Memory>,
    /// What the device has made of the steps.
    kept: Kept,
    buffers: PhantomData<fn(&mut S)>,
}

/// The type and the length of an array.
type Shape = (obsidian_language::scalar::ScalarType, usize);

/// What makes a stand-in: a function of a buffer's device and memory.
#[doc(hidden)]
pub type Standing<'a> = &'a mut dyn FnMut(&Device, &Memory) -> (Device, Memory);

/// Buffers of a recording: a [`Buffer`] or a `&mut Buffer`, or a tuple, an array or a vector of such.
///
/// ```
/// use obsidian_rt::Device;
///
/// let device = Device::best()?;
/// let mut buffers = (device.zeros::<u32>(2)?, device.upload(&[1u32, 2])?); // a tuple of buffers
/// let mut copy = device.record(&buffers, |_, (to, from)| to.copy_from_buffer(from))?;
/// copy.replay(&mut buffers)?;
/// assert_eq!(buffers.0.to_vec()?, [1, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Buffers {
    /// What stands for them while a recording is made: a [`Buffer`] for each, in the same tuples, arrays and vectors.
    type StandIns: Buffers<StandIns = Self::StandIns>;

    #[doc(hidden)]
    fn stand_ins(&self, stand_in: Standing<'_>) -> Self::StandIns;

    /// Each buffer, in order.
    #[doc(hidden)]
    fn each<'a>(&'a mut self, visit: &mut dyn FnMut(&Device, &'a mut Memory));
}

impl<T: Element> Buffers for Buffer<T> {
    type StandIns = Buffer<T>;

    fn stand_ins(&self, stand_in: Standing<'_>) -> Self::StandIns {
        let (device, memory) = stand_in(self.device(), self.memory());
        Buffer::new(device, memory)
    }

    fn each<'a>(&'a mut self, visit: &mut dyn FnMut(&Device, &'a mut Memory)) {
        let (device, memory) = self.parts_mut();
        visit(device, memory);
    }
}

impl<T: Element> Buffers for &mut Buffer<T> {
    type StandIns = Buffer<T>;

    fn stand_ins(&self, stand_in: Standing<'_>) -> Buffer<T> {
        Buffers::stand_ins(&**self, stand_in)
    }

    fn each<'a>(&'a mut self, visit: &mut dyn FnMut(&Device, &'a mut Memory)) {
        Buffers::each(&mut **self, visit);
    }
}

impl<B: Buffers> Buffers for Vec<B> {
    type StandIns = Vec<B::StandIns>;

    fn stand_ins(&self, stand_in: Standing<'_>) -> Self::StandIns {
        self.iter()
            .map(|buffers| buffers.stand_ins(stand_in))
            .collect()
    }

    fn each<'a>(&'a mut self, visit: &mut dyn FnMut(&Device, &'a mut Memory)) {
        self.iter_mut().for_each(|buffers| buffers.each(visit));
    }
}

impl<B: Buffers, const N: usize> Buffers for [B; N] {
    type StandIns = [B::StandIns; N];

    fn stand_ins(&self, stand_in: Standing<'_>) -> Self::StandIns {
        self.each_ref().map(|buffers| buffers.stand_ins(stand_in))
    }

    fn each<'a>(&'a mut self, visit: &mut dyn FnMut(&Device, &'a mut Memory)) {
        self.iter_mut().for_each(|buffers| buffers.each(visit));
    }
}

macro_rules! tuples {
    ($(($($ty:ident $n:tt)+);)*) => {$(
        impl<$($ty: Buffers),+> Buffers for ($($ty,)+) {
            type StandIns = ($($ty::StandIns,)+);

            fn stand_ins(&self, stand_in: Standing<'_>) -> Self::StandIns {
                ($(self.$n.stand_ins(stand_in),)+)
            }

            fn each<'a>(&'a mut self, visit: &mut dyn FnMut(&Device, &'a mut Memory)) {
                $(self.$n.each(visit);)+
            }
        }
    )*};
}

tuples! {
    (A 0);
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
    (A 0 B 1 C 2 D 3 E 4 F 5);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);
}

impl Device {
    /// Records the launches, copies and fills of a function, for [`Recording::replay`]. The function is called once, now, and
    /// nothing of what is recorded runs.
    ///
    /// The function is given a device to launch on and, for each of the buffers, one that stands for it. A replay may be given other
    /// buffers of the same lengths; `(&mut a, &mut b)` lends them. Launches, copies and fills on any other device or buffer would be done once, and
    /// are refused. Launches, [`launch_into`](crate::TypedKernel::launch_into) or not,
    /// [`copy_from_buffer`](Buffer::copy_from_buffer), [`to_device`](Buffer::to_device), [`fill`](Buffer::fill),
    /// [`zeros`](Device::zeros) and [`slice`](Buffer::slice) are recorded. Results of launches that are no buffers of the caller's belong to
    /// the recording, which keeps memory for them; results of one type and length that are dropped before the next one share it. Lengths and numbers, such as the counter of a loop, keep the values that they have now.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// pub mod steps {
    ///     /// The mean of each element and its right neighbour; the last one stays.
    ///     #[kernel]
    ///     pub fn smoothed(now: DPull<EF32>) -> DPush<Grid, EF32> {
    ///         let last = now.len() - 1;
    ///         let next = generate(now.len(), |i| (now[i] + now[(i + 1).min(last)]) * 0.5);
    ///         next.chunks(1024, 0.0).as_grid_map(|piece| piece.push()).take(now.len())
    ///     }
    /// }
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let device = Device::best()?;
    /// let mut buffers = (device.upload(&[1.0f32, 0.0, 0.0, 8.0])?, device.zeros(4)?);
    /// let mut ten_steps = device.record(&buffers, |device, (now, next)| {
    ///     for _ in 0..5 {
    ///         steps::smoothed::launch_into(device, now, next)?;
    ///         steps::smoothed::launch_into(device, next, now)?;
    ///     }
    ///     Ok(())
    /// })?;
    /// for _ in 0..100 {
    ///     ten_steps.replay(&mut buffers)?;
    /// }
    /// assert_eq!(buffers.0.to_vec()?, [8.0; 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// What the launches and copies report before they run: lengths, types, a kernel that cannot be compiled here or does not fit the device, a
    /// buffer that is none of the recording ([`ErrorKind::WrongDevice`]). [`ErrorKind::CannotRun`] for what cannot be recorded: copies from and to the host, waiting, streams and
    /// events, another recording; and if the function leaves the buffers in another order, as after an odd number of swaps. Errors of the
    /// function itself.
    #[doc(alias = "cudaStreamBeginCapture")]
    pub fn record<B: Buffers>(
        &self,
        buffers: &B,
        work: impl FnOnce(&Device, &mut B::StandIns) -> Result<()>,
    ) -> Result<Recording<B::StandIns>> {
        if self.is_recording() && is_observing() {
            let message = "a candidate makes a recording: what it launches is recorded already; call the function that launches, without `record`";
            return Err(Error::new(ErrorKind::WrongAnswer, message));
        }
        if self.is_recording() {
            let message = "a recording cannot be made in another one: call the function that launches, without `record`";
            return Err(Error::new(ErrorKind::CannotRun, message));
        }
        let recorder = Arc::new(Recorder::new(self.shared_backend()));
        let device = self.with_backend(recorder.clone());
        let (mut shapes, mut elsewhere) = (Vec::new(), Ok(()));
        let mut stand_ins = buffers.stand_ins(&mut |of, memory| {
            let lies = on(self, of, shapes.len());
            elsewhere = std::mem::replace(&mut elsewhere, Ok(())).and(lies);
            let (ty, length) = (memory.ty(), memory.len());
            shapes.push((ty, length));
            (device.clone(), recorder.stand_in(ty, length))
        });
        elsewhere?;
        let worked = {
            let _meanwhile = Meanwhile::new();
            work(&device, &mut stand_ins)
        };
        let (steps, own) = recorder.finish();
        worked?;
        let mut order = Vec::new();
        stand_ins.each(&mut |of, memory| order.push(recorder.kind_of(of.name(), memory)));
        check_order(&order, shapes.len())?;
        Ok(Recording {
            device: self.clone(),
            steps,
            shapes,
            own,
            kept: None,
            buffers: PhantomData,
        })
    }
}

impl<S: Buffers> Recording<S> {
    /// Runs the recorded work with these buffers: those of the recording, or others of the same lengths on the same device.
    ///
    /// On a GPU it comes back before the work is done. The graphs for the last four sets of buffers are kept; for another set one is made anew.
    ///
    /// # Errors
    /// [`ErrorKind::ArgumentCount`], [`ErrorKind::UnequalLengths`] or [`ErrorKind::WrongDevice`] if the buffers do not fit; nothing has run
    /// then. Else as launches do: see [when errors come](Device#when-errors-come). Where steps are done one after the other, those before the
    /// one that fails have run.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::best()?;
    /// let mut x = device.zeros::<u32>(2)?;
    /// let mut filled = device.record(&x, |_, x| x.fill(5))?;
    /// filled.replay(&mut x)?;
    /// let mut other = device.zeros::<u32>(2)?;
    /// filled.replay(&mut other)?; // of the same length
    /// assert_eq!((x.to_vec()?, other.to_vec()?), (vec![5, 5], vec![5, 5]));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "cudaGraphLaunch")]
    pub fn replay<B: Buffers<StandIns = S>>(&mut self, buffers: &mut B) -> Result<()> {
        let (mut arrays, mut fit) = (Vec::new(), Ok(()));
        buffers.each(&mut |of, memory| {
            let fits = self.fits(arrays.len(), of, memory);
            fit = std::mem::replace(&mut fit, Ok(())).and(fits);
            arrays.push(memory);
        });
        fit?;
        if arrays.len() != self.shapes.len() {
            let (given, own) = (arrays.len(), self.shapes.len());
            let message = format!("the recording has {own} buffers, and {given} are given");
            return Err(
                Error::new(ErrorKind::ArgumentCount, message).exceeded(given as u64, own as u64)
            );
        }
        may_begin(&self.device)?;
        arrays.extend(&mut self.own);
        #[cfg(feature = "cuda")]
        let _range =
            crate::profiler::range(|| format!("recorded work, {} steps", self.steps.len()));
        self.device
            .backend()
            .replay(&self.steps, &mut arrays, &mut self.kept)
    }

    /// The device whose work it is.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::cpu();
    /// let recording = device.record(&device.zeros::<u32>(2)?, |_, x| x.fill(5))?;
    /// assert_eq!(recording.device().name(), "cpu");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The number of launches, copies and fills.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::cpu();
    /// let recording = device.record(&device.zeros::<u32>(2)?, |_, x| x.fill(5).and_then(|()| x.fill(6)))?;
    /// assert_eq!(recording.len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns `true` if nothing was recorded.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let device = Device::cpu();
    /// let recording = device.record(&device.zeros::<u32>(2)?, |_, _| Ok(()))?;
    /// assert!(recording.is_empty());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Is this array one for the n-th buffer?
    fn fits(&self, n: usize, device: &Device, memory: &Memory) -> Result<()> {
        on(&self.device, device, n)?;
        match self.shapes.get(n) {
            // The types are alike: a vector may have other numbers of buffers, which is told when all are counted.
            Some((_, length)) if *length != memory.len() => {
                let message = format!(
                    "buffer {n} of the recording had {length} elements, and the one that is given for it has {}",
                    memory.len()
                );
                Err(Error::new(ErrorKind::UnequalLengths, message)
                    .exceeded(memory.len() as u64, *length as u64))
            }
            Some((ty, _)) if *ty != memory.ty() => {
                let (ty, own) = (memory.ty().name(), ty.name());
                let message = format!(
                    "buffer {n} of the recording is one of {own}, and one of {ty} is given for it"
                );
                Err(Error::new(ErrorKind::ArgumentType, message))
            }
            _ => Ok(()),
        }
    }
}

impl<S> fmt::Debug for Recording<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("device", &self.device.name())
            .field("steps", &self.steps.len())
            .finish_non_exhaustive()
    }
}

thread_local! {
    /// How many functions of [`Device::record`] this thread is in.
    static RECORDING: Cell<u32> = const { Cell::new(0) };
    /// How many functions of candidates this thread is in.
    static OBSERVING: Cell<u32> = const { Cell::new(0) };
}

/// This thread is in a function of [`Device::record`] as long as this is there.
struct Meanwhile;

impl Meanwhile {
    fn new() -> Meanwhile {
        RECORDING.set(RECORDING.get() + 1);
        Meanwhile
    }
}

impl Drop for Meanwhile {
    fn drop(&mut self) {
        RECORDING.set(RECORDING.get() - 1);
    }
}

/// This thread is in the function of a candidate of an exploration as long as this is there.
#[cfg(feature = "explore")]
pub(crate) struct Observing;

#[cfg(feature = "explore")]
impl Observing {
    pub(crate) fn new() -> Observing {
        OBSERVING.set(OBSERVING.get() + 1);
        Observing
    }
}

#[cfg(feature = "explore")]
impl Drop for Observing {
    fn drop(&mut self) {
        OBSERVING.set(OBSERVING.get() - 1);
    }
}

/// Is this thread in the function of a candidate?
pub(crate) fn is_observing() -> bool {
    OBSERVING.get() > 0
}

/// May work on a device begin here? Not on another one than that of the recording, while the function of [`Device::record`] is called: it would be done once,
/// now, and never again.
pub(crate) fn may_begin(device: &Device) -> Result<()> {
    if RECORDING.get() + OBSERVING.get() == 0 || device.is_recording() {
        return Ok(());
    }
    if is_observing() {
        let message = format!(
            "work on `{}` in the function of a candidate is none of its work: launch on the device that the function is given, with the buffers \
             that it is given",
            device.name()
        );
        return Err(Error::new(ErrorKind::WrongAnswer, message));
    }
    let message = format!(
        "work on `{}` in the function of `Device::record` would be done once, now, and is not recorded: do it before, or give its buffers to \
         `Device::record` and use the device and the buffers that the function is given",
        device.name()
    );
    Err(Error::new(ErrorKind::CannotRun, message))
}

/// The error for two devices of which one is that of a recording.
pub(crate) fn mixed(device: &Device, other: &Device, what: &str) -> Option<Error> {
    if is_observing() && (device.is_recording() || other.is_recording()) {
        let message = format!(
            "{what} in the function of a candidate is of another device: use the device and the buffers that the function is given, and those that are \
             made on this device"
        );
        return Some(Error::new(ErrorKind::WrongAnswer, message));
    }
    let message = if device.is_recording() {
        format!(
            "{what} is none of the recording; give it to `Device::record` with the others, and use those that the function is given"
        )
    } else if other.is_recording() {
        format!(
            "{what} is one of a recording, and the work is on `{}`; use the device and the buffers that the function of `Device::record` is given",
            device.name()
        )
    } else {
        return None;
    };
    Some(Error::new(ErrorKind::WrongDevice, message))
}

/// Lies the n-th buffer on this device?
fn on(device: &Device, of: &Device, n: usize) -> Result<()> {
    if device.name() == of.name() {
        return Ok(());
    }
    if of.is_recording() {
        let message = "a recording cannot be replayed in another one: call the function that launches, without `record`";
        return Err(Error::new(ErrorKind::CannotRun, message));
    }
    let message = format!(
        "buffer {n} of the recording lies on the device `{}`, and the recording is one of `{}`; upload it there",
        of.name(),
        device.name()
    );
    Err(Error::new(ErrorKind::WrongDevice, message))
}

/// Are the buffers in the order in which they were given?
fn check_order(order: &[StandInKind], given: usize) -> Result<()> {
    let mut moved = order.iter().enumerate();
    let moved = moved.find(|(place, kind)| **kind != StandInKind::Given(*place));
    let message = match moved {
        None if order.len() == given => return Ok(()),
        None => format!(
            "the recording was given {given} buffers, and its function leaves {}",
            order.len()
        ),
        Some((place, StandInKind::Given(number))) => format!(
            "the function leaves buffer {number} of the recording where buffer {place} was, so that the next replay would begin with another one; \
             after an odd number of swaps, record one step more, or copy the result back"
        ),
        Some((place, StandInKind::Own)) => format!(
            "the function leaves a result of a launch where buffer {place} of the recording was; launch into the buffer, by `launch_into`, or copy \
             the result to it"
        ),
        Some((place, StandInKind::Elsewhere)) => format!(
            "the function leaves a buffer that is none of the recording where its buffer {place} was; give that one to `Device::record`"
        ),
    };
    Err(Error::new(ErrorKind::CannotRun, message))
}
