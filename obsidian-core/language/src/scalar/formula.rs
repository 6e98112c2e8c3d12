//! Expressions over lengths and numbers as [`Formula`]s, which a launch computes.

use std::borrow::Cow;

use obsidian_base::launch::{Formula, Step};

use crate::error::{Diagnostic, catalogue};
use crate::scalar::{ArrayId, BinaryOp, Node, NodeId, Nodes, ScalarType, VariableId};

/// The most steps of an extent of an array program, and of a length of a kernel.
pub const LONGEST_EXTENT: usize = 4096;
/// The most steps of what the launch of an array program's kernel works out. Lengths and numbers of blocks are products of a few extents, and quotients of these.
pub const LONGEST: usize = 16 * LONGEST_EXTENT;

/// Why longer formulas are refused.
pub const TOO_LONG: &str = "is too long";

enum Task {
    Enter(NodeId),
    Leave(Step),
}

/// What a formula is made over.
pub enum FormulaLeaf {
    /// The length of an array.
    Length(ArrayId),
    /// A variable.
    Variable(VariableId),
}

/// What a leaf stands for.
pub enum Leaf {
    /// A step.
    Step(Step),
    /// The value of another expression.
    Expression(NodeId),
}

/// An expression as a formula of at most `most` steps; `leaf` says what lengths and variables stand for.
pub fn formula_over(
    nodes: &Nodes,
    root: NodeId,
    most: usize,
    leaf: &dyn Fn(FormulaLeaf) -> Result<Leaf, Diagnostic>,
) -> Result<Formula, Diagnostic> {
    let (mut steps, mut tasks) = (Vec::new(), vec![Task::Enter(root)]);
    while let Some(task) = tasks.pop() {
        match task {
            Task::Leave(step) => steps.push(step),
            Task::Enter(id) => enter(nodes, id, leaf, &mut tasks)?,
        }
        if steps.len() + tasks.len() > most {
            return Err(catalogue::not_a_formula(TOO_LONG));
        }
    }
    Ok(Formula {
        steps: Cow::Owned(steps),
    })
}

fn enter(
    nodes: &Nodes,
    id: NodeId,
    leaf: &dyn Fn(FormulaLeaf) -> Result<Leaf, Diagnostic>,
    tasks: &mut Vec<Task>,
) -> Result<(), Diagnostic> {
    let of_leaf = |found: FormulaLeaf| -> Result<Task, Diagnostic> {
        Ok(match leaf(found)? {
            Leaf::Step(step) => Task::Leave(step),
            Leaf::Expression(value) => Task::Enter(value),
        })
    };
    match nodes.node(id) {
        Node::Literal(literal) => match literal.as_integer().and_then(|n| u64::try_from(n).ok()) {
            Some(n) => tasks.push(Task::Leave(Step::Literal(n))),
            None => return Err(catalogue::not_a_formula("uses a number that is no length")),
        },
        Node::Length(array) => tasks.push(of_leaf(FormulaLeaf::Length(array))?),
        Node::Variable(variable) => tasks.push(of_leaf(FormulaLeaf::Variable(variable))?),
        Node::Binary {
            op, left, right, ..
        } if nodes.ty(left) == ScalarType::U32 => {
            let step = step(op)
                .ok_or_else(|| catalogue::not_a_formula(&format!("uses `{}`", op.name())))?;
            tasks.extend([Task::Leave(step), Task::Enter(right), Task::Enter(left)]);
        }
        _ => {
            return Err(catalogue::not_a_formula(
                "uses more than `+ - * / % min max`",
            ));
        }
    }
    Ok(())
}

fn step(op: BinaryOp) -> Option<Step> {
    Some(match op {
        BinaryOp::Add => Step::Add,
        BinaryOp::Sub => Step::Sub,
        BinaryOp::Mul => Step::Mul,
        BinaryOp::Div => Step::Div,
        BinaryOp::Rem => Step::Rem,
        BinaryOp::Min => Step::Min,
        BinaryOp::Max => Step::Max,
        _ => return None,
    })
}
