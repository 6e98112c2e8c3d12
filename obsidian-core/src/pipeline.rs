//! The order of the passes, from the kernel that `lower` strips out of a program to a plan.
//!
//! | pass | takes | gives | why here |
//! |---|---|---|---|
//! | `fills` | levelled | mistakes | `share` makes statements of choices |
//! | `share` | levelled | levelled | all that follow are linear in the text |
//! | `check` | levelled | facts, mistakes | mistakes before limits |
//! | `launch_requirements` | levelled | levelled | what `check` took for granted |
//! | `cut` | levelled | levelled | for the CPU: its passes know no order between blocks |
//! | `lowering` | levelled | lowered | `check` sees ownership and collectives as the user wrote them; with these, once more for the CPU |
//! | `whole_tiles` | lowered | lowered | a loop over threads is one statement still |
//! | `liveness` | lowered | lifetimes | a loop over threads is one statement still |
//! | `virtualise` | lowered | physical | |
//! | `dead_loads` | both | both | `check` tells by a read that an array is changed |
//! | `placement` | physical | physical | the number of threads is known, and nothing is laid out |
//! | `shared_layout` | physical | offsets | copies for real warps |
//! | `barriers` | physical | physical | they depend on where arrays lie, and on what is printed |
//! | `simplify` | physical | physical | all before want loops and names where `virtualise` has put them |
//! | `wide` | physical | physical | it wants indices as sums of leaves |
//!
//! [`validate`] is the gate at the end of each stage, in every build: nothing goes on that breaks a
//! rule, so that what runs and prints a kernel finds everything that the kernel names. In debug and test
//! builds of this repository it looks at the kernel after each pass, and a fault names the pass that made it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::error::{Diagnostics, catalogue, internal};
use crate::ir::{
    Kernel, Level, Levelled, LevelledLoop, MAX_SHARED_BYTES, MAX_THREADS, SHARED_BYTES, Stage,
    Statement, validate,
};
use crate::lower::{Builder, Chains, fills, reify, share, strip};
use crate::plan::{
    Checked, Executed, Limits, Placed, Plan, Refusal, Unproved, asked, barriers, changing,
    check_as, cut, dead_loads, held_words, launch_requirements, liveness, lowering, placement,
    shared_layout, simplify, virtualise, whole_tiles, wide, wide_of_proved,
};

/// How a kernel is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Real threads of a block, 1 to 1,024; 256 by default.
    pub threads: u32,
    /// The most bytes of shared memory of a block, up to [`MAX_SHARED_BYTES`]; [`SHARED_BYTES`] by
    /// default.
    pub shared_bytes: u32,
    /// How many blocks a multiprocessor has to be able to hold at once; nothing is asked for by
    /// default.
    pub min_blocks: Option<u32>,
    /// Does a launch start only as many real blocks as the device holds at once? No by default.
    pub resident: bool,
    /// Does the CUDA text check each index that `unchecked()` vouches for? No by default.
    pub faults: bool,
    /// Is each stored array in shared memory of its own, and each element accessed by itself? No by
    /// default.
    pub apart: bool,
    /// A folder where each stage is written as text; none by default.
    pub dump: Option<PathBuf>,
    /// Are values that are used twice computed once? Yes by default; tests of later passes may say
    /// no.
    pub share: bool,
    /// Is the kernel built in another way if an index cannot be proved? Then no example of it is looked for. No by default.
    pub again: bool,
    /// Are races, holes and indices out of range errors? Yes by default; tests of later passes may
    /// say no.
    pub check: bool,
    /// May a launch be refused for a fixed element of a parameter that it might not access? Yes by
    /// default; array programs check such an index when they run.
    pub conditional_needs: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options::from(Limits::from(256))
    }
}

impl From<Limits> for Options {
    fn from(
        Limits {
            threads,
            shared_bytes,
            min_blocks,
            resident,
            faults,
            apart,
        }: Limits,
    ) -> Self {
        Options {
            threads,
            shared_bytes,
            min_blocks,
            resident,
            faults,
            apart,
            dump: None,
            share: true,
            again: false,
            check: true,
            conditional_needs: true,
        }
    }
}

/// Builds a kernel natively: `f` declares its parameters and gives its result.
///
/// # Errors
/// Everything that is wrong with it, or a limit that it passes.
pub fn build(
    name: &str,
    options: &Options,
    f: impl FnOnce(&mut Builder),
) -> Result<Plan, Diagnostics> {
    compile(strip(reify(name, f)?)?, options)
}

/// The kernel of a plan for another number of real threads of a block.
///
/// # Errors
/// Those of [`compile`].
pub fn with_threads(plan: &Plan, threads: u32) -> Result<Plan, Diagnostics> {
    let options = Options {
        threads,
        ..plan.limits().into()
    };
    compile(plan.levelled().clone(), &options)
}

/// Compiles a levelled kernel; the error is everything that is wrong with it, or a limit that it
/// passes.
pub fn compile(kernel: Kernel<Levelled>, options: &Options) -> Result<Plan, Diagnostics> {
    compile_watched(kernel, options, &mut |_| {})
}

/// The same; `watch` is told the name of each pass once it is done, and that of the validator, so that
/// a benchmark can time them.
///
/// # Errors
/// Those of [`compile`].
pub fn compile_watched(
    kernel: Kernel<Levelled>,
    options: &Options,
    watch: &mut dyn FnMut(&'static str),
) -> Result<Plan, Diagnostics> {
    let origins = kernel.tables.origins.clone();
    let passes = || passes(kernel, options, watch);
    let plan = internal::caught(passes).unwrap_or_else(|bug| Err(vec![bug]));
    plan.map_err(|wrong| Diagnostics::new(wrong, origins))
}

/// The passes that make what the CPU runs, where it is something else: in text, and by columns.
const CPU: [&str; 2] = ["lowering-cpu", "lowering-columns"];

/// All passes, in their order.
fn passes(
    kernel: Kernel<Levelled>,
    options: &Options,
    watch: &mut dyn FnMut(&'static str),
) -> Result<Plan, Refusal> {
    let limits = options.limits()?;
    let mut gate = Gate::new(options.dump.as_deref(), watch);
    gate.pass("strip", &kernel)?;
    let levelled = Arc::new(kernel.clone());
    let in_outputs = fills(&kernel);
    gate.looked("fills");
    let unproved = match options.again {
        true => Unproved::Final,
        false => Unproved::Explained,
    };
    let (kernel, mut found) = match options.share {
        true => shared(kernel, &mut gate, unproved)?,
        false => gate.checked(kernel, unproved)?,
    };
    found.diagnostics.extend(in_outputs);
    if !options.check {
        found.forget_mistakes();
    }
    if !options.conditional_needs {
        found.refuse_conditional_needs(&kernel.tables);
    }
    // What blocks give later ones is taken out of its place for the CPU.
    if has_order(&kernel) && !found.diagnostics.is_empty() {
        return Err(found.diagnostics);
    }
    let kernel = launch_requirements(kernel, &found);
    // On the CPU one thread runs all iterations of a block, and has no lanes.
    let asked = asked(&kernel);
    let by_lanes = has_collectives(&kernel)
        || has_last(&kernel)
        || asked.values().any(|(level, _)| *level == Level::Warp);
    let mut kernel = kernel;
    if limits.faults {
        kernel.tables.nodes.keep_promises();
    }
    // Nor are its blocks there together.
    let mut for_cpu = [Executed::ByOne, Executed::Together]
        .map(|by| by_lanes.then(|| lowering(cut(kernel.clone()), by)));
    let lowered = lowering(kernel, Executed::ByThreads(limits.threads));
    gate.stage("lowering", &lowered)?;
    for (pass, kernel) in CPU.into_iter().zip(&for_cpu) {
        if let Some(kernel) = kernel {
            gate.stage(pass, kernel)?;
        }
    }
    let tiled = whole_tiles(lowered.clone(), limits.threads);
    gate.pass("whole-tiles", &tiled)?;
    let lives = liveness(&tiled);
    gate.looked("liveness");
    let physical = virtualise(tiled, limits.threads);
    gate.pass("virtualise", &physical)?;
    let changing = changing(&physical);
    let physical = dead_loads(physical);
    gate.pass("dead-loads", &physical)?;
    let for_one = |lowered| whole_tiles(dead_loads(lowered), 1);
    let [by_one, together] = for_cpu.each_mut().map(|kernel| kernel.take().map(for_one));
    let lowered = together.unwrap_or_else(|| for_one(lowered));
    let all_lives = lives.clone();
    let is_right = options.check && found.diagnostics.is_empty();
    let placed = match is_right && !limits.apart {
        true => placement(physical, (lives, changing), &asked, limits),
        false => Placed::apart(physical, lives, changing),
    };
    let (physical, lives) = (placed.kernel, placed.lives);
    let words = held_words(&all_lives, &placed.placements, &physical.tables);
    gate.pass("placement", &physical)?;
    let (shared, with_barriers) = match placed.laid_out {
        Some((shared, kernel)) => (Ok(shared), Some(kernel)),
        None => (shared_layout(&physical, &lives, limits), None),
    };
    let shared = match shared {
        Ok(shared) if found.diagnostics.is_empty() => shared,
        Ok(_) => return Err(found.diagnostics),
        // With mistakes nothing is in registers, so more memory may be asked for than there would be.
        Err(error) if found.diagnostics.is_empty() => return Err(vec![error.into()]),
        Err(_) => return Err(found.diagnostics),
    };
    gate.looked("shared-layout");
    let physical = match with_barriers {
        Some(kernel) => kernel,
        None => barriers(physical, &shared, &placed.changing),
    };
    gate.pass("barriers", &physical)?;
    let physical = simplify(physical);
    gate.pass("simplify", &physical)?;
    let physical = match limits {
        Limits { apart: true, .. } => physical,
        Limits { faults: true, .. } => wide_of_proved(physical),
        _ => wide(physical),
    };
    gate.stage("wide", &physical)?;
    let (patterns, steps) = (found.patterns, found.steps);
    Ok(Plan::new(
        levelled,
        (lowered, by_one),
        physical,
        (shared, placed.placements, words),
        patterns,
        steps,
        limits,
    ))
}

/// The kernel after `share`, and what `check` finds of it.
///
/// Of a chain of choices that is made in front of two uses, `check` knows that one of them needs it, and less than
/// it knows at each of them. So where it finds mistakes, chains are made for each use, and it looks again.
fn shared(
    kernel: Kernel<Levelled>,
    gate: &mut Gate<'_>,
    unproved: Unproved,
) -> Result<(Kernel<Levelled>, Checked), Refusal> {
    let (once, has_chains) = share(kernel.clone(), Chains::Once);
    let (once, found) = gate.checked(once, unproved)?;
    if !has_chains || found.diagnostics.is_empty() {
        return Ok((once, found));
    }
    gate.number -= 1;
    let (kernel, _) = share(kernel, Chains::ForEachUse);
    gate.checked(kernel, unproved)
}

fn has_order(kernel: &Kernel<Levelled>) -> bool {
    let mut loops = kernel.body.iter();
    loops.any(|s| s.counts() == Some(LevelledLoop::Ordered))
}

fn has_last(kernel: &Kernel<Levelled>) -> bool {
    let mut loops = kernel.body.iter();
    loops.any(|s| s.counts() == Some(LevelledLoop::Last))
}

fn has_collectives(kernel: &Kernel<Levelled>) -> bool {
    let mut found = false;
    kernel.body.iter().for_each(|statement| {
        statement.visit(&mut |inner| found |= matches!(inner, Statement::Collective(..)));
    });
    found
}

impl Options {
    /// What a block may use, if there is such a block.
    fn limits(&self) -> Result<Limits, Refusal> {
        let (threads, shared_bytes) = (self.threads, self.shared_bytes);
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(vec![catalogue::bad_threads(threads.into())]);
        }
        if shared_bytes > MAX_SHARED_BYTES {
            let text = shared_bytes.to_string();
            return Err(vec![catalogue::bad_shared_bytes(
                &text,
                SHARED_BYTES,
                MAX_SHARED_BYTES,
            )]);
        }
        if let Some(blocks) = self.min_blocks {
            crate::ir::min_blocks_fit(blocks.into(), threads).map_err(|wrong| vec![wrong])?;
        }
        Ok(Limits {
            shared_bytes,
            threads,
            min_blocks: self.min_blocks,
            resident: self.resident,
            faults: self.faults,
            apart: self.apart,
        })
    }
}

/// What stands behind each pass: it writes the kernel, and holds it to the rules.
struct Gate<'d> {
    dump: Option<&'d Path>,
    /// Passes that change the kernel, so far.
    number: u32,
    watch: &'d mut dyn FnMut(&'static str),
}

impl<'d> Gate<'d> {
    fn new(dump: Option<&'d Path>, watch: &'d mut dyn FnMut(&'static str)) -> Self {
        Gate {
            dump,
            number: 0,
            watch,
        }
    }

    /// Behind `share`: what `check` finds.
    fn checked(
        &mut self,
        kernel: Kernel<Levelled>,
        unproved: Unproved,
    ) -> Result<(Kernel<Levelled>, Checked), Refusal> {
        self.stage("share", &kernel)?;
        let found = check_as(&kernel, unproved);
        self.looked("check");
        Ok((kernel, found))
    }

    /// Behind a pass that leaves the kernel as it is.
    fn looked(&mut self, pass: &'static str) {
        (self.watch)(pass);
    }

    /// Behind a pass inside of a stage: in release builds the gate at the end of the stage is enough.
    fn pass<S: Stage>(&mut self, pass: &'static str, kernel: &Kernel<S>) -> Result<(), Refusal> {
        (self.watch)(pass);
        self.write(pass, kernel)?;
        if cfg!(debug_assertions) && (cfg!(test) || each_pass_is_held()) {
            hold(pass, kernel)?;
            (self.watch)("validate");
        }
        Ok(())
    }

    /// Behind the last pass of a stage, in every build.
    fn stage<S: Stage>(&mut self, pass: &'static str, kernel: &Kernel<S>) -> Result<(), Refusal> {
        (self.watch)(pass);
        self.write(pass, kernel)?;
        let held = hold(pass, kernel);
        (self.watch)("validate");
        held
    }

    fn write<S: Stage>(&mut self, pass: &str, kernel: &Kernel<S>) -> Result<(), Refusal> {
        self.number += 1;
        let Some(folder) = self.dump else {
            return Ok(());
        };
        let name = format!("{:02}-{pass}.txt", self.number);
        let written = write(folder, &name, &kernel.to_string());
        written.map_err(|error| {
            let folder = folder.display().to_string();
            vec![catalogue::dump_not_written(&folder, &error.to_string())]
        })
    }
}

/// Is the validator to look at the kernel after each pass, not after each stage alone? Cargo sets the variable in this repository,
/// for tests and macros; programs elsewhere do not pay for it.
fn each_pass_is_held() -> bool {
    static HELD: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os("OBSIDIAN_HOLD_EACH_PASS").is_some());
    *HELD
}

/// Holds a kernel to the rules of its stage.
fn hold<S: Stage>(pass: &str, kernel: &Kernel<S>) -> Result<(), Refusal> {
    validate(kernel).map_err(|violation| {
        vec![catalogue::bug(format!(
            "after the pass `{pass}`: {violation}"
        ))]
    })
}

/// The folder for the stages of a kernel: directly in another one, whatever the kernel is called.
///
/// A name with characters other than letters, digits, `.`, `_` and `-`, or a long one, is shortened
/// to those, and ends in a hash of the whole.
pub fn dump_folder(folder: &Path, name: &str) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    // What ends or begins with dots is special, or hidden; some words are devices of Windows.
    let first = name.split('.').next().unwrap_or_default();
    let is_device = DEVICES
        .iter()
        .any(|device| first.eq_ignore_ascii_case(device));
    let is_whole = name.len() <= DUMP_NAME && name.chars().all(is_plain) && !is_device;
    if is_whole && !name.is_empty() && name.trim_matches('.') == name {
        return folder.join(name);
    }
    let kept: String = name
        .chars()
        .filter(|c| is_plain(*c))
        .take(DUMP_NAME)
        .collect();
    // FNV-1a.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    folder.join(format!("kernel-{}-{hash:016x}", kept.trim_matches('.')))
}

/// The longest name of a folder that is kept whole.
const DUMP_NAME: usize = 120;

/// Names that are no files on Windows, whatever follows their dot.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// Writes a file so that nobody sees a part of it.
fn write(folder: &Path, name: &str, text: &str) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let half = folder.join(format!(".{name}.{}", std::process::id()));
    let written = fs::write(&half, text).and_then(|()| fs::rename(&half, folder.join(name)));
    if written.is_err() {
        // What is left of it is of no use, and the first error says more than a second one.
        let _ = fs::remove_file(&half);
    }
    written
}

#[cfg(test)]
mod tests;
