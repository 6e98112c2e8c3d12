//! Two-dimensional arrays: laws, tiles of matrices of any size, storing, and works of every level.
//!
//! A law is two kernels of one text. The others are facts: native build and expansion give one
//! text, and every device gives the reference's result.

use obsidian_rt::prelude::*;
use obsidian_rt::{ErrorKind, Result};
use obsidian_tests::{fact, hold, samples};

/// Rearranging within a block: 12 rows of 8.
#[kernels]
mod views {
    fn matrices(input: DPull<EU32>, f: impl Fn(Pull2<EU32>) -> Pull2<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(96)
            .as_grid_map(|a| f(a.in_rows(8)).push().flat())
    }

    #[kernel(threads = 32)]
    pub fn same(input: DPull<EU32>) -> DPush<Grid, EU32> {
        matrices(input, |m| m)
    }

    #[kernel(threads = 32)]
    pub fn flat(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(96).as_grid_map(|a| a.push())
    }

    #[kernel(threads = 32)]
    pub fn twice_transposed(input: DPull<EU32>) -> DPush<Grid, EU32> {
        matrices(input, |m| m.transpose().transpose())
    }

    #[kernel(threads = 32)]
    pub fn transposed(input: DPull<EU32>) -> DPush<Grid, EU32> {
        matrices(input, |m| m.transpose())
    }

    #[kernel(threads = 32)]
    pub fn transposed_as_it_is_written(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(96)
            .as_grid_map(|a| a.in_rows(8).push().transpose().flat())
    }

    #[kernel(threads = 32)]
    pub fn rows_of_the_transpose(input: DPull<EU32>) -> DPush<Grid, EU32> {
        matrices(input, |m| {
            let rows = m.transpose().rows();
            generate((8, 12), |(y, x)| rows[y][x])
        })
    }

    #[kernel(threads = 32)]
    pub fn columns(input: DPull<EU32>) -> DPush<Grid, EU32> {
        matrices(input, |m| {
            let columns = m.columns();
            generate((8, 12), |(y, x)| columns[y][x])
        })
    }

    #[kernel(threads = 32)]
    pub fn tiles_put_together(input: DPull<EU32>) -> DPush<Grid, EU32> {
        matrices(input, |m| m.tiles(4, 2).untile(4, 2))
    }

    #[kernel(threads = 32)]
    pub fn mapped_and_zipped(input: DPull<EU32>) -> DPush<Grid, EU32> {
        matrices(input, |m| {
            zip_with(|x, y| x * 1000 + y, m, m.map(|x| x + 1)).set_size((12, 8))
        })
    }

    #[kernel(threads = 32)]
    pub fn first_and_last(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(96).as_grid_map(|a| {
            let m = a.as_2d(12, 8);
            let (row, column) = (m.row(m.height() - 1), m.column(m.width() - 1));
            append(
                append(row.push(), column.push()),
                singleton(m.at((0, 1))).push(),
            )
        })
    }

    #[kernel(threads = 32)]
    pub fn cropped(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(96)
            .as_grid_map(|a| a.in_rows(8).push().map(|x| x + 1).crop(5, 3).flat())
    }
}

/// Works of threads, warps and blocks, in tiles.
#[kernels]
mod works {
    fn turned<L: Compute, T: Data>(tile: Pull2<T>) -> Program<L, Push2<L, T>> {
        let tile = compute(tile)?;
        pure(tile.transpose().push())
    }

    #[kernel(threads = 64)]
    pub fn of_threads(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(96).as_grid_map(|a| {
            a.in_rows(8)
                .tiles(3, 4)
                .as_block_map(|t| exec_thread(turned(t)))
                .flat()
        })
    }

    #[kernel(threads = 64)]
    pub fn of_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(96).as_grid_map(|a| {
            a.in_rows(8)
                .tiles(3, 4)
                .as_block_map(|t| exec_warp(turned(t)))
                .flat()
        })
    }

    #[kernel(threads = 64)]
    pub fn of_threads_in_warps(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(96).as_grid_map(|a| {
            let tiles = a.in_rows(8).tiles(6, 4);
            tiles
                .as_block_map(|t| t.tiles(3, 2).as_warp_map(|t| exec_thread(turned(t))))
                .flat()
        })
    }

    #[kernel(threads = 64)]
    pub fn in_one_thread(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(96).as_grid_map(|a| {
            let tiles = a.in_rows(8).tiles(6, 4);
            tiles
                .as_block_map(|t| t.tiles(3, 2).as_thread_map(|t| exec_thread(turned(t))))
                .flat()
        })
    }

    #[kernel(threads = 64)]
    pub fn of_blocks(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .in_rows(8)
            .tiles(12, 4)
            .as_grid_map(|t| exec_block(turned(t)))
            .flat()
    }

    /// Values of threads as tiles of one element.
    #[kernel(threads = 64)]
    pub fn of_single_elements(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input.split_up(96).as_grid_map(|a| {
            let m = a.in_rows(8);
            m.as_block_map(|x| exec_thread_value(seq_iterate(3, |_, x| x * 2, x)).as_2d(1, 1))
                .flat()
        })
    }

    #[kernel(threads = 64)]
    pub fn a_push_array_in_rows(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(96)
            .as_grid_map(|a| a.push().in_rows(8).transpose().flat())
    }

    /// Sums of arrays that come one after another.
    #[kernel(threads = 64)]
    pub fn accumulated(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(96)
            .as_grid_map(|a| exec_block(sums(a.split_up(8))))
    }

    fn sums(rows: Pull<Pull<EU32>>) -> Program<Block, Push<Block, EU32>> {
        let rounds = rows.map(|row| compute(row.reverse()));
        let sums = accumulate(|x, y| x * 3 + y, replicate(8, lit(1u32)), rounds)?;
        pure(sums.push())
    }

    /// What came last: a function that does not look at the sum.
    #[kernel(threads = 64)]
    pub fn replaced(input: DPull<EU32>) -> DPush<Grid, EU32> {
        input
            .split_up(96)
            .as_grid_map(|a| exec_block(last(a.split_up(8))))
    }

    fn last(rows: Pull<Pull<EU32>>) -> Program<Block, Push<Block, EU32>> {
        let rounds = rows.map(|row| compute(row.reverse()));
        let last = accumulate(|_, y| y, replicate(8, lit(1u32)), rounds)?;
        pure(last.push())
    }
}

/// Matrices whose width is known at launch.
#[kernels]
mod matrices {
    /// A tile, turned in shared memory: read and written in rows, and without bank conflicts
    /// because of the pitch.
    fn turned(tile: Pull2<EU32>) -> Program<Block, Push2<Block, EU32>> {
        let stored = compute_pitch(tile.width() + 1, tile)?;
        pure(stored.transpose().push())
    }

    /// Any size.
    #[kernel(threads = 64)]
    pub fn transpose(width: EU32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        let matrix = input.in_rows(width);
        let tiles = matrix.cover(8, 8).transpose();
        tiles
            .as_grid_map(|tile| exec_block(turned(tile)))
            .crop(width, matrix.height())
            .flat()
    }

    /// What a GPU likes: tiles of as many columns as a warp has lanes.
    #[kernel(threads = 256)]
    pub fn transpose_32(width: EU32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        let tiles = input.in_rows(width).tiles(32, 32).transpose();
        tiles
            .as_grid_map(|tile| exec_block(turned_at(33, tile)))
            .flat()
    }

    /// The same without a pitch.
    #[kernel(threads = 256)]
    pub fn transpose_with_conflicts(width: EU32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        let tiles = input.in_rows(width).tiles(32, 32).transpose();
        tiles
            .as_grid_map(|tile| exec_block(turned_at(32, tile)))
            .flat()
    }

    fn turned_at(pitch: u32, tile: Pull2<EF32>) -> Program<Block, Push2<Block, EF32>> {
        let stored = compute_pitch(pitch, tile)?;
        pure(stored.transpose().push())
    }

    /// Multiples of the tile.
    #[kernel(threads = 64)]
    pub fn transpose_of_whole_tiles(width: EU32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        let tiles = input.in_rows(width).tiles(8, 8).transpose();
        tiles.as_grid_map(|tile| exec_block(turned(tile))).flat()
    }

    /// The sums of rows and columns, of any height.
    #[kernel(threads = 64)]
    pub fn plus_table(height: EU32, width: EU32, input: DPull<EU32>) -> DPush<Grid, EU32> {
        let matrix = input.as_2d(height, width);
        let table = generate((height, width), |(y, x)| y * 1000 + x);
        zip_with(|x, y| x + y, matrix, table)
            .cover(4, 16)
            .as_grid_map(|tile| tile.push())
            .crop(height, width)
            .flat()
    }

    /// The product of a matrix of rows of `inner` and one of `inner` rows of `width`, in tiles that
    /// are multiples of 8.
    #[kernel(threads = 64)]
    pub fn matmul(
        inner: EU32,
        width: EU32,
        left: DPull<EF32>,
        right: DPull<EF32>,
    ) -> DPush<Grid, EF32> {
        let rows = left.in_rows(inner).tiles(8, 8).rows();
        let columns = right.as_2d(inner, width).tiles(8, 8).columns();
        let tiles = generate((rows.len(), columns.len()), |(y, x)| {
            exec_block(product(rows[y], columns[x]))
        });
        tiles.as_grid().flat()
    }

    fn product(
        left: DPull<Pull2<EF32>>,
        right: DPull<Pull2<EF32>>,
    ) -> Program<Block, Push2<Block, EF32>> {
        let nothing = generate((8, 8), |(_, _)| lit(0.0f32));
        let sums = accumulate(|x, y| x + y, nothing, zip_with(of_tiles, left, right))?;
        pure(sums.push())
    }

    fn of_tiles(left: Pull2<EF32>, right: Pull2<EF32>) -> Program<Block, Pull2<EF32>> {
        let left = compute(left)?;
        let right = compute(right)?;
        pure(generate((8, 8), |(y, x)| {
            fold1(
                |x, y| x + y,
                zip_with(|x, y| x * y, left.row(y), right.column(x)),
            )
            .first()
        }))
    }

    fn step(c: (EF32, EF32), state: (EF32, EF32, EU32)) -> (EF32, EF32, EU32) {
        let (x, y, n) = state;
        (x * x - y * y + c.0, 2.0f32 * x * y + c.1, n + 1)
    }

    fn orbit(x: EF32, y: EF32) -> Program<Thread, EU8> {
        let going = |s: (EF32, EF32, EU32)| (s.0 * s.0 + s.1 * s.1 < 4.0f32) & (s.2 < 64);
        let last = seq_until(
            |s| step((x, y), s),
            going,
            (lit(0.0f32), lit(0.0f32), lit(1u32)),
        )?;
        pure(last.2 as u8)
    }

    /// A picture of any size.
    #[kernel(threads = 64)]
    pub fn mandelbrot(height: EU32, width: EU32) -> DPush<Grid, EU8> {
        let (dy, dx) = (2.4f32 / height as f32, 3.2f32 / width as f32);
        let picture = generate((height, width), |(y, x)| {
            exec_thread_value(orbit(x as f32 * dx - 2.0f32, 1.2f32 - y as f32 * dy)).as_2d(1, 1)
        });
        picture
            .cover(8, 16)
            .as_grid_map(|tile| tile.as_block())
            .crop(height, width)
            .flat()
    }
}

fn transposed(x: &[u32], width: usize) -> Vec<u32> {
    let height = x.len() / width;
    (0..width * height)
        .map(|i| x[i % height * width + i / height])
        .collect()
}

/// Each matrix of 12 rows of 8 by a function from row, column and matrix.
fn each(
    x: &[u32],
    height: usize,
    width: usize,
    f: impl Fn(usize, usize, &[u32]) -> u32,
) -> Vec<u32> {
    x.chunks(96)
        .flat_map(|m| {
            (0..height * width)
                .map(|i| f(i / width, i % width, m))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Each tile turned where it is put: tile (y, x) of `h` by `w` becomes tile (y, x) of `w` by `h`.
fn turned(x: &[u32], h: usize, w: usize) -> Vec<u32> {
    each(x, 12 / h * w, 8 / w * h, |y, x, m| {
        m[(y / w * h + x % h) * 8 + x / h * w + y % w]
    })
}

/// The same for tiles of 6 by 4 of tiles of 3 by 2.
fn turned_within(x: &[u32]) -> Vec<u32> {
    each(x, 8, 12, |y, x, m| {
        let (ty, tx, y, x) = (y / 4, x / 6, y % 4, x % 6);
        m[(ty * 6 + y / 2 * 3 + x % 3) * 8 + tx * 4 + x / 3 * 2 + y % 2]
    })
}

#[test]
fn an_array_in_rows_is_the_array() {
    let body = |cuda: &str| cuda.split('{').skip(1).collect::<String>();
    assert_eq!(body(views::same::CUDA), body(views::flat::CUDA));
}

fact!(rows_of_a_flat_array: views::same[96](x: u32) == x);
fact!(a_transpose_of_a_transpose_is_the_array: views::twice_transposed[96](x: u32) == x);
fact!(a_transpose: views::transposed[96](x: u32) == x.chunks(96).flat_map(|m| transposed(m, 8)).collect::<Vec<_>>());
fact!(a_push_array_transposed: views::transposed_as_it_is_written[96](x: u32) == x.chunks(96).flat_map(|m| transposed(m, 8)).collect::<Vec<_>>());
fact!(rows_of_a_transpose: views::rows_of_the_transpose[96](x: u32) == x.chunks(96).flat_map(|m| transposed(m, 8)).collect::<Vec<_>>());
fact!(columns_are_rows_of_the_transpose: views::columns[96](x: u32) == x.chunks(96).flat_map(|m| transposed(m, 8)).collect::<Vec<_>>());
fact!(tiles_put_together_are_the_array: views::tiles_put_together[96](x: u32) == x);
fact!(map_and_zip: views::mapped_and_zipped[96](x: u32) == x.iter().map(|x| x * 1000 + x + 1).collect::<Vec<_>>());
fact!(rows_columns_and_elements: views::first_and_last[96](x: u32) == x.chunks(96).flat_map(|m| {
    m[88..].iter().copied().chain((0..12).map(|y| m[y * 8 + 7])).chain([m[1]]).collect::<Vec<_>>()
}).collect::<Vec<_>>());
fact!(a_corner: views::cropped[96](x: u32) == each(&x, 5, 3, |y, x, m| m[y * 8 + x] + 1));

fact!(tiles_of_threads: works::of_threads[96](x: u32) == turned(&x, 3, 4));
fact!(tiles_of_warps: works::of_warps[96](x: u32) == turned(&x, 3, 4));
fact!(tiles_of_threads_in_tiles_of_warps: works::of_threads_in_warps[96](x: u32) == turned_within(&x));
fact!(tiles_in_tiles_of_one_thread: works::in_one_thread[96](x: u32) == turned_within(&x));
fact!(tiles_of_one_element: works::of_single_elements[96](x: u32) == x.iter().map(|x| x * 8).collect::<Vec<_>>());
fact!(a_push_array_has_rows: works::a_push_array_in_rows[96](x: u32) == x.chunks(96).flat_map(|m| transposed(m, 8)).collect::<Vec<_>>());
fact!(tiles_of_blocks: works::of_blocks[96](x: u32) == {
    // The tiles of a grid are put together over the whole matrix, whose height is 12 a piece.
    let height = x.len() / 8;
    let (rows, columns) = (height / 12 * 4, 2 * 12);
    (0..rows * columns).map(|i| (i / columns, i % columns)).map(|(r, c)| x[(r / 4 * 12 + c % 12) * 8 + c / 12 * 4 + r % 4]).collect::<Vec<_>>()
});
fact!(sums_of_rounds: works::accumulated[96](x: u32) == x.chunks(96).flat_map(|m| {
    (0..8).map(|c| (0..12).fold(1u32, |sum, r| sum.wrapping_mul(3).wrapping_add(m[r * 8 + 7 - c]))).collect::<Vec<_>>()
}).collect::<Vec<_>>());

fact!(what_came_last: works::replaced[96](x: u32) == x.chunks(96).flat_map(|m| (0..8).map(|c| m[95 - c]).collect::<Vec<_>>()).collect::<Vec<_>>());

/// Heights and widths: one, primes, tiles, and one more or less; no rows at all are tried with
/// each.
const SIZES: [usize; 8] = [1, 2, 7, 8, 9, 16, 17, 31];

#[test]
fn matrices_of_any_size_are_transposed() {
    for (n, width) in SIZES.into_iter().enumerate() {
        let launch = |built: &Kernel, device: &Device, length| {
            matrices::transpose::launch_kernel(
                built,
                device,
                width as u32,
                &device.upload(&samples::<u32>(length))?,
            )
        };
        let piece = width * SIZES[(n + 3) % SIZES.len()];
        hold(
            &matrices::transpose::kernel(),
            matrices::transpose::CUDA,
            piece,
            launch,
            |length| transposed(&samples(length), width),
        );
    }
}

#[test]
fn matrices_of_whole_tiles_are_transposed() {
    use matrices::transpose_of_whole_tiles as kernel;
    for width in [8, 16, 40] {
        let launch = |built: &Kernel, device: &Device, length| {
            kernel::launch_kernel(
                built,
                device,
                width as u32,
                &device.upload(&samples::<u32>(length))?,
            )
        };
        hold(
            &kernel::kernel(),
            kernel::CUDA,
            8 * width,
            launch,
            |length| transposed(&samples(length), width),
        );
    }
}

/// The matrix of 64 rows of 96 transposed, and what it costs.
fn counted(kernel: &Kernel) -> (Vec<f32>, obsidian_core::simulate::Counts) {
    let device = Device::simulator();
    let input = device.upload(&samples::<f32>(64 * 96)).unwrap();
    let launch =
        |device: &Device| matrices::transpose_32::launch_kernel(kernel, device, 96, &input);
    let (output, counts) = device.counted(launch).unwrap();
    (output.to_vec().unwrap(), counts)
}

#[test]
fn a_transpose_is_coalesced_both_ways_and_a_pitch_avoids_bank_conflicts() {
    let x = samples::<f32>(64 * 96);
    let expected: Vec<f32> = (0..64 * 96).map(|i| x[i % 64 * 96 + i / 64]).collect();
    let (with, without) = (
        counted(&matrices::transpose_32::kernel()),
        counted(&matrices::transpose_with_conflicts::kernel()),
    );
    assert_eq!((&with.0, &without.0), (&expected, &expected));
    // 32 lanes with 4 bytes each: 4 sectors of 32 bytes a request, for reads and writes.
    let requests = 2 * 64 * 96 / 32;
    assert_eq!(
        (with.1.buffers.requests, with.1.buffers.sectors),
        (requests, requests * 4)
    );
    // A column of 32 rows is 31 passes more than one, for each of the requests that read.
    assert_eq!(
        (
            with.1.shared.bank_conflicts,
            without.1.shared.bank_conflicts
        ),
        (0, 31 * 64 * 96 / 32)
    );
}

#[test]
fn two_sizes_at_launch() {
    for width in [1, 15, 16, 33] {
        let launch = |built: &Kernel, device: &Device, length| {
            let input = device.upload(&samples::<u32>(length))?;
            matrices::plus_table::launch_kernel(
                built,
                device,
                (length / width) as u32,
                width as u32,
                &input,
            )
        };
        hold(
            &matrices::plus_table::kernel(),
            matrices::plus_table::CUDA,
            3 * width,
            launch,
            |length| {
                let x = samples::<u32>(length);
                x.iter()
                    .enumerate()
                    .map(|(i, x)| x + (i / width * 1000 + i % width) as u32)
                    .collect()
            },
        );
    }
}

/// A matrix whose products are neither huge nor all integers.
fn matrix(n: usize) -> Vec<f32> {
    samples::<f32>(n).into_iter().map(|x| x / 64.0).collect()
}

/// The product of two matrices in the order of the kernel's additions, which is near the product in
/// f64.
fn product(left: &[f32], right: &[f32], inner: usize, width: usize) -> Vec<f32> {
    let terms = |i: usize| {
        (0..inner).map(move |k| (left[i / width * inner + k], right[k * width + i % width]))
    };
    let sum = |i: usize| {
        let terms: Vec<f32> = terms(i).map(|(x, y)| x * y).collect();
        terms.chunks(8).fold(0.0f32, |sum, tile| {
            sum + tile.iter().copied().reduce(|x, y| x + y).unwrap_or(0.0)
        })
    };
    let sums: Vec<f32> = (0..left.len() / inner * width).map(sum).collect();
    for (i, found) in sums.iter().enumerate() {
        let exact = terms(i).map(|(x, y)| f64::from(x) * f64::from(y));
        let (exact, size) = exact.fold((0.0, 0.0), |(sum, size), t| (sum + t, size + t.abs()));
        assert!(
            (f64::from(*found) - exact).abs() <= size * inner as f64 * f64::from(f32::EPSILON),
            "{found} and {exact}"
        );
    }
    sums
}

#[test]
fn products_of_matrices_are_near_those_in_f64() {
    for (inner, width) in [(8, 8), (16, 24), (40, 8)] {
        let launch = |built: &Kernel, device: &Device, length| -> Result<Buffer<f32>> {
            let (left, right) = (
                device.upload(&matrix(length))?,
                device.upload(&matrix(inner * width))?,
            );
            matrices::matmul::launch_kernel(
                built,
                device,
                inner as u32,
                width as u32,
                &left,
                &right,
            )
        };
        let reference = |length| product(&matrix(length), &matrix(inner * width), inner, width);
        hold(
            &matrices::matmul::kernel(),
            matrices::matmul::CUDA,
            8 * inner,
            launch,
            reference,
        );
    }
}

/// How long a point's orbit stays near.
fn orbit(x: f32, y: f32) -> u8 {
    let mut state = (0.0f32, 0.0f32, 1u32);
    while state.0 * state.0 + state.1 * state.1 < 4.0 && state.2 < 64 {
        let (a, b, n) = state;
        state = (a * a - b * b + x, 2.0 * a * b + y, n + 1);
    }
    state.2 as u8
}

#[test]
fn pictures_of_any_size() {
    for (height, width) in [(0, 5), (5, 0), (1, 1), (9, 16), (27, 45), (8, 33)] {
        let launch = |built: &Kernel, device: &Device, _| {
            matrices::mandelbrot::launch_kernel(built, device, height as u32, width as u32)
        };
        hold(
            &matrices::mandelbrot::kernel(),
            matrices::mandelbrot::CUDA,
            0,
            launch,
            |_| {
                let (dy, dx) = (2.4f32 / height as f32, 3.2f32 / width as f32);
                let at =
                    |i: usize| orbit((i % width) as f32 * dx - 2.0, 1.2 - (i / width) as f32 * dy);
                (0..width * height).map(at).collect()
            },
        );
    }
}

/// What a launch that is refused says.
fn refused<T>(result: Result<T>) -> String {
    match result {
        Err(error) if error.kind() == ErrorKind::Requirement => error.to_string(),
        Err(error) => panic!("another error: {error}"),
        Ok(_) => panic!("it is not refused"),
    }
}

#[test]
fn a_length_that_is_no_whole_number_of_rows_is_refused() {
    for device in [Device::cpu(), Device::cpu_by_columns(), Device::simulator()] {
        let input = device.upload(&[0u32; 100]).unwrap();
        let message = refused(matrices::transpose::launch(&device, 7, &input));
        assert_eq!(
            message,
            "kernel `transpose`: the length of `input` is 100, not a multiple of `width`, which is 7"
        );
        let message = refused(matrices::transpose::launch(&device, 0, &input));
        assert_eq!(
            message,
            "kernel `transpose`: the length of `input` is 100, not a multiple of `width`, which is 0"
        );
        let message = refused(matrices::plus_table::launch(&device, 9, 11, &input));
        assert_eq!(
            message,
            "kernel `plus_table`: the length of `input` is 100, and must be `height * width`, which is 99"
        );
        let message = refused(matrices::transpose_of_whole_tiles::launch(
            &device, 10, &input,
        ));
        assert!(
            message.contains(
                "is 10, not a multiple of 8; `cover` takes arrays of any height and width"
            ),
            "{message}"
        );
    }
}
