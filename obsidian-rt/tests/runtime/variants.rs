//! Variants: every combination of values is a kernel of its own, which is right on every device.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use obsidian_executor::Executor;
use obsidian_rt::prelude::*;
use obsidian_rt::{Tuned, Value};

/// Kernels of several variants, and of one.
#[kernels]
pub mod kernels {
    /// Pieces of `16 * seq` elements, or four times as many, moved by `shift`.
    #[kernel(threads = [1, 33], seq = [1, 3], shift = [-3, 7i32], wide = [false, true])]
    pub fn shifted(seq: usize, shift: i32, wide: bool, input: DPull<EI32>) -> DPush<Grid, EI32> {
        let unit: u32 = if wide { 64 } else { 16 };
        let size = unit * seq as u32;
        input
            .chunks(size, lit(0i32))
            .as_grid_map(|piece| piece.map(|x| x * 2 + shift).push::<Block>())
            .take(input.len())
    }

    /// Sums of runs of `r#type` elements; the name is a word of Rust.
    #[kernel(threads = 64, r#type = [1, 2, 32, 128])]
    pub fn sums(r#type: u8, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input
            .split_up(r#type as u32)
            .as_grid_map(|run| exec_block(sum(run)))
    }

    fn sum(run: Pull<EI32>) -> Program<Block, Push<Block, EI32>> {
        let mut run = run;
        while run.len() > 1 {
            let (a, b) = run.halve();
            run = compute(zip_with(|x, y| x + y, a, b))?;
        }
        pure(run.push())
    }

    /// One variant, which is called as the function is.
    #[kernel(threads = 32, size = 32)]
    pub fn single(size: u32, input: DPull<EI32>) -> DPush<Grid, EI32> {
        input
            .split_up(size)
            .as_grid_map(|piece| piece.reverse().push::<Block>())
    }
}

/// A free function has variants too.
#[kernel(by = [2, 3])]
pub fn scaled(by: i32, input: DPull<EI32>) -> DPush<Grid, EI32> {
    input
        .chunks(32, lit(0i32))
        .as_grid_map(|piece| piece.map(|x| x * by).push::<Block>())
        .take(input.len())
}

/// The first `n` of elements that differ from their neighbours.
fn samples(n: usize) -> Vec<i32> {
    (0..n)
        .map(|i| (i * 2_654_435_761 % 1009) as i32 - 500)
        .collect()
}

/// CPU, simulator, and the executor of texts if there is a compiler.
fn devices(variants: &'static [Variant]) -> Vec<Device> {
    let mut devices = vec![
        Device::cpu(),
        Device::cpu().with_blocks(1),
        Device::simulator(),
    ];
    if let Some(executor) = Executor::find() {
        executor
            .prepare(
                &variants
                    .iter()
                    .map(Variant::kernel)
                    .collect::<Vec<Kernel>>(),
            )
            .unwrap();
        devices.push(executor.device());
    } else {
        println!("skipped: the texts are not executed, as there is no g++");
    }
    devices
}

fn number(variant: &Variant, name: &str) -> i32 {
    variant.value(name).and_then(Value::integer).unwrap() as i32
}

#[test]
fn every_variant_is_right_on_every_device() {
    let variants = kernels::shifted::variants();
    for device in devices(variants) {
        for length in [0, 1, 47, 48, 191, 192, 193, 997] {
            let elements = samples(length);
            let input = device.upload(&elements).unwrap();
            for variant in variants {
                let expected: Vec<i32> = elements
                    .iter()
                    .map(|x| x * 2 + number(variant, "shift"))
                    .collect();
                let output = kernels::shifted::launch_variant(variant, &device, &input).unwrap();
                assert_eq!(
                    output.to_vec().unwrap(),
                    expected,
                    "{variant} on {}, {length} elements",
                    device.name()
                );
            }
        }
    }
}

#[test]
fn variants_with_outputs_of_other_lengths_are_right_too() {
    let variants = kernels::sums::variants();
    for device in devices(variants) {
        for length in [0, 128, 384] {
            let elements = samples(length);
            let input = device.upload(&elements).unwrap();
            for variant in variants {
                let expected: Vec<i32> = elements
                    .chunks(number(variant, "type") as usize)
                    .map(|run| run.iter().sum())
                    .collect();
                let output = kernels::sums::launch_variant(variant, &device, &input).unwrap();
                assert_eq!(
                    output.to_vec().unwrap(),
                    expected,
                    "{variant} on {}, {length} elements",
                    device.name()
                );
            }
        }
    }
}

#[test]
fn native_and_expansion_give_the_same_texts_for_each() {
    for variant in [
        kernels::shifted::variants(),
        kernels::sums::variants(),
        kernels::single::variants(),
        scaled::variants(),
    ]
    .into_iter()
    .flatten()
    {
        let (kernel, native) = (variant.kernel(), variant.kernel().native().unwrap());
        assert_eq!(native.cuda(), kernel.cuda(), "{variant}");
        assert_eq!(native.manifest(), kernel.manifest(), "{variant}");
        assert_eq!(
            (variant.cuda(), variant.name()),
            (kernel.cuda(), kernel.name())
        );
        assert!(
            variant.cuda().contains(&format!(" {}(", variant.name())),
            "{}",
            variant.cuda()
        );
    }
}

#[test]
fn each_has_a_name_of_its_own_and_the_last_value_changes_first() {
    let names: Vec<&str> = kernels::shifted::variants()
        .iter()
        .map(Variant::name)
        .collect();
    assert_eq!(names.len(), 16);
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 16);
    assert_eq!(names[0], "shifted_threads1_seq1_shift_minus3_wide_false");
    assert_eq!(names[1], "shifted_threads1_seq1_shift_minus3_wide_true");
    assert_eq!(names[15], "shifted_threads33_seq3_shift7_wide_true");
    assert_eq!(
        kernels::shifted::variants()[15].to_string(),
        "threads = 33, seq = 3, shift = 7, wide = true"
    );
    assert_eq!(
        kernels::sums::variants()[3].name(),
        "sums_threads64_type128"
    );
    assert_eq!(
        scaled::variants()
            .iter()
            .map(Variant::name)
            .collect::<Vec<_>>(),
        ["scaled_threads256_by2", "scaled_threads256_by3"]
    );
}

#[test]
fn the_first_is_the_default() {
    let first = &kernels::shifted::variants()[0];
    assert_eq!(kernels::shifted::CUDA, first.cuda());
    assert_eq!(kernels::shifted::kernel().name(), first.name());
    let device = Device::simulator();
    let input = device.upload(&[1, 2, 3]).unwrap();
    assert_eq!(
        kernels::shifted::launch(&device, &input)
            .unwrap()
            .to_vec()
            .unwrap(),
        [-1, 1, 3]
    );
}

#[test]
fn one_combination_is_called_as_the_function_is() {
    let [single] = kernels::single::variants() else {
        panic!("{:?}", kernels::single::variants())
    };
    assert_eq!(
        (single.name(), single.function(), single.threads()),
        ("single", "single", 32)
    );
    assert_eq!(
        single.values(),
        [
            ("threads", Value::Integer(32)),
            ("size", Value::Integer(32))
        ]
    );
    assert_eq!(
        (single.value("size"), single.value("sizes")),
        (Some(Value::Integer(32)), None)
    );
}

#[test]
fn another_number_of_threads_makes_one_variant_of_the_other() {
    let variants = kernels::shifted::variants();
    for (one, other) in variants[..8].iter().zip(&variants[8..]) {
        let rebuilt = one.kernel().with_threads(33).unwrap();
        assert_eq!(
            (rebuilt.name(), rebuilt.cuda()),
            (other.name(), other.cuda())
        );
    }
}

/// A tuned file for `shifted` with these lines.
fn tuner(lines: &str) -> Result<Tuner, Error> {
    let hash = kernels::shifted::variants()[0].source_hash();
    Tuner::parse(
        &format!("obsidian-tuned 1\nkernel shifted {hash}\n{lines}\nend"),
        kernels::shifted::variants(),
    )
}

#[test]
fn a_tuner_picks_by_device_and_size() {
    let values = |n: usize| kernels::shifted::variants()[n].to_string();
    let lines = format!(
        "any from 0: {}\n\"cpu\" from 10: {}\n\"cpu\" from 100: {}",
        values(3),
        values(5),
        values(12)
    );
    let tuner = tuner(&lines).unwrap();
    assert!(!tuner.is_stale());
    let picked = |device: &Device| {
        [0, 9, 10, 99, 100, usize::MAX].map(|n| tuner.pick(device, n).to_string())
    };
    assert_eq!(picked(&Device::cpu()), [0, 0, 5, 5, 12, 12].map(values));
    assert_eq!(picked(&Device::simulator()), [3; 6].map(values));
    for device in devices(kernels::shifted::variants()) {
        let elements = samples(150);
        let variant = tuner.pick(&device, elements.len());
        let output =
            kernels::shifted::launch_variant(variant, &device, &device.upload(&elements).unwrap())
                .unwrap();
        let expected: Vec<i32> = elements
            .iter()
            .map(|x| x * 2 + number(variant, "shift"))
            .collect();
        assert_eq!(output.to_vec().unwrap(), expected);
    }
}

#[test]
fn what_a_variant_writes_a_tuner_reads() {
    let variants = kernels::shifted::variants();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("shifted.tuned");
    let mut tuned = Tuned::new();
    for (n, variant) in variants.iter().enumerate() {
        variant
            .choose_in(&mut tuned, Some("simulator"), n as u64 * 100)
            .unwrap();
    }
    tuned.write(&path).unwrap();
    let tuner = Tuner::read(&path, variants).unwrap();
    for (n, variant) in variants.iter().enumerate() {
        assert_eq!(
            tuner.pick(&Device::simulator(), n * 100 + 99).name(),
            variant.name()
        );
        assert_eq!(
            tuner.pick(&Device::cpu(), n * 100).name(),
            variants[0].name()
        );
    }
    let old = Tuned::read(&path)
        .unwrap()
        .to_string()
        .replace(variants[0].source_hash(), "0123456789abcdef");
    assert!(Tuner::parse(&old, variants).unwrap().is_stale());
}

#[test]
fn a_tuned_file_that_does_not_fit_is_an_error_with_its_line() {
    let cases = [
        (
            "any from 0: threads = 2, seq = 1, shift = 7, wide = true",
            "line 3: the kernel declares no variant `threads = 2",
        ),
        (
            "any from 0: threads = 1, seq = 1",
            "line 3: the kernel declares no variant",
        ),
        (
            "any from 0: threads = 1, seq = one",
            "line 3: `seq = one` is no value",
        ),
        ("end\nend", "line 4: nothing comes after"),
    ];
    for (lines, words) in cases {
        let error = tuner(lines).unwrap_err();
        assert_eq!(
            (error.kind(), error.kernel()),
            (ErrorKind::Tuned, Some("shifted"))
        );
        assert!(error.to_string().contains(words), "{error}");
    }
    let other = Tuner::parse(
        "obsidian-tuned 1\nkernel maps 0123456789abcdef\nend",
        kernels::shifted::variants(),
    )
    .unwrap_err();
    assert!(
        other.to_string().contains(
            "it says nothing about the kernel `shifted`; the kernels that it names: `maps`"
        ),
        "{other}"
    );
    let missing = Tuner::read("no/such/file", kernels::shifted::variants()).unwrap_err();
    assert!(
        missing.kind() == ErrorKind::Tuned
            && missing
                .to_string()
                .contains("no/such/file: it cannot be read"),
        "{missing}"
    );
    let none = Tuner::parse("obsidian-tuned 1\nend", &[]).unwrap_err();
    assert_eq!((none.kind(), none.kernel()), (ErrorKind::Tuned, None));
}
