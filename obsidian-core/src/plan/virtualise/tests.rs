//! Kernels before and after, as text.

use super::virtualise;
use crate::ir::{Kernel, Level, Physical, Statement, WARP, read, validate};
use crate::plan::SharedMap;
use crate::plan::tests::threads::execute;

/// What a block executes, without indentation.
fn block(threads: u32, body: &str) -> String {
    let text = format!(
        "kernel k {{\n  parameter 0 n: u32\n  parameter 1 out: u32[n] output\n distribute Block b < 4_u32 {{ {body} }} }}"
    );
    let kernel = virtualise(read(&text).unwrap(), threads);
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    assert_eq!(
        read::<Physical>(&kernel.to_string()).unwrap().to_string(),
        kernel.to_string()
    );
    let text = kernel.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).skip(4).collect();
    assert_eq!(
        lines[0],
        "for blocks b in BlockIndex .. 4_u32 step GridSize {"
    );
    lines[1..lines.len() - 2].join("\n")
}

const EIGHT: &str = "forall Block i < 8_u32 { store out[i] = b }";

#[test]
fn as_many_threads_as_iterations_need_no_loop() {
    assert_eq!(block(8, EIGHT), "let i = ThreadIndex\nstore out[i] = b");
}

#[test]
fn whole_rounds_are_a_loop_without_a_guard() {
    assert_eq!(
        block(4, EIGHT),
        "for rounds Block v0 in 0_u32 .. 2_u32 step 1_u32 {\nlet i = ((v0 *' 4_u32) +' ThreadIndex)\nstore out[i] = b\n}"
    );
}

#[test]
fn fewer_iterations_than_threads_are_guarded() {
    assert_eq!(
        block(32, EIGHT),
        "if (ThreadIndex < 8_u32) {\nlet i = ThreadIndex\nstore out[i] = b\n}"
    );
}

#[test]
fn the_rest_of_a_single_round_comes_first() {
    let text = "if (ThreadIndex < 3_u32) {\nlet i = (ThreadIndex +' 5_u32)\nstore out[i] = b\n}\nlet i = ThreadIndex\nstore out[i] = b";
    assert_eq!(block(5, EIGHT), text);
}

#[test]
fn rounds_and_a_rest_cover_any_number() {
    let text = "for rounds Block v0 in 0_u32 .. 2_u32 step 1_u32 {\nlet i = ((v0 *' 3_u32) +' ThreadIndex)\nstore out[i] = b\n}
if (ThreadIndex < 2_u32) {\nlet i = (ThreadIndex +' 6_u32)\nstore out[i] = b\n}";
    assert_eq!(block(3, EIGHT), text);
}

#[test]
fn one_thread_does_everything() {
    assert_eq!(
        block(1, EIGHT),
        "for rounds Block v0 in 0_u32 .. 8_u32 step 1_u32 {\nlet i = v0\nstore out[i] = b\n}"
    );
    assert_eq!(
        block(1, "forall Block i < 1_u32 { store out[i] = b }"),
        "let i = 0_u32\nstore out[i] = b"
    );
}

#[test]
fn a_count_that_is_not_known_is_divided_once() {
    let text = "let v0 = (n *' 2_u32)\nlet v1 = (v0 /' 4_u32)\nfor rounds Block v2 in 0_u32 .. v1 step 1_u32 {\nlet i = ((v2 *' 4_u32) +' ThreadIndex)\nstore out[i] = b\n}
if (ThreadIndex < (v0 %' 4_u32)) {\nlet i = ((v1 *' 4_u32) +' ThreadIndex)\nstore out[i] = b\n}";
    assert_eq!(
        block(4, "forall Block i < (n *' 2_u32) { store out[i] = b }"),
        text
    );
}

#[test]
fn no_iterations_are_no_statement() {
    assert_eq!(block(4, "forall Block i < 0_u32 { store out[i] = b }"), "");
}

#[test]
fn lanes_share_out_what_a_warp_does() {
    let body = "distribute Warp w < 4_u32 { forall Warp i < 64_u32 { store out[i] = w } }";
    let rounds = "for rounds Warp v0 in 0_u32 .. 2_u32 step 1_u32 {\nlet i = ((v0 *' 32_u32) +' LaneIndex)\nstore out[i] = w\n}";
    assert_eq!(
        block(64, body),
        format!("for warps w in WarpIndex .. 4_u32 step 2_u32 {{\n{rounds}\n}}")
    );
    assert_eq!(
        block(32, body),
        format!("for warps w in 0_u32 .. 4_u32 step 1_u32 {{\n{rounds}\n}}")
    );
}

#[test]
fn a_partial_warp_takes_no_part() {
    let body = "distribute Warp w < 4_u32 { forall Warp i < 32_u32 { store out[i] = w } }";
    let each = "let i = LaneIndex\nstore out[i] = w";
    assert_eq!(
        block(40, body),
        format!(
            "if (WarpIndex < 1_u32) {{\nfor warps w in WarpIndex .. 4_u32 step 1_u32 {{\n{each}\n}}\n}}"
        )
    );
    let few = "if (LaneIndex < 12_u32) {\nlet i = (LaneIndex +' 20_u32)\nstore out[i] = w\n}\nlet i = LaneIndex\nstore out[i] = w";
    assert_eq!(
        block(20, body),
        format!("for warps w in 0_u32 .. 4_u32 step 1_u32 {{\n{few}\n}}")
    );
}

#[test]
fn a_threads_own_loop_is_sequential() {
    let text = "let i = ThreadIndex\nfor sequential Thread k in 0_u32 .. 2_u32 step 1_u32 {\nstore out[i] = k\n}";
    assert_eq!(
        block(
            8,
            "forall Block i < 8_u32 { forall Thread k < 2_u32 { store out[i] = k } }"
        ),
        text
    );
}

#[test]
fn a_body_whose_names_are_bound_elsewhere_gets_a_loop_of_its_own() {
    let text =
        "for rounds Block v0 in 0_u32 .. 1_u32 step 1_u32 {\nlet i = ((v0 *' 8_u32) +' ThreadIndex)\nlet x = 1_u32\nstore out[i] = x\n}
for rounds Block v1 in 0_u32 .. 1_u32 step 1_u32 {\nlet j = ((v1 *' 8_u32) +' ThreadIndex)\nlet x = 2_u32\nstore out[j] = x\n}";
    let body = "forall Block i < 8_u32 { let x = 1_u32 store out[i] = x } forall Block j < 8_u32 { let x = 2_u32 store out[j] = x }";
    assert_eq!(block(8, body), text);
}

/// Numbers of threads: around warps, primes, and both ends.
const THREADS: [u32; 12] = [1, 2, 31, 32, 33, 63, 64, 97, 997, 1000, 1023, 1024];

fn physical(threads: u32, body: &str) -> Kernel<Physical> {
    let text = format!(
        "kernel k {{ parameter 0 n: u32 parameter 1 out: u32[n] output distribute Block b < 1_u32 {{ {body} }} }}"
    );
    let kernel = virtualise(read(&text).unwrap(), threads);
    validate(&kernel).unwrap_or_else(|v| panic!("{v}\n{kernel}"));
    kernel
}

/// What the threads of a block store, in order; the kernel's argument is `n`.
fn stored(kernel: &Kernel<Physical>, n: u32) -> Vec<u32> {
    let shared = SharedMap::default();
    let mut all: Vec<u32> = (0..kernel.threads)
        .flat_map(|thread| execute(kernel, &shared, thread, n).stored)
        .collect();
    all.sort_unstable();
    all
}

/// How often a kind of statement is in the text.
fn number(kernel: &Kernel<Physical>, what: impl Fn(&Statement<Physical>) -> bool) -> usize {
    let mut number = 0;
    kernel
        .body
        .iter()
        .for_each(|s| s.visit(&mut |s| number += usize::from(what(s))));
    number
}

/// Each element below `n` is stored once, by a body that is in the text at most twice.
fn each_once(kernel: &Kernel<Physical>, n: u32) {
    let threads = kernel.threads;
    assert!(
        stored(kernel, n).into_iter().eq(0..n),
        "{threads} threads, {n} iterations\n{kernel}"
    );
    assert!(
        number(kernel, |s| matches!(s, Statement::Store { .. })) <= 2,
        "{kernel}"
    );
}

#[test]
fn every_iteration_is_done_once_for_any_number_of_threads() {
    for t in THREADS {
        for n in [
            0,
            1,
            2,
            t - 1,
            t,
            t + 1,
            2 * t - 1,
            2 * t,
            2 * t + 1,
            3 * t + 7,
            4099,
        ] {
            each_once(
                &physical(
                    t,
                    &format!("forall Block i < {n}_u32 {{ store out[i] = b }}"),
                ),
                n,
            );
            each_once(&physical(t, "forall Block i < n { store out[i] = b }"), n);
        }
    }
}

#[test]
fn every_iteration_of_every_virtual_warp_is_done_once() {
    for t in THREADS {
        for (warps, lanes) in [
            (1, 1),
            (1, 32),
            (2, 31),
            (3, 33),
            (31, 32),
            (33, 5),
            (40, 100),
            (5, 0),
        ] {
            let forall = |count: &str, n: u32| {
                format!("forall Warp i < {count} {{ store out[((w *' {n}_u32) +' i)] = b }}")
            };
            for count in [format!("{lanes}_u32"), "n".to_owned()] {
                let kernel = physical(
                    t,
                    &format!(
                        "distribute Warp w < {warps}_u32 {{ {} }}",
                        forall(&count, lanes)
                    ),
                );
                let expected: Vec<u32> = (0..warps * lanes).collect();
                assert_eq!(
                    stored(&kernel, lanes),
                    expected,
                    "{t} threads, {warps} warps of {count} = {lanes}\n{kernel}"
                );
            }
            let kernel = physical(
                t,
                &format!(
                    "distribute Warp w < n {{ {} }}",
                    forall(&format!("{lanes}_u32"), lanes)
                ),
            );
            assert!(
                stored(&kernel, warps).into_iter().eq(0..warps * lanes),
                "{t} threads, n = {warps} warps of {lanes}\n{kernel}"
            );
        }
    }
}

#[test]
fn a_wait_of_a_warp_is_reached_by_exactly_the_lanes_of_its_mask() {
    let body =
        "distribute Warp w < 37_u32 { forall Warp i < 40_u32 { store out[i] = w } wait Warp }";
    for t in (1..=70).chain([95, 96, 97, 992, 1000, 1023, 1024]) {
        let kernel = physical(t, body);
        let shared = SharedMap::default();
        let waits: Vec<u32> = (0..t)
            .map(|thread| execute(&kernel, &shared, thread, 0).warp_waits)
            .collect();
        // Warps take turns: warp `w` of `kernel.warps()` has each so-manieth one.
        let turns = |warp: u32| {
            if warp < kernel.warps() {
                (37 - warp).div_ceil(kernel.warps())
            } else {
                0
            }
        };
        assert!(
            (0..t).all(|thread| waits[thread as usize] == turns(thread / WARP)),
            "{t} threads: {waits:?}\n{kernel}"
        );
        // The mask names `lanes` lanes from 0: those of a whole warp, or all threads if there are
        // fewer.
        let waiting = waits.iter().filter(|n| **n > 0).count() as u32;
        assert_eq!(
            waiting,
            kernel.warps().min(37) * kernel.lanes(),
            "{t} threads"
        );
        assert_eq!(
            number(&kernel, |s| matches!(
                s,
                Statement::Wait { scope: Level::Warp }
            )),
            1
        );
    }
}

#[test]
fn of_33_threads_the_last_one_takes_no_part_in_warps_but_in_blocks() {
    let kernel = physical(
        33,
        "distribute Warp w < 2_u32 { forall Warp i < 32_u32 { store out[i] = w } wait Warp } wait Block forall Block i < 33_u32 { store out[i] = b }",
    );
    let shared = SharedMap::default();
    let last = execute(&kernel, &shared, 32, 0);
    assert_eq!(
        (last.warp_waits, last.block_waits, last.stored),
        (0, 1, vec![32])
    );
    let first = execute(&kernel, &shared, 0, 0);
    assert_eq!(
        (first.warp_waits, first.block_waits, first.stored),
        (2, 1, vec![0, 0, 0])
    );
}
