//! Facts about races: what orders two accesses, and what does not.

use super::planned;
use crate::emit::samples;
use crate::emit::testing::Builder;
use crate::ir::{Level, PhysicalLoop};
use crate::plan::{Plan, Slot};
use crate::scalar::{BinaryOp, ScalarType::*};
use crate::simulate::{AccessKind, Argument, Fault, FaultKind, run};

/// Runs statements over the shared arrays `s` and `t` and the in-out buffer `io`, of 64 elements
/// each.
fn outcome(threads: u32, grid: u32, body: &str) -> Result<(), Fault> {
    let text = format!(
        "kernel k {{ threads {threads} parameter 0 io: u32[length(io)] inout
            allocate s: u32[64_u32] shared allocate t: u32[64_u32] shared let i = ThreadIndex {body} }}"
    );
    run(
        &planned(&text),
        &mut [Argument::Array(&mut (0..64).collect::<Vec<_>>())],
        grid,
    )
    .map(|_| ())
}

fn races(threads: u32, body: &str) -> bool {
    match outcome(threads, 1, body) {
        Ok(()) => false,
        Err(fault) if fault.kind() == FaultKind::Race => true,
        Err(fault) => panic!("{body}: {fault}"),
    }
}

/// Every thread stores its element of `s`.
const FILL: &str = "store s[i] = i";
/// Every thread reads its neighbour's.
const NEIGHBOUR: &str = "let x = s[((i +' 1_u32) %' 64_u32)]";

#[test]
fn a_wait_of_the_block_orders_all_threads() {
    assert!(races(64, &format!("{FILL} {NEIGHBOUR}")));
    assert!(!races(64, &format!("{FILL} wait Block {NEIGHBOUR}")));
}

#[test]
fn a_wait_of_a_warp_orders_its_lanes_only() {
    let opposite_lane = "let x = s[(i ^ 31_u32)]";
    assert!(races(64, &format!("{FILL} {opposite_lane}")));
    assert!(!races(64, &format!("{FILL} wait Warp {opposite_lane}")));
    assert!(
        races(64, &format!("{FILL} wait Warp let x = s[(i ^ 32_u32)]")),
        "the other warp's"
    );
}

#[test]
fn lanes_of_a_warp_are_not_in_lockstep() {
    assert!(races(32, "store s[i] = i let x = s[(i ^ 1_u32)]"));
    assert!(races(2, "store s[i] = i let x = s[(i ^ 1_u32)]"));
    assert!(
        !races(1, "store s[i] = i let x = s[i]"),
        "one thread is in order with itself"
    );
}

#[test]
fn who_reads_first_counts_as_well() {
    let fill = format!("{FILL} wait Block");
    let store = "store s[((i +' 1_u32) %' 64_u32)] = i";
    assert!(races(
        64,
        &format!("{fill} let x = s[i] let y = (x + 1_u32) {store}")
    ));
    assert!(!races(
        64,
        &format!("{fill} let x = s[i] wait Block {store}")
    ));
}

#[test]
fn every_reader_counts() {
    // All lanes read element 0; then one of them stores it.
    for writer in [0, 1, 31, 63] {
        let body = |wait: &str| {
            format!(
                "{FILL} wait Block read x = s[0_u32] {wait} if (i == {writer}_u32) {{ store s[0_u32] = x }}"
            )
        };
        assert!(races(64, &body("")), "thread {writer}");
        assert!(
            races(64, &body("wait Warp")),
            "thread {writer}: the other warp has read it, too"
        );
        assert!(!races(64, &body("wait Block")), "thread {writer}");
        assert!(
            !races(32, &body("wait Warp")) || writer > 31,
            "thread {writer}, one warp"
        );
    }
    let own = |reader: u32| {
        format!(
            "{FILL} wait Block if (i == {reader}_u32) {{ read x = s[0_u32] }} if (i == 5_u32) {{ store s[0_u32] = i }}"
        )
    };
    assert!(!races(64, &own(5)) && races(64, &own(6)) && races(64, &own(40)));
}

#[test]
fn a_reader_of_an_earlier_phase_of_its_warp_still_races_with_other_warps() {
    let body = |writer: u32| {
        format!(
            "{FILL} wait Block if (i == 3_u32) {{ read x = s[0_u32] }} wait Warp if (i == 4_u32) {{ read y = s[0_u32] }}
             if (i == {writer}_u32) {{ store s[0_u32] = i }}"
        )
    };
    assert!(races(64, &body(40)), "another warp");
    assert!(races(64, &body(3)), "thread 4 reads in the same phase");
    assert!(!races(64, &body(4)), "thread 3 was before the wait");
}

#[test]
fn two_stores_race_also_of_one_value() {
    assert!(races(2, "store s[0_u32] = 7_u32"));
    assert!(races(64, "store s[(i /' 2_u32)] = 7_u32"));
    assert!(!races(
        64,
        "if (i == 3_u32) { store s[0_u32] = 7_u32 store s[0_u32] = 8_u32 }"
    ));
}

#[test]
fn atomics_race_with_reads_and_stores_but_not_with_each_other() {
    let fill = format!("{FILL} wait Block");
    let add = "atomic add s[0_u32] (i)";
    assert!(!races(64, &format!("{fill} {add} {add}")));
    assert!(races(64, &format!("{fill} {add} read x = s[0_u32]")));
    assert!(!races(
        64,
        &format!("{fill} {add} wait Block read x = s[0_u32]")
    ));
    assert!(races(
        64,
        &format!("{fill} if (i == 9_u32) {{ store s[0_u32] = i }} {add}")
    ));
    assert!(
        races(
            64,
            &format!("{fill} if (i == 9_u32) {{ read x = s[0_u32] }} {add}")
        ),
        "the reads of one and the atomics of another"
    );
    assert!(races(
        64,
        &format!("{fill} {add} if (i == 9_u32) {{ store s[0_u32] = i }}")
    ));
}

#[test]
fn buffers_race_within_a_block() {
    assert!(races(
        64,
        "atomic add io[i] (i) read x = io[((i +' 1_u32) %' 64_u32)]"
    ));
    assert!(!races(
        64,
        "atomic add io[i] (i) wait Block read x = io[((i +' 1_u32) %' 64_u32)]"
    ));
    assert!(races(64, "store io[(i /' 2_u32)] = i"));
}

#[test]
fn no_wait_orders_two_blocks() {
    let two_blocks = |body: &str| outcome(1, 2, body).map_err(|fault| fault.kind());
    assert_eq!(two_blocks("store io[0_u32] = i"), Err(FaultKind::Race));
    assert_eq!(two_blocks("store io[BlockIndex] = i"), Ok(()));
    assert_eq!(two_blocks("read x = io[0_u32]"), Ok(()));
    assert_eq!(two_blocks("atomic add io[0_u32] (1_u32)"), Ok(()));
    assert_eq!(
        two_blocks(
            "wait Block store io[BlockIndex] = i wait Block read x = io[(1_u32 -' BlockIndex)]"
        ),
        Err(FaultKind::Race)
    );
    assert_eq!(
        two_blocks("atomic add io[0_u32] (1_u32) wait Block read x = io[0_u32]"),
        Err(FaultKind::Race)
    );
}

#[test]
fn virtual_blocks_on_one_real_block_are_as_good_as_two() {
    let body = |index: &str| {
        format!(
            "for blocks b in BlockIndex .. 4_u32 step GridSize {{ store io[{index}] = i wait Block }}"
        )
    };
    for grid in [1, 2, 3, 4] {
        assert_eq!(
            outcome(1, grid, &body("(b /' 2_u32)")).map_err(|fault| fault.kind()),
            Err(FaultKind::Race),
            "{grid} real blocks"
        );
        assert!(outcome(1, grid, &body("b")).is_ok(), "{grid} real blocks");
    }
    let fault = outcome(1, 1, &body("(b /' 2_u32)")).unwrap_err();
    let message = "a race: thread 0 writes `io`[0] in block 0 and thread 0 writes `io`[0] in block 1, and blocks do not wait for each other";
    assert_eq!(fault.to_string(), message);
}

#[test]
fn a_race_names_both_sides() {
    let fault = outcome(64, 1, &format!("{FILL} {NEIGHBOUR}")).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "a race: thread 1 writes `s`[1] and thread 0 reads `s`[1], and no wait orders them, in block 0"
    );
    let [first, second] = fault.race().unwrap();
    assert_eq!(
        (first.kind, first.thread, first.index, first.block),
        (AccessKind::Write, 1, 1, 0)
    );
    assert_eq!(
        (second.kind, second.thread, second.index, &*second.array),
        (AccessKind::Read, 0, 1, "s")
    );
}

/// Two arrays, one after the other in the same memory, with or without a wait before the second is
/// stored.
fn handed_over(wait: bool) -> Plan {
    let mut b = Builder::new("handed_over", 4);
    let thread = b.thread();
    let [first, second] = ["first", "second"].map(|name| {
        b.shared_at(
            name,
            U32,
            4,
            Slot {
                offset: 0,
                stride: 0,
            },
            1,
        )
    });
    b.store(first, thread, thread);
    b.wait(Level::Block);
    let three = b.lit(3u32);
    let opposite = b.exact(BinaryOp::Sub, three, thread);
    let value = b.load(first, opposite);
    let variable = b.variable(None, U32, crate::scalar::VariableKind::Let);
    b.push(crate::ir::Statement::Let { variable, value });
    if wait {
        b.wait(Level::Block);
    }
    let value = b.var(variable);
    b.store(second, thread, value);
    b.plan()
}

#[test]
fn arrays_that_share_memory_race() {
    assert!(run(&handed_over(true), &mut [], 1).is_ok());
    let fault = run(&handed_over(false), &mut [], 1).unwrap_err();
    let message = "a race: thread 3 reads `first`[0] and thread 0 writes `second`[0], which lies in the same memory, and no wait orders them, in block 0";
    assert_eq!(fault.to_string(), message);
}

#[test]
fn bytes_of_a_wide_element_are_one_by_one() {
    let mut b = Builder::new("bytes", 8);
    let [wide, narrow] = [(U64, 8), (U8, 64)].map(|(ty, n)| {
        b.shared_at(
            "array",
            ty,
            n,
            Slot {
                offset: 0,
                stride: 0,
            },
            1,
        )
    });
    let (thread, seven) = (b.thread(), b.lit(7u32));
    let opposite = b.exact(BinaryOp::Sub, seven, thread);
    let (long, byte) = (b.lit(1u64), b.lit(1u8));
    let mut own = b.clone();
    b.store(wide, thread, long);
    b.store(narrow, opposite, byte);
    assert_eq!(
        run(&b.plan(), &mut [], 1).unwrap_err().kind(),
        FaultKind::Race,
        "thread 0's element has the bytes of all"
    );
    let eight = own.lit(8u32);
    let index = own.exact(BinaryOp::Mul, thread, eight);
    own.store(wide, thread, long);
    own.store(narrow, index, byte);
    assert!(
        run(&own.plan(), &mut [], 1).is_ok(),
        "each thread its own bytes"
    );
}

#[test]
fn copies_of_warps_do_not_race_and_rounds_of_one_warp_do() {
    assert!(
        run(
            &samples::warps(96),
            &mut [
                Argument::Array(&mut [1; 320]),
                Argument::Array(&mut [0; 320])
            ],
            1
        )
        .is_ok()
    );
    let mut b = Builder::new("rounds", 32);
    let row = b.shared("row", U32, 32);
    let [zero, one, two] = [0u32, 1, 2].map(|n| b.lit(n));
    let (lane, last) = (b.thread(), b.lit(31u32));
    let mut waits = b.clone();
    for (b, wait) in [(&mut b, false), (&mut waits, true)] {
        b.for_loop(PhysicalLoop::Warps, [zero, two, one], |b, _| {
            b.store(row, lane, lane);
            b.wait(Level::Warp);
            let opposite = b.exact(BinaryOp::Sub, last, lane);
            let value = b.load(row, opposite);
            let variable = b.variable(None, U32, crate::scalar::VariableKind::Let);
            b.push(crate::ir::Statement::Let { variable, value });
            if wait {
                b.wait(Level::Warp);
            }
        });
    }
    assert_eq!(
        run(&b.plan(), &mut [], 1).unwrap_err().kind(),
        FaultKind::Race,
        "the next round stores what a lane still reads"
    );
    assert!(run(&waits.plan(), &mut [], 1).is_ok());
}

#[test]
fn the_samples_have_no_races() {
    assert!(
        run(
            &samples::reduction(),
            &mut [
                Argument::Array(&mut [1; 1024]),
                Argument::Array(&mut [0; 8])
            ],
            3
        )
        .is_ok()
    );
}
