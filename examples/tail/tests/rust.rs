//! `tail rust`: programs are printed as Rust, built with cargo into one crate, and compared with what they have to print.
//!
//! The first build compiles obsidian's crates for that crate, which takes some minutes. So it is done only where `OBSIDIAN_LONG` is set: for the programs
//! of `programs/`, with small sizes, and for those of the reference implementation, if `OBSIDIAN_TAIL_PROGRAMS` names them.

mod comparing;
mod crate_of;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use comparing::{compared, folder, names, read, resized, run_on};
use obsidian_rt::Device;
use tail::parse::parse;
use tail::rust::{formatted, printed};

/// The programs of the reference implementation that do not print the same through `tail rust`, and why.
const OTHERWISE: [(&str, &str); 0] = [];

/// The sizes of the programs of `programs/`, the values of their first lines.
const SIZES: [(&str, u32); 7] = [
    ("blackscholes", 10),
    ("easter", 300),
    ("integral", 1000),
    ("life", 10),
    ("primes", 100),
    ("signal", 1000),
    ("sobolpi", 1000),
];

/// Programs for what those of others do not have: they print what `tail run` prints.
const OTHERS: [(&str, &str); 14] = [
    (
        "choice_of_arrays",
        "let v1:[int]0 = reduce{[int],[0]}(addi,0,iotaV(4)) in let v2:[int]1 = if gti(v1,9) then iota(v1) else iota(2) in let v3:[int]1 = prArrI(v2) in i2d(reduce{[int],[0]}(addi,0,v3))",
    ),
    (
        "choice_of_elements",
        "let v1:<int>4 = prArrI(eachV{[int,int],[4]}(fn v2:[int]0 => if gti(v2,2) then muli(v2,v2) else subi(0,v2),iotaV(4))) in 0.0",
    ),
    (
        "loop_with_effects",
        "let v1:[int]0 = powerScl{[int],[]}(fn v2:[int]0 => let v3:[int]0 = prSclI(v2) in addi(v3,v3),3,1) in i2d(v1)",
    ),
    (
        "loop_that_grows",
        "let v1:[int]1 = power{[int],[1]}(fn v2:[int]1 => cat{[int],[1]}(v2,each{[int,int],[1]}(fn v3:[int]0 => addi(v3,1),v2)),3,iota(2)) in let v4:[int]1 = prArrI(v1) in 0.0",
    ),
    (
        "loop_of_a_pair",
        "let v1:([int]1 * [int]0) = power{[int,int],[1,0]}(fn v2:([int]1 * [int]0) => (each{[int,int],[1]}(fn v3:[int]0 => addi(v3,Prj(1,v2)),Prj(0,v2)),addi(Prj(1,v2),1)),4,(iota(3),1)) in let v4:[int]1 = prArrI(Prj(0,v1)) in i2d(Prj(1,v1))",
    ),
    (
        "from_the_right",
        "let v1:[int]0 = prSclI(reduce{[int],[0]}(subi,0,iotaV(7))) in let v2:[int]1 = prArrI(scan{[int],[1]}(subi,0,iotaV(5))) in let v3:[int]0 = prSclI(reduce{[int],[0]}(fn v4:[int]0 => fn v5:[int]0 => subi(muli(2,v4),v5),0,iotaV(40))) in 0.0",
    ),
    (
        "rows_of_elements",
        "let v1:<int>3 = prArrI(eachV{[int,int],[3]}(fn v2:[int]0 => reduce{[int],[0]}(subi,0,each{[int,int],[1]}(fn v3:[int]0 => muli(v3,v2),iota(v2))),iotaV(3))) in 0.0",
    ),
    (
        "empty_vectors",
        "let v1:[int]1 = compress{[int],[1]}(eachV{[int,bool],[3]}(fn v2:[int]0 => gti(v2,9),iotaV(3)),iotaV(3)) in let v3:[int]0 = prSclI(reduce{[int],[0]}(addi,7,v1)) in let v4:[int]0 = prSclI(first{[int],[1]}(v1)) in let v5:[int]2 = prArrI(reshape{[int],[1,2]}([2,2],v1)) in let v6:[int]1 = prArrI(take{[int],[1]}(2,v1)) in 0.0",
    ),
    (
        "orders",
        "let v1:[int]1 = prArrI(gradeUp{[double],[]}([2.5,-1.0,2.5,0.0])) in let v2:[int]1 = prArrI(gradeDown{[int],[]}([3,1,2,3])) in 0.0",
    ),
    (
        "assignments",
        "let mv1:[int]2 = reshape{[int],[1,2]}([2,3],iotaV(6)) in let v2:[int]0 = reduce{[int],[0]}(addi,0,iotaV(2)) in let v3:[bool]0 = idxassign([2,v2],mv1,v2) in let v4:[int]2 = prArrI(mv1) in 0.0",
    ),
    (
        "texts_of_numbers",
        "let v1:[char]1 = prArrC(formatX(mulx(2.0j1.0,0.5j-1.0))) in let v2:[char]1 = prArrC(snoc{[char],[0]}(formatD(reduce{[double],[0]}(addd,0.0,eachV{[int,double],[3]}(i2d,iotaV(3)))),'!')) in 0.0",
    ),
    (
        "known_operands",
        "let v1:[double]1 = prArrD(each{[double,double],[1]}(fn v2:[double]0 => addd(powd(v2,0.5),addd(powd(v2,3.0),powd(v2,-1.0))),[4.0,0.25,inf])) in let v3:[int]1 = prArrI(each{[int,int],[1]}(fn v4:[int]0 => resi(7,v4),[-15,-14,-1,0,6,7])) in 0.0",
    ),
    (
        "a_long_vector",
        "let v1:[int]1 = [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,-39] in let v2:[int]1 = prArrI(each{[int,int],[1]}(fn v3:[int]0 => reduce{[int],[0]}(addi,0,each{[int,int],[1]}(fn v4:[int]0 => muli(v3,v4),v1)),v1)) in let v5:[char]1 = prArrC(vreverseV{[char],[3]}(['a','b','c'])) in 0.0",
    ),
    (
        "random_numbers",
        "let v1:[bool]0 = prSclB(reduce{[bool],[0]}(andb,tt,each{[double,bool],[1]}(fn v3:[double]0 => andb(gted(v3,0.0),ltd(v3,1.0)),each{[int,double],[1]}(fn v2:[int]0 => roll(0),iota(40))))) in 0.0",
    ),
];

/// A program, and what it has to print.
struct Case {
    name: String,
    rust: String,
    expected: String,
    folder: PathBuf,
}

fn rust(name: &str, text: &str) -> Result<String, String> {
    let program = parse(text).map_err(|mistake| mistake.shown(name, text))?;
    let printed = printed(&format!("{name}.tail"), text, &program);
    printed.map_err(|mistake| mistake.shown(name, text))
}

/// Programs of this file.
fn others() -> Vec<Case> {
    let case = |(name, text): &(&str, &str)| {
        let program = parse(text).expect(name);
        Case {
            name: (*name).to_owned(),
            rust: rust(name, text).unwrap_or_else(|error| panic!("{error}")),
            expected: run_on(&Device::cpu(), &program, text, Path::new(".")).expect(name),
            folder: PathBuf::from("."),
        }
    };
    OTHERS.iter().map(case).collect()
}

/// The programs of `programs/` with small sizes: they print what `tail run` prints.
fn own() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let case = |(name, size): &(&str, u32)| {
        let text = read(&folder.join(format!("{name}.tail")));
        let text = resized(&text, *size);
        let program = parse(&text).expect(name);
        Case {
            name: (*name).to_owned(),
            rust: rust(&format!("own_{name}"), &text).expect(name),
            expected: run_on(&Device::cpu(), &program, &text, &folder).expect(name),
            folder: folder.clone(),
        }
    };
    SIZES.iter().map(case).collect()
}

/// Those of the reference implementation that are not listed.
fn reference(folder: &Path) -> Vec<Case> {
    let is_listed = |name: &String| OTHERWISE.iter().any(|(other, _)| other == name);
    let names = names(folder).into_iter().filter(|name| !is_listed(name));
    let case = |name: String| Case {
        rust: rust(&name, &read(&folder.join(format!("{name}.tail")))).expect(&name),
        expected: read(&folder.join(format!("{name}.out"))),
        folder: folder.to_owned(),
        name,
    };
    names.map(case).collect()
}

#[test]
fn printed_programs_print_what_they_have_to() {
    if std::env::var_os("OBSIDIAN_LONG").is_none() {
        let skipped = "skipped: building the programs that `tail rust` prints, which compiles the library once more, because OBSIDIAN_LONG is not set";
        let _ = writeln!(std::io::stderr(), "{skipped}");
        return;
    }
    let mut cases = own();
    cases.extend(others());
    cases.extend(folder().iter().flat_map(|folder| reference(folder)));
    let program = built(&cases);
    let differences = cases.iter().enumerate().filter_map(|(number, case)| {
        let difference = compare(&program, number, case).err()?;
        Some(format!("{}: {difference}", case.name))
    });
    let differences: Vec<String> = differences.collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn compare(program: &Path, number: usize, case: &Case) -> Result<(), String> {
    let number = number.to_string();
    let output = Command::new(program).arg(number).arg(&case.folder).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    compared(&String::from_utf8_lossy(&output.stdout), &case.expected)
}

/// One crate of all programs: no warning is allowed in it.
fn built(cases: &[Case]) -> PathBuf {
    let modules: Vec<&str> = cases.iter().map(|case| case.rust.as_str()).collect();
    crate_of::built(
        "tail-rust-programs",
        &modules,
        &main_file(cases.len()),
        false,
    )
}

fn main_file(count: usize) -> String {
    let mut text = String::from("//! Printed programs.\n#![deny(warnings)]\n");
    // A text in memory takes all that is written to it.
    for number in 0..count {
        let _ = writeln!(text, "mod program_{number};");
    }
    text += "fn main() {\n    let mut words = std::env::args().skip(1);\n    let number = words.next().unwrap_or_default();\n    let host = tail::rust::support::Host::new(words.next().unwrap_or_default(), 1);\n    let device = obsidian_rt::Device::cpu();\n    let mut print = |array: &tail::value::Array| println!(\"{}\", tail::print::printed(array));\n    let ran = match number.as_str() {\n";
    for number in 0..count {
        let _ = writeln!(
            text,
            "        \"{number}\" => program_{number}::run(&device, &host, &mut print),"
        );
    }
    text + "        _ => panic!(\"no program has the number {number}\"),\n    };\n    if let Err(error) = ran {\n        eprintln!(\"{error}\");\n        std::process::exit(1);\n    }\n}\n"
}

#[test]
fn every_reference_program_is_printed() {
    let Some(folder) = folder() else { return };
    let names = names(&folder);
    let printed = reference(&folder).len();
    assert!(
        printed >= 75 && printed + OTHERWISE.len() == names.len(),
        "{printed} of {}",
        names.len()
    );
}

#[test]
fn printed_files_are_as_rustfmt_writes_them() {
    for case in own() {
        let once = formatted(case.rust);
        assert_eq!(formatted(once.clone()), once, "{}", case.name);
    }
}

/// Why a program is not printed.
fn refusal(text: &str) -> String {
    rust("program", text).expect_err("it is refused")
}

#[test]
fn a_rank_above_three_is_refused_at_its_place() {
    let text =
        "let v1:[int]4 = reshape{[int],[1,4]}([1,2,1,2],iotaV(4)) in\ni2d(first{[int],[4]}(v1))";
    let refused = refusal(text);
    assert!(
        refused.starts_with("program:1:17: an array of rank 4"),
        "{refused}"
    );
}

#[test]
fn printing_in_a_function_of_elements_is_refused() {
    let text = "let v1:<int>3 = eachV{[int,int],[3]}(fn v2:[int]0 => prSclI(v2),iotaV(3)) in\n0.0";
    assert!(
        refusal(text).contains("needed before the function of elements"),
        "{}",
        refusal(text)
    );
}

#[test]
fn names_of_the_program_are_kept() {
    let text = "let v1:<int>3 = iotaV(3) in\nlet v4:[int]1 = each{[int,int],[1]}(fn v3:[int]0 => addi(v3,1),v1) in\ni2d(reduce{[int],[0]}(addi,0,v4))";
    let printed = rust("program", text).expect("it is printed");
    for line in [
        "let v1 = generate(3, |i| i as i32 + 1);",
        "let v4 = v1.map(|v3| v3 + 1);",
        "// let v4:[int]1 = each",
    ] {
        assert!(printed.contains(line), "{printed}");
    }
}

#[test]
fn a_number_that_data_decide_ends_a_part() {
    let text = "let v1:[int]0 = reduce{[int],[0]}(addi,0,iotaV(3)) in\ni2d(reduce{[int],[0]}(addi,0,iota(v1)))";
    let printed = rust("program", text).expect("it is printed");
    let value = printed.find("let v1_value: i32 = v1.value()?;");
    let second = printed.find("program_parts::part_2::run(device, support::length(v1_value)?)?");
    assert!(value.is_some() && value < second, "{printed}");
}
