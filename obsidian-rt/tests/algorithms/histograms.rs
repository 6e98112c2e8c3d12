//! Histograms.

use obsidian_rt::{Device, ErrorKind, algorithms};

use crate::common::{LENGTHS, Random, each};

#[test]
fn any_number_of_bins() {
    each(&LENGTHS, |device, n| {
        for bins in [1usize, 2, 100, 256, 257, 1000, 4096, 4097, 10_000] {
            let mut random = Random::new((n + bins) as u64);
            let xs: Vec<u32> = (0..n).map(|_| random.below(bins as u64) as u32).collect();
            let mut want = vec![0u32; bins];
            xs.iter().for_each(|x| want[*x as usize] += 1);
            let given = device.upload(&xs).unwrap();
            let counts = algorithms::histogram(device, &given, bins).unwrap();
            assert_eq!(counts.to_vec().unwrap(), want, "{n} {bins}");
            let mut counts = device.upload(&vec![99u32; bins]).unwrap();
            algorithms::histogram_into(device, &given, &mut counts).unwrap();
            assert_eq!(counts.to_vec().unwrap(), want, "{n} {bins}");
        }
    });
}

#[test]
fn all_in_one_bin() {
    each(&[1000, 65_537], |device, n| {
        for bins in [10, 1000, 5000] {
            let counts = algorithms::histogram(device, &vec![7u32; n], bins).unwrap();
            let mut want = vec![0; bins];
            want[7] = n as u32;
            assert_eq!(counts.to_vec().unwrap(), want);
        }
    });
}

#[test]
fn a_number_that_is_no_bin_is_a_fault() {
    for device in [Device::cpu(), Device::simulator()] {
        for bins in [0usize, 3, 256, 300, 4096, 5000] {
            for wrong in [bins as u32, bins as u32 + 100, u32::MAX] {
                let mut counts = device.zeros(bins).unwrap();
                let numbers = device.upload(&[wrong]).unwrap();
                let done = algorithms::histogram_into(&device, &numbers, &mut counts);
                let error = done.and_then(|()| counts.to_vec()).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Fault, "{bins} {wrong}");
            }
        }
        assert!(
            algorithms::histogram(&device, &[0u32; 0], 0)
                .unwrap()
                .is_empty()
        );
    }
}
