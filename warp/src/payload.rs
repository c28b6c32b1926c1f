//! [`Payload`]: what a shuffle can carry.

use core::mem::MaybeUninit;

use half::{bf16, f16};

use crate::LaneMask;

/// A value that can be moved from one lane to another.
///
/// It travels as 32-bit words that may be uninitialised, so padding is carried and never looked
/// at. Implemented for the integers, the floats (`f16` and `bf16` of the `half` crate included),
/// `bool`, [`LaneMask`], `()`, arrays and pairs of payloads; for a struct of payloads write
/// `#[derive(Payload)]` (feature `derive`).
///
/// ```
/// use wavewise::Payload;
///
/// #[derive(Clone, Copy, Payload)]
/// struct Candidate {
///     score: f32,
///     index: u64,
/// }
/// ```
///
/// # Safety
///
/// - The type holds no reference, no pointer, and nothing else whose meaning depends on the lane,
///   the wave or the block that made it.
/// - [`from_moved`](Payload::from_moved) is sound for the bits of any value of the type.
pub unsafe trait Payload: Copy + Send + Sync + 'static {
    /// Which scalar it is, for the hardware's own reductions; [`Scalar::Other`] is always right.
    #[doc(hidden)]
    const SCALAR: Scalar = Scalar::Other;

    /// The value that arrived.
    ///
    /// # Safety
    ///
    /// `moved` holds the bytes of a value of this type, or, where the source lane took no part,
    /// bytes that the hardware left there.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn from_moved(moved: MaybeUninit<Self>) -> Self {
        // SAFETY: by this function's contract.
        unsafe { moved.assume_init() }
    }
}

/// The scalars that some hardware reduces by itself.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    Bf16,
    F32,
    F64,
    Other,
}

macro_rules! payloads {
    ($($t:ty: $scalar:ident),* $(,)?) => {$(
        // SAFETY: a plain number; it holds no reference, and any of its bits are a value.
        unsafe impl Payload for $t {
            const SCALAR: Scalar = Scalar::$scalar;
        }
    )*};
}

payloads! {
    i8: I8, i16: I16, i32: I32, i64: I64, i128: Other, isize: Other,
    u8: U8, u16: U16, u32: U32, u64: U64, u128: Other, usize: Other,
    f16: F16, bf16: Bf16, f32: F32, f64: F64, LaneMask: Other,
}

// SAFETY: a `bool` holds no reference; whatever byte arrives is made 0 or 1.
unsafe impl Payload for bool {
    #[inline(always)]
    unsafe fn from_moved(moved: MaybeUninit<Self>) -> Self {
        // SAFETY: every byte is a `u8`, and the caller's contract gives one.
        unsafe { moved.as_ptr().cast::<u8>().read() & 1 == 1 }
    }
}

// SAFETY: there is nothing to move.
unsafe impl Payload for () {}

// SAFETY: an array holds what its elements hold, and each of them arrives as its own type does.
unsafe impl<T: Payload, const K: usize> Payload for [T; K] {
    #[inline(always)]
    unsafe fn from_moved(moved: MaybeUninit<Self>) -> Self {
        let elements = moved.as_ptr().cast::<MaybeUninit<T>>();
        // SAFETY: the caller's contract, for each of the `K` elements.
        core::array::from_fn(|k| unsafe { T::from_moved(elements.add(k).read()) })
    }
}

// SAFETY: a pair holds what its parts hold, and each of them arrives as its own type does; where
// padding lies does not matter to a move.
unsafe impl<A: Payload, B: Payload> Payload for (A, B) {
    #[inline(always)]
    unsafe fn from_moved(moved: MaybeUninit<Self>) -> Self {
        let pair = moved.as_ptr();
        // SAFETY: the caller's contract, for each part.
        unsafe {
            (
                A::from_moved((&raw const (*pair).0).cast::<MaybeUninit<A>>().read()),
                B::from_moved((&raw const (*pair).1).cast::<MaybeUninit<B>>().read()),
            )
        }
    }
}

#[cfg(test)]
mod tests;
