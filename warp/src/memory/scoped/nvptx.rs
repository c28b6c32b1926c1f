//! `atom`, `ld` and `st` with the order and scope of PTX's memory consistency model.
//!
//! A sequentially consistent operation is a `fence.sc` and the operation after it.

use core::arch::asm;

use super::{Ordering, Scope};

/// Issues `$head.$order.$scope.$tail`.
macro_rules! scoped {
    ($scope:ident, $order:literal, $head:literal, $tail:expr, $($operand:tt)*) => {
        match $scope {
            Scope::Block => asm!(concat!($head, ".", $order, ".cta.", $tail), $($operand)*, options(nostack, preserves_flags)),
            Scope::Device => asm!(concat!($head, ".", $order, ".gpu.", $tail), $($operand)*, options(nostack, preserves_flags)),
            Scope::System => asm!(concat!($head, ".", $order, ".sys.", $tail), $($operand)*, options(nostack, preserves_flags)),
        }
    };
}

/// Issues the read-modify-write `atom.$order.$scope.$tail`.
macro_rules! atom {
    ($order:ident, $scope:ident, $tail:expr, $($operand:tt)*) => {{
        match $order {
            Ordering::Relaxed => scoped!($scope, "relaxed", "atom", $tail, $($operand)*),
            Ordering::Acquire => scoped!($scope, "acquire", "atom", $tail, $($operand)*),
            Ordering::Release => scoped!($scope, "release", "atom", $tail, $($operand)*),
            _ => {
                order_all($order, $scope);
                scoped!($scope, "acq_rel", "atom", $tail, $($operand)*);
            }
        }
    }};
}

/// The fence before a sequentially consistent operation.
#[inline(always)]
fn order_all(order: Ordering, scope: Scope) {
    if matches!(order, Ordering::SeqCst) {
        // SAFETY: a fence.
        unsafe {
            match scope {
                Scope::Block => asm!("fence.sc.cta;", options(nostack, preserves_flags)),
                Scope::Device => asm!("fence.sc.gpu;", options(nostack, preserves_flags)),
                Scope::System => asm!("fence.sc.sys;", options(nostack, preserves_flags)),
            }
        }
    }
}

macro_rules! operations {
    ($($width:ident: $bits:ty, $register:ident, $b:literal, $u:literal, $s:literal, $f:literal, $float:ident, $signed:ident;)*) => {$(
        pub(in crate::memory) mod $width {
            use super::{Ordering, Scope, asm, order_all};
            use crate::operator::Builtin;
            use crate::payload::Scalar;

            #[inline(always)]
            pub(in crate::memory) unsafe fn load(at: *mut $bits, order: Ordering, scope: Scope) -> $bits {
                let was: $bits;
                // SAFETY: the caller's contract.
                unsafe {
                    match order {
                        Ordering::Relaxed => scoped!(scope, "relaxed", "ld", concat!($b, " {was}, [{at}];"), was = out($register) was, at = in(reg64) at),
                        _ => {
                            order_all(order, scope);
                            scoped!(scope, "acquire", "ld", concat!($b, " {was}, [{at}];"), was = out($register) was, at = in(reg64) at);
                        }
                    }
                }
                was
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn store(at: *mut $bits, value: $bits, order: Ordering, scope: Scope) {
                // SAFETY: the caller's contract.
                unsafe {
                    match order {
                        Ordering::Relaxed => scoped!(scope, "relaxed", "st", concat!($b, " [{at}], {value};"), at = in(reg64) at, value = in($register) value),
                        _ => {
                            order_all(order, scope);
                            scoped!(scope, "release", "st", concat!($b, " [{at}], {value};"), at = in(reg64) at, value = in($register) value);
                        }
                    }
                }
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn exchange(at: *mut $bits, value: $bits, order: Ordering, scope: Scope) -> $bits {
                let was: $bits;
                // SAFETY: the caller's contract.
                unsafe { atom!(order, scope, concat!("exch.", $b, " {was}, [{at}], {value};"), was = out($register) was, at = in(reg64) at, value = in($register) value) }
                was
            }

            #[inline(always)]
            pub(in crate::memory) unsafe fn compare_exchange(at: *mut $bits, current: $bits, new: $bits, order: Ordering, scope: Scope) -> $bits {
                let was: $bits;
                // SAFETY: the caller's contract.
                unsafe { atom!(order, scope, concat!("cas.", $b, " {was}, [{at}], {current}, {new};"), was = out($register) was, at = in(reg64) at, current = in($register) current, new = in($register) new) }
                was
            }

            /// The operators that `atom` has; `f32` sums in global memory flush subnormals.
            #[inline(always)]
            pub(in crate::memory) unsafe fn combine(
                at: *mut $bits, value: $bits, operator: Builtin, scalar: Scalar, order: Ordering, scope: Scope,
            ) -> Option<$bits> {
                let was: $bits;
                // SAFETY: the caller's contract.
                unsafe {
                    macro_rules! issue {
                        ($op:expr) => {
                            atom!(order, scope, concat!($op, " {was}, [{at}], {value};"), was = out($register) was, at = in(reg64) at, value = in($register) value)
                        };
                    }
                    match (operator, scalar) {
                        (Builtin::Sum, Scalar::$float) => issue!(concat!("add.", $f)),
                        (_, Scalar::$float) => return None,
                        (Builtin::Sum, _) => issue!(concat!("add.", $u)),
                        (Builtin::Min | Builtin::Minimum, Scalar::$signed) => issue!(concat!("min.", $s)),
                        (Builtin::Min | Builtin::Minimum, _) => issue!(concat!("min.", $u)),
                        (Builtin::Max | Builtin::Maximum, Scalar::$signed) => issue!(concat!("max.", $s)),
                        (Builtin::Max | Builtin::Maximum, _) => issue!(concat!("max.", $u)),
                        (Builtin::And, _) => issue!(concat!("and.", $b)),
                        (Builtin::Or, _) => issue!(concat!("or.", $b)),
                        (Builtin::Xor, _) => issue!(concat!("xor.", $b)),
                        (Builtin::Prod | Builtin::None, _) => return None,
                    }
                }
                Some(was)
            }
        }
    )*};
}

operations! {
    b32: u32, reg32, "b32", "u32", "s32", "f32", F32, I32;
    b64: u64, reg64, "b64", "u64", "s64", "f64", F64, I64;
}
