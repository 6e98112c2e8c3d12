//! Reference pages. The [`tutorial`](crate::tutorial) is to be read in order.
//!
//! | page | it answers |
//! |---|---|
//! | [`layers`] | Which layer do I need: a function for each element, whole arrays, an algorithm, or a kernel? |
//! | [`from_cuda`] | I know a word of CUDA, CUB or Thrust: what do I write here? |
//! | [`from_cubecl`] | The same for CubeCL. |
//! | [`accepted`] | Which Rust is accepted inside of `#[kernels]`, `#[arrays]` and `#[device]`? |
//! | [`platforms`] | What runs on which system and device, with which bits, and what does a build cost? |
//! | [`counts`] | What do the numbers of a kernel, of the simulator and of an exploration mean? |
//!
//! The search of this documentation finds items by the words of CUDA too: `__syncthreads`, `atomicAdd`, `BlockReduce`, `cudaMemcpy`.

pub mod accepted;
pub mod counts;
pub mod from_cubecl;
pub mod from_cuda;
pub mod layers;
pub mod platforms;
