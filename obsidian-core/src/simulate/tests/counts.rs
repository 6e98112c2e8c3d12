//! Facts about counts: what requests cost, and who causes it.

use super::planned;
use crate::simulate::{AccessKind, Argument, Counts, Instructions, Space, Traffic, run};

/// What statements over an input, an output and an in-out buffer of `u32` do.
fn counts(threads: u32, body: &str) -> Counts {
    let text = format!(
        "kernel k {{ threads {threads} parameter 0 input: u32[length(input)] input parameter 1 io: u32[length(io)] inout
            parameter 2 out: u32[4096_u32] output let i = ThreadIndex {body} }}"
    );
    let (mut input, mut io, mut out) = ((0..4096).collect::<Vec<_>>(), vec![0; 64], vec![0; 4096]);
    run(
        &planned(&text),
        &mut [
            Argument::Array(&mut input),
            Argument::Array(&mut io),
            Argument::Array(&mut out),
        ],
        1,
    )
    .unwrap_or_else(|fault| panic!("{fault}"))
}

/// A tile of 32 by 32, stored in rows of `row` words and read by columns, with one warp for each
/// row.
fn transposed(row: u32, ty: &str) -> Counts {
    let (index, bytes) = (format!("((WarpIndex *' {row}_u32) +' LaneIndex)"), row * 32);
    let opposite = format!("((LaneIndex *' {row}_u32) +' WarpIndex)");
    counts(
        1024,
        &format!(
            "allocate tile: {ty}[{bytes}_u32] shared store tile[{index}] = {ty}(input[i]) wait Block
            store out[i] = u32(tile[{opposite}])"
        ),
    )
}

fn row<'c>(counts: &'c Counts, array: &str, kind: AccessKind) -> &'c Traffic {
    &counts
        .arrays
        .iter()
        .find(|row| row.array == array && row.kind == kind)
        .unwrap()
        .traffic
}

#[test]
fn columns_of_a_tile_conflict_and_a_padded_row_helps() {
    let plain = transposed(32, "u32");
    assert_eq!(row(&plain, "tile", AccessKind::Write).bank_conflicts, 0);
    assert_eq!(
        row(&plain, "tile", AccessKind::Read).bank_conflicts,
        31 * 32
    );
    assert_eq!(plain.shared.bank_conflicts, 31 * 32);
    let padded = transposed(33, "u32");
    assert_eq!(
        (padded.shared.bank_conflicts, padded.shared.requests),
        (0, 64)
    );
    assert_eq!(padded.of_array("tile").elements, 2048);
}

#[test]
fn wide_elements_conflict_by_halves_of_a_warp() {
    assert_eq!(transposed(32, "u64").shared.bank_conflicts, 2 * 15 * 32);
    assert_eq!(transposed(33, "u64").shared.bank_conflicts, 0);
    assert_eq!(
        transposed(32, "u8").shared.bank_conflicts,
        7 * 32,
        "32 bytes a row: 4 lanes of one word, 8 words of one bank"
    );
}

#[test]
fn a_stride_moves_a_sector_for_each_element() {
    for (stride, sectors) in [(1, 4), (2, 8), (4, 16), (8, 32), (32, 32)] {
        let counts = counts(64, &format!("store out[i] = input[(i *' {stride}_u32)]"));
        let read = row(&counts, "input", AccessKind::Read);
        assert_eq!(
            (read.elements, read.bytes, read.requests, read.sectors),
            (64, 256, 2, 2 * sectors),
            "stride {stride}"
        );
        assert_eq!(row(&counts, "out", AccessKind::Write).sectors, 8);
        assert_eq!(counts.buffers.sectors, 2 * sectors + 8);
    }
}

#[test]
fn a_partial_warp_is_a_request_of_its_own() {
    let counts = counts(33, "store out[i] = input[i]");
    assert_eq!(
        (
            counts.buffers.requests,
            counts.buffers.sectors,
            counts.instructions.memory
        ),
        (4, 2 * (4 + 1), 4)
    );
}

#[test]
fn lanes_that_change_one_element_collide() {
    let same = counts(64, "atomic add io[0_u32] (1_u32)");
    let atomics = row(&same, "io", AccessKind::Atomic);
    assert_eq!(
        (
            atomics.elements,
            atomics.requests,
            atomics.sectors,
            atomics.collisions
        ),
        (64, 2, 2, 62)
    );
    assert_eq!(counts(64, "atomic add io[i] (1_u32)").buffers.collisions, 0);
    assert_eq!(same.atomics(), 64);
}

#[test]
fn a_branch_diverges_in_the_warps_that_it_splits() {
    for (limit, divergent) in [(0, 0), (1, 1), (32, 0), (40, 1), (64, 0)] {
        let counts = counts(64, &format!("if (i < {limit}_u32) {{ store out[i] = i }}"));
        assert_eq!(counts.divergent_branches, divergent, "below {limit}");
    }
    assert_eq!(
        counts(64, "if ((i %' 2_u32) == 0_u32) { store out[i] = i }").divergent_branches,
        2
    );
}

#[test]
fn a_loop_diverges_where_lanes_leave_it() {
    let looped = |end: &str| {
        counts(
            64,
            &format!("for sequential Thread k in 0_u32 .. {end} step 1_u32 {{ store out[i] = k }}"),
        )
    };
    let together = looped("5_u32");
    assert_eq!(
        (together.divergent_branches, together.instructions.control),
        (0, 2 * 6)
    );
    // Lanes leave after 0, 1, .. 3 rounds; of those that come to the last test none goes on.
    assert_eq!(looped("(i %' 4_u32)").divergent_branches, 2 * 3);
}

#[test]
fn waits_are_counted_once_for_each_unit() {
    let counts = counts(96, "wait Block wait Warp wait Block");
    assert_eq!(
        (
            counts.block_waits,
            counts.warp_waits,
            counts.instructions.control
        ),
        (2, 3, 9)
    );
}

#[test]
fn instructions_are_counted_by_kind_and_warp() {
    let of = |value: &str| {
        counts(
            64,
            &format!("let x = f32(i) let y = f64(i) store out[i] = u32({value})"),
        )
        .instructions
    };
    let with = |change: fn(&mut Instructions)| {
        let mut all = Instructions::default();
        (all.conversion, all.memory) = (2 * 3, 2);
        change(&mut all);
        all
    };
    assert_eq!(of("(x + x)"), with(|all| all.float = 2));
    assert_eq!(of("(y * y)"), with(|all| all.double = 2));
    assert_eq!(of("sqrt((x / x))"), with(|all| all.special = 4));
    assert_eq!(of("((i + 1_u32) ^ 5_u32)"), with(|all| all.integer = 4));
    assert_eq!(of("x").total(), with(|_| ()).total());
}

#[test]
fn an_arm_is_evaluated_by_the_warps_that_choose_it() {
    let select = |limit: u32| {
        counts(
            64,
            &format!("store out[i] = select((i < {limit}_u32), (i * 3_u32), input[i])"),
        )
    };
    let halves = select(32);
    assert_eq!(
        (
            halves.instructions.integer,
            halves.of_array("input").requests
        ),
        (2 + 2 + 1, 1)
    );
    assert_eq!(select(64).of_array("input").elements, 0);
    assert_eq!(select(33).of_array("input").elements, 31);
}

#[test]
fn a_value_of_two_arms_is_evaluated_in_each_by_those_that_choose_it() {
    // `input[j]` is an operand of one arm of each `select`, and of nothing that all evaluate.
    let both = "let j = (i +' 4060_u32) store out[i] = (select((i < 20_u32), input[j], 1_u32) + select((i > 10_u32), 2_u32, input[j]))";
    let found = counts(32, both);
    assert_eq!(
        found.of_array("input").elements,
        20 + 11,
        "lanes 0 to 19 in one choice, 0 to 10 in the other: as the text has it"
    );
    let outside = both.replace("4060", "4076");
    assert_eq!(
        counts(32, &outside).of_array("input").elements,
        20 + 11,
        "index 4096 and above, which no lane needs, is not read"
    );
}

#[test]
fn held_arrays_cost_no_requests() {
    let counts = counts(
        32,
        "allocate h: u32[4_u32] held store h[2_u32] = i store out[i] = h[2_u32]",
    );
    assert_eq!(
        (
            counts.held.elements,
            counts.held.requests,
            counts.instructions.memory
        ),
        (64, 0, 1)
    );
    assert_eq!(counts.arrays.last().unwrap().space, Space::Held);
}

#[test]
fn counts_of_two_runs_add_up_by_array() {
    let mut twice = counts(64, "store out[i] = input[i]");
    let once = twice.clone();
    twice += &once;
    assert_eq!(
        (twice.launches, twice.arrays.len(), twice.buffers.elements),
        (2, once.arrays.len(), 2 * once.buffers.elements)
    );
    assert_eq!(twice.loads() + twice.stores(), 256);
}

#[test]
fn a_table_names_the_arrays() {
    let text = transposed(32, "u32").to_string();
    assert!(
        text.lines().any(|line| line
            .starts_with("tile  shared read         1024         32          0        992")),
        "{text}"
    );
}
