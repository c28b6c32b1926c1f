//! [`Masked`]: some lanes of a wave, under divergence.

use core::fmt;

use crate::backend::{Backend, Native};
use crate::operator::Op;
use crate::payload::Payload;
use crate::plain::algorithms::{broadcast, reduce, shuffle};
use crate::{LaneMask, Wave};

/// Some lanes of a [`Wave`], with the collectives over them; made by [`Wave::masked`].
///
/// Both arms of a divergent branch may each run one. A segment without members takes no part.
pub struct Masked<const N: u32, B: Backend = Native> {
    wave: Wave<N, B>,
    /// In hardware lanes.
    members: LaneMask,
}

impl<const N: u32, B: Backend> Clone for Masked<N, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const N: u32, B: Backend> Copy for Masked<N, B> {}

impl<const N: u32, B: Backend> Masked<N, B> {
    #[inline(always)]
    pub(crate) fn new(wave: Wave<N, B>, members: LaneMask) -> Self {
        let own = members.intersect(LaneMask::first(N));
        Self { wave, members: own.raised(shuffle::segment_start::<B, N>()) }
    }

    /// The members, counted from the wave's lane 0.
    #[inline(always)]
    #[must_use]
    pub fn members(self) -> LaneMask {
        self.local(self.members)
    }

    /// How many members.
    #[inline(always)]
    #[must_use]
    pub fn count(self) -> u32 {
        self.members.count()
    }

    /// This lane's number in the wave, `0..N`.
    #[inline(always)]
    #[must_use]
    pub fn lane(self) -> u32 {
        self.wave.lane()
    }

    /// This lane's place among the members, `0..count()`.
    #[inline(always)]
    #[must_use]
    pub fn rank(self) -> u32 {
        self.members.rank(B::hardware_lane())
    }

    /// `value` of lane `source % N`; the own value where that lane is no member.
    #[inline(always)]
    #[track_caller]
    pub fn shuffle<T: Payload>(self, value: T, source: u32) -> T {
        self.shuffle_checked(value, source).0
    }

    /// [`shuffle`](Self::shuffle), and whether that lane is a member.
    #[inline(always)]
    #[track_caller]
    pub fn shuffle_checked<T: Payload>(self, value: T, source: u32) -> (T, bool) {
        B::begin("masked shuffle");
        // SAFETY: the wave was made on the promise that exactly the members reach this together.
        unsafe { shuffle::index_among::<B, T, N>(value, source, self.members) }
    }

    /// `value` of the lowest member, in every member.
    #[inline(always)]
    #[track_caller]
    pub fn broadcast_first<T: Payload>(self, value: T) -> T {
        B::begin("masked broadcast_first");
        // SAFETY: as in `shuffle_checked`; the calling lane is a member, so there is a lowest.
        unsafe { B::shuffle_among(value, self.members.lowest_or_capacity(), self.members) }
    }

    /// The members whose `vote` is true, counted from the wave's lane 0.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn ballot(self, vote: bool) -> LaneMask {
        B::begin("masked ballot");
        // SAFETY: as in `shuffle_checked`.
        self.local(unsafe { B::ballot_among(vote, self.members) })
    }

    /// Whether any member's `vote` is true.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn any(self, vote: bool) -> bool {
        B::begin("masked any");
        // SAFETY: as in `shuffle_checked`.
        !unsafe { B::ballot_among(vote, self.members) }.is_empty()
    }

    /// Whether every member's `vote` is true.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn all(self, vote: bool) -> bool {
        B::begin("masked all");
        // SAFETY: as in `shuffle_checked`.
        unsafe { B::ballot_among(!vote, self.members) }.is_empty()
    }

    /// Whether all members hold equal values, by `==`.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn uniform<T: Payload + PartialEq>(self, value: T) -> bool {
        B::begin("masked uniform");
        // SAFETY: as in `shuffle_checked`.
        unsafe { broadcast::uniform_among::<B, T>(value, self.members) }
    }

    /// True in one member, the lowest.
    #[inline(always)]
    #[must_use]
    pub fn elect(self) -> bool {
        self.rank() == 0
    }

    /// What any member wrote to memory before, all members see after.
    #[inline(always)]
    #[track_caller]
    pub fn sync(self) {
        B::begin("masked sync");
        // SAFETY: as in `shuffle_checked`.
        unsafe { B::sync_among(self.members) }
    }

    /// The members' values as one, in lane order, in every member.
    ///
    /// The tree of [`Wave::reduce`] without the missing leaves: log₂ `N` shuffles.
    #[inline(always)]
    #[track_caller]
    pub fn reduce<T: Payload, O: Op<T>>(self, value: T, operator: O) -> T {
        B::begin("masked reduce");
        let _ = operator;
        // SAFETY: as in `shuffle_checked`.
        unsafe { reduce::among::<B, T, O, N>(value, self.members) }
    }

    #[inline(always)]
    fn local(self, hardware: LaneMask) -> LaneMask {
        hardware.segment(shuffle::segment_start::<B, N>(), N)
    }
}

impl<const N: u32, B: Backend> fmt::Debug for Masked<N, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Masked<{N}>({:#x})", self.members)
    }
}
