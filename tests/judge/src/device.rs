//! The judge as a device: typed launches run on it like on any other, and give an error of the kind
//! [`ErrorKind::Fault`] for what is wrong.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use obsidian_core::scalar::{Node, Special};
use obsidian_core::simulate;
use obsidian_rt::backend::{Backend, HostArray, Launch, Parameter, error};
use obsidian_rt::{Device, ErrorKind, Result};

use crate::{Argument, Subject, TooLong, judge};

/// Operations of a launch that is judged, unless said otherwise.
const LIMIT: u64 = 20_000_000;

/// How many launches were judged.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Launches, each over several grids.
    pub judged: u64,
    /// Those of them that had blocks to run.
    pub with_blocks: u64,
    /// Launches that were too long, or whose blocks have an order; the simulator ran them.
    pub left_out: u64,
    /// Accesses of shared memory and of buffers.
    pub accesses: u64,
}

/// Judges launches. It is cheap to clone; clones have one tally.
#[derive(Clone, Debug)]
pub struct Judge {
    tally: Arc<Mutex<Tally>>,
    limit: u64,
}

impl Default for Judge {
    fn default() -> Self {
        Judge {
            tally: Arc::default(),
            limit: LIMIT,
        }
    }
}

impl Judge {
    /// The same, with at most `limit` operations for a launch.
    #[must_use]
    pub fn with_limit(self, limit: u64) -> Judge {
        Judge { limit, ..self }
    }

    /// The device.
    pub fn device(&self) -> Device {
        Device::from_backend(self.clone())
    }

    /// What it has done so far.
    pub fn tally(&self) -> Tally {
        *self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, change: impl FnOnce(&mut Tally)) {
        change(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Backend for Judge {
    fn name(&self) -> &str {
        "judge"
    }

    /// Judges the kernel's plan over the grid of the launch, over one real block, and over two; and with
    /// buffers that begin anywhere, if the kernel asks for that.
    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        let arguments = arguments(launch)?;
        // What blocks leave for each other is told from no barrier.
        let mut orders = launch.interface().orders.iter();
        if orders.any(|order| order.words() > 0) {
            self.count(|tally| tally.left_out += 1);
            return simulated(launch, arguments);
        }
        let mut subject = Subject::from(launch.kernel().plan()?);
        let mut grids = vec![(launch.grid(), true)];
        grids.extend(
            [1, 2]
                .map(|n| (n, true))
                .into_iter()
                .filter(|(n, _)| *n < launch.grid()),
        );
        grids.extend(asks_for_alignment(&subject).then_some((launch.grid(), false)));
        let (mut first, mut accesses) = (None, 0);
        for (grid, aligned) in grids {
            subject.aligned = aligned;
            match judge(&subject, &arguments, grid, self.limit) {
                Err(TooLong) => {
                    self.count(|tally| tally.left_out += 1);
                    return simulated(launch, arguments);
                }
                Ok(judgement) if judgement.findings.is_empty() => {
                    accesses += judgement.accesses;
                    let known = first.get_or_insert_with(|| judgement.arguments.clone());
                    if !aligned && *known != judgement.arguments {
                        let words = "buffers that are not aligned give another result";
                        return Err(error(ErrorKind::Fault, words));
                    }
                }
                Ok(judgement) => {
                    let mut words = format!("over {grid} real blocks:");
                    for finding in &judgement.findings {
                        let _ = write!(words, "\n  {finding}");
                    }
                    return Err(error(ErrorKind::Fault, words));
                }
            }
        }
        self.count(|tally| {
            tally.judged += 1;
            tally.with_blocks += u64::from(launch.blocks() > 0);
            tally.accesses += accesses;
        });
        give_back(first.unwrap_or(arguments), launch)
    }
}

/// Does a kernel do one thing if its buffers are aligned, and another one if they are not?
fn asks_for_alignment(subject: &Subject) -> bool {
    let nodes = &subject.physical.tables.nodes;
    nodes
        .ids()
        .any(|id| nodes.node(id) == Node::Special(Special::Aligned))
}

/// What a launch that is left out gives.
fn simulated(launch: &mut Launch<'_>, mut arguments: Vec<Argument>) -> Result<()> {
    let mut given: Vec<simulate::Argument<'_>> = arguments
        .iter_mut()
        .map(|argument| match argument {
            Argument::Array(bits) => simulate::Argument::Array(bits),
            Argument::Scalar(value) => simulate::Argument::Scalar(*value),
        })
        .collect();
    simulate::run(launch.kernel().plan()?, &mut given, launch.grid())
        .map_err(|fault| error(ErrorKind::Fault, fault.to_string()))?;
    give_back(arguments, launch)
}

fn arguments(launch: &Launch<'_>) -> Result<Vec<Argument>> {
    let argument = |parameter: &Parameter<'_>| {
        Ok(match (parameter, parameter.memory()) {
            (Parameter::Scalar(value), _) => Argument::Scalar(*value),
            (_, Some(memory)) => Argument::Array(memory.as_host()?.bits()),
            (_, None) => return Err(error(ErrorKind::Internal, "an array has no memory")),
        })
    };
    launch.parameters().iter().map(argument).collect()
}

fn give_back(arguments: Vec<Argument>, launch: &mut Launch<'_>) -> Result<()> {
    for (argument, parameter) in arguments.into_iter().zip(launch.parameters_mut()) {
        if let (Argument::Array(bits), Some(memory)) = (argument, parameter.written()) {
            let ty = memory.ty();
            *memory.as_host_mut()? = HostArray::of_bits(ty, bits);
        }
    }
    Ok(())
}
