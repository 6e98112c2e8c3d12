//! Results as JSON.

use serde_json::{Map, Value as Json, json};

use super::csv::counts;
use crate::explore::result::{
    Checked, Compilation, Evaluated, Measurement, Outcome, Results, Value,
};
use crate::resources::Resources;

/// An object with the `objective`, the `parameters`, those of them that are `given`, what the best were `compiled_by`, or why they were
/// `not_compiled`, what the best or all were `measured_on`, why they were `not_measured` or `all_measured`, and the `candidates` in the order of the
/// search, each with the seconds of its `stages`. What is not known is left out, and a score that is not finite is `null`.
///
/// ```
/// # use obsidian_rt::explore::{Candidate, Explore, Gpu, Job, Objective, Space};
/// # use obsidian_rt::{TypedKernel, language::*};
/// #
/// # let job = Job::new(vec![1u32; 256], |x| x.iter().map(|x| 2 * x).collect::<Vec<u32>>());
/// # let space = Space::new().list("threads", [32, 64]);
/// # let exploration = Explore::new(space, Objective::predicted(Gpu::named("H100")?), job, |point| {
/// #     let kernel = TypedKernel::build("doubled", point.u32("threads")?, |x: DPull<EU32>| {
/// #         x.split_up(64).as_grid_map(|x| x.map(|x| x * 2).push())
/// #     })?;
/// #     Ok(Candidate::of(kernel))
/// # });
/// use obsidian_rt::explore::report;
/// let results = exploration.run()?.results;
/// assert!(report::json(&results).to_string().contains("threads"));
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub fn json(results: &Results) -> String {
    let candidates: Vec<Json> = results.evaluated.iter().map(candidate).collect();
    let mut all = json!({
        "objective": results.objective, "parameters": results.parameters, "given": results.given, "candidates": candidates,
    });
    match &results.compilation {
        Compilation::NotAsked => {}
        Compilation::Skipped(reason) => all["not_compiled"] = json!(reason),
        Compilation::By(by) => all["compiled_by"] = json!(by),
    }
    match &results.measurement {
        Measurement::NotAsked => {}
        Measurement::Skipped(reason) => all["not_measured"] = json!(reason),
        Measurement::Best(on) => all["measured_on"] = json!(on),
        Measurement::All { on, reason } => {
            all["measured_on"] = json!(on);
            all["all_measured"] = json!(reason);
        }
    }
    format!("{all:#}\n")
}

fn candidate(evaluated: &Evaluated) -> Json {
    let mut fields = Map::new();
    let point = evaluated
        .point
        .values
        .iter()
        .map(|(name, value)| (name.clone(), of_value(value)));
    fields.insert("point".to_owned(), point.collect());
    match &evaluated.outcome {
        Outcome::Good {
            score,
            noise,
            interval,
            checked,
            counts: known,
            counted_blocks,
            detail,
            compiled,
            stages,
        } => {
            fields.insert("outcome".to_owned(), json!("good"));
            fields.insert("seconds".to_owned(), json!(score));
            fields.insert("noise".to_owned(), json!(noise));
            if let Some(interval) = interval {
                fields.insert("interval".to_owned(), json!(interval));
            }
            let of = [
                ("predicted", stages.predicted),
                ("compiled", stages.compiled),
                ("measured", stages.measured),
            ];
            let all = of
                .into_iter()
                .filter_map(|(name, seconds)| Some((name.to_owned(), json!(seconds?))));
            fields.insert("stages".to_owned(), all.collect());
            let checked = match checked {
                Checked::Whole => "whole",
                Checked::Sample => "sample",
            };
            fields.insert("checked".to_owned(), json!(checked));
            fields.insert(
                "parts".to_owned(),
                detail
                    .iter()
                    .map(|(name, seconds)| (name.clone(), json!(seconds)))
                    .collect(),
            );
            if !compiled.is_empty() {
                let of = |(kernel, of): &(String, Resources)| json!({ "kernel": kernel, "registers": of.registers, "local_bytes": of.local_bytes, "instructions": of.instructions });
                fields.insert("compiled".to_owned(), compiled.iter().map(of).collect());
            }
            if let Some(known) = known {
                let known = counts(known)
                    .into_iter()
                    .map(|(name, count)| (name.to_owned(), json!(count)));
                fields.insert("counts".to_owned(), known.collect());
                fields.insert("counted_blocks".to_owned(), json!(counted_blocks));
            }
        }
        outcome => {
            fields.insert("outcome".to_owned(), json!(outcome.name()));
            fields.insert("reason".to_owned(), json!(outcome.reason()));
        }
    }
    if let Some(needs) = evaluated.needs {
        let mut known = json!({ "threads": needs.threads, "shared_bytes": needs.shared_bytes, "blocks": needs.blocks });
        if let Some(registers) = needs.registers {
            known["registers"] = json!(registers);
        }
        fields.insert("needs".to_owned(), known);
    }
    if let Some(cuda) = &evaluated.cuda {
        fields.insert("cuda".to_owned(), json!(cuda));
    }
    Json::Object(fields)
}

fn of_value(value: &Value) -> Json {
    match value {
        Value::Number(number) => json!(number),
        Value::Word(word) => json!(word),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{AWKWARD, nothing, results};
    use super::*;

    #[test]
    fn it_can_be_read_back() {
        let read: Json = serde_json::from_str(&json(&results())).unwrap();
        let candidates = read["candidates"].as_array().unwrap();
        assert_eq!(candidates.len(), 8);
        assert_eq!(
            candidates[4]["point"],
            json!({ "kernel": AWKWARD, "threads": 32 })
        );
        assert_eq!(
            candidates[4]["seconds"].as_f64(),
            results().evaluated[4].outcome.score()
        );
        assert_eq!(candidates[4]["counts"]["block_waits"], 14);
        assert_eq!(
            (&candidates[0]["outcome"], &candidates[1]["outcome"]),
            (&json!("cannot be built"), &json!("bad"))
        );
        assert_eq!(candidates[1]["reason"], "it panicked: \"no\"");
        assert!(candidates[0].get("seconds").is_none());
    }

    #[test]
    fn nothing_is_an_empty_list() {
        let read: Json = serde_json::from_str(&json(&nothing())).unwrap();
        assert_eq!(read["candidates"], json!([]));
    }
}
