//! [`Negate`].
//!
//! Plain Rust only: it works on the bits of a value, and wraps.

use half::{bf16, f16};

use crate::payload::Payload;

/// A number whose sign can be turned over: all integers and floats.
///
/// ```
/// use wavewise::select::Negate;
///
/// assert_eq!(3u8.negate_if(true), 253);
/// ```
pub trait Negate: Payload {
    /// See [`negate_if`](super::negate_if).
    #[must_use]
    fn negate_if(self, condition: bool) -> Self;
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Negate for $t {
            #[inline(always)]
            fn negate_if(self, condition: bool) -> Self {
                // All ones is −1: x ^ −1 is −x − 1.
                let ones = <$t>::from(condition).wrapping_neg();
                (self ^ ones).wrapping_sub(ones)
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! floats {
    ($($t:ty: $bits:ty;)*) => {$(
        impl Negate for $t {
            #[inline(always)]
            fn negate_if(self, condition: bool) -> Self {
                let sign = <$bits>::from(condition) << (<$bits>::BITS - 1);
                Self::from_bits(self.to_bits() ^ sign)
            }
        }
    )*};
}

floats! { f16: u16; bf16: u16; f32: u32; f64: u64; }
