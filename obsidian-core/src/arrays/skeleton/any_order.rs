//! The one order in which folds combine elements that they may take in any order: those by an operator with a neutral element, which is
//! commutative too.
//!
//! The number of *partial results* of a row depends on its length: 1 up to [`FEW`] elements, [`FEW`] up to [`MIDDLE`] of them, and [`MANY`] above. Of `p`
//! partial results, number `i` is the elements `i`, `i + p`, `i + 2 p`, .. folded from the left, and a balanced tree over neighbours combines them.
//! What a fold begins with comes in front of that at last. Rows of more than [`SHORT`](crate::arrays::SHORT) elements are cut in [pieces](super::Folded::piece). A
//! piece has [`MANY`] partial results, and so have the results of the pieces of a row, however few they are; those that would have no
//! elements are left out.
//!
//! So the bits of a fold depend on the length of its row alone. Who computes what does not change them: a row up to [`FEW`] elements is
//! one thread's, up to [`MIDDLE`] elements [`FEW`] threads', and above a block's.
//!
//! *Argument.* A partial result without elements is the neutral element in a kernel. Combined with it a value keeps its bits: zero is -0 for sums, and
//! the extremes give way to every number.

use std::rc::Rc;

use super::fold::{Element, each_thread};
use super::generate::Numbers;
use crate::array::{IntoPush, Pull, Push};
use crate::arrays::graph::Operator;
use crate::arrays::{FEW, MIDDLE, one_of};
use crate::arrays::{any::AnyElement, item::run_ahead};
use crate::library::{compute, exec_block, iota, reduce, replicate, seq_iterate, tiles_fold};
use crate::program::{Block, Program, Thread};
use crate::scalar::{Exp, index, lit, select_exp};

/// Partial results of longer rows.
pub(in crate::arrays) const MANY: u32 = 128;
/// The most bytes that the partial results of a block's rows take.
const MEMORY: u32 = 16384;

/// What a block folds.
#[derive(Clone, Copy)]
pub(super) enum Rows {
    /// One row, of any length that a block folds alone.
    One,
    /// One of many rows, of more than [`MIDDLE`] elements.
    Many,
    /// A piece of a row.
    Piece,
    /// What the pieces of a row have become.
    Rest,
}

impl Rows {
    /// How many elements a partial result takes of each tile. A thread loads those of a tile together, and those behind the last one by one: few where rows are
    /// short.
    fn items(self) -> u32 {
        match self {
            Rows::One | Rows::Piece => 16,
            Rows::Many | Rows::Rest => 4,
        }
    }
}

/// A fold whose elements are combined in any order.
#[derive(Clone)]
pub(super) struct AnyOrder {
    pub(super) neutral: AnyElement,
    pub(super) operator: Operator,
}

/// A block with the one value that it has folded.
type One = Program<Block, Push<Block, AnyElement>>;

impl AnyOrder {
    fn f(&self, x: &AnyElement, y: &AnyElement) -> AnyElement {
        (self.operator)(x, y)
    }

    /// A block folds the first elements of a row.
    pub(super) fn in_block(self, rows: Rows, length: Exp<u32>, element: Element) -> One {
        match (rows, length.as_literal()) {
            (Rows::One, Some(known)) if known <= MIDDLE => {
                let own = self.of_few(length, element);
                own.and_then(move |own| {
                    let this = self.clone();
                    each_thread(1, move |_| this.of_short(length, &own))
                })
            }
            (Rows::One, None) => {
                let own = self.of_few(length, element.clone());
                own.and_then(move |own| {
                    let this = self.clone();
                    let first = each_thread(MANY, move |t| {
                        let neutral = || this.neutral.clone();
                        one_of(t.eq(lit(0)), || this.of_short(length, &own), neutral)
                    });
                    let this = self.clone();
                    this.of_many(rows, exec_block(first), length, element.clone())
                })
            }
            (Rows::One | Rows::Many | Rows::Piece | Rows::Rest, _) => {
                let neutral = replicate(MANY, self.neutral.clone());
                self.of_many(rows, neutral, length, element)
            }
        }
    }

    /// [`FEW`] threads fold a row of at most [`MIDDLE`] elements; of a longer one they have nothing.
    fn of_few(&self, length: Exp<u32>, element: Element) -> Program<Block, Pull<AnyElement>> {
        let this = self.clone();
        let own = each_thread(FEW, move |t| {
            // As many rounds as there are elements from number `t` on, each [`FEW`] behind the one before.
            let of_lane = || {
                let others = index::div(index::sub(index::sub(length, t), 1), FEW);
                let (this, element) = (this.clone(), element.clone());
                let neutral = this.neutral.clone();
                let next = move |k, sum| this.f(&sum, &element(index::add(index::mul(k, FEW), t)));
                run_ahead(&seq_iterate(index::add(others, 1), next, neutral))
            };
            let has = t.lt(length) & length.le(MIDDLE);
            one_of(has, of_lane, || this.neutral.clone())
        });
        compute(exec_block(own))
    }

    /// What [`FEW`] threads have folded of a row, combined by one: of at most as many elements each thread has one.
    fn of_short(&self, length: Exp<u32>, own: &Pull<AnyElement>) -> AnyElement {
        let all: Vec<AnyElement> = (0..FEW).map(|i| own.at(i)).collect();
        let from_left = || {
            let others = all.iter().skip(1);
            others.fold(all[0].clone(), |sum, x| self.f(&sum, x))
        };
        one_of(length.le(FEW), from_left, || {
            self.of_neighbours(all.clone())
        })
    }

    /// [`MANY`] threads fold their elements, beginning with what they have, and combine what that makes.
    fn of_many<A>(self, rows: Rows, first: A, length: Exp<u32>, element: Element) -> One
    where
        A: IntoPush<Block, AnyElement, Shape = u32>,
    {
        let items = rows.items();
        let of_tile = {
            let (this, element) = (self.clone(), element.clone());
            move |own: Pull<AnyElement>, tile: Pull<Exp<u32>>| {
                let (this, element) = (this.clone(), element.clone());
                each_thread(MANY, move |t| {
                    let at = |j: u32| element(tile.at(index::add(t, j * MANY)));
                    (0..items).fold(own.at(t), |sum, j| this.f(&sum, &at(j)))
                })
            }
        };
        // A row that may be short has been folded if it is.
        let is_long = match rows {
            Rows::One => length.gt(MIDDLE),
            Rows::Many | Rows::Piece | Rows::Rest => lit(true),
        };
        // What is less than a tile: rounds of one element a thread, and at last one for some of the threads.
        let of_rest = {
            let this = self.clone();
            move |own: Pull<AnyElement>, rest: Pull<Exp<u32>, Exp<u32>>| {
                let round = this.taken(element.clone(), is_long);
                let last = this.taken(element.clone(), is_long);
                let round = move |own, tile: Pull<Exp<u32>>| round(own, tile.to_dyn(), false);
                let last = move |own, tile| last(own, tile, true);
                tiles_fold(rest, MANY, own, round, last)
            }
        };
        let own = tiles_fold(iota(length), MANY * items, first, of_tile, of_rest);
        own.and_then(move |own| self.clone().tree(own))
    }

    /// Each thread takes one element more, if the row is a long one; the last time only threads for which there is one do.
    fn taken(
        &self,
        element: Element,
        is_long: Exp<bool>,
    ) -> impl Fn(Pull<AnyElement>, Pull<Exp<u32>, Exp<u32>>, bool) -> One + 'static {
        let this = self.clone();
        move |own, places, is_last| {
            let (this, element) = (this.clone(), element.clone());
            each_thread(MANY, move |t| {
                let own = own.at(t);
                let has = match is_last {
                    true => is_long & t.lt(places.len()),
                    false => is_long,
                };
                one_of(has, || this.f(&own, &element(places.at(t))), || own.clone())
            })
        }
    }

    /// The partial results combined.
    fn tree(self, own: Pull<AnyElement>) -> One {
        let push = reduce(move |x: AnyElement, y: AnyElement| self.f(&x, &y), own);
        Program::new(move |_| push.clone())
    }

    /// [`FEW`] threads fold each of the rows that a block has, of more than [`FEW`] elements each and all as many: `element` gives those of a row, and `then` takes what
    /// a row has become.
    ///
    /// A row that there is not has no elements. Its threads go through the same loop, with no round: so the CPU has one loop for all threads of a row.
    pub(super) fn in_lanes(
        self,
        numbers: Numbers,
        width: Exp<u32>,
        element: Rc<dyn Fn(Exp<u32>) -> Element>,
        then: Rc<dyn Fn(Exp<u32>, AnyElement) -> Program<Thread, ()>>,
    ) -> Program<Block, ()> {
        let this = self.clone();
        let own = each_thread(numbers.own * FEW, move |i| {
            let (lane, number) = (index::rem(i, FEW), numbers.number(index::div(i, FEW)));
            match numbers.is_there(number) {
                None => this.of_lane(lane, width, &element(number)),
                Some(is_there) => {
                    let row = select_exp(is_there, number, numbers.number(lit(0)));
                    let width = select_exp(is_there, width, lit(0));
                    this.of_lane(lane, width, &element(row))
                }
            }
        });
        compute(exec_block(own)).and_then(move |all| {
            let (this, then) = (self.clone(), then.clone());
            numbers.each_numbered(move |row, number| {
                let first = index::mul(row, FEW);
                let each = (0..FEW).map(|i| all.at(index::add(first, i)));
                then(number, this.of_neighbours(each.collect()))
            })
        })
    }

    /// How many rows a block has whose partial results lie in its memory, [`FEW`] of each.
    pub(super) fn rows_of_lanes(&self, threads: u32) -> u32 {
        let bytes: u32 = self.neutral.types().iter().map(|ty| ty.bytes()).sum();
        (threads / FEW).min(MEMORY / (FEW * bytes.max(1))).max(1)
    }

    /// One of [`FEW`] partial results of a row.
    fn of_lane(&self, lane: Exp<u32>, width: Exp<u32>, element: &Element) -> AnyElement {
        let (this, own) = (self.clone(), element.clone());
        let rounds = index::div(width, FEW);
        let next = move |k, sum| this.f(&sum, &own(index::add(index::mul(k, FEW), lane)));
        let sum = run_ahead(&seq_iterate(rounds, next, self.neutral.clone()));
        let last = index::add(index::mul(rounds, FEW), lane);
        one_of(
            last.lt(width),
            || self.f(&sum, &element(last)),
            || sum.clone(),
        )
    }

    /// Partial results that a thread has, combined by a balanced tree.
    fn of_neighbours(&self, mut all: Vec<AnyElement>) -> AnyElement {
        while all.len() > 1 {
            let two = all.chunks(2).map(|two| match two {
                [x, y] => self.f(x, y),
                _ => two[0].clone(),
            });
            all = two.collect();
        }
        all.pop().unwrap_or_else(|| self.neutral.clone())
    }

    /// A thread folds a row of at most [`FEW`] elements.
    pub(super) fn in_thread(&self, width: Exp<u32>, element: &Element) -> AnyElement {
        let (this, element) = (self.clone(), element.clone());
        let next = move |k, sum| this.f(&sum, &element(k));
        run_ahead(&seq_iterate(width, next, self.neutral.clone()))
    }
}
