//! Chains of choices whose arms load: long ones, which were once looked at twice for every step.
//! Written out or bound in front of their conditions, they give the same bits everywhere.

use obsidian_rt::prelude::*;
use obsidian_tests::fact;

#[kernels]
mod chains {
    /// The greatest power of two steps that keep a table's elements at most the key's.
    #[kernel(threads = 32)]
    pub fn search(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let m = x.len();
        x.split_up(64).as_grid_map(|piece| {
            piece
                .map(|k| {
                    let mut at = lit(0u32);
                    for s in (0..8u32).rev() {
                        let p = at + (1u32 << s);
                        let there = select(p < m, x[p], lit(u32::MAX));
                        at = select(there <= k, p, at);
                    }
                    at
                })
                .push()
        })
    }

    /// A walk whose next element depends on the bits of a key.
    #[kernel(threads = 32)]
    pub fn walk(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|piece| {
            generate(64, |i| {
                let (k, mut at) = (piece[i], i);
                for s in 0..24u32 {
                    let odd = (k >> s) & 1 == 1;
                    at = select(odd, piece[at % 64], piece[(at + 1) % 64] + 1);
                }
                at
            })
            .push()
        })
    }

    /// Indices that count from the end or from the beginning.
    #[kernel(threads = 32)]
    pub fn from_both_ends(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|piece| {
            let from_end = generate(64, |i| i).reverse();
            generate(64, |i| {
                let (k, mut at) = (piece[i], i);
                for s in 0..20u32 {
                    at = select((k >> s) & 1 == 1, from_end[at], (at + s) % 64);
                }
                piece[at]
            })
            .push()
        })
    }

    /// Choices in arms of choices.
    #[kernel(threads = 32)]
    pub fn in_arms(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(64).as_grid_map(|piece| {
            generate(64, |i| {
                let (k, mut at) = (piece[i], lit(0u32));
                for s in 0..12u32 {
                    at = select(k % 16 >= s, select(i + s < 64, piece[i + s], at) + at, at);
                }
                at
            })
            .push()
        })
    }
}

fn each(x: &[u32], f: impl Fn(&[u32], usize) -> u32) -> Vec<u32> {
    let pieces = x.chunks_exact(64);
    pieces
        .flat_map(|piece| (0..64).map(|i| f(piece, i)).collect::<Vec<_>>())
        .collect()
}

fn searched(x: &[u32]) -> Vec<u32> {
    let step = |k: u32| {
        (0..8u32).rev().fold(0u32, |at, s| {
            let p = at + (1 << s);
            let there = x.get(p as usize).copied().unwrap_or(u32::MAX);
            if there <= k { p } else { at }
        })
    };
    x.iter().map(|k| step(*k)).collect()
}

fn walked(x: &[u32]) -> Vec<u32> {
    each(x, |piece, i| {
        (0..24).fold(i as u32, |at, s| {
            if (piece[i] >> s) & 1 == 1 {
                piece[at as usize % 64]
            } else {
                piece[(at as usize + 1) % 64].wrapping_add(1)
            }
        })
    })
}

fn turned(x: &[u32]) -> Vec<u32> {
    each(x, |piece, i| {
        let at = (0..20).fold(i, |at, s| {
            if (piece[i] >> s) & 1 == 1 {
                63 - at
            } else {
                (at + s) % 64
            }
        });
        piece[at]
    })
}

fn summed(x: &[u32]) -> Vec<u32> {
    each(x, |piece, i| {
        (0..12).fold(0u32, |at, s| {
            let further = piece.get(i + s).copied().unwrap_or(at);
            if piece[i] % 16 >= s as u32 {
                further.wrapping_add(at)
            } else {
                at
            }
        })
    })
}

fact!(issue_16_item_11_a_binary_search: chains::search[64](x: u32) == searched(&x));
fact!(issue_16_item_11_a_walk: chains::walk[64](x: u32) == walked(&x));
fact!(issue_16_item_11_indices_from_both_ends: chains::from_both_ends[64](x: u32) == turned(&x));
fact!(issue_16_item_11_choices_in_arms: chains::in_arms[64](x: u32) == summed(&x));
