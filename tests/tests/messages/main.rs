//! What people are told: errors and their pages, faults of a launch with their places, lints, documents, and the rooms of ARCHITECTURE.

#![allow(missing_docs)]

mod advice;
mod checks;
mod distinct;
mod editors;
mod errors;
mod exhaustive;
mod features;
mod levels;
mod proposals;
mod readme;
mod rejected;
mod reports;
mod rooms;
mod unchecked;
mod unused_names;
