//! Expressions as operations.
//!
//! What all lanes share is computed once, as a single value. Sums and multiples of the lane's number
//! stay what they are, a *ramp* of two single values: accesses at ramps need no column of indices,
//! and those of neighbours are copies. A quotient of neighbours is a single value where the strip ends
//! with its row, and a comparison of them is a range of lanes. Everything else is a column.
//!
//! An arm of a `select` that reads arrays is computed by the lanes that choose it: it stands under a
//! mask, and is jumped over where no lane does.

use obsidian_language::error::Origin;
use obsidian_language::scalar::lazy::{self, Evaluator, Known};
use obsidian_language::scalar::{BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, UnaryOp};

use super::super::code::{Apply, Below, Instr, Plain, Reg, Space};
use super::super::execute::SHORT_ROW;
use super::super::{memory, operators};
use super::{Compiler, args};

/// Where the value of an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// In a register.
    Reg(Reg),
    /// Lane `l` has `base + l * stride`, wrapped; both are single values.
    Ramp { base: Reg, stride: Reg },
    /// Does a ramp of neighbours stay below a number that all lanes share?
    Below(Below),
}

impl Value {
    /// The register of a value that all lanes share.
    pub(super) fn shared(self) -> Option<Reg> {
        match self {
            Value::Reg(reg) if reg.is_scalar() => Some(reg),
            _ => None,
        }
    }
}

/// A choice whose arms are being evaluated.
pub(super) struct Choice {
    condition: Value,
    /// The jump over the arm that is being evaluated.
    jump: usize,
    /// The mask around the choice.
    outer: u32,
    /// The first instruction of the arm that is being evaluated.
    begin: usize,
    /// Where the value of the arms goes, once that is known.
    result: Option<Reg>,
    /// The jump over the second arm, where all lanes choose the same.
    skip: usize,
}

impl Compiler<'_> {
    /// Evaluates the expressions of a statement.
    pub(super) fn values<const N: usize>(&mut self, roots: [NodeId; N]) -> [Value; N] {
        self.known.clear();
        self.varying.clear();
        roots.map(|root| {
            lazy::evaluate(self, root);
            self.value(root)
        })
    }

    /// The same, for one.
    pub(super) fn value_of(&mut self, root: NodeId) -> Value {
        let [value] = self.values([root]);
        value
    }

    /// The value of a node that was evaluated.
    fn value(&mut self, id: NodeId) -> Value {
        match self.known.get(id) {
            Some(value) => *value,
            None => self.leaf(id),
        }
    }

    fn leaf(&mut self, id: NodeId) -> Value {
        let ty = self.nodes.ty(id);
        match self.nodes.node(id) {
            Node::Literal(literal) => Value::Reg(self.constant(literal)),
            Node::Variable(variable) => match self.names.get(&variable) {
                Some(value) => *value,
                None => {
                    self.impossible("a variable has no value");
                    Value::Reg(self.constant(Literal::zero(ty)))
                }
            },
            Node::Length(array) => match self.lengths.get(&array) {
                Some(length) => Value::Reg(*length),
                None => {
                    self.impossible("an array has no length");
                    Value::Reg(self.constant(Literal::zero(ty)))
                }
            },
            _ => Value::Reg(self.constant(Literal::zero(ty))),
        }
    }

    /// A value in a register; a ramp becomes a column.
    pub(super) fn in_register(&mut self, value: Value) -> Reg {
        match value {
            Value::Reg(reg) => reg,
            Value::Ramp { base, stride } => {
                let to = self.column(ScalarType::U32);
                self.apply(operators::ramp, to, &[base, stride]);
                to
            }
            Value::Below(below) => {
                let to = self.column(ScalarType::Bool);
                let run = match (below.inclusive, below.negated) {
                    (false, false) => operators::below::<false, false>,
                    (false, true) => operators::below::<false, true>,
                    (true, false) => operators::below::<true, false>,
                    (true, true) => operators::below::<true, true>,
                };
                self.apply(run, to, &[below.first, below.limit]);
                to
            }
        }
    }

    /// A value in a column.
    fn in_column(&mut self, value: Value) -> Reg {
        let reg = self.in_register(value);
        if !reg.is_scalar() {
            return reg;
        }
        let to = self.column(reg.ty());
        self.apply(operators::copy(reg.ty()), to, &[reg]);
        to
    }

    fn apply(&mut self, run: Apply, to: Reg, from: &[Reg]) {
        self.apply_plain(run, to, from, Plain::Unary(UnaryOp::Trust));
    }

    fn apply_plain(&mut self, run: Apply, to: Reg, from: &[Reg], plain: Plain) {
        let (args, mask) = (args(to, from, plain), self.mask());
        self.emit(Instr::Apply { run, args, mask });
    }

    /// A new register for what comes of these operands.
    fn result(&mut self, ty: ScalarType, operands: &[Reg]) -> Reg {
        if operands.iter().all(|reg| reg.is_scalar()) {
            self.scalar(ty)
        } else {
            self.column(ty)
        }
    }

    fn unary(&mut self, id: NodeId, op: UnaryOp, operand: NodeId) -> Value {
        let value = self.value(operand);
        if op.is_promise() {
            return value;
        }
        let x = self.in_register(value);
        let to = self.result(self.nodes.ty(id), &[x]);
        self.apply_plain(operators::unary(op, x.ty()), to, &[x], Plain::Unary(op));
        Value::Reg(to)
    }

    fn binary(&mut self, id: NodeId, op: BinaryOp, operands: [NodeId; 2]) -> Value {
        let [left, right] = operands.map(|operand| self.value(operand));
        if let Some(ramp) = self.ramp(op, left, right) {
            return ramp;
        }
        if let Some(value) = self.row(op, [left, right], operands[1]) {
            return value;
        }
        if let Some(below) = self.below(op, left, right) {
            return Value::Below(below);
        }
        let (x, y) = (self.in_register(left), self.in_register(right));
        Value::Reg(self.operation(op, self.nodes.ty(id), x, y))
    }

    fn operation(&mut self, op: BinaryOp, ty: ScalarType, x: Reg, y: Reg) -> Reg {
        let to = self.result(ty, &[x, y]);
        self.apply_plain(
            operators::binary(op, x.ty()),
            to,
            &[x, y],
            Plain::Binary(op),
        );
        to
    }

    /// Sums and multiples of ramps are ramps.
    fn ramp(&mut self, op: BinaryOp, left: Value, right: Value) -> Option<Value> {
        let u32 = ScalarType::U32;
        let (base, stride) = match (op, left, right) {
            (BinaryOp::Add | BinaryOp::Sub, Value::Ramp { base, stride }, Value::Reg(y))
                if y.is_scalar() =>
            {
                (self.operation(op, u32, base, y), stride)
            }
            (BinaryOp::Add, Value::Reg(x), Value::Ramp { base, stride }) if x.is_scalar() => {
                (self.operation(op, u32, x, base), stride)
            }
            (BinaryOp::Sub, Value::Reg(x), Value::Ramp { base, stride }) if x.is_scalar() => {
                let zero = self.constant(Literal::zero(u32));
                (
                    self.operation(op, u32, x, base),
                    self.operation(op, u32, zero, stride),
                )
            }
            (
                BinaryOp::Add | BinaryOp::Sub,
                Value::Ramp { base, stride },
                Value::Ramp {
                    base: other,
                    stride: by,
                },
            ) => (
                self.operation(op, u32, base, other),
                self.operation(op, u32, stride, by),
            ),
            (BinaryOp::Mul, Value::Ramp { base, stride }, Value::Reg(y))
            | (BinaryOp::Mul, Value::Reg(y), Value::Ramp { base, stride })
                if y.is_scalar() =>
            {
                (
                    self.operation(op, u32, base, y),
                    self.operation(op, u32, stride, y),
                )
            }
            _ => return None,
        };
        Some(Value::Ramp { base, stride })
    }

    /// A ramp of neighbours that is compared with a number that all lanes share.
    fn below(&mut self, op: BinaryOp, left: Value, right: Value) -> Option<Below> {
        let (first, stride, limit, is_left) = match (left, right) {
            (Value::Ramp { base, stride }, Value::Reg(limit)) => (base, stride, limit, true),
            (Value::Reg(limit), Value::Ramp { base, stride }) => (base, stride, limit, false),
            _ => return None,
        };
        if !limit.is_scalar() || stride != self.constant(Literal::from(1u32)) {
            return None;
        }
        // `limit < ramp` is the contrary of `ramp <= limit`.
        let (inclusive, negated) = match (op, is_left) {
            (BinaryOp::Lt, true) | (BinaryOp::Gt, false) => (false, false),
            (BinaryOp::Le, true) | (BinaryOp::Ge, false) => (true, false),
            (BinaryOp::Gt, true) | (BinaryOp::Lt, false) => (true, true),
            (BinaryOp::Ge, true) | (BinaryOp::Le, false) => (false, true),
            _ => return None,
        };
        Some(Below {
            first,
            limit,
            inclusive,
            negated,
        })
    }

    /// Quotient and remainder of a ramp of neighbours. A strip that ends with the row in which it begins has one quotient, and its
    /// remainders are neighbours too. Rows of one length that begin elsewhere, as of `(i + 1) % w`, are columns: their ends would leave short
    /// strips.
    fn row(&mut self, op: BinaryOp, operands: [Value; 2], divisor: NodeId) -> Option<Value> {
        let (Value::Ramp { base, stride }, Value::Reg(by)) = (operands[0], operands[1]) else {
            return None;
        };
        let lanes = self.lanes.filter(|lanes| lanes.cuts)?;
        let known = match self.nodes.node(divisor) {
            Node::Literal(literal) => literal.as_integer(),
            _ => None,
        };
        let is_short = known.is_some_and(|by| (1..i128::from(SHORT_ROW)).contains(&by));
        let is_division = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        if !is_division
            || !by.is_scalar()
            || is_short
            || stride != self.constant(Literal::from(1u32))
        {
            return None;
        }
        if self
            .rows
            .iter()
            .any(|(first, of)| *of == by && *first != base)
        {
            return None;
        }
        self.rows.push((base, by));
        let cut = Instr::Cut {
            first: base,
            by,
            mask: lanes.mask,
            otherwise: 0,
        };
        self.emit(cut);
        if let Some(now) = &mut self.lanes {
            now.needs_whole |= known.is_none() || lanes.mask != 0;
        }
        let value = self.operation(op, ScalarType::U32, base, by);
        Some(match op {
            BinaryOp::Div => Value::Reg(value),
            _ => Value::Ramp {
                base: value,
                stride,
            },
        })
    }

    /// An element that is read.
    pub(super) fn element(
        &mut self,
        array: obsidian_language::scalar::ArrayId,
        (index, at): (NodeId, Value),
        origin: Origin,
        shares: bool,
    ) -> Value {
        let access = self.access(array, index, at, origin);
        let ty = self.kernel.tables.array(array).ty;
        let is_shared = self.lanes.is_none()
            || shares && at.shared().is_some() && !matches!(access.space, Space::Held(_));
        if self.lanes.is_none() && at.shared().is_none() {
            self.impossible("lanes read where there are none");
        }
        let to = if is_shared {
            self.scalar(ty)
        } else {
            self.column(ty)
        };
        let run = memory::load(ty);
        self.emit(Instr::Load { run, access, to });
        Value::Reg(to)
    }

    fn mul_add(&mut self, id: NodeId, operands: [NodeId; 3]) -> Value {
        let ty = self.nodes.ty(id);
        let values = operands.map(|operand| self.value(operand));
        let from = match values.map(Value::shared) {
            [Some(x), Some(y), Some(z)] => [x, y, z],
            _ => values.map(|value| self.in_column(value)),
        };
        let to = self.result(ty, &from);
        self.apply(operators::mul_add(ty), to, &from);
        Value::Reg(to)
    }

    /// A choice between two values that are both there.
    fn select(&mut self, ty: ScalarType, condition: Reg, arms: [Value; 2]) -> Value {
        if arms[0] == arms[1] {
            return arms[0];
        }
        let [x, y] = arms.map(|arm| self.in_register(arm));
        let to = self.result(ty, &[condition, x, y]);
        self.apply(operators::select(ty), to, &[condition, x, y]);
        Value::Reg(to)
    }

    fn cast(&mut self, id: NodeId, operand: NodeId) -> Value {
        let (value, to) = (self.value(operand), self.nodes.ty(id));
        if self.nodes.ty(operand) == to {
            return value;
        }
        let x = self.in_register(value);
        let result = self.result(to, &[x]);
        self.apply(operators::cast(x.ty(), to), result, &[x]);
        Value::Reg(result)
    }

    /// Does a node of the present statement differ by lane?
    fn varies(&mut self, root: NodeId) -> bool {
        let nodes = self.nodes;
        for id in nodes.post_order(&[root], |id| self.varying.contains_key(&id)) {
            let own = match nodes.node(id) {
                Node::Variable(variable) => self
                    .names
                    .get(&variable)
                    .is_some_and(|value| value.shared().is_none()),
                Node::Load { array, .. } => {
                    matches!(self.arrays.get(&array), Some(Space::Held(_)))
                }
                _ => false,
            };
            let mut below = nodes.node(id).operands();
            let varies = own || below.any(|below| self.varying.get(&below) == Some(&true));
            self.varying.insert(id, varies);
        }
        self.varying.get(&root) == Some(&true)
    }
}

impl Evaluator for Compiler<'_> {
    type Value = Value;

    fn nodes(&self) -> &Nodes {
        self.nodes
    }

    fn known(&mut self) -> &mut Known<Value> {
        &mut self.known
    }

    /// Arms that read arrays.
    fn is_lazy(&self, arm: NodeId) -> bool {
        self.loading.contains(&arm)
    }

    fn evaluate(&mut self, id: NodeId) -> Value {
        match self.nodes.node(id) {
            Node::Load { array, index } => {
                let at = self.value(index);
                self.element(array, (index, at), self.nodes.origin(id), true)
            }
            Node::Unary { op, value } => self.unary(id, op, value),
            Node::Binary {
                op, left, right, ..
            } => self.binary(id, op, [left, right]),
            Node::MulAdd {
                left,
                right,
                addend,
            } => self.mul_add(id, [left, right, addend]),
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.value(condition);
                let condition = self.in_register(condition);
                let arms = [then, otherwise].map(|arm| self.value(arm));
                self.select(self.nodes.ty(id), condition, arms)
            }
            Node::Cast { value } => self.cast(id, value),
            _ => self.leaf(id),
        }
    }

    fn open(&mut self, choice: NodeId) {
        let Node::Select { condition, .. } = self.nodes.node(choice) else {
            return;
        };
        let condition = self.value(condition);
        let outer = self.mask();
        let (jump, result) = match condition.shared() {
            Some(condition) => {
                let ty = self.nodes.ty(choice);
                let is_column = self.lanes.is_some() && self.varies(choice);
                let result = (!is_column).then(|| self.scalar(ty));
                let otherwise = 0;
                (
                    self.emit(Instr::Unless {
                        condition,
                        otherwise,
                    }),
                    result,
                )
            }
            None => {
                let (into, outer) = self.inner_mask();
                (self.enter(condition, true, outer, into), None)
            }
        };
        self.choices.push(Choice {
            condition,
            jump,
            outer,
            begin: self.here(),
            result,
            skip: 0,
        });
    }

    fn turn(&mut self, choice: NodeId) {
        let (Node::Select { then, .. }, Some(mut frame)) =
            (self.nodes.node(choice), self.choices.pop())
        else {
            return;
        };
        match frame.result {
            Some(result) => self.keep(then, result),
            None => frame.result = Some(self.first_arm(then, &frame)),
        }
        match frame.condition.shared() {
            Some(_) => {
                frame.skip = self.emit(Instr::Jump(0));
                self.land(frame.jump);
            }
            None => {
                let into = self.mask();
                self.land(frame.jump);
                frame.jump = self.enter(frame.condition, false, frame.outer, into);
            }
        }
        frame.begin = self.here();
        self.choices.push(frame);
    }

    fn close(&mut self, choice: NodeId) -> Value {
        let (Node::Select { otherwise, .. }, Some(frame)) =
            (self.nodes.node(choice), self.choices.pop())
        else {
            self.impossible("a choice ends that has not begun");
            return self.leaf(choice);
        };
        let Some(result) = frame.result else {
            self.impossible("a choice ends without its first arm");
            return self.leaf(choice);
        };
        match result.is_scalar() {
            true => self.keep(otherwise, result),
            false => self.second_arm(otherwise, result, &frame),
        }
        match frame.condition.shared() {
            Some(_) => self.land(frame.skip),
            None => {
                self.land(frame.jump);
                self.set_mask(frame.outer);
            }
        }
        Value::Reg(result)
    }
}

impl Compiler<'_> {
    /// Copies the value of an arm to the result of its choice.
    fn keep(&mut self, arm: NodeId, result: Reg) {
        let value = self.value(arm);
        let value = self.in_register(value);
        self.apply(operators::copy(value.ty()), result, &[value]);
    }

    /// Where the value of the first arm goes: it stays where it is if nothing else is called that.
    fn first_arm(&mut self, arm: NodeId, frame: &Choice) -> Reg {
        let value = self.value(arm);
        let value = self.in_register(value);
        if self.is_fresh(value, frame.begin) {
            return value;
        }
        let to = self.column(value.ty());
        self.apply(operators::copy(value.ty()), to, &[value]);
        to
    }

    /// The lanes of the second arm join those of the first.
    fn second_arm(&mut self, arm: NodeId, to: Reg, frame: &Choice) {
        let value = self.value(arm);
        let from = self.in_register(value);
        let (copy, mask) = (operators::assign(from.ty()), self.mask());
        if from == to {
            return;
        }
        let instr = match self.is_fresh(from, frame.begin) {
            true => Instr::Take {
                exchange: operators::swap(from.ty()),
                copy,
                to,
                from,
                masks: [mask, frame.outer],
            },
            false => Instr::Assign {
                run: copy,
                to,
                from,
                mask,
            },
        };
        self.emit(instr);
    }

    /// Begins a mask; the jump where it has no lanes.
    pub(super) fn enter(&mut self, condition: Value, wanted: bool, from: u32, into: u32) -> usize {
        self.set_mask(into);
        let none = 0;
        let instr = match condition {
            Value::Below(below) => Instr::EnterBelow {
                below,
                wanted,
                from,
                into,
                none,
            },
            _ => Instr::Enter {
                condition: self.in_register(condition),
                wanted,
                from,
                into,
                none,
            },
        };
        self.emit(instr)
    }
}
