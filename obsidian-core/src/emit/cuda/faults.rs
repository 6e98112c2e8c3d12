//! What a kernel with assertions or `#[kernel(faults)]` says of an assertion that does not hold, and of an index that its user vouches for and that
//! is outside of its array.
//!
//! Its function has one more parameter, the address of a 64-bit word in which all bits are set at first. A check that fails puts its number and
//! index into the word, unless the word is already smaller: the result depends neither on the order of threads nor on their number. An access that is
//! outside is skipped, and a load gives 0. [`fault`] decodes a word.

use std::cell::RefCell;

use super::expression::Expressions;
use super::precedence::TERNARY;
use super::types::Typing;
use crate::emit::Check;
use crate::emit::vouched::Vouched;
use crate::error::Origin;
use crate::ordered::Map;
use crate::plan::Plan;
use crate::scalar::{ArrayId, ArrayPlace, Node, NodeId, Nodes};

/// The name of the parameter.
pub(super) const FAULT: &str = "fault";
/// The bits of a word that are the index, as a number with a sign; those above are the number of the access.
const INDEX_BITS: u32 = 48;
/// The largest number of an access: those above it have this one.
const LAST: usize = (1 << (64 - INDEX_BITS)) - 2;

/// The word of a launch in which nothing went wrong.
pub const NO_FAULT: u64 = u64::MAX;

/// A check that has failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An access whose index was outside of its array.
    Outside {
        /// The array.
        array: ArrayId,
        /// The index.
        index: i64,
        /// Where it was asked for.
        origin: Origin,
    },
    /// An assertion that did not hold.
    Assertion {
        /// The user's text.
        text: String,
        /// Where it stands.
        origin: Origin,
    },
}

/// What a word says that is not [`NO_FAULT`]; `None` if the text of the kernel has no such check, or too many to tell it from others.
///
/// It prints the kernel again, whose checks have the same numbers then.
pub fn fault(plan: &Plan, word: u64) -> Option<Fault> {
    let number = usize::try_from(word >> INDEX_BITS).ok()?;
    let mut checks = super::printed(plan);
    if number >= checks.len().min(LAST) {
        return None;
    }
    let (node, check) = checks.swap_remove(number);
    let (array, origin) = match check {
        Check::Inside { array, origin } => (array, origin),
        Check::Assertion { text, origin } => return Some(Fault::Assertion { text, origin }),
    };
    let index = (word << (64 - INDEX_BITS)) as i64 >> (64 - INDEX_BITS);
    let tables = &plan.kernel().tables;
    // Arrays of a block are indexed in 32 bits, where exact arithmetic that comes to less than 0 is a large number.
    let in_32_bits = !matches!(tables.array(array).place, ArrayPlace::Global(_));
    let index = match (u32::try_from(index), node) {
        (Ok(low), Some(node)) if in_32_bits && is_exact(&tables.nodes, node) => {
            i64::from(low as i32)
        }
        _ => index,
    };
    Some(Fault::Outside {
        array,
        index,
        origin,
    })
}

/// Is a node the result of exact arithmetic, perhaps with a promise?
fn is_exact(nodes: &Nodes, id: NodeId) -> bool {
    match nodes.node(id) {
        Node::Binary { exact, .. } => exact,
        Node::Unary { op, value } if op.is_promise() => is_exact(nodes, value),
        _ => false,
    }
}

/// The checks of a text.
#[derive(Default)]
pub(super) struct Faults {
    /// `None` if accesses are not checked.
    vouched: Option<Vouched>,
    checks: RefCell<Vec<(Option<NodeId>, Check)>>,
    /// The first of all copies of a check, whose number they have: so which one is noted does not depend on how often a pass has
    /// copied the code of a thread.
    first: RefCell<Map<Check, usize>>,
}

impl Faults {
    pub(super) fn of(plan: &Plan) -> Self {
        let accesses = plan.checks_accesses();
        Faults {
            vouched: accesses.then(|| Vouched::of(plan.kernel())),
            ..Faults::default()
        }
    }

    /// All checks in the order of the text, copies included.
    pub(super) fn into_checks(self) -> Vec<(Option<NodeId>, Check)> {
        self.checks.into_inner()
    }

    /// The number of a check, of an access with its index: its position in the text, or that of the first copy of it.
    pub(super) fn number(&self, index: Option<NodeId>, check: Check) -> usize {
        let mut checks = self.checks.borrow_mut();
        let next = checks.len();
        checks.push((index, check.clone()));
        let first = *self.first.borrow_mut().entry(check).or_insert(next);
        first.min(LAST)
    }
}

impl Expressions<'_> {
    /// What a check is given of an access, `index, length, access, fault`; `None` if the index is proved to be inside, or is not to be checked.
    pub(super) fn checked(&self, array: ArrayId, index: NodeId, origin: Origin) -> Option<String> {
        let vouched = self.faults.vouched.as_ref()?;
        if !vouched.is_vouched(self.nodes, index) {
            return None;
        }
        let check = Check::Inside { array, origin };
        let number = self.faults.number(Some(index), check);
        let length = match self.tables.array(array) {
            of if matches!(of.place, ArrayPlace::Global(_)) => self.names.length(array),
            of => self.print(of.length, TERNARY, Typing::Loose),
        };
        let index = self.index(array, index);
        Some(format!("{index}, {length}, {number}, {FAULT}"))
    }
}
