//! The explorer's side: it starts workers, asks them, and finds out which candidate has ended one.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::io::BufReader;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::printed::Printed;
use super::{VARIABLE, internal, of_worker, words};
use crate::error::{Error, ErrorKind, Result};
use crate::explore::evaluate::{Done, Task, Tried};
use crate::explore::result::Outcome;

/// How often a worker says that it is there.
pub(super) const BEAT: Duration = Duration::from_secs(1);

/// How often it is looked whether a worker has ended.
const LOOK: Duration = Duration::from_millis(20);

/// A worker may be silent for the limit of a candidate and so long; then it was stopped, or does not end.
const GRACE: Duration = Duration::from_secs(5);

/// A program may take the limit of a candidate and so long before it comes to the exploration.
const START: Duration = Duration::from_secs(20);

/// How workers are started, and the one that runs.
pub(in crate::explore) struct Workers {
    arguments: Vec<OsString>,
    word: String,
    earlier: Json,
    /// How many candidates are predicted at once.
    at_once: usize,
    /// How long one candidate may take.
    limit: Duration,
    /// The hash of the job of each key, as this process makes it.
    jobs: Mutex<BTreeMap<usize, u64>>,
    running: Mutex<Option<Worker>>,
}

/// A process that answers.
struct Worker {
    child: Child,
    socket: UnixStream,
    answers: Receiver<Json>,
    printed: Printed,
    /// The key that it was told.
    key: Option<usize>,
    next: u64,
}

/// What a worker says, or what becomes of it.
enum Said {
    Answer(Json),
    Ended(Option<ExitStatus>),
    /// Nothing for too long; it was killed.
    Nothing,
}

/// What is asked at once.
#[derive(Clone)]
struct Unit {
    what: &'static str,
    /// Has a process ended already that had nothing else under way?
    again: bool,
    /// With their numbers for the one who asks.
    tasks: Vec<(usize, Task)>,
}

/// An answer to one task.
enum Answer {
    Done(Done),
    Wrong(Option<Tried>),
    Text(Option<String>),
}

impl Workers {
    pub(super) fn new(
        arguments: &[OsString],
        word: String,
        earlier: Vec<Json>,
        at_once: usize,
        limit: Duration,
    ) -> Workers {
        Workers {
            arguments: arguments.to_vec(),
            word,
            earlier: Json::Array(earlier),
            at_once,
            limit,
            jobs: Mutex::default(),
            running: Mutex::new(None),
        }
    }

    /// The job of a key has this hash.
    pub(in crate::explore) fn expect(&self, key: usize, job: u64) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.insert(key, job);
    }

    /// How long a worker may be silent.
    fn silence(&self) -> Duration {
        self.limit.saturating_add(GRACE)
    }

    /// Tries tasks of a key, `together` at a time, until `heard` wants no more.
    pub(in crate::explore) fn evaluate(
        &self,
        key: usize,
        tasks: &[Task],
        together: usize,
        heard: &dyn Fn(usize, Done) -> bool,
    ) -> Result<()> {
        let numbered: Vec<(usize, Task)> = tasks.iter().cloned().enumerate().collect();
        let units = numbered.chunks(together).map(|tasks| Unit {
            what: "try",
            again: false,
            tasks: tasks.to_vec(),
        });
        // Candidates that are measured have the device for themselves.
        let at_once = if together > 1 { 1 } else { self.at_once };
        self.ask(
            key,
            units.collect(),
            at_once,
            &mut |number, answer| match answer {
                Answer::Done(done) => heard(number, done),
                _ => true,
            },
        )
    }

    /// What is wrong with the whole answer of a point.
    pub(in crate::explore) fn check(&self, key: usize, task: &Task) -> Result<Option<Tried>> {
        let mut wrong = None;
        self.one(key, "check", task, &mut |answer| match answer {
            Answer::Wrong(tried) => wrong = tried,
            Answer::Done(Done::Tried(tried)) => wrong = Some(*tried),
            _ => {}
        })?;
        Ok(wrong)
    }

    /// The CUDA text of a point.
    pub(in crate::explore) fn text(&self, key: usize, task: &Task) -> Result<Option<String>> {
        let mut text = None;
        self.one(key, "text", task, &mut |answer| {
            if let Answer::Text(cuda) = answer {
                text = cuda;
            }
        })?;
        Ok(text)
    }

    fn one(
        &self,
        key: usize,
        what: &'static str,
        task: &Task,
        hear: &mut dyn FnMut(Answer),
    ) -> Result<()> {
        let tasks = vec![(0, task.clone())];
        self.ask(
            key,
            VecDeque::from([Unit {
                what,
                again: false,
                tasks,
            }]),
            1,
            &mut |_, answer| {
                hear(answer);
                true
            },
        )
    }

    /// Asks everything, at most `at_once` units at a time; those that may have ended a worker alone.
    fn ask(
        &self,
        key: usize,
        mut queue: VecDeque<Unit>,
        at_once: usize,
        hear: &mut dyn FnMut(usize, Answer) -> bool,
    ) -> Result<()> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let mut suspects: VecDeque<Unit> = VecDeque::new();
        let mut under_way: BTreeMap<u64, Unit> = BTreeMap::new();
        loop {
            if queue.is_empty() && suspects.is_empty() && under_way.is_empty() {
                return Ok(());
            }
            let mut worker = match running.take() {
                // What ended a process is asked again in a new one.
                Some(worker) if worker.next > 0 && alone(&under_way, &suspects) => {
                    worker.killed();
                    self.told(self.start()?, key)?
                }
                Some(worker) if worker.key == Some(key) => worker,
                Some(worker) => self.told(worker, key)?,
                None => self.told(self.start()?, key)?,
            };
            let mut refused = false;
            while under_way.len() < at_once && !refused {
                let is_alone = under_way.is_empty() && !suspects.is_empty();
                let next = if is_alone {
                    suspects.pop_front()
                } else if suspects.is_empty() {
                    queue.pop_front()
                } else {
                    None
                };
                let Some(unit) = next else { break };
                if !worker.asked(&unit, &mut under_way) {
                    // It was gone before it heard of this.
                    refused = true;
                    queue.push_front(unit);
                }
                if is_alone {
                    break;
                }
            }
            match worker.hear(self.silence()) {
                Said::Answer(answer) if answer == "leaves" => {
                    worker.killed();
                    requeue(&mut under_way, &mut queue);
                }
                Said::Answer(answer) if answer["error"].is_string() => {
                    let message = answer["error"].as_str().unwrap_or_default().to_owned();
                    worker.killed();
                    return Err(of_worker(message));
                }
                Said::Answer(answer) => {
                    let goes_on = heard(&answer, &mut under_way, hear)?;
                    if !goes_on {
                        // What is under way is not wanted any more.
                        worker.killed();
                        return Ok(());
                    }
                    *running = Some(worker);
                }
                Said::Ended(status) => {
                    let outcome = of_status(status);
                    blame(&outcome, &mut under_way, &mut suspects, hear);
                }
                Said::Nothing => {
                    let words = format!(
                        "its process was stopped or did not end: it said nothing for {} s, and was killed",
                        self.silence().as_secs_f64()
                    );
                    blame(&Outcome::Bad(words), &mut under_way, &mut suspects, hear);
                }
            }
        }
    }

    fn start(&self) -> Result<Worker> {
        let failed = |error: std::io::Error| {
            let message = format!("a worker process could not be started: {error}");
            Error::new(ErrorKind::File, message)
        };
        let (socket, theirs) = UnixStream::pair().map_err(failed)?;
        let (output, theirs_to_print) = std::io::pipe().map_err(failed)?;
        let child = Command::new(program().map_err(failed)?)
            .args(&self.arguments)
            .env(VARIABLE, &self.word)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(theirs_to_print.try_clone().map_err(failed)?)
            .stderr(theirs_to_print)
            // It is killed with what it has started.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let (give, answers) = channel();
        let reader = socket.try_clone().map_err(failed)?;
        thread::spawn(move || {
            let mut reader = BufReader::new(reader);
            while let Ok(answer) = words::read(&mut reader) {
                if give.send(answer).is_err() {
                    break;
                }
            }
        });
        let mut worker = Worker {
            child,
            socket,
            answers,
            printed: Printed::of(output),
            key: None,
            next: 0,
        };
        // If it is gone, it is heard of below.
        let _ = words::write(&mut worker.socket, &self.earlier);
        let limit = self.limit.saturating_add(START);
        let why = match worker.hear(limit) {
            Said::Answer(here) if here == "here" => return Ok(worker),
            Said::Answer(answer) if answer["error"].is_string() => {
                let message = answer["error"].as_str().unwrap_or_default().to_owned();
                worker.killed();
                return Err(of_worker(message));
            }
            Said::Answer(answer) => {
                worker.kill();
                format!("it says {answer}")
            }
            Said::Ended(status) => in_words(status),
            Said::Nothing => format!(
                "it was killed after {} s, in which it may have waited for its standard input; if it needs longer, give `time_out` a longer time",
                limit.as_secs_f64()
            ),
        };
        Err(of_worker(format!(
            "a worker process did not come to the exploration: {why}. It is this program, started again with the arguments of this process: until \
             `Explore::run` it has to do the same as here, without reading its standard input{}",
            worker.printed.in_words()
        )))
    }

    /// The same worker, which has made the job of a key.
    fn told(&self, mut worker: Worker, key: usize) -> Result<Worker> {
        // If it is gone, it is heard of below.
        let _ = words::write(&mut worker.socket, &json!({ "id": "key", "key": key }));
        let said = worker.hear(self.silence());
        let message = match said {
            Said::Answer(answer) if answer["ready"] == true => {
                let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
                let own = jobs.get(&key).copied().map(words::hex);
                if answer["job"].as_str() == own.as_deref() {
                    worker.key = Some(key);
                    return Ok(worker);
                }
                worker.kill();
                return Err(of_worker(
                    "the worker came to another job: the input, the answer of the reference and the tolerance must be the same each time the program runs",
                ));
            }
            Said::Answer(answer) => {
                worker.kill();
                let why = answer["error"].as_str().unwrap_or("it does not say why");
                format!("a worker process cannot make the job: {why}")
            }
            Said::Ended(status) => format!(
                "a worker process ended while it made the job: {}",
                in_words(status)
            ),
            Said::Nothing => "a worker process was stopped while it made the job".to_owned(),
        };
        Err(of_worker(format!("{message}{}", worker.printed.in_words())))
    }
}

/// This program; on Linux also if its file was replaced.
fn program() -> std::io::Result<PathBuf> {
    let own = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && own.exists() {
        return Ok(own);
    }
    std::env::current_exe()
}

impl Worker {
    /// Waits for what it says next. It is gone after everything but an answer.
    fn hear(&mut self, silence: Duration) -> Said {
        let mut last = Instant::now();
        loop {
            let has_ended = !matches!(self.child.try_wait(), Ok(None));
            match self.answers.recv_timeout(LOOK) {
                Ok(answer) if answer == "alive" => last = Instant::now(),
                Ok(answer) => return Said::Answer(answer),
                Err(RecvTimeoutError::Timeout) if has_ended => {
                    // Another process may hold its end of the connection.
                    return Said::Ended(self.end());
                }
                Err(RecvTimeoutError::Timeout) if last.elapsed() > silence => {
                    self.kill();
                    return Said::Nothing;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Said::Ended(self.end()),
            }
        }
    }

    /// Asks a unit; false if nobody listens.
    fn asked(&mut self, unit: &Unit, under_way: &mut BTreeMap<u64, Unit>) -> bool {
        let id = self.next;
        self.next += 1;
        let tasks: Vec<Json> = unit
            .tasks
            .iter()
            .map(|(_, task)| words::of_task(task))
            .collect();
        let request = json!({ "id": id, "do": unit.what, "tasks": tasks });
        let is_asked = words::write(&mut self.socket, &request).is_ok();
        if is_asked {
            under_way.insert(id, unit.clone());
        }
        is_asked
    }

    /// Waits for its end, which has come or is near.
    fn end(&mut self) -> Option<ExitStatus> {
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        let begun = Instant::now();
        while begun.elapsed() < GRACE {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(LOOK),
                Ok(Some(status)) => return Some(status),
                Err(_) => return None,
            }
        }
        self.kill();
        None
    }

    /// Ends it, with what it has started.
    fn kill(&mut self) {
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        if matches!(self.child.try_wait(), Ok(None)) {
            let group = i32::try_from(self.child.id()).ok();
            if let Some(group) = group.and_then(rustix::process::Pid::from_raw) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            // It may have ended by itself.
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }

    fn killed(mut self) {
        self.kill();
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let running = self
            .running
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        running.take().into_iter().for_each(Worker::killed);
    }
}

/// What is not answered is asked again.
fn requeue(under_way: &mut BTreeMap<u64, Unit>, queue: &mut VecDeque<Unit>) {
    for (_, mut unit) in std::mem::take(under_way).into_iter().rev() {
        unit.tasks.retain(|(number, _)| *number != ANSWERED);
        if !unit.tasks.is_empty() {
            queue.push_front(unit);
        }
    }
}

/// Takes an answer in; false if no more are wanted.
fn heard(
    answer: &Json,
    under_way: &mut BTreeMap<u64, Unit>,
    hear: &mut dyn FnMut(usize, Answer) -> bool,
) -> Result<bool> {
    let id = answer["id"].as_u64().unwrap_or(u64::MAX);
    let Some(unit) = under_way.get_mut(&id) else {
        return Err(internal(format!(
            "a worker process answers what nobody asked: {answer}"
        )));
    };
    let place = answer["of"].as_u64().unwrap_or(0) as usize;
    let answered = if !answer["done"].is_null() {
        Answer::Done(words::done(&answer["done"]).map_err(internal)?)
    } else if unit.what == "text" {
        Answer::Text(answer["cuda"].as_str().map(str::to_owned))
    } else {
        let wrong = &answer["wrong"];
        let tried = (!wrong.is_null()).then(|| words::tried(wrong)).transpose();
        Answer::Wrong(tried.map_err(internal)?)
    };
    // Tasks keep their places in the unit until all are answered.
    let Some(task) = unit.tasks.get_mut(place) else {
        return Err(internal(
            "a worker process answers a task that there is not",
        ));
    };
    let number = std::mem::replace(&mut task.0, ANSWERED);
    if unit.tasks.iter().all(|(number, _)| *number == ANSWERED) {
        under_way.remove(&id);
    }
    Ok(number == ANSWERED || hear(number, answered))
}

/// Stands for the number of a task that is answered.
const ANSWERED: usize = usize::MAX;

/// Is a unit next that may have ended a process which had nothing else under way?
fn alone(under_way: &BTreeMap<u64, Unit>, suspects: &VecDeque<Unit>) -> bool {
    under_way.is_empty() && suspects.front().is_some_and(|unit| unit.again)
}

/// A worker was ended while these were under way: the only one has ended it if it does so twice; of several each is asked alone.
fn blame(
    outcome: &Outcome,
    under_way: &mut BTreeMap<u64, Unit>,
    suspects: &mut VecDeque<Unit>,
    hear: &mut dyn FnMut(usize, Answer) -> bool,
) {
    let mut open = Vec::new();
    for (_, unit) in std::mem::take(under_way) {
        let Unit { what, again, tasks } = unit;
        let tasks = tasks.into_iter().filter(|(number, _)| *number != ANSWERED);
        open.extend(tasks.map(|task| Unit {
            what,
            again,
            tasks: vec![task],
        }));
    }
    match open.as_mut_slice() {
        [unit] if unit.again => {
            let tried = Tried::of(outcome.clone());
            hear(unit.tasks[0].0, Answer::Done(Done::tried(tried)));
        }
        [unit] => {
            unit.again = true;
            suspects.extend(open);
        }
        _ => suspects.extend(open),
    }
}

/// What comes of a candidate that has ended its process.
fn of_status(status: Option<ExitStatus>) -> Outcome {
    let words = format!("it ended its process: {}", in_words(status));
    if status.and_then(|status| status.signal()) == Some(KILL) {
        // By the system where memory runs out, or by somebody.
        Outcome::TryAgain(words)
    } else {
        Outcome::Bad(words)
    }
}

const KILL: i32 = 9;

fn in_words(status: Option<ExitStatus>) -> String {
    let Some(status) = status else {
        return "its status is not known".to_owned();
    };
    match (status.signal(), status.code()) {
        (Some(6), _) => "signal 6 (SIGABRT): an abort, or an overflow of the stack".to_owned(),
        (Some(KILL), _) => "signal 9 (SIGKILL): memory that ran out, or somebody".to_owned(),
        (Some(11), _) => "signal 11 (SIGSEGV): an access outside of its memory".to_owned(),
        (Some(signal), _) => format!("signal {signal}"),
        (None, Some(code)) => format!("exit status {code}"),
        (None, None) => "its status is not known".to_owned(),
    }
}
