//! Every operator by its definition.

use half::{bf16, f16};
use wavewise::{And, LaneMask, Max, Maximum, Min, Minimum, Op, Or, Payload, Prod, Sum, Xor};

/// An operator with a second definition, of the plainest kind.
pub trait Naive<T>: Op<T> + Default + Send + Sync {
    /// `a` and `b` as one.
    fn naive(a: T, b: T) -> T;
}

macro_rules! naive {
    ($($op:ident over $($t:ty)*: |$a:ident, $b:ident| $e:expr;)*) => {$($(
        impl Naive<$t> for $op {
            fn naive($a: $t, $b: $t) -> $t {
                $e
            }
        }
    )*)*};
}

/// Integers a bit at a time where that says it, else by the operations that report an overflow.
macro_rules! integers {
    ($($t:ty)*) => {$(
        naive! {
            Sum over $t: |a, b| a.overflowing_add(b).0;
            Prod over $t: |a, b| a.overflowing_mul(b).0;
            Min over $t: |a, b| if b < a { b } else { a };
            Max over $t: |a, b| if b > a { b } else { a };
            Minimum over $t: |a, b| if b < a { b } else { a };
            Maximum over $t: |a, b| if b > a { b } else { a };
            And over $t: |a, b| !(!a | !b);
            Or over $t: |a, b| !(!a & !b);
            Xor over $t: |a, b| (a | b) - (a & b);
        }
    )*};
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

naive! {
    And over bool: |a, b| a && b;
    Or over bool: |a, b| a || b;
    Xor over bool: |a, b| a != b;
    And over LaneMask: |a, b| LaneMask::from_bits(a.bits() & b.bits());
    Or over LaneMask: |a, b| LaneMask::from_bits(a.bits() | b.bits());
    Xor over LaneMask: |a, b| LaneMask::from_bits(a.bits() ^ b.bits());
    Sum over f32 f64: |a, b| a + b;
    Prod over f32 f64: |a, b| a * b;
    Sum over f16: |a, b| f16::from_f32(a.to_f32() + b.to_f32());
    Prod over f16: |a, b| f16::from_f32(a.to_f32() * b.to_f32());
    Sum over bf16: |a, b| bf16::from_f32(a.to_f32() + b.to_f32());
    Prod over bf16: |a, b| bf16::from_f32(a.to_f32() * b.to_f32());
}

macro_rules! floats {
    ($($t:ty)*) => {$(
        naive! {
            Min over $t: |a, b| extreme(a, b, is_nan(a), is_nan(b), false, a.total_cmp(&b).is_le());
            Max over $t: |a, b| extreme(a, b, is_nan(a), is_nan(b), false, a.total_cmp(&b).is_ge());
            Minimum over $t: |a, b| extreme(a, b, is_nan(a), is_nan(b), true, a.total_cmp(&b).is_le());
            Maximum over $t: |a, b| extreme(a, b, is_nan(a), is_nan(b), true, a.total_cmp(&b).is_ge());
        }
    )*};
}

floats! { f16 bf16 f32 f64 }

/// `a` if `prefers_a` where both are numbers; else the NaN if `nan_wins`, or the number.
fn extreme<T>(a: T, b: T, nan_a: bool, nan_b: bool, nan_wins: bool, prefers_a: bool) -> T {
    let take_a = match (nan_a, nan_b) {
        (false, false) => prefers_a,
        (true, _) => nan_wins,
        (false, true) => !nan_wins,
    };
    if take_a { a } else { b }
}

#[expect(clippy::eq_op, reason = "that is what a NaN is")]
fn is_nan<T: Copy + PartialEq>(x: T) -> bool {
    x != x
}

/// `x ↦ scale·x + offset` over integers that wrap: a payload for [`Compose`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Payload)]
pub struct Affine {
    /// What a number is multiplied by.
    pub scale: u64,
    /// What is added then.
    pub offset: u64,
}

/// The left map, then the right one: associative, and not commutative.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compose;

impl Op<Affine> for Compose {
    const COMMUTES: bool = false;
    fn combine(first: Affine, then: Affine) -> Affine {
        Affine {
            scale: then.scale.wrapping_mul(first.scale),
            offset: then.scale.wrapping_mul(first.offset).wrapping_add(then.offset),
        }
    }
}

impl wavewise::Identity<Affine> for Compose {
    fn identity() -> Affine {
        Affine { scale: 1, offset: 0 }
    }
}

impl Naive<Affine> for Compose {
    fn naive(first: Affine, then: Affine) -> Affine {
        // By two points of the map: its value at 0 and its step.
        let at = |map: Affine, x: u64| map.scale.wrapping_mul(x).wrapping_add(map.offset);
        let both = |x| at(then, at(first, x));
        Affine { scale: both(1).wrapping_sub(both(0)), offset: both(0) }
    }
}
