//! The shared memory of a block.

use std::any::{TypeId, type_name};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};

use super::block::Block;
use super::lane::{self, Lane};
use super::race::{Breach, History, Touch};
use super::report::{Fault, Site};
use super::traffic::Kind;
use crate::memory::{Shared, Tracker};
use crate::payload::Payload;

/// One array, with the history of each element.
pub(super) struct SharedArray {
    /// Room for the elements, as aligned as any payload.
    storage: Box<[UnsafeCell<MaybeUninit<u128>>]>,
    histories: Vec<History>,
    payload: TypeId,
    element: &'static str,
    /// Its own among all arrays of all blocks: a view may have been kept from an earlier one.
    id: u64,
    /// Where it lies in the block's shared memory, for its banks.
    start: usize,
    bytes: usize,
}

impl SharedArray {
    fn new<T: Payload>(len: usize, start: usize) -> Self {
        static ARRAYS: AtomicU64 = AtomicU64::new(0);
        const {
            assert!(
                align_of::<T>() <= align_of::<u128>(),
                "a payload aligned to more than 16 bytes"
            )
        }
        let bytes = len * size_of::<T>();
        let words = bytes.div_ceil(size_of::<u128>());
        Self {
            storage: (0..words).map(|_| UnsafeCell::new(MaybeUninit::uninit())).collect(),
            histories: (0..len).map(|_| History::default()).collect(),
            payload: TypeId::of::<T>(),
            element: type_name::<T>(),
            id: ARRAYS.fetch_add(1, Ordering::Relaxed),
            start: start.next_multiple_of(align_of::<u128>()),
            bytes,
        }
    }

    fn describe(&self) -> String {
        describe(self.element, self.histories.len())
    }
}

fn describe(element: &str, len: usize) -> String {
    format!("shared memory of {len} {element}")
}

impl Block {
    /// The array that this lane's call stands for: its first call is the block's first array, and
    /// so on.
    pub(super) fn shared_array<T: Payload>(
        &self,
        lane: &Lane,
        len: usize,
        site: Site,
    ) -> Shared<T> {
        let number = lane.arrays.get();
        lane.arrays.set(number + 1);
        let mut arrays = self.arrays.borrow_mut();
        if number == arrays.len() {
            let start = arrays.last().map_or(0, |last| last.start + last.bytes);
            arrays.push(SharedArray::new::<T>(len, start));
        }
        let array = &arrays[number];
        if array.payload != TypeId::of::<T>() || array.histories.len() != len {
            let (first, second) = (array.describe(), describe(type_name::<T>(), len));
            drop(arrays);
            lane.fail(Fault::SharedMismatch { first, second, thread: lane.thread, site });
        }
        let base = UnsafeCell::raw_get(array.storage.as_ptr()).cast();
        Shared::new(base, len, Tracker::shared(number, array.id))
    }

    fn owns_array(&self, number: usize, id: u64) -> bool {
        self.arrays.borrow().get(number).is_some_and(|array| array.id == id)
    }

    /// Checks and counts an access to element `index` of array `number`.
    pub(super) fn touch_shared(
        &self,
        lane: &Lane,
        number: usize,
        index: usize,
        touch: Touch,
        site: Site,
    ) {
        let mut arrays = self.arrays.borrow_mut();
        let array = &mut arrays[number];
        let len = array.histories.len();
        let Some(history) = array.histories.get_mut(index) else {
            let memory = array.describe();
            drop(arrays);
            lane.fail(Fault::OutOfBounds {
                memory,
                index,
                len,
                access: lane.access(touch.name(), site),
            });
        };
        if !lane.is_unwinding()
            && let Err(breach) = history.touch(touch, None, &lane.clock, lane.clock.stamp(site))
        {
            let memory = array.describe();
            drop(arrays);
            lane.breach(breach, memory, index, touch, site);
        }
        let element = array.bytes / len;
        let kind = if touch.writes() { Kind::SharedWrite } else { Kind::SharedRead };
        let (first, last) = kind.span(array.start + index * element, element);
        drop(arrays);
        self.note(lane, kind, site, first, last);
    }
}

impl Lane {
    /// Fails for what is wrong with an access.
    pub(super) fn breach(
        &self,
        breach: Breach,
        memory: String,
        index: usize,
        touch: Touch,
        site: Site,
    ) -> ! {
        let access = self.access(touch.name(), site);
        self.fail(match breach {
            Breach::Unwritten => Fault::Unwritten { memory, index, access },
            Breach::Race(earlier, kind) => Fault::Race {
                memory,
                index,
                first: super::report::Access {
                    kind: kind.name(),
                    block: earlier.block,
                    wave: earlier.wave,
                    thread: earlier.thread,
                    site: earlier.site,
                },
                second: access,
            },
        })
    }
}

/// Checks and counts an access of the lane that runs to the array with this number and id.
///
/// # Panics
/// Outside of the block that the array belongs to.
pub(crate) fn touch_shared(number: usize, id: u64, index: usize, touch: Touch, site: Site) {
    match lane::current() {
        Some((block, lane)) if block.owns_array(number, id) => {
            block.touch_shared(lane, number, index, touch, site);
        }
        _ => panic!("{site}: shared memory is accessed outside of its block"),
    }
}
