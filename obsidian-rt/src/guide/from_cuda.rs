//! From CUDA: the words of CUDA, CUB and Thrust, and what one writes here.
//!
//! A CUDA kernel says what thread `threadIdx.x` of block `blockIdx.x` does. A kernel here says what each element of an array is, and
//! at which level of the hierarchy it is computed. The loops over elements, blocks and threads are generated, so any number of
//! threads and blocks gives the same result.
//!
//! # A kernel in both
//!
//! ```c
//! __global__ void sums(const unsigned *x, unsigned *out) {
//!     __shared__ unsigned s[256];
//!     s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
//!     __syncthreads();
//!     out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x] + s[255 - threadIdx.x];
//! }
//! ```
//!
//! ```
//! use obsidian_rt::prelude::*;
//!
//! #[kernels]
//! mod example {
//!     fn of_block(piece: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
//!         let s = compute(piece)?; // __shared__, and the __syncthreads() behind it
//!         pure(zip_with(|a, b| a + b, s, s.reverse()).push())
//!     }
//!
//!     #[kernel(threads = 256)] // blockDim.x
//!     pub fn sums(x: DPull<EU32>) -> DPush<Grid, EU32> {
//!         x.split_up(256).as_grid_map(|piece| exec_block(of_block(piece))) // blockIdx.x
//!     }
//! }
//!
//! let device = Device::cpu(); // or `Device::cuda(0)?`
//! let x = device.upload(&(0..512).collect::<Vec<u32>>())?; // cudaMalloc, cudaMemcpy
//! let sums = example::sums::launch(&device, &x)?; // <<<>>>
//! assert_eq!(sums.to_vec()?[..2], [255, 255]); // cudaMemcpy, cudaDeviceSynchronize
//! # Ok::<(), obsidian_rt::Error>(())
//! ```
//!
//! # Words
//!
//! | CUDA | here |
//! |---|---|
//! | `__global__` | [`#[kernel]`](macro@crate::kernel) in a [`#[kernels]`](macro@crate::kernels) module |
//! | `__device__` | any function of the module; of plain Rust, [`#[device]`](crate::tutorial::functions) |
//! | `kernel<<<blocks, threads>>>(..)` | `kernel::launch(&device, ..)`; the number of blocks follows from the lengths |
//! | `blockDim.x`, `__launch_bounds__` | `#[kernel(threads = 256, min_blocks = 4)]` |
//! | `blockIdx.x` | the index that [`as_grid_map`](crate::language::Pull::as_grid_map) and [`distr_par`](crate::language::distr_par) count |
//! | `threadIdx.x` | the index that [`for_all`](crate::language::for_all), [`push`](crate::language::Pull::push) and [`generate`](crate::language::generate()) count |
//! | grid-stride loop | generated around each kernel; `#[kernel(grid = resident)]` starts as many blocks as fit |
//! | `if (i < n)` at the end of an array | [`chunks(256, 0)`](crate::language::Pull::chunks) and [`take(n)`](crate::language::Push::take) |
//! | `__shared__` | [`compute`](crate::language::compute()), or [`new_shared_mutable`](crate::language::new_shared_mutable) for what changes |
//! | padding against bank conflicts | [`compute_as(Pitch(33), a)`](crate::language::compute_as()), [`compute_pitch`](crate::language::compute_pitch) |
//! | a register array | [`hold`](crate::language::hold()), [`hold_as(Blocked(4), a)`](crate::language::hold_as) |
//! | `__syncthreads()`, `__syncwarp()` | placed by the compiler; [`sync`](crate::language::sync) asks for one |
//! | `__shfl_sync`, `__shfl_xor_sync` | an index into what a warp holds: `a[i ^ 1]` of [`hold`](crate::language::hold()) |
//! | `__ballot_sync`, `__any_sync`, `__all_sync`, `__match_any_sync` | [`ballot`](crate::language::ballot), [`any`](crate::language::any), [`all`](crate::language::all), [`match_any`](crate::language::match_any) |
//! | `atomicAdd`, `atomicCAS` | [`Mutable::atomic_add`](crate::language::Mutable::atomic_add) and its like |
//! | `if` on a value of a thread | [`select`](crate::language::select()) of values, [`cond`](crate::language::cond) of programs |
//! | `for`, `while` of a thread | [`seq_for`](crate::language::seq_for), [`seq_reduce`](crate::language::seq_reduce), [`seq_until`](crate::language::seq_until) |
//! | `#pragma unroll` | [`unroll`](crate::language::unroll), or a `for` of Rust, which is written out |
//! | templates | generic functions, and values of the host: `#[kernel(n = [8, 16])]` makes a variant of each |
//! | `float4` loads | made by the compiler where neighbours are read |
//! | `printf`, `assert` | `show!(x)?`, `assert!(condition, "text")?` |
//! | `__expf`, `__fdividef` | [`fast::exp`](crate::language::fast::exp), [`fast::div`](crate::language::fast::div) |
//! | `__fmaf_rn` | [`mul_add`](crate::language::Exp::mul_add), or `#[kernel(contract)]` |
//! | `__constant__`, textures, tensor cores, clusters, dynamic parallelism, `half` | there are none |
//!
//! | the runtime of CUDA | here |
//! |---|---|
//! | `cudaSetDevice` | [`Device::cuda`](crate::Device::cuda) gives a value, which calls take; nothing is current |
//! | `cudaMalloc`, `cudaFree` | [`Device::zeros`](crate::Device::zeros); a [`Buffer`](crate::Buffer) is freed when it is dropped |
//! | `cudaMemcpy` | [`Device::upload`](crate::Device::upload), [`Buffer::to_vec`](crate::Buffer::to_vec), [`Buffer::copy_from`](crate::Buffer::copy_from) |
//! | `cudaMallocHost`, `cudaMemcpyAsync` | [`Device::pinned`](crate::Device::pinned), [`Buffer::copy_from_pinned`](crate::Buffer::copy_from_pinned) |
//! | `cudaStream_t` | [`Device::stream`](crate::Device::stream) |
//! | `cudaEvent_t`, `cudaEventElapsedTime` | [`Device::record_event`](crate::Device::record_event), [`Event::since`](crate::Event::since) |
//! | `cudaGraph_t` | [`Device::record`](crate::Device::record), [`Recording::replay`](crate::Recording::replay) |
//! | `cudaDeviceSynchronize` | [`Device::synchronize`](crate::Device::synchronize) |
//! | `cudaGetLastError` | each call returns a [`Result`](crate::Result) |
//! | compute-sanitizer | [`Device::simulator`](crate::Device::simulator) reports races, accesses out of bounds and reads of what was never stored |
//! | Nsight Compute | [`Device::counted`](crate::Device::counted) on the simulator counts sectors, bank conflicts and instructions; see [`counts`](super::counts) |
//!
//! | CUB, Thrust | here |
//! |---|---|
//! | `BlockReduce`, `WarpReduce` | [`reduce`](crate::language::reduce) of a number of elements that is known at compile time; [`block_reduce`](crate::algorithms::blocks::block_reduce) of any number, such as a row |
//! | `BlockScan`, `WarpScan` | [`inclusive_scan`](crate::language::inclusive_scan), [`exclusive_scan`](crate::language::exclusive_scan) |
//! | `BlockRadixRank`, `BlockRadixSort` | [`rank_by_digit`](crate::language::rank_by_digit), [`block_radix_sort`](crate::algorithms::blocks::block_radix_sort) |
//! | `BlockMergeSort` | [`sort`](crate::language::sort) |
//! | `BlockLoad`, `BlockStore`, `BlockExchange` | [`exchange(Striped, Blocked(8), a)`](crate::language::exchange) |
//! | `DeviceReduce`, `thrust::reduce` | `algorithms::sum`, `algorithms::reduce` |
//! | decoupled look-back, a chained scan | [`earlier`](crate::language::earlier), in [`as_grid_ordered`](crate::language::Pull::as_grid_ordered) |
//! | `DeviceScan`, `thrust::exclusive_scan` | `algorithms::exclusive_sum`, `algorithms::exclusive_scan` |
//! | `DeviceSelect`, `thrust::copy_if` | `algorithms::copy_if`, `algorithms::copy_flagged`, `algorithms::unique` |
//! | `DeviceRadixSort`, `thrust::sort` | `algorithms::sort`, `algorithms::sort_by_key` |
//! | `thrust::reduce_by_key` | `algorithms::reduce_by_key` |
//! | `DeviceHistogram` | `algorithms::histogram` |
//! | `thrust::transform` | `algorithms::map`, `algorithms::zip_map`, [`Pull::map`](crate::language::Pull::map) |
//! | `counting_iterator`, `constant_iterator`, `zip_iterator`, `permutation_iterator` | [`iota`](crate::language::iota()), [`replicate`](crate::language::replicate), [`zip`](crate::language::zip()), [`Pull::ix_map`](crate::language::Pull::ix_map): views, as those are |
