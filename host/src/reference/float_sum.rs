//! [`FloatSum`]: a sum of floats as good as exact, and the error that additions may make.

use super::{Verdict, quotient};

/// A sum of floats in twice the precision of `f64`, with the sum of magnitudes.
///
/// A tree of additions with at most k on a path differs from it by at most γ_k Σ|x|, where
/// γ_k = k u ÷ (1 − k u) and u is the unit roundoff of the elements' type (Higham, *Accuracy and
/// Stability of Numerical Algorithms*, 2nd edition, section 4.2). Additions have no error from
/// underflow.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatSum {
    /// The sum of the finite elements is `scale` × (`high` + `low`).
    high: f64,
    low: f64,
    scale: f64,
    /// Σ|x| ÷ `scale` of the finite elements, not below the true one.
    magnitude: f64,
    /// The most that `high` + `low` is off.
    error: f64,
    /// What the elements that are not finite make of the sum.
    not_finite: Option<f64>,
    unit_roundoff: f64,
    largest: f64,
}

impl FloatSum {
    /// The sum of `values`.
    #[must_use]
    pub fn of_f32(values: &[f32]) -> Self {
        let unit_roundoff = f64::from(f32::EPSILON) / 2.0;
        Self::of(|| values.iter().map(|x| f64::from(*x)), unit_roundoff, f32::MAX.into())
    }

    /// The sum of `values`.
    #[must_use]
    pub fn of_f64(values: &[f64]) -> Self {
        Self::of(|| values.iter().copied(), f64::EPSILON / 2.0, f64::MAX)
    }

    fn of<I: Iterator<Item = f64>>(
        values: impl Fn() -> I,
        unit_roundoff: f64,
        largest: f64,
    ) -> Self {
        let sum = Self::scaled(values(), 1.0, unit_roundoff, largest);
        if sum.magnitude.is_finite() {
            return sum;
        }
        // 2^64 elements of 2^1024 each are finite after this, and what the small ones lose is far
        // below the error that is allowed for.
        Self::scaled(values(), 2f64.powi(80), unit_roundoff, largest)
    }

    fn scaled(
        values: impl Iterator<Item = f64>,
        scale: f64,
        unit_roundoff: f64,
        largest: f64,
    ) -> Self {
        let (mut high, mut low, mut magnitude, mut n) = (0.0, 0.0, 0.0, 0.0);
        let mut not_finite: Option<f64> = None;
        let down = 1.0 / scale;
        for x in values {
            n += 1.0;
            if !x.is_finite() {
                // Infinity with itself stays, with its opposite or NaN it is NaN.
                not_finite = Some(not_finite.map_or(x, |so_far| so_far + x));
                continue;
            }
            let x = x * down;
            let (sum, rest) = two_sum(high, x);
            (high, low) = quick_two_sum(sum, low + rest);
            magnitude += x.abs();
        }
        // n f64 additions are below the true magnitude by at most n u of it, and n pair additions
        // off by less than n 2^-102.
        let magnitude = magnitude * (1.0 + 2.0 * n * f64::EPSILON);
        let lost_below = if scale == 1.0 { 0.0 } else { n * f64::MIN_POSITIVE };
        let error = n * 2f64.powi(-102) * magnitude + lost_below;
        Self { high, low, scale, magnitude, error, not_finite, unit_roundoff, largest }
    }

    /// The nearest `f64`.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.not_finite.unwrap_or(self.high * self.scale)
    }

    /// Holds `value`, made by at most `additions` on any path, against this sum.
    ///
    /// A finite value has seen no overflow, since infinity and NaN stay; it must lie within the
    /// bound. Where Σ|x| goes beyond the type's range some orders of additions overflow and others
    /// do not, so a value that is not finite is right too.
    #[must_use]
    pub fn judge(&self, value: f64, additions: u64) -> Verdict {
        let rounding = additions as f64 * self.unit_roundoff;
        let gamma = if rounding < 1.0 { rounding / (1.0 - rounding) } else { f64::INFINITY };
        let may_overflow = self.magnitude * (1.0 + gamma) > self.largest / self.scale;
        let ratio = quotient(value, self.value());

        if let Some(expected) = self.not_finite {
            let same = value == expected || (value.is_nan() && expected.is_nan());
            let ok = same || (value.is_nan() && may_overflow);
            return Verdict { ok, bound: 0.0, difference: same.then_some(0.0), ratio };
        }
        if !value.is_finite() {
            let bound = if may_overflow { f64::INFINITY } else { self.bound(gamma) };
            return Verdict { ok: may_overflow, bound, difference: None, ratio };
        }
        let off = ((value / self.scale - self.high) - self.low).abs();
        let (bound, difference) = (self.bound(gamma), off * self.scale);
        Verdict { ok: difference <= bound, bound, difference: Some(difference), ratio }
    }

    fn bound(&self, gamma: f64) -> f64 {
        // The last factor covers the roundings of the bound and of the difference themselves.
        (gamma * self.magnitude + self.error) * self.scale * (1.0 + 8.0 * f64::EPSILON)
    }
}

/// a + b and its rounding error, exactly.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// The same where |a| ≥ |b|.
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum in fixed point with 90 bits after the point, by integers alone.
    fn fixed_point(values: &[f32]) -> i128 {
        let fixed = |x: f32| {
            let bits = x.to_bits();
            let mantissa = i128::from((bits & 0x007f_ffff) | 0x0080_0000);
            let exponent = ((bits >> 23) & 0xff) as i32 - 127 - 23;
            let magnitude = mantissa << (exponent + 90);
            if bits >> 31 == 1 { -magnitude } else { magnitude }
        };
        values.iter().map(|x| fixed(*x)).sum()
    }

    #[test]
    fn the_sum_is_that_of_fixed_point_arithmetic() {
        let mut state = 1u64;
        let values: Vec<f32> = (0..5000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let mantissa = (state >> 40) as u32 & 0x007f_ffff;
                let exponent = 127 + ((state >> 20) % 60) as u32 - 40;
                f32::from_bits(((state >> 63) as u32) << 31 | exponent << 23 | mantissa)
            })
            .collect();
        let sum = FloatSum::of_f32(&values);
        // Both parts are whole multiples of 2^-63, so fixed point holds them exactly.
        let parts = [sum.high, sum.low].map(|part| (part * 2f64.powi(63)) as i128);
        assert_eq!((parts[0] + parts[1]) << 27, fixed_point(&values));
        assert!(sum.low != 0.0);
    }

    #[test]
    fn cancellation_leaves_the_small_one() {
        let sum = FloatSum::of_f64(&[1e16, 1.0, -1e16, 2f64.powi(-60)]);
        assert_eq!(sum.value(), 1.0);
        assert_eq!(sum.low, 2f64.powi(-60));
    }

    #[test]
    fn the_bound_is_a_few_roundings() {
        let sum = FloatSum::of_f32(&[1.0; 1024]);
        let u = 2f64.powi(-24);
        let verdict = sum.judge(1024.0, 10);
        assert!(verdict.ok && verdict.difference == Some(0.0) && verdict.ratio == Some(1.0));
        assert!(verdict.bound > 10.0 * u * 1024.0 && verdict.bound < 10.001 * u * 1024.0);
        assert!(sum.judge(1024.0 + 9.0 * u * 1024.0, 10).ok);
        assert!(!sum.judge(1024.0 + 11.0 * u * 1024.0, 10).ok);
        assert!(
            !sum.judge(512.0, 10).ok
                && !sum.judge(f64::NAN, 10).ok
                && !sum.judge(f64::INFINITY, 10).ok
        );
    }

    #[test]
    fn what_is_not_finite() {
        let infinite = FloatSum::of_f32(&[1.0, f32::INFINITY]);
        assert!(infinite.judge(f64::INFINITY, 8).ok);
        assert!(
            !infinite.judge(f64::NEG_INFINITY, 8).ok
                && !infinite.judge(1.0, 8).ok
                && !infinite.judge(f64::NAN, 8).ok
        );
        let nan = FloatSum::of_f32(&[f32::INFINITY, 1.0, f32::NEG_INFINITY]);
        assert!(nan.judge(f64::NAN, 8).ok && !nan.judge(f64::INFINITY, 8).ok);
        assert!(FloatSum::of_f64(&[f64::NAN, 1.0]).judge(f64::NAN, 8).ok);
    }

    #[test]
    fn overflow_on_the_way() {
        // MAX + MAX − MAX: MAX, or infinite, by the order.
        let sum = FloatSum::of_f64(&[f64::MAX, f64::MAX, -f64::MAX]);
        assert_eq!(sum.value(), f64::MAX);
        assert!(sum.judge(f64::MAX, 8).ok && sum.judge(f64::INFINITY, 8).ok);
        assert!(!sum.judge(f64::MAX / 2.0, 8).ok);
        let sum = FloatSum::of_f32(&[f32::MAX, f32::MAX]);
        assert!(sum.judge(f64::INFINITY, 8).ok && !sum.judge(0.0, 8).ok);
        assert_eq!(FloatSum::of_f64(&[f64::MAX, f64::MAX]).value(), f64::INFINITY);
    }
}
