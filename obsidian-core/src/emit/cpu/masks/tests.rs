//! Which loops go on under a mask, and what becomes of them.

use super::masks;
use crate::ir::{Lowered, read, validate};

fn masked(count: u32, body: &str) -> Option<String> {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 x: f32[n] input parameter 2 out: f32[n] inout \
         distribute Block b < 4_u32 {{ forall Block i < {count}_u32 {{ {body} }} }} }}"
    );
    let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let before = kernel.to_string();
    let kernel = masks(kernel);
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    let text = kernel.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    (text != before).then(|| lines.join("\n"))
}

/// A loop that each lane leaves on its own.
fn halving(change: &str) -> String {
    format!(
        "let start = x[i] cell c = start \
         while {{ get v = c }} holds (v > 1.0_f32) {{ {change} }} get last = c store out[i] = (last + start)"
    )
}

#[test]
fn lanes_go_on_together_as_long_as_one_does() {
    let text = masked(64, &halving("assign c = (v * 0.5_f32)")).unwrap();
    let (_, inside) = text.split_once("for sequential Block").unwrap();
    // Both parts of a lane, the marks, a round, and who goes on, which one lane begins.
    assert_eq!(inside.matches("forall Block").count(), 6, "{inside}");
    assert_eq!(inside.matches("while {").count(), 1, "{inside}");
    assert!(
        inside.contains("0_u32 .. 4_u32 step 1_u32 rolled"),
        "{inside}"
    );
    // What the body makes is taken by lane, without a choice.
    assert!(
        inside.contains("from_bits(") && !inside.contains("select("),
        "{inside}"
    );
    assert!(text.contains("] = (last + start)"), "{text}");
}

#[test]
fn what_a_loop_does_not_change_is_computed_in_front_of_it() {
    let text = masked(
        64,
        &halving("assign c = (v - (start / (f32((i / n)) + 2.0_f32)))"),
    )
    .unwrap();
    let (front, inside) = text.split_once("while {").unwrap();
    assert!(front.contains("/ n)"), "{text}");
    let (round, _) = inside.split_once("} holds").unwrap();
    assert!(!round.contains("/"), "{text}");
}

#[test]
fn loops_that_access_memory_or_have_no_wide_instruction_stay() {
    for change in [
        "assign c = x[0_u32]",
        "read y = out[i] assign c = y",
        "store out[i] = v assign c = (v * 0.5_f32)",
        "assign c = sin(v)",
        "if (v < 9.0_f32) { break }",
        "for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 { assign c = (v * 0.5_f32) }",
        "assign c = f32((u32(v) / n))",
        "assign c = (v - x[n])",
    ] {
        assert!(masked(64, &halving(change)).is_none(), "{change}");
    }
    let usual = halving("assign c = (v * 0.5_f32)");
    assert!(masked(60, &usual).is_none());
    assert!(masked(64, &format!("{usual} atomic add out[i] (1.0_f32)")).is_none());
    assert!(masked(64, "store out[i] = 1.0_f32").is_none());
}
