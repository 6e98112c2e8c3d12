//! Operations whose result has as many elements as only a run knows.

use crate::arrays::arr::{Arr, all_same};
use crate::arrays::graph::{Kind, add, is_describing, read_number};
use crate::arrays::item::Item;
use crate::arrays::shape::{Ix1, Shape};
use crate::scalar::{Exp, lit, select_exp};

impl<Sh: Shape, T: Item> Arr<Sh, T> {
    /// The elements of which `p` holds, in order.
    ///
    /// How many there are is known only while the program runs: it waits there until the elements have been counted.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.filter(|x| x.gt(2)))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn filter(&self, p: impl Fn(T) -> Exp<bool> + 'static) -> Arr<Ix1, T> {
        let all = self.flatten();
        let element = all.element.clone();
        let flags = Arr::delayed("filter", all.extents(), move |index| p(element(index)));
        all.kept("filter", &flags)
    }

    /// The elements whose flag is true, in order. See [`filter`](Arr::filter).
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::{EBool, EU32};
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>, flags: Arr1<EBool>| x.compact(flags))?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let flags = device.array([4], &[true, false, false, true])?;
    /// let result = f.run(&device, (&x, &flags))?;
    /// assert_eq!(result.to_vec()?, [1, 4]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn compact(&self, flags: Arr<Sh, Exp<bool>>) -> Arr<Ix1, T> {
        all_same("compact", &[flags.sized(), self.sized()]);
        self.flatten().kept("compact", &flags.flatten())
    }

    /// The elements of which `p` holds, and those of which it does not, both in order. See [`filter`](Arr::filter).
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| {
    ///     { let (small, large) = x.partition(|x| x.lt(3)); append(large, small) }
    /// })?;
    /// let device = Device::cpu();
    /// let x = device.array([4], &[1, 2, 3, 4])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [3, 4, 1, 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn partition(&self, p: impl Fn(T) -> Exp<bool> + 'static) -> (Arr<Ix1, T>, Arr<Ix1, T>) {
        let p = std::rc::Rc::new(p);
        let others = p.clone();
        (self.filter(move |x| p(x)), self.filter(move |x| !others(x)))
    }
}

impl<T: Item> Arr<Ix1, T> {
    /// The elements that have a flag.
    #[track_caller]
    fn kept(&self, name: &'static str, flags: &Arr<Ix1, Exp<bool>>) -> Self {
        if !is_describing() {
            return self.kept_here(name, flags);
        }
        let is_kept = flags.element.clone();
        let ones = Arr::<Ix1, Exp<u32>>::delayed(name, self.extents(), move |index| {
            select_exp(is_kept(index), lit(1), lit(0))
        });
        let (places, total) = ones.exclusive_scan_with_total(|x, y| x + y, lit(0));
        let (is_kept, place) = (flags.element.clone(), places.element);
        let element = self.element.clone();
        let source =
            Arr::<Ix1, (Exp<bool>, (Exp<u32>, T))>::delayed(name, self.extents(), move |index| {
                (is_kept(index), (place(index), element(index)))
            });
        let (like, length) = (self.like(), read_number(name, total.number));
        let kind = Kind::Scatter {
            source: source.number,
            order: None,
        };
        Arr::of(add(name, vec![length], kind, move |_| like.clone()))
    }

    /// The same of arrays that a function of elements makes: the number of elements is counted, and each element looked for.
    #[track_caller]
    fn kept_here(&self, name: &'static str, flags: &Arr<Ix1, Exp<bool>>) -> Self {
        let count = |flag: Exp<bool>| select_exp(flag, lit(1), lit(0));
        let counted = flags.fold_in_order(move |n, flag| n + count(flag), lit(0u32));
        let (length, element, flags) = (counted.the(), self.element.clone(), flags.indexed());
        Arr::delayed(name, vec![length], move |index| {
            let own = index.coordinates.first().copied().unwrap_or_else(|| lit(0));
            let found = flags.fold_in_order(
                move |(n, found): (Exp<u32>, Exp<u32>), (i, flag)| {
                    let is_it = flag & n.eq(own);
                    (n + count(flag), select_exp(is_it, i, found))
                },
                (lit(0), lit(0)),
            );
            element(&index.moved(vec![found.the().1]))
        })
    }

    /// The elements without those that are equal to the one in front of them: of a sorted array, each element once. `same(x, y)` says whether
    /// neighbours are equal.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.unique(|a, b| a.eq(b)))?;
    /// let device = Device::cpu();
    /// let x = device.array([5], &[1, 1, 2, 3, 3])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn unique(&self, same: impl Fn(T, T) -> Exp<bool> + 'static) -> Self {
        let this = self.clone();
        let flags = Arr::delayed("unique", self.extents(), move |index| {
            let i = index.coordinates[0];
            // Inside wherever `i` is.
            let before = crate::scalar::index::sub(i.max(1u32), 1);
            let before = (this.element)(&index.moved(vec![before]));
            i.eq(0u32) | !same(before, (this.element)(index))
        });
        self.kept("unique", &flags)
    }
}
