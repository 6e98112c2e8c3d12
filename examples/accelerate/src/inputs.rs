//! Inputs, from numbers that are the same each time.

/// Floats in `low .. high`.
pub fn floats(seed: u32, n: usize, low: f32, high: f32) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * (state >> 8) as f32 / (1 << 24) as f32
    };
    (0..n).map(|_| next()).collect()
}

/// Numbers of any 32 bits.
pub fn numbers(seed: u32, n: usize) -> Vec<u32> {
    let mut state = seed ^ 0x9e37_79b9;
    let mut next = || {
        // Xorshift, of Marsaglia.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..n).map(|_| next()).collect()
}

/// Options: price, strike price, years.
pub fn options(n: usize) -> Vec<(f32, f32, f32)> {
    let (price, strike) = (floats(1, n, 5.0, 30.0), floats(2, n, 1.0, 100.0));
    let years = floats(3, n, 0.25, 10.0);
    let pairs = price.into_iter().zip(strike).zip(years);
    pairs
        .map(|((price, strike), years)| (price, strike, years))
        .collect()
}

/// Bodies: place and mass.
pub fn bodies(n: usize) -> Vec<(f32, f32, f32, f32)> {
    let axis = |seed| floats(seed, n, -1.0, 1.0);
    let places = axis(4).into_iter().zip(axis(5)).zip(axis(6));
    let masses = floats(7, n, 0.1, 1.0);
    let all = places.zip(masses);
    all.map(|(((x, y), z), mass)| (x, y, z, mass)).collect()
}

/// A sparse matrix in compressed rows.
pub struct Sparse {
    /// Where each row begins in the other two, and where the last one ends.
    pub offsets: Vec<u32>,
    /// The column of each value.
    pub columns: Vec<u32>,
    /// The elements that are not zero, row by row.
    pub values: Vec<f32>,
}

/// A sparse matrix. Its rows differ in length: every third has no value, and one of 100 has many.
pub fn sparse(height: usize, width: usize) -> Sparse {
    let lengths = numbers(12, height).into_iter().enumerate();
    let lengths = lengths.map(|(row, x)| match (row % 3, row % 100) {
        _ if width == 0 => 0,
        (0, _) => 0,
        (_, 50) => 200 + x % 3000,
        _ => x % 40,
    });
    let mut offsets = vec![0];
    for length in lengths {
        offsets.push(offsets[offsets.len() - 1] + length);
    }
    let values = offsets[height] as usize;
    let columns = numbers(13, values).into_iter();
    Sparse {
        columns: columns.map(|x| x % width as u32).collect(),
        values: floats(14, values, -1.0, 1.0),
        offsets,
    }
}

/// Smoke in a fluid, and its velocity down and to the right: two round clouds, and a whirl.
pub fn fluid(height: usize, width: usize) -> [Vec<f32>; 3] {
    let size = height.min(width).max(1) as f32;
    let of = |cell: &dyn Fn(f32, f32) -> f32| {
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (y as f32, x as f32)));
        all.map(|(y, x)| cell(y, x)).collect()
    };
    let cloud = |y: f32, x: f32, (cy, cx): (f32, f32)| {
        let (dy, dx) = (y - cy * height as f32, x - cx * width as f32);
        (-(dy * dy + dx * dx) * 40.0 / (size * size)).exp()
    };
    let whirl = |y: f32, x: f32| {
        let (dy, dx) = (y / size - 0.5, x / size - 0.5);
        let speed = 0.1 * size * (-(dy * dy + dx * dx) * 8.0).exp();
        (dx * speed, -dy * speed)
    };
    [
        of(&|y, x| cloud(y, x, (0.3, 0.4)) + cloud(y, x, (0.6, 0.7))),
        of(&|y, x| whirl(y, x).0),
        of(&|y, x| whirl(y, x).1 + cloud(y, x, (0.3, 0.4))),
    ]
}
