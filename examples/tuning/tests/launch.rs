//! A tuned file changes the variant that `launch` uses.

#![allow(clippy::unwrap_used)]

use obsidian_rt::prelude::*;
use tuning::sums::run_sums;
use tuning::{elements, reference};

/// The file that the example's kernel names.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tuned.txt");

#[test]
fn the_file_is_for_this_version_of_the_kernel() {
    let tuner = Tuner::read(FILE, run_sums::variants()).unwrap();
    let hash = run_sums::variants()[0].source_hash();
    assert!(
        !tuner.is_stale(),
        "run `OBSIDIAN_DEVICE=simulator cargo run --release -p tuning -- --tune`: the module's hash is {hash}"
    );
}

#[test]
fn every_variant_sums_on_every_device() {
    for device in [
        Device::cpu(),
        Device::cpu().with_blocks(2),
        Device::simulator(),
        Device::simulator().with_threads(33),
    ] {
        for count in [0, 1, 7] {
            let elements = elements(count);
            let sums = reference(&elements);
            let input = device.upload(&elements).unwrap();
            for variant in run_sums::variants() {
                let output = run_sums::launch_variant(variant, &device, &input).unwrap();
                assert_eq!(
                    output.to_vec().unwrap(),
                    sums,
                    "{variant} on {}, {count} runs",
                    device.name()
                );
            }
            assert_eq!(
                run_sums::launch(&device, &input).unwrap().to_vec().unwrap(),
                sums,
                "tuned, on {}, {count} runs",
                device.name()
            );
        }
    }
}

#[test]
fn the_kernel_is_the_one_that_the_file_chooses() {
    let tuner = Tuner::read(FILE, run_sums::variants()).unwrap();
    // The file has no lines for the CPU, which gets those for any device, as the kernel without a
    // launch does.
    let any = tuner.pick(&Device::cpu(), usize::MAX);
    assert_ne!(
        any.name(),
        run_sums::variants()[0].name(),
        "the file has to choose another variant than the default"
    );
    assert_eq!(
        (run_sums::kernel().cuda(), run_sums::kernel().threads()),
        (any.cuda(), any.threads())
    );
    assert_ne!(run_sums::kernel().cuda(), run_sums::CUDA);
}

#[test]
fn a_launch_does_what_the_chosen_variant_does() {
    let tuner = Tuner::read(FILE, run_sums::variants()).unwrap();
    let device = Device::simulator();
    for count in [1, 7, 8, 9] {
        let elements = elements(count);
        let sums = reference(&elements);
        let input = device.upload(&elements).unwrap();
        let chosen = tuner.pick(&device, elements.len());
        let of = |variant: &'static Variant| {
            device
                .counted(|device| run_sums::launch_variant(variant, device, &input))
                .unwrap()
                .1
        };
        let (output, counts) = device
            .counted(|device| run_sums::launch(device, &input))
            .unwrap();
        assert_eq!(output.to_vec().unwrap(), sums);
        assert_eq!(counts.to_string(), of(chosen).to_string(), "{count} runs");
        assert_ne!(
            counts.to_string(),
            of(&run_sums::variants()[0]).to_string(),
            "{count} runs"
        );
    }
}

#[test]
fn the_build_script_has_written_every_variant() {
    for variant in run_sums::variants() {
        let kernel = variant.kernel();
        let file = kernel.cuda_file().expect("the example has a build script");
        assert_eq!(std::fs::read_to_string(file).unwrap(), variant.cuda());
        assert!(
            file.ends_with(format!("obsidian/sums.{}.cu", variant.name())),
            "{}",
            file.display()
        );
    }
}
