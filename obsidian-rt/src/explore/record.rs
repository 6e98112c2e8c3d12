//! What came of a try, as JSON and back. Numbers come back as they were, bit for bit.

use obsidian_base::counts::{AccessKind, ArrayTraffic, Counts, Space, Traffic};
use serde_json::{Map, Value as Json, json};

use super::evaluate::Tried;
use super::journal::LONGEST;
use super::result::{Checked, Needs, Outcome, Stages};
use crate::resources::Resources;

pub(super) fn to_json(tried: &Tried) -> Json {
    let mut json = match &tried.outcome {
        Outcome::Good {
            score,
            noise,
            interval,
            checked,
            counts,
            counted_blocks,
            detail,
            compiled,
            stages,
        } => {
            let figures: Vec<Json> = compiled.iter().map(of_resources).collect();
            let detail: Vec<Json> = detail
                .iter()
                .map(|(name, value)| json!([name, value]))
                .collect();
            json!({
                "outcome": "good", "score": score, "noise": noise, "interval": interval, "whole": *checked == Checked::Whole,
                "counted_blocks": counted_blocks, "detail": detail, "counts": counts.as_deref().map(of_counts), "figures": figures,
                "stages": [stages.predicted, stages.compiled, stages.measured],
            })
        }
        outcome => json!({ "outcome": outcome.name(), "reason": outcome.reason() }),
    };
    if let Some(Needs {
        threads,
        shared_bytes,
        registers,
        local_bytes,
        blocks,
    }) = tried.needs
    {
        json["needs"] = json!([threads, shared_bytes, registers, local_bytes, blocks]);
    }
    json
}

pub(super) fn from_json(json: &Json) -> Result<Tried, String> {
    let reason = || {
        json["reason"]
            .as_str()
            .map(str::to_owned)
            .ok_or("there is no reason")
    };
    let outcome = match json["outcome"].as_str() {
        Some("good") => Outcome::Good {
            score: seconds(&json["score"]).ok_or("`score` is not a number of seconds")?,
            noise: seconds(&json["noise"]).ok_or("`noise` is not a number of seconds")?,
            interval: interval(&json["interval"])?,
            checked: match json["whole"].as_bool() {
                Some(true) => Checked::Whole,
                Some(false) => Checked::Sample,
                None => return Err("`whole` is neither true nor false".to_owned()),
            },
            counts: if json["counts"].is_null() {
                None
            } else {
                Some(Box::new(to_counts(&json["counts"])?))
            },
            counted_blocks: json["counted_blocks"]
                .as_u64()
                .ok_or("`counted_blocks` is not a number")?,
            detail: list(json, "detail")?
                .iter()
                .map(named)
                .collect::<Result<_, _>>()?,
            compiled: list(json, "figures")?
                .iter()
                .map(|json| resources(json).ok_or("`figures` are not those of a kernel"))
                .collect::<Result<_, _>>()?,
            stages: stages(&json["stages"])?,
        },
        Some("bad") => Outcome::Bad(reason()?),
        Some("cannot be built") => Outcome::CannotBuild(reason()?),
        Some("cannot run here") => Outcome::CannotRunHere(reason()?),
        Some("try again") => Outcome::TryAgain(reason()?),
        _ => return Err("`outcome` is none that there is".to_owned()),
    };
    let needs = if json["needs"].is_null() {
        None
    } else {
        Some(needs(&json["needs"])?)
    };
    Ok(Tried {
        needs,
        ..Tried::of(outcome)
    })
}

/// A number of seconds that a run can take.
fn seconds(json: &Json) -> Option<f64> {
    json.as_f64()
        .filter(|seconds| (0.0..=LONGEST).contains(seconds))
}

fn interval(json: &Json) -> Result<Option<(f64, f64)>, String> {
    if json.is_null() {
        return Ok(None);
    }
    let bounds = seconds(&json[0]).zip(seconds(&json[1]));
    let bounds = bounds.filter(|(low, high)| low <= high);
    bounds
        .map(Some)
        .ok_or_else(|| "`interval` is not two numbers of seconds".to_owned())
}

fn stages(json: &Json) -> Result<Stages, String> {
    let stage = |place: usize| match &json[place] {
        Json::Null => Ok(None),
        json => seconds(json)
            .map(Some)
            .ok_or("`stages` are not numbers of seconds"),
    };
    if json.as_array().map(Vec::len) != Some(3) {
        return Err("`stages` are not three".to_owned());
    }
    Ok(Stages {
        predicted: stage(0)?,
        compiled: stage(1)?,
        measured: stage(2)?,
    })
}

fn list<'a>(json: &'a Json, name: &str) -> Result<&'a Vec<Json>, String> {
    json[name]
        .as_array()
        .ok_or_else(|| format!("`{name}` is not a list"))
}

fn named(json: &Json) -> Result<(String, f64), String> {
    let name = json[0].as_str().ok_or("a detail has no name")?;
    Ok((
        name.to_owned(),
        seconds(&json[1]).ok_or("a detail is not a number of seconds")?,
    ))
}

fn of_resources((kernel, resources): &(String, Resources)) -> Json {
    let Resources {
        registers,
        local_bytes,
        instructions,
    } = resources;
    json!([kernel, registers, local_bytes, instructions])
}

fn resources(json: &Json) -> Option<(String, Resources)> {
    let number = |place: usize| {
        json[place]
            .as_u64()
            .and_then(|number| u32::try_from(number).ok())
    };
    let resources = Resources {
        registers: number(1)?,
        local_bytes: number(2)?,
        instructions: number(3)?,
    };
    Some((json[0].as_str()?.to_owned(), resources))
}

fn needs(json: &Json) -> Result<Needs, String> {
    let number = |place: usize| json[place].as_u64().ok_or("`needs` are not numbers");
    let small = |place: usize| {
        number(place).and_then(|number| u32::try_from(number).map_err(|_| "`needs` are too large"))
    };
    let registers = if json[2].is_null() {
        None
    } else {
        Some(small(2)?)
    };
    Ok(Needs {
        threads: small(0)?,
        shared_bytes: small(1)?,
        registers,
        local_bytes: small(3)?,
        blocks: number(4)?,
    })
}

/// Gives each number of counts with its name to a function, which may change it.
fn numbers(
    counts: &mut Counts,
    mut see: impl FnMut(&'static str, &mut u64) -> Result<(), String>,
) -> Result<(), String> {
    let of = &mut counts.instructions;
    see("integer", &mut of.integer)?;
    see("float", &mut of.float)?;
    see("double", &mut of.double)?;
    see("special", &mut of.special)?;
    see("conversion", &mut of.conversion)?;
    see("memory", &mut of.memory)?;
    see("control", &mut of.control)?;
    see("launches", &mut counts.launches)?;
    see("blocks", &mut counts.blocks)?;
    see("statements", &mut counts.statements)?;
    see("block_waits", &mut counts.block_waits)?;
    see("warp_waits", &mut counts.warp_waits)?;
    see("shuffles", &mut counts.shuffles)?;
    see("lane_reductions", &mut counts.lane_reductions)?;
    see("divergent_branches", &mut counts.divergent_branches)?;
    see("zero_divisions", &mut counts.zero_divisions)
}

fn of_counts(counts: &Counts) -> Json {
    let mut map = Map::new();
    // A function that only looks cannot fail.
    let _ = numbers(&mut counts.clone(), |name, number| {
        map.insert(name.to_owned(), json!(*number));
        Ok(())
    });
    let row = |row: &ArrayTraffic| {
        json!([
            row.kernel,
            row.array,
            row.space.name(),
            row.kind.name(),
            of_traffic(&row.traffic)
        ])
    };
    map.insert("arrays".to_owned(), counts.arrays.iter().map(row).collect());
    Json::Object(map)
}

fn to_counts(json: &Json) -> Result<Counts, String> {
    let mut counts = Counts::default();
    numbers(&mut counts, |name, number| {
        *number = json[name]
            .as_u64()
            .ok_or_else(|| format!("`{name}` of the counts is not a number"))?;
        Ok(())
    })?;
    for row in list(json, "arrays")? {
        let row = array(row).ok_or("a row of the counts is not one of an array")?;
        match row.space {
            Space::Buffer => counts.buffers += row.traffic,
            Space::Shared => counts.shared += row.traffic,
            Space::Held => counts.held += row.traffic,
        }
        counts.arrays.push(row);
    }
    Ok(counts)
}

fn array(row: &Json) -> Option<ArrayTraffic> {
    let space = [Space::Buffer, Space::Shared, Space::Held]
        .into_iter()
        .find(|space| row[2] == space.name())?;
    let kind = [AccessKind::Read, AccessKind::Write, AccessKind::Atomic]
        .into_iter()
        .find(|kind| row[3] == kind.name())?;
    Some(ArrayTraffic::new(
        row[0].as_str()?,
        row[1].as_str()?,
        space,
        kind,
        to_traffic(&row[4])?,
    ))
}

fn of_traffic(traffic: &Traffic) -> Json {
    let Traffic {
        elements,
        bytes,
        requests,
        sectors,
        lines,
        bank_conflicts,
        collisions,
        ..
    } = traffic;
    json!([
        elements,
        bytes,
        requests,
        sectors,
        lines,
        bank_conflicts,
        collisions
    ])
}

fn to_traffic(json: &Json) -> Option<Traffic> {
    let mut traffic = Traffic::default();
    traffic.elements = json[0].as_u64()?;
    traffic.bytes = json[1].as_u64()?;
    traffic.requests = json[2].as_u64()?;
    traffic.sectors = json[3].as_u64()?;
    traffic.lines = json[4].as_u64()?;
    traffic.bank_conflicts = json[5].as_u64()?;
    traffic.collisions = json[6].as_u64()?;
    Some(traffic)
}
