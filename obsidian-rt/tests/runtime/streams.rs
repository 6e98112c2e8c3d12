//! Streams, events and page-locked arrays on devices that do everything at once.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use obsidian_rt::{ErrorKind, TypedKernel, language::*, prelude::*};

#[test]
fn a_stream_is_its_device() {
    let twice = TypedKernel::build("twice", 32, |input: DPull<EU32>| {
        input
            .split_up(4)
            .as_grid_map(|piece| piece.map(|x| x * 2u32).push())
    });
    let (twice, device) = (twice.unwrap(), Device::simulator());
    let (first, second) = (device.stream().unwrap(), device.stream().unwrap());
    let input = first.device().upload(&[1u32, 2, 3, 4]).unwrap();
    let output = twice.launch(first.device(), &input).unwrap();
    second.wait(&first.record_event().unwrap()).unwrap();
    let output = twice.launch(second.device(), &output).unwrap();
    second.synchronize().unwrap();
    assert_eq!(
        (output.to_vec().unwrap(), output.device().name()),
        (vec![4, 8, 12, 16], "simulator")
    );
}

#[test]
fn settings_of_a_device_are_those_of_its_streams() {
    let stream = Device::cpu().with_blocks(0).stream().unwrap();
    let kernel = TypedKernel::build("same", 32, |input: DPull<EU32>| {
        input.split_up(4).as_grid_map(|piece| piece.push())
    })
    .unwrap();
    let input = stream.device().zeros::<u32>(4).unwrap();
    assert_eq!(
        kernel.launch(stream.device(), &input).unwrap_err().kind(),
        ErrorKind::NoBlocks
    );
}

#[test]
fn events_are_moments() {
    for device in [Device::cpu(), Device::simulator()] {
        let first = device.record_event().unwrap();
        std::thread::sleep(Duration::from_millis(2));
        let second = device.stream().unwrap().record_event().unwrap();
        assert!(first.is_done().unwrap() && second.is_done().unwrap());
        second.synchronize().unwrap();
        assert!(second.since(&first).unwrap() >= Duration::from_millis(2));
        assert_eq!(first.since(&second).unwrap(), Duration::ZERO);
        device.synchronize().unwrap();
    }
}

#[test]
fn an_event_that_is_awaited_is_ready_at_once() {
    for device in [Device::cpu(), Device::simulator()] {
        let mut event = pin!(device.record_event().unwrap());
        // Nobody would be woken.
        let ready = event.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(ready, Poll::Ready(Ok(()))));
        let again = event.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(again, Poll::Ready(Ok(()))));
    }
    // A task with an event runs on any thread.
    fn runs_anywhere<F: Future + Send + 'static>(_: F) {}
    runs_anywhere(async { Device::cpu().record_event()?.await });
}

#[test]
fn pinned_arrays_are_copied_to_and_from() {
    for device in [Device::cpu(), Device::simulator()] {
        for n in [0, 1, 997] {
            let mut array = device.pinned::<bool>(n).unwrap();
            assert!(array.len() == n && array.iter().all(|x| !x));
            array
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x = i % 3 == 0);
            let buffer = device.upload(&array).unwrap();
            let mut back = device.pinned(n).unwrap();
            buffer.copy_to(&mut back).unwrap();
            assert_eq!(array[..], back[..]);
            let error = buffer.copy_to(&mut vec![true; n + 1]).unwrap_err();
            assert_eq!(
                (error.kind(), error.needed(), error.limit()),
                (
                    ErrorKind::UnequalLengths,
                    Some(n as u64 + 1),
                    Some(n as u64)
                )
            );
        }
    }
}

#[test]
fn only_gpus_have_properties() {
    assert!(Device::cpu().properties().is_none() && Device::simulator().properties().is_none());
}
