//! How members talk to each other: four calls on bytes.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
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
    /// This member has done a part of its work, and is on its way to the next call: for a transport whose members wait for each other for some time only.
    fn works(&self) {}
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
    /// What the members have brought to this meeting: the call that they make, and bytes.
    brought: Vec<Option<(Call, Vec<u8>)>>,
    /// How many have taken what they need of it, once all are here.
    taken: usize,
    /// The members that have ended.
    ended: Vec<usize>,
    /// When one was seen at work that others may wait for.
    worked: Option<Instant>,
    /// Why there are no more meetings.
    broken: Option<String>,
}

/// Which call a member makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Call {
    AllGather,
    Exchange,
    Broadcast(usize),
    Barrier,
}

type Guard<'b> = MutexGuard<'b, State>;

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
        (call, own): (Call, Vec<u8>),
        take: impl FnOnce(&[&[u8]]) -> R,
    ) -> Result<R, Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(words) = &state.broken {
            return Err(words.clone().into());
        }
        // The meeting before is over: nobody leaves one before all have taken what they need.
        if let Some(place) = state.brought.get_mut(rank) {
            *place = Some((call, own));
        }
        self.changed.notify_all();
        let state = self.until(state, |state| {
            let missing = |n: &usize| state.brought.get(*n).is_some_and(Option::is_none);
            let gone = state.ended.iter().find(|n| missing(n));
            match gone {
                Some(gone) => Some(Err(format!(
                    "member {gone} has ended, and the others wait for it"
                ))),
                None => state.brought.iter().all(Option::is_some).then_some(Ok(())),
            }
        })?;
        let calls = state.brought.iter().flatten().map(|(call, _)| *call);
        if let Some(other) = calls.into_iter().find(|other| *other != call) {
            let words = format!("members make different calls at once, {call:?} and {other:?}");
            return Err(self.broken(state, words));
        }
        let all: Vec<&[u8]> = state
            .brought
            .iter()
            .flatten()
            .map(|(_, bytes)| bytes.as_slice())
            .collect();
        let result = take(&all);
        let mut state = state;
        state.taken += 1;
        if state.taken == self.members {
            state.taken = 0;
            state.brought.iter_mut().for_each(|place| *place = None);
            self.changed.notify_all();
        }
        drop(self.until(state, |state| (state.taken == 0).then_some(Ok(())))?);
        Ok(result)
    }

    /// Waits until something holds; then there is a reason why it cannot, or none.
    fn until<'b>(
        &'b self,
        mut state: Guard<'b>,
        holds: impl Fn(&State) -> Option<Result<(), String>>,
    ) -> Result<Guard<'b>, Failure> {
        let begin = Instant::now();
        loop {
            match (holds(&state), &state.broken) {
                (Some(Ok(())), _) => return Ok(state),
                (Some(Err(words)), _) => return Err(self.broken(state, words)),
                (None, Some(words)) => return Err(words.clone().into()),
                (None, None) => {}
            }
            let since = state.worked.map_or(begin, |worked| worked.max(begin));
            let left = self.patience.saturating_sub(since.elapsed());
            if left.is_zero() {
                let missing = |n: &usize| state.brought.get(*n).is_some_and(Option::is_none);
                let late: Vec<String> = (0..self.members)
                    .filter(missing)
                    .map(|n| n.to_string())
                    .collect();
                let words = format!(
                    "member {} has not answered for {:?}, and the others wait for it; if it computes that long, give the members more time: \
                     `Threads::new(devices).patience(..)`",
                    late.join(", "),
                    self.patience
                );
                return Err(self.broken(state, words));
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// From now on there are no meetings.
    fn broken(&self, mut state: Guard<'_>, words: String) -> Failure {
        state.broken.get_or_insert_with(|| words.clone());
        self.changed.notify_all();
        words.into()
    }

    fn works(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.worked = Some(Instant::now());
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

impl Transport for Seat {
    fn rank(&self) -> usize {
        self.rank
    }
    fn members(&self) -> usize {
        self.board.members
    }
    fn all_gather(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
        let all = |all: &[&[u8]]| all.iter().map(|bytes| bytes.to_vec()).collect();
        self.board
            .meet(self.rank, (Call::AllGather, own.to_vec()), all)
    }
    fn exchange(&self, to_previous: &[u8], to_next: &[u8]) -> Result<[Vec<u8>; 2], Failure> {
        let (rank, members) = (self.rank, self.board.members);
        let length = (to_previous.len() as u64).to_le_bytes();
        let own = [&length, to_previous, to_next].concat();
        let split = |all: &[&[u8]], n: usize| {
            let (length, rest) = all
                .get(n)
                .and_then(|own| own.split_first_chunk::<8>())
                .unwrap_or((&[0; 8], &[]));
            let length = u64::from_le_bytes(*length) as usize;
            let (to_previous, to_next) = rest.split_at(length.min(rest.len()));
            [to_previous.to_vec(), to_next.to_vec()]
        };
        self.board.meet(rank, (Call::Exchange, own), |all| {
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
        let taken = |all: &[&[u8]]| {
            all.get(from)
                .map(|bytes| bytes.to_vec())
                .unwrap_or_default()
        };
        self.board
            .meet(self.rank, (Call::Broadcast(from), own), taken)
    }
    fn barrier(&self) -> Result<(), Failure> {
        self.board
            .meet(self.rank, (Call::Barrier, Vec::new()), |_| ())
    }
    fn works(&self) {
        self.board.works();
    }
}
