//! Runs the threads of a launch, each by itself from barrier to barrier.

use std::collections::BTreeMap;

use obsidian_core::ir::Level;
use obsidian_core::scalar::{Literal, Role, ScalarType, meaning};

use crate::code::{All, Code, Operation, Place};
use crate::evaluate::Element;
use crate::finding::{Finding, Kind};
use crate::memory::Cell;
use crate::{Argument, Judgement, Subject, TooLong};

/// A loop that a thread is in.
#[derive(Clone, Copy, Default)]
pub struct Loop {
    next: u64,
    end: u64,
    step: u64,
    /// Of a loop over blocks: how many of them the thread has begun before.
    instance: usize,
}

/// Where a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Running,
    /// At the barrier of this operation.
    Waiting(Level),
    /// Where it takes what another lane has.
    Taking,
    Ended,
}

/// One real thread.
pub struct Thread {
    /// Its number in the block.
    pub number: u32,
    pub variables: Vec<Literal>,
    /// What its registers hold, by array.
    pub held: Vec<Vec<Option<Literal>>>,
    /// How often each array has begun.
    pub lives: Vec<u32>,
    loops: Vec<Loop>,
    /// How many loops over blocks it has begun.
    begun: usize,
    /// Is it behind where its block has come as the last one?
    pub is_last: bool,
    at: usize,
    state: State,
    /// What it has for other lanes, and the lane whose value it takes.
    offered: (Literal, u32),
}

/// One real block.
pub struct Block {
    pub number: u32,
    /// How many barriers of the block there were.
    pub epoch: u32,
    /// How many barriers of each warp there were.
    pub warp_epochs: Vec<u32>,
    /// How often the lanes of each warp have taken values from each other.
    pub exchanges: Vec<u32>,
    /// Bytes, each with the array that stored it and that array's life.
    pub memory: Vec<(u8, Option<(usize, u32)>)>,
    pub cells: Vec<Cell>,
    /// Bytes of a cell.
    pub granule: usize,
}

/// A parameter's elements.
#[derive(Default)]
pub struct Buffer {
    pub values: Vec<Literal>,
    /// For those that the kernel writes.
    pub cells: Vec<Cell>,
}

/// What a launch has.
pub struct Machine<'c> {
    pub code: &'c Code,
    pub grid: u32,
    /// Do buffers begin where several elements may be accessed at once?
    pub aligned: bool,
    pub buffers: Vec<Buffer>,
    pub accesses: u64,
    /// The values that are known in this statement of this thread, by expression.
    pub memo: Vec<(u64, Literal)>,
    pub stamp: u64,
    /// What [`Operation::Count`] has counted.
    pub counted: Vec<u64>,
    findings: BTreeMap<(Kind, (usize, usize)), String>,
    /// How many blocks each loop over blocks has.
    blocks: Vec<u64>,
    /// How many threads ran each block of each loop over blocks.
    ran: BTreeMap<(usize, u64), u32>,
    scalars: BTreeMap<usize, Literal>,
    steps: u64,
    limit: u64,
}

/// Runs a kernel, whose loops over blocks have `blocks` blocks.
pub fn run(
    subject: &Subject,
    arguments: &[Argument],
    grid: u32,
    limit: u64,
    blocks: Vec<u64>,
) -> Result<Judgement, TooLong> {
    let code = Code::physical(&subject.physical, &subject.lowered, &subject.shared);
    let mut machine = Machine::new(&code, arguments, grid, limit);
    machine.blocks = blocks;
    machine.aligned = subject.aligned;
    for number in 0..grid {
        machine.block(number)?;
    }
    machine.coverage()?;
    machine.outputs();
    Ok(machine.judgement(arguments))
}

impl<'c> Machine<'c> {
    /// Before anything has run.
    pub fn new(code: &'c Code, arguments: &[Argument], grid: u32, limit: u64) -> Self {
        let (mut buffers, mut scalars) = (Vec::new(), BTreeMap::new());
        for (n, argument) in arguments.iter().enumerate() {
            let info = code.arrays.iter().find_map(|array| match array.place {
                Place::Global { parameter, role } if parameter == n => Some((array.ty, role)),
                _ => None,
            });
            let mut buffer = Buffer::default();
            match (argument, info) {
                (Argument::Array(bits), Some((ty, role))) => {
                    buffer.values = bits.iter().map(|b| Literal::from_bits(ty, *b)).collect();
                    if role != Role::Input {
                        buffer.cells = vec![Cell::default(); bits.len()];
                    }
                }
                (Argument::Scalar(value), _) => {
                    scalars.extend(code.arguments.get(&n).map(|v| (*v, *value)));
                }
                (Argument::Array(_), None) => panic!("parameter {n} is no array"),
            }
            buffers.push(buffer);
        }
        Machine {
            code,
            grid,
            aligned: true,
            buffers,
            accesses: 0,
            memo: vec![(0, Literal::zero(ScalarType::U32)); code.expressions.len()],
            stamp: 0,
            counted: Vec::new(),
            findings: BTreeMap::new(),
            blocks: Vec::new(),
            ran: BTreeMap::new(),
            scalars,
            steps: 0,
            limit,
        }
    }

    /// Counts a step.
    pub fn step(&mut self) -> Result<(), TooLong> {
        self.steps += 1;
        if self.steps > self.limit {
            return Err(TooLong);
        }
        Ok(())
    }

    /// Something is wrong; the first example of each kind and pair counts.
    pub fn found(&mut self, kind: Kind, sites: (usize, usize), words: impl FnOnce() -> String) {
        self.findings.entry((kind, sites)).or_insert_with(words);
    }

    /// A thread at the beginning of the kernel.
    pub fn thread(&self, number: u32) -> Thread {
        let mut variables: Vec<Literal> = self
            .code
            .variables
            .iter()
            .map(|ty| Literal::zero(*ty))
            .collect();
        for (variable, value) in &self.scalars {
            variables[*variable] = *value;
        }
        Thread {
            number,
            variables,
            held: vec![Vec::new(); self.code.arrays.len()],
            lives: vec![0; self.code.arrays.len()],
            loops: vec![Loop::default(); self.code.slots],
            begun: 0,
            is_last: false,
            at: 0,
            state: State::Running,
            offered: (Literal::from(0u32), 0),
        }
    }

    /// A block before its threads begin.
    pub fn new_block(&self, number: u32) -> Block {
        let bytes = self.code.shared_bytes as usize;
        let shared = self
            .code
            .arrays
            .iter()
            .filter_map(|array| match array.place {
                Place::Shared(slot) => Some((array.ty.bytes(), slot)),
                _ => None,
            });
        // The largest cells that no element has a part of.
        let mut granule = shared.clone().map(|(size, _)| size).min().unwrap_or(1);
        if shared.clone().any(|(size, slot)| {
            [size, slot.offset, slot.stride]
                .iter()
                .any(|n| n % granule != 0)
        }) {
            granule = 1;
        }
        Block {
            number,
            epoch: 0,
            warp_epochs: vec![0; (self.code.threads as usize).div_ceil(32)],
            exchanges: vec![0; (self.code.threads as usize).div_ceil(32)],
            memory: vec![(0, None); bytes],
            cells: vec![Cell::default(); bytes.div_ceil(granule as usize)],
            granule: granule as usize,
        }
    }

    /// Runs all threads of a real block.
    fn block(&mut self, number: u32) -> Result<(), TooLong> {
        let mut block = self.new_block(number);
        let mut threads: Vec<Thread> = (0..self.code.threads).map(|n| self.thread(n)).collect();
        loop {
            for thread in &mut threads {
                if thread.state == State::Running {
                    self.advance(&mut block, thread)?;
                }
            }
            if threads.iter().all(|thread| thread.state == State::Ended) {
                return Ok(());
            }
            if !self.release(&mut block, &mut threads) {
                return Ok(());
            }
        }
    }

    /// Lets the threads go on that have all reached a barrier; `false` if there are none.
    fn release(&mut self, block: &mut Block, threads: &mut [Thread]) -> bool {
        let together = |list: &[Thread], scope| {
            list.iter()
                .all(|t| t.state == State::Waiting(scope) && t.at == list[0].at)
        };
        let mut any = false;
        if together(threads, Level::Block) {
            block.epoch += 1;
            threads.iter_mut().for_each(go_on);
            return true;
        }
        for (warp, lanes) in threads.chunks_mut(32).enumerate() {
            if self.exchange(warp, lanes) {
                block.exchanges[warp] += 1;
                any = true;
            }
            if !together(lanes, Level::Warp) {
                continue;
            }
            any = true;
            block.warp_epochs[warp] += 1;
            if lanes.len() < self.code.threads.min(32) as usize {
                let at = lanes[0].at;
                self.found(Kind::Barrier, (at, at), || {
                    format!("a barrier of the warp {warp}, which is not whole")
                });
            }
            lanes.iter_mut().for_each(go_on);
        }
        if !any {
            let state = |t: &Thread| format!("thread {} {:?} at {}", t.number, t.state, t.at);
            let first = &threads[0];
            let other = threads
                .iter()
                .find(|t| (t.state, t.at) != (first.state, first.at))
                .unwrap_or(first);
            let words = format!("{}, {}", state(first), state(other));
            self.found(Kind::Barrier, (first.at, other.at), || words);
        }
        any
    }

    /// Lets the lanes of a warp take values from each other, if all of them want to. It is no barrier: it
    /// orders no accesses of memory but atomic ones whose old values are used.
    fn exchange(&mut self, warp: usize, lanes: &mut [Thread]) -> bool {
        let first = lanes[0].at;
        let together = lanes
            .iter()
            .all(|t| t.state == State::Taking && t.at == first);
        if !together {
            return false;
        }
        let Operation::Shuffle { variable, all, .. } = self.code.operations[first] else {
            panic!("lanes take values where there is no shuffle");
        };
        let mut values: Vec<Literal> = lanes.iter().map(|thread| thread.offered.0).collect();
        match all {
            Some(All::Combined(op)) => {
                let each = values.iter().copied();
                let combined = each.reduce(|x, y| meaning::binary(op, x, y));
                let each = values.iter_mut();
                each.for_each(|value| *value = combined.unwrap_or(*value));
            }
            Some(All::Equal) => {
                let lanes = |x: &Literal| {
                    let same = (0..).zip(&values).filter(|(_, y)| *y == x);
                    Literal::from(same.fold(0u32, |lanes, (lane, _): (u32, _)| lanes | 1 << lane))
                };
                values = values.iter().map(lanes).collect();
            }
            None => {}
        }
        for thread in lanes.iter_mut() {
            match values.get(thread.offered.1 as usize) {
                Some(value) if values.len() == 32 => thread.variables[variable] = *value,
                _ => self.found(Kind::Barrier, (first, first), || {
                    format!("lanes take values in the warp {warp}, which is not whole, or from lanes that there are not")
                }),
            }
            go_on(thread);
        }
        true
    }

    /// Runs a thread up to its next barrier, or to its end.
    pub fn advance(&mut self, block: &mut Block, thread: &mut Thread) -> Result<(), TooLong> {
        let code = self.code;
        loop {
            self.step()?;
            self.stamp += 1;
            let at = thread.at;
            thread.at += 1;
            match &code.operations[at] {
                Operation::End => {
                    thread.state = State::Ended;
                    return Ok(());
                }
                Operation::Wait { scope } => {
                    (thread.at, thread.state) = (at, State::Waiting(*scope));
                    return Ok(());
                }
                Operation::Shuffle {
                    value,
                    number,
                    ahead,
                    ..
                } => {
                    let own = thread.number % 32;
                    let lane = match number {
                        Some(number) => self.value(block, thread, *number)?.u32(),
                        None if own + ahead < 32 => own + ahead,
                        None => own,
                    };
                    let value = self.value(block, thread, *value)?;
                    (thread.at, thread.state) = (at, State::Taking);
                    thread.offered = (value, lane);
                    return Ok(());
                }
                Operation::Jump { to } => thread.at = *to,
                Operation::Unless { condition, to } => {
                    if !self.value(block, thread, *condition)?.bool() {
                        thread.at = *to;
                    }
                }
                operation @ (Operation::Begin { .. }
                | Operation::Test { .. }
                | Operation::Advance { .. }) => self.around(block, thread, operation)?,
                operation => self.act(block, thread, operation)?,
            }
        }
    }

    /// An operation that does not jump.
    fn act(
        &mut self,
        block: &mut Block,
        thread: &mut Thread,
        operation: &Operation,
    ) -> Result<(), TooLong> {
        match operation {
            Operation::Set { variable, value } => {
                thread.variables[*variable] = self.value(block, thread, *value)?;
            }
            Operation::Copy { variable, from } => {
                thread.variables[*variable] = thread.variables[*from];
            }
            Operation::Store {
                array,
                index,
                value,
                site,
            } => {
                let index = self.value(block, thread, *index)?.u32();
                let value = self.value(block, thread, *value)?;
                let (array, site) = (*array, *site);
                self.write(block, thread, Element { array, index, site }, value);
            }
            Operation::Read {
                variable,
                array,
                index,
                site,
            } => {
                let index = self.value(block, thread, *index)?.u32();
                let (array, site) = (*array, *site);
                thread.variables[*variable] =
                    self.read(block, thread, Element { array, index, site });
            }
            Operation::Atomic { .. } => self.atomic(block, thread, operation)?,
            Operation::Wide { .. } => self.wide(block, thread, operation)?,
            Operation::Allocate { array } => {
                thread.lives[*array] += 1;
                thread.held[*array].clear();
            }
            Operation::Count { blocks } => {
                let blocks = self.value(block, thread, *blocks)?.u32();
                self.counted.push(blocks.into());
            }
            other => panic!("{other:?} jumps"),
        }
        Ok(())
    }

    /// The operations of loops.
    fn around(
        &mut self,
        block: &mut Block,
        thread: &mut Thread,
        operation: &Operation,
    ) -> Result<(), TooLong> {
        match *operation {
            Operation::Begin {
                slot,
                start,
                end,
                step,
                blocks,
                last,
            } => {
                let mut number = |e| Ok(u64::from(self.value(block, thread, e)?.u32()));
                let (mut next, end, step) = (number(start)?, number(end)?, number(step)?);
                if last {
                    // Blocks run one after the other.
                    thread.is_last = block.number + 1 == self.grid;
                    next = if thread.is_last { next } else { end };
                }
                let instance = thread.begun;
                thread.loops[slot] = Loop {
                    next,
                    end,
                    step,
                    instance,
                };
                if blocks {
                    thread.begun += 1;
                    if self.blocks.get(instance) != Some(&end) {
                        let known = self.blocks.get(instance).copied();
                        self.found(Kind::Blocks, (instance, 0), || {
                            format!("loop {instance} has {end} blocks, not {known:?}")
                        });
                    }
                }
            }
            Operation::Test {
                slot,
                counter,
                exit,
                blocks,
            } => {
                let Loop {
                    next,
                    end,
                    instance,
                    ..
                } = thread.loops[slot];
                if next >= end {
                    thread.at = exit;
                    return Ok(());
                }
                thread.variables[counter] = Literal::from(next as u32);
                if blocks {
                    *self.ran.entry((instance, next)).or_default() += 1;
                }
            }
            Operation::Advance { slot, to } => {
                thread.loops[slot].next += thread.loops[slot].step;
                thread.at = to;
            }
            _ => {}
        }
        Ok(())
    }

    /// Every block of every loop over blocks runs once: each of its threads, on one real block.
    fn coverage(&mut self) -> Result<(), TooLong> {
        for instance in 0..self.blocks.len() {
            let blocks = self.blocks[instance];
            for block in 0..blocks {
                self.step()?;
                let ran = self.ran.get(&(instance, block)).copied().unwrap_or(0);
                if ran != self.code.threads {
                    let (grid, threads) = (self.grid, self.code.threads);
                    self.found(Kind::Blocks, (instance, 1), || {
                        format!(
                            "loop {instance} has {blocks} blocks, and over {grid} real ones {ran} of {threads} threads run block {block}"
                        )
                    });
                    break;
                }
            }
        }
        let outside = self
            .ran
            .keys()
            .find(|(instance, block)| self.blocks.get(*instance).is_none_or(|n| block >= n));
        if let Some((instance, block)) = outside.copied() {
            self.found(Kind::Blocks, (instance, 2), || {
                format!("loop {instance} has no block {block}, and it runs")
            });
        }
        Ok(())
    }

    /// Every element of every output is written.
    fn outputs(&mut self) {
        for (n, array) in self.code.arrays.iter().enumerate() {
            let Place::Global {
                parameter,
                role: Role::Output,
            } = array.place
            else {
                continue;
            };
            let cells = &self.buffers[parameter].cells;
            let missing = cells.iter().filter(|cell| !cell.is_written()).count();
            if let Some(first) = cells.iter().position(|cell| !cell.is_written()) {
                let words = format!(
                    "{missing} of {} elements of {}, the first is {first}",
                    cells.len(),
                    array.name
                );
                self.found(Kind::Unwritten, (n, n), || words);
            }
        }
    }

    fn judgement(self, arguments: &[Argument]) -> Judgement {
        let after = |(argument, buffer): (&Argument, Buffer)| match argument {
            Argument::Scalar(value) => Argument::Scalar(*value),
            Argument::Array(_) => Argument::Array(buffer.values.iter().map(|x| x.bits()).collect()),
        };
        let findings = self.findings.into_iter();
        Judgement {
            findings: findings
                .map(|((kind, _), words)| Finding { kind, words })
                .collect(),
            arguments: arguments.iter().zip(self.buffers).map(after).collect(),
            blocks: self.blocks,
            accesses: self.accesses,
        }
    }
}

/// Behind the barrier.
fn go_on(thread: &mut Thread) {
    thread.at += 1;
    thread.state = State::Running;
}
