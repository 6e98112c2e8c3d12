//! A crate of your own.
//!
//! Everything on the other pages works with one dependency and `#[kernels]`. With a build script
//! beside it, the CUDA text lies as files under the build's output folder, with a manifest each,
//! and is compiled to PTX where there is a compiler. Three files make such a crate.
//!
//! `Cargo.toml`:
//!
//! ```toml
//! [package]
//! name = "saxpy"
//! version = "0.1.0"
//! edition = "2024"
//!
//! [dependencies]
//! obsidian-rt = { path = "../obsidian/obsidian-rt" }
//!
//! [build-dependencies]
//! obsidian-build = { path = "../obsidian/obsidian-core/build" }
//! ```
//!
//! `build.rs`:
//!
//! ```rust,ignore
//! fn main() -> Result<(), obsidian_build::Error> {
//!     obsidian_build::Kernels::new().source("src/main.rs").arch("sm_90").compile()
//! }
//! ```
//!
//! `src/main.rs`:
//!
//! ```rust,ignore
//! use obsidian_rt::prelude::*;
//!
//! #[kernels(built)]
//! pub mod kernels {
//!     /// `a * x + y`, for arrays of any length.
//!     #[kernel(threads = 256)]
//!     pub fn saxpy(a: EF32, x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
//!         let both = zip(x, y);
//!         let pieces = both.chunks(1024, (0.0, 0.0));
//!         pieces.as_grid_map(|piece| piece.map(|(x, y)| a * x + y).push::<Block>()).take(both.len())
//!     }
//! }
//!
//! fn main() -> obsidian_rt::Result<()> {
//!     let device = Device::best()?;
//!     let x = device.upload(&[1f32, 2.0, 3.0])?;
//!     let y = device.upload(&[10f32, 20.0, 30.0])?;
//!     println!("{:?}", kernels::saxpy::launch(&device, 2.0, &x, &y)?.to_vec()?);
//!     if let Some(file) = kernels::saxpy::kernel().cuda_file() {
//!         println!("{}", file.display());
//!     }
//!     Ok(())
//! }
//! ```
//!
//! `cargo run` prints `[12.0, 24.0, 36.0]` and the path of the generated text. No CUDA is needed
//! for that: without a compiler the build succeeds with the text alone, and warns of it. The compiler is nvcc, if `OBSIDIAN_NVCC` names it; else NVRTC, a library that
//! takes a tenth of the time and needs no C++ compiler, by `OBSIDIAN_NVRTC`, in the toolkit of `CUDA_PATH` or `CUDA_HOME`, where the loader looks, or in `/usr/local/cuda`; else nvcc by `NVCC`, in the
//! toolkit of `CUDA_PATH` or `CUDA_HOME`, or in `PATH`. A variable `OBSIDIAN_NVRTC` or `OBSIDIAN_NVCC` without a value means that this compiler is not taken. What it is stands in the manifest; `.compiler(Compiler::Nvcc)` or `.compiler(Compiler::Nvrtc)` in the build script takes no other one. A kernel that has not
//! changed is not compiled again.
//!
//! `.arch("sm_80").arch("sm_90")` compiles for both, and a program takes the newest that its GPU can run. `.cubin()` compiles machine code in place
//! of PTX, so that the driver has nothing to compile when the program starts; it runs on GPUs of the same major version alone. `.line_info()` has profilers show the lines of the CUDA
//! text. `OBSIDIAN_ARCH=sm_90`, or `=sm_80,sm_90`, compiles the kernels of all crates of a build for that.
//!
//! The same program runs on a GPU, if there are one and its driver. Nothing is to be added for that.
//!
//! # Looking inside
//!
//! `OBSIDIAN_DUMP=folder cargo build` writes every stage of every kernel there, as text: after
//! stripping, sharing, lowering, virtualisation, and with barriers. With `features = ["run-time"]` for `obsidian-rt`,
//! `OBSIDIAN_DEVICE=simulator cargo run` runs the plan thread by thread, and reports races, uninitialised reads, and indices outside of an array. With
//! `OBSIDIAN_LINEINFO=1` beside it, a program compiles its kernels so that their code names the lines of the Rust source, for profilers
//! and debuggers.
//!
//! A first build costs about a minute of CPU time, and an edit less than a second: [`guide::platforms`](crate::guide::platforms) has the figures, and two lines
//! of `Cargo.toml` that help where there are many kernels.
//!
//! # Trying shapes
//!
//! With the feature `run-time`, a kernel is built again for other numbers of threads with
//! [`with_threads`](crate::Kernel::with_threads), and from any values that the program has with
//! [`TypedKernel`](crate::TypedKernel).
