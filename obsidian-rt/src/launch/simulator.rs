//! Launching on the simulator.

use obsidian_core::plan::{Interface, ParameterRole};
use obsidian_core::scalar::Literal;
use obsidian_core::simulate;

use super::argument::{Argument, Content, bits, elements};
use super::check::Checked;
use super::cpu::put;
use super::outputs::Memories;
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// One parameter, as the simulator wants it.
enum Content64 {
    Array(Vec<u64>),
    Scalar(Literal),
}

/// Follows the kernel's plan.
pub(super) fn run(
    kernel: &Kernel,
    device: &Device,
    checked: &Checked,
    arguments: &mut [Argument<'_>],
    memories: &mut Memories,
) -> Result<()> {
    let plan = kernel.plan()?;
    if checked.blocks == 0 {
        return Ok(());
    }
    let mut contents = contents(kernel.interface(), checked, arguments, memories)?;
    let grid = device.blocks().map_or(checked.blocks, |blocks| blocks.min(checked.blocks));
    let mut parameters: Vec<simulate::Argument<'_>> = contents
        .iter_mut()
        .map(|content| match content {
            Content64::Array(bits) => simulate::Argument::Array(bits),
            Content64::Scalar(value) => simulate::Argument::Scalar(*value),
        })
        .collect();
    simulate::run(plan, &mut parameters, grid).map_err(|fault| Error::new(ErrorKind::Fault, fault.to_string()))?;
    give_back(kernel.interface(), checked, &contents, arguments, memories);
    Ok(())
}

fn contents(interface: &Interface, checked: &Checked, arguments: &[Argument<'_>], memories: &Memories) -> Result<Vec<Content64>> {
    let content = |n: usize| match checked.arguments.get(n).copied().flatten().and_then(|position| arguments.get(position)) {
        Some(Argument { content: Content::Scalar(value), .. }) => Some(Content64::Scalar(*value)),
        Some(argument) => argument.bits().map(Content64::Array),
        None => {
            let memory = memories.memories.get(n)?.as_ref()?;
            bits(interface.parameters.get(n)?.ty, &**memory).map(Content64::Array)
        }
    };
    let internal = || Error::new(ErrorKind::Internal, "an argument is not what was checked");
    (0..interface.parameters.len()).map(|n| content(n).ok_or_else(internal)).collect()
}

/// Copies what was written to where it belongs.
fn give_back(interface: &Interface, checked: &Checked, contents: &[Content64], arguments: &mut [Argument<'_>], memories: &mut Memories) {
    for (n, (parameter, content)) in interface.parameters.iter().zip(contents).enumerate() {
        let Content64::Array(bits) = content else { continue };
        match parameter.role {
            ParameterRole::Output => memories.memories[n] = Some(elements(parameter.ty, bits)),
            ParameterRole::InOut => {
                let argument = checked.arguments.get(n).copied().flatten().and_then(|position| arguments.get_mut(position));
                if let Some(Argument { ty, content: Content::InOut { memory, .. } }) = argument {
                    put(*ty, *memory, elements(*ty, bits));
                }
            }
            _ => {}
        }
    }
}
