//! Held arrays and collectives: ownership, control, and the accesses of both loops.

use super::{NONE, beside, wrong};

/// A block that stores to and reads from what it holds, at these indices.
fn held(layout: &str, count: u32, store: &str, read: &str) -> Vec<&'static str> {
    beside(&format!(
        "allocate h: u32[32_u32] held{layout} forall Block i < {count}_u32 {{ {store} }} forall Block j < {count}_u32 {{ {read} }}"
    ))
}

/// The same of a warp.
fn of_warp(store: &str, read: &str) -> Vec<&'static str> {
    beside(&format!(
        "distribute Warp w < 2_u32 {{ allocate h: u32[32_u32] held forall Warp i < 32_u32 {{ {store} }} forall Warp j < 32_u32 {{ {read} }} }}"
    ))
}

#[test]
fn a_thread_accesses_what_it_holds() {
    let own = "store h[i] = 1_u32";
    assert_eq!(held("", 32, own, "read y = h[j]"), NONE);
    assert_eq!(held("", 32, own, "let y = h[j]"), NONE);
    assert_eq!(
        held("", 32, own, "let k = (j +' 3_u32) let y = h[(k -' 3_u32)]"),
        NONE
    );
    // In a loop of its own, it is the thread's still.
    let own = "for sequential Thread k in 0_u32 .. 2_u32 step 1_u32 { store h[i] = k }";
    assert_eq!(held("", 32, own, "read y = h[j]"), NONE);
}

#[test]
fn a_thread_does_not_access_what_another_holds() {
    let own = "store h[i] = 1_u32";
    for read in [
        "read y = h[(31_u32 -' j)]",
        "read y = h[(j ^ 1_u32)]",
        "read y = h[0_u32]",
        "if (j < 31_u32) { read y = h[(j +' 1_u32)] }",
    ] {
        assert_eq!(held("", 32, own, read), ["not-own"], "{read}");
    }
    let other = "store h[(31_u32 -' i)] = 1_u32";
    assert_eq!(held("", 32, other, "read y = h[j]"), ["not-own"]);
    // What the whole block reads, each of its threads would have to hold.
    let whole = "allocate h: u32[1_u32] held forall Block i < 1_u32 { store h[i] = 1_u32 } if (h[0_u32] < 2_u32) { }";
    assert_eq!(beside(whole), ["not-own"]);
    // A warp of the block has other threads.
    let warps = "allocate h: u32[32_u32] held distribute Warp w < 1_u32 { forall Warp i < 32_u32 { store h[i] = 1_u32 } }";
    assert_eq!(beside(warps), ["not-own"]);
}

#[test]
fn runs_are_held_by_one_thread() {
    let run = |index: &str| {
        let body = format!(
            "for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 {{ store h[{index}] = 1_u32 }}"
        );
        held(" blocked 4", 8, &body, "read y = h[(j *' 4_u32)]")
    };
    assert_eq!(run("((i *' 4_u32) +' k)"), NONE);
    assert_eq!(run("((i *' 4_u32) +' (3_u32 -' k))"), NONE);
    assert_eq!(run("((k *' 8_u32) +' i)"), ["not-own"]);
    assert_eq!(
        held(
            " blocked 4",
            8,
            "store h[i] = 1_u32",
            "read y = h[(j *' 4_u32)]"
        ),
        ["not-own"]
    );
}

#[test]
fn lanes_read_others_and_write_their_own() {
    let own = "store h[i] = 1_u32";
    assert_eq!(of_warp(own, "read y = h[j]"), NONE);
    assert_eq!(of_warp(own, "read y = h[(j ^ 1_u32)]"), NONE);
    assert_eq!(of_warp(own, "let y = h[(31_u32 -' j)]"), NONE);
    assert_eq!(
        of_warp("store h[(i ^ 1_u32)] = 1_u32", "read y = h[j]"),
        ["not-own"]
    );
    // Not while they are being written.
    assert_eq!(
        of_warp("store h[i] = 1_u32 read z = h[(i ^ 1_u32)]", ""),
        ["race"]
    );
}

/// A reduction with parts of it replaced.
fn reduce(source: &str, body: &str) -> String {
    format!(
        "reduce Block i < 8_u32 {{ {source} }} by l r {{ give (l + r) }} into j < 1_u32 v {{ {body} }}"
    )
}

#[test]
fn all_threads_reach_a_collective() {
    let one = reduce("give i", "");
    assert_eq!(beside(&one), NONE);
    assert_eq!(beside(&format!("if (n < 3_u32) {{ {one} }}")), NONE);
    assert_eq!(
        beside(&format!("if (ThreadIndex < 3_u32) {{ {one} }}")),
        ["divergent"]
    );
    assert_eq!(
        beside(&format!(
            "for sequential Block k in 0_u32 .. ThreadIndex step 1_u32 {{ {one} }}"
        )),
        ["divergent"]
    );
    assert_eq!(
        beside(&format!(
            "while {{ }} holds (ThreadIndex < 3_u32) {{ {one} }}"
        )),
        ["divergent"]
    );
    // A thread's own one is nobody else's concern.
    let own = reduce("give i", "").replace("Block", "Thread");
    assert_eq!(
        beside(&format!(
            "forall Block t < 8_u32 {{ if (t < 3_u32) {{ {own} }} }}"
        )),
        NONE
    );
}

#[test]
fn the_loops_of_a_collective_are_checked_as_any() {
    // Bounds, of the elements and of the results.
    let read =
        "allocate s: u32[8_u32] shared forall Block a < 8_u32 { store s[a] = 1_u32 } wait Block ";
    let of = |source: &str| beside(&format!("{read} {}", reduce(source, "")));
    assert_eq!(of("give s[i]"), NONE);
    assert_eq!(of("give s[(i +' 1_u32)]"), ["outside-when-run"]);
    // Coverage: a scan writes what a map would.
    let scan = |at: &str, n: u32| {
        wrong(
            "32_u32",
            &format!(
                "inclusive_scan Block i < {n}_u32 {{ give i }} by l r {{ give (l + r) }} into j < {n}_u32 v {{ store out[{at}] = v }}"
            ),
        )
    };
    assert_eq!(scan("((b *' 8_u32) +' j)", 8), NONE);
    assert_eq!(scan("((b *' 8_u32) +' (7_u32 -' j))", 8), NONE);
    assert_eq!(scan("((b *' 8_u32) +' j)", 7), ["never-written"]);
    assert_eq!(scan("((b *' 8_u32) +' (j /' 2_u32))", 8), ["written-twice"]);
    // An index may not depend on a result, unless it is enumerated: nothing is known of it.
    assert_ne!(scan("((b *' 8_u32) +' (v %' 8_u32))", 8), NONE);
    // Races, in either loop.
    let change = "read y = io[0_u32] store io[0_u32] = (y + 1_u32)";
    assert_eq!(beside(&reduce(&format!("{change} give i"), "")), ["race"]);
    let scan = format!(
        "inclusive_scan Block i < 8_u32 {{ give i }} by l r {{ give (l + r) }} into j < 8_u32 v {{ {change} }}"
    );
    assert_eq!(beside(&scan), ["race"]);
}

/// What is known of a cell in front of a loop does not hold behind a collective that assigns it.
#[test]
fn a_collective_changes_cells() {
    let kernel = |assign: &str| {
        beside(&format!(
            "allocate s: u32[8_u32] shared forall Block t < 8_u32 {{ store s[t] = 1_u32 }} wait Block
             forall Block u < 8_u32 {{
               cell c = 0_u32
               for sequential Thread k in 0_u32 .. 3_u32 step 1_u32 {{
                 reduce Thread i < 2_u32 {{ give i }} by l r {{ give r }} into j < 1_u32 v {{ {assign} }}
                 get at = c let y = s[at] assign c = 0_u32
               }} }}"
        ))
    };
    assert_eq!(kernel(""), NONE);
    assert_ne!(kernel("assign c = 8_u32"), NONE);
    assert_ne!(kernel("assign c = (v + 7_u32)"), NONE);
}
