//! One launch, as the CPU function of a kernel sees it.

use obsidian_language::scalar::Literal;

use super::grid::{Split, run};
use super::{Cells, Gather};
use crate::backend::HostArray;
use crate::element::Element;

/// The arguments of one launch, by parameter, and a way to run blocks.
///
/// Nothing here panics: a position or type that is wrong, which only a bug could ask for, is noted
/// and makes the launch an error.
pub struct Call<'a> {
    slots: Vec<Slot<'a>>,
    limit: Option<u32>,
    fault: Option<String>,
}

/// One parameter.
pub(crate) struct Slot<'a> {
    /// The number of elements; 0 for a number.
    length: u32,
    content: Content<'a>,
}

/// What a parameter is.
pub(crate) enum Content<'a> {
    /// An array that is read.
    Input(&'a HostArray),
    /// An array that is written, until the function takes it.
    Memory(Option<&'a mut HostArray>),
    /// A number.
    Scalar(Literal),
}

impl<'a> Slot<'a> {
    pub(crate) fn new(content: Content<'a>) -> Self {
        let length = match &content {
            Content::Input(array) => array.len(),
            Content::Memory(array) => array.as_ref().map_or(0, |array| array.len()),
            Content::Scalar(_) => 0,
        };
        let length = u32::try_from(length).unwrap_or(0);
        Slot { length, content }
    }
}

impl<'a> Call<'a> {
    /// `limit` is the largest number of blocks that run at the same time.
    pub(crate) fn new(slots: Vec<Slot<'a>>, limit: Option<u32>) -> Self {
        Call {
            slots,
            limit,
            fault: None,
        }
    }

    /// What went wrong.
    pub(crate) fn finish(self) -> Option<String> {
        self.fault
    }

    /// The elements of an array that is read.
    pub fn input<T: Element>(&mut self, position: usize) -> &'a [T] {
        if let Some(&Content::Input(array)) = self.content(position)
            && let Some(elements) = array.elements::<T>()
        {
            return elements;
        }
        self.note(position, "input");
        &[]
    }

    /// The number of elements of an array; 0 for a number.
    pub fn length(&self, position: usize) -> u32 {
        self.slots.get(position).map_or(0, |slot| slot.length)
    }

    /// A number.
    pub fn scalar<T: Element>(&mut self, position: usize) -> T {
        if let Some(&Content::Scalar(literal)) = self.content(position)
            && literal.ty() == T::TYPE
        {
            return T::from_literal(literal);
        }
        self.note(position, "number");
        T::default()
    }

    /// An array that is written in pieces.
    pub fn output<T: Element>(&mut self, position: usize) -> &'a mut [T] {
        if let Some(slot) = self.slots.get_mut(position)
            && let Content::Memory(memory) = &mut slot.content
            && let Some(elements) = memory.take().and_then(HostArray::slice_mut)
        {
            return elements;
        }
        self.note(position, "output");
        &mut []
    }

    /// An array that all blocks may write anywhere.
    pub fn cells<T: Element>(&mut self, position: usize) -> Cells<'a, T> {
        Cells::new(self.output(position))
    }

    /// An array that all blocks only add to, by an operator that is exactly associative and commutative;
    /// `identity` changes no value.
    pub fn gather<T: Element>(
        &mut self,
        position: usize,
        identity: T,
        merge: fn(T, T) -> T,
    ) -> Gather<'a, T> {
        Gather::new(self.cells(position), identity, merge)
    }

    /// Runs `block` once for each block, with its piece of what is split; in any order,
    /// at the same time.
    pub fn blocks<S: Split>(
        &mut self,
        blocks: u32,
        pieces: S,
        block: impl Fn(u32, S::Piece) + Sync,
    ) {
        if pieces.fits(blocks) {
            let elements = self.slots.iter().map(|slot| u64::from(slot.length)).sum();
            run(blocks, self.limit, elements, pieces, &block);
        } else {
            self.fault.get_or_insert_with(|| {
                format!("the pieces of {blocks} blocks do not fill an output")
            });
        }
    }

    fn content(&self, position: usize) -> Option<&Content<'a>> {
        self.slots.get(position).map(|slot| &slot.content)
    }

    fn note(&mut self, position: usize, wanted: &str) {
        self.fault.get_or_insert_with(|| {
            format!("parameter {position} is not the {wanted} that the CPU function expects")
        });
    }
}
