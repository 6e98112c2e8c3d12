//! Number systems whose radices are known at launch: transpositions, butterflies, loops with a
//! stride; and kernels almost like them, each wrong at some length.

use super::NONE;
use crate::ir::read;
use crate::plan::check::{Checked, check};

/// What is known of blocks of 256 threads `i`, as many as `blocks`, of a kernel with an argument `w`
/// and arrays `x`, `io` and `out` of `n` elements.
fn checked(requires: &str, blocks: &str, body: &str) -> Checked {
    let text = format!(
        "kernel k {{ parameter 0 w: u32 parameter 1 io: u32[length(io)] inout parameter 2 out: u32[length(io)] output {requires}
         distribute Block b < {blocks} {{ forall Block t < 256_u32 {{ let i = ((b * 256_u32) + t) {body} }} }} }}"
    );
    check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")))
}

fn wrong(requires: &str, blocks: &str, body: &str) -> Vec<&'static str> {
    let checked = checked(requires, blocks, body);
    checked.diagnostics.iter().map(|d| d.id).collect()
}

const BLOCKS: &str = "((length(io) + 255_u32) / 256_u32)";
const ROWS: &str = "require length(io) divided_by w";

#[test]
fn a_transposition_by_a_width_known_at_launch_writes_each_element_once() {
    let of = |requires: &str, blocks: &str, end: &str, index: &str| {
        let body = format!("let h = (length(io) / w) if (i < {end}) {{ store out[{index}] = i }}");
        wrong(requires, blocks, &body)
    };
    let all = "length(io)";
    let index = "(((i % w) * h) + (i / w))";
    assert_eq!(of(ROWS, BLOCKS, all, index), NONE);
    assert_eq!(of(ROWS, BLOCKS, all, "(((i / w) * w) + (i % w))"), NONE);
    assert_eq!(of(ROWS, BLOCKS, all, "(((i % h) * w) + (i / h))"), NONE);
    for (requires, blocks, end, index) in [
        ("", BLOCKS, all, index),
        (
            "require length(io) divided_by (w + 1_u32)",
            BLOCKS,
            all,
            index,
        ),
        (ROWS, "(length(io) / 256_u32)", all, index),
        (ROWS, BLOCKS, "(max(length(io), 1_u32) - 1_u32)", index),
        (ROWS, BLOCKS, "(length(io) + 1_u32)", index),
        (ROWS, BLOCKS, all, "(((i % w) * w) + (i / w))"),
        (ROWS, BLOCKS, all, "(((i / w) * h) + (i % w))"),
        (ROWS, BLOCKS, all, "(((i % h) * h) + (i / h))"),
        (ROWS, BLOCKS, all, "(((i % w) * h) + (i % h))"),
        (ROWS, BLOCKS, all, "(((i % w) * h) + ((i / w) / 2_u32))"),
        (ROWS, BLOCKS, all, "((((i + 1_u32) % w) * h) + (i / w))"),
    ] {
        let found = of(requires, blocks, end, index);
        assert_ne!(found, NONE, "{requires}, {blocks}, {end}, {index}");
    }
}

#[test]
fn the_threads_of_a_butterfly_do_not_meet() {
    let of = |requires: &str, end: &str, low: &str, high: &str| {
        let body = format!(
            "if (i < {end}) {{ let low = {low} let high = {high}
             read x = io[low] read y = io[high] store io[low] = (x + y) store io[high] = (x - y) }}"
        );
        let found = wrong(requires, BLOCKS, &body);
        let races = found
            .into_iter()
            .filter(|id| *id != "never-written" && *id != "maybe-not-once");
        races.collect::<Vec<_>>()
    };
    let pairs = "require length(io) divided_by (w * 2_u32)";
    let half = "(length(io) / 2_u32)";
    let low = "((((i / w) * w) * 2_u32) + (i % w))";
    assert_eq!(of(pairs, half, low, "(low + w)"), NONE);
    for (requires, end, low, high) in [
        ("", half, low, "(low + w)"),
        (ROWS, half, low, "(low + w)"),
        (pairs, "length(io)", low, "(low + w)"),
        (pairs, half, low, "(low + 1_u32)"),
        (pairs, half, low, "((low + w) - 1_u32)"),
        (pairs, half, "(((i / w) * w) + (i % w))", "(low + w)"),
        (
            pairs,
            half,
            "((((i / w) * w) * 2_u32) + (i % (w + 1_u32)))",
            "(low + w)",
        ),
        (
            pairs,
            half,
            "((((i / w) * w) * 2_u32) + (i % 2_u32))",
            "(low + w)",
        ),
        (pairs, half, "(((i / w) * w) * 2_u32)", "(low + w)"),
    ] {
        let found = of(requires, end, low, high);
        assert_ne!(found, NONE, "{requires}, {end}, {low}, {high}");
    }
}

/// What may wrap near 2^32 alone is asked of the launch.
#[test]
fn a_loop_with_a_stride_covers_what_it_counts() {
    let of = |blocks: &str, left: &str, step: &str, index: &str| {
        let body = format!(
            "for sequential Thread k in 0_u32 .. (({left} - i) / {step}) step 1_u32 {{ store out[{index}] = i }}"
        );
        let checked = checked("", blocks, &body);
        let ids: Vec<&str> = checked.diagnostics.iter().map(|d| d.id).collect();
        (ids, checked.rounds.len())
    };
    let left = "(length(io) + 1023_u32)";
    let index = "((k * 1024_u32) + i)";
    assert_eq!(of("4_u32", left, "1024_u32", index), (NONE.to_vec(), 1));
    for (blocks, left, step, index) in [
        ("3_u32", left, "1024_u32", index),
        ("5_u32", left, "1024_u32", index),
        ("4_u32", "(length(io) + 1022_u32)", "1024_u32", index),
        ("4_u32", "(length(io) + 1024_u32)", "1024_u32", index),
        ("4_u32", left, "1023_u32", index),
        ("4_u32", left, "1025_u32", index),
        ("4_u32", left, "1024_u32", "((k * 1023_u32) + i)"),
        ("4_u32", left, "1024_u32", "((k * 1024_u32) + t)"),
        ("4_u32", "(length(io) - 1_u32)", "1024_u32", index),
    ] {
        let (found, _) = of(blocks, left, step, index);
        assert_ne!(found, NONE, "{blocks}, {left}, {step}, {index}");
    }
}

/// Rows of unequal lengths, one behind the other.
#[test]
fn a_triangle_is_written_row_by_row() {
    let of = |length: &str, rows: &str, size: &str, index: &str| {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 out: u32[{length}] output
             distribute Block y < {rows} {{ forall Block x < {size} {{ store out[{index}] = y }} }} }}"
        );
        let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        checked.diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
    };
    let (all, size) = ("((n * (n + 1_u32)) / 2_u32)", "(y + 1_u32)");
    let index = "(((y * (y + 1_u32)) / 2_u32) + x)";
    let back = "(((y * (y + 1_u32)) / 2_u32) + (y - x))";
    assert_eq!(of(all, "n", size, index), NONE);
    assert_eq!(of(all, "n", size, back), NONE);
    for (length, rows, size, index) in [
        (all, "n", "y", index),
        (all, "n", "(y + 2_u32)", index),
        (all, "n", "max(y, 1_u32)", index),
        (all, "(n + 1_u32)", size, index),
        (all, "(max(n, 1_u32) - 1_u32)", size, index),
        (
            all,
            "n",
            size,
            "((((y * (y + 1_u32)) / 2_u32) + x) + 1_u32)",
        ),
        (all, "n", size, "(((y * (y + 1_u32)) / 3_u32) + x)"),
        (all, "n", size, "(((y * (y + 2_u32)) / 2_u32) + x)"),
        (all, "n", size, "(((y * y) / 2_u32) + x)"),
        (
            all,
            "n",
            size,
            "(((y * (y + 1_u32)) / 2_u32) + (x / 2_u32))",
        ),
        ("((n * n) / 2_u32)", "n", size, index),
        ("(((n * (n + 1_u32)) / 2_u32) + 1_u32)", "n", size, index),
        ("(n * (n + 1_u32))", "n", size, "((y * (y + 1_u32)) + x)"),
    ] {
        assert_ne!(
            of(length, rows, size, index),
            NONE,
            "{length}, {rows}, {size}, {index}"
        );
    }
    // Loops that may end early.
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 out: u32[{all}] output distribute Block b < 1_u32 {{ forall Block t < 1_u32 {{
         for sequential Thread z in 0_u32 .. 1_u32 step 1_u32 {{ FIRST
         for sequential Thread y in 0_u32 .. n step 1_u32 {{ for sequential Thread x in 0_u32 .. {size} step 1_u32 {{ store out[{index}] = y }} LAST }} }} }} }} }}"
    );
    for (first, last, right) in [
        ("", "", true),
        ("if (n == 5_u32) { break }", "", false),
        ("", "if (y == 5_u32) { break }", false),
    ] {
        let text = text.replace("FIRST", first).replace("LAST", last);
        let kernel = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(check(&kernel).diagnostics.is_empty(), right, "{text}");
    }
}
