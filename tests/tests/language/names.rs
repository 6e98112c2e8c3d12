//! Names: of the standard library, of the language, of what stands inside of functions, and of loops.

#![allow(missing_docs)]

use obsidian_rt::prelude::*;
use obsidian_tests::fact;
use obsidian_tests::fuzz::verdict::{Answer, judge, refusals};

#[kernels]
mod m {
    use core::f64::consts;
    use std::f32::consts::{FRAC_PI_2 as QUARTER, PI};

    const TURN: f32 = 2.0 * PI;

    #[kernel]
    pub fn of_modules(x: DPull<EF32>) -> DPush<Grid, (EF32, EF64)> {
        x.split_up(8).as_grid_map(|c| {
            c.map(|x| (x * PI + TURN - QUARTER, x as f64 * consts::E))
                .push()
        })
    }

    #[kernel]
    pub fn of_functions(x: DPull<EF32>) -> DPush<Grid, EF32> {
        use std::f32::consts::LN_2;
        type Piece = Pull<EF32>;
        type Pair = (EF32, Number);
        type Number = EF32;
        const SIZE: u32 = HALF * 2;
        const HALF: u32 = 4;
        let split = |c: Piece| {
            const HALF: f32 = 0.5;
            c.map(|x| {
                let pair: Pair = (x * HALF, 1.0);
                pair.0 + pair.1 * LN_2
            })
        };
        x.split_up(SIZE).as_grid_map(|c| split(c).push())
    }

    #[device]
    fn of_device(x: f32, n: u32) -> f32 {
        use std::f32::consts::TAU;
        type Pair = (f32, f32);
        const STEP: f32 = 0.25;
        let (mut a, mut b): Pair = (0.0, x);
        let mut k = [0u32, 1];
        for _ in 0..n {
            const ONE: u32 = 1;
            (a, b) = (b, a + b * STEP);
            ((k[0], _), k[1]) = ((k[1], 7u32), k[0] + ONE);
        }
        a * PI + b * TAU + k[0] as f32
    }

    #[kernel]
    pub fn devices(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(8)
            .as_grid_map(|c| c.as_block_map(|x| exec_thread_value(of_device(x, 5))))
    }

    #[kernel]
    pub fn labels(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let mut count = 0u32;
        'rows: for i in 0..10u32 {
            for j in 0..10u32 {
                if j == 7 {
                    continue 'rows;
                }
                if i * j > 30 {
                    break 'rows;
                }
                count += 1;
            }
        }
        let mut n = 0u32;
        let rounds = 'outer: loop {
            while n < 100 {
                n += 3;
                if n > 50 {
                    break 'outer;
                }
            }
        };
        let _ = rounds;
        x.split_up(8)
            .as_grid_map(|c| c.map(|x| x * count + n).push())
    }

    #[kernel]
    pub fn fibonacci(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.split_up(8).as_grid_map(|c| {
            c.map(|x| {
                let (mut a, mut b) = (x, x + 1);
                let mut list = vec![x, x, x];
                let mut n = 0u32;
                for _ in 0..6 {
                    (a, b) = (b, a + b);
                    ((list[0], list[2]), _, n) = ((list[2], list[0] + n), a, n + 1);
                }
                a + list[0] * 3 + list[2]
            })
            .push()
        })
    }

    use obsidian_rt::arrays::{Ix1, Window};

    fn both(w: Window<Ix1, EI32>) -> EI32 {
        w.at(-1) + w.at(1) * 2
    }

    fn below(w: Window<Ix2, EI32>) -> EI32 {
        w.at((1, 0)) - w.at((0, 0))
    }

    #[arrays]
    pub fn neighbours(x: Arr1<EI32>, y: Arr2<EI32>) -> (Arr1<EI32>, Arr2<EI32>) {
        (x.stencil(Clamp, both), y.stencil(Constant(0), below))
    }

    fn norm<Sh: HasInner>(x: Arr<Sh, EF32>) -> Arr<Sh::Outer, EF32> {
        x.map(|x| x * x).sum()
    }

    fn filled<Sh: HasInner>(x: Arr<Sh, EF32>, value: EF32, flags: Arr<Sh, EBool>) -> Arr<Sh, EF32> {
        zip_with(|x, flag| select(flag, value, x), x, flags)
    }

    #[arrays]
    pub fn norms(x: Arr1<EF32>, y: Arr2<EF32>) -> (Arr0<EF32>, Arr1<EF32>) {
        let y = filled(y, 0.5, y.map(|y| y.lt(0.0)));
        (norm(x), norm(y))
    }
}

fn of_device(x: f32) -> f32 {
    let (mut a, mut b, mut k) = (0.0f32, x, [0u32, 1]);
    for _ in 0..5 {
        (a, b) = (b, a + b * 0.25);
        k = [k[1], k[0] + 1];
    }
    a * std::f32::consts::PI + b * std::f32::consts::TAU + k[0] as f32
}

fn labels() -> (u32, u32) {
    let mut count = 0;
    'rows: for i in 0..10 {
        for j in 0..10 {
            if j == 7 {
                continue 'rows;
            }
            if i * j > 30 {
                break 'rows;
            }
            count += 1;
        }
    }
    (count, 51)
}

fn fibonacci(x: u32) -> u32 {
    let (mut a, mut b, mut list, mut n) = (x, x + 1, [x; 3], 0);
    for _ in 0..6 {
        (a, b) = (b, a.wrapping_add(b));
        ((list[0], list[2]), n) = ((list[2], list[0].wrapping_add(n)), n + 1);
    }
    a.wrapping_add(list[0].wrapping_mul(3))
        .wrapping_add(list[2])
}

fn of_modules(x: &f32) -> (f32, f64) {
    use std::f32::consts::{FRAC_PI_2, PI};
    (
        x * PI + 2.0 * PI - FRAC_PI_2,
        f64::from(*x) * std::f64::consts::E,
    )
}

fact!(constants_of_floats_have_names: m::of_modules[8](x: f32) == x.iter().map(of_modules).unzip::<f32, f64, Vec<f32>, Vec<f64>>());
fact!(functions_have_items: m::of_functions[8](x: f32) == x.iter().map(|x| x * 0.5 + std::f32::consts::LN_2).collect::<Vec<f32>>());
fact!(device_functions_have_items: m::devices[8](x: f32) == x.iter().map(|x| of_device(*x)).collect::<Vec<f32>>());
fact!(loops_have_labels: m::labels[8](x: u32) == x.iter().map(|x| { let (count, n) = labels(); x.wrapping_mul(count).wrapping_add(n) }).collect::<Vec<u32>>());
fact!(several_variables_are_assigned: m::fibonacci[8](x: u32) == x.iter().map(|x| fibonacci(*x)).collect::<Vec<u32>>());

#[test]
fn functions_of_any_rank_and_windows_have_names() -> obsidian_rt::Result<()> {
    for (words, device) in obsidian_tests::devices() {
        let x = device.array([3], &[1.0f32, 2.0, 3.0])?;
        let y = device.array([2, 2], &[-1.0f32, 2.0, 3.0, -4.0])?;
        let (norm, norms) = m::norms::run(&device, &x, &y)?;
        assert_eq!(norm.value()?, 14.0, "{words}");
        assert_eq!(norms.to_vec()?, [4.25, 9.25], "{words}");
        let x = device.array([3], &[1i32, 2, 3])?;
        let y = device.array([2, 2], &[5i32, 6, 8, 10])?;
        let (both, below) = m::neighbours::run(&device, &x, &y)?;
        assert_eq!(both.to_vec()?, [1 + 4, 1 + 6, 2 + 6], "{words}");
        assert_eq!(below.to_vec()?, [3, 4, -8, -10], "{words}");
    }
    Ok(())
}

/// Kernel language that is refused: what stands in a module, what in the closure of a map, and the message.
const WRONG: &[(&str, &str, &str)] = &[
    (
        "use std::f32::consts::PIE;",
        "x",
        "no function or constant `PIE`",
    ),
    (
        "use std::collections::HashMap;",
        "x",
        "`use` of the standard library is not supported",
    ),
    (
        "use obsidian_rt::arrays::Window as W;",
        "x",
        "another name for a name of the language is not supported",
    ),
    (
        "use obsidian_rt::Device;",
        "x",
        "`use` of what is no part of the language is not supported",
    ),
    (
        "",
        "{ use std::f32::consts::PIE; x }",
        "no function or constant `PIE`",
    ),
    (
        "",
        "{ use super::other::f; x }",
        "`use` of another kernels module inside of a function is not supported",
    ),
    (
        "",
        "{ fn f() {} x }",
        "a function inside of a function is not supported",
    ),
    (
        "",
        "{ type P<T> = (T, T); x }",
        "a name of a type with parameters is not supported",
    ),
    ("", "{ for i in 0..3 { break 'out; } x }", "`'out`"),
    (
        "",
        "{ 'a: for i in 0..3 { let f = || { for j in 0..3 { break 'a; } 1 }; } x }",
        "`'a`",
    ),
    (
        "",
        "{ 'a: { break 'a; } x }",
        "a label of a block is not supported",
    ),
    (
        "",
        "{ let (mut a, mut b) = (x, x); (a, b) = (x, x, x); a + b }",
        "a tuple of 2",
    ),
    ("", "{ const N: u32 = 3; let n = 0u32; x + M }", "M"),
];

#[test]
fn other_names_are_refused() {
    for (items, code, words) in WRONG {
        let text = format!(
            "pub mod m {{ {items} #[kernel] pub fn k(x: DPull<EF32>) -> DPush<Grid, EF32> {{ x.split_up(64).as_grid_map(|c| c.map(|x| {code}).push()) }} }}"
        );
        let list = refusals(&text);
        assert!(
            list.len() == 1 && list[0].contains(words),
            "{items}{code}: {list:?}"
        );
    }
}

/// `?` in a program that is run in each round would be run once.
#[test]
fn a_question_mark_in_a_program_of_a_loop_is_an_error() {
    let kernel = |code: &str| {
        format!(
            "pub mod m {{ fn halve(m: MShared<EU32>) -> Program<Thread, ()> {{ let x = m.read(0)?; m.write(0, x / 2) }} \
             fn all(c: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {{ let m = to_mutable(c)?; {code}?; pure(m.push()) }} \
             #[kernel] pub fn k(x: DPull<EU32>) -> DPush<Grid, EU32> {{ x.split_up(8).as_grid_map(|c| exec_block(all(c))) }} }}"
        )
    };
    let condition = "m.read(0).map(|x| x > 1)";
    for code in [
        format!(
            "single_thread(seq_while({condition}, {{ let x = m.read(0)?; m.write(0, x / 2) }}))"
        ),
        format!("single_thread(seq_while({condition}, m.write(0, m.read(0)? / 2)))"),
        "single_thread(seq_while(pure(m.read(0)? > 1), halve(m)))".to_owned(),
        "single_thread(cond(c[0] > 3, { m.write(0, 1)?; m.write(1, 2) }, pure(())))".to_owned(),
    ] {
        let list = refusals(&kernel(&code));
        assert!(
            list.len() == 1 && list[0].contains("[runs-once]"),
            "{code}: {list:?}"
        );
    }
    for code in [
        format!("single_thread(seq_while({condition}, halve(m)))"),
        format!(
            "{{ let step = || {{ let x = m.read(0)?; m.write(0, x / 2) }}; single_thread(seq_while({condition}, step())) }}"
        ),
        format!(
            "single_thread(seq_while({condition}, (|| {{ let x = m.read(0)?; m.write(0, x / 2) }})()))"
        ),
    ] {
        let answer = judge(&kernel(&code));
        assert_eq!(answer, Ok(Answer::Code), "{code}");
    }
}
