//! Device functions, each compiled by rustc and for the device.

#![allow(missing_docs)]

mod elsewhere;
mod faults;
mod kernels;
mod meaning;
mod nested;
mod odd;
mod structs;
mod together;
