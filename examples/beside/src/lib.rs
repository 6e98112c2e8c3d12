//! The programs of a GPU user, timed beside the libraries that the user would take instead: 37 cases, from a sum to n bodies.
//!
//! ```sh
//! cargo run --release -p beside > ours.jsonl                # on a machine with a GPU: every case is checked, then timed
//! python3 examples/beside/peers > peers.jsonl               # PyTorch, torch.compile, CuPy, Triton and JAX, where they are installed
//! cargo run --release -p beside -- --table ours.jsonl peers.jsonl
//! ```
//!
//! Both programs print lines of JSON ([`line`](mod@line)). Without a GPU, the first checks every case at a small size on the CPU and measures nothing.
//! [`table`] joins the lines: for each case our fastest program, the fastest peer, and what the memory or the arithmetic of an H100 allows.
//! The table in the project's README is computed from `data`, which has the lines of one H100, and a test compares the two.
//!
//! The lines are from these programs before they were a package, and those of CUB and cuBLAS from a CUDA program on the same card and day. In this form
//! no GPU has run them yet. A test checks ours on the CPU; those of JAX have been checked on a CPU; `peers/cub.cu`, which has the cases of CUB and cuBLAS,
//! and the kernels of CuPy have been compiled by nvcc; those of PyTorch and Triton have only been read.
//!
//! A case is computed by up to four layers: a `kernel`, a program over whole `arrays`, a `device` function, or one call of `algorithms`.
//! [`kernels`] has them. All numbers are `f32` unless the case says otherwise; no peer uses TF32.

pub mod bench;
mod cases;
pub mod kernels;
pub mod line;
pub mod table;

pub use cases::run;
