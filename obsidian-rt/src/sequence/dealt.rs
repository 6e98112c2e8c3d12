//! A sequence of which each member of several reads a part, and what they have taken in common.
//!
//! Each part begins at a grain. So each member can combine its own grains as the tree of all grains does, and gives the others what it could not combine further.

use std::ops::Range;

use super::consume::Reads;
use super::graph::Graph;
use super::run::Consumed;
use super::source::{Length, Source};
use super::tree::{Part, Tree};
use crate::arrays::{HostItem, HostOf};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// The members among which a sequence is dealt out.
pub(crate) trait Others {
    /// The number of this one.
    fn rank(&self) -> usize;
    /// The bytes of all.
    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>>;
    /// Tells those that wait for this one that it works.
    fn works(&self);
    /// Which of `len` elements this one has; those of a vector begin at a grain, or there are none.
    fn part(&self, len: usize, is_vector: bool) -> Range<usize>;
}

/// What the results of a member's run are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Results {
    /// Those of all members together.
    Joined,
    /// The member's block of a vector.
    Vector,
    /// The member's block of rows.
    Rows,
}

/// A member's part of a run.
#[derive(Clone, Copy)]
pub(super) struct Dealt<'s> {
    pub(super) others: &'s dyn Others,
    /// How many elements it has.
    pub(super) elements: u64,
    /// Does the sequence end with them?
    pub(super) is_last: bool,
    /// Do the sinks take what those of others have taken?
    pub(super) joins: bool,
}

fn refused(message: String) -> Error {
    Error::new(ErrorKind::Requirement, message)
}

/// Elements that members have exchanged: those of all, by the numbers of members.
pub(crate) fn exchanged<T: HostItem>(others: &dyn Others, own: &[T]) -> Result<Vec<Vec<T>>> {
    let mut bytes = Vec::new();
    T::encode(own, &mut bytes);
    let all = others.all_gather(&bytes)?;
    all.iter().map(|bytes| decoded(bytes)).collect()
}

/// The elements that some bytes are.
pub(crate) fn decoded<T: HostItem>(bytes: &[u8]) -> Result<Vec<T>> {
    let mut types = Vec::new();
    T::types(&mut types);
    let each: usize = types.iter().map(|ty| ty.bytes() as usize).sum();
    let len = bytes.len() / each.max(1);
    let mut rest = bytes;
    let elements = T::decode(&mut rest, len);
    let elements = elements.filter(|_| rest.is_empty());
    elements.ok_or_else(|| {
        let message = format!(
            "{} bytes came from another member, and an element has {each}: do all members make the same calls, of the same types?",
            bytes.len()
        );
        Error::new(ErrorKind::Member, message)
    })
}

impl<T: HostOf> Tree<T> {
    /// Takes what the trees of other members have taken: each has the grains that come behind those of the one before it.
    pub(crate) fn join(&mut self, device: &Device, others: &dyn Others) -> Result<()> {
        let grains = self.waiting();
        let counts = exchanged(others, &[grains.len() as u64])?;
        let before = counts.iter().take(others.rank()).flatten().sum::<u64>();
        let own = (before..).zip(grains).map(|(index, value)| Part {
            level: 0,
            index,
            value,
        });
        let own = self.paired(device, own.collect())?;
        let places: Vec<(u64, u64)> = own.iter().map(|part| (part.level, part.index)).collect();
        let values: Vec<T::Host> = own.iter().map(|part| part.value).collect();
        let places = exchanged(others, &places)?.into_iter().flatten();
        let values = exchanged(others, &values)?.into_iter().flatten();
        let all = places.zip(values).map(|((level, index), value)| Part {
            level,
            index,
            value,
        });
        let all = self.paired(device, all.collect())?;
        self.replace(all);
        Ok(())
    }
}

/// The number of elements of a source that does not tell it, read from its beginning.
fn counted(source: &dyn Source, others: &dyn Others) -> Result<u64> {
    const STEP: usize = 1 << 16;
    let mut reader = source.open(0)?;
    let mut all = 0u64;
    loop {
        match reader.ready(STEP)? {
            0 => return Ok(all),
            len => {
                drop(reader.take(len));
                others.works();
                all = all.saturating_add(len as u64);
            }
        }
    }
}

/// How many elements the shortest of the sources has; none if all of those that tell it have no end.
fn shortest(graph: &Graph<'_>, is_bounded: bool, others: &dyn Others) -> Result<Option<u64>> {
    let mut shortest: Option<u64> = None;
    for source in graph.sources() {
        let own = match source.length()? {
            Length::Known(elements) => elements,
            Length::Endless => continue,
            Length::Unknown if !source.is_read_once() => counted(source, others)?,
            // What it has is seen when it is read.
            Length::Unknown if is_bounded => continue,
            Length::Unknown => {
                return Err(refused(
                    "a source that does not tell how many elements it has, and can be read once alone, cannot be dealt out among members; say how many there are: `.take(1000)`"
                        .to_owned(),
                ));
            }
        };
        shortest = Some(shortest.map_or(own, |other| other.min(own)));
    }
    Ok(shortest)
}

impl<'s, O: 'static> Consumed<'s, O> {
    /// What a member does of a run.
    pub(crate) fn dealt(mut self, others: &'s dyn Others, results: Results) -> Result<Self> {
        let graph = self.graph();
        graph.check()?;
        let mut has_grains = results == Results::Vector;
        for root in &mut self.roots {
            let reads = root.sink.deal().map_err(|name| {
                let instead = match name {
                    "fold_chunks" => "and combine the states of all, which `member.all_gather` gives",
                    "to_file" => "each to a file of its own",
                    _ => "each for itself",
                };
                refused(format!(
                    "`{name}` takes chunks one after the other, and members have different ones; run it over the part of each member, {instead}: \
                     `let part = member.part(len); ...skip(part.start as u64).take(part.len() as u64).run(member.device())`"
                ))
            })?;
            has_grains |= matches!(reads, Reads::Grains);
            let number = graph.number(&root.node);
            let changed = number.and_then(|number| graph.in_front(number, reads));
            if let Some(name) = changed {
                let instead = match name {
                    "filter" => {
                        "give elements that are not wanted a value that changes nothing (`select`)"
                    }
                    "scan" => "take a vector of the members: `member.scan(&xs, ..)`",
                    _ => {
                        "take a stencil of a vector of the members: `member.stencil(&xs, radius, ..)`"
                    }
                };
                return Err(refused(format!(
                    "behind `{name}` elements have other numbers, which a member does not know of its part alone; {instead}"
                )));
            }
        }
        let (skip, take) = (self.settings.skip.unwrap_or(0), self.settings.take);
        let own = shortest(&graph, take.is_some(), others)?;
        let own = own.map(|elements| elements.saturating_sub(skip));
        let Some(elements) = own.into_iter().chain(take).min() else {
            return Err(refused(
                "a sequence without an end cannot be dealt out among members; say how many elements there are: `.take(1000)`".to_owned(),
            ));
        };
        let len = usize::try_from(elements).map_err(|_| {
            let message = format!("a sequence of {elements} elements has more than can be counted");
            Error::new(ErrorKind::TooLong, message)
        })?;
        let all = exchanged(others, &[(skip, elements)])?;
        if let Some(other) = all
            .iter()
            .flatten()
            .find(|other| **other != (skip, elements))
        {
            return Err(refused(format!(
                "members have sequences of {elements} and {} elements, and all of them have to give the same one, whole; an array of which each has a block is a \
                 `Sharded`, for `member.fold` and its like",
                other.1
            )));
        }
        let part = others.part(len, has_grains);
        self.settings.skip = Some(skip.saturating_add(part.start as u64));
        self.settings.take = Some(part.len() as u64);
        self.settings.dealt = Some(Dealt {
            others,
            elements: part.len() as u64,
            is_last: part.end == len,
            joins: results == Results::Joined,
        });
        Ok(self)
    }
}
