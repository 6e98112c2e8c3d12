//! The sizes of arrays along their axes: planes, rows and columns.

use super::{Length, Pull, Push, Shape};
use crate::program::Hierarchy;
use crate::scalar::lit;

/// Shapes of arrays that have rows and columns: matrices, and arrays of three axes.
#[diagnostic::on_unimplemented(
    message = "a list has no rows and columns",
    label = "a list",
    note = "`in_rows(width)` and `as_2d(height, width)` make a matrix of it"
)]
#[doc(hidden)]
pub trait Rows: Shape {}

impl<N: Length> Rows for (N, N) {}
impl<N: Length> Rows for (N, N, N) {}

/// The size along an axis, which is counted from the innermost one.
fn from_inside<S: Shape>(shape: &S, axis: usize) -> S::Size {
    let sizes = shape.sizes();
    let size = sizes
        .len()
        .checked_sub(axis)
        .and_then(|axis| sizes.get(axis));
    size.cloned().unwrap_or_else(|| Length::from_exp(lit(1)))
}

impl<T: 'static, S: Shape> Pull<T, S> {
    /// The number of rows.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn flipped(x: Pull2<EU32>) -> Pull2<EU32> {
    ///         generate(x.shape(), |(row, column)| x.at((x.height() - 1 - row, column)))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| flipped(x.in_rows(2)).flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 4, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn height(&self) -> S::Size
    where
        S: Rows,
    {
        from_inside(&self.shape(), 2)
    }

    /// The number of columns.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn mirrored(x: Pull2<EU32>) -> Pull2<EU32> {
    ///         generate(x.shape(), |(row, column)| x.at((row, x.width() - 1 - column)))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| mirrored(x.in_rows(2)).flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 1, 4, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn width(&self) -> S::Size
    where
        S: Rows,
    {
        from_inside(&self.shape(), 1)
    }
}

impl<L: Hierarchy, T: 'static, S: Shape> Push<L, T, S> {
    /// The number of rows.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn counted(x: Push2<Block, EU32>) -> Push<Block, EU32> {
    ///         append(x.flat(), singleton_push(lit(x.height())))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| counted(x.in_rows(3).push()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 1, 1, 1, 1, 1])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 1, 1, 1, 1, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn height(&self) -> S::Size
    where
        S: Rows,
    {
        from_inside(&self.shape(), 2)
    }

    /// The number of columns.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn counted(x: Push2<Block, EU32>) -> Push<Block, EU32> {
    ///         append(x.flat(), singleton_push(lit(x.width())))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| counted(x.in_rows(3).push()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 1, 1, 1, 1, 1])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 1, 1, 1, 1, 1, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn width(&self) -> S::Size
    where
        S: Rows,
    {
        from_inside(&self.shape(), 1)
    }
}

impl<T: 'static, N: Length> Pull<T, (N, N, N)> {
    /// The number of planes.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn flipped(x: Pull3<EU32>) -> Pull3<EU32> {
    ///         generate(x.shape(), |(plane, row, column)| x.at((x.depth() - 1 - plane, row, column)))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| flipped(x.as_3d(2, 1, 2)).flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 4, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn depth(&self) -> N {
        self.shape().0
    }
}

impl<L: Hierarchy, T: 'static, N: Length> Push<L, T, (N, N, N)> {
    /// The number of planes.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn counted(x: Push3<Block, EU32>) -> Push<Block, EU32> {
    ///         append(x.flat(), singleton_push(lit(x.depth())))
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(6).as_grid_map(|x| counted(x.as_3d(3, 2, 1).push()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 1, 1, 1, 1, 1])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 1, 1, 1, 1, 1, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn depth(&self) -> N {
        self.shape().0
    }
}
