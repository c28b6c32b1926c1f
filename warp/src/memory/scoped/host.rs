//! On a host every scope is the whole machine.

macro_rules! operations {
    ($($width:ident: $bits:ty as $cell:ty;)*) => {$(
        pub(in crate::memory) mod $width {
            use crate::memory::{Ordering, Scope};
            use crate::operator::Builtin;
            use crate::payload::Scalar;

            type Cell = $cell;

            #[inline(always)]
            unsafe fn cell<'a>(at: *mut $bits) -> &'a Cell {
                // SAFETY: the caller's contract gives an element that is accessed atomically.
                unsafe { Cell::from_ptr(at) }
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn load(at: *mut $bits, order: Ordering, _: Scope) -> $bits {
                // SAFETY: the caller's contract.
                unsafe { cell(at) }.load(order)
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn store(
                at: *mut $bits, value: $bits, order: Ordering, _: Scope,
            ) {
                // SAFETY: the caller's contract.
                unsafe { cell(at) }.store(value, order);
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn exchange(
                at: *mut $bits, value: $bits, order: Ordering, _: Scope,
            ) -> $bits {
                // SAFETY: the caller's contract.
                unsafe { cell(at) }.swap(value, order)
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn compare_exchange(
                at: *mut $bits, current: $bits, new: $bits, order: Ordering, _: Scope,
            ) -> $bits {
                let failure = match order {
                    Ordering::Release => Ordering::Relaxed,
                    Ordering::AcqRel => Ordering::Acquire,
                    other => other,
                };
                // SAFETY: the caller's contract.
                match unsafe { cell(at) }.compare_exchange(current, new, order, failure) {
                    Ok(was) | Err(was) => was,
                }
            }

            /// Nothing is done in one step here.
            #[inline(always)]
            pub(in crate::memory) unsafe fn combine(
                _: *mut $bits, _: $bits, _: Builtin, _: Scalar, _: Ordering, _: Scope,
            ) -> Option<$bits> {
                None
            }
        }
    )*};
}

operations! {
    b32: u32 as core::sync::atomic::AtomicU32;
    b64: u64 as core::sync::atomic::AtomicU64;
}
