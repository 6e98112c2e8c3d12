//! The programs beside plain Rust, at extents of all kinds, and what is left of them.

#![allow(clippy::unwrap_used)]

use accelerate::*;
use obsidian_rt::Device;

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

fn near(found: f64, want: f64, scale: f64) {
    assert!(
        (found - want).abs() <= 1e-5 * scale.max(1.0),
        "{found} {want}"
    );
}

const LENGTHS: [usize; 6] = [0, 1, 2, 251, 1023, 65_537];

#[test]
fn a_dot_product() {
    let program = dot_product::program();
    assert_eq!(program.schedule().operators(), 1);
    for n in LENGTHS {
        let (x, y) = (
            inputs::floats(1, n, -1.0, 1.0),
            inputs::floats(2, n, -1.0, 1.0),
        );
        for d in devices() {
            let given = (d.array([n], &x).unwrap(), d.array([n], &y).unwrap());
            let found = program
                .run(&d, (&given.0, &given.1))
                .unwrap()
                .value()
                .unwrap();
            near(
                found.into(),
                reference::dot_product(&x, &y),
                (n as f64).sqrt(),
            );
        }
    }
}

#[test]
fn prices_of_options() {
    let program = prices::program();
    assert_eq!(
        (
            program.schedule().operators(),
            program.schedule().launches()
        ),
        (1, 1)
    );
    for n in [0, 1, 1023] {
        let options = inputs::options(n);
        for d in devices() {
            let found = program.run(&d, &d.array([n], &options).unwrap()).unwrap();
            for (found, option) in found.to_vec().unwrap().into_iter().zip(&options) {
                let (call, put) = reference::price(*option);
                near(found.0.into(), call, 3.0);
                near(found.1.into(), put, 3.0);
            }
        }
    }
}

#[test]
fn steps_of_points() {
    let program = escapes::program();
    assert_eq!(
        (
            program.schedule().operators(),
            program.schedule().launches()
        ),
        (1, 1)
    );
    let part = (-2.2f32, -1.2f32, 0.07f32);
    for (h, w) in [(0, 5), (5, 0), (1, 1), (33, 47)] {
        for d in devices() {
            let given = (h as u32, w as u32, part.0, part.1, part.2, 100);
            let found = program.run(&d, given).unwrap();
            assert_eq!(found.extents(), [h, w]);
            assert_eq!(
                found.to_vec().unwrap(),
                reference::escapes((h, w), part, 100)
            );
        }
    }
}

#[test]
fn pulls_of_bodies() {
    let program = accelerations::program();
    assert_eq!(program.schedule().operators(), 1);
    assert_eq!(program.schedule().temporary_bytes(&[Some(5000)]), Some(0));
    for n in [0, 1, 2, 131] {
        let bodies = inputs::bodies(n);
        for d in devices() {
            let found = program.run(&d, &d.array([n], &bodies).unwrap()).unwrap();
            let want = reference::accelerations(&bodies);
            for ((x, y, z), want) in found.to_vec().unwrap().into_iter().zip(want) {
                let length = want.iter().map(|x| x * x).sum::<f64>().sqrt();
                near(x.into(), want[0], length);
                near(y.into(), want[1], length);
                near(z.into(), want[2], length);
            }
        }
    }
}

/// Rows that are longer than 8,192 take two launches.
#[test]
fn matrices_and_vectors() {
    let program = matrix_vector::program();
    assert_eq!(
        (
            program.schedule().operators(),
            program.schedule().launches()
        ),
        (1, 2)
    );
    for (h, w) in [(0, 3), (1, 1), (3, 33), (17, 1000)] {
        let (m, v) = (
            inputs::floats(3, h * w, -1.0, 1.0),
            inputs::floats(4, w, -1.0, 1.0),
        );
        for d in devices() {
            let given = (d.array([h, w], &m).unwrap(), d.array([w], &v).unwrap());
            let found = program
                .run(&d, (&given.0, &given.1))
                .unwrap()
                .to_vec()
                .unwrap();
            for (found, want) in found.into_iter().zip(reference::matrix_vector(&m, &v)) {
                near(found.into(), want, (w as f64).sqrt());
            }
        }
    }
    let d = Device::cpu();
    let (m, v) = (
        d.array([2, 7], &[1.0f32; 14]).unwrap(),
        d.array([2], &[1.0f32; 2]).unwrap(),
    );
    let error = program.run(&d, (&m, &v)).unwrap_err().to_string();
    assert!(error.contains("the extents 7 and 2"), "{error}");
}

#[test]
fn the_largest_and_the_sum() {
    let program = max_and_sum::program();
    assert_eq!(program.schedule().operators(), 1);
    for n in LENGTHS.into_iter().skip(1) {
        let x = inputs::floats(5, n, -1.0, 1.0);
        for d in devices() {
            let (max, sum) = program.run(&d, &d.array([n], &x).unwrap()).unwrap();
            let want = reference::max_and_sum(&x);
            assert_eq!(max.value().unwrap(), want.0);
            near(sum.value().unwrap().into(), want.1, (n as f64).sqrt());
        }
    }
}
