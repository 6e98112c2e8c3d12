//! Which blocks of a grid are followed by the simulator.

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng};

/// Blocks that are looked at first: if those inside of the grid do the same, no more are.
pub(super) const FIRST: usize = 4;

/// At most `effort` blocks of a grid, in order: the first and the last, and between them one at random out of each of equal parts. They
/// depend on nothing else.
pub(super) fn blocks(grid: u32, effort: u32) -> Vec<u32> {
    if grid <= effort {
        return (0..grid).collect();
    }
    let mut random = StdRng::seed_from_u64(u64::from(grid) << 32 | u64::from(effort));
    let inner = match effort {
        0 | 1 => return vec![random.random_range(0..grid)],
        _ => u64::from(effort) - 2,
    };
    let all = u64::from(grid) - 2;
    let between = |part: u64| {
        let (start, end) = (part * all / inner, (part + 1) * all / inner);
        1 + random.random_range(start..end.max(start + 1)) as u32
    };
    let mut blocks = vec![0];
    blocks.extend((0..inner).map(between));
    blocks.push(grid - 1);
    blocks
}

/// The blocks to begin with, and the rest of them.
pub(super) fn halves(blocks: &[u32]) -> (Vec<u32>, Vec<u32>) {
    if blocks.len() <= FIRST {
        return (blocks.to_vec(), Vec::new());
    }
    let last = blocks.len() - 1;
    let begin = [0, last / 3, 2 * last / 3, last];
    let is_first = |place: &usize| begin.contains(place);
    let (first, rest): (Vec<usize>, Vec<usize>) = (0..blocks.len()).partition(is_first);
    let at = |places: Vec<usize>| places.into_iter().map(|place| blocks[place]).collect();
    (at(first), at(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_are_among_them_and_none_twice() {
        for grid in [1u32, 2, 5, 16, 17, 18, 1000, u32::MAX] {
            for effort in [1, 2, 3, 4, 16] {
                let some = blocks(grid, effort);
                assert_eq!(some.len() as u32, grid.min(effort));
                assert!(some.is_sorted_by(|a, b| a < b), "{grid} {effort}: {some:?}");
                assert!(some.iter().all(|block| *block < grid));
                if effort > 1 {
                    assert_eq!((some[0], some.last().copied()), (0, Some(grid - 1)));
                }
                assert_eq!(some, blocks(grid, effort), "the same each time");
                let (mut first, rest) = halves(&some);
                assert_eq!(first.len(), some.len().min(FIRST));
                first.extend(rest);
                first.sort_unstable();
                assert_eq!(first, some);
            }
        }
    }
}
