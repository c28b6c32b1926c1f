//! Accesses in the simulator: each is checked and counted, then made.

use core::panic::Location;

use super::atomic::{Atomic, Cell};
use super::{Ordering, Scope};
use crate::operator::Op;
use crate::sim::{self, Shadow, Touch};

/// What watches a memory.
#[derive(Clone, Copy)]
pub(crate) enum Tracker<'a> {
    /// Nothing: it was made of raw parts.
    None,
    Global(&'a Shadow),
    /// The block's shared array with this number and id.
    Shared(usize, u64),
}

impl<'a> Tracker<'a> {
    pub(crate) const NONE: Self = Self::None;

    pub(crate) fn global(shadow: &'a Shadow) -> Self {
        Self::Global(shadow)
    }

    pub(crate) fn shared(number: usize, id: u64) -> Self {
        Self::Shared(number, id)
    }

    fn name(&self) -> &str {
        match self {
            Self::Global(shadow) => shadow.name(),
            _ => "global memory",
        }
    }
}

type Site = &'static Location<'static>;

#[inline]
#[track_caller]
pub(super) unsafe fn read_only<T: Copy>(base: *const T, len: usize, index: usize) -> T {
    let site = Location::caller();
    if index >= len {
        sim::out_of_bounds("a read-only global memory", index, len, "read", site);
    }
    // SAFETY: the index is in bounds; the caller's contract gives an initialised element.
    let element = unsafe { base.add(index) };
    sim::note(site, element.addr(), size_of::<T>(), false);
    // SAFETY: as above.
    unsafe { element.read() }
}

#[inline]
#[track_caller]
pub(super) unsafe fn read_only_array<T: Copy, const K: usize>(
    base: *const T,
    len: usize,
    index: usize,
) -> [T; K] {
    let site = Location::caller();
    if K > len || index > len - K {
        let beyond = index.max(len);
        sim::out_of_bounds("a read-only global memory", beyond, len, "read", site);
    }
    // SAFETY: all `K` elements are in bounds; the caller's contract has them initialised.
    let elements = unsafe { base.add(index) }.cast::<[T; K]>();
    sim::note(site, elements.addr(), size_of::<[T; K]>(), false);
    // SAFETY: as above.
    unsafe { elements.read() }
}

/// Checks an access to `index` and runs it on the element.
#[inline]
fn global<T, R>(
    (base, len, tracker): (*mut T, usize, Tracker<'_>),
    index: usize,
    site: Site,
    touch: Touch,
    order: Option<(Ordering, Scope)>,
    access: impl FnOnce(*mut T) -> R,
) -> R {
    if index >= len {
        sim::out_of_bounds(tracker.name(), index, len, touch.name(), site);
    }
    let element = base.wrapping_add(index);
    let result = match tracker {
        Tracker::Global(shadow) => shadow.touch(site, index, touch, order, || access(element)),
        _ => access(element),
    };
    sim::note(site, element.addr(), size_of::<T>(), touch.writes());
    result
}

#[inline]
#[track_caller]
pub(super) unsafe fn read<T: Copy>(
    base: *mut T,
    len: usize,
    index: usize,
    tracker: Tracker<'_>,
) -> T {
    let memory = (base, len, tracker);
    // SAFETY: the element is in bounds and, as its tracker has checked or the view's maker
    // promised, written; other lanes are locked out.
    global(memory, index, Location::caller(), Touch::Read, None, |element| unsafe {
        element.read()
    })
}

#[inline]
#[track_caller]
pub(super) unsafe fn write<T: Copy>(
    base: *mut T,
    len: usize,
    index: usize,
    value: T,
    tracker: Tracker<'_>,
) {
    let memory = (base, len, tracker);
    // SAFETY: the element is in bounds; other lanes are locked out.
    global(memory, index, Location::caller(), Touch::Write, None, |element| unsafe {
        element.write(value)
    });
}

#[track_caller]
pub(super) unsafe fn shared_read<T: Copy>(
    base: *mut T,
    len: usize,
    index: usize,
    tracker: Tracker<'_>,
) -> T {
    touch_shared(index, len, Touch::Read, tracker, Location::caller());
    // SAFETY: checked to be in bounds and written; the block's lanes run on this thread alone.
    unsafe { base.add(index).read() }
}

#[track_caller]
pub(super) unsafe fn shared_write<T: Copy>(
    base: *mut T,
    len: usize,
    index: usize,
    value: T,
    tracker: Tracker<'_>,
) {
    touch_shared(index, len, Touch::Write, tracker, Location::caller());
    // SAFETY: checked to be in bounds; the block's lanes run on this thread alone.
    unsafe { base.add(index).write(value) }
}

fn touch_shared(index: usize, len: usize, touch: Touch, tracker: Tracker<'_>, site: Site) {
    match tracker {
        Tracker::Shared(number, id) => sim::touch_shared(number, id, index, touch, site),
        _ => assert!(index < len, "index out of bounds"),
    }
}

#[track_caller]
pub(super) unsafe fn atomic_load<T: Atomic>(
    base: *mut T,
    len: usize,
    index: usize,
    order: Ordering,
    scope: Scope,
    tracker: Tracker<'_>,
) -> T {
    let load = |cell: &T::Cell| T::from_bits(cell.load(Ordering::SeqCst));
    // SAFETY: the caller's contract.
    unsafe {
        atomic(
            (base, len, tracker),
            index,
            Location::caller(),
            Touch::AtomicLoad,
            (order, scope),
            load,
        )
    }
}

#[track_caller]
pub(super) unsafe fn atomic_store<T: Atomic>(
    base: *mut T,
    len: usize,
    index: usize,
    value: T,
    order: Ordering,
    scope: Scope,
    tracker: Tracker<'_>,
) {
    let store = |cell: &T::Cell| cell.store(value.to_bits(), Ordering::SeqCst);
    // SAFETY: the caller's contract.
    unsafe {
        atomic(
            (base, len, tracker),
            index,
            Location::caller(),
            Touch::AtomicStore,
            (order, scope),
            store,
        )
    }
}

#[track_caller]
pub(super) unsafe fn atomic_exchange<T: Atomic>(
    base: *mut T,
    len: usize,
    index: usize,
    value: T,
    order: Ordering,
    scope: Scope,
    tracker: Tracker<'_>,
) -> T {
    let swap = |cell: &T::Cell| T::from_bits(cell.swap(value.to_bits(), Ordering::SeqCst));
    // SAFETY: the caller's contract.
    unsafe {
        atomic(
            (base, len, tracker),
            index,
            Location::caller(),
            Touch::AtomicUpdate,
            (order, scope),
            swap,
        )
    }
}

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
    tracker: Tracker<'_>,
) -> Result<T, T> {
    let exchange = |cell: &T::Cell| {
        cell.compare_exchange(current.to_bits(), new.to_bits(), Ordering::SeqCst)
            .map(T::from_bits)
            .map_err(T::from_bits)
    };
    // SAFETY: the caller's contract.
    unsafe {
        atomic(
            (base, len, tracker),
            index,
            Location::caller(),
            Touch::AtomicUpdate,
            (order, scope),
            exchange,
        )
    }
}

#[track_caller]
pub(super) unsafe fn atomic_combine<T: Atomic, O: Op<T>>(
    base: *mut T,
    len: usize,
    index: usize,
    value: T,
    order: Ordering,
    scope: Scope,
    tracker: Tracker<'_>,
) -> T {
    let combine = |cell: &T::Cell| {
        let mut seen = cell.load(Ordering::SeqCst);
        loop {
            let was = T::from_bits(seen);
            match cell.compare_exchange(seen, O::combine(was, value).to_bits(), Ordering::SeqCst) {
                Ok(_) => return was,
                Err(now) => seen = now,
            }
        }
    };
    // SAFETY: the caller's contract.
    unsafe {
        atomic(
            (base, len, tracker),
            index,
            Location::caller(),
            Touch::AtomicUpdate,
            (order, scope),
            combine,
        )
    }
}

/// Runs `operation` on the element's cell. The order that the kernel asked for decides what the
/// checks honour; the access itself is always the strongest.
unsafe fn atomic<T: Atomic, R>(
    memory: (*mut T, usize, Tracker<'_>),
    index: usize,
    site: Site,
    touch: Touch,
    order: (Ordering, Scope),
    operation: impl FnOnce(&T::Cell) -> R,
) -> R {
    let (result, changed) = global(memory, index, site, touch, Some(order), |element| {
        // SAFETY: the element is in bounds, `Atomic` says that the cell has its layout, and every
        // atomic access comes by here; plain ones are locked out.
        let cell = unsafe { &*element.cast::<T::Cell>() };
        // A store may be the first access, and finds no value.
        let before = (touch != Touch::AtomicStore).then(|| cell.load(Ordering::SeqCst));
        let result = operation(cell);
        (result, before.is_none_or(|before| before != cell.load(Ordering::SeqCst)))
    });
    if !changed {
        sim::poll(site);
    }
    result
}
