//! RDNA: waves of 32 or 64 lanes, permlanes instead of DPP over rows.

use super::dpp::{control, dpp, dpp_or_own, in_order};
use super::{Backend, Native, Op, Payload, WIDTH, Word, ds_bpermute, words};

unsafe extern "C" {
    #[link_name = "llvm.amdgcn.permlanex16.i32"]
    fn permlanex16(old: Word, value: Word, low: u32, high: u32, fetch: bool, bound: bool) -> Word;
    #[link_name = "llvm.amdgcn.permlane64.i32"]
    fn permlane64(value: Word) -> Word;
}

/// Whether `ds_bpermute` reaches over the whole wave; in a wave of 64 lanes it stays in the own
/// half before gfx12.
const GATHERS_ALL: bool =
    WIDTH == 32 || cfg!(any(wavewise_arch = "gfx1200", wavewise_arch = "gfx1201"));

/// `word` of lane `lane`.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
pub(super) unsafe fn gather(word: Word, lane: u32) -> Word {
    // SAFETY: the caller's contract.
    unsafe {
        if GATHERS_ALL {
            ds_bpermute(lane << 2, word)
        } else {
            let near = ds_bpermute(lane << 2, word);
            let far = ds_bpermute(lane << 2, permlane64(word));
            if (lane ^ Native::hardware_lane()) & 32 == 0 { near } else { far }
        }
    }
}

/// `DPP_CTRL` that reads the lane at XOR `mask`, 0 to 15.
const fn row_xmask(mask: u32) -> u32 {
    0x160 | mask
}

/// `word` of the lane at XOR `mask`, which is known to the compiler.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
pub(super) unsafe fn xor(word: Word, mask: u32) -> Word {
    // SAFETY: the caller's contract.
    unsafe {
        match mask {
            0 => word,
            1 => dpp::<{ row_xmask(1) }>(word),
            2 => dpp::<{ row_xmask(2) }>(word),
            3 => dpp::<{ row_xmask(3) }>(word),
            4 => dpp::<{ row_xmask(4) }>(word),
            7 => dpp::<{ row_xmask(7) }>(word),
            8 => dpp::<{ row_xmask(8) }>(word),
            15 => dpp::<{ row_xmask(15) }>(word),
            16 => other_row(word),
            32 => permlane64(word),
            _ => gather(word, Native::hardware_lane() ^ mask),
        }
    }
}

/// `word` of the same lane in the other row of 16 of the half.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
unsafe fn other_row(word: Word) -> Word {
    /// Lane `i` reads lane `i`: four bits for each of eight lanes.
    const LOW: u32 = 0x7654_3210;
    const HIGH: u32 = 0xfedc_ba98;
    // SAFETY: the caller's contract.
    unsafe { permlanex16(Word::uninit(), word, LOW, HIGH, false, true) }
}

/// Whether [`step_up`] and [`step_down`] serve segments of `n` lanes: DPP stays in the row.
pub(super) const fn steps(n: u32) -> bool {
    n <= 16
}

/// `word` of the lane below; in a segment's first lane that of any lane, or the own.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
pub(super) unsafe fn step_up<const N: u32>(word: Word) -> Word {
    // SAFETY: the caller's contract.
    unsafe { dpp_or_own::<{ control::ROW_SHR_1 }, 0xf>(word) }
}

/// `word` of the lane above; in a segment's last lane that of any lane, or the own.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
pub(super) unsafe fn step_down<const N: u32>(word: Word) -> Word {
    // SAFETY: the caller's contract.
    unsafe { dpp_or_own::<{ control::ROW_SHL_1 }, 0xf>(word) }
}

/// The butterfly's steps of stride 16 and 32.
///
/// # Safety
/// As [`Backend::reduce`]'s.
#[inline(always)]
pub(super) unsafe fn across_rows<T: Payload, O: Op<T>, const N: u32>(row: T) -> T {
    let mut total = row;
    // SAFETY: the caller's contract.
    unsafe {
        if N > 16 {
            let other = words::exchange!(total, |word| other_row(word));
            total = in_order::<T, O>(total, other, 16);
        }
        if N > 32 {
            let other = words::exchange!(total, |word| permlane64(word));
            total = in_order::<T, O>(total, other, 32);
        }
    }
    total
}
