//! Nodes as expressions.
//!
//! The nodes of a statement are visited from the operands up, without recursion. One that the
//! statement uses more than once, or that is many operators deep, gets a `let` of its own, so that
//! the text is as long as the nodes are many and never deeply nested. The arms of a `select` that
//! read arrays are evaluated only if chosen; other arms cannot go wrong and are evaluated like any
//! operand, which is what lets the compiler work on several elements at once.

use super::linear;
use super::operators;
use super::printer::{Access, Printer};
use crate::error::Origin;
use crate::hashed::HashSet;
use crate::scalar::lazy::{self, Evaluator, Known};
use crate::scalar::{ArrayId, Literal, Node, NodeId, Nodes, Sum, VariableId};

/// Deeper expressions are given a name.
const MAX_DEPTH: u32 = 8;

/// The nodes that read arrays, themselves or below.
pub(super) fn loading(nodes: &Nodes) -> HashSet<NodeId> {
    let mut found = HashSet::default();
    for id in nodes.ids() {
        let node = nodes.node(id);
        if node.is_load() || node.operands().any(|operand| found.contains(&operand)) {
            found.insert(id);
        }
    }
    found
}

/// An index as it is printed.
pub(super) struct Index {
    pub(super) sum: Sum,
    /// What is still to be subtracted from the sum: where the block's piece begins. The pair is the
    /// number of the block and the number of elements in a piece.
    start: Option<(VariableId, u32)>,
}

impl Index {
    /// Returns `true` if nothing is to be subtracted from the sum.
    pub(super) fn is_counted_here(&self) -> bool {
        self.start.is_none()
    }
}

impl From<Sum> for Index {
    fn from(sum: Sum) -> Self {
        Index { sum, start: None }
    }
}

impl Printer<'_> {
    /// Begins a statement that evaluates these nodes.
    pub(super) fn begin(&mut self, roots: &[NodeId]) {
        self.known.clear();
        self.uses.clear();
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            let uses = self.uses.entry(id).or_insert(0);
            *uses += 1;
            if *uses == 1 {
                stack.extend(self.operands(id));
            }
        }
    }

    /// The expression of a node; what has to happen before it is written.
    pub(super) fn value(&mut self, root: NodeId) -> String {
        lazy::evaluate(self, root);
        self.text(root)
    }

    /// The element that an index names, as a `usize`; counted from the block's piece if the array
    /// is given out in pieces.
    pub(super) fn index(&mut self, array: ArrayId, index: NodeId) -> String {
        let index = self.index_here(array, index);
        for (node, _) in &index.sum.terms {
            self.value(*node);
        }
        self.index_text(&index)
    }

    /// An index as it is counted where the array is reached: from its start, or from that of the block's
    /// piece.
    pub(super) fn index_here(&self, array: ArrayId, index: NodeId) -> Index {
        let nodes = &self.kernel.tables.nodes;
        let sum = linear::of(nodes, &self.lets, index);
        let (Some(n), Some(block)) = (self.access(array).piece(), self.block) else {
            return Index { sum, start: None };
        };
        match linear::without(sum.clone(), nodes, block, n.into()) {
            Some(sum) => Index { sum, start: None },
            None => Index {
                sum,
                start: Some((block, n)),
            },
        }
    }

    fn index_text(&self, index: &Index) -> String {
        let text = linear::text(&index.sum, |node| self.text(node));
        match index.start {
            None => text,
            Some((block, n)) => {
                let block = self.variable(block);
                format!("({text}).wrapping_sub(({block} as usize).wrapping_mul({n}usize))")
            }
        }
    }

    /// The expression of a node that was evaluated.
    pub(super) fn text(&self, id: NodeId) -> String {
        let known = self.known.get(id);
        known.map_or_else(|| self.form(id), |(text, _)| text.clone())
    }

    /// The expression of a node over the expressions of its operands.
    fn form(&self, id: NodeId) -> String {
        let nodes = &self.kernel.tables.nodes;
        let ty = nodes.ty(id);
        match nodes.node(id) {
            Node::Literal(literal) => operators::literal(literal),
            Node::Variable(variable) => self.variable(variable),
            Node::Length(array) => self.length(array),
            Node::Special(_) | Node::Poison => operators::literal(Literal::zero(ty)),
            Node::Load { array, index } => {
                let element = self.loaded(array, index, nodes.origin(id));
                match &self.guard {
                    Some(guard) => format!(
                        "(if {guard} {{ {element} }} else {{ {} }})",
                        operators::literal(Literal::zero(ty))
                    ),
                    None => element,
                }
            }
            Node::Unary { op, value } => operators::unary(op, nodes.ty(value), &self.text(value)),
            Node::Binary {
                op, left, right, ..
            } => operators::binary(op, nodes.ty(left), &self.text(left), &self.text(right)),
            Node::MulAdd {
                left,
                right,
                addend,
            } => operators::mul_add(ty, &self.text(left), &self.text(right), &self.text(addend)),
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                format!(
                    "(if {} {{ {} }} else {{ {} }})",
                    self.text(condition),
                    self.text(then),
                    self.text(otherwise)
                )
            }
            Node::Cast { value } => operators::cast(nodes.ty(value), ty, &self.text(value)),
        }
    }

    /// An element that is read, after what its index is made of.
    pub(super) fn read(&mut self, array: ArrayId, index: NodeId, origin: Origin) -> String {
        for (node, _) in self.place(array, index).1.sum.terms {
            self.value(node);
        }
        self.loaded(array, index, origin)
    }

    /// An element that is read, over the expressions of what its index is made of: of a window, if there
    /// is one for it. If the user vouches for its index, the text has the number of the access.
    fn loaded(&self, array: ArrayId, index: NodeId, origin: Origin) -> String {
        let vouched = self.vouched(array, index, origin);
        let (window, index) = self.place(array, index);
        let index = self.index_text(&index);
        if let Some(window) = window {
            return match self.access(array) {
                Access::Cells => format!("{window}.load({index})"),
                _ => format!("{window}[{index}]"),
            };
        }
        let name = self.array(array);
        match (self.access(array) == Access::Cells, vouched) {
            (true, None) => format!("{name}.load({index})"),
            (true, Some(site)) => format!("{name}.load_vouched({index}, {site}u32)"),
            (false, None) => format!("{name}[{index}]"),
            (false, Some(site)) => format!("rt::vouched(&{name}, {index}, {site}u32)"),
        }
    }
}

impl Evaluator for Printer<'_> {
    /// The expression, and how many operators deep it is.
    type Value = (String, u32);

    fn nodes(&self) -> &Nodes {
        &self.kernel.tables.nodes
    }

    fn known(&mut self) -> &mut Known<(String, u32)> {
        &mut self.known
    }

    /// The operands, or the terms of an index.
    fn operands(&self, id: NodeId) -> Vec<NodeId> {
        let nodes = &self.kernel.tables.nodes;
        match nodes.node(id) {
            Node::Load { array, index } => {
                let (_, index) = self.place(array, index);
                index.sum.terms.into_iter().map(|(node, _)| node).collect()
            }
            node => node.operands().collect(),
        }
    }

    /// Arms that read arrays.
    fn is_lazy(&self, arm: NodeId) -> bool {
        self.loading.contains(&arm)
    }

    /// Makes the expression, or binds a name to it.
    fn evaluate(&mut self, id: NodeId) -> (String, u32) {
        let text = self.form(id);
        if self.kernel.tables.nodes.node(id).is_leaf() {
            return (text, 0);
        }
        let depth = 1 + self
            .operands(id)
            .into_iter()
            .filter_map(|operand| self.known.get(operand))
            .map(|known| known.1)
            .max()
            .unwrap_or(0);
        if depth < MAX_DEPTH && self.uses.get(&id).is_none_or(|&uses| uses < 2) {
            return (text, depth);
        }
        let name = self.fresh("t");
        self.line(&format!(
            "let {name}: {} = {text};",
            self.kernel.tables.nodes.ty(id).name()
        ));
        (name, 0)
    }

    fn open(&mut self, choice: NodeId) {
        self.open_choice(choice);
    }

    fn turn(&mut self, choice: NodeId) {
        self.turn_choice(choice);
    }

    fn close(&mut self, choice: NodeId) -> (String, u32) {
        (self.close_choice(choice), 0)
    }
}

#[cfg(test)]
mod tests {
    use crate::emit::cpu::{RUNTIME, function};
    use crate::error::Origin;
    use crate::ir::{Kernel, Level, LevelledLoop, Parameter, ParameterKind, Statement, Unroll};
    use crate::plan::WritePattern;
    use crate::scalar::{
        Array, ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Role, ScalarType, Tables,
        Variable, VariableId, VariableKind,
    };

    /// The text of a kernel that stores one value, made by `f` from `input[b]`, in block `b`.
    fn text(f: impl FnOnce(&mut Tables, NodeId) -> NodeId) -> String {
        text_at(|_, b| b, f)
    }

    /// The same, which stores at an index made by `at` from `b`.
    fn text_at(
        at: impl FnOnce(&mut Tables, NodeId) -> NodeId,
        f: impl FnOnce(&mut Tables, NodeId) -> NodeId,
    ) -> String {
        let mut tables = Tables::default();
        let number = tables.nodes.add_literal(Literal::from(7u32));
        for (name, role) in [("input", Role::Input), ("output", Role::Output)] {
            let place = ArrayPlace::Global(role);
            tables.arrays.push(Array {
                name: name.into(),
                ty: ScalarType::U32,
                length: number,
                place,
                origin: Origin::UNKNOWN,
            });
        }
        tables.variables.push(Variable {
            name: None,
            ty: ScalarType::U32,
            kind: VariableKind::Counter,
        });
        tables.variables.push(Variable {
            name: None,
            ty: ScalarType::U32,
            kind: VariableKind::Counter,
        });
        let b = tables
            .nodes
            .add(Node::Variable(VariableId(0)), ScalarType::U32);
        let x = tables.nodes.add(
            Node::Load {
                array: ArrayId(0),
                index: b,
            },
            ScalarType::U32,
        );
        let value = f(&mut tables, x);
        let index = at(&mut tables, b);
        let one = tables.nodes.add_literal(Literal::from(1u32));
        let store = Statement::Store {
            array: ArrayId(1),
            index,
            value,
            origin: Origin::UNKNOWN,
        };
        let all = Statement::Loop {
            kind: LevelledLoop::ForAll(Level::Block),
            unroll: Unroll::Free,
            counter: VariableId(1),
            bounds: [one],
            body: vec![store],
        };
        let body = vec![Statement::Loop {
            kind: LevelledLoop::Distribute(Level::Block),
            unroll: Unroll::Free,
            counter: VariableId(0),
            bounds: [number],
            body: vec![all],
        }];
        let parameters = [0, 1]
            .map(|n| Parameter {
                group: n,
                kind: ParameterKind::Array(ArrayId(n)),
            })
            .to_vec();
        let kernel = Kernel {
            name: "k".into(),
            tables,
            parameters,
            threads: (),
            body,
        };
        function(&kernel, &|_| WritePattern::Chunks(1), RUNTIME)
    }

    #[test]
    fn an_index_that_is_no_sum_is_counted_from_the_start_of_the_piece() {
        let piece = |text: String| {
            let store = text.lines().find(|line| line.contains("] = a0_input"));
            store.map(str::trim).map(str::to_owned)
        };
        let opaque = text_at(
            |tables, b| {
                let seven = tables.nodes.add_literal(Literal::from(7u32));
                let more = tables.nodes.binary(BinaryOp::Xor, b, seven);
                tables.nodes.binary(BinaryOp::Xor, more, b)
            },
            |_, x| x,
        );
        assert_eq!(
            piece(opaque).unwrap(),
            "a1_output[(((v0 ^ 7u32) ^ v0) as usize).wrapping_sub((v0 as usize).wrapping_mul(1usize))] = a0_input[v0 as usize];"
        );
        let sum = text(|_, x| x);
        assert_eq!(
            piece(sum).unwrap(),
            "a1_output[0usize] = a0_input[v0 as usize];"
        );
    }

    fn deepest(text: &str) -> i32 {
        let mut depth = 0i32;
        let depths = text.chars().map(|c| {
            depth += i32::from("({[".contains(c)) - i32::from(")}]".contains(c));
            depth
        });
        depths.max().unwrap_or(0)
    }

    #[test]
    fn what_is_used_twice_is_written_once() {
        let text = text(|tables, mut x| {
            for _ in 0..1000 {
                x = tables.nodes.binary(BinaryOp::Mul, x, x);
            }
            x
        });
        assert!(text.len() < 100_000, "{}", text.len());
    }

    #[test]
    fn deep_expressions_are_not_deeply_nested() {
        let text = text(|tables, x| {
            let one = tables.nodes.add_literal(Literal::from(1u32));
            (0..20_000).fold(x, |sum, _| {
                let shifted = tables.nodes.binary(BinaryOp::Xor, sum, one);
                tables.nodes.binary(BinaryOp::Sub, shifted, one)
            })
        });
        assert!(deepest(&text) < 40);
    }

    #[test]
    fn a_name_is_given_where_an_expression_is_as_deep_as_it_may_be() {
        let names = |operators: u32| {
            let text = text(|tables, x| {
                let one = tables.nodes.add_literal(Literal::from(1u32));
                (0..operators).fold(x, |x, n| {
                    tables
                        .nodes
                        .binary([BinaryOp::Xor, BinaryOp::Sub][n as usize % 2], x, one)
                })
            });
            text.matches("let t").count()
        };
        // The element that is read is the lowest level; a name is a leaf of what it is used in.
        assert_eq!([6, 7, 14, 15].map(names), [0, 1, 1, 2]);
    }

    #[test]
    fn an_arm_that_loads_is_evaluated_only_if_chosen() {
        let text = text(|tables, x| {
            let one = tables.nodes.add_literal(Literal::from(1u32));
            let large = tables.nodes.binary(BinaryOp::Gt, x, one);
            let next = tables.nodes.add(
                Node::Load {
                    array: ArrayId(0),
                    index: x,
                },
                ScalarType::U32,
            );
            let sum = tables.nodes.binary(BinaryOp::Add, x, one);
            tables.nodes.select(large, next, sum)
        });
        let before = text.split("} else {").next().unwrap_or_default();
        assert!(
            before.trim_end().ends_with("a0_input[t1 as usize]"),
            "{text}"
        );
    }

    #[test]
    fn choices_in_choices_are_not_deeply_nested() {
        let text = text(|tables, x| {
            (0..3000u32).fold(x, |sum, n| {
                let n = tables.nodes.add_literal(Literal::from(n));
                let large = tables.nodes.binary(BinaryOp::Gt, x, n);
                let element = tables.nodes.add(
                    Node::Load {
                        array: ArrayId(0),
                        index: n,
                    },
                    ScalarType::U32,
                );
                let chosen = tables.nodes.select(large, element, sum);
                tables.nodes.binary(BinaryOp::Xor, chosen, n)
            })
        });
        assert!(deepest(&text) < 40);
        assert!(text.len() < 2_000_000, "{}", text.len());
    }
}
