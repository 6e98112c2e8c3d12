//! This crate is empty: its `Cargo.toml` names the features of other crates that the crates of the workspace ask for.
