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
        let mut arrived = $crate::backend::words::Arriving::like(&value);
        while arrived.waits() {
            let $word = arrived.next_of(&value);
            let moved = $move;
            arrived.set_next(moved);
        }
        // SAFETY: every word is that of another lane's value.
        unsafe { arrived.value() }
    }};
}
pub(super) use exchange;

/// A value of which some words have arrived.
pub(super) struct Arriving<T> {
    value: MaybeUninit<T>,
    bytes: usize,
}

impl<T: Payload> Arriving<T> {
    #[inline(always)]
    pub(super) fn like(_: &T) -> Self {
        Self { value: MaybeUninit::uninit(), bytes: 0 }
    }

    #[inline(always)]
    pub(super) fn waits(&self) -> bool {
        self.bytes < size_of::<T>()
    }

    /// The bytes of the next word; the last one may be short.
    #[inline(always)]
    fn next(&self) -> usize {
        let rest = size_of::<T>() - self.bytes;
        if rest < 4 { rest } else { 4 }
    }

    #[inline(always)]
    pub(super) fn next_of(&self, value: &T) -> Word {
        // The bytes beyond a short payload are zero rather than uninitialised: the register that
        // holds them all would be.
        let mut word = Word::new(0);
        // SAFETY: the bytes lie in the value, and a word holds them.
        unsafe {
            let from = core::ptr::from_ref(value).cast::<u8>().add(self.bytes);
            from.copy_to_nonoverlapping(word.as_mut_ptr().cast(), self.next());
        }
        word
    }

    #[inline(always)]
    pub(super) fn set_next(&mut self, word: Word) {
        // SAFETY: as in `next_of`.
        unsafe {
            let to = self.value.as_mut_ptr().cast::<u8>().add(self.bytes);
            to.copy_from_nonoverlapping(word.as_ptr().cast(), self.next());
        }
        self.bytes += 4;
    }

    /// # Safety
    /// All words have arrived.
    #[inline(always)]
    pub(super) unsafe fn value(self) -> T {
        // SAFETY: they are those of another lane's value.
        unsafe { T::from_moved(self.value) }
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
