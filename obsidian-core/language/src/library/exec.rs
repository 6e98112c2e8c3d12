//! The `exec` family: a program whose result is an array, as a push array of its level. Paper,
//! Figure 5.

use std::cell::RefCell;
use std::rc::Rc;

use super::singleton_push;
use crate::array::{IntoPush, Push, Writer};
use crate::program::{Action, AtMost, Block, Hierarchy, Program, Thread, Trace, Warp};

/// The array that a program gives, as a push array: pushing it executes the program first.
///
/// The program is run once, when `exec` is called, because the length of its result is needed; what
/// it wrote is used when the array is pushed. It is run again for every further push.
///
/// At which level, the place tells: below, that of a block.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn doubled<L: Compute>(x: Pull<EU32>) -> Push<L, EU32> {
///         exec(compute(x.map(|x| x * 2)))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| doubled(piece))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn exec<L: Hierarchy, T: 'static, A: IntoPush<L, T>>(
    program: Program<L, A>,
) -> Push<L, T, A::Shape> {
    let level = program.level();
    let (push, actions) = run_apart(&program);
    let (shape, level) = (push.shape(), level.or(push.level()));
    let first = RefCell::new(Some((push, actions)));
    let state = Rc::new((program, first));
    Push::new(shape, move |write: Writer<T, _>| {
        let state = state.clone();
        Program::new(move |trace| {
            let (push, actions) = state.1.take().unwrap_or_else(|| run_apart(&state.0));
            trace.splice(actions);
            push.write_to(write.clone()).run(trace);
        })
        .stamped(level)
    })
    .stamped(level)
}

fn run_apart<L: Hierarchy, T: 'static, A: IntoPush<L, T>>(
    program: &Program<L, A>,
) -> (Push<L, T, A::Shape>, Vec<Action>) {
    Trace::apart(program.level(), |trace| program.run(trace).into_push())
}

/// [`exec`] of a program of one thread.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn running(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         // Each thread stores four numbers of its own, and reads them backwards.
///         x.split_up(8).as_grid_map(|x| x.split_up(4).as_block_map(|own| {
///             exec_thread(compute(own.map(|x| x * x)).map(|own| own.reverse()))
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 5, 6, 7, 8])?;
/// let result = example::running::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [16, 9, 4, 1, 64, 49, 36, 25]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn exec_thread<T: 'static, A: IntoPush<Thread, T>>(
    program: Program<Thread, A>,
) -> Push<Thread, T, A::Shape> {
    exec(program)
}

/// [`exec`] of a program of one warp.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn reversed(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|x| x.split_up(32).as_block_map(|own| {
///             exec_warp(hold(own).map(|own| own.reverse())) // shuffles
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&(0..64).collect::<Vec<u32>>())?;
/// let result = example::reversed::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?[30..34], [1, 0, 63, 62]);
/// assert_eq!(example::reversed::kernel().shared_bytes(), 0);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn exec_warp<T: 'static, A: IntoPush<Warp, T>>(
    program: Program<Warp, A>,
) -> Push<Warp, T, A::Shape> {
    exec(program)
}

/// [`exec`] of a program of one block.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn swapped(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let stored = compute(x.map(|x| x + 1))?;
///         pure(stored.reverse().push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| exec_block(swapped(piece)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [5, 4, 3, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "execBlock")]
#[doc(alias = "runPush")]
pub fn exec_block<T: 'static, A: IntoPush<Block, T>>(
    program: Program<Block, A>,
) -> Push<Block, T, A::Shape> {
    exec(program)
}

/// The array of the one element that a program gives: the paper's primed functions, at any level up
/// to Block.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn total<L: Compute>(x: Pull<EU32>) -> Push<L, EU32> {
///         exec_value(any(x.map(|x| x > 3)).map(|found| select(found, 1, 0)))
///     }
///
///     #[kernel(threads = 64)]
///     pub fn found(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|piece| total(piece))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4, 0, 0, 0, 0])?;
/// let result = example::found::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn exec_value<L: AtMost<Block>, T: Clone + 'static>(program: Program<L, T>) -> Push<L, T> {
    let level = program.level();
    exec(program.map(move |value| singleton_push(value).stamped(level)))
}

/// [`exec_value`] of a program of one thread: the paper's `execThread'`.
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
pub fn exec_thread_value<T: Clone + 'static>(program: Program<Thread, T>) -> Push<Thread, T> {
    exec_value(program)
}

/// [`exec_value`] of a program of one warp: the paper's `execWarp'`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn masks(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|x| x.split_up(32).as_block_map(|own| {
///             exec_warp_value(ballot(own.map(|x| x > 0)))
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let mut numbers = [0; 64];
/// numbers[1] = 5;
/// let x = device.upload(&numbers)?;
/// assert_eq!(example::masks::launch(&device, &x)?.to_vec()?, [2, 0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn exec_warp_value<T: Clone + 'static>(program: Program<Warp, T>) -> Push<Warp, T> {
    exec_value(program)
}

/// [`exec_value`] of a program of one block: the paper's `execBlock'`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn all_positive(x: DPull<EI32>) -> DPush<Grid, EU32> {
///         x.split_up(2).as_grid_map(|piece| {
///             exec_block_value(all(piece.map(|x| x > 0)).map(|yes| select(yes, 1, 0)))
///         })
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, -4])?;
/// let result = example::all_positive::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn exec_block_value<T: Clone + 'static>(program: Program<Block, T>) -> Push<Block, T> {
    exec_value(program)
}
