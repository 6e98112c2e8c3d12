//! Choices of which only the chosen side may be evaluated, because it reads an array.
//!
//! Most become an `if` with two blocks:
//!
//! ```text
//! let t1: i32 = if (i > 0) { a0_input[i - 1] } else { 0i32 };
//! ```
//!
//! A choice in a choice, and so on, as a loop of the host makes it, would nest without end. From
//! some depth on the text is flat: each side has a guard, under which alone arrays are read, and
//! everything else is computed on whatever is there.
//!
//! ```text
//! let t2: bool = (i > 0);                        // the guard of the first side
//! let t3: bool = !(i > 0);                       // the guard of the other
//! let t1: i32 = if (i > 0) { (if t2 { a0_input[i - 1] } else { 0i32 }) } else { 0i32 };
//! ```

use super::printer::Printer;
use crate::scalar::{Node, NodeId};

/// Deeper choices are flat.
const MAX_NESTED: usize = 8;

/// A choice whose sides are being evaluated.
pub(super) struct Frame {
    /// Bound to the result.
    name: String,
    /// If it is flat, the guard around it and the expression of the first side.
    flat: Option<(Option<String>, String)>,
}

impl Printer<'_> {
    /// Begins the first side; the condition is known.
    pub(super) fn open_choice(&mut self, id: NodeId) {
        let Node::Select { condition, .. } = self.kernel.tables.nodes.node(id) else {
            return;
        };
        let (condition, ty) = (self.text(condition), self.kernel.tables.nodes.ty(id).name());
        let name = self.fresh("t");
        let flat = (self.known.depth() >= MAX_NESTED).then(|| (self.guard.clone(), String::new()));
        match &flat {
            Some((outer, _)) => self.guard_side(outer.as_deref(), &condition),
            None => self.open(&format!("let {name}: {ty} = if {condition} {{")),
        }
        self.choices.push(Frame { name, flat });
    }

    /// Ends the first side and begins the other.
    pub(super) fn turn_choice(&mut self, id: NodeId) {
        let (
            Node::Select {
                condition, then, ..
            },
            Some(mut frame),
        ) = (self.kernel.tables.nodes.node(id), self.choices.pop())
        else {
            return;
        };
        let text = self.text(then);
        match &mut frame.flat {
            Some((outer, first)) => {
                *first = text;
                let negated = format!("!{}", self.text(condition));
                self.guard_side(outer.as_deref(), &negated);
            }
            None => {
                self.line(&text);
                self.close("} else {");
                self.open_again();
            }
        }
        self.choices.push(frame);
    }

    /// Ends the other side; the name of the result.
    pub(super) fn close_choice(&mut self, id: NodeId) -> String {
        let (
            Node::Select {
                condition,
                otherwise,
                ..
            },
            Some(frame),
        ) = (self.kernel.tables.nodes.node(id), self.choices.pop())
        else {
            return String::new();
        };
        let (text, name) = (self.text(otherwise), frame.name);
        match frame.flat {
            Some((outer, first)) => {
                let (condition, ty) =
                    (self.text(condition), self.kernel.tables.nodes.ty(id).name());
                self.line(&format!(
                    "let {name}: {ty} = if {condition} {{ {first} }} else {{ {text} }};"
                ));
                self.guard = outer;
            }
            None => {
                self.line(&text);
                self.close("};");
            }
        }
        name
    }

    /// Binds the guard of a side.
    fn guard_side(&mut self, outer: Option<&str>, condition: &str) {
        let guard = self.fresh("t");
        let all = outer.map_or_else(
            || condition.to_owned(),
            |outer| format!("{outer} & {condition}"),
        );
        self.line(&format!("let {guard}: bool = {all};"));
        self.guard = Some(guard);
    }
}
