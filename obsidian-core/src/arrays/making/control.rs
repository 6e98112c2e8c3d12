//! The steps of loops and choices, whose parts have been made.

use super::Making;
use crate::arrays::Step;
use crate::arrays::graph::{Control, NodeNumber};

impl Making<'_> {
    /// Adds a control, around the steps of its parts.
    pub(super) fn control(&mut self, number: usize) {
        let planned = self.planned;
        let Some(own) = planned.controls.get(number) else {
            return;
        };
        let [mut first, mut second] =
            [0, 1].map(|part| self.steps.remove(&Some((number, part))).unwrap_or_default());
        for outcome in &own.outcomes {
            self.take_slots(*outcome);
        }
        match &own.control {
            Control::Repeat { round, .. } => {
                self.pass_on(&round.initial, &round.states);
                second.push(self.kept(&round.next, &round.states));
                if let Some(times) = own.times.clone() {
                    self.push(Step::Repeat {
                        times,
                        steps: second,
                    });
                }
                self.pass_on(&round.states, &own.outcomes);
            }
            Control::While { condition, round } => {
                self.pass_on(&round.initial, &round.states);
                second.push(self.kept(&round.next, &round.states));
                let condition = self.slots_of(&[*condition]).first().copied().unwrap_or(0);
                self.push(Step::While {
                    before: first,
                    condition,
                    steps: second,
                });
                self.pass_on(&round.states, &own.outcomes);
            }
            Control::If { condition, parts } => {
                first.push(self.kept(&parts[0].1, &own.outcomes));
                second.push(self.kept(&parts[1].1, &own.outcomes));
                let condition = self.slots_of(&[*condition]).first().copied().unwrap_or(0);
                self.push(Step::If {
                    condition,
                    then: first,
                    otherwise: second,
                });
            }
        }
    }

    fn pass_on(&mut self, from: &[NodeNumber], to: &[NodeNumber]) {
        let step = self.kept(from, to);
        self.push(step);
    }

    /// The step that keeps arrays under other numbers.
    fn kept(&self, from: &[NodeNumber], to: &[NodeNumber]) -> Step {
        Step::Keep {
            from: self.slots_of(from),
            to: self.slots_of(to),
        }
    }

    fn slots_of(&self, nodes: &[NodeNumber]) -> Vec<usize> {
        let of = |node: &NodeNumber| self.slots.get(node).cloned().unwrap_or_default();
        nodes.iter().flat_map(of).collect()
    }
}
