//! A program as an array program: [`obsidian_rt::arrays::AnyProgram`].
//!
//! The tree is walked once each time the closure of the array program runs. Values are of four kinds:
//!
//! - what is known: short lists of constants and extents stay on the host ([`array::Source::List`]), so that most shapes are numbers;
//! - arrays of the program ([`array::Source::Node`]): outside of functions of elements, what is not known is one of them;
//! - arrays that are made of their index ([`array::Source::Delayed`]): arrays inside of functions of elements;
//! - functions and tuples.
//!
//! Where the host has to know a number that the program computes, lowering stops ([`Stop::Demand`]). [`mod@crate::run`] then runs what is there,
//! and lowers the rest with the number; see [`progress`].

pub mod array;
pub mod element;
mod expression;
mod functions;
mod program;
pub mod progress;
mod required;
pub(crate) mod steps;
pub mod stop;
pub mod value;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use obsidian_rt::arrays::{AnyElement, at_place};
use obsidian_rt::language::{EBool, EI32, EU32};

use crate::mistake::Mistake;
use crate::syntax::{Base, Span};
use crate::value::Array as HostArray;
use array::{Array, Delayed, Source};
use progress::{Output, Progress, Reader};
use stop::Stop;
use value::Value;

pub use functions::visit;
pub use program::{Demanded, Segment};

/// What lowering gives: a value, or why it stops.
pub type Lowered<T> = Result<T, Stop>;

/// An odd number without a pattern, by which numbers of elements in each other become one.
const ODD: u32 = 0x9e37_79b1;

/// What the host has to know before the rest of a program can be lowered.
enum Demand {
    /// The value of an array.
    Value(Array),
    /// The time.
    Clock,
}

/// Lowers a program.
pub struct Lowering {
    /// How far the program has run.
    progress: Rc<Progress>,
    /// Reads files.
    pub(crate) reader: Rc<dyn Reader>,
    /// How deep in functions of elements this is; 0 outside of all.
    depth: Cell<u32>,
    /// In how many loops over arrays this is.
    loops: Cell<u32>,
    /// What stopped a function of elements.
    failure: RefCell<Option<Stop>>,
    /// What the program prints, in order.
    outputs: RefCell<Vec<Output>>,
    /// What the host has to know before the rest can be lowered.
    demanded: RefCell<Option<Demand>>,
    /// How many values of the host have been asked for since the binding that is lowered began.
    asked: Cell<usize>,
    /// Extents that are whole numbers of the program, too.
    extents: RefCell<Vec<(EI32, EU32)>>,
    /// The number of the binding that is lowered.
    current: Cell<usize>,
    /// Is a list computed, outside of functions of elements? Then nothing may be a loop.
    is_folding: Cell<bool>,
    /// The condition under which the arm of choices that is lowered is taken.
    arm: Cell<Option<EBool>>,
    /// What one thread does in order: where it stands, and what it is.
    in_order: RefCell<BTreeSet<(usize, &'static str)>>,
    /// How many iterations of loops have been written out.
    written_out: Cell<u64>,
    /// How many calls of `roll` have been lowered.
    rolls: Cell<u32>,
    /// The number of the element whose function is lowered, for random numbers.
    element: RefCell<Option<EU32>>,
}

impl Lowering {
    /// Nothing is lowered yet.
    pub fn new(progress: Rc<Progress>, reader: Rc<dyn Reader>) -> Rc<Self> {
        Rc::new(Lowering {
            progress,
            reader,
            depth: Cell::new(0),
            loops: Cell::new(0),
            failure: RefCell::default(),
            outputs: RefCell::default(),
            demanded: RefCell::default(),
            asked: Cell::new(0),
            extents: RefCell::default(),
            current: Cell::new(0),
            is_folding: Cell::new(false),
            arm: Cell::new(None),
            in_order: RefCell::default(),
            written_out: Cell::new(0),
            rolls: Cell::new(0),
            element: RefCell::default(),
        })
    }

    /// Is this outside of all functions of elements?
    pub fn is_outside(&self) -> bool {
        self.depth.get() == 0
    }

    /// In how many functions of elements is this?
    pub(crate) fn depth(&self) -> u32 {
        self.depth.get()
    }

    /// Runs a part of a function of elements. What stops it is kept for [`check`](Lowering::check), and a default stands for its value.
    pub fn inside(&self, base: Base, f: impl FnOnce() -> Lowered<AnyElement>) -> AnyElement {
        self.inside_or(&element::default(base), f)
    }

    /// The same, where a value is there to stand for that of what is stopped.
    pub fn inside_or(
        &self,
        other: &AnyElement,
        f: impl FnOnce() -> Lowered<AnyElement>,
    ) -> AnyElement {
        self.depth.set(self.depth.get() + 1);
        let made = f();
        self.depth.set(self.depth.get() - 1);
        made.unwrap_or_else(|stop| {
            self.failure.borrow_mut().get_or_insert(stop);
            other.clone()
        })
    }

    /// An array that is made of its index: a list if that is known, an array of the program outside of functions of elements, and a scalar is computed.
    pub fn settled(&self, array: Array) -> Lowered<Array> {
        let Source::Delayed(delayed) = &array.elements else {
            return Ok(array);
        };
        let is_outside = self.is_outside();
        if is_outside
            && delayed.is_known
            && let Some(list) = self.folded(&array)
        {
            let elements = Source::List(list);
            return Ok(Array { elements, ..array });
        }
        if !is_outside
            && array.rank() == 0
            && let Some(list) = array.listed()
        {
            let elements = Source::List(list);
            return Ok(Array { elements, ..array });
        }
        if !self.is_outside() {
            return Ok(array);
        }
        let node = Array::node(array.base, array.to_node());
        self.check()?;
        Ok(node)
    }

    /// The elements of a known array, computed outside of functions of elements; `None` if there are many, or a loop is needed.
    fn folded(&self, array: &Array) -> Option<Rc<[AnyElement]>> {
        self.is_folding.set(true);
        let list = array.listed();
        self.is_folding.set(false);
        // What stopped it stops it in a function of elements, too, if it is a mistake.
        list.filter(|_| self.failure.take().is_none())
    }

    /// Is a list computed, outside of functions of elements?
    pub(crate) fn is_folding(&self) -> bool {
        self.is_folding.get()
    }

    /// Notes that a list cannot be computed outside of functions of elements.
    pub(crate) fn needs_loop(&self, base: Base, span: Span) -> AnyElement {
        self.inside(base, || Err(Stop::wrong(span, "a loop is needed here")))
    }

    /// What stopped a function of elements, if something did.
    pub fn check(&self) -> Lowered<()> {
        if !self.is_outside() {
            return Ok(());
        }
        self.failure.take().map_or(Ok(()), Err)
    }

    /// An array that is made of its index, out of others.
    pub fn delayed(
        &self,
        base: Base,
        extents: Vec<EU32>,
        sources: &[&Array],
        at: impl Fn(&[EU32]) -> AnyElement + 'static,
    ) -> Lowered<Array> {
        let is_known = sources.iter().all(|source| source.is_known());
        self.made(base, extents, is_known, at)
    }

    /// The same, where it is said whether all that it is made of is known.
    pub fn made(
        &self,
        base: Base,
        extents: Vec<EU32>,
        is_known: bool,
        at: impl Fn(&[EU32]) -> AnyElement + 'static,
    ) -> Lowered<Array> {
        let at = Rc::new(at);
        let elements = Source::Delayed(Delayed {
            at,
            is_known,
            kept: None,
        });
        self.settled(Array {
            base,
            extents,
            elements,
        })
    }

    /// Runs `f`, whose operations stand at a place of the program.
    pub fn at<R>(&self, span: Span, f: impl FnOnce() -> R) -> R {
        at_place(&self.progress.place(span), f)
    }

    /// The value of an array on the host.
    pub fn host(&self, array: &Array, span: Span) -> Lowered<HostArray> {
        if let Some(host) = array.to_host() {
            return Ok(host);
        }
        if !self.is_outside() {
            let message =
                "this number is needed before the function of elements that computes it runs";
            return Err(Stop::wrong(span, message));
        }
        if self.loops.get() > 0 {
            return Err(Stop::Varies(span));
        }
        self.asked(Demand::Value(array.clone()))
    }

    /// What the host knows only when all in front of it has run.
    fn asked(&self, demand: Demand) -> Lowered<HostArray> {
        let number = self.asked.get();
        self.asked.set(number + 1);
        let is_next = self.current.get() == self.progress.binding;
        if let Some(answer) = self.progress.answer(number).filter(|_| is_next) {
            return Ok(answer);
        }
        *self.demanded.borrow_mut() = Some(demand);
        Err(Stop::Demand)
    }

    /// The milliseconds since the program began, when all in front of this has run.
    pub(crate) fn now(&self, span: Span) -> Lowered<Array> {
        if !self.is_outside() {
            return Err(Stop::wrong(
                span,
                "the clock is read inside of a function of elements",
            ));
        }
        if self.loops.get() > 0 {
            return Err(Stop::Varies(span));
        }
        self.asked(Demand::Clock).map(|time| Array::of_host(&time))
    }

    /// A scalar as a whole number of the host.
    pub fn host_int(&self, array: &Array, span: Span) -> Lowered<i32> {
        match self.host(array, span)?.value() {
            Some(crate::syntax::Constant::Int(n)) => Ok(n),
            _ => Err(Stop::wrong(span, "this is no whole number")),
        }
    }

    /// An extent as a whole number.
    pub(crate) fn int_of_extent(&self, extent: EU32) -> EI32 {
        let n = extent.cast::<i32>();
        self.extents.borrow_mut().push((n, extent));
        n
    }

    /// The extent that a whole number is.
    pub(crate) fn extent_of(&self, n: EI32) -> Option<EU32> {
        let extents = self.extents.borrow();
        let own = extents
            .iter()
            .find(|(own, _)| own.eq(n).as_literal() == Some(true));
        own.map(|(_, extent)| *extent)
    }

    /// Adds to what the program prints.
    pub fn print(&self, array: &Array, span: Span) -> Lowered<()> {
        if !self.is_outside() {
            let message = "a function of elements prints, and its elements have no order";
            return Err(Stop::wrong(span, message));
        }
        if self.loops.get() > 0 {
            return Err(Stop::Varies(span));
        }
        self.outputs.borrow_mut().push(Output::of(array));
        Ok(())
    }

    /// Lowers a part of a loop over arrays, in which nothing may be printed and no value asked for.
    pub fn in_loop<R>(&self, f: impl FnOnce() -> Lowered<R>) -> Lowered<R> {
        self.loops.set(self.loops.get() + 1);
        let made = f();
        self.loops.set(self.loops.get() - 1);
        made
    }

    /// The next number of a call of `roll`.
    pub(crate) fn next_roll(&self) -> u32 {
        self.rolls.set(self.rolls.get().wrapping_add(1));
        self.rolls.get()
    }

    /// How many calls of `roll` have been lowered.
    pub(crate) fn rolls(&self) -> u32 {
        self.rolls.get()
    }

    /// Raises the number of lowered calls of `roll` to `count`, if it is less.
    pub(crate) fn has_rolled(&self, count: u32) {
        self.rolls.set(self.rolls.get().max(count));
    }

    /// Runs a function of elements with the count of `roll` at `first`. An element is computed at each place that reads it, and so draws the same number at all of them.
    pub(crate) fn rolling<R>(&self, first: u32, f: impl FnOnce() -> R) -> R {
        let before = self.rolls.replace(first);
        let made = f();
        self.has_rolled(before);
        made
    }

    /// Runs a function of elements for the element, or the step of a loop, with a number. Random numbers depend on it, and on those around it.
    pub(crate) fn numbered<R>(&self, number: EU32, f: impl FnOnce() -> R) -> R {
        let around = *self.element.borrow();
        let number = match around {
            Some(around) => around * ODD + number + 1u32,
            None => number,
        };
        let before = self.element.replace(Some(number));
        let made = f();
        self.element.replace(before);
        made
    }

    /// The number of the element, or the step, whose function is lowered.
    pub(crate) fn number(&self) -> Option<EU32> {
        *self.element.borrow()
    }

    /// The most bytes that an array may take.
    pub(crate) fn memory(&self) -> u64 {
        self.progress.memory
    }

    /// Where random numbers begin.
    pub(crate) fn seed(&self) -> u64 {
        self.progress.seed
    }

    /// A value that has to be an array.
    pub fn array(&self, value: &Value, span: Span) -> Lowered<Array> {
        match value {
            Value::Array(array) => Ok(array.clone()),
            Value::Function(_) | Value::Tuple(_) => {
                Err(Mistake::new(span, "an array is expected here").into())
            }
        }
    }
}
