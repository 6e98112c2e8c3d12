//! Other views of the elements of arrays of several axes: transposed, by planes, rows and columns, cropped; and
//! the matrix of two lists.

use std::rc::Rc;

use super::super::chunks::fits_in_pieces;
use crate::array::{Length, Pull, Pull2, Pull3, Push2, check_axis};
use crate::error::catalogue;
use crate::program::{Hierarchy, Program, Thread, cond, pure};
use crate::scalar::{Exp, report};

/// The array of `f` of each element of one array with each of another: row `y` has those of element `y`
/// of the first. An element is computed in each row or column: store an array that is costly.
///
/// ```
/// use obsidian_language::library::{generate, outer};
///
/// let table = outer(|x, y| x * y, generate(3, |i| i + 1), generate(4, |i| i + 1));
/// assert_eq!((table.height(), table.width()), (3, 4));
/// ```
#[doc(alias = "cartesian_product")]
pub fn outer<T: 'static, U: 'static, V: 'static, S: Length>(
    f: impl Fn(T, U) -> V + 'static,
    rows: Pull<T, S>,
    columns: Pull<U, S>,
) -> Pull2<V, S> {
    Pull::new((rows.len(), columns.len()), move |(y, x)| {
        f(rows.at(y), columns.at(x))
    })
}

impl<T: 'static, S: Length> Pull2<T, S> {
    /// Rows as columns, and columns as rows.
    ///
    /// It is a view: threads that go along its rows read down the columns of what is stored, which is not coalesced. A tile that is stored by
    /// [`compute_pitch`](crate::library::compute_pitch) first is read and written coalesced.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn transposed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| x.in_rows(3).transpose().flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// let result = example::transposed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn transpose(&self) -> Pull2<T, S> {
        self.view((self.width(), self.height()), |(y, x)| (x, y))
    }

    /// Row `y`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn second_rows(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| x.in_rows(3).row(1).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// let result = example::second_rows::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4, 5, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn row(&self, y: impl Into<Exp<u32>>) -> Pull<T, S> {
        let y = y.into();
        check_axis("row", y, &self.height());
        self.view(self.width(), move |x| (y, x))
    }

    /// Column `x`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn second_columns(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| x.in_rows(3).column(1).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// let result = example::second_columns::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn column(&self, x: impl Into<Exp<u32>>) -> Pull<T, S> {
        let x = x.into();
        check_axis("column", x, &self.width());
        self.view(self.height(), move |y| (y, x))
    }

    /// The rows.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // A thread for each row.
    ///         x.split_up(6).as_grid_map(|x| x.in_rows(3).rows().as_block_map(|row| {
    ///             exec_thread_value(seq_reduce(|a, b| a + b, row))
    ///         }))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [6, 15]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn rows(&self) -> Pull<Pull<T, S>, S> {
        let this = self.clone();
        Pull::new(self.height(), move |y| this.row(y))
    }

    /// The columns.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // A thread for each column.
    ///         x.split_up(6).as_grid_map(|x| x.in_rows(3).columns().as_block_map(|column| {
    ///             exec_thread_value(seq_reduce(|a, b| a + b, column))
    ///         }))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [5, 7, 9]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn columns(&self) -> Pull<Pull<T, S>, S> {
        let this = self.clone();
        Pull::new(self.width(), move |x| this.column(x))
    }
}

impl<T: 'static, S: Length> Pull3<T, S> {
    /// Plane `z`, a matrix.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn second_planes(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(8).as_grid_map(|x| x.as_3d(2, 2, 2).plane(1).transpose().flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::second_planes::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [5, 7, 6, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn plane(&self, z: impl Into<Exp<u32>>) -> Pull2<T, S> {
        let z = z.into();
        check_axis("plane", z, &self.depth());
        self.view((self.height(), self.width()), move |(y, x)| (z, y, x))
    }

    /// The planes, each a matrix.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn transposed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(8).as_grid_map(|x| x.as_3d(2, 2, 2).planes().as_block_map(|plane| plane.transpose().flat().push::<Thread>()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::transposed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 3, 2, 4, 5, 7, 6, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn planes(&self) -> Pull<Pull2<T, S>, S> {
        let this = self.clone();
        Pull::new(self.depth(), move |z| this.plane(z))
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push2<L, T, S> {
    /// Rows as columns, and columns as rows.
    ///
    /// What is written is turned, not what is read.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn transposed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.in_rows(4).tiles(2, 2).as_grid_map(|tile| tile.push()).transpose().flat()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::transposed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 5, 2, 6, 3, 7, 4, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn transpose(&self) -> Push2<L, T, S> {
        self.rewrite((self.width(), self.height()), |write| {
            Rc::new(move |value, (y, x)| write(value, (x, y)))
        })
    }

    /// The first `height` rows and `width` columns; there must be as many. The others are computed
    /// as well, and not written.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>, width: EU32) -> DPush<Grid, EU32> {
    ///         let matrix = x.in_rows(width);
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
    pub fn crop<Z: Length>(&self, height: Z, width: Z) -> Push2<L, T, Z> {
        let (rows, columns) = (
            within("row", &height, &self.height()),
            within("column", &width, &self.width()),
        );
        for (cuts, size) in [(!rows, self.height()), (!columns, self.width())] {
            if cuts && size.fixed().is_none() {
                fits_in_pieces(size.exp());
            }
        }
        let (bottom, right) = (height.exp(), width.exp());
        self.rewrite((height, width), move |write| {
            Rc::new(move |value, (y, x)| {
                let nothing: Program<Thread, ()> = pure(());
                match (rows, columns) {
                    (true, true) => write(value, (y, x)),
                    (true, false) => cond(x.lt(right), write(value, (y, x)), nothing),
                    (false, true) => cond(y.lt(bottom), write(value, (y, x)), nothing),
                    (false, false) => {
                        cond(y.lt(bottom) & x.lt(right), write(value, (y, x)), nothing)
                    }
                }
            })
        })
    }
}

/// Is all of a size wanted? More than there is, is a mistake.
#[track_caller]
fn within<Z: Length, S: Length>(what: &str, wanted: &Z, size: &S) -> bool {
    match (wanted.fixed(), size.fixed()) {
        (Some(wanted), Some(size)) if wanted > size => {
            report(catalogue::outside_of_array(
                what,
                wanted.into(),
                size.into(),
            ));
            true
        }
        (Some(wanted), Some(size)) => wanted == size,
        _ => wanted.exp().node() == size.exp().node(),
    }
}
