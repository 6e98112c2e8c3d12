//! Kernels that say what each thread, warp and block computes.

use obsidian_rt::prelude::*;

/// The cases for which a kernel of one's own pays.
#[kernels]
pub mod tuned {
    /// `a * x + y`.
    #[kernel(threads = 256)]
    pub fn saxpy(a: EF32, x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
        let sums = zip_with(|x, y| a * x + y, x, y);
        sums.chunks(1024, 0.0)
            .as_grid_map(|piece| piece.push())
            .take(x.len())
    }

    /// `x + 1`.
    #[kernel(threads = 256)]
    pub fn increased(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.chunks(1024, 0.0)
            .as_grid_map(|piece| piece.map(|v| v + 1.0).push())
            .take(x.len())
    }

    /// The steps of each point of the Mandelbrot set, with multiply and add contracted.
    #[kernel(threads = 256, contract)]
    pub fn mandelbrot(height: EU32, width: EU32) -> DPush<Grid, EU32> {
        let points = generate((height, width), |(y, x)| {
            exec_thread_value(steps_at(height, width, y, x)).as_2d(1, 1)
        });
        points
            .cover(8, 32)
            .as_grid_map(|tile| tile.as_block())
            .crop(height, width)
            .flat()
    }

    fn steps_at(height: EU32, width: EU32, y: EU32, x: EU32) -> Program<Thread, EU32> {
        let re = -2.0 + x as f32 * (3.2 / width as f32);
        let im = -1.2 + y as f32 * (2.4 / height as f32);
        let last = seq_until(
            |(a, b, n)| (a * a - b * b + re, a * b * 2.0 + im, n + 1),
            |(a, b, n)| (a * a + b * b <= 4.0) & (n < 256),
            (lit(0.0f32), lit(0.0f32), lit(0u32)),
        )?;
        pure(last.2)
    }

    /// The mean of the four neighbours of each inner point of an array of one dimension, in rows of `width`.
    #[kernel(threads = 256)]
    pub fn jacobi(width: EU32, now: DPull<EF32>) -> DPush<Grid, EF32> {
        let (last, height) = (now.len() - 1, now.len() / width);
        let next = generate(now.len(), |i| {
            let (above, below) = (i.max(width) - width, (i + width).min(last));
            let (left, right) = (i.max(1) - 1, (i + 1).min(last));
            let mean = (now[above] + now[below] + now[left] + now[right]) * 0.25;
            let (row, column) = (i / width, i % width);
            let border = (row == 0) | (row == height - 1) | (column == 0) | (column == width - 1);
            select(border, now[i], mean)
        });
        next.chunks(1024, 0.0)
            .as_grid_map(|piece| piece.push())
            .take(now.len())
    }

    /// The same in tiles of 8 by 128, without a division by the width.
    #[kernel(threads = 256)]
    pub fn jacobi_2d(width: EU32, now: DPull<EF32>) -> DPush<Grid, EF32> {
        let m = now.in_rows(width);
        let height = m.height();
        let next = generate((height, width), |(r, c)| {
            let (up, down) = (r.max(1) - 1, (r + 1).min(height - 1));
            let (left, right) = (c.max(1) - 1, (c + 1).min(width - 1));
            let mean = (m[(up, c)] + m[(down, c)] + m[(r, left)] + m[(r, right)]) * 0.25;
            let border = (r == 0) | (r == height - 1) | (c == 0) | (c == width - 1);
            select(border, m[(r, c)], mean)
        });
        next.cover(8, 128)
            .as_grid_map(|tile| tile.push::<Block>())
            .crop(height, width)
            .flat()
    }

    /// The weights of a Gaussian filter of nine points.
    const WEIGHTS: [f32; 9] = [
        0.027_630_55,
        0.066_282_24,
        0.123_831_54,
        0.180_173_82,
        0.204_163_69,
        0.180_173_82,
        0.123_831_54,
        0.066_282_24,
        0.027_630_55,
    ];

    fn filtered(at: impl Fn(u32) -> EF32) -> EF32 {
        let mut sum = at(0) * WEIGHTS[0];
        for k in 1..9 {
            sum = at(k).mul_add(lit(WEIGHTS[k as usize]), sum);
        }
        sum
    }

    // A tile of 32 by 32 with its halo is in shared memory, and so are its rows when they are filtered.
    fn blurred(tile: Pull2<EF32>) -> Program<Block, Push2<Block, EF32>> {
        let halo = compute(tile)?;
        let rows = compute(generate((40, 32), |(y, x)| filtered(|k| halo[(y, x + k)])))?;
        pure(generate((32, 32), |(y, x)| filtered(|k| rows[(y + k, x)])).push())
    }

    /// A Gaussian filter of nine points along rows and columns; height and width are multiples of 32.
    #[kernel(threads = 256)]
    pub fn gauss(width: EU32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        let m = input.in_rows(width);
        let (height, last_row, last_column) = (m.height(), m.height() - 1, width - 1);
        let tiles = generate((height / 32, width / 32), |(ty, tx)| {
            exec_block(blurred(generate((40, 40), |(y, x)| {
                let (y, x) = ((ty * 32 + y).max(4) - 4, (tx * 32 + x).max(4) - 4);
                m[(y.min(last_row), x.min(last_column))]
            })))
        });
        tiles.as_grid().flat()
    }

    fn through(tile: Pull2<EF32>) -> Program<Block, Push2<Block, EF32>> {
        let stored = compute_pitch(33, tile)?;
        pure(stored.transpose().push())
    }

    /// A matrix of `32 * down` by `32 * across`, transposed in tiles.
    #[kernel(threads = 256)]
    pub fn transpose(down: EU32, across: EU32, input: DPull<EF32>) -> DPush<Grid, EF32> {
        let tiles = input
            .as_2d(down * 32, across * 32)
            .tiles(32, 32)
            .transpose();
        tiles.as_grid_map(|tile| exec_block(through(tile))).flat()
    }

    fn pulled(
        own: (EF32, EF32, EF32, EF32),
        other: (EF32, EF32, EF32, EF32),
        sum: (EF32, EF32, EF32),
    ) -> (EF32, EF32, EF32) {
        let (dx, dy, dz) = (other.0 - own.0, other.1 - own.1, other.2 - own.2);
        let square = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, lit(1.0e-3f32))));
        let inverse = square.rsqrt();
        let strength = other.3 * inverse * inverse * inverse;
        (
            dx.mul_add(strength, sum.0),
            dy.mul_add(strength, sum.1),
            dz.mul_add(strength, sum.2),
        )
    }

    fn forces_of_block(
        own: Pull<(EF32, EF32, EF32, EF32)>,
        all: DPull<(EF32, EF32, EF32, EF32)>,
    ) -> Program<Block, Push<Block, (EF32, EF32, EF32)>> {
        let own = hold(own)?;
        let zeros = replicate(256, (lit(0.0f32), lit(0.0f32), lit(0.0f32)));
        let sums = tiles_fold(
            all,
            256,
            zeros,
            |sums, tile| {
                let tile = compute(tile)?;
                let all = generate(256, |t| {
                    let sum = seq_iterate(256, |k, sum| pulled(own[t], tile[k], sum), sums[t]);
                    exec_thread_value(unroll(16, sum))
                });
                pure(all.as_block())
            },
            |sums, _| pure(sums),
        )?;
        pure(sums.push())
    }

    /// The force on each body; their number is a multiple of 256.
    #[kernel(threads = 256)]
    pub fn forces(bodies: DPull<(EF32, EF32, EF32, EF32)>) -> DPush<Grid, (EF32, EF32, EF32)> {
        bodies
            .split_up(256)
            .as_grid_map(|own| exec_block(forces_of_block(own, bodies)))
    }

    // Thread t of 256 holds 4 rows by 4 columns of the product.
    fn product_of_64(a: Pull2<EF32>, b: Pull2<EF32>) -> Program<Block, Push<Block, EF32>> {
        let a = compute(a.flat())?;
        let b = compute(b.flat())?;
        let sums = hold(generate(4096, |e| {
            (0u32..64).fold(lit(0.0f32), |sum, k| {
                a[row_of(e) * 64 + k].mul_add(b[k * 64 + column_of(e)], sum)
            })
        }))?;
        // The order in which threads hold the sums is one of all places; the simulator checks it.
        pure(
            sums.push()
                .ix_map(|e| (row_of(e) * 64 + column_of(e)).unchecked().distinct()),
        )
    }

    fn row_of(e: EU32) -> EU32 {
        e / 16 % 16 * 4 + e / 1024
    }

    fn column_of(e: EU32) -> EU32 {
        e % 16 * 4 + e / 256 % 4
    }

    /// Products of many matrices of 64 by 64, a block each.
    #[kernel(threads = 256)]
    pub fn batched(a: DPull<EF32>, b: DPull<EF32>) -> DPush<Grid, EF32> {
        let pairs = zip(a.split_up(4096), b.split_up(4096));
        pairs.as_grid_map(|(a, b)| exec_block(product_of_64(a.in_rows(64), b.in_rows(64))))
    }

    // The points of a tile of `ys` are in shared memory; a thread has the 16 coordinates of its own point.
    fn nearest_of_block(own: Pull<EF32>, ys: DPull<EF32>) -> Program<Block, Push<Block, EU32>> {
        let own = hold_as(Blocked(16), own)?;
        let start = replicate(32, (lit(f32::INFINITY), lit(0u32), lit(0u32)));
        let least = tiles_fold(
            ys,
            512,
            start,
            |least, tile| {
                let tile = compute(tile)?;
                pure(generate(32, |t| {
                    (0u32..32).fold(least[t], |(square, at, j), k| {
                        let sum = (0u32..16).fold(lit(0.0f32), |sum, c| {
                            let d = own[t * 16 + c] - tile[k * 16 + c];
                            d.mul_add(d, sum)
                        });
                        (square.min(sum), select(sum < square, j, at), j + 1)
                    })
                }))
            },
            |least, _| pure(least),
        )?;
        pure(least.map(|(_, at, _)| at).push())
    }

    /// The nearest of `ys` to each of `xs`, of 16 coordinates; both have a multiple of 32 points.
    #[kernel(threads = 32)]
    pub fn nearest(xs: DPull<EF32>, ys: DPull<EF32>) -> DPush<Grid, EU32> {
        xs.split_up(512)
            .as_grid_map(|own| exec_block(nearest_of_block(own, ys)))
    }

    /// A row of 128 for each id. An id beyond the table is a fault of the launch.
    #[kernel(faults, threads = 256)]
    pub fn embedded(ids: DPull<EU32>, table: DPull<EF32>) -> DPush<Grid, EF32> {
        let (count, rows) = (ids.len(), table.in_rows(128));
        let all = generate((count, lit(128u32)), |(i, k)| rows[(ids[i].unchecked(), k)]);
        all.flat()
            .chunks(1024, 0.0)
            .as_grid_map(|piece| piece.push())
            .take(count * 128)
    }
}
