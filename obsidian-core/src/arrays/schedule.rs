//! Schedules: what a run of an array program launches, as plain data.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use crate::plan::Formula;
use crate::scalar::ScalarType;

/// What an array program launches, in order.
///
/// The *numbers* of a program are those of all its parameters, in order: the extents of an array, or a scalar.
#[derive(Clone, PartialEq, Debug)]
pub struct Schedule {
    /// The name of the program.
    pub name: String,
    /// What a run is given, in order.
    pub parameters: Vec<Given>,
    /// What has to hold of the extents.
    pub claims: Vec<Claimed>,
    /// The kernels, by number.
    pub kernels: Vec<Launched>,
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// What a run gives, in order.
    pub results: Vec<Produced>,
    /// The arrays in memory, by number: those that are given first.
    pub slots: Vec<Slot>,
}

/// One array in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    /// The type of its elements.
    pub ty: ScalarType,
    /// The number of its elements, over the numbers of the program; of one that is cut, for how many there is room.
    pub length: Formula,
}

/// A parameter of an array program. Its numbers are those of all parameters, in order: the extents of an array, or a scalar.
#[derive(Clone, PartialEq, Debug)]
pub enum Given {
    /// An array. It has a slot for each component of its elements.
    Array {
        /// The user's name for it.
        name: String,
        /// The number of axes.
        rank: usize,
        /// The types of the components of its elements.
        types: Vec<ScalarType>,
    },
    /// A scalar.
    Scalar {
        /// The user's name for it.
        name: String,
        /// Its type.
        ty: ScalarType,
    },
}

/// Two extents that have to be equal.
#[derive(Clone, PartialEq, Debug)]
pub struct Claimed {
    /// One of them, over the numbers of the program.
    pub left: Formula,
    /// The other one.
    pub right: Formula,
    /// Is the left one at least the right one, instead of equal?
    pub at_least: bool,
    /// The operation that asks for it.
    pub what: String,
    /// Where it stands, and where its arrays do.
    pub places: Vec<Where>,
}

/// A place in the user's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Where {
    /// A file and its line.
    Line(String),
    /// A place that the macro knows while it expands a module.
    Site(u32),
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Where::Line(line) => f.write_str(line),
            Where::Site(site) => write!(f, "place {site} of the module"),
        }
    }
}

/// A kernel of an array program.
#[derive(Clone, PartialEq, Debug)]
pub struct Launched {
    /// Its name.
    pub name: String,
    /// Does it fold pieces of a row, so that another kernel makes the result?
    pub is_partial: bool,
}

/// One step of a schedule.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Launches a kernel.
    Launch {
        /// The kernel.
        kernel: usize,
        /// What it takes, in the order of its parameters.
        arguments: Vec<Argument>,
        /// The slots that it fills.
        outputs: Vec<usize>,
        /// For which rows it is launched, if not for all.
        only: Option<Only>,
        /// The operations that it does, as the user calls them.
        operators: Vec<String>,
        /// Why something of what it computes is stored, where the user did not ask for it.
        why: Vec<String>,
    },
    /// Nothing needs the array in a slot any more.
    Free(usize),
    /// The one element of an array becomes a number of the program: behind those of the parameters.
    Read {
        /// The array.
        slot: usize,
        /// The number.
        number: usize,
    },
    /// An array keeps its first elements: kernels have written no more.
    Cut {
        /// The array.
        slot: usize,
        /// How many elements it keeps, over the numbers of the program.
        length: Formula,
    },
}

/// The rows that a launch is for.
#[derive(Clone, PartialEq, Debug)]
pub struct Only {
    /// The length of a row, over the numbers of the program.
    pub length: Formula,
    /// Where the lengths are divided: [`SHORT`] or [`NARROW`].
    pub most: u32,
    /// Is the launch for rows that are at most so long, or for longer ones?
    pub short: bool,
}

impl Only {
    /// Is the launch made, for the numbers of a run?
    pub fn holds(&self, numbers: &[Option<u64>]) -> bool {
        let length = self.length.evaluate(&[], numbers);
        length.is_ok_and(|length| (length <= self.most) == self.short)
    }
}

/// The longest row that one block folds alone.
pub const SHORT: u32 = 8192;
/// The longest row that one thread folds, where there are many.
pub const NARROW: u32 = 32;

/// An argument of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The array in a slot.
    Slot(usize),
    /// A number of the program.
    Number(usize),
}

/// A result of an array program.
#[derive(Clone, PartialEq, Debug)]
pub struct Produced {
    /// Its slots, one for each component.
    pub slots: Vec<usize>,
    /// Its extents, over the numbers of the program.
    pub extents: Vec<Formula>,
    /// The types of the components.
    pub types: Vec<ScalarType>,
}

impl Schedule {
    /// How many operators are left: passes over arrays, as users of array languages count kernels. A fold is one, though a long row takes two
    /// launches.
    pub fn operators(&self) -> usize {
        let counts = |step: &&Step| match step {
            Step::Launch { kernel, only, .. } => {
                let is_partial = self.kernels.get(*kernel).is_some_and(|k| k.is_partial);
                !is_partial && only.as_ref().is_none_or(|only| !only.short)
            }
            _ => false,
        };
        self.steps.iter().filter(counts).count()
    }

    /// The bytes of all arrays that are neither given nor results, for the numbers of a run; none if an extent cannot be computed.
    pub fn temporary_bytes(&self, numbers: &[Option<u64>]) -> Option<u64> {
        let given = |given: &Given| match given {
            Given::Array { types, .. } => types.len(),
            Given::Scalar { .. } => 0,
        };
        let given: usize = self.parameters.iter().map(given).sum();
        let kept: Vec<usize> = self
            .results
            .iter()
            .flat_map(|one| one.slots.clone())
            .collect();
        let slots = self.slots.iter().enumerate().skip(given);
        let mut bytes = 0;
        for (_, slot) in slots.filter(|(number, _)| !kept.contains(number)) {
            let length = slot.length.evaluate(&[], numbers).ok()?;
            bytes += u64::from(length) * u64::from(slot.ty.bytes());
        }
        Some(bytes)
    }

    /// How many launches a run makes whose rows are longer than [`SHORT`].
    pub fn launches(&self) -> usize {
        let is_made = |step: &&Step| match step {
            Step::Launch { only, .. } => only.as_ref().is_none_or(|only| !only.short),
            _ => false,
        };
        self.steps.iter().filter(is_made).count()
    }

    /// How many launches a run makes, for its numbers.
    pub fn launches_for(&self, numbers: &[Option<u64>]) -> usize {
        let is_made = |step: &&Step| match step {
            Step::Launch { only, .. } => only.as_ref().is_none_or(|only| only.holds(numbers)),
            _ => false,
        };
        self.steps.iter().filter(is_made).count()
    }
}

/// Frees each slot of the program's own that is no result behind its last use.
pub(super) fn freed(steps: Vec<Step>, results: &[Produced], own: Range<usize>) -> Vec<Step> {
    let is_result = |slot: usize| results.iter().any(|result| result.slots.contains(&slot));
    let mut last: BTreeMap<usize, usize> = BTreeMap::new();
    for (position, step) in steps.iter().enumerate() {
        let used = match step {
            Step::Launch {
                arguments, outputs, ..
            } => {
                let read = arguments.iter().filter_map(|argument| match argument {
                    Argument::Slot(slot) => Some(*slot),
                    Argument::Number(_) => None,
                });
                read.chain(outputs.iter().copied()).collect()
            }
            Step::Read { slot, .. } | Step::Cut { slot, .. } => vec![*slot],
            Step::Free(_) => Vec::new(),
        };
        for slot in used
            .into_iter()
            .filter(|slot| own.contains(slot) && !is_result(*slot))
        {
            last.insert(slot, position);
        }
    }
    let mut all = Vec::new();
    for (position, step) in steps.into_iter().enumerate() {
        all.push(step);
        let here = last.iter().filter(|(_, last)| **last == position);
        all.extend(here.map(|(slot, _)| Step::Free(*slot)));
    }
    all
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} operators, {} launches",
            self.name,
            self.operators(),
            self.launches()
        )?;
        for step in &self.steps {
            match step {
                Step::Launch {
                    kernel,
                    arguments,
                    outputs,
                    only,
                    operators,
                    why,
                } => {
                    let rows = match only {
                        None => String::new(),
                        Some(Only { short, most, .. }) => match short {
                            true => format!(", rows up to {most}"),
                            false => format!(", rows longer than {most}"),
                        },
                    };
                    let list = |slots: &[String]| slots.join(", ");
                    let arguments: Vec<String> =
                        arguments.iter().map(Argument::to_string).collect();
                    let outputs: Vec<String> =
                        outputs.iter().map(|slot| format!("slot {slot}")).collect();
                    let Some(kernel) = self.kernels.get(*kernel) else {
                        continue;
                    };
                    writeln!(
                        f,
                        "  launch {}({}) -> {}    {}{rows}",
                        kernel.name,
                        list(&arguments),
                        list(&outputs),
                        operators.join(", ")
                    )?;
                    for why in why {
                        writeln!(f, "    {why}")?;
                    }
                }
                Step::Free(slot) => writeln!(f, "  free slot {slot}")?,
                Step::Read { slot, number } => {
                    writeln!(f, "  read slot {slot} as number {number}")?;
                }
                Step::Cut { slot, .. } => writeln!(f, "  cut slot {slot}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Slot(slot) => write!(f, "slot {slot}"),
            Argument::Number(number) => write!(f, "number {number}"),
        }
    }
}
