//! The worker's side: it answers requests until the connection ends.

use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value as Json, json};

use super::words;
use crate::error::Result;
use crate::explore::evaluate::{Done, Evaluator, Task};
use crate::explore::space::Points;

/// Gives the evaluator of a key.
pub(in crate::explore) type Keys<'a> = dyn Fn(usize) -> Result<Evaluator> + 'a;

/// Answers until the explorer goes away. This process has nothing else to do, so it ends with the connection.
pub(in crate::explore) fn serve(socket: &UnixStream, points: &Points, keys: &Keys<'_>) -> ! {
    let words = served(socket, points, keys).err();
    // What is under way is of no use to anybody.
    std::process::exit(i32::from(words.is_some()));
}

fn served(
    socket: &UnixStream,
    points: &Points,
    keys: &Keys<'_>,
) -> std::result::Result<(), String> {
    let socket_to_write = socket.try_clone().map_err(|error| error.to_string())?;
    let voice = Voice(Arc::new(Mutex::new(socket_to_write)));
    voice.say(&json!("here"));
    let alive = voice.clone();
    thread::spawn(move || {
        loop {
            thread::sleep(super::parent::BEAT);
            alive.say(&json!("alive"));
        }
    });
    let mut reader = BufReader::new(socket);
    let mut evaluator: Option<Arc<Evaluator>> = None;
    loop {
        let Ok(request) = words::read(&mut reader) else {
            return Ok(());
        };
        let id = request["id"].clone();
        if let Some(key) = request["key"].as_u64() {
            // The job of the key before is dropped first.
            evaluator = None;
            match keys(key as usize) {
                Ok(new) => {
                    let job = words::hex(new.job().id);
                    evaluator = Some(Arc::new(new));
                    voice.say(&json!({ "id": id, "ready": true, "job": job }));
                }
                Err(error) => voice.say(&json!({ "id": id, "error": error.to_string() })),
            }
            continue;
        }
        let Some(evaluator) = &evaluator else {
            return Err("a request came before its key".to_owned());
        };
        let tasks = request["tasks"].as_array().map_or(&[][..], Vec::as_slice);
        let tasks: std::result::Result<Vec<Task>, String> =
            tasks.iter().map(|task| words::task(task, points)).collect();
        let (tasks, evaluator, voice) = (tasks?, Arc::clone(evaluator), voice.clone());
        let what = request["do"].as_str().unwrap_or_default().to_owned();
        thread::spawn(move || answer(&id, &what, &tasks, &evaluator, &voice));
    }
}

/// What says something to the explorer: one thread at a time.
#[derive(Clone)]
struct Voice(Arc<Mutex<UnixStream>>);

impl Voice {
    fn say(&self, words: &Json) {
        let mut socket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        written(&mut socket, words);
    }

    /// Says something, if there is anything to say, for the last time: a thread that does not end, or a device that is lost, so another process takes over.
    ///
    /// What the explorer asks meanwhile, it asks that one. No other thread says anything in between, as what it says of the lost device would
    /// be blamed on its own candidate.
    fn leave(&self, words: Option<&Json>) -> ! {
        let mut socket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(words) = words {
            written(&mut socket, words);
        }
        written(&mut socket, &json!("leaves"));
        std::process::exit(0)
    }
}

fn written(socket: &mut UnixStream, words: &Json) {
    if words::write(socket, words).is_err() {
        // The explorer is gone.
        std::process::exit(0);
    }
}

fn answer(id: &Json, what: &str, tasks: &[Task], evaluator: &Arc<Evaluator>, voice: &Voice) {
    match (what, tasks.first()) {
        ("check", Some(task)) => {
            let wrong = evaluator.check(task);
            let words = json!({ "id": id, "wrong": wrong.as_ref().map(words::of_tried) });
            if wrong.is_some_and(|tried| tried.late) {
                voice.leave(Some(&words));
            }
            voice.say(&words);
        }
        ("text", Some(task)) => {
            voice.say(&json!({ "id": id, "cuda": evaluator.text(task) }));
        }
        _ => try_all(id, tasks, evaluator, voice),
    }
}

fn try_all(id: &Json, tasks: &[Task], evaluator: &Arc<Evaluator>, voice: &Voice) {
    let evaluated = evaluator.evaluate(tasks, &|number, done| {
        let words = json!({ "id": id, "of": number, "done": words::of_done(&done) });
        if matches!(&done, Done::Tried(tried) if tried.lost || tried.late) {
            voice.leave(Some(&words));
        }
        voice.say(&words);
        true
    });
    if evaluated.is_err() {
        voice.leave(None);
    }
}
