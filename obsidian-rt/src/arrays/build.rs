//! Array programs of closures, built while the program runs.

use obsidian_core::arrays::build;
use obsidian_language::arrays::{AnyArr, ArrayResult, Declared, Settings, Signature};

use super::any::{AnyInputs, AnyProgram};
use super::literals::Literals;
use super::program::{ArrayFn, ArrayParameters, ArrayProgram, RunResult};
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

impl<P: ArrayParameters, R: RunResult> ArrayProgram<P, R> {
    /// Builds the program.
    ///
    /// # Errors
    /// [`ErrorKind::Build`](crate::ErrorKind::Build): everything that is wrong with it.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*, language::EU32};
    ///
    /// let sums = ArrayProgram::build("sums", |x: Arr2<EU32>| x.sum())?;
    /// let device = Device::cpu();
    /// assert_eq!(sums.run(&device, &device.array([2, 2], &[1, 2, 3, 4])?)?.to_vec()?, [3, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn build<F: ArrayFn<P, R>>(name: &str, f: F) -> Result<Self> {
        Self::build_with(name, Settings::default(), f)
    }

    /// Builds the program with other [`Settings`], to see what each is worth.
    ///
    /// # Errors
    /// As [`build`](ArrayProgram::build).
    ///
    /// ```
    /// use obsidian_rt::arrays::*;
    /// use obsidian_rt::language::EU32;
    ///
    /// let build = |fuse| {
    ///     let settings = Settings { fuse, horizontal: false, ..Settings::default() };
    ///     ArrayProgram::build_with("sums", settings, |x: Arr1<EU32>| x.map(|x| x * x).sum())
    /// };
    /// assert_eq!(build(true)?.schedule().operators(), 1);
    /// assert_eq!(build(false)?.schedule().operators(), 2); // the squares are stored
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn build_with<F: ArrayFn<P, R>>(name: &str, settings: Settings, f: F) -> Result<Self> {
        Self::named(name, &[], settings, f)
    }

    /// The same; `names` are those of the parameters, as errors tell them.
    #[track_caller]
    pub(crate) fn named<F: ArrayFn<P, R>>(
        name: &str,
        names: &[&str],
        settings: Settings,
        f: F,
    ) -> Result<Self> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        // What the program is given stands where it is built.
        let place = std::panic::Location::caller();
        let function = |signature: &mut Signature| {
            let mut declared = Declared::default();
            signature.at(place);
            f.apply(signature).take(&mut declared);
            declared
        };
        let compiled = build(name, &names, settings, &function);
        let compiled =
            compiled.map_err(|diagnostics| Error::build(diagnostics).of_program(name))?;
        let kernels = compiled.plans.into_iter().map(Kernel::from_plan);
        Ok(Self::of(compiled.schedule, kernels.collect::<Result<_>>()?))
    }
}

impl AnyProgram {
    /// Builds the program.
    ///
    /// # Errors
    /// [`ErrorKind::Build`]: everything that is wrong with it, each mistake at the place that [`at_place`](super::at_place) gives, or at the
    /// call in Rust.
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*};
    ///
    /// let wrong = AnyProgram::build("f", |inputs| {
    ///     let (m, v) = (inputs.array(2, &[ScalarType::U32]), inputs.array(1, &[ScalarType::U32]));
    ///     vec![at_place("f.apl:4:9", || append(m, v))]
    /// });
    /// let message = wrong.unwrap_err().to_string();
    /// assert!(message.contains("f.apl:4:9: one of these arrays has 2 axes, and another has 1 axis"), "{message}");
    /// ```
    #[track_caller]
    pub fn build(name: &str, f: impl Fn(&mut AnyInputs<'_>) -> Vec<AnyArr>) -> Result<Self> {
        Self::build_with(name, Settings::default(), f)
    }

    /// Builds the program with other [`Settings`].
    ///
    /// # Errors
    /// As [`build`](AnyProgram::build).
    ///
    /// ```
    /// use obsidian_rt::{ScalarType, arrays::*, language::EU32};
    ///
    /// let settings = Settings { fuse: false, horizontal: false, ..Settings::default() };
    /// let squares = AnyProgram::build_with("squares", settings, |inputs| {
    ///     vec![inputs.array(1, &[ScalarType::U32]).to::<EU32>().map(|x| x * x).sum().untyped()]
    /// })?;
    /// assert_eq!(squares.schedule().operators(), 2); // the squares are stored
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn build_with(
        name: &str,
        settings: Settings,
        f: impl Fn(&mut AnyInputs<'_>) -> Vec<AnyArr>,
    ) -> Result<Self> {
        let place = std::panic::Location::caller();
        let function = |signature: &mut Signature| {
            let mut declared = Declared::default();
            signature.at(place);
            for result in f(&mut AnyInputs(signature)) {
                result.take(&mut declared);
            }
            declared
        };
        let compiled = build(name, &[], settings, &function);
        let compiled =
            compiled.map_err(|diagnostics| Error::build(diagnostics).of_program(name))?;
        let results = &compiled.schedule.results;
        if let Some(n) = results.iter().position(|result| result.types.is_empty()) {
            let message = format!(
                "result {n} has elements of nothing: give an `AnyElement` with a device value in it"
            );
            return Err(Error::new(ErrorKind::Build, message).of_program(name));
        }
        let kernels = compiled.plans.into_iter().map(Kernel::from_plan);
        Ok(AnyProgram {
            schedule: compiled.schedule,
            kernels: kernels.collect::<Result<_>>()?,
            literals: Literals::default(),
        })
    }
}
