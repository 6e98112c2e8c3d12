//! The same in plain Rust, on one thread, with everything in memory.

use crate::md5::{CONSTANTS, Digest, FIRST, TURNS, word_of};
use crate::pages::{WHOLE, equal};

/// The sum of the products, in `f64`.
pub fn dot(xs: &[f32], ys: &[f32]) -> f64 {
    xs.iter()
        .zip(ys)
        .map(|(x, y)| f64::from(*x) * f64::from(*y))
        .sum()
}

/// The largest number, and the sum in `f64`.
pub fn max_and_sum(xs: &[f32]) -> (Option<f32>, f64) {
    (
        xs.iter().copied().reduce(f32::max),
        xs.iter().map(|x| f64::from(*x)).sum(),
    )
}

/// The product of each row with a vector, in `f64`.
pub fn matrix_vector(rows: &[f32], vector: &[f32]) -> Vec<f64> {
    rows.chunks(vector.len())
        .map(|row| dot(row, vector))
        .collect()
}

/// The MD5 digest of some bytes.
pub fn digest(bytes: &[u8]) -> Digest {
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64 * 8).to_le_bytes());
    let (blocks, _) = padded.as_chunks::<64>();
    let constants = &*CONSTANTS;
    blocks.iter().fold(FIRST, |state, block| {
        let (words, _) = block.as_chunks::<4>();
        let (mut a, mut b, mut c, mut d) = state;
        for step in 0..64u32 {
            let mixed = match step / 16 {
                0 => (b & c) | (!b & d),
                1 => (d & b) | (!d & c),
                2 => b ^ c ^ d,
                _ => c ^ (b | !d),
            };
            let word = u32::from_le_bytes(words[word_of(step) as usize]);
            let sum = a
                .wrapping_add(mixed)
                .wrapping_add(constants[step as usize])
                .wrapping_add(word);
            let turn = TURNS[(step / 16) as usize][(step % 4) as usize];
            (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(turn)));
        }
        (
            state.0.wrapping_add(a),
            state.1.wrapping_add(b),
            state.2.wrapping_add(c),
            state.3.wrapping_add(d),
        )
    })
}

/// Links between 2^`bits` pages, at most 2^32, as R-MAT draws them (Chakrabarti, Zhan and Faloutsos, 2004), with the probabilities of Graph 500: few pages have
/// most of them, and some links are there twice.
///
/// ```
/// let links: Vec<[u32; 2]> = streams::reference::links(10, 1).take(1000).collect();
/// let to_first = links.iter().filter(|[_, to]| *to < 32).count();
/// assert!(to_first > 100 && links.iter().flatten().all(|page| *page < 1024));
/// ```
pub fn links(bits: u32, seed: u64) -> impl Iterator<Item = [u32; 2]> {
    // SplitMix64, of which each number draws four quarters.
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let parts = |share: f64| (share * 65536.0) as u64;
    let (left, right, below) = (parts(0.57), parts(0.57 + 0.19), parts(0.57 + 0.19 + 0.19));
    std::iter::repeat_with(move || {
        let (mut link, mut random) = ([0u32; 2], 0);
        for bit in 0..bits {
            random = match bit % 4 {
                0 => next(),
                _ => random >> 16,
            };
            let draw = random & 0xffff;
            let from = u32::from(draw >= right);
            let to = u32::from((draw >= left && draw < right) || draw >= below);
            link = [link[0] << 1 | from, link[1] << 1 | to];
        }
        link
    })
}

/// The ranks behind some iterations, as [`rank`](crate::rank) has them.
pub fn rank(links: &[[u32; 2]], pages: usize, iterations: usize) -> Vec<u64> {
    let mut degrees = vec![0u64; pages];
    links
        .iter()
        .for_each(|[from, _]| degrees[*from as usize] += 1);
    let mut ranks = equal(WHOLE, pages);
    for _ in 0..iterations {
        let mut sums = vec![0u64; pages];
        for [from, to] in links {
            let from = *from as usize;
            sums[*to as usize] += ranks[from] / 20 * 17 / degrees[from];
        }
        let rest = WHOLE - sums.iter().sum::<u64>();
        ranks = sums
            .iter()
            .zip(equal(rest, pages))
            .map(|(sum, more)| sum + more)
            .collect();
    }
    ranks
}
