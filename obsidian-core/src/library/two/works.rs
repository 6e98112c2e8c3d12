//! The hierarchy in two dimensions: an array of works as one work, and programs that give
//! two-dimensional arrays.
//!
//! Grids stay one-dimensional underneath: works are numbered row after row.

use std::cell::Cell;
use std::rc::Rc;

use super::super::{Gather, exec, gather};
use crate::array::{IntoPush2, Length, Pull, Pull2, Push, Push2, Writer};
use crate::ir::Level;
use crate::program::{AtMost, Block, Grid, Hierarchy, Program, Thread, Warp};
use crate::scalar::index;

/// An element with its row and column, in a list of them.
type Cells<L, T, S = u32> = Push<L, crate::array::Cell<T>, S>;

/// A height and a width, which are known once a work has been made.
type Size = Rc<Cell<(u32, u32)>>;

/// The tiles of an array of works, put together; see [`gather`].
#[track_caller]
pub(crate) fn gather2<L: Hierarchy, M: Hierarchy, T: 'static, S: Length>(
    outer: &Pull2<Push2<M, T>, S>,
    how: Gather,
) -> Push2<L, T, S> {
    let (works, size) = (outer.clone(), Size::default());
    let (columns, seen) = (outer.width().exp(), size.clone());
    let works: Pull<Cells<M, T>, S> = Pull::new(outer.height().product(&outer.width()), move |i| {
        let (y, x) = (index::div(i, columns), index::rem(i, columns));
        let work = works.at(y, x);
        let (height, width) = (work.height(), work.width());
        seen.set((height, width));
        let cells = work.cells();
        let (top, left) = (index::mul(y, height), index::mul(x, width));
        Push::new(cells.len(), move |write: Writer<crate::array::Cell<T>>| {
            cells.write_to(Rc::new(move |(y, x, value), i| {
                write((index::add(top, y), index::add(left, x), value), i)
            }))
        })
        .stamped(work.level())
    });
    // This makes one work, and with it the size.
    let cells: Cells<L, T, S> = gather(&works, how);
    let (height, width) = size.get();
    Push2::of_cells(
        (outer.height().times(height), outer.width().times(width)),
        &cells,
    )
}

/// [`exec`] of a program that gives a two-dimensional array.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn doubled<L: Compute>(x: Pull2<EU32>) -> Push2<L, EU32> {
///         exec2(compute2(x.map(|x| 2 * x)))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.in_rows(4).tiles(2, 2).as_grid_map(|tile| doubled(tile)).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12, 14, 16]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn exec2<L: Hierarchy, T: 'static, A: IntoPush2<L, T, u32>>(
    program: Program<L, A>,
) -> Push2<L, T> {
    let (level, size) = (program.level(), Size::default());
    let seen = size.clone();
    let cells: Cells<L, T> = exec(
        program
            .map(move |array| {
                let push = array.into_push2();
                seen.set((push.height(), push.width()));
                push.cells()
            })
            .stamped(level),
    );
    Push2::of_cells(size.get(), &cells)
}

/// [`exec2`] of a program of one thread.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn turned(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // Each thread has a tile of 2 by 2, which it stores for itself.
///         x.split_up(8).as_grid_map(|x| x.in_rows(4).tiles(2, 2).as_block_map(|tile| {
///             exec_thread2(compute2(tile).map(|tile| tile.transpose()))
///         }).flat())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
/// let result = example::turned::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 5, 3, 7, 2, 6, 4, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn exec_thread2<T: 'static, A: IntoPush2<Thread, T, u32>>(
    program: Program<Thread, A>,
) -> Push2<Thread, T> {
    exec2(program)
}

/// [`exec2`] of a program of one warp.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn turned(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // Each warp has a tile.
///         x.split_up(8).as_grid_map(|x| x.in_rows(4).tiles(2, 2).as_block_map(|tile| {
///             exec_warp2(compute2(tile).map(|tile| tile.transpose()))
///         }).flat())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
/// let result = example::turned::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 5, 3, 7, 2, 6, 4, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn exec_warp2<T: 'static, A: IntoPush2<Warp, T, u32>>(
    program: Program<Warp, A>,
) -> Push2<Warp, T> {
    exec2(program)
}

/// [`exec2`] of a program of one block.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn turned(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.in_rows(4).tiles(2, 2).as_grid_map(|tile| {
///             exec_block2(compute2(tile).map(|tile| tile.transpose()))
///         }).flat()
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
/// let result = example::turned::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 5, 3, 7, 2, 6, 4, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn exec_block2<T: 'static, A: IntoPush2<Block, T, u32>>(
    program: Program<Block, A>,
) -> Push2<Block, T> {
    exec2(program)
}

impl<T: 'static, S: Length> Pull2<T, S> {
    /// [`as_thread`](Pull2::as_thread) of `f` of every element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // One thread for each half, which does its two tiles one after another.
    ///         x.in_rows(4).tiles(2, 4).as_grid_map(|x| x.tiles(2, 4).as_block_map(|half| {
    ///             half.tiles(2, 2).as_thread_map(|tile| tile.map(|x| 2 * x).push())
    ///         })).flat()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::doubled::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12, 14, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_thread_map<U: 'static>(
        &self,
        f: impl Fn(T) -> Push2<Thread, U> + 'static,
    ) -> Push2<Thread, U, S> {
        self.map(f).as_thread()
    }

    /// [`as_warp`](Pull2::as_warp) of `f` of every element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // One warp, a thread for each tile.
    ///         x.in_rows(4).tiles(2, 4).as_grid_map(|x| x.tiles(2, 4).as_block_map(|x| {
    ///             x.tiles(2, 2).as_warp_map(|tile| tile.map(|x| 2 * x).push::<Thread>())
    ///         })).flat()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::doubled::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12, 14, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_warp_map<M: AtMost<Warp>, U: 'static>(
        &self,
        f: impl Fn(T) -> Push2<M, U> + 'static,
    ) -> Push2<Warp, U, S> {
        self.map(f).as_warp()
    }

    /// [`as_block`](Pull2::as_block) of `f` of every element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // A thread for each tile of 2 by 2.
    ///         x.in_rows(4).tiles(2, 4).as_grid_map(|x| x.tiles(2, 2).as_block_map(|tile| {
    ///             tile.map(|x| 2 * x).push::<Thread>()
    ///         })).flat()
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    /// let result = example::doubled::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 4, 6, 8, 10, 12, 14, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_block_map<M: AtMost<Block>, U: 'static>(
        &self,
        f: impl Fn(T) -> Push2<M, U> + 'static,
    ) -> Push2<Block, U, S> {
        self.map(f).as_block()
    }

    /// [`as_grid`](Pull2::as_grid) of `f` of every element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // A block for each tile.
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
    #[track_caller]
    pub fn as_grid_map<U: 'static>(
        &self,
        f: impl Fn(T) -> Push2<Block, U> + 'static,
    ) -> Push2<Grid, U, S> {
        self.map(f).as_grid()
    }
}

impl<M: Hierarchy, T: 'static, S: Length> Pull2<Push2<M, T>, S> {
    /// Tiles of single threads, one after another in one thread, as one array.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn same(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.in_rows(4).tiles(2, 4).as_grid_map(|x| x.tiles(2, 4).as_block_map(|x| {
    ///             x.tiles(2, 2).map(|tile| tile.push::<Thread>()).as_thread()
    ///         })).flat()
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
    pub fn as_thread(&self) -> Push2<Thread, T, S>
    where
        M: AtMost<Thread>,
    {
        gather2(self, Gather::As(Level::Thread))
    }

    /// Tiles of threads, shared out over a warp's threads, or of warps, one after another, as one
    /// array.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn same(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.in_rows(4).tiles(2, 4).as_grid_map(|x| x.tiles(2, 4).as_block_map(|x| {
    ///             x.tiles(2, 2).map(|tile| tile.push::<Thread>()).as_warp()
    ///         })).flat()
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
    pub fn as_warp(&self) -> Push2<Warp, T, S>
    where
        M: AtMost<Warp>,
    {
        gather2(self, Gather::As(Level::Warp))
    }

    /// Tiles of threads or warps, shared out over a block's threads or warps, or of blocks, one
    /// after another, as one array.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn same(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.in_rows(4).tiles(2, 4).as_grid_map(|x| {
    ///             x.tiles(2, 2).map(|tile| tile.push::<Thread>()).as_block()
    ///         }).flat()
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
    pub fn as_block(&self) -> Push2<Block, T, S>
    where
        M: AtMost<Block>,
    {
        gather2(self, Gather::As(Level::Block))
    }
}

impl<T: 'static, S: Length> Pull2<Push2<Block, T>, S> {
    /// Tiles of blocks, one virtual block each, as one array.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn same(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.in_rows(4).tiles(2, 2).map(|tile| tile.push()).as_grid().flat()
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
    pub fn as_grid(&self) -> Push2<Grid, T, S> {
        gather2(self, Gather::As(Level::Grid))
    }
}
