//! The programs. All members call them, and all have the result.

use std::path::Path;

use obsidian_rt::Result;
use obsidian_rt::arrays::{Arr1, Arr2, ArrayProgram, Ix1, Ix2, Window, zip_with};
use obsidian_rt::language::{EF32, EU8, EU32, EU64, Number, lit, select};
use obsidian_rt::sequence::{FileNumber, Sequence, fold};
use obsidian_rt::shard::{Edge, Member, Sharded};
use streams::{md5, pages, reference};

/// A number below 2^24, so that sums of them as `f32` tell the order of additions.
pub fn number(i: usize) -> u32 {
    let state = (i as u32 + 1)
        .wrapping_mul(1_664_525)
        .wrapping_add(1_013_904_223);
    state >> 8
}

/// The same in thousandths.
pub fn float(i: usize) -> f32 {
    number(i) as f32 / 1000.0
}

/// A word of the dictionary: of 1 to 80 bytes.
pub fn word(n: usize) -> String {
    let length = number(n) as usize % 80;
    format!("{n}{}", "x".repeat(length.saturating_sub(8)))
}

/// A digest of bytes, by which results are compared (FNV-1a of 64 bits).
fn digest(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// A digest of the bits of numbers.
pub fn digest_of<T: FileNumber>(numbers: &[T]) -> u64 {
    digest(
        numbers
            .iter()
            .flat_map(|number| number.literal().bits().to_le_bytes()),
    )
}

/// The sum of the products of the elements of two vectors.
///
/// # Errors
/// What the members report.
pub fn dot(member: &Member<'_>, elements: usize) -> Result<u64> {
    let xs = member.vector(elements, |range| range.map(float).collect())?;
    let ys = member.vector(elements, |range| range.map(|i| float(i / 3)).collect())?;
    Ok(digest_of(&[member.dot(&xs, &ys)?]))
}

/// The sums of a vector up to each of its elements.
///
/// # Errors
/// What the members report.
pub fn scan(member: &Member<'_>, elements: usize) -> Result<u64> {
    let xs = member.vector(elements, |range| range.map(float).collect())?;
    let sums = member.scan(&xs, |x, y| x + y, 0.0)?;
    // Of all bits, and not of the last sum alone.
    let bits = member.map(&sums, |x| x.to_bits().cast::<u64>())?;
    let all = member.zip_with(
        &bits,
        &member.vector(elements, |range| range.map(|i| i as u64).collect())?,
        |x, i| (x + 1) * (i * 2 + 1),
    )?;
    member.fold(&all, |x, y| x + y, 0)
}

/// A board of life, a torus, with a pattern.
///
/// # Errors
/// What the members report.
pub fn board(member: &Member<'_>, side: usize) -> Result<Sharded<Ix2, u8>> {
    member.rows([side, side], |rows| {
        let cell = |i: usize| u8::from(number(i).is_multiple_of(3));
        (rows.start * side..rows.end * side).map(cell).collect()
    })
}

/// The board some generations later.
///
/// # Errors
/// What the members report.
pub fn generations(
    member: &Member<'_>,
    board: &Sharded<Ix2, u8>,
    generations: usize,
) -> Result<Sharded<Ix2, u8>> {
    member.stencils(generations, board, 1, Edge::Wrap, next_generation)
}

/// Generations of life on a torus that begins with a pattern.
///
/// # Errors
/// What the members report.
pub fn life(member: &Member<'_>, side: usize, count: usize) -> Result<u64> {
    let board = board(member, side)?;
    let board = generations(member, &board, count)?;
    Ok(digest_of(&member.gather_all(&board)?))
}

fn next_generation(w: Window<Ix2, EU8>) -> EU8 {
    let around = [
        (-1, -1),
        (-1, 0),
        (-1, 1),
        (0, -1),
        (0, 1),
        (1, -1),
        (1, 0),
        (1, 1),
    ];
    let count = around.into_iter().fold(lit(0u8), |sum, at| sum + w.at(at));
    let lives = count.eq(3) | (count.eq(2) & w.at((0, 0)).eq(1));
    select(lives, lit(1u8), lit(0u8))
}

/// A matrix, of which each member has rows, times a vector, which each of them has.
///
/// # Errors
/// What the members report.
pub fn matrix_vector(member: &Member<'_>, side: usize) -> Result<u64> {
    let matrix: Sharded<Ix2, f32> = member.rows([side, side], |rows| {
        (rows.start * side..rows.end * side).map(float).collect()
    })?;
    let vector: Vec<f32> = (0..side).map(|i| float(i * 7)).collect();
    let vector = member.device().array([side], &vector)?;
    let program =
        ArrayProgram::build("matrix_vector", |matrix: Arr2<EF32>, vector: Arr1<EF32>| {
            let rows = vector.replicate(matrix.shape().0);
            zip_with(|x, y| x * y, matrix, rows).sum()
        })?;
    let own = program.run(member.device(), (matrix.local(), &vector))?;
    Ok(digest_of(&member.all_gather(&own.to_vec()?)?.concat()))
}

/// The first words of a dictionary with some digests.
///
/// # Errors
/// A file that cannot be read, and what the members report.
pub fn crack(member: &Member<'_>, words: &Path) -> Result<u64> {
    let wanted = [3, 4096, 19_000].map(|n| reference::digest(word(n).as_bytes()));
    let table = md5::table(member.device(), &wanted)?;
    let places = md5::places(words, &table)?;
    // For each digest the number of the word, if it is its; the words are read once.
    let numbers = places.zip_with(
        Sequence::numbers(u64::MAX >> 1),
        |place: EU32, word: EU64| {
            let number = |own: u32| select(place.eq(own), word, lit(u64::MAX));
            (number(0), number(1), number(2))
        },
    );
    type Numbers = (EU64, EU64, EU64);
    let first = fold(
        |(a, b, c): Numbers, (x, y, z): Numbers| (a.min(x), b.min(y), c.min(z)),
        (u64::MAX, u64::MAX, u64::MAX),
    );
    let (a, b, c) = member.run(numbers.consume(first))?;
    Ok(digest_of(&[a, b, c]))
}

/// The ranks of pages behind three iterations. Each member reads a part of the links; sums of whole numbers are the same in any order.
///
/// # Errors
/// A file that cannot be read, and what the members report.
pub fn rank(member: &Member<'_>, links: &Path, pages: usize) -> Result<u64> {
    let ranks = pages::rank_by(member.device(), links, (pages, 3), &mut |sums| {
        let all = sums.plan(member.device())?.elements.unwrap_or(0);
        let part = member.part(all as usize);
        let own = sums.skip(part.start as u64).take(part.len() as u64);
        let own = own.run(member.device())?.to_vec()?;
        let mut total = vec![0u64; own.len()];
        for sums in member.all_gather(&own)? {
            let both = total.iter_mut().zip(sums);
            both.for_each(|(sum, more)| *sum = sum.wrapping_add(more));
        }
        Ok(total)
    })?;
    Ok(digest_of(&ranks))
}

/// Folds, scans, maps, stencils and histograms of vectors of all element types, of lengths that are no multiples of anything.
///
/// # Errors
/// What the members report.
pub fn types(member: &Member<'_>) -> Result<u64> {
    let mut all = Vec::new();
    macro_rules! each {
        ($($ty:ident)*) => {$( all.push(of_type::<$ty>(member, |i| (number(i) % 100) as $ty)?); )*};
    }
    each!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);
    for len in [1, 9001] {
        let is_odd = member.vector(len, |range| range.map(|i| number(i) % 2 == 1).collect())?;
        let parity = member.fold(&is_odd, |x, y| x ^ y, false)?;
        let last = member.scan(&is_odd, |x, y| x | y, false)?;
        let flags = member.gather_all(&last)?.into_iter().map(u8::from);
        all.push(digest(flags.chain([u8::from(parity)])));
    }
    Ok(digest_of(&all))
}

fn of_type<T: FileNumber + Number>(member: &Member<'_>, number: fn(usize) -> T) -> Result<u64> {
    let mut all = Vec::new();
    for len in [0, 13_001] {
        let xs: Sharded<Ix1, T> = member.vector(len, |range| range.map(number).collect())?;
        all.push(member.fold(&xs, |x, y| x + y, number(3))?);
        let doubled = member.map(&xs, |x| x + x)?;
        let scanned = member.scan(&doubled, |x, y| x.max(y), number(7))?;
        let around = member.stencil(&xs, 2, Edge::Mirror, |w| w.at(-2) + w.at(0) - w.at(1))?;
        all.extend(member.gather_all(&scanned)?);
        all.extend(member.gather_all(&around)?);
        let counts = member.histogram(&xs, 2, move |x| {
            select(x.lt(number(50)), lit(1u32), lit(0u32))
        })?;
        all.push(number(counts.iter().map(|count| *count as usize).sum()));
        all.push(member.dot(&xs, &around)?);
    }
    Ok(digest_of(&all))
}
