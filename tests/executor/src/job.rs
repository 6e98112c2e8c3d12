//! One launch, as a program takes it.

use std::time::Duration;

/// What a kernel is to do, and in which orders.
#[derive(Clone, Debug)]
pub struct Job {
    /// Which kernel of the program.
    pub kernel: u32,
    /// Threads of a block.
    pub threads: u32,
    /// The time of the processor that it may take.
    pub limit: Duration,
    /// What the CUDA function takes, in order.
    pub arguments: Vec<Argument>,
    /// The runs, at least one. All must leave the same bytes; those of the first are the result.
    pub runs: Vec<Run>,
}

/// One argument of a CUDA function; arrays as their bytes.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A number.
    Value(Vec<u8>),
    /// An array that is read, and must not be changed.
    Input(Vec<u8>),
    /// An array that is read and written.
    InOut(Vec<u8>),
    /// An array of this many bytes that is written.
    Output(usize),
}

/// One way to run the threads and blocks of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The order.
    pub order: Order,
    /// Where the random numbers begin.
    pub seed: u32,
    /// The number of real blocks.
    pub grid: u32,
    /// What memory that was never written holds, in each byte.
    pub pattern: u8,
}

/// Which of the threads that can go on does, after each wait; and which block is next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The first.
    Ascending,
    /// The last. Buffers begin at an address that is a multiple of 8 and not of 16, as those of a user
    /// may; in other orders at a multiple of 256.
    Descending,
    /// Any; threads also change before atomics.
    Random,
}

impl Run {
    /// Three runs that differ in all: each order, as many real blocks as allowed, one, and a few.
    /// Without a `limit`, that is the grid.
    ///
    /// The patterns are a number that is neither small nor round, a NaN of all float types, and a
    /// float that absorbs others.
    pub fn three(grid: u32, limit: Option<u32>) -> Vec<Run> {
        let at_most = |n: u32| if limit.is_some() { grid } else { grid.min(n) };
        vec![
            Run {
                order: Order::Ascending,
                seed: 1,
                grid,
                pattern: 0xa5,
            },
            Run {
                order: Order::Descending,
                seed: 2,
                grid: at_most(1),
                pattern: 0xff,
            },
            Run {
                order: Order::Random,
                seed: 3,
                grid: at_most(3),
                pattern: 0x5a,
            },
        ]
    }
}

impl Job {
    /// As a program reads it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let milliseconds = u32::try_from(self.limit.as_millis()).unwrap_or(u32::MAX);
        let mut out = Vec::new();
        let number = |out: &mut Vec<u8>, n: u32| out.extend(n.to_le_bytes());
        for n in [
            self.kernel,
            self.threads,
            milliseconds,
            self.arguments.len() as u32,
        ] {
            number(&mut out, n);
        }
        for argument in &self.arguments {
            let (kind, length, content) = match argument {
                Argument::Value(bytes) => (0, bytes.len(), bytes.as_slice()),
                Argument::Input(bytes) => (1, bytes.len(), bytes.as_slice()),
                Argument::InOut(bytes) => (2, bytes.len(), bytes.as_slice()),
                Argument::Output(length) => (3, *length, [].as_slice()),
            };
            number(&mut out, kind);
            out.extend((length as u64).to_le_bytes());
            out.extend(content);
        }
        number(&mut out, self.runs.len() as u32);
        for run in &self.runs {
            for n in [run.order as u32, run.seed, run.grid, run.pattern.into()] {
                number(&mut out, n);
            }
        }
        out
    }

    /// The lengths, in bytes, of what a program answers: the arrays that are written.
    pub(crate) fn written(&self) -> impl Iterator<Item = usize> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::InOut(bytes) => Some(bytes.len()),
            Argument::Output(length) => Some(*length),
            Argument::Value(_) | Argument::Input(_) => None,
        })
    }
}
