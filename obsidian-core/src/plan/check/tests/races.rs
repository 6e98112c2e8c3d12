//! Threads, warps and blocks that nothing orders access different elements, or the mistake is named.

use super::{NONE, beside};
use crate::ir::read;
use crate::plan::check::check;

/// Places that are no formula, in a piece that the launch says: only the threads that a condition
/// lets through can meet.
#[test]
fn threads_that_do_nothing_meet_nobody() {
    let of = |condition: &str, place: &str| {
        beside(&format!(
            "allocate s: u32[134_u32] shared forall Block i < 67_u32 {{ if {condition} {{
             let at = (((n % 2_u32) *' 67_u32) +' {place}) read v = s[at] store s[at] = v }} }}"
        ))
    };
    // The squares modulo 67 of the numbers to 33 differ, and come again after that.
    assert_eq!(of("(i < 34_u32)", "((i *' i) %' 67_u32)"), NONE);
    assert_eq!(of("(i < 35_u32)", "((i *' i) %' 67_u32)"), ["race"]);
    assert_eq!(of("(i != 3_u32)", "select((i == 3_u32), 0_u32, i)"), NONE);
    assert_eq!(
        of("(i != 2_u32)", "select((i == 3_u32), 0_u32, i)"),
        ["race"]
    );
}

#[test]
fn threads_keep_apart() {
    let body = |index: &str, other: &str| {
        beside(&format!(
            "allocate s: u32[64_u32] shared forall Block i < 16_u32 {{ for sequential Thread k in 0_u32 .. 4_u32 step 1_u32 {{ read v = s[{other}] store s[{index}] = (v + 1_u32) }} }}"
        ))
    };
    assert_eq!(body("((i *' 4_u32) +' k)", "((i *' 4_u32) +' k)"), NONE);
    assert_eq!(
        body("((i *' 4_u32) +' k)", "(i *' 4_u32)"),
        NONE,
        "a thread reads what it has written"
    );
    assert_eq!(
        body("((k *' 16_u32) +' i)", "((k *' 16_u32) +' i)"),
        NONE,
        "the thread is the lower digit"
    );
    assert_eq!(
        body("((i *' 4_u32) +' k)", "((k *' 16_u32) +' i)"),
        ["race"]
    );
    assert_eq!(body("((i *' 3_u32) +' k)", "((i *' 3_u32) +' k)"), ["race"]);
    assert_eq!(body("(x[i] % 64_u32)", "i"), ["maybe-race"]);
    assert_eq!(body("unchecked((x[i] % 64_u32))", "i"), ["maybe-race"]);
    assert_eq!(
        body("distinct((x[i] % 64_u32))", "i"),
        ["maybe-race"],
        "the other index is not among those that are promised to be distinct"
    );
    assert_eq!(body("distinct((x[i] % 64_u32))", "distinct(i)"), NONE);
    assert_eq!(
        body("distinct(x[i])", "distinct(i)"),
        ["maybe-outside"],
        "distinct, and below the length of all arrays?"
    );
    assert_eq!(body("distinct(unchecked(x[i]))", "distinct(i)"), NONE);
    let atomics = "allocate s: u32[8_u32] shared forall Block i < 64_u32 { atomic add s[(i % 8_u32)] (1_u32) }";
    assert_eq!(beside(atomics), NONE);
    assert_eq!(
        beside(&atomics.replace(
            "atomic add s[(i % 8_u32)] (1_u32)",
            "atomic add s[(i % 8_u32)] (1_u32) read v = s[0_u32] store s[0_u32] = v"
        )),
        ["race"]
    );
    let one = "allocate s: u32[8_u32] shared forall Block i < 64_u32 { if (i == 3_u32) { read v = s[0_u32] store s[0_u32] = v } }";
    assert_eq!(beside(one), NONE, "one thread");
    assert_eq!(beside(&one.replace("i == 3_u32", "i != 3_u32")), ["race"]);
}

/// As many rounds as the launch says: the thread is a digit of the element's number.
#[test]
fn threads_keep_apart_in_any_number_of_rounds() {
    let of = |first: &str, second: &str, rounds: &str| {
        let text = format!(
            "kernel k {{ parameter 0 io: u32[length(io)] inout distribute Block b < 1_u32 {{ forall Block i < 16_u32 {{
             for sequential Thread k in 0_u32 .. (length(io) /' {rounds}_u32) step 1_u32 {{ read v = io[{first}] store io[{second}] = v }} }} }} }}"
        );
        let checked = check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
        checked.diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
    };
    let lowest = "((k *' 16_u32) +' i)";
    assert_eq!(of(lowest, lowest, "16"), NONE);
    assert_eq!(
        of(lowest, "((k *' 16_u32) +' (15_u32 -' i))", "16"),
        ["race"]
    );
    let pairs = |n: u32| format!("((k *' 32_u32) +' ((i *' 2_u32) +' {n}_u32))");
    assert_eq!(of(&pairs(1), &pairs(0), "32"), NONE);
    assert_eq!(of(&pairs(0), &pairs(1), "32"), NONE);
    assert_eq!(
        of(
            "((k *' 18_u32) +' (i +' 2_u32))",
            "((k *' 18_u32) +' i)",
            "18"
        ),
        ["race"]
    );
    assert_eq!(
        of("((k *' 15_u32) +' i)", "((k *' 15_u32) +' i)", "16"),
        ["race"]
    );
}

#[test]
fn warps_and_blocks_keep_apart() {
    let warps = |index: &str| {
        beside(&format!(
            "allocate s: u32[64_u32] shared distribute Warp w < 2_u32 {{ forall Warp i < 32_u32 {{ store s[((w *' 32_u32) +' i)] = 1_u32 }} forall Warp j < 32_u32 {{ read v = s[{index}] store s[((w *' 32_u32) +' j)] = v }} }}"
        ))
    };
    assert_eq!(
        warps("((w *' 32_u32) +' (31_u32 -' j))"),
        ["race"],
        "inside a warp, in one loop"
    );
    assert_eq!(warps("((w *' 32_u32) +' j)"), NONE);
    assert_eq!(
        warps("(((1_u32 -' w) *' 32_u32) +' j)"),
        ["race"],
        "another warp"
    );
    let blocks = |index: &str, own: &str| {
        beside(&format!(
            "forall Block i < 8_u32 {{ read v = io[{index}] }} forall Block j < 8_u32 {{ read u = io[((b *' 8_u32) +' j)] store io[{own}] = u }}"
        ))
    };
    let own = "((b *' 8_u32) +' j)";
    assert_eq!(
        blocks("unchecked(0_u32)", own),
        ["race"],
        "inside, and not the thread's own"
    );
    let promised = format!("distinct({own})");
    assert_eq!(blocks("distinct(0_u32)", &promised), NONE, "promised");
    assert_eq!(blocks("distinct(0_u32)", own), ["race"], "of one alone");
    let blocks = |index: &str| {
        beside(&format!(
            "forall Block i < 8_u32 {{ read v = io[{index}] }} forall Block j < 8_u32 {{ read u = io[((b *' 8_u32) +' j)] store io[((b *' 8_u32) +' j)] = u }}"
        ))
    };
    assert_eq!(blocks("((b *' 8_u32) +' (7_u32 -' i))"), NONE);
    assert_eq!(blocks("i"), ["race"]);
}

/// What is like them, and right.
#[test]
fn blocks_of_two_loops_may_do_what_is_apart() {
    let of = |first: &str, second: &str| {
        let text = format!(
            "kernel k {{ parameter 0 n: u32 parameter 1 io: u32[length(io)] inout
             if (n > 3_u32) {{ distribute Block b < length(io) {{ forall Block i < 1_u32 {{ store io[b] = 1_u32 }} }} }} {first}
             {{ distribute Block c < length(io) {{ forall Block o < 1_u32 {{ read v = io[{second}] store io[{second}] = v }} }} }} }}"
        );
        check(&read(&text).unwrap_or_else(|e| panic!("{e}\n{text}")))
            .diagnostics
            .iter()
            .map(|d| d.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of("else", "((length(io) -' 1_u32) -' c)"),
        NONE,
        "one of both is executed"
    );
    assert_eq!(
        of("if (n > 2_u32)", "c"),
        NONE,
        "a thread is in order with itself"
    );
    assert_eq!(
        of("if (n > 2_u32)", "((length(io) -' 1_u32) -' c)"),
        ["unordered-blocks"]
    );
}

/// Is a kernel with two buffers accepted, with this body?
fn accepts(body: &str) -> bool {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 m: u32 parameter 2 io: u32[(n *' 64_u32)] inout parameter 3 other: u32[(n *' 64_u32)] inout {body} }}"
    );
    let kernel = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let found = check(&kernel).diagnostics;
    assert!(
        found.iter().all(|d| d.id == "unordered-blocks"),
        "{found:?}"
    );
    found.is_empty()
}

/// The last block comes when all others are done with what stands before it. Its own threads are in no order.
#[test]
fn the_last_block_reads_what_others_have_written() {
    let told = "distribute Block b < n { forall Block i < 64_u32 { store io[((b *' 64_u32) +' i)] = 1_u32 } }";
    let read = |kind: &str, to: &str| {
        format!(
            "{told} {kind} Block one < 1_u32 {{ forall Block t < 64_u32 {{ for sequential Thread j in 0_u32 .. n step 1_u32 {{ read x = io[((j *' 64_u32) +' t)] store {to} = x }} }} }}"
        )
    };
    assert!(accepts(&read("last", "other[t]")));
    assert!(
        !accepts(&read("distribute", "other[t]")),
        "nothing orders blocks"
    );
}

/// Blocks of two loops over blocks do not wait for each other, and two threads of one real block
/// neither: issue 16, item 4.
#[test]
fn a_later_loop_over_blocks_is_not_in_order_with_other_threads() {
    let (all, at) = ("forall Block o < 64_u32", "io[((c *' 64_u32) +' o)]");
    let (back, to) = (
        "io[((c *' 64_u32) +' (63_u32 -' o))]",
        "other[((c *' 64_u32) +' o)]",
    );
    for (right, count, second) in [
        (true, "n", format!("{all} {{ read v = {at} store {to} = v }}")),
        (true, "n", format!("forall Block o < 32_u32 {{ store {at} = 1_u32 }}")),
        (true, "min(n, m)", format!("{all} {{ store {at} = 1_u32 }}")),
        (false, "n", format!("{all} {{ read v = {back} store {to} = v }}")),
        (false, "n", format!("{all} {{ store {back} = 1_u32 }}")),
        (false, "min(n, m)", format!("{all} {{ store {back} = 1_u32 }}")),
        (false, "n", format!("{all} {{ atomic add {back} (1_u32) }}")),
        (false, "n", format!("{all} {{ if (o < m) {{ store {back} = 1_u32 }} }}")),
        // Other threads than those of the block.
        (
            false,
            "n",
            "distribute Warp w < 2_u32 { forall Warp o < 32_u32 { store io[(((c *' 64_u32) +' (w *' 32_u32)) +' o)] = 1_u32 } }".to_owned(),
        ),
    ] {
        let first = "distribute Block b < n { forall Block i < 64_u32 { store io[((b *' 64_u32) +' i)] = b } }";
        let body = format!("{first} distribute Block c < {count} {{ {second} }}");
        assert_eq!(accepts(&body), right, "{body}");
    }
}

/// Atomics commute, or are not in order either.
#[test]
fn atomics_of_two_loops_over_blocks_have_to_commute() {
    let of = |first: &str, second: &str| {
        let each = |counter: &str, what: &str| {
            format!(
                "distribute Block b{counter} < n {{ forall Block i{counter} < 64_u32 {{ if (n > 0_u32) {{ {what} }} }} }}"
            )
        };
        accepts(&(each("", first) + &each("c", second)))
    };
    let (add, max) = (
        "atomic add io[0_u32] (1_u32)",
        "atomic max io[0_u32] (1_u32)",
    );
    assert!(of(add, add) && of(max, max));
    assert!(!of(add, max) && !of(max, add));
    let (old, read) = (
        "atomic old = add io[0_u32] (1_u32) store other[((bc *' 64_u32) +' ic)] = old",
        "read v = io[0_u32] store other[((bc *' 64_u32) +' ic)] = v",
    );
    assert!(!of(add, old) && !of(add, read));
}

/// From one round of a loop of the grid to the next, nobody waits either.
#[test]
fn two_rounds_of_the_grid_are_not_in_order_with_other_threads() {
    let of = |what: &str| {
        accepts(&format!(
            "for sequential Grid r in 0_u32 .. m step 1_u32 {{ distribute Block b < n {{ forall Block i < 64_u32 {{ {what} }} }} }}"
        ))
    };
    let at = "io[((b *' 64_u32) +' i)]";
    assert!(of(&format!("read v = {at} store {at} = (v + r)")));
    assert!(of(&format!("if ((i % 3_u32) < r) {{ store {at} = r }}")));
    assert!(
        of("atomic add io[0_u32] (1_u32)") || of("if (n > 0_u32) { atomic add io[0_u32] (1_u32) }")
    );
    assert!(!of(
        "let at = ((b *' 64_u32) +' ((i + r) % 64_u32)) store io[at] = r"
    ));
    assert!(!of(&format!(
        "store {at} = r }} forall Block o < 64_u32 {{ read v = io[((b *' 64_u32) +' (63_u32 -' o))] store other[((b *' 64_u32) +' o)] = v"
    )));
}

#[test]
fn what_is_vouched_for_may_wrap_and_is_still_one_element_each() {
    let at = |index: &str| {
        format!(
            "kernel k {{ parameter 0 out: u32[length(out)] inout distribute Block b < (length(out) /' 64_u32) {{ forall Block t < 64_u32 {{ store out[unchecked({index})] = t }} }} }}"
        )
    };
    let wrong = |index: &str| {
        let checked = check(&read(&at(index)).unwrap());
        checked.diagnostics.iter().map(|d| d.id).collect::<Vec<_>>()
    };
    // Some indices wrap, and no two of them to one.
    assert_eq!(wrong("(((b * 64_u32) + t) + 100_u32)"), NONE);
    assert_eq!(wrong("(((b * 64_u32) + t) - 7_u32)"), NONE);
    // These do: 2^32 is a multiple of the distance of two blocks.
    assert_eq!(wrong("((b * 4194304_u32) + t)"), ["maybe-race"]);
    assert_eq!(wrong("((t * 67108864_u32) + b)"), ["maybe-race"]);
}
