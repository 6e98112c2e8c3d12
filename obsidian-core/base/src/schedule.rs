//! Schedules: what a run of an array program launches, as plain data.

use std::fmt;

use crate::launch::{Formula, NoValue};
use crate::ordered::Map;
use crate::scalar::ScalarType;

/// What an array program launches, in order.
///
/// The *numbers* of a program are those of all its parameters, in order: the extents of an array, or a scalar.
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32};
///
/// let program = ArrayProgram::build("squares", |x: Arr1<EU32>| x.map(|x| x * x))?;
/// let schedule: &Schedule = program.schedule();
/// assert_eq!((schedule.name.as_str(), schedule.kernels.len(), schedule.steps.len()), ("squares", 1, 1));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
    /// The arrays that stand in the program.
    pub literals: Vec<LiteralArray>,
    /// The arrays in memory, by number: those that are given first, then those that stand in the program.
    pub slots: Vec<Slot>,
}

/// An array that stands in the program, by `literal`.
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32};
///
/// let table: Vec<u32> = (0..100).map(|i| i * i).collect();
/// let program = ArrayProgram::build("squares", move |x: Arr1<EU32>| gather(x.map(|x| x % 100), literal(&table)))?;
/// let table: &LiteralArray = &program.schedule().literals[0];
/// assert_eq!((table.slot, table.bits[99]), (1, 9801)); // behind the parameter
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct LiteralArray {
    /// The slot in which it lies.
    pub slot: usize,
    /// The bits of its elements, in the low end.
    pub bits: Vec<u64>,
}

/// One array in memory.
///
/// ```
/// use obsidian_rt::{ScalarType, arrays::*, language::EU32};
///
/// let program = ArrayProgram::build("squares", |x: Arr1<EU32>| x.map(|x| x * x))?;
/// let types: Vec<_> = program.schedule().slots.iter().map(|slot| slot.ty).collect();
/// assert_eq!(types, [ScalarType::U32; 2]); // the parameter and the result
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    /// The type of its elements.
    pub ty: ScalarType,
    /// The number of its elements, over the numbers of the program; of one that is cut, for how many there is room.
    pub length: Formula,
}

/// A parameter of an array program. Its numbers are those of all parameters, in order: the extents of an array, or a scalar.
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32};
///
/// let program = ArrayProgram::build("squares", |x: Arr1<EU32>| x.map(|x| x * x))?;
/// assert!(matches!(program.schedule().parameters[0], Given::Array { rank: 1, .. }));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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

impl Given {
    /// The names and types of its numbers.
    #[doc(hidden)]
    pub fn numbers(&self) -> Vec<(String, ScalarType)> {
        match self {
            Given::Scalar { name, ty } => vec![(name.clone(), *ty)],
            Given::Array { name, rank, .. } => {
                let axes: &[&str] = match rank {
                    1 => &["length"],
                    2 => &["height", "width"],
                    3 => &["depth", "height", "width"],
                    _ => &[],
                };
                let one = |axis: usize| match axes.get(axis) {
                    Some(own) => (format!("{name}_{own}"), ScalarType::U32),
                    None => (format!("{name}_extent_{axis}"), ScalarType::U32),
                };
                (0..*rank).map(one).collect()
            }
        }
    }
}

/// Two extents that have to be equal.
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32};
///
/// let program = ArrayProgram::build("sums", |x: Arr1<EU32>, y: Arr1<EU32>| zip_with(|x, y| x + y, x, y))?;
/// let claim: &Claimed = &program.schedule().claims[0];
/// assert_eq!((claim.what.as_str(), claim.at_least), ("zip_with", false));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32};
///
/// let program = ArrayProgram::build("sums", |x: Arr1<EU32>, y: Arr1<EU32>| zip_with(|x, y| x + y, x, y))?;
/// assert!(matches!(program.schedule().claims[0].places[0], Where::Line(_)));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32};
///
/// let program = ArrayProgram::build("squares", |x: Arr1<EU32>| x.map(|x| x * x))?;
/// let launched: &Launched = &program.schedule().kernels[0];
/// assert!(!launched.is_partial);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Launched {
    /// Its name.
    pub name: String,
    /// Is there another kernel that counts as the operator? It makes the result of what this one folds of a row, or this one is for rows of another length.
    pub is_partial: bool,
}

/// One step of a schedule.
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32};
///
/// let program = ArrayProgram::build("squares", |x: Arr1<EU32>| x.map(|x| x * x))?;
/// assert!(matches!(program.schedule().steps[0], Step::Launch { kernel: 0, .. }));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
    /// Numbers go from one iteration of a loop to the next, or into the first: what the extents of its state become.
    Carry {
        /// The numbers, and what they become, all at once, over the numbers of the program.
        numbers: Vec<(usize, Formula)>,
    },
    /// Numbers of the program become others: the extents of a loop's state, at the beginning of an iteration and behind the loop. What has to hold of
    /// them is seen to.
    Set {
        /// The numbers, and what they become, over the numbers of the program.
        numbers: Vec<(usize, Formula)>,
    },
    /// Slots refer to the arrays of other slots from now on, all at once; only into memory that the caller gave are they copied.
    Keep {
        /// Where they are.
        from: Vec<usize>,
        /// Where they can be found then, too.
        to: Vec<usize>,
    },
    /// Steps are done several times.
    Repeat {
        /// How often, over the numbers of the program.
        times: Formula,
        /// What is done in each iteration.
        steps: Vec<Step>,
    },
    /// Steps are done as long as a condition holds.
    While {
        /// What is done in front of each look at the condition.
        before: Vec<Step>,
        /// The array whose one element is the condition.
        condition: usize,
        /// What is done in each iteration.
        steps: Vec<Step>,
    },
    /// Steps are done if a condition holds, and others if it does not.
    If {
        /// The array whose one element is the condition.
        condition: usize,
        /// What is done if it holds.
        then: Vec<Step>,
        /// What is done if it does not.
        otherwise: Vec<Step>,
    },
}

impl Step {
    /// The lists of steps that it is made of.
    ///
    /// ```
    /// use obsidian_rt::{arrays::*, language::EU32};
    ///
    /// let program = ArrayProgram::build("five", |x: Arr1<EU32>| power(5, x, |x| x.map(|x| x * 2)))?;
    /// let of_loops: usize = program.schedule().steps.iter().map(|step| step.parts().len()).sum();
    /// assert_eq!(of_loops, 1); // the steps of the loop
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn parts(&self) -> Vec<&Vec<Step>> {
        match self {
            Step::Repeat { steps, .. } => vec![steps],
            Step::While { before, steps, .. } => vec![before, steps],
            Step::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            _ => Vec::new(),
        }
    }

    /// The same, to be changed.
    #[doc(hidden)]
    pub fn parts_mut(&mut self) -> Vec<&mut Vec<Step>> {
        match self {
            Step::Repeat { steps, .. } => vec![steps],
            Step::While { before, steps, .. } => vec![before, steps],
            Step::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            _ => Vec::new(),
        }
    }

    /// The slots of the arrays that a launch makes.
    fn made_slots(&self) -> Vec<usize> {
        let Step::Launch {
            arguments, outputs, ..
        } = self
        else {
            return Vec::new();
        };
        let own = arguments.iter().filter_map(|argument| match argument {
            Argument::Own(slot) => Some(*slot),
            Argument::Slot(_)
            | Argument::Changed(_)
            | Argument::Number(_)
            | Argument::Literal(_) => None,
        });
        own.chain(outputs.iter().copied()).collect()
    }

    /// The slots that it uses itself, its parts apart.
    fn own_slots(&self) -> Vec<usize> {
        match self {
            Step::Launch {
                arguments, outputs, ..
            } => {
                let read = arguments.iter().filter_map(|argument| match argument {
                    Argument::Slot(slot) | Argument::Changed(slot) | Argument::Own(slot) => {
                        Some(*slot)
                    }
                    Argument::Number(_) | Argument::Literal(_) => None,
                });
                read.chain(outputs.iter().copied()).collect()
            }
            Step::Read { slot, .. } | Step::Cut { slot, .. } => vec![*slot],
            Step::Keep { from, to } => [&from[..], to].concat(),
            Step::While { condition, .. } | Step::If { condition, .. } => vec![*condition],
            Step::Free(_) | Step::Carry { .. } | Step::Set { .. } | Step::Repeat { .. } => {
                Vec::new()
            }
        }
    }

    /// All slots that it uses, as often as it does.
    #[doc(hidden)]
    pub fn slots(&self) -> Vec<usize> {
        let parts = self.parts().into_iter().flatten();
        let inside = parts.flat_map(Step::slots);
        self.own_slots().into_iter().chain(inside).collect()
    }

    /// Does it, or a step of its parts, give numbers other values?
    fn sets(&self) -> bool {
        matches!(self, Step::Set { .. }) || self.parts().into_iter().flatten().any(Step::sets)
    }

    /// Itself, and the steps of its parts.
    fn all(&self) -> Vec<&Step> {
        let parts = self.parts().into_iter().flatten();
        std::iter::once(self)
            .chain(parts.flat_map(Step::all))
            .collect()
    }
}

/// The rows that a launch is for.
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32};
///
/// let program = ArrayProgram::build("sum", |x: Arr1<EU32>| x.sum())?;
/// let only = program.schedule().steps.iter().find_map(|step| match step {
///     Step::Launch { only, .. } => only.as_ref(),
///     _ => None,
/// });
/// assert_eq!(only.unwrap().above, Some(SHORT)); // short rows have a kernel of their own
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Only {
    /// The length of a row, over the numbers of the program.
    pub length: Formula,
    /// The rows have more elements than this: [`FEW`], [`NARROW`], [`MIDDLE`], [`SHORT`], what one block sorts alone, or no bound.
    pub above: Option<u32>,
    /// The rows have at most this many elements: [`FEW`], [`NARROW`], [`MIDDLE`], [`SHORT`], what one block sorts alone, or no bound.
    pub at_most: Option<u32>,
}

impl Only {
    /// Is the launch made, for the numbers of a run?
    ///
    /// ```
    /// use obsidian_rt::{arrays::*, language::EU32};
    ///
    /// let program = ArrayProgram::build("sum", |x: Arr1<EU32>| x.sum())?;
    /// let made = |length: u64| program.schedule().steps.iter().filter(|step| match step {
    ///     Step::Launch { only: Some(only), .. } => only.holds(&[Some(length)]),
    ///     _ => false,
    /// }).count();
    /// assert_eq!((made(100), made(100_000)), (1, 1));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn holds(&self, numbers: &[Option<u64>]) -> bool {
        self.is_made(numbers) == Ok(true)
    }

    /// The same.
    ///
    /// # Errors
    /// Why the length of a row cannot be computed.
    #[doc(hidden)]
    pub fn is_made(&self, numbers: &[Option<u64>]) -> Result<bool, NoValue> {
        let length = self.length.evaluate(&[], numbers)?;
        let is_above = self.above.is_none_or(|above| length > above);
        Ok(is_above && self.at_most.is_none_or(|most| length <= most))
    }
}

/// The longest row that one block folds alone.
pub const SHORT: u32 = 8192;
/// The longest row that one thread folds in order or scans, where there are many.
pub const NARROW: u32 = 32;
/// The longest row that one thread folds, where there are many and elements may be combined in any order.
pub const FEW: u32 = 8;
/// The longest row that some threads of a block fold, where there are many and elements may be combined in any order.
pub const MIDDLE: u32 = 256;

/// An argument of a launch.
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32};
///
/// let program = ArrayProgram::build("squares", |x: Arr1<EU32>| x.map(|x| x * x))?;
/// let Step::Launch { arguments, .. } = &program.schedule().steps[0] else { unreachable!() };
/// assert!(arguments.contains(&Argument::Slot(0))); // the array that a run is given
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The array in a slot.
    Slot(usize),
    /// The array in a slot, which the launch changes.
    Changed(usize),
    /// A number of the program.
    Number(usize),
    /// The array in a slot, which the launch alone uses: what it has at first means nothing.
    Own(usize),
    /// A number of the launch: which of several launches of one kernel it is.
    Literal(u32),
}

/// A result of an array program.
///
/// ```
/// use obsidian_rt::{arrays::*, language::EU32};
///
/// let program = ArrayProgram::build("squares", |x: Arr1<EU32>| x.map(|x| x * x))?;
/// let produced: &Produced = &program.schedule().results[0];
/// assert_eq!((produced.slots.as_slice(), produced.extents.len()), (&[1][..], 1));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
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
    /// How many operators are left: passes over arrays, as users of array languages count kernels. A fold is one, though many long rows take two
    /// launches. Of a loop, those of one iteration.
    ///
    /// ```
    /// use obsidian_rt::{arrays::*, language::EU32};
    ///
    /// let program = ArrayProgram::build("sum", |x: Arr1<EU32>| x.map(|x| x * x).sum())?;
    /// assert_eq!(program.schedule().operators(), 1); // the squares are part of the fold
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn operators(&self) -> usize {
        let counts = |step: &&Step| match step {
            Step::Launch { kernel, only, .. } => {
                let is_partial = self.kernels.get(*kernel).is_some_and(|k| k.is_partial);
                !is_partial && only.as_ref().is_none_or(|only| only.above.is_some())
            }
            _ => false,
        };
        self.steps.iter().flat_map(Step::all).filter(counts).count()
    }

    /// The bytes of all arrays that are neither given nor results, for the numbers of a run; none if an extent cannot be computed. Of an array that
    /// iterations of a loop lengthen or shorten, those of the longest; none if these are more than 65,536.
    ///
    /// ```
    /// use obsidian_rt::{arrays::*, language::EU32};
    ///
    /// let program = ArrayProgram::build("stored", |x: Arr1<EU32>| {
    ///     x.map(|x| x * x).compute().stencil(Wrap, |w| w.at(-1) + w.at(1))
    /// })?;
    /// assert_eq!(program.schedule().temporary_bytes(&[Some(100)]), Some(400)); // of 100 elements
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
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
        if self.steps.iter().any(Step::sets) {
            let mut walk = Walk::new(self, numbers);
            walk.steps(&self.steps)?;
            let own = walk.lengths.iter().filter(|(slot, _)| !kept.contains(slot));
            let bytes = own.map(|(slot, length)| {
                let ty = self.slots.get(*slot).map(|slot| slot.ty.bytes());
                length * u64::from(ty.unwrap_or(0))
            });
            return Some(bytes.sum());
        }
        // What only launches for other rows write is not there.
        let mut written: Map<usize, bool> = Map::new();
        for step in self.steps.iter().flat_map(Step::all) {
            if let Step::Launch { only, .. } = step {
                let is_made = match only {
                    Some(only) => only.is_made(numbers).ok()?,
                    None => true,
                };
                for slot in step.made_slots() {
                    *written.entry(slot).or_default() |= is_made;
                }
            }
        }
        let is_there = |number: &usize| written.get(number).copied().unwrap_or(true);
        let slots = self.slots.iter().enumerate();
        let slots = slots.skip(given + self.literals.len());
        let mut bytes = 0;
        for (_, slot) in slots.filter(|(n, _)| !kept.contains(n) && is_there(n)) {
            let length = slot.length.evaluate(&[], numbers).ok()?;
            bytes += u64::from(length) * u64::from(slot.ty.bytes());
        }
        Some(bytes)
    }

    /// How many launches a run makes whose rows are longer than [`SHORT`], with one iteration of each loop and both arms of each choice.
    ///
    /// ```
    /// use obsidian_rt::{arrays::*, language::EU32};
    ///
    /// let program = ArrayProgram::build("squares", |x: Arr1<EU32>| x.map(|x| x * x))?;
    /// assert_eq!(program.schedule().launches(), 1);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn launches(&self) -> usize {
        let is_made = |step: &&Step| match step {
            Step::Launch { only, .. } => only.as_ref().is_none_or(|only| only.at_most.is_none()),
            _ => false,
        };
        self.steps
            .iter()
            .flat_map(Step::all)
            .filter(is_made)
            .count()
    }

    /// How many launches a run makes, for its numbers: none if a condition of arrays decides that, or a length that the run finds out.
    ///
    /// ```
    /// use obsidian_rt::{arrays::*, language::EU32};
    ///
    /// let program = ArrayProgram::build("five", |x: Arr1<EU32>| power(5, x, |x| x.map(|x| x * 2)))?;
    /// assert_eq!(program.schedule().launches_for(&[Some(100)]), Some(5));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn launches_for(&self, numbers: &[Option<u64>]) -> Option<u64> {
        if self.steps.iter().any(Step::sets) {
            let mut walk = Walk::new(self, numbers);
            walk.steps(&self.steps)?;
            return Some(walk.launches);
        }
        launches_of(&self.steps, numbers)
    }
}

/// The most iterations of loops whose state changes its extents that are gone through to find out what a run needs.
const MOST_ITERATIONS: u32 = 1 << 16;

/// What a run does, step by step, as far as its numbers tell: for loops whose state changes its extents, as other ones do the same in each iteration.
struct Walk<'s> {
    schedule: &'s Schedule,
    numbers: Vec<Option<u64>>,
    /// The most elements of each slot that is written.
    lengths: Map<usize, u64>,
    launches: u64,
    iterations: u32,
}

impl<'s> Walk<'s> {
    fn new(schedule: &'s Schedule, numbers: &[Option<u64>]) -> Self {
        Walk {
            schedule,
            numbers: numbers.to_vec(),
            lengths: Map::new(),
            launches: 0,
            iterations: 0,
        }
    }

    fn steps(&mut self, steps: &[Step]) -> Option<()> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::Launch { only, .. } => {
                if let Some(only) = only
                    && !only.is_made(&self.numbers).ok()?
                {
                    return Some(());
                }
                self.launches += 1;
                for slot in step.made_slots() {
                    let length = &self.schedule.slots.get(slot)?.length;
                    let length = u64::from(length.evaluate(&[], &self.numbers).ok()?);
                    let most = self.lengths.entry(slot).or_default();
                    *most = length.max(*most);
                }
            }
            Step::Carry { numbers } | Step::Set { numbers } => {
                let value = |(number, formula): &(usize, Formula)| {
                    let value = formula.evaluate(&[], &self.numbers).ok()?;
                    Some((*number, u64::from(value)))
                };
                let values: Vec<_> = numbers.iter().map(value).collect::<Option<_>>()?;
                for (number, value) in values {
                    let most = self.numbers.len().max(number + 1);
                    self.numbers.resize(most, None);
                    if let Some(own) = self.numbers.get_mut(number) {
                        *own = Some(value);
                    }
                }
            }
            Step::Repeat { times, steps } => {
                let times = times.evaluate(&[], &self.numbers).ok()?;
                if times == 0 {
                    return Some(());
                }
                if !steps.iter().any(Step::sets) {
                    let before = self.launches;
                    self.steps(steps)?;
                    self.launches = before + (self.launches - before) * u64::from(times);
                    return Some(());
                }
                self.iterations = self.iterations.checked_add(times)?;
                if self.iterations > MOST_ITERATIONS {
                    return None;
                }
                for _ in 0..times {
                    self.steps(steps)?;
                }
            }
            Step::While { .. } | Step::If { .. } => return None,
            Step::Free(_) | Step::Read { .. } | Step::Cut { .. } | Step::Keep { .. } => {}
        }
        Some(())
    }
}

fn launches_of(steps: &[Step], numbers: &[Option<u64>]) -> Option<u64> {
    let mut all = 0;
    for step in steps {
        all += match step {
            Step::Launch { only, .. } => match only {
                Some(only) => u64::from(only.is_made(numbers).ok()?),
                None => 1,
            },
            Step::Repeat { times, steps } => {
                let times = times.evaluate(&[], numbers).ok()?;
                u64::from(times) * launches_of(steps, numbers)?
            }
            Step::While { .. } | Step::If { .. } => return None,
            Step::Free(_)
            | Step::Read { .. }
            | Step::Cut { .. }
            | Step::Carry { .. }
            | Step::Set { .. }
            | Step::Keep { .. } => 0,
        };
    }
    Some(all)
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
        self.write_steps(&self.steps, 1, f)
    }
}

impl Schedule {
    fn write_steps(&self, steps: &[Step], depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = "  ".repeat(depth);
        let slots = |list: &[usize]| {
            let list: Vec<String> = list.iter().map(|slot| format!("slot {slot}")).collect();
            list.join(", ")
        };
        for step in steps {
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
                        Some(Only { above, at_most, .. }) => match (above, at_most) {
                            (None, None) => String::new(),
                            (None, Some(most)) => format!(", rows up to {most}"),
                            (Some(above), None) => format!(", rows longer than {above}"),
                            (Some(above), Some(most)) => {
                                format!(", rows longer than {above}, up to {most}")
                            }
                        },
                    };
                    let arguments: Vec<String> =
                        arguments.iter().map(Argument::to_string).collect();
                    let Some(kernel) = self.kernels.get(*kernel) else {
                        continue;
                    };
                    let results = match outputs.is_empty() {
                        true => String::new(),
                        false => format!(" -> {}", slots(outputs)),
                    };
                    writeln!(
                        f,
                        "{indent}launch {}({}){results}    {}{rows}",
                        kernel.name,
                        arguments.join(", "),
                        operators.join(", ")
                    )?;
                    for why in why {
                        writeln!(f, "{indent}  {why}")?;
                    }
                }
                Step::Free(slot) => writeln!(f, "{indent}free slot {slot}")?,
                Step::Read { slot, number } => {
                    writeln!(f, "{indent}read slot {slot} as number {number}")?;
                }
                Step::Cut { slot, .. } => writeln!(f, "{indent}cut slot {slot}")?,
                Step::Carry { .. } => {}
                Step::Set { numbers } => {
                    let numbers: Vec<String> = numbers
                        .iter()
                        .map(|(number, _)| number.to_string())
                        .collect();
                    writeln!(f, "{indent}set number {}", numbers.join(", "))?;
                }
                Step::Keep { from, to } => {
                    writeln!(f, "{indent}keep {} as {}", slots(from), slots(to))?;
                }
                Step::Repeat { steps, .. } => {
                    writeln!(f, "{indent}repeat")?;
                    self.write_steps(steps, depth + 1, f)?;
                }
                Step::While {
                    before,
                    condition,
                    steps,
                } => {
                    writeln!(f, "{indent}before each iteration")?;
                    self.write_steps(before, depth + 1, f)?;
                    writeln!(f, "{indent}while slot {condition} is true")?;
                    self.write_steps(steps, depth + 1, f)?;
                }
                Step::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    writeln!(f, "{indent}if slot {condition} is true")?;
                    self.write_steps(then, depth + 1, f)?;
                    writeln!(f, "{indent}otherwise")?;
                    self.write_steps(otherwise, depth + 1, f)?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Slot(slot) => write!(f, "slot {slot}"),
            Argument::Changed(slot) => write!(f, "slot {slot}, which changes"),
            Argument::Number(number) => write!(f, "number {number}"),
            Argument::Own(slot) => write!(f, "slot {slot}, its own"),
            Argument::Literal(literal) => write!(f, "{literal}"),
        }
    }
}
