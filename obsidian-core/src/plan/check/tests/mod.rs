//! Right programs pass, wrong ones are named, and both as brute force says; by property, with what the
//! parts share here.

mod alike;
mod brute_force;
mod composed;
mod coverage;
mod gaps;
mod held;
mod invariants;
mod launch;
mod parts;
mod races;
mod radices;
mod range;
mod ranks;
mod reach;
mod wide;

use super::check;
use crate::ir::read;

/// The ids of what is wrong with a block's body; `out` has `length` elements, and there are 4
/// blocks `b`.
fn wrong(length: &str, body: &str) -> Vec<&'static str> {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 io: u32[n] inout parameter 3 out: u32[{length}] output distribute Block b < 4_u32 {{ {body} }} }}"
    );
    let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
    checked.diagnostics.iter().map(|d| d.id).collect()
}

/// A block that fills its part of the output and does something else before.
fn beside(body: &str) -> Vec<&'static str> {
    wrong(
        "32_u32",
        &format!("{body} forall Block o < 8_u32 {{ store out[((b *' 8_u32) +' o)] = 1_u32 }}"),
    )
}

const NONE: [&str; 0] = [];

/// The ids of what is wrong with the statements of a kernel whose output has `length` elements, at
/// every `n`.
fn wrong_at_any_length(length: &str, body: &str) -> Vec<&'static str> {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[{length}] output {body} }}"
    );
    let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
    checked.diagnostics.iter().map(|d| d.id).collect()
}

#[test]
fn what_threads_do_together_is_reached_by_all() {
    let compute =
        "allocate s: u32[8_u32] shared forall Block i < 8_u32 { store s[i] = 1_u32 } wait Block";
    assert_eq!(beside(&format!("if (n < 3_u32) {{ {compute} }}")), NONE);
    assert_eq!(
        beside(&format!("if (x[b] < 3_u32) {{ {compute} }}").replace("x[b]", "x[0_u32]")),
        NONE
    );
    assert_eq!(
        beside(&format!("if (ThreadIndex < 3_u32) {{ {compute} }}")),
        ["divergent"]
    );
    assert_eq!(
        beside(&format!(
            "for sequential Block k in 0_u32 .. ThreadIndex step 1_u32 {{ {compute} }}"
        )),
        ["divergent"]
    );
    assert_eq!(
        beside("forall Block i < 8_u32 { if (i < 3_u32) { let y = i } }"),
        NONE
    );
}

#[test]
fn a_message_says_who_does_what() {
    let of = |body: &str| {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 out: u32[32_u32] output distribute Block b < 4_u32 {{ {body} }} }}"
        );
        check(&read(&text).unwrap())
            .diagnostics
            .iter()
            .map(|d| d.message.clone())
            .collect::<Vec<_>>()
    };
    let twice = of(
        "forall Block i < 8_u32 { for sequential Thread k in 0_u32 .. 2_u32 step 1_u32 { store out[((b *' 8_u32) +' i)] = k } }",
    );
    assert_eq!(
        twice,
        [
            "block 0, thread 0, round 0 and block 0, thread 0, round 1 both write element 0 of the output `out`"
        ]
    );
    let one = of("forall Block i < 1_u32 { store out[40_u32] = 1_u32 }");
    assert!(one[0].contains("block 0, thread 0 "), "{one:?}");
}

/// Kernels that were once accepted: each is wrong at some length, or in some order of its threads.
const ACCEPTED_ONCE: &[(&str, &str)] = &[
    (
        "blocks do not wait for each other around a condition",
        "parameter 0 n: u32 parameter 1 io: u32[length(io)] inout
         distribute Block b < length(io) { forall Block i < 1_u32 { store io[b] = 1_u32 } }
         if (n > 3_u32) { distribute Block c < length(io) { forall Block o < 1_u32 { read v = io[((length(io) -' 1_u32) -' c)] } } }",
    ),
    (
        "nor around two",
        "parameter 0 n: u32 parameter 1 io: u32[length(io)] inout
         if (n > 2_u32) { distribute Block b < length(io) { forall Block i < 1_u32 { store io[b] = 1_u32 } } }
         if (n > 3_u32) { distribute Block c < length(io) { forall Block o < 1_u32 { read v = io[((length(io) -' 1_u32) -' c)] } } }",
    ),
    (
        "nor around a loop of the grid",
        "parameter 0 n: u32 parameter 1 io: u32[length(io)] inout
         for sequential Grid k in 0_u32 .. 2_u32 step 1_u32 {
         distribute Block b < 4_u32 { forall Block i < 1_u32 { if (b < length(io)) { store io[b] = 1_u32 } } } }
         distribute Block c < 4_u32 { forall Block j < 1_u32 { if ((3_u32 -' c) < length(io)) { store io[(3_u32 -' c)] = 1_u32 } } }",
    ),
    (
        "nor between its rounds",
        "parameter 0 n: u32 parameter 1 io: u32[length(io)] inout
         for sequential Grid k in 0_u32 .. 2_u32 step 1_u32 {
         distribute Block b < 4_u32 { forall Block i < 1_u32 { if ((b + k) < length(io)) { read v = io[(b + k)] store io[(b + k)] = v } } } }",
    ),
    (
        "a launch does not compute a count inside of a block, which may wrap",
        "parameter 0 n: u32 parameter 1 x: u32[length(x)] input parameter 2 out: u32[((length(x) /' 32_u32) *' 32_u32)] output
         distribute Block b < 32_u32 { forall Block i < ((length(x) *' 3_u32) /' 96_u32) { store out[((i *' 32_u32) +' b)] = 1_u32 } }",
    ),
    (
        "nor one in a loop of the grid",
        "parameter 0 n: u32 parameter 1 out: u32[n] output
         for sequential Grid k in 0_u32 .. 1_u32 step 1_u32 { distribute Block b < ((n *' 8_u32) /' 8_u32) { forall Block i < 1_u32 { store out[b] = 1_u32 } } }",
    ),
    (
        "a loop whose counter is limited may have no round",
        "parameter 0 n: u32 parameter 1 out: u32[40_u32] output
         distribute Block b < 4_u32 { forall Block i < 16_u32 { for sequential Thread t in 0_u32 .. (n % 4_u32) step 1_u32 { let at = ((t *' 16_u32) +' i) if (at < 10_u32) { store out[((b *' 10_u32) +' at)] = 1_u32 } } } }",
    ),
    (
        "a quotient of a counter says nothing where the loop has no round",
        "parameter 0 n: u32 parameter 1 out: u32[(max(n, 1_u32) *' 32_u32)] output
         distribute Block b < (n *' 4_u32) { forall Block i < 8_u32 { for sequential Thread k in 0_u32 .. min(((b / 4_u32) + 1_u32), 1_u32) step 1_u32 { store out[((b *' 8_u32) +' i)] = 1_u32 } } }",
    ),
    (
        "of two conditions each holds for its own threads",
        "parameter 0 n: u32 parameter 1 x: u32[n] input parameter 3 out: u32[4_u32] output
         distribute Block b < 4_u32 { allocate s: u32[32_u32] shared forall Block i < 16_u32 { if (i >= 8_u32) { if (i >= 5_u32) { if (x[0_u32] < 3_u32) { let at = (((n % 2_u32) *' 16_u32) +' select((i < 13_u32), 0_u32, i)) read v = s[at] store s[at] = v } } } } forall Block o < 1_u32 { store out[b] = 1_u32 } }",
    ),
    (
        "a choice has another range under another condition",
        "parameter 0 m: u32 parameter 1 x: u32[16_u32] input parameter 3 out: u32[4_u32] output
         distribute Block b < 4_u32 { allocate s: u32[64_u32] shared forall Block i < 16_u32 { if ((m % 64_u32) <= 32_u32) { read v = s[select((x[i] < 3_u32), 40_u32, max((m % 64_u32), 32_u32))] } else { read w = s[select((x[i] < 3_u32), 40_u32, max((m % 64_u32), 32_u32))] } store s[(i +' 41_u32)] = 1_u32 } forall Block o < 1_u32 { store out[b] = 1_u32 } }",
    ),
    (
        "a rest may be more than 32 bits",
        "parameter 0 u: u32 parameter 1 v: u32 parameter 2 x: u32[8_u32] input parameter 3 out: u32[4_u32] output
         distribute Block b < 4_u32 { allocate s: u32[8_u32] shared
         forall Block w < 8_u32 { store s[w] = 1_u32 } wait Block forall Block i < 1_u32 { if (v <= u) { if ((u - v) < 500000000_u32) { if (v <= ((u - v) * 7_u32)) { let q = ((((u - v) * 7_u32) - v) / 8_u32) let y = s[((q + v) / 67108864_u32)] } } } store out[b] = 1_u32 } }",
    ),
    (
        "a length may be shorter than another",
        "parameter 0 n: u32 parameter 1 x: u32[length(x)] input parameter 2 y: u32[length(y)] input parameter 3 out: u32[length(y)] output require max(length(x), length(y)) equal length(y)
         distribute Block b < 1_u32 { forall Block i < length(y) { store out[i] = x[i] } }",
    ),
    (
        "a counter has its range wherever it occurs, also where less is known",
        "parameter 0 n: u32 parameter 1 io: u32[(n *' 8_u32)] inout
         distribute Block b < n { forall Block q < 8_u32 { if (0_u32 > 1_u32) { read v = io[((b *' 8_u32) +' q)] store io[((b *' 8_u32) +' q)] = v } }
         forall Block i < select((9_u32 >= 2_u32), 8_u32, 2_u32) { for sequential Thread k in 0_u32 .. i step 1_u32 {
         read v = io[((b *' 8_u32) +' i)] store io[((b *' 8_u32) +' (7_u32 -' i))] = v } } }",
    ),
];

#[test]
fn what_was_accepted_once_is_refused() {
    for (why, body) in ACCEPTED_ONCE {
        let kernel =
            read(&format!("kernel k {{ {body} }}")).unwrap_or_else(|e| panic!("{e}\n{body}"));
        assert!(!check(&kernel).diagnostics.is_empty(), "{why}: {body}");
    }
}
