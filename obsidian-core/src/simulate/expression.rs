//! Expressions as lists of operations on columns.
//!
//! A node is evaluated by the threads that need its value, in the order of [`lazy`]: an arm of a
//! `select` by the threads that choose it. The lists are flat, and the operations of an arm stand
//! between those that begin and end it.

use super::program::{Constant, LANE, Site, Sites, Source, THREAD, WARP_OF_THREAD, column_of};
use crate::error::Origin;
use crate::ir::{Kernel, Physical};
use crate::ordered::Map;
use crate::scalar::lazy::{self, Evaluator, Known};
use crate::scalar::{BinaryOp, Node, NodeId, Nodes, ScalarType, Special, Tables, UnaryOp};
use obsidian_base::counts::AccessKind;

/// One operation, for all threads that are active.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Load {
        site: u32,
        index: Source,
        to: u32,
    },
    Unary {
        op: UnaryOp,
        ty: ScalarType,
        value: Source,
        to: u32,
    },
    Binary {
        op: BinaryOp,
        exact: bool,
        types: [ScalarType; 2],
        left: Source,
        right: Source,
        to: u32,
    },
    MulAdd {
        ty: ScalarType,
        operands: [Source; 3],
        to: u32,
    },
    Cast {
        from: ScalarType,
        ty: ScalarType,
        value: Source,
        to: u32,
    },
    /// Those for which the condition holds go on here, the others after `skip` operations, at the
    /// `Otherwise`.
    Select {
        condition: Source,
        skip: u32,
    },
    /// Gives the result of the first arm; the others go on, and those of the first arm after `skip`
    /// operations, at the `Join`.
    Otherwise {
        value: Source,
        to: u32,
        skip: u32,
    },
    /// Gives the result of the second arm; all go on.
    Join {
        value: Source,
        to: u32,
    },
    /// The end of all.
    Return,
}

/// The expressions of one statement.
#[derive(Default, Debug)]
pub(super) struct Group {
    pub(super) code: Vec<Operation>,
    /// The user's place.
    pub(super) origin: Origin,
}

/// Turns nodes into operations; the columns are used again by each statement.
pub(super) struct Compiler<'k> {
    kernel: &'k Kernel<Physical>,
    pub(super) known: Vec<Constant>,
    numbers: Map<Constant, u32>,
    first: u32,
    pub(super) columns: u32,
}

/// The present statement.
struct Draft<'c, 'k, 's> {
    compiler: &'c mut Compiler<'k>,
    sites: &'s mut Sites,
    origin: Origin,
    code: Vec<Operation>,
    /// Where values are.
    known: Known<Source>,
    /// The operations that begin the arms around this place, whose lengths are not known yet, and the
    /// columns of their choices.
    arms: Vec<(usize, u32)>,
    /// The next column.
    next: u32,
}

impl<'k> Compiler<'k> {
    /// The columns before `first` have another use.
    pub(super) fn new(kernel: &'k Kernel<Physical>, first: u32) -> Self {
        Compiler {
            kernel,
            known: Vec::new(),
            numbers: Map::new(),
            first,
            columns: first,
        }
    }

    pub(super) fn tables(&self) -> &'k Tables {
        &self.kernel.tables
    }

    pub(super) fn nodes(&self) -> &'k Nodes {
        &self.kernel.tables.nodes
    }

    fn constant(&mut self, value: Constant) -> Source {
        let next = self.known.len() as u32;
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.known.push(value);
        }
        Source::known(number)
    }

    /// The operations of these nodes, and where their values are afterwards.
    pub(super) fn group(
        &mut self,
        roots: &[NodeId],
        origin: Origin,
        sites: &mut Sites,
    ) -> (Group, Vec<Source>) {
        let nodes = &self.kernel.tables.nodes;
        if roots.iter().all(|root| nodes.node(*root).is_leaf()) {
            let sources = roots.iter().map(|root| self.leaf(*root)).collect();
            return (
                Group {
                    origin,
                    ..Group::default()
                },
                sources,
            );
        }
        let mut draft = Draft {
            next: self.first,
            compiler: self,
            sites,
            origin,
            code: Vec::new(),
            known: Known::default(),
            arms: Vec::new(),
        };
        for root in roots {
            lazy::evaluate(&mut draft, *root);
        }
        let sources = roots.iter().map(|root| draft.source(*root)).collect();
        let (mut code, next) = (draft.code, draft.next);
        code.push(Operation::Return);
        self.columns = self.columns.max(next);
        (Group { code, origin }, sources)
    }

    /// A value that needs no operation.
    fn leaf(&mut self, id: NodeId) -> Source {
        match self.kernel.tables.nodes.node(id) {
            Node::Literal(literal) => self.constant(Constant::Bits(literal.bits())),
            Node::Variable(variable) => Source::column(column_of(variable)),
            Node::Length(array) => self.constant(Constant::Length(array)),
            Node::Special(Special::ThreadIndex) => Source::column(THREAD),
            Node::Special(Special::WarpIndex) => Source::column(WARP_OF_THREAD),
            Node::Special(Special::LaneIndex) => Source::column(LANE),
            Node::Special(Special::BlockIndex) => self.constant(Constant::Block),
            Node::Special(Special::GridSize) => self.constant(Constant::Grid),
            Node::Special(Special::Aligned) => self.constant(Constant::Aligned),
            _ => self.constant(Constant::Bits(0)),
        }
    }
}

impl Draft<'_, '_, '_> {
    /// Where the value of a node is, which is known.
    fn source(&mut self, id: NodeId) -> Source {
        match self.known.get(id) {
            Some(source) => *source,
            None => self.compiler.leaf(id),
        }
    }

    fn column(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn operation(&mut self, id: NodeId, to: u32) -> Operation {
        let (kernel, nodes) = (self.compiler.kernel, self.compiler.nodes());
        let operands: Vec<NodeId> = nodes.node(id).operands().collect();
        let sources: Vec<Source> = operands.iter().map(|id| self.source(*id)).collect();
        let ty_of = |n: usize| nodes.ty(operands[n]);
        let ty = nodes.ty(id);
        match nodes.node(id) {
            Node::Load { array, .. } => {
                // Where the user indexed the array; else where it was made, as a value may be read far
                // from where the user wrote it.
                let made = kernel.tables.array(array).origin;
                let origin = [nodes.origin(id), made]
                    .into_iter()
                    .find(|place| *place != Origin::UNKNOWN)
                    .unwrap_or(self.origin);
                Operation::Load {
                    site: self.sites.number(Site {
                        array,
                        kind: AccessKind::Read,
                        origin,
                        distinct: false,
                    }),
                    index: sources[0],
                    to,
                }
            }
            Node::Unary { op, .. } => Operation::Unary {
                op,
                ty: ty_of(0),
                value: sources[0],
                to,
            },
            Node::Binary { op, exact, .. } => Operation::Binary {
                op,
                exact,
                types: [ty_of(0), ty_of(1)],
                left: sources[0],
                right: sources[1],
                to,
            },
            Node::MulAdd { .. } => Operation::MulAdd {
                ty: ty_of(0),
                operands: [sources[0], sources[1], sources[2]],
                to,
            },
            Node::Cast { .. } => Operation::Cast {
                from: ty_of(0),
                ty,
                value: sources[0],
                to,
            },
            // The others are leaves, or have been dealt with.
            _ => Operation::Return,
        }
    }

    /// Begins an arm of a choice whose value goes to a column.
    fn begin_arm(&mut self, first: Operation, to: u32) {
        self.arms.push((self.code.len(), to));
        self.code.push(first);
    }

    /// Ends the innermost arm: the threads that do not execute it go on behind it. Gives the column of
    /// its choice.
    fn end_arm(&mut self) -> u32 {
        let Some((at, to)) = self.arms.pop() else {
            return self.next;
        };
        let length = (self.code.len() - at - 1) as u32;
        if let Operation::Select { skip, .. } | Operation::Otherwise { skip, .. } =
            &mut self.code[at]
        {
            *skip = length;
        }
        to
    }

    /// Where the value of one operand of a choice is: the condition, the first arm, the other one.
    fn operand(&mut self, choice: NodeId, n: usize) -> Source {
        let operand = self.compiler.nodes().node(choice).operands().nth(n);
        self.source(operand.unwrap_or(choice))
    }
}

impl Evaluator for Draft<'_, '_, '_> {
    type Value = Source;

    fn nodes(&self) -> &Nodes {
        self.compiler.nodes()
    }

    fn known(&mut self) -> &mut Known<Source> {
        &mut self.known
    }

    /// Every arm: an operation may fault, or be counted, only where it is asked for.
    fn is_lazy(&self, _arm: NodeId) -> bool {
        true
    }

    fn evaluate(&mut self, id: NodeId) -> Source {
        if self.compiler.nodes().node(id).is_leaf() {
            return self.compiler.leaf(id);
        }
        let to = self.column();
        let operation = self.operation(id, to);
        self.code.push(operation);
        Source::column(to)
    }

    fn open(&mut self, choice: NodeId) {
        let condition = self.operand(choice, 0);
        let to = self.column();
        self.begin_arm(Operation::Select { condition, skip: 0 }, to);
    }

    fn turn(&mut self, choice: NodeId) {
        let value = self.operand(choice, 1);
        let to = self.end_arm();
        self.begin_arm(Operation::Otherwise { value, to, skip: 0 }, to);
    }

    fn close(&mut self, choice: NodeId) -> Source {
        let value = self.operand(choice, 2);
        let to = self.end_arm();
        self.code.push(Operation::Join { value, to });
        Source::column(to)
    }
}
