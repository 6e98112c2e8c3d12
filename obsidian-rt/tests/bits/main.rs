//! The bits that 30 float programs give: on the CPU they are those of `blessed.txt`, and by columns and on the simulator the same.
//!
//! Each line of the file is a program: its name, how many numbers it gives, a hash of all their bits, and the bits of the first four. A change
//! of the library, of an order of summation or of an elementary function shows here. If it is meant,
//! `OBSIDIAN_BLESS=1 cargo test -p obsidian-rt --features algorithms --test bits` writes the file, and CHANGELOG.md gets a line with its
//! fingerprint, which a test of `tests/tests/messages/readme.rs` compares.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod kernels;
mod programs;
mod whole;

use std::path::Path;

use obsidian_rt::Device;

/// What a program gives, as bits.
pub type Bits = Vec<u64>;

/// The line of a program: FNV-1a of the bits, 64 at a time.
fn line(name: &str, bits: &[u64]) -> String {
    let hash = bits.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, bits| {
        (hash ^ bits).wrapping_mul(0x100_0000_01b3)
    });
    let first: Vec<String> = bits
        .iter()
        .take(4)
        .map(|bits| format!("{bits:x}"))
        .collect();
    format!("{name} {} {hash:016x} {}", bits.len(), first.join(" "))
}

/// The programs on a device, a line each.
fn lines(device: &Device) -> Vec<String> {
    let programs = programs::all();
    assert_eq!(programs.len(), 30);
    let run = |(name, program): &(&str, programs::Program)| {
        let bits = program(device).unwrap_or_else(|error| panic!("{name}: {error}"));
        line(name, &bits)
    };
    programs.iter().map(run).collect()
}

fn blessed() -> Vec<String> {
    include_str!("blessed.txt")
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_cpu_gives_the_blessed_bits() {
    let lines = lines(&Device::cpu());
    if std::env::var_os("OBSIDIAN_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bits/blessed.txt");
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
        return;
    }
    assert_eq!(
        lines,
        blessed(),
        "if that is meant, see the head of {}",
        file!()
    );
}

#[test]
fn columns_give_the_same_bits() {
    assert_eq!(lines(&Device::cpu_by_columns()), lines(&Device::cpu()));
}

#[test]
fn the_simulator_gives_the_same_bits() {
    assert_eq!(lines(&Device::simulator()), lines(&Device::cpu()));
}

/// A hash that ignores what it hashes would hold nothing.
#[test]
fn one_bit_of_one_number_changes_the_line() {
    let bits = [1, 2, 3, 4, 5, 6];
    for k in 0..bits.len() {
        let mut other = bits;
        other[k] ^= 1 << 63;
        assert_ne!(line("x", &bits), line("x", &other));
    }
    assert_ne!(line("x", &bits), line("x", &bits[..5]));
}
