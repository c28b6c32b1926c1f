//! Choosing between two values without a branch.

use super::prelude::*;

/// `when_true` or `when_false`: both are there already, so no lane waits for another.
#[cube]
#[inline(always)]
pub fn select<T: Payload>(condition: bool, when_true: T, when_false: T) -> T {
    if condition { when_true } else { when_false }
}
