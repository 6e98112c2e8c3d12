//! Statements: all threads that have reached one do it, then all go on.

use super::counts::{Request, Tally};
use super::evaluate::Cells;
use super::follow::Followed;
use super::lanes::{Active, Lanes};
use super::memory::{Global, Memory};
use super::program::{
    Constant, LANE, Program, Source, Step, THREAD, Taken, WARP_OF_THREAD, column_of,
};
use super::race::Mark;
use super::request::Moment;
use super::{Counts, Fault, FaultKind, Shown};
use crate::error::Origin;
use crate::ir::{Direction, Kernel, Level, Physical, PhysicalLoop, Report, ReportKind, WARP};
use crate::ordered::Map;
use crate::plan::Plan;
use crate::scalar::{ArrayId, Literal, VariableId, meaning};

/// More rounds of one loop than this do not end.
const MOST_ROUNDS: u64 = 1 << 24;

/// One run: the memory, and the variables of each thread of the block that runs.
pub(super) struct Machine<'a> {
    kernel: &'a Kernel<Physical>,
    program: &'a Program,
    threads: u32,
    pub(super) memory: Memory<'a>,
    pub(super) cells: Cells,
    pub(super) tally: Tally,
    /// The addresses of the present request.
    addresses: Vec<u64>,
    /// The real block, and the virtual one that it works on; without one, a number of its own from
    /// the top.
    block: u32,
    pub(super) virtual_block: u32,
    /// Tells the blocks of an ordered loop from those of the same numbers elsewhere: a real block takes whichever comes next.
    order: u32,
    /// Waits of the block, and of each of its warps, counted over the whole run.
    epoch: u32,
    /// The last epoch before what the last block does, if it is in it.
    after: u32,
    warp_epochs: Vec<u32>,
    /// The iterations of the loops by which real threads work through virtual ones, as one number.
    round: u64,
    /// What blocks have had for later ones: by the counter of an ordered loop, and the element.
    pub(super) followed: Map<(u32, u64), Followed>,
    /// Real blocks.
    grid: u32,
    /// Is given the values that the kernel shows.
    show: &'a mut dyn FnMut(&Shown<'_>),
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        program: &'a Program,
        globals: Map<ArrayId, Global<'a>>,
        scalars: &Map<VariableId, Literal>,
        grid: u32,
        show: &'a mut dyn FnMut(&Shown<'_>),
    ) -> Self {
        let (kernel, threads) = (plan.kernel(), plan.threads());
        let memory = Memory::new(plan, program, globals);
        let known = program.known.len();
        let cells = vec![0; known + program.columns as usize * threads as usize];
        let mut cells = Cells {
            cells,
            known,
            threads: threads as usize,
            ..Cells::default()
        };
        for (number, value) in program.known.iter().enumerate() {
            cells.cells[number] = match value {
                Constant::Bits(bits) => *bits,
                Constant::Length(array) => memory.length(*array).into(),
                Constant::Grid => grid.into(),
                // As a device's own allocations are.
                Constant::Aligned => 1,
                Constant::Block => 0,
            };
        }
        for thread in 0..threads {
            cells.set(THREAD, thread, thread.into());
            cells.set(WARP_OF_THREAD, thread, (thread / WARP).into());
            cells.set(LANE, thread, (thread % WARP).into());
            scalars.iter().for_each(|(variable, value)| {
                cells.set(column_of(*variable), thread, value.bits())
            });
        }
        let warp_epochs = vec![1; threads.div_ceil(WARP) as usize];
        let tally = Tally::new(program.sites.len());
        Machine {
            kernel,
            program,
            threads,
            memory,
            cells,
            tally,
            addresses: Vec::new(),
            block: 0,
            virtual_block: 0,
            order: 0,
            epoch: 0,
            after: 0,
            warp_epochs,
            round: 0,
            followed: Map::new(),
            grid,
            show,
        }
    }

    pub(super) fn finish(self) -> Result<Counts, Fault> {
        self.memory.all_written()?;
        Ok(self.tally.finish(self.kernel, &self.program.sites))
    }

    /// The counts since the beginning, or since they were taken last.
    pub(super) fn take_counts(&mut self) -> Counts {
        let tally = std::mem::replace(&mut self.tally, Tally::new(self.program.sites.len()));
        tally.finish(self.kernel, &self.program.sites)
    }

    /// Runs one block from its beginning to its end.
    pub(super) fn block(&mut self, block: u32) -> Result<(), Fault> {
        (self.block, self.virtual_block) = (block, u32::MAX - block);
        self.epoch += 1;
        self.tally.counts.blocks += 1;
        let at = self
            .program
            .known
            .iter()
            .position(|known| *known == Constant::Block);
        at.into_iter()
            .for_each(|at| self.cells.cells[at] = block.into());
        self.memory.begin(block);
        self.cells.marks.clear();
        let program = self.program;
        self.list(&program.body, Lanes::new((0..self.threads).collect()))
            .map(|_| ())
    }

    /// Gives the threads that reach the end of the list: not those that left a loop around it.
    pub(super) fn list(&mut self, steps: &'a [Step], mut active: Active) -> Result<Active, Fault> {
        for step in steps {
            if active.is_empty() {
                break;
            }
            self.tally.counts.statements += active.len() as u64;
            active = self.step(step, active)?;
        }
        Ok(active)
    }

    fn step(&mut self, step: &'a Step, active: Active) -> Result<Active, Fault> {
        match step {
            Step::Set { group, value, to } => {
                self.evaluate(group, &active)?;
                self.cells.copy(&active, *value, *to);
            }
            Step::Read {
                group,
                index,
                site,
                to,
            } => {
                self.evaluate(group, &active)?;
                self.load(*site, *index, *to, &active)?;
            }
            Step::Store {
                group,
                index,
                value,
                site,
            } => {
                self.evaluate(group, &active)?;
                self.store(*site, *index, *value, &active)?;
            }
            Step::Atomic { group, .. } => {
                self.evaluate(group, &active)?;
                self.atomic(step, &active)?;
            }
            Step::Wide { group, .. } => {
                self.evaluate(group, &active)?;
                self.wide(step, &active)?;
            }
            Step::Shuffle {
                group,
                value,
                from,
                words,
                to,
            } => {
                self.evaluate(group, &active)?;
                self.tally.issue_shuffle(*from, *words, &active);
                self.shuffle((*value, *from), (*to, group.origin), &active)?;
            }
            Step::If {
                group,
                condition,
                then,
                otherwise,
            } => {
                self.evaluate(group, &active)?;
                let (yes, no) = self.branch(*condition, &active, group.origin)?;
                let left = self.list(then, yes)?;
                return Ok(left.union(self.list(otherwise, no)?));
            }
            Step::While {
                head,
                group,
                condition,
                body,
            } => {
                let mut going = Active::clone(&active);
                for _ in 0..MOST_ROUNDS {
                    going = self.list(head, going)?;
                    self.evaluate(group, &going)?;
                    going = self.branch(*condition, &going, group.origin)?.0;
                    if going.is_empty() {
                        return Ok(active);
                    }
                    going = self.list(body, going)?;
                }
                return Err(self.fault(
                    FaultKind::Endless,
                    "a loop does not end",
                    going.threads.first().copied(),
                ));
            }
            Step::For { .. } => return self.for_loop(step, active),
            Step::Report {
                group,
                values,
                report,
            } => {
                self.evaluate(group, &active)?;
                self.report(report, values, &active)?;
            }
            Step::Follow(of) => {
                self.evaluate(&of.group, &active)?;
                self.follow(of, &active)?;
            }
            Step::Break => return Ok(Active::default()),
            Step::Wait(scope) => self.wait(*scope, &active)?,
            Step::Allocate(array) => self.memory.allocate(*array, &active),
            Step::Levelled => {
                return Err(self.fault(
                    FaultKind::Layout,
                    "a kernel whose threads are not concrete was run",
                    None,
                ));
            }
        }
        Ok(active)
    }

    pub(super) fn fault(
        &self,
        kind: FaultKind,
        message: impl Into<String>,
        thread: Option<u32>,
    ) -> Fault {
        Fault::new(kind, message).with(|inner| (inner.block, inner.thread) = (self.block, thread))
    }

    /// The present moment of a thread.
    fn now(&self, thread: u32, site: u32) -> Mark {
        let warp_epoch = self.warp_epochs[(thread / WARP) as usize];
        Mark {
            epoch: self.epoch,
            warp_epoch,
            thread,
            block: self.virtual_block ^ self.order,
            after: self.after,
            site,
            round: self.round,
        }
    }

    /// The addresses of all lanes, checked against the array's length, and counted.
    fn addresses(&mut self, number: u32, index: Source, lanes: &Lanes) -> Result<(), Fault> {
        let site = &self.program.sites[number as usize];
        self.used(index, lanes, site.origin, || {
            format!("an index of `{}`", self.memory.name(site.array))
        })?;
        let (first, step) = index.place(self.cells.known, self.cells.threads);
        let indices = &self.cells.cells[first..];
        let index = |thread: u32| indices[step * thread as usize] as u32;
        self.memory
            .all_addresses(site, &lanes.threads, index, &mut self.addresses)?;
        let request = self.request(site.array, 1);
        self.tally
            .access(number, site.kind, request, lanes, &self.addresses);
        Ok(())
    }

    /// Notes the accesses of all lanes at the present addresses, and reports the first thing that is wrong.
    fn checked(&mut self, number: u32, lanes: &Lanes) -> Result<(), Fault> {
        let site = &self.program.sites[number as usize];
        let moment = Moment {
            of_first: self.now(0, number),
            warp_epochs: &self.warp_epochs,
        };
        self.memory
            .check_all(site, &lanes.threads, &self.addresses, &moment)
    }

    /// The request of each lane: `elements` elements of an array.
    fn request(&self, array: ArrayId, elements: u32) -> Request {
        Request {
            space: self.memory.space(array),
            elements,
            width: elements * self.memory.ty(array).bytes(),
        }
    }

    /// One request for several elements of each lane, all of which are checked.
    fn wide(&mut self, step: &Step, lanes: &Lanes) -> Result<(), Fault> {
        let Step::Wide {
            index,
            site: number,
            held,
            direction,
            elements,
            ..
        } = step
        else {
            return Ok(());
        };
        let sites = &self.program.sites;
        let (site, held_site) = (&sites[*number as usize], &sites[*held as usize]);
        self.used(*index, lanes, site.origin, || {
            format!("an index of `{}`", self.memory.name(site.array))
        })?;
        let request = self.request(site.array, *elements);
        self.addresses.clear();
        for thread in &lanes.threads {
            let first = self.cells.get(*index, *thread) as u32;
            let begin = self.memory.address(site, first, *thread)?;
            if !begin.is_multiple_of(request.width.into()) {
                let message = format!(
                    "element {first} of `{}` is not where {elements} elements may be accessed at once",
                    self.memory.name(site.array)
                );
                return Err(self.fault(FaultKind::Layout, message, Some(*thread)));
            }
            self.addresses.push(begin);
            for n in 0..*elements {
                let address = self
                    .memory
                    .address(site, first.saturating_add(n), *thread)?;
                let register = self.memory.address(held_site, n, *thread)?;
                let (now, inside) = (self.now(*thread, *number), self.now(*thread, *held));
                self.memory.check(site, address, now)?;
                self.memory.check(held_site, register, inside)?;
                let ((from, at), (to, there)) = match direction {
                    Direction::Load => ((site, address), (held_site, register)),
                    Direction::Store => ((held_site, register), (site, address)),
                };
                let bits = self.memory.read(from.array, at);
                self.memory.write(to.array, there, bits);
            }
        }
        self.tally
            .access(*number, site.kind, request, lanes, &self.addresses);
        Ok(())
    }

    pub(super) fn load(
        &mut self,
        number: u32,
        index: Source,
        to: u32,
        lanes: &Lanes,
    ) -> Result<(), Fault> {
        self.addresses(number, index, lanes)?;
        let site = &self.program.sites[number as usize];
        self.checked(number, lanes)?;
        let cells = &mut self.cells;
        let mut set = |n: usize, bits: u64| cells.set(to, lanes.threads[n], bits);
        self.memory.read_all(site.array, &self.addresses, &mut set);
        Ok(())
    }

    /// A value reaches an element of an array.
    fn stored(&self, value: Source, lanes: &Lanes, number: u32) -> Result<(), Fault> {
        let site = &self.program.sites[number as usize];
        self.used(value, lanes, site.origin, || {
            format!("what `{}` is given", self.memory.name(site.array))
        })
    }

    fn store(
        &mut self,
        number: u32,
        index: Source,
        value: Source,
        lanes: &Lanes,
    ) -> Result<(), Fault> {
        self.addresses(number, index, lanes)?;
        let site = &self.program.sites[number as usize];
        self.stored(value, lanes, number)?;
        self.checked(number, lanes)?;
        for (thread, address) in lanes.threads.iter().zip(&self.addresses) {
            self.memory
                .write(site.array, *address, self.cells.get(value, *thread));
        }
        Ok(())
    }

    /// One thread after the other, in order of their numbers.
    fn atomic(&mut self, step: &Step, lanes: &Lanes) -> Result<(), Fault> {
        let Step::Atomic {
            op,
            index,
            operands,
            site: number,
            result,
            ..
        } = step
        else {
            return Ok(());
        };
        self.addresses(*number, *index, lanes)?;
        for operand in operands {
            self.stored(*operand, lanes, *number)?;
        }
        let site = &self.program.sites[*number as usize];
        let ty = self.memory.ty(site.array);
        for (n, thread) in lanes.threads.iter().enumerate() {
            let address = self.addresses[n];
            self.memory
                .check(site, address, self.now(*thread, *number))?;
            let old = Literal::from_bits(ty, self.memory.read(site.array, address));
            let [first, second] =
                operands.map(|operand| Literal::from_bits(ty, self.cells.get(operand, *thread)));
            self.memory
                .write(site.array, address, op.stored(old, first, second).bits());
            result
                .iter()
                .for_each(|to| self.cells.set(*to, *thread, old.bits()));
        }
        Ok(())
    }

    /// Shows values to the caller, thread by thread; or ends the run where an assertion fails.
    fn report(&mut self, report: &Report, values: &[Source], active: &Active) -> Result<(), Fault> {
        for value in values {
            self.used(*value, active, report.origin, || {
                "a value that is shown".to_owned()
            })?;
        }
        let Some(first) = active.threads.first() else {
            return Ok(());
        };
        if report.kind == ReportKind::Failed {
            let message = Report::failed(&report.text);
            let fault = self.fault(FaultKind::Assertion, &message, Some(*first));
            return Err(fault.with(|inner| inner.origin = report.origin));
        }
        let nodes = &self.kernel.tables.nodes;
        for thread in &active.threads {
            let of_thread = values.iter().zip(&report.values).map(|(value, node)| {
                Literal::from_bits(nodes.ty(*node), self.cells.get(*value, *thread))
            });
            (self.show)(&Shown {
                name: &report.text,
                values: of_thread.collect(),
                block: self.block,
                thread: *thread,
                origin: report.origin,
            });
        }
        Ok(())
    }

    /// Those for which the condition holds, and the others.
    fn branch(
        &mut self,
        condition: Source,
        active: &Active,
        origin: Origin,
    ) -> Result<(Active, Active), Fault> {
        self.tally.issue_control(active);
        self.used(condition, active, origin, || "a condition".to_owned())?;
        let (yes, no) = active.split(|thread| self.cells.get(condition, thread) != 0);
        self.tally.counts.divergent_branches += yes.warps_in_common(&no);
        Ok((yes, no))
    }

    /// The virtual blocks that the real one takes: as many as any other, behind those of the blocks before it.
    fn tickets(&self, [start, end, step]: [u64; 3]) -> [u64; 3] {
        let (block, grid) = (u64::from(self.block), u64::from(self.grid));
        let to = |block: u64| start + (end - start) * block / grid;
        [to(block), to(block + 1), step]
    }

    /// Each thread has its own bounds; a round is done together by those that have one left.
    fn for_loop(&mut self, step: &'a Step, active: Active) -> Result<Active, Fault> {
        let Step::For {
            kind,
            counter,
            group,
            bounds,
            body,
        } = step
        else {
            return Ok(active);
        };
        self.evaluate(group, &active)?;
        for bound in bounds {
            self.used(*bound, &active, group.origin, || {
                "a number of rounds".to_owned()
            })?;
        }
        let bounds_of =
            |machine: &Self, thread: u32| bounds.map(|bound| machine.cells.get(bound, thread));
        let mut rounds: Vec<[u64; 3]> = vec![[0; 3]; self.threads as usize];
        for thread in &active.threads {
            rounds[*thread as usize] = match kind {
                PhysicalLoop::Ordered => self.tickets(bounds_of(self, *thread)),
                // Blocks run one after the other.
                PhysicalLoop::Last if self.block + 1 < self.grid => [0, 0, 1],
                PhysicalLoop::Last => [0, 1, 1],
                PhysicalLoop::Sequential(_)
                | PhysicalLoop::Rounds(_)
                | PhysicalLoop::Warps
                | PhysicalLoop::Blocks => bounds_of(self, *thread),
            };
            let [start, end, step] = rounds[*thread as usize];
            if step == 0 && start < end {
                return Err(self.fault(
                    FaultKind::Endless,
                    "a loop does not end: its step is 0",
                    Some(*thread),
                ));
            }
        }
        let (outside, mut going, mut left) = (
            (self.virtual_block, self.round),
            Active::clone(&active),
            Active::default(),
        );
        if matches!(kind, PhysicalLoop::Ordered | PhysicalLoop::Last) {
            self.order = (counter + 1).rotate_right(8);
        }
        if *kind == PhysicalLoop::Last {
            // All threads of the block wait before.
            self.wait(Level::Block, &active)?;
            self.after = self.epoch - 1;
        }
        let is_of_threads = matches!(kind, PhysicalLoop::Rounds(_) | PhysicalLoop::Warps);
        let mut round = outside.1.wrapping_mul(MOST_ROUNDS);
        loop {
            self.tally.issue_control(&going);
            let (next, done) =
                going.split(|thread| rounds[thread as usize][0] < rounds[thread as usize][1]);
            self.tally.counts.divergent_branches += next.warps_in_common(&done);
            left = left.union(done);
            let Some(first) = next.threads.first() else {
                break;
            };
            if kind.is_of_blocks() {
                self.virtual_block = rounds[*first as usize][0] as u32;
            }
            if is_of_threads {
                round = round.wrapping_add(1);
                self.round = round;
            }
            next.threads.iter().for_each(|thread| {
                self.cells
                    .set(*counter, *thread, rounds[*thread as usize][0])
            });
            going = self.list(body, next)?;
            going
                .threads
                .iter()
                .for_each(|thread| rounds[*thread as usize][0] += rounds[*thread as usize][2]);
        }
        (self.virtual_block, self.round) = outside;
        if matches!(kind, PhysicalLoop::Ordered | PhysicalLoop::Last) {
            (self.order, self.after) = (0, 0);
        }
        // A `Break` leaves the innermost sequential loop: threads that left other loops go on after
        // that one.
        Ok(if matches!(kind, PhysicalLoop::Sequential(_)) {
            active
        } else {
            left
        })
    }

    /// The lanes of each warp take values from each other; all of them have to be there.
    fn shuffle(
        &mut self,
        (value, from): (Source, Taken),
        (to, origin): (u32, Origin),
        active: &Lanes,
    ) -> Result<(), Fault> {
        self.used(value, active, origin, || "what other lanes take".to_owned())?;
        if let Taken::Number(lane) = from {
            self.used(lane, active, origin, || "the number of a lane".to_owned())?;
        }
        let mut taken = Vec::with_capacity(active.len());
        for warp in active.each_warp() {
            let first = active.threads[warp.start];
            if warp.len() != WARP as usize {
                let message = format!(
                    "the lanes of warp {} take values from each other, and only {} of {WARP} are there",
                    first / WARP,
                    warp.len()
                );
                return Err(self.fault(FaultKind::Divergence, message, Some(first)));
            }
            if let Taken::All(op, ty) = from {
                let each = active.threads[warp.clone()].iter();
                let values =
                    each.map(|thread| Literal::from_bits(ty, self.cells.get(value, *thread)));
                let all = values.reduce(|x, y| meaning::binary(op, x, y));
                taken.extend(warp.map(|_| all.map_or(0, Literal::bits)));
                continue;
            }
            if let Taken::Equal = from {
                let each = active.threads[warp.clone()].iter();
                let values: Vec<u64> = each.map(|thread| self.cells.get(value, *thread)).collect();
                let lanes = |x: &u64| -> u64 {
                    let same = values.iter().enumerate().filter(|(_, y)| *y == x);
                    same.fold(0, |lanes, (lane, _)| lanes | 1 << lane)
                };
                taken.extend(values.iter().map(lanes));
                continue;
            }
            for thread in &active.threads[warp] {
                let lane = match from {
                    Taken::Ahead(lanes) if thread % WARP + lanes < WARP => thread % WARP + lanes,
                    Taken::Ahead(_) => thread % WARP,
                    Taken::Number(lane) => self.cells.get(lane, *thread) as u32,
                    Taken::All(..) | Taken::Equal => WARP,
                };
                if lane >= WARP {
                    let message = format!("there is no lane {lane} to take a value from");
                    return Err(self.fault(FaultKind::Divergence, message, Some(*thread)));
                }
                taken.push(self.cells.get(value, first / WARP * WARP + lane));
            }
        }
        for (thread, bits) in active.threads.iter().zip(taken) {
            self.cells.set(to, *thread, bits);
        }
        Ok(())
    }

    fn wait(&mut self, scope: Level, active: &Lanes) -> Result<(), Fault> {
        self.tally.issue_control(active);
        if scope != Level::Warp {
            self.tally.counts.block_waits += 1;
            self.epoch += 1;
            if active.len() == self.threads as usize {
                return Ok(());
            }
            let message = format!(
                "the block waits, and only {} of its {} threads are there",
                active.len(),
                self.threads
            );
            return Err(self.fault(FaultKind::Divergence, message, None));
        }
        for warp in active.each_warp() {
            let first = active.threads[warp.start];
            self.tally.counts.warp_waits += 1;
            self.warp_epochs[(first / WARP) as usize] += 1;
            let (there, lanes) = (warp.len(), self.kernel.lanes() as usize);
            if there != lanes {
                let message = format!(
                    "warp {} waits, and only {there} of {lanes} lanes are there",
                    first / WARP
                );
                return Err(self.fault(FaultKind::Divergence, message, Some(first)));
            }
        }
        Ok(())
    }
}
