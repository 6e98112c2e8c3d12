//! Texts as one executable.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::compiler::Compiler;
use crate::failure::Failure;

/// A CUDA text with one kernel.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Text {
    /// The name of the CUDA function.
    pub symbol: String,
    /// The text, which is compiled as it is.
    pub text: String,
}

/// An executable of one text or many.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
}

impl Program {
    /// Compiles texts, each in a namespace of its own; the position of a text is its number in
    /// jobs.
    ///
    /// # Errors
    /// [`Failure::Text`] with what the compiler says.
    pub fn compile(compiler: &Compiler, texts: &[Text]) -> Result<Program, Failure> {
        let name = texts.first().map_or("nothing", |text| &text.symbol);
        compiler
            .program(name, &unit(texts))
            .map(|path| Program { path })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// What stands before and after a text whose shared memory is what a launch asks for: an array as
/// large as the text's first line says.
fn dynamic(text: &str) -> (String, &'static str) {
    let bytes = text.lines().next().and_then(|line| {
        line.split_once(" bytes of dynamic shared memory")?
            .0
            .rsplit(' ')
            .next()
    });
    match bytes {
        Some(bytes) if text.contains("extern __shared__ ") => (
            format!(
                "static OBSIDIAN_IN_SHARED __align__(128) unsigned char shared[{bytes}];\n#pragma push_macro(\"__shared__\")\n\
                 #undef __shared__\n#define __shared__\n"
            ),
            "#pragma pop_macro(\"__shared__\")\n",
        ),
        _ => (String::new(), ""),
    }
}

/// The text with a place where blocks may change in front of each access to a word by which they follow each other.
fn with_turns(text: &str) -> String {
    let accesses = [
        "*(volatile unsigned long long*)at = word;",
        "return *(const volatile unsigned long long*)at;",
    ];
    accesses.into_iter().fold(text.to_owned(), |text, access| {
        text.replace(access, &format!("obsidian::pause(); {access}"))
    })
}

/// The translation unit.
fn unit(texts: &[Text]) -> String {
    let (mut unit, mut entries) = (String::from("#include \"cuda.h\"\n"), String::new());
    for (n, Text { symbol, text }) in texts.iter().enumerate() {
        let section = format!("obsidian_{n}");
        let (before, after) = dynamic(text);
        let waits = ["__nanosleep", "__threadfence"]
            .iter()
            .any(|word| text.contains(word));
        let text = with_turns(text);
        // Writing to a string cannot fail.
        let _ = write!(
            unit,
            "#define OBSIDIAN_SHARED \"{section}\"\nnamespace k{n} {{\n{before}#line 1 \"{symbol}.cu\"\n{text}\n{after}}}\n#undef OBSIDIAN_SHARED\n\
             extern \"C\" __attribute__((weak)) char __start_{section}[], __stop_{section}[];\n"
        );
        let _ = writeln!(
            entries,
            "    {{obsidian::count(k{n}::{symbol}), [](void **a) {{ obsidian::call(k{n}::{symbol}, a); }}, __start_{section}, __stop_{section}, {waits}}},"
        );
    }
    let _ = write!(
        unit,
        "const obsidian::Entry obsidian::entries[] = {{\n{entries}}};\nconst int obsidian::entry_count = {};\n",
        texts.len()
    );
    unit
}
