//! Compilers that fail in every way, by stand-ins: each is an error of its kind, nothing is left
//! behind, and nothing goes on.
//!
//! The stand-ins are shell scripts that the tests write. What an environment or a full disk does is
//! tested in child processes.
#![cfg(unix)]

mod environment;
mod real;
mod stand_in;

use std::fs;
use std::time::Duration;

use obsidian_toolchain::{ErrorKind, Form, Nvcc};
use stand_in::{GOOD, PTX, folder, nvcc};

/// How a compilation by a stand-in ends, and what is left in the folder that it was given.
fn compile(name: &str, body: &str) -> (Result<Vec<u8>, obsidian_toolchain::Error>, Vec<String>) {
    let folder = folder(name);
    let nvcc = nvcc(&folder.join("nvcc"), body).with_limit(Duration::from_secs(60));
    let place = folder.join("place");
    fs::create_dir(&place).unwrap();
    let result = nvcc.compile("sums.cu", "// a text", "sm_90", Form::Ptx, &place);
    let left = fs::read_dir(&place)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    (result, left)
}

/// The error of a stand-in, which leaves nothing.
fn error(name: &str, body: &str) -> obsidian_toolchain::Error {
    let (result, left) = compile(name, body);
    assert!(left.is_empty(), "{left:?} is left");
    result.expect_err("a compiler that fails")
}

#[test]
fn a_compiler_gives_its_output_and_leaves_nothing() {
    let (result, left) = compile("good", GOOD);
    assert_eq!(String::from_utf8(result.unwrap()).unwrap(), PTX);
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_compiler_that_is_not_there_is_missing() {
    let folder = folder("missing");
    let error = Nvcc::at(folder.join("nvcc"))
        .compile("k.cu", "", "sm_90", Form::Ptx, &folder)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing);
    assert!(error.to_string().contains("missing/nvcc"), "{error}");
}

#[test]
fn a_file_that_is_not_executable_cannot_be_started() {
    let folder = folder("plain");
    fs::write(folder.join("nvcc"), "#!/bin/sh\n").unwrap();
    let error = Nvcc::at(folder.join("nvcc"))
        .compile("k.cu", "", "sm_90", Form::Ptx, &folder)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CannotStart);
    assert!(error.to_string().contains("is it executable?"), "{error}");
}

#[test]
fn a_script_without_its_interpreter_cannot_be_started() {
    let folder = folder("interpreter");
    stand_in::write(&folder.join("nvcc"), "#!/nowhere/sh\n");
    let error = Nvcc::at(folder.join("nvcc"))
        .compile("k.cu", "", "sm_90", Form::Ptx, &folder)
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CannotStart);
    assert!(error.to_string().contains("interpreter"), "{error}");
}

#[test]
fn a_text_that_is_refused_is_shown_with_the_compilers_words() {
    let error = error(
        "refused",
        "echo 'kernel.cu(3): error: identifier \"x\" is undefined' >&2; exit 2",
    );
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert_eq!(
        error.words(),
        "sums.cu(3): error: identifier \"x\" is undefined\n"
    );
    assert!(error.to_string().contains("exit status: 2"), "{error}");
}

#[test]
fn a_crash_is_no_output_even_if_there_is_a_file() {
    let error = error("crash", "touch output; kill -SEGV $$");
    assert_eq!(error.kind(), ErrorKind::Crashed);
    assert!(error.to_string().contains("signal: 11"), "{error}");
}

#[test]
fn a_crash_of_a_tool_is_a_crash() {
    let error = error(
        "tool",
        "touch output; echo \"nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)\" >&2; exit 11",
    );
    assert_eq!(error.kind(), ErrorKind::Crashed);
}

#[test]
fn success_without_a_whole_output_is_an_error() {
    for (name, body) in [
        ("nothing", "exit 0"),
        ("empty", ": > output"),
        ("part", "printf '.version 9.0\\n.entry k() {\\n' > output"),
    ] {
        assert_eq!(error(name, body).kind(), ErrorKind::NoOutput, "{name}");
    }
}

#[test]
fn a_program_is_made_with_the_callers_options_and_has_to_be_one() {
    let folder = folder("program");
    let program = |name: &str, body: &str| {
        let nvcc = nvcc(&folder.join(name), body);
        nvcc.program("main.cu", "// a text", "sm_90", &["-std=c++17"], &folder)
    };
    let made = program("good", "printf '\\177ELF %s' \"$*\" > output").unwrap();
    let words = String::from_utf8_lossy(&made).into_owned();
    assert!(
        words.contains("-std=c++17 -arch=sm_90 -o output") && !words.contains("fmad"),
        "{words}"
    );
    assert_eq!(
        program("text", "echo text > output").unwrap_err().kind(),
        ErrorKind::NoOutput
    );
    assert_eq!(
        program("refused", "echo 'main.cu: error' >&2; exit 1")
            .unwrap_err()
            .kind(),
        ErrorKind::Refused
    );
}

#[test]
fn what_a_killed_compiler_has_started_is_killed_too() {
    // The child would write the output a second later, as nvcc's tools do.
    let child = "(sleep 1; echo late > output; echo late > ../../late) &";
    for (name, end, kind) in [
        ("killed", "kill -KILL $$", Some(ErrorKind::Crashed)),
        ("fails", "exit 1", Some(ErrorKind::Refused)),
        ("ends", GOOD, None),
    ] {
        let (result, left) = compile(name, &format!("{child} {end}"));
        assert_eq!(result.err().map(|e| e.kind()), kind, "{name}");
        assert!(left.is_empty(), "{name}: {left:?}");
    }
    std::thread::sleep(Duration::from_millis(1500));
    for name in ["killed", "fails", "ends"] {
        let late = stand_in::path(name).join("late");
        assert!(
            !late.exists(),
            "{} was written by a process that should be dead",
            late.display()
        );
    }
}

#[test]
fn a_compiler_that_hangs_is_killed_with_what_it_has_started() {
    let folder = folder("hangs");
    let nvcc = nvcc(
        &folder.join("nvcc"),
        "(sleep 2; echo late > ../late) & echo working; wait",
    )
    .with_limit(Duration::from_millis(300));
    let error = nvcc
        .compile("sums.cu", "", "sm_90", Form::Ptx, &folder)
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.words()),
        (ErrorKind::TimedOut, "working\n")
    );
    std::thread::sleep(Duration::from_millis(2200));
    assert!(!folder.join("late").exists());
}

#[test]
fn a_process_that_leaves_the_group_does_not_hold_us_up() {
    // It has the pipe, and would have it for a minute.
    let (result, _) = compile(
        "daemon",
        &format!("setsid sleep 60 & echo $! > ../../daemon\n{GOOD}"),
    );
    assert_eq!(String::from_utf8(result.unwrap()).unwrap(), PTX);
    let daemon = fs::read_to_string(stand_in::path("daemon").join("daemon")).unwrap();
    // It may have ended before the group was left.
    let _ = std::process::Command::new("kill")
        .arg(daemon.trim())
        .status();
}

#[test]
fn a_hundred_megabytes_of_words_are_cut() {
    let error = error(
        "words",
        "yes 'a word' | head -c 100000000; echo the end; exit 1",
    );
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(error.words().len() < 40_000, "{}", error.words().len());
    assert!(error.words().contains("bytes left out]") && error.words().ends_with("the end\n"));
    let (result, _) = compile(
        "words_and_success",
        &format!("yes | head -c 100000000 >&2\n{GOOD}"),
    );
    assert_eq!(String::from_utf8(result.unwrap()).unwrap(), PTX);
}

#[test]
fn a_missing_host_compiler_is_told() {
    let error = error(
        "host",
        "echo 'nvcc fatal   : Failed to preprocess host compiler properties.' >&2; exit 1",
    );
    assert_eq!(error.kind(), ErrorKind::NoHostCompiler);
    assert!(error.to_string().contains("such as g++"), "{error}");
}

#[test]
fn spaces_quotes_and_other_letters_in_paths_do_no_harm() {
    for (n, name) in ["a folder", "größe ☃", "it's \"$HOME\" `date`;#", "-flag"]
        .into_iter()
        .enumerate()
    {
        let folder = folder(&format!("paths{n}")).join(name);
        fs::create_dir(&folder).unwrap();
        let ptx = nvcc(&folder.join("nvcc"), GOOD).compile("k.cu", "", "sm_90", Form::Ptx, &folder);
        assert_eq!(String::from_utf8(ptx.unwrap()).unwrap(), PTX, "{name}");
    }
}

#[test]
fn versions_are_read() {
    let folder = folder("versions");
    for (n, (said, release)) in [
        (
            "Cuda compilation tools, release 13.0, V13.0.88",
            Some((13, 0)),
        ),
        (
            "Cuda compilation tools, release 12.4, V12.4.131",
            Some((12, 4)),
        ),
        ("clang version 17.0.6", None),
        ("", None),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.join(format!("nvcc{n}"));
        stand_in::write(&path, &format!("#!/bin/sh\necho '{said}'\n"));
        match Nvcc::at(&path).release() {
            Ok(found) => assert_eq!(Some(found), release, "{said}"),
            Err(error) => assert_eq!(
                (error.kind(), release),
                (ErrorKind::Version, None),
                "{said}"
            ),
        }
    }
}
