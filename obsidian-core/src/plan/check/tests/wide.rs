//! Indices of 64 bits that guards bound: in range, or not.

use super::NONE;
use crate::ir::read;
use crate::plan::check::check;

/// What is wrong with a thread for each of `n` elements of `x`, which reads `x` by the last line of `body`: `at` is its number, `n` is
/// `length(x)`, `m` that number as an `i64`, `k` an argument of type `i64`.
fn of_wide(body: &str, index: &str) -> Vec<&'static str> {
    let text = format!(
        "kernel k {{ parameter 0 k: i64 parameter 1 x: u32[length(x)] input parameter 2 ids: i64[length(x)] input parameter 3 out: u32[length(x)] output
         distribute Block b < ((length(x) /' 8_u32) +' min((length(x) %' 8_u32), 1_u32)) {{ forall Block i < 8_u32 {{
           let at = ((b *' 8_u32) +' i)
           if (at < length(x)) {{ let n = length(x) let m = i64(n) {body} store out[at] = {index} }} }} }} }}"
    );
    let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
    checked.diagnostics.iter().map(|d| d.id).collect()
}

/// Numbers of 64 bits that may be as large as the number of elements, and larger.
const NUMBERS: &[&str] = &[
    "(i64(at) + 1_i64)",
    "(i64(at) + k)",
    "(k - i64(at))",
    "ids[at]",
    "(ids[at] - 5000000000_i64)",
    "(i64((at - 1_u32)) + 2_i64)",
];

#[test]
fn a_guard_on_both_sides_keeps_a_wide_index_inside() {
    for number in NUMBERS {
        let of = |guard: &str| {
            let body = format!("let j = {number}");
            of_wide(&body, &format!("select({guard}, x[u32(j)], 0_u32)"))
        };
        assert_eq!(of("((0_i64 <= j) & (j < m))"), NONE, "{number}");
        assert_ne!(of("((0_i64 <= j) & (j <= m))"), NONE, "{number}");
        assert_ne!(of("(0_i64 <= j)"), NONE, "{number}");
        assert_ne!(of("((0_i64 <= j) | (j < m))"), NONE, "{number}");
    }
}

/// Below the end alone is enough for what is no less than 0, and for nothing else.
#[test]
fn a_guard_below_the_end_is_enough_for_what_is_not_negative() {
    let of = |number: &str| {
        let body = format!("let j = {number}");
        of_wide(&body, "select((j < m), x[u32(j)], 0_u32)")
    };
    assert_eq!(of("(i64(at) + 1_i64)"), NONE);
    assert_eq!(of("(i64(at) * i64(b))"), NONE, "it has less than 63 bits");
    assert_ne!(
        of("((i64(at) * i64(at)) * 8_i64)"),
        NONE,
        "it may wrap around"
    );
    assert_ne!(of("(i64(at) - 1_i64)"), NONE);
    assert_ne!(of("ids[at]"), NONE);
    assert_ne!(of("(i64(at) + k)"), NONE);
}

/// The lower half of a number that does not fit is another number.
#[test]
fn a_cast_keeps_the_lower_half_alone() {
    // It is the same element, by a number that is no index.
    assert_eq!(of_wide("", "x[u32((i64(at) + 4294967296_i64))]"), NONE);
    assert_ne!(of_wide("", "x[u32((i64(at) + 4294967297_i64))]"), NONE);
    let of = |guard: &str| {
        let body = "let j = (ids[at] * 4294967296_i64)";
        of_wide(
            body,
            &format!("select({guard}, x[u32((j + 7_i64))], 0_u32)"),
        )
    };
    assert_ne!(of("((0_i64 <= j) & (j < m))"), NONE);
}

#[test]
fn clamped_wrapped_and_divided_wide_numbers_are_followed() {
    for (number, inside) in [
        ("min(max((i64(at) - 1_i64), 0_i64), (m - 1_i64))", true),
        ("min(max((i64(at) + 1_i64), 0_i64), (m - 1_i64))", true),
        ("min(max((i64(at) + 1_i64), 0_i64), m)", false),
        ("max((i64(at) - 1_i64), 0_i64)", true),
        ("max((i64(at) + 1_i64), 0_i64)", false),
        ("((i64(at) + 1_i64) % m)", true),
        ("((i64(at) + 1_i64) % (m + 1_i64))", false),
        ("((i64(at) - 1_i64) % m)", false),
        ("(k % m)", false),
        ("(i64(at) / 2_i64)", true),
        ("(i64(at) / (0_i64 - 2_i64))", false),
        ("((m - 1_i64) - i64(at))", true),
        ("(m - i64(at))", false),
    ] {
        let found = of_wide(&format!("let j = {number}"), "x[u32(j)]");
        assert_eq!(found.is_empty(), inside, "{number}: {found:?}");
    }
}
