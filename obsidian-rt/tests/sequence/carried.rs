//! What goes from chunk to chunk, and what is beside each.

use obsidian_rt::arrays::{Arr2, ArrayProgram, zip_with};
use obsidian_rt::language::EF32;
use obsidian_rt::sequence::{Sequence, collect, max, sum};
use obsidian_rt::{Device, ErrorKind};

use crate::{devices, floats};

#[test]
fn running_totals_go_on() {
    for device in devices() {
        for n in [0u32, 1, 2, 4096, 4097, 13_000] {
            let want: Vec<u32> = (0..n)
                .scan(7u32, |total, i| {
                    *total = total.wrapping_add(i * i);
                    Some(*total)
                })
                .collect();
            for chunk in [1usize, 1000, 4096, 8192, 13_001] {
                if n as usize / chunk > 100 {
                    continue;
                }
                let numbers = Sequence::generate(n.into(), |i| i as u32);
                let totals = numbers.map(|x| x * x).scan(|x, y| x + y, 7);
                let run = totals.consume((collect(), max(), sum())).chunk(chunk);
                let (all, largest, total) = run.run(&device).unwrap();
                assert_eq!(all.to_vec().unwrap(), want, "{n} in chunks of {chunk}");
                assert_eq!(largest, want.iter().copied().max());
                assert_eq!(total, want.iter().fold(0u32, |x, y| x.wrapping_add(*y)));
            }
        }
    }
}

#[test]
fn scans_have_the_same_bits_for_any_chunks() {
    let xs = floats(20_000);
    // By the definition: each grain scanned by an array program, and what is in front of it.
    let grain = ArrayProgram::build("grain", |xs: Arr2<EF32>| xs.inclusive_scan(|x, y| x + y));
    let grain = grain.unwrap();
    let mut want: Vec<f32> = Vec::new();
    let mut front = 0.5f32;
    for xs in xs.chunks(4096) {
        let row = Device::cpu().array([1, xs.len()], xs).unwrap();
        let row = grain.run(&Device::cpu(), &row).unwrap().to_vec().unwrap();
        want.extend(row.iter().map(|x| front + x));
        front += row.last().unwrap();
    }
    let bits = |xs: &[f32]| xs.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    for chunk in [500usize, 4096, 5000, 8192, 20_001] {
        let scanned = Sequence::slice(&xs)
            .scan(|x, y| x + y, 0.5)
            .collect()
            .chunk(chunk);
        let found = scanned.run(&Device::cpu()).unwrap().to_vec().unwrap();
        assert_eq!(bits(&found), bits(&want), "chunks of {chunk}");
    }
    // Behind a filter, and a scan of a scan, which does not commute: the last of all that are true.
    let pairs = Sequence::slice(&xs)
        .filter(|x| x.gt(9000.0))
        .map(|x| (x.gt(12_000.0), x));
    let last = pairs.scan(
        |(has, x), (other, y)| (has | other, obsidian_rt::language::select(other, y, x)),
        (false, 0.0),
    );
    let mut carried = (false, 0.0);
    let want: Vec<(bool, f32)> = xs
        .iter()
        .filter(|x| **x > 9000.0)
        .map(|x| {
            carried = (
                carried.0 || *x > 12_000.0,
                if *x > 12_000.0 { *x } else { carried.1 },
            );
            carried
        })
        .collect();
    for chunk in [700usize, 4096, 30_000] {
        let found = last
            .clone()
            .collect()
            .chunk(chunk)
            .run(&Device::cpu())
            .unwrap();
        assert_eq!(found.to_vec().unwrap(), want);
    }
}

#[test]
fn a_scan_is_not_zipped_with_chunks() {
    let xs = Sequence::generate(100, |i| i as u32);
    let totals = xs.clone().scan(|x, y| x + y, 0);
    let both = totals.clone().zip_with(totals.clone(), |x, y| y - x);
    assert_eq!(both.sum().run(&Device::cpu()).unwrap(), 0);
    let mixed = totals.zip_with(xs, |x, y| x - y).sum();
    let error = mixed.plan(&Device::cpu()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Requirement);
    assert!(error.to_string().contains("zip first"), "{error}");
    assert_eq!(
        mixed.run(&Device::cpu()).unwrap_err().kind(),
        ErrorKind::Requirement
    );
    // What it says to write.
    let xs = Sequence::generate(100, |i| i as u32);
    let pairs = xs.clone().zip_with(xs, |x, y| (x, y));
    let scanned = pairs
        .scan(|(x, _), (z, y)| (x + z, y), (0, 0))
        .map(|(x, y)| x - y);
    assert_eq!(
        scanned
            .collect()
            .run(&Device::cpu())
            .unwrap()
            .to_vec()
            .unwrap()[99],
        4851
    );
}

#[test]
fn windows_reach_over_the_ends_of_chunks() {
    for device in devices() {
        for n in [0usize, 1, 2, 5, 40] {
            let xs: Vec<i32> = (0..n as i32).map(|i| i * i - 7 * i).collect();
            for width in [0u32, 1, 2, 3, 7, 41] {
                let want: Vec<i32> = match width {
                    0 => Vec::new(),
                    _ => xs.windows(width as usize).flatten().copied().collect(),
                };
                for chunk in [1usize, 2, 3, 8, 41] {
                    let windows = Sequence::slice(&xs).windows(width).collect().chunk(chunk);
                    let found = windows.run(&device).unwrap();
                    assert_eq!(found.to_vec().unwrap(), want, "{n} by {width} in {chunk}");
                    assert_eq!(found.extents()[1], width as usize);
                }
            }
        }
    }
}

#[test]
fn elements_are_counted() {
    let xs = floats(10_000);
    let mut want = vec![0u64; 10];
    for x in &xs {
        if let Some(count) = want.get_mut((*x / 1000.0) as usize) {
            *count += 1;
        }
    }
    for device in devices() {
        for chunk in [3000usize, 10_000] {
            let counts = Sequence::slice(&xs).histogram(10, |x| (x * 0.001).cast::<u32>());
            let counts = counts.chunk(chunk).run(&device).unwrap();
            assert_eq!(counts.to_vec().unwrap(), want);
        }
    }
}

#[test]
fn an_array_is_beside_each_chunk() {
    for device in devices() {
        let v = device.array([3], &[1u32, 10, 100]).unwrap();
        let bias = device.array([], &[5u32]).unwrap();
        let m: Vec<u32> = (0..30).collect();
        for chunk in [1usize, 3, 11] {
            let rows = Sequence::rows(&m, [3]).with(&v).with(&bias);
            let products = rows.map_chunks(|(rows, v, bias)| {
                let height = rows.shape().0;
                let sums = zip_with(|x, y| x * y, rows, v.replicate(height)).sum();
                sums.map(move |x| x + bias.the())
            });
            let both = products.clone().collect().and(products.sum()).chunk(chunk);
            let (all, total) = both.run(&device).unwrap();
            let want: Vec<u32> = m
                .chunks(3)
                .map(|r| r[0] + 10 * r[1] + 100 * r[2] + 5)
                .collect();
            assert_eq!(all.to_vec().unwrap(), want);
            assert_eq!(total, want.iter().sum::<u32>());
        }
    }
    let v = Device::cpu().array([1], &[1u32]).unwrap();
    let elsewhere = Sequence::slice(&[1u32])
        .with(&v)
        .map_chunks(|(x, v)| zip_with(|x, y| x + y, x, v));
    let error = elsewhere.sum().run(&Device::simulator()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongDevice);
}

#[test]
fn some_elements_of_many_are_taken() {
    let endless = || Sequence::from_iter(1u64..);
    for chunk in [1usize, 7, 100] {
        assert_eq!(
            endless()
                .sum()
                .take(10)
                .chunk(chunk)
                .run(&Device::cpu())
                .unwrap(),
            55
        );
        let run = endless().sum().skip(5).take(2).chunk(chunk);
        assert_eq!(run.run(&Device::cpu()).unwrap(), 13);
    }
    let none = Sequence::slice(&[1u64, 2]).sum().skip(u64::MAX).take(5);
    assert_eq!(none.run(&Device::cpu()).unwrap(), 0);
    assert_eq!(endless().sum().take(0).run(&Device::cpu()).unwrap(), 0);
    assert_eq!(endless().max().take(0).run(&Device::cpu()).unwrap(), None);
    let plan = endless().sum().take(10).plan(&Device::cpu()).unwrap();
    assert_eq!(plan.elements, Some(10));
    // What takes chunk by chunk needs no end.
    let mut taken = Vec::new();
    let few = endless().for_each(|some: &[u64]| {
        taken.extend_from_slice(some);
        match taken.len() < 20 {
            true => Ok(()),
            false => Err("enough"),
        }
    });
    let error = few.chunk(6).run(&Device::cpu()).unwrap_err();
    assert_eq!((error.kind(), error.chunk()), (ErrorKind::Sink, Some(3)));
    assert_eq!(taken, (1..=24).collect::<Vec<_>>());
}

#[test]
fn what_is_carried_is_carried_on() {
    let xs: Vec<u32> = (0..9000u32).map(|i| i * 7 % 13).collect();
    for chunk in [7usize, 1000, 4096, 10_000] {
        for width in [2u32, 3, 8, 100] {
            if chunk == 7 && width > 2 {
                continue;
            }
            let sums = || {
                let windows = Sequence::slice(&xs).windows(width);
                windows.map_chunks(|windows| windows.sum())
            };
            let want: Vec<u32> = xs.windows(width as usize).map(|w| w.iter().sum()).collect();
            let both = sums()
                .sum()
                .and(sums().max())
                .chunk(chunk)
                .run(&Device::cpu())
                .unwrap();
            assert_eq!(both, (want.iter().sum(), want.iter().copied().max()));
            let mut total = 3u32;
            let totals: Vec<u32> = want
                .iter()
                .map(|x| {
                    total += x;
                    total
                })
                .collect();
            let scanned = sums().scan(|x, y| x + y, 3).collect().chunk(chunk);
            assert_eq!(
                scanned.run(&Device::cpu()).unwrap().to_vec().unwrap(),
                totals
            );
        }
        // Windows of totals, and totals of their sums.
        let totals = Sequence::slice(&xs).scan(|x, y| x + y, 0);
        let pairs = totals.windows(2).map_chunks(|windows| windows.sum());
        let again = pairs.scan(|x, y| x + y, 0).max().chunk(chunk.max(500));
        let mut total = 0u32;
        let totals: Vec<u32> = xs
            .iter()
            .map(|x| {
                total += x;
                total
            })
            .collect();
        let want: u32 = totals.windows(2).map(|w| w[0] + w[1]).sum();
        assert_eq!(again.run(&Device::cpu()).unwrap(), Some(want));
    }
}

#[test]
fn scans_behind_different_numbers_of_scans_are_not_zipped() {
    let totals = || Sequence::generate(9000, |i| i as u32).scan(|x, y| x + y, 0);
    let other = Sequence::generate(9000, |i| i as u32 * 3).scan(|x, y| x + y, 0);
    let three = totals().zip_with(other, |x, y| y - x * 3).max();
    assert_eq!(three.run(&Device::cpu()).unwrap(), Some(0));
    let uneven = totals()
        .zip_with(totals().scan(|x, y| x + y, 0), |x, y| x ^ y)
        .sum();
    let error = uneven.run(&Device::cpu()).unwrap_err();
    assert!(error.to_string().contains("zip first"), "{error}");
}

#[test]
fn a_state_has_the_extents_that_it_says() {
    let xs = [1u32, 2, 3];
    for state in [vec![], vec![0u32; 2]] {
        let run = Sequence::slice(&xs).fold_chunks([3], state, |state, _| state);
        let error = run.run(&Device::cpu()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnequalLengths, "{error}");
    }
    // Another one behind the first chunk.
    let grown = Sequence::slice(&xs).fold_chunks([1], vec![9u32], |state, xs| {
        obsidian_rt::arrays::append(state, xs)
    });
    let grown = grown.chunk(2).run(&Device::cpu()).unwrap();
    assert_eq!(grown.to_vec().unwrap(), [9, 1, 2, 3]);
}

#[test]
fn many_functions_stand_behind_each_other() {
    let mut numbers = Sequence::generate(100, |i| i as u32);
    for _ in 0..300 {
        numbers = numbers.map(|x| x + 1);
    }
    assert_eq!(numbers.max().run(&Device::cpu()).unwrap(), Some(399));
    // Never run: it is only dropped.
    let mut numbers = Sequence::generate(100, |i| i as u32);
    for _ in 0..200_000 {
        numbers = numbers.map(|x| x + 1);
    }
    drop(numbers);
}
