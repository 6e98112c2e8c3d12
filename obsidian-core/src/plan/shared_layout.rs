//! Where each shared array lies in the memory of a block.
//!
//! Before: a physical kernel (its threads are fixed) and how long each array is needed. After: a
//! table of offsets; the kernel is not changed. Two arrays that are needed at once never overlap.
//! An array starts at a multiple of 128 bytes, the width of all banks, or of 16 if it is smaller
//! than 128. Arrays are placed first-fit, in the order in which they begin, which is never more
//! memory than the Haskell system needs, as it does the same with coarser lifetimes; and once more
//! with small arrays last, so that one element does not push the large arrays to the next multiple
//! of 128. The better one is kept.
//!
//! The arrays of warps that are begun in one loop over warps lie in a frame, first-fit as well.
//! There are as many frames as warps work at once, side by side, and together they are one array of
//! the block that is needed for the whole loop. So a byte of a frame belongs to one real warp until
//! the loop ends.
//!
//! Behind them an ordered loop over blocks has room for the numbers that its blocks take.
//!
//! Memory may be used again by another array while slower threads still read it; `barriers`
//! comes after this pass, and puts a wait there. Arrays that are held have no place here.

use super::Limits;
use super::analysis::{Liveness, Range};
use super::layout::{SharedMap, Slot, TICKETS};
use crate::error::{Diagnostic, Origin, catalogue};
use crate::ir::{Kernel, MAX_SHARED_BYTES, Physical, PhysicalLoop};
use crate::ordered::Map;
use crate::scalar::{Array, ArrayId, ArrayPlace};

/// Why the shared arrays of a kernel do not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutOfShared {
    /// Bytes that the kernel needs.
    pub needed: u32,
    /// Bytes that there are.
    pub limit: u32,
    /// The largest arrays (copies included) that are needed together with the array that did not
    /// fit: names and bytes.
    pub largest: Vec<(String, u32)>,
    /// Where the array was made that did not fit.
    pub origin: Origin,
}

impl From<OutOfShared> for Diagnostic {
    fn from(error: OutOfShared) -> Self {
        catalogue::out_of_shared(error.needed, error.limit, MAX_SHARED_BYTES, &error.largest)
            .at(error.origin)
    }
}

/// The largest number of arrays that a message names.
const NAMED: usize = 4;

/// What is placed as one piece.
#[derive(Clone, Copy)]
struct Item {
    range: Range,
    bytes: u64,
    align: u64,
    offset: u64,
}

impl Item {
    fn new(range: Range, bytes: u64, element: u64) -> Self {
        Item {
            range,
            bytes,
            align: alignment(bytes).max(element),
            offset: 0,
        }
    }

    fn end(&self) -> u64 {
        self.offset + self.bytes
    }
}

/// Bytes of all banks.
const WIDE: u64 = 128;

fn alignment(bytes: u64) -> u64 {
    if bytes >= WIDE { WIDE } else { 16 }
}

/// Places the shared arrays; an error if they do not fit.
pub fn shared_layout(
    kernel: &Kernel<Physical>,
    liveness: &Liveness,
    limits: Limits,
) -> Result<SharedMap, OutOfShared> {
    let mut map = SharedMap::default();
    let mut items: Vec<(Item, Piece)> = Vec::new();
    let mut all = arrays(kernel, liveness);
    for (number, warp_loop) in liveness.warp_loops.iter().enumerate() {
        let mut arrays = all.remove(&Some(number)).unwrap_or_default();
        let bytes = fit(arrays.iter_mut().map(|(item, _)| item).collect());
        let stride = bytes.next_multiple_of(alignment(bytes));
        let copies = u64::from(warp_loop.count.unwrap_or(u32::MAX).min(kernel.warps()));
        let inner = arrays
            .into_iter()
            .map(|(item, id)| (id, item.offset))
            .collect();
        items.push((
            Item::new(warp_loop.range, copies * stride, 1),
            Piece::Frames {
                inner,
                stride,
                copies,
            },
        ));
    }
    let of_blocks = all.remove(&None).unwrap_or_default();
    items.extend(
        of_blocks
            .into_iter()
            .map(|(item, id)| (item, Piece::Array(id))),
    );
    items.sort_by_key(|(item, _)| item.range);
    let arrays = fit(items.iter_mut().map(|(item, _)| item).collect());
    let tickets = tickets(kernel);
    let needed = match tickets {
        0 => arrays,
        n => arrays.next_multiple_of(u64::from(TICKETS)) + u64::from(n * TICKETS),
    };
    if needed > u64::from(limits.shared_bytes) {
        // In the order of the text the array that does not fit is the one that was made when memory
        // ran out.
        first_fit(&mut items.iter_mut().map(|(item, _)| item).collect::<Vec<_>>());
        return Err(out_of_shared(kernel, &items, needed, limits.shared_bytes));
    }
    for (item, piece) in items {
        piece.slots(item.offset, &mut map.slots);
    }
    map.bytes = clamp(needed);
    Ok(map)
}

/// How many ordered loops over blocks there are: each has room behind all arrays.
fn tickets(kernel: &Kernel<Physical>) -> u32 {
    let loops = kernel.body.iter();
    let ordered = loops.filter(|s| s.counts() == Some(PhysicalLoop::Ordered));
    ordered.count() as u32
}

/// What a piece of the block's memory holds.
enum Piece {
    Array(ArrayId),
    Frames {
        inner: Map<ArrayId, u64>,
        stride: u64,
        copies: u64,
    },
}

impl Piece {
    fn slots(&self, offset: u64, slots: &mut Map<ArrayId, Slot>) {
        match self {
            Piece::Array(id) => {
                slots.insert(
                    *id,
                    Slot {
                        offset: clamp(offset),
                        stride: 0,
                    },
                );
            }
            Piece::Frames { inner, stride, .. } => {
                slots.extend(inner.iter().map(|(id, at)| {
                    (
                        *id,
                        Slot {
                            offset: clamp(offset + at),
                            stride: clamp(*stride),
                        },
                    )
                }));
            }
        }
    }

    /// The arrays with their bytes, copies included.
    fn arrays(&self) -> Vec<(ArrayId, u64)> {
        match self {
            Piece::Array(id) => vec![(*id, 1)],
            Piece::Frames { inner, copies, .. } => inner.keys().map(|id| (*id, *copies)).collect(),
        }
    }
}

fn clamp(bytes: u64) -> u32 {
    bytes.try_into().unwrap_or(u32::MAX)
}

fn bytes(kernel: &Kernel<Physical>, array: &Array) -> u64 {
    u64::from(kernel.tables.stored_length(array)) * u64::from(array.ty.bytes())
}

/// The shared arrays of the block, and of each loop over warps, in the order in which they begin.
fn arrays(
    kernel: &Kernel<Physical>,
    liveness: &Liveness,
) -> Map<Option<usize>, Vec<(Item, ArrayId)>> {
    let mut lists: Map<Option<usize>, Vec<(Item, ArrayId)>> = Map::new();
    for (&id, life) in &liveness.lives {
        let array = kernel.tables.array(id);
        if array.place == ArrayPlace::Shared {
            let item = Item::new(life.range, bytes(kernel, array), array.ty.bytes().into());
            lists.entry(life.warp_loop).or_default().push((item, id));
        }
    }
    for list in lists.values_mut() {
        list.sort_by_key(|(item, id)| (item.range.first, *id));
    }
    lists
}

/// Gives each item an offset, in the better one of two orders; the bytes needed.
fn fit(mut items: Vec<&mut Item>) -> u64 {
    let needed = first_fit(&mut items);
    let offsets: Vec<u64> = items.iter().map(|item| item.offset).collect();
    let mut by_size: Vec<&mut Item> = items.iter_mut().map(|item| &mut **item).collect();
    by_size.sort_by_key(|item| item.bytes < WIDE);
    let small_last = first_fit(&mut by_size);
    if small_last < needed {
        return small_last;
    }
    items
        .into_iter()
        .zip(offsets)
        .for_each(|(item, offset)| item.offset = offset);
    needed
}

/// Gives each item the lowest offset at which it overlaps no earlier item that is needed at the
/// same time; the bytes needed.
fn first_fit(items: &mut [&mut Item]) -> u64 {
    let mut placed = Placed::new(items);
    for (n, item) in items.iter_mut().enumerate() {
        let mut others = placed.meeting(item.range);
        others.sort_by_key(|other| other.offset);
        item.offset = 0;
        for other in others {
            if item.end() > other.offset {
                item.offset = item.offset.max(other.end().next_multiple_of(item.align));
            }
        }
        placed.put(n, **item);
    }
    items.iter().map(|item| item.end()).max().unwrap_or(0)
}

/// Items that have been placed, by where they begin: a tree over them that knows how long any of
/// those below a vertex is needed. To find those that meet a range takes a time in proportion to how
/// many they are.
struct Placed {
    /// Where each item of the list stands in the order of beginnings.
    places: Vec<usize>,
    /// Where they begin, in that order.
    firsts: Vec<usize>,
    items: Vec<Option<Item>>,
    /// By vertex, 1 is the root, and the leaves come last: one more than the last position at which
    /// any item below it is needed; 0 if there is none.
    ends: Vec<usize>,
}

impl Placed {
    /// None of the items yet.
    fn new(items: &[&mut Item]) -> Placed {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|n| items[*n].range.first);
        let mut places = vec![0; items.len()];
        for (place, n) in order.iter().enumerate() {
            places[*n] = place;
        }
        Placed {
            places,
            firsts: order.iter().map(|n| items[*n].range.first).collect(),
            items: vec![None; items.len()],
            ends: vec![0; 2 * items.len().next_power_of_two()],
        }
    }

    fn put(&mut self, n: usize, item: Item) {
        let place = self.places[n];
        self.items[place] = Some(item);
        let mut vertex = self.ends.len() / 2 + place;
        while vertex > 0 {
            self.ends[vertex] = self.ends[vertex].max(item.range.last + 1);
            vertex /= 2;
        }
    }

    fn meeting(&self, range: Range) -> Vec<Item> {
        // All before this one begin early enough.
        let end = self.firsts.partition_point(|first| *first <= range.last);
        let leaves = self.ends.len() / 2;
        // A vertex, and the first leaf below it with their number.
        let (mut open, mut found) = (vec![(1, 0, leaves)], Vec::new());
        while let Some((vertex, first, number)) = open.pop() {
            if first >= end || self.ends[vertex] <= range.first {
                continue;
            }
            if number == 1 {
                found.extend(self.items[first]);
                continue;
            }
            let half = number / 2;
            open.push((2 * vertex + 1, first + half, half));
            open.push((2 * vertex, first, half));
        }
        found
    }
}

fn out_of_shared(
    kernel: &Kernel<Physical>,
    items: &[(Item, Piece)],
    needed: u64,
    limit: u32,
) -> OutOfShared {
    let info = |id: ArrayId| kernel.tables.array(id);
    let broke = items.iter().find(|(item, _)| item.end() > u64::from(limit));
    let range = broke.map_or(
        Range {
            first: 0,
            last: usize::MAX,
        },
        |(item, _)| item.range,
    );
    let origin = broke.and_then(|(_, piece)| {
        piece
            .arrays()
            .into_iter()
            .map(|(id, _)| info(id))
            .max_by_key(|a| bytes(kernel, a))
    });
    let together = items
        .iter()
        .filter(|(item, _)| item.range.first <= range.first && item.range.meets(range));
    let mut largest: Vec<(String, u32)> = together
        .flat_map(|(_, piece)| piece.arrays())
        .map(|(id, copies)| {
            let array = info(id);
            (array.name.clone(), clamp(copies * bytes(kernel, array)))
        })
        .collect();
    largest.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    largest.truncate(NAMED);
    OutOfShared {
        needed: clamp(needed),
        limit,
        largest,
        origin: origin.map_or(Origin::UNKNOWN, |array| array.origin),
    }
}

#[cfg(test)]
mod tests;
