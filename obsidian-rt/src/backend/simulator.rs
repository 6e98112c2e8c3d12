//! The reference: follows every thread of the kernel's plan.

use std::sync::{Arc, Mutex, PoisonError};

use obsidian_base::counts::Counts;
#[cfg(feature = "explore")]
use obsidian_base::launch::ParameterRole;
use obsidian_core::plan::Plan;
use obsidian_core::simulate::{self, Fault, Shown};
use obsidian_language::error::Origin;
use obsidian_language::scalar::Literal;

use super::{Backend, HostArray, Launch, Memory, Parameter};
use crate::error::{Error, ErrorKind, Result};

/// How many real blocks of a kernel the simulator holds at once: few, so that each works through
/// several virtual blocks.
const RESIDENT: u32 = 3;

/// The simulator.
#[derive(Clone, Default, Debug)]
pub(crate) struct Simulator {
    /// Receivers of the counts of launches.
    counts: Vec<Arc<Mutex<Counts>>>,
}

/// One parameter, as the simulator wants it.
enum Content {
    Array(Vec<u64>),
    Scalar(Literal),
}

impl Backend for Simulator {
    fn name(&self) -> &str {
        "simulator"
    }

    fn upload_owned(&self, array: HostArray) -> Result<Memory> {
        Ok(Memory::host(array))
    }

    fn reads_host(&self) -> bool {
        true
    }

    /// Follows the kernel's plan.
    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        let plan = launch.kernel.plan()?;
        if launch.blocks == 0 {
            return Ok(());
        }
        let mut contents = launch
            .parameters
            .iter()
            .map(content)
            .collect::<Result<Vec<_>>>()?;
        let mut arguments: Vec<simulate::Argument<'_>> = contents
            .iter_mut()
            .map(|content| match content {
                Content::Array(bits) => simulate::Argument::Array(bits),
                Content::Scalar(value) => simulate::Argument::Scalar(*value),
            })
            .collect();
        let blocks = if launch.resident() {
            launch.grid().min(RESIDENT)
        } else {
            launch.grid()
        };
        #[expect(clippy::print_stdout, reason = "`show!` prints, as on a GPU")]
        let mut print = |shown: &Shown<'_>| println!("{}", line(shown));
        let done = simulate::run_showing(plan, &mut arguments, blocks, &mut print)
            .map_err(|fault| located(plan, &fault))?;
        for counts in &self.counts {
            *counts.lock().unwrap_or_else(PoisonError::into_inner) += &done;
        }
        give_back(contents, &mut launch.parameters)
    }

    fn counting(&self, counts: Arc<Mutex<Counts>>) -> Option<Arc<dyn Backend>> {
        let mut device = self.clone();
        device.counts.push(counts);
        Some(Arc::new(device))
    }
}

/// What some blocks of a launch have done.
#[cfg(feature = "explore")]
#[derive(Debug)]
pub(crate) struct Sample {
    /// The counts of each block, in the order in which they ran.
    pub(crate) counts: Vec<Counts>,
    /// By parameter.
    pub(crate) written: Vec<Written>,
}

/// What blocks have written of one parameter. Of large arrays that is many elements, so they lie here once.
#[derive(Debug)]
#[cfg(feature = "explore")]
pub(crate) struct Written {
    /// In order, each once.
    elements: Vec<u32>,
    /// The array at the end.
    array: Option<Vec<u64>>,
}

#[cfg(feature = "explore")]
impl Written {
    /// The elements with their bits.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (u32, u64)> {
        let bits = |element: u32| {
            let array = self.array.as_ref();
            array.map_or(0, |array| array[element as usize])
        };
        self.elements
            .iter()
            .map(move |element| (*element, bits(*element)))
    }
}

#[cfg(feature = "explore")]
impl simulate::Source for HostArray {
    fn len(&self) -> usize {
        HostArray::len(self)
    }

    fn bits(&self, element: usize) -> u64 {
        self.bits_of(element)
    }
}

/// Runs some real blocks of a launch on `grid` of them. The arrays of the launch stay as they are: their elements are read where they lie,
/// and what is written goes to a copy.
///
/// # Errors
/// [`ErrorKind::Fault`] for what no device may do.
#[cfg(feature = "explore")]
pub(crate) fn sample(launch: &Launch<'_>, grid: u32, blocks: &[u32]) -> Result<Sample> {
    let plan = launch.kernel.plan()?;
    let roles = launch.kernel.interface().parameters.iter();
    let mut copies: Vec<Option<Vec<u64>>> = Vec::with_capacity(launch.parameters.len());
    for (parameter, info) in launch.parameters.iter().zip(roles) {
        copies.push(match (parameter, parameter.memory()) {
            (Parameter::Input(_) | Parameter::Scalar(_), _) | (_, None) => None,
            // Of an output, nothing is read that was not written: pages that no block writes are never touched.
            (_, Some(memory)) if info.role == ParameterRole::Output => Some(vec![0; memory.len()]),
            (_, Some(memory)) => Some(memory.as_host()?.bits()),
        });
    }
    let sampled = {
        let mut arguments = Vec::with_capacity(copies.len());
        for (parameter, copy) in launch.parameters.iter().zip(&mut copies) {
            arguments.push(match (parameter, copy) {
                (Parameter::Scalar(value), _) => simulate::Argument::Scalar(*value),
                (_, Some(bits)) => simulate::Argument::Array(bits),
                (Parameter::Input(memory), None) => simulate::Argument::Read(memory.as_host()?),
                (_, None) => {
                    return Err(Error::new(ErrorKind::Internal, "an array has no memory"));
                }
            });
        }
        simulate::run_some(plan, &mut arguments, grid, blocks)
            .map_err(|fault| located(plan, &fault))?
    };
    let of = |(mut elements, array): (Vec<u32>, Option<Vec<u64>>)| {
        elements.sort_unstable();
        elements.dedup();
        Written { elements, array }
    };
    Ok(Sample {
        counts: sampled.blocks,
        written: sampled.written.into_iter().zip(copies).map(of).collect(),
    })
}

/// What a thread shows, as a GPU prints it.
fn line(shown: &Shown<'_>) -> String {
    let values: Vec<String> = shown.values.iter().copied().map(Literal::plain).collect();
    format!(
        "{}: {} (block {}, thread {})",
        shown.name,
        values.join(", "),
        shown.block,
        shown.thread
    )
}

/// A fault as an error, with the places in the user's code that are known.
fn located(plan: &Plan, fault: &Fault) -> Error {
    let of_race = fault
        .race()
        .into_iter()
        .flatten()
        .map(|access| access.origin);
    let origins: Vec<Origin> = if fault.race().is_some() {
        of_race.collect()
    } else {
        vec![fault.origin()]
    };
    let mut places: Vec<String> = Vec::new();
    for origin in origins {
        // What the macro has read has spans of its own, which mean nothing here; kernels are built
        // natively for this device.
        let place = plan.kernel().tables.origins.place(origin);
        places.extend(place.filter(|place| !places.contains(place)));
    }
    Error::new(ErrorKind::Fault, fault.to_string()).placed(places.join(" and "))
}

fn content(parameter: &Parameter<'_>) -> Result<Content> {
    Ok(match (parameter, parameter.memory()) {
        (Parameter::Scalar(value), _) => Content::Scalar(*value),
        (_, Some(memory)) => Content::Array(memory.as_host()?.bits()),
        (_, None) => return Err(Error::new(ErrorKind::Internal, "an array has no memory")),
    })
}

/// Copies what was written to where it belongs.
fn give_back(contents: Vec<Content>, parameters: &mut [Parameter<'_>]) -> Result<()> {
    for (content, parameter) in contents.into_iter().zip(parameters) {
        if let (Content::Array(bits), Some(memory)) = (content, parameter.written()) {
            let ty = memory.ty();
            *memory.as_host_mut()? = HostArray::of_bits(ty, bits);
        }
    }
    Ok(())
}
