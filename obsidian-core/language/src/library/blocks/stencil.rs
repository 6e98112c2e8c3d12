//! Stencils over images, in tiles that a block stores with their halo.

use std::rc::Rc;

use super::super::hierarchy::{Gather, gather};
use super::super::{compute, exec};
use crate::array::{Choice, Data, Length, Pull, Pull2, Push, Push2};
use crate::error::catalogue;
use crate::ir::Level;
use crate::program::{Block, Compute, Grid, Hierarchy, Program};
use crate::scalar::{Exp, index, lit, report};

/// `f(window, y, x)` of each element `(y, x)` of an image of any size, where `window` has the elements up to `halo` rows and
/// columns away: it is `2 * halo + 1` high and wide, and the element itself is at `(halo, halo)`.
///
/// `bordered` is the image with a border of `halo` elements on each side, of which [`clamped`], [`mirrored`], [`wrapped`] or [`padded`] make what is wanted
/// there; the result has the size of the image. Each block stores a tile of `height + 2 * halo` rows and `width + 2 * halo` columns in
/// shared memory, and computes `height * width` results of it; tiles at the edges compute some that are thrown away.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn neighbours(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let image = clamped(1, x.in_rows(width));
///         stencil_tiles(16, 16, 1, |window, _, _| window.at((1, 0)) + window.at((1, 2)), image).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10, 20, 30])?;
/// let result = example::neighbours::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [3, 4, 5, 30, 40, 50]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "halo")]
#[track_caller]
pub fn stencil_tiles<T: Data, U: 'static, S: Length>(
    height: u32,
    width: u32,
    halo: u32,
    f: impl Fn(Pull2<T>, Exp<u32>, Exp<u32>) -> U + 'static,
    bordered: Pull2<T, S>,
) -> Push2<Grid, U, S> {
    tiled::<Grid, Block, _, _, _>((height, width), halo, f, bordered)
}

#[track_caller]
#[doc(hidden)]
pub fn tiled<G: Hierarchy, L: Compute, T: Data, U: 'static, S: Length>(
    (height, width): (u32, u32),
    halo: u32,
    f: impl Fn(Pull2<T>, Exp<u32>, Exp<u32>) -> U + 'static,
    bordered: Pull2<T, S>,
) -> Push2<G, U, S> {
    let border = halo.saturating_mul(2);
    let both = S::from_exp(lit(border));
    let (rows, columns) = (
        bordered.height().minus(&both),
        bordered.width().minus(&both),
    );
    if height == 0 || width == 0 {
        report(catalogue::empty_pieces());
        return Push::new((rows, columns), |_| Program::new(|_| ()));
    }
    let (bottom, right) = (bordered.height().exp(), bordered.width().exp());
    let f = Rc::new(f);
    let places = Pull::new((rows.clone(), columns.clone()), |place| place);
    let works = places.cover(height, width).map(move |places| {
        let (top, left) = places.at((0u32, 0u32));
        let (f, bordered) = (f.clone(), bordered.clone());
        // Tiles at the edges go beyond the border.
        let size = (height.saturating_add(border), width.saturating_add(border));
        let tile = Pull::new(size, move |(y, x)| {
            let (y, x) = (index::add(top, y), index::add(left, x));
            bordered.get((y.min(index::sub(bottom, 1)), x.min(index::sub(right, 1))))
        });
        let results = compute::<L, T, _>(tile).map(move |tile: Pull2<T>| {
            let f = f.clone();
            let all = Pull::new((height, width), move |(y, x)| {
                let tile = tile.clone();
                let side = border.saturating_add(1);
                let window = Pull::new((side, side), move |(dy, dx)| {
                    tile.get((index::add(y, dy), index::add(x, dx)))
                });
                f(window, index::add(top, y), index::add(left, x))
            });
            all.push::<L>()
        });
        exec(results)
    });
    let all: Push2<G, U, S> = gather(&works, Gather::As(Level::Grid));
    all.crop(rows, columns)
}

/// An image with a border of `halo` elements on each side, in which its outermost rows and columns are repeated.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn neighbours(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let image = clamped(1, x.in_rows(width));
///         stencil_tiles(16, 16, 1, |window, _, _| window.at((1, 0)) + window.at((1, 2)), image).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10, 20, 30])?;
/// let result = example::neighbours::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [3, 4, 5, 30, 40, 50]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "replicate")]
#[track_caller]
pub fn clamped<T: 'static, S: Length>(halo: u32, image: Pull2<T, S>) -> Pull2<T, S> {
    bordered(halo, image, move |i, n| {
        index::sub(i.max(halo), halo).min(index::sub(n, 1))
    })
}

/// An image with a border of `halo` elements on each side, as a mirror at the edge shows it: the outermost rows and columns are
/// there twice.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn neighbours(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let image = mirrored(1, x.in_rows(width));
///         stencil_tiles(16, 16, 1, |window, _, _| window.at((1, 0)) + window.at((1, 2)), image).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10, 20, 30])?;
/// let result = example::neighbours::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [3, 4, 5, 30, 40, 50]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "symmetric")]
#[track_caller]
pub fn mirrored<T: 'static, S: Length>(halo: u32, image: Pull2<T, S>) -> Pull2<T, S> {
    if halo <= 1 {
        return clamped(halo, image);
    }
    bordered(halo, image, move |i, n| {
        let in_front = index::sub(halo.saturating_sub(1), i.min(halo.saturating_sub(1)));
        let behind = index::sub(i.max(halo), halo);
        let place = Exp::choose(i.lt(halo), in_front, behind);
        // Mirrored again and again, if the border is wider than the image: each second time from the other side.
        let (times, rest) = (index::div(place, n), index::rem(place, n));
        let back = index::sub(index::sub(n, 1), rest);
        Exp::choose(index::rem(times, 2).eq(0u32), rest, back)
    })
}

/// An image with a border of `halo` elements on each side, as if the image were repeated in all directions.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn neighbours(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let image = wrapped(1, x.in_rows(width));
///         stencil_tiles(16, 16, 1, |window, _, _| window.at((1, 0)) + window.at((1, 2)), image).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10, 20, 30])?;
/// let result = example::neighbours::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [5, 4, 3, 50, 40, 30]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "periodic")]
#[track_caller]
pub fn wrapped<T: 'static, S: Length>(halo: u32, image: Pull2<T, S>) -> Pull2<T, S> {
    bordered(halo, image, move |i, n| {
        let in_front = index::sub(halo.saturating_sub(1), i.min(halo.saturating_sub(1)));
        let in_front = index::sub(index::sub(n, 1), index::rem(in_front, n));
        let behind = index::rem(index::sub(i.max(halo), halo), n);
        Exp::choose(i.lt(halo), in_front, behind)
    })
}

/// An image with a border of `halo` elements on each side that are all `value`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     use obsidian_rt::algorithms::blocks::*;
///
///     #[kernel(threads = 64)]
///     pub fn neighbours(width: EU32, x: DPull<EU32>) -> DPush<Grid, EU32> {
///         let image = padded(1, 100, x.in_rows(width));
///         stencil_tiles(16, 16, 1, |window, _, _| window.at((1, 0)) + window.at((1, 2)), image).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 10, 20, 30])?;
/// let result = example::neighbours::launch(&device, 3, &x)?;
/// assert_eq!(result.to_vec()?, [102, 4, 102, 120, 40, 120]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "zero padding")]
#[track_caller]
pub fn padded<T: Choice + Clone + 'static, S: Length>(
    halo: u32,
    value: T,
    image: Pull2<T, S>,
) -> Pull2<T, S> {
    let (height, width) = (image.height().exp(), image.width().exp());
    let (rows, columns) = with_border(halo, &image);
    Pull::new((rows, columns), move |(y, x)| {
        let is_inside = |i: Exp<u32>, n| i.ge(halo) & i.lt(index::add(n, halo));
        T::choose(
            is_inside(y, height) & is_inside(x, width),
            image.get((index::sub(y, halo), index::sub(x, halo))),
            value.clone(),
        )
    })
}

/// The image whose row and column `i` are those that `place(i, n)` says, where `n` is the height or width.
#[track_caller]
fn bordered<T: 'static, S: Length>(
    halo: u32,
    image: Pull2<T, S>,
    place: impl Fn(Exp<u32>, Exp<u32>) -> Exp<u32> + 'static,
) -> Pull2<T, S> {
    let (height, width) = (image.height().exp(), image.width().exp());
    let (rows, columns) = with_border(halo, &image);
    Pull::new((rows, columns), move |(y, x)| {
        image.get((place(y, height), place(x, width)))
    })
}

/// The size of an image with a border.
#[track_caller]
fn with_border<T: 'static, S: Length>(halo: u32, image: &Pull2<T, S>) -> (S, S) {
    let both = S::from_exp(lit(halo.saturating_mul(2)));
    (image.height().plus(&both), image.width().plus(&both))
}
