//! A fluid beside plain Rust, and what is left of its loops.

#![allow(clippy::unwrap_used)]

use accelerate::reference::Fluid;
use accelerate::*;
use obsidian_rt::Device;

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

const FLUID: Fluid = Fluid {
    rounds: 7,
    time: 0.8,
    thickness: 0.3,
    spread: 0.2,
};

#[test]
fn smoke_in_a_box() {
    for (height, width) in [(0, 5), (1, 1), (1, 7), (17, 31), (40, 33)] {
        let state = inputs::fluid(height, width);
        for d in devices() {
            let [smoke, down, right] = state
                .each_ref()
                .map(|cells| d.array([height, width], cells).unwrap());
            for steps in [0, 1, 2, 5] {
                let found = flowed::run(
                    &d,
                    steps,
                    FLUID.rounds,
                    FLUID.time,
                    FLUID.thickness,
                    FLUID.spread,
                    &smoke,
                    &down,
                    &right,
                );
                let (smoke, down, right) = found.unwrap();
                let want = reference::flowed(steps, FLUID, [height, width], &state);
                for (found, want) in [smoke, down, right].iter().zip(&want) {
                    let found = found.to_vec().unwrap();
                    assert_eq!(found.len(), want.len());
                    for (found, want) in found.iter().zip(want) {
                        let far = (f64::from(*found) - want).abs();
                        assert!(far < 1e-4, "{height} {width} {steps}: {found} {want}");
                    }
                }
            }
        }
    }
}

/// The arrays that launches make, of a program's text.
fn made(text: &str) -> usize {
    let outputs = text.lines().filter_map(|line| line.split_once("-> "));
    let outputs = outputs.map(|(_, slots)| slots.split_once("    ").unwrap_or_default().0);
    outputs.flat_map(|slots| slots.split(", ")).count()
}

/// A round of Jacobi's method is one launch of one kernel, and its loop has three buffers: what is given, the last round, and the next one.
#[test]
fn rounds_are_built_once() {
    let grid = [Some(100), None, Some(64), Some(48)];
    let schedule = diffused::schedule();
    assert_eq!(schedule.kernels.len(), 1, "{schedule}");
    assert_eq!(schedule.launches_for(&grid), Some(100), "{schedule}");
    assert!(made(&schedule.to_string()) <= 2, "{schedule}");
    let grid = [Some(100), Some(64), Some(48)];
    let schedule = pressed::schedule();
    // One more for the pressure to begin with.
    assert_eq!(schedule.kernels.len(), 2, "{schedule}");
    assert_eq!(schedule.launches_for(&grid), Some(101), "{schedule}");
    assert!(made(&schedule.to_string()) <= 2, "{schedule}");
}

/// A step has five of those loops, and four launches beside them. Loops that do the same have one kernel.
#[test]
fn a_step_is_built_once() {
    let schedule = flowed::schedule();
    let numbers = |steps, rounds| {
        let settings = [None; 3];
        let grid = [Some(64), Some(48)];
        [Some(steps), Some(rounds)]
            .into_iter()
            .chain(settings)
            .chain(grid.repeat(3))
            .collect::<Vec<_>>()
    };
    assert_eq!(schedule.operators(), 2 + 9, "{schedule}");
    assert_eq!(schedule.kernels.len(), 7, "{schedule}");
    assert_eq!(schedule.launches_for(&numbers(0, 20)), Some(2));
    assert_eq!(
        schedule.launches_for(&numbers(10, 20)),
        Some(2 + 10 * (5 * 20 + 4))
    );
    let text = schedule.to_string();
    let rounds: Vec<&str> = text.split("    repeat\n").skip(1).collect();
    assert_eq!(rounds.len(), 5, "{text}");
    for round in rounds {
        let launch = round.lines().next().unwrap_or_default();
        let given = launch.split_once("->").unwrap_or_default().0;
        // What is given and the last round; the next one is the third buffer.
        assert_eq!(given.matches("slot ").count(), 2, "{text}");
        assert_eq!(made(launch), 1, "{text}");
    }
}
