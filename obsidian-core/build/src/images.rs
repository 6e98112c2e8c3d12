//! The compiled code of a crate's kernels: what has not changed is kept, everything else is compiled on all cores.
//!
//! Beside the code of a kernel lies what it was made of, in a file that is written after it: the compiler, the
//! architecture, the options, and the length and the hash of the text. A build script that runs again compiles
//! those kernels alone of which any of that differs. So the edit of a comment compiles nothing, and that of one kernel compiles one. Of a
//! compiler that does not say which it is, nothing is kept.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::compiler::Found;
use crate::{Error, write};
use obsidian_front::hash;
use obsidian_toolchain::Form;

/// A kernel that is to be compiled.
pub(super) struct Job {
    /// The name of its files.
    pub(super) stem: String,
    /// Its CUDA text.
    pub(super) cuda: String,
}

/// How kernels are compiled.
pub(super) struct Recipe<'a> {
    pub(super) compiler: &'a Found,
    pub(super) architectures: &'a [String],
    pub(super) form: Form,
    pub(super) line_info: bool,
    pub(super) folder: &'a Path,
}

impl Recipe<'_> {
    /// The name of the files of a kernel for an architecture, which is in it where there are several.
    pub(super) fn stem(&self, kernel: &str, arch: &str) -> String {
        match self.architectures {
            [_] => kernel.to_owned(),
            _ => format!("{kernel}.{arch}"),
        }
    }

    /// What such files end with.
    pub(super) fn ending(&self) -> &'static str {
        match self.form {
            Form::Ptx => "ptx",
            Form::Cubin => "cubin",
        }
    }

    /// The text as it is compiled: with lines, it says where it lies.
    fn text(&self, job: &Job) -> String {
        match self.line_info {
            true => {
                let file = self.folder.join(format!("{}.cu", job.stem));
                let file = file.display().to_string().replace('\\', "\\\\");
                format!("#line 1 \"{}\"\n{}", file.replace('"', "\\\""), job.cuda)
            }
            false => job.cuda.clone(),
        }
    }

    /// What the code of a kernel is made of.
    fn made_of(&self, text: &str, arch: &str) -> Option<String> {
        let compiler = self.compiler.identity()?;
        let (ending, lines) = (
            self.ending(),
            if self.line_info { " -lineinfo" } else { "" },
        );
        let hash = hash::of_words([text.to_owned()]);
        Some(format!(
            "{compiler}\n{arch} {ending}{lines}\n{} {hash}\n",
            text.len()
        ))
    }

    fn is_there(&self, stem: &str, made_of: &str) -> bool {
        let read = |ending: &str| std::fs::read(self.folder.join(format!("{stem}.{ending}")));
        read("made").is_ok_and(|own| own == made_of.as_bytes())
            && read(self.ending()).is_ok_and(|code| self.form.is_whole(&code))
    }

    fn one(&self, task: &Task<'_>) -> Result<(), Error> {
        let (folder, stem) = (self.folder, &task.stem);
        // From here on the code that is there is of nothing that is known.
        let _ = std::fs::remove_file(folder.join(format!("{stem}.made")));
        let name = format!("{}.cu", task.job.stem);
        let code = self
            .compiler
            .compile((&name, &task.text), task.arch, self.form, folder)?;
        write::bytes(folder, &format!("{stem}.{}", self.ending()), &code)?;
        if let Some(made_of) = &task.made_of {
            write::file(folder, &format!("{stem}.made"), made_of)?;
        }
        Ok(())
    }
}

/// A kernel for an architecture.
struct Task<'a> {
    job: &'a Job,
    arch: &'a str,
    stem: String,
    text: String,
    made_of: Option<String>,
}

/// Writes the code of each kernel for each architecture that has none yet, or one of something else. All are tried; the error is that of the first
/// kernel, in their order, that is not compiled.
pub(super) fn compile(jobs: &[Job], recipe: &Recipe<'_>) -> Result<(), Error> {
    let tasks = jobs.iter().flat_map(|job| {
        recipe.architectures.iter().map(|arch| {
            let text = recipe.text(job);
            Task {
                job,
                arch,
                stem: recipe.stem(&job.stem, arch),
                made_of: recipe.made_of(&text, arch),
                text,
            }
        })
    });
    let is_missing = |task: &Task<'_>| {
        let made_of = task.made_of.as_ref();
        made_of.is_none_or(|made_of| !recipe.is_there(&task.stem, made_of))
    };
    let missing: Vec<Task<'_>> = tasks.filter(is_missing).collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = missing.get(number) else {
                break;
            };
            if let Err(error) = recipe.one(task) {
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
