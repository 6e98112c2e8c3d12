//! The reference: follows every thread of the kernel's plan.

use obsidian_core::scalar::Literal;
use obsidian_core::simulate;

use super::{Backend, HostArray, Launch, Parameter};
use crate::error::{Error, ErrorKind, Result};

/// The simulator.
#[derive(Debug)]
pub(crate) struct Simulator;

/// One parameter, as the simulator wants it.
enum Content {
    Array(Vec<u64>),
    Scalar(Literal),
}

impl Backend for Simulator {
    fn name(&self) -> &str {
        "simulator"
    }

    /// Follows the kernel's plan.
    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        let plan = launch.kernel.plan()?;
        if launch.blocks == 0 {
            return Ok(());
        }
        let mut contents = launch.parameters.iter().map(content).collect::<Result<Vec<_>>>()?;
        let mut arguments: Vec<simulate::Argument<'_>> = contents
            .iter_mut()
            .map(|content| match content {
                Content::Array(bits) => simulate::Argument::Array(bits),
                Content::Scalar(value) => simulate::Argument::Scalar(*value),
            })
            .collect();
        simulate::run(plan, &mut arguments, launch.grid()).map_err(|fault| Error::new(ErrorKind::Fault, fault.to_string()))?;
        give_back(contents, &mut launch.parameters)
    }
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
