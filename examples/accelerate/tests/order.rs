//! Sorts and sparse matrices beside plain Rust, and what is left of their programs.

#![allow(clippy::unwrap_used)]

use accelerate::*;
use obsidian_rt::Device;

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

const LENGTHS: [usize; 7] = [0, 1, 2, 33, 251, 1023, 4099];

#[test]
fn both_sorts_give_the_same() {
    for n in LENGTHS {
        let any = inputs::numbers(1, n);
        let few = any.iter().map(|x| x % 3).collect();
        let mut falling = any.clone();
        falling.sort_by(|a, b| b.cmp(a));
        for keys in [any, few, falling, vec![u32::MAX; n]] {
            let mut want = keys.clone();
            want.sort();
            for d in devices() {
                let given = d.array([n], &keys).unwrap();
                let by_hand = sorted_by_bits::run(&d, &given).unwrap();
                assert_eq!(by_hand.to_vec().unwrap(), want, "{n}");
                let by_library = sorted_by_library::run(&d, &given).unwrap();
                assert_eq!(by_library.to_vec().unwrap(), want, "{n}");
            }
        }
    }
}

/// Accelerate's radix sort has four operators a pass. Here the fifth is the number of the first bit, in front of the loop.
#[test]
fn a_pass_of_the_sort_is_built_once() {
    let schedule = sorted_by_bits::schedule();
    let text = schedule.to_string();
    let (front, pass) = text.split_once("repeat").unwrap();
    assert_eq!(schedule.operators(), 5, "{text}");
    assert_eq!(front.matches("launch ").count(), 1, "{text}");
    assert_eq!(pass.matches("launch ").count(), 5, "{text}");
    // The 32 passes share their kernels: none is built for a single pass.
    assert_eq!(schedule.kernels.len(), 6, "{text}");
    assert_eq!(schedule.launches_for(&[Some(8192)]), Some(1 + 32 * 4));
    assert_eq!(schedule.launches_for(&[Some(8193)]), Some(1 + 32 * 4));
    // Of the library: counters, what counts, and a pass for each byte.
    assert_eq!(sorted_by_library::schedule().operators(), 6);
}

#[test]
fn sparse_matrices_and_vectors() {
    for (height, width) in [(0, 3), (1, 1), (5, 0), (3, 7), (101, 53), (307, 1009)] {
        let m = inputs::sparse(height, width);
        let vector = inputs::floats(2, width, -1.0, 1.0);
        let want = reference::sparse_times_vector(&m.offsets, &m.columns, &m.values, &vector);
        for d in devices() {
            let offsets = d.array([height + 1], &m.offsets).unwrap();
            let columns = d.array([m.columns.len()], &m.columns).unwrap();
            let values = d.array([m.values.len()], &m.values).unwrap();
            let vector = d.array([width], &vector).unwrap();
            let all = sparse_times_vector::run(&d, &offsets, &columns, &values, &vector).unwrap();
            let each = sparse_by_rows::run(&d, &offsets, &columns, &values, &vector).unwrap();
            for found in [all.to_vec().unwrap(), each.to_vec().unwrap()] {
                assert_eq!(found.len(), want.len());
                for (found, want) in found.into_iter().zip(&want) {
                    assert!((f64::from(found) - want).abs() < 1e-4, "{found} {want}");
                }
            }
        }
    }
}

/// The marks of rows and their scan, and not the products, which are part of the scan.
#[test]
fn operators_of_sparse_matrices() {
    let numbers = [Some(1001), Some(5000), Some(5000), Some(70)];
    let schedule = sparse_times_vector::schedule();
    assert_eq!(schedule.operators(), 4, "{schedule}");
    let by_rows = sparse_by_rows::schedule();
    assert_eq!((by_rows.operators(), by_rows.launches()), (1, 1));
    assert_eq!(by_rows.temporary_bytes(&numbers), Some(0));
}

#[test]
fn what_is_outside_of_a_sparse_matrix_is_an_error() {
    for d in devices() {
        let offsets = d.array([2], &[0u32, 2]).unwrap();
        let columns = d.array([2], &[0u32, 3]).unwrap();
        let values = d.array([2], &[1.0f32, 1.0]).unwrap();
        let vector = d.array([3], &[1.0f32; 3]).unwrap();
        let found = sparse_times_vector::run(&d, &offsets, &columns, &values, &vector);
        let error = found.and_then(|found| found.to_vec()).unwrap_err();
        assert_eq!(error.kind(), obsidian_rt::ErrorKind::Fault, "{error}");
        assert!(error.to_string().contains("sparse.rs"), "{error}");
    }
}
