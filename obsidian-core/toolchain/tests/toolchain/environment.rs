//! What the environment does to a compilation: variables, full disks, folders that cannot be
//! written to. Each in a child process.

use std::fs;
use std::path::Path;
use std::process::Command;

use obsidian_toolchain::{ErrorKind, Form, Nvcc};

use crate::stand_in::{GOOD, PTX, folder, nvcc, path, skipped};

/// Says to a test that it is the child.
const CHILD: &str = "OBSIDIAN_TEST_CHILD";

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// Runs one test of this file again, in a child process made by `change`.
fn again(test: &str, change: impl FnOnce(&mut Command)) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", &format!("environment::{test}"), "--nocapture"])
        .env(CHILD, "1");
    change(&mut command);
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&said)
    );
}

#[test]
fn flags_from_outside_do_not_count() {
    let name = "flags";
    if is_child() {
        assert!(std::env::var_os("NVCC_APPEND_FLAGS").is_some());
        Nvcc::at(path(name).join("nvcc"))
            .compile("k.cu", "", "sm_90", Form::Ptx, &path(name))
            .unwrap();
        return;
    }
    let folder = folder(name);
    nvcc(
        &folder.join("nvcc"),
        &format!("env > ../env; echo \"$@\" > ../flags\n{GOOD}"),
    );
    again("flags_from_outside_do_not_count", |child| {
        child
            .env("NVCC_APPEND_FLAGS", "-use_fast_math")
            .env("NVCC_PREPEND_FLAGS", "-G");
    });
    assert_eq!(
        fs::read_to_string(folder.join("flags")).unwrap().trim(),
        "-ptx -fmad=false -arch=sm_90 -o output kernel.cu"
    );
    let env = fs::read_to_string(folder.join("env")).unwrap();
    assert!(!env.contains("PEND_FLAGS"), "{env}");
}

/// What `Nvcc::find` gives in this process, printed.
#[test]
fn variables_are_looked_at_in_order() {
    let name = "variables";
    if is_child() {
        let found = match Nvcc::find() {
            Ok(found) => found.map_or("none".to_owned(), |nvcc| nvcc.path().display().to_string()),
            Err(error) => format!("{:?}", error.kind()),
        };
        fs::write(path(name).join("found"), found).unwrap();
        return;
    }
    let folder = folder(name);
    for place in ["a", "b", "c/bin", "d/bin", "e"] {
        fs::create_dir_all(folder.join(place)).unwrap();
        nvcc(&folder.join(place).join("nvcc"), GOOD);
    }
    let at = |place: &str| folder.join(place).display().to_string();
    let (a, b, c, d, e) = (at("a/nvcc"), at("b/nvcc"), at("c"), at("d"), at("e"));
    let found = |variables: &[(&str, &str)]| {
        again("variables_are_looked_at_in_order", |child| {
            for name in ["OBSIDIAN_NVCC", "NVCC", "CUDA_PATH", "CUDA_HOME"] {
                child.env_remove(name);
            }
            child.env("PATH", "").envs(variables.iter().copied());
        });
        fs::read_to_string(folder.join("found")).unwrap()
    };
    let all = [
        ("OBSIDIAN_NVCC", &*a),
        ("NVCC", &b),
        ("CUDA_PATH", &c),
        ("CUDA_HOME", &d),
        ("PATH", &e),
    ];
    let expected = [
        &a,
        &b,
        &format!("{c}/bin/nvcc"),
        &format!("{d}/bin/nvcc"),
        &format!("{e}/nvcc"),
    ];
    for (first, expected) in expected.into_iter().enumerate() {
        assert_eq!(&found(&all[first..]), expected);
    }
    assert_eq!(found(&[]), "none");
    assert_eq!(found(&[("OBSIDIAN_NVCC", ""), ("PATH", &e)]), "none");
    assert_eq!(
        found(&[("OBSIDIAN_NVCC", &at("nowhere")), ("PATH", &e)]),
        "Missing"
    );
    assert_eq!(
        found(&[("NVCC", &at("nowhere")), ("CUDA_PATH", ""), ("PATH", &e)]),
        expected[4].as_str()
    );
}

/// Runs a test again where `place` is a small disk of its own, or says why it cannot.
fn on_a_disk(test: &str, place: &Path, options: &str) -> bool {
    let mount = |rest: &str| format!("mount -t tmpfs -o {options} tmpfs \"$0\" && {rest}");
    let can = Command::new("unshare")
        .args(["-m", "sh", "-c", &mount("true")])
        .arg(place)
        .output();
    if !can.is_ok_and(|output| output.status.success()) {
        skipped(test, "no disk can be mounted here");
        return false;
    }
    let exe = std::env::current_exe().unwrap();
    let run = mount("exec \"$1\" --exact \"$2\" --nocapture");
    let output = Command::new("unshare")
        .args(["-m", "sh", "-c", &run])
        .args([place.as_os_str(), exe.as_os_str()])
        .arg(format!("environment::{test}"))
        .env(CHILD, "1")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat())
    );
    true
}

/// A stand-in that fills the disk and then does what nvcc does: it ends with success, or breaks
/// down, and leaves an empty file.
#[test]
fn a_full_disk_is_told_and_leaves_nothing() {
    let (name, place) = ("full", path("full").join("place"));
    if is_child() {
        for (body, kinds) in [
            (
                "head -c 1000000 /dev/zero > filling; : > output; exit 0",
                [ErrorKind::NoOutput, ErrorKind::NoSpace],
            ),
            (
                "head -c 1000000 /dev/zero > filling 2>&1; : > output; kill -SEGV $$",
                [ErrorKind::Crashed, ErrorKind::Crashed],
            ),
            (
                "cat /dev/zero > output; exit 1",
                [ErrorKind::NoSpace, ErrorKind::NoSpace],
            ),
        ] {
            let error = nvcc(&path(name).join("nvcc"), body)
                .compile("k.cu", "", "sm_90", Form::Ptx, &place)
                .unwrap_err();
            assert!(kinds.contains(&error.kind()), "{error:?}");
            assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
        }
        // The text alone is too large.
        let text = "/".repeat(1 << 20);
        let error = nvcc(&path(name).join("nvcc"), GOOD)
            .compile("k.cu", &text, "sm_90", Form::Ptx, &place)
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoSpace, "{error}");
        assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
        // And with space there is an output.
        let ptx = nvcc(&path(name).join("nvcc"), GOOD)
            .compile("k.cu", "", "sm_90", Form::Ptx, &place)
            .unwrap();
        assert_eq!(String::from_utf8(ptx).unwrap(), PTX);
        return;
    }
    folder(name);
    fs::create_dir(&place).unwrap();
    on_a_disk("a_full_disk_is_told_and_leaves_nothing", &place, "size=64k");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told() {
    let (name, place) = ("read_only", path("read_only").join("place"));
    if is_child() {
        let error = nvcc(&path(name).join("nvcc"), GOOD)
            .compile("k.cu", "", "sm_90", Form::Ptx, &place)
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Folder, "{error}");
        assert!(error.to_string().contains("place"), "{error}");
        return;
    }
    let folder = folder(name);
    fs::create_dir(&place).unwrap();
    on_a_disk("a_folder_that_cannot_be_written_to_is_told", &place, "ro");
    // A file is no folder, wherever we are.
    fs::write(folder.join("file"), "").unwrap();
    let error = nvcc(&folder.join("nvcc"), GOOD)
        .compile("k.cu", "", "sm_90", Form::Ptx, &folder.join("file"))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Folder, "{error}");
}
