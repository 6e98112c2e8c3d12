//! Physical kernels, built by hand for tests.

use crate::error::Origin;
use crate::ir::{
    Kernel, Level, Parameter, ParameterKind, Physical, PhysicalLoop, Statement, Unroll,
};
use crate::ordered::Map;
use crate::plan::{Plan, SharedMap, Slot, WritePattern};
use crate::scalar::{
    Array, ArrayId, ArrayPlace, BinaryOp, Constraint, Literal, Node, NodeId, Requirement, Role,
    Scalar, ScalarType, Special, Tables, Variable, VariableId, VariableKind,
};

/// Builds one kernel; statements are gathered in nested lists.
#[derive(Clone)]
pub(crate) struct Builder {
    pub(crate) tables: Tables,
    name: String,
    threads: u32,
    parameters: Vec<Parameter>,
    lists: Vec<Vec<Statement<Physical>>>,
    pub(crate) shared: SharedMap,
    pub(crate) patterns: Map<ArrayId, WritePattern>,
}

impl Builder {
    pub(crate) fn new(name: &str, threads: u32) -> Self {
        Builder {
            tables: Tables::default(),
            name: name.to_owned(),
            threads,
            parameters: Vec::new(),
            lists: vec![Vec::new()],
            shared: SharedMap::default(),
            patterns: Map::new(),
        }
    }

    fn array(&mut self, name: &str, ty: ScalarType, length: NodeId, place: ArrayPlace) -> ArrayId {
        self.tables.arrays.push(Array {
            name: name.to_owned(),
            ty,
            length,
            place,
            origin: Origin::UNKNOWN,
        });
        ArrayId(self.tables.arrays.len() as u32 - 1)
    }

    fn parameter(
        &mut self,
        name: &str,
        ty: ScalarType,
        role: Role,
        length: Option<NodeId>,
    ) -> ArrayId {
        let id = ArrayId(self.tables.arrays.len() as u32);
        let length =
            length.unwrap_or_else(|| self.tables.nodes.add(Node::Length(id), ScalarType::U32));
        let id = self.array(name, ty, length, ArrayPlace::Global(role));
        let group = self.parameters.len() as u32;
        self.parameters.push(Parameter {
            group,
            kind: ParameterKind::Array(id),
        });
        id
    }

    pub(crate) fn input(&mut self, name: &str, ty: ScalarType) -> ArrayId {
        self.parameter(name, ty, Role::Input, None)
    }

    pub(crate) fn in_out(&mut self, name: &str, ty: ScalarType) -> ArrayId {
        self.parameter(name, ty, Role::InOut, None)
    }

    pub(crate) fn output(&mut self, name: &str, ty: ScalarType, length: NodeId) -> ArrayId {
        self.parameter(name, ty, Role::Output, Some(length))
    }

    pub(crate) fn scalar(&mut self, name: &str, ty: ScalarType) -> NodeId {
        let variable = self.variable(Some(name), ty, VariableKind::Argument);
        let group = self.parameters.len() as u32;
        self.parameters.push(Parameter {
            group,
            kind: ParameterKind::Scalar(variable),
        });
        self.tables.nodes.add(Node::Variable(variable), ty)
    }

    /// A shared array after the ones before it, with 128 bytes of alignment.
    pub(crate) fn shared(&mut self, name: &str, ty: ScalarType, length: u32) -> ArrayId {
        let offset = self.shared.bytes.next_multiple_of(128);
        self.shared_at(name, ty, length, Slot { offset, stride: 0 }, 1)
    }

    pub(crate) fn shared_at(
        &mut self,
        name: &str,
        ty: ScalarType,
        length: u32,
        slot: Slot,
        copies: u32,
    ) -> ArrayId {
        let node = self.lit(length);
        let id = self.array(name, ty, node, ArrayPlace::Shared);
        self.shared.bytes = self
            .shared
            .bytes
            .max(slot.offset + slot.stride * (copies - 1) + length * ty.bytes());
        self.shared.slots.insert(id, slot);
        id
    }

    pub(crate) fn held(&mut self, name: &str, ty: ScalarType, length: u32) -> ArrayId {
        let length = self.lit(length);
        self.array(name, ty, length, ArrayPlace::Held)
    }

    pub(crate) fn variable(
        &mut self,
        name: Option<&str>,
        ty: ScalarType,
        kind: VariableKind,
    ) -> VariableId {
        self.tables.variables.push(Variable {
            name: name.map(str::to_owned),
            ty,
            kind,
        });
        VariableId(self.tables.variables.len() as u32 - 1)
    }

    pub(crate) fn lit<T: Scalar>(&mut self, value: T) -> NodeId {
        self.tables.nodes.add_literal(value.literal())
    }

    pub(crate) fn literal(&mut self, literal: Literal) -> NodeId {
        self.tables.nodes.add_literal(literal)
    }

    pub(crate) fn var(&mut self, variable: VariableId) -> NodeId {
        let ty = self.tables.variables[variable.0 as usize].ty;
        self.tables.nodes.add(Node::Variable(variable), ty)
    }

    pub(crate) fn special(&mut self, special: Special) -> NodeId {
        self.tables
            .nodes
            .add(Node::Special(special), ScalarType::U32)
    }

    pub(crate) fn thread(&mut self) -> NodeId {
        self.special(Special::ThreadIndex)
    }

    pub(crate) fn length(&mut self, array: ArrayId) -> NodeId {
        self.tables.nodes.add(Node::Length(array), ScalarType::U32)
    }

    pub(crate) fn load(&mut self, array: ArrayId, index: NodeId) -> NodeId {
        let ty = self.tables.arrays[array.0 as usize].ty;
        self.tables.nodes.add(Node::Load { array, index }, ty)
    }

    /// An operator, not folded.
    pub(crate) fn raw(&mut self, op: BinaryOp, left: NodeId, right: NodeId) -> NodeId {
        let ty = op.result(self.tables.nodes.ty(left));
        self.tables.nodes.add(
            Node::Binary {
                op,
                exact: false,
                left,
                right,
            },
            ty,
        )
    }

    /// Index arithmetic.
    pub(crate) fn exact(&mut self, op: BinaryOp, left: NodeId, right: NodeId) -> NodeId {
        self.tables.nodes.exact(op, left, right)
    }

    pub(crate) fn require(&mut self, length: NodeId, constraint: Constraint<NodeId>) {
        self.tables.requirements.push(Requirement {
            length,
            constraint,
            origin: Origin::UNKNOWN,
        });
    }

    /// Begins an array.
    pub(crate) fn allocate(&mut self, array: ArrayId) {
        self.push(Statement::Allocate { array, layout: () });
    }

    pub(crate) fn push(&mut self, statement: Statement<Physical>) {
        self.lists
            .last_mut()
            .expect("there is a list")
            .push(statement);
    }

    pub(crate) fn store(&mut self, array: ArrayId, index: NodeId, value: NodeId) {
        self.push(Statement::Store {
            array,
            index,
            value,
            origin: Origin::UNKNOWN,
        });
    }

    pub(crate) fn wait(&mut self, scope: Level) {
        self.push(Statement::Wait { scope });
    }

    /// What `f` pushes, as a list.
    pub(crate) fn list(&mut self, f: impl FnOnce(&mut Self)) -> Vec<Statement<Physical>> {
        self.lists.push(Vec::new());
        f(self);
        self.lists.pop().expect("it was pushed")
    }

    pub(crate) fn for_loop(
        &mut self,
        kind: PhysicalLoop,
        [start, end, step]: [NodeId; 3],
        f: impl FnOnce(&mut Self, NodeId),
    ) {
        let counter = self.variable(None, ScalarType::U32, VariableKind::Counter);
        let node = self.var(counter);
        let body = self.list(|b| f(b, node));
        self.push(Statement::Loop {
            kind,
            unroll: Unroll::Free,
            counter,
            bounds: [start, end, step],
            body,
        });
    }

    /// `count` virtual blocks over all real ones.
    pub(crate) fn blocks(&mut self, count: NodeId, f: impl FnOnce(&mut Self, NodeId)) {
        let (start, step) = (
            self.special(Special::BlockIndex),
            self.special(Special::GridSize),
        );
        self.for_loop(PhysicalLoop::Blocks, [start, count, step], f);
    }

    pub(crate) fn sequential(&mut self, count: NodeId, f: impl FnOnce(&mut Self, NodeId)) {
        let (zero, one) = (self.lit(0u32), self.lit(1u32));
        self.for_loop(
            PhysicalLoop::Sequential(Level::Thread),
            [zero, count, one],
            f,
        );
    }

    pub(crate) fn when(&mut self, condition: NodeId, f: impl FnOnce(&mut Self)) {
        let then = self.list(f);
        self.push(Statement::If {
            condition,
            then,
            otherwise: Vec::new(),
        });
    }

    pub(crate) fn kernel(&self) -> Kernel<Physical> {
        Kernel {
            name: self.name.clone(),
            tables: self.tables.clone(),
            parameters: self.parameters.clone(),
            threads: self.threads,
            body: self.lists[0].clone(),
        }
    }

    pub(crate) fn plan(&self) -> Plan {
        Plan::assemble(self.kernel(), self.shared.clone(), self.patterns.clone())
    }
}
