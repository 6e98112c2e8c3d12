//! The kernels that the spaces build and no other example has, in the language of kernels. Candidates call these functions with the values of
//! their points; the macro evaluates none of them, and rustc has checked them all.

use obsidian_rt::prelude::*;

/// Grids over the functions of the examples, for any operator and type of element.
#[kernels]
pub mod grids {
    use reduction::in_tiles::of_piece;
    use scan::held::{exchanged_run_after, run_after};
    use scan::scans::{scan, wrap_kern_cin};

    /// Scans chunks of `each` elements by the scan `which` in rounds of `round`, each chunk begun with its carry.
    pub fn chunks_after<T: Data>(
        (which, each, round): (u32, u32, u32),
        f: impl Combine<T>,
        carries: DPull<T>,
        input: DPull<T>,
    ) -> DPush<Grid, T> {
        let chunk = |carry: T, chunk: Pull<T>| {
            s_map_accum(
                |carry: T, piece: Pull<T>| {
                    wrap_kern_cin(
                        |piece| scan(which, round.ilog2(), f, piece),
                        f,
                        carry,
                        piece,
                    )
                },
                carry,
                chunk.split_up(round),
            )
        };
        zip_with(chunk, carries, input.split_up(each)).as_grid()
    }

    /// Pieces of `piece` elements, the last one maybe shorter, each reduced by a block in tiles; `zero` is neutral.
    pub fn pieces_in_tiles<T: Data>(
        (threads, piece): (u32, u32),
        shape: (u32, u32, u32),
        zero: T,
        f: impl Combine<T>,
        input: DPull<T>,
    ) -> DPush<Grid, T> {
        input
            .chunks_len(piece)
            .as_grid_map(|piece| exec_block(of_piece(threads, shape, zero, f, piece)))
    }

    /// Scans of runs that the threads of a block hold, `items` each: loaded by their owners, or by all together and exchanged.
    pub fn runs_held<T: Data>(
        (items, run): (u32, u32),
        is_own: bool,
        zero: T,
        f: impl Combine<T>,
        input: DPull<T>,
    ) -> DPush<Grid, T> {
        input.split_up(run).as_grid_map(|run| {
            if is_own {
                exec_block(run_after(items, f, zero, run))
            } else {
                exec_block(exchanged_run_after(items, f, zero, run))
            }
        })
    }
}
