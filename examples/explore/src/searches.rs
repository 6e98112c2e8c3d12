//! Searches against random search, with the same budget and the same seeds: how far what they find is from the best of the grid.
//!
//! `cargo run --release -p explore -- searches` prints it. Median regret over all keys and 100 seeds, on the GTX 680 and, of the sums in tiles and the scans in registers, on
//! the H100:
//!
//! | space | budget | random | climbing | halving |
//! |---|---|---|---|---|
//! | 8 sizes of 42 reductions | 5 % of the grid's evaluations | 18.2 % | 18.2 % | 0.4 % |
//! | | 15 % | 4.8 % | 2.0 % | 0 |
//! | | 30 % | 0.6 % | 0 | 0 |
//! | 5 sizes of 30 scans | 5 % | 57 % | 57 % | 18 % |
//! | | 15 % | 38 % | 28 % | 0 |
//! | | 30 % | 18 % | 0 | 0 |
//! | 42 large reductions | 5 % | 12.1 % | 12.1 % | 0.9 % |
//! | | 15 % | 3.3 % | 1.5 % | 0 |
//! | | 30 % | 1.5 % | 0 | 0 |
//! | 42 adaptive reductions | 5 % | 4.2 % | 4.2 % | 0.1 % |
//! | | 15 % | 3.1 % | 3.1 % | 0 |
//! | | 30 % | 0.1 % | 0 | 0 |
//! | 630 large scans | 5 % | 0.2 % | 0 | 0.01 % |
//! | | 15 % | 0.02 % | 0 | 0 |
//! | | 30 % | 0.01 % | 0 | 0 |
//! | 135 sums in tiles | 5 % | 11.6 % | 10.1 % | 0 |
//! | | 15 % | 1.3 % | 0 | 0 |
//! | | 30 % | 0 | 0 | 0 |
//! | 9 lengths of up to 10 scans in registers | 5 % | 15 % | (15 %) | 15 % |
//! | | 15 % | 8.7 % | (8.7 %) | 1.1 % |
//! | | 30 % | 3.9 % | (3.9 %) | 0 |
//! | 5 sizes of 6 pictures | 5 % | 0.1 % | (0.1 %) | 0.1 % |
//! | | 15 % | 0.1 % | (0.1 %) | 0.1 % |
//! | | 30 % | 0.05 % | (0.05 %) | 0 |
//!
//! Pairs of one key and seed agree: at 30 % halving is better than random search in 314 to 686 of the pairs of a space with several keys, in 32 to 89 of one with a single key, and
//! worse in none, at any budget. Climbing is better in 2 to 13 times as many pairs as it is worse at 30 %. In the last two spaces, where a budget is one to three evaluations, it does what
//! random search does, so `explore` does not offer it there.
//! No scan of 16,384 or 32,768 elements in registers can be built; these two of nine lengths count as infinitely far for every search. 5 % are two or three evaluations of most keys, which climbing gives to random starts. An evaluation counts up to 16
//! blocks and a try by one block is a sixteenth of it, so halving tries many times as many candidates; each is built for each try, which the budget does not count.
//!
//! The grid is tried once for each effort that a search asks for. Then the searches go through its scores, which takes no time, so that each is
//! run with many seeds.

use std::collections::BTreeMap;

use obsidian_rt::Result;
use obsidian_rt::explore::{
    Answer, Candidate, Explore, Gpu, Input, Job, Objective, Point, Search, Space,
};

/// Seeds of each search.
pub const SEEDS: u64 = 100;

/// The full effort, and those that halving begins with.
const EFFORTS: [u32; 3] = [1, 4, 16];

/// The scores of a space, by point and effort.
pub struct Scores {
    space: Space,
    scores: BTreeMap<(String, u32), f64>,
    /// The least of each key, by full effort.
    least: BTreeMap<String, f64>,
}

/// How one search does on a space.
#[derive(Clone, Debug)]
pub struct Row {
    /// The search.
    pub name: &'static str,
    /// The median over keys and seeds of the regret: by which part of the best score the score that is found is above it.
    pub median: f64,
    /// The mean of the same.
    pub mean: f64,
    /// Of the pairs with random search, by key and seed: in how many it is better, and in how many worse.
    pub better: usize,
    /// In how many it is worse.
    pub worse: usize,
}

impl Scores {
    /// Tries the grid.
    ///
    /// # Errors
    /// What the exploration reports.
    pub fn of<I: Input, A: Answer>(
        space: &Space,
        gpu: &Gpu,
        job: impl Fn(&Point) -> Result<Job<I, A>> + Clone + Send + 'static,
        build: impl Fn(&Point) -> Result<Candidate<I, A>> + Clone + Send + Sync + 'static,
    ) -> Result<Scores> {
        let (mut scores, mut least) = (BTreeMap::new(), BTreeMap::new());
        for effort in EFFORTS {
            let objective = Objective::predicted(gpu.clone()).with_effort(effort);
            let explore = Explore::by_key(space.clone(), objective, job.clone(), build.clone());
            for (key, results) in explore.run()?.results.by_key() {
                for evaluated in &results.evaluated {
                    if let Some(score) = evaluated.outcome.score() {
                        scores.insert((evaluated.point.to_string(), effort), score);
                    }
                }
                let best = results.best().and_then(|best| best.outcome.score());
                least.insert(key.to_string(), best.unwrap_or(f64::INFINITY));
            }
        }
        Ok(Scores {
            space: space.clone(),
            scores,
            least,
        })
    }

    /// Each search within a part of the evaluations of each key's grid; random search is the first.
    ///
    /// # Errors
    /// What is wrong with the space.
    pub fn rows(&self, part: f64) -> Result<Vec<Row>> {
        let searches: [(&str, fn(u64) -> Search); 3] = [
            ("random", |seed| Search::Random { seed }),
            ("climbing", |seed| Search::Climb { seed }),
            ("halving", |seed| Search::Halving { seed }),
        ];
        let regrets = searches
            .iter()
            .map(|(_, search)| self.regrets(part, *search))
            .collect::<Result<Vec<_>>>()?;
        let row = |(name, regrets_of): (&'static str, &Vec<f64>)| {
            let pairs = || regrets_of.iter().zip(&regrets[0]);
            let mut sorted = regrets_of.clone();
            sorted.sort_by(f64::total_cmp);
            Row {
                name,
                median: sorted[sorted.len() / 2],
                mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
                better: pairs().filter(|(own, random)| own < random).count(),
                worse: pairs().filter(|(own, random)| own > random).count(),
            }
        };
        let names = searches.iter().map(|(name, _)| *name);
        Ok(names.zip(&regrets).map(row).collect())
    }

    /// The regrets of a search by key and seed.
    fn regrets(&self, part: f64, search: fn(u64) -> Search) -> Result<Vec<f64>> {
        let full = EFFORTS[EFFORTS.len() - 1];
        let mut regrets = Vec::new();
        for (key, points) in self.space.points()?.keys() {
            let least = self.least.get(&key.to_string()).copied();
            let budget = (points.len() as f64 * part).ceil();
            for seed in 1..=SEEDS {
                let score = |number: usize, effort: u32| {
                    let name = points.point(number).to_string();
                    self.scores.get(&(name, effort)).copied()
                };
                let found = search(seed).rehearse(&points, full, budget, score);
                let found = found.and_then(|number| score(number, full));
                let regret = found.zip(least).map(|(found, least)| found / least - 1.0);
                regrets.push(regret.unwrap_or(f64::INFINITY));
            }
        }
        Ok(regrets)
    }
}

/// Prints the rows of a space.
///
/// # Errors
/// What is wrong with the space.
pub fn print(name: &str, scores: &Scores) -> Result<()> {
    for part in [0.05, 0.15, 0.3] {
        println!(
            "{name}, {:.0} % of the evaluations of each grid, {SEEDS} seeds",
            100.0 * part
        );
        println!("  search    median regret  mean regret  better than random  worse");
        for row in scores.rows(part)? {
            println!(
                "  {:9} {:11.2} % {:10.2} % {:19} {:6}",
                row.name,
                100.0 * row.median,
                100.0 * row.mean,
                row.better,
                row.worse
            );
        }
    }
    Ok(())
}
