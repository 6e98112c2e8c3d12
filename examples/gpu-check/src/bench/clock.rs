//! The time of launches: by events of a GPU, else by a clock of the host that never goes back.
//!
//! Events on a GPU mark when it came to them. So that what the host does meanwhile is not in the
//! time between two of them (asking for a launch, and for the memory of its results), a kernel that
//! takes time goes first: the launches are all in the queue when the first event is reached.
//! Whether they were is asked for, and the kernel takes longer if they were not.

use std::any::Any;
use std::time::{Duration, Instant};

use obsidian_rt::Result;
use obsidian_rt::prelude::*;

use super::ceilings::ceilings;

/// What a launch has made, and has to be there until the time is taken: giving memory back waits
/// for the GPU.
pub(super) type Kept = Box<dyn Any>;

/// Asks for one launch, or for the few of a program.
pub(super) type Launch = Box<dyn FnMut() -> Result<Kept>>;

/// The time between two events that is worth measuring: launches that take less are measured
/// several at once.
const WORTH: Duration = Duration::from_millis(1);

/// The most launches that are measured at once.
const MOST_AT_ONCE: usize = 16;

/// The numbers of measurements, at least and at most.
const LEAST: usize = 3;
const MOST: usize = 50;

/// Rounds of the kernel that takes time, at first and at most: from a few tenths of a millisecond
/// to some tens.
const FIRST_ROUNDS: u32 = 1 << 16;
const MOST_ROUNDS: u32 = 1 << 24;

/// Seconds of a launch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Times {
    /// The median of the measurements.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The largest.
    pub most: f64,
    /// How many measurements there are.
    pub measurements: usize,
    /// Launches of one measurement, of which each has its share of the time.
    pub launches: usize,
    /// Is work of the host in it? On the CPU and the simulator it always is; on a GPU it should not
    /// be.
    pub with_host: bool,
}

/// Measures on one device.
pub(super) struct Clock {
    device: Device,
    /// On a GPU: what the kernel that takes time begins with, and its rounds.
    delay: Option<(Buffer<u32>, u32)>,
}

impl Clock {
    pub(super) fn new(device: &Device) -> Result<Clock> {
        let delay = match device.properties() {
            Some(_) => Some((device.upload(&[1])?, FIRST_ROUNDS)),
            None => None,
        };
        Ok(Clock {
            device: device.clone(),
            delay,
        })
    }

    /// Measures for about so long, and three times at least, after two launches that do not count.
    pub(super) fn measure(&mut self, launch: &mut Launch, limit: Duration) -> Result<Times> {
        self.together(launch, 1)?;
        let (one, _) = self.together(launch, 1)?;
        let launches = WORTH.as_nanos() / one.as_nanos().max(1);
        let launches = usize::try_from(launches)
            .unwrap_or(MOST_AT_ONCE)
            .clamp(1, MOST_AT_ONCE);
        let (start, mut seconds, mut with_host) = (Instant::now(), Vec::new(), false);
        while seconds.len() < LEAST || (seconds.len() < MOST && start.elapsed() < limit) {
            let (time, queued) = self.together(launch, launches)?;
            if !queued && self.lengthen() {
                continue;
            }
            with_host |= !queued;
            seconds.push(time.as_secs_f64() / launches as f64);
        }
        Ok(Times::of(seconds, launches, with_host))
    }

    /// The time of so many launches; and were all in the queue when the first began?
    fn together(&self, launch: &mut Launch, launches: usize) -> Result<(Duration, bool)> {
        let delayed = match &self.delay {
            Some((seed, rounds)) => Some(ceilings::delay::launch(&self.device, *rounds, seed)?),
            None => None,
        };
        let start = self.device.record_event()?;
        let kept = (0..launches)
            .map(|_| launch())
            .collect::<Result<Vec<_>>>()?;
        let end = self.device.record_event()?;
        let queued = !start.is_done()?;
        let time = end.since(&start)?;
        drop((delayed, kept));
        Ok((time, queued))
    }

    /// Makes the kernel that takes time take more of it. False where there is none, or it is long
    /// enough.
    fn lengthen(&mut self) -> bool {
        match &mut self.delay {
            Some((_, rounds)) if *rounds < MOST_ROUNDS => {
                *rounds *= 4;
                true
            }
            _ => false,
        }
    }
}

impl Times {
    /// At least one number of seconds.
    fn of(mut seconds: Vec<f64>, launches: usize, with_host: bool) -> Times {
        seconds.sort_by(f64::total_cmp);
        let at = |n: usize| seconds.get(n).copied().unwrap_or(f64::NAN);
        let last = seconds.len().saturating_sub(1);
        let median = (at(last / 2) + at(last.div_ceil(2))) / 2.0;
        Times {
            median,
            least: at(0),
            most: at(last),
            measurements: seconds.len(),
            launches,
            with_host,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let times = |seconds: &[f64]| Times::of(seconds.to_vec(), 1, false);
        assert_eq!(
            times(&[3.0, 1.0, 2.0]),
            Times {
                median: 2.0,
                least: 1.0,
                most: 3.0,
                measurements: 3,
                launches: 1,
                with_host: false
            }
        );
        assert_eq!(times(&[4.0, 1.0, 2.0, 9.0]).median, 3.0);
    }

    #[test]
    fn short_launches_are_measured_together_and_long_ones_alone() -> Result<()> {
        let device = Device::cpu();
        let mut clock = Clock::new(&device)?;
        let mut short: Launch = Box::new(|| Ok(Box::new(())));
        let times = clock.measure(&mut short, Duration::ZERO)?;
        assert_eq!(
            (times.launches, times.measurements, times.with_host),
            (MOST_AT_ONCE, LEAST, true)
        );
        let mut long: Launch = Box::new(|| {
            std::thread::sleep(2 * WORTH);
            Ok(Box::new(()))
        });
        let times = clock.measure(&mut long, Duration::from_millis(40))?;
        assert!(
            times.launches == 1 && times.least >= 0.002 && times.measurements > LEAST,
            "{times:?}"
        );
        Ok(())
    }
}
