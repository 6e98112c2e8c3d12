//! Edges of pictures beside plain Rust, and what is left of the program.

#![allow(clippy::unwrap_used)]

use accelerate::picture::{Picture, write_grey};
use accelerate::*;
use obsidian_rt::Device;

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::simulator()]
}

const SIZES: [(usize, usize); 6] = [(0, 3), (1, 1), (1, 17), (5, 2), (31, 47), (97, 64)];

#[test]
fn edges_of_pictures() {
    for (height, width) in SIZES {
        let picture = Picture::made(height, width);
        for d in devices() {
            let given = d.array([height, width], &picture.pixels).unwrap();
            let found = blurred::run(&d, &given).unwrap();
            assert_eq!(found.to_vec().unwrap(), reference::blurred(&picture));
            for (low, high) in [(3, 10), (10, 10), (0, 1), (1, 60)] {
                let found = edges::run(&d, &given, low, high).unwrap();
                assert_eq!(found.extents(), [height, width]);
                let want = reference::edges(&picture, low, high);
                assert_eq!(
                    found.to_vec().unwrap(),
                    want,
                    "{height} {width} {low} {high}"
                );
            }
        }
    }
}

/// What may be an edge and touches one at its end alone is found, after as many iterations as it is long: a step from 40 shades to 10.
#[test]
fn a_long_edge_is_followed() {
    let (height, width) = (9, 61);
    let shade = |i: usize| match i / width {
        5.. => 40 - (i % width / 2) as u8,
        _ => 0,
    };
    let pixels = (0..height * width).map(|i| (shade(i), shade(i), shade(i)));
    let picture = Picture {
        height,
        width,
        pixels: pixels.collect(),
    };
    let count = |found: &[u8]| found.iter().filter(|shade| **shade == 255).count();
    for d in devices() {
        let given = d.array([height, width], &picture.pixels).unwrap();
        let found = edges::run(&d, &given, 2, 11).unwrap().to_vec().unwrap();
        assert_eq!(found, reference::edges(&picture, 2, 11));
        let strong = edges::run(&d, &given, 11, 11).unwrap().to_vec().unwrap();
        assert!(count(&found) > count(&strong) + 40, "{found:?}");
    }
}

/// Accelerate has three operators for `map . stencil . stencil . map`.
#[test]
fn operators_of_edges() {
    let schedule = blurred::schedule();
    assert!(schedule.operators() <= 3, "{schedule}");
    let schedule = edges::schedule();
    let text = schedule.to_string();
    let (front, round) = text.split_once("while").unwrap();
    let (round, behind) = round
        .split_once("  keep slot 3, slot 4 as slot 15")
        .unwrap();
    // The same three, gradients, what stays of them, and the first state of the loop.
    assert_eq!(front.matches("launch ").count(), 6, "{text}");
    // A step of the hysteresis, and whether it has changed anything: two operators, of which the second has a kernel for short rows.
    assert_eq!(round.matches("launch ").count(), 3, "{text}");
    assert_eq!(behind.matches("launch ").count(), 1, "{text}");
    assert_eq!(schedule.operators(), 9, "{text}");
    // What is kept besides arguments and result: 21 bytes a pixel, and a few for conditions.
    assert_eq!(
        schedule.temporary_bytes(&[Some(100), Some(100)]),
        Some(210_007)
    );
}

#[test]
fn pictures_as_files() {
    let folder = std::env::temp_dir().join(format!("accelerate-{}", std::process::id()));
    let path = folder.join("inner").join("shades.png");
    let shades: Vec<u8> = (0..35).map(|i| i * 7).collect();
    write_grey(&path, [5, 7], &shades).unwrap();
    let picture = Picture::read(&path).unwrap();
    let pixels = shades.iter().map(|shade| (*shade, *shade, *shade));
    assert_eq!(
        (picture.height, picture.width, picture.pixels),
        (5, 7, pixels.collect())
    );
    let error = write_grey(&path, [0, 7], &[]).unwrap_err().to_string();
    assert!(error.contains("shades.png cannot be written"), "{error}");
    std::fs::write(&path, b"no picture").unwrap();
    let error = Picture::read(&path).unwrap_err().to_string();
    assert!(error.contains("shades.png cannot be read"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}
