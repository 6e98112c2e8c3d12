//! What can be said on the command line, and what is done with it.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use obsidian_rt::Device;
use obsidian_rt::explore::report::{self, Page};
use obsidian_rt::explore::{
    Answer, Bar, Candidate, Explore, Explored, Gpu, Input, Job, Objective, Point, Search, Space,
};

/// How a space is explored.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The GPU to predict the cost for, or a file that describes one [default: gtx680, or with --measure-best the GPU that measures]
    #[arg(long)]
    gpu: Option<String>,
    /// Measure the best of the predicted candidates on the device of OBSIDIAN_DEVICE, and let that decide. A device that is no GPU measures every candidate
    #[arg(long, conflicts_with = "measure")]
    measure_best: bool,
    /// Repeats of a measurement of the best; those that may be equal are measured again, with 4 and 16 times as many
    #[arg(long, default_value_t = 9, requires = "measure_best")]
    repeats: u32,
    /// Measure the time on the device of OBSIDIAN_DEVICE instead, which has to run kernels that are
    /// built now
    #[arg(long)]
    measure: bool,
    /// Blocks to count for a prediction, or repeats of a measurement
    #[arg(long)]
    effort: Option<u32>,
    /// Only the points with this value of a parameter, as in elements=16777216; may be said several
    /// times
    #[arg(long, value_parser = fixed)]
    fix: Vec<(String, String)>,
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
    /// A file for the results as CSV
    #[arg(long)]
    csv: Option<PathBuf>,
    /// A file for the results as JSON
    #[arg(long)]
    json: Option<PathBuf>,
    /// A file for a page with pictures, the CUDA of the best, and why it is the best
    #[arg(long)]
    html: Option<PathBuf>,
    /// Do not compile the best tenth of the predicted candidates; they are by default, where there is a compiler that makes code for the GPU
    #[arg(long)]
    no_compile: bool,
    /// Try candidates in this process. On Unix a worker process does otherwise, and a candidate that crashes or never ends costs that
    #[arg(long)]
    in_process: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Kind {
    Grid,
    Random,
    Climb,
    Halving,
}

/// A parameter and its value.
fn fixed(words: &str) -> Result<(String, String), String> {
    let (name, value) = words
        .split_once('=')
        .ok_or("a parameter, `=`, and a value")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Where a file is or will be, without links as far as they are known.
fn place(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let whole = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    let known = path.canonicalize().ok().or_else(whole);
    known.unwrap_or_else(|| path.to_owned())
}

impl Options {
    /// The same, with another effort where none is given. Of blocks that go through hundreds of
    /// thousands of elements, one is enough to count.
    #[must_use]
    pub fn with_effort(self, effort: u32) -> Self {
        let can_be_less = !self.measure && !matches!(self.search, Kind::Halving);
        Options {
            effort: self.effort.or(Some(effort).filter(|_| can_be_less)),
            ..self
        }
    }

    /// Refuses climbing, which finds no more than random search in a space of this many points a key.
    ///
    /// # Errors
    /// If it was asked for.
    pub fn without_climbing(&self, points: usize) -> Result<(), String> {
        match self.search {
            Kind::Climb => Err(format!(
                "climbing is no better than random search here, as there are {points} points a key at most; take `--search halving`, or `grid`"
            )),
            _ => Ok(()),
        }
    }

    /// The largest value of a parameter that `--fix` leaves; 0 if it leaves none.
    pub fn largest(&self, parameter: &str, values: &[u32]) -> u32 {
        let is_left = |value: &&u32| {
            let mut fixed = self.fix.iter().filter(|(name, _)| name == parameter);
            fixed.all(|(_, fixed)| *fixed == value.to_string())
        };
        values.iter().filter(is_left).max().copied().unwrap_or(0)
    }

    /// Explores a space, with a progress bar, prints the best, and writes the reports.
    ///
    /// # Errors
    /// What the exploration reports, and files that cannot be written.
    pub fn explore<I: Input, A: Answer>(
        &self,
        title: &str,
        space: Space,
        job: impl Fn(&Point) -> obsidian_rt::Result<Job<I, A>> + Send + 'static,
        build: impl Fn(&Point) -> obsidian_rt::Result<Candidate<I, A>> + Send + Sync + 'static,
    ) -> Result<(), Box<dyn Error>> {
        self.files_can_be_written()?;
        let mut bar = Bar::new();
        let space = self.fix.iter().fold(space, |space, (name, value)| {
            let (name, value) = (name.clone(), value.clone());
            space.constraint(&format!("{name}={value}"), move |point| {
                Ok(point.value(&name)?.to_string() == value)
            })
        });
        let mut explore = Explore::by_key(space, self.objective()?, job, build)
            .search(self.search())
            .time_out(Duration::from_secs(self.time_out))
            .on_progress(move |progress| bar.show(progress));
        if self.measure_best {
            let by = Objective::measured(Device::best()?).with_effort(self.repeats);
            explore = explore.measured(by);
        }
        if !self.no_compile {
            explore = explore.compiled();
        }
        if let Some(budget) = self.budget {
            explore = explore.at_most(budget);
        }
        if let Some(seconds) = self.seconds {
            explore = explore.within(Duration::from_secs(seconds));
        }
        if let Some(file) = &self.out {
            explore = explore.file(file);
        }
        #[cfg(unix)]
        if !self.in_process {
            explore = explore.isolated();
        }
        self.report(title, &explore.run()?)
    }

    /// Looks whether the files of the reports can be written, before hours of work.
    fn files_can_be_written(&self) -> Result<(), Box<dyn Error>> {
        let files = [
            ("--out", &self.out),
            ("--csv", &self.csv),
            ("--json", &self.json),
            ("--html", &self.html),
        ];
        let mut names: Vec<(&str, PathBuf)> = Vec::new();
        for (option, path) in files {
            let Some(path) = path else { continue };
            let name = place(path);
            if let Some((other, _)) = names.iter().find(|(_, known)| *known == name) {
                return Err(format!(
                    "{other} and {option} are the same file, {}: one would replace the other; name two",
                    path.display()
                )
                .into());
            }
            names.push((option, name));
        }
        for path in [&self.csv, &self.json, &self.html].into_iter().flatten() {
            let new = !path.exists();
            fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(path)
                .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
            if new {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    fn objective(&self) -> obsidian_rt::Result<Objective> {
        let objective = if self.measure {
            Objective::measured(Device::best()?)
        } else {
            Objective::predicted(self.description()?)
        };
        Ok(match self.effort {
            Some(effort) => objective.with_effort(effort),
            None => objective,
        })
    }

    fn description(&self) -> obsidian_rt::Result<Gpu> {
        match &self.gpu {
            Some(gpu) if Path::new(gpu).is_file() => Gpu::read(gpu),
            Some(gpu) => Gpu::named(gpu),
            None if self.measure_best => {
                let device = Device::best()?;
                match device.properties() {
                    Some(_) => Gpu::of(&device),
                    // It measures every candidate, and no description is used.
                    None => Gpu::named("gtx680"),
                }
            }
            None => Gpu::named("gtx680"),
        }
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

    /// Prints the table, and writes the files that are asked for.
    fn report(&self, title: &str, explored: &Explored) -> Result<(), Box<dyn Error>> {
        let results = &explored.results;
        // Shells set it for their own use only; a wide terminal is the most common one otherwise.
        let width = std::env::var("COLUMNS")
            .ok()
            .and_then(|columns| columns.parse().ok())
            .unwrap_or(120);
        print!("{}", report::table(results, self.top, width));
        let Explored {
            evaluations,
            resumed,
            seconds,
            ..
        } = explored;
        println!("{evaluations} evaluations, {resumed} of the tries from the file, {seconds:.2} s");
        let page = || report::page(results, &Page::of(title, results));
        for (path, text) in [
            (&self.csv, report::csv(results)),
            (&self.json, report::json(results)),
            (&self.html, page()),
        ] {
            if let Some(path) = path {
                fs::write(path, text)
                    .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
                println!("{}", path.display());
            }
        }
        for (key, results) in results.by_key() {
            if results.best().is_none() {
                return Err(format!("no candidate is good {key}").trim_end().into());
            }
        }
        Ok(())
    }
}
