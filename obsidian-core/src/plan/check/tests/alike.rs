//! Threads that access different elements although nobody knows which comes first.

use super::NONE;
use crate::ir::read;
use crate::plan::check::check;

/// What is wrong where the thread of each element of `io` that a guard lets through reads one element and
/// writes another. Rows have `w` elements; `at` is in row `y` and column `c`, and there are `h` rows.
fn of(guard: &str, read_at: &str, written: &str) -> Vec<&'static str> {
    let [guard, read_at, written] = [guard, read_at, written]
        .map(|text| text.replace("-1", "- 1_u32").replace("+1", "+ 1_u32"));
    let text = format!(
        "kernel k {{ parameter 0 w: u32 parameter 1 color: u32 parameter 2 io: u32[length(io)] inout require length(io) divided_by w
         distribute Block b < ((length(io) /' 8_u32) +' min((length(io) %' 8_u32), 1_u32)) {{ forall Block i < 8_u32 {{
           let at = ((b *' 8_u32) +' i) let h = (length(io) / w) let y = (at / w) let c = (at % w) let p = (at ^ color)
           if ((at < length(io)) & {guard}) {{ read v = io[{read_at}] store io[{written}] = v }} }} }} }}"
    );
    let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
    checked.diagnostics.iter().map(|d| d.id).collect()
}

const INNER: &str = "((0_u32 < y) & ((0_u32 < c) & (((y +1) < h) & ((c +1) < w))))";

#[test]
fn red_cells_are_none_of_the_black_ones() {
    let red = |rest: &str| format!("({INNER} & ({rest} == color))");
    for neighbour in ["(at -1)", "(at +1)", "(at - w)"] {
        assert_eq!(
            of(&red("((c + y) % 2_u32)"), neighbour, "at"),
            NONE,
            "{neighbour}"
        );
        assert_ne!(of(INNER, neighbour, "at"), NONE, "{neighbour}");
    }
    assert_ne!(of(&red("(c % 2_u32)"), "(at + w)", "at"), NONE);
    assert_ne!(
        of(&red("((c + (y * 2_u32)) % 2_u32)"), "(at + w)", "at"),
        NONE
    );
    assert_ne!(of(&red("((c + y) % 2_u32)"), "((at + w) +1)", "at"), NONE);
    assert_ne!(of(&red("((c * y) % 2_u32)"), "(at +1)", "at"), NONE);
}

#[test]
fn one_of_two_partners_exchanges_both() {
    let both = |guard: &str| [of(guard, "at", "p"), of(guard, "p", "at")];
    for wrong in both("((p < length(io)) & (p > at))") {
        assert_eq!(wrong, NONE);
    }
    for guard in [
        "(p < length(io))",
        "((p < length(io)) & (p != at))",
        "((p < length(io)) & (p > color))",
    ] {
        for wrong in both(guard) {
            assert_ne!(wrong, NONE, "{guard}");
        }
    }
    let one = "((at ^ 1_u32) > at)";
    let inside = format!("({one} & ((at ^ 1_u32) < length(io)))");
    assert_eq!(of(&inside, "at", "(at ^ 1_u32)"), NONE);
    assert_ne!(of(&inside, "at", "((at ^ 1_u32) ^ 2_u32)"), NONE);
    assert_ne!(
        of(one, "at", "(at ^ 1_u32)"),
        NONE,
        "the last one has no partner"
    );
}

/// A row of each thread, of which it writes any column.
#[test]
fn rows_of_different_threads_are_apart() {
    let of = |row: &str, column: &str| {
        let guard = format!("((at < h) & ({column} < w))");
        of(&guard, &format!("(({row} *' w) +' {column})"), "(at *' w)")
    };
    assert_eq!(of("at", "(b +1)"), NONE);
    assert_ne!(of("((h -1) - at)", "(b % w)"), NONE);
}
