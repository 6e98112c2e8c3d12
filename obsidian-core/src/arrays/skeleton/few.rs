//! A whole sort of few elements, in one launch of one block.
//!
//! ```text
//! state    the elements in memory of the block, in the order of the passes so far; zeros behind the end
//! kept     those of a thread in its registers, in a layout that a rank goes over
//! state    each of them at its place in the order of the next digit                     (a rank)
//! results  the elements of the last pass
//! ```
//!
//! The passes over one part of a key are a loop.

use std::rc::Rc;

use super::digits::by_warps;
use super::{Output, store};
use crate::array::{Pull, Push, Writer};
use crate::arrays::any::AnyElement;
use crate::arrays::digits::{BINS, BITS};
use crate::arrays::graph::{DigitOf, Sorted, graph, note_below};
use crate::arrays::index::Index;
use crate::arrays::one_of;
use crate::arrays::operator::is_short;
use crate::library::parts::places_by_digit;
use crate::library::{Mutable, compute, generate, to_mutable};
use crate::program::{
    Block, Grid, Program, Thread, Trace, cond, distr_par, for_all, pure, seq_for,
};
use crate::scalar::{ArrayId, Exp, ScalarType, lit, select_exp, session};

/// The elements of a sort.
#[derive(Clone)]
struct Few {
    n: Exp<u32>,
    tile: u32,
    types: Vec<ScalarType>,
}

/// What makes a digit, and whether that is short, so that it is done again where elements are kept.
#[derive(Clone)]
struct Digit {
    of: DigitOf,
    is_short: bool,
}

type State = Mutable<AnyElement, u32>;

impl Digit {
    /// What a thread keeps of an element, if it is there: its digit in front of it, where that is not short.
    fn kept(&self, element: AnyElement, pass: Exp<u32>, is_there: Exp<bool>) -> AnyElement {
        if self.is_short {
            return element;
        }
        let digit = || {
            let digit = (self.of)(&element, pass) & (BINS - 1);
            AnyElement(vec![digit.cast::<u8>().any()])
        };
        let none = || AnyElement::zeros(&[ScalarType::U8]);
        let digit = one_of(is_there, digit, none);
        AnyElement(digit.0.into_iter().chain(element.0.clone()).collect())
    }

    /// The digit of what is kept.
    fn of_kept(&self, kept: &AnyElement, pass: Exp<u32>) -> Exp<u32> {
        if self.is_short {
            return (self.of)(kept, pass) & (BINS - 1);
        }
        let digit = kept.0.first().and_then(|digit| digit.typed::<u8>());
        digit.map_or_else(|| lit(0), |digit| digit.cast::<u32>())
    }

    /// The element of what is kept.
    fn element(&self, kept: AnyElement) -> AnyElement {
        let digits = usize::from(!self.is_short);
        AnyElement(kept.0.into_iter().skip(digits).collect())
    }
}

impl Few {
    /// The elements as they are given, zeros behind the end.
    fn given(&self, sorted: &Sorted) -> Pull<AnyElement> {
        let (this, source) = (self.clone(), sorted.source);
        Pull::new(self.tile, move |place: Exp<u32>| {
            let given = || {
                note_below(&[place], &[this.n]);
                let source = graph(|graph| graph.node(source)).flatten();
                let fields = source.map(|source| (source.element)(&Index::of(vec![place])).0);
                AnyElement(fields.into_iter().flatten().collect())
            };
            one_of(place.lt(this.n), given, || AnyElement::zeros(&this.types))
        })
    }

    /// One pass: the elements in the order of a digit.
    fn pass(&self, state: &State, digit: &Digit, pass: Exp<u32>) -> Program<Block, ()> {
        let (tile, n, from, own) = (self.tile, self.n, state.clone(), digit.clone());
        let kept = Push::new(tile, move |write: Writer<AnyElement>| {
            let (from, own) = (from.clone(), own.clone());
            by_warps(tile, move |j| {
                let (write, own) = (write.clone(), own.clone());
                from.read(j)
                    .and_then(move |element| write(own.kept(element, pass, j.lt(n)), j))
            })
        });
        let (digit, state) = (digit.clone(), state.clone());
        compute::<Block, _, _>(kept).and_then(move |kept: Pull<AnyElement>| {
            let (digit, own, elements) = (digit.clone(), digit.clone(), kept.clone());
            // The digits behind the end are the largest, so these elements stay last.
            let digits = generate(tile, move |j| {
                let none = select_exp(j.lt(n), lit(0), lit(BINS - 1));
                digit.of_kept(&elements.at(j), pass) | none
            });
            let (state, own) = (state.clone(), own.clone());
            places_by_digit::<Block>(BITS, &digits)
                .push_to(move |place, j| state.write(place.distinct(), own.element(kept.at(j))))
        })
    }

    /// All passes, the least significant part of the keys first.
    fn passes(&self, state: &State, sorted: &Sorted) -> Program<Block, ()> {
        sorted.parts.iter().fold(pure(()), |before, (of, passes)| {
            let digit = Digit {
                of: of.clone(),
                is_short: is_short(of, &self.types),
            };
            let (this, state) = (self.clone(), state.clone());
            let passes = *passes;
            before.and_then(move |()| {
                let (this, state, digit) = (this.clone(), state.clone(), digit.clone());
                seq_for(passes, move |pass| this.pass(&state, &digit, pass))
            })
        })
    }

    /// The elements that are there to where the results are.
    fn write(&self, state: &State, arrays: &[ArrayId]) -> Program<Block, ()> {
        let (n, state, arrays) = (self.n, state.clone(), arrays.to_vec());
        for_all(self.tile, move |j| {
            let (state, arrays) = (state.clone(), arrays.clone());
            let written = state.read(j).and_then(move |element: AnyElement| {
                let arrays = arrays.clone();
                Program::new(move |trace: &mut Trace<Thread>| {
                    store(element.clone(), &arrays, j.distinct(), trace);
                })
            });
            cond(j.lt(n), written, pure(()))
        })
    }
}

/// Sorts `n` elements, of which there are no more than the sort says are few.
pub(in crate::arrays) fn sort_few(
    sorted: &Rc<Sorted>,
    n: Exp<u32>,
    (result, arrays): &Output,
) -> Program<Grid, ()> {
    let types = graph(|graph| graph.node(*result)).flatten();
    let few = Few {
        n,
        tile: sorted.few,
        types: types.map(|node| node.types.clone()).unwrap_or_default(),
    };
    // No launch has more elements than the block.
    session(|s| s.tables.written_whole.extend(arrays));
    let (sorted, arrays) = (sorted.clone(), arrays.clone());
    distr_par(1, move |_| {
        let (few, sorted, arrays) = (few.clone(), sorted.clone(), arrays.clone());
        let state = to_mutable::<Block, _, _>(few.given(&sorted));
        state.and_then(move |state: State| {
            let (few, arrays, own) = (few.clone(), arrays.clone(), state.clone());
            few.passes(&state, &sorted)
                .and_then(move |()| few.write(&own, &arrays))
        })
    })
}
