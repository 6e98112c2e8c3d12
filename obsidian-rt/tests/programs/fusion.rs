//! Operators that are left, launches above 8,192 elements, and bytes of temporaries, beside the operators that Accelerate leaves.

use obsidian_rt::arrays::*;
use obsidian_rt::language::{EF32, EU32, lit, select};

/// The bytes of a row's parts, for 2^20 elements.
const PARTS: u64 = 256 * 4;

/// The operators that are left, the launches, and the bytes of temporaries for some numbers; the text of all kernels.
fn counts<P: ArrayParameters, R: RunResult>(
    program: &ArrayProgram<P, R>,
    numbers: &[u64],
) -> (usize, usize, u64) {
    let schedule = program.schedule();
    let numbers: Vec<Option<u64>> = numbers.iter().copied().map(Some).collect();
    let bytes = schedule.temporary_bytes(&numbers).unwrap();
    (schedule.operators(), schedule.launches(), bytes)
}

fn texts<P: ArrayParameters, R: RunResult>(program: &ArrayProgram<P, R>) -> String {
    program
        .kernels()
        .iter()
        .map(|kernel| kernel.cuda())
        .collect()
}

const N: u64 = 1 << 20;

/// Accelerate: 1.
#[test]
fn dotp() {
    let program = ArrayProgram::build("dotp", |xs: Arr1<EF32>, ys: Arr1<EF32>| {
        zip_with(|x, y| x * y, xs, ys).fold(|a, b| a + b, lit(0.0f32))
    });
    assert_eq!(counts(&program.unwrap(), &[N, N]), (1, 1, PARTS));
}

/// Accelerate: 1.
#[test]
fn reverse_map() {
    let program = ArrayProgram::build("reverse_map", |xs: Arr1<EU32>| xs.map(|x| x + 1).reverse());
    assert_eq!(counts(&program.unwrap(), &[N]), (1, 1, 0));
}

/// Accelerate: 1.
#[test]
fn map_of_a_let() {
    let program = ArrayProgram::build("map_let", |xs: Arr1<EF32>, ys: Arr1<EF32>| {
        let v = zip_with(|x, y| x.exp() + y, xs, ys);
        zip_with(|a, b| a * b, v.clone(), v).map(|x| x + 1.0)
    });
    let program = program.unwrap();
    assert_eq!(counts(&program, &[N, N]), (1, 1, 0));
}

/// Accelerate: 2.
#[test]
fn map_of_fold() {
    let program = ArrayProgram::build("map_fold", |m: Arr2<EF32>| {
        m.fold(|a, b| a + b, lit(0.0f32)).map(|x| x * 2.0)
    });
    assert_eq!(counts(&program.unwrap(), &[1024, 1024]), (1, 2, 0));
}

/// Accelerate: 3.
#[test]
fn map_and_fold_of_one_producer() {
    let program = ArrayProgram::build("map_and_fold", |xs: Arr1<EF32>| {
        let ys = xs.map(|x| x.exp());
        (ys.map(|y| y + 1.0), ys.fold(|a, b| a + b, lit(0.0f32)))
    });
    let program = program.unwrap();
    assert_eq!(counts(&program, &[N]), (1, 1, PARTS));
}

/// Accelerate: 2.
#[test]
fn max_sum() {
    let program = ArrayProgram::build("max_sum", |xs: Arr1<EF32>| (xs.max(), xs.sum()));
    assert_eq!(counts(&program.unwrap(), &[N]), (1, 1, 2 * PARTS));
}

fn mvm(m: Arr2<EF32>, v: Arr1<EF32>) -> Arr1<EF32> {
    let (height, _) = m.shape();
    zip_with(|a, b| a * b, m, v.replicate(height)).fold(|a, b| a + b, lit(0.0f32))
}

/// Accelerate: 1, and 2 with a map behind it.
#[test]
fn matrix_times_vector() {
    let program = ArrayProgram::build("mvm", mvm).unwrap();
    assert_eq!(counts(&program, &[1024, 1024, 1024]), (1, 2, 0));
    let behind = |m: Arr2<EF32>, v: Arr1<EF32>| mvm(m, v).map(|x| x + 0.5);
    let program = ArrayProgram::build("map_mvm", behind).unwrap();
    assert_eq!(counts(&program, &[1024, 1024, 1024]), (1, 2, 0));
    // What the pieces of long rows give: 17 of each of three rows.
    assert_eq!(counts(&program, &[3, 65_537, 65_537]), (1, 2, 204));
    let launches = |width| {
        let numbers = [Some(3), Some(width), Some(width)];
        program.schedule().launches_for(&numbers)
    };
    assert_eq!(
        [0, 32, 33, 8192, 8193].map(launches),
        [1, 1, 1, 1, 2].map(Some)
    );
    // How long rows of what is left of an array are, is known when the program has run.
    let late = ArrayProgram::build("late", |xs: Arr1<EU32>| {
        xs.filter(|x| x.gt(lit(0u32))).replicate(3).sum()
    });
    let (late, numbers) = (late.unwrap(), [Some(70_000)]);
    assert_eq!(late.schedule().launches_for(&numbers), None);
    assert_eq!(late.schedule().temporary_bytes(&numbers), None);
}

type Body = (EF32, EF32, EF32, EF32);

fn n_body(bodies: Arr1<Body>) -> Arr1<(EF32, EF32, EF32)> {
    let n = bodies.len();
    let forces = zip_with(
        |(x, y, z, _): Body, (a, b, c, mass): Body| {
            let (dx, dy, dz) = (a - x, b - y, c - z);
            let square = dx * dx + dy * dy + dz * dz + 0.01;
            let root = square.sqrt();
            let force = mass / (square * root);
            (dx * force, dy * force, dz * force)
        },
        bodies.replicate_inner(n),
        bodies.replicate(n),
    );
    let zero = (lit(0.0f32), lit(0.0f32), lit(0.0f32));
    forces.fold(|(a, b, c), (x, y, z)| (a + x, b + y, c + z), zero)
}

/// Accelerate: 1; no array of n^2 elements.
#[test]
fn n_body_naive() {
    let program = ArrayProgram::build("n_body", n_body).unwrap();
    assert_eq!(counts(&program, &[4096]), (1, 2, 0));
}

/// Accelerate: 1 for three steps.
#[test]
fn mandelbrot() {
    let program = ArrayProgram::build("mandelbrot", |re: Arr1<EF32>, im: Arr1<EF32>| {
        let mut state = zip_with(|x, y| (x, y, x, y, lit(0u32)), re, im);
        for _ in 0..3 {
            state = state.map(|(x, y, cx, cy, n)| {
                let (xx, yy) = (x * x, y * y);
                let inside = (xx + yy).lt(lit(4.0f32));
                (
                    select(inside, xx - yy + cx, x),
                    select(inside, x * y * 2.0 + cy, y),
                    cx,
                    cy,
                    select(inside, n + 1, n),
                )
            });
        }
        state.map(|(_, _, _, _, n)| n)
    });
    assert_eq!(counts(&program.unwrap(), &[N, N]), (1, 1, 0));
}

fn cnd(d: EF32) -> EF32 {
    let k = lit(1.0f32) / (d.abs() * 0.231_641_9 + 1.0);
    let poly = ((((k * 1.330_274_4 - 1.821_255_9) * k + 1.781_477_9) * k - 0.356_563_78) * k
        + 0.319_381_54)
        * k;
    let tail = poly * 0.398_942_3 * (d * d * -0.5).exp();
    select(d.gt(lit(0.0f32)), lit(1.0f32) - tail, tail)
}

fn call_and_put((price, strike, years): (EF32, EF32, EF32)) -> (EF32, EF32) {
    let (rate, volatility) = (0.02f32, 0.3f32);
    let d1 = |(s, x, t): (EF32, EF32, EF32)| {
        ((s / x).ln() + t * (rate + 0.5 * volatility * volatility)) / (t.sqrt() * volatility)
    };
    let d2 = |o: (EF32, EF32, EF32)| d1(o) - o.2.sqrt() * volatility;
    let option = (price, strike, years);
    let discounted = |(_, x, t): (EF32, EF32, EF32)| x * (t * -rate).exp();
    let call = price * cnd(d1(option)) - discounted(option) * cnd(d2(option));
    let put = discounted(option) * (lit(1.0f32) - cnd(d2(option)))
        - price * (lit(1.0f32) - cnd(d1(option)));
    (call, put)
}

/// Accelerate: 1, with 1 log, 1 sqrt and 3 exp; written without sharing.
#[test]
fn black_scholes() {
    let program = ArrayProgram::build("black_scholes", |options: Arr1<(EF32, EF32, EF32)>| {
        options.map(call_and_put)
    });
    let program = program.unwrap();
    assert_eq!(counts(&program, &[N]), (1, 1, 0));
    let text = texts(&program);
    // The kernel is there for wide accesses, for single ones, and for what is left behind whole blocks.
    let copies = 3;
    let count = |name: &str| text.matches(name).count();
    assert_eq!(
        (count("logf("), count("sqrtf("), count("expf(")),
        (copies, copies, 3 * copies)
    );
}

/// A row is one launch; kernels that differ in their names alone are one.
#[test]
fn short_rows_and_equal_kernels() {
    let program = ArrayProgram::build("two", |xs: Arr1<EU32>, ys: Arr1<EU32>| {
        let first = xs.sum();
        (ys.map(move |y| y + first.the()).sum(), xs.max())
    });
    let program = program.unwrap();
    let schedule = program.schedule();
    assert_eq!(schedule.launches(), 2);
    assert_eq!(schedule.launches_for(&[Some(8192), Some(5)]), Some(2));
    assert_eq!(schedule.launches_for(&[Some(8193), Some(5)]), Some(2));
    // Sum and maximum of `xs` are one kernel, and the sum of `ys` is another: one for short rows, and one for others.
    assert_eq!(program.kernels().len(), 4);
    let program = ArrayProgram::build("equal", |xs: Arr1<EU32>| {
        let first = xs.compute();
        let second = first.rotate(3).compute();
        (
            second.reverse().compute().rotate(3).compute(),
            xs.map(|x| x + 1).compute(),
        )
    });
    let program = program.unwrap();
    assert!(program.kernels().len() < program.schedule().launches());
}

/// What shares nothing but an array that is given is one pass over it.
#[test]
fn a_map_beside_a_fold_of_an_input() {
    let program = ArrayProgram::build("beside", |xs: Arr1<EF32>| (xs.map(|x| x + 1.0), xs.sum()));
    assert_eq!(counts(&program.unwrap(), &[N]), (1, 1, PARTS));
    let program = ArrayProgram::build("maps", |xs: Arr1<EF32>| {
        (xs.map(|x| x + 1.0), xs.map(|x| x * 2.0))
    });
    assert_eq!(counts(&program.unwrap(), &[N]), (1, 1, 0));
}
