//! Recordings: what replays do, and what cannot be recorded.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use obsidian_rt::Result;
use obsidian_rt::prelude::*;

#[kernels]
mod steps {
    /// Three times each element, and one.
    #[kernel(threads = 32)]
    pub fn next(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let pieces = input.map(|x| x * 3 + 1).chunks(64, 0);
        pieces.as_grid_map(|piece| piece.push()).take(input.len())
    }

    /// Adds the terms to the sums.
    #[kernel(threads = 32)]
    pub fn add(sums: MGlobal<EU32>, terms: DPull<EU32>) -> Program<Grid, ()> {
        let pieces = terms.split_up(8);
        distr_par(pieces.len(), |b| {
            for_all(8, |i| sums.atomic_add(i, pieces[b][i]).void())
        })
    }

    /// Reads the elements that are named, which nobody checks.
    #[kernel(threads = 32)]
    pub fn named(elements: DPull<EU32>, names: DPull<EU32>) -> DPush<Grid, EU32> {
        names
            .split_up(4)
            .as_grid_map(|chunk| chunk.map(|name| elements[name.unchecked()]).push::<Block>())
    }
}
use steps::{add, named, next};

fn devices() -> [Device; 5] {
    let simulator = Device::simulator();
    [
        Device::cpu(),
        Device::cpu_by_columns(),
        Device::cpu().with_blocks(1),
        simulator.with_blocks(2),
        simulator,
    ]
}

fn after(steps: u32, x: u32) -> u32 {
    (0..steps).fold(x, |x, _| x.wrapping_mul(3).wrapping_add(1))
}

#[test]
fn steps_between_two_buffers_are_done_again_and_again() {
    for device in devices() {
        for length in [0, 1, 63, 64, 65, 1000] {
            let start: Vec<u32> = (0..length)
                .map(|i: u32| i.wrapping_mul(0x9E37_79B1))
                .collect();
            let mut buffers = (
                device.upload(&start).unwrap(),
                device.zeros(start.len()).unwrap(),
            );
            let mut recording = device
                .record(&buffers, |device, (now, then)| {
                    for _ in 0..4 {
                        next::launch_into(device, now, then)?;
                        std::mem::swap(now, then);
                    }
                    Ok(())
                })
                .unwrap();
            assert_eq!((recording.len(), recording.is_empty()), (4, false));
            // Nothing has run.
            assert_eq!(buffers.0.to_vec().unwrap(), start);
            for times in 1..=3 {
                recording.replay(&mut buffers).unwrap();
                let expected: Vec<u32> = start.iter().map(|x| after(4 * times, *x)).collect();
                assert_eq!(
                    buffers.0.to_vec().unwrap(),
                    expected,
                    "{}, {length}",
                    device.name()
                );
            }
        }
    }
}

#[test]
fn results_copies_fills_and_parts_are_recorded() {
    for device in devices() {
        let input = device.upload(&(0..64u32).collect::<Vec<_>>()).unwrap();
        let mut buffers = (
            input,
            vec![device.zeros::<u32>(8).unwrap(), device.zeros(8).unwrap()],
        );
        let mut recording = device
            .record(&buffers, |device, (input, sums)| {
                let one_more = next::launch(device, input)?;
                assert!(
                    device.upload::<u32>(&[])?.is_empty()
                        && device.upload_vec::<u32>(Vec::new())?.is_empty()
                );
                // The first result is dropped, and its memory is that of a later one.
                let two_more = next::launch(device, &one_more)?;
                drop(one_more);
                let three_more = next::launch(device, &two_more)?;
                sums[0].fill(5)?;
                add::launch(device, &mut sums[0], &three_more)?;
                let mut half = device.zeros::<u32>(32)?;
                half.copy_from_buffer(&*two_more.slice(16..48)?)?;
                let (_, quarter) = half.split_at(24)?;
                sums[1].copy_from_buffer(&quarter)?;
                let copy = sums[1].to_device(device)?;
                add::launch(device, &mut sums[1], &copy)
            })
            .unwrap();
        for _ in 0..2 {
            recording.replay(&mut buffers).unwrap();
            let sum = |i: u32| (0..8).map(|b| after(3, 8 * b + i)).sum::<u32>();
            let expected: Vec<u32> = (0..8).map(|i| 5 + sum(i)).collect();
            assert_eq!(buffers.1[0].to_vec().unwrap(), expected);
            let expected: Vec<u32> = (40..48).map(|i| 2 * after(2, i)).collect();
            assert_eq!(buffers.1[1].to_vec().unwrap(), expected);
        }
    }
}

#[test]
fn other_buffers_of_the_same_lengths_may_be_given() {
    let device = Device::cpu();
    let pair = |first: u32| {
        [
            device.upload(&[first; 5]).unwrap(),
            device.zeros(5).unwrap(),
        ]
    };
    let (mut one, mut two) = (pair(1), pair(2));
    let mut recording = device
        .record(&one, |device, [from, to]| {
            next::launch_into(device, from, to)
        })
        .unwrap();
    recording.replay(&mut two).unwrap();
    recording.replay(&mut one).unwrap();
    assert_eq!(
        [one[1].to_vec().unwrap(), two[1].to_vec().unwrap()],
        [vec![4; 5], vec![7; 5]]
    );
    two.swap(0, 1);
    recording.replay(&mut two).unwrap();
    assert_eq!(two[1].to_vec().unwrap(), [22; 5]);
}

#[test]
fn buffers_that_do_not_fit_are_refused_before_anything_runs() {
    let device = Device::cpu();
    let zeros = |n: usize| device.zeros::<u32>(n).unwrap();
    let mut recording = device
        .record(&vec![zeros(5), zeros(5)], |device, buffers| {
            let (from, to) = buffers.split_at_mut(1);
            next::launch_into(device, &from[0], &mut to[0])
        })
        .unwrap();
    let mut kind = |mut buffers: Vec<Buffer<u32>>| {
        let error = recording.replay(&mut buffers).unwrap_err();
        assert!(
            buffers
                .iter()
                .all(|buffer| buffer.to_vec().unwrap().iter().all(|x| *x == 0))
        );
        (error.kind(), error.needed(), error.limit())
    };
    assert_eq!(
        kind(vec![zeros(5)]),
        (ErrorKind::ArgumentCount, Some(1), Some(2))
    );
    assert_eq!(
        kind(vec![zeros(5), zeros(5), zeros(5)]),
        (ErrorKind::ArgumentCount, Some(3), Some(2))
    );
    assert_eq!(
        kind(vec![zeros(5), zeros(4)]),
        (ErrorKind::UnequalLengths, Some(4), Some(5))
    );
    let elsewhere = Device::simulator().zeros(5).unwrap();
    assert_eq!(kind(vec![zeros(5), elsewhere]).0, ErrorKind::WrongDevice);
}

/// What a recording of one buffer of 5 elements is refused for.
fn refused(work: impl FnOnce(&Device, &mut Buffer<u32>) -> Result<()>) -> (ErrorKind, String) {
    let device = Device::cpu();
    let error = device
        .record(&device.zeros(5).unwrap(), work)
        .err()
        .unwrap();
    (error.kind(), error.to_string())
}

#[test]
fn what_cannot_be_recorded_is_refused_with_advice() {
    let again = Device::cpu().zeros::<u32>(5).unwrap();
    let mut again = [again];
    let mut inner = Device::cpu().record(&again, |_, [b]| b.fill(1)).unwrap();
    let refusals = [
        (refused(|_, b| b.copy_from(&[1; 5])), "copy them before"),
        (
            refused(|device, _| device.upload(&[1u32; 5]).map(drop)),
            "copy them before",
        ),
        (
            refused(|device, _| device.upload_vec(vec![1u32; 5]).map(drop)),
            "copy them before",
        ),
        (
            refused(|device, b| b.copy_from_pinned(device.pinned(5)?)?.wait().map(drop)),
            "copy them before",
        ),
        (
            refused(|_, b| b.to_vec().map(drop)),
            "after `Recording::replay`",
        ),
        (
            refused(|_, b| b.copy_to(&mut [0; 5])),
            "after `Recording::replay`",
        ),
        (
            refused(|device, b| next::launch(device, b)?.into_vec().map(drop)),
            "after `Recording::replay`",
        ),
        (
            refused(|device, _| device.synchronize()),
            "after `Recording::replay`",
        ),
        (
            refused(|device, _| device.stream().map(drop)),
            "stream.device().record(..)",
        ),
        (
            refused(|device, _| device.record_event().map(drop)),
            "stream.device().record(..)",
        ),
        (
            refused(|device, b| device.record(b, |_, _| Ok(())).map(drop)),
            "without `record`",
        ),
        (refused(|_, _| inner.replay(&mut again)), "do it before"),
        (
            refused(|device, _| device.counted(|_| Ok(())).map(drop)),
            "nothing to count",
        ),
    ];
    for ((kind, words), advice) in refusals {
        assert_eq!(kind, ErrorKind::CannotRun, "{words}");
        assert!(words.contains(advice), "{words}");
    }
    assert_eq!(again[0].to_vec().unwrap(), [0; 5]);
}

/// Work on buffers from outside would be done once, while the recording is made.
#[test]
fn work_on_other_buffers_is_refused_while_a_recording_is_made() {
    let cpu = Device::cpu();
    let (source, mut sums) = (
        cpu.upload(&[1u32; 5]).unwrap(),
        cpu.upload(&[7u32; 5]).unwrap(),
    );
    let mut array = Some(cpu.pinned::<u32>(5).unwrap());
    let refusals = [
        refused(|_, _| sums.fill(0)),
        refused(|_, _| sums.copy_from(&[0; 5])),
        refused(|_, _| sums.copy_from_buffer(&source)),
        refused(|_, _| {
            sums.copy_from_pinned(array.take().unwrap())?
                .wait()
                .map(drop)
        }),
        refused(|_, _| next::launch_into(&cpu, &source, &mut sums)),
        refused(|_, _| {
            next::launch(
                &Device::simulator(),
                &source.to_device(&Device::simulator())?,
            )
            .map(drop)
        }),
    ];
    for (kind, words) in refusals {
        assert_eq!(kind, ErrorKind::CannotRun, "{words}");
        assert!(words.contains("do it before"), "{words}");
    }
    assert_eq!(sums.to_vec().unwrap(), [7; 5]);
    // Behind the recording, and in another thread, all is as before.
    sums.fill(1).unwrap();
    let recording = cpu.record(&source, |_, _| {
        std::thread::scope(|scope| scope.spawn(|| sums.fill(2)).join().unwrap())
    });
    assert!(recording.unwrap().is_empty());
    assert_eq!(sums.to_vec().unwrap(), [2; 5]);
    // Also behind one that has panicked.
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        cpu.record(&source, |_, _| panic!("on the way")).map(drop)
    }));
    assert!(panicked.is_err() && sums.fill(3).is_ok());
}

#[test]
fn buffers_and_devices_from_inside_and_outside_are_told_apart() {
    let cpu = Device::cpu();
    let outside = cpu.upload(&[1u32; 5]).unwrap();
    let mut target = cpu.zeros::<u32>(5).unwrap();
    let (inside, device) = (
        "use those that the function is given",
        "use the device and the buffers that the function",
    );
    let refusals = [
        (
            refused(|device, b| next::launch_into(device, &outside, b)),
            inside,
        ),
        (refused(|_, b| b.copy_from_buffer(&outside)), inside),
        (
            refused(|device, _| outside.to_device(device).map(drop)),
            inside,
        ),
        (refused(|_, b| next::launch(&cpu, b).map(drop)), device),
        (refused(|_, b| next::launch_into(&cpu, &outside, b)), device),
        (refused(|_, b| target.copy_from_buffer(b)), device),
        (refused(|_, b| b.to_device(&cpu).map(drop)), device),
    ];
    for ((kind, words), advice) in refusals {
        assert_eq!(kind, ErrorKind::WrongDevice, "{words}");
        assert!(words.contains(advice), "{words}");
    }
    assert_eq!(target.to_vec().unwrap(), [0; 5]);
}

/// Two recordings of one input, and buffers that are fields of a struct.
#[test]
fn buffers_may_be_lent() {
    struct State {
        weights: Buffer<u32>,
        sums: [Buffer<u32>; 2],
    }
    for device in devices() {
        let mut state = State {
            weights: device.upload(&[2u32; 16]).unwrap(),
            sums: [device.zeros(8).unwrap(), device.zeros(8).unwrap()],
        };
        let [first, second] = &mut state.sums;
        let mut sums_once = device
            .record(
                &(&mut state.weights, &mut *first),
                |device, (weights, sums)| add::launch(device, sums, weights),
            )
            .unwrap();
        let mut sums_twice = device
            .record(
                &(&mut state.weights, &mut *second),
                |device, (weights, sums)| {
                    add::launch(device, sums, weights)?;
                    add::launch(device, sums, weights)
                },
            )
            .unwrap();
        for _ in 0..3 {
            sums_once
                .replay(&mut (&mut state.weights, &mut *first))
                .unwrap();
            sums_twice
                .replay(&mut (&mut state.weights, &mut *second))
                .unwrap();
        }
        assert_eq!(state.sums[0].to_vec().unwrap(), [12; 8]);
        assert_eq!(state.sums[1].to_vec().unwrap(), [24; 8]);
    }
}

#[test]
fn what_a_launch_is_refused_for_is_found_while_it_is_recorded() {
    let device = Device::cpu();
    let pair = (
        device.zeros::<u32>(5).unwrap(),
        device.zeros::<u32>(6).unwrap(),
    );
    let recorded = device.record(&pair, |device, (from, to)| {
        next::launch_into(device, from, to)
    });
    let error = recorded.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::UnequalLengths);
    assert!(error.to_string().contains("`next`"), "{error}");
    let elsewhere = Device::simulator().zeros::<u32>(5).unwrap();
    let recorded = device.record(&(pair.0, elsewhere), |_, _| Ok(()));
    assert_eq!(recorded.err().unwrap().kind(), ErrorKind::WrongDevice);
}

#[test]
fn buffers_that_are_left_in_another_order_are_refused() {
    let device = Device::cpu();
    let pair = (
        device.zeros::<u32>(5).unwrap(),
        device.zeros::<u32>(5).unwrap(),
    );
    let swapped = device.record(&pair, |device, (now, then)| {
        next::launch_into(device, now, then)?;
        std::mem::swap(now, then);
        Ok(())
    });
    let error = swapped.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::CannotRun);
    assert!(error.to_string().contains("odd number of swaps"), "{error}");
    let replaced = device.record(&pair, |device, (now, then)| {
        *then = next::launch(device, now)?;
        Ok(())
    });
    let error = replaced.err().unwrap().to_string();
    assert!(
        error.contains("a result of a launch where buffer 1") && error.contains("launch_into"),
        "{error}"
    );
    let elsewhere = device.record(&pair, |_, (_, then)| {
        *then = Device::cpu().zeros(5)?;
        Ok(())
    });
    let error = elsewhere.err().unwrap().to_string();
    assert!(
        error.contains("none of the recording where its buffer 1 was"),
        "{error}"
    );
    let fewer = device.record(&vec![pair.0, pair.1], |_, buffers| {
        buffers.pop();
        Ok(())
    });
    let error = fewer.err().unwrap().to_string();
    assert!(
        error.contains("2 buffers, and its function leaves 1"),
        "{error}"
    );
}

#[test]
fn a_device_of_a_recording_that_has_ended_records_nothing_more() {
    let device = Device::cpu();
    let mut kept = None;
    let buffer = device.upload(&[1u32; 5]).unwrap();
    let recording = device
        .record(&buffer, |device, buffer| {
            kept = Some((device.clone(), next::launch(device, buffer)?));
            Ok(())
        })
        .unwrap();
    let (inside, result) = kept.unwrap();
    let errors = [
        next::launch(&inside, &result).err(),
        result.to_vec().err(),
        inside.zeros::<u32>(5).err(),
        inside.upload(&[1u32]).err(),
    ];
    for error in errors {
        let error = error.unwrap();
        assert_eq!(error.kind(), ErrorKind::CannotRun);
        assert!(error.to_string().contains("has ended"), "{error}");
    }
    drop((recording, result));
}

#[test]
fn a_fault_in_the_work_names_its_kernel_and_ends_the_replay() {
    for device in [Device::cpu(), Device::simulator()] {
        let mut buffers = (
            device.upload(&[7u32; 8]).unwrap(),
            device.upload(&[0u32, 1, 2, 3]).unwrap(),
            device.zeros::<u32>(4).unwrap(),
        );
        let mut recording = device
            .record(&buffers, |device, (elements, names, results)| {
                named::launch_into(device, elements, names, results)
            })
            .unwrap();
        recording.replay(&mut buffers).unwrap();
        assert_eq!(buffers.2.to_vec().unwrap(), [7; 4]);
        buffers.1.copy_from(&[0, 1, 2, 8]).unwrap();
        let error = recording.replay(&mut buffers).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Fault);
        assert!(error.to_string().contains("`named`"), "{error}");
        buffers.1.copy_from(&[3, 2, 1, 0]).unwrap();
        recording.replay(&mut buffers).unwrap();
        assert_eq!(buffers.2.to_vec().unwrap(), [7; 4]);
    }
}
