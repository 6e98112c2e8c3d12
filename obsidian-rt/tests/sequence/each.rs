//! Functions of one element, for all elements of a chunk at once and one by one.

use obsidian_rt::arrays::{Arr1, Arr2, append, iota, zip_with};
use obsidian_rt::language::{EF32, lit};
use obsidian_rt::prelude::*;
use obsidian_rt::sequence::{Sequence, collect, max, sum};
use obsidian_rt::{Device, ErrorKind};

use super::{devices, floats};

#[kernels]
mod of_rows {
    /// How far the elements of a row are from their mean, squared and summed.
    #[arrays]
    pub fn spread(row: Arr1<EF32>) -> Arr0<EF32> {
        let n = row.len();
        let mean = row.sum();
        row.map(|x| (x - mean.the() / n as EF32) * (x - mean.the() / n as EF32))
            .sum()
    }

    /// The spread of each row of a matrix.
    #[arrays]
    pub fn spreads(rows: Arr2<EF32>) -> Arr1<EF32> {
        rows.each(|row| {
            let mean = row.sum();
            let n = row.len();
            row.map(|x| (x - mean.the() / n as EF32) * (x - mean.the() / n as EF32))
                .sum()
        })
    }

    /// Of two matrices, the dot products of their rows and the larger elements.
    #[arrays]
    pub fn both(xs: Arr2<EF32>, ys: Arr2<EF32>) -> (Arr1<EF32>, Arr2<EF32>) {
        each((xs, ys), |(x, y)| {
            (
                zip_with(|a, b| a * b, x, y).sum(),
                zip_with(|a, b| a.max(b), x, y),
            )
        })
    }
}

fn spread(row: &[f32]) -> f32 {
    let mean = row.iter().sum::<f32>() / row.len() as f32;
    row.iter().map(|x| (x - mean) * (x - mean)).sum()
}

/// Small whole numbers, whose sums are exact.
fn small(n: usize) -> Vec<f32> {
    (0..n).map(|n| ((n * 7) % 16) as f32).collect()
}

#[test]
fn functions_of_rows_go_through_chunks() {
    let (count, width) = (37, 8);
    let xs = small(count * width);
    let wanted: Vec<f32> = xs.chunks(width).map(spread).collect();
    for device in devices() {
        for chunk in [1, 7, 36, 37, 38, 1 << 10] {
            let rows = || Sequence::rows(&xs, [width]);
            let found = rows()
                .each(of_rows::spread)
                .collect()
                .chunk(chunk)
                .run(&device)
                .unwrap();
            assert_eq!(found.to_vec().unwrap(), wanted, "{chunk}");
            let found = rows()
                .through(of_rows::spreads)
                .collect()
                .chunk(chunk)
                .run(&device)
                .unwrap();
            assert_eq!(found.to_vec().unwrap(), wanted, "{chunk}");
            // Rows of each row: an array for each element.
            let turned = rows().each(|row| append(row.reverse(), row.take(2)));
            let turned = turned.collect().chunk(chunk).run(&device).unwrap();
            assert_eq!(turned.extents(), [count, width + 2]);
            let turned = turned.to_vec().unwrap();
            for (row, turned) in xs.chunks(width).zip(turned.chunks(width + 2)) {
                let own: Vec<f32> = row.iter().rev().chain(&row[..2]).copied().collect();
                assert_eq!(own, turned);
            }
        }
    }
}

#[test]
fn elements_of_several_sequences_and_an_array_beside_them() {
    let (count, width) = (21, 5);
    let (xs, ys) = (small(count * width), floats(count * width));
    for device in devices() {
        let pairs = || Sequence::rows(&xs, [width]).zip(Sequence::rows(&ys, [width]));
        let dots = pairs()
            .each(|(x, y)| zip_with(|a, b| a * b, x, y).fold_in_order(|s, x| s + x, lit(0.0f32)));
        let dots = dots
            .collect()
            .chunk(4)
            .run(&device)
            .unwrap()
            .to_vec()
            .unwrap();
        let rows = xs.chunks(width).zip(ys.chunks(width));
        let wanted: Vec<f32> = rows
            .map(|(x, y)| x.iter().zip(y).fold(0.0, |s, (x, y)| s + x * y))
            .collect();
        assert_eq!(dots, wanted);
        let v = device
            .array([width], &[1.0f32, 2.0, 3.0, 4.0, 5.0])
            .unwrap();
        let rows = || Sequence::rows(&xs, [width]);
        let products = rows().each_with(&v, |row, v| zip_with(|x, y| x * y, row, v).sum());
        let wanted: Vec<f32> = xs
            .chunks(width)
            .map(|row| row.iter().zip(1..).map(|(x, n)| x * n as f32).sum())
            .collect();
        let (all, total, most) = products
            .consume((collect(), sum(), max()))
            .chunk(4)
            .run(&device)
            .unwrap();
        assert_eq!(all.to_vec().unwrap(), wanted);
        assert_eq!(
            (total, most),
            (wanted.iter().sum(), wanted.iter().copied().reduce(f32::max))
        );
        // `with` puts an array beside chunks, which is no element.
        let wrong = rows()
            .with(&v)
            .each(|(row, _)| row.sum())
            .collect()
            .run(&device);
        let error = wrong.err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Requirement);
        assert!(
            error.to_string().contains(".each_with(&v, |row, v| ..)"),
            "{error}"
        );
    }
}

#[test]
fn volumes_are_elements() {
    let xs: Vec<u32> = (0..4 * 2 * 3 * 5).collect();
    for device in devices() {
        let volumes = Sequence::rows(&xs, [2, 3, 5]);
        let sums = volumes.each(|volume| volume.each(|plane| plane.flatten().sum()));
        let sums = sums.collect().chunk(3).run(&device).unwrap();
        assert_eq!(sums.extents(), [4, 2]);
        let wanted: Vec<u32> = xs.chunks(15).map(|plane| plane.iter().sum()).collect();
        assert_eq!(sums.to_vec().unwrap(), wanted);
    }
}

#[test]
fn one_by_one_may_be_anything() {
    let xs: Vec<u32> = (0..12 * 9).map(|n| (n * 31) % 17).collect();
    for device in devices() {
        let rows = || Sequence::rows(&xs, [9]).one_by_one();
        let medians = rows()
            .each(|row| row.sort().slice_inner(4))
            .collect()
            .chunk(64)
            .run(&device)
            .unwrap();
        let mut sorted: Vec<Vec<u32>> = xs.chunks(9).map(<[u32]>::to_vec).collect();
        sorted.iter_mut().for_each(|row| row.sort_unstable());
        let wanted: Vec<u32> = sorted.iter().map(|row| row[4]).collect();
        assert_eq!(medians.to_vec().unwrap(), wanted);
        let few = rows()
            .each(|row| row.filter(|x| x.lt(5)).sum())
            .sum()
            .run(&device)
            .unwrap();
        assert_eq!(few, xs.iter().filter(|x| **x < 5).sum::<u32>());
        let plan = rows()
            .each(|row| row.sort())
            .collect()
            .plan(&device)
            .unwrap();
        assert_eq!(plan.chunk, 1);
        // Nothing is run without elements.
        let none = Sequence::rows(&[0u32; 0], [9])
            .one_by_one()
            .each(|row| row.max());
        assert_eq!(none.collect().run(&device).unwrap().extents(), [0]);
        let none = Sequence::rows(&[0u32; 0], [9])
            .one_by_one()
            .each(|row: Arr1<_>| row.max());
        assert_eq!(none.sum().run(&device).unwrap(), 0);
    }
    let wrong = Sequence::rows(&xs, [9])
        .each(|row| row.sort())
        .collect()
        .run(&Device::cpu());
    let error = wrong.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Build);
    let message = error.to_string();
    assert!(
        message.contains("`.one_by_one()`") && message.contains("sequence/each.rs:"),
        "{message}"
    );
}

#[test]
fn one_by_one_has_one_element_at_a_time() {
    let xs = [1u32, 2, 3];
    for device in devices() {
        let twice = Sequence::slice(&xs).map_chunks(|x| append(x.clone(), x));
        let wrong = twice
            .one_by_one()
            .each(|x| x.map(|x| x + 1))
            .collect()
            .run(&device);
        let error = wrong.err().unwrap();
        assert_eq!(
            (error.kind(), error.chunk()),
            (ErrorKind::Requirement, Some(0)),
            "{error}"
        );
        let message = error.to_string();
        assert!(
            message.contains("`one_by_one` of arrays with the extents 2 and 1"),
            "{message}"
        );
        assert!(message.contains("sequence/each.rs:"), "{message}");
        let few = Sequence::slice(&xs).filter(|x| x.gt(1)).one_by_one();
        let error = few
            .each(|x| x.map(|x| x + 1))
            .collect()
            .run(&device)
            .err()
            .unwrap();
        assert_eq!(error.kind(), ErrorKind::Requirement);
        assert!(
            error
                .to_string()
                .contains("put `one_by_one` in front of it"),
            "{error}"
        );
        // What keeps the number of elements may stand in front.
        let zipped = Sequence::slice(&xs)
            .map(|x| x * 2)
            .zip(Sequence::slice(&xs));
        let both = zipped
            .one_by_one()
            .each(|(x, y)| zip_with(|x, y| x * 10 + y, x, y));
        assert_eq!(
            both.collect().run(&device).unwrap().to_vec().unwrap(),
            [21, 42, 63]
        );
    }
}

#[test]
fn elements_without_numbers_and_no_elements() {
    for device in devices() {
        let none = Sequence::rows(&[0.0f32; 0], [3])
            .each(|row| row.sum())
            .collect();
        assert_eq!(none.run(&device).unwrap().extents(), [0]);
        let counted =
            Sequence::generate(5, |i| i as u32).each(|x| iota(3).map(move |i| i + x.the()));
        let counted = counted.collect().chunk(2).run(&device).unwrap();
        assert_eq!(counted.extents(), [5, 3]);
        let wanted: Vec<u32> = (0..5).flat_map(|x| x..x + 3).collect();
        assert_eq!(counted.to_vec().unwrap(), wanted);
        let rows = Sequence::rows(&[1.0f32; 6], [3]);
        let both = rows.clone().zip(rows).through(of_rows::both);
        let dots = both.map_chunks(|(dots, largest): (Arr1<EF32>, Arr2<EF32>)| {
            zip_with(|x, y| x + y, dots, largest.sum())
        });
        assert_eq!(
            dots.collect().run(&device).unwrap().to_vec().unwrap(),
            [6.0, 6.0]
        );
    }
}
