//! Runs a program of columns.
//!
//! The part in front of the blocks is run once, on the caller's thread; each block then by a worker,
//! with registers that the worker keeps for the next block.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use obsidian_language::scalar::Scalar;

use super::code::{Instr, Outside, Program, Reg};
use super::files::{Files, Globals, Lane};
use super::masks::Mask;
use super::operators;
use super::scratch::{self, Worker};
use crate::generated::grid;

/// How the blocks of a launch are shared out.
#[derive(Clone, Copy)]
pub(super) struct Sharing {
    /// The most blocks at the same time.
    pub(super) limit: Option<u32>,
    /// Elements of all arrays.
    pub(super) elements: u64,
}

/// Runs a launch. `files` have the numbers and lengths of its parameters.
pub(super) fn run(
    program: &Program,
    files: Files,
    globals: &Globals<'_>,
    sharing: Sharing,
) -> Result<(), Outside> {
    let mut host = Worker::of_files(files);
    let mut at = 0;
    loop {
        let Stop::Blocks {
            counter,
            count,
            done,
        } = step(program, &mut host, globals, at)?
        else {
            return Ok(());
        };
        let blocks = u32::file(&host.files).scalars[count.index()];
        let launch = Blocks {
            program,
            globals,
            host: &host.files,
            counter,
            begin: done.0,
            epoch: next_epoch(),
            failed: AtomicBool::new(false),
            outside: Mutex::new(None),
        };
        if blocks > 0 {
            let block = |number: u32, ()| launch.block(number);
            grid::run(blocks, sharing.limit, sharing.elements, (), &block);
        }
        if let Some(outside) = launch
            .outside
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
        {
            return Err(outside);
        }
        at = done.1;
    }
}

/// A number that no launch had before.
fn next_epoch() -> u64 {
    static EPOCH: AtomicU64 = AtomicU64::new(1);
    EPOCH.fetch_add(1, Relaxed)
}

/// The blocks of one loop over them.
struct Blocks<'r> {
    program: &'r Program,
    globals: &'r Globals<'r>,
    /// The values in front of the blocks.
    host: &'r Files,
    counter: Reg,
    begin: usize,
    epoch: u64,
    failed: AtomicBool,
    outside: Mutex<Option<Outside>>,
}

impl Blocks<'_> {
    /// Runs one block, unless another one has failed.
    fn block(&self, number: u32) {
        if self.failed.load(Relaxed) {
            return;
        }
        let result = scratch::with_worker(self.program, |worker| {
            if worker.epoch != self.epoch {
                worker.files.take_scalars(self.host);
                worker.epoch = self.epoch;
            }
            u32::file_mut(&mut worker.files).scalars[self.counter.index()] = number;
            step(self.program, worker, self.globals, self.begin).map(drop)
        });
        if let Err(outside) = result {
            self.failed.store(true, Relaxed);
            let mut first = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(outside);
        }
    }
}

/// Why instructions end.
enum Stop {
    /// The end of the kernel or of a block.
    End,
    /// Blocks are to be run: from the first position on, and then the kernel goes on at the second.
    Blocks {
        counter: Reg,
        count: Reg,
        done: (usize, usize),
    },
}

fn number(files: &Files, reg: Reg) -> u32 {
    u32::file(files).scalars[reg.index()]
}

/// Does the condition hold that all lanes share?
fn holds(files: &Files, reg: Reg) -> bool {
    bool::file(files).scalars[reg.index()]
}

/// Runs instructions from a position on.
fn step(
    program: &Program,
    worker: &mut Worker,
    globals: &Globals<'_>,
    begin: usize,
) -> Result<Stop, Outside> {
    let mut at = begin;
    while let Some(instr) = program.code.get(at) {
        at += 1;
        let (files, masks) = (&mut worker.files, &mut worker.masks);
        match instr {
            Instr::Apply { run, args, mask } => {
                let lanes = masks.get(*mask as usize).map(|mask| mask.range.clone());
                run(files, args, lanes.unwrap_or(0..0));
            }
            Instr::Load { run, access, to } => {
                run(files, globals, access, *to, &masks[access.mask as usize])?;
            }
            Instr::Store { run, access, value } => {
                run(files, globals, access, *value, &masks[access.mask as usize])?;
            }
            Instr::Update {
                run,
                access,
                change,
            } => run(files, globals, access, change, &masks[access.mask as usize])?,
            Instr::Fail { site, mask } => masks[*mask as usize].try_each(|_| {
                Err(Outside {
                    index: 0,
                    length: 0,
                    site: *site,
                })
            })?,
            Instr::Assign {
                run,
                to,
                from,
                mask,
            } => run(files, *to, *from, &masks[*mask as usize]),
            Instr::Swap { run, with } => run(files, with[0], with[1]),
            Instr::Take {
                exchange,
                copy,
                to,
                from,
                masks: [inner, outer],
            } => {
                let (inner, outer) = (&masks[*inner as usize], &masks[*outer as usize]);
                match inner.full && inner.range == outer.range {
                    true => exchange(files, *to, *from),
                    false => copy(files, *to, *from, inner),
                }
            }
            Instr::End | Instr::EndBlock => return Ok(Stop::End),
            Instr::Blocks {
                counter,
                count,
                done,
            } => {
                return Ok(Stop::Blocks {
                    counter: *counter,
                    count: *count,
                    done: (at, *done as usize),
                });
            }
            _ => {
                if let Some(to) = control(instr, program.strip, files, masks) {
                    at = to as usize;
                }
            }
        }
    }
    Ok(Stop::End)
}

/// Where an instruction of control jumps to, if it does.
fn control(instr: &Instr, strip: usize, files: &mut Files, masks: &mut [Mask]) -> Option<u32> {
    match *instr {
        Instr::Jump(to) => Some(to),
        Instr::Unless {
            condition,
            otherwise,
        } => (!holds(files, condition)).then_some(otherwise),
        Instr::Zero(counter) => {
            u32::file_mut(files).scalars[counter.index()] = 0;
            None
        }
        Instr::Round {
            counter,
            count,
            done,
        } => (number(files, counter) >= number(files, count)).then_some(done),
        Instr::Next { counter, again } => {
            let counter = &mut u32::file_mut(files).scalars[counter.index()];
            *counter = counter.wrapping_add(1);
            Some(again)
        }
        Instr::Strips { base, count, done } => {
            u32::file_mut(files).scalars[base.index()] = 0;
            let count = number(files, count) as usize;
            masks[0].first(count.min(strip));
            (count == 0).then_some(done)
        }
        Instr::NextStrip { base, count, again } => {
            let next = number(files, base) as usize + masks[0].range.len();
            let count = number(files, count) as usize;
            if next >= count {
                return None;
            }
            u32::file_mut(files).scalars[base.index()] = next as u32;
            masks[0].first((count - next).min(strip));
            Some(again)
        }
        Instr::Refill { base, count } => {
            let left = number(files, count).saturating_sub(number(files, base));
            masks[0].first((left as usize).min(strip));
            None
        }
        Instr::Cut {
            first,
            by,
            mask,
            otherwise,
        } => {
            let (first, by) = (number(files, first), number(files, by));
            let masks = &mut masks[..=mask as usize];
            cut(first, by, masks).then_some(otherwise)
        }
        _ => masked(instr, files, masks),
    }
}

/// A row that is shorter is not worth a strip of its own: what it costs to find the next operation would be shared by too few lanes.
pub(super) const SHORT_ROW: u32 = 64;

/// Ends the strip at the end of a row, see [`Instr::Cut`]. Are the lanes that are left not worth it?
fn cut(first: u32, by: u32, masks: &mut [Mask]) -> bool {
    if by != 0 && by < SHORT_ROW {
        return true;
    }
    // A quotient by 0 is 0. Behind the last number, numbers begin again at 0.
    let in_row = first.checked_rem(by).map_or(u32::MAX, |at| by - at - 1);
    let room = u64::from(in_row.min(u32::MAX - first)) + 1;
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    masks.iter_mut().for_each(|mask| mask.end_at(room));
    masks.last().is_none_or(Mask::is_empty)
}

/// The same, of those that change masks.
fn masked(instr: &Instr, files: &Files, masks: &mut [Mask]) -> Option<u32> {
    let bools = &bool::file(files).columns;
    match *instr {
        Instr::Enter {
            condition,
            wanted,
            from,
            into,
            none,
        } => {
            let (outer, inner) = masks.split_at_mut(into as usize);
            let (from, into) = (outer.get(from as usize)?, inner.first_mut()?);
            into.set_where(from, &bools[condition.index()], wanted);
            into.is_empty().then_some(none)
        }
        Instr::EnterBelow {
            below,
            wanted,
            from,
            into,
            none,
        } => {
            let (outer, inner) = masks.split_at_mut(into as usize);
            let (from, into) = (outer.get(from as usize)?, inner.first_mut()?);
            let (first, limit) = (number(files, below.first), number(files, below.limit));
            let (lanes, holds) = operators::lanes_below(first, limit, below.inclusive);
            into.set_range(from, lanes, holds == (wanted != below.negated));
            into.is_empty().then_some(none)
        }
        Instr::Begin { from, into } => {
            let (outer, inner) = masks.split_at_mut(into as usize);
            inner.first_mut()?.set(outer.get(from as usize)?);
            None
        }
        Instr::While {
            condition,
            mask,
            none,
        } => {
            let (mask, column) = (&mut masks[mask as usize], &bools[condition.index()]);
            mask.retain(|lane| column[lane]);
            mask.is_empty().then_some(none)
        }
        Instr::WhileBelow {
            counter,
            count,
            mask,
            none,
        } => {
            let (counter, mask) = (number(files, counter), &mut masks[mask as usize]);
            let counts = &u32::file(files).columns[count.index()];
            mask.retain(|lane| counter < counts[lane]);
            mask.is_empty().then_some(none)
        }
        Instr::Break { first, last } => {
            let (outer, inner) = masks.split_at_mut(last as usize);
            let leaving = inner.first_mut()?;
            let outer = outer.iter_mut().skip(first as usize);
            outer.for_each(|mask| mask.remove(leaving));
            leaving.clear();
            None
        }
        Instr::IfNone { mask, none } => masks[mask as usize].is_empty().then_some(none),
        _ => None,
    }
}

/// Sets the single values that are known before a launch runs.
pub(super) fn prepared(
    program: &Program,
    numbers: &[(Reg, obsidian_language::scalar::Literal)],
) -> Files {
    let mut files = Files::scalars(&program.room);
    for (reg, value) in program.constants.iter().chain(numbers) {
        files.set(*reg, *value);
    }
    files
}

/// The number of elements of a parameter, as a value.
pub(super) fn length(elements: usize) -> obsidian_language::scalar::Literal {
    u32::try_from(elements).unwrap_or(u32::MAX).literal()
}
