//! Right programs pass, wrong ones are named, and both as brute force says.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::check;
use crate::ir::read;
use crate::plan::WritePattern;
use crate::scalar::ArrayId;

mod reach;

/// The ids of what is wrong with a block's body; `out` has `length` elements, and there are 4
/// blocks `b`.
fn wrong(length: &str, body: &str) -> Vec<&'static str> {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 io: u32[n] inout parameter 3 out: u32[{length}] output distribute Block b < 4_u32 {{ {body} }} }}"
    );
    let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
    checked.diagnostics.iter().map(|d| d.id).collect()
}

fn pattern(length: u32, body: &str) -> WritePattern {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 out: u32[{length}_u32] output distribute Block b < 4_u32 {{ {body} }} }}"
    );
    check(&read(&text).unwrap())
        .patterns
        .get(&ArrayId(0))
        .copied()
        .unwrap_or(WritePattern::Scattered)
}

/// A block that fills its part of the output and does something else before.
fn beside(body: &str) -> Vec<&'static str> {
    wrong(
        "32_u32",
        &format!("{body} forall Block o < 8_u32 {{ store out[((b *' 8_u32) +' o)] = 1_u32 }}"),
    )
}

const NONE: [&str; 0] = [];

#[test]
fn a_block_that_writes_each_element_of_its_chunk_writes_chunks() {
    assert_eq!(
        pattern(
            32,
            "let base = (b *' 8_u32) forall Block i < 8_u32 { store out[(base +' i)] = 1_u32 }"
        ),
        WritePattern::Chunks(8)
    );
    let tile = "forall Block i < 8_u32 { for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 { store out[(((b *' 32_u32) +' (k *' 8_u32)) +' i)] = 1_u32 } }";
    assert_eq!(pattern(128, tile), WritePattern::Chunks(32));
    assert_eq!(
        pattern(
            32,
            "forall Block i < 8_u32 { store out[((b *' 8_u32) +' (7_u32 -' i))] = 1_u32 }"
        ),
        WritePattern::Chunks(8)
    );
    assert_eq!(
        pattern(4, "forall Block i < 1_u32 { store out[b] = 1_u32 }"),
        WritePattern::Chunks(1)
    );
    assert_eq!(
        pattern(
            32,
            "forall Block i < 8_u32 { store out[((b *' 8_u32) +' (i ^ 5_u32))] = 1_u32 }"
        ),
        WritePattern::Chunks(8)
    );
    assert_eq!(
        pattern(
            32,
            "forall Block i < 8_u32 { store out[((b *' 8_u32) +' ((i +' 3_u32) %' 8_u32))] = 1_u32 }"
        ),
        WritePattern::Chunks(8)
    );
}

#[test]
fn one_block_writes_one_chunk() {
    let of = |blocks: &str, length: &str| {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 out: u32[{length}] output distribute Block b < {blocks} {{ forall Block i < 8_u32 {{ store out[((b *' 8_u32) +' i)] = 1_u32 }} }} }}"
        );
        check(&read(&text).unwrap())
            .patterns
            .get(&ArrayId(0))
            .copied()
    };
    assert_eq!(of("1_u32", "8_u32"), Some(WritePattern::Chunks(8)));
    assert_eq!(of("n", "(n *' 8_u32)"), Some(WritePattern::Chunks(8)));
}

#[test]
fn several_stores_make_one_chunk() {
    let half = |at: u32| {
        format!(
            "forall Block i{at} < 4_u32 {{ store out[((b *' 8_u32) +' (i{at} +' {at}_u32))] = 1_u32 }}"
        )
    };
    assert_eq!(
        pattern(32, &format!("{} {}", half(4), half(0))),
        WritePattern::Chunks(8)
    );
    let teeth = |at: u32| {
        format!(
            "forall Block i{at} < 4_u32 {{ store out[((b *' 8_u32) +' ((i{at} *' 2_u32) +' {at}_u32))] = 1_u32 }}"
        )
    };
    assert_eq!(
        pattern(32, &format!("{} {}", teeth(1), teeth(0))),
        WritePattern::Chunks(8)
    );
    let unequal = "forall Block i < 1_u32 { store out[(b *' 8_u32)] = 1_u32 } forall Block j < 7_u32 { store out[((b *' 8_u32) +' (j +' 1_u32))] = 1_u32 }";
    assert_eq!(pattern(32, unequal), WritePattern::Chunks(8));
}

/// More elements than are looked at one by one.
#[test]
fn what_is_too_large_to_go_through_is_proved() {
    let teeth = |at: u32| {
        format!(
            "forall Block i{at} < 131072_u32 {{ store out[((b *' 262144_u32) +' ((i{at} *' 2_u32) +' {at}_u32))] = 1_u32 }}"
        )
    };
    assert_eq!(
        pattern(1 << 20, &format!("{} {}", teeth(1), teeth(0))),
        WritePattern::Chunks(1 << 18)
    );
    let masked = "forall Block i < 131072_u32 { store out[((b *' 131072_u32) +' (((i /' 32_u32) *' 32_u32) +' (i & 31_u32)))] = 1_u32 }";
    assert_eq!(pattern(1 << 19, masked), WritePattern::Chunks(1 << 17));
}

/// One half is written by two stores between each other, the other half by one, in loops too long
/// to go through.
#[test]
fn teeth_are_put_together_before_what_follows_them() {
    let of = |first: u32, second: u32, half: u32| {
        let teeth = [first, second].map(|at| {
            format!(
                "forall Block i{at} < 65536_u32 {{ store out[((b *' 262144_u32) +' (((i{at} ^ 5_u32) *' 2_u32) +' {at}_u32))] = 1_u32 }}"
            )
        });
        let rest = format!(
            "forall Block j < 131072_u32 {{ store out[((b *' 262144_u32) +' (j +' {half}_u32))] = 2_u32 }}"
        );
        format!("{} {rest}", teeth.join(" "))
    };
    let nothing =
        "forall Block z < 0_u32 { store out[((b *' 262144_u32) +' (z +' 7_u32))] = 3_u32 }";
    assert_eq!(
        pattern(1 << 20, &format!("{nothing} {}", of(0, 1, 1 << 17))),
        WritePattern::Chunks(1 << 18),
        "a loop without rounds"
    );
    assert_eq!(
        pattern(1 << 20, &of(0, 1, 1 << 17)),
        WritePattern::Chunks(1 << 18)
    );
    assert_eq!(
        pattern(1 << 20, &of(1, 0, 1 << 17)),
        WritePattern::Chunks(1 << 18)
    );
    assert_ne!(wrong("1048576_u32", &of(0, 2, 1 << 17)), NONE);
    assert_ne!(wrong("1048576_u32", &of(0, 1, (1 << 17) - 1)), NONE);
}

/// The ids of what is wrong with the statements of a kernel whose output has `length` elements, at
/// every `n`.
fn wrong_at_any_length(length: &str, body: &str) -> Vec<&'static str> {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[{length}] output {body} }}"
    );
    let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
    checked.diagnostics.iter().map(|d| d.id).collect()
}

/// `x ^ m` changes no bit above those of `m`.
#[test]
fn bits_above_a_mask_stay() {
    let of = |unit: u32, mask: u32| {
        let body = format!(
            "distribute Block b < n {{ forall Block i < {unit}_u32 {{ store out[(((b *' {unit}_u32) +' i) ^ {mask}_u32)] = 1_u32 }} }}"
        );
        wrong_at_any_length(&format!("(n *' {unit}_u32)"), &body)
    };
    for unit in [2, 8, 64, 1024] {
        for mask in [1, unit / 2, unit - 1] {
            assert_eq!(of(unit, mask), NONE, "{unit} {mask}");
        }
        assert_ne!(
            of(unit, unit),
            NONE,
            "the last of an odd number of blocks is outside"
        );
        assert_ne!(
            of(unit - 1, unit - 1),
            NONE,
            "{unit}: pieces that the bits do not respect"
        );
    }
}

/// Rows of one more element each: how many there are depends on another counter, and the place is
/// no sum of counters.
#[test]
fn rounds_that_are_not_there_are_not_gone_through() {
    let of = |rounds: &str, index: &str| {
        wrong(
            "144_u32",
            &format!(
                "forall Block i < 8_u32 {{ for sequential Thread k in 0_u32 .. {rounds} step 1_u32 {{ store out[((b *' 36_u32) +' ({index} +' k))] = 1_u32 }} }}"
            ),
        )
    };
    assert_eq!(of("(i +' 1_u32)", "((i *' (i +' 1_u32)) /' 2_u32)"), NONE);
    assert_ne!(of("(i +' 2_u32)", "((i *' (i +' 1_u32)) /' 2_u32)"), NONE);
    assert_eq!(of("i", "((i *' (i +' 1_u32)) /' 2_u32)"), ["never-written"]);
}

/// As many pieces as the launch says, which divide the length, or both are 0.
#[test]
fn a_divisor_of_the_launch_may_be_zero() {
    let of = |index: &str| {
        let text = format!(
            "kernel k {{ parameter 0 d: u32 parameter 1 x: u32[length(x)] input parameter 2 out: u32[length(x)] output require length(x) divided_by d
             distribute Block b < d {{ forall Block i < (length(x) /' d) {{ store out[{index}] = x[{index}] }} }} }}"
        );
        let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        checked.diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
    };
    assert_eq!(of("((b *' (length(x) /' d)) +' i)"), NONE);
    assert_eq!(of("((i *' d) +' b)"), NONE);
    assert_eq!(
        of("((b *' (length(x) /' d)) +' (i +' (length(x) %' d)))"),
        NONE,
        "the rest is 0"
    );
    assert_ne!(of("((b *' d) +' i)"), NONE);
}

/// Rows cut off at a width that is not known, in tiles of 16 elements.
#[test]
fn rows_of_tiles_end_where_the_row_does() {
    let of = |tiles: u32, condition: &str| {
        wrong_at_any_length(
            "(n *' min(n, 32_u32))",
            &format!(
                "distribute Block b < n {{ forall Block i < 16_u32 {{ for sequential Thread t in 0_u32 .. {tiles}_u32 step 1_u32 {{
                 let at = ((t *' 16_u32) +' i) if (at < {condition}) {{ store out[((b *' min(n, 32_u32)) +' at)] = 1_u32 }} }} }} }}"
            ),
        )
    };
    assert_eq!(of(2, "min(n, 32_u32)"), NONE);
    assert_eq!(of(3, "min(n, 32_u32)"), NONE);
    assert_ne!(of(1, "min(n, 32_u32)"), NONE);
    assert_ne!(of(2, "min(n, 31_u32)"), NONE);
}

/// A length that has to be a multiple may be 0, and so may a quotient whose divisor is at least 1.
#[test]
fn what_is_at_least_zero_may_be_zero() {
    let of = |body: &str| {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[length(x)] input parameter 2 out: u32[4_u32] output require length(x) multiple_of 8
             distribute Block b < 4_u32 {{ {body} forall Block i < 1_u32 {{ store out[b] = 1_u32 }} }} }}"
        );
        let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        checked.diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
    };
    let last = "let v = x[(length(x) - 1_u32)]";
    assert_eq!(of(&format!("if (0_u32 < length(x)) {{ {last} }}")), NONE);
    assert_eq!(of(last), NONE, "the launch asks for one element");
    assert_eq!(
        wrong_at_any_length(
            "((n *' 8_u32) /' 8_u32)",
            "distribute Block b < 1_u32 { forall Block i < 1_u32 { store out[i] = 1_u32 } }"
        ),
        ["outside-when-run"],
        "a length that the launch works out"
    );
    let eighth = |index: &str| {
        of(&format!(
            "allocate s: u32[8_u32] shared forall Block w < 8_u32 {{ store s[w] = 1_u32 }} wait Block
             forall Block j < 8_u32 {{ if (0_u32 < (n % 2_u32)) {{ let v = s[{index}] }} }}"
        ))
    };
    assert_eq!(eighth("(j / (n % 2_u32))"), NONE);
    assert_eq!(eighth("((j / (n % 2_u32)) - 1_u32)"), ["outside-when-run"]);
}

/// What is chosen is another value in another thread, and one of two values in all.
#[test]
fn a_choice_is_made_by_each_thread() {
    let moved = |condition: &str| {
        beside(&format!(
            "allocate s: u32[65_u32] shared forall Block i < 64_u32 {{ let at = (i +' select({condition}, 0_u32, 1_u32)) read v = s[at] store s[at] = v }}"
        ))
    };
    assert_eq!(moved("(i < 64_u32)"), NONE);
    assert_eq!(moved("(i < 32_u32)"), NONE);
    assert_eq!(moved("(x[i] < 3_u32)"), ["maybe-race"]);
    let chosen = |first: &str, second: &str| {
        beside(&format!(
            "allocate s: u32[8_u32] shared forall Block w < 8_u32 {{ store s[w] = 1_u32 }} wait Block
             forall Block j < 8_u32 {{ let v = s[select((n < 8_u32), {first}, {second})] }}"
        ))
    };
    assert_eq!(chosen("n", "7_u32"), NONE);
    assert_eq!(chosen("n", "8_u32"), ["outside-when-run"]);
    assert_eq!(chosen("7_u32", "n"), ["outside-when-run"]);
}

#[test]
fn what_is_never_reached_may_say_anything() {
    let of = |condition: &str| {
        beside(&format!(
            "allocate s: u32[8_u32] shared forall Block w < 8_u32 {{ store s[w] = 1_u32 }} wait Block forall Block j < 8_u32 {{ if {condition} {{ let v = s[(n +' 8_u32)] }} }}"
        ))
    };
    assert_eq!(of("(n < min(n, x[0_u32]))"), NONE);
    assert_eq!(of("(max(n, x[0_u32]) < n)"), NONE);
    assert_eq!(of("((n < j) & (8_u32 < n))"), NONE);
    assert_ne!(
        of("((n < j) & (6_u32 < n))"),
        ["maybe-outside"],
        "there is no such `j`, or it is said"
    );
    assert_ne!(of("(n <= min(n, x[0_u32]))"), NONE);
}

/// Places that are no formula, in a piece that the launch says: only the threads that a condition
/// lets through can meet.
#[test]
fn threads_that_do_nothing_meet_nobody() {
    let of = |condition: &str, place: &str| {
        beside(&format!(
            "allocate s: u32[134_u32] shared forall Block i < 67_u32 {{ if {condition} {{
             let at = (((n % 2_u32) *' 67_u32) +' {place}) read v = s[at] store s[at] = v }} }}"
        ))
    };
    // The squares modulo 67 of the numbers to 33 differ, and come again after that.
    assert_eq!(of("(i < 34_u32)", "((i *' i) %' 67_u32)"), NONE);
    assert_eq!(of("(i < 35_u32)", "((i *' i) %' 67_u32)"), ["race"]);
    assert_eq!(of("(i != 3_u32)", "select((i == 3_u32), 0_u32, i)"), NONE);
    assert_eq!(
        of("(i != 2_u32)", "select((i == 3_u32), 0_u32, i)"),
        ["race"]
    );
}

/// The least and the greatest value of what nothing else is known of.
#[test]
fn what_is_not_known_has_the_range_of_its_type() {
    let of = |length: u32, index: &str| {
        beside(&format!(
            "allocate s: u32[{length}_u32] shared forall Block w < {length}_u32 {{ store s[w] = 1_u32 }} wait Block
             read v = io[0_u32] forall Block j < 8_u32 {{ let y = s[{index}] }}"
        ))
    };
    for (most, value) in [
        (255, "u32(u8(x[0_u32]))"),
        (65_535, "u32(u16(x[0_u32]))"),
        (1, "u32((x[0_u32] < 3_u32))"),
        (32, "count_ones(x[0_u32])"),
        (32, "leading_zeros(x[0_u32])"),
        (32, "trailing_zeros(x[0_u32])"),
    ] {
        assert_eq!(of(most + 1, value), NONE, "{value}");
        assert_eq!(of(most, value), ["maybe-outside"], "{value}");
    }
    for value in [
        "u32(i32(x[0_u32]))",
        "x[0_u32]",
        "(x[0_u32] >> n)",
        "v",
        "u32(u8(x[0_u32]))",
        "u32(u16(x[0_u32]))",
        "count_ones(x[0_u32])",
    ] {
        assert_eq!(of(8, &format!("min({value}, 7_u32)")), NONE, "{value}");
        assert_eq!(
            of(8, &format!("(min({value}, 8_u32) - 1_u32)")),
            ["maybe-outside"],
            "{value} may be 0"
        );
    }
}

/// As many rounds as a number has parts, of which there may be one.
#[test]
fn a_counter_is_below_its_count_alone() {
    let of = |length: u32, rounds: &str| {
        beside(&format!(
            "allocate s: u32[{length}_u32] shared forall Block w < {length}_u32 {{ store s[w] = 1_u32 }} wait Block
             forall Block j < {rounds} {{ let y = s[j] }}"
        ))
    };
    for (most, rounds) in [
        (8, "(8_u32 / n)"),
        (4, "(8_u32 / max(n, 2_u32))"),
        (8, "min(n, 8_u32)"),
        (8, "max((n & 7_u32), 8_u32)"),
        (7, "(n % 8_u32)"),
        (8, "(8_u32 % n)"),
        (12, "(min(n, 8_u32) + 4_u32)"),
        (24, "(min(n, 8_u32) * 3_u32)"),
        (8, "(8_u32 >> n)"),
        (8, "select((n < 3_u32), 5_u32, 8_u32)"),
        (255, "u32(u8(n))"),
        (8, "(8_u32 & n)"),
    ] {
        assert_eq!(of(most, rounds), NONE, "{rounds}");
        assert_ne!(of(most - 1, rounds), NONE, "{rounds} of {most} may be all");
    }
}

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

/// One block too few, a guard that lets through too much or too little: rounded up is not all.
#[test]
fn blocks_rounded_up_have_to_be_enough() {
    let of = |count: &str, guard: &str| {
        wrong_at_any_length(
            "n",
            &format!(
                "distribute Block b < {count} {{ forall Block i < 64_u32 {{ let g = ((b * 64_u32) + i) if {guard} {{ store out[g] = 1_u32 }} }} }}"
            ),
        )
    };
    assert_eq!(of("((n + 63_u32) / 64_u32)", "(g < n)"), NONE);
    assert_ne!(of("((n + 62_u32) / 64_u32)", "(g < n)"), NONE);
    assert_ne!(of("((n + 63_u32) / 64_u32)", "(g <= n)"), NONE);
    assert_ne!(of("((n + 63_u32) / 64_u32)", "((g + 1_u32) < n)"), NONE);
    assert_ne!(of("((n + 63_u32) / 65_u32)", "(g < n)"), NONE);
    assert_ne!(of("((n * 3_u32) / 256_u32)", "(g < n)"), NONE);
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

/// What a launch checks of a length and of its divisor holds of both.
#[test]
fn a_divisor_may_be_a_multiple() {
    let of = |requirements: &str, piece: u32| {
        let text = format!(
            "kernel k {{ parameter 0 d: u32 parameter 1 x: u32[length(x)] input parameter 2 out: u32[length(x)] output {requirements}
             distribute Block b < (length(x) /' {piece}_u32) {{ forall Block i < {piece}_u32 {{ store out[((b *' {piece}_u32) +' i)] = 1_u32 }} }} }}"
        );
        let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        checked.diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
    };
    let (first, second) = ("require length(x) divided_by d", "require d multiple_of 4");
    assert_eq!(of(&format!("{first} {second}"), 4), NONE);
    assert_eq!(of(&format!("{second} {first}"), 4), NONE);
    assert_ne!(of(&format!("{first} {second}"), 8), NONE);
    assert_ne!(of(first, 4), NONE);
}

/// Pieces of known size, then as many elements as the input has.
#[test]
fn a_ragged_end_may_follow_something_else() {
    let of = |at: u32, most: u32| {
        wrong_at_any_length(
            "(64_u32 +' n)",
            &format!(
                "distribute Block a < 8_u32 {{ forall Block i < 8_u32 {{ store out[((a *' 8_u32) +' i)] = 1_u32 }} }}
                 distribute Block b < ((n /' 32_u32) +' min((n %' 32_u32), 1_u32)) {{ forall Block j < min((n -' (b *' 32_u32)), {most}_u32) {{ store out[({at}_u32 +' ((b *' 32_u32) +' j))] = 2_u32 }} }}"
            ),
        )
    };
    assert_eq!(of(64, 32), NONE);
    assert_ne!(of(63, 32), NONE, "element 63 twice");
    assert_ne!(of(65, 32), NONE, "a hole");
    assert_ne!(of(64, 31), NONE, "holes");
}

/// Pieces of a number that the launch says: what is in a piece is gone through.
#[test]
fn an_order_that_is_no_formula_is_gone_through() {
    let of = |last: u32, bound: u32| {
        let index = format!(
            "select((i < 3_u32), (2_u32 -' i), select((i == 3_u32), {last}_u32, (i -' 1_u32)))"
        );
        wrong_at_any_length(
            "(n *' 8_u32)",
            &format!(
                "distribute Block b < n {{ forall Block i < {bound}_u32 {{ store out[((b *' 8_u32) +' {index})] = 1_u32 }} }}"
            ),
        )
    };
    assert_eq!(of(7, 8), NONE);
    assert_ne!(of(6, 8), NONE, "element 6 twice");
    assert_ne!(of(7, 7), NONE, "element 6 never");
    assert_ne!(of(7, 9), NONE, "element 7 twice");
}

#[test]
fn two_conditions_say_both() {
    let of = |condition: &str| {
        wrong_at_any_length(
            "n",
            &format!(
                "distribute Block b < ((n /' 8_u32) +' min((n %' 8_u32), 1_u32)) {{ forall Block i < 8_u32 {{ let at = ((b *' 8_u32) +' i) if {condition} {{ store out[at] = x[at] }} }} }}"
            ),
        )
    };
    assert_eq!(of("((at < n) & (i < 8_u32))"), NONE);
    assert_eq!(of("((i < 8_u32) & (at < n))"), NONE);
    assert_ne!(of("((at <= n) & (i < 8_u32))"), NONE);
    assert_ne!(of("((at < n) & (i < 7_u32))"), NONE);
    assert_ne!(of("((at < n) | (i < 8_u32))"), NONE);
    assert_ne!(of("((at < n) & (x[at] < 8_u32))"), NONE);
}

#[test]
fn a_long_ragged_end_is_proved() {
    let of = |rounds: &str| {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 out: u32[n] output distribute Block b < ((n /' 131072_u32) +' min((n %' 131072_u32), 1_u32)) {{ forall Block i < {rounds} {{ store out[((b *' 131072_u32) +' i)] = 1_u32 }} }} }}"
        );
        check(&read(&text).unwrap())
            .diagnostics
            .iter()
            .map(|d| d.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(of("min((n -' (b *' 131072_u32)), 131072_u32)"), NONE);
    assert_ne!(of("min((n -' (b *' 131072_u32)), 131071_u32)"), NONE);
}

#[test]
fn an_argument_may_be_zero() {
    let last = |of: &str| {
        beside(&format!(
            "allocate s: u32[8_u32] shared forall Block i < 8_u32 {{ store s[i] = 1_u32 }} wait Block forall Block j < 8_u32 {{ let v = s[({of} -' 1_u32)] }}"
        ))
    };
    assert_eq!(last("max(min(n, 8_u32), 1_u32)"), NONE);
    assert_eq!(last("min(n, 8_u32)").len(), 1);
}

#[test]
fn what_is_written_once_in_another_order_is_right_and_scattered() {
    let body = "forall Block i < 8_u32 { store out[((i *' 4_u32) +' b)] = 1_u32 }";
    assert_eq!(
        (wrong("32_u32", body), pattern(32, body)),
        (vec![], WritePattern::Scattered)
    );
}

#[test]
fn elements_are_written_once() {
    assert_eq!(
        wrong(
            "32_u32",
            "forall Block i < 8_u32 { store out[((b *' 8_u32) +' (i /' 2_u32))] = 1_u32 }"
        ),
        ["written-twice"]
    );
    assert_eq!(
        wrong(
            "33_u32",
            "forall Block i < 8_u32 { store out[((b *' 8_u32) +' i)] = 1_u32 }"
        ),
        ["never-written"]
    );
    assert_eq!(
        wrong(
            "32_u32",
            "forall Block i < 8_u32 { store out[((b *' 4_u32) +' i)] = 1_u32 }"
        ),
        ["written-twice"]
    );
    assert_eq!(
        wrong(
            "32_u32",
            "forall Block i < 8_u32 { if (i < 4_u32) { store out[((b *' 8_u32) +' i)] = 1_u32 } }"
        ),
        ["never-written"]
    );
    assert_eq!(wrong("32_u32", ""), ["never-written"]);
    assert_eq!(wrong("0_u32", ""), NONE);
    let twice = "forall Block i < 8_u32 { for sequential Thread k in 0_u32 .. 2_u32 step 1_u32 { store out[((b *' 8_u32) +' i)] = k } }";
    assert_eq!(wrong("32_u32", twice), ["written-twice"]);
}

#[test]
fn both_sides_of_a_condition_write_once() {
    let body = "forall Block i < 8_u32 { if (x[0_u32] < 3_u32) { store out[((b *' 8_u32) +' i)] = 1_u32 } else { store out[((b *' 8_u32) +' i)] = 2_u32 } }";
    assert_eq!(wrong("32_u32", body), NONE);
    assert_eq!(
        wrong(
            "32_u32",
            &body
                .replace("else", "")
                .replace("{ store out[((b *' 8_u32) +' i)] = 2_u32 }", "")
        ),
        ["maybe-not-once"]
    );
}

#[test]
fn a_ragged_end_is_right_at_every_length() {
    let of = |guard: &str| {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 x: u32[n] input parameter 2 out: u32[n] output distribute Block b < ((n /' 8_u32) +' min((n %' 8_u32), 1_u32)) {{ forall Block i < 8_u32 {{ if (((b *' 8_u32) +' i) {guard}) {{ store out[((b *' 8_u32) +' i)] = x[((b *' 8_u32) +' i)] }} }} }} }}"
        );
        check(&read(&text).unwrap())
            .diagnostics
            .iter()
            .map(|d| d.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(of("< n"), NONE);
    assert_ne!(of("<= n"), NONE);
}

#[test]
fn indices_stay_inside() {
    let stored =
        "allocate s: u32[8_u32] shared forall Block w < 8_u32 { store s[w] = 1_u32 } wait Block";
    let load = |index: &str| {
        beside(&format!(
            "{stored} allocate t: u32[8_u32] shared forall Block i < 8_u32 {{ store t[i] = s[{index}] }} wait Block"
        ))
    };
    assert_eq!(load("(7_u32 -' i)"), NONE);
    assert_eq!(load("(i + 1_u32)"), ["outside-when-run"]);
    assert_eq!(load("((i + 1_u32) % 8_u32)"), NONE);
    assert_eq!(load("((i + 1_u32) & 7_u32)"), NONE);
    assert_eq!(load("min((i + 1_u32), 7_u32)"), NONE);
    assert_eq!(load("(i - 1_u32)"), ["outside-when-run"]);
    assert_eq!(load("((((n - 8_u32) + 8_u32) - n) + i)"), NONE);
    assert_eq!(
        load("((((n -' 8_u32) + 8_u32) - n) + i)"),
        ["maybe-outside"],
        "what is said to fit and may not"
    );
    assert_eq!(load("x[0_u32]"), ["maybe-outside"]);
    assert_eq!(load("unchecked(x[0_u32])"), NONE);
    assert_eq!(load("(x[0_u32] % 8_u32)"), NONE);
    assert_eq!(load("(x[0_u32] >> 29_u32)"), NONE);
    assert_eq!(load("n"), ["outside-when-run"]);
    assert_eq!(
        (load("(n / 0_u32)"), load("(min(n, 7_u32) % 0_u32)")),
        (vec![], vec![]),
        "nothing is divided by 0: 0 times, and all is left"
    );
    assert_eq!(load("(n % 0_u32)"), ["outside-when-run"]);
    assert_eq!(load("unchecked(s[(7_u32 -' i)])"), NONE);
    assert_eq!(
        load("unchecked(s[(i + 1_u32)])"),
        ["outside-when-run"],
        "where an index is read"
    );
    let asked = |index: &str| {
        beside(&format!(
            "{stored} allocate t: u32[8_u32] shared forall Block i < 8_u32 {{ store t[i] = select((s[{index}] < 3_u32), s[i], 0_u32) }} wait Block"
        ))
    };
    assert_eq!(asked("i"), NONE);
    assert_eq!(
        asked("(i + 1_u32)"),
        ["outside-when-run"],
        "in the condition of a choice"
    );
    let chosen = |condition: &str| {
        beside(&format!(
            "{stored} allocate t: u32[8_u32] shared forall Block i < 8_u32 {{ store t[i] = select({condition}, s[(i + 1_u32)], 0_u32) }} wait Block"
        ))
    };
    assert_eq!(chosen("(i < 7_u32)"), NONE);
    assert_eq!(chosen("(i < 8_u32)"), ["outside-when-run"]);
    assert_eq!(chosen("((i != 7_u32) & (n < i))"), NONE);
    assert_eq!(chosen("((i != 7_u32) | (n < i))"), ["outside-when-run"]);
}

#[test]
fn threads_keep_apart() {
    let body = |index: &str, other: &str| {
        beside(&format!(
            "allocate s: u32[64_u32] shared forall Block i < 16_u32 {{ for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 {{ read v = s[{other}] store s[{index}] = (v + 1_u32) }} }}"
        ))
    };
    assert_eq!(body("((i *' 4_u32) +' k)", "((i *' 4_u32) +' k)"), NONE);
    assert_eq!(
        body("((i *' 4_u32) +' k)", "(i *' 4_u32)"),
        NONE,
        "a thread reads what it has written"
    );
    assert_eq!(
        body("((k *' 16_u32) +' i)", "((k *' 16_u32) +' i)"),
        NONE,
        "the thread is the lower digit"
    );
    assert_eq!(
        body("((i *' 4_u32) +' k)", "((k *' 16_u32) +' i)"),
        ["race"]
    );
    assert_eq!(body("((i *' 3_u32) +' k)", "((i *' 3_u32) +' k)"), ["race"]);
    assert_eq!(body("(x[i] % 64_u32)", "i"), ["maybe-race"]);
    assert_eq!(body("unchecked((x[i] % 64_u32))", "i"), NONE);
    let atomics = "allocate s: u32[8_u32] shared forall Block i < 64_u32 { atomic add s[(i % 8_u32)] (1_u32) }";
    assert_eq!(beside(atomics), NONE);
    assert_eq!(
        beside(&atomics.replace(
            "atomic add s[(i % 8_u32)] (1_u32)",
            "atomic add s[(i % 8_u32)] (1_u32) read v = s[0_u32] store s[0_u32] = v"
        )),
        ["race"]
    );
    let one = "allocate s: u32[8_u32] shared forall Block i < 64_u32 { if (i == 3_u32) { read v = s[0_u32] store s[0_u32] = v } }";
    assert_eq!(beside(one), NONE, "one thread");
    assert_eq!(beside(&one.replace("i == 3_u32", "i != 3_u32")), ["race"]);
}

/// As many rounds as the launch says: the thread is a digit of the element's number.
#[test]
fn threads_keep_apart_in_any_number_of_rounds() {
    let of = |first: &str, second: &str, rounds: &str| {
        let text = format!(
            "kernel k {{ parameter 0 io: u32[length(io)] inout distribute Block b < 1_u32 {{ forall Block i < 16_u32 {{
             for sequential Thread k in 0_u32 .. (length(io) /' {rounds}_u32) step 1_u32 {{ read v = io[{first}] store io[{second}] = v }} }} }} }}"
        );
        let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        checked.diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
    };
    let lowest = "((k *' 16_u32) +' i)";
    assert_eq!(of(lowest, lowest, "16"), NONE);
    assert_eq!(
        of(lowest, "((k *' 16_u32) +' (15_u32 -' i))", "16"),
        ["race"]
    );
    let pairs = |n: u32| format!("((k *' 32_u32) +' ((i *' 2_u32) +' {n}_u32))");
    assert_eq!(of(&pairs(1), &pairs(0), "32"), NONE);
    assert_eq!(of(&pairs(0), &pairs(1), "32"), NONE);
    assert_eq!(
        of(
            "((k *' 18_u32) +' (i +' 2_u32))",
            "((k *' 18_u32) +' i)",
            "18"
        ),
        ["race"]
    );
    assert_eq!(
        of("((k *' 15_u32) +' i)", "((k *' 15_u32) +' i)", "16"),
        ["race"]
    );
}

#[test]
fn warps_and_blocks_keep_apart() {
    let warps = |index: &str| {
        beside(&format!(
            "allocate s: u32[64_u32] shared distribute Warp w < 2_u32 {{ forall Warp i < 32_u32 {{ store s[((w *' 32_u32) +' i)] = 1_u32 }} forall Warp j < 32_u32 {{ read v = s[{index}] store s[((w *' 32_u32) +' j)] = v }} }}"
        ))
    };
    assert_eq!(
        warps("((w *' 32_u32) +' (31_u32 -' j))"),
        ["race"],
        "inside a warp, in one loop"
    );
    assert_eq!(warps("((w *' 32_u32) +' j)"), NONE);
    assert_eq!(
        warps("(((1_u32 -' w) *' 32_u32) +' j)"),
        ["race"],
        "another warp"
    );
    let blocks = |index: &str| {
        beside(&format!(
            "forall Block i < 8_u32 {{ read v = io[unchecked({index})] }} forall Block j < 8_u32 {{ read u = io[((b *' 8_u32) +' j)] store io[((b *' 8_u32) +' j)] = u }}"
        ))
    };
    assert_eq!(
        blocks("0_u32"),
        NONE,
        "vouched for, and long enough at launch"
    );
    let blocks = |index: &str| {
        beside(&format!(
            "forall Block i < 8_u32 {{ read v = io[{index}] }} forall Block j < 8_u32 {{ read u = io[((b *' 8_u32) +' j)] store io[((b *' 8_u32) +' j)] = u }}"
        ))
    };
    assert_eq!(blocks("((b *' 8_u32) +' (7_u32 -' i))"), NONE);
    assert_eq!(blocks("i"), ["race"]);
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

/// An index of a counter `i` and numbers below a bound, as text and as a function.
fn random_index(random: &mut StdRng, depth: u32) -> (String, Box<dyn Fn(u32) -> u32>) {
    if depth == 0 || random.random_range(0..4) == 0 {
        return if random.random_bool(0.7) {
            ("i".to_owned(), Box::new(|i| i))
        } else {
            let n = random.random_range(0..20);
            (format!("{n}_u32"), Box::new(move |_| n))
        };
    }
    let ((x, f), (y, g)) = (
        random_index(random, depth - 1),
        random_index(random, depth - 1),
    );
    let n = random.random_range(1..18u32);
    match random.random_range(0..10) {
        0 => (
            format!("({x} + {y})"),
            Box::new(move |i| f(i).wrapping_add(g(i))),
        ),
        1 => (
            format!("({x} - {y})"),
            Box::new(move |i| f(i).wrapping_sub(g(i))),
        ),
        2 => (
            format!("({x} * {n}_u32)"),
            Box::new(move |i| f(i).wrapping_mul(n)),
        ),
        3 => (format!("({x} / {n}_u32)"), Box::new(move |i| f(i) / n)),
        4 => (format!("({x} % {n}_u32)"), Box::new(move |i| f(i) % n)),
        5 => (format!("({x} ^ {y})"), Box::new(move |i| f(i) ^ g(i))),
        6 => (format!("({x} & {n}_u32)"), Box::new(move |i| f(i) & n)),
        7 => (format!("min({x}, {y})"), Box::new(move |i| f(i).min(g(i)))),
        8 => (format!("({x} | {y})"), Box::new(move |i| f(i) | g(i))),
        _ => (
            format!("select(({x} < {n}_u32), {y}, i)"),
            Box::new(move |i| if f(i) < n { g(i) } else { i }),
        ),
    }
}

#[test]
fn the_verdict_is_that_of_brute_force() {
    let (mut right, mut races) = (0, 0);
    for seed in 0..800 {
        let mut random = StdRng::seed_from_u64(seed);
        let (count, length) = (
            [1, 2, 5, 8, 16, 31][random.random_range(0..6)],
            [1, 2, 5, 8, 16, 31][random.random_range(0..6)],
        );
        let (index, f) = random_index(&mut random, 3);
        // Coverage and range of what four blocks write, each its own piece.
        let found = wrong(
            &format!("{}_u32", 4 * length),
            &format!(
                "forall Block i < {count}_u32 {{ store out[((b *' {length}_u32) +' {index})] = 1_u32 }}"
            ),
        );
        let mut times = vec![0; 4 * length as usize];
        let mut inside = true;
        for b in 0..4u32 {
            for i in 0..count {
                let at = (b * length).wrapping_add(f(i));
                times
                    .get_mut(at as usize)
                    .map_or_else(|| inside = false, |n| *n += 1);
            }
        }
        let once = inside && times.iter().all(|n| *n == 1);
        right += u32::from(once);
        assert_eq!(
            found.is_empty(),
            once,
            "seed {seed}: {index} of {count}, {length}: {found:?}"
        );
        if !found.is_empty() {
            let id = if !inside {
                "outside-when-run"
            } else if times.iter().any(|n| *n > 1) {
                "written-twice"
            } else {
                "never-written"
            };
            assert_eq!(found, [id], "seed {seed}: {index} of {count}, {length}");
        }
        // Races of what one loop over threads writes.
        let body = format!(
            "allocate s: u32[64_u32] shared forall Block i < {count}_u32 {{ read v = s[i] store s[({index} % 64_u32)] = v }}"
        );
        let apart = (0..count)
            .all(|i| (0..count).all(|j| i == j || (f(i) % 64 != f(j) % 64 && f(i) % 64 != j)));
        races += u32::from(!apart);
        assert_eq!(
            beside(&body),
            if apart { vec![] } else { vec!["race"] },
            "seed {seed}: {index} of {count}"
        );
    }
    println!("seeds 0 to 799: {right} right, {races} with races");
    assert!(
        right > 20 && races > 300,
        "{right} right, {races} with races"
    );
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

/// What is like them, and right.
#[test]
fn blocks_of_two_loops_may_do_what_is_apart() {
    let of = |first: &str, second: &str| {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 io: u32[length(io)] inout
             if (n > 3_u32) {{ distribute Block b < length(io) {{ forall Block i < 1_u32 {{ store io[b] = 1_u32 }} }} }} {first}
             {{ distribute Block c < length(io) {{ forall Block o < 1_u32 {{ read v = io[{second}] store io[{second}] = v }} }} }} }}"
        );
        check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")))
            .diagnostics
            .iter()
            .map(|d| d.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of("else", "((length(io) -' 1_u32) -' c)"),
        NONE,
        "one of both is executed"
    );
    assert_eq!(
        of("if (n > 2_u32)", "c"),
        NONE,
        "a thread is in order with itself"
    );
    assert_eq!(
        of("if (n > 2_u32)", "((length(io) -' 1_u32) -' c)"),
        ["unordered-blocks"]
    );
}

/// Is a kernel with two buffers accepted, with this body?
fn accepts(body: &str) -> bool {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 m: u32 parameter 2 io: u32[(n *' 64_u32)] inout parameter 3 other: u32[(n *' 64_u32)] inout {body} }}"
    );
    let kernel = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let found = check(&kernel).diagnostics;
    assert!(
        found.iter().all(|d| d.id == "unordered-blocks"),
        "{found:?}"
    );
    found.is_empty()
}

/// Blocks of two loops over blocks do not wait for each other, and two threads of one real block
/// neither: issue 16, item 4.
#[test]
fn a_later_loop_over_blocks_is_not_in_order_with_other_threads() {
    let (all, at) = ("forall Block o < 64_u32", "io[((c *' 64_u32) +' o)]");
    let (back, to) = (
        "io[((c *' 64_u32) +' (63_u32 -' o))]",
        "other[((c *' 64_u32) +' o)]",
    );
    for (right, count, second) in [
        (true, "n", format!("{all} {{ read v = {at} store {to} = v }}")),
        (true, "n", format!("forall Block o < 32_u32 {{ store {at} = 1_u32 }}")),
        (true, "min(n, m)", format!("{all} {{ store {at} = 1_u32 }}")),
        (false, "n", format!("{all} {{ read v = {back} store {to} = v }}")),
        (false, "n", format!("{all} {{ store {back} = 1_u32 }}")),
        (false, "min(n, m)", format!("{all} {{ store {back} = 1_u32 }}")),
        (false, "n", format!("{all} {{ atomic add {back} (1_u32) }}")),
        (false, "n", format!("{all} {{ if (o < m) {{ store {back} = 1_u32 }} }}")),
        // Other threads than those of the block.
        (
            false,
            "n",
            "distribute Warp w < 2_u32 { forall Warp o < 32_u32 { store io[(((c *' 64_u32) +' (w *' 32_u32)) +' o)] = 1_u32 } }".to_owned(),
        ),
    ] {
        let first = "distribute Block b < n { forall Block i < 64_u32 { store io[((b *' 64_u32) +' i)] = b } }";
        let body = format!("{first} distribute Block c < {count} {{ {second} }}");
        assert_eq!(accepts(&body), right, "{body}");
    }
}

/// Atomics commute, or are not in order either.
#[test]
fn atomics_of_two_loops_over_blocks_have_to_commute() {
    let of = |first: &str, second: &str| {
        let each = |counter: &str, what: &str| {
            format!(
                "distribute Block b{counter} < n {{ forall Block i{counter} < 64_u32 {{ if (n > 0_u32) {{ {what} }} }} }}"
            )
        };
        accepts(&(each("", first) + &each("c", second)))
    };
    let (add, max) = (
        "atomic add io[0_u32] (1_u32)",
        "atomic max io[0_u32] (1_u32)",
    );
    assert!(of(add, add) && of(max, max));
    assert!(!of(add, max) && !of(max, add));
    let (old, read) = (
        "atomic old = add io[0_u32] (1_u32) store other[((bc *' 64_u32) +' ic)] = old",
        "read v = io[0_u32] store other[((bc *' 64_u32) +' ic)] = v",
    );
    assert!(!of(add, old) && !of(add, read));
}

/// From one round of a loop of the grid to the next, nobody waits either.
#[test]
fn two_rounds_of_the_grid_are_not_in_order_with_other_threads() {
    let of = |what: &str| {
        accepts(&format!(
            "for sequential Grid r in 0_u32 .. m step 1_u32 {{ distribute Block b < n {{ forall Block i < 64_u32 {{ {what} }} }} }}"
        ))
    };
    let at = "io[((b *' 64_u32) +' i)]";
    assert!(of(&format!("read v = {at} store {at} = (v + r)")));
    assert!(of(&format!("if ((i % 3_u32) < r) {{ store {at} = r }}")));
    assert!(
        of("atomic add io[0_u32] (1_u32)") || of("if (n > 0_u32) { atomic add io[0_u32] (1_u32) }")
    );
    assert!(!of(
        "let at = ((b *' 64_u32) +' ((i + r) % 64_u32)) store io[at] = r"
    ));
    assert!(!of(&format!(
        "store {at} = r }} forall Block o < 64_u32 {{ read v = io[((b *' 64_u32) +' (63_u32 -' o))] store other[((b *' 64_u32) +' o)] = v"
    )));
}

/// `i - 2` wraps for the first two threads. Modulo 2^32 the sum is inside, in the piece before; as
/// exact arithmetic it is no index.
#[test]
fn a_sum_of_the_user_that_wraps_is_no_operand_of_an_exact_one() {
    let ids = |index: &str| {
        let text = format!(
            "kernel k {{ parameter 0 x: u32[64_u32] input parameter 1 out: u32[32_u32] output \
             distribute Block b < 4_u32 {{ forall Block i < 8_u32 {{ \
             store out[((b *' 8_u32) +' i)] = x[({index})] }} }} }}"
        );
        let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        checked.diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
    };
    assert_eq!(ids("8_u32 +' (i - 2_u32)"), ["maybe-outside"]);
    assert_eq!(ids("8_u32 +' (i + 2_u32)"), NONE);
    assert_eq!(ids("8_u32 + (i - 2_u32)"), NONE);
}
