//! [`block_reduce`]: the values of a block's threads as one.

use wavewise::{Device, Identity, Op, Payload, Shared, Wave};

use crate::ladder::Ladder;

/// The most threads that a block may have.
pub const MAX_THREADS: usize = 1024;

/// The values of all threads of the block as one, in thread 0; the other threads get a part.
///
/// Each wave climbs its ladder, the waves' partials meet in shared memory, and the first wave
/// finishes. Where there are more partials than lanes in a wave, neighbours are first combined in
/// shared memory until one wave can hold the rest.
///
/// The tree is the perfect binary tree over thread numbers, neighbours first, without the leaves
/// that a block of fewer threads lacks: the bits are the same at every width `W`. Lower threads
/// are the left operands, so the operator need not commute.
///
/// Any block of 1 to [`MAX_THREADS`] threads may call it, also one that is no multiple of `W`.
/// All threads of the block call it together, once: it has one barrier, and two more for each
/// halving of partials beyond `W`. It takes up to `MAX_THREADS` elements of shared memory, 64 of
/// them where `W` is at least 16.
#[inline(always)]
#[track_caller]
pub fn block_reduce<const W: u32, D: Device<W>, T: Payload, O: Identity<T>, L: Ladder>(
    dev: D,
    value: T,
    operator: O,
    ladder: L,
) -> T {
    let partials = partials::<W, D, T>(dev);
    // SAFETY: all threads of the block call this together; the collectives below are reached
    // through conditions that all lanes of a wave agree on.
    let wave = unsafe { dev.wave::<W>() };
    let lane = wave.lane();
    let mut count = dev.waves();

    let mut total = wave_reduce(dev, wave, value, operator, ladder);
    if count == 1 {
        return total;
    }
    if lane == 0 {
        partials.set(dev.wave_index() as usize, total);
    }
    dev.barrier();

    while count > W {
        count = fold(dev, partials, count, operator);
    }
    if dev.wave_index() == 0 {
        // This wave is full, since there is a second one.
        let partial = if lane < count { partials.get(lane as usize) } else { O::identity() };
        total = ladder.reduce(wave, partial, operator);
    }
    total
}

/// The values of the wave's live lanes as one, in its lane 0.
///
/// The last wave of a block may be live in part; there the ladder has no leaves to read from and
/// [`Wave::reduce_partial`] takes its place, with the same tree.
#[inline(always)]
#[track_caller]
pub fn wave_reduce<const W: u32, D: Device<W>, T: Payload, O: Identity<T>, L: Ladder>(
    dev: D,
    wave: Wave<W, D::Backend>,
    value: T,
    operator: O,
    ladder: L,
) -> T {
    let live = (dev.block_threads() - dev.wave_index() * W).min(W);
    if live == W {
        ladder.reduce(wave, value, operator)
    } else {
        wave.reduce_partial(value, operator, live)
    }
}

/// Combines neighbours among the first `count` partials, one level of the tree; gives how many
/// are left. All threads of the block call it together.
#[inline(always)]
#[track_caller]
fn fold<const W: u32, D: Device<W>, T: Payload, O: Op<T>>(
    dev: D,
    partials: Shared<T>,
    count: u32,
    operator: O,
) -> u32 {
    let _ = operator;
    let pairs = count.div_ceil(2);
    let pair = dev.thread_index();
    let (left, right) = (2 * pair, 2 * pair + 1);

    // Two barriers: a pair's place is another pair's operand until all are read.
    let merged = (pair < pairs).then(|| {
        let first = partials.get(left as usize);
        if right < count { O::combine(first, partials.get(right as usize)) } else { first }
    });
    dev.barrier();
    if let Some(merged) = merged {
        partials.set(pair as usize, merged);
    }
    dev.barrier();
    pairs
}

/// Room for a partial of each wave of the largest block.
#[inline(always)]
#[track_caller]
fn partials<const W: u32, D: Device<W>, T: Payload>(dev: D) -> Shared<T> {
    const WIDE: usize = 16;
    if W as usize >= WIDE {
        dev.shared::<T, { MAX_THREADS / WIDE }>()
    } else {
        dev.shared::<T, MAX_THREADS>()
    }
}
