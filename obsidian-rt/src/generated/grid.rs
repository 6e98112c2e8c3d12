//! Sharing out blocks over the cores, together with what belongs to each of them.

use std::time::{Duration, Instant};

use crate::element::Element;

/// What is given out to blocks in pieces: nothing, an output, or a pair of such.
pub trait Split: Send + Sized {
    /// What one block gets.
    type Piece;

    /// Returns `true` if there is exactly one piece for each of `blocks` blocks.
    fn fits(&self, blocks: u32) -> bool;

    /// What belongs to the first `blocks` blocks, and the rest.
    fn split(self, blocks: u32) -> (Self, Self);

    /// What belongs to the only block.
    fn piece(self) -> Self::Piece;
}

impl Split for () {
    type Piece = ();

    fn fits(&self, _: u32) -> bool {
        true
    }

    fn split(self, _: u32) -> (Self, Self) {
        ((), ())
    }

    fn piece(self) {}
}

impl<A: Split, B: Split> Split for (A, B) {
    type Piece = (A::Piece, B::Piece);

    fn fits(&self, blocks: u32) -> bool {
        self.0.fits(blocks) && self.1.fits(blocks)
    }

    fn split(self, blocks: u32) -> (Self, Self) {
        let ((a, a_rest), (b, b_rest)) = (self.0.split(blocks), self.1.split(blocks));
        ((a, b), (a_rest, b_rest))
    }

    fn piece(self) -> Self::Piece {
        (self.0.piece(), self.1.piece())
    }
}

/// An output of which each block gets a run of `each` elements.
#[derive(Debug)]
pub struct Chunks<'a, T> {
    elements: &'a mut [T],
    each: usize,
    fits: Fits,
}

/// How many elements there have to be for a number of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fits {
    /// As many as the pieces have together.
    All,
    /// No more than that.
    Ragged,
    /// Any number: those that are in no piece stay as they are.
    Any,
}

/// Gives each block a run of `each` elements.
pub fn chunks<T: Element>(elements: &mut [T], each: u32) -> Chunks<'_, T> {
    Chunks {
        elements,
        each: each as usize,
        fits: Fits::All,
    }
}

/// Gives each block a run of `each` elements, as long as there are some: the last runs may be shorter.
pub fn ragged<T: Element>(elements: &mut [T], each: u32) -> Chunks<'_, T> {
    Chunks {
        fits: Fits::Ragged,
        ..chunks(elements, each)
    }
}

/// Gives each block its own run of `each` elements of an array that is changed in place, as long as
/// there are some; what is behind the last run stays as it is.
pub fn own<T: Element>(elements: &mut [T], each: u32) -> Chunks<'_, T> {
    Chunks {
        fits: Fits::Any,
        ..chunks(elements, each)
    }
}

impl<'a, T: Element> Split for Chunks<'a, T> {
    type Piece = &'a mut [T];

    fn fits(&self, blocks: u32) -> bool {
        let (all, given) = (self.each as u64 * u64::from(blocks), self.elements.len());
        match self.fits {
            Fits::All => given as u64 == all,
            Fits::Ragged => given as u64 <= all,
            Fits::Any => true,
        }
    }

    fn split(self, blocks: u32) -> (Self, Self) {
        let at = self
            .each
            .saturating_mul(blocks as usize)
            .min(self.elements.len());
        let (first, rest) = self.elements.split_at_mut(at);
        (
            Chunks {
                elements: first,
                ..self
            },
            Chunks {
                elements: rest,
                ..self
            },
        )
    }

    fn piece(self) -> &'a mut [T] {
        self.elements
    }
}

/// Runs of neighbouring blocks per core: enough that no core waits long for the last one.
const RUNS_PER_CORE: u32 = 4;

/// How long a launch stays on its own thread. To wake another one takes about as long.
const ALONE: Duration = Duration::from_micros(10);

/// Elements of all arrays below which a launch is likely to be done before another thread is awake.
const FEW_ELEMENTS: u64 = 1 << 16;

/// Blocks per core from which on it does no harm that some run before the others.
const MANY_BLOCKS: u32 = 16;

/// Runs `block` for each block, at most `limit` at the same time. `elements` is the number of
/// elements of all arrays.
///
/// What is small is done on the thread that asks. How long a block takes is not known: so the first
/// ones run alone, and the rest is shared out if that takes too long. With few heavy blocks the
/// first of them would keep the others waiting, which is why large arrays and few blocks are
/// shared out from the start.
pub(crate) fn run<S: Split, F: Fn(u32, S::Piece) + Sync>(
    blocks: u32,
    limit: Option<u32>,
    elements: u64,
    pieces: S,
    block: &F,
) {
    if blocks <= 1 || limit == Some(1) {
        return in_order(0, blocks, pieces, block);
    }
    let threads = || u32::try_from(rayon::current_num_threads()).unwrap_or(u32::MAX);
    let (done, pieces) = if elements < FEW_ELEMENTS || blocks / MANY_BLOCKS >= threads() {
        alone(blocks, pieces, block)
    } else {
        (0, pieces)
    };
    if done < blocks {
        let runs = match threads() {
            1 => 1,
            cores => cores.saturating_mul(RUNS_PER_CORE),
        };
        let workers = limit.map_or(runs, |limit| limit.min(runs));
        share(done, blocks - done, workers, pieces, block);
    }
}

/// Runs the first blocks on this thread until it has taken [`ALONE`]. Gives their number, and what
/// belongs to the others.
fn alone<S: Split, F: Fn(u32, S::Piece)>(blocks: u32, mut pieces: S, block: &F) -> (u32, S) {
    let start = Instant::now();
    let (mut done, mut next) = (0, 1);
    while done < blocks {
        let (mine, rest) = pieces.split(next);
        in_order(done, next, mine, block);
        done += next;
        pieces = rest;
        if start.elapsed() >= ALONE {
            break;
        }
        // As many again, so that few times are asked for.
        next = done.min(blocks - done);
    }
    (done, pieces)
}

/// Runs `block` for each block, in at most `workers` runs of neighbours that go on at the same
/// time.
fn share<S: Split, F: Fn(u32, S::Piece) + Sync>(
    first: u32,
    blocks: u32,
    workers: u32,
    pieces: S,
    block: &F,
) {
    if workers <= 1 || blocks <= 1 {
        return in_order(first, blocks, pieces, block);
    }
    let half = blocks / 2;
    let (left, right) = pieces.split(half);
    let (mut left, mut right) = (Some(left), Some(right));
    both(
        &mut || {
            if let Some(left) = left.take() {
                share(first, half, workers / 2, left, block);
            }
        },
        &mut || {
            if let Some(right) = right.take() {
                let workers = workers - workers / 2;
                share(first + half, blocks - half, workers, right, block);
            }
        },
    );
}

/// Runs both, at the same time where a core is free. Not generic: otherwise rustc compiles what `rayon` does here once more for each kernel
/// of each crate, which was a fifth of the code of this one.
fn both(left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
    rayon::join(left, right);
}

/// Not inlined: a block is long, and there is to be one copy of it.
#[inline(never)]
fn in_order<S: Split, F: Fn(u32, S::Piece)>(first: u32, blocks: u32, mut pieces: S, block: &F) {
    for n in 0..blocks {
        let (mine, rest) = pieces.split(1);
        block(first + n, mine.piece());
        pieces = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(blocks: u32, each: u32, workers: u32) -> Vec<u32> {
        let mut output = vec![u32::MAX; (blocks * each) as usize];
        let pieces = (chunks(&mut output, each), ());
        share(0, blocks, workers, pieces, &|b, (piece, ())| piece.fill(b));
        for (limit, elements) in [(None, 0), (None, u64::MAX), (Some(workers), 0)] {
            let mut again = vec![u32::MAX; (blocks * each) as usize];
            let pieces = (chunks(&mut again, each), ());
            run(blocks, limit, elements, pieces, &|b, (piece, ())| {
                piece.fill(b)
            });
            assert_eq!(again, output);
        }
        output
    }

    #[test]
    fn what_is_left_of_a_launch_is_shared_out() {
        let mut output = vec![0; 1000];
        let block = |b: u32, (piece, ()): (&mut [u32], ())| {
            // Longer than a launch stays alone. A machine with other work may come here later than that.
            let start = Instant::now();
            while b == 2 && start.elapsed() < ALONE {}
            piece.fill(b);
        };
        let (done, rest) = alone(1000, (chunks(&mut output, 1), ()), &block);
        assert_eq!((done, rest.fits(1000 - done)), (done.clamp(1, 999), true));
    }

    #[test]
    fn every_block_gets_its_own_piece() {
        for blocks in [0, 1, 2, 7, 64] {
            for each in [1, 3] {
                for workers in [1, 2, 5, 100] {
                    let expected: Vec<u32> = (0..blocks * each).map(|i| i / each).collect();
                    assert_eq!(
                        numbered(blocks, each, workers),
                        expected,
                        "{blocks} {each} {workers}"
                    );
                }
            }
        }
    }

    #[test]
    fn pieces_fit_if_they_fill_the_output() {
        let mut output = vec![0u8; 12];
        assert!(chunks(&mut output, 3).fits(4));
        assert!(!chunks(&mut output, 3).fits(5));
        assert!(!(chunks(&mut output, 5), ()).fits(2));
        assert!(ragged(&mut output, 5).fits(3));
        assert!(ragged(&mut output, 5).fits(4));
        assert!(!ragged(&mut output, 5).fits(2));
        assert!(ragged(&mut output[..0], 5).fits(0));
        assert!(own(&mut output, 5).fits(2) && own(&mut output, 5).fits(9));
    }

    #[test]
    fn what_is_in_no_piece_of_its_own_stays() {
        for (blocks, expected) in [(2, [0, 0, 0, 1, 1, 1, 9, 9]), (4, [0, 0, 0, 1, 1, 1, 2, 2])] {
            let mut array = vec![9u32; 8];
            run(
                blocks,
                None,
                0,
                (own(&mut array, 3), ()),
                &|b, (piece, ())| piece.fill(b),
            );
            assert_eq!(array, expected);
        }
    }

    #[test]
    fn the_last_piece_is_what_is_left() {
        let mut output = vec![9u32; 12];
        let lengths = std::sync::Mutex::new(Vec::new());
        run(4, Some(1), 0, (ragged(&mut output, 5), ()), &|b,
                                                           (
            piece,
            (),
        )| {
            lengths.lock().unwrap().push(piece.len());
            piece.fill(b);
        });
        assert_eq!(*lengths.lock().unwrap(), [5, 5, 2, 0]);
        assert_eq!(output, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2]);
    }
}
