//! PageRank of a graph whose links do not fit in memory.

use std::path::Path;

use obsidian_rt::arrays::{Arr1, Array, Ix1, gather};
use obsidian_rt::language::{EU64, lit};
use obsidian_rt::sequence::{Consumed, FileFormat, Sequence};
use obsidian_rt::{Device, Result};

/// All ranks together: they are whole parts of it, so that sums are exact in any order.
pub const WHOLE: u64 = 1 << 60;

/// The ranks of pages behind some iterations, in parts of [`WHOLE`]; `links` is a file of pairs of numbers of 32 bits, from which page and to which. Each
/// iteration reads it once. Seventeen parts of twenty go along links, in equal shares; the rest, what pages without links have, and what the shares leave over
/// go to all pages.
///
/// # Errors
/// A file that cannot be read, or a link to a page that is not there.
pub fn rank(device: &Device, links: &Path, pages: usize, iterations: usize) -> Result<Vec<u64>> {
    rank_by(device, links, (pages, iterations), &mut |sums| {
        sums.run(device)?.to_vec()
    })
}

/// As [`rank`]. `sum` runs what makes a sum for each page of the links, for example over parts of them, whose sums are added.
///
/// # Errors
/// As [`rank`], and those of `sum`.
pub fn rank_by(
    device: &Device,
    links: &Path,
    (pages, iterations): (usize, usize),
    sum: &mut dyn FnMut(Consumed<'_, Array<Ix1, u64>>) -> Result<Vec<u64>>,
) -> Result<Vec<u64>> {
    let rows = Sequence::file_with::<u32, _>(links, [2], FileFormat::default())?;
    let from = rows.clone().map_chunks(|links| links.slice_inner(0));
    let degrees = sum(from.histogram(pages as u32, |page| page))?;
    let mut ranks = equal(WHOLE, pages);
    for _ in 0..iterations {
        let given = |(rank, degree): (&u64, &u64)| match degree {
            0 => 0,
            degree => rank / 20 * 17 / degree,
        };
        let shares: Vec<u64> = ranks.iter().zip(&degrees).map(given).collect();
        let shares = device.array([pages], &shares)?;
        let sums = rows.clone().with(&shares).fold_chunks(
            [pages],
            vec![0u64; pages],
            |sums: Arr1<EU64>, (links, shares)| {
                let to = links.slice_inner(1);
                let given = gather(links.slice_inner(0), shares);
                given.permute(|x, y| x + y, sums, move |link, _| (lit(true), to.at(link)))
            },
        );
        ranks = sum(sums)?;
        let rest = WHOLE - ranks.iter().sum::<u64>();
        ranks
            .iter_mut()
            .zip(equal(rest, pages))
            .for_each(|(rank, more)| *rank += more);
    }
    Ok(ranks)
}

/// A number in parts that differ by at most 1.
pub fn equal(whole: u64, parts: usize) -> Vec<u64> {
    let parts = parts as u64;
    (0..parts)
        .map(|part| whole / parts + u64::from(part < whole % parts))
        .collect()
}
