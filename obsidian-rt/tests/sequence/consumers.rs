//! Consumers, beside plain Rust.

use std::ops::ControlFlow;

use obsidian_rt::arrays::{Arr0, Arr1, Arr2, fill, zip_with};
use obsidian_rt::language::{EF32, EU32, lit, select};
use obsidian_rt::sequence::{Sequence, collect, fold_chunks, for_each, sum};
use obsidian_rt::{Device, ErrorKind};

use crate::{devices, floats};

#[test]
fn all_elements_come_in_order() {
    for device in devices() {
        for n in [0usize, 1, 13, 100] {
            let xs: Vec<u32> = (0..n as u32).collect();
            let want: Vec<u32> = xs.iter().map(|x| x * x).filter(|x| x % 3 != 1).collect();
            for chunk in [1usize, 7, 64, n.max(1), n + 1] {
                let squares = Sequence::slice(&xs).map(|x| x * x);
                let mut given = Vec::new();
                let take = |some: &[u32]| {
                    assert!(!some.is_empty());
                    given.extend_from_slice(some);
                    Ok::<_, String>(())
                };
                let kept = squares.filter(|x| (x % 3).ne(1));
                let all = kept
                    .consume((collect(), for_each(take), sum()))
                    .chunk(chunk);
                let (all, (), total) = all.run(&device).unwrap();
                assert_eq!(all.extents(), [want.len()]);
                assert_eq!(all.to_vec().unwrap(), want);
                assert_eq!(given, want);
                assert_eq!(total, want.iter().sum::<u32>());
            }
        }
    }
}

#[test]
fn rows_and_planes_keep_their_extents() {
    let xs: Vec<i32> = (0..3 * 5 * 7).collect();
    for chunk in [1usize, 2, 3, 9] {
        let planes = Sequence::rows(&xs, [5, 7])
            .map(|x| -x)
            .collect()
            .chunk(chunk);
        let planes = planes.run(&Device::cpu()).unwrap();
        assert_eq!(planes.extents(), [3, 5, 7]);
        assert_eq!(
            planes.to_vec().unwrap(),
            xs.iter().map(|x| -x).collect::<Vec<_>>()
        );
        let rows = Sequence::rows(&xs, [7]).map_chunks(|rows| rows.sum());
        let sums = rows
            .collect()
            .chunk(chunk)
            .run(&Device::simulator())
            .unwrap();
        let want: Vec<i32> = xs.chunks(7).map(|row| row.iter().sum()).collect();
        assert_eq!(sums.to_vec().unwrap(), want);
    }
    // No rows at all: the extents are known.
    let none = Sequence::rows(&[0.0f32; 0], [4])
        .collect()
        .run(&Device::cpu())
        .unwrap();
    assert_eq!(none.extents(), [0, 4]);
}

#[test]
fn a_state_goes_from_chunk_to_chunk() {
    let xs: Vec<u32> = floats(5000).iter().map(|x| *x as u32 % 16).collect();
    let mut want = vec![0u32; 16];
    xs.iter().for_each(|x| want[*x as usize] += 1);
    for device in devices() {
        for chunk in [999usize, 4096, 5000, 8192] {
            let counts = fold_chunks(
                [16],
                vec![0u32; 16],
                |counts: Arr1<EU32>, xs: Arr1<EU32>| {
                    let places = xs.clone();
                    let ones = fill(xs.len(), lit(1u32));
                    ones.permute(|x, y| x + y, counts, move |i, _| (lit(true), places.at(i)))
                },
            );
            let longest = fold_chunks([], vec![0u32], |most: Arr0<EU32>, xs: Arr1<EU32>| {
                most.map(move |most| most.max(xs.len()))
            });
            let both = Sequence::slice(&xs)
                .consume((counts, longest, sum()))
                .chunk(chunk);
            let (counts, longest, total) = both.run(&device).unwrap();
            assert_eq!(counts.to_vec().unwrap(), want);
            assert_eq!(longest.value().unwrap() as usize, chunk.min(xs.len()));
            assert_eq!(total, xs.iter().sum::<u32>());
        }
    }
}

#[test]
fn sequences_are_zipped() {
    let (xs, ys) = (floats(1000), floats(700));
    let zs: Vec<(u32, bool)> = (0..900).map(|i| (i, i % 3 == 0)).collect();
    let want: Vec<f32> = xs
        .iter()
        .zip(&ys)
        .zip(&zs)
        .map(|((x, y), (i, odd))| if *odd { x * y } else { *i as f32 })
        .collect();
    for chunk in [64usize, 700, 701, 5000] {
        let zipped = Sequence::slice(&xs)
            .zip(Sequence::slice(&ys))
            .zip(Sequence::slice(&zs))
            .map_chunks(|(xs, ys, zs)| {
                let products = zip_with(|x, y| x * y, xs, ys);
                zip_with(|x, (i, odd)| select(odd, x, i.cast::<f32>()), products, zs)
            });
        let found = zipped.collect().chunk(chunk).run(&Device::cpu()).unwrap();
        assert_eq!(found.to_vec().unwrap(), want);
    }
    // Rows and a number for each; an iterator without an end beside them.
    let rows = Sequence::rows(&xs, [10]);
    let weighted = rows.zip(Sequence::from_iter(0u32..)).map_chunks(
        |(rows, numbers): (Arr2<EF32>, Arr1<EU32>)| {
            zip_with(|row, n| row * n.cast::<f32>(), rows.max(), numbers)
        },
    );
    let found = weighted.collect().chunk(7).run(&Device::cpu()).unwrap();
    let largest = |row: &[f32]| row.iter().copied().fold(f32::MIN, f32::max);
    let want: Vec<f32> = xs
        .chunks(10)
        .zip(0u32..)
        .map(|(row, n)| largest(row) * n as f32)
        .collect();
    assert_eq!(found.to_vec().unwrap(), want);
}

#[test]
fn a_clone_is_the_same_sequence() {
    // An iterator, which can be read once.
    let xs = Sequence::from_iter((0..1000u64).map(|x| x * 3));
    let doubled = xs.clone().map(|x| x + x);
    let differences = doubled.clone().zip_with(xs.clone(), |a, b| a - b);
    let run = differences
        .sum()
        .and(doubled.max())
        .and(xs.sum())
        .chunk(128);
    let ((sum, largest), same) = run.run(&Device::cpu()).unwrap();
    assert_eq!((sum, largest, same), (3 * 499_500, Some(5994), 3 * 499_500));
}

#[test]
fn a_run_is_watched_and_goes_on_later() {
    let xs: Vec<u32> = (0..1000).collect();
    let mut taken = Vec::new();
    let mut done = 0;
    let sink = |some: &[u32]| {
        taken.extend_from_slice(some);
        Ok::<_, String>(())
    };
    let run = Sequence::slice(&xs)
        .for_each(sink)
        .chunk(64)
        .watch(|progress| {
            assert_eq!(progress.total, Some(1000));
            assert_eq!(progress.elements, progress.chunks * 64);
            done = progress.elements;
            match progress.chunks {
                5 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
    let error = run.run(&Device::cpu()).unwrap_err();
    assert_eq!(
        (error.kind(), error.chunk()),
        (ErrorKind::Cancelled, Some(4))
    );
    assert_eq!((taken.len(), done), (320, 320));
    let sink = |some: &[u32]| {
        taken.extend_from_slice(some);
        Ok::<_, String>(())
    };
    let rest = Sequence::slice(&xs).for_each(sink).chunk(64).skip(done);
    rest.run(&Device::cpu()).unwrap();
    assert_eq!(taken, xs);
}

#[test]
fn an_array_of_a_run_is_given_to_a_program() {
    let device = Device::cpu();
    let rows = Sequence::rows(&[1.0f32, 2.0, 3.0, 4.0], [2])
        .collect()
        .run(&device)
        .unwrap();
    let sums = obsidian_rt::arrays::ArrayProgram::build("sums", |rows: Arr2<EF32>| rows.sum());
    assert_eq!(
        sums.unwrap().run(&device, &rows).unwrap().to_vec().unwrap(),
        [3.0, 7.0]
    );
}
