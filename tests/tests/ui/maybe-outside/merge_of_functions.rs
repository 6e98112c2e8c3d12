//! Merges promise nothing of arrays that are functions of the user's, nor of what is made of their elements.

use obsidian_rt::prelude::*;

#[kernels]
pub mod m {
    use obsidian_rt::algorithms::blocks::*;

    #[kernel(threads = 64)]
    pub fn beyond(x: DPull<EU32>, b: DPull<EU32>) -> DPush<Grid, EU32> {
        let next = generate(x.len(), |i| x.at(i + 1));
        mk_push(x.len() + b.len(), |write| {
            distr_par(1, |_| {
                block_merge(|p, q| p < q, next, b).push_to(|v, k| write(v, k))
            })
        })
    }

    #[kernel(threads = 64)]
    pub fn looked_up(table: DPull<EU32>, n: EU32, b: DPull<EU32>) -> DPush<Grid, EU32> {
        mk_push(n + b.len(), |write| {
            distr_par(1, |_| {
                block_merge(|p, q| p < q, iota(n), b).push_to(|v, k| write(table.at(v), k))
            })
        })
    }
}

fn main() {}
