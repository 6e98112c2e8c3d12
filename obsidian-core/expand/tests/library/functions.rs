//! Mistakes in the use of the library: what the front end says.
#![allow(missing_docs)]

use std::sync::Arc;

use obsidian_core::lower::strip;
use obsidian_front::evaluate::evaluate;
use obsidian_front::read_module;

/// What is wrong with the last function of a module.
fn mistake(text: &str) -> String {
    let file: syn::File = syn::parse_str(text).unwrap();
    let reading = read_module(&file.items);
    assert!(reading.mistakes.is_none(), "{}", reading.mistakes.unwrap());
    let kernel = reading.module.functions.len() as u32 - 1;
    match evaluate(&Arc::new(reading.module), kernel)
        .result
        .and_then(strip)
    {
        Err(mistakes) => mistakes.to_string(),
        Ok(kernel) => panic!("no mistake in\n{kernel}"),
    }
}

/// What is wrong with a kernel that runs a program in each thread of a block.
fn in_threads(program: &str, element: &str) -> String {
    mistake(&format!(
        "fn work(x: {element}) -> Program<Thread, {element}> {{ {program} }}
         #[kernel] fn k(input: DPull<{element}>) -> DPush<Grid, {element}> {{
            input.split_up(8).as_grid_map(|c| c.as_block_map(|x| exec_thread_value(work(x))))
         }}"
    ))
}

fn in_block(program: &str, element: &str) -> String {
    mistake(&format!(
        "fn work(c: Pull<{element}>) -> Program<Block, Push<Block, {element}>> {{ {program} }}
         #[kernel] fn k(input: DPull<{element}>) -> DPush<Grid, {element}> {{
            input.split_up(8).as_grid_map(|c| exec_block(work(c)))
         }}"
    ))
}

fn says(found: &str, wanted: &str) {
    assert!(found.contains(wanted), "{found}");
}

#[test]
fn atomics_exist_for_some_types() {
    let program = |op: &str| {
        format!("let m = to_mutable(c)?; for_all(8, |i| m.{op}(i, c[i]).void())?; pure(m.push())")
    };
    says(
        &in_block(&program("atomic_min"), "EF32"),
        "no `atomic_min` for elements of type EF32",
    );
    says(
        &in_block(&program("atomic_min"), "EF32"),
        "EU32, EU64, EI32, EI64",
    );
    says(
        &in_block(&program("atomic_inc"), "EI32"),
        "no `atomic_inc` for elements of type EI32",
    );
    says(
        &in_block(&program("atomic_add"), "EU8"),
        "no `atomic_add` for elements of type EU8",
    );
}

#[test]
fn an_array_of_one_thread_needs_no_atomics() {
    let found = in_threads(
        "let m = new_shared_mutable(1, x)?; m.atomic_add(0, x)",
        "EU32",
    );
    says(&found, "the mutable array `m` belongs to one thread");
}

#[test]
fn a_state_keeps_its_shape() {
    says(
        &in_threads("seq_iterate(3, |i, s| (s, s), x)", "EU32"),
        "changes its shape",
    );
    says(
        &in_threads("seq_iterate(3, |i, s| s as f32, x)", "EU32"),
        "from EU32 to EF32",
    );
    says(
        &in_threads("seq_until(|s| s + 1, |s| s, x)", "EU32"),
        "the condition of `seq_until` is a device boolean",
    );
}

#[test]
fn lengths_are_checked_where_they_are_known() {
    says(
        &in_block(
            "let (a, b) = (c.take(2), c.take(3)); pure(interleave(a, b).push())",
            "EU32",
        ),
        "`interleave` of arrays of length 2 and 3",
    );
    says(
        &in_block("pure(c.load::<Block>(3))", "EU32"),
        "an array of length 8 cannot be split into pieces of 3",
    );
    says(
        &in_block("pure(unsafe_bin_split(4, |p| p, c).push())", "EU32"),
        "an array of length 8 cannot be split into pieces of 16",
    );
    says(
        &in_block("pure(c.push::<Block>().take(9))", "EU32"),
        "position 9 is outside of an array of length 8",
    );
    says(
        &in_block(
            "let m = to_mutable(c)?; for_all(8, |i| m.write(8, c[i]))?; pure(m.push())",
            "EU32",
        ),
        "element 8 is outside",
    );
    says(
        &in_block("pure(fold1(|x, y| x + y, c.take(0)).push())", "EU32"),
        "an array of length 0 has no elements",
    );
}

#[test]
fn functions_give_what_the_library_needs() {
    says(
        &in_block("for_all(8, |i| c[i])?; pure(c.push())", "EU32"),
        "expected a program",
    );
    says(
        &in_block(
            "pure(mk_push(8, |write| for_all::<Block, _>(8, |i| write(c[i]))))",
            "EU32",
        ),
        "takes 2 arguments",
    );
    says(
        &in_block(
            "pure(s_map_accum(|s, p| compute(p), lit(0_u32), c.split_up(2)))",
            "EU32",
        ),
        "expected a pair of the next state",
    );
}
