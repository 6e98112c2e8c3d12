//! What a build script compiles: by which compiler, for which architectures, in which form.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use obsidian_build::{Compiler, Kernels};

use crate::build::{KERNEL, folder, stand_in};

/// An nvcc that says its options in what it makes.
const NVCC: &str =
    "if [ \"$1\" = --version ]; then echo 'Cuda compilation tools, release 13.0, V13.0.1'; exit; fi
case $1 in
  -ptx) { echo \"// nvcc $*\"; echo '.version 9.0 { }'; head -n1 kernel.cu; } > output;;
  -cubin) printf '\\177ELF nvcc %s' \"$*\" > output;;
esac";

/// The stand-in for NVRTC of the tests of `obsidian-rt`, as a library; none without rustc.
fn nvrtc() -> Option<PathBuf> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let folder = folder("images_library");
        let library = folder.join("libnvrtc.so.13");
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../obsidian-rt/tests/compile/nvrtc.rs");
        let rustc = Command::new("rustc")
            .args(["--edition=2024", "--crate-type=cdylib", "-o"])
            .args([&library, &source])
            .output();
        let output = rustc.ok()?;
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        Some(library)
    };
    BUILT.get_or_init(build).clone()
}

/// What is built, in words that a child reads.
fn kernels(words: &str) -> Kernels {
    words.split(' ').filter(|word| !word.is_empty()).fold(
        Kernels::new().limit(Duration::from_secs(2)),
        |kernels, word| match word {
            "cubin" => kernels.cubin(),
            "lines" => kernels.line_info(),
            "nvcc" => kernels.compiler(Compiler::Nvcc),
            "nvrtc" => kernels.compiler(Compiler::Nvrtc),
            arch => kernels.arch(arch),
        },
    )
}

#[test]
#[ignore = "run by other tests"]
fn is_a_build_script() {
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").unwrap());
    let words = std::env::var("OBSIDIAN_TEST_WORDS").unwrap();
    let built = kernels(&words).source(folder.join("lib.rs")).compile();
    let told = built.map_or_else(|error| error.to_string(), |()| "compiled".to_owned());
    fs::write(folder.join("told"), told).unwrap();
    // A thread of NVRTC may hang.
    std::process::exit(0);
}

/// A folder with a kernel.
fn with_kernel(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("lib.rs"), KERNEL).unwrap();
    stand_in(&folder, NVCC);
    folder
}

/// What a build script says in the end, and what cargo reads of it. `by` has the compilers that are there: their variables, a mode of the stand-in.
fn built(folder: &Path, words: &str, by: &[(&str, &Path)]) -> (String, String) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child
        .args([
            "--exact",
            "images::is_a_build_script",
            "--nocapture",
            "--ignored",
        ])
        .env("OUT_DIR", folder)
        .env("OBSIDIAN_TEST_WORDS", words)
        .env("OBSIDIAN_NVRTC", "")
        .env("OBSIDIAN_NVCC", "")
        .env_remove("OBSIDIAN_ARCH");
    for variable in ["CUDA_PATH", "CUDA_HOME", "NVCC"] {
        child.env_remove(variable);
    }
    for (variable, value) in by {
        match *variable {
            // What is in a folder is found beside what is found anyway.
            "PATH" => {
                let paths = std::env::var("PATH").unwrap();
                child
                    .env("PATH", format!("{}:{paths}", value.display()))
                    .env_remove("OBSIDIAN_NVCC")
            }
            _ => child.env(variable, value),
        };
    }
    let output = child.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = fs::read_to_string(folder.join("told"));
    (told.unwrap_or_else(|_| panic!("{said}")), said)
}

fn read(folder: &Path, file: &str) -> String {
    let bytes = fs::read(folder.join("obsidian").join(file));
    let bytes = bytes.unwrap_or_else(|error| panic!("{file}: {error}"));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn files(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder.join("obsidian")).unwrap();
    let mut files: Vec<String> = files
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    files
}

#[test]
fn several_architectures_and_forms() {
    let folder = with_kernel("images_forms");
    let nvcc = folder.join("nvcc");
    let by: &[(&str, &Path)] = &[("OBSIDIAN_NVCC", &nvcc)];
    assert_eq!(built(&folder, "sm_80 sm_90 sm_80", by).0, "compiled");
    let expected = [
        "index.rs",
        "maps.increment.cu",
        "maps.increment.json",
        "maps.increment.sm_80.made",
        "maps.increment.sm_80.ptx",
        "maps.increment.sm_90.made",
        "maps.increment.sm_90.ptx",
    ];
    assert_eq!(files(&folder), expected);
    for arch in ["sm_80", "sm_90"] {
        let ptx = read(&folder, &format!("maps.increment.{arch}.ptx"));
        assert!(ptx.contains(&format!("-arch={arch} ")), "{ptx}");
        let image = format!("({arch:?}, ::core::include_str!(\"maps.increment.{arch}.ptx\"), &[])");
        let index = read(&folder, "index.rs");
        assert!(index.contains(&image), "{index}");
    }
    let manifest: serde_json::Value =
        serde_json::from_str(&read(&folder, "maps.increment.json")).unwrap();
    assert_eq!(manifest["compiled"]["compiler"], "nvcc 13.0");
    assert_eq!(manifest["compiled"]["architectures"][1], "sm_90");

    // Machine code of one: the files of before are gone.
    assert_eq!(built(&folder, "cubin sm_90", by).0, "compiled");
    let expected = [
        "index.rs",
        "maps.increment.cu",
        "maps.increment.cubin",
        "maps.increment.json",
        "maps.increment.made",
    ];
    assert_eq!(files(&folder), expected);
    let index = read(&folder, "index.rs");
    assert!(
        index.contains("(\"sm_90\", \"\", ::core::include_bytes!(\"maps.increment.cubin\"))"),
        "{index}"
    );

    // With lines, the text says where it lies. What is there is of other options, and not kept.
    assert_eq!(built(&folder, "lines", by).0, "compiled");
    let ptx = read(&folder, "maps.increment.ptx");
    assert!(
        ptx.contains(" -lineinfo ") && ptx.contains("-arch=sm_75 "),
        "{ptx}"
    );
    assert!(
        ptx.contains("#line 1 \"") && ptx.contains("/obsidian/maps.increment.cu\""),
        "{ptx}"
    );
    assert_eq!(built(&folder, "", by).0, "compiled");
    let ptx = read(&folder, "maps.increment.ptx");
    assert!(
        !ptx.contains("-lineinfo") && !ptx.contains("#line"),
        "{ptx}"
    );
}

#[test]
fn the_compiler_is_the_one_that_is_asked_for() {
    let folder = with_kernel("images_compilers");
    let Some(nvrtc) = nvrtc() else {
        println!(
            "skipped: the compilers of a build, because there is no rustc here to make a library"
        );
        return;
    };
    let nvcc = folder.join("nvcc");
    let both: &[(&str, &Path)] = &[("OBSIDIAN_NVRTC", &nvrtc), ("OBSIDIAN_NVCC", &nvcc)];
    let library: &[(&str, &Path)] = &[("OBSIDIAN_NVRTC", &nvrtc)];
    let by = |words: &str, by: &[(&str, &Path)]| {
        assert_eq!(built(&folder, words, by).0, "compiled");
        read(&folder, "maps.increment.ptx")
    };
    // An nvcc that is named comes first, then NVRTC.
    assert!(by("", both).starts_with("// nvcc"));
    let ptx = by("sm_90", library);
    assert!(
        ptx.starts_with("// -fmad=false --gpu-architecture=compute_90\n"),
        "{ptx}"
    );
    let manifest = read(&folder, "maps.increment.json");
    assert!(manifest.contains("\"NVRTC 13.0\""), "{manifest}");
    assert!(by("nvrtc", both).starts_with("// -fmad=false"));
    assert!(by("nvrtc lines", both).contains("-lineinfo"));
    assert!(by("nvcc", both).starts_with("// nvcc"));
    // NVRTC does not know an architecture that is asked for, and an nvcc is found that may.
    let (told, said) = built(
        &folder,
        "sm_80",
        &[("OBSIDIAN_NVRTC", &nvrtc), ("PATH", &folder)],
    );
    assert_eq!(told, "compiled");
    let words = "NVRTC 13.0 makes no code for sm_80";
    assert!(
        said.contains(words) && said.contains("; nvcc 13.0 is taken instead"),
        "{said}"
    );
    assert!(read(&folder, "maps.increment.ptx").starts_with("// nvcc"));
    // nvcc is asked for, and there is none: nothing else is taken in silence.
    let (told, said) = built(&folder, "nvcc", library);
    assert_eq!(told, "compiled");
    assert_eq!(
        said.matches("cargo::warning=nvcc was not found").count(),
        1,
        "{said}"
    );
    assert_eq!(
        files(&folder),
        ["index.rs", "maps.increment.cu", "maps.increment.json"]
    );
    let (_, said) = built(&folder, "", &[]);
    assert_eq!(
        said.matches("cargo::warning=neither NVRTC nor nvcc was found")
            .count(),
        1,
        "{said}"
    );
}

#[test]
fn nvrtc_fails_with_its_words() {
    let folder = with_kernel("images_failures");
    let Some(nvrtc) = nvrtc() else {
        println!(
            "skipped: failures of NVRTC in a build, because there is no rustc here to make a library"
        );
        return;
    };
    let built = |words: &str, mode: &str| {
        let by: &[(&str, &Path)] = &[
            ("OBSIDIAN_NVRTC", &nvrtc),
            ("OBSIDIAN_STAND_IN", Path::new(mode)),
        ];
        built(&folder, words, by).0
    };
    let told = built("sm_35", "");
    assert!(
        told.contains(
            "NVRTC 13.0 makes no code for sm_35: name one of sm_75, sm_90 by `.arch(..)`"
        ),
        "{told}"
    );
    for arch in ["compute_80", "native", "sm_9", "sm_90b"] {
        let told = built(arch, "");
        assert!(
            told.contains(&format!("`{arch}` is no architecture")),
            "{told}"
        );
    }
    let told = built("", "builtins");
    assert!(
        told.contains("failed to open libnvrtc-builtins.so"),
        "{told}"
    );
    let told = built("", "empty");
    assert!(told.contains("has made no code"), "{told}");
    let told = built("", "hangs");
    assert!(
        told.contains("NVRTC 13.0 takes more than 2s on maps.increment.cu"),
        "{told}"
    );
    let missing = folder.join("not_there.so");
    let (told, _) = super::images::built(&folder, "", &[("OBSIDIAN_NVRTC", &missing)]);
    assert!(told.contains("cannot be used"), "{told}");
    fs::write(
        folder.join("lib.rs"),
        KERNEL.replace("increment", "refused_"),
    )
    .unwrap();
    let told = built("", "");
    assert!(
        told.contains("NVRTC fails on") && told.contains("no such luck"),
        "{told}"
    );
    assert!(!folder.join("obsidian/maps.refused_.ptx").exists());
}
