//! One run of a schedule.

use std::rc::Rc;

use obsidian_base::launch::{Formula, NoValue, Step as FormulaStep};
use obsidian_language::arrays::{Argument, Claimed, Only, Schedule, Step};
use obsidian_language::scalar::{Literal, ScalarType};

use super::literals::{Literals, OnDevice};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;
use crate::untyped::{AnyArgument, AnyBuffer};

/// A run that is being given its parameters.
pub struct Run<'a> {
    device: Device,
    schedule: &'a Schedule,
    kernels: &'a [Kernel],
    literals: &'a Literals,
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
    /// The n-th of those that stand in the program.
    Literal(OnDevice, usize),
    /// One of the run, which may be kept under several numbers.
    Filled(Rc<AnyBuffer>),
    /// One that the caller gave for a result.
    Result(&'a mut AnyBuffer),
}

impl Slot<'_> {
    fn buffer(&self) -> Option<&AnyBuffer> {
        match self {
            Slot::Empty => None,
            Slot::Given(buffer) => Some(buffer),
            Slot::Literal(own, n) => own.get(*n),
            Slot::Filled(buffer) => Some(buffer),
            Slot::Result(buffer) => Some(buffer),
        }
    }
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        device: &Device,
        (schedule, kernels, literals): (&'a Schedule, &'a [Kernel], &'a Literals),
    ) -> Self {
        Run {
            device: device.clone(),
            schedule,
            kernels,
            literals,
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
    pub(crate) fn finish(self) -> Result<Produced> {
        let (schedule, kernels) = (self.schedule, self.kernels);
        self.launched().map_err(|error| {
            // On a GPU an earlier launch may have failed, and it is told now.
            let of_run = error.kernel().is_none_or(|name| {
                name == schedule.name || kernels.iter().any(|kernel| kernel.name() == name)
            });
            match of_run {
                true => error.of_program(&schedule.name),
                false => error,
            }
        })
    }

    fn launched(mut self) -> Result<Produced> {
        let schedule = self.schedule;
        self.hold(None)?;
        let into = !self.outputs.is_empty();
        let mut slots = self.slots()?;
        let mut kernels = Vec::new();
        self.launches(&schedule.steps, &mut kernels);
        self.device.backend().load_all(&kernels);
        self.steps(&schedule.steps, &mut slots)?;
        let results = match into {
            true => Vec::new(),
            false => self.collected(&mut slots)?,
        };
        Ok(Produced {
            device: self.device,
            results: results.into_iter(),
        })
    }

    /// The kernels that steps may launch, as far as the numbers tell.
    fn launches(&self, steps: &'a [Step], kernels: &mut Vec<&'a Kernel>) {
        for step in steps {
            if let Step::Launch { kernel, only, .. } = step {
                let is_made = |only: &Only| only.is_made(&self.known()).unwrap_or(true);
                let kernel = self.kernels.get(*kernel);
                let kernel = kernel.filter(|_| only.as_ref().is_none_or(is_made));
                kernels.extend(kernel);
            }
            for part in step.parts() {
                self.launches(part, kernels);
            }
        }
    }

    fn steps(&mut self, steps: &'a [Step], slots: &mut [Slot<'a>]) -> Result<()> {
        steps.iter().try_for_each(|step| self.step(step, slots))
    }

    fn step(&mut self, step: &'a Step, slots: &mut [Slot<'a>]) -> Result<()> {
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
                let is_made = |only: &Only| only.is_made(&self.known()).map_err(no_length);
                if !only.as_ref().map_or(Ok(true), is_made)? {
                    return Ok(());
                }
                let Some(kernel) = self.kernels.get(*kernel) else {
                    return Err(damaged("names no kernel"));
                };
                self.launch(kernel, arguments, outputs, slots)?;
            }
            Step::Read { slot, number } => {
                let value = one_element::<u32>(slots.get(*slot))?;
                let next = self.numbers.len().max(number + 1);
                self.numbers.resize(next, None);
                if let Some(own) = self.numbers.get_mut(*number) {
                    *own = Some(Literal::from(value));
                }
                self.hold(Some(*number))?;
            }
            Step::Cut { slot, length } => {
                let length = length.evaluate(&[], &self.known());
                let buffer = match slots.get_mut(*slot) {
                    Some(Slot::Filled(buffer)) => Rc::get_mut(buffer),
                    _ => None,
                };
                match (buffer, length) {
                    (Some(buffer), Ok(length)) => buffer.truncate(length as usize)?,
                    _ => return Err(damaged("cuts what nothing has written")),
                }
            }
            Step::Carry { numbers } => self.set(numbers)?,
            Step::Set { numbers } => {
                self.set(numbers)?;
                let mut set = numbers.iter();
                set.try_for_each(|(number, _)| self.hold(Some(*number)))?;
            }
            Step::Keep { from, to } => keep(slots, from, to)?,
            Step::Repeat { times, steps } => {
                let times = times.evaluate(&[], &self.known()).map_err(|wrong| {
                    let message = format!("the number of iterations of a loop {wrong}");
                    Error::new(ErrorKind::NoLength, message).of_program(&self.schedule.name)
                })?;
                for _ in 0..times {
                    self.forget(steps);
                    self.steps(steps, slots)?;
                }
            }
            Step::While {
                before,
                condition,
                steps,
            } => loop {
                self.forget(before);
                self.forget(steps);
                self.steps(before, slots)?;
                if !one_element::<bool>(slots.get(*condition))? {
                    break;
                }
                self.steps(steps, slots)?;
            },
            Step::If {
                condition,
                then,
                otherwise,
            } => match one_element::<bool>(slots.get(*condition))? {
                true => self.steps(then, slots)?,
                false => self.steps(otherwise, slots)?,
            },
        }
        Ok(())
    }

    /// Gives numbers other values, all at once.
    fn set(&mut self, numbers: &[(usize, Formula)]) -> Result<()> {
        let known = self.known();
        let value = |(number, formula): &(usize, Formula)| {
            let value = formula.evaluate(&[], &known).map_err(|wrong| {
                let message = format!("an extent of the state of a loop {wrong}");
                Error::new(ErrorKind::NoLength, message).of_program(&self.schedule.name)
            });
            Ok((*number, value?))
        };
        let values = numbers.iter().map(value).collect::<Result<Vec<_>>>()?;
        for (number, value) in &values {
            let next = self.numbers.len().max(number + 1);
            self.numbers.resize(next, None);
            if let Some(own) = self.numbers.get_mut(*number) {
                *own = Some(Literal::from(*value));
            }
        }
        Ok(())
    }

    /// Forgets the numbers that steps read and set, which were those of the iteration before.
    fn forget(&mut self, steps: &[Step]) {
        for step in steps {
            let own: Vec<usize> = match step {
                Step::Read { number, .. } => vec![*number],
                Step::Set { numbers } => numbers.iter().map(|(number, _)| *number).collect(),
                _ => Vec::new(),
            };
            for number in own {
                if let Some(number) = self.numbers.get_mut(number) {
                    *number = None;
                }
            }
            for part in step.parts() {
                self.forget(part);
            }
        }
    }

    /// The numbers, as far as they are known.
    fn known(&self) -> Vec<Option<u64>> {
        let numbers = self.numbers.iter();
        numbers.map(|number| number.and_then(as_extent)).collect()
    }

    /// Holds the run to the claims whose numbers are known: to all of them, or those about a number that has become known.
    fn hold(&self, number: Option<usize>) -> Result<()> {
        let known = self.known();
        let evaluate = |formula: &Formula| formula.evaluate(&[], &known);
        for claim in &self.schedule.claims {
            let sides = [&claim.left, &claim.right];
            let is_about = |formula: &&Formula| number.is_none_or(|n| names(formula, n));
            let is_open = |formula: &Formula| evaluate(formula) == Err(NoValue::Unknown);
            if sides.iter().any(is_about) && !sides.into_iter().any(is_open) {
                hold(claim, &evaluate).map_err(|error| error.of_program(&self.schedule.name))?;
            }
        }
        Ok(())
    }

    /// The extents of a result.
    fn extents(&self, result: &obsidian_language::arrays::Produced) -> Result<Vec<u32>> {
        let known = self.known();
        let extent = |formula: &Formula| {
            formula.evaluate(&[], &known).map_err(|wrong| {
                let message = match wrong {
                    NoValue::Unknown => "how long a result is, is known only when the program has run: `run` makes the memory for it".to_owned(),
                    wrong => format!("an extent of a result {wrong}"),
                };
                Error::new(ErrorKind::NoLength, message).of_program(&self.schedule.name)
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
        let literals = self.literals.on(&self.device, schedule)?;
        for (n, literal) in schedule.literals.iter().enumerate() {
            if let Some(slot) = slots.get_mut(literal.slot) {
                *slot = Slot::Literal(literals.clone(), n);
            }
        }
        let outputs: Vec<_> = self.outputs.drain(..).collect();
        for ((given, buffers), result) in outputs.into_iter().zip(&schedule.results) {
            let own = self.extents(result)?;
            let wanted = given.iter().map(|extent| *extent as u64);
            if wanted.ne(own.iter().map(|extent| u64::from(*extent))) {
                let message = format!(
                    "a result has the extents {own:?}, and the array that is given for it has {given:?}"
                );
                return Err(
                    Error::new(ErrorKind::UnequalLengths, message).of_program(&schedule.name)
                );
            }
            for (buffer, slot) in buffers.into_iter().zip(&result.slots) {
                if let Some(slot) = slots.get_mut(*slot) {
                    *slot = Slot::Result(buffer);
                }
            }
        }
        Ok(slots)
    }

    /// The results.
    fn collected(&self, slots: &mut [Slot<'a>]) -> Result<Vec<(Vec<u32>, Vec<AnyBuffer>)>> {
        let mut results = Vec::new();
        for result in &self.schedule.results {
            let mut buffers = Vec::new();
            for slot in &result.slots {
                let slot = slots.get_mut(*slot);
                buffers.push(
                    match slot.map(|slot| std::mem::replace(slot, Slot::Empty)) {
                        // What another result is, too, or what was given, is copied.
                        Some(Slot::Filled(buffer)) => {
                            Rc::try_unwrap(buffer).or_else(|buffer| buffer.copied())?
                        }
                        Some(Slot::Given(buffer)) => buffer.copied()?,
                        Some(Slot::Literal(own, n)) => match own.get(n) {
                            Some(buffer) => buffer.copied()?,
                            None => return Err(damaged("gives what it has not")),
                        },
                        _ => return Err(damaged("gives a result that nothing has written")),
                    },
                );
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
        // So are arrays that the launch changes.
        let mut changed: Vec<(usize, Slot<'a>)> = Vec::new();
        for argument in arguments {
            if let Argument::Own(number) = argument {
                changed.push((*number, Slot::Filled(Rc::new(self.unwritten(*number)?))));
            } else if let Argument::Changed(number) = argument
                && let Some(slot) = slots.get_mut(*number)
            {
                changed.push((*number, std::mem::replace(slot, Slot::Empty)));
            }
        }
        let mut changing = changed.iter_mut();
        let mut given = Vec::new();
        for argument in arguments {
            given.push(match argument {
                Argument::Changed(_) | Argument::Own(_) => match changing.next() {
                    Some((_, Slot::Filled(buffer))) => match Rc::get_mut(buffer) {
                        Some(buffer) => AnyArgument::Change(buffer),
                        None => return Err(damaged("changes what is used elsewhere")),
                    },
                    Some((_, Slot::Result(buffer))) => AnyArgument::Change(buffer),
                    _ => return Err(damaged("changes what nothing has written")),
                },
                Argument::Number(number) => match self.numbers.get(*number) {
                    Some(Some(number)) => AnyArgument::Number(*number),
                    _ => return Err(damaged("names no number")),
                },
                Argument::Literal(literal) => AnyArgument::Number(Literal::from(*literal)),
                Argument::Slot(slot) => match slots.get(*slot).and_then(Slot::buffer) {
                    Some(buffer) => AnyArgument::Read(buffer),
                    None => return Err(damaged("reads what nothing has written")),
                },
            });
        }
        if lent.is_empty() {
            let made = kernel.launch(&self.device, given)?;
            put_back(slots, changed);
            for (buffer, output) in made.into_iter().zip(outputs) {
                if let Some(slot) = slots.get_mut(*output) {
                    *slot = Slot::Filled(Rc::new(buffer));
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
        put_back(slots, changed);
        let lent = lent
            .into_iter()
            .map(|(slot, buffer)| (slot, Slot::Result(buffer)));
        let own = own
            .into_iter()
            .map(|(slot, buffer)| (slot, Slot::Filled(Rc::new(buffer))));
        put_back(slots, lent.chain(own).collect());
        Ok(())
    }

    /// Memory for an array of the run itself.
    fn fresh(&self, slot: usize) -> Result<AnyBuffer> {
        let (ty, length) = self.room(slot)?;
        self.device.zeros_of(ty, length)
    }

    /// The same, whatever is in it.
    fn unwritten(&self, slot: usize) -> Result<AnyBuffer> {
        let (ty, length) = self.room(slot)?;
        Ok(AnyBuffer {
            device: self.device.clone(),
            memory: self.device.backend().fresh(ty, length)?,
        })
    }

    /// The type and the number of the elements of a slot.
    fn room(&self, slot: usize) -> Result<(ScalarType, usize)> {
        let known = self.known();
        let found = self.schedule.slots.get(slot);
        let length = found.and_then(|slot| slot.length.evaluate(&[], &known).ok());
        match (found, length) {
            (Some(slot), Some(length)) => Ok((slot.ty, length as usize)),
            _ => Err(damaged("has an array of no length")),
        }
    }
}

/// The one element of an array.
fn one_element<T: crate::Element>(slot: Option<&Slot<'_>>) -> Result<T> {
    let Some(buffer) = slot.and_then(Slot::buffer) else {
        return Err(damaged("reads what nothing has written"));
    };
    match buffer.to_vec::<T>()?.as_slice() {
        [value] => Ok(*value),
        _ => Err(damaged("reads an array of several elements")),
    }
}

/// The error of a run that goes over more elements than can be indexed.
fn no_length(wrong: NoValue) -> Error {
    let message = format!("the number of elements that it goes over {wrong}");
    match wrong {
        NoValue::Above { value, .. } => {
            Error::new(ErrorKind::TooLong, message).exceeded(value, u32::MAX.into())
        }
        NoValue::Below { .. } | NoValue::Unknown => Error::new(ErrorKind::NoLength, message),
    }
}

/// Does a formula name a number?
fn names(formula: &Formula, number: usize) -> bool {
    let is_own = |step: &FormulaStep| *step == FormulaStep::Argument(number);
    formula.steps.iter().any(is_own)
}

/// Keeps arrays under other numbers, all at once.
fn keep<'a>(slots: &mut [Slot<'a>], from: &[usize], to: &[usize]) -> Result<()> {
    let mut arrays = Vec::new();
    for number in from {
        arrays.push(match slots.get(*number) {
            Some(&Slot::Given(buffer)) => Slot::Given(buffer),
            Some(Slot::Literal(own, n)) => Slot::Literal(own.clone(), *n),
            Some(Slot::Filled(buffer)) => Slot::Filled(buffer.clone()),
            Some(Slot::Result(buffer)) => Slot::Filled(Rc::new(buffer.copied()?)),
            _ => return Err(damaged("keeps what nothing has written")),
        });
    }
    for (number, array) in to.iter().zip(arrays) {
        match (slots.get_mut(*number), array.buffer()) {
            (Some(Slot::Result(own)), Some(buffer)) => own.copy_from(buffer)?,
            (Some(slot), _) => *slot = array,
            (None, _) => return Err(damaged("keeps an array nowhere")),
        }
    }
    Ok(())
}

/// Puts arrays back into their slots.
fn put_back<'a>(slots: &mut [Slot<'a>], arrays: Vec<(usize, Slot<'a>)>) {
    for (number, array) in arrays {
        if let Some(slot) = slots.get_mut(number) {
            *slot = array;
        }
    }
}

/// An extent, or a scalar parameter that extents may be made of.
fn as_extent(number: Literal) -> Option<u64> {
    (number.ty() == ScalarType::U32).then(|| number.bits())
}

pub(super) fn damaged(what: &str) -> Error {
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
        true => {
            let wrong = obsidian_language::error::catalogue::too_short(what, left, right);
            format!("{wrong}{places}")
        }
        false => format!("`{what}` of arrays with the extents {left} and {right}{places}"),
    };
    Err(Error::new(ErrorKind::Requirement, message).exceeded(left.into(), right.into()))
}
