//! Many waves of one kernel in one launch of the simulator, at any width.

use std::sync::OnceLock;

use wavewise::sim::{Launch, Report, Sim};
use wavewise::{Device, LaneMask};

use crate::model::Lanes;

/// The logical widths.
pub const WIDTHS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Every logical width with its place in [`WIDTHS`], and every hardware width from it upward.
pub fn pairs() -> impl Iterator<Item = (usize, u32, u32)> {
    (0..WIDTHS.len())
        .flat_map(|place| WIDTHS[place..].iter().map(move |&w| (place, WIDTHS[place], w)))
}

/// Runs `lane(wave, lane)` on the live lanes of one hardware wave of `width` for each of `live`,
/// and gives what each lane gave. A lane that is not live returns before the first collective.
///
/// # Errors
/// What the simulator reports.
pub fn waves<R: Send + Sync>(
    width: u32,
    live: &[LaneMask],
    lane: impl Fn(usize, u32) -> R + Sync,
) -> Result<Vec<Lanes<R>>, Report> {
    let slots: Vec<OnceLock<R>> = empty(live.len() * width as usize);
    launch(width, live.len() as u32, width, &|wave, thread| {
        if live[wave as usize].contains(thread) {
            fill(
                &slots[wave as usize * width as usize + thread as usize],
                lane(wave as usize, thread),
            );
        }
    })?;
    let mut results = slots.into_iter().map(OnceLock::into_inner);
    Ok(live.iter().map(|_| results.by_ref().take(width as usize).collect()).collect())
}

/// Runs `lane(thread)` on every thread of one block, and gives what each gave; `None` where it
/// gave nothing.
///
/// # Errors
/// What the simulator reports.
pub fn block<R: Send + Sync>(
    width: u32,
    threads: u32,
    lane: impl Fn(u32) -> Option<R> + Sync,
) -> Result<Vec<Option<R>>, Report> {
    let slots: Vec<OnceLock<R>> = empty(threads as usize);
    launch(width, 1, threads, &|_, thread| {
        if let Some(result) = lane(thread) {
            fill(&slots[thread as usize], result);
        }
    })?;
    Ok(slots.into_iter().map(OnceLock::into_inner).collect())
}

fn empty<R>(count: usize) -> Vec<OnceLock<R>> {
    (0..count).map(|_| OnceLock::new()).collect()
}

fn fill<R>(slot: &OnceLock<R>, result: R) {
    assert!(slot.set(result).is_ok(), "a lane ran twice");
}

/// Runs `kernel(block, thread)`; one copy of the simulator for each width, not for each kernel.
///
/// # Errors
/// What the simulator reports.
fn launch(
    width: u32,
    blocks: u32,
    threads: u32,
    kernel: &(dyn Fn(u64, u32) + Sync),
) -> Result<(), Report> {
    match width {
        1 => on::<1>(blocks, threads, kernel),
        2 => on::<2>(blocks, threads, kernel),
        4 => on::<4>(blocks, threads, kernel),
        8 => on::<8>(blocks, threads, kernel),
        16 => on::<16>(blocks, threads, kernel),
        32 => on::<32>(blocks, threads, kernel),
        64 => on::<64>(blocks, threads, kernel),
        _ => panic!("no hardware wave has {width} lanes here"),
    }
}

fn on<const W: u32>(
    blocks: u32,
    threads: u32,
    kernel: &(dyn Fn(u64, u32) + Sync),
) -> Result<(), Report> {
    let lane = |dev: Sim<W>| kernel(dev.block_index(), dev.thread_index());
    Launch::<W>::new(blocks, threads).run(lane)?;
    Ok(())
}

/// A function at each logical width, as an array in the order of [`WIDTHS`](crate::launch::WIDTHS).
#[macro_export]
macro_rules! at_widths {
    ($f:ident::<$($t:ty),* ; N>) => {
        [
            $f::<$($t,)* 1>, $f::<$($t,)* 2>, $f::<$($t,)* 4>, $f::<$($t,)* 8>,
            $f::<$($t,)* 16>, $f::<$($t,)* 32>, $f::<$($t,)* 64>,
        ]
    };
}

/// The wave of `N` lanes that the calling lane is in.
#[inline(always)]
#[track_caller]
pub fn wave<const N: u32>() -> wavewise::Wave<N> {
    // SAFETY: the simulator reports what breaks the promise, and that fails the test.
    unsafe { wavewise::Wave::converged() }
}
