//! The PTX of a crate's kernels: what has not changed is kept, everything else is compiled on all cores.
//!
//! Beside the PTX of a kernel lies what it was made of, in a file that is written after it: the compiler's version, the
//! architecture, the flags, and the length and the hash of the text. A build script that runs again compiles
//! those kernels alone of which any of that differs. So the edit of a comment compiles nothing, and that of one kernel compiles one. Of a
//! compiler that does not say which it is, nothing is kept.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Error, write};
use obsidian_core::front::hash;
use obsidian_toolchain::{Form, Nvcc};

/// A kernel that is to be compiled.
pub(super) struct Job {
    /// The name of its files.
    pub(super) stem: String,
    /// Its CUDA text.
    pub(super) cuda: String,
}

/// Writes the PTX of each kernel that has none yet, or one of something else. All are tried; the error is that of the first kernel, in
/// their order, that is not compiled.
pub(super) fn compile(jobs: &[Job], nvcc: &Nvcc, arch: &str, folder: &Path) -> Result<(), Error> {
    let version = nvcc.version().ok();
    let made_of = |job: &Job| {
        let (flags, length) = (Nvcc::flags().join(" "), job.cuda.len());
        let hash = hash::of_words([job.cuda.clone()]);
        version.map(|version| format!("{version}\n{arch} {flags}\n{length} {hash}\n"))
    };
    let missing: Vec<(&Job, Option<String>)> = jobs
        .iter()
        .map(|job| (job, made_of(job)))
        .filter(|(job, made_of)| {
            made_of
                .as_ref()
                .is_none_or(|made_of| !is_there(job, made_of, folder))
        })
        .collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some((job, made_of)) = missing.get(number) else {
                break;
            };
            if let Err(error) = one(job, made_of.as_deref(), nvcc, arch, folder) {
                let mut wrong = wrong.lock().unwrap_or_else(|broken| broken.into_inner());
                wrong.push((number, error));
            }
        }
    };
    std::thread::scope(|scope| {
        // This thread is one of them.
        let others = 1..cores().min(missing.len());
        others.for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let mut wrong = wrong
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    wrong.sort_by_key(|(number, _)| *number);
    match wrong.into_iter().next() {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// As many as cargo lets a build script use.
fn cores() -> usize {
    let of_cargo = std::env::var("NUM_JOBS").ok().and_then(|n| n.parse().ok());
    of_cargo.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn is_there(job: &Job, made_of: &str, folder: &Path) -> bool {
    let read = |ending: &str| std::fs::read(folder.join(format!("{}.{ending}", job.stem)));
    read("made").is_ok_and(|own| own == made_of.as_bytes())
        && read("ptx").is_ok_and(|ptx| Form::Ptx.is_whole(&ptx))
}

fn one(
    job: &Job,
    made_of: Option<&str>,
    nvcc: &Nvcc,
    arch: &str,
    folder: &Path,
) -> Result<(), Error> {
    let Job { stem, cuda } = job;
    // From here on the PTX that is there is of nothing that is known.
    let _ = std::fs::remove_file(folder.join(format!("{stem}.made")));
    let ptx = nvcc
        .compile(&format!("{stem}.cu"), cuda, arch, Form::Ptx, folder)
        .map_err(Error::toolchain)?;
    let ptx = String::from_utf8_lossy(&ptx);
    write::file(folder, &format!("{stem}.ptx"), &ptx)?;
    if let Some(made_of) = made_of {
        write::file(folder, &format!("{stem}.made"), made_of)?;
    }
    Ok(())
}
