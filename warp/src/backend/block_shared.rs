//! Block-shared memory on GPUs.

use crate::memory::{Shared, Tracker};
use crate::payload::Payload;

unsafe extern "C" {
    /// The address of memory that no other call gives. `wavewise-build` makes an array of each
    /// call, since Rust has no word for one; both arguments are constants.
    safe fn __wavewise_shared(bytes: usize, align: usize) -> *mut u8;
}

/// An array of its own for each place that this is inlined into.
#[inline(always)]
pub(super) fn block_shared<T: Payload, const LEN: usize>() -> Shared<T> {
    // 16 bytes at least, so that vector accesses are aligned.
    let base = __wavewise_shared(
        const { size_of::<T>() * LEN },
        const { if align_of::<T>() < 16 { 16 } else { align_of::<T>() } },
    );
    Shared::new(base.cast(), LEN, Tracker::NONE)
}
