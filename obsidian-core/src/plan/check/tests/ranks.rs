//! Places in the order of digits, and counts of digits.

use super::{NONE, beside};

/// A block that ranks 32 elements in `p`, ranks 32 others in `q`, and then does something with an array `room` of a length.
fn ranked(length: u32, then: &str) -> Vec<&'static str> {
    let rank = |i: &str, of: &str, into: &str| {
        format!(
            "allocate {into}: u32[32_u32] shared
             rank Block {i} < 32_u32 bits 3_u32 {{ give {of} }} into {i}j < 32_u32 {i}x {{ store {into}[{i}j] = {i}x }} wait Block "
        )
    };
    let (p, q) = (rank("r", "(r * r)", "p"), rank("s", "(s * 3_u32)", "q"));
    beside(&format!(
        "{p} {q} allocate room: u32[{length}_u32] shared {then} wait Block forall Block z < {length}_u32 {{ let all = room[z] }}"
    ))
}

#[test]
fn what_is_written_to_places_is_written_once() {
    for then in [
        "forall Block j < 32_u32 { store room[p[j]] = j }",
        "forall Block j < 32_u32 { let name = p[j] store room[name] = j }",
        // The results themselves.
        "rank Block i < 32_u32 bits 3_u32 { give (i * 5_u32) } into j < 32_u32 w { store room[w] = j }",
        "rank Block i < 32_u32 bits 3_u32 { give (i * 5_u32) } into j < 32_u32 w { let name = w store room[name] = j }",
        // One of two stores, and what each thread changes at its own place.
        "forall Block j < 32_u32 { if (j < 7_u32) { store room[p[j]] = j } else { store room[p[j]] = 0_u32 } }",
        "forall Block j < 32_u32 { store room[p[j]] = j } wait Block
         allocate other: u32[32_u32] shared forall Block k < 32_u32 { store other[q[k]] = room[p[k]] }
         wait Block forall Block y < 32_u32 { let some = other[y] }",
        // Places and counts are inside, in sums, too.
        "forall Block i < 32_u32 { store room[i] = i } forall Block j < 32_u32 { let y = room[(31_u32 -' p[j])] }",
        "forall Block i < 32_u32 { store room[i] = i }
         count Block c < 31_u32 bits 2_u32 { give c } into d < 4_u32 m { let y = room[m] }",
    ] {
        assert_eq!(ranked(32, then), NONE, "{then}");
    }
}

#[test]
fn what_is_not_known_of_places_is_refused() {
    for then in [
        // Two orders have places in common.
        "forall Block j < 32_u32 { store room[p[j]] = j } forall Block k < 32_u32 { store room[q[k]] = k }",
        // All threads, or two, have one place.
        "forall Block j < 32_u32 { store room[p[3_u32]] = j }",
        "forall Block j < 32_u32 { store room[p[(j / 2_u32)]] = j }",
        // On the sides of a condition, those of two orders; and both of two stores.
        "forall Block j < 32_u32 { if (j < 7_u32) { store room[p[j]] = j } else { store room[q[j]] = 0_u32 } }",
        "forall Block j < 32_u32 { store room[p[j]] = j store room[p[j]] = 0_u32 }",
        "forall Block j < 32_u32 { if (j < 16_u32) { store room[p[j]] = j store room[p[j]] = 0_u32 } }",
        // Each twice.
        "forall Block j < 32_u32 { for sequential Thread k in 0_u32 .. 2_u32 step 1_u32 { store room[p[j]] = k } }",
        // Not all.
        "forall Block j < 31_u32 { store room[p[j]] = j }",
        // Halves of places are numbers twice.
        "forall Block j < 32_u32 { store room[(p[j] / 2_u32)] = j }",
    ] {
        assert_eq!(ranked(32, then), ["maybe-not-once"], "{then}");
    }
    let then = "forall Block j < 32_u32 { store room[p[j]] = j }";
    assert!(!ranked(31, then).is_empty());
    assert!(!ranked(33, then).is_empty());
    // Counts are not distinct.
    let count =
        "count Block c < 32_u32 bits 5_u32 { give c } into d < 32_u32 m { store room[m] = d }";
    assert!(!ranked(33, count).is_empty());
}

/// Places of different orders may be equal, also where one statement ranks.
#[test]
fn what_is_ranked_anew_in_each_round_is_another_order() {
    let rank = |level: &str, digits: &str| {
        format!(
            "rank {level} i < 32_u32 bits 2_u32 {{ give {digits} }} into j < 32_u32 q {{ store p[j] = q }}"
        )
    };
    let read = "wait Block forall Block z < 32_u32 { let all = room[z] }";
    // Each thread has an order of its own.
    let of_threads = format!(
        "allocate room: u32[32_u32] shared
         forall Block t < 32_u32 {{ allocate p: u32[32_u32] held {} store room[p[t]] = t }} {read}",
        rank("Thread", "(i * t)")
    );
    assert_eq!(beside(&of_threads), ["maybe-not-once"]);
    // And each round of one thread.
    let of_rounds = format!(
        "forall Block t < 1_u32 {{
           allocate room: u32[32_u32] held allocate p: u32[32_u32] held
           for sequential Thread c in 0_u32 .. 32_u32 step 1_u32 {{ {} store room[p[c]] = c }}
           forall Thread z < 32_u32 {{ let all = room[z] }} }}",
        rank("Thread", "(i * c)")
    );
    assert!(!beside(&of_rounds).is_empty());
    // One order for all rounds.
    let once = format!(
        "forall Block t < 1_u32 {{
           allocate room: u32[32_u32] held allocate p: u32[32_u32] held {}
           for sequential Thread c in 0_u32 .. 32_u32 step 1_u32 {{ store room[p[c]] = c }}
           forall Thread z < 32_u32 {{ let all = room[z] }} }}",
        rank("Thread", "(i * t)")
    );
    assert_eq!(beside(&once), NONE);
}

/// An array has places only if nothing else writes it.
#[test]
fn an_array_that_changes_has_no_places() {
    let body = |more: &str| {
        format!(
            "allocate p: u32[32_u32] shared
             rank Block r < 32_u32 bits 3_u32 {{ give (r * r) }} into j < 32_u32 w {{ store p[j] = w {more} }} wait Block
             allocate room: u32[32_u32] shared forall Block k < 32_u32 {{ store room[p[k]] = k }} wait Block forall Block z < 32_u32 {{ let all = room[z] }}"
        )
    };
    assert_eq!(beside(&body("")), NONE);
    assert!(!beside(&body("store p[(31_u32 -' j)] = 0_u32")).is_empty());
    assert!(!beside(&body("").replace("store p[j] = w", "store p[j] = (w / 2_u32)")).is_empty());
}
