//! Members that are threads of one process.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use super::transport::{Board, Seat};
use super::{Member, gone};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};
use crate::sequence::panicked;

/// Members that are threads of this process, each with a device.
///
/// ```
/// use obsidian_rt::{Device, shard::Threads};
///
/// // The same sum by one member and by three, bit for bit.
/// let sum = |members: usize| {
///     let devices = vec![Device::cpu(); members];
///     let sums = Threads::new(devices).run(|member| {
///         let xs = member.vector(100_000, |range| range.map(|i| 1.0 / (i + 1) as f32).collect())?;
///         member.fold(&xs, |x, y| x + y, 0.0)
///     })?;
///     Ok::<f32, obsidian_rt::Error>(sums[0])
/// };
/// assert_eq!(sum(1)?, sum(3)?);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Threads {
    devices: Vec<Device>,
    patience: Duration,
    cores: Option<usize>,
}

impl Threads {
    /// A member for each of these devices, of which there is at least one. Several may be the same.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// let ranks = Threads::new([Device::cpu(), Device::simulator()]).run(|member| Ok(member.rank()))?;
    /// assert_eq!(ranks, [0, 1]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    pub fn new(devices: impl IntoIterator<Item = Device>) -> Self {
        Threads {
            devices: devices.into_iter().collect(),
            patience: Duration::from_secs(10),
            cores: None,
        }
    }

    /// How long a member waits for another one: 10 seconds without it. A member that computes longer than that between two calls needs more. One that reads a
    /// [sequence](Member::run) is waited for as long as chunks are done; before its first chunk it may have to read text or an iterator up to its part.
    ///
    /// ```
    /// use std::time::Duration;
    /// use obsidian_rt::{Device, ErrorKind, shard::Threads};
    ///
    /// let error = Threads::new(vec![Device::cpu(); 2])
    ///     .patience(Duration::from_millis(50))
    ///     .run(|member| match member.rank() {
    ///         0 => member.barrier(),
    ///         _ => { std::thread::sleep(Duration::from_millis(300)); Ok(()) }
    ///     })
    ///     .unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Member);
    /// ```
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// How many cores the launches of each member on the CPU use, at least 1. Without it, the members share all cores.
    ///
    /// ```
    /// use obsidian_rt::{Device, shard::Threads};
    ///
    /// // One core for each of two members.
    /// let sums = Threads::new(vec![Device::cpu(); 2]).cores(1).run(|member| {
    ///     let xs = member.vector(10_000, |range| range.map(|i| i as u64).collect())?;
    ///     member.fold(&xs, |x, y| x + y, 0)
    /// })?;
    /// assert_eq!(sums, [49_995_000; 2]);
    /// # Ok::<(), obsidian_rt::Error>(())
    /// ```
    #[must_use]
    pub fn cores(mut self, cores: usize) -> Self {
        self.cores = Some(cores.max(1));
        self
    }

    /// Runs `f` in each member, and gives what all give, by their numbers.
    ///
    /// # Errors
    /// The error of a member; a panic of one is an error of the kind [`ErrorKind::Member`]. The others end with it, at their next call.
    ///
    /// ```
    /// use obsidian_rt::{Device, ErrorKind, shard::Threads};
    ///
    /// let error = Threads::new(vec![Device::cpu(); 3])
    ///     .run(|member| {
    ///         assert!(member.rank() != 1, "no more");
    ///         member.barrier()
    ///     })
    ///     .unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Member);
    /// assert!(error.to_string().contains("member 1 panicked: no more"));
    /// ```
    pub fn run<R: Send>(&self, f: impl Fn(&Member<'_>) -> Result<R> + Sync) -> Result<Vec<R>> {
        if self.devices.is_empty() {
            return Err(Error::new(
                ErrorKind::Member,
                "there are no devices, and each is that of a member",
            ));
        }
        let board = Board::new(self.devices.len(), self.patience);
        let results: Vec<Result<R>> = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for (rank, device) in self.devices.iter().enumerate() {
                // The others know that it has ended when its seat is dropped, whatever happens.
                let (board, f) = (board.clone(), &f);
                let seat = Seat { board, rank };
                threads.push(scope.spawn(move || {
                    let run = || {
                        let member = Member::new(seat, device.clone());
                        let run = std::panic::catch_unwind(AssertUnwindSafe(|| f(&member)));
                        run.unwrap_or_else(|panic| Err(ended_by(rank, &*panic)))
                    };
                    match &self.cores {
                        None => run(),
                        Some(cores) => {
                            let pool = rayon::ThreadPoolBuilder::new().num_threads(*cores);
                            let pool = pool.build().map_err(|error| {
                                let message = format!("no threads for member {rank}: {error}");
                                Error::new(ErrorKind::Member, message)
                            })?;
                            pool.install(run)
                        }
                    }
                }));
            }
            let joined = threads.into_iter().enumerate();
            joined
                .map(|(rank, thread)| {
                    thread
                        .join()
                        .unwrap_or_else(|panic| Err(ended_by(rank, &*panic)))
                })
                .collect()
        });
        // Of several errors, the one that is not about another member's end.
        let mut all = Vec::new();
        let mut chosen: Option<Error> = None;
        for result in results {
            match result {
                Ok(value) => all.push(value),
                Err(error) => {
                    let is_better = chosen
                        .as_ref()
                        .is_none_or(|before| gone(before) && !gone(&error));
                    if is_better {
                        chosen = Some(error);
                    }
                }
            }
        }
        chosen.map_or(Ok(all), Err)
    }
}

fn ended_by(rank: usize, panic: &(dyn std::any::Any + Send)) -> Error {
    panicked(ErrorKind::Member, &format!("member {rank}"), panic)
}
