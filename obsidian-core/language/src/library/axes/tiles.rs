//! Two-dimensional arrays cut into tiles of one size, and put together again.

use super::super::chunks::{note_fill, pieces};
use crate::array::{Length, Pull, Pull2};
use crate::scalar::{Exp, Fill, FillPlace, here, index};

impl<T: 'static, S: Length> Pull2<T, S> {
    /// The tiles of `height` rows and `width` columns, in their rows and columns; they divide the
    /// array's, which is checked at launch if it is not known before.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // The sum of each tile of 2 rows and columns.
    ///         x.in_rows(4).tiles(2, 2).flat().as_grid_map(|tile| reduce(|a, b| a + b, tile.flat()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [14, 22]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn tiles(&self, height: u32, width: u32) -> Pull2<Pull2<T>, S> {
        let this = self.clone();
        Pull::new(
            (self.height().pieces(height), self.width().pieces(width)),
            move |(y, x)| {
                let (top, left) = (index::mul(y, height), index::mul(x, width));
                this.view((height, width), move |(y, x)| {
                    (index::add(top, y), index::add(left, x))
                })
            },
        )
    }

    /// Tiles that cover an array of any size. Those at its lower and right edge go beyond it, and
    /// repeat its last row and column there: nothing is read outside, and
    /// [`crop`](crate::array::Push::crop) takes away what that makes too much. Without it the output is all of the tiles, and longer
    /// than the array: that is the error `edge-in-output`, unless [`padded`](crate::array::Push::padded) says that it is meant.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>, width: EU32) -> DPush<Grid, EU32> {
    ///         let matrix = x.in_rows(width);
    ///         // One tile of 8 by 8, of which 2 by 3 are written.
    ///         let tiles = matrix.cover(8, 8).as_grid_map(|tile| tile.map(|x| 2 * x).push());
    ///         tiles.crop(matrix.height(), matrix.width()).flat()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(example::doubled::launch(&device, &x, 3)?.to_vec()?, [2, 4, 6, 8, 10, 12]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn cover(&self, height: u32, width: u32) -> Pull2<Pull2<T>, S> {
        let (this, origin) = (self.clone(), here());
        let (bottom, right) = (last(&self.height(), height), last(&self.width(), width));
        let tiles = (pieces(&self.height(), height), pieces(&self.width(), width));
        let all = (
            tiles.0.fixed().and_then(|n| n.checked_mul(height)),
            tiles.1.fixed().and_then(|n| n.checked_mul(width)),
        );
        Pull::new(tiles, move |(y, x)| {
            let (top, left) = (index::mul(y, height), index::mul(x, width));
            this.view((height, width), move |(y, x)| {
                let (row, column) = (index::add(top, y), index::add(left, x));
                let inside = (up_to(row, bottom), up_to(column, right));
                let place = FillPlace::Tiles {
                    row: row.node(),
                    column: column.node(),
                    size: (height, width),
                    all,
                };
                // Tiles of one row or column end where the matrix does.
                for (inside, i, size) in [(inside.0, row, height), (inside.1, column, width)] {
                    if size > 1 && inside.node() != i.node() {
                        note_fill(inside.node(), Fill { place, origin });
                    }
                }
                inside
            })
        })
    }
}

/// The last row or column, unless whole tiles end there.
fn last<S: Length>(size: &S, tile: u32) -> Option<Exp<u32>> {
    match size.fixed() {
        Some(size) if tile > 0 && size.is_multiple_of(tile) => None,
        _ => Some(index::sub(size.exp(), 1)),
    }
}

fn up_to(i: Exp<u32>, last: Option<Exp<u32>>) -> Exp<u32> {
    last.map_or(i, |last| i.min(last))
}

impl<T: 'static, S: Length> Pull2<Pull2<T>, S> {
    /// Tiles of `height` rows and `width` columns, put together: undoes [`tiles`](Pull::tiles).
    ///
    /// The caller vouches for the size of the tiles.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn turned(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // Each tile transposed, in its place.
    ///         let turned = x.in_rows(4).tiles(2, 2).map(|tile| tile.transpose()).untile(2, 2);
    ///         turned.flat().split_up(8).as_grid_map(|x| x.push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::turned::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 5, 3, 7, 2, 6, 4, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn untile(&self, height: u32, width: u32) -> Pull2<T, S> {
        let this = self.clone();
        Pull::new(
            (self.height().times(height), self.width().times(width)),
            move |(y, x)| {
                let tile = this.get((index::div(y, height), index::div(x, width)));
                tile.get((index::rem(y, height), index::rem(x, width)))
            },
        )
    }
}
