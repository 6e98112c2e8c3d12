//! Rearranging: every law is about a permutation or a tuple of the input.

use obsidian_rt::prelude::*;

use crate::{THREADS, check, native, numbers};

#[kernels]
pub mod rearrange {
    /// Pairs and back.
    #[kernel(threads = 32)]
    pub fn pairs(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(10)
            .as_grid_map(|c| c.pair().map(|p| (p.1, p.0)).unpair().push())
    }

    #[kernel(threads = 32)]
    pub fn triples(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(12)
            .as_grid_map(|c| c.triple().map(|p| (p.2, p.0, p.1)).untriple().push())
    }

    #[kernel(threads = 32)]
    pub fn quadruples(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(12).as_grid_map(|c| {
            c.quadruple()
                .map(|p| (p.3, p.2, p.1, p.0))
                .unquadruple()
                .push()
        })
    }

    #[kernel(threads = 32)]
    pub fn pull_interleave(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(10).as_grid_map(|c| {
            let (a, b) = c.halve();
            interleave(a, b).push()
        })
    }

    #[kernel(threads = 32)]
    pub fn push_interleave(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(10).as_grid_map(|c| {
            let (a, b) = c.halve();
            interleave(a.push::<Block>(), b.push::<Block>())
        })
    }

    #[kernel(threads = 32)]
    pub fn shifted(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(10)
            .as_grid_map(|c| append(c.shift_left(3).push::<Block>(), c.take(3).push()))
    }

    #[kernel(threads = 32)]
    pub fn differences(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(10)
            .as_grid_map(|c| append(c.take(1), c.adjacent(|x, y| y - x)).push())
    }

    #[kernel(threads = 32)]
    pub fn moving_sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let sum = |w: Pull<EU32>| fold1(|x, y| x * 31 + y, w).first();
        input
            .split_up(10)
            .as_grid_map(|c| append(c.windows(3).map(sum), c.drop(8)).push())
    }

    #[kernel(threads = 32)]
    pub fn products(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(6).as_grid_map(|c| {
            let most: EU32 = c[0];
            outer(|x, y| (x * y).max(most), c.take(2), c.drop(3))
                .flat()
                .push()
        })
    }

    #[kernel(threads = 32)]
    pub fn steps_between_all(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let steps = input.adjacent(|x, y| y - x);
        steps.chunks(16, 7).as_grid_map(|c| c.push()).padded()
    }

    #[kernel(threads = 32)]
    pub fn loads(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(60).as_grid_map(|c| {
            let c = exec_block(compute(c.load::<Block>(4)));
            c.reverse()
        })
    }

    #[kernel(threads = 32)]
    pub fn stores(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(60)
            .as_grid_map(|c| c.map(|x| x + 1).store(3))
    }

    #[kernel(threads = 32)]
    pub fn dealt(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(60)
            .as_grid_map(|c| c.coalesce(5).un_coalesce(5).push())
    }

    #[kernel(threads = 32)]
    pub fn dealt_push(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(60)
            .as_grid_map(|c| c.coalesce(5).concat(5).push::<Block>().un_coalesce(5))
    }

    /// The pieces of a split, each reversed.
    #[kernel(threads = 32)]
    pub fn split(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(32)
            .as_grid_map(|c| unsafe_bin_split(2, |p| p.reverse(), c).push())
    }

    #[kernel(threads = 32)]
    pub fn split_stored(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(32)
            .as_grid_map(|c| exec_block(bin_split(3, |p| p.reverse(), c.map(|x| x * 3))))
    }

    #[kernel(threads = 32)]
    pub fn folds(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(6)
            .as_grid_map(|c| fold1(|x, y| x * 31 + y, c).push())
    }

    #[kernel(threads = 32)]
    pub fn made(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = input.len();
        let twice = mk_pull(n, |i| input[i] + i);
        twice
            .split_up(8)
            .as_grid_map(|c| mk_push(8, |write| for_all::<Block, _>(8, |i| write(c[i], 7 - i))))
    }

    /// Two writes in sequence, as in the paper's `phase`.
    #[kernel(threads = 32)]
    pub fn two_writes(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(8).as_grid_map(|c| {
            mk_push(8, |write| {
                for_all::<Block, _>(4, |i| {
                    write(c[i], i + 4)?;
                    write(c[i + 4], i)
                })
            })
        })
    }

    #[kernel(threads = 32)]
    pub fn four(a: DPull<EU32>, b: DPull<EU32>) -> DPush<Grid, EU32> {
        let quads = zip4(a, b, a.reverse(), b.reverse());
        let (w, x, y, z) = unzip4(quads);
        zip_with4(|p, q, r, s| p * 2 + q * 3 + r * 5 + s * 7, w, x, y, z)
            .split_up(5)
            .as_grid_map(|c| c.push())
    }

    /// The shared functions on push arrays.
    #[kernel(threads = 32)]
    pub fn both(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let zeros = iota(4).push::<Block>().map(|i| i * 2);
        let ones = replicate(3, lit(1_u32)).push::<Block>();
        let one = singleton_push::<Block, _>(lit(9_u32));
        let tail = append(append(zeros, ones), one).ix_map(|i| 7 - i);
        input
            .split_up(4)
            .as_grid_map(|c| append(c.push(), tail).to_dyn().from_dyn(12))
    }

    /// Pieces of any size, padded, and cut to the length again.
    pub fn any_size(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(n, lit(7_u32))
            .as_grid_map(|c| c.map(|x| x * 3 + 1).push())
            .take(input.len())
    }

    #[kernel(threads = 32)]
    pub fn any_size_40(input: DPull<EU32>) -> DPush<Grid, EU32> {
        any_size(40, input)
    }

    /// One sum a piece, the last piece short.
    pub fn sums_of(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks_len(n)
            .as_grid_map(|c| singleton_push_of(seq_reduce(|x, y| x * 31 + y, c)))
    }

    pub fn singleton_push_of(sum: Program<Thread, EU32>) -> Push<Block, EU32> {
        replicate(1, 0).as_block_map(|_| exec_thread_value(sum))
    }

    #[kernel(threads = 32)]
    pub fn sums_of_16(input: DPull<EU32>) -> DPush<Grid, EU32> {
        sums_of(16, input)
    }

    /// Padded pieces as they are.
    pub fn padded(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(n, lit(7_u32))
            .as_grid_map(|c| c.push())
            .padded()
    }
}

fn per_piece(input: &[u32], n: usize, f: impl Fn(&[u32]) -> Vec<u32>) -> Vec<u32> {
    input.chunks_exact(n).flat_map(f).collect()
}

#[test]
fn tuples_of_neighbours() {
    check!(rearrange::pairs[10](x) => per_piece(&x, 2, |p| vec![p[1], p[0]]));
    check!(rearrange::triples[12](x) => per_piece(&x, 3, |p| vec![p[2], p[0], p[1]]));
    check!(rearrange::quadruples[12](x) => per_piece(&x, 4, |p| vec![p[3], p[2], p[1], p[0]]));
}

#[test]
fn interleaving_takes_from_both_in_turn() {
    let interleaved =
        |x: &[u32]| per_piece(x, 10, |c| (0..10).map(|i| c[i / 2 + 5 * (i % 2)]).collect());
    check!(rearrange::pull_interleave[10](x) => interleaved(&x));
    check!(rearrange::push_interleave[10](x) => interleaved(&x));
}

#[test]
fn neighbours_windows_and_all_pairs() {
    let steps = |x: &[u32]| -> Vec<u32> {
        let pairs = x.windows(2);
        pairs.map(|pair| pair[1].wrapping_sub(pair[0])).collect()
    };
    check!(rearrange::differences[10](x) => per_piece(&x, 10, |c| [&c[..1], &steps(c)].concat()));
    check!(rearrange::moving_sums[10](x) => per_piece(&x, 10, |c| {
        let sums: Vec<u32> = c.windows(3).map(sum).collect();
        [&sums[..], &c[8..]].concat()
    }));
    check!(rearrange::products[6](x) => per_piece(&x, 6, |c| {
        let row = |x: u32| c[3..].iter().map(move |y| x.wrapping_mul(*y).max(c[0]));
        c[..2].iter().flat_map(|x| row(*x)).collect()
    }));
    for n in [1, 2, 17, 100] {
        let x = numbers(n);
        let output: Vec<u32> = native(33, &x, |b| {
            let input = b.parameter("input");
            b.result(rearrange::steps_between_all(input));
        });
        let mut expected = steps(&x);
        expected.resize(expected.len().next_multiple_of(16), 7);
        assert_eq!(output, expected, "{n} elements");
    }
}

#[test]
fn loading_patterns_keep_the_elements() {
    check!(rearrange::loads[60](x) => per_piece(&x, 60, |c| c.iter().rev().copied().collect()));
    check!(rearrange::stores[60](x) => x.iter().map(|x| x + 1).collect::<Vec<_>>());
    check!(rearrange::dealt[60](x) => x);
    check!(rearrange::dealt_push[60](x) => x);
    check!(rearrange::shifted[10](x) => per_piece(&x, 10, |c| [&c[3..], &c[..3]].concat()));
}

#[test]
fn splits_apply_to_each_piece() {
    check!(rearrange::split[32](x) => per_piece(&x, 8, |c| c.iter().rev().copied().collect()));
    check!(rearrange::split_stored[32](x) => per_piece(&x, 4, |c| c.iter().rev().map(|x| x.wrapping_mul(3)).collect()));
    check!(rearrange::folds[6](x) => per_piece(&x, 6, |c| vec![sum(c)]));
}

fn sum(c: &[u32]) -> u32 {
    c.iter()
        .copied()
        .reduce(|x, y| x.wrapping_mul(31).wrapping_add(y))
        .unwrap()
}

#[test]
fn arrays_of_functions() {
    let added = |x: Vec<u32>| {
        x.iter()
            .enumerate()
            .map(|(i, x)| x.wrapping_add(i as u32))
            .collect::<Vec<u32>>()
    };
    check!(rearrange::made[8](x) => per_piece(&added(x), 8, |c| c.iter().rev().copied().collect()));
    check!(rearrange::two_writes[8](x) => per_piece(&x, 8, |c| [&c[4..], &c[..4]].concat()));
    check!(rearrange::both[4](x) => per_piece(&x, 4, |c| [c, &[9, 1, 1, 1, 6, 4, 2, 0]].concat()));
}

fn quadruple_sums(a: &[u32], b: &[u32]) -> Vec<u32> {
    let at = |i: usize| {
        let opposite = a.len() - 1 - i;
        let terms = [(a[i], 2u32), (b[i], 3), (a[opposite], 5), (b[opposite], 7)];
        terms
            .iter()
            .fold(0u32, |s, (x, k)| s.wrapping_add(x.wrapping_mul(*k)))
    };
    (0..a.len()).map(at).collect()
}

#[test]
fn four_arrays_at_once() {
    check!(rearrange::four[5](a, b) => quadruple_sums(&a, &b));
}

#[test]
fn pieces_of_any_size() {
    check!(rearrange::any_size_40[40](x) => x.iter().map(|x| x.wrapping_mul(3).wrapping_add(1)).collect::<Vec<_>>());
    check!(rearrange::sums_of_16[16](x) => x.chunks(16).map(sum).collect::<Vec<_>>());
    for n in 0..100 {
        let x = numbers(n);
        for size in [1, 3, 32] {
            let threads = THREADS[(n % 5) as usize];
            let expected: Vec<u32> = x
                .iter()
                .map(|x| x.wrapping_mul(3).wrapping_add(1))
                .collect();
            let output: Vec<u32> = native(threads, &x, |b| {
                let input = b.parameter("input");
                b.result(rearrange::any_size(size, input));
            });
            assert_eq!(output, expected, "{n} elements in pieces of {size}");
            let output: Vec<u32> = native(threads, &x, |b| {
                let input = b.parameter("input");
                b.result(rearrange::padded(size, input));
            });
            let mut expected = x.clone();
            expected.resize((n.div_ceil(size) * size) as usize, 7);
            assert_eq!(output, expected, "{n} elements in padded pieces of {size}");
        }
    }
}
