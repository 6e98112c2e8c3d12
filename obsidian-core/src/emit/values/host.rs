//! Compiles the CUDA text of many kernels as one C++ program, runs it, and compares.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::Case;
use crate::plan::lengths_used;
use crate::scalar::{Literal, ScalarType};

const FLAGS: &[&str] = &["-std=c++17", "-O1", "-fwrapv", "-ffp-contract=off"];

/// Checks the cases against `g++`, two programs at a time; where there is no `g++`, says so.
pub(super) fn check(cases: &[Case], name: &str) {
    if Command::new("g++").arg("--version").output().is_err() {
        // Not through `println!`, which the test runner keeps to itself.
        let words = "skipped: the values of CUDA text, because there is no g++ here\n";
        std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes()).unwrap();
        return;
    }
    let half = cases.len().div_ceil(2);
    std::thread::scope(|scope| {
        for (n, part) in cases.chunks(half.max(1)).enumerate() {
            scope.spawn(move || check_part(part, &format!("{name}-{n}")));
        }
    });
}

fn check_part(cases: &[Case], name: &str) {
    let folder =
        std::env::temp_dir().join(format!("obsidian-values-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join("kernels.cpp"), folder.join("kernels"));
    std::fs::write(&source, text(cases)).unwrap();
    let built = Command::new("g++")
        .args(FLAGS)
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let mut child = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input: Vec<u8> = cases
        .iter()
        .flat_map(|case| &case.inputs)
        .flat_map(|(ty, list)| list.iter().flat_map(|l| bytes(*ty, *l)))
        .collect();
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let mut rest = output.stdout.as_slice();
    for case in cases {
        let (ty, expected) = &case.expected;
        let (mine, others) = rest.split_at(expected.len() * ty.bytes() as usize);
        rest = others;
        let found: Vec<_> = mine
            .chunks(ty.bytes() as usize)
            .map(|bytes| literal(*ty, bytes))
            .collect();
        case.check("g++", &found);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

fn bytes(ty: ScalarType, literal: Literal) -> Vec<u8> {
    literal.bits().to_le_bytes()[..ty.bytes() as usize].to_vec()
}

fn literal(ty: ScalarType, bytes: &[u8]) -> Literal {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    Literal::from_bits(ty, u64::from_le_bytes(wide))
}

/// The program: each kernel in a namespace of its own, then a `main` that feeds them.
fn text(cases: &[Case]) -> String {
    let (mut kernels, mut main) = (
        include_str!("shim.h").to_owned(),
        String::from("int main() {\n"),
    );
    for (n, case) in cases.iter().enumerate() {
        let kernel = case.plan.kernel();
        writeln!(
            kernels,
            "namespace k{n} {{\n{}}}",
            crate::emit::cuda(&case.plan)
        )
        .unwrap();
        let used = lengths_used(&case.plan);
        let (mut arguments, mut lengths) = (Vec::new(), Vec::new());
        let buffers = case
            .inputs
            .iter()
            .map(|(ty, list)| (*ty, list.len(), true))
            .chain([(case.expected.0, case.expected.1.len(), false)]);
        main.push_str("    {\n");
        for ((m, (ty, length, is_input)), parameter) in buffers.enumerate().zip(&kernel.parameters)
        {
            writeln!(
                main,
                "        static {} p{m}[{length}];",
                crate::emit::cuda::types::name(ty)
            )
            .unwrap();
            if is_input {
                writeln!(main, "        take(p{m}, {length});").unwrap();
            }
            arguments.push(format!("p{m}"));
            if let crate::ir::ParameterKind::Array(array) = parameter.kind
                && used.contains(&array)
            {
                lengths.push(length.to_string());
            }
        }
        let (last, length) = (case.inputs.len(), case.expected.1.len());
        arguments.extend(lengths);
        writeln!(
            main,
            "        k{n}::{}({});\n        give(p{last}, {length});\n    }}",
            crate::emit::symbol(&kernel.name),
            arguments.join(", ")
        )
        .unwrap();
    }
    kernels + &main + "}\n"
}
