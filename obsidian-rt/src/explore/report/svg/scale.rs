//! Scales of axes: from numbers to places between 0 and 1, and the numbers that are written beside
//! them.

use crate::explore::result::Value;

/// A scale of times.
pub struct Times {
    low: f64,
    high: f64,
    logarithmic: bool,
}

/// The highest over the lowest of numbers from which on they are shown by their logarithms.
const WIDE: f64 = 12.0;

impl Times {
    /// A scale for positive numbers: of logarithms where they are of different sizes, else from 0
    /// on.
    pub fn of(numbers: impl Iterator<Item = f64> + Clone) -> Times {
        let (low, high) = (
            numbers.clone().fold(f64::INFINITY, f64::min),
            numbers.fold(0.0, f64::max),
        );
        if !(low > 0.0 && low <= high && high.is_finite()) {
            return Times {
                low: 0.0,
                high: 1.0,
                logarithmic: false,
            };
        }
        match high / low >= WIDE {
            true => Times {
                low: low / 1.15,
                high: high * 1.15,
                logarithmic: true,
            },
            false => Times {
                low: 0.0,
                high: high * 1.08,
                logarithmic: false,
            },
        }
    }

    /// The place of a number.
    pub fn place(&self, number: f64) -> f64 {
        match self.logarithmic {
            true => (number / self.low).ln() / (self.high / self.low).ln(),
            false => (number - self.low) / (self.high - self.low),
        }
    }

    /// Round numbers along the scale: 1, 2 and 5 of each power of ten, or only 1 where those are
    /// many; or equal steps.
    pub fn ticks(&self) -> Vec<f64> {
        if !self.logarithmic {
            let step = round_step(self.high / 5.0);
            return (0..)
                .map(|n| f64::from(n) * step)
                .take_while(|tick| *tick <= self.high)
                .collect();
        }
        let powers = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
        let factors: &[f64] = if self.high / self.low > 1e4 {
            &[1.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        let all =
            powers.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
        all.filter(|tick| (self.low..=self.high).contains(tick))
            .collect()
    }

    /// Is it one of logarithms?
    pub fn is_logarithmic(&self) -> bool {
        self.logarithmic
    }
}

/// 1, 2 or 5 of a power of ten, at or above a number.
fn round_step(at_least: f64) -> f64 {
    let power = 10f64.powf(at_least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= at_least * 0.999)
        .unwrap_or(at_least)
}

/// The places of the values of a parameter, between 0 and 1: numbers by their logarithms where the
/// next one is a multiple, else by their size; words one after the other.
pub fn places(values: &[Value]) -> Vec<f64> {
    let numbers: Option<Vec<f64>> = values
        .iter()
        .map(|value| {
            if let Value::Number(n) = value {
                Some(*n as f64)
            } else {
                None
            }
        })
        .collect();
    let steps = (0..values.len()).map(|n| n as f64).collect();
    let at = match numbers {
        Some(numbers)
            if numbers
                .first()
                .is_some_and(|first| *first > 0.0 && numbers[numbers.len() - 1] / first >= 8.0) =>
        {
            numbers.iter().map(|number| number.log2()).collect()
        }
        Some(numbers) => numbers,
        None => steps,
    };
    let (Some(first), Some(last)) = (at.first(), at.last()) else {
        return Vec::new();
    };
    at.iter()
        .map(|place| {
            if last > first {
                (place - first) / (last - first)
            } else {
                0.5
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(
            Times::of([3.0, 9.0].into_iter()).ticks(),
            [0.0, 2.0, 4.0, 6.0, 8.0]
        );
        let wide = Times::of([0.3, 40.0].into_iter());
        assert_eq!(wide.ticks(), [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
        assert!(wide.is_logarithmic() && wide.place(0.3) > 0.0 && wide.place(40.0) < 1.0);
        assert_eq!(Times::of([1.0, 1e7].into_iter()).ticks().len(), 8);
        assert_eq!(Times::of([].into_iter()).ticks().len(), 6);
    }

    #[test]
    fn places_follow_the_kind_of_values() {
        let numbers =
            |numbers: &[u64]| places(&numbers.iter().map(|n| Value::from(*n)).collect::<Vec<_>>());
        assert_eq!(
            numbers(&[32, 64, 128, 256, 512]),
            [0.0, 0.25, 0.5, 0.75, 1.0],
            "powers of two"
        );
        assert_eq!(numbers(&[10, 20, 50]), [0.0, 0.25, 1.0]);
        assert_eq!(numbers(&[7]), [0.5]);
        assert_eq!(
            places(&["a".into(), "b".into(), "z".into()]),
            [0.0, 0.5, 1.0]
        );
        assert!(numbers(&[]).is_empty());
    }
}
