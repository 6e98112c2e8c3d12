//! Runs programs on a device.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use obsidian_rt::Device;
use obsidian_rt::arrays::{AnyArray, AnyProgram, HostItem, Settings};

use crate::lower::progress::{Input, Output, Progress, Reader, Saved};
use crate::lower::stop::Stop;
use crate::lower::{Demanded, Lowering, Segment};
use crate::mistake::Mistake;
use crate::syntax::{Base, Constant, Expr, ExprKind, Span};
use crate::value::{Array as HostArray, Elements};

/// How a program runs.
pub struct Options {
    /// On which device.
    pub device: Device,
    /// Where the random numbers of `roll` begin.
    pub seed: u64,
    /// Are arrays between operations left out?
    pub fuse: bool,
    /// The folder in which the program finds files.
    pub folder: PathBuf,
    /// The most bytes that the arrays of a part of the program, which runs at once, may take.
    pub memory: u64,
}

/// The memory that a program gets where nothing else is said, in bytes.
pub const MEMORY: u64 = 1 << 30;

/// Why a program does not end.
#[derive(Debug)]
pub enum Problem {
    /// Something is wrong with it, at a place.
    Mistake(Mistake),
    /// The array layer refuses it, or a launch fails. The text names the place in the program where it is known.
    Failure(String),
}

impl Problem {
    /// In one line, with `file:line:column` in front where the place is known.
    pub fn line(&self, file: &str, text: &str) -> String {
        match self {
            Problem::Mistake(mistake) => {
                let (line, column) = mistake.place(text);
                format!("{file}:{line}:{column}: {}", mistake.message)
            }
            Problem::Failure(message) => {
                let lines = message
                    .lines()
                    .map(str::trim)
                    .filter(|line| !line.is_empty());
                let line = lines.collect::<Vec<_>>().join("; ");
                if line.starts_with(file) {
                    line
                } else {
                    format!("{file}: {line}")
                }
            }
        }
    }
}

/// Files of a folder, and the clock since the program began.
struct Host {
    folder: PathBuf,
    begin: Instant,
}

/// The largest file that a program reads, in bytes.
const LARGEST_FILE: u64 = 256 << 20;

impl Reader for Host {
    fn read(&self, name: &str) -> Result<String, String> {
        let path = self.folder.join(name);
        let wrong = |error: std::io::Error| format!("{}: {error}", path.display());
        let length = std::fs::metadata(&path).map_err(wrong)?.len();
        if length > LARGEST_FILE {
            return Err(format!("{}: {length} bytes are too many", path.display()));
        }
        std::fs::read_to_string(&path).map_err(wrong)
    }

    fn now(&self) -> i32 {
        i32::try_from(self.begin.elapsed().as_millis()).unwrap_or(i32::MAX)
    }
}

/// A part of a program that runs at once.
pub struct Part<'p> {
    /// Its number, from 1.
    pub number: usize,
    /// Where it begins: the place of a binding, or that of the program's result.
    pub place: String,
    /// What is run.
    pub program: &'p AnyProgram,
    /// The extents of the arrays that it takes from those in front of it, in order.
    pub numbers: &'p [Option<u64>],
    /// What one thread does in order, each with its place.
    pub in_order: &'p [String],
    /// How long it took to lower the part and to build its kernels.
    pub built: Duration,
}

impl std::fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let schedule = self.program.schedule();
        let launches = match schedule.launches_for(self.numbers) {
            Some(launches) => launches.to_string(),
            None => format!("{} or more", schedule.launches()),
        };
        let (place, number, operators) = (&self.place, self.number, schedule.operators());
        let kernels = self.program.kernels().len();
        write!(
            f,
            "{place}: part {number}: {operators} operators, {kernels} kernels, {launches} launches"
        )
    }
}

/// Runs a program, and gives each thing that it prints, and its result as the last one, to `print`.
///
/// # Errors
/// What is wrong with the program, or went wrong while it ran.
pub fn run(
    file: &str,
    text: &str,
    program: &Expr,
    options: &Options,
    print: &mut dyn FnMut(&HostArray),
) -> Result<(), Problem> {
    segments(file, text, program, options, &mut |_| {}, print)
}

/// The same; each part of the program that runs at once is shown before it runs.
///
/// # Errors
/// As [`run`].
pub fn segments(
    file: &str,
    text: &str,
    program: &Expr,
    options: &Options,
    show: &mut dyn FnMut(&Part),
    print: &mut dyn FnMut(&HostArray),
) -> Result<(), Problem> {
    let mut progress = Progress {
        file: file.to_owned(),
        text: text.to_owned(),
        seed: options.seed,
        memory: options.memory,
        ..Progress::default()
    };
    let host = Host {
        folder: options.folder.clone(),
        begin: Instant::now(),
    };
    let reader: Rc<dyn Reader> = Rc::new(host);
    let mut inputs: Vec<AnyArray> = Vec::new();
    for number in 1.. {
        let begin = Instant::now();
        let (segment, built) = lowered(program, &progress, &reader, options)?;
        let numbers = inputs.iter().map(|input| Some(input.len() as u64));
        let numbers: Vec<Option<u64>> = numbers.collect();
        show(&Part {
            number,
            place: progress.place(place(program, progress.binding)),
            program: &built,
            numbers: &numbers,
            in_order: &segment.in_order,
            built: begin.elapsed(),
        });
        fits(&segment, &built, &numbers, options.memory)?;
        let given: Vec<&AnyArray> = inputs.iter().collect();
        let results = built.run(&options.device, &given).map_err(failure)?;
        let mut results = results.into_iter();
        let count = segment.outputs.len();
        for output in segment.outputs {
            let array = match output {
                Output::Host(array) => array,
                Output::Device(array) => read(array.base, results.next())?,
            };
            print(&array);
        }
        let answer = match segment.demanded {
            Some(Demanded::Value(base)) => read(base, results.next())?,
            Some(Demanded::Clock) => HostArray::scalar(Constant::Int(reader.now())),
            None => return Ok(()),
        };
        if segment.binding == progress.binding {
            progress.printed += count;
        } else {
            // The numbers of saved arrays count the results behind the answer.
            let behind = results.collect::<Vec<_>>();
            inputs = restart(&mut progress, segment.binding, segment.saved, behind)?;
            progress.printed = 0;
        }
        progress.answers.push(answer);
    }
    Ok(())
}

/// The rest of a program, from where it has run.
fn lowered(
    program: &Expr,
    progress: &Progress,
    reader: &Rc<dyn Reader>,
    options: &Options,
) -> Result<(Segment, AnyProgram), Problem> {
    let shared = Rc::new(progress.clone());
    let made: RefCell<Option<Segment>> = RefCell::default();
    let settings = Settings {
        fuse: options.fuse,
        horizontal: options.fuse,
        ..Settings::default()
    };
    let built = AnyProgram::build_with("tail", settings, |inputs| {
        let lowering = Lowering::new(shared.clone(), reader.clone());
        let (segment, nodes) = lowering.program(program, inputs);
        made.replace(Some(segment));
        nodes
    });
    let segment = made.take().unwrap_or_default();
    match segment.stop {
        Some(Stop::Mistake(mistake)) => Err(Problem::Mistake(mistake)),
        Some(Stop::Varies(span)) => {
            let message = "this number is needed before the loop that computes it runs";
            Err(Problem::Mistake(Mistake::new(span, message)))
        }
        Some(Stop::Demand) | None => Ok((segment, built.map_err(failure)?)),
    }
}

/// Refuses what needs too much memory, as far as that is known before it runs.
fn fits(
    segment: &Segment,
    built: &AnyProgram,
    numbers: &[Option<u64>],
    memory: u64,
) -> Result<(), Problem> {
    let stored = built.schedule().temporary_bytes(numbers).unwrap_or(0);
    let bytes = stored.saturating_add(segment.bytes);
    match bytes > memory {
        true => Err(Problem::Failure(format!(
            "the program needs {bytes} bytes of memory, and gets {memory}"
        ))),
        false => Ok(()),
    }
}

/// Where a binding stands; behind the last one, the result.
fn place(program: &Expr, binding: usize) -> Span {
    match &program.kind {
        ExprKind::Let(bindings, body) => bindings
            .get(binding)
            .map_or(body.span, |binding| binding.value.span),
        _ => program.span,
    }
}

fn failure(error: obsidian_rt::Error) -> Problem {
    Problem::Failure(error.to_string())
}

/// The program goes on in another binding, with the arrays that were saved as inputs.
fn restart(
    progress: &mut Progress,
    binding: usize,
    saved: Vec<Saved>,
    arrays: Vec<AnyArray>,
) -> Result<Vec<AnyArray>, Problem> {
    let mut inputs = Inputs {
        arrays: arrays.into_iter(),
        declared: Vec::new(),
        given: Vec::new(),
    };
    let saved = saved.into_iter().map(|saved| inputs.renumbered(saved));
    progress.saved = saved.collect::<Result<_, _>>()?;
    progress.inputs = inputs.declared;
    progress.binding = binding;
    progress.answers.clear();
    Ok(inputs.given)
}

/// Results of a run as inputs of the next one.
struct Inputs {
    arrays: std::vec::IntoIter<AnyArray>,
    declared: Vec<Input>,
    given: Vec<AnyArray>,
}

impl Inputs {
    /// Saved values come in the order of their results.
    fn renumbered(&mut self, saved: Saved) -> Result<Saved, Problem> {
        Ok(match saved {
            Saved::Device(_, base) => {
                let Some(array) = self.arrays.next() else {
                    return Err(Problem::Failure("a saved array is missing".to_owned()));
                };
                let extents = array.extents().iter().map(|n| u32::try_from(*n));
                let extents = extents.map(|n| n.unwrap_or(u32::MAX)).collect();
                let length = array.len();
                let flat = AnyArray::of(array.into_buffers(), &[length]);
                self.given.push(flat.map_err(failure)?);
                self.declared.push(Input { base, extents });
                Saved::Device(self.given.len() - 1, base)
            }
            Saved::Tuple(parts) => {
                let parts = parts.into_iter().map(|part| self.renumbered(part));
                Saved::Tuple(parts.collect::<Result<_, _>>()?)
            }
            saved => saved,
        })
    }
}

/// A result on the host.
fn read(base: Base, array: Option<AnyArray>) -> Result<HostArray, Problem> {
    let missing = || Problem::Failure("a result is missing".to_owned());
    let array = array.ok_or_else(missing)?;
    let elements = match base {
        Base::Int | Base::Open => Elements::Int(list(&array)?),
        Base::Double => Elements::Double(list(&array)?),
        Base::Bool => Elements::Bool(list(&array)?),
        Base::Char => {
            let codes: Vec<u32> = list(&array)?;
            let chars = codes
                .into_iter()
                .map(|code| char::from_u32(code).unwrap_or('\u{fffd}'));
            Elements::Char(chars.collect())
        }
        Base::Complex => Elements::Complex(list(&array)?),
    };
    HostArray::new(array.extents().to_vec(), elements).ok_or_else(missing)
}

fn list<T: HostItem>(array: &AnyArray) -> Result<Vec<T>, Problem> {
    array.to_vec().map_err(failure)
}
