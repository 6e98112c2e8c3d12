//! Random device functions: `build.rs` writes them from seeds, as plain Rust of the grammar of device
//! functions, and `tests/random.rs` holds each to what rustc makes of the same text.
//!
//! Each is the element of a range: it takes its numbers from three slices, and gives a `u32` and an `f32`; every second one takes structs
//! from a fourth, and gives a struct.
//! The crate is compiled without overflow checks, so that the host's integers wrap as the device's do.

#![allow(missing_docs, arithmetic_overflow, clippy::all)]

/// What a function gives, as numbers. NaNs are equal: their payloads are not specified.
pub trait Plain {
    /// All bits of it.
    fn plain(&self) -> Vec<u64>;
}

fn bits(x: f32) -> u64 {
    if x.is_nan() { f32::NAN } else { x }.to_bits().into()
}

impl Plain for (u32, f32) {
    fn plain(&self) -> Vec<u64> {
        vec![self.0.into(), bits(self.1)]
    }
}

macro_rules! plain {
    ($module:ident) => {
        impl Plain for $module::Out {
            fn plain(&self) -> Vec<u64> {
                let $module::State { inner, a, b, c } = self.state;
                let mut list = (self.first, self.second).plain();
                list.extend([a.into(), bits(b), c as u64, inner.d.into(), inner.f.into()]);
                list.extend(inner.e.map(|e| e as u64));
                list
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/functions.rs"));
