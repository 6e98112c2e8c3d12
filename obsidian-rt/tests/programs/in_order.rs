//! Folds and scans in one order, by functions that are not associative, beside plain Rust.

use obsidian_executor::Executor;
use obsidian_rt::arrays::*;
use obsidian_rt::language::{EBool, EF64, EI32, EU32, lit, select};
use obsidian_rt::{Device, ScalarType};

use super::random::Numbers;

/// The CPU, the simulator, and the text as C++ where there is a compiler.
pub(super) fn devices() -> Vec<Device> {
    let executed = Executor::find().map(|executor| executor.device());
    [Some(Device::cpu()), Some(Device::simulator()), executed]
        .into_iter()
        .flatten()
        .collect()
}

const SHAPES: [[usize; 2]; 9] = [
    [0, 5],
    [5, 0],
    [1, 1],
    [2, 7],
    [37, 8],
    [3, 33],
    [300, 3],
    [1, 5003],
    [70, 129],
];

fn rows(shape: [usize; 2], x: &[i32]) -> Vec<&[i32]> {
    match shape[1] {
        0 => vec![&[]; shape[0]],
        width => x.chunks(width).collect(),
    }
}

fn drawn(seed: u64, shape: [usize; 2]) -> Vec<i32> {
    let mut numbers = Numbers(seed);
    let one = |_| numbers.below(2001) as i32 - 1000;
    (0..shape[0] * shape[1]).map(one).collect()
}

fn ahead(a: i32, x: i32) -> i32 {
    a.wrapping_mul(3).wrapping_sub(x)
}

#[test]
fn folds_go_from_the_first_and_from_the_last() {
    let program = ArrayProgram::build("folds", |x: Arr2<EI32>| {
        let left = x.fold_in_order(|a, x| a * 3 - x, lit(5));
        let right = x.fold_right(|x, a| a * 3 - x, lit(5));
        let divided = x.fold_right(|x, a: EF64| x.cast::<f64>() / a, lit(2.0));
        let minus = x.fold_right(|x, a| x - a, lit(0));
        (left, right, divided, (minus, x.alternating_sum()))
    })
    .unwrap();
    for device in devices() {
        for shape in SHAPES {
            let x = drawn(7, shape);
            let (left, right, divided, (minus, alternating)) = program
                .run(&device, &device.array(shape, &x).unwrap())
                .unwrap();
            let rows = rows(shape, &x);
            let of = |f: &dyn Fn(&[i32]) -> i32| rows.iter().map(|r| f(r)).collect::<Vec<_>>();
            let wanted = of(&|r| r.iter().fold(5, |a, x| ahead(a, *x)));
            assert_eq!(left.to_vec().unwrap(), wanted, "{shape:?}");
            let wanted = of(&|r| r.iter().rev().fold(5, |a, x| ahead(a, *x)));
            assert_eq!(right.to_vec().unwrap(), wanted, "{shape:?}");
            let wanted = of(&|r| r.iter().rev().fold(0, |a, x| x.wrapping_sub(a)));
            assert_eq!(minus.to_vec().unwrap(), wanted, "{shape:?}");
            assert_eq!(alternating.to_vec().unwrap(), wanted, "{shape:?}");
            let divided = divided.to_vec().unwrap();
            for (row, own) in rows.iter().zip(divided) {
                let wanted = row.iter().rev().fold(2.0, |a, x| f64::from(*x) / a);
                assert_eq!(own.to_bits(), wanted.to_bits(), "{shape:?}");
            }
        }
    }
}

#[test]
fn scans_in_order_carry_states_of_another_type() {
    let program = ArrayProgram::build("scans", |x: Arr2<EI32>| {
        let states = x.scan_in_order(|a, x| a * 3 - x, lit(5));
        // The longest run of growing elements so far: its length, the element before, and whether there was one.
        let runs = x.scan_in_order(
            |(length, before, any): (EU32, EF64, EBool), x| {
                let own = x.cast::<f64>();
                let longer = any & before.lt(own);
                (select(longer, length + 1, lit(1u32)), own, lit(true))
            },
            (lit(0u32), lit(0.0), lit(false)),
        );
        (states, runs.map(|(length, _, _)| length))
    })
    .unwrap();
    assert_eq!(program.schedule().operators(), 1, "{}", program.schedule());
    for device in devices() {
        for shape in SHAPES {
            let x = drawn(8, shape);
            let array = device.array(shape, &x).unwrap();
            let (states, runs) = program.run(&device, &array).unwrap();
            let (mut wanted, mut lengths) = (Vec::new(), Vec::new());
            for row in rows(shape, &x) {
                let (mut state, mut length) = (5, 0);
                for (i, x) in row.iter().enumerate() {
                    state = ahead(state, *x);
                    length = match i > 0 && row[i - 1] < *x {
                        true => length + 1,
                        false => 1,
                    };
                    wanted.push(state);
                    lengths.push(length);
                }
            }
            assert_eq!(states.to_vec().unwrap(), wanted, "{shape:?}");
            assert_eq!(runs.to_vec().unwrap(), lengths, "{shape:?}");
        }
    }
}

/// What a fold in order is read for is computed once, and what reads it stands beside it where it can.
#[test]
fn a_fold_in_order_that_all_elements_read_is_stored() {
    let program = ArrayProgram::build("stored", |x: Arr1<EF64>| {
        let norm = x.fold_in_order(|a, x| a * 0.5 + x, lit(0.0));
        x.map(move |x| x / norm.the())
    })
    .unwrap();
    assert_eq!(program.schedule().operators(), 2, "{}", program.schedule());
    let device = Device::cpu();
    let x = device.array([3], &[1.0, 2.0, 3.0]).unwrap();
    let result = program.run(&device, &x).unwrap();
    assert_eq!(
        result.to_vec().unwrap(),
        [1.0 / 4.25, 2.0 / 4.25, 3.0 / 4.25]
    );
}

/// Operators that read arrays and loop, and results of other types than they begin with in programs of any type.
#[test]
fn operators_may_do_anything() {
    let program = ArrayProgram::build("anything", |x: Arr1<EU32>, table: Arr1<EU32>| {
        let n = table.len();
        let walked = x.fold_in_order(move |at, x| table.at((at + x) % n), lit(0));
        let gcd = x.fold_right(
            |x, a| {
                obsidian_rt::language::seq_until(
                    |(a, b): (EU32, EU32)| (b, a % b),
                    |(_, b)| b.ne(0u32),
                    (a, x),
                )
                .map(|(a, _)| a)
            },
            lit(0),
        );
        (walked, gcd)
    })
    .unwrap();
    for device in devices() {
        let x = device.array([4], &[12, 18, 30, 600]).unwrap();
        let table = device.array([5], &[3, 1, 4, 0, 2]).unwrap();
        let (walked, gcd) = program.run(&device, (&x, &table)).unwrap();
        let table = [3u32, 1, 4, 0, 2];
        let wanted = [12u32, 18, 30, 600]
            .iter()
            .fold(0, |at, x| table[((at + x) % 5) as usize]);
        assert_eq!(walked.value().unwrap(), wanted);
        assert_eq!(gcd.value().unwrap(), 6);
    }
    let wrong = AnyProgram::build("wrong", |inputs| {
        let x = inputs.array(1, &[ScalarType::F32]);
        vec![x.fold_right(|x, _| x, AnyElement::of(lit(0.5f64)))]
    });
    let wrong = wrong.unwrap_err().to_string();
    assert!(wrong.contains("puts elements of"), "{wrong}");
}
