//! Statements: all threads that have reached one do it, then all go on.

use std::collections::BTreeMap;

use super::evaluate::{Evaluator, View};
use super::memory::{Memory, Who};
use super::{Counts, Fault, FaultKind};
use crate::error::Origin;
use crate::ir::{AtomicOp, Kernel, Level, LoopKind, Statement, WARP};
use crate::plan::Plan;
use crate::scalar::{ArrayId, BinaryOp, Literal, NodeId, VariableId, meaning};

/// More rounds of one loop than this do not end.
const MOST_ROUNDS: u64 = 1 << 24;

/// Threads, in order of their numbers.
type Threads = Vec<u32>;

/// One run: the memory, and the variables of each thread of the block that runs.
pub(super) struct Machine<'a> {
    kernel: &'a Kernel,
    threads: u32,
    grid: u32,
    memory: Memory<'a>,
    evaluator: Evaluator,
    /// Those of thread 0, then those of thread 1, ..
    variables: Vec<u64>,
    block: u32,
    counts: Counts,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        globals: BTreeMap<ArrayId, &'a mut [u64]>,
        scalars: &BTreeMap<VariableId, Literal>,
        grid: u32,
    ) -> Self {
        let (kernel, threads) = (plan.kernel(), plan.threads());
        let mut variables = vec![0; kernel.tables.variables.len()];
        for (variable, value) in scalars {
            variables[variable.0 as usize] = value.bits();
        }
        Machine {
            kernel,
            threads,
            grid,
            memory: Memory::new(plan, globals),
            evaluator: Evaluator::new(&kernel.tables),
            variables: variables.repeat(threads as usize),
            block: 0,
            counts: Counts::default(),
        }
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// Runs one block from its beginning to its end.
    pub(super) fn block(&mut self, block: u32) -> Result<(), Fault> {
        self.block = block;
        self.memory.forget();
        self.list(&self.kernel.body, (0..self.threads).collect()).map(|_| ())
    }

    /// Gives the threads that reach the end of the list: not those that left a loop around it.
    fn list(&mut self, statements: &'a [Statement], mut active: Threads) -> Result<Threads, Fault> {
        for statement in statements {
            if active.is_empty() {
                break;
            }
            self.counts.statements += active.len() as u64;
            active = self.statement(statement, active)?;
        }
        Ok(active)
    }

    fn statement(&mut self, statement: &'a Statement, active: Threads) -> Result<Threads, Fault> {
        match statement {
            Statement::Let { variable, value }
            | Statement::Declare { cell: variable, value }
            | Statement::Assign { cell: variable, value } => {
                for thread in &active {
                    let [bits] = self.values(*thread, [*value], Origin::UNKNOWN)?;
                    self.set(*thread, *variable, bits);
                }
            }
            Statement::Get { variable, cell } => {
                for thread in &active {
                    let bits = self.get(*thread, *cell);
                    self.set(*thread, *variable, bits);
                }
            }
            Statement::Read { variable, array, index, origin } => {
                for thread in &active {
                    let [index] = self.values(*thread, [*index], *origin)?;
                    let bits = self.load(*thread, *array, index, *origin)?;
                    self.set(*thread, *variable, bits);
                }
            }
            Statement::Store { array, index, value, origin } => {
                for thread in &active {
                    let [index, bits] = self.values(*thread, [*index, *value], *origin)?;
                    self.store(*thread, *array, index, bits, *origin)?;
                }
            }
            Statement::Atomic { .. } => {
                for thread in &active {
                    self.atomic(*thread, statement)?;
                }
            }
            Statement::If { condition, then, otherwise } => return self.branch(*condition, then, otherwise, active),
            Statement::While { head, condition, body } => self.while_loop(head, *condition, body, active.clone())?,
            Statement::For { kind, counter, start, end, step, body } => {
                return self.for_loop(*kind, *counter, [*start, *end, *step], body, active);
            }
            Statement::Break => return Ok(Threads::new()),
            Statement::Wait { scope } => self.wait(*scope, &active)?,
            Statement::Allocate { .. } => {}
            Statement::ForAll { .. } | Statement::Distribute { .. } => {
                return Err(self.fault(FaultKind::Layout, "a kernel whose threads are not concrete was run", None));
            }
        }
        Ok(active)
    }

    fn who(&self, thread: u32, origin: Origin) -> Who {
        Who { block: self.block, thread, origin }
    }

    fn fault(&self, kind: FaultKind, message: impl Into<String>, thread: Option<u32>) -> Fault {
        Fault::new(kind, message).with(|inner| (inner.block, inner.thread) = (self.block, thread))
    }

    fn slot(&self, thread: u32, variable: VariableId) -> usize {
        thread as usize * self.kernel.tables.variables.len() + variable.0 as usize
    }

    fn get(&self, thread: u32, variable: VariableId) -> u64 {
        self.variables[self.slot(thread, variable)]
    }

    fn set(&mut self, thread: u32, variable: VariableId, bits: u64) {
        let slot = self.slot(thread, variable);
        self.variables[slot] = bits;
    }

    /// What one thread gets for the nodes of one statement.
    fn values<const N: usize>(&mut self, thread: u32, nodes: [NodeId; N], origin: Origin) -> Result<[u64; N], Fault> {
        self.evaluator.begin();
        let (start, who) = (self.slot(thread, VariableId(0)), self.who(thread, origin));
        let variables = &self.variables[start..start + self.kernel.tables.variables.len()];
        let mut view = View { memory: &self.memory, variables, who, grid: self.grid, counts: &mut self.counts };
        let mut values = [0; N];
        for (value, node) in values.iter_mut().zip(nodes) {
            *value = self.evaluator.value(node, &mut view)?;
        }
        Ok(values)
    }

    fn load(&mut self, thread: u32, array: ArrayId, index: u64, origin: Origin) -> Result<u64, Fault> {
        self.counts.loads += 1;
        self.memory.load(array, index as u32, self.who(thread, origin))
    }

    fn store(&mut self, thread: u32, array: ArrayId, index: u64, bits: u64, origin: Origin) -> Result<(), Fault> {
        self.counts.stores += 1;
        let who = self.who(thread, origin);
        self.memory.store(array, index as u32, bits, who)
    }

    fn atomic(&mut self, thread: u32, statement: &Statement) -> Result<(), Fault> {
        let Statement::Atomic { array, index, op, operands, result, origin } = statement else { return Ok(()) };
        let ty = self.memory.ty(*array);
        let first = operands.first().copied().unwrap_or(*index);
        let second = operands.get(1).copied().unwrap_or(first);
        let [index, first, second] = self.values(thread, [*index, first, second], *origin)?;
        let old = self.load(thread, *array, index, *origin)?;
        let literal = |bits| Literal::from_bits(ty, bits);
        let new = atomic_value(*op, literal(old), literal(first), literal(second));
        self.store(thread, *array, index, new.bits(), *origin)?;
        if let Some(variable) = result {
            self.set(thread, *variable, old);
        }
        Ok(())
    }

    /// Those among the threads for which the condition holds, and the others.
    fn split(&mut self, condition: NodeId, active: &[u32]) -> Result<(Threads, Threads), Fault> {
        let (mut yes, mut no) = (Threads::new(), Threads::new());
        for thread in active {
            let [bits] = self.values(*thread, [condition], Origin::UNKNOWN)?;
            if bits != 0 { yes.push(*thread) } else { no.push(*thread) }
        }
        Ok((yes, no))
    }

    fn branch(&mut self, condition: NodeId, then: &'a [Statement], otherwise: &'a [Statement], active: Threads) -> Result<Threads, Fault> {
        let (yes, no) = self.split(condition, &active)?;
        let mut left = self.list(then, yes)?;
        left.extend(self.list(otherwise, no)?);
        left.sort_unstable();
        Ok(left)
    }

    fn while_loop(&mut self, head: &'a [Statement], condition: NodeId, body: &'a [Statement], mut active: Threads) -> Result<(), Fault> {
        for _ in 0..MOST_ROUNDS {
            active = self.list(head, active)?;
            active = self.split(condition, &active)?.0;
            if active.is_empty() {
                return Ok(());
            }
            active = self.list(body, active)?;
        }
        Err(self.fault(FaultKind::Endless, "a loop does not end", active.first().copied()))
    }

    /// Each thread has its own bounds; a round is done together by those that have one left.
    fn for_loop(
        &mut self,
        kind: LoopKind,
        counter: VariableId,
        bounds: [NodeId; 3],
        body: &'a [Statement],
        active: Threads,
    ) -> Result<Threads, Fault> {
        let mut rounds = Vec::new();
        let mut broken = Threads::new();
        for thread in &active {
            let [start, end, step] = self.values(*thread, bounds, Origin::UNKNOWN)?;
            if step == 0 && start < end {
                return Err(self.fault(FaultKind::Endless, "a loop does not end: its step is 0", Some(*thread)));
            }
            rounds.push((*thread, start, end, step));
        }
        let bounds = rounds.clone();
        loop {
            rounds.retain(|(_, at, end, _)| at < end);
            if rounds.is_empty() {
                break;
            }
            rounds.iter().for_each(|(thread, at, ..)| self.set(*thread, counter, *at));
            let going = self.list(body, rounds.iter().map(|round| round.0).collect())?;
            let is_going = |thread: &u32| going.binary_search(thread).is_ok();
            broken.extend(rounds.iter().map(|round| round.0).filter(|thread| !is_going(thread)));
            rounds.retain(|(thread, ..)| is_going(thread));
            rounds.iter_mut().for_each(|(_, at, _, step)| *at += *step);
        }
        // A `Break` leaves the innermost sequential loop: threads that left other loops go on after that one.
        let resumes = |thread: &u32| matches!(kind, LoopKind::Sequential(_)) || !broken.contains(thread);
        Ok(bounds.into_iter().map(|(thread, ..)| thread).filter(resumes).collect())
    }

    fn wait(&mut self, scope: Level, active: &[u32]) -> Result<(), Fault> {
        if scope != Level::Warp {
            self.counts.waits += 1;
            if active.len() == self.threads as usize {
                return Ok(());
            }
            let message = format!("the block waits, and only {} of its {} threads are there", active.len(), self.threads);
            return Err(self.fault(FaultKind::Divergence, message, None));
        }
        for warp in active.chunk_by(|x, y| x / WARP == y / WARP) {
            self.counts.waits += 1;
            let lanes = self.kernel.lanes() as usize;
            if warp.len() != lanes {
                let message = format!("warp {} waits, and only {} of {lanes} lanes are there", warp[0] / WARP, warp.len());
                return Err(self.fault(FaultKind::Divergence, message, warp.first().copied()));
            }
        }
        Ok(())
    }
}

/// The new value of an element.
fn atomic_value(op: AtomicOp, old: Literal, operand: Literal, second: Literal) -> Literal {
    let plain = |op| meaning::binary(op, old, operand);
    let one = Literal::one(old.ty());
    match op {
        AtomicOp::Add => plain(BinaryOp::Add),
        AtomicOp::Sub => plain(BinaryOp::Sub),
        AtomicOp::Min => plain(BinaryOp::Min),
        AtomicOp::Max => plain(BinaryOp::Max),
        AtomicOp::And => plain(BinaryOp::And),
        AtomicOp::Or => plain(BinaryOp::Or),
        AtomicOp::Xor => plain(BinaryOp::Xor),
        AtomicOp::Exchange => operand,
        AtomicOp::CompareExchange if old == operand => second,
        AtomicOp::CompareExchange => old,
        AtomicOp::Inc if old.bits() >= operand.bits() => Literal::zero(old.ty()),
        AtomicOp::Inc => meaning::binary(BinaryOp::Add, old, one),
        AtomicOp::Dec if old.bits() == 0 || old.bits() > operand.bits() => operand,
        AtomicOp::Dec => meaning::binary(BinaryOp::Sub, old, one),
    }
}
