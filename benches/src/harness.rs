//! Takes turns between functions that compute the same, and compares their times within a round.
//!
//! The machine may be busy, so the CPU time of the process is compared first: what other processes
//! do is not in it. The ratios are medians over rounds.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// What one function took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// CPU time of all threads.
    pub cpu: Duration,
    /// Time on the wall.
    pub wall: Duration,
}

/// What to do with a candidate's function.
#[derive(Clone, Copy)]
enum Turn {
    Check,
    Time,
}

/// One way to compute the result of a case.
pub struct Candidate<'a> {
    name: &'static str,
    turn: Box<dyn FnMut(Turn) + 'a>,
}

impl<'a> Candidate<'a> {
    /// A candidate that computes by `run`; `right` says whether a result is right, and is asked
    /// before anything is timed. Timed runs drop their result.
    pub fn new<R: 'a>(
        name: &'static str,
        mut run: impl FnMut() -> R + 'a,
        right: impl Fn(R) -> bool + 'a,
    ) -> Self {
        let turn = move |turn| match turn {
            Turn::Time => drop(black_box(run())),
            Turn::Check => assert!(right(run()), "a result of `{name}` is wrong"),
        };
        Candidate {
            name,
            turn: Box::new(turn),
        }
    }
}

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Turns of each candidate.
    pub rounds: usize,
    /// The least time that a turn takes: what is faster is repeated.
    pub turn: Duration,
}

impl Effort {
    /// For numbers: 30 rounds.
    pub const FULL: Effort = Effort {
        rounds: 30,
        turn: Duration::from_millis(2),
    };
    /// Each candidate is checked and runs once.
    pub const QUICK: Effort = Effort {
        rounds: 1,
        turn: Duration::ZERO,
    };
}

/// The line of a case: the kernel, and each peer compared with it.
#[derive(Debug)]
pub struct Row {
    /// The name of the case.
    pub case: String,
    /// The medians of the kernel.
    pub ours: Times,
    /// Each peer: its name, and the medians over the rounds of its times divided by the kernel's.
    /// Above 1 the kernel takes less.
    pub peers: Vec<(&'static str, [f64; 2])>,
}

/// Checks all candidates, then times them in turns. The first is the kernel.
pub fn compare(case: impl Into<String>, effort: Effort, mut candidates: Vec<Candidate<'_>>) -> Row {
    for candidate in &mut candidates {
        (candidate.turn)(Turn::Check);
    }
    let repeats: Vec<u32> = candidates
        .iter_mut()
        .map(|candidate| repeats(candidate, effort))
        .collect();
    let mut times = vec![Vec::new(); candidates.len()];
    for round in 0..effort.rounds {
        for n in 0..candidates.len() {
            // Each candidate follows each other one equally often.
            let n = (n + round) % candidates.len();
            times[n].push(timed(&mut candidates[n], repeats[n]));
        }
    }
    let ratios = |peer: &[Times], of: fn(&Times) -> Duration| {
        median(
            peer.iter()
                .zip(&times[0])
                .map(|(peer, ours)| of(peer).as_secs_f64() / of(ours).as_secs_f64().max(1e-12)),
        )
    };
    let middle = |of: fn(&Times) -> Duration| {
        Duration::from_secs_f64(median(times[0].iter().map(|t| of(t).as_secs_f64())))
    };
    let peers = candidates.iter().zip(&times).skip(1);
    Row {
        case: case.into(),
        ours: Times {
            cpu: middle(|t| t.cpu),
            wall: middle(|t| t.wall),
        },
        peers: peers
            .map(|(c, times)| {
                (
                    c.name,
                    [ratios(times, |t| t.cpu), ratios(times, |t| t.wall)],
                )
            })
            .collect(),
    }
}

/// How often a candidate runs in a turn.
fn repeats(candidate: &mut Candidate<'_>, effort: Effort) -> u32 {
    let mut repeats = 1;
    while effort.turn > Duration::ZERO && timed(candidate, repeats).wall * repeats < effort.turn {
        repeats *= 2;
    }
    repeats
}

fn timed(candidate: &mut Candidate<'_>, repeats: u32) -> Times {
    let (wall, cpu) = (Instant::now(), cpu_time());
    for _ in 0..repeats {
        (candidate.turn)(Turn::Time);
    }
    Times {
        cpu: (cpu_time() - cpu) / repeats,
        wall: wall.elapsed() / repeats,
    }
}

/// The CPU time of all threads of the process so far.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| format!("{:.*}", digits(time), time.as_secs_f64() * 1e3);
        write!(
            f,
            "| {} | {} | {} |",
            self.case,
            ms(self.ours.cpu),
            ms(self.ours.wall)
        )?;
        let peers = self.peers.iter();
        let peers = peers.map(|(name, [cpu, wall])| format!("{name} {cpu:.2} ({wall:.2})"));
        write!(f, " {} |", peers.collect::<Vec<_>>().join(", "))
    }
}

/// Three digits that say something.
fn digits(time: Duration) -> usize {
    match time.as_micros() {
        0..100 => 5,
        100..10_000 => 2,
        10_000..100_000 => 1,
        _ => 0,
    }
}
