//! Expressions as text, with the parentheses that they need.

use std::borrow::Cow;

use super::addresses;
use super::faults::Faults;
use super::operators::{self, Case, Form};
use super::precedence::{ADD, ATOM, EQUAL, MUL, OR, TERNARY, UNARY};
use super::types::{self, Typing};
use crate::emit::Names;
use crate::error::Origin;
use crate::ordered::Map;
use crate::scalar::{
    ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, Special, Sum, Tables,
    VariableKind,
};

/// Prints expressions of one kernel.
pub(super) struct Expressions<'e> {
    pub(super) tables: &'e Tables,
    pub(super) nodes: &'e Nodes,
    pub(super) names: &'e Names<'e>,
    /// Nodes that have a name of their own here.
    pub(super) bound: &'e Map<NodeId, String>,
    /// The accesses that are checked so far.
    pub(super) faults: &'e Faults,
}

/// What is still to be printed. A list of these instead of recursion: expressions may be thousands
/// of nodes deep.
enum Item {
    Text(Cow<'static, str>),
    /// A node that binds at least so tightly.
    Node(NodeId, u8, Typing),
}

fn fixed(text: &'static str) -> Item {
    Item::Text(Cow::Borrowed(text))
}

fn owned(text: impl Into<String>) -> Item {
    Item::Text(Cow::Owned(text.into()))
}

impl Expressions<'_> {
    /// The text of a node, in parentheses if it binds less tightly than `least`.
    pub(super) fn print(&self, root: NodeId, least: u8, typing: Typing) -> String {
        self.text(vec![Item::Node(root, least, typing)])
    }

    fn text(&self, mut todo: Vec<Item>) -> String {
        let mut out = String::new();
        todo.reverse();
        while let Some(item) = todo.pop() {
            match item {
                Item::Text(text) => out.push_str(&text),
                Item::Node(id, least, typing) => {
                    let (precedence, items) = self.expand(id, typing);
                    let parentheses = precedence < least;
                    if parentheses {
                        todo.push(fixed(")"));
                    }
                    todo.extend(items.into_iter().rev());
                    if parentheses {
                        todo.push(fixed("("));
                    }
                }
            }
        }
        out
    }

    /// The text of an element of an array.
    pub(super) fn element(&self, array: ArrayId, index: NodeId) -> String {
        self.text(self.element_items(array, index))
    }

    /// The text of an element of an array that is read; its index is checked if the user vouches for it and wants it checked.
    pub(super) fn read(&self, array: ArrayId, index: NodeId, origin: Origin) -> String {
        self.text(self.loaded(array, index, origin))
    }

    fn loaded(&self, array: ArrayId, index: NodeId, origin: Origin) -> Vec<Item> {
        match self.checked(array, index, origin) {
            Some(given) => vec![owned(format!(
                "load_inside({}, {given})",
                self.names.array(array)
            ))],
            None => self.element_items(array, index),
        }
    }

    /// The text of an index of an array.
    pub(super) fn index(&self, array: ArrayId, index: NodeId) -> String {
        self.text(self.index_items(array, index))
    }

    fn element_items(&self, array: ArrayId, index: NodeId) -> Vec<Item> {
        let mut items = vec![owned(format!("{}[", self.names.array(array)))];
        items.extend(self.index_items(array, index));
        items.push(fixed("]"));
        items
    }

    fn index_items(&self, array: ArrayId, index: NodeId) -> Vec<Item> {
        let is_global = matches!(self.tables.array(array).place, ArrayPlace::Global(_));
        let sum = is_global.then(|| addresses::sum(self.nodes, self.bound, index));
        match sum.flatten() {
            Some(sum) => self.sum(&sum),
            None => vec![Item::Node(index, TERNARY, Typing::Loose)],
        }
    }

    /// A sum in 64 bits: the first term makes it one, and each product is one before it is added.
    /// Terms that no loop counts are added up in 32 bits first, where that saves arithmetic.
    fn sum(&self, sum: &Sum) -> Vec<Item> {
        let together = self.added_in_32_bits(sum);
        let is_single = |id: &NodeId| !together.contains(id);
        let rest = sum.terms.iter().filter(|(id, _)| is_single(id));
        let mut items = Vec::new();
        if together.len() == sum.terms.len() && sum.constant == 0 {
            items.extend(self.added(&together));
        } else if !together.is_empty() {
            items.push(fixed("(size_t)("));
            items.extend(self.added(&together));
            items.push(fixed(")"));
        }
        for (id, factor) in rest {
            let is_first = items.is_empty();
            items.push(fixed(match (is_first, *factor < 0) {
                (true, _) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            }));
            match factor.unsigned_abs() {
                1 if !is_first => items.push(Item::Node(*id, MUL, Typing::Loose)),
                1 => items.extend([fixed("(size_t)"), Item::Node(*id, UNARY, Typing::Exact)]),
                times => items.extend([
                    fixed("(size_t)"),
                    Item::Node(*id, UNARY, Typing::Exact),
                    owned(format!(" * {times}")),
                ]),
            }
        }
        match sum.constant {
            0 => {}
            n if n < 0 => items.push(owned(format!(" - {}", n.unsigned_abs()))),
            n => items.push(owned(format!(" + {n}"))),
        }
        items
    }

    /// The terms of a sum that are added up in 32 bits; none, or at least two. They are no multiples
    /// and no counters of loops, so no address of another round differs by a number, and what they
    /// are together does not wrap, as nothing is subtracted from it.
    fn added_in_32_bits(&self, sum: &Sum) -> Vec<NodeId> {
        if sum.subtracts() {
            return Vec::new();
        }
        let counts = |id: NodeId| match self.nodes.node(id) {
            Node::Variable(variable) => {
                self.tables.variable(variable).kind == VariableKind::Counter
            }
            _ => false,
        };
        let single = sum.terms.iter().filter(|(_, factor)| *factor == 1);
        let ids: Vec<NodeId> = single
            .map(|(id, _)| *id)
            .filter(|id| !counts(*id))
            .collect();
        let is_all = ids.len() == sum.terms.len() && sum.constant == 0;
        let computes = ids.iter().any(|id| !self.nodes.node(*id).is_leaf());
        match ids.len() > 1 && (is_all || computes) {
            true => ids,
            false => Vec::new(),
        }
    }

    fn added(&self, terms: &[NodeId]) -> Vec<Item> {
        let mut items = Vec::new();
        for (n, id) in terms.iter().enumerate() {
            items.push(fixed(if n == 0 { "" } else { " + " }));
            items.push(Item::Node(
                *id,
                if n == 0 { ADD } else { MUL },
                Typing::Exact,
            ));
        }
        items
    }

    /// One node as text and operands, and how tightly it binds.
    fn expand(&self, id: NodeId, typing: Typing) -> (u8, Vec<Item>) {
        if let Some(name) = self.bound.get(&id) {
            return (ATOM, vec![owned(name)]);
        }
        let ty = self.nodes.ty(id);
        match self.nodes.node(id) {
            Node::Literal(literal) => {
                let (text, precedence) = types::literal(literal, typing);
                (precedence, vec![owned(text)])
            }
            Node::Variable(variable) => (ATOM, vec![owned(self.names.variable(variable))]),
            Node::Length(array) => (ATOM, vec![owned(self.names.length(array))]),
            Node::Special(special) => (ATOM, vec![fixed(self::special(special))]),
            Node::Load { array, index } => (ATOM, self.loaded(array, index, self.nodes.origin(id))),
            Node::Unary { op, value } if op.is_promise() => self.expand(value, typing),
            Node::Unary { op, value } => {
                let ty = self.nodes.ty(value);
                self.form(operators::unary(op, ty), ty, &[value])
            }
            Node::Binary {
                op,
                exact,
                left,
                right,
            } => self.binary(op, exact, left, right),
            Node::MulAdd {
                left,
                right,
                addend,
            } => self.form(operators::mul_add(ty), ty, &[left, right, addend]),
            Node::Select {
                condition,
                then,
                otherwise,
            } => self.select((condition, then, otherwise), ty, typing),
            Node::Cast { value } => self.cast(value, ty),
            // Nothing with a poison in it is ever planned.
            Node::Poison => (
                ATOM,
                vec![owned(types::literal(Literal::zero(ty), Typing::Exact).0)],
            ),
        }
    }

    fn binary(&self, op: BinaryOp, exact: bool, left: NodeId, right: NodeId) -> (u8, Vec<Item>) {
        let ty = self.nodes.ty(left);
        let literal = self.nodes.literal(right);
        if let (true, Some(distance)) = (op.is_shift(), literal) {
            let form = operators::binary(op, ty, Case::Plain);
            let distance = distance.u32() % ty.bits();
            // The distance is no operand any more, but part of the text.
            return self.filled(
                form,
                &operators::of_type(form.text, ty).replace("$b", &distance.to_string()),
                ty,
                &[left],
            );
        }
        if let Some(known) = self.known(op, left, right) {
            return (ATOM, vec![owned(known.to_string())]);
        }
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let safe = divides && literal.is_some_and(|l| !matches!(l.as_integer(), Some(0 | -1)));
        let case = if exact || safe {
            Case::Plain
        } else {
            Case::Any
        };
        self.form(operators::binary(op, ty, case), ty, &[left, right])
    }

    /// The result of comparing an unsigned number with 0, where compilers warn that it is known.
    fn known(&self, op: BinaryOp, left: NodeId, right: NodeId) -> Option<bool> {
        let ty = self.nodes.ty(left);
        let zero = |id: NodeId| {
            ty.is_integer()
                && !ty.is_signed()
                && self.nodes.literal(id).is_some_and(|l| l.bits() == 0)
        };
        match op {
            BinaryOp::Lt if zero(right) => Some(false),
            BinaryOp::Ge if zero(right) => Some(true),
            BinaryOp::Gt if zero(left) => Some(false),
            BinaryOp::Le if zero(left) => Some(true),
            _ => None,
        }
    }

    /// A form with its operands, as parts.
    fn form(&self, form: Form, ty: ScalarType, operands: &[NodeId]) -> (u8, Vec<Item>) {
        self.filled(form, &operators::of_type(form.text, ty), ty, operands)
    }

    fn filled(
        &self,
        form: Form,
        text: &str,
        ty: ScalarType,
        operands: &[NodeId],
    ) -> (u8, Vec<Item>) {
        // The type of a shift is that of its left operand alone. Of literals alone, C would compute
        // in `int`.
        let shift = text.contains("<<") || text.contains(">>");
        let loose =
            form.loose && !shift && operands.iter().any(|id| self.nodes.literal(*id).is_none());
        let typing = if loose { Typing::Loose } else { Typing::Exact };
        let (mut items, mut rest) = (Vec::new(), text);
        while let Some((before, after)) = rest.split_once('$') {
            items.push(owned(before));
            let n = match after.chars().next() {
                Some('a') => 0,
                Some('b') => 1,
                _ => 2,
            };
            if let Some(operand) = operands.get(n) {
                items.push(Item::Node(*operand, form.operands[n], typing));
            }
            rest = after.get(1..).unwrap_or_default();
        }
        items.push(owned(rest));
        if !form.cast {
            return (form.precedence, items);
        }
        let parentheses = form.precedence < UNARY;
        items.insert(
            0,
            owned(format!(
                "({}){}",
                types::name(ty),
                if parentheses { "(" } else { "" }
            )),
        );
        items.push(fixed(if parentheses { ")" } else { "" }));
        (UNARY, items)
    }

    fn select(
        &self,
        (condition, then, otherwise): (NodeId, NodeId, NodeId),
        ty: ScalarType,
        typing: Typing,
    ) -> (u8, Vec<Item>) {
        let literals =
            self.nodes.literal(then).is_some() && self.nodes.literal(otherwise).is_some();
        // Of a narrow value and an `int` C makes an `int`.
        let narrow = ty.is_integer() && ty.bits() < 32;
        let typing = if literals || (narrow && typing == Typing::Exact) {
            Typing::Exact
        } else {
            Typing::Loose
        };
        let items = vec![
            Item::Node(condition, OR, Typing::Loose),
            fixed(" ? "),
            Item::Node(then, OR, typing),
            fixed(" : "),
            Item::Node(otherwise, TERNARY, typing),
        ];
        (TERNARY, items)
    }

    fn cast(&self, value: NodeId, to: ScalarType) -> (u8, Vec<Item>) {
        use ScalarType::{Bool, F32, I32, U32};
        let from = self.nodes.ty(value);
        let argument = |function: String| {
            (
                ATOM,
                vec![
                    owned(function),
                    Item::Node(value, TERNARY, Typing::Exact),
                    fixed(")"),
                ],
            )
        };
        match (from, to) {
            (_, Bool) => {
                let zero = types::literal(Literal::zero(from), Typing::Loose).0;
                (
                    EQUAL,
                    vec![
                        Item::Node(value, ADD, Typing::Exact),
                        owned(format!(" != {zero}")),
                    ],
                )
            }
            // These two instructions saturate and take NaN to 0, as all others do not.
            (F32, I32) => argument("__float2int_rz(".to_owned()),
            (F32, U32) => argument("__float2uint_rz(".to_owned()),
            _ if from.is_float() && to.is_integer() => {
                argument(format!("saturate<{}>(", types::name(to)))
            }
            _ => (
                UNARY,
                vec![
                    owned(format!("({})", types::name(to))),
                    Item::Node(value, UNARY, Typing::Exact),
                ],
            ),
        }
    }
}

fn special(special: Special) -> &'static str {
    match special {
        Special::ThreadIndex => "thread",
        Special::WarpIndex => "warp",
        Special::LaneIndex => "lane",
        Special::BlockIndex => "blockIdx.x",
        Special::GridSize => "gridDim.x",
        Special::Aligned => "aligned",
    }
}
