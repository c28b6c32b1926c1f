//! The block whose waves do not meet.

use wavewise::{Device, Global, GlobalMut, Identity, Payload};

use crate::block_reduce::wave_reduce;
use crate::ladder::Butterfly;
use crate::reduce::strided;

/// [`reduce`](fn@crate::reduce) with **a block's result taken from its first wave alone.**
///
/// Each wave is reduced rightly, but the partials never meet in shared memory: over ones the
/// result is 1 ÷ (waves of a block) of the right one. With blocks of one wave it is right.
///
/// The remedy: every wave leaves its partial in shared memory, and after a barrier the first wave
/// reduces those.
#[inline(always)]
#[track_caller]
pub fn lost_waves<const W: u32, D: Device<W>, T: Payload, O: Identity<T>>(
    dev: D,
    input: Global<'_, T>,
    partials: GlobalMut<'_, T>,
    operator: O,
) {
    let own = strided(dev, input, operator);
    // SAFETY: no branch lies between here and the collective.
    let wave = unsafe { dev.wave::<W>() };
    let total = wave_reduce(dev, wave, own, operator, Butterfly);
    // The fault: thread 0 knows the total of its own wave, not that of its block.
    if dev.thread_index() == 0 {
        partials.set(dev.block_index() as usize, total);
    }
}
