//! What members do with arrays of which each has a block.

use std::rc::Rc;

use obsidian_language::arrays::{AnyArr, Arr, Arr1, Computed, HasInner, Ix1, Ix2, zip_with};
use obsidian_language::scalar::{Exp, ScalarType, lit};

use super::{GRAIN, HostValue, Member, Sharded};
use crate::arrays::{AnyArray, AnyProgram, Array, ArrayView, HostItem, HostOf, Rank};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::sequence::{Sequence, Tree, constant};
use crate::untyped::AnyBuffer;

impl Member<'_> {
    /// Runs an array program on this member's device.
    fn local(
        &self,
        name: &str,
        inputs: &[&dyn Input],
        build: impl Fn(&[AnyArr]) -> Vec<AnyArr>,
    ) -> Result<Vec<AnyArray>> {
        let types = inputs.iter().map(|input| {
            let (extents, buffers) = input.parts();
            let types = buffers.iter().map(|buffer| buffer.element_type());
            (extents.len(), types.collect())
        });
        let program = Local::new(name, &types.collect::<Vec<_>>(), build)?;
        program.run(&self.device, inputs)
    }

    /// `f` of each element.
    ///
    /// # Errors
    /// What is wrong with `f`, and what the launch reports.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let squares = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(4, |range| range.map(|i| i as u32).collect())?;
    ///     member.gather_all(&member.map(&xs, |x| x * x)?)
    /// })?;
    /// assert_eq!(squares[0], [0, 1, 4, 9]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn map<Sh: Rank, T: HostItem, R: Computed<Value: HostOf>>(
        &self,
        xs: &Sharded<Sh, T>,
        f: impl Fn(T::Device) -> R + Clone + 'static,
    ) -> Result<Sharded<Sh, HostValue<R>>> {
        self.owns(xs)?;
        let results = self.local("map", &[&xs.local], |arrays| {
            arrays
                .iter()
                .map(|xs| {
                    let xs = xs.ranked::<Sh>().to::<T::Device>();
                    xs.map(f.clone()).untyped()
                })
                .collect()
        })?;
        xs.like(results)
    }

    /// `f` of the elements of two arrays of the same extents.
    ///
    /// # Errors
    /// [`ErrorKind::UnequalLengths`] if the extents differ; as [`map`](Member::map).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let sums = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(3, |range| range.map(|i| i as u32).collect())?;
    ///     let both = member.zip_with(&xs, &member.map(&xs, |x| x * 10)?, |x, y| x + y)?;
    ///     member.gather_all(&both)
    /// })?;
    /// assert_eq!(sums[0], [0, 11, 22]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn zip_with<Sh: Rank, T: HostItem, U: HostItem, R: Computed<Value: HostOf>>(
        &self,
        xs: &Sharded<Sh, T>,
        ys: &Sharded<Sh, U>,
        f: impl Fn(T::Device, U::Device) -> R + Clone + 'static,
    ) -> Result<Sharded<Sh, HostValue<R>>> {
        if xs.extents != ys.extents {
            let message = format!(
                "`zip_with` of arrays with the extents {:?} and {:?}",
                xs.extents, ys.extents
            );
            return Err(Error::new(ErrorKind::UnequalLengths, message));
        }
        self.owns(xs)?;
        self.owns(ys)?;
        let results = self.local("zip_with", &[&xs.local, &ys.local], |arrays| match arrays {
            [xs, ys] => {
                let (xs, ys) = (
                    xs.ranked::<Sh>().to::<T::Device>(),
                    ys.ranked::<Sh>().to::<U::Device>(),
                );
                vec![zip_with(f.clone(), xs, ys).untyped()]
            }
            _ => Vec::new(),
        })?;
        xs.like(results)
    }

    /// All elements combined, with `initial` in front. `f` is associative, for floats up to rounding; the bits are those of
    /// [`Sequence::fold`], whatever the number of members is.
    ///
    /// # Errors
    /// As [`map`](Member::map) and [`barrier`](Member::barrier).
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence, shard::Threads};
    ///
    /// let term = |i: usize| 1.0 / (i + 1) as f32;
    /// let sums = Threads::new(vec![Device::cpu(); 3]).run(|member| {
    ///     let xs = member.vector(50_000, |range| range.map(term).collect())?;
    ///     member.fold(&xs, |x, y| x + y, 0.0)
    /// })?;
    /// assert_eq!(sums[1], Sequence::generate(50_000, |i| term(i as usize)).sum().run(&Device::cpu())?);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn fold<T: HostItem, R: Computed<Value = T::Device>>(
        &self,
        xs: &Sharded<Ix1, T>,
        f: impl Fn(T::Device, T::Device) -> R + Clone + 'static,
        initial: T,
    ) -> Result<T> {
        let own = self.of_grains(xs, {
            let f = f.clone();
            move |rows: Arr<Ix2, T::Device>| rows.fold1(f.clone())
        })?;
        let mut tree: Tree<T::Device> = Tree::new(Rc::new(move |x, y| f(x, y).value()));
        tree.wait();
        tree.take(&self.device, own)?;
        tree.join(&self.device, self)?;
        let folded = tree.end(&self.device, Some(initial))?;
        Ok(folded.unwrap_or(initial))
    }

    /// What `f` makes of each grain, of which only the last one of all may be shorter.
    fn of_grains<T: HostItem>(
        &self,
        xs: &Sharded<Ix1, T>,
        f: impl Fn(Arr<Ix2, T::Device>) -> Arr1<T::Device>,
    ) -> Result<Vec<T>> {
        self.owns(xs)?;
        let len = xs.rows.len();
        let (whole, rest) = (len / GRAIN, len % GRAIN);
        let number = |n: usize| lit(n as u32);
        let results = self.local("grains", &[&xs.local], |arrays| {
            let all = arrays.iter().map(|xs| xs.ranked::<Ix1>().to::<T::Device>());
            let parts = all.flat_map(|xs| {
                let grains = xs.len() / number(GRAIN);
                let begun = grains * number(GRAIN);
                let whole = (whole > 0).then(|| f(xs.take(begun).reshape((grains, number(GRAIN)))));
                let rest = (rest > 0).then(|| {
                    let rest = xs.drop(begun);
                    f(rest.reshape((1, rest.len())))
                });
                [whole, rest]
            });
            parts.flatten().map(|array| array.untyped()).collect()
        });
        let mut all = Vec::new();
        if len > 0 {
            for array in results? {
                all.extend(array.to_vec::<T>()?);
            }
        }
        Ok(all)
    }

    /// The sum of the products of the elements of two vectors.
    ///
    /// # Errors
    /// As [`zip_with`](Member::zip_with) and [`fold`](Member::fold).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let dots = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(3, |range| range.map(|i| i as f64).collect())?;
    ///     member.dot(&xs, &xs)
    /// })?;
    /// assert_eq!(dots, [5.0, 5.0]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn dot<T: Element + obsidian_language::scalar::Number>(
        &self,
        xs: &Sharded<Ix1, T>,
        ys: &Sharded<Ix1, T>,
    ) -> Result<T> {
        let products = self.zip_with(xs, ys, |x, y| x * y)?;
        self.fold(&products, |x, y| x + y, T::default())
    }

    /// Each element combined with those in front of it and `initial`, as [`Sequence::scan`] does it, bit for bit.
    ///
    /// # Errors
    /// As [`fold`](Member::fold).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let last = Threads::new(vec![Device::cpu(); 3]).run(|member| {
    ///     let ones = member.vector(10_000, |range| vec![1u32; range.len()])?;
    ///     let sums = member.scan(&ones, |x, y| x + y, 100)?;
    ///     Ok(sums.local().to_vec()?.last().copied())
    /// })?;
    /// assert_eq!(last, [Some(4_196), Some(8_292), Some(10_100)]); // 4,096 elements, as many, and the rest
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn scan<T: HostItem, R: Computed<Value = T::Device>>(
        &self,
        xs: &Sharded<Ix1, T>,
        f: impl Fn(T::Device, T::Device) -> R + Clone + 'static,
        initial: T,
    ) -> Result<Sharded<Ix1, T>> {
        let totals = self.of_grains(xs, {
            let f = f.clone();
            move |rows: Arr<Ix2, T::Device>| {
                let scanned = rows.inclusive_scan(f.clone());
                let (_, width) = scanned.shape();
                scanned.slice_inner(width - 1)
            }
        })?;
        let all = self.all_gather(&totals)?;
        let before: Vec<T> = all.into_iter().take(self.rank()).flatten().collect();
        let carry = match before.is_empty() {
            true => initial,
            false => {
                let totals = self.device.array([before.len()], &before)?;
                let carry = self.local("carry", &[&totals], |arrays| {
                    let f = f.clone();
                    let first: T::Device = constant(initial);
                    let all = arrays.iter().map(|xs| xs.ranked::<Ix1>().to::<T::Device>());
                    all.map(|xs| xs.fold_in_order(f.clone(), first.clone()).untyped())
                        .collect()
                })?;
                let carry: Vec<T> = carry.first().map_or(Ok(Vec::new()), AnyArray::to_vec)?;
                carry.first().copied().unwrap_or(initial)
            }
        };
        let local = Sequence::array(&xs.local)
            .scan(f, carry)
            .collect()
            .run(&self.device)?;
        Ok(Sharded {
            extents: xs.extents,
            rows: xs.rows(),
            local,
        })
    }

    /// How many elements `f` gives each of the numbers below `bins`; other numbers are not counted.
    ///
    /// # Errors
    /// As [`fold`](Member::fold).
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let counts = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(10, |range| range.map(|i| i as u32).collect())?;
    ///     member.histogram(&xs, 3, |x| x % 3)
    /// })?;
    /// assert_eq!(counts[0], [4, 3, 3]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn histogram<Sh: HasInner + Rank, T: HostItem>(
        &self,
        xs: &Sharded<Sh, T>,
        bins: u32,
        f: impl Fn(T::Device) -> Exp<u32> + 'static,
    ) -> Result<Vec<u64>> {
        self.owns(xs)?;
        let own = Sequence::array(&xs.local)
            .map_chunks(|xs| xs.flatten())
            .histogram(bins, f);
        let own = own.run(&self.device)?.to_vec()?;
        let mut all = vec![0u64; bins as usize];
        for counts in self.all_gather(&own)? {
            all.iter_mut()
                .zip(counts)
                .for_each(|(sum, count)| *sum += count);
        }
        Ok(all)
    }

    /// All elements, in each member.
    ///
    /// # Errors
    /// As [`barrier`](Member::barrier), and those of the device.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let all = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let xs = member.vector(3, |range| range.map(|i| i as u8).collect())?;
    ///     member.gather_all(&xs)
    /// })?;
    /// assert_eq!(all, [[0, 1, 2], [0, 1, 2]]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn gather_all<Sh: Rank, T: HostItem>(&self, xs: &Sharded<Sh, T>) -> Result<Vec<T>> {
        self.owns(xs)?;
        Ok(self.all_gather(&xs.local.to_vec()?)?.concat())
    }
}

/// An array program of a member.
pub(super) struct Local(AnyProgram);

impl Local {
    /// Of arrays with numbers of axes and types of components.
    pub(super) fn new(
        name: &str,
        inputs: &[(usize, Vec<ScalarType>)],
        build: impl Fn(&[AnyArr]) -> Vec<AnyArr>,
    ) -> Result<Self> {
        let program = AnyProgram::build(name, |parameters| {
            let arrays = inputs
                .iter()
                .map(|(rank, types)| parameters.array(*rank, types));
            build(&arrays.collect::<Vec<_>>())
        })?;
        Ok(Local(program))
    }

    pub(super) fn run(&self, device: &Device, inputs: &[&dyn Input]) -> Result<Vec<AnyArray>> {
        let lent: Vec<_> = inputs.iter().map(|input| input.parts()).collect();
        let lent = lent
            .iter()
            .map(|(extents, buffers)| (extents.as_slice(), buffers.clone()));
        self.0.run_lent(device, lent)
    }
}

/// An array that a program reads.
pub(super) trait Input {
    fn parts(&self) -> (Vec<usize>, Vec<&AnyBuffer>);
}

impl<Sh: Rank, T: HostItem> Input for Array<Sh, T> {
    fn parts(&self) -> (Vec<usize>, Vec<&AnyBuffer>) {
        (
            self.extents().as_ref().to_vec(),
            ArrayView::from(self).into_buffers(),
        )
    }
}
