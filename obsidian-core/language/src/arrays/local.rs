//! Arrays that functions of elements make: index functions of one thread, which no node of the program's graph stands for.
//!
//! `xs.map(|n| iota(n).map(|i| i * i).sum())` makes two of them for each element. A fold of one is a loop of the thread that computes the
//! element; nothing of it is stored. Their extents may be any numbers, those that are read from memory too.
//!
//! What has to hold of extents is asked of a run where they are made of the program's numbers alone. Of other ones it is an assertion of
//! the kernel, and elements are read under its condition: see [`assert_here`].

use std::rc::Rc;

use obsidian_base::launch::Step;

use super::graph::{DEEPEST, Node, NodeNumber, graph, is_describing};
use super::index::Index;
use super::item::run_ahead;
use crate::error::catalogue;
use crate::hashed::HashMap;
use crate::program::assert_that;
use crate::scalar::formula::{FormulaLeaf, LONGEST_EXTENT, Leaf, formula_over};
use crate::scalar::{BinaryOp, Exp, Node as Expression, VariableKind, lit, session};

/// The numbers of such arrays begin here.
const FIRST: NodeNumber = NodeNumber::MAX / 2;

/// The arrays that the element which is being computed has made.
#[derive(Default)]
pub struct Locals {
    nodes: HashMap<NodeNumber, Rc<Node>>,
    /// How many there have been: a number is never given twice.
    made: usize,
    /// In how many functions of elements.
    inside: usize,
    /// What has been asserted of the extents of the array that is made next.
    asserted: Vec<Exp<bool>>,
    /// Is an element computed that is not one of all: at an index that may be outside, or at a number?
    is_special: bool,
    /// The steps that are written one after the other, as a logarithm, where the one that is written now stands inside of others.
    unrolled: u32,
    /// How many elements of such arrays this element has computed.
    computed: usize,
}

/// The most elements of such arrays that one element computes, loops counted once.
const MOST_COMPUTED: usize = 1 << 18;

/// The most steps that are written one after the other in place of a loop.
const MOST_UNROLLED: u32 = 8;
/// The same of loops in each other, as a logarithm: 64.
const MOST_NESTED: u32 = 6;

/// Whether `count` steps are written one after the other. If they are, [`unrolled`] ends them.
pub fn unrolls(count: u32) -> bool {
    graph(|graph| {
        let all = graph.locals.unrolled + count.max(1).ilog2();
        let so = count <= MOST_UNROLLED && all <= MOST_NESTED;
        if so {
            graph.locals.unrolled = all;
        }
        so
    })
    .unwrap_or(false)
}

/// The `count` steps have been written.
pub fn unrolled(count: u32) {
    graph(|graph| graph.locals.unrolled -= count.max(1).ilog2());
}

impl Locals {
    /// Counts one more element, which is computed inside of `nested` others, and says whether that is too much.
    pub(super) fn is_too_much(&mut self, nested: usize) -> bool {
        self.computed += 1;
        self.computed > MOST_COMPUTED || nested >= DEEPEST
    }

    /// An array by its number.
    pub(super) fn node(&self, number: NodeNumber) -> Option<Rc<Node>> {
        self.nodes.get(&number).cloned()
    }

    /// A number for the array that is made now. Others may be made before it is added: its elements may make some.
    pub(super) fn number(&mut self) -> NodeNumber {
        self.made += 1;
        FIRST + self.made
    }

    /// Adds the array with a number.
    pub(super) fn add(&mut self, number: NodeNumber, node: Node) {
        self.nodes.insert(number, Rc::new(node));
    }
}

/// Is this the number of an array that a function of elements has made?
pub fn is_local(number: NodeNumber) -> bool {
    number >= FIRST
}

/// A function of elements begins.
pub fn enter() {
    graph(|graph| graph.locals.inside += 1);
}

/// A function of elements ends. With the outermost one its arrays are gone.
pub fn leave() {
    graph(|graph| {
        let locals = &mut graph.locals;
        locals.inside = locals.inside.saturating_sub(1);
        if locals.inside == 0 {
            locals.nodes.clear();
            locals.asserted.clear();
            locals.computed = 0;
        }
    });
}

/// Do numbers consist of those of the program, the extents and parameters that a run knows before its launches?
pub fn are_of_the_program(numbers: &[Exp<u32>]) -> bool {
    let one = |number: &Exp<u32>| {
        let number = number.node();
        session(|s| {
            let known = |leaf| match leaf {
                FormulaLeaf::Variable(variable)
                    if s.tables.variable(variable).kind != VariableKind::Argument =>
                {
                    Err(catalogue::extent_of_data("array"))
                }
                _ => Ok(Leaf::Step(Step::Literal(0))),
            };
            formula_over(&s.tables.nodes, number, LONGEST_EXTENT, &known).is_ok()
        })
    };
    numbers.iter().all(|number| one(number).unwrap_or(true))
}

/// Computes an element at an index. At a number, or where the index may be outside, it is not one of all elements: what it asks of extents is asked
/// where it is computed, and not of each run.
pub fn at<R>(index: &Index, compute: impl FnOnce() -> R) -> R {
    let is_number = |at: &Exp<u32>| at.as_literal().is_some();
    special(
        index.inside.is_some() || index.coordinates.iter().any(is_number),
        compute,
    )
}

/// Computes what is not computed for all elements, if that is so.
pub fn special<R>(is_special: bool, compute: impl FnOnce() -> R) -> R {
    let before = self::is_special();
    set_special(before || is_special);
    let result = compute();
    set_special(before);
    result
}

fn set_special(to: bool) {
    graph(|graph| graph.locals.is_special = to);
}

/// Is an element computed that is not one of all? A choice of the user's may have left out an arm for it, with all that stands there.
pub fn is_special() -> bool {
    graph(|graph| graph.locals.is_special).unwrap_or(false)
}

/// Is what has to hold of numbers asserted where an element is computed?
pub fn is_asserted(numbers: &[Exp<u32>]) -> bool {
    !is_describing() && (is_special() || !are_of_the_program(numbers))
}

/// The condition under which the product of extents is a number of elements.
pub fn is_countable(extents: &[Exp<u32>]) -> Exp<bool> {
    let most = lit(u64::from(u32::MAX));
    let mut all: Exp<bool> = lit(true);
    let mut product: Exp<u64> = lit(1u64);
    for extent in extents {
        product *= extent.cast::<u64>();
        all &= product.le(most);
    }
    // A product with 0 is one, whatever comes before.
    let some: Exp<bool> = extents
        .iter()
        .fold(lit(false), |some, extent| some | extent.eq(0u32));
    all | some
}

/// What is asserted of the number of elements of an array.
pub const COUNTABLE: &str = "the elements of an array of an element can be counted in 32 bits";

/// Asserts, while the kernel runs, what the array that is made next needs. Its elements are read where that holds.
#[track_caller]
pub fn assert_here(condition: Exp<bool>, text: &str) {
    run_ahead(&assert_that(condition, text));
    graph(|graph| graph.locals.asserted.push(condition));
}

/// The conditions under which the elements of the array that is made now are read.
pub fn asserted() -> Option<Exp<bool>> {
    let all = graph(|graph| std::mem::take(&mut graph.locals.asserted)).unwrap_or_default();
    all.into_iter().reduce(|all, one| all & one)
}

/// Is an index below an extent by what it is: `i % n`, or at most `n - 1`? Then the kernel asserts that there is an element, and this is the condition
/// under which there is one.
#[track_caller]
pub fn kept_below(index: Exp<u32>, extent: Exp<u32>) -> Option<Exp<bool>> {
    if !is_of_the_form(index, extent) {
        return None;
    }
    let has_some = extent.ne(0u32);
    if extent.as_literal().is_none() {
        run_ahead(&assert_that(
            has_some,
            "an array of an element has the element that is asked for",
        ));
    }
    Some(has_some)
}

fn is_of_the_form(index: Exp<u32>, extent: Exp<u32>) -> bool {
    let (index, extent) = (index.node(), extent.node());
    session(|s| {
        let nodes = &s.tables.nodes;
        let number = |id| nodes.literal(id).and_then(|literal| literal.as_integer());
        let end = number(extent);
        match nodes.node(index) {
            Expression::Binary {
                op: BinaryOp::Rem,
                right,
                ..
            } => right == extent && end != Some(0),
            Expression::Binary {
                op: BinaryOp::Min,
                left,
                right,
                ..
            } => [left, right]
                .into_iter()
                .any(|side| match nodes.node(side) {
                    Expression::Binary {
                        op: BinaryOp::Sub,
                        left,
                        right,
                        ..
                    } => left == extent && number(right) == Some(1),
                    _ => number(side).zip(end).is_some_and(|(side, end)| side < end),
                }),
            _ => false,
        }
    })
    .unwrap_or(false)
}
