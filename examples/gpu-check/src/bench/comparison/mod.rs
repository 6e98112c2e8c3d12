//! The same work by others, and by our own kernels after edits by hand: a CUDA program, which
//! answers a request for a row at a time.
//!
//! Others are the driver's copy, CUB, cuBLAS where it is there, and the steps of Harris's
//! reduction. The edits are steps between what is emitted today and what a construct of the
//! language is to emit, so that one run says what each construct is worth: step 0 is the emitted
//! text itself, compiled together with the others.
//!
//! The program is built before (`.ci/gpu pack`), or by the nvcc of this machine when it is asked
//! for the first time.

mod program;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ::histogram::counting;
use ::matmul::products;
use obsidian_rt::compile::{CompilerError, Nvcc};
use reduction::reductions;
use scan::scans;

use super::bodies::bodies;
use crate::worker::said;
use program::Program;

/// The steps of Harris's reduction.
pub const HARRIS: &str = include_str!("harris.cu");
/// The steps of `sums_of_runs`.
pub const REDUCE: &str = include_str!("reduce.cu");
/// The steps of `totals` and `scan_after`.
pub const SCAN: &str = include_str!("scan.cu");
/// The steps of `histogram`.
pub const HISTOGRAM: &str = include_str!("histogram.cu");
/// The steps of `matmul`.
pub const MATMUL: &str = include_str!("matmul.cu");
/// The steps of `accelerations`.
pub const BODIES: &str = include_str!("bodies.cu");

/// The texts of the program before and after the emitted kernels.
const BEFORE: [(&str, &str); 7] = [
    ("harris.cu", HARRIS),
    ("reduce.cu", REDUCE),
    ("scan.cu", SCAN),
    ("histogram.cu", HISTOGRAM),
    ("matmul.cu", MATMUL),
    ("tensor.cu", include_str!("tensor.cu")),
    ("bodies.cu", BODIES),
];
const AFTER: [(&str, &str); 4] = [
    ("harness.cu", include_str!("harness.cu")),
    ("others.cu", include_str!("others.cu")),
    ("steps.cu", include_str!("steps.cu")),
    ("compare.cu", include_str!("compare.cu")),
];

/// All rows of the program: work, and by whom. The program lists the same (`--list`).
pub const PEERS: [(&str, &str); 45] = [
    ("copy", "cudaMemcpy"),
    ("reduce", "CUB DeviceReduce"),
    ("reduce", "Harris 1"),
    ("reduce", "Harris 2"),
    ("reduce", "Harris 3"),
    ("reduce", "Harris 4"),
    ("reduce", "Harris 5"),
    ("reduce", "Harris 6"),
    ("reduce", "Harris 7"),
    ("reduce", "edited 0: as emitted"),
    ("reduce", "edited 1: base address"),
    ("reduce", "edited 2: whole tiles"),
    ("reduce", "edited 3: held sum"),
    ("reduce", "edited 4: vector loads"),
    ("reduce", "edited 5: shuffles"),
    ("reduce", "edited 6: redux"),
    ("reduce", "edited 7: resident grid"),
    ("scan", "CUB DeviceScan"),
    ("scan", "edited 0: as emitted"),
    ("scan", "edited 1: held, shuffles"),
    ("scan", "edited 2: vectors"),
    ("scan", "edited 3: look-back"),
    ("histogram", "CUB DeviceHistogram"),
    ("histogram", "edited 0: as emitted"),
    ("histogram", "edited 1: one guard"),
    ("histogram", "edited 2: whole tiles"),
    ("histogram", "edited 3: vector loads"),
    ("histogram", "edited 4: resident grid"),
    ("histogram", "edited 5: bins of warps"),
    ("sort", "CUB DeviceRadixSort"),
    ("select", "CUB DeviceSelect"),
    ("reduce by key", "CUB DeviceReduce::ReduceByKey"),
    ("matmul", "cuBLAS SGEMM"),
    ("matmul", "edited 0: as emitted"),
    ("matmul", "edited 1: held sum"),
    ("matmul", "edited 2: base addresses"),
    ("matmul", "edited 3: contraction"),
    ("matmul", "edited 4: 4 x 4 a thread"),
    ("matmul", "edited 5: 8 x 8 a thread"),
    ("matmul", "edited 6: matrix units (TF32)"),
    ("n-body", "edited 0: as emitted"),
    ("n-body", "edited 1: held sums"),
    ("n-body", "edited 2: rsqrt"),
    ("n-body", "edited 3: vector loads"),
    ("n-body", "edited 4: two bodies a thread"),
];

/// The longest that nvcc may take.
const COMPILING: Duration = Duration::from_secs(150);

/// The longest that the program may take to list its rows.
const LISTING: Duration = Duration::from_secs(10);

/// How nvcc compiles the program: multiplications and additions are contracted where the text says
/// so, as in our own kernels, and nothing but a driver and the C library is needed to start it.
pub const OPTIONS: [&str; 9] = [
    "-std=c++17",
    "-O3",
    "-fmad=false",
    "-cudart",
    "static",
    "-Xcompiler",
    "-static-libstdc++,-static-libgcc",
    "-Xlinker",
    "--gc-sections",
];

/// The program's CUDA text.
pub fn text() -> String {
    let mut text = String::new();
    let mut add = |name: &str, part: &str| {
        text.push_str(&format!("#line 1 \"{name}\"\n{part}"));
    };
    BEFORE.iter().for_each(|(name, part)| add(name, part));
    // The kernels as they are launched, each in a namespace, because texts may have functions in
    // common.
    for (space, kernel) in [
        ("reduce", reductions::sums_of_runs::kernel()),
        ("totals", scans::totals::kernel()),
        ("scan", scans::scan_after::kernel()),
        ("histogram", counting::histogram::kernel()),
        ("matmul", products::matmul::kernel()),
        ("bodies", bodies::accelerations::kernel()),
    ] {
        let emitted = format!("namespace emitted_{space} {{\n{}\n}}\n", kernel.cuda());
        add(&format!("emitted_{space}.cu"), &emitted);
    }
    AFTER.iter().for_each(|(name, part)| add(name, part));
    text
}

/// Compiles the program for an architecture such as `sm_90`, in the system's folder for temporary
/// files, and gives its bytes.
///
/// # Errors
/// What nvcc reports, and a toolkit without CUB.
pub fn compile(
    nvcc: &Nvcc,
    architecture: &str,
    options: &[&str],
) -> Result<Vec<u8>, CompilerError> {
    nvcc.program(
        "compare.cu",
        &text(),
        architecture,
        &[&OPTIONS, options].concat(),
        &std::env::temp_dir(),
    )
}

/// Does the program start on this machine, and know its rows? One that was built elsewhere may want
/// a newer C library.
pub(super) fn starts(path: &Path) -> bool {
    said(Command::new(path).arg("--list"), LISTING).is_ok_and(|list| !list.is_empty())
}

/// The program as the nvcc of this machine has compiled it, once.
#[derive(Debug, Default)]
pub(super) struct Compiled(Option<Result<Program, String>>);

impl Compiled {
    /// Where it lies, or in words why it does not.
    pub(super) fn path(&mut self, capability: (u32, u32)) -> Result<PathBuf, String> {
        let compiled = self.0.get_or_insert_with(|| compiled(capability));
        compiled.as_ref().map(Program::path).map_err(Clone::clone)
    }
}

fn compiled((major, minor): (u32, u32)) -> Result<Program, String> {
    let found = Nvcc::find().map_err(|error| error.to_string())?;
    let nvcc = found
        .ok_or("there is no program of the comparison that starts here, and no nvcc to compile it; OBSIDIAN_NVCC names one")?
        .with_limit(COMPILING);
    let bytes =
        compile(&nvcc, &format!("sm_{major}{minor}"), &[]).map_err(|error| error.to_string())?;
    Program::of(&bytes).map_err(|error| format!("the program cannot be written: {error}"))
}
