//! [`Sim`]: the simulator at a width that is known when the kernel is compiled.

use super::{Backend, Native};
use crate::memory::{Scope, Shared};
use crate::payload::Payload;
use crate::sim::lane as current;
use crate::{Device, LaneMask};

/// The simulator with hardware waves of `W` lanes: a [`Device`], and its [`Backend`].
///
/// [`Launch::run`](crate::sim::Launch::run) hands one to every lane. `W` is a power of two from 1
/// to 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sim<const W: u32>;

// SAFETY: all is forwarded to the simulator by way of `Native`.
unsafe impl<const W: u32> Backend for Sim<W> {
    const WIDTH: u32 = W;

    fn width() -> u32 {
        W
    }

    fn hardware_lane() -> u32 {
        Native::hardware_lane()
    }

    fn begin(collective: &'static str) {
        current::begin(collective);
    }

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

impl<const W: u32> Device<W> for Sim<W> {
    type Backend = Self;

    fn thread(self) -> [u32; 3] {
        current::thread()
    }

    fn block(self) -> [u32; 3] {
        current::block()
    }

    fn block_shape(self) -> [u32; 3] {
        current::block_shape()
    }

    fn grid_shape(self) -> [u32; 3] {
        current::grid_shape()
    }

    #[track_caller]
    fn branch(self, condition: bool) -> bool {
        current::branch(condition)
    }

    #[track_caller]
    fn barrier(self) {
        current::barrier();
    }

    #[track_caller]
    fn fence(self, scope: Scope) {
        current::fence(scope);
    }

    #[track_caller]
    fn spin(self) {
        current::spin();
    }

    #[track_caller]
    fn shared<T: Payload, const LEN: usize>(self) -> Shared<T> {
        current::shared::<T>(LEN)
    }
}
