//! A transport that counts what goes over a network.

use std::cell::Cell;

use obsidian_rt::shard::{Failure, Transport};

/// What a member takes from others.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    /// Messages that have come, empty ones left out.
    pub messages: u64,
    /// The bytes in them.
    pub bytes: u64,
}

/// A transport that does what another one does, and counts. Each member is taken to have a message from each other one in `all_gather`, from each neighbour in
/// `exchange`, and from one in `broadcast`; `barrier` is a message of no bytes for each doubling of the members, as in a tree.
pub struct Counting<'t> {
    inner: &'t (dyn Transport + 't),
    traffic: Cell<Traffic>,
}

impl<'t> Counting<'t> {
    /// Around another transport.
    pub fn new(inner: &'t (dyn Transport + 't)) -> Self {
        Counting {
            inner,
            traffic: Cell::new(Traffic::default()),
        }
    }

    /// What has come so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic.get()
    }

    fn add<'a>(&self, messages: impl IntoIterator<Item = &'a Vec<u8>>) {
        let mut traffic = self.traffic.get();
        for message in messages {
            traffic.messages += u64::from(!message.is_empty());
            traffic.bytes += message.len() as u64;
        }
        self.traffic.set(traffic);
    }
}

impl Transport for &Counting<'_> {
    fn rank(&self) -> usize {
        self.inner.rank()
    }
    fn members(&self) -> usize {
        self.inner.members()
    }
    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
        let all = self.inner.all_gather(own)?;
        let rank = self.rank();
        let others = all.iter().enumerate().filter(|(other, _)| *other != rank);
        self.add(others.map(|(_, message)| message));
        Ok(all)
    }
    fn exchange(&self, to_previous: &[u8], to_next: &[u8]) -> Result<[Vec<u8>; 2], Failure> {
        let both = self.inner.exchange(to_previous, to_next)?;
        if self.members() > 1 {
            self.add(&both);
        }
        Ok(both)
    }
    fn broadcast(&self, from: usize, own: &[u8]) -> Result<Vec<u8>, Failure> {
        let message = self.inner.broadcast(from, own)?;
        if from != self.rank() {
            self.add([&message]);
        }
        Ok(message)
    }
    fn barrier(&self) -> Result<(), Failure> {
        let mut traffic = self.traffic.get();
        traffic.messages += u64::from(self.members().next_power_of_two().ilog2());
        self.traffic.set(traffic);
        self.inner.barrier()
    }
    fn works(&self) {
        self.inner.works();
    }
}
