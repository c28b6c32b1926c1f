//! [`Native`] on NVIDIA GPUs, `sm_70` and newer.
//!
//! Instructions are those of the PTX ISA, "Parallel Synchronization and Communication
//! Instructions". The member mask of a collective of the whole wave is the constant with all bits
//! set: lanes that have returned count as arrived, and `activemask` says who happens to run
//! together, not who was promised to.

use core::arch::asm;
use core::arch::nvptx;

use super::block_shared::block_shared;
use super::words::{self, Word};
use super::{Backend, Native};
use crate::memory::{Scope, Shared};
use crate::operator::{Builtin, Op};
use crate::payload::{Payload, Scalar};
use crate::plain::algorithms;
use crate::{Device, LaneMask};

const WIDTH: u32 = 32;

/// The member mask of all lanes.
const ALL: u32 = LaneMask::first(WIDTH).bits() as u32;

unsafe extern "C" {
    #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
    fn shfl_idx(members: u32, value: Word, lane: u32, clamp: u32) -> Word;
    #[link_name = "llvm.nvvm.shfl.sync.up.i32"]
    fn shfl_up(members: u32, value: Word, delta: u32, clamp: u32) -> Word;
    #[link_name = "llvm.nvvm.shfl.sync.down.i32"]
    fn shfl_down(members: u32, value: Word, delta: u32, clamp: u32) -> Word;
    #[link_name = "llvm.nvvm.shfl.sync.bfly.i32"]
    fn shfl_bfly(members: u32, value: Word, mask: u32, clamp: u32) -> Word;
    #[link_name = "llvm.nvvm.vote.ballot.sync"]
    fn vote_ballot(members: u32, vote: bool) -> u32;
    #[link_name = "llvm.nvvm.vote.any.sync"]
    fn vote_any(members: u32, vote: bool) -> bool;
    #[link_name = "llvm.nvvm.vote.all.sync"]
    fn vote_all(members: u32, vote: bool) -> bool;
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    fn bar_warp_sync(members: u32);
    #[link_name = "llvm.nvvm.read.ptx.sreg.laneid"]
    safe fn laneid() -> u32;
    #[link_name = "llvm.nvvm.nanosleep"]
    safe fn nanosleep(nanoseconds: u32);
}

/// Keeps the compiler from copying the block that ends here, and with it the collective after it,
/// into the arms of a branch before it.
///
/// A second belt: the flag that `wavewise-build` sets turns off the pass that does so, and rustc
/// marks the intrinsics as convergent for LLVM.
#[inline(always)]
fn uncopied() {
    // SAFETY: no instruction.
    unsafe { asm!("", options(nomem, nostack, preserves_flags)) }
}

/// The last operand of a `shfl`: the bits of the lane number that a segment of `n` lanes fixes,
/// and the furthest lane inside it.
const fn clamp(n: u32, furthest: u32) -> u32 {
    (WIDTH - n) << 8 | furthest
}

/// `clamp`'s furthest lane for every `shfl` but `up`.
const LAST: u32 = WIDTH - 1;

// SAFETY: each method issues the instruction that does what the trait says, and the caller keeps
// the trait's contract: the members named are those that reach it together.
unsafe impl Backend for Native {
    const WIDTH: u32 = WIDTH;

    #[inline(always)]
    fn width() -> u32 {
        WIDTH
    }

    #[inline(always)]
    fn hardware_lane() -> u32 {
        laneid()
    }

    #[inline(always)]
    unsafe fn shuffle<T: Payload>(value: T, lane: u32) -> T {
        // SAFETY: the trait's contract.
        unsafe { shuffle(value, lane, ALL) }
    }

    #[inline(always)]
    unsafe fn shuffle_xor<T: Payload>(value: T, mask: u32) -> T {
        // SAFETY: the trait's contract.
        unsafe {
            words::exchange!(value, |word| {
                uncopied();
                shfl_bfly(ALL, word, mask, LAST)
            })
        }
    }

    // The hardware looks at five bits of `delta`, so a larger one would wrap around; `N` itself
    // reaches out of the segment, or, where that is the whole wave, wraps to the own lane.

    #[inline(always)]
    unsafe fn shuffle_up<T: Payload, const N: u32>(value: T, delta: u32) -> (T, bool) {
        let distance = if delta < N { delta } else { N };
        // SAFETY: the trait's contract.
        let moved = unsafe {
            words::exchange!(value, |word| {
                uncopied();
                shfl_up(ALL, word, distance, const { clamp(N, 0) })
            })
        };
        (moved, delta <= algorithms::shuffle::lane::<Self, N>())
    }

    #[inline(always)]
    unsafe fn shuffle_down<T: Payload, const N: u32>(value: T, delta: u32) -> (T, bool) {
        let distance = if delta < N { delta } else { N };
        // SAFETY: the trait's contract.
        let moved = unsafe {
            words::exchange!(value, |word| {
                uncopied();
                shfl_down(ALL, word, distance, const { clamp(N, LAST) })
            })
        };
        (moved, delta < N - algorithms::shuffle::lane::<Self, N>())
    }

    #[inline(always)]
    unsafe fn ballot(vote: bool) -> LaneMask {
        // SAFETY: the trait's contract.
        unsafe { ballot(vote, ALL) }
    }

    #[inline(always)]
    unsafe fn any<const N: u32>(vote: bool) -> bool {
        if N == WIDTH {
            uncopied();
            // SAFETY: the trait's contract.
            unsafe { vote_any(ALL, vote) }
        } else {
            // SAFETY: the same contract.
            unsafe { algorithms::vote::any::<Self, N>(vote) }
        }
    }

    #[inline(always)]
    unsafe fn all<const N: u32>(vote: bool) -> bool {
        if N == WIDTH {
            uncopied();
            // SAFETY: the trait's contract.
            unsafe { vote_all(ALL, vote) }
        } else {
            // SAFETY: the same contract.
            unsafe { algorithms::vote::all::<Self, N>(vote) }
        }
    }

    #[inline(always)]
    unsafe fn sync() {
        // SAFETY: the trait's contract.
        unsafe { Self::sync_among(LaneMask::first(WIDTH)) }
    }

    #[inline(always)]
    unsafe fn shuffle_among<T: Payload>(value: T, lane: u32, members: LaneMask) -> T {
        // SAFETY: the trait's contract.
        unsafe { shuffle(value, lane, members.bits() as u32) }
    }

    #[inline(always)]
    unsafe fn ballot_among(vote: bool, members: LaneMask) -> LaneMask {
        // SAFETY: the trait's contract.
        unsafe { ballot(vote, members.bits() as u32) }
    }

    #[inline(always)]
    unsafe fn sync_among(members: LaneMask) {
        uncopied();
        // SAFETY: the trait's contract.
        unsafe { bar_warp_sync(members.bits() as u32) }
    }

    #[inline(always)]
    unsafe fn reduce<T: Payload, O: Op<T>, const N: u32>(value: T) -> T {
        if const { N == WIDTH && redux::knows::<T, O>() } {
            // SAFETY: the trait's contract.
            unsafe { redux::reduce::<T, O>(value) }
        } else {
            // SAFETY: the same contract.
            unsafe { algorithms::reduce::butterfly::<Self, T, O, N>(value) }
        }
    }
}

/// # Safety
/// As [`Backend`]'s, for the lanes of `members`.
#[inline(always)]
unsafe fn shuffle<T: Payload>(value: T, lane: u32, members: u32) -> T {
    // SAFETY: the caller's contract.
    unsafe {
        words::exchange!(value, |word| {
            uncopied();
            shfl_idx(members, word, lane, LAST)
        })
    }
}

/// # Safety
/// As [`Backend`]'s, for the lanes of `members`.
#[inline(always)]
unsafe fn ballot(vote: bool, members: u32) -> LaneMask {
    uncopied();
    // SAFETY: the caller's contract.
    LaneMask::from_bits(u64::from(unsafe { vote_ballot(members, vote) }))
}

#[cfg(not(wavewise_arch = "sm_70"))]
mod redux {
    //! `redux.sync`, from `sm_80` on: a reduction of 32-bit integers in one instruction.

    use super::{ALL, Builtin, Op, Payload, Scalar, uncopied, words};

    unsafe extern "C" {
        #[link_name = "llvm.nvvm.redux.sync.add"]
        fn redux_add(value: u32, members: u32) -> u32;
        #[link_name = "llvm.nvvm.redux.sync.umin"]
        fn redux_umin(value: u32, members: u32) -> u32;
        #[link_name = "llvm.nvvm.redux.sync.umax"]
        fn redux_umax(value: u32, members: u32) -> u32;
        #[link_name = "llvm.nvvm.redux.sync.min"]
        fn redux_min(value: u32, members: u32) -> u32;
        #[link_name = "llvm.nvvm.redux.sync.max"]
        fn redux_max(value: u32, members: u32) -> u32;
        #[link_name = "llvm.nvvm.redux.sync.and"]
        fn redux_and(value: u32, members: u32) -> u32;
        #[link_name = "llvm.nvvm.redux.sync.or"]
        fn redux_or(value: u32, members: u32) -> u32;
        #[link_name = "llvm.nvvm.redux.sync.xor"]
        fn redux_xor(value: u32, members: u32) -> u32;
    }

    const fn signed<T: Payload>() -> bool {
        matches!(T::SCALAR, Scalar::I8 | Scalar::I16 | Scalar::I32)
    }

    pub(super) const fn knows<T: Payload, O: Op<T>>() -> bool {
        (signed::<T>() || matches!(T::SCALAR, Scalar::U8 | Scalar::U16 | Scalar::U32))
            && !matches!(O::BUILTIN, Builtin::Prod | Builtin::None)
    }

    /// # Safety
    /// As `Backend::reduce`'s, over the whole wave, where `knows` says so.
    #[inline(always)]
    pub(super) unsafe fn reduce<T: Payload, O: Op<T>>(value: T) -> T {
        // SAFETY: a known scalar is an integer of at most 32 bits; the sum of the low bits is the
        // low bits of the sum, and an extremum of widened values is one of them.
        unsafe {
            let word = words::to_word(value);
            let word = match T::SCALAR {
                Scalar::I8 => i32::from(word as i8).cast_unsigned(),
                Scalar::I16 => i32::from(word as i16).cast_unsigned(),
                _ => word,
            };
            uncopied();
            words::from_word(match O::BUILTIN {
                Builtin::Sum => redux_add(word, ALL),
                Builtin::Min | Builtin::Minimum if signed::<T>() => redux_min(word, ALL),
                Builtin::Min | Builtin::Minimum => redux_umin(word, ALL),
                Builtin::Max | Builtin::Maximum if signed::<T>() => redux_max(word, ALL),
                Builtin::Max | Builtin::Maximum => redux_umax(word, ALL),
                Builtin::And => redux_and(word, ALL),
                Builtin::Or => redux_or(word, ALL),
                Builtin::Xor => redux_xor(word, ALL),
                Builtin::Prod | Builtin::None => word,
            })
        }
    }
}

#[cfg(wavewise_arch = "sm_70")]
mod redux {
    //! `sm_70` has no `redux.sync`.

    use super::{Op, Payload};

    pub(super) const fn knows<T: Payload, O: Op<T>>() -> bool {
        false
    }

    /// # Safety
    /// None: it is never called.
    pub(super) unsafe fn reduce<T: Payload, O: Op<T>>(value: T) -> T {
        value
    }
}

impl Device<WIDTH> for Native {
    type Backend = Self;

    #[inline(always)]
    fn thread(self) -> [u32; 3] {
        // SAFETY: special registers can always be read.
        unsafe { [nvptx::_thread_idx_x(), nvptx::_thread_idx_y(), nvptx::_thread_idx_z()] }
    }

    #[inline(always)]
    fn block(self) -> [u32; 3] {
        // SAFETY: as in `thread`.
        unsafe { [nvptx::_block_idx_x(), nvptx::_block_idx_y(), nvptx::_block_idx_z()] }
    }

    #[inline(always)]
    fn block_shape(self) -> [u32; 3] {
        // SAFETY: as in `thread`.
        unsafe { [nvptx::_block_dim_x(), nvptx::_block_dim_y(), nvptx::_block_dim_z()] }
    }

    #[inline(always)]
    fn grid_shape(self) -> [u32; 3] {
        // SAFETY: as in `thread`.
        unsafe { [nvptx::_grid_dim_x(), nvptx::_grid_dim_y(), nvptx::_grid_dim_z()] }
    }

    #[inline(always)]
    fn branch(self, condition: bool) -> bool {
        condition
    }

    #[inline(always)]
    fn barrier(self) {
        uncopied();
        // SAFETY: every thread of the block reaches it, by this method's contract.
        unsafe { nvptx::_syncthreads() }
    }

    #[inline(always)]
    fn fence(self, scope: Scope) {
        // SAFETY: a fence; that the block may touch memory keeps the compiler from moving
        // accesses over it.
        unsafe {
            match scope {
                Scope::Block => asm!("fence.acq_rel.cta;", options(nostack, preserves_flags)),
                Scope::Device => asm!("fence.acq_rel.gpu;", options(nostack, preserves_flags)),
                Scope::System => asm!("fence.acq_rel.sys;", options(nostack, preserves_flags)),
            }
        }
    }

    #[inline(always)]
    fn spin(self) {
        nanosleep(20);
    }

    #[inline(always)]
    fn shared<T: Payload, const LEN: usize>(self) -> Shared<T> {
        block_shared::<T, LEN>()
    }
}
