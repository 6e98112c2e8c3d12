//! Words of the device by which the blocks of ordered loops follow each other.
//!
//! A kernel has words of its own on each stream, and in each recorded graph: launches that use the same words must come one after the other.
//! They are 0 at first. After that nothing is cleared between launches, as each leaves its number beside what it writes; only after
//! [`MOST_LAUNCHES`] launches, long before a number comes again, are they set to 0 once more.
//! What a kernel of another shape has left has the number of an older launch, too, so the words are enough as soon as they are as many as the
//! largest launch needs.

use std::sync::Arc;

use super::driver;
use super::memory::{free, piece};
use super::pool::Piece;
use super::stream::Stream;
use crate::backend::Launch;
use crate::error::{Error, ErrorKind, Result};
use crate::kernel::Kernel;

/// The number of launches after which words are set to 0.
const MOST_LAUNCHES: u32 = 1 << 29;

/// The most kernels that have words on a stream, the one that was launched last behind all others.
const MOST_KERNELS: usize = 64;

/// The words of a kernel.
struct Words {
    kernel: Kernel,
    piece: Piece,
    launches: u32,
}

/// The words of the kernels of a stream, or of a graph. Who owns them gives them back.
#[derive(Default)]
pub(super) struct Orders {
    list: Vec<Words>,
}

impl Orders {
    /// Where the words for a launch are, which is the next one that uses them; nothing if the kernel needs none.
    pub(super) fn of(&mut self, stream: &Stream, launch: &Launch<'_>) -> Result<Option<u64>> {
        let bytes = launch.order_words()?.saturating_mul(8);
        if bytes == 0 {
            return Ok(None);
        }
        let bytes = usize::try_from(bytes).map_err(|_| {
            let message = format!("the blocks of a launch need {bytes} bytes to follow each other");
            Error::new(ErrorKind::OutOfMemory, message)
        })?;
        let known = self
            .list
            .iter()
            .position(|it| it.kernel.is(launch.kernel()));
        let mut words = match known {
            Some(at) if self.list[at].piece.bytes >= bytes => self.list.remove(at),
            known => {
                let new = Words {
                    kernel: launch.kernel().clone(),
                    piece: piece(stream, bytes)?,
                    launches: MOST_LAUNCHES,
                };
                // What comes later on the stream may have the memory of the old ones.
                let gone = known.or((self.list.len() == MOST_KERNELS).then_some(0));
                if let Some(at) = gone {
                    give(stream, self.list.remove(at).piece);
                }
                new
            }
        };
        let (ready, address) = (words.ready(stream), words.piece.address);
        self.list.push(words);
        ready.map(|()| Some(address))
    }

    /// Before all launches that have words are made once more.
    pub(super) fn again(&mut self, stream: &Stream) -> Result<()> {
        self.list
            .iter_mut()
            .try_for_each(|words| words.ready(stream))
    }

    /// Gives the memory to the pool of the stream on which it was used.
    pub(super) fn give_back(&mut self, stream: &Stream) {
        for words in self.list.drain(..) {
            give(stream, words.piece);
        }
    }
}

impl Words {
    /// Counts a launch; before the first one, and before one too many, the words are set to 0.
    fn ready(&mut self, stream: &Stream) -> Result<()> {
        if self.launches >= MOST_LAUNCHES {
            let Piece { address, bytes } = self.piece;
            stream.with(|| {
                // SAFETY: there are as many bytes, which stay until the stream is done: a pool keeps them for what comes later on it, and
                // freeing them waits.
                unsafe { driver::cuMemsetD32Async(address, 0, bytes / 4, stream.raw()) }
            })?;
            self.launches = 0;
        }
        self.launches += 1;
        Ok(())
    }
}

fn give(stream: &Stream, piece: Piece) {
    free(stream.context(), &stream.pool().give(piece));
}

/// The words of a graph, which gives them back when it is gone.
pub(super) struct OfGraph {
    pub(super) orders: Orders,
    stream: Arc<Stream>,
}

impl OfGraph {
    pub(super) fn new(stream: &Arc<Stream>) -> OfGraph {
        OfGraph {
            orders: Orders::default(),
            stream: Arc::clone(stream),
        }
    }

    /// Before the graph is launched.
    pub(super) fn again(&mut self) -> Result<()> {
        self.orders.again(&self.stream)
    }
}

impl Drop for OfGraph {
    fn drop(&mut self) {
        self.orders.give_back(&self.stream);
    }
}
