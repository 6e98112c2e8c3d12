//! Writes the CUDA text of the kernel whose variants a tuned file chooses among, and compiles it
//! where there is an nvcc.

fn main() -> Result<(), obsidian_build::Error> {
    obsidian_build::Kernels::new()
        .source("src/bin/program/tuned.rs")
        .compile()
}
