//! [`Memory`]: global memory that a kernel writes.

use std::any::type_name;
use std::cell::UnsafeCell;
use std::error::Error;
use std::fmt;
use std::mem::MaybeUninit;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::lane;
use super::race::{Breach, History, Touch, acquires, releases};
use super::report::{Access, Fault, Site};
use super::traffic::Kind;
use crate::memory::{GlobalMut, Ordering, Scope, Tracker};
use crate::payload::Payload;

/// Global memory that the lanes of a launch read and write, with every access checked.
///
/// For memory that is only read, [`Global::from`](crate::Global) of a slice is enough.
pub struct Memory<T> {
    elements: Box<[UnsafeCell<MaybeUninit<T>>]>,
    shadow: Shadow,
}

// SAFETY: elements are accessed under the lock of their page alone.
unsafe impl<T: Send> Sync for Memory<T> {}

impl<T: Payload> Memory<T> {
    /// `len` elements that must be written before they are read.
    #[must_use]
    pub fn unwritten(len: usize) -> Self {
        Self {
            elements: (0..len).map(|_| UnsafeCell::new(MaybeUninit::uninit())).collect(),
            shadow: Shadow::new::<T>(len, false),
        }
    }

    /// The name that a report gives this memory.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.shadow.name = name.to_owned();
        self
    }

    /// What a kernel takes.
    pub fn view(&self) -> GlobalMut<'_, T> {
        let base = UnsafeCell::raw_get(self.elements.as_ptr()).cast::<T>();
        GlobalMut::tracked(base, self.elements.len(), Tracker::global(&self.shadow))
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// A copy of the elements.
    ///
    /// # Errors
    /// If one was never written.
    pub fn to_vec(&self) -> Result<Vec<T>, Unwritten> {
        let mut copy = Vec::with_capacity(self.len());
        for (number, elements) in self.elements.chunks(PAGE).enumerate() {
            let page = self.shadow.page(number);
            for (offset, element) in elements.iter().enumerate() {
                let written = match &*page {
                    Some(histories) => histories[offset].is_written(),
                    None => self.shadow.begins_written,
                };
                if !written {
                    return Err(Unwritten { memory: self.shadow.name.clone(), index: copy.len() });
                }
                // SAFETY: it is written, and the page's lock is held.
                copy.push(unsafe { (*element.get()).assume_init() });
            }
        }
        Ok(copy)
    }
}

impl<T: Payload> From<Vec<T>> for Memory<T> {
    fn from(elements: Vec<T>) -> Self {
        let shadow = Shadow::new::<T>(elements.len(), true);
        let elements =
            elements.into_iter().map(|element| UnsafeCell::new(MaybeUninit::new(element)));
        Self { elements: elements.collect(), shadow }
    }
}

impl<T> fmt::Debug for Memory<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({}, {} elements)", self.shadow.name, self.elements.len())
    }
}

/// An element that no lane wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritten {
    /// The memory.
    pub memory: String,
    /// The first such element.
    pub index: usize,
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "element {} of {} was never written", self.index, self.memory)
    }
}

impl Error for Unwritten {}

/// Elements that share a lock.
const PAGE: usize = 64;

/// The histories of elements that share a lock, made when one of them is first touched.
type Page = Option<Box<[History]>>;

/// What is known of a memory's elements besides their values.
pub(crate) struct Shadow {
    name: String,
    begins_written: bool,
    pages: Box<[Mutex<Page>]>,
}

impl Shadow {
    fn new<T>(len: usize, begins_written: bool) -> Self {
        Self {
            name: format!("global memory of {len} {}", type_name::<T>()),
            begins_written,
            pages: (0..len.div_ceil(PAGE)).map(|_| Mutex::default()).collect(),
        }
    }

    fn page(&self, number: usize) -> MutexGuard<'_, Page> {
        // A panic under the lock leaves the histories whole.
        self.pages[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks an access to element `index` and runs it under the element's lock.
    ///
    /// # Panics
    /// Outside of a kernel, where there is no lane to blame: if the access is wrong.
    pub(crate) fn touch<R>(
        &self,
        site: Site,
        index: usize,
        touch: Touch,
        order: Option<(Ordering, Scope)>,
        access: impl FnOnce() -> R,
    ) -> R {
        let Some((_, lane)) = lane::current() else {
            panic!("{site}: {} is accessed outside of a kernel; use `to_vec`", self.name)
        };
        if lane.is_unwinding() {
            return access();
        }
        lane.check_unlocked();
        let mut page = self.page(index / PAGE);
        let histories = page.get_or_insert_with(|| {
            let history =
                || if self.begins_written { History::written() } else { History::default() };
            (0..PAGE).map(|_| history()).collect()
        });
        let history = &mut histories[index % PAGE];
        if let Err(breach) =
            history.touch(touch, order.map(|order| order.1), &lane.clock, lane.clock.stamp(site))
        {
            drop(page);
            self.blame(breach, lane, index, touch, site);
        }
        if let Some((order, scope)) = order {
            if touch.reads()
                && let Some(known) = history.acquired(lane.clock.block(), scope)
            {
                if acquires(order) {
                    lane.clock.acquire(&known);
                } else {
                    lane.seen.borrow_mut().get_or_insert_default().merge(&known);
                }
            }
            if touch.writes() {
                let (scope, known) = if releases(order) {
                    (scope, Some(lane.clock.release()))
                } else {
                    match &*lane.fenced.borrow() {
                        Some((Scope::Block, known)) => (Scope::Block, Some(known.clone())),
                        Some((_, known)) => (scope, Some(known.clone())),
                        None => (scope, None),
                    }
                };
                history.release(touch, lane.clock.block(), scope, known);
            }
        }
        let result = lane.with_lock(access);
        drop(page);
        result
    }

    fn blame(
        &self,
        breach: Breach,
        lane: &lane::Lane,
        index: usize,
        touch: Touch,
        site: Site,
    ) -> ! {
        lane.breach(breach, self.name.clone(), index, touch, site)
    }
}

/// Fails for an index that is not in a memory; outside of a kernel, panics.
pub(crate) fn out_of_bounds(
    name: &str,
    index: usize,
    len: usize,
    kind: &'static str,
    site: Site,
) -> ! {
    let Some((_, lane)) = lane::current() else {
        panic!("{site}: index {index} is out of bounds of {name}, which has {len} elements")
    };
    let access: Access = lane.access(kind, site);
    lane.fail(Fault::OutOfBounds { memory: name.to_owned(), index, len, access })
}

/// The lane that runs has made an atomic access that changed nothing: it may be waiting.
pub(crate) fn poll(site: Site) {
    if let Some((_, lane)) = lane::current() {
        lane.poll(site);
    }
}

/// Counts an access to global memory, if a kernel makes it.
#[inline]
pub(crate) fn note(site: Site, address: usize, bytes: usize, writes: bool) {
    if let Some((block, lane)) = lane::current() {
        let kind = if writes { Kind::GlobalWrite } else { Kind::GlobalRead };
        let (first, last) = kind.span(address, bytes);
        block.note(lane, kind, site, first, last);
    }
}

impl Shadow {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}
