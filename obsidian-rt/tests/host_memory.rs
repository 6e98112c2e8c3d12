//! The memory of the host in small: all that reaches it by pointers, with few elements, for `.ci/miri`.

// A test that unwraps an error fails, which is what it is for.
#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_rt::prelude::*;

#[kernels]
mod maps {
    /// Twice each element.
    #[kernel(threads = 4)]
    pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
        let pieces = input.split_up(4);
        pieces.as_grid_map(|piece| piece.map(|x| x * 2).push())
    }

    /// Counts up an element for each key: cells that cores share.
    #[kernel(threads = 4)]
    pub fn counted(counts: MGlobal<EU32>, keys: DPull<EU32>) -> Program<Grid, ()> {
        let pieces = keys.split_up(4);
        distr_par(pieces.len(), |b| {
            for_all(4, |i| counts.atomic_add(pieces[b][i].unchecked(), 1).void())
        })
    }
}

#[test]
fn elements_of_each_type_are_copied_taken_over_and_given_back() {
    fn round_trip<T: Element + PartialEq + std::fmt::Debug>(elements: &[T]) {
        let device = Device::cpu();
        let mut buffer = device.upload(elements).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), elements);
        buffer.fill(T::default()).unwrap();
        buffer.copy_from(elements).unwrap();
        let buffer = device.upload_vec(buffer.into_vec().unwrap()).unwrap();
        assert_eq!(buffer.into_vec().unwrap(), elements);
        assert_eq!(
            device.zeros::<T>(3).unwrap().to_vec().unwrap(),
            [T::default(); 3]
        );
    }
    round_trip(&[true, false, true]);
    round_trip(&[1u8, 2]);
    round_trip(&[-1i16, 2]);
    round_trip(&[1u32, 2, 3]);
    round_trip(&[-1i64, 2]);
    round_trip(&[0.5f32, 2.0]);
    round_trip(&[0.5f64, 2.0, 3.0]);
    round_trip::<u32>(&[]);
}

#[test]
fn parts_are_read_while_their_array_lives() {
    let device = Device::cpu();
    let buffer = device.upload_vec((0..16u32).collect()).unwrap();
    let part = buffer.slice(4..12).unwrap();
    let doubled = maps::doubled::launch(&device, &part).unwrap();
    assert_eq!(doubled.to_vec().unwrap(), [8, 10, 12, 14, 16, 18, 20, 22]);
    let (front, back) = buffer.split_at(8).unwrap();
    assert_eq!(front.to_vec().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
    let sums = std::thread::scope(|scope| {
        let front = scope.spawn(|| front.to_vec().unwrap().iter().sum::<u32>());
        let back = scope.spawn(|| back.to_vec().unwrap().iter().sum::<u32>());
        (front.join().unwrap(), back.join().unwrap())
    });
    assert_eq!(sums, (28, 92));
}

#[test]
fn pieces_of_a_vector_are_written_in_threads_of_their_own_and_put_together() {
    let mut front = Device::cpu().upload_vec((0..12u32).collect()).unwrap();
    let mut back = front.split_off(4).unwrap();
    let mut last = back.split_off(4).unwrap();
    let writer = std::thread::spawn(move || {
        maps::doubled::launch_into(&Device::cpu(), &back, &mut last).unwrap();
        (back, last)
    });
    front.fill(7).unwrap();
    let (mut back, last) = writer.join().unwrap();
    back.unsplit(last).unwrap();
    front.unsplit(back).unwrap();
    assert_eq!(
        front.into_vec().unwrap(),
        [7, 7, 7, 7, 4, 5, 6, 7, 8, 10, 12, 14]
    );
}

#[test]
fn a_piece_outlives_the_others() {
    let mut front = Device::cpu().upload_vec(vec![1u32; 8]).unwrap();
    let back = front.split_off(3).unwrap();
    drop(front);
    assert_eq!(back.into_vec().unwrap(), [1; 5]);
}

#[test]
fn cells_are_counted_up_by_several_cores() {
    let device = Device::cpu();
    let keys = device
        .upload(&(0..64u32).map(|i| i % 3).collect::<Vec<_>>())
        .unwrap();
    let mut counts = device.zeros::<u32>(3).unwrap();
    maps::counted::launch(&device, &mut counts, &keys).unwrap();
    assert_eq!(counts.to_vec().unwrap(), [22, 21, 21]);
}

#[test]
fn page_locked_arrays_are_copied_from_and_to() {
    let device = Device::cpu();
    let mut array = device.pinned::<u32>(4).unwrap();
    array.copy_from_slice(&[1, 2, 3, 4]);
    let mut buffer = device.zeros::<u32>(4).unwrap();
    let array = buffer.copy_from_pinned(array).unwrap().wait().unwrap();
    assert_eq!(array[..], [1, 2, 3, 4]);
    let array = buffer.copy_to_pinned(array).unwrap().wait().unwrap();
    assert_eq!(array[..], buffer.to_vec().unwrap());
}
