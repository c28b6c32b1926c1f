//! [`Atomic`].

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::payload::Payload;

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
}

macro_rules! cells {
    ($($cell:ty: $bits:ty),*) => {$(
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
        }
    )*};
}

cells! { AtomicU32: u32, AtomicU64: u64 }

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
