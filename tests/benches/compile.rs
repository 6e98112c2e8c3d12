//! How long compilers take for the 318 reductions of the paper's Table 2: seven kernels, eight
//! sizes, six numbers of threads, as far as they fit into shared memory.
//!
//! `cargo bench -p obsidian-tests --bench compile`, with `OBSIDIAN_NVRTC` and `OBSIDIAN_NVCC` where
//! the compilers are not in the usual places; words after `--` choose lines of the table.

use std::path::Path;
use std::time::Instant;

use obsidian_rt::Kernel;
use obsidian_rt::compile::{Compiler, Nvcc, Target};
use reduction::{ELEMENTS, THREADS, reduction};

fn kernels() -> Vec<Kernel> {
    let all = (1..=7).flat_map(|which| {
        ELEMENTS
            .iter()
            .flat_map(move |n| THREADS.iter().map(move |threads| (which, *n, *threads)))
    });
    // Those that need more shared memory than there is cannot be built.
    all.filter_map(|(which, n, threads)| reduction(which, n, threads).ok())
        .map(|kernel| kernel.kernel().clone())
        .collect()
}

/// Compiles kernels, and says how many there are that were not kept.
fn compile(compiler: &Compiler, kernels: &[Kernel], target: &Target) -> usize {
    let compiled = compiler
        .compile(&kernels.iter().collect::<Vec<_>>(), target)
        .expect("a target that the compiler has");
    let compiled = compiled
        .into_iter()
        .map(|result| result.expect("a kernel that compiles"));
    compiled.filter(|compiled| !compiled.was_kept()).count()
}

fn line(what: &str, f: impl FnOnce() -> usize) {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if !words.is_empty() && !words.iter().any(|word| what.contains(word.as_str())) {
        return;
    }
    let (start, before) = (Instant::now(), processor_seconds());
    let count = f();
    let (wall, processor) = (start.elapsed().as_secs_f64(), processor_seconds() - before);
    println!("{what:<48} {count:>4} kernels {wall:>7.2} s, {processor:>6.2} s of a processor");
}

/// Seconds of processors that this process has used, and the children that have ended: the same on
/// a machine that others use as well. 0 where the system does not tell.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which is in brackets, the 12th to 15th fields, in hundredths.
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .skip(11)
        .take(4);
    fields
        .filter_map(|field| field.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}

fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-compile");
    line("building the kernels", || kernels().len());
    let kernels = kernels();
    let (ptx, cubin) = (Target::ptx(9, 0), Target::cubin(9, 0));
    match Compiler::nvrtc() {
        Err(error) => println!("skipped: NVRTC: {error}"),
        Ok(nvrtc) => {
            let nvrtc = nvrtc.keeping_nothing();
            line("NVRTC to PTX, all cores", || {
                compile(&nvrtc, &kernels, &ptx)
            });
            line("NVRTC to cubin, all cores", || {
                compile(&nvrtc, &kernels, &cubin)
            });
            let mut nvrtc = nvrtc.with_jobs(1);
            line("NVRTC to PTX, one thread", || {
                compile(&nvrtc, &kernels, &ptx)
            });
            for batch in [1, 4, 8, 16, 32, 64, usize::MAX] {
                nvrtc = nvrtc.in_batches_of(batch);
                line(
                    &format!(
                        "NVRTC to cubin, one thread, batches of {}",
                        batch.min(kernels.len())
                    ),
                    || compile(&nvrtc, &kernels, &cubin),
                );
            }
            let _ = std::fs::remove_dir_all(&folder);
            let nvrtc = Compiler::nvrtc().expect("it was here").keeping_in(&folder);
            line("NVRTC to PTX, all cores, and kept", || {
                compile(&nvrtc, &kernels, &ptx)
            });
            line("taken from those that are kept", || {
                kernels.len() - compile(&nvrtc, &kernels, &ptx)
            });
        }
    }
    match Nvcc::find() {
        Ok(Some(nvcc)) => {
            let nvcc = || Compiler::nvcc(nvcc.clone()).keeping_nothing();
            line("nvcc to cubin, all cores", || {
                compile(&nvcc(), &kernels, &cubin)
            });
            line("nvcc to cubin, in one file", || {
                compile(
                    &nvcc().in_batches_of(usize::MAX).with_jobs(1),
                    &kernels,
                    &cubin,
                )
            });
        }
        Ok(None) => println!("skipped: nvcc, because there is none here"),
        Err(error) => println!("skipped: nvcc: {error}"),
    }
}
