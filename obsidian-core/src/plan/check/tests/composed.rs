//! Rows, columns and planes that are no counters: in range, or not.

use super::NONE;
use crate::ir::read;
use crate::plan::check::check;

/// What is wrong with a kernel of one thread for each element of `x`, which has rows of `w` elements:
/// of `at`, the row is `y`, the column `c`, and there are `h` rows.
fn of_rows(index: &str) -> Vec<&'static str> {
    let index = index.replace("-1", "- 1_u32").replace("+1", "+ 1_u32");
    wrong(&format!(
        "parameter 0 w: u32 parameter 1 x: u32[length(x)] input parameter 2 out: u32[length(x)] output require length(x) divided_by w
         distribute Block b < ((length(x) /' 8_u32) +' min((length(x) %' 8_u32), 1_u32)) {{ forall Block i < 8_u32 {{
           let at = ((b *' 8_u32) +' i)
           if (at < length(x)) {{ let h = (length(x) / w) let y = (at / w) let c = (at % w) store out[at] = x[{index}] }} }} }}"
    ))
}

/// The same of boxes of `h` by `w` elements, `d` of them.
fn of_planes(index: &str) -> Vec<&'static str> {
    let index = index.replace("-1", "- 1_u32").replace("+1", "+ 1_u32");
    wrong(&format!(
        "parameter 0 w: u32 parameter 1 h: u32 parameter 2 x: u32[length(x)] input parameter 3 out: u32[length(x)] output
         require length(x) equal (((length(x) / (h *' w)) *' h) *' w)
         distribute Block b < ((length(x) /' 8_u32) +' min((length(x) %' 8_u32), 1_u32)) {{ forall Block i < 8_u32 {{
           let at = ((b *' 8_u32) +' i)
           if (at < length(x)) {{ let d = (length(x) / (h *' w)) let z = ((at / w) / h) let y = ((at / w) % h) let c = (at % w)
             store out[at] = x[{index}] }} }} }}"
    ))
}

fn wrong(body: &str) -> Vec<&'static str> {
    let text = format!("kernel k {{ {body} }}");
    let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
    checked.diagnostics.iter().map(|d| d.id).collect()
}

/// A row, a column, and whether they are inside.
const ROWS: &[(&str, &str, bool)] = &[
    ("y", "c", true),
    ("min((y +1), (h -1))", "c", true),
    ("min((y +1), h)", "c", false),
    ("min((y +1), (w -1))", "c", false),
    ("y", "min((c +1), (w -1))", true),
    ("y", "min((c +1), w)", false),
    ("((y +1) % h)", "((c +1) % w)", true),
    ("((y +1) % w)", "((c +1) % h)", false),
    ("((i * y) % h)", "((b * b) % w)", true),
    ("((h -1) - y)", "((w -1) - c)", true),
    ("(h - y)", "c", false),
    ("((w -1) - y)", "c", false),
    ("(y / 2_u32)", "(c / 3_u32)", true),
    ("(y * 2_u32)", "c", false),
    ("c", "y", false),
    ("select((y < 3_u32), (h -1), 0_u32)", "c", true),
    ("select((y < 3_u32), h, 0_u32)", "c", false),
];

#[test]
fn a_row_and_a_column_below_their_ends_are_inside() {
    for (row, column, inside) in ROWS {
        for index in [
            format!("(({row} *' w) +' {column})"),
            format!("(({row} * w) + {column})"),
        ] {
            assert_eq!(of_rows(&index).is_empty(), *inside, "{index}");
        }
    }
}

/// One guard alone is not enough, nor one that lets the end through. What both guards bound is among the
/// natural kernels.
#[test]
fn a_row_and_a_column_need_a_guard_each() {
    let of = |guard: &str| {
        of_rows(&format!(
            "select({guard}, ((((y * 3_u32) + i) *' w) +' ((c * 5_u32) + b)), 0_u32)"
        ))
    };
    let (row, column) = ("(((y * 3_u32) + i) < h)", "(((c * 5_u32) + b) < w)");
    assert_ne!(of(row), NONE);
    assert_ne!(of(column), NONE);
    assert_ne!(of(&format!("({row} | {column})")), NONE);
    assert_ne!(
        of(&format!("({} & {column})", row.replace('<', "<="))),
        NONE
    );
    assert_ne!(
        of(&format!("({row} & {})", column.replace('<', "<="))),
        NONE
    );
}

/// A guard of a neighbour's row says nothing of another neighbour.
#[test]
fn neighbours_of_an_element_need_guards_of_their_own() {
    let of = |guard: &str, at: &str| of_rows(&format!("select({guard}, {at}, 0_u32)"));
    assert_ne!(of("((y +1) <= h)", "(at + w)"), NONE);
    assert_ne!(of("((y +1) < h)", "((at + w) + w)"), NONE);
    assert_ne!(of("((c +1) < w)", "(at + w)"), NONE);
    assert_ne!(of("(0_u32 < c)", "(at - w)"), NONE);
}

#[test]
fn planes_are_rows_of_rows() {
    let of = |z: &str, y: &str, c: &str| of_planes(&format!("(((({z} *' h) +' {y}) *' w) +' {c})"));
    assert_eq!(of("z", "y", "c"), NONE);
    let mirrored = ["((d -1) - z)", "((h -1) - y)", "((w -1) - c)"];
    assert_eq!(of(mirrored[0], mirrored[1], mirrored[2]), NONE);
    let next = ["min((z +1), (d -1))", "((y +1) % h)", "min((c +1), (w -1))"];
    assert_eq!(of(next[0], next[1], next[2]), NONE);
    assert_ne!(of("min((z +1), (h -1))", "y", "c"), NONE);
    assert_ne!(of("z", "((y +1) % d)", "c"), NONE);
    assert_ne!(of("(d - z)", "y", "c"), NONE);
    assert_ne!(of("z", "c", "y"), NONE);
}

/// A rest is below its divisor, whatever was divided: also if that cannot be shown to be exact.
#[test]
fn a_rest_is_below_its_divisor_whatever_was_divided() {
    assert_eq!(of_rows("(((at *' w) *' (at *' b)) % length(x))"), NONE);
    assert_ne!(of_rows("(((at *' w) *' (at *' b)) % (length(x) +1))"), NONE);
    assert_ne!(of_rows("((at *' w) % i)"), NONE, "by 0 all is left");
}

/// A plane of `h * w` elements has 32 bits where there is one, as all of them have; so has no other product.
#[test]
fn a_plane_has_32_bits_where_there_is_a_plane() {
    let of = |plane: &str, row: &str| {
        wrong(&format!(
            "parameter 0 w: u32 parameter 1 h: u32 parameter 2 d: u32 parameter 3 x: u32[length(x)] input parameter 4 out: u32[d] output
             require length(x) equal ((d *' h) *' w)
             distribute Block b < d {{ let n = {plane} allocate s: u32[8_u32] shared
               forall Block i < 8_u32 {{ let first = (i < n)
                 for sequential Thread k in 0_u32 .. select(first, (((n -' i) -' 1_u32) /' 8_u32), 0_u32) step 1_u32 {{
                   let at = ((i +' 8_u32) +' (k *' 8_u32)) let v = x[((((b *' h) +' (at /' {row})) *' w) +' (at %' w))] store s[i] = v }} }}
               forall Block j < 1_u32 {{ store out[b] = 1_u32 }} }}"
        ))
    };
    assert_eq!(of("(h *' w)", "w"), NONE);
    assert_ne!(of("(h *' w)", "h"), NONE);
    assert_ne!(of("(h *' h)", "w"), NONE);
    assert_ne!(of("((h *' w) +' 1_u32)", "w"), NONE);
}
