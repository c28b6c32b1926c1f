//! The reduction exercise: a whole array as one value.
//!
//! Two launches of the same kernel: [`reduce`](fn@reduce) over [`grid`]`(n)` leaves one partial a
//! block, and over one block of the partials it leaves the result.

use wavewise::{Device, Global, GlobalMut, Identity, Payload};

use crate::block_reduce::block_reduce;
use crate::ladder::Ladder;

/// How many blocks of how many threads reduce an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of blocks, one partial each.
    pub blocks: u32,
    /// The threads of a block.
    pub threads: u32,
}

/// The grid for `n` elements.
///
/// It depends on `n` alone, never on the device, so that the tree and its bits are the same
/// everywhere: 256 threads a block, 32 elements a thread, at most 1024 blocks.
#[must_use]
pub const fn grid(n: u64) -> Grid {
    const THREADS: u32 = 256;
    const ELEMENTS: u64 = 32;
    const MOST_BLOCKS: u64 = 1024;
    let blocks = n.div_ceil(THREADS as u64 * ELEMENTS);
    let blocks = if blocks == 0 {
        1
    } else if blocks > MOST_BLOCKS {
        MOST_BLOCKS
    } else {
        blocks
    };
    Grid { blocks: blocks as u32, threads: THREADS }
}

/// Leaves in `partials[b]` what block `b` of the grid makes of its elements of `input`; the
/// identity where it has none.
///
/// Each thread takes the elements at its number in the grid, that plus the threads of the grid,
/// and so on, in that order; then comes [`block_reduce`](fn@block_reduce). Elements are thus not
/// combined in their order: an operator that does not commute does not compile.
///
/// Blocks and grids may have any shape; `partials` has at least as many elements as the grid has
/// blocks.
#[inline(always)]
#[track_caller]
pub fn reduce<const W: u32, D: Device<W>, T: Payload, O: Identity<T>, L: Ladder>(
    dev: D,
    input: Global<'_, T>,
    partials: GlobalMut<'_, T>,
    operator: O,
    ladder: L,
) {
    let own = strided(dev, input, operator);
    let total = block_reduce(dev, own, operator, ladder);
    if dev.thread_index() == 0 {
        partials.set(dev.block_index() as usize, total);
    }
}

/// This thread's elements of `input` as one; the identity where it has none.
#[inline(always)]
#[track_caller]
pub fn strided<const W: u32, D: Device<W>, T: Payload, O: Identity<T>>(
    dev: D,
    input: Global<'_, T>,
    operator: O,
) -> T {
    const { assert!(O::COMMUTES, "a grid-stride loop needs an operator that commutes") };
    let _ = operator;
    let stride = dev.global_threads();
    let mut index = dev.global_index();
    let mut own = O::identity();
    while index < input.len() as u64 {
        own = O::combine(own, input.get(index as usize));
        index += stride;
    }
    own
}
