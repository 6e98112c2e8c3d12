//! Reductions of the rows of an array.

use std::rc::Rc;

use crate::arrays::arr::Arr;
use crate::arrays::claims::claim;
use crate::arrays::graph::{Fold, Kind, add, in_an_element, is_describing};
use crate::arrays::lifted::is_whole;
use crate::arrays::operations::in_order::{Combine, held, values};
use crate::arrays::operator::neutral;
use crate::arrays::shape::{HasInner, Ix0};
use crate::arrays::{
    any::{AnyElement, named_types},
    item::{Computed, Item, leaves, types},
};
use crate::error::{Origin, catalogue};
use crate::scalar::{AnyExp, BinaryOp, Exp, Literal, Number, ScalarType, lit, select_exp};

impl<Sh: HasInner, T: Item> Arr<Sh, T> {
    /// Each row of the innermost axis folded by `f`, with `initial` in front of it. Rows without elements give `initial`.
    ///
    /// `f` must be associative, for floats up to rounding; it need not be commutative, and `initial` need not be neutral. In which order
    /// elements are combined depends on the extents and on `f` alone: the page `fold_order` of the tutorial has the rule.
    ///
    /// `f` may divide, assert, run a loop and read arrays. It is called with elements, `initial` and its own results, and with nothing else.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EU32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.fold(|a, b| a * b, lit(1)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [6, 120]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn fold<R: Computed<Value = T>>(
        &self,
        f: impl Fn(T, T) -> R + 'static,
        initial: T,
    ) -> Arr<Sh::Outer, T> {
        self.folded("fold", f, Some(initial))
    }

    /// Each row of the innermost axis folded by `f`, which is as that of [`fold`](Arr::fold); a row must have an element.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.fold1(|a, b| a.max(b)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn fold1<R: Computed<Value = T>>(
        &self,
        f: impl Fn(T, T) -> R + 'static,
    ) -> Arr<Sh::Outer, T> {
        self.folded_from_first("fold1", f)
    }

    /// The same for a function that messages call by its own name.
    #[track_caller]
    fn folded_from_first<R: Computed<Value = T>>(
        &self,
        what: &'static str,
        f: impl Fn(T, T) -> R + 'static,
    ) -> Arr<Sh::Outer, T> {
        self.has_elements(what);
        self.folded("fold1", f, None)
    }

    /// Asks of a run that rows have elements.
    #[track_caller]
    fn has_elements(&self, what: &'static str) {
        if let Some(extent) = self.extents().last() {
            claim(what, [*extent, lit(1)], [Origin::UNKNOWN; 2], true);
        }
    }

    #[track_caller]
    fn folded<R: Computed<Value = T>>(
        &self,
        name: &'static str,
        f: impl Fn(T, T) -> R + 'static,
        initial: Option<T>,
    ) -> Arr<Sh::Outer, T> {
        self.folded_by(name, values(f), (initial, None))
    }

    #[track_caller]
    fn folded_by(
        &self,
        name: &'static str,
        f: Combine<T, T>,
        (initial, neutral): (Option<T>, Option<T>),
    ) -> Arr<Sh::Outer, T> {
        if !is_describing() {
            return match initial {
                Some(initial) => {
                    let f = held(name, f, &initial);
                    self.folded_in_order(name, false, f, initial)
                }
                None => self.folded_from_the_first(name, f),
            };
        }
        self.has_axes(name, 1);
        let mut extents = self.extents();
        extents.pop();
        let (mut fold, like) = self.combined(name, f, initial);
        fold.neutral = neutral.map(|value| AnyElement(leaves(&value)));
        // Elements of folds come from memory, or from the kernel that folds.
        Arr::of(add(name, extents, Kind::Fold(Rc::new(fold)), move |_| {
            (*like).clone()
        }))
    }

    /// The fold of rows by `f`, and a value that is like the elements.
    #[track_caller]
    pub(super) fn combined(
        &self,
        name: &'static str,
        f: Combine<T, T>,
        initial: Option<T>,
    ) -> (Fold, Rc<T>) {
        is_whole(self.number, self.hidden);
        let like = Rc::new(self.like());
        let (own, origin) = (types(&leaves(&*like)), crate::scalar::here());
        if let Some(initial) = &initial {
            of_the_elements(name, &own, initial, origin);
        }
        let operator = {
            let like = like.clone();
            move |x: &AnyElement, y: &AnyElement| {
                let value = |fields: &AnyElement| like.rebuild(&mut fields.0.clone().into_iter());
                // A loop is written ahead of what uses its value.
                let combined = in_an_element(|| f(value(x), value(y)));
                if !of_the_elements(name, &own, &combined, origin) {
                    return x.clone();
                }
                AnyElement(leaves(&combined))
            }
        };
        let fold = Fold {
            source: self.number,
            operator: Rc::new(operator),
            initial: initial.map(|value| AnyElement(leaves(&value))),
            neutral: None,
        };
        (fold, like)
    }

    /// All elements folded by `f`, with `initial` in front.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EU32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.fold_all(|a, b| a + b, lit(100)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.value()?, 121);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn fold_all<R: Computed<Value = T>>(
        &self,
        f: impl Fn(T, T) -> R + 'static,
        initial: T,
    ) -> Arr<Ix0, T> {
        self.flatten().fold(f, initial)
    }
}

/// Does a fold or scan give, or begin with, what its elements are? If not, that is reported. Where Rust's types say so it is certain.
pub(super) fn of_the_elements<T: Item>(
    name: &str,
    own: &[ScalarType],
    value: &T,
    origin: Origin,
) -> bool {
    let found = types(&leaves(value));
    if found != own && !crate::scalar::failed() {
        let wrong = catalogue::unequal_elements(name, &named_types(own), &named_types(&found));
        crate::scalar::report(wrong.at(origin));
    }
    found == own
}

/// A number of the type.
fn constant<T: Number>(literal: Literal) -> Exp<T> {
    AnyExp::literal(literal).typed().unwrap_or_else(Exp::poison)
}

impl<Sh: HasInner, T: Number> Arr<Sh, Exp<T>> {
    /// The sum of each row, 0 of none: integers wrap.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.sum())?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [6, 15]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn sum(&self) -> Arr<Sh::Outer, Exp<T>> {
        let zero = constant(Literal::zero(T::TYPE));
        self.folded("sum", |x, y| x + y, Some(zero))
    }

    /// The product of each row, 1 of none: integers wrap.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.product())?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [6, 120]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn product(&self) -> Arr<Sh::Outer, Exp<T>> {
        let one = constant(Literal::one(T::TYPE));
        self.folded("product", |x, y| x * y, Some(one))
    }

    /// The smallest element of each row, which must have one. NaNs are left out where there are other elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.min())?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn min(&self) -> Arr<Sh::Outer, Exp<T>> {
        self.folded_from_first("min", |x, y| x.min(y))
    }

    /// The largest element of each row, which must have one. NaNs are left out where there are other elements.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.max())?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn max(&self) -> Arr<Sh::Outer, Exp<T>> {
        self.folded_from_first("max", |x, y| x.max(y))
    }

    /// The place of the smallest element of each row, the first of equal ones; a row must have an element. A NaN is no better than a number.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.arg_min())?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[7, 3, 9, 3])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.value()?, 1);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn arg_min(&self) -> Arr<Sh::Outer, Exp<u32>> {
        self.best("arg_min", BinaryOp::Min, |x, y| y.lt(x))
    }

    /// The place of the largest element of each row, the first of equal ones; a row must have an element. A NaN is no better than a number.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.arg_max())?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[7, 9, 3, 9])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.value()?, 1);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn arg_max(&self) -> Arr<Sh::Outer, Exp<u32>> {
        self.best("arg_max", BinaryOp::Max, |x, y| x.lt(y))
    }

    #[track_caller]
    fn best(
        &self,
        what: &'static str,
        op: BinaryOp,
        is_better: impl Fn(Exp<T>, Exp<T>) -> Exp<bool> + 'static,
    ) -> Arr<Sh::Outer, Exp<u32>> {
        let element = self.element.clone();
        let pairs: Arr<Sh, (Exp<T>, Exp<u32>)> =
            Arr::delayed("indexed", self.extents(), move |index| {
                let place = index.coordinates.last().copied().unwrap_or_else(|| lit(0));
                (element(index), place)
            });
        // The first of equal ones, in whatever order they come.
        let best = move |x: (Exp<T>, Exp<u32>), y: (Exp<T>, Exp<u32>)| {
            let are_numbers = (x.0.eq(x.0), y.0.eq(y.0));
            let is_worse = is_better(y.0, x.0) | (are_numbers.0 & !are_numbers.1);
            let is_better = is_better(x.0, y.0) | (!are_numbers.0 & are_numbers.1);
            let second = is_better | (!is_worse & y.1.lt(x.1));
            (select_exp(second, y.0, x.0), select_exp(second, y.1, x.1))
        };
        pairs.has_elements(what);
        let worst = neutral(op, T::TYPE).and_then(|worst| worst.typed::<T>());
        let neutral = worst.map(|worst| (worst, lit(u32::MAX)));
        let best = pairs.folded_by("fold1", values(best), (None, neutral));
        best.map(|(_, place)| place)
    }
}

impl<Sh: HasInner> Arr<Sh, Exp<bool>> {
    /// Are all elements of each row true? Of none, they are.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.map(|x| x.gt(3)).all())?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [false, true]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn all(&self) -> Arr<Sh::Outer, Exp<bool>> {
        self.folded("all", |x, y| x & y, Some(lit(true)))
    }

    /// Is an element of each row true? Of none, no.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.map(|x| x.eq(2)).any())?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [true, false]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn any(&self) -> Arr<Sh::Outer, Exp<bool>> {
        self.folded("any", |x, y| x | y, Some(lit(false)))
    }
}
