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
    /// Compiles texts, each in a namespace of its own; the position of a text is its number in jobs.
    ///
    /// # Errors
    /// [`Failure::Text`] with what the compiler says.
    pub fn compile(compiler: &Compiler, texts: &[Text]) -> Result<Program, Failure> {
        let name = texts.first().map_or("nothing", |text| &text.symbol);
        compiler.program(name, &unit(texts)).map(|path| Program { path })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// The translation unit.
fn unit(texts: &[Text]) -> String {
    let (mut unit, mut entries) = (String::from("#include \"cuda.h\"\n"), String::new());
    for (n, Text { symbol, text }) in texts.iter().enumerate() {
        let section = format!("obsidian_{n}");
        // Writing to a string cannot fail.
        let _ = write!(
            unit,
            "#define OBSIDIAN_SHARED \"{section}\"\nnamespace k{n} {{\n#line 1 \"{symbol}.cu\"\n{text}\n}}\n#undef OBSIDIAN_SHARED\n\
             extern \"C\" __attribute__((weak)) char __start_{section}[], __stop_{section}[];\n"
        );
        let _ = writeln!(
            entries,
            "    {{obsidian::count(k{n}::{symbol}), [](void **a) {{ obsidian::call(k{n}::{symbol}, a); }}, __start_{section}, __stop_{section}}},"
        );
    }
    let _ =
        write!(unit, "const obsidian::Entry obsidian::entries[] = {{\n{entries}}};\nconst int obsidian::entry_count = {};\n", texts.len());
    unit
}
