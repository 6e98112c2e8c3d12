//! Where it runs, what a build costs, and what is tested where.
//!
//! # Devices
//!
//! | device | what it runs | how it is tested |
//! |---|---|---|
//! | [`Device::cuda`](crate::Device::cuda) | the CUDA text, as PTX from your build script, or compiled by NVRTC or nvcc at the first launch | the kernels of the examples, array programs and algorithms have run on an H100 and an H200; nvcc 13.0 compiles the kernels of the tests for `sm_75`, `sm_80`, `sm_90` and `sm_100` with warnings as errors; driver calls run against a test driver that fails on command |
//! | [`Device::cpu`](crate::Device::cpu) | safe Rust that the macro printed, on all cores; kernels that are built at run time by columns, some hundred threads at once | every kernel both ways against plain Rust, bit for bit; random programs |
//! | [`Device::simulator`](crate::Device::simulator) | the plan of the GPU, thread by thread; it reports races, uninitialised reads and barriers that some threads never reach, and counts sectors, bank conflicts and instructions | as the CPU; tests remove barriers, and it reports the races |
//! | the executor, in the project's tests | the CUDA text, compiled as C++, with threads as fibres in three orders | the same bits as the CPU and the simulator |
//!
//! # Bits
//!
//! Integers, and `+`, `-`, `*` and `/` of floats, give the same bits on every device: integers wrap, shifts mask, `x / 0` is 0, `x % 0` is `x`, casts
//! saturate, and multiply and add are contracted only in kernels with `contract`. NaNs count as equal. `exp`, `ln`, `sin`, `cos` and the
//! other functions of a library give the same bits on the CPU and the simulator, on every machine. On a GPU they are CUDA's, within the units in
//! the last place that NVIDIA states; in the executor they are those of the C library, within units that the tests state.
//!
//! # Systems
//!
//! | | CPU and simulator | GPU | tested |
//! |---|---|---|---|
//! | Linux x86-64 | yes | yes | all tests; GPUs as above |
//! | macOS | plain Rust, as on Linux | none: there is no driver | CI has a job, whose result is not known yet |
//! | Windows | plain Rust, as on Linux | kernels with PTX of a build script; nothing is compiled while a program runs | CI has a job, whose result is not known yet; never tried with a GPU |
//!
//! Kernels that a program builds while it runs, such as [`TypedKernel`](crate::TypedKernel)s, array programs of closures and algorithms with closures,
//! need NVRTC or nvcc on the machine with the GPU. Without one, [`Device::best`](crate::Device::best) takes the CPU for them, and
//! [`Device::cuda`](crate::Device::cuda) reports an [`ErrorKind::NoCompiler`](crate::ErrorKind::NoCompiler).
//!
//! # What a build costs
//!
//! CPU time, of user and system, on 2026-11-30 with rustc 1.95.0 on Linux, from empty target folders; crates were downloaded before. The compiler of kernels is not in a program without the
//! feature `run-time`.
//!
//! | what | CPU time | `target` |
//! |---|---|---|
//! | a clone, `cargo run --release -p quickstart` | 100 s | 392 MB |
//! | `cargo new` and this library, `cargo run` | 75 s | 1,143 MB |
//! | the first `cargo check` after it; with a build script | 10 s; 16 s | |
//! | after an edit of a kernel: `cargo run`, `cargo check` | 0.5 s, 0.1 s | |
//! | `cargo new` and this library, in release; after an edit | 88 s, 0.8 s | |
//! | 20 kernels with a build script: the first `cargo build`, `cargo run` after an edit, `cargo check` | 75 s, 1.1 s, 0.6 s | |
//! | a library with the array programs of `examples/accelerate`, in release, after an edit of a comment | 15 s | |
//! | features `algorithms`, `compile` and `explore`, in release | 337 s | |
//!
//! No rustc needs more than 0.8 GB of memory for a first build. A build script compiles the CUDA texts of 20 kernels in 0.7 s of CPU time by NVRTC, and in 6.3 s by nvcc; after
//! an edit of a comment it compiles none.
//!
//! Half of the first build is the compiler of kernels, for the macro. The macro runs while you compile, and Cargo
//! does not optimise it by itself. From some ten kernels on, and with array programs, these lines of `Cargo.toml` pay. Measured on 2026-11-30, on two cores:
//!
//! | CPU time of a check | Cargo's own | with these lines |
//! |---|---|---|
//! | the first check of a crate with this library, all crates | 62 s | 222 s |
//! | after an edit: the array programs of `examples/accelerate` (68 kernels) | 1.9 s | 0.8 s |
//! | after an edit: conjugate gradients in 28 lines (11 kernels) | 0.8 s | 0.3 s |
//!
//! ```toml
//! [profile.dev.build-override]
//! opt-level = 1
//! ```
