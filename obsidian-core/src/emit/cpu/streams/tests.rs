//! Which loops go around the lanes, and what becomes of them.

use super::streams;
use crate::ir::{Lowered, read, validate};

/// The loops that lanes become, and how many names are hidden; nothing if they stay.
fn streamed(count: u32, body: &str) -> Option<(String, usize)> {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 x: f32[n] input parameter 2 y: u32[n] input \
         parameter 3 out: f32[n] inout \
         distribute Block b < 4_u32 {{ forall Block i < {count}_u32 {{ {body} }} }} }}"
    );
    let kernel = read::<Lowered>(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let before = kernel.to_string();
    let (kernel, hidden) = streams(kernel);
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    let text = kernel.to_string();
    (text != before).then_some((text, hidden.len()))
}

/// A sum of a lane's elements, from the first one on.
fn sum(rounds: &str, step: &str) -> String {
    format!(
        "let at = ((b *' 4096_u32) +' i) cell s = x[at] \
         for sequential Thread k in 0_u32 .. {rounds} step 1_u32 {{ get v = s {step} }} \
         get all = s store out[at] = all"
    )
}

const ROW: &str = "x[((b *' 4096_u32) +' (i +' ((k +' 1_u32) *' 256_u32)))]";

#[test]
fn a_loop_through_an_input_goes_around_the_lanes() {
    let (text, hidden) = streamed(256, &sum("15_u32", &format!("assign s = (v + {ROW})"))).unwrap();
    assert_eq!(text.matches("forall Block").count(), 3, "{text}");
    assert_eq!(text.matches("for sequential Block").count(), 1, "{text}");
    assert_eq!(text.matches("for sequential Thread").count(), 0, "{text}");
    // The number of rounds; the index is computed anew in each part, and one cell is kept.
    assert_eq!((hidden, text.matches("allocate").count()), (1, 1), "{text}");
    // A number of rounds that the launch knows; an index that has a name.
    let named = format!(
        "let j = (i +' ((k +' 1_u32) *' 256_u32)) let r = ((b *' 4096_u32) +' j) assign s = (v + {})",
        "x[r]"
    );
    assert!(streamed(256, &sum("n", &named)).is_some());
}

#[test]
fn values_that_may_stay_are_stored_whole() {
    for (step, hidden) in [
        (format!("assign s = max(v, {ROW})"), 2),
        (format!("assign s = select((v < {ROW}), v, 0.0_f32)"), 2),
        (format!("let e = {ROW} if (v < e) {{ assign s = e }}"), 2),
        (format!("assign s = (v * {ROW})"), 1),
    ] {
        let (text, found) = streamed(256, &sum("15_u32", &step)).unwrap();
        assert_eq!(found, hidden, "{text}");
        assert_eq!(text.matches('^').count(), hidden - 1, "{text}");
    }
}

#[test]
fn rounds_that_divide_or_take_roots_go_around_the_lanes() {
    let near = "x[((b *' 4096_u32) +' (i +' k))]";
    for step in [
        "assign s = (v / x[k])".to_owned(),
        "let e = x[k] let d = (e - v) assign s = (v + (1.0_f32 / sqrt(d)))".to_owned(),
        format!("assign s = sqrt((v + {near}))"),
    ] {
        let (text, _) = streamed(256, &sum("n", &step)).unwrap_or_default();
        assert!(text.contains("for sequential Block"), "{step}: {text}");
    }
    // Other elements, of other arrays; a choice of statements; integers, for which there is no instruction; none of these.
    for step in [
        "assign s = (v / x[(k +' (i *' 2_u32))])",
        "assign s = (v / x[y[k]])",
        "read e = out[k] assign s = (v / e)",
        "if (v < 1.0_f32) { assign s = (v / 2.0_f32) }",
        "assign s = select(((k / 3_u32) < n), (v / 2.0_f32), v)",
        "assign s = (v * x[k])",
    ] {
        assert_eq!(streamed(256, &sum("n", step)), None, "{step}");
    }
}

#[test]
fn other_loops_stay() {
    let usual = format!("assign s = (v + {ROW})");
    assert!(streamed(256, &sum("15_u32", &usual)).is_some());
    // One round; lanes that leave; rounds that differ; atomic operations.
    assert!(streamed(256, &sum("1_u32", &usual)).is_none());
    assert!(
        streamed(
            256,
            &sum("15_u32", &format!("{usual} if (v < 0.0_f32) {{ break }}"))
        )
        .is_none()
    );
    assert!(streamed(256, &sum("i", &usual)).is_none());
    assert!(streamed(256, &sum("y[0_u32]", &usual)).is_none());
    assert!(
        streamed(
            256,
            &sum(
                "15_u32",
                &format!("{usual} atomic old = add out[i] (1.0_f32)")
            )
        )
        .is_none()
    );
    let of_eight = sum("15_u32", &usual.replace("256", "8"));
    assert!(streamed(8, &of_eight).is_some());
    // Few lanes; rows that do not follow each other; what is not sure to be read, or not an input.
    assert!(streamed(7, &sum("15_u32", &usual.replace("256", "7"))).is_none());
    assert!(streamed(256, &sum("15_u32", &usual.replace("256", "255"))).is_none());
    assert!(
        streamed(
            256,
            &sum("15_u32", &usual.replace("i +'", "(i *' 2_u32) +'"))
        )
        .is_none()
    );
    let maybe = format!("assign s = select((k < n), {ROW}, 0.0_f32)");
    assert!(streamed(256, &sum("15_u32", &maybe)).is_none());
    let changed = format!("read e = {} assign s = (v + e)", ROW.replace("x[", "out["));
    assert!(streamed(256, &sum("15_u32", &changed)).is_none());
    // More than the lanes can keep.
    let many: String = (0..32).map(|k| format!("cell c{k} = x[i] ")).collect();
    let used: String = (0..32)
        .map(|k| format!("get g{k} = c{k} store out[g] = g{k} ").replace("[g]", "[i]"))
        .collect();
    let many = format!("{many}{} {used}", sum("15_u32", &usual));
    assert_eq!(streamed(256, &many), None);
}
