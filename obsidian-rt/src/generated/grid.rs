//! Sharing out blocks over the cores, together with what belongs to each of them.

use crate::element::Element;

/// What is given out to blocks in pieces: nothing, an output, or a pair of such.
pub trait Split: Send + Sized {
    /// What one block gets.
    type Piece;

    /// Is there exactly one piece for each of so many blocks?
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
}

/// Gives each block a run of `each` elements.
pub fn chunks<T: Element>(elements: &mut [T], each: u32) -> Chunks<'_, T> {
    Chunks {
        elements,
        each: each as usize,
    }
}

impl<'a, T: Element> Split for Chunks<'a, T> {
    type Piece = &'a mut [T];

    fn fits(&self, blocks: u32) -> bool {
        self.each as u64 * u64::from(blocks) == self.elements.len() as u64
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
                each: self.each,
            },
            Chunks {
                elements: rest,
                each: self.each,
            },
        )
    }

    fn piece(self) -> &'a mut [T] {
        self.elements
    }
}

/// Runs `block` for each block, in at most `workers` runs of neighbours that go on at the same
/// time.
pub(super) fn share<S: Split, F: Fn(u32, S::Piece) + Sync>(
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
    rayon::join(
        || share(first, half, workers / 2, left, block),
        || {
            share(
                first + half,
                blocks - half,
                workers - workers / 2,
                right,
                block,
            )
        },
    );
}

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
        share(
            0,
            blocks,
            workers,
            (chunks(&mut output, each), ()),
            &|b, (piece, ())| piece.fill(b),
        );
        output
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
    }
}
