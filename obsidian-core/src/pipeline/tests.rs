//! A tree reduction through all passes, and what the pipeline itself promises.

use super::*;
use crate::ir::{Level, Physical, read};

/// The reduction of the paper, section 3: 512 elements a block, halved until one is left.
fn tree_reduction(length: u32) -> Kernel<Levelled> {
    let mut text = format!(
        "kernel reductions {{ parameter 0 input: i32[length(input)] input parameter 1 output: i32[(length(input) /' {length}_u32)] output
        require length(input) multiple_of {length} distribute Block b < (length(input) /' {length}_u32) {{ "
    );
    let (mut from, mut half, mut n) = ("input".to_owned(), length / 2, 0);
    while half > 0 {
        let element = |at: String| {
            if from == "input" {
                format!("input[((b *' {length}_u32) +' {at})]")
            } else {
                format!("{from}[{at}]")
            }
        };
        let (left, right) = (
            element(format!("i{n}")),
            element(format!("(i{n} +' {half}_u32)")),
        );
        text += &format!(
            "allocate a{n}: i32[{half}_u32] shared forall Block i{n} < {half}_u32 {{ store a{n}[i{n}] = ({left} + {right}) }} wait Block "
        );
        from = format!("a{n}");
        (half, n) = (half / 2, n + 1);
    }
    text += &format!("forall Block o < 1_u32 {{ store output[(b +' o)] = {from}[o] }} }} }}");
    read(&text).unwrap()
}

const THREADS: [u32; 8] = [1, 31, 32, 33, 64, 100, 1000, 1024];

fn options(threads: u32) -> Options {
    Options {
        threads,
        ..Options::default()
    }
}

#[test]
fn a_tree_reduction_needs_the_memory_of_its_first_stage() {
    for threads in THREADS {
        let plan = compile(tree_reduction(512), &options(threads))
            .unwrap_or_else(|e| panic!("{threads} threads: {e}"));
        assert!(
            plan.shared().bytes <= 1024,
            "{threads} threads: {} bytes",
            plan.shared().bytes
        );
    }
    for (length, bytes) in [(256, 512), (1024, 2048), (4096, 8192), (16384, 32768)] {
        let plan = compile(tree_reduction(length), &options(256))
            .unwrap_or_else(|e| panic!("{length}: {e}"));
        assert!(
            plan.shared().bytes <= bytes,
            "{length} elements: {} bytes",
            plan.shared().bytes
        );
    }
}

#[test]
fn a_tree_reduction_waits_only_where_elements_go_to_other_threads() {
    // Nine steps of 256, 128, .. 1 sums, and the end of the block. Two sums that the same thread
    // has made need no wait; those that one warp has made, and all where there is only one, need
    // one of the warp. A last warp that is not whole needs waits of the block.
    for (threads, waits) in [
        (1, (0, 0)),
        (31, (0, 9)),
        (32, (0, 6)),
        (33, (9, 0)),
        (64, (2, 5)),
        (100, (9, 0)),
        (128, (3, 5)),
        (256, (4, 5)),
        (1000, (9, 0)),
        (1024, (4, 5)),
    ] {
        let plan = compile(tree_reduction(512), &options(threads)).unwrap();
        assert_eq!(
            (plan.waits(Level::Block), plan.waits(Level::Warp)),
            waits,
            "{threads} threads\n{}",
            plan.kernel()
        );
    }
}

#[test]
fn a_tree_reduction_writes_one_element_a_block() {
    let plan = compile(tree_reduction(512), &options(64)).unwrap();
    let output = plan
        .lowered()
        .tables
        .arrays
        .iter()
        .position(|a| a.name == "output")
        .unwrap();
    assert_eq!(
        plan.pattern(crate::scalar::ArrayId(output as u32)),
        crate::plan::WritePattern::Chunks(1)
    );
    assert_eq!(plan.threads(), 64);
}

#[test]
fn what_does_not_fit_is_a_limit() {
    let error = compile(tree_reduction(32768), &options(33)).unwrap_err();
    assert_eq!(
        error.first().map(|d| (d.id, d.kind)),
        Some(("out-of-shared", crate::error::Kind::Limit))
    );
}

#[test]
fn the_number_of_threads_has_bounds() {
    for threads in [0, 1025] {
        let error = compile(tree_reduction(512), &options(threads)).unwrap_err();
        assert_eq!(error.first().map(|d| d.id), Some("bad-threads"));
    }
}

#[test]
fn a_broken_kernel_is_blamed_on_its_pass() {
    let broken = read("kernel k { wait Block }").unwrap();
    let error = compile(broken, &options(32)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a bug in Obsidian, please report it: after the pass `strip`: `wait` cannot stand at level Grid here"
    );
}

#[test]
fn an_array_is_changed_by_steps_whether_what_is_read_is_used_or_not() {
    let text = "kernel k { parameter 0 n: u32 parameter 1 out: u32[(n *' 64_u32)] output distribute Block b < n { \
                allocate s: u32[64_u32] shared forall Block i < 64_u32 { read x = s[i] store s[i] = 1_u32 } \
                forall Block j < 64_u32 { store s[(63_u32 -' j)] = 2_u32 } wait Block \
                forall Block k < 64_u32 { store out[((b *' 64_u32) +' k)] = s[k] } } }";
    let plan = compile(
        read(text).unwrap(),
        &Options {
            check: false,
            ..options(64)
        },
    )
    .unwrap();
    let text = plan.kernel().to_string();
    let between = text
        .split("= 1_u32")
        .nth(1)
        .and_then(|rest| rest.split("= 2_u32").next())
        .unwrap();
    assert!(
        between.contains("wait Block") && !text.contains("read "),
        "{text}"
    );
}

#[test]
fn each_stage_is_written_when_asked() {
    let folder = std::env::temp_dir().join(format!("obsidian-dump-{}", std::process::id()));
    compile(
        tree_reduction(512),
        &Options {
            dump: Some(folder.clone()),
            ..options(64)
        },
    )
    .unwrap();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "01-strip.txt",
            "02-share.txt",
            "03-lowering.txt",
            "04-whole-tiles.txt",
            "05-virtualise.txt",
            "06-dead-loads.txt",
            "07-placement.txt",
            "08-barriers.txt",
            "09-simplify.txt",
            "10-wide.txt"
        ]
    );
    let text = fs::read_to_string(folder.join("10-wide.txt")).unwrap();
    assert_eq!(read::<Physical>(&text).unwrap().to_string(), text);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_dump_that_cannot_be_written_is_a_diagnostic() {
    let file = std::env::temp_dir().join(format!("obsidian-file-{}", std::process::id()));
    fs::write(&file, "").unwrap();
    let error = compile(
        tree_reduction(512),
        &Options {
            dump: Some(file.clone()),
            ..options(64)
        },
    )
    .unwrap_err();
    assert_eq!(error.first().map(|d| d.id), Some("dump-not-written"));
    fs::remove_file(&file).unwrap();
}

/// Issue 16, item 9: `OBSIDIAN_DUMP` stays in its folder, whatever a kernel is called.
#[test]
fn a_dump_stays_in_its_folder() {
    let folder = std::path::Path::new("dumps");
    let long = "k".repeat(5_000);
    let names = [
        "../x",
        "..",
        ".",
        "",
        "/etc/passwd",
        "a/b",
        "a_b",
        "a\\b",
        "C:\\x",
        "con.f",
        "NUL",
        "größe",
        "line\nbreak",
        "nul\0byte",
        "native.f.256",
        &long,
    ];
    let mut seen = crate::ordered::Set::new();
    for name in names {
        let path = dump_folder(folder, name);
        assert_eq!(path.parent(), Some(folder), "{name}: {}", path.display());
        let last = path.file_name().unwrap().to_str().unwrap();
        assert!(last.len() <= 160 && !last.starts_with('.'), "{last}");
        assert!(
            last.is_ascii() && !last.contains(['/', '\\', ':', '\n', '\0']),
            "{last}"
        );
        assert!(
            seen.insert(path.clone()),
            "{name}: another kernel has {last}"
        );
    }
    assert!(dump_folder(folder, "native.f.256").ends_with("native.f.256"));
}

#[test]
fn equal_kernels_give_equal_plans() {
    let text = |_| {
        compile(tree_reduction(512), &options(100))
            .unwrap()
            .kernel()
            .to_string()
    };
    assert_eq!(text(0), text(1));
}
