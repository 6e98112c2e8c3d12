//! A few whole kernels, built by hand for tests of the simulator and the emitters.

use super::testing::Builder;
use crate::error::Origin;
use crate::ir::{AtomicOp, Level, PhysicalLoop, Statement};
use crate::plan::{Plan, Slot, WritePattern};
use crate::scalar::{
    BinaryOp::*, Constraint, Literal, Node, ScalarType, ScalarType::*, Special, UnaryOp,
    VariableKind,
};

/// The sums of runs of 128 elements, with 64 threads: a tree in shared memory.
pub(crate) fn reduction() -> Plan {
    let mut b = Builder::new("sums", 64);
    let input = b.input("input", I32);
    let (length, chunk, thread) = (b.length(input), b.lit(128u32), b.thread());
    let blocks = b.exact(Div, length, chunk);
    let output = b.output("sums", I32, blocks);
    b.require(length, Constraint::MultipleOf(128));
    b.patterns.insert(output, WritePattern::Chunks(1));
    let arrays: Vec<_> = [64u32, 32, 16, 8, 4, 2]
        .iter()
        .map(|n| b.shared("arr", I32, *n))
        .collect();
    b.blocks(blocks, |b, block| {
        let base = b.exact(Mul, block, chunk);
        let first = b.exact(Add, base, thread);
        let half = b.lit(64u32);
        let second = b.exact(Add, first, half);
        let (x, y) = (b.load(input, first), b.load(input, second));
        let sum = b.raw(Add, x, y);
        b.allocate(arrays[0]);
        b.store(arrays[0], thread, sum);
        b.wait(Level::Block);
        for (n, pair) in arrays.windows(2).enumerate() {
            let half = b.lit(32u32 >> n);
            b.allocate(pair[1]);
            let here = b.raw(Lt, thread, half);
            b.when(here, |b| {
                let other = b.exact(Add, thread, half);
                let (x, y) = (b.load(pair[0], thread), b.load(pair[0], other));
                let sum = b.raw(Add, x, y);
                b.store(pair[1], thread, sum);
            });
            b.wait(Level::Block);
        }
        let (zero, one) = (b.lit(0u32), b.lit(1u32));
        let here = b.raw(Eq, thread, zero);
        b.when(here, |b| {
            let (x, y) = (b.load(arrays[5], zero), b.load(arrays[5], one));
            let sum = b.raw(Add, x, y);
            b.store(output, block, sum);
        });
        b.wait(Level::Block);
    });
    b.plan()
}

/// Each of `threads / 32` warps (or the only one) reverses rows of as many elements as it has
/// lanes, by way of its own shared copy.
pub(crate) fn warps(threads: u32) -> Plan {
    let mut b = Builder::new("reverse_rows", threads);
    let lanes = threads.min(32);
    let copies = (threads / 32).max(1);
    let input = b.input("input", U16);
    let (length, width) = (b.length(input), b.lit(lanes));
    let output = b.output("output", U16, length);
    let rows = b.exact(Div, length, width);
    let row = b.shared_at(
        "row",
        U16,
        lanes,
        Slot {
            offset: 128,
            stride: 128,
        },
        copies,
    );
    let one = b.lit(1u32);
    b.blocks(one, |b, _| {
        let (start, step, lane) = (
            b.special(Special::WarpIndex),
            b.lit(copies),
            b.special(Special::LaneIndex),
        );
        b.for_loop(
            PhysicalLoop::Warps,
            [start, rows, step],
            |b, virtual_warp| {
                b.allocate(row);
                let base = b.exact(Mul, virtual_warp, width);
                let index = b.exact(Add, base, lane);
                let value = b.load(input, index);
                b.store(row, lane, value);
                b.wait(Level::Warp);
                let last = b.lit(lanes - 1);
                let opposite = b.exact(Sub, last, lane);
                let value = b.load(row, opposite);
                b.store(output, index, value);
                b.wait(Level::Warp);
            },
        );
    });
    b.plan()
}

/// A histogram by atomics, which also gives each element's rank.
pub(crate) fn histogram() -> Plan {
    let mut b = Builder::new("histogram", 32);
    let input = b.input("input", U32);
    let bins = b.in_out("bins", U32);
    let length = b.length(input);
    let ranks = b.output("ranks", U32, length);
    let (thread, threads) = (b.thread(), b.lit(32u32));
    b.for_loop(
        PhysicalLoop::Rounds(Level::Block),
        [thread, length, threads],
        |b, i| {
            let (bin, one) = (b.load(input, i), b.lit(1u32));
            let rank = b.variable(Some("rank"), U32, VariableKind::Let);
            let origin = Origin::UNKNOWN;
            b.push(Statement::Atomic {
                array: bins,
                index: bin,
                op: AtomicOp::Add,
                operands: vec![one],
                result: Some(rank),
                origin,
            });
            let rank = b.var(rank);
            b.store(ranks, i, rank);
        },
    );
    b.plan()
}

/// Every atomic operation that there is, on elements of one array each.
pub(crate) fn atomics() -> Plan {
    use AtomicOp::*;
    let mut b = Builder::new("atomics", 4);
    let zero = b.lit(0u32);
    for ty in [I32, U32, I64, U64, F32, F64] {
        let array = b.in_out("cells", ty);
        for op in [
            Add,
            Sub,
            Inc,
            Dec,
            Min,
            Max,
            And,
            Or,
            Xor,
            Exchange,
            CompareExchange,
        ] {
            let (one, two) = (b.literal(Literal::one(ty)), b.literal(Literal::zero(ty)));
            let operands = if op == CompareExchange {
                vec![one, two]
            } else {
                vec![one]
            };
            for result in [false, true] {
                let result = result.then(|| b.variable(None, ty, VariableKind::Let));
                if super::has_atomic(op, ty) {
                    let operands = operands.clone();
                    b.push(Statement::Atomic {
                        array,
                        index: zero,
                        op,
                        operands,
                        result,
                        origin: Origin::UNKNOWN,
                    });
                }
                if let Some(result) = result.filter(|_| super::has_atomic(op, ty)) {
                    let (value, index) = (b.var(result), b.lit(1u32));
                    b.store(array, index, value);
                }
            }
        }
    }
    b.plan()
}

/// Steps of the Collatz sequence of each element, at most 1000; a scalar argument is added. Cells,
/// `While`, `Break`, held arrays.
pub(crate) fn collatz() -> Plan {
    let mut b = Builder::new("collatz", 32);
    let input = b.input("input", U32);
    let offset = b.scalar("float", U32);
    let length = b.length(input);
    let output = b.output("steps", U32, length);
    let (thread, threads) = (b.thread(), b.lit(32u32));
    let [zero, one, two, three, limit] = [0u32, 1, 2, 3, 1000].map(|n| b.lit(n));
    b.for_loop(
        PhysicalLoop::Rounds(Level::Block),
        [thread, length, threads],
        |b, i| {
            let held = b.held("pair", U32, 2);
            b.allocate(held);
            let cell = b.variable(Some("steps"), U32, VariableKind::Cell);
            b.push(Statement::Declare {
                cell,
                value: offset,
            });
            let first = b.load(input, i);
            b.store(held, zero, first);
            let current = b.variable(None, U32, VariableKind::Let);
            let now = b.var(current);
            let head = b.list(|b| {
                b.push(Statement::Read {
                    variable: current,
                    array: held,
                    index: zero,
                    origin: Origin::UNKNOWN,
                })
            });
            let condition = b.raw(Gt, now, one);
            let body = b.list(|b| {
                let half = b.raw(Div, now, two);
                let triple = b.raw(Mul, now, three);
                let next = b.raw(Add, triple, one);
                let bit = b.raw(And, now, one);
                let odd = b.raw(Eq, bit, one);
                let value = b.tables.nodes.select(odd, next, half);
                b.store(held, zero, value);
                let steps = b.variable(None, U32, VariableKind::Let);
                b.push(Statement::Get {
                    variable: steps,
                    cell,
                });
                let steps = b.var(steps);
                let value = b.raw(Add, steps, one);
                b.push(Statement::Assign { cell, value });
                let much = b.raw(Ge, steps, limit);
                b.when(much, |b| b.push(Statement::Break));
            });
            b.push(Statement::While {
                head,
                condition,
                body,
            });
            let result = b.variable(None, U32, VariableKind::Let);
            b.push(Statement::Get {
                variable: result,
                cell,
            });
            let result = b.var(result);
            b.store(output, i, result);
        },
    );
    b.plan()
}

/// An expression with `depth` operators inside of each other, and one that doubles as a tree with
/// every step.
pub(crate) fn deep(depth: u32) -> Plan {
    let mut b = Builder::new("deep", 1);
    let input = b.input("input", I32);
    let length = b.length(input);
    let output = b.output("output", I32, length);
    let zero = b.lit(0u32);
    let x = b.load(input, zero);
    let mut value = x;
    for _ in 0..depth {
        let left = b.tables.nodes.add(
            Node::Unary {
                op: UnaryOp::Neg,
                value,
            },
            I32,
        );
        value = b.raw(Sub, left, x);
    }
    for _ in 0..64 {
        value = b.raw(Xor, value, value);
        value = b.raw(Add, value, x);
        value = b.raw(Mul, value, value);
    }
    b.store(output, zero, value);
    b.plan()
}

/// Things that compilers like to warn of: names that nothing reads, conditions that are known, and
/// empty lists.
pub(crate) fn odds() -> Plan {
    let mut b = Builder::new("union", 48);
    let input = b.input("threadIdx", Bool);
    let other = b.input("größe", F64);
    let (length, zero) = (b.length(input), b.lit(0u32));
    let output = b.output("shared", Bool, length);
    let (unused, stored) = (b.shared("unused", I8, 3), b.shared("stored", I8, 4));
    let held = b.held("held", F32, 4);
    [unused, stored, held]
        .into_iter()
        .for_each(|array| b.allocate(array));
    let (byte, float) = (b.lit(-1i8), b.lit(f32::NAN));
    b.store(stored, zero, byte);
    b.store(held, zero, float);
    let value = b.load(other, zero);
    let variable = b.variable(Some("void"), ScalarType::F64, VariableKind::Let);
    b.push(Statement::Let { variable, value });
    let cell = b.variable(None, F64, VariableKind::Cell);
    b.push(Statement::Declare { cell, value });
    let x = b.load(input, zero);
    let known = b.lit(true);
    let eq = b.raw(Eq, x, known);
    let lt = b.raw(Lt, x, eq);
    let and = b.raw(And, lt, x);
    b.push(Statement::If {
        condition: and,
        then: Vec::new(),
        otherwise: Vec::new(),
    });
    b.wait(Level::Block);
    b.store(output, zero, and);
    b.plan()
}
