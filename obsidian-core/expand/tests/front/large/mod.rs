//! Kernels of many statements go through all passes and printers, on the small stack that tests have:
//! nothing recurses over expressions, or over statements that follow each other. No clock is read.

mod programs;

use obsidian_core::emit::{cpu, cuda};
use obsidian_core::ir::read;
use obsidian_core::pipeline::{Options, compile};
use obsidian_core::plan::Limits;
use obsidian_expand::compile_items_with;
use programs::{KERNELS, SOURCES};

/// The bytes of a kernel's CUDA text and of its Rust, or what is wrong.
fn compiled(text: &str) -> Result<[usize; 2], String> {
    let kernel = read(text).unwrap_or_else(|error| panic!("{error}"));
    let options = Options {
        threads: 64,
        ..Options::default()
    };
    let plan = compile(kernel, &options).map_err(|wrong| wrong.to_string())?;
    // The third text, which few kernels have, is looked for in all.
    let pattern = |array| plan.pattern(array);
    let widest = cpu::widest(plan.by_one(), &pattern, cpu::RUNTIME).map_or(0, |text| text.len());
    Ok([cuda(&plan).len(), cpu::cpu(&plan).len() + widest])
}

/// Are the long suites asked for? Large kernels have half of the statements otherwise.
fn is_long() -> bool {
    ["OBSIDIAN_LONG", "OBSIDIAN_FULL"]
        .iter()
        .any(|name| std::env::var_os(name).is_some())
}

/// Compiles the kernel of a shape with `statements` statements, and holds that its texts grow as it
/// does.
#[track_caller]
fn grows(name: &str, statements: usize) {
    let is_whole = is_long() || statements < 20_000;
    let statements = if is_whole { statements } else { statements / 2 };
    let shape = KERNELS.iter().find(|(own, _)| *own == name);
    let (_, shape) = shape.expect("a shape of this name");
    let [few, many] = [statements / 10, statements]
        .map(|n| compiled(&shape(n)).unwrap_or_else(|wrong| panic!("{n} statements: {wrong}")));
    println!("{name}: {few:?} and {many:?} bytes of CUDA and Rust");
    for (few, many) in few.into_iter().zip(many) {
        assert!(
            (8 * few..12 * few).contains(&many),
            "{few} and {many} bytes"
        );
    }
}

macro_rules! shapes {
    ($($test:ident: $name:literal, $statements:literal;)*) => {
        $(
            #[test]
            fn $test() {
                grows($name, $statements);
            }
        )*

        #[test]
        fn every_shape_is_tried() {
            let tried = [$($name),*];
            for (name, _) in KERNELS {
                assert!(tried.contains(name) || *name == PATHS, "{name}");
            }
        }
    };
}

/// Accesses of which each stands under all conditions of those before it.
const PATHS: &str = "choices that load in the else of each other";

shapes! {
    a_straight_line: "a straight line", 20_000;
    a_sum_in_one_expression: "a sum in one expression", 10_000;
    choices_in_the_else_of_each_other: "choices in the else of each other", 20_000;
    choices_that_load_in_arms_of_choices: "choices that load in arms of choices", 20_000;
    conditions_that_all_hold: "conditions that all hold", 20_000;
    conditions_none_of_which_holds: "conditions none of which holds", 20_000;
    sums_of_choices: "sums of choices", 20_000;
    comparisons_of_comparisons: "comparisons of comparisons", 20_000;
    elements_at_elements: "elements at elements", 10_000;
    a_walk: "a walk", 2_000;
    ifs: "ifs in the else of each other", 8_000;
    stores: "stores", 10_000;
    reads_and_writes: "reads and writes", 20_000;
    a_cell: "a cell", 20_000;
    stored_arrays: "stored arrays", 20_000;
    sums_of_floats: "sums of floats", 20_000;
    loops_of_a_thread: "loops of a thread", 20_000;
    loops_that_load_one_element: "loops that load one element", 20_000;
    barriers: "barriers", 20_000;
    atomics: "atomics", 100_000;
}

#[test]
fn what_takes_too_much_to_prove_is_an_error_that_says_so() {
    let (_, shape) = KERNELS
        .iter()
        .find(|(own, _)| *own == PATHS)
        .expect("a shape");
    let wrong = compiled(&shape(10_000)).expect_err("the paths are a square of the size");
    assert!(wrong.contains("[check-too-long]"), "{wrong}");
}

/// What the front end makes of the text of a module with one kernel: the bytes of its CUDA text, or what
/// is wrong.
fn built(text: &str) -> Result<usize, String> {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{error}"));
    let Some(syn::Item::Mod(module)) = file.items.first() else {
        panic!("no module");
    };
    let items = &module.content.as_ref().expect("the module has a body").1;
    let choose = |_: &str, limits: Limits| limits.into();
    let compiled = compile_items_with(items, &choose).map_err(|wrong| wrong[0].message.clone())?;
    if let Some(wrong) = compiled.located_mistakes().first() {
        return Err(wrong.message.clone());
    }
    let (_, plan, _) = compiled.plans().next().expect("the module has a kernel");
    Ok(cuda(plan).len())
}

#[test]
fn modules_of_many_statements_are_built() {
    for (name, shape) in SOURCES {
        let [few, many] = [500, 5_000]
            .map(|n| built(&shape(n)).unwrap_or_else(|wrong| panic!("{name}: {wrong}")));
        assert!(
            (9 * few..12 * few).contains(&many),
            "{name}: {few} and {many} bytes"
        );
    }
}

#[test]
fn many_kernels_and_variants_are_built() {
    for text in [programs::kernels(50), programs::variants(50)] {
        built(&text).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

/// A module whose kernel has this statement in a function.
fn with(statement: &str) -> String {
    programs::module(&[format!("let mut y = x; {statement} y")])
}

#[test]
fn a_build_that_does_not_end_is_an_error() {
    for (statement, id) in [
        (
            "let mut s = 0u32; loop { y = y * 3 + s; s += 1; }",
            "[too-large]",
        ),
        ("loop { let s = 1u32; }", "[endless-loop]"),
        (
            "for s in 0..4_000_000_000u32 { y = y * 3 + s; }",
            "[endless-loop]",
        ),
        (
            "y = (0..4_000_000_000u32).fold(y, |y, s| y * 3 + s);",
            "[endless-loop]",
        ),
    ] {
        let wrong = built(&with(statement)).expect_err(statement);
        assert!(wrong.contains(id), "{statement}: {wrong}");
    }
}
