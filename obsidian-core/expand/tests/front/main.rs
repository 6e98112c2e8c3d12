//! The front end: modules that are read, evaluated and expanded, and build scripts.

mod build;
#[cfg(unix)]
mod images;
mod kernels;
mod large;
mod link;
mod literals;
mod sharing;
mod steps;
mod variants;
mod walk;
