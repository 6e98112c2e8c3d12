//! Programs over whole arrays: which kernels they become, and what these give.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod control;
mod fusion;
mod module;
mod module_order;
mod places;
mod results;
mod scans;
mod sorts;
mod stencils;
mod ten;
