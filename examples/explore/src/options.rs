//! What can be said on the command line, and what is done with it.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use obsidian_rt::explore::{Bar, Candidate, Explore, Explored, Gpu, Objective, Outcome, Point, Search, Space};
use obsidian_rt::{Device, Result};

/// How a space is explored.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The GPU to predict the cost for
    #[arg(long, default_value = "gtx680")]
    gpu: String,
    /// Measure the time on the device of OBSIDIAN_DEVICE instead, which has to run kernels that are built now
    #[arg(long)]
    measure: bool,
    /// Blocks to count for a prediction, or repeats of a measurement
    #[arg(long)]
    effort: Option<u32>,
    /// Which candidates are tried
    #[arg(long, value_enum, default_value = "grid")]
    search: Kind,
    /// Decides what is random in a search
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Evaluations at most
    #[arg(long)]
    budget: Option<usize>,
    /// Seconds at most
    #[arg(long)]
    seconds: Option<u64>,
    /// Seconds for one candidate
    #[arg(long, default_value_t = 60)]
    time_out: u64,
    /// A file for the results as they come; a run that was killed goes on from it
    #[arg(long)]
    out: Option<PathBuf>,
    /// How many of the best to show
    #[arg(long, default_value_t = 10)]
    top: usize,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Kind {
    Grid,
    Random,
    Climb,
    Halving,
}

impl Options {
    /// Explores a space, with a progress bar, and prints the best.
    ///
    /// # Errors
    /// What the exploration reports.
    pub fn explore(&self, space: Space, build: impl Fn(&Point) -> Result<Candidate> + Send + Sync + 'static) -> Result<()> {
        let mut bar = Bar::new();
        let mut explore = Explore::new(space, self.objective()?, build)
            .search(self.search())
            .time_out(Duration::from_secs(self.time_out))
            .on_progress(move |progress| bar.show(progress));
        if let Some(budget) = self.budget {
            explore = explore.at_most(budget);
        }
        if let Some(seconds) = self.seconds {
            explore = explore.within(Duration::from_secs(seconds));
        }
        if let Some(file) = &self.out {
            explore = explore.file(file);
        }
        self.print(&explore.run()?);
        Ok(())
    }

    fn objective(&self) -> Result<Objective> {
        let objective = if self.measure { Objective::measured(Device::best()?) } else { Objective::predicted(Gpu::named(&self.gpu)?) };
        Ok(match self.effort {
            Some(effort) => objective.with_effort(effort),
            None => objective,
        })
    }

    fn search(&self) -> Search {
        let seed = self.seed;
        match self.search {
            Kind::Grid => Search::Grid,
            Kind::Random => Search::Random { seed },
            Kind::Climb => Search::Climb { seed },
            Kind::Halving => Search::Halving { seed },
        }
    }

    fn print(&self, explored: &Explored) {
        let results = &explored.results;
        println!("{}", results.objective);
        for evaluated in results.ranked().iter().take(self.top) {
            println!("{:10.3} us  {}", evaluated.outcome.score().unwrap_or(f64::NAN) * 1e6, evaluated.point);
        }
        let mut bad = [0, 0];
        for evaluated in &results.evaluated {
            match &evaluated.outcome {
                Outcome::Good { .. } => {}
                Outcome::NotBuilt(_) => bad[0] += 1,
                Outcome::Failed(reason) => {
                    bad[1] += 1;
                    println!("failed: {}: {reason}", evaluated.point);
                }
            }
        }
        let Explored { evaluations, resumed, seconds, .. } = explored;
        println!("{} not built, {} failed; {evaluations} evaluations, {resumed} of the tries from the file; {seconds:.2} s", bad[0], bad[1]);
    }
}
