//! The explorer's side: it starts workers, asks them, and finds out which candidate has ended one.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::io::BufReader;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde_json::{Value as Json, json};

use super::{VARIABLE, internal, words};
use crate::error::{Error, ErrorKind, Result};
use crate::explore::evaluate::{Done, Task, Tried};
use crate::explore::result::Outcome;

/// How workers are started, and the one that runs.
pub(in crate::explore) struct Workers {
    arguments: Vec<OsString>,
    word: String,
    earlier: Json,
    /// How many candidates are predicted at once.
    at_once: usize,
    running: Mutex<Option<Worker>>,
}

/// A process that answers.
struct Worker {
    child: Child,
    socket: UnixStream,
    answers: Receiver<Json>,
    /// The key that it was told.
    key: Option<usize>,
    next: u64,
}

/// What is asked at once.
#[derive(Clone)]
struct Unit {
    what: &'static str,
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
        place: usize,
        identity: u64,
        earlier: Vec<Json>,
        at_once: usize,
    ) -> Workers {
        Workers {
            arguments: arguments.to_vec(),
            word: format!("{place}:{identity:016x}"),
            earlier: Json::Array(earlier),
            at_once,
            running: Mutex::new(None),
        }
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
            Answer::Done(Done::Tried(tried)) => wrong = Some(tried),
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
            VecDeque::from([Unit { what, tasks }]),
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
                Some(worker) if worker.key == Some(key) => worker,
                Some(worker) => worker.told(key)?,
                None => self.start()?.told(key)?,
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
            match worker.answers.recv() {
                Ok(answer) if answer == "leaves" => {
                    worker.ended();
                    requeue(&mut under_way, &mut queue);
                }
                Ok(answer) => {
                    let goes_on = heard(&answer, &mut under_way, hear)?;
                    if !goes_on {
                        // What is under way is not wanted any more.
                        worker.killed();
                        return Ok(());
                    }
                    *running = Some(worker);
                }
                Err(_) => {
                    let status = worker.ended();
                    blame(status, &mut under_way, &mut suspects, hear);
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
        let program = std::env::current_exe().map_err(failed)?;
        let child = Command::new(program)
            .args(&self.arguments)
            .env(VARIABLE, &self.word)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
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
            key: None,
            next: 0,
        };
        let told = words::write(&mut worker.socket, &self.earlier);
        match (told, worker.answers.recv()) {
            (Ok(()), Ok(here)) if here == "here" => Ok(worker),
            _ => {
                let status = worker.ended();
                Err(internal(format!(
                    "a worker process did not come to the exploration: {}. It is this program, started again with the arguments of this process: until \
                     `Explore::run` it has to do the same as here, without reading its standard input",
                    in_words(status)
                )))
            }
        }
    }
}

impl Worker {
    /// The same, which has made the job of a key.
    fn told(mut self, key: usize) -> Result<Worker> {
        let said = words::write(&mut self.socket, &json!({ "id": "key", "key": key }));
        let answer = said.ok().and_then(|()| self.answers.recv().ok());
        match &answer {
            Some(answer) if answer["ready"] == true => {
                self.key = Some(key);
                Ok(self)
            }
            Some(answer) => Err(internal(format!(
                "a worker process cannot make the job: {}",
                answer["error"].as_str().unwrap_or("it does not say why")
            ))),
            None => {
                let status = self.ended();
                Err(internal(format!(
                    "a worker process ended while it made the job: {}",
                    in_words(status)
                )))
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

    /// Waits for its end.
    fn ended(mut self) -> Option<ExitStatus> {
        // If it has only closed the connection, it has no more to do.
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        self.child.wait().ok()
    }

    fn killed(mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        self.ended();
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

/// A worker was ended while these were under way: the only one has ended it; of several each is asked alone.
fn blame(
    status: Option<ExitStatus>,
    under_way: &mut BTreeMap<u64, Unit>,
    suspects: &mut VecDeque<Unit>,
    hear: &mut dyn FnMut(usize, Answer) -> bool,
) {
    let mut open = Vec::new();
    for (_, unit) in std::mem::take(under_way) {
        let what = unit.what;
        let tasks = unit
            .tasks
            .into_iter()
            .filter(|(number, _)| *number != ANSWERED);
        open.extend(tasks.map(|task| Unit {
            what,
            tasks: vec![task],
        }));
    }
    if open.len() > 1 {
        suspects.extend(open);
        return;
    }
    for (number, _) in open.into_iter().flat_map(|unit| unit.tasks) {
        let words = format!("it ended its process: {}", in_words(status));
        let is_killed = status.and_then(|status| status.signal()) == Some(KILL);
        let outcome = if is_killed {
            // By the system where memory runs out, or by somebody.
            Outcome::TryAgain(words)
        } else {
            Outcome::Bad(words)
        };
        hear(number, Answer::Done(Done::Tried(Tried::of(outcome))));
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
