//! The build script's side: from source files to files.

use std::fs;
use std::path::PathBuf;

use obsidian_build::{ErrorKind, Kernels};
use obsidian_core::source::Library;

/// A fresh folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("build")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

pub const KERNEL: &str = "#[kernels(built)]
pub mod maps {
    /// Adds one.
    #[kernel(threads = 64)]
    pub fn increment(input: DPull<EI32>) -> DPush<Grid, EI32> {
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x + 1).push::<Block>())
    }
}
";

fn names(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|n| !n.ends_with(".ptx"))
        .collect();
    names.sort();
    names
}

#[test]
fn each_kernel_gives_its_text_and_its_manifest() {
    let folder = folder("texts");
    fs::write(folder.join("lib.rs"), KERNEL).unwrap();
    Kernels::new()
        .source(folder.join("lib.rs"))
        .out_dir(&folder)
        .compile()
        .unwrap();
    let out = folder.join("obsidian");
    assert_eq!(
        names(&out),
        ["index.rs", "maps.increment.cu", "maps.increment.json"]
    );
    let cuda = fs::read_to_string(out.join("maps.increment.cu")).unwrap();
    assert!(cuda.contains("increment("), "{cuda}");
    let manifest: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(out.join("maps.increment.json")).unwrap())
            .unwrap();
    assert_eq!(manifest["kernel"], "increment");
    assert_eq!(manifest["threads"], 64);
}

#[test]
fn kernels_are_found_in_the_files_that_a_file_declares() {
    let folder = folder("files");
    fs::create_dir_all(folder.join("outer")).unwrap();
    fs::write(folder.join("lib.rs"), "mod outer;\nmod beside { }\n").unwrap();
    fs::write(folder.join("outer.rs"), "pub mod inner;").unwrap();
    fs::write(folder.join("outer").join("inner.rs"), KERNEL).unwrap();
    Kernels::new()
        .source(folder.join("lib.rs"))
        .out_dir(&folder)
        .compile()
        .unwrap();
    assert!(folder.join("obsidian").join("maps.increment.cu").is_file());
}

#[test]
fn a_kernel_that_is_no_more_leaves_no_files() {
    let folder = folder("stale");
    fs::write(folder.join("lib.rs"), KERNEL).unwrap();
    Kernels::new()
        .source(folder.join("lib.rs"))
        .out_dir(&folder)
        .compile()
        .unwrap();
    fs::write(
        folder.join("lib.rs"),
        KERNEL.replace("increment", "successor"),
    )
    .unwrap();
    Kernels::new()
        .source(folder.join("lib.rs"))
        .out_dir(&folder)
        .compile()
        .unwrap();
    assert_eq!(
        names(&folder.join("obsidian")),
        ["index.rs", "maps.successor.cu", "maps.successor.json"]
    );
}

#[test]
fn a_mistake_has_its_file_line_and_column_and_writes_nothing() {
    let folder = folder("mistake");
    fs::write(folder.join("lib.rs"), KERNEL.replace("x + 1)", "x + 1.5)")).unwrap();
    let error = Kernels::new()
        .source(folder.join("lib.rs"))
        .out_dir(&folder)
        .compile()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Kernel);
    let text = error.to_string();
    assert!(text.contains("lib.rs:6:"), "{text}");
    assert!(
        text.contains("\n6 | ") && text.contains("x + 1.5)"),
        "{text}"
    );
    assert!(!folder.join("obsidian").exists());
}

/// What a build script prints, and whether it succeeds: this very program, with `OUT_DIR` as cargo sets it.
fn as_a_script(folder: &std::path::Path) -> (bool, String) {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "build::is_a_build_script",
            "--nocapture",
            "--ignored",
        ])
        .env("OUT_DIR", folder)
        .env("OBSIDIAN_NVCC", "")
        .env("OBSIDIAN_NVRTC", "")
        .output()
        .unwrap();
    (
        output.status.success(),
        String::from_utf8(output.stdout).unwrap(),
    )
}

#[test]
#[ignore = "run by other tests"]
fn is_a_build_script() {
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").unwrap());
    Kernels::new()
        .source(folder.join("lib.rs"))
        .compile()
        .unwrap();
}

#[test]
fn a_mistake_in_a_source_warns_and_never_fails_a_build_script() {
    let folder = folder("mistaken");
    let index = || fs::read_to_string(folder.join("obsidian").join("index.rs")).unwrap();
    for (source, words) in [
        (KERNEL.replace("x + 1)", "x + 1.5)"), "lib.rs:6:"),
        ("fn f( {".to_owned(), "lib.rs:1:"),
        (KERNEL.replace("x + 1)", "x +)"), "lib.rs:6:"),
    ] {
        fs::write(folder.join("lib.rs"), source).unwrap();
        let (succeeds, said) = as_a_script(&folder);
        assert!(succeeds, "{said}");
        let warning = said
            .lines()
            .find(|line| line.starts_with("cargo::warning=no kernels are compiled"));
        assert!(warning.is_some_and(|line| line.contains(words)), "{said}");
        // It is asked again when the file or a variable changes.
        assert!(
            said.contains("cargo::rerun-if-changed=")
                && said.contains("cargo::rerun-if-env-changed=OBSIDIAN_ARCH"),
            "{said}"
        );
        assert_eq!(index(), "&[(\"\", \"\", \"\", &[], &[])]\n");
    }
    fs::write(folder.join("lib.rs"), KERNEL).unwrap();
    let (succeeds, said) = as_a_script(&folder);
    assert!(
        succeeds && index().contains("\"increment\""),
        "{said}\n{}",
        index()
    );
    // What is not in a source file is an error as before.
    fs::remove_file(folder.join("lib.rs")).unwrap();
    assert!(!as_a_script(&folder).0);
}

#[test]
fn a_source_that_is_not_there_or_not_rust_is_an_error() {
    let folder = folder("sources");
    let error = Kernels::new()
        .source(folder.join("none.rs"))
        .out_dir(&folder)
        .compile()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Source);
    fs::write(folder.join("lib.rs"), "fn f( {").unwrap();
    let error = Kernels::new()
        .source(folder.join("lib.rs"))
        .out_dir(&folder)
        .compile()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Source);
    fs::write(
        folder.join("lib.rs"),
        format!("const X: u32 = {}1{};", "(".repeat(5000), ")".repeat(5000)),
    )
    .unwrap();
    let error = Kernels::new()
        .source(folder.join("lib.rs"))
        .out_dir(&folder)
        .compile()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Source);
    assert!(error.to_string().contains("128"), "{error}");
}

#[test]
fn the_same_source_gives_the_same_bytes() {
    let folder = folder("bytes");
    fs::write(folder.join("lib.rs"), KERNEL).unwrap();
    let compile = |out: &str| {
        let out = folder.join(out);
        Kernels::new()
            .source(folder.join("lib.rs"))
            .out_dir(&out)
            .compile()
            .unwrap();
        let read = |name: &str| fs::read(out.join("obsidian").join(name)).unwrap();
        names(&out.join("obsidian"))
            .iter()
            .map(|name| read(name))
            .collect::<Vec<_>>()
    };
    assert_eq!(compile("one"), compile("two"));
}

const LIBRARY: &str = "pub mod library {
    pub fn twice(x: EU32) -> EU32 { once(once(x)) }
    use crate::basis::once;
}";

const USER: &str = "mod inner {
    #[kernels]
    pub mod user {
        use crate::library::twice;
        #[kernel(threads = 64)]
        pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
            input.split_up(64).as_grid_map(|chunk| chunk.map(twice).push())
        }
    }
}
#[kernels] mod basis { pub fn once(x: EU32) -> EU32 { x + 1 } }
";

#[test]
fn a_module_finds_those_of_its_crate_that_it_uses() {
    let folder = folder("uses");
    fs::write(
        folder.join("lib.rs"),
        format!("mod other;\n{USER}#[kernels] {LIBRARY}"),
    )
    .unwrap();
    // Of two modules of one name the path decides.
    fs::write(
        folder.join("other.rs"),
        "#[kernels] mod library { pub fn twice(x: EU32) -> EU32 { x * 2 } }",
    )
    .unwrap();
    Kernels::new()
        .source(folder.join("lib.rs"))
        .out_dir(&folder)
        .compile()
        .unwrap();
    let cuda = fs::read_to_string(folder.join("obsidian").join("user.doubled.cu")).unwrap();
    assert!(
        cuda.contains("] + 1 + 1") || cuda.contains("] + 2;"),
        "{cuda}"
    );
}

#[test]
fn a_hash_covers_what_is_used() {
    let hash = |name: &str, basis: &str| {
        let folder = folder(name);
        fs::write(
            folder.join("lib.rs"),
            format!("{}#[kernels] {LIBRARY}", USER.replace("x + 1", basis)),
        )
        .unwrap();
        Kernels::new()
            .source(folder.join("lib.rs"))
            .out_dir(&folder)
            .compile()
            .unwrap();
        let manifest =
            fs::read_to_string(folder.join("obsidian").join("user.doubled.json")).unwrap();
        serde_json::from_str::<serde_json::Value>(&manifest).unwrap()["source_hash"].to_string()
    };
    let (one, again, other) = (
        hash("hash_one", "x + 1"),
        hash("hash_again", "x  +  1"),
        hash("hash_other", "x + 3"),
    );
    assert_eq!(one, again);
    assert_ne!(one, other);
}

#[test]
fn a_library_that_is_not_given_is_an_error_that_says_what_to_write() {
    let folder = folder("missing");
    fs::write(
        folder.join("lib.rs"),
        USER.replace("crate::library", "dep::library"),
    )
    .unwrap();
    let error = Kernels::new()
        .source(folder.join("lib.rs"))
        .out_dir(&folder)
        .compile()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Setup);
    let text = error.to_string();
    assert!(
        text.contains("lib.rs:4:13") && text.contains("`.library(dep::library::SOURCE)`"),
        "{text}"
    );
}

#[test]
fn a_library_of_another_crate_brings_along_what_it_uses() {
    const BASIS: Library = Library {
        path: "dep::basis",
        text: "pub fn once(x: EU32) -> EU32 { x + 7 }",
        uses: Vec::new,
    };
    let (text, path) = (
        "pub fn twice(x: EU32) -> EU32 { once(x) } use super::basis::once;",
        "dep::library",
    );
    let library = Library {
        path,
        text,
        uses: || vec![BASIS],
    };
    let folder = folder("library");
    fs::write(
        folder.join("lib.rs"),
        USER.replace("crate::library", "dep::library"),
    )
    .unwrap();
    Kernels::new()
        .source(folder.join("lib.rs"))
        .library(library)
        .out_dir(&folder)
        .compile()
        .unwrap();
    let cuda = fs::read_to_string(folder.join("obsidian").join("user.doubled.cu")).unwrap();
    assert!(cuda.contains("] + 7"), "{cuda}");
}

#[test]
fn a_mistake_in_a_library_is_shown_at_the_call() {
    let library = Library {
        path: "dep::library",
        text: "pub fn twice(x: EU32) -> EU32 { x + 1.5f32 }",
        uses: Vec::new,
    };
    let folder = folder("inside");
    fs::write(
        folder.join("lib.rs"),
        USER.replace("crate::library", "dep::library"),
    )
    .unwrap();
    let error = Kernels::new()
        .source(folder.join("lib.rs"))
        .library(library)
        .out_dir(&folder)
        .compile()
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("lib.rs:7:") && text.contains("`twice` of `dep::library`"),
        "{text}"
    );
}

/// A build script's call with a stand-in for nvcc, in a child process that has it in its
/// environment. What it gives, and the files.
#[cfg(unix)]
fn with_nvcc(name: &str, body: &str) -> (String, Vec<String>) {
    let folder = folder(name);
    fs::write(folder.join("lib.rs"), KERNEL).unwrap();
    // It does not say which it is, so that nothing of it is kept.
    stand_in(
        &folder,
        &format!("[ \"$1\" = --version ] && exit 1\n{body}"),
    );
    let arch = name.strip_prefix("for_");
    built_in(&folder, arch)
}

/// Writes a program that stands in for nvcc.
#[cfg(unix)]
pub fn stand_in(folder: &std::path::Path, body: &str) {
    use std::io::Write;
    use std::process::{Command, Stdio};
    // A shell writes it: what this process has open for writing cannot be executed.
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
        .arg(folder.join("nvcc"))
        .stdin(Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    shell
        .stdin
        .take()
        .unwrap()
        .write_all(format!("#!/bin/sh\n{body}\n").as_bytes())
        .unwrap();
    assert!(shell.wait().unwrap().success());
}

/// The call, in a folder with sources and the stand-in.
#[cfg(unix)]
fn built_in(folder: &std::path::Path, arch: Option<&str>) -> (String, Vec<String>) {
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child
        .args([
            "--exact",
            "build::a_compiler_that_fails_is_told_and_leaves_no_ptx",
        ])
        .env("OBSIDIAN_NVCC", folder.join("nvcc"))
        .envs(arch.map(|arch| ("OBSIDIAN_ARCH", arch)));
    let output = child.env("OBSIDIAN_TEST_FOLDER", folder).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat())
    );
    let mut files: Vec<String> = fs::read_dir(folder.join("obsidian"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    (fs::read_to_string(folder.join("told")).unwrap(), files)
}

#[test]
#[cfg(unix)]
fn a_compiler_that_fails_is_told_and_leaves_no_ptx() {
    if let Some(folder) = std::env::var_os("OBSIDIAN_TEST_FOLDER").map(PathBuf::from) {
        let told = match Kernels::new()
            .source(folder.join("lib.rs"))
            .out_dir(&folder)
            .compile()
        {
            Ok(()) => "compiled".to_owned(),
            Err(error) => format!(
                "{:?} {:?} {error}",
                error.kind(),
                error.compiler().map(|compiler| compiler.kind())
            ),
        };
        return fs::write(folder.join("told"), told).unwrap();
    }
    let texts = ["maps.increment.cu", "maps.increment.json"];
    for (name, body, kind) in [
        (
            "nvcc_refuses",
            "echo 'kernel.cu(7): error: no such luck'; exit 2",
            "Refused",
        ),
        ("nvcc_writes_nothing", ": > output", "NoOutput"),
        (
            "nvcc_writes_a_part",
            "echo '.version 9.0 {' > output",
            "NoOutput",
        ),
        ("nvcc_breaks_down", ": > output; kill -SEGV $$", "Crashed"),
    ] {
        let (told, files) = with_nvcc(name, body);
        assert!(
            told.starts_with(&format!("Compiler Some({kind}) ")),
            "{name}: {told}"
        );
        assert_eq!(files, texts, "{name}");
        // The compiler's words name the text as the user finds it.
        assert_eq!(
            told.contains("maps.increment.cu(7): error: no such luck"),
            name == "nvcc_refuses",
            "{told}"
        );
    }
    let (told, files) = with_nvcc("nvcc_works", "echo '.version 9.0 { }' > output");
    assert_eq!(
        (&*told, files),
        (
            "compiled",
            ["index.rs", texts[0], texts[1], "maps.increment.ptx"]
                .map(String::from)
                .to_vec()
        )
    );
}

#[test]
#[cfg(unix)]
fn the_environment_names_the_architecture_of_a_whole_build() {
    let body = "echo \"$*\" > \"$OBSIDIAN_TEST_FOLDER/called\"; echo '.version 9.0 { }' > output";
    for (name, arch) in [
        ("for_sm_90", "sm_90"),
        ("of_the_build_script", "sm_75"),
        ("for_", "sm_75"),
    ] {
        assert_eq!(with_nvcc(name, body).0, "compiled");
        let called = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join("build")
            .join(name);
        let called = fs::read_to_string(called.join("called")).unwrap();
        assert!(
            called.contains(&format!("-arch={arch} ")),
            "{name}: {called}"
        );
    }
}

/// The kernels that a build with a stand-in compiles, sorted.
#[cfg(unix)]
fn compiled_by(folder: &std::path::Path, arch: Option<&str>) -> Vec<String> {
    let _ = fs::remove_file(folder.join("called"));
    assert_eq!(built_in(folder, arch).0, "compiled");
    let called = fs::read_to_string(folder.join("called")).unwrap_or_default();
    let mut called: Vec<String> = called.lines().map(str::to_owned).collect();
    called.sort();
    called
}

#[test]
#[cfg(unix)]
fn what_has_not_changed_is_not_compiled_again() {
    let folder = folder("changed");
    let says = |version: &str| {
        let body = format!(
            "if [ \"$1\" = --version ]; then echo 'Cuda compilation tools, release {version}, V{version}.0'; exit; fi
sed -n 's/.*__launch_bounds__([^)]*) \\([a-z]*\\)(.*/\\1(/p' *.cu >> \"$OBSIDIAN_TEST_FOLDER/called\"
sleep 0.1
echo '.version 9.0 {{ }}' > output"
        );
        stand_in(&folder, &body);
    };
    says("13.0");
    let kernel = |name: &str, by: u32| {
        format!(
            "    #[kernel(threads = 64)]
    pub fn {name}(input: DPull<EI32>) -> DPush<Grid, EI32> {{
        input.split_up(64).as_grid_map(|chunk| chunk.map(|x| x + {by}).push::<Block>())
    }}
"
        )
    };
    let write = |comment: &str, kernels: &[(&str, u32)]| {
        let kernels: String = kernels.iter().map(|(name, by)| kernel(name, *by)).collect();
        let text = format!("// {comment}\n#[kernels(built)]\npub mod maps {{\n{kernels}}}\n");
        fs::write(folder.join("lib.rs"), text).unwrap();
    };
    let all = ["four(", "one(", "three(", "two("];
    write(
        "first",
        &[("one", 1), ("two", 2), ("three", 3), ("four", 4)],
    );
    assert_eq!(compiled_by(&folder, None), all);
    assert_eq!(compiled_by(&folder, None), [""; 0]);
    write(
        "another comment",
        &[("two", 2), ("one", 1), ("three", 3), ("four", 4)],
    );
    assert_eq!(compiled_by(&folder, None), [""; 0]);
    write("", &[("one", 1), ("two", 5), ("three", 3), ("four", 4)]);
    assert_eq!(compiled_by(&folder, None), ["two("]);
    // What is gone is not kept for its return.
    write("", &[("one", 1), ("two", 5)]);
    assert_eq!(compiled_by(&folder, None), [""; 0]);
    assert!(!folder.join("obsidian/maps.three.ptx").exists());
    write("", &[("one", 1), ("two", 5), ("three", 3), ("four", 4)]);
    assert_eq!(compiled_by(&folder, None), ["four(", "three("]);
    // Another architecture, another compiler, and PTX that is not whole.
    assert_eq!(compiled_by(&folder, Some("sm_90")), all);
    assert_eq!(compiled_by(&folder, Some("sm_90")), [""; 0]);
    says("13.1");
    assert_eq!(compiled_by(&folder, Some("sm_90")), all);
    fs::write(folder.join("obsidian/maps.one.ptx"), ".version 9.0 {").unwrap();
    assert_eq!(compiled_by(&folder, Some("sm_90")), ["one("]);
}
