//! Plans of memory, by hand; those at random are in a file of their own.

use super::*;
use crate::ir::read;
use crate::plan::{liveness, virtualise};

const LIMITS: Limits = Limits {
    shared_bytes: 48 * 1024,
    threads: 128,
    min_blocks: None,
    resident: false,
    faults: false,
    apart: false,
};

fn map(body: &str, limits: Limits) -> (Kernel<Physical>, Result<SharedMap, OutOfShared>) {
    let kernel = read(&format!(
        "kernel k {{ parameter 0 out: u32[8_u32] output distribute Block b < 4_u32 {{ {body} }} }}"
    ))
    .unwrap();
    let lives = liveness(&kernel);
    let kernel = virtualise(kernel, limits.threads);
    let map = shared_layout(&kernel, &lives, limits);
    (kernel, map)
}

/// Name, offset and stride of each array, and the bytes in all.
fn slots(body: &str) -> (Vec<(String, u32, u32)>, u32) {
    let (kernel, map) = map(body, LIMITS);
    let map = map.unwrap();
    let name = |id: &ArrayId| kernel.tables.arrays[id.0 as usize].name.clone();
    (
        map.slots
            .iter()
            .map(|(id, slot)| (name(id), slot.offset, slot.stride))
            .collect(),
        map.bytes,
    )
}

fn array(name: &str, length: u32) -> String {
    format!(
        "allocate {name}: u32[{length}_u32] shared forall Block w{name} < {length}_u32 {{ store {name}[w{name}] = 1_u32 }} wait Block "
    )
}

fn use_of(name: &str, n: u32) -> String {
    format!("forall Block r{n} < 8_u32 {{ store out[r{n}] = {name}[r{n}] }} ")
}

fn at(name: &str, offset: u32) -> (String, u32, u32) {
    (name.to_owned(), offset, 0)
}

#[test]
fn arrays_that_are_needed_at_once_do_not_overlap() {
    let body = format!(
        "{}{}{}{}",
        array("x", 8),
        array("y", 64),
        use_of("x", 0),
        use_of("y", 1)
    );
    assert_eq!(
        slots(&body),
        (vec![at("x", 256), at("y", 0)], 288),
        "the small one does not push the large one away"
    );
}

#[test]
fn memory_of_an_array_that_is_done_is_used_again() {
    let body = format!(
        "{}{}{}{}",
        array("x", 64),
        use_of("x", 0),
        array("y", 64),
        use_of("y", 1)
    );
    assert_eq!(slots(&body), (vec![at("x", 0), at("y", 0)], 256));
}

#[test]
fn a_small_array_starts_at_a_multiple_of_16() {
    let body = format!(
        "{}{}{}{}",
        array("x", 1),
        array("y", 2),
        use_of("x", 0),
        use_of("y", 1)
    );
    assert_eq!(slots(&body), (vec![at("x", 0), at("y", 16)], 24));
}

#[test]
fn warps_have_a_frame_each() {
    let body = "distribute Warp w < 8_u32 { allocate s: u32[32_u32] shared allocate t: u32[1_u32] shared forall Warp i < 32_u32 { store s[i] = 1_u32 store t[0_u32] = 1_u32 } }";
    // 132 bytes a frame, rounded up to 256; 8 virtual warps on 4 real ones.
    assert_eq!(
        slots(body),
        (
            vec![("s".to_owned(), 0, 256), ("t".to_owned(), 128, 256)],
            1024
        )
    );
    let two = body.replace("8_u32", "2_u32");
    assert_eq!(slots(&two).1, 512, "2 virtual warps need 2 copies");
}

#[test]
fn frames_do_not_overlap_what_is_needed_during_the_loop() {
    let body = format!(
        "{} distribute Warp w < 4_u32 {{ allocate s: u32[32_u32] shared forall Warp i < 32_u32 {{ store s[i] = x[i] }} }} {}",
        array("x", 64),
        array("y", 16)
    );
    assert_eq!(
        slots(&body),
        (
            vec![at("x", 0), ("s".to_owned(), 256, 128), at("y", 0)],
            768
        )
    );
}

#[test]
fn too_much_names_the_largest_arrays() {
    let body = format!(
        "{}{}{}{}",
        array("small", 8),
        array("large", 64),
        use_of("small", 0),
        use_of("large", 1)
    );
    let (_, result) = map(
        &body,
        Limits {
            shared_bytes: 256,
            ..Limits::from(32)
        },
    );
    let error = result.unwrap_err();
    assert_eq!((error.needed, error.limit), (288, 256));
    assert_eq!(
        error.largest,
        [("large".to_owned(), 256), ("small".to_owned(), 32)]
    );
    let message = Diagnostic::from(error).to_string();
    assert!(
        message.starts_with(
            "this kernel needs 288 bytes of shared memory, and a block has 256 [out-of-shared]\n"
        ),
        "{message}"
    );
}

mod random;
