//! [`And`], [`Or`] and [`Xor`].

use super::{Builtin, Identity, Op};
use crate::LaneMask;

/// Bitwise and, over integers, `bool` and [`LaneMask`]; floats have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct And;

/// Bitwise or, over integers, `bool` and [`LaneMask`]; floats have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Or;

/// Bitwise exclusive or, over integers, `bool` and [`LaneMask`]; floats have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Xor;

macro_rules! bitwise {
    ($($t:ty: $zero:expr, $ones:expr;)*) => {$(
        bitwise!(And, $t, &, $ones);
        bitwise!(Or, $t, |, $zero);
        bitwise!(Xor, $t, ^, $zero);
    )*};
    ($op:ident, $t:ty, $symbol:tt, $identity:expr) => {
        impl Op<$t> for $op {
            const COMMUTES: bool = true;
            const BUILTIN: Builtin = Builtin::$op;
            #[inline(always)]
            fn combine(a: $t, b: $t) -> $t {
                a $symbol b
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

bitwise! {
    i8: 0, -1; i16: 0, -1; i32: 0, -1; i64: 0, -1; i128: 0, -1; isize: 0, -1;
    u8: 0, u8::MAX; u16: 0, u16::MAX; u32: 0, u32::MAX; u64: 0, u64::MAX;
    u128: 0, u128::MAX; usize: 0, usize::MAX;
    bool: false, true;
    LaneMask: LaneMask::EMPTY, LaneMask::ALL;
}
