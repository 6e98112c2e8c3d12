//! Buffers and launches whose types are known only while the program runs: for interpreters, schedulers and servers of kernels.

use std::fmt;

use obsidian_base::launch::{ParameterInfo, ParameterRole};
use obsidian_language::scalar::{Literal, ScalarType};

use crate::backend::Memory;
use crate::buffer::Buffer;
use crate::device::{Device, check_length};
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::launch::{Argument, launch, launch_into};
use crate::recording::{Buffers, Standing};

/// A [`Buffer`] of any element type.
///
/// A [`Buffer`] becomes one by `into()`, and comes back by [`typed`](AnyBuffer::typed); nothing is copied. [`Kernel::launch`] takes such buffers.
///
/// ```
/// use obsidian_rt::{AnyBuffer, Device};
///
/// let device = Device::cpu();
/// let buffers: Vec<AnyBuffer> = vec![device.upload(&[1u32, 2])?.into(), device.upload(&[0.5f64])?.into()];
/// assert_eq!(buffers.iter().map(|buffer| buffer.element_type().name()).collect::<Vec<_>>(), ["u32", "f64"]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct AnyBuffer {
    pub(crate) device: Device,
    pub(crate) memory: Memory,
}

impl AnyBuffer {
    /// The type of the elements.
    ///
    /// ```
    /// use obsidian_rt::{AnyBuffer, Device, ScalarType};
    ///
    /// let buffer: AnyBuffer = Device::cpu().upload(&[1.0f32])?.into();
    /// assert_eq!(buffer.element_type(), ScalarType::F32);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn element_type(&self) -> ScalarType {
        self.memory.ty()
    }

    /// Elements of it, as many as there are from `start` on.
    #[cfg(feature = "sequence")]
    pub(crate) fn part(&self, start: usize, length: usize) -> Result<crate::view::AnyView<'_>> {
        let end = start.saturating_add(length).min(self.len());
        let start = start.min(end);
        // SAFETY: the elements are inside. The view is dropped before the borrow ends, and so before the memory is changed or dropped.
        let memory = unsafe { self.device.backend().part(&self.memory, start, end - start) }?;
        let part = AnyBuffer {
            device: self.device.clone(),
            memory,
        };
        Ok(part.into())
    }

    /// The number of elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, ScalarType};
    ///
    /// assert_eq!(Device::cpu().zeros_of(ScalarType::U8, 5)?.len(), 5);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.memory.len()
    }

    /// Returns `true` if there are no elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, ScalarType};
    ///
    /// assert!(Device::cpu().zeros_of(ScalarType::U8, 0)?.is_empty());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty()
    }

    /// The device on which the elements lie.
    ///
    /// ```
    /// use obsidian_rt::{Device, ScalarType};
    ///
    /// assert_eq!(Device::cpu().zeros_of(ScalarType::U8, 5)?.device().name(), "cpu");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Copies the elements back, bit for bit.
    ///
    /// # Errors
    /// [`ErrorKind::ArgumentType`] if they are of another type, and what [`Buffer::to_vec`] reports.
    ///
    /// ```
    /// use obsidian_rt::{AnyBuffer, Device, ErrorKind};
    ///
    /// let buffer: AnyBuffer = Device::cpu().upload(&[1u32, 2])?.into();
    /// assert_eq!(buffer.to_vec::<u32>()?, [1, 2]);
    /// assert_eq!(buffer.to_vec::<f32>().unwrap_err().kind(), ErrorKind::ArgumentType);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        let copy = self.device.backend().download(&self.memory)?;
        copy.into_elements().ok_or_else(|| {
            let (own, asked) = (self.memory.ty().name(), T::TYPE.name());
            let message = format!("the elements are {own}, and {asked} was asked for");
            Error::new(ErrorKind::ArgumentType, message)
        })
    }

    /// Keeps the first elements; the memory of the others is free.
    ///
    /// # Errors
    /// [`ErrorKind::TooLong`] if there are fewer.
    pub(crate) fn truncate(&mut self, length: usize) -> Result<()> {
        let own = self.len();
        if length > own {
            let message = format!("a buffer of {own} elements cannot be cut to {length}");
            return Err(Error::new(ErrorKind::TooLong, message).exceeded(length as u64, own as u64));
        }
        if length < own {
            let backend = self.device.backend();
            drop(backend.split_off(&mut self.memory, length)?);
        }
        Ok(())
    }

    /// A buffer of its own with the same elements.
    pub(crate) fn copied(&self) -> Result<AnyBuffer> {
        let mut copy = self.device.zeros_of(self.element_type(), self.len())?;
        copy.copy_from(self)?;
        Ok(copy)
    }

    /// Takes the elements of another buffer of as many.
    pub(crate) fn copy_from(&mut self, other: &AnyBuffer) -> Result<()> {
        self.device.backend().copy(&other.memory, &mut self.memory)
    }

    /// The buffer with its element type.
    ///
    /// # Errors
    /// The buffer as it is, if its elements are of another type.
    ///
    /// ```
    /// use obsidian_rt::{AnyBuffer, Device};
    ///
    /// let buffer: AnyBuffer = Device::cpu().upload(&[1u32, 2])?.into();
    /// let buffer = buffer.typed::<f32>().unwrap_err(); // it is one of u32, and comes back
    /// assert_eq!(buffer.typed::<u32>().unwrap().to_vec()?, [1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn typed<T: Element>(self) -> std::result::Result<Buffer<T>, AnyBuffer> {
        match self.memory.ty() == T::TYPE {
            true => Ok(Buffer::new(self.device, self.memory)),
            false => Err(self),
        }
    }
}

impl<T: Element> From<Buffer<T>> for AnyBuffer {
    fn from(buffer: Buffer<T>) -> Self {
        let (device, memory) = buffer.into_parts();
        AnyBuffer { device, memory }
    }
}

impl fmt::Debug for AnyBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyBuffer")
            .field("device", &self.device.name())
            .field("memory", &self.memory)
            .finish()
    }
}

impl Buffers for AnyBuffer {
    type StandIns = AnyBuffer;

    fn stand_ins(&self, stand_in: Standing<'_>) -> AnyBuffer {
        let (device, memory) = stand_in(&self.device, &self.memory);
        AnyBuffer { device, memory }
    }

    fn each<'a>(&'a mut self, visit: &mut dyn FnMut(&Device, &'a mut Memory)) {
        visit(&self.device, &mut self.memory);
    }
}

/// An argument of [`Kernel::launch`].
///
/// ```
/// use obsidian_rt::{AnyArgument, AnyBuffer, Device, TypedKernel, language::*};
///
/// let scaled = TypedKernel::build("scaled", 64, |factor: EU32, x: DPull<EU32>| {
///     x.split_up(2).as_grid_map(move |x| x.map(move |x| x * factor).push())
/// })?;
/// let device = Device::cpu();
/// let x: AnyBuffer = device.upload(&[1u32, 2])?.into();
/// let results = scaled.kernel().launch(&device, [AnyArgument::number(10u32), AnyArgument::Read(&x)])?;
/// assert_eq!(results[0].to_vec::<u32>()?, [10, 20]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Debug)]
pub enum AnyArgument<'a> {
    /// A buffer that is read.
    Read(&'a AnyBuffer),
    /// A buffer that is read and written.
    Change(&'a mut AnyBuffer),
    /// A number: [`AnyArgument::number`].
    Number(Literal),
}

impl AnyArgument<'_> {
    /// A number, `true` or `false`.
    ///
    /// ```
    /// use obsidian_rt::AnyArgument;
    ///
    /// assert!(matches!(AnyArgument::number(2.5f32), AnyArgument::Number(_)));
    /// ```
    pub fn number<T: Element>(number: T) -> Self {
        AnyArgument::Number(number.literal())
    }
}

impl<'a> From<AnyArgument<'a>> for Argument<'a> {
    fn from(argument: AnyArgument<'a>) -> Self {
        match argument {
            AnyArgument::Read(buffer) => Argument::input(&buffer.device, &buffer.memory),
            AnyArgument::Change(buffer) => Argument::in_out(&buffer.device, &mut buffer.memory),
            AnyArgument::Number(number) => Argument::scalar(number),
        }
    }
}

/// A parameter or result of a launch: see [`Kernel::parameters`].
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let kernel = example::doubled::kernel();
/// let names: Vec<_> = kernel.parameters().map(|parameter| parameter.name()).collect();
/// assert_eq!(names, ["x", "output"]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KernelParameter<'a>(&'a ParameterInfo);

impl<'a> KernelParameter<'a> {
    /// The name in the user's function; of a result `output`, of fields of tuples with a number behind it.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(numbers: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         numbers.split_up(64).as_grid_map(|x| x.map(|x| 2 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// assert_eq!(example::doubled::kernel().parameters().next().unwrap().name(), "numbers");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn name(&self) -> &'a str {
        &self.0.name
    }

    /// The type of its elements, or of the number.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EF32>) -> DPush<Grid, EF32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| 2.0 * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let kernel = example::doubled::kernel();
    /// assert_eq!(kernel.parameters().next().unwrap().element_type().name(), "f32");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn element_type(&self) -> ScalarType {
        self.0.ty
    }

    /// The role of the parameter in the kernel.
    ///
    /// ```
    /// use obsidian_rt::{ParameterRole, TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| {
    ///     x.split_up(2).as_grid_map(|x| x.map(|x| x * 2).push())
    /// })?;
    /// let roles: Vec<_> = doubled.kernel().parameters().map(|parameter| parameter.role()).collect();
    /// assert_eq!(roles, [ParameterRole::Input, ParameterRole::Output]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn role(&self) -> ParameterRole {
        self.0.role
    }
}

impl Kernel {
    /// The parameters of the kernel in the order of the user's function, then the results. An array of tuples has one for each field.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn scaled(factor: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(64).as_grid_map(|x| x.map(|x| factor * x).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let kernel = example::scaled::kernel();
    /// let names: Vec<_> = kernel.parameters().map(|parameter| parameter.name()).collect();
    /// assert_eq!(names, ["factor", "x", "output"]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = KernelParameter<'_>> {
        self.interface().parameters.iter().map(KernelParameter)
    }

    /// Launches the kernel with arguments whose types are known only now: one for each of its [parameters](Kernel::parameters) that is no result, in
    /// order. The results are the buffers that the launch gives, in order. What `launch` of a `#[kernel]` function finds
    /// while the program compiles, this finds now.
    ///
    /// ```
    /// use obsidian_rt::{AnyArgument, AnyBuffer, ParameterRole, prelude::*};
    ///
    /// #[kernels]
    /// pub mod vectors {
    ///     #[kernel]
    ///     pub fn saxpy(a: EF32, x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
    ///         let sums = zip_with(|x, y| a * x + y, x, y);
    ///         sums.chunks(1024, 0.0).as_grid_map(|piece| piece.push()).take(x.len())
    ///     }
    /// }
    ///
    /// # fn main() -> obsidian_rt::Result<()> {
    /// let (device, kernel) = (Device::best()?, vectors::saxpy::kernel());
    /// let names: Vec<_> = kernel.parameters().map(|parameter| (parameter.name(), parameter.role())).collect();
    /// assert_eq!(names[1], ("x", ParameterRole::Input));
    ///
    /// let x: AnyBuffer = device.upload(&[1.0f32, 2.0])?.into();
    /// let y: AnyBuffer = device.upload(&[10.0f32, 20.0])?.into();
    /// let arguments = [AnyArgument::number(2.0f32), AnyArgument::Read(&x), AnyArgument::Read(&y)];
    /// let mut results = kernel.launch(&device, arguments)?;
    /// let sums = results.remove(0).typed::<f32>().map_err(|_| "no floats");
    /// assert_eq!(sums.unwrap().to_vec()?, [12.0, 24.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::ArgumentCount`](crate::ErrorKind::ArgumentCount) and [`ErrorKind::ArgumentType`](crate::ErrorKind::ArgumentType) for arguments that
    /// are not those of the kernel, and all that a typed launch reports.
    #[doc(alias = "<<<>>>")]
    #[doc(alias = "cudaLaunchKernel")]
    pub fn launch<'a>(
        &self,
        device: &Device,
        arguments: impl IntoIterator<Item = AnyArgument<'a>>,
    ) -> Result<Vec<AnyBuffer>> {
        let mut arguments = given(arguments);
        let outputs = launch(self, device, &mut arguments)?;
        let memories = outputs.into_memories();
        let any = |memory| AnyBuffer {
            device: device.clone(),
            memory,
        };
        Ok(memories.map(any).collect())
    }

    /// Launches the kernel into existing buffers, one for each result, in order: nothing is allocated.
    ///
    /// # Errors
    /// As [`launch`](Kernel::launch), and [`ErrorKind::UnequalLengths`](crate::ErrorKind::UnequalLengths) for a buffer of another length than its
    /// result.
    ///
    /// ```
    /// use obsidian_rt::{AnyArgument, AnyBuffer, Device, ScalarType, TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| {
    ///     x.split_up(2).as_grid_map(|x| x.map(|x| x * 2).push())
    /// })?;
    /// let device = Device::cpu();
    /// let (x, mut result): (AnyBuffer, _) = (device.upload(&[1u32, 2])?.into(), device.zeros_of(ScalarType::U32, 2)?);
    /// doubled.kernel().launch_into(&device, [AnyArgument::Read(&x)], [&mut result])?;
    /// assert_eq!(result.to_vec::<u32>()?, [2, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn launch_into<'a>(
        &self,
        device: &Device,
        arguments: impl IntoIterator<Item = AnyArgument<'a>>,
        results: impl IntoIterator<Item = &'a mut AnyBuffer>,
    ) -> Result<()> {
        let mut arguments = given(arguments);
        let mut results = given(results.into_iter().map(AnyArgument::Change));
        launch_into(self, device, &mut arguments, &mut results)
    }
}

fn given<'a>(arguments: impl IntoIterator<Item = AnyArgument<'a>>) -> Vec<Argument<'a>> {
    arguments.into_iter().map(Argument::from).collect()
}

impl Device {
    /// A buffer of `len` zeros (`false` for `bool`), of an element type that is known only now.
    ///
    /// # Errors
    /// As [`zeros`](Device::zeros).
    ///
    /// ```
    /// use obsidian_rt::{Device, ScalarType};
    ///
    /// let buffer = Device::cpu().zeros_of(ScalarType::F32, 2)?;
    /// assert_eq!(buffer.to_vec::<f32>()?, [0.0, 0.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn zeros_of(&self, element_type: ScalarType, len: usize) -> Result<AnyBuffer> {
        check_length(len)?;
        Ok(AnyBuffer {
            device: self.clone(),
            memory: self.backend().zeros(element_type, len)?,
        })
    }
}
