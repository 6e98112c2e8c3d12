//! Counts of launches, and faults of the simulator, as a user meets them.

#![allow(missing_docs, clippy::unwrap_used)]

use obsidian_rt::generated::launch;
use obsidian_rt::language::*;
use obsidian_rt::{Counts, Device, ErrorKind, Result, TypedKernel};

type Map = TypedKernel<(DPull<EU32>,), DPush<Grid, EU32>>;

/// Each piece of 64 is stored, and read the other way round.
fn reversed() -> Map {
    TypedKernel::build("reversed", 64, |input: DPull<EU32>| {
        input.split_up(64).as_grid_map(|piece| {
            exec_block(compute(piece.map(|x| x + 1)).map(|stored| stored.reverse().push()))
        })
    })
    .unwrap()
}

/// Squares of 32 by 32 elements are turned over a tile whose rows are `row` words.
fn transposed(row: u32) -> Map {
    TypedKernel::build("transposed", 256, move |input: DPull<EU32>| {
        input.split_up(1024).as_grid_map(move |piece| {
            // What fills the row does not matter: nobody reads it.
            let tile = generate(32 * row, move |i| piece.at((i / row) * 32 + (i % row) % 32));
            exec_block(
                compute(tile).map(move |tile| {
                    generate(1024, move |i| tile.at((i % 32) * row + i / 32)).push()
                }),
            )
        })
    })
    .unwrap()
}

fn counts(kernel: &Map, elements: usize) -> Counts {
    let device = Device::simulator();
    let input = device.upload(&vec![1u32; elements]).unwrap();
    device
        .counted(|device| kernel.launch(device, &input))
        .unwrap()
        .1
}

#[test]
fn a_padded_tile_has_no_bank_conflicts() {
    let (plain, padded) = (counts(&transposed(32), 2048), counts(&transposed(33), 2048));
    assert_eq!(
        plain.shared.bank_conflicts,
        2 * 32 * 31,
        "each request for a column waits for 31 others"
    );
    assert_eq!(padded.shared.bank_conflicts, 0);
}

#[test]
fn launches_in_one_function_add_up() {
    let (device, kernel) = (Device::simulator(), reversed());
    let input = device.upload(&[5u32; 640]).unwrap();
    let launches = |device: &Device| -> Result<()> {
        let once = kernel.launch(device, &input)?;
        kernel.launch(device, &once).map(|_| ())
    };
    let (((), inner), outer) = device.counted(|device| device.counted(launches)).unwrap();
    assert_eq!(
        (outer.launches, outer.blocks, outer.block_waits),
        (2, 20, inner.block_waits)
    );
    assert_eq!(outer, inner, "those outside see what those inside see");
    assert_eq!(outer.of_array("input").elements, 2 * 640);
}

#[test]
fn what_fails_is_an_error_and_the_cpu_does_not_count() {
    let error = Device::cpu().counted(|_| Ok(())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CannotRun);
    assert!(
        error.to_string().contains("`Device::simulator()` does"),
        "{error}"
    );
    let (device, kernel) = (Device::simulator(), reversed());
    let input = device.upload(&[5u32; 65]).unwrap();
    assert_eq!(
        device
            .counted(|device| kernel.launch(device, &input))
            .unwrap_err()
            .kind(),
        ErrorKind::Requirement
    );
}

#[test]
fn a_race_names_threads_elements_and_places() {
    let (device, kernel) = (Device::simulator(), reversed());
    let (racy, _) = kernel.kernel().without_wait(0).unwrap().unwrap();
    let input = device.upload(&[5u32; 64]).unwrap();
    let fault = launch(&racy, &device, &mut [input.argument()]).unwrap_err();
    assert_eq!(fault.kind(), ErrorKind::Fault);
    let said = fault.to_string();
    let (first, second) = (
        "thread 63 writes `stored`[63]",
        "thread 0 reads `stored`[63]",
    );
    for words in [
        &format!("a race: {first} and {second}, and no wait orders them, in block 0 (at "),
        "tests/runtime/counted.rs:15:",
    ] {
        assert!(said.contains(words), "{said}");
    }
}
