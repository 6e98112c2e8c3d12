//! Arrays as sources: on a device, divided along any axes, and computed.

use obsidian_rt::arrays::{Array, Ix2, Ix3, fill, generate};
use obsidian_rt::language::lit;
use obsidian_rt::sequence::{All, Division, Sequence, Split, collect, max, sum};
use obsidian_rt::{Device, ErrorKind, Result};

use super::{devices, floats};

/// The elements of a 3 x 5 x 7 array along some axes, each with its numbers.
fn elements(xs: &[u32], extents: [usize; 3], split: &[bool]) -> Vec<Vec<u32>> {
    let mut all: Vec<(Vec<usize>, Vec<u32>)> = Vec::new();
    for i in 0..extents[0] {
        for j in 0..extents[1] {
            for k in 0..extents[2] {
                let at = [i, j, k];
                let own: Vec<usize> = at
                    .into_iter()
                    .zip(split)
                    .filter(|(_, split)| **split)
                    .map(|(at, _)| at)
                    .collect();
                let x = xs[(i * extents[1] + j) * extents[2] + k];
                match all.iter_mut().find(|(at, _)| *at == own) {
                    Some((_, element)) => element.push(x),
                    None => all.push((own, vec![x])),
                }
            }
        }
    }
    all.sort();
    all.into_iter().map(|(_, element)| element).collect()
}

fn of_three<D: Division<Whole = Ix3> + Copy + 'static>(division: D) {
    let extents = [3, 5, 7];
    let xs: Vec<u32> = (0..105).map(|n| n * n % 1009).collect();
    let wanted = elements(&xs, extents, D::split()).concat();
    for device in devices() {
        let array: Array<Ix3, u32> = device.array(extents, &xs).unwrap();
        for chunk in [1, 4, 1000] {
            let found = Sequence::divided(&xs, extents, division).unwrap();
            let found = Sequence::consume(found.map_chunks(|chunk| chunk.flatten()), collect())
                .chunk(chunk);
            assert_eq!(
                found.run(&device).unwrap().to_vec().unwrap(),
                wanted,
                "{:?}",
                D::split()
            );
            let found =
                Sequence::array_divided(&array, division).map_chunks(|chunk| chunk.flatten());
            let found = found
                .collect()
                .chunk(chunk)
                .run(&device)
                .unwrap()
                .to_vec()
                .unwrap();
            assert_eq!(found, wanted, "{:?} of an array", D::split());
        }
    }
}

#[test]
fn arrays_are_divided_along_any_axes() {
    of_three((Split, Split, Split));
    of_three((Split, Split, All));
    of_three((Split, All, Split));
    of_three((All, Split, Split));
    of_three((Split, All, All));
    of_three((All, Split, All));
    of_three((All, All, Split));
    let xs: Vec<u32> = (0..12).collect();
    for device in devices() {
        let columns = Sequence::divided(&xs, [3, 4], (All, Split)).unwrap();
        let sums = columns
            .each(|column| column.sum())
            .collect()
            .chunk(3)
            .run(&device)
            .unwrap();
        assert_eq!(sums.to_vec().unwrap(), [12, 15, 18, 21]);
        let all = Sequence::divided(&xs, [12], Split)
            .unwrap()
            .sum()
            .run(&device)
            .unwrap();
        assert_eq!(all, 66);
        // Elements of no numbers, and no elements.
        let none: [u32; 0] = [];
        let empty = Sequence::divided(&none, [0, 3], (All, Split))
            .unwrap()
            .collect()
            .run(&device)
            .unwrap();
        assert_eq!(empty.extents(), [3, 0]);
        let empty = Sequence::divided(&none, [3, 0], (All, Split))
            .unwrap()
            .collect()
            .run(&device)
            .unwrap();
        assert_eq!(empty.extents(), [0, 3]);
        let array = device.array([3, 0], &none).unwrap();
        let empty = Sequence::array_divided(&array, (All, Split))
            .collect()
            .run(&device)
            .unwrap();
        assert_eq!(empty.extents(), [0, 3]);
        let pairs: Vec<(u32, f32)> = (0..6).map(|n| (n, n as f32 / 2.0)).collect();
        let columns = Sequence::divided(&pairs, [2, 3], (All, Split))
            .unwrap()
            .collect()
            .run(&device)
            .unwrap();
        assert_eq!(
            columns.to_vec().unwrap(),
            [0, 3, 1, 4, 2, 5].map(|n| pairs[n])
        );
    }
    // What is read in no element is not looked at, however many numbers the array has.
    for device in devices() {
        let row = device.array([1, 4], &[1u32, 2, 3, 4]).unwrap();
        let columns = Sequence::array_divided(&row, (All, Split)).each(|column| {
            let (n, own) = (column.len(), column);
            generate(n - 1, move |i| own.at(i) + own.at(1u32))
        });
        assert_eq!(columns.collect().run(&device).unwrap().extents(), [4, 0]);
    }
    let wrong = Sequence::divided(&xs, [3, 5], (All, Split)).err().unwrap();
    assert_eq!(wrong.kind(), ErrorKind::UnequalLengths);
}

#[test]
fn arrays_on_the_device_are_not_copied() -> Result<()> {
    let xs = floats(40 * 6);
    for device in devices() {
        let matrix: Array<Ix2, f32> = device.array([40, 6], &xs)?;
        let rows = Sequence::array(&matrix).each(|row| row.sum());
        let wanted = Sequence::rows(&xs, [6]).each(|row| row.sum());
        let wanted = wanted.collect().run(&device)?.to_vec()?;
        for chunk in [1, 7, 40, 41] {
            let plan = rows.clone().collect().chunk(chunk).plan(&device)?;
            assert_eq!((plan.input_bytes, plan.elements), (0, Some(40)));
            assert_eq!(
                rows.clone().collect().chunk(chunk).run(&device)?.to_vec()?,
                wanted
            );
        }
        let some = rows.collect().skip(3).take(5).run(&device)?.to_vec()?;
        assert_eq!(some, wanted[3..8]);
        // Beside a sequence that is read.
        let weights = Sequence::generate(40, |i| i as f32);
        let dot = Sequence::array(&matrix)
            .each(|row| row.max())
            .zip_with(weights, |x, w| x * w);
        let found = dot.collect().chunk(16).run(&device)?.to_vec()?;
        let wanted = xs
            .chunks(6)
            .zip(0u8..)
            .map(|(row, i)| row.iter().copied().fold(f32::MIN, f32::max) * f32::from(i));
        assert_eq!(found, wanted.collect::<Vec<_>>());
        let pairs = device.array(
            [5],
            &[(1u32, 2.5f64), (2, 3.5), (3, 4.5), (4, 5.5), (5, 6.5)],
        )?;
        let sums = Sequence::array(&pairs).map(|(n, x)| n.cast::<f64>() + x);
        assert_eq!(
            sums.collect().chunk(2).run(&device)?.to_vec()?,
            [3.5, 5.5, 7.5, 9.5, 11.5]
        );
    }
    let here = Device::cpu();
    let elsewhere = Device::simulator().array([2], &[1u32, 2])?;
    let wrong = Sequence::array(&elsewhere).sum().run(&here).err().unwrap();
    assert_eq!(wrong.chunk(), Some(0), "{wrong}");
    Ok(())
}

#[test]
fn numbers_are_computed_where_they_are_used() -> Result<()> {
    for device in devices() {
        for (count, chunk) in [(0u64, 5), (1, 5), (23, 5), (23, 1), (23, 100)] {
            let found = Sequence::numbers(count)
                .map(|i| i * i)
                .collect()
                .chunk(chunk)
                .run(&device)?;
            assert_eq!(
                found.to_vec()?,
                (0..count).map(|i| i * i).collect::<Vec<_>>()
            );
        }
        // Beyond 32 bits.
        let far = Sequence::numbers(1 << 40)
            .map(|i| i >> 3u32)
            .collect()
            .skip((1 << 40) - 3);
        assert_eq!(far.run(&device)?.to_vec()?, [(1 << 37) - 1; 3]);
        let plan = Sequence::numbers(1 << 40).sum().plan(&device)?;
        assert_eq!(plan.input_bytes, 0);
        let (total, most) = Sequence::numbers(100_000)
            .consume((sum(), max()))
            .chunk(4096)
            .run(&device)?;
        assert_eq!((total, most), (99_999 * 50_000, Some(99_999)));
    }
    Ok(())
}

#[test]
fn computed_arrays_are_never_stored() -> Result<()> {
    let table = || generate((50u32, 4u32), |(i, j)| i * 10 + j).map(|x| x + 1);
    let wanted: Vec<u32> = (0..50)
        .flat_map(|i| (0..4).map(move |j| i * 10 + j + 1))
        .collect();
    for device in devices() {
        for chunk in [1, 7, 50, 64] {
            let rows = Sequence::of_array(table)?;
            let found = rows.clone().collect().chunk(chunk).run(&device)?;
            assert_eq!(
                (found.extents(), found.to_vec()?),
                ([50, 4], wanted.clone())
            );
            let sums = rows.each(|row| row.sum()).collect().chunk(chunk);
            assert_eq!(sums.plan(&device)?.operators, 1);
            let sums = sums.run(&device)?.to_vec()?;
            assert_eq!(
                sums,
                wanted
                    .chunks(4)
                    .map(|row| row.iter().sum())
                    .collect::<Vec<u32>>()
            );
        }
    }
    // What needs the whole array first.
    for (name, wrong) in [
        (
            "`sum`",
            Sequence::of_array(|| generate((9u32, 9u32), |(i, j)| i + j).sum()).err(),
        ),
        (
            "`inclusive_scan`",
            Sequence::of_array(|| fill(9u32, lit(1u32)).inclusive_scan(|x, y| x + y)).err(),
        ),
        (
            "`sort`",
            Sequence::of_array(|| fill(9u32, lit(1u32)).sort()).err(),
        ),
    ] {
        let wrong = wrong.unwrap();
        assert_eq!(wrong.kind(), ErrorKind::Build);
        let words = wrong.to_string();
        assert!(
            words.contains(name) && words.contains("divide first") && words.contains("arrays.rs:"),
            "{words}"
        );
    }
    Ok(())
}

#[test]
fn elements_come_as_an_iterator() -> Result<()> {
    for device in devices() {
        let all: Result<Vec<u32>> = Sequence::generate(1000, |i| i as u32)
            .map(|x| x * 3)
            .to_iter(&device)
            .chunk(64)
            .collect();
        assert_eq!(all?, (0..1000).map(|x| x * 3).collect::<Vec<_>>());
        // Filtered chunks may have no elements.
        let few = Sequence::generate(1000, |i| i as u32)
            .filter(|x| (x % 300).eq(299))
            .to_iter(&device)
            .chunk(10);
        assert_eq!(few.collect::<Result<Vec<_>>>()?, [299, 599, 899]);
        // A scan gives its last elements at the end.
        let sums = Sequence::from_iter(vec![1u32; 5000]).scan(|x, y| x + y, 0);
        let last = sums.to_iter(&device).chunk(777).last().transpose()?;
        assert_eq!(last, Some(5000));
        let endless = Sequence::from_iter(0u64..).map(|x| x * x);
        let few: Result<Vec<u64>> = endless.to_iter(&device).chunk(4).take(5).collect();
        assert_eq!(few?, [0, 1, 4, 9, 16]);
        // An error ends it, behind what came before.
        let fails = [Ok(vec![1u32, 2]), Err(std::io::Error::other("torn"))];
        let mut fails = Sequence::from_chunks(fails).to_iter(&device).chunk(1);
        assert_eq!((fails.next().unwrap()?, fails.next().unwrap()?), (1, 2));
        let error = fails.next().unwrap().unwrap_err();
        assert_eq!(
            (error.kind(), error.chunk()),
            (ErrorKind::Source, Some(2)),
            "{error}"
        );
        assert!(fails.next().is_none());
        let none: [u32; 0] = [];
        assert!(Sequence::slice(&none).to_iter(&device).next().is_none());
    }
    Ok(())
}

#[test]
fn long_elements_are_counted() -> Result<()> {
    let values: Vec<u32> = (0..30).collect();
    let offsets = [0, 2, 14, 15, 30];
    let mut long = 0;
    let sums = Sequence::segments(&values, &offsets)
        .map_chunks(|parts| parts.fold(|x, y| x + y, 0u32.into()));
    let sums = sums.collect().chunk(8).watch(|progress| {
        long = progress.long;
        std::ops::ControlFlow::Continue(())
    });
    let found = sums.run(&Device::cpu())?.to_vec()?;
    let wanted: Vec<u32> = offsets
        .windows(2)
        .map(|w| values[w[0]..w[1]].iter().sum())
        .collect();
    assert_eq!((found, long), (wanted, 2));
    Ok(())
}

#[test]
fn places_are_those_of_the_user() {
    let xs: Vec<u32> = (0..5).collect();
    let words = |error: Option<obsidian_rt::Error>| error.unwrap().to_string();
    // Two sequences of elements of other widths.
    let rows = Sequence::rows(&xs[..4], [2]).zip_with(Sequence::rows(&xs[..3], [3]), |x, y| x + y);
    let error = words(rows.collect().run(&Device::cpu()).err());
    assert!(error.contains("tests/sequence/arrays.rs:"), "{error}");
}
