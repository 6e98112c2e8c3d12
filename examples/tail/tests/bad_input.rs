//! The program `tail` with input that is wrong: one line with the place, a status that is not zero, no panic, and little memory.

#![allow(missing_docs)]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most memory that a process gets here, in KiB: all of its addresses together.
const MOST: u32 = 1 << 20;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

fn written(name: &str, text: &str) -> PathBuf {
    let file = folder().join(name);
    fs::write(&file, text).expect(name);
    file
}

/// What `tail` says of a file, in the one line that it writes.
fn said(command: &str, file: &Path) -> String {
    let limited = format!("ulimit -v {MOST}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(limited);
    let ran = shell
        .arg(env!("CARGO_BIN_EXE_tail"))
        .arg(command)
        .arg(file)
        .output();
    let ran = ran.expect("a shell");
    let error = String::from_utf8(ran.stderr).expect("a text");
    assert_eq!(ran.status.code(), Some(1), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(ran.stdout.is_empty(), "{file:?}");
    error.trim_end().to_owned()
}

/// A program that is refused before it runs: `check` and `run` say the same, behind the name of the file.
fn refused(name: &str, text: &str, wanted: &str) {
    let file = written(name, text);
    for command in ["check", "run", "kernels", "plot"] {
        let wanted = format!("{}:{wanted}", file.display());
        assert_eq!(said(command, &file), wanted, "{command}");
    }
}

/// A program that fails while it is built or run, with a message that has a text in it.
fn fails(name: &str, text: &str, wanted: &[&str]) {
    let said = said("run", &written(name, text));
    for wanted in wanted {
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn files_that_are_no_programs() {
    let none = folder().join("nothing.tail");
    assert_eq!(
        said("run", &none),
        format!("{}: No such file or directory (os error 2)", none.display())
    );
    let directory = folder();
    assert_eq!(
        said("run", &directory),
        format!("{}: Is a directory (os error 21)", directory.display())
    );
    let bytes = folder().join("bytes.tail");
    fs::write(&bytes, [0x31, 0xff, 0xfe]).unwrap();
    assert_eq!(
        said("run", &bytes),
        format!("{}: this is no text in UTF-8", bytes.display())
    );
    refused(
        "empty.tail",
        "",
        "1:1: expected an expression, found the end of the text",
    );
}

#[test]
fn a_hundred_megabytes_of_brackets() {
    let file = folder().join("brackets.tail");
    let mut out = File::create(&file).unwrap();
    let piece = vec![b'['; 1_000_000];
    (0..100).for_each(|_| out.write_all(&piece).unwrap());
    let wanted = "a program has at most 4194304 bytes, and this file has more";
    assert_eq!(said("run", &file), format!("{}: {wanted}", file.display()));
    fs::remove_file(&file).unwrap();
    // As many as are read.
    let text = "[".repeat(4 << 20);
    refused(
        "nested.tail",
        &text,
        "1:101: this is nested more than 100 times",
    );
    // A comment that has no end.
    refused(
        "comment.tail",
        &format!("(*{text}")[..4 << 20],
        "1:1: this comment has no end; write `*)` behind it",
    );
}

#[test]
fn mistakes_have_a_line_and_a_column() {
    refused(
        "primitive.tail",
        "let v1:[int]1 = iota(3) in\nlet v2:[int]1 = vrevers{[int],[1]}(v1) in 0.0",
        "2:17: there is no operator `vrevers`; is it `vreverse`?",
    );
    refused(
        "rank.tail",
        "let v1:[int]1 = transp{[int],[2]}(iota(3)) in 0.0",
        "1:35: argument 1 of `transp` has to be [int]2, and this is [int]1",
    );
    refused(
        "instance.tail",
        "let v1:[int]1 = each{[int],[1]}(negi,iota(3)) in 0.0",
        "1:21: the instance list of `each` is `{[a,b],[r]}`",
    );
    refused(
        "token.tail",
        "let v1:[int]1 = iota(3)\n in $ 0.0",
        "2:5: no token begins with `$`",
    );
    refused(
        "type.tail",
        "let v1:[double]1 = iota(3) in 0.0",
        "1:20: `v1` is declared as [double]1, and this is [int]1",
    );
    refused(
        "result.tail",
        "iota(3)",
        "1:1: a program gives a scalar double, and this one [int]1",
    );
}

#[test]
fn shapes_that_differ_are_found_when_they_are_known() {
    fails(
        "known.tail",
        "let v1:[int]1 = iota(3) in\nlet v2:[int]1 = prArrI(zipWith{[int,int,int],[1]}(addi,v1,iota(4))) in 0.0",
        &["known.tail:2:24: `zipWith` of arrays whose shapes differ: [3] and [4]"],
    );
    fails(
        "run.tail",
        "let v1:[int]1 = compress{[int],[1]}(each{[int,bool],[1]}(fn v9:[int]0 => gti(v9,50),iota(100)),iota(100)) in\nlet v2:[int]1 = prArrI(zipWith{[int,int,int],[1]}(addi,v1,iota(100))) in 0.0",
        &["with the extents 50 and 100", "run.tail:2:24"],
    );
}

#[test]
fn programs_that_need_too_much() {
    let of_rank_2 =
        "let v1:[int]2 = prArrI(reshape{[int],[1,2]}([1000000,1000000],iota(7))) in 0.0";
    fails(
        "elements.tail",
        of_rank_2,
        &["elements.tail:1:24: an array has at most 4,294,967,295 elements"],
    );
    fails(
        "folded.tail",
        "reduce{[double],[0]}(addd,0.0,reduce{[double],[1]}(addd,0.0,reshape{[double],[1,2]}([1000000,1000000],[1.0])))",
        &["folded.tail:1:61: an array has at most 4,294,967,295 elements"],
    );
    fails(
        "doubled.tail",
        "let v1:[int]1 = prArrI(power{[int],[1]}(fn v2:[int]1 => cat{[int],[1]}(v2,v2),40,[1])) in 0.0",
        &["doubled.tail:1:57: an array has at most 4,294,967,295 elements"],
    );
    fails(
        "taken.tail",
        "let v1:[int]1 = prArrI(take{[int],[1]}(-2147483648,[1])) in 0.0",
        &["the program needs 8589934592 bytes of memory, and gets 1073741824"],
    );
    // A number that only a run knows.
    fails(
        "counts.tail",
        "let v1:[int]1 = prArrI(replicate{[int],[1]}(0,mem{[int],[1]}([2000000000]),[1])) in 0.0",
        &[
            "what `replicate` makes fits into the memory of the program (at ",
            "counts.tail:1:24)",
        ],
    );
    fails(
        "endless.tail",
        "let v1:[int]0 = power{[int],[0]}(fn v2:[int]0 => prSclI(v2),2000000000,1) in 0.0",
        &["endless.tail:1:17: the host writes out the 2000000000 iterations of this loop"],
    );
}

/// Where a long program is, on standard error alone, and only where that is asked for: this is no terminal.
#[test]
fn long_programs_say_where_they_are() {
    let text = "let v1:[double]0 = powerScl{[double],[]}(fn v2:[double]0 => sin(addd(v2,1.0)),20000000,0.5) in\nlet v3:[double]0 = prSclD(v1) in v3";
    let file = written("long.tail", text);
    let run = |flags: &[&str]| {
        let mut tail = Command::new(env!("CARGO_BIN_EXE_tail"));
        tail.arg("run").arg(&file).args(flags).output().unwrap()
    };
    let asked = run(&["--progress"]);
    assert!(asked.status.success());
    let lines = String::from_utf8(asked.stderr).unwrap();
    let place = format!("{}:1:20: part 1: ", file.display());
    assert!(lines.lines().count() > 0, "it takes seconds");
    assert!(
        lines
            .lines()
            .all(|line| line.starts_with(&place) && line.ends_with(" s")),
        "{lines}"
    );
    let out = String::from_utf8(asked.stdout).unwrap();
    assert_eq!(out.lines().count(), 2, "{out}");
    let short = written("short.tail", "1.0");
    let quiet = Command::new(env!("CARGO_BIN_EXE_tail"))
        .args(["run", "--progress"])
        .arg(&short)
        .output()
        .unwrap();
    assert_eq!(
        (quiet.stdout, quiet.stderr),
        (b"[](1.0)\n".to_vec(), vec![])
    );
}
