//! Relaxed operations in a scope, from the LLVM module that `wavewise-build` links in, with the
//! fences that make their order.

use super::{Ordering, Scope};

/// A function that calls the one of the scope.
macro_rules! by_scope {
    ($visibility:vis $name:ident($($parameter:ident: $t:ty),*) $(-> $result:ty)?: $block:literal $device:literal $system:literal) => {
        #[inline(always)]
        $visibility unsafe fn $name($($parameter: $t,)* scope: Scope) $(-> $result)? {
            unsafe extern "C" {
                #[link_name = $block]
                fn block($($parameter: $t),*) $(-> $result)?;
                #[link_name = $device]
                fn device($($parameter: $t),*) $(-> $result)?;
                #[link_name = $system]
                fn system($($parameter: $t),*) $(-> $result)?;
            }
            // SAFETY: the caller's contract.
            unsafe {
                match scope {
                    Scope::Block => block($($parameter),*),
                    Scope::Device => device($($parameter),*),
                    Scope::System => system($($parameter),*),
                }
            }
        }
    };
}

by_scope!(release(): "__wavewise_fence_release_block" "__wavewise_fence_release_device" "__wavewise_fence_release_system");
by_scope!(acquire(): "__wavewise_fence_acquire_block" "__wavewise_fence_acquire_device" "__wavewise_fence_acquire_system");
by_scope!(order_all(): "__wavewise_fence_seq_cst_block" "__wavewise_fence_seq_cst_device" "__wavewise_fence_seq_cst_system");

/// The fence before an operation of `order`.
#[inline(always)]
fn before(order: Ordering, scope: Scope) {
    // SAFETY: a fence.
    unsafe {
        match order {
            Ordering::Release | Ordering::AcqRel => release(scope),
            Ordering::SeqCst => order_all(scope),
            _ => {}
        }
    }
}

/// The fence after an operation of `order`.
#[inline(always)]
fn after(order: Ordering, scope: Scope) {
    if matches!(order, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst) {
        // SAFETY: a fence.
        unsafe { acquire(scope) }
    }
}

macro_rules! operations {
    ($width:ident: $bits:ty, $signed:ident; $($function:tt)*) => {
        pub(in crate::memory) mod $width {
            use super::{Ordering, Scope, after, before};
            use crate::operator::Builtin;
            use crate::payload::Scalar;

            mod relaxed {
                use super::Scope;
                $($function)*
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn load(at: *mut $bits, order: Ordering, scope: Scope) -> $bits {
                before(order, scope);
                // SAFETY: the caller's contract.
                let was = unsafe { relaxed::load(at, scope) };
                after(order, scope);
                was
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn store(at: *mut $bits, value: $bits, order: Ordering, scope: Scope) {
                before(order, scope);
                // SAFETY: the caller's contract.
                unsafe { relaxed::store(at, value, scope) }
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn exchange(at: *mut $bits, value: $bits, order: Ordering, scope: Scope) -> $bits {
                before(order, scope);
                // SAFETY: the caller's contract.
                let was = unsafe { relaxed::exchange(at, value, scope) };
                after(order, scope);
                was
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn compare_exchange(at: *mut $bits, current: $bits, new: $bits, order: Ordering, scope: Scope) -> $bits {
                before(order, scope);
                // SAFETY: the caller's contract.
                let was = unsafe { relaxed::compare_exchange(at, current, new, scope) };
                after(order, scope);
                was
            }

            /// The operators over integers. Whether memory adds floats depends on the chip and on
            /// how the memory was allocated, so they are left to a loop.
            #[inline(always)]
            pub(in crate::memory) unsafe fn combine(
                at: *mut $bits, value: $bits, operator: Builtin, scalar: Scalar, order: Ordering, scope: Scope,
            ) -> Option<$bits> {
                if matches!(scalar, Scalar::F32 | Scalar::F64) || matches!(operator, Builtin::Prod | Builtin::None) {
                    return None;
                }
                before(order, scope);
                // SAFETY: the caller's contract.
                let was = unsafe {
                    match (operator, scalar) {
                        (Builtin::Min | Builtin::Minimum, Scalar::$signed) => relaxed::min(at, value, scope),
                        (Builtin::Min | Builtin::Minimum, _) => relaxed::umin(at, value, scope),
                        (Builtin::Max | Builtin::Maximum, Scalar::$signed) => relaxed::max(at, value, scope),
                        (Builtin::Max | Builtin::Maximum, _) => relaxed::umax(at, value, scope),
                        (Builtin::And, _) => relaxed::and(at, value, scope),
                        (Builtin::Or, _) => relaxed::or(at, value, scope),
                        (Builtin::Xor, _) => relaxed::xor(at, value, scope),
                        _ => relaxed::add(at, value, scope),
                    }
                };
                after(order, scope);
                Some(was)
            }
        }
    };
}

operations! {
    b32: u32, I32;
    by_scope!(pub(super) load(at: *mut u32) -> u32: "__wavewise_load_32_block" "__wavewise_load_32_device" "__wavewise_load_32_system");
    by_scope!(pub(super) store(at: *mut u32, value: u32): "__wavewise_store_32_block" "__wavewise_store_32_device" "__wavewise_store_32_system");
    by_scope!(pub(super) exchange(at: *mut u32, value: u32) -> u32: "__wavewise_xchg_32_block" "__wavewise_xchg_32_device" "__wavewise_xchg_32_system");
    by_scope!(pub(super) add(at: *mut u32, value: u32) -> u32: "__wavewise_add_32_block" "__wavewise_add_32_device" "__wavewise_add_32_system");
    by_scope!(pub(super) and(at: *mut u32, value: u32) -> u32: "__wavewise_and_32_block" "__wavewise_and_32_device" "__wavewise_and_32_system");
    by_scope!(pub(super) or(at: *mut u32, value: u32) -> u32: "__wavewise_or_32_block" "__wavewise_or_32_device" "__wavewise_or_32_system");
    by_scope!(pub(super) xor(at: *mut u32, value: u32) -> u32: "__wavewise_xor_32_block" "__wavewise_xor_32_device" "__wavewise_xor_32_system");
    by_scope!(pub(super) min(at: *mut u32, value: u32) -> u32: "__wavewise_min_32_block" "__wavewise_min_32_device" "__wavewise_min_32_system");
    by_scope!(pub(super) max(at: *mut u32, value: u32) -> u32: "__wavewise_max_32_block" "__wavewise_max_32_device" "__wavewise_max_32_system");
    by_scope!(pub(super) umin(at: *mut u32, value: u32) -> u32: "__wavewise_umin_32_block" "__wavewise_umin_32_device" "__wavewise_umin_32_system");
    by_scope!(pub(super) umax(at: *mut u32, value: u32) -> u32: "__wavewise_umax_32_block" "__wavewise_umax_32_device" "__wavewise_umax_32_system");
    by_scope!(pub(super) compare_exchange(at: *mut u32, current: u32, new: u32) -> u32: "__wavewise_cmpxchg_32_block" "__wavewise_cmpxchg_32_device" "__wavewise_cmpxchg_32_system");
}

operations! {
    b64: u64, I64;
    by_scope!(pub(super) load(at: *mut u64) -> u64: "__wavewise_load_64_block" "__wavewise_load_64_device" "__wavewise_load_64_system");
    by_scope!(pub(super) store(at: *mut u64, value: u64): "__wavewise_store_64_block" "__wavewise_store_64_device" "__wavewise_store_64_system");
    by_scope!(pub(super) exchange(at: *mut u64, value: u64) -> u64: "__wavewise_xchg_64_block" "__wavewise_xchg_64_device" "__wavewise_xchg_64_system");
    by_scope!(pub(super) add(at: *mut u64, value: u64) -> u64: "__wavewise_add_64_block" "__wavewise_add_64_device" "__wavewise_add_64_system");
    by_scope!(pub(super) and(at: *mut u64, value: u64) -> u64: "__wavewise_and_64_block" "__wavewise_and_64_device" "__wavewise_and_64_system");
    by_scope!(pub(super) or(at: *mut u64, value: u64) -> u64: "__wavewise_or_64_block" "__wavewise_or_64_device" "__wavewise_or_64_system");
    by_scope!(pub(super) xor(at: *mut u64, value: u64) -> u64: "__wavewise_xor_64_block" "__wavewise_xor_64_device" "__wavewise_xor_64_system");
    by_scope!(pub(super) min(at: *mut u64, value: u64) -> u64: "__wavewise_min_64_block" "__wavewise_min_64_device" "__wavewise_min_64_system");
    by_scope!(pub(super) max(at: *mut u64, value: u64) -> u64: "__wavewise_max_64_block" "__wavewise_max_64_device" "__wavewise_max_64_system");
    by_scope!(pub(super) umin(at: *mut u64, value: u64) -> u64: "__wavewise_umin_64_block" "__wavewise_umin_64_device" "__wavewise_umin_64_system");
    by_scope!(pub(super) umax(at: *mut u64, value: u64) -> u64: "__wavewise_umax_64_block" "__wavewise_umax_64_device" "__wavewise_umax_64_system");
    by_scope!(pub(super) compare_exchange(at: *mut u64, current: u64, new: u64) -> u64: "__wavewise_cmpxchg_64_block" "__wavewise_cmpxchg_64_device" "__wavewise_cmpxchg_64_system");
}
