//! What a launch computes and refuses is known to the proofs.

use super::{NONE, wrong_at_any_length};
use crate::ir::read;
use crate::plan::check::check;

/// Kernels that are right because a launch computes the same formula, and refuses every step that
/// leaves 32 bits.
const RIGHT_AS_THE_LAUNCH_REFUSES_WRAPS: &[(&str, &str)] = &[
    (
        "the number of blocks",
        "parameter 0 n: u32 parameter 1 out: u32[((n *' 8_u32) /' 8_u32)] output
         distribute Block b < ((n *' 8_u32) /' 8_u32) { forall Block i < 1_u32 { store out[b] = 1_u32 } }",
    ),
    (
        "a count inside of a block that is part of an output's length",
        "parameter 0 n: u32 parameter 1 x: u32[length(x)] input parameter 2 out: u32[(((length(x) *' 3_u32) /' 96_u32) *' 32_u32)] output
         distribute Block b < 32_u32 { forall Block i < ((length(x) *' 3_u32) /' 96_u32) { store out[((i *' 32_u32) +' b)] = 1_u32 } }",
    ),
    (
        "the same with a difference",
        "parameter 0 n: u32 parameter 1 out: u32[((16_u32 -' min((n *' 8_u32), 16_u32)) *' 4_u32)] output
         distribute Block b < 4_u32 { forall Block i < (16_u32 -' min((n *' 8_u32), 16_u32)) { store out[((i *' 4_u32) +' b)] = 1_u32 } }",
    ),
    (
        "what is required",
        "parameter 0 n: u32 parameter 1 out: u32[32_u32] output require ((n * 16_u32) / 3_u32) multiple_of 8
         distribute Block b < 4_u32 { allocate s: u32[8_u32] shared
         forall Block w < 8_u32 { store s[w] = 1_u32 } wait Block forall Block o < 8_u32 { let y = s[((((n * 16_u32) / 3_u32) % 8_u32) + o)] store out[((b *' 8_u32) +' o)] = 1_u32 } }",
    ),
    (
        "the user's own arithmetic in a number of blocks, rounded up, with a guard",
        "parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[n] output
         distribute Block b < ((n + 63_u32) / 64_u32) { forall Block i < 64_u32 { let g = ((b * 64_u32) + i) if (g < n) { store out[g] = x[g] } } }",
    ),
    (
        "the same in another way",
        "parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[n] output
         distribute Block b < (((n - 1_u32) / 64_u32) + 1_u32) { forall Block i < 64_u32 { let g = ((b * 64_u32) + i) if (g < n) { store out[g] = x[g] } } }",
    ),
    (
        "the quotient and one for a rest",
        "parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[n] output
         distribute Block b < ((n / 64_u32) + min((n % 64_u32), 1_u32)) { forall Block i < 64_u32 { let g = ((b * 64_u32) + i) if (g < n) { store out[g] = x[g] } } }",
    ),
    (
        "a number of blocks with a name",
        "parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[n] output let up = (n + 63_u32)
         distribute Block b < (up / 64_u32) { forall Block i < 64_u32 { let g = ((b * 64_u32) + i) if (g < n) { store out[g] = x[g] } } }",
    ),
];

#[test]
fn what_a_launch_computes_does_not_wrap() {
    for (what, body) in RIGHT_AS_THE_LAUNCH_REFUSES_WRAPS {
        let kernel =
            read(&format!("kernel k {{ {body} }}")).unwrap_or_else(|e| panic!("{e}\n{body}"));
        let found = check(&kernel).diagnostics;
        assert!(found.is_empty(), "{what}: {body}\n{found:?}");
    }
}

/// What a launch works out without wrapping is the number of blocks; other counts may wrap.
#[test]
fn a_number_of_rounds_may_wrap() {
    let of = |blocks: &str, threads: &str, index: &str| {
        wrong_at_any_length(
            "n",
            &format!(
                "distribute Block b < {blocks} {{ forall Block i < {threads} {{ if ({index} < n) {{ store out[{index}] = 1_u32 }} }} }}"
            ),
        )
    };
    assert_eq!(of("(n * 8_u32)", "1_u32", "b"), NONE);
    assert_eq!(of("1_u32", "(n * 8_u32)", "i"), ["maybe-not-once"]);
    assert_eq!(of("1_u32", "n", "i"), NONE);
}

/// How many numbers a launch has to compute, for it to be seen that the kernel does not wrap.
#[test]
fn a_number_of_rounds_that_may_wrap_is_asked_of_the_launch() {
    let of = |names: &str, rounds: &str| {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 out: u32[4_u32] output {names} distribute Block b < 4_u32 {{
             forall Block i < 1_u32 {{ store out[b] = 1_u32 }} forall Block j < {rounds} {{ let v = j }} }} }}"
        );
        let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        assert!(checked.diagnostics.is_empty(), "{text}");
        checked.rounds.len()
    };
    assert_eq!(of("", "n"), 0);
    assert_eq!(of("", "(n * 8_u32)"), 1);
    assert_eq!(of("let m = (n * 8_u32)", "m"), 1);
    assert_eq!(of("let m = (n / 8_u32)", "m"), 0);
}
