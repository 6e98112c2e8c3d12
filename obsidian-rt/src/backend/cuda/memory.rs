//! Arrays in the memory of a device, and page-locked arrays of the host.

use std::any::Any;
use std::ffi::c_void;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use std::sync::{Arc, Mutex, PoisonError};

use obsidian_language::scalar::Literal;

use super::context::Context;
use super::driver::{self, Checked};
use super::pool::Piece;
use super::stream::{BLOCKING, Event, Stream};
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};

/// Memory of the device, for one array or for several that are parts of it.
struct Block {
    address: u64,
    owner: Owner,
    /// The stream that has used it last.
    home: Mutex<Arc<Stream>>,
}

/// Who frees a block.
enum Owner {
    /// The pool of its last stream takes it back, with this many bytes.
    Pool(usize),
    /// Its owner does, when this is dropped.
    Other(#[expect(dead_code, reason = "it is there to be dropped")] Box<dyn Any + Send + Sync>),
    /// Nobody here: it was given away.
    Nobody,
}

impl Block {
    /// A block of at least `bytes` bytes, with arbitrary values: from the stream's pool, from that of another stream, or new.
    fn new(stream: &Arc<Stream>, bytes: usize) -> Result<Block> {
        let Piece { address, bytes } = piece(stream, bytes)?;
        Ok(Block {
            address,
            owner: Owner::Pool(bytes),
            home: Mutex::new(Arc::clone(stream)),
        })
    }

    /// Orders what comes next on a stream after all that was done with this block on another one.
    fn use_on(&self, stream: &Arc<Stream>) -> Result<()> {
        self.after(stream, Stream::follow)
    }

    /// As [`use_on`](Block::use_on), `follow` being how the stream waits for the one before.
    fn after(
        &self,
        stream: &Arc<Stream>,
        follow: impl FnOnce(&Stream, &Stream) -> Result<()>,
    ) -> Result<()> {
        let mut home = self.home.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&home, stream) {
            follow(stream, &home)?;
            let before = std::mem::replace(&mut *home, Arc::clone(stream));
            drop(home);
            // The last use of a stream drops its owner, which may be anything: not while the lock is held.
            drop(before);
        }
        Ok(())
    }

    /// Notes that work with this block was queued on a stream. Between [`use_on`](Block::use_on) and the queueing, another thread may
    /// have made another stream the last one; that stream waits for this work then, as for all that came before.
    fn used_on(&self, stream: &Arc<Stream>) -> Result<()> {
        let home = self.home.lock().unwrap_or_else(PoisonError::into_inner);
        if Arc::ptr_eq(&home, stream) {
            return Ok(());
        }
        // Without an event the order is kept all the same: the host waits.
        home.follow(stream).or_else(|error| {
            stream.synchronize()?;
            Err(error)
        })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let home = self.home.get_mut().unwrap_or_else(PoisonError::into_inner);
        match self.owner {
            Owner::Pool(bytes) => {
                let address = self.address;
                free(home.context(), &home.pool().give(Piece { address, bytes }));
            }
            // The owner, which is dropped next, finds the context current and the memory unused. Where waiting fails the context is
            // lost, and no work goes on.
            Owner::Other(_) => home.context().release(|| {
                let _ = home.done_with_lent();
            }),
            Owner::Nobody => {}
        }
    }
}

/// At least `bytes` bytes with arbitrary values, for a stream: from its pool, from that of another stream, or new.
pub(super) fn piece(stream: &Stream, bytes: usize) -> Result<Piece> {
    let bytes = stream.pool().size(bytes);
    stream.context().is_there()?;
    let kept = match stream.pool().take(bytes) {
        None => from_another(stream, bytes)?,
        kept => kept,
    };
    let address = match kept {
        Some(address) => address,
        None => allocate(stream, bytes)?,
    };
    Ok(Piece { address, bytes })
}

/// A piece of the pool of another stream, after whose work that of this one comes from now on.
fn from_another(stream: &Stream, bytes: usize) -> Result<Option<u64>> {
    for other in stream.context().streams() {
        let Some(address) = other.pool().take(bytes) else {
            continue;
        };
        return match stream.follow_for_memory(&other) {
            Ok(()) => Ok(Some(address)),
            Err(error) => {
                free(
                    other.context(),
                    &other.pool().give(Piece { address, bytes }),
                );
                Err(error)
            }
        };
    }
    Ok(None)
}

/// New memory. Where the device has none left, what pools keep is freed, and it is asked once more.
fn allocate(stream: &Stream, bytes: usize) -> Result<u64> {
    let ask = || -> Result<u64> {
        let mut address = 0;
        // SAFETY: the place is there for the time of the call. The bytes have no type yet; every
        // reader has written them before.
        stream.with(|| unsafe { driver::cuMemAlloc_v2(&raw mut address, bytes) })?;
        Ok(address)
    };
    match ask() {
        Err(error) if error.kind() == ErrorKind::OutOfMemory && trim(stream.context(), 0) => ask(),
        given => given,
    }
}

/// The bytes that are free on the device, what the pools keep included.
pub(super) fn available(stream: &Stream) -> Result<u64> {
    let (mut free, mut total) = (0usize, 0usize);
    // SAFETY: the places are there for the time of the call.
    stream.with(|| unsafe { driver::cuMemGetInfo_v2(&raw mut free, &raw mut total) })?;
    let kept: usize = stream
        .context()
        .streams()
        .iter()
        .map(|stream| stream.pool().bytes())
        .sum();
    Ok((free + kept) as u64)
}

/// Frees what the pools of all streams of a context keep, but `keep` bytes. Returns `true` if there was something.
pub(super) fn trim(context: &Context, mut keep: usize) -> bool {
    let mut freed = false;
    for stream in context.streams() {
        let gone = stream.pool().down_to(keep);
        keep = keep.saturating_sub(stream.pool().bytes());
        freed |= !gone.is_empty();
        free(context, &gone);
    }
    freed
}

/// Gives memory back to the driver, which waits until nothing uses it.
pub(super) fn free(context: &Context, pieces: &[Piece]) {
    if pieces.is_empty() {
        return;
    }
    context.release(|| {
        for piece in pieces {
            // SAFETY: nobody has it any more.
            let _ = unsafe { driver::cuMemFree_v2(piece.address) };
        }
    });
}

/// The bytes of an array. An array of no elements has no memory.
pub(super) struct DeviceArray {
    block: Option<Arc<Block>>,
    /// Where it begins; 0 if there are no bytes.
    address: u64,
    /// The number of bytes.
    length: usize,
}

impl DeviceArray {
    /// Memory of `bytes` bytes with arbitrary values.
    pub(super) fn new(stream: &Arc<Stream>, bytes: usize) -> Result<DeviceArray> {
        let block = match bytes {
            0 => None,
            _ => Some(Arc::new(Block::new(stream, bytes)?)),
        };
        Ok(DeviceArray {
            address: block.as_ref().map_or(0, |block| block.address),
            block,
            length: bytes,
        })
    }

    /// Memory that another owner frees.
    ///
    /// # Safety
    /// There are `bytes` bytes at the address until the owner is dropped; what was done with them before on another stream is waited
    /// for.
    pub(super) unsafe fn of(
        stream: &Arc<Stream>,
        address: u64,
        bytes: usize,
        owner: Box<dyn Any + Send + Sync>,
    ) -> DeviceArray {
        let block = Block {
            address,
            owner: Owner::Other(owner),
            home: Mutex::new(Arc::clone(stream)),
        };
        DeviceArray {
            // Without bytes the owner is kept all the same.
            block: Some(Arc::new(block)),
            address: if bytes > 0 { address } else { 0 },
            length: bytes,
        }
    }

    /// Part of the array, which must lie inside. It keeps the memory alive.
    pub(super) fn part(&self, start: usize, length: usize) -> DeviceArray {
        DeviceArray {
            block: self.block.clone(),
            address: if length > 0 {
                self.address + start as u64
            } else {
                0
            },
            length,
        }
    }

    /// Keeps the first `length` bytes, of which there are at least as many, and gives the others. The memory stays until both are dropped.
    pub(super) fn split_off(&mut self, length: usize) -> DeviceArray {
        let rest = self.part(length, self.length.saturating_sub(length));
        *self = self.part(0, length);
        rest
    }

    /// Puts back what was split off from the end of this array. Gives it back if it is something else.
    pub(super) fn unsplit(&mut self, next: DeviceArray) -> Option<DeviceArray> {
        let one = match (&self.block, &next.block) {
            (Some(block), Some(behind)) => Arc::ptr_eq(block, behind),
            _ => false,
        };
        match (self.length, next.length) {
            (_, 0) => None,
            _ if !one => Some(next),
            (0, _) => {
                *self = next;
                None
            }
            (length, more) if self.address + length as u64 == next.address => {
                self.length = length + more;
                None
            }
            _ => Some(next),
        }
    }

    /// Gives up the whole memory. Fails, and returns the array, if it is a part or has another owner.
    pub(super) fn give_away(mut self) -> std::result::Result<(u64, Arc<Stream>), DeviceArray> {
        let address = self.address;
        let Some(block) = self.block.take() else {
            return Err(self);
        };
        match Arc::try_unwrap(block) {
            Ok(mut block) if matches!(block.owner, Owner::Pool(_)) && block.address == address => {
                block.owner = Owner::Nobody;
                let home = block.home.get_mut().unwrap_or_else(PoisonError::into_inner);
                Ok((block.address, Arc::clone(home)))
            }
            Ok(block) => {
                self.block = Some(Arc::new(block));
                Err(self)
            }
            Err(block) => {
                self.block = Some(block);
                Err(self)
            }
        }
    }

    /// Where it begins; 0 if there are no bytes.
    pub(super) fn address(&self) -> u64 {
        self.address
    }

    /// The number of bytes.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Orders what comes next on a stream after all that was done with this array on another one.
    pub(super) fn use_on(&self, stream: &Arc<Stream>) -> Result<()> {
        self.block
            .as_ref()
            .map_or(Ok(()), |block| block.use_on(stream))
    }

    /// The same, without looking for faults of the other stream.
    pub(super) fn move_to(&self, stream: &Arc<Stream>) -> Result<()> {
        self.block.as_ref().map_or(Ok(()), |block| {
            block.after(stream, Stream::follow_for_memory)
        })
    }

    /// Notes that work with this array was queued on a stream, after [`use_on`](DeviceArray::use_on) and before the array is let go.
    pub(super) fn used_on(&self, stream: &Arc<Stream>) -> Result<()> {
        self.block
            .as_ref()
            .map_or(Ok(()), |block| block.used_on(stream))
    }

    /// Copies bytes of the host to it, and waits: the bytes are only lent.
    pub(super) fn write(&self, stream: &Arc<Stream>, bytes: &[u8]) -> Result<()> {
        let count = bytes.len().min(self.len());
        if count == 0 {
            return Ok(());
        }
        self.use_on(stream)?;
        let copied = stream.wait_with(|| {
            let (to, from) = (self.address(), bytes.as_ptr().cast::<c_void>());
            // SAFETY: both have `count` bytes, and are there until the stream has been waited for.
            let queued = unsafe { driver::cuMemcpyHtoDAsync_v2(to, from, count, stream.raw()) };
            // What a call reports may be an earlier failure.
            let done = stream.done_with_lent();
            queued.and(done)
        });
        copied.and(self.used_on(stream))
    }

    /// Copies bytes of the host to it, behind what was asked of the stream. Where that fails, no copy is under way.
    ///
    /// # Safety
    /// The bytes stay as they are until the event is reached; where waiting for that fails, until the stream was waited for.
    pub(super) unsafe fn write_later(&self, stream: &Arc<Stream>, bytes: &[u8]) -> Result<Event> {
        let count = bytes.len().min(self.len());
        self.later(stream, count, || {
            let from = bytes.as_ptr().cast::<c_void>();
            // SAFETY: both have `count` bytes: the caller's stay, and these are used by nothing else before the stream is done.
            unsafe { driver::cuMemcpyHtoDAsync_v2(self.address, from, count, stream.raw()) }
        })
    }

    /// Copies its bytes to the host, behind what was asked of the stream. Where that fails, no copy is under way.
    ///
    /// # Safety
    /// Nobody else reads or writes the bytes until the event is reached; where waiting for that fails, until the stream was waited for.
    pub(super) unsafe fn read_later(
        &self,
        stream: &Arc<Stream>,
        bytes: &mut [u8],
    ) -> Result<Event> {
        let count = bytes.len().min(self.len());
        let to = bytes.as_mut_ptr().cast::<c_void>();
        self.later(stream, count, || {
            // SAFETY: as for `write_later`.
            unsafe { driver::cuMemcpyDtoHAsync_v2(to, self.address, count, stream.raw()) }
        })
    }

    /// Queues a copy of `count` bytes, and an event behind it.
    fn later(
        &self,
        stream: &Arc<Stream>,
        count: usize,
        copy: impl FnOnce() -> Checked<()>,
    ) -> Result<Event> {
        if count > 0 {
            self.use_on(stream)?;
            let queued = stream.with(copy);
            let used = self.used_on(stream);
            if let Err(error) = queued.and(used) {
                let _ = stream.with(|| stream.done_with_lent());
                return Err(error);
            }
        }
        Event::new(stream, BLOCKING).inspect_err(|_| {
            // Nobody could know when the copy is done.
            let _ = stream.with(|| stream.done_with_lent());
        })
    }

    /// Makes all elements the same.
    pub(super) fn fill(&self, stream: &Arc<Stream>, value: Literal) -> Result<()> {
        if self.length == 0 {
            return Ok(());
        }
        self.use_on(stream)?;
        let (to, raw, bits) = (self.address, stream.raw(), value.bits());
        // SAFETY: it has `length` bytes, whole elements, which stay until the stream is done: a pool keeps
        // them for what comes later on it, and freeing them waits.
        let filled = stream.with(|| unsafe {
            match value.ty().bytes() {
                1 => driver::cuMemsetD8Async(to, bits as u8, self.length, raw),
                2 => driver::cuMemsetD16Async(to, bits as u16, self.length / 2, raw),
                4 => driver::cuMemsetD32Async(to, bits as u32, self.length / 4, raw),
                _ if bits as u32 == (bits >> 32) as u32 => {
                    driver::cuMemsetD32Async(to, bits as u32, self.length / 4, raw)
                }
                // The driver fills with 4 bytes at most: each half as a column of a table of two.
                _ => {
                    let rows = self.length / 8;
                    driver::cuMemsetD2D32Async(to, 8, bits as u32, 1, rows, raw)?;
                    driver::cuMemsetD2D32Async(to + 4, 8, (bits >> 32) as u32, 1, rows, raw)
                }
            }
        });
        // One of two calls may have been queued where the other one failed.
        filled.and(self.used_on(stream))
    }

    /// Copies the bytes of another array of the same length.
    pub(super) fn copy(&self, stream: &Arc<Stream>, from: &DeviceArray) -> Result<()> {
        let count = self.length.min(from.length);
        if count == 0 {
            return Ok(());
        }
        self.use_on(stream)?;
        from.use_on(stream)?;
        // SAFETY: both have `count` bytes, which stay until the stream is done, as above.
        let copied = stream.with(|| unsafe {
            driver::cuMemcpyDtoDAsync_v2(self.address, from.address, count, stream.raw())
        });
        let used = self.used_on(stream);
        copied.and(from.used_on(stream)).and(used)
    }

    /// Copies its bytes to the host, and waits.
    pub(super) fn read(&self, stream: &Arc<Stream>, bytes: &mut [u8]) -> Result<()> {
        let count = bytes.len().min(self.len());
        if count == 0 {
            return Ok(());
        }
        self.use_on(stream)?;
        let copied = stream.wait_with(|| {
            let to = bytes.as_mut_ptr().cast::<c_void>();
            // SAFETY: both have `count` bytes, and are there until the stream has been waited for.
            let queued =
                unsafe { driver::cuMemcpyDtoHAsync_v2(to, self.address, count, stream.raw()) };
            let done = stream.done_with_lent();
            queued.and(done)
        });
        copied.and(self.used_on(stream))
    }
}

/// A page-locked array of the host, freed at the end.
pub(super) struct Locked<T> {
    /// Dangling if there are no elements.
    start: NonNull<T>,
    length: usize,
    context: Arc<Context>,
}

// SAFETY: it owns its elements, as a vector does.
unsafe impl<T: Send> Send for Locked<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Locked<T> {}

impl<T: Element> Locked<T> {
    /// `length` zeros, whose bytes are at most `isize::MAX`.
    pub(super) fn new(context: &Arc<Context>, length: usize) -> Result<Locked<T>> {
        let mut start = ptr::null_mut();
        let bytes = length
            .checked_mul(size_of::<T>())
            .filter(|bytes| isize::try_from(*bytes).is_ok());
        let bytes = bytes.ok_or_else(|| {
            let message = format!(
                "an array of {length} elements of {} bytes is larger than any memory",
                size_of::<T>()
            );
            Error::new(ErrorKind::OutOfMemory, message)
        })?;
        if bytes > 0 {
            // SAFETY: the place is there for the time of the call.
            context.with(|| unsafe { driver::cuMemAllocHost_v2(&raw mut start, bytes) })?;
            // SAFETY: the driver has given `bytes` bytes, which nobody else has.
            unsafe { start.cast::<u8>().write_bytes(0, bytes) };
        }
        Ok(Locked {
            start: NonNull::new(start.cast()).unwrap_or(NonNull::dangling()),
            length: if start.is_null() { 0 } else { length },
            context: Arc::clone(context),
        })
    }
}

impl<T> Locked<T> {
    /// Where an element lies.
    pub(super) fn place(&self, at: usize) -> Option<NonNull<T>> {
        // SAFETY: the element is one of `length`.
        (at < self.length).then(|| unsafe { self.start.add(at) })
    }
}

impl<T> Deref for Locked<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: there are `length` elements from the start on, in pages of the driver, which are aligned for every element. Zero
        // bytes are an element of each type (`Element` is sealed), and what was stored later was one.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T> DerefMut for Locked<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and it is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl<T> Drop for Locked<T> {
    fn drop(&mut self) {
        if self.length == 0 {
            return;
        }
        self.context.release(|| {
            // SAFETY: nobody has it any more: who lends it to a copy waits while it is borrowed, and a copy that goes on owns it until it
            // is done.
            let _ = unsafe { driver::cuMemFreeHost(self.start.as_ptr().cast()) };
        });
    }
}
