//! Operations that change the axes.

use crate::arrays::arr::{Arr, product};
use crate::arrays::claims::{claim, countable};
use crate::arrays::index::Index;
use crate::arrays::item::Item;
use crate::arrays::local::{assert_here, is_asserted};
use crate::arrays::shape::{Extents, HasInner, HasOuter, Ix1, Ix2, Shape};
use crate::error::{Origin, catalogue};
use crate::scalar::Exp;

impl<Sh: Shape, T: Item> Arr<Sh, T> {
    /// The same elements, in the same order, with other extents; there must be as many.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.reshape((2, 2)).sum())?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn reshape<E: Extents>(&self, extents: E) -> Arr<E::Shape, T> {
        let (to, from) = (extents.extents(), self.extents());
        countable("reshape", &from, true);
        countable("reshape", &to, true);
        let sizes = [product(&from), product(&to)];
        claim("reshape", sizes, [Origin::UNKNOWN; 2], false);
        let element = self.element.clone();
        let own = to.clone();
        Arr::delayed("reshape", to, move |index| {
            element(&index.reshaped(&own, &from))
        })
    }

    /// The elements as a vector.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.flatten().reverse())?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [6, 5, 4, 3, 2, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn flatten(&self) -> Arr<Ix1, T> {
        let from = self.extents();
        countable("flatten", &from, true);
        let own = vec![product(&from)];
        let element = self.element.clone();
        Arr::delayed("flatten", own.clone(), move |index| {
            element(&index.reshaped(&own, &from))
        })
    }
}

impl<Sh: HasOuter, T: Item> Arr<Sh, T> {
    /// The array `n` times, along a new outermost axis.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.replicate(2))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[1, 2])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.extents(), [2, 2]);
    /// assert_eq!(result.to_vec()?, [1, 2, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn replicate(&self, n: impl Into<Exp<u32>>) -> Arr<Sh::Deeper, T> {
        let mut extents = vec![n.into()];
        extents.extend(self.extents());
        let element = self.element.clone();
        Arr::delayed("replicate", extents, move |index: &Index| {
            let inner = index.coordinates.get(1..).unwrap_or_default();
            element(&index.moved(inner.to_vec()))
        })
    }

    /// Each element `n` times, along a new innermost axis.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.replicate_inner(2))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[1, 2])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.extents(), [2, 2]);
    /// assert_eq!(result.to_vec()?, [1, 1, 2, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn replicate_inner(&self, n: impl Into<Exp<u32>>) -> Arr<Sh::Deeper, T> {
        let mut extents = self.extents();
        let outer = extents.len();
        extents.push(n.into());
        let element = self.element.clone();
        Arr::delayed("replicate_inner", extents, move |index: &Index| {
            let outer = index.coordinates.get(..outer).unwrap_or_default();
            element(&index.moved(outer.to_vec()))
        })
    }
}

impl<Sh: HasInner, T: Item> Arr<Sh, T> {
    /// The part with number `i` of the outermost axis: of a matrix, a row. An `i` that is outside is an error of the run.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.slice_outer(1))?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4, 5, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn slice_outer(&self, i: impl Into<Exp<u32>>) -> Arr<Sh::Outer, T> {
        self.slice("slice_outer", 0, i.into())
    }

    /// The part with number `i` of the innermost axis: of a matrix, a column. An `i` that is outside is an error of the run.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.slice_inner(1))?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn slice_inner(&self, i: impl Into<Exp<u32>>) -> Arr<Sh::Outer, T> {
        let axis = self.extents().len().saturating_sub(1);
        self.slice("slice_inner", axis, i.into())
    }

    /// The array with axis `k` as its innermost one; the others keep their order. Axes are counted from the outermost, which is 0.
    ///
    /// What works on rows works on other axes by it: for a matrix of `h` rows of `w` elements, `m.axis(0).sum()` has the `w` sums of the columns;
    /// for an array of shape `(d, h, w)`, `a.axis(1).max()` has shape `(d, w)`. Nothing is copied: neighbours of the new rows lie as far apart as before.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.axis(0).sum())?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [5, 7, 9]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn axis(&self, k: usize) -> Self {
        let mut extents = self.extents();
        if k >= extents.len() {
            let wrong = catalogue::no_such_axis(k, extents.len());
            crate::scalar::report(wrong.at(crate::scalar::here()));
            return self.clone();
        }
        let own = extents.remove(k);
        extents.push(own);
        let element = self.element.clone();
        Arr::delayed("axis", extents, move |index: &Index| {
            let mut coordinates = index.coordinates.clone();
            let own = coordinates.pop();
            let k = k.min(coordinates.len());
            own.into_iter().for_each(|own| coordinates.insert(k, own));
            element(&index.moved(coordinates))
        })
    }

    /// What `f` makes of the array with axis `k` as its innermost one, put back: so [`take`](Arr::take), [`reverse`](Arr::reverse), scans and
    /// [`append`](super::append) work along any axis. `f` may give that axis another extent. Nothing is copied for it.
    ///
    /// A fold, which takes the axis away, is one of [`axis(k)`](Arr::axis).
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.along(0, |x| x.drop(1)))?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.extents(), [1, 3]);
    /// assert_eq!(result.to_vec()?, [4, 5, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn along<R: Item>(&self, k: usize, f: impl FnOnce(Self) -> Arr<Sh, R>) -> Arr<Sh, R> {
        let rank = self.rank();
        if k + 1 == rank {
            return f(self.clone());
        }
        let made = f(self.axis(k));
        if k >= rank {
            return made;
        }
        if made.rank() != rank {
            let wrong = catalogue::unequal_ranks([made.rank(), rank]);
            crate::scalar::report(wrong.at(crate::scalar::here()));
            return made;
        }
        let mut extents = made.extents();
        let own = extents.pop();
        own.into_iter().for_each(|own| extents.insert(k, own));
        Arr::delayed("along", extents, move |index: &Index| {
            let mut coordinates = index.coordinates.clone();
            if k < coordinates.len() {
                let own = coordinates.remove(k);
                coordinates.push(own);
            }
            (made.element)(&index.moved(coordinates))
        })
    }

    /// The axes in another order: axis `k` of the result is axis `order[k]` of the array. Axes are counted from the outermost, which is 0.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr3<EU32>| x.transpose_axes(&[2, 0, 1]))?;
    /// let device = Device::cpu();
    /// let x = device.array([1, 2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.extents(), [3, 1, 2]);
    /// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn transpose_axes(&self, order: &[usize]) -> Self {
        let own = self.extents();
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..own.len()) {
            let wrong = catalogue::no_order_of_axes(order, own.len());
            crate::scalar::report(wrong.at(crate::scalar::here()));
            return self.clone();
        }
        let extents = order.iter().filter_map(|axis| own.get(*axis).copied());
        let (element, order) = (self.element.clone(), order.to_vec());
        Arr::delayed("transpose_axes", extents.collect(), move |index: &Index| {
            let mut coordinates = index.coordinates.clone();
            for (axis, coordinate) in order.iter().zip(&index.coordinates) {
                if let Some(place) = coordinates.get_mut(*axis) {
                    *place = *coordinate;
                }
            }
            element(&index.moved(coordinates))
        })
    }

    #[track_caller]
    fn slice(&self, operator: &'static str, axis: usize, i: Exp<u32>) -> Arr<Sh::Outer, T> {
        let mut extents = self.extents();
        if self.has_axes(operator, 1) {
            let places = [Origin::UNKNOWN; 2];
            let extent = extents.remove(axis);
            if is_asserted(&[i, extent]) {
                let text = format!("an array of an element is long enough for `{operator}`");
                assert_here(i.lt(extent), &text);
            } else {
                let next = crate::scalar::index::add(i, 1);
                claim(operator, [extent, next], places, true);
            }
        }
        let element = self.element.clone();
        Arr::delayed(operator, extents, move |index: &Index| {
            let mut coordinates = index.coordinates.clone();
            coordinates.insert(axis.min(coordinates.len()), i);
            element(&index.moved(coordinates))
        })
    }
}

impl<T: Item> Arr<Ix2, T> {
    /// Rows as columns.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.transpose())?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn transpose(&self) -> Self {
        let mut extents = self.extents();
        extents.reverse();
        let element = self.element.clone();
        Arr::delayed("transpose", extents, move |index: &Index| {
            let mut coordinates = index.coordinates.clone();
            coordinates.reverse();
            element(&index.moved(coordinates))
        })
    }

    /// The row with number `y`. A `y` that is outside is an error of the run.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.row(1))?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4, 5, 6]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn row(&self, y: impl Into<Exp<u32>>) -> Arr<Ix1, T> {
        self.slice("row", 0, y.into())
    }

    /// The column with number `x`. An `x` that is outside is an error of the run.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.column(1))?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 5]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn column(&self, x: impl Into<Exp<u32>>) -> Arr<Ix1, T> {
        self.slice("column", 1, x.into())
    }
}
