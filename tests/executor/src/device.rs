//! The executor as a device of `obsidian-rt`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use obsidian_core::emit::symbol;
use obsidian_core::ir::ParameterKind;
use obsidian_core::plan::NO_FAULT;
use obsidian_core::plan::ParameterInfo;
use obsidian_core::scalar::ScalarType;
use obsidian_rt::backend::{Backend, HostArray, Launch, Parameter, error};
use obsidian_rt::{Device, Error, ErrorKind, Kernel, Result};

use crate::compiler::Compiler;
use crate::failure::Failure;
use crate::job::{Argument, Job, Order, Run};
use crate::program::{Program, Text};
use crate::worker::Worker;

/// The time of the processor that a launch may take.
const LIMIT: Duration = Duration::from_secs(60);
/// The processes that are kept for further launches.
const MOST_WORKERS: usize = 12;

/// Runs kernels by their CUDA texts: the emitted one, and that of the debug layout. It is cheap to
/// clone; clones share what is compiled.
#[derive(Clone)]
pub struct Executor {
    inner: Arc<Inner>,
    limit: Duration,
    order: Option<Order>,
}

struct Inner {
    compiler: Compiler,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    programs: Vec<Program>,
    /// Which program has a text, and where.
    texts: BTreeMap<Text, (usize, u32)>,
    /// Processes by the number of their program, the one that was used last at the end.
    workers: Vec<(usize, Worker)>,
    launches: u64,
}

impl Executor {
    /// An executor, if there is a compiler for it; where there is none, that is said once.
    pub fn find() -> Option<Executor> {
        Compiler::find().map(Executor::new)
    }

    /// An executor with a compiler.
    pub fn new(compiler: Compiler) -> Executor {
        Executor {
            inner: Arc::new(Inner {
                compiler,
                state: Mutex::default(),
            }),
            limit: LIMIT,
            order: None,
        }
    }

    /// The same, whose launches may take so much time of the processor; a minute unless said.
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Executor {
        self.limit = limit;
        self
    }

    /// The same in one order, for kernels whose result may depend on it: ranks by atomics, sums of
    /// floats.
    #[must_use]
    pub fn in_order(mut self, order: Order) -> Executor {
        self.order = Some(order);
        self
    }

    /// The device. What a kernel does wrong is an error of the kind [`ErrorKind::Fault`].
    pub fn device(&self) -> Device {
        Device::from_backend(self.clone())
    }

    /// Compiles kernels as one program, which takes less time than one by one.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if a text does not compile.
    pub fn prepare(&self, kernels: &[Kernel]) -> Result<()> {
        let mut texts = Vec::new();
        for kernel in kernels {
            texts.extend(layouts(kernel)?);
        }
        self.with(|state| self.load(state, &texts))
            .map_err(|failure| internal(&failure))
    }

    /// How many times a text was run, each order by itself.
    pub fn launches(&self) -> u64 {
        self.with(|state| state.launches)
    }

    fn with<R>(&self, f: impl FnOnce(&mut State) -> R) -> R {
        f(&mut self
            .inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner))
    }

    /// Compiles the texts that are in no program yet.
    fn load(&self, state: &mut State, texts: &[Text]) -> std::result::Result<(), Failure> {
        let mut fresh: Vec<Text> = texts
            .iter()
            .filter(|text| !state.texts.contains_key(text))
            .cloned()
            .collect();
        fresh.sort();
        fresh.dedup();
        if fresh.is_empty() {
            return Ok(());
        }
        let program = Program::compile(&self.inner.compiler, &fresh)?;
        let number = state.programs.len();
        state.programs.push(program);
        state.texts.extend(
            fresh
                .into_iter()
                .zip(0..)
                .map(|(text, position)| (text, (number, position))),
        );
        Ok(())
    }

    /// Does a job with a text.
    fn job(
        &self,
        state: &mut State,
        text: &Text,
        job: &mut Job,
    ) -> std::result::Result<Vec<Vec<u8>>, Failure> {
        self.load(state, std::slice::from_ref(text))?;
        let Some(&(number, position)) = state.texts.get(text) else {
            return Err(Failure::executor("a text was not compiled"));
        };
        job.kernel = position;
        state.launches += job.runs.len() as u64;
        let mut worker = match state.workers.iter().position(|(of, _)| *of == number) {
            Some(found) => state.workers.remove(found).1,
            None => Worker::start(&state.programs[number])?,
        };
        let result = worker.run(job)?;
        state.workers.push((number, worker));
        if state.workers.len() > MOST_WORKERS {
            state.workers.remove(0);
        }
        Ok(result)
    }
}

impl Backend for Executor {
    fn name(&self) -> &str {
        "executor"
    }

    /// Runs the text of each layout in each order.
    fn run(&self, launch: &mut Launch<'_>) -> Result<()> {
        let texts = layouts(launch.kernel())?;
        if launch.blocks() == 0 {
            return Ok(());
        }
        let mut runs = Run::three(launch.grid(), launch.limit());
        runs.retain(|run| self.order.is_none_or(|order| order == run.order));
        let mut job = Job {
            kernel: 0,
            threads: launch.kernel().threads(),
            limit: self.limit,
            arguments: arguments(launch)?,
            runs,
        };
        // One program for both: to compile and start it costs more than most texts do.
        let results = self.with(|state| {
            self.load(state, &texts)
                .map(|()| texts.each_ref().map(|text| self.job(state, text, &mut job)))
        });
        let [packed, debug] = results
            .map_err(|failure| described(&failure))?
            .map(|result| result.map_err(|failure| described(&failure)));
        let (packed, debug) = (packed?, debug.map_err(|message| in_layout(&message))?);
        if packed != debug {
            return Err(error(
                ErrorKind::Fault,
                "its text and that of the debug layout give different results",
            ));
        }
        if launch.interface().faults {
            launch.check_faults(word(packed.last()))?;
        }
        give_back(packed, launch)
    }
}

impl fmt::Debug for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executor")
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// The texts of a kernel, as emitted and in the debug layout.
fn layouts(kernel: &Kernel) -> Result<[Text; 2]> {
    let text = |text: String| Text {
        symbol: symbol(kernel.name()),
        text,
    };
    Ok([text(kernel.cuda().to_owned()), text(kernel.cuda_debug()?)])
}

/// The word of faults.
fn word(bytes: Option<&Vec<u8>>) -> u64 {
    let bytes = bytes.and_then(|bytes| bytes.as_slice().try_into().ok());
    bytes.map_or(0, u64::from_le_bytes)
}

fn described(failure: &Failure) -> Error {
    match failure {
        Failure::Fault { message, .. } => {
            error(ErrorKind::Fault, format!("its CUDA text: {message}"))
        }
        Failure::Text(_) | Failure::Executor(_) => internal(failure),
    }
}

fn in_layout(failure: &Error) -> Error {
    error(failure.kind(), format!("in the debug layout, {failure}"))
}

fn internal(failure: &Failure) -> Error {
    error(ErrorKind::Internal, failure.to_string())
}

/// The arguments of the CUDA function: the parameters, then the lengths that it uses, then the words of its ordered loops and its word of faults, if it has them.
fn arguments(launch: &Launch<'_>) -> Result<Vec<Argument>> {
    let all = || {
        launch
            .interface()
            .parameters
            .iter()
            .zip(launch.parameters())
    };
    let plan = launch.kernel().plan()?;
    let in_part = plan.kernel().parameters.iter().map(|own| match own.kind {
        ParameterKind::Array(array) => plan.is_written_in_part(array),
        ParameterKind::Scalar(_) => false,
    });
    let mut arguments = all()
        .zip(in_part)
        .map(|((info, parameter), in_part)| argument(info, parameter, in_part))
        .collect::<Result<Vec<_>>>()?;
    let length =
        |parameter: &Parameter<'_>| parameter.memory().map_or(0, |memory| memory.len() as u32);
    arguments.extend(
        all()
            .filter(|(info, _)| info.uses_length)
            .map(|(_, p)| Argument::Value(length(p).to_le_bytes().to_vec())),
    );
    if !launch.interface().orders.is_empty() {
        arguments.push(Argument::InOut(order(launch)?));
    }
    if launch.interface().faults {
        arguments.push(Argument::InOut(NO_FAULT.to_le_bytes().to_vec()));
    }
    Ok(arguments)
}

/// The words of a kernel's ordered loops, as an eighth launch finds them: those of the seventh are there.
fn order(launch: &Launch<'_>) -> Result<Vec<u8>> {
    let (launches, heads) = (7u64, launch.interface().orders.len() as u64);
    let word = |n: u64| match n < heads {
        true => launches << 32,
        false => (0xdead_0000 | n & 0xffff) << 32 | launches,
    };
    let words = 0..launch.order_words()?;
    Ok(words.flat_map(|n| word(n).to_le_bytes()).collect())
}

/// Of an output that is written in part, what is not written is the same in all runs.
fn argument(info: &ParameterInfo, parameter: &Parameter<'_>, in_part: bool) -> Result<Argument> {
    Ok(match parameter {
        Parameter::Scalar(value) => Argument::Value(bytes(info.ty, &[value.bits()])),
        Parameter::Input(memory) => Argument::Input(bytes(info.ty, &memory.as_host()?.bits())),
        Parameter::InOut(memory) => Argument::InOut(bytes(info.ty, &memory.as_host()?.bits())),
        Parameter::Output(memory) => {
            let length = memory.len() * info.ty.bytes() as usize;
            match in_part {
                true => Argument::InOut(vec![0; length]),
                false => Argument::Output(length),
            }
        }
    })
}

/// Elements as they lie on a device.
fn bytes(ty: ScalarType, bits: &[u64]) -> Vec<u8> {
    bits.iter()
        .flat_map(|bits| bits.to_le_bytes().into_iter().take(ty.bytes() as usize))
        .collect()
}

fn bits(ty: ScalarType, bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(ty.bytes() as usize).map(|element| {
        element
            .iter()
            .rev()
            .fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    })
}

fn give_back(results: Vec<Vec<u8>>, launch: &mut Launch<'_>) -> Result<()> {
    let written = launch
        .parameters_mut()
        .iter_mut()
        .filter_map(Parameter::written);
    for (memory, result) in written.zip(results) {
        let ty = memory.ty();
        *memory.as_host_mut()? = HostArray::of_bits(ty, bits(ty, &result));
    }
    Ok(())
}
