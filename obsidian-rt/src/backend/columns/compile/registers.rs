//! Registers for values: those that are not alive at the same time share one.
//!
//! Before: every value has a number of its own. After: numbers are as few as there are values alive
//! at one time, for each type, so that columns stay in the cache of a core.
//!
//! A value is alive from its first instruction to its last one in the list; one that is made in
//! front of a loop and used in it, to the end of the loop.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use super::super::code::{Program, Reg};

/// Gives each value its register. `loops` are first and last instruction of each loop, inner ones
/// first.
pub(super) fn allocate(program: &mut Program, pinned: &HashSet<Reg>, loops: &[(usize, usize)]) {
    let lives = lives(program, pinned, loops);
    let mut classes: BTreeMap<u32, Class> = BTreeMap::new();
    let mut given: HashMap<Reg, Reg> = HashMap::new();
    for (first, last, reg) in lives {
        let class = classes.entry(reg.class()).or_default();
        given.insert(reg, reg.renumbered(class.take(first, last)));
    }
    let renumber = |reg: &mut Reg| *reg = given.get(reg).copied().unwrap_or(*reg);
    for instr in &mut program.code {
        instr.registers(&mut |reg| renumber(reg));
    }
    program
        .constants
        .iter_mut()
        .for_each(|(reg, _)| renumber(reg));
    program
        .lengths
        .iter_mut()
        .for_each(|(reg, _)| renumber(reg));
    for slot in &mut program.slots {
        if let super::Slot::Number(reg) = slot {
            renumber(reg);
        }
    }
    for (class, registers) in classes {
        let reg = Reg::of_class(class);
        let room = if reg.is_scalar() {
            &mut program.room.scalars
        } else {
            &mut program.room.columns
        };
        room[reg.ty() as usize] = registers.count;
    }
}

/// The registers of a kind.
#[derive(Default)]
struct Class {
    count: u32,
    free: Vec<u32>,
    /// Those in use, by the last instruction that needs them.
    used: BinaryHeap<Reverse<(usize, u32)>>,
}

impl Class {
    /// A register that is free from `first` to `last`. Values come in the order of their first
    /// instruction.
    fn take(&mut self, first: usize, last: usize) -> u32 {
        // Not those whose last use is in the same instruction: no operation reads the column that
        // it writes.
        while let Some(Reverse((end, number))) = self.used.peek().copied()
            && end < first
        {
            self.used.pop();
            self.free.push(number);
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        self.used.push(Reverse((last, number)));
        number
    }
}

/// First and last instruction of each value, in the order of the first.
fn lives(
    program: &mut Program,
    pinned: &HashSet<Reg>,
    loops: &[(usize, usize)],
) -> Vec<(usize, usize, Reg)> {
    let around = Around::new(program.code.len(), loops);
    let mut lives: HashMap<Reg, (usize, usize)> = HashMap::new();
    for (at, instr) in program.code.iter_mut().enumerate() {
        instr.registers(&mut |reg| {
            let (first, last) = lives.entry(*reg).or_insert((at, at));
            *last = (*last).max(around.end_of(at, *first));
        });
    }
    for reg in pinned {
        lives.insert(*reg, (0, usize::MAX));
    }
    let mut list: Vec<(usize, usize, Reg)> = lives
        .into_iter()
        .map(|(reg, (first, last))| (first, last, reg))
        .collect();
    list.sort();
    list
}

/// The loops around each instruction.
struct Around<'l> {
    loops: &'l [(usize, usize)],
    /// By instruction, the innermost loop.
    innermost: Vec<Option<usize>>,
    /// By loop, the one around it.
    outer: Vec<Option<usize>>,
}

impl<'l> Around<'l> {
    fn new(length: usize, loops: &'l [(usize, usize)]) -> Self {
        let mut order: Vec<usize> = (0..loops.len()).collect();
        // Outer loops first: of two, the one that begins earlier or ends later.
        order.sort_by_key(|n| (loops[*n].0, Reverse(loops[*n].1)));
        let (mut innermost, mut outer) = (vec![None; length], vec![None; loops.len()]);
        let (mut open, mut next): (Vec<usize>, usize) = (Vec::new(), 0);
        for (at, slot) in innermost.iter_mut().enumerate() {
            while open.last().is_some_and(|n| loops[*n].1 < at) {
                open.pop();
            }
            while let Some(n) = order.get(next).filter(|n| loops[**n].0 == at) {
                outer[*n] = open.last().copied();
                open.push(*n);
                next += 1;
            }
            *slot = open.last().copied();
        }
        Around {
            loops,
            innermost,
            outer,
        }
    }

    /// How long a value lives that is used at an instruction: to the end of the outermost loop that
    /// begins behind its first instruction.
    fn end_of(&self, at: usize, first: usize) -> usize {
        let (mut end, mut inner) = (at, self.innermost.get(at).copied().flatten());
        while let Some(n) = inner
            && self.loops[n].0 > first
        {
            end = end.max(self.loops[n].1);
            inner = self.outer[n];
        }
        end
    }
}
