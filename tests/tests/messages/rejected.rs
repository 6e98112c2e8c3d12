//! The tutorial's page of what is rejected is made of the ui cases, so that it shows what the
//! compiler says today.
//!
//! `OBSIDIAN_BLESS=1 cargo test -p obsidian-tests --test messages rejected` writes the page anew.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use obsidian_tests::fuzz::seeds::files;

/// A heading, why such things are rejected, and the cases that show it.
type Group = (&'static str, &'static str, &'static [&'static str]);

const GROUPS: &[Group] = &[
    (
        "What only the device knows",
        "A kernel function runs while the kernel is built. A device value is an expression then, not a number: nothing on the host can branch on \
         it, count to it or index with it.",
        &[
            "if_on_the_device",
            "while_on_the_device",
            "logical_and_on_the_device",
            "vec_indexed_on_the_device",
        ],
    ),
    (
        "Levels",
        "Who executes what is in the types, and the hardware has one order: threads in warps, warps in blocks, blocks in the grid. There is no \
         memory and no barrier that a whole grid could share.",
        &[
            "compute_at_grid",
            "push_at_grid",
            "as_grid_of_warps",
            "sync_at_grid",
            "exec_block_of_a_warp_program",
        ],
    ),
    (
        "Lengths",
        "What is stored has a place of fixed size, so its length has to be known while the kernel is built. What is cut into pieces has to come \
         out even, or say what fills the last piece.",
        &[
            "compute_of_a_dynamic_length",
            "pieces_that_do_not_divide",
            "from_dyn_of_another_length",
            "reduction_of_an_odd_length",
            "outside_of_an_array",
        ],
    ),
    (
        "Programs",
        "An array is a value; storing one is an action. An action happens where `?` stands, and nowhere else.",
        &[
            "compute_without_question_mark",
            "question_mark_after_and",
            "question_mark_on_an_array",
            "captured_assignment",
        ],
    ),
    (
        "Types",
        "Nothing is converted implicitly, and a literal needs a use that tells its type. Lengths and indices of arrays are `u32`, those of a `Vec` are `usize`.",
        &[
            "mismatched_types",
            "usize_of_a_table",
            "untyped_literal",
            "select_of_two_types",
        ],
    ),
    (
        "Races, holes and bounds",
        "Every element of a push array is written once; no two threads access one element, one of them writing, without a barrier in between; no \
         index leaves its array. What cannot be proved is an error: `i.unchecked()` vouches that an index is below the length, and `i.distinct()` promises that the indices \
         of a scatter are distinct.",
        &[
            "written_twice",
            "never_written",
            "rest_is_never_written",
            "load_outside",
            "load_by_the_data",
            "race",
            "race_with_a_reader",
            "race_of_warps",
            "race_of_blocks",
            "threads_of_one_block_in_two_loops",
        ],
    ),
    (
        "Variants",
        "A number that is known while the kernel is built has its values in the attribute. Each combination is a kernel, and each has to be right.",
        &[
            "missing_value",
            "unknown_option",
            "variant_that_does_not_divide",
            "tuned_without_built",
        ],
    ),
    (
        "Limits",
        "What a block of today's GPUs has, and what keeps a mistake from running for ever while you compile.",
        &[
            "out_of_shared_memory",
            "too_many_threads",
            "endless_recursion",
            "endless_loop",
            "nested_too_deep",
        ],
    ),
    (
        "Rust that is not kernel language",
        "The macro sees the tokens of one module and nothing else, and evaluates them. What it cannot evaluate is an error.",
        &[
            "struct_inside",
            "macro_inside",
            "file_module",
            "misspelt_function",
            "host_function",
        ],
    ),
];

/// A case: its sentence, and what the compiler says.
struct Case {
    sentence: String,
    said: String,
}

fn case(file: &Path) -> Option<Case> {
    let source = fs::read_to_string(file).ok()?;
    let said = fs::read_to_string(file.with_extension("stderr")).ok()?;
    let sentence = source
        .lines()
        .next()?
        .trim_start_matches("//!")
        .trim()
        .to_owned();
    // The name of the file says nothing to a reader.
    let said = said
        .lines()
        .filter(|line| !line.trim_start().starts_with("--> "))
        .collect::<Vec<_>>()
        .join("\n");
    Some(Case { sentence, said })
}

/// The page, from the cases.
fn page() -> String {
    let name = |file: &PathBuf| {
        file.file_stem()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned()
    };
    let mut rest: BTreeMap<String, PathBuf> = files("tests/tests/ui")
        .into_iter()
        .map(|file| (name(&file), file))
        .collect();
    let mut text = String::new();
    for (title, why, cases) in GROUPS {
        writeln!(text, "# {title}\n\n{why}\n").expect("a string can be written");
        for name in *cases {
            let Some(case) = rest.remove(*name).and_then(|file| case(&file)) else {
                panic!("there is no ui case `{name}`")
            };
            writeln!(
                text,
                "{}\n\n```text\n{}\n```\n",
                case.sentence,
                case.said.trim_end()
            )
            .expect("a string can be written");
        }
    }
    writeln!(text, "# The rest\n\n| | message |\n|---|---|").expect("a string can be written");
    for case in rest.values().filter_map(|file| case(file)) {
        // rustc's own messages begin with a code.
        let first = case.said.lines().next().unwrap_or_default();
        let message = first
            .split_once(": ")
            .map_or(first, |(_, message)| message)
            .replace('|', "\\|");
        // The id in brackets is no link.
        let message = match message.rsplit_once(" [") {
            Some((words, id)) if id.ends_with(']') => format!("{words} \\[{id}"),
            _ => message,
        };
        writeln!(
            text,
            "| {} | {message} |",
            case.sentence.replace('|', "\\|")
        )
        .expect("a string can be written");
    }
    text
}

#[test]
fn the_tutorial_shows_what_the_compiler_says() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = here.join("../obsidian-rt/src/tutorial/rejected.md");
    let page = page();
    if std::env::var_os("OBSIDIAN_BLESS").is_some() {
        fs::write(&file, &page).expect("the page can be written");
    }
    let there = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        there == page,
        "the page is not what the ui cases say: OBSIDIAN_BLESS=1 writes it anew"
    );
}
