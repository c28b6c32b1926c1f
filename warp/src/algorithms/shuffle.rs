//! Moving values between the lanes of a segment.

use super::prelude::*;
use super::select::select;

/// This lane's place in its segment of `N` lanes.
#[cube]
#[inline(always)]
pub fn lane<B: Backend, const N: u32>() -> u32 {
    B::hardware_lane() & comptime!(N - 1)
}

/// The hardware lane at which this lane's segment begins.
#[cube]
#[inline(always)]
pub fn segment_start<B: Backend, const N: u32>() -> u32 {
    B::hardware_lane() & comptime!(!(N - 1))
}

/// `value` of lane `source` modulo `N`.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn index<B: Backend, T: Payload, const N: u32>(value: T, source: u32) -> T {
    let from = segment_start::<B, N>() + (source & comptime!(N - 1));
    unsafe { B::shuffle::<T>(value, from) }
}

/// `value` of lane `lane ^ mask`; the own value where `mask` reaches outside the segment.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn xor<B: Backend, T: Payload, const N: u32>(value: T, mask: u32) -> T {
    let inside = select::<u32>(mask < comptime!(N), mask, 0u32);
    unsafe { B::shuffle_xor::<T>(value, inside) }
}

/// The body of a target's `shuffle_up` where it has only the indexed shuffle.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn up<B: Backend, T: Payload, const N: u32>(value: T, delta: u32) -> (T, bool) {
    let lane = lane::<B, N>();
    let in_range = delta <= lane;
    let distance = select::<u32>(in_range, delta, 0u32);
    let moved = unsafe { B::shuffle::<T>(value, B::hardware_lane() - distance) };
    (moved, in_range)
}

/// The body of a target's `shuffle_down` where it has only the indexed shuffle.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn down<B: Backend, T: Payload, const N: u32>(value: T, delta: u32) -> (T, bool) {
    let lane = lane::<B, N>();
    let in_range = delta < comptime!(N) - lane;
    let distance = select::<u32>(in_range, delta, 0u32);
    let moved = unsafe { B::shuffle::<T>(value, B::hardware_lane() + distance) };
    (moved, in_range)
}

/// `value` of lane `source` modulo `N` of a masked wave; the own value, and false, where that
/// lane is no member.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn index_among<B: Backend, T: Payload, const N: u32>(
    value: T,
    source: u32,
    members: LaneMask,
) -> (T, bool) {
    let wanted = segment_start::<B, N>() + (source & comptime!(N - 1));
    let member = members.contains(wanted);
    let from = select::<u32>(member, wanted, B::hardware_lane());
    let moved = unsafe { B::shuffle_among::<T>(value, from, members) };
    (moved, member)
}
