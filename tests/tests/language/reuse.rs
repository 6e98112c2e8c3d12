//! Functions of one kernels module used in another: within this crate, by way of a third module,
//! and in a circle.
//!
//! Every kernel is a fact: native build and expansion give one CUDA text, and every device gives
//! the reference's result. What another crate offers is in `examples/combinators`.

use obsidian_rt::prelude::*;
use obsidian_tests::fact;

/// Uses what is defined further down, by every form of `use`.
#[kernels]
mod users {
    use super::more::*;
    use super::nested::basis::{STEP, add_step, halves as both, reduce};

    #[kernel(threads = 32)]
    pub fn sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| exec_block(reduce(|a, b| a + b, chunk)))
    }

    #[kernel(threads = 32)]
    pub fn steps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| chunk.map(add_step).map(|x| x * STEP).push())
    }

    #[kernel(threads = 32)]
    pub fn turned(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| both(chunk, |a| a.reverse()).push())
    }

    /// A name of its own goes before the one that `*` brings in.
    fn twice(x: EU32) -> EU32 {
        x * 3
    }

    /// The other module's `append` is none of the language's.
    #[kernel(threads = 32)]
    pub fn shadowed(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(64)
            .as_grid_map(|chunk| chunk.map(|x| append(x, twice(x))).push())
    }
}

mod nested {
    use obsidian_rt::prelude::*;

    /// What others use; it uses a third module itself, and has a `helper` as that one has.
    #[kernels]
    pub mod basis {
        use crate::reuse::more::reduce_to_one;

        /// How far [`add_step`] goes.
        pub const STEP: u32 = 5;

        /// Tree reduction.
        pub fn reduce<L: Compute, T: Data>(
            f: impl Combine<T>,
            arr: Pull<T>,
        ) -> Program<L, Push<L, T>> {
            reduce_to_one(f, arr)
        }

        fn helper(x: EU32) -> EU32 {
            x + STEP
        }

        /// One step further.
        pub fn add_step(x: EU32) -> EU32 {
            helper(x)
        }

        /// A function of each half.
        pub fn halves<T: Data + Choice>(arr: Pull<T>, f: impl Fn(Pull<T>) -> Pull<T>) -> Pull<T> {
            let (a, b) = arr.halve();
            append(f(a), f(b))
        }
    }
}

/// At the end of the way.
#[kernels]
mod more {
    fn helper<T: Data>(f: impl Combine<T>, arr: Pull<T>) -> Pull<T> {
        let (a, b) = arr.halve();
        zip_with(f, a, b)
    }

    pub fn reduce_to_one<L: Compute, T: Data>(
        f: impl Combine<T>,
        arr: Pull<T>,
    ) -> Program<L, Push<L, T>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let arr = compute(helper(f, arr))?;
        reduce_to_one(f, arr)
    }

    pub fn twice(x: EU32) -> EU32 {
        x * 2
    }

    pub fn append(x: EU32, y: EU32) -> EU32 {
        x * 1000 + y
    }
}

/// Two modules in a circle, each with a kernel.
#[kernels]
mod even {
    use super::odd::after_odd;

    pub fn after_even(n: u32, x: EU32) -> EU32 {
        if n == 0 { x } else { after_odd(n - 1, x * 2) }
    }

    #[kernel(threads = 32)]
    pub fn from_even(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(32)
            .as_grid_map(|chunk| chunk.map(|x| after_even(5, x)).push())
    }
}

#[kernels]
mod odd {
    use super::even::after_even;

    pub fn after_odd(n: u32, x: EU32) -> EU32 {
        if n == 0 { x } else { after_even(n - 1, x + 1) }
    }

    #[kernel(threads = 32)]
    pub fn from_odd(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(32)
            .as_grid_map(|chunk| chunk.map(|x| after_odd(5, x)).push())
    }
}

/// One module twice, over two bases: the versions of a crate.
mod versions {
    pub mod one {
        use obsidian_rt::prelude::*;

        #[kernels]
        pub mod base {
            pub fn step(x: EU32) -> EU32 {
                x + 1
            }
        }
        #[kernels]
        pub mod middle {
            use super::base::step;

            pub fn stepped(x: EU32) -> EU32 {
                step(x) * 3
            }
        }
    }
    pub mod two {
        use obsidian_rt::prelude::*;

        #[kernels]
        pub mod base {
            pub fn step(x: EU32) -> EU32 {
                x + 2
            }
        }
        #[kernels]
        pub mod middle {
            use super::base::step;

            pub fn stepped(x: EU32) -> EU32 {
                step(x) * 3
            }
        }
    }
}

#[kernels]
mod of_two_versions {
    use crate::reuse::versions::{one::middle::stepped, two::middle::stepped as stepped_anew};

    #[kernel(threads = 32)]
    pub fn both(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(32)
            .as_grid_map(|chunk| chunk.map(|x| stepped(x) * 1000 + stepped_anew(x)).push())
    }
}

/// A module that hands on what it uses.
#[kernels]
mod front_door {
    pub use super::more::*;
    pub use super::nested::basis::add_step;
}

#[kernels]
mod visitor {
    use super::front_door::{add_step, twice};

    #[kernel(threads = 32)]
    pub fn visited(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(32)
            .as_grid_map(|chunk| chunk.map(|x| add_step(twice(x))).push())
    }
}

/// Functions of another crate.
#[kernels]
mod of_another_crate {
    use super::more::twice;
    use combinators::{reductions::*, stages::fold_halves};

    #[kernel(threads = 32)]
    pub fn sums(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|chunk| {
            exec_block(reduce_coalesced(
                |a, b| a + b,
                4,
                fold_halves(|a, b| a + twice(b), chunk),
            ))
        })
    }
}

fn each(x: Vec<u32>, f: impl Fn(u32) -> u32) -> Vec<u32> {
    x.into_iter().map(f).collect()
}

fn sums_and_halves(run: &[u32]) -> u32 {
    run[..32].iter().sum::<u32>() + 2 * run[32..].iter().sum::<u32>()
}

fn turned(x: Vec<u32>) -> Vec<u32> {
    x.chunks(32)
        .flat_map(|half| half.iter().rev().copied())
        .collect()
}

fact!(a_program_of_another_module: users::sums[64](x: u32) == x.chunks(64).map(|c| c.iter().sum()).collect::<Vec<u32>>());
fact!(functions_and_constants_of_another_module: users::steps[64](x: u32) == each(x, |x| (x + 5) * 5));
fact!(a_function_under_another_name: users::turned[64](x: u32) == turned(x));
fact!(own_names_go_before_others_and_others_before_the_language: users::shadowed[64](x: u32) == each(x, |x| x * 1003));
fact!(a_circle_from_one_side: even::from_even[32](x: u32) == each(x, |x| ((x * 2 + 1) * 2 + 1) * 2));
fact!(a_circle_from_the_other_side: odd::from_odd[32](x: u32) == each(x, |x| ((x + 1) * 2 + 1) * 2 + 1));
fact!(two_versions_of_a_module_stay_apart: of_two_versions::both[32](x: u32) == each(x, |x| (x + 1) * 3000 + (x + 2) * 3));
fact!(names_are_handed_on: visitor::visited[32](x: u32) == each(x, |x| x * 2 + 5));

fact!(functions_of_another_crate: of_another_crate::sums[64](x: u32) == x.chunks(64).map(sums_and_halves).collect::<Vec<u32>>());
fact!(running_totals: statistics::runs::totals[1024](x: u32) == x.chunks(1024).flat_map(running).collect::<Vec<u32>>());
fact!(a_summary: statistics::runs::summary[1024](x: u32) == summary(&x));

fn running(run: &[u32]) -> Vec<u32> {
    run.iter()
        .scan(0, |sum, x| {
            *sum += x;
            Some(*sum)
        })
        .collect()
}

fn summary(x: &[u32]) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let runs = || x.chunks(1024);
    let sums = runs().map(|r| r.iter().sum()).collect();
    (
        sums,
        runs().map(|r| *r.iter().min().unwrap()).collect(),
        runs().map(|r| *r.iter().max().unwrap()).collect(),
    )
}

#[test]
fn a_module_inside_of_a_function_can_use_another() {
    #[kernels]
    pub mod local {
        use crate::reuse::more::twice;

        #[kernel(threads = 32)]
        pub fn doubled(input: DPull<EU32>) -> DPush<Grid, EU32> {
            input
                .split_up(32)
                .as_grid_map(|chunk| chunk.map(twice).push())
        }
    }
    let device = Device::cpu();
    let doubled = local::doubled::launch(&device, &device.upload(&[21u32; 32]).unwrap()).unwrap();
    assert_eq!(doubled.to_vec().unwrap(), [42; 32]);
}
