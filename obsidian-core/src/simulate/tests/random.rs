//! Random programs of one block: the simulator reports a race exactly if two accesses of theirs are
//! in no order, each pair of them looked at.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::planned;
use crate::ir::WARP;
use crate::simulate::{AccessKind, FaultKind, run};

/// Elements of the only array.
const LENGTH: u32 = 8;

/// One step, which all threads reach.
#[derive(Clone, Copy)]
enum Step {
    /// Of element `(i * factor + offset) % LENGTH`, by the threads for which `i % every == rest`.
    Access {
        kind: AccessKind,
        factor: u32,
        offset: u32,
        every: u32,
        rest: u32,
    },
    WaitBlock,
    WaitWarp,
}

fn random_step(random: &mut StdRng) -> Step {
    match random.random_range(0..10) {
        0 => Step::WaitBlock,
        1 | 2 => Step::WaitWarp,
        n => {
            let kind = [AccessKind::Read, AccessKind::Write, AccessKind::Atomic][n % 3];
            let every = [1, 2, 7, 32, 33, 64][random.random_range(0..6)];
            let (factor, offset) = (
                random.random_range(0..LENGTH),
                random.random_range(0..LENGTH),
            );
            Step::Access {
                kind,
                factor,
                offset,
                every,
                rest: random.random_range(0..every),
            }
        }
    }
}

fn text(steps: &[Step], threads: u32) -> String {
    let mut text = format!(
        "kernel k {{ threads {threads} allocate s: u32[{LENGTH}_u32] shared let i = ThreadIndex
            if (i == 0_u32) {{ for sequential Thread k in 0_u32 .. {LENGTH}_u32 step 1_u32 {{ store s[k] = k }} }} wait Block "
    );
    for (n, step) in steps.iter().enumerate() {
        text += &match *step {
            Step::WaitBlock => "wait Block ".to_owned(),
            Step::WaitWarp => "wait Warp ".to_owned(),
            Step::Access {
                kind,
                factor,
                offset,
                every,
                rest,
            } => {
                let element = format!("s[(((i *' {factor}_u32) +' {offset}_u32) %' {LENGTH}_u32)]");
                let access = match kind {
                    AccessKind::Read => format!("read x{n} = {element}"),
                    AccessKind::Write => format!("store {element} = i"),
                    AccessKind::Atomic => format!("atomic add {element} (i)"),
                };
                format!("if ((i %' {every}_u32) == {rest}_u32) {{ {access} }} ")
            }
        };
    }
    text + "}"
}

/// Are two accesses of the program in no order?
fn has_race(steps: &[Step], threads: u32) -> bool {
    // Thread, element, kind, and the waits of the block and of the warp before.
    let (mut seen, mut block, mut warp) = (Vec::<(u32, u32, AccessKind, u32, u32)>::new(), 0, 0);
    for step in steps {
        match *step {
            Step::WaitBlock => block += 1,
            Step::WaitWarp => warp += 1,
            Step::Access {
                kind,
                factor,
                offset,
                every,
                rest,
            } => {
                let those = (0..threads).filter(|i| i % every == rest);
                seen.extend(those.map(|i| (i, (i * factor + offset) % LENGTH, kind, block, warp)));
            }
        }
    }
    seen.iter().enumerate().any(|(n, a)| {
        seen[..n].iter().any(|b| {
            let conflict = a.2 == AccessKind::Write || a.2 != b.2;
            let ordered = a.0 == b.0 || a.3 != b.3 || (a.0 / WARP == b.0 / WARP && a.4 != b.4);
            a.1 == b.1 && conflict && !ordered
        })
    })
}

#[test]
fn races_are_found_where_two_accesses_are_in_no_order_and_nowhere_else() {
    let mut found = [0, 0];
    for seed in 0..1500 {
        let mut random = StdRng::seed_from_u64(seed);
        let threads = [1, 2, 31, 32, 64, 96][random.random_range(0..6)];
        let steps: Vec<Step> = (0..random.random_range(2..9))
            .map(|_| random_step(&mut random))
            .collect();
        let (text, expected) = (text(&steps, threads), has_race(&steps, threads));
        match run(&planned(&text), &mut [], 1) {
            Err(fault) if fault.kind() != FaultKind::Race => panic!("seed {seed}: {fault}\n{text}"),
            outcome => assert_eq!(
                outcome.is_err(),
                expected,
                "seed {seed}: {outcome:?}\n{text}"
            ),
        }
        found[usize::from(expected)] += 1;
    }
    assert!(found[0] > 200 && found[1] > 200, "{found:?}");
}
