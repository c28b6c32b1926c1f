//! Accesses as they are, with the bounds checked.

use core::marker::PhantomData;

use super::atomic::{Atomic, Cell};
use super::{Ordering, Scope};
use crate::operator::Op;

/// What watches a memory: nothing here.
#[derive(Clone, Copy)]
pub(crate) struct Tracker<'a>(PhantomData<&'a ()>);

impl Tracker<'_> {
    pub(crate) const NONE: Self = Self(PhantomData);
}

#[inline(always)]
#[track_caller]
fn check(index: usize, len: usize) {
    assert!(index < len, "index out of bounds");
}

#[inline(always)]
#[track_caller]
pub(super) unsafe fn read_only<T: Copy>(base: *const T, len: usize, index: usize) -> T {
    check(index, len);
    // SAFETY: the index is in bounds; the caller's contract gives an initialised element.
    unsafe { base.add(index).read() }
}

#[inline(always)]
#[track_caller]
pub(super) unsafe fn read_only_array<T: Copy, const K: usize>(
    base: *const T,
    len: usize,
    index: usize,
) -> [T; K] {
    assert!(K <= len && index <= len - K, "index out of bounds");
    // SAFETY: the elements are in bounds and initialised, and a wide read is aligned.
    unsafe {
        let first = base.add(index).cast::<[T; K]>();
        match size_of::<[T; K]>() {
            16 if first.addr() % 16 == 0 => core::mem::transmute_copy(&quad(first.cast())),
            8 if first.addr() % 8 == 0 => core::mem::transmute_copy(&first.cast::<u64>().read()),
            _ => first.read(),
        }
    }
}

/// The 16 bytes at `at`, which is aligned, by one load.
///
/// LLVM would make four of it: the same four as where the address is not aligned.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
unsafe fn quad(at: *const [u32; 4]) -> [u32; 4] {
    let (a, b, c, d): (u32, u32, u32, u32);
    // SAFETY: the caller's contract; nothing writes the memory as long as the kernel runs, which is
    // what `nc` asks.
    unsafe {
        core::arch::asm!(
            "{{",
            ".reg .b64 global;",
            "cvta.to.global.u64 global, {at};",
            "ld.global.nc.v4.b32 {{{a}, {b}, {c}, {d}}}, [global];",
            "}}",
            at = in(reg64) at,
            a = out(reg32) a,
            b = out(reg32) b,
            c = out(reg32) c,
            d = out(reg32) d,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    [a, b, c, d]
}

/// The 16 bytes at `at`, which is aligned, by one load.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
unsafe fn quad(at: *const [u32; 4]) -> [u32; 4] {
    #[derive(Clone, Copy)]
    #[repr(align(16))]
    struct Aligned([u32; 4]);
    // SAFETY: the caller's contract.
    unsafe { at.cast::<Aligned>().read() }.0
}

#[inline(always)]
#[track_caller]
pub(super) unsafe fn read<T: Copy>(base: *mut T, len: usize, index: usize, _: Tracker<'_>) -> T {
    check(index, len);
    // SAFETY: as in `read_only`.
    unsafe { base.add(index).read() }
}

#[inline(always)]
#[track_caller]
pub(super) unsafe fn write<T: Copy>(
    base: *mut T,
    len: usize,
    index: usize,
    value: T,
    _: Tracker<'_>,
) {
    check(index, len);
    // SAFETY: the index is in bounds; the caller's contract allows the write.
    unsafe { base.add(index).write(value) }
}

#[inline(always)]
#[track_caller]
pub(super) unsafe fn shared_read<T: Copy>(
    base: *mut T,
    len: usize,
    index: usize,
    tracker: Tracker<'_>,
) -> T {
    // SAFETY: the same contract.
    unsafe { read(base, len, index, tracker) }
}

#[inline(always)]
#[track_caller]
pub(super) unsafe fn shared_write<T: Copy>(
    base: *mut T,
    len: usize,
    index: usize,
    value: T,
    tracker: Tracker<'_>,
) {
    // SAFETY: the same contract.
    unsafe { write(base, len, index, value, tracker) }
}

/// The element as an atomic cell.
#[inline(always)]
#[track_caller]
unsafe fn cell<T: Atomic>(base: *mut T, len: usize, index: usize) -> *mut T::Cell {
    check(index, len);
    // SAFETY: the index is in bounds, and `Atomic` says that the cell has the type's layout.
    unsafe { base.add(index).cast() }
}

#[inline(always)]
#[track_caller]
pub(super) unsafe fn atomic_load<T: Atomic>(
    base: *mut T,
    len: usize,
    index: usize,
    order: Ordering,
    scope: Scope,
    _: Tracker<'_>,
) -> T {
    // SAFETY: the same contract.
    T::from_bits(unsafe { T::Cell::load_in(cell(base, len, index), order, scope) })
}

#[inline(always)]
#[track_caller]
pub(super) unsafe fn atomic_store<T: Atomic>(
    base: *mut T,
    len: usize,
    index: usize,
    value: T,
    order: Ordering,
    scope: Scope,
    _: Tracker<'_>,
) {
    // SAFETY: the same contract.
    unsafe { T::Cell::store_in(cell(base, len, index), value.to_bits(), order, scope) }
}

#[inline(always)]
#[track_caller]
pub(super) unsafe fn atomic_exchange<T: Atomic>(
    base: *mut T,
    len: usize,
    index: usize,
    value: T,
    order: Ordering,
    scope: Scope,
    _: Tracker<'_>,
) -> T {
    // SAFETY: the same contract.
    T::from_bits(unsafe { T::Cell::swap_in(cell(base, len, index), value.to_bits(), order, scope) })
}

#[inline(always)]
#[track_caller]
#[expect(clippy::too_many_arguments, reason = "a view's parts and the operation's")]
pub(super) unsafe fn atomic_compare_exchange<T: Atomic>(
    base: *mut T,
    len: usize,
    index: usize,
    current: T,
    new: T,
    order: Ordering,
    scope: Scope,
    _: Tracker<'_>,
) -> Result<T, T> {
    let (current, new) = (current.to_bits(), new.to_bits());
    // SAFETY: the same contract.
    let was =
        unsafe { T::Cell::compare_exchange_in(cell(base, len, index), current, new, order, scope) };
    if was == current { Ok(T::from_bits(was)) } else { Err(T::from_bits(was)) }
}

#[inline(always)]
#[track_caller]
pub(super) unsafe fn atomic_combine<T: Atomic, O: Op<T>>(
    base: *mut T,
    len: usize,
    index: usize,
    value: T,
    order: Ordering,
    scope: Scope,
    _: Tracker<'_>,
) -> T {
    // SAFETY: the same contract, for every operation.
    unsafe {
        let cell = cell(base, len, index);
        let bits = value.to_bits();
        if let Some(was) = T::Cell::combine_in(cell, bits, O::BUILTIN, T::SCALAR, order, scope) {
            return T::from_bits(was);
        }
        let mut seen = T::Cell::load_in(cell, Ordering::Relaxed, scope);
        loop {
            let new = O::combine(T::from_bits(seen), value).to_bits();
            let was = T::Cell::compare_exchange_in(cell, seen, new, order, scope);
            if was == seen {
                return T::from_bits(was);
            }
            seen = was;
        }
    }
}
