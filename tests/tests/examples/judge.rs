//! The judge finds what is wrong: a barrier that is missing, an array that lies on another one, a
//! loop over blocks that the grid does not cover.
//!
//! That it finds nothing in the kernels of the tests is held where they run: `obsidian_tests::hold`,
//! `devices` and `run`, and the random programs.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeSet;

use obsidian_core::ir::{Kernel, ParameterKind, PhysicalLoop, Stage, Statement};
use obsidian_core::lower::Builder;
use obsidian_core::pipeline::{Options, build};
use obsidian_core::plan::{Plan, Slot};
use obsidian_core::scalar::{BinaryOp, Literal, Node, NodeId, Nodes, ScalarType, Special};
use obsidian_judge::{Argument, Finding, Judge, Kind, Subject, judge};
use obsidian_rt::Device;
use obsidian_rt::generated::launch;
use obsidian_rt::language::*;

const LIMIT: u64 = 50_000_000;

/// A kernel of 64 threads that nobody checks.
fn unchecked(f: impl FnOnce(&mut Builder)) -> Plan {
    let options = Options {
        threads: 64,
        check: false,
        ..Options::default()
    };
    build("judged", &options, f).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn findings(subject: &Subject, arguments: &[Argument], grid: u32) -> Vec<Finding> {
    judge(subject, arguments, grid, LIMIT).unwrap().findings
}

fn kinds(subject: &Subject, arguments: &[Argument], grid: u32) -> BTreeSet<Kind> {
    let found = findings(subject, arguments, grid).into_iter();
    found.map(|finding| finding.kind).collect()
}

fn number(n: u32) -> Argument {
    Argument::Scalar(Literal::from(n))
}

fn elements(n: u64) -> Argument {
    Argument::Array((0..n).collect())
}

/// Two loops over blocks over one in-out array: the second one reads what other threads of the
/// same real block have written in the first, and nothing is between.
fn two_loops(b: &mut Builder) {
    let (io, out) = (b.in_out::<EU32>("io"), b.in_out::<EU32>("out"));
    let (n, m) = (b.argument::<u32>("n"), b.argument::<u32>("m"));
    let io_again = io.clone();
    b.run(distr_par::<Grid>(n, move |block| {
        let io = io.clone();
        for_all::<Block, _>(64, move |i| {
            io.write(block * 64u32 + i, block * 1000u32 + i)
        })
    }));
    b.run(distr_par::<Grid>(m, move |block| {
        let (io, out) = (io_again.clone(), out.clone());
        for_all::<Block, _>(64, move |i| {
            let out = out.clone();
            io.read(block * 64u32 + 63u32 - i)
                .and_then(move |x| out.write(block * 64u32 + i, x))
        })
    }));
}

#[test]
fn two_loops_over_blocks_over_one_array_are_not_ordered() {
    let plan = unchecked(two_loops);
    let arguments = [elements(256), elements(256), number(4), number(4)];
    // Between the loops of one real block there is a barrier, and it is needed.
    assert_eq!(kinds(&Subject::from(&plan), &arguments, 4), BTreeSet::new());
    let (without, _) = plan.without_wait(0).unwrap();
    let subject = Subject::from(&without);
    for grid in [1, 2, 4] {
        let found = findings(&subject, &arguments, grid);
        assert!(
            found.iter().any(|f| f.kind == Kind::Race
                && f.words.contains("store io[")
                && f.words.contains("read io[")),
            "{grid}: {found:?}"
        );
    }
}

/// The same with each thread at its own element again, and as many blocks.
fn own_elements(b: &mut Builder) {
    let io = b.in_out::<EU32>("io");
    for add in [1u32, 2] {
        let io = io.clone();
        b.run(distr_par::<Grid>(lit(4u32), move |block| {
            let io = io.clone();
            for_all::<Block, _>(64, move |i| {
                let (io, at) = (io.clone(), block * 64u32 + i);
                io.read(at).and_then(move |x| io.write(at, x + add))
            })
        }));
    }
}

#[test]
fn one_thread_is_in_order() {
    let subject = Subject::from(&unchecked(own_elements));
    for grid in [1, 2, 3, 4] {
        assert_eq!(findings(&subject, &[elements(256)], grid), []);
    }
    // Over more real blocks than the first loop has, it would be another one's.
    let fewer = Subject::from(&unchecked(two_loops));
    let arguments = [elements(256), elements(256), number(4), number(0)];
    assert_eq!(findings(&fewer, &arguments, 4), []);
}

/// A loop over blocks inside a loop of the grid.
fn in_rounds(b: &mut Builder) {
    let input = b.input::<EU32>("x");
    let n = input.len();
    let blocks = n / 256u32;
    b.output(
        "out",
        mk_push(n, move |write: Writer<EU32>| {
            let (input, write) = (input.clone(), write.clone());
            seq_for::<Grid>(4, move |round| {
                let (input, write) = (input.clone(), write.clone());
                distr_par::<Grid>(blocks, move |block| {
                    let (input, write) = (input.clone(), write.clone());
                    for_all::<Block, _>(64, move |i| {
                        let at = block * 256u32 + round * 64u32 + i;
                        write(input.at(at) + 1u32, at)
                    })
                })
            })
        }),
    );
}

#[test]
fn blocks_inside_a_loop_of_the_grid_are_counted() {
    let subject = Subject::from(&unchecked(in_rounds));
    let arguments = [elements(512), Argument::Array(vec![0; 512])];
    let judgement = judge(&subject, &arguments, 2, LIMIT).unwrap();
    assert_eq!(judgement.findings, []);
    assert_eq!(judgement.blocks, [2; 4]);
    let all: Vec<u64> = (1..=512).collect();
    assert_eq!(judgement.arguments[1], Argument::Array(all));
    for grid in [1, 3] {
        assert_eq!(findings(&subject, &arguments, grid), []);
    }
    // What a launch does that counts the kernel's own list only.
    let found = kinds(&subject, &arguments, 0);
    assert_eq!(found, BTreeSet::from([Kind::Blocks, Kind::Unwritten]));
}

/// Puts all that a kernel does behind a condition: its argument `s` is above 5.
fn on_condition<S: Stage>(kernel: &mut Kernel<S>) {
    let variable = kernel
        .parameters
        .iter()
        .find_map(|parameter| match parameter.kind {
            ParameterKind::Scalar(variable) => Some(variable),
            ParameterKind::Array(_) => None,
        });
    let nodes = &mut kernel.tables.nodes;
    let left = nodes.add(Node::Variable(variable.unwrap()), ScalarType::U32);
    let condition = compared(nodes, BinaryOp::Gt, left, 5);
    let then = std::mem::take(&mut kernel.body);
    kernel.body = vec![Statement::If {
        condition,
        then,
        otherwise: Vec::new(),
    }];
}

fn compared(nodes: &mut Nodes, op: BinaryOp, left: NodeId, right: u32) -> NodeId {
    let (exact, right) = (false, nodes.add_literal(Literal::from(right)));
    nodes.add(
        Node::Binary {
            op,
            exact,
            left,
            right,
        },
        ScalarType::Bool,
    )
}

#[test]
fn blocks_behind_a_condition_are_counted() {
    let mut subject = Subject::from(&unchecked(|b| {
        b.argument::<u32>("s");
        own_elements(b);
    }));
    on_condition(&mut subject.lowered);
    on_condition(&mut subject.physical);
    let arguments = |s: u32| [number(s), elements(256)];
    for (s, blocks) in [(6, vec![4, 4]), (5, vec![])] {
        let judgement = judge(&subject, &arguments(s), 2, LIMIT).unwrap();
        assert_eq!((judgement.findings, judgement.blocks), (vec![], blocks));
    }
    assert_eq!(findings(&subject, &arguments(5), 0), []);
    let found = kinds(&subject, &arguments(6), 0);
    assert_eq!(found, BTreeSet::from([Kind::Blocks]));
}

/// Two arrays that are needed at once, read in another order than they were stored in.
fn two_arrays(b: &mut Builder) {
    let input = b.input::<EU32>("x");
    let each = |piece: Pull<EU32>| {
        compute::<Block, _, _>(piece.map(|x| x + 1u32)).and_then(|one: Pull<EU32>| {
            let other = compute::<Block, _, _>(one.reverse().map(|x| x * 3u32));
            other.map(move |other: Pull<EU32>| {
                zip_with(|x, y| x + y, one.reverse(), other).push::<Block>()
            })
        })
    };
    b.output(
        "out",
        input
            .split_up(128)
            .as_grid_map(move |piece| exec_block(each(piece))),
    );
}

#[test]
fn arrays_on_one_another_are_found() {
    let plan = unchecked(two_arrays);
    let subject = Subject::from(&plan);
    let arguments = [elements(256), Argument::Array(vec![0; 256])];
    assert_eq!(findings(&subject, &arguments, 2), []);
    let slots: Vec<Slot> = subject.shared.slots.values().copied().collect();
    assert_eq!(slots.len(), 2, "{slots:?}");
    let apart = slots[0].offset.abs_diff(slots[1].offset);
    assert_eq!(apart, 512);
    let mut races = 0;
    for by in (4..=512).step_by(4) {
        let mut moved = subject.clone();
        let last = moved
            .shared
            .slots
            .values_mut()
            .max_by_key(|slot| slot.offset);
        last.unwrap().offset -= by;
        let found = kinds(&moved, &arguments, 2);
        assert!(found.contains(&Kind::Undefined), "{by}: {found:?}");
        races += u32::from(found.contains(&Kind::Race));
    }
    // Some are ordered: by the barrier, or as one thread stores in both.
    assert!(races >= 64, "{races}");
}

#[test]
fn an_array_beyond_the_memory_of_the_block_is_found() {
    let mut subject = Subject::from(&unchecked(two_arrays));
    subject.shared.bytes -= 4;
    let arguments = [elements(256), Argument::Array(vec![0; 256])];
    assert!(kinds(&subject, &arguments, 2).contains(&Kind::Outside));
}

/// Each barrier gone, one at a time.
#[test]
fn each_barrier_is_missed() {
    let plan = unchecked(two_arrays);
    let arguments = [elements(512), Argument::Array(vec![0; 512])];
    let mut waits = 0;
    while let Some((without, _)) = plan.without_wait(waits) {
        let found = kinds(&Subject::from(&without), &arguments, 2);
        assert!(found.contains(&Kind::Race), "{waits}: {found:?}");
        waits += 1;
    }
    // One before the first array is read by other threads, one before the next block stores it.
    assert_eq!(waits, 2);
}

/// Changes the loops over blocks of a kernel.
fn with_loop(
    subject: &Subject,
    change: impl Fn(&mut Nodes, [NodeId; 3]) -> [NodeId; 3],
) -> Subject {
    let mut changed = subject.clone();
    let kernel = &mut changed.physical;
    let mut loops = 0;
    for statement in &mut kernel.body {
        if let Statement::Loop {
            kind: PhysicalLoop::Blocks,
            bounds,
            ..
        } = statement
        {
            *bounds = change(&mut kernel.tables.nodes, *bounds);
            loops += 1;
        }
    }
    assert!(loops > 0);
    changed
}

#[test]
fn a_loop_that_the_grid_does_not_cover_is_found() {
    let subject = Subject::from(&unchecked(two_arrays));
    let arguments = [elements(1024), Argument::Array(vec![0; 1024])];
    let by = |nodes: &mut Nodes, op, x, n: u32| {
        let n = nodes.add_literal(Literal::from(n));
        nodes.add(
            Node::Binary {
                op,
                exact: false,
                left: x,
                right: n,
            },
            ScalarType::U32,
        )
    };
    let changes: [(&str, Subject); 5] = [
        (
            "starts one late",
            with_loop(&subject, |n, [start, end, step]| {
                [by(n, BinaryOp::Add, start, 1), end, step]
            }),
        ),
        (
            "ends one early",
            with_loop(&subject, |n, [start, end, step]| {
                [start, by(n, BinaryOp::Sub, end, 1), step]
            }),
        ),
        (
            "twice the step",
            with_loop(&subject, |n, [start, end, step]| {
                [start, end, by(n, BinaryOp::Mul, step, 2)]
            }),
        ),
        (
            "every real block runs all",
            with_loop(&subject, |n, [_, end, _]| {
                let zero = n.add_literal(Literal::from(0u32));
                let one = n.add_literal(Literal::from(1u32));
                [zero, end, one]
            }),
        ),
        (
            "a step that is not the grid",
            with_loop(&subject, |n, [start, end, _]| {
                [start, end, n.add_literal(Literal::from(3u32))]
            }),
        ),
    ];
    for grid in [1, 2, 8] {
        assert_eq!(findings(&subject, &arguments, grid), []);
    }
    for (words, changed) in changes {
        let found = kinds(&changed, &arguments, 2);
        assert!(found.contains(&Kind::Blocks), "{words}: {found:?}");
    }
}

/// A barrier that half of the threads reach.
#[test]
fn a_barrier_that_not_all_reach_is_found() {
    let mut subject = Subject::from(&unchecked(two_arrays));
    let nodes = &mut subject.physical.tables.nodes;
    let thread = nodes.add(Node::Special(Special::ThreadIndex), ScalarType::U32);
    let condition = compared(nodes, BinaryOp::Lt, thread, 32);
    let Some(Statement::Loop { body, .. }) = subject.physical.body.last_mut() else {
        panic!("the last statement is the loop over blocks")
    };
    let position = body
        .iter()
        .position(|s| matches!(s, Statement::Wait { .. }))
        .unwrap();
    let wait = body.remove(position);
    let guarded = Statement::If {
        condition,
        then: vec![wait],
        otherwise: Vec::new(),
    };
    body.insert(position, guarded);
    let arguments = [elements(256), Argument::Array(vec![0; 256])];
    assert!(kinds(&subject, &arguments, 2).contains(&Kind::Barrier));
}

/// The kernel of a review whose launch ran no block, and left memory that nobody had written.
const PLUS_ONE: &str = "#[kernel(threads = 64)]
pub fn plus_one(x: DPull<EU32>) -> DPush<Grid, EU32> {
    let (n, p) = (x.len(), x.split_up(256));
    mk_push(n, |write| seq_for::<Grid>(4, |r| distr_par(p.len(), |b| for_all(64, |i|
        write(x[b * 256 + r * 64 + i] + 1, b * 256 + r * 64 + i)))))
}
";

/// Launches share their sizes on all devices: the judge is the one that does not believe them.
#[test]
fn a_launch_without_blocks_is_not_silent() {
    let Ok(kernel) = obsidian_tests::random::run::expand(PLUS_ONE) else {
        return;
    };
    let input: Vec<u32> = (0..512).collect();
    let run = |device: &Device| {
        let x = device.upload(&input)?;
        launch(&kernel, device, &mut [x.argument()])?
            .take::<u32>(0)?
            .to_vec()
    };
    let right: Vec<u32> = (1..=512).collect();
    let judged = run(&Judge::default().device());
    match run(&Device::simulator()) {
        Ok(simulated) if simulated == right => assert_eq!(judged.unwrap(), right),
        Ok(_) => {
            let words = judged.unwrap_err().to_string();
            assert!(
                words.contains("blocks: loop 0 has 2 blocks") && words.contains("never written"),
                "{words}"
            );
        }
        Err(error) => assert!(judged.is_err(), "{error}"),
    }
}
