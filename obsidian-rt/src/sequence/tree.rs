//! The balanced tree of the results of grains.
//!
//! Grain `i` and grain `i + 1` are combined if `i` is even, and so are the results of these pairs, and so on: as in a binary counter, which keeps
//! one result for each bit of the number of grains. In which order results are combined depends on their number alone. They are combined on the
//! device, many pairs at once.

use std::rc::Rc;

use crate::arrays::{Arr1, ArrayProgram, HostOf};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// How many results of a level wait before they are combined.
const WAITING: usize = 2048;

/// An associative function of elements.
pub(crate) type Combine<T> = Rc<dyn Fn(T, T) -> T>;

pub(crate) struct Tree<T: HostOf> {
    f: Combine<T>,
    /// Combines neighbours; it is built when there are some.
    pairs: Option<ArrayProgram<(Arr1<T>,), Arr1<T>>>,
    /// The results of each level that are not combined yet, in order.
    levels: Vec<Vec<T::Host>>,
    /// Do grains wait until all have come?
    waits: bool,
}

/// The result of 2^`level` grains, from grain `index` times as many on.
pub(super) struct Part<V> {
    pub(super) level: u64,
    pub(super) index: u64,
    pub(super) value: V,
}

impl<T: HostOf> Tree<T> {
    pub(crate) fn new(f: Combine<T>) -> Self {
        Tree {
            f,
            pairs: None,
            levels: Vec::new(),
            waits: false,
        }
    }

    /// From now on grains are not combined before all have come: others come in front of them.
    pub(crate) fn wait(&mut self) {
        self.waits = true;
    }

    /// The grains that wait.
    pub(super) fn waiting(&mut self) -> Vec<T::Host> {
        self.levels.drain(..).next().unwrap_or_default()
    }

    /// Combines neighbours as far as they are there.
    pub(super) fn paired(
        &mut self,
        device: &Device,
        mut open: Vec<Part<T::Host>>,
    ) -> Result<Vec<Part<T::Host>>> {
        let mut done = Vec::new();
        let mut level = 0;
        while !open.is_empty() {
            let (own, mut higher): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|part| part.level == level);
            let mut own = own.into_iter().peekable();
            let (mut pairs, mut places) = (Vec::new(), Vec::new());
            while let Some(first) = own.next() {
                let is_left = first.index % 2 == 0;
                match own.next_if(|next| is_left && next.index == first.index + 1) {
                    Some(second) => {
                        places.push(first.index / 2);
                        pairs.extend([first.value, second.value]);
                    }
                    None => done.push(first),
                }
            }
            if !pairs.is_empty() {
                let values = self.combined(device, &pairs)?;
                higher.extend(places.into_iter().zip(values).map(|(index, value)| Part {
                    level: level + 1,
                    index,
                    value,
                }));
                higher.sort_by_key(|part| (part.level, part.index));
            }
            open = higher;
            level += 1;
        }
        done.sort_by_key(|part| (part.index << part.level.min(63), part.level));
        Ok(done)
    }

    /// Takes these instead of what it has: at most one of a level.
    pub(super) fn replace(&mut self, parts: Vec<Part<T::Host>>) {
        self.levels.clear();
        for part in parts {
            self.push(part.level as usize, vec![part.value]);
        }
    }

    /// Combines each element at an even place with the next one; there is an even number of them.
    fn combined(&mut self, device: &Device, elements: &[T::Host]) -> Result<Vec<T::Host>> {
        if self.pairs.is_none() {
            let f = self.f.clone();
            let pairs = ArrayProgram::build("pairs", move |xs: Arr1<T>| {
                let f = f.clone();
                let pairs = xs.len() / 2;
                xs.reshape((pairs, 2)).fold1(move |x, y| f(x, y))
            })?;
            self.pairs = Some(pairs);
        }
        let xs = device.array([elements.len()], elements)?;
        match &self.pairs {
            Some(pairs) => pairs.run(device, &xs)?.to_vec(),
            None => Err(Error::new(ErrorKind::Internal, "no program for pairs")),
        }
    }

    fn push(&mut self, level: usize, results: Vec<T::Host>) {
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        if let Some(own) = self.levels.get_mut(level) {
            own.extend(results);
        }
    }

    /// Combines the pairs of a level.
    fn raise(&mut self, device: &Device, level: usize) -> Result<()> {
        let Some(waiting) = self.levels.get_mut(level) else {
            return Ok(());
        };
        let odd = waiting.split_off(waiting.len() / 2 * 2);
        let pairs = std::mem::replace(waiting, odd);
        if pairs.is_empty() {
            return Ok(());
        }
        let results = self.combined(device, &pairs)?;
        self.push(level + 1, results);
        Ok(())
    }

    /// Takes the results of the next grains.
    pub(crate) fn take(&mut self, device: &Device, grains: Vec<T::Host>) -> Result<()> {
        self.push(0, grains);
        if self.waits {
            return Ok(());
        }
        let mut level = 0;
        while let Some(waiting) = self.levels.get(level) {
            if waiting.len() >= WAITING {
                self.raise(device, level)?;
            }
            level += 1;
        }
        Ok(())
    }

    /// The result of all, with an initial value in front; none if there is neither.
    pub(crate) fn end(
        mut self,
        device: &Device,
        initial: Option<T::Host>,
    ) -> Result<Option<T::Host>> {
        let mut level = 0;
        while level < self.levels.len() {
            self.raise(device, level)?;
            level += 1;
        }
        // Higher levels are of earlier grains.
        let rest: Vec<T::Host> = self
            .levels
            .iter()
            .filter_map(|own| own.first().copied())
            .collect();
        let mut result: Option<T::Host> = None;
        for earlier in rest.into_iter().chain(initial) {
            result = Some(match result {
                None => earlier,
                Some(later) => self.two(device, earlier, later)?,
            });
        }
        Ok(result)
    }

    fn two(&mut self, device: &Device, x: T::Host, y: T::Host) -> Result<T::Host> {
        let both = self.combined(device, &[x, y])?;
        let both = both.first().copied();
        both.ok_or_else(|| Error::new(ErrorKind::Internal, "a pair has no result"))
    }
}
