//! Runs any kernel on the CPU, by columns.
//!
//! The macro prints a kernel as Rust, which is the faster way. A kernel that is built while the
//! program runs has no such text: this engine follows its lowered statements instead, for strips of a
//! few hundred lanes at a time. Each operation is one loop over a column of values, which the compiler
//! has made vectors of; so what it costs to find the next operation is shared by all lanes of a strip.
//!
//! What a kernel means is what it means elsewhere: operators are those of
//! `obsidian_core::scalar::meaning`, an arm of a `select` that reads arrays is computed only by lanes
//! that choose it, and blocks run at the same time, with relaxed atomics for what they write.
//!
//! | file | what it does |
//! |---|---|
//! | `code` | the instructions, registers and accesses of a program |
//! | `compile` | from the lowered kernel to a program, once for a plan |
//! | `files` | registers and arrays, a file for each element type |
//! | `masks` | which lanes take part |
//! | `operators`, `memory` | loops over columns: operators; loads, stores and atomics |
//! | `scratch` | what a worker keeps from block to block |
//! | `execute` | runs a program: what is in front of the blocks, then the blocks |

mod code;
mod compile;
mod execute;
mod files;
mod masks;
mod memory;
mod operators;
mod scratch;
#[cfg(test)]
mod tests;

pub(crate) use code::Program;

use obsidian_core::plan::Plan;
use obsidian_language::error::Origin;
use obsidian_language::scalar::{ArrayId, Literal, ScalarType};

use super::{HostArray, Launch, Parameter};
use crate::element::{Element, by_type};
use crate::error::{Error, ErrorKind, Result};
use code::{Outside, Reg, Slot};
use execute::Sharing;
use files::{Globals, Lane};

/// An index outside of its array.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) array: ArrayId,
    pub(super) origin: Origin,
    pub(super) index: u32,
    pub(super) length: usize,
    /// Does the user vouch for the index?
    pub(super) vouched: bool,
    /// The text of the assertion that does not hold, if it is one.
    pub(super) assertion: Option<String>,
}

/// Compiles a plan.
///
/// # Errors
/// [`ErrorKind::Internal`] for a kernel that is not what the passes make.
pub(crate) fn compile(plan: &Plan) -> Result<Program> {
    compile::compile(plan, None).map_err(internal)
}

fn internal(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Internal, message)
}

/// Runs a launch; an access that is outside of its array is given back.
///
/// # Errors
/// [`ErrorKind::Internal`] if the parameters are not those of the program.
pub(super) fn run(program: &Program, launch: &mut Launch<'_>) -> Result<Option<Fault>> {
    let limit = launch.limit;
    let parameters = &mut launch.parameters;
    let lengths: Vec<usize> = parameters
        .iter()
        .map(|parameter| parameter.memory().map_or(0, super::Memory::len))
        .collect();
    let sharing = Sharing {
        limit,
        elements: lengths.iter().map(|length| *length as u64).sum(),
    };
    let mut numbers: Vec<(Reg, Literal)> = program
        .lengths
        .iter()
        .map(|(reg, position)| {
            let length = lengths.get(*position).copied().unwrap_or(0);
            (*reg, execute::length(length))
        })
        .collect();
    let globals = bound(program, parameters, &mut numbers)?;
    let files = execute::prepared(program, &numbers);
    let result = execute::run(program, files, &globals, sharing);
    Ok(result.err().and_then(|outside| fault(program, outside)))
}

/// The arrays of a launch; its numbers are added to `numbers`.
fn bound<'a>(
    program: &Program,
    parameters: &'a mut [Parameter<'_>],
    numbers: &mut Vec<(Reg, Literal)>,
) -> Result<Globals<'a>> {
    if program.slots.len() != parameters.len() {
        return Err(internal("the kernel has other parameters"));
    }
    let mut globals = Globals::default();
    for (slot, parameter) in program.slots.iter().zip(parameters) {
        match (slot, parameter) {
            (Slot::Number(reg), Parameter::Scalar(value)) if value.ty() == reg.ty() => {
                numbers.push((*reg, *value));
            }
            (Slot::Input(ty), Parameter::Input(memory)) => {
                input(&mut globals, *ty, memory.as_host()?)?;
            }
            (Slot::Cells(ty), Parameter::InOut(memory)) => {
                cells(&mut globals, *ty, memory.as_host_mut()?)?;
            }
            (Slot::Cells(ty), Parameter::Output(memory)) => {
                cells(&mut globals, *ty, memory.as_host_mut()?)?;
            }
            _ => return Err(internal("a parameter is not what the kernel expects")),
        }
    }
    Ok(globals)
}

fn fault(program: &Program, outside: Outside) -> Option<Fault> {
    let site = program.sites.get(outside.site as usize)?;
    Some(Fault {
        array: site.array,
        origin: site.origin,
        index: outside.index,
        length: outside.length,
        vouched: site.vouched,
        assertion: site
            .assertion
            .and_then(|number| program.assertions.get(number as usize).cloned()),
    })
}

/// Gives the blocks an array to read.
fn input<'a>(globals: &mut Globals<'a>, ty: ScalarType, array: &'a HostArray) -> Result<()> {
    by_type!(ty, T => {
        let elements = array.elements::<T>();
        let elements = elements.ok_or_else(|| internal("an input has another type"))?;
        T::global_mut(globals).inputs.push(elements);
        Ok(())
    })
}

/// Gives the blocks an array to write.
fn cells<'a>(globals: &mut Globals<'a>, ty: ScalarType, array: &'a mut HostArray) -> Result<()> {
    by_type!(ty, T => {
        let elements = array.slice_mut::<T>();
        let elements = elements.ok_or_else(|| internal("an output has another type"))?;
        T::global_mut(globals).cells.push(T::cells(elements));
        Ok(())
    })
}
