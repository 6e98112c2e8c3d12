//! What the compiler makes of the kernels of this repository, as hashes: to see which texts a change of the compiler changes.
//!
//! `cargo run --release -p obsidian-tests --bin texts -- write FILE [PROGRAMS]` writes a line for each part of each kernel of all kernels modules below `examples`,
//! `tests` and `obsidian-rt`, and of that many random programs, 1,000 without it: the CUDA text, the text for the CPU, the manifest, and the kernel behind each pass.
//! `texts compare FILE [PROGRAMS]` makes them anew, and says for each part how many differ, and of which kernels.
//!
//! Local names are numbered by their first use, so that a pass that makes one more changes what it makes, and not all that follows. Kernels that Rust code builds while it
//! runs are not looked at, nor modules that use others.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use obsidian_core::emit;
use obsidian_core::pipeline::Options;
use obsidian_expand::compile_linked_with;
use obsidian_front::link::Linked;
use obsidian_tests::fuzz::seeds::{files, modules_of};
use obsidian_tests::random::generate::generate;

/// Parts of kernels, and their hashes.
type Hashes = BTreeMap<String, u64>;

/// Names that are no numbered ones, though they end with a number.
const TYPES: [&str; 12] = [
    "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "int64_t", "uint64_t",
];

/// A text whose numbered names have numbers by their first use.
fn renumbered(text: &str) -> String {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let (mut all, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        let (word, others) = rest.split_at(length.max(first.len_utf8()));
        let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_numbered = stem.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && stem.len() < word.len()
            && !TYPES.contains(&word);
        match is_numbered {
            true => {
                let next = numbers.len();
                let number = *numbers.entry(word.to_owned()).or_insert(next);
                all += &format!("{stem}#{number}");
            }
            false => all += word,
        }
        rest = others;
    }
    all
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    renumbered(text).hash(&mut hasher);
    hasher.finish()
}

/// A module, and what it is called.
struct Source {
    name: String,
    text: String,
}

/// The hashes of the kernels of a module; `folder` is for what passes leave.
fn of_module(source: &Source, folder: &Path, hashes: &mut Hashes) -> Result<(), String> {
    proc_macro2::extra::invalidate_current_thread_spans();
    let _ = fs::remove_dir_all(folder);
    let items = match syn::parse_str::<syn::ItemMod>(&source.text) {
        Ok(syn::ItemMod {
            content: Some((_, items)),
            ..
        }) => items,
        _ => match syn::parse_str::<syn::File>(&source.text) {
            Ok(file) => file.items,
            // A case of a test with mistakes.
            Err(_) => return Ok(()),
        },
    };
    let choose = |kernel: &str, limits: obsidian_core::plan::Limits| Options {
        dump: Some(folder.join(kernel)),
        ..limits.into()
    };
    let linked = Linked::alone(&items);
    if linked.units.iter().any(|unit| !unit.links.is_empty()) {
        return Ok(());
    }
    let Ok(compiled) = compile_linked_with(&linked, &choose) else {
        return Ok(());
    };
    for (kernel, plan, interface) in compiled.plans() {
        let mut add = |part: &str, text: &str| {
            hashes.insert(format!("{} {kernel} {part}", source.name), hash(text));
        };
        add("cuda", &emit::cuda(plan));
        add("cpu", &emit::cpu::cpu(plan));
        add("manifest", &emit::manifest(plan, interface, ""));
    }
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(list) = fs::read_dir(&folder) else {
            continue;
        };
        for path in list.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).map_err(|error| format!("{path:?}: {error}"))?;
            let inside = path.strip_prefix(&folder).unwrap_or(&path);
            let kernel = folder.file_name().unwrap_or_default().to_string_lossy();
            // Without the number of the pass, which is another one where a pass in front of it is new.
            let pass = inside.file_stem().unwrap_or_default().to_string_lossy();
            let pass = pass.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
            hashes.insert(format!("{} {kernel} {pass}", source.name), hash(&text));
        }
    }
    Ok(())
}

/// All modules, and random programs.
fn sources(programs: u64) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = Vec::new();
    for file in ["examples", "tests", "obsidian-rt"]
        .into_iter()
        .flat_map(files)
    {
        for (n, module) in modules_of(&file).into_iter().enumerate() {
            let name = module.file.strip_prefix(&root).unwrap_or(&module.file);
            all.push(Source {
                name: format!("{}#{n}", name.display()),
                text: module.text,
            });
        }
    }
    all.extend((0..programs).map(|seed| Source {
        name: format!("random#{seed}"),
        text: generate(seed).text(),
    }));
    all
}

fn hashes(programs: u64) -> Result<Hashes, String> {
    let sources = sources(programs);
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Ok(Hashes::new())));
    let folder = std::env::temp_dir().join(format!("obsidian-texts-{}", std::process::id()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for core in 0..cores {
            let (folder, next, all, sources) =
                (folder.join(core.to_string()), &next, &all, &sources);
            // Kernels are trees, and modules of tests have deep ones.
            let work = move || {
                let mut own = Hashes::new();
                while let Some(source) = sources.get(next.fetch_add(1, Relaxed)) {
                    if let Err(words) = of_module(source, &folder, &mut own) {
                        *all.lock().expect("no thread panics") = Err(words);
                        return;
                    }
                }
                if let Ok(all) = &mut *all.lock().expect("no thread panics") {
                    all.extend(own);
                }
            };
            let thread = std::thread::Builder::new().stack_size(64 << 20);
            thread
                .spawn_scoped(scope, work)
                .expect("threads can be started");
        }
    });
    let _ = fs::remove_dir_all(folder);
    all.into_inner().expect("no thread panics")
}

fn compared(before: &Hashes, now: &Hashes) -> bool {
    // By part: the kernels of which it is another one, or which are there on one side alone.
    let mut differ: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let names = before
        .keys()
        .chain(now.keys().filter(|name| !before.contains_key(*name)));
    for name in names {
        if before.get(name) != now.get(name) {
            let (kernel, part) = name.rsplit_once(' ').unwrap_or((name, ""));
            differ.entry(part).or_default().push(kernel);
        }
    }
    for (part, kernels) in &differ {
        println!("{part}: {} kernels, such as", kernels.len());
        kernels
            .iter()
            .take(10)
            .for_each(|kernel| println!("    {kernel}"));
    }
    println!("{} parts before, {} now", before.len(), now.len());
    differ.is_empty()
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (mode, file, programs) = match words.as_slice() {
        [mode @ ("write" | "compare"), file] => (*mode, PathBuf::from(file), Ok(1000)),
        [mode @ ("write" | "compare"), file, programs] => {
            (*mode, PathBuf::from(file), programs.parse())
        }
        _ => {
            eprintln!("texts write FILE [PROGRAMS], or texts compare FILE [PROGRAMS]");
            return ExitCode::FAILURE;
        }
    };
    let done = || -> Result<bool, String> {
        let now = hashes(programs.map_err(|_| "PROGRAMS is a number".to_owned())?)?;
        let wrong = |error: std::io::Error| format!("{}: {error}", file.display());
        if mode == "write" {
            let lines = now
                .iter()
                .map(|(name, hash)| format!("{hash:016x} {name}\n"));
            fs::write(&file, lines.collect::<String>()).map_err(wrong)?;
            println!("{} parts", now.len());
            return Ok(true);
        }
        let text = fs::read_to_string(&file).map_err(wrong)?;
        let line = |line: &str| {
            let (hash, name) = line.split_once(' ')?;
            Some((name.to_owned(), u64::from_str_radix(hash, 16).ok()?))
        };
        let before = text.lines().map(line).collect::<Option<Hashes>>();
        let before = before.ok_or_else(|| format!("{} is no list of hashes", file.display()))?;
        Ok(compared(&before, &now))
    };
    match done() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(words) => {
            eprintln!("{words}");
            ExitCode::FAILURE
        }
    }
}
