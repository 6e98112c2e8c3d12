//! The steps of loops and choices, whose parts have been made.

use super::Making;
use crate::arrays::Step;
use crate::arrays::graph::{Control, NodeNumber, StateExtent};
use crate::arrays::program::PlannedProgram;
use crate::plan::{Formula, Step as FormulaStep};

impl Making<'_> {
    /// Adds a control, around the steps of its parts.
    pub(super) fn control(&mut self, number: usize) {
        let planned = self.planned;
        let Some(own) = planned.controls.get(number) else {
            return;
        };
        let changing = Changing::of(planned, number, self.classes.given_numbers());
        let [mut first, mut second] =
            [0, 1].map(|part| self.steps.remove(&Some((number, part))).unwrap_or_default());
        for outcome in &own.outcomes {
            self.take_slots(*outcome);
        }
        match &own.control {
            Control::Repeat { round, .. } => {
                self.pass_on(&round.initial, &round.states);
                self.push_all(changing.from(planned, &round.initial));
                second = changing.begin().into_iter().chain(second).collect();
                second.push(self.kept(&round.next, &round.states));
                second.extend(changing.from(planned, &round.next));
                if let Some(times) = own.times.clone() {
                    self.push(Step::Repeat {
                        times,
                        steps: second,
                    });
                }
                self.pass_on(&round.states, &own.outcomes);
                self.push_all(changing.end());
            }
            Control::While { condition, round } => {
                self.pass_on(&round.initial, &round.states);
                self.push_all(changing.from(planned, &round.initial));
                first = changing.begin().into_iter().chain(first).collect();
                second.push(self.kept(&round.next, &round.states));
                second.extend(changing.from(planned, &round.next));
                let condition = self.slots_of(&[*condition]).first().copied().unwrap_or(0);
                self.push(Step::While {
                    before: first,
                    condition,
                    steps: second,
                });
                self.pass_on(&round.states, &own.outcomes);
                self.push_all(changing.end());
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

    fn push_all(&mut self, steps: Option<Step>) {
        steps.into_iter().for_each(|step| self.push(step));
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

/// The extents of a loop's state that iterations change. Each has a number that goes from one iteration to the next, which nothing else has: what
/// has to hold of the extents of a state is asked when an iteration begins, and not of those that no iteration takes.
struct Changing {
    all: Vec<OneChanging>,
}

/// The extent, the number that is carried, that at the beginning of an iteration and that behind the loop, and how many axes the loop sees.
type OneChanging = (StateExtent, usize, ([Option<usize>; 2], usize));

impl Changing {
    /// Those of a control. Behind the numbers that a run is given come those that it reads, and then those that are carried.
    fn of(planned: &PlannedProgram, control: usize, given: usize) -> Changing {
        let first = given + planned.reads.len();
        let all = planned.changing.iter().enumerate();
        let own = all.filter(|(_, ((of, _, _), _))| *of == control);
        let number = |place: Option<usize>| place.map(|place| given + place);
        Changing {
            all: own
                .map(|(n, (extent, (places, rank)))| {
                    (*extent, first + n, (places.map(number), *rank))
                })
                .collect(),
        }
    }

    /// The extents of arrays are carried to the next iteration.
    fn from(&self, planned: &PlannedProgram, arrays: &[NodeNumber]) -> Option<Step> {
        let numbers = self.numbers(|((_, array, axis), carried, (_, rank))| {
            let extents = planned.extents.get(arrays.get(*array)?)?;
            // Axes of functions of elements come before those that the loop sees.
            let hidden = extents.len().checked_sub(*rank)?;
            Some((*carried, extents.get(hidden + axis)?.clone()))
        });
        (!numbers.is_empty()).then_some(Step::Carry { numbers })
    }

    /// An iteration begins.
    fn begin(&self) -> Option<Step> {
        self.step(|(_, carried, ([state, _], _))| Some(((*state)?, of_number(*carried))))
    }

    /// The loop has ended.
    fn end(&self) -> Option<Step> {
        self.step(|(_, carried, ([_, outcome], _))| Some(((*outcome)?, of_number(*carried))))
    }

    fn step(&self, one: impl Fn(&OneChanging) -> Option<(usize, Formula)>) -> Option<Step> {
        let numbers = self.numbers(one);
        (!numbers.is_empty()).then_some(Step::Set { numbers })
    }

    fn numbers(
        &self,
        one: impl Fn(&OneChanging) -> Option<(usize, Formula)>,
    ) -> Vec<(usize, Formula)> {
        self.all.iter().filter_map(one).collect()
    }
}

fn of_number(number: usize) -> Formula {
    Formula {
        steps: vec![FormulaStep::Argument(number)].into(),
    }
}
