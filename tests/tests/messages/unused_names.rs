//! Issue 16, item 9: rustc's lints about unused names reach the user, and right kernels have none
//! of them. That this file compiles is the test; `ui/rustc/unused_names.rs` shows those that do.

#![deny(unused, dead_code, unused_must_use)]
#![allow(missing_docs)]

use obsidian_rt::prelude::*;

#[kernels]
mod right {
    const N: u32 = 64;
    const STEP: u32 = 2;

    fn add(x: EU32, y: EU32) -> EU32 {
        x + y
    }

    /// Parameters that the program changes, and one that is not used on purpose.
    fn changed(mut x: EU32, _unused: EU32, c: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let stored = compute(c)?;
        x = x + 1;
        let mut sum = lit(0u32);
        for n in 0..4 {
            sum = sum + n;
        }
        let mut list = Vec::new();
        list.push(sum);
        let (first, _) = stored.halve();
        let total = list[0];
        pure(
            append(first, stored.drop(N / 2))
                .map(|y| add(y, x + total))
                .push(),
        )
    }

    fn recursive(n: u32, c: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        if n == 0 {
            return pure(c.push());
        }
        let next = compute(c.map(|x| x * STEP))?;
        recursive(n - 1, next)
    }

    fn written(m: MShared<EU32>) -> Program<Block, ()> {
        for_all(N, |mut i| {
            let old = m.atomic_add(i, 1)?;
            i = i + 0;
            m.atomic_max(i, old)?;
            pure(())
        })
    }

    fn matched(n: u32) -> u32 {
        match n {
            0 => 1,
            k if k > 2 => k,
            _ => n,
        }
    }

    fn own(c: Pull<EU32>) -> Program<Block, Push<Block, EU32>> {
        let m = to_mutable(c)?;
        written(m)?;
        pure(m.push())
    }

    #[kernel(threads = [64, 128], doubled = [true, false])]
    pub fn all(doubled: bool, input: DPull<EU32>, offset: EU32) -> DPush<Grid, EU32> {
        input.split_up(N).as_grid_map(|c| {
            let c = if doubled { c.map(|x| x * 2) } else { c };
            exec_block(changed(offset, offset, c))
        })
    }

    #[kernel]
    fn others(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(N)
            .as_grid_map(|c| exec_block(recursive(matched(2), c)))
    }

    #[kernel]
    fn mutable(input: DPull<EU32>) -> (DPush<Grid, EU32>, DPush<Grid, EU32>) {
        let one = input.split_up(N).as_grid_map(|c| exec_block(own(c)));
        (one, input.split_up(N).as_grid_map(|c| c.push()))
    }

    #[allow(dead_code)]
    fn kept_for_later(x: EU32) -> EU32 {
        x
    }

    #[expect(unused_variables)]
    fn expected(x: EU32, y: EU32) -> EU32 {
        x
    }

    #[kernel]
    fn with_expected(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(N)
            .as_grid_map(|c| c.map(|x| expected(x, x)).push())
    }
}

#[kernel]
fn free(input: DPull<EU32>) -> DPush<Grid, EU32> {
    input.split_up(64).as_grid_map(|c| c.push())
}

#[kernels]
mod not_yet_used {
    //! Attributes at the beginning of a module count for all of it.
    #![allow(dead_code, unused_variables)]

    fn later(x: EU32) {}
}

#[kernels]
#[allow(dead_code)]
mod not_used_either {
    fn later(x: EU32) -> EU32 {
        x
    }
}

#[kernels]
mod library {
    pub fn double(x: EU32) -> EU32 {
        x * 2
    }
}

#[kernels]
mod user {
    use super::library::double;

    #[kernel]
    fn used(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(64).as_grid_map(|c| c.map(double).push())
    }
}

#[test]
fn right_kernels_have_no_unused_names() {
    assert!(!right::all::CUDA.is_empty());
}
