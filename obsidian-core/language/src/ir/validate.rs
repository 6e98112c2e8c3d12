//! The rules of the kernel's statements, as code.
//!
//! Before: any [`Kernel`]. After: nothing, or the first rule that is broken. Run after each pass in
//! debug and test builds, and behind the last pass of a stage in all others, so that a fault is
//! found at the pass that made it and not in the text that a compiler at the user's refuses. It checks form: levels, scopes, types, places. It does
//! not check meaning: races, bounds and coverage are `plan::check`'s.

mod collectives;
mod expressions;
mod statements;

use std::fmt;

use crate::hashed::HashSet;

use super::uniform::Uniformity;
use super::{Kernel, Level, MAX_THREADS, ParameterKind, Stage};
use crate::error::internal;
use crate::scalar::{
    Array, ArrayId, ArrayPlace, NodeId, ScalarType, Variable, VariableId, VariableKind,
};

/// A rule of the IR that a kernel breaks: always a defect of a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Violation {}

type Result = std::result::Result<(), Violation>;

/// The violation with this message, if the rule does not hold.
fn rule(holds: bool, message: impl FnOnce() -> String) -> Result {
    if holds {
        Ok(())
    } else {
        Err(Violation { message: message() })
    }
}

/// Checks that a kernel is well formed; the error is the first rule that it breaks.
pub fn validate<S: Stage>(kernel: &Kernel<S>) -> Result {
    // A lookup that fails on the way breaks the rule that a kernel names what is in its tables.
    internal::caught(|| check(kernel)).unwrap_or_else(|fault| {
        Err(Violation {
            message: fault.message,
        })
    })
}

fn check<S: Stage>(kernel: &Kernel<S>) -> Result {
    let mut checker = Checker {
        kernel,
        uniformity: S::IS_PHYSICAL.then(|| Uniformity::new(kernel)),
        scope: Scope::default(),
        allocated: HashSet::default(),
    };
    checker.tables()?;
    let place = Place {
        level: Level::Grid,
        agree: Level::Grid,
        breakable: false,
        order: Order::Outermost,
    };
    let of_blocks = |is: fn(S::Loop) -> bool| {
        let loops = kernel.body.iter().enumerate();
        let mut own = loops.filter(|(_, s)| s.counts().is_some_and(is));
        own.next().map(|(at, _)| at)
    };
    if let Some(at) = of_blocks(S::is_last) {
        rule(
            at + 1 == kernel.body.len() && of_blocks(S::is_ordered).is_none(),
            || {
                "what the last block does is not the last statement, or blocks have an order"
                    .to_owned()
            },
        )?;
    }
    checker.list(&kernel.body, place)
}

/// Where a list stands.
#[derive(Clone, Copy)]
struct Place {
    /// Who executes it.
    level: Level,
    /// The level up to which all agree on executing it (physical stage).
    agree: Level,
    /// May a `Break` leave a loop here?
    breakable: bool,
    order: Order,
}

/// Is there a loop around a list whose blocks have an order?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// No, and it is the list of the kernel.
    Outermost,
    None,
    /// Somewhere.
    Around,
    /// It is the list of that loop.
    Directly,
}

impl Order {
    fn is_around(self) -> bool {
        matches!(self, Order::Around | Order::Directly)
    }

    /// In a list of a statement of this one.
    fn inside(self) -> Order {
        match self {
            Order::Outermost | Order::None => Order::None,
            Order::Around | Order::Directly => Order::Around,
        }
    }
}

/// What is bound at a point of the kernel. Nodes that were found to use only bound names are
/// remembered.
#[derive(Default)]
struct Scope {
    variables: HashSet<VariableId>,
    arrays: HashSet<ArrayId>,
    nodes: HashSet<NodeId>,
    log: Vec<Bound>,
}

enum Bound {
    Variable(VariableId),
    Array(ArrayId),
    Node(NodeId),
}

impl Scope {
    /// Forgets what was bound since the log had this length.
    fn leave(&mut self, mark: usize) {
        for bound in self.log.drain(mark..) {
            match bound {
                Bound::Variable(variable) => self.variables.remove(&variable),
                Bound::Array(array) => self.arrays.remove(&array),
                Bound::Node(node) => self.nodes.remove(&node),
            };
        }
    }
}

struct Checker<'k, S: Stage> {
    kernel: &'k Kernel<S>,
    /// Only real threads can disagree on the way to a barrier that they all have to reach: the same
    /// mistake in a levelled kernel is the user's, and `plan::check` reports it.
    uniformity: Option<Uniformity>,
    scope: Scope,
    /// Every array that was begun anywhere so far.
    allocated: HashSet<ArrayId>,
}

impl<'k, S: Stage> Checker<'k, S> {
    fn array(&self, id: ArrayId) -> std::result::Result<&'k Array, Violation> {
        let array = self.kernel.tables.arrays.get(id.0 as usize);
        array.ok_or_else(|| Violation {
            message: format!("array {} is not in the table", id.0),
        })
    }

    fn variable(&self, id: VariableId) -> std::result::Result<&'k Variable, Violation> {
        let variable = self.kernel.tables.variables.get(id.0 as usize);
        variable.ok_or_else(|| Violation {
            message: format!("variable {} is not in the table", id.0),
        })
    }

    /// Parameters, requirements and the number of threads.
    fn tables(&mut self) -> Result {
        for parameter in &self.kernel.parameters {
            match parameter.kind {
                ParameterKind::Array(id) => {
                    let array = self.array(id)?;
                    rule(matches!(array.place, ArrayPlace::Global(_)), || {
                        format!("parameter `{}` is not a global array", array.name)
                    })?;
                    rule(self.scope.arrays.insert(id), || {
                        format!("array `{}` is two parameters", array.name)
                    })?;
                }
                ParameterKind::Scalar(id) => {
                    let kind = self.variable(id)?.kind;
                    rule(kind == VariableKind::Argument, || {
                        format!("parameter variable {} is of kind {kind:?}", id.0)
                    })?;
                    self.bind(id, VariableKind::Argument, None)?;
                }
            }
        }
        let required = self.kernel.tables.requirements.iter();
        let lengths =
            required.flat_map(|r| r.constraint.other().copied().into_iter().chain([r.length]));
        let parameters = self.kernel.parameters.iter().filter_map(|p| match p.kind {
            ParameterKind::Array(id) => self
                .kernel
                .tables
                .arrays
                .get(id.0 as usize)
                .map(|a| a.length),
            ParameterKind::Scalar(_) => None,
        });
        for length in lengths.chain(parameters).collect::<Vec<_>>() {
            self.typed(length, ScalarType::U32, "a length")?;
        }
        S::known_threads(self.kernel.threads).map_or(Ok(()), |n| {
            rule((1..=MAX_THREADS).contains(&n), || format!("{n} threads"))
        })
    }

    /// Binds a variable for the rest of the scope.
    fn bind(&mut self, id: VariableId, kind: VariableKind, ty: Option<ScalarType>) -> Result {
        let variable = self.variable(id)?;
        let name = || {
            variable
                .name
                .clone()
                .unwrap_or_else(|| format!("v{}", id.0))
        };
        // Threads become concrete by naming the counter of a `ForAll`.
        let counter =
            S::IS_PHYSICAL && kind == VariableKind::Let && variable.kind == VariableKind::Counter;
        rule(variable.kind == kind || counter, || {
            format!("`{}` is of kind {:?}, not {kind:?}", name(), variable.kind)
        })?;
        if let Some(ty) = ty {
            rule(variable.ty == ty, || {
                format!(
                    "`{}` is of type {}, its value of type {}",
                    name(),
                    variable.ty.name(),
                    ty.name()
                )
            })?;
        }
        rule(self.scope.variables.insert(id), || {
            format!("`{}` is bound in its own scope", name())
        })?;
        self.scope.log.push(Bound::Variable(id));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
