//! Held arrays, collectives and lanes, and what the CPU makes of loops over them.

#![allow(missing_docs)]

mod arrays;
mod collective_words;
mod collectives;
mod counted;
mod counted_collectives;
mod element_types;
mod gathered;
mod lanes;
mod ordered;
mod sorts;
mod streams;
mod strips;
mod wide;
