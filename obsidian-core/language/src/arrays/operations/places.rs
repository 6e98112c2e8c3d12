//! Operations that say where an element comes from.

use crate::array::Data;
use crate::arrays::arr::Arr;
use crate::arrays::claims::{claim, same_elements};
use crate::arrays::graph::is_describing;
use crate::arrays::index::Index;
use crate::arrays::item::{Item, leaves};
use crate::arrays::local::{COUNTABLE, assert_here, is_asserted, special};
use crate::arrays::shape::{Extents, HasInner, Ix1, Shape};
use crate::error::{Origin, catalogue};
use crate::ir::Level;
use crate::program::{Action, Thread, Trace, ahead, assign_cell, declare, get_cell, write_ahead};
use crate::scalar::{AnyExp, Exp, Literal, index, lit, select_exp};

/// The array of some extents whose element at an index is that of `arr` at `f` of the index.
///
/// An index that `f` gives and that is outside of `arr` is an error of the run.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| { let n = x.len(); backpermute(n, move |i| n - 1 - i, x) })?;
/// let device = Device::cpu();
/// let x = device.array([4], &[1, 2, 3, 4])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [4, 3, 2, 1]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn backpermute<E: Extents, Sh: Shape, T: Item>(
    extents: E,
    f: impl Fn(<E::Shape as Shape>::Index) -> Sh::Index + 'static,
    arr: Arr<Sh, T>,
) -> Arr<E::Shape, T>
where
    Sh::Index: Extents<Shape = Sh>,
{
    let origin = crate::scalar::here();
    Arr::delayed("backpermute", extents.extents(), move |index| {
        arr.at_from(origin, f(E::Shape::index(&index.coordinates)))
    })
}

/// The elements of `arr` with the numbers that `numbers` has. A number that is outside of `arr` is an error of the run.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |places: Arr1<EU32>, x: Arr1<EU32>| gather(places, x))?;
/// let device = Device::cpu();
/// let places = device.array([3], &[2, 0, 2])?;
/// let x = device.array([3], &[10, 20, 30])?;
/// let result = f.run(&device, (&places, &x))?;
/// assert_eq!(result.to_vec()?, [30, 10, 30]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn gather<Sh: Shape, T: Item>(numbers: Arr<Sh, Exp<u32>>, arr: Arr<Ix1, T>) -> Arr<Sh, T> {
    let origin = crate::scalar::here();
    Arr::delayed("gather", numbers.extents(), move |index| {
        arr.at_from(origin, (numbers.element)(index))
    })
}

/// The elements of `first` and then those of `second`, along the innermost axis; the other axes must have the same extents.
///
/// ```
/// use obsidian_rt::{Device, arrays::*};
/// use obsidian_rt::language::EU32;
///
/// let f = ArrayProgram::build("f", |x: Arr1<EU32>| append(x.clone(), x))?;
/// let device = Device::cpu();
/// let x = device.array([2], &[1, 2])?;
/// let result = f.run(&device, &x)?;
/// assert_eq!(result.to_vec()?, [1, 2, 1, 2]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[track_caller]
pub fn append<Sh: HasInner, T: Item>(first: Arr<Sh, T>, second: Arr<Sh, T>) -> Arr<Sh, T> {
    let (mut extents, others) = (first.extents(), second.extents());
    let places = [Origin::UNKNOWN; 2];
    same_elements("append", first.number, second.number);
    if first.has_axes("append", 1) && extents.len() != others.len() {
        let wrong = catalogue::unequal_ranks([extents.len(), others.len()]);
        crate::scalar::report(wrong.at(crate::scalar::here()));
    }
    let outer = extents.len().saturating_sub(1);
    for (left, right) in extents.iter().zip(&others).take(outer) {
        claim("append", [*left, *right], places, false);
    }
    let both = [extents.last(), others.last()].map(|extent| extent.and_then(|e| e.as_literal()));
    if let [Some(own), Some(other)] = both
        && own.checked_add(other).is_none()
    {
        crate::scalar::report(catalogue::too_many_elements().at(crate::scalar::here()));
    }
    if let (Some(own), Some(other)) = (extents.last(), others.last())
        && !is_describing()
    {
        match is_asserted(&[*own, *other]) {
            true => assert_here(own.le(lit(u32::MAX) - *other), COUNTABLE),
            false => claim(
                "append",
                [lit(u32::MAX), index::whole(*own, *other)],
                places,
                true,
            ),
        }
    }
    let border = extents.get(outer).copied().unwrap_or_else(|| lit(0));
    if let (Some(own), Some(other)) = (extents.last_mut(), others.last()) {
        *own = index::whole(*own, *other);
    }
    Arr::delayed("append", extents, move |index| {
        let at = index.coordinates.last().copied().unwrap_or_else(|| lit(0));
        let before = at.lt(border);
        let mut behind = index.coordinates.clone();
        if let Some(last) = behind.last_mut() {
            *last = index::sub(at, border);
        }
        one_of(
            before,
            || (first.element)(&index.moved(index.coordinates.clone())),
            || (second.element)(&index.moved(behind)),
        )
    })
}

/// One of two elements; only that one is computed.
pub fn one_of<T: Data>(
    condition: Exp<bool>,
    then: impl FnOnce() -> T,
    otherwise: impl FnOnce() -> T,
) -> T {
    match condition.as_literal() {
        Some(true) => return then(),
        Some(false) => return otherwise(),
        None => {}
    }
    of_arms(condition, [Box::new(then), Box::new(otherwise)])
}

// What functions of any type do besides is done by functions of no types: rustc makes them once, and not for each function of the user's.

type Arm<'a, T> = Box<dyn FnOnce() -> T + 'a>;

fn of_arms<T: Data>(condition: Exp<bool>, arms: [Arm<'_, T>; 2]) -> T {
    let [then, otherwise] = arms;
    let (then, first) = arm(then);
    let (otherwise, second) = arm(otherwise);
    if first.is_empty() && second.is_empty() {
        return T::choose(condition, then, otherwise);
    }
    let arms = [(leaves(&then), first), (leaves(&otherwise), second)];
    then.rebuild(&mut chosen(condition, arms).into_iter())
}

/// A value, and what is written to compute it. What it asks of extents is not asked of each run.
fn arm<T>(compute: Arm<'_, T>) -> (T, Vec<Action>) {
    special(true, || ahead(compute))
}

/// The components of one of two values, which it takes something to compute.
fn chosen(condition: Exp<bool>, arms: [(Vec<AnyExp>, Vec<Action>); 2]) -> Vec<AnyExp> {
    let (value, actions) = Trace::apart(Some(Level::Thread), |trace: &mut Trace<Thread>| {
        let zero = |ty| AnyExp::literal(Literal::zero(ty));
        let [(values, _), _] = &arms;
        let cells: Vec<_> = values
            .iter()
            .map(|leaf| (declare(zero(leaf.ty())).run(trace), leaf.ty()))
            .collect();
        let [then, otherwise] = arms.map(|(values, actions)| {
            let level = trace.level();
            let ((), list) = trace.nested(level, |trace: &mut Trace<Thread>| {
                trace.splice(actions);
                for ((cell, _), value) in cells.iter().zip(values) {
                    assign_cell(*cell, value).run(trace);
                }
            });
            list
        });
        trace.push(Action::Cond {
            condition: condition.node(),
            then,
            otherwise,
        });
        let value = |(cell, ty): &(_, _)| get_cell(*cell, *ty).run(trace);
        cells.iter().map(value).collect::<Vec<_>>()
    });
    write_ahead(actions);
    value
}

impl<Sh: HasInner, T: Item> Arr<Sh, T> {
    /// Other elements of the innermost axis, which has another extent.
    #[track_caller]
    fn inner(
        &self,
        operator: &'static str,
        extent: Exp<u32>,
        place: impl Fn(Exp<u32>, Exp<u32>) -> Exp<u32> + 'static,
    ) -> Self {
        self.has_axes(operator, 1);
        let mut extents = self.extents();
        let own = extents.last().copied().unwrap_or_else(|| lit(0));
        if let Some(last) = extents.last_mut() {
            *last = extent;
        }
        let element = self.element.clone();
        Arr::delayed(operator, extents, move |index: &Index| {
            let mut coordinates = index.coordinates.clone();
            if let Some(last) = coordinates.last_mut() {
                *last = place(*last, own);
            }
            element(&index.moved(coordinates))
        })
    }

    /// Asks for a number of elements of the innermost axis; without an axis that is another mistake.
    #[track_caller]
    fn has_at_least(&self, n: Exp<u32>, operator: &'static str) {
        if let Some(extent) = self.extents().last() {
            claim(operator, [*extent, n], self.places(), true);
        }
    }

    /// The extent of the innermost axis without `n` of its elements. Of an array that a function of elements makes, whose loops go on behind an
    /// assertion that does not hold, it is 0 where there are not as many.
    fn without(&self, n: Exp<u32>) -> Exp<u32> {
        let (own, left) = (self.innermost(), index::sub(self.innermost(), n));
        match is_asserted(&[own, n]) {
            true => select_exp(own.ge(n), left, lit(0)),
            false => left,
        }
    }

    fn innermost(&self) -> Exp<u32> {
        self.extents().last().copied().unwrap_or_else(|| lit(0))
    }

    /// The first `n` elements of the innermost axis; there must be as many.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.take(2))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn take(&self, n: impl Into<Exp<u32>>) -> Self {
        let n = n.into();
        self.has_at_least(n, "take");
        self.inner("take", n, |i, _| i)
    }

    /// The innermost axis without its first `n` elements; there must be as many.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.drop(3))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn drop(&self, n: impl Into<Exp<u32>>) -> Self {
        let n = n.into();
        self.has_at_least(n, "drop");
        self.inner("drop", self.without(n), move |i, _| index::add(i, n))
    }

    /// The innermost axis without its last element; there must be one.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.init())?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn init(&self) -> Self {
        self.has_at_least(lit(1), "init");
        self.inner("init", self.without(lit(1)), |i, _| i)
    }

    /// The innermost axis without its first element; there must be one.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.tail())?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn tail(&self) -> Self {
        self.has_at_least(lit(1), "tail");
        self.inner("tail", self.without(lit(1)), |i, _| index::add(i, 1))
    }

    /// The innermost axis from its last element to its first.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr2<EU32>| x.reverse())?;
    /// let device = Device::cpu();
    /// let x = device.array([2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 2, 1, 6, 5, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn reverse(&self) -> Self {
        self.inner("reverse", self.innermost(), |i, n| {
            index::sub(index::sub(n, 1), i)
        })
    }

    /// The innermost axis turned by `by` places: element `i` is element `(i + by) % n`.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.rotate(1))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [2, 3, 4, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn rotate(&self, by: impl Into<Exp<u32>>) -> Self {
        let by = by.into();
        self.inner("rotate", self.innermost(), move |i, n| {
            // Below n and below n, so that the sum is compared, and not taken modulo n.
            let by = index::rem(by, n);
            let left = index::sub(n, by);
            select_exp(i.lt(left), index::add(i, by), index::sub(i, left))
        })
    }

    fn places(&self) -> [Origin; 2] {
        let place =
            super::super::graph::graph(|graph| graph.node(self.number).map(|node| node.origin));
        [place.flatten().unwrap_or_default(); 2]
    }
}
