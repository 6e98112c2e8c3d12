//! What can be an element: chosen between, stored, and both.

use crate::error::{Origin, catalogue};
use crate::ir::Layout;
use crate::program::{Action, Thread, Trace, read};
use crate::scalar::{
    AnyExp, Array, ArrayId, ArrayPlace, Exp, Literal, Node, Scalar, ScalarType, here, index_place,
    report, select_exp, session, spanned_here,
};

/// Values between which the device can choose: the paper's `Choice`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn smaller<T: Choice>(condition: EBool, a: T, b: T) -> T {
///         select(condition, a, b)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn ordered(x: DPull<EU32>) -> DPush<Grid, (EU32, EU32)> {
///         // It chooses pairs as well as numbers.
///         x.split_up(4).as_grid_map(|x| x.pair().map(|(a, b)| smaller(a < b, (a, b), (b, a))).push())
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[5, 3, 1, 2])?;
/// let (low, high) = example::ordered::launch(&device, &x)?;
/// assert_eq!((low.to_vec()?, high.to_vec()?), (vec![3, 1], vec![5, 2]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the device cannot choose between two values of type `{Self}`",
    note = "it can between device values (EU32, EF32, ..) and tuples of them"
)]
pub trait Choice: Sized {
    /// `then` if the condition holds when the kernel runs, else `otherwise`.
    fn choose(condition: Exp<bool>, then: Self, otherwise: Self) -> Self;
}

/// Values that can be stored: the paper's `Storable`. A tuple is stored as one array a field.
///
/// The layout is found from the first value that is written ([`Storable::alloc`]).
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn in_order<T: Storable>(f: impl Combine<T>, x: Pull<T>) -> Program<Thread, T> {
///         seq_reduce(f, x)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| x.split_up(2).as_block_map(|own| exec_thread_value(in_order(|a, b| a + b, own))))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 2, 10, 20])?;
/// let result = example::sums::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [3, 30]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "values of type `{Self}` cannot be stored in an array",
    note = "device values (EU32, EF32, ..) and tuples of them can"
)]
pub trait Storable: Clone + 'static {
    /// Names the arrays that a value is stored in.
    type Handle: Clone + 'static;
    /// Makes the arrays for values like this one.
    fn alloc(&self, allocator: &mut Allocator) -> Self::Handle;
    /// Writes this value as element `index`.
    fn store(&self, handle: &Self::Handle, index: Exp<u32>, trace: &mut Trace<Thread>);
    /// Element `index` of arrays that are not written any more.
    fn load(handle: &Self::Handle, index: Exp<u32>) -> Self;
    /// Element `index` of arrays that change, as it is now.
    fn read(handle: &Self::Handle, index: Exp<u32>, trace: &mut Trace<Thread>) -> Self;
    /// Appends the device values that this value is made of, in order.
    fn leaves(&self, list: &mut Vec<AnyExp>);
    /// A value of the same shape, made of other device values.
    fn rebuild(&self, leaves: &mut dyn Iterator<Item = AnyExp>) -> Self;
    /// Stands for a value that a mistake has made impossible.
    fn poison() -> Self;
}

/// Elements of arrays: the paper's `Data`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn sum<L: Compute, T: Data>(f: impl Combine<T>, x: Pull<T>) -> Push<L, T> {
///         reduce(f, x)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn sums(x: DPull<EU32>) -> DPush<Grid, (EU32, EU32)> {
///         // Pairs are elements, too.
///         x.split_up(4).as_grid_map(|x| sum(|(a, b), (c, d)| (a + c, b + d), x.pair()))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[1, 10, 2, 20])?;
/// let (first, second) = example::sums::launch(&device, &x)?;
/// assert_eq!((first.to_vec()?, second.to_vec()?), (vec![3], vec![30]));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array that is stored",
    note = "device values (EU32, EF32, ..) and tuples of them can"
)]
pub trait Data: Storable + Choice {}

#[diagnostic::do_not_recommend]
impl<T: Storable + Choice> Data for T {}

/// Makes the arrays of one `compute`.
#[derive(Debug)]
pub struct Allocator {
    name: String,
    length: u32,
    origin: Origin,
    held: Option<Layout>,
    made: Vec<ArrayId>,
}

impl Allocator {
    /// An allocator of arrays of a length, called `name`.
    #[track_caller]
    pub fn new(name: Option<&str>, length: u32) -> Self {
        Allocator {
            name: name.unwrap_or("stored").to_owned(),
            length,
            origin: here(),
            held: None,
            made: Vec::new(),
        }
    }

    /// One more array, of an element type.
    pub fn array(&mut self, ty: ScalarType) -> ArrayId {
        let (name, origin, length) = (self.name.clone(), self.origin, self.length);
        let array = session(|s| {
            let length = s.tables.nodes.add_literal(Literal::from(length));
            s.array(Array {
                name,
                ty,
                length,
                place: ArrayPlace::Shared,
                origin,
            })
        });
        let array = array.unwrap_or(ArrayId(0));
        self.made.push(array);
        array
    }

    /// The same for arrays that belong to a place.
    #[must_use]
    pub fn placed(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// The same for arrays that are held by the threads of a level, in a layout.
    #[must_use]
    pub fn held(mut self, layout: Option<Layout>) -> Self {
        self.held = layout;
        self
    }

    /// The actions that begin the arrays made so far.
    pub fn take_actions(&mut self) -> Vec<Action> {
        let (origin, held) = (self.origin, self.held);
        self.made
            .drain(..)
            .map(|array| Action::Allocate {
                array,
                held,
                origin,
            })
            .collect()
    }
}

impl<T: Scalar> Choice for Exp<T> {
    #[track_caller]
    fn choose(condition: Exp<bool>, then: Self, otherwise: Self) -> Self {
        select_exp(condition, then, otherwise)
    }
}

/// Element `index` of an array that is not written any more.
#[track_caller]
#[doc(hidden)]
pub fn load_any(array: ArrayId, ty: ScalarType, index: Exp<u32>) -> AnyExp {
    // Natively a load that the user did not ask for by an index has no place but its array's.
    let (index, origin) = (index.node(), index_place().unwrap_or_else(spanned_here));
    let load = |nodes: &mut crate::scalar::Nodes| {
        let load = nodes.add(Node::Load { array, index }, ty);
        nodes.place(load, origin);
        load
    };
    match session(|s| load(&mut s.tables.nodes)) {
        Some(node) => AnyExp::from_node(node, ty),
        None => AnyExp::poison(ty),
    }
}

/// Writes element `index` of an array.
#[doc(hidden)]
pub fn store_any(array: ArrayId, index: Exp<u32>, value: AnyExp, trace: &mut Trace<Thread>) {
    let own = || {
        session(|s| s.tables.arrays.get(array.0 as usize).map(|a| a.origin))
            .flatten()
            .unwrap_or_default()
    };
    let origin = index_place().unwrap_or_else(own);
    trace.push(Action::Assign {
        array,
        index: index.node(),
        value: value.node(),
        origin,
    });
}

impl<T: Scalar> Storable for Exp<T> {
    type Handle = ArrayId;
    fn alloc(&self, allocator: &mut Allocator) -> ArrayId {
        allocator.array(T::TYPE)
    }
    fn store(&self, handle: &ArrayId, index: Exp<u32>, trace: &mut Trace<Thread>) {
        store_any(*handle, index, self.any(), trace);
    }
    fn load(handle: &ArrayId, index: Exp<u32>) -> Self {
        load_any(*handle, T::TYPE, index)
            .typed()
            .unwrap_or_else(Exp::poison)
    }
    fn read(handle: &ArrayId, index: Exp<u32>, trace: &mut Trace<Thread>) -> Self {
        read(*handle, T::TYPE, index)
            .run(trace)
            .typed()
            .unwrap_or_else(Exp::poison)
    }
    fn leaves(&self, list: &mut Vec<AnyExp>) {
        list.push(self.any());
    }
    fn rebuild(&self, leaves: &mut dyn Iterator<Item = AnyExp>) -> Self {
        leaves
            .next()
            .and_then(AnyExp::typed)
            .unwrap_or_else(Exp::poison)
    }
    fn poison() -> Self {
        Exp::poison()
    }
}

macro_rules! tuples {
    ($(($($field:ident $n:tt)+);)*) => {$(
        impl<$($field: Choice),+> Choice for ($($field,)+) {
            #[track_caller]
            fn choose(condition: Exp<bool>, then: Self, otherwise: Self) -> Self {
                ($($field::choose(condition, then.$n, otherwise.$n),)+)
            }
        }
        impl<$($field: Storable),+> Storable for ($($field,)+) {
            type Handle = ($($field::Handle,)+);
            fn alloc(&self, allocator: &mut Allocator) -> Self::Handle {
                ($(self.$n.alloc(allocator),)+)
            }
            fn store(&self, handle: &Self::Handle, index: Exp<u32>, trace: &mut Trace<Thread>) {
                $(self.$n.store(&handle.$n, index, trace);)+
            }
            fn load(handle: &Self::Handle, index: Exp<u32>) -> Self {
                ($($field::load(&handle.$n, index),)+)
            }
            fn read(handle: &Self::Handle, index: Exp<u32>, trace: &mut Trace<Thread>) -> Self {
                ($($field::read(&handle.$n, index, trace),)+)
            }
            fn leaves(&self, list: &mut Vec<AnyExp>) {
                $(self.$n.leaves(list);)+
            }
            fn rebuild(&self, leaves: &mut dyn Iterator<Item = AnyExp>) -> Self {
                ($(self.$n.rebuild(leaves),)+)
            }
            fn poison() -> Self {
                ($($field::poison(),)+)
            }
        }
    )*};
}

tuples! {
    (A 0 B 1);
    (A 0 B 1 C 2);
    (A 0 B 1 C 2 D 3);
    (A 0 B 1 C 2 D 3 E 4);
    (A 0 B 1 C 2 D 3 E 4 F 5);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6);
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7);
}

/// Reports a read of an array that has no elements.
#[track_caller]
#[doc(hidden)]
pub fn no_elements<T: Storable>() -> T {
    report(catalogue::empty_array());
    T::poison()
}
