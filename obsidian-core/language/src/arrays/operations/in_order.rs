//! Folds and scans that combine elements in one order: a thread for each row.
//!
//! [`fold`](Arr::fold) and the scans ask for an associative function, and many threads combine a row. These ask for nothing. They are also how
//! a function of elements folds the arrays that it makes.

use std::rc::Rc;

use super::one_of;
use super::reduce::of_the_elements;
use crate::array::Storable;
use crate::arrays::any::AnyElement;
use crate::arrays::arr::Arr;
use crate::arrays::graph::{Fold, Kind, Order, add, in_an_element, is_describing, where_below};
use crate::arrays::index::Index;
use crate::arrays::item::{Computed, Item, leaves, run_ahead, types};
use crate::arrays::local;
use crate::arrays::shape::HasInner;
use crate::library::seq_iterate;
use crate::scalar::{AnyExp, Exp, Literal, Number, ScalarType, here, index, lit, select_exp};

impl<Sh: HasInner, T: Item> Arr<Sh, T> {
    /// Each row of the innermost axis folded from its first element to its last: `f(.. f(f(initial, x[0]), x[1]) .., x[n - 1])`. Rows without elements
    /// give `initial`.
    ///
    /// `f` may be any function, and what it gives need not be what elements are. One thread folds a row, so that this is for many rows, or for functions
    /// that are not associative; [`fold`](Arr::fold) combines a row by many threads.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EI32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EI32>| x.fold_in_order(|a, x| a * 10 - x, lit(1)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [877, 544]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "foldl")]
    #[track_caller]
    pub fn fold_in_order<A: Item, R: Computed<Value = A>>(
        &self,
        f: impl Fn(A, T) -> R + 'static,
        initial: A,
    ) -> Arr<Sh::Outer, A> {
        let name = "fold_in_order";
        let f = checked(name, f, &initial);
        self.folded_in_order(name, false, f, initial)
    }

    /// Each row of the innermost axis folded from its last element to its first: `f(x[0], f(x[1], .. f(x[n - 1], initial)))`. Rows without elements
    /// give `initial`.
    ///
    /// It is otherwise as [`fold_in_order`](Arr::fold_in_order). APL reduces so.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EF64, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EF64>| x.fold_right(|x, a| x / a, lit(1.0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([3], &[12.0, 6.0, 2.0])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.value()?, 4.0); // 12 / (6 / (2 / 1))
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "foldr")]
    #[track_caller]
    pub fn fold_right<A: Item, R: Computed<Value = A>>(
        &self,
        f: impl Fn(T, A) -> R + 'static,
        initial: A,
    ) -> Arr<Sh::Outer, A> {
        let name = "fold_right";
        let f = checked(name, move |a, x| f(x, a), &initial);
        self.folded_in_order(name, true, f, initial)
    }

    /// For each element what `f` makes of `initial` and the elements of its row up to it, itself included, from the first to the last.
    ///
    /// `f` may be any function, and what it gives need not be what elements are. One thread scans a row;
    /// [`inclusive_scan`](Arr::inclusive_scan) scans a row by many threads.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EI32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EI32>| x.scan_in_order(|a, x| x - a * 2, lit(0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 0, 3, -2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "scanl")]
    #[track_caller]
    pub fn scan_in_order<A: Item, R: Computed<Value = A>>(
        &self,
        f: impl Fn(A, T) -> R + 'static,
        initial: A,
    ) -> Arr<Sh, A> {
        let name = "scan_in_order";
        self.has_axes(name, 1);
        let f = checked(name, f, &initial);
        if !is_describing() {
            return self.scanned_here(name, f, initial, [true, false]);
        }
        // What is combined is a state and an element, of which a state has no element and an element no state.
        let (none, element) = (initial.clone(), self.element.clone());
        let pairs: Arr<Sh, (A, T)> = Arr::delayed(name, self.extents(), move |index| {
            (none.clone(), element(index))
        });
        let like = Rc::new(pairs.like());
        let operator = {
            let like = like.clone();
            move |before: &AnyElement, own: &AnyElement| {
                let value = |fields: &AnyElement| like.rebuild(&mut fields.0.clone().into_iter());
                let ((state, _), (_, x)): ((A, T), (A, T)) = (value(before), value(own));
                let next = in_an_element(|| f(state, x.clone()));
                AnyElement(leaves(&(next, x)))
            }
        };
        let nothing = AnyElement::zeros(&self.types());
        let first = leaves(&initial).into_iter().chain(nothing.0);
        let fold = Fold {
            source: pairs.number,
            operator: Rc::new(operator),
            initial: Some(AnyElement(first.collect())),
            neutral: None,
        };
        let kind = Kind::Scan(Rc::new(fold), Order::in_order());
        let scanned: Arr<Sh, (A, T)> =
            Arr::of(add(name, self.extents(), kind, move |_| (*like).clone()));
        let element = scanned.element;
        Arr::delayed(name, self.extents(), move |index| element(index).0)
    }

    /// Each row folded in order by the thread that needs the result: from its last element to its first, if that is so.
    #[track_caller]
    pub(super) fn folded_in_order<A: Item>(
        &self,
        name: &'static str,
        from_last: bool,
        f: Combine<A, T>,
        initial: A,
    ) -> Arr<Sh::Outer, A> {
        self.has_axes(name, 1);
        let mut outer = self.extents();
        let length = outer.pop().unwrap_or_else(|| lit(0));
        let rows = self.rows();
        Arr::delayed(name, outer, move |index| {
            let (element, f) = (rows(index), f.clone());
            let first = initial.clone();
            let step = move |k, state| f(state, at_place(length, k, from_last, &*element));
            let own = move || steps(length, Rc::new(step), first);
            where_inside(index, initial.clone(), Box::new(own))
        })
    }

    /// A value like the elements.
    fn zero(&self) -> T {
        let like = self.like();
        like.rebuild(&mut AnyElement::zeros(&self.types()).0.into_iter())
    }

    /// The elements of the row with an index.
    fn rows(&self) -> impl Fn(&Index) -> Rc<dyn Fn(Exp<u32>) -> T> + Clone + 'static + use<Sh, T> {
        let element = self.element.clone();
        move |index: &Index| {
            let (element, index) = (element.clone(), index.clone());
            Rc::new(move |k| {
                let coordinates = index.coordinates.iter().copied().chain([k]);
                element(&index.moved(coordinates.collect()))
            })
        }
    }

    /// Each row folded in order, which has an element: nothing stands in front of the first one.
    #[track_caller]
    pub(super) fn folded_from_the_first(
        &self,
        name: &'static str,
        f: Combine<T, T>,
    ) -> Arr<Sh::Outer, T> {
        self.has_axes(name, 1);
        let zero = self.zero();
        let f = held(name, f, &zero);
        let mut outer = self.extents();
        let length = outer.pop().unwrap_or_else(|| lit(0));
        let rows = self.rows();
        Arr::delayed(name, outer, move |index| {
            let (element, f) = (rows(index), f.clone());
            let own = move || {
                let first = element(lit(0));
                let step =
                    move |k, state| f(state, at_place(length, index::add(k, 1), false, &*element));
                steps(index::sub(length, 1), Rc::new(step), first)
            };
            where_inside(index, zero.clone(), Box::new(own))
        })
    }

    /// The scan of an array that a function of elements makes. Each element is a fold of those in front of it: with its own one if it is inclusive,
    /// and from the last element if it goes backwards.
    #[track_caller]
    pub(super) fn scanned_here<A: Item>(
        &self,
        name: &'static str,
        f: Combine<A, T>,
        initial: A,
        [inclusive, backwards]: [bool; 2],
    ) -> Arr<Sh, A> {
        let rows = self.rows();
        let length = self.extents().last().copied().unwrap_or_else(|| lit(0));
        Arr::delayed(name, self.extents(), move |index| {
            let (outer, before) = in_front(index, length, backwards);
            let (element, f, first) = (rows(&outer), f.clone(), initial.clone());
            let own = move || {
                let count = match inclusive {
                    true => index::add(before, 1),
                    false => before,
                };
                let step = move |k, state| f(state, at_place(length, k, backwards, &*element));
                steps(count, Rc::new(step), first)
            };
            where_inside(index, initial.clone(), Box::new(own))
        })
    }

    /// The same of an inclusive scan with nothing in front of the first element.
    #[track_caller]
    pub(super) fn scanned_from_the_first(
        &self,
        name: &'static str,
        f: Combine<T, T>,
        backwards: bool,
    ) -> Self {
        let zero = self.zero();
        let f = held(name, f, &zero);
        let rows = self.rows();
        let length = self.extents().last().copied().unwrap_or_else(|| lit(0));
        Arr::delayed(name, self.extents(), move |index| {
            let (outer, before) = in_front(index, length, backwards);
            let (element, f) = (rows(&outer), f.clone());
            let own = move || {
                let first = at_place(length, lit(0), backwards, &*element);
                let step = move |k, state| {
                    f(
                        state,
                        at_place(length, index::add(k, 1), backwards, &*element),
                    )
                };
                steps(before, Rc::new(step), first)
            };
            where_inside(index, zero.clone(), Box::new(own))
        })
    }
}

/// The index of the row of an element, and how many elements of the row come before it.
fn in_front(index: &Index, length: Exp<u32>, backwards: bool) -> (Index, Exp<u32>) {
    let mut outer = index.coordinates.clone();
    let own = outer.pop().unwrap_or_else(|| lit(0));
    let before = match backwards {
        true => index::sub(index::sub(length, 1), own),
        false => own,
    };
    (index.moved(outer), before)
}

/// The element of a row that comes as number `k`. It is there wherever this is computed, and nowhere else: a number that stands for a place elsewhere too is below
/// the length only here.
fn at_place<T>(
    length: Exp<u32>,
    k: Exp<u32>,
    backwards: bool,
    element: &dyn Fn(Exp<u32>) -> T,
) -> T {
    let place = match backwards {
        true => index::sub(index::sub(length, 1), k),
        false => k,
    };
    where_below(place, length, || element(place))
}

impl<Sh: HasInner, T: Number> Arr<Sh, Exp<T>> {
    /// For each row `x[0] - (x[1] - (x[2] - ..))`, 0 of none: the sum of its elements, of which each second one is subtracted. Integers wrap, and floats are added as
    /// by [`sum`](Arr::sum), by many threads.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EI32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EI32>| x.alternating_sum())?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[10, 1, 3, 5])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.value()?, 7);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn alternating_sum(&self) -> Arr<Sh::Outer, Exp<T>> {
        let element = self.element.clone();
        let zero = AnyExp::literal(Literal::zero(T::TYPE)).typed();
        let zero: Exp<T> = zero.unwrap_or_else(Exp::poison);
        let signed: Self = Arr::delayed("alternating_sum", self.extents(), move |index| {
            let place = index.coordinates.last().copied().unwrap_or_else(|| lit(0));
            let x = element(index);
            select_exp((place & 1u32).eq(0u32), x, zero - x)
        });
        signed.sum()
    }
}

/// A function of folds, whose results are held to be like what a fold begins with.
#[track_caller]
pub(super) fn checked<A: Item, T: 'static, R: Computed<Value = A>>(
    name: &'static str,
    f: impl Fn(A, T) -> R + 'static,
    initial: &A,
) -> Combine<A, T> {
    held(name, values(f), initial)
}

/// A function of folds of one type, whatever it is that it gives.
pub(super) type Combine<A, T> = Rc<dyn Fn(A, T) -> A>;

/// A function whose results are values.
pub(super) fn values<A: Item, T, R: Computed<Value = A>>(
    f: impl Fn(A, T) -> R + 'static,
) -> Combine<A, T> {
    Rc::new(move |state, x| f(state, x).value())
}

/// [`checked`], of a function whose results are values.
#[track_caller]
pub(super) fn held<A: Item, T: 'static>(
    name: &'static str,
    f: Combine<A, T>,
    initial: &A,
) -> Combine<A, T> {
    let (origin, initial) = (here(), initial.clone());
    let own: Vec<ScalarType> = types(&leaves(&initial));
    Rc::new(move |state, x| {
        let next = f(state, x);
        match of_the_elements(name, &own, &next, origin) {
            true => next,
            false => initial.clone(),
        }
    })
}

/// What `compute` gives where an index is inside, and otherwise any value: a loop does not run there.
fn where_inside<A: Item>(index: &Index, other: A, compute: Box<dyn FnOnce() -> A>) -> A {
    match index.inside {
        Some(inside) => one_of(inside, compute, || other),
        None => compute(),
    }
}

/// Runs `count` steps in one thread. Each is given its number and the result of the step before. Up to eight are written out; others are a loop.
fn steps<A: Item>(count: Exp<u32>, step: Rc<dyn Fn(Exp<u32>, A) -> A>, first: A) -> A {
    let few = count.as_literal().filter(|count| local::unrolls(*count));
    match few {
        Some(count) => {
            let mut state = first;
            for k in 0..count {
                state = step(lit(k), state);
            }
            local::unrolled(count);
            state
        }
        None => run_ahead(&seq_iterate(count, move |k, state| step(k, state), first)),
    }
}
