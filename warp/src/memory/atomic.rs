//! [`Atomic`].

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::{Scope, scoped};
use crate::operator::Builtin;
use crate::payload::{Payload, Scalar};

/// A payload that memory can change in one step: 32 and 64 bits wide.
///
/// # Safety
/// `Cell` has the size and alignment of the type, and `to_bits` and `from_bits` undo each other.
pub unsafe trait Atomic: Payload {
    /// The atomic integer of the same size.
    #[doc(hidden)]
    type Cell: Cell;

    #[doc(hidden)]
    fn to_bits(self) -> <Self::Cell as Cell>::Bits;

    #[doc(hidden)]
    fn from_bits(bits: <Self::Cell as Cell>::Bits) -> Self;
}

/// An atomic integer.
#[doc(hidden)]
pub trait Cell {
    type Bits: Copy + Eq;
    fn load(&self, order: Ordering) -> Self::Bits;
    fn store(&self, bits: Self::Bits, order: Ordering);
    fn swap(&self, bits: Self::Bits, order: Ordering) -> Self::Bits;
    fn compare_exchange(
        &self,
        current: Self::Bits,
        new: Self::Bits,
        order: Ordering,
    ) -> Result<Self::Bits, Self::Bits>;

    // The same in a scope, over a cell that others may access meanwhile.

    unsafe fn load_in(at: *mut Self, order: Ordering, scope: Scope) -> Self::Bits;
    unsafe fn store_in(at: *mut Self, bits: Self::Bits, order: Ordering, scope: Scope);
    unsafe fn swap_in(at: *mut Self, bits: Self::Bits, order: Ordering, scope: Scope)
    -> Self::Bits;
    /// What it was.
    unsafe fn compare_exchange_in(
        at: *mut Self,
        current: Self::Bits,
        new: Self::Bits,
        order: Ordering,
        scope: Scope,
    ) -> Self::Bits;
    /// What it was; `None`, and nothing done, where the hardware lacks the operator.
    unsafe fn combine_in(
        at: *mut Self,
        bits: Self::Bits,
        operator: Builtin,
        scalar: Scalar,
        order: Ordering,
        scope: Scope,
    ) -> Option<Self::Bits>;
}

macro_rules! cells {
    ($($cell:ty: $width:ident of $bits:ty),*) => {$(
        impl Cell for $cell {
            type Bits = $bits;
            #[inline(always)]
            fn load(&self, order: Ordering) -> $bits {
                <$cell>::load(self, order)
            }
            #[inline(always)]
            fn store(&self, bits: $bits, order: Ordering) {
                <$cell>::store(self, bits, order);
            }
            #[inline(always)]
            fn swap(&self, bits: $bits, order: Ordering) -> $bits {
                <$cell>::swap(self, bits, order)
            }
            #[inline(always)]
            fn compare_exchange(&self, current: $bits, new: $bits, order: Ordering) -> Result<$bits, $bits> {
                let failure = match order {
                    Ordering::Release => Ordering::Relaxed,
                    Ordering::AcqRel => Ordering::Acquire,
                    other => other,
                };
                <$cell>::compare_exchange(self, current, new, order, failure)
            }
            #[inline(always)]
            unsafe fn load_in(at: *mut Self, order: Ordering, scope: Scope) -> $bits {
                // SAFETY: the caller's contract, for this and the following.
                unsafe { scoped::$width::load(at.cast(), order, scope) }
            }
            #[inline(always)]
            unsafe fn store_in(at: *mut Self, bits: $bits, order: Ordering, scope: Scope) {
                // SAFETY: as above.
                unsafe { scoped::$width::store(at.cast(), bits, order, scope) }
            }
            #[inline(always)]
            unsafe fn swap_in(at: *mut Self, bits: $bits, order: Ordering, scope: Scope) -> $bits {
                // SAFETY: as above.
                unsafe { scoped::$width::exchange(at.cast(), bits, order, scope) }
            }
            #[inline(always)]
            unsafe fn compare_exchange_in(
                at: *mut Self, current: $bits, new: $bits, order: Ordering, scope: Scope,
            ) -> $bits {
                // SAFETY: as above.
                unsafe { scoped::$width::compare_exchange(at.cast(), current, new, order, scope) }
            }
            #[inline(always)]
            unsafe fn combine_in(
                at: *mut Self, bits: $bits, operator: Builtin, scalar: Scalar, order: Ordering, scope: Scope,
            ) -> Option<$bits> {
                // SAFETY: as above.
                unsafe { scoped::$width::combine(at.cast(), bits, operator, scalar, order, scope) }
            }
        }
    )*};
}

cells! { AtomicU32: b32 of u32, AtomicU64: b64 of u64 }

macro_rules! atomics {
    ($($t:ty as $cell:ty: |$value:ident| $to:expr, |$bits:ident| $from:expr;)*) => {$(
        // SAFETY: the cell has the type's size and alignment, and the conversions keep all bits.
        unsafe impl Atomic for $t {
            type Cell = $cell;
            #[inline(always)]
            fn to_bits(self) -> <$cell as Cell>::Bits {
                let $value = self;
                $to
            }
            #[inline(always)]
            fn from_bits($bits: <$cell as Cell>::Bits) -> Self {
                $from
            }
        }
    )*};
}

atomics! {
    u32 as AtomicU32: |value| value, |bits| bits;
    i32 as AtomicU32: |value| value.cast_unsigned(), |bits| bits.cast_signed();
    f32 as AtomicU32: |value| f32::to_bits(value), |bits| f32::from_bits(bits);
    u64 as AtomicU64: |value| value, |bits| bits;
    i64 as AtomicU64: |value| value.cast_unsigned(), |bits| bits.cast_signed();
    f64 as AtomicU64: |value| f64::to_bits(value), |bits| f64::from_bits(bits);
}
