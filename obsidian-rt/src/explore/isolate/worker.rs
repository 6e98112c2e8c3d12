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
    let writer = Arc::new(Mutex::new(
        socket.try_clone().map_err(|error| error.to_string())?,
    ));
    let say = move |words: &Json| {
        let mut socket = writer.lock().unwrap_or_else(PoisonError::into_inner);
        if words::write(&mut *socket, words).is_err() {
            // The explorer is gone.
            std::process::exit(0);
        }
    };
    say(&json!("here"));
    let alive = say.clone();
    thread::spawn(move || {
        loop {
            thread::sleep(super::parent::BEAT);
            alive(&json!("alive"));
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
                    say(&json!({ "id": id, "ready": true, "job": job }));
                }
                Err(error) => say(&json!({ "id": id, "error": error.to_string() })),
            }
            continue;
        }
        let Some(evaluator) = &evaluator else {
            return Err("a request came before its key".to_owned());
        };
        let tasks = request["tasks"].as_array().map_or(&[][..], Vec::as_slice);
        let tasks: std::result::Result<Vec<Task>, String> =
            tasks.iter().map(|task| words::task(task, points)).collect();
        let (tasks, evaluator, say) = (tasks?, Arc::clone(evaluator), say.clone());
        let what = request["do"].as_str().unwrap_or_default().to_owned();
        thread::spawn(move || answer(&id, &what, &tasks, &evaluator, &say));
    }
}

fn answer(
    id: &Json,
    what: &str,
    tasks: &[Task],
    evaluator: &Arc<Evaluator>,
    say: &(impl Fn(&Json) + Sync),
) {
    let first = tasks.first().map(|task| &task.point);
    let end = match (what, first) {
        ("check", Some(_)) => {
            let wrong = evaluator.check(&tasks[0]);
            let is_late = wrong.as_ref().is_some_and(|tried| tried.late);
            say(&json!({ "id": id, "wrong": wrong.as_ref().map(words::of_tried) }));
            is_late
        }
        ("text", Some(_)) => {
            say(&json!({ "id": id, "cuda": evaluator.text(&tasks[0]) }));
            false
        }
        _ => try_all(id, tasks, evaluator, say),
    };
    if end {
        // A thread that does not end, or a device that is lost: another process takes over.
        say(&json!("leaves"));
        std::process::exit(0);
    }
}

/// Tries the tasks; says whether this process can be used no longer.
fn try_all(
    id: &Json,
    tasks: &[Task],
    evaluator: &Arc<Evaluator>,
    say: &(impl Fn(&Json) + Sync),
) -> bool {
    let evaluated = evaluator.evaluate(tasks, &|number, done| {
        say(&json!({ "id": id, "of": number, "done": words::of_done(&done) }));
        if matches!(&done, Done::Tried(tried) if tried.lost || tried.late) {
            say(&json!("leaves"));
            std::process::exit(0);
        }
        true
    });
    evaluated.is_err()
}
