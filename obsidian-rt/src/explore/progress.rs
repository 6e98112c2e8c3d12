//! How far an exploration is, for those who wait for it.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::result::Point;

/// The progress of an exploration.
///
/// ```
/// # use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
/// # use obsidian_rt::{TypedKernel, language::*};
/// #
/// # let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
/// # let space = Space::new().list("threads", [32, 64]);
/// # let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
/// #     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
/// #         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
/// #     })?;
/// #     Ok(Candidate::of(kernel))
/// # });
/// use obsidian_rt::explore::Progress;
///
/// let show = |progress: &Progress| println!("{:.0} of {:.0}", progress.done, progress.planned);
/// assert!(exploration.on_progress(show).run()?.results.best().is_some());
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Progress {
    /// Evaluations of full effort that are done, in this run and in those before it; a try with
    /// less effort is a part of one.
    pub done: f64,
    /// Evaluations that there will be at most: the budget, or the whole space. Searches may end
    /// before.
    pub planned: f64,
    /// The best point that was tried with full effort so far, and its score in seconds.
    pub best: Option<(Point, f64)>,
    /// Time since the exploration began, over all runs.
    pub elapsed: Duration,
    /// The time that is left if it goes on like this; none as long as nothing is done.
    pub left: Option<Duration>,
}

/// Shows progress on the standard error: a bar on a terminal, else a line every ten seconds, and
/// one at the end.
///
/// ```
/// # use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
/// # use obsidian_rt::{TypedKernel, language::*};
/// #
/// # let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
/// # let space = Space::new().list("threads", [32, 64]);
/// # let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
/// #     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
/// #         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
/// #     })?;
/// #     Ok(Candidate::of(kernel))
/// # });
/// use obsidian_rt::explore::Bar;
///
/// let mut bar = Bar::new();
/// let explored = exploration.on_progress(move |progress| bar.show(progress)).run()?;
/// assert!(explored.results.best().is_some());
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Debug)]
pub struct Bar {
    bar: Option<ProgressBar>,
    shown: Instant,
    /// A line that was not shown yet, because there was one a short time before.
    waiting: Option<String>,
}

/// Between two lines where there is no terminal.
const SILENCE: Duration = Duration::from_secs(10);

impl Default for Bar {
    fn default() -> Self {
        Bar::new()
    }
}

impl Bar {
    /// A bar that shows nothing yet.
    ///
    /// ```
    /// use obsidian_rt::explore::Bar;
    ///
    /// let _bar = Bar::new(); // shows nothing yet
    /// ```
    pub fn new() -> Self {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
        let bar = std::io::stderr().is_terminal().then(|| ProgressBar::new(0));
        if let (Some(bar), Ok(style)) = (&bar, style) {
            bar.set_style(style);
        }
        Bar {
            bar,
            shown: Instant::now(),
            waiting: None,
        }
    }

    /// Shows how far it is. For [`Explore::on_progress`](super::Explore::on_progress).
    ///
    /// ```
    /// # use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
    /// # use obsidian_rt::{TypedKernel, language::*};
    /// #
    /// # let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
    /// # let space = Space::new().list("threads", [32, 64]);
    /// # let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
    /// #     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
    /// #         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
    /// #     })?;
    /// #     Ok(Candidate::of(kernel))
    /// # });
    /// let mut bar = obsidian_rt::explore::Bar::new();
    /// let explored = exploration.on_progress(move |progress| bar.show(progress)).run()?;
    /// assert!(explored.results.best().is_some());
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn show(&mut self, progress: &Progress) {
        let words = words(progress);
        if let Some(bar) = &self.bar {
            bar.set_length(progress.planned as u64);
            bar.set_position(progress.done as u64);
            bar.set_message(words);
            return;
        }
        self.waiting = Some(format!(
            "{:.0}/{:.0} {words}",
            progress.done, progress.planned
        ));
        if self.shown.elapsed() >= SILENCE {
            self.write();
        }
    }

    fn write(&mut self) {
        self.shown = Instant::now();
        // Nobody is there to be told that the standard error is gone.
        let _ = self
            .waiting
            .take()
            .map(|line| writeln!(std::io::stderr(), "{line}"));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        // What is on the terminal stays there.
        self.bar.iter().for_each(ProgressBar::abandon);
        self.write();
    }
}

/// The time left and the best so far, which is cut off first where the terminal is narrow.
fn words(progress: &Progress) -> String {
    let best = progress
        .best
        .as_ref()
        .map_or("nothing yet".to_owned(), |(point, score)| {
            format!("{}: {point}", seconds(*score))
        });
    let left = progress.left.map_or(String::new(), |left| {
        format!("{} s left, ", left.as_secs_f64().ceil())
    });
    format!("{left}best {best}")
}

/// A time with three digits and a unit.
fn seconds(time: f64) -> String {
    let (scale, unit) = match time {
        _ if time >= 1.0 => (1.0, "s"),
        _ if time >= 1e-3 => (1e3, "ms"),
        _ if time >= 1e-6 => (1e6, "us"),
        _ => (1e9, "ns"),
    };
    format!("{:.3} {unit}", time * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_say_the_best_and_the_time_left() {
        let point = Point {
            values: vec![("threads".to_owned(), 64u32.into())],
        };
        let left = Some(Duration::from_millis(1500));
        let mut progress = Progress {
            done: 1.0,
            planned: 3.0,
            best: None,
            elapsed: Duration::from_secs(1),
            left,
        };
        assert_eq!(words(&progress), "2 s left, best nothing yet");
        (progress.best, progress.left) = (Some((point, 0.001_25)), None);
        assert_eq!(words(&progress), "best 1.250 ms: threads=64");
        assert_eq!(
            [2.0, 2e-6, 2e-9].map(seconds),
            ["2.000 s", "2.000 us", "2.000 ns"]
        );
    }
}
