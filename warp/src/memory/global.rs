//! [`Global`] and [`GlobalMut`].

use core::fmt;
use core::marker::PhantomData;

use super::access::{self, Tracker};
use super::{Atomic, Ordering, Scope};
use crate::operator::Op;
use crate::payload::Payload;
use crate::plain::algorithms::select::select;

/// Global memory that no lane writes while the kernel runs.
pub struct Global<'a, T> {
    base: *const T,
    len: usize,
    _data: PhantomData<&'a [T]>,
}

impl<T> Clone for Global<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Global<'_, T> {}

// SAFETY: it is a `&[T]` by another name.
unsafe impl<T: Sync> Send for Global<'_, T> {}
// SAFETY: it is a `&[T]` by another name.
unsafe impl<T: Sync> Sync for Global<'_, T> {}

impl<'a, T> From<&'a [T]> for Global<'a, T> {
    fn from(data: &'a [T]) -> Self {
        Self { base: data.as_ptr(), len: data.len(), _data: PhantomData }
    }
}

impl<T> Global<'_, T> {
    /// The `len` elements from `base`.
    ///
    /// # Safety
    /// They are initialised, and nothing writes them as long as the view is used.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn from_raw_parts(base: *const T, len: usize) -> Self {
        Self { base, len, _data: PhantomData }
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

impl<T: Payload> Global<'_, T> {
    /// Element `index`.
    ///
    /// Out of bounds is a fault: reported by the simulator, a trap on a GPU.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn get(self, index: usize) -> T {
        // SAFETY: `base` and `len` describe initialised elements that nothing writes.
        unsafe { access::read_only(self.base, self.len, index) }
    }

    /// Element `index`, or `fallback` where there is none.
    ///
    /// A predicated load: the address is made safe and the value chosen, so that no lane branches.
    /// Lanes outside load element 0. Write the branch instead where whole waves lie outside, since
    /// they then issue no load.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn get_or(self, index: usize, fallback: T) -> T {
        if self.is_empty() {
            return fallback;
        }
        let inside = index < self.len;
        let value = self.get(select(inside, index, 0));
        select(inside, value, fallback)
    }

    /// The `K` elements from `index`.
    ///
    /// One wide load where their address is a multiple of their size, up to 16 bytes.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn get_array<const K: usize>(self, index: usize) -> [T; K] {
        // SAFETY: as in `get`.
        unsafe { access::read_only_array(self.base, self.len, index) }
    }
}

impl<T> fmt::Debug for Global<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Global({:p}, {} elements)", self.base, self.len)
    }
}

/// Global memory that lanes read and write.
pub struct GlobalMut<'a, T> {
    base: *mut T,
    len: usize,
    tracker: Tracker<'a>,
    _data: PhantomData<&'a mut [T]>,
}

impl<T> Clone for GlobalMut<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for GlobalMut<'_, T> {}

// SAFETY: elements are `T: Send`, and accesses from several threads are those of a kernel, which
// the simulator serialises and whose races on a GPU its launch rules out.
unsafe impl<T: Send> Send for GlobalMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for GlobalMut<'_, T> {}

impl<'a, T> GlobalMut<'a, T> {
    /// The `len` elements from `base`.
    ///
    /// # Safety
    /// As long as the view is used they are accessed through it and its copies alone, without data
    /// races, and none is read before it is initialised.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn from_raw_parts(base: *mut T, len: usize) -> Self {
        Self { base, len, tracker: Tracker::NONE, _data: PhantomData }
    }

    #[cfg(all(feature = "sim", not(any(target_arch = "nvptx64", target_arch = "amdgpu"))))]
    pub(crate) fn tracked(base: *mut T, len: usize, tracker: Tracker<'a>) -> Self {
        Self { base, len, tracker, _data: PhantomData }
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

impl<T: Payload> GlobalMut<'_, T> {
    /// Element `index`.
    ///
    /// Out of bounds is a fault: reported by the simulator, a trap on a GPU.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn get(self, index: usize) -> T {
        // SAFETY: `base` and `len` describe memory that is accessed as a kernel may.
        unsafe { access::read(self.base, self.len, index, self.tracker) }
    }

    /// Makes `value` element `index`.
    ///
    /// Out of bounds is a fault: reported by the simulator, a trap on a GPU.
    #[inline(always)]
    #[track_caller]
    pub fn set(self, index: usize, value: T) {
        // SAFETY: as in `get`.
        unsafe { access::write(self.base, self.len, index, value, self.tracker) }
    }
}

impl<T: Atomic> GlobalMut<'_, T> {
    /// Element `index`, as one access that does not race.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn atomic_load(self, index: usize, order: Ordering, scope: Scope) -> T {
        // SAFETY: as in `get`.
        unsafe { access::atomic_load(self.base, self.len, index, order, scope, self.tracker) }
    }

    /// Makes `value` element `index`, as one access that does not race.
    #[inline(always)]
    #[track_caller]
    pub fn atomic_store(self, index: usize, value: T, order: Ordering, scope: Scope) {
        // SAFETY: as in `get`.
        unsafe {
            access::atomic_store(self.base, self.len, index, value, order, scope, self.tracker)
        }
    }

    /// Makes `value` element `index` and gives what it was.
    #[inline(always)]
    #[track_caller]
    pub fn atomic_exchange(self, index: usize, value: T, order: Ordering, scope: Scope) -> T {
        // SAFETY: as in `get`.
        unsafe {
            access::atomic_exchange(self.base, self.len, index, value, order, scope, self.tracker)
        }
    }

    /// Makes `new` element `index` if it is `current`, bit for bit; gives what it was, as `Ok`
    /// where that was `current`.
    ///
    /// # Errors
    /// The element's value, where it differs from `current`.
    #[inline(always)]
    #[track_caller]
    pub fn atomic_compare_exchange(
        self,
        index: usize,
        current: T,
        new: T,
        order: Ordering,
        scope: Scope,
    ) -> Result<T, T> {
        // SAFETY: as in `get`.
        unsafe {
            access::atomic_compare_exchange(
                self.base,
                self.len,
                index,
                current,
                new,
                order,
                scope,
                self.tracker,
            )
        }
    }

    /// Makes element `index` itself combined with `value`, and gives what it was.
    ///
    /// One instruction where the hardware has the operator, else a loop of compare-exchanges. The
    /// order in which lanes get there is not defined: float sums differ from run to run.
    #[inline(always)]
    #[track_caller]
    pub fn atomic<O: Op<T>>(
        self,
        index: usize,
        operator: O,
        value: T,
        order: Ordering,
        scope: Scope,
    ) -> T {
        let _ = operator;
        // SAFETY: as in `get`.
        unsafe {
            access::atomic_combine::<T, O>(
                self.base,
                self.len,
                index,
                value,
                order,
                scope,
                self.tracker,
            )
        }
    }
}

impl<T> fmt::Debug for GlobalMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GlobalMut({:p}, {} elements)", self.base, self.len)
    }
}
