//! What is folded, on kernels in their textual form.

use super::simplify;
use crate::ir::{Kernel, Physical, read, validate};

/// What a block of 64 threads executes, without indentation.
fn block(body: &str) -> String {
    let text = format!(
        "kernel k {{\n threads 64\n  parameter 0 n: u32\n  parameter 1 x: u32[n] input\n  parameter 2 out: u32[n] output\n for blocks b in BlockIndex .. 4_u32 step GridSize {{ {body} }} }}"
    );
    let kernel: Kernel<Physical> = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let kernel = simplify(kernel);
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    let text = kernel.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).skip(5).collect();
    lines[1..lines.len() - 2].join("\n")
}

/// What an index becomes.
fn index(text: &str) -> String {
    let stored = block(&format!("store out[{text}] = 1_u32"));
    let inner = stored.strip_prefix("store out[").unwrap();
    inner.strip_suffix("] = 1_u32").unwrap().to_owned()
}

#[test]
fn names_for_leaves_are_gone() {
    let text = "let i = ThreadIndex let j = i store out[j] = (j + b)";
    assert_eq!(block(text), "store out[ThreadIndex] = (ThreadIndex +' b)");
}

#[test]
fn terms_cancel() {
    assert_eq!(index("((ThreadIndex -' 3_u32) +' 3_u32)"), "ThreadIndex");
    assert_eq!(index("(7_u32 -' (7_u32 -' b))"), "b");
    assert_eq!(
        index("(((b *' 4_u32) +' ThreadIndex) -' (b *' 4_u32))"),
        "ThreadIndex"
    );
    // What wraps is no number that could be taken apart.
    assert_eq!(index("((b - 3_u32) + 3_u32)"), "((b - 3_u32) + 3_u32)");
    assert_eq!(index("(b +' b)"), "(b *' 2_u32)");
    // It does not here.
    assert_eq!(index("((ThreadIndex + 3_u32) - 3_u32)"), "ThreadIndex");
}

#[test]
fn quotients_take_multiples_out() {
    assert_eq!(index("(ThreadIndex % 64_u32)"), "ThreadIndex");
    assert_eq!(index("(ThreadIndex % 63_u32)"), "(ThreadIndex % 63_u32)");
    assert_eq!(index("(ThreadIndex / 64_u32)"), "0_u32");
    assert_eq!(index("(((b *' 64_u32) +' ThreadIndex) / 64_u32)"), "b");
    assert_eq!(
        index("(((b *' 128_u32) +' ThreadIndex) % 64_u32)"),
        "ThreadIndex"
    );
    assert_eq!(index("(((b *' 65_u32) +' ThreadIndex) / 65_u32)"), "b");
    assert_eq!(
        index("(((b *' 63_u32) +' ThreadIndex) / 63_u32)"),
        "(((b *' 63_u32) +' ThreadIndex) / 63_u32)"
    );
    // 64 * b wraps in `u32`, and then the quotient is another one.
    assert_eq!(
        index("(((n * 64_u32) + ThreadIndex) / 64_u32)"),
        "(((n * 64_u32) +' ThreadIndex) / 64_u32)"
    );
}

#[test]
fn comparisons_are_decided_by_ranges() {
    assert_eq!(index("min(ThreadIndex, 63_u32)"), "ThreadIndex");
    assert_eq!(
        index("min(ThreadIndex, 62_u32)"),
        "min(ThreadIndex, 62_u32)"
    );
    assert_eq!(index("select((ThreadIndex < 64_u32), b, 9_u32)"), "b");
    assert_eq!(
        index("select((ThreadIndex < 63_u32), b, 9_u32)"),
        "select((ThreadIndex < 63_u32), b, 9_u32)"
    );
}

#[test]
fn a_condition_is_asked_once() {
    let text = "if (b < n) { store out[b] = select((b < n), x[b], 0_u32) if (b < n) { store out[0_u32] = 1_u32 } }";
    assert_eq!(
        block(text),
        "if (b < n) {\nstore out[b] = x[b]\nif true {\nstore out[0_u32] = 1_u32\n}\n}"
    );
    let text = "store out[b] = select((b < n), select((b < n), x[b], 1_u32), select((b < n), 2_u32, 3_u32))";
    assert_eq!(block(text), "store out[b] = select((b < n), x[b], 3_u32)");
    // Behind the branch nothing is known.
    let text =
        "if (b < n) { store out[b] = 1_u32 } store out[0_u32] = select((b < n), 1_u32, 2_u32)";
    assert_eq!(
        block(text),
        "if (b < n) {\nstore out[b] = 1_u32\n}\nstore out[0_u32] = select((b < n), 1_u32, 2_u32)"
    );
}

#[test]
fn a_guard_bounds_what_stands_behind_it() {
    let text = "if (ThreadIndex < 8_u32) { store out[(ThreadIndex % 8_u32)] = 1_u32 } else { store out[(ThreadIndex % 8_u32)] = 2_u32 }";
    assert_eq!(
        block(text),
        "if (ThreadIndex < 8_u32) {\nstore out[ThreadIndex] = 1_u32\n} else {\nstore out[(ThreadIndex % 8_u32)] = 2_u32\n}"
    );
}

#[test]
fn a_loop_of_one_round_names_nothing_and_one_of_none_is_gone() {
    let one = "for sequential Thread i in 0_u32 .. 1_u32 step 1_u32 { store out[(i +' b)] = i }";
    assert_eq!(
        block(one),
        "for sequential Thread i in 0_u32 .. 1_u32 step 1_u32 {\nstore out[b] = 0_u32\n}"
    );
    let two = "for sequential Thread i in 0_u32 .. 2_u32 step 1_u32 { store out[(i / 2_u32)] = i }";
    assert_eq!(
        block(two),
        "for sequential Thread i in 0_u32 .. 2_u32 step 1_u32 {\nstore out[0_u32] = i\n}"
    );
    let none = "for sequential Thread i in 3_u32 .. 3_u32 step 1_u32 { store out[i] = i }";
    assert_eq!(block(none), "");
}

#[test]
fn addresses_are_spelt_out() {
    let text = "let t = ((b *' 64_u32) +' ThreadIndex) let u = (t +' 3_u32) if (u < n) { store out[u] = x[(u -' 2_u32)] }";
    assert_eq!(
        block(text),
        "let t = ((b *' 64_u32) +' ThreadIndex)\nlet u = (t +' 3_u32)\nif (u < n) {\n\
         store out[(((b *' 64_u32) +' ThreadIndex) +' 3_u32)] = x[(((b *' 64_u32) +' ThreadIndex) +' 1_u32)]\n}"
    );
    // A quotient is not computed twice, and a name that only an index used is gone.
    let text = "let q = (n / 3_u32) let t = (q +' 1_u32) store out[t] = 1_u32";
    assert_eq!(
        block(text),
        "let q = (n / 3_u32)\nstore out[(q +' 1_u32)] = 1_u32"
    );
}

#[test]
fn what_is_subtracted_comes_last() {
    // In block 0 the last thread would be at -1 + 31 otherwise.
    let text = "store out[((b *' 32_u32) +' (31_u32 -' ThreadIndex))] = 1_u32";
    assert_eq!(
        block(text),
        "store out[(((b *' 32_u32) +' 31_u32) -' ThreadIndex)] = 1_u32"
    );
}

#[test]
fn a_named_condition_is_not_asked_again() {
    let text = "let c = (b < n) if c { store out[b] = select(c, x[b], 0_u32) }";
    assert_eq!(
        block(text),
        "let c = (b < n)\nif c {\nstore out[b] = x[b]\n}"
    );
    // The comparison behind the name is known as well.
    let text = "let c = (n < 7_u32) if c { if (n < 9_u32) { store out[b] = 1_u32 } }";
    assert_eq!(
        block(text),
        "let c = (n < 7_u32)\nif c {\nif true {\nstore out[b] = 1_u32\n}\n}"
    );
}

#[test]
fn a_comparison_of_a_choice_is_its_condition() {
    let text = "let c = (b < n) if (select(c, b, n) < n) { store out[b] = 1_u32 }";
    assert_eq!(
        block(text),
        "let c = (b < n)\nif c {\nstore out[b] = 1_u32\n}"
    );
    let text = "let c = (b < n) if (n <= select(c, b, n)) { store out[b] = 1_u32 }";
    assert_eq!(
        block(text),
        "let c = (b < n)\nif (! c) {\nstore out[b] = 1_u32\n}"
    );
}

#[test]
fn a_counter_is_below_the_end_of_its_loop() {
    let text = "for sequential Thread j in 0_u32 .. n step 1_u32 { if (j < n) { store out[j] = 1_u32 } if (j < (n / 2_u32)) { store out[j] = 2_u32 } }";
    assert_eq!(
        block(text),
        "for sequential Thread j in 0_u32 .. n step 1_u32 {\nif true {\nstore out[j] = 1_u32\n}\n\
         if (j < (n / 2_u32)) {\nstore out[j] = 2_u32\n}\n}"
    );
}

#[test]
fn what_is_at_most_a_number_may_be_that_number() {
    let of = |condition: &str, inner: &str| {
        let text = block(&format!(
            "if {condition} {{ if {inner} {{ store out[b] = 1_u32 }} }}"
        ));
        text.lines().nth(1).unwrap().to_owned()
    };
    for condition in ["(n <= 5_u32)", "(5_u32 >= n)"] {
        assert_eq!(of(condition, "(n < 5_u32)"), "if (n < 5_u32) {");
        assert_eq!(of(condition, "(n < 6_u32)"), "if true {");
    }
    assert_eq!(of("(n < 5_u32)", "(n < 5_u32)"), "if true {");
    assert_eq!(of("(n >= 5_u32)", "(n > 5_u32)"), "if (n > 5_u32) {");
    assert_eq!(of("(n >= 5_u32)", "(n > 4_u32)"), "if true {");
}

#[test]
fn a_name_that_is_bound_anew_stands_for_something_else() {
    // The second `c` is no comparison with 7.
    let text = "if (b < 2_u32) { let c = (n < 7_u32) store out[0_u32] = select(c, 1_u32, 2_u32) } cell k = (b < n) get c = k if c { if (n < 9_u32) { store out[b] = 1_u32 } }";
    let text = block(text);
    assert!(text.contains("if c {\nif (n < 9_u32) {\n"), "{text}");
}

#[test]
fn a_counter_uses_no_name_of_another_scope() {
    let rounds = "for sequential Thread j in 0_u32 .. 2_u32 step 1_u32 { store out[j] = 1_u32 }";
    let text = block(&format!(
        "{rounds} if (n < 5_u32) {{ let j = (n +' 1_u32) store out[0_u32] = 1_u32 }} {rounds}"
    ));
    assert!(
        text.contains("if (n < 5_u32) {\nstore out[0_u32] = 1_u32\n}\n"),
        "{text}"
    );
}

#[test]
fn a_sum_that_stays_in_the_low_bits_does_not_wrap() {
    // `n * 64` may wrap, and is a multiple of 64 modulo 2^32 all the same.
    let tile = "((n * 64_u32) + ThreadIndex)";
    let exact = "((n * 64_u32) +' ThreadIndex)";
    assert_eq!(index(tile), exact);
    assert_eq!(
        index("((ThreadIndex % 32_u32) + (n << 5_u32))"),
        "((ThreadIndex % 32_u32) +' (n << 5_u32))"
    );
    assert_eq!(
        index(&format!("({} + 32_u32)", tile.replace("64_u32", "96_u32"))),
        format!("({} + 32_u32)", tile.replace("64_u32", "96_u32")),
        "96 is a multiple of 32 only"
    );
    let wide = tile.replace("64_u32", "256_u32");
    let wide_exact = exact.replace("64_u32", "256_u32");
    for (more, holds) in [(192, true), (193, false)] {
        let plus = if holds { "+'" } else { "+" };
        assert_eq!(
            index(&format!("({wide} + {more}_u32)")),
            format!("({wide_exact} {plus} {more}_u32)")
        );
    }
    // The same through a name, and through a product of the sum.
    let named = "let i = ((n * 256_u32) + ThreadIndex) let j = (i * 2_u32) store out[((j + 385_u32) + (j + 386_u32))] = i";
    assert_eq!(
        block(named),
        "let i = ((n * 256_u32) +' ThreadIndex)\n\
         let j = (i * 2_u32)\n\
         store out[((j +' 385_u32) + (j + 386_u32))] = i"
    );
    // What is added has low bits of its own.
    let two = "((n * 64_u32) + (m * 64_u32))".replace('m', "b");
    assert_eq!(index(&two), "((n * 64_u32) + (b *' 64_u32))");
}
