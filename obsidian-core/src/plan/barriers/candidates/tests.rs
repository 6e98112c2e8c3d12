//! Waits that are added, and waits that are not.

use super::candidates;
use crate::ir::{Kernel, Lowered, Physical, read, validate};
use crate::plan::{Limits, changing, liveness, shared_layout, virtualise};

/// The physical kernel of a block's body, with its waits, without indentation.
fn with_waits(threads: u32, body: &str) -> String {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 io: u32[n] inout parameter 2 out: u32[n] output distribute Block b < n {{ {body} }} }}"
    );
    let kernel = planned(read(&text).unwrap(), threads);
    kernel
        .to_string()
        .lines()
        .map(str::trim)
        .collect::<Vec<_>>()
        .join("\n")
}

fn planned(kernel: Kernel<Lowered>, threads: u32) -> Kernel<Physical> {
    let lives = liveness(&kernel);
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    let kernel = virtualise(kernel, threads);
    let shared = shared_layout(
        &kernel,
        &lives,
        Limits {
            shared_bytes: 48 * 1024,
            ..Limits::from(threads)
        },
    )
    .unwrap();
    let changing = changing(&kernel);
    let kernel = candidates(kernel, &shared, &changing).0;
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    kernel
}

fn waits(text: &str) -> usize {
    text.lines()
        .filter(|line| line.starts_with("wait "))
        .count()
}

fn fill(name: &str) -> String {
    format!(
        "allocate {name}: u32[8_u32] shared forall Block w{name} < 8_u32 {{ store {name}[w{name}] = 1_u32 }} wait Block "
    )
}

fn drain(name: &str) -> String {
    format!("forall Block r{name} < 8_u32 {{ store out[r{name}] = {name}[(7_u32 -' r{name})] }} ")
}

#[test]
fn a_block_waits_before_its_next_round() {
    let text = with_waits(8, &format!("{}{}", fill("s"), drain("s")));
    assert_eq!(waits(&text), 2);
    assert!(
        text.ends_with("store out[rs] = s[(7_u32 -' rs)]\nwait Block\n}\n}"),
        "{text}"
    );
}

#[test]
fn a_wait_at_the_beginning_of_a_round_is_enough() {
    let text = with_waits(8, &format!("wait Block {}{}", fill("s"), drain("s")));
    assert_eq!(waits(&text), 2, "{text}");
}

#[test]
fn a_kernel_without_shared_arrays_does_not_wait() {
    assert_eq!(
        waits(&with_waits(
            8,
            "forall Block i < 20_u32 { store out[i] = 1_u32 }"
        )),
        0
    );
}

#[test]
fn stores_to_a_buffer_that_is_changed_keep_their_order() {
    let twice = |buffer: &str| {
        with_waits(
            8,
            &format!(
                "forall Block i < 8_u32 {{ store {buffer}[i] = 1_u32 }} forall Block j < 8_u32 {{ store {buffer}[(7_u32 -' j)] = 2_u32 }}"
            ),
        )
    };
    assert_eq!(
        (waits(&twice("io")), waits(&twice("out"))),
        (2, 0),
        "{}",
        twice("io")
    );
}

#[test]
fn two_stores_to_an_array_that_is_read_in_order_keep_theirs() {
    let of = |last: &str| {
        with_waits(
            8,
            &format!(
                "allocate s: u32[8_u32] shared forall Block i < 8_u32 {{ store s[i] = 1_u32 }} forall Block j < 8_u32 {{ store s[(7_u32 -' j)] = 2_u32 }} wait Block
                 forall Block l < 8_u32 {{ {last} }}"
            ),
        )
    };
    let before = |text: &str| waits(text.split("= 2_u32").next().unwrap());
    assert_eq!(before(&of("read v = s[l]")), 1);
    assert_eq!(
        before(&of("store out[l] = s[l]")),
        0,
        "each element is written once"
    );
}

#[test]
fn memory_that_is_used_again_is_waited_for() {
    // `t` takes the bytes of `s`, which slow threads still read.
    let text = with_waits(
        8,
        &format!("{}{}{}{}", fill("s"), drain("s"), fill("t"), drain("t")),
    );
    assert_eq!(waits(&text), 4);
    assert!(text.contains("wait Block\nlet wt = ThreadIndex"), "{text}");
}

#[test]
fn the_pieces_of_one_forall_do_not_wait_for_each_other() {
    for threads in [3, 5, 8, 32] {
        let text = with_waits(
            threads,
            "allocate s: u32[8_u32] shared forall Block i < 8_u32 { read x = s[i] store s[i] = (x + 1_u32) }",
        );
        // Only the end of the loop over blocks waits: the next round changes what this one has
        // changed.
        assert_eq!(waits(&text), 1, "{threads} threads\n{text}");
    }
}

#[test]
fn a_missing_wait_is_added() {
    let text = with_waits(
        8,
        &format!("{}{}", fill("s").replace("wait Block", ""), drain("s")),
    );
    assert!(text.contains("wait Block\nlet rs = ThreadIndex"), "{text}");
}

#[test]
fn two_writers_of_one_array_do_not_wait_for_each_other() {
    let body = "allocate s: u32[16_u32] shared forall Block i < 8_u32 { store s[i] = 1_u32 } forall Block j < 8_u32 { store s[(j +' 8_u32)] = 1_u32 }";
    let text = with_waits(8, body);
    // In the block's next round it is another array, which others may write.
    assert!(
        text.ends_with("store s[(j +' 8_u32)] = 1_u32\nwait Block\n}\n}"),
        "{text}"
    );
    assert_eq!(waits(&text), 1);
}

#[test]
fn a_loop_that_stores_waits_before_its_next_round() {
    let body = format!(
        "for sequential Block k in 0_u32 .. 4_u32 step 1_u32 {{ {}{} }}",
        fill("s"),
        drain("s")
    );
    let text = with_waits(8, &body);
    assert!(
        text.contains("store out[rs] = s[(7_u32 -' rs)]\nwait Block\n}"),
        "{text}"
    );
    assert_eq!(
        waits(&text),
        2,
        "the loop over blocks needs no wait of its own"
    );
}

#[test]
fn a_loop_may_have_no_round_with_its_wait() {
    let of = |count: &str| {
        let rounds = format!(
            "for sequential Block k in 0_u32 .. {count} step 1_u32 {{ {} {} }}",
            fill("s"),
            drain("s")
        );
        let text = with_waits(
            8,
            &format!(
                "forall Block i < 8_u32 {{ store io[i] = 1_u32 }} {rounds} forall Block j < 8_u32 {{ read x = io[(7_u32 -' j)] let y = x }}"
            ),
        );
        // Between the end of the loop and the reading of what was stored before it.
        let (_, end) = text.rsplit_once("store out").unwrap();
        waits(end.split("read x").next().unwrap())
    };
    assert_eq!(of("4_u32"), 1, "the loop's own, before its next round");
    assert_eq!(of("n"), 2);
}

#[test]
fn both_ways_of_a_uniform_branch_are_followed() {
    let body = format!(
        "{} if (b < 2_u32) {{ {} }} {}",
        fill("s"),
        drain("s"),
        fill("t")
    );
    let text = with_waits(8, &body);
    assert!(
        text.contains("}\nallocate t: u32[8_u32] shared\nwait Block\nlet wt = ThreadIndex"),
        "{text}"
    );
}

#[test]
fn a_while_over_shared_memory_waits_on_its_way_back() {
    let body = "allocate s: u32[1_u32] shared forall Block i < 1_u32 { store s[i] = n } wait Block
        while { allocate t: u32[1_u32] shared forall Block j < 1_u32 { read x = s[j] store t[j] = x } wait Block } holds (t[0_u32] != 0_u32) {
            forall Block k < 1_u32 { store s[k] = 0_u32 } }";
    let text = with_waits(8, body);
    // The body's store of `s` meets the head's read of it in the next round; the read of `t` meets
    // the next store of `t`.
    assert!(
        text.contains("store s[k] = 0_u32\n}\nwait Block\n}"),
        "{text}"
    );
}

#[test]
fn warps_wait_for_themselves() {
    let body = "distribute Warp w < 8_u32 { allocate s: u32[32_u32] shared forall Warp i < 32_u32 { store s[i] = w } wait Warp
        forall Warp j < 32_u32 { store out[j] = s[(31_u32 -' j)] } }";
    let text = with_waits(64, body);
    assert_eq!(text.matches("wait Warp").count(), 2, "{text}");
    assert_eq!(
        text.matches("wait Block").count(),
        0,
        "a byte of a frame stays with its warp\n{text}"
    );
    assert!(
        text.contains("store out[j] = s[(31_u32 -' j)]\nwait Warp\n}"),
        "{text}"
    );
}

#[test]
fn a_byte_goes_from_warps_to_the_block_across_a_wait_of_the_block() {
    let frames = "distribute Warp w < 2_u32 { allocate s: u32[32_u32] shared forall Warp i < 32_u32 { store s[i] = w } wait Warp
        forall Warp j < 32_u32 { store out[j] = s[(31_u32 -' j)] } }";
    let text = with_waits(64, &format!("{frames} {}", fill("t")));
    assert!(
        text.contains(
            "allocate t: u32[8_u32] shared\nwait Block\nif (ThreadIndex < 8_u32) {\nlet wt"
        ),
        "{text}"
    );
    // And a partial warp, which takes no part, must reach the wait as well.
    let text = with_waits(72, &format!("{frames} {}", fill("t")));
    assert!(
        text.contains("wait Warp\n}\n}\nallocate t: u32[8_u32] shared\nwait Block\n"),
        "{text}"
    );
}

#[test]
fn other_frames_are_other_owners() {
    let frames = |n: u32, length: u32| {
        format!(
            "distribute Warp w{n} < 2_u32 {{ allocate s{n}: u32[{length}_u32] shared forall Warp i{n} < 32_u32 {{ store s{n}[i{n}] = w{n} }} wait Warp forall Warp j{n} < 32_u32 {{ store out[j{n}] = s{n}[j{n}] }} }} "
        )
    };
    let text = with_waits(64, &format!("{}{}", frames(0, 32), frames(1, 64)));
    assert!(text.contains("wait Block\nfor warps w1"), "{text}");
}

#[test]
fn a_buffer_that_is_read_after_it_is_written_is_waited_for() {
    let body = "forall Block i < 8_u32 { store io[i] = 1_u32 } forall Block j < 8_u32 { read x = io[(7_u32 -' j)] store out[j] = x }";
    let text = with_waits(8, body);
    assert!(
        text.contains("store io[i] = 1_u32\nwait Block\nlet j"),
        "{text}"
    );
}

#[test]
fn atomics_do_not_wait_for_atomics() {
    let body = "allocate s: u32[8_u32] shared forall Block i < 64_u32 { atomic add s[(i % 8_u32)] (1_u32) } forall Block j < 64_u32 { atomic add s[(j % 8_u32)] (2_u32) }";
    assert_eq!(waits(&with_waits(8, body)), 0);
}

#[test]
fn atomics_of_which_something_uses_the_old_value_keep_their_order() {
    let of = |first: &str, second: &str| {
        let body = format!(
            "allocate s: u32[1_u32] shared forall Block z < 1_u32 {{ store s[z] = 0_u32 }} wait Block
             forall Block i < 64_u32 {{ atomic x = add s[0_u32] (1_u32) {first} }} forall Block j < 64_u32 {{ atomic y = add s[0_u32] (1_u32) {second} }}"
        );
        let text = with_waits(64, &body);
        // Between the two loops.
        waits(
            text.split("atomic x")
                .nth(1)
                .unwrap()
                .split("atomic y")
                .next()
                .unwrap(),
        )
    };
    assert_eq!(of("store out[i] = x", "store out[(64_u32 +' j)] = y"), 1);
    assert_eq!(
        of("store out[i] = x", ""),
        1,
        "what comes second is not found by what comes first"
    );
    assert_eq!(of("", "store out[j] = y"), 1);
    assert_eq!(of("", ""), 0);
}

#[test]
fn what_a_while_does_first_is_waited_for_by_the_round_before() {
    let of = |condition: &str, body: &str| {
        let text = with_waits(
            8,
            &format!(
                "{} for sequential Block q in 0_u32 .. 4_u32 step 1_u32 {{
                   while {{ }} holds ({condition} != 0_u32) {{ {body} }} wait Block
                   forall Block j < 8_u32 {{ store s[(7_u32 -' j)] = q }} }}",
                fill("s")
            ),
        );
        text.contains("store s[(7_u32 -' j)] = q\nwait Block\n}\n")
    };
    let store = "forall Block k < 1_u32 { store s[k] = 0_u32 }";
    assert!(of("s[0_u32]", ""), "the condition reads");
    assert!(of("q", store), "the body writes");
    assert!(!of("q", ""), "nothing before the wait");
}
