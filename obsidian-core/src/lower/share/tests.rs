//! Kernels before and after, as text.

use super::{Chains, share};
use crate::ir::{Kernel, Levelled, read, validate};

const HEADER: &str = "kernel k {\n  parameter 0 input: i32[length(input)] input\n  parameter 1 output: i32[length(input)] output\n";

fn shared_kernel(kernel: Kernel<Levelled>) -> Kernel<Levelled> {
    share(kernel, Chains::Once).0
}

/// The body of the shared kernel, without indentation, one statement a line.
fn shared(body: &str) -> String {
    let kernel = shared_kernel(read(&format!("{HEADER} {body} }}")).unwrap());
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    let text = kernel.to_string();
    let lines = text.strip_prefix(HEADER).unwrap().lines().map(str::trim);
    lines
        .collect::<Vec<_>>()
        .join("\n")
        .strip_suffix("\n}")
        .unwrap()
        .to_owned()
}

fn in_thread(body: &str) -> String {
    let text = shared(&format!(
        "distribute Block b < 4_u32 {{ forall Block i < 8_u32 {{\n{body}\n}} }}"
    ));
    let inner = text
        .strip_prefix("distribute Block b < 4_u32 {\nforall Block i < 8_u32 {\n")
        .unwrap_or(&text);
    inner.strip_suffix("\n}\n}").unwrap_or(inner).to_owned()
}

#[test]
fn a_value_used_twice_is_bound_once() {
    assert_eq!(
        in_thread("store output[i] = (input[i] * input[i])"),
        "let v0 = input[i]\nstore output[i] = (v0 * v0)"
    );
}

#[test]
fn a_value_used_once_stays_where_it_is() {
    let text = "store output[i] = (input[i] + 1_i32)";
    assert_eq!(in_thread(text), text);
}

#[test]
fn sharing_again_changes_nothing() {
    let once = shared_kernel(read(&format!("{HEADER} distribute Block b < 4_u32 {{ forall Block i < 8_u32 {{ store output[((b * 8_u32) + i)] = i32(((b * 8_u32) + i)) }} }} }}")).unwrap());
    assert_eq!(shared_kernel(once.clone()).to_string(), once.to_string());
}

#[test]
fn what_a_loop_does_not_change_is_hoisted_to_its_binder() {
    let text = shared(
        "distribute Block b < 4_u32 { forall Block i < 8_u32 { store output[((b *' 8_u32) +' i)] = 1_i32 } }",
    );
    assert_eq!(
        text,
        "distribute Block b < 4_u32 {\nlet v0 = (b *' 8_u32)\nforall Block i < 8_u32 {\nstore output[(v0 +' i)] = 1_i32\n}\n}"
    );
}

#[test]
fn a_load_does_not_leave_its_branch() {
    let text = "if (i < 4_u32) {\nstore output[i] = input[i]\n} else {\nstore output[i] = (input[i] + 1_i32)\n}";
    assert_eq!(in_thread(text), text);
}

#[test]
fn a_load_serves_the_branches_after_it() {
    let text =
        in_thread("store output[0_u32] = input[i] if (i < 4_u32) { store output[i] = input[i] }");
    assert_eq!(
        text,
        "let v0 = input[i]\nstore output[0_u32] = v0\nif (i < 4_u32) {\nstore output[i] = v0\n}"
    );
}

#[test]
fn a_load_in_an_arm_stays_there() {
    let text = "store output[i] = select((i < 4_u32), (input[i] + 1_i32), 0_i32)";
    assert_eq!(in_thread(text), text);
}

#[test]
fn an_arm_that_loads_and_computes_twice_becomes_a_list() {
    let text = in_thread("store output[i] = select((i < 4_u32), (input[i] * input[i]), 0_i32)");
    let list = "let v1 = input[i]\nassign v0 = (v1 * v1)";
    assert_eq!(
        text,
        format!(
            "cell v0 = 0_i32\nif (i < 4_u32) {{\n{list}\n}} else {{\nassign v0 = 0_i32\n}}\nget v2 = v0\nstore output[i] = v2"
        )
    );
}

#[test]
fn arithmetic_in_arms_is_shared() {
    let text =
        in_thread("store output[i] = select((i < 4_u32), i32((i + 1_u32)), (- i32((i + 1_u32))))");
    assert_eq!(
        text,
        "let v0 = i32((i + 1_u32))\nstore output[i] = select((i < 4_u32), v0, (- v0))"
    );
}

#[test]
fn an_exact_difference_is_not_computed_ahead_of_its_condition() {
    let text = "store output[i] = select((i < 4_u32), input[(3_u32 -' i)], i32((3_u32 -' i)))";
    assert_eq!(in_thread(text), text);
}

#[test]
fn a_name_that_is_there_is_used() {
    let text = in_thread("let x = (i + 1_u32) store output[x] = i32((i + 1_u32))");
    assert_eq!(text, "let x = (i + 1_u32)\nstore output[x] = i32(x)");
}

#[test]
fn arithmetic_used_in_both_branches_is_bound_before_them() {
    let text = in_thread(
        "if (i < 4_u32) { store output[i] = i32((i * 3_u32)) } else { store output[(i * 3_u32)] = 1_i32 }",
    );
    let expected = "let v0 = (i * 3_u32)\nif (i < 4_u32) {\nstore output[i] = i32(v0)\n} else {\nstore output[v0] = 1_i32\n}";
    assert_eq!(text, expected);
}

#[test]
fn a_condition_of_a_while_is_shared_with_its_body() {
    let text = in_thread(
        "cell c = 0_i32 while { get x = c } holds ((x * x) < 9_i32) { assign c = ((x * x) + 1_i32) }",
    );
    let expected = "cell c = 0_i32\nwhile {\nget x = c\nlet v0 = (x * x)\n} holds (v0 < 9_i32) {\nassign c = (v0 + 1_i32)\n}";
    assert_eq!(text, expected);
}

#[test]
fn a_value_does_not_pass_the_read_that_it_depends_on() {
    let text = shared(
        "distribute Block b < 4_u32 { allocate s: u32[8_u32] shared forall Block i < 8_u32 { read x = s[i] store s[(x + 1_u32)] = (x + 1_u32) } }",
    );
    assert!(
        text.contains("read x = s[i]\nlet v0 = (x + 1_u32)\nstore s[v0] = v0"),
        "{text}"
    );
}

#[test]
fn a_doubling_chain_is_linear() {
    let chain: String = (1..=20)
        .map(|n| format!("${n} := (${m} + ${m})\n", m = n - 1))
        .collect();
    let text = in_thread(&format!("$0 := input[i]\n{chain} store output[i] = $20"));
    assert_eq!(text.lines().count(), 21);
    assert!(
        text.contains("let v19 = (v18 + v18)\nstore output[i] = (v19 + v19)"),
        "{text}"
    );
}

#[test]
fn a_deep_expression_is_shared_without_recursion() {
    let chain: String = (1..=10_000)
        .map(|n| format!("${n} := (${} * 3_i32)\n", n - 1))
        .collect();
    let text = in_thread(&format!("$0 := input[i]\n{chain} store output[i] = $10000"));
    assert!(text.contains("store output[i] = "), "{text}");
}

#[test]
fn each_list_of_a_collective_binds_what_it_uses_twice() {
    let text = shared(
        "distribute Block b < 4_u32 { reduce Block i < 8_u32 { give (input[i] * input[i]) }
         by l r { give (((l + r) * (l + r)) + i32((b * 2_u32))) }
         into j < 1_u32 x { store output[((b * 2_u32) + j)] = (x * 3_i32) } }",
    );
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[1..lines.len() - 1],
        [
            // What does not depend on the elements is in front.
            "let v0 = (b * 2_u32)",
            "let v1 = i32(v0)",
            "reduce Block i < 8_u32 {",
            "let v2 = input[i]",
            "give (v2 * v2)",
            "} by l r {",
            "let v3 = (l + r)",
            "give ((v3 * v3) + v1)",
            "} into j < 1_u32 x {",
            "store output[(v0 + j)] = (x * 3_i32)",
            "}",
        ]
    );
}

#[test]
fn what_both_arms_compute_is_bound_before_them() {
    assert_eq!(
        in_thread("store output[i] = select((i < 3_u32), (input[i] + 1_i32), (input[i] * 2_i32))"),
        "let v0 = input[i]\nstore output[i] = select((i < 3_u32), (v0 + 1_i32), (v0 * 2_i32))"
    );
    // What the one computes in a choice of its own is not computed in any case.
    let text = "store output[i] = select((i < 3_u32), (input[i] + 1_i32), select((i < 5_u32), input[i], 0_i32))";
    assert_eq!(in_thread(text), text);
}

#[test]
fn results_of_one_function_in_choices_on_one_condition_share_an_if() {
    let text = in_thread(
        "let a = select((i < 3_u32), (exp(f32(input[i])) + 1_f32), 0_f32)
         let z = select((i < 3_u32), (exp(f32(input[i])) * 2_f32), 0_f32)
         store output[i] = i32((a + z))",
    );
    assert_eq!(text.matches("exp").count(), 1, "{text}");
    assert_eq!(text.matches("if ").count(), 1, "{text}");
}

#[test]
fn a_choice_is_not_made_ahead_of_what_it_depends_on() {
    // `z` needs `a`, and `input` is read behind the store to `output` that it does not see.
    let text = in_thread(
        "let a = select((i < 3_u32), (exp(f32(input[i])) + exp(f32(input[i]))), 0_f32)
         let z = select((i < 3_u32), (exp(a) * f32(input[i])), 0_f32)
         store output[i] = i32(z)",
    );
    assert_eq!(text.matches("if ").count(), 1, "{text}");
    let shared = "allocate s: i32[8_u32] shared
         forall Block f < 8_u32 { store s[f] = 1_i32 } wait Block
         forall Block i < 8_u32 {
         let a = select((i < 3_u32), (s[i] * s[i]), 0_i32)
         store s[i] = a
         let z = select((i < 3_u32), ((s[i] * s[i]) + 1_i32), 0_i32)
         store output[i] = z }";
    let text = shared_kernel(
        read(&format!(
            "{HEADER} distribute Block b < 4_u32 {{ {shared} }} }}"
        ))
        .unwrap(),
    )
    .to_string();
    let store = text.rfind("store s[").unwrap_or_default();
    let last = text.rfind("= s[").unwrap_or_default();
    assert!(store < last, "{text}");
}

/// A loop of one thread around statements that give `v` and change the cell `c`.
fn in_rounds(count: &str, body: &str) -> String {
    in_thread(&format!(
        "cell c = 0_i32
         for sequential Thread k in 0_u32 .. {count} step 1_u32 {{ get old = c {body} }}
         get end = c store output[i] = end"
    ))
}

#[test]
fn a_load_that_a_loop_does_not_change_is_in_front_of_it() {
    let text = in_rounds("8_u32", "assign c = (old + input[i])");
    assert!(text.contains("let v0 = input[i]\nfor"), "{text}");
    // Out of two loops, and not out of what may not be executed.
    let inner = |guard: &str| {
        format!(
            "{guard} {{ for sequential Thread l in 0_u32 .. 4_u32 step 1_u32 {{ get older = c assign c = (older + input[i]) }} }}"
        )
    };
    let text = in_rounds(
        "8_u32",
        &inner("for sequential Thread m in 0_u32 .. 2_u32 step 1_u32"),
    );
    assert!(
        text.contains("let v0 = input[i]\nfor sequential Thread k"),
        "{text}"
    );
    let text = in_rounds("8_u32", &inner("if (old < 9_i32)"));
    assert!(
        text.contains("let v0 = input[i]\nfor sequential Thread l"),
        "{text}"
    );
}

#[test]
fn a_load_stays_in_a_loop_that_may_not_execute_it_or_writes_the_array() {
    for (count, body) in [
        ("length(input)", "assign c = (old + input[i])"),
        ("0_u32", "assign c = (old + input[i])"),
        (
            "8_u32",
            "if (old > 9_i32) { break } assign c = (old + input[i])",
        ),
        ("8_u32", "assign c = (old + input[k])"),
        ("8_u32", "assign c = select((old > 9_i32), input[i], old)"),
    ] {
        let text = in_rounds(count, body);
        let (front, _) = text.split_once("for").unwrap();
        assert!(!front.contains("input"), "{text}");
    }
    let text = "allocate s: i32[8_u32] shared
        forall Block f < 8_u32 { store s[f] = 1_i32 } wait Block
        forall Block i < 8_u32 {
          cell c = 0_i32
          for sequential Thread k in 0_u32 .. 8_u32 step 1_u32 { get old = c assign c = (old + s[i]) store s[i] = k }
          get end = c store output[i] = end }";
    let text = text.replace("= k }", "= i32(k) }");
    let text = shared(&format!("distribute Block b < 4_u32 {{ {text} }}"));
    let (front, _) = text.split_once("for sequential").unwrap();
    assert!(!front.contains("= s["), "{text}");
}
