//! Choices without a branch.
//!
//! Where lanes of one wave disagree about an `if`, the wave runs both arms, one after the other.
//! The functions here compute both values and keep one: a compare and a select, which all lanes
//! issue together. Each costs the same whatever the lanes choose, and none makes a wave diverge.
//!
//! A branch is the better choice where an arm is long (some ten instructions and more, or a load
//! from memory), where whole waves usually agree and so skip it, or where the arm that is not
//! taken must not run at all: its load would be out of bounds, its store would be wrong. For a load
//! there is [`Global::get_or`](crate::Global::get_or), which makes the address safe first.
//!
//! ```
//! use wavewise::select::{clamp, negate_if, select, zero_unless};
//!
//! let x = -3.0f32;
//! assert_eq!(select(x > 0.0, x, 0.5 * x), -1.5);   // a leaky ramp
//! assert_eq!(negate_if(x < 0.0, x), 3.0);          // |x|
//! assert_eq!(zero_unless(x > 0.0, x), 0.0);        // a ramp
//! assert_eq!(clamp(x, -1.0, 1.0), -1.0);
//! ```

use crate::LaneMask;
use crate::operator::{Max, Maximum, Min, Minimum, Op};
use crate::payload::Payload;
use crate::plain::algorithms::select as shared;

mod negate;
mod saturate;

pub use negate::Negate;
pub use saturate::{Saturating, SaturatingCast};

/// `when_true` where `condition` holds, `when_false` elsewhere.
///
/// One select a 32-bit word of `T`; every bit of the chosen value is kept, those of a NaN too.
///
/// Both values are computed by every lane. Write `if` where one of them is expensive, or must not
/// be computed: a load out of bounds, a division by zero.
///
/// ```
/// use wavewise::select;
///
/// let slope = |x: f32| select(x > 0.0, x, 0.1 * x);
/// assert_eq!(slope(2.0), 2.0);
/// assert_eq!(slope(-2.0), -0.2);
/// ```
#[inline(always)]
#[must_use]
pub fn select<T: Payload>(condition: bool, when_true: T, when_false: T) -> T {
    shared::select(condition, when_true, when_false)
}

/// `member` where `lane` is in `mask`, `other` elsewhere, and so for every `lane` from 64 upward.
///
/// A shift, a test and a select a 32-bit word of `T`; the mask is the same in all lanes as a
/// rule, `lane` the calling lane's own number.
///
/// Write `if` on a whole mask (`mask.is_empty()`) where it is often empty or full: all lanes agree
/// on that, so the wave skips what it does not need.
///
/// ```
/// use wavewise::LaneMask;
/// use wavewise::select::select_by_mask;
///
/// let even = LaneMask::from_bits(0x5555_5555_5555_5555);
/// assert_eq!(select_by_mask(even, 62, 'e' as u32, 'o' as u32), 'e' as u32);
/// assert_eq!(select_by_mask(even, 63, 'e' as u32, 'o' as u32), 'o' as u32);
/// ```
#[inline(always)]
#[must_use]
pub fn select_by_mask<T: Payload>(mask: LaneMask, lane: u32, member: T, other: T) -> T {
    shared::by_mask(mask, lane, member, other)
}

/// The smaller of two values, as the operator [`Min`]: a number beats NaN, −0 is less than +0.
///
/// One instruction on integers; on floats one where the hardware's minimum orders the zeros and
/// else a few compares and selects.
///
/// A branch is the better choice only where making `b` is long and `a` alone often settles it for
/// the whole wave.
///
/// ```
/// use wavewise::select::min;
///
/// assert_eq!(min(3u8, 7), 3);
/// assert_eq!(min(f32::NAN, 1.0), 1.0);
/// assert!(min(0.0f32, -0.0).is_sign_negative());
/// ```
#[inline(always)]
#[must_use]
pub fn min<T: Payload>(a: T, b: T) -> T
where
    Min: Op<T>,
{
    Min::combine(a, b)
}

/// The larger of two values, as the operator [`Max`]: a number beats NaN, −0 is less than +0.
///
/// The cost, and when a branch is the better choice: as of [`min`].
///
/// ```
/// use wavewise::select::max;
///
/// assert_eq!(max(-3i64, 7), 7);
/// assert_eq!(max(1.0, f64::NAN), 1.0);
/// assert!(max(-0.0f32, 0.0).is_sign_positive());
/// ```
#[inline(always)]
#[must_use]
pub fn max<T: Payload>(a: T, b: T) -> T
where
    Max: Op<T>,
{
    Max::combine(a, b)
}

/// `value`, but at least `low` and at most `high`; `high` where `low` is above it.
///
/// [`Maximum`] with `low`, then [`Minimum`] with `high`: two instructions on integers, some more
/// on floats. NaN in any of the three gives NaN, so a fault upstream is not hidden behind a
/// bound; for a number instead write `min(max(value, low), high)`, which gives `low`. −0 is less
/// than +0, so a lower bound of +0 makes −0 into +0. Unlike `Ord::clamp` it never panics.
///
/// Write `if` where whole waves lie outside the bounds and what follows can be skipped then.
///
/// ```
/// use wavewise::select::clamp;
///
/// assert_eq!(clamp(300i32, 0, 255), 255);
/// assert_eq!(clamp(-0.25f32, 0.0, 1.0), 0.0);
/// assert!(clamp(f32::NAN, 0.0, 1.0).is_nan());
/// assert_eq!(clamp(5u32, 9, 2), 2);
/// ```
#[inline(always)]
#[must_use]
pub fn clamp<T: Payload>(value: T, low: T, high: T) -> T
where
    Minimum: Op<T>,
    Maximum: Op<T>,
{
    shared::clamp::<T, Maximum, Minimum>(value, low, high)
}

/// `value` where `condition` holds, zero (`T::default()`) elsewhere: the mask-multiply.
///
/// One select a 32-bit word. It is not a product: `value * 0.0` is NaN for an infinity and for
/// NaN, and −0 for negative numbers, while this gives +0 for all of them. A sum over lanes that
/// drops some of them so stays finite.
///
/// Write `if` where making `value` is long and most waves drop all of theirs.
///
/// ```
/// use wavewise::select::zero_unless;
///
/// assert_eq!(zero_unless(true, 4.5f32), 4.5);
/// assert_eq!(zero_unless(false, f32::INFINITY), 0.0);
/// assert!(zero_unless(false, -1.0f32).is_sign_positive());
/// ```
#[inline(always)]
#[must_use]
pub fn zero_unless<T: Payload + Default>(condition: bool, value: T) -> T {
    // The zero is a plain Rust value; other compilers write theirs in their own way.
    shared::select(condition, value, T::default())
}

/// `-value` where `condition` holds, `value` elsewhere.
///
/// Integers wrap: the negative of `i32::MIN` is `i32::MIN`, of an unsigned `x` it is 2ⁿ − x. An
/// exclusive or and a subtraction. Floats have their sign bit turned over, that of a zero, an
/// infinity or a NaN too: one exclusive or.
///
/// There is no case for a branch here; where `condition` is the same for a whole kernel, make it a
/// const parameter.
///
/// ```
/// use wavewise::select::negate_if;
///
/// assert_eq!(negate_if(true, 5i32), -5);
/// assert_eq!(negate_if(false, 5i32), 5);
/// assert_eq!(negate_if(true, i8::MIN), i8::MIN);
/// assert!(negate_if(true, 0.0f64).is_sign_negative());
/// ```
#[inline(always)]
#[must_use]
pub fn negate_if<T: Negate>(condition: bool, value: T) -> T {
    value.negate_if(condition)
}

/// `a + b`, held at the ends of the type's range where the sum lies outside.
///
/// Integers only: floats saturate at infinity by themselves. Two to four instructions; 32-bit
/// integers have one of their own on most GPUs.
///
/// Write `if` where an overflow is an error to report and never happens in a right run.
///
/// ```
/// use wavewise::select::saturating_add;
///
/// assert_eq!(saturating_add(250u8, 10), 255);
/// assert_eq!(saturating_add(i32::MIN, -1), i32::MIN);
/// ```
#[inline(always)]
#[must_use]
pub fn saturating_add<T: Saturating>(a: T, b: T) -> T {
    a.saturating_add(b)
}

/// `a - b`, held at the ends of the type's range where the difference lies outside.
///
/// The types, the cost, and when a branch is the better choice: as of [`saturating_add`].
///
/// ```
/// use wavewise::select::saturating_sub;
///
/// assert_eq!(saturating_sub(3u32, 5), 0);
/// assert_eq!(saturating_sub(i8::MAX, -1), i8::MAX);
/// ```
#[inline(always)]
#[must_use]
pub fn saturating_sub<T: Saturating>(a: T, b: T) -> T {
    a.saturating_sub(b)
}

/// `value` as another integer type, held at the ends of its range where it lies outside.
///
/// From a float it rounds towards zero, and NaN becomes 0. At most a compare and a select for each
/// end of the range, then the conversion; from a float to 32 bits one instruction on most GPUs.
///
/// Write `if` where values outside are errors to report, and `as` where they cannot occur.
///
/// ```
/// use wavewise::select::saturating_cast;
///
/// assert_eq!(saturating_cast::<u8, _>(300i32), 255);
/// assert_eq!(saturating_cast::<u8, _>(-1i64), 0);
/// assert_eq!(saturating_cast::<i8, _>(-1000.5f32), -128);
/// assert_eq!(saturating_cast::<i32, _>(f64::NAN), 0);
/// ```
#[inline(always)]
#[must_use]
pub fn saturating_cast<To, From: SaturatingCast<To>>(value: From) -> To {
    value.saturating_cast()
}

#[cfg(test)]
mod tests;
