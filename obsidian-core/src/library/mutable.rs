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
#[track_caller]
pub fn new_shared_mutable<L: Compute, T: Data>(len: u32, value: T) -> Program<L, Mutable<T, u32>> {
    to_mutable(Pull::new(len, move |_| value.clone()))
}

/// A mutable array with the elements of another array at first.
///
/// What a push array of your own does not write is not defined, as an array that changes is not
/// checked for holes; the simulator names reads of it.
#[track_caller]
pub fn to_mutable<L: Compute, T: Data, A: IntoPush<L, T, u32>>(
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
    pub fn of_handle(len: S, handle: T::Handle) -> Self {
        Mutable { len, handle }
    }

    /// The names of the arrays that it lies in.
    pub fn handle(&self) -> &T::Handle {
        &self.handle
    }

    /// The number of elements.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> S {
        self.len.clone()
    }

    /// Reports an index that is known to be outside.
    #[track_caller]
    pub(crate) fn check(&self, i: Exp<u32>) {
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
    #[track_caller]
    pub fn read(&self, i: impl Into<Exp<u32>>) -> Program<Thread, T> {
        let (handle, i, origin) = (self.handle.clone(), i.into(), here());
        self.check(i);
        Program::new(move |trace| indexed_at(origin, || T::read(&handle, i, trace)))
    }

    /// Writes element `i`. Two iterations of a loop over threads must not write one element.
    #[track_caller]
    pub fn write(&self, i: impl Into<Exp<u32>>, value: T) -> Program<Thread, ()> {
        let (handle, i, origin) = (self.handle.clone(), i.into(), here());
        self.check(i);
        Program::new(move |trace: &mut Trace<Thread>| {
            indexed_at(origin, || value.store(&handle, i, trace))
        })
    }

    /// The elements as they are when the push array is pushed.
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
    #[track_caller]
    pub fn write_all<L: AtMost<Block>, Z: Length, A: IntoPush<L, T, Z>>(
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
pub(crate) fn atomic(
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
    atomic_add Add;
    /// Subtracts from element `i` in one step; the result is what it was. For 32 and 64 bit
    /// integers and floats.
    atomic_sub Sub;
    /// Adds 1 to element `i` in one step, or sets it to 0 from the limit `value` on; the result is
    /// what it was. For `u32`.
    atomic_inc Inc;
    /// Subtracts 1 from element `i` in one step, or sets it to the limit `value` from 0 and from
    /// above the limit; the result is what it was. For `u32`.
    atomic_dec Dec;
    /// The smaller one of element `i` and `value`, in one step; the result is what it was. For 32
    /// and 64 bit integers.
    atomic_min Min;
    /// The larger one of element `i` and `value`, in one step; the result is what it was. For 32
    /// and 64 bit integers.
    atomic_max Max;
    /// Bitwise and, in one step; the result is what it was. For 32 and 64 bit integers.
    atomic_and And;
    /// Bitwise or, in one step; the result is what it was. For 32 and 64 bit integers.
    atomic_or Or;
    /// Bitwise exclusive or, in one step; the result is what it was. For 32 and 64 bit integers.
    atomic_xor Xor;
    /// Replaces element `i` in one step; the result is what it was. For types of 32 and 64 bits.
    atomic_exch Exchange;
}
