//! Nothing. Its `Cargo.toml` names the features of other crates that the crates of the workspace ask for.
