//! Kernels in surroundings that take the usual names away or give them another meaning: what the
//! macro makes names everything by its whole path. Each kernel is held on CPU and simulator, and by
//! its CUDA text, where the user's names meet those of C++.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, clippy::pedantic)]
// Names are what this is about.
#![allow(
    non_snake_case,
    mixed_script_confusables,
    confusable_idents,
    uncommon_codepoints
)]

use obsidian_tests::fact;

/// Modules with the names of crates.
pub mod std {
    /// Not a vector.
    pub mod vec {}
}
/// See [`std`].
pub mod core {}
/// See [`std`].
pub mod alloc {}
/// See [`std`].
pub mod obsidian_core {}

/// Nothing is in scope by itself.
mod bare {
    #![no_implicit_prelude]

    #[::obsidian_rt::kernels]
    pub mod kernels {
        const LAST: u32 = 2;

        /// A function as a parameter, a recursion and a stored array.
        fn reduce<L: Compute, T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Program<L, Push<L, T>> {
            if arr.len() == 1 {
                return pure(arr.push());
            }
            let (a, b) = arr.halve();
            let arr = compute(zip_with(f, a, b))?;
            reduce(f, arr)
        }

        #[kernel(threads = 33)]
        pub fn sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
            input
                .split_up(32)
                .as_grid_map(|chunk| exec_block(reduce(|a, b| a + b, chunk)))
        }

        fn largest(list: Vec<u32>) -> u32 {
            let mut best = None;
            for x in list {
                best = match best {
                    Some(y) if y > x => Some(y),
                    _ => Some(x),
                };
            }
            best.unwrap_or(0)
        }

        #[kernel]
        pub fn of_the_host(input: DPull<EU32>) -> DPush<Grid, EU32> {
            let mut table = vec![3u32, 1];
            table.push(LAST);
            let n = table.iter().map(|x| x + 1).filter(|x| *x > 2).sum::<u32>() + largest(table);
            assert!(n == 10, "3 + 1, 2 + 1 and the largest");
            input
                .split_up(8)
                .as_grid_map(|chunk| chunk.map(|x| x * n).push())
        }
    }
}

/// Everything that a prelude brings means something else around the module, and some of it inside.
mod shadowed {
    #![allow(dead_code, non_camel_case_types, unused_macros)]

    pub struct Option;
    pub struct Some;
    pub struct None;
    pub struct Vec;
    pub struct Result;
    pub struct Clone;
    pub struct Box;
    pub struct u32;
    pub struct str;
    pub trait Iterator {}
    macro_rules! vec {
        ($($any:tt)*) => {
            compile_error!("another macro")
        };
    }
    macro_rules! assert {
        ($($any:tt)*) => {
            compile_error!("another macro")
        };
    }

    #[::obsidian_rt::kernels]
    pub mod kernels {
        fn drop(x: EU32) -> EU32 {
            x + 1
        }

        #[kernel]
        pub fn clone(input: DPull<EU32>) -> DPush<Grid, EU32> {
            let v = vec![Some(1u32), None];
            assert!(v.len() == 2, "two");
            let n = v[0].unwrap_or(7) + v[1].unwrap_or(8);
            input
                .split_up(8)
                .as_grid_map(|chunk| chunk.map(|x| drop(x) * n).push())
        }

        /// The name of the primitive type that the texts have.
        #[kernel]
        pub fn str(input: DPull<EU32>) -> DPush<Grid, EU32> {
            input
                .split_up(8)
                .as_grid_map(|chunk| chunk.reverse().push())
        }
    }
}

/// Names that only a raw identifier can have.
#[obsidian_rt::kernels]
mod raw {
    fn r#loop(r#type: EU32, r#static: u32) -> EU32 {
        r#type + r#static
    }

    #[kernel]
    pub fn r#match(r#fn: DPull<EU32>, r#struct: EU32) -> DPush<Grid, EU32> {
        let r#mod = 3;
        r#fn.split_up(8)
            .as_grid_map(|r#box| r#box.map(|r#in| r#loop(r#in, r#mod) * r#struct).push())
    }
}

/// Names that mean something in CUDA, in C++, in the generated text, or in the generated Rust.
#[obsidian_rt::kernels]
mod taken {
    fn stored(__shared__: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let warpSize = compute(__shared__.map(|x| x + 1))?;
        let blockDim = compute(warpSize.reverse())?;
        let shared = compute(blockDim.map(|x| x * 2))?;
        let trace = compute(shared.reverse())?;
        pure(trace.push())
    }

    #[kernel(threads = 64)]
    pub fn float(threadIdx: DPull<EU32>, min: EU32, double: EU32) -> DPush<Grid, EU32> {
        threadIdx
            .split_up(64)
            .as_grid_map(|int| exec_block(stored(int.map(|x| x.min(min) + double))))
    }

    #[kernel]
    pub fn __global__(output: DPull<EU32>, builder: EU32) -> DPush<Grid, EU32> {
        output
            .split_up(8)
            .as_grid_map(|namespace| namespace.map(|template| template + builder).push())
    }

    #[kernel]
    pub fn kernel(kernel: DPull<EU32>, device: EU32) -> DPush<Grid, EU32> {
        kernel
            .split_up(8)
            .as_grid_map(|launch| launch.map(|outputs| outputs ^ device).push())
    }

    #[kernel]
    pub fn build(cpu: DPull<EU32>, grid: EU32) -> DPush<Grid, EU32> {
        cpu.split_up(8)
            .as_grid_map(|block| block.map(|i| i | grid).push())
    }
}

/// Names in other scripts, and two that differ only in what ASCII lacks.
#[obsidian_rt::kernels]
mod unicode {
    fn größer(größe: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let größe = compute(größe.map(|x| x + 1))?;
        let grösse = compute(größe.reverse())?;
        let 数 = compute(zip_with(|a, b| a * 3 + b, größe, grösse))?;
        pure(数.push())
    }

    #[kernel(threads = 31)]
    pub fn длина(größe: DPull<EU32>, é: EU32, è: EU32) -> DPush<Grid, EU32> {
        größe
            .split_up(16)
            .as_grid_map(|ряд| exec_block(größer(ряд.map(|x| x * é + è))))
    }
}

/// The runtime crate by another path.
mod renamed {
    pub use obsidian_rt as gpu;

    #[gpu::kernels(crate = crate::renamed::gpu)]
    pub mod kernels {
        #[kernel]
        pub fn tripled(input: DPull<EU32>) -> DPush<Grid, EU32> {
            input
                .split_up(8)
                .as_grid_map(|chunk| chunk.map(|x| x * 3).push())
        }
    }
}

fn each(x: ::std::vec::Vec<u32>, f: impl Fn(u32) -> u32) -> ::std::vec::Vec<u32> {
    x.into_iter().map(f).collect()
}

fn reversed(x: &[u32], n: usize) -> ::std::vec::Vec<u32> {
    x.chunks(n)
        .flat_map(|piece| piece.iter().rev().copied())
        .collect()
}

fn größer(x: &[u32]) -> ::std::vec::Vec<u32> {
    let piece = |piece: &[u32]| -> ::std::vec::Vec<u32> {
        let more: ::std::vec::Vec<u32> = piece.iter().map(|x| x * 2 + 5 + 1).collect();
        more.iter()
            .zip(more.iter().rev())
            .map(|(a, b)| a * 3 + b)
            .collect()
    };
    x.chunks(16).flat_map(piece).collect()
}

fact!(without_a_prelude: bare::kernels::sums[32](x: u32) == x.chunks(32).map(|c| c.iter().sum()).collect::<::std::vec::Vec<u32>>());
fact!(host_values_without_a_prelude: bare::kernels::of_the_host[8](x: u32) == each(x, |x| x * 10));
fact!(among_other_meanings: shadowed::kernels::clone[8](x: u32) == each(x, |x| (x + 1) * 9));
fact!(a_kernel_named_like_a_type: shadowed::kernels::str[8](x: u32) == reversed(&x, 8));
fact!(raw_names: raw::r#match[8](x: u32; 5) == each(x, |x| (x + 3) * 5));
fact!(names_of_cuda: taken::float[64](x: u32; 700, 2) == each(x, |x| (x.min(700) + 3) * 2));
fact!(a_kernel_named_like_a_keyword_of_cuda: taken::__global__[8](x: u32; 9) == each(x, |x| x + 9));
fact!(names_of_the_launch: taken::kernel[8](x: u32; 9) == each(x, |x| x ^ 9));
fact!(names_of_the_generated_module: taken::build[8](x: u32; 9) == each(x, |x| x | 9));
fact!(names_in_other_scripts: unicode::длина[16](x: u32; 2, 5) == größer(&x));
fact!(a_renamed_dependency: renamed::kernels::tripled[8](x: u32) == each(x, |x| x * 3));
