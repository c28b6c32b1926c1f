//! [`Min`], [`Max`], [`Minimum`] and [`Maximum`].

use half::{bf16, f16};

use super::{Builtin, Identity, Op};

/// The smaller value; over floats IEEE 754-2019 `minimumNumber`: a number beats NaN, and −0 is
/// less than +0. The identity over floats is NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Min;

/// The larger value; over floats IEEE 754-2019 `maximumNumber`: a number beats NaN, and −0 is
/// less than +0. The identity over floats is NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Max;

/// The smaller value; over floats IEEE 754-2019 `minimum`: NaN beats everything, and −0 is less
/// than +0. The identity over floats is +∞.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Minimum;

/// The larger value; over floats IEEE 754-2019 `maximum`: NaN beats everything, and −0 is less
/// than +0. The identity over floats is −∞.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Maximum;

macro_rules! operator {
    ($op:ident over $t:ty: |$a:ident, $b:ident| $combine:expr, identity $identity:expr) => {
        impl Op<$t> for $op {
            const COMMUTES: bool = true;
            const BUILTIN: Builtin = Builtin::$op;
            #[inline(always)]
            fn combine($a: $t, $b: $t) -> $t {
                $combine
            }
        }
        impl Identity<$t> for $op {
            #[inline(always)]
            fn identity() -> $t {
                $identity
            }
        }
    };
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        operator!(Min over $t: |a, b| Ord::min(a, b), identity <$t>::MAX);
        operator!(Max over $t: |a, b| Ord::max(a, b), identity <$t>::MIN);
        operator!(Minimum over $t: |a, b| Ord::min(a, b), identity <$t>::MAX);
        operator!(Maximum over $t: |a, b| Ord::max(a, b), identity <$t>::MIN);
    )*};
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! floats {
    ($($t:ty)*) => {$(
        operator!(Min over $t: |a, b| a.min_number(b), identity <$t>::NAN);
        operator!(Max over $t: |a, b| a.max_number(b), identity <$t>::NAN);
        operator!(Minimum over $t: |a, b| a.min_or_nan(b), identity <$t>::INFINITY);
        operator!(Maximum over $t: |a, b| a.max_or_nan(b), identity <$t>::NEG_INFINITY);
    )*};
}

floats! { f16 bf16 f32 f64 }

/// The four extrema of a float; how they are computed differs between hosts and GPUs.
pub(super) trait Extremum {
    /// IEEE 754-2019 `minimumNumber`.
    fn min_number(self, other: Self) -> Self;
    /// IEEE 754-2019 `maximumNumber`.
    fn max_number(self, other: Self) -> Self;
    /// IEEE 754-2019 `minimum`.
    fn min_or_nan(self, other: Self) -> Self;
    /// IEEE 754-2019 `maximum`.
    fn max_or_nan(self, other: Self) -> Self;
}
