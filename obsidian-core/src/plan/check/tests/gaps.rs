//! Arrays that `compute_as` stores: elements in the gaps between rows need no writes, and all
//! others do.

use super::{NONE, wrong, wrong_at_any_length};

/// What is wrong with a block that writes `count` elements of a shared array of `length`, in rows of
/// three, and reads one that the data tell, `r` below 6.
fn reads(length: u32, count: u32, store: &str, load: &str) -> Vec<&'static str> {
    let body = format!(
        "allocate s: u32[{length}_u32] shared forall Block i < {count}_u32 {{ store s[{store}] = 1_u32 }} wait Block \
         forall Block o < 8_u32 {{ let r = (x[0_u32] % 6_u32) store out[((b *' 8_u32) +' o)] = s[{load}] }}"
    );
    let mut ids = wrong("32_u32", &body);
    ids.dedup();
    ids
}

const STORE: &str = "(i +' (i /' 3_u32))";
const LOAD: &str = "(r +' (r /' 3_u32))";

#[test]
fn what_an_index_skips_is_not_written() {
    assert_eq!(reads(7, 6, STORE, LOAD), NONE);
    let wide = |index: &str| format!("({index} +' (({index} /' 3_u32) *' 2_u32))");
    assert_eq!(reads(8, 6, &wide("i"), &wide("r")), NONE);
    let turned = "((i /' 3_u32) +' i)";
    assert_eq!(reads(7, 6, turned, "((r /' 3_u32) +' r)"), NONE);
}

#[test]
fn what_an_index_may_reach_is_written() {
    for load in [
        "(x[0_u32] % 7_u32)",
        "(r +' (r /' 4_u32))",
        "(r +' (o /' 3_u32))",
        // A user's sum may wrap.
        "(r + (r / 3_u32))",
        "(r +' ((r /' 3_u32) -' 0_u32))",
    ] {
        assert_ne!(reads(7, 6, STORE, load), NONE, "{load}");
    }
    assert_eq!(reads(7, 5, STORE, LOAD), ["never-written"]);
    // Right, and not of the form that is known.
    let starts = "((r /' 3_u32) *' 4_u32)";
    assert_eq!(reads(7, 6, STORE, starts), ["never-written"]);
    assert_eq!(
        reads(8, 6, STORE, "(((r /' 3_u32) *' 4_u32) +' 3_u32)"),
        ["never-written"]
    );
}

#[test]
fn promised_indices_are_as_many_as_elements_that_are_in_no_gap() {
    let promised = |count: u32| {
        let place = "(distinct(x[i]) +' (distinct(x[i]) /' 3_u32))";
        reads(7, count, &place.replace("x[i]", "(x[i] % 6_u32)"), LOAD)
    };
    assert_eq!(promised(6), NONE);
    assert_eq!(promised(5), ["maybe-not-once"]);
    assert_eq!(promised(7), ["maybe-not-once"]);
}

#[test]
fn a_buffer_has_no_gaps() {
    let body = format!(
        "distribute Block b < 1_u32 {{ forall Block i < 6_u32 {{ store out[{STORE}] = 1_u32 }} }}"
    );
    assert_eq!(wrong_at_any_length("7_u32", &body), ["never-written"]);
}
