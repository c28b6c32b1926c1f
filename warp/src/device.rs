//! [`Device`]: what a kernel asks of the machine that runs it.

use crate::Wave;
use crate::backend::Backend;
use crate::memory::{Scope, Shared};
use crate::payload::Payload;

/// The machine that runs a kernel, for one lane.
///
/// A kernel is a function over it, `fn kernel<const W: u32, D: Device<W>>(dev: D, …)`, with `W` the
/// lanes of a hardware wave; one body runs on GPUs and in the simulator.
///
/// Blocks and grids have up to three dimensions, the first fastest. A wave is `W` threads whose
/// linear index in the block is consecutive.
pub trait Device<const W: u32>: Copy {
    /// The primitives of the wave.
    type Backend: Backend;

    /// This thread's place in its block.
    fn thread(self) -> [u32; 3];

    /// This block's place in the grid.
    fn block(self) -> [u32; 3];

    /// The threads of a block along each dimension.
    fn block_shape(self) -> [u32; 3];

    /// The blocks of the grid along each dimension.
    fn grid_shape(self) -> [u32; 3];

    /// Whether this lane takes the branch: `condition`, counted.
    ///
    /// The simulator cannot see an `if`; `if dev.branch(condition)` counts how often the wave
    /// issues each side. On a GPU it is `condition`.
    #[track_caller]
    fn branch(self, condition: bool) -> bool;

    /// Waits for all threads of the block; what any wrote before, all see after.
    ///
    /// Every thread of the block reaches it, at the same call; a thread that has returned does
    /// not, and that is a fault on some targets.
    #[track_caller]
    fn barrier(self);

    /// Makes this thread's earlier accesses visible to the threads of `scope` before its later
    /// ones: both a release and an acquire fence.
    #[track_caller]
    fn fence(self, scope: Scope);

    /// A hint inside a loop that waits for another thread's store.
    #[track_caller]
    fn spin(self);

    /// `LEN` elements that the threads of a block share, not yet written.
    ///
    /// Called once by every thread, outside loops and branches.
    #[track_caller]
    fn shared<T: Payload, const LEN: usize>(self) -> Shared<T>;

    /// The wave of the calling lane, or its segment of `N` lanes.
    ///
    /// # Safety
    ///
    /// As [`Wave::converged`]: every later collective through this handle and its copies is reached
    /// by all live lanes of the hardware wave together, and every collective through
    /// [`masked`](Wave::masked) by exactly the lanes of its mask together.
    #[inline(always)]
    #[track_caller]
    unsafe fn wave<const N: u32>(self) -> Wave<N, Self::Backend> {
        // SAFETY: the same contract.
        unsafe { Wave::assume_converged() }
    }

    /// This thread's linear index in its block.
    #[inline(always)]
    fn thread_index(self) -> u32 {
        linear(self.thread(), self.block_shape()) as u32
    }

    /// The number of threads of a block.
    #[inline(always)]
    fn block_threads(self) -> u32 {
        volume(self.block_shape()) as u32
    }

    /// This block's linear index in the grid.
    #[inline(always)]
    fn block_index(self) -> u64 {
        linear(self.block(), self.grid_shape())
    }

    /// The number of blocks of the grid.
    #[inline(always)]
    fn blocks(self) -> u64 {
        volume(self.grid_shape())
    }

    /// This thread's linear index in the grid.
    #[inline(always)]
    fn global_index(self) -> u64 {
        self.block_index() * u64::from(self.block_threads()) + u64::from(self.thread_index())
    }

    /// The number of threads of the grid.
    #[inline(always)]
    fn global_threads(self) -> u64 {
        self.blocks() * u64::from(self.block_threads())
    }

    /// This thread's place in its hardware wave.
    #[inline(always)]
    fn lane(self) -> u32 {
        self.thread_index() % W
    }

    /// This thread's hardware wave among those of its block.
    #[inline(always)]
    fn wave_index(self) -> u32 {
        self.thread_index() / W
    }

    /// The hardware waves of a block; the last may have fewer than `W` live lanes.
    #[inline(always)]
    fn waves(self) -> u32 {
        self.block_threads().div_ceil(W)
    }
}

#[inline(always)]
fn linear(place: [u32; 3], shape: [u32; 3]) -> u64 {
    let [x, y, z] = place.map(u64::from);
    let [width, height, _] = shape.map(u64::from);
    x + width * (y + height * z)
}

#[inline(always)]
fn volume(shape: [u32; 3]) -> u64 {
    shape.into_iter().map(u64::from).product()
}
