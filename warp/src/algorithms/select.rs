//! Choosing between two values without a branch.

use super::prelude::*;

/// `when_true` or `when_false`: both are there already, so no lane waits for another.
#[cube]
#[inline(always)]
pub fn select<T: Payload>(condition: bool, when_true: T, when_false: T) -> T {
    choose::<T>(condition, when_true, when_false)
}

/// `member` where `lane` is in `mask`, `other` elsewhere.
#[cube]
#[inline(always)]
pub fn by_mask<T: Payload>(mask: LaneMask, lane: u32, member: T, other: T) -> T {
    choose::<T>(mask.contains(lane), member, other)
}

/// `value` made at least `low` by `Raise`, then at most `high` by `Lower`.
#[cube]
#[inline(always)]
pub fn clamp<T: Payload, Raise: Op<T>, Lower: Op<T>>(value: T, low: T, high: T) -> T {
    Lower::combine(Raise::combine(value, low), high)
}
