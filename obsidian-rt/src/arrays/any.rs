//! Array programs whose parameters and results are known when they are built, and not by Rust's types: for programs that read other programs.

use std::fmt;

use obsidian_language::arrays::{AnyArr, Given, Schedule, Signature, named_types};
use obsidian_language::scalar::{Exp, Literal, ScalarType};

use super::array::{Array, HostItem, Rank, check};
use super::literals::Literals;
use super::run::Run;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::untyped::AnyBuffer;

/// An array on a device, with any number of axes and any elements. Its elements lie in rows, one buffer for each component.
///
/// ```
/// use obsidian_rt::{Device, ScalarType, arrays::AnyArray};
///
/// let pairs = AnyArray::new(&Device::cpu(), &[2, 1, 1, 2], &[(1i32, true), (2, false), (3, true), (4, true)])?;
/// assert_eq!((pairs.len(), pairs.types()), (4, vec![ScalarType::I32, ScalarType::Bool]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct AnyArray {
    extents: Vec<usize>,
    buffers: Vec<AnyBuffer>,
    device: Device,
}

impl fmt::Debug for AnyArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyArray")
            .field("extents", &self.extents)
            .field("types", &self.types())
            .field("device", &self.device.name())
            .finish_non_exhaustive()
    }
}

impl AnyArray {
    /// An array of some extents with the elements of a slice, in rows.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if the slice has not as many elements as the extents say, and what an
    /// [`upload`](Device::upload) reports.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::AnyArray};
    ///
    /// let device = Device::cpu();
    /// assert_eq!(AnyArray::new(&device, &[], &[7u32])?.to_vec::<u32>()?, [7]); // no axis, one element
    /// assert!(AnyArray::new(&device, &[2, 3], &[1u32, 2]).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn new<T: HostItem>(device: &Device, extents: &[usize], elements: &[T]) -> Result<Self> {
        check(extents, elements.len())?;
        let mut buffers = Vec::new();
        T::upload(device, elements, &mut buffers)?;
        Ok(AnyArray {
            extents: extents.to_vec(),
            buffers,
            device: device.clone(),
        })
    }

    /// Takes buffers over as the components of an array of some extents.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if a buffer has not as many elements as the extents say, and [`ErrorKind::ArgumentCount`] if there is none.
    ///
    /// ```
    /// use obsidian_rt::{Device, ScalarType, arrays::AnyArray};
    ///
    /// let buffer = Device::cpu().zeros_of(ScalarType::U8, 6)?;
    /// assert_eq!(AnyArray::of(vec![buffer], &[3, 2])?.extents(), [3, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn of(buffers: Vec<AnyBuffer>, extents: &[usize]) -> Result<Self> {
        let Some(device) = buffers.first().map(|buffer| buffer.device().clone()) else {
            let message = "an array has at least one component, and no buffer is given";
            return Err(Error::new(ErrorKind::ArgumentCount, message));
        };
        for buffer in &buffers {
            check(extents, buffer.len())?;
        }
        Ok(AnyArray {
            extents: extents.to_vec(),
            buffers,
            device,
        })
    }

    /// The extents of the axes, the innermost last.
    ///
    /// ```
    /// use obsidian_rt::{Device, ScalarType, arrays::AnyArray};
    ///
    /// let pairs = AnyArray::new(&Device::cpu(), &[2, 1], &[(1i32, true), (2, false)])?;
    /// assert_eq!(pairs.extents(), [2, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn extents(&self) -> &[usize] {
        &self.extents
    }

    /// The types of the components of its elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, ScalarType, arrays::AnyArray};
    ///
    /// let pairs = AnyArray::new(&Device::cpu(), &[2, 1], &[(1i32, true), (2, false)])?;
    /// assert_eq!(pairs.types(), [ScalarType::I32, ScalarType::Bool]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn types(&self) -> Vec<ScalarType> {
        self.buffers.iter().map(AnyBuffer::element_type).collect()
    }

    /// The number of elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::AnyArray};
    ///
    /// let pairs = AnyArray::new(&Device::cpu(), &[2, 1], &[(1i32, true), (2, false)])?;
    /// assert_eq!(pairs.len(), 2);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.extents.iter().product()
    }

    /// Returns `true` if there are no elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::AnyArray};
    ///
    /// let pairs = AnyArray::new(&Device::cpu(), &[2, 1], &[(1i32, true), (2, false)])?;
    /// assert!(!pairs.is_empty());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The device on which the elements lie.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::AnyArray};
    ///
    /// let pairs = AnyArray::new(&Device::cpu(), &[2, 1], &[(1i32, true), (2, false)])?;
    /// assert_eq!(pairs.device().name(), "cpu");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Copies the elements back, in rows.
    ///
    /// # Errors
    /// [`ErrorKind::ArgumentType`] if the elements are of other types, and what [`AnyBuffer::to_vec`] reports.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::AnyArray};
    ///
    /// let array = AnyArray::new(&Device::cpu(), &[2], &[1i32, -1])?;
    /// assert_eq!(array.to_vec::<i32>()?, [1, -1]);
    /// let message = array.to_vec::<f64>().unwrap_err().to_string();
    /// assert!(message.contains("the elements are i32, and f64 is asked for"), "{message}");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn to_vec<T: HostItem>(&self) -> Result<Vec<T>> {
        self.is_of::<T>()?;
        T::download(&mut self.buffers.iter())
    }

    fn is_of<T: HostItem>(&self) -> Result<()> {
        let mut wanted = Vec::new();
        T::types(&mut wanted);
        let found = self.types();
        if found == wanted {
            return Ok(());
        }
        let message = format!(
            "the elements are {}, and {} is asked for",
            named_types(&found),
            named_types(&wanted)
        );
        Err(Error::new(ErrorKind::ArgumentType, message))
    }

    /// The array as one whose types Rust knows; nothing is copied.
    ///
    /// # Errors
    /// [`ErrorKind::ArgumentType`] if the elements are of other types, and [`ErrorKind::UnequalLengths`] for another number of axes.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::{AnyArray, Array, Ix2}};
    ///
    /// let array = AnyArray::new(&Device::cpu(), &[2, 1], &[0.5f32, 1.5])?;
    /// let matrix: Array<Ix2, f32> = array.typed()?;
    /// assert_eq!(matrix.extents(), [2, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn typed<Sh: Rank, T: HostItem>(self) -> Result<Array<Sh, T>> {
        self.is_of::<T>()?;
        let mut extents = Sh::Extents::default();
        let own = extents.as_mut();
        if own.len() != self.extents.len() {
            let message = format!(
                "an array has the extents {:?}, and one of {} axes is asked for",
                self.extents,
                own.len()
            );
            return Err(Error::new(ErrorKind::UnequalLengths, message));
        }
        own.copy_from_slice(&self.extents);
        Ok(Array::of_run(extents, self.buffers, self.device))
    }

    /// The extents and the buffers, for [`AnyProgram::run_lent`].
    /// The array on another queue of its device, which orders what comes after all that was done with it so far.
    #[cfg(feature = "sequence")]
    pub(crate) fn on(mut self, device: &Device) -> Result<Self> {
        for buffer in &mut self.buffers {
            device.backend().adopt(&buffer.memory)?;
            buffer.device = device.clone();
        }
        self.device = device.clone();
        Ok(self)
    }

    #[cfg(feature = "sequence")]
    pub(crate) fn lent(&self) -> (&[usize], Vec<&AnyBuffer>) {
        (&self.extents, self.buffers.iter().collect())
    }

    /// The buffers of the components.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::AnyArray};
    ///
    /// let pairs = AnyArray::new(&Device::cpu(), &[2, 1], &[(1i32, true), (2, false)])?;
    /// let buffers = pairs.into_buffers(); // one for each component
    /// assert_eq!(buffers[1].to_vec::<bool>()?, [true, false]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn into_buffers(self) -> Vec<AnyBuffer> {
        self.buffers
    }
}

impl<Sh: Rank, T: HostItem> From<Array<Sh, T>> for AnyArray {
    fn from(array: Array<Sh, T>) -> Self {
        let (extents, buffers, device) = array.into_parts();
        AnyArray {
            extents: extents.as_ref().to_vec(),
            buffers,
            device,
        }
    }
}

/// Declares the parameters of an [`AnyProgram`], in the order in which a run is given them.
///
/// ```
/// use obsidian_rt::{Device, ScalarType, arrays::*, language::{EF32, EU32}};
///
/// let program = AnyProgram::build("first", |inputs| {
///     let n = inputs.number::<u32>();
///     let x = inputs.array(1, &[ScalarType::F32]).to::<EF32>();
///     vec![x.take(n).sum().untyped()]
/// })?;
/// let device = Device::cpu();
/// let (n, x) = (AnyArray::new(&device, &[], &[2u32])?, AnyArray::new(&device, &[3], &[0.5f32, 1.0, 7.0])?);
/// assert_eq!(program.run(&device, &[&n, &x])?[0].to_vec::<f32>()?, [1.5]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Debug)]
pub struct AnyInputs<'s>(pub(super) &'s mut Signature);

impl AnyInputs<'_> {
    /// An array with a number of axes, whose elements have components of some types.
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*};
    ///
    /// let program = AnyProgram::build("f", |inputs| vec![inputs.array(4, &[ScalarType::F32, ScalarType::U8])])?;
    /// assert!(matches!(program.schedule().parameters[0], Given::Array { rank: 4, .. }));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn array(&mut self, rank: usize, types: &[ScalarType]) -> AnyArr {
        self.0.any_array(rank, types)
    }

    /// A number: what extents may be made of, if it is an `EU32`. A run is given an array without axes, whose one element it reads.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    ///
    /// let program = AnyProgram::build("f", |inputs| {
    ///     let n = inputs.number::<u32>();
    ///     vec![iota(n).untyped()]
    /// })?;
    /// let device = Device::cpu();
    /// let three = AnyArray::new(&device, &[], &[3u32])?;
    /// assert_eq!(program.run(&device, &[&three])?[0].to_vec::<u32>()?, [0, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn number<T: Element>(&mut self) -> Exp<T> {
        self.0.scalar()
    }

    /// The name of the next parameter, as errors and kernels have it; else it is `input_0` and so on.
    ///
    /// ```
    /// use obsidian_rt::{Device, ScalarType, arrays::*};
    ///
    /// let program = AnyProgram::build("f", |inputs| vec![inputs.named("weights").array(1, &[ScalarType::F32])])?;
    /// let message = program.run(&Device::cpu(), &[&AnyArray::new(&Device::cpu(), &[1], &[1u8])?]).unwrap_err().to_string();
    /// assert!(message.contains("`weights` is an array of f32 with 1 axis"), "{message}");
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn named(&mut self, name: &str) -> AnyInputs<'_> {
        self.0.name_next(name);
        AnyInputs(self.0)
    }
}

/// A program over whole arrays whose parameters and results are known when it is built, and not by Rust's types: of any number, with up to
/// eight axes each.
///
/// It is what an [`ArrayProgram`](super::ArrayProgram) is, and becomes the same kernels. The closure is Rust that runs now, several times, and
/// must do the same each time.
///
/// ```
/// use obsidian_rt::{Device, ScalarType, arrays::*, language::EF64};
///
/// // As many vectors as are asked for, and the sum of all of them.
/// let sum_of = |n: usize| AnyProgram::build("sum", |inputs| {
///     let vectors = (0..n).map(|_| inputs.array(1, &[ScalarType::F64]).to::<EF64>());
///     let sum = vectors.reduce(|x, y| zip_with(|x, y| x + y, x, y));
///     sum.map(|sum| sum.untyped()).into_iter().collect()
/// });
/// let device = Device::cpu();
/// let x = AnyArray::new(&device, &[2], &[1.0, 2.0])?;
/// assert_eq!(sum_of(3)?.run(&device, &[&x, &x, &x])?[0].to_vec::<f64>()?, [3.0, 6.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct AnyProgram {
    pub(super) schedule: Schedule,
    pub(super) kernels: Vec<Kernel>,
    pub(super) literals: Literals,
}

impl fmt::Debug for AnyProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyProgram")
            .field("name", &self.schedule.name)
            .field("kernels", &self.kernels.len())
            .finish_non_exhaustive()
    }
}

impl AnyProgram {
    fn parts(&self) -> (&Schedule, &[Kernel], &Literals) {
        (&self.schedule, &self.kernels, &self.literals)
    }

    /// The launches of a run, in order.
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*};
    ///
    /// let program = AnyProgram::build("f", |inputs| vec![inputs.array(1, &[ScalarType::F32]).reverse().along(0, |x| x.rotate(1))])?;
    /// println!("{}", program.schedule());
    /// assert_eq!(program.schedule().operators(), 1);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The kernels of the schedule, by number.
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*};
    ///
    /// let program = AnyProgram::build("f", |inputs| vec![inputs.array(3, &[ScalarType::F32]).transpose_axes(&[2, 0, 1])])?;
    /// assert_eq!(program.kernels().len(), 1);
    /// println!("{}", program.kernels()[0].cuda());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// Runs the program, with an array for each parameter, in order; a number is the element of an array without axes.
    ///
    /// # Errors
    /// [`ErrorKind::ArgumentCount`] and [`ErrorKind::ArgumentType`] for arrays of another number, axes or elements than the parameters,
    /// [`ErrorKind::Requirement`] for extents that do not fit, and what the launches report.
    ///
    /// ```
    /// use obsidian_rt::{Device, ErrorKind, ScalarType, arrays::*, language::EU32};
    ///
    /// let sums = AnyProgram::build("sums", |inputs| vec![inputs.array(2, &[ScalarType::U32]).to::<EU32>().sum().untyped()])?;
    /// let device = Device::cpu();
    /// let x = AnyArray::new(&device, &[2, 2], &[1u32, 2, 3, 4])?;
    /// assert_eq!(sums.run(&device, &[&x])?[0].to_vec::<u32>()?, [3, 7]);
    /// let vector = AnyArray::new(&device, &[4], &[1u32, 2, 3, 4])?;
    /// assert_eq!(sums.run(&device, &[&vector]).unwrap_err().kind(), ErrorKind::ArgumentType);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn run(&self, device: &Device, inputs: &[&AnyArray]) -> Result<Vec<AnyArray>> {
        let of_program = |error: Error| error.of_program(&self.schedule.name);
        let parameters = &self.schedule.parameters;
        if inputs.len() != parameters.len() {
            let (given, own) = (inputs.len(), parameters.len());
            let message = format!("the program has {own} parameters, and {given} arrays are given");
            let error = Error::new(ErrorKind::ArgumentCount, message);
            return Err(of_program(error.exceeded(given as u64, own as u64)));
        }
        let mut run = Run::new(device, self.parts());
        for (parameter, input) in parameters.iter().zip(inputs) {
            give(&mut run, parameter, input).map_err(of_program)?;
        }
        self.produced(run)
    }

    /// Runs the program with the extents and buffers of an array for each parameter, which fit.
    #[cfg(feature = "sequence")]
    pub(crate) fn run_lent<'a>(
        &'a self,
        device: &Device,
        inputs: impl IntoIterator<Item = (&'a [usize], Vec<&'a AnyBuffer>)>,
    ) -> Result<Vec<AnyArray>> {
        let mut run = Run::new(device, self.parts());
        for (extents, buffers) in inputs {
            run.array(extents, buffers);
        }
        self.produced(run)
    }

    fn produced(&self, run: Run<'_>) -> Result<Vec<AnyArray>> {
        let mut produced = run.finish()?;
        let mut results = Vec::new();
        for _ in &self.schedule.results {
            let (extents, buffers, device) = produced.next()?;
            results.push(AnyArray {
                extents: extents.into_iter().map(|extent| extent as usize).collect(),
                buffers,
                device,
            });
        }
        Ok(results)
    }
}

fn give<'a>(run: &mut Run<'a>, parameter: &Given, input: &'a AnyArray) -> Result<()> {
    let (name, rank, types) = match parameter {
        Given::Array { name, rank, types } => (name, *rank, types.as_slice()),
        Given::Scalar { name, ty } => (name, 0, std::slice::from_ref(ty)),
    };
    let found = input.types();
    if input.extents.len() != rank || found != types {
        let axes = |n: usize| match n {
            1 => "1 axis".to_owned(),
            _ => format!("{n} axes"),
        };
        let message = format!(
            "`{name}` is an array of {} with {}, and one of {} with {} is given",
            named_types(types),
            axes(rank),
            named_types(&found),
            axes(input.extents.len())
        );
        return Err(Error::new(ErrorKind::ArgumentType, message));
    }
    match (parameter, input.buffers.as_slice()) {
        (Given::Array { .. }, _) => run.array(&input.extents, input.buffers.iter().collect()),
        (Given::Scalar { .. }, [buffer]) => run.scalar(number(buffer)?),
        (Given::Scalar { .. }, _) => {
            let message = "a number has one component";
            return Err(Error::new(ErrorKind::Internal, message));
        }
    }
    Ok(())
}

/// The one element of a buffer.
fn number(buffer: &AnyBuffer) -> Result<Literal> {
    fn first<T: Element>(buffer: &AnyBuffer) -> Result<Literal> {
        let element = buffer
            .to_vec::<T>()?
            .first()
            .map(|element| element.literal());
        element.ok_or_else(|| Error::new(ErrorKind::Internal, "an array of one element has none"))
    }
    match buffer.element_type() {
        ScalarType::Bool => first::<bool>(buffer),
        ScalarType::U8 => first::<u8>(buffer),
        ScalarType::I8 => first::<i8>(buffer),
        ScalarType::U16 => first::<u16>(buffer),
        ScalarType::I16 => first::<i16>(buffer),
        ScalarType::U32 => first::<u32>(buffer),
        ScalarType::I32 => first::<i32>(buffer),
        ScalarType::U64 => first::<u64>(buffer),
        ScalarType::I64 => first::<i64>(buffer),
        ScalarType::F32 => first::<f32>(buffer),
        ScalarType::F64 => first::<f64>(buffer),
    }
}
