//! Levelled kernels, made by hand.

use std::borrow::Cow;

use obsidian_core::error::Origin;
use obsidian_core::ir::{
    AtomicOp, Kernel, Level, Levelled, LevelledLoop, Parameter, ParameterKind, Statement, Unroll,
};
use obsidian_core::plan::{Formula, Interface, ParameterInfo, ParameterRole, Step};
use obsidian_core::scalar::{
    Array, ArrayId, ArrayPlace, BinaryOp, Literal, Node, NodeId, Role, ScalarType, Tables, UnaryOp,
    Variable, VariableId, VariableKind,
};

/// A kernel in the making, and what a launch will know of it.
#[derive(Default)]
pub struct Builder {
    pub tables: Tables,
    parameters: Vec<Parameter>,
    info: Vec<ParameterInfo>,
    group: u32,
}

/// A kernel with its interface and the outputs that blocks write in pieces.
pub struct Example {
    pub kernel: Kernel<Levelled>,
    pub interface: Interface,
    pub chunks: Vec<(ArrayId, u32)>,
}

impl Builder {
    pub fn node(&mut self, node: Node, ty: ScalarType) -> NodeId {
        self.tables.nodes.add(node, ty)
    }

    pub fn number(&mut self, value: impl Into<Literal>) -> NodeId {
        self.tables.nodes.add_literal(value.into())
    }

    pub fn variable(
        &mut self,
        name: &str,
        ty: ScalarType,
        kind: VariableKind,
    ) -> (VariableId, NodeId) {
        self.tables.variables.push(Variable {
            name: Some(name.to_owned()),
            ty,
            kind,
        });
        let id = VariableId(self.tables.variables.len() as u32 - 1);
        (id, self.node(Node::Variable(id), ty))
    }

    pub fn counter(&mut self, name: &str) -> (VariableId, NodeId) {
        self.variable(name, ScalarType::U32, VariableKind::Counter)
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

    pub fn local(&mut self, name: &str, ty: ScalarType, length: u32, place: ArrayPlace) -> ArrayId {
        let length = self.number(length);
        self.array(name, ty, length, place)
    }

    /// A parameter that is a buffer; its length as a formula, if it is an output.
    pub fn parameter(
        &mut self,
        name: &'static str,
        ty: ScalarType,
        role: Role,
        length: &'static [Step],
        chunk: Option<u32>,
    ) -> ArrayId {
        let elements = match role {
            Role::Output => self.formula(length),
            _ => self.length(ArrayId(self.tables.arrays.len() as u32)),
        };
        let id = self.array(name, ty, elements, ArrayPlace::Global(role));
        let (role, length) = match role {
            Role::Input => (ParameterRole::Input, None),
            Role::Output => (ParameterRole::Output, Some(Formula::of(length))),
            Role::InOut => (ParameterRole::InOut, None),
        };
        self.parameters.push(Parameter {
            group: self.group,
            kind: ParameterKind::Array(id),
        });
        self.info.push(ParameterInfo {
            name: Cow::Borrowed(name),
            group: self.group,
            ty,
            role,
            length,
            chunk,
            uses_length: true,
        });
        self.group += 1;
        id
    }

    /// A formula over the lengths of the first parameters, which are buffers, as an expression.
    fn formula(&mut self, steps: &[Step]) -> NodeId {
        let mut stack = Vec::new();
        for step in steps {
            let node = match *step {
                Step::Length(n) => self.length(ArrayId(n as u32)),
                Step::Literal(n) => self.number(n as u32),
                Step::Div => {
                    let (y, x) = (stack.pop().unwrap(), stack.pop().unwrap());
                    self.exact(BinaryOp::Div, x, y)
                }
                _ => panic!("the examples have no other formulas"),
            };
            stack.push(node);
        }
        stack.pop().unwrap()
    }

    pub fn input(&mut self, name: &'static str, ty: ScalarType) -> ArrayId {
        self.parameter(name, ty, Role::Input, &[], None)
    }

    pub fn scalar(&mut self, name: &'static str, ty: ScalarType) -> NodeId {
        let (id, node) = self.variable(name, ty, VariableKind::Argument);
        self.parameters.push(Parameter {
            group: self.group,
            kind: ParameterKind::Scalar(id),
        });
        let (role, name) = (ParameterRole::Scalar, Cow::Borrowed(name));
        self.info.push(ParameterInfo {
            name,
            group: self.group,
            ty,
            role,
            length: None,
            chunk: None,
            uses_length: false,
        });
        self.group += 1;
        node
    }

    pub fn length(&mut self, array: ArrayId) -> NodeId {
        self.node(Node::Length(array), ScalarType::U32)
    }

    pub fn load(&mut self, array: ArrayId, index: NodeId) -> NodeId {
        let ty = self.tables.arrays[array.0 as usize].ty;
        self.node(Node::Load { array, index }, ty)
    }

    pub fn un(&mut self, op: UnaryOp, x: NodeId) -> NodeId {
        self.tables.nodes.unary(op, x)
    }

    pub fn op(&mut self, op: BinaryOp, x: NodeId, y: NodeId) -> NodeId {
        self.tables.nodes.binary(op, x, y)
    }

    pub fn exact(&mut self, op: BinaryOp, x: NodeId, y: NodeId) -> NodeId {
        self.tables.nodes.exact(op, x, y)
    }

    pub fn each(
        &mut self,
        level: Level,
        counter: VariableId,
        count: u32,
        body: Vec<Statement<Levelled>>,
    ) -> Statement<Levelled> {
        Statement::Loop {
            kind: LevelledLoop::ForAll(level),
            unroll: Unroll::Free,
            counter,
            bounds: [self.number(count)],
            body,
        }
    }

    pub fn in_order(
        &mut self,
        counter: VariableId,
        end: NodeId,
        body: Vec<Statement<Levelled>>,
    ) -> Statement<Levelled> {
        Statement::Loop {
            kind: LevelledLoop::Sequential(Level::Thread),
            unroll: Unroll::Free,
            counter,
            bounds: [end],
            body,
        }
    }

    pub fn finish(
        self,
        name: &'static str,
        blocks: &'static [Step],
        body: Vec<Statement<Levelled>>,
    ) -> Example {
        let chunk = |(parameter, info): (&Parameter, &ParameterInfo)| match parameter.kind {
            ParameterKind::Array(id) => info.chunk.map(|n| (id, n)),
            ParameterKind::Scalar(_) => None,
        };
        let chunks = self
            .parameters
            .iter()
            .zip(&self.info)
            .filter_map(chunk)
            .collect();
        let interface = Interface {
            resident: false,
            faults: false,
            name: Cow::Borrowed(name),
            threads: 64,
            shared_bytes: 0,
            barriers: 0,
            warp_waits: 0,
            orders: Vec::new().into(),
            parameters: Cow::Owned(self.info),
            blocks: Cow::Owned(vec![Formula::of(blocks)]),
            requirements: Cow::Borrowed(&[]),
        };
        let kernel = Kernel {
            name: name.to_owned(),
            tables: self.tables,
            parameters: self.parameters,
            threads: (),
            body,
        };
        Example {
            kernel,
            interface,
            chunks,
        }
    }
}

pub fn store(array: ArrayId, index: NodeId, value: NodeId) -> Statement<Levelled> {
    Statement::Store {
        array,
        index,
        value,
        origin: Origin::UNKNOWN,
    }
}

pub fn let_(variable: VariableId, value: NodeId) -> Statement<Levelled> {
    Statement::Let { variable, value }
}

pub fn blocks(
    counter: VariableId,
    count: NodeId,
    body: Vec<Statement<Levelled>>,
) -> Statement<Levelled> {
    Statement::Loop {
        kind: LevelledLoop::Distribute(Level::Block),
        unroll: Unroll::Free,
        counter,
        bounds: [count],
        body,
    }
}

pub fn atomic(
    array: ArrayId,
    index: NodeId,
    op: AtomicOp,
    operands: Vec<NodeId>,
    result: Option<VariableId>,
) -> Statement<Levelled> {
    Statement::Atomic {
        array,
        index,
        op,
        operands,
        result,
        origin: Origin::UNKNOWN,
    }
}
