//! A row folded by the threads of a block, each of which takes a run of neighbours.

use std::rc::Rc;

use super::Folded;
use super::fold::Element;
use super::in_steps::{IsThere, fold_in_steps, stored};
use crate::array::{Choice, Push};
use crate::arrays::graph::Operator;
use crate::arrays::one_of;
use crate::arrays::{any::AnyElement, item::run_ahead};
use crate::library::{exec_thread_value, generate, hold, reduce, seq_iterate};
use crate::program::{Block, Program, Thread};
use crate::scalar::{Exp, index, lit};

/// The elements of a row in runs of neighbours, each of which a thread folds. Threads with elements come first.
#[derive(Clone)]
pub(super) struct Runs {
    threads: u32,
    operator: Operator,
    /// Elements of a run but for the first; a run has one at least.
    others: Exp<u32>,
    run: Exp<u32>,
    length: Exp<u32>,
    element: Element,
    zeros: AnyElement,
}

impl Runs {
    pub(super) fn new(threads: u32, folded: &Folded, length: Exp<u32>, element: Element) -> Self {
        let others = index::div(index::sub(length, length.min(1u32)), threads);
        Runs {
            threads,
            operator: folded.operator(),
            others,
            run: index::add(others, 1),
            length,
            element,
            zeros: AnyElement::zeros(&folded.types()),
        }
    }

    /// What a thread has folded, and whether it has elements.
    fn of_thread(&self, t: Exp<u32>) -> (Exp<bool>, AnyElement) {
        let start = index::mul(t, self.run);
        let has = start.lt(self.length);
        let (element, f) = (self.element.clone(), self.operator.clone());
        let value = one_of(
            has,
            || {
                let first = element(start);
                let left = index::sub(index::sub(self.length, start), 1);
                let rounds = seq_iterate(
                    left.min(self.others),
                    move |k, sum| f(&sum, &element(index::add(index::add(start, 1), k))),
                    first,
                );
                run_ahead(&rounds)
            },
            || self.zeros.clone(),
        );
        (has, value)
    }

    /// The threads combine what they have, in order.
    pub(super) fn in_order(self) -> Program<Block, Push<Block, (Exp<bool>, AnyElement)>> {
        let (this, operator) = (self.clone(), self.operator);
        let work = generate(self.threads, move |t| {
            let this = this.clone();
            exec_thread_value(Program::<Thread, (Exp<bool>, AnyElement)>::new(move |_| {
                this.of_thread(t)
            }))
        });
        hold(work.as_block()).and_then(move |own| {
            let f = operator.clone();
            // The left one has elements if the right one has.
            let push = reduce(
                move |(has, x): (Exp<bool>, AnyElement), (more, y): (Exp<bool>, AnyElement)| {
                    let both = f(&x, &y);
                    (has, Choice::choose(more, both, x))
                },
                own,
            );
            Program::new(move |_| push.clone())
        })
    }

    /// The same by an operator that is applied to elements only that are there.
    pub(super) fn in_steps(self) -> Program<Block, Push<Block, (Exp<bool>, AnyElement)>> {
        let (this, operator) = (self.clone(), self.operator);
        let (run, length) = (self.run, self.length);
        stored(self.threads, move |t| this.of_thread(t).1).and_then(move |own| {
            let is_there: IsThere = Rc::new(move |t| index::mul(t, run).lt(length));
            fold_in_steps(operator.clone(), own, is_there, 1).map(move |all| {
                let has = length.gt(lit(0));
                generate(1, move |_| (has, all.at(0u32))).push()
            })
        })
    }
}
