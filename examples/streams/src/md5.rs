//! MD5 of words of any length, as RFC 1321 defines it, and a search for the words of digests.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::LazyLock;

use obsidian_rt::arrays::{Arr1, Array, Ix1, generate};
use obsidian_rt::language::{EU8, EU32, lit, select, seq_iterate};
use obsidian_rt::sequence::{Consumed, Segments, Sequence};
use obsidian_rt::{Device, Result};

/// A digest: its four words of 32 bits.
pub type Digest = (u32, u32, u32, u32);
type EDigest = (EU32, EU32, EU32, EU32);

/// The state before the first block.
pub const FIRST: Digest = (0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476);

/// By how many bits each of four steps of each round turns.
pub const TURNS: [[u32; 4]; 4] = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
];

/// The constants of the steps: the whole part of 2^32 |sin(step + 1)|.
pub static CONSTANTS: LazyLock<[u32; 64]> = LazyLock::new(|| {
    std::array::from_fn(|step| ((step as f64 + 1.0).sin().abs() * 4_294_967_296.0) as u32)
});

/// Which word of the block a step adds.
pub fn word_of(step: u32) -> u32 {
    let place = match step / 16 {
        0 => step,
        1 => 5 * step + 1,
        2 => 3 * step + 5,
        _ => 7 * step,
    };
    place % 16
}

/// The state behind a block of sixteen words.
fn block(words: &[EU32], state: EDigest) -> EDigest {
    let (mut a, mut b, mut c, mut d) = state;
    for step in 0..64u32 {
        let mixed = match step / 16 {
            0 => (b & c) | (!b & d),
            1 => (d & b) | (!d & c),
            2 => b ^ c ^ d,
            _ => c ^ (b | !d),
        };
        let sum = a + mixed + CONSTANTS[step as usize] + words[word_of(step) as usize];
        let turn = TURNS[(step / 16) as usize][(step % 4) as usize];
        let turned = (sum << turn) | (sum >> (32 - turn));
        (a, d, c, b) = (d, c, b, b + turned);
    }
    (state.0 + a, state.1 + b, state.2 + c, state.3 + d)
}

/// At each place of a text the four bytes from there on as a word, of which the first is the lowest; those behind the text are any.
fn fours(values: &Arr1<EU8>) -> Arr1<EU32> {
    let (n, values) = (values.len(), values.clone());
    generate(n, move |place| {
        let byte = |k: u32| {
            let own = values.at((place + k).min(n - 1));
            own.cast::<u32>() << (8 * k)
        };
        byte(0) | byte(1) | byte(2) | byte(3)
    })
}

/// The digests of words: each is padded while it is read, by one bit, zeros, and its length in bits.
pub fn digests(words: Segments<EU8>) -> Arr1<EDigest> {
    let (count, offsets, values) = (words.count(), words.offsets, words.values);
    // Stored, as most bytes are read four times.
    let fours = fours(&values).compute();
    generate(count, move |word| {
        let start = offsets.at(word);
        let length = offsets.at(word + 1) - start;
        let fours = fours.clone();
        let blocks = (length + 8) / 64 + 1;
        let first = (lit(FIRST.0), lit(FIRST.1), lit(FIRST.2), lit(FIRST.3));
        let of_block = move |n: EU32, state: EDigest| {
            // Four bytes of the padded word, from a place on.
            let four = |place: EU32| {
                let is_inside = place.lt(length);
                let at = select(is_inside, start + place, lit(0));
                let bytes = fours.at(at.min(fours.len() - 1));
                // How many of them are of the word; the next one is the bit.
                let own = length.max(place) - place;
                let ends = own.lt(4) & place.le(length);
                let bit = lit(1u32) << ((own & 3) * 8);
                let rest = select(is_inside, bytes, lit(0));
                select(ends, (rest & (bit - 1)) | (bit << 7), rest)
            };
            let is_last = (n + 1).eq(blocks);
            let words: Vec<EU32> = (0..16u32)
                .map(|w| {
                    let bytes = four(n * 64 + 4 * w);
                    match w {
                        14 => select(is_last, length << 3u32, bytes),
                        15 => select(is_last, length >> 29u32, bytes),
                        _ => bytes,
                    }
                })
                .collect();
            block(&words, state)
        };
        seq_iterate(blocks, of_block, first)
    })
}

/// A word that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The number of the word in the file.
    pub word: u64,
    /// The number of its digest in the table.
    pub digest: u32,
}

/// The digests of a table on a device.
///
/// # Errors
/// What the device reports.
pub fn table(device: &Device, digests: &[Digest]) -> Result<Array<Ix1, Digest>> {
    device.array([digests.len()], digests)
}

/// For each word of a file the number of its digest in a table, which lies on the device of the run, or that of all digests.
///
/// # Errors
/// A file that cannot be read.
pub fn places<'s>(words: &Path, table: &'s Array<Ix1, Digest>) -> Result<Sequence<'s, Arr1<EU32>>> {
    let known = table.len() as u32;
    let words = Sequence::words(words)?.with(table);
    Ok(words.map_chunks(move |(words, table)| {
        digests(words).map(move |own| {
            let table = table.clone();
            seq_iterate(
                lit(known),
                move |n, place| {
                    let other = table.at(n);
                    let is_same = own.0.eq(other.0)
                        & own.1.eq(other.1)
                        & own.2.eq(other.2)
                        & own.3.eq(other.3);
                    select(is_same, n, place)
                },
                lit(known),
            )
        })
    }))
}

/// The words of a file whose digests are in a table, which lies on the device of the run. The list is filled while the run goes on.
///
/// # Errors
/// A file that cannot be read.
pub fn crack<'s>(
    words: &Path,
    table: &'s Array<Ix1, Digest>,
) -> Result<(Consumed<'s, ()>, Rc<RefCell<Vec<Found>>>)> {
    let found = Rc::new(RefCell::new(Vec::new()));
    let known = table.len() as u32;
    let places = places(words, table)?;
    let (list, mut before) = (found.clone(), 0u64);
    let take = move |places: &[u32]| {
        let hits = places
            .iter()
            .zip(before..)
            .filter(|(place, _)| **place < known);
        let hits = hits.map(|(place, word)| Found {
            word,
            digest: *place,
        });
        list.borrow_mut().extend(hits);
        before += places.len() as u64;
        Ok::<(), String>(())
    };
    Ok((places.for_each(take), found))
}
