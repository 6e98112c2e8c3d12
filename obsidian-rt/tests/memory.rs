//! The memory of the CPU device: what is taken over, what comes back, and what stays valid.
//!
//! Large arrays wait in one pool of the process, so each test has sizes of its own.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use obsidian_rt::prelude::*;

#[kernels]
mod maps {
    /// Which elements are above a number.
    #[kernel]
    pub fn above(least: EU32, input: DPull<EU32>) -> DPush<Grid, EBool> {
        let pieces = input.map(|x| x > least).chunks(1024, false);
        pieces.as_grid_map(|piece| piece.push()).take(input.len())
    }

    /// Twice each element.
    #[kernel]
    pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let pieces = input.split_up(64);
        pieces.as_grid_map(|piece| piece.map(|x| x * 2).push())
    }

    /// Reads `input` where `places` say, without a proof that it is inside.
    #[kernel]
    pub fn picked(places: DPull<EU32>, input: DPull<EU32>) -> DPush<Grid, EU32> {
        let pieces = places.split_up(64);
        pieces.as_grid_map(|piece| piece.map(|at| input[at.unchecked()]).push())
    }

    /// Counts up an element of `counts` for each key, which is vouched for.
    #[kernel]
    pub fn counted(counts: MGlobal<EU32>, keys: DPull<EU32>) -> Program<Grid, ()> {
        let pieces = keys.split_up(64);
        distr_par(pieces.len(), |b| {
            for_all(64, |i| {
                counts.atomic_add(pieces[b][i].unchecked(), 1).void()
            })
        })
    }
}

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

#[test]
fn a_vector_is_taken_over_and_given_back_without_a_copy() {
    let _alone = alone();
    for device in devices() {
        for length in [1, 1000, 300_000] {
            let elements: Vec<u32> = (0..length).collect();
            let place = elements.as_ptr();
            let buffer = device.upload_vec(elements).unwrap();
            assert_eq!(buffer.len(), length as usize);
            let elements = buffer.into_vec().unwrap();
            assert_eq!(elements.as_ptr(), place);
            assert_eq!(elements, (0..length).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_vector_that_was_split_and_put_together_is_the_same_one() {
    let _alone = alone();
    for device in devices() {
        for length in [3, 1000, 300_001] {
            let elements: Vec<u32> = (0..length).collect();
            let place = elements.as_ptr();
            let mut front = device.upload_vec(elements).unwrap();
            let mut back = front.split_off(length as usize / 3).unwrap();
            let middle = back.split_off(0).unwrap();
            assert!(back.is_empty());
            back.unsplit(middle).unwrap();
            front.unsplit(back).unwrap();
            let elements = front.into_vec().unwrap();
            assert_eq!(elements.as_ptr(), place);
            assert_eq!(elements, (0..length).collect::<Vec<_>>());
        }
    }
}

#[test]
fn parts_of_a_vector_live_on_their_own_in_any_thread() {
    let _alone = alone();
    let length = 11 << 16;
    let mut front = Device::cpu()
        .upload_vec((0..length).collect::<Vec<u32>>())
        .unwrap();
    let mut back = front.split_off(64 * 100).unwrap();
    let doubled = std::thread::spawn(move || {
        let output = back.split_off(64 * 100).unwrap();
        let mut output = output;
        let rest = output.split_off(64 * 100).unwrap();
        maps::doubled::launch_into(&Device::cpu(), &back, &mut output).unwrap();
        drop(back);
        (output, rest)
    });
    front.fill(7).unwrap();
    let (output, rest) = doubled.join().unwrap();
    drop(front);
    let input = 64 * 100..2 * 64 * 100;
    assert_eq!(
        output.into_vec().unwrap(),
        input.map(|x| 2 * x).collect::<Vec<u32>>()
    );
    assert_eq!(
        rest.into_vec().unwrap(),
        (3 * 64 * 100..length).collect::<Vec<_>>()
    );
}

#[test]
fn nothing_is_an_array_too() {
    let _alone = alone();
    for device in devices() {
        let buffer = device.upload_vec(Vec::<f64>::new()).unwrap();
        assert!(buffer.is_empty());
        buffer.copy_to(&mut []).unwrap();
        assert!(buffer.into_vec().unwrap().is_empty());
        let buffer = device
            .upload_vec(Vec::<bool>::with_capacity(1 << 20))
            .unwrap();
        assert!(buffer.to_vec().unwrap().is_empty());
        drop(buffer);
        assert!(
            device
                .zeros::<u8>(0)
                .unwrap()
                .into_vec()
                .unwrap()
                .is_empty()
        );
        let empty = device.zeros::<u32>(0).unwrap();
        let output = maps::doubled::launch(&device, &empty).unwrap();
        assert!(output.into_vec().unwrap().is_empty());
    }
}

#[test]
fn a_vector_with_room_to_spare_keeps_its_elements_alone() {
    let _alone = alone();
    let mut elements = Vec::with_capacity(1 << 20);
    elements.extend(0..100_000u32);
    let buffer = Device::cpu().upload_vec(elements).unwrap();
    let doubled = maps::above::launch(&Device::cpu(), 5, &buffer).unwrap();
    assert_eq!(doubled.len(), 100_000);
    assert_eq!(buffer.into_vec().unwrap().len(), 100_000);
}

/// The arrays that are kept are those of the whole process: one test at a time.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    // A test that has failed leaves nothing behind that others could see.
    ALONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Where the memory of an output lies that is made and dropped right away.
fn place_of_an_output(device: &Device, input: &Buffer<u32>) -> usize {
    // Takes the place if the system has it.
    let other = vec![1u32; input.len()];
    let output = maps::doubled::launch(device, input).unwrap();
    let output = output.into_vec().unwrap();
    assert_ne!(output, other);
    let place = output.as_ptr() as usize;
    drop(device.upload_vec(output).unwrap());
    place
}

#[test]
fn memory_comes_back_from_dropped_buffers_and_failed_launches() {
    let _alone = alone();
    const N: usize = 5 << 17;
    let device = Device::cpu();
    let input = device.upload(&vec![3u32; N]).unwrap();
    let place = place_of_an_output(&device, &input);
    assert_eq!(place_of_an_output(&device, &input), place);
    let outside: Vec<u32> = (0..N as u32)
        .map(|i| if i == 77_777 { N as u32 } else { i })
        .collect();
    let places = device.upload_vec(outside).unwrap();
    let error = maps::picked::launch(&device, &places, &input).unwrap_err();
    assert_eq!(
        (error.kind(), error.needed()),
        (ErrorKind::Fault, Some(N as u64))
    );
    assert_eq!(place_of_an_output(&device, &input), place);
    // A launch that is refused asks for no memory.
    let odd = device.zeros::<u32>(65).unwrap();
    assert_eq!(
        maps::doubled::launch(&device, &odd).unwrap_err().kind(),
        ErrorKind::Requirement
    );
    assert_eq!(place_of_an_output(&device, &input), place);
}

#[test]
fn a_buffer_outlives_a_launch_that_fails_in_the_middle_of_it() {
    let _alone = alone();
    let device = Device::cpu().with_blocks(1);
    let mut counts = device.zeros::<u32>(10).unwrap();
    let mut keys = vec![4u32; 640];
    keys[630] = 10;
    let keys = device.upload_vec(keys).unwrap();
    let error = maps::counted::launch(&device, &mut counts, &keys).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Fault, "{error}");
    // What was counted before is there.
    assert_eq!(counts.to_vec().unwrap()[4], 630);
    assert_eq!(counts.len(), 10);
    let good = device.upload_vec(vec![9u32; 64]).unwrap();
    maps::counted::launch(&device, &mut counts, &good).unwrap();
    assert_eq!(counts.into_vec().unwrap()[9], 64);
}

#[test]
fn booleans_are_booleans_in_memory_that_was_used() {
    let _alone = alone();
    const N: u32 = 300_007;
    let device = Device::cpu();
    let input: Vec<u32> = (0..N).collect();
    let input = device.upload_vec(input).unwrap();
    for least in [0, N / 2, N] {
        let output = maps::above::launch(&device, least, &input).unwrap();
        let expected: Vec<bool> = (0..N).map(|i| i > least).collect();
        assert_eq!(output.into_vec().unwrap(), expected);
        drop(device.upload_vec(vec![true; N as usize]).unwrap());
        let zeros = device.zeros::<bool>(N as usize).unwrap();
        assert_eq!(zeros.into_vec().unwrap(), vec![false; N as usize]);
    }
}

#[test]
fn many_threads_launch_at_once() {
    let _alone = alone();
    std::thread::scope(|scope| {
        for thread in 0..8u32 {
            scope.spawn(move || {
                let device = Device::cpu();
                for round in 0..40 {
                    // Small ones and large ones, of which threads take each other's memory.
                    let n = [64, 1024, 1 << 15, 1 << 17][(thread + round) as usize % 4];
                    let first = thread * 1000 + round;
                    let input = device.upload_vec((first..first + n).collect()).unwrap();
                    let output = maps::doubled::launch(&device, &input).unwrap();
                    let expected: Vec<u32> = (first..first + n).map(|x| x * 2).collect();
                    assert_eq!(output.to_vec().unwrap(), expected);
                    if round % 10 == 0 {
                        device.trim_memory(0).unwrap();
                    }
                }
            });
        }
    });
}
