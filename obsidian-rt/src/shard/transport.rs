//! How members talk to each other: four calls on bytes.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Why a call of a [`Transport`] failed: any error, or words.
///
/// ```
/// let failure: obsidian_rt::shard::Failure = "the network is down".into();
/// assert_eq!(failure.to_string(), "the network is down");
/// ```
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Calls on bytes that all members make together, in the same order. [`Threads`](super::Threads) has one for the threads of a process; one for processes is
/// what a user writes, over MPI or sockets.
///
/// A call that fails is the end of the member: its error becomes one of the run, of the kind [`ErrorKind::Member`](crate::ErrorKind::Member).
///
/// ```
/// use obsidian_rt::{Device, shard::{Failure, Member, Transport}};
///
/// /// One member alone.
/// struct Alone;
///
/// impl Transport for Alone {
///     fn rank(&self) -> usize { 0 }
///     fn members(&self) -> usize { 1 }
///     fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure> { Ok(vec![own.to_vec()]) }
///     fn exchange(&self, to_previous: &[u8], to_next: &[u8]) -> Result<[Vec<u8>; 2], Failure> {
///         Ok([to_next.to_vec(), to_previous.to_vec()])
///     }
///     fn broadcast(&self, _from: usize, own: &[u8]) -> Result<Vec<u8>, Failure> { Ok(own.to_vec()) }
///     fn barrier(&self) -> Result<(), Failure> { Ok(()) }
/// }
///
/// let member = Member::new(Alone, Device::cpu());
/// let xs = member.vector(10, |range| range.map(|i| i as u32).collect())?;
/// assert_eq!(member.fold(&xs, |x, y| x + y, 0)?, 45);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub trait Transport {
    /// The number of this member, from 0.
    fn rank(&self) -> usize;
    /// How many members there are, at least one.
    fn members(&self) -> usize;
    /// The bytes of all members, by their numbers. They may give different numbers of bytes.
    ///
    /// # Errors
    /// A member that is gone, or does not answer.
    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure>;
    /// Gives bytes to the member before this one and to the one behind it, in a ring, and takes what they give to this one: from the one before, and from
    /// the one behind.
    ///
    /// # Errors
    /// As [`all_gather`](Transport::all_gather).
    fn exchange(&self, to_previous: &[u8], to_next: &[u8]) -> Result<[Vec<u8>; 2], Failure>;
    /// The bytes of one member; `own` of the others is not looked at.
    ///
    /// # Errors
    /// As [`all_gather`](Transport::all_gather).
    fn broadcast(&self, from: usize, own: &[u8]) -> Result<Vec<u8>, Failure>;
    /// Waits until all members are here.
    ///
    /// # Errors
    /// As [`all_gather`](Transport::all_gather).
    fn barrier(&self) -> Result<(), Failure>;
}

/// Where the members of one process meet.
pub(super) struct Board {
    state: Mutex<State>,
    changed: Condvar,
    members: usize,
    patience: Duration,
}

#[derive(Default)]
struct State {
    /// What the members have brought to this meeting.
    brought: Vec<Option<Vec<u8>>>,
    /// How many have taken what they need of it, once all are here.
    taken: usize,
    /// The members that have ended.
    ended: Vec<usize>,
}

impl Board {
    pub(super) fn new(members: usize, patience: Duration) -> Arc<Self> {
        Arc::new(Board {
            state: Mutex::new(State {
                brought: vec![None; members],
                ..State::default()
            }),
            changed: Condvar::new(),
            members,
            patience,
        })
    }

    /// A member brings bytes, waits for those of all, and takes what it needs.
    fn meet<R>(
        &self,
        rank: usize,
        own: Vec<u8>,
        take: impl FnOnce(&[Option<Vec<u8>>]) -> R,
    ) -> Result<R, Failure> {
        let begin = Instant::now();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut own = Some(own);
        loop {
            // The meeting before is over when all have taken what they need.
            if own.is_some() && state.brought.get(rank).is_some_and(Option::is_none) {
                if let Some(place) = state.brought.get_mut(rank) {
                    *place = own.take();
                }
                self.changed.notify_all();
            }
            if own.is_none() && state.brought.iter().all(Option::is_some) {
                let result = take(&state.brought);
                state.taken += 1;
                if state.taken == self.members {
                    state.taken = 0;
                    state.brought.iter_mut().for_each(|place| *place = None);
                }
                // A member that has taken brings nothing to this meeting any more.
                self.changed.notify_all();
                let round = self.leave(state, begin)?;
                drop(round);
                return Ok(result);
            }
            let missing = |n: &usize| state.brought.get(*n).is_some_and(Option::is_none);
            if let Some(gone) = state.ended.iter().find(|n| missing(n)) {
                return Err(format!("member {gone} has ended, and the others wait for it").into());
            }
            let left = self.patience.saturating_sub(begin.elapsed());
            if left.is_zero() {
                let late: Vec<String> = (0..self.members)
                    .filter(missing)
                    .map(|n| n.to_string())
                    .collect();
                return Err(format!(
                    "member {} has not answered for {:?}; if it computes that long, give the members more time: `Threads::new(devices).patience(..)`",
                    late.join(", "),
                    self.patience
                )
                .into());
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until all have taken what they need: a member is not at the next meeting while others are at this one.
    fn leave<'b>(
        &'b self,
        mut state: std::sync::MutexGuard<'b, State>,
        begin: Instant,
    ) -> Result<std::sync::MutexGuard<'b, State>, Failure> {
        while state.taken != 0 {
            let left = self.patience.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return Err(format!("a member has not answered for {:?}", self.patience).into());
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(state)
    }

    fn ended(&self, rank: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.ended.push(rank);
        self.changed.notify_all();
    }
}

/// A member's end of the board.
pub(super) struct Seat {
    pub(super) board: Arc<Board>,
    pub(super) rank: usize,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.board.ended(self.rank);
    }
}

fn bytes(place: Option<&Option<Vec<u8>>>) -> Vec<u8> {
    place.cloned().flatten().unwrap_or_default()
}

impl Transport for Seat {
    fn rank(&self) -> usize {
        self.rank
    }
    fn members(&self) -> usize {
        self.board.members
    }
    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
        let all = |all: &[Option<Vec<u8>>]| all.iter().map(|place| bytes(Some(place))).collect();
        self.board.meet(self.rank, own.to_vec(), all)
    }
    fn exchange(&self, to_previous: &[u8], to_next: &[u8]) -> Result<[Vec<u8>; 2], Failure> {
        let (rank, members) = (self.rank, self.board.members);
        let length = (to_previous.len() as u64).to_le_bytes();
        let own = [&length, to_previous, to_next].concat();
        let split = |all: &[Option<Vec<u8>>], n: usize| {
            let mut own = bytes(all.get(n));
            let mut rest = own.split_off(8.min(own.len()));
            let length = own.try_into().map_or(0, u64::from_le_bytes) as usize;
            let to_next = rest.split_off(length.min(rest.len()));
            [rest, to_next]
        };
        self.board.meet(rank, own, |all| {
            let [_, from_previous] = split(all, (rank + members - 1) % members);
            let [from_next, _] = split(all, (rank + 1) % members);
            [from_previous, from_next]
        })
    }
    fn broadcast(&self, from: usize, own: &[u8]) -> Result<Vec<u8>, Failure> {
        let own = match from == self.rank {
            true => own.to_vec(),
            false => Vec::new(),
        };
        self.board.meet(self.rank, own, |all| bytes(all.get(from)))
    }
    fn barrier(&self) -> Result<(), Failure> {
        self.board.meet(self.rank, Vec::new(), |_| ())
    }
}
