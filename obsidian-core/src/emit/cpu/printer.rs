//! What the printer knows while it writes: the text so far, names, and how each array is reached.

use crate::hashed::{HashMap, HashSet};

use super::linear::Lets;
use super::select::Frame;
use super::windows::Window;
use crate::emit::vouched::Check;
use crate::emit::vouched::Vouched;
use crate::ir::{Kernel, Lowered};
use crate::ordered::{Map, Set};
use crate::scalar::lazy::Known;
use crate::scalar::{ArrayId, BinaryOp, NodeId, VariableId};

/// Deeper lines are not moved further to the right: the text stays as long as the kernel is large.
const MAX_INDENT: usize = 24;

/// How the text reaches an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// A slice that is only read.
    Slice,
    /// The block's own piece of this many elements.
    Chunk(u32),
    /// The same, of which there may be less.
    Ragged(u32),
    /// The same, of an array that is changed in place.
    Own(u32),
    /// Elements of each core's own, merged by this operator at the end.
    Gathered(BinaryOp),
    /// Cells that all blocks may write.
    Cells,
    /// A local array.
    Local,
}

impl Access {
    /// The elements of a block's own piece.
    pub(super) fn piece(self) -> Option<u32> {
        match self {
            Access::Chunk(n) | Access::Ragged(n) | Access::Own(n) => Some(n),
            Access::Slice | Access::Gathered(_) | Access::Cells | Access::Local => None,
        }
    }
}

/// Writes one function.
pub(super) struct Printer<'k> {
    pub(super) kernel: &'k Kernel<Lowered>,
    pub(super) access: Map<ArrayId, Access>,
    /// The `Let`s that indices are taken apart through.
    pub(super) lets: Lets,
    /// The windows that are cut, and the rounds of the loops around where these are a number.
    pub(super) windows: Vec<Window>,
    pub(super) rounds: HashMap<VariableId, u32>,
    /// The names whose values the compiler must not know (`streams`).
    pub(super) hidden: Set<VariableId>,
    /// The local arrays that the compiler must leave in memory (`products`).
    pub(super) in_memory: Set<ArrayId>,
    /// Inside of the loop over the lanes of a level.
    pub(super) lanes: bool,
    /// The counter of the blocks, inside of them.
    pub(super) block: Option<VariableId>,
    /// The nodes that read arrays, themselves or below.
    pub(super) loading: HashSet<NodeId>,
    /// The expressions of the nodes that the current statement has evaluated, with their depth.
    pub(super) known: Known<(String, u32)>,
    /// The choices whose sides are being evaluated, the innermost last.
    pub(super) choices: Vec<Frame>,
    /// The condition under which the current expression may read arrays, if there is one.
    pub(super) guard: Option<String>,
    /// How often the current statement uses a node.
    pub(super) uses: HashMap<NodeId, u32>,
    /// The labels of the loops that can be left, the innermost last.
    pub(super) labels: Vec<String>,
    /// The accesses that the user vouches for.
    pub(super) vouched: Vouched,
    out: String,
    indent: usize,
    fresh: u32,
}

impl<'k> Printer<'k> {
    pub(super) fn new(kernel: &'k Kernel<Lowered>) -> Self {
        Printer {
            kernel,
            access: Map::new(),
            lets: Lets::new(),
            windows: Vec::new(),
            rounds: HashMap::default(),
            hidden: Set::new(),
            in_memory: Set::new(),
            lanes: false,
            block: None,
            loading: super::expression::loading(&kernel.tables.nodes),
            known: Known::default(),
            choices: Vec::new(),
            guard: None,
            uses: HashMap::default(),
            labels: Vec::new(),
            vouched: Vouched::of(kernel),
            out: String::new(),
            indent: 0,
            fresh: 0,
        }
    }

    /// Writes a line.
    pub(super) fn line(&mut self, text: &str) {
        self.out
            .extend(std::iter::repeat_n("    ", self.indent.min(MAX_INDENT)));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Writes a line that opens a block.
    pub(super) fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    /// Writes a line that closes a block.
    pub(super) fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    /// Goes on between two blocks that share a line.
    pub(super) fn open_again(&mut self) {
        self.indent += 1;
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.out
    }

    /// What the text checks, by number.
    pub(super) fn into_checks(self) -> Vec<Check> {
        self.vouched.into_checks()
    }

    /// A name that was not used before.
    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// The name of a variable.
    pub(super) fn variable(&self, id: VariableId) -> String {
        let hint = self.kernel.tables.variable(id).name.as_deref();
        with_hint('v', id.0, hint.unwrap_or_default())
    }

    /// The type of a variable.
    pub(super) fn variable_type(&self, id: VariableId) -> &'static str {
        self.kernel.tables.variable(id).ty.name()
    }

    /// The name of an array.
    pub(super) fn array(&self, id: ArrayId) -> String {
        with_hint('a', id.0, &self.kernel.tables.array(id).name)
    }

    /// The type of an array's elements.
    pub(super) fn array_type(&self, id: ArrayId) -> &'static str {
        self.kernel.tables.array(id).ty.name()
    }

    /// The name of the length of a parameter.
    pub(super) fn length(&self, id: ArrayId) -> String {
        with_hint('n', id.0, &self.kernel.tables.array(id).name)
    }

    /// How an array is reached.
    pub(super) fn access(&self, id: ArrayId) -> Access {
        self.access.get(&id).copied().unwrap_or(Access::Local)
    }
}

/// A name by kind and number, distinct from each other, from keywords and from the user's names.
fn with_hint(kind: char, number: u32, hint: &str) -> String {
    let hint: String = hint
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .take(32)
        .collect();
    if hint.is_empty() {
        format!("{kind}{number}")
    } else {
        format!("{kind}{number}_{hint}")
    }
}

#[cfg(test)]
mod tests {
    use super::with_hint;

    #[test]
    fn names_are_identifiers_whatever_the_hint() {
        assert_eq!(with_hint('v', 3, "sum"), "v3_sum");
        assert_eq!(with_hint('v', 3, "fn"), "v3_fn");
        assert_eq!(with_hint('a', 0, "größe-2"), "a0_gre2");
        assert_eq!(with_hint('n', 7, ""), "n7");
    }
}
