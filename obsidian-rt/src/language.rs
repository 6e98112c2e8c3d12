//! The kernel language: what the functions of a `#[kernels]` module name.
//!
//! Natively it is an ordinary library, `obsidian_core`, gathered here in one place.

pub use obsidian_core::array::{
    Choice, DPull, DPull2, DPush, DPush2, Data, Element, Length, Pull, Pull2, Push, Push2, SPull,
    SPush, Storable, Writer,
};
pub use obsidian_core::arrays::{Arr0, Arr1, Arr2, Arr3};
pub use obsidian_core::ir::Layout::{Blocked, Striped};
pub use obsidian_core::library::language::*;
pub use obsidian_core::program::{
    AtMost, Block, Compute, Grid, HasBelow, Hierarchy, Program, Thread, Warp, assert_that,
    break_loop, cond, distr_par, for_all, for_all2, pure, seq_for, seq_while, show, single_thread,
    sync, unroll,
};
pub use obsidian_core::scalar::{
    Exp, Float, Integer, Number, Precondition, Scalar, fast, lit, require,
};

/// A mutable array in shared memory, of static length.
pub type MShared<T> = Mutable<T, u32>;
/// A mutable array in the device's memory: a parameter that the kernel reads and writes. A launch
/// takes `&mut Buffer`.
pub type MGlobal<T> = Mutable<T, EU32>;

macro_rules! names {
    ($($name:ident $ty:ident;)*) => {$(
        #[doc = concat!("A device value of type `", stringify!($ty), "`.")]
        pub type $name = Exp<$ty>;
    )*};
}

names! {
    EBool bool; EU8 u8; EU16 u16; EU32 u32; EU64 u64; EI8 i8; EI16 i16; EI32 i32; EI64 i64; EF32 f32; EF64 f64;
}
