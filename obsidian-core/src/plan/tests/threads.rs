//! For tests: the threads of a physical kernel, executed one after another.
//!
//! Values are not computed (a load is 0, a read is 0), only indices, conditions and bounds. It is
//! written from what the statements mean, and shares nothing with the passes.

use crate::ir::{Kernel, Level, ParameterKind, Physical, PhysicalLoop, Shuffle, Statement, WARP};
use crate::ordered::Map;
use crate::plan::SharedMap;
use crate::scalar::{ArrayId, Literal, Node, NodeId, Special, VariableId, meaning};

/// Executes one thread of the only real block; every argument of the kernel has the same value.
pub(in crate::plan) fn execute<'k>(
    kernel: &'k Kernel<Physical>,
    shared: &'k SharedMap,
    index: u32,
    argument: u32,
) -> Thread<'k> {
    let argument = |p: &crate::ir::Parameter| match p.kind {
        ParameterKind::Scalar(variable) => Some((variable, Literal::from(argument))),
        ParameterKind::Array(_) => None,
    };
    let variables = kernel.parameters.iter().filter_map(argument).collect();
    let mut thread = Thread {
        kernel,
        shared,
        index,
        variables,
        block_waits: 0,
        warp_waits: 0,
        touched: Vec::new(),
        stored: Vec::new(),
    };
    thread.list(&kernel.body);
    thread
}

/// One thread of the only real block.
pub(in crate::plan) struct Thread<'k> {
    kernel: &'k Kernel<Physical>,
    shared: &'k SharedMap,
    index: u32,
    variables: Map<VariableId, Literal>,
    /// How often it has waited with its block.
    pub(in crate::plan) block_waits: u32,
    /// How often it has waited with its warp.
    pub(in crate::plan) warp_waits: u32,
    /// Bytes of shared memory that it has accessed: byte, write?, waits of the block and of the
    /// warp before.
    pub(in crate::plan) touched: Vec<(u32, bool, u32, u32)>,
    /// Elements that it has stored in buffers.
    pub(in crate::plan) stored: Vec<u32>,
}

impl Thread<'_> {
    fn value(&mut self, id: NodeId) -> Literal {
        let nodes = &self.kernel.tables.nodes;
        match nodes.node(id) {
            Node::Literal(literal) => literal,
            Node::Variable(variable) => self
                .variables
                .get(&variable)
                .copied()
                .unwrap_or(Literal::from(0u32)),
            Node::Special(special) => Literal::from(match special {
                Special::ThreadIndex => self.index,
                Special::WarpIndex => self.index / WARP,
                Special::LaneIndex => self.index % WARP,
                Special::BlockIndex => 0,
                Special::GridSize | Special::Aligned => 1,
            }),
            Node::Binary {
                op, left, right, ..
            } => meaning::binary(op, self.value(left), self.value(right)),
            Node::Select {
                condition,
                then,
                otherwise,
            } => match self.value(condition).bool() {
                true => self.value(then),
                false => self.value(otherwise),
            },
            Node::Load { array, index } => {
                self.touch(array, index, false);
                Literal::zero(nodes.ty(id))
            }
            other => panic!("not in these kernels: {other:?}"),
        }
    }

    fn touch(&mut self, array: ArrayId, index: NodeId, write: bool) {
        let index = self.value(index).u32();
        let Some(slot) = self.shared.slots.get(&array) else {
            self.stored.extend(write.then_some(index));
            return;
        };
        let start = slot.offset + slot.stride * (self.index / WARP) + 4 * index;
        (start..start + 4).for_each(|byte| {
            self.touched
                .push((byte, write, self.block_waits, self.warp_waits))
        });
    }

    fn list(&mut self, list: &[Statement<Physical>]) {
        list.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &Statement<Physical>) {
        match statement {
            Statement::Let { variable, value } => {
                let value = self.value(*value);
                self.variables.insert(*variable, value);
            }
            Statement::Store {
                array,
                index,
                value,
                ..
            } => {
                self.value(*value);
                self.touch(*array, *index, true);
            }
            Statement::Read {
                variable,
                array,
                index,
                ..
            } => {
                self.touch(*array, *index, false);
                self.variables.insert(*variable, Literal::from(0u32));
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let list = if self.value(*condition).bool() {
                    then
                } else {
                    otherwise
                };
                self.list(list);
            }
            Statement::Loop {
                kind,
                counter,
                bounds: [start, end, step],
                body,
                ..
            } => {
                let (mut at, end, step) = (
                    self.value(*start).u32(),
                    self.value(*end).u32(),
                    self.value(*step).u32(),
                );
                while at < end {
                    self.variables.insert(*counter, Literal::from(at));
                    self.list(body);
                    at += step;
                }
                assert!(*kind != PhysicalLoop::Blocks || step == 1);
            }
            Statement::Wait {
                scope: Level::Block,
            } => self.block_waits += 1,
            Statement::Wait { .. } => self.warp_waits += 1,
            Statement::Get { variable, .. } | Statement::Shuffle(_, Shuffle { variable, .. }) => {
                self.variables.insert(*variable, Literal::from(0u32));
            }
            Statement::Allocate { .. } | Statement::Declare { .. } | Statement::Assign { .. } => {}
            other => panic!("not in these kernels: {other:?}"),
        }
    }
}
