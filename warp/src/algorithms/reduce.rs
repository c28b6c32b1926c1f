//! Reductions over the lanes of a segment.
//!
//! The tree is the same everywhere: neighbours first, strides 1, 2, 4 … upward. One wave of 64
//! lanes and two of 32 whose results are combined make the same tree, so the same bits.

use super::prelude::*;
use super::select::select;
use super::shuffle::segment_start;

/// `mine` and `other` combined in lane order.
#[cube]
#[inline(always)]
fn in_order<T: Payload, O: Op<T>>(mine: T, other: T, mine_first: bool) -> T {
    if comptime!(O::COMMUTES) {
        O::combine(mine, other)
    } else {
        let first = select::<T>(mine_first, mine, other);
        let second = select::<T>(mine_first, other, mine);
        O::combine(first, second)
    }
}

/// The XOR butterfly: every lane ends with the result.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn butterfly<B: Backend, T: Payload, O: Op<T>, const N: u32>(value: T) -> T {
    let lane = B::hardware_lane();
    let mut total = value;
    #[unroll]
    for step in 0..comptime!(N.trailing_zeros()) {
        let stride = comptime!(1u32 << step);
        let other = unsafe { B::shuffle_xor::<T>(total, stride) };
        total = in_order::<T, O>(total, other, lane & stride == 0u32);
    }
    total
}

/// The shuffle-down ladder: lane 0 of the segment ends with the result, the others with a part.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn to_first<B: Backend, T: Payload, O: Op<T>, const N: u32>(value: T) -> T {
    let mut total = value;
    #[unroll]
    for step in 0..comptime!(N.trailing_zeros()) {
        let moved = unsafe { B::shuffle_down::<T, N>(total, comptime!(1u32 << step)) };
        total = O::combine(total, moved.0);
    }
    total
}

/// The butterfly over the lanes of `valid` alone (hardware lanes, inside this segment); all live
/// lanes of the wave take part, and all get the result. Where `valid` is empty they keep `value`.
///
/// A half of the tree without a valid lane is passed over: the operator never sees its values.
/// What is read comes from a valid lane, so only those must be live.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn over_valid<B: Backend, T: Payload, O: Op<T>, const N: u32>(
    value: T,
    valid: LaneMask,
) -> T {
    let lane = B::hardware_lane();
    let mut total = value;
    #[unroll]
    for step in 0..comptime!(N.trailing_zeros()) {
        let stride = comptime!(1u32 << step);
        let (own, other) = halves(lane, stride, valid);
        let from = select::<u32>(other.is_empty(), lane, other.lowest_or_capacity());
        let theirs = unsafe { B::shuffle::<T>(total, from) };
        total = merge::<T, O>(total, theirs, own, other, lane & stride == 0u32);
    }
    total
}

/// The butterfly over `members`, which alone take part; every member gets the result.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn among<B: Backend, T: Payload, O: Op<T>, const N: u32>(
    value: T,
    members: LaneMask,
) -> T {
    let lane = B::hardware_lane();
    let mut total = value;
    #[unroll]
    for step in 0..comptime!(N.trailing_zeros()) {
        let stride = comptime!(1u32 << step);
        let (own, other) = halves(lane, stride, members);
        let from = select::<u32>(other.is_empty(), lane, other.lowest_or_capacity());
        let theirs = unsafe { B::shuffle_among::<T>(total, from, members) };
        total = merge::<T, O>(total, theirs, own, other, lane & stride == 0u32);
    }
    total
}

/// The lanes of `set` in the block of `stride` lanes that holds `lane`, and in its sibling.
#[cube]
#[inline(always)]
fn halves(lane: u32, stride: u32, set: LaneMask) -> (LaneMask, LaneMask) {
    let own = lane & !(stride - 1u32);
    let sibling = own ^ stride;
    (set.intersect(LaneMask::range(own, stride)), set.intersect(LaneMask::range(sibling, stride)))
}

/// One step of a butterfly in which either half may be empty.
#[cube]
#[inline(always)]
fn merge<T: Payload, O: Op<T>>(
    mine: T,
    theirs: T,
    own: LaneMask,
    other: LaneMask,
    mine_first: bool,
) -> T {
    let mut merged = mine;
    if !other.is_empty() {
        if own.is_empty() {
            merged = theirs;
        } else {
            merged = in_order::<T, O>(mine, theirs, mine_first);
        }
    }
    merged
}

/// The lanes of this segment below `valid`, as hardware lanes.
#[cube]
#[inline(always)]
pub fn leading<B: Backend, const N: u32>(valid: u32) -> LaneMask {
    LaneMask::range(
        segment_start::<B, N>(),
        select::<u32>(valid < comptime!(N), valid, comptime!(N)),
    )
}
