//! Float arithmetic in plain Rust, for hosts.

use half::{bf16, f16};

use super::extremum::Extremum;
use crate::plain::algorithms::select::select;

macro_rules! floats {
    ($($t:ty)*) => {$(
        impl Extremum for $t {
            #[inline(always)]
            fn min_number(self, other: Self) -> Self {
                select(self.is_nan() | below(other, self), other, self)
            }
            #[inline(always)]
            fn max_number(self, other: Self) -> Self {
                select(self.is_nan() | below(self, other), other, self)
            }
            #[inline(always)]
            fn min_or_nan(self, other: Self) -> Self {
                select(other.is_nan() | below(other, self), other, self)
            }
            #[inline(always)]
            fn max_or_nan(self, other: Self) -> Self {
                select(other.is_nan() | below(self, other), other, self)
            }
        }
    )*};
}

floats! { f16 bf16 f32 f64 }

/// `a < b`, with −0 below +0; false where either is NaN, and any answer where both are one value.
///
/// No `&&` nor `||`: they would be branches, on which the lanes of a wave disagree.
#[inline(always)]
fn below<T: SignedZero>(a: T, b: T) -> bool {
    (a < b) | ((a == b) & a.negative())
}

trait SignedZero: Copy + PartialOrd {
    fn negative(self) -> bool;
}

macro_rules! signed_zero {
    ($($t:ty)*) => {$(
        impl SignedZero for $t {
            #[inline(always)]
            fn negative(self) -> bool {
                self.is_sign_negative()
            }
        }
    )*};
}

signed_zero! { f16 bf16 f32 f64 }

#[inline(always)]
pub(super) fn f16_sum(a: f16, b: f16) -> f16 {
    a + b
}

#[inline(always)]
pub(super) fn f16_product(a: f16, b: f16) -> f16 {
    a * b
}

#[inline(always)]
pub(super) fn bf16_sum(a: bf16, b: bf16) -> bf16 {
    a + b
}

#[inline(always)]
pub(super) fn bf16_product(a: bf16, b: bf16) -> bf16 {
    a * b
}
