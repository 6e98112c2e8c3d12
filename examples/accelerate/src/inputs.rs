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
