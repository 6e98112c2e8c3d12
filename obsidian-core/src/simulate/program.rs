//! What a run follows: the kernel's statements, each with its expressions as a list of operations
//! on columns.
//!
//! Before: a physical kernel. After: the same statements, where every variable and every value of
//! an expression has a *column*, one cell for each thread of a block, and every known value a cell
//! of its own. So an operation is done for all threads that take part before the next one, and
//! nothing is looked up while the kernel runs.
//!
//! It is made anew for each run, which costs less than the run.

use super::access::Access;
use super::expression::{Compiler, Group};
use crate::error::Origin;
use crate::ir::{
    AtomicOp, Direction, Earlier, Kernel, Lane, Level, Physical, PhysicalLoop, Report, Shuffle,
    Statement, Wide,
};
use crate::ordered::Map;
use crate::scalar::{ArrayId, BinaryOp, NodeId, Promised, ScalarType, VariableId};
use obsidian_base::counts::AccessKind;

/// Where an operand is: in a column, or in the one cell of a value that all threads know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Source(u32);

impl Source {
    const SHARED: u32 = 1 << 31;

    pub(super) const fn column(number: u32) -> Self {
        Source(number)
    }

    pub(super) const fn known(number: u32) -> Self {
        Source(number | Self::SHARED)
    }

    /// The first cell and the distance from one thread's to the next one's, where `known` cells lie
    /// before the columns.
    pub(super) fn place(self, known: usize, threads: usize) -> (usize, usize) {
        if self.0 & Self::SHARED == 0 {
            (known + self.0 as usize * threads, 1)
        } else {
            ((self.0 & !Self::SHARED) as usize, 0)
        }
    }
}

/// A value that is known before a block runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Constant {
    Bits(u64),
    Length(ArrayId),
    Block,
    Grid,
    Aligned,
}

/// Columns that every run has.
pub(super) const THREAD: u32 = 0;
pub(super) const WARP_OF_THREAD: u32 = 1;
pub(super) const LANE: u32 = 2;
/// The column of variable 0.
pub(super) const VARIABLES: u32 = 3;

pub(super) fn column_of(variable: VariableId) -> u32 {
    VARIABLES + variable.0
}

/// A statement.
#[derive(Debug)]
pub(super) enum Step {
    Set {
        group: Group,
        value: Source,
        to: u32,
    },
    Read {
        group: Group,
        index: Source,
        site: u32,
        to: u32,
    },
    Report {
        group: Group,
        values: Vec<Source>,
        report: Report,
    },
    Store {
        group: Group,
        index: Source,
        value: Source,
        site: u32,
    },
    Atomic {
        group: Group,
        op: AtomicOp,
        index: Source,
        operands: [Source; 2],
        site: u32,
        result: Option<u32>,
    },
    Wide {
        group: Group,
        index: Source,
        site: u32,
        /// Of the held array.
        held: u32,
        direction: Direction,
        elements: u32,
    },
    Shuffle {
        group: Group,
        value: Source,
        from: Taken,
        /// Of 4 bytes, that a value has.
        words: u32,
        to: u32,
    },
    If {
        group: Group,
        condition: Source,
        then: Vec<Step>,
        otherwise: Vec<Step>,
    },
    While {
        head: Vec<Step>,
        group: Group,
        condition: Source,
        body: Vec<Step>,
    },
    For {
        kind: PhysicalLoop,
        counter: u32,
        group: Group,
        bounds: [Source; 3],
        body: Vec<Step>,
    },
    Follow(Box<Follow>),
    Break,
    Wait(Level),
    Allocate(ArrayId),
    /// A statement of the levelled dialect.
    Levelled,
}

/// The lane whose value a lane takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Taken {
    Ahead(u32),
    Number(Source),
    /// All lanes, combined.
    All(BinaryOp, ScalarType),
    /// The lanes that have the same.
    Equal,
}

/// What earlier blocks have is combined, by threads or lanes.
#[derive(Debug)]
pub(super) struct Follow {
    pub(super) group: Group,
    /// The counter of the loop over blocks.
    pub(super) counter: u32,
    pub(super) by_lanes: bool,
    pub(super) element: Source,
    pub(super) own: Vec<Source>,
    pub(super) cells: Vec<u32>,
    pub(super) right: Vec<u32>,
    pub(super) combine: Vec<Step>,
    pub(super) origin: Origin,
}

/// A place in the kernel that accesses an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Site {
    pub(super) array: ArrayId,
    pub(super) kind: AccessKind,
    pub(super) origin: Origin,
    /// Does the user promise that no other access has the index?
    pub(super) distinct: bool,
}

/// A kernel, ready to be followed.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) body: Vec<Step>,
    pub(super) known: Vec<Constant>,
    pub(super) columns: u32,
    pub(super) sites: Vec<Site>,
}

impl Program {
    pub(super) fn new(kernel: &Kernel<Physical>) -> Self {
        let first = VARIABLES + kernel.tables.variables.len() as u32;
        let mut maker = Maker {
            expressions: Compiler::new(kernel, first),
            sites: Sites::default(),
            lets: kernel.lets(),
            promised: Promised::default(),
            ordered: 0,
        };
        let body = maker.list(&kernel.body);
        Program {
            body,
            known: maker.expressions.known,
            columns: maker.expressions.columns,
            sites: maker.sites.list,
        }
    }

    /// Is the array written at an index that the user promises to be distinct?
    pub(super) fn is_promised(&self, array: ArrayId) -> bool {
        let mut writes = self.sites.iter();
        writes.any(|site| site.array == array && site.kind == AccessKind::Write && site.distinct)
    }

    /// Is the array accessed in this way anywhere?
    pub(super) fn has(&self, array: ArrayId, kind: AccessKind) -> bool {
        self.sites
            .iter()
            .any(|site| site.array == array && site.kind == kind)
    }
}

/// The sites, each once.
#[derive(Default)]
pub(super) struct Sites {
    list: Vec<Site>,
    numbers: Map<Site, u32>,
}

impl Sites {
    pub(super) fn number(&mut self, site: Site) -> u32 {
        *self.numbers.entry(site).or_insert_with(|| {
            self.list.push(site);
            self.list.len() as u32 - 1
        })
    }
}

struct Maker<'k> {
    expressions: Compiler<'k>,
    sites: Sites,
    lets: Map<VariableId, NodeId>,
    promised: Promised,
    /// The counter of the ordered loop over blocks that is being made.
    ordered: u32,
}

impl Maker<'_> {
    fn list(&mut self, list: &[Statement<Physical>]) -> Vec<Step> {
        list.iter().map(|statement| self.step(statement)).collect()
    }

    fn group<const N: usize>(
        &mut self,
        roots: [NodeId; N],
        origin: Origin,
    ) -> (Group, [Source; N]) {
        let (group, sources) = self.expressions.group(&roots, origin, &mut self.sites);
        (group, std::array::from_fn(|n| sources[n]))
    }

    fn site(&mut self, array: ArrayId, kind: AccessKind, index: NodeId, origin: Origin) -> u32 {
        let nodes = self.expressions.nodes();
        let names = |variable| self.lets.get(&variable).copied();
        let distinct = self.promised.of(nodes, index, names).distinct;
        self.sites.number(Site {
            array,
            kind,
            origin,
            distinct,
        })
    }

    fn step(&mut self, statement: &Statement<Physical>) -> Step {
        match statement {
            Statement::Let { variable, value }
            | Statement::Declare {
                cell: variable,
                value,
            }
            | Statement::Assign {
                cell: variable,
                value,
            } => {
                let (group, [value]) = self.group([*value], Origin::UNKNOWN);
                Step::Set {
                    group,
                    value,
                    to: column_of(*variable),
                }
            }
            Statement::Get { variable, cell } => Step::Set {
                group: Group::default(),
                value: Source::column(column_of(*cell)),
                to: column_of(*variable),
            },
            Statement::Read {
                variable,
                array,
                index,
                origin,
            } => {
                let site = self.site(*array, AccessKind::Read, *index, *origin);
                let (group, [index]) = self.group([*index], *origin);
                Step::Read {
                    group,
                    index,
                    site,
                    to: column_of(*variable),
                }
            }
            Statement::Store {
                array,
                index,
                value,
                origin,
            } => {
                let site = self.site(*array, AccessKind::Write, *index, *origin);
                let (group, [index, value]) = self.group([*index, *value], *origin);
                Step::Store {
                    group,
                    index,
                    value,
                    site,
                }
            }
            Statement::Atomic {
                array,
                index,
                op,
                operands,
                result,
                origin,
            } => {
                let first = operands.first().copied().unwrap_or(*index);
                let second = operands.get(1).copied().unwrap_or(first);
                let site = self.site(*array, AccessKind::Atomic, *index, *origin);
                let (group, [index, first, second]) = self.group([*index, first, second], *origin);
                Step::Atomic {
                    group,
                    op: *op,
                    index,
                    operands: [first, second],
                    site,
                    result: result.map(column_of),
                }
            }
            Statement::Break => Step::Break,
            Statement::Report(report) => {
                let (group, values) =
                    self.expressions
                        .group(&report.values, report.origin, &mut self.sites);
                Step::Report {
                    group,
                    values,
                    report: report.clone(),
                }
            }
            Statement::Wait { scope } => Step::Wait(*scope),
            Statement::Allocate { array, .. } => Step::Allocate(*array),
            Statement::Wide(_, wide) => self.wide(wide),
            Statement::Shuffle(_, shuffle) => self.shuffle(shuffle),
            Statement::Earlier(_, of) => self.follow(of),
            Statement::Collective(never, _) | Statement::Give(never, _) => match *never {},
            Statement::If { .. } | Statement::While { .. } | Statement::Loop { .. } => {
                self.control(statement)
            }
        }
    }

    fn shuffle(&mut self, shuffle: &Shuffle) -> Step {
        let (group, value, from) = match shuffle.from {
            Lane::Ahead(lanes) => {
                let (group, [value]) = self.group([shuffle.value], shuffle.origin);
                (group, value, Taken::Ahead(lanes))
            }
            Lane::Number(lane) => {
                let (group, [value, lane]) = self.group([shuffle.value, lane], shuffle.origin);
                (group, value, Taken::Number(lane))
            }
            Lane::Equal => {
                let (group, [value]) = self.group([shuffle.value], shuffle.origin);
                (group, value, Taken::Equal)
            }
            Lane::All(op) => {
                let (group, [value]) = self.group([shuffle.value], shuffle.origin);
                let ty = self.expressions.nodes().ty(shuffle.value);
                (group, value, Taken::All(op, ty))
            }
        };
        let bytes = self.expressions.nodes().ty(shuffle.value).bytes();
        Step::Shuffle {
            group,
            value,
            from,
            words: bytes.div_ceil(4),
            to: column_of(shuffle.variable),
        }
    }

    fn follow(&mut self, of: &Earlier<Physical>) -> Step {
        let roots: Vec<NodeId> = [of.element].iter().chain(&of.own).copied().collect();
        let (group, sources) = self.expressions.group(&roots, of.origin, &mut self.sites);
        let columns = |variables: &[VariableId]| variables.iter().map(|v| column_of(*v)).collect();
        Step::Follow(Box::new(Follow {
            group,
            counter: self.ordered,
            by_lanes: of.by_lanes,
            element: sources[0],
            own: sources[1..].to_vec(),
            cells: columns(&of.cells),
            right: columns(&of.right),
            combine: self.list(&of.combine),
            origin: of.origin,
        }))
    }

    fn wide(&mut self, wide: &Wide) -> Step {
        let (of_memory, of_registers) = match wide.direction {
            Direction::Load => (AccessKind::Read, AccessKind::Write),
            Direction::Store => (AccessKind::Write, AccessKind::Read),
        };
        let site = self.site(wide.array, of_memory, wide.index, wide.origin);
        let held = self.site(wide.held, of_registers, wide.index, wide.origin);
        let (group, [index]) = self.group([wide.index], wide.origin);
        let tables = self.expressions.tables();
        Step::Wide {
            group,
            index,
            site,
            held,
            direction: wide.direction,
            elements: tables.stored_length(tables.array(wide.held)),
        }
    }

    fn control(&mut self, statement: &Statement<Physical>) -> Step {
        match statement {
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let (group, [condition]) = self.group([*condition], Origin::UNKNOWN);
                Step::If {
                    group,
                    condition,
                    then: self.list(then),
                    otherwise: self.list(otherwise),
                }
            }
            Statement::While {
                head,
                condition,
                body,
            } => {
                let (group, [condition]) = self.group([*condition], Origin::UNKNOWN);
                Step::While {
                    head: self.list(head),
                    group,
                    condition,
                    body: self.list(body),
                }
            }
            Statement::Loop {
                kind,
                counter,
                bounds,
                body,
                ..
            } => {
                let (group, bounds) = self.group(*bounds, Origin::UNKNOWN);
                if *kind == PhysicalLoop::Ordered {
                    self.ordered = column_of(*counter);
                }
                Step::For {
                    kind: *kind,
                    counter: column_of(*counter),
                    group,
                    bounds,
                    body: self.list(body),
                }
            }
            _ => Step::Levelled,
        }
    }
}

impl Program {
    /// An access, in words that outlive the run.
    pub(super) fn access(
        &self,
        kernel: &Kernel<Physical>,
        site: u32,
        index: u64,
        thread: u32,
        block: u32,
    ) -> Access {
        let site = self.sites[site as usize];
        let array = kernel.tables.array(site.array).name.clone();
        Access {
            kind: site.kind,
            array,
            index,
            thread,
            block,
            origin: site.origin,
        }
    }
}
