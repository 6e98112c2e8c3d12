//! What a kernel with `#[kernel(faults)]` says of an index that its user vouches for and that is outside of its array.
//!
//! Its function has one parameter more, the address of a word of 64 bits that begins with all bits set. An access that is outside is skipped (a
//! load gives 0), and its number and index are noted in the word, unless it is smaller already: so the word is the same in whatever order
//! threads run, and for any number of threads. What a word says, [`report`] tells.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::expression::Expressions;
use super::precedence::TERNARY;
use super::types::Typing;
use crate::emit::VouchedAccess;
use crate::emit::vouched::Vouched;
use crate::error::Origin;
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

/// An access whose index was outside of its array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// The array.
    pub array: ArrayId,
    /// The index.
    pub index: i64,
    /// Where it was asked for.
    pub origin: Origin,
}

/// What a word says that is not [`NO_FAULT`]; `None` if the text of the kernel has no such access, or too many to tell it from others.
///
/// It prints the kernel again, whose accesses have the same numbers then.
pub fn report(plan: &Plan, word: u64) -> Option<Report> {
    let number = usize::try_from(word >> INDEX_BITS).ok()?;
    let accesses = super::printed(plan);
    let (node, (array, origin)) = *accesses.get(number).filter(|_| number < LAST)?;
    let index = (word << (64 - INDEX_BITS)) as i64 >> (64 - INDEX_BITS);
    let tables = &plan.kernel().tables;
    // Arrays of a block are indexed in 32 bits, where exact arithmetic that comes to less than 0 is a large number.
    let in_32_bits = !matches!(tables.array(array).place, ArrayPlace::Global(_));
    let index = match u32::try_from(index) {
        Ok(low) if in_32_bits && is_exact(&tables.nodes, node) => i64::from(low as i32),
        _ => index,
    };
    Some(Report {
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

/// The accesses of a text that are checked.
#[derive(Default)]
pub(super) struct Faults {
    /// `None` if none is.
    checked: Option<Checked>,
}

#[derive(Default)]
struct Checked {
    vouched: Vouched,
    accesses: RefCell<Vec<(NodeId, VouchedAccess)>>,
    /// The first of all copies of an access, whose number they have: so which access is noted does not depend on how often a pass has
    /// copied the code of a thread.
    first: RefCell<BTreeMap<VouchedAccess, usize>>,
}

impl Faults {
    pub(super) fn of(plan: &Plan) -> Self {
        Faults {
            checked: plan.faults().then(|| Checked {
                vouched: Vouched::of(plan.kernel()),
                ..Checked::default()
            }),
        }
    }

    /// All accesses in the order of the text, copies included.
    pub(super) fn into_accesses(self) -> Vec<(NodeId, VouchedAccess)> {
        let checked = self.checked.unwrap_or_default();
        checked.accesses.into_inner()
    }
}

impl Checked {
    /// The number of an access: its position in the text, or that of the first copy of it.
    fn number(&self, index: NodeId, access: VouchedAccess) -> usize {
        let mut accesses = self.accesses.borrow_mut();
        let next = accesses.len();
        accesses.push((index, access));
        let first = *self.first.borrow_mut().entry(access).or_insert(next);
        first.min(LAST)
    }
}

impl Expressions<'_> {
    /// What a check is given of an access, `index, length, access, fault`; `None` if the index is proved to be inside, or is not to be checked.
    pub(super) fn checked(&self, array: ArrayId, index: NodeId, origin: Origin) -> Option<String> {
        let checked = self.faults.checked.as_ref()?;
        if !checked.vouched.is_vouched(self.nodes, index) {
            return None;
        }
        let number = checked.number(index, (array, origin));
        let length = match self.tables.array(array) {
            of if matches!(of.place, ArrayPlace::Global(_)) => self.names.length(array),
            of => self.print(of.length, TERNARY, Typing::Loose),
        };
        let index = self.index(array, index);
        Some(format!("{index}, {length}, {number}, {FAULT}"))
    }
}
