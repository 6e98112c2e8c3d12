//! The walk of ARCHITECTURE: its kernel has the stages and the text that are shown there, and it
//! opens few files, all of which are there. `OBSIDIAN_BLESS=1` writes what is shown anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use obsidian_core::emit;
use obsidian_core::pipeline::Options;
use obsidian_expand::compile_items_with;

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md")
}

/// The section of ARCHITECTURE.
fn section() -> String {
    let text = fs::read_to_string(file()).unwrap();
    let start = text.find("\n## A walk").expect("there is a walk");
    let section = &text[start + 1..];
    section[..section.find("\n## ").unwrap_or(section.len())].to_owned()
}

/// What stands between the marks of code in a language.
fn code<'s>(section: &'s str, language: &str) -> Vec<&'s str> {
    let mark = format!("```{language}\n");
    let blocks = section.split(&mark).skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect()
}

#[test]
fn the_kernel_of_the_walk_is_as_it_is_shown() {
    let section = section();
    let folder = std::env::temp_dir().join(format!("obsidian-walk-{}", std::process::id()));
    let items = syn::parse_str::<syn::File>(code(&section, "rust")[0])
        .unwrap()
        .items;
    let compiled = compile_items_with(&items, &|_, limits| Options {
        dump: Some(folder.clone()),
        ..Options::from(limits)
    });
    let compiled = compiled.unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let (_, plan, _) = compiled.plans().next().expect("it has no mistake");
    let mut stages: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    stages.sort();
    let stages: Vec<String> = stages
        .iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    fs::remove_dir_all(&folder).unwrap();
    // The stages that are shown: strip, virtualise, and the last one.
    let stages = [&stages[0], &stages[4], &stages[stages.len() - 1]];
    let cuda = emit::cuda(plan);
    if std::env::var_os("OBSIDIAN_BLESS").is_some() {
        bless(&section, &stages, &cuda);
        return;
    }
    assert_eq!(code(&section, "text"), stages);
    assert_eq!(code(&section, "c"), [cuda]);
}

/// Writes the section with other code between its marks.
fn bless(section: &str, stages: &[&String], cuda: &String) {
    let mut new = section.to_owned();
    for (language, texts) in [("text", stages), ("c", &[cuda])] {
        let mark = format!("```{language}\n");
        let mut pieces = new.split(mark.as_str());
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for (piece, text) in pieces.zip(texts) {
            let rest = piece.split_once("```").expect("the code ends").1;
            out += &format!("{mark}{text}```{rest}");
        }
        new = out;
    }
    let all = fs::read_to_string(file()).unwrap();
    fs::write(file(), all.replace(section, &new)).unwrap();
}

#[test]
fn the_walk_opens_fewer_than_15_files() {
    let section = section();
    let links: BTreeSet<&str> = section
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for link in &links {
        assert!(root.join(link).is_file(), "{link} is not there");
    }
    assert!((10..15).contains(&links.len()), "{links:#?}");
}
