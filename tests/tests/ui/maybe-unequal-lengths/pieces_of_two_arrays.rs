//! Two arrays are cut into pieces, and zipped then: the last pieces may differ in length.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    #[kernel(threads = 64)]
    pub fn k(x: DPull<EU32>, y: DPull<EU32>) -> DPush<Grid, EU32> {
        let pieces = zip(x.chunks_len(64), y.chunks_len(64));
        mk_push(pieces.len(), |write| {
            distr_par(pieces.len(), |b| {
                let (x, y) = pieces[b];
                let products = zip_with(|x, y| x * y, x, y);
                for_all(1, |_| {
                    let sum = seq_reduce(|x, y| x + y, products)?;
                    write(sum, b)
                })
            })
        })
    }
}

fn main() {}

// Write `let pieces = zip(x, y).chunks_len(64);` in place of `let pieces = zip(x.chunks_len(64), y.chunks_len(64));`.
// Write `let pairs = pieces[b];` in place of `let (x, y) = pieces[b];`.
// Write `pairs.map(|(x, y)| x * y)` in place of `zip_with(|x, y| x * y, x, y)`.
