//! What may run at which level: natively the types say so, and the evaluator has to agree. Each
//! statement stands in a program of each level, with `?` and as the last expression.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use obsidian_tests::fuzz::verdict::{Answer, judge};
use obsidian_tests::program::compile;

/// Statements, and the levels at which each is right.
const STATEMENTS: &[(&str, &str)] = &[
    ("cond(s > 3, pure(()), pure(()))?;", "T"),
    ("seq_for(2, |_| pure(()))?;", "TWBG"),
    ("seq_for(s, |_| pure(()))?;", "TWBG"),
    ("seq_while(pure(s > 3), pure(()))?;", "TWB"),
    ("let _ = seq_until(|x| x + 1, |x| x < 3, s)?;", "T"),
    ("let _ = seq_iterate(4, |_, x| x + 1, s)?;", "T"),
    (
        "let _ = seq_reduce(|x, y| x + y, generate(4, |i| i))?;",
        "T",
    ),
    ("seq_for(3, |_| break_loop())?;", "T"),
    ("sync()?;", "TWB"),
    ("for_all(4, |_| pure(()))?;", "TWB"),
    ("for_all((4, 4), |(_, _)| pure(()))?;", "TWB"),
    ("single_thread(pure(()))?;", "TWB"),
    ("distr_par(4, |_| pure(()))?;", "WBG"),
    ("let _ = compute(generate(4, |i| i))?;", "TWB"),
    ("let _ = new_shared_mutable(4, lit(0u32))?;", "TWB"),
    ("let _ = to_mutable(generate(4, |i| i))?;", "TWB"),
    ("let _ = m.read(0)?;", "T"),
    ("m.write(0, s)?;", "T"),
    ("m.atomic_add(0, s)?;", "T"),
    ("rep(2, |x| pure(x), s)?;", "TWBG"),
    (
        "let _ = compose(vec![|a: Pull<EU32>| a.push()], generate(4, |i| i))?;",
        "TWB",
    ),
    ("pure(())?;", "TWBG"),
    ("for_all(4, |_| for_all(4, |_| pure(())))?;", "TWB"),
    ("for_all(4, |_| sync())?;", "TWB"),
    ("for_all(4, |_| distr_par(4, |_| pure(())))?;", ""),
    ("cond(s > 3, for_all(4, |_| pure(())), pure(()))?;", "T"),
    ("cond(s > 3, distr_par(4, |_| pure(())), pure(()))?;", ""),
    ("cond(s > 3, sync(), pure(()))?;", "T"),
    ("seq_while(pure(s > 3), distr_par(4, |_| pure(())))?;", "WB"),
    ("seq_for(2, |_| m.write(0, s))?;", "T"),
    ("seq_for(2, |_| cond(s > 3, pure(()), pure(())))?;", "T"),
    ("seq_while(pure(s > 3), m.write(0, s))?;", "T"),
    ("distr_par(2, |_| cond(s > 3, pure(()), pure(())))?;", "W"),
    (
        "distr_par(2, |_| seq_until(|x| x + 1, |x| x < 3, s).void())?;",
        "W",
    ),
    ("distr_par(2, |_| distr_par(2, |_| pure(())))?;", "BG"),
    ("distr_par(2, |i| m.write(i, s))?;", "W"),
    ("distr_par(2, |_| for_all(2, |_| pure(())))?;", "WBG"),
    (
        "distr_par(2, |_| compute(generate(4, |i| i)).void())?;",
        "WBG",
    ),
    (
        "rep(2, |x| { cond(s > 3, pure(()), pure(()))?; pure(x) }, s)?;",
        "T",
    ),
    (
        "rep(2, |x| { for_all(4, |_| pure(()))?; pure(x) }, s)?;",
        "TWB",
    ),
    ("single_thread(sync())?;", "TWB"),
    ("single_thread(distr_par(2, |_| pure(())))?;", ""),
    ("at_warp(s)?;", "W"),
    ("at_thread(s)?;", "T"),
    ("at_block(s)?;", "B"),
    ("at_grid(s)?;", "G"),
    ("cond(s > 3, at_thread(s), pure(()))?;", "T"),
    ("cond(s > 3, at_warp(s), pure(()))?;", ""),
    ("cond(s > 3, at_grid(s), pure(()))?;", ""),
    ("for_all(3, |_| at_thread(s))?;", "TWB"),
    ("for_all(3, |_| at_warp(s))?;", ""),
    ("for_all(3, |_| at_block(s))?;", ""),
    ("distr_par(3, |_| at_thread(s))?;", "W"),
    ("distr_par(3, |_| at_warp(s))?;", "B"),
    ("distr_par(3, |_| at_block(s))?;", "G"),
    ("distr_par(3, |_| at_grid(s))?;", ""),
    ("seq_for(3, |_| at_thread(s))?;", "T"),
    ("seq_for(3, |_| at_warp(s))?;", "W"),
    ("seq_for(3, |_| at_block(s))?;", "B"),
    ("seq_for(3, |_| at_grid(s))?;", "G"),
    ("seq_while(pure(s > 3), at_warp(s))?;", "W"),
    ("seq_while(pure(s > 3), at_grid(s))?;", ""),
    ("single_thread(at_thread(s))?;", "TWB"),
    ("single_thread(at_warp(s))?;", ""),
    ("rep(2, |x| { at_warp(s)?; pure(x) }, s)?;", "W"),
];

/// Functions of the user's at one level each.
const FUNCTIONS: &str = "
fn at_thread(s: EU32) -> Program<Thread, ()> { seq_until(|x| x + 1, |x| x < 3, s).void() }
fn at_warp(s: EU32) -> Program<Warp, ()> { let _ = s; for_all(3, |_| pure(())) }
fn at_block(s: EU32) -> Program<Block, ()> { let _ = s; for_all(3, |_| pure(())) }
fn at_grid(s: EU32) -> Program<Grid, ()> { let _ = s; distr_par(3, |_| pure(())) }";

/// The levels, and how a kernel runs a program of each.
const LEVELS: [(&str, &str); 4] = [
    ("Thread", "distr_par(1, |_| for_all(1, |_| f(m, s)))"),
    ("Warp", "distr_par(1, |_| distr_par(1, |_| f(m, s)))"),
    ("Block", "distr_par(1, |_| f(m, s))"),
    ("Grid", "f(m, s)"),
];

/// A statement in a program of a level.
struct Case {
    title: String,
    /// The function, and those that it calls.
    functions: String,
    kernel: String,
    is_right: bool,
}

fn cases() -> Vec<Case> {
    let mut list = Vec::new();
    for (statement, right) in STATEMENTS {
        let last = statement.trim_end_matches("?;");
        let gives_more = ["let ", "rep(", "m.atomic_add("];
        let is_unit = !gives_more.iter().any(|start| last.starts_with(start));
        let bodies = [format!("{statement} pure(())"), last.to_owned()];
        for (level, call) in LEVELS {
            for body in bodies.iter().take(if is_unit { 2 } else { 1 }) {
                let head = format!("fn f(m: MGlobal<EU32>, s: EU32) -> Program<{level}, ()>");
                list.push(Case {
                    title: format!("{body} at {level}"),
                    functions: format!("{FUNCTIONS} {head} {{ let _ = m; {body} }}"),
                    kernel: format!(
                        "#[kernel] pub fn k(m: MGlobal<EU32>, s: EU32) -> Program<Grid, ()> {{ {call} }}"
                    ),
                    is_right: right.contains(&level[..1]),
                });
            }
        }
    }
    list
}

#[test]
fn the_evaluator_judges_levels_as_the_types_do() {
    let mut wrong = String::new();
    for case in cases() {
        let text = format!("pub mod m {{ {} {} }}", case.functions, case.kernel);
        let answer = judge(&text).unwrap();
        let is_level = |message: &String| {
            let ids = [
                "wrong-level",
                "step-of-one-thread",
                "no-shared-memory",
                "no-loop",
            ];
            ids.iter().any(|id| message.contains(&format!("[{id}]")))
        };
        let is_as_expected = match &answer {
            Answer::Code => case.is_right,
            Answer::Errors(list) => !case.is_right && list.len() == 1 && is_level(&list[0]),
            Answer::NoTokens => false,
        };
        if !is_as_expected {
            writeln!(wrong, "{}: {answer:?}", case.title).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Modules without a kernel are not evaluated: rustc judges them alone.
#[test]
fn the_types_judge_levels_as_the_table_says() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("levels");
    fs::create_dir_all(&folder).unwrap();
    let cases = cases();
    let mut text = String::from("#![allow(warnings)] fn main() {}\n");
    for (n, case) in cases.iter().enumerate() {
        // Each module is one line, so that the line of an error is the number of the module.
        writeln!(
            text,
            "#[obsidian_tests::obsidian_rt::kernels(crate = ::obsidian_tests::obsidian_rt)] mod m{n} {{ {} }}",
            case.functions.replace('\n', " ")
        )
        .unwrap();
    }
    let source = folder.join("batch.rs");
    fs::write(&source, text).unwrap();
    let said = compile(&source, None).err().unwrap_or_default();
    let lines: BTreeSet<usize> = said
        .split("batch.rs:")
        .skip(1)
        .filter_map(|rest| rest.split(':').next()?.parse().ok())
        .collect();
    let wrong: Vec<&String> = cases
        .iter()
        .enumerate()
        .filter(|(n, case)| lines.contains(&(n + 2)) == case.is_right)
        .map(|(_, case)| &case.title)
        .collect();
    assert!(
        wrong.is_empty(),
        "{wrong:#?}\n{}",
        &said[..said.len().min(4000)]
    );
}
