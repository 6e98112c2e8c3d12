//! Explorations: what a bad candidate does to the others, budgets, files of results, keys, and
//! measurements that take turns.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bad;
mod chained;
mod compiled;
mod files;
#[cfg(unix)]
mod isolated;
mod keys;
mod measured;
mod whole;

use std::time::Duration;

use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Point, Search, Space};
use obsidian_rt::language::*;
use obsidian_rt::{ErrorKind, Result, TypedKernel};

const LONG: Duration = Duration::from_secs(1_000_000);

/// Are the long suites asked for? A test has a sample otherwise.
fn is_long() -> bool {
    std::env::var_os("OBSIDIAN_LONG").is_some()
}

fn predicted() -> Objective {
    Objective::predicted(Gpu::named("gtx680").unwrap())
}

type Sums = Candidate<Vec<u32>, Vec<u32>>;

/// The sums of runs of 256 of 2^18 elements, each plus 1.
fn job() -> Job<Vec<u32>, Vec<u32>> {
    Job::new((0..1 << 18).collect(), |input: &Vec<u32>| {
        let sum = |run: &[u32]| run.iter().fold(0, |sum: u32, x| sum.wrapping_add(x + 1));
        input.chunks(256).map(sum).collect()
    })
}

/// Each run of 256 has its sum, plus `wrong`; `shares` elements are added up by a thread before the others.
fn sums(shares: u32, threads: u32, wrong: u32) -> Result<Sums> {
    sums_by("sums", shares, threads, wrong)
}

/// The same by a kernel of another name.
fn named(name: &str) -> Result<Sums> {
    sums_by(name, 8, 64, 0)
}

fn sums_by(name: &str, shares: u32, threads: u32, wrong: u32) -> Result<Sums> {
    let kernel = TypedKernel::build(name, threads, |input: DPull<EU32>| {
        input.split_up(256).as_grid_map(move |run| {
            let shared = run
                .map(|x| x + 1)
                .split_up(shares)
                .as_block_map(|share| exec_thread_value(seq_reduce(|a, b| a + b, share)));
            exec_block(
                compute(shared)
                    .map(move |run| fold1(|a, b| a + b, run).map(move |sum| sum + wrong).push()),
            )
        })
    })?;
    Ok(Candidate::of(kernel))
}

fn space() -> Space {
    Space::new()
        .list("shares", [1, 2, 8])
        .powers_of_two("threads", 16..=256)
}

fn candidate(point: &Point) -> Result<Sums> {
    sums(point.u32("shares")?, point.u32("threads")?, 0)
}

/// An exploration by prediction.
fn explore() -> Explore {
    Explore::new(space(), predicted(), job(), candidate)
}

#[test]
fn results_depend_on_the_seed_and_not_on_the_cores() {
    for search in [
        Search::Grid,
        Search::Random { seed: 3 },
        Search::Climb { seed: 3 },
        Search::Halving { seed: 3 },
    ] {
        let run = |workers| {
            explore()
                .search(search)
                .at_most(9)
                .workers(workers)
                .run()
                .unwrap()
        };
        let (one, many) = (run(1), run(7));
        assert_eq!(
            (&one.results, &one.given_up),
            (&many.results, &many.given_up),
            "{search:?}"
        );
        assert!(
            one.evaluations <= 9.0 && one.results.best().is_some(),
            "{search:?}: {} evaluations",
            one.evaluations
        );
    }
    let points = |seed| {
        let explored = explore().search(Search::Random { seed }).run().unwrap();
        explored
            .results
            .evaluated
            .into_iter()
            .map(|evaluated| evaluated.point)
            .collect::<Vec<_>>()
    };
    let (mut some, mut others) = (points(1), points(2));
    assert_ne!(some, others, "seeds decide the order");
    some.sort();
    others.sort();
    assert_eq!(some, others, "and nothing else: each point once");
    assert_eq!(some.len(), 15);
}

#[test]
fn a_search_without_a_budget_finds_the_best() {
    let best = |search| {
        let explored = explore().search(search).run().unwrap();
        let best = explored.results.best().unwrap();
        best.outcome.score().unwrap()
    };
    let least = best(Search::Grid);
    for search in [
        Search::Random { seed: 5 },
        Search::Climb { seed: 5 },
        Search::Halving { seed: 5 },
    ] {
        assert_eq!(best(search), least, "{search:?}");
    }
}

#[test]
fn time_can_be_up() {
    let run = |time| explore().within(time).run().unwrap();
    let none = run(Duration::ZERO);
    assert!(none.results.evaluated.is_empty() && none.results.best().is_none());
    assert_eq!(run(LONG).results.evaluated.len(), 15);
}

#[test]
fn mistakes_in_a_space_say_what_to_do() {
    let wrong = [
        (Space::new().list("threads", []), "`threads` has no values"),
        (
            Space::new().range("depth", 1..=3).list("depth", [1]),
            "two parameters are called `depth`",
        ),
        (
            Space::new().list("threads", [32, 64, 32]),
            "has the value 32 twice",
        ),
        (
            Space::new().range("a", 1..=3000).range("b", 1..=3000),
            "9000000 points",
        ),
        (
            Space::new()
                .range("a", 1..=3)
                .constraint("a is large", |point| Ok(point.u32("a")? > 3)),
            "meets its constraints: a is large",
        ),
        (
            Space::new()
                .range("a", 1..=3)
                .constraint("b", |point| Ok(point.u32("b")? > 3)),
            "no parameter `b`; it has `a`",
        ),
        (
            Space::new()
                .choice("a", ["x"])
                .constraint("a", |point| Ok(point.u32("a")? > 3)),
            "read it with `word`",
        ),
    ];
    for (space, words) in wrong {
        let error = space.points().unwrap_err();
        assert!(
            error.kind() == ErrorKind::Space && error.to_string().contains(words),
            "{error}"
        );
    }
    assert_eq!(Space::new().points().unwrap().len(), 1);
    let explored = Explore::new(Space::new(), predicted(), job(), |_| sums(8, 32, 0))
        .run()
        .unwrap();
    assert_eq!(explored.results.evaluated.len(), 1);
}
