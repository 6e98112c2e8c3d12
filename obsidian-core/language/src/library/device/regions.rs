//! Leaving loops: `break`, `continue` and an early `return`.
//!
//! The kernel's `break` leaves the innermost loop. What leaves several puts the number of the one that it
//! is for into a cell first; behind each loop that it passes stands `if leaving != 0 { break }`. A round
//! with a `continue`, and a function that is left early, are loops of one round.

use super::run::Frame;
use super::tree::{Num, Ty};
use super::values::{Cells, Val};
use crate::program::{Action, Thread, Trace, counter};
use crate::scalar::{Exp, lit};

/// A loop that can be left.
pub(super) struct Region {
    kind: Kind,
    /// Where `break` puts a value.
    gives: Option<Cells>,
    /// Is it left from its own statements, from a loop inside, or on the way to one outside?
    left: bool,
    left_from_inside: bool,
    passed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Function,
    Loop(u32),
    Round(u32),
}

impl Region {
    fn new(kind: Kind, gives: Option<Cells>) -> Region {
        Region {
            kind,
            gives,
            left: false,
            left_from_inside: false,
            passed: false,
        }
    }

    /// The function itself.
    pub(super) fn function() -> Region {
        Region::new(Kind::Function, None)
    }

    /// A loop.
    pub(super) fn of_loop(id: u32, gives: Option<Cells>) -> Region {
        Region::new(Kind::Loop(id), gives)
    }

    /// One round of a loop.
    pub(super) fn of_round(id: u32) -> Region {
        Region::new(Kind::Round(id), None)
    }

    /// Does anything leave it?
    pub(super) fn is_left(&self) -> bool {
        self.left || self.left_from_inside
    }
}

/// A list of actions that can be left: a loop of one round.
pub(super) fn once(actions: Vec<Action>, trace: &mut Trace<Thread>) {
    trace.push(Action::SeqFor {
        counter: counter().0,
        count: lit(1u32).node(),
        body: actions,
    });
}

impl Frame<'_> {
    /// The cells for what `break` gives.
    pub(super) fn value_of(&self, id: u32) -> Option<Cells> {
        let region = self.regions.iter().rev().find(|r| r.kind == Kind::Loop(id));
        region.and_then(|r| r.gives.clone())
    }

    /// `break`
    pub(super) fn leave_loop(&mut self, id: u32, trace: &mut Trace<Thread>) {
        self.leave_kind(Kind::Loop(id), trace);
    }

    /// `continue`
    pub(super) fn leave_round(&mut self, id: u32, trace: &mut Trace<Thread>) {
        self.leave_kind(Kind::Round(id), trace);
    }

    fn leave_kind(&mut self, kind: Kind, trace: &mut Trace<Thread>) {
        if let Some(n) = self.regions.iter().rposition(|r| r.kind == kind) {
            self.leave(n, trace);
        }
    }

    /// Leaves the n-th region and all inside of it.
    pub(super) fn leave(&mut self, n: usize, trace: &mut Trace<Thread>) {
        let top = self.regions.len() - 1;
        if let Some(region) = self.regions.get_mut(n) {
            if n == top {
                region.left = true;
            } else {
                region.left_from_inside = true;
                self.leaves_far = true;
                let number = Val::num(Num::U32, lit(n as u32 + 1).any());
                Cells::Num(Num::U32, self.leaving).assign(&number, trace);
            }
        }
        for passed in self.regions.iter_mut().skip(n + 1) {
            passed.passed = true;
        }
        trace.push(Action::Break {
            origin: crate::scalar::here(),
        });
    }

    /// Ends the innermost region: what stands behind its loop.
    pub(super) fn behind(&mut self, trace: &mut Trace<Thread>) {
        let number = self.regions.len() as u32;
        let Some(region) = self.regions.pop() else {
            return;
        };
        let leaving = Cells::Num(Num::U32, self.leaving);
        let value = |trace: &mut Trace<Thread>| -> Exp<u32> {
            match leaving.get(trace) {
                Val::Num(_, value, _) => value.typed().unwrap_or_else(Exp::poison),
                _ => Exp::poison(),
            }
        };
        let zero = Val::zero(&Ty::Num(Num::U32));
        if region.left_from_inside {
            if region.passed {
                let condition = value(trace).eq(number);
                let ((), then) = trace.nested(trace.level(), |t| leaving.assign(&zero, t));
                trace.push(Action::Cond {
                    condition: condition.node(),
                    then,
                    otherwise: Vec::new(),
                });
            } else {
                leaving.assign(&zero, trace);
            }
        }
        if region.passed {
            let condition = value(trace).ne(0u32);
            trace.push(Action::Cond {
                condition: condition.node(),
                then: vec![Action::Break {
                    origin: crate::scalar::here(),
                }],
                otherwise: Vec::new(),
            });
        }
    }
}
