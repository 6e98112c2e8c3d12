//! Sources, and plans.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use obsidian_rt::sequence::{Sequence, collect, sum};
use obsidian_rt::{Device, Element, ErrorKind, arrays::HostItem};

use crate::devices;

fn comes_back<T: HostItem + Send + Sync + PartialEq + std::fmt::Debug>(elements: &[T])
where
    <T as HostItem>::Device: obsidian_rt::arrays::HostOf<Host = T>,
{
    for device in devices() {
        for chunk in [1usize, 2, 3, 8] {
            let given = Sequence::slice(elements).collect().chunk(chunk);
            assert_eq!(given.run(&device).unwrap().to_vec().unwrap(), elements);
            let owned = elements.to_vec();
            let read = Sequence::from_iter(owned.clone()).collect().chunk(chunk);
            assert_eq!(read.run(&device).unwrap().to_vec().unwrap(), elements);
            let made = Sequence::generate(owned.len() as u64, |i| owned[i as usize]);
            let made = made.collect().chunk(chunk).run(&device).unwrap();
            assert_eq!(made.to_vec().unwrap(), elements);
            let pieces = owned.chunks(3).map(|piece| Ok::<_, String>(piece.to_vec()));
            let pieces: Vec<_> = pieces.chain([Ok(Vec::new())]).collect();
            let read = Sequence::from_chunks(pieces).collect().chunk(chunk);
            assert_eq!(read.run(&device).unwrap().to_vec().unwrap(), elements);
        }
    }
}

fn ends<T: Element>(least: T, most: T) {
    comes_back(&[least, T::default(), most, least, most, most, T::default()]);
    comes_back::<T>(&[]);
}

#[test]
fn elements_of_every_type_come_back() {
    ends(false, true);
    ends(0u8, u8::MAX);
    ends(0u16, u16::MAX);
    ends(0u32, u32::MAX);
    ends(0u64, u64::MAX);
    ends(i8::MIN, i8::MAX);
    ends(i16::MIN, i16::MAX);
    ends(i32::MIN, i32::MAX);
    ends(i64::MIN, i64::MAX);
    ends(f32::MIN, f32::INFINITY);
    ends(f64::MIN, f64::INFINITY);
    comes_back(&[(1u32, -0.5f64), (2, f64::MAX), (3, 0.0), (4, 1.0)]);
}

#[test]
fn no_more_is_read_than_slots_hold() {
    // The thread that reads waits for a sink that is slow: of chunks of 10, one is taken, and `slots` wait or are being read.
    let read = AtomicU64::new(0);
    let numbers = Sequence::generate(10_000, |i| {
        read.fetch_add(1, Relaxed);
        i as u32
    });
    for slots in [2u64, 3, 5] {
        read.store(0, Relaxed);
        let mut taken = 0;
        let slow = |some: &[u32]| {
            taken += some.len() as u64;
            if taken <= 50 {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            let ahead = read.load(Relaxed) - taken;
            match ahead <= slots * 10 {
                true => Ok(()),
                false => Err(format!("{ahead} elements are ahead")),
            }
        };
        let run = numbers
            .clone()
            .for_each(slow)
            .chunk(10)
            .slots(slots as usize);
        run.run(&Device::cpu()).unwrap();
        assert_eq!(read.load(Relaxed), 10_000);
    }
}

#[test]
fn a_source_is_read_once_for_all_that_use_it() {
    let read = AtomicU64::new(0);
    let numbers = Sequence::generate(100, |i| {
        read.fetch_add(1, Relaxed);
        i
    });
    let both = numbers
        .clone()
        .map(|x| x * x)
        .sum()
        .and(numbers.clone().zip(numbers).map_chunks(|(x, _)| x).sum());
    assert_eq!(both.run(&Device::cpu()).unwrap(), (328_350, 4950));
    assert_eq!(read.load(Relaxed), 100);
}

#[test]
fn no_source_is_read_beyond_the_shortest() {
    let read = AtomicU64::new(0);
    let endless = (0u32..).inspect(|_| {
        read.fetch_add(1, Relaxed);
    });
    let zipped = Sequence::from_iter(endless).zip_with(Sequence::slice(&[1u32; 5]), |x, y| x + y);
    assert_eq!(zipped.sum().run(&Device::cpu()).unwrap(), 15);
    assert_eq!(read.load(Relaxed), 5);
}

#[test]
fn a_run_is_watched_chunk_by_chunk() {
    use std::ops::ControlFlow;
    let seen = |n: u64, skip: u64| {
        let mut seen = Vec::new();
        let run = Sequence::generate(n, |i| i).sum().chunk(20).skip(skip);
        let run = run.watch(|progress| {
            seen.push((progress.chunks, progress.elements));
            ControlFlow::Continue(())
        });
        run.run(&Device::cpu()).unwrap();
        seen
    };
    assert_eq!(seen(40, 0), [(1, 20), (2, 40)]);
    assert_eq!(seen(45, 10), [(1, 30), (2, 45)]);
    assert_eq!(seen(0, 0), []);
    assert_eq!(seen(10, 20), []);
    // A sum without an end is cancelled.
    let endless = Sequence::from_iter(0u64..).sum().chunk(20);
    let endless = endless.watch(|progress| match progress.chunks {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    let error = endless.run(&Device::cpu()).unwrap_err();
    assert_eq!(
        (error.kind(), error.chunk()),
        (ErrorKind::Cancelled, Some(2))
    );
}

#[test]
fn a_plan_holds_the_limit() {
    let cpu = Device::cpu();
    for limit in [1u64 << 12, 1 << 16, 1 << 20, 1 << 26] {
        let numbers = || Sequence::generate(1 << 30, |i| i as f32).map(|x| x * 2.0);
        let plan = numbers()
            .consume((sum(), collect()))
            .memory_limit(limit)
            .plan(&cpu)
            .unwrap();
        assert!(
            plan.bytes() <= limit && plan.chunk.is_power_of_two(),
            "{plan}"
        );
        assert!(plan.chunk >= 4096 || 4 * plan.bytes() >= limit, "{plan}");
        assert_eq!(plan.elements, Some(1 << 30));
        assert_eq!(plan.input_bytes, 4 * plan.chunk as u64);
    }
    // A state takes the same memory for any chunk, and does not make chunks short.
    let state = || {
        let numbers = Sequence::generate(1 << 30, |i| i as u32);
        numbers.histogram(1 << 20, |x| x % (1 << 20))
    };
    let plan = state().plan(&cpu).unwrap();
    assert!(plan.chunk >= 1 << 20, "{plan}");
    let few = state().memory_limit(1 << 26).plan(&cpu).unwrap();
    assert!(few.chunk >= 1 << 16 && few.bytes() <= 1 << 26, "{few}");
    // The windows that later chunks have are counted.
    let windows = Sequence::generate(1 << 20, |i| i)
        .windows(10_000)
        .for_each(|_| Ok::<_, String>(()));
    let plan = windows.memory_limit(64 << 20).plan(&cpu).unwrap();
    assert!(plan.chunk <= 512 && plan.bytes() <= 64 << 20, "{plan}");
    // Nothing is copied of a slice.
    let xs = [0u8; 100];
    let plan = Sequence::slice(&xs).sum().plan(&cpu).unwrap();
    assert_eq!((plan.input_bytes, plan.elements), (0, Some(100)));
    // One element that is too large.
    let row = vec![0f64; 1000];
    let sums = || Sequence::rows(&row, [1000]).map(|x| x + 1.0).collect();
    let error = sums().memory_limit(20_000).plan(&cpu).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert_eq!(
        (error.needed(), error.limit()),
        (Some(24_000), Some(20_000)),
        "{error}"
    );
    // What it asks for is enough.
    assert_eq!(sums().memory_limit(24_000).run(&cpu).unwrap().len(), 1000);
    let error = sums().memory_limit(24_000).chunk(2).plan(&cpu).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("chunks of 2 elements need 48000 bytes"),
        "{error}"
    );
}
