//! One run of a schedule.

use obsidian_core::arrays::{Argument, Claimed, Schedule, Step};
use obsidian_core::plan::{Formula, NoValue};
use obsidian_core::scalar::{Literal, ScalarType};

use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::untyped::{AnyArgument, AnyBuffer};

/// A run that is being given its parameters.
pub struct Run<'a> {
    device: Device,
    schedule: &'a Schedule,
    kernels: &'a [Kernel],
    /// The numbers, as far as they are known.
    numbers: Vec<Option<Literal>>,
    inputs: Vec<&'a AnyBuffer>,
    outputs: Vec<(Vec<usize>, Vec<&'a mut AnyBuffer>)>,
}

/// What a run gives.
#[derive(Debug)]
pub struct Produced {
    device: Device,
    results: std::vec::IntoIter<(Vec<u32>, Vec<AnyBuffer>)>,
}

impl Produced {
    /// The next result: its extents and its buffers.
    pub(super) fn next(&mut self) -> Result<(Vec<u32>, Vec<AnyBuffer>, Device)> {
        match self.results.next() {
            Some((extents, buffers)) => Ok((extents, buffers, self.device.clone())),
            None => Err(Error::new(ErrorKind::Internal, "a run has too few results")),
        }
    }
}

/// An array while a run goes on.
enum Slot<'a> {
    Empty,
    Given(&'a AnyBuffer),
    Filled(AnyBuffer),
    /// One that the caller gave for a result.
    Result(&'a mut AnyBuffer),
}

impl Slot<'_> {
    fn buffer(&self) -> Option<&AnyBuffer> {
        match self {
            Slot::Empty => None,
            Slot::Given(buffer) => Some(buffer),
            Slot::Filled(buffer) => Some(buffer),
            Slot::Result(buffer) => Some(buffer),
        }
    }
}

impl<'a> Run<'a> {
    pub(crate) fn new(device: &Device, schedule: &'a Schedule, kernels: &'a [Kernel]) -> Self {
        Run {
            device: device.clone(),
            schedule,
            kernels,
            numbers: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
        }
    }

    pub(super) fn scalar(&mut self, literal: Literal) {
        self.numbers.push(Some(literal));
    }

    pub(super) fn array(&mut self, extents: &[usize], buffers: Vec<&'a AnyBuffer>) {
        // Longer arrays are refused by the launch.
        let extent = |extent: &usize| Literal::from(u32::try_from(*extent).unwrap_or(u32::MAX));
        self.numbers.extend(extents.iter().map(extent).map(Some));
        self.inputs.extend(buffers);
    }

    pub(crate) fn output(
        &mut self,
        extents: &[usize],
        buffers: impl IntoIterator<Item = &'a mut AnyBuffer>,
    ) {
        let buffers = buffers.into_iter().collect();
        self.outputs.push((extents.to_vec(), buffers));
    }

    /// Launches what the schedule says.
    pub(crate) fn finish(mut self) -> Result<Produced> {
        let schedule = self.schedule;
        let mut claims: Vec<&Claimed> = schedule.claims.iter().collect();
        self.hold(&mut claims)?;
        let into = !self.outputs.is_empty();
        let mut slots = self.slots()?;
        for step in &schedule.steps {
            match step {
                Step::Free(slot) => {
                    if let Some(slot) = slots.get_mut(*slot) {
                        *slot = Slot::Empty;
                    }
                }
                Step::Launch {
                    kernel,
                    arguments,
                    outputs,
                    only,
                    ..
                } => {
                    if only.as_ref().is_some_and(|only| !only.holds(&self.known())) {
                        continue;
                    }
                    let Some(kernel) = self.kernels.get(*kernel) else {
                        return Err(damaged("names no kernel"));
                    };
                    self.launch(kernel, arguments, outputs, &mut slots)?;
                }
                Step::Read { slot, number } => {
                    self.read(slots.get(*slot), *number)?;
                    self.hold(&mut claims)?;
                }
                Step::Cut { slot, length } => {
                    let length = length.evaluate(&[], &self.known());
                    match (slots.get_mut(*slot), length) {
                        (Some(Slot::Filled(buffer)), Ok(length)) => {
                            buffer.truncate(length as usize)?;
                        }
                        _ => return Err(damaged("cuts what nothing has written")),
                    }
                }
            }
        }
        let results = match into {
            true => Vec::new(),
            false => self.collected(&mut slots)?,
        };
        Ok(Produced {
            device: self.device,
            results: results.into_iter(),
        })
    }

    /// The numbers, as far as they are known.
    fn known(&self) -> Vec<Option<u64>> {
        let numbers = self.numbers.iter();
        numbers.map(|number| number.and_then(as_extent)).collect()
    }

    /// Holds the run to the claims whose numbers are known, and leaves the others.
    fn hold(&self, claims: &mut Vec<&Claimed>) -> Result<()> {
        let known = self.known();
        let evaluate = |formula: &Formula| formula.evaluate(&[], &known);
        let is_open = |claim: &&Claimed| {
            let sides = [&claim.left, &claim.right];
            let mut sides = sides.into_iter().map(evaluate);
            sides.any(|side| side == Err(NoValue::Unknown))
        };
        let (open, ready): (Vec<&Claimed>, Vec<&Claimed>) = claims.drain(..).partition(is_open);
        *claims = open;
        for claim in ready {
            hold(claim, &evaluate).map_err(|error| error.of(&self.schedule.name))?;
        }
        Ok(())
    }

    /// The extents of a result.
    fn extents(&self, result: &obsidian_core::arrays::Produced) -> Result<Vec<u32>> {
        let known = self.known();
        let extent = |formula: &Formula| {
            formula.evaluate(&[], &known).map_err(|wrong| {
                let message = match wrong {
                    NoValue::Unknown => "how long a result is, is known only when the program has run: `run` makes the memory for it".to_owned(),
                    wrong => format!("an extent of a result {wrong}"),
                };
                Error::new(ErrorKind::NoLength, message).of(&self.schedule.name)
            })
        };
        result.extents.iter().map(extent).collect()
    }

    /// The arrays before the first step: what is given, and where results are wanted.
    fn slots(&mut self) -> Result<Vec<Slot<'a>>> {
        let schedule = self.schedule;
        let mut slots: Vec<Slot<'a>> = Vec::new();
        slots.extend(self.inputs.iter().map(|buffer| Slot::Given(buffer)));
        slots.resize_with(schedule.slots.len().max(slots.len()), || Slot::Empty);
        let outputs: Vec<_> = self.outputs.drain(..).collect();
        for ((given, buffers), result) in outputs.into_iter().zip(&schedule.results) {
            let own = self.extents(result)?;
            let wanted = given.iter().map(|extent| *extent as u64);
            if wanted.ne(own.iter().map(|extent| u64::from(*extent))) {
                let message = format!(
                    "a result has the extents {own:?}, and the array that is given for it has {given:?}"
                );
                return Err(Error::new(ErrorKind::UnequalLengths, message).of(&schedule.name));
            }
            for (buffer, slot) in buffers.into_iter().zip(&result.slots) {
                if let Some(slot) = slots.get_mut(*slot) {
                    *slot = Slot::Result(buffer);
                }
            }
        }
        Ok(slots)
    }

    /// Reads the one element of an array as a number.
    fn read(&mut self, slot: Option<&Slot<'a>>, number: usize) -> Result<()> {
        let Some(buffer) = slot.and_then(Slot::buffer) else {
            return Err(damaged("reads what nothing has written"));
        };
        match buffer.to_vec::<u32>()?.as_slice() {
            [value] => {
                let next = self.numbers.len().max(number + 1);
                self.numbers.resize(next, None);
                if let Some(own) = self.numbers.get_mut(number) {
                    *own = Some(Literal::from(*value));
                }
                Ok(())
            }
            _ => Err(damaged("reads an array of several elements")),
        }
    }

    /// The results.
    fn collected(&self, slots: &mut [Slot<'a>]) -> Result<Vec<(Vec<u32>, Vec<AnyBuffer>)>> {
        let mut results = Vec::new();
        for result in &self.schedule.results {
            let mut buffers = Vec::new();
            for slot in &result.slots {
                let slot = slots.get_mut(*slot);
                match slot.map(|slot| std::mem::replace(slot, Slot::Empty)) {
                    Some(Slot::Filled(buffer)) => buffers.push(buffer),
                    _ => return Err(damaged("gives a result that nothing has written")),
                }
            }
            results.push((self.extents(result)?, buffers));
        }
        Ok(results)
    }

    fn launch(
        &self,
        kernel: &Kernel,
        arguments: &[Argument],
        outputs: &[usize],
        slots: &mut [Slot<'a>],
    ) -> Result<()> {
        // Results that are given are lent for the launch, and put back.
        let mut lent: Vec<(usize, &'a mut AnyBuffer)> = Vec::new();
        for output in outputs {
            if let Some(slot) = slots.get_mut(*output) {
                match std::mem::replace(slot, Slot::Empty) {
                    Slot::Result(buffer) => lent.push((*output, buffer)),
                    other => *slot = other,
                }
            }
        }
        let mut given = Vec::new();
        for argument in arguments {
            given.push(match argument {
                Argument::Number(number) => match self.numbers.get(*number) {
                    Some(Some(number)) => AnyArgument::Number(*number),
                    _ => return Err(damaged("names no number")),
                },
                Argument::Slot(slot) => match slots.get(*slot).and_then(Slot::buffer) {
                    Some(buffer) => AnyArgument::Read(buffer),
                    None => return Err(damaged("reads what nothing has written")),
                },
            });
        }
        if lent.is_empty() {
            let made = kernel.launch(&self.device, given)?;
            for (buffer, output) in made.into_iter().zip(outputs) {
                if let Some(slot) = slots.get_mut(*output) {
                    *slot = Slot::Filled(buffer);
                }
            }
            return Ok(());
        }
        // The others are arrays of the run itself.
        let mut own = Vec::new();
        for output in outputs {
            if !lent.iter().any(|(given, _)| given == output) {
                own.push((*output, self.fresh(*output)?));
            }
        }
        let results = outputs.iter().filter_map(|output| {
            let given = lent.iter().position(|(given, _)| given == output);
            Some(match given {
                Some(at) => (true, at),
                None => (false, own.iter().position(|(own, _)| own == output)?),
            })
        });
        let order: Vec<(bool, usize)> = results.collect();
        let mut given_buffers: Vec<Option<&mut AnyBuffer>> = lent
            .iter_mut()
            .map(|(_, buffer)| Some(&mut **buffer))
            .collect();
        let mut own_buffers: Vec<Option<&mut AnyBuffer>> =
            own.iter_mut().map(|(_, buffer)| Some(buffer)).collect();
        let buffers = order.into_iter().filter_map(|(is_given, at)| {
            let list = match is_given {
                true => &mut given_buffers,
                false => &mut own_buffers,
            };
            list.get_mut(at).and_then(Option::take)
        });
        let buffers: Vec<&mut AnyBuffer> = buffers.collect();
        kernel.launch_into(&self.device, given, buffers)?;
        let lent = lent
            .into_iter()
            .map(|(slot, buffer)| (slot, Slot::Result(buffer)));
        let own = own
            .into_iter()
            .map(|(slot, buffer)| (slot, Slot::Filled(buffer)));
        for (number, filled) in lent.chain(own) {
            if let Some(slot) = slots.get_mut(number) {
                *slot = filled;
            }
        }
        Ok(())
    }

    /// Memory for an array of the run itself.
    fn fresh(&self, slot: usize) -> Result<AnyBuffer> {
        let known = self.known();
        let found = self.schedule.slots.get(slot);
        let length = found.and_then(|slot| slot.length.evaluate(&[], &known).ok());
        let (Some(slot), Some(length)) = (found, length) else {
            return Err(damaged("has an array of no length"));
        };
        self.device.zeros_of(slot.ty, length as usize)
    }
}

/// An extent, or a scalar parameter that extents may be made of.
fn as_extent(number: Literal) -> Option<u64> {
    match number.ty() {
        ScalarType::U32 => Some(number.bits()),
        _ => None,
    }
}

fn damaged(what: &str) -> Error {
    Error::new(
        ErrorKind::Internal,
        format!("the schedule of an array program {what}"),
    )
}

/// Holds a run to what its extents have to be.
fn hold(
    claim: &Claimed,
    evaluate: &dyn Fn(&Formula) -> std::result::Result<u32, NoValue>,
) -> Result<()> {
    let places: Vec<String> = claim.places.iter().map(ToString::to_string).collect();
    let places = match places.split_first() {
        None => String::new(),
        Some((own, [])) => format!(" (at {own})"),
        Some((own, arrays)) => format!(" (at {own}; arrays of {})", arrays.join(" and ")),
    };
    let number = |formula: &Formula| {
        evaluate(formula).map_err(|wrong| {
            let message = format!("an extent of `{}` {wrong}{places}", claim.what);
            Error::new(ErrorKind::NoLength, message)
        })
    };
    let (left, right) = (number(&claim.left)?, number(&claim.right)?);
    let holds = match claim.at_least {
        true => left >= right,
        false => left == right,
    };
    if holds {
        return Ok(());
    }
    let what = &claim.what;
    let message = match claim.at_least {
        true => format!(
            "`{what}` needs an extent of at least {right}, and the array has {left}{places}"
        ),
        false => format!("`{what}` of arrays with the extents {left} and {right}{places}"),
    };
    Err(Error::new(ErrorKind::Requirement, message).exceeded(left.into(), right.into()))
}
