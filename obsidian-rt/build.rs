//! With the feature `cust`, gives the linker an empty `libcuda.a`.
//!
//! The build script of `cust` asks for a library of that name. The functions that would be in it
//! are our own, in `src/cust/forward.rs`, so that the linker has to find a file, and
//! nothing in it.

use std::path::Path;

/// An archive without members.
const EMPTY_ARCHIVE: &[u8] = b"!<arch>\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_CUST").is_some() {
        let folder = std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
        std::fs::write(Path::new(&folder).join("libcuda.a"), EMPTY_ARCHIVE)?;
        println!(
            "cargo::rustc-link-search=native={}",
            Path::new(&folder).display()
        );
    }
    Ok(())
}
