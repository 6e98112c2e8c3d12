//! Expressions as lists of operations on columns.
//!
//! A node is evaluated at most once in a statement, by the threads that need its value: an arm of a
//! `select` is evaluated by the threads that choose it. The arms are *regions* of the list, inside
//! the region of their `select`. A node belongs to the innermost region that contains all its
//! users, if one of them stands directly in it. Else some of the threads there may need it in one
//! arm and some in another, or nowhere; then it is a *thunk*, which each of its users forces, for
//! the threads that have not done so.
//!
//! The lists are flat, and nothing here calls itself: expressions may be deeper than the stack of
//! the thread that runs them.

use std::collections::BTreeMap;

use super::access::AccessKind;
use super::program::{Known, LANE, Site, Sites, Source, THREAD, WARP_OF_THREAD, column_of};
use crate::error::Origin;
use crate::ir::{Kernel, Physical};
use crate::scalar::{BinaryOp, Node, NodeId, Nodes, ScalarType, Special, Tables, UnaryOp};

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
    /// Evaluates a thunk for those for which it is not known.
    Force {
        thunk: u32,
    },
    /// The end of a thunk, or of all.
    Return,
}

/// The expressions of one statement.
#[derive(Default, Debug)]
pub(super) struct Group {
    pub(super) code: Vec<Operation>,
    /// Where each thunk begins, and the column that says for which threads it is known.
    pub(super) thunks: Vec<(u32, u32)>,
    /// The user's place.
    pub(super) origin: Origin,
}

/// Turns nodes into operations; the columns are used again by each statement.
pub(super) struct Compiler<'k> {
    kernel: &'k Kernel<Physical>,
    pub(super) known: Vec<Known>,
    numbers: BTreeMap<Known, u32>,
    first: u32,
    pub(super) columns: u32,
    /// The position in the present order of each node.
    positions: Vec<u32>,
}

/// A part of the list.
struct Region {
    parent: u32,
    depth: u32,
    code: Vec<Operation>,
    forced: Vec<u32>,
}

/// Where the users of a node are.
#[derive(Clone, Copy)]
struct Home {
    region: u32,
    /// Does one of them stand directly in the region?
    direct: bool,
}

/// The present statement.
struct Draft<'k> {
    nodes: &'k Nodes,
    order: Vec<NodeId>,
    regions: Vec<Region>,
    /// The region of each node, and the number of its thunk.
    region: Vec<u32>,
    thunk: Vec<Option<u32>>,
    /// The arms of each `select`.
    arms: Vec<[u32; 2]>,
    sources: Vec<Source>,
}

impl<'k> Compiler<'k> {
    /// The columns before `first` have another use.
    pub(super) fn new(kernel: &'k Kernel<Physical>, first: u32) -> Self {
        let positions = vec![0; kernel.tables.nodes.len()];
        Compiler {
            kernel,
            known: Vec::new(),
            numbers: BTreeMap::new(),
            first,
            columns: first,
            positions,
        }
    }

    pub(super) fn tables(&self) -> &'k Tables {
        &self.kernel.tables
    }

    pub(super) fn nodes(&self) -> &'k Nodes {
        &self.kernel.tables.nodes
    }

    fn known(&mut self, value: Known) -> Source {
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
        let order = nodes.post_order(roots, |_| false);
        for (position, node) in order.iter().enumerate() {
            self.positions[node.index()] = position as u32;
        }
        let count = order.len();
        let mut draft = Draft {
            nodes,
            order,
            regions: vec![Region {
                parent: 0,
                depth: 0,
                code: Vec::new(),
                forced: Vec::new(),
            }],
            region: vec![0; count],
            thunk: vec![None; count],
            arms: vec![[0; 2]; count],
            sources: vec![Source::known(0); count],
        };
        let count = draft.place(roots, &self.positions);
        let mut next = self.first;
        let bodies = self.emit(&mut draft, origin, sites, &mut next, count);
        let (mut code, mut thunks) = (std::mem::take(&mut draft.regions[0].code), Vec::new());
        code.push(Operation::Return);
        for body in bodies {
            thunks.push((code.len() as u32, next));
            next += 1;
            code.extend(body);
            code.push(Operation::Return);
        }
        self.columns = self.columns.max(next);
        let sources = roots
            .iter()
            .map(|root| draft.sources[self.positions[root.index()] as usize])
            .collect();
        (
            Group {
                code,
                thunks,
                origin,
            },
            sources,
        )
    }

    /// A value that needs no operation.
    fn leaf(&mut self, id: NodeId) -> Source {
        match self.kernel.tables.nodes.node(id) {
            Node::Literal(literal) => self.known(Known::Bits(literal.bits())),
            Node::Variable(variable) => Source::column(column_of(variable)),
            Node::Length(array) => self.known(Known::Length(array)),
            Node::Special(Special::ThreadIndex) => Source::column(THREAD),
            Node::Special(Special::WarpIndex) => Source::column(WARP_OF_THREAD),
            Node::Special(Special::LaneIndex) => Source::column(LANE),
            Node::Special(Special::BlockIndex) => self.known(Known::Block),
            Node::Special(Special::GridSize) => self.known(Known::Grid),
            Node::Special(Special::Aligned) => self.known(Known::Aligned),
            _ => self.known(Known::Bits(0)),
        }
    }

    /// Writes the operations of all nodes into their regions; gives the bodies of thunks.
    fn emit(
        &mut self,
        draft: &mut Draft<'_>,
        origin: Origin,
        sites: &mut Sites,
        next: &mut u32,
        thunks: usize,
    ) -> Vec<Vec<Operation>> {
        let mut bodies = vec![Vec::new(); thunks];
        for position in 0..draft.order.len() {
            let id = draft.order[position];
            let node = draft.nodes.node(id);
            if node.is_leaf() {
                draft.sources[position] = self.leaf(id);
                continue;
            }
            let (to, region) = (*next, draft.region[position]);
            *next += 1;
            draft.sources[position] = Source::column(to);
            let operands: Vec<usize> = node
                .operands()
                .map(|operand| self.positions[operand.index()] as usize)
                .collect();
            if let Node::Select { .. } = node {
                draft.select(position, &operands, to);
            } else {
                operands
                    .iter()
                    .for_each(|operand| draft.force(region, *operand));
                let operation = self.operation(draft, id, &operands, to, origin, sites);
                draft.regions[region as usize].code.push(operation);
            }
            if let Some(thunk) = draft.thunk[position] {
                bodies[thunk as usize] = std::mem::take(&mut draft.regions[region as usize].code);
            }
        }
        bodies
    }

    fn operation(
        &self,
        draft: &Draft<'_>,
        id: NodeId,
        operands: &[usize],
        to: u32,
        origin: Origin,
        sites: &mut Sites,
    ) -> Operation {
        let source = |n: usize| draft.sources[operands[n]];
        let ty_of = |n: usize| draft.nodes.ty(draft.order[operands[n]]);
        let ty = draft.nodes.ty(id);
        match draft.nodes.node(id) {
            Node::Load { array, .. } => {
                // Where the user indexed the array; else where it was made, as a value may be read far
                // from where the user wrote it.
                let made = self.kernel.tables.array(array).origin;
                let origin = [draft.nodes.origin(id), made]
                    .into_iter()
                    .find(|place| *place != Origin::UNKNOWN)
                    .unwrap_or(origin);
                Operation::Load {
                    site: sites.number(Site {
                        array,
                        kind: AccessKind::Read,
                        origin,
                        distinct: false,
                    }),
                    index: source(0),
                    to,
                }
            }
            Node::Unary { op, .. } => Operation::Unary {
                op,
                ty: ty_of(0),
                value: source(0),
                to,
            },
            Node::Binary { op, exact, .. } => Operation::Binary {
                op,
                exact,
                types: [ty_of(0), ty_of(1)],
                left: source(0),
                right: source(1),
                to,
            },
            Node::MulAdd { .. } => Operation::MulAdd {
                ty: ty_of(0),
                operands: [source(0), source(1), source(2)],
                to,
            },
            Node::Cast { .. } => Operation::Cast {
                from: ty_of(0),
                ty,
                value: source(0),
                to,
            },
            // The others are leaves, or have been dealt with.
            _ => Operation::Return,
        }
    }
}

impl Draft<'_> {
    /// Gives every node its region, from the users to what they use; the number of thunks.
    fn place(&mut self, roots: &[NodeId], positions: &[u32]) -> usize {
        let mut homes: Vec<Option<Home>> = vec![None; self.order.len()];
        let mut thunks = 0;
        let position = |id: NodeId| positions[id.index()] as usize;
        roots
            .iter()
            .for_each(|root| self.use_in(&mut homes, position(*root), 0));
        for at in (0..self.order.len()).rev() {
            let node = self.nodes.node(self.order[at]);
            if node.is_leaf() {
                continue;
            }
            let home = homes[at].unwrap_or(Home {
                region: 0,
                direct: true,
            });
            self.region[at] = home.region;
            if !home.direct {
                self.region[at] = self.inside(home.region);
                self.thunk[at] = Some(thunks);
                thunks += 1;
            }
            let region = self.region[at];
            if let Node::Select {
                condition,
                then,
                otherwise,
            } = node
            {
                self.arms[at] = [self.inside(region), self.inside(region)];
                self.use_in(&mut homes, position(condition), region);
                self.use_in(&mut homes, position(then), self.arms[at][0]);
                self.use_in(&mut homes, position(otherwise), self.arms[at][1]);
            } else {
                node.operands()
                    .for_each(|operand| self.use_in(&mut homes, position(operand), region));
            }
        }
        thunks as usize
    }

    fn inside(&mut self, parent: u32) -> u32 {
        let depth = self.regions[parent as usize].depth + 1;
        self.regions.push(Region {
            parent,
            depth,
            code: Vec::new(),
            forced: Vec::new(),
        });
        self.regions.len() as u32 - 1
    }

    fn use_in(&self, homes: &mut [Option<Home>], at: usize, region: u32) {
        homes[at] = Some(match homes[at] {
            None => Home {
                region,
                direct: true,
            },
            Some(home) => {
                let common = self.common(home.region, region);
                Home {
                    region: common,
                    direct: common == region || (common == home.region && home.direct),
                }
            }
        });
    }

    /// The innermost region that contains both.
    fn common(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            let (x, y) = (&self.regions[a as usize], &self.regions[b as usize]);
            let (deep_a, deep_b) = (x.depth >= y.depth, y.depth >= x.depth);
            let (above_a, above_b) = (x.parent, y.parent);
            if deep_a {
                a = above_a;
            }
            if deep_b {
                b = above_b;
            }
        }
        a
    }

    /// Makes sure, in a region, that a node has a value.
    fn force(&mut self, region: u32, at: usize) {
        let Some(thunk) = self.thunk[at] else { return };
        let region = &mut self.regions[region as usize];
        if !region.forced.contains(&thunk) {
            region.forced.push(thunk);
            region.code.push(Operation::Force { thunk });
        }
    }

    /// The operations of both arms, one after the other.
    fn select(&mut self, at: usize, operands: &[usize], to: u32) {
        let [condition, then, otherwise] = [operands[0], operands[1], operands[2]];
        let (region, [yes, no]) = (self.region[at], self.arms[at]);
        self.force(region, condition);
        self.force(yes, then);
        self.force(no, otherwise);
        let [first, second] =
            [yes, no].map(|arm| std::mem::take(&mut self.regions[arm as usize].code));
        let (then, otherwise) = (self.sources[then], self.sources[otherwise]);
        let condition = self.sources[condition];
        let code = &mut self.regions[region as usize].code;
        code.push(Operation::Select {
            condition,
            skip: first.len() as u32,
        });
        code.extend(first);
        code.push(Operation::Otherwise {
            value: then,
            to,
            skip: second.len() as u32,
        });
        code.extend(second);
        code.push(Operation::Join {
            value: otherwise,
            to,
        });
    }
}
