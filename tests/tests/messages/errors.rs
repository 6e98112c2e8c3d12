//! The catalogue of errors: every diagnostic has an id, a folder of that name with ui cases, and a
//! paragraph with two snippets, of which the pages of `obsidian_rt::errors` are made. What a snippet
//! says is what the compiler says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use obsidian_build::{ErrorKind, Kernels};
use obsidian_core::error::catalogue::{Error, PAGES};
use obsidian_core::pipeline::{Options, build};
use obsidian_core::source::Library;
use obsidian_rt::language::{generate, lit};
use obsidian_tests::fuzz::seeds::{files, modules_of};
use obsidian_tests::fuzz::verdict::errors;
use proc_macro2::TokenStream;

/// Ids that no ui case can show, why, and the test that does.
const WITHOUT_A_CASE: &[(&str, &str)] = &[
    (
        "arrays-stale",
        "array programs that are built while the program runs; below",
    ),
    (
        "arrays-too-large",
        "a program that large takes long: `chains::what_stores_nothing_is_an_error` and `nested::arrays_of_an_element_have_limits` in `obsidian-rt/tests/programs`",
    ),
    (
        "bug",
        "a fault of ours has no input that shows it; `tests/fuzz.rs` looks for one",
    ),
    (
        "divergent",
        "the language cannot say it: `what_threads_do_together_is_reached_by_all` in `obsidian-core/src/plan/check/tests.rs`",
    ),
    ("dump-not-written", "a folder that cannot be written; below"),
    (
        "stale-expression",
        "values kept by Rust code that builds kernels at run time; below",
    ),
    (
        "syntax",
        "rustc reads a module before the macro is asked, and says it; the pages' first snippet has it, where there is no rustc",
    ),
    ("too-many-modules", "49 modules; below"),
    ("unreadable-library", "a crate of another version; below"),
];

/// Words of ours that mean nothing to a user.
const INTERNAL: &[&str] = &[
    "AnyLevel",
    "Dyn<",
    "dyn ",
    "Trace",
    "__",
    "Rc<",
    "obsidian_base",
    "obsidian_core",
    "obsidian_expand",
    "obsidian_front",
    "obsidian_language",
    "generated::",
    "NodeId",
    "Poison",
    "unwrap()",
];

/// All errors of the catalogue.
fn catalogue() -> impl Iterator<Item = &'static Error> {
    PAGES.iter().flat_map(|page| page.errors)
}

/// The id at the end of a message's first line.
fn id_of(message: &str) -> Option<&str> {
    message
        .lines()
        .next()?
        .strip_suffix(']')?
        .rsplit_once(" [")
        .map(|(_, id)| id)
}

/// A ui case: its name, its text, and what is printed.
struct Case {
    name: String,
    file: std::path::PathBuf,
    said: String,
}

fn cases() -> Vec<Case> {
    let case = |file: std::path::PathBuf| {
        let said =
            fs::read_to_string(file.with_extension("stderr")).expect("each case has its output");
        Case {
            name: file
                .file_stem()
                .expect("a file has a name")
                .to_string_lossy()
                .into_owned(),
            file,
            said,
        }
    };
    files("tests/tests/ui").into_iter().map(case).collect()
}

/// The messages of ours in an output: text, and the underlined places.
fn ours(said: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found = Vec::new();
    for part in said
        .split("\n\n")
        .filter(|part| part.starts_with("error: "))
    {
        let lines = part
            .lines()
            .filter(|line| line.contains('|') && line.contains('^'))
            .collect();
        if part
            .lines()
            .next()
            .is_some_and(|line| id_of(line).is_some())
        {
            found.push((part.trim_start_matches("error: "), lines));
        }
    }
    found
}

/// The snippets of an error's paragraph.
fn snippets(error: &Error) -> Vec<String> {
    let text = error.text.replace("\n ", "\n");
    let snippets = text.split("```rust,ignore\n").skip(1);
    snippets
        .map(|s| s.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn the_pages_say_what_the_catalogue_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../obsidian-rt/src/errors");
    for page in PAGES {
        let file = folder.join(format!("{}.md", page.name));
        if std::env::var_os("OBSIDIAN_BLESS").is_some() {
            fs::write(&file, page.text()).expect("the page can be written");
        }
        let there = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            there == page.text(),
            "{} is not what the catalogue says: OBSIDIAN_BLESS=1 writes it anew",
            file.display()
        );
    }
}

#[test]
fn every_error_has_a_case() {
    let ids: BTreeSet<String> = catalogue().map(|error| error.id.to_owned()).collect();
    assert_eq!(ids.len(), catalogue().count(), "an id stands once");
    let mut shown = BTreeSet::new();
    for case in cases() {
        let folder = case
            .file
            .parent()
            .and_then(Path::file_name)
            .expect("a case is in a folder")
            .to_string_lossy();
        let ids: Vec<&str> = ours(&case.said)
            .into_iter()
            .filter_map(|(text, _)| id_of(text))
            .collect();
        // What the types of the language say is rustc's, and has its codes.
        assert_eq!(
            ids.first().unwrap_or(&"rustc"),
            &folder,
            "{} is in the folder of what it says first",
            case.file.display()
        );
        shown.extend(ids.first().map(|id| (*id).to_owned()));
    }
    let without: BTreeSet<String> = WITHOUT_A_CASE
        .iter()
        .map(|(id, _)| (*id).to_owned())
        .collect();
    assert_eq!(
        &shown | &without,
        ids,
        "the folders of ui cases, and the ids of the catalogue"
    );
    assert_eq!(
        &shown & &without,
        BTreeSet::new(),
        "what a ui case shows needs no excuse"
    );
    assert!(cases().len() >= 120, "{} cases", cases().len());
}

/// The messages of a snippet, as the macro gives them; of two modules, as the build script does.
fn messages(snippet: &str) -> Vec<String> {
    if snippet.contains("mod ")
        && !snippet.starts_with("#[kernels]\nfn")
        && snippet.matches("mod ").count() > 1
    {
        return by_build_script(snippet);
    }
    let text = if snippet.starts_with("#[kernels]") {
        snippet.trim_start_matches("#[kernels]\n").to_owned()
    } else if snippet.contains("fn ") {
        format!("pub mod m {{ {snippet} }}")
    } else {
        let body = if snippet.contains("input") {
            snippet.to_owned()
        } else {
            format!("input.split_up(64).as_grid_map(|chunk| {{ {snippet} }})")
        };
        format!(
            "pub mod m {{ #[kernel(threads = 64)] pub fn k(input: DPull<EI32>) -> DPush<Grid, EI32> {{ {body} }} }}"
        )
    };
    let output = obsidian_expand::kernels(
        TokenStream::new(),
        text.parse().expect("a snippet is made of tokens"),
    );
    errors(output)
        .into_iter()
        .map(|(message, _)| message)
        .collect()
}

/// The messages of a file, as the build script gives them.
fn by_build_script(text: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("errors-{:?}", std::thread::current().id()));
    fs::create_dir_all(&folder).expect("temporary folders can be made");
    let file = folder.join("lib.rs");
    fs::write(&file, text).expect("temporary files can be written");
    match Kernels::new().source(&file).out_dir(&folder).compile() {
        Ok(()) => Vec::new(),
        Err(error) => {
            let all = error
                .to_string()
                .replace(&format!("{}:", file.display()), "\u{0}");
            // After the file come line and column.
            all.split('\u{0}')
                .skip(1)
                .map(|m| {
                    let mut parts = m.splitn(3, ':');
                    let (line, message) = (parts.next(), parts.nth(1));
                    let message = message.unwrap_or_default().trim();
                    // The last line quotes the file, if that is Rust.
                    let quoted = line.map(|line| format!("\n{line} | "));
                    let without = quoted.and_then(|quoted| message.rsplit_once(&quoted));
                    assert!(
                        without.is_some() || error.kind() != ErrorKind::Kernel,
                        "{m}"
                    );
                    let message = without.map_or(message, |(message, _)| message);
                    message.to_owned()
                })
                .collect()
        }
    }
}

#[test]
fn the_first_snippet_has_the_mistake_and_the_second_has_none() {
    let mut wrong = Vec::new();
    for error in catalogue() {
        let id = error.id;
        match snippets(error).as_slice() {
            [] if WITHOUT_A_CASE.iter().any(|(other, _)| *other == id) => {}
            [bad, good] => {
                let (of_bad, of_good) = (messages(bad), messages(good));
                if !of_bad.iter().any(|m| id_of(m) == Some(id)) {
                    wrong.push(format!("{id}: the first snippet says {of_bad:?}"));
                }
                if !of_good.is_empty() {
                    wrong.push(format!("{id}: the second snippet says {of_good:?}"));
                }
            }
            other => wrong.push(format!("{id} has {} snippets", other.len())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mistakes_in_array_programs() {
    use obsidian_rt::arrays::{Arr1, ArrayProgram, fill, iota, zip};
    use obsidian_rt::language::EU32;

    let says = |result: obsidian_rt::Result<()>, id: &str, line: u32| {
        let error = result.expect_err("a mistake").to_string();
        assert!(error.contains(&format!("[{id}]")), "{id}: {error}");
        assert!(
            error.contains(&format!("errors.rs:{line}:")),
            "{line}: {error}"
        );
    };
    let place = line!() + 1;
    let extents = ArrayProgram::build("shape", || zip(iota(3_u32), fill(4_u32, lit(1_u32))));
    says(extents.map(drop), "arrays-shape", place);
    let place = line!() + 1;
    let short = ArrayProgram::build("short", || iota(3_u32).take(lit(4)));
    says(short.map(drop), "arrays-shape", place);
    let place = line!() + 1;
    let data = ArrayProgram::build("data", |xs: Arr1<EU32>| iota(xs.at(lit(0))));
    says(data.map(drop), "arrays-extent", place);
    let kept = std::cell::RefCell::new(None::<Arr1<EU32>>);
    let stale = ArrayProgram::build("stale", |xs: Arr1<EU32>| {
        kept.borrow_mut().get_or_insert(xs).map(|x| x + 1)
    });
    let error = stale.expect_err("a mistake").to_string();
    assert!(error.contains("[arrays-stale]"), "{error}");
}

#[test]
fn what_no_ui_case_can_show_is_shown_here() {
    let says = |what: &dyn std::fmt::Display, id: &str| {
        assert!(
            what.to_string().contains(&format!("[{id}]")),
            "{id}: {what}"
        )
    };
    let mut kept = None;
    drop(build("first", &Options::default(), |builder| {
        kept = Some(builder.argument::<u32>("n"))
    }));
    let used = build("second", &Options::default(), |builder| {
        let n = kept.take().expect("the first build has made it");
        builder.result(
            generate(n + 1, |i| i)
                .chunks(64, lit(0))
                .as_grid_map(|chunk| chunk.push())
                .padded(),
        );
    });
    says(
        &used.expect_err("the value is another build's"),
        "stale-expression",
    );

    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-folder");
    fs::write(&file, "").expect("temporary files can be written");
    let options = Options {
        dump: Some(file.join("inside")),
        ..Options::default()
    };
    let dumped = build("dumped", &options, |builder| {
        builder.result(
            generate(lit(64_u32), |i| i)
                .chunks(64, lit(0))
                .as_grid_map(|chunk| chunk.push())
                .padded(),
        );
    });
    says(
        &dumped.expect_err("a file is no folder"),
        "dump-not-written",
    );

    let chain = |n: usize| {
        format!(
            "#[kernels] pub mod m{n} {{ use super::m{}::f as g; pub fn f(x: EU32) -> EU32 {{ g(x) }} }}\n",
            n + 1
        )
    };
    let chain: String = (0..60).map(chain).collect();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chain.rs");
    fs::write(
        &file,
        chain + "#[kernels] pub mod m60 { pub fn f(x: EU32) -> EU32 { x } }",
    )
    .expect("temporary files can be written");
    let built = Kernels::new()
        .source(&file)
        .out_dir(env!("CARGO_TARGET_TMPDIR"))
        .compile();
    says(
        &built.expect_err("the first module leads to sixty"),
        "too-many-modules",
    );

    let foreign = Library {
        path: "dep::library",
        text: "pub fn f<const N: usize>(x: EU32) -> EU32 { x }",
        uses: Vec::new,
    };
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign.rs");
    fs::write(
        &file,
        "#[kernels] pub mod m { use dep::library::f; pub fn g(x: EU32) -> EU32 { f(x) } }",
    )
    .expect("temporary files can be written");
    let built = Kernels::new()
        .source(&file)
        .library(foreign)
        .out_dir(env!("CARGO_TARGET_TMPDIR"))
        .compile();
    says(
        &built.expect_err("the other crate has what kernel language has not"),
        "unreadable-library",
    );
}

#[test]
fn messages_have_no_words_of_ours() {
    for case in cases() {
        let source = fs::read_to_string(&case.file).expect("a case can be read");
        for (text, _) in ours(&case.said) {
            let text = text.split(" --> ").next().unwrap_or_default();
            for word in INTERNAL {
                // What the user has written is the user's word.
                let is_ours = text.contains(word) && !source.contains(word);
                assert!(!is_ours, "{}: `{word}` in {text}", case.name);
            }
        }
    }
}

#[test]
fn messages_point_at_less_than_a_function() {
    let (mut small, mut all, mut large) = (0, 0, Vec::new());
    for case in cases() {
        let Some((_, lines)) = ours(&case.said).into_iter().next() else {
            continue;
        };
        all += 1;
        // A place of several lines ends in `__^`. Every function of the cases has several, so that
        // a place on one line is less.
        if lines.first().is_some_and(|drawn| !drawn.contains("_^")) {
            small += 1;
        } else {
            large.push(case.name);
        }
    }
    println!("{small} of {all} point at less than a function; the others: {large:?}");
    assert!(
        small * 10 >= all * 9 && all >= 120,
        "{small} of {all}: {large:?}"
    );
}

#[test]
fn macro_and_build_script_say_the_same() {
    let mut compared = 0;
    for case in cases() {
        let modules = modules_of(&case.file);
        // Modules that use others are put together by rustc for the macro; the second test of the
        // catalogue has such snippets.
        let [module] = modules.as_slice() else {
            continue;
        };
        // A tuned file is the build script's to read.
        let alone = !module.text.contains("use ") && !module.text.contains("tuned");
        if !alone || !module.text.contains("mod ") || !module.arguments.is_empty() {
            continue;
        }
        let macros: BTreeSet<String> = module.text.parse().map_or_else(
            |_| BTreeSet::new(),
            |tokens| {
                errors(obsidian_expand::kernels(TokenStream::new(), tokens))
                    .into_iter()
                    .map(|(text, _)| text)
                    .collect()
            },
        );
        let built: BTreeSet<String> = by_build_script(&format!("#[kernels] {}", module.text))
            .into_iter()
            .collect();
        // What is no Rust at all stops the build script at the whole file.
        if macros.iter().all(|text| id_of(text) != Some("syntax"))
            && !text_of_a_file_module(&module.text)
        {
            assert_eq!(macros, built, "{}", case.name);
            compared += 1;
        }
    }
    println!("{compared} cases compared");
    assert!(compared > 100, "{compared} cases");
}

/// A module in another file is the build script's to find.
fn text_of_a_file_module(text: &str) -> bool {
    !text.contains('{')
}
