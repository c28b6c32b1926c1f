//! The stack of one lane, and the pool that stacks come from.

use std::cell::RefCell;
use std::io;

use corosensei::stack::{DefaultStack, Stack, StackPointer};

/// What a lane may use; only the pages that it touches take memory.
const BYTES: usize = 256 * 1024;

/// Stacks begin at the same place of a page, so the hot ends of many lanes would meet in the same
/// few cache sets; each is moved by its own multiple of a cache line, within one page.
const STEP: usize = 192;
const PAGE: usize = 4096;

/// The most stacks that a thread keeps for its next block.
const KEPT: usize = 1024;

thread_local! {
    static POOL: RefCell<Vec<LaneStack>> = const { RefCell::new(Vec::new()) };
}

/// One lane's stack.
pub(super) struct LaneStack {
    stack: DefaultStack,
    offset: usize,
}

impl LaneStack {
    /// A stack for the lane with index `lane` in its block.
    pub(super) fn take(lane: usize) -> io::Result<Self> {
        if let Some(stack) = POOL.with_borrow_mut(Vec::pop) {
            return Ok(stack);
        }
        Ok(Self { stack: DefaultStack::new(BYTES)?, offset: lane * STEP % PAGE })
    }

    /// Gives it back to the pool.
    pub(super) fn give(self) {
        POOL.with_borrow_mut(|pool| {
            if pool.len() < KEPT {
                pool.push(self);
            }
        });
    }
}

// SAFETY: base and limit are those of `DefaultStack`, the base moved down by less than a page,
// which leaves far more than the minimum size, and by a multiple of 64 bytes, which keeps it aligned.
unsafe impl Stack for LaneStack {
    fn base(&self) -> StackPointer {
        let base = self.stack.base().get() - self.offset;
        StackPointer::new(base).expect("a stack does not lie at address zero")
    }

    fn limit(&self) -> StackPointer {
        self.stack.limit()
    }

    #[cfg(windows)]
    fn teb_fields(&self) -> corosensei::stack::StackTebFields {
        self.stack.teb_fields()
    }

    #[cfg(windows)]
    fn update_teb_fields(&mut self, stack_limit: usize, guaranteed_stack_bytes: usize) {
        self.stack.update_teb_fields(stack_limit, guaranteed_stack_bytes);
    }
}
