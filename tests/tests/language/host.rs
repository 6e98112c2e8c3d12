//! The host's part of the language: what runs while a kernel is built, as a user writes it.
//!
//! Every kernel is a fact: native build and expansion give one CUDA text, and every device gives
//! the reference's result.
// References are written as the kernels are.
#![allow(clippy::precedence, clippy::nonminimal_bool)]

use obsidian_rt::prelude::*;
use obsidian_tests::fact;

/// Functions, recursion, closures and loops.
#[kernels]
mod functions {
    const PIECE: u32 = 64;
    const STEPS: [u32; 3] = [1, 2, 4];
    const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];
    const TWICE: bool = true;
    const SHIFT: u32 = STEPS[1] + 1;

    fn double(x: EU32) -> EU32 {
        x + x
    }

    /// Runs a function of an array on every piece of the input.
    fn pieces(input: DPull<EU32>, f: impl Fn(Pull<EU32>) -> Pull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(PIECE).as_grid_map(|chunk| f(chunk).push())
    }

    #[kernel]
    pub fn a_function_as_a_value(input: DPull<EU32>) -> DPush<Grid, EU32> {
        pieces(input, |chunk| chunk.map(double))
    }

    #[kernel]
    pub fn a_closure_that_captures(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let offset = 7;
        let add = |x| x + offset;
        let twice = |x| add(add(x));
        pieces(input, |chunk| chunk.map(twice))
    }

    fn all_of(fs: Vec<Fun<EU32, EU32>>, arr: Pull<EU32>) -> Pull<EU32> {
        if fs.is_empty() {
            return arr;
        }
        let first = fs[0].clone();
        all_of(fs[1..].to_vec(), arr.map(first))
    }

    #[kernel]
    pub fn a_recursion_over_closures(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let mut fs = vec![fun(|x| x + 1), fun(|x| x * 3)];
        for n in 2..5u32 {
            fs.push(fun(move |x| x ^ n));
        }
        fs.swap(0, 1);
        pieces(input, |chunk| all_of(fs, chunk))
    }

    fn iterate(f: Fun<EU32, EU32>, n: u32, x: EU32) -> EU32 {
        match n {
            0 => x,
            n if n % 2 == 0 => iterate(fun(|x| f(f(x))), n / 2, x),
            _ => f(iterate(f, n - 1, x)),
        }
    }

    #[kernel]
    pub fn a_recursion_that_wraps_its_closure(input: DPull<EU32>) -> DPush<Grid, EU32> {
        pieces(input, |chunk| {
            chunk.map(|x| iterate(fun(|x| x * 3 + 1), 6, x))
        })
    }

    fn sum_of(fs: Vec<impl Fn(EU32) -> EU32>, x: EU32) -> EU32 {
        fs.into_iter().map(|f| f(x)).sum()
    }

    #[kernel]
    pub fn closures_of_one_expression_in_a_vec(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let fs: Vec<_> = (1..=3).map(|n| move |x: EU32| x << n).collect();
        pieces(input, |chunk| chunk.map(|x| sum_of(fs, x)))
    }

    fn compose<A: Data, B: Data, C: Data>(
        f: impl Fn(A) -> B,
        g: impl Fn(B) -> C,
    ) -> impl Fn(A) -> C {
        move |x| g(f(x))
    }

    #[kernel]
    pub fn a_function_that_gives_a_closure(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let f = compose(compose(double, |x| x as f32 * 0.5), |y| y as u32 + 3);
        pieces(input, |chunk| chunk.map(f))
    }

    fn largest<T: Number>(a: Exp<T>, b: Exp<T>) -> Exp<T> {
        select(a < b, b, a)
    }

    fn reduce_with<F>(f: F, arr: Pull<EU32>) -> EU32
    where
        F: Fn(EU32, EU32) -> EU32,
    {
        let mut sum = arr[0];
        for i in 1..arr.len() {
            sum = f(sum, arr[i]);
        }
        sum
    }

    #[kernel]
    pub fn a_generic_function_with_a_where_clause(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(4)
            .as_grid_map(|chunk| singleton(reduce_with(largest, chunk)).push())
    }

    #[kernel]
    pub fn constants_of_the_host(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let more = if TWICE { STEPS[2] } else { 0 };
        pieces(input, |chunk| {
            chunk.map(|x| (x << SHIFT) + more + STEPS.len() as u32)
        })
    }

    #[kernel]
    pub fn a_table_of_weights(input: DPull<EF32>) -> DPush<Grid, EF32> {
        input.split_up(3).as_grid_map(|chunk| {
            let mut sum = lit(0.0f32);
            for (i, weight) in WEIGHTS.iter().enumerate() {
                sum += chunk[i as u32] * *weight;
            }
            singleton(sum).push()
        })
    }

    #[kernel]
    pub fn host_arithmetic(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let n = 10u32;
        let a = (n.pow(2) - 1) / 7 % 5 + n.ilog2() * 2;
        let b = n.next_power_of_two().max(3).min(12) << 1;
        let c = !0u32 >> 28 & 0b1010 | 1;
        let d = (a as i32 - 20).abs() as u32;
        let e = u32::MAX - (i32::MAX as u32) * 2;
        pieces(input, |chunk| chunk.map(|x| x * a + b - c * d + e))
    }

    #[kernel]
    pub fn device_and_host_operands(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let k: u32 = 5;
        pieces(input, |chunk| {
            chunk.map(|x| {
                let y = 2 * x + k - (x >> 1);
                let z = (1u32 + y) % 100 ^ (x | 3) & !y;
                z.min(50).max(3) + y.clamp(1, 9)
            })
        })
    }

    #[kernel]
    pub fn references_where_rust_has_them(input: DPull<EU32>) -> DPush<Grid, EU32> {
        fn_of_reference_module(input)
    }

    fn total(v: &Vec<EU32>) -> EU32 {
        let mut sum = v[0];
        for x in v.iter().skip(1) {
            sum = sum + x;
        }
        if v.len() > 2 { sum + v[2] } else { sum }
    }

    fn total_of(v: &Vec<EU32>) -> EU32 {
        total(v) + total(&v[1..].to_vec())
    }

    fn fn_of_reference_module(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(4).as_grid_map(|chunk| {
            let v: Vec<EU32> = (0..4).map(|i| chunk.at(i)).collect();
            singleton(total_of(&v)).push()
        })
    }
}

fn per_element(x: Vec<u32>, f: impl Fn(u32) -> u32) -> Vec<u32> {
    x.into_iter().map(f).collect()
}

fn iterate(x: u32, n: u32) -> u32 {
    (0..n).fold(x, |x, _| x.wrapping_mul(3).wrapping_add(1))
}

fact!(functions_are_values: functions::a_function_as_a_value[64](x: u32) == per_element(x, |x| x * 2));
fact!(closures_capture: functions::a_closure_that_captures[64](x: u32) == per_element(x, |x| x + 14));
fact!(closures_stand_in_a_vec: functions::a_recursion_over_closures[64](x: u32) == per_element(x, |x| (x * 3 + 1) ^ 2 ^ 3 ^ 4));
fact!(closures_wrap_closures: functions::a_recursion_that_wraps_its_closure[64](x: u32) == per_element(x, |x| iterate(x, 6)));
fact!(closures_of_one_type: functions::closures_of_one_expression_in_a_vec[64](x: u32) == per_element(x, |x| x * 14));
fact!(functions_give_closures: functions::a_function_that_gives_a_closure[64](x: u32) == per_element(x, |x| x + 3));
fact!(generics_compare: functions::a_generic_function_with_a_where_clause[4](x: u32) == x.chunks(4).map(|c| *c.iter().max().unwrap()).collect::<Vec<u32>>());
fact!(constants_are_known: functions::constants_of_the_host[64](x: u32) == per_element(x, |x| (x << 3) + 7));
fact!(tables_are_known: functions::a_table_of_weights[3](x: f32) == x.chunks(3).map(|c| c[0] * 0.25 + c[1] * 0.5 + c[2] * 0.25).collect::<Vec<f32>>());
fact!(the_host_calculates: functions::host_arithmetic[64](x: u32) == per_element(x, |x| (x * 10).wrapping_add(24 + 1).wrapping_sub(11 * 10)));
fact!(host_and_device_mix: functions::device_and_host_operands[64](x: u32) == per_element(x, |x| {
    let y = 2 * x + 5 - (x >> 1);
    let z = (1 + y) % 100 ^ (x | 3) & !y;
    z.clamp(3, 50).max(3) + y.clamp(1, 9)
}));
fact!(references_are_passed_on: functions::references_where_rust_has_them[4](x: u32) == x.chunks(4).map(|c| c[0] + 2 * c[1] + 3 * c[2] + 3 * c[3]).collect::<Vec<u32>>());
