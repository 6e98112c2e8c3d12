//! One kernel per element type with an output for each of its operators and casts; run on all pairs
//! of edge values.

use obsidian_core::ir::Level;
use obsidian_core::plan::Step;
use obsidian_core::scalar::{BinaryOp, Literal, Role, ScalarType, UnaryOp, meaning};

use super::build::{Builder, Example, blocks, store};

/// What an output of an operator kernel shows.
#[derive(Clone, Copy, Debug)]
pub enum Shown {
    Unary(UnaryOp),
    Binary(BinaryOp),
    MulAdd,
    Cast(ScalarType),
}

impl Shown {
    /// The value for the operands `x` and `y` and the shift distance `n`.
    pub fn meaning(self, x: Literal, y: Literal, n: Literal) -> Literal {
        match self {
            Shown::Unary(op) => meaning::unary(op, x),
            Shown::Binary(op) if op.is_shift() => meaning::binary(op, x, n),
            Shown::Binary(op) => meaning::binary(op, x, y),
            Shown::MulAdd => meaning::mul_add(x, y, x),
            Shown::Cast(to) => meaning::cast(to, x),
        }
    }

    /// The type of the value for operands of a type.
    pub fn ty(self, operands: ScalarType) -> ScalarType {
        match self {
            Shown::MulAdd => operands,
            Shown::Unary(op) => op.result(operands),
            Shown::Binary(op) => op.result(operands),
            Shown::Cast(to) => to,
        }
    }
}

/// Everything that a type has.
pub fn shown(ty: ScalarType) -> Vec<Shown> {
    let unary = UnaryOp::ALL
        .iter()
        .filter(|op| op.accepts(ty))
        .map(|&op| Shown::Unary(op));
    let binary = BinaryOp::ALL
        .iter()
        .filter(|op| op.accepts(ty))
        .map(|&op| Shown::Binary(op));
    let mul_add = (ty != ScalarType::Bool).then_some(Shown::MulAdd);
    let casts = ScalarType::ALL
        .into_iter()
        .filter(|&to| to != ty)
        .map(Shown::Cast);
    unary.chain(binary).chain(mul_add).chain(casts).collect()
}

/// The kernel: inputs `x`, `y` and `n`, and the outputs of [`shown`].
pub fn operators(ty: ScalarType) -> Example {
    let mut b = Builder::default();
    let (x, y, n) = (
        b.input("x", ty),
        b.input("y", ty),
        b.input("n", ScalarType::U32),
    );
    let ((block, bv), (i, _)) = (b.counter("b"), b.counter("i"));
    let (xv, yv, nv) = (b.load(x, bv), b.load(y, bv), b.load(n, bv));
    let mut body = Vec::new();
    for shown in shown(ty) {
        let value = match shown {
            Shown::Unary(op) => b.un(op, xv),
            Shown::Binary(op) if op.is_shift() => b.op(op, xv, nv),
            Shown::Binary(op) => b.op(op, xv, yv),
            Shown::MulAdd => b.tables.nodes.mul_add(xv, yv, xv),
            Shown::Cast(to) => b.tables.nodes.cast(to, xv),
        };
        let output = b.parameter(
            "output",
            shown.ty(ty),
            Role::Output,
            &[Step::Length(0)],
            Some(1),
        );
        body.push(store(output, bv, value));
    }
    let body = vec![b.each(Level::Block, i, 1, body)];
    let count = b.length(x);
    b.finish(
        ty.name(),
        &[Step::Length(0)],
        vec![blocks(block, count, body)],
    )
}

/// Values where operators are likely to go wrong.
pub fn edges(ty: ScalarType) -> Vec<Literal> {
    if let Some((low, high)) = ty.range() {
        let all = [
            low,
            low + 1,
            -129,
            -128,
            -8,
            -2,
            -1,
            0,
            1,
            2,
            3,
            7,
            8,
            31,
            32,
            100,
            127,
            128,
            255,
            256,
            65_535,
            high / 2,
            high - 1,
            high,
        ];
        let mut list: Vec<Literal> = all
            .into_iter()
            .filter_map(|value| Literal::integer(ty, value))
            .collect();
        list.dedup();
        return list;
    }
    let floats = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.0,
        -1.0,
        1.5,
        -1.5,
        2.5,
        3.25,
        1e-3,
        100.75,
        127.5,
        -128.5,
        255.9,
        32768.0,
        65536.5,
        1e9,
        2147483648.0,
        -2147483649.0,
        4294967296.0,
        9.3e18,
        1.9e19,
        1e30,
        -1e30,
        1e-40,
        1e-310,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
    ];
    floats
        .into_iter()
        .filter_map(|value| Literal::float(ty, value))
        .collect()
}
