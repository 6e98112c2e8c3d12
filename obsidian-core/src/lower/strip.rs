//! Stripping: the tree of actions becomes the statements of a [`Kernel`], with every level made
//! concrete.
//!
//! Before it a `ForAll` says only that iterations are shared out; after it, over whose threads. A
//! `DistrPar` over single threads is a `ForAll` of the warp. Waits of single threads disappear, and
//! arrays of single threads are held by them. Paper, section 5.1.1.

use crate::error::{Diagnostic, Diagnostics, Origin, catalogue};
use crate::ir::ReportKind;
use crate::ir::{Collective, CollectiveOp, Kernel, Layout, Level, Levelled, LevelledLoop, Unroll};
use crate::lower::Reified;
use crate::program::{Action, Combined, Turn};
use crate::scalar::{ArrayPlace, Literal, Node, NodeId, Nodes, Tables, VariableId};

/// The kernel of a reified program.
///
/// # Errors
/// A program that does something at a level which cannot do it.
pub fn strip(reified: Reified) -> Result<Kernel<Levelled>, Diagnostics> {
    let Reified {
        name,
        parameters,
        actions,
        mut tables,
    } = reified;
    let one = tables.nodes.add_literal(Literal::from(1u32));
    let mut strip = Strip {
        tables,
        mistakes: Vec::new(),
        one,
        in_loop: false,
        order: Order::None,
        nested: 0,
    };
    let body = strip.list(actions, Level::Grid);
    if strip.mistakes.is_empty() {
        Ok(Kernel {
            name,
            tables: strip.tables,
            parameters,
            threads: (),
            body,
        })
    } else {
        Err(Diagnostics::new(strip.mistakes, strip.tables.origins))
    }
}

type Statement = crate::ir::Statement<Levelled>;

/// What only a single thread can do, and where the user asks for it.
fn step_of_one_thread(action: &Action) -> Option<(&'static str, Origin)> {
    Some(match action {
        Action::Assign { origin, .. } => ("writing an element", *origin),
        Action::AtomicOp { op, origin, .. } => (op.method(), *origin),
        Action::Read { origin, .. } => ("reading an element of a mutable array", *origin),
        Action::Report(report) => match report.kind {
            ReportKind::Shown => ("showing a value", report.origin),
            ReportKind::Failed => ("an assertion", report.origin),
        },
        _ => return None,
    })
}

/// Says how a loop is unrolled, if the statement is one whose rounds a thread does.
fn set(statement: &mut Statement, by: Unroll) {
    if let Statement::Loop {
        kind: LevelledLoop::Sequential(_) | LevelledLoop::ForAll(_),
        unroll: unroll @ Unroll::Free,
        ..
    } = statement
    {
        *unroll = by;
    }
}

/// Keeps loops rolled whose number of rounds is not known. The others stay free: nvcc writes them out, and has what they index
/// in registers.
fn roll(statement: &mut Statement, nodes: &Nodes) {
    if let Statement::Loop { bounds, .. } = statement
        && nodes.literal(bounds[0]).is_none()
    {
        set(statement, Unroll::Never);
    }
    let inner = statement.lists_mut().into_iter().flatten();
    inner.for_each(|inner| roll(inner, nodes));
}

struct Strip {
    tables: Tables,
    mistakes: Vec<Diagnostic>,
    one: NodeId,
    /// Is there a loop of one thread around, which `break` leaves?
    in_loop: bool,
    order: Order,
    /// How many statements are around.
    nested: u32,
}

/// May what earlier blocks have be asked for in a list?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// No blocks of an order are around.
    None,
    /// They are, and something between.
    Around,
    /// It is their own list, and they have not asked.
    Open,
    /// They have.
    Asked,
}

impl Strip {
    fn list(&mut self, actions: Vec<Action>, level: Level) -> Vec<Statement> {
        let mut list = Vec::new();
        for action in actions {
            match action {
                // What one of the threads does, in one thread, is no loop.
                Action::ForAll {
                    counter,
                    count,
                    body,
                } if level == Level::Thread && count == self.one => {
                    let body = self.list(body, level);
                    if self.mentions(&body, counter) {
                        list.push(Statement::Loop {
                            kind: LevelledLoop::ForAll(level),
                            unroll: Unroll::Free,
                            counter,
                            bounds: [count],
                            body,
                        });
                    } else {
                        list.extend(body);
                    }
                }
                Action::Unroll { unroll, body } => {
                    let first = list.len();
                    list.extend(self.list(body, level));
                    let nodes = &self.tables.nodes;
                    list[first..].iter_mut().for_each(|s| match unroll {
                        Unroll::Never => roll(s, nodes),
                        _ => set(s, unroll),
                    });
                }
                action => list.extend(self.action(action, level)),
            }
        }
        list
    }

    fn mentions(&self, list: &[Statement], variable: VariableId) -> bool {
        let mut roots = Vec::new();
        list.iter()
            .for_each(|s| s.visit(&mut |s| roots.extend(s.nodes())));
        let nodes = &self.tables.nodes;
        nodes
            .post_order(&roots, |_| false)
            .into_iter()
            .any(|id| nodes.node(id) == Node::Variable(variable))
    }

    /// The statements of a body: may `break` leave a loop there?
    fn inside(&mut self, actions: Vec<Action>, level: Level, in_loop: bool) -> Vec<Statement> {
        let before = std::mem::replace(&mut self.in_loop, in_loop);
        let list = self.between(actions, level);
        self.in_loop = before;
        list
    }

    /// A list inside of a statement.
    fn between(&mut self, actions: Vec<Action>, level: Level) -> Vec<Statement> {
        let inside = match self.order {
            Order::None => Order::None,
            Order::Around | Order::Open | Order::Asked => Order::Around,
        };
        let before = std::mem::replace(&mut self.order, inside);
        self.nested += 1;
        let list = self.list(actions, level);
        self.nested -= 1;
        self.order = before;
        list
    }

    fn action(&mut self, action: Action, level: Level) -> Option<Statement> {
        if level > Level::Thread
            && let Some((what, origin)) = step_of_one_thread(&action)
        {
            return self.refuse(catalogue::step_of_one_thread(what, level.name()).at(origin));
        }
        Some(match action {
            Action::Assign {
                array,
                index,
                value,
                origin,
            } => Statement::Store {
                array,
                index,
                value,
                origin,
            },
            Action::AtomicOp { array, origin, .. }
                if self.tables.array(array).place == ArrayPlace::Held =>
            {
                let name = &self.tables.array(array).name;
                return self.refuse(catalogue::atomic_of_one_thread(name).at(origin));
            }
            Action::AtomicOp {
                array,
                index,
                op,
                operands,
                result,
                origin,
            } => Statement::Atomic {
                array,
                index,
                op,
                operands,
                result,
                origin,
            },
            Action::Read {
                variable,
                array,
                index,
                origin,
            } => Statement::Read {
                variable,
                array,
                index,
                origin,
            },
            Action::Declare { cell, value } => Statement::Declare { cell, value },
            Action::AssignCell { cell, value } => Statement::Assign { cell, value },
            Action::GetCell { variable, cell } => Statement::Get { variable, cell },
            Action::Cond {
                condition,
                then,
                otherwise,
            } => Statement::If {
                condition,
                then: self.between(then, level),
                otherwise: self.between(otherwise, level),
            },
            Action::SeqWhile {
                head,
                condition,
                body,
            } => {
                let head = self.inside(head, level, false);
                Statement::While {
                    head,
                    condition,
                    body: self.inside(body, level, level == Level::Thread),
                }
            }
            // What it does has been put into the list.
            Action::Unroll { .. } => return None,
            Action::Break { origin } if !self.in_loop => {
                return self.refuse(catalogue::no_loop().at(origin));
            }
            Action::Break { .. } => Statement::Break,
            Action::Report(report) => Statement::Report(report),
            Action::SeqFor {
                counter,
                count,
                body,
            } => {
                let body = self.inside(body, level, level == Level::Thread);
                Statement::Loop {
                    kind: LevelledLoop::Sequential(level),
                    unroll: Unroll::Free,
                    counter,
                    bounds: [count],
                    body,
                }
            }
            Action::ForAll {
                counter,
                count,
                body,
            } => {
                if level == Level::Grid {
                    return self.refuse(catalogue::push_at_grid());
                }
                Statement::Loop {
                    kind: LevelledLoop::ForAll(level),
                    unroll: Unroll::Free,
                    counter,
                    bounds: [count],
                    body: self.inside(body, Level::Thread, false),
                }
            }
            Action::DistrPar {
                counter,
                count,
                turn: turn @ (Turn::InOrder | Turn::Last),
                body,
                origin,
            } => return self.ordered(turn, (counter, count, origin), body, level),
            Action::DistrPar {
                counter,
                count,
                turn: Turn::Any,
                body,
                origin,
            } => match level {
                Level::Thread => {
                    let refusal = catalogue::wrong_level(
                        "distribution over the level below",
                        "Thread",
                        "Warp, Block and Grid",
                    );
                    return self.refuse(refusal.at(origin));
                }
                Level::Warp => Statement::Loop {
                    kind: LevelledLoop::ForAll(level),
                    unroll: Unroll::Free,
                    counter,
                    bounds: [count],
                    body: self.inside(body, Level::Thread, false),
                },
                Level::Block => Statement::Loop {
                    kind: LevelledLoop::Distribute(Level::Warp),
                    unroll: Unroll::Free,
                    counter,
                    bounds: [count],
                    body: self.inside(body, Level::Warp, false),
                },
                Level::Grid => Statement::Loop {
                    kind: LevelledLoop::Distribute(Level::Block),
                    unroll: Unroll::Free,
                    counter,
                    bounds: [count],
                    body: self.inside(body, Level::Block, false),
                },
            },
            Action::Collective(of) => return self.collective(*of, level),
            Action::Allocate {
                array,
                held,
                origin,
            } => {
                let (place, layout) = match (level, held) {
                    (Level::Grid, _) => {
                        return self.refuse(catalogue::no_shared_memory().at(origin));
                    }
                    // A thread owns all elements of its own arrays, whatever the layout.
                    (Level::Thread, _) => (ArrayPlace::Held, Layout::Striped),
                    (Level::Warp | Level::Block, Some(layout)) => (ArrayPlace::Held, layout),
                    (Level::Warp | Level::Block, None) => (ArrayPlace::Shared, Layout::Striped),
                };
                self.tables.array_mut(array).place = place;
                Statement::Allocate { array, layout }
            }
            Action::Sync => match level {
                Level::Thread => return None,
                Level::Warp | Level::Block => Statement::Wait { scope: level },
                Level::Grid => {
                    return self.refuse(catalogue::wrong_level(
                        "waiting for each other",
                        "Grid",
                        "Thread, Warp and Block",
                    ));
                }
            },
        })
    }

    /// A loop over blocks that have an order, or what the last block does, in the list of the kernel itself: blocks are counted once a launch.
    fn ordered(
        &mut self,
        turn: Turn,
        (counter, count, origin): (VariableId, NodeId, Origin),
        body: Vec<Action>,
        level: Level,
    ) -> Option<Statement> {
        if level != Level::Grid || self.nested > 0 {
            return self.refuse(catalogue::ordered_again().at(origin));
        }
        let (kind, order) = match turn {
            Turn::Last => (LevelledLoop::Last, Order::None),
            Turn::InOrder | Turn::Any => (LevelledLoop::Ordered, Order::Open),
        };
        let before = std::mem::replace(&mut self.order, order);
        let body = self.list(body, Level::Block);
        self.order = before;
        Some(Statement::Loop {
            kind,
            unroll: Unroll::Free,
            counter,
            bounds: [count],
            body,
        })
    }

    /// May a block ask for what earlier ones have here?
    fn asks(&mut self, level: Level) -> Result<(), Diagnostic> {
        match (self.order, level) {
            (Order::Open, Level::Block) => {
                self.order = Order::Asked;
                Ok(())
            }
            (Order::Asked, _) => Err(catalogue::earlier_twice()),
            (Order::None, _) => Err(catalogue::earlier_without_order()),
            (Order::Open | Order::Around, _) => Err(catalogue::earlier_inside()),
        }
    }

    fn collective(&mut self, of: Combined, level: Level) -> Option<Statement> {
        if of.op == CollectiveOp::Earlier
            && let Err(mistake) = self.asks(level)
        {
            return self.refuse(mistake.at(of.origin));
        }
        if level == Level::Grid {
            let name = format!("`{}`", of.op.name());
            let wrong = catalogue::wrong_level(&name, "Grid", "Thread, Warp and Block");
            return self.refuse(wrong.at(of.origin));
        }
        Some(Statement::Collective(
            (),
            Box::new(Collective {
                op: of.op,
                level,
                initial: of.initial,
                counter: of.counter,
                count: of.count,
                source: vec![Statement::Give((), of.given)],
                left: of.left,
                right: of.right,
                combine: match of.combined.is_empty() {
                    true => Vec::new(),
                    false => vec![Statement::Give((), of.combined)],
                },
                element: of.element,
                results: of.results,
                result: of.result,
                body: self.inside(of.body, Level::Thread, false),
                origin: of.origin,
            }),
        ))
    }

    fn refuse(&mut self, mistake: Diagnostic) -> Option<Statement> {
        self.mistakes.push(mistake);
        None
    }
}
