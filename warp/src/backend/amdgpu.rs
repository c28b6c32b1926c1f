//! [`Native`] on AMD GPUs, in waves of 32 or 64 lanes as `wavewise_wave` says.
//!
//! What a family of chips does in its own way is in its file: [`gfx9`](family) for CDNA, whose
//! DPP reaches over rows of 16 lanes; `rdna` for RDNA, which has permlanes instead. The
//! instructions are described in AMD's ISA documents, "Data Parallel Processing" and "LDS
//! Cross-Lane Operations".
//!
//! What Rust cannot say here is a function of an LLVM module that `wavewise-build` links in: those
//! named `__wavewise_…`.

use core::intrinsics::is_val_statically_known;

use super::block_shared::block_shared;
use super::words::{self, Word};
use super::{Backend, Native};
use crate::memory::{Scope, Shared};
use crate::operator::Op;
use crate::payload::Payload;
use crate::plain::algorithms;
use crate::{Device, LaneMask};

mod dpp;

#[cfg_attr(
    any(wavewise_arch = "gfx90a", wavewise_arch = "gfx942", wavewise_arch = "gfx950"),
    path = "amdgpu/gfx9.rs"
)]
#[cfg_attr(
    not(any(wavewise_arch = "gfx90a", wavewise_arch = "gfx942", wavewise_arch = "gfx950")),
    path = "amdgpu/rdna.rs"
)]
mod family;

#[cfg(all(wavewise_convergent, not(any(wavewise_wave = "32", wavewise_wave = "64"))))]
compile_error!(
    "an AMD GPU runs waves of 32 or 64 lanes, and rustc does not say which: build with \
     `wavewise-build`, or set `--cfg wavewise_wave=\"64\"` (or \"32\") and \
     `--cfg wavewise_arch=\"gfx942\"` (or whichever) in RUSTFLAGS, as `-Ctarget-cpu` and \
     `-Ctarget-feature` have it"
);

const WIDTH: u32 = if cfg!(wavewise_wave = "32") { 32 } else { 64 };

unsafe extern "C" {
    #[link_name = "llvm.amdgcn.ballot.i64"]
    fn llvm_ballot(vote: bool) -> u64;
    #[link_name = "llvm.amdgcn.readlane.i32"]
    fn readlane(value: Word, lane: u32) -> Word;
    #[link_name = "llvm.amdgcn.readfirstlane.i32"]
    fn readfirstlane(value: Word) -> Word;
    #[link_name = "llvm.amdgcn.ds.bpermute"]
    fn ds_bpermute(byte: u32, value: Word) -> Word;

    safe fn __wavewise_block_size_x() -> u32;
    safe fn __wavewise_block_size_y() -> u32;
    safe fn __wavewise_block_size_z() -> u32;
    safe fn __wavewise_grid_size_x() -> u32;
    safe fn __wavewise_grid_size_y() -> u32;
    safe fn __wavewise_grid_size_z() -> u32;
    fn __wavewise_barrier();
    fn __wavewise_sync_wave();
    safe fn __wavewise_fence_acq_rel_block();
    safe fn __wavewise_fence_acq_rel_device();
    safe fn __wavewise_fence_acq_rel_system();
}

// SAFETY: each method issues instructions that do what the trait says for the lanes that EXEC
// has on, which are those that reach it together.
unsafe impl Backend for Native {
    const WIDTH: u32 = WIDTH;

    #[inline(always)]
    fn width() -> u32 {
        WIDTH
    }

    #[inline(always)]
    fn hardware_lane() -> u32 {
        let low = core::arch::amdgpu::mbcnt_lo(u32::MAX, 0);
        if WIDTH == 64 { core::arch::amdgpu::mbcnt_hi(u32::MAX, low) } else { low }
    }

    #[inline(always)]
    unsafe fn shuffle<T: Payload>(value: T, lane: u32) -> T {
        // SAFETY: the trait's contract; a lane known to the compiler is the same in all lanes.
        unsafe {
            if is_val_statically_known(lane) {
                words::exchange!(value, |word| readlane(word, lane))
            } else {
                words::exchange!(value, |word| family::gather(word, lane))
            }
        }
    }

    #[inline(always)]
    unsafe fn shuffle_xor<T: Payload>(value: T, mask: u32) -> T {
        // SAFETY: the trait's contract.
        unsafe {
            words::exchange!(value, |word| {
                if is_val_statically_known(mask) {
                    family::xor(word, mask)
                } else {
                    family::gather(word, Self::hardware_lane() ^ mask)
                }
            })
        }
    }

    #[inline(always)]
    unsafe fn shuffle_up<T: Payload, const N: u32>(value: T, delta: u32) -> (T, bool) {
        if is_val_statically_known(delta) && delta == 1 && family::steps(N) {
            let in_range = algorithms::shuffle::lane::<Self, N>() >= 1;
            // SAFETY: the trait's contract.
            let moved = unsafe { words::exchange!(value, |word| family::step_up::<N>(word)) };
            (if in_range { moved } else { value }, in_range)
        } else {
            // SAFETY: the same contract.
            unsafe { algorithms::shuffle::up::<Self, T, N>(value, delta) }
        }
    }

    #[inline(always)]
    unsafe fn shuffle_down<T: Payload, const N: u32>(value: T, delta: u32) -> (T, bool) {
        if is_val_statically_known(delta) && delta == 1 && family::steps(N) {
            let in_range = algorithms::shuffle::lane::<Self, N>() < N - 1;
            // SAFETY: the trait's contract.
            let moved = unsafe { words::exchange!(value, |word| family::step_down::<N>(word)) };
            (if in_range { moved } else { value }, in_range)
        } else {
            // SAFETY: the same contract.
            unsafe { algorithms::shuffle::down::<Self, T, N>(value, delta) }
        }
    }

    #[inline(always)]
    unsafe fn ballot(vote: bool) -> LaneMask {
        // SAFETY: the trait's contract.
        LaneMask::from_bits(unsafe { llvm_ballot(vote) })
    }

    #[inline(always)]
    unsafe fn broadcast<T: Payload, const N: u32>(value: T, lane: u32) -> T {
        // SAFETY: the trait's contract; `lane` is the same in all lanes.
        unsafe {
            if N == WIDTH {
                words::exchange!(value, |word| readlane(word, lane))
            } else {
                algorithms::shuffle::index::<Self, T, N>(value, lane)
            }
        }
    }

    #[inline(always)]
    unsafe fn broadcast_first<T: Payload, const N: u32>(value: T) -> T {
        // SAFETY: the trait's contract.
        unsafe {
            if N == WIDTH {
                words::exchange!(value, |word| readfirstlane(word))
            } else {
                algorithms::broadcast::first::<Self, T, N>(value)
            }
        }
    }

    #[inline(always)]
    unsafe fn sync() {
        // SAFETY: the trait's contract.
        unsafe { __wavewise_sync_wave() }
    }

    #[inline(always)]
    unsafe fn shuffle_among<T: Payload>(value: T, lane: u32, _: LaneMask) -> T {
        // SAFETY: the trait's contract: EXEC is the members.
        unsafe { Self::shuffle(value, lane) }
    }

    #[inline(always)]
    unsafe fn ballot_among(vote: bool, members: LaneMask) -> LaneMask {
        // SAFETY: the trait's contract. Lanes of other segments may be here with their members.
        unsafe { Self::ballot(vote) }.intersect(members)
    }

    #[inline(always)]
    unsafe fn sync_among(_: LaneMask) {
        // SAFETY: the trait's contract.
        unsafe { __wavewise_sync_wave() }
    }

    /// The butterfly's steps inside a row of 16 lanes by DPP, fused into the operator where it is
    /// one instruction; then over the rows by what the family has.
    #[inline(always)]
    unsafe fn reduce<T: Payload, O: Op<T>, const N: u32>(value: T) -> T {
        // SAFETY: the trait's contract.
        unsafe { family::across_rows::<T, O, N>(dpp::row::<T, O, N>(value)) }
    }
}

impl Device<WIDTH> for Native {
    type Backend = Self;

    #[inline(always)]
    fn thread(self) -> [u32; 3] {
        use core::arch::amdgpu::{workitem_id_x, workitem_id_y, workitem_id_z};
        [workitem_id_x(), workitem_id_y(), workitem_id_z()]
    }

    #[inline(always)]
    fn block(self) -> [u32; 3] {
        use core::arch::amdgpu::{workgroup_id_x, workgroup_id_y, workgroup_id_z};
        [workgroup_id_x(), workgroup_id_y(), workgroup_id_z()]
    }

    #[inline(always)]
    fn block_shape(self) -> [u32; 3] {
        [__wavewise_block_size_x(), __wavewise_block_size_y(), __wavewise_block_size_z()]
    }

    #[inline(always)]
    fn grid_shape(self) -> [u32; 3] {
        [__wavewise_grid_size_x(), __wavewise_grid_size_y(), __wavewise_grid_size_z()]
    }

    #[inline(always)]
    fn branch(self, condition: bool) -> bool {
        condition
    }

    #[inline(always)]
    fn barrier(self) {
        // SAFETY: every thread of the block reaches it, by this method's contract.
        unsafe { __wavewise_barrier() }
    }

    #[inline(always)]
    fn fence(self, scope: Scope) {
        match scope {
            Scope::Block => __wavewise_fence_acq_rel_block(),
            Scope::Device => __wavewise_fence_acq_rel_device(),
            Scope::System => __wavewise_fence_acq_rel_system(),
        }
    }

    #[inline(always)]
    fn spin(self) {
        core::arch::amdgpu::s_sleep::<1>();
    }

    #[inline(always)]
    fn shared<T: Payload, const LEN: usize>(self) -> Shared<T> {
        block_shared::<T, LEN>()
    }
}
