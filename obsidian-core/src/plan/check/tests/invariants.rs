//! Bounds that loops keep of their cells, and those that they do not.

use super::{NONE, beside, wrong, wrong_at_any_length};

/// What is wrong with threads that do this with 8 elements `s`, as they change.
fn of(body: &str) -> Vec<&'static str> {
    beside(&format!(
        "allocate s: u32[8_u32] shared forall Block w < 8_u32 {{ store s[w] = x[b] }} wait Block
         forall Block j < 8_u32 {{ {body} }}"
    ))
}

/// A search between two ends.
fn search(holds: &str, low: &str, high: &str, behind: &str) -> Vec<&'static str> {
    of(&format!(
        "cell low = 0_u32 cell high = 8_u32
         while {{ get l = low get h = high }} holds ({holds}) {{
           let m = ((l + h) / 2_u32) let k = (s[m] < 3_u32)
           assign low = select(k, {low}, l) assign high = select(k, {high}, m)
         }} {behind}"
    ))
}

#[test]
fn a_search_between_two_ends_stays_between_them() {
    let after = "get e = high let v = s[(max(e, 1_u32) - 1_u32)]";
    assert_eq!(search("l < h", "(m + 1_u32)", "h", after), NONE);
    assert_eq!(search("l < h", "(m + 9_u32)", "h", after), NONE);
    assert_eq!(search("l < h", "m", "min(h, m)", after), NONE);
    for (holds, low, high, behind) in [
        ("l <= h", "(m + 1_u32)", "h", ""),
        ("l < (h + 1_u32)", "(m + 1_u32)", "h", ""),
        ("l < h", "(m + 1_u32)", "(h + 1_u32)", ""),
        ("l < h", "(m + 1_u32)", "x[j]", ""),
        ("l < h", "(m + 1_u32)", "h", "get e = high let v = s[e]"),
        (
            "l < h",
            "(m + 9_u32)",
            "h",
            "get e = low let v = s[(max(e, 1_u32) - 1_u32)]",
        ),
        (
            "l < h",
            "(m + 1_u32)",
            "h",
            "assign high = 9_u32 get e = high let v = s[(e - 1_u32)]",
        ),
        (
            "l < h",
            "(m + 1_u32)",
            "h",
            "if (n < 3_u32) { assign high = 9_u32 } get e = high let v = s[(max(e, 1_u32) - 1_u32)]",
        ),
    ] {
        assert_ne!(
            search(holds, low, high, behind),
            NONE,
            "{holds}, {low}, {high}, {behind}"
        );
    }
}

/// Cells that something else assigns, or that loops without a round leave as they are.
#[test]
fn what_a_loop_does_not_keep_is_not_known() {
    let rounds = |n: &str, body: &str| {
        format!("for sequential Thread r in 0_u32 .. {n} step 1_u32 {{ {body} }}")
    };
    let last = "get e = c let v = s[e]";
    let kept = rounds("x[j]", "get q = c let u = s[q] assign c = (q / 2_u32)");
    assert_eq!(of(&format!("cell c = 7_u32 {kept} {last}")), NONE);
    assert_ne!(
        of(&format!("cell c = 7_u32 {kept} assign c = 9_u32 {last}")),
        NONE,
        "assigned behind the loop"
    );
    let start = "cell c = 7_u32 if (n < 3_u32) { assign c = 9_u32 }";
    assert_ne!(
        of(&format!("{start} {kept}")),
        NONE,
        "assigned under a condition"
    );
    for (then, otherwise) in [
        ("assign c = 7_u32", &kept[..]),
        (&format!("assign c = 7_u32 {kept}"), last),
    ] {
        let sides = format!("cell c = x[j] if (n < 3_u32) {{ {then} }} else {{ {otherwise} }}");
        assert_ne!(of(&sides), NONE, "assigned on the other side: {sides}");
    }
    let earlier = rounds("2_u32", "assign c = 9_u32");
    assert_ne!(
        of(&format!("cell c = 7_u32 {earlier} {kept}")),
        NONE,
        "assigned in a loop before"
    );
    let inner = rounds("2_u32", "get q = c assign c = (q + 1_u32)");
    let outer = rounds("x[j]", &format!("get p = c let u = s[p] {inner}"));
    assert_ne!(
        of(&format!("cell c = 7_u32 {outer}")),
        NONE,
        "assigned in an inner loop"
    );
    let own = rounds("2_u32", "get q = c assign c = min(q, r)");
    assert_ne!(
        of(&format!("cell c = 9_u32 {} {last}", rounds("x[j]", &own))),
        NONE,
        "no round"
    );
    let counted = format!(
        "assign c = k {} ",
        rounds("2_u32", "get q = c assign c = (q / 2_u32)")
    );
    let of_counter = format!(
        "cell c = 9_u32 for sequential Thread k in 0_u32 .. min(x[j], 4_u32) step 1_u32 {{ {counted} get e = c let v = s[e] }}"
    );
    assert_eq!(of(&of_counter), NONE);
    assert_ne!(
        of(&format!("{of_counter} {last}")),
        NONE,
        "the outer loop may have no round"
    );
    let up = rounds("x[j]", "get q = c let u = s[q] assign c = (q + 1_u32)");
    assert_ne!(of(&format!("cell c = 0_u32 {up}")), NONE, "it grows");
    let down = rounds("x[j]", "get q = c let u = s[q] assign c = (q - 1_u32)");
    assert_ne!(
        of(&format!("cell c = 7_u32 {down}")),
        NONE,
        "it wraps around"
    );
}

/// What a cell holds is bounded where it is read: not if there is no round, and not without the
/// conditions there.
#[test]
fn what_was_read_from_a_cell_says_nothing_elsewhere() {
    let halved = |start: &str, rounds: &str, index: &str| {
        format!(
            "cell c = {start} for sequential Thread k in 0_u32 .. 2_u32 step 1_u32 {{ get q = c assign c = (q / 2_u32) }} get e = c
             for sequential Thread z in 0_u32 .. {rounds} step 1_u32 {{ store out[{index}] = 1_u32 }}"
        )
    };
    for rounds in ["min((e + 1_u32), 1_u32)", "((e / n) + 1_u32)"] {
        let each = halved("((n -' 1_u32) -' b)", rounds, "b");
        let body = format!("distribute Block b < n {{ forall Block i < 1_u32 {{ {each} }} }}");
        assert_eq!(wrong_at_any_length("n", &body), NONE, "{rounds}");
        let found = wrong_at_any_length("max(n, 1_u32)", &body);
        assert_ne!(found, NONE, "{rounds}: no block at 0");
    }
    let each = halved(
        "((n -' 1_u32) -' i)",
        "(min(e, 0_u32) + 1_u32)",
        "((b *' 8_u32) +' i)",
    );
    let body = format!("forall Block i < 8_u32 {{ if (i < n) {{ {each} }} }}");
    assert_ne!(wrong("32_u32", &body), NONE, "{body}");
}
