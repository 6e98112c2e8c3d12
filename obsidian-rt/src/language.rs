//! The kernel language: what the functions of a `#[kernels]` module name.
//!
//! Natively it is an ordinary library, `obsidian_core`, gathered here in one place.

pub use obsidian_core::array::{Choice, DPull, DPush, Data, Element, Length, Pull, Push, SPull, SPush, Storable, Writer};
pub use obsidian_core::library::{
    Combine, Fun, append, compute, exec, exec_block, exec_thread, exec_warp, fun, generate, iota, lift_in, lift_par, lift_seq, replicate, select,
    singleton, unzip, unzip3, zip, zip_with, zip_with3, zip3, zip4,
};
pub use obsidian_core::program::{AtMost, Block, Compute, Grid, HasBelow, Hierarchy, Program, Thread, Warp, pure};
pub use obsidian_core::scalar::{Exp, Float, Integer, Number, Scalar, lit};

macro_rules! names {
    ($($name:ident $ty:ident;)*) => {$(
        #[doc = concat!("A device value of type `", stringify!($ty), "`.")]
        pub type $name = Exp<$ty>;
    )*};
}

names! {
    EBool bool; EU8 u8; EU16 u16; EU32 u32; EU64 u64; EI8 i8; EI16 i16; EI32 i32; EI64 i64; EF32 f32; EF64 f64;
}
