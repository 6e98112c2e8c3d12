//! What a text checks at run time: accesses whose index the user vouches for (`i.unchecked()`), and assertions; numbered in the order in which the text
//! has them.
//!
//! Every other index is proved to be inside of its array. A text says which check failed by its number; what has to know what is behind a number prints
//! the kernel again: two prints of one kernel have the same checks in the same order.

use std::cell::RefCell;

use crate::error::Origin;
use crate::ir::{Kernel, Report, Stage};
use crate::ordered::Map;
use crate::scalar::{ArrayId, NodeId, Nodes, Promised, VariableId};

/// Something that a text checks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Check {
    /// The index of an access, which the user vouches for.
    Inside {
        /// The array.
        array: ArrayId,
        /// Where the access was asked for.
        origin: Origin,
    },
    /// An assertion.
    Assertion {
        /// The user's text.
        text: String,
        /// Where it stands.
        origin: Origin,
    },
}

impl Check {
    /// The assertion that fails where such a report is made.
    pub(super) fn of(report: &Report) -> Self {
        Check::Assertion {
            text: report.text.clone(),
            origin: report.origin,
        }
    }
}

/// The checks so far, and what names stand for.
#[derive(Debug, Default)]
pub(super) struct Vouched {
    lets: Map<VariableId, NodeId>,
    promised: RefCell<Promised>,
    checks: RefCell<Vec<(Option<NodeId>, Check)>>,
}

impl Vouched {
    pub(super) fn of<S: Stage>(kernel: &Kernel<S>) -> Self {
        Vouched {
            lets: kernel.lets(),
            ..Vouched::default()
        }
    }

    /// Returns `true` if the user vouches for an index, as the check decides it.
    pub(super) fn is_vouched(&self, nodes: &Nodes, index: NodeId) -> bool {
        let names = |variable| self.lets.get(&variable).copied();
        let mut promised = self.promised.borrow_mut();
        promised.of(nodes, index, names).inside
    }

    /// The number of a check, of an access with its index; equal ones have one number.
    pub(super) fn number(&self, index: Option<NodeId>, check: Check) -> usize {
        let mut checks = self.checks.borrow_mut();
        let entry = (index, check);
        let known = checks.iter().position(|other| *other == entry);
        known.unwrap_or_else(|| {
            checks.push(entry);
            checks.len() - 1
        })
    }

    /// The checks in the order of their numbers.
    pub(super) fn into_checks(self) -> Vec<Check> {
        let checks = self.checks.into_inner().into_iter();
        checks.map(|(_, check)| check).collect()
    }
}
