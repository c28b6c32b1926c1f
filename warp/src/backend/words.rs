//! Payloads as the 32-bit words that GPU lanes exchange.

use core::mem::MaybeUninit;

use crate::payload::Payload;

/// One register of a lane; what is padding in the payload may be uninitialised in it.
pub(super) type Word = MaybeUninit<u32>;

/// `value` with each of its words replaced by what `exchange` gives for it.
///
/// # Safety
///
/// What `exchange` gives are the same words of another lane's value of the same type.
#[inline(always)]
pub(super) unsafe fn exchange<T: Payload>(value: T, mut exchange: impl FnMut(Word) -> Word) -> T {
    let mut arrived = MaybeUninit::<T>::uninit();
    let from = (&raw const value).cast::<u8>();
    let to = arrived.as_mut_ptr().cast::<u8>();
    let mut at = 0;
    while at < size_of::<T>() {
        let bytes = if size_of::<T>() - at < 4 { size_of::<T>() - at } else { 4 };
        // The bytes beyond a short payload are zero rather than uninitialised: the register that
        // holds them all would be.
        let mut word = Word::new(0);
        // SAFETY: `bytes` bytes lie at `at` in both values, and a word holds them.
        unsafe {
            from.add(at).copy_to_nonoverlapping(word.as_mut_ptr().cast(), bytes);
            let moved = exchange(word);
            to.add(at).copy_from_nonoverlapping(moved.as_ptr().cast(), bytes);
        }
        at += 4;
    }
    // SAFETY: by this function's contract these are the bytes of another lane's value.
    unsafe { T::from_moved(arrived) }
}

/// The bits of a payload of at most 32 bits, the upper ones zero.
///
/// # Safety
/// `T` has no padding.
#[inline(always)]
pub(super) unsafe fn to_word<T: Payload>(value: T) -> u32 {
    assert!(size_of::<T>() <= 4, "a word has four bytes");
    let mut word = 0u32;
    // SAFETY: the value has at most the word's size, and all its bytes are initialised.
    unsafe {
        (&raw const value).cast::<u8>().copy_to_nonoverlapping((&raw mut word).cast(), size_of::<T>());
    }
    word
}

/// The payload whose bits are the lower ones of `word`.
///
/// # Safety
/// They are a value of `T`.
#[inline(always)]
pub(super) unsafe fn from_word<T: Payload>(word: u32) -> T {
    assert!(size_of::<T>() <= 4, "a word has four bytes");
    // SAFETY: by this function's contract; GPU targets are little-endian.
    unsafe { (&raw const word).cast::<T>().read_unaligned() }
}
