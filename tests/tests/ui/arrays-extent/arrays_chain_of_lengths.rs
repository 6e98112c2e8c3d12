//! A length that is a formula of thousands of steps: each array is a third longer than the one before.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    fn longer(xs: Arr1<EU32>) -> Arr1<EU32> {
        append(xs, xs.take(xs.len() / 3))
    }

    fn four(xs: Arr1<EU32>) -> Arr1<EU32> {
        longer(longer(longer(longer(xs))))
    }

    #[arrays]
    pub fn f(xs: Arr1<EU32>) -> Arr1<EU32> {
        four(four(four(xs)))
    }
}

fn main() {}

// Write `four(four(four(xs).reshape(xs.len() * 3)))` in place of `four(four(four(xs)))`.
