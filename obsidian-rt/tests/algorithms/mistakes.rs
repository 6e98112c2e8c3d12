//! What does not fit is an error.

use obsidian_rt::{Device, ErrorKind, algorithms};

fn is_of<T: std::fmt::Debug>(kind: ErrorKind, result: obsidian_rt::Result<T>) {
    assert_eq!(result.unwrap_err().kind(), kind);
}

#[test]
fn lengths_that_differ() {
    let device = Device::cpu();
    let (two, three) = ([1u32, 2], [1u32, 2, 3]);
    let flags = [true, false];
    let unequal = ErrorKind::UnequalLengths;
    is_of(unequal, algorithms::dot(&device, &two, &three));
    is_of(
        unequal,
        algorithms::zip_map(&device, &two, &three, |x, y| x + y),
    );
    is_of(unequal, algorithms::copy_flagged(&device, &three, &flags));
    is_of(
        unequal,
        algorithms::segmented_inclusive_scan(&device, &three, &flags, |x, y| x + y),
    );
    is_of(
        unequal,
        algorithms::segmented_exclusive_scan(&device, &three, &flags, |x, y| x + y, 0),
    );
    is_of(
        unequal,
        algorithms::reduce_by_key(&device, &three, &two, |x, y| x + y),
    );
    is_of(
        unequal,
        algorithms::inclusive_scan_by_key(&device, &three, &two, |x, y| x + y),
    );
    is_of(
        unequal,
        algorithms::exclusive_scan_by_key(&device, &three, &two, |x, y| x + y, 0),
    );
    is_of(
        unequal,
        algorithms::merge_by_key(&device, (&two, &three), (&two, &two)),
    );
    is_of(
        unequal,
        algorithms::merge_by_key(&device, (&two, &two), (&two, &three)),
    );
    is_of(
        unequal,
        algorithms::sum(&device, &three)
            .and_then(|_| algorithms::reduce(&device, (&two, &three), |x, _| x, (0, 0))),
    );
}

#[test]
fn results_of_another_length() {
    let device = Device::cpu();
    let xs = [1u32, 2, 3];
    for n in [0, 2, 4] {
        let mut result = device.upload(&vec![7u32; n]).unwrap();
        let unequal = ErrorKind::UnequalLengths;
        is_of(
            unequal,
            algorithms::map_into(&device, &xs, |x| x + 1, &mut result),
        );
        is_of(
            unequal,
            algorithms::inclusive_sum_into(&device, &xs, &mut result),
        );
        is_of(
            unequal,
            algorithms::exclusive_sum_into(&device, &xs, &mut result),
        );
        is_of(
            unequal,
            algorithms::gather_into(&device, &[0u32; 3], &xs, &mut result),
        );
        is_of(
            unequal,
            algorithms::lower_bound_into(&device, &xs, &xs, &mut result),
        );
        is_of(
            unequal,
            algorithms::merge_into(&device, &xs, &xs, &mut result),
        );
        is_of(unequal, algorithms::sum_into(&device, &xs, &mut result));
        is_of(unequal, algorithms::arg_min_into(&device, &xs, &mut result));
        assert_eq!(result.to_vec().unwrap(), vec![7; n]);
    }
}

#[test]
fn a_closure_that_cannot_be_built() {
    let device = Device::cpu();
    let loops = |x: obsidian_rt::language::EU32, y| {
        let zeros = obsidian_rt::arrays::fill(3u32, x).sort();
        zeros.at(0u32) + y
    };
    is_of(
        ErrorKind::Build,
        algorithms::reduce(&device, &[1u32], loops, 0),
    );
    // An error is not kept in place of a program.
    is_of(
        ErrorKind::Build,
        algorithms::reduce(&device, &[1u32], loops, 0),
    );
}

#[test]
fn buffers_of_another_device() {
    let (device, other) = (Device::cpu(), Device::simulator());
    let xs = other.upload(&[1u32, 2, 3]).unwrap();
    is_of(ErrorKind::WrongDevice, algorithms::sum(&device, &xs));
    is_of(
        ErrorKind::WrongDevice,
        algorithms::map(&device, &xs, |x| x + 1),
    );
    is_of(
        ErrorKind::WrongDevice,
        algorithms::histogram(&device, &xs, 4),
    );
    let mut result = other.upload(&[0u32; 3]).unwrap();
    is_of(
        ErrorKind::WrongDevice,
        algorithms::inclusive_sum_into(&device, &[1u32, 2, 3], &mut result),
    );
    let mut result = other.upload(&[0u32; 4]).unwrap();
    is_of(
        ErrorKind::WrongDevice,
        algorithms::histogram_into(&device, &[1u32, 2, 3], &mut result),
    );
}
