//! Mutable arrays: elements that are read, written and changed atomically, in the order of the
//! program.
//!
//! A pull array never changes, so that reading it is an expression. Reading a [`Mutable`] array is
//! a program: two reads around a write are two reads. Between what one thread writes and another
//! reads the threads wait for each other: the passes put a wait between two loops over the threads
//! that touch one mutable array. In one loop, iterations that touch one element need atomic
//! operations.

use std::rc::Rc;

use crate::array::{Allocator, Data, IntoPush, Length, Pull, Push, Storable, Writer};
use crate::error::catalogue;
use crate::ir::{AtomicOp, Level};
use crate::program::{Action, AtMost, Block, Compute, Program, Thread, Trace, atomic_op, for_all};
use crate::scalar::{
    AnyExp, ArrayId, Exp, Scalar, ScalarType, here, indexed_at, report, types_where,
};

/// An array whose elements change: in shared memory ([`new_shared_mutable`]), or a parameter that
/// the kernel reads and writes.
///
/// `S` is the type of its length: `u32` for one in shared memory, `Exp<u32>` for a parameter.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn counts(keys: DPull<EU32>, counts: MGlobal<EU32>) -> Program<Grid, ()> {
///         // `counts[k]` more for each key `k`.
///         distr_par(keys.len() / 4, |b| for_all(4, |t| counts.atomic_add(keys[b * 4 + t] % 4, 1).void()))
///     }
/// }
///
/// let device = Device::cpu();
/// let keys = device.upload(&[0, 1, 1, 3])?;
/// let mut counts = device.upload(&[100, 0, 0, 0])?;
/// example::counts::launch(&device, &keys, &mut counts)?;
/// assert_eq!(counts.to_vec()?, [101, 2, 0, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub struct Mutable<T: Storable, S> {
    len: S,
    handle: T::Handle,
}

impl<T: Storable, S: Clone> Clone for Mutable<T, S> {
    fn clone(&self) -> Self {
        Mutable {
            len: self.len.clone(),
            handle: self.handle.clone(),
        }
    }
}

/// A mutable array of a length, at Warp and Block in shared memory, whose elements are `value` at
/// first.
///
/// At Thread it belongs to the thread.
///
/// The length is a number of the host, at least 1. At Warp and Block a barrier of the level follows where others read what a thread has written.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn histogram(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let counts = new_shared_mutable(4, lit(0u32))?;
///         for_all(x.len(), |i| counts.atomic_add(x[i] % 4, 1).void())?;
///         pure(counts.push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn histograms(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(8).as_grid_map(|x| exec_block(histogram(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[0, 1, 1, 3, 3, 3, 3, 0])?;
/// let result = example::histograms::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 2, 0, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[doc(alias = "__shared__")]
#[doc(alias = "SharedMemory")]
#[doc(alias = "newSharedMutable")]
#[track_caller]
pub fn new_shared_mutable<L: Compute, T: Data>(len: u32, value: T) -> Program<L, Mutable<T, u32>> {
    to_mutable(Pull::new(len, move |_| value.clone()))
}

/// A mutable array with the elements of another array at first.
///
/// What a push array of your own does not write is not defined, as an array that changes is not
/// checked for holes; the simulator names reads of it.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn bumped(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let numbers = to_mutable(x)?;
///         single_thread(numbers.write(0, 9))?;
///         pure(numbers.push())
///     }
///
///     #[kernel(threads = 64)]
///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| exec_block(bumped(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 3, 4])?;
/// let result = example::all::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [9, 2, 3, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn to_mutable<L: Compute, T: Data, A: IntoPush<L, T, Shape = u32>>(
    array: A,
) -> Program<L, Mutable<T, u32>> {
    let (push, origin) = (array.into_push(), here());
    let nothing = || Mutable {
        len: 0,
        handle: T::poison().alloc(&mut Allocator::new(None, 0)),
    };
    Program::new(move |trace| {
        if trace.level() == Some(Level::Grid) {
            report(catalogue::no_shared_memory().at(origin));
            return nothing();
        }
        let (handle, actions) = super::compute::stored(&push, (origin, None), trace);
        let Some(handle) = handle else {
            report(catalogue::empty_array().at(origin));
            return nothing();
        };
        trace.splice(actions);
        trace.push(Action::Sync);
        Mutable {
            len: push.len(),
            handle,
        }
    })
}

impl<T: Storable, S: Length> Mutable<T, S> {
    /// The mutable array that lies in given arrays.
    #[doc(hidden)]
    pub fn of_handle(len: S, handle: T::Handle) -> Self {
        Mutable { len, handle }
    }

    /// The names of the arrays that it lies in.
    #[doc(hidden)]
    pub fn handle(&self) -> &T::Handle {
        &self.handle
    }

    /// The number of elements.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn doubled(x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         distr_par(x.len() / 2, |b| for_all(2, |t| {
    ///             let old = x.read(b * 2 + t)?;
    ///             x.write(b * 2 + t, old * 2)
    ///         }))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let mut x = device.upload(&[1, 2, 3, 4])?;
    /// example::doubled::launch(&device, &mut x)?;
    /// assert_eq!(x.to_vec()?, [2, 4, 6, 8]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> S {
        self.len.clone()
    }

    /// Reports an index that is known to be outside.
    #[track_caller]
    #[doc(hidden)]
    pub fn check(&self, i: Exp<u32>) {
        if let (Some(i), Some(length)) = (i.as_literal(), self.len.fixed())
            && i >= length
        {
            report(catalogue::outside_of_array(
                "element",
                i.into(),
                length.into(),
            ));
        }
    }

    /// Reads element `i`, now.
    ///
    /// The value is the one at this point of the program: `?` runs the read. A static index that is too large is a compile error; one that cannot be
    /// proved to be below the length is an error, too, unless it is [`unchecked`](Exp::unchecked).
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn squared(x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         distr_par(x.len() / 4, |b| for_all(4, |t| {
    ///             let old = x.read(b * 4 + t)?;
    ///             x.write(b * 4 + t, old * old)
    ///         }))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let mut x = device.upload(&[1, 2, 3, 4])?;
    /// example::squared::launch(&device, &mut x)?;
    /// assert_eq!(x.to_vec()?, [1, 4, 9, 16]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn read(&self, i: impl Into<Exp<u32>>) -> Program<Thread, T> {
        let (handle, i, origin) = (self.handle.clone(), i.into(), here());
        self.check(i);
        Program::new(move |trace| indexed_at(origin, || T::read(&handle, i, trace)))
    }

    /// Writes element `i`. Two iterations of a loop over threads must not write one element.
    ///
    /// The compiler proves that no two do, and that the index is below the length.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn numbered(x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         distr_par(x.len() / 4, |b| for_all(4, |t| x.write(b * 4 + t, 10 * b + t)))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let mut x = device.upload(&[0; 8])?;
    /// example::numbered::launch(&device, &mut x)?;
    /// assert_eq!(x.to_vec()?, [0, 1, 2, 3, 10, 11, 12, 13]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn write(&self, i: impl Into<Exp<u32>>, value: T) -> Program<Thread, ()> {
        let (handle, i, origin) = (self.handle.clone(), i.into(), here());
        self.check(i);
        Program::new(move |trace: &mut Trace<Thread>| {
            indexed_at(origin, || value.store(&handle, i, trace))
        })
    }

    /// The elements as they are when the push array is pushed.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn filled(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
    ///         let numbers = new_shared_mutable(4, lit(7u32))?;
    ///         single_thread(numbers.write(1, x.first()))?;
    ///         pure(numbers.push())
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| exec_block(filled(x)))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [7, 1, 7, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn push<L: AtMost<Block>>(&self) -> Push<L, T, S> {
        let this = self.clone();
        Push::new(self.len(), move |write: Writer<T>| {
            let count = this.len.exp();
            let this = this.clone();
            for_all(count, move |i| {
                let write = write.clone();
                this.read(i).and_then(move |value| write(value, i))
            })
        })
    }

    /// Writes all elements of an array of the same length, or a shorter one, over the first ones.
    ///
    /// A longer one is a compile error where both lengths are static.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     fn begun(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
    ///         let numbers = new_shared_mutable(4, lit(7u32))?;
    ///         numbers.write_all(x.take(2))?;
    ///         pure(numbers.push())
    ///     }
    ///
    ///     #[kernel(threads = 64)]
    ///     pub fn all(x: DPull<EU32>) -> DPush<Grid, EU32> {
    ///         x.split_up(4).as_grid_map(|x| exec_block(begun(x)))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let x = device.upload(&[1, 2, 3, 4])?;
    /// let result = example::all::launch(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 7, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn write_all<L: AtMost<Block>, Z: Length, A: IntoPush<L, T, Shape = Z>>(
        &self,
        array: A,
    ) -> Program<L, ()> {
        let (this, push) = (self.clone(), array.into_push());
        if let (Some(given), Some(length)) = (push.len().fixed(), self.len.fixed())
            && given > length
        {
            report(catalogue::outside_of_array(
                "position",
                given.into(),
                length.into(),
            ));
        }
        push.write_to(Rc::new(move |value, i| this.write(i, value)))
    }
}

/// One atomic operation on element `index` of an array of elements of type `ty`; the result is the
/// old element.
#[track_caller]
pub fn atomic(
    array: ArrayId,
    ty: ScalarType,
    op: AtomicOp,
    index: Exp<u32>,
    operands: Vec<AnyExp>,
) -> Program<Thread, AnyExp> {
    if !op.accepts(ty) {
        report(catalogue::no_atomic(
            op.method(),
            &ty.exp_name(),
            &types_where(|ty| op.accepts(ty)),
        ));
        return Program::new(move |_| AnyExp::poison(ty));
    }
    if let Some(other) = operands.iter().find(|operand| operand.ty() != ty) {
        report(catalogue::mismatched_types(
            op.method(),
            &ty.exp_name(),
            &other.ty().exp_name(),
        ));
        return Program::new(move |_| AnyExp::poison(ty));
    }
    atomic_op(array, index, op, operands)
}

macro_rules! atomics {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        impl<T: Scalar, S: Length> Mutable<Exp<T>, S> {
            $($(#[$doc])*
            #[track_caller]
            pub fn $name(&self, i: impl Into<Exp<u32>>, value: impl Into<Exp<T>>) -> Program<Thread, Exp<T>> {
                self.change(AtomicOp::$op, i.into(), vec![value.into().any()])
            })*

            /// Replaces element `i` by `new` if it equals `old`, in one step; the result is what it
            /// was. Floats are compared bit by bit.
            ///
            /// ```
            /// use obsidian_rt::prelude::*;
            ///
            /// #[kernels]
            /// mod example {
            ///     #[kernel(threads = 64)]
            ///     pub fn claimed(owner: MGlobal<EU32>, wins: MGlobal<EU32>) -> Program<Grid, ()> {
            ///         // One of 4 threads claims the place; the others see that it is taken.
            ///         distr_par(1, |_| for_all(4, |t| {
            ///             let before = owner.atomic_cas(lit(0u32).unchecked(), 0, t + 1)?;
            ///             wins.atomic_add(lit(0u32).unchecked(), select(before == 0, 1, 0)).void()
            ///         }))
            ///     }
            /// }
            ///
            /// let device = Device::cpu();
            /// let (mut owner, mut wins) = (device.upload(&[0])?, device.upload(&[0])?);
            /// example::claimed::launch(&device, &mut owner, &mut wins)?;
            /// assert_eq!(wins.to_vec()?, [1]);
            /// # Ok::<(), obsidian_rt::Error>(())
            /// ```
            #[doc(alias = "atomicCAS")]
            #[track_caller]
            pub fn atomic_cas(&self, i: impl Into<Exp<u32>>, old: impl Into<Exp<T>>, new: impl Into<Exp<T>>) -> Program<Thread, Exp<T>> {
                self.change(AtomicOp::CompareExchange, i.into(), vec![old.into().any(), new.into().any()])
            }

            #[track_caller]
            fn change(&self, op: AtomicOp, i: Exp<u32>, operands: Vec<AnyExp>) -> Program<Thread, Exp<T>> {
                self.check(i);
                atomic(self.handle, T::TYPE, op, i, operands).map(|old| old.typed().unwrap_or_else(Exp::poison))
            }
        }
    };
}

atomics! {
    /// Adds to element `i` in one step; the result is what it was. For 32 and 64 bit integers and
    /// floats.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn changed(keys: DPull<EU32>, x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         // All threads change element 0.
    ///         distr_par(keys.len() / 4, |b| for_all(4, |t| x.atomic_add(lit(0u32).unchecked(), keys[b * 4 + t]).void()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let keys = device.upload(&[5, 3, 6, 3])?;
    /// let mut x = device.upload(&[1])?;
    /// example::changed::launch(&device, &keys, &mut x)?;
    /// assert_eq!(x.to_vec()?, [18]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "atomicAdd")]
    atomic_add Add;
    /// Subtracts from element `i` in one step; the result is what it was. For 32 and 64 bit
    /// integers and floats.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn changed(keys: DPull<EU32>, x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         // All threads change element 0.
    ///         distr_par(keys.len() / 4, |b| for_all(4, |t| x.atomic_sub(lit(0u32).unchecked(), keys[b * 4 + t]).void()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let keys = device.upload(&[5, 3, 6, 3])?;
    /// let mut x = device.upload(&[20])?;
    /// example::changed::launch(&device, &keys, &mut x)?;
    /// assert_eq!(x.to_vec()?, [3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "atomicSub")]
    atomic_sub Sub;
    /// Adds 1 to element `i` in one step, or sets it to 0 from the limit `value` on; the result is
    /// what it was. For `u32`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn changed(keys: DPull<EU32>, x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         // All threads change element 0.
    ///         distr_par(keys.len() / 4, |b| for_all(4, |t| x.atomic_inc(lit(0u32).unchecked(), 2).void()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let keys = device.upload(&[5, 3, 6, 3])?;
    /// let mut x = device.upload(&[1])?;
    /// example::changed::launch(&device, &keys, &mut x)?;
    /// assert_eq!(x.to_vec()?, [2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "atomicInc")]
    atomic_inc Inc;
    /// Subtracts 1 from element `i` in one step, or sets it to the limit `value` from 0 and from
    /// above the limit; the result is what it was. For `u32`.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn changed(keys: DPull<EU32>, x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         // All threads change element 0.
    ///         distr_par(keys.len() / 4, |b| for_all(4, |t| x.atomic_dec(lit(0u32).unchecked(), 2).void()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let keys = device.upload(&[5, 3, 6, 3])?;
    /// let mut x = device.upload(&[1])?;
    /// example::changed::launch(&device, &keys, &mut x)?;
    /// assert_eq!(x.to_vec()?, [0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "atomicDec")]
    atomic_dec Dec;
    /// The smaller one of element `i` and `value`, in one step; the result is what it was. For 32
    /// and 64 bit integers.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn changed(keys: DPull<EU32>, x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         // All threads change element 0.
    ///         distr_par(keys.len() / 4, |b| for_all(4, |t| x.atomic_min(lit(0u32).unchecked(), keys[b * 4 + t]).void()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let keys = device.upload(&[5, 3, 6, 3])?;
    /// let mut x = device.upload(&[9])?;
    /// example::changed::launch(&device, &keys, &mut x)?;
    /// assert_eq!(x.to_vec()?, [3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "atomicMin")]
    atomic_min Min;
    /// The larger one of element `i` and `value`, in one step; the result is what it was. For 32
    /// and 64 bit integers.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn changed(keys: DPull<EU32>, x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         // All threads change element 0.
    ///         distr_par(keys.len() / 4, |b| for_all(4, |t| x.atomic_max(lit(0u32).unchecked(), keys[b * 4 + t]).void()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let keys = device.upload(&[5, 3, 6, 3])?;
    /// let mut x = device.upload(&[1])?;
    /// example::changed::launch(&device, &keys, &mut x)?;
    /// assert_eq!(x.to_vec()?, [6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "atomicMax")]
    atomic_max Max;
    /// Bitwise and, in one step; the result is what it was. For 32 and 64 bit integers.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn changed(keys: DPull<EU32>, x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         // All threads change element 0.
    ///         distr_par(keys.len() / 4, |b| for_all(4, |t| x.atomic_and(lit(0u32).unchecked(), keys[b * 4 + t]).void()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let keys = device.upload(&[5, 3, 6, 3])?;
    /// let mut x = device.upload(&[7])?;
    /// example::changed::launch(&device, &keys, &mut x)?;
    /// assert_eq!(x.to_vec()?, [0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "atomicAnd")]
    atomic_and And;
    /// Bitwise or, in one step; the result is what it was. For 32 and 64 bit integers.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn changed(keys: DPull<EU32>, x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         // All threads change element 0.
    ///         distr_par(keys.len() / 4, |b| for_all(4, |t| x.atomic_or(lit(0u32).unchecked(), keys[b * 4 + t]).void()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let keys = device.upload(&[5, 3, 6, 3])?;
    /// let mut x = device.upload(&[0])?;
    /// example::changed::launch(&device, &keys, &mut x)?;
    /// assert_eq!(x.to_vec()?, [7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "atomicOr")]
    atomic_or Or;
    /// Bitwise exclusive or, in one step; the result is what it was. For 32 and 64 bit integers.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn changed(keys: DPull<EU32>, x: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         // All threads change element 0.
    ///         distr_par(keys.len() / 4, |b| for_all(4, |t| x.atomic_xor(lit(0u32).unchecked(), keys[b * 4 + t]).void()))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let keys = device.upload(&[5, 3, 6, 3])?;
    /// let mut x = device.upload(&[0])?;
    /// example::changed::launch(&device, &keys, &mut x)?;
    /// assert_eq!(x.to_vec()?, [3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "atomicXor")]
    atomic_xor Xor;
    /// Replaces element `i` in one step; the result is what it was. For types of 32 and 64 bits.
    ///
    /// ```
    /// use obsidian_rt::prelude::*;
    ///
    /// #[kernels]
    /// mod example {
    ///     #[kernel(threads = 64)]
    ///     pub fn swapped(x: MGlobal<EU32>, old: MGlobal<EU32>) -> Program<Grid, ()> {
    ///         distr_par(x.len(), |b| single_thread(x.atomic_exch(b, 7).and_then(|before| old.write(b.unchecked(), before))))
    ///     }
    /// }
    ///
    /// let device = Device::cpu();
    /// let (mut x, mut old) = (device.upload(&[1, 2])?, device.upload(&[0; 2])?);
    /// example::swapped::launch(&device, &mut x, &mut old)?;
    /// assert_eq!((x.to_vec()?, old.to_vec()?), (vec![7, 7], vec![1, 2]));
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "atomicExch")]
    atomic_exch Exchange;
}
