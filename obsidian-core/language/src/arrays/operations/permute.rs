//! Operations whose elements say where they go.

use std::rc::Rc;

use crate::arrays::arr::{Arr, all_same};
use crate::arrays::claims::same_elements;
use crate::arrays::graph::{Kind, Permuted, add};
use crate::arrays::index::Index;
use crate::arrays::lifted::{axes_of, cannot_lift, open, whole_place};
use crate::arrays::operations::in_order::values;
use crate::arrays::operations::one_of;
use crate::arrays::operator::atomics;
use crate::arrays::shape::{Ix1, Shape};
use crate::arrays::{
    any::AnyElement,
    item::{Computed, Item, leaves, types},
};
use crate::error::{Origin, catalogue};
use crate::ir::AtomicOp;
use crate::program::{Thread, pure};
use crate::scalar::{Exp, index, lit, select_exp};

/// Elements that say whether they go anywhere, and the number of their place.
type Placed<Sh, T> = Arr<Sh, (Exp<bool>, (Exp<u32>, T))>;

impl<Sh: Shape, T: Item> Arr<Sh, T> {
    /// The array `defaults` with the elements of this one combined into it: for element `x` at index `i`, `place(i, x)` gives a condition and a
    /// place. Where the condition is true, `f` combines what is at the place with `x`.
    ///
    /// Elements with one place are combined in their order, behind that of `defaults`. `f` must be associative, for floats up to rounding; it need not
    /// be commutative. Sums and bitwise functions of whole numbers of 32 and 64 bits, and their `min` and `max`, are done by atomic operations;
    /// for all others the elements are sorted by their places first, which takes up to 11 operators. Either way all devices give the same bits. A
    /// place that is outside is an error of the run.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EU32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
    ///     x.permute(|a, b| a + b, fill(3, lit(0)), |_, x| (lit(true), x % 3))
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.array([5], &[1, 2, 3, 4, 5])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 5, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn permute<To: Shape, R: Computed<Value = T>>(
        &self,
        f: impl Fn(T, T) -> R + 'static,
        defaults: Arr<To, T>,
        place: impl Fn(Sh::Index, T) -> (Exp<bool>, To::Index) + 'static,
    ) -> Arr<To, T> {
        let origin = crate::scalar::here();
        same_elements("permute", self.number, defaults.number);
        let (element, to) = (self.element.clone(), defaults.extents());
        let placed = Placed::<Sh, T>::delayed("permute", self.extents(), move |index| {
            let x = element(index);
            let (is_there, place) = place(Sh::index(&index.coordinates), x.clone());
            let coordinates = To::coordinates(&place);
            if coordinates.len() != to.len() {
                let wrong = catalogue::index_of_another_rank(coordinates.len(), to.len());
                crate::scalar::report(wrong.at(origin));
            }
            (is_there, (number(&coordinates, &to), x))
        });
        let (fold, like) = self.flatten().combined("permute", values(f), None);
        if let Some(operations) = atomics(&fold.operator, &types(&leaves(&self.like()))) {
            return placed.changing("permute", operations, &defaults, origin);
        }
        cannot_lift("permute", &axes_of(placed.number));
        let combine = move |x: T, y: T| {
            let both = (fold.operator)(&AnyElement(leaves(&x)), &AnyElement(leaves(&y)));
            like.rebuild(&mut both.0.into_iter())
        };
        placed.flatten().sorted_into(combine, &defaults, origin)
    }

    /// The array `defaults` with each element of this one at the place that `places` has for it: of several elements with one place, the last one.
    ///
    /// A place that is outside is an error of the run.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EU32, lit};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>, places: Arr1<EU32>| x.scatter(places, fill(4, lit(0))))?;
    /// let device = Device::cpu();
    /// let x = device.array([2], &[7, 8])?;
    /// let places = device.array([2], &[3, 0])?;
    /// let result = f.run(&device, (&x, &places))?;
    /// assert_eq!(result.to_vec()?, [8, 0, 0, 7]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn scatter(&self, places: Arr<Sh, Exp<u32>>, defaults: Arr<Ix1, T>) -> Arr<Ix1, T> {
        all_same("scatter", &[places.sized(), self.sized()]);
        same_elements("scatter", self.number, defaults.number);
        let all = self.flatten();
        let place = places.flatten().element;
        let numbered = Placed::<Ix1, Exp<u32>>::delayed("scatter", all.extents(), move |index| {
            (lit(true), (place(index), numbered(index)))
        });
        let last = numbered.last_of_each("scatter", &defaults, crate::scalar::here());
        chosen("scatter", &last, &all, &defaults, |_, x| x)
    }
}

/// The number of an element of a vector, from 1.
fn numbered(index: &Index) -> Exp<u32> {
    index::add(index.coordinates[0], 1)
}

/// The number of an element in an array of some extents, for an index that may be outside: then one that no array has.
fn number(coordinates: &[Exp<u32>], extents: &[Exp<u32>]) -> Exp<u32> {
    if let [at] = coordinates {
        return *at;
    }
    let (mut is_inside, mut number) = (lit(true), lit(0u32));
    for (at, extent) in coordinates.iter().zip(extents) {
        is_inside &= at.lt(*extent);
        number = index::add(index::mul(number, *extent), *at);
    }
    select_exp(is_inside, number, lit(u32::MAX))
}

/// For each place the element of `elements` whose number, from 1, `numbers` has there, behind that of `defaults`; that of `defaults` for 0.
#[track_caller]
fn chosen<T: Item, To: Shape>(
    name: &'static str,
    numbers: &Arr<To, Exp<u32>>,
    elements: &Arr<Ix1, T>,
    defaults: &Arr<To, T>,
    both: impl Fn(T, T) -> T + 'static,
) -> Arr<To, T> {
    let (number, default) = (numbers.element.clone(), defaults.element.clone());
    let element = elements.element.clone();
    Arr::delayed(name, numbers.extents(), move |index| {
        let number = number(index);
        let own = index.moved(vec![index::sub(number.max(1u32), 1)]);
        one_of(
            number.eq(0u32),
            || default(index),
            || both(default(index), element(&own)),
        )
    })
}

impl<Sh: Shape, T: Item> Placed<Sh, T> {
    /// The array `defaults`, changed by atomic operations.
    #[track_caller]
    fn changing<To: Shape>(
        &self,
        name: &'static str,
        operations: Vec<AtomicOp>,
        defaults: &Arr<To, T>,
        origin: Origin,
    ) -> Arr<To, T> {
        let is_lifted = [self.number, defaults.number].map(|own| !axes_of(own).is_empty());
        let (placed, changed) = match is_lifted {
            [false, false] => (self.clone(), defaults.compute()),
            _ => (
                self.in_whole(name, defaults),
                defaults.with_open_axes().compute(),
            ),
        };
        let kind = Kind::Permute(Rc::new(Permuted {
            source: placed.number,
            counts: false,
            changed: changed.number,
            operations,
            origin,
        }));
        let like = defaults.like();
        Arr::of(add(name, defaults.extents(), kind, move |_| like.clone()))
    }
}

impl<Sh: Shape, T: Item> Placed<Sh, T> {
    /// The same with places in an array that has all open axes in front of those of `defaults`.
    #[track_caller]
    fn in_whole<To: Shape>(&self, name: &'static str, defaults: &Arr<To, T>) -> Self {
        let (element, axes, length) = (self.element.clone(), open(), defaults.len());
        Placed::delayed(name, self.extents(), move |index| {
            let (is_there, (place, x)) = element(index);
            (is_there, (whole_place(&axes, place, length), x))
        })
    }
}

impl<Sh: Shape> Placed<Sh, Exp<u32>> {
    /// For each place of `defaults` the largest of the numbers that go there, or 0.
    #[track_caller]
    fn last_of_each<To: Shape, T: Item>(
        &self,
        name: &'static str,
        defaults: &Arr<To, T>,
        origin: Origin,
    ) -> Arr<To, Exp<u32>> {
        let none = Arr::<To, Exp<u32>>::delayed(name, defaults.extents(), |_| lit(0u32));
        self.changing(name, vec![AtomicOp::Max], &none, origin)
    }
}

impl<T: Item> Placed<Ix1, T> {
    /// The array `defaults` with the elements combined into it, after they have been sorted by their places.
    #[track_caller]
    fn sorted_into<To: Shape>(
        &self,
        f: impl Fn(T, T) -> T + 'static,
        defaults: &Arr<To, T>,
        origin: Origin,
    ) -> Arr<To, T> {
        // Elements without a place have one behind all others.
        let places = defaults.len();
        let most = places.as_literal().unwrap_or(u32::MAX);
        let bits = u32::BITS - most.leading_zeros();
        let behind = 1u32.checked_shl(bits).map_or(u32::MAX, |end| end - 1);
        // One that has this place is outside, and is told from those without.
        let outside = if bits < u32::BITS {
            u32::MAX
        } else {
            u32::MAX - 1
        };
        let keyed = self.map(move |(is_there, (place, x))| {
            let own = select_exp(place.eq(behind) & place.ge(places), lit(outside), place);
            (select_exp(is_there, own, lit(behind)), x)
        });
        let sorted = keyed.sort_by_bits(bits, |(place, _)| place);
        let (f, length) = (Rc::new(f), sorted.len());
        let key_at = {
            let element = sorted.element.clone();
            move |index: &Index, at: Exp<u32>| element(&index.moved(vec![at])).0
        };
        let (before, next) = (key_at.clone(), key_at);
        let begins = Arr::<Ix1, Exp<bool>>::delayed("permute", vec![length], move |index| {
            let i = index.coordinates[0];
            i.eq(0u32) | before(index, i).ne(before(index, index::sub(i.max(1u32), 1)))
        });
        let element = sorted.element.clone();
        let values = Arr::<Ix1, T>::delayed("permute", vec![length], move |index| element(index).1);
        let combine = f.clone();
        let combined =
            values.segmented_inclusive_scan(begins, move |x, y| pure::<Thread, T>(combine(x, y)));
        let element = sorted.element.clone();
        let ends = Placed::<Ix1, Exp<u32>>::delayed("permute", vec![length], move |index| {
            let i = index.coordinates[0];
            let place = element(index).0;
            let is_there = place.ne(behind);
            let last = index::sub(length.max(1u32), 1);
            let next = next(index, index::add(i, 1).min(last));
            let is_last = i.eq(last) | place.ne(next);
            // Those that are outside are an error each, whatever is behind them.
            let is_outside = place.ge(places);
            (is_there & (is_last | is_outside), (place, numbered(index)))
        });
        let last = ends.last_of_each("permute", defaults, origin);
        chosen("permute", &last, &combined, defaults, move |x, y| f(x, y))
    }
}
