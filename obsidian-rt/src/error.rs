//! What can go wrong when kernels are built and run.

use std::fmt;

#[cfg(feature = "run-time")]
use obsidian_language::error::Diagnostic;
use obsidian_language::error::Diagnostics;

/// A result with this crate's [`Error`].
///
/// ```
/// use obsidian_rt::{Device, Result};
///
/// fn sum(device: &Device) -> Result<u32> {
///     Ok(device.upload(&[1, 2, 3])?.to_vec()?.iter().sum())
/// }
///
/// assert_eq!(sum(&Device::cpu())?, 6);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type Result<T> = std::result::Result<T, Error>;

/// The kind of an error.
///
/// ```
/// use obsidian_rt::{Device, ErrorKind};
///
/// let device = match Device::cuda(0) {
///     Ok(device) => device,
///     Err(error) if error.kind() == ErrorKind::NoDriver => Device::cpu(),
///     Err(error) if error.kind() == ErrorKind::DeviceUnavailable => Device::cpu(),
///     Err(error) => return Err(error),
/// };
/// assert!(device.upload(&[1]).is_ok());
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// `OBSIDIAN_DEVICE` is none of the words that it can be.
    UnknownDevice,
    /// The device is not there, or this build has no support for it.
    DeviceUnavailable,
    /// A buffer lies on another device than the one that was to run the kernel.
    WrongDevice,
    /// The device cannot run this kernel: see the message for which one can.
    CannotRun,
    /// Too many or too few arguments.
    ArgumentCount,
    /// An argument has another element type, or is a number where a buffer belongs or the other way
    /// round.
    ArgumentType,
    /// Buffers that belong together have different lengths.
    UnequalLengths,
    /// Elements of the host do not lie in memory as those of a buffer do: an array in another order than row-major, or structs that are
    /// not a whole number of elements.
    Layout,
    /// A length breaks what the kernel requires of it.
    Requirement,
    /// A length or the number of blocks cannot be computed: a step of it is below 0 or above
    /// `u32::MAX`, where the kernel would wrap. The message names the step.
    NoLength,
    /// A length or the number of blocks is above `u32::MAX`.
    TooLong,
    /// There is not enough memory for a buffer.
    OutOfMemory,
    /// A launch with no blocks to run on was asked for.
    NoBlocks,
    /// The kernel could not be built.
    Build,
    /// The kernel cannot be built again: it was not made from source.
    NoSource,
    /// It needs the feature `run-time` of `obsidian-rt`, which builds kernels while the program runs.
    NoRunTime,
    /// Two arguments of a launch lie in the same memory, and one of them is written.
    Aliased,
    /// There is no CUDA driver on this machine.
    NoDriver,
    /// A call of the CUDA driver failed: [which](Error::driver_call), and
    /// [how](Error::driver_code).
    DriverCall,
    /// The CUDA driver does not take the compiled kernel.
    KernelRejected,
    /// The kernel needs more threads, shared memory or registers than the device has for a block.
    OutOfResources,
    /// The device's context is lost: the driver refuses everything until the process is started
    /// anew.
    LostContext,
    /// A tuned file cannot be read, is damaged, or does not fit the kernel.
    Tuned,
    /// The kernel does what no device may do: the simulator found it, or an index that `unchecked()` vouches for is outside of its array, on the CPU or, of
    /// a kernel with `#[kernel(faults)]`, on a GPU; or an assertion of the kernel does not hold.
    Fault,
    /// A space of parameters is none, or has no such parameter.
    Space,
    /// A candidate gives another answer than the reference, or does something that is no work of a launch.
    WrongAnswer,
    /// A file cannot be read or written.
    File,
    /// A file does not say what it should; the message, and [`line`](Error::line), say where.
    DamagedFile,
    /// A worker process of an isolated exploration cannot be used: it ends or waits before it comes to the exploration, comes to another one, or cannot
    /// make the job. The message has what it printed last.
    Worker,
    /// A source of a sequence failed or panicked, cannot be read again, or has no end.
    Source,
    /// What takes the results of a sequence failed or panicked.
    Sink,
    /// What watches a run has ended it.
    Cancelled,
    /// A member of those that work together has panicked, ended before the others, or does not answer.
    Member,
    /// There is no compiler for kernels that are built while the program runs: neither NVRTC nor
    /// nvcc.
    NoCompiler,
    /// No compiler here makes code that the GPU and its driver take.
    NoTarget,
    /// The compiler refused the kernel, or broke down: `Error::compiler` says how.
    Compile,
    /// A function of the kernel panicked, or generated code and runtime disagree: a bug in
    /// Obsidian.
    Internal,
}

/// An error: a [kind](Error::kind), a message, and the numbers involved.
///
/// ```
/// use obsidian_rt::Device;
///
/// let error = Device::cpu().zeros::<u32>(2)?.copy_from(&[1, 2, 3]).unwrap_err();
/// println!("{error}");
/// assert_eq!((error.needed(), error.limit()), (Some(3), Some(2)));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct Error {
    // Boxed, so that results stay small.
    inner: Box<Inner>,
}

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    kernel: Option<String>,
    /// What was run, if it is more than the kernel: an array program, or an algorithm, by its name.
    program: Option<(&'static str, String)>,
    /// Where it happened in the source, if that is known.
    place: String,
    /// The chunk of a sequence in which it happened.
    chunk: Option<u64>,
    needed: Option<u64>,
    limit: Option<u64>,
    line: Option<usize>,
    build: Option<Diagnostics>,
    driver: Option<(&'static str, i32)>,
    #[cfg(all(feature = "compile", unix))]
    compiler: Option<obsidian_toolchain::Error>,
}

impl Error {
    /// An error with a message.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            inner: Box::new(Inner {
                kind,
                message: message.into(),
                kernel: None,
                program: None,
                place: String::new(),
                chunk: None,
                needed: None,
                limit: None,
                line: None,
                build: None,
                driver: None,
                #[cfg(all(feature = "compile", unix))]
                compiler: None,
            }),
        }
    }

    /// A build that failed.
    #[cfg(feature = "run-time")]
    pub(crate) fn build(diagnostics: Diagnostics) -> Self {
        let mut error = Error::new(ErrorKind::Build, "it could not be built");
        error.inner.build = Some(diagnostics);
        error
    }

    /// A compiler that failed.
    #[cfg(all(feature = "compile", unix))]
    pub(crate) fn compiler_failed(compiler: obsidian_toolchain::Error) -> Self {
        let mut error = Error::new(ErrorKind::Compile, compiler.to_string());
        error.inner.compiler = Some(compiler);
        error
    }

    /// A build that failed for one reason.
    #[cfg(feature = "run-time")]
    pub(crate) fn diagnostic(diagnostic: Diagnostic) -> Self {
        Error::build(Diagnostics::new(vec![diagnostic], Default::default()))
    }

    /// The same, of a chunk of a sequence.
    #[cfg(feature = "sequence")]
    pub(crate) fn of_chunk(mut self, number: u64) -> Self {
        self.inner.chunk.get_or_insert(number);
        self
    }

    /// The same, of a kernel.
    pub(crate) fn of(mut self, kernel: &str) -> Self {
        self.inner.kernel.get_or_insert_with(|| kernel.to_owned());
        self
    }

    /// The same, with the number that was exceeded.
    /// Says which array program it is about.
    pub(crate) fn of_program(mut self, name: &str) -> Self {
        let inner = &mut self.inner;
        inner
            .program
            .get_or_insert_with(|| ("array program", name.to_owned()));
        // An index of several coordinates that is outside has no number.
        if inner.kind == ErrorKind::Fault && inner.needed == Some(u32::MAX.into()) {
            let (number, rest) = (format!("index {} is ", u32::MAX), "an index is ");
            inner.message = inner.message.replacen(&number, rest, 1);
        }
        self
    }

    /// Says where in the source it happened; nothing if that is not known.
    pub(crate) fn placed(mut self, place: String) -> Self {
        self.inner.place = place;
        self
    }

    /// An error of an algorithm: it happened in it if it happened in the files of `library`, which is nothing to its caller, who is at `caller`.
    #[cfg(all(feature = "algorithms", not(test)))]
    pub(crate) fn of_algorithm(
        mut self,
        name: &str,
        library: &str,
        caller: &std::panic::Location<'_>,
    ) -> Self {
        let inner = &mut self.inner;
        inner.program = Some(("algorithm", name.to_owned()));
        if inner.place.starts_with(library) {
            inner.place = caller.to_string();
        }
        self
    }

    pub(crate) fn exceeded(mut self, needed: u64, limit: u64) -> Self {
        (self.inner.needed, self.inner.limit) = (Some(needed), Some(limit));
        self
    }

    /// The same, of a call of the driver that gave this code.
    #[cfg(feature = "cuda")]
    pub(crate) fn call(mut self, call: &'static str, code: i32) -> Self {
        self.inner.driver = Some((call, code));
        self
    }

    /// The same, with what somebody else said of it, if anything.
    #[cfg(feature = "cuda")]
    pub(crate) fn with_words(mut self, words: &str) -> Self {
        if !words.is_empty() {
            self.inner.message += ":\n";
            self.inner.message += words;
        }
        self
    }

    /// The same, with a line of a file.
    #[cfg(feature = "explore")]
    pub(crate) fn at_line(mut self, line: usize) -> Self {
        self.inner.line = Some(line);
        self
    }

    /// The message alone, without the kernel.
    #[cfg(feature = "cuda")]
    pub(crate) fn message(&self) -> &str {
        &self.inner.message
    }

    /// The kind of an error.
    ///
    /// ```
    /// use obsidian_rt::{Device, ErrorKind};
    ///
    /// let error = Device::cpu().zeros::<u32>(2)?.copy_from(&[1]).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::UnequalLengths);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// The kernel that was built or launched, or the array program.
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
    /// let odd = device.upload(&[1, 2, 3])?;
    /// let error = example::doubled::launch(&device, &odd).unwrap_err();
    /// assert_eq!(error.kernel(), Some("doubled"));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn kernel(&self) -> Option<&str> {
        let program = self.inner.program.as_ref().map(|(_, name)| name.as_str());
        self.inner.kernel.as_deref().or(program)
    }

    /// The number that was too large or did not fit: elements, blocks or arguments. For a kernel that
    /// needs more elements than a buffer has, those that it needs; for a step `x - y` below 0, `y`.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let error = Device::cpu().zeros::<u32>(2)?.copy_from(&[1, 2, 3]).unwrap_err();
    /// assert_eq!(error.needed(), Some(3));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn needed(&self) -> Option<u64> {
        self.inner.needed
    }

    /// The limit: the largest number allowed, the number that has to divide it, the
    /// number expected, the elements that the buffer has; for a step `x - y` below 0, `x`.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let error = Device::cpu().zeros::<u32>(2)?.copy_from(&[1, 2, 3]).unwrap_err();
    /// assert_eq!(error.limit(), Some(2));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn limit(&self) -> Option<u64> {
        self.inner.limit
    }

    /// The function of the CUDA driver that failed, such as `cuMemAlloc_v2`; for a lost context,
    /// the one that showed it first.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let error = Device::cpu().zeros::<u32>(2)?.copy_from(&[1]).unwrap_err();
    /// assert_eq!(error.driver_call(), None); // it does not come from a driver
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn driver_call(&self) -> Option<&str> {
        self.inner.driver.map(|(call, _)| call)
    }

    /// The code that it gave, a `CUresult`.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let error = Device::cpu().zeros::<u32>(2)?.copy_from(&[1]).unwrap_err();
    /// assert_eq!(error.driver_code(), None); // it does not come from a driver
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn driver_code(&self) -> Option<i32> {
        self.inner.driver.map(|(_, code)| code)
    }

    /// The line of a file that is damaged, from 1 on.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let error = Device::cpu().zeros::<u32>(2)?.copy_from(&[1]).unwrap_err();
    /// assert_eq!(error.line(), None); // it does not come from a file
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn line(&self) -> Option<usize> {
        self.inner.line
    }

    /// The number of the chunk of a sequence in which it happened, from 0 on.
    ///
    /// ```
    /// use obsidian_rt::Device;
    ///
    /// let error = Device::cpu().zeros::<u32>(2)?.copy_from(&[1]).unwrap_err();
    /// assert_eq!(error.chunk(), None); // it is not of a sequence
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn chunk(&self) -> Option<u64> {
        self.inner.chunk
    }

    /// The failure of a compiler, with its own message.
    ///
    /// ```
    /// use obsidian_rt::compile::{Compiler, Nvcc, Target};
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// let doubled = TypedKernel::build("doubled", 64, |x: DPull<EU32>| x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push()))?;
    /// let compiler = Compiler::nvcc(Nvcc::at("no such compiler")).keeping_nothing();
    /// let error = compiler.compile_one(doubled.kernel(), &Target::ptx(9, 0)).unwrap_err();
    /// println!("{:?}", error.compiler().unwrap().kind());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[cfg(all(feature = "compile", unix))]
    pub fn compiler(&self) -> Option<&obsidian_toolchain::Error> {
        self.inner.compiler.as_ref()
    }

    /// The diagnostics of the kernel's build.
    ///
    /// ```
    /// use obsidian_rt::{TypedKernel, language::*};
    ///
    /// // A block of 1 to 1,024 threads: not of 2,000.
    /// let built = TypedKernel::build("doubled", 2000, |x: DPull<EU32>| x.split_up(2).as_grid_map(|x| x.push()));
    /// let error = built.unwrap_err();
    /// println!("{}", error.diagnostics().unwrap());
    /// ```
    pub fn diagnostics(&self) -> Option<&Diagnostics> {
        self.inner.build.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(chunk) = self.inner.chunk {
            write!(f, "chunk {chunk}: ")?;
        }
        match (&self.inner.program, &self.inner.kernel) {
            (Some((what, name)), _) => write!(f, "{what} `{name}`: ")?,
            (None, Some(kernel)) => write!(f, "kernel `{kernel}`: ")?,
            (None, None) => {}
        }
        if self.inner.kind == ErrorKind::Internal {
            f.write_str("a bug in Obsidian, please report it: ")?;
        }
        f.write_str(&self.inner.message)?;
        if !self.inner.place.is_empty() {
            write!(f, " (at {})", self.inner.place)?;
        }
        self.inner
            .build
            .as_ref()
            .map_or(Ok(()), |diagnostics| write!(f, ": {diagnostics}"))
    }
}

// A program that returns the error from `main` shows this one.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.inner.kind)
    }
}

// The diagnostics are part of the message, so they are not the source as well: reports would show
// them twice.
impl std::error::Error for Error {}
