//! One pass of an LSD radix sort: a stable order by one digit, in one launch.
//!
//! How often there is each digit in the whole array is counted before. Blocks in order have a tile each:
//!
//! ```text
//! kept      the elements of the tile, in registers: a warp has neighbours, each lane every 32nd, as a rank goes over them
//! counts    how often there is each digit in the tile
//! in order  the elements in the order of the tile, in memory of the block        (a rank)
//! before    how often there is each digit in all earlier tiles                   (earlier)
//! base      where in the result the tile has its elements of a digit, less where these begin in the order of the tile
//! results   each element from there to base + place: neighbours of one digit go to neighbours
//! ```
//!
//! What is kept is the elements alone if a digit is a short expression of one, and otherwise its digit, too.

use std::rc::Rc;

use super::fold::tiles_of;
use super::{Output, write};
use crate::array::{Pull, Push, Writer, require, store_any};
use crate::arrays::any::AnyElement;
use crate::arrays::digits::{BINS, BITS, THREADS};
use crate::arrays::graph::{DigitOf, Kind, NodeNumber, extents_of, graph, keep, note_below};
use crate::arrays::index::Index;
use crate::arrays::one_of;
use crate::arrays::operator::is_short;
use crate::ir::WARP;
use crate::library::parts::{counts_of_digits, earlier_at, places_by_digit};
use crate::library::{compute, exclusive_scan, generate};
use crate::program::{
    Block, Grid, Program, Thread, Trace, cond, distr_ordered, for_all, pure, scope, seq_for,
};
use crate::scalar::{ArrayId, Constraint, Exp, ScalarType, index, lit, select_exp, session};

/// The most words that the elements of a thread have in its registers, and so the most elements.
const WORDS: u32 = 22;
/// The most bytes that the elements of a block have in its memory.
const BYTES: u32 = 128 * 1024;

/// How many elements a tile has, of components of these types. Of very long elements not each thread has one.
fn tile(types: &[ScalarType]) -> u32 {
    let bytes: u32 = types.iter().map(|ty| ty.bytes()).sum();
    let words: u32 = types.iter().map(|ty| ty.bytes().div_ceil(4)).sum();
    let tile = THREADS * (WORDS / words.max(1)).clamp(1, WORDS);
    let most = BYTES / bytes.max(1) / WARP * WARP;
    tile.min(most.max(WARP))
}

/// The place of each element in the order of its tile.
type Places = Pull<Exp<u32>>;

/// A pass.
struct Pass {
    digits: NodeNumber,
    /// The node of the places.
    own: NodeNumber,
    counts: NodeNumber,
    /// Which of the passes it is that are counted, which the launch says: passes that differ in nothing else are one kernel.
    pass: Exp<u32>,
    /// What makes a digit of an element that is moved.
    digit: Option<DigitOf>,
    /// Is that short, so that it is done again where elements are kept?
    is_short: bool,
    n: Exp<u32>,
    tile: u32,
    /// Where the elements go, and the node that says of each which one it is.
    moved: Option<(Output, NodeNumber)>,
    /// What else is written, at the indices of the elements.
    others: Vec<Output>,
}

impl Pass {
    fn of(digits: NodeNumber, n: Exp<u32>, pass: Exp<u32>, each: Vec<Output>) -> Self {
        let found = graph(|graph| {
            let mut all = graph.nodes.iter().enumerate();
            all.find_map(|(number, node)| {
                let Kind::Place {
                    digits: own,
                    counts,
                    digit,
                    ..
                } = &node.kind
                else {
                    return None;
                };
                (*own == digits).then(|| (number, *counts, digit.clone()))
            })
        });
        let (own, counts, digit) = match found.flatten() {
            Some((own, counts, digit)) => (own, counts, Some(digit)),
            None => (digits, digits, None),
        };
        let (mut moved, mut others) = (None, Vec::new());
        for output in each {
            // One node has the elements in the order of these places.
            match moved_by(own, &output) {
                Some(source) => moved = Some((output, source)),
                None => others.push(output),
            }
        }
        let types: Vec<ScalarType> = moved.iter().flat_map(|(output, _)| types(output)).collect();
        let digit = digit.filter(|_| moved.is_some());
        let is_short = digit.as_ref().is_some_and(|digit| is_short(digit, &types));
        let mut pass = Pass {
            digits,
            own,
            counts,
            pass,
            digit,
            is_short,
            n,
            tile: THREADS,
            moved,
            others,
        };
        pass.tile = tile(&pass.types());
        pass
    }

    /// The digit of an element of the whole array, if none is moved.
    fn digit_at(&self, place: Exp<u32>) -> Exp<u32> {
        let node = graph(|graph| graph.node(self.digits)).flatten();
        let digit = node.and_then(|node| {
            let fields = (node.element)(&Index::of(vec![place]));
            fields.0.first().and_then(|digit| digit.typed::<u32>())
        });
        digit.unwrap_or_else(|| lit(0))
    }

    /// How often there is a digit in the whole array.
    fn count(&self, digit: Exp<u32>) -> Exp<u32> {
        let coordinates = vec![index::add(digit, index::mul(self.pass, BINS))];
        note_below(&coordinates, &extents_of(self.counts));
        let node = graph(|graph| graph.node(self.counts)).flatten();
        let count = node.and_then(|node| {
            let fields = (node.element)(&Index::of(coordinates));
            fields.0.first().and_then(|count| count.typed::<u32>())
        });
        count.unwrap_or_else(|| lit(0))
    }

    /// What is kept of an element of the whole array.
    fn kept_of(&self, place: Exp<u32>) -> AnyElement {
        note_below(&[place], &[self.n]);
        let index = Index::of(vec![place]);
        // What is moved does not depend on its place.
        let nowhere = AnyElement(vec![lit(0u32).any()]);
        keep(self.own, index.key(), scope(), nowhere);
        let source = self.moved.as_ref().map(|(_, source)| *source);
        let source = source.and_then(|source| graph(|graph| graph.node(source)).flatten());
        let fields = source.map(|source| (source.element)(&index).0);
        let moved = AnyElement(fields.into_iter().flatten().skip(2).collect());
        if self.is_short {
            return moved;
        }
        let digit = match &self.digit {
            Some(digit) => digit(&moved, self.pass),
            None => self.digit_at(place),
        };
        let digit = (digit & (BINS - 1)).cast::<u8>().any();
        AnyElement(std::iter::once(digit).chain(moved.0).collect())
    }

    /// The types of what is kept.
    fn types(&self) -> Vec<ScalarType> {
        let digit = (!self.is_short).then_some(ScalarType::U8);
        let moved = self.moved.iter().flat_map(|(output, _)| types(output));
        digit.into_iter().chain(moved).collect()
    }

    /// The digit of what is kept.
    fn digit_of(&self, kept: &AnyElement) -> Exp<u32> {
        match &self.digit {
            Some(digit) if self.is_short => digit(kept, self.pass) & (BINS - 1),
            _ => {
                let digit = kept.0.first().and_then(|digit| digit.typed::<u8>());
                digit.map_or_else(|| lit(0), |digit| digit.cast::<u32>())
            }
        }
    }

    /// The elements of a tile, zeros behind the end.
    fn kept(self: &Rc<Self>, first: Exp<u32>) -> Program<Block, Pull<AnyElement>> {
        let this = self.clone();
        compute::<Block, _, _>(Push::new(self.tile, move |write: Writer<AnyElement>| {
            let this = this.clone();
            by_warps(this.tile, move |j| {
                let place = index::add(first, j);
                let zeros = AnyElement::zeros(&this.types());
                let kept = one_of(place.lt(this.n), || this.kept_of(place), || zeros);
                write(kept, j)
            })
        }))
    }

    /// What one block does.
    fn of_tile(self: &Rc<Self>, first: Exp<u32>) -> Program<Block, ()> {
        let this = self.clone();
        self.kept(first)
            .and_then(move |kept: Pull<AnyElement>| this.counted(first, kept))
    }

    /// What one block does with its elements.
    fn counted(self: &Rc<Self>, first: Exp<u32>, kept: Pull<AnyElement>) -> Program<Block, ()> {
        let left = index::sub(self.n, first).min(self.tile);
        let (this, elements) = (self.clone(), kept.clone());
        // The digits behind the end are the largest, so they come last.
        let digits = generate(self.tile, move |j| {
            let none = select_exp(j.lt(left), lit(0), lit(BINS - 1));
            this.digit_of(&elements.at(j)) | none
        });
        let this = self.clone();
        let counts = compute::<Block, _, _>(counts_of_digits(BITS, &digits));
        counts.and_then(move |counts: Pull<Exp<u32>>| {
            let (this, tile) = (this.clone(), (digits.clone(), kept.clone()));
            let all = this.in_order(tile.clone());
            all.and_then(
                move |(in_order, places): (Pull<AnyElement>, Option<Places>)| {
                    let (this, digits) = (this.clone(), tile.0.clone());
                    let base = this.base(left, counts.clone());
                    base.and_then(move |base: Pull<Exp<u32>>| {
                        let moved = this.write_moved(left, in_order.clone(), base.clone());
                        let Some(places) = places.clone() else {
                            return moved;
                        };
                        let (this, digits) = (this.clone(), digits.clone());
                        moved.and_then(move |()| {
                            let (this, base) = (this.clone(), base.clone());
                            let (digits, places) = (digits.clone(), places.clone());
                            for_all(this.tile, move |j| {
                                let place = base.at(digits.at(j)) + places.at(j);
                                this.write_others(index::add(first, j), place)
                            })
                        })
                    })
                },
            )
        })
    }

    /// The elements in the order of the tile, and the places that they have there if members ask for their places.
    fn in_order(
        self: &Rc<Self>,
        (digits, kept): (Pull<Exp<u32>>, Pull<AnyElement>),
    ) -> Program<Block, (Pull<AnyElement>, Option<Places>)> {
        let places = places_by_digit::<Block>(BITS, &digits);
        let tile = self.tile;
        if self.others.is_empty() {
            let in_order = Push::new(tile, move |write: Writer<AnyElement>| {
                let kept = kept.clone();
                places.push_to(move |place, j| write(kept.at(j), place))
            });
            return compute::<Block, _, _>(in_order).map(|in_order| (in_order, None));
        }
        compute::<Block, _, _>(places).and_then(move |places: Places| {
            let (kept, own) = (kept.clone(), places.clone());
            let in_order = Push::new(tile, move |write: Writer<AnyElement>| {
                let (kept, places) = (kept.clone(), own.clone());
                for_all(tile, move |j| write(kept.at(j), places.at(j)))
            });
            compute::<Block, _, _>(in_order).map(move |in_order| (in_order, Some(places.clone())))
        })
    }

    /// Where the result has the elements of each digit, less where they begin in the order of the tile.
    fn base(
        self: &Rc<Self>,
        left: Exp<u32>,
        counts: Pull<Exp<u32>>,
    ) -> Program<Block, Pull<Exp<u32>>> {
        let sums = |counts: Pull<Exp<u32>>| {
            compute::<Block, _, _>(exclusive_scan(|x: Exp<u32>, y| x + y, lit(0u32), counts))
        };
        let (in_tile, behind) = (counts.clone(), index::sub(self.tile, left));
        let own = generate(BINS, move |d| {
            // What is behind the end does not count.
            let count = in_tile.at(d);
            select_exp(d.eq(BINS - 1), count - behind, count)
        });
        let this = self.clone();
        let firsts = sums(generate(BINS, move |d| this.count(d)));
        let before = earlier_at::<Block, _>(|x: Exp<u32>, y| x + y, lit(0u32), own);
        before.and_then(move |before: Pull<Exp<u32>>| {
            let (starts, before) = (sums(counts.clone()), before.clone());
            firsts.clone().and_then(move |firsts: Pull<Exp<u32>>| {
                let before = before.clone();
                starts.clone().and_then(move |starts: Pull<Exp<u32>>| {
                    let (firsts, before) = (firsts.clone(), before.clone());
                    compute::<Block, _, _>(generate(BINS, move |d| {
                        firsts.at(d) + before.at(d) - starts.at(d)
                    }))
                })
            })
        })
    }

    /// The elements of the tile to where they belong.
    fn write_moved(
        self: &Rc<Self>,
        left: Exp<u32>,
        in_order: Pull<AnyElement>,
        base: Pull<Exp<u32>>,
    ) -> Program<Block, ()> {
        let this = self.clone();
        for_all(self.tile, move |s| {
            let (this, in_order, base) = (this.clone(), in_order.clone(), base.clone());
            let stored = Program::new(move |trace: &mut Trace<Thread>| {
                let kept = in_order.at(s);
                // The tiles count all elements before, so each place is there once.
                let place = (base.at(this.digit_of(&kept)) + s).unchecked().distinct();
                let arrays = this.moved.iter().flat_map(|((_, arrays), _)| arrays);
                let elements = kept.0.iter().skip(usize::from(!this.is_short));
                for (array, value) in arrays.zip(elements) {
                    store_any(*array, place, *value, trace);
                }
            });
            cond(s.lt(left), stored, pure(()))
        })
    }

    /// Writes the members whose elements are not moved; they may read what place an element has.
    fn write_others(&self, at: Exp<u32>, place: Exp<u32>) -> Program<Thread, ()> {
        let (n, others, own) = (self.n, self.others.clone(), self.own);
        let written = Program::new(move |trace: &mut Trace<Thread>| {
            note_below(&[at], &[n]);
            let index = Index::of(vec![at]);
            let place = AnyElement(vec![place.any()]);
            keep(own, index.key(), scope(), place);
            write(&others, &index, index.number(&[n]).distinct(), trace);
        });
        cond(at.lt(n), written, pure(()))
    }
}

/// All elements of a tile in the layout that a rank goes over: a warp has neighbours, each lane every 32nd.
pub(super) fn by_warps(
    tile: u32,
    each: impl Fn(Exp<u32>) -> Program<Thread, ()> + 'static,
) -> Program<Block, ()> {
    let threads = tile.min(THREADS);
    let (own, each) = (tile / threads, Rc::new(each));
    for_all(threads, move |t| {
        let each = each.clone();
        seq_for(own, move |r| {
            let of_warp = index::mul(index::div(t, WARP), WARP * own);
            let of_lane = index::add(index::mul(r, WARP), index::rem(t, WARP));
            each(index::add(of_warp, of_lane))
        })
    })
}

/// The types of a member.
fn types((_, arrays): &Output) -> Vec<ScalarType> {
    let ty = |array: &ArrayId| session(|s| s.tables.array(*array).ty);
    arrays.iter().filter_map(ty).collect()
}

/// What a member moves to the places in an order: the node whose elements are whether they are there, their place, and the elements. None: it does something else.
fn moved_by(places: NodeNumber, (node, _): &Output) -> Option<NodeNumber> {
    let node = graph(|graph| graph.node(*node)).flatten()?;
    let Kind::Scatter { source, order } = node.kind else {
        return None;
    };
    (order == Some(places)).then_some(source)
}

/// Gives each element its place, and writes what is made of it. Which of the passes it is that are counted is an argument of the launch.
pub(in crate::arrays) fn find_places(
    digits: NodeNumber,
    n: Exp<u32>,
    pass: Exp<u32>,
    each: Vec<Output>,
) -> Program<Grid, ()> {
    let arrays = each.iter().flat_map(|(_, arrays)| arrays.iter().copied());
    session(|s| s.tables.written_whole.extend(arrays));
    let pass = Rc::new(Pass::of(digits, n, pass, each));
    let tile = pass.tile;
    require(index::add(n, tile - 1), Constraint::Fits);
    distr_ordered(tiles_of(n, tile), move |block| {
        pass.of_tile(index::mul(block, tile))
    })
}
