//! Kernels of floats whose results are fixed.

use obsidian_rt::prelude::*;

#[kernels]
pub mod kernels {
    use obsidian_rt::algorithms::blocks::*;

    /// One rounding for each operation.
    #[kernel]
    pub fn saxpy(a: EF32, x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
        let sums = zip_with(|x, y| a * x + y, x, y);
        sums.chunks(256, 0.0)
            .as_grid_map(|piece| piece.push())
            .take(x.len())
    }

    /// The same with one rounding in all.
    #[kernel(contract)]
    pub fn contracted(a: EF32, x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
        let sums = zip_with(|x, y| a * x + y, x, y);
        sums.chunks(256, 0.0)
            .as_grid_map(|piece| piece.push())
            .take(x.len())
    }

    fn tree<L: Compute>(arr: Pull<EF32>) -> Program<L, Push<L, EF32>> {
        if arr.len() == 1 {
            return pure(arr.push());
        }
        let (a, b) = arr.halve();
        let arr = compute(zip_with(|a, b| a + b, a, b))?;
        tree(arr)
    }

    /// Sums of 512 by halves.
    #[kernel(threads = 64)]
    pub fn halves(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(512).as_grid_map(|run| exec_block(tree(run)))
    }

    /// Sums of 96, which are no power of two, by the collective.
    #[kernel(threads = 64)]
    pub fn reduced(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(96)
            .as_grid_map(|run| reduce::<Block, EF32>(|a, b| a + b, run))
    }

    /// Sums of eight neighbours, one after the other.
    #[kernel]
    pub fn folded(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(1024).as_grid_map(|run| {
            run.split_up(8)
                .map(|own| fold1(|a, b| a + b, own)[0])
                .push()
        })
    }

    /// Prefix sums of 256.
    #[kernel(threads = 64)]
    pub fn scanned(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(256)
            .as_grid_map(|run| inclusive_scan::<Block, EF32>(|a, b| a + b, run))
    }

    fn softmax_of(row: Pull<EF32>) -> Program<Block, Push<Block, EF32>> {
        let x = hold(row)?;
        let top = compute(reduce(|a, b| a.max(b), x))?;
        let powers = hold(x.map(|x| (x - top[0]).exp()))?;
        let sum = compute(reduce(|a, b| a + b, powers))?;
        pure(powers.map(|e| e / sum[0]).push())
    }

    /// Softmax of rows of 512.
    #[kernel(threads = 128)]
    pub fn softmax(x: DPull<EF32>) -> DPush<Grid, EF32> {
        x.split_up(512)
            .as_grid_map(|row| exec_block(softmax_of(row)))
    }

    /// Sums of rows of any width.
    #[kernel(threads = 64)]
    pub fn rows(width: EU32, x: DPull<EF32>) -> DPush<Grid, EF32> {
        let rows = x.in_rows(width).rows();
        rows.as_grid_map(|row| exec_block_value(block_reduce_commutative(|a, b| a + b, 0.0, row)))
    }

    /// The mean of an element and its neighbours.
    #[kernel]
    pub fn smoothed(width: EU32, x: DPull<EF32>) -> DPush<Grid, EF32> {
        let m = x.in_rows(width);
        let (h, w) = m.shape();
        let means = generate((h, w), |(y, x)| {
            let (above, below) = (y.max(1) - 1, (y + 1).min(h - 1));
            let (left, right) = (x.max(1) - 1, (x + 1).min(w - 1));
            (m[(y, x)] + m[(above, x)] + m[(below, x)] + m[(y, left)] + m[(y, right)]) * 0.2
        });
        means
            .cover(8, 32)
            .as_grid_map(|tile| tile.push::<Block>())
            .crop(h, w)
            .flat()
    }

    /// A window of three by three with factors of its own.
    #[kernel(threads = 64)]
    pub fn windows(width: EU32, x: DPull<EF32>) -> DPush<Grid, EF32> {
        let sum = |window: Pull2<EF32>, _: EU32, _: EU32| {
            let mut sum = window.at((0, 0)) * 0.1;
            for k in 1..9u32 {
                sum = sum + window.at((k / 3, k % 3)) * (0.1 + 0.07 * k as f32);
            }
            sum
        };
        stencil_tiles(8, 16, 1, sum, clamped(1, x.in_rows(width))).flat()
    }

    fn of_tiles(a: Pull2<EF32>, b: Pull2<EF32>) -> Program<Block, Pull2<EF32>> {
        let a = compute(a)?;
        let b = compute(b)?;
        pure(generate((16, 16), |(y, x)| {
            fold1(|p, q| p + q, zip_with(|p, q| p * q, a.row(y), b.column(x)))[0]
        }))
    }

    fn of_lines(
        rows: DPull<Pull2<EF32>>,
        columns: DPull<Pull2<EF32>>,
    ) -> Program<Block, Push2<Block, EF32>> {
        let zeros = generate((16, 16), |(_, _)| lit(0.0f32));
        let sums = accumulate(|a, b| a + b, zeros, zip_with(of_tiles, rows, columns))?;
        pure(sums.push())
    }

    /// A product of matrices in tiles of 16.
    #[kernel(threads = 64)]
    pub fn product(inner: EU32, width: EU32, a: DPull<EF32>, b: DPull<EF32>) -> DPush<Grid, EF32> {
        let rows = a.in_rows(inner).tiles(16, 16).rows();
        let columns = b.as_2d(inner, width).tiles(16, 16).columns();
        let tiles = generate((rows.len(), columns.len()), |(y, x)| {
            exec_block(of_lines(rows[y], columns[x]))
        });
        tiles.as_grid().flat()
    }

    /// Two normal numbers of two uniform ones, by Box and Muller.
    #[kernel]
    pub fn normals(x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, (EF32, EF32)> {
        let pairs = zip_with(
            |x, y| {
                let radius = (x.abs().max(1e-6).ln() * -2.0).sqrt();
                let angle = y * 3.1415927;
                (radius * angle.cos(), radius * angle.sin())
            },
            x,
            y,
        );
        pairs
            .chunks(256, (0.0, 0.0))
            .as_grid_map(|piece| piece.push())
            .take(x.len())
    }

    fn orbit(re: EF32, im: EF32) -> Program<Thread, EF32> {
        let last = seq_iterate(
            8,
            |_, (a, b)| (a * a - b * b + re, a * b * 2.0 + im),
            (lit(0.0f32), lit(0.0f32)),
        )?;
        pure(last.0 + last.1)
    }

    /// Where points are after eight steps; some are infinite or no number.
    #[kernel]
    pub fn orbits(x: DPull<EF32>, y: DPull<EF32>) -> DPush<Grid, EF32> {
        zip(x, y)
            .chunks(256, (0.0, 0.0))
            .as_grid_map(|piece| piece.as_block_map(|(re, im)| exec_thread_value(orbit(re, im))))
            .take(x.len())
    }
}
