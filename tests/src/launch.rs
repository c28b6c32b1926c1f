//! Many waves of one kernel in one launch of the simulator.

use wavewise::sim::{Launch, Memory, Report, Sim};
use wavewise::{Device, LaneMask, Payload};

use crate::model::Lanes;

/// Runs `lane` on the live lanes of one hardware wave for each of `live`, and gives what each lane
/// gave. A lane that is not live returns before the first collective.
///
/// # Errors
/// What the simulator reports.
pub fn waves<const W: u32, R: Payload + Default>(
    live: &[LaneMask],
    lane: impl Fn(Sim<W>, usize) -> R + Sync,
) -> Result<Vec<Lanes<R>>, Report> {
    let width = W as usize;
    let results = Memory::from(vec![(false, R::default()); live.len() * width]);
    let view = results.view();
    launch::<W>(live.len() as u32, W, &|dev| {
        let wave = dev.block_index() as usize;
        if !live[wave].contains(dev.lane()) {
            return;
        }
        let result = lane(dev, wave);
        view.set(wave * width + dev.lane() as usize, (true, result));
    })?;
    let results = results.to_vec().expect("the memory began written");
    let lanes = results.into_iter().map(|(ran, result)| ran.then_some(result)).collect::<Vec<_>>();
    Ok(lanes.chunks(width).map(Lanes::from).collect())
}

/// Runs `lane` on every thread of one block of `threads`, and gives what each gave.
///
/// # Errors
/// What the simulator reports.
pub fn block<const W: u32, R: Payload>(
    threads: u32,
    lane: impl Fn(Sim<W>) -> R + Sync,
) -> Result<Vec<R>, Report> {
    let results = Memory::<R>::unwritten(threads as usize);
    let view = results.view();
    launch::<W>(1, threads, &|dev| view.set(dev.thread_index() as usize, lane(dev)))?;
    Ok(results.to_vec().expect("every thread wrote its result"))
}

/// One copy of the simulator for each width, not one for each kernel.
fn launch<const W: u32>(
    blocks: u32,
    threads: u32,
    kernel: &(dyn Fn(Sim<W>) + Sync),
) -> Result<(), Report> {
    Launch::<W>::new(blocks, threads).run(kernel)?;
    Ok(())
}
