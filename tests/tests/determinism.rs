//! The same tokens give the same bytes: in other processes, folders and locales; and an expansion
//! opens no file, asks for no address and starts no process of its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use obsidian_tests::fuzz::seeds::{files, modules_of};
use obsidian_tests::sweep::long;
use proc_macro2::TokenStream;

/// Expansions in processes of their own: for each locale twice, and with `OBSIDIAN_LONG=1` more.
fn processes() -> usize {
    if long() { 100 } else { 8 }
}
/// A variable that is another one in each process.
const NUMBER: &str = "OBSIDIAN_NUMBER_OF_A_PROCESS";

/// All modules of some examples, expanded.
fn expansions() -> String {
    let modules = ["examples/quickstart", "examples/histogram"]
        .into_iter()
        .flat_map(files)
        .flat_map(|file| modules_of(&file));
    let expanded = modules.map(|module| {
        // The name of the hidden macro has the place of the module in it, which is the same only
        // for the same table of sources.
        proc_macro2::extra::invalidate_current_thread_spans();
        obsidian_expand::kernels(
            TokenStream::new(),
            module.text.parse().expect("a module is made of tokens"),
        )
        .to_string()
    });
    expanded.collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "run by expansions_do_not_depend_on_process_folder_or_locale"]
fn a_process_of_its_own() {
    println!("BEGIN{}END", expansions());
}

#[test]
fn expansions_do_not_depend_on_process_folder_or_locale() {
    let expected = expansions();
    assert!(
        expected.contains("__global__") && !expected.contains("compile_error"),
        "the examples are expanded"
    );
    let locales = ["C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8"];
    let this = std::env::current_exe().expect("a process has a file");
    for n in 0..processes() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("folder-{}", n % 7));
        fs::create_dir_all(&folder).expect("temporary folders can be made");
        let mut command = Command::new(&this);
        command
            .args([
                "--exact",
                "a_process_of_its_own",
                "--nocapture",
                "--ignored",
            ])
            .current_dir(&folder)
            .env(NUMBER, n.to_string());
        command
            .env("LC_ALL", locales[n % 4])
            .env("LANG", locales[n / 4 % 4])
            .env("TZ", if n % 2 == 0 { "UTC" } else { "Asia/Tokyo" });
        command
            .env("HOME", &folder)
            .env("RANDOM_STATE", n.to_string());
        let output = command.output().expect("this test can be started again");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let printed = text
            .split_once("BEGIN")
            .and_then(|(_, rest)| rest.rsplit_once("END"))
            .map(|(printed, _)| printed);
        assert!(
            printed == Some(&*expected),
            "process {n} printed something else"
        );
    }
}

/// A crate with the macro, and the same without.
const WITH: &str = "use obsidian_rt::prelude::*;\n#[kernels] pub mod m { #[kernel] pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> { \
                    input.map(|x| x + 1).split_up(64).as_grid_map(|chunk| chunk.push()) } }\n";

/// The folder with the crates that this test was built with.
fn dependencies() -> PathBuf {
    let this = std::env::current_exe().expect("a process has a file");
    this.parent().expect("a file is in a folder").to_owned()
}

/// The newest library of a name.
fn library(name: &str) -> Option<PathBuf> {
    let list = fs::read_dir(dependencies())
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()));
    let named = |path: &PathBuf| {
        let file = path
            .file_name()
            .map(|f| f.to_string_lossy().into_owned())
            .unwrap_or_default();
        file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib")
    };
    list.filter(named)
        .max_by_key(|path| fs::metadata(path).and_then(|m| m.modified()).ok())
}

/// The system calls of a compiler run that reach out of the process, with the names that they have.
fn calls(name: &str, text: &str, library: &Path) -> Option<BTreeSet<String>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("strace-{name}"));
    fs::create_dir_all(&folder).expect("temporary folders can be made");
    fs::write(folder.join("lib.rs"), text).expect("temporary files can be written");
    let trace = folder.join("calls.txt");
    let mut command = Command::new("strace");
    command
        .args([
            "-f",
            "-qq",
            "-e",
            "trace=open,openat,socket,connect,execve,fork,vfork",
            "-o",
        ])
        .arg(&trace);
    command.arg(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args([
        "--edition",
        "2024",
        "--crate-type",
        "lib",
        "--crate-name",
        "traced",
        "--emit",
        "metadata",
        "--out-dir",
        "out",
    ]);
    command
        .arg("-L")
        .arg(dependencies())
        .arg("--extern")
        .arg(format!("obsidian_rt={}", library.display()))
        .arg("lib.rs");
    command.current_dir(&folder).output().ok()?;
    // The two folders have different names. Threads have numbers, and temporary files random names.
    let lines = fs::read_to_string(trace)
        .ok()?
        .replace(&*folder.to_string_lossy(), ".");
    let call = |line: &str| {
        line.split_once(' ').map(|(_, call)| {
            call.trim()
                .split(" = ")
                .next()
                .unwrap_or_default()
                .to_owned()
        })
    };
    Some(
        lines
            .lines()
            .filter_map(call)
            .filter(|call| {
                !call.contains("rmeta") && !call.contains("resumed") && !call.starts_with("+++")
            })
            .collect(),
    )
}

#[test]
#[ignore = "needs strace: .ci/run runs it"]
fn an_expansion_reaches_for_nothing() {
    let library = library("obsidian_rt").expect("the runtime crate is beside this test");
    // The same crate with an attribute of the language's own in place of the module, so that both
    // load the macros.
    let without = WITH.replace(
        "#[kernels] pub mod m {",
        "#[allow(unused)] pub mod m { use obsidian_rt::kernels; #[cfg(any())]",
    );
    let (with, without) = (
        calls("with", WITH, &library),
        calls("without", &without, &library),
    );
    let with = with.expect("strace can follow a compiler");
    let without = without.expect("strace can follow a compiler");
    println!(
        "{} calls with the expansion, {} without",
        with.len(),
        without.len()
    );
    assert!(
        with.iter().any(|call| call.contains("obsidian_macros")),
        "the macro was loaded: {with:?}"
    );
    let more: Vec<&String> = with.difference(&without).collect();
    // What rustc itself does only where there is code to look up: other crates' files are read when
    // a name of theirs is.
    let ours = more.iter().filter(|call| {
        !call.contains("/lib") && !call.contains("lib.rs") && !call.contains("/proc/self")
    });
    let ours: Vec<_> = ours.collect();
    assert!(ours.is_empty(), "an expansion reached for {ours:?}");
}
