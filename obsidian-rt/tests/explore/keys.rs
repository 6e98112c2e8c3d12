//! Given parameters: one search, one job and one best candidate for each key.

use obsidian_rt::explore::{Candidate, Explore, Job, Objective, Point, Search, Space};
use obsidian_rt::prelude::*;
use obsidian_rt::{ErrorKind, Tuned};

use crate::predicted;

/// Maps that take longer for larger arrays, and at each size longer for larger pieces of idle threads.
#[kernels]
pub mod maps {
    #[kernel(threads = [32, 256], piece = [64, 256])]
    pub fn doubled(piece: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .chunks(piece, lit(0u32))
            .as_grid_map(|piece| piece.map(|x| x * 2).push::<Block>())
            .take(input.len())
    }
}
use maps::doubled;

fn job(key: &Point) -> obsidian_rt::Result<Job<Vec<u32>, Vec<u32>>> {
    let elements = key.u32("elements")?;
    assert!(
        key.get("piece").is_none(),
        "a key has what is given and nothing else"
    );
    Ok(Job::new((0..elements).collect(), |input: &Vec<u32>| {
        input.iter().map(|x| x * 2).collect()
    }))
}

fn explore(objective: Objective) -> Explore {
    let space = Space::of_variants(doubled::variants()).given("elements", [1u32 << 18, 1 << 10]);
    Explore::by_key(space, objective, job, |point| {
        let variant = point.variant(doubled::variants())?;
        Ok(Candidate::new(
            move |device: &Device, input: &Buffer<u32>| {
                doubled::launch_variant(variant, device, input)
            },
        ))
    })
}

#[test]
fn each_key_has_a_best_of_its_own_and_a_line_in_a_tuned_file() {
    for objective in [
        predicted(),
        Objective::measured(Device::cpu()).with_effort(1),
    ] {
        let results = explore(objective).run().unwrap().results;
        assert_eq!(
            (results.evaluated.len(), results.given.as_slice()),
            (8, &["elements".to_owned()][..])
        );
        assert!(
            results.has_several_jobs() && results.best().is_none() && results.ranked().is_empty()
        );
        let keys = results.by_key();
        let named: Vec<String> = keys.iter().map(|(key, _)| key.to_string()).collect();
        assert_eq!(named, ["elements=262144", "elements=1024"]);
        assert!(
            keys.iter()
                .all(|(_, results)| results.evaluated.len() == 4 && results.best().is_some())
        );
        let (mut tuned, variants) = (Tuned::new(), doubled::variants());
        let error = results
            .choose_in(&mut tuned, variants, None, 0)
            .unwrap_err();
        assert!(
            error.kind() == ErrorKind::Tuned && error.to_string().contains("of several jobs"),
            "{error}"
        );
        results
            .choose_by_key(&mut tuned, variants, Some("cpu"), |key| key.u64("elements"))
            .unwrap();
        let lines: Vec<u64> = tuned
            .choices("doubled")
            .unwrap()
            .iter()
            .map(|choice| choice.from)
            .collect();
        assert_eq!(lines, [1 << 10, 1 << 18]);
        let tuner = Tuner::parse(&tuned.to_string(), variants).unwrap();
        for (key, results) in &keys {
            let picked = tuner.pick(&Device::cpu(), key.u64("elements").unwrap() as usize);
            let best = results.best().unwrap().point.variant(variants).unwrap();
            assert_eq!(picked.name(), best.name());
        }
    }
}

#[test]
fn a_budget_is_one_of_each_key() {
    for search in [Search::Random { seed: 1 }, Search::Climb { seed: 1 }] {
        let explored = explore(predicted())
            .search(search)
            .at_most(2)
            .run()
            .unwrap();
        let counts: Vec<usize> = explored
            .results
            .by_key()
            .iter()
            .map(|(_, results)| results.evaluated.len())
            .collect();
        assert_eq!(counts, [2, 2], "{search:?}");
        assert_eq!(explored.evaluations, 4.0);
    }
}

#[test]
fn one_job_may_have_several_keys() {
    let space = Space::new()
        .given("kind", ["a", "b"])
        .list("threads", [32, 64]);
    let explored = Explore::new(space, predicted(), crate::job(), |point| {
        crate::sums(2, point.u32("threads")?, 0)
    });
    assert_eq!(explored.run().unwrap().results.by_key().len(), 2);
}

#[test]
fn a_key_without_a_line_is_an_error_that_names_it() {
    let variants = doubled::variants();
    let refused = |results: &obsidian_rt::explore::Results, from: fn(&Point) -> u64| {
        let mut tuned = Tuned::new();
        let error = results
            .choose_by_key(&mut tuned, variants, None, |key| Ok(from(key)))
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Tuned);
        let nothing = Tuned::new().to_string();
        assert_eq!(tuned.to_string(), nothing, "nothing is written");
        error.to_string()
    };
    let results = explore(predicted()).run().unwrap().results;
    let words = refused(&results, |_| 7);
    assert!(
        words.contains("the keys elements=262144 and elements=1024 both hold from 7"),
        "{words}"
    );
    let of_key = |key: &Point| key.u64("elements").unwrap_or(0);
    let none = explore(predicted()).within(std::time::Duration::ZERO);
    let words = refused(&none.run().unwrap().results, of_key);
    assert!(
        words.contains("nothing was tried of the key elements=262144"),
        "{words}"
    );
    let mut bad = results;
    for evaluated in &mut bad.evaluated {
        if evaluated.point.u64("elements").unwrap() == 1024 {
            evaluated.outcome = obsidian_rt::explore::Outcome::Bad("too odd".to_owned());
        }
    }
    let words = refused(&bad, of_key);
    assert!(
        words.contains("of the key elements=1024 no variant that was tried is good")
            && words.contains("too odd"),
        "{words}"
    );
}
