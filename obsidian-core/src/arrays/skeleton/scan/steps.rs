//! Scans by operators that read arrays, run loops or assert: they are applied to elements of the row, and to nothing else.

use std::rc::Rc;

use super::super::in_steps::{IsThere, scan_in_steps, stored};
use super::{Before, Row};
use crate::array::{Choice, Pull, Push};
use crate::arrays::any::AnyElement;
use crate::arrays::one_of;
use crate::library::generate;
use crate::program::{Block, Program, cond, pure};
use crate::scalar::{Exp, index};

impl Row {
    /// Which of the elements from `start` on are elements of the row.
    fn there(&self, start: Exp<u32>) -> IsThere {
        let length = self.length;
        Rc::new(move |j| index::add(start, j).lt(length))
    }

    /// The elements from `start` on scanned, and behind what stands in front of them: by an operator that is applied to elements of the row only.
    fn scanned_in_steps(
        &self,
        start: Exp<u32>,
        piece: Pull<AnyElement>,
        before: Before,
    ) -> Program<Block, Pull<AnyElement>> {
        let (folded, there, size) = (self.folded.clone(), self.there(start), piece.len());
        scan_in_steps(folded.operator(), piece, there.clone(), 1).and_then(move |own| {
            let (folded, there, before) = (folded.clone(), there.clone(), before.clone());
            stored(size, move |j| {
                let value = own.at(j);
                one_of(there(j), || before.and(&folded, &value), || value.clone())
            })
        })
    }

    /// The results of elements that are scanned and behind what stands in front of them.
    fn of_scanned(
        &self,
        size: u32,
        all: Pull<AnyElement>,
        first: AnyElement,
    ) -> Push<Block, AnyElement> {
        let inclusive = self.inclusive;
        generate(size, move |j| match inclusive {
            true => all.at(j),
            false => {
                let last = all.at(index::sub(j.max(1u32), 1));
                Choice::choose(j.eq(0u32), first.clone(), last)
            }
        })
        .push()
    }

    /// A round by an operator that is applied to elements of the row only: what the next one carries, and the results.
    pub(super) fn round_in_steps(
        &self,
        start: Exp<u32>,
        size: u32,
        before: Before,
    ) -> Program<Block, (AnyElement, Push<Block, AnyElement>)> {
        let this = self.clone();
        self.piece(start, size).and_then(move |piece| {
            let (this, before) = (this.clone(), before.clone());
            let all = this.scanned_in_steps(start, piece, before.clone());
            all.map(move |all| {
                let left = index::sub(this.length, start).min(size);
                let last = all.at(index::sub(left, 1));
                let next = this.before.certain(last).fields();
                (next, this.of_scanned(size, all, before.value.clone()))
            })
        })
    }

    /// A piece by an operator that is applied to elements of the row only.
    pub(super) fn piece_in_steps(
        &self,
        start: Exp<u32>,
        size: u32,
        piece: Pull<AnyElement>,
        before: Before,
    ) -> Program<Block, ()> {
        let (this, first) = (self.clone(), before.value.clone());
        self.scanned_in_steps(start, piece, before)
            .and_then(move |all| {
                let this = this.clone();
                let scanned = this.of_scanned(size, all, first.clone());
                scanned.push_to(move |value, j| {
                    let place = index::add(start, j);
                    cond(place.lt(this.length), (this.then)(place, value), pure(()))
                })
            })
    }
}
