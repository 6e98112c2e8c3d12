//! Operators by columns have the meaning that `obsidian_core::scalar::meaning` gives them, on edge
//! values of every type.

use std::cell::Cell;

use obsidian_language::scalar::{BinaryOp, Literal, Scalar, ScalarType, UnaryOp, meaning};

use super::code::{Apply, Args, Plain, Reg, Room};
use super::files::{Files, Lane};
use super::masks::Mask;
use super::operators;
use crate::element::by_type;

thread_local! {
    /// Are operators to be computed as for any processor?
    pub(super) static NARROW: Cell<bool> = const { Cell::new(false) };
}

/// Values around which operators change what they do.
fn edges(ty: ScalarType) -> Vec<Literal> {
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.5,
        2.5,
        3.7,
        0.7,
        -0.5,
        -0.7,
        8_388_607.5,
        4_503_599_627_370_495.5,
        -8.25,
        255.5,
        256.0,
        4_294_967_296.5,
        -2_147_483_649.0,
        1e-40,
        1e-310,
        1e19,
        -1e19,
        1e30,
        3.4028235e38,
        1e300,
        -1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let integers: [i128; 22] = [
        0,
        1,
        -1,
        2,
        3,
        7,
        31,
        32,
        33,
        40,
        63,
        64,
        100,
        127,
        -128,
        255,
        256,
        -5,
        65_535,
        -32_768,
        2_147_483_647,
        -2_147_483_648,
    ];
    match ty {
        ScalarType::F32 | ScalarType::F64 => floats
            .iter()
            .filter_map(|x| Literal::float(ty, *x))
            .collect(),
        ScalarType::Bool => vec![Literal::from(false), Literal::from(true)],
        _ => {
            let (low, high) = ty.range().unwrap_or_default();
            let ends = [low, low + 1, high - 1, high];
            let all = integers.iter().copied().chain(ends);
            let mut list: Vec<Literal> = all.filter_map(|x| Literal::integer(ty, x)).collect();
            list.sort();
            list.dedup();
            list
        }
    }
}

/// The same bits, or NaNs of one type: which bits a NaN has, no two machines agree on.
fn same(x: Literal, y: Literal) -> bool {
    let is_nan = |x: Literal| match x.ty() {
        ScalarType::F32 => x.f32().is_nan(),
        ScalarType::F64 => x.f64().is_nan(),
        _ => false,
    };
    x == y || x.ty() == y.ty() && is_nan(x) && is_nan(y)
}

fn files(lanes: usize) -> Files {
    let types = ScalarType::ALL.len();
    let mut room = Room::default();
    for n in 0..types {
        (room.scalars[n], room.columns[n]) = (4, 4);
    }
    Files::new(&room, lanes)
}

fn fill(files: &mut Files, reg: Reg, values: &[Literal]) {
    by_type!(reg.ty(), T => {
        let column = &mut T::file_mut(files).columns[reg.index()];
        for (element, value) in column.iter_mut().zip(values) {
            *element = T::from_literal(*value);
        }
    });
}

fn lane(files: &Files, reg: Reg, lane: usize) -> Literal {
    by_type!(reg.ty(), T => {
        let file = T::file(files);
        if reg.is_scalar() {
            file.scalars[reg.index()].literal()
        } else {
            file.columns[reg.index()][lane].literal()
        }
    })
}

/// Applies an operation to lists of operands: by columns, with each operand in turn the same for all
/// lanes, and as single values.
fn holds(
    run: Apply,
    plain: Plain,
    result: ScalarType,
    operands: &[Vec<Literal>],
    what: &str,
    expected: &dyn Fn(&[Literal]) -> Literal,
) {
    let lanes = operands.first().map_or(0, Vec::len);
    let mut files = files(lanes);
    let of = |n: usize, shares: bool| {
        let ty = operands[n][0].ty();
        if shares {
            Reg::scalar(ty, n as u32)
        } else {
            Reg::column(ty, n as u32)
        }
    };
    for (n, values) in operands.iter().enumerate() {
        fill(&mut files, of(n, false), values);
    }
    for shared in 0..1 << operands.len() {
        let from: Vec<Reg> = (0..operands.len())
            .map(|n| of(n, shared >> n & 1 == 1))
            .collect();
        let all = shared == (1 << operands.len()) - 1;
        let to = if all {
            Reg::scalar(result, 3)
        } else {
            Reg::column(result, 3)
        };
        let args = super::compile::args(to, &from, plain);
        // Where an operand is shared, its values in turn; of pairs some, which are no neighbours.
        let rounds = if shared == 0 { 1 } else { lanes };
        let distance = if operands.len() == 1 { 1 } else { 17 };
        for round in (0..rounds).step_by(distance) {
            for (n, values) in operands.iter().enumerate() {
                files.set(of(n, true), values[round]);
            }
            // With the vectors of this processor, and as for any.
            for narrow in [false, true] {
                NARROW.set(narrow);
                run(&mut files, &args, 0..lanes);
                for at in 0..if all { 1 } else { lanes } {
                    let given: Vec<Literal> =
                        from.iter().map(|reg| lane(&files, *reg, at)).collect();
                    let (found, wanted) = (lane(&files, to, at), expected(&given));
                    assert!(
                        same(found, wanted),
                        "{what} {given:?}: {found:?} is not {wanted:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn operators_of_one_operand_have_their_meaning() {
    for ty in ScalarType::ALL {
        for op in UnaryOp::ALL
            .iter()
            .filter(|op| op.accepts(ty) && !op.is_promise())
        {
            let what = format!("{} of {}", op.name(), ty.name());
            let run = operators::unary(*op, ty);
            let plain = Plain::Unary(*op);
            holds(run, plain, op.result(ty), &[edges(ty)], &what, &|x| {
                meaning::unary(*op, x[0])
            });
        }
    }
}

/// Two lists with all pairs of the values of two lists.
fn pairs(x: &[Literal], y: &[Literal]) -> [Vec<Literal>; 2] {
    let all = || x.iter().flat_map(|x| y.iter().map(move |y| (*x, *y)));
    [
        all().map(|pair| pair.0).collect(),
        all().map(|pair| pair.1).collect(),
    ]
}

#[test]
fn operators_of_two_operands_have_their_meaning() {
    for ty in ScalarType::ALL {
        for op in BinaryOp::ALL.iter().filter(|op| op.accepts(ty)) {
            let right = if op.is_shift() { ScalarType::U32 } else { ty };
            let operands = pairs(&edges(ty), &edges(right));
            let what = format!("{} of {}", op.name(), ty.name());
            let run = operators::binary(*op, ty);
            let plain = Plain::Binary(*op);
            holds(run, plain, op.result(ty), &operands, &what, &|x| {
                meaning::binary(*op, x[0], x[1])
            });
        }
    }
}

#[test]
fn casts_have_their_meaning() {
    for from in ScalarType::ALL {
        for to in ScalarType::ALL.into_iter().filter(|to| *to != from) {
            let what = format!("{} as {}", from.name(), to.name());
            let plain = Plain::Unary(UnaryOp::Trust);
            let run = operators::cast(from, to);
            holds(run, plain, to, &[edges(from)], &what, &|x| {
                meaning::cast(to, x[0])
            });
        }
    }
}

#[test]
fn choices_and_fused_products_have_their_meaning() {
    for ty in ScalarType::ALL {
        let [x, y] = pairs(&edges(ty), &edges(ty));
        let conditions: Vec<Literal> = (0..x.len()).map(|n| Literal::from(n % 3 == 1)).collect();
        let plain = Plain::Unary(UnaryOp::Trust);
        let choice = [conditions, x.clone(), y.clone()];
        holds(operators::select(ty), plain, ty, &choice, "select", &|x| {
            if x[0].bool() { x[1] } else { x[2] }
        });
        if ty == ScalarType::Bool {
            continue;
        }
        let z: Vec<Literal> = y.iter().rev().copied().collect();
        let lanes = x.len();
        let mut files = files(lanes);
        let regs = [0, 1, 2].map(|n| Reg::column(ty, n));
        for (reg, values) in regs.into_iter().zip([&x, &y, &z]) {
            fill(&mut files, reg, values);
        }
        let to = Reg::column(ty, 3);
        let args: Args = super::compile::args(to, &regs, plain);
        operators::mul_add(ty)(&mut files, &args, 0..lanes);
        for n in 0..lanes {
            let wanted = meaning::mul_add(x[n], y[n], z[n]);
            let found = lane(&files, to, n);
            assert!(
                same(found, wanted),
                "{:?}: {found:?} is not {wanted:?}",
                [x[n], y[n], z[n]]
            );
        }
    }
}

/// Numbers that begin again at 0 among the lanes, and limits at both ends, are no special cases.
#[test]
fn ramps_are_below_a_limit_where_their_numbers_are() {
    let ends = [
        0,
        1,
        2,
        5,
        11,
        12,
        u32::MAX - 12,
        u32::MAX - 3,
        u32::MAX - 1,
        u32::MAX,
    ];
    for (first, limit) in ends.iter().flat_map(|x| ends.map(|y| (*x, y))) {
        for inclusive in [false, true] {
            let (lanes, holds) = operators::lanes_below(first, limit, inclusive);
            for lane in 0..12 {
                let number = first.wrapping_add(lane);
                let wanted = number < limit || inclusive && number == limit;
                let is_inside = lanes.contains(&(lane as usize)) == holds;
                assert_eq!(is_inside, wanted, "{first} {limit} {inclusive} {lane}");
            }
        }
    }
}

/// The lanes that take part, as the mask says it: whatever is in front of the first one, behind the last one, or in neither is off.
fn on(mask: &Mask) -> Vec<usize> {
    let mut lanes = Vec::new();
    let all = mask.try_each::<()>(|lane| {
        lanes.push(lane);
        Ok(())
    });
    assert_eq!(all, Ok(()));
    lanes
}

#[test]
fn masks_are_empty_where_no_lane_takes_part() {
    const LANES: usize = 21;
    let columns = [
        1u32,
        0b10_0000_0001,
        0x1f_ffff,
        0x10_0001,
        0,
        0b1110,
        0x1f_fff7,
    ];
    let columns =
        columns.map(|bits| -> Vec<bool> { (0..LANES).map(|n| bits >> n & 1 == 1).collect() });
    let mut whole = Mask::new(LANES);
    whole.first(LANES);
    for column in &columns {
        let (mut some, mut part) = (Mask::new(LANES), Mask::new(LANES));
        for wanted in [true, false] {
            some.set_where(&whole, column, wanted);
            let chosen: Vec<usize> = (0..LANES).filter(|n| column[*n] == wanted).collect();
            assert_eq!(
                (on(&some), some.is_empty()),
                (chosen.clone(), chosen.is_empty())
            );
            for (start, end) in
                (0..LANES + 3).flat_map(|start| (0..LANES + 3).map(move |end| (start, end)))
            {
                for inside in [true, false] {
                    part.set_range(&some, start..end, inside);
                    let keep = |n: &usize| (start..end).contains(n) == inside;
                    let left: Vec<usize> = chosen.iter().copied().filter(keep).collect();
                    assert_eq!(
                        (on(&part), part.is_empty()),
                        (left.clone(), left.is_empty())
                    );
                    part.end_at(7);
                    let left: Vec<usize> = left.into_iter().filter(|n| *n < 7).collect();
                    assert_eq!(
                        (on(&part), part.is_empty()),
                        (left.clone(), left.is_empty())
                    );
                }
            }
        }
    }
}
