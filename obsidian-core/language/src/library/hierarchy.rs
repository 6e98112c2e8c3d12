//! The hierarchy: arrays of push arrays of one level as one push array of the same level or the
//! next. Paper, Figure 4.
//!
//! Underneath there are three ways: the threads of the level share the inner arrays out (`ForAll`),
//! units of the level below take one each (`DistrPar`), or the level does them in order (`SeqFor`).
//! The result has them side by side: lists one after another, matrices as tiles, lists in a matrix along
//! its rows.

use std::cell::RefCell;
use std::rc::Rc;

use crate::array::{Inner, Length, Pull, Push, Shape, Writer};
use crate::error::{Origin, catalogue};
use crate::ir::Level;
use crate::program::{
    Action, AtMost, Block, Grid, HasBelow, Hierarchy, Program, Thread, Trace, Turn, Warp, counter,
};
use crate::scalar::{Exp, VariableId, failed, here, index, report, session};

/// What a function of this family asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gather {
    /// At this level, whatever the level of the inner arrays: `as_thread` to `as_grid`.
    As(Level),
    /// At Grid, by blocks that have an order: `as_grid_ordered`.
    Ordered,
    /// One level up: `lift_par`.
    Up,
    /// At the inner arrays' own level, in order: `lift_seq`.
    InOrder,
    /// Inner arrays of Thread, shared out over the threads of the level: `lift_in`.
    In,
}

/// How the inner arrays are executed.
#[derive(Clone, Copy)]
enum Way {
    ForAll,
    DistrPar,
    /// `DistrPar` of blocks that have an order.
    Ordered,
    SeqFor,
}

impl Gather {
    fn way(self, inner: Option<Level>) -> Option<Way> {
        match (self, inner) {
            (Gather::In, Some(inner @ (Level::Warp | Level::Block | Level::Grid))) => {
                self.wrong(inner)
            }
            (Gather::In, _) => Some(Way::ForAll),
            (Gather::InOrder, _) => Some(Way::SeqFor),
            (Gather::Ordered, None | Some(Level::Block)) => Some(Way::Ordered),
            (Gather::Ordered, Some(inner)) => self.wrong(inner),
            (Gather::Up, Some(Level::Grid)) => self.wrong(Level::Grid),
            (Gather::Up, Some(Level::Thread)) => Some(Way::ForAll),
            (Gather::Up, _) => Some(Way::DistrPar),
            (Gather::As(Level::Grid), None) => Some(Way::DistrPar),
            (Gather::As(Level::Thread), None) => Some(Way::SeqFor),
            // After a mistake in the inner arrays their level is not known.
            (Gather::As(_), None) if failed() => None,
            (Gather::As(_), None) => {
                report(catalogue::unknown_level(self.name()));
                None
            }
            (Gather::As(level), Some(inner)) if level == inner && level != Level::Grid => {
                Some(Way::SeqFor)
            }
            (Gather::As(level @ (Level::Warp | Level::Block)), Some(Level::Thread))
                if level > Level::Thread =>
            {
                Some(Way::ForAll)
            }
            (Gather::As(level), Some(inner)) if level.below() == Some(inner) => Some(Way::DistrPar),
            (Gather::As(_), Some(inner)) => self.wrong(inner),
        }
    }

    fn wrong(self, inner: Level) -> Option<Way> {
        let wanted = match self {
            Gather::As(Level::Grid) | Gather::Ordered => "Block",
            Gather::As(Level::Block) => "Thread, Warp and Block",
            Gather::As(Level::Warp) => "Thread and Warp",
            Gather::As(Level::Thread) | Gather::In => "Thread",
            _ => "Thread, Warp and Block",
        };
        report(catalogue::wrong_inner_level(
            self.name(),
            inner.name(),
            wanted,
        ));
        None
    }

    fn name(self) -> &'static str {
        match self {
            Gather::As(Level::Thread) => "as_thread",
            Gather::As(Level::Warp) => "as_warp",
            Gather::As(Level::Block) => "as_block",
            Gather::As(Level::Grid) => "as_grid",
            Gather::Ordered => "as_grid_ordered",
            Gather::Up => "lift_par",
            Gather::InOrder => "lift_seq",
            Gather::In => "lift_in",
        }
    }

    fn result(self, inner: Option<Level>) -> Option<Level> {
        match self {
            Gather::As(level) => Some(level),
            Gather::Ordered => Some(Level::Grid),
            Gather::InOrder => inner,
            Gather::In => None,
            Gather::Up => match inner? {
                Level::Thread => Some(Level::Warp),
                Level::Warp => Some(Level::Block),
                Level::Block | Level::Grid => Some(Level::Grid),
            },
        }
    }
}

/// The inner array at a fresh counter, and its index.
struct Piece<M, T, S: Shape, I: Shape> {
    counter: VariableId,
    index: S::Index,
    push: Push<M, T, I>,
}

fn instantiate<M: Hierarchy, T: 'static, S: Shape, I: Inner<S>>(
    outer: &Pull<Push<M, T, I>, S>,
) -> Piece<M, T, S, I> {
    let (counter, i) = counter();
    let index = outer.shape().at_place(i);
    Piece {
        counter,
        push: outer.get(index.clone()),
        index,
    }
}

/// The inner push arrays side by side along every axis, at level `L`; the functions of this file and the
/// front end are made of it.
///
/// The inner array is made once, when this is called, because its size is needed, and used when
/// the result is pushed. It is made again for every further push.
#[track_caller]
pub fn gather<L: Hierarchy, M: Hierarchy, T: 'static, S: Shape, I: Inner<S>>(
    outer: &Pull<Push<M, T, I>, S>,
    how: Gather,
) -> Push<L, T, I::Together> {
    let origin = here();
    let inner = instantiate(outer);
    let (shape, inner_level) = (inner.push.shape(), inner.push.level());
    let known = shape.sizes().iter().all(|size| known(size.exp()));
    let shape = shape.together(&outer.shape());
    if !known {
        report(catalogue::pieces_differ(how.name()));
        return Push::new(shape, |_| Program::new(|_| ()));
    }
    let Some(way) = how.way(inner_level) else {
        return Push::new(shape, |_| Program::new(|_| ()));
    };
    let state = Rc::new((outer.clone(), RefCell::new(Some(inner))));
    Push::new(shape, move |write: Writer<T, S::Index>| {
        let state = state.clone();
        Program::new(move |trace: &mut Trace<L>| {
            let inner = state.1.take().unwrap_or_else(|| instantiate(&state.0));
            push_one(trace, way, inner, &write, state.0.shape().count(), origin);
        })
    })
    .stamped(how.result(inner_level))
}

/// Does the launch know a size? Then it is the same for all inner arrays.
fn known(size: Exp<u32>) -> bool {
    let size = size.node();
    // After a mistake there may be no build, and nothing to say.
    session(|s| s.tables.known_at_launch(size)) != Some(false)
}

fn push_one<L: Hierarchy, M: Hierarchy, T: 'static, S: Shape, I: Inner<S>>(
    trace: &mut Trace<L>,
    way: Way,
    inner: Piece<M, T, S, I>,
    write: &Writer<T, S::Index>,
    count: Exp<u32>,
    origin: Origin,
) {
    let Piece {
        counter,
        index,
        push,
    } = inner;
    let numbers = S::numbers(&index);
    let rank = numbers.len();
    let axes = numbers.into_iter().zip(push.shape().along(rank));
    let start: Vec<Exp<u32>> = axes.map(|(i, size)| index::mul(i, size)).collect();
    let write = write.clone();
    let program = push.write_to(Rc::new(move |x, j| {
        let axes = start.iter().zip(I::numbers_along(&j, rank));
        let place: Vec<Exp<u32>> = axes.map(|(start, j)| index::add(*start, j)).collect();
        write(x, S::index(&place))
    }));
    let count = count.node();
    match way {
        Way::ForAll => {
            let program: Program<Thread, ()> = program.at_level();
            let ((), body) = trace.nested(Some(Level::Thread), |t| program.run(t));
            trace.push(Action::ForAll {
                counter,
                count,
                body,
            });
        }
        Way::DistrPar | Way::Ordered => {
            let ((), body) = trace.nested(push.level(), |t| program.run(t));
            trace.push(Action::DistrPar {
                counter,
                count,
                turn: match way {
                    Way::Ordered => Turn::InOrder,
                    _ => Turn::Any,
                },
                body,
                origin,
            });
        }
        Way::SeqFor => {
            let ((), body) = trace.nested(push.level().or(trace.level()), |t| program.run(t));
            trace.push(Action::SeqFor {
                counter,
                count,
                body,
            });
        }
    }
}

impl<T: 'static, S: Shape> Pull<T, S> {
    /// [`as_thread`](Pull::as_thread) of `f` of every element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn dealt(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(8).as_grid_map(|x| x.split_up(4).as_block_map(|own| {
    ///             // One thread: the pairs of its piece, one after another.
    ///             own.split_up(2).as_thread_map(|pair| pair.reverse().push())
    ///         }))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4, 5, 6, 7])?;
    /// let result = example::dealt::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 0, 3, 2, 5, 4, 7, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_thread_map<U: 'static, I: Inner<S>>(
        &self,
        f: impl Fn(T) -> Push<Thread, U, I> + 'static,
    ) -> Push<Thread, U, I::Together> {
        self.map(f).as_thread()
    }

    /// [`as_warp`](Pull::as_warp) of `f` of every element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(8).as_grid_map(|x| x.split_up(4).as_block_map(|own| {
    ///             // One warp: each of its threads has a pair.
    ///             own.split_up(2).as_warp_map(|pair| pair.reverse().push::<Thread>())
    ///         }))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3, 4, 5, 6, 7])?;
    /// let result = example::reversed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 0, 3, 2, 5, 4, 7, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_warp_map<M: AtMost<Warp>, U: 'static, I: Inner<S>>(
        &self,
        f: impl Fn(T) -> Push<M, U, I> + 'static,
    ) -> Push<Warp, U, I::Together> {
        self.map(f).as_warp()
    }

    /// [`as_block`](Pull::as_block) of `f` of every element.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // One thread for each row of 4.
    ///         x.split_up(8).as_grid_map(|x| x.split_up(4).as_block_map(|row| {
    ///             exec_thread_value(seq_reduce(|a, b| a + b, row))
    ///         }))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [10, 100]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "asBlockMap")]
    #[track_caller]
    pub fn as_block_map<M: AtMost<Block>, U: 'static, I: Inner<S>>(
        &self,
        f: impl Fn(T) -> Push<M, U, I> + 'static,
    ) -> Push<Block, U, I::Together> {
        self.map(f).as_block()
    }

    /// [`as_grid`](Pull::as_grid) of `f` of every element.
    ///
    /// The number of blocks is the length of the array. A launch may start fewer real blocks, each of which works through several.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         // A block for each piece of 4.
    ///         x.split_up(4).as_grid_map(|piece| reduce(|a, b| a + b, piece))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4, 10, 20, 30, 40])?;
    /// let result = example::sums::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [10, 100]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "asGridMap")]
    #[doc(alias = "gridDim")]
    #[doc(alias = "CubeCount")]
    #[track_caller]
    pub fn as_grid_map<U: 'static, I: Inner<S>>(
        &self,
        f: impl Fn(T) -> Push<Block, U, I> + 'static,
    ) -> Push<Grid, U, I::Together> {
        self.map(f).as_grid()
    }

    /// [`as_grid_map`](Pull::as_grid_map) by blocks that have an order, that of the array: each may ask, by [`earlier`](super::earlier), for what those before
    /// it have.
    ///
    /// It is a launch of its own kind: a real block takes the first element that no other has taken. Without an `earlier` it is `as_grid_map`.
    /// It may not stand in a loop of the grid.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn placed(tile: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
    ///         let most = compute(reduce(|a, b| a.max(b), tile.clone()))?;
    ///         let before = earlier(|a, b| a.max(b), 0, most)?;
    ///         pure(tile.map(|x| select(x > before[0], 1, 0)).push())
    ///     }
    ///
    ///     /// Which elements are larger than all of the pieces before theirs?
    ///     #[kernel(threads = 64)]
    ///     pub fn records(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(2).as_grid_ordered(|tile| exec_block(placed(tile)))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[5, 3, 4, 9, 8, 10])?;
    /// let result = example::records::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 1, 0, 1, 0, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_grid_ordered<U: 'static, I: Inner<S>>(
        &self,
        f: impl Fn(T) -> Push<Block, U, I> + 'static,
    ) -> Push<Grid, U, I::Together> {
        gather(&self.map(f), Gather::Ordered)
    }
}

impl<M: Hierarchy, T: 'static, S: Shape, I: Inner<S>> Pull<Push<M, T, I>, S> {
    /// Works of single threads, one after another in one thread.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| {
    ///             let pairs = x.split_up(2).map(|pair| pair.reverse().push::<Thread>());
    ///             // One thread for all of them.
    ///             singleton(pairs.as_thread()).as_block()
    ///         })
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3])?;
    /// let result = example::reversed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 0, 3, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_thread(&self) -> Push<Thread, T, I::Together>
    where
        M: AtMost<Thread>,
    {
        gather(self, Gather::As(Level::Thread))
    }

    /// Works of threads, shared out over a warp's threads, or of warps, one after another.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| {
    ///             let pairs = x.split_up(2).map(|pair| pair.reverse().push::<Thread>());
    ///             // One warp, a thread for each pair.
    ///             singleton(pairs.as_warp()).as_block()
    ///         })
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3])?;
    /// let result = example::reversed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 0, 3, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_warp(&self) -> Push<Warp, T, I::Together>
    where
        M: AtMost<Warp>,
    {
        gather(self, Gather::As(Level::Warp))
    }

    /// Works of threads or warps, shared out over a block's threads or warps, or of blocks, one
    /// after another.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| {
    ///             let pairs = x.split_up(2).map(|pair| pair.reverse().push::<Thread>());
    ///             pairs.as_block() // a thread for each pair
    ///         })
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3])?;
    /// let result = example::reversed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 0, 3, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_block(&self) -> Push<Block, T, I::Together>
    where
        M: AtMost<Block>,
    {
        gather(self, Gather::As(Level::Block))
    }
}

impl<T: 'static, S: Shape, I: Inner<S>> Pull<Push<Block, T, I>, S> {
    /// Works of blocks, one virtual block each.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         let pieces = x.split_up(2).map(|pair| pair.reverse().push());
    ///         pieces.as_grid() // a block for each pair
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[0, 1, 2, 3])?;
    /// let result = example::reversed::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 0, 3, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn as_grid(&self) -> Push<Grid, T, I::Together> {
        gather(self, Gather::As(Level::Grid))
    }
}

/// Works of one level, each done by one unit of it, as a work of the level above.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn pairs<L: Compute + HasBelow>(x: Pull<Push<L::Below, EU32>>) -> Push<L, EU32> {
///         lift_par(x)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // A block of warps.
///         x.split_up(4).as_grid_map(|x| lift_par(x.split_up(2).map(|pair| pair.reverse().push::<Warp>())))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[0, 1, 2, 3])?;
/// let result = example::reversed::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 0, 3, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "liftPar")]
#[doc(alias = "pConcat")]
#[track_caller]
pub fn lift_par<L: HasBelow, T: 'static, S: Shape, I: Inner<S>>(
    works: Pull<Push<L::Below, T, I>, S>,
) -> Push<L, T, I::Together> {
    gather(&works, Gather::Up)
}

/// Works of one level, done in order by that level.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // The whole block does one pair after another.
///         x.split_up(4).as_grid_map(|x| lift_seq(x.split_up(2).map(|pair| pair.reverse().push::<Block>())))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[0, 1, 2, 3])?;
/// let result = example::reversed::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 0, 3, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "liftSeq")]
#[doc(alias = "sConcat")]
#[track_caller]
pub fn lift_seq<L: Hierarchy, T: 'static, S: Shape, I: Inner<S>>(
    works: Pull<Push<L, T, I>, S>,
) -> Push<L, T, I::Together> {
    gather(&works, Gather::InOrder)
}

/// Works of single threads, shared out over the threads of level `L`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // The threads of the block, without warps between.
///         x.split_up(4).as_grid_map(|x| lift_in(x.split_up(2).map(|pair| pair.reverse().push::<Thread>())))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[0, 1, 2, 3])?;
/// let result = example::reversed::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 0, 3, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn lift_in<L: AtMost<Block>, T: 'static, S: Shape, I: Inner<S>>(
    works: Pull<Push<Thread, T, I>, S>,
) -> Push<L, T, I::Together> {
    gather(&works, Gather::In)
}
