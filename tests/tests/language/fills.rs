//! The fill of the last piece, and the edge of tiles that cover: an error where they become part of an output, and nowhere else.

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
            let known = ids == ["fill-in-output"] || ids == ["edge-in-output"];
            assert!(known, "{wrong}");
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

#[test]
fn an_edge_in_an_output_is_refused() {
    let refused: [fn(DPull<EU32>) -> DPush<Grid, EU32>; 8] = [
        |x| whole(x.in_rows(53u32).cover(8, 32)),
        |x| whole(x.in_rows(64u32).cover(8, 32)),
        |x| whole(x.as_2d(40u32, 53u32).cover(8, 32)),
        |x| whole(x.as_2d(lit(37), lit(53)).cover(8, 32)),
        |x| {
            let (m, w) = (x.in_rows(7u32), lit(7));
            let n = m.height();
            whole(generate((n, w), move |(y, x)| m.at((y, x)) + y + 2 * x).cover(4, 4))
        },
        // The columns of a matrix as rows.
        |x| whole(x.in_rows(7u32).transpose().cover(8, 8)),
        |x| {
            let all = x.in_rows(7u32).cover(8, 8).untile(8, 8);
            all.tiles(1, 1).as_grid_map(|t| t.push()).flat()
        },
        |x| {
            let m = x.in_rows(7u32);
            let both = zip_with(|x, y| x + y, m.clone(), m.map(|x| !x));
            whole(both.cover(8, 8))
        },
    ];
    for (i, kernel) in refused.into_iter().enumerate() {
        assert!(is_refused(kernel), "{i}");
    }
}

/// All elements of all tiles, each plus one.
fn whole(tiles: DPull2<Pull2<EU32>>) -> DPush<Grid, EU32> {
    tiles.as_grid_map(|t| t.map(|x| x + 1).push()).flat()
}

#[test]
fn an_edge_that_is_cut_off_or_combined_is_none() {
    let accepted: [fn(DPull<EU32>) -> DPush<Grid, EU32>; 6] = [
        |x| {
            let m = x.in_rows(53u32);
            let tiles = m.cover(8, 32).as_grid_map(|t| t.push());
            tiles.crop(m.height(), lit(53)).flat()
        },
        |x| whole(x.in_rows(53u32).cover(8, 32)).padded(),
        // Whole tiles.
        |x| whole(x.as_2d(40, 64).cover(8, 32)),
        // Tiles of one element.
        |x| whole(x.in_rows(53u32).cover(1, 1)),
        |x| {
            let tiles = x.in_rows(53u32).cover(8, 32);
            tiles
                .as_grid_map(|t| reduce(|a, b| a.max(b), t.flat()))
                .flat()
        },
        // Where the tiles are stored is not where they come from.
        |x| {
            let tiles = x.in_rows(53u32).cover(8, 32).flat();
            tiles.as_grid_map(|t| t.flat().push())
        },
    ];
    for (i, kernel) in accepted.into_iter().enumerate() {
        assert!(!is_refused(kernel), "{i}");
    }
}

#[kernels]
mod edges {
    #[kernel(threads = 32)]
    pub fn padded(x: DPull<EU32>) -> DPush<Grid, EU32> {
        let tiles = x.in_rows(5).cover(4, 4);
        tiles.as_grid_map(|t| t.push()).flat().padded()
    }
}

fact!(the_edge_is_meant: edges::padded[5](x: u32) == {
    let height = x.len() / 5;
    let place = |y: usize, x: usize| y.min(height - 1) * 5 + x.min(4);
    let rows = 0..height.next_multiple_of(4);
    rows.flat_map(|i| (0..8).map(move |j| (i, j))).map(|(i, j)| x[place(i, j)]).collect::<Vec<_>>()
});
