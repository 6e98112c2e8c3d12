//! What the macro knows of a kernel, as a constant.

use std::sync::OnceLock;

use obsidian_base::launch::{Checks, Interface};

use super::{Build, Call};
use crate::kernel::Kernel;

/// A kernel as the macro has made it.
#[derive(Debug)]
pub struct Source {
    /// The CUDA text.
    pub cuda: &'static str,
    /// The manifest beside it.
    pub manifest: &'static str,
    /// The hash of the kernel's tokens, as the manifest names it.
    pub hash: &'static str,
    /// What a launch has to know.
    pub interface: Interface,
    /// The name of the CUDA function.
    pub symbol: &'static str,
    /// What its texts check while it runs.
    pub checks: Checks,
    /// Builds the kernel natively, for a number of threads.
    pub build: Build,
    /// Runs the kernel on the CPU.
    pub cpu: Option<Function>,
    /// What the build script has compiled.
    pub built: Option<Built>,
    /// The module in which it stands.
    pub module: &'static str,
    /// The kernel, once it was asked for.
    pub kernel: Cache,
}

/// A function for processors that have more instructions than all of the target have; on others it must not be called.
pub type WideFunction = unsafe fn(call: &mut Call<'_>);

/// What runs a kernel on the CPU: one function, compiled for every processor of the target and, on x86-64,
/// maybe more for some. All give the same bits, but for those of NaNs.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// For every processor.
    pub plain: fn(call: &mut Call<'_>),
    /// The same for those with the instructions of x86-64-v3.
    pub wide: Option<WideFunction>,
    /// The same for those with the instructions of x86-64-v4.
    pub widest: Option<WideFunction>,
}

impl Function {
    /// A function that is compiled once.
    pub const fn once(plain: fn(call: &mut Call<'_>)) -> Function {
        Function {
            plain,
            wide: None,
            widest: None,
        }
    }

    /// Calls the one that is the best for this processor.
    pub(crate) fn call(self, call: &mut Call<'_>) {
        let widest = self.widest.filter(|_| has_widest());
        match widest.or_else(|| self.wide.filter(|_| has_wide())) {
            // SAFETY: the macro alone makes values of `wide` and `widest`, out of safe text that it compiles with
            // `target_feature`: so such a function is safe but for the instructions that it needs. This
            // processor has all of those that the macro names for the one that was chosen.
            Some(wide) => unsafe { wide(call) },
            None => (self.plain)(call),
        }
    }
}

/// Returns `true` if this processor has the instructions that the functions of [`Function::wide`] are compiled with.
#[cfg(target_arch = "x86_64")]
fn has_wide() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx")
        && has!("avx2")
        && has!("bmi1")
        && has!("bmi2")
        && has!("f16c")
        && has!("fma")
        && has!("lzcnt")
        && has!("movbe")
        && has!("popcnt")
}

/// The same, asked once.
#[cfg(all(target_arch = "x86_64", feature = "run-time"))]
pub(crate) fn has_vectors() -> bool {
    static HAS: std::sync::LazyLock<bool> = std::sync::LazyLock::new(has_wide);
    *HAS
}

/// The same for [`Function::widest`].
#[cfg(target_arch = "x86_64")]
fn has_widest() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has_wide()
        && has!("avx512f")
        && has!("avx512bw")
        && has!("avx512cd")
        && has!("avx512dq")
        && has!("avx512vl")
}

/// There are no such functions.
#[cfg(not(target_arch = "x86_64"))]
fn has_wide() -> bool {
    false
}

/// There are no such functions.
#[cfg(not(target_arch = "x86_64"))]
fn has_widest() -> bool {
    false
}

/// What a build script has compiled, a variant of a kernel an entry: its name, the hash of its
/// module's tokens, where the CUDA text lies, the compiled code, and what tuning has chosen among the
/// kernel's variants, which stands at the first of them.
pub type Index = &'static [(&'static str, &'static str, &'static str, Images, Chosen)];

/// The compiled code of a kernel, for an architecture each: its name, such as `sm_90`, and PTX or else machine code.
pub type Images = &'static [(&'static str, &'static str, &'static [u8])];

/// The variants that tuning has chosen.
pub type Chosen = &'static [obsidian_base::variants::Chosen<&'static str>];

/// One variant that a build script has compiled.
#[derive(Clone, Copy, Debug)]
pub struct Built {
    /// Where the CUDA text lies; empty where a mistake in a source file has kept it from being written.
    pub file: &'static str,
    /// The text, compiled; empty without a compiler.
    pub images: Images,
}

/// Where the first variant of a kernel stands; its others follow. The panic is a message at compile
/// time.
#[allow(clippy::panic)]
pub const fn position(index: Index, first: &str, hash: &str) -> usize {
    if is_mistaken(index) {
        return 0;
    }
    let mut n = 0;
    while n < index.len() {
        if same(index[n].0, first) && same(index[n].1, hash) {
            return n;
        }
        n += 1;
    }
    panic!(
        "the build script has not compiled this version of this module: name its file in build.rs with `.source(\"src/..\")`"
    )
}

/// The entry of a variant. The panic is a message at compile time.
#[allow(clippy::panic)]
pub const fn built(index: Index, at: usize, variant: &str, hash: &str) -> Built {
    if is_mistaken(index) {
        return Built {
            file: "",
            images: &[],
        };
    }
    if at < index.len() {
        let (name, known, file, images, _) = index[at];
        if same(name, variant) && same(known, hash) {
            return Built { file, images };
        }
    }
    panic!(
        "the build script and the macro see different variants: they are of different versions of Obsidian"
    )
}

/// What tuning has chosen among the variants that begin at `at`.
pub const fn chosen(index: Index, at: usize) -> Chosen {
    if at < index.len() { index[at].4 } else { &[] }
}

/// Has the build script found a mistake in a source file? Then it has compiled nothing, and rustc reports the mistake.
const fn is_mistaken(index: Index) -> bool {
    index.len() == 1 && index[0].0.is_empty()
}

const fn same(x: &str, y: &str) -> bool {
    let (x, y) = (x.as_bytes(), y.as_bytes());
    let mut n = 0;
    while n < x.len() && n < y.len() {
        if x[n] != y[n] {
            return false;
        }
        n += 1;
    }
    x.len() == y.len()
}

/// Keeps the kernel of a source, and with it the plan that the simulator asked for.
#[derive(Debug, Default)]
pub struct Cache {
    kernel: OnceLock<Kernel>,
}

impl Cache {
    /// Nothing yet.
    pub const fn new() -> Self {
        Cache {
            kernel: OnceLock::new(),
        }
    }

    pub(super) fn get_or_make(&self, source: &'static Source) -> Kernel {
        self.kernel
            .get_or_init(|| Kernel::of_source(source))
            .clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_of_a_mistake_stands_for_every_kernel() {
        const INDEX: Index = &[("", "", "", &[], &[])];
        assert_eq!(position(INDEX, "any", "0"), 0);
        let built = built(INDEX, 3, "any", "0");
        assert!(built.file.is_empty() && built.images.is_empty());
        assert!(chosen(INDEX, 0).is_empty() && chosen(INDEX, 3).is_empty());
        const OTHER: Index = &[("one", "0", "file", &[("sm_75", "ptx", &[])], &[])];
        assert_eq!(position(OTHER, "one", "0"), 0);
    }
}
