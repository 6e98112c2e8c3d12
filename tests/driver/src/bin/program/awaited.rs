//! Events that are awaited.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use obsidian_rt::{Result, prelude::*};

use crate::driver::{self, count};
use crate::kernels::{numbers, sums, sums_of_64};

/// An executor of one task: the thread sleeps until the task is woken.
pub fn block_on<F: Future>(task: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let mut task = pin!(task);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match task.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// Counts how often a task was woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Woken {
    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

fn poll(event: &mut Event, woken: &Arc<Woken>) -> Poll<Result<()>> {
    let waker = Waker::from(Arc::clone(woken));
    Pin::new(event).poll(&mut Context::from_waker(&waker))
}

fn say(line: &str) -> String {
    driver::say(line).unwrap_or_else(|words| panic!("{line}: {words}"))
}

/// The next answer of a function of the driver is a code.
fn fail_next(call: &str, code: i32) {
    say(&format!("fail {call} {} {code}", count(call) + 1));
}

/// Waits until something holds, for which another thread cares.
fn until(holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20));
        thread::sleep(Duration::from_millis(1));
    }
}

/// Events that are reached, that are not reached yet, and that are never reached.
pub fn everything() -> Result<()> {
    let device = Device::cuda(0)?;
    reached(&device)?;
    later(&device)?;
    of_failed_work(&device)
}

/// A task with launches on two streams.
fn reached(device: &Device) -> Result<()> {
    let elements = numbers(64 * 5);
    let sums = block_on(async {
        let stream = device.stream()?;
        let input = device.upload(&elements)?;
        let sums = sums::sums_of_64::launch(stream.device(), &input)?;
        stream.record_event()?.await?;
        device.record_event()?.await?;
        sums.to_vec()
    });
    assert_eq!(sums?, sums_of_64(&elements));
    Ok(())
}

/// An event that is not reached when it is polled: one thread waits for both of its clones, and wakes each task once.
fn later(device: &Device) -> Result<()> {
    let mut events = [device.record_event()?, device.record_event()?];
    events[1] = events[0].clone();
    let woken = [Arc::<Woken>::default(), Arc::default()];
    let waits = count("cuEventSynchronize");
    say("hold cuEventSynchronize");
    // A task that is polled again before it is woken is woken once all the same.
    for which in [0, 1, 0] {
        fail_next("cuEventQuery", 600);
        assert!(poll(&mut events[which], &woken[which]).is_pending());
    }
    until(|| say("held") == "true");
    let queries = count("cuEventQuery");
    thread::sleep(Duration::from_millis(50));
    // Nobody asks the driver meanwhile.
    assert_eq!(
        (count("cuEventQuery"), count("cuEventSynchronize")),
        (queries, waits)
    );
    assert_eq!((woken[0].count(), woken[1].count()), (0, 0));
    say("go");
    until(|| woken[0].count() + woken[1].count() == 2);
    assert_eq!((woken[0].count(), woken[1].count()), (1, 1));
    assert_eq!(count("cuEventSynchronize"), waits + 1);
    for (event, woken) in events.iter_mut().zip(&woken) {
        assert!(matches!(poll(event, woken), Poll::Ready(Ok(()))));
    }
    // The executor sleeps, and is woken by the same thread.
    fail_next("cuEventQuery", 600);
    block_on(device.record_event()?)
}

/// A failure that is found while a task waits, and one that is found at once.
fn of_failed_work(device: &Device) -> Result<()> {
    let (mut event, woken) = (device.record_event()?, Arc::<Woken>::default());
    say("hold cuEventSynchronize");
    fail_next("cuEventQuery", 600);
    assert!(poll(&mut event, &woken).is_pending());
    until(|| say("held") == "true");
    fail_next("cuEventSynchronize", 1);
    say("go");
    until(|| woken.count() == 1);
    let found = |error: Option<obsidian_rt::Error>| {
        error.map(|error| (error.driver_call().map(str::to_owned), error.driver_code()))
    };
    let failed = block_on(event).err();
    assert_eq!(
        found(failed),
        Some((Some("cuEventSynchronize".to_owned()), Some(1)))
    );
    fail_next("cuEventQuery", 999);
    let failed = block_on(device.record_event()?).err();
    assert_eq!(
        found(failed),
        Some((Some("cuEventQuery".to_owned()), Some(999)))
    );
    Ok(())
}
