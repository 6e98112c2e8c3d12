//! Loops.

use super::regions::Region;
use super::run::{Frame, Machine, Maybe, Variable};
use super::tree::{Expr, Range, Slot};
use super::values::{Cells, Val};
use crate::ir::Level;
use crate::program::{Action, Thread, Trace};
use crate::scalar::lit;

impl<'d> Machine<'d> {
    pub(super) fn while_loop(
        &mut self,
        id: u32,
        condition: Option<&'d Expr>,
        body: &'d Expr,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) {
        self.while_or_loop(id, condition, body, None, frame, trace);
    }

    pub(super) fn while_or_loop(
        &mut self,
        id: u32,
        condition: Option<&'d Expr>,
        body: &'d Expr,
        gives: Option<Cells>,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) {
        frame.regions.push(Region::of_loop(id, gives));
        let (holds, head) = trace.nested(Some(Level::Thread), |trace| {
            let holds = match condition {
                Some(condition) => self
                    .expr(condition, false, frame, trace)
                    .map_or(lit(false), |value| value.condition()),
                None => lit(true),
            };
            match self.is_well(trace) {
                Some(well) => holds & well,
                None => holds,
            }
        });
        let body = self.rounds(id, body, frame, trace);
        trace.push(Action::SeqWhile {
            head,
            condition: holds.node(),
            body,
        });
        frame.behind(trace);
    }

    /// The actions of a round of a loop.
    pub(super) fn rounds(
        &mut self,
        id: u32,
        body: &'d Expr,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Vec<Action> {
        let continues = body.any(&|e| matches!(e, Expr::Continue(n) if *n == id));
        let ((), actions) = trace.nested(Some(Level::Thread), |trace| {
            if !continues {
                self.expr(body, false, frame, trace);
                return;
            }
            frame.regions.push(Region::of_round(id));
            let ((), round) = trace.nested(Some(Level::Thread), |trace| {
                self.expr(body, false, frame, trace);
            });
            super::regions::once(round, trace);
            frame.behind(trace);
        });
        actions
    }

    pub(super) fn for_loop(
        &mut self,
        id: u32,
        slots: &'d [Slot],
        range: &'d Range,
        body: &'d Expr,
        frame: &mut Frame<'d>,
        trace: &mut Trace<Thread>,
    ) -> Maybe {
        let counted = match range {
            Range::Numbers(from, to, inclusive, reversed, step, place) => {
                let from = self.expr(from, false, frame, trace)?;
                let to = self.expr(to, false, frame, trace)?;
                let step = match step {
                    Some(step) => Some(self.expr(step, false, frame, trace)?),
                    None => None,
                };
                let range = super::counting::Numbers {
                    from,
                    to,
                    inclusive: *inclusive,
                    reversed: *reversed,
                    step,
                    place: *place,
                };
                range.counted(self, trace)
            }
            Range::Elements(of) | Range::Numbered(of) => {
                let of = self.expr(of, false, frame, trace)?;
                let numbered = matches!(range, Range::Numbered(_));
                super::counting::elements(of, numbered)
            }
        };
        let count = match self.is_well(trace) {
            Some(well) => crate::scalar::select_exp(well, counted.count, lit(0)),
            None => counted.count,
        };
        frame.regions.push(Region::of_loop(id, None));
        let (counter, k) = crate::program::counter();
        let ((), body) = trace.nested(Some(Level::Thread), |trace| {
            for (slot, value) in slots.iter().zip((counted.values)(k)) {
                frame.set(*slot, Variable::Value(value));
            }
            let actions = self.rounds(id, body, frame, trace);
            trace.splice(actions);
        });
        trace.push(Action::SeqFor {
            counter,
            count: count.node(),
            body,
        });
        frame.behind(trace);
        Some(Val::Tuple(Vec::new()))
    }
}
