//! What happened before what, as far as a kernel may rely on it.
//!
//! Every access carries a [`Stamp`]. Lanes are ordered by three counters: the block's barriers,
//! the wave's syncs, and, for release and acquire, each lane's own releases. What a lane has learnt
//! by acquiring is its [`Known`]; barriers and syncs pass it on.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::report::Site;

/// When and where an access was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp {
    pub launch: u32,
    pub block: u32,
    pub wave: u32,
    pub thread: u32,
    pub site: Site,
    barrier: u32,
    sync: u32,
    release: u32,
}

/// Points in other lanes' past that a lane may rely on: whatever has a smaller counter is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Barriers passed, by block.
    blocks: HashMap<u32, u32>,
    /// Syncs passed, by block and wave.
    waves: HashMap<(u32, u32), u32>,
    /// Releases made, by block and thread.
    lanes: HashMap<(u32, u32), u32>,
}

impl Known {
    pub(super) fn merge(&mut self, other: &Self) {
        fn raise<K: Copy + Eq + std::hash::Hash>(
            into: &mut HashMap<K, u32>,
            from: &HashMap<K, u32>,
        ) {
            for (&key, &value) in from {
                let entry = into.entry(key).or_default();
                *entry = value.max(*entry);
            }
        }
        raise(&mut self.blocks, &other.blocks);
        raise(&mut self.waves, &other.waves);
        raise(&mut self.lanes, &other.lanes);
    }
}

/// The counters of one lane.
#[derive(Debug)]
pub(super) struct Clock {
    launch: u32,
    block: u32,
    wave: u32,
    thread: u32,
    barrier: Cell<u32>,
    sync: Cell<u32>,
    release: Cell<u32>,
    known: RefCell<Option<Arc<Known>>>,
}

impl Clock {
    pub(super) fn new(launch: u32, block: u32, wave: u32, thread: u32) -> Self {
        Self {
            launch,
            block,
            wave,
            thread,
            barrier: Cell::new(0),
            sync: Cell::new(0),
            release: Cell::new(0),
            known: RefCell::new(None),
        }
    }

    pub(super) fn block(&self) -> u32 {
        self.block
    }

    pub(super) fn stamp(&self, site: Site) -> Stamp {
        Stamp {
            launch: self.launch,
            block: self.block,
            wave: self.wave,
            thread: self.thread,
            site,
            barrier: self.barrier.get(),
            sync: self.sync.get(),
            release: self.release.get(),
        }
    }

    /// Whether the access happened before whatever this lane does now.
    pub(super) fn knows(&self, access: &Stamp) -> bool {
        if access.launch != self.launch {
            return true;
        }
        if access.block == self.block
            && (access.thread == self.thread
                || access.barrier < self.barrier.get()
                || (access.wave == self.wave && access.sync < self.sync.get()))
        {
            return true;
        }
        let known = self.known.borrow();
        let Some(known) = known.as_ref() else { return false };
        let passed =
            |point: Option<&u32>, counter: u32| point.is_some_and(|&point| counter < point);
        passed(known.blocks.get(&access.block), access.barrier)
            || passed(known.waves.get(&(access.block, access.wave)), access.sync)
            || passed(known.lanes.get(&(access.block, access.thread)), access.release)
    }

    /// All that this lane did and knows, for others to acquire.
    pub(super) fn release(&self) -> Known {
        let mut known = self.known.borrow().as_deref().cloned().unwrap_or_default();
        self.release.set(self.release.get() + 1);
        known.blocks.insert(self.block, self.barrier.get());
        known.waves.insert((self.block, self.wave), self.sync.get());
        known.lanes.insert((self.block, self.thread), self.release.get());
        known
    }

    pub(super) fn acquire(&self, released: &Known) {
        let mut known = self.known.borrow_mut();
        Arc::make_mut(known.get_or_insert_default()).merge(released);
    }

    /// Lets all of `clocks` pass a barrier of their block together.
    pub(super) fn pass_barrier<'a>(clocks: impl Iterator<Item = &'a Self> + Clone) {
        Self::share(clocks.clone());
        clocks.for_each(|clock| clock.barrier.set(clock.barrier.get() + 1));
    }

    /// Lets all live lanes of a wave pass a sync together.
    pub(super) fn pass_sync<'a>(clocks: impl Iterator<Item = &'a Self> + Clone) {
        Self::share(clocks.clone());
        clocks.for_each(|clock| clock.sync.set(clock.sync.get() + 1));
    }

    /// Lets some lanes of a wave pass a sync: each releases, and acquires what the others released.
    pub(super) fn pass_sync_among<'a>(clocks: impl Iterator<Item = &'a Self> + Clone) {
        let mut all = Known::default();
        clocks.clone().for_each(|clock| all.merge(&clock.release()));
        clocks.for_each(|clock| clock.acquire(&all));
    }

    /// What one knows, all know.
    fn share<'a>(clocks: impl Iterator<Item = &'a Self> + Clone) {
        let mut knowing = clocks.clone().filter_map(|clock| clock.known.borrow().clone());
        let Some(mut all) = knowing.next() else { return };
        for known in knowing {
            if !Arc::ptr_eq(&all, &known) {
                Arc::make_mut(&mut all).merge(&known);
            }
        }
        clocks.for_each(|clock| *clock.known.borrow_mut() = Some(all.clone()));
    }
}
