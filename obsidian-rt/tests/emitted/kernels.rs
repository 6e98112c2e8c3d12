//! The kernels whose text is run.

use obsidian_core::error::Origin;
use obsidian_core::ir::{AtomicOp, Layout, Level, Levelled, LevelledLoop, Statement, Unroll};
use obsidian_core::plan::Step;
use obsidian_core::scalar::{
    ArrayPlace, BinaryOp, Constraint, Node, NodeId, Requirement, Role, ScalarType, VariableKind,
};

use super::build::{Builder, Example, atomic, blocks, let_, store};

use BinaryOp::{Add, Div, Eq, Ge, Lt, Mul, Rem, Shl, Sub};
use ScalarType::{F32, I32, U32};

/// The number of whole pieces of an array, of which a launch asks that there be no rest.
fn blocks_of(b: &mut Builder, array: obsidian_core::scalar::ArrayId, n: u32) -> NodeId {
    let (length, pieces) = (b.length(array), b.number(n));
    b.tables.requirements.push(Requirement {
        length,
        constraint: Constraint::MultipleOf(n),
        origin: Origin::UNKNOWN,
    });
    b.exact(Div, length, pieces)
}

/// `output[i] = input[i] * factor + 1`, 256 elements a block.
pub fn map() -> Example {
    let mut b = Builder::default();
    let input = b.input("input", I32);
    let factor = b.scalar("factor", I32);
    let output = b.parameter("output", I32, Role::Output, &[Step::Length(0)], Some(256));
    let count = blocks_of(&mut b, input, 256);
    let ((block, bv), (i, iv)) = (b.counter("b"), b.counter("i"));
    let n = b.number(256u32);
    let base = b.exact(Mul, bv, n);
    let index = b.exact(Add, base, iv);
    let (x, one) = (b.load(input, index), b.number(1i32));
    let product = b.op(Mul, x, factor);
    let sum = b.op(Add, product, one);
    let body = vec![b.each(Level::Block, i, 256, vec![store(output, index, sum)])];
    b.finish(
        "map",
        &[Step::Length(0), Step::Literal(256), Step::Div],
        vec![blocks(block, count, body)],
    )
}

/// The sums of runs of 64 elements, as a tree with an array for each stage.
pub fn reduction() -> Example {
    let mut b = Builder::default();
    let input = b.input("input", I32);
    let output = b.parameter(
        "output",
        I32,
        Role::Output,
        &[Step::Length(0), Step::Literal(64), Step::Div],
        Some(1),
    );
    let count = blocks_of(&mut b, input, 64);
    let (block, bv) = b.counter("b");
    let (base, base_v) = b.variable("base", U32, VariableKind::Let);
    let n = b.number(64u32);
    let start = b.exact(Mul, bv, n);
    let mut body = vec![let_(base, start)];
    let mut from = None;
    for half in [32, 16, 8, 4, 2, 1] {
        let (i, iv) = b.counter("i");
        let half_v = b.number(half);
        let other = b.exact(Add, iv, half_v);
        let [x, y] = [iv, other].map(|index| match from {
            Some(array) => b.load(array, index),
            None => {
                let index = b.exact(Add, base_v, index);
                b.load(input, index)
            }
        });
        let sum = b.op(Add, x, y);
        let stage = b.local("stage", I32, half, ArrayPlace::Shared);
        body.push(Statement::Allocate {
            array: stage,
            layout: Layout::Striped,
        });
        body.push(b.each(Level::Block, i, half, vec![store(stage, iv, sum)]));
        body.push(Statement::Wait {
            scope: Level::Block,
        });
        from = Some(stage);
    }
    let (i, iv) = b.counter("i");
    let index = b.exact(Add, bv, iv);
    let last = b.load(from.expect("there are stages"), iv);
    body.push(b.each(Level::Block, i, 1, vec![store(output, index, last)]));
    b.finish(
        "reduction",
        &[Step::Length(0), Step::Literal(64), Step::Div],
        vec![blocks(block, count, body)],
    )
}

/// `output[to[i]] = input[i]`, and with one more output in pieces: the left neighbour, or -1.
pub fn scatter() -> Example {
    let mut b = Builder::default();
    let to = b.input("to", U32);
    let input = b.input("input", I32);
    let output = b.parameter("output", I32, Role::Output, &[Step::Length(0)], None);
    let left = b.parameter("left", I32, Role::Output, &[Step::Length(0)], Some(8));
    let count = blocks_of(&mut b, input, 8);
    let ((block, bv), (i, iv)) = (b.counter("b"), b.counter("i"));
    let n = b.number(8u32);
    let base = b.exact(Mul, bv, n);
    let index = b.exact(Add, base, iv);
    let (target, value) = (b.load(to, index), b.load(input, index));
    let (zero, one, none) = (b.number(0u32), b.number(1u32), b.number(-1i32));
    let first = b.op(Eq, index, zero);
    let before = b.exact(Sub, index, one);
    let neighbour = b.load(input, before);
    let chosen = b.tables.nodes.select(first, none, neighbour);
    let body = vec![b.each(
        Level::Block,
        i,
        8,
        vec![store(output, target, value), store(left, index, chosen)],
    )];
    b.finish(
        "scatter",
        &[Step::Length(0), Step::Literal(8), Step::Div],
        vec![blocks(block, count, body)],
    )
}

/// Twenty choices in each other: `acc = (if b > n { input[b - n - 1] } else { acc }) + n`, for `n`
/// from 0.
///
/// Each element that is read is out of range where its choice does not take it.
pub fn choices() -> Example {
    let mut b = Builder::default();
    let input = b.input("input", U32);
    let output = b.parameter("output", U32, Role::Output, &[Step::Length(0)], Some(1));
    let count = b.length(input);
    let ((block, bv), (i, _)) = (b.counter("b"), b.counter("i"));
    let mut sum = b.load(input, bv);
    for n in 0..20u32 {
        let (n, next) = (b.number(n), b.number(n + 1));
        let inside = b.op(BinaryOp::Gt, bv, n);
        let before = b.exact(Sub, bv, next);
        let element = b.load(input, before);
        let chosen = b.tables.nodes.select(inside, element, sum);
        sum = b.op(Add, chosen, n);
    }
    let body = vec![b.each(Level::Block, i, 1, vec![store(output, bv, sum)])];
    b.finish(
        "choices",
        &[Step::Length(0)],
        vec![blocks(block, count, body)],
    )
}

/// Counts the elements modulo 16, first in shared memory; and the number of steps of a sum until it
/// passes 100.
pub fn count() -> Example {
    let mut b = Builder::default();
    let input = b.input("input", U32);
    let bins = b.parameter("bins", U32, Role::InOut, &[], None);
    let steps = b.parameter(
        "steps",
        U32,
        Role::Output,
        &[Step::Length(0), Step::Literal(32), Step::Div],
        Some(1),
    );
    let blocks_n = blocks_of(&mut b, input, 32);
    let (block, bv) = b.counter("b");
    let counts = b.local("counts", U32, 16, ArrayPlace::Shared);
    let ((w, wv), (i, iv), (j, jv)) = (b.counter("w"), b.counter("i"), b.counter("j"));
    let (zero, one) = (b.number(0u32), b.number(1u32));
    let [n8, n16, n32, n100] = [8u32, 16, 32, 100].map(|n| b.number(n));
    let clear = b.each(Level::Block, j, 16, vec![store(counts, jv, zero)]);
    let block_base = b.exact(Mul, bv, n32);
    let warp_base = b.exact(Mul, wv, n8);
    let local = b.exact(Add, warp_base, iv);
    let index = b.exact(Add, block_base, local);
    let x = b.load(input, index);
    let bin = b.op(Rem, x, n16);
    let inner = vec![b.each(
        Level::Warp,
        i,
        8,
        vec![atomic(counts, bin, AtomicOp::Add, vec![one], None)],
    )];
    let warps = Statement::Loop {
        kind: LevelledLoop::Distribute(Level::Warp),
        unroll: Unroll::Free,
        counter: w,
        bounds: [b.number(4u32)],
        body: inner,
    };
    let ((k, kv), (seen, seen_v)) = (b.counter("k"), b.variable("seen", U32, VariableKind::Let));
    let (old, old_v) = b.variable("old", U32, VariableKind::Let);
    let read = Statement::Read {
        variable: seen,
        array: counts,
        index: kv,
        origin: Origin::UNKNOWN,
    };
    let large = b.op(Ge, old_v, zero);
    let some = b.op(Lt, zero, seen_v);
    let add = vec![atomic(bins, kv, AtomicOp::Add, vec![seen_v], Some(old))];
    let merge = vec![
        read,
        Statement::If {
            condition: some,
            then: add,
            otherwise: vec![],
        },
    ];
    let merge = b.each(Level::Block, k, 16, merge);
    let _ = large;
    let sum = until_100(&mut b, input, block_base, steps, bv, n100);
    let body = vec![
        Statement::Allocate {
            array: counts,
            layout: Layout::Striped,
        },
        clear,
        Statement::Wait {
            scope: Level::Block,
        },
        warps,
        Statement::Wait {
            scope: Level::Block,
        },
        merge,
        sum,
    ];
    b.finish(
        "count",
        &[Step::Length(0), Step::Literal(32), Step::Div],
        vec![blocks(block, blocks_n, body)],
    )
}

/// One thread adds up its block's elements until the sum passes 100, twice: with `while`, and with
/// `for` and `break`.
fn until_100(
    b: &mut Builder,
    input: obsidian_core::scalar::ArrayId,
    base: NodeId,
    steps: obsidian_core::scalar::ArrayId,
    block: NodeId,
    n100: NodeId,
) -> Statement<Levelled> {
    let (zero, one, n31, n32) = (
        b.number(0u32),
        b.number(1u32),
        b.number(31u32),
        b.number(32u32),
    );
    let (t, tv) = b.counter("t");
    let ((sum, _), (n, _)) = (
        b.variable("sum", U32, VariableKind::Cell),
        b.variable("n", U32, VariableKind::Cell),
    );
    let (sum_now, sum_v) = b.variable("sum_now", U32, VariableKind::Let);
    let (n_now, n_v) = b.variable("n_now", U32, VariableKind::Let);
    let (go_sum, go_n) = (b.op(Lt, sum_v, n100), b.op(Lt, n_v, n32));
    let go = b.op(BinaryOp::And, go_sum, go_n);
    let inside = b.op(BinaryOp::Min, n_v, n31);
    let at = b.exact(Add, base, inside);
    let x = b.load(input, at);
    let (next, more) = (b.op(Add, sum_v, x), b.op(Add, n_v, one));
    let head = vec![
        Statement::Get {
            variable: sum_now,
            cell: sum,
        },
        Statement::Get {
            variable: n_now,
            cell: n,
        },
    ];
    let body = vec![
        Statement::Assign {
            cell: sum,
            value: next,
        },
        Statement::Assign {
            cell: n,
            value: more,
        },
    ];
    let (last, last_v) = b.variable("last", U32, VariableKind::Let);
    let (again, _) = b.variable("again", U32, VariableKind::Cell);
    let (again_now, again_v) = b.variable("again_now", U32, VariableKind::Let);
    let (m, mv) = b.counter("m");
    let enough = b.op(Ge, again_v, n100);
    let at = b.exact(Add, base, mv);
    let x = b.load(input, at);
    let next = b.op(Add, again_v, x);
    let leave = Statement::If {
        condition: enough,
        then: vec![Statement::Break],
        otherwise: vec![],
    };
    let looped = vec![
        Statement::Get {
            variable: again_now,
            cell: again,
        },
        leave,
        Statement::Assign {
            cell: again,
            value: next,
        },
    ];
    let looped = b.in_order(m, n32, looped);
    let (total, total_v) = b.variable("total", U32, VariableKind::Let);
    let n16 = b.number(16u32);
    let high = b.op(Shl, total_v, n16);
    let both = b.op(BinaryOp::Or, high, last_v);
    let index = b.exact(Add, block, tv);
    let list = vec![
        Statement::Declare {
            cell: sum,
            value: zero,
        },
        Statement::Declare {
            cell: n,
            value: zero,
        },
        Statement::While {
            head,
            condition: go,
            body,
        },
        Statement::Get {
            variable: last,
            cell: n,
        },
        Statement::Declare {
            cell: again,
            value: zero,
        },
        looped,
        Statement::Get {
            variable: total,
            cell: again,
        },
        store(steps, index, both),
    ];
    b.each(Level::Block, t, 1, list)
}

/// `sums[i] += ` a product of two tiles of 16 by 16, a pair of tiles a block; every third product is rounded with its
/// sum.
pub fn tiles() -> Example {
    let mut b = Builder::default();
    let (left, right) = (b.input("left", F32), b.input("right", F32));
    let sums = b.parameter("sums", F32, Role::InOut, &[], None);
    let count = blocks_of(&mut b, left, 256);
    let ((block, bv), (i, iv)) = (b.counter("b"), b.counter("i"));
    let (old, old_v) = b.variable("old", F32, VariableKind::Let);
    let [tile, width] = [256u32, 16].map(|n| b.number(n));
    let start = b.exact(Mul, bv, tile);
    let (row, column) = (b.exact(Div, iv, width), b.exact(Rem, iv, width));
    let line = b.exact(Mul, row, width);
    let mut sum = None;
    for k in 0..16u32 {
        let (from_left, from_right) = (b.number(k), b.number(k * 16));
        let [x, y] =
            [(left, line, from_left), (right, column, from_right)].map(|(array, at, n)| {
                let index = b.exact(Add, start, at);
                let index = b.exact(Add, index, n);
                b.load(array, index)
            });
        sum = Some(match sum {
            Some(addend) if k % 3 == 0 => {
                let (left, right) = (x, y);
                let node = Node::MulAdd {
                    left,
                    right,
                    addend,
                };
                b.node(node, F32)
            }
            sum => {
                let product = b.op(Mul, x, y);
                sum.map_or(product, |sum| b.op(Add, sum, product))
            }
        });
    }
    let index = b.exact(Add, start, iv);
    let read = Statement::Read {
        variable: old,
        array: sums,
        index,
        origin: Origin::UNKNOWN,
    };
    let all = b.op(Add, old_v, sum.expect("there are products"));
    let body = vec![b.each(Level::Block, i, 256, vec![read, store(sums, index, all)])];
    b.finish(
        "tiles",
        &[Step::Length(0), Step::Literal(256), Step::Div],
        vec![blocks(block, count, body)],
    )
}
