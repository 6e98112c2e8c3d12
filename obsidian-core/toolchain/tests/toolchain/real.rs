//! The nvcc of this machine. `cargo test` counts these tests as ignored.

use std::fs;
use std::path::Path;
use std::process::Command;

use obsidian_toolchain::{ErrorKind, Form, Nvcc};

use crate::stand_in::folder;

const TEXT: &str = include_str!("../../../src/emit/cuda/tests/sums.cu");

/// The nvcc of this machine; it preprocesses with g++.
fn real() -> Nvcc {
    let found = Nvcc::find().unwrap().filter(|nvcc| nvcc.version().is_ok());
    found.expect("there is no nvcc here (OBSIDIAN_NVCC names one)")
}

#[test]
#[ignore = "needs nvcc, by OBSIDIAN_NVCC, and g++: .ci/run runs it"]
fn nvcc_compiles_in_any_folder() {
    let nvcc = real();
    for (n, name) in ["plain", "a folder", "größe ☃", "it's \"$HOME\""]
        .into_iter()
        .enumerate()
    {
        let folder = folder(&format!("real{n}")).join(name);
        fs::create_dir(&folder).unwrap();
        let ptx = nvcc
            .compile("sums.cu", TEXT, "sm_90", Form::Ptx, &folder)
            .unwrap();
        assert!(
            String::from_utf8(ptx)
                .unwrap()
                .contains(".visible .entry sums("),
            "{name}"
        );
        let cubin = nvcc
            .compile("sums.cu", TEXT, "sm_90", Form::Cubin, &folder)
            .unwrap();
        assert!(cubin.windows(4).any(|w| w == b"sums"), "{name}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{name}");
    }
}

#[test]
#[ignore = "needs nvcc, by OBSIDIAN_NVCC, and g++: .ci/run runs it"]
fn nvcc_links_a_program_that_runs() {
    let nvcc = real();
    let folder = folder("real_program");
    let text = "int main() { int count = 0; return cudaGetDeviceCount(&count) == cudaErrorInvalidValue ? 1 : 7; }\n";
    let program = nvcc
        .program("main.cu", text, "sm_90", &[], &folder)
        .unwrap();
    // A shell writes it: a file that this process has open for writing, or that a child it has just
    // forked has, cannot be executed.
    fs::write(folder.join("bytes"), program).unwrap();
    let status = Command::new("sh")
        .args(["-c", "cat bytes > main && chmod +x main && exec ./main"])
        .current_dir(&folder)
        .status();
    assert_eq!(status.unwrap().code(), Some(7));
}

#[test]
#[ignore = "needs nvcc, by OBSIDIAN_NVCC, and g++: .ci/run runs it"]
fn nvcc_says_what_it_refuses() {
    let nvcc = real();
    let folder = folder("real_refused");
    let error = nvcc
        .compile(
            "sums.cu",
            &TEXT.replacen("arr[thread]", "bar[thread]", 1),
            "sm_90",
            Form::Ptx,
            &folder,
        )
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(
        error.words().contains("sums.cu(") && error.words().contains("\"bar\""),
        "{error}"
    );
    let error = nvcc
        .compile("sums.cu", TEXT, "sm_12345", Form::Ptx, &folder)
        .unwrap_err();
    assert!(
        error.kind() == ErrorKind::Refused && error.words().contains("sm_12345"),
        "{error}"
    );
}

#[test]
#[ignore = "needs nvcc, by OBSIDIAN_NVCC, and g++: .ci/run runs it"]
fn nvcc_knows_its_version_and_architectures() {
    let nvcc = real();
    assert!(nvcc.release().unwrap() >= (11, 0));
    let list = nvcc.architectures().unwrap();
    assert!(list.contains(&(8, 0)) && list.is_sorted(), "{list:?}");
}

/// By a script that hides the host's compiler from nvcc.
#[test]
#[ignore = "needs nvcc, by OBSIDIAN_NVCC, and g++: .ci/run runs it"]
fn nvcc_without_a_host_compiler_is_told() {
    let nvcc = real();
    let folder = folder("real_host");
    let script = format!(
        "#!/bin/sh\nPATH={} exec '{}' \"$@\"\n",
        Path::new("/nowhere").display(),
        nvcc.path().display()
    );
    crate::stand_in::write(&folder.join("nvcc"), &script);
    let error = Nvcc::at(folder.join("nvcc"))
        .compile("sums.cu", TEXT, "sm_90", Form::Ptx, &folder)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoHostCompiler, "{error}");
}
