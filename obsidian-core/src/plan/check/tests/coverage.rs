//! Each element of what is written once is written exactly once, or the mistake is named.

use super::{NONE, wrong, wrong_at_any_length};
use crate::ir::read;
use crate::plan::WritePattern;
use crate::plan::check::check;
use crate::scalar::ArrayId;

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
fn the_last_chunk_may_be_ragged() {
    let guarded = |length: u32, bound: &str, index: &str| {
        let body = format!(
            "let at = {index} forall Block i < 8_u32 {{ if ((at +' i) < {bound}) {{ store out[(at +' i)] = 1_u32 }} }}"
        );
        pattern(length, &body)
    };
    let of_blocks = "(b *' 8_u32)";
    assert_eq!(guarded(30, "30_u32", of_blocks), WritePattern::Ragged(8));
    assert_eq!(guarded(25, "25_u32", of_blocks), WritePattern::Ragged(8));
    // Blocks in another order have no piece that is the last one.
    let back = "((3_u32 -' b) *' 8_u32)";
    assert_eq!(guarded(30, "30_u32", back), WritePattern::Scattered);
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
    // All that there is, and less than the piece.
    let text = "kernel k { parameter 0 out: u32[3_u32] output distribute Block b < 1_u32 { forall Block i < 3_u32 { store out[((b *' 8_u32) +' i)] = 1_u32 } } }";
    let patterns = check(&read(text).unwrap()).patterns;
    assert_eq!(patterns.get(&ArrayId(0)), Some(&WritePattern::Ragged(8)));
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
fn distinct_indices_that_are_as_many_as_elements_write_each_once() {
    let all = |index: &str| format!("forall Block i < 8_u32 {{ store out[{index}] = i }}");
    let to = "unchecked(x[((b *' 8_u32) +' i)])";
    assert_eq!(wrong("32_u32", &all(to)), ["maybe-not-once"], "vouched for");
    let promised = format!("distinct({to})");
    assert_eq!(wrong("32_u32", &all(&promised)), NONE);
    assert_eq!(
        wrong("33_u32", &all(&promised)),
        ["maybe-not-once"],
        "more elements than writes"
    );
    assert_eq!(
        wrong("32_u32", &all("distinct(x[i])")),
        ["maybe-outside"],
        "below the length?"
    );
    assert_eq!(
        wrong("32_u32", &all("distinct(0_u32)")),
        ["written-twice"],
        "no promise helps against an example"
    );
    let guarded = |condition: &str| {
        all(&promised)
            .replace("store", &format!("if {condition} {{ store"))
            .replace("= i }", "= i } }")
    };
    assert_eq!(
        wrong("32_u32", &guarded("(x[0_u32] < 3_u32)")),
        ["maybe-not-once"],
        "some may be left out"
    );
    let both = |first: &str, second: &str| {
        format!(
            "forall Block i < 8_u32 {{ if (x[0_u32] < 3_u32) {{ store out[{first}] = 1_u32 }} else {{ store out[{second}] = 2_u32 }} }}"
        )
    };
    let other = "distinct(unchecked((31_u32 - x[i])))";
    assert_eq!(wrong("32_u32", &both(&promised, other)), NONE);
    assert_eq!(
        wrong("32_u32", &both(&promised, to)),
        ["maybe-not-once"],
        "promised in one place of two"
    );
    let two = format!("{} {}", all(&promised), all(other));
    assert_eq!(wrong("64_u32", &two), NONE, "two loops");
    assert_eq!(wrong("32_u32", &two), ["maybe-not-once"], "twice as many");
}

#[test]
fn distinct_indices_are_counted_up_to_a_guard() {
    let of = |guard: &str| {
        let text = format!(
            "distribute Block b < ((n /' 8_u32) +' min((n %' 8_u32), 1_u32)) {{ forall Block i < 8_u32 {{ if (((b *' 8_u32) +' i) {guard}) {{ store out[distinct(unchecked(x[((b *' 8_u32) +' i)]))] = i }} }} }}"
        );
        wrong_at_any_length("n", &text)
    };
    assert_eq!(of("< n"), NONE);
    assert_ne!(of("<= n"), NONE);
    assert_ne!(of("!= 3_u32"), NONE);
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

/// Under the condition there is one round or five; without it there may be none.
#[test]
fn a_condition_around_a_loop_does_not_tell_how_many_rounds_there_are() {
    for (length, count) in [
        ("1_u32", "min(n, 1_u32)"),
        ("5_u32", "(min(n, 1_u32) * 5_u32)"),
    ] {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 out: u32[{length}] output \
             distribute Block b < 1_u32 {{ if (0_u32 < n) {{ \
             forall Block i < {count} {{ store out[i] = 1_u32 }} }} }} }}"
        );
        let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        assert!(!checked.diagnostics.is_empty(), "{text}");
    }
}

#[test]
fn an_example_is_of_the_first_round_of_what_is_around() {
    let of = |index: &str, word: &str| {
        let body = format!(
            "distribute Block b < n {{ allocate s: u32[8_u32] shared forall Block i < 8_u32 {{ store s[{index}] = 1_u32 }} wait Block
             forall Block j < 8_u32 {{ {word} v = s[j] }} }} distribute Block c < 32_u32 {{ forall Block o < 1_u32 {{ store out[c] = 1_u32 }} }}"
        );
        wrong_at_any_length("32_u32", &body)
    };
    assert_eq!(of("((i * (n + b)) % 8_u32)", "let"), ["written-twice"]);
    assert_eq!(of("min(i, (n + b))", "read"), ["race"]);
}

#[test]
fn stores_at_distinct_indices_are_counted_up_to_a_number() {
    let of = |stores: u32| {
        let list: String = (0..stores)
            .map(|k| format!("store out[distinct(unchecked(x[{k}_u32]))] = 1_u32 "))
            .collect();
        wrong_at_any_length(
            &format!("{stores}_u32"),
            &format!("distribute Block b < 1_u32 {{ forall Block i < 1_u32 {{ {list} }} }}"),
        )
    };
    assert_eq!(of(64), NONE);
    assert_eq!(of(65), ["maybe-not-once"]);
}

/// How an array of `length` elements is changed in place by blocks that do this.
fn in_place(length: &str, body: &str) -> WritePattern {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 a: u32[{length}] inout distribute Block b < 4_u32 {{ {body} }} }}"
    );
    let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
    let pattern = checked.patterns.get(&ArrayId(0));
    pattern.copied().unwrap_or(WritePattern::Scattered)
}

#[test]
fn blocks_that_change_none_but_their_own_elements_have_them_for_themselves() {
    let each = |index: &str| {
        format!("forall Block i < 8_u32 {{ store a[((b *' 8_u32) +' i)] = a[{index}] }}")
    };
    let own = WritePattern::Own(8);
    assert_eq!(in_place("32_u32", &each("((b *' 8_u32) +' i)")), own);
    assert_eq!(
        in_place("64_u32", &each("((b *' 8_u32) +' (7_u32 -' i))")),
        own
    );
    assert_eq!(
        in_place("32_u32", &each("((b *' 8_u32) +' (i ^ 5_u32))")),
        own
    );
    // A part of the elements, and as many as there are.
    let even = "forall Block i < 4_u32 { store a[((b *' 8_u32) +' (i *' 2_u32))] = 1_u32 }";
    assert_eq!(in_place("32_u32", even), own);
    let ragged = "forall Block i < 8_u32 { let j = ((b *' 8_u32) +' i) if (j < n) { store a[j] = (a[j] + 1_u32) } }";
    assert_eq!(in_place("n", ragged), own);
    let atomic =
        "forall Block i < 8_u32 { atomic o = add a[((b *' 8_u32) +' (i % 4_u32))] (1_u32) }";
    assert_eq!(in_place("32_u32", atomic), own);
}

#[test]
fn blocks_that_look_at_elements_of_others_have_none_for_themselves() {
    let each = |index: &str| {
        format!("forall Block i < 8_u32 {{ store a[((b *' 8_u32) +' i)] = a[{index}] }}")
    };
    for body in [
        // The first element of the next block, the last of the one before, one that nobody knows.
        each("(((b *' 8_u32) +' i) +' 1_u32)"),
        each("0_u32"),
        each("(n % 32_u32)"),
        // Two distances.
        format!(
            "{} forall Block i < 4_u32 {{ store a[((b *' 4_u32) +' i)] = 1_u32 }}",
            each("((b *' 8_u32) +' i)")
        ),
        // The user's arithmetic may wrap, and the user vouches for it.
        "forall Block i < 8_u32 { store a[unchecked(((b * 8_u32) + i))] = 1_u32 }".to_owned(),
        "forall Block i < 9_u32 { store a[((b *' 8_u32) +' i)] = 1_u32 }".to_owned(),
        "forall Block i < 8_u32 { store a[((i *' 4_u32) +' b)] = 1_u32 }".to_owned(),
        "forall Block i < 8_u32 { store a[((b *' n) +' i)] = 1_u32 }".to_owned(),
    ] {
        assert_eq!(in_place("64_u32", &body), WritePattern::Scattered, "{body}");
    }
}
