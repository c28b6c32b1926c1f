//! Votes, and the lane that a vote elects.

use super::prelude::*;
use super::shuffle::segment_start;

/// The lanes of the segment whose `vote` is true; lane 0 of the segment is bit 0.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn ballot<B: Backend, const N: u32>(vote: bool) -> LaneMask {
    let votes = unsafe { B::ballot(vote) };
    votes.segment(segment_start::<B, N>(), comptime!(N))
}

/// Whether any lane's `vote` is true.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn any<B: Backend, const N: u32>(vote: bool) -> bool {
    let votes = unsafe { ballot::<B, N>(vote) };
    !votes.is_empty()
}

/// Whether every live lane's `vote` is true.
#[cube]
#[inline(always)]
#[track_caller]
pub unsafe fn all<B: Backend, const N: u32>(vote: bool) -> bool {
    let against = unsafe { ballot::<B, N>(!vote) };
    against.is_empty()
}
