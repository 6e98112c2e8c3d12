//! Parts of a program that run several times, or one of two parts.

use std::cell::Cell;
use std::ops::Range;

use crate::arrays::arr::{Arr, Arr0, all_same};
use crate::arrays::claims::{same_elements, same_state};
use crate::arrays::graph::{
    Control, Kind, NodeNumber, Round, add, changing_extents, extents_of, graph, has_changing,
};
use crate::arrays::item::Item;
use crate::arrays::lifted::{axes_of, cannot_lift, same_as, seen_extents_of};
use crate::arrays::shape::{OneExtent, Shape};
use crate::scalar::{Exp, NodeId, session};

/// The state of a loop: an array, or a tuple of up to four arrays or tuples.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
///     { let (low, _) = power(3, (x.clone(), x), |(a, b)| (b.map(|b| b + 1), a)); low }
/// })?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [3, 4, 5, 6]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the state of a loop of an array program",
    note = "an array can, and a tuple of up to eight arrays or tuples"
)]
pub trait State: Clone + 'static {
    /// The numbers of the arrays, in order.
    #[doc(hidden)]
    fn nodes(&self, list: &mut Vec<Node>);
    /// Arrays of the same elements, that something else makes, and of the same extents but for those that iterations change.
    #[doc(hidden)]
    fn made_by(&self, made: &Made) -> Self;
    /// The arrays, each of which has an element for each of those of [`each`](super::each) that are computed at once.
    #[doc(hidden)]
    #[must_use]
    fn in_each(&self) -> Self;
}

/// The number of an array in its program.
#[derive(Clone, Copy, Debug)]
pub struct Node(pub(in crate::arrays) NodeNumber);

/// How an array comes about.
pub struct Made {
    name: &'static str,
    kind: Kind,
    /// The number of the control.
    control: usize,
    /// How many arrays of the state have been made.
    arrays: Cell<usize>,
}

impl Made {
    fn by(name: &'static str, kind: Kind, control: usize) -> Made {
        Made {
            name,
            kind,
            control,
            arrays: Cell::new(0),
        }
    }
}

impl<Sh: Shape, T: Item> State for Arr<Sh, T> {
    fn nodes(&self, list: &mut Vec<Node>) {
        list.push(Node(self.number));
    }
    #[track_caller]
    fn made_by(&self, made: &Made) -> Self {
        let (like, mut extents) = (self.like(), self.extents());
        let array = made.arrays.replace(made.arrays.get() + 1);
        let changing = changing_extents((made.control, array), &mut extents);
        let rank = extents.len();
        let arr = Arr::of(add(made.name, extents, made.kind.clone(), move |_| {
            like.clone()
        }));
        let is_outcome = matches!(made.kind, Kind::Outcome(_));
        has_changing(arr.number, changing, (rank, is_outcome));
        arr
    }
    #[track_caller]
    fn in_each(&self) -> Self {
        self.with_open_axes()
    }
}

macro_rules! tuples {
    ($(($($part:ident $n:tt)+);)*) => {$(
        impl<$($part: State),+> State for ($($part,)+) {
            fn nodes(&self, list: &mut Vec<Node>) {
                $(self.$n.nodes(list);)+
            }
            #[track_caller]
            fn made_by(&self, made: &Made) -> Self {
                ($(self.$n.made_by(made),)+)
            }
            #[track_caller]
            fn in_each(&self) -> Self {
                ($(self.$n.in_each(),)+)
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

/// Applies `body` to `initial` `n` times, and gives the result: `initial` for 0.
///
/// The kernels of `body` are built once, and launched in each iteration. What does not depend on the loop state is computed once, before the loop, even
/// if `n` is 0.
///
/// ```text
/// power(100, xs, |xs| xs.stencil(Wrap, |w| (w.at(-1) + w.at(1)) * 0.5))
/// ```
///
/// An iteration may give arrays of other extents than it takes, with as many axes. How long they are in the end is then known only when the
/// program has run, so that `run_into` cannot give them.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let rows_of_pascal = ArrayProgram::build("pascal", |one: Arr1<EU32>| {
///     power(4, one, |row| {
///         let zero = generate(1u32, |_| lit(0u32));
///         zip_with(|x, y| x + y, append(zero.clone(), row.clone()), append(row, zero))
///     })
/// })?;
/// let device = Device::cpu();
/// let row = rows_of_pascal.run(&device, &device.array([1], &[1])?)?;
/// assert_eq!(row.to_vec()?, [1, 4, 6, 4, 1]);
/// # use obsidian_rt::language::lit;
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EF32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EF32>| power(3, x, |x| x.map(|x| x * 0.5)))?;
/// let device = Device::cpu();
/// let x = device.array([2], &[8.0f32, 16.0])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1.0, 2.0]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn power<S: State>(n: impl OneExtent, initial: S, body: impl FnOnce(S) -> S) -> S {
    let initial = initial.in_each();
    let (control, state) = begun("power", &initial);
    let next = body(state.clone()).in_each();
    let round = round(("power", control), &initial, &state, &next);
    let times = n.extent();
    ended("power", control, &initial, Control::Repeat { times, round })
}

/// Applies `body` while `condition` holds, and gives the first state for which it does not.
///
/// The host reads the condition in each iteration. What iterations ask of extents that they change is asked with each look at the condition, the last one
/// too. What does not depend on the loop state is computed before the loop, even if that has no iteration.
/// Otherwise it is as [`power`].
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
///     awhile(x, |x| x.sum().map(|sum| sum.lt(100)), |x| x.map(|x| x * 2))
/// })?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [16, 32, 48, 64]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn awhile<S: State>(
    initial: S,
    condition: impl FnOnce(S) -> Arr0<Exp<bool>>,
    body: impl FnOnce(S) -> S,
) -> S {
    let initial = initial.in_each();
    let (control, state) = begun("awhile", &initial);
    let condition = condition(state.clone()).number;
    cannot_lift("awhile", &axes_of(condition));
    let next = body(state.clone()).in_each();
    let round = round(("awhile", control), &initial, &state, &next);
    ended(
        "awhile",
        control,
        &initial,
        Control::While { condition, round },
    )
}

/// The arrays of `then` if `condition` holds, and otherwise those of `otherwise`, which have the same extents. The kernels of the other arm do not
/// run.
///
/// The extents of both arms have to fit: `xs.take(10)` in an arm that is not taken is an error if `xs` is shorter. How long the arrays of one arm are may
/// be known only when it has run, as with `filter` and loops that change extents; those of the other one then have a length that is known before.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
///     { let is_long = unit(x.len()).map(|n| n.gt(3)); let y = x.clone(); if_then(is_long, move || x.map(|x| x * 2), move || y) }
/// })?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [2, 4, 6, 8]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn if_then<S: State>(
    condition: Arr0<Exp<bool>>,
    then: impl FnOnce() -> S,
    otherwise: impl FnOnce() -> S,
) -> S {
    let control = reserved();
    let made = || graph(|graph| (graph.nodes.len(), graph.reads.len())).unwrap_or_default();
    let first = made();
    cannot_lift("if_then", &axes_of(condition.number));
    let then = then().in_each();
    let second = made();
    let otherwise = otherwise().in_each();
    let end = made();
    let parts = [
        (first.0..second.0, numbers(&then)),
        (second.0..end.0, numbers(&otherwise)),
    ];
    for (left, right) in parts[0].1.iter().zip(&parts[1].1) {
        all_same("if_then", &[seen(*left), seen(*right)]);
        same_elements("if_then", *left, *right);
    }
    // What only an arm learns is not known where the other one is taken.
    let like = match (
        names_a_read(&parts[0].1, first.1..second.1),
        names_a_read(&parts[1].1, second.1..end.1),
    ) {
        (false, _) => &then,
        (true, false) => &otherwise,
        (true, true) => {
            crate::scalar::report(crate::error::catalogue::arms_of_unknown_lengths());
            &then
        }
    };
    let condition = condition.number;
    ended("if_then", control, like, Control::If { condition, parts })
}

/// Do the extents of arrays name a number that a run reads, of those with some numbers?
fn names_a_read(arrays: &[NodeNumber], reads: Range<usize>) -> bool {
    let own: Vec<NodeId> = graph(|graph| {
        let own = graph.reads.get(reads).unwrap_or_default();
        own.iter().map(|(_, number)| number.node()).collect()
    })
    .unwrap_or_default();
    let extents = arrays.iter().flat_map(|array| extents_of(*array));
    let extents: Vec<NodeId> = extents.map(|extent| extent.node()).collect();
    let all = session(|s| s.tables.nodes.post_order(&extents, |_| false)).unwrap_or_default();
    all.iter().any(|node| own.contains(node))
}

fn numbers<S: State>(state: &S) -> Vec<NodeNumber> {
    let mut list = Vec::new();
    state.nodes(&mut list);
    list.into_iter().map(|Node(number)| number).collect()
}

/// A node and its extents, without those of axes that are open.
fn seen(number: NodeNumber) -> (NodeNumber, Vec<Exp<u32>>) {
    (number, seen_extents_of(number))
}

/// The number of the next control.
fn reserved() -> usize {
    graph(|graph| {
        graph.controls.push(None);
        graph.controls.len() - 1
    })
    .unwrap_or(0)
}

/// The number of a new loop, and the arrays at the beginning of each iteration.
#[track_caller]
fn begun<S: State>(name: &'static str, initial: &S) -> (usize, S) {
    let control = reserved();
    let made = Made::by(name, Kind::State(control), control);
    (control, initial.made_by(&made))
}

#[track_caller]
fn round<S: State>(
    (name, control): (&'static str, usize),
    initial: &S,
    state: &S,
    next: &S,
) -> Round {
    let [initial, states, next] = [initial, state, next].map(numbers);
    let initial = initial.into_iter().map(same_as).collect();
    for (array, (before, after)) in states.iter().zip(&next).enumerate() {
        same_state(name, (control, array), &seen(*before), &seen(*after));
        same_elements(name, *before, *after);
    }
    Round {
        initial,
        states,
        next,
    }
}

/// What a control gives.
#[track_caller]
fn ended<S: State>(name: &'static str, number: usize, like: &S, control: Control) -> S {
    graph(|graph| {
        if let Some(own) = graph.controls.get_mut(number) {
            *own = Some(control);
        }
    });
    like.made_by(&Made::by(name, Kind::Outcome(number), number))
}
