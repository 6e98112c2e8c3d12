//! What a kernel with assertions or `#[kernel(faults)]` says of an assertion that does not hold, and of an index that its user vouches for and that
//! is outside of its array.
//!
//! Its function has one more parameter, the address of a 64-bit word in which all bits are set at first. A check that fails puts its number and
//! index into the word, unless the word is already smaller: the result depends neither on the order of threads nor on their number. An access that is
//! outside is skipped, and a load gives 0. [`Checks::noted`](obsidian_base::launch::Checks::noted) decodes a word.

use std::cell::RefCell;

use obsidian_base::launch::LAST_FAULT;

use super::expression::Expressions;
use super::precedence::TERNARY;
use super::types::Typing;
use crate::emit::vouched::{Check, Vouched};
use crate::error::Origin;
use crate::ordered::Map;
use crate::plan::Plan;
use crate::scalar::{ArrayId, ArrayPlace, NodeId};

/// The name of the parameter.
pub(super) const FAULT: &str = "fault";

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
        first.min(LAST_FAULT)
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
