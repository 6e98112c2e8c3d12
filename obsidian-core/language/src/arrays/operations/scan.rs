//! Scans of the rows of an array.

use std::rc::Rc;

use crate::arrays::arr::{Arr, all_same};
use crate::arrays::graph::{Kind, Order, add, is_describing};
use crate::arrays::item::{Computed, Item, run_ahead};
use crate::arrays::operations::in_order::{Combine, checked, held, values};
use crate::arrays::operations::one_of;
use crate::arrays::shape::{HasInner, Ix1};
use crate::library::seq_iterate;
use crate::scalar::{Exp, here, index, lit, select_exp};

impl<Sh: HasInner, T: Item> Arr<Sh, T> {
    /// For each element what `f` makes of those of its row up to it, itself included.
    ///
    /// `f` must be associative, for floats up to rounding; it need not be commutative. In which order elements are combined depends on
    /// the extents alone, so that all devices give the same bits. As that of [`fold`](Arr::fold), `f` may divide, assert, run a loop and read arrays.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.inclusive_scan(|a, b| a + b))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 3, 6, 10]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn inclusive_scan<R: Computed<Value = T>>(&self, f: impl Fn(T, T) -> R + 'static) -> Self {
        self.scanned("inclusive_scan", f, None, false)
    }

    /// For each element what `f` makes of `initial` and those of its row in front of it: `initial` for the first one.
    ///
    /// `f` is as that of [`inclusive_scan`](Arr::inclusive_scan); `initial` need not be neutral.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EU32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.exclusive_scan(|a, b| a + b, lit(0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [0, 1, 3, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn exclusive_scan<R: Computed<Value = T>>(
        &self,
        f: impl Fn(T, T) -> R + 'static,
        initial: T,
    ) -> Self {
        self.scanned("exclusive_scan", f, Some(initial), false)
    }

    /// For each element what `f` makes of those of its row from it on, itself included; the earlier element is the first argument of `f`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.inclusive_scan_right(|a, b| a + b))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [10, 9, 7, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn inclusive_scan_right<R: Computed<Value = T>>(
        &self,
        f: impl Fn(T, T) -> R + 'static,
    ) -> Self {
        let f = move |x, y| f(y, x);
        self.scanned("inclusive_scan_right", f, None, true)
    }

    /// For each element what `f` makes of those of its row behind it and `initial`: `initial` for the last one. The earlier element is the
    /// first argument of `f`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EU32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.exclusive_scan_right(|a, b| a + b, lit(0)))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [9, 7, 4, 0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn exclusive_scan_right<R: Computed<Value = T>>(
        &self,
        f: impl Fn(T, T) -> R + 'static,
        initial: T,
    ) -> Self {
        let f = move |x, y| f(y, x);
        self.scanned("exclusive_scan_right", f, Some(initial), true)
    }

    /// The [`exclusive_scan`](Arr::exclusive_scan), and for each row what `f` makes of `initial` and all its elements: `initial` if it has none.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EU32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
    ///     { let (sums, total) = x.exclusive_scan_with_total(|a, b| a + b, lit(0)); sums.map(move |sum| total.the() - sum) }
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [10, 9, 7, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn exclusive_scan_with_total<R: Computed<Value = T>>(
        &self,
        f: impl Fn(T, T) -> R + 'static,
        initial: T,
    ) -> (Self, Arr<Sh::Outer, T>) {
        if !is_describing() {
            let f = checked("exclusive_scan_with_total", f, &initial);
            let total = self.folded_in_order("total", false, f.clone(), initial.clone());
            let scan = self.scanned_here("exclusive_scan", f, initial, [false, false]);
            return (scan, total);
        }
        let scan = self.exclusive_scan(f, initial);
        let mut outer = scan.extents();
        outer.pop();
        let like = scan.like();
        let kind = Kind::Total(scan.number);
        let total = Arr::of(add("total", outer, kind, move |_| like.clone()));
        (scan, total)
    }

    /// The scan, exclusive if there is an initial element.
    #[track_caller]
    fn scanned<R: Computed<Value = T>>(
        &self,
        name: &'static str,
        f: impl Fn(T, T) -> R + 'static,
        initial: Option<T>,
        backwards: bool,
    ) -> Self {
        self.scanned_by(name, values(f), initial, backwards)
    }

    #[track_caller]
    fn scanned_by(
        &self,
        name: &'static str,
        f: Combine<T, T>,
        initial: Option<T>,
        backwards: bool,
    ) -> Self {
        self.has_axes(name, 1);
        if !is_describing() {
            return match initial {
                Some(initial) => {
                    let f = held(name, f, &initial);
                    self.scanned_here(name, f, initial, [false, backwards])
                }
                None => self.scanned_from_the_first(name, f, backwards),
            };
        }
        let order = Order::of(&self.types(), initial.is_none(), backwards);
        let (fold, like) = self.combined(name, f, initial);
        let kind = Kind::Scan(Rc::new(fold), order);
        Arr::of(add(name, self.extents(), kind, move |_| (*like).clone()))
    }
}

impl<Sh: HasInner, T: Item> Arr<Sh, T> {
    /// The [`inclusive_scan`](Arr::inclusive_scan) of the segments of each row. A segment begins at the first element of a row, and at each element
    /// whose flag is true.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EBool, EU32};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>, flags: Arr1<EBool>| {
    ///     x.segmented_inclusive_scan(flags, |a, b| a + b)
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let flags = device.array([4], &[false, false, true, false])?;
    /// let result = f.run(&device, (&x, &flags))?;
    /// assert_eq!(result.to_vec()?, [1, 3, 3, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn segmented_inclusive_scan<R: Computed<Value = T>>(
        &self,
        flags: Arr<Sh, Exp<bool>>,
        f: impl Fn(T, T) -> R + 'static,
    ) -> Self {
        let pairs = self.flagged("segmented_inclusive_scan", &flags);
        let scanned = pairs.inclusive_scan(by_segments(f)).element;
        Arr::delayed("segmented_inclusive_scan", self.extents(), move |index| {
            scanned(index).1
        })
    }

    /// The [`exclusive_scan`](Arr::exclusive_scan) of the segments of each row, each behind `initial`. A segment begins at the first element of a row,
    /// and at each element whose flag is true.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EBool, EU32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>, flags: Arr1<EBool>| {
    ///     x.segmented_exclusive_scan(flags, |a, b| a + b, lit(0))
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let flags = device.array([4], &[false, false, true, false])?;
    /// let result = f.run(&device, (&x, &flags))?;
    /// assert_eq!(result.to_vec()?, [0, 1, 0, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn segmented_exclusive_scan<R: Computed<Value = T>>(
        &self,
        flags: Arr<Sh, Exp<bool>>,
        f: impl Fn(T, T) -> R + 'static,
        initial: T,
    ) -> Self {
        let f = Rc::new(f);
        let pairs = self.flagged("segmented_exclusive_scan", &flags);
        let before = (lit(false), initial.clone());
        let scanned = pairs.exclusive_scan(by_segments(applied(f.clone())), before);
        let (flags, before) = (flags.element.clone(), scanned.element);
        let extents = self.extents();
        Arr::delayed("segmented_exclusive_scan", extents, move |index| {
            // Only the first segment has `initial` in front of its elements.
            let (is_later, x) = before(index);
            let first = initial.clone();
            one_of(
                flags(index),
                || initial.clone(),
                || one_of(is_later, || f(first, x.clone()).value(), || x.clone()),
            )
        })
    }

    #[track_caller]
    fn flagged(&self, name: &'static str, flags: &Arr<Sh, Exp<bool>>) -> Arr<Sh, (Exp<bool>, T)> {
        all_same(name, &[flags.sized(), self.sized()]);
        let (flags, element) = (flags.element.clone(), self.element.clone());
        Arr::delayed(name, self.extents(), move |index| {
            (flags(index), element(index))
        })
    }
}

impl<T: Item> Arr<Ix1, T> {
    /// The elements of each segment folded by `f`, with `initial` in front of them. Segment `s` has the elements from number `offsets[s]` to the one in front of
    /// number `offsets[s + 1]`, so that there is one segment fewer than offsets. A segment whose end is not above its start has no elements, and gives `initial`.
    ///
    /// A thread folds each segment from the left: one operator, which reads each element once, and takes as long as the longest segments. For a few long
    /// segments, scan by flags ([`segmented_inclusive_scan`](Arr::segmented_inclusive_scan)).
    ///
    /// An element outside is an error of the run.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EU32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>, offsets: Arr1<EU32>| {
    ///     x.segmented_fold(offsets, |a, b| a + b, lit(0))
    /// })?;
    /// let device = Device::cpu();
    /// let (x, offsets) = (device.array([4], &[1, 2, 3, 4])?, device.array([4], &[0, 3, 3, 4])?);
    /// let result = f.run(&device, (&x, &offsets))?;
    /// assert_eq!(result.to_vec()?, [6, 0, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[doc(alias = "foldSeg")]
    #[doc(alias = "DeviceSegmentedReduce")]
    #[track_caller]
    pub fn segmented_fold<R: Computed<Value = T>>(
        &self,
        offsets: Arr<Ix1, Exp<u32>>,
        f: impl Fn(T, T) -> R + 'static,
        initial: T,
    ) -> Self {
        let (f, origin, elements) = (Rc::new(f), here(), self.clone());
        let all = offsets.len();
        let segments = index::sub(all, all.min(1u32));
        Arr::delayed("segmented_fold", vec![segments], move |index| {
            let s = index.coordinates[0];
            let offset = |s| (offsets.element)(&index.moved(vec![s]));
            let (start, end) = (offset(s), offset(index::add(s, 1)));
            let (f, elements) = (f.clone(), elements.clone());
            run_ahead(&seq_iterate(
                select_exp(start.lt(end), end - start, lit(0)),
                move |k, x| f(x, elements.at_from(origin, start + k)).value(),
                initial.clone(),
            ))
        })
    }
}

/// Combines elements with flags that say whether a segment has begun.
fn by_segments<T: Item, R: Computed<Value = T>>(
    f: impl Fn(T, T) -> R + 'static,
) -> impl Fn((Exp<bool>, T), (Exp<bool>, T)) -> (Exp<bool>, T) + 'static {
    move |(begun, x), (begins, y)| {
        let second = y.clone();
        let both = one_of(begins, || second, || f(x, y).value());
        (begun | begins, both)
    }
}

/// A shared function.
fn applied<T: 'static, R: 'static>(
    f: Rc<impl Fn(T, T) -> R + 'static>,
) -> impl Fn(T, T) -> R + 'static {
    move |x, y| f(x, y)
}
