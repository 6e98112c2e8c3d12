//! Walking statements: the lists inside a statement, and the nodes that it evaluates itself.

use super::{Collective, Earlier, Effect, Kernel, Shuffle, Stage, Statement, Unroll, Wide};
use crate::error::Origin;
use crate::ordered::{Map, Set};
use crate::scalar::{ArrayId, Node, NodeId, Nodes, VariableId};

/// Puts a value in the place of a variable, wherever a list mentions it.
#[doc(hidden)]
pub fn substitute<S: Stage>(
    nodes: &mut Nodes,
    list: &mut [Statement<S>],
    variable: VariableId,
    by: NodeId,
) {
    for statement in list {
        for root in statement.nodes_mut() {
            let is_it = |nodes: &Nodes, id| nodes.node(id) == Node::Variable(variable);
            *root = nodes.replaced(*root, |nodes, id| is_it(nodes, id).then_some(by));
        }
        for inner in statement.lists_mut() {
            substitute(nodes, inner, variable, by);
        }
    }
}

impl<S: Stage> Kernel<S> {
    /// What each variable of a `Let` stands for.
    pub fn lets(&self) -> Map<VariableId, NodeId> {
        let mut lets = Map::new();
        for statement in &self.body {
            statement.visit(&mut |inner| {
                if let Statement::Let { variable, value } = inner {
                    lets.insert(*variable, *value);
                }
            });
        }
        lets
    }

    /// The kernel at another stage, without its statements, which still are at this one.
    #[doc(hidden)]
    pub fn without_body<T: Stage>(self, threads: T::Threads) -> (Kernel<T>, Vec<Statement<S>>) {
        let kernel = Kernel {
            name: self.name,
            tables: self.tables,
            parameters: self.parameters,
            threads,
            body: Vec::new(),
        };
        (kernel, self.body)
    }
}

/// The lists inside a statement, borrowed from `&Statement` or, with `mut`, from `&mut Statement`.
macro_rules! lists {
    ($statement:expr $(, $mutable:tt)?) => {
        match $statement {
            Statement::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Statement::While { head, body, .. } => vec![head, body],
            Statement::Loop { body, .. } => vec![body],
            Statement::Collective(_, of) => {
                let Collective {
                    source,
                    combine,
                    body,
                    ..
                } = &$($mutable)? **of;
                vec![source, combine, body]
            }
            Statement::Earlier(_, of) => {
                let Earlier { combine, .. } = &$($mutable)? **of;
                vec![combine]
            }
            Statement::Let { .. }
            | Statement::Store { .. }
            | Statement::Atomic { .. }
            | Statement::Read { .. }
            | Statement::Declare { .. }
            | Statement::Assign { .. }
            | Statement::Get { .. }
            | Statement::Break
            | Statement::Report(_)
            | Statement::Allocate { .. }
            | Statement::Wait { .. }
            | Statement::Shuffle(..)
            | Statement::Wide(..)
            | Statement::Give(..) => Vec::new(),
        }
    };
}

impl<S: Stage> Statement<S> {
    /// The nodes that the statement itself evaluates, not those of the lists inside it.
    pub fn nodes(&self) -> Vec<NodeId> {
        match self {
            Statement::Let { value, .. }
            | Statement::Declare { value, .. }
            | Statement::Assign { value, .. } => vec![*value],
            Statement::Store { index, value, .. } => vec![*index, *value],
            Statement::Atomic {
                index, operands, ..
            } => std::iter::once(*index)
                .chain(operands.iter().copied())
                .collect(),
            Statement::Read { index, .. } => vec![*index],
            Statement::If { condition, .. } | Statement::While { condition, .. } => {
                vec![*condition]
            }
            Statement::Loop { bounds, .. } => bounds.as_ref().to_vec(),
            Statement::Collective(_, of) => [of.count, of.results]
                .into_iter()
                .chain(of.initial.iter().copied())
                .collect(),
            Statement::Report(report) => report.values.clone(),
            Statement::Shuffle(_, shuffle) => shuffle.nodes(),
            Statement::Wide(_, wide) => vec![wide.index],
            Statement::Earlier(_, of) => [of.element, of.count]
                .into_iter()
                .chain(of.own.iter().copied())
                .collect(),
            Statement::Give(_, values) => values.clone(),
            Statement::Get { .. }
            | Statement::Break
            | Statement::Allocate { .. }
            | Statement::Wait { .. } => Vec::new(),
        }
    }

    /// The nodes that the statement itself evaluates, to be replaced.
    pub fn nodes_mut(&mut self) -> Vec<&mut NodeId> {
        match self {
            Statement::Let { value, .. }
            | Statement::Declare { value, .. }
            | Statement::Assign { value, .. } => vec![value],
            Statement::Store { index, value, .. } => vec![index, value],
            Statement::Atomic {
                index, operands, ..
            } => std::iter::once(index).chain(operands).collect(),
            Statement::Read { index, .. } => vec![index],
            Statement::If { condition, .. } | Statement::While { condition, .. } => vec![condition],
            Statement::Loop { bounds, .. } => bounds.as_mut().iter_mut().collect(),
            Statement::Collective(_, of) => {
                let Collective {
                    count,
                    results,
                    initial,
                    ..
                } = &mut **of;
                [count, results].into_iter().chain(initial).collect()
            }
            Statement::Report(report) => report.values.iter_mut().collect(),
            Statement::Shuffle(_, shuffle) => shuffle.nodes_mut(),
            Statement::Wide(_, wide) => vec![&mut wide.index],
            Statement::Earlier(_, of) => {
                let Earlier {
                    element,
                    count,
                    own,
                    ..
                } = &mut **of;
                [element, count].into_iter().chain(own).collect()
            }
            Statement::Give(_, values) => values.iter_mut().collect(),
            Statement::Get { .. }
            | Statement::Break
            | Statement::Allocate { .. }
            | Statement::Wait { .. } => Vec::new(),
        }
    }

    /// The lists inside the statement, in order of execution.
    pub fn lists(&self) -> Vec<&Vec<Statement<S>>> {
        lists!(self)
    }

    /// The lists inside the statement, to be changed.
    pub fn lists_mut(&mut self) -> Vec<&mut Vec<Statement<S>>> {
        lists!(self, mut)
    }

    /// The variable that the statement binds: for the rest of its list, or for its body if it is a
    /// loop. A collective binds several, see [`bound_inside`](Statement::bound_inside).
    pub fn binds(&self) -> Option<VariableId> {
        match self {
            Statement::Let { variable, .. }
            | Statement::Read { variable, .. }
            | Statement::Get { variable, .. } => Some(*variable),
            Statement::Atomic { result, .. } => *result,
            Statement::Shuffle(_, shuffle) => Some(shuffle.variable),
            Statement::Loop { counter, .. } => Some(*counter),
            Statement::Store { .. }
            | Statement::Declare { .. }
            | Statement::Assign { .. }
            | Statement::If { .. }
            | Statement::While { .. }
            | Statement::Break
            | Statement::Report(_)
            | Statement::Allocate { .. }
            | Statement::Wait { .. }
            | Statement::Collective(..)
            | Statement::Wide(..)
            | Statement::Earlier(..)
            | Statement::Give(..) => None,
        }
    }

    /// The variables that a collective binds, and what combines earlier blocks, for each of its lists.
    pub fn bound_inside(&self) -> Vec<Vec<VariableId>> {
        match self.effect() {
            Effect::Combines(of) => of.bound().into(),
            Effect::Follows(of) => vec![of.right.clone()],
            Effect::Names(..)
            | Effect::Accesses(_)
            | Effect::AccessesWide(_)
            | Effect::Cell(..)
            | Effect::Chooses
            | Effect::Repeats
            | Effect::Counts(_)
            | Effect::Leaves
            | Effect::Tells(_)
            | Effect::Begins(_)
            | Effect::Waits(_)
            | Effect::Exchanges(_)
            | Effect::Gives(_) => Vec::new(),
        }
    }

    /// The array that the statement itself writes, if any. What the statements in its lists write, it does not write itself.
    pub fn writes(&self) -> Option<ArrayId> {
        let of_one = self.accessed().filter(|accessed| !accessed.how.is_read());
        let of_several = || self.wide().map(Wide::writes);
        of_one.map(|accessed| accessed.array).or_else(of_several)
    }

    /// The arrays that the nodes which the statement itself evaluates load.
    pub fn loads(&self, nodes: &Nodes) -> Set<ArrayId> {
        let order = nodes.post_order(&self.nodes(), |_| false);
        order
            .into_iter()
            .filter_map(|n| {
                if let Node::Load { array, .. } = nodes.node(n) {
                    Some(array)
                } else {
                    None
                }
            })
            .collect()
    }

    /// The arrays that the statement itself mentions: loaded, read, written, or begun.
    pub fn mentions(&self, nodes: &Nodes) -> Set<ArrayId> {
        let mut arrays = self.loads(nodes);
        arrays.extend(self.accessed().map(|accessed| accessed.array));
        arrays.extend(self.begins());
        arrays.extend(
            self.wide()
                .into_iter()
                .flat_map(|wide| [wide.array, wide.held]),
        );
        arrays
    }

    /// Returns `true` for a loop that surely has at least one round.
    pub fn has_a_round(&self, nodes: &Nodes) -> bool {
        matches!(self, Statement::Loop { bounds, .. } if S::has_a_round(*bounds, nodes))
    }

    /// The place of the first access in the statement, if any is known.
    pub fn first_origin(&self) -> Origin {
        let mut first = Origin::UNKNOWN;
        self.visit(&mut |s| {
            let origin = match s.effect() {
                Effect::Accesses(accessed) => accessed.origin,
                Effect::Combines(of) => of.origin,
                Effect::Tells(report) => report.origin,
                Effect::Exchanges(shuffle) => shuffle.origin,
                Effect::AccessesWide(wide) => wide.origin,
                Effect::Follows(of) => of.origin,
                Effect::Names(..)
                | Effect::Cell(..)
                | Effect::Chooses
                | Effect::Repeats
                | Effect::Counts(_)
                | Effect::Leaves
                | Effect::Begins(_)
                | Effect::Waits(_)
                | Effect::Gives(_) => Origin::UNKNOWN,
            };
            if first == Origin::UNKNOWN {
                first = origin;
            }
        });
        first
    }

    /// Calls `f` on the statement and on all statements inside it, in order.
    pub fn visit<'a>(&'a self, f: &mut dyn FnMut(&'a Statement<S>)) {
        f(self);
        self.lists()
            .into_iter()
            .flatten()
            .for_each(|inner| inner.visit(f));
    }

    /// Returns `true` if the statement may end the loop whose body it stands in.
    pub fn may_leave(&self) -> bool {
        self.leaves()
            || !self.is_loop() && self.lists().into_iter().flatten().any(Statement::may_leave)
    }

    /// The statement at another stage, its lists changed by `list`; or what it is, if stages differ
    /// in that.
    #[doc(hidden)]
    pub fn into_stage<T: Stage>(
        self,
        list: &mut dyn FnMut(Vec<Statement<S>>) -> Vec<Statement<T>>,
    ) -> Result<Statement<T>, Own<S, T>> {
        Ok(match self {
            Statement::Loop {
                kind,
                unroll,
                counter,
                bounds,
                body,
            } => {
                return Err(Own::Loop(Counted {
                    kind,
                    counter,
                    bounds,
                    unroll,
                    body: list(body),
                }));
            }
            Statement::Allocate { array, layout } => return Err(Own::Allocate(array, layout)),
            Statement::Collective(has, of) => return Err(Own::Collective(has, of)),
            Statement::Give(has, _) => return Err(Own::Give(has)),
            Statement::Shuffle(has, shuffle) => return Err(Own::Shuffle(has, shuffle)),
            Statement::Wide(has, _) => return Err(Own::Wide(has)),
            Statement::Earlier(has, of) => return Err(Own::Earlier(has, of)),
            Statement::If {
                condition,
                then,
                otherwise,
            } => Statement::If {
                condition,
                then: list(then),
                otherwise: list(otherwise),
            },
            Statement::While {
                head,
                condition,
                body,
            } => Statement::While {
                head: list(head),
                condition,
                body: list(body),
            },
            Statement::Let { variable, value } => Statement::Let { variable, value },
            Statement::Store {
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
            Statement::Atomic {
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
            Statement::Read {
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
            Statement::Declare { cell, value } => Statement::Declare { cell, value },
            Statement::Assign { cell, value } => Statement::Assign { cell, value },
            Statement::Get { variable, cell } => Statement::Get { variable, cell },
            Statement::Break => Statement::Break,
            Statement::Report(report) => Statement::Report(report),
            Statement::Wait { scope } => Statement::Wait { scope },
        })
    }
}

/// What stages differ in.
#[doc(hidden)]
pub enum Own<S: Stage, T: Stage> {
    Loop(Counted<S, T>),
    Allocate(ArrayId, S::Layout),
    Collective(S::Collectives, Box<Collective<S>>),
    Give(S::Collectives),
    Shuffle(S::Shuffles, Shuffle),
    Wide(S::Wide),
    Earlier(S::Earlier, Box<Earlier<S>>),
}

/// A loop of one stage, whose body is at another one.
#[doc(hidden)]
pub struct Counted<S: Stage, T: Stage> {
    #[doc(hidden)]
    pub kind: S::Loop,
    #[doc(hidden)]
    pub counter: VariableId,
    #[doc(hidden)]
    pub bounds: S::Bounds,
    #[doc(hidden)]
    pub unroll: Unroll,
    #[doc(hidden)]
    pub body: Vec<Statement<T>>,
}
