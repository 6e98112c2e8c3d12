//! Facts about the simulator.

use super::{Argument, Counts, Fault, FaultKind, run};
use crate::emit::samples;
use crate::emit::testing::Builder;
use crate::ir::{Level, PhysicalLoop, Statement, read};
use crate::ordered::Map;
use crate::plan::{Plan, SharedMap, Slot};
use crate::scalar::{
    ArrayId, ArrayPlace, BinaryOp, Literal, Node, ScalarType::*, Special, VariableKind,
};

/// A plan of a physical kernel's text; shared arrays lie one after the other.
fn planned(text: &str) -> Plan {
    let kernel = read(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut map = SharedMap::default();
    for (n, array) in kernel
        .tables
        .arrays
        .iter()
        .enumerate()
        .filter(|(_, array)| array.place == ArrayPlace::Shared)
    {
        let length = kernel.tables.nodes.literal(array.length).unwrap().u32();
        map.slots.insert(
            ArrayId(n as u32),
            Slot {
                offset: map.bytes,
                stride: 0,
            },
        );
        map.bytes += (length * array.ty.bytes()).next_multiple_of(16);
    }
    Plan::assemble(kernel, map, Map::new())
}

/// Runs a kernel on an input; gives the output.
fn simulate(
    plan: &Plan,
    input: &[u64],
    output: usize,
    grid: u32,
) -> Result<(Vec<u64>, Counts), Fault> {
    let (mut input, mut output) = (input.to_vec(), vec![0; output]);
    let counts = run(
        plan,
        &mut [Argument::Array(&mut input), Argument::Array(&mut output)],
        grid,
    )?;
    Ok((output, counts))
}

#[test]
fn a_reduction_gives_the_sums_of_its_runs_for_any_number_of_blocks() {
    let input: Vec<u64> = (0..1024).collect();
    let sums: Vec<u64> = input.chunks(128).map(|run| run.iter().sum()).collect();
    for grid in [1, 2, 3, 8, 20] {
        assert_eq!(
            simulate(&samples::reduction(), &input, 8, grid).unwrap().0,
            sums,
            "{grid} blocks"
        );
    }
}

#[test]
fn a_quarter_of_a_million_elements_are_reduced() {
    let (sums, counts) = simulate(&samples::reduction(), &vec![1; 1 << 18], 1 << 11, 7).unwrap();
    assert!(sums.iter().all(|sum| *sum == 128));
    assert_eq!(counts.block_waits, 7 << 11);
}

#[test]
fn every_warp_has_a_copy_of_its_arrays() {
    for (threads, lanes) in [(96, 32u32), (64, 32), (32, 32), (20, 20), (1, 1)] {
        let input: Vec<u64> = (0..u64::from(lanes) * 10).collect();
        let expected: Vec<u64> = input
            .chunks(lanes as usize)
            .flat_map(|row| row.iter().rev().copied())
            .collect();
        assert_eq!(
            simulate(&samples::warps(threads), &input, input.len(), 1)
                .unwrap()
                .0,
            expected,
            "{threads} threads"
        );
    }
}

#[test]
fn a_partial_warp_beside_whole_ones_cannot_run_warp_programs() {
    let fault = simulate(&samples::warps(48), &[0; 320], 320, 1).unwrap_err();
    assert_eq!(
        (fault.kind(), fault.thread()),
        (FaultKind::Layout, Some(32))
    );
}

#[test]
fn atomics_give_the_old_value_in_the_order_of_the_threads() {
    let mut input = [1, 0, 1, 1, 0];
    let (mut bins, mut ranks) = ([10, 20], [0; 5]);
    run(
        &samples::histogram(),
        &mut [
            Argument::Array(&mut input),
            Argument::Array(&mut bins),
            Argument::Array(&mut ranks),
        ],
        1,
    )
    .unwrap();
    assert_eq!((bins, ranks), ([12, 23], [20, 10, 21, 22, 11]));
}

#[test]
fn each_thread_has_its_own_rounds_of_a_loop_and_its_own_cells() {
    let (mut input, mut steps) = ((1..=40).collect::<Vec<u64>>(), vec![0; 40]);
    run(
        &samples::collatz(),
        &mut [
            Argument::Array(&mut input),
            Argument::Scalar(Literal::from(100u32)),
            Argument::Array(&mut steps),
        ],
        1,
    )
    .unwrap();
    assert_eq!((steps[0], steps[26], steps[39]), (100, 211, 108));
    run(
        &samples::collatz(),
        &mut [
            Argument::Array(&mut input),
            Argument::Scalar(Literal::from(990u32)),
            Argument::Array(&mut steps),
        ],
        1,
    )
    .unwrap();
    assert_eq!(steps[26], 1001, "left by `Break`");
}

#[test]
fn an_arm_that_is_not_chosen_reads_nothing() {
    let mut b = Builder::new("guarded", 4);
    let input = b.input("input", I32);
    let (thread, length) = (b.thread(), b.length(input));
    let four = b.lit(4u32);
    let output = b.output("output", I32, four);
    let inside = b.raw(BinaryOp::Lt, thread, length);
    let (x, minus) = (b.load(input, thread), b.lit(-1));
    let value = b.tables.nodes.select(inside, x, minus);
    b.store(output, thread, value);
    let minus = u64::from(u32::MAX);
    let (output, counts) = simulate(&b.plan(), &[5, 6], 4, 1).unwrap();
    assert_eq!((output, counts.loads()), (vec![5, 6, minus, minus], 2));
}

#[test]
fn an_index_outside_of_an_array_is_a_fault_that_names_it() {
    let fault = simulate(&samples::reduction(), &[0; 128], 0, 1).unwrap_err();
    assert_eq!(
        (fault.kind(), fault.array(), fault.index(), fault.length()),
        (FaultKind::Bounds, Some("sums"), Some(0), Some(0))
    );
    assert_eq!(
        fault.to_string(),
        "index 0 is outside of `sums`, which has length 0, in thread 0 of block 0"
    );
}

#[test]
fn a_wait_that_some_threads_do_not_reach_is_a_fault() {
    let mut b = Builder::new("divergent", 64);
    let (thread, half) = (b.thread(), b.lit(33u32));
    let condition = b.raw(BinaryOp::Lt, thread, half);
    b.when(condition, |b| b.wait(Level::Block));
    let fault = run(&b.plan(), &mut [], 1).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "the block waits, and only 33 of its 64 threads are there, in block 0"
    );
    let mut b = Builder::new("divergent", 64);
    let (thread, half) = (b.thread(), b.lit(33u32));
    let condition = b.raw(BinaryOp::Lt, thread, half);
    b.when(condition, |b| b.wait(Level::Warp));
    let fault = run(&b.plan(), &mut [], 1).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "warp 1 waits, and only 1 of 32 lanes are there, in thread 32 of block 0"
    );
}

#[test]
fn what_was_stored_in_one_array_is_not_read_as_another() {
    let mut b = Builder::new("overlap", 1);
    let wide = b.shared_at(
        "wide",
        U32,
        1,
        Slot {
            offset: 0,
            stride: 0,
        },
        1,
    );
    let narrow = b.shared_at(
        "narrow",
        U8,
        4,
        Slot {
            offset: 0,
            stride: 0,
        },
        1,
    );
    let [zero, three, value] = [0u32, 3, 0x0403_0201].map(|n| b.lit(n));
    b.store(wide, zero, value);
    let value = b.load(narrow, three);
    b.store(narrow, zero, value);
    let fault = run(&b.plan(), &mut [], 1).unwrap_err();
    assert_eq!(
        (fault.kind(), fault.array(), fault.index()),
        (FaultKind::Uninitialised, Some("narrow"), Some(3))
    );
    assert_eq!(
        fault.to_string(),
        "`narrow`[3] is read, and its memory is now that of `wide`, in thread 0 of block 0"
    );
}

#[test]
fn what_nothing_was_stored_in_cannot_be_read() {
    let mut b = Builder::new("unwritten", 2);
    let (thread, two) = (b.thread(), b.lit(2u32));
    let output = b.output("output", U32, two);
    for array in [b.shared("array", U32, 2), b.held("array", U32, 2), output] {
        let mut b = b.clone();
        let zero = b.lit(0u32);
        let first = b.raw(BinaryOp::Eq, thread, zero);
        b.when(first, |b| b.store(array, zero, two));
        let value = b.load(array, thread);
        b.when(first, |b| b.store(output, thread, value));
        b.store(output, thread, value);
        let fault = run(&b.plan(), &mut [Argument::Array(&mut [0; 2])], 1).unwrap_err();
        let name = if array == output { "output" } else { "array" };
        assert_eq!(
            fault.to_string(),
            format!(
                "`{name}`[1] is read, and nothing has been stored there, in thread 1 of block 0"
            )
        );
    }
}

#[test]
fn an_array_that_begins_again_is_empty() {
    for place in ["shared", "held"] {
        let text = |again: &str| {
            format!(
                "kernel k {{ threads 1 parameter 0 out: u32[2_u32] output for sequential Thread k in 0_u32 .. 2_u32 step 1_u32 {{
                    allocate s: u32[1_u32] {place} {again} store out[k] = s[0_u32] }} }}"
            )
        };
        let each_round = planned(&text("store s[0_u32] = k"));
        assert!(run(&each_round, &mut [Argument::Array(&mut [0; 2])], 1).is_ok());
        let first_round = planned(&text("if (k == 0_u32) { store s[0_u32] = k }"));
        let mut output = [7; 2];
        let fault = run(&first_round, &mut [Argument::Array(&mut output)], 1).unwrap_err();
        assert_eq!((fault.kind(), output), (FaultKind::Uninitialised, [0, 7]));
    }
}

/// Two threads write an output of four elements, at indices that the user promises to be distinct.
fn promised(indices: &[u64]) -> Result<Vec<u64>, Fault> {
    let plan = planned(
        "kernel k {
           parameter 0 input: u32[length(input)] input
           parameter 1 output: u32[length(output)] output
           threads 2
           for rounds Block j in 0_u32 .. 2_u32 step 1_u32 {
             let i = ((j * 2_u32) + ThreadIndex)
             if (i < length(input)) { store output[distinct(input[i])] = i }
           }
         }",
    );
    simulate(&plan, indices, 4, 1).map(|(output, _)| output)
}

#[test]
fn a_promise_that_indices_are_distinct_is_checked() {
    assert_eq!(promised(&[3, 1, 0, 2]).unwrap(), [2, 1, 3, 0]);
    // By two threads, by two rounds of one thread, and by both.
    for (indices, threads) in [
        ([3, 3, 0, 2], "threads 0 and 1 of block 0"),
        ([3, 1, 3, 2], "thread 0 of block 0"),
        ([3, 1, 0, 3], "threads 0 and 1 of block 0"),
    ] {
        let fault = promised(&indices).unwrap_err();
        assert_eq!(
            (fault.kind(), fault.index()),
            (FaultKind::WrittenTwice, Some(3))
        );
        let said = fault.to_string();
        assert!(
            said.contains(&format!("written twice, by {threads}")),
            "{said}"
        );
    }
    let fault = promised(&[3, 1, 0]).unwrap_err();
    assert_eq!(
        (fault.kind(), fault.index()),
        (FaultKind::NeverWritten, Some(2))
    );
}

#[test]
fn exact_arithmetic_that_wraps_is_a_fault_and_division_by_zero_is_counted() {
    let mut b = Builder::new("exact", 1);
    let input = b.input("input", U32);
    let (zero, one) = (b.lit(0u32), b.lit(1u32));
    let output = b.output("output", U32, one);
    let x = b.load(input, zero);
    let quotient = b.raw(BinaryOp::Div, one, x);
    let index = b.exact(BinaryOp::Sub, x, one);
    b.store(output, zero, quotient);
    b.store(output, index, quotient);
    assert_eq!(simulate(&b.plan(), &[1], 1, 1).unwrap().0, [1]);
    assert_eq!(
        simulate(&b.plan(), &[0], 1, 1).unwrap_err().kind(),
        FaultKind::Inexact
    );
    let mut b = Builder::new("zero", 1);
    let (zero, thread) = (b.lit(0u32), b.thread());
    let variable = b.variable(None, U32, VariableKind::Let);
    let value = b.raw(BinaryOp::Rem, thread, zero);
    b.push(Statement::Let { variable, value });
    assert_eq!(run(&b.plan(), &mut [], 5).unwrap().zero_divisions, 5);
}

/// A kernel of one block with 4 threads, where `(t -' 1_u32)` leaves the range in thread 0.
fn exact(body: &str) -> Result<Vec<u64>, Fault> {
    let plan = planned(&format!(
        "kernel k {{ threads 4 parameter 0 x: u32[4_u32] input parameter 1 out: u32[4_u32] output let t = ThreadIndex {body} }}"
    ));
    let mut output = vec![0; 4];
    let mut input = [5, 6, 7, 8];
    let mut arguments = [Argument::Array(&mut input), Argument::Array(&mut output)];
    run(&plan, &mut arguments, 1)?;
    Ok(output)
}

#[test]
fn issue_16_item_10_arithmetic_that_nothing_uses_may_leave_its_range() {
    let guarded = "store out[t] = select((t > 0_u32), x[v], 9_u32)";
    for value in ["(t -' 1_u32)", "((t -' 1_u32) *' 1_u32)"] {
        let text = format!("let v = {value} {guarded}");
        assert_eq!(exact(&text).unwrap(), [9, 5, 6, 7], "{text}");
    }
    let both = "let v = (t -' 1_u32) let c = ((t > 0_u32) & (v < 2_u32))";
    let stored = format!("{both} store out[t] = select(c, x[v], 9_u32)");
    assert_eq!(
        exact(&stored).unwrap(),
        [9, 5, 6, 9],
        "one side decides what the other does not know"
    );
    let again = "cell c = 1_u32 for sequential Thread k in 0_u32 .. 2_u32 step 1_u32 { assign c = (t -' k) } get g = c if (t > 0_u32) { store out[t] = x[g] } else { store out[t] = 9_u32 }";
    assert_eq!(exact(again).unwrap(), [9, 5, 6, 7]);
    let first = "cell c = (t -' 1_u32) assign c = t get g = c store out[t] = x[g]";
    assert_eq!(
        exact(first).unwrap(),
        [5, 6, 7, 8],
        "the cell has another value"
    );
}

#[test]
fn issue_16_item_10_every_use_of_what_left_its_range_is_a_fault() {
    let uses = [
        ("store out[t] = x[v]", "an index of `x`"),
        ("store out[v] = t", "an index of `out`"),
        ("store out[t] = v", "what `out` is given"),
        (
            "store out[t] = u32(i32((v + 1_u32)))",
            "what `out` is given",
        ),
        ("store out[t] = min(v, 3_u32)", "what `out` is given"),
        (
            "store out[t] = select((t < 9_u32), v, t)",
            "what `out` is given",
        ),
        (
            "store out[t] = select((v < 9_u32), 1_u32, t)",
            "a condition",
        ),
        (
            "store out[t] = select(((v < 9_u32) | (t > 2_u32)), 1_u32, t)",
            "a condition",
        ),
        ("if (v < 9_u32) { store out[t] = t }", "a condition"),
        ("while { } holds (v < t) { }", "a condition"),
        (
            "for sequential Thread k in 0_u32 .. (v & 1_u32) step 1_u32 { store out[t] = k }",
            "a number of rounds",
        ),
        (
            "cell c = v get g = c store out[t] = x[(g +' 1_u32)]",
            "an index of `x`",
        ),
    ];
    for (text, used) in uses {
        let fault = exact(&format!("let v = (t -' 1_u32) {text}")).unwrap_err();
        let words = format!(
            "index arithmetic leaves its range: 0_u32 - 1_u32, of which comes {used}, in thread 0 of block 0"
        );
        assert_eq!(
            (fault.kind(), fault.to_string()),
            (FaultKind::Inexact, words),
            "{text}"
        );
    }
}

#[test]
fn a_loop_that_does_not_go_on_is_a_fault() {
    let mut b = Builder::new("endless", 1);
    let (zero, one) = (b.lit(0u32), b.lit(1u32));
    b.for_loop(
        PhysicalLoop::Sequential(Level::Thread),
        [zero, one, zero],
        |_, _| {},
    );
    assert_eq!(
        run(&b.plan(), &mut [], 1).unwrap_err().kind(),
        FaultKind::Endless
    );
}

#[test]
fn arguments_have_to_be_those_of_the_kernel() {
    let plan = samples::reduction();
    let fault = run(
        &plan,
        &mut [Argument::Scalar(Literal::from(1)), Argument::Array(&mut [])],
        1,
    )
    .unwrap_err();
    assert_eq!(
        fault.to_string(),
        "argument 0 is not what the kernel's parameter 0 takes"
    );
    assert_eq!(
        run(&plan, &mut [], 1).unwrap_err().kind(),
        FaultKind::Arguments
    );
}

#[test]
fn a_chain_of_ten_thousand_operators_is_evaluated() {
    let mut b = Builder::new("chain", 1);
    let (zero, one) = (b.lit(0u32), b.lit(1u32));
    let output = b.output("output", U32, one);
    let mut value = b.special(Special::GridSize);
    for _ in 0..10_000 {
        value = b.tables.nodes.add(
            Node::Binary {
                op: BinaryOp::Add,
                exact: false,
                left: value,
                right: one,
            },
            U32,
        );
    }
    b.store(output, zero, value);
    let mut output = [0];
    run(&b.plan(), &mut [Argument::Array(&mut output)], 1).unwrap();
    assert_eq!(output, [10_001]);
}

mod counts;
mod races;
mod random;
mod some;
