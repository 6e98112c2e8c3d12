//! Which compiler is taken, and what happens when it breaks down: each in a child process with an
//! environment of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use obsidian_rt::compile::{Compiler, Target};

use crate::stand_in::{StandIn, kernel, skipped};

/// Says to a test that it is the child, and where it tells what it has seen.
const CHILD: &str = "OBSIDIAN_TEST_CHILD";

/// The library that stands in for NVRTC; none, which is said, where there is no rustc.
fn library(test: &str) -> Option<PathBuf> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let folder = StandIn::folder_of("library");
        fs::create_dir_all(&folder).unwrap();
        let (source, library) = (folder.join("nvrtc.rs"), folder.join("libnvrtc.so.13"));
        fs::write(&source, include_str!("nvrtc.rs")).unwrap();
        let rustc = Command::new("rustc")
            .args(["--edition=2024", "--crate-type=cdylib", "-o"])
            .args([&library, &source])
            .output();
        let output = rustc.ok()?;
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        Some(library)
    };
    let built = BUILT.get_or_init(build).clone();
    if built.is_none() {
        skipped(test, "there is no rustc here to make a library");
    }
    built
}

/// What a child sees that has these variables, and no other compiler.
fn seen(test: &str, name: &str, variables: &[(&str, &Path)]) -> String {
    let told = StandIn::folder_of(name).join("told");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", &format!("environment::{test}"), "--nocapture"])
        .env(CHILD, &told);
    for name in ["CUDA_PATH", "CUDA_HOME", "NVCC", "LD_LIBRARY_PATH"] {
        command.env_remove(name);
    }
    command
        .env("OBSIDIAN_NVCC", "")
        .env("OBSIDIAN_NVRTC", "")
        .env("OBSIDIAN_CACHE", "")
        .envs(variables.iter().copied());
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat())
    );
    fs::read_to_string(told).unwrap()
}

/// The child: compiles a kernel, and tells the result and the warnings. None for the test itself.
fn tell(names: &[&str], target: Target) -> Option<()> {
    let told = std::env::var_os(CHILD)?;
    let compiler = match Compiler::best() {
        Ok(compiler) => compiler,
        Err(error) => {
            fs::write(told, format!("{error:?}")).unwrap();
            return Some(());
        }
    };
    let mut text = String::new();
    for name in names {
        text += &match compiler.compile_one(&kernel(name, 1), &target) {
            Ok(compiled)
                if compiled
                    .ptx()
                    .is_some_and(|ptx| ptx.contains("by the library")) =>
            {
                format!("{name}: library\n")
            }
            Ok(compiled) => format!("{name}: {}\n", compiled.architecture()),
            Err(error) => format!("{name}: {error:?}\n"),
        };
    }
    fs::write(told, text + &compiler.warnings().join("\n")).unwrap();
    Some(())
}

#[test]
fn without_a_compiler_it_is_said_what_to_install() {
    let test = "without_a_compiler_it_is_said_what_to_install";
    if tell(&["added"], Target::ptx(9, 0)).is_some() {
        return;
    }
    StandIn::new("none", "");
    let seen = seen(test, "none", &[]);
    assert!(
        seen.starts_with("NoCompiler")
            && seen.contains("install CUDA")
            && seen.contains("OBSIDIAN_NVRTC"),
        "{seen}"
    );
}

#[test]
fn nvrtc_comes_first_and_nvcc_where_it_fails() {
    let test = "nvrtc_comes_first_and_nvcc_where_it_fails";
    if tell(&["added", "refused"], Target::device(9, 0, 13000)).is_some() {
        return;
    }
    let Some(library) = library(test) else { return };
    let stand_in = StandIn::new("first", "");
    let (nvcc, nowhere) = (stand_in.nvcc(), StandIn::folder_of("nowhere"));
    let with = |mode: &str, nvrtc: &Path, nvcc: &Path| {
        seen(
            test,
            "first",
            &[
                ("OBSIDIAN_NVRTC", nvrtc),
                ("OBSIDIAN_NVCC", nvcc),
                ("OBSIDIAN_STAND_IN", Path::new(mode)),
            ],
        )
    };
    let none = Path::new("");
    // What NVRTC refuses, nvcc is not asked for.
    let both = with("", &library, &nvcc);
    assert!(
        both.starts_with("added: library\nrefused: Compile:")
            && both.contains("refused.cu(1): error: no such luck"),
        "{both}"
    );
    assert_eq!(stand_in.runs(), 0);
    assert!(with("", none, &nvcc).starts_with("added: compute_90\n"));
    // What is not there, or breaks down, is one warning.
    for (mode, nvrtc, why) in [
        ("", &nowhere, "OBSIDIAN_NVRTC is"),
        ("builtins", &library, "failed to open libnvrtc-builtins"),
        ("empty", &library, "has made no code"),
        ("new", &library, "NVRTC 14.0"),
    ] {
        let seen = with(mode, nvrtc, &nvcc);
        assert!(seen.starts_with("added: compute_90\n"), "{seen}");
        assert_eq!(seen.matches(why).count(), 1, "{mode}: {seen}");
    }
    // Alone, it is the error.
    let alone = with("builtins", &library, none);
    assert!(
        alone.starts_with("added: Compile:") && alone.contains("failed to open libnvrtc-builtins"),
        "{alone}"
    );
    assert!(with("", &nowhere, none).starts_with("NoCompiler"));
    let new = with("new", &library, none);
    assert!(
        new.starts_with("added: NoTarget") && new.contains("NVRTC 14.0"),
        "{new}"
    );
    // A file that is no library.
    let seen = with("", &nvcc, none);
    assert!(
        seen.starts_with("NoCompiler") && seen.contains("OBSIDIAN_NVRTC is"),
        "{seen}"
    );
}

#[test]
fn the_users_folder_is_found_and_made_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let test = "the_users_folder_is_found_and_made_for_the_user_alone";
    if tell(&["added"], Target::ptx(9, 0)).is_some() {
        return;
    }
    let stand_in = StandIn::new("users", "");
    let (nvcc, home) = (stand_in.nvcc(), StandIn::folder_of("users"));
    let none = Path::new("relative");
    let folders: [(&str, [(&str, PathBuf); 3]); 3] = [
        (
            "named",
            [
                ("OBSIDIAN_CACHE", home.join("named")),
                ("XDG_CACHE_HOME", home.join("x")),
                ("HOME", home.clone()),
            ],
        ),
        (
            "xdg/obsidian",
            [
                ("OBSIDIAN_NVRTC", PathBuf::new()),
                ("XDG_CACHE_HOME", home.join("xdg")),
                ("HOME", home.clone()),
            ],
        ),
        (
            ".cache/obsidian",
            [
                ("OBSIDIAN_NVRTC", PathBuf::new()),
                ("XDG_CACHE_HOME", none.to_owned()),
                ("HOME", home.clone()),
            ],
        ),
    ];
    for (folder, variables) in folders {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", &format!("environment::{test}"), "--nocapture"])
            .env(CHILD, home.join("told"));
        command
            .env_remove("OBSIDIAN_CACHE")
            .env("OBSIDIAN_NVRTC", "")
            .env("OBSIDIAN_NVCC", &nvcc)
            .envs(variables);
        assert!(command.output().unwrap().status.success());
        assert_eq!(
            fs::read_to_string(home.join("told")).unwrap(),
            "added: compute_90\n"
        );
        let mode = fs::metadata(home.join(folder))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(
            (
                mode & 0o777,
                fs::read_dir(home.join(folder)).unwrap().count()
            ),
            (0o700, 1),
            "{folder}"
        );
    }
}
