//! [`Shared`].

use core::fmt;

use super::access::{self, Tracker};
use crate::payload::Payload;

/// Memory that the threads of one block share (LDS on AMD); made by
/// [`Device::shared`](crate::Device::shared).
///
/// It lives as long as the block, and its elements begin unwritten.
pub struct Shared<T> {
    base: *mut T,
    len: usize,
    tracker: Tracker<'static>,
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<T> {}

impl<T> Shared<T> {
    #[cfg(any(feature = "sim", target_arch = "nvptx64", target_arch = "amdgpu"))]
    #[inline(always)]
    pub(crate) const fn new(base: *mut T, len: usize, tracker: Tracker<'static>) -> Self {
        Self { base, len, tracker }
    }

    /// The number of elements.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        self.len
    }

    /// Whether there is no element.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl<T: Payload> Shared<T> {
    /// Element `index`.
    ///
    /// Out of bounds is a fault: reported by the simulator, a trap on a GPU.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn get(self, index: usize) -> T {
        // SAFETY: `base` and `len` describe the block's memory.
        unsafe { access::shared_read(self.base, self.len, index, self.tracker) }
    }

    /// Makes `value` element `index`.
    ///
    /// Out of bounds is a fault: reported by the simulator, a trap on a GPU.
    #[inline(always)]
    #[track_caller]
    pub fn set(self, index: usize, value: T) {
        // SAFETY: as in `get`.
        unsafe { access::shared_write(self.base, self.len, index, value, self.tracker) }
    }
}

impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shared({:p}, {} elements)", self.base, self.len)
    }
}
