//! Which program a closure has, and where it is kept.

use std::sync::atomic::{AtomicU32, Ordering};

use obsidian_rt::arrays::Value;
use obsidian_rt::language::EU32;
use obsidian_rt::{Device, algorithms};

#[test]
fn a_closure_that_captures_nothing_is_built_once() {
    static BUILT: AtomicU32 = AtomicU32::new(0);
    let device = Device::cpu();
    let largest = |n: u32| {
        let xs: Vec<u32> = (0..n).collect();
        let f = |x: EU32, y| {
            BUILT.fetch_add(1, Ordering::Relaxed);
            x.max(y)
        };
        algorithms::reduce(&device, &xs, f, 0).unwrap()
    };
    assert_eq!(largest(5), 4);
    let built = BUILT.load(Ordering::Relaxed);
    assert!(built > 0);
    assert_eq!(largest(1000), 999);
    assert_eq!(BUILT.load(Ordering::Relaxed), built);
}

#[test]
fn a_closure_that_captures_is_built_with_what_it_captures() {
    let device = Device::cpu();
    for limit in [10u32, 20] {
        let sum = algorithms::reduce(&device, &[8u32, 9], move |x, y| (x + y).min(limit), 0);
        assert_eq!(sum.unwrap(), limit.min(17));
    }
}

/// The closures of a generic function look alike, and have a type each.
#[test]
fn closures_of_generic_functions_are_told_apart() {
    fn scaled<const K: u32>(device: &Device) -> Vec<u32> {
        let made = algorithms::map(device, &[1u32, 2, 3], |x| x * K);
        made.and_then(|made| made.to_vec()).unwrap()
    }
    let device = Device::cpu();
    for _ in 0..2 {
        assert_eq!(scaled::<2>(&device), [2, 4, 6]);
        assert_eq!(scaled::<5>(&device), [5, 10, 15]);
    }
}

/// One function in several algorithms, over several types.
#[test]
fn a_function_has_a_program_for_each_algorithm() {
    fn plus<T: std::ops::Add<Output = T>>(x: T, y: T) -> T {
        x + y
    }
    let device = Device::cpu();
    let (xs, ys) = ([1u32, 2, 3], [0.5f32, 0.25]);
    for _ in 0..2 {
        assert_eq!(algorithms::reduce(&device, &xs, plus, 1).unwrap(), 7);
        assert_eq!(algorithms::reduce(&device, &ys, plus, 1.0).unwrap(), 1.75);
        let scan = algorithms::inclusive_scan(&device, &xs, plus).unwrap();
        assert_eq!(scan.to_vec().unwrap(), [1, 3, 6]);
        let scan = algorithms::exclusive_scan(&device, &xs, plus, 1).unwrap();
        assert_eq!(scan.to_vec().unwrap(), [1, 2, 4]);
        let sums = algorithms::zip_map(&device, &xs, &xs, plus).unwrap();
        assert_eq!(sums.to_vec().unwrap(), [2, 4, 6]);
    }
}

#[test]
fn threads_may_ask_for_one_program_at_once() {
    let sum = |n: u32| {
        let device = Device::cpu();
        let xs: Vec<u32> = (0..n).collect();
        algorithms::reduce(&device, &xs, |x, y| x ^ y, 0).unwrap()
    };
    let want: Vec<u32> = (0..8).map(|n| (0..n).fold(0, |x, y| x ^ y)).collect();
    let got: Vec<u32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|n| scope.spawn(move || sum(n))).collect();
        threads.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(got, want);
}

#[test]
fn a_program_can_be_kept() {
    let device = Device::cpu();
    let factor = 3u32;
    let program = algorithms::program::reduce(move |x: EU32, y| x * factor + y).unwrap();
    let mut result = device.array([], &[0u32]).unwrap();
    for x in 0..3 {
        let xs = device.array([1], &[x]).unwrap();
        let value = program.run(&device, (&xs, Value(5u32))).unwrap().value();
        assert_eq!(value.unwrap(), 15 + x);
        program
            .run_into(&device, (&xs, Value(6u32)), &mut result)
            .unwrap();
        assert_eq!(result.value().unwrap(), 18 + x);
    }
}

/// What stays on the device can be recorded, and is replayed with other buffers.
#[test]
fn algorithms_can_be_recorded() {
    let device = Device::cpu();
    let mut steps = (
        device.upload(&[1u32, 2, 3]).unwrap(),
        device.upload(&[0u32; 3]).unwrap(),
        device.upload(&[0u32]).unwrap(),
    );
    let recording = device.record(&steps, |device, (xs, sums, all)| {
        algorithms::inclusive_sum_into(device, &*xs, &mut *sums)?;
        algorithms::reduce_into(device, &*sums, |x, y| x + y, 100, &mut *all)
    });
    let mut recording = recording.unwrap();
    recording.replay(&mut steps).unwrap();
    assert_eq!(steps.1.to_vec().unwrap(), [1, 3, 6]);
    assert_eq!(steps.2.to_vec().unwrap(), [110]);
    steps.0.copy_from(&[5, 0, 1]).unwrap();
    recording.replay(&mut steps).unwrap();
    assert_eq!(steps.2.to_vec().unwrap(), [116]);
}
