//! Facts about interfaces, their Rust expression, and manifests.

use super::{interface, manifest, samples, testing::Builder};
use crate::plan::{Formula, Interface, Numbers, ParameterRole, Step};
use crate::scalar::{BinaryOp, ScalarType};

/// What a user's crate sees under the path that it is given.
mod generated {
    pub(super) use crate::plan::{
        Formula, Interface, ParameterInfo, ParameterRole, RequirementInfo, Step,
    };
    pub(super) use crate::scalar::{Constraint, ScalarType};
}

static PRINTED: Interface = include!("tests/sums_interface.rs");

#[test]
fn an_interface_is_a_rust_constant_that_gives_it_back() {
    let sums = samples::reduction().interface().unwrap();
    assert_eq!(
        interface(&sums, "generated"),
        include_str!("tests/sums_interface.rs").trim_end()
    );
    assert_eq!(sums, PRINTED);
}

#[test]
fn an_interface_says_what_a_launch_has_to_know() {
    let sums = samples::reduction().interface().unwrap();
    assert_eq!(
        (
            sums.name.as_ref(),
            sums.threads,
            sums.shared_bytes,
            sums.barriers,
            sums.warp_waits
        ),
        ("sums", 64, 776, 7, 0)
    );
    let output = &sums.parameters[1];
    assert_eq!(
        (output.role, output.chunk, output.uses_length),
        (ParameterRole::Output, Some(1), false)
    );
    assert_eq!(sums.text(output.length.as_ref().unwrap()), "input / 128");
    assert_eq!(sums.blocks[0].evaluate(&[Some(1280), None], &[]), Ok(10));
    let numbers = Numbers {
        lengths: &[Some(100), None],
        arguments: &[],
    };
    let unmet = sums.require(&sums.requirements[0], numbers).unwrap_err();
    assert_eq!(
        unmet.message,
        "the length of `input` is 100, not a multiple of 128; use `chunks(128)` for a short last chunk"
    );
}

#[test]
fn a_length_reads_with_the_parentheses_that_it_needs() {
    let mut b = Builder::new("k", 32);
    let input = b.input("input", ScalarType::U8);
    let (n, seven, two) = (b.length(input), b.lit(7u32), b.lit(2u32));
    let sum = b.raw(BinaryOp::Add, n, seven);
    let half = b.raw(BinaryOp::Div, sum, two);
    let least = b.raw(BinaryOp::Min, half, n);
    let difference = b.raw(BinaryOp::Sub, seven, least);
    let length = b.raw(BinaryOp::Sub, difference, sum);
    b.output("output", ScalarType::U8, length);
    let interface = b.plan().interface().unwrap();
    let formula = interface.parameters[1].length.as_ref().unwrap();
    assert_eq!(
        interface.text(formula),
        "7 - min((input + 7) / 2, input) - (input + 7)"
    );
    assert_eq!(interface.text(&Formula::of(&[Step::Add])), "?");
}

#[test]
fn a_length_that_depends_on_data_is_refused() {
    let mut b = Builder::new("k", 32);
    let input = b.input("input", ScalarType::U32);
    let zero = b.lit(0u32);
    let length = b.load(input, zero);
    b.output("output", ScalarType::U8, length);
    assert_eq!(b.plan().interface().unwrap_err().id, "length-not-a-formula");
}

/// Every loop over blocks has a count, wherever it stands: issue 16, item 3.
#[test]
fn loops_over_blocks_inside_of_others_are_counted() {
    let of = |count: &str| {
        let each = |b: &str, count: &str| {
            format!(
                "distribute Block {b} < {count} {{ forall Block i{b} < 1_u32 {{ atomic add io[0_u32] (1_u32) }} }}"
            )
        };
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 io: u32[length(io)] inout {} if (n > 3_u32) {{ {} }}
             for sequential Grid r in 0_u32 .. n step 1_u32 {{ let m = (n / 2_u32) for sequential Grid q in 0_u32 .. 2_u32 step 1_u32 {{ {} }} }} }}",
            each("a", "1_u32"),
            each("b", "n"),
            each("c", count)
        );
        let kernel = crate::ir::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let plan = crate::pipeline::compile(kernel, &crate::plan::Limits::from(32).into())
            .unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        plan.interface()
    };
    let interface = of("(length(io) +' m)").unwrap();
    let counts: Vec<_> = interface
        .blocks
        .iter()
        .map(|formula| formula.evaluate(&[None, Some(10)], &[Some(7), None]))
        .collect();
    assert_eq!(counts, [Ok(1), Ok(7), Ok(13)]);
    for count in ["(r +' 1_u32)", "(n +' q)"] {
        let wrong = of(count).unwrap_err();
        assert!(wrong.message.contains("the counter of the loop"), "{wrong}");
    }
}

#[test]
fn a_manifest_is_json_with_all_that_a_launch_needs() {
    let plan = samples::reduction();
    let text = manifest(&plan, &plan.interface().unwrap(), "ab\"\\\n12");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["source_hash"], "ab\"\\\n12");
    assert_eq!(
        (
            &json["threads"],
            &json["shared_bytes"]["static"],
            &json["barriers"],
            &json["warp_waits"]
        ),
        (&64.into(), &776.into(), &7.into(), &0.into())
    );
    assert_eq!(
        json["arguments"],
        serde_json::json!(["input", "sums", "input_len"])
    );
    assert_eq!(json["grid"]["virtual_blocks"][0]["text"], "input / 128");
    let output = serde_json::json!({
        "name": "sums", "symbol": "sums", "type": "i32", "role": "output", "group": 1, "alignment": 4, "chunk": 1,
        "length": {"text": "input / 128", "steps": [["length", 0], ["literal", 128], ["div"]]},
    });
    assert_eq!(json["parameters"][1], output);
    assert_eq!(json["requirements"][0]["multiple_of"], 128);
}

#[test]
fn a_manifest_says_what_is_required() {
    let text = "kernel k { parameter 0 x: u32[length(x)] input parameter 1 out: u32[length(x)] output require (length(x) +' 7_u32) fits
        distribute Block b < length(x) { forall Block i < 1_u32 { store out[b] = x[b] } } }";
    let kernel = crate::ir::read(text).unwrap();
    let plan = crate::pipeline::compile(kernel, &crate::plan::Limits::from(32).into()).unwrap();
    let text = manifest(&plan, &plan.interface().unwrap(), "");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["requirements"][0]["length"]["text"], "x + 7");
    assert_eq!(json["requirements"][0]["fits"], "u32");
}

#[test]
fn a_manifest_is_laid_out_for_people() {
    let plan = samples::reduction();
    let text = manifest(&plan, &plan.interface().unwrap(), "");
    assert!(
        text.starts_with("{\n  \"kernel\": \"sums\",\n") && text.ends_with("\n}\n"),
        "{text}"
    );
    assert!(
        text.contains(
            "\n  \"arguments\": [\n    \"input\",\n    \"sums\",\n    \"input_len\"\n  ],\n"
        ),
        "{text}"
    );
}

#[test]
fn a_manifest_knows_scalars_and_the_names_in_the_cuda_text() {
    let plan = samples::collatz();
    let text = manifest(&plan, &plan.interface().unwrap(), "");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let scalar = serde_json::json!({"name": "float", "symbol": "float_", "type": "u32", "role": "scalar", "group": 1});
    assert_eq!(json["parameters"][1], scalar);
    assert_eq!(
        json["arguments"],
        serde_json::json!(["input", "float_", "steps", "input_len"])
    );
}
