//! Do the arguments fit the kernel, the device and each other? All of it without wrapping: a length
//! or a number of blocks any step of which leaves 32 bits is an error, and nothing runs.

use obsidian_base::launch::{
    Interface, Numbers, ParameterInfo, ParameterRole, RequirementInfo, Unmet, UnmetKind,
};
use obsidian_language::scalar::Constraint;

use super::argument::{Argument, Content};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::recording::mixed;

/// The largest length and number of blocks.
const LIMIT: u64 = u32::MAX as u64;

/// The numbers of a launch that may be run.
pub(super) struct Checked {
    /// Elements of each parameter; 0 for numbers.
    pub(super) lengths: Vec<u32>,
    /// The largest number of blocks of all loops over blocks.
    pub(super) blocks: u32,
    /// Which argument each parameter is; none for outputs.
    pub(super) arguments: Vec<Option<usize>>,
}

/// Lengths and numbers by parameter, as formulas want them.
#[derive(Clone)]
struct Known {
    lengths: Vec<Option<u64>>,
    values: Vec<Option<u64>>,
}

impl Known {
    fn numbers(&self) -> Numbers<'_> {
        Numbers {
            lengths: &self.lengths,
            arguments: &self.values,
        }
    }
}

impl Checked {
    pub(super) fn new(
        interface: &Interface,
        device: &Device,
        arguments: &[Argument<'_>],
    ) -> Result<Self> {
        let positions = positions(interface, arguments.len())?;
        for (parameter, position) in interface.parameters.iter().zip(&positions) {
            if let Some(argument) = position.and_then(|n| arguments.get(n)) {
                check_type(parameter, argument)?;
                check_device(parameter, argument, device)?;
            }
        }
        let argument = |position: &Option<usize>| position.and_then(|n| arguments.get(n));
        let value = |argument: &Argument<'_>| match argument.content {
            Content::Scalar(value) => value.as_integer().and_then(|n| u64::try_from(n).ok()),
            _ => None,
        };
        let mut known = Known {
            lengths: positions
                .iter()
                .map(|p| argument(p).and_then(Argument::length))
                .collect(),
            values: positions
                .iter()
                .map(|p| argument(p).and_then(value))
                .collect(),
        };
        check_given(interface, &known.lengths)?;
        check_groups(interface, &known.lengths)?;
        let (elements, others): (Vec<_>, Vec<_>) = interface
            .requirements
            .iter()
            .partition(|required| matches!(required.constraint, Constraint::Reaches(_)));
        let given = known.clone();
        let require = |required: &RequirementInfo| {
            let found = interface.require(required, given.numbers());
            found.map_err(unmet)
        };
        others.into_iter().try_for_each(require)?;
        let lengths = interface
            .parameters
            .iter()
            .enumerate()
            .map(|(n, p)| length(interface, p, n, &known))
            .collect::<Result<Vec<_>>>()?;
        known.lengths = lengths.iter().map(|&n| Some(n.into())).collect();
        let blocks = blocks(interface, &known)?;
        // Without a block no element is accessed.
        if blocks > 0 {
            elements.into_iter().try_for_each(require)?;
        }
        check_written(interface, &lengths, blocks)?;
        Ok(Checked {
            lengths,
            blocks,
            arguments: positions,
        })
    }
}

impl Checked {
    /// Do buffers that are given for the outputs fit them?
    pub(super) fn outputs(
        &self,
        interface: &Interface,
        device: &Device,
        given: &[Argument<'_>],
    ) -> Result<()> {
        let parameters = interface.parameters.iter().zip(&self.lengths);
        let outputs: Vec<(&ParameterInfo, &u32)> = parameters
            .filter(|(parameter, _)| parameter.role == ParameterRole::Output)
            .collect();
        if outputs.len() != given.len() {
            let message = format!(
                "it has {} outputs, and {} buffers are given",
                outputs.len(),
                given.len()
            );
            return Err(Error::new(ErrorKind::ArgumentCount, message)
                .exceeded(given.len() as u64, outputs.len() as u64));
        }
        for ((parameter, length), argument) in outputs.into_iter().zip(given) {
            let own = u64::from(*length);
            let changed = matches!(argument.content, Content::InOut { .. });
            if !changed || argument.ty != parameter.ty {
                let (name, ty) = (&parameter.name, parameter.ty.name());
                let message =
                    format!("`{name}` is a buffer of {ty} to change, and something else is given");
                return Err(Error::new(ErrorKind::ArgumentType, message));
            }
            check_device(parameter, argument, device)?;
            match argument.length() {
                Some(length) if length != own => {
                    let message = format!(
                        "the output `{}` has {own} elements, and the buffer that is given for it has {length}",
                        parameter.name
                    );
                    return Err(
                        Error::new(ErrorKind::UnequalLengths, message).exceeded(length, own)
                    );
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Which argument each parameter is.
fn positions(interface: &Interface, given: usize) -> Result<Vec<Option<usize>>> {
    let mut count = 0..;
    let position = |parameter: &ParameterInfo| {
        if parameter.role == ParameterRole::Output {
            None
        } else {
            count.next()
        }
    };
    let positions: Vec<Option<usize>> = interface.parameters.iter().map(position).collect();
    let expected = positions.iter().flatten().count();
    if expected == given {
        return Ok(positions);
    }
    let message = format!("it takes {expected} arguments, not {given}");
    Err(Error::new(ErrorKind::ArgumentCount, message).exceeded(given as u64, expected as u64))
}

fn check_type(parameter: &ParameterInfo, argument: &Argument<'_>) -> Result<()> {
    let fits = match (&argument.content, parameter.role) {
        (Content::Scalar(_), role) => role == ParameterRole::Scalar,
        (Content::Input { .. }, role) => role == ParameterRole::Input,
        (Content::InOut { .. }, role) => role == ParameterRole::InOut,
    };
    if fits && argument.ty == parameter.ty {
        return Ok(());
    }
    let wanted = match parameter.role {
        ParameterRole::Scalar => format!("a number of type {}", parameter.ty.name()),
        ParameterRole::InOut => format!("a buffer of {} to change", parameter.ty.name()),
        _ => format!("a buffer of {}", parameter.ty.name()),
    };
    let given = match argument.content {
        Content::Scalar(_) => format!("a number of type {}", argument.ty.name()),
        Content::Input { .. } => format!("a buffer of {}", argument.ty.name()),
        Content::InOut { .. } => format!("a buffer of {} to change", argument.ty.name()),
    };
    Err(Error::new(
        ErrorKind::ArgumentType,
        format!("`{}` is {wanted}, and {given} was given", parameter.name),
    ))
}

fn check_device(parameter: &ParameterInfo, argument: &Argument<'_>, device: &Device) -> Result<()> {
    match argument.device() {
        Some(other) if other.name() != device.name() => {
            let name = &parameter.name;
            if let Some(error) = mixed(device, other, &format!("`{name}`")) {
                return Err(error);
            }
            let message = format!(
                "`{name}` lies on the device `{}`, and the launch is on `{}`; upload it there",
                other.name(),
                device.name()
            );
            Err(Error::new(ErrorKind::WrongDevice, message))
        }
        _ => Ok(()),
    }
}

/// The buffers of a tuple have one length.
fn check_groups(interface: &Interface, lengths: &[Option<u64>]) -> Result<()> {
    let known = || {
        interface
            .parameters
            .iter()
            .zip(lengths)
            .filter_map(|(p, length)| length.map(|n| (p, n)))
    };
    for (parameter, length) in known() {
        let Some((first, expected)) = known().find(|(other, _)| other.group == parameter.group)
        else {
            continue;
        };
        if length != expected {
            let message = format!(
                "`{}` and `{}` belong together, but one has {expected} elements and the other {length}",
                first.name, parameter.name
            );
            return Err(Error::new(ErrorKind::UnequalLengths, message).exceeded(length, expected));
        }
    }
    Ok(())
}

/// The error of a launch that a formula or a requirement refuses.
fn unmet(unmet: Unmet) -> Error {
    let kind = match unmet.kind {
        UnmetKind::NoValue => ErrorKind::NoLength,
        UnmetKind::TooLong => ErrorKind::TooLong,
        UnmetKind::Constraint => ErrorKind::Requirement,
    };
    let error = Error::new(kind, unmet.message);
    match unmet.numbers {
        Some((needed, limit)) => error.exceeded(needed, limit),
        None => error,
    }
}

/// Every buffer that is given can be indexed.
fn check_given(interface: &Interface, lengths: &[Option<u64>]) -> Result<()> {
    for (parameter, length) in interface.parameters.iter().zip(lengths) {
        if let Some(length) = length.filter(|length| *length > LIMIT) {
            let message = format!(
                "`{}` has {length} elements: at most {LIMIT} can be indexed",
                parameter.name
            );
            return Err(Error::new(ErrorKind::TooLong, message).exceeded(length, LIMIT));
        }
    }
    Ok(())
}

/// The number of elements of a parameter.
fn length(
    interface: &Interface,
    parameter: &ParameterInfo,
    position: usize,
    known: &Known,
) -> Result<u32> {
    let missing = || {
        let message = format!("the length of `{}` is not known", parameter.name);
        Error::new(ErrorKind::NoLength, message)
    };
    match parameter.role {
        ParameterRole::Scalar => Ok(0),
        ParameterRole::Output => {
            let formula = parameter.length.as_ref().ok_or_else(missing)?;
            let what = format!("the length of `{}` =", parameter.name);
            interface
                .compute(formula, &what, known.numbers())
                .map_err(unmet)
        }
        _ => {
            let length = known.lengths.get(position).copied().flatten();
            length
                .and_then(|length| u32::try_from(length).ok())
                .ok_or_else(missing)
        }
    }
}

/// The largest number of blocks of all loops over blocks.
fn blocks(interface: &Interface, known: &Known) -> Result<u32> {
    let count = |formula| interface.compute(formula, "the number of blocks", known.numbers());
    let counts = interface.blocks.iter().map(count);
    let counts = counts.collect::<std::result::Result<Vec<_>, _>>();
    Ok(counts.map_err(unmet)?.into_iter().max().unwrap_or(0))
}

/// Does a block run if there are elements to write? Without one, the caller would be given memory
/// that nothing has written.
///
/// That each element of an output is written is proved for all lengths, so this finds a wrong count
/// of blocks.
fn check_written(interface: &Interface, lengths: &[u32], blocks: u32) -> Result<()> {
    let mut outputs = interface.parameters.iter().zip(lengths);
    let unwritten = outputs.find(|(parameter, length)| {
        parameter.role == ParameterRole::Output && blocks == 0 && **length > 0
    });
    let Some((parameter, length)) = unwritten else {
        return Ok(());
    };
    let message = format!(
        "the launch has no blocks, so nothing would write the output `{}`, which has {length} elements; is the number of blocks computed from another length?",
        parameter.name
    );
    Err(Error::new(ErrorKind::Fault, message).exceeded((*length).into(), 0))
}
