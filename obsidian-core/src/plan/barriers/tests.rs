//! Waits that go, and waits that stay.

use super::barriers;
use crate::ir::{Kernel, Physical, read, validate};
use crate::plan::{Limits, changing, liveness, shared_layout, virtualise};

/// The physical kernel of a block's body, with the waits that it needs, without indentation.
fn planned(threads: u32, body: &str) -> String {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 io: u32[n] inout parameter 2 out: u32[n] output distribute Block b < n {{ {body} }} }}"
    );
    let kernel = read(&text).unwrap();
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    let lives = liveness(&kernel);
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
    let kernel = barriers(kernel, &shared, &changing);
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    without_indentation(&kernel)
}

fn without_indentation(kernel: &Kernel<Physical>) -> String {
    kernel
        .to_string()
        .lines()
        .map(str::trim)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The waits of the block, and those of warps.
fn count(threads: u32, body: &str) -> (usize, usize) {
    let text = planned(threads, body);
    (
        text.matches("\nwait Block").count(),
        text.matches("\nwait Warp").count(),
    )
}

/// An array of 64 elements that is stored, with the wait that every `compute` asks for.
const STORED: &str =
    "allocate s: u32[64_u32] shared forall Block i < 64_u32 { store s[i] = i } wait Block ";

/// A use of its element at an index made of `j`.
fn used(index: &str) -> String {
    format!("{STORED} forall Block j < 64_u32 {{ store out[j] = s[{index}] }}")
}

#[test]
fn elements_that_only_their_thread_reads_need_no_wait() {
    for threads in [1, 2, 31, 32, 33, 64, 100, 1000, 1024] {
        assert_eq!(count(threads, &used("j")), (0, 0), "{threads} threads");
    }
}

#[test]
fn elements_that_other_threads_read_are_waited_for_also_in_the_next_block() {
    // Up to 32 threads are one warp.
    for (threads, waits) in [
        (2, (0, 2)),
        (31, (0, 2)),
        (32, (0, 2)),
        (33, (2, 0)),
        (64, (2, 0)),
        (1000, (2, 0)),
    ] {
        for index in ["(63_u32 -' j)", "0_u32"] {
            let found = count(threads, &used(index));
            assert_eq!(found, waits, "{threads} threads, {index}");
        }
    }
}

#[test]
fn one_thread_never_waits() {
    assert_eq!(count(1, &used("(63_u32 -' j)")), (0, 0));
    assert_eq!(
        count(
            1,
            &used("(io_0 & 63_u32)").replace("store out", "read io_0 = io[j] store out")
        ),
        (0, 0)
    );
    assert_eq!(
        count(
            1,
            "forall Block i < 8_u32 { store io[i] = 1_u32 } forall Block j < n { read x = io[j] store out[j] = x }"
        ),
        (0, 0)
    );
}

#[test]
fn rounds_move_elements_to_other_threads_only_if_they_say_so() {
    // With 32 threads, elements 32 apart are one thread's; with 31 they are not.
    let halves =
        format!("{STORED} forall Block j < 32_u32 {{ store out[j] = (s[j] + s[(j +' 32_u32)]) }}");
    assert_eq!(count(32, &halves), (0, 0));
    assert_eq!(count(31, &halves), (0, 2));
    assert_eq!(count(64, &halves), (2, 0));
}

#[test]
fn a_ragged_rest_is_somebody_elses() {
    // 33 elements on 32 threads: thread 0 has two, and the last one is read by thread 1.
    let body =
        "allocate s: u32[33_u32] shared forall Block i < 33_u32 { store s[i] = i } wait Block
        forall Block j < 32_u32 { store out[j] = s[(j +' 1_u32)] }";
    assert_eq!(count(32, body), (0, 2));
    let own = body.replace("s[(j +' 1_u32)]", "s[select((j == 0_u32), 32_u32, j)]");
    assert_eq!(count(32, &own), (0, 0));
}

#[test]
fn of_two_waits_in_a_row_one_stays() {
    let twice = used("(63_u32 -' j)").replace("wait Block", "wait Block wait Block");
    assert_eq!(count(64, &twice), (2, 0));
    assert_eq!(
        count(
            64,
            "wait Block forall Block i < 8_u32 { store out[i] = 1_u32 } wait Block"
        ),
        (0, 0)
    );
}

#[test]
fn memory_that_others_use_again_is_waited_for() {
    // `t` takes the place of `s` in both; in the second one each thread overwrites what others have
    // read.
    let again = |index: &str| {
        format!(
            "{} allocate t: u32[64_u32] shared forall Block k < 64_u32 {{ store t[k] = k }} wait Block forall Block l < 64_u32 {{ store out[l] = t[l] }}",
            used(index)
        )
    };
    assert_eq!(count(64, &again("j")), (0, 0));
    assert_eq!(count(64, &again("(63_u32 -' j)")), (2, 0));
    assert_eq!(
        count(
            64,
            &again("j")
                .replace("t: u32[64_u32]", "t: u64[64_u32]")
                .replace("t[k] = k", "t[k] = 1_u64")
                .replace("= t[l]", "= u32(t[l])")
        ),
        (2, 0),
        "elements of another width are in other places"
    );
}

#[test]
fn what_depends_on_data_is_any_element() {
    let body = format!(
        "{STORED} forall Block j < 64_u32 {{ read x = io[j] store out[j] = s[(x % 64_u32)] }}"
    );
    assert_eq!(count(64, &body), (2, 0));
}

#[test]
fn one_thread_that_reads_what_it_likes_needs_no_wait() {
    let body = "allocate s: u32[8_u32] shared forall Block i < 1_u32 { for sequential Thread k in 0_u32 .. 8_u32 step 1_u32 { store s[k] = k } } wait Block
        forall Block j < 1_u32 { store out[j] = s[(n % 8_u32)] }";
    assert_eq!(count(64, body), (0, 0));
}

#[test]
fn a_loop_waits_for_its_next_round_only_where_others_are_concerned() {
    let turn = |index: &str| {
        format!(
            "for sequential Block k in 0_u32 .. 4_u32 step 1_u32 {{ {} }}",
            used(index)
        )
    };
    assert_eq!(count(64, &turn("j")), (0, 0));
    assert_eq!(count(64, &turn("(63_u32 -' j)")), (2, 0));
}

#[test]
fn the_round_of_a_loop_counts() {
    // In round `k` element `i + k` is stored: the next round's stores are other threads'.
    let body =
        "allocate m: u32[64_u32] shared for sequential Block k in 0_u32 .. 4_u32 step 1_u32 {
        forall Block i < 32_u32 { read x = m[(i +' k)] store m[(i +' k)] = x } wait Block }";
    assert_eq!(count(32, body), (0, 1));
    assert_eq!(count(32, &body.replace("(i +' k)", "i")), (0, 0));
}

#[test]
fn atomics_that_are_waited_for_stay_in_order() {
    let body = "allocate s: u32[1_u32] shared forall Block i < 64_u32 { atomic add s[0_u32] (1_u32) } wait Block forall Block j < 64_u32 { atomic add s[0_u32] (2_u32) }";
    assert_eq!(count(64, body), (1, 0));
    assert_eq!(count(64, &body.replace("wait Block", "")), (0, 0));
}

#[test]
fn blocks_have_only_shared_memory_in_common() {
    let change = "forall Block i < 8_u32 { read x = io[((b *' 8_u32) +' i)] store io[((b *' 8_u32) +' i)] = (x + 1_u32) }";
    assert_eq!(count(8, change), (0, 0));
    // Within a block, what is stored in a buffer may be read by others.
    let both = format!(
        "{change} wait Block forall Block j < 8_u32 {{ read y = io[((b *' 8_u32) +' (7_u32 -' j))] store out[j] = y }}"
    );
    assert_eq!(count(8, &both), (0, 1));
}

const WARPS: &str = "distribute Warp w < 2_u32 { allocate s: u32[32_u32] shared forall Warp i < 32_u32 { store s[i] = w } wait Warp forall Warp j < 32_u32 { store out[j] = s[j] } } ";

#[test]
fn lanes_wait_only_for_other_lanes() {
    assert_eq!(count(64, WARPS), (0, 0));
    assert_eq!(
        count(64, &WARPS.replace("s[j]", "s[(31_u32 -' j)]")),
        (0, 2)
    );
    assert_eq!(
        count(33, &WARPS.replace("s[j]", "s[(31_u32 -' j)]")),
        (0, 2)
    );
    assert_eq!(count(20, WARPS), (0, 0));
    assert_eq!(count(1, &WARPS.replace("s[j]", "s[(31_u32 -' j)]")), (0, 0));
}

#[test]
fn a_wait_of_the_block_may_be_the_one_that_lanes_need() {
    // Each warp has one round, and the wait of the block is on the way to the block's next one.
    let body = format!(
        "{} {}",
        WARPS.replace("s[j]", "s[(31_u32 -' j)]"),
        "allocate t: u32[64_u32] shared forall Block k < 64_u32 { store t[k] = k } wait Block forall Block l < 64_u32 { store out[l] = t[(63_u32 -' l)] }"
    );
    // `t` takes the place of `s`, each warp's half that of its own frame: so each warp waits for
    // itself before it stores `t`.
    assert_eq!(count(64, &body), (2, 2));
}

#[test]
fn a_wait_of_a_warp_is_none_for_other_warps() {
    // Every warp stores the elements that the other one reads after it has waited for itself.
    let body = "allocate s: u32[64_u32] shared forall Block i < 64_u32 { store s[i] = i } wait Block
        distribute Warp w < 2_u32 { wait Warp forall Warp j < 32_u32 { store out[j] = s[((32_u32 *' (1_u32 -' w)) +' j)] } }";
    assert_eq!(count(64, body), (2, 0));
}

#[test]
fn too_many_rounds_are_any_round() {
    let body = |index: &str, rounds: u32| {
        format!(
            "{STORED} forall Block j < 64_u32 {{ for sequential Thread k in 0_u32 .. {rounds}_u32 step 1_u32 {{ store out[j] = s[{index}] }} }}"
        )
    };
    assert_eq!(count(64, &body("(j +' (k / 1000_u32))", 1000)), (0, 0));
    assert_eq!(
        count(64, &body("(j +' (k / 100000_u32))", 100_000)),
        (2, 0),
        "it would take too long to find out"
    );
    assert_eq!(
        count(64, &body("j", 100_000)),
        (0, 0),
        "the round is no part of the index"
    );
}

#[test]
fn a_counter_matters_by_its_names_and_in_conditions_and_bounds() {
    let body = |rounds: &str, inside: &str| {
        format!(
            "{STORED} forall Block j < 64_u32 {{ for sequential Thread k in 0_u32 .. {rounds} step 1_u32 {{ {inside} }} }}"
        )
    };
    let named = |by: u32| {
        body(
            "100_u32",
            &format!("let t = (k / {by}_u32) store out[j] = s[(j +' t)]"),
        )
    };
    assert_eq!(
        (count(64, &named(100)), count(64, &named(50))),
        ((0, 0), (2, 0))
    );
    let when = |by: u32| {
        body(
            "2_u32",
            &format!("if (j == (k / {by}_u32)) {{ store out[j] = s[0_u32] }}"),
        )
    };
    assert_eq!(
        (count(64, &when(2)), count(64, &when(1))),
        ((0, 0), (0, 2)),
        "thread 0 alone, and two threads of its warp"
    );
    let below = |n: &str| format!("({n} - min(j, {n}))");
    let until = |end: &str| body(&below(end), "store out[j] = s[0_u32]");
    assert_eq!(
        (count(64, &until("1_u32")), count(64, &until("2_u32"))),
        ((0, 0), (0, 2)),
        "the others have no round"
    );
    let nested = |by: u32| {
        let rounds = below(&format!("(k / {by}_u32)"));
        body(
            "3_u32",
            &format!(
                "for sequential Thread l in 0_u32 .. {rounds} step 1_u32 {{ store out[j] = s[0_u32] }}"
            ),
        )
    };
    assert_eq!(
        (count(64, &nested(2)), count(64, &nested(1))),
        ((0, 0), (0, 2)),
        "the bound of a loop inside"
    );
}

#[test]
fn a_kernel_without_waits_is_left_as_it_is() {
    assert_eq!(
        count(8, "forall Block i < 20_u32 { store out[i] = 1_u32 }"),
        (0, 0)
    );
}

/// `check` refuses that unless the user vouches for the index; then a barrier is between two
/// threads of one real block.
#[test]
fn two_loops_over_blocks_of_one_buffer_are_kept_apart() {
    let write = "forall Block i < 64_u32 { store io[((b *' 64_u32) +' i)] = i }";
    let read = |b: &str| {
        format!(
            "forall Block j < 64_u32 {{ read v = io[(({b} *' 64_u32) +' (63_u32 -' j))] store out[j] = v }}"
        )
    };
    let (next, again) = (
        format!("{write} }} distribute Block c < n {{ {}", read("c")),
        format!(
            "forall Block k < 1_u32 {{ store out[b] = 1_u32 }} }} for sequential Grid r in 0_u32 .. n step 1_u32 {{ distribute Block b < n {{ {write} }}"
        ),
    );
    for threads in [33, 64] {
        assert_eq!(count(threads, write), (0, 0), "{threads} threads");
        assert_eq!(count(threads, &next), (2, 0), "{threads} threads");
        assert_eq!(count(threads, &again), (1, 0), "{threads} threads");
        assert_eq!(
            count(threads, &format!("{write} {}", read("b"))),
            (1, 0),
            "{threads} threads"
        );
    }
    assert_eq!(count(1, &next), (0, 0), "one thread is in order");
}

/// Elements that a thread of the same warp has stored, or one of another warp.
fn neighbours(mask: u32) -> String {
    used(&format!("(j ^ {mask}_u32)"))
}

#[test]
fn a_wait_is_no_wider_than_the_threads_that_need_it() {
    for threads in [64, 128, 1024] {
        assert_eq!(count(threads, &neighbours(31)), (0, 2), "{threads} threads");
        assert_eq!(count(threads, &neighbours(32)), (2, 0), "{threads} threads");
        assert_eq!(count(threads, &neighbours(33)), (2, 0), "{threads} threads");
    }
}

#[test]
fn a_warp_that_is_not_whole_waits_with_its_block() {
    // A mask of 32 lanes cannot be given to a warp of fewer.
    for threads in [33, 63, 65, 1000] {
        assert_eq!(count(threads, &neighbours(31)).1, 0, "{threads} threads");
    }
}

#[test]
fn the_last_steps_of_a_reduction_wait_for_their_warp() {
    let mut body = STORED.to_owned();
    let mut from = "s".to_owned();
    for n in [32, 16, 8, 4, 2, 1] {
        body += &format!(
            "allocate s{n}: u32[{n}_u32] shared forall Block i{n} < {n}_u32 {{ store s{n}[i{n}] = ({from}[i{n}] + {from}[(i{n} +' {n}_u32)]) }} wait Block "
        );
        from = format!("s{n}");
    }
    body += "forall Block o < 1_u32 { store out[b] = s1[o] }";
    // Elements 32 to 63 come from another warp, and `s` is stored again by both in the next block.
    assert_eq!(count(64, &body), (2, 5));
}

#[test]
fn a_wait_between_three_phases_is_as_wide_as_the_widest_needs() {
    // The second phase reads what its own warp has stored, the third one what others have.
    let body = format!(
        "{STORED} forall Block j < 64_u32 {{ store out[j] = s[(j ^ 1_u32)] }}
        forall Block k < 64_u32 {{ store out[(k +' 64_u32)] = s[(63_u32 -' k)] }}"
    );
    assert_eq!(count(64, &body), (2, 0));
    // With a wait of the block on the way, the first one is for warps alone.
    let apart = body.replace("forall Block k", "wait Block forall Block k");
    assert_eq!(count(64, &apart).0 + count(64, &apart).1, 2);
}

#[test]
fn what_a_condition_reads_is_read_before_the_body_writes_it() {
    // A wait where `s` is stored, one before the body writes it, one before the condition reads it again,
    // and one before the next block stores it.
    let body = "forall Block j < 64_u32 { store s[j] = (j + n) }";
    let text = planned(
        64,
        &format!("{STORED} while {{ }} holds (s[0_u32] < n) {{ {body} }}"),
    );
    assert_eq!(text.matches("\nwait Block").count(), 4, "{text}");
    assert!(
        text.contains("holds (s[0_u32] < n) {\nwait Block\n"),
        "{text}"
    );
}
