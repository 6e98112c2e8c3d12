//! The fill of the last piece: an error where it becomes part of an output, and nowhere else.

use obsidian_core::pipeline::Options;
use obsidian_rt::language::*;
use obsidian_rt::prelude::*;
use obsidian_tests::fact;

#[kernels]
mod kept {
    #[kernel(threads = 32)]
    pub fn padded(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.chunks(8, 9).as_grid_map(|p| p.push()).padded()
    }

    #[kernel(threads = 32)]
    pub fn padded_and_mapped(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let pieces = x.map(|x| x + 1).chunks(8, 9);
        pieces.as_grid_map(|p| p.push()).padded().map(|x| 2 * x)
    }

    #[kernel(threads = 32)]
    pub fn longest(x: DPull<EU32>) -> DPush<Grid, EU32> {
        x.chunks(8, 0).as_grid_map(|p| reduce(|a, b| a.max(b), p))
    }
}

/// An array with 9 behind it, up to a multiple of 8.
fn filled(x: &[u32]) -> Vec<u32> {
    let length = x.len().next_multiple_of(8);
    let fill = std::iter::repeat(9);
    x.iter().copied().chain(fill).take(length).collect()
}

fact!(the_fill_is_meant: kept::padded[1](x: u32) == filled(&x));
fact!(the_fill_is_meant_before_a_map: kept::padded_and_mapped[1](x: u32) == {
    let more: Vec<u32> = x.iter().map(|x| x.wrapping_add(1)).collect();
    filled(&more).iter().map(|x| x.wrapping_mul(2)).collect::<Vec<_>>()
});
fact!(a_fold_of_the_fill: kept::longest[1](x: u32) == x.chunks(8).map(|p| *p.iter().max().unwrap()).collect::<Vec<_>>());

/// Is a kernel of an array refused, because an output has the fill?
fn is_refused(kernel: impl FnOnce(DPull<EU32>) -> DPush<Grid, EU32>) -> bool {
    let built = obsidian_core::pipeline::build("k", &Options::default(), |builder| {
        let x: DPull<EU32> = builder.parameter("x");
        builder.result(kernel(x));
    });
    match built {
        Ok(_) => false,
        Err(wrong) => {
            let ids: Vec<_> = wrong.iter().map(|(wrong, _)| wrong.id).collect();
            assert_eq!(ids, ["fill-in-output"], "{wrong}");
            true
        }
    }
}

#[test]
fn a_fill_in_an_output_is_refused() {
    let refused: [fn(DPull<EU32>) -> DPush<Grid, EU32>; 5] = [
        |x| x.chunks(64, lit(0)).as_grid_map(|p| p.push()),
        |x| {
            x.chunks(2, lit(0))
                .as_grid_map(|p| p.map(|x| x * 3 + 1).push())
        },
        |x| {
            x.chunks(64, lit(0))
                .as_grid_map(|p| p.split_up(4).as_block_map(|own| own.push::<Thread>()))
        },
        |x| {
            let n = x.len();
            x.take(n - 1).chunks(64, lit(0)).as_grid_map(|p| p.push())
        },
        |x| {
            let (x, y) = (x.clone().chunks(8, lit(0)), x.map(|x| !x).chunks(8, lit(0)));
            zip_with(|x, y| zip_with(|x, y| x + y, x, y), x, y).as_grid_map(|p| p.push())
        },
    ];
    assert!(refused.into_iter().all(is_refused));
}

#[test]
fn a_fill_that_is_cut_off_or_combined_is_none() {
    let accepted: [fn(DPull<EU32>) -> DPush<Grid, EU32>; 6] = [
        |x| {
            let n = x.len();
            x.chunks(64, lit(0)).as_grid_map(|p| p.push()).take(n)
        },
        |x| {
            let n = x.len();
            let pieces = x.chunks(64, lit(0));
            pieces.as_grid_map(|p| p.push()).take(n.min(lit(5)))
        },
        |x| x.chunks(64, lit(0)).as_grid_map(|p| p.push()).padded(),
        // Pieces of one element have no fill.
        |x| x.chunks(1, lit(0)).as_grid_map(|p| p.push()),
        |x| {
            x.chunks(64, lit(0))
                .as_grid_map(|p| reduce(|a, b| a + b, p))
        },
        // A choice of the user's own.
        |x| {
            let n = x.len();
            generate((n + 63) / 64 * 64, move |i| {
                select(i.lt(n), x.at(i.min(n - 1)), lit(0))
            })
            .split_up(64)
            .as_grid_map(|p| p.push())
        },
    ];
    assert!(!accepted.into_iter().any(is_refused));
}
