//! What the processes say to each other: lines of JSON.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use serde_json::{Value as Json, json};

use crate::error::{Error, ErrorKind};
use crate::explore::evaluate::{Done, Stage, Task, Tried};
use crate::explore::record;
use crate::explore::result::{Compilation, Evaluated, Measurement, Point, Results};
use crate::explore::run::Explored;
use crate::explore::space::Points;

type Read<T> = Result<T, String>;

/// One line.
pub(super) fn read(from: &mut impl BufRead) -> Read<Json> {
    let mut line = String::new();
    match from.read_line(&mut line) {
        Ok(0) => Err("the connection has ended".to_owned()),
        Ok(_) => serde_json::from_str(&line).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

pub(super) fn write(to: &mut impl Write, words: &Json) -> std::io::Result<()> {
    to.write_all(format!("{words}\n").as_bytes())
}

pub(super) fn of_task(task: &Task) -> Json {
    json!({ "number": task.number, "effort": task.effort, "known": task.known.map(hex), "stage": task.stage.name(), "of": task.of.map(|(effort, key)| json!([effort, hex(key)])) })
}

pub(super) fn task(json: &Json, points: &Points) -> Read<Task> {
    let number = json["number"].as_u64().ok_or("a task has no number")? as usize;
    let effort = json["effort"].as_u64().ok_or("a task has no effort")?;
    let stage = json["stage"].as_str().and_then(Stage::named);
    if number >= points.len() {
        return Err(format!("there is no point {number}"));
    }
    Ok(Task {
        number,
        point: points.point(number),
        effort: u32::try_from(effort).map_err(|error| error.to_string())?,
        known: key(&json["known"])?,
        stage: stage.ok_or("a task has no stage")?,
        of: of(&json["of"])?,
    })
}

pub(super) fn hex(key: u64) -> String {
    format!("{key:016x}")
}

fn key(json: &Json) -> Read<Option<u64>> {
    let parsed = |text| u64::from_str_radix(text, 16).map_err(|error| error.to_string());
    json.as_str().map(parsed).transpose()
}

/// The effort and the key with which a candidate was tried.
fn of(json: &Json) -> Read<Option<(u32, u64)>> {
    let effort = json[0].as_u64().and_then(|effort| effort.try_into().ok());
    Ok(effort.zip(key(&json[1])?))
}

pub(super) fn of_tried(tried: &Tried) -> Json {
    let mut words = record::to_json(tried);
    words["key"] = json!(tried.key.map(hex));
    words["lost"] = json!(tried.lost);
    words["unfit"] = json!(tried.unfit);
    words["late"] = json!(tried.late);
    words
}

pub(super) fn tried(json: &Json) -> Read<Tried> {
    let flag = |name: &str| json[name].as_bool().unwrap_or(false);
    Ok(Tried {
        key: key(&json["key"])?,
        lost: flag("lost"),
        unfit: flag("unfit"),
        late: flag("late"),
        ..record::from_json(json)?
    })
}

pub(super) fn of_done(done: &Done) -> Json {
    match done {
        Done::Same => json!("same"),
        Done::Tried(tried) => of_tried(tried),
    }
}

pub(super) fn done(json: &Json) -> Read<Done> {
    if json == "same" {
        return Ok(Done::Same);
    }
    tried(json).map(Done::tried)
}

/// The kinds of errors with which an exploration can end.
const KINDS: [ErrorKind; 9] = [
    ErrorKind::CannotRun,
    ErrorKind::DamagedFile,
    ErrorKind::DeviceUnavailable,
    ErrorKind::File,
    ErrorKind::LostContext,
    ErrorKind::OutOfMemory,
    ErrorKind::Space,
    ErrorKind::Worker,
    ErrorKind::WrongAnswer,
];

pub(super) fn of_error(error: &Error) -> Json {
    json!({ "error": error.to_string(), "kind": format!("{:?}", error.kind()), "line": error.line() })
}

/// The error with which an exploration has ended, if it did.
pub(super) fn error(json: &Json) -> Option<Error> {
    let message = json["error"].as_str()?;
    let is_it = |kind: &&ErrorKind| json["kind"] == format!("{kind:?}");
    let kind = KINDS.iter().find(is_it).unwrap_or(&ErrorKind::Worker);
    let error = Error::new(*kind, message);
    Some(match json["line"].as_u64() {
        Some(line) => error.at_line(line as usize),
        None => error,
    })
}

/// What an exploration has found; points are named by their numbers.
pub(super) fn of_explored(explored: &Explored, points: &Points) -> Json {
    let numbers: BTreeMap<Point, usize> = (0..points.len())
        .map(|number| (points.point(number), number))
        .collect();
    let all = |list: &[Evaluated]| {
        let of = |evaluated: &Evaluated| {
            let tried = Tried {
                needs: evaluated.needs,
                ..Tried::of(evaluated.outcome.clone())
            };
            json!({ "number": numbers.get(&evaluated.point), "tried": of_tried(&tried), "cuda": evaluated.cuda })
        };
        list.iter().map(of).collect::<Vec<Json>>()
    };
    json!({
        "objective": explored.results.objective, "evaluated": all(&explored.results.evaluated), "given_up": all(&explored.given_up),
        "compilation": of_compilation(&explored.results.compilation), "measurement": of_measurement(&explored.results.measurement),
        "evaluations": explored.evaluations, "resumed": explored.resumed, "seconds": explored.seconds,
    })
}

fn of_compilation(compilation: &Compilation) -> Json {
    match compilation {
        Compilation::NotAsked => Json::Null,
        Compilation::Skipped(reason) => json!({ "skipped": reason }),
        Compilation::By(by) => json!({ "by": by }),
    }
}

fn compilation(json: &Json) -> Compilation {
    match (json["by"].as_str(), json["skipped"].as_str()) {
        (Some(by), _) => Compilation::By(by.to_owned()),
        (_, Some(reason)) => Compilation::Skipped(reason.to_owned()),
        _ => Compilation::NotAsked,
    }
}

fn of_measurement(measurement: &Measurement) -> Json {
    match measurement {
        Measurement::NotAsked => Json::Null,
        Measurement::Skipped(reason) => json!({ "skipped": reason }),
        Measurement::Best(on) => json!({ "on": on }),
        Measurement::All { on, reason } => json!({ "on": on, "all": reason }),
    }
}

fn measurement(json: &Json) -> Measurement {
    let word = |name: &str| json[name].as_str().map(str::to_owned);
    match (word("on"), word("all"), word("skipped")) {
        (Some(on), Some(reason), _) => Measurement::All { on, reason },
        (Some(on), _, _) => Measurement::Best(on),
        (_, _, Some(reason)) => Measurement::Skipped(reason),
        _ => Measurement::NotAsked,
    }
}

pub(super) fn explored(json: &Json, points: &Points) -> Read<Explored> {
    let all = |list: &Json| {
        let of = |json: &Json| {
            let number = json["number"]
                .as_u64()
                .filter(|number| (*number as usize) < points.len());
            let Tried { outcome, needs, .. } = tried(&json["tried"])?;
            Ok(Evaluated {
                point: points.point(number.ok_or("there is no such point")? as usize),
                outcome,
                cuda: json["cuda"].as_str().map(str::to_owned),
                needs,
            })
        };
        let list = list.as_array().ok_or("an exploration has no candidates")?;
        list.iter().map(of).collect::<Read<Vec<Evaluated>>>()
    };
    Ok(Explored {
        results: Results {
            objective: json["objective"].as_str().unwrap_or_default().to_owned(),
            parameters: points.names(),
            given: points.given(),
            evaluated: all(&json["evaluated"])?,
            untried: Vec::new(),
            compilation: compilation(&json["compilation"]),
            measurement: measurement(&json["measurement"]),
        }
        .with_untried(points.keys().into_iter().map(|(key, _)| key)),
        given_up: all(&json["given_up"])?,
        evaluations: json["evaluations"].as_f64().unwrap_or(0.0),
        resumed: json["resumed"].as_u64().unwrap_or(0) as usize,
        seconds: json["seconds"].as_f64().unwrap_or(0.0),
    })
}
