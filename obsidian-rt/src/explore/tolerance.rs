//! How far an answer may be from the reference.

use obsidian_language::scalar::{Literal, ScalarType};

/// How far each element of an answer may be from the reference.
///
/// An element is right if it has the bits of the reference, or if any bound that is set holds. Only floats can differ:
/// integers and truth values are always compared exactly. A NaN is right where the reference has one, and infinities
/// only where the reference has the same.
///
/// ```
/// use obsidian_rt::explore::Tolerance;
///
/// let tolerance = Tolerance::relative(1e-6).or_absolute(1e-12);
/// assert!(tolerance.accepts(1.000_000_1f64, 1.0) && tolerance.accepts(1e-13, 0.0));
/// assert!(!tolerance.accepts(1.000_1, 1.0));
/// assert!(!Tolerance::exact().accepts(0.1 + 0.2, 0.3));
/// assert!(Tolerance::ulps(1).accepts(0.1 + 0.2, 0.3));
/// ```
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Tolerance {
    absolute: f64,
    relative: f64,
    ulps: u64,
}

impl Tolerance {
    /// Bit for bit: the default.
    ///
    /// ```
    /// use obsidian_rt::explore::Tolerance;
    ///
    /// assert!(!Tolerance::exact().accepts(0.1 + 0.2, 0.3));
    /// ```
    pub fn exact() -> Self {
        Tolerance::default()
    }

    /// At most `bound` away. Bounds below 0 and NaN are 0.
    ///
    /// ```
    /// use obsidian_rt::explore::Tolerance;
    ///
    /// assert!(Tolerance::absolute(0.01).accepts(1.005, 1.0));
    /// ```
    pub fn absolute(bound: f64) -> Self {
        Tolerance::exact().or_absolute(bound)
    }

    /// At most `bound` times the size of the reference away. Bounds below 0 and NaN are 0.
    ///
    /// ```
    /// use obsidian_rt::explore::Tolerance;
    ///
    /// assert!(Tolerance::relative(0.01).accepts(100.5, 100.0));
    /// ```
    pub fn relative(bound: f64) -> Self {
        Tolerance {
            relative: bound.max(0.0),
            ..Tolerance::exact()
        }
    }

    /// At most `steps` away, counted in floats of the element type that lie between (units in the last place).
    ///
    /// ```
    /// use obsidian_rt::explore::Tolerance;
    ///
    /// assert!(Tolerance::ulps(1).accepts(0.1 + 0.2, 0.3));
    /// ```
    pub fn ulps(steps: u64) -> Self {
        Tolerance {
            ulps: steps,
            ..Tolerance::exact()
        }
    }

    /// The same, or at most `bound` away: for references near 0.
    ///
    /// ```
    /// use obsidian_rt::explore::Tolerance;
    ///
    /// assert!(Tolerance::relative(0.01).or_absolute(1e-9).accepts(1e-10, 0.0));
    /// ```
    #[must_use]
    pub fn or_absolute(self, bound: f64) -> Self {
        Tolerance {
            absolute: bound.max(0.0),
            ..self
        }
    }

    /// Returns `true` if an `f64` is near enough to the reference.
    ///
    /// ```
    /// use obsidian_rt::explore::Tolerance;
    ///
    /// assert!(Tolerance::exact().accepts(f64::NAN, f64::NAN));
    /// assert!(!Tolerance::absolute(1.0).accepts(f64::NAN, 0.0));
    /// ```
    pub fn accepts(&self, found: f64, reference: f64) -> bool {
        self.accepts_literals(Literal::from(found), Literal::from(reference))
    }

    /// Is a number near enough to the reference of the same type?
    pub(super) fn accepts_bits(&self, ty: ScalarType, found: u64, reference: u64) -> bool {
        found == reference
            || self.accepts_literals(
                Literal::from_bits(ty, found),
                Literal::from_bits(ty, reference),
            )
    }

    fn accepts_literals(&self, found: Literal, reference: Literal) -> bool {
        if found.bits() == reference.bits() {
            return true;
        }
        if *self == Tolerance::exact() {
            return false;
        }
        let ty = reference.ty();
        let (Some(a), Some(b)) = (found.as_float(), reference.as_float()) else {
            return false;
        };
        let [from, to] = [found, reference].map(|value| ordered(value.bits(), ty.bits() - 1));
        let steps = from.abs_diff(to);
        if !a.is_finite() || !b.is_finite() {
            return a == b || a.is_nan() && b.is_nan();
        }
        let away = (a - b).abs();
        // 0 times infinity is no number.
        let is_relative = self.relative == f64::INFINITY || away <= self.relative * b.abs();
        away <= self.absolute || is_relative || steps <= self.ulps
    }

    /// As bits, for a hash.
    pub(super) fn bits(&self) -> [u64; 3] {
        [self.absolute.to_bits(), self.relative.to_bits(), self.ulps]
    }
}

/// The place of a float among all of its type, by its bits, of which `sign` is the highest.
fn ordered(bits: u64, sign: u32) -> i64 {
    let size = (bits & !(1 << sign)) as i64;
    if bits >> sign == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_differ_by_bounds_and_integers_not_at_all() {
        let next = f32::from_bits(1.0f32.to_bits() + 1);
        let accepts = |tolerance: Tolerance, a: f32, b: f32| {
            tolerance.accepts_bits(ScalarType::F32, a.to_bits().into(), b.to_bits().into())
        };
        assert!(accepts(Tolerance::ulps(1), next, 1.0));
        assert!(!accepts(Tolerance::exact(), next, 1.0));
        assert!(!accepts(Tolerance::exact(), 0.0, -0.0), "bit for bit");
        assert!(accepts(Tolerance::ulps(1), -0.0, 0.0), "one number");
        assert!(accepts(
            Tolerance::ulps(2),
            f32::from_bits(1),
            -f32::from_bits(1)
        ));
        assert!(!accepts(
            Tolerance::ulps(1),
            f32::from_bits(1),
            -f32::from_bits(1)
        ));
        assert!(accepts(Tolerance::absolute(0.5), 1.5, 1.0));
        assert!(!accepts(Tolerance::absolute(f64::INFINITY), f32::NAN, 1.0));
        assert!(!accepts(
            Tolerance::absolute(f64::INFINITY),
            f32::INFINITY,
            f32::MAX
        ));
        assert!(!accepts(Tolerance::ulps(u64::MAX), f32::INFINITY, f32::MAX));
        for (found, reference) in [(1.0, 0.0), (f32::MAX, -0.0), (0.0, 1.0)] {
            assert!(accepts(
                Tolerance::relative(f64::INFINITY),
                found,
                reference
            ));
        }
        assert!(!accepts(
            Tolerance::relative(f64::INFINITY),
            f32::INFINITY,
            0.0
        ));
        assert!(accepts(Tolerance::absolute(0.1), f32::NAN, -f32::NAN));
        assert!(!accepts(Tolerance::absolute(f64::NAN), next, 1.0));
        let of_integers = |ty| Tolerance::absolute(10.0).accepts_bits(ty, 5, 6);
        assert!(!of_integers(ScalarType::U32) && !of_integers(ScalarType::I64));
    }
}
