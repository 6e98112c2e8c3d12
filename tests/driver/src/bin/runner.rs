//! Runs kernels for the driver: takes a CUDA text and its arguments, and gives back what was
//! written. See `src/runner.rs`.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::time::Duration;

use obsidian_executor::{Argument, Compiler, Failure, Job, Order, Program, Run, Text, Worker};

/// The time of the processor that a launch may take.
const LIMIT: Duration = Duration::from_secs(300);
/// The processes that are kept for further launches.
const MOST_WORKERS: usize = 8;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        // The driver has ended in the middle of a request.
        Err(_) => ExitCode::FAILURE,
    }
}

/// Answers requests until there are no more.
fn serve() -> io::Result<()> {
    let (mut stdin, mut stdout) = (io::stdin().lock(), io::stdout().lock());
    let (compiler, mut workers) = (Compiler::find(), Workers::default());
    while let Some((text, mut job)) = request(&mut stdin)? {
        let answer = match &compiler {
            Some(compiler) => workers
                .run(compiler, &text, &mut job)
                .map_err(|failure| failure.to_string()),
            None => Err("there is no compiler for CUDA texts here".to_owned()),
        };
        match answer {
            Ok(arrays) => {
                stdout.write_all(&[0])?;
                arrays
                    .iter()
                    .try_for_each(|array| give(&mut stdout, array))?;
            }
            Err(words) => {
                stdout.write_all(&[1])?;
                give(&mut stdout, words.as_bytes())?;
            }
        }
        stdout.flush()?;
    }
    Ok(())
}

/// The processes that run, by their texts; those of the last few texts.
#[derive(Default)]
struct Workers {
    running: Vec<(Text, Worker)>,
    programs: BTreeMap<Text, Program>,
}

impl Workers {
    fn run(
        &mut self,
        compiler: &Compiler,
        text: &Text,
        job: &mut Job,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let found = self.running.iter().position(|(of, _)| of == text);
        let mut worker = match found {
            Some(n) => self.running.remove(n).1,
            None => Worker::start(self.program(compiler, text)?)?,
        };
        let arrays = worker.run(job)?;
        self.running.push((text.clone(), worker));
        if self.running.len() > MOST_WORKERS {
            self.running.remove(0);
        }
        Ok(arrays)
    }

    fn program(&mut self, compiler: &Compiler, text: &Text) -> Result<&Program, Failure> {
        use std::collections::btree_map::Entry;
        Ok(match self.programs.entry(text.clone()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                entry.insert(Program::compile(compiler, std::slice::from_ref(text))?)
            }
        })
    }
}

/// The next request; none at the end.
fn request(stdin: &mut impl Read) -> io::Result<Option<(Text, Job)>> {
    let mut first = [0];
    if stdin.read(&mut first)? == 0 {
        return Ok(None);
    }
    let mut stdin = first.chain(stdin);
    let text = string(&mut stdin)?;
    let symbol = string(&mut stdin)?;
    let (threads, grid, count) = (
        number(&mut stdin)?,
        number(&mut stdin)?,
        number(&mut stdin)?,
    );
    let mut arguments = Vec::new();
    for _ in 0..count {
        let mut kind = [0];
        stdin.read_exact(&mut kind)?;
        let bytes = piece(&mut stdin)?;
        arguments.push(match kind {
            [0] => Argument::Value(bytes),
            [1] => Argument::Input(bytes),
            _ => Argument::InOut(bytes),
        });
    }
    let run = Run {
        order: Order::Ascending,
        seed: 1,
        grid,
        pattern: 0xa5,
    };
    Ok(Some((
        Text { symbol, text },
        Job {
            kernel: 0,
            threads,
            limit: LIMIT,
            arguments,
            runs: vec![run],
        },
    )))
}

fn number(from: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn piece(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let mut bytes = vec![0; usize::try_from(u64::from_le_bytes(length)).map_err(io::Error::other)?];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn string(from: &mut impl Read) -> io::Result<String> {
    String::from_utf8(piece(from)?).map_err(io::Error::other)
}

fn give(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(bytes)
}
