//! The kernels of the examples through the compilers of this machine: they need no header, under
//! NVRTC either.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use obsidian_rt::compile::{Compiler, Nvcc, Target};
use obsidian_rt::prelude::*;

#[kernels]
mod large {
    fn backwards(run: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let kept = compute(run.map(|x| x + 1))?;
        pure(kept.reverse().push())
    }

    /// More shared memory than a kernel may declare.
    #[kernel(threads = 256, shared_bytes = 65536)]
    pub fn backwards_16384(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(16384)
            .as_grid_map(|run| exec_block(backwards(run)))
    }
}

/// One of each kind, and some of one name.
fn kernels() -> Vec<Kernel> {
    vec![
        large::backwards_16384::kernel(),
        blackscholes::blackscholes::prices::kernel(),
        histogram::counting::histogram::kernel(),
        histogram::counting::histogram_direct::kernel(),
        histogram::counting::place::kernel(),
        mandelbrot::pictures::picture::kernel(),
        matmul::products::matmul::kernel(),
        quickstart::sums::reductions::kernel(),
        reduction::reductions::map_red1::kernel(),
        reduction::reductions::sums_and_maxima::kernel(),
        reduction::reductions::map_red1::kernel()
            .with_threads(33)
            .unwrap(),
        scan::scans::kogge_stone_100::kernel(),
        scan::scans::totals::kernel(),
        sorting::networks::sort_runs::kernel(),
        statistics::runs::totals::kernel(),
        transpose::transposes::with_pitch::kernel(),
    ]
}

/// All kernels, for two architectures, as PTX and as code.
fn compile(compiler: &Compiler) {
    let kernels = kernels();
    for target in [Target::ptx(7, 5), Target::ptx(9, 0), Target::cubin(9, 0)] {
        let compiled = compiler
            .compile(&kernels.iter().collect::<Vec<_>>(), &target)
            .unwrap();
        assert_eq!(compiled.len(), kernels.len());
        for (kernel, compiled) in kernels.iter().zip(compiled) {
            let compiled = compiled.unwrap();
            assert!(
                compiled.entry().starts_with(kernel.name()),
                "{}",
                compiled.entry()
            );
            let Some(ptx) = compiled.ptx() else { continue };
            assert_eq!(ptx.matches(".entry ").count(), 1, "{ptx}");
            let declared = ptx
                .matches(&format!(".maxntid {}", kernel.threads()))
                .count();
            assert_eq!(declared, 1, "{} threads: {ptx}", kernel.threads());
        }
    }
}

#[test]
#[ignore = "needs NVRTC, by OBSIDIAN_NVRTC: .ci/run runs it"]
fn nvrtc_compiles_the_examples() {
    let nvrtc = Compiler::nvrtc().expect("there is no NVRTC here (OBSIDIAN_NVRTC names one)");
    compile(&nvrtc.keeping_nothing());
}

#[test]
#[ignore = "needs nvcc, by OBSIDIAN_NVCC, and g++: .ci/run runs it"]
fn nvcc_compiles_the_examples() {
    let nvcc = Nvcc::find().unwrap();
    let nvcc = nvcc.expect("there is no nvcc here (OBSIDIAN_NVCC names one)");
    compile(&Compiler::nvcc(nvcc).keeping_nothing());
}
