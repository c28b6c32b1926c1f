//! Float arithmetic as GPUs have it: one instruction each, with the contracts of the operators.
//!
//! LLVM's `minimumnum` and `minimum` are IEEE 754-2019 `minimumNumber` and `minimum`, −0 below +0
//! included; PTX's `min` and `min.NaN` are the same. The software arithmetic of the `half` crate
//! is left to hosts.

use half::{bf16, f16};

use super::extremum::Extremum;

macro_rules! extrema {
    ($($t:ty: $minimumnum:literal $maximumnum:literal $minimum:literal $maximum:literal;)*) => {$(
        impl Extremum for $t {
            #[inline(always)]
            fn min_number(self, other: Self) -> Self {
                unsafe extern "C" {
                    #[link_name = $minimumnum]
                    safe fn minimumnum(a: $t, b: $t) -> $t;
                }
                minimumnum(self, other)
            }
            #[inline(always)]
            fn max_number(self, other: Self) -> Self {
                unsafe extern "C" {
                    #[link_name = $maximumnum]
                    safe fn maximumnum(a: $t, b: $t) -> $t;
                }
                maximumnum(self, other)
            }
            #[inline(always)]
            fn min_or_nan(self, other: Self) -> Self {
                unsafe extern "C" {
                    #[link_name = $minimum]
                    safe fn minimum(a: $t, b: $t) -> $t;
                }
                minimum(self, other)
            }
            #[inline(always)]
            fn max_or_nan(self, other: Self) -> Self {
                unsafe extern "C" {
                    #[link_name = $maximum]
                    safe fn maximum(a: $t, b: $t) -> $t;
                }
                maximum(self, other)
            }
        }
    )*};
}

use primitive::F16;

mod primitive {
    /// Rust's own type, whose name is `half`'s in the rest of this file.
    pub(super) type F16 = f16;
}

extrema! {
    f32: "llvm.minimumnum.f32" "llvm.maximumnum.f32" "llvm.minimum.f32" "llvm.maximum.f32";
    f64: "llvm.minimumnum.f64" "llvm.maximumnum.f64" "llvm.minimum.f64" "llvm.maximum.f64";
    F16: "llvm.minimumnum.f16" "llvm.maximumnum.f16" "llvm.minimum.f16" "llvm.maximum.f16";
}

macro_rules! extrema_as {
    ($($t:ty as $wide:ty: $widen:path, $narrow:path;)*) => {$(
        impl Extremum for $t {
            #[inline(always)]
            fn min_number(self, other: Self) -> Self {
                $narrow($widen(self).min_number($widen(other)))
            }
            #[inline(always)]
            fn max_number(self, other: Self) -> Self {
                $narrow($widen(self).max_number($widen(other)))
            }
            #[inline(always)]
            fn min_or_nan(self, other: Self) -> Self {
                $narrow($widen(self).min_or_nan($widen(other)))
            }
            #[inline(always)]
            fn max_or_nan(self, other: Self) -> Self {
                $narrow($widen(self).max_or_nan($widen(other)))
            }
        }
    )*};
}

extrema_as! {
    f16 as F16: to_primitive, from_primitive;
    bf16 as f32: widened, truncated;
}

#[inline(always)]
fn to_primitive(value: f16) -> F16 {
    F16::from_bits(value.to_bits())
}

#[inline(always)]
fn from_primitive(value: F16) -> f16 {
    f16::from_bits(value.to_bits())
}

/// The `f32` of the same value: a `bf16` is its upper half.
#[inline(always)]
fn widened(value: bf16) -> f32 {
    f32::from_bits(u32::from(value.to_bits()) << 16)
}

/// The upper half of `value`, exact where it is some [`widened`] one; a NaN of the hardware stays
/// one.
#[inline(always)]
fn truncated(value: f32) -> bf16 {
    bf16::from_bits((value.to_bits() >> 16) as u16)
}

/// `value` rounded to the nearest `bf16`, ties to even.
#[inline(always)]
fn rounded(value: f32) -> bf16 {
    let bits = value.to_bits();
    let even = bits >> 16 & 1;
    let up = bits.wrapping_add(0x7fff + even);
    bf16::from_bits(if value.is_nan() { bf16::NAN.to_bits() } else { (up >> 16) as u16 })
}

#[inline(always)]
pub(super) fn f16_sum(a: f16, b: f16) -> f16 {
    from_primitive(to_primitive(a) + to_primitive(b))
}

#[inline(always)]
pub(super) fn f16_product(a: f16, b: f16) -> f16 {
    from_primitive(to_primitive(a) * to_primitive(b))
}

#[inline(always)]
pub(super) fn bf16_sum(a: bf16, b: bf16) -> bf16 {
    rounded(widened(a) + widened(b))
}

#[inline(always)]
pub(super) fn bf16_product(a: bf16, b: bf16) -> bf16 {
    rounded(widened(a) * widened(b))
}
