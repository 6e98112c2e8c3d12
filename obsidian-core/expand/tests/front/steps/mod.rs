//! What the checks do for kernels of more and more steps, counted in steps of theirs: it grows as
//! the kernels do. No clock is read.

mod chains;

use chains::CHAINS;
use obsidian_core::emit::cuda;
use obsidian_core::plan::Limits;
use obsidian_expand::compile_items_with;

/// What the engine makes of the text of a module with one kernel: the steps of its checks and the
/// bytes of its CUDA text, or what is wrong.
fn compiled(text: &str) -> Result<(u64, usize), String> {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let Some(syn::Item::Mod(module)) = file.items.first() else {
        panic!("no module: {text}");
    };
    let items = &module.content.as_ref().expect("the module has a body").1;
    let choose = |_: &str, limits: Limits| limits.into();
    let compiled = compile_items_with(items, &choose).map_err(|wrong| wrong[0].message.clone())?;
    if let Some(wrong) = compiled.located_mistakes().first() {
        return Err(wrong.message.clone());
    }
    let (_, plan, _) = compiled.plans().next().expect("the module has a kernel");
    Ok((plan.steps_of_checks(), cuda(plan).len()))
}

/// Twice the steps of a kernel are at most 2.7 times the work, but for what all kernels are allowed
/// before they are looked at sparingly.
#[test]
fn issue_16_item_11_checks_grow_with_the_kernel() {
    for (name, text) in CHAINS {
        let mut all = Vec::new();
        for steps in [64, 128, 256] {
            match compiled(&text(steps)) {
                Ok(work) => all.push(work),
                Err(wrong) => panic!("{name}, {steps} steps: {wrong}"),
            }
        }
        println!("{name}: {all:?}");
        for pair in all.windows(2) {
            let [(few, short), (many, long)] = [pair[0], pair[1]];
            assert!(
                many <= 27 * (few + 15_000) / 10 && many < 450_000,
                "{name}: {all:?} steps and bytes at 64, 128, 256"
            );
            // Reads of neighbours, if there are enough of them, are there twice: at once and one by one.
            assert!(long <= 33 * short / 10, "{name}: {all:?} bytes of text");
        }
    }
}

/// Steps of an index in a block of 64.
fn stepping(steps: &str) -> String {
    format!(
        "pub mod m {{ #[kernel(threads = 64)]
        pub fn k(table: DPull<EU32>, keys: DPull<EU32>) -> DPush<Grid, EU32> {{
            keys.split_up(64).as_grid_map(|piece| generate(64, |i| i).as_block_map(|i| {{
                let (c, k) = (table.take(64), piece[i]);
                exec_thread_value({steps})
            }}))
        }} }}"
    )
}

const STEP: &str = "select(k > s, select(i > s, c[at % 64] % 64, i), (at + 1) % 64)";

#[test]
fn a_choice_that_two_arms_may_need_is_made_once() {
    let written = |count: u32| {
        stepping(&format!(
            "pure({{ let mut at = i; for s in 0..{count}u32 {{ at = {STEP}; }} at }})"
        ))
    };
    let of = |count| compiled(&written(count)).unwrap_or_else(|wrong| panic!("{wrong}"));
    let [(few, short), (many, long)] = [24, 48].map(of);
    assert!(
        many < 3 * few && long < 4 * short,
        "{few} {short} {many} {long}"
    );
}

/// Steps that may need the two before them: written out they double, or nearly so, with every step.
#[test]
fn issue_16_item_11_what_takes_too_long_is_an_error() {
    let step = "select(k > s, c[at % 64] + before, select(i > s, at * 3, before))";
    let written = format!(
        "pure({{ let mut before = i; let mut at = c[i]; \
         for s in 0..48u32 {{ let next = {step}; before = at; at = next; }} at }})"
    );
    let wrong = compiled(&stepping(&written)).expect_err("it doubles 48 times");
    assert!(wrong.contains("[check-too-long]"), "{wrong}");
    // What the error proposes is taken.
    let repeated = format!("seq_iterate(48, |s, at| {STEP}, i)");
    let (steps, _) = compiled(&stepping(&repeated)).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(steps < 2_000, "{steps}");
}

#[test]
fn issue_16_item_11_the_binary_search_of_the_review_is_taken() {
    // 26 s and 61 s, before expressions were looked at sparingly.
    let (_, search) = CHAINS[0];
    let (_, walk) = CHAINS[2];
    for text in [search(8), walk(20)] {
        let (steps, _) = compiled(&text).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(steps < 60_000, "{steps}");
    }
}
