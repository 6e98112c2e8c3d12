//! What placing needs to know: the tree of lists, where each node is used, what it depends on,
//! whether it is guarded.

use crate::ir::{Kernel, Level, Levelled, LevelledLoop, Statement};
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, BinaryOp, Node, NodeId, Nodes, VariableId};

/// Exact arithmetic inside of this many choices, one in the other, is guarded no more.
const MOST_CHOICES: u32 = 6;

/// A list of statements, by its number in the order of the text.
pub(super) type ListId = usize;

/// A place in front of the statement at a position of a list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Spot {
    pub(super) list: ListId,
    pub(super) position: usize,
}

/// A list, seen from inside.
pub(super) struct List {
    /// The statement that contains it, unless it is the kernel's body.
    pub(super) parent: Option<Spot>,
    /// Lists above it.
    pub(super) depth: usize,
    /// Is it repeated?
    pub(super) is_loop: bool,
    /// What the body of a loop of one thread does, if it is executed at least once.
    pub(super) rounds: Option<Rounds>,
}

/// A loop of one thread that has at least one round.
pub(super) struct Rounds {
    /// The first statement that may leave it; what comes behind may not be executed at all.
    pub(super) leaves: usize,
    /// The arrays that it writes.
    pub(super) writes: Set<ArrayId>,
}

/// The arrays from which a node loads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loads {
    None,
    From(ArrayId),
    Several,
}

/// A use of a node by a statement, directly.
#[derive(Clone, Copy)]
pub(super) struct Use {
    pub(super) node: NodeId,
    pub(super) spot: Spot,
}

pub(super) struct Facts {
    pub(super) lists: Vec<List>,
    pub(super) uses: Vec<Use>,
    /// The innermost place at which all variables of a node are bound; none if that is not one
    /// place.
    pub(super) homes: Vec<Option<Spot>>,
    /// By node: may it be computed only where the program asks for it?
    pub(super) guarded: Vec<bool>,
    /// By node: from where it loads.
    pub(super) loads: Vec<Loads>,
}

impl Facts {
    pub(super) fn new(kernel: &Kernel<Levelled>) -> Self {
        let mut facts = Facts {
            lists: vec![List {
                parent: None,
                depth: 0,
                is_loop: false,
                rounds: None,
            }],
            uses: Vec::new(),
            homes: Vec::new(),
            guarded: Vec::new(),
            loads: Vec::new(),
        };
        let mut binders: Map<VariableId, Set<Spot>> = Map::new();
        let nodes = &kernel.tables.nodes;
        facts.list(nodes, &kernel.body, 0, &mut binders);
        // How many choices are around exact arithmetic in each node.
        let mut choices = Vec::new();
        for id in nodes.ids() {
            let node = nodes.node(id);
            let home = facts.home(node, &binders);
            let own = match node {
                Node::Load { array, .. } => Loads::From(array),
                _ => Loads::None,
            };
            let parts = node.operands().map(|n| facts.loads[n.index()]);
            let loads = parts.fold(own, Loads::and);
            let guarded =
                is_guard(kernel, node) || node.operands().any(|n| facts.guarded[n.index()]);
            let inside = node
                .operands()
                .map(|n| choices[n.index()])
                .max()
                .unwrap_or(0);
            let choosing = guarded && node.is_choice();
            facts.loads.push(loads);
            choices.push(inside + u32::from(choosing));
            facts.homes.push(home);
            facts.guarded.push(
                loads != Loads::None || (guarded && inside + u32::from(choosing) < MOST_CHOICES),
            );
        }
        facts
    }

    fn list(
        &mut self,
        nodes: &Nodes,
        list: &[Statement<Levelled>],
        id: ListId,
        binders: &mut Map<VariableId, Set<Spot>>,
    ) {
        for (position, statement) in list.iter().enumerate() {
            let spot = Spot { list: id, position };
            let is_loop = !matches!(statement, Statement::If { .. });
            let inner = statement.lists();
            if let (Statement::While { condition, .. }, [head, body]) =
                (statement, inner.as_slice())
            {
                // The head goes on with the condition and then the body: the body is a list at the
                // end of the head.
                let head_id = self.open(spot, true);
                self.list(nodes, head, head_id, binders);
                self.uses.push(Use {
                    node: *condition,
                    spot: Spot {
                        list: head_id,
                        position: head.len(),
                    },
                });
                let body_id = self.open(
                    Spot {
                        list: head_id,
                        position: head.len(),
                    },
                    false,
                );
                self.list(nodes, body, body_id, binders);
                continue;
            }
            self.uses
                .extend(statement.nodes().into_iter().map(|node| Use { node, spot }));
            let start = if inner.is_empty() {
                Spot {
                    list: id,
                    position: position + 1,
                }
            } else {
                Spot {
                    list: self.lists.len(),
                    position: 0,
                }
            };
            if let Some(variable) = statement.binds() {
                binders.entry(variable).or_default().insert(start);
            }
            let mut own = statement.bound_inside().into_iter();
            for list in inner {
                let inner_id = self.open(spot, is_loop);
                self.lists[inner_id].rounds = rounds(nodes, statement);
                for variable in own.next().unwrap_or_default() {
                    let start = Spot {
                        list: inner_id,
                        position: 0,
                    };
                    binders.entry(variable).or_default().insert(start);
                }
                self.list(nodes, list, inner_id, binders);
            }
        }
    }

    fn open(&mut self, parent: Spot, is_loop: bool) -> ListId {
        let depth = self.lists[parent.list].depth + 1;
        self.lists.push(List {
            parent: Some(parent),
            depth,
            is_loop,
            rounds: None,
        });
        self.lists.len() - 1
    }

    fn home(&self, node: Node, binders: &Map<VariableId, Set<Spot>>) -> Option<Spot> {
        let top = Spot {
            list: 0,
            position: 0,
        };
        if let Node::Variable(variable) = node {
            return match binders.get(&variable) {
                None => Some(top),
                Some(spots) if spots.len() == 1 => spots.first().copied(),
                Some(_) => None,
            };
        }
        let depth = |spot: &Spot| (self.lists[spot.list].depth, spot.position);
        node.operands().try_fold(top, |home, n| {
            Some(home)
                .into_iter()
                .chain([self.homes[n.index()]?])
                .max_by_key(depth)
        })
    }
}

impl Loads {
    fn and(self, other: Loads) -> Loads {
        match (self, other) {
            (Loads::None, loads) | (loads, Loads::None) => loads,
            _ if self == other => self,
            _ => Loads::Several,
        }
    }
}

fn rounds(nodes: &Nodes, statement: &Statement<Levelled>) -> Option<Rounds> {
    let Statement::Loop {
        kind: LevelledLoop::Sequential(Level::Thread),
        bounds: [count],
        body,
        ..
    } = statement
    else {
        return None;
    };
    let is_done = nodes.literal(*count).is_some_and(|count| count.u32() > 0);
    is_done.then(|| {
        let leaves = body
            .iter()
            .position(Statement::may_leave)
            .unwrap_or(body.len());
        let mut writes = Set::new();
        for statement in body {
            statement.visit(&mut |statement| writes.extend(statement.writes()));
        }
        Rounds { leaves, writes }
    })
}

/// Is there a reason in the node itself not to compute it ahead of its condition?
fn is_guard(kernel: &Kernel<Levelled>, node: Node) -> bool {
    match node {
        Node::Load { .. } => true,
        Node::Binary {
            op: BinaryOp::Sub,
            exact: true,
            ..
        } => true,
        Node::Binary {
            op: BinaryOp::Div | BinaryOp::Rem,
            exact: true,
            right,
            ..
        } => kernel
            .tables
            .nodes
            .literal(right)
            .is_none_or(|n| n.bits() == 0),
        _ => false,
    }
}
