//! Buffers keep what they are given, and devices are chosen by name.

// A test that unwraps an error fails, which is what it is for.
#![allow(clippy::unwrap_used)]

use obsidian_rt::prelude::*;

fn round_trip<T: Element>(elements: &[T]) {
    for device in [Device::cpu(), Device::simulator()] {
        let buffer = device.upload(elements).unwrap();
        let bits = |elements: &[T]| {
            elements
                .iter()
                .map(|element| element.literal().bits())
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(&buffer.to_vec().unwrap()), bits(elements));
        assert_eq!(
            (buffer.len(), buffer.is_empty()),
            (elements.len(), elements.is_empty())
        );
        let zeros = device.zeros::<T>(elements.len()).unwrap().to_vec().unwrap();
        assert!(zeros.iter().all(|zero| *zero == T::default()) && zeros.len() == elements.len());
    }
}

#[test]
fn every_element_type_goes_there_and_back() {
    round_trip(&[true, false, true]);
    round_trip(&[0, 1, u8::MAX]);
    round_trip(&[0, 1, u16::MAX]);
    round_trip(&[0, 1, u32::MAX]);
    round_trip(&[0, 1, u64::MAX]);
    round_trip(&[i8::MIN, -1, 0, i8::MAX]);
    round_trip(&[i16::MIN, -1, 0, i16::MAX]);
    round_trip(&[i32::MIN, -1, 0, i32::MAX]);
    round_trip(&[i64::MIN, -1, 0, i64::MAX]);
    round_trip(&[
        0.0,
        -0.0,
        1e-40,
        f32::INFINITY,
        f32::NAN,
        f32::from_bits(0xffc0_0001),
        f32::from_bits(0x7f80_0001),
    ]);
    round_trip(&[
        0.0,
        -0.0,
        1e-310,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::from_bits(0xfff0_0000_0000_0001),
    ]);
    round_trip::<f32>(&[]);
}

#[test]
fn a_vector_is_uploaded_without_a_type() {
    let device = Device::cpu();
    let buffer = device.upload(&(0..1024).collect::<Vec<i32>>()).unwrap();
    assert_eq!(buffer.to_vec().unwrap()[1023], 1023);
}

#[test]
fn a_buffer_longer_than_an_index_is_refused() {
    let error = Device::cpu().zeros::<u8>(1 << 32).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLong);
    assert_eq!(
        (error.needed(), error.limit()),
        (Some(1 << 32), Some(u32::MAX.into()))
    );
    assert_eq!(
        error.to_string(),
        "a buffer of 4294967296 elements is too long: at most 4294967295 can be indexed"
    );
}

#[test]
fn the_environment_chooses_the_device() {
    // Only this test's own process sees the variable: it is set for a copy of this program.
    let of = |word: Option<&str>| {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command
            .args([
                "--exact",
                "buffers::shows_the_best_device",
                "--nocapture",
                "--ignored",
            ])
            .env_remove("OBSIDIAN_DEVICE");
        word.map(|word| command.env("OBSIDIAN_DEVICE", word));
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    if cfg!(feature = "cuda") {
        // With a driver and a GPU, that is the best.
        assert!(
            ["best: cpu", "best: cuda:0"]
                .iter()
                .any(|best| of(None).contains(best))
        );
        assert!(
            ["best: NoDriver", "best: cuda:0"]
                .iter()
                .any(|best| of(Some("cuda:0")).contains(best))
        );
    } else {
        assert!(of(None).contains("best: cpu"));
        assert!(of(Some("cuda:0")).contains("best: DeviceUnavailable"));
    }
    assert!(of(Some("cpu")).contains("best: cpu"));
    assert!(of(Some("simulator")).contains("best: simulator"));
    assert!(of(Some("rocm")).contains("best: UnknownDevice"));
}

#[test]
#[ignore = "run by the_environment_chooses_the_device"]
fn shows_the_best_device() {
    match Device::best() {
        Ok(device) => println!("best: {}", device.name()),
        Err(error) => println!("best: {:?}", error.kind()),
    }
}

/// Into buffers that there are, whatever they held, on every device that runs in the host's memory.
#[test]
fn a_launch_writes_to_buffers_that_are_given() {
    use obsidian_rt::{TypedKernel, language::*};
    let kernel = TypedKernel::build("both", 32, |input: DPull<EU32>| {
        let pieces = input.chunks(50, 0.into());
        let twice = pieces
            .clone()
            .as_grid_map(|a| a.map(|x| x * 2).push())
            .take(input.len());
        let more = pieces
            .as_grid_map(|a| a.map(|x| x + 1).push())
            .take(input.len());
        (twice, more)
    })
    .unwrap();
    for device in [Device::cpu(), Device::simulator()] {
        for length in [0u32, 1, 50, 333] {
            let elements: Vec<u32> = (0..length).collect();
            let input = device.upload(&elements).unwrap();
            let old = vec![7u32; elements.len()];
            let (mut twice, mut more) =
                (device.upload(&old).unwrap(), device.upload(&old).unwrap());
            for _ in 0..2 {
                kernel
                    .launch_into(&device, &input, (&mut twice, &mut more))
                    .unwrap();
                let expected =
                    |f: fn(u32) -> u32| elements.iter().map(|x| f(*x)).collect::<Vec<_>>();
                assert_eq!(twice.to_vec().unwrap(), expected(|x| x * 2));
                assert_eq!(more.to_vec().unwrap(), expected(|x| x + 1));
            }
            let mut long = device.zeros::<u32>(elements.len() + 1).unwrap();
            let error = kernel
                .launch_into(&device, &input, (&mut twice, &mut long))
                .unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnequalLengths, "{error}");
            assert_eq!(
                (error.needed(), error.limit()),
                (Some(u64::from(length) + 1), Some(u64::from(length)))
            );
        }
    }
}
