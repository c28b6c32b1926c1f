//! The history of one element of memory, and the check of the next access against it.

use std::collections::HashMap;

use super::clock::{Clock, Known, Stamp};
use crate::memory::{Ordering, Scope};

/// How an element is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Read,
    Write,
    AtomicLoad,
    AtomicStore,
    AtomicUpdate,
}

impl Touch {
    pub(crate) fn is_atomic(self) -> bool {
        matches!(self, Self::AtomicLoad | Self::AtomicStore | Self::AtomicUpdate)
    }

    pub(crate) fn reads(self) -> bool {
        !matches!(self, Self::Write | Self::AtomicStore)
    }

    pub(crate) fn writes(self) -> bool {
        !matches!(self, Self::Read | Self::AtomicLoad)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::AtomicLoad => "atomic load",
            Self::AtomicStore => "atomic store",
            Self::AtomicUpdate => "atomic update",
        }
    }
}

/// From how many remembered accesses on it is worth looking for those that need not be.
const COMPACTED: usize = 32;

/// From how many on the accesses of a block are cut down to its latest.
const CROWDED: usize = 1024;

/// An access that is remembered.
#[derive(Clone, Copy)]
struct Entry {
    stamp: Stamp,
    touch: Touch,
    /// Of an atomic access.
    scope: Option<Scope>,
}

/// What is remembered of an element.
#[derive(Default)]
pub(super) struct History {
    written: bool,
    writes: Vec<Entry>,
    reads: Vec<Entry>,
    released: Option<Box<Released>>,
}

/// What atomic stores to an element have released.
#[derive(Default)]
struct Released {
    /// By stores whose scope is the device or wider.
    wide: Option<Known>,
    /// By stores whose scope is their own block, with that block.
    narrow: Option<(u32, Known)>,
}

/// What is wrong with an access.
pub(super) enum Breach {
    Unwritten,
    Race(Stamp, Touch),
}

impl History {
    pub(super) fn written() -> Self {
        Self { written: true, ..Self::default() }
    }

    pub(super) fn is_written(&self) -> bool {
        self.written
    }

    /// Checks the access and remembers it.
    pub(super) fn touch(
        &mut self,
        touch: Touch,
        scope: Option<Scope>,
        clock: &Clock,
        stamp: Stamp,
    ) -> Result<(), Breach> {
        if touch.reads() && !self.written {
            return Err(Breach::Unwritten);
        }
        let entry = Entry { stamp, touch, scope };
        let races =
            |earlier: &&Entry| !(clock.knows(&earlier.stamp) || earlier.is_atomic_with(&entry));
        let earlier_reads = if touch.writes() { &self.reads[..] } else { &[] };
        if let Some(earlier) = self.writes.iter().chain(earlier_reads).find(races) {
            return Err(Breach::Race(earlier.stamp, earlier.touch));
        }
        let history = if touch.writes() {
            self.written = true;
            if !touch.is_atomic() {
                // All else happened before this write: whoever is ordered after it is after them.
                self.reads.clear();
                self.writes.clear();
            }
            &mut self.writes
        } else {
            &mut self.reads
        };
        // Whatever is ordered before this access need not be kept: a later access that is not
        // ordered after it is not ordered after this one either.
        if history.len() >= COMPACTED && history.len().is_power_of_two() {
            history.retain(|earlier| !clock.knows(&earlier.stamp));
            if history.len() >= CROWDED {
                keep_latest(history);
            }
        }
        history.push(entry);
        Ok(())
    }

    /// What an atomic load with `order` and `scope` learns.
    pub(super) fn acquired(&self, block: u32, scope: Scope) -> Option<Known> {
        let released = self.released.as_deref()?;
        let mut known = if scope == Scope::Block { None } else { released.wide.clone() };
        if let Some((by, narrow)) = &released.narrow
            && *by == block
        {
            known.get_or_insert_default().merge(narrow);
        }
        known
    }

    /// Attaches what an atomic store releases. An update continues what earlier ones released; a
    /// store replaces it.
    pub(super) fn release(&mut self, touch: Touch, block: u32, scope: Scope, known: Option<Known>) {
        if touch == Touch::AtomicStore {
            self.released = None;
        }
        let Some(known) = known else { return };
        let released = self.released.get_or_insert_default();
        match &mut released.narrow {
            Some((by, narrow)) if *by == block => narrow.merge(&known),
            narrow => *narrow = Some((block, known.clone())),
        }
        if scope != Scope::Block {
            released.wide.get_or_insert_default().merge(&known);
        }
    }
}

impl Entry {
    /// Whether both are atomic, and each in a scope that holds the other.
    fn is_atomic_with(&self, other: &Self) -> bool {
        let (Some(a), Some(b)) = (self.scope, other.scope) else { return false };
        self.stamp.block == other.stamp.block || (a != Scope::Block && b != Scope::Block)
    }
}

/// Keeps of each block the latest accesses of two threads.
///
/// That loses no race with another block: whoever knows a block's latest access knows its earlier
/// ones. In the block itself one of the two is another thread's than the access that comes.
fn keep_latest(history: &mut Vec<Entry>) {
    let mut kept: HashMap<u32, Vec<u32>> = HashMap::new();
    history.reverse();
    history.retain(|entry| {
        let threads = kept.entry(entry.stamp.block).or_default();
        let keep = threads.len() < 2 && !threads.contains(&entry.stamp.thread);
        if keep {
            threads.push(entry.stamp.thread);
        }
        keep
    });
    history.reverse();
}

pub(super) fn acquires(order: Ordering) -> bool {
    matches!(order, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
}

pub(super) fn releases(order: Ordering) -> bool {
    matches!(order, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
}
