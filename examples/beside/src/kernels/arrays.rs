//! Programs over whole arrays: the compiler decides what is stored, and which kernels there are.

use obsidian_rt::prelude::*;

/// The cases as array programs.
#[kernels]
pub mod whole {
    /// `a * x + y`.
    #[arrays]
    pub fn saxpy(a: EF32, x: Arr1<EF32>, y: Arr1<EF32>) -> Arr1<EF32> {
        zip_with(|x, y| a * x + y, x, y)
    }

    /// The sum of each row.
    #[arrays]
    pub fn row_sums(m: Arr2<EF32>) -> Arr1<EF32> {
        m.sum()
    }

    /// The softmax of each row.
    #[arrays]
    pub fn softmax(x: Arr2<EF32>) -> Arr2<EF32> {
        let (_, width) = x.shape();
        let powers = zip_with(|x, top| (x - top).exp(), x, x.max().replicate_inner(width));
        zip_with(
            |e, sum| e / sum,
            powers,
            powers.sum().replicate_inner(width),
        )
    }

    /// Each row with mean 0 and variance 1, times a gain and plus a bias for each column.
    #[arrays]
    pub fn layer_norm(x: Arr2<EF32>, gain: Arr1<EF32>, bias: Arr1<EF32>) -> Arr2<EF32> {
        let (height, width) = x.shape();
        let count = width as f32;
        let means = x.sum().map(|sum| sum / count);
        let centred = zip_with(|x, mean| x - mean, x, means.replicate_inner(width));
        let variances = centred.map(|c| c * c).sum().map(|sum| sum / count);
        let scales = variances.map(|v| 1.0 / (v + 1e-5).sqrt());
        let scaled = zip_with(|c, scale| c * scale, centred, scales.replicate_inner(width));
        let gained = zip_with(|x, gain| x * gain, scaled, gain.replicate(height));
        zip_with(|x, bias| x + bias, gained, bias.replicate(height))
    }

    /// The mean of the four neighbours of each inner point. The border stays.
    #[arrays]
    pub fn jacobi(x: Arr2<EF32>) -> Arr2<EF32> {
        let (height, width) = x.shape();
        let means = x.stencil(Clamp, |w| {
            (w.at((-1, 0)) + w.at((1, 0)) + w.at((0, -1)) + w.at((0, 1))) * 0.25
        });
        means.imap(|(r, c), mean| {
            let border = (r == 0) | (r == height - 1) | (c == 0) | (c == width - 1);
            select(border, x[(r, c)], mean)
        })
    }

    /// The Laplace operator on a volume, with zeros outside.
    #[arrays]
    pub fn laplace(x: Arr3<EF32>) -> Arr3<EF32> {
        x.stencil(Constant(0.0), |w| {
            let planes = w.at((-1, 0, 0)) + w.at((1, 0, 0));
            let rows = w.at((0, -1, 0)) + w.at((0, 1, 0));
            let columns = w.at((0, 0, -1)) + w.at((0, 0, 1));
            planes + rows + columns - w.at((0, 0, 0)) * 6.0
        })
    }

    /// A generation of Conway's Life on a torus.
    #[arrays]
    pub fn life(x: Arr2<EU8>) -> Arr2<EU8> {
        x.stencil(Wrap, |w| {
            let above = w.at((-1, -1)) + w.at((-1, 0)) + w.at((-1, 1));
            let below = w.at((1, -1)) + w.at((1, 0)) + w.at((1, 1));
            let neighbours = above + below + w.at((0, -1)) + w.at((0, 1));
            let lives = (neighbours == 3) | ((neighbours == 2) & (w.at((0, 0)) == 1));
            select(lives, 1u8, 0u8)
        })
    }

    /// The weights of a Gaussian filter, from the middle to the edge.
    const WEIGHTS: [f32; 5] = [
        0.204_163_69,
        0.180_173_82,
        0.123_831_54,
        0.066_282_24,
        0.027_630_55,
    ];

    fn filtered(at: impl Fn(i32) -> EF32) -> EF32 {
        let mut sum = at(0) * WEIGHTS[0];
        for k in 1..5 {
            sum = sum + (at(k) + at(-k)) * WEIGHTS[k as usize];
        }
        sum
    }

    /// A Gaussian filter of nine points along rows, then along columns. The border is repeated.
    #[arrays]
    pub fn gauss(x: Arr2<EF32>) -> Arr2<EF32> {
        let rows = x.stencil(Clamp, |w| filtered(|k| w.at((0, k))));
        rows.stencil(Clamp, |w| filtered(|k| w.at((k, 0))))
    }

    /// The prices of a call and a put option of price, strike and years, by Black and Scholes.
    #[arrays]
    pub fn options(options: Arr1<(EF32, EF32, EF32)>) -> Arr1<(EF32, EF32)> {
        options.map(|(price, strike, years)| {
            let root = years.sqrt();
            let d1 = ((price / strike).ln() + (0.02 + 0.5 * 0.30 * 0.30) * years) / (0.30 * root);
            let d2 = d1 - 0.30 * root;
            let discounted = strike * (-0.02 * years).exp();
            let (n1, n2) = (normal(d1), normal(d2));
            let call = price * n1 - discounted * n2;
            let put = discounted * (1.0 - n2) - price * (1.0 - n1);
            (call, put)
        })
    }

    /// The normal distribution, by formula 26.2.17 of Abramowitz and Stegun.
    fn normal(d: EF32) -> EF32 {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let inner = 1.781477937 + k * (-1.821255978 + k * 1.330274429);
        let polynomial = k * (0.31938153 + k * (-0.356563782 + k * inner));
        let tail = 0.39894228 * (-0.5 * d * d).exp() * polynomial;
        select(d > 0.0, 1.0 - tail, tail)
    }

    /// The steps, at most 256, until a point of the plane leaves the circle of radius 2.
    #[arrays]
    pub fn mandelbrot(height: EU32, width: EU32) -> Arr2<EU32> {
        generate((height, width), |(y, x)| {
            let re = -2.0 + x as f32 * (3.2 / width as f32);
            let im = -1.2 + y as f32 * (2.4 / height as f32);
            let last = seq_until(
                |(a, b, n)| (a * a - b * b + re, a * b * 2.0 + im, n + 1),
                |(a, b, n)| (a * a + b * b <= 4.0) & (n < 256),
                (lit(0.0f32), lit(0.0f32), lit(0u32)),
            );
            last.map(|(_, _, n)| n)
        })
    }

    /// The force on each body, of position and mass.
    #[arrays]
    pub fn forces(bodies: Arr1<(EF32, EF32, EF32, EF32)>) -> Arr1<(EF32, EF32, EF32)> {
        let count = bodies.len();
        let pulls = zip_with(pull, bodies.replicate_inner(count), bodies.replicate(count));
        pulls.fold(
            |(a, b, c), (x, y, z)| (a + x, b + y, c + z),
            (0.0, 0.0, 0.0),
        )
    }

    fn pull(
        (x, y, z, _): (EF32, EF32, EF32, EF32),
        (a, b, c, mass): (EF32, EF32, EF32, EF32),
    ) -> (EF32, EF32, EF32) {
        let (dx, dy, dz) = (a - x, b - y, c - z);
        let square = dx * dx + dy * dy + dz * dz + 1e-3;
        let strength = mass / (square * square.sqrt());
        (dx * strength, dy * strength, dz * strength)
    }

    /// A sparse matrix in compressed rows, times a vector.
    #[arrays]
    pub fn sparse(
        offsets: Arr1<EU32>,
        columns: Arr1<EU32>,
        values: Arr1<EF32>,
        v: Arr1<EF32>,
    ) -> Arr1<EF32> {
        let products = zip_with(|a, column| a * v[column], values, columns);
        products.segmented_fold(offsets, |sum, x| sum + x, 0.0)
    }

    /// A product of matrices.
    #[arrays]
    pub fn product(a: Arr2<EF32>, b: Arr2<EF32>) -> Arr2<EF32> {
        let ((height, depth), (_, width)) = (a.shape(), b.shape());
        generate((height, width, depth), |(i, j, k)| a[(i, k)] * b[(k, j)]).sum()
    }

    /// For each row of `xs`, of 16 coordinates, the nearest row of `ys`.
    #[arrays]
    pub fn nearest(xs: Arr2<EF32>, ys: Arr2<EF32>) -> Arr1<EU32> {
        let ((points, _), (others, _)) = (xs.shape(), ys.shape());
        let squares = generate((points, others), |(i, j)| {
            let mut sum = lit(0.0f32);
            for k in 0..16 {
                let d = xs[(i, k)] - ys[(j, k)];
                sum = sum + d * d;
            }
            sum
        });
        squares.arg_min()
    }

    /// Ten rounds of Philox 2x32 (Salmon, Moraes, Dror and Shaw, 2011).
    fn philox(counter: EU32, key: u32) -> (EU32, EU32) {
        let (mut a, mut b, mut key) = (counter, lit(0u32), key);
        for _ in 0..10 {
            let wide = (a as u64) * 0xD256_D193u64;
            a = ((wide >> 32) as u32) ^ b ^ key;
            b = wide as u32;
            key = key.wrapping_add(0x9E37_79B9);
        }
        (a, b)
    }

    /// How many of `count` random points of the unit square are in the circle.
    #[arrays]
    pub fn inside(count: EU32) -> Arr0<EU32> {
        let points = generate(count, |i| {
            let (a, b) = philox(i, 7);
            let (x, y) = (unit(a), unit(b));
            select(x * x + y * y <= 1.0, 1u32, 0u32)
        });
        points.sum()
    }

    fn unit(word: EU32) -> EF32 {
        (word >> 8) as f32 * 5.960_464_5e-8
    }

    /// A row of the table for each id.
    #[arrays]
    pub fn embedded(ids: Arr1<EU32>, table: Arr2<EF32>) -> Arr2<EF32> {
        let (_, width) = table.shape();
        generate((ids.len(), width), |(i, k)| table[(ids[i], k)])
    }
}
