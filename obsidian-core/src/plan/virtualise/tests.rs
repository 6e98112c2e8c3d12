//! Kernels before and after, as text.

use super::virtualise;
use crate::ir::{Dialect, read, validate};

/// What a block executes, without indentation.
fn block(threads: u32, body: &str) -> String {
    let text = format!("kernel k {{\n  parameter 0 n: u32\n  parameter 1 out: u32[n] output\n distribute Block b < 4_u32 {{ {body} }} }}");
    let kernel = virtualise(read(&text).unwrap(), threads);
    validate(&kernel, Dialect::Physical).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    assert_eq!(read(&kernel.to_string()).unwrap().to_string(), kernel.to_string());
    let text = kernel.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).skip(4).collect();
    assert_eq!(lines[0], "for blocks b in BlockIndex .. 4_u32 step GridSize {");
    lines[1..lines.len() - 2].join("\n")
}

const EIGHT: &str = "forall Block i < 8_u32 { store out[i] = b }";

#[test]
fn as_many_threads_as_iterations_need_no_loop() {
    assert_eq!(block(8, EIGHT), "let i = ThreadIndex\nstore out[i] = b");
}

#[test]
fn whole_rounds_are_a_loop_without_a_guard() {
    assert_eq!(block(4, EIGHT), "for rounds Block v0 in 0_u32 .. 2_u32 step 1_u32 {\nlet i = ((v0 *' 4_u32) +' ThreadIndex)\nstore out[i] = b\n}");
}

#[test]
fn fewer_iterations_than_threads_are_guarded() {
    assert_eq!(block(32, EIGHT), "if (ThreadIndex < 8_u32) {\nlet i = ThreadIndex\nstore out[i] = b\n}");
}

#[test]
fn the_rest_of_a_single_round_comes_first() {
    let text = "if (ThreadIndex < 3_u32) {\nlet i = (ThreadIndex +' 5_u32)\nstore out[i] = b\n}\nlet i = ThreadIndex\nstore out[i] = b";
    assert_eq!(block(5, EIGHT), text);
}

#[test]
fn rounds_and_a_rest_cover_any_number() {
    let text = "for rounds Block v0 in 0_u32 .. 2_u32 step 1_u32 {\nlet i = ((v0 *' 3_u32) +' ThreadIndex)\nstore out[i] = b\n}
if (ThreadIndex < 2_u32) {\nlet i = (ThreadIndex +' 6_u32)\nstore out[i] = b\n}";
    assert_eq!(block(3, EIGHT), text);
}

#[test]
fn one_thread_does_everything() {
    assert_eq!(block(1, EIGHT), "for rounds Block v0 in 0_u32 .. 8_u32 step 1_u32 {\nlet i = v0\nstore out[i] = b\n}");
    assert_eq!(block(1, "forall Block i < 1_u32 { store out[i] = b }"), "let i = 0_u32\nstore out[i] = b");
}

#[test]
fn a_count_that_is_not_known_is_divided_once() {
    let text = "let v0 = (n *' 2_u32)\nlet v1 = (v0 /' 4_u32)\nfor rounds Block v2 in 0_u32 .. v1 step 1_u32 {\nlet i = ((v2 *' 4_u32) +' ThreadIndex)\nstore out[i] = b\n}
if (ThreadIndex < (v0 %' 4_u32)) {\nlet i = ((v1 *' 4_u32) +' ThreadIndex)\nstore out[i] = b\n}";
    assert_eq!(block(4, "forall Block i < (n *' 2_u32) { store out[i] = b }"), text);
}

#[test]
fn no_iterations_are_no_statement() {
    assert_eq!(block(4, "forall Block i < 0_u32 { store out[i] = b }"), "");
}

#[test]
fn lanes_share_out_what_a_warp_does() {
    let body = "distribute Warp w < 4_u32 { forall Warp i < 64_u32 { store out[i] = w } }";
    let rounds = "for rounds Warp v0 in 0_u32 .. 2_u32 step 1_u32 {\nlet i = ((v0 *' 32_u32) +' LaneIndex)\nstore out[i] = w\n}";
    assert_eq!(block(64, body), format!("for warps w in WarpIndex .. 4_u32 step 2_u32 {{\n{rounds}\n}}"));
    assert_eq!(block(32, body), format!("for warps w in 0_u32 .. 4_u32 step 1_u32 {{\n{rounds}\n}}"));
}

#[test]
fn a_partial_warp_takes_no_part() {
    let body = "distribute Warp w < 4_u32 { forall Warp i < 32_u32 { store out[i] = w } }";
    let each = "let i = LaneIndex\nstore out[i] = w";
    assert_eq!(block(40, body), format!("if (WarpIndex < 1_u32) {{\nfor warps w in WarpIndex .. 4_u32 step 1_u32 {{\n{each}\n}}\n}}"));
    let few = "if (LaneIndex < 12_u32) {\nlet i = (LaneIndex +' 20_u32)\nstore out[i] = w\n}\nlet i = LaneIndex\nstore out[i] = w";
    assert_eq!(block(20, body), format!("for warps w in 0_u32 .. 4_u32 step 1_u32 {{\n{few}\n}}"));
}

#[test]
fn a_threads_own_loop_is_sequential() {
    let text = "let i = ThreadIndex\nfor sequential Thread k in 0_u32 .. 2_u32 step 1_u32 {\nstore out[i] = k\n}";
    assert_eq!(block(8, "forall Block i < 8_u32 { forall Thread k < 2_u32 { store out[i] = k } }"), text);
}

#[test]
fn a_body_whose_names_are_bound_elsewhere_gets_a_loop_of_its_own() {
    let text = "for rounds Block v0 in 0_u32 .. 1_u32 step 1_u32 {\nlet i = ((v0 *' 8_u32) +' ThreadIndex)\nlet x = 1_u32\nstore out[i] = x\n}
for rounds Block v1 in 0_u32 .. 1_u32 step 1_u32 {\nlet j = ((v1 *' 8_u32) +' ThreadIndex)\nlet x = 2_u32\nstore out[j] = x\n}";
    let body = "forall Block i < 8_u32 { let x = 1_u32 store out[i] = x } forall Block j < 8_u32 { let x = 2_u32 store out[j] = x }";
    assert_eq!(block(8, body), text);
}
