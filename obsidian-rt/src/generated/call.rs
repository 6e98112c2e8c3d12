//! One launch, as the CPU function of a kernel sees it.

use obsidian_core::scalar::Literal;

use super::Cells;
use super::grid::{Split, share};
use crate::backend::HostArray;
use crate::element::Element;

/// The arguments of one launch, by parameter, and a way to run blocks.
///
/// Nothing here panics: a position or type that is wrong, which only a bug could ask for, is noted
/// and makes the launch an error.
pub struct Call<'a> {
    slots: Vec<Slot<'a>>,
    lengths: Vec<u32>,
    workers: u32,
    fault: Option<String>,
}

/// One parameter.
pub(crate) enum Slot<'a> {
    /// An array that is read.
    Input(&'a HostArray),
    /// An array that is written, until the function takes it and after it has given it back.
    Memory(Option<HostArray>),
    /// A number.
    Scalar(Literal),
}

/// What a function gives back: an array that it has written.
pub trait Given {
    /// The array with its elements.
    fn array(self) -> HostArray;
}

impl<T: Element> Given for Vec<T> {
    fn array(self) -> HostArray {
        HostArray::of(self)
    }
}

impl<T: Element> Given for Cells<T> {
    fn array(self) -> HostArray {
        HostArray::of(self.into_elements())
    }
}

impl<'a> Call<'a> {
    pub(crate) fn new(slots: Vec<Slot<'a>>, lengths: Vec<u32>, workers: u32) -> Self {
        Call {
            slots,
            lengths,
            workers,
            fault: None,
        }
    }

    /// The arrays by parameter, as the function has left them, and what went wrong.
    pub(crate) fn finish(self) -> (Vec<Option<HostArray>>, Option<String>) {
        let memory = |slot| {
            if let Slot::Memory(memory) = slot {
                memory
            } else {
                None
            }
        };
        (self.slots.into_iter().map(memory).collect(), self.fault)
    }

    /// The elements of an array that is read.
    pub fn input<T: Element>(&mut self, position: usize) -> &'a [T] {
        if let Some(&Slot::Input(array)) = self.slots.get(position)
            && let Some(elements) = array.elements::<T>()
        {
            return elements;
        }
        self.note(position, "input");
        &[]
    }

    /// The number of elements of an array; 0 for a number.
    pub fn length(&self, position: usize) -> u32 {
        self.lengths.get(position).copied().unwrap_or(0)
    }

    /// A number.
    pub fn scalar<T: Element>(&mut self, position: usize) -> T {
        if let Some(&Slot::Scalar(literal)) = self.slots.get(position)
            && literal.ty() == T::TYPE
        {
            return T::from_literal(literal);
        }
        self.note(position, "number");
        T::default()
    }

    /// An array that is written in pieces. It has to be [given](Call::give) back.
    pub fn output<T: Element>(&mut self, position: usize) -> Vec<T> {
        if let Some(Slot::Memory(memory)) = self.slots.get_mut(position)
            && let Some(elements) = memory.take().and_then(HostArray::into_elements)
        {
            return elements;
        }
        self.note(position, "output");
        Vec::new()
    }

    /// An array that all blocks may write anywhere. It has to be [given](Call::give) back.
    pub fn cells<T: Element>(&mut self, position: usize) -> Cells<T> {
        Cells::new(self.output(position))
    }

    /// Gives back an array that was written.
    pub fn give(&mut self, position: usize, array: impl Given) {
        if let Some(Slot::Memory(memory)) = self.slots.get_mut(position) {
            *memory = Some(array.array());
        }
    }

    /// Runs `block` for each of so many blocks, with its piece of what is given out; in any order,
    /// at the same time.
    pub fn blocks<S: Split>(
        &mut self,
        blocks: u32,
        pieces: S,
        block: impl Fn(u32, S::Piece) + Sync,
    ) {
        if pieces.fits(blocks) {
            share(0, blocks, self.workers, pieces, &block);
        } else {
            self.fault.get_or_insert_with(|| {
                format!("the pieces of {blocks} blocks do not fill an output")
            });
        }
    }

    fn note(&mut self, position: usize, wanted: &str) {
        self.fault.get_or_insert_with(|| {
            format!("parameter {position} is not the {wanted} that the CPU function expects")
        });
    }
}
