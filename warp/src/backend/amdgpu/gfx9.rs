//! CDNA: waves of 64 lanes, DPP over rows, `ds_bpermute` over the whole wave.

use super::dpp::{control, dpp, dpp_or_own};
use super::{Backend, Native, Op, Payload, Word, ds_bpermute, readlane, words};
use crate::operator::Builtin;

/// Every odd row reads the last lane of the row below.
const ROW_BCAST_15: u32 = 0x142;
/// The upper two rows read the last lane of the lower two.
const ROW_BCAST_31: u32 = 0x143;
/// Reads the lane below, over the whole wave.
const WAVE_SHR_1: u32 = 0x138;
/// Reads the lane above, over the whole wave.
const WAVE_SHL_1: u32 = 0x130;

unsafe extern "C" {
    #[link_name = "llvm.amdgcn.ds.swizzle"]
    fn ds_swizzle(value: Word, pattern: u32) -> Word;
}

/// The swizzle of 32 lanes in which each reads the lane at XOR 16: and, or, xor masks of 5 bits.
const SWIZZLE_XOR_16: u32 = 0x10 << 10 | 0x1f;

/// `word` of lane `lane`.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
pub(super) unsafe fn gather(word: Word, lane: u32) -> Word {
    // SAFETY: the caller's contract.
    unsafe { ds_bpermute(lane << 2, word) }
}

/// `word` of the lane at XOR `mask`, which is known to the compiler.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
pub(super) unsafe fn xor(word: Word, mask: u32) -> Word {
    use control::{ROW_HALF_MIRROR, ROW_MIRROR, ROW_ROR_8, quad_perm};
    // SAFETY: the caller's contract.
    unsafe {
        match mask {
            0 => word,
            1 => dpp::<{ quad_perm([1, 0, 3, 2]) }>(word),
            2 => dpp::<{ quad_perm([2, 3, 0, 1]) }>(word),
            3 => dpp::<{ quad_perm([3, 2, 1, 0]) }>(word),
            // Two moves of the vector unit are quicker than one through the LDS.
            4 => dpp::<ROW_HALF_MIRROR>(dpp::<{ quad_perm([3, 2, 1, 0]) }>(word)),
            7 => dpp::<ROW_HALF_MIRROR>(word),
            8 => dpp::<ROW_ROR_8>(word),
            15 => dpp::<ROW_MIRROR>(word),
            16 => ds_swizzle(word, SWIZZLE_XOR_16),
            _ => gather(word, Native::hardware_lane() ^ mask),
        }
    }
}

/// Whether [`step_up`] and [`step_down`] serve segments of `n` lanes.
pub(super) const fn steps(_: u32) -> bool {
    true
}

/// `word` of the lane below; in a segment's first lane that of any lane, or the own.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
pub(super) unsafe fn step_up<const N: u32>(word: Word) -> Word {
    // SAFETY: the caller's contract.
    unsafe {
        if N <= 16 {
            dpp_or_own::<{ control::ROW_SHR_1 }, 0xf>(word)
        } else {
            dpp_or_own::<WAVE_SHR_1, 0xf>(word)
        }
    }
}

/// `word` of the lane above; in a segment's last lane that of any lane, or the own.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
pub(super) unsafe fn step_down<const N: u32>(word: Word) -> Word {
    // SAFETY: the caller's contract.
    unsafe {
        if N <= 16 {
            dpp_or_own::<{ control::ROW_SHL_1 }, 0xf>(word)
        } else {
            dpp_or_own::<WAVE_SHL_1, 0xf>(word)
        }
    }
}

/// The butterfly's steps of stride 16 and 32, where all lanes of a row hold the row's total.
///
/// A ladder: the last row of a segment ends with the butterfly's value, and gives it to all.
///
/// # Safety
/// As [`Backend::reduce`]'s.
#[inline(always)]
pub(super) unsafe fn across_rows<T: Payload, O: Op<T>, const N: u32>(row: T) -> T {
    // SAFETY: the caller's contract.
    unsafe {
        match N {
            32 => {
                let total = climb::<T, O, ROW_BCAST_15, 0xa>(row);
                let lower = words::exchange!(total, |word| readlane(word, 31));
                let upper = words::exchange!(total, |word| readlane(word, 63));
                if Native::hardware_lane() < 32 { lower } else { upper }
            }
            64 => {
                let total = climb::<T, O, ROW_BCAST_15, 0xa>(row);
                let total = climb::<T, O, ROW_BCAST_31, 0xc>(total);
                words::exchange!(total, |word| readlane(word, 63))
            }
            _ => row,
        }
    }
}

/// The rows of `ROWS` combined with what `CONTROL` brings from below; the others end with
/// something that nobody reads.
#[inline(always)]
unsafe fn climb<T: Payload, O: Op<T>, const CONTROL: u32, const ROWS: u32>(total: T) -> T {
    // SAFETY: the caller's contract.
    let below = unsafe {
        if matches!(O::BUILTIN, Builtin::None) {
            // The operator is the user's: it sees no value that no lane had.
            words::exchange!(total, |word| dpp_or_own::<CONTROL, ROWS>(word))
        } else {
            words::exchange!(total, |word| dpp::<CONTROL>(word))
        }
    };
    O::combine(below, total)
}
