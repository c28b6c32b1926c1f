//! [`Native`] on a host: the simulator where it is compiled in, else advice.

use super::{Backend, Native};
use crate::LaneMask;
use crate::payload::Payload;

#[cfg(feature = "sim")]
use crate::sim::lane as current;

#[cfg(not(feature = "sim"))]
mod current {
    //! No lane runs here.
    use crate::LaneMask;
    use crate::payload::Payload;

    #[cold]
    #[track_caller]
    fn advise() -> ! {
        panic!(
            "a collective was called on a host: compile the kernel for a GPU target, or turn on \
             wavewise's feature `sim` and run it with `wavewise::sim::Launch`"
        )
    }

    #[track_caller]
    pub(super) fn width() -> u32 {
        advise()
    }
    #[track_caller]
    pub(super) fn hardware_lane() -> u32 {
        advise()
    }
    #[track_caller]
    pub(super) fn shuffle<T: Payload>(_: T, _: u32) -> T {
        advise()
    }
    #[track_caller]
    pub(super) fn shuffle_xor<T: Payload>(_: T, _: u32) -> T {
        advise()
    }
    #[track_caller]
    pub(super) fn shuffle_up<T: Payload>(_: T, _: u32, _: u32) -> (T, bool) {
        advise()
    }
    #[track_caller]
    pub(super) fn shuffle_down<T: Payload>(_: T, _: u32, _: u32) -> (T, bool) {
        advise()
    }
    #[track_caller]
    pub(super) fn broadcast<T: Payload>(_: T, _: u32, _: u32) -> T {
        advise()
    }
    #[track_caller]
    pub(super) fn ballot(_: bool) -> LaneMask {
        advise()
    }
    #[track_caller]
    pub(super) fn sync() {
        advise()
    }
    #[track_caller]
    pub(super) fn shuffle_among<T: Payload>(_: T, _: u32, _: LaneMask) -> T {
        advise()
    }
    #[track_caller]
    pub(super) fn ballot_among(_: bool, _: LaneMask) -> LaneMask {
        advise()
    }
    #[track_caller]
    pub(super) fn sync_among(_: LaneMask) {
        advise()
    }
}

// SAFETY: the simulator does what the trait says, and reports a breach of its contract; without
// it nothing returns.
unsafe impl Backend for Native {
    const WIDTH: u32 = 0;

    #[track_caller]
    fn width() -> u32 {
        current::width()
    }

    #[track_caller]
    fn hardware_lane() -> u32 {
        current::hardware_lane()
    }

    #[cfg(feature = "sim")]
    fn begin(collective: &'static str) {
        current::begin(collective);
    }

    #[cfg(feature = "sim")]
    #[track_caller]
    unsafe fn agree<const N: u32>(argument: &'static str, value: u32) {
        current::agree(argument, value, N);
    }

    #[track_caller]
    unsafe fn shuffle<T: Payload>(value: T, lane: u32) -> T {
        current::shuffle(value, lane)
    }

    #[track_caller]
    unsafe fn shuffle_xor<T: Payload>(value: T, mask: u32) -> T {
        current::shuffle_xor(value, mask)
    }

    #[track_caller]
    unsafe fn shuffle_up<T: Payload, const N: u32>(value: T, delta: u32) -> (T, bool) {
        current::shuffle_up(value, delta, N)
    }

    #[track_caller]
    unsafe fn shuffle_down<T: Payload, const N: u32>(value: T, delta: u32) -> (T, bool) {
        current::shuffle_down(value, delta, N)
    }

    #[track_caller]
    unsafe fn broadcast<T: Payload, const N: u32>(value: T, lane: u32) -> T {
        current::broadcast(value, lane, N)
    }

    #[track_caller]
    unsafe fn ballot(vote: bool) -> LaneMask {
        current::ballot(vote)
    }

    #[track_caller]
    unsafe fn sync() {
        current::sync();
    }

    #[track_caller]
    unsafe fn shuffle_among<T: Payload>(value: T, lane: u32, members: LaneMask) -> T {
        current::shuffle_among(value, lane, members)
    }

    #[track_caller]
    unsafe fn ballot_among(vote: bool, members: LaneMask) -> LaneMask {
        current::ballot_among(vote, members)
    }

    #[track_caller]
    unsafe fn sync_among(members: LaneMask) {
        current::sync_among(members);
    }
}
