//! Do two lists of numbers have the same order?

/// Spearman's rank correlation of pairs: 1 for the same order, -1 for the opposite one, and near 0
/// for orders that have nothing to do with each other. Equal numbers share the mean of their ranks.
/// It is not a number where all numbers of one side are equal.
pub fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (a, b) = (ranks(&a), ranks(&b));
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| {
        a.iter()
            .zip(b)
            .map(|(x, y)| (x - mean) * (y - mean))
            .sum::<f64>()
    };
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}

/// The rank of each number, from 1 on.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let rank = |number: &f64| {
        let below = numbers.iter().filter(|other| *other < number).count();
        let equal = numbers.iter().filter(|other| *other == number).count();
        below as f64 + (equal as f64 + 1.0) / 2.0
    };
    numbers.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_correlate() {
        assert_eq!(spearman(&[(1.0, 10.0), (2.0, 100.0), (3.0, 1000.0)]), 1.0);
        assert_eq!(spearman(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), -1.0);
        // Worked out by hand: squared differences of ranks 0, 1, 1 and 0, so 1 - 6 * 2 / (4 * 15).
        assert!((spearman(&[(1.0, 1.0), (2.0, 3.0), (3.0, 2.0), (4.0, 4.0)]) - 0.8).abs() < 1e-12);
    }

    #[test]
    fn equal_numbers_share_their_rank() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 7.0]), [2.5, 1.0, 2.5, 4.0]);
        assert!(spearman(&[(1.0, 1.0), (1.0, 2.0)]).is_nan());
    }
}
