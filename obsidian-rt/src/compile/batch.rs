//! Several kernels as one program, and apart again.
//!
//! Some of the time that a compiler takes is the same for one kernel and for thirty: NVRTC needs 17
//! ms for an empty program, and 7 more for a reduction of 128 elements. Each text stands in a
//! namespace of its own, as it is, but for the name of its kernel, which every kernel of a program
//! needs for itself. PTX is text, so that each kernel gets its own again, under its own name; a
//! cubin is shared by all of them.

use std::borrow::Cow;

use super::key::Key;
use crate::kernel::Kernel;

/// A kernel's text as a part of a program.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    /// The name of the CUDA function in the text.
    pub(super) symbol: String,
    /// Its name in the program, which depends on the text alone.
    pub(super) entry: String,
    text: Cow<'a, str>,
}

impl<'a> Part<'a> {
    /// The part that a kernel is, with the lines of its source or without.
    pub(super) fn of_kernel(kernel: &'a Kernel, line_info: bool) -> Self {
        // A kernel that cannot be built anew has the lines of its text.
        #[cfg(feature = "run-time")]
        let with_lines = line_info.then(|| kernel.cuda_with_lines().ok()).flatten();
        #[cfg(not(feature = "run-time"))]
        let with_lines: Option<String> = None.filter(|_| line_info);
        let with_lines = with_lines.map(|text| found(&text));
        let text = with_lines.map_or(Cow::Borrowed(kernel.cuda()), Cow::Owned);
        Part::new(kernel.symbol().into_owned(), text)
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Does a launch ask for its shared memory?
    pub(super) fn is_dynamic(&self) -> bool {
        self.text.contains("extern __shared__ ")
    }

    pub(super) fn new(symbol: String, text: impl Into<Cow<'a, str>>) -> Self {
        let text = text.into();
        let hash = Key::of_bytes(text.as_bytes()).to_string();
        let entry = format!("{symbol}_{}", &hash[..16]);
        Part {
            symbol,
            entry,
            text,
        }
    }

    /// The text, with the name of its kernel changed where it is declared. Kernels do not call each
    /// other, or themselves.
    fn renamed(&self) -> Option<String> {
        let (before, rest) = self.text.split_once("__global__")?;
        let (bounds, rest) = rest.split_once(&format!(" {}(", self.symbol))?;
        Some(format!("{before}__global__{bounds} {}({rest}", self.entry))
    }
}

/// A text whose `#line` directives name files as they are found from here. rustc names a file from where cargo was started, which is the folder of a workspace; a
/// program may run in any folder below.
fn found(text: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let absolute = |line: &str| {
        let (number, file) = line.strip_prefix("#line ")?.split_once(' ')?;
        let file = file.trim_matches('"');
        let mut above = here.ancestors().map(|folder| folder.join(file));
        let there = above.find(|path| path.is_file())?;
        Some(format!("#line {number} \"{}\"", there.to_str()?))
    };
    let lines = text.lines();
    lines
        .map(|line| absolute(line).unwrap_or_else(|| line.to_owned()) + "\n")
        .collect()
}

/// One program of all parts; none if one of them does not declare the kernel that it should.
pub(super) fn join(parts: &[Part<'_>]) -> Option<String> {
    let space = |part: &Part<'_>| {
        Some(format!(
            "namespace in_{} {{\n#line 1 \"{}.cu\"\n{}}}\n",
            part.entry,
            part.symbol,
            part.renamed()?
        ))
    };
    parts.iter().map(space).collect()
}

/// The PTX of one part, from that of a program: all but the other kernels. None if it is not there.
pub(super) fn take(ptx: &str, part: &Part<'_>) -> Option<String> {
    let (mut out, mut found) = (String::new(), false);
    // Of the function that a line belongs to: is it the part's? And is the head of the file over?
    let (mut mine, mut after_head) = (None, false);
    for line in ptx.lines() {
        if let Some(name) = entry_name(line) {
            found |= name == part.entry;
            mine = Some(name == part.entry);
        }
        after_head |= line.starts_with(".version");
        // Between functions are what all share, and comments that name functions.
        if mine.unwrap_or(!after_head || !line.trim_start().starts_with("//")) {
            out.push_str(line);
            out.push('\n');
        }
        if line == "}" {
            mine = None;
        }
    }
    // The name has a hash in it: nothing else contains it.
    found.then(|| out.replace(&part.entry, &part.symbol))
}

/// The kernel that a line begins.
fn entry_name(line: &str) -> Option<&str> {
    let (_, name) = line.split_once(".entry ")?;
    Some(name.split('(').next().unwrap_or(name).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// Kernel sums: 64 threads a block.\nextern \"C\" __global__ void __launch_bounds__(64) sums(int* sums) {\n}\n";

    #[test]
    fn only_the_declared_name_changes() {
        let part = Part::new("sums".to_owned(), TEXT);
        let program = join(std::slice::from_ref(&part)).unwrap();
        assert!(part.entry.starts_with("sums_") && part.entry.len() == 21);
        assert!(
            program.contains(&format!("__launch_bounds__(64) {}(int* sums)", part.entry)),
            "{program}"
        );
        assert!(join(&[Part::new("other".to_owned(), TEXT)]).is_none());
    }

    #[test]
    fn each_part_gets_its_own_kernel_and_what_all_share() {
        let other = TEXT.replace("sums", "x");
        let parts = [
            Part::new("sums".to_owned(), TEXT),
            Part::new("x".to_owned(), other.as_str()),
        ];
        let [a, b] = &parts;
        let kernel = |p: &Part<'_>| {
            format!(
                "\t// .globl\t{0}\n.visible .entry {0}(\n\t.param .u64 {0}_param_0\n)\n{{\n\tret;\n\n}}\n",
                p.entry
            )
        };
        let shared = "// Tools V13.0\n.version 9.0\n\n.global .align 4 .b8 table[24] = {1};\n";
        let ptx = format!("{shared}{}{}\n", kernel(a), kernel(b));
        let own = |p: &Part<'_>| take(&ptx, p).unwrap();
        for (mine, theirs) in [(a, b), (b, a)] {
            let text = own(mine);
            assert!(text.starts_with(shared), "{text}");
            assert!(
                text.contains(&format!(
                    ".visible .entry {0}(\n\t.param .u64 {0}_param_0\n",
                    mine.symbol
                )),
                "{text}"
            );
            assert!(
                !text.contains(&theirs.entry) && text.matches("ret;").count() == 1,
                "{text}"
            );
        }
        assert!(take(shared, a).is_none());
    }
}
