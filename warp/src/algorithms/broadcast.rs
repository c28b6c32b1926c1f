//! One lane's value for all.

use super::prelude::*;
use super::shuffle::segment_start;
use super::vote;

/// `value` of the lowest live lane of the segment.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn first<B: Backend, T: Payload, const N: u32>(value: T) -> T {
    let live = unsafe { vote::ballot::<B, N>(true) };
    let from = segment_start::<B, N>() + live.lowest_or_capacity();
    unsafe { B::shuffle::<T>(value, from) }
}

/// Whether all live lanes of the segment hold equal values.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn uniform<B: Backend, T: Payload + PartialEq, const N: u32>(value: T) -> bool {
    let leader = unsafe { B::broadcast_first::<T, N>(value) };
    unsafe { B::all::<N>(value == leader) }
}

/// Whether all members of the segment hold equal values.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn uniform_among<B: Backend, T: Payload + PartialEq>(
    value: T,
    members: LaneMask,
) -> bool {
    let leader = unsafe { B::shuffle_among::<T>(value, members.lowest_or_capacity(), members) };
    let against = unsafe { B::ballot_among(value != leader, members) };
    against.is_empty()
}
