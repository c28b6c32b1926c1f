//! [`Backend`]: the primitives that a target gives, and all that differs from one to the next.

use crate::LaneMask;
use crate::operator::Op;
use crate::payload::Payload;
use crate::plain::algorithms;

#[cfg(target_arch = "amdgpu")]
mod amdgpu;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
mod block_shared;
#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
mod host;
#[cfg(target_arch = "nvptx64")]
mod nvptx;
#[cfg(all(feature = "sim", not(any(target_arch = "nvptx64", target_arch = "amdgpu"))))]
mod sim;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
mod words;

#[cfg(all(feature = "sim", not(any(target_arch = "nvptx64", target_arch = "amdgpu"))))]
pub use sim::Sim;

/// The target that the code is compiled for.
///
/// On a GPU target that is its hardware. On a host it is the simulator (feature `sim`), which runs
/// the lane that is current on this thread; without that feature the code type-checks, and every
/// primitive panics with advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Native;

/// The primitives of a target, over hardware lanes.
///
/// Kernels use [`Wave`](crate::Wave), which adds the logical width and its contracts. The
/// algorithms are written over this trait; a method with a default body is an algorithm that a
/// target may replace where its hardware has something better, with the same bits.
///
/// # Safety
///
/// - The methods do what their documentation says, for every payload.
/// - An implementation of a method that has a default body gives the bits of that body, NaN
///   payloads aside.
///
/// All methods are unsafe for one reason: a collective must be reached by every live lane of the
/// hardware wave together (those ending in `_among`: by exactly the lanes of `members` together,
/// the calling lane one of them). What else a method asks is said there.
pub unsafe trait Backend: Copy + 'static {
    /// The lanes that issue together, where the target fixes their number; 0 where it is known at
    /// run time only.
    const WIDTH: u32;

    /// The lanes that issue together.
    fn width() -> u32;

    /// This lane's place in the hardware wave, `0..width()`.
    fn hardware_lane() -> u32;

    /// Says which collective the kernel calls, for reports; the primitives that follow are its
    /// parts. Nothing on a GPU.
    #[inline(always)]
    fn begin(collective: &'static str) {
        let _ = collective;
    }

    /// Sees to it that `value` is the same in all lanes of each segment of `N` lanes, where that is
    /// checked. Nothing on a GPU.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    #[track_caller]
    unsafe fn agree<const N: u32>(argument: &'static str, value: u32) {
        let _ = (argument, value);
    }

    /// `value` of lane `lane`, which must be live.
    ///
    /// # Safety
    /// See the trait.
    #[track_caller]
    unsafe fn shuffle<T: Payload>(value: T, lane: u32) -> T;

    /// `value` of the lane whose number differs in the bits of `mask`, which is below the width
    /// and the same in all lanes.
    ///
    /// # Safety
    /// See the trait.
    #[track_caller]
    unsafe fn shuffle_xor<T: Payload>(value: T, mask: u32) -> T;

    /// `value` of the lane `delta` below, and true; the own value and false where that lane lies
    /// outside the segment of `N` lanes. `delta` is the same in all lanes.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    #[track_caller]
    unsafe fn shuffle_up<T: Payload, const N: u32>(value: T, delta: u32) -> (T, bool) {
        // SAFETY: the same contract.
        unsafe { algorithms::shuffle::up::<Self, T, N>(value, delta) }
    }

    /// `value` of the lane `delta` above, and true; the own value and false where that lane lies
    /// outside the segment of `N` lanes. `delta` is the same in all lanes.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    #[track_caller]
    unsafe fn shuffle_down<T: Payload, const N: u32>(value: T, delta: u32) -> (T, bool) {
        // SAFETY: the same contract.
        unsafe { algorithms::shuffle::down::<Self, T, N>(value, delta) }
    }

    /// `value` of lane `lane` of the segment of `N` lanes, which is below `N`, live, and the same in
    /// all lanes.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    #[track_caller]
    unsafe fn broadcast<T: Payload, const N: u32>(value: T, lane: u32) -> T {
        // SAFETY: the same contract.
        unsafe { algorithms::shuffle::index::<Self, T, N>(value, lane) }
    }

    /// The hardware lanes whose `vote` is true.
    ///
    /// # Safety
    /// See the trait.
    #[track_caller]
    unsafe fn ballot(vote: bool) -> LaneMask;

    /// Orders the memory accesses of the wave's lanes: what any lane wrote before is seen by all
    /// after.
    ///
    /// # Safety
    /// See the trait.
    #[track_caller]
    unsafe fn sync();

    /// `value` of lane `lane`, a member.
    ///
    /// # Safety
    /// See the trait.
    #[track_caller]
    unsafe fn shuffle_among<T: Payload>(value: T, lane: u32, members: LaneMask) -> T;

    /// The members whose `vote` is true.
    ///
    /// # Safety
    /// See the trait.
    #[track_caller]
    unsafe fn ballot_among(vote: bool, members: LaneMask) -> LaneMask;

    /// Orders the memory accesses of the members.
    ///
    /// # Safety
    /// See the trait.
    #[track_caller]
    unsafe fn sync_among(members: LaneMask);

    /// Whether any live lane of the segment of `N` votes true.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    #[track_caller]
    unsafe fn any<const N: u32>(vote: bool) -> bool {
        // SAFETY: the same contract.
        unsafe { algorithms::vote::any::<Self, N>(vote) }
    }

    /// Whether every live lane of the segment of `N` votes true.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    #[track_caller]
    unsafe fn all<const N: u32>(vote: bool) -> bool {
        // SAFETY: the same contract.
        unsafe { algorithms::vote::all::<Self, N>(vote) }
    }

    /// `value` of the lowest live lane of the segment of `N`.
    ///
    /// # Safety
    /// See the trait.
    #[inline(always)]
    #[track_caller]
    unsafe fn broadcast_first<T: Payload, const N: u32>(value: T) -> T {
        // SAFETY: the same contract.
        unsafe { algorithms::broadcast::first::<Self, T, N>(value) }
    }

    /// All lanes' values combined by the XOR butterfly; every lane of the segment holds the result.
    ///
    /// # Safety
    /// See the trait; all `N` lanes are live.
    #[inline(always)]
    #[track_caller]
    unsafe fn reduce<T: Payload, O: Op<T>, const N: u32>(value: T) -> T {
        // SAFETY: the same contract.
        unsafe { algorithms::reduce::butterfly::<Self, T, O, N>(value) }
    }
}
