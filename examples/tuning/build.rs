//! Writes the CUDA text of the kernels, and compiles it where there is an nvcc.

fn main() -> Result<(), obsidian_build::Error> {
    obsidian_build::Kernels::new()
        .source("src/lib.rs")
        .compile()
}
