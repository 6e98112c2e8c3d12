//! Shapes of the inner arrays of an array of arrays, whose elements are put side by side.
use super::Sizes;
use super::{Length, Shape};
use crate::scalar::{Exp, lit};

/// A shape that the inner arrays of an array of shape `S` may have, for [`as_grid`](crate::array::Pull::as_grid) and its relatives.
///
/// Inner arrays have the axes of the outer one, or are lists, which lie along the last axis. All have the same size: a static one, or one
/// that the launch knows.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn doubled(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // A block for each row, whose width is an argument of the launch.
///         x.in_rows(width).rows().as_grid_map(|row| row.map(|x| 2 * x).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6])?;
/// let result = example::doubled::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "arrays of shape `{Self}` cannot be put side by side in an array of shape `{S}`",
    label = "an inner array of shape `{Self}`",
    note = "inner arrays are lists, or have as many axes as the outer array"
)]
pub trait Inner<S: Shape>: Shape {
    /// The shape of all inner arrays side by side: dynamic where one of the two is.
    type Together: Shape<Index = S::Index>;

    /// That shape.
    #[doc(hidden)]
    #[track_caller]
    fn together(&self, outer: &S) -> Self::Together;

    /// The sizes along the axes of the outer array.
    #[doc(hidden)]
    fn along(&self, rank: usize) -> Vec<Exp<u32>> {
        let sizes = self.sizes().iter().map(Length::exp).collect();
        padded(sizes, rank, lit(1))
    }

    /// An index of an inner array along the axes of the outer one.
    #[doc(hidden)]
    fn numbers_along(index: &Self::Index, rank: usize) -> Vec<Exp<u32>> {
        padded(Self::numbers(index), rank, lit(0))
    }
}

/// The numbers behind as many others as are missing.
fn padded(numbers: Vec<Exp<u32>>, rank: usize, first: Exp<u32>) -> Vec<Exp<u32>> {
    let missing = rank.saturating_sub(numbers.len());
    std::iter::repeat_n(first, missing).chain(numbers).collect()
}

/// As many inner arrays of a size as the outer array has along an axis.
#[track_caller]
fn side_by_side<N: Length>(outer: &impl Length, inner: &impl Length) -> N {
    N::from_exp(outer.exp()).product(&N::from_exp(inner.exp()))
}

macro_rules! inner {
    ($($inner:ty, $together:ty;)*) => {$(
        // Lists, and lists along the last axis of an array of two or three.
        impl<N: Length> Inner<N> for $inner {
            type Together = $together;

            fn together(&self, outer: &N) -> $together {
                side_by_side(outer, self)
            }
        }
        impl<N: Length> Inner<(N, N)> for $inner {
            type Together = ($together, $together);

            fn together(&self, (height, width): &(N, N)) -> Self::Together {
                (Length::from_exp(height.exp()), side_by_side(width, self))
            }
        }
        impl<N: Length> Inner<(N, N, N)> for $inner {
            type Together = ($together, $together, $together);

            fn together(&self, (depth, height, width): &(N, N, N)) -> Self::Together {
                let outer = [depth, height].map(|size| Length::from_exp(size.exp()));
                let [depth, height]: [$together; 2] = outer;
                (depth, height, side_by_side(width, self))
            }
        }
        // Arrays of as many axes.
        impl<N: Length> Inner<(N, N)> for ($inner, $inner) {
            type Together = ($together, $together);

            fn together(&self, outer: &(N, N)) -> Self::Together {
                (side_by_side(&outer.0, &self.0), side_by_side(&outer.1, &self.1))
            }
        }
        impl<N: Length> Inner<(N, N, N)> for ($inner, $inner, $inner) {
            type Together = ($together, $together, $together);

            fn together(&self, outer: &(N, N, N)) -> Self::Together {
                let depth = side_by_side(&outer.0, &self.0);
                (depth, side_by_side(&outer.1, &self.1), side_by_side(&outer.2, &self.2))
            }
        }
    )*};
}

inner! {
    u32, N;
    Exp<u32>, Exp<u32>;
}
impl<N: Length> Inner<Sizes<N>> for Sizes<N> {
    type Together = Sizes<N>;

    fn together(&self, outer: &Sizes<N>) -> Sizes<N> {
        let along = self.along(outer.0.len());
        outer.each(|axis, size| size.product(&N::from_exp(along[axis])))
    }
}
