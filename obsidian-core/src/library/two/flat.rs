//! Between flat arrays and two-dimensional ones: row after row.

use crate::array::{Extent, Length, Pull, Pull2, Push, Push2, Writer, Writer2, require};
use crate::error::catalogue;
use crate::program::Hierarchy;
use crate::scalar::{Constraint, index, report};
use std::rc::Rc;

/// The height of a flat array in rows of `width`, which has to divide the length: now, or at
/// launch.
#[track_caller]
fn rows_of<S: Length>(len: &S, width: &S) -> S {
    match (len.fixed(), width.fixed()) {
        (_, Some(width)) => len.pieces(width),
        _ => {
            require(len.exp(), Constraint::DividedBy(width.exp().node()));
            S::from_exp(index::div(len.exp(), width.exp()))
        }
    }
}

/// A length has to be the product of a height and a width: now, or at launch.
#[track_caller]
fn check_size<S: Length>(len: &S, height: &S, width: &S) {
    match (len.fixed(), height.fixed(), width.fixed()) {
        (Some(len), Some(height), Some(width)) if height.checked_mul(width) == Some(len) => {}
        (Some(len), Some(height), Some(width)) => {
            report(catalogue::not_as_many(len, height, width))
        }
        _ => require(
            len.exp(),
            Constraint::Equal(height.product(width).exp().node()),
        ),
    }
}

impl<T: 'static, S: Length> Pull<T, S> {
    /// The elements in rows of `width`, which divides the length; that is checked at launch if it
    /// is not known before.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn columns(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| x.in_rows(3).column(1).push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// let result = example::columns::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn in_rows(&self, width: impl Extent<S>) -> Pull2<T, S> {
        let width = width.extent();
        let height = rows_of(&self.len(), &width);
        self.reshaped(height, width)
    }

    /// The elements in `height` rows of `width`; there must be as many, which is checked at launch
    /// if it is not known before.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn transposed(x: DPull<EU32>, height: EU32, width: EU32) -> DPush<Grid, EU32> {
    ///         let matrix = x.as_2d(height, width).transpose();
    ///         matrix.flat().chunks(64, 0).as_grid_map(|x| x.push()).take(x.len())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(example::transposed::launch(&device, &x, 2, 3)?.to_vec()?, [1, 4, 2, 5, 3, 6]);
    /// assert!(example::transposed::launch(&device, &x, 2, 2).is_err());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_2d(&self, height: impl Extent<S>, width: impl Extent<S>) -> Pull2<T, S> {
        let (height, width) = (height.extent(), width.extent());
        check_size(&self.len(), &height, &width);
        self.reshaped(height, width)
    }

    fn reshaped(&self, height: S, width: S) -> Pull2<T, S> {
        let (this, pitch) = (self.clone(), width.exp());
        Pull2::new(height, width, move |y, x| {
            this.at(index::add(index::mul(y, pitch), x))
        })
    }
}

impl<T: 'static, S: Length> Pull2<T, S> {
    /// The rows, one after another.
    ///
    /// It is a view, with a division and a remainder for the index, unless the width is 1.
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
    pub fn flat(&self) -> Pull<T, S> {
        let width = self.width().exp();
        self.list(self.height().product(&self.width()), move |i| {
            (index::div(i, width), index::rem(i, width))
        })
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push2<L, T, S> {
    /// The rows, one after another.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.in_rows(4).tiles(2, 2).as_grid_map(|tile| tile.map(|x| 2 * x).push()).flat()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::doubled::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12, 14, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn flat(&self) -> Push<L, T, S> {
        let (this, width) = (self.clone(), self.width().exp());
        Push::new(
            self.height().product(&self.width()),
            move |write: Writer<T>| {
                this.write_to(Rc::new(move |value, y, x| {
                    write(value, index::add(index::mul(y, width), x))
                }))
            },
        )
        .stamped(self.level())
    }
}

impl<L: Hierarchy, T: 'static, S: Length> Push<L, T, S> {
    /// The elements in rows of `width`, which divides the length; that is checked at launch if it
    /// is not known before.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn transposed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| x.push().in_rows(3).transpose().flat())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// let result = example::transposed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn in_rows(&self, width: impl Extent<S>) -> Push2<L, T, S> {
        let width = width.extent();
        let height = rows_of(&self.len(), &width);
        self.reshaped(height, width)
    }

    /// The elements in `height` rows of `width`; there must be as many, which is checked at launch
    /// if it is not known before.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn transposed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| x.push().as_2d(2, 3).transpose().flat())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// let result = example::transposed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_2d(&self, height: impl Extent<S>, width: impl Extent<S>) -> Push2<L, T, S> {
        let (height, width) = (height.extent(), width.extent());
        check_size(&self.len(), &height, &width);
        self.reshaped(height, width)
    }

    fn reshaped(&self, height: S, width: S) -> Push2<L, T, S> {
        let (this, columns) = (self.clone(), width.exp());
        Push2::new(height, width, move |write: Writer2<T>| {
            this.write_to(Rc::new(move |value, i| {
                write(value, index::div(i, columns), index::rem(i, columns))
            }))
        })
        .stamped(self.level())
    }
}
