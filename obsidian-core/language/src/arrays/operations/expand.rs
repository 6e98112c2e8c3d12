//! Vectors in which each element of another one stands several times.

use crate::arrays::arr::Arr;
use crate::arrays::claims::claim;
use crate::arrays::graph::{is_describing, read_number};
use crate::arrays::index::Index;
use crate::arrays::item::{Computed, Item, run_ahead};
use crate::arrays::shape::Ix1;
use crate::error::Origin;
use crate::library::seq_until;
use crate::scalar::{Exp, index, lit, select_exp};

impl<T: Item> Arr<Ix1, T> {
    /// For each element `x`, in order, `f(x, 0)`, `f(x, 1)` up to `count(x)` of them: none for 0.
    ///
    /// How many there are is known only while the program runs: it waits there until the counts have been added up. More than 4,294,967,294 are an
    /// error of the run.
    ///
    /// ```
    /// use obsidian_rt::{Device, arrays::*};
    /// use obsidian_rt::language::EU32;
    ///
    /// let f = ArrayProgram::build("f", |x: Arr1<EU32>| x.expand(|x| x, |x, i| x * 10 + i))?;
    /// let device = Device::cpu();
    /// let x = device.array([3], &[2, 0, 3])?;
    /// let result = f.run(&device, &x)?;
    /// assert_eq!(result.to_vec()?, [20, 21, 30, 31, 32]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn expand<R: Computed>(
        &self,
        count: impl Fn(T) -> Exp<u32> + 'static,
        f: impl Fn(T, Exp<u32>) -> R + 'static,
    ) -> Arr<Ix1, R::Value> {
        let element = self.element.clone();
        let counts = Arr::<Ix1, Exp<u32>>::delayed("expand", self.extents(), move |index| {
            count(element(index))
        });
        if !is_describing() {
            return self.expanded_here(&counts, f);
        }
        // A sum that does not fit is the largest number.
        let sum = |x: Exp<u32>, y: Exp<u32>| x + y.min(lit(u32::MAX) - x);
        let (starts, total) = counts.exclusive_scan_with_total(sum, lit(0));
        let (n, length) = (self.len(), read_number("expand", total.number));
        claim(
            "expand",
            [lit(u32::MAX - 1), length],
            [Origin::UNKNOWN; 2],
            true,
        );
        let (start, element) = (starts.element, self.element.clone());
        Arr::<Ix1, R::Value>::delayed("expand", vec![length], move |index| {
            let k = index.coordinates[0];
            let at = {
                let (index, start) = (index.clone(), start.clone());
                move |i: Exp<u32>| start(&index.moved(vec![i]))
            };
            // The last element that starts at `k` or in front of it.
            let own = run_ahead(&seq_until(
                move |(low, high): (Exp<u32>, Exp<u32>)| {
                    let middle = index::add(low, index::div(index::sub(high, low), 2));
                    let is_in_front = at(middle).le(k);
                    (
                        select_exp(is_in_front, middle, low),
                        select_exp(is_in_front, high, middle),
                    )
                },
                |(low, high)| index::sub(high, low).gt(1u32),
                (lit(0u32), n),
            ))
            .0;
            let own: Index = index.moved(vec![own]);
            f(element(&own), index::sub(k, start(&own))).value()
        })
    }

    /// The same of arrays that a function of elements makes: counts are added up for each element.
    #[track_caller]
    fn expanded_here<R: Computed>(
        &self,
        counts: &Arr<Ix1, Exp<u32>>,
        f: impl Fn(T, Exp<u32>) -> R + 'static,
    ) -> Arr<Ix1, R::Value> {
        let sum = |x: Exp<u32>, y: Exp<u32>| x + y.min(lit(u32::MAX) - x);
        let length = counts.fold_in_order(sum, lit(0)).the();
        let most = [lit(u32::MAX - 1), length];
        let (element, counts) = (self.element.clone(), counts.indexed());
        claim("expand", most, [Origin::UNKNOWN; 2], true);
        Arr::delayed("expand", vec![length], move |index| {
            let k = index.coordinates.first().copied().unwrap_or_else(|| lit(0));
            // The place of the element that `k` belongs to, and how many of it there are in front of `k`.
            let found = counts.fold_in_order(
                move |(start, own, nth): (Exp<u32>, Exp<u32>, Exp<u32>), (i, count)| {
                    let is_it = start.le(k) & (k - start).lt(count);
                    let end = sum(start, count);
                    (
                        end,
                        select_exp(is_it, i, own),
                        select_exp(is_it, k - start, nth),
                    )
                },
                (lit(0), lit(0), lit(0)),
            );
            let (_, own, nth) = found.the();
            f(element(&index.moved(vec![own])), nth).value()
        })
    }
}
