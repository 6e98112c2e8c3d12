//! Lists as matrices and as arrays of three axes: row after row.

use crate::array::{Extent, Length, Pull, Pull2, Pull3, Push, Push2, Push3, Shape, require};
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

/// Reports a length that is not the product of the sizes, or leaves it to the launch.
#[track_caller]
fn sized<N: Length, S: Shape<Size = N>>(len: &N, shape: S) -> S {
    let sizes = shape.sizes();
    let fixed = sizes.iter().map(Length::fixed).collect::<Option<Vec<_>>>();
    match len.fixed().zip(fixed) {
        Some((len, sizes)) => {
            let product = sizes.iter().try_fold(1_u32, |n, size| n.checked_mul(*size));
            if product != Some(len) {
                report(catalogue::not_as_many(len, &sizes));
            }
        }
        None => require(len.exp(), Constraint::Equal(shape.elements().exp().node())),
    }
    shape
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
        self.reshaped((height, width))
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
        self.reshaped(sized(&self.len(), (height.extent(), width.extent())))
    }

    /// The elements in `depth` planes of `height` rows of `width`; there must be as many, which is checked at
    /// launch if it is not known before.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn second_planes(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(8).as_grid_map(|x| x.as_3d(2, 2, 2).plane(1).flat().push())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::second_planes::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [5, 6, 7, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_3d(
        &self,
        depth: impl Extent<S>,
        height: impl Extent<S>,
        width: impl Extent<S>,
    ) -> Pull3<T, S> {
        let shape = (depth.extent(), height.extent(), width.extent());
        self.reshaped(sized(&self.len(), shape))
    }

    /// The elements in another shape, row after row; for functions of the library.
    pub(crate) fn reshaped<Z: Shape>(&self, shape: Z) -> Pull<T, Z> {
        self.view(shape.clone(), move |index| shape.place(&index))
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
        self.reshaped((height, width))
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
        self.reshaped(sized(&self.len(), (height.extent(), width.extent())))
    }

    /// The elements in `depth` planes of `height` rows of `width`; there must be as many, which is checked at
    /// launch if it is not known before.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn same(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(8).as_grid_map(|x| x.push().as_3d(2, 2, 2).flat())
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::same::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 3, 4, 5, 6, 7, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_3d(
        &self,
        depth: impl Extent<S>,
        height: impl Extent<S>,
        width: impl Extent<S>,
    ) -> Push3<L, T, S> {
        let shape = (depth.extent(), height.extent(), width.extent());
        self.reshaped(sized(&self.len(), shape))
    }

    /// The elements in another shape, row after row.
    fn reshaped<Z: Shape>(&self, shape: Z) -> Push<L, T, Z> {
        self.rewrite(shape.clone(), move |write| {
            let shape = shape.clone();
            Rc::new(move |value, i| write(value, shape.at_place(i)))
        })
    }
}
