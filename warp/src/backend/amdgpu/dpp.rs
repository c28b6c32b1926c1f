//! Data parallel primitives: moves inside a row of 16 lanes, a modifier of the instruction that
//! uses them.

use super::{Backend, Native, Op, Payload, Word, words};

unsafe extern "C" {
    #[link_name = "llvm.amdgcn.update.dpp.i32"]
    fn update_dpp(old: Word, value: Word, control: u32, rows: u32, banks: u32, bound: bool)
    -> Word;
}

/// The values of `DPP_CTRL`.
pub(super) mod control {
    /// Lane `i` of four reads lane `pattern[i]`.
    pub(crate) const fn quad_perm(pattern: [u32; 4]) -> u32 {
        pattern[0] | pattern[1] << 2 | pattern[2] << 4 | pattern[3] << 6
    }
    /// Reads the lane below, inside the row.
    pub(crate) const ROW_SHR_1: u32 = 0x111;
    /// Reads the lane above, inside the row.
    pub(crate) const ROW_SHL_1: u32 = 0x101;
    /// Reads the lane 8 away: in a row of 16 both directions are the same.
    pub(crate) const ROW_ROR_8: u32 = 0x128;
    /// Lane `i` of 16 reads lane `15 - i`.
    pub(crate) const ROW_MIRROR: u32 = 0x140;
    /// Lane `i` of 8 reads lane `7 - i`.
    pub(crate) const ROW_HALF_MIRROR: u32 = 0x141;
}

/// `word` of the lane that `CONTROL` names; where that is none, 0.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
pub(super) unsafe fn dpp<const CONTROL: u32>(word: Word) -> Word {
    // With nothing to keep and all rows on, the move can fuse with its user.
    // SAFETY: the caller's contract.
    unsafe { update_dpp(Word::uninit(), word, CONTROL, 0xf, 0xf, true) }
}

/// `word` of the lane that `CONTROL` names; where that is none, or the lane's row is not in the
/// set `ROWS`, the own one.
///
/// # Safety
/// As [`Backend`]'s.
#[inline(always)]
pub(super) unsafe fn dpp_or_own<const CONTROL: u32, const ROWS: u32>(word: Word) -> Word {
    // SAFETY: the caller's contract.
    unsafe { update_dpp(word, word, CONTROL, ROWS, 0xf, false) }
}

/// The butterfly's steps of stride 1, 2, 4 and 8, as far as they are below `N`.
///
/// After the steps of stride 1 and 2 the four lanes of a quad hold the same, so the mirror of
/// eight lanes brings what the lane at stride 4 holds; likewise the mirror of sixteen at stride 8.
///
/// # Safety
/// As [`Backend::reduce`]'s.
#[inline(always)]
pub(super) unsafe fn row<T: Payload, O: Op<T>, const N: u32>(value: T) -> T {
    use control::{ROW_HALF_MIRROR, ROW_MIRROR, quad_perm};
    let mut total = value;
    // SAFETY: the caller's contract.
    unsafe {
        if N > 1 {
            total = step::<T, O, { quad_perm([1, 0, 3, 2]) }>(total, 1);
        }
        if N > 2 {
            total = step::<T, O, { quad_perm([2, 3, 0, 1]) }>(total, 2);
        }
        if N > 4 {
            total = step::<T, O, ROW_HALF_MIRROR>(total, 4);
        }
        if N > 8 {
            total = step::<T, O, ROW_MIRROR>(total, 8);
        }
    }
    total
}

#[inline(always)]
unsafe fn step<T: Payload, O: Op<T>, const CONTROL: u32>(total: T, stride: u32) -> T {
    // SAFETY: the caller's contract.
    let other = unsafe { words::exchange!(total, |word| dpp::<CONTROL>(word)) };
    in_order::<T, O>(total, other, stride)
}

/// `mine` combined with `other`, of the lanes at `stride`, in lane order.
#[inline(always)]
pub(super) fn in_order<T: Payload, O: Op<T>>(mine: T, other: T, stride: u32) -> T {
    if O::COMMUTES || Native::hardware_lane() & stride == 0 {
        O::combine(mine, other)
    } else {
        O::combine(other, mine)
    }
}
