//! A CUDA driver for tests, to be found as `libcuda.so.1` by a process that is started for it.
//!
//! It has the functions of the driver that `obsidian-rt` calls, with the checks that matter:
//! handles that exist, a context that is current, copies inside of their memory. It keeps what was
//! made until it is given back, so that a leak is seen. Kernels run by their CUDA text, in a
//! process of the program `driver-runner`, which compiles it as C++: no GPU is needed.
//!
//! | variable | what it says |
//! |---|---|
//! | `OBSIDIAN_DRIVER_RUNNER` | the program that runs kernels |
//! | `OBSIDIAN_DRIVER_TEXTS` | folders where CUDA texts lie, for PTX that does not have its own in it |
//! | `OBSIDIAN_DRIVER_LOG` | a file to which each call is appended |
//! | `OBSIDIAN_DRIVER_FAIL` | a call to fail, as in the command `fail` |
//! | `OBSIDIAN_DRIVER_DEVICES` | the number of devices; 1 without it |
//! | `OBSIDIAN_DRIVER_THREADS`, `OBSIDIAN_DRIVER_SHARED` | the most threads and bytes of shared memory of a block |
//! | `OBSIDIAN_DRIVER_CAPABILITY` | the compute capability: 90 for 9.0; 75 without it |
//! | `OBSIDIAN_DRIVER_PROFILES` | `0`: the library wants to hear of no range, though it is named as a profiler's |
//! | `OBSIDIAN_DRIVER_ONCE` | a file that is made when a call is failed; where it is there, none is |
//!
//! A file `settings` beside the library has lines `NAME=value` for names that the environment does
//! not have.
//!
//! A program talks to it by the function `obsidian_driver`.
//!
//! Everything is done when it is asked for, but what a kernel does wrong is the error of a later
//! call, as on a GPU.

mod calls;
mod command;
mod fault;
mod hold;
mod profiler;
mod ptx;
mod runner;
mod settings;
mod state;
