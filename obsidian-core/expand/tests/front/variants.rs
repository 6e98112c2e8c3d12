//! Variants and tuned files on the build script's side: files for each, and an index that names
//! what is chosen.

use std::fs;
use std::path::{Path, PathBuf};

use obsidian_build::{Error, ErrorKind, Kernels};
use obsidian_core::pipeline::Options;
use obsidian_core::variants::{Tuned, Value};
use obsidian_expand::compile_items_with;

/// A fresh folder for one test, with a module in it whose kernel names `tuned.txt` there.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("variants")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let tuned = format!(", tuned = {:?}", folder.join("tuned.txt").to_str().unwrap());
    fs::write(folder.join("lib.rs"), KERNEL.replace("[TUNED]", &tuned)).unwrap();
    folder
}

const KERNEL: &str = "#[kernels(built)]
pub mod maps {
    #[kernel(threads = [32, 64], n = [8, 16][TUNED])]
    pub fn moved(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|piece| piece.map(|x| x + n).push::<Block>())
    }
    #[kernel]
    pub fn copied(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|piece| piece.push::<Block>())
    }
}
";

fn compile(folder: &Path) -> Result<String, Error> {
    Kernels::new()
        .source(folder.join("lib.rs"))
        .out_dir(folder)
        .compile()?;
    Ok(fs::read_to_string(folder.join("obsidian").join("index.rs")).unwrap())
}

/// The hash that the manifests of a folder have.
fn hash(folder: &Path) -> String {
    let manifest = fs::read_to_string(folder.join("obsidian").join("maps.copied.json")).unwrap();
    serde_json::from_str::<serde_json::Value>(&manifest).unwrap()["source_hash"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Writes a file that chooses some values for a device and size.
fn tune(folder: &Path, choices: &[(Option<&str>, u64, u32, u32)]) {
    let mut tuned = Tuned::new();
    for (device, from, threads, n) in choices {
        let values = [("threads", Value::from(*threads)), ("n", Value::from(*n))];
        tuned
            .choose("moved", "00000000000000aa", *device, *from, &values)
            .unwrap();
    }
    tuned.write(folder.join("tuned.txt")).unwrap();
}

#[test]
fn each_variant_has_its_files() {
    let folder = folder("files");
    fs::write(folder.join("lib.rs"), KERNEL.replace("[TUNED]", "")).unwrap();
    let index = compile(&folder).unwrap();
    let names = [
        "moved_threads32_n8",
        "moved_threads32_n16",
        "moved_threads64_n8",
        "moved_threads64_n16",
        "copied",
    ];
    let places: Vec<usize> = names
        .iter()
        .map(|name| {
            index
                .find(&format!("({name:?}, "))
                .unwrap_or_else(|| panic!("{name}: {index}"))
        })
        .collect();
    assert!(places.is_sorted(), "{index}");
    for name in names {
        let read = |kind: &str| {
            fs::read_to_string(folder.join("obsidian").join(format!("maps.{name}.{kind}"))).unwrap()
        };
        assert!(read("cu").contains(&format!(" {name}(")), "{}", read("cu"));
        let manifest: serde_json::Value = serde_json::from_str(&read("json")).unwrap();
        assert_eq!(
            (&manifest["kernel"], &manifest["symbol"]),
            (&name.into(), &name.into())
        );
        let threads = if name == "copied" {
            256
        } else {
            name[13..15].parse::<u32>().unwrap()
        };
        assert_eq!(manifest["threads"], threads);
    }
    assert_eq!(index.matches("&[])").count(), 5, "{index}");
}

#[test]
fn the_index_has_what_a_tuned_file_chooses() {
    let folder = folder("chosen");
    tune(
        &folder,
        &[
            (None, 0, 64, 8),
            (Some("a \"GPU\""), 100, 32, 16),
            (Some("a \"GPU\""), 7, 64, 16),
        ],
    );
    let index = compile(&folder).unwrap();
    let (none, some) = (
        "::core::option::Option::None",
        "::core::option::Option::Some",
    );
    let chosen = format!(
        "&[({none}, 0, 2), ({some}(\"a \\\"GPU\\\"\"), 7, 3), ({some}(\"a \\\"GPU\\\"\"), 100, 1)]),\n"
    );
    let line = index
        .lines()
        .find(|line| line.contains("\"moved_threads32_n8\""))
        .unwrap();
    assert!(format!("{line}\n").ends_with(&chosen), "{line}");
    assert_eq!(index.matches("&[])").count(), 4, "{index}");
}

#[test]
fn the_hash_is_the_same_before_and_after_a_file_is_named() {
    let folder = folder("hash");
    fs::write(folder.join("lib.rs"), KERNEL.replace("[TUNED]", "")).unwrap();
    compile(&folder).unwrap();
    let before = hash(&folder);
    let named = self::folder("hash_named");
    tune(&named, &[(None, 0, 64, 8)]);
    compile(&named).unwrap();
    assert_eq!(before, hash(&named));
}

#[test]
fn a_tuned_file_that_does_not_fit_is_an_error_at_its_name() {
    let folder = folder("errors");
    let file = folder.join("tuned.txt");
    let message = || {
        let error = compile(&folder).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Tuned, "{error}");
        assert!(
            error
                .to_string()
                .contains("lib.rs:3:55: the tuned file of `moved` does not fit"),
            "{error}"
        );
        assert!(!folder.join("obsidian").exists(), "nothing is written");
        error.to_string()
    };
    assert!(message().contains("tuned.txt: it cannot be read"));
    fs::write(
        &file,
        "obsidian-tuned 1\nkernel copied 00000000000000aa\nend",
    )
    .unwrap();
    assert!(message().contains(
        "tuned.txt: it says nothing about the kernel `moved`; the kernels that it names: `copied`"
    ));
    tune(&folder, &[(None, 0, 64, 8), (None, 1, 48, 8)]);
    assert!(message().contains("tuned.txt:5: the kernel declares no variant `threads = 48, n = 8`; `threads = 32, n = 8` is one"));
    fs::write(
        &file,
        "obsidian-tuned 1\nkernel moved 00000000000000aa\nany from 0: threads = 32, n = 8",
    )
    .unwrap();
    assert!(message().contains("the file was cut off"));
}

#[test]
fn a_variant_that_is_wrong_is_named_with_its_place() {
    let folder = folder("wrong");
    fs::write(
        folder.join("lib.rs"),
        KERNEL
            .replace("[TUNED]", "")
            .replacen("split_up(64).as", "split_up(n - 10).as", 1),
    )
    .unwrap();
    let error = compile(&folder).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Kernel);
    let text = error.to_string();
    assert!(
        text.contains("lib.rs:5:")
            && text.contains("this is so with `threads = 32, n = 8`, and in another variant"),
        "{text}"
    );
}

/// The variants that were tried of a kernel with these values of `n`, and the mistakes.
fn tried(values: impl Iterator<Item = u32>, body: &str) -> (usize, Vec<String>) {
    let values: Vec<String> = values.map(|n| n.to_string()).collect();
    let text = format!(
        "#[kernel(threads = 64, n = [{}])] pub fn k(n: u32, input: DPull<EU32>) -> DPush<Grid, EU32> {{ {body} }}",
        values.join(", ")
    );
    let file = syn::parse_file(&text).unwrap();
    let options = |_: &str, limits| Options::from(limits);
    let compiled = compile_items_with(&file.items, &options).unwrap();
    (
        compiled.kernels[0].variants.len(),
        compiled
            .located_mistakes()
            .into_iter()
            .map(|mistake| mistake.message)
            .collect(),
    )
}

#[test]
fn after_eight_variants_that_fail_no_more_are_tried() {
    let pieces = "input.split_up(64).as_grid_map(|run| run.split_up(n).as_block_map(|piece| piece.push::<Thread>()))";
    let (count, mistakes) = tried(33..133, pieces);
    assert_eq!((count, mistakes.len()), (8, 1), "{mistakes:?}");
    assert!(
        mistakes[0].ends_with("this is so with `threads = 64, n = 33`, and in 7 other variants"),
        "{}",
        mistakes[0]
    );
    assert_eq!(tried(1..=2, pieces), (2, Vec::new()));
}

#[test]
fn a_thousand_variants_are_built_and_one_more_is_refused() {
    let (count, mistakes) = tried(
        1..=1024,
        "input.chunks(64, lit(0u32)).as_grid_map(|run| run.map(|x| x + n).push::<Block>()).padded()",
    );
    assert_eq!((count, mistakes), (1024, Vec::new()));
    let text = format!(
        "#[kernel(n = [{}])] fn k(n: u16) {{}}",
        (0..1025)
            .map(|n| n.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    );
    let wrong = compile_items_with(&syn::parse_file(&text).unwrap().items, &|_, _| {
        Options::default()
    })
    .err()
    .unwrap();
    assert!(
        wrong[0].message.starts_with(
            "these values are 1025 variants of one kernel, and at most 1024 are built"
        ),
        "{wrong:?}"
    );
}
