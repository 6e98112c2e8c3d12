//! Who measures rows: this process, or processes that answer requests.

use std::cell::LazyCell;
use std::process::Command;
use std::time::Duration;

use obsidian_rt::prelude::*;

use super::clock::Clock;
use super::comparison;
use super::ours;
use super::{Gpu, How, Outcome, Request, Row};
use crate::worker::{Unanswered, Worker};

/// The device that is measured.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct About {
    /// Its name: `cuda:0`.
    pub(crate) device: String,
    /// Its model.
    pub(crate) model: String,
    /// None: it is no GPU.
    pub(crate) gpu: Option<Gpu>,
}

impl About {
    /// What a device tells.
    pub(crate) fn of(device: &Device) -> About {
        let gpu = device.properties().map(|properties| Gpu {
            driver: properties.driver_version,
            compute_capability: properties.compute_capability,
            multiprocessors: properties.multiprocessors,
            memory: properties.memory_bytes,
        });
        About {
            device: device.name().to_owned(),
            model: device.model().to_owned(),
            gpu,
        }
    }

    /// No device.
    pub(super) fn nothing() -> About {
        About {
            device: "no device".to_owned(),
            model: String::new(),
            gpu: None,
        }
    }

    /// As a line, the fields apart by tabs.
    pub(crate) fn line(&self) -> String {
        let About { device, model, gpu } = self;
        let gpu = gpu.map_or_else(String::new, |gpu| {
            let (major, minor) = gpu.compute_capability;
            let Gpu {
                driver,
                multiprocessors,
                memory,
                ..
            } = gpu;
            format!("\t{driver}\t{major}\t{minor}\t{multiprocessors}\t{memory}")
        });
        format!("{device}\t{model}{gpu}")
    }

    /// What a line says.
    fn read(line: &str) -> Option<About> {
        let mut fields = line.split('\t');
        let (device, model) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        let numbers: Vec<u64> = fields
            .map(|field| field.parse().ok())
            .collect::<Option<_>>()?;
        let small = |n: u64| u32::try_from(n).ok();
        let gpu = match numbers[..] {
            [] => None,
            [driver, major, minor, multiprocessors, memory] => Some(Gpu {
                driver: small(driver)?,
                compute_capability: (small(major)?, small(minor)?),
                multiprocessors: small(multiprocessors)?,
                memory,
            }),
            _ => return None,
        };
        Some(About { device, model, gpu })
    }
}

/// Measures rows of ours.
pub(super) enum Ours {
    /// In this process, each for so long.
    Here(Device, Box<Clock>, Duration),
    /// In another one, which answers within a limit.
    There(Box<Worker>, Duration),
}

impl Ours {
    /// In this process.
    pub(super) fn here(device: &Device, each: Duration) -> Result<Ours, Error> {
        Ok(Ours::Here(
            device.clone(),
            Box::new(Clock::new(device)?),
            each,
        ))
    }

    /// By `gpu-check --serve`.
    pub(super) fn there(how: &How) -> Ours {
        Ours::There(Box::new(crate::served(how.limits)), how.limits.row)
    }

    /// The device, or why nothing can be measured.
    pub(super) fn about(&mut self) -> Result<About, String> {
        match self {
            Ours::Here(device, ..) => Ok(About::of(device)),
            Ours::There(worker, _) => {
                let greeting = worker.greeting().map_err(|unanswered| unanswered.why)?;
                About::read(&greeting).ok_or_else(|| format!("it says of its device `{greeting}`"))
            }
        }
    }

    pub(super) fn measure(&mut self, request: &Request, left: Duration) -> Row {
        match self {
            Ours::Here(device, clock, each) => ours::measured(clock, device, request, *each),
            Ours::There(worker, limit) => match worker.ask(&request.line(), left.min(*limit)) {
                Ok(line) => {
                    let row = read(request, &line);
                    if matches!(row.outcome, Outcome::Failed(_)) {
                        // The context may be lost.
                        worker.restart();
                    }
                    row
                }
                Err(Unanswered { why, .. }) => request.row(Outcome::Failed(why)),
            },
        }
    }
}

/// Measures rows of others: the program of the comparison.
pub(super) struct Others {
    worker: Worker,
    limit: Duration,
}

impl Others {
    /// The program that was built before, where one is named and can be run; else nvcc compiles it.
    pub(super) fn new(how: &How, about: &About) -> Others {
        let (each, compare) = (how.limits.each, how.compare.clone());
        // Asked when it is needed, and once.
        let prebuilt = LazyCell::new(move || compare.filter(|path| comparison::starts(path)));
        let number = about.device.strip_prefix("cuda:").unwrap_or("0").to_owned();
        let capability = about.gpu.map_or((0, 0), |gpu| gpu.compute_capability);
        let mut program = comparison::Compiled::default();
        let start = move || {
            let mut command = match &*prebuilt {
                Some(path) => Command::new(path),
                None => Command::new(program.path(capability)?),
            };
            command.args([number.clone(), each.as_secs_f64().to_string()]);
            Ok(command)
        };
        Others {
            worker: Worker::new(how.limits.start, start),
            limit: how.limits.row,
        }
    }

    pub(super) fn measure(&mut self, request: &Request, left: Duration) -> Row {
        match self.worker.ask(&request.line(), left.min(self.limit)) {
            Ok(line) => read(request, &line),
            // What cannot be started here has not failed at its work.
            Err(Unanswered { why, for_good }) if for_good => request.row(Outcome::NotRun(why)),
            Err(Unanswered { why, .. }) => request.row(Outcome::Failed(why)),
        }
    }
}

/// The row of an answer, which has to be one to this request.
fn read(request: &Request, line: &str) -> Row {
    match Row::read(line) {
        Some(row) if row.request() == *request => row,
        _ => request.row(Outcome::Failed(format!("the answer was `{line}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_a_line() {
        let gpu = Gpu {
            driver: 13000,
            compute_capability: (9, 0),
            multiprocessors: 132,
            memory: 150_000_000_000,
        };
        for gpu in [None, Some(gpu)] {
            let about = About {
                device: "cuda:0".to_owned(),
                model: "NVIDIA H200".to_owned(),
                gpu,
            };
            assert_eq!(About::read(&about.line()), Some(about));
        }
        assert_eq!(About::read("cuda:0\tmodel\t13000"), None);
    }

    #[test]
    fn an_answer_belongs_to_its_request() {
        let request = Request::new("scan", "CUB DeviceScan", 512);
        let other = Request::new("scan", "CUB DeviceScan", 1024);
        let line = other.row(Outcome::NotRun("x".to_owned())).line();
        assert!(matches!(read(&request, &line).outcome, Outcome::Failed(_)));
        assert_eq!(read(&other, &line).outcome, Outcome::NotRun("x".to_owned()));
    }
}
