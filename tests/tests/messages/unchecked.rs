//! Issue 16, item 9: an index that `unchecked()` vouches for, and that is outside of its array, is a
//! fault with the array, the index and the user's line, on the CPU, on the simulator and, with
//! `#[kernel(faults)]`, in CUDA text; nothing is printed.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::sync::atomic::{AtomicU32, Ordering};

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;
use obsidian_rt::{Error, ErrorKind};

#[kernels]
mod kernels {
    #[kernel(faults)]
    pub fn read(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let shifted = generate(input.len(), |i| {
            input[(i + 1000).unchecked()] // read
        });
        shifted.split_up(64).as_grid_map(|chunk| chunk.push())
    }

    #[kernel(faults)]
    pub fn write(out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 64, |b| {
            for_all(64, |t| {
                out.write((b * 64 + t + 100).unchecked(), t) // write
            })
        })
    }

    #[kernel(faults)]
    pub fn add(out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 64, |b| {
            for_all(64, |t| {
                let i = (b * 64 + t) * 3;
                out.atomic_add(i.unchecked(), 1).void() // add
            })
        })
    }

    #[kernel(faults)]
    pub fn look(out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 64, |b| {
            for_all(64, |t| {
                let x = out.read((b * 64 + t + 6500).unchecked().distinct())?; // look
                out.write((b * 64 + t).distinct(), x)
            })
        })
    }

    fn neighbours(chunk: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(chunk)?;
        let next = generate(64, |i| {
            stored[(i + 1).unchecked()] // stored
        });
        pure(next.push())
    }

    #[kernel(faults)]
    pub fn shared(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| exec_block(neighbours(chunk)))
    }

    #[kernel(faults)]
    pub fn before(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let shifted = generate(input.len(), |i| input[(i - 3).unchecked()]);
        shifted.split_up(64).as_grid_map(|chunk| chunk.push())
    }

    #[kernel(faults)]
    pub fn before_stored(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| {
            exec_block(
                compute(chunk).map(|stored| generate(64, |i| stored[(i - 3).unchecked()]).push()),
            )
        })
    }

    /// Two neighbours, of which the first is proved to be inside.
    #[kernel(threads = 32, faults)]
    pub fn pairs(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let half = (input.len() + 1) / 2;
        let sums = generate(half, |i| input[i * 2] + input[(i * 2 + 1).unchecked()]);
        sums.chunks(32, lit(0u32))
            .as_grid_map(|piece| piece.push())
            .take(half)
    }

    /// Adds `rounds` elements of a header, from the third on, to each element.
    #[kernel(threads = 32, faults, rounds = [1, 4, 5])]
    pub fn headed(rounds: u32, header: DPull<EU32>, out: MGlobal<EU32>) -> Program<Grid, ()> {
        distr_par(out.len() / 32, |b| {
            for_all(32, |t| {
                let i = b * 32 + t;
                let x = out.read(i)?;
                let sum = seq_iterate(rounds, |k, sum| sum + header[(k + 2).unchecked()], x)?;
                out.write(i, sum)
            })
        })
    }

    #[kernel]
    pub fn bare(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let reversed = generate(input.len(), |i| input[(input.len() - 1 - i).unchecked()]);
        reversed.split_up(64).as_grid_map(|chunk| chunk.push())
    }

    #[kernel(faults)]
    pub fn right(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let reversed = generate(input.len(), |i| input[(input.len() - 1 - i).unchecked()]);
        reversed.split_up(64).as_grid_map(|chunk| chunk.push())
    }
}

/// The line of this file with a comment.
fn line(comment: &str) -> usize {
    let comment = format!("// {comment}");
    let place = include_str!("unchecked.rs")
        .lines()
        .position(|line| line.ends_with(&comment));
    place.unwrap() + 1
}

#[track_caller]
fn is_fault(error: &Error, array: &str, comment: &str) {
    let said = error.to_string();
    assert_eq!(error.kind(), ErrorKind::Fault, "{said}");
    let place = format!("tests/messages/unchecked.rs:{}:", line(comment));
    for part in [
        &format!("is outside of `{array}`, which has length "),
        &place,
    ] {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
    assert!(!said.contains("bug in Obsidian"), "{said}");
}

#[test]
fn a_wrong_unchecked_is_a_fault_at_the_users_line() {
    static PANICS: AtomicU32 = AtomicU32::new(0);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        before(info);
    }));
    let executor = Executor::find().map(|executor| executor.device());
    let own = [
        Device::cpu(),
        Device::cpu().with_blocks(1),
        Device::cpu_by_columns(),
        Device::simulator(),
    ];
    for device in own.into_iter().chain(executor) {
        let input = device.upload(&[1u32; 512]).unwrap();
        let mut out = device.upload(&[0u32; 512]).unwrap();
        let error = kernels::read::launch(&device, &input).unwrap_err();
        is_fault(&error, "input", "read");
        let error = kernels::write::launch(&device, &mut out).unwrap_err();
        is_fault(&error, "out", "write");
        let error = kernels::add::launch(&device, &mut out).unwrap_err();
        is_fault(&error, "out", "add");
        let error = kernels::look::launch(&device, &mut out).unwrap_err();
        is_fault(&error, "out", "look");
        let error = kernels::shared::launch(&device, &input).unwrap_err();
        is_fault(&error, "stored", "stored");
        // The buffer is still there.
        assert_eq!(out.len(), 512);
        assert_eq!(out.to_vec().unwrap().len(), 512);
    }
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
}

#[test]
fn on_the_cpu_the_error_has_the_numbers() {
    let device = Device::cpu().with_blocks(1);
    let input = device.upload(&[1u32; 64]).unwrap();
    let error = kernels::shared::launch(&device, &input).unwrap_err();
    assert_eq!((error.needed(), error.limit()), (Some(64), Some(64)));
    assert!(error.to_string().contains("index 64 is"), "{error}");
}

#[test]
fn a_right_unchecked_is_no_fault() {
    let numbers: Vec<u32> = (0..512).collect();
    let executor = Executor::find().map(|executor| executor.device());
    let own = [Device::cpu(), Device::cpu_by_columns(), Device::simulator()];
    for device in own.into_iter().chain(executor) {
        let input = device.upload(&numbers).unwrap();
        let reversed = kernels::right::launch(&device, &input).unwrap();
        let wanted: Vec<u32> = (0..512).rev().collect();
        assert_eq!(reversed.to_vec().unwrap(), wanted);
    }
}

/// The CUDA text notes the smallest index of the first access in the text, whatever the order of threads; and so do all ways of counting threads.
#[test]
fn cuda_text_notes_the_smallest_index() {
    let Some(executor) = Executor::find() else {
        return;
    };
    for threads in [1, 31, 33, 64, 1000, 1023] {
        let device = executor.device().with_threads(threads);
        let input = device.upload(&[1u32; 512]).unwrap();
        let mut out = device.upload(&[0u32; 512]).unwrap();
        let mut all = Vec::new();
        let mut note = |error: Error| {
            let message = error.to_string();
            let index = message.split("index ").nth(1).unwrap();
            let index = index.split(' ').next().unwrap().parse().unwrap();
            all.push((index, error.limit().unwrap()));
        };
        note(kernels::read::launch(&device, &input).unwrap_err());
        note(kernels::write::launch(&device, &mut out).unwrap_err());
        note(kernels::add::launch(&device, &mut out).unwrap_err());
        note(kernels::look::launch(&device, &mut out).unwrap_err());
        note(kernels::shared::launch(&device, &input).unwrap_err());
        let wanted: [(i64, u64); 5] = [(1000, 512), (512, 512), (513, 512), (6500, 512), (64, 64)];
        assert_eq!(all, wanted, "{threads} threads");
    }
}

/// An index of the user's that wraps is the number that it is, on every device.
#[test]
fn an_index_that_wraps_is_shown_as_it_is() {
    let executor = Executor::find().map(|executor| executor.device());
    let own = [Device::cpu(), Device::cpu_by_columns()];
    for device in own.into_iter().chain(executor) {
        let input = device.upload(&[1u32; 64]).unwrap();
        for launched in [
            kernels::before::launch(&device, &input),
            kernels::before_stored::launch(&device, &input),
        ] {
            let error = launched.unwrap_err().to_string();
            let wanted = "index 4294967293 is outside of ";
            assert!(error.contains(wanted), "{device:?}: {error}");
        }
    }
}

/// Kernels that do not ask for it have bare accesses.
#[test]
fn what_is_not_asked_for_is_not_checked() {
    assert!(!kernels::bare::kernel().cuda().contains("inside"));
    assert!(kernels::right::kernel().cuda().contains("load_inside("));
}

/// A wide access of neighbours would reach the one that is outside, and a loop whose counter becomes a number would lose its promise. (Of a
/// loop of one round the launch sees it.)
#[test]
fn accesses_that_passes_put_together_or_write_out_are_checked() {
    let executor = Executor::find().map(|executor| executor.device());
    let own = [Device::cpu(), Device::cpu_by_columns(), Device::simulator()];
    for device in own.into_iter().chain(executor) {
        for length in [64_usize, 128, 129, 255] {
            let input = device.upload(&vec![1_u32; length]).unwrap();
            let sums = kernels::pairs::launch(&device, &input).map(|sums| sums.to_vec().unwrap());
            match length % 2 {
                0 => assert_eq!(sums.unwrap(), vec![2; length / 2]),
                _ => {
                    let said = sums.unwrap_err().to_string();
                    assert!(
                        said.contains(&format!("index {length}")),
                        "{device:?}: {said}"
                    );
                }
            }
        }
        for variant in kernels::headed::variants() {
            let rounds = variant.value("rounds").unwrap().integer().unwrap() as u32;
            for length in [2, rounds + 1, rounds + 2] {
                let header = device.upload(&vec![1_u32; length as usize]).unwrap();
                let mut out = device.upload(&[1_u32; 64]).unwrap();
                let sums = kernels::headed::launch_variant(variant, &device, &header, &mut out);
                let sums = sums.map(|()| out.to_vec().unwrap());
                if length == rounds + 2 {
                    assert_eq!(sums.unwrap(), [1 + rounds; 64], "{device:?}");
                } else {
                    let said = sums.unwrap_err().to_string();
                    assert!(
                        said.contains(&format!("index {length}"))
                            || said.contains("the kernel accesses element 2"),
                        "{device:?}: {said}"
                    );
                }
            }
        }
    }
}

/// A program that launches by the manifest gives each argument.
#[test]
fn the_manifest_lists_the_word_of_faults() {
    let manifest = kernels::read::kernel().manifest().to_owned();
    assert!(manifest.contains("\"fault\""), "{manifest}");
    let manifest = kernels::bare::kernel().manifest().to_owned();
    assert!(!manifest.contains("\"fault\""), "{manifest}");
}
