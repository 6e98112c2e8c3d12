//! One kernel for each operator and type.

use super::Case;
use crate::emit::testing::Builder;
use crate::scalar::{BinaryOp, Literal, Node, NodeId, ScalarType, UnaryOp, meaning};

/// The values of a type that are easy to get wrong.
pub(super) fn edges(ty: ScalarType) -> Vec<Literal> {
    let Some((low, high)) = ty.range() else {
        let special = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            0.0,
            -0.0,
            0.1,
            1e-3,
            1.5,
            2.5,
            0.5,
            -0.5,
            0.49999999999999994,
            255.5,
            256.0,
        ];
        let large = [
            2147483647.0,
            2147483648.0,
            4294967040.0,
            4294967296.0,
            9.223372036854775e18,
            1.8446744073709552e19,
            1e30,
            65535.9,
            127.5,
        ];
        let mut list: Vec<_> = special
            .into_iter()
            .chain(large)
            .chain([1.0, 2.0, 3.0, 7.0, 100.0, 128.0])
            .collect();
        let negative: Vec<_> = list[5..].iter().map(|x| -x).collect();
        list.extend(negative);
        let mut list: Vec<_> = list
            .into_iter()
            .filter_map(|x| Literal::float(ty, x))
            .collect();
        // The smallest and the largest subnormal, the smallest normal, and the largest number.
        let (mantissa, exponent) = if ty == ScalarType::F32 {
            (23, 0xffu64)
        } else {
            (52, 0x7ff)
        };
        for bits in [
            1,
            (1 << mantissa) - 1,
            1 << mantissa,
            (exponent << mantissa) - 1,
        ] {
            list.push(Literal::from_bits(ty, bits));
            list.push(Literal::from_bits(ty, bits | 1 << (ty.bits() - 1)));
        }
        return list;
    };
    let numbers = [
        0,
        1,
        2,
        3,
        7,
        8,
        31,
        32,
        33,
        63,
        100,
        -1,
        -2,
        -3,
        -8,
        -100,
        low,
        low + 1,
        high,
        high - 1,
        high / 2 + 1,
        (1 << 24) + 1,
        (1 << 53) + 1,
    ];
    let mut list: Vec<_> = numbers
        .into_iter()
        .filter_map(|n| Literal::integer(ty, n))
        .collect();
    list.sort();
    list.dedup();
    list
}

/// A few of them, for operands that are known.
fn few(ty: ScalarType) -> Vec<Literal> {
    let all = edges(ty);
    let step = all.len().div_ceil(6).max(1);
    all.into_iter().step_by(step).collect()
}

/// All pairs.
fn pairs(left: &[Literal], right: &[Literal]) -> (Vec<Literal>, Vec<Literal>) {
    left.iter()
        .flat_map(|x| right.iter().map(move |y| (*x, *y)))
        .unzip()
}

/// A kernel that applies `f` to the elements of its inputs, one output element each.
pub(super) fn map(
    name: String,
    inputs: Vec<(ScalarType, Vec<Literal>)>,
    ty: ScalarType,
    f: impl FnOnce(&mut Builder, &[NodeId]) -> NodeId,
    means: impl Fn(&[Literal]) -> Literal,
) -> Case {
    let mut b = Builder::new(&name, 1);
    let arrays: Vec<_> = inputs
        .iter()
        .zip(["a", "b", "c"])
        .map(|((ty, _), name)| b.input(name, *ty))
        .collect();
    let count = b.length(arrays[0]);
    let out = b.output("out", ty, count);
    b.sequential(count, |b, i| {
        let elements: Vec<_> = arrays.iter().map(|array| b.load(*array, i)).collect();
        let value = f(b, &elements);
        b.store(out, i, value);
    });
    let row = |n: usize| inputs.iter().map(|(_, list)| list[n]).collect::<Vec<_>>();
    let expected = (0..inputs[0].1.len()).map(|n| means(&row(n))).collect();
    Case {
        plan: b.plan(),
        inputs,
        expected: (ty, expected),
        ulps: 0,
    }
}

fn unary(op: UnaryOp, ty: ScalarType) -> Case {
    let make = |b: &mut Builder, x: &[NodeId]| {
        b.tables
            .nodes
            .add(Node::Unary { op, value: x[0] }, op.result(ty))
    };
    // Rust computes these three by formulas of its own, which are less good.
    let own = matches!(op, UnaryOp::Asinh | UnaryOp::Acosh | UnaryOp::Atanh);
    let mut inputs = edges(ty);
    // The bits of a NaN are not defined.
    inputs.retain(|x| op != UnaryOp::ToBits || !x.is_nan());
    let mut case = map(
        format!("{op:?}_{ty:?}"),
        vec![(ty, inputs)],
        op.result(ty),
        make,
        |x| meaning::unary(op, x[0]),
    );
    case.ulps = match op {
        _ if own => 8,
        _ if meaning::is_exact(op) => 0,
        _ => 2,
    };
    case
}

/// What mathematical libraries may disagree by.
fn distance(op: BinaryOp) -> u64 {
    match meaning::is_exact_of_two(op) {
        true => 0,
        false => 2,
    }
}

fn right_type(op: BinaryOp, ty: ScalarType) -> ScalarType {
    if op.is_shift() { ScalarType::U32 } else { ty }
}

fn binary(op: BinaryOp, ty: ScalarType) -> Case {
    let right = right_type(op, ty);
    let (x, y) = pairs(&edges(ty), &edges(right));
    let make = |b: &mut Builder, x: &[NodeId]| b.raw(op, x[0], x[1]);
    let mut case = map(
        format!("{op:?}_{ty:?}"),
        vec![(ty, x), (right, y)],
        op.result(ty),
        make,
        |x| meaning::binary(op, x[0], x[1]),
    );
    case.ulps = distance(op);
    case
}

/// The operator with each of a few literals to the right and to the left of an element.
fn with_literals(op: BinaryOp, ty: ScalarType) -> Case {
    let (other, result) = (right_type(op, ty), op.result(ty));
    let (right, left) = (few(other), few(ty));
    let columns = right.len() + left.len();
    let inputs = vec![
        (ty, edges(ty)),
        (
            other,
            edges(ty).iter().map(|x| meaning::cast(other, *x)).collect(),
        ),
    ];
    let mut b = Builder::new(&format!("{op:?}_{ty:?}_literal"), 1);
    let (x, y) = (b.input("x", ty), b.input("y", other));
    let (count, width) = (b.length(x), b.lit(columns as u32));
    let length = b.raw(BinaryOp::Mul, count, width);
    let out = b.output("out", result, length);
    b.sequential(count, |b, i| {
        let (x, y) = (b.load(x, i), b.load(y, i));
        let base = b.exact(BinaryOp::Mul, i, width);
        for n in 0..columns {
            let literal = b.literal(if n < right.len() {
                right[n]
            } else {
                left[n - right.len()]
            });
            let value = if n < right.len() {
                b.raw(op, x, literal)
            } else {
                b.raw(op, literal, y)
            };
            let column = b.lit(n as u32);
            let index = b.exact(BinaryOp::Add, base, column);
            b.store(out, index, value);
        }
    });
    let row = |x: Literal, y: Literal| {
        let rights = right.iter().map(move |l| meaning::binary(op, x, *l));
        rights
            .chain(left.iter().map(move |l| meaning::binary(op, *l, y)))
            .collect::<Vec<_>>()
    };
    let expected = inputs[0]
        .1
        .iter()
        .zip(&inputs[1].1)
        .flat_map(|(x, y)| row(*x, *y))
        .collect();
    Case {
        plan: b.plan(),
        inputs,
        expected: (result, expected),
        ulps: distance(op),
    }
}

fn cast(from: ScalarType, to: ScalarType) -> Case {
    let make = |b: &mut Builder, x: &[NodeId]| b.tables.nodes.cast(to, x[0]);
    map(
        format!("Cast_{from:?}_{to:?}"),
        vec![(from, edges(from))],
        to,
        make,
        |x| meaning::cast(to, x[0]),
    )
}

fn mul_add(ty: ScalarType) -> Case {
    let (x, y) = pairs(&edges(ty), &edges(ty));
    let z = x.iter().rev().copied().collect();
    let make = |b: &mut Builder, x: &[NodeId]| b.tables.nodes.mul_add(x[0], x[1], x[2]);
    map(
        format!("MulAdd_{ty:?}"),
        vec![(ty, x), (ty, y), (ty, z)],
        ty,
        make,
        |x| meaning::mul_add(x[0], x[1], x[2]),
    )
}

fn select(ty: ScalarType) -> Case {
    let (x, y) = pairs(&edges(ty), &edges(ty));
    let make = |b: &mut Builder, x: &[NodeId]| {
        let condition = b.raw(BinaryOp::Lt, x[0], x[1]);
        b.tables.nodes.select(condition, x[1], x[0])
    };
    let means = |x: &[Literal]| {
        if meaning::binary(BinaryOp::Lt, x[0], x[1]).bool() {
            x[1]
        } else {
            x[0]
        }
    };
    map(
        format!("Select_{ty:?}"),
        vec![(ty, x), (ty, y)],
        ty,
        make,
        means,
    )
}

/// Stores of literals.
fn literals(ty: ScalarType) -> Case {
    let values = edges(ty);
    let mut b = Builder::new(&format!("Literals_{ty:?}"), 1);
    let x = b.input("x", ty);
    let count = b.length(x);
    let out = b.output("out", ty, count);
    for (n, value) in values.iter().enumerate() {
        let (index, value) = (b.lit(n as u32), b.literal(*value));
        b.store(out, index, value);
    }
    Case {
        plan: b.plan(),
        inputs: vec![(ty, values.clone())],
        expected: (ty, values),
        ulps: 0,
    }
}

/// All of them.
pub(super) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for ty in ScalarType::ALL {
        cases.extend(
            UnaryOp::ALL
                .iter()
                .filter(|op| op.accepts(ty))
                .map(|op| unary(*op, ty)),
        );
        for op in BinaryOp::ALL.iter().filter(|op| op.accepts(ty)) {
            cases.extend([binary(*op, ty), with_literals(*op, ty)]);
        }
        cases.extend(
            ScalarType::ALL
                .iter()
                .filter(|to| **to != ty)
                .map(|to| cast(ty, *to)),
        );
        cases.extend([select(ty), literals(ty)]);
        if ty != ScalarType::Bool {
            cases.push(mul_add(ty));
        }
    }
    cases
}
