//! The kernel language: what the functions of a `#[kernels]` module name.
//!
//! Natively it is an ordinary library, `obsidian_language`, gathered here in one place.

pub use obsidian_language::array::{
    Choice, DPull, DPull2, DPull3, DPush, DPush2, DPush3, Data, Element, Length, Pull, Pull2,
    Pull3, Push, Push2, Push3, SPull, SPush, Shape, Storable, Writer,
};
pub use obsidian_language::arrays::{
    Arr, Arr0, Arr1, Arr2, Arr3, HasInner, HasOuter, Item, Ix0, Ix1, Ix2, Ix3, Neighbours, Window,
};
pub use obsidian_language::ir::Layout::{Blocked, Striped};
pub use obsidian_language::library::blocks::*;
pub use obsidian_language::library::language::*;
pub use obsidian_language::program::{
    AtMost, Block, Compute, Grid, HasBelow, Hierarchy, Program, Thread, Warp, assert_that,
    break_loop, cond, distr_par, pure, seq_for, seq_while, show, single_thread, sync, unroll,
};
pub use obsidian_language::scalar::{
    Exp, Float, Integer, Number, Precondition, Scalar, fast, lit, require,
};

/// A mutable array in shared memory, of static length.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     fn filled(numbers: MShared<EU32>) -> Program<Block, Push<Block, EU32>> {
///         for_all(numbers.len(), |i| numbers.write(i, i * i))?;
///         pure(numbers.push())
///     }
///
///     fn of_block(x: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
///         let numbers = to_mutable(x)?;
///         filled(numbers)
///     }
///
///     #[kernel(threads = 64)]
///     pub fn squares(x: DPull<EU32>) -> DPush<Grid, EU32> {
///         x.split_up(4).as_grid_map(|x| exec_block(of_block(x)))
///     }
/// }
///
/// let device = Device::cpu();
/// let x = device.upload(&[7, 7, 7, 7])?;
/// let result = example::squares::launch(&device, &x)?;
/// assert_eq!(result.to_vec()?, [0, 1, 4, 9]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type MShared<T> = Mutable<T, u32>;
/// A mutable array in the device's memory: a parameter that the kernel reads and writes. A launch
/// takes `&mut Buffer`.
///
/// ```
/// use obsidian_rt::prelude::*;
///
/// #[kernels]
/// mod example {
///     #[kernel(threads = 64)]
///     pub fn doubled(x: MGlobal<EU32>) -> Program<Grid, ()> {
///         distr_par(x.len() / 2, |b| for_all(2, |t| {
///             let old = x.read(b * 2 + t)?;
///             x.write(b * 2 + t, 2 * old)
///         }))
///     }
/// }
///
/// let device = Device::cpu();
/// let mut x = device.upload(&[1, 2])?;
/// example::doubled::launch(&device, &mut x)?;
/// assert_eq!(x.to_vec()?, [2, 4]);
/// # Ok::<(), obsidian_rt::Error>(())
/// ```
pub type MGlobal<T> = Mutable<T, EU32>;

macro_rules! names {
    ($($name:ident $ty:ident $one:literal $other:literal;)*) => {$(
        #[doc = concat!(
            "A device value of type `", stringify!($ty), "`.\n\n```\nuse obsidian_rt::{Device, arrays::ArrayProgram, language::{Arr1, ", stringify!($name),
            "}};\n\nlet reversed = ArrayProgram::build(\"reversed\", |x: Arr1<", stringify!($name),
            ">| x.reverse())?;\nlet device = Device::cpu();\nlet x = device.array([2], &[", stringify!($one), ", ", stringify!($other),
            "])?;\nassert_eq!(reversed.run(&device, &x)?.to_vec()?, [", stringify!($other), ", ", stringify!($one),
            "]);\n# Ok::<(), obsidian_rt::Error>(())\n```"
        )]
        pub type $name = Exp<$ty>;
    )*};
}

names! {
    EBool bool true false; EU8 u8 1u8 2u8; EU16 u16 1u16 2u16; EU32 u32 1u32 2u32; EU64 u64 1u64 2u64; EI8 i8 1i8 2i8; EI16 i16 1i16 2i16;
    EI32 i32 1i32 2i32; EI64 i64 1i64 2i64; EF32 f32 0.5f32 1.5f32; EF64 f64 0.5f64 1.5f64;
}
