//! Kernels through one compiler: what is kept is taken, the rest compiled in batches, and kept.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use obsidian_toolchain::{Error as CompilerError, ErrorKind as CompilerErrorKind, Form};

use super::Compiled;
use super::batch::{Part, join, take};
use super::cache::Cache;
use super::key::Key;
use super::target::Choice;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use obsidian_toolchain::engine::Engine;
use obsidian_toolchain::nvrtc::STACK;

/// What has become of a kernel.
#[derive(Clone)]
pub(super) enum Outcome {
    Compiled(Compiled),
    Failed(CompilerError),
}

impl Outcome {
    /// Is the compiler to blame, and not the kernel?
    pub(super) fn is_breakdown(&self) -> bool {
        matches!(self, Outcome::Failed(e) if e.kind() != CompilerErrorKind::Refused)
    }

    pub(super) fn words(&self) -> Option<String> {
        match self {
            Outcome::Compiled(_) => None,
            Outcome::Failed(e) => Some(e.to_string()),
        }
    }

    pub(super) fn into_result(self) -> Result<Compiled> {
        match self {
            Outcome::Compiled(compiled) => Ok(compiled),
            Outcome::Failed(e) => Err(Error::compiler_failed(e)),
        }
    }
}

/// One compiler, and what it is to make.
pub(super) struct Round<'a> {
    pub(super) engine: &'a dyn Engine,
    pub(super) choice: &'a Choice,
    pub(super) cache: Option<&'a Cache>,
    /// Does code say from which line of the source it comes?
    pub(super) line_info: bool,
    /// The largest number of kernels in a program.
    pub(super) largest: usize,
    /// The largest number of programs at once.
    pub(super) jobs: usize,
    pub(super) warn: &'a (dyn Fn(String) + Sync),
}

impl Round<'_> {
    /// An outcome for each kernel.
    pub(super) fn run(&self, kernels: &[&Kernel]) -> Vec<Outcome> {
        let parts: Vec<Part<'_>> = kernels
            .iter()
            .map(|kernel| Part::of_kernel(kernel, self.line_info))
            .collect();
        let identity = self
            .engine
            .facts()
            .ok()
            .and_then(|facts| facts.identity.clone());
        let cache = self.cache.filter(|_| identity.is_some());
        let keys: Vec<Key> = parts
            .iter()
            .map(|part| self.key(part, identity.as_deref().unwrap_or_default()))
            .collect();
        // Kernels of one text are compiled once.
        let different: BTreeMap<Key, &Part<'_>> = keys.iter().copied().zip(&parts).collect();
        let mut outcomes: BTreeMap<Key, Outcome> = BTreeMap::new();
        let mut missing = Vec::new();
        for (key, part) in different {
            match cache.and_then(|cache| self.kept(cache, key)) {
                Some(compiled) => drop(outcomes.insert(key, Outcome::Compiled(compiled))),
                None => missing.push((key, part.clone())),
            }
        }
        let made = self.compile_all(&missing);
        if let Some(cache) = cache {
            self.keep(cache, &made);
        }
        outcomes.extend(made);
        let nothing = || {
            Outcome::Failed(CompilerError::new(
                CompilerErrorKind::NoOutput,
                "the kernel was not compiled",
            ))
        };
        keys.iter()
            .map(|key| outcomes.get(key).cloned().unwrap_or_else(nothing))
            .collect()
    }

    /// All that a compiled kernel depends on.
    fn key(&self, part: &Part<'_>, identity: &str) -> Key {
        let Choice { form, architecture } = self.choice;
        // The version of this crate stands for how programs are put together.
        let fields = [
            env!("CARGO_PKG_VERSION"),
            identity,
            architecture,
            &format!("{form:?}"),
            &part.symbol,
            part.text(),
            if self.line_info { "-lineinfo" } else { "" },
        ];
        Key::of(&fields.map(str::as_bytes))
    }

    /// Batches of about the same size, as many at once as the compiler takes.
    fn compile_all(&self, missing: &[(Key, Part<'_>)]) -> Vec<(Key, Outcome)> {
        if missing.is_empty() {
            return Vec::new();
        }
        let size = missing
            .len()
            .div_ceil(self.jobs)
            .max(self.engine.least_batch())
            .min(self.largest);
        // Beside a text whose shared memory is dynamic, ptxas rounds up the memory of the others.
        let mut missing = missing.to_vec();
        missing.sort_by_key(|(_, part)| part.is_dynamic());
        let alike = missing.chunk_by(|(_, one), (_, other)| one.is_dynamic() == other.is_dynamic());
        let batches: Vec<&[(Key, Part<'_>)]> = alike.flat_map(|alike| alike.chunks(size)).collect();
        let (next, made) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let work = || {
            while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                let outcomes = self.batch(batch);
                made.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .extend(batch.iter().map(|(key, _)| *key).zip(outcomes));
            }
        };
        if self.jobs == 1 || batches.len() == 1 {
            work();
        } else {
            std::thread::scope(|scope| {
                let start = || {
                    std::thread::Builder::new()
                        .stack_size(STACK)
                        .spawn_scoped(scope, work)
                        .is_ok()
                };
                let started = (0..self.jobs.min(batches.len()))
                    .filter(|_| start())
                    .count();
                if started == 0 {
                    work();
                }
            });
        }
        made.into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .into_iter()
            .collect()
    }

    /// One program. If it is refused, or is too much for the compiler, its halves are tried, so
    /// that one kernel spoils no other.
    fn batch(&self, members: &[(Key, Part<'_>)]) -> Vec<Outcome> {
        let parts: Vec<Part<'_>> = members.iter().map(|(_, part)| part.clone()).collect();
        let Choice { form, architecture } = self.choice;
        let program = join(&parts).ok_or_else(|| {
            CompilerError::new(
                CompilerErrorKind::Refused,
                "its text does not declare its kernel",
            )
        });
        match program.and_then(|program| self.engine.compile(&program, architecture, *form)) {
            Ok(image) => self.apart(&parts, image),
            Err(e)
                if parts.len() > 1
                    && matches!(
                        e.kind(),
                        CompilerErrorKind::Refused | CompilerErrorKind::Crashed
                    ) =>
            {
                let (first, second) = members.split_at(members.len() / 2);
                [self.batch(first), self.batch(second)].concat()
            }
            Err(e) => parts.iter().map(|_| Outcome::Failed(e.clone())).collect(),
        }
    }

    /// The image of a program as one for each of its parts.
    fn apart(&self, parts: &[Part<'_>], image: Vec<u8>) -> Vec<Outcome> {
        let compiled =
            |entry: &str, image: Arc<[u8]>| Outcome::Compiled(self.compiled(entry, image, false));
        match self.choice.form {
            Form::Cubin => {
                let image: Arc<[u8]> = image.into();
                parts
                    .iter()
                    .map(|part| compiled(&part.entry, Arc::clone(&image)))
                    .collect()
            }
            Form::Ptx => {
                let text = String::from_utf8_lossy(&image);
                let own = |part: &Part<'_>| match take(&text, part) {
                    Some(ptx) => compiled(&part.symbol, ptx.into_bytes().into()),
                    None => Outcome::Failed(CompilerError::new(
                        CompilerErrorKind::NoOutput,
                        "the compiler's PTX does not have the kernel",
                    )),
                };
                parts.iter().map(own).collect()
            }
        }
    }

    fn compiled(&self, entry: &str, image: Arc<[u8]>, kept: bool) -> Compiled {
        let Choice { form, architecture } = self.choice;
        Compiled {
            entry: entry.to_owned(),
            image,
            form: *form,
            architecture: architecture.clone(),
            kept,
        }
    }

    /// A kernel that was kept. An entry is the name of the kernel and a line feed, then the image,
    /// or the key of one that several share.
    fn kept(&self, cache: &Cache, key: Key) -> Option<Compiled> {
        let entry = self.read(cache, key)?;
        let at = entry.iter().position(|byte| *byte == b'\n')?;
        let name = str::from_utf8(&entry[..at]).ok()?;
        let rest = &entry[at + 1..];
        let image = match self.choice.form {
            Form::Ptx => rest.to_vec(),
            Form::Cubin => self.read(cache, Key::from_digits(rest)?)?,
        };
        Some(self.compiled(name, image.into(), true))
    }

    fn read(&self, cache: &Cache, key: Key) -> Option<Vec<u8>> {
        cache.get(key).unwrap_or_else(|e| {
            self.warn_of(cache, &e);
            None
        })
    }

    /// Keeps what was compiled. What cannot be kept is compiled again the next time.
    fn keep(&self, cache: &Cache, made: &[(Key, Outcome)]) {
        let mut images = BTreeMap::new();
        for (key, outcome) in made {
            let Outcome::Compiled(compiled) = outcome else {
                continue;
            };
            let written = match self.choice.form {
                Form::Ptx => cache.put(*key, &entry(&compiled.entry, &compiled.image)),
                Form::Cubin => images
                    .entry(Arc::as_ptr(&compiled.image).addr())
                    .or_insert_with(|| {
                        let image = Key::of(&[b"image", &compiled.image]);
                        cache
                            .put(image, &compiled.image)
                            .map(|()| image)
                            .map_err(|e| e.kind())
                    })
                    .map_err(std::io::Error::from)
                    .and_then(|image| {
                        cache.put(*key, &entry(&compiled.entry, image.to_string().as_bytes()))
                    }),
            };
            if let Err(e) = written {
                return self.warn_of(cache, &e);
            }
        }
    }

    fn warn_of(&self, cache: &Cache, e: &std::io::Error) {
        (self.warn)(format!(
            "compiled kernels are not kept in {}: {e}",
            cache.path().display()
        ));
    }
}

fn entry(name: &str, rest: &[u8]) -> Vec<u8> {
    [name.as_bytes(), b"\n", rest].concat()
}
