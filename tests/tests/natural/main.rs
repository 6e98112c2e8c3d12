//! Kernels in the form that a GPU programmer writes first: no `unchecked()`, and nothing rewritten
//! for the sake of the checks.
//!
//! Each file has one kernel and its meaning in plain Rust. What is accepted runs on the CPU, the
//! simulator, the judge and by its CUDA text, at sizes of 0, 1, primes, and those around a block.
//! What is refused stands in `refused! { .. }`, and in the table [`REFUSED`] with the diagnostic and
//! the reason. Once the compiler accepts it, a test fails that says so: take it out of both then.
//! Three of them need a promise of the user; `promised` has them with it.

#![allow(missing_docs, clippy::unwrap_used)]

/// A file whose kernel the compiler refuses: nothing of it is compiled.
macro_rules! refused {
    ($($tokens:tt)*) => {};
}

mod add_block_sums;
mod argmax;
mod binary_search;
mod binary_search_unrolled;
mod bit_reversal;
mod bitonic_in_place;
mod bitonic_loop;
mod bitonic_partner;
mod blocks_costs;
mod blocks_merge;
mod blocks_radix;
mod blocks_reduce;
mod blocks_scan;
mod blocks_stencil;
mod breadth_first;
mod butterfly_in_place;
mod ceil_blocks;
mod ceil_blocks_by_one;
mod clamped_2d;
mod clamped_border;
mod clamped_signed;
mod compaction;
mod convolution_3x3;
mod convolution_dynamic;
mod convolution_zipped;
mod cover_of_pairs;
mod csr_rows;
mod csr_warp_rows;
mod dot;
mod edit_distance;
mod embedding;
mod even_odd_written;
mod every_third;
mod gather_clamped;
mod gather_or_first;
mod gather_signed;
mod gather_wrapped;
mod gaussian;
mod grid_stride;
mod grid_stride_guarded;
mod halo_tile;
mod halo_tile_select;
mod histogram;
mod histogram_guarded;
mod hotspot;
mod hotspot_equal;
mod interleave_written;
mod jacobi;
mod jacobi_flat;
mod largest;
mod lattice_boltzmann;
mod life;
mod life_signed;
mod lu_in_shared;
mod mandelbrot;
mod marching_cubes;
mod matmul_flat;
mod matmul_tiled;
mod matrix_in_place;
mod matvec;
mod max_pooling;
mod mirrored_planes;
mod n_body;
mod nearest;
mod needleman_wunsch;
mod partner_swap;
mod pathfinder;
mod pathfinder_equal;
mod pi;
mod promised;
mod radix_split;
mod ragged_chunks;
mod ray_marcher;
mod red_black;
mod red_black_any_width;
mod resampled;
mod reverse_by_index;
mod reverse_in_place;
mod row_sums;
mod saxpy;
mod saxpy_in_place;
mod scan_of_blocks;
mod scatter;
mod segmented_sums;
mod seven_points;
mod shift_written;
mod sliding_largest;
mod sobel;
mod softmax_any_width;
mod softmax_rows;
mod spmv;
mod stencil_guarded;
mod stencil_signed;
mod strided_sums;
mod top_k_rows;
mod transpose_naive;
mod transpose_tiled;
mod tree_sum_dynamic;
mod tree_sum_loop;
mod triangle_packed;
mod triangle_read;
mod walsh_hadamard;
mod warp_per_row;

use std::fs;
use std::path::Path;

use obsidian_executor::Executor;
use obsidian_judge::Judge;
use obsidian_rt::{Device, Kernel, Result};
use obsidian_tests::Download;
use obsidian_tests::census::Census;
use obsidian_tests::fuzz::seeds::modules_of;
use obsidian_tests::fuzz::verdict::{Answer, judge};

/// Kernels that are refused today: the file, the first diagnostic, and why.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "breadth_first",
        "outside-when-run",
        "edges are numbers of vertices, and `cost` has as many, only if the caller sees to it",
    ),
    (
        "compaction",
        "maybe-outside",
        "the ranks are sums of the flags: each below the number of elements, and different",
    ),
    (
        "histogram_guarded",
        "outside-when-run",
        "`&` reads the element also where the first condition is false, as it does on the device",
    ),
    (
        "hotspot",
        "maybe-outside",
        "`power` may have fewer rows than `temp`; `hotspot_equal` asks for as many",
    ),
    (
        "needleman_wunsch",
        "outside-when-run",
        "the table may have fewer rows and columns than the tiles of the diagonal",
    ),
    (
        "pathfinder",
        "outside-when-run",
        "`src` may have fewer elements than `cols`; `pathfinder_equal` asks for as many",
    ),
    (
        "radix_split",
        "maybe-outside",
        "the places are sums of the flags: each below the number of elements, and different",
    ),
    (
        "ragged_chunks",
        "pieces-differ",
        "the arrays that are put side by side have one length",
    ),
    (
        "scatter",
        "outside-when-run",
        "nothing says that the indices are different, below the length, and as many",
    ),
    (
        "shift_written",
        "maybe-not-once",
        "a rotation by an argument",
    ),
];

/// What the files use.
#[allow(unused_imports)]
mod prelude {
    pub use obsidian_rt::prelude::*;
    pub use obsidian_tests::samples;

    pub use crate::{
        FULL_PICTURES, PICTURES, SIZES, hold, hold_near, pairs, picture, rows, small, sorted,
        tree_sum,
    };
}

/// Lengths: none, one, primes, those around a warp and a block.
pub const SIZES: [usize; 9] = [0, 1, 2, 31, 64, 97, 256, 257, 1000];
/// Heights and widths.
pub const PICTURES: [(usize, usize); 7] = [
    (0, 3),
    (1, 1),
    (1, 40),
    (17, 2),
    (16, 16),
    (33, 31),
    (40, 64),
];
/// Heights and widths of pictures with elements.
pub const FULL_PICTURES: [(usize, usize); 6] =
    [(1, 1), (1, 40), (17, 2), (16, 16), (33, 31), (40, 64)];

/// Arrays of two kinds: the first of each size, the second of some sizes, with elements.
pub fn pairs<A, B>(a: fn(usize) -> Vec<A>, b: fn(usize) -> Vec<B>) -> Vec<(Vec<A>, Vec<B>)> {
    let seconds = [1, 7, 1000];
    let each = |n: &usize| seconds.map(|m| (a(*n), b(m)));
    SIZES.iter().flat_map(each).collect()
}

/// Samples in order.
pub fn sorted(n: usize) -> Vec<u32> {
    let mut all = obsidian_tests::samples::<u32>(n);
    all.sort_unstable();
    all
}

/// Floats that sums of a few hundred products keep exactly.
pub fn small(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i * 7 % 13) as f32 / 4.0 - 1.0).collect()
}

/// Where ragged rows start, the end behind them, and their elements.
pub fn rows() -> impl Iterator<Item = (Vec<u32>, Vec<u32>)> {
    [0, 1, 2, 31, 257, 300].into_iter().map(|n| {
        let lengths = (0..n).map(|i| i * 5 % 7);
        let ends = lengths.scan(0, |sum, n| {
            *sum += n;
            Some(*sum)
        });
        let starts: Vec<u32> = [0].into_iter().chain(ends).collect();
        let all = starts.last().copied().unwrap_or_default() as usize;
        (starts, obsidian_tests::samples(all))
    })
}

/// A picture of elements that see samples, 0 outside, at a row and a column.
pub fn picture(
    height: usize,
    width: usize,
    element: impl Fn(&dyn Fn(i64, i64) -> u32, i64, i64) -> u32,
) -> Vec<u32> {
    let x = obsidian_tests::samples::<u32>(height * width);
    let (h, w) = (height as i64, width as i64);
    let at = |y: i64, c: i64| {
        let inside = (0..h).contains(&y) && (0..w).contains(&c);
        if inside { x[(y * w + c) as usize] } else { 0 }
    };
    (0..h * w).map(|i| element(&at, i / w, i % w)).collect()
}

/// The sum of a power of two of floats, halves added to halves.
pub fn tree_sum(x: &[f32]) -> f32 {
    let mut x = x.to_vec();
    while x.len() > 1 {
        let (a, b) = x.split_at(x.len() / 2);
        x = a.iter().zip(b).map(|(a, b)| a + b).collect();
    }
    x[0]
}

/// Holds a kernel to its reference for each case, on every device.
pub fn hold<C, R: Download>(
    kernel: &Kernel,
    cuda: &str,
    cases: impl IntoIterator<Item = C>,
    launch: impl Fn(&Device, &C) -> Result<R>,
    reference: impl Fn(&C) -> R::Host,
) {
    hold_by(kernel, cuda, cases, launch, reference, |x, y| x == y);
}

/// [`hold`] for functions that libraries round differently.
pub fn hold_near<C, R: Download<Host = Vec<f32>>>(
    kernel: &Kernel,
    cuda: &str,
    cases: impl IntoIterator<Item = C>,
    launch: impl Fn(&Device, &C) -> Result<R>,
    reference: impl Fn(&C) -> Vec<f32>,
) {
    let near = |x: &f32, y: &f32| (x - y).abs() <= 1e-5 * y.abs();
    hold_by(kernel, cuda, cases, launch, reference, |x, y| {
        x.len() == y.len() && x.iter().zip(y).all(|(x, y)| near(x, y))
    });
}

fn hold_by<C, R: Download>(
    kernel: &Kernel,
    cuda: &str,
    cases: impl IntoIterator<Item = C>,
    launch: impl Fn(&Device, &C) -> Result<R>,
    reference: impl Fn(&C) -> R::Host,
    agree: impl Fn(&R::Host, &R::Host) -> bool,
) {
    let native = kernel.native().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        native.cuda(),
        cuda,
        "the native build and the expansion differ"
    );
    let (census, judge) = (Census::default(), Judge::default());
    let mut devices = vec![
        ("cpu", Device::cpu()),
        ("cpu, 1 block", Device::cpu().with_blocks(1)),
        ("cpu, by columns", Device::cpu_by_columns()),
        ("simulator", Device::simulator()),
        (
            "simulator, 33 threads",
            Device::simulator().with_threads(33),
        ),
        ("simulator, 3 blocks", Device::simulator().with_blocks(3)),
        ("judge", judge.device()),
    ];
    devices.extend(Executor::find().map(|executor| ("executor", executor.device())));
    for (n, case) in cases.into_iter().enumerate() {
        let expected = reference(&case);
        launch(&census.device(), &case)
            .map(drop)
            .unwrap_or_else(|error| panic!("case {n}, census: {error}"));
        for (words, device) in &devices {
            let found = launch(device, &case)
                .unwrap_or_else(|error| panic!("case {n}, {words}: {error}"))
                .download();
            assert!(
                agree(&found, &expected),
                "case {n}, {words}: {found:?} is not {expected:?}"
            );
        }
    }
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/natural"))
}

#[test]
fn what_is_refused_is_refused_for_the_reason_in_the_table() {
    let mut wrong = Vec::new();
    for (name, id, why) in REFUSED {
        assert!(!why.is_empty(), "{name}: why?");
        let modules = modules_of(&folder().join(format!("{name}.rs")));
        assert_eq!(modules.len(), 1, "{name} has one kernels module");
        match judge(&modules[0].text).unwrap() {
            Answer::Errors(list) if list[0].contains(&format!("[{id}]")) => {}
            Answer::Code => wrong.push(format!(
                "{name} is accepted now: take it out of `REFUSED` and of `refused!`"
            )),
            other => wrong.push(format!("{name}: {other:?} is not {id}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_names_the_files_that_are_refused() {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        if name != "main" && text.contains("\nrefused! {") {
            found.push(name);
        }
    }
    found.sort();
    let table: Vec<&str> = REFUSED.iter().map(|(name, ..)| *name).collect();
    assert_eq!(found, table);
}
