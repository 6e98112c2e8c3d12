//! Sequences of which each member reads a part.

use std::ops::Range;
use std::path::Path;

use obsidian_language::arrays::{Arr, HasInner, Ix1};

use super::{Member, Sharded, failed};
use crate::arrays::{AnyArray, HostOf, Rank};
use crate::error::{Error, ErrorKind, Result};
use crate::sequence::{Consumed, FileNumber, Others, Results, Sequence};

impl Member<'_> {
    /// A file of numbers, of which each member reads its part: see [`Sequence::file`].
    ///
    /// # Errors
    /// [`ErrorKind::File`] and [`ErrorKind::Source`] for a file that cannot be read; those of the device.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// # let path = std::env::temp_dir().join(format!("obsidian-shard-{}.bin", std::process::id()));
    /// std::fs::write(&path, [1u8, 2, 3]).unwrap();
    /// let sums = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let bytes = member.from_file::<u8>(&path)?;
    ///     member.fold(&bytes, |x, y| x + y, 0)
    /// })?;
    /// assert_eq!(sums, [6, 6]);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    // It makes an array, and not a member.
    #[allow(clippy::wrong_self_convention)]
    pub fn from_file<T: FileNumber>(&self, path: impl AsRef<Path>) -> Result<Sharded<Ix1, T>> {
        self.collect(Sequence::file::<T>(path)?)
    }

    /// The elements of a sequence, of which each member computes its part. Of a sequence of rows, each member has some rows.
    ///
    /// All members give the same sequence, whole. A source that does not tell how many elements it has, such as lines of text, is read once more to count
    /// them.
    ///
    /// # Errors
    /// [`ErrorKind::Requirement`] if a function of chunks gives other numbers of elements than it is given; those of [`run`](Member::run).
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence, shard::Threads};
    ///
    /// let sizes = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let squares = member.collect(Sequence::generate(10_000, |i| i).map(|x| x * x))?;
    ///     Ok(squares.local().len())
    /// })?;
    /// assert_eq!(sizes, [4096, 5904]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn collect<Sh: HasInner + Rank, T: HostOf>(
        &self,
        sequence: Sequence<'_, Arr<Sh, T>>,
    ) -> Result<Sharded<Sh, T::Host>> {
        let results = match Sh::Extents::default().as_ref().len() {
            1 => Results::Vector,
            _ => Results::Rows,
        };
        let local = sequence.collect().dealt(self, results)?;
        let local = local.run(&self.device)?;
        let own: Vec<u64> = local
            .extents()
            .as_ref()
            .iter()
            .map(|extent| *extent as u64)
            .collect();
        let all = self.all_gather(&own)?;
        let inner = |extents: &Vec<u64>| extents.get(1..).unwrap_or_default().to_vec();
        // The part of a member without rows does not tell the extents of rows.
        let mut with_rows = all.iter().filter(|extents| extents.first() != Some(&0));
        let like = with_rows
            .next()
            .or(all.first())
            .map(inner)
            .unwrap_or_default();
        if let Some(other) = with_rows.map(inner).find(|other| *other != like) {
            let message = format!(
                "the rows of members have the extents {like:?} and {other:?}; make them the same"
            );
            return Err(Error::new(ErrorKind::UnequalLengths, message));
        }
        let counts = || all.iter().filter_map(|extents| extents.first());
        let before = counts().take(self.rank()).sum::<u64>() as usize;
        let mut extents = local.extents();
        let whole = std::iter::once(counts().sum()).chain(like);
        extents
            .as_mut()
            .iter_mut()
            .zip(whole)
            .for_each(|(extent, whole)| *extent = whole as usize);
        let rows = before..before + own.first().copied().unwrap_or(0) as usize;
        if self.block(extents.as_ref()) != rows {
            let message = "a function of chunks gives other numbers of elements than it is given, so the parts that members have are not the blocks of an array; \
                           `member.run(sequence.collect())` gives all of them to each member";
            return Err(Error::new(ErrorKind::Requirement, message));
        }
        let local = match rows.is_empty() {
            false => local,
            true => {
                let mut own = extents.as_ref().to_vec();
                own.iter_mut().take(1).for_each(|outer| *outer = 0);
                AnyArray::new(&self.device, &own, &[] as &[T::Host])?.typed()?
            }
        };
        Ok(Sharded {
            extents,
            rows,
            local,
        })
    }

    /// Runs what consumes a sequence, of which each member reads a part; all members have the result, that of one member alone, bit for bit. They make the
    /// same sequence, whole: an array of which each has a block is for [`fold`](Member::fold) and its like.
    ///
    /// `fold`, `reduce`, `sum`, `min`, `max`, `histogram` and `collect` consume sequences here, and tuples of them; for folds a part begins at a grain of 4,096 elements. A
    /// source that does not tell how many elements it has, such as lines of text, is read once more to count them.
    ///
    /// # Errors
    /// [`ErrorKind::Requirement`] for what depends on chunks in front (`filter`, `scan` and `windows` in a sequence; `fold_chunks`, `for_each` and `to_file` behind it) and
    /// for iterators without a known end; those of [`Consumed::run`], and as [`barrier`](Member::barrier).
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::{Sequence, max, sum}, shard::Threads};
    ///
    /// let terms = || Sequence::generate(1_000_000, |i| 1.0 / (i + 1) as f32);
    /// let both = Threads::new(vec![Device::cpu(); 2]).run(|member| member.run(terms().consume((max(), sum()))))?;
    /// // The same bits as without members.
    /// assert_eq!(both[0], terms().consume((max(), sum())).run(&Device::cpu())?);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[track_caller]
    pub fn run<O: 'static>(&self, consumed: Consumed<'_, O>) -> Result<O> {
        consumed.dealt(self, Results::Joined)?.run(&self.device)
    }

    /// The elements of a vector of `len` that this member has: also a part of a sequence for what [`run`](Member::run) does not take.
    ///
    /// ```
    /// use obsidian_rt::{Device, sequence::Sequence, shard::Threads};
    ///
    /// // Each member writes a file of its own.
    /// let written = Threads::new(vec![Device::cpu(); 2]).run(|member| {
    ///     let part = member.part(10_000);
    ///     let path = std::env::temp_dir().join(format!("obsidian-part-{}-{}.bin", std::process::id(), member.rank()));
    ///     let squares = Sequence::generate(10_000, |i| i).map(|x| x * x);
    ///     let own = squares.to_file(&path).skip(part.start as u64).take(part.len() as u64);
    ///     let written = own.run(member.device())?;
    /// #   std::fs::remove_file(path).unwrap();
    ///     Ok(written)
    /// })?;
    /// assert_eq!(written, [4096, 5904]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn part(&self, len: usize) -> Range<usize> {
        self.block(&[len])
    }
}

impl Others for Member<'_> {
    fn rank(&self) -> usize {
        self.transport.rank()
    }
    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>> {
        let all = self.transport.all_gather(own);
        all.map_err(|failure| failed(&failure))
    }
    fn works(&self) {
        self.transport.works();
    }
    fn part(&self, len: usize, is_vector: bool) -> Range<usize> {
        match is_vector {
            true => self.block(&[len]),
            false => self.block(&[len, 1]),
        }
    }
}
