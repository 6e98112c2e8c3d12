//! The front end from text to kernel: what the evaluator alone decides.

use std::sync::Arc;

use obsidian_core::lower::strip;
use obsidian_front::evaluate::{STACK, evaluate};
use obsidian_front::read_module;

/// The last function of a module as a kernel, or the messages.
fn kernel(text: &str) -> Result<String, String> {
    let text = text.to_owned();
    let work = move || {
        let file: syn::File = syn::parse_str(&text).map_err(|e| e.to_string())?;
        let reading = read_module(&file.items);
        if let Some(mistakes) = reading.mistakes {
            return Err(mistakes.to_string());
        }
        let last = reading.module.functions.len() as u32 - 1;
        let reified = evaluate(&Arc::new(reading.module), last)
            .result
            .map_err(|e| e.to_string())?;
        strip(reified)
            .map(|k| k.to_string())
            .map_err(|e| e.to_string())
    };
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap()
}

/// A kernel that adds a host value to every element, after some statements and beside some
/// functions.
fn adding(functions: &str, statements: &str, value: &str) -> Result<String, String> {
    kernel(&format!(
        "{functions}
         #[kernel]
         fn adding(input: DPull<EU32>) -> DPush<Grid, EU32> {{
             {statements}
             input.split_up(8).as_grid_map(|chunk| chunk.map(|x| x + ({value})).push())
         }}"
    ))
}

/// The message for a host value, computed by some statements.
fn mistake(statements: &str, value: &str) -> String {
    adding("", statements, value).expect_err("this is a mistake")
}

#[track_caller]
fn says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

/// Do two ways of writing a value give one kernel?
#[track_caller]
fn same(statements: &str, value: &str, plain: &str) {
    assert_eq!(
        adding("", statements, value),
        adding("", "", plain),
        "{statements} {value}"
    );
}

const SUMS: &str = "
    pub fn reduce<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a, b) = arr.halve();
        let arr = compute(zip_with(f, a, b))?;
        reduce(f, arr)
    }
    #[kernel(threads = 64)]
    pub fn reductions(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(512).as_grid_map(|chunk| exec_block(reduce(|a, b| a + b, chunk)))
    }";

#[test]
fn the_first_example_becomes_a_kernel() {
    let text = kernel(SUMS).unwrap();
    assert_eq!(text.matches("wait").count(), 9, "{text}");
}

#[test]
fn a_recursion_without_end_is_a_limit() {
    let message = adding("fn deep(n: u32) -> u32 { deep(n + 1) }", "", "deep(0)").unwrap_err();
    says(
        &message,
        &["the recursion of `deep` does not end", "400 calls deep"],
    );
}

#[test]
fn a_recursion_of_programs_without_end_is_a_limit() {
    let message = kernel(
        "fn again(arr: Pull<EU32>) -> Program<Block, Push<Block, EU32>> { let arr = compute(arr)?; again(arr) }
         #[kernel] fn k(input: DPull<EU32>) -> DPush<Grid, EU32> { input.split_up(8).as_grid_map(|chunk| exec_block(again(chunk))) }",
    );
    says(
        &message.unwrap_err(),
        &["the recursion of `again` does not end"],
    );
}

#[test]
fn a_loop_without_end_is_a_limit() {
    for endless in [
        "loop {}",
        "for i in 0.. {}",
        "for i in 0..100_000_000_000_u64 {}",
    ] {
        says(&mistake(endless, "0"), &["more than 1,000,000 steps"]);
    }
}

#[test]
fn a_vec_that_grows_without_end_is_a_limit() {
    says(
        &mistake("let mut v = vec![0u32]; loop { v.extend(v.clone()); }", "0"),
        &["more than 1,000,000 steps"],
    );
    says(
        &mistake("let v = vec![0u32; 4_000_000_000];", "v[0]"),
        &["more than 1,000,000 steps"],
    );
}

#[test]
fn the_host_s_overflow_is_a_mistake() {
    says(
        &mistake("let n = 4_000_000_000u32;", "n + n"),
        &["overflows u32"],
    );
    says(&mistake("let n = 3u32;", "(n - 4)"), &["overflows u32"]);
    says(
        &mistake("let n: u8 = 300;", "0"),
        &["300 is out of range for u8"],
    );
    says(
        &mistake("let n = 5u32;", "n / (n - 5)"),
        &["division by zero"],
    );
    says(
        &mistake("let n = 1u32 << 32;", "n"),
        &["a shift by 32 overflows"],
    );
    says(
        &mistake("let v = vec![1u32];", "v[1]"),
        &["index 1 is outside of a Vec of length 1"],
    );
}

#[test]
fn a_device_literal_takes_its_type_from_a_suffix_an_operand_or_a_turbofish() {
    same("let n = 5;", "n", "5u32");
    same("let n: u32 = 2;", "(n + 3)", "5u32");
    same("let n = -2i32;", "n.abs_diff(3)", "5u32");
    same(
        "let one = lit::<u32>(1); let four = lit(4u32);",
        "(one + four)",
        "5u32",
    );
    // Natively rustc infers it, from where the value is used.
    same("let n = lit(5);", "n", "5u32");
    same("let n = lit(0.5);", "n as u32", "0u32");
}

#[test]
fn the_complement_of_an_untyped_integer_waits_for_its_type() {
    same("let mask: u32 = !0;", "mask", "4_294_967_295u32");
    same("let mask = !3 & 255;", "mask", "252u32");
    says(
        &mistake("let mask = !0 >> 4;", "mask"),
        &["how many bits `!` gives here is not known", "!0_u32"],
    );
}

#[test]
fn floats_without_a_type_are_computed_where_both_types_agree() {
    same("let half = 1.0 / 2.0;", "(half * 4.0f32) as u32", "2u32");
    // What stands beside it tells the type, and so the rounding.
    same(
        "let small = 0.1 + 0.2;",
        "(small * 1e9f32) as u32",
        "((0.1f32 + 0.2f32) * 1e9f32) as u32",
    );
    same(
        "let small = 0.1 + 0.2;",
        "(small * 1e9f64) as u32",
        "((0.1f64 + 0.2f64) * 1e9f64) as u32",
    );
    says(
        &mistake("let small = 0.1 * 0.1;", "(small * 100.0) as u32"),
        &["whether `*` is rounded to f32 or f64"],
    );
}

#[test]
fn host_types_are_not_mixed() {
    says(
        &mistake("let v = vec![1u32];", "(v[0] + v.len())"),
        &["u32", "usize"],
    );
    says(&mistake("let n = 1u64;", "n"), &["EU32", "u64"]);
}

#[test]
fn a_name_with_a_mistake_is_told_the_near_one() {
    says(
        &mistake("let n = 5u32.poww(2);", "n"),
        &["has no method `poww`", "is it `pow`?"],
    );
    says(&mistake("", "missing"), &["`missing` is not defined"]);
}

#[test]
fn a_closure_does_not_change_what_is_around_it() {
    says(
        &mistake("let mut n = 1u32; let f = || { n += 1; n };", "f()"),
        &["`n` belongs to the function around this closure"],
    );
    says(
        &mistake("let mut v = vec![1u32]; let f = || v.push(2);", "v[0]"),
        &["`v` belongs to the function around this closure"],
    );
}

#[test]
fn a_branch_on_the_device_is_told_to_select() {
    let message = kernel(
        "fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(8).as_grid_map(|chunk| chunk.map(|x| if x > 3 { x } else { x + 1 }).push())
    }",
    );
    says(
        &message.unwrap_err(),
        &[
            "this condition is a device boolean",
            "use `select(condition, a, b)`",
        ],
    );
}

#[test]
fn an_assertion_that_fails_says_its_text() {
    says(
        &mistake("assert!(1 + 1 == 3, \"one and one\");", "0"),
        &["one and one"],
    );
    says(
        &mistake("assert_eq!(1, 2);", "0"),
        &["this assertion does not hold"],
    );
}

#[test]
fn a_loop_of_one_round_can_be_left() {
    let text = "fn k(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(8).as_grid_map(|chunk| mk_push::<Block, _, _>(8, |write| for_all(8, |i| {
            write(chunk[i], i)?;
            seq_for(1, |j| cond(chunk[i] > 9, break_loop(), pure(())))
        })))
    }";
    says(&kernel(text).unwrap(), &["for sequential Thread", "break"]);
}
