//! Measurements: candidates of a group take turns on the device, between two events each.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::evaluate::{Evaluator, Lost, Tried};
use super::guard::Guard;
use super::observe::Observed;
use super::result::{Checked, Needs, Outcome, Stages};
use crate::backend::{Kept, Memory};
use crate::device::Device;
use crate::error::{Error, ErrorKind, Result};

/// A candidate whose answer is right, ready to be timed.
pub(super) struct Ready {
    observed: Observed,
    /// What the device has made of the steps.
    kept: Kept,
    pub(super) needs: Option<Needs>,
    pub(super) key: u64,
    /// Holds the arrays of the job, which the record only borrows: dropped after it.
    evaluator: Arc<Evaluator>,
}

impl Ready {
    pub(super) fn new(observed: Observed, key: u64, evaluator: Arc<Evaluator>) -> Self {
        let needs = observed.launches().next().map(|launch| Needs {
            blocks: launch
                .limit
                .map_or(launch.blocks, |limit| limit.min(launch.blocks))
                .into(),
            ..Needs::of(&launch.kernel)
        });
        Ready {
            observed,
            kept: None,
            needs,
            key,
            evaluator,
        }
    }

    /// Does the whole job once and compares the answer; then warms the device up.
    pub(super) fn begin(&mut self, device: &Device, warm_up: u32) -> Result<()> {
        self.spoil(device)?;
        self.once(device)?;
        self.check(device, "")?;
        (0..warm_up).try_for_each(|_| self.once(device))?;
        // What stays of this is wrong, and not what a launch that does nothing would leave.
        self.spoil(device)?;
        device.synchronize()
    }

    fn spoil(&mut self, device: &Device) -> Result<()> {
        let job = Arc::clone(self.evaluator.job());
        self.observed
            .spoil(device.backend(), &job, &BTreeSet::new())
    }

    fn once(&mut self, device: &Device) -> Result<()> {
        let Observed { steps, arrays, .. } = &mut self.observed;
        let mut lent: Vec<&mut Memory> = arrays.iter_mut().collect();
        device.backend().replay(steps, &mut lent, &mut self.kept)
    }

    fn check(&self, device: &Device, when: &str) -> Result<()> {
        device.synchronize()?;
        match self
            .observed
            .compare(device.backend(), self.evaluator.job())?
        {
            None => Ok(()),
            Some(wrong) => {
                let message = format!("{when}it {wrong}");
                Err(Error::new(ErrorKind::WrongAnswer, message))
            }
        }
    }

    /// The seconds of one repeat.
    fn seconds(&mut self, device: &Device) -> Result<f64> {
        let start = device.record_event()?;
        self.once(device)?;
        Ok(device.record_event()?.since(&start)?.as_secs_f64())
    }
}

/// A candidate while it is timed.
pub(super) struct Timed {
    ready: Option<Ready>,
    needs: Option<Needs>,
    key: u64,
    /// Seconds, by repeat.
    times: Vec<f64>,
    repeats: usize,
    /// Why it cannot be timed any more.
    failure: Option<Tried>,
    /// Was that reported?
    reported: bool,
}

impl Timed {
    pub(super) fn new(ready: Ready, repeats: u32) -> Self {
        Timed {
            needs: ready.needs,
            key: ready.key,
            ready: Some(ready),
            times: Vec::new(),
            repeats: repeats as usize,
            failure: None,
            reported: false,
        }
    }

    pub(super) fn wants_more(&self) -> bool {
        !self.reported && self.failure.is_none() && self.times.len() < self.repeats
    }

    /// What has to be reported at once: it has taken the device with it, or may still be under way.
    pub(super) fn alarm(&mut self) -> Option<Tried> {
        let tried = self.failure.take_if(|tried| tried.lost || tried.late)?;
        self.reported = true;
        Some(tried)
    }

    /// Times it once. The work goes to the guard's thread and comes back; what it does not give back is lost.
    pub(super) fn turn(&mut self, guard: &mut Guard, device: &Device, limit: Duration) {
        self.on_thread(guard, device, limit, |ready, device| {
            ready.seconds(device).map(Some)
        });
    }

    /// Looks at the answer of the last repeat.
    pub(super) fn end(&mut self, guard: &mut Guard, device: &Device, limit: Duration) {
        if self.failure.is_none() && !self.reported {
            self.on_thread(guard, device, limit, |ready, device| {
                ready.check(device, "after its last repeat ").map(|()| None)
            });
        }
    }

    fn on_thread(
        &mut self,
        guard: &mut Guard,
        device: &Device,
        limit: Duration,
        work: impl FnOnce(&mut Ready, &Device) -> Result<Option<f64>> + Send + 'static,
    ) {
        let (Some(mut ready), device) = (self.ready.take(), device.clone()) else {
            return;
        };
        let done = guard.call(limit, move || {
            let time = work(&mut ready, &device)?;
            Ok::<_, Error>((time, ready))
        });
        let tried = match done {
            Ok(Ok((time, ready))) => {
                self.times.extend(time);
                self.ready = Some(ready);
                return;
            }
            Ok(Err(error)) => Tried::of_error(&error),
            Err(lost) => Lost::of(&lost),
        };
        self.failure = Some(tried.with(self.needs, self.key));
    }

    /// What came of it; none if that was reported.
    pub(super) fn finish(mut self) -> Option<Tried> {
        if self.reported || self.failure.is_some() {
            return self.failure;
        }
        self.times.sort_by(f64::total_cmp);
        let quartile = |quarters: usize| quantile(&self.times, quarters);
        let outcome = Outcome::Good {
            score: quartile(2),
            noise: (quartile(3) - quartile(1)) / 2.0,
            interval: interval(&self.times),
            checked: Checked::Whole,
            counts: None,
            counted_blocks: 0,
            detail: Vec::new(),
            compiled: Vec::new(),
            stages: Stages {
                measured: Some(quartile(2)),
                ..Stages::default()
            },
        };
        Some(Tried::of(outcome).with(self.needs, self.key))
    }
}

/// A quartile of sorted numbers, between the two nearest ones; 0 of none.
fn quantile(sorted: &[f64], quarters: usize) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return 0.0;
    };
    let (place, rest) = (last * quarters / 4, (last * quarters % 4) as f64 / 4.0);
    let (low, high) = (sorted[place], sorted[(place + 1).min(last)]);
    low + (high - low) * rest
}

/// A 95 % confidence interval of the median of what sorted numbers are a sample of, by order statistics: it needs no assumption about how they are
/// distributed. None for fewer than 6 numbers, of which no two are so certain.
pub(super) fn interval(sorted: &[f64]) -> Option<(f64, f64)> {
    let n = sorted.len();
    // The chance that fewer than `k` of `n` are below the median is that of fewer than `k` heads.
    // By logarithms: half to the power of 1,075 is no f64 any more.
    let (mut chance, mut below, mut least) = (n as f64 * 0.5f64.ln(), 0.0, None);
    for k in 0..n / 2 {
        below += chance.exp();
        if below > 0.025 {
            break;
        }
        least = Some(k);
        chance += ((n - k) as f64 / (k + 1) as f64).ln();
    }
    least.map(|k| (sorted[k], sorted[n - 1 - k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_the_nearest_numbers() {
        assert_eq!(
            [0, 1, 2, 3, 4].map(|quarters| quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], quarters)),
            [1.0, 2.0, 3.0, 4.0, 5.0]
        );
        assert_eq!(
            [0, 1, 2, 3, 4].map(|quarters| quantile(&[1.0, 3.0], quarters)),
            [1.0, 1.5, 2.0, 2.5, 3.0]
        );
        assert_eq!(quantile(&[7.0], 3), 7.0);
        assert_eq!(quantile(&[], 2), 0.0);
    }

    #[test]
    fn intervals_are_those_of_the_tables() {
        let numbers = |n: usize| (1..=n).map(|i| i as f64).collect::<Vec<_>>();
        // Ranks of a 95 % interval of the median (Conover, Practical Nonparametric Statistics).
        for (n, ranks) in [
            (5, None),
            (6, Some((1.0, 6.0))),
            (9, Some((2.0, 8.0))),
            (10, Some((2.0, 9.0))),
            (20, Some((6.0, 15.0))),
            (27, Some((8.0, 20.0))),
        ] {
            assert_eq!(interval(&numbers(n)), ranks, "{n}");
        }
        // Of many, ranks are nearly 0.98 times the square root away from the middle.
        for n in [1_000, 1_100, 3_000, 100_000] {
            let (low, high) = interval(&numbers(n)).unwrap_or_default();
            let away = 0.98 * (n as f64).sqrt();
            let middle = (n as f64 + 1.0) / 2.0;
            assert!((middle - low - away).abs() < 1.5, "{n}: {low}");
            assert_eq!(middle - low, high - middle, "{n}");
        }
    }
}
