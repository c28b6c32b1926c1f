//! Payloads as the 32-bit words that GPU lanes exchange.

use core::mem::MaybeUninit;

use crate::payload::Payload;

/// One register of a lane; what is padding in the payload may be uninitialised in it.
pub(super) type Word = MaybeUninit<u32>;

/// The value whose words are what `$move` gives for each `$word` of `$value`: the same words of
/// another lane's value of the same type.
///
/// A macro and no function over a closure: without optimisation the collective would lie in a
/// function of its own.
macro_rules! exchange {
    ($value:expr, |$word:ident| $move:expr) => {{
        let value = $value;
        let mut arrived = $crate::backend::words::nothing_like(&value);
        let mut at = 0;
        while at < size_of_val(&value) {
            let $word = $crate::backend::words::word_at(&value, at);
            let moved = $move;
            $crate::backend::words::set_word_at(&mut arrived, at, moved);
            at += 4;
        }
        // SAFETY: every word is that of another lane's value.
        unsafe { T::from_moved(arrived) }
    }};
}
pub(super) use exchange;

#[inline(always)]
pub(super) fn nothing_like<T>(_: &T) -> MaybeUninit<T> {
    MaybeUninit::uninit()
}

/// The bytes of the word at byte `at`; the last word may be short.
#[inline(always)]
fn bytes<T>(at: usize) -> usize {
    if size_of::<T>() - at < 4 { size_of::<T>() - at } else { 4 }
}

/// The word at byte `at`, which lies in the value.
#[inline(always)]
pub(super) fn word_at<T: Payload>(value: &T, at: usize) -> Word {
    // The bytes beyond a short payload are zero rather than uninitialised: the register that holds
    // them all would be.
    let mut word = Word::new(0);
    // SAFETY: the bytes lie in the value, and a word holds them.
    unsafe {
        let from = core::ptr::from_ref(value).cast::<u8>().add(at);
        from.copy_to_nonoverlapping(word.as_mut_ptr().cast(), bytes::<T>(at));
    }
    word
}

#[inline(always)]
pub(super) fn set_word_at<T: Payload>(value: &mut MaybeUninit<T>, at: usize, word: Word) {
    // SAFETY: as in `word_at`.
    unsafe {
        let to = value.as_mut_ptr().cast::<u8>().add(at);
        to.copy_from_nonoverlapping(word.as_ptr().cast(), bytes::<T>(at));
    }
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
        (&raw const value)
            .cast::<u8>()
            .copy_to_nonoverlapping((&raw mut word).cast(), size_of::<T>());
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
