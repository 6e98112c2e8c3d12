//! Issue 16, item 6: a program that is made and never run is an error at its place, wherever it ends
//! up; what runs it, and what a condition of the host leaves out, is none.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_core::plan::Limits;
use obsidian_expand::compile_items_with;

/// The messages for a kernel of 64 elements with a mutable array `m`, an input `c`, and some
/// functions.
fn said(body: &str) -> Vec<String> {
    let text = format!(
        "fn step(m: MShared<EU32>, i: EU32) -> Program<Thread, ()> {{ m.write(i, i) }}
        fn later(m: MShared<EU32>, i: EU32) -> Program<Thread, ()> {{ let x = m.read(i)?; m.write(i, x + 1) }}
        fn when(c: bool, p: Program<Thread, ()>) -> Program<Thread, ()> {{ if c {{ p }} else {{ pure(()) }} }}
        fn both(m: MShared<EU32>, i: EU32) -> (Program<Thread, ()>, Program<Thread, ()>) {{ (m.write(i, 1), m.write(i, 2)) }}
        fn g(c: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {{
            let m = new_shared_mutable(64, lit(7u32))?;
            {body}
            pure(m.push())
        }}
        #[kernel] pub fn f(x: DPull<EU32>) -> DPush<Grid, EU32> {{ x.split_up(64).as_grid_map(|c| exec_block(g(c))) }}"
    );
    let file: syn::File = syn::parse_str(&text).unwrap();
    let choose = |_: &str, limits: Limits| limits.into();
    match compile_items_with(&file.items, &choose) {
        Ok(compiled) => {
            let at = |m: &obsidian_expand::Located| {
                let line = text.lines().nth(m.line - 1).unwrap();
                format!(
                    "{} @ {}",
                    m.message.lines().next().unwrap(),
                    &line[m.column - 1..]
                )
            };
            compiled.located_mistakes().iter().map(at).collect()
        }
        Err(list) => list.iter().map(|m| m.message.clone()).collect(),
    }
}

#[track_caller]
fn refused(body: &str, place: &str) {
    let said = said(body);
    assert!(
        said.iter()
            .any(|m| m.contains("[unused-program]") && m.contains(&format!("@ {place}"))),
        "{body}: {said:#?}"
    );
}

#[track_caller]
fn accepted(body: &str) {
    assert_eq!(said(body), [""; 0], "{body}");
}

#[test]
fn a_dropped_question_mark_is_an_error_at_the_program() {
    refused(
        "for_all(64, |i| { m.write(i, c[i]); pure(()) })?;",
        "m.write(i, c[i]);",
    );
    refused("for_all(64, |i| m.write(i, c[i]));", "for_all(64");
    refused("sync();", "sync();");
    refused(
        "for_all(64, |i| { later(m, i); pure(()) })?;",
        "later(m, i);",
    );
    refused(
        "for_all(64, |i| { let x = m.read(i); m.write(i, 1) })?;",
        "m.read(i);",
    );
    refused(
        "for_all(64, |i| m.atomic_add(i, 1).void())?; for_all(64, |i| { m.atomic_add(i, 1); pure(()) })?;",
        "m.atomic_add(i, 1);",
    );
}

#[test]
fn a_program_that_ends_in_a_value_is_an_error() {
    refused(
        "for_all(64, |i| { let p = m.write(i, 1); pure(()) })?;",
        "m.write(i, 1);",
    );
    refused(
        "for_all(64, |i| { let _ = m.write(i, 1); pure(()) })?;",
        "m.write(i, 1);",
    );
    refused(
        "for_all(64, |i| { let _p = m.write(i, 1); pure(()) })?;",
        "m.write(i, 1);",
    );
    refused(
        "for_all(64, |i| { (m.write(i, 1), 2); pure(()) })?;",
        "m.write(i, 1), 2)",
    );
    refused(
        "for_all(64, |i| { let (p, q) = both(m, i); p })?;",
        "both(m, i);",
    );
    refused(
        "for_all(64, |i| { let list = vec![m.write(i, 1), m.write(i, 2)]; list[0] })?;",
        "m.write(i, 2)]",
    );
    refused(
        "for_all(64, |i| { let mut p = m.write(i, 1); p = m.write(i, 2); p })?;",
        "m.write(i, 1);",
    );
    refused(
        "for_all(64, |i| { pure(m.write(i, 1))?; pure(()) })?;",
        "m.write(i, 1))?",
    );
    refused(
        "for_all(64, |i| pure(m.write(i, 1)).void())?;",
        "m.write(i, 1))",
    );
    refused(
        "for_all(64, |i| m.write(i, 1).map(|_| m.write(i, 2)).void())?;",
        "m.write(i, 2))",
    );
    refused(
        "let p = |i| m.write(i, 1); for_all(64, |i| { p(i); pure(()) })?;",
        "p(i);",
    );
    refused("exec_block(pure(iota(4)));", "pure(iota(4))");
    refused("let unused = exec_block(pure(iota(4)));", "pure(iota(4))");
}

#[test]
fn a_program_that_is_the_value_of_a_dropped_block_is_an_error() {
    refused(
        "for_all(64, |i| { if true { m.write(i, 1) }; pure(()) })?;",
        "m.write(i, 1) }",
    );
    refused(
        "for_all(64, |i| { if true { m.write(i, 1) } else { pure(()) }; pure(()) })?;",
        "m.write(i, 1) }",
    );
    refused(
        "for_all(64, |i| { match 3 { 3 => m.write(i, 1), _ => pure(()) }; pure(()) })?;",
        "m.write(i, 1),",
    );
    refused(
        "for_all(64, |i| { for k in 0..4 { m.write(i, k) } pure(()) })?;",
        "m.write(i, k)",
    );
    refused(
        "for_all(64, |i| { for k in 0..4 { step(m, i); } pure(()) })?;",
        "step(m, i);",
    );
    refused(
        "for_all(64, |i| { (0..4).map(|k| m.write(i, k)); pure(()) })?;",
        "(0..4).map(|k| m.write(i, k)); pure",
    );
    refused(
        "for_all(64, |i| { let l = (0..4).map(|k| m.write(i, k)).collect::<Vec<_>>(); pure(()) })?;",
        "(0..4).map(|k| m.write(i, k)).collect",
    );
    refused(
        "for_all(64, |i| { let mut n = 0; while n < 2 { n += 1; m.write(i, 1) } pure(()) })?;",
        "m.write(i, 1)",
    );
}

#[test]
fn what_is_run_returned_or_left_out_is_none() {
    accepted("for_all(64, |i| { m.write(i, c[i])?; pure(()) })?;");
    accepted("for_all(64, |i| { let p = m.write(i, c[i]); p?; p })?;");
    accepted("for_all(64, |i| { let p = later(m, i); if true { p } else { pure(()) } })?;");
    accepted("for_all(64, |i| { let p = later(m, i); if false { p } else { pure(()) } })?;");
    accepted("for_all(64, |i| when(false, m.write(i, 1)))?;");
    accepted("for_all(64, |i| { let p = m.write(i, 1); match 3 { 4 => p, _ => pure(()) } })?;");
    accepted("for_all(64, |i| { let p = m.write(i, 1); for k in 0..0 { p?; } pure(()) })?;");
    accepted("for_all(64, |i| { let p = m.write(i, 1); while false { p?; } pure(()) })?;");
    accepted("for_all(64, |i| { let p = m.write(i, 1); if true { return pure(()); } p })?;");
    accepted(
        "for_all(64, |i| { let l = vec![m.write(i, 1), m.write(i, 2)]; for p in l { p? } pure(()) })?;",
    );
    accepted(
        "for_all(64, |i| { for p in (0..4).map(|k| m.write(i, i + k)) { p?; break; } pure(()) })?;",
    );
    accepted("for_all(64, |i| cond(i > 3, m.write(i, 1), pure(())))?;");
    accepted("for_all(64, |i| { m.atomic_add(i, 1)?; pure(()) })?;");
    accepted("for_all(64, |i| (0..4).fold(pure(()), |p, k| p.and_then(|_| m.write(i, i + k))))?;");
    accepted("let p = sync(); p?; p?;");
    accepted("for_all(64, |i| rep(0, |x| { let q = m.write(i, 1); q.map(|_| x) }, 3).void())?;");
    accepted("let unused = iota(4);");
    accepted("compute(c)?;");
}

#[test]
fn several_of_one_call_are_one_error() {
    let said = said("for_all(64, |i| { for k in 0..4 { m.write(i, k) } pure(()) })?;");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("4 programs"), "{said:?}");
}

#[test]
fn each_dropped_program_is_reported() {
    let said = said("for_all(64, |i| { m.write(i, 1); later(m, i); pure(()) })?; sync();");
    assert_eq!(said.len(), 3, "{said:?}");
}
