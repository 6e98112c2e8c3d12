//! Array programs as candidates: their settings, threads, and which arrays they store.

use obsidian_rt::arrays::{Arr1, ArrayProgram, ArrayView, Settings, generate};
use obsidian_rt::explore::{Candidate, Explore, Job, Point, Space};
use obsidian_rt::language::EU32;
use obsidian_rt::{Buffer, Device, Result};

use crate::predicted;

const N: usize = 5000;

fn mixed(x: u32) -> u32 {
    (x ^ (x >> 7)).wrapping_mul(0x9e37_79b1)
}

/// Each number is mixed, and added to its neighbours on a ring.
fn on_a_ring(input: &[u32]) -> Vec<u32> {
    let n = input.len();
    let at = |i: usize| mixed(input[i % n]);
    (0..n)
        .map(|i| at(i + n - 1).wrapping_add(at(i)).wrapping_add(at(i + 1)))
        .collect()
}

fn candidate(point: &Point) -> Result<Candidate<Vec<u32>, Vec<u32>>> {
    let settings = Settings {
        share: point.word("share")? == "yes",
        threads: Some(point.u32("threads")?),
        ..Settings::default()
    };
    let stored = point.word("mixed")?.to_owned();
    let program = ArrayProgram::build_with("ring", settings, move |xs: Arr1<EU32>| {
        let n = xs.len();
        let mixed = xs.map(|x| (x ^ (x >> 7)) * 0x9e37_79b1);
        let mixed = match stored.as_str() {
            "stored" => mixed.compute(),
            "inline" => mixed.inline(),
            _ => mixed,
        };
        generate(n, move |i| {
            mixed.at((i + n - 1) % n) + mixed.at(i) + mixed.at((i + 1) % n)
        })
    })?;
    Ok(Candidate::new(
        move |device: &Device, input: &Buffer<u32>| {
            let xs = ArrayView::of(input, [N])?;
            program.run(device, xs)?.into_buffer()
        },
    ))
}

#[test]
fn what_a_program_stores_is_explored() {
    let input: Vec<u32> = (0..N as u32).map(|x| x * 77).collect();
    let job = Job::new(input, |input: &Vec<u32>| on_a_ring(input));
    let space = Space::new()
        .list("threads", [64, 256])
        .choice("share", ["yes", "no"])
        .choice("mixed", ["stored", "inline", "decided"]);
    let explored = Explore::new(space, predicted(), job, candidate)
        .run()
        .unwrap();
    assert_eq!(explored.results.evaluated.len(), 12);
    let all = &explored.results.evaluated;
    let good = all.iter().filter(|one| one.outcome.score().is_some());
    assert_eq!(good.count(), 12, "{all:?}");
    assert!(explored.results.best().is_some());
}
