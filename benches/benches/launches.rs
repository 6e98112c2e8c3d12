//! What a launch costs: alone, and on several threads at once.
//! `cargo bench -p obsidian-benches --bench launches`

use divan::Bencher;
use obsidian_benches::kernels::pairs;
use obsidian_rt::Device;

fn main() {
    divan::main();
}

#[divan::bench(args = [32, 64, 2048, 16_384, 131_072], threads = [1, 2, 4])]
fn launch(bencher: Bencher<'_, '_>, elements: usize) {
    let device = Device::cpu();
    let input = device.upload(&vec![1u32; elements]);
    bencher.bench(|| {
        input
            .as_ref()
            .map(|input| pairs::doubled::launch(&device, input))
    });
}
