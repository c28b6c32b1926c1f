//! The lane that runs on this thread now, and what it asks of its wave and block.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::mem::MaybeUninit;
use std::panic::Location;
use std::ptr;

use corosensei::Yielder;

use super::block::Block;
use super::clock::{Clock, Known};
use super::report::{Access, Fault, Site};
use super::traffic::Kind;
use crate::LaneMask;
use crate::memory::{Scope, Shared};
use crate::payload::Payload;

/// One lane, as its block sees it.
pub(super) struct Lane {
    /// The linear index in the block.
    pub(super) thread: u32,
    pub(super) wave: u32,
    /// The place in the wave.
    pub(super) lane: u32,
    pub(super) clock: Clock,
    pub(super) stop: RefCell<Stop>,
    /// The result of the last ballot.
    pub(super) votes: Cell<LaneMask>,
    /// How many shared arrays it has asked for.
    pub(super) arrays: Cell<usize>,
    /// What it made visible by its last fence, for the relaxed stores after it.
    pub(super) fenced: RefCell<Option<(Scope, Known)>>,
    /// What relaxed loads have seen released, for the next fence.
    pub(super) seen: RefCell<Option<Known>>,
    /// Where it goes when it stops.
    pub(super) way_out: Cell<*const Yielder<(), ()>>,
    /// Atomic accesses that changed nothing since it last let others run.
    polls: Cell<u32>,
    /// The collective that the kernel called, of which primitives are the parts.
    called: Cell<&'static str>,
    /// Whether its stack is being unwound: destructors run, and nothing stops or is checked.
    unwinding: Cell<bool>,
    /// Whether it is inside an access that holds a lock.
    locked: Cell<bool>,
}

/// Why a lane does not run.
pub(super) enum Stop {
    /// It may run.
    Ready,
    /// It waits for the lanes that take part.
    Collective(Request),
    /// It waits for its block.
    Barrier(Site),
    /// It waits for another thread's store, and lets others run.
    Spin(Site),
    /// It has run far ahead of its wave, and lets the others follow.
    Window,
    /// It has left the kernel.
    Returned,
    /// It has done something wrong and never runs again.
    Fault(Box<Fault>),
}

/// A collective that a lane waits for.
pub(super) struct Request {
    /// The primitive.
    pub(super) name: &'static str,
    /// The collective that the kernel called.
    pub(super) called: &'static str,
    pub(super) site: Site,
    /// Who takes part; `None` is all live lanes.
    pub(super) members: Option<LaneMask>,
    /// The type of the value that moves.
    pub(super) payload: TypeId,
    pub(super) agreed: Option<Agreed>,
    pub(super) deed: Deed,
}

/// An argument that must be the same in every lane of a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Agreed {
    pub(super) name: &'static str,
    pub(super) value: u32,
    /// The lanes of a segment.
    pub(super) span: u32,
}

/// What a collective does for one lane.
pub(super) enum Deed {
    /// Copies `bytes` from the `value` of lane `source` to this lane's `result`.
    Shuffle {
        source: u32,
        value: *const u8,
        result: *mut u8,
        bytes: usize,
    },
    Ballot(bool),
    Sync,
    /// Nothing but that an argument is the same in all lanes.
    Agree,
}

thread_local! {
    /// The lane that runs, and its block.
    static CURRENT: Cell<Option<(ptr::NonNull<Block>, ptr::NonNull<Lane>)>> = const { Cell::new(None) };
}

/// Runs `resume`, which runs `lane` until it stops.
pub(super) fn make_current<R>(block: &Block, lane: &Lane, resume: impl FnOnce() -> R) -> R {
    /// Restores the state, also when `resume` unwinds.
    struct Restore(Option<(ptr::NonNull<Block>, ptr::NonNull<Lane>)>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(Some((block.into(), lane.into()))));
    resume()
}

/// The lane that runs, if one does.
#[inline]
pub(super) fn current<'a>() -> Option<(&'a Block, &'a Lane)> {
    // SAFETY: `make_current` puts references there that outlive the lane's run, and takes them
    // away when it ends; the lane's code, which calls this, runs in between.
    CURRENT.get().map(|(block, lane)| unsafe { (block.as_ref(), lane.as_ref()) })
}

#[inline]
#[track_caller]
fn here<'a>() -> (&'a Block, &'a Lane) {
    current().unwrap_or_else(|| {
        panic!("a collective was called outside of a kernel: run the kernel with `wavewise::sim::Launch`")
    })
}

impl Lane {
    pub(super) fn new(thread: u32, width: u32, launch: u32, block: u32) -> Self {
        let (wave, lane) = (thread / width, thread % width);
        Self {
            thread,
            wave,
            lane,
            clock: Clock::new(launch, block, wave, thread),
            stop: RefCell::new(Stop::Ready),
            votes: Cell::new(LaneMask::EMPTY),
            arrays: Cell::new(0),
            fenced: RefCell::new(None),
            seen: RefCell::new(None),
            way_out: Cell::new(ptr::null()),
            polls: Cell::new(0),
            called: Cell::new(""),
            unwinding: Cell::new(false),
            locked: Cell::new(false),
        }
    }

    /// Runs `unwind`, which unwinds this lane's stack.
    pub(super) fn unwind(&self, unwind: impl FnOnce()) {
        self.unwinding.set(true);
        unwind();
    }

    pub(super) fn is_unwinding(&self) -> bool {
        self.unwinding.get()
    }

    /// # Panics
    /// Inside an access that holds a lock, where another would wait for ever.
    pub(super) fn check_unlocked(&self) {
        assert!(!self.locked.get(), "an operator accesses memory inside an atomic update");
    }

    /// Runs `access`, which holds a lock.
    pub(super) fn with_lock<R>(&self, access: impl FnOnce() -> R) -> R {
        struct Unlock<'a>(&'a Cell<bool>);
        impl Drop for Unlock<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }
        self.locked.set(true);
        let _unlock = Unlock(&self.locked);
        access()
    }

    /// Stops until the scheduler lets this lane go on.
    ///
    /// # Panics
    /// Inside an access that holds a lock.
    pub(super) fn wait(&self, stop: Stop) {
        if self.unwinding.get() {
            return;
        }
        assert!(!self.locked.get(), "an operator calls a collective inside an atomic update");
        *self.stop.borrow_mut() = stop;
        // SAFETY: the lane runs, so its coroutine has set the pointer to its own yielder, which
        // lives as long as the coroutine.
        unsafe { &*self.way_out.get() }.suspend(());
    }

    /// Stops for good.
    pub(super) fn fail(&self, fault: Fault) -> ! {
        self.wait(Stop::Fault(Box::new(fault)));
        unreachable!("a lane that failed is not resumed")
    }

    pub(super) fn access(&self, kind: &'static str, site: Site) -> Access {
        Access { kind, block: self.clock.block(), wave: self.wave, thread: self.thread, site }
    }

    /// Lets other lanes run now and then, in a loop of atomic accesses that forgot to say `spin`.
    pub(super) fn poll(&self, site: Site) {
        const PATIENCE: u32 = 64;
        self.polls.set(self.polls.get() + 1);
        if self.polls.get() >= PATIENCE {
            self.polls.set(0);
            self.wait(Stop::Spin(site));
        }
    }
}

pub(crate) fn width() -> u32 {
    here().0.width()
}

#[inline]
pub(crate) fn hardware_lane() -> u32 {
    here().1.lane
}

pub(crate) fn thread() -> [u32; 3] {
    let (block, lane) = here();
    block.place_of(lane.thread)
}

pub(crate) fn block() -> [u32; 3] {
    here().0.place()
}

pub(crate) fn block_shape() -> [u32; 3] {
    here().0.shape()
}

pub(crate) fn grid_shape() -> [u32; 3] {
    here().0.grid()
}

#[track_caller]
pub(crate) fn branch(condition: bool) -> bool {
    let (block, lane) = here();
    let outcome = usize::from(condition);
    block.note(lane, Kind::Branch, Location::caller(), outcome, outcome);
    condition
}

#[track_caller]
pub(crate) fn barrier() {
    here().1.wait(Stop::Barrier(Location::caller()));
}

#[track_caller]
pub(crate) fn spin() {
    here().1.wait(Stop::Spin(Location::caller()));
}

pub(crate) fn fence(scope: Scope) {
    let lane = here().1;
    if let Some(seen) = lane.seen.take() {
        lane.clock.acquire(&seen);
    }
    *lane.fenced.borrow_mut() = Some((scope, lane.clock.release()));
}

#[track_caller]
pub(crate) fn shared<T: Payload>(len: usize) -> Shared<T> {
    let (block, lane) = here();
    block.shared_array::<T>(lane, len, Location::caller())
}

/// Says which collective the kernel calls; the primitives that follow are its parts.
pub(crate) fn begin(name: &'static str) {
    here().1.called.set(name);
}

/// Takes part in a meeting that only sees to it that an argument is the same in all lanes.
#[track_caller]
pub(crate) fn agree(name: &'static str, value: u32, span: u32) {
    meet("agreement", Location::caller(), None, Some(Agreed { name, value, span }), Deed::Agree);
}

/// Takes part in a collective that moves `value`.
fn exchange<T: Payload>(
    name: &'static str,
    site: Site,
    value: T,
    source: u32,
    members: Option<LaneMask>,
    agreed: Option<Agreed>,
) -> T {
    let lane = here().1;
    if lane.unwinding.get() {
        return value;
    }
    let value = MaybeUninit::new(value);
    let mut result = MaybeUninit::<T>::uninit();
    let deed = Deed::Shuffle {
        source,
        value: value.as_ptr().cast(),
        result: result.as_mut_ptr().cast(),
        bytes: size_of::<T>(),
    };
    let (called, payload) = (lane.called.get(), TypeId::of::<T>());
    lane.wait(Stop::Collective(Request { name, called, site, members, payload, agreed, deed }));
    // SAFETY: the lane goes on when the collective has copied the source's value, which is of this
    // type, to `result`.
    unsafe { T::from_moved(result) }
}

/// Takes part in a collective that moves no value; gives the votes, if it was a ballot.
fn meet(
    name: &'static str,
    site: Site,
    members: Option<LaneMask>,
    agreed: Option<Agreed>,
    deed: Deed,
) -> LaneMask {
    let lane = here().1;
    let (called, payload) = (lane.called.get(), TypeId::of::<()>());
    lane.wait(Stop::Collective(Request { name, called, site, members, payload, agreed, deed }));
    lane.votes.get()
}

#[track_caller]
pub(crate) fn shuffle<T: Payload>(value: T, source: u32) -> T {
    exchange("shuffle", Location::caller(), value, source, None, None)
}

#[track_caller]
pub(crate) fn shuffle_xor<T: Payload>(value: T, mask: u32) -> T {
    let source = here().1.lane ^ mask;
    exchange("shuffle_xor", Location::caller(), value, source, None, everywhere("mask", mask))
}

#[track_caller]
pub(crate) fn shuffle_up<T: Payload>(value: T, delta: u32, n: u32) -> (T, bool) {
    let lane = here().1.lane;
    let in_range = delta <= lane % n;
    let source = if in_range { lane - delta } else { lane };
    let agreed = everywhere("delta", delta);
    (exchange("shuffle_up", Location::caller(), value, source, None, agreed), in_range)
}

#[track_caller]
pub(crate) fn shuffle_down<T: Payload>(value: T, delta: u32, n: u32) -> (T, bool) {
    let lane = here().1.lane;
    let in_range = delta < n - lane % n;
    let source = if in_range { lane + delta } else { lane };
    let agreed = everywhere("delta", delta);
    (exchange("shuffle_down", Location::caller(), value, source, None, agreed), in_range)
}

#[track_caller]
pub(crate) fn broadcast<T: Payload>(value: T, lane: u32, n: u32) -> T {
    let start = here().1.lane & !(n - 1);
    let agreed = Some(Agreed { name: "lane", value: lane, span: n });
    exchange("broadcast", Location::caller(), value, start + lane, None, agreed)
}

/// An argument that all lanes of the hardware wave must give alike.
fn everywhere(name: &'static str, value: u32) -> Option<Agreed> {
    Some(Agreed { name, value, span: LaneMask::CAPACITY })
}

#[track_caller]
pub(crate) fn ballot(vote: bool) -> LaneMask {
    meet("ballot", Location::caller(), None, None, Deed::Ballot(vote))
}

#[track_caller]
pub(crate) fn sync() {
    meet("sync", Location::caller(), None, None, Deed::Sync);
}

#[track_caller]
pub(crate) fn shuffle_among<T: Payload>(value: T, source: u32, members: LaneMask) -> T {
    exchange("masked shuffle", Location::caller(), value, source, Some(members), None)
}

#[track_caller]
pub(crate) fn ballot_among(vote: bool, members: LaneMask) -> LaneMask {
    meet("masked ballot", Location::caller(), Some(members), None, Deed::Ballot(vote))
}

#[track_caller]
pub(crate) fn sync_among(members: LaneMask) {
    meet("masked sync", Location::caller(), Some(members), None, Deed::Sync);
}
