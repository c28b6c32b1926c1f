//! Faults of other warp libraries, one test for each, named for the fault.

mod logical;
mod reductions;
mod shuffles;
mod votes;
mod width;

use wavewise::sim::{Fault, Launch, Report, Sim};
use wavewise::*;
use wavewise_tests::launch::{block, wave, waves};
use wavewise_tests::values::mix;

/// Runs `lane` on a full wave of `width` lanes, and gives what each lane gave.
fn full<R: Send + Sync + Copy>(width: u32, lane: impl Fn(u32) -> R + Sync) -> Vec<R> {
    let got = waves(width, &[LaneMask::first(width)], |_, number| lane(number));
    let got = got.unwrap_or_else(|report| panic!("{report}"));
    got[0].iter().map(|lane| lane.expect("all lanes are live")).collect()
}
