//! Indices are inside of their arrays, or the mistake is named.

use super::{NONE, beside, wrong, wrong_at_any_length};
use crate::error::{self, Diagnostic, Origins};
use crate::ir::read;
use crate::plan::check::check;

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

#[test]
fn a_condition_as_a_number_is_0_or_1() {
    let of = |index: &str| {
        let stored =
            "allocate s: u32[2_u32] shared forall Block i < 2_u32 { store s[i] = i } wait Block";
        let read =
            format!("forall Block o < 8_u32 {{ store out[((b *' 8_u32) +' o)] = s[{index}] }}");
        wrong("32_u32", &format!("{stored} {read}"))
    };
    assert_eq!(of("u32((n < 3_u32))"), NONE);
    assert_eq!(of("(1_u32 -' u32((n < 3_u32)))"), NONE);
    assert_ne!(of("(u32((n < 3_u32)) -' 1_u32)"), NONE);
    assert_ne!(of("(u32((n < 3_u32)) +' 1_u32)"), NONE);
}

/// By 0 a quotient is 0, however much is divided.
#[test]
fn a_quotient_by_what_may_be_0_may_be_0() {
    let of = |condition: &str| {
        let text = format!(
            "kernel k {{ parameter 0 d: u32 parameter 1 x: u32[length(x)] input parameter 2 out: u32[1_u32] output
             distribute Block b < 1_u32 {{ forall Block i < 1_u32 {{
               store out[0_u32] = select({condition}, x[(min((length(x) / d), 1_u32) -' 1_u32)], 0_u32) }} }} }}"
        );
        let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        checked.diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
    };
    let fits = "((d <= length(x)) & (0_u32 < length(x)))";
    assert_ne!(of(fits), NONE);
    assert_eq!(of(&format!("({fits} & (0_u32 < d))")), NONE);
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
    assert_eq!(
        load("distinct(x[0_u32])"),
        ["maybe-outside"],
        "which promises nothing about the length"
    );
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

/// `i - 2` wraps for the first two threads. Modulo 2^32 the sum is inside, in the piece before; as
/// exact arithmetic it is no index.
#[test]
fn a_sum_of_the_user_that_wraps_is_no_operand_of_an_exact_one() {
    let ids = |index: &str| {
        let text = format!(
            "kernel k {{ parameter 0 x: u32[64_u32] input parameter 1 out: u32[32_u32] output \
             distribute Block b < 4_u32 {{ forall Block i < 8_u32 {{ \
             let at = ({index}) store out[((b *' 8_u32) +' i)] = x[at] }} }} }}"
        );
        let written = text.replace("x[at]", &format!("x[({index})]"));
        let [bound, written] = [text, written].map(|text| {
            let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
            checked.diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
        });
        assert_eq!(bound, written, "{index}");
        written
    };
    assert_eq!(ids("8_u32 +' (i - 2_u32)"), ["maybe-outside"]);
    assert_eq!(ids("8_u32 +' (i + 2_u32)"), NONE);
    let select = |least: &str| {
        ids(&format!(
            "0_u32 + select(({least} < i), (8_u32 +' (i - 2_u32)), i)"
        ))
    };
    assert_eq!(select("0_u32"), ["maybe-outside"]);
    assert_eq!(select("1_u32"), NONE);
    assert_eq!(ids("8_u32 + (i - 2_u32)"), NONE);
}

/// Factors of two facts are multiplied, over and over.
#[test]
fn large_factors_do_not_leave_the_numbers_of_a_proof() {
    let counters = ["a", "c", "d"];
    let guards = [
        ("a", 4_294_967_291_u32, "c", 4_294_967_279_u32),
        ("c", 4_294_967_231, "d", 4_294_967_197),
        ("d", 4_294_967_189, "c", 4_294_967_161),
        ("c", 4_294_967_143, "a", 4_294_967_111),
        ("d", 4_294_967_087, "a", 4_294_967_029),
        ("a", 4_294_966_997, "d", 4_294_966_981),
    ];
    let inner = "read v = s[((a + c) + d)]".to_owned();
    let inner = guards.iter().rev().fold(inner, |inner, (x, f, y, g)| {
        format!("if (({x} * {f}_u32) <= ({y} * {g}_u32)) {{ {inner} }}")
    });
    let loops = counters.iter().rev().fold(inner, |inner, counter| {
        format!("for sequential Thread {counter} in 0_u32 .. 2_u32 step 1_u32 {{ {inner} }}")
    });
    let body = format!("allocate s: u32[4_u32] shared forall Block w < 2_u32 {{ {loops} }}");
    assert_eq!(beside(&body), NONE);
}

/// A number that a promise is about wraps around like any other, where it is compared.
#[test]
fn a_promise_does_not_keep_a_number_from_wrapping() {
    for promise in ["unchecked", "distinct"] {
        let body = format!(
            "forall Block i < 8_u32 {{ if ({promise}((i - 5_u32)) < 8_u32) {{ store out[((b *' 8_u32) +' i)] = 1_u32 }} }}"
        );
        assert_eq!(wrong("32_u32", &body), ["never-written"], "{promise}");
    }
}

/// A choice by two conditions, of which one says nothing of numbers, says nothing of the other.
#[test]
fn a_choice_does_not_teach_its_condition() {
    let both = "((i < 8_u32) & (x[0_u32] != 3_u32))";
    let chosen = format!("select({both}, 1_u32, 2_u32)");
    let of = |body: &str| {
        beside(&format!(
            "allocate s: u32[8_u32] shared forall Block w < 8_u32 {{ store s[w] = 1_u32 }} wait Block
             forall Block i < 16_u32 {{ {body} }}"
        ))
    };
    assert_ne!(of(&format!("let u = s[{chosen}] let v = s[i]")), NONE);
    assert_ne!(
        of(&format!("if ({chosen} < 9_u32) {{ let v = s[i] }}")),
        NONE
    );
    assert_eq!(of(&format!("if {both} {{ let v = s[i] }}")), NONE);
}

#[test]
fn a_shift_is_a_quotient() {
    let of = |length: u32, shift: &str| {
        beside(&format!(
            "allocate s: u32[{length}_u32] shared forall Block w < {length}_u32 {{ store s[w] = 1_u32 }} wait Block
             forall Block j < 8_u32 {{ let v = s[{shift}] }}"
        ))
    };
    assert_eq!(of(4, "(j >> 1_u32)"), NONE);
    assert_eq!(of(3, "(j >> 1_u32)"), ["outside-when-run"]);
    assert_eq!(of(8, "(j >> 0_u32)"), NONE);
    assert_eq!(of(7, "(j >> 32_u32)"), ["outside-when-run"]);
}

/// What is found of a kernel that reads `y` in each of some blocks; `x` is the other input.
fn reads_of_blocks(blocks: &str) -> Vec<Diagnostic> {
    let text = format!(
        "kernel k {{ parameter 0 x: u32[length(x)] input parameter 1 y: u32[length(y)] input parameter 2 out: u32[{blocks}] output
         distribute Block b < {blocks} {{ forall Block i < 1_u32 {{ store out[b] = y[b] }} }} }}"
    );
    let mut kernel = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut origins = Origins::default();
    for (array, n) in kernel.tables.arrays.iter_mut().zip(0..) {
        array.origin = origins.add(error::Site::Span(n));
    }
    check(&kernel).diagnostics
}

#[test]
fn a_launch_can_be_asked_for_the_length_of_an_input() {
    let rounded_up = "((length(x) /' 4_u32) +' min((length(x) %' 4_u32), 1_u32))";
    for (blocks, line) in [
        ("length(x)", "x.len()"),
        (rounded_up, "x.len().div_ceil(4)"),
        ("(length(x) /' 4_u32)", "x.len() / 4"),
    ] {
        let wrong = reads_of_blocks(blocks);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        let asked = format!("`require(y.len().equals({line}))`");
        assert!(wrong[0].notes[0].contains(&asked), "{wrong:?}");
    }
}

#[test]
fn what_has_no_place_is_reported_where_the_array_is_made() {
    let wrong = reads_of_blocks("length(x)");
    let mut origins = Origins::default();
    let places = [0, 1].map(|n| origins.add(error::Site::Span(n)));
    assert_eq!(wrong[0].origin, places[1]);
}

/// The factors of a long product are numbers modulo 2^32, whose values beyond 128 bits must not be cut off where they are enumerated.
#[test]
fn a_long_product_is_enumerated_modulo_2_to_the_32() {
    let p = "(4294967295_u32 * (i ^ 4294967280_u32))";
    // It is -i * (i - 16)^2.
    let at = format!("(({p} * {p}) * (4294967295_u32 * i))");
    let load = format!(
        "allocate s: u32[8_u32] shared forall Block i < 8_u32 {{ store s[i] = 1_u32 }} wait Block
         forall Block i < 8_u32 {{ store out[((b *' 8_u32) +' i)] = s[{at}] }}"
    );
    assert_ne!(wrong("32_u32", &load), NONE);
    let store = format!("forall Block i < 8_u32 {{ store out[((b * 8_u32) + {at})] = 1_u32 }}");
    assert_ne!(wrong("32_u32", &store), NONE);
}
