//! [`Saturating`] and [`SaturatingCast`].
//!
//! Plain Rust only: whether an integer overflows is seen here by the compiler's own operations.

use half::{bf16, f16};

use crate::payload::Payload;

/// An integer with a sum and a difference that stay in range.
///
/// ```
/// use wavewise::select::Saturating;
///
/// assert_eq!(Saturating::saturating_add(i16::MAX, 1), i16::MAX);
/// ```
pub trait Saturating: Payload {
    /// See [`saturating_add`](super::saturating_add).
    #[must_use]
    fn saturating_add(self, other: Self) -> Self;

    /// See [`saturating_sub`](super::saturating_sub).
    #[must_use]
    fn saturating_sub(self, other: Self) -> Self;
}

/// A number that can be made a `To` by holding it in that type's range: integers up to 64 bits and
/// floats, to integers up to 64 bits.
///
/// ```
/// use wavewise::select::SaturatingCast;
///
/// let byte: u8 = 256u64.saturating_cast();
/// assert_eq!(byte, 255);
/// ```
pub trait SaturatingCast<To>: Payload {
    /// See [`saturating_cast`](super::saturating_cast).
    #[must_use]
    fn saturating_cast(self) -> To;
}

macro_rules! saturating {
    ($($t:ty)*) => {$(
        impl Saturating for $t {
            #[inline(always)]
            fn saturating_add(self, other: Self) -> Self {
                <$t>::saturating_add(self, other)
            }
            #[inline(always)]
            fn saturating_sub(self, other: Self) -> Self {
                <$t>::saturating_sub(self, other)
            }
        }
    )*};
}

saturating! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! from_integers {
    ($($from:ty)*) => {$(
        from_integers!($from => i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    )*};
    ($from:ty => $($to:ty)*) => {$(
        impl SaturatingCast<$to> for $from {
            #[inline(always)]
            fn saturating_cast(self) -> $to {
                // The ends that both types hold; a bound that `$from` does not reach folds away.
                const LOW: $from = larger(<$from>::MIN as i128, <$to>::MIN as i128) as $from;
                const HIGH: $from = smaller(<$from>::MAX as i128, <$to>::MAX as i128) as $from;
                Ord::min(Ord::max(self, LOW), HIGH) as $to
            }
        }
    )*};
}

from_integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

const fn larger(a: i128, b: i128) -> i128 {
    if a > b { a } else { b }
}

const fn smaller(a: i128, b: i128) -> i128 {
    if a < b { a } else { b }
}

macro_rules! from_floats {
    ($($from:ty: |$value:ident| $wide:expr;)*) => {$(
        from_floats!($from, $value, $wide => i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    )*};
    ($from:ty, $value:ident, $wide:expr => $($to:ty)*) => {$(
        impl SaturatingCast<$to> for $from {
            #[inline(always)]
            fn saturating_cast(self) -> $to {
                let $value = self;
                // `as` from a float saturates, and makes NaN 0.
                $wide as $to
            }
        }
    )*};
}

from_floats! {
    f16: |value| value.to_f32();
    bf16: |value| value.to_f32();
    f32: |value| value;
    f64: |value| value;
}
