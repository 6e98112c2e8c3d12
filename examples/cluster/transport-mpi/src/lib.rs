//! Members that are the processes of an MPI job, each with the GPU of its number on its machine, or the CPU.
//!
//! MPI does not tell that a process has left early, or makes another call than the others: such a job ends with its time limit.
//!
//! ```no_run
//! fn main() {
//!     // Started by `mpirun -n 4`, on any number of machines.
//!     let sum = transport_mpi::run(|member| {
//!         let xs = member.vector(1_000_000, |range| range.map(|i| 1.0 / (i + 1) as f64).collect())?;
//!         member.fold(&xs, |x, y| x + y, 0.0)
//!     });
//!     println!("{sum}");
//! }
//! ```

use std::marker::PhantomData;
use std::panic::AssertUnwindSafe;

use mpi::Threading;
use mpi::collective::{CommunicatorCollectives, Root};
use mpi::datatype::PartitionMut;
use mpi::point_to_point::{Destination, Source};
use mpi::request::WaitGuard;
use mpi::topology::{Communicator, SimpleCommunicator};
use obsidian_rt::shard::{Failure, Member, Transport};
use obsidian_rt::{Device, Result};

/// The most bytes of one message: MPI counts them in 32 bits.
const MOST: usize = 1 << 30;

/// The transport of a process. MPI is called from the thread that initialised it alone, so it cannot be given to another one.
pub struct Mpi {
    world: SimpleCommunicator,
    /// The most bytes of one message.
    most: usize,
    thread: PhantomData<*const ()>,
}

impl Mpi {
    /// Over the processes of a communicator, which make all calls of it that a member makes.
    pub fn new(world: SimpleCommunicator) -> Self {
        Mpi {
            world,
            most: MOST,
            thread: PhantomData,
        }
    }

    /// The same transport, whose messages have at most `most` bytes; 0 counts as 1.
    #[must_use]
    pub fn in_pieces(mut self, most: usize) -> Self {
        self.most = most.clamp(1, MOST);
        self
    }

    /// Sends bytes to a process, and takes those that another one sends to this one.
    fn shifted(&self, to: usize, from: usize, own: &[u8]) -> Vec<u8> {
        let (to, from) = (process(&self.world, to), process(&self.world, from));
        let (own_len, mut len) = ([own.len() as u64], [0u64]);
        mpi::request::scope(|scope| {
            let _sent = WaitGuard::from(to.immediate_send(scope, &own_len[..]));
            from.receive_into(&mut len[..]);
        });
        let mut taken = vec![0u8; len[0] as usize];
        let (mut own, mut free) = (own.chunks(self.most), taken.chunks_mut(self.most));
        loop {
            let (next, free) = (own.next(), free.next());
            if next.is_none() && free.is_none() {
                return taken;
            }
            mpi::request::scope(|scope| {
                let _sent = next.map(|own| WaitGuard::from(to.immediate_send(scope, own)));
                if let Some(free) = free {
                    from.receive_into(free);
                }
            });
        }
    }

    /// Bytes that a process has, in all; there is room for them.
    fn spread(&self, from: usize, bytes: &mut [u8]) {
        let from = process(&self.world, from);
        for piece in bytes.chunks_mut(self.most) {
            from.broadcast_into(piece);
        }
    }
}

fn process(world: &SimpleCommunicator, rank: usize) -> mpi::topology::Process<'_> {
    // There are as many as an `i32` counts.
    world.process_at_rank(rank as i32)
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }
    fn members(&self) -> usize {
        self.world.size() as usize
    }
    fn all_gather(&self, own: &[u8]) -> std::result::Result<Vec<Vec<u8>>, Failure> {
        let mut lengths = vec![0u64; self.members()];
        self.world
            .all_gather_into(&[own.len() as u64][..], &mut lengths[..]);
        let total: u64 = lengths.iter().sum();
        if total > self.most as u64 {
            let mut all: Vec<Vec<u8>> = lengths.iter().map(|len| vec![0; *len as usize]).collect();
            for (rank, bytes) in all.iter_mut().enumerate() {
                if rank == self.rank() {
                    bytes.copy_from_slice(own);
                }
                self.spread(rank, bytes);
            }
            return Ok(all);
        }
        if total == 0 {
            return Ok(vec![Vec::new(); lengths.len()]);
        }
        // Where nothing is sent there is an address all the same: that of an empty slice is the one which Open MPI takes for `MPI_IN_PLACE`.
        let nothing = [0u8];
        let own = match own {
            [] => &nothing[..0],
            own => own,
        };
        let counts: Vec<i32> = lengths.iter().map(|len| *len as i32).collect();
        let starts: Vec<i32> = counts
            .iter()
            .scan(0, |end, count| {
                let start = *end;
                *end += count;
                Some(start)
            })
            .collect();
        let mut bytes = vec![0u8; total as usize];
        let mut parts = PartitionMut::new(&mut bytes[..], counts, &starts[..]);
        self.world.all_gather_varcount_into(own, &mut parts);
        let mut rest = bytes.as_slice();
        let mut next = |len: &u64| {
            let (own, others) = rest.split_at(*len as usize);
            rest = others;
            own.to_vec()
        };
        Ok(lengths.iter().map(&mut next).collect())
    }
    fn exchange(
        &self,
        to_previous: &[u8],
        to_next: &[u8],
    ) -> std::result::Result<[Vec<u8>; 2], Failure> {
        let (rank, members) = (self.rank(), self.members());
        let (previous, next) = ((rank + members - 1) % members, (rank + 1) % members);
        let from_previous = self.shifted(next, previous, to_next);
        let from_next = self.shifted(previous, next, to_previous);
        Ok([from_previous, from_next])
    }
    fn broadcast(&self, from: usize, own: &[u8]) -> std::result::Result<Vec<u8>, Failure> {
        let is_own = from == self.rank();
        let mut len = [if is_own { own.len() as u64 } else { 0 }];
        process(&self.world, from).broadcast_into(&mut len[..]);
        let mut bytes = match is_own {
            true => own.to_vec(),
            false => vec![0; len[0] as usize],
        };
        self.spread(from, &mut bytes);
        Ok(bytes)
    }
    fn barrier(&self) -> std::result::Result<(), Failure> {
        self.world.barrier();
        Ok(())
    }
}

/// The device of a member: the GPU of its number among the members of its machine, where there are GPUs, unless `OBSIDIAN_DEVICE` says another one.
fn device(world: &SimpleCommunicator) -> Result<Device> {
    let local = world.split_shared(world.rank()).rank() as u32;
    let gpus = Device::cuda_count().unwrap_or(0);
    let said = std::env::var_os("OBSIDIAN_DEVICE").filter(|word| !word.is_empty());
    match said {
        None if gpus > 0 => Device::cuda(local % gpus),
        _ => Device::best(),
    }
}

/// Runs `f` in this process, a member of the job, and gives what it gives. It is called once, from the main thread.
///
/// An error or a panic ends the whole job, with a message that names the member.
pub fn run<R>(f: impl FnOnce(&Member<'_>) -> Result<R>) -> R {
    run_over(|transport| transport, f)
}

/// As [`run`], over a transport that is changed first, for example by [`in_pieces`](Mpi::in_pieces).
pub fn run_over<R>(change: impl FnOnce(Mpi) -> Mpi, f: impl FnOnce(&Member<'_>) -> Result<R>) -> R {
    let Some((universe, threading)) = mpi::initialize_with_threading(Threading::Funneled) else {
        eprintln!("MPI is initialised already: `transport_mpi::run` is called once in a process");
        std::process::exit(1);
    };
    let world = universe.world();
    let rank = world.rank();
    let ended = |words: String| -> ! {
        eprintln!("member {rank} {words}");
        world.abort(1)
    };
    if threading < Threading::Funneled {
        ended("has an MPI library that does not work with threads".to_owned());
    }
    let run = || {
        let member = Member::new(change(Mpi::new(universe.world())), device(&world)?);
        f(&member)
    };
    match std::panic::catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => ended(format!("failed: {error}")),
        Err(panic) => {
            let words = panic
                .downcast_ref::<&str>()
                .map(|words| (*words).to_owned());
            let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
            ended(format!("panicked: {}", words.unwrap_or_default()))
        }
    }
}
