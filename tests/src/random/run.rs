//! Runs cases: through the engine in this process, on the simulator, and by their CUDA text.

use obsidian_core::plan::Limits;
use obsidian_core::scalar::{Literal, Scalar, ScalarType};
use obsidian_expand::compile_items_with;
use obsidian_rt::generated::{Argument, Outputs, launch, scalar};
use obsidian_rt::{Buffer, Device, Element, ErrorKind, Kernel, Result};

use super::case::{Case, List, Role};
use super::scalars::same;

/// A buffer of any element type.
trait AnyBuffer {
    fn argument(&mut self, global: bool) -> Argument<'_>;
    fn elements(&self) -> Result<Vec<Literal>>;
}

impl<T: Element> AnyBuffer for Buffer<T> {
    fn argument(&mut self, global: bool) -> Argument<'_> {
        if global {
            self.argument_mut()
        } else {
            Buffer::argument(self)
        }
    }
    fn elements(&self) -> Result<Vec<Literal>> {
        Ok(self.to_vec()?.into_iter().map(Scalar::literal).collect())
    }
}

macro_rules! by_type {
    ($ty:expr, $name:ident => $body:expr) => {
        by_type!(@ $ty, $name => $body; Bool bool, U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64)
    };
    (@ $ty:expr, $name:ident => $body:expr; $($variant:ident $rust:ident),*) => {
        match $ty {
            $(ScalarType::$variant => {
                type $name = $rust;
                $body
            })*
        }
    };
}

fn upload(device: &Device, list: &List) -> Result<Box<dyn AnyBuffer>> {
    by_type!(list.ty, T => {
        let elements: Vec<T> = list.elements.iter().map(|x| T::from_literal(*x)).collect();
        Ok(Box::new(device.upload(&elements)?))
    })
}

fn number(value: Literal) -> Argument<'static> {
    by_type!(value.ty(), T => scalar(T::from_literal(value)))
}

fn taken(outputs: &mut Outputs, position: usize, ty: ScalarType) -> Result<Vec<Literal>> {
    by_type!(ty, T => outputs.take::<T>(position)?.elements())
}

/// What is wrong with a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The engine does not take it: a proof that it does not find, or a limit.
    Refused(String),
    /// A difference, or a fault.
    Wrong(String),
}

/// Builds a kernel from its text, as the macro does.
///
/// # Errors
/// What the engine says.
pub fn expand(text: &str) -> std::result::Result<Kernel, Failure> {
    let refused = |message: String| Failure::Refused(message);
    let file: syn::File = syn::parse_str(text)
        .map_err(|error| Failure::Wrong(format!("the text does not parse: {error}")))?;
    let choose = |_: &str, limits: Limits| limits.into();
    let compiled = compile_items_with(&file.items, &choose).map_err(|mistakes| {
        refused(
            mistakes
                .iter()
                .map(|m| m.message.clone())
                .collect::<Vec<_>>()
                .join("; "),
        )
    })?;
    if let Some(mistake) = compiled.located_mistakes().first() {
        return Err(refused(format!(
            "{}:{}: {}",
            mistake.line, mistake.column, mistake.message
        )));
    }
    let (_, plan, _) = compiled
        .plans()
        .next()
        .ok_or_else(|| refused("there is no kernel".to_owned()))?;
    Kernel::from_plan(plan.clone()).map_err(|error| refused(error.to_string()))
}

/// What a launch leaves: the outputs, and the global arrays afterwards.
type Left = (Vec<Vec<Literal>>, Vec<Vec<Literal>>);

fn launched(case: &Case, kernel: &Kernel, device: &Device) -> Result<Left> {
    let arrays = case
        .lists
        .iter()
        .filter(|list| matches!(list.role, Role::Input | Role::Global));
    let mut buffers = arrays
        .map(|list| Ok((upload(device, list)?, list.role == Role::Global)))
        .collect::<Result<Vec<_>>>()?;
    let mut outputs = {
        let mut rest = buffers.iter_mut();
        let mut arguments: Vec<Argument<'_>> = Vec::new();
        for list in &case.lists {
            match list.role {
                Role::Number => arguments.extend(list.elements.first().map(|x| number(*x))),
                Role::Input | Role::Global => {
                    arguments.extend(rest.next().map(|(buffer, global)| buffer.argument(*global)))
                }
                Role::Output => {}
            }
        }
        launch(kernel, device, &mut arguments)?
    };
    let wanted = case.lists.iter().filter(|list| list.role == Role::Output);
    let given = wanted
        .enumerate()
        .map(|(n, list)| taken(&mut outputs, n, list.ty))
        .collect::<Result<_>>()?;
    let globals = buffers
        .iter()
        .filter(|(_, global)| *global)
        .map(|(buffer, _)| buffer.elements())
        .collect::<Result<_>>()?;
    Ok((given, globals))
}

/// Launches a kernel with what a case gives it, on a device whose results say nothing.
///
/// # Errors
/// What the device reports.
pub fn launches(case: &Case, kernel: &Kernel, device: &Device) -> std::result::Result<(), Failure> {
    launched(case, kernel, device)
        .map(drop)
        .map_err(|error| Failure::Wrong(format!("{}: {error}", case.title)))
}

/// What came of a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// What the case says.
    Agrees,
    /// Something else.
    Differs(String),
    /// The launch refuses its arguments.
    Refused(ErrorKind),
    /// A race, an element that was never written, an index outside, and the like.
    Fault(String),
}

/// Launches a kernel with a case's arguments.
pub fn outcome(case: &Case, kernel: &Kernel, device: &Device) -> Outcome {
    let (outputs, globals) = match launched(case, kernel, device) {
        Ok(left) => left,
        Err(error) if matches!(error.kind(), ErrorKind::Fault | ErrorKind::Internal) => {
            return Outcome::Fault(error.to_string());
        }
        Err(error) => return Outcome::Refused(error.kind()),
    };
    let expected = case
        .lists
        .iter()
        .filter(|list| list.role == Role::Output)
        .map(|list| &list.elements)
        .chain(&case.globals);
    for (n, (expected, found)) in expected.zip(outputs.iter().chain(&globals)).enumerate() {
        if expected.len() != found.len() {
            return Outcome::Differs(format!(
                "array {n} has {} elements, not {}",
                found.len(),
                expected.len()
            ));
        }
        if let Some(i) =
            (0..expected.len()).find(|i| !same(expected[*i], found[*i], case.approximate))
        {
            return Outcome::Differs(format!(
                "element {i} of array {n} is {:?}, not {:?}",
                found[i], expected[i]
            ));
        }
    }
    Outcome::Agrees
}

/// The case with what a device gives, in place of what it says.
///
/// # Errors
/// What is wrong with the launch.
pub fn answered(case: &Case, kernel: &Kernel, device: &Device) -> Result<Case> {
    let (outputs, globals) = launched(case, kernel, device)?;
    let mut case = case.clone();
    let lists = case.lists.iter_mut().filter(|l| l.role == Role::Output);
    for (list, elements) in lists.zip(outputs) {
        list.elements = elements;
    }
    case.globals = globals;
    Ok(case)
}

/// Holds a kernel to what a case says, on a device.
///
/// # Errors
/// The first difference, or a fault.
pub fn agrees(case: &Case, kernel: &Kernel, device: &Device) -> std::result::Result<(), Failure> {
    let words = match outcome(case, kernel, device) {
        Outcome::Agrees => return Ok(()),
        Outcome::Differs(words) | Outcome::Fault(words) => words,
        Outcome::Refused(kind) => format!("the launch is refused: {kind:?}"),
    };
    Err(Failure::Wrong(format!(
        "{}, {} threads, {}: {words}",
        case.title,
        kernel.threads(),
        device.name()
    )))
}
