//! `compute`: stores an array, so that its elements are computed once and seen by all threads of
//! the level.

use std::cell::RefCell;
use std::rc::Rc;

use crate::array::{Allocator, Data, IntoPush, Pull, Push, Shape, Writer};
use crate::error::{Origin, catalogue};
use crate::ir::{Layout, Level};
use crate::program::{Action, Compute, Program, Thread, Trace, cond, pure};
use crate::scalar::{Exp, here, lit, report, session};

/// Stores an array of static shape and gives it back as a pull array of that shape, which reads what was stored.
/// Paper, section 4.6.
///
/// At Thread the array is the thread's own (registers or local memory), at Warp and Block it lies
/// in shared memory, and all threads of the level wait until it is complete. There is no `compute`
/// at Grid. Length 0 stores nothing.
///
/// A stored element is computed once, however many threads read it. A barrier of the level stands where a thread reads what
/// another has stored, and nowhere else. Shared memory is used again for arrays that are not read at the same time.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn of_block(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let stored = compute(piece.map(|x| x * x))?;
///         // Thread `i` reads what another thread has stored.
///         pure(zip_with(|a, b| a + b, stored, stored.reverse()).push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(64).as_grid_map(|piece| exec_block(of_block(piece)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1; 64])?;
/// let result = example::sums::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2; 64]);
/// let kernel = example::sums::kernel();
/// // One barrier before the reads, and one before the next piece is stored in the same place.
/// assert_eq!((kernel.barriers(), kernel.shared_bytes()), (2, 256));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "__shared__")]
#[doc(alias = "SharedMemory")]
#[doc(alias = "shared_memory")]
#[track_caller]
pub fn compute<L: Compute, T: Data, A: IntoPush<L, T, Shape: Shape<Size = u32>>>(
    array: A,
) -> Program<L, Pull<T, A::Shape>> {
    let push = array.into_push();
    let shape = push.shape();
    let flat = push.flat();
    let length = flat.len();
    computed(flat, length, here()).map(move |stored| stored.reshaped(shape.clone()))
}

/// Stores the elements of an array. The user knows it as one of `elements` elements, which differs
/// from its length where a layout has gaps.
pub(super) fn computed<L: Compute, T: Data>(
    push: Push<L, T>,
    elements: u32,
    origin: Origin,
) -> Program<L, Pull<T>> {
    Program::new(move |trace| {
        if trace.level() == Some(Level::Grid) {
            report(catalogue::no_shared_memory().at(origin));
            return Pull::new(push.len(), |_| T::poison());
        }
        let length = push.len();
        if length == 0 {
            return Pull::new(0, |_| crate::array::no_elements());
        }
        let (handle, actions) = stored(&push, (origin, None), trace);
        let Some(handle) = handle else {
            report(catalogue::nothing_written(elements).at(origin));
            return Pull::new(length, |_| T::poison());
        };
        trace.splice(actions);
        trace.push(Action::Sync);
        Pull::new(length, move |i| T::load(&handle, i))
    })
}

/// The arrays that a push array is stored in, found from its first element, and the actions that
/// make and fill them. They are in shared memory, or held in a layout.
pub(super) fn stored<L: Compute, T: Data>(
    push: &Push<L, T>,
    (origin, held): (Origin, Option<Layout>),
    trace: &Trace<L>,
) -> (Option<T::Handle>, Vec<Action>) {
    let allocator = Rc::new(RefCell::new(
        Allocator::new(trace.name(), push.len())
            .placed(origin)
            .held(held),
    ));
    let handle: Rc<RefCell<Option<T::Handle>>> = Rc::default();
    let filling = {
        let (allocator, handle) = (allocator.clone(), handle.clone());
        let write: Writer<T> = Rc::new(move |value, index| {
            let (allocator, handle) = (allocator.clone(), handle.clone());
            Program::new(move |trace| {
                let known = handle
                    .borrow_mut()
                    .get_or_insert_with(|| value.alloc(&mut allocator.borrow_mut()))
                    .clone();
                value.store(&known, index, trace);
            })
        });
        trace
            .nested(trace.level(), |t| push.write_to(write).run(t))
            .1
    };
    let mut actions = allocator.borrow_mut().take_actions();
    actions.extend(filling);
    let handle = handle.borrow().clone();
    (handle, actions)
}

/// [`compute`], and one of the elements, that of number `one`, apart: so the others may be where only the threads that have computed them read them.
#[doc(hidden)]
#[track_caller]
pub fn with_one<L: Compute, T: Data>(push: Push<L, T>, one: Exp<u32>) -> Program<L, (Pull<T>, T)> {
    let origin = here();
    Program::new(move |trace: &mut Trace<L>| {
        let allocator = Rc::new(RefCell::new(Allocator::new(Some("one"), 1).placed(origin)));
        let handle: Rc<RefCell<Option<T::Handle>>> = Rc::default();
        let both = {
            let (push, allocator, handle) = (push.clone(), allocator.clone(), handle.clone());
            Push::new(push.len(), move |write: Writer<T>| {
                let (allocator, handle) = (allocator.clone(), handle.clone());
                push.write_to(Rc::new(move |value: T, j: Exp<u32>| {
                    let (allocator, handle) = (allocator.clone(), handle.clone());
                    let (own, written) = (value.clone(), write(value, j));
                    let apart = Program::new(move |trace: &mut Trace<Thread>| {
                        let known = handle
                            .borrow_mut()
                            .get_or_insert_with(|| own.alloc(&mut allocator.borrow_mut()))
                            .clone();
                        own.store(&known, lit(0).distinct(), trace);
                    });
                    let apart = cond(j.eq(one), apart, pure(()));
                    written.and_then(move |()| apart.clone())
                }))
            })
        };
        let (all, actions) = Trace::apart(trace.level(), |trace| {
            computed(both, push.len(), origin).run(trace)
        });
        let begun = allocator.borrow_mut().take_actions();
        // One of the elements has the number, and each is written once.
        let arrays = begun.iter().filter_map(|action| match action {
            Action::Allocate { array, .. } => Some(*array),
            _ => None,
        });
        session(|s| s.tables.written_whole.extend(arrays));
        trace.splice(begun);
        trace.splice(actions);
        let handle = handle.borrow().clone();
        let one = handle.map_or_else(T::poison, |handle| T::load(&handle, lit(0)));
        (all, one)
    })
}
