//! [`Sum`] and [`Prod`].

use half::{bf16, f16};

use super::{Builtin, Identity, Op, arithmetic};

/// Addition. Integers wrap around; floats round once an addition, and the identity is −0.0, the
/// one value that leaves −0.0 as it is.
///
/// 64 lanes of `u8` hold at most 255 together: convert to a wider type first where that matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sum;

/// Multiplication. Integers wrap around; floats round once a multiplication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prod;

macro_rules! operator {
    ($op:ident over $($t:ty)*: |$a:ident, $b:ident| $combine:expr, identity $identity:expr) => {$(
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
    )*};
}

operator!(Sum over i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize:
    |a, b| a.wrapping_add(b), identity 0);
operator!(Prod over i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize:
    |a, b| a.wrapping_mul(b), identity 1);
operator!(Sum over f32 f64: |a, b| a + b, identity -0.0);
operator!(Prod over f32 f64: |a, b| a * b, identity 1.0);
operator!(Sum over f16: |a, b| arithmetic::f16_sum(a, b), identity f16::NEG_ZERO);
operator!(Prod over f16: |a, b| arithmetic::f16_product(a, b), identity f16::ONE);
operator!(Sum over bf16: |a, b| arithmetic::bf16_sum(a, b), identity bf16::NEG_ZERO);
operator!(Prod over bf16: |a, b| arithmetic::bf16_product(a, b), identity bf16::ONE);
