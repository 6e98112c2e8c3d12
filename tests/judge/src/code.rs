//! A kernel as operations with jumps: what a thread with a program counter runs.
//!
//! The lowered kernel is translated by the same code for the census; there a loop over blocks is
//! counted and not entered, and nothing else that is not of the grid occurs. What the two stages
//! have of their own is their loops: [`Loops`].

use std::collections::{BTreeMap, BTreeSet};

use obsidian_core::error::Origin;
use obsidian_core::ir::{
    AtomicOp, Direction, Kernel, Lane, Level, LevelledLoop, Lowered, Never, ParameterKind,
    Physical, PhysicalLoop, Stage, Statement, Wide,
};
use obsidian_core::plan::{SharedMap, Slot};
use obsidian_core::scalar::{
    ArrayPlace, BinaryOp, Literal, Node, NodeId, Role, ScalarType, Special, UnaryOp,
};

use crate::memory::How;

const UNORDERED: &str = "the judge knows no blocks that have an order";

/// What comes of what all lanes of a warp have.
#[derive(Clone, Copy, Debug)]
pub enum All {
    /// Everything combined.
    Combined(BinaryOp),
    /// For each lane the bits of those that have the same.
    Equal,
}

/// One step of a thread. Numbers name variables, expressions, arrays, sites and loops.
#[derive(Clone, Debug)]
pub enum Operation {
    /// A variable gets the value of an expression.
    Set { variable: usize, value: usize },
    /// A variable gets the value of another one.
    Copy { variable: usize, from: usize },
    /// An element is written.
    Store {
        array: usize,
        index: usize,
        value: usize,
        site: usize,
    },
    /// A variable gets an element.
    Read {
        variable: usize,
        array: usize,
        index: usize,
        site: usize,
    },
    /// An element is read and written in one step.
    Atomic {
        array: usize,
        index: usize,
        op: AtomicOp,
        operands: Vec<usize>,
        result: Option<usize>,
        site: usize,
    },
    /// As many neighbouring elements as a held array has go to or from it.
    Wide {
        array: usize,
        index: usize,
        held: usize,
        direction: Direction,
        site: usize,
        inside: usize,
    },
    /// An array begins: what its memory holds is not its own.
    Allocate { array: usize },
    /// Goes on elsewhere if the condition does not hold.
    Unless { condition: usize, to: usize },
    /// Goes on elsewhere.
    Jump { to: usize },
    /// A loop begins; `blocks` if it is one over blocks, and `last` if only the block that is last has a round of it.
    Begin {
        slot: usize,
        start: usize,
        end: usize,
        step: usize,
        blocks: bool,
        last: bool,
    },
    /// The next iteration, or elsewhere if there is none.
    Test {
        slot: usize,
        counter: usize,
        exit: usize,
        blocks: bool,
    },
    /// Adds the step, and goes back to the test.
    Advance { slot: usize, to: usize },
    /// Takes the value that another lane of the warp has: of the lane whose number an expression
    /// gives, or of the one this much further.
    Shuffle {
        variable: usize,
        value: usize,
        number: Option<usize>,
        ahead: u32,
        /// What comes of all lanes.
        all: Option<All>,
    },
    /// Waits for the threads of a scope.
    Wait { scope: Level },
    /// Census only: a loop over `blocks` blocks.
    Count { blocks: usize },
    /// The thread has ended.
    End,
}

/// An expression; its operands are expressions by number.
#[derive(Clone, Copy, Debug)]
pub enum Expression {
    Literal(Literal),
    Variable(usize),
    Length(usize),
    Special(Special),
    Load {
        array: usize,
        index: usize,
        site: usize,
    },
    Unary(UnaryOp, usize),
    Binary(BinaryOp, usize, usize),
    MulAdd(usize, usize, usize),
    Select(usize, usize, usize),
    Cast(ScalarType, usize),
    Poison,
}

/// Where an array lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The parameter of this number.
    Global { parameter: usize, role: Role },
    /// In the block's memory.
    Shared(Slot),
    /// In registers.
    Held,
}

/// An array.
#[derive(Clone, Debug)]
pub struct Array {
    pub name: String,
    pub ty: ScalarType,
    pub place: Place,
    /// Elements, if it is no parameter.
    pub length: usize,
}

/// One access in the text.
#[derive(Clone, Debug)]
pub struct Site {
    pub how: How,
    pub array: usize,
    pub index: usize,
    /// The position of its statement in the text.
    pub statement: usize,
    /// Of an atomic one: the operation, and is its old value used?
    pub atomic: Option<(AtomicOp, bool)>,
    /// The `for_all`s of the user that it stands in.
    pub loops: BTreeSet<usize>,
}

/// A kernel, translated.
#[derive(Debug, Default)]
pub struct Code {
    pub operations: Vec<Operation>,
    pub expressions: Vec<Expression>,
    pub arrays: Vec<Array>,
    pub sites: Vec<Site>,
    /// The type of each variable.
    pub variables: Vec<ScalarType>,
    /// The variable of each scalar parameter, by parameter.
    pub arguments: BTreeMap<usize, usize>,
    pub slots: usize,
    pub threads: u32,
    pub shared_bytes: u32,
}

impl Code {
    /// The physical kernel of a plan; the lowered one says which `for_all` an atomic is of.
    pub fn physical(
        kernel: &Kernel<Physical>,
        lowered: &Kernel<Lowered>,
        shared: &SharedMap,
    ) -> Code {
        let mut translator = Translator::new(kernel, Some(shared));
        let mut number = 0;
        atomics(
            &lowered.body,
            &mut BTreeSet::new(),
            &mut number,
            &mut translator.atomics,
        );
        translator.all()
    }

    /// The lowered kernel, as the grid sees it.
    pub fn lowered(kernel: &Kernel<Lowered>) -> Code {
        Translator::new(kernel, None).all()
    }

    /// An access in words.
    pub fn site(&self, site: usize) -> String {
        let Site {
            how,
            array,
            index,
            statement,
            ..
        } = self.sites[site];
        let verb = match how {
            How::Read => "read",
            How::Write => "store",
            How::Atomic => "atomic",
        };
        let name = &self.arrays[array].name;
        format!(
            "{verb} {name}[{}] (statement {statement})",
            self.text(index, 6)
        )
    }

    /// An expression as text, down to a depth.
    fn text(&self, expression: usize, depth: u32) -> String {
        if depth == 0 {
            return "..".to_owned();
        }
        let of = |e: usize| self.text(e, depth - 1);
        match self.expressions[expression] {
            Expression::Literal(value) => format!("{value:?}"),
            Expression::Variable(v) => format!("v{v}"),
            Expression::Length(a) => format!("{}.len()", self.arrays[a].name),
            Expression::Special(special) => format!("{special:?}"),
            Expression::Load { array, index, .. } => {
                format!("{}[{}]", self.arrays[array].name, of(index))
            }
            Expression::Unary(op, x) => format!("{}({})", op.name(), of(x)),
            Expression::Binary(op, x, y) => format!("({} {} {})", of(x), op.name(), of(y)),
            Expression::MulAdd(x, y, z) => format!("({} * {} + {})", of(x), of(y), of(z)),
            Expression::Select(c, x, y) => format!("select({}, {}, {})", of(c), of(x), of(y)),
            Expression::Cast(ty, x) => format!("({} as {})", of(x), ty.name()),
            Expression::Poison => "poison".to_owned(),
        }
    }
}

/// Each atomic statement of the lowered kernel, with the loops over threads around it.
fn atomics(
    list: &[Statement<Lowered>],
    around: &mut BTreeSet<usize>,
    number: &mut usize,
    found: &mut Vec<(Statement<Lowered>, BTreeSet<usize>)>,
) {
    for statement in list {
        if matches!(statement, Statement::Atomic { .. }) {
            found.push((statement.clone(), around.clone()));
        }
        let is_over_threads = matches!(
            statement,
            Statement::Loop {
                kind: LevelledLoop::ForAll(_),
                ..
            }
        );
        let own = is_over_threads.then(|| {
            *number += 1;
            *number
        });
        around.extend(own);
        for inner in statement.lists() {
            atomics(inner, around, number, found);
        }
        if let Some(own) = own {
            around.remove(&own);
        }
    }
}

/// What an atomic statement is known by at two stages: passes between them may write its index and
/// operands in other ways, but do not change what it is, where the user wrote it, or the name of its
/// old value.
fn identity<S: Stage>(statement: &Statement<S>) -> Option<(u32, AtomicOp, Option<u32>, Origin)> {
    match statement {
        Statement::Atomic {
            array,
            op,
            result,
            origin,
            ..
        } => Some((array.0, *op, result.map(|v| v.0), *origin)),
        _ => None,
    }
}

/// What the loops of a stage are to the judge.
trait Loops: Stage<Collectives = Never> {
    /// A loop that is gone through; or one over blocks that the census counts.
    fn begin(kind: Self::Loop, bounds: Self::Bounds) -> Loop;
}

enum Loop {
    /// Gone through from a start (0 where there is none) to an end, by a step (1 where there is
    /// none).
    Steps {
        start: Option<NodeId>,
        end: NodeId,
        step: Option<NodeId>,
        is_of_blocks: bool,
        is_last: bool,
        is_sequential: bool,
    },
    /// A loop over the given number of blocks.
    Blocks(NodeId),
}

impl Loops for Physical {
    fn begin(kind: PhysicalLoop, [start, end, step]: [NodeId; 3]) -> Loop {
        Loop::Steps {
            start: Some(start),
            end,
            step: Some(step),
            is_of_blocks: matches!(kind, PhysicalLoop::Blocks | PhysicalLoop::Last),
            is_last: kind == PhysicalLoop::Last,
            is_sequential: matches!(kind, PhysicalLoop::Sequential(_)),
        }
    }
}

impl Loops for Lowered {
    fn begin(kind: LevelledLoop, [count]: [NodeId; 1]) -> Loop {
        match kind {
            LevelledLoop::Sequential(_) => Loop::Steps {
                start: None,
                end: count,
                step: None,
                is_of_blocks: false,
                is_last: false,
                is_sequential: true,
            },
            LevelledLoop::Distribute(Level::Block) | LevelledLoop::Last => Loop::Blocks(count),
            LevelledLoop::Ordered => panic!("{UNORDERED}"),
            LevelledLoop::ForAll(_) | LevelledLoop::Distribute(_) => {
                panic!("no such loop is in a list of the grid: {kind:?}")
            }
        }
    }
}

struct Translator<'k, S: Loops> {
    kernel: &'k Kernel<S>,
    code: Code,
    /// The expression of each node.
    known: BTreeMap<NodeId, usize>,
    atomics: Vec<(Statement<Lowered>, BTreeSet<usize>)>,
    /// The position of the statement that is translated.
    statement: usize,
    /// For each loop that `Break` may leave, the jumps that do.
    exits: Vec<Vec<usize>>,
}

impl<'k, S: Loops> Translator<'k, S> {
    fn new(kernel: &'k Kernel<S>, shared: Option<&SharedMap>) -> Self {
        let tables = &kernel.tables;
        let mut code = Code {
            threads: S::known_threads(kernel.threads).unwrap_or(1),
            shared_bytes: shared.map_or(0, |map| map.bytes),
            variables: tables.variables.iter().map(|v| v.ty).collect(),
            ..Code::default()
        };
        let parameter = |kind| kernel.parameters.iter().position(|p| p.kind == kind);
        for (n, array) in tables.arrays.iter().enumerate() {
            let id = obsidian_core::scalar::ArrayId(n as u32);
            let place = match array.place {
                ArrayPlace::Global(role) => Place::Global {
                    parameter: parameter(ParameterKind::Array(id)).expect("a parameter"),
                    role,
                },
                ArrayPlace::Shared => shared
                    .and_then(|map| map.slots.get(&id))
                    .map_or(Place::Held, |slot| Place::Shared(*slot)),
                ArrayPlace::Held => Place::Held,
            };
            code.arrays.push(Array {
                name: array.name.clone(),
                ty: array.ty,
                place,
                length: tables
                    .nodes
                    .literal(array.length)
                    .map_or(0, |n| n.u32() as usize),
            });
        }
        for (n, parameter) in kernel.parameters.iter().enumerate() {
            if let ParameterKind::Scalar(variable) = parameter.kind {
                code.arguments.insert(n, variable.0 as usize);
            }
        }
        Translator {
            kernel,
            code,
            known: BTreeMap::new(),
            atomics: Vec::new(),
            statement: 0,
            exits: Vec::new(),
        }
    }

    fn all(mut self) -> Code {
        self.list(&self.kernel.body);
        self.code.operations.push(Operation::End);
        self.code
    }

    fn list(&mut self, list: &[Statement<S>]) {
        for statement in list {
            self.statement += 1;
            self.statement(statement);
        }
    }

    fn push(&mut self, operation: Operation) -> usize {
        self.code.operations.push(operation);
        self.code.operations.len() - 1
    }

    /// Lets the jumps of these operations go to the next operation.
    fn land(&mut self, jumps: &[usize]) {
        let here = self.code.operations.len();
        for jump in jumps {
            match &mut self.code.operations[*jump] {
                Operation::Unless { to, .. } | Operation::Jump { to } => *to = here,
                Operation::Test { exit, .. } => *exit = here,
                other => panic!("{other:?} does not jump"),
            }
        }
    }

    fn statement(&mut self, statement: &Statement<S>) {
        match statement {
            Statement::Let { variable, value } => self.set(variable.0, *value),
            Statement::Declare { cell, value } | Statement::Assign { cell, value } => {
                self.set(cell.0, *value);
            }
            Statement::Get { variable, cell } => {
                let (variable, from) = (variable.0 as usize, cell.0 as usize);
                self.push(Operation::Copy { variable, from });
            }
            Statement::Store {
                array,
                index,
                value,
                ..
            } => {
                let (array, index) = (array.0 as usize, self.expression(*index));
                let (value, site) = (self.expression(*value), self.site(How::Write, array, index));
                self.push(Operation::Store {
                    array,
                    index,
                    value,
                    site,
                });
            }
            Statement::Read {
                variable,
                array,
                index,
                ..
            } => {
                let (array, index) = (array.0 as usize, self.expression(*index));
                let (variable, site) = (variable.0 as usize, self.site(How::Read, array, index));
                self.push(Operation::Read {
                    variable,
                    array,
                    index,
                    site,
                });
            }
            Statement::Atomic { .. } => self.atomic(statement),
            Statement::Allocate { array, .. } => {
                self.push(Operation::Allocate {
                    array: array.0 as usize,
                });
            }
            Statement::Wait { scope } => {
                self.push(Operation::Wait { scope: *scope });
            }
            // It changes nothing.
            Statement::Report(_) => {}
            Statement::Break => {
                let jump = self.push(Operation::Jump { to: usize::MAX });
                self.exits
                    .last_mut()
                    .expect("a break stands in a loop")
                    .push(jump);
            }
            Statement::If { .. } | Statement::While { .. } => self.conditional(statement),
            Statement::Loop {
                kind,
                counter,
                bounds,
                body,
                ..
            } => self.counted(S::begin(*kind, *bounds), counter.0 as usize, body),
            Statement::Wide(_, wide) => self.wide(wide),
            Statement::Shuffle(_, shuffle) => {
                let (variable, value) =
                    (shuffle.variable.0 as usize, self.expression(shuffle.value));
                let (number, ahead, all) = match shuffle.from {
                    Lane::Ahead(ahead) => (None, ahead, None),
                    Lane::Number(lane) => (Some(self.expression(lane)), 0, None),
                    Lane::All(op) => (None, 0, Some(All::Combined(op))),
                    Lane::Equal => (None, 0, Some(All::Equal)),
                };
                self.push(Operation::Shuffle {
                    variable,
                    value,
                    number,
                    ahead,
                    all,
                });
            }
            Statement::Earlier(..) => panic!("{UNORDERED}"),
            Statement::Collective(never, _) | Statement::Give(never, _) => match *never {},
        }
    }

    fn wide(&mut self, wide: &Wide) {
        let (array, held) = (wide.array.0 as usize, wide.held.0 as usize);
        let index = self.expression(wide.index);
        let (of_memory, of_registers) = match wide.direction {
            Direction::Load => (How::Read, How::Write),
            Direction::Store => (How::Write, How::Read),
        };
        let site = self.site(of_memory, array, index);
        let inside = self.site(of_registers, held, index);
        self.push(Operation::Wide {
            array,
            index,
            held,
            direction: wide.direction,
            site,
            inside,
        });
    }

    fn set(&mut self, variable: u32, value: NodeId) {
        let (variable, value) = (variable as usize, self.expression(value));
        self.push(Operation::Set { variable, value });
    }

    /// The loops over threads around an atomic statement of the lowered kernel: around one with the
    /// same nodes if there is one, as loops of the host may have written several at one place.
    fn loops_around(&self, statement: &Statement<S>) -> BTreeSet<usize> {
        let same = |(other, _): &&(Statement<Lowered>, _)| identity(other) == identity(statement);
        let nodes = statement.nodes();
        let exactly = |(other, _): &&(Statement<Lowered>, _)| other.nodes() == nodes;
        let all: Vec<_> = self.atomics.iter().filter(same).collect();
        let those: Vec<_> = all.iter().copied().filter(exactly).collect();
        let found = if those.is_empty() { all } else { those };
        found
            .into_iter()
            .flat_map(|(_, loops)| loops)
            .copied()
            .collect()
    }

    fn atomic(&mut self, statement: &Statement<S>) {
        let Statement::Atomic {
            array,
            index,
            op,
            operands,
            result,
            ..
        } = statement
        else {
            return;
        };
        let (array, index) = (array.0 as usize, self.expression(*index));
        let operands = operands.iter().map(|n| self.expression(*n)).collect();
        let site = self.site(How::Atomic, array, index);
        self.code.sites[site].atomic = Some((*op, result.is_some()));
        self.code.sites[site].loops = self.loops_around(statement);
        self.push(Operation::Atomic {
            array,
            index,
            op: *op,
            operands,
            result: result.map(|v| v.0 as usize),
            site,
        });
    }

    fn conditional(&mut self, statement: &Statement<S>) {
        match statement {
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.expression(*condition);
                let skip = self.push(Operation::Unless { condition, to: 0 });
                self.list(then);
                let end = self.push(Operation::Jump { to: 0 });
                self.land(&[skip]);
                self.list(otherwise);
                self.land(&[end]);
            }
            Statement::While {
                head,
                condition,
                body,
            } => {
                let first = self.code.operations.len();
                self.exits.push(Vec::new());
                self.list(head);
                let condition = self.expression(*condition);
                let leave = self.push(Operation::Unless { condition, to: 0 });
                self.list(body);
                self.push(Operation::Jump { to: first });
                self.land(&[leave]);
                let breaks = self.exits.pop().unwrap_or_default();
                self.land(&breaks);
            }
            _ => {}
        }
    }

    fn counted(&mut self, kind: Loop, counter: usize, body: &[Statement<S>]) {
        let (start, end, step, [blocks, last, sequential]) = match kind {
            Loop::Blocks(count) => {
                let blocks = self.expression(count);
                self.push(Operation::Count { blocks });
                return;
            }
            Loop::Steps {
                start,
                end,
                step,
                is_of_blocks,
                is_last,
                is_sequential,
            } => (start, end, step, [is_of_blocks, is_last, is_sequential]),
        };
        if last {
            // All threads have come there before their block has.
            self.push(Operation::Wait {
                scope: Level::Block,
            });
        }
        let slot = self.code.slots;
        self.code.slots += 1;
        let begin = Operation::Begin {
            slot,
            start: self.bound(start, 0),
            end: self.expression(end),
            step: self.bound(step, 1),
            blocks,
            last,
        };
        self.push(begin);
        let test = self.push(Operation::Test {
            slot,
            counter,
            exit: 0,
            blocks,
        });
        if sequential {
            self.exits.push(Vec::new());
        }
        self.list(body);
        self.push(Operation::Advance { slot, to: test });
        self.land(&[test]);
        if sequential {
            let breaks = self.exits.pop().unwrap_or_default();
            self.land(&breaks);
        }
    }

    /// The expression of a bound, or of the number that stands for it.
    fn bound(&mut self, bound: Option<NodeId>, number: u32) -> usize {
        if let Some(node) = bound {
            return self.expression(node);
        }
        self.code
            .expressions
            .push(Expression::Literal(Literal::from(number)));
        self.code.expressions.len() - 1
    }

    fn site(&mut self, how: How, array: usize, index: usize) -> usize {
        self.code.sites.push(Site {
            how,
            array,
            index,
            statement: self.statement,
            atomic: None,
            loops: BTreeSet::new(),
        });
        self.code.sites.len() - 1
    }

    /// The expression of a node, and of those below it.
    fn expression(&mut self, root: NodeId) -> usize {
        let nodes = &self.kernel.tables.nodes;
        for id in nodes.post_order(&[root], |_| false) {
            if self.known.contains_key(&id) {
                continue;
            }
            let of = |id: NodeId| self.known[&id];
            let expression = match nodes.node(id) {
                Node::Literal(value) => Expression::Literal(value),
                Node::Variable(v) => Expression::Variable(v.0 as usize),
                Node::Length(array) => Expression::Length(array.0 as usize),
                Node::Special(special) => Expression::Special(special),
                Node::Load { array, index } => {
                    let (array, index) = (array.0 as usize, of(index));
                    let site = self.site(How::Read, array, index);
                    Expression::Load { array, index, site }
                }
                Node::Unary { op, value } => Expression::Unary(op, of(value)),
                Node::Binary {
                    op, left, right, ..
                } => Expression::Binary(op, of(left), of(right)),
                Node::MulAdd {
                    left,
                    right,
                    addend,
                } => Expression::MulAdd(of(left), of(right), of(addend)),
                Node::Select {
                    condition,
                    then,
                    otherwise,
                } => Expression::Select(of(condition), of(then), of(otherwise)),
                Node::Cast { value } => Expression::Cast(nodes.ty(id), of(value)),
                Node::Poison => Expression::Poison,
            };
            self.code.expressions.push(expression);
            self.known.insert(id, self.code.expressions.len() - 1);
        }
        self.known[&root]
    }
}
